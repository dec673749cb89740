//! Campaigns and built scenarios.

use turnstone::Game;
use turnstone_skirmish::catalog::Catalog;
use turnstone_skirmish::formats::builder::Plan;
use turnstone_skirmish::formats::campaign::CampaignExport;
use turnstone_skirmish::setup::{SetupSource, open};
use turnstone_skirmish::world::encounter::Placement;
use turnstone_skirmish::{Document, Profile, Setup, Skirmish};

fn document() -> Document {
    let state = Catalog::built_in().scenario("bridge-at-dusk").unwrap().initial_state.clone();
    serde_json::from_value(state).unwrap()
}

#[test]
fn a_campaign_keeps_the_roster_without_its_dead() {
    let mut document = document();
    document.entities.players[0].conditions = vec!["blessed".into(), "dead".into()];
    let export = CampaignExport::of(&document, "The valley", "2026-02-01T00:00:00Z");
    let text = serde_json::to_string(&export).unwrap();
    let again = CampaignExport::read(&text).unwrap();
    assert_eq!(again, export);
    assert_eq!(again.campaign.roster.len(), 3);
    assert_eq!(again.campaign.roster[0].conditions, ["blessed"]);
    let error = CampaignExport::read(&text.replace("\"1.0\"", "\"2.0\"")).unwrap_err();
    assert!(error.contains("found mir-campaign 2.0"), "{error}");
}

#[test]
fn built_scenarios_are_valid_and_follow_their_seed() {
    let catalog = Catalog::built_in();
    for map in ["arena", "dungeon_corridor", "forest_clearing", "tavern", "dungeon"] {
        for placement in [Placement::Clustered, Placement::Flanking, Placement::Spread] {
            for seed in 0..12 {
                let plan = Plan {
                    map: map.into(),
                    party: vec!["rogue".into(), "wizard".into()],
                    difficulty: ["easy", "normal", "hard", "deadly"][seed as usize % 4].into(),
                    placement,
                    fog: seed % 2 == 0,
                };
                let built = plan.build(&catalog, seed).unwrap();
                assert_eq!(built, plan.build(&catalog, seed).unwrap());
                let value = serde_json::to_value(&built).unwrap();
                open(&value, Profile::Mir023).unwrap_or_else(|e| panic!("{map} {placement:?} {seed}: {e}"));
                let setup = Setup { source: SetupSource::Built(plan), ..Setup::scenario("", "normal") };
                assert!(Skirmish::default().start(&setup, seed).unwrap().combat.fighting);
            }
        }
    }
    let lost = Plan { map: "moon".into(), party: vec!["rogue".into()], ..Plan::default() };
    assert!(lost.build(&catalog, 0).unwrap_err().contains("known are dungeon, arena"));
}

//! Campaigns, sessions, built scenarios, and the pipeline for many players.

use serde_json::json;
use turnstone::Game;
use turnstone_skirmish::action::Action;
use turnstone_skirmish::content::Catalog;
use turnstone_skirmish::formats::builder::Plan;
use turnstone_skirmish::formats::campaign::CampaignExport;
use turnstone_skirmish::formats::session::SessionRecord;
use turnstone_skirmish::party::{Client, Refused, Role, admit};
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
fn a_session_becomes_a_replay() {
    let first = serde_json::to_value(document()).unwrap();
    let record = SessionRecord {
        id: "s1".into(),
        name: "First night".into(),
        saved_at: "2026-02-01T00:00:00Z".into(),
        game_state: first.clone(),
        actions: vec![json!({"type": "ROLL_INITIATIVE"}), json!({"type": "DANCE"})],
    };
    let text = serde_json::to_string(&record).unwrap();
    let again = SessionRecord::read(&text).unwrap();
    let replay = again.to_replay(first).unwrap();
    assert_eq!(replay.steps.len(), 2);
    assert!(replay.run().ok);
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

#[test]
fn incoming_actions_pass_permission_turn_and_staleness() {
    let state = Skirmish::default().start(&Setup::scenario("bridge-at-dusk", "normal"), 5).unwrap();
    let active = state.stage.figure(state.combat.active.unwrap()).id.clone();
    let someone = |b: u16| state.stage.figure(b).id.to_string();
    let player = |owned: &str, seen| Client { role: Role::Player, owns: vec![owned.into()], seen };
    let end = Action::end_turn(&active);
    assert_eq!(admit(&state, &player(&active, 4), &end, 6), Ok(()));
    assert_eq!(admit(&state, &player(&active, 3), &end, 6), Err(Refused::Stale));
    let other = (0..3).map(someone).find(|id| *id != *active).unwrap();
    assert_eq!(admit(&state, &player(&other, 6), &end, 6), Err(Refused::Permission));
    let theirs = Action::end_turn(&other.as_str().into());
    assert_eq!(admit(&state, &player(&other, 6), &theirs, 6), Err(Refused::Turn));
    let seed = Action::from_json(&json!({"type": "SET_SEED", "seed": "x"}));
    assert_eq!(admit(&state, &player(&active, 6), &seed, 6), Err(Refused::Permission));
    let master = Client { role: Role::Gm, owns: Vec::new(), seen: 6 };
    assert_eq!(admit(&state, &master, &seed, 6), Ok(()));
    let watcher = Client { role: Role::Spectator, owns: Vec::new(), seen: 6 };
    assert_eq!(admit(&state, &watcher, &end, 6), Err(Refused::Permission));
}

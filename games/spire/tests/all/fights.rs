//! Random fights: every character against every encounter, with decks, relics and potions of everything.

use std::sync::Arc;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game, Input, Off, Outcome, Position, Resolver};
use turnstone_spire::state::Pile;
use turnstone_spire::{Deed, Fight, Ruleset, Setup, Spire};
use turnstone_testkit::{Plan, prove};

const FIGHTS: Stream = Stream::named("random fights");

/// A fight with a random deck of any cards at all.
fn wild_fight(spire: &Spire, round: u64, encounter: usize, lots: &mut Lots) -> Fight {
    let catalog = &spire.catalog;
    let mut names = |list: Vec<String>, count: u64| -> Vec<String> {
        (0..count).map(|_| lots.pick(&list).expect("content").clone()).collect()
    };
    let cards: Vec<String> =
        catalog.cards.iter().flat_map(|card| [card.id.clone(), format!("{}+", card.id)]).collect();
    let deck = names(cards, 18);
    let relics = names(catalog.relics.iter().map(|relic| relic.id.clone()).collect(), 6);
    let potions = names(catalog.potions.iter().map(|potion| potion.id.clone()).collect(), 3);
    // Every character at both ends of the ascension, round by round.
    let turn = round as usize;
    Fight {
        character: catalog.characters[turn % catalog.characters.len()].id.clone(),
        ascension: if (turn / catalog.characters.len()).is_multiple_of(2) { 0 } else { 20 },
        encounter: Some(catalog.encounters[encounter].id.clone()),
        deck: Some(deck),
        relics: Some(relics),
        potions,
        hp: Some(300),
        max_hp: Some(300),
        ..Fight::default()
    }
}

/// Plays to the end with random inputs; tells the outcome and the number of inputs.
fn play(spire: &Spire, fight: &Fight, seed: u64, limit: usize) -> (Option<Outcome>, usize) {
    let state = spire.start(&Setup::fight(fight.clone()), seed).unwrap();
    let mut position = Position::<Spire>::new(state);
    let mut resolver = Resolver::default();
    let mut lots = Lots::new(seed, FIGHTS.nth(1));
    for count in 0..limit {
        let inputs = position.inputs(spire);
        if inputs.is_empty() {
            assert!(spire.outcome(position.state()).is_some(), "stuck: {fight:?} seed {seed}");
            return (spire.outcome(position.state()), count);
        }
        let useful: Vec<_> = inputs
            .iter()
            .filter(|input| !matches!(input, Input::Act(Deed::Fight(turnstone_spire::Action::Toss { .. }))))
            .collect();
        let input = (*lots.pick(&useful).expect("something to do")).clone();
        if let Err(refusal) = resolver.act(spire, &mut position, &input, &mut Off) {
            panic!("{refusal}: {input:?} in {fight:?} seed {seed}");
        }
        sound(spire, &position, fight, seed);
    }
    (None, limit)
}

fn sound(spire: &Spire, position: &Position<Spire>, fight: &Fight, seed: u64) {
    let s = position.state();
    spire.validate(s).unwrap_or_else(|error| panic!("{error}: {fight:?} seed {seed}"));
    assert!(s.combat.hand.len() <= 10, "{} cards in hand: {fight:?} seed {seed}", s.combat.hand.len());
    if position.pending().is_none() {
        let stuck = s.combat.cards.iter().find(|card| card.pile == Pile::Play);
        assert!(
            stuck.is_none() || spire.outcome(s).is_some(),
            "{stuck:?} stays in play: {fight:?} seed {seed}"
        );
    }
    for body in &s.combat.bodies {
        assert!(body.hp >= 0 && body.block >= 0, "{body:?} {fight:?} seed {seed}");
    }
}

/// Rounds of fights against every encounter; `SPIRE_ROUNDS` asks for another number of them.
fn wild(ruleset: Ruleset, rounds: u64) {
    let rounds = std::env::var("SPIRE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(rounds);
    let spire = Spire::builtin(ruleset).unwrap();
    let mut ended = 0;
    for round in 0..rounds {
        for encounter in 0..spire.catalog.encounters.len() {
            let seed = round * 1000 + encounter as u64;
            let mut lots = Lots::new(seed, FIGHTS);
            let fight = wild_fight(&spire, round, encounter, &mut lots);
            ended += u64::from(play(&spire, &fight, seed, 400).0.is_some());
        }
    }
    assert!(ended > rounds * 5, "most fights should end");
}

#[test]
fn wild_fights_stay_sound() {
    wild(Ruleset::Classic, 40);
}

/// The recorded engine's rules know fewer cards, but none of them may upset them.
#[test]
fn wild_fights_stay_sound_under_the_recorded_rules() {
    wild(Ruleset::Seed, 10);
}

/// Every promise of the kernel, on wild fights of all characters against every encounter.
#[test]
fn the_promises_hold() {
    let spire = Arc::new(Spire::builtin(Ruleset::Classic).unwrap());
    let encounters = spire.catalog.encounters.len();
    let setup = |seed: u64| {
        let mut lots = Lots::new(seed, FIGHTS);
        Setup::fight(wild_fight(&spire, seed, seed as usize % encounters, &mut lots))
    };
    prove(&spire, setup, Plan { cases: 40, steps: 50, ..Plan::default() });
}

/// The nightly version, a hundred thousand fights and ten thousand under the recorded rules:
/// `cargo test --release -p turnstone-spire --test all -- --ignored --nocapture fights::`.
#[test]
#[ignore = "a hundred thousand fights: the ones above are the same in small"]
fn very_many_wild_fights_stay_sound() {
    let spire = Spire::builtin(Ruleset::Classic).unwrap();
    let encounters = spire.catalog.encounters.len() as u64;
    wild(Ruleset::Classic, 100_000u64.div_ceil(encounters));
    wild(Ruleset::Seed, 10_000u64.div_ceil(encounters));
}

//! Whole runs whose fights are won at a stroke: the tower's own rules, without those of combat.

use std::collections::BTreeMap;
use std::sync::Arc;

use turnstone::{Game, Input, InputOf, Match, Off, Offers, Position, Resolver};
use turnstone_host::{Hosted, Opening};
use turnstone_spire::catalog::events::END;
use turnstone_spire::run::action::Action;
use turnstone_spire::run::event::Event;
use turnstone_spire::run::tower::{End, EventScreen, Screen};
use turnstone_spire::run::{Rulebook, Setup};
use turnstone_spire::seeds::{CardNo, EventNo, PotionNo, RelicNo};
use turnstone_spire::state::{DeckCard, Life, OwnedRelic, State};
use turnstone_spire::{Deed, Ruleset, Spire};
use turnstone_testkit::{Plan, prove};

const CHARACTERS: [&str; 4] = ["ironclad", "silent", "defect", "watcher"];

fn climb() -> Arc<Spire> {
    Arc::new(Spire::builtin(Ruleset::Classic).expect("content"))
}

/// The fight under way is won at once, at the price of so many hit points, but not of the last one.
fn win(game: &Spire, position: &mut Position<Spire>, price: i16) {
    let mut state = position.state().clone();
    let (player, enemies) = state.combat.bodies.split_first_mut().expect("bodies");
    player.hp = (player.hp - price).max(1);
    for enemy in enemies {
        (enemy.hp, enemy.life) = (0, Life::Dead);
    }
    state.combat.decided = true;
    *position = Position::new(state);
    let end = Input::Act(Deed::Fight(turnstone_spire::Action::EndTurn));
    Resolver::default().act(game, position, &end, &mut Off).expect("a turn ends");
}

fn setup(character: &str, ascension: u8) -> Setup {
    Setup::run(character, ascension)
}

/// A small generator of choices; the game's own dice are not touched.
struct Chooser(u64);

impl Chooser {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// Plays a run to its end; every fight is won, and costs something unless the run is a `gentle` one.
fn play(game: &Spire, setup: &Setup, seed: u64, gentle: bool) -> State {
    let mut position = Position::<Spire>::new(game.start(setup, seed).expect("start"));
    let mut resolver = Resolver::default();
    let mut chooser = Chooser(seed ^ 0x5eed);
    for _ in 0..4000 {
        if position.state().is_fighting() && position.pending().is_none() {
            win(game, &mut position, if gentle { 0 } else { [0, 3, 12][chooser.below(3)] });
            continue;
        }
        let inputs = position.inputs(game);
        if inputs.is_empty() {
            break;
        }
        let input = &inputs[chooser.below(inputs.len())];
        if let Err(refusal) = resolver.act(game, &mut position, input, &mut Off) {
            panic!("seed {seed}: {input:?} was refused: {refusal}");
        }
    }
    assert!(
        position.state().tower.end.is_some(),
        "seed {seed} got stuck on {:?}",
        position.state().tower.screens
    );
    position.state().clone()
}

#[test]
fn random_runs_end_by_themselves() {
    let game = climb();
    let mut ends: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..600 {
        let setup = setup(CHARACTERS[seed as usize % 4], [0, 1, 10, 15, 20][seed as usize % 5]);
        let end = play(&game, &setup, seed, seed % 3 == 0).tower.end;
        *ends.entry(format!("{end:?}")).or_default() += 1;
    }
    assert!(ends["Some(Died)"] > 5 && ends["Some(Won)"] > 100, "{ends:?}");
}

#[test]
fn the_promises_hold() {
    let game = climb();
    let plan = Plan { cases: 24, steps: 90, seed: 6, probes: 6 };
    prove(&game, |seed| setup(CHARACTERS[seed as usize % 4], (seed % 21) as u8), plan);
}

#[test]
fn all_keys_lead_to_the_heart() {
    let game = climb();
    let mut position = Position::<Spire>::new(game.start(&setup("watcher", 20), 5).expect("start"));
    let mut resolver = Resolver::default();
    let mut acts = 0;
    for _ in 0..4000 {
        if position.state().is_fighting() && position.pending().is_none() {
            win(&game, &mut position, 0);
        }
        let inputs = position.inputs(&*game);
        let prefer = |i: &InputOf<Spire>| match i {
            Input::Act(Deed::Run(Action::Recall)) => 0,
            Input::Act(Deed::Run(Action::Take(_))) => 2,
            Input::Act(Deed::Run(Action::OpenChest)) => 3,
            Input::Act(Deed::Run(Action::Proceed)) => 4,
            Input::Act(Deed::Run(Action::Discard(_) | Action::Drink(_))) => 9,
            _ => 5,
        };
        let Some(input) = inputs.iter().min_by_key(|i| prefer(i)) else { break };
        resolver.act(&*game, &mut position, input, &mut Off).expect("a legal action");
        acts = acts.max(position.state().run.act);
        if position.state().tower.keys & 7 != 7 {
            // The three keys in hand from the start: only the way is of interest here.
            let mut state = position.state().clone();
            state.tower.edit().keys = 7;
            position = Position::new(state);
        }
    }
    assert_eq!(position.state().tower.end, Some(End::Heart));
    assert_eq!(acts, 4);
    assert_eq!(position.state().tower.tally.bosses, 5, "two bosses in act 3 at ascension 20, then the heart");
}

/// Opens an event by name and takes an option wherever it stands, answering every question at random.
fn try_option(game: &Spire, event: EventNo, node: u8, option: u8, seed: u64) -> Option<State> {
    let character = CHARACTERS[seed as usize % 4];
    let mut state = game.start(&setup(character, (seed % 21) as u8), seed).expect("start");
    let rulebook = &game.rulebook;
    enrich(&mut state, rulebook, seed);
    let mut fate = state.tower.fate.clone();
    let detail = rulebook.with_holder(&state, |holder| fate.enter_event(&rulebook.tables, holder, event));
    let relics = state.run.relics.iter().take(2).map(|r| RelicNo(r.id)).collect();
    let max_hp = state.run.max_hp;
    let tower = state.tower.edit();
    tower.fate = fate;
    tower.screens.clear();
    tower.screens.push(Screen::Event(EventScreen {
        event,
        node,
        detail,
        max_hp,
        counts: [0; 3],
        relics,
        open: 0,
        tries: 5,
    }));
    let mut position = Position::<Spire>::new(state);
    let mut resolver = Resolver::default();
    let first = Input::Act(Deed::Run(Action::Option(option)));
    resolver.act(game, &mut position, &first, &mut Off).ok()?;
    let mut chooser = Chooser(seed);
    for _ in 0..60 {
        let mut inputs = position.inputs(game);
        inputs.retain(|i| !matches!(i, Input::Act(Deed::Run(Action::Discard(_)))));
        if inputs.is_empty() || position.state().tower.screens.is_empty() {
            break;
        }
        let input = &inputs[chooser.below(inputs.len())];
        resolver.act(game, &mut position, input, &mut Off).expect("a legal action");
    }
    Some(position.state().clone())
}

fn enrich(state: &mut State, rulebook: &Rulebook, seed: u64) {
    let run = &mut state.run;
    run.gold = 500;
    run.hp = 60;
    run.floor = if seed.is_multiple_of(2) { 30 } else { 45 };
    for name in ["golden_idol", "blood_vial"] {
        let relic: RelicNo = rulebook.tables.relics.find(name).expect("relic");
        run.relics.push(OwnedRelic { id: relic.0, counter: 0 });
    }
    if seed.is_multiple_of(3) {
        let relic: RelicNo = rulebook.tables.relics.find("red_mask").expect("relic");
        run.relics.push(OwnedRelic { id: relic.0, counter: 0 });
    }
    for name in ["demon_form", "regret", "pommel_strike", "offering"] {
        let card: CardNo = rulebook.tables.cards.find(name).expect("card");
        run.deck.push(DeckCard { id: card.0, up: 1, bottled: false, grown: 0 });
    }
    let fairy: PotionNo = rulebook.tables.potions.find("fairy_potion").expect("a number");
    run.potions[1] = fairy.0;
    if seed == BARE {
        // Nothing but curses: who falls has nothing to let go of.
        let regret: CardNo = rulebook.tables.cards.find("regret").expect("card");
        run.deck = vec![DeckCard { id: regret.0, up: 0, bottled: false, grown: 0 }];
    }
}

/// The seed whose player has a deck without attacks, skills and powers.
const BARE: u64 = 39;

#[test]
fn every_option_of_every_event_can_be_taken() {
    let game = climb();
    let rulebook = &game.rulebook;
    let mut missing = Vec::new();
    for number in 0..rulebook.tables.events.len() as u16 {
        let event = EventNo(number);
        let script = game.journey().event(event).expect("an event");
        for (n, node) in script.nodes.iter().enumerate() {
            for (o, option) in node.options.iter().enumerate() {
                let taken = (0..40).any(|seed| try_option(&game, event, n as u8, o as u8, seed).is_some());
                if !taken {
                    missing.push(format!("{}: {}", script.name, option.id));
                }
                assert!(option.then == END || usize::from(option.then) < script.nodes.len());
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_run_is_one_log_that_can_be_undone() {
    let game = climb();
    let mut run: Match<Spire> = Match::new(Arc::clone(&game), setup("ironclad", 0), 11).expect("start");
    let mut chooser = Chooser(3);
    let mut states = vec![run.state().clone()];
    for _ in 0..60 {
        let inputs = run.position().inputs(&*game);
        if inputs.is_empty() {
            break;
        }
        run.act(inputs[chooser.below(inputs.len())].clone()).expect("a legal action");
        states.push(run.state().clone());
    }
    let fights = run.log().filter(|e| {
        matches!(e.fact.event(), Some(turnstone_spire::Event::Run(event)) if matches!(**event, Event::FightBegan { .. }))
    });
    assert!(fights.count() >= 1);
    while let Some(state) = states.pop() {
        assert_eq!(*run.state(), state);
        run.undo();
    }
}

/// A curse that comes back to the hand, that may be played and that costs nothing: the original would go on for ever.
#[test]
fn a_card_that_comes_back_for_nothing_ends_no_turn_and_no_fight_with_it() {
    let relics = "blue_candle,tungsten_rod,necronomicon";
    let wishes =
        [("relics", relics), ("deck", "necronomicurse")].map(|(key, value)| (key.into(), value.into()));
    let opening = Opening {
        setup: Some("fight:jaw_worm".into()),
        wishes: wishes.into(),
        seed: 1,
        ..Opening::default()
    };
    let (game, setup) = Spire::open_table(&opening).expect("a fight");
    let mut position = Position::<Spire>::new(game.start(&setup, 1).expect("it starts"));
    let (mut resolver, mut offers) = (Resolver::default(), Offers::default());
    let (mut most, mut bot) = (0, crate::players::heuristic());
    let mut curse = |position: &mut Position<Spire>, curses: bool, moment: u32| {
        let inputs = offers.list(&*game, position).to_vec();
        let plays =
            |input: &&_| matches!(input, Input::Act(Deed::Fight(turnstone_spire::Action::Play { .. })));
        let curse = inputs.iter().find(plays).filter(|_| curses).cloned();
        let chosen = curse.unwrap_or_else(|| inputs[bot.choose(&game, position, &inputs, moment)].clone());
        resolver.act(&*game, position, &chosen, &mut Off).expect("it was offered");
        most = most.max(position.state().combat.counts.cards_played);
    };
    // Whoever plays it whenever he can comes to the end of his turn.
    (0..600).for_each(|moment| curse(&mut position, true, moment));
    assert!(position.state().combat.counts.turn >= 2);
    // And the simple player does not even try for long.
    let mut inputs = 0;
    while game.outcome(position.state()).is_none() && inputs < 20_000 {
        curse(&mut position, false, inputs);
        inputs += 1;
    }
    assert!(game.outcome(position.state()).is_some(), "{inputs} inputs");
    assert_eq!(most, 250);
}

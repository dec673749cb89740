//! Whole runs around fights of a single blow: the tower's own rules, without those of combat.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use turnstone::{
    Game, Input, Match, Never, NotesOf, Off, Outcome, Position, ProposalsOf, Rejection, Resolver, Seat, Seen,
    Settled, Told,
};
use turnstone_spire::run::effect::{Action, Effect, Ending, Event, Question};
use turnstone_spire::run::script::END;
use turnstone_spire::run::tower::{End, EventScreen, Screen, State};
use turnstone_spire::run::{Arena, Challenge, Climb, Of, Rulebook, Setup};
use turnstone_spire::seeds::{CardNo, EventNo, PotionNo, RelicNo, Streams};
use turnstone_spire::state::{self, Body, DeckCard, NONE, OwnedRelic, Stage};
use turnstone_spire::{Fight, Ruleset, Spire};
use turnstone_testkit::{Plan, prove};

const CHARACTERS: [&str; 4] = ["ironclad", "silent", "defect", "watcher"];

/// A fight that is over after one blow, which costs as much as one likes.
struct Brawl;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Blow(i16);

impl Game for Brawl {
    type Setup = ();
    type State = state::State;
    type Action = Blow;
    type Effect = Of<Effect, Blow>;
    type Event = Of<Event, Blow>;
    type Listener = Of<RelicNo, ()>;
    type Question = Of<Question, Never>;
    type Answer = ();
    type Reason = turnstone_spire::rules::reasons::Reason;

    fn start(&self, (): &(), _: u64) -> Result<state::State, Rejection> {
        Ok(state::State::default())
    }

    fn check(&self, s: &state::State, blow: &Blow) -> Result<(), Rejection> {
        let mut legal = Vec::new();
        self.legal(s, &mut legal);
        if legal.contains(blow) { Ok(()) } else { Err(Rejection::new("NO_SUCH_BLOW", "0, 3 or 12")) }
    }

    fn open(&self, _: &state::State, blow: &Blow, out: &mut ProposalsOf<Self>) {
        out.last(Of::Fight(*blow));
    }

    fn settle(
        &self,
        _: &state::State,
        effect: &Of<Effect, Blow>,
        _: &mut NotesOf<Self>,
    ) -> Settled<Of<Event, Blow>, Of<Question, Never>> {
        match effect {
            Of::Fight(blow) => Settled::Event(Of::Fight(*blow)),
            Of::Run(_) => Settled::Stale,
        }
    }

    fn apply(&self, s: &mut state::State, event: &Of<Event, Blow>) {
        let Of::Fight(blow) = event else { return };
        s.run.hp = (s.run.hp - blow.0).max(0);
        s.combat.stage = if s.run.hp > 0 { Stage::Won } else { Stage::Lost };
    }

    fn legal(&self, s: &state::State, out: &mut Vec<Blow>) {
        if s.combat.stage == Stage::Player {
            out.extend([Blow(0), Blow(3), Blow(12)]);
        }
    }

    fn actor(&self, _: &state::State) -> Option<Seat> {
        Some(0)
    }

    fn outcome(&self, _: &state::State) -> Option<Outcome> {
        None
    }
}

impl Seen for Brawl {}

impl Told for Brawl {}

impl Arena for Brawl {
    fn beginner(&self, setup: &Setup, seed: u64, rulebook: &Rulebook) -> state::Run {
        let character = rulebook.tables.characters.find(&setup.character).expect("a character");
        let own = rulebook.tables.of(character);
        let hp = own.max_hp(setup.ascension) as i16;
        state::Run {
            seed,
            ascension: setup.ascension,
            act: 1,
            hp,
            max_hp: hp,
            gold: 99,
            potion_slots: 3,
            potions: vec![NONE; 3],
            deck: own
                .starter_deck
                .iter()
                .map(|c| DeckCard { id: c.0, up: 0, bottled: false, grown: 0 })
                .collect(),
            relics: vec![OwnedRelic { id: own.starter_relic().0, counter: 0 }],
            ..state::Run::default()
        }
    }

    fn lone_fight(&self, _: &Fight, _: u64) -> Result<state::State, Rejection> {
        Err(Rejection::new("NO_LONE_FIGHTS", "brawls are fought in runs"))
    }

    fn prepare(&self, s: &mut state::State, _: Challenge, _: &Streams) {
        s.combat.stage = Stage::Player;
        s.combat.bodies.push(Body::new(0, s.run.hp));
    }

    fn begin(&self, _: &state::State, _: Challenge, _: &mut ProposalsOf<Self>) {}

    fn ending(&self, s: &state::State) -> Option<Ending> {
        match s.combat.stage {
            Stage::Won => Some(Ending::Won),
            Stage::Lost => Some(Ending::Lost),
            _ => None,
        }
    }

    fn stolen(&self, _: &state::State) -> i32 {
        0
    }

    fn leave(&self, s: &mut state::State) {
        s.combat = state::Combat::default();
    }

    fn wear(&self, _: &mut state::Run, _: u16, _: bool) {}
}

fn climb() -> Arc<Climb<Brawl>> {
    let spire = Spire::builtin(Ruleset::Classic).expect("content");
    let rulebook = Rulebook::new(&spire).expect("rulebook");
    Arc::new(Climb { arena: Brawl, rulebook })
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

type Inputs = Vec<Input<Of<Action, Blow>, Of<u16, ()>>>;

fn inputs(game: &Climb<Brawl>, position: &Position<Climb<Brawl>>) -> Inputs {
    match position.pending() {
        Some(pending) => {
            let mut answers = Vec::new();
            game.answers(position.state(), &pending.question, &mut answers);
            answers.into_iter().map(Input::Choose).collect()
        }
        None => {
            let mut actions = Vec::new();
            game.legal(position.state(), &mut actions);
            actions.into_iter().map(Input::Act).collect()
        }
    }
}

/// Plays a run to its end. `gentle` blows cost nothing, so that such runs go far.
fn play(game: &Climb<Brawl>, setup: &Setup, seed: u64, gentle: bool) -> State {
    let mut position = Position::new(game.start(setup, seed).expect("start"));
    let mut resolver = Resolver::default();
    let mut chooser = Chooser(seed ^ 0x5eed);
    for _ in 0..4000 {
        let mut inputs = inputs(game, &position);
        if inputs.is_empty() {
            break;
        }
        if gentle {
            inputs.retain(|i| !matches!(i, Input::Act(Of::Fight(Blow(3 | 12)))));
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
    for seed in 0..1200 {
        let setup = setup(CHARACTERS[seed as usize % 4], [0, 1, 10, 15, 20][seed as usize % 5]);
        let end = play(&game, &setup, seed, seed % 3 == 0).tower.end;
        *ends.entry(format!("{end:?}")).or_default() += 1;
    }
    assert!(ends["Some(Died)"] > 100 && ends["Some(Won)"] > 20, "{ends:?}");
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
    let mut position = Position::new(game.start(&setup("watcher", 20), 5).expect("start"));
    let mut resolver = Resolver::default();
    let mut acts = 0;
    for _ in 0..4000 {
        let inputs = inputs(&game, &position);
        let prefer = |i: &Input<Of<Action, Blow>, Of<u16, ()>>| match i {
            Input::Act(Of::Run(Action::Recall)) => 0,
            Input::Act(Of::Fight(Blow(0))) => 1,
            Input::Act(Of::Run(Action::Take(_))) => 2,
            Input::Act(Of::Run(Action::OpenChest)) => 3,
            Input::Act(Of::Run(Action::Proceed)) => 4,
            Input::Act(Of::Run(Action::Discard(_) | Action::Drink(_))) => 9,
            _ => 5,
        };
        let Some(input) = inputs.iter().min_by_key(|i| prefer(i)) else { break };
        resolver.act(&*game, &mut position, input, &mut Off).expect("a legal action");
        acts = acts.max(position.state().spire.run.act);
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
fn try_option(game: &Climb<Brawl>, event: EventNo, node: u8, option: u8, seed: u64) -> Option<State> {
    let character = CHARACTERS[seed as usize % 4];
    let mut state = game.start(&setup(character, (seed % 21) as u8), seed).expect("start");
    let rulebook = &game.rulebook;
    enrich(&mut state, rulebook, seed);
    let tower = state.tower.edit();
    let holder_detail = {
        let mut fate = tower.fate.clone();
        let probe = State {
            tower: turnstone_spire::run::tower::Shared::new(tower.clone()),
            spire: state.spire.clone(),
        };
        let detail = rulebook.with_holder(&probe, |holder| fate.enter_event(&rulebook.tables, holder, event));
        tower.fate = fate;
        detail
    };
    let relics = state.spire.run.relics.iter().take(2).map(|r| RelicNo(r.id)).collect();
    tower.screens.clear();
    tower.screens.push(Screen::Event(EventScreen {
        event,
        node,
        detail: holder_detail,
        max_hp: state.spire.run.max_hp,
        counts: [0; 3],
        relics,
        open: 0,
        tries: 5,
    }));
    let mut position = Position::new(state);
    let mut resolver = Resolver::default();
    let first = Input::Act(Of::Run(Action::Option(option)));
    resolver.act(game, &mut position, &first, &mut Off).ok()?;
    let mut chooser = Chooser(seed);
    for _ in 0..60 {
        let mut inputs = inputs(game, &position);
        inputs.retain(|i| !matches!(i, Input::Act(Of::Run(Action::Discard(_)))));
        if inputs.is_empty() || position.state().tower.screens.is_empty() {
            break;
        }
        let input = &inputs[chooser.below(inputs.len())];
        resolver.act(game, &mut position, input, &mut Off).expect("a legal action");
    }
    Some(position.state().clone())
}

fn enrich(state: &mut State, rulebook: &Rulebook, seed: u64) {
    let run = &mut state.spire.run;
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
        let script = rulebook.book.event(event).expect("script");
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
    let mut run: Match<Climb<Brawl>> =
        Match::new(Arc::clone(&game), setup("ironclad", 0), 11).expect("start");
    let mut chooser = Chooser(3);
    let mut states = vec![run.state().clone()];
    for _ in 0..60 {
        let inputs = inputs(&game, run.position());
        if inputs.is_empty() {
            break;
        }
        run.act(inputs[chooser.below(inputs.len())].clone()).expect("a legal action");
        states.push(run.state().clone());
    }
    let fights = run.log().filter(|e| matches!(e.fact.event(), Some(Of::Run(Event::FightBegan { .. }))));
    assert!(fights.count() >= 1);
    while let Some(state) = states.pop() {
        assert_eq!(*run.state(), state);
        run.undo();
    }
}

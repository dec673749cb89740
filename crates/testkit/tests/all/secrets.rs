//! The oracles of secrecy on a small game with hidden hands: an honest one passes, and of every planted leak it is
//! said exactly by what the secret got out.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::digest::{Digest, digest};
use turnstone::{
    Game, Input, InputOf, Never, NoteOf, NotesOf, Outcome, Position, ProposalsOf, Rejection, Seat, Seen,
    Settled, Told, Viewer,
};
use turnstone_host::scene::{Choice, Scene};
use turnstone_host::{Bot, Hosted, Named, Opening, Secretive, Sight};
use turnstone_testkit::secrets::{Pairs, Planted, Way, keep};

/// Where a secret slips out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leak {
    Nothing,
    /// The other hand can be seen by who looks at the position.
    Seen,
    /// The first card of the other hand can, and samples keep it.
    SeenFirst,
    View,
    /// Who has no seat sees both hands.
    Watchers,
    Scene,
    /// What may be sent depends on the other hand.
    Inputs,
    /// The same, and samples keep what it depends on: whether the first card is even.
    InputsFirst,
    Labels,
    Question,
    Errors,
    /// What is not listed is accepted if the other hand is so.
    Door,
    /// What is typed is understood if the other hand is so.
    Texts,
    News,
    Words,
    /// What was sent is told in words that depend on the other hand.
    Deeds,
    /// What was grown is told, but only after another turn.
    Later,
    /// Samples change what the seat itself holds.
    Samples,
    /// Samples are no positions of the game.
    Impossible,
    /// Samples are the truth.
    Truth,
    /// They are for who draws by other lots than a table: a bot that looks at them peeks.
    Second,
    /// Samples are always the same one.
    Still,
}

/// Two hands of four numbers below 50. In turn one shows a card, adds to one in secret, or guesses, which asks for a
/// number and does nothing.
struct Hands(Leak);

const HIGHEST: u8 = 50;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    hands: [Vec<u8>; 2],
    turn: Seat,
    guess: Option<u8>,
    /// What was grown in this turn and in the one before, kept for the leak that tells it later.
    grown: [u8; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Action {
    Show(u8),
    Grow(u8),
    Guess,
}

/// What the leak through the door lets in.
const BACK_DOOR: Action = Action::Grow(255);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Event {
    Shown { who: Seat, place: u8, card: u8 },
    Grown { who: Seat, place: u8, card: u8 },
    Guessed { who: Seat },
}

fn other(seat: Seat) -> usize {
    usize::from(1 - seat.min(1))
}

impl Hands {
    /// Something about the hand of who is not to act.
    fn omen(&self, state: &State) -> bool {
        state.hands[other(state.turn)].first().is_some_and(|card| card % 2 == 0)
    }

    /// A card of a sample instead of that one. What hangs on it in this game is not given away by samples.
    fn drawn(&self, (place, card): (usize, u8), is_its_turn: bool, lots: &mut Lots) -> u8 {
        let drawn = lots.below(HIGHEST.into()) as u8;
        match self.0 {
            Leak::SeenFirst if place == 0 => card,
            Leak::InputsFirst if place == 0 && is_its_turn => drawn / 2 * 2 + card % 2,
            Leak::Impossible => 2 * HIGHEST + drawn,
            Leak::Still => 1,
            _ => drawn,
        }
    }
}

impl Game for Hands {
    type Setup = ();
    type State = State;
    type Action = Action;
    type Effect = Action;
    type Event = Event;
    type Listener = Never;
    type Question = u8;
    type Answer = u8;
    type Reason = Never;

    fn start(&self, _setup: &(), seed: u64) -> Result<State, Rejection> {
        let mut lots = Lots::new(seed, Stream::named("hands"));
        let mut hand = || (0..4).map(|_| lots.below(HIGHEST.into()) as u8).collect();
        Ok(State { hands: [hand(), hand()], turn: 0, guess: None, grown: [0; 2] })
    }

    fn validate(&self, state: &State) -> Result<(), Rejection> {
        if state.hands.iter().flatten().all(|card| *card < 2 * HIGHEST) {
            return Ok(());
        }
        Err(Rejection::new("BAD_CARD", "no card is so high"))
    }

    fn check(&self, state: &State, action: &Action) -> Result<(), Rejection> {
        let mut legal = Vec::new();
        self.legal(state, &mut legal);
        let told = if self.0 == Leak::Errors {
            state.hands[other(state.turn)].first().copied().unwrap_or(0)
        } else {
            0
        };
        let lets_in = self.0 == Leak::Door && *action == BACK_DOOR && self.omen(state);
        if legal.contains(action) || lets_in {
            Ok(())
        } else {
            Err(Rejection::new("NO", format!("no such card {told}")))
        }
    }

    fn open(&self, _state: &State, action: &Action, out: &mut ProposalsOf<Self>) {
        out.last(*action);
    }

    fn settle(&self, state: &State, effect: &Action, _: &mut NotesOf<Self>) -> Settled<Event, u8> {
        let who = state.turn;
        let card = |place: u8| state.hands[usize::from(who)].get(usize::from(place)).copied();
        let event = match *effect {
            Action::Show(place) => card(place).map(|card| Event::Shown { who, place, card }),
            Action::Grow(place) => {
                card(place).map(|card| Event::Grown { who, place, card: card.saturating_add(1) })
            }
            Action::Guess if state.guess.is_none() => {
                let told = if self.0 == Leak::Question { state.hands[other(who)][0] } else { 0 };
                return Settled::Ask(who, told);
            }
            Action::Guess => Some(Event::Guessed { who }),
        };
        event.map_or(Settled::Stale, Settled::Event)
    }

    fn apply(&self, state: &mut State, event: &Event) {
        match *event {
            Event::Shown { who, place, .. } => {
                state.hands[usize::from(who)].remove(usize::from(place));
            }
            Event::Grown { who, place, card } => state.hands[usize::from(who)][usize::from(place)] = card,
            Event::Guessed { .. } => state.guess = None,
        }
        state.turn = 1 - state.turn;
        if self.0 == Leak::Later {
            let now = if let Event::Grown { card, .. } = *event { card } else { 0 };
            state.grown = [now, state.grown[0]];
        }
    }

    fn legal(&self, state: &State, out: &mut Vec<Action>) {
        let own = state.hands[usize::from(state.turn)].len() as u8;
        let peeks = matches!(self.0, Leak::Inputs | Leak::InputsFirst) && self.omen(state);
        if self.outcome(state).is_none() {
            out.extend((0..own).map(Action::Show));
            out.extend((0..own).filter(|_| !peeks).map(Action::Grow));
            out.push(Action::Guess);
        }
    }

    fn answers(&self, _state: &State, _question: &u8, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }

    fn apply_answer(&self, state: &mut State, _question: &u8, answer: &u8) {
        state.guess = Some(*answer);
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        self.outcome(state).is_none().then_some(state.turn)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.hands.iter().any(Vec::is_empty).then_some(Outcome::Drawn)
    }
}

impl Seen for Hands {
    fn hides(&self, _state: &State, viewer: Viewer) -> bool {
        viewer != Viewer::All
    }

    fn view(&self, state: &State, viewer: Viewer) -> Value {
        let hand = |seat: Seat| {
            let watched = viewer == Viewer::Spectator && self.0 == Leak::Watchers;
            let open = viewer.may_see(seat) || self.0 == Leak::View || watched;
            let cards = state.hands[usize::from(seat)].iter();
            cards.map(|card| open.then_some(*card)).collect::<Vec<_>>()
        };
        json!({ "hands": [hand(0), hand(1)], "turn": state.turn })
    }

    fn redact(&self, _before: &State, _after: &State, event: &Event, viewer: Viewer) -> Option<Event> {
        match *event {
            Event::Grown { who, place, .. } if !viewer.may_see(who) && self.0 != Leak::News => {
                Some(Event::Grown { who, place, card: 0 })
            }
            event => Some(event),
        }
    }
}

impl Told for Hands {
    fn tell(&self, state: &State, event: &Event, _: &[&NoteOf<Self>]) -> String {
        let told = if self.0 == Leak::Words { format!("{:?}", state.hands) } else { String::new() };
        format!("{event:?}{told}")
    }

    fn tell_action(&self, state: &State, action: &Action) -> String {
        let told = if self.0 == Leak::Deeds { format!("{:?}", state.hands) } else { String::new() };
        format!("{action:?}{told}")
    }
}

impl Secretive for Hands {
    fn seen<'p>(&self, position: &'p Position<Self>, seat: Seat) -> Cow<'p, Position<Self>> {
        let mut state = position.state().clone();
        let hidden = match self.0 {
            Leak::Seen => 4,
            Leak::SeenFirst => 1,
            _ => 0,
        };
        state.hands[other(seat)].iter_mut().skip(hidden).for_each(|card| *card = 0);
        state.grown = [0; 2];
        Cow::Owned(position.with_state(state))
    }

    fn sample(&self, position: &Position<Self>, seat: Seat, lots: &mut Lots) -> Position<Self> {
        let mut state = position.state().clone();
        let by_a_table = || *lots == Lots::new(7, Stream::named("what if"));
        if self.0 == Leak::Truth || self.0 == Leak::Second && !by_a_table() {
            return position.with_state(state);
        }
        let hand = if self.0 == Leak::Samples { usize::from(seat) } else { other(seat) };
        for (place, card) in state.hands[hand].iter_mut().enumerate() {
            *card = self.drawn((place, *card), state.turn == seat, lots);
        }
        state.grown = [0; 2];
        position.with_state(state)
    }

    fn secrets() -> Vec<&'static str> {
        vec!["hand"]
    }

    fn vary(
        &self,
        position: &Position<Self>,
        seat: Seat,
        _: usize,
        lots: &mut Lots,
    ) -> Option<Position<Self>> {
        let mut state = position.state().clone();
        let hand = &mut state.hands[other(seat)];
        let place = lots.index(hand.len())?;
        hand[place] = lots.below(HIGHEST.into()) as u8;
        (state != *position.state()).then(|| position.with_state(state))
    }

    /// A card that is shown is known from then on.
    fn reveals(&self, event: &Event) -> bool {
        matches!(event, Event::Shown { .. })
    }
}

/// Plays by its own hand, its lots and a sample of the other.
struct Honest;

impl Bot<Hands> for Honest {
    fn choose(&mut self, sight: &Sight<'_, Hands>, lots: &mut Lots) -> usize {
        let sample = sight.sample(lots);
        let worth: usize = sample.state().hands.iter().flatten().map(|card| usize::from(*card)).sum();
        worth % sight.inputs().len()
    }
}

impl Hosted for Hands {
    const NAME: &'static str = "hands";
    const ABOUT: &'static str = "Two hidden hands. For tests.";

    fn open_table(_: &Opening) -> Result<(Arc<Self>, ()), Rejection> {
        Ok((Arc::new(Hands(Leak::Nothing)), ()))
    }
    fn rulesets() -> Vec<Named> {
        vec![Named::new("plain", "The only rules there are.")]
    }
    fn setups() -> Vec<Named> {
        vec![Named::new("deal", "Four cards each.")]
    }
    fn ruleset(&self) -> Value {
        Value::Null
    }
    fn content(&self) -> Digest {
        digest("hands")
    }
    fn seats(&self, _state: &State) -> Vec<String> {
        vec!["Ada".to_owned(), "Bob".to_owned()]
    }
    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], viewer: Viewer) -> Scene {
        let state = position.state();
        let label = |input: &InputOf<Self>| match (self.0, input) {
            (Leak::Labels, Input::Act(action)) => format!("{action:?} {:?}", state.hands),
            (_, input) => format!("{input:?}"),
        };
        let title = match self.0 {
            Leak::Scene => format!("{:?}", state.hands),
            Leak::Later => state.grown[1].to_string(),
            _ => format!("{viewer:?}"),
        };
        let options =
            inputs.iter().map(|input| Choice { label: label(input), ..Choice::default() }).collect();
        Scene { title, options, ..Scene::default() }
    }
    fn bots() -> Vec<Named> {
        vec![Named::new("honest", "Plays by what it knows.")]
    }
    fn bot(name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
        (name == "honest").then(|| Box::new(Honest) as Box<dyn Bot<Self>>)
    }
    fn parse_input(&self, position: &Position<Self>, text: &str) -> Option<InputOf<Self>> {
        let understood = text == "draw" && self.0 == Leak::Texts && self.omen(position.state());
        (understood && position.pending().is_none()).then_some(Input::Act(Action::Guess))
    }
}

fn tried(leak: Leak, bots: &[&str]) -> Result<Vec<(&'static str, usize)>, String> {
    keep(&Arc::new(Hands(leak)), |_| (), bots, Pairs { pairs: 120, ..Pairs::default() })
}

#[test]
fn an_honest_game_keeps_its_secrets_in_more_than_a_hundred_pairs() {
    let counts = tried(Leak::Nothing, &["honest"]).unwrap_or_else(|leak| panic!("{leak}"));
    assert!(counts[0].1 >= 100, "{counts:?}");
}

#[test]
fn a_bot_that_there_is_not_is_no_bot_that_does_not_peek() {
    let told = tried(Leak::Nothing, &["nobody"]).expect_err("nobody was blindfolded");
    assert!(told.contains("UNKNOWN_BOT"), "{told}");
}

#[test]
fn no_searcher_peeks() {
    let bots = ["flat:60", "ismcts:40", "mo-ismcts:40", "alphabeta:200", "beam:60"];
    tried(Leak::Nothing, &bots).unwrap_or_else(|leak| panic!("{leak}"));
    let told = tried(Leak::Second, &["ismcts:40"]).expect_err("samples that are the truth go unnoticed");
    assert!(told.contains("peeks") || told.contains("vary"), "{told}");
}

/// By what each leak is noticed: all of it, in this order, so that nothing is compared in vain.
#[test]
fn every_planted_leak_is_caught_by_exactly_this() {
    for (leak, words) in [
        (Leak::Seen, "a sample for seat 0 does not look like the true position"),
        (Leak::SeenFirst, "learns the hand: by seen:"),
        (Leak::View, "learns the hand: by greeting, view, spectators' view:"),
        (Leak::Scene, "learns the hand: by scene, spectators' scene:"),
        (Leak::Watchers, "learns the hand: by spectators' view:"),
        (Leak::Inputs, "by answer, scene, inputs:"),
        (Leak::InputsFirst, "by answer, scene, inputs:"),
        (Leak::Labels, "learns the hand: by greeting, scene:"),
        (Leak::Question, "by answer, question, log, explanation:"),
        (Leak::Errors, "by answer:"),
        (Leak::Door, "is accepted"),
        (Leak::Texts, "by whether \"draw\" is accepted"),
        (
            Leak::News,
            "by answer, log, branches, explanation, spectators' log, spectators' branches, spectators' explanation:",
        ),
        (Leak::Words, "by explanation, spectators' branches, spectators' explanation:"),
        (Leak::Deeds, "by branches, explanation:"),
        (Leak::Later, "by scene, spectators' scene:"),
        (Leak::Samples, "does not look like the true position"),
        (Leak::Impossible, "is impossible: [BAD_CARD]"),
    ] {
        let told = tried(leak, &[]).expect_err(&format!("{leak:?} goes unnoticed"));
        assert!(told.contains(words), "{leak:?}: {told}");
    }
}

#[test]
fn a_sample_that_offers_other_inputs_is_caught() {
    // What the leak makes of pairs is caught, too: which comes first is by lot.
    let tried = |seed| keep(&Arc::new(Hands(Leak::Inputs)), |_| (), &[], Pairs { seed, ..Pairs::default() });
    let told: Vec<String> = (1..9).filter_map(|seed| tried(seed).err()).collect();
    assert_eq!(told.len(), 8);
    assert!(told.iter().any(|told| told.contains("offers other inputs")), "{told:?}");
}

#[test]
fn a_peeking_bot_and_samples_that_do_not_vary_are_caught() {
    let told = tried(Leak::Second, &["honest"]).expect_err("the bot peeks unnoticed");
    assert!(told.contains("peeks"), "{told}");
    let told = tried(Leak::Truth, &[]).expect_err("samples may be the truth unnoticed");
    assert!(told.contains("by what-ifs:"), "{told}");
    let told = tried(Leak::Still, &[]).expect_err("samples never vary unnoticed");
    assert!(told.contains("vary"), "{told}");
}

#[test]
fn a_secret_that_slips_out_of_a_table_is_noticed_by_the_way_it_takes() {
    for (way, words) in [
        (Way::Scene, "by scene, spectators' scene:"),
        (Way::Label, "by greeting, scene:"),
        (Way::News, "by answer:"),
        (Way::Error, "by answer:"),
        (Way::Bot, "the bot that was planted peeks"),
    ] {
        let planted = |secret| Some(Planted { secret, way });
        let tried = |planted| {
            keep(&Arc::new(Hands(Leak::Nothing)), |_| (), &[], Pairs { planted, ..Pairs::default() })
        };
        let told = tried(planted("hand")).expect_err(&format!("{way:?} goes unnoticed"));
        assert!(told.contains("learns the hand: ") && told.contains(words), "{way:?}: {told}");
        tried(planted("nothing of the kind")).unwrap_or_else(|leak| panic!("{leak}"));
    }
}

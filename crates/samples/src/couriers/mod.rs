//! Couriers: hidden hands, questions to the other seat, and what hangs on what while they wait.
//! `cargo run -p turnstone-samples --example samples couriers`
//!
//! Two houses hold five letters each, worth 1 to 9, which the other may not know. In your turn you send a letter by
//! courier, or give one away to build a post. A letter that crosses is paid its worth, and when all is quiet you
//! feast for one coin more. The other house is asked first whether it lays an **ambush** with a letter of its own: a
//! higher one robs the courier. Its **beacon** lights the road (equal letters rob, too) and puts an end to the feast;
//! its **toll** stops the courier, and it takes three coins or, unseen, what the courier carries. Your **inn** adds
//! one to whatever you are paid, and consoles you when you are robbed. When no letter is left the richer house wins.
//!
//! What is peculiar to the engine: the payment is *contingent* on the crossing, which may be replaced while a
//! question waits; the beacon's *withdrawal* of the feast rides with an effect that asks; what the courier carries
//! is known to one seat while the other must answer. So nothing that waits names a letter: it lies in the state, and
//! is read when its time has come.

#![allow(missing_docs)] // the names say it all

mod sight;
mod table;

use serde::{Deserialize, Serialize};
use turnstone::dice::{Dice, Draw, Stream};
use turnstone::{
    Expanded, Game, ListenersOf, NoteOf, NotesOf, Outcome, ProposalsOf, Rejection, Seat, Settled, Told,
    Verdict,
};

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct Couriers;

/// What a letter is worth, 1 to 9; 0 for one that one may not know.
pub type Letter = u8;

/// What a house can build. The order is the order of the listeners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Post {
    Toll,
    Beacon,
    Inn,
}

/// One house.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct House {
    letters: Vec<Letter>,
    posts: Vec<Post>,
    coins: i32,
}

/// Everything that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    houses: [House; 2],
    turn: Seat,
    /// What the courier carries: only who sent him knows.
    sent: Option<Letter>,
    /// What lies in ambush: only who laid it knows.
    ambush: Option<Letter>,
    lit: bool,
    answer: Option<Answer>,
}

/// What a player declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Send(Letter),
    Build(Post, Letter),
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    Dispatch {
        who: Seat,
        letter: Letter,
    },
    Build {
        who: Seat,
        post: Post,
        letter: Letter,
    },
    /// The other house hears of the courier, and may lay an ambush.
    Watch {
        who: Seat,
        lit: bool,
    },
    Cross {
        who: Seat,
    },
    Rob {
        who: Seat,
    },
    /// The toll of the other house takes its due.
    Levy {
        who: Seat,
    },
    /// The letter that crossed is paid.
    Deliver {
        who: Seat,
    },
    Pay {
        who: Seat,
        coins: i32,
    },
    /// The beacon has burnt down.
    Dim {
        owner: Seat,
    },
    Feast {
        who: Seat,
    },
    EndTurn,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Dispatched {
        who: Seat,
        letter: Letter,
    },
    Built {
        who: Seat,
        post: Post,
        letter: Letter,
    },
    Watched {
        who: Seat,
        ambush: Option<Letter>,
        lit: bool,
    },
    Crossed {
        who: Seat,
    },
    Robbed {
        who: Seat,
        letter: Letter,
        by: Letter,
    },
    /// So many coins went to the toll; for the letter itself its worth did.
    Levied {
        who: Seat,
        coins: i32,
        letter: Option<Letter>,
    },
    Paid {
        who: Seat,
        coins: i32,
    },
    Dimmed {
        owner: Seat,
    },
    TurnEnded,
}

/// A post, or the ambush of that house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Listener {
    Post(Seat, Post),
    Ambush(Seat),
}

/// What the other house is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    LayAmbush,
    TakeToll,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    LetPass,
    Lay(Letter),
    Coins,
    Goods,
}

/// Who makes or changes a number of coins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Letter,
    Feast,
    Consolation,
    Inn,
}

const DEAL: Stream = Stream::named("deal");
const LETTERS: usize = 5;
pub(crate) const HIGHEST: Letter = 9;
const TOLL: i32 = 3;
const POSTS: [Post; 3] = [Post::Toll, Post::Beacon, Post::Inn];

impl Effect {
    /// Whether it can wait while the other house is asked about the courier of `turn`.
    fn waits(&self, turn: Seat) -> bool {
        match *self {
            Effect::Watch { who, .. }
            | Effect::Cross { who }
            | Effect::Levy { who }
            | Effect::Deliver { who }
            | Effect::Feast { who } => who == turn,
            Effect::Dim { owner } => owner == 1 - turn,
            Effect::EndTurn => true,
            Effect::Dispatch { .. } | Effect::Build { .. } | Effect::Rob { .. } | Effect::Pay { .. } => false,
        }
    }
}

impl State {
    fn house(&self, who: Seat) -> &House {
        &self.houses[usize::from(who)]
    }

    fn listen(&self, owner: Seat, post: Post, heard: &mut ListenersOf<Couriers>) {
        if self.house(owner).posts.contains(&post) {
            heard.push(post as i32, Listener::Post(owner, post));
        }
    }

    /// Whether what lies in ambush would rob the courier.
    fn robs(&self) -> bool {
        match (self.ambush, self.sent) {
            (Some(ambush), Some(sent)) => ambush > sent || self.lit && ambush == sent,
            _ => false,
        }
    }

    fn is_over(&self) -> bool {
        self.houses.iter().all(|house| house.letters.is_empty())
    }
}

fn remove<T: PartialEq>(list: &mut Vec<T>, item: &T) {
    if let Some(at) = list.iter().position(|other| other == item) {
        list.remove(at);
    }
}

/// A payment whose reason is known now and to nobody later.
fn pay(out: &mut ProposalsOf<Couriers>, who: Seat, coins: i32, reason: Reason) {
    let mut why = out.notes().sheet();
    why.made(reason, coins);
    let slot = out.first(Effect::Pay { who, coins });
    out.because(slot, why);
}

impl Game for Couriers {
    type Setup = ();
    type State = State;
    type Action = Action;
    type Effect = Effect;
    type Event = Event;
    type Listener = Listener;
    type Question = Question;
    type Answer = Answer;
    type Reason = Reason;

    fn start(&self, _setup: &(), seed: u64) -> Result<State, Rejection> {
        let mut dice = Dice::new(seed, DEAL, 0);
        let mut deal = || {
            let letters = (0..LETTERS).map(|_| dice.between(1, HIGHEST.into()) as Letter);
            House { letters: letters.collect(), ..House::default() }
        };
        Ok(State { houses: [deal(), deal()], ..State::default() })
    }

    fn validate(&self, state: &State) -> Result<(), Rejection> {
        let letters = |house: &House| {
            house.letters.len() <= LETTERS
                && house.letters.iter().all(|letter| (1..=HIGHEST).contains(letter))
        };
        let under_way =
            [state.sent, state.ambush].iter().flatten().all(|letter| (1..=HIGHEST).contains(letter));
        let coins = state.houses.iter().all(|house| house.coins.abs() <= 1000);
        if state.turn < 2 && under_way && coins && state.houses.iter().all(letters) {
            return Ok(());
        }
        Err(Rejection::new("BAD_HOUSE", "two houses hold at most five letters each, worth 1 to 9"))
    }

    fn validate_waiting(
        &self,
        state: &State,
        (asked, _): (Seat, &Question),
        waiting: &[&Effect],
    ) -> Result<(), Rejection> {
        let turn = state.turn;
        if state.sent.is_some() && asked == 1 - turn && waiting.iter().all(|effect| effect.waits(turn)) {
            return Ok(());
        }
        Err(Rejection::new("BAD_QUESTION", "what waits is not about the courier under way"))
    }

    fn check(&self, state: &State, action: &Action) -> Result<(), Rejection> {
        let house = state.house(state.turn);
        let (Action::Send(letter) | Action::Build(_, letter)) = action;
        if !house.letters.contains(letter) {
            return Err(Rejection::new("NO_SUCH_LETTER", "you do not hold that letter"));
        }
        match action {
            Action::Build(post, _) if house.posts.contains(post) => {
                Err(Rejection::new("POST_STANDS", "that post stands already"))
            }
            Action::Build(..) | Action::Send(_) => Ok(()),
        }
    }

    fn open(&self, state: &State, action: &Action, out: &mut ProposalsOf<Self>) {
        let who = state.turn;
        match *action {
            Action::Build(post, letter) => _ = out.last(Effect::Build { who, post, letter }),
            Action::Send(letter) => {
                out.last(Effect::Dispatch { who, letter });
                out.last(Effect::Watch { who, lit: false });
                let crossing = out.last(Effect::Cross { who });
                out.last_if(crossing, Effect::Deliver { who });
                out.agenda(Effect::Feast { who });
            }
        }
        out.agenda(Effect::EndTurn);
    }

    fn expand(&self, state: &State, effect: &Effect, out: &mut ProposalsOf<Self>) -> Expanded<Effect> {
        match *effect {
            Effect::Deliver { who } => {
                let coins = state.sent.map_or(0, i32::from);
                out.notes().made(Reason::Letter, coins);
                Expanded::To(Effect::Pay { who, coins })
            }
            Effect::Feast { who } => {
                pay(out, who, 1, Reason::Feast);
                Expanded::Into
            }
            _ => Expanded::Keep,
        }
    }

    fn before_listeners(&self, state: &State, effect: &Effect, heard: &mut ListenersOf<Self>) {
        match *effect {
            Effect::Watch { who, .. } => state.listen(1 - who, Post::Beacon, heard),
            Effect::Cross { who } => {
                state.listen(1 - who, Post::Toll, heard);
                if state.ambush.is_some() {
                    heard.push(POSTS.len() as i32, Listener::Ambush(1 - who));
                }
            }
            Effect::Pay { who, .. } => state.listen(who, Post::Inn, heard),
            _ => {}
        }
    }

    fn before(
        &self,
        listener: Listener,
        state: &State,
        effect: &mut Effect,
        out: &mut ProposalsOf<Self>,
    ) -> Verdict {
        match (listener, effect) {
            // What it takes off the agenda, and its own end, ride with the courier's coming: both wait for the answer.
            (Listener::Post(owner, Post::Beacon), Effect::Watch { who, lit }) => {
                *lit = true;
                out.withdraw(Effect::Feast { who: *who });
                out.last(Effect::Dim { owner });
                Verdict::Altered
            }
            // The crossing is no more, whatever the toll takes: who is to be paid for it waits in vain.
            (Listener::Post(_, Post::Toll), Effect::Cross { who }) => {
                out.first(Effect::Levy { who: *who });
                Verdict::Replaced
            }
            (Listener::Ambush(_), Effect::Cross { who }) if state.robs() => {
                out.first(Effect::Rob { who: *who });
                Verdict::Replaced
            }
            (Listener::Post(_, Post::Inn), Effect::Pay { coins, .. }) => {
                out.notes().changed(Reason::Inn, *coins, *coins + 1);
                *coins += 1;
                Verdict::Altered
            }
            _ => Verdict::Pass,
        }
    }

    fn settle(&self, state: &State, effect: &Effect, _: &mut NotesOf<Self>) -> Settled<Event, Question> {
        let sent = state.sent.unwrap_or_default();
        Settled::Event(match (*effect, state.answer) {
            (Effect::Dispatch { who, letter }, _) => Event::Dispatched { who, letter },
            (Effect::Build { who, post, letter }, _) => Event::Built { who, post, letter },
            (Effect::Watch { who, .. }, None) => return Settled::Ask(1 - who, Question::LayAmbush),
            (Effect::Watch { who, lit }, Some(Answer::Lay(letter))) => {
                Event::Watched { who, ambush: Some(letter), lit }
            }
            (Effect::Watch { who, lit }, Some(_)) => Event::Watched { who, ambush: None, lit },
            (Effect::Cross { who }, _) => Event::Crossed { who },
            (Effect::Rob { who }, _) => {
                Event::Robbed { who, letter: sent, by: state.ambush.unwrap_or_default() }
            }
            (Effect::Levy { who }, None) => return Settled::Ask(1 - who, Question::TakeToll),
            (Effect::Levy { who }, Some(Answer::Goods)) => {
                Event::Levied { who, coins: sent.into(), letter: Some(sent) }
            }
            (Effect::Levy { who }, Some(_)) => Event::Levied { who, coins: TOLL, letter: None },
            (Effect::Pay { who, coins }, _) => Event::Paid { who, coins },
            (Effect::Dim { owner }, _) => Event::Dimmed { owner },
            // They stand for payments.
            (Effect::Deliver { .. } | Effect::Feast { .. }, _) => return Settled::Stale,
            (Effect::EndTurn, _) => Event::TurnEnded,
        })
    }

    fn apply(&self, state: &mut State, event: &Event) {
        let houses = &mut state.houses;
        match *event {
            Event::Dispatched { who, letter } => {
                remove(&mut houses[usize::from(who)].letters, &letter);
                state.sent = Some(letter);
            }
            Event::Built { who, post, letter } => {
                remove(&mut houses[usize::from(who)].letters, &letter);
                houses[usize::from(who)].posts.push(post);
            }
            Event::Watched { who, ambush, lit } => {
                if let Some(letter) = ambush {
                    remove(&mut houses[usize::from(1 - who)].letters, &letter);
                }
                (state.ambush, state.lit, state.answer) = (ambush, lit, None);
            }
            Event::Crossed { .. } | Event::Robbed { .. } => {}
            Event::Levied { who, coins, letter } => {
                houses[usize::from(1 - who)].coins += coins;
                if letter.is_none() {
                    houses[usize::from(who)].coins -= coins;
                }
                remove(&mut houses[usize::from(1 - who)].posts, &Post::Toll);
                state.answer = None;
            }
            Event::Paid { who, coins } => houses[usize::from(who)].coins += coins,
            Event::Dimmed { owner } => remove(&mut houses[usize::from(owner)].posts, &Post::Beacon),
            Event::TurnEnded => {
                // Who has nothing to send is passed over.
                let next = 1 - state.turn;
                state.turn = if state.house(next).letters.is_empty() { state.turn } else { next };
                (state.sent, state.ambush, state.lit) = (None, None, false);
            }
        }
    }

    fn after_listeners(&self, state: &State, event: &Event, heard: &mut ListenersOf<Self>) {
        if let Event::Robbed { who, .. } = *event {
            state.listen(who, Post::Inn, heard);
        }
    }

    fn after(&self, _listener: Listener, _state: &State, event: &Event, out: &mut ProposalsOf<Self>) {
        if let Event::Robbed { who, .. } = *event {
            pay(out, who, 1, Reason::Consolation);
        }
    }

    fn legal(&self, state: &State, out: &mut Vec<Action>) {
        let house = state.house(state.turn);
        let missing = || POSTS.into_iter().filter(|post| !house.posts.contains(post));
        for letter in (1..=HIGHEST).filter(|letter| house.letters.contains(letter)) {
            out.push(Action::Send(letter));
            out.extend(missing().map(|post| Action::Build(post, letter)));
        }
    }

    fn answers(&self, state: &State, question: &Question, out: &mut Vec<Answer>) {
        let own = &state.house(1 - state.turn).letters;
        match question {
            Question::LayAmbush => {
                out.push(Answer::LetPass);
                out.extend((1..=HIGHEST).filter(|letter| own.contains(letter)).map(Answer::Lay));
            }
            Question::TakeToll => out.extend([Answer::Coins, Answer::Goods]),
        }
    }

    fn apply_answer(&self, state: &mut State, _question: &Question, answer: &Answer) {
        state.answer = Some(*answer);
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        (!state.is_over()).then_some(state.turn)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let coins = |seat: Seat| state.house(seat).coins;
        state.is_over().then(|| match coins(0).cmp(&coins(1)) {
            std::cmp::Ordering::Greater => Outcome::Won(0),
            std::cmp::Ordering::Less => Outcome::Won(1),
            std::cmp::Ordering::Equal => Outcome::Drawn,
        })
    }
}

pub(crate) fn name(seat: Seat) -> &'static str {
    if seat == 0 { "the red house" } else { "the blue house" }
}

fn worth(letter: Letter) -> String {
    if letter == 0 { "a letter".to_owned() } else { format!("a letter worth {letter}") }
}

impl Told for Couriers {
    fn tell(&self, _state: &State, event: &Event, _: &[&NoteOf<Self>]) -> String {
        match *event {
            Event::Dispatched { who, letter } => format!("{} sends {}", name(who), worth(letter)),
            Event::Built { who, post, letter } => {
                format!("{} gives up {} and builds a {post:?}", name(who), worth(letter))
            }
            Event::Watched { who, ambush: Some(letter), .. } => {
                format!("{} lays an ambush with {}", name(1 - who), worth(letter))
            }
            Event::Watched { who, ambush: None, .. } => format!("{} lets the courier pass", name(1 - who)),
            Event::Crossed { who } => format!("the courier of {} crosses", name(who)),
            Event::Robbed { who, letter, by } => {
                format!("the courier of {} is robbed of {letter} by {by}", name(who))
            }
            Event::Levied { who, coins, letter: None } => {
                format!("{} takes a toll of {coins} from {}", name(1 - who), name(who))
            }
            Event::Levied { who, coins, .. } => format!("{} takes the letter for {coins}", name(1 - who)),
            Event::Paid { who, coins } => format!("{} is paid {coins}", name(who)),
            Event::Dimmed { owner } => format!("the beacon of {} burns down", name(owner)),
            Event::TurnEnded => "the turn ends".to_owned(),
        }
    }

    fn is_quiet(&self, event: &Event) -> bool {
        *event == Event::TurnEnded
    }

    fn tell_action(&self, _state: &State, action: &Action) -> String {
        match action {
            Action::Send(letter) => format!("send {letter}"),
            Action::Build(post, letter) => format!("build {post:?} for {letter}"),
        }
    }

    fn tell_question(&self, _state: &State, question: &Question) -> String {
        match question {
            Question::LayAmbush => "A courier comes. Lay an ambush?".to_owned(),
            Question::TakeToll => "Three coins, or what he carries?".to_owned(),
        }
    }

    fn tell_answer(&self, _state: &State, _question: &Question, answer: &Answer) -> String {
        match answer {
            Answer::LetPass => "let him pass".to_owned(),
            Answer::Lay(letter) => format!("ambush with {letter}"),
            Answer::Coins => "three coins".to_owned(),
            Answer::Goods => "what he carries".to_owned(),
        }
    }
}

/// Plays a little of it and prints what happened.
///
/// # Errors
/// None, as long as the rules are what they are.
pub fn show() -> Result<(), Rejection> {
    use std::sync::Arc;
    use turnstone::Match;

    let mut game: Match<Couriers> = Match::new(Arc::new(Couriers), (), 4)?;
    while let Some(input) = game.inputs().pop() {
        let moment = game.act(input)?;
        println!("{}", game.explain(moment));
    }
    println!("{:?}", game.outcome());
    Ok(())
}

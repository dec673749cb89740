//! Heist: two crews, hidden hands, a shuffled deck.
//!
//! In your turn you play one card and draw another. A **jewel** is worth what it says. A **thief** takes
//! a card, and the *victim* chooses which one. A **guard** waits before you and stops one thief. A
//! **fence** waits too and adds one to every jewel of yours. A **spy** waits and earns one whenever the
//! other crew sells a jewel. When nobody has a card left, the richer crew wins.
//!
//! `rules` below shows what is peculiar to the engine: listeners that alter, replace and react, a
//! question in the middle of an effect, and events of which others see only a part.

mod host;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnstone::dice::{Dice, Draw, Lots, Stream};
use turnstone::{
    Game, ListenersOf, NoteOf, NotesOf, Outcome, Position, ProposalsOf, Rejection, Seat, Seen, Settled, Told,
    Verdict, Viewer,
};
use turnstone_host::Secretive;

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct Heist;

/// A card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Card {
    /// Worth what it says.
    Jewel(u8),
    /// Takes a card; the victim chooses which.
    Thief,
    /// Stops one thief.
    Guard,
    /// One more for every jewel.
    Fence,
    /// Earns one for every jewel of the others.
    Spy,
    /// Somebody else's: one may not know it.
    Hidden,
}

/// Everything that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    deck: Vec<Card>,
    hands: [Vec<Card>; 2],
    waiting: [Vec<Card>; 2],
    coins: [i64; 2],
    turn: Seat,
    /// What the victim has chosen to give, until it is given.
    chosen: Option<Card>,
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// A card is played.
    Play { who: Seat, card: Card },
    /// Coins are earned.
    Earn { who: Seat, coins: i64 },
    /// A thief comes.
    Steal { thief: Seat },
    /// A guard has done its work.
    Dismiss { who: Seat, card: Card },
    /// The turn ends with a card drawn.
    EndTurn,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A card was played, for all to see.
    Played { who: Seat, card: Card },
    /// Coins were earned.
    Earned { who: Seat, coins: i64 },
    /// A card changed hands; only the two crews know which.
    Stolen { thief: Seat, card: Card },
    /// A card that waited is gone.
    Dismissed { who: Seat, card: Card },
    /// The turn ended; who drew knows what.
    TurnEnded { who: Seat, drew: Option<Card> },
}

/// A card that waits before a crew listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    owner: Seat,
    card: Card,
}

/// Which card will you give?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Give;

const SHUFFLE: Stream = Stream::named("shuffle");
const HAND: usize = 4;

impl State {
    fn hand(&self, who: Seat) -> &Vec<Card> {
        &self.hands[usize::from(who)]
    }

    fn listen(&self, owner: Seat, card: Card, heard: &mut ListenersOf<Heist>) {
        if self.waiting[usize::from(owner)].contains(&card) {
            heard.push(0, Listener { owner, card });
        }
    }
}

/// Takes one card out of a pile.
fn remove(pile: &mut Vec<Card>, card: Card) {
    if let Some(at) = pile.iter().position(|other| *other == card) {
        pile.remove(at);
    }
}

/// Whatever a viewer may not know becomes this.
fn veiled(cards: &[Card], open: bool) -> Vec<Card> {
    let mut cards: Vec<Card> = cards.iter().map(|card| if open { *card } else { Card::Hidden }).collect();
    // The order in a hand tells when a card came.
    cards.sort();
    cards
}

impl Game for Heist {
    /// Jewels of each worth.
    type Setup = u8;
    type State = State;
    /// The card to play.
    type Action = Card;
    type Effect = Effect;
    type Event = Event;
    type Listener = Listener;
    type Question = Give;
    type Answer = Card;
    /// The listener that changed a number.
    type Reason = Card;

    fn start(&self, jewels: &u8, seed: u64) -> Result<State, Rejection> {
        if !(1..=9).contains(jewels) {
            return Err(Rejection::new("BAD_DECK", "a deck has 1 to 9 jewels of each worth"));
        }
        let worth = (1..=3).flat_map(|worth| vec![Card::Jewel(worth); usize::from(*jewels)]);
        let others = [Card::Thief, Card::Guard, Card::Fence, Card::Spy, Card::Thief, Card::Guard];
        let mut deck: Vec<Card> = worth.chain(others).collect();
        Dice::new(seed, SHUFFLE, 0).shuffle(&mut deck);
        let mut deal = || deck.split_off(deck.len() - HAND);
        let hands = [deal(), deal()];
        Ok(State { deck, hands, waiting: Default::default(), coins: [0, 0], turn: 0, chosen: None })
    }

    fn validate(&self, state: &State) -> Result<(), Rejection> {
        if state.turn < 2 { Ok(()) } else { Err(Rejection::new("BAD_TURN", "there are two crews")) }
    }

    fn check(&self, state: &State, card: &Card) -> Result<(), Rejection> {
        if state.hand(state.turn).contains(card) && *card != Card::Hidden {
            return Ok(());
        }
        Err(Rejection::new("NOT_IN_HAND", "you do not hold that card"))
    }

    fn open(&self, state: &State, card: &Card, out: &mut ProposalsOf<Self>) {
        out.last(Effect::Play { who: state.turn, card: *card });
        out.agenda(Effect::EndTurn);
    }

    fn before_listeners(&self, state: &State, effect: &Effect, heard: &mut ListenersOf<Self>) {
        match *effect {
            Effect::Earn { who, .. } => state.listen(who, Card::Fence, heard),
            Effect::Steal { thief } => state.listen(1 - thief, Card::Guard, heard),
            Effect::Play { .. } | Effect::Dismiss { .. } | Effect::EndTurn => {}
        }
    }

    fn before(
        &self,
        listener: Listener,
        _state: &State,
        effect: &mut Effect,
        out: &mut ProposalsOf<Self>,
    ) -> Verdict {
        let Listener { owner, card } = listener;
        match (card, effect) {
            (Card::Fence, Effect::Earn { coins, .. }) => {
                *coins += 1;
                Verdict::Altered
            }
            (Card::Guard, Effect::Steal { .. }) => {
                out.first(Effect::Dismiss { who: owner, card });
                Verdict::Replaced
            }
            _ => Verdict::Pass,
        }
    }

    fn settle(&self, state: &State, effect: &Effect, _: &mut NotesOf<Self>) -> Settled<Event, Give> {
        Settled::Event(match *effect {
            Effect::Play { who, card } => Event::Played { who, card },
            Effect::Earn { who, coins } => Event::Earned { who, coins },
            Effect::Steal { thief } if state.hand(1 - thief).is_empty() => return Settled::Stale,
            // The question is not for who plays: the match waits for the victim.
            Effect::Steal { thief } => match state.chosen {
                Some(card) => Event::Stolen { thief, card },
                None => return Settled::Ask(1 - thief, Give),
            },
            Effect::Dismiss { who, card } => Event::Dismissed { who, card },
            Effect::EndTurn => Event::TurnEnded { who: state.turn, drew: state.deck.last().copied() },
        })
    }

    fn apply(&self, state: &mut State, event: &Event) {
        match *event {
            Event::Played { who, card } => {
                remove(&mut state.hands[usize::from(who)], card);
                if matches!(card, Card::Guard | Card::Fence | Card::Spy) {
                    state.waiting[usize::from(who)].push(card);
                }
            }
            Event::Earned { who, coins } => state.coins[usize::from(who)] += coins,
            Event::Stolen { thief, card } => {
                remove(&mut state.hands[usize::from(1 - thief)], card);
                state.hands[usize::from(thief)].push(card);
                state.chosen = None;
            }
            Event::Dismissed { who, card } => remove(&mut state.waiting[usize::from(who)], card),
            Event::TurnEnded { who, drew } => {
                state.deck.pop();
                state.hands[usize::from(who)].extend(drew);
                // Who has nothing to play is passed over.
                let next = 1 - who;
                state.turn = if state.hand(next).is_empty() { who } else { next };
            }
        }
    }

    fn follow(&self, _state: &State, event: &Event, out: &mut ProposalsOf<Self>) {
        match *event {
            Event::Played { who, card: Card::Jewel(worth) } => {
                out.first(Effect::Earn { who, coins: worth.into() });
            }
            Event::Played { who, card: Card::Thief } => _ = out.first(Effect::Steal { thief: who }),
            _ => {}
        }
    }

    fn after_listeners(&self, state: &State, event: &Event, heard: &mut ListenersOf<Self>) {
        if let Event::Played { who, card: Card::Jewel(_) } = *event {
            state.listen(1 - who, Card::Spy, heard);
        }
    }

    fn after(&self, listener: Listener, _state: &State, _event: &Event, out: &mut ProposalsOf<Self>) {
        out.last(Effect::Earn { who: listener.owner, coins: 1 });
    }

    fn tell_listener(&self, _state: &State, listener: Listener) -> String {
        format!("{} of {}", name(listener.card), crew(listener.owner))
    }

    fn legal(&self, state: &State, out: &mut Vec<Card>) {
        out.extend(veiled(state.hand(state.turn), true));
        out.dedup();
    }

    fn answers(&self, state: &State, _question: &Give, out: &mut Vec<Card>) {
        out.extend(veiled(state.hand(1 - state.turn), true));
        out.dedup();
    }

    fn apply_answer(&self, state: &mut State, _question: &Give, answer: &Card) {
        state.chosen = Some(*answer);
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        self.outcome(state).is_none().then_some(state.turn)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        if state.hands.iter().any(|hand| !hand.is_empty()) {
            return None;
        }
        Some(match state.coins[0].cmp(&state.coins[1]) {
            std::cmp::Ordering::Less => Outcome::Won(1),
            std::cmp::Ordering::Equal => Outcome::Drawn,
            std::cmp::Ordering::Greater => Outcome::Won(0),
        })
    }
}

impl Seen for Heist {
    /// Hands and deck are kept from everybody else.
    fn hides(&self, _state: &State, viewer: Viewer) -> bool {
        viewer != Viewer::All
    }

    fn view(&self, state: &State, viewer: Viewer) -> Value {
        let hand = |seat: Seat| veiled(state.hand(seat), viewer.may_see(seat));
        json!({
            "deck": state.deck.len(), "hands": [hand(0), hand(1)], "waiting": state.waiting,
            "coins": state.coins, "turn": state.turn,
        })
    }

    fn redact(&self, _before: &State, _after: &State, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(match *event {
            Event::Stolen { thief, .. } if !viewer.may_see(0) && !viewer.may_see(1) => {
                Event::Stolen { thief, card: Card::Hidden }
            }
            Event::TurnEnded { who, drew: Some(_) } if !viewer.may_see(who) => {
                Event::TurnEnded { who, drew: Some(Card::Hidden) }
            }
            other => other,
        })
    }
}

/// The first of [`Secretive::secrets`].
const OTHER_HAND: usize = 0;

impl Secretive for Heist {
    fn seen<'p>(&self, position: &'p Position<Self>, seat: Seat) -> Cow<'p, Position<Self>> {
        let mut state = position.state().clone();
        state.deck.fill(Card::Hidden);
        state.hands[usize::from(1 - seat.min(1))].fill(Card::Hidden);
        Cow::Owned(position.with_state(state))
    }

    /// The other hand and the deck, shuffled together and dealt again.
    fn sample(&self, position: &Position<Self>, seat: Seat, lots: &mut Lots) -> Position<Self> {
        let mut state = position.state().clone();
        let other = usize::from(1 - seat.min(1));
        let mut unseen = std::mem::take(&mut state.deck);
        unseen.append(&mut state.hands[other].clone());
        unseen.sort_unstable();
        lots.shuffle(&mut unseen);
        state.hands[other] = unseen.split_off(unseen.len() - state.hands[other].len());
        state.hands[other].sort_unstable();
        state.deck = unseen;
        position.with_state(state)
    }

    fn secrets() -> Vec<&'static str> {
        vec!["hand", "order of the deck"]
    }

    fn vary(
        &self,
        position: &Position<Self>,
        seat: Seat,
        secret: usize,
        lots: &mut Lots,
    ) -> Option<Position<Self>> {
        let mut state = position.state().clone();
        if secret == OTHER_HAND {
            let hand = &mut state.hands[usize::from(1 - seat.min(1))];
            let (held, drawn) = (lots.index(hand.len())?, lots.index(state.deck.len())?);
            std::mem::swap(&mut hand[held], &mut state.deck[drawn]);
            hand.sort_unstable();
        } else {
            lots.shuffle(&mut state.deck);
        }
        (state != *position.state()).then(|| position.with_state(state))
    }
}

impl Told for Heist {
    fn tell(&self, _state: &State, event: &Event, _: &[&NoteOf<Self>]) -> String {
        match *event {
            Event::Played { who, card } => format!("{} plays {}", crew(who), name(card)),
            Event::Earned { who, coins } => format!("{} earns {coins}", crew(who)),
            Event::Stolen { thief, card } => format!("{} gets {}", crew(thief), name(card)),
            Event::Dismissed { who, card } => format!("{} loses {}", crew(who), name(card)),
            Event::TurnEnded { who, drew: Some(card) } => format!("{} draws {}", crew(who), name(card)),
            Event::TurnEnded { .. } => "the turn ends".to_owned(),
        }
    }

    fn tell_effect(&self, _state: &State, effect: &Effect) -> String {
        match *effect {
            Effect::Play { card, .. } => format!("playing {}", name(card)),
            Effect::Earn { coins, .. } => format!("{coins} coins"),
            Effect::Steal { thief } => format!("a theft by {}", crew(thief)),
            Effect::Dismiss { card, .. } => format!("the loss of {}", name(card)),
            Effect::EndTurn => "the end of the turn".to_owned(),
        }
    }

    fn tell_action(&self, _state: &State, card: &Card) -> String {
        format!("play {}", name(*card))
    }

    fn tell_question(&self, _state: &State, _question: &Give) -> String {
        "Which card will you give?".to_owned()
    }

    fn tell_answer(&self, _state: &State, _question: &Give, card: &Card) -> String {
        format!("give {}", name(*card))
    }
}

fn crew(seat: Seat) -> &'static str {
    if seat == 0 { "the red crew" } else { "the blue crew" }
}

fn name(card: Card) -> String {
    match card {
        Card::Jewel(worth) => format!("a jewel of {worth}"),
        Card::Thief => "a thief".to_owned(),
        Card::Guard => "a guard".to_owned(),
        Card::Fence => "a fence".to_owned(),
        Card::Spy => "a spy".to_owned(),
        Card::Hidden => "a card".to_owned(),
    }
}

//! A duel: listeners, dice, an agenda and a question, in one small game.
//! `cargo run -p turnstone-samples --example samples duel`
//!
//! Two fighters take turns. A blow is 3 to 6 damage; Strength adds to it, Weakness takes a quarter,
//! a guard absorbs, a charm saves a life once, thorns hit back. A trick lets a player pick two of
//! three benefits. Every number is explained by the listeners that made it.

#![allow(missing_docs)] // the names say it all

use serde::{Deserialize, Serialize};
use turnstone::dice::{Dice, Draw, Stream};
use turnstone::{
    Game, ListenersOf, Never, NotesOf, Outcome, ProposalsOf, Rejection, Seat, Seen, Settled, Told, Verdict,
    code,
};

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct Duel;

/// One fighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fighter {
    hp: i16,
    traits: [i16; 5],
}

/// What a fighter can have some of. The order is the order of the listeners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trait {
    Strength,
    Weakness,
    Guard,
    Charm,
    Thorns,
}
use Trait::{Charm, Guard, Strength, Thorns, Weakness};

/// Everything that changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    fighters: [Fighter; 2],
    turn: Seat,
    seed: u64,
    rolls: u64,
    /// Benefits picked while a trick is being played.
    picked: Vec<Trait>,
    done: bool,
}

/// What a player declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    Strike,
    Parry,
    Trick,
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    Swing { to: Seat },
    Hit { to: Seat, amount: i16 },
    Wound { to: Seat, amount: i16 },
    Gain { who: Seat, what: Trait, by: i16 },
    Learn { who: Seat },
    EndTurn,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    Swung { to: Seat, amount: i16, rolls: u64 },
    Struck { to: Seat, amount: i16 },
    Wounded { to: Seat, amount: i16 },
    Gained { who: Seat, what: Trait, by: i16 },
    Learned { who: Seat },
    TurnEnded,
}

/// A trait of a fighter listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    owner: Seat,
    what: Trait,
}

/// Pick up to two benefits, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PickBenefit;

/// One pick, or enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    Pick(Trait),
    Done,
}

const BLOWS: Stream = Stream::named("blows");
const BENEFITS: [Trait; 3] = [Strength, Guard, Thorns];

impl State {
    fn of(&self, who: Seat, what: Trait) -> i16 {
        self.fighters[usize::from(who)].traits[what as usize]
    }

    fn listen(&self, owner: Seat, what: Trait, heard: &mut ListenersOf<Duel>) {
        if self.of(owner, what) > 0 {
            heard.push(what as i32, Listener { owner, what });
        }
    }
}

impl Game for Duel {
    type Setup = i16;
    type State = State;
    type Action = Action;
    type Effect = Effect;
    type Event = Event;
    type Listener = Listener;
    type Question = PickBenefit;
    type Answer = Answer;
    type Reason = Never;

    fn start(&self, hp: &i16, seed: u64) -> Result<State, Rejection> {
        if *hp <= 0 {
            return Err(Rejection::new("BAD_FIGHTER", "fighters start with at least 1 hp"));
        }
        let fighter = Fighter { hp: *hp, traits: [0, 0, 0, 1, 0] };
        Ok(State { fighters: [fighter; 2], turn: 0, seed, rolls: 0, picked: Vec::new(), done: false })
    }

    fn validate(&self, state: &State) -> Result<(), Rejection> {
        let sound =
            state.turn < 2 && state.fighters.iter().all(|f| f.hp >= 0 && f.traits.iter().all(|&n| n >= 0));
        if sound { Ok(()) } else { Err(Rejection::new("BAD_FIGHTER", "nothing is below 0")) }
    }

    fn check(&self, state: &State, _action: &Action) -> Result<(), Rejection> {
        if self.outcome(state).is_some() { Err(Rejection::new("OVER", "the duel is over")) } else { Ok(()) }
    }

    fn open(&self, state: &State, action: &Action, out: &mut ProposalsOf<Self>) {
        let (who, to) = (state.turn, 1 - state.turn);
        match action {
            Action::Strike => out.last(Effect::Swing { to }),
            Action::Parry => {
                out.last(Effect::Gain { who, what: Guard, by: 4 });
                out.last(Effect::Gain { who: to, what: Weakness, by: 1 })
            }
            Action::Trick => out.last(Effect::Learn { who }),
        };
        out.agenda(Effect::EndTurn);
    }

    fn before_listeners(&self, state: &State, effect: &Effect, heard: &mut ListenersOf<Self>) {
        match *effect {
            Effect::Hit { to, .. } => {
                state.listen(1 - to, Strength, heard);
                state.listen(1 - to, Weakness, heard);
                state.listen(to, Guard, heard);
            }
            Effect::Wound { to, .. } => state.listen(to, Charm, heard),
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
        let Listener { owner, what } = listener;
        let have = state.of(owner, what);
        match (what, effect) {
            (Strength, Effect::Hit { amount, .. }) => *amount += have,
            (Weakness, Effect::Hit { amount, .. }) => *amount = *amount * 3 / 4,
            (Guard, Effect::Hit { amount, .. }) => {
                let absorbed = have.min(*amount);
                *amount -= absorbed;
                out.first(Effect::Gain { who: owner, what: Guard, by: -absorbed });
            }
            (Charm, Effect::Wound { amount, .. }) if *amount >= state.fighters[usize::from(owner)].hp => {
                out.first(Effect::Gain { who: owner, what: Charm, by: -1 });
                return Verdict::Replaced;
            }
            _ => return Verdict::Pass,
        }
        Verdict::Altered
    }

    fn settle(&self, state: &State, effect: &Effect, _: &mut NotesOf<Self>) -> Settled<Event, PickBenefit> {
        let alive = |who: Seat| state.fighters[usize::from(who)].hp > 0;
        Settled::Event(match *effect {
            Effect::Swing { to } => {
                let mut dice = Dice::new(state.seed, BLOWS, state.rolls);
                let amount = dice.between(3, 6) as i16;
                Event::Swung { to, amount, rolls: dice.counter() }
            }
            Effect::Hit { to, .. } | Effect::Wound { to, .. } if !alive(to) => return Settled::Stale,
            Effect::Hit { to, amount } => Event::Struck { to, amount: amount.max(0) },
            Effect::Wound { to, amount } => Event::Wounded { to, amount },
            Effect::Gain { who, what, by } => {
                Event::Gained { who, what, by: by.clamp(-state.of(who, what), 99 - state.of(who, what)) }
            }
            Effect::Learn { who } if !state.done && state.picked.len() < 2 => {
                return Settled::Ask(who, PickBenefit);
            }
            Effect::Learn { who } => Event::Learned { who },
            Effect::EndTurn => Event::TurnEnded,
        })
    }

    fn apply(&self, state: &mut State, event: &Event) {
        match *event {
            Event::Swung { rolls, .. } => state.rolls = rolls,
            Event::Struck { .. } => {}
            Event::Wounded { to, amount } => {
                let hp = &mut state.fighters[usize::from(to)].hp;
                *hp = (*hp - amount).max(0);
            }
            Event::Gained { who, what, by } => state.fighters[usize::from(who)].traits[what as usize] += by,
            Event::Learned { who } => {
                for what in std::mem::take(&mut state.picked) {
                    let slot = &mut state.fighters[usize::from(who)].traits[what as usize];
                    *slot = (*slot + 2).min(99);
                }
                state.done = false;
            }
            Event::TurnEnded => state.turn = 1 - state.turn,
        }
    }

    fn follow(&self, state: &State, event: &Event, out: &mut ProposalsOf<Self>) {
        match *event {
            Event::Swung { to, amount, .. } => _ = out.first(Effect::Hit { to, amount }),
            Event::Struck { to, amount } if amount > 0 => _ = out.first(Effect::Wound { to, amount }),
            Event::TurnEnded if state.of(state.turn, Guard) > 0 => {
                out.last(Effect::Gain { who: state.turn, what: Guard, by: -99 });
            }
            _ => {}
        }
    }

    fn after_listeners(&self, state: &State, event: &Event, heard: &mut ListenersOf<Self>) {
        match *event {
            Event::Struck { to, .. } => state.listen(to, Thorns, heard),
            Event::TurnEnded => state.listen(1 - state.turn, Weakness, heard),
            _ => {}
        }
    }

    fn after(&self, listener: Listener, state: &State, _event: &Event, out: &mut ProposalsOf<Self>) {
        let Listener { owner, what } = listener;
        match what {
            Thorns => _ = out.first(Effect::Wound { to: 1 - owner, amount: state.of(owner, Thorns) }),
            _ => _ = out.last(Effect::Gain { who: owner, what, by: -1 }),
        }
    }

    fn legal(&self, state: &State, out: &mut Vec<Action>) {
        if self.outcome(state).is_none() {
            out.extend([Action::Strike, Action::Parry, Action::Trick]);
        }
    }

    fn answers(&self, state: &State, _question: &PickBenefit, out: &mut Vec<Answer>) {
        let open = BENEFITS.into_iter().filter(|benefit| !state.picked.contains(benefit));
        out.extend(open.map(Answer::Pick));
        out.push(Answer::Done);
    }

    fn check_answer(&self, state: &State, _: &PickBenefit, answer: &Answer) -> Result<(), Rejection> {
        match answer {
            Answer::Pick(what) if !BENEFITS.contains(what) || state.picked.contains(what) => {
                Err(Rejection::new(code::NOT_AN_ANSWER, format!("{what:?} is not to be had")))
            }
            _ => Ok(()),
        }
    }

    fn apply_answer(&self, state: &mut State, _question: &PickBenefit, answer: &Answer) {
        match answer {
            Answer::Pick(what) => state.picked.push(*what),
            Answer::Done => state.done = true,
        }
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        self.outcome(state).is_none().then_some(state.turn)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let fallen = state.fighters.iter().position(|fighter| fighter.hp == 0)?;
        Some(Outcome::Won(1 - fallen as Seat))
    }
}

impl Seen for Duel {}

impl Told for Duel {
    fn tell_alteration(&self, _: &State, listener: Listener, before: &Effect, after: &Effect) -> String {
        match (before, after) {
            (Effect::Hit { amount: from, .. }, Effect::Hit { amount: to, .. }) => {
                format!("{:?}: {from} → {to}", listener.what)
            }
            _ => format!("{:?}", listener.what),
        }
    }
}

/// Plays a little of it and prints what happened.
///
/// # Errors
/// None, as long as the rules are what they are.
pub fn show() -> Result<(), Rejection> {
    use std::sync::Arc;
    use turnstone::{Input, Match};

    let mut duel: Match<Duel> = Match::new(Arc::new(Duel), 12, 7)?;
    let picks = [Answer::Pick(Strength), Answer::Pick(Thorns)];
    duel.act(Input::Act(Action::Trick))?;
    for pick in picks {
        duel.act(Input::Choose(pick))?;
    }
    for action in [Action::Parry, Action::Strike, Action::Strike, Action::Strike, Action::Strike] {
        let moment = duel.act(Input::Act(action))?;
        println!("{}", duel.explain(moment));
    }
    Ok(())
}

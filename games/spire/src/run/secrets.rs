//! What the climber may not know: the dice, and everything that they have decided and nobody has seen yet.

use std::borrow::Cow;

use turnstone::dice::{Draw, Lots};
use turnstone::{Position, Seat};
use turnstone_host::Secretive;

use super::tower::{EventScreen, Screen, Tower};
use crate::catalog::compile::Op;
use crate::event::Event;
use crate::game::Spire;
use crate::question::{Asked, Question};
use crate::seeds::{CardNo, CharacterNo, Entry, EventDetail, Fights, RelicPools, Streams};
use crate::state::{NO_CARD, PLAYER, State};

/// Something that a climber may not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Secret {
    /// The seed and the streams, which would tell the future.
    Dice,
    /// In which order the cards of the draw pile lie.
    Pile,
    /// What monsters intend, for whom intents are hidden.
    Intents,
    /// In which order the relics come.
    Relics,
    /// Whom one will meet in this act; the boss is known.
    Fights,
    /// How likely potions, rare cards and rooms have become.
    Chances,
    /// What an event has laid out face down.
    Finds,
}

impl Secret {
    const ALL: [Secret; 7] = [
        Secret::Dice,
        Secret::Pile,
        Secret::Intents,
        Secret::Relics,
        Secret::Fights,
        Secret::Chances,
        Secret::Finds,
    ];

    const fn name(self) -> &'static str {
        match self {
            Secret::Dice => "dice",
            Secret::Pile => "draw pile",
            Secret::Intents => "intents",
            Secret::Relics => "relics to come",
            Secret::Fights => "fights to come",
            Secret::Chances => "chances",
            Secret::Finds => "finds",
        }
    }
}

impl Spire {
    /// One secret drawn anew.
    fn redraw(&self, state: &mut State, secret: Secret, lots: &mut Lots) {
        if state.is_single_fight() && !matches!(secret, Secret::Dice | Secret::Pile | Secret::Intents) {
            return;
        }
        match secret {
            Secret::Dice => self.redraw_dice(state, lots),
            Secret::Pile => self.reshuffle(state, lots),
            Secret::Intents => self.reconsider(state, lots),
            Secret::Relics => state.tower.fate.relics.reshuffle(lots),
            Secret::Fights => state.tower.fate.fights.reshuffle(lots),
            Secret::Chances => {
                state.tower.fate.drift.potion_chance = 10 * (lots.below(7) as i16 - 3);
                state.tower.fate.drift.rarity_offset = lots.below(40) as i8 - 20;
            }
            Secret::Finds => self.lay_anew(state, lots),
        }
    }
}

impl Spire {
    /// Other dice, each as far along as it is.
    pub(crate) fn redraw_dice(&self, state: &mut State, lots: &mut Lots) {
        let seed = lots.next_u64();
        if !state.is_single_fight() {
            state.tower.fate.seed = seed;
            state.tower.fate.streams = state.tower.fate.streams.redrawn(seed);
        }
        let run = &mut state.run;
        run.seed = seed;
        run.dice = run.dice.map(|dice| dice.redrawn(seed));
        state.combat.tape.clear();
    }
}

impl Spire {
    /// What events have laid out face down, in another way.
    fn lay_anew(&self, state: &mut State, lots: &mut Lots) {
        let tables = &self.rulebook.tables;
        let potions = &tables.of(CharacterNo(state.run.character)).potions;
        for screen in &mut state.tower.screens {
            let Screen::Event(event) = screen else { continue };
            if let Some(EventDetail::GuardedFinds { guardian, .. }) = &mut event.detail
                && let Some(Entry::GuardedFinds(guardians)) = tables.entry(event.event)
                && let Some(other) = lots.pick(guardians)
            {
                *guardian = *other;
            }
            if let Some(EventDetail::Potions { potions: laid }) = &mut event.detail {
                for potion in laid {
                    *potion = lots.pick(potions).copied().unwrap_or(*potion);
                }
            }
            turn_anew(event, lots);
        }
    }
}

/// The same things in other places. From an order of their own, so that nothing of the true one is left: who knows the
/// lots could undo a mere shuffle.
fn turn_anew(event: &mut EventScreen, lots: &mut Lots) {
    let before = event.clone();
    let shown = |cell| before.shows(cell);
    match &mut event.detail {
        Some(EventDetail::Pairs { board }) => {
            let closed: Vec<usize> = (0..board.len()).filter(|cell| !shown(*cell)).collect();
            let mut cards: Vec<CardNo> = closed.iter().map(|cell| board[*cell]).collect();
            cards.sort_unstable();
            lots.shuffle(&mut cards);
            closed.into_iter().zip(cards).for_each(|(cell, card)| board[cell] = card);
        }
        Some(EventDetail::GuardedFinds { order, .. }) => {
            let searched = usize::from(event.counts[0]).min(order.len());
            order[searched..].sort_unstable();
            lots.shuffle(&mut order[searched..]);
        }
        Some(
            EventDetail::Potions { .. }
            | EventDetail::TwoServices { .. }
            | EventDetail::OneOfEachType { .. }
            | EventDetail::Belongings { .. }
            | EventDetail::Gold { .. },
        )
        | None => {}
    }
}

impl Spire {
    /// Nothing of what is hidden is left.
    fn blank_all(&self, state: &mut State) {
        self.blank(state);
        state.tower = state.tower.blanked(blank_tower);
    }
}

/// Nothing of what is hidden in the tower is left.
fn blank_tower(tower: &mut Tower) {
    (tower.fate.seed, tower.fate.streams) = (0, Streams::new(0));
    (tower.fate.drift.potion_chance, tower.fate.drift.rarity_offset) = (0, 0);
    tower.fate.relics = tower.fate.relics.blanked(RelicPools::sort);
    tower.fate.fights = tower.fate.fights.blanked(Fights::sort);
    tower.fate.colorless.clear();
    for screen in &mut tower.screens {
        if let Screen::Event(event) = screen {
            event.detail = event.detail.take().filter(|detail| !detail.is_secret());
        }
    }
    if let Some(hand_made) = &mut tower.hand_made {
        hand_made.contents.clear();
    }
}

impl Secretive for Spire {
    /// The dice are new, what is to come stands in the order of its numbers, and what lies face down is not there.
    fn seen<'p>(&self, position: &'p Position<Self>, _seat: Seat) -> Cow<'p, Position<Self>> {
        let mut state = position.state().clone();
        self.blank_all(&mut state);
        Cow::Owned(position.with_state(state))
    }

    fn seen_in<'p>(
        &self,
        position: &'p Position<Self>,
        _seat: Seat,
        place: &'p mut Option<Position<Self>>,
    ) -> &'p Position<Self> {
        let seen = place.get_or_insert_with(|| position.clone());
        seen.become_changed(position, |state| self.blank_all(state));
        seen
    }

    fn sample(&self, position: &Position<Self>, _seat: Seat, lots: &mut Lots) -> Position<Self> {
        let mut state = position.state().clone();
        Secret::ALL.into_iter().for_each(|secret| self.redraw(&mut state, secret, lots));
        position.with_state(state)
    }

    fn secrets() -> Vec<&'static str> {
        Secret::ALL.into_iter().map(Secret::name).collect()
    }

    fn vary(
        &self,
        position: &Position<Self>,
        _seat: Seat,
        secret: usize,
        lots: &mut Lots,
    ) -> Option<Position<Self>> {
        let mut state = position.state().clone();
        self.redraw(&mut state, *Secret::ALL.get(secret)?, lots);
        (state != *position.state()).then(|| position.with_state(state))
    }

    /// A card that is turned up and matches nothing is turned down again.
    fn reveals(&self, event: &Self::Event) -> bool {
        match event {
            Event::Run(event) => matches!(**event, super::event::Event::Flipped { .. }),
            // Whom orbs and relics hit is drawn as they do; whoever else they hit then may hide it again.
            Event::Hit { by: PLAYER, card: NO_CARD, .. } => true,
            _ => false,
        }
    }

    /// Who scries sees the uppermost cards.
    fn lays_open(&self, _s: &State, question: &Asked) -> bool {
        let Asked::Fight(Question::Cards { program, pc, .. }) = question else { return false };
        matches!(self.catalog.step(*program, *pc), Some(Op::Scry { .. }))
    }
}

#[cfg(test)]
mod tests {
    use smallvec::SmallVec;
    use turnstone::dice::Stream;

    use turnstone::{Game, Off, Offers, Resolver, Viewer};

    use super::*;
    use crate::game::Ruleset;
    use crate::run::Setup;
    use crate::run::event::{Event as RunEvent, LineUp, Newcomer};
    use crate::run::game::redacted;
    use crate::run::tower::FightKind;
    use crate::seeds::{EventNo, FateChange, FightNo};

    /// What an event shows as drawn for whoever does not know it; the first two cells of a board are open.
    fn drawn(detail: EventDetail) -> EventScreen {
        let (event, relics) = (EventNo(0), SmallVec::new());
        let mut screen = EventScreen {
            event,
            node: 0,
            detail: Some(detail),
            max_hp: 80,
            counts: [0; 3],
            relics,
            open: 0b11,
            tries: 5,
        };
        turn_anew(&mut screen, &mut Lots::new(7, Stream::named("what if")));
        screen
    }

    /// Who comes with how many HP is seen; how the draw pile lies, what monsters rolled for themselves and how far the
    /// dice are is not.
    #[test]
    fn the_line_up_of_a_fight_keeps_its_secrets() {
        let monster = Newcomer { kind: 3, x: 10, hp: 44, vars: [7, 0, 0, 0], minion: false };
        let line_up = LineUp { monsters: vec![monster], draw: vec![2, 0, 1], rolls: 9 };
        let change = FateChange { met: Some((2, 0)), ..FateChange::default() };
        let (fight, kind) = (FightNo(1), FightKind::Monster);
        let event = RunEvent::FightBegan { fight, kind, line_up: Box::new(line_up), change };
        assert_eq!(redacted(&event, Viewer::All), event);
        let seen = LineUp { monsters: vec![Newcomer { vars: [0; 4], ..monster }], ..LineUp::default() };
        let change = FateChange::default();
        let seen = RunEvent::FightBegan { fight, kind, line_up: Box::new(seen), change };
        assert_eq!(redacted(&event, Viewer::Seat(0)), seen);
        assert_eq!(redacted(&event, Viewer::Spectator), seen);
    }

    /// Who looks again and again, into the place where he looked before, sees what he would see for the first time.
    #[test]
    fn a_look_into_a_used_place_shows_the_same() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let state = spire.start(&Setup::run("ironclad", 0), 3).expect("a run");
        let (mut position, mut place) = (Position::new(state), None);
        let (mut resolver, mut offers) = (Resolver::default(), Offers::default());
        let mut lots = Lots::new(3, Stream::named("looks"));
        for _ in 0..400 {
            let first = Secretive::seen(&spire, &position, 0);
            let again = spire.seen_in(&position, 0, &mut place);
            assert_eq!(*again, *first);
            assert_eq!(format!("{again:?}"), format!("{first:?}"));
            let Some(input) = lots.pick(offers.list(&spire, &position)) else { break };
            resolver.act(&spire, &mut position, input, &mut Off).expect("it was offered");
        }
        assert!(position.state().run.floor > 3, "{}", position.state().run.floor);
    }

    /// The lots of a world are known to who asks for it: were the true order shuffled, he could put it back.
    #[test]
    fn what_lies_face_down_is_drawn_without_its_true_order() {
        let board = [9, 9, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map(CardNo);
        let mut other = board;
        other[2..].rotate_left(3);
        assert_eq!(drawn(EventDetail::Pairs { board }), drawn(EventDetail::Pairs { board: other }));
        let finds = |order| drawn(EventDetail::GuardedFinds { order, guardian: FightNo(1) });
        assert_eq!(finds([0, 1, 2]), finds([2, 0, 1]));
    }
}

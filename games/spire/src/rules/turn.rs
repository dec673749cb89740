//! The round of the original: what is queued in which phase. Phases without work are skipped in place.

use super::numbers::About;
use crate::catalog::words::{Moment, Stage};
use crate::effect::{Effect, Phase};
use crate::event::{BlocksLeft, Event, Handful};
use crate::game::{Out, Settling, Spire};
use crate::state::{HAND, Life, NO_COST, NOBODY, PLAYER, Pile, Slot, State, any_place, card_flag};
use turnstone::{Expanded, Lane, Settled};

/// Numbers of the times at which powers wear off.
pub(crate) mod time {
    /// End of the round.
    pub(crate) const ROUND_END: u8 = 0;
    /// Start of the owner's turn.
    pub(crate) const TURN_START: u8 = 1;
    /// End of the owner's turn.
    pub(crate) const TURN_END: u8 = 2;

    /// A time as a word.
    pub(crate) fn word(time: u8) -> Option<&'static str> {
        ["round_end", "turn_start", "turn_end"].get(usize::from(time)).copied()
    }
}

/// The place of a phase in the original's round.
const fn place(phase: Phase) -> u8 {
    match phase {
        Phase::Prepare => 0,
        Phase::Opening => 1,
        Phase::EndRelics => 2,
        Phase::EndCards => 3,
        Phase::EndPowers => 4,
        Phase::EndDiscard => 5,
        Phase::EnemiesStart => 6,
        Phase::Enemy(..) => 7,
        _ => 8,
    }
}

impl Spire {
    /// Runs phases until one has work; the next one waits on the agenda.
    pub(crate) fn expand_phase(&self, s: &State, phase: Phase, out: &mut Out) -> Expanded<Effect> {
        let next = if self.profile.phases_drained {
            self.phases_seed(s, phase, out)
        } else {
            self.phases(s, phase, out)
        };
        if out.is_empty() {
            return Expanded::Nothing;
        }
        if let Some(next) = next {
            out.agenda(Effect::Phase(next));
        }
        Expanded::Into
    }

    /// Proposes a moment for one owner if he hears it.
    #[inline]
    pub fn call(&self, s: &State, moment: Moment, owner: u8, out: &mut Out) {
        if s.combat.moments >> moment as u32 & 1 != 0 {
            out.first(self.moment(moment, owner));
        }
    }

    /// Proposes a moment of the enemies if one of them hears it.
    #[inline]
    fn call_enemies(&self, s: &State, moment: Moment, out: &mut Out) {
        if s.combat.moments >> moment as u32 & 1 != 0 && self.enemies_hear(s, moment) {
            out.first(self.moment(moment, NOBODY));
        }
    }

    #[inline(never)]
    fn enemies_hear(&self, s: &State, moment: Moment) -> bool {
        let mut others = s.combat.bodies.iter().skip(1);
        others.any(|body| body.moments >> moment as u32 & 1 != 0)
    }

    /// Proposes a moment of the player's that comes next, unless a glance rules out that anybody acts at it.
    #[inline]
    fn call_next(&self, s: &State, moment: Moment, out: &mut Out) {
        if s.combat.moments >> moment as u32 & 1 != 0 && (!out.is_empty() || self.may_act(s, moment, PLAYER))
        {
            out.first(self.moment(moment, PLAYER));
        }
    }

    /// The phases of the original from one on, until one has work; gives the phase after that one. They stand
    /// one below the other: a turn goes through nearly all of them, most without work.
    fn phases(&self, s: &State, from: Phase, out: &mut Out) -> Option<Phase> {
        let at = place(from);
        if at > place(Phase::EndDiscard) {
            return self.phases_of_enemies(s, from, out);
        }
        if at <= place(Phase::Prepare) {
            self.prepare(s, out);
            if !out.is_empty() {
                return Some(Phase::Opening);
            }
        }
        if at <= place(Phase::Opening) {
            self.opening(s, out);
            return None;
        }
        if at <= place(Phase::EndRelics) {
            self.end_relics(s, out);
            if !out.is_empty() {
                return Some(Phase::EndCards);
            }
        }
        if at <= place(Phase::EndCards) {
            self.cards_in_hand(s, out);
            if !out.is_empty() {
                return Some(Phase::EndPowers);
            }
        }
        if at <= place(Phase::EndPowers) {
            self.end_powers(s, out);
            if !out.is_empty() {
                return Some(Phase::EndDiscard);
            }
        }
        if at <= place(Phase::EndDiscard) {
            self.discard_hand(s, out);
            if !out.is_empty() && !self.only_discards(s, out) {
                return Some(if s.combat.skip_enemies { Phase::Round } else { Phase::EnemiesStart });
            }
        }
        self.phases_of_enemies(s, from, out)
    }

    /// Whether nothing but the hand's going is to be done, of which nobody hears and from which nothing follows: the
    /// enemies' turn can be queued behind it at once.
    fn only_discards(&self, s: &State, out: &Out) -> bool {
        let combat = &s.combat;
        let retained = combat.card_moments >> Moment::Retain as u32 & 1 != 0;
        out.len() == 1
            && !combat.hand.is_empty()
            && !retained
            && !combat.skip_enemies
            && !combat.decided
            && combat.enemies().next().is_some()
    }

    /// The phases after the player's turn.
    fn phases_of_enemies(&self, s: &State, from: Phase, out: &mut Out) -> Option<Phase> {
        let skipped = place(from) <= place(Phase::EndDiscard) && s.combat.skip_enemies;
        if place(from) <= place(Phase::EnemiesStart) && !skipped {
            let before = out.len();
            self.enemies_start(s, out);
            if out.len() > before {
                return Some(Phase::Enemy(PLAYER, s.combat.bodies.len() as u8));
            }
        }
        // From left to right; whoever joins meanwhile acts from the next round on.
        let (last, newcomers) = match from {
            Phase::Enemy(last, newcomers) => (last, newcomers),
            _ if place(from) < place(Phase::Round) && !skipped => (PLAYER, s.combat.bodies.len() as u8),
            _ => (PLAYER, 0),
        };
        let board = &s.combat.board;
        let done = board.iter().position(|&who| who == last).map_or(0, |place| place + 1);
        let acts = |who: u8| {
            let body = &s.combat.bodies[who as usize];
            who < newcomers && matches!(body.life, Life::Alive | Life::HalfDead)
        };
        if let Some(&who) = board[done..].iter().find(|&&who| acts(who)) {
            out.first(Effect::Act { who });
            return Some(Phase::Enemy(who, newcomers));
        }
        self.round(s, out);
        None
    }

    fn opening(&self, s: &State, out: &mut Out) {
        out.first(Effect::TurnStarted);
        self.call(s, Moment::CombatStartPreDraw, PLAYER, out);
        out.first(Effect::QueueDraw { amount: self.opening_draw(s) });
        self.call(s, Moment::CombatStart, PLAYER, out);
        self.turn_start(s, out);
    }

    fn end_relics(&self, s: &State, out: &mut Out) {
        self.call_next(s, Moment::TurnEndRelics, out);
        self.call_next(s, Moment::TurnEndPreCards, out);
        // A relic may only now channel the first orb.
        if s.combat.orb_slots > 0 {
            out.first(Effect::QueuePassives { start: false });
        }
    }

    fn end_powers(&self, s: &State, out: &mut Out) {
        self.call_next(s, Moment::TurnEnd, out);
        if self.decays(s, time::TURN_END, true, false) {
            out.first(Effect::QueueDecay { when: time::TURN_END, player: true, monsters: false });
        }
    }

    fn enemies_start(&self, s: &State, out: &mut Out) {
        if s.combat.bodies[1..].iter().any(|body| body.block > 0) {
            out.first(Effect::MonstersStarted);
        }
        self.call_enemies(s, Moment::TurnStart, out);
        if self.decays(s, time::TURN_START, false, true) {
            out.first(Effect::QueueDecay { when: time::TURN_START, player: false, monsters: true });
        }
    }

    /// Monsters set themselves up, then relics prepare.
    fn prepare(&self, s: &State, out: &mut Out) {
        for who in 1..s.combat.bodies.len() as u8 {
            let kind = s.combat.bodies[who as usize].kind;
            self.propose(
                s,
                self.catalog.monsters[kind as usize].start,
                self.monster_ctx(who),
                Lane::Last,
                out,
            );
            if let Some(encounter) = self.catalog.encounters.get(s.combat.encounter as usize) {
                self.propose(s, encounter.start, self.monster_ctx(who), Lane::Last, out);
            }
            out.last(Effect::Choose { who });
        }
        self.call(s, Moment::CombatPrep, PLAYER, out);
    }

    /// Cards drawn at the start of a turn.
    pub(crate) fn draw_count(&self, s: &State) -> i16 {
        let (count, _) =
            self.altered_number(s, Stage::DrawPerTurn, PLAYER, i32::from(s.run.draw), About::default());
        count.clamp(0, HAND as i32) as i16
    }

    fn opening_draw(&self, s: &State) -> i16 {
        let innate = s.combat.draw.iter().filter(|&&slot| self.innate(s, slot)).count() as i16;
        self.draw_count(s).max(innate.min(HAND as i16))
    }

    /// Whether a card starts in the hand.
    pub(crate) fn innate(&self, s: &State, slot: Slot) -> bool {
        let card = &s.combat.cards[slot as usize];
        self.catalog.cards[card.id as usize].forms[card.form()].innate || card.has(card_flag::BOTTLED)
    }

    /// Everything of the player's turn start but refill and draw, which stand elsewhere on turn 1.
    fn turn_start(&self, s: &State, out: &mut Out) {
        self.call(s, Moment::TurnStart, PLAYER, out);
        if self.decays(s, time::TURN_START, true, false) {
            out.first(Effect::QueueDecay { when: time::TURN_START, player: true, monsters: false });
        }
        if s.combat.orbs.iter().any(|orb| self.catalog.orbs[orb.id as usize].at_turn_start) {
            out.first(Effect::QueuePassives { start: true });
        }
        if !s.combat.limbo.is_empty() {
            out.first(Effect::ReturnLimbo);
        }
        self.call(s, Moment::BeforeDraw, PLAYER, out);
        if s.combat.counts.turn > 0 {
            let amount = self.draw_count(s);
            // Alone behind a refill of which nobody hears it needs no turn of its own to get to the end of the queue.
            let unheard = s.combat.moments >> Moment::EnergyRefilled as u32 & 1 == 0;
            if unheard && out.firsts() == 1 {
                out.last(Effect::Draw { amount });
            } else {
                out.first(Effect::QueueDraw { amount });
            }
        }
        self.call(s, Moment::TurnStartPostDraw, PLAYER, out);
    }

    /// Round end and the player's turn start are queued together: block goes and energy comes before anything
    /// of it runs.
    fn round(&self, s: &State, out: &mut Out) {
        if !s.combat.skip_enemies {
            self.call(s, Moment::TurnEndPreCards, NOBODY, out);
            self.call(s, Moment::TurnEnd, NOBODY, out);
            if self.decays(s, time::TURN_END, false, true) {
                out.first(Effect::QueueDecay { when: time::TURN_END, player: false, monsters: true });
            }
            self.call(s, Moment::RoundEnd, PLAYER, out);
            if self.decays(s, time::ROUND_END, true, true) {
                let (when, player, monsters) = (time::ROUND_END, true, true);
                // With nothing in front of it, it needs no turn of its own to get to the end of the queue.
                if out.is_empty() && !self.catalog.stances[s.combat.stance as usize].one_turn {
                    out.last(Effect::Decay { when, player, monsters });
                } else {
                    out.first(Effect::QueueDecay { when, player, monsters });
                }
            }
        }
        if self.catalog.stances[s.combat.stance as usize].one_turn {
            out.last(Effect::Stance { to: self.known.neutral });
        }
        out.first(Effect::TurnStarted);
        self.turn_start(s, out);
    }

    /// Burn, Decay and the like act, then lie in the discard pile.
    fn cards_in_hand(&self, s: &State, out: &mut Out) {
        if s.combat.card_moments >> Moment::TurnEndInHand as u32 & 1 == 0 {
            return;
        }
        for &slot in &s.combat.hand {
            let card = &s.combat.cards[slot as usize];
            let form = &self.catalog.cards[card.id as usize].forms[card.form()];
            if form.ears.hears(Moment::TurnEndInHand) {
                let (owner, other, number) = (PLAYER, NOBODY, s.combat.hand.len() as i16);
                out.last(Effect::Moment { moment: Moment::TurnEndInHand, owner, other, card: slot, number });
                if !self.profile.acting_cards_stay && !form.retain && !form.ethereal {
                    out.last(Effect::Discard { slot, effect: false });
                }
            }
        }
    }

    /// Ethereal cards exhaust, retained ones stay, the rest is discarded.
    fn discard_hand(&self, s: &State, out: &mut Out) {
        let combat = &s.combat;
        self.call_next(s, Moment::BeforeDiscard, out);
        let repriced = || combat.cards.iter().any(|card| card.turn_cost != NO_COST);
        debug_assert!(combat.hints.repriced || !repriced(), "a card costs something else and nobody knows");
        if combat.hints.repriced && repriced() {
            out.first(Effect::TurnCards);
        }
        if combat.hints.marks.ethereal() {
            self.exhaust_ethereal(s, out);
        }
        debug_assert!(
            combat.hints.marks.ethereal() || !combat.hand.iter().any(|&slot| self.vanishes(s, slot)),
            "a card is ethereal and nobody knows"
        );
        if !combat.hand.is_empty() {
            out.first(Effect::KeepHand);
        }
    }

    #[inline(never)]
    fn exhaust_ethereal(&self, s: &State, out: &mut Out) {
        for &slot in s.combat.hand.iter().filter(|&&slot| self.vanishes(s, slot)) {
            out.first(Effect::Exhaust { slot, played: false });
        }
    }

    /// Whether a card is exhausted at turn end.
    fn vanishes(&self, s: &State, slot: Slot) -> bool {
        let card = &s.combat.cards[slot as usize];
        self.catalog.brief(card).marks.ethereal() && !self.stays(s, slot)
    }

    /// Whether a card stays in the hand at turn end.
    #[inline]
    pub fn stays(&self, s: &State, slot: Slot) -> bool {
        let card = &s.combat.cards[slot as usize];
        card.has(card_flag::RETAIN) || self.catalog.brief(card).marks.retain()
    }

    /// Retained cards act after the others are gone.
    pub(crate) fn follow_hand_kept(&self, s: &State, out: &mut Out) {
        if s.combat.card_moments >> Moment::Retain as u32 & 1 == 0 {
            return;
        }
        for &slot in &s.combat.hand {
            let card = &s.combat.cards[slot as usize];
            let form = &self.catalog.cards[card.id as usize].forms[card.form()];
            if form.ears.hears(Moment::Retain) && self.stays(s, slot) {
                out.last(Effect::Keep { slot });
            }
        }
    }

    /// The player's turn starts: energy and the block that is left.
    #[inline(always)]
    pub(crate) fn settle_turn_started(&self, s: &State) -> Settling {
        let (energy, block) = self.turn_begins_with(s);
        Settled::Event(Event::TurnStarted { energy, block })
    }

    /// Whether anything alters energy and block that a turn begins with: for most, nothing does.
    #[inline(always)]
    pub(super) fn turn_begins_altered(&self, s: &State) -> bool {
        const ALTERED: u64 =
            1 << Stage::BlockLost as u32 | 1 << Stage::EnergyKept as u32 | 1 << Stage::EnergyPerTurn as u32;
        self.stages(s, PLAYER) & ALTERED != 0
    }

    /// Energy and block that a turn begins with.
    #[inline(always)]
    pub(super) fn turn_begins_with(&self, s: &State) -> (i16, i16) {
        let combat = &s.combat;
        let altered = self.turn_begins_altered(s);
        let number = |stage, start| match altered {
            true => self.altered_number(s, stage, PLAYER, start, About::default()).0,
            false => start,
        };
        let block = i32::from(combat.player().block);
        let lost = if combat.counts.turn == 0 { 0 } else { number(Stage::BlockLost, block) };
        let energy = if self.profile.energy_with_the_cards {
            i32::from(combat.energy)
        } else {
            let kept = if combat.counts.turn == 0 { 0 } else { number(Stage::EnergyKept, 0) };
            number(Stage::EnergyPerTurn, i32::from(s.run.energy)) + kept
        };
        (energy.clamp(0, 999) as i16, (block - lost.clamp(0, block.max(0))) as i16)
    }

    /// Writes the start of the player's turn.
    pub(crate) fn apply_turn_started(&self, s: &mut State, energy: i16, block: i16) {
        let combat = &mut s.combat;
        combat.stage = crate::state::Stage::Player;
        combat.energy = energy;
        (combat.ending, combat.skip_enemies) = (false, false);
        let counts = &mut combat.counts;
        counts.turn = counts.turn.saturating_add(1);
        (counts.cards_played, counts.attacks_played, counts.skills_played) = (0, 0, 0);
        (counts.powers_this_turn, counts.discarded) = (0, 0);
        if self.profile.last_card_forgotten {
            (counts.previous, counts.current) = (u8::MAX, u8::MAX);
        }
        combat.played.clear();
        combat.bodies[0].block = block;
        combat.drawn.clear();
        if std::mem::replace(&mut combat.hints.retained, false) {
            for card in &mut combat.cards {
                card.flags &= !card_flag::RETAIN;
            }
        }
        debug_assert!(combat.cards.iter().all(|card| !card.has(card_flag::RETAIN)), "a mark was forgotten");
        self.reset_relics(s, false);
    }

    /// Counters that start anew with a turn or a combat.
    pub(crate) fn reset_relics(&self, s: &mut State, combat: bool) {
        let State { run, combat: fight, .. } = s;
        let places = if combat { u64::MAX } else { fight.hints.resetting };
        any_place(places, run.relics.len(), |place| {
            let relic = &mut run.relics[place];
            let info = &self.catalog.relics[relic.id as usize];
            if info.resets.0 || combat && info.resets.1 {
                relic.counter = info.start;
            }
            false
        });
    }

    /// What is left of the block of those monsters that have some.
    pub(crate) fn blocks_left(&self, s: &State) -> BlocksLeft {
        let bodies = s.combat.bodies.iter().enumerate().skip(1).filter(|(_, body)| body.block > 0);
        bodies.map(|(who, body)| (who as u8, self.block_left(s, who as u8, body.block))).collect()
    }

    /// The turn of one monster begins.
    pub(crate) fn settle_enemy_started(&self, s: &State, who: u8) -> Settling {
        let Some(body) = s.combat.body(who) else { return Settled::Stale };
        Settled::Event(Event::EnemyStarted { who, left: self.block_left(s, who, body.block) })
    }

    /// The block of one monster goes, unless something keeps it.
    fn block_left(&self, s: &State, who: u8, block: i16) -> i16 {
        if block <= 0 {
            return block;
        }
        let (lost, _) = self.altered_number(s, Stage::BlockLost, who, i32::from(block), About::default());
        block - lost.clamp(0, i32::from(block)) as i16
    }

    /// Where the cards go that were set aside: into the hand, as far as there is room.
    pub(crate) fn settle_limbo(&self, s: &State) -> Settling {
        let room = HAND.saturating_sub(s.combat.hand.len());
        let crowded = if self.profile.crowded_cards_lost { Pile::Gone } else { Pile::Discard };
        let place = |index: usize| if index < room { Pile::Hand } else { crowded };
        let cards = s.combat.limbo.iter().rev().enumerate().map(|(index, &slot)| (slot, place(index)));
        Settled::Event(Event::LimboReturned { cards: cards.collect() })
    }

    /// What of the hand is discarded at turn end, and what stays.
    pub(crate) fn settle_hand_kept(&self, s: &State) -> Settling {
        Settled::Event(Event::HandKept { discarded: self.discarded_hand(s) })
    }

    /// What of the hand is discarded at turn end.
    #[inline]
    pub(super) fn discarded_hand(&self, s: &State) -> Handful {
        let keep = self.altered_number(s, Stage::HandRetained, PLAYER, 0, About::default()).0 > 0;
        let discarded = match keep {
            true => Handful::default(),
            false if self.any_stays(s) => self.leaving(s),
            false => Handful::from_top(&s.combat.hand),
        };
        debug_assert!(keep || discarded == self.leaving(s), "a card stays and nobody knows");
        discarded
    }

    /// Whether any card may stay in the hand.
    #[inline]
    fn any_stays(&self, s: &State) -> bool {
        s.combat.hints.retained || s.combat.hints.marks.retain()
    }

    /// The cards that do not stay in the hand, the last one first.
    #[inline(never)]
    fn leaving(&self, s: &State) -> Handful {
        let mut discarded = Handful::default();
        for &slot in s.combat.hand.iter().rev().filter(|&&slot| !self.stays(s, slot)) {
            discarded.push(slot);
        }
        discarded
    }

    /// The hand at turn end.
    pub(crate) fn apply_hand_kept(&self, s: &mut State, discarded: &Handful) {
        let mut hand = std::mem::take(&mut s.combat.hand);
        s.combat.place_all(discarded.as_slice(), Pile::Discard);
        if discarded.as_slice().len() == hand.len() {
            hand.clear();
        } else {
            hand.retain(|&slot| s.combat.cards[slot as usize].pile == Pile::Hand);
        }
        s.combat.hand = hand;
    }
}

#[cfg(test)]
mod tests {
    use crate::action::{Action, Deed};
    use crate::game::{Ruleset, Spire};
    use turnstone::{Input, Off, Position, Resolver};

    /// Who hears of the refill acts before the hand is drawn, whatever else is heard at the end of the round.
    #[test]
    fn what_hears_of_the_refill_comes_before_the_draw() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        for enemy in ["jaw_worm 40/40 intends bellow", "jaw_worm 40/40 intends bellow; metallicize 3"] {
            let text = format!("as: watcher; hp 70/72; collect 1; draw: strike_watcher*9; enemy: {enemy}");
            let state = spire.situated(&text).expect("a fight");
            let mut position = Position::new(state);
            let end = Input::Act(Deed::Fight(Action::EndTurn));
            Resolver::default().act(&spire, &mut position, &end, &mut Off).expect("it is the player's turn");
            let combat = &position.state().combat;
            let name = |slot: u16| spire.catalog.cards[combat.cards[slot as usize].id as usize].id.as_str();
            let hand: Vec<&str> = combat.hand.iter().map(|&slot| name(slot)).collect();
            assert_eq!(hand.len(), 6, "{hand:?}");
            assert_eq!(hand[0], "miracle", "{enemy}: {hand:?}");
        }
    }
}

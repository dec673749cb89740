//! A sound greedy player for fights: if this turn can win, it wins; otherwise it takes what gives most for its
//! energy, and what comes at the end of the turn counts as much as what is dealt.
//!
//! Plays are tried out on a copy whose hidden part is drawn anew, so nothing the player may not know is used.

use crate::action::{Action, Deed};
use crate::catalog::compile::Op;
use crate::catalog::words::{CardType, Rarity, Spot};
use crate::game::Spire;
use crate::question::{Answer, Question};
use crate::state::{PLAYER, Slot, Stage, State};
use turnstone::{Input, Off, Position, Resolver};

/// How many plays the search for a winning turn may try.
const TRIES: usize = 60;
/// A won or lost fight in the scale of [`Spire::standing`].
const DECIDED: i32 = 1_000_000;

impl Spire {
    /// The action a greedy player takes; `actions` is not empty.
    pub(crate) fn greedy_choice(&self, s: &State, actions: &[Action]) -> usize {
        let seen =
            self.resample(s, u64::from(s.combat.counts.turn) << 16 | u64::from(s.combat.counts.cards_played));
        let mut tries = TRIES;
        for (index, action) in actions.iter().enumerate() {
            if self.strikes(&seen, action) && self.wins(&seen, action, &mut tries) {
                return index;
            }
        }
        let now = self.standing(&seen);
        let mut best = (i32::MIN, 0);
        for (index, action) in actions.iter().enumerate() {
            let worth = self.worth(&seen, action, now);
            if worth > best.0 {
                best = (worth, index);
            }
        }
        best.1
    }

    /// The answer a greedy player gives: he parts with the least of his cards and takes the best.
    pub(crate) fn greedy_answer(&self, s: &State, question: &Question, answers: &[Answer]) -> usize {
        let parting = match *question {
            Question::Cards { program, pc, .. } => {
                let op = self.catalog.program(program).get(pc as usize);
                !matches!(
                    op,
                    Some(Op::Retain { .. } | Op::Upgrade { .. } | Op::Play { .. } | Op::Create { .. })
                        | Some(Op::Move { to: Spot::Hand | Spot::DrawTop, .. })
                )
            }
            _ => false,
        };
        let value = |answer: &Answer| match *answer {
            Answer::Pick(slot) if parting => -self.card_value(s, slot),
            Answer::Pick(slot) => self.card_value(s, slot),
            Answer::Option(index) => match s.combat.offer.get(usize::from(index)) {
                Some(&(id, _)) => 1 + self.kind_value(id),
                None => 1,
            },
            // To stop is better than to part with a good card, and worse than to take one.
            Answer::Done => 0,
        };
        (0..answers.len())
            .max_by_key(|&index| (value(&answers[index]), std::cmp::Reverse(index)))
            .unwrap_or(0)
    }

    /// What a card is worth to have now: above 0 for good ones.
    fn card_value(&self, s: &State, slot: Slot) -> i32 {
        let Some(card) = s.combat.cards.get(slot as usize) else { return 0 };
        let dear = i32::from(self.cost_now(s, card, slot)) > i32::from(s.combat.energy);
        self.kind_value(card.id) + i32::from(card.up) - i32::from(dear)
    }

    fn kind_value(&self, id: u16) -> i32 {
        let info = &self.catalog.cards[id as usize];
        match (info.kind, info.rarity) {
            (CardType::Curse | CardType::Status, _) => -3,
            (_, Rarity::Basic) => 1,
            (_, Rarity::Rare) => 5,
            (_, Rarity::Uncommon) => 4,
            _ => 3,
        }
    }

    /// Only attacks are looked at for a winning turn.
    fn strikes(&self, s: &State, action: &Action) -> bool {
        let Action::Play { card, .. } = *action else { return false };
        let Some(held) = s.combat.cards.get(card as usize) else { return false };
        self.catalog.cards[held.id as usize].kind == CardType::Attack
    }

    /// Whether the turn can be won beginning with this play.
    fn wins(&self, s: &State, action: &Action, tries: &mut usize) -> bool {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        let Some(then) = self.after(s, action) else { return false };
        if then.combat.stage == Stage::Won || self.won(&then) {
            return true;
        }
        let mut next = Vec::new();
        self.each_action(&then, &mut |action| next.push(action));
        next.iter().any(|action| self.strikes(&then, action) && self.wins(&then, action, tries))
    }

    fn won(&self, s: &State) -> bool {
        s.combat.decided && s.combat.player().alive()
    }

    /// The state after an action, questions answered with the first thing offered.
    fn after(&self, s: &State, action: &Action) -> Option<State> {
        let mut position = Position::<Self>::new(s.clone());
        Resolver::default().act(self, &mut position, &Input::Act(Deed::Fight(*action)), &mut Off).ok()?;
        self.finish_answers(&mut position);
        Some(position.state().clone())
    }

    fn finish_answers(&self, position: &mut Position<Self>) {
        let mut resolver = Resolver::default();
        // A choice has an end; the bound is for content that asks for ever.
        for _ in 0..64 {
            let inputs = position.inputs(self);
            if position.pending().is_none() {
                return;
            }
            let Some(input) = inputs.first() else { return };
            if resolver.act(self, position, input, &mut Off).is_err() {
                return;
            }
        }
    }

    /// What an action gains for each energy; nothing gained is worth less than ending the turn.
    fn worth(&self, s: &State, action: &Action, now: i32) -> i32 {
        match *action {
            Action::Begin | Action::Leave => DECIDED,
            Action::EndTurn => 0,
            Action::Toss { .. } => -DECIDED,
            Action::Potion { .. } => {
                // A potion is kept for a moment that is worth it.
                let gain = self.after(s, action).map_or(-DECIDED, |then| self.standing(&then) - now);
                gain - 150
            }
            Action::Play { card, .. } => {
                let Some(then) = self.after(s, action) else { return -DECIDED };
                let spent = i32::from(s.combat.energy - then.combat.energy).max(0);
                let power = s
                    .combat
                    .cards
                    .get(card as usize)
                    .is_some_and(|held| self.catalog.cards[held.id as usize].kind == CardType::Power);
                let lasting = if power { 120 } else { 0 };
                (self.standing(&then) - now + lasting) * 2 / (1 + 2 * spent)
            }
        }
    }

    /// How things stand for the player, in tenths of a hit point.
    pub(crate) fn standing(&self, s: &State) -> i32 {
        let combat = &s.combat;
        if self.won(s) {
            return DECIDED + 10 * i32::from(combat.player().hp);
        }
        if matches!(combat.stage, Stage::Lost) {
            return -DECIDED;
        }
        let foes: i32 = combat.enemies().map(|who| self.foe_weight(s, who)).sum();
        let player = combat.player();
        let open = (self.coming(s) - i32::from(player.block)).max(0);
        let deadly = if open >= i32::from(player.hp) { DECIDED / 10 } else { 0 };
        let spare = (i32::from(player.block) - self.coming(s)).max(0);
        10 * i32::from(player.hp) - 12 * open - deadly - foes
            + self.power_weight(s, PLAYER)
            + spare
            + 4 * combat.hand.len() as i32
            + 30 * i32::from(combat.energy)
            + 20 * combat.orbs.len() as i32
    }

    /// Damage that comes at the end of the turn. Hidden intents are guessed at.
    fn coming(&self, s: &State) -> i32 {
        let guess = i32::from(s.run.act.max(1)) * 6;
        let hits = |who| self.intended_hits(s, who).iter().map(|(damage, times)| damage * times).sum::<i32>();
        let hidden = self.hides_intents(s);
        s.combat.enemies().map(|who| if hidden { guess } else { hits(who) }).sum()
    }

    /// An enemy's HP and block, what it is in itself, and its powers.
    fn foe_weight(&self, s: &State, who: u8) -> i32 {
        let body = &s.combat.bodies[who as usize];
        40 + 10 * i32::from(body.hp) + 4 * i32::from(body.block) + self.power_weight(s, who)
    }

    /// Powers of somebody: good ones count for him, bad ones against.
    fn power_weight(&self, s: &State, who: u8) -> i32 {
        let weight = |held: &crate::state::Power| {
            let n = i32::from(held.n).clamp(-8, 8) * 12;
            if self.is_debuff(held.id, held.n) { -n.abs() } else { n }
        };
        s.combat.bodies[who as usize].powers.iter().map(weight).sum()
    }
}

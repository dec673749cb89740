//! What a card costs, and whether it may be played.

use super::numbers::About;
use crate::catalog::compile::{COST_NONE, COST_X, Num};
use crate::catalog::words::{CardType, Flag, Prevent, Stage};
use crate::effect::{Ctx, Origin, Source};
use crate::eval::Env;
use crate::game::Spire;
use crate::state::{Card, NO_COST, NOBODY, PLAYER, Slot, State, card_flag};
use turnstone::Rejection;

/// Cards that anybody may play in one turn: some come back to the hand for nothing, and every turn ends.
const MOST_PLAYED: u8 = 250;

impl Spire {
    /// The memory of a card's own program.
    pub fn card_ctx(&self, slot: Slot) -> Ctx {
        Ctx { owner: PLAYER, other: NOBODY, card: slot, n: 0, event: 0, source: Source::of(Origin::Card) }
    }

    /// Cost for this combat.
    pub(crate) fn combat_cost(&self, card: &Card) -> i8 {
        let base = self.catalog.cards[card.id as usize].forms[card.form()].cost;
        if base < 0 {
            return base;
        }
        let cost = if card.cost == NO_COST { base } else { card.cost };
        (cost + card.cost_add).max(0)
    }

    /// Cost now: -1 for X, -2 for none.
    #[inline]
    pub fn cost_now(&self, s: &State, card: &Card, slot: Slot) -> i8 {
        let brief = self.catalog.brief(card);
        let own = brief.plain() && card.cost_is_own();
        if own && !self.altered(s, Stage::CardCost, PLAYER) {
            return brief.cost;
        }
        self.changed_cost(s, card, slot, if own { Some(brief.cost) } else { None })
    }

    /// The same of a card whose own cost is known, if nothing changed it.
    #[inline(never)]
    fn changed_cost(&self, s: &State, card: &Card, slot: Slot, own: Option<i8>) -> i8 {
        let cost = own.unwrap_or_else(|| self.cost_this_turn(s, card, slot));
        if cost <= 0 {
            return cost;
        }
        let about = About { card: Some(slot), ..About::default() };
        self.altered_number(s, Stage::CardCost, PLAYER, i32::from(cost), about).0.clamp(0, 99) as i8
    }

    /// Cost this turn before powers have their say: -1 for X, -2 for none.
    pub fn cost_this_turn(&self, s: &State, card: &Card, slot: Slot) -> i8 {
        let form = &self.catalog.cards[card.id as usize].forms[card.form()];
        let cost = self.combat_cost(card);
        if cost == COST_X && !card.has(card_flag::CONFUSED) {
            return COST_X;
        }
        if cost < 0 {
            return if self.playable_clutter(s, card) { 0 } else { cost };
        }
        if card.has(card_flag::FREE_ONCE) || card.turn_cost == 0 || card.cost == 0 {
            return 0;
        }
        let mut cost = if card.turn_cost == NO_COST { cost } else { card.turn_cost };
        if let Some(change) = form.cost_change {
            cost = cost.saturating_add(self.changed_by(s, change, slot) - card.cost_from);
        }
        cost.max(0)
    }

    fn changed_by(&self, s: &State, change: Num, slot: Slot) -> i8 {
        self.num(change, &Env::new(s, self.card_ctx(slot))).clamp(-60, 60) as i8
    }

    /// How far the cost of a card has changed by itself.
    pub(crate) fn cost_drift(&self, s: &State, slot: Slot) -> i8 {
        let card = &s.combat.cards[slot as usize];
        let form = &self.catalog.cards[card.id as usize].forms[card.form()];
        form.cost_change.map_or(0, |change| self.changed_by(s, change, slot))
    }

    /// Curses and statuses that a relic lets be played.
    fn playable_clutter(&self, s: &State, card: &Card) -> bool {
        let flags = s.combat.relic_flags;
        match self.catalog.cards[card.id as usize].kind {
            CardType::Curse => flags >> Flag::PlayCurses as u32 & 1 != 0,
            CardType::Status => flags >> Flag::PlayStatuses as u32 & 1 != 0,
            _ => false,
        }
    }

    /// Cards that may be played this turn.
    pub fn card_limit(&self, s: &State) -> i32 {
        self.altered_number(s, Stage::CardLimit, PLAYER, MOST_PLAYED.into(), About::default()).0
    }

    /// Whether another card may be played this turn.
    #[inline]
    pub(crate) fn cards_left(&self, s: &State) -> bool {
        let played = s.combat.counts.cards_played;
        played < MOST_PLAYED
            && (!self.altered(s, Stage::CardLimit, PLAYER) || i32::from(played) < self.card_limit(s))
    }

    /// Whether a card may be played, energy aside.
    pub(crate) fn may_play(&self, s: &State, slot: Slot) -> bool {
        let card = &s.combat.cards[slot as usize];
        let form = &self.catalog.cards[card.id as usize].forms[card.form()];
        let clutter = (form.cost == COST_NONE || form.playable.is_some()) && self.playable_clutter(s, card);
        (form.cost != COST_NONE || clutter)
            && !self.forbidden(s, slot)
            && (form.playable.is_none()
                || clutter
                || self.holds(form.playable, &Env::new(s, self.card_ctx(slot))))
    }

    /// The same, with the reason.
    ///
    /// # Errors
    /// Why not.
    pub fn playable(&self, s: &State, slot: Slot) -> Result<(), Rejection> {
        if self.may_play(s, slot) {
            return Ok(());
        }
        let card = &s.combat.cards[slot as usize];
        let info = &self.catalog.cards[card.id as usize];
        if info.forms[card.form()].cost == COST_NONE {
            return Err(Rejection::new("UNPLAYABLE", format!("{} cannot be played", info.name)));
        }
        if self.forbidden(s, slot) {
            return Err(Rejection::new("FORBIDDEN", format!("{} may not be played now", info.name)));
        }
        Err(Rejection::new("CONDITION", format!("the condition of {} is not met", info.name)))
    }

    /// Whether anybody may forbid cards to be played.
    #[inline]
    pub(crate) fn plays_forbidden(&self, s: &State) -> bool {
        (s.combat.player().stops | s.combat.relic_stops) >> Prevent::Play as u32 & 1 != 0
    }

    /// A power or relic forbids it.
    fn forbidden(&self, s: &State, slot: Slot) -> bool {
        let bit = 1 << Prevent::Play as u32;
        let combat = &s.combat;
        if (combat.player().stops | combat.relic_stops) & bit == 0 {
            return false;
        }
        let mut ctx = self.card_ctx(slot);
        self.stops(s, PLAYER, Prevent::Play).into_iter().any(|(source, stop, n)| {
            ctx.source = source;
            ctx.n = n;
            self.holds(stop.when, &Env::new(s, ctx))
        })
    }

    /// Whether a card is open to the player: he may play and can pay it.
    #[inline(never)]
    pub(crate) fn may_choose(&self, s: &State, slot: Slot) -> bool {
        self.affordable(s, slot) && self.may_play(s, slot)
    }

    /// Whether there is energy for it; X cards and free ones always have enough.
    pub fn affordable(&self, s: &State, slot: Slot) -> bool {
        let card = &s.combat.cards[slot as usize];
        let cost = self.cost_now(s, card, slot);
        cost == COST_X || i16::from(cost) <= s.combat.energy
    }
}

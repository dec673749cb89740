//! Cards between piles: drawing, shuffling, discarding, exhausting, moving, making.

use crate::catalog::compile::Id;
use crate::catalog::words::{Flag, Prevent, Spot};
use crate::dice::{Die, Roller, Rolls};
use crate::effect::Effect;
use crate::event::{Event, Handful, Order, RolledCosts};
use crate::game::{Out, Settling, Spire};
use crate::rules::select::way;
use crate::seeds::java_shuffle;
use crate::state::{Card, Combat, HAND, NO_COST, PLAYER, Pile, Slot, State, card_flag};
use turnstone::{Expanded, Settled};

impl Spire {
    /// An empty draw pile is filled from the discard pile first.
    pub(crate) fn expand_draw(
        &self,
        s: &State,
        amount: i16,
        effect: Effect,
        out: &mut Out,
    ) -> Expanded<Effect> {
        let combat = &s.combat;
        if amount <= 0 || combat.hand.len() >= HAND {
            return Expanded::Nothing;
        }
        // Who may not draw does not shuffle either.
        if !combat.draw.is_empty() || !self.profile.barred_draws_shuffle && self.draw_barred(s) {
            return Expanded::Keep;
        }
        if combat.discard.is_empty() {
            return Expanded::Nothing;
        }
        out.first(Effect::Shuffle);
        out.first(effect);
        Expanded::Into
    }

    /// Whether something keeps the player from drawing.
    fn draw_barred(&self, s: &State) -> bool {
        let bit = 1u32 << Prevent::Draw as u32;
        (s.combat.player().stops | s.combat.relic_stops) & bit != 0
            && self.stops(s, PLAYER, Prevent::Draw).iter().any(|(_, stop, _)| stop.when.is_none())
    }

    /// As many cards as the draw pile and the hand allow; the rest is drawn after a shuffle.
    pub(crate) fn settle_draw(&self, s: &State, amount: i16, more: bool) -> Settling {
        let Some((cards, left)) = self.drawn(s, amount) else { return Settled::Stale };
        let costs = self.flagged(s, Flag::RandomCosts).then(|| self.roll_costs(s, &cards));
        Settled::Event(Event::Drew { cards, left, more, costs })
    }

    /// The cards that a draw brings, if it brings any, and how many are still to be drawn.
    #[inline]
    pub(super) fn drawn(&self, s: &State, amount: i16) -> Option<(Handful, u8)> {
        let combat = &s.combat;
        let wanted = (amount.max(0) as usize).min(HAND - combat.hand.len().min(HAND));
        let count = wanted.min(combat.draw.len());
        let cards = Handful::from_top(&combat.draw[combat.draw.len() - count..]);
        (count > 0).then_some((cards, (wanted - count) as u8))
    }

    /// Random costs for the cards about to be drawn.
    #[inline(never)]
    fn roll_costs(&self, s: &State, cards: &Handful) -> Box<RolledCosts> {
        let mut roller = Roller::new(s);
        let mut costs = RolledCosts::default();
        for &slot in cards.as_slice() {
            let cost = self.roll_cost(&s.combat.cards[slot as usize], &mut roller);
            costs.cards.extend(cost.map(|cost| (slot, cost)));
        }
        costs.rolls = roller.drawn();
        Box::new(costs)
    }

    /// A confused card's cost; X and unplayable cards keep theirs.
    fn roll_cost(&self, card: &Card, roller: &mut Roller<'_>) -> Option<i8> {
        let base = self.catalog.cards[card.id as usize].forms[card.form()].cost;
        if base < 0 && !self.profile.x_confused || base == crate::catalog::compile::COST_NONE {
            return None;
        }
        Some(roller.between(Die::CardRandom, 0, 3) as i8)
    }

    /// Writes a draw.
    pub(crate) fn apply_drew(&self, s: &mut State, cards: &Handful, more: bool, costs: Option<&RolledCosts>) {
        if let Some(costs) = costs {
            self.write_costs(s, costs);
        }
        let combat = &mut s.combat;
        if !more {
            combat.drawn.clear();
        }
        // The cards drawn are those on top.
        combat.draw.truncate(combat.draw.len().saturating_sub(cards.as_slice().len()));
        combat.drawn.extend_from_slice(cards.as_slice());
        combat.place_all(cards.as_slice(), Pile::Hand);
    }

    #[inline(never)]
    fn write_costs(&self, s: &mut State, costs: &RolledCosts) {
        for &(slot, cost) in &costs.cards {
            s.combat.cards[slot as usize].cost_from = self.cost_drift(s, slot);
            let card = &mut s.combat.cards[slot as usize];
            (card.cost, card.flags) = (cost, (card.flags | card_flag::CONFUSED) & !card_flag::FREE_ONCE);
        }
    }

    /// The discard pile becomes the draw pile.
    pub(crate) fn settle_shuffle(&self, s: &State, whole: bool) -> Settling {
        let mut roller = Roller::new(s);
        let order = match roller.shuffle_key() {
            _ if s.combat.no_shuffle => Order::Kept,
            Some(key) => Order::Key(key),
            None => {
                let discard: &[Slot] = if whole { &s.combat.discard } else { &[] };
                let mut pile = [&s.combat.draw, discard].concat();
                roller.shuffle(&mut pile);
                Order::Cards(pile.into())
            }
        };
        let rolls = if s.combat.no_shuffle { Rolls::NONE } else { roller.drawn() };
        Settled::Event(match whole {
            true => Event::Shuffled { order, rolls },
            false => Event::DrawShuffled { order, rolls },
        })
    }

    /// Writes a shuffle.
    pub(crate) fn apply_shuffle(&self, s: &mut State, order: &Order, whole: bool) {
        match order {
            // The original shuffles the discard pile alone and puts it on top of what is left.
            Order::Key(key) if whole => {
                let Combat { draw, discard, cards, .. } = &mut s.combat;
                java_shuffle(discard, *key);
                for &slot in discard.iter() {
                    cards[slot as usize].pile = Pile::Draw;
                }
                draw.append(discard);
            }
            Order::Key(key) => {
                java_shuffle(&mut s.combat.draw, *key);
                relist(&mut s.combat);
            }
            Order::Cards(cards) => {
                take_discard(&mut s.combat, whole);
                s.combat.draw.clear();
                s.combat.draw.extend_from_slice(cards);
                relist(&mut s.combat);
            }
            Order::Kept | Order::Hidden => {
                take_discard(&mut s.combat, whole);
                let Combat { draw, order, .. } = &mut s.combat;
                if !order.is_empty() {
                    draw.sort_by_key(|&slot| std::cmp::Reverse(order[slot as usize]));
                }
            }
        }
    }

    /// A card goes to a spot.
    pub(crate) fn settle_put(&self, s: &State, slot: Slot, spot: Spot) -> Settling {
        let Some(card) = s.combat.cards.get(slot as usize) else { return Settled::Stale };
        let full = s.combat.hand.len() >= HAND;
        let spot = match (spot, card.pile) {
            // Fetched from the draw pile into a full hand: discarded. From elsewhere: it stays.
            (Spot::Hand, Pile::Draw) if full => Spot::Discard,
            (Spot::Hand, _) if full => return Settled::Stale,
            (spot, _) => spot,
        };
        let mut roller = Roller::new(s);
        let place = self.roll_spot(s, spot, &mut roller);
        Settled::Event(Event::Moved { slot, spot, place, rolls: roller.drawn() })
    }

    /// Draws what placing a card there needs: how many cards of the draw pile lie below it. In the original it
    /// goes below a card that lies there, so that it is never on top.
    pub(crate) fn roll_spot(&self, s: &State, spot: Spot, roller: &mut Roller<'_>) -> u16 {
        let there = s.combat.draw.len();
        match spot {
            Spot::DrawRandom if roller.original() => roller.index(Die::CardRandom, there) as u16,
            Spot::DrawRandom => (there - roller.index(Die::CardRandom, there + 1)) as u16,
            _ => 0,
        }
    }

    /// Puts a lifted card to a spot.
    pub(crate) fn drop_at(&self, s: &mut State, slot: Slot, spot: Spot, place: u16) {
        let combat = &mut s.combat;
        let pile = match spot {
            Spot::Hand => Pile::Hand,
            Spot::Discard => Pile::Discard,
            Spot::Exhaust => Pile::Exhaust,
            Spot::Limbo => Pile::Limbo,
            Spot::Deck => Pile::Gone,
            Spot::DrawTop | Spot::DrawBottom | Spot::DrawRandom | Spot::DrawShuffled => Pile::Draw,
        };
        if pile != Pile::Draw || spot == Spot::DrawShuffled && !combat.order.is_empty() {
            combat.place(slot, pile);
            return;
        }
        let length = combat.draw.len();
        let at = match spot {
            Spot::DrawBottom => 0,
            Spot::DrawRandom => usize::from(place).min(length),
            _ => length,
        };
        combat.cards[slot as usize].pile = Pile::Draw;
        if !combat.order.is_empty() {
            self.insert_in_list(combat, slot, at);
        }
        combat.draw.insert(at, slot);
    }

    /// With one list of all cards: in front of the draw card above which it is put, the top being the front.
    fn insert_in_list(&self, combat: &mut Combat, slot: Slot, at: usize) {
        let below = at.checked_sub(1).and_then(|index| combat.draw.get(index)).copied();
        let key = match (below, at == combat.draw.len()) {
            (_, true) => combat.order.iter().min().copied().unwrap_or(0) - 1,
            (Some(below), false) => {
                let key = combat.order[below as usize];
                combat.order.iter_mut().filter(|other| **other >= key).for_each(|other| *other += 1);
                key
            }
            (None, false) => combat.order.iter().max().copied().unwrap_or(0) + 1,
        };
        combat.order[slot as usize] = key;
    }

    /// Where a new card really goes, and the dice for its place there.
    pub(crate) fn made_at(&self, s: &State, spot: Spot) -> (Spot, u16, Rolls) {
        let mut roller = Roller::new(s);
        let spot = self.room(s, spot);
        let place = self.roll_spot(s, spot, &mut roller);
        (spot, place, roller.drawn())
    }

    /// Upgraded already when a power makes created cards so.
    pub(crate) fn created_up(&self, s: &State, card: Id, up: u8) -> u8 {
        let upgradable = self.upgradable(&Card::new(card, 0));
        if upgradable && self.flagged(s, Flag::UpgradeCreated) { up.max(1) } else { up }
    }

    /// Writes a new card and gives its slot.
    pub(crate) fn add_card(&self, s: &mut State, card: Card, spot: Spot, place: u16) -> Slot {
        let slot = s.combat.cards.len() as Slot;
        s.combat.cards.push(card);
        if !s.combat.order.is_empty() {
            let last = s.combat.order.iter().max().copied().unwrap_or(0);
            s.combat.order.push(last + 1);
        }
        let ears = &self.catalog.cards[card.id as usize].forms[card.form()].ears;
        s.combat.card_moments |= ears.moments;
        s.combat.card_stages |= ears.stages;
        s.combat.hints.repriced |= card.turn_cost != NO_COST;
        s.combat.hints.marks = s.combat.hints.marks.or(self.catalog.brief(&card).marks);
        if ears.stages != 0 {
            self.refresh_union(s);
        } else if ears.moments != 0 {
            self.refresh_sounds(s);
        }
        self.drop_at(s, slot, spot, place);
        slot
    }

    /// A card as it is when created.
    pub(crate) fn made_card(&self, id: Id, up: u8, cost: i8, combat_cost: bool, kept: i16) -> Card {
        let mut card = Card::new(id, up);
        card.kept = kept;
        let base = self.catalog.cards[id as usize].forms[card.form()].cost;
        if cost != NO_COST && base >= 0 {
            if combat_cost {
                card.cost = cost;
            } else {
                card.turn_cost = cost;
            }
        }
        card
    }

    /// A card's cost changes.
    pub(crate) fn settle_price(&self, s: &State, slot: Slot, price: i8, way: u8) -> Settling {
        let Some(card) = s.combat.cards.get(slot as usize) else { return Settled::Stale };
        let base = self.catalog.cards[card.id as usize].forms[card.form()].cost;
        // Nothing is free that costs nothing anyway.
        if base < 0 || way == way::PLAYED && self.combat_cost(card) == 0 {
            return Settled::Stale;
        }
        let mut roller = Roller::new(s);
        let price = if way == way::ROLL { roller.between(Die::CardRandom, 0, 3) as i8 } else { price };
        Settled::Event(Event::Priced { slot, price, way, rolls: roller.drawn() })
    }

    /// Writes a changed cost.
    pub(crate) fn apply_price(&self, s: &mut State, slot: Slot, price: i8, way: u8) {
        let own = self.combat_cost(&s.combat.cards[slot as usize]);
        if way == way::COMBAT || way == way::ROLL && price != own {
            s.combat.cards[slot as usize].cost_from = self.cost_drift(s, slot);
        }
        s.combat.hints.repriced |= way == way::TURN;
        let card = &mut s.combat.cards[slot as usize];
        match way {
            way::TURN => card.turn_cost = price,
            way::COMBAT => (card.cost, card.cost_add) = (price, 0),
            // A roll of what it costs anyway changes nothing, not even its cost of this turn.
            way::ROLL if price != own => (card.cost, card.cost_add, card.turn_cost) = (price, 0, NO_COST),
            way::ROLL => {}
            way::PLAYED => card.flags |= card_flag::FREE_ONCE,
            _ => card.cost_add = card.cost_add.saturating_add(price),
        }
    }
}

/// The discard pile comes upon the draw pile.
fn take_discard(combat: &mut Combat, whole: bool) {
    let Combat { draw, discard, cards, .. } = combat;
    if whole {
        for slot in discard.drain(..) {
            cards[slot as usize].pile = Pile::Draw;
            draw.push(slot);
        }
    }
}

/// After a shuffle of the draw pile the list of all cards follows it.
fn relist(combat: &mut Combat) {
    let Combat { draw, order, .. } = combat;
    if order.is_empty() {
        return;
    }
    let mut keys: Vec<i32> = draw.iter().map(|&slot| order[slot as usize]).collect();
    keys.sort_unstable_by(|a, b| b.cmp(a));
    for (&slot, key) in draw.iter().zip(keys) {
        order[slot as usize] = key;
    }
}

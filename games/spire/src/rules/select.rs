//! Choosing cards: who may choose, among which, and what then happens to the chosen ones.

use super::numbers::About;
use crate::catalog::compile::{Id, Making, Op, Picking, Price, Program, Select};
use crate::catalog::words::{Color, Moment, Pool, Rarity, Spot, Stage, Throw, Until, Zone};
use crate::dice::{Die, Roller, Rolls};
use crate::effect::{Ctx, Effect, Way};
use crate::eval::Env;
use crate::event::{Choice, Event, Offered, Selected};
use crate::game::{Out, Settling, Spire};
use crate::question::{Answer, Asked, Question};
use crate::state::{Card, HAND, NO_CARD, NOBODY, PLAYER, Slot, State, card_flag};
use smallvec::SmallVec;
use turnstone::{Lane, Settled};

/// How the cards of an offer are rolled.
type RollOffer = fn(&Spire, &State, &Op, Ctx, &mut Roller<'_>) -> Vec<(Id, u8)>;

/// A few cards.
pub(crate) type Slots = SmallVec<[Slot; 12]>;

/// Ways of changing a cost, for [`Effect::Price`].
pub(crate) mod way {
    /// Set until the turn ends.
    pub(crate) const TURN: u8 = 0;
    /// Set for the combat.
    pub(crate) const COMBAT: u8 = 1;
    /// Set until it is played.
    pub(crate) const PLAYED: u8 = 2;
    /// Added for the combat.
    pub(crate) const ADD: u8 = 3;
    /// Rolled for the combat.
    pub(crate) const ROLL: u8 = 4;

    /// A way as a word.
    pub(crate) fn word(way: u8) -> Option<&'static str> {
        ["turn", "combat", "played", "add", "roll"].get(usize::from(way)).copied()
    }
}

impl Spire {
    /// The cards a step picks from.
    pub fn candidates(&self, s: &State, op: &Op, ctx: Ctx) -> Slots {
        let mut out = Slots::new();
        if let Op::Scry { amount } = op {
            let env = Env::new(s, ctx);
            let count = self.num(*amount, &env);
            let (count, _) = self.altered_number(s, Stage::ScryCount, PLAYER, count, About::default());
            out.extend(s.combat.draw.iter().rev().take(count.max(0) as usize).copied());
            return out;
        }
        let Some(select) = select_of(op) else { return out };
        let env = Env::new(s, ctx);
        // A card that went and came back was drawn twice and is still one card.
        let may_repeat = matches!(select.from, Zone::Drawn | Zone::Chosen);
        self.each_in(s, select.from, ctx.slot(), |slot| {
            let own = slot == ctx.slot() && !matches!(select.from, Zone::This | Zone::Trigger);
            let again = may_repeat && out.contains(&slot);
            if !own && !again && self.passes(select.filter, slot, &env) {
                out.push(slot);
            }
        });
        // What is looked for in the draw pile is shown in the order of the cards, not in that of the pile.
        let looks = matches!(select.from, Zone::Draw | Zone::Combat | Zone::Anywhere);
        if looks && !matches!(select.how, Picking::Top(_)) && !self.profile.piles_shown_as_they_lie {
            out.sort_by_key(|&slot| (s.combat.cards[slot as usize].id, slot));
        }
        out
    }

    /// How many must and may be picked.
    fn bounds(&self, s: &State, op: &Op, ctx: Ctx, there: usize) -> (usize, usize) {
        if let Op::Scry { .. } = op {
            return (0, there);
        }
        let Some(select) = select_of(op) else { return (0, 0) };
        let env = Env::new(s, ctx);
        let number = |num| self.num(num, &env).clamp(0, 99) as usize;
        match select.how {
            Picking::All => (there, there),
            Picking::Choose(n) => (number(n).min(there), number(n).min(there)),
            Picking::UpTo(n) => (0, number(n).min(there)),
            Picking::Random(n) | Picking::Top(n) => (number(n).min(there), number(n).min(there)),
        }
    }

    /// Settles a step that picks cards, offers cards or offers options.
    pub(crate) fn settle_step(&self, s: &State, program: Program, pc: u8, ctx: Ctx) -> Settling {
        let Some(op) = self.catalog.program(program).get(pc as usize) else { return Settled::Stale };
        let combat = &s.combat;
        // Nobody chooses any more when nobody is left to fight.
        if combat.decided && !self.profile.choices_outlive_victory {
            return Settled::Stale;
        }
        let selected = |choice, rolls| {
            Settled::Event(Event::Selected(Box::new(Selected { choice, program, pc, ctx, rolls })))
        };
        let option = || Choice::Option(combat.picks.first().map(|&index| index as u8));
        match op {
            Op::ChooseOne { options } => {
                if combat.picked {
                    return selected(option(), Rolls::NONE);
                }
                return Settled::Ask(
                    0,
                    Asked::Fight(Question::Option { count: options.len() as u8, program, pc }),
                );
            }
            Op::Create { made: Making::Pool(..), skippable, .. } => {
                if combat.picked {
                    return selected(option(), Rolls::NONE);
                }
                if combat.offer.is_empty() {
                    return self.settle_offer(s, program, pc, ctx, Self::roll_offer);
                }
                return Settled::Ask(0, Asked::Fight(Question::Offer { skippable: *skippable }));
            }
            Op::Upgrade { cards } if cards.from == Zone::Deck => return self.settle_deck_upgrade(s, op, ctx),
            _ => {}
        }
        if combat.picked {
            let chosen = combat.picks.iter().copied().collect();
            return selected(self.chosen(s, op, ctx, chosen), Rolls::NONE);
        }
        let candidates = self.candidates(s, op, ctx);
        if let Some(Select { how: Picking::Random(_), .. }) = select_of(op) {
            if candidates.is_empty() {
                return Settled::Stale;
            }
            let mut roller = Roller::new(s);
            let chosen = self.roll_cards(s, op, ctx, candidates, &mut roller);
            return selected(self.chosen(s, op, ctx, chosen), roller.drawn());
        }
        if let Some((min, max)) = self.question(s, op, ctx, candidates.len()) {
            let question = Question::Cards { program, pc, ctx, min: min as u8, max: max as u8 };
            return Settled::Ask(0, Asked::Fight(question));
        }
        if candidates.is_empty() && !matches!(op, Op::Scry { .. }) && !self.counts_nothing(op) {
            return Settled::Stale;
        }
        let rolls = self.put_back(s, op, candidates.len());
        let chosen = self.unasked(s, op, ctx, candidates);
        selected(self.chosen(s, op, ctx, chosen), rolls)
    }

    /// The cards of a choice as a fact: which they are, what the first costs, how the hand lies then.
    fn chosen(&self, s: &State, op: &Op, ctx: Ctx, cards: Slots) -> Choice {
        let cost = cards.first().map_or(0, |&slot| {
            let card = s.combat.cards[slot as usize];
            match self.cost_now(s, &card, slot) {
                crate::catalog::compile::COST_X => s.combat.energy,
                cost => i16::from(cost.max(0)),
            }
        });
        let lies = s.combat.picked && s.run.dice.is_some();
        let hand = if lies { self.hand_after(s, op, ctx, &cards) } else { Vec::new() };
        Choice::Cards { cards: cards.to_vec(), cost, hand }
    }

    /// Cards that are put back without a question cost the original a draw each, as far as its count goes while
    /// the hand shrinks.
    fn put_back(&self, s: &State, op: &Op, there: usize) -> Rolls {
        let mut roller = Roller::new(s);
        if select_of(op).is_some_and(|select| select.dice == Throw::PutBack) && roller.original() {
            (0..there.div_ceil(2)).for_each(|_| roller.waste(Die::CardRandom));
        }
        roller.drawn()
    }

    /// Steps after which `handled` matters even if nothing was there to handle.
    fn counts_nothing(&self, op: &Op) -> bool {
        matches!(op, Op::Discard { .. } | Op::Exhaust { .. } | Op::Move { .. })
    }

    /// Whether the player is asked, and for how many.
    fn question(&self, s: &State, op: &Op, ctx: Ctx, there: usize) -> Option<(usize, usize)> {
        let asks = match op {
            Op::Scry { .. } => true,
            _ => select_of(op).is_some_and(|select| super::steps::asks(select.how)),
        };
        if !asks || there == 0 {
            return None;
        }
        let (min, max) = self.bounds(s, op, ctx, there);
        if self.answers_itself(s, ctx) {
            return None;
        }
        if self.profile.scarce_choices_skipped {
            return (max > 0 && self.enough(s, op, ctx, there)).then_some((min, max));
        }
        (max > 0 && (min < there || min != max)).then_some((min, max))
    }

    /// In the recorded engine a choice of more cards than there are is skipped.
    fn enough(&self, s: &State, op: &Op, ctx: Ctx, there: usize) -> bool {
        match select_of(op).map(|select| select.how) {
            Some(Picking::Choose(n)) => self.num(n, &Env::new(s, ctx)) as usize <= there,
            _ => true,
        }
    }

    /// Cards played by effects choose for themselves in the recorded engine.
    fn answers_itself(&self, s: &State, ctx: Ctx) -> bool {
        self.profile.auto_cards_answer
            && s.combat.cards.get(ctx.slot() as usize).is_some_and(|card| card.has(card_flag::AUTO))
    }

    fn roll_cards(&self, s: &State, op: &Op, ctx: Ctx, mut from: Slots, roller: &mut Roller<'_>) -> Slots {
        let (count, _) = self.bounds(s, op, ctx, from.len());
        let throw = select_of(op).map_or(Throw::Even, |select| select.dice);
        let mut out = Slots::new();
        if roller.original() {
            match throw {
                Throw::Retry => return self.roll_until(s, op, ctx, from, count, roller),
                Throw::Searched => return self.roll_searched(s, from, count, roller),
                Throw::Shuffled => {
                    roller.shuffle(&mut from);
                    from.truncate(count);
                    return from;
                }
                Throw::Even if count >= from.len() => return from,
                Throw::Even | Throw::Always | Throw::PutBack => {}
            }
        }
        for _ in 0..count {
            let index = roller.index(Die::CardRandom, from.len());
            out.push(from.remove(index));
        }
        out
    }

    /// Drawn over all cards of the zone until one is hit that qualifies.
    fn roll_until(
        &self,
        s: &State,
        op: &Op,
        ctx: Ctx,
        mut from: Slots,
        count: usize,
        roller: &mut Roller<'_>,
    ) -> Slots {
        let mut zone = Slots::new();
        if let Some(select) = select_of(op) {
            self.each_in(s, select.from, ctx.slot(), |slot| zone.push(slot));
        }
        let mut out = Slots::new();
        // Bounded by what an event can count.
        for _ in 0..250 {
            if out.len() >= count || zone.is_empty() {
                break;
            }
            let hit = zone[roller.index(Die::CardRandom, zone.len())];
            if let Some(index) = from.iter().position(|&slot| slot == hit) {
                out.push(from.remove(index));
            }
        }
        out
    }

    /// Those that qualify, the lowest card first, are laid out: the first one, then each in front of a random
    /// one. For each card taken they are shuffled, and the first is taken.
    fn roll_searched(&self, s: &State, from: Slots, count: usize, roller: &mut Roller<'_>) -> Slots {
        let mut laid = Slots::new();
        for &slot in s.combat.draw.iter().filter(|slot| from.contains(slot)) {
            let at = if laid.is_empty() { 0 } else { roller.index(Die::CardRandom, laid.len()) };
            laid.insert(at, slot);
        }
        let mut out = Slots::new();
        for _ in 0..count.min(laid.len()) {
            roller.shuffle(&mut laid);
            out.push(laid.remove(0));
        }
        out
    }

    /// The cards meant when nobody is asked and nothing is rolled.
    fn unasked(&self, s: &State, op: &Op, ctx: Ctx, candidates: Slots) -> Slots {
        if let Some(Select { how: Picking::UpTo(_), .. }) | None = select_of(op) {
            return Slots::new();
        }
        if self.profile.scarce_choices_skipped && !self.enough(s, op, ctx, candidates.len()) {
            return Slots::new();
        }
        let (count, _) = self.bounds(s, op, ctx, candidates.len());
        candidates.into_iter().take(count).collect()
    }

    /// Writes a choice.
    pub(crate) fn apply_selected(&self, s: &mut State, choice: &Choice) {
        let combat = &mut s.combat;
        combat.chosen.clear();
        match choice {
            // An option is no card: what a later step calls the chosen ones are none.
            Choice::Option(_) => {}
            Choice::Cards { cards, cost, hand } => {
                combat.handled = cards.len() as i16;
                combat.handled_cost = *cost;
                combat.chosen.extend_from_slice(cards);
                if !hand.is_empty() {
                    combat.hand.clear();
                    combat.hand.extend(hand.iter().copied());
                }
            }
        }
        combat.picks.clear();
        combat.picked = false;
    }

    /// Cards that were chosen in the hand and stay there come behind the others; behind them those that could not
    /// be chosen. Empty if nothing changes its place.
    fn hand_after(&self, s: &State, op: &Op, ctx: Ctx, chosen: &[Slot]) -> Vec<Slot> {
        let stays =
            matches!(op, Op::Upgrade { cards, .. } | Op::Retain { cards } if cards.from == Zone::Hand);
        if !stays {
            return Vec::new();
        }
        let open = self.candidates(s, op, ctx);
        let mut hand: Vec<Slot> = s.combat.hand.to_vec();
        hand.sort_by_key(|slot| match (open.contains(slot), chosen.contains(slot)) {
            (true, false) => 0,
            (true, true) => 1,
            (false, _) => 2,
        });
        hand
    }

    /// What happens to the chosen cards, or what the chosen option is.
    pub(crate) fn follow_selected(&self, s: &State, selected: &Selected, out: &mut Out) {
        let Selected { ref choice, program, pc, ctx, .. } = *selected;
        let Some(op) = self.catalog.program(program).get(pc as usize) else { return };
        let env = Env::new(s, ctx);
        let chosen = &s.combat.chosen;
        match op {
            Op::Discard { .. } => {
                each(out, chosen, |slot| Effect::Discard { slot, effect: true });
            }
            Op::Exhaust { .. } => {
                each(out, chosen, |slot| Effect::Exhaust { slot, played: false });
            }
            Op::Scry { .. } => {
                each(out, chosen, |slot| Effect::Put { slot, spot: Spot::Discard });
                out.first(self.moment(Moment::Scried, PLAYER));
            }
            Op::Move { cards, to } => self.move_chosen(s, cards, *to, out),
            Op::Upgrade { .. } => each(out, chosen, |slot| Effect::Upgrade { slot }),
            Op::Retain { .. } => each(out, chosen, |slot| Effect::Retain { slot }),
            Op::Cost { price, until, .. } => {
                for &slot in chosen {
                    out.first(self.price_effect(slot, *price, *until, &env));
                    let card = &s.combat.cards[slot as usize];
                    if card.has(card_flag::COPY) && !self.profile.copies_priced_alone {
                        out.first(self.price_effect(card.of, *price, *until, &env));
                    }
                }
            }
            Op::Play { times, exhaust, .. } => {
                let times = self.num(*times, &env).max(1);
                for &slot in chosen {
                    for time in 0..times {
                        let way = if time == 0 { Way::Auto } else { Way::Copy };
                        out.agenda(Effect::Play {
                            slot,
                            target: NOBODY,
                            x: i16::MIN,
                            way,
                            exhaust: *exhaust,
                        });
                    }
                }
            }
            Op::Create { made: Making::Copy(_), count, to, .. } => {
                let count = self.num(*count, &env).clamp(0, 20);
                for &of in chosen {
                    for _ in 0..count {
                        out.first(Effect::CreateCopy { of, spot: *to });
                    }
                }
            }
            Op::Create { made: Making::Pool(..), count, to, upgraded, cost, .. } => {
                let Some(&(card, up)) = choice.option().and_then(|index| s.combat.offer.get(index)) else {
                    out.first(Effect::OfferDone);
                    return;
                };
                let up = up.max(u8::from(self.num(*upgraded, &env) != 0));
                let (price, combat) = self.created_cost(cost, &env);
                for _ in 0..self.num(*count, &env).clamp(1, 10) {
                    out.first(Effect::Create {
                        card,
                        up,
                        spot: *to,
                        cost: price,
                        combat_cost: combat,
                        kept: 0,
                    });
                }
                out.first(Effect::OfferDone);
            }
            Op::ChooseOne { options } => {
                if let Some(&program) = choice.option().and_then(|index| options.get(index)) {
                    self.propose(s, program, ctx, Lane::First, out);
                }
            }
            _ => {}
        }
    }

    /// Cards on top of the draw pile lie in the order chosen, the first one on top.
    fn move_chosen(&self, s: &State, cards: &Select, to: Spot, out: &mut Out) {
        let chosen = &s.combat.chosen;
        // The whole discard pile shuffled in is what an empty draw pile brings about, and counts as that.
        let whole =
            cards.from == Zone::Discard && matches!(cards.how, Picking::All) && cards.filter.is_none();
        if to == Spot::DrawShuffled && whole && !self.profile.whole_pile_is_no_shuffle {
            if !chosen.is_empty() {
                out.first(Effect::Shuffle);
                // The original shuffles it by itself, then the whole draw pile.
                if s.run.dice.is_some() && cards.dice != Throw::Shuffled {
                    out.first(Effect::ShuffleDraw);
                }
            }
            return;
        }
        if to == Spot::DrawTop {
            for &slot in chosen.iter().rev() {
                out.first(Effect::Put { slot, spot: to });
            }
            return;
        }
        if to == Spot::DrawShuffled {
            each(out, chosen, |slot| Effect::Put { slot, spot: Spot::DrawTop });
            out.first(Effect::ShuffleDraw);
            return;
        }
        for &slot in chosen {
            out.first(Effect::Put { slot, spot: to });
        }
    }

    fn price_effect(&self, slot: Slot, price: Price, until: Until, env: &Env<'_>) -> Effect {
        let (price, way) = match (price, until) {
            (Price::Roll, _) => (0, way::ROLL),
            (Price::Add(n), _) => (self.num(n, env).clamp(-99, 99) as i8, way::ADD),
            (Price::Set(n), Until::Turn) => (self.num(n, env).clamp(0, 99) as i8, way::TURN),
            (Price::Set(n), Until::Combat) => (self.num(n, env).clamp(0, 99) as i8, way::COMBAT),
            (Price::Set(_), Until::Played) => (0, way::PLAYED),
        };
        Effect::Price { slot, price, way }
    }

    /// The recorded engine's pools: its own cards of every rarity, in the order of their recorded names.
    fn seed_pool(&self, s: &State, pool: Pool, filter: Option<u16>, ctx: Ctx) -> Vec<Id> {
        let color = self.catalog.characters.get(s.run.character as usize).map(|character| character.color);
        let mut env = Env::new(s, ctx);
        let mut out: Vec<Id> = (0..self.catalog.cards.len() as Id)
            .filter(|&id| {
                let info = &self.catalog.cards[id as usize];
                env.test = Some((Card::new(id, 0), NO_CARD));
                !info.alias.is_empty()
                    && (pool != Pool::Class || Some(info.color) == color)
                    && self.holds(filter, &env)
            })
            .collect();
        out.sort_by(|&a, &b| {
            self.catalog.cards[a as usize].alias[0].cmp(&self.catalog.cards[b as usize].alias[0])
        });
        out
    }

    /// One card of an offer: evenly, or by rarity in the recorded engine.
    fn offered(&self, from: &[Id], pool: Pool, roller: &mut Roller<'_>) -> usize {
        if !self.profile.recorded_pools {
            return if pool == Pool::AnyClass {
                self.by_rarity(from, roller)
            } else {
                roller.index(Die::CardRandom, from.len())
            };
        }
        let weight = |id: &Id| match self.catalog.cards[*id as usize].rarity {
            _ if self.catalog.cards[*id as usize].color == Color::CURSE => 0,
            Rarity::Common => 60,
            Rarity::Uncommon => 30,
            Rarity::Basic => 0,
            _ => 10,
        };
        let total: usize = from.iter().map(weight).sum();
        let mut roll = roller.index(Die::CardRandom, total);
        from.iter()
            .position(|id| {
                let hit = roll < weight(id);
                roll = roll.saturating_sub(weight(id));
                hit
            })
            .unwrap_or(0)
    }

    /// Of all characters' cards first the rarity is rolled: 55 common, 30 uncommon, 15 rare.
    fn by_rarity(&self, from: &[Id], roller: &mut Roller<'_>) -> usize {
        let rarity = match roller.index(Die::CardRandom, 100) {
            0..55 => Rarity::Common,
            55..85 => Rarity::Uncommon,
            _ => Rarity::Rare,
        };
        let such = |id: Id| self.catalog.cards[id as usize].rarity == rarity;
        let count = from.iter().filter(|&&id| such(id)).count();
        if count == 0 {
            return roller.index(Die::CardRandom, from.len());
        }
        let pick = roller.index(Die::CardRandom, count);
        from.iter().enumerate().filter(|&(_, &id)| such(id)).nth(pick).map_or(0, |(index, _)| index)
    }

    /// All cards of a pool that pass a filter, in id order.
    pub fn pool(&self, s: &State, pool: Pool, filter: Option<u16>, ctx: Ctx) -> Vec<Id> {
        if self.profile.recorded_pools {
            return self.seed_pool(s, pool, filter, ctx);
        }
        let color = self.catalog.characters.get(s.run.character as usize).map(|character| character.color);
        let mut env = Env::new(s, ctx);
        let mut passes = |id: &Id| {
            env.test = Some((Card::new(*id, 0), NO_CARD));
            self.holds(filter, &env)
        };
        self.catalog.pool(pool, color).iter().copied().filter(&mut passes).collect()
    }

    /// Different random cards to choose from.
    pub(crate) fn roll_offer(&self, s: &State, op: &Op, ctx: Ctx, roller: &mut Roller<'_>) -> Vec<(Id, u8)> {
        let Op::Create { made: Making::Pool(pool, filter), offer, upgraded, .. } = op else {
            return Vec::new();
        };
        let env = Env::new(s, ctx);
        let up = u8::from(self.num(*upgraded, &env) != 0);
        let mut from = self.pool(s, *pool, *filter, ctx);
        let mut out: Vec<(Id, u8)> = Vec::new();
        let shown = self.num(*offer, &env).clamp(0, 20) as usize;
        if roller.original() {
            return self.roll_different(&from, *pool, shown, up, roller);
        }
        for _ in 0..shown {
            if from.is_empty() {
                break;
            }
            let index = self.offered(&from, *pool, roller);
            out.push((from.remove(index), up));
        }
        out
    }

    /// The original draws until all are different.
    fn roll_different(
        &self,
        from: &[Id],
        pool: Pool,
        count: usize,
        up: u8,
        roller: &mut Roller<'_>,
    ) -> Vec<(Id, u8)> {
        let mut out: Vec<(Id, u8)> = Vec::new();
        for _ in 0..250 {
            if out.len() >= count.min(from.len()) {
                break;
            }
            let card = from[self.offered(from, pool, roller)];
            if out.iter().all(|(other, _)| *other != card) {
                out.push((card, up));
            }
        }
        out
    }

    /// All random cards of a step, before any of them is put anywhere.
    pub(crate) fn settle_conjure_all(&self, s: &State, program: Program, pc: u8, ctx: Ctx) -> Settling {
        self.settle_offer(s, program, pc, ctx, Self::roll_conjured)
    }

    /// Cards are rolled that a step shows, or makes all of.
    fn settle_offer(&self, s: &State, program: Program, pc: u8, ctx: Ctx, roll: RollOffer) -> Settling {
        let Some(op) = self.catalog.program(program).get(pc as usize) else { return Settled::Stale };
        let mut roller = Roller::new(s);
        let cards = roll(self, s, op, ctx, &mut roller);
        if cards.is_empty() {
            return Settled::Stale;
        }
        let rolls = roller.drawn();
        Settled::Event(Event::Offered(Box::new(Offered { cards, program, pc, ctx, rolls })))
    }

    /// As many random cards of a pool as a step makes, each of them any.
    fn roll_conjured(&self, s: &State, op: &Op, ctx: Ctx, roller: &mut Roller<'_>) -> Vec<(Id, u8)> {
        let Op::Create { made: Making::Pool(pool, filter), count, upgraded, .. } = op else {
            return Vec::new();
        };
        let env = Env::new(s, ctx);
        let up = u8::from(self.num(*upgraded, &env) != 0);
        let from = self.pool(s, *pool, *filter, ctx);
        let count = if from.is_empty() { 0 } else { self.num(*count, &env).clamp(0, 50) };
        (0..count).map(|_| (from[roller.index(Die::CardRandom, from.len())], up)).collect()
    }

    /// What is shown is asked about; what is not shown is made.
    pub(crate) fn follow_offered(&self, s: &State, program: Program, pc: u8, ctx: Ctx, out: &mut Out) {
        let env = Env::new(s, ctx);
        let op = self.catalog.program(program).get(pc as usize);
        let Some(Op::Create { offer, to, cost, .. }) = op else { return };
        if self.num(*offer, &env) != 0 {
            out.first(Effect::Step { program, pc, ctx });
            return;
        }
        let (price, combat_cost) = self.created_cost(cost, &env);
        for &(card, up) in &s.combat.offer {
            out.first(Effect::Create { card, up, spot: *to, cost: price, combat_cost, kept: 0 });
        }
        out.first(Effect::OfferDone);
    }

    /// One random card of a pool.
    pub(crate) fn settle_conjure(&self, s: &State, program: Program, pc: u8, ctx: Ctx) -> Settling {
        let Some(Op::Create { made: Making::Pool(pool, filter), to, upgraded, cost, late, .. }) =
            self.catalog.program(program).get(pc as usize)
        else {
            return Settled::Stale;
        };
        let from = self.pool(s, *pool, *filter, ctx);
        if from.is_empty() {
            return Settled::Stale;
        }
        let env = Env::new(s, ctx);
        let mut roller = Roller::new(s);
        let card = from[roller.index(Die::CardRandom, from.len())];
        let up = self.created_up(s, card, u8::from(self.num(*upgraded, &env) != 0));
        let (price, combat_cost) = self.created_cost(cost, &env);
        if *late {
            let (spot, rolls) = (*to, roller.drawn());
            return Settled::Event(Event::Conjured { card, up, spot, cost: price, combat_cost, rolls });
        }
        let place = self.roll_spot(s, *to, &mut roller);
        Settled::Event(Event::Created {
            card,
            up,
            place,
            spot: self.room(s, *to),
            cost: price,
            combat_cost,
            kept: 0,
            rolls: roller.drawn(),
        })
    }

    /// A full hand sends cards to the discard pile.
    pub fn room(&self, s: &State, spot: Spot) -> Spot {
        if spot == Spot::Hand && s.combat.hand.len() >= HAND { Spot::Discard } else { spot }
    }

    fn settle_deck_upgrade(&self, s: &State, op: &Op, ctx: Ctx) -> Settling {
        let filter = select_of(op).and_then(|select| select.filter);
        let mut env = Env::new(s, ctx);
        let open: Vec<usize> = s
            .run
            .deck
            .iter()
            .enumerate()
            .filter(|(_, held)| {
                let card = Card::new(held.id, held.up);
                env.test = Some((card, NO_CARD));
                self.upgradable(&card) && self.holds(filter, &env)
            })
            .map(|(index, _)| index)
            .collect();
        if open.is_empty() {
            return Settled::Stale;
        }
        let mut roller = Roller::new(s);
        let index = open[roller.index(Die::Misc, open.len())] as u16;
        Settled::Event(Event::DeckUpgraded { index, rolls: roller.drawn() })
    }

    /// The answers to a question.
    pub(crate) fn offered_answers(&self, s: &State, question: &Question, mut add: impl FnMut(Answer)) {
        match *question {
            Question::Cards { program, pc, ctx, min, .. } => {
                let Some(op) = self.catalog.program(program).get(pc as usize) else { return };
                let picks = &s.combat.picks;
                let open = self.candidates(s, op, ctx);
                open.iter().filter(|slot| !picks.contains(slot)).for_each(|&slot| add(Answer::Pick(slot)));
                if picks.len() >= min as usize {
                    add(Answer::Done);
                }
            }
            Question::Offer { skippable } => {
                (0..s.combat.offer.len()).for_each(|index| add(Answer::Option(index as u8)));
                if skippable {
                    add(Answer::Done);
                }
            }
            Question::Option { count, .. } => (0..count).map(Answer::Option).for_each(add),
        }
    }

    /// Writes one pick.
    pub(crate) fn write_answer(&self, s: &mut State, question: &Question, answer: &Answer) {
        let combat = &mut s.combat;
        match *answer {
            Answer::Pick(slot) => {
                combat.picks.push(slot);
                if let Question::Cards { max, .. } = question {
                    combat.picked = combat.picks.len() >= *max as usize;
                }
            }
            Answer::Done => combat.picked = true,
            Answer::Option(index) => {
                combat.picks.push(u16::from(index));
                combat.picked = true;
            }
        }
    }
}

/// One effect in front for each card.
fn each(out: &mut Out, cards: &[Slot], effect: impl Fn(Slot) -> Effect) {
    for &slot in cards {
        out.first(effect(slot));
    }
}

/// The cards an operation is about.
pub(crate) fn select_of(op: &Op) -> Option<Select> {
    match op {
        Op::Discard { cards }
        | Op::Exhaust { cards }
        | Op::Move { cards, .. }
        | Op::Upgrade { cards, .. }
        | Op::Cost { cards, .. }
        | Op::Retain { cards }
        | Op::Search { cards }
        | Op::Play { cards, .. } => Some(*cards),
        Op::Create { made: Making::Copy(cards), .. } => Some(*cards),
        _ => None,
    }
}

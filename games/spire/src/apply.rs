//! Writing facts into the state: the only writer.

use crate::catalog::compile::PowerInfo;
use crate::catalog::words::{Flag, Moment, Spot};
use crate::dice::Rolls;
use crate::effect::Event;
use crate::game::Spire;
use crate::state::{
    Body, Card, Life, NO_CARD, NO_COST, NONE, Orb, PLAYER, Pile, Slot, Stage, State, card_flag,
};

impl Spire {
    /// Writes one fact.
    #[inline(always)]
    pub(crate) fn write(&self, s: &mut State, event: &Event) {
        // The frequent facts that draw nothing come first and leave the dice alone.
        match *event {
            Event::Moment { moment, owner, .. } => self.write_moment(s, moment, owner),
            Event::Blocked { .. } => self.write_block(s, event),
            Event::Discarded { slot, effect } => self.write_discarded(s, slot, effect),
            Event::HandKept { .. } => self.write_hand_kept(s, event),
            Event::Acted { who } => self.apply_acted(s, who),
            Event::TurnStarted { energy, block } => self.apply_turn_started(s, energy, block),
            Event::TurnEnding { skip } => self.write_turn_ending(s, skip),
            Event::Counted { relic, amount } => s.run.relics[relic as usize].counter = amount,
            _ => self.write_rolled(s, event),
        }
    }

    /// Writes a fact that may have drawn.
    #[inline(always)]
    fn write_rolled(&self, s: &mut State, event: &Event) {
        match *event {
            Event::Hit { .. } => return self.write_hit(s, event),
            Event::Guarded { .. } => return self.write_block(s, event),
            Event::Drew { .. } => return self.write_drew(s, event),
            Event::Played { .. } => return self.write_played(s, event),
            Event::Taken { slot, target, exhaust } => self.apply_taken(s, slot, target, exhaust),
            Event::Intended { .. } | Event::Spoke { .. } => return self.write_intended(s, event),
            Event::Shuffled { ref order, .. } => self.apply_shuffle(s, order, true),
            Event::Healed { to, amount } => s.combat.bodies[to as usize].hp += amount,
            Event::HpSet { to, hp } => s.combat.bodies[to as usize].hp = hp,
            Event::MaxHpChanged { amount } => self.write_max_hp(s, amount),
            Event::BlockCleared { to, left } => s.combat.bodies[to as usize].block = left,
            Event::Applied { .. } => return self.write_applied(s, event),
            Event::Reduced { to, power, by, .. } => {
                self.lower_power(&mut s.combat.bodies[to as usize], power, by);
                self.refresh_union(s);
            }
            Event::Cleansed { to } => self.write_cleansed(s, to),
            Event::Stored { to, power, amount } => {
                let powers = &mut s.combat.bodies[to as usize].powers;
                if let Some(held) = powers.iter_mut().find(|held| held.id == power) {
                    held.stored = amount;
                }
            }
            Event::OrbStored { index, amount } => {
                if let Some(orb) = s.combat.orbs.get_mut(index as usize) {
                    orb.stored = amount;
                }
            }
            Event::EnergyChanged { amount } => s.combat.energy = (s.combat.energy + amount).max(0),
            Event::GoldChanged { amount } => s.run.gold = (s.run.gold + i32::from(amount)).max(0),
            Event::Selected(ref selected) => self.apply_selected(s, &selected.choice),
            Event::Offered(ref offered) => s.combat.offer.clone_from(&offered.cards),
            Event::OfferClosed => s.combat.offer.clear(),
            Event::StanceChanged { to, .. } => {
                s.combat.stance = to;
                self.refresh_union(s);
            }
            _ => self.write_cards(s, event),
        }
        s.spend(event.rolls());
    }

    #[inline(always)]
    fn write_cards(&self, s: &mut State, event: &Event) {
        match *event {
            Event::DrawShuffled { ref order, .. } => self.apply_shuffle(s, order, false),
            Event::Exhausted { slot, .. } => self.put_away(s, slot, Pile::Exhaust),
            Event::Moved { slot, spot, place, .. } => {
                s.combat.lift(slot);
                s.combat.cards[slot as usize].flags &= !(card_flag::AUTO | card_flag::EXHAUST);
                self.drop_at(s, slot, spot, place);
            }
            Event::Created { card, up, spot, cost, combat_cost, kept, place, .. } => {
                if spot == Spot::Deck {
                    s.run.deck.push(crate::state::DeckCard { id: card, up, bottled: false, grown: 0 });
                } else {
                    let made = self.made_card(card, up, cost, combat_cost, kept);
                    self.add_card(s, made, spot, place);
                }
            }
            Event::Copied { of, up, spot, place, .. } => {
                let mut copy = s.combat.cards[of as usize];
                copy.flags &= card_flag::FREE_ONCE | card_flag::CONFUSED;
                copy.up = up;
                self.add_card(s, copy, spot, place);
            }
            Event::Upgraded { slot } => self.write_upgraded(s, slot),
            Event::DeckUpgraded { index, .. } => raise(&mut s.run.deck[index as usize].up),
            Event::Priced { slot, price, way, .. } => self.apply_price(s, slot, price, way),
            Event::Grew { slot, by, all, permanent } => self.write_grown(s, slot, by, all, permanent),
            Event::Retained { slot } => {
                s.combat.cards[slot as usize].flags |= card_flag::RETAIN;
                s.combat.hints.retained = true;
            }
            Event::Kept { slot } => {
                s.combat.cards[slot as usize].kept += i16::from(self.profile.kept_cards_counted);
            }
            Event::Ran { slot, .. } => self.apply_ran(s, slot),
            Event::TurnCardsReset => self.write_turn_cards(s),
            Event::LimboReturned => {
                for slot in std::mem::take(&mut s.combat.limbo).into_iter().rev() {
                    s.combat.cards[slot as usize].pile = Pile::Gone;
                    if s.combat.hand.len() < crate::state::HAND {
                        s.combat.place(slot, Pile::Hand);
                    } else if !self.profile.crowded_cards_lost {
                        s.combat.place(slot, Pile::Discard);
                    }
                }
            }
            _ => self.write_bodies(s, event),
        }
    }

    #[inline(always)]
    fn write_bodies(&self, s: &mut State, event: &Event) {
        match *event {
            Event::Spawned { kind, x, hp, vars, minion, .. } => {
                let mut body = Body::new(kind, hp);
                (body.x, body.vars, body.minion) = (x, vars, minion);
                self.refresh_body(&mut body);
                s.combat.add_body(body);
                self.refresh_union(s);
                self.refresh_decided(s);
            }
            Event::Escaped { who } => {
                s.combat.bodies[who as usize].life = Life::Escaped;
                self.refresh_decided(s);
            }
            Event::Found { card } => {
                s.combat.cards.push(Card::new(card, 0));
                if !s.combat.order.is_empty() {
                    s.combat.order.push(i32::MAX / 2);
                }
            }
            Event::Obtained { slot } => {
                let Card { id, up, .. } = s.combat.cards[slot as usize];
                s.run.deck.push(crate::state::DeckCard { id, up, bottled: false, grown: 0 });
            }
            Event::Stripped { to } => {
                s.combat.bodies[to as usize].powers.clear();
                self.refresh_body(&mut s.combat.bodies[to as usize]);
                self.refresh_union(s);
            }
            Event::HalfDied { who } => {
                let body = &mut s.combat.bodies[who as usize];
                (body.life, body.hp, body.block) = (Life::HalfDead, 0, 0);
            }
            Event::Revived { who, hp } => {
                let body = &mut s.combat.bodies[who as usize];
                (body.life, body.hp) = (Life::Alive, hp);
            }
            Event::VarSet { who, var, amount } => {
                if let Some(slot) = s.combat.bodies[who as usize].vars.get_mut(var as usize) {
                    *slot = amount;
                }
            }
            Event::Stole { who, amount } => {
                s.run.gold -= i32::from(amount);
                let stolen = &mut s.combat.bodies[who as usize].stolen;
                *stolen = stolen.saturating_add(amount);
            }
            Event::CardTaken { who, slot, .. } => {
                s.combat.lift(slot);
                s.combat.bodies[who as usize].held = slot;
            }
            Event::CardReturned { who } => {
                let slot = std::mem::replace(&mut s.combat.bodies[who as usize].held, NO_CARD);
                if slot != NO_CARD {
                    let spot = self.room(s, Spot::Hand);
                    self.drop_at(s, slot, spot, 0);
                }
            }
            Event::Faced { who } => self.write_faced(s, who),
            Event::Forgot { who } => {
                let body = &mut s.combat.bodies[who as usize];
                (body.history, body.moves, body.used) = ([255; 3], 0, [0; 10]);
            }
            Event::Died { who, .. } => {
                let body = &mut s.combat.bodies[who as usize];
                (body.life, body.hp) = (Life::Dead, 0);
                if !self.profile.dead_keep_block {
                    body.block = 0;
                }
                self.refresh_decided(s);
            }
            Event::Decayed { when, player, monsters } => self.apply_decay(s, when, player, monsters),
            _ => self.write_turns(s, event),
        }
    }

    #[inline(always)]
    fn write_turns(&self, s: &mut State, event: &Event) {
        match *event {
            Event::TurnMarked => {
                s.combat.counts.hp_at_turn_start = s.combat.player().hp;
                s.combat.counts.hurt_last_turn = false;
            }
            Event::TurnHurt => {
                s.combat.counts.hurt_last_turn = s.combat.player().hp < s.combat.counts.hp_at_turn_start;
            }
            Event::RoundBlock => self.apply_monsters_started(s),
            Event::EnemyStarted { who } => self.lose_block(s, who),
            Event::MonstersStarted => self.apply_monsters_started(s),
            Event::EndMarked { skip } => {
                s.combat.ending = true;
                s.combat.skip_enemies |= skip;
            }
            Event::Channeled { orb, stored, .. } => {
                s.combat.orbs.push(Orb { id: orb, stored });
                if let Some(count) = s.combat.counts.channeled.get_mut(orb as usize) {
                    *count = count.saturating_add(1);
                }
            }
            Event::Evoked { last, .. } => {
                s.combat.last_orb = s.combat.orbs.first().copied();
                if last {
                    s.combat.orbs.remove(0);
                    s.combat.handled += 1;
                }
            }
            Event::SlotsChanged { slots } => {
                let lost = s.combat.orb_slots.saturating_sub(slots);
                s.combat.orb_slots = slots;
                if self.profile.lost_slots_take_the_oldest && lost > 0 && !s.combat.orbs.is_empty() {
                    s.combat.orbs.remove(0);
                }
                s.combat.orbs.truncate(slots as usize);
            }
            Event::PotionGained { id, .. } => {
                if let Some(slot) = s.run.potions.iter_mut().find(|slot| **slot == NONE) {
                    *slot = id;
                }
            }
            Event::PotionUsed { index, .. } => {
                s.combat.potion = s.run.potions[index as usize];
                self.write_potion(s, index);
            }
            Event::PotionTossed { index } => self.write_potion(s, index),
            Event::Began => {
                self.reset_relics(s, true);
                s.combat.stage = Stage::Player;
            }
            Event::Left => {
                self.write_end(s, Stage::None);
                s.combat = crate::state::Combat { rolls: s.combat.rolls, ..Default::default() };
            }
            Event::AttackCountReset => s.combat.counts.attack_count = 0,
            Event::Won => self.write_end(s, Stage::Won),
            Event::Lost => self.write_end(s, Stage::Lost),
            Event::Fled => self.write_end(s, Stage::Fled),
            Event::Run(ref event) => self.write_run(s, event),
            // Written above, or nothing changes: every fact stands here, so that a new one is not forgotten.
            Event::Moment { .. }
            | Event::Hit { .. }
            | Event::Blocked { .. }
            | Event::Guarded { .. }
            | Event::Healed { .. }
            | Event::Applied { .. }
            | Event::Reduced { .. }
            | Event::StanceChanged { .. }
            | Event::Drew { .. }
            | Event::Shuffled { .. }
            | Event::Discarded { .. }
            | Event::Exhausted { .. }
            | Event::Kept { .. }
            | Event::Created { .. }
            | Event::Copied { .. }
            | Event::Spawned { .. }
            | Event::Died { .. }
            | Event::HalfDied { .. }
            | Event::Obtained { .. }
            | Event::HpSet { .. }
            | Event::MaxHpChanged { .. }
            | Event::BlockCleared { .. }
            | Event::Cleansed { .. }
            | Event::Stored { .. }
            | Event::OrbStored { .. }
            | Event::Counted { .. }
            | Event::EnergyChanged { .. }
            | Event::DrawShuffled { .. }
            | Event::OfferClosed
            | Event::Selected(_)
            | Event::Offered(_)
            | Event::Moved { .. }
            | Event::Upgraded { .. }
            | Event::DeckUpgraded { .. }
            | Event::Priced { .. }
            | Event::Grew { .. }
            | Event::Retained { .. }
            | Event::Played { .. }
            | Event::Taken { .. }
            | Event::Aimed { .. }
            | Event::Ran { .. }
            | Event::HandKept { .. }
            | Event::PassiveFired { .. }
            | Event::TurnEnding { .. }
            | Event::GoldChanged { .. }
            | Event::Intended { .. }
            | Event::Conjured { .. }
            | Event::Spoke { .. }
            | Event::Acted { .. }
            | Event::Escaped { .. }
            | Event::Stripped { .. }
            | Event::Found { .. }
            | Event::Revived { .. }
            | Event::VarSet { .. }
            | Event::Stole { .. }
            | Event::CardTaken { .. }
            | Event::CardReturned { .. }
            | Event::Faced { .. }
            | Event::Forgot { .. }
            | Event::Spared { .. }
            | Event::Decayed { .. }
            | Event::TurnStarted { .. }
            | Event::TurnCardsReset
            | Event::EnemiesTurn
            | Event::LimboReturned => {}
        }
    }

    #[inline(always)]
    pub(crate) fn write_hit(&self, s: &mut State, event: &Event) {
        let Event::Hit { rolls, .. } = *event else { return };
        self.apply_hit(s, event);
        s.spend(rolls);
    }

    #[inline(always)]
    pub(crate) fn write_block(&self, s: &mut State, event: &Event) {
        match *event {
            Event::Blocked { to, amount } => s.combat.bodies[to as usize].block += amount,
            Event::Guarded { to, amount, rolls } => {
                s.combat.bodies[to as usize].block += amount;
                s.spend(rolls);
            }
            _ => {}
        }
    }

    #[inline(always)]
    pub(crate) fn write_played(&self, s: &mut State, event: &Event) {
        let Event::Played { slot, cost, way, exhaust, rolls, .. } = *event else { return };
        self.apply_played(s, slot, cost, way, exhaust);
        s.spend(rolls);
    }

    #[inline(always)]
    pub(crate) fn write_drew(&self, s: &mut State, event: &Event) {
        let Event::Drew { cards, more, costs, .. } = event else { return };
        self.apply_drew(s, cards, *more, costs.as_deref());
        if let Some(costs) = costs {
            s.spend(costs.rolls);
        }
    }

    #[inline(always)]
    pub(crate) fn write_applied(&self, s: &mut State, event: &Event) {
        let Event::Applied { by, to, power, amount, stored, rolls } = *event else { return };
        self.apply_power(s, by, to, power, amount, stored);
        s.spend(rolls);
    }

    /// What a monster intends, or dice that it rolled for nothing.
    #[inline(always)]
    pub(crate) fn write_intended(&self, s: &mut State, event: &Event) {
        match *event {
            Event::Intended { who, mv, rolls } => self.write_intent(s, who, mv, rolls),
            Event::Spoke { rolls } => s.spend(rolls),
            _ => {}
        }
    }

    #[inline(always)]
    pub(crate) fn write_intent(&self, s: &mut State, who: u8, mv: u8, rolls: Rolls) {
        s.combat.bodies[who as usize].intent = mv;
        s.spend(rolls);
    }

    #[inline]
    pub(crate) fn write_turn_ending(&self, s: &mut State, skip: bool) {
        s.combat.stage = Stage::Enemies;
        s.combat.skip_enemies = skip;
        s.combat.ending = false;
    }

    #[inline(always)]
    pub(crate) fn write_hand_kept(&self, s: &mut State, event: &Event) {
        let Event::HandKept { discarded } = event else { return };
        self.apply_hand_kept(s, discarded);
    }

    /// Most moments change nothing. A turn of the player's is counted by his relics.
    #[inline]
    pub(crate) fn write_moment(&self, s: &mut State, moment: Moment, owner: u8) {
        if moment == Moment::TurnStart && owner == PLAYER {
            self.count_turn(s);
        }
    }

    /// Everybody but the one the player turns to stands behind him.
    fn write_faced(&self, s: &mut State, who: u8) {
        s.combat.facing = who;
        let marks = |info: &PowerInfo| info.ears.has(Flag::BehindPlayer);
        let Some(power) = self.catalog.powers.iter().position(marks).map(|id| id as u16) else { return };
        for index in 1..s.combat.bodies.len() {
            self.lower_power(&mut s.combat.bodies[index], power, i16::MAX);
            if index != who as usize && s.combat.bodies[index].alive() {
                self.apply_power(s, PLAYER, index as u8, power, 1, 0);
            }
        }
        self.refresh_union(s);
    }

    #[inline]
    pub(crate) fn write_discarded(&self, s: &mut State, slot: Slot, effect: bool) {
        self.put_away(s, slot, Pile::Discard);
        if effect {
            s.combat.counts.discarded = s.combat.counts.discarded.saturating_add(1);
        }
    }

    fn write_potion(&self, s: &mut State, index: u8) {
        if self.profile.potions_close_up {
            s.run.potions.remove(index as usize);
        } else {
            s.run.potions[index as usize] = NONE;
        }
    }

    fn write_end(&self, s: &mut State, stage: Stage) {
        s.combat.stage = stage;
        s.run.hp = s.combat.player().hp;
        s.run.max_hp = s.combat.player().max_hp;
    }

    fn write_max_hp(&self, s: &mut State, amount: i16) {
        let body = &mut s.combat.bodies[PLAYER as usize];
        body.max_hp = (body.max_hp + amount).max(1);
        body.hp = body.hp.min(body.max_hp);
    }

    fn write_cleansed(&self, s: &mut State, to: u8) {
        let body = &mut s.combat.bodies[to as usize];
        let debuffs: Vec<u16> =
            body.powers.iter().filter(|held| self.is_debuff(held.id, held.n)).map(|held| held.id).collect();
        for power in debuffs {
            self.lower_power(body, power, i16::MAX);
        }
        self.refresh_union(s);
    }

    /// Out of where it was, into a pile.
    fn put_away(&self, s: &mut State, slot: Slot, pile: Pile) {
        s.combat.lift(slot);
        s.combat.cards[slot as usize].flags &= !(card_flag::AUTO | card_flag::EXHAUST);
        s.combat.place(slot, pile);
    }

    fn write_upgraded(&self, s: &mut State, slot: Slot) {
        let own = self.combat_cost(&s.combat.cards[slot as usize]);
        let card = &mut s.combat.cards[slot as usize];
        let info = &self.catalog.cards[card.id as usize];
        let (before, after) = (info.forms[card.form()].cost, info.forms[1].cost);
        raise(&mut card.up);
        let moves = info.forms[1].cost_change.is_some() && card.cost != NO_COST;
        if (self.profile.upgrades_shift_costs && card.cost != NO_COST || moves) && before >= 0 && after >= 0 {
            card.cost = (card.cost + after - before).max(0);
        } else if before != after && before >= 0 && after >= 0 {
            // A new cost takes the place of one that was changed for the combat. What it costs this turn keeps its
            // distance to that, and what is free this turn stays so.
            let turn = if card.turn_cost == NO_COST { own } else { card.turn_cost };
            let turn = if turn > 0 { (after + turn - own).max(0) } else { 0 };
            (card.cost, card.cost_add) = (NO_COST, 0);
            card.turn_cost = if turn == after { NO_COST } else { turn };
        }
        let ears = &info.forms[1].ears;
        s.combat.card_moments |= ears.moments;
        s.combat.card_stages |= ears.stages;
        s.combat.hints.repriced = true;
        let marks = self.catalog.brief(&s.combat.cards[slot as usize]).marks;
        s.combat.hints.marks = s.combat.hints.marks.or(marks);
        if ears.stages != 0 {
            self.refresh_union(s);
        } else if ears.moments != 0 {
            self.refresh_sounds(s);
        }
    }

    /// A copy is the card it copies: both grow. What lasts is written to the very card of the master deck, whose
    /// places are those of the first cards of the fight.
    fn write_grown(&self, s: &mut State, slot: Slot, by: i16, all: bool, permanent: bool) {
        let card = s.combat.cards[slot as usize];
        if self.profile.recorded_growth {
            return self.write_grown_seed(s, slot, by, all, permanent);
        }
        let own = if card.has(card_flag::COPY) { card.of } else { slot };
        for (index, other) in s.combat.cards.iter_mut().enumerate() {
            let lies = !matches!(other.pile, Pile::Exhaust | Pile::Gone);
            if index as Slot == slot || index as Slot == own || all && other.id == card.id && lies {
                other.grown = other.grown.saturating_add(by);
            }
        }
        if permanent && let Some(held) = s.run.deck.get_mut(own as usize).filter(|held| held.id == card.id) {
            held.grown = held.grown.saturating_add(by);
        }
    }

    /// The recorded engine: copies are cards of their own, and the first of the kind in the master deck grows.
    fn write_grown_seed(&self, s: &mut State, slot: Slot, by: i16, all: bool, permanent: bool) {
        let id = s.combat.cards[slot as usize].id;
        for (index, card) in s.combat.cards.iter_mut().enumerate() {
            if index as Slot == slot || all && card.id == id {
                card.grown = card.grown.saturating_add(by);
            }
        }
        if permanent && let Some(held) = s.run.deck.iter_mut().find(|held| held.id == id) {
            held.grown = held.grown.saturating_add(by);
        }
    }

    fn write_turn_cards(&self, s: &mut State) {
        for card in &mut s.combat.cards {
            card.turn_cost = NO_COST;
        }
        s.combat.hints.repriced = false;
        if self.profile.energy_with_the_cards {
            s.combat.energy = s.run.energy;
            s.combat.counts.discarded = 0;
        }
    }
}

/// One upgrade more.
fn raise(up: &mut u8) {
    *up = up.saturating_add(1);
}

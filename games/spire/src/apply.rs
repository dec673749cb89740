//! Writing facts into the state: the only writer.

use crate::catalog::compile::Id;
use crate::catalog::words::{Moment, Spot};
use crate::dice::Rolls;
use crate::event::{Costs, Event};
use crate::game::Spire;
use crate::state::{
    Body, Card, Life, NO_CARD, NO_COST, NONE, Orb, PLAYER, Pile, Slot, Stage, State, card_flag,
};

// The facts by what they are about, as patterns. Whoever writes those of one kind names the others, too: a fact that
// nobody writes does not compile.

/// The frequent facts that draw nothing.
macro_rules! frequent {
    () => {
        Event::Moment { .. }
            | Event::Blocked { .. }
            | Event::Discarded { .. }
            | Event::HandKept { .. }
            | Event::Acted { .. }
            | Event::TurnStarted { .. }
            | Event::TurnEnding { .. }
            | Event::Counted { .. }
    };
}

/// Facts about numbers, powers and choices.
macro_rules! of_numbers {
    () => {
        Event::Hit { .. }
            | Event::Guarded { .. }
            | Event::Drew { .. }
            | Event::Played { .. }
            | Event::Taken { .. }
            | Event::Intended { .. }
            | Event::Spoke { .. }
            | Event::Shuffled { .. }
            | Event::Healed { .. }
            | Event::HpSet { .. }
            | Event::MaxHpChanged { .. }
            | Event::BlockCleared { .. }
            | Event::Applied { .. }
            | Event::Reduced { .. }
            | Event::Cleansed { .. }
            | Event::Stored { .. }
            | Event::OrbStored { .. }
            | Event::EnergyChanged { .. }
            | Event::GoldChanged { .. }
            | Event::Selected(_)
            | Event::Offered(_)
            | Event::OfferClosed
            | Event::StanceChanged { .. }
    };
}

/// Facts about cards.
macro_rules! of_cards {
    () => {
        Event::DrawShuffled { .. }
            | Event::Exhausted { .. }
            | Event::Moved { .. }
            | Event::Created { .. }
            | Event::Copied { .. }
            | Event::Upgraded { .. }
            | Event::DeckUpgraded { .. }
            | Event::Priced { .. }
            | Event::Grew { .. }
            | Event::Retained { .. }
            | Event::Kept { .. }
            | Event::Ran { .. }
            | Event::TurnCardsReset
            | Event::LimboReturned { .. }
    };
}

/// Facts about who is there.
macro_rules! of_bodies {
    () => {
        Event::Spawned { .. }
            | Event::Escaped { .. }
            | Event::Found { .. }
            | Event::Obtained { .. }
            | Event::Stripped { .. }
            | Event::HalfDied { .. }
            | Event::Revived { .. }
            | Event::VarSet { .. }
            | Event::Stole { .. }
            | Event::CardTaken { .. }
            | Event::CardReturned { .. }
            | Event::Faced { .. }
            | Event::Forgot { .. }
            | Event::Died { .. }
            | Event::WornOff { .. }
            | Event::Decayed { .. }
    };
}

/// Facts about turns, orbs, potions, the fight as a whole and the way around it.
macro_rules! of_turns {
    () => {
        Event::TurnMarked
            | Event::TurnHurt
            | Event::RoundBlock { .. }
            | Event::MonstersStarted { .. }
            | Event::EnemyStarted { .. }
            | Event::EndMarked { .. }
            | Event::Channeled { .. }
            | Event::Evoked { .. }
            | Event::SlotsChanged { .. }
            | Event::PotionGained { .. }
            | Event::PotionUsed { .. }
            | Event::PotionTossed { .. }
            | Event::Began
            | Event::Left
            | Event::AttackCountReset
            | Event::Won
            | Event::Lost
            | Event::Fled
            | Event::Run(_)
    };
}

/// Facts that change nothing but the dice.
macro_rules! unwritten {
    () => {
        Event::Aimed { .. } | Event::PassiveFired { .. } | Event::Conjured { .. } | Event::Spared { .. }
    };
}

/// A fact came to the wrong writer.
#[cold]
fn misled(event: &Event) {
    debug_assert!(false, "{event:?} is written elsewhere");
}

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
            Event::Acted { who, mv, .. } => self.apply_acted(s, who, mv),
            Event::TurnStarted { energy, block } => self.apply_turn_started(s, energy, block),
            Event::TurnEnding { skip } => self.write_turn_ending(s, skip),
            Event::Counted { place, amount, .. } => s.run.relics[place as usize].counter = amount,
            of_numbers!() | of_cards!() | of_bodies!() | of_turns!() | unwritten!() => {
                self.write_rolled(s, event);
            }
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
            Event::Reduced { to, power, by, gone } => self.write_reduced(s, to, power, by, gone),
            Event::Cleansed { to, ref powers } => self.write_cleansed(s, to, powers),
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
            of_cards!() => self.write_cards(s, event),
            of_bodies!() => self.write_bodies(s, event),
            of_turns!() => self.write_turns(s, event),
            unwritten!() => {}
            frequent!() => misled(event),
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
            Event::Upgraded { slot, up, costs } => self.write_upgraded(s, slot, up, costs),
            Event::DeckUpgraded { index, .. } => raise(&mut s.run.deck[index as usize].up),
            Event::Priced { slot, price, way, .. } => self.apply_price(s, slot, price, way),
            Event::Grew { by, ref cards, deck, .. } => write_grown(s, by, cards, deck),
            Event::Retained { slot } => {
                s.combat.cards[slot as usize].flags |= card_flag::RETAIN;
                s.combat.hints.retained = true;
            }
            Event::Kept { slot } => {
                s.combat.cards[slot as usize].kept += i16::from(self.profile.kept_cards_counted);
            }
            Event::Ran { slot, .. } => self.apply_ran(s, slot),
            Event::TurnCardsReset => self.write_turn_cards(s),
            Event::LimboReturned { ref cards } => write_returned(s, cards),
            frequent!() | of_numbers!() | of_bodies!() | of_turns!() | unwritten!() => misled(event),
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
            Event::CardReturned { who, slot, spot } => {
                s.combat.bodies[who as usize].held = NO_CARD;
                self.drop_at(s, slot, spot, 0);
            }
            Event::Faced { who, power, ref behind } => self.write_faced(s, who, power, behind),
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
            Event::WornOff { ref worn, .. } => self.apply_worn(s, worn),
            Event::Decayed { when, player, monsters } => {
                let worn = self.wearing_off(s, when, player, monsters);
                self.apply_worn(s, &worn);
            }
            frequent!() | of_numbers!() | of_cards!() | of_turns!() | unwritten!() => misled(event),
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
            Event::RoundBlock { ref left } | Event::MonstersStarted { ref left } => {
                write_blocks_left(s, left);
            }
            Event::EnemyStarted { who, left } => s.combat.bodies[who as usize].block = left,
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
            Event::Evoked { orb, stored, last, .. } => {
                s.combat.last_orb = Some(Orb { id: orb, stored });
                if last {
                    s.combat.orbs.remove(0);
                    s.combat.handled += 1;
                }
            }
            Event::SlotsChanged { slots, ref gone } => write_slots(s, slots, gone),
            Event::PotionGained { potion, .. } => {
                if let Some(slot) = s.run.potions.iter_mut().find(|slot| **slot == NONE) {
                    *slot = potion;
                }
            }
            Event::PotionUsed { index, potion, .. } => {
                s.combat.potion = potion;
                self.write_potion(s, index);
            }
            Event::PotionTossed { index, .. } => self.write_potion(s, index),
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
            frequent!() | of_numbers!() | of_cards!() | of_bodies!() | unwritten!() => misled(event),
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
        let kind = self.catalog.brief(&s.combat.cards[slot as usize]).kind;
        self.apply_played(s, (slot, kind), cost, way, exhaust);
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

    #[inline(always)]
    pub(crate) fn write_worn_off(&self, s: &mut State, event: &Event) {
        let Event::WornOff { worn, .. } = event else { return };
        self.apply_worn(s, worn);
    }

    /// What a monster intends, or dice that it rolled for nothing.
    #[inline(always)]
    pub(crate) fn write_intended(&self, s: &mut State, event: &Event) {
        match *event {
            Event::Intended { who, mv, rolls, .. } => self.write_intent(s, who, mv, rolls),
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

    /// Those behind the player are marked by a power, and nobody else.
    fn write_faced(&self, s: &mut State, who: u8, power: Id, behind: &[u8]) {
        s.combat.facing = who;
        if power == NONE {
            return;
        }
        for body in s.combat.bodies.iter_mut().skip(1) {
            self.lower_power(body, power, i16::MAX);
        }
        for &other in behind {
            self.apply_power(s, PLAYER, other, power, 1, 0);
        }
        self.refresh_union(s);
    }

    fn write_reduced(&self, s: &mut State, to: u8, power: Id, by: i16, gone: bool) {
        let body = &mut s.combat.bodies[to as usize];
        match body.powers.iter_mut().find(|held| held.id == power) {
            Some(_) if gone => self.drop_power(body, power),
            Some(held) => held.n = held.n.saturating_sub(by),
            None => {}
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

    fn write_cleansed(&self, s: &mut State, to: u8, powers: &[Id]) {
        let body = &mut s.combat.bodies[to as usize];
        for &power in powers {
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

    fn write_upgraded(&self, s: &mut State, slot: Slot, up: u8, costs: Costs) {
        let card = &mut s.combat.cards[slot as usize];
        card.up = up;
        costs.write_on(card);
        let info = &self.catalog.cards[card.id as usize];
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

/// What is left of the block of those who had some.
fn write_blocks_left(s: &mut State, left: &[(u8, i16)]) {
    for &(who, left) in left {
        s.combat.bodies[who as usize].block = left;
    }
}

/// So many slots are left, and these orbs are gone with theirs.
fn write_slots(s: &mut State, slots: u8, gone: &[u8]) {
    s.combat.orb_slots = slots;
    let mut places = 0..=u8::MAX;
    s.combat.orbs.retain(|_| places.next().is_none_or(|place| !gone.contains(&place)));
}

/// Cards that were set aside go where they go.
fn write_returned(s: &mut State, cards: &[(Slot, Pile)]) {
    s.combat.limbo.clear();
    for &(slot, pile) in cards {
        s.combat.cards[slot as usize].pile = Pile::Gone;
        if pile != Pile::Gone {
            s.combat.place(slot, pile);
        }
    }
}

/// A number on cards of the fight grows, and on one of the master deck.
fn write_grown(s: &mut State, by: i16, cards: &[Slot], deck: Option<u16>) {
    for &slot in cards {
        let card = &mut s.combat.cards[slot as usize];
        card.grown = card.grown.saturating_add(by);
    }
    if let Some(held) = deck.and_then(|place| s.run.deck.get_mut(place as usize)) {
        held.grown = held.grown.saturating_add(by);
    }
}

/// One upgrade more.
fn raise(up: &mut u8) {
    *up = up.saturating_add(1);
}

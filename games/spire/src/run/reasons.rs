//! Why a number between fights is what it is: prices, rewards of gold, what a rest heals. Like those of fights, the
//! notes stand with the event, and `explain` tells them; a price can also be asked before.

use turnstone::Notes;

use super::action::Ware;
use super::effect::Effect;
use super::event::Event;
use super::journey::Journey;
use super::tower::{FightKind, Reward, Screen};
use crate::catalog::words::Stage;
use crate::effect::{Origin, Source};
use crate::reason::Reason;
use crate::rules::reasons::Chain;
use crate::seeds::{RelicNo, price};
use crate::state::{NO_CARD, NOBODY, PLAYER, State};

/// What a number begins with that nobody in particular has made.
const FIRST: Reason = Reason::Base { by: NOBODY, card: NO_CARD };

fn relic(place: u8) -> Reason {
    Reason::Changed { owner: PLAYER, source: Source::of(Origin::Relic(place)) }
}

impl Journey<'_> {
    /// Notes how the number of an event came about. `s` is the state before it.
    pub(crate) fn reasons(&self, s: &State, effect: &Effect, event: &Event, notes: &mut Notes<Reason>) {
        match (effect, event) {
            (Effect::Buy(ware), Event::Bought { .. }) => self.price_way(s, *ware, notes),
            (Effect::Reward(kind), Event::Opened { screen, .. }) => self.gold_way(s, *kind, screen, notes),
            // Who proposed the number has told how he came to it.
            (Effect::Heal(wanted), Event::Healed { amount })
            | (Effect::LoseGold { amount: wanted, .. }, Event::GoldLost { amount, .. })
            | (Effect::Hurt { amount: wanted, .. }, Event::Hurt { amount }) => {
                notes.changed(Reason::Limit, *wanted, *amount);
            }
            _ => {}
        }
    }

    /// The price of a ware, from what is written on it to what is paid.
    fn price_way(&self, s: &State, ware: Ware, notes: &mut Notes<Reason>) {
        let Some(full) = self.full_price(s, ware) else { return };
        let mut chain = Chain::new(FIRST, full as i32, notes);
        if ware != Ware::Removal {
            chain.to(
                Reason::Ascension,
                price(full, self.tables.hardship(s.run.ascension), s.tower.fate.rules) as i32,
            );
        }
        let number = chain.number;
        self.altering(s, Stage::ShopPrice, number, |place, number| chain.to(relic(place), number));
        if ware == Ware::Removal {
            let number = chain.number;
            self.altering(s, Stage::RemovalPrice, number, |place, number| chain.to(relic(place), number));
        }
    }

    /// How the price of a ware comes about, a line for everybody who changes it.
    pub(crate) fn price_reasons(&self, s: &State, ware: Ware) -> Vec<String> {
        let mut notes = Notes::wanted();
        self.price_way(s, ware, &mut notes);
        self.game.tell_reasons(s, &notes)
    }

    /// The gold of a won fight, from what it pays everybody to what it pays the holder of these relics. The dice of
    /// the gold are the first that fall, so they can be read again.
    fn gold_way(&self, s: &State, kind: FightKind, screen: &Screen, notes: &mut Notes<Reason>) {
        let Screen::Rewards(rewards) = screen else { return };
        let gold = rewards.iter().find_map(|reward| match reward {
            Reward::Gold(gold) => Some(*gold as i32),
            Reward::StolenGold(_)
            | Reward::Relic(_)
            | Reward::Potion(_)
            | Reward::Key(_)
            | Reward::Cards(_) => None,
        });
        let first = match kind {
            FightKind::Monster => self.drawing(s, |fate| fate.monster_gold()).0,
            FightKind::Elite => self.drawing(s, |fate| fate.elite_gold()).0,
            FightKind::Boss => self.drawing(s, |fate| fate.boss_gold(&self.tables)).0,
            FightKind::Event(_) => return,
        };
        let Some(gold) = gold else { return };
        let mut chain = Chain::new(FIRST, first as i32, notes);
        self.altering(s, Stage::GoldReward, first as i32, |place, number| chain.to(relic(place), number));
        chain.to(Reason::Limit, gold);
    }

    /// How the gold of a reward that lies there comes about. What it was before relics changed it is found by asking which
    /// number they would make this one; where that might be several, only who changed it is told.
    pub fn reward_reasons(&self, s: &State, gold: u32) -> Vec<String> {
        let gold = gold as i32;
        let mut changed_by: Vec<String> = Vec::new();
        self.altering(s, Stage::GoldReward, gold, |place, _| {
            changed_by
                .extend(s.run.relics.get(usize::from(place)).map(|owned| self.relic_name(RelicNo(owned.id))));
        });
        if changed_by.is_empty() {
            return Vec::new();
        }
        let mut first = (0..=gold.saturating_mul(4).saturating_add(4))
            .filter(|first| self.altered(s, Stage::GoldReward, *first) == gold);
        let first = match (first.next(), first.next()) {
            (Some(first), None) => first,
            (Some(_), Some(_)) => return vec![format!("changed by {}", changed_by.join(", "))],
            (None, _) => return Vec::new(),
        };
        let mut notes = Notes::wanted();
        let mut chain = Chain::new(FIRST, first, &mut notes);
        self.altering(s, Stage::GoldReward, first, |place, number| chain.to(relic(place), number));
        self.game.tell_reasons(s, &notes)
    }

    /// How what a rest heals comes about: a share of max HP, and who changes it.
    pub fn rest_reasons(&self, s: &State) -> Vec<String> {
        let mut notes = Notes::wanted();
        self.rest_way(s, &mut notes);
        let share = format!("three tenths of {} max HP: {}", s.run.max_hp, i32::from(s.run.max_hp) * 3 / 10);
        let changes = self.game.tell_reasons(s, &notes).into_iter().skip(1);
        std::iter::once(share).chain(changes).collect()
    }

    /// What a rest heals, told by who changes it.
    pub(super) fn rest_way(&self, s: &State, notes: &mut Notes<Reason>) -> i32 {
        let first = i32::from(s.run.max_hp) * 3 / 10;
        let mut chain = Chain::new(FIRST, first, notes);
        self.altering(s, Stage::RestHeal, first, |place, number| chain.to(relic(place), number))
    }
}

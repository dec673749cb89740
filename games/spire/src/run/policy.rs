//! A simple player's choices outside of fights: paths, cards, campfires, shops, events.
//!
//! Every choice is a value for each possible action; the greatest wins, the first among equals.

use super::action::{Action, Question, Ware};
use super::effect::{Pick, Purpose};
use super::journey::Journey;
use super::tower::{Key, Reward, Screen};
use crate::catalog::compile::{Gift, Num, Op, Picking, Program};
use crate::catalog::gifts::GiftDraw;
use crate::catalog::words::Drawn;
use crate::eval::Env;
use crate::seeds::{CardNo, HEIGHT, Rarity, Room, Tier, WIDTH};
use crate::state::State;

impl Journey<'_> {
    /// The index of the action a simple player would take.
    pub fn prefer(&self, s: &State, actions: impl Iterator<Item = Action>) -> usize {
        let mut ways = None;
        best(actions.map(|action| match action {
            Action::Go(x) => ways.get_or_insert_with(|| way_worths(s))[usize::from(x).min(WIDTH - 1)],
            other => self.action_worth(s, other),
        }))
    }

    /// The index of the answer a simple player would give.
    pub(crate) fn prefer_answer(
        &self,
        s: &State,
        question: Question,
        answers: impl Iterator<Item = u16>,
    ) -> usize {
        best(answers.map(|answer| self.answer_worth(s, question, answer)))
    }

    /// A relic is worth more than strength, and that more than a smaller deck.
    fn offer_worth(&self, s: &State, chosen: u8) -> i32 {
        let offer = self.fire_offers(s).find(|(place, ..)| *place == chosen);
        match offer.and_then(|(.., program)| self.steps(program).first()) {
            Some(Op::Reward { what: Gift::Relic(_), .. }) => 45,
            Some(Op::Remove { .. }) => 35,
            _ => 38,
        }
    }

    fn answer_worth(&self, s: &State, question: Question, answer: u16) -> i32 {
        let deck = &s.run.deck;
        let Some(card) = deck.get(usize::from(answer)) else {
            return match (question, s.tower.offer.get(usize::from(answer))) {
                (Question::Offer, Some(card)) => i32::from(self.card(*card).worth[0]),
                _ => 0,
            };
        };
        let worth = |up: usize| i32::from(self.card(CardNo(card.id)).worth[up]);
        let now = worth(usize::from(card.up > 0));
        match question {
            Question::Deck(Pick { purpose: Purpose::Upgrade, .. }) => worth(1) - worth(0),
            Question::Deck(Pick { purpose: Purpose::Duplicate | Purpose::Bottle, .. }) => now,
            Question::Deck(_) => -now,
            Question::Offer => {
                s.tower.offer.get(usize::from(answer)).map_or(0, |c| i32::from(self.card(*c).worth[0]))
            }
            Question::Flip => 0,
        }
    }

    fn action_worth(&self, s: &State, action: Action) -> i32 {
        let run = &s.run;
        let hurt = i32::from(run.max_hp - run.hp) * 100 / i32::from(run.max_hp.max(1));
        match action {
            Action::Neow(i) => self.neow_worth(s, i, hurt),
            Action::Option(i) => self.option_worth(s, i, hurt),
            Action::Take(i) => self.take_worth(s, i),
            Action::TakeCard { reward, card } => self.card_worth(s, reward, card),
            Action::Bowl(_) => 4,
            Action::BossRelic(i) => 30 - i32::from(i),
            Action::Rest => rest_worth(s, hurt),
            Action::Smith => 40,
            Action::Offer(place) => self.offer_worth(s, place),
            Action::Recall => -1,
            Action::OpenChest => 50,
            Action::BuyRemoval => 30,
            Action::BuyCard(i) => self.ware_worth(s, Ware::Card(i)),
            Action::BuyRelic(i) => self.ware_worth(s, Ware::Relic(i)),
            Action::BuyPotion(i) => self.ware_worth(s, Ware::Potion(i)),
            Action::Drink(_) => {
                if hurt > 20 {
                    60
                } else {
                    1
                }
            }
            Action::Discard(_) => -50,
            Action::Go(_) | Action::Proceed | Action::GiveUp | Action::Operator(_) => 0,
        }
    }

    fn take_worth(&self, s: &State, reward: u8) -> i32 {
        let Some(Screen::Rewards(list)) = s.tower.screen() else { return 0 };
        match list.get(usize::from(reward)) {
            Some(Reward::Key(Key::Sapphire)) => -1,
            Some(Reward::Relic(_)) => 80,
            _ => 90,
        }
    }

    /// A card is worth taking while the deck is small or it is better than the deck.
    fn card_worth(&self, s: &State, reward: u8, card: u8) -> i32 {
        let Some(Screen::Rewards(list)) = s.tower.screen() else { return 0 };
        let Some(Reward::Cards(offer)) = list.get(usize::from(reward)) else { return 0 };
        let Some(offered) = offer.get(usize::from(card)) else { return 0 };
        let worth = i32::from(self.card(offered.card).worth[usize::from(offered.upgraded)]);
        let copies = s.run.deck.iter().filter(|c| c.id == offered.card.0).count() as i32;
        worth - 6 - s.run.deck.len() as i32 / 6 - 2 * copies
    }

    fn ware_worth(&self, s: &State, ware: Ware) -> i32 {
        let Some(Screen::Shop(shop)) = s.tower.screen() else { return 0 };
        match ware {
            Ware::Card(i) => {
                let worth = shop.stock.cards.get(usize::from(i)).map_or(0, |c| self.card(c.card).worth[0]);
                i32::from(worth) - 12
            }
            Ware::Relic(_) => 40,
            Ware::Potion(_) => 3,
            Ware::Removal => 30,
        }
    }

    fn option_worth(&self, s: &State, option: u8, hurt: i32) -> i32 {
        self.option(s, option).map_or(0, |chosen| self.script_worth(s, chosen.program, hurt))
    }

    /// What an offer of Neow's is worth: the gift, and its cost.
    fn neow_worth(&self, s: &State, option: u8, hurt: i32) -> i32 {
        let Some(offer) = s.tower.fate.neow.get(usize::from(option)) else { return 0 };
        let parts = std::iter::once(offer.bonus).chain(offer.drawback);
        let drawn = |gift| self.tables.gifts.entry(gift).draws.iter().map(draw_worth).sum::<i32>();
        parts.map(|gift| drawn(gift) + self.script_worth(s, self.gift(gift), hurt)).sum()
    }

    /// What steps are worth, roughly: gold, relics and cards against hit points and curses.
    fn script_worth(&self, s: &State, program: Program, hurt: i32) -> i32 {
        let at = self.within(s, program, 0);
        self.steps(program).iter().map(|op| self.op_worth(op, &at, hurt)).sum()
    }

    fn op_worth(&self, op: &Op, at: &Env<'_>, hurt: i32) -> i32 {
        let run = &at.s.run;
        let value = |n: &Num| self.game.num(*n, at);
        let chosen = |how: &Picking| match how {
            Picking::Choose(n) | Picking::Random(n) => value(n),
            Picking::All | Picking::UpTo(_) | Picking::Top(_) => 1,
        };
        let blood = |n: i32| if n >= i32::from(run.hp) { 1000 } else { n * (100 + hurt) / 100 };
        match op {
            Op::Gold { amount } => value(amount) / 8,
            Op::Heal { amount, .. } => value(amount).min(i32::from(run.max_hp - run.hp)) / 2,
            Op::Damage { amount, .. } | Op::LoseHp { amount, .. } => -blood(value(amount)),
            Op::MaxHp { amount } => 2 * value(amount),
            Op::Obtain { card, count } => value(count) * (i32::from(self.card(CardNo(*card)).worth[0]) - 8),
            Op::GainRelic { .. } | Op::RandomRelic => 25,
            Op::LoseRelic { .. } => -15,
            Op::LoseDrawn { what: Drawn::FirstRelic | Drawn::SecondRelic } => -15,
            Op::LoseDrawn { what: Drawn::Potion } => 0,
            Op::LoseDrawn { .. } => -8,
            Op::Remove { cards } => 14 * chosen(&cards.how),
            Op::Burn { .. } => 14,
            Op::Upgrade { cards } => match &cards.how {
                Picking::All => 30,
                Picking::Random(n) => 7 * value(n),
                how => 10 * chosen(how),
            },
            Op::Transform { cards, .. } => 8 * chosen(&cards.how),
            Op::Duplicate { .. } | Op::OfferCards { .. } | Op::ObtainRandom { .. } => 8,
            Op::Reward { what: Gift::Colorless, .. } => 8,
            Op::Reward { what: Gift::Potion, count } => 5 * value(count),
            Op::Reward { what: Gift::Drawn, .. } | Op::Pairs => 10,
            Op::Fight { .. } => 8 - hurt / 2,
            Op::SearchFinds { .. } => -5,
            Op::Chance { percent, .. } => value(percent) / 5 - 8,
            _ => 0,
        }
    }
}

/// The best way on from each column, by what the rooms are worth to a player in this shape.
fn way_worths(s: &State) -> [i32; WIDTH] {
    let y = s.tower.place.map_or(0, |p| p.y + 1);
    let mut above = [0_i32; WIDTH];
    if y >= s.tower.fate.boss_row() {
        return above;
    }
    let worth = room_worths(s);
    let top = HEIGHT.min(usize::from(s.tower.fate.boss_row()));
    for row in (usize::from(y)..top).rev() {
        let mut here = [i32::MIN / 2; WIDTH];
        for (place, node) in s.tower.fate.map.row(row as u8) {
            let onward = node.targets().map(|t| above[usize::from(t).min(WIDTH - 1)]).max().unwrap_or(0);
            let room = node.room.unwrap_or(Room::Monster);
            let onward = if row + 1 == top { 0 } else { onward };
            here[usize::from(place.x)] = worth[room as usize] + onward;
        }
        above = here;
    }
    above
}

/// A wound heals before it kills; before the boss even a small one.
fn rest_worth(s: &State, hurt: i32) -> i32 {
    let before_boss = s.tower.place.is_some_and(|p| p.y + 1 >= s.tower.fate.boss_row());
    let bearable = if before_boss { 25 } else { 50 };
    if hurt > bearable { 90 } else { hurt / 2 }
}

fn room_worths(s: &State) -> [i32; 7] {
    let run = &s.run;
    let health = i32::from(run.hp) * 100 / i32::from(run.max_hp.max(1));
    let mut worth = [0; 7];
    worth[Room::Monster as usize] = 5;
    worth[Room::Elite as usize] = if health > 75 && run.floor > 5 { 4 } else { -30 };
    worth[Room::Rest as usize] = if health < 60 { 18 } else { 9 };
    worth[Room::Shop as usize] = if run.gold >= 200 { 10 } else { 2 };
    worth[Room::Treasure as usize] = 10;
    worth[Room::Event as usize] = 6;
    worth
}

/// What the seed decides of a gift, beside what steps are worth.
fn draw_worth(draw: &GiftDraw) -> i32 {
    match draw {
        GiftDraw::ClassCards(_, Some(Rarity::Rare)) => 25,
        GiftDraw::ClassCards(..) | GiftDraw::ColorlessCards(..) | GiftDraw::Potions(_) => 10,
        GiftDraw::Cards(count, _) => 10 * i32::from(*count),
        GiftDraw::Relics(count, Tier::Rare) => 35 * i32::from(*count),
        GiftDraw::Relics(count, Tier::Boss) => 10 * i32::from(*count),
        GiftDraw::Relics(count, Tier::Common | Tier::Uncommon | Tier::Shop) => 20 * i32::from(*count),
        GiftDraw::Curses(count) => -25 * i32::from(*count),
    }
}

/// The index of the greatest value, the first among equals.
pub(super) fn best(values: impl Iterator<Item = i32>) -> usize {
    let mut best = (i32::MIN, 0);
    for (index, value) in values.enumerate() {
        if value > best.0 {
            best = (value, index);
        }
    }
    best.1
}

//! The spire as numbers, for learners: fights alone and whole runs, of every character.
//!
//! | part | what |
//! |---|---|
//! | `you` | hit points, block, energy, gold, turn, where you are: named one by one |
//! | `hand` | a row for each card in the hand: which (from 1), upgraded, cost now, kind, aims, grown, kept, flags |
//! | `enemies` | a row for each living enemy, left to right: which (from 1), hit points, block, what it intends |
//! | `powers` | stacks of every power: a row for you, then for each enemy as above |
//! | `relics` | 0 without it, else 1 and its counter · `potions` which (from 1) in each slot · `orbs` which and how much |
//! | `screen` | which screen, event and node, what is asked and for what · `wares` what lies before you: kind, which, price |
//! | `asked` | the cards that may be picked now, in the order of their numbers: which (from 1), upgraded |
//! | `piles` | how often each card lies in draw pile, discard pile, exhaust pile and deck, plain and upgraded |
//! | `map` | rows from the bottom: what each room is, where its ways lead, where you are |
//!
//! Cards, powers, relics and potions stand in the order of the content's names. Numbers of inputs count places: of
//! a card in the hand and of an enemy among the living, of an answer among those offered.
//!
//! Rewards: `outcome` (default), 1 for a victory and -1 for a defeat; `progress`, besides that 1 for every floor;
//! `health`, besides the outcome the change of the share of hit points left.

use turnstone::{Input, InputOf, Position, Rejection, Seat};
use turnstone_gym::{Coder, Learned, Part, Sheet, Taste, result, word};

use super::Setup;
use super::effect::{Action, Purpose, Question as Asking, Ware};
use super::tower::{Reward, Screen};
use crate::State;
use crate::catalog::compile::Op;
use crate::catalog::verb::Purpose as Goal;
use crate::catalog::words::Spot;
use crate::effect::{Action as FightAction, Answer};
use crate::effect::{Asked, Deed, Question, Reply};
use crate::game::Spire;
use crate::seeds::{EventDetail, HEIGHT, Map, NeowOption, Place, Shared, WIDTH};
use crate::state::{self, NONE, PLAYER};

const HAND: usize = 10;
const ENEMIES: usize = 8;
const POTIONS: usize = 6;
const ORBS: usize = 10;
const WARES: usize = 24;
/// Answers that have numbers: so many cards of a deck or pile.
const PICKS: usize = 128;
/// Rewards on a screen, options of an event.
const ROWS: usize = 12;

const YOU: [&str; 28] = [
    "hp",
    "max hp",
    "block",
    "energy",
    "energy per turn",
    "gold",
    "character",
    "ascension",
    "act",
    "floor",
    "turn",
    "stance",
    "orb slots",
    "potion slots",
    "cards played",
    "attacks played",
    "skills played",
    "discarded",
    "powers played",
    "mantra",
    "draw pile",
    "hand",
    "discard pile",
    "exhaust pile",
    "deck",
    "keys",
    "boss",
    "in a fight",
];
const CARD: [&str; 8] = ["card", "upgraded", "cost", "kind", "aims", "grown", "kept", "flags"];
const ENEMY: [&str; 10] =
    ["enemy", "hp", "max hp", "block", "intends", "damage", "hits", "moves made", "last move", "minion"];
/// What is asked: 0 nothing; in a fight 1 for cards, 2 for one of an offer, 3 for one of several things; between fights 4
/// for cards of the deck, 5 for one of an offer, 6 for a cell that is face down. And for what: see [`goal`].
const SCREEN: [&str; 5] = ["screen", "event", "node", "asked", "asked for"];
const PICK: [&str; 2] = ["card", "upgraded"];
const WARE: [&str; 3] = ["kind", "which", "price or upgraded"];
const ROOM: [&str; 11] = [
    "monster",
    "elite",
    "rest",
    "shop",
    "treasure",
    "event",
    "boss",
    "leads left",
    "leads on",
    "leads right",
    "here",
];

/// The numbers of the spire.
#[derive(Clone, Debug)]
pub struct SpireCoder {
    cards: Vec<String>,
    powers: Vec<String>,
    relics: Vec<String>,
    reward: Worth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    Outcome,
    Progress,
    Health,
}

impl Learned for Spire {
    type Coder = SpireCoder;

    fn coder(&self, _: &Setup, _: &Position<Self>, taste: &Taste) -> Result<SpireCoder, Rejection> {
        taste.observation(&["all"])?;
        let reward = match taste.reward(&["outcome", "progress", "health"])? {
            "progress" => Worth::Progress,
            "health" => Worth::Health,
            _ => Worth::Outcome,
        };
        let catalog = &self.catalog;
        Ok(SpireCoder {
            cards: catalog.cards.iter().map(|card| card.id.clone()).collect(),
            powers: catalog.powers.iter().map(|power| power.id.clone()).collect(),
            relics: catalog.relics.iter().map(|relic| relic.id.clone()).collect(),
            reward,
        })
    }
}

/// Where each group of numbers begins.
struct Groups {
    play: usize,
    potion: usize,
    toss: usize,
    pick: usize,
    done: usize,
    option: usize,
    run: usize,
}

const GROUPS: Groups = {
    let play = 3;
    let potion = play + HAND * (1 + ENEMIES);
    let toss = potion + POTIONS * (1 + ENEMIES);
    let pick = toss + POTIONS;
    let done = pick + PICKS;
    let option = done + 1;
    Groups { play, potion, toss, pick, done, option, run: option + ROWS }
};

/// The numbers of a run's own steps, counted from the first of them.
mod step {
    use super::{PICKS, POTIONS, ROWS};
    pub const NEOW: usize = 0;
    pub const GO: usize = NEOW + 4;
    pub const OPTION: usize = GO + 8;
    pub const TAKE: usize = OPTION + ROWS;
    pub const CARDS: usize = 6;
    pub const TAKE_CARD: usize = TAKE + ROWS;
    pub const BOWL: usize = TAKE_CARD + ROWS * CARDS;
    pub const BOSS_RELIC: usize = BOWL + ROWS;
    pub const REST: usize = BOSS_RELIC + 3;
    pub const SMITH: usize = REST + 1;
    pub const RECALL: usize = SMITH + 1;
    pub const OPEN: usize = RECALL + 1;
    pub const OFFER: usize = OPEN + 1;
    /// A relic may offer something from any place in the row.
    pub const RELICS: usize = 64;
    pub const BUY_CARD: usize = OFFER + RELICS;
    pub const BUY_RELIC: usize = BUY_CARD + 7;
    pub const BUY_POTION: usize = BUY_RELIC + 3;
    pub const BUY_REMOVAL: usize = BUY_POTION + 3;
    pub const DRINK: usize = BUY_REMOVAL + 1;
    pub const DISCARD: usize = DRINK + POTIONS;
    pub const PROCEED: usize = DISCARD + POTIONS;
    pub const GIVE_UP: usize = PROCEED + 1;
    pub const ANSWER: usize = GIVE_UP + 1;
    pub const COUNT: usize = ANSWER + PICKS;
}

fn within(number: impl Into<usize>, most: usize) -> Option<usize> {
    Some(number.into()).filter(|number| *number < most)
}

/// 0 for nobody, else the place among the living enemies, from 1.
fn aim(s: &State, target: Option<u8>) -> Option<usize> {
    let Some(target) = target else { return Some(0) };
    let place = s.combat.enemies().position(|who| who == target)?;
    within(place, ENEMIES).map(|place| place + 1)
}

fn fight_number(s: &State, action: &FightAction) -> Option<usize> {
    Some(match *action {
        FightAction::Begin => 0,
        FightAction::EndTurn => 1,
        FightAction::Leave => 2,
        FightAction::Play { card, target } => {
            let place = within(s.combat.hand.iter().position(|slot| *slot == card)?, HAND)?;
            GROUPS.play + place * (1 + ENEMIES) + aim(s, target)?
        }
        FightAction::Potion { index, target } => {
            GROUPS.potion + within(index, POTIONS)? * (1 + ENEMIES) + aim(s, target)?
        }
        FightAction::Toss { index } => GROUPS.toss + within(index, POTIONS)?,
    })
}

fn step_number(action: &Action) -> Option<usize> {
    Some(match *action {
        Action::Neow(n) => step::NEOW + within(n, 4)?,
        Action::Go(n) => step::GO + within(n, 8)?,
        Action::Option(n) => step::OPTION + within(n, ROWS)?,
        Action::Take(n) => step::TAKE + within(n, ROWS)?,
        Action::TakeCard { reward, card } => {
            step::TAKE_CARD + within(reward, ROWS)? * step::CARDS + within(card, step::CARDS)?
        }
        Action::Bowl(n) => step::BOWL + within(n, ROWS)?,
        Action::BossRelic(n) => step::BOSS_RELIC + within(n, 3)?,
        Action::Rest => step::REST,
        Action::Smith => step::SMITH,
        Action::Recall => step::RECALL,
        Action::OpenChest => step::OPEN,
        Action::Offer(n) => step::OFFER + within(n, step::RELICS)?,
        Action::BuyCard(n) => step::BUY_CARD + within(n, 7)?,
        Action::BuyRelic(n) => step::BUY_RELIC + within(n, 3)?,
        Action::BuyPotion(n) => step::BUY_POTION + within(n, 3)?,
        Action::BuyRemoval => step::BUY_REMOVAL,
        Action::Drink(n) => step::DRINK + within(n, POTIONS)?,
        Action::Discard(n) => step::DISCARD + within(n, POTIONS)?,
        Action::Proceed => step::PROCEED,
        Action::GiveUp => step::GIVE_UP,
        Action::Operator(_) => return None,
    })
}

/// Takes one part after the other from what is to be written.
struct Desk<'a>(&'a mut [i16]);

impl<'a> Desk<'a> {
    fn take(&mut self, count: usize) -> &'a mut [i16] {
        let whole = std::mem::take(&mut self.0);
        let (own, rest) = whole.split_at_mut(count.min(whole.len()));
        self.0 = rest;
        own
    }
}

/// Which of a kind, from 1; 0 for none.
fn which(id: u16) -> i16 {
    if id == NONE { 0 } else { word(i64::from(id) + 1) }
}

impl SpireCoder {
    fn you(&self, state: &State, out: &mut [i16]) {
        let (run, combat, tower) = (&state.run, &state.combat, &state.tower);
        let fighting = state.is_fighting() && !combat.bodies.is_empty();
        let (hp, max_hp, block) = match combat.bodies.first() {
            Some(body) if fighting => (body.hp, body.max_hp, body.block),
            _ => (run.hp, run.max_hp, 0),
        };
        let counts = &combat.counts;
        let pile = |list: &[u16]| word(list.len() as i64);
        let numbers: [i16; YOU.len()] = [
            hp,
            max_hp,
            block,
            combat.energy,
            run.energy,
            word(run.gold),
            which(run.character),
            run.ascension.into(),
            run.act.into(),
            run.floor.into(),
            word(counts.turn),
            which(combat.stance),
            combat.orb_slots.into(),
            run.potion_slots.into(),
            counts.cards_played.into(),
            counts.attacks_played.into(),
            counts.skills_played.into(),
            counts.discarded.into(),
            word(counts.powers_played),
            word(counts.mantra),
            pile(&combat.draw),
            pile(&combat.hand),
            pile(&combat.discard),
            pile(&combat.exhaust),
            word(run.deck.len() as i64),
            tower.keys.into(),
            which(tower.fate.boss().0),
            fighting.into(),
        ];
        out.copy_from_slice(&numbers);
    }

    fn hand(&self, spire: &Spire, s: &State, out: &mut [i16]) {
        out.fill(0);
        for (slot, row) in s.combat.hand.iter().zip(out.chunks_exact_mut(CARD.len())) {
            let Some(card) = s.combat.cards.get(usize::from(*slot)) else { continue };
            let brief = spire.catalog.brief(card);
            let cost =
                if card.cost_is_own() && brief.plain() { brief.cost } else { spire.cost_now(s, card, *slot) };
            let kind = spire.catalog.cards[usize::from(card.id)].kind as i16;
            let [grown, kept, flags] = [card.grown, card.kept, card.flags.into()];
            let numbers =
                [which(card.id), card.up.into(), cost.into(), kind, brief.aims().into(), grown, kept, flags];
            row.copy_from_slice(&numbers);
        }
    }

    fn enemies(&self, spire: &Spire, s: &State, out: &mut [i16], powers: Sparse<'_, i16>) {
        out.fill(0);
        let hidden = spire.hides_intents(s);
        let width = self.powers.len().max(1);
        let mut tables = powers.numbers.chunks_exact_mut(width).enumerate();
        let mut note = |body: &state::Body| {
            let Some((row, table)) = tables.next() else { return };
            for power in &body.powers {
                let id = usize::from(power.id);
                if let Some(slot) = table.get_mut(id) {
                    // A power that is there without a number counts one.
                    *slot = if power.n == 0 { 1 } else { power.n };
                    powers.places.push(row * width + id);
                }
            }
        };
        if let Some(player) = s.combat.bodies.get(usize::from(PLAYER)) {
            note(player);
        }
        for (who, row) in s.combat.enemies().zip(out.chunks_exact_mut(ENEMY.len())) {
            let body = &s.combat.bodies[usize::from(who)];
            note(body);
            let made = |number: u8| if number == u8::MAX { 0 } else { i16::from(number) + 1 };
            let (damage, hits) = match hidden {
                true => (0, 0),
                false => spire.intended_hits(s, who).into_iter().next().unwrap_or_default(),
            };
            row.copy_from_slice(&[
                which(body.kind),
                body.hp,
                body.max_hp,
                body.block,
                if hidden { 0 } else { made(body.intent) },
                word(damage),
                word(hits),
                body.moves.into(),
                made(body.history[0]),
                body.minion.into(),
            ]);
        }
    }

    fn belongings(&self, s: &State, relics: Sparse<'_, i16>, potions: &mut [i16], orbs: &mut [i16]) {
        for relic in &s.run.relics {
            let id = usize::from(relic.id);
            if let Some(slot) = relics.numbers.get_mut(id) {
                *slot = relic.counter.max(0).saturating_add(1);
                relics.places.push(id);
            }
        }
        potions.fill(0);
        potions.iter_mut().zip(&s.run.potions).for_each(|(slot, id)| *slot = which(*id));
        orbs.fill(0);
        for (orb, row) in s.combat.orbs.iter().zip(orbs.chunks_exact_mut(2)) {
            row.copy_from_slice(&[which(orb.id), orb.stored]);
        }
    }

    fn screen(&self, game: &Spire, position: &Position<Spire>, out: &mut [i16], wares: &mut [i16]) {
        let state = position.state();
        wares.fill(0);
        let mut rows = wares.chunks_exact_mut(WARE.len());
        let mut lay = |kind: i16, which: i16, price: i16| {
            if let Some(row) = rows.next() {
                row.copy_from_slice(&[kind, which, price]);
            }
        };
        let [asked, goal] = position.pending().map_or([0, 0], |pending| question(game, &pending.question));
        if asked > 0 {
            for (id, up) in &state.combat.offer {
                lay(1, which(*id), i16::from(*up));
            }
            state.tower.offer.iter().for_each(|card| lay(1, which(card.0), 0));
        }
        let (kind, event, node) = match state.tower.screen() {
            _ if state.is_fighting() => (9, 0, 0),
            None => (0, 0, 0),
            Some(Screen::Neow) => {
                let offers = &state.tower.fate.neow;
                let cost = |offer: &NeowOption| offer.drawback.map_or(0, |cost| which(cost.0));
                offers.iter().for_each(|offer| lay(6, which(offer.bonus.0), cost(offer)));
                (1, 0, 0)
            }
            Some(Screen::Event(event)) => {
                if let Some(EventDetail::Pairs { board }) = &event.detail {
                    let shown = board.iter().enumerate().filter(|(cell, _)| event.shows(*cell));
                    shown.for_each(|(cell, card)| lay(8, which(card.0), cell as i16));
                }
                (2, which(event.event.0), i16::from(event.node))
            }
            Some(Screen::Rewards(list)) => {
                list.iter().for_each(|reward| lay_reward(reward, &mut lay));
                (3, 0, 0)
            }
            Some(Screen::BossChest(relics)) => {
                relics.iter().for_each(|relic| lay(2, which(relic.0), 0));
                (4, 0, 0)
            }
            Some(Screen::Rest) => (5, 0, 0),
            Some(Screen::Chest(chest)) => (6, chest.size as i16, 0),
            Some(Screen::Shop(shop)) => {
                let price = |ware| game.journey().price(state, ware).map_or(0, word);
                for (number, card) in shop.stock.cards.iter().enumerate() {
                    lay(1, which(card.card.0), price(Ware::Card(number as u8)));
                }
                for (number, relic) in shop.stock.relics.iter().enumerate() {
                    lay(2, which(relic.relic.0), price(Ware::Relic(number as u8)));
                }
                for (number, potion) in shop.stock.potions.iter().enumerate() {
                    lay(3, which(potion.potion.0), price(Ware::Potion(number as u8)));
                }
                lay(7, 1, price(Ware::Removal));
                (7, 0, 0)
            }
        };
        out.copy_from_slice(&[kind, event, node, asked, goal]);
    }

    /// The cards that may be picked, in the order in which they are offered, which is that of their numbers.
    fn asked(&self, game: &Spire, position: &Position<Spire>, out: Sparse<'_, i16>) {
        let Some(pending) = position.pending() else { return };
        let (s, mut row) = (position.state(), 0);
        let mut lay = |id: u16, up: u8| {
            let at = row * PICK.len();
            if let Some(slots) = out.numbers.get_mut(at..at + PICK.len()) {
                slots.copy_from_slice(&[which(id), up.into()]);
                out.places.extend([at, at + 1]);
            }
            row += 1;
        };
        match &pending.question {
            Asked::Fight(question) => game.offered_answers(s, question, |answer| {
                if let Answer::Pick(slot) = answer
                    && let Some(card) = s.combat.cards.get(usize::from(slot))
                {
                    lay(card.id, card.up);
                }
            }),
            Asked::Run(question @ Asking::Deck(_)) => {
                let cards = game.journey().answers(s, *question);
                cards.iter().filter_map(|&at| s.run.deck.get(usize::from(at))).for_each(|c| lay(c.id, c.up));
            }
            Asked::Run(Asking::Offer) => s.tower.offer.iter().for_each(|card| lay(card.0, 0)),
            Asked::Run(Asking::Flip) => {}
        }
    }

    /// How often each card lies where.
    fn piles(&self, s: &State, out: Sparse<'_, u8>) {
        let count = self.cards.len();
        let combat = &s.combat;
        let mut add = |pile: usize, id: u16, up: u8| {
            let at = (2 * pile + usize::from(up > 0)) * count + usize::from(id);
            if let Some(slot) = out.numbers.get_mut(at) {
                *slot = slot.saturating_add(1);
                out.places.push(at);
            }
        };
        for (pile, list) in [&combat.draw, &combat.discard, &combat.exhaust].into_iter().enumerate() {
            for card in list.iter().filter_map(|slot| combat.cards.get(usize::from(*slot))) {
                add(pile, card.id, card.up);
            }
        }
        s.run.deck.iter().for_each(|card| add(3, card.id, card.up));
    }

    /// The map of the act.
    fn map(map: &Map, place: Option<Place>, out: &mut [u8]) {
        out.fill(0);
        for (y, row) in map.rows.iter().enumerate() {
            for (x, node) in row.iter().enumerate().filter(|(_, node)| node.exists()) {
                let cell = &mut out[(y * WIDTH + x) * ROOM.len()..][..ROOM.len()];
                if let Some(room) = node.room {
                    cell[room as usize] = 1;
                }
                for (way, mark) in cell[7..10].iter_mut().enumerate() {
                    let column = (x + way).checked_sub(1).filter(|column| *column < WIDTH);
                    *mark = column.map_or(0, |column| node.edges >> column & 1);
                }
                cell[10] = u8::from(place == Some(Place { x: x as u8, y: y as u8 }));
            }
        }
    }

    fn write(&self, game: &Spire, position: &Position<Spire>, drawn: &mut Drawn, sheet: &mut Sheet<'_>) {
        let (state, mut desk) = (position.state(), Desk(sheet.words));
        self.you(state, desk.take(YOU.len()));
        self.hand(game, state, desk.take(HAND * CARD.len()));
        let enemies = desk.take(ENEMIES * ENEMY.len());
        let powers = drawn.powers.clear(desk.take((1 + ENEMIES) * self.powers.len()));
        self.enemies(game, state, enemies, powers);
        let relics = drawn.relics.clear(desk.take(self.relics.len()));
        let potions = desk.take(POTIONS);
        self.belongings(state, relics, potions, desk.take(2 * ORBS));
        let screen = desk.take(SCREEN.len());
        self.screen(game, position, screen, desk.take(WARES * WARE.len()));
        self.asked(game, position, drawn.asked.clear(desk.take(PICKS * PICK.len())));
        let (piles, map) = sheet.bytes.split_at_mut(8 * self.cards.len());
        self.piles(state, drawn.piles.clear(piles));
        let tower = &state.tower;
        let known = drawn.map.as_ref().is_some_and(|(map, at)| *at == tower.place && *map == tower.fate.map);
        if !known {
            SpireCoder::map(&tower.fate.map, tower.place, map);
            drawn.map = Some((tower.fate.map.clone(), tower.place));
        }
    }
}

/// What is asked, and for what.
fn question(game: &Spire, asked: &Asked) -> [i16; 2] {
    match asked {
        Asked::Fight(Question::Cards { program, pc, .. }) => {
            [1, game.catalog.step(*program, *pc).and_then(Op::purpose).map_or(0, goal)]
        }
        Asked::Fight(Question::Offer { .. }) => [2, 0],
        Asked::Fight(Question::Option { .. }) => [3, 0],
        Asked::Run(Asking::Deck(pick)) => {
            let purpose = match pick.purpose {
                Purpose::Remove => 1,
                Purpose::Upgrade => 2,
                Purpose::Transform { .. } => 3,
                Purpose::Duplicate => 4,
                Purpose::Bottle => 5,
                Purpose::Burn { .. } => 6,
            };
            [4, purpose]
        }
        Asked::Run(Asking::Offer) => [5, 0],
        Asked::Run(Asking::Flip) => [6, 0],
    }
}

/// What a step asks cards for: to discard, exhaust, upgrade, keep, play or copy them, to put them somewhere, or 0 for
/// what no fight asks.
fn goal(purpose: Goal) -> i16 {
    match purpose {
        Goal::Discard => 1,
        Goal::Exhaust => 2,
        Goal::Upgrade => 3,
        Goal::Keep => 4,
        Goal::Play => 5,
        Goal::Copy => 6,
        Goal::Put(spot) => 7 + spot as i16,
        Goal::Reprice => 7 + Spot::ALL.len() as i16,
        Goal::Search | Goal::Remove | Goal::Transform | Goal::Bottle => 0,
    }
}

fn lay_reward(reward: &Reward, lay: &mut impl FnMut(i16, i16, i16)) {
    match reward {
        Reward::Gold(gold) | Reward::StolenGold(gold) => lay(4, word(*gold), 0),
        Reward::Relic(relic) => lay(2, which(relic.0), 0),
        Reward::Potion(potion) => lay(3, which(potion.0), 0),
        Reward::Cards(offer) => {
            offer.iter().for_each(|card| lay(1, which(card.card.0), i16::from(card.upgraded)));
        }
        Reward::Key(key) => lay(5, *key as i16 + 1, 0),
    }
}

/// What a buffer shows: where those parts hold something of which most is 0; the map, and where the player stands.
#[derive(Clone, Default)]
pub struct Drawn {
    powers: Written,
    relics: Written,
    asked: Written,
    piles: Written,
    map: Option<(Shared<Map>, Option<Place>)>,
}

/// The places of a part that may hold something else than 0; `None` while nobody knows what it holds.
#[derive(Clone, Default)]
struct Written(Option<Vec<usize>>);

/// A part that holds nothing yet, and the places at which something is written.
struct Sparse<'a, T> {
    numbers: &'a mut [T],
    places: &'a mut Vec<usize>,
}

impl Written {
    /// Takes away what was written there: little, where the whole is thousands of numbers.
    fn clear<'a, T: Copy + Default>(&'a mut self, numbers: &'a mut [T]) -> Sparse<'a, T> {
        match &mut self.0 {
            Some(places) => {
                for place in places.drain(..) {
                    if let Some(slot) = numbers.get_mut(place) {
                        *slot = T::default();
                    }
                }
            }
            None => numbers.fill(T::default()),
        }
        Sparse { numbers, places: self.0.get_or_insert_default() }
    }
}

impl Coder<Spire> for SpireCoder {
    type Canvas = Drawn;

    fn parts(&self) -> Vec<Part> {
        vec![
            Part::words("you", &[YOU.len()]).with_columns(YOU),
            Part::words("hand", &[HAND, CARD.len()]).with_columns(CARD),
            Part::words("enemies", &[ENEMIES, ENEMY.len()]).with_columns(ENEMY),
            Part::words("powers", &[1 + ENEMIES, self.powers.len()]).with_columns(self.powers.clone()),
            Part::words("relics", &[self.relics.len()]).with_columns(self.relics.clone()),
            Part::words("potions", &[POTIONS]),
            Part::words("orbs", &[ORBS, 2]).with_columns(["orb", "stored"]),
            Part::words("screen", &[SCREEN.len()]).with_columns(SCREEN),
            Part::words("wares", &[WARES, WARE.len()]).with_columns(WARE),
            Part::words("asked", &[PICKS, PICK.len()]).with_columns(PICK),
            Part::bytes("piles", &[4, 2, self.cards.len()]).with_columns(self.cards.clone()),
            Part::bytes("map", &[HEIGHT, WIDTH, ROOM.len()]).with_columns(ROOM),
        ]
    }

    fn numbers(&self) -> usize {
        GROUPS.run + step::COUNT
    }

    #[inline]
    fn number(
        &self,
        _game: &Spire,
        position: &Position<Spire>,
        input: &InputOf<Spire>,
        place: usize,
    ) -> Option<usize> {
        match input {
            Input::Act(Deed::Fight(action)) => fight_number(position.state(), action),
            Input::Act(Deed::Run(action)) => step_number(action).map(|number| GROUPS.run + number),
            Input::Choose(Reply::Fight(Answer::Pick(_))) => {
                within(place, PICKS).map(|place| GROUPS.pick + place)
            }
            Input::Choose(Reply::Fight(Answer::Done)) => Some(GROUPS.done),
            Input::Choose(Reply::Fight(Answer::Option(n))) => within(*n, ROWS).map(|n| GROUPS.option + n),
            Input::Choose(Reply::Run(_)) => {
                within(place, PICKS).map(|place| GROUPS.run + step::ANSWER + place)
            }
        }
    }

    fn observe(&self, game: &Spire, position: &Position<Spire>, _seat: Seat, sheet: &mut Sheet<'_>) {
        self.write(game, position, &mut Drawn::default(), sheet);
    }

    fn update(
        &self,
        game: &Spire,
        position: &Position<Spire>,
        _seat: Seat,
        drawn: &mut Drawn,
        sheet: &mut Sheet<'_>,
    ) {
        self.write(game, position, drawn, sheet);
    }

    #[inline]
    fn standing(&self, game: &Spire, position: &Position<Spire>, seat: Seat) -> f32 {
        let ended = result(game, position, seat);
        let s = position.state();
        match self.reward {
            Worth::Outcome => ended,
            Worth::Progress => ended + f32::from(s.run.floor),
            Worth::Health => {
                let body = s.combat.bodies.first().filter(|_| position.state().is_fighting());
                let (hp, most) = body.map_or((s.run.hp, s.run.max_hp), |body| (body.hp, body.max_hp));
                ended + f32::from(hp) / f32::from(most.max(1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_gym::oracles::{nothing_hidden_shows, prove};
    use turnstone_gym::{Autoreset, Batch, Plan};
    use turnstone_host::{Hosted, Opening};

    type Runs = Spire;

    fn opening(setup: &str) -> Opening {
        Opening { setup: Some(setup.into()), ..Opening::default() }
    }

    #[test]
    fn the_promises_hold_for_every_character_and_in_fights() {
        for setup in Runs::setups() {
            let plan = Plan { autoreset: Autoreset::SameStep, seed: 9, ..Plan::default() };
            prove::<Runs>(&opening(&setup.id), &plan, 120);
        }
    }

    #[test]
    fn nothing_hidden_is_in_the_observation() {
        for setup in Runs::setups().iter().take(4) {
            nothing_hidden_shows::<Runs>(&opening(&setup.id), &Plan { seed: 2, ..Plan::default() }, 200);
        }
    }

    /// Who is asked for a card sees which one each number means, and what becomes of it.
    #[test]
    fn what_may_be_picked_is_seen() {
        let seen = |discard: &str, card: &str| {
            let setup = format!(
                "situation:hand: {card}, strike_ironclad, defend_ironclad; draw: strike_ironclad*3; discard: {discard}; enemy: jaw_worm 40/44"
            );
            let (game, setup) = Runs::open_table(&opening(&setup)).expect("a situation");
            let first = Position::<Runs>::new(turnstone::Game::start(&*game, &setup, 1).expect("it starts"));
            let coder = game.coder(&setup, &first, &Taste::default()).expect("a coder");
            let (mut position, mut resolver) = (first, turnstone::Resolver::<Runs>::default());
            let hand = |position: &Position<Runs>| position.state().combat.hand.first().copied();
            let target = position.state().combat.enemies().next();
            let card = hand(&position).expect("a hand");
            let aimed = Deed::Fight(FightAction::Play { card, target });
            let plain = Deed::Fight(FightAction::Play { card, target: None });
            let played = [aimed, plain].into_iter().any(|deed| {
                resolver.act(&*game, &mut position, &Input::Act(deed), &mut turnstone::Off).is_ok()
            });
            assert!(played && position.pending().is_some(), "{card}: a card is asked for");
            let length = |sort| coder.parts().iter().filter(|part| part.sort == sort).map(Part::length).sum();
            let (mut bytes, mut words) =
                (vec![0; length(turnstone_gym::Sort::U8)], vec![0; length(turnstone_gym::Sort::I16)]);
            coder.observe(&game, &position, 0, &mut Sheet { bytes: &mut bytes, words: &mut words });
            words
        };
        let [one, other] =
            ["bash, defend_ironclad", "defend_ironclad, bash"].map(|discard| seen(discard, "headbutt"));
        assert_ne!(one, other, "number 153 is another card");
        assert_ne!(seen("bash", "armaments"), seen("bash", "warcry"), "to upgrade, or to put back");
    }

    /// Learned policies depend on them.
    #[test]
    fn numbers_stay_for_ever() {
        assert_eq!(
            [GROUPS.play, GROUPS.potion, GROUPS.toss, GROUPS.pick, GROUPS.run],
            [3, 93, 147, 153, 294]
        );
        let numbers = [step::GO, step::TAKE_CARD, step::REST, step::BUY_CARD, step::PROCEED, step::COUNT];
        assert_eq!(numbers, [4, 36, 123, 191, 217, 347]);
        let (game, setup) = Runs::open_table(&Opening::default()).unwrap();
        let batch = Batch::new(game, setup, Plan::default()).unwrap();
        assert_eq!(batch.numbers(), 641);
        let offers: Vec<usize> = (0..641).filter(|n| batch.describe(0, *n).unwrap().is_some()).collect();
        assert_eq!(offers, [294, 295, 296, 297], "Neow's four gifts");
    }
}

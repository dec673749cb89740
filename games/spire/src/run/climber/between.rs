//! What is chosen between fights: by trial fights where something changes deck or relics, by what fights are
//! expected to cost on the map, and like a simple player otherwise.

use turnstone::dice::Lots;
use turnstone::{Input, InputOf, Position};
use turnstone_host::Sight;

use super::Choice;
use super::trials::{self, Trials};
use crate::action::Deed;
use crate::game::Spire;
use crate::question::{Asked, Reply};
use crate::run::action::{Action, Question, Ware};
use crate::run::bots::Heuristic;
use crate::run::effect::Purpose;
use crate::run::tower::{Reward, Screen};
use crate::seeds::{HEIGHT, Room, WIDTH};
use crate::state::State;
use crate::state::{DeckCard, OwnedRelic, Run};

type World = Position<Spire>;

/// What a hundred pieces of gold are worth, in thousandths of the health that a fight may cost.
const PRICE: i32 = 14;

/// The choice between fights, after so many fights for each.
pub(super) fn choose(sight: &Sight<'_, Spire>, tries: usize, lots: &mut Lots) -> Choice {
    let seen = sight.seen();
    let mind = Mind { game: sight.game(), world: &seen, inputs: sight.inputs(), tries };
    mind.choose(lots)
}

struct Mind<'a> {
    game: &'a Spire,
    world: &'a World,
    inputs: &'a [InputOf<Spire>],
    tries: usize,
}

impl Mind<'_> {
    fn state(&self) -> &State {
        self.world.state()
    }

    fn simple(&self) -> Choice {
        Choice::new(Heuristic::default().pick(self.game, self.world, self.inputs))
    }

    fn choose(&self, lots: &mut Lots) -> Choice {
        if let Some(pending) = self.world.pending() {
            return match pending.question {
                Asked::Run(Question::Deck(pick)) => self.of_deck(pick.purpose, lots),
                Asked::Run(Question::Offer) => self.of_offer(lots),
                _ => self.simple(),
            };
        }
        match self.state().tower.screen() {
            None => self.way(lots),
            Some(Screen::Rewards(_)) => self.reward(lots),
            Some(Screen::BossChest(relics)) => {
                let relics = relics.map(|relic| relic.0);
                self.compared(lots, |action| match action {
                    Action::BossRelic(which) => Some(self.with_relic(*relics.get(usize::from(which))?)),
                    _ => None,
                })
            }
            Some(Screen::Rest) => self.rest(),
            Some(Screen::Shop(_)) => self.shop(lots),
            _ => self.simple(),
        }
    }

    /// The player as he goes into trials: rested, so that what counts is what he has.
    fn run(&self) -> Run {
        let mut run = self.state().run.clone();
        run.hp = run.hp.max(run.max_hp * 4 / 5);
        run
    }

    fn with_card(&self, id: u16, up: u8) -> Run {
        let mut run = self.run();
        run.deck.push(DeckCard { id, up, bottled: false, grown: 0 });
        run
    }

    fn with_relic(&self, id: u16) -> Run {
        let mut run = self.run();
        let counter = self.game.journey().first_counter(crate::seeds::RelicNo(id));
        run.relics.push(OwnedRelic { id, counter });
        run
    }

    fn trials(&self, lots: &mut Lots) -> Trials<'_> {
        Trials::new(self.game, trials::measures(self.game, self.state()), lots)
    }

    /// The action whose player does best, of those that make one.
    fn compared(&self, lots: &mut Lots, made: impl Fn(Action) -> Option<Run>) -> Choice {
        let candidates: Vec<(usize, Run)> = self
            .inputs
            .iter()
            .enumerate()
            .filter_map(|(index, input)| Some((index, made(run_action(input)?)?)))
            .collect();
        self.best_of(candidates, lots)
    }

    fn best_of(&self, candidates: Vec<(usize, Run)>, lots: &mut Lots) -> Choice {
        self.best_with(candidates.into_iter().map(|(index, run)| (index, (run, 0))).collect(), lots)
    }

    /// The same, where something besides fights speaks for a candidate or against it.
    fn best_with(&self, candidates: Vec<(usize, (Run, i32))>, lots: &mut Lots) -> Choice {
        let (indices, players): (Vec<usize>, Vec<(Run, i32)>) = candidates.into_iter().unzip();
        if players.is_empty() {
            return self.simple();
        }
        let (best, tried) = self.trials(lots).best(&players, self.tries * players.len().min(6));
        let mut choice = Choice::new(indices[best]);
        let weighed = indices.iter().zip(tried);
        weighed.for_each(|(input, tried)| choice.weigh(*input, tried, share(tried.mean())));
        choice
    }

    /// A card of the deck to change or to part with; of several alike the first.
    fn of_deck(&self, purpose: Purpose, lots: &mut Lots) -> Choice {
        let mut known: Vec<(u16, u8)> = Vec::new();
        let mut candidates = Vec::new();
        for (index, input) in self.inputs.iter().enumerate() {
            let Input::Choose(Reply::Run(answer)) = input else { continue };
            let place = usize::from(*answer);
            let mut run = self.run();
            let Some(card) = run.deck.get(place).copied() else { continue };
            if known.contains(&(card.id, card.up)) {
                continue;
            }
            known.push((card.id, card.up));
            match purpose {
                Purpose::Upgrade => run.deck[place].up += 1,
                Purpose::Duplicate => run.deck.push(card),
                Purpose::Bottle => run.deck[place].bottled = true,
                Purpose::Remove | Purpose::Transform { .. } | Purpose::Burn { .. } => {
                    run.deck.remove(place);
                }
            }
            candidates.push((index, run));
        }
        self.best_of(candidates, lots)
    }

    fn of_offer(&self, lots: &mut Lots) -> Choice {
        let offer = &self.state().tower.offer;
        let candidate = |(index, input): (usize, &InputOf<Spire>)| {
            let Input::Choose(Reply::Run(answer)) = input else { return None };
            Some((index, self.with_card(offer.get(usize::from(*answer))?.0, 0)))
        };
        self.best_of(self.inputs.iter().enumerate().filter_map(candidate).collect(), lots)
    }

    /// Everything but cards is taken at once; of cards the best, if it is better than none.
    fn reward(&self, lots: &mut Lots) -> Choice {
        let simple = self.simple();
        if matches!(run_action(&self.inputs[simple.best]), Some(Action::Take(_))) {
            return simple;
        }
        let Some(Screen::Rewards(rewards)) = self.state().tower.screen() else { return simple };
        self.compared(lots, |action| match action {
            Action::TakeCard { reward, card } => {
                let Some(Reward::Cards(offer)) = rewards.get(usize::from(reward)) else { return None };
                let card = offer.get(usize::from(card))?;
                Some(self.with_card(card.card.0, card.upgraded.into()))
            }
            Action::Proceed => Some(self.run()),
            _ => None,
        })
    }

    fn rest(&self) -> Choice {
        let run = &self.state().run;
        let health = i32::from(run.hp) * 100 / i32::from(run.max_hp.max(1));
        let tower = &self.state().tower;
        let before_boss = tower.place.is_some_and(|place| place.y + 1 >= tower.fate.boss_row());
        let wanted = if before_boss { 75 } else { 55 };
        let find = |wanted: Action| self.inputs.iter().position(|input| run_action(input) == Some(wanted));
        match (health < wanted, find(Action::Rest), find(Action::Smith)) {
            (true, Some(rest), _) => Choice::new(rest),
            (false, _, Some(smith)) => Choice::new(smith),
            _ => self.simple(),
        }
    }

    /// Whatever is worth its price most, until nothing is; then potions, for what is left.
    fn shop(&self, lots: &mut Lots) -> Choice {
        let Some(Screen::Shop(shop)) = self.state().tower.screen() else { return self.simple() };
        let made = |action: Action| match action {
            Action::BuyCard(i) => {
                let card = shop.stock.cards.get(usize::from(i))?;
                Some((self.with_card(card.card.0, 0), self.bargain(Ware::Card(i), 0)))
            }
            Action::BuyRelic(i) => {
                let relic = shop.stock.relics.get(usize::from(i))?;
                Some((self.with_relic(relic.relic.0), self.bargain(Ware::Relic(i), 18)))
            }
            Action::BuyRemoval => Some((self.without_worst(), self.bargain(Ware::Removal, 4))),
            Action::Proceed => Some((self.run(), 0)),
            _ => None,
        };
        let wares = self.inputs.iter().enumerate();
        let wares = wares.filter_map(|(index, input)| Some((index, made(run_action(input)?)?))).collect();
        let choice = self.best_with(wares, lots);
        let buys = |input: &InputOf<Spire>| matches!(run_action(input), Some(Action::BuyPotion(_)));
        match self.inputs.iter().position(buys) {
            Some(potion) if run_action(&self.inputs[choice.best]) == Some(Action::Proceed) => {
                Choice::new(potion)
            }
            _ => choice,
        }
    }

    /// What speaks for a ware besides what it does in fights, less its price.
    fn bargain(&self, ware: Ware, besides: i32) -> i32 {
        let price = self.game.journey().price(self.state(), ware).unwrap_or(0);
        besides - PRICE * price / 100
    }

    /// Without a starter's card: a curse goes first, then a strike, then a defend.
    fn without_worst(&self) -> Run {
        let mut run = self.run();
        let worth = |card: &DeckCard| {
            self.game.rulebook.card(crate::seeds::CardNo(card.id)).worth[usize::from(card.up > 0)]
        };
        let removable = |card: &&DeckCard| self.game.rulebook.can_remove(card);
        let worst = run.deck.iter().filter(removable).map(worth).min();
        if let Some(place) = run.deck.iter().position(|card| Some(worth(card)) == worst) {
            run.deck.remove(place);
        }
        run
    }

    /// The way up that is worth most: rooms for what they give and what they are expected to cost.
    fn way(&self, lots: &mut Lots) -> Choice {
        let worths = self.room_worths(lots);
        let ways = way_worths(self.state(), &worths);
        let worth = |input: &InputOf<Spire>| match run_action(input) {
            Some(Action::Go(x)) => ways[usize::from(x).min(WIDTH - 1)],
            _ => i32::MIN,
        };
        let best = self
            .inputs
            .iter()
            .enumerate()
            .max_by_key(|(index, input)| (worth(input), std::cmp::Reverse(*index)));
        Choice::new(best.map_or(0, |(index, _)| index))
    }

    fn room_worths(&self, lots: &mut Lots) -> [i32; 7] {
        let state = self.state();
        let run = &state.run;
        let health = i32::from(run.hp) * 100 / i32::from(run.max_hp.max(1));
        let mut worth = [0; 7];
        worth[Room::Rest as usize] = 8 + (100 - health) / 4;
        worth[Room::Shop as usize] = run.gold.min(400) / 25;
        worth[Room::Treasure as usize] = 12;
        worth[Room::Event as usize] = 7;
        let mut toll = |foes: Vec<trials::Foe>| {
            let (lost, cost) = Trials::new(self.game, foes, lots).toll(run, self.tries / 2);
            // He fights better than the simple player of the trials.
            lost / 2 + cost / 4
        };
        worth[Room::Elite as usize] = 22 - toll(trials::elites(self.game, run.act));
        worth[Room::Monster as usize] = 9 - toll(trials::strong(self.game, run.act)) / 2;
        worth
    }
}

/// What trial fights came to in the mean, from 0 to 1.
fn share(mean: i64) -> f64 {
    (mean as f64 / 2e6 + 0.5).clamp(0.0, 1.0)
}

fn run_action(input: &InputOf<Spire>) -> Option<Action> {
    match input {
        Input::Act(Deed::Run(action)) => Some(*action),
        _ => None,
    }
}

/// The best way on from each column of the next row.
fn way_worths(s: &State, worth: &[i32; 7]) -> [i32; WIDTH] {
    let y = s.tower.place.map_or(0, |place| place.y + 1);
    let mut above = [0_i32; WIDTH];
    let top = HEIGHT.min(usize::from(s.tower.fate.boss_row()));
    for row in (usize::from(y)..top).rev() {
        let mut here = [i32::MIN / 2; WIDTH];
        for (place, node) in s.tower.fate.map.row(row as u8) {
            let onward = node.targets().map(|to| above[usize::from(to).min(WIDTH - 1)]).max().unwrap_or(0);
            let room = node.room.unwrap_or(Room::Monster);
            here[usize::from(place.x)] = worth[room as usize] + if row + 1 == top { 0 } else { onward };
        }
        above = here;
    }
    above
}

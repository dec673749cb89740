//! What a deck is good for, found out by fighting: the same fights with the same luck, for one deck and another.
//! No card or relic is known by name, so that new ones are judged as well as old ones.

use turnstone::dice::{Draw, Lots};
use turnstone::{Input, InputOf, Off, Offers, Position, Resolver};
use turnstone_host::halving::{Budget, Tried, halving};

use crate::action::{Action, Deed};
use crate::catalog::words::Rank;
use crate::dice::FightDice;
use crate::game::Spire;
use crate::question::{Answer, Asked};
use crate::run::bots::{fight_action, fight_answer};
use crate::seeds::FightNo;
use crate::state::{NONE, Run, Stage, State};

/// Inputs of a fight: more are not waited for.
const LONGEST: usize = 400;
/// A difference between two decks that is not worth finding out: half a percent of health.
const SLACK: i32 = 5;

/// An enemy of a trial.
pub(super) type Foe = (FightNo, Rank);

/// Fights that are fought to learn something.
pub(super) struct Trials<'a> {
    game: &'a Spire,
    foes: Vec<Foe>,
    seeds: Vec<u64>,
    resolver: Resolver<Spire>,
    offers: Offers<Spire>,
    /// Of the last fight.
    inputs: usize,
}

impl<'a> Trials<'a> {
    /// Against those enemies, in turn.
    pub(super) fn new(game: &'a Spire, foes: Vec<Foe>, lots: &mut Lots) -> Self {
        let seeds = (0..64).map(|_| lots.next_u64()).collect();
        Trials { game, foes, seeds, resolver: Resolver::default(), offers: Offers::default(), inputs: 0 }
    }

    /// The best of several players, and what the fights of each came to. Each comes with what speaks for him besides.
    pub(super) fn best(&mut self, players: &[(Run, i32)], tries: usize) -> (usize, Vec<Tried>) {
        halving(players.len(), Budget::of(tries, SLACK), |player, number| {
            let (run, besides) = &players[player];
            let value = self.fight(run, number);
            (value + besides, self.inputs)
        })
    }

    /// The percentage of fights that are lost, and of health that the others cost.
    pub(super) fn toll(&mut self, run: &Run, tries: usize) -> (i32, i32) {
        let (mut lost, mut cost) = (0, 0);
        for number in 0..tries {
            match self.hp_after(run, number) {
                Ok(hp) => cost += (i32::from(run.hp) - hp) * 100 / i32::from(run.max_hp.max(1)),
                Err(_) => lost += 1,
            }
        }
        let tries = tries.max(1) as i32;
        (lost * 100 / tries, cost / (tries - lost).max(1))
    }

    /// One fight, from -1,000 (lost, and badly) to 1,000 (won, unhurt).
    fn fight(&mut self, run: &Run, number: usize) -> i32 {
        match self.hp_after(run, number) {
            Ok(hp) => hp * 1000 / i32::from(run.max_hp.max(1)),
            Err(left) => -400 - 6 * left,
        }
    }

    /// The hit points after a fight that was won, or the percentage that the enemies have left.
    fn hp_after(&mut self, run: &Run, number: usize) -> Result<i32, i32> {
        let Some((fight, rank)) = self.foes.get(number % self.foes.len().max(1)).copied() else {
            return Ok(0);
        };
        let seed = self.seeds[number % self.seeds.len()] ^ number as u64;
        let spire = self.game;
        let mut state = State { run: run.clone(), ..State::default() };
        state.run.seed = seed;
        state.run.dice = (!spire.profile.own_dice).then(|| FightDice::on_floor(seed, run.floor));
        state.run.potions.iter_mut().for_each(|potion| *potion = NONE);
        spire.enter_fight(&mut state, fight.0, rank, None);
        let mut world = Position::<Spire>::new(state);
        let mut input = Input::Act(Deed::Fight(Action::Begin));
        let (mut first, mut left) = (0, 0);
        self.inputs = 0;
        for _ in 0..LONGEST {
            self.inputs += 1;
            if self.resolver.act_unchecked(spire, &mut world, &input, &mut Off).is_err() {
                break;
            }
            let s = world.state();
            match s.combat.stage {
                Stage::Won => return Ok(s.combat.player().hp.into()),
                Stage::Lost => break,
                Stage::Fled => return Ok(s.combat.player().hp.into()),
                _ => {}
            }
            left = s.combat.enemies().map(|who| i32::from(s.combat.bodies[usize::from(who)].hp)).sum();
            first = first.max(left);
            let Some(next) = self.next(&world) else { break };
            input = next;
        }
        Err(left * 100 / first.max(1))
    }

    fn next(&mut self, world: &Position<Spire>) -> Option<InputOf<Spire>> {
        let (spire, tastes) = (self.game, &self.game.rulebook.tastes);
        let inputs = self.offers.list(spire, world);
        let chosen = match world.pending().map(|pending| &pending.question) {
            Some(Asked::Fight(question)) => {
                let answers: Vec<Answer> = inputs.iter().filter_map(fight_answer).collect();
                spire.greedy_answer(world.state(), question, &answers)
            }
            Some(Asked::Run(_)) => 0,
            None => spire.tactical_choice(world.state(), tastes, inputs.iter().filter_map(fight_action)),
        };
        inputs.get(chosen).cloned()
    }
}

/// Whom a deck is measured by: the boss that waits, elites and the harder of the others, those of the next act from
/// the middle of an act on, and from the second act on the last bosses, whom a deck must grow up to.
pub(super) fn measures(game: &Spire, state: &State) -> Vec<Foe> {
    let run = &state.run;
    let late = state.tower.place.is_some_and(|place| place.y >= 7);
    let mut foes = vec![(state.tower.fate.fights.boss(0), Rank::Boss); 2];
    foes.extend(elites(game, run.act));
    foes.extend(strong(game, run.act));
    if run.act < 3 {
        let next = strong(game, run.act + 1);
        foes.extend(next.into_iter().take(if late { 4 } else { 2 }));
        foes.extend(elites(game, run.act + 1).into_iter().take(if late { 2 } else { 0 }));
    }
    if run.act == 2 {
        foes.extend(game.rulebook.tables.act(3).bosses.iter().map(|boss| (*boss, Rank::Boss)));
    }
    foes
}

/// The elites of an act.
pub(super) fn elites(game: &Spire, act: u8) -> Vec<Foe> {
    game.rulebook.tables.act(act).elites.fights().map(|fight| (fight, Rank::Elite)).collect()
}

/// The harder of the other fights of an act.
pub(super) fn strong(game: &Spire, act: u8) -> Vec<Foe> {
    game.rulebook.tables.act(act).strong.fights().map(|fight| (fight, Rank::Normal)).collect()
}

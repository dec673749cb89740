//! Playing many matches and looking at them: in their order, on any number of threads.

use std::collections::BTreeSet;

use serde_json::Value;
use turnstone_table::{
    Fork, Graft, Labels, Plan, Played, Rejection, Studied, Table, Venue, bot_seed, is_timed,
};

use super::Balance;
use super::gather::{About, Crossroads, Gathering};
use super::rows::Example;
use crate::parallel::in_order;
use crate::plan::known_measure;

/// One way to open matches.
pub struct Group {
    /// What it is called: `difficulty hard`.
    pub name: String,
    /// The values by which it differs from the others.
    pub values: Vec<(String, String)>,
    /// Where they are held.
    pub venue: Box<dyn Venue>,
    /// Who plays.
    pub plan: Plan,
}

/// Matches to be played and looked at.
pub struct Study {
    /// The game.
    pub game: String,
    /// How matches are opened and who plays, in words.
    pub source: String,
    /// The ways to open them; at least one.
    pub groups: Vec<Group>,
    /// The first seed.
    pub first: u64,
    /// Matches of each group.
    pub games: u64,
    /// Choices by their labels, in place of those that the game names.
    pub labels: Option<Labels>,
    /// The number of the tally that is looked at; the first if left out.
    pub measure: Option<String>,
    /// For each choice, so many decisions are played both ways, at most.
    pub pairs: usize,
    /// Every change of a set-up is tried on so many seeds.
    pub grafts: u64,
    /// Fewer pairs than this are too few to say anything.
    pub least: u64,
    /// How many threads play.
    pub threads: usize,
}

/// Matches that are played before what they say is added up.
const CHUNK: u64 = 1024;

/// Told what is being done, how far that is, and of how much.
pub type Told<'t> = dyn Fn(&str, u64, u64) + Sync + 't;

impl Study {
    /// Those who play by the clock: their games cannot be played again.
    pub fn timed(&self) -> Vec<String> {
        self.players().into_iter().filter(|name| is_timed(name)).map(str::to_owned).collect()
    }

    /// Refuses those who play by the clock, for `what` plays games of theirs again; what one can do `instead`.
    ///
    /// # Errors
    /// If there are any.
    pub fn check_repeatable(&self, what: &str, instead: &str) -> Result<(), Rejection> {
        let timed = self.timed();
        let Some(one) = timed.first() else { return Ok(()) };
        let text = format!(
            "{what} plays games again, and those of {one} go otherwise then: give a budget without time=, or {instead}"
        );
        Err(Rejection::new("NOT_REPEATABLE", text))
    }

    /// Who plays, each once.
    pub(super) fn players(&self) -> BTreeSet<&str> {
        let seated = self.groups.iter().flat_map(|group| {
            let named = group.plan.seats.iter().map(|(_, name)| name.as_str());
            named.chain([group.plan.bot.as_str()])
        });
        seated.collect()
    }

    /// Plays everything.
    ///
    /// # Errors
    /// If a set-up is refused or a bot is unknown, or if choices are to be played both ways by somebody who plays by the
    /// clock.
    pub fn run(&self, told: &Told<'_>) -> Result<Balance, Rejection> {
        if self.pairs > 0 {
            self.check_repeatable("--pairs", "leave --pairs out")?;
        }
        let seated = self.groups.iter().map(|group| Ok(group.venue.open(self.first)?.seats()));
        let seated: Vec<Vec<String>> = seated.collect::<Result<_, Rejection>>()?;
        // The first of those with the most.
        let seats = seated.iter().rev().max_by_key(|names| names.len()).cloned().unwrap_or_default();
        let mut gathering = Gathering::new(About {
            game: self.game.clone(),
            source: self.source.clone(),
            seats,
            seated: seated.iter().map(Vec::len).collect(),
            groups: self.groups.iter().map(|group| (group.name.clone(), group.values.clone())).collect(),
            measure: self.measure.clone(),
            least: self.least,
            pairs: self.pairs,
        });
        self.check_measure()?;
        self.play(&mut gathering, told)?;
        self.fork(&mut gathering, told)?;
        self.graft(&mut gathering, told)?;
        let notes = self.notes(&gathering)?;
        let balance = gathering.finish();
        Ok(Balance { timed: self.timed(), notes, fork_notes: self.fork_notes(&balance.forks), ..balance })
    }

    /// Refuses a number that matches do not tell, before many are played: one that stands in a first state is known,
    /// another may come in the end.
    fn check_measure(&self) -> Result<(), Rejection> {
        let (Some(name), Some(group)) = (&self.measure, self.groups.first()) else { return Ok(()) };
        let told = |tally: &[(String, Value)]| {
            known_measure(name, tally.iter().map(|(name, value)| (name.as_str(), value)))
        };
        if name == "inputs" || told(&group.venue.open(self.first)?.tally()).is_ok() {
            return Ok(());
        }
        let played = group.venue.simulate(self.first, &group.plan)?;
        told(&played.tally).map_err(|trouble| Rejection::new("UNKNOWN_MEASURE", trouble.text))
    }

    fn play(&self, gathering: &mut Gathering, told: &Told<'_>) -> Result<(), Rejection> {
        let all = self.games * self.groups.len() as u64;
        self.in_chunks(
            "games",
            all,
            told,
            |number| {
                let group = &self.groups[(number / self.games) as usize];
                let seed = self.first.wrapping_add(number % self.games);
                group.venue.study(seed, &group.plan, self.labels.as_ref())
            },
            |number, studied: Studied| gathering.add((number / self.games) as usize, &studied),
        )
    }

    fn fork(&self, gathering: &mut Gathering, told: &Told<'_>) -> Result<(), Rejection> {
        let roads: Vec<Crossroads> = gathering.crossroads();
        self.in_chunks(
            "forks",
            roads.len() as u64,
            told,
            |number| {
                let road = &roads[number as usize];
                let group = &self.groups[road.group];
                group.venue.forks(road.seed, &group.plan, &road.crossings)
            },
            |number, forks: Vec<Fork>| gathering.add_forks(&roads[number as usize], &forks),
        )
    }

    fn graft(&self, gathering: &mut Gathering, told: &Told<'_>) -> Result<(), Rejection> {
        let seeds = self.grafts.min(self.games);
        let place =
            |number: u64| ((number / seeds.max(1)) as usize, self.first.wrapping_add(number % seeds.max(1)));
        self.in_chunks(
            "changes",
            seeds * self.groups.len() as u64,
            told,
            |number| {
                let (group, seed) = place(number);
                let Group { venue, plan, .. } = &self.groups[group];
                let one = |graft: Graft| {
                    let played = venue.grafted(seed, &graft)?.simulate(seed, plan);
                    Some(played.map(|played| (graft, played)))
                };
                venue.grafts(seed).into_iter().filter_map(one).collect::<Result<Vec<(Graft, Played)>, _>>()
            },
            |number, all: Vec<(Graft, Played)>| {
                let (group, seed) = place(number);
                all.iter().for_each(|(graft, played)| gathering.add_graft(group, seed, graft, played));
            },
        )
    }

    fn in_chunks<T: Send>(
        &self,
        what: &str,
        all: u64,
        told: &Told<'_>,
        one: impl Fn(u64) -> Result<T, Rejection> + Sync,
        mut add: impl FnMut(u64, T),
    ) -> Result<(), Rejection> {
        let mut first = 0;
        while first < all {
            let count = CHUNK.min(all - first);
            let done = std::sync::atomic::AtomicU64::new(first);
            let results = in_order(count, self.threads, |number| {
                let result = one(first + number);
                told(what, done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, all);
                result
            });
            for (number, result) in (first..).zip(results) {
                add(number, result?);
            }
            first += count;
        }
        Ok(())
    }

    /// The match file of an example. What was played both ways is one match with two branches.
    ///
    /// # Errors
    /// If there is no such group or match, or if it cannot be played again.
    pub fn match_file(&self, example: &Example) -> Result<String, Rejection> {
        self.check_repeatable("a match file", "do without")?;
        let missing = || Rejection::new("NO_SUCH_GAME", format!("there is no game {}", example.file()));
        let Group { venue, plan, .. } = self.groups.get(example.group).ok_or_else(missing)?;
        let grafted = match &example.graft {
            Some(graft) => Some(venue.grafted(example.seed, graft).ok_or_else(missing)?),
            None => None,
        };
        let mut table = grafted.as_ref().unwrap_or(venue).open(example.seed)?;
        for seat in 0..table.seats().len() as u8 {
            let named = plan.seats.iter().find(|(at, _)| *at == seat);
            table.seat_bot(seat, named.map_or(&plan.bot, |(_, name)| name), bot_seed(example.seed))?;
        }
        match example.fork {
            None => play_on(&mut *table, plan.max_inputs)?,
            Some(crossing) => {
                play_on(&mut *table, crossing.moment)?;
                let (here, left) = (table.here(), plan.max_inputs.saturating_sub(crossing.moment + 1));
                table.choose(crossing.without)?;
                play_on(&mut *table, left)?;
                table.jump(here)?;
                table.choose(crossing.with)?;
                play_on(&mut *table, left)?;
            }
        }
        table.save()
    }
}

/// Lets the bots play so many inputs, or until nobody can go on.
fn play_on(table: &mut dyn Table, inputs: u64) -> Result<(), Rejection> {
    for _ in 0..inputs {
        let Some(number) = table.bot_choice().filter(|_| table.outcome().is_none()) else { break };
        table.choose(number)?;
    }
    Ok(())
}

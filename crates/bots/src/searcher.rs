//! What all searchers share: a budget, trees, the merging of what they found, and why.

use std::time::{Duration, Instant};

use turnstone::InputOf;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone_host::{Bot, Hosted, Sight, Weighed, Why, tell_line};

use crate::{alphabeta, beam, flat, ismcts, read_slips};

/// The longest time for one choice, in milliseconds: an hour.
const MOST_TIME: u32 = 3_600_000;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Playouts, with the options halved in rounds.
    Flat,
    /// Information-set tree search with the eyes of who is to act.
    Ismcts,
    /// The same, with a tree for everybody's eyes.
    MultipleObserver,
    /// Alpha–beta, everybody else against the searcher.
    AlphaBeta,
    /// The best lines of the own turn.
    Beam,
}

/// Their names, as typed.
pub const METHODS: [(&str, Method); 5] = [
    ("flat", Method::Flat),
    ("ismcts", Method::Ismcts),
    ("mo-ismcts", Method::MultipleObserver),
    ("alphabeta", Method::AlphaBeta),
    ("beam", Method::Beam),
];

/// What may follow a budget, each as `NAME=NUMBER`.
const PARAMETERS: [&str; 4] = ["trees", "threads", "longest", "time"];

/// A searcher with its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searcher {
    /// How it searches.
    pub method: Method,
    /// Playouts, iterations or nodes for one choice, over all trees.
    pub budget: u32,
    /// How many trees are grown; it decides what is chosen.
    pub trees: u32,
    /// How many threads grow them; it does not.
    pub threads: u32,
    /// A playout that takes more inputs than this is judged as it stands.
    pub longest: u32,
    /// Milliseconds after which it chooses though the budget is not spent; 0 for any number. What it chooses then
    /// depends on the machine: see [`is_timed`].
    pub time: u32,
}

/// What a tree may still spend.
#[derive(Clone, Copy)]
pub(crate) struct Spending {
    /// Playouts, iterations or nodes.
    pub budget: u32,
    deadline: Option<Instant>,
}

impl Spending {
    /// Whether time is up.
    pub fn late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// What one tree found: the options with what each of them cost, which it holds for the best, and the line it expects.
pub(crate) struct Found<G: Hosted> {
    pub options: Vec<Weighed>,
    pub best: usize,
    pub line: Vec<InputOf<G>>,
}

impl Searcher {
    /// That method with that budget, and the usual rest.
    pub fn new(method: Method, budget: u32) -> Self {
        let trees = if matches!(method, Method::Ismcts | Method::MultipleObserver) { 4 } else { 8 };
        Searcher { method, budget, trees, threads: 1, longest: 300, time: 0 }
    }

    /// Reads a name such as `ismcts:400`, `beam:2000,trees=4,threads=2,longest=100` or `ismcts:1000000,time=200`.
    pub fn read(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }

    /// What is wrong with a name that begins like a searcher's.
    pub fn problem(text: &str) -> Option<String> {
        Self::parse(text).err().flatten()
    }

    /// Without a problem it is no searcher that is meant.
    fn parse(text: &str) -> Result<Self, Option<String>> {
        let (name, rest) = text.split_once(':').ok_or(None)?;
        let (_, method) = METHODS.iter().find(|(known, _)| *known == name).ok_or(None)?;
        let number = |what: &str, text: &str| {
            let number = text.parse::<u32>().ok().filter(|number| *number > 0);
            number.ok_or_else(|| {
                Some(format!("{name}: {what} is a number from 1 to {}, not \"{text}\"", u32::MAX))
            })
        };
        let mut parts = rest.split(',');
        let mut searcher = Searcher::new(*method, number("its budget", parts.next().unwrap_or_default())?);
        let mut given: Vec<&str> = Vec::new();
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let (slot, most) = match key {
                "trees" => (&mut searcher.trees, 1024),
                "threads" => (&mut searcher.threads, 256),
                "longest" => (&mut searcher.longest, u32::MAX),
                "time" => (&mut searcher.time, MOST_TIME),
                _ => {
                    let all = PARAMETERS.join(", ");
                    return Err(Some(format!(
                        "{name} has no parameter \"{key}\"; there are: {all}, each as NAME=NUMBER"
                    )));
                }
            };
            if given.contains(&key) {
                return Err(Some(format!("{name}: {key} is given twice")));
            }
            given.push(key);
            *slot = number(key, value)?.min(most);
        }
        Ok(searcher)
    }

    /// Weighs the inputs of a sight. All chance comes from `lots`.
    pub fn think<G: Hosted>(&self, sight: &Sight<'_, G>, lots: &mut Lots) -> Why {
        if sight.inputs().len() < 2 {
            // Nothing to weigh; what there is to do is the whole line.
            let line = tell_line(sight, sight.inputs(), lots);
            return Why { best: 0, options: vec![Weighed { visits: 1, value: 0.5 }], line };
        }
        let trees = self.trees_of(sight);
        let share = (self.budget / trees).max(1);
        let seed = lots.next_u64();
        let found = self.grow(trees, |tree| {
            let mut lots = Lots::new(seed, Stream::named("tree").nth(u64::from(tree)));
            let spending = Spending { budget: share, deadline: self.deadline(trees) };
            match self.method {
                Method::Flat => flat::search(sight, spending, self.longest, &mut lots),
                Method::Ismcts => ismcts::search(sight, spending, self.longest, false, &mut lots),
                Method::MultipleObserver => ismcts::search(sight, spending, self.longest, true, &mut lots),
                Method::AlphaBeta => alphabeta::search(sight, spending, &mut lots),
                Method::Beam => beam::search(sight, spending, self.longest, &mut lots),
            }
        });
        let options = merge(sight.inputs().len(), &found);
        let best = self.elect(&options, &found);
        let chosen = &sight.inputs()[best];
        let line = found.iter().find(|found| found.line.first() == Some(chosen));
        let alone = std::slice::from_ref(chosen);
        let line = tell_line(sight, line.map_or(alone, |found| &found.line), lots);
        Why { best, options, line }
    }

    /// What was tried most, as trees try most what they like; planners look longest at what is hard to refute, so their
    /// trees vote. The better of equals, the first of those.
    fn elect<G: Hosted>(&self, options: &[Weighed], found: &[Found<G>]) -> usize {
        let votes = |option: usize| match self.method {
            Method::Flat | Method::Ismcts | Method::MultipleObserver => options[option].visits,
            Method::AlphaBeta | Method::Beam => {
                found.iter().filter(|found| found.best == option).count() as u64
            }
        };
        let rank =
            |a: usize, b: usize| votes(a).cmp(&votes(b)).then(options[a].value.total_cmp(&options[b].value));
        (1..options.len()).fold(0, |best, next| if rank(next, best).is_gt() { next } else { best })
    }

    /// Where nothing is hidden every tree that draws no lots would see the same: one has the whole budget then. A beam
    /// draws lots only where the game has no opinion.
    fn trees_of<G: Hosted>(&self, sight: &Sight<'_, G>) -> u32 {
        let drawn = match self.method {
            Method::Flat | Method::Ismcts | Method::MultipleObserver => true,
            Method::AlphaBeta => false,
            Method::Beam => sight.game().appraise(sight.seen().state(), sight.seat()).is_none(),
        };
        let trees = if drawn || !sight.lies_open() { self.trees } else { 1 };
        trees.min(self.budget / self.least(sight.inputs().len())).max(1)
    }

    /// What a tree needs to be worth growing: halving needs a try of every option in every round.
    fn least(&self, options: usize) -> u32 {
        match self.method {
            Method::Flat => u32::try_from(options).unwrap_or(u32::MAX).saturating_mul(flat::rounds(options)),
            Method::Ismcts | Method::MultipleObserver | Method::AlphaBeta | Method::Beam => 1,
        }
    }

    /// When a tree that begins now has to be done: trees that are grown one after the other share the time.
    fn deadline(&self, trees: u32) -> Option<Instant> {
        let threads = self.threads.clamp(1, trees);
        let whole = Duration::from_millis(u64::from(self.time));
        (self.time > 0).then(|| Instant::now() + whole / trees.div_ceil(threads))
    }

    /// Grows the trees on the threads; the result is in the order of the trees.
    fn grow<T: Send>(&self, trees: u32, one: impl Fn(u32) -> T + Sync) -> Vec<T> {
        let threads = self.threads.clamp(1, trees);
        if threads == 1 {
            return (0..trees).map(one).collect();
        }
        let one = &one;
        let mut found: Vec<(u32, T)> = std::thread::scope(|scope| {
            let part = |thread: u32| (thread..trees).step_by(threads as usize);
            let workers: Vec<_> = (0..threads)
                .map(|thread| {
                    scope.spawn(move || part(thread).map(|tree| (tree, one(tree))).collect::<Vec<_>>())
                })
                .collect();
            let joined = workers.into_iter().flat_map(|worker| match worker.join() {
                Ok(found) => found,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect()
        });
        found.sort_by_key(|(tree, _)| *tree);
        found.into_iter().map(|(_, found)| found).collect()
    }
}

/// Visits are added, values are means over them.
fn merge<G: Hosted>(inputs: usize, found: &[Found<G>]) -> Vec<Weighed> {
    let mut options = vec![Weighed::default(); inputs];
    let mut unweighted = vec![(0.0, 0u32); inputs];
    for tree in found {
        for (index, one) in tree.options.iter().enumerate() {
            options[index].visits += one.visits;
            options[index].value += one.value * one.visits as f64;
            unweighted[index].0 += one.value;
            unweighted[index].1 += 1;
        }
    }
    for (option, (sum, count)) in options.iter_mut().zip(unweighted) {
        option.value = match option.visits {
            0 => sum / f64::from(count.max(1)),
            visits => option.value / visits as f64,
        };
    }
    options
}

impl<G: Hosted> Bot<G> for Searcher {
    fn choose(&mut self, sight: &Sight<'_, G>, lots: &mut Lots) -> usize {
        if sight.inputs().len() < 2 {
            return 0;
        }
        self.think(sight, lots).best
    }

    fn why(&mut self, sight: &Sight<'_, G>, lots: &mut Lots) -> Option<Why> {
        Some(self.think(sight, lots))
    }
}

/// Whether a bot of that name plays by the clock, as `ismcts:1000000,time=200` does: then the same seed need not give the
/// same game.
pub fn is_timed(name: &str) -> bool {
    let plain = read_slips(name).map_or(name, |(_, name)| name);
    Searcher::read(plain).is_some_and(|searcher| searcher.time > 0)
}

/// The searcher of that name, as a bot of any game; `None` if the text names none.
pub fn named<G: Hosted>(text: &str) -> Option<Box<dyn Bot<G>>> {
    Searcher::read(text).map(|searcher| Box::new(searcher) as Box<dyn Bot<G>>)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_or_refused() {
        let searcher = Searcher::read("ismcts:400,trees=2,threads=3,longest=50").unwrap();
        assert_eq!((searcher.budget, searcher.trees, searcher.threads, searcher.longest), (400, 2, 3, 50));
        assert_eq!(Searcher::read("flat:9,time=20").unwrap().time, 20);
        let timed =
            ["flat:9,time=20", "slips=5:flat:9,time=20", "flat:9", "greedy", "slips=5:flat:9", "fair"];
        assert_eq!(timed.map(is_timed), [true, true, false, false, false, false]);
        for wrong in [
            "ismcts",
            "ismcts:4,time=0",
            "ismcts:",
            "ismcts:0",
            "ismcts:x",
            "ismcts:4,",
            "ismcts:4,depth=3",
            "ismcts:4,time=5,time=6",
            "minimax:4",
            "",
        ] {
            assert_eq!(Searcher::read(wrong), None, "{wrong}");
        }
    }
}

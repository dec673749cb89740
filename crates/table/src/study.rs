//! What was offered, what was taken, and what taking it does: a match is played, and some of its
//! decisions are played again both ways.

use serde::{Deserialize, Serialize};
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{InputOf, Off, Outcome, Position, Rejection, Resolver, Seat};
use turnstone_host::{Hosted, tell_input};

use crate::simulate::{Plan, Played, play_on};

/// Which choices are looked at, by how they are told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// How the words of a choice begin: `Take `.
    pub begins: String,
    /// Where they end, if what follows does not matter: ` for ` in `Buy Bash for 54 gold`.
    pub until: Option<String>,
    /// The choice that forks are compared with: `Go on`. Without one, what the bot itself chose.
    pub against: Option<String>,
    /// How many decisions of a match are played both ways, at most.
    pub forks: usize,
}

/// A choice that was offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// In words.
    pub choice: String,
    /// Whether it was taken.
    pub taken: bool,
}

/// A decision that was played both ways, with the same dice and the same lots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fork {
    /// What was tried.
    pub choice: String,
    /// After how many inputs.
    pub moment: u64,
    /// How the match went with it.
    pub with: Played,
    /// And without.
    pub without: Played,
}

/// A match that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Studied {
    /// How it went.
    pub played: Played,
    /// What was offered, in order; the same choice once for each decision.
    pub offered: Vec<Offered>,
    /// The decisions that were played both ways.
    pub forks: Vec<Fork>,
    /// The parts of the match, in order.
    #[serde(default)]
    pub stretches: Vec<Stretch>,
    /// What each seat had in the end, by kind and name.
    #[serde(default)]
    pub holdings: Vec<(Seat, String, String)>,
}

/// A part of a match, such as a fight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// Which.
    pub name: String,
    /// What it cost, such as hit points.
    pub cost: i64,
    /// The match ended in it, and was not won.
    pub fatal: bool,
}

/// A decision kept to be played both ways.
struct Kept<G: Hosted> {
    position: Position<G>,
    moment: u64,
    choice: String,
    with: InputOf<G>,
    without: InputOf<G>,
}

/// Watches a match.
struct Watch<'a, G: Hosted> {
    game: &'a G,
    query: &'a Query,
    lots: Lots,
    offered: Vec<Offered>,
    kept: Vec<Kept<G>>,
    /// Decisions that could have been kept: all are as likely to be.
    seen: u64,
    stretches: Vec<Stretch>,
    /// The part being played: its name, and the number when it began and at last.
    chapter: Option<(String, i64, i64)>,
}

pub(crate) fn study<G: Hosted>(
    game: &G,
    setup: &G::Setup,
    seed: u64,
    plan: &Plan,
    query: &Query,
) -> Result<Studied, Rejection> {
    let position = Position::<G>::new(game.start(setup, seed)?).admit(game)?;
    let lots = Lots::new(seed, Stream::named("study"));
    let mut watch = Watch {
        game,
        query,
        lots,
        offered: Vec::new(),
        kept: Vec::new(),
        seen: 0,
        stretches: Vec::new(),
        chapter: None,
    };
    let mut last = None;
    let played = play_on(game, position, 0, seed, plan, &mut |position, moment, chosen| {
        watch.look(position, moment, chosen);
        last.get_or_insert_with(|| position.clone()).clone_from(position);
    })?;
    watch.close(matches!(played.outcome, Some(Outcome::Lost)));
    // The end itself is not watched: what one has before the last input is what one has.
    let holdings = last.map_or_else(Vec::new, |last| holdings(game, &last));
    let Watch { offered, kept, stretches, .. } = watch;
    let forks = kept.into_iter().map(|kept| both_ways(game, seed, plan, kept)).collect::<Result<_, _>>()?;
    Ok(Studied { played, offered, forks, stretches, holdings })
}

/// What everybody has, each thing once.
fn holdings<G: Hosted>(game: &G, position: &Position<G>) -> Vec<(Seat, String, String)> {
    let seats = game.seats(position.state()).len() as Seat;
    let of = |seat| {
        game.holdings(position.state(), seat)
            .into_iter()
            .map(move |(kind, name)| (seat, kind.to_owned(), name))
    };
    let mut all: Vec<_> = (0..seats.max(1)).flat_map(of).collect();
    all.sort();
    all.dedup();
    all
}

impl<G: Hosted> Watch<'_, G> {
    fn look(&mut self, position: &Position<G>, moment: u64, chosen: usize) {
        self.turn_page(position);
        if self.query.begins.is_empty() {
            return;
        }
        let inputs = position.inputs(self.game);
        if inputs.len() < 2 {
            return;
        }
        let told = |input| tell_input(self.game, position, input).unwrap_or_default();
        let words: Vec<String> = inputs.iter().map(told).collect();
        let choices: Vec<(usize, String)> =
            words.iter().enumerate().filter_map(|(at, words)| Some((at, self.choice(words)?))).collect();
        let first = self.offered.len();
        for (at, choice) in &choices {
            let taken = *at == chosen;
            match self.offered[first..].iter_mut().find(|offered| offered.choice == *choice) {
                Some(known) => known.taken |= taken,
                None => self.offered.push(Offered { choice: choice.clone(), taken }),
            }
        }
        self.keep(position, moment, chosen, &inputs, &words, &choices);
    }

    /// Keeps what the part being played has cost so far; another one begins when the name changes.
    fn turn_page(&mut self, position: &Position<G>) {
        let now = self.game.chapter(position.state());
        match (&mut self.chapter, now) {
            (Some((name, _, last)), Some((same, number))) if *name == same => *last = number,
            (None, None) => {}
            (_, now) => {
                self.close(false);
                self.chapter = now.map(|(name, number)| (name, number, number));
            }
        }
    }

    fn close(&mut self, fatal: bool) {
        let Some((name, first, last)) = self.chapter.take() else { return };
        let cost = if fatal { first } else { first - last };
        self.stretches.push(Stretch { name, cost, fatal });
    }

    /// The words of a choice that is looked at, as far as they matter.
    fn choice(&self, words: &str) -> Option<String> {
        let rest = words.strip_prefix(&self.query.begins)?;
        let until = self.query.until.as_ref().and_then(|until| rest.find(until.as_str()));
        Some(until.map_or(rest, |end| &rest[..end]).to_owned())
    }

    /// One of the choices, against what it is compared with: every decision is kept as likely as any
    /// other, whatever their number.
    fn keep(
        &mut self,
        position: &Position<G>,
        moment: u64,
        chosen: usize,
        inputs: &[InputOf<G>],
        words: &[String],
        choices: &[(usize, String)],
    ) {
        let without = match &self.query.against {
            Some(against) => words.iter().position(|words| words == against),
            None => Some(chosen),
        };
        let Some(without) = without.filter(|_| self.query.forks > 0) else { return };
        let others: Vec<&(usize, String)> = choices.iter().filter(|(at, _)| *at != without).collect();
        let Some((with, choice)) = self.lots.pick(&others).copied() else { return };
        self.seen += 1;
        let place = self.lots.below(self.seen) as usize;
        let full = self.kept.len() >= self.query.forks;
        if full && place >= self.query.forks {
            return;
        }
        let (with, without) = (inputs[*with].clone(), inputs[without].clone());
        let kept = Kept { position: position.clone(), moment, choice: choice.clone(), with, without };
        if full {
            self.kept[place] = kept;
        } else {
            self.kept.push(kept);
        }
    }
}

fn both_ways<G: Hosted>(game: &G, seed: u64, plan: &Plan, kept: Kept<G>) -> Result<Fork, Rejection> {
    let Kept { position, moment, choice, with, without } = kept;
    let go = |input: &InputOf<G>| {
        let mut position = position.clone();
        Resolver::<G>::default().act(game, &mut position, input, &mut Off)?;
        play_on(game, position, moment + 1, seed, plan, &mut |_, _, _| {})
    };
    Ok(Fork { choice, moment, with: go(&with)?, without: go(&without)? })
}

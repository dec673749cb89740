//! Adding matches up, one by one, in their order: what is kept grows with what there is in the game, not
//! with what was played.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use turnstone_table::{Crossing, Fork, Graft, Outcome, Played, Seat, Studied};

use super::Balance;
use super::rows::{
    Bin, ChoiceRow, EffectRow, Example, GroupRow, HoldingRow, NumberRow, PairRow, RunRow, SeatRow,
    StretchRow, WordRow,
};
use crate::stats::{Bundles, Mean, Paired, Share, Sum, Survival, benjamini_hochberg, two_shares};

/// What a report is about.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The game.
    pub game: String,
    /// How matches were opened and who played, in words.
    pub source: String,
    /// One name for each seat; where groups have unlike seats, of the one with the most.
    pub seats: Vec<String>,
    /// How many sit in each of the groups; as many as there are names, where it is left out.
    pub seated: Vec<usize>,
    /// The ways in which matches were opened, and the values by which they differ.
    pub groups: Vec<Opened>,
    /// The number of the tally that is looked at; the first if left out.
    pub measure: Option<String>,
    /// Fewer pairs than this are too few to say anything.
    pub least: u64,
    /// So many decisions are kept for each choice, to be played both ways.
    pub pairs: usize,
}

/// A way to open matches: its name, and the values by which it differs from others.
pub type Opened = (String, Vec<(String, String)>);

/// A thing of a seat: of which kind, and which.
pub(crate) type Key = (Seat, String, String);

/// A match that is to be played again, and where the way parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossroads {
    /// Of which group.
    pub group: usize,
    /// With which seed.
    pub seed: u64,
    /// Where.
    pub crossings: Vec<Crossing>,
    keys: Vec<Key>,
}

/// Matches that show something, the first few of them; in the end one, which shows other things too if it can.
#[derive(Clone, Default)]
struct Shows {
    runs: Vec<usize>,
}

impl Shows {
    /// So many are kept: enough to find one that is shown already.
    const MOST: usize = 8;

    fn add(&mut self, run: usize) {
        if self.runs.len() < Self::MOST && self.runs.last() != Some(&run) {
            self.runs.push(run);
        }
    }

    /// Keeps one that is used already, or the first, which is used then.
    fn settle(&mut self, used: &mut BTreeSet<usize>) {
        let known = self.runs.iter().copied().find(|run| used.contains(run));
        let run = known.or(self.runs.first().copied()).unwrap_or(0);
        used.insert(run);
        self.runs = vec![run];
    }

    fn run(&self) -> usize {
        self.runs.first().copied().unwrap_or(0)
    }
}

#[derive(Default)]
struct Chosen {
    /// How often it was taken, of how often it was offered, match by match.
    taken: Bundles,
    with: Score,
    left: Score,
    /// Matches in which it was taken; if it never was, those in which it was offered.
    shows: Shows,
    /// Decisions that could be played both ways, and those that were drawn to be.
    forks: u64,
    kept: Vec<(usize, Crossing)>,
}

/// Matches, those of them that were won, and what was measured.
#[derive(Clone, Copy, Default)]
struct Score {
    of: u64,
    won: u64,
    measure: Sum,
}

impl Score {
    fn add(&mut self, won: bool, measure: f64) {
        self.of += 1;
        self.won += u64::from(won);
        self.measure.add(measure);
    }

    fn won(&self) -> Share {
        Share::new(self.won, self.of)
    }
}

#[derive(Default)]
struct Part {
    /// What it cost who lived through it, match by match.
    costs: Bundles,
    /// The matches that met it.
    score: Score,
    /// Matches that ended there.
    fatal: u64,
    /// Matches that ended there, or, if none did, that came through it.
    shows: Shows,
}

struct Thing {
    key: Key,
    score: Score,
    shows: Shows,
}

/// Differences in points and in what is measured, each with the seed of its match, and an example.
#[derive(Default)]
struct Effects {
    points: Vec<(u64, f64)>,
    measure: Vec<(u64, f64)>,
    example: Example,
}

/// Matches as far as they were added up.
pub struct Gathering {
    about: About,
    measure: Option<String>,
    runs: Vec<RunRow>,
    outcomes: Vec<Option<Outcome>>,
    places: BTreeMap<(usize, u64), usize>,
    /// What is told in words, by kind; and by word how often, with an example.
    words: BTreeMap<String, BTreeMap<String, (u64, Shows)>>,
    numbers: Vec<(String, Vec<(f64, usize)>)>,
    /// What is told with yes or no.
    facts: Vec<(String, Vec<(bool, usize)>)>,
    choices: BTreeMap<Key, Chosen>,
    parts: BTreeMap<String, Part>,
    things: Vec<Thing>,
    numbered: BTreeMap<Key, usize>,
    /// Matches with two things, and those of them that were won, with an example; the later thing first.
    both: Vec<Vec<(u32, u32, u32)>>,
    forks: BTreeMap<Key, Effects>,
    grafts: BTreeMap<Graft, Effects>,
    lots: Lots,
    /// The matches that are shown for something, in the end.
    used: BTreeSet<usize>,
}

/// Which decisions are kept: the same ones whoever counts them.
struct Lots(u64);

impl Lots {
    /// A number below `bound`, all about equally likely (Steele, Lea and Flood's mixer).
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }
}

/// Halves of a point for that seat.
fn halves(outcome: Option<Outcome>, seat: Seat, seats: usize) -> u8 {
    match outcome {
        Some(Outcome::Won(winner)) => 2 * u8::from(winner == seat),
        Some(Outcome::WonByAll) => 2,
        Some(Outcome::Lost) => 0,
        Some(Outcome::Drawn) => 1,
        None => u8::from(seats > 1),
    }
}

/// Nobody won and nobody lost.
fn is_drawn(outcome: Option<Outcome>) -> bool {
    match outcome {
        None | Some(Outcome::Drawn) => true,
        Some(Outcome::Won(_) | Outcome::WonByAll | Outcome::Lost) => false,
    }
}

/// Everybody lost: the game itself won.
fn is_lost(outcome: Option<Outcome>) -> bool {
    outcome == Some(Outcome::Lost)
}

fn number(played: &Played, measure: &str) -> f64 {
    let told = played.tally.iter().find(|(name, _)| name == measure).and_then(|(_, value)| value.as_f64());
    told.unwrap_or(played.inputs as f64)
}

impl Gathering {
    /// Nothing yet.
    pub fn new(about: About) -> Self {
        Gathering {
            measure: about.measure.clone(),
            about,
            runs: Vec::new(),
            outcomes: Vec::new(),
            places: BTreeMap::new(),
            words: BTreeMap::new(),
            numbers: Vec::new(),
            facts: Vec::new(),
            choices: BTreeMap::new(),
            parts: BTreeMap::new(),
            things: Vec::new(),
            numbered: BTreeMap::new(),
            both: Vec::new(),
            forks: BTreeMap::new(),
            grafts: BTreeMap::new(),
            lots: Lots(0),
            used: BTreeSet::new(),
        }
    }

    fn seats(&self) -> usize {
        self.about.seats.len().max(1)
    }

    /// How many sit in a match of that group.
    fn seats_in(&self, group: usize) -> usize {
        self.about.seated.get(group).copied().unwrap_or_else(|| self.seats())
    }

    /// Whether there is such a seat in that match.
    fn has_seat(&self, run: &RunRow, seat: Seat) -> bool {
        usize::from(seat) < self.seats_in(run.0)
    }

    /// Whether several played that match; where everybody always plays alone, all matches count.
    fn is_shared(&self, run: &RunRow) -> bool {
        self.seats() == 1 || self.seats_in(run.0) > 1
    }

    /// One more match, of that group.
    pub fn add(&mut self, group: usize, studied: &Studied) {
        let played = &studied.played;
        let measure = self.measure.get_or_insert_with(|| first_number(played));
        let value = number(played, measure);
        let run = self.runs.len();
        let seats = self.seats_in(group);
        self.runs.push(RunRow(group, played.seed, halves(played.outcome, 0, seats), value));
        self.outcomes.push(played.outcome);
        self.places.insert((group, played.seed), run);
        for (name, told) in played.tally.iter().chain(&studied.survey) {
            self.tell(run, name, told);
        }
        self.tell(run, "inputs", &played.inputs.into());
        self.tell(run, "options at each input", &studied.branching.into());
        self.choices(run, studied);
        self.stretches(run, studied);
        self.holdings(run, studied);
    }

    fn tell(&mut self, run: usize, name: &str, told: &Value) {
        fn list<'l, T>(lists: &'l mut Vec<(String, Vec<T>)>, name: &str) -> &'l mut Vec<T> {
            let place = lists.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                lists.push((name.to_owned(), Vec::new()));
                lists.len() - 1
            });
            &mut lists[place].1
        }
        match told {
            Value::String(word) => {
                let words = self.words.entry(name.to_owned()).or_default();
                let (count, shows) = words.entry(word.clone()).or_default();
                *count += 1;
                shows.add(run);
            }
            // Who won is counted by the outcome.
            Value::Bool(_) if name == "won" => {}
            Value::Bool(yes) => list(&mut self.facts, name).push((*yes, run)),
            Value::Number(number) => {
                list(&mut self.numbers, name).push((number.as_f64().unwrap_or_default(), run));
            }
            Value::Null | Value::Array(_) | Value::Object(_) => {}
        }
    }

    fn won(&self, run: usize, seat: Seat) -> bool {
        let row = &self.runs[run];
        self.has_seat(row, seat) && halves(self.outcomes[run], seat, self.seats_in(row.0)) == 2
    }

    fn choices(&mut self, run: usize, studied: &Studied) {
        // Offers of one match go together: a fire offers the whole deck, and those who live long sit at many. What
        // counts is in how many matches something was offered, and in how many of them it was taken.
        let mut times: BTreeMap<Key, (u64, u64)> = BTreeMap::new();
        for offered in &studied.offered {
            let key = (offered.seat, offered.kind.clone(), offered.name.clone());
            let (offers, taken) = times.entry(key.clone()).or_default();
            *offers += 1;
            *taken += u64::from(offered.taken);
            let chosen = self.choices.entry(key).or_default();
            if let Some(crossing) = offered.fork.filter(|_| self.about.pairs > 0) {
                // Every decision is kept as likely as any other, however many there will be.
                chosen.forks += 1;
                let place = self.lots.below(chosen.forks) as usize;
                if chosen.kept.len() < self.about.pairs {
                    chosen.kept.push((run, crossing));
                } else if let Some(kept) = chosen.kept.get_mut(place) {
                    *kept = (run, crossing);
                }
            }
        }
        for (key, (offers, taken)) in times {
            let (won, measure) = (self.won(run, key.0), self.runs[run].3);
            let chosen = self.choices.entry(key).or_default();
            if taken > 0 && chosen.with.of == 0 {
                chosen.shows = Shows::default();
            }
            if taken > 0 || chosen.with.of == 0 {
                chosen.shows.add(run);
            }
            chosen.taken.add(offers, taken as f64);
            if taken > 0 { &mut chosen.with } else { &mut chosen.left }.add(won, measure);
        }
    }

    fn stretches(&mut self, run: usize, studied: &Studied) {
        let mut met: BTreeMap<&str, (u64, i64, bool)> = BTreeMap::new();
        for stretch in &studied.stretches {
            let (lived, cost, fatal) = met.entry(&stretch.name).or_default();
            *fatal |= stretch.fatal;
            if !stretch.fatal {
                *lived += 1;
                *cost += stretch.cost;
            }
        }
        let (won, measure) = (self.won(run, 0), self.runs[run].3);
        for (name, (lived, cost, fatal)) in met {
            let part = self.parts.entry(name.to_owned()).or_default();
            if fatal && part.fatal == 0 {
                part.shows = Shows::default();
            }
            if fatal || part.fatal == 0 {
                part.shows.add(run);
            }
            part.score.add(won, measure);
            part.fatal += u64::from(fatal);
            if lived > 0 {
                part.costs.add(lived, cost as f64);
            }
        }
    }

    fn holdings(&mut self, run: usize, studied: &Studied) {
        let mut had: Vec<usize> = Vec::new();
        for (seat, kind, name) in &studied.holdings {
            let key = (*seat, kind.clone(), name.clone());
            let number = *self.numbered.entry(key.clone()).or_insert_with(|| {
                self.things.push(Thing { key, score: Score::default(), shows: Shows::default() });
                self.both.push(Vec::new());
                self.things.len() - 1
            });
            let won = self.won(run, *seat);
            self.things[number].score.add(won, self.runs[run].3);
            self.things[number].shows.add(run);
            had.push(number);
        }
        had.sort_unstable();
        for (index, later) in had.iter().enumerate() {
            let seat = self.things[*later].key.0;
            let won = u32::from(self.won(run, seat));
            let row = &mut self.both[*later];
            if row.len() < *later {
                row.resize(*later, (0, 0, 0));
            }
            for earlier in had[..index].iter().filter(|earlier| self.things[**earlier].key.0 == seat) {
                let (both, wins, example) = &mut row[*earlier];
                *example = if *both == 0 { run as u32 } else { *example };
                *both += 1;
                *wins += won;
            }
        }
    }

    /// Whether anything was chosen that is looked at.
    pub(super) fn has_choices(&self) -> bool {
        !self.choices.is_empty()
    }

    /// Whether anything was played both ways.
    pub(super) fn has_forks(&self) -> bool {
        !self.forks.is_empty()
    }

    /// Whether any change of a set-up was tried.
    pub(super) fn has_grafts(&self) -> bool {
        !self.grafts.is_empty()
    }

    /// The decisions that are to be played both ways, match by match.
    pub fn crossroads(&self) -> Vec<Crossroads> {
        let mut by_run: BTreeMap<usize, Vec<(Crossing, &Key)>> = BTreeMap::new();
        for (key, chosen) in &self.choices {
            for (run, crossing) in &chosen.kept {
                by_run.entry(*run).or_default().push((*crossing, key));
            }
        }
        let road = |(run, crossings): (usize, Vec<(Crossing, &Key)>)| Crossroads {
            group: self.runs[run].0,
            seed: self.runs[run].1,
            crossings: crossings.iter().map(|(crossing, _)| *crossing).collect(),
            keys: crossings.into_iter().map(|(_, key)| key.clone()).collect(),
        };
        by_run.into_iter().map(road).collect()
    }

    /// How those decisions went.
    pub fn add_forks(&mut self, road: &Crossroads, forks: &[Fork]) {
        let (seats, measure) = (self.seats_in(road.group), self.measure.clone().unwrap_or_default());
        for ((key, crossing), fork) in road.keys.iter().zip(&road.crossings).zip(forks) {
            let example = Example { group: road.group, seed: road.seed, fork: Some(*crossing), graft: None };
            let effects =
                self.forks.entry(key.clone()).or_insert_with(|| Effects { example, ..Effects::default() });
            let points = |played: &Played| f64::from(halves(played.outcome, key.0, seats)) / 2.0;
            effects.points.push((road.seed, points(&fork.with) - points(&fork.without)));
            let gain = number(&fork.with, &measure) - number(&fork.without, &measure);
            effects.measure.push((road.seed, gain));
        }
    }

    /// How a match went with that change of the set-up.
    pub fn add_graft(&mut self, group: usize, seed: u64, graft: &Graft, played: &Played) {
        let (seats, measure) = (self.seats_in(group), self.measure.clone().unwrap_or_default());
        let Some(run) = self.places.get(&(group, seed)).copied() else { return };
        let points = |outcome| f64::from(halves(outcome, graft.seat, seats)) / 2.0;
        let sign = if graft.removes { -1.0 } else { 1.0 };
        let example = Example { group, seed, fork: None, graft: Some(graft.clone()) };
        let effects =
            self.grafts.entry(graft.clone()).or_insert_with(|| Effects { example, ..Effects::default() });
        effects.points.push((seed, sign * (points(played.outcome) - points(self.outcomes[run]))));
        effects.measure.push((seed, sign * (number(played, &measure) - self.runs[run].3)));
    }

    fn example(&self, run: usize) -> Example {
        let RunRow(group, seed, ..) = self.runs[run];
        Example { group, seed, fork: None, graft: None }
    }

    /// Finds for everything a match that shows it, so that few matches show all. Those that are played both ways are
    /// shown anyway; what few matches show chooses before what many do.
    fn settle(&mut self) {
        let played_again = self.forks.values().map(|effects| (effects.example.group, effects.example.seed));
        self.used = played_again.filter_map(|place| self.places.get(&place).copied()).collect();
        let words = self.words.values_mut().flat_map(BTreeMap::values_mut).map(|(_, shows)| shows);
        let parts = self.parts.values_mut().map(|part| &mut part.shows);
        let choices = self.choices.values_mut().map(|chosen| &mut chosen.shows);
        let things = self.things.iter_mut().map(|thing| &mut thing.shows);
        let mut all: Vec<&mut Shows> = words.chain(parts).chain(choices).chain(things).collect();
        all.sort_by_key(|shows| shows.runs.len());
        all.into_iter().for_each(|shows| shows.settle(&mut self.used));
    }

    /// Of matches that show the same, one that is shown already, or the first.
    fn shown(&self, mut runs: impl Iterator<Item = usize>) -> usize {
        let Some(first) = runs.next() else { return 0 };
        if self.used.contains(&first) {
            return first;
        }
        runs.find(|run| self.used.contains(run)).unwrap_or(first)
    }

    /// What they say.
    pub fn finish(mut self) -> Balance {
        self.settle();
        let all = self.runs.len() as u64;
        let seats = (0..self.seats() as Seat).map(|seat| {
            let sat = |run: &usize| self.has_seat(&self.runs[*run], seat);
            let won = self.example_of((0..self.runs.len()).filter(|run| self.won(*run, seat)));
            SeatRow {
                name: self.about.seats.get(usize::from(seat)).cloned().unwrap_or_default(),
                won: self.won_by(seat, |run| self.has_seat(run, seat)),
                example: won.or_else(|| self.example_of((0..self.runs.len()).filter(sat))),
            }
        });
        let ends: Vec<(i64, bool)> =
            self.runs.iter().map(|RunRow(_, _, halves, value)| (*value as i64, *halves < 2)).collect();
        Balance {
            format: super::FORMAT,
            game: self.about.game.clone(),
            source: self.about.source.clone(),
            runs: all,
            seats: seats.collect(),
            drawn: self.ended(|run| self.is_shared(run), is_drawn),
            lost: self.ended(|run| self.is_shared(run), is_lost),
            drawn_example: self.drawn_example(),
            lost_example: self.example_of(self.shared_runs(is_lost)),
            measure: self.measure.clone().unwrap_or_default(),
            mean: Mean::new(self.runs.iter().map(|run| run.3)),
            survival: if self.seats() == 1 { Survival::new(&ends) } else { Survival::default() },
            words: self.word_rows(),
            numbers: self.number_rows(),
            groups: self.group_rows(),
            stretches: self.stretch_rows(),
            choices: self.choice_rows(),
            forks: self.effect_rows(
                self.forks
                    .iter()
                    .map(|((seat, kind, name), effects)| (*seat, kind.clone(), name.clone(), effects)),
            ),
            grafts: self.effect_rows(
                self.grafts
                    .iter()
                    .map(|(graft, effects)| (graft.seat, graft.kind.clone(), graft.name.clone(), effects)),
            ),
            holdings: self.holding_rows(),
            pairs: self.pair_rows(),
            least: self.about.least,
            timed: Vec::new(),
            notes: Vec::new(),
            fork_notes: Vec::new(),
            all: self.runs,
        }
    }

    /// One of these matches, if there are any.
    fn example_of(&self, runs: impl Iterator<Item = usize>) -> Option<Example> {
        let mut runs = runs.peekable();
        runs.peek()?;
        Some(self.example(self.shown(runs)))
    }

    /// Matches of several that ended so.
    fn shared_runs(&self, so: impl Fn(Option<Outcome>) -> bool) -> impl Iterator<Item = usize> {
        let shared = move |run: &usize| self.seats_in(self.runs[*run].0) > 1;
        (0..self.runs.len()).filter(shared).filter(move |run| so(self.outcomes[*run]))
    }

    fn drawn_example(&self) -> Option<Example> {
        self.example_of(self.shared_runs(is_drawn)).or_else(|| self.example_of(self.shared_runs(|_| true)))
    }

    fn won_by(&self, seat: Seat, of: impl Fn(&RunRow) -> bool) -> Share {
        let (mut won, mut all) = (0, 0);
        for (run, _) in self.runs.iter().enumerate().filter(|(_, run)| of(run)) {
            all += 1;
            won += u64::from(self.won(run, seat));
        }
        Share::new(won, all)
    }

    fn ended(&self, of: impl Fn(&RunRow) -> bool, so: impl Fn(Option<Outcome>) -> bool) -> Share {
        let runs = self.runs.iter().zip(&self.outcomes).filter(|(run, _)| of(run));
        let (all, sum) =
            runs.fold((0, 0), |(all, sum), (_, outcome)| (all + 1, sum + u64::from(so(*outcome))));
        Share::new(sum, all)
    }

    fn word_rows(&self) -> Vec<WordRow> {
        let mut rows = Vec::new();
        for (kind, words) in &self.words {
            let of = words.values().map(|(count, _)| count).sum();
            rows.extend(words.iter().map(|(word, (count, shows))| WordRow {
                kind: kind.clone(),
                word: word.clone(),
                share: Share::new(*count, of),
                example: self.example(shows.run()),
            }));
        }
        for (kind, told) in &self.facts {
            for (word, wanted) in [("yes", true), ("no", false)] {
                let so = || told.iter().filter(|(yes, _)| *yes == wanted);
                if so().next().is_none() {
                    continue;
                }
                let share = Share::new(so().count() as u64, told.len() as u64);
                let run = self.shown(so().map(|(_, run)| *run));
                rows.push(WordRow {
                    kind: kind.clone(),
                    word: word.to_owned(),
                    share,
                    example: self.example(run),
                });
            }
        }
        rows.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.share.count.cmp(&a.share.count)));
        rows
    }

    fn number_rows(&self) -> Vec<NumberRow> {
        let row = |(name, values): &(String, Vec<(f64, usize)>)| {
            let mut sorted: Vec<f64> = values.iter().map(|(value, _)| *value).collect();
            sorted.sort_by(f64::total_cmp);
            let at = |place: usize| sorted.get(place).copied().unwrap_or_default();
            NumberRow {
                name: name.clone(),
                mean: Mean::new(values.iter().map(|(value, _)| *value)),
                least: at(0),
                median: at(sorted.len() / 2),
                greatest: at(sorted.len().saturating_sub(1)),
                bins: self.bins(values, at(0), at(sorted.len().saturating_sub(1))),
            }
        };
        self.numbers.iter().map(row).collect()
    }

    fn bins(&self, values: &[(f64, usize)], least: f64, greatest: f64) -> Vec<Bin> {
        let whole = values.iter().all(|(value, _)| value.fract() == 0.0);
        let step = bin_width(greatest - least, whole);
        let first = (least / step).floor();
        let mut runs: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for (value, run) in values {
            runs.entry((value / step - first).floor() as i64).or_default().push(*run);
        }
        let bin = |(place, runs): (i64, Vec<usize>)| {
            let from = (first + place as f64) * step;
            let example = self.example(self.shown(runs.iter().copied()));
            Bin { from, to: from + step, count: runs.len() as u64, example }
        };
        runs.into_iter().map(bin).collect()
    }

    fn group_rows(&self) -> Vec<GroupRow> {
        if self.about.groups.len() < 2 {
            return Vec::new();
        }
        let groups = self.about.groups.iter().enumerate();
        let row = |(group, (name, values)): (usize, &Opened)| {
            let mine = |run: &RunRow| run.0 == group;
            let own = |run: &usize| self.runs[*run].0 == group;
            self.runs.iter().position(mine)?;
            let first = self.shown((0..self.runs.len()).filter(own));
            let numbers = self.numbers.iter().map(|(name, values)| {
                let of = values.iter().filter(|(_, run)| own(run)).map(|(value, _)| *value);
                (name.clone(), Mean::new(of))
            });
            let facts = self.facts.iter().map(|(name, told)| {
                let of: Vec<bool> = told.iter().filter(|(_, run)| own(run)).map(|(yes, _)| *yes).collect();
                (name.clone(), Share::new(of.iter().filter(|yes| **yes).count() as u64, of.len() as u64))
            });
            Some(GroupRow {
                name: name.clone(),
                values: values.clone(),
                runs: self.runs.iter().filter(|run| mine(run)).count() as u64,
                seats: (0..self.seats_in(group) as Seat).map(|seat| self.won_by(seat, mine)).collect(),
                drawn: self.ended(mine, is_drawn),
                lost: self.ended(mine, is_lost),
                numbers: numbers.filter(|(_, mean)| mean.of > 0).collect(),
                facts: facts.filter(|(_, share)| share.of > 0).collect(),
                example: self.example(first),
            })
        };
        groups.filter_map(row).collect()
    }

    fn stretch_rows(&self) -> Vec<StretchRow> {
        let row = |(name, part): (&String, &Part)| StretchRow {
            name: name.clone(),
            cost: part.costs.mean(),
            matches: part.score.of,
            fatal: Share::new(part.fatal, part.score.of),
            won: part.score.won(),
            measure: part.score.measure.mean(),
            example: self.example(part.shows.run()),
        };
        let mut rows: Vec<StretchRow> = self.parts.iter().map(row).collect();
        rows.sort_by(|a, b| b.cost.mean.total_cmp(&a.cost.mean).then_with(|| a.name.cmp(&b.name)));
        rows
    }

    fn choice_rows(&self) -> Vec<ChoiceRow> {
        let row = |((seat, kind, name), chosen): (&Key, &Chosen)| {
            let (with, left) = (chosen.with.won(), chosen.left.won());
            ChoiceRow {
                seat: *seat,
                kind: kind.clone(),
                name: name.clone(),
                taken: Share::new(with.of, with.of + left.of),
                of_offers: chosen.taken.mean(),
                won_with: with,
                won_left: left,
                measure: chosen.with.measure.mean(),
                measure_left: chosen.left.measure.mean(),
                by_chance: two_shares((with.count, with.of), (left.count, left.of)),
                example: self.example(chosen.shows.run()),
            }
        };
        let mut rows: Vec<ChoiceRow> = self.choices.iter().map(row).collect();
        correct(&mut rows, |row| &mut row.by_chance);
        rows.sort_by(|a, b| {
            let kinds = a.kind.cmp(&b.kind).then(a.seat.cmp(&b.seat));
            kinds.then(b.taken.share.total_cmp(&a.taken.share)).then_with(|| a.name.cmp(&b.name))
        });
        rows
    }

    fn holding_rows(&self) -> Vec<HoldingRow> {
        let won: Vec<Share> =
            (0..self.seats() as Seat).map(|seat| self.won_by(seat, |run| self.has_seat(run, seat))).collect();
        let row = |thing: &Thing| {
            let (seat, kind, name) = thing.key.clone();
            let (with, of_seat) =
                (thing.score.won(), won.get(usize::from(seat)).copied().unwrap_or_default());
            let (won, all) = (of_seat.count, of_seat.of);
            let without = Share::new(won - with.count, all - with.of);
            HoldingRow {
                seat,
                kind,
                name,
                had: Share::new(with.of, all),
                won_with: with,
                won_without: without,
                of_winners: Share::new(with.count, won),
                measure: thing.score.measure.mean(),
                by_chance: two_shares((with.count, with.of), (without.count, without.of)),
                example: self.example(thing.shows.run()),
            }
        };
        let mut rows: Vec<HoldingRow> = self.things.iter().map(row).collect();
        correct(&mut rows, |row| &mut row.by_chance);
        rows.sort_by(|a, b| {
            let kinds = a.kind.cmp(&b.kind).then(a.seat.cmp(&b.seat));
            kinds.then(b.had.count.cmp(&a.had.count)).then_with(|| a.name.cmp(&b.name))
        });
        rows
    }

    /// Pairs that chance alone would bring together at least five times, and of them the surest.
    fn pair_rows(&self) -> Vec<PairRow> {
        let all = self.runs.len() as u64;
        // What everybody has goes with everything.
        let rare = |thing: &Thing| thing.score.of * 10 < all * 9;
        let mut rows = Vec::new();
        for (later, row) in self.both.iter().enumerate() {
            for (earlier, (both, wins, example)) in row.iter().enumerate().filter(|(_, (both, ..))| *both > 0)
            {
                let (one, other) = (&self.things[earlier], &self.things[later]);
                let expected = one.score.of as f64 * other.score.of as f64 / all.max(1) as f64;
                if !rare(one) || !rare(other) || expected < 5.0 {
                    continue;
                }
                let both = u64::from(*both);
                rows.push(PairRow {
                    one: one.key.2.clone().min(other.key.2.clone()),
                    other: one.key.2.clone().max(other.key.2.clone()),
                    both,
                    lift: both as f64 / expected,
                    won: Share::new(u64::from(*wins), both),
                    by_chance: two_shares((both, one.score.of), (other.score.of - both, all - one.score.of)),
                    example: self.example(*example as usize),
                });
            }
        }
        correct(&mut rows, |row| &mut row.by_chance);
        rows.retain(|row| row.by_chance < 0.05);
        rows.sort_by(|a, b| {
            b.lift.total_cmp(&a.lift).then_with(|| (&a.one, &a.other).cmp(&(&b.one, &b.other)))
        });
        rows.truncate(60);
        rows
    }

    fn effect_rows<'e>(
        &self,
        effects: impl Iterator<Item = (Seat, String, String, &'e Effects)>,
    ) -> Vec<EffectRow> {
        let alone = self.seats() == 1;
        let row = |(seat, kind, name, effects): (Seat, String, String, &Effects)| {
            let paired = |differences: &[(u64, f64)]| Paired::bundled(differences.iter().copied());
            let (points, measure) = (paired(&effects.points), paired(&effects.measure));
            let by_chance = if alone { measure.p } else { points.p };
            let too_few = (effects.points.len() as u64) < self.about.least;
            EffectRow {
                seat,
                kind,
                name,
                points,
                measure,
                by_chance,
                too_few,
                example: effects.example.clone(),
            }
        };
        let rows = effects.map(row);
        let (few, mut rows): (Vec<EffectRow>, Vec<EffectRow>) = rows.partition(|row| row.too_few);
        correct(&mut rows, |row| &mut row.by_chance);
        let worth = |row: &EffectRow| if alone { row.measure.mean } else { row.points.mean };
        rows.sort_by(|a, b| {
            let kinds = a.kind.cmp(&b.kind).then(a.seat.cmp(&b.seat));
            kinds.then(worth(b).total_cmp(&worth(a))).then_with(|| a.name.cmp(&b.name))
        });
        rows.extend(few.into_iter().map(|row| EffectRow { by_chance: 1.0, ..row }));
        rows
    }
}

fn first_number(played: &Played) -> String {
    let number = played.tally.iter().find(|(_, value)| value.is_number());
    number.map_or_else(|| "inputs".to_owned(), |(name, _)| name.clone())
}

/// Corrects the values of all rows for there being many.
fn correct<R>(rows: &mut [R], of: impl Fn(&mut R) -> &mut f64) {
    let values: Vec<f64> = rows.iter_mut().map(|row| *of(row)).collect();
    rows.iter_mut().zip(benjamini_hochberg(&values)).for_each(|(row, value)| *of(row) = value);
}

/// A round width that divides a range into about twenty parts; whole numbers are not divided.
fn bin_width(range: f64, whole: bool) -> f64 {
    if range <= 0.0 || (whole && range <= 30.0) {
        return 1.0;
    }
    let power = 10.0_f64.powf((range / 25.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| range / step <= 25.0).unwrap_or(power * 10.0);
    if whole { step.max(1.0) } else { step }
}

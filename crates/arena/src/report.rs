//! What the results say. A report is a function of the plan and the units, and of nothing else.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::Trouble;
use crate::plan::{Measure, Plan};
use crate::stats::{GameScore, Paired, Penta, Rated, Ratings, Share, State, Verdict, Z95, cycles, mcnemar};
use crate::svg;
use crate::told::{by_chance, clock_told, likely};
use crate::tournament::{Unit, Watch, unit_halves};

/// What is known after a tournament, or so far.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The game.
    pub game: String,
    /// Games played.
    pub games: usize,
    /// Why it ended, or that it has not.
    pub ended: String,
    /// What is measured in games for one, such as `turns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<String>,
    /// The players, the strongest first.
    pub bots: Vec<BotRow>,
    /// Those who met.
    pub pairs: Vec<PairRow>,
    /// How likely each is stronger than each, in the order of `bots`.
    pub superiority: Vec<Vec<f64>>,
    /// What the first seat is worth; `null` in games for one.
    pub first_seat: Option<Rated>,
    /// How likely equals draw; `null` in games for one.
    pub draws: Option<f64>,
    /// Who beats whom in a circle, for sure.
    pub cycles: Vec<Vec<String>>,
    /// How the seats did on each set-up.
    pub setups: Vec<SeatRow>,
    /// The sequential test, if there is one.
    pub test: Option<TestRow>,
    /// Games lost without the rules: for each player and each reason how often, and the first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultRow>,
    /// Games that could not go on, by unit: a fault of the rules.
    pub broken: Vec<String>,
    /// Those who play by the clock: what is said here cannot be repeated to the letter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub timed: Vec<String>,
}

/// One player.
#[derive(Clone, Debug, Serialize)]
pub struct BotRow {
    /// His name.
    pub name: String,
    /// Games he played.
    pub games: u64,
    /// Of them he won.
    pub won: Share,
    /// Drawn.
    pub drawn: u64,
    /// Points of all he could have had.
    pub score: f64,
    /// His rating; `null` in games for one.
    pub rating: Option<Rated>,
    /// The mean of what is measured, and its error; `null` if nothing is.
    pub measure: Option<(f64, f64)>,
    /// Games lost without the rules, by reason.
    pub faults: BTreeMap<String, u64>,
    /// Games given up for their length.
    pub unfinished: u64,
}

/// Two players who met.
#[derive(Clone, Debug, Serialize)]
pub struct PairRow {
    /// The one.
    pub a: String,
    /// The other.
    pub b: String,
    /// Results of pairs of games, the worst for the one first; alone: worse, the same, better.
    pub results: Vec<u64>,
    /// The difference in Elo and its error.
    pub elo: (f64, f64),
    /// In normalized Elo.
    pub normalized: (f64, f64),
    /// How likely the one is the stronger.
    pub superiority: f64,
    /// Alone: the mean difference in what is measured, or in wins.
    pub difference: Option<Paired>,
    /// Alone: how likely wins are so uneven by chance (McNemar).
    pub by_chance: Option<f64>,
}

/// Why a player lost without the rules.
#[derive(Clone, Debug, Serialize)]
pub struct FaultRow {
    /// Whose fault it was.
    pub bot: String,
    /// Which.
    pub code: String,
    /// In how many games.
    pub games: u64,
    /// The first of them, as `UNIT.GAME`.
    pub first: String,
    /// What was said of that.
    pub text: String,
}

/// How the seats did on a set-up.
#[derive(Clone, Debug, Serialize)]
pub struct SeatRow {
    /// The set-up.
    pub setup: String,
    /// Games won by the first seat, or by who was alone.
    pub first: Share,
    /// Games drawn.
    pub drawn: u64,
}

/// A sequential test.
#[derive(Clone, Debug, Serialize)]
pub struct TestRow {
    /// Who is tested.
    pub a: String,
    /// Against whom.
    pub b: String,
    /// The claims.
    pub claims: (f64, f64),
    /// In which units they are made.
    pub unit: &'static str,
    /// Where it stands.
    pub state: State,
    /// After how many results the ratio was what.
    pub history: Vec<(u64, f64)>,
}

impl Report {
    /// What those units say.
    pub fn new(plan: &Plan, units: &[Unit]) -> Self {
        let names = plan.names();
        let solo = is_solo(units);
        let ratings = (!solo).then(|| Ratings::new(names.len(), &scores(&names, units)));
        let anchor = plan.anchor.as_ref().and_then(|anchor| names.iter().position(|name| name == anchor));
        let pairs: Vec<PairRow> =
            plan.pairings().into_iter().map(|(a, b)| pair(plan, &names[a], &names[b], units)).collect();
        let mut order: Vec<usize> = (0..names.len()).collect();
        let mut rows: Vec<BotRow> = names.iter().map(|name| bot(plan, name, units)).collect();
        for (index, row) in rows.iter_mut().enumerate() {
            row.rating = ratings.as_ref().map(|ratings| ratings.rating(index, anchor));
        }
        let measure = plan.measured();
        let rank = |row: &BotRow| {
            let merit = |(mean, _): (f64, f64)| measure.as_ref().map_or(mean, |measure| measure.merit(mean));
            let alone = row.score * 1e6 + row.measure.map_or(0.0, merit);
            row.rating.map_or(alone, |rating| rating.elo)
        };
        order.sort_by(|a, b| rank(&rows[*b]).total_cmp(&rank(&rows[*a])).then(a.cmp(b)));
        let better = |a: usize, b: usize| match &ratings {
            Some(ratings) => ratings.superiority(a, b),
            None => direct(&pairs, &names[a], &names[b]).unwrap_or(0.5),
        };
        let superiority = order.iter().map(|a| order.iter().map(|b| better(*a, *b)).collect()).collect();
        let sure = |a: usize, b: usize| direct(&pairs, &names[a], &names[b]).is_some_and(|los| los > 0.975);
        let circles = cycles(names.len(), sure);
        let named = |players: &Vec<usize>| players.iter().map(|player| names[*player].clone()).collect();
        let test = test(plan, units);
        Report {
            game: plan.game.clone(),
            games: units.iter().map(|unit| unit.games.len()).sum(),
            ended: ended(plan, units, test.as_ref()),
            measured: measure.as_ref().map(|measure| measure.name().to_owned()),
            bots: order.iter().map(|index| rows[*index].clone()).collect(),
            pairs,
            superiority,
            first_seat: ratings.as_ref().map(Ratings::advantage),
            draws: ratings.as_ref().map(Ratings::draws),
            cycles: circles.iter().map(|cycle| named(&cycle.0)).collect(),
            setups: setups(units),
            test,
            faults: faults(units),
            broken: broken(units),
            timed: plan.timed(),
        }
    }
}

/// How likely the one is stronger, from the games they played with each other.
fn direct(pairs: &[PairRow], a: &str, b: &str) -> Option<f64> {
    pairs.iter().find_map(|pair| match (pair.a == a && pair.b == b, pair.a == b && pair.b == a) {
        (true, _) => Some(pair.superiority),
        (_, true) => Some(1.0 - pair.superiority),
        _ => None,
    })
}

/// Games between two, as the ratings want them.
fn scores(names: &[String], units: &[Unit]) -> Vec<GameScore> {
    let number = |name: &String| names.iter().position(|other| other == name);
    let games = units.iter().flat_map(|unit| unit.games.iter().map(|game| (unit.unit, game)));
    let score = |(unit, game): (u64, &crate::Game)| {
        let (first, second) = (number(game.seats.first()?)?, number(game.seats.get(1)?)?);
        Some(GameScore { unit, first, second, halves: game.halves(&game.seats[0]) })
    };
    games.filter_map(score).collect()
}

fn bot(plan: &Plan, name: &str, units: &[Unit]) -> BotRow {
    let games: Vec<&crate::Game> = units
        .iter()
        .flat_map(|unit| &unit.games)
        .filter(|game| game.seats.iter().any(|seat| seat == name))
        .collect();
    let won = games.iter().filter(|game| game.won(name)).count() as u64;
    let drawn = games.iter().filter(|game| game.halves(name) == 1 && !game.won(name)).count() as u64;
    let mut faults = BTreeMap::new();
    for game in &games {
        let own = game
            .fault
            .iter()
            .filter(|fault| game.seats.get(usize::from(fault.seat)).is_some_and(|s| s == name));
        own.for_each(|fault| *faults.entry(fault.code.clone()).or_insert(0) += 1);
    }
    let all = games.len() as u64;
    let unfinished = |game: &&&crate::Game| game.outcome.is_none() && game.fault.is_none();
    BotRow {
        name: name.to_owned(),
        games: all,
        won: Share::new(won, all),
        drawn,
        // A victory of all is a whole one for each of them.
        score: (2 * won + drawn) as f64 / (2 * all).max(1) as f64,
        rating: None,
        measure: plan.measured().map(|measure| mean(&games, &measure)),
        faults,
        unfinished: games.iter().filter(unfinished).count() as u64,
    }
}

fn mean(games: &[&crate::Game], measure: &Measure) -> (f64, f64) {
    let values: Vec<f64> = games.iter().map(|game| measure.of(game)).collect();
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    // One alone says nothing about how far others lie.
    let error = if values.len() < 2 { f64::INFINITY } else { Z95 * (variance / n).sqrt() };
    (mean, error)
}

fn pair(plan: &Plan, a: &str, b: &str, units: &[Unit]) -> PairRow {
    let plays =
        |unit: &&Unit, name: &str| unit.games.iter().any(|game| game.seats.iter().any(|seat| seat == name));
    let met: Vec<&Unit> = units.iter().filter(|unit| plays(unit, a) && plays(unit, b)).collect();
    let solo = met.first().is_some_and(|unit| unit.games[0].seats.len() == 1);
    let measure = plan.measured();
    let mut penta = if solo { Penta::seeds() } else { Penta::pairs() };
    met.iter().for_each(|unit| penta.add(unit_halves(unit, a, b, measure.as_ref())));
    let (mut difference, mut by_chance) = (None, None);
    if solo {
        let of = |unit: &Unit, name: &str| {
            let game = unit.games.iter().find(|game| game.seats == [name]);
            let number = |game| measure.as_ref().map_or(0.0, |measure| measure.of(game));
            game.map_or((0, 0.0), |game| (game.halves(name), number(game)))
        };
        let both: Vec<_> = met.iter().map(|unit| (of(unit, a), of(unit, b))).collect();
        let gap = |(one, other): &((u8, f64), (u8, f64))| match &measure {
            Some(_) => one.1 - other.1,
            None => (f64::from(one.0) - f64::from(other.0)) / 2.0,
        };
        difference = Some(Paired::new(&both.iter().map(gap).collect::<Vec<_>>()));
        let only =
            |first: u8, second: u8| both.iter().filter(|(o, t)| (o.0, t.0) == (first, second)).count() as u64;
        by_chance = Some(mcnemar(only(2, 0), only(0, 2)));
    }
    let (elo, normalized, superiority) = (penta.elo(), penta.normalized(), penta.superiority());
    let (a, b) = (a.to_owned(), b.to_owned());
    PairRow { a, b, results: penta.counts, elo, normalized, superiority, difference, by_chance }
}

fn setups(units: &[Unit]) -> Vec<SeatRow> {
    let mut counts: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for unit in units {
        for game in &unit.games {
            let entry = counts.entry(&unit.setup).or_default();
            let (first, won) = (&game.seats[0], game.won(&game.seats[0]));
            entry.0 += u64::from(won);
            entry.1 += u64::from(!won && game.halves(first) == 1);
            entry.2 += 1;
        }
    }
    let row = |(setup, (first, drawn, all)): (&str, (u64, u64, u64))| SeatRow {
        setup: if setup.is_empty() { "usual".to_owned() } else { setup.to_owned() },
        first: Share::new(first, all),
        drawn,
    };
    counts.into_iter().map(row).collect()
}

fn test(plan: &Plan, units: &[Unit]) -> Option<TestRow> {
    let sprt = plan.sprt.as_ref()?;
    let per_seed = plan.setups.len().max(1) as u64;
    let mut watch = Watch::new(plan, per_seed);
    units.iter().for_each(|unit| {
        watch.hear(unit);
    });
    let state = sprt.test().state(&watch.penta.unwrap_or_else(Penta::pairs));
    let (claims, unit) = ((sprt.elo0, sprt.elo1), sprt.model.unit());
    Some(TestRow { a: sprt.a.clone(), b: sprt.b.clone(), claims, unit, state, history: watch.history })
}

/// How many seeds everybody has played everywhere.
fn whole_seeds(plan: &Plan, units: &[Unit]) -> u64 {
    let pairings = if is_solo(units) { 1 } else { plan.pairings().len().max(1) };
    (units.len() / (pairings * plan.setups.len().max(1))) as u64
}

/// Whether everybody plays alone.
fn is_solo(units: &[Unit]) -> bool {
    units.first().is_some_and(|unit| unit.games.iter().all(|game| game.seats.len() == 1))
}

fn ended(plan: &Plan, units: &[Unit], test: Option<&TestRow>) -> String {
    let seeds = whole_seeds(plan, units);
    match test {
        // A claim that is accepted rejects the other, and says no more than that.
        Some(TestRow { a, b, claims: (low, high), unit, state, .. }) if state.verdict == Verdict::Second => {
            format!(
                "{a} is stronger than {b} by more than {low} {unit}: the claim of {high} was accepted against it \
                 after {seeds} seeds"
            )
        }
        Some(TestRow { a, b, claims: (low, high), unit, state, .. }) if state.verdict == Verdict::First => {
            format!(
                "{a} is not stronger than {b} by as much as {high} {unit}: the claim of {low} was accepted against it \
                 after {seeds} seeds"
            )
        }
        _ if seeds < plan.seeds.count => format!("not over: {seeds} of {} seeds", plan.seeds.count),
        Some(_) => format!("no claim is sure after {seeds} seeds: play more of them"),
        None => format!("all {seeds} seeds were played"),
    }
}

fn faults(units: &[Unit]) -> Vec<FaultRow> {
    let mut rows: BTreeMap<(&str, &str), FaultRow> = BTreeMap::new();
    for unit in units {
        for (index, game) in unit.games.iter().enumerate() {
            let Some(fault) = &game.fault else { continue };
            let bot = game.seats.get(usize::from(fault.seat)).map_or("", String::as_str);
            let row = rows.entry((bot, &fault.code)).or_insert_with(|| FaultRow {
                bot: bot.to_owned(),
                code: fault.code.clone(),
                games: 0,
                first: format!("{}.{index}", unit.unit),
                text: fault.text.clone(),
            });
            row.games += 1;
        }
    }
    rows.into_values().collect()
}

fn broken(units: &[Unit]) -> Vec<String> {
    let games =
        units.iter().flat_map(|unit| unit.games.iter().enumerate().map(move |game| (unit.unit, game)));
    games
        .filter_map(|(unit, (index, game))| Some(format!("{unit}.{index}: {}", game.stuck.as_ref()?)))
        .collect()
}

impl Report {
    /// Everything it is written as, by the names of the files.
    ///
    /// # Errors
    /// If a number in it cannot be written as JSON.
    pub fn files(&self) -> Result<[(&'static str, String); 5], Trouble> {
        Ok([
            ("report.txt", self.text()),
            ("report.json", serde_json::to_string_pretty(self)? + "\n"),
            ("report.csv", self.csv()),
            ("report.html", self.html()),
            ("standings.svg", self.standings()),
        ])
    }

    /// As a text for people.
    pub fn text(&self) -> String {
        let mut out = format!("{}: {} games, {}\n\n", self.game, self.games, self.ended);
        if let Some(told) = clock_told(&self.timed) {
            let _ = writeln!(out, "{told}\n");
        }
        out += &aligned(&self.bot_table());
        if self.pairs.len() > 1 {
            out += "\nhow likely the one on the left is stronger, in %\n";
            out += &aligned(&self.superiority_table());
        }
        if !self.pairs.is_empty() {
            out += "\n";
            out += &aligned(&self.pair_table());
        }
        if self.setups.len() > 1 {
            out += "\n";
            out += &aligned(&self.setup_table());
        }
        if let (Some(first), Some(draws)) = (self.first_seat, self.draws) {
            let _ = writeln!(
                out,
                "\nthe first seat is worth {}; equals draw {:.1} %",
                signed(first.elo, first.error),
                100.0 * draws
            );
        }
        if let Some(test) = &self.test {
            let State { llr, low, high, .. } = test.state;
            let _ = writeln!(
                out,
                "SPRT {} against {}: LLR {llr:.3} between {low:.3} and {high:.3}",
                test.a, test.b
            );
        }
        for cycle in &self.cycles {
            let _ = writeln!(out, "in a circle: {} beats {}", cycle.join(" beats "), cycle[0]);
        }
        for FaultRow { bot, code, games, first, text } in &self.faults {
            let _ = writeln!(out, "fault of {bot}: {games} {code}, first in game {first}: {text}");
        }
        for line in &self.broken {
            let _ = writeln!(out, "broken game {line}");
        }
        out
    }

    fn bot_table(&self) -> Vec<Vec<String>> {
        let measure = self.measured.as_deref().unwrap_or("measure");
        let mut rows =
            vec![words(&["bot", "rating", "games", "won", "95 %", "drawn", "score", measure, "faults"])];
        for bot in &self.bots {
            let faults = bot.faults.iter().map(|(code, count)| format!("{count} {code}"));
            let given_up = (bot.unfinished > 0).then(|| format!("{} unfinished", bot.unfinished));
            let faults: Vec<String> = faults.chain(given_up).collect();
            rows.push(vec![
                bot.name.clone(),
                bot.rating.map_or("-".to_owned(), |rating| signed(rating.elo, rating.error)),
                bot.games.to_string(),
                format!("{:.1} %", 100.0 * bot.won.share),
                format!("{:.1}–{:.1}", 100.0 * bot.won.low, 100.0 * bot.won.high),
                bot.drawn.to_string(),
                format!("{:.1} %", 100.0 * bot.score),
                bot.measure
                    .map_or("-".to_owned(), |(mean, error)| with_error(format!("{mean:.2}"), error, 2)),
                if faults.is_empty() { "-".to_owned() } else { faults.join(", ") },
            ]);
        }
        rows
    }

    /// Everybody against everybody, the strongest first.
    fn superiority_table(&self) -> Vec<Vec<String>> {
        let names = self.bots.iter().map(|bot| bot.name.clone());
        let mut rows = vec![std::iter::once("stronger".to_owned()).chain(names).collect::<Vec<_>>()];
        for (row, (bot, shares)) in self.bots.iter().zip(&self.superiority).enumerate() {
            let cell = |(column, share): (usize, &f64)| match column == row {
                true => "·".to_owned(),
                false => likely(*share, 1),
            };
            rows.push(std::iter::once(bot.name.clone()).chain(shares.iter().enumerate().map(cell)).collect());
        }
        rows
    }

    fn pair_table(&self) -> Vec<Vec<String>> {
        let difference = match &self.measured {
            Some(measure) => format!("difference in {measure}"),
            None => "difference".to_owned(),
        };
        let mut rows =
            vec![words(&["pair", "results", "Elo", "normalized", "stronger", &difference, "by chance"])];
        for pair in &self.pairs {
            let counts: Vec<String> = pair.results.iter().map(u64::to_string).collect();
            rows.push(vec![
                format!("{} – {}", pair.a, pair.b),
                counts.join(" "),
                signed(pair.elo.0, pair.elo.1),
                signed(pair.normalized.0, pair.normalized.1),
                likely(pair.superiority, 1) + " %",
                pair.difference.map_or("-".to_owned(), |d| with_error(format!("{:+.3}", d.mean), d.error, 3)),
                pair.by_chance.map_or("-".to_owned(), |p| by_chance(p, 4)),
            ]);
        }
        rows
    }

    fn setup_table(&self) -> Vec<Vec<String>> {
        let won = if self.alone() { "won" } else { "first seat won" };
        let mut rows = vec![words(&["set-up", won, "95 %", "drawn", "of"])];
        for row in &self.setups {
            let Share { share, low, high, of, .. } = row.first;
            rows.push(vec![
                row.setup.clone(),
                format!("{:.1} %", 100.0 * share),
                format!("{:.1}–{:.1}", 100.0 * low, 100.0 * high),
                row.drawn.to_string(),
                of.to_string(),
            ]);
        }
        rows
    }

    fn fault_table(&self) -> Vec<Vec<String>> {
        let row = |row: &FaultRow| {
            vec![
                row.bot.clone(),
                row.code.clone(),
                row.games.to_string(),
                row.first.clone(),
                row.text.clone(),
            ]
        };
        let head = words(&["bot", "fault", "games", "the first", "what was said of it"]);
        std::iter::once(head).chain(self.faults.iter().map(row)).collect()
    }

    /// The players as comma-separated values.
    pub fn csv(&self) -> String {
        let mut out =
            String::from("bot,games,won,drawn,score,elo,elo_error,measure,measure_error,faults,unfinished\n");
        for bot in &self.bots {
            let number = |value: Option<f64>| {
                value.filter(|value| value.is_finite()).map_or(String::new(), |value| format!("{value:.4}"))
            };
            let _ = writeln!(
                out,
                "{},{},{},{},{:.6},{},{},{},{},{},{}",
                quoted(&bot.name),
                bot.games,
                bot.won.count,
                bot.drawn,
                bot.score,
                number(bot.rating.map(|rating| rating.elo)),
                number(bot.rating.map(|rating| rating.error)),
                number(bot.measure.map(|measure| measure.0)),
                number(bot.measure.map(|measure| measure.1)),
                bot.faults.values().sum::<u64>(),
                bot.unfinished
            );
        }
        out
    }

    /// As one page that needs nothing else.
    pub fn html(&self) -> String {
        let pictures = self.standings() + &self.measure_picture().unwrap_or_default();
        let mut sections = vec![("Players".to_owned(), pictures + &html_table(&self.bot_table()))];
        if self.pairs.len() > 1 {
            let labels: Vec<String> = self.bots.iter().map(|bot| bot.name.clone()).collect();
            let cell = |row: usize, column: usize, share: f64| {
                let text = likely(share, 0);
                (row != column).then_some(svg::Field { shade: share, text, link: None })
            };
            let shares: Vec<Vec<Option<svg::Field>>> = self
                .superiority
                .iter()
                .enumerate()
                .map(|(row, shares)| {
                    shares.iter().enumerate().map(|(column, share)| cell(row, column, *share)).collect()
                })
                .collect();
            let title = "How likely the one on the left is stronger, in %";
            sections.push(("Who is stronger".to_owned(), svg::heat(title, &labels, &labels, &shares)));
        }
        if !self.pairs.is_empty() {
            sections.push(("Pairs".to_owned(), html_table(&self.pair_table())));
        }
        sections.push(("Set-ups".to_owned(), self.seats_picture() + &html_table(&self.setup_table())));
        if let Some(test) = &self.test {
            sections.push(("Sequential test".to_owned(), test_picture(test)));
        }
        if !self.faults.is_empty() {
            sections.push(("Faults".to_owned(), html_table(&self.fault_table())));
        }
        for cycle in &self.cycles {
            let text =
                format!("<p>{} beats {}</p>", svg::escape(&cycle.join(" beats ")), svg::escape(&cycle[0]));
            sections.push(("In a circle".to_owned(), text));
        }
        if let Some(told) = clock_told(&self.timed) {
            let text = format!("<p>{}</p>", svg::escape(&told));
            sections.insert(0, ("By the clock".to_owned(), text));
        }
        let title = format!("{}: {} games, {}", self.game, self.games, self.ended);
        svg::page(&title, &sections)
    }

    /// Ratings, or shares of wins where everybody plays alone.
    pub fn standings(&self) -> String {
        let bar = |bot: &BotRow| match bot.rating {
            Some(Rated { elo, error }) => svg::Bar {
                label: bot.name.clone(),
                value: elo,
                low: elo - error,
                high: elo + error,
                note: signed(elo, error),
                link: None,
            },
            None => share_bar(&bot.name, &bot.won),
        };
        let bars: Vec<svg::Bar> = self.bots.iter().map(bar).collect();
        match self.first_seat {
            Some(_) => svg::forest("Ratings with 95 % intervals", "Elo", &bars, Some(0.0)),
            None => svg::forest("Runs won with 95 % intervals", "% won", &bars, None),
        }
    }

    /// Whether everybody plays alone.
    fn alone(&self) -> bool {
        self.first_seat.is_none()
    }

    /// The number by which those who play alone are compared.
    fn measure_picture(&self) -> Option<String> {
        let name = self.measured.as_deref().filter(|_| self.alone())?;
        let bar = |bot: &BotRow| {
            let (mean, error) = bot.measure?;
            let known = if error.is_finite() { error } else { 0.0 };
            let note = with_error(format!("{mean:.2}"), error, 2);
            let (low, high) = (mean - known, mean + known);
            Some(svg::Bar { label: bot.name.clone(), value: mean, low, high, note, link: None })
        };
        let bars: Vec<svg::Bar> = self.bots.iter().filter_map(bar).collect();
        Some(svg::forest(&format!("Mean {name} with 95 % intervals"), name, &bars, None))
    }

    fn seats_picture(&self) -> String {
        let bars: Vec<svg::Bar> = self.setups.iter().map(|row| share_bar(&row.setup, &row.first)).collect();
        let mark = self.first_seat.map(|_| 50.0);
        let title = if self.alone() { "Games won" } else { "Games won by the first seat" };
        svg::forest(title, "% won", &bars, mark)
    }
}

fn share_bar(label: &str, share: &Share) -> svg::Bar {
    let Share { count, of, share, low, high } = *share;
    let note = format!("{:.1} % ({count} of {of})", 100.0 * share);
    let (value, low, high) = (100.0 * share, 100.0 * low, 100.0 * high);
    svg::Bar { label: label.to_owned(), value, low, high, note, link: None }
}

fn test_picture(test: &TestRow) -> String {
    let points = test.history.iter().map(|(at, llr)| (*at as f64, *llr, *llr, *llr)).collect();
    let line = svg::Line {
        name: format!("{:.2}", test.state.llr),
        points,
        links: Vec::new(),
        shape: svg::Shape::Straight,
    };
    let (TestRow { a, b, unit, .. }, (low, high)) = (test, test.claims);
    let title = format!("{a} against {b}: {low} or {high} {unit}");
    let marks = [(test.state.low, "first claim"), (test.state.high, "second claim")];
    svg::chart(&title, ("results", "log of the likelihood ratio"), &[line], &marks)
}

fn signed(value: f64, error: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "won all".to_owned() } else { "lost all".to_owned() };
    }
    with_error(format!("{value:+.1}"), error, 1)
}

/// Without the error, where nothing is known of it.
fn with_error(value: String, error: f64, digits: usize) -> String {
    if error.is_finite() { format!("{value} ± {error:.digits$}") } else { value }
}

fn words(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A value that holds a comma or a quotation mark stands in quotation marks.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Columns one below the other; those in which nothing stands are left out.
fn aligned(rows: &[Vec<String>]) -> String {
    let mut out = String::new();
    let shown = shown(rows);
    let widths: Vec<usize> =
        shown.iter().map(|c| rows.iter().map(|row| row[*c].chars().count()).max().unwrap_or(0)).collect();
    for row in rows {
        let cells = shown.iter().zip(&widths).enumerate().map(|(index, (column, width))| {
            let cell = &row[*column];
            if index == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

fn shown(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    (0..columns).filter(|column| rows.iter().skip(1).any(|row| row[*column] != "-")).collect()
}

fn html_table(rows: &[Vec<String>]) -> String {
    let shown = shown(rows);
    let pick = |row: &Vec<String>| shown.iter().map(|column| row[*column].clone()).collect::<Vec<_>>();
    let head = pick(&rows[0]);
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    svg::table(&head, &rows[1..].iter().map(pick).collect::<Vec<_>>())
}

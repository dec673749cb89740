//! Content that nobody has thought of: packs in which every word of the language stands wherever it may stand are
//! fought with and climbed through, and all promises hold.
//!
//! A few fights and runs in every test run; `.ci/long packs` plays a hundred thousand fights and ten thousand runs.

mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Match, Viewer};
use turnstone_host::Hosted;
use turnstone_spire::catalog::expr::Read;
use turnstone_spire::catalog::face;
use turnstone_spire::catalog::schema::content_schema;
use turnstone_spire::catalog::verb::verbs;
use turnstone_spire::catalog::words::{Moment, Prevent, Stage};
use turnstone_spire::run::plan::MapChoice;
use turnstone_spire::run::tower::Screen;
use turnstone_spire::setup::Begin;
use turnstone_spire::state::NONE;
use turnstone_spire::{Fight, Setup, Spire, State};
use turnstone_testkit::{Plan, Script, Scripted, ask_all};

use crate::words::Poor;
use write::{Entry, Pack, Writer};

const LOTS: Stream = Stream::named("odd matches");

/// So many entries of a list, from this place on, round and round.
fn some(list: &[String], from: usize, count: usize) -> Vec<String> {
    (from..from + count).map(|at| list[at % list.len()].clone()).collect()
}

/// A fight with things of the pack, each in its turn.
fn fight(pack: &Pack, number: usize) -> Setup {
    let ids = |kind: &str| &pack.ids[kind];
    let mut deck = some(ids("card"), number * 18, 18);
    deck.iter_mut().skip(number % 2).step_by(2).for_each(|card| card.push('+'));
    Setup::fight(equipped(
        pack,
        number,
        Fight {
            character: ids("character")[number % ids("character").len()].clone(),
            ascension: (number % 21) as u8,
            encounter: Some(ids("encounter")[number % ids("encounter").len()].clone()),
            deck: Some(deck),
            ..Fight::default()
        },
    ))
}

fn equipped(pack: &Pack, number: usize, fight: Fight) -> Fight {
    let ids = |kind: &str| &pack.ids[kind];
    let (relics, potions) = (some(ids("relic"), number * 6, 6), some(ids("potion"), number * 3, 3));
    Fight { relics: Some(relics), potions, hp: Some(400), max_hp: Some(500), ..fight }
}

/// A run: on a map of the pack, from somewhere with things of the pack, or from its beginning.
fn run(pack: &Pack, number: usize) -> Setup {
    let ids = |kind: &str| &pack.ids[kind];
    let character = &ids("character")[number % ids("character").len()];
    let setup = Setup::run(character, (number / 3 % 21) as u8);
    match number % 3 {
        0 => {
            let map = ids("map")[number / 3 % ids("map").len()].clone();
            Setup { map: Some(MapChoice::Name(map)), ..setup }
        }
        1 => {
            let with =
                equipped(pack, number, Fight { act: Some((number / 3 % 3) as u8 + 1), ..Fight::default() });
            Setup { begin: Some(Begin { with, ..Begin::default() }), ..setup }
        }
        _ => setup,
    }
}

/// Which entries of the pack were met.
#[derive(Default)]
struct Met(BTreeSet<Entry>);

impl Met {
    fn note(&mut self, kind: &'static str, id: &str) {
        if !self.0.contains(&(kind, id.to_owned())) {
            self.0.insert((kind, id.to_owned()));
        }
    }

    /// What lies on the table: what was in the hand, stands there, is owned, or on the screen.
    fn look(&mut self, game: &Spire, s: &State) {
        let (catalog, tables, combat) = (&game.catalog, &game.rulebook.tables, &s.combat);
        for slot in &combat.hand {
            self.note("card", &catalog.cards[usize::from(combat.cards[usize::from(*slot)].id)].id);
        }
        for body in &combat.bodies {
            body.powers.iter().for_each(|p| self.note("power", &catalog.powers[usize::from(p.id)].id));
        }
        for body in combat.bodies.iter().skip(1) {
            self.note("monster", &catalog.monsters[usize::from(body.kind)].id);
        }
        if !combat.bodies.is_empty() {
            self.note("stance", &catalog.stances[usize::from(combat.stance)].id);
            if let Some(encounter) = catalog.encounters.get(usize::from(combat.encounter)) {
                self.note("encounter", &encounter.id);
            }
        }
        combat.orbs.iter().for_each(|orb| self.note("orb", &catalog.orbs[usize::from(orb.id)].id));
        s.run.relics.iter().for_each(|relic| self.note("relic", tables.relics.name(relic.id)));
        for potion in s.run.potions.iter().filter(|potion| **potion != NONE) {
            self.note("potion", &catalog.potions[usize::from(*potion)].id);
        }
        for screen in &s.tower.screens {
            match screen {
                Screen::Event(event) => self.note("event", tables.events.name(event.event)),
                Screen::Neow => {
                    for option in &s.tower.fate.neow {
                        for gift in std::iter::once(option.bonus).chain(option.drawback) {
                            self.note("neow", tables.gifts.names.name(gift));
                        }
                    }
                }
                Screen::Rewards(_)
                | Screen::Shop(_)
                | Screen::BossChest(_)
                | Screen::Rest
                | Screen::Chest(_) => {}
            }
        }
    }

    fn setup(&mut self, pack: &Pack, setup: &Setup) {
        let fight = setup.fight.as_ref();
        self.note("character", fight.map_or(&setup.character, |fight| &fight.character));
        let level = fight.map_or(setup.ascension, |fight| fight.ascension);
        (1..=level).for_each(|level| self.note("ascension", &level.to_string()));
        if fight.is_some() {
            return;
        }
        (1..=3).for_each(|act| self.note("act", &act.to_string()));
        if let Some(MapChoice::Name(map)) = &setup.map {
            self.note("map", map);
        }
        for kind in ["score", "order", "burning"] {
            pack.ids[kind].iter().for_each(|id| self.note(kind, id));
        }
    }
}

/// What came of matches with a pack.
#[derive(Default)]
struct Report {
    met: Met,
    inputs: usize,
    /// Inputs that would never have ended, and were refused.
    endless: usize,
    ended: usize,
    /// What went wrong.
    broken: Vec<String>,
}

impl Report {
    fn add(&mut self, other: Report) {
        self.met.0.extend(other.met.0);
        self.inputs += other.inputs;
        self.endless += other.endless;
        self.ended += other.ended;
        self.broken.extend(other.broken);
    }
}

/// Plays one match and asks every oracle about it.
fn play(game: &Arc<Spire>, pack: &Pack, setup: Setup, seed: u64, inputs: usize, report: &mut Report) {
    let mut lots = Lots::new(seed, LOTS);
    let picks: Vec<u16> = (0..inputs).map(|_| lots.below(1 << 16) as u16).collect();
    let script = Script::new(Arc::clone(game), setup, seed, picks);
    let plan = Plan { probes: 3, ..Plan::default() };
    if let Err(broken) = ask_all(&script, plan) {
        panic!("seed {seed}, {:?}: {broken}", script.setup);
    }
    let played = script.play().expect("it opens");
    report.met.setup(pack, &script.setup);
    played.positions.iter().for_each(|position| report.met.look(game, position.state()));
    report.inputs += played.inputs.len();
    let over = played.game.inputs().is_empty();
    report.ended += usize::from(over);
    if !over {
        report.endless += inputs - played.inputs.len();
    }
    told(game, &played, seed);
}

/// Everything that is told of it is words.
fn told(game: &Arc<Spire>, played: &Scripted<Spire>, seed: u64) {
    let mut poor = Poor::default();
    let last: &Match<Spire> = &played.game;
    poor.look(&game.scene(last.position(), &last.inputs(), Viewer::Seat(0)));
    for moment in last.line().into_iter().rev().take(3) {
        last.explain(moment).lines.iter().for_each(|line| poor.need("line", &line.text));
    }
    assert!(poor.0.is_empty(), "seed {seed}: {:#?}", poor.0);
}

/// Every word that a pack has to say: those that make manual and schema.
fn vocabulary() -> Vec<String> {
    let mut all: Vec<String> = verbs().map(|spec| format!("verb {}", spec.name)).collect();
    all.extend(Moment::ALL.iter().map(|row| format!("moment {}", row.1)));
    all.extend(Stage::ALL.iter().map(|row| format!("stage {}", row.1)));
    all.extend(Prevent::ALL.iter().map(|row| format!("prevent {}", row.1)));
    all.extend(Read::ALL.iter().map(|(_, name, kinds, _)| match kinds.len() {
        0 => format!("value {name}"),
        many => format!("value {name}/{many}"),
    }));
    let schema = content_schema();
    all.extend(schema["properties"].as_object().expect("kinds").keys().map(|kind| format!("kind {kind}")));
    for (list, words) in schema["$defs"].as_object().expect("lists") {
        for word in words["oneOf"].as_array().into_iter().flatten().filter_map(|word| word["const"].as_str())
        {
            all.push(format!("{list} {word}"));
        }
    }
    all
}

/// How many entries of those that were met say each word.
fn counts(pack: &Pack, met: &Met) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = vocabulary().into_iter().map(|word| (word, 0)).collect();
    for word in met.0.iter().filter_map(|entry| pack.words.get(entry)).flatten() {
        if let Some(count) = counts.get_mut(word) {
            *count += 1;
        }
    }
    counts
}

/// The match with that number, of so many of each kind: runs lie evenly among the fights.
fn numbered(pack: &Pack, number: usize, fights: usize, runs: usize) -> Setup {
    let of_runs = number * runs / (fights + runs);
    match (number + 1) * runs / (fights + runs) > of_runs {
        true => run(pack, of_runs),
        false => fight(pack, number - of_runs),
    }
}

/// Plays so many fights and runs with packs of these seeds, on all cores, and demands that every word stands in at
/// least so many entries that were met, those of all packs together.
fn play_many(seeds: std::ops::Range<u64>, fights: usize, runs: usize, least: usize) {
    let total = (fights + runs) / (seeds.end - seeds.start) as usize;
    let mut whole = Account::default();
    for seed in seeds {
        let pack = Writer::new(seed).write();
        let report = play_all(&pack, seed, total, (fights, runs));
        let Report { met, inputs, endless, ended, broken } = &report;
        println!(
            "pack {seed}: {total} matches, {inputs} inputs, {ended} ended, {endless} inputs without end, {} entries met",
            met.0.len()
        );
        let some: Vec<&String> = broken.iter().take(12).collect();
        assert!(broken.is_empty(), "{} matches went wrong: {some:#?}", broken.len());
        whole.add(&pack, &report);
    }
    whole.judge(least);
}

/// The first matches with a pack, shared out among all cores.
fn play_all(pack: &Pack, seed: u64, total: usize, (fights, runs): (usize, usize)) -> Report {
    let game = Arc::clone(&pack.game);
    let (next, whole) = (AtomicUsize::new(0), Mutex::new(Report::default()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut report = Report::default();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= total {
                        break;
                    }
                    let setup = numbered(pack, number, fights, runs);
                    let inputs = if setup.fight.is_some() { 60 } else { 160 };
                    let one = AssertUnwindSafe(|| {
                        play(&game, pack, setup, seed << 32 | number as u64, inputs, &mut report);
                    });
                    if let Err(panic) = catch_unwind(one) {
                        let text = panic.downcast_ref::<String>().cloned();
                        let text =
                            text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                        report.broken.push(text.unwrap_or_default());
                    }
                }
                whole.lock().expect("no panic").add(report);
            });
        }
    });
    whole.into_inner().expect("no panic")
}

/// What was met of all packs.
#[derive(Default)]
struct Account {
    /// How many entries that were met say each word.
    counts: BTreeMap<String, usize>,
    /// How many entries of each kind there are.
    kinds: BTreeMap<String, usize>,
    inputs: usize,
    endless: usize,
}

impl Account {
    fn add(&mut self, pack: &Pack, report: &Report) {
        for (word, count) in counts(pack, &report.met) {
            *self.counts.entry(word).or_default() += count;
        }
        for (kind, ids) in &pack.ids {
            *self.kinds.entry(format!("kind {kind}")).or_default() += ids.len();
        }
        self.inputs += report.inputs;
        self.endless += report.endless;
    }

    /// Says what was met too seldom.
    fn judge(&self, least: usize) {
        let enough = |word: &String| self.kinds.get(word).map_or(least, |there| least.min(*there));
        let seldom: Vec<_> = self.counts.iter().filter(|(word, count)| **count < enough(word)).collect();
        println!("{} words, met least: {:?}", self.counts.len(), self.counts.values().min());
        // A hundred matches meet nearly every word, a hundred thousand meet all.
        let spared = if least > 1 { 0 } else { self.counts.len() / 100 };
        assert!(seldom.len() <= spared, "met too seldom: {seldom:?}");
        assert!(self.endless * 4 < self.inputs, "{} of {} inputs had no end", self.endless, self.inputs);
    }
}

#[test]
fn packs_of_everything_can_be_fought_with_and_climbed_through() {
    play_many(1..2, 90, 18, 1);
}

/// One match of `.ci/long packs`, told to its end: `PACK_MATCH` is the seed that a failure names.
#[test]
#[ignore = "tells a match whose seed is given"]
fn one_match_with_a_pack() {
    let seed: u64 = std::env::var("PACK_MATCH").map_or(1 << 32, |text| text.parse().expect("a number"));
    let pack = Writer::new(seed >> 32).write();
    let setup = numbered(&pack, seed as u32 as usize, 100_000, 10_000);
    let inputs = if setup.fight.is_some() { 60 } else { 160 };
    let mut lots = Lots::new(seed, LOTS);
    let picks: Vec<u16> = (0..inputs).map(|_| lots.below(1 << 16) as u16).collect();
    let played = Script::new(Arc::clone(&pack.game), setup, seed, picks).play().expect("it opens");
    let line = played.game.line();
    for moment in &line[line.len().saturating_sub(3)..] {
        played.game.explain(*moment).lines.iter().for_each(|line| println!("{}", line.text));
    }
    if let Some(pending) = played.game.position().pending()
        && let Some(words) = format!("{pending:?}").split("program: ").nth(1)
    {
        let program = words.split(',').next().and_then(|word| word.parse().ok()).unwrap_or_default();
        println!("{:?}", pack.game.catalog.program(program));
    }
    println!("{:?}\n{} inputs lead on", played.game.position(), played.game.inputs().len());
}

/// All fights and runs of `.ci/long packs`: `PACK_FIGHTS` and `PACK_RUNS` of them, with two dozen packs.
#[test]
#[ignore = "a hundred thousand fights: the ones above are the same in small"]
fn very_many_matches_with_packs() {
    let many = |name: &str, usual| std::env::var(name).map_or(usual, |text| text.parse().expect("a number"));
    play_many(1..25, many("PACK_FIGHTS", 100_000), many("PACK_RUNS", 10_000), 20);
}

#[test]
fn everything_in_a_pack_says_what_it_does() {
    let pack = Writer::new(7).write();
    let content = &pack.game.content;
    let mut poor = Poor::default();
    for card in &content.cards {
        poor.read("card", &face::card(content, card, &face::Live::base()));
        poor.read("card", &face::card(content, card, &face::Live::upgraded()));
    }
    content.powers.iter().for_each(|power| poor.read("power", &face::power(content, power, Some(2))));
    content.relics.iter().for_each(|relic| poor.read("relic", &face::relic(content, relic)));
    content.stances.iter().for_each(|stance| poor.read("stance", &face::stance(content, stance)));
    content.potions.iter().for_each(|potion| poor.read("potion", &face::potion(content, potion, 7)));
    assert!(poor.0.is_empty(), "{:#?}", poor.0);
}

#[test]
fn the_same_seed_writes_the_same_pack() {
    assert_eq!(Writer::new(3).write().game.digest, Writer::new(3).write().game.digest);
}

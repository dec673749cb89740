//! The score of a run: what is counted stands here, what it is worth in `content/score`.

use serde::Serialize;

use super::rulebook::Rulebook;
use super::tower::End;
use crate::catalog::defs::{Common, Entry};
use crate::catalog::read::Reader;
use crate::catalog::words::{CardType, Counted};
use crate::seeds::{CardNo, Rarity, RelicNo};
use crate::state::State;
use turnstone_content::{Fields, Node, Tree};

/// What a line of the score is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Worth {
    /// Points for each.
    Each(i32),
    /// The n-th counts n times this.
    Rising(i32),
    /// From so many on, so many points; ascending.
    Steps(Vec<[i32; 2]>),
    /// Percent of all other lines for each.
    Percent(i32),
}

/// A line of the score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreRule {
    /// What the player reads.
    pub text: String,
    /// What is counted.
    pub of: Counted,
    /// The relic that is counted, if it is one.
    pub relic: Option<String>,
    /// What it is worth.
    pub worth: Worth,
    /// Only in a run that was won.
    pub won: bool,
}

impl Entry for ScoreRule {
    const KIND: &'static str = "score";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        Common::read(r, f, id);
        let rule = ScoreRule {
            text: r.must(f, "text", Reader::text).unwrap_or_default(),
            of: r.must(f, "of", |r, n| r.word(n, Counted::ALL)).unwrap_or(Counted::Floors),
            relic: r.with(f, "relic", |r, n| r.reference("relic", n)).flatten(),
            worth: worth(r, f, id),
            won: r.with(f, "won", Reader::truth).unwrap_or(false),
        };
        if (rule.of == Counted::Relic) != rule.relic.is_some() {
            r.wrong(&f.place, format!("the score `{id}`: `of = \"relic\"` and `relic = …` go together"));
        }
        rule
    }
}

/// Exactly one of `each`, `rising`, `steps` and `percent` says what a line is worth.
fn worth(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Worth {
    let worths = [
        r.with(f, "each", Reader::integer).map(Worth::Each),
        r.with(f, "rising", Reader::integer).map(Worth::Rising),
        r.with(f, "steps", |r, n| steps(r, n, id)).map(Worth::Steps),
        r.with(f, "percent", Reader::integer).map(Worth::Percent),
    ];
    let mut worths = worths.into_iter().flatten();
    match (worths.next(), worths.next()) {
        (Some(worth), None) => worth,
        _ => {
            let message = "needs exactly one of `each`, `rising`, `steps` and `percent`";
            r.wrong(&f.place, format!("the score `{id}` {message}"));
            Worth::Each(0)
        }
    }
}

/// Pairs of how many and how many points, rising.
fn steps(r: &mut Reader, node: &Node, id: &str) -> Vec<[i32; 2]> {
    let mut steps = Vec::new();
    if let Tree::List(items) = &node.value {
        for item in items {
            match &item.value {
                Tree::List(pair) if pair.len() == 2 => steps.push([r.integer(&pair[0]), r.integer(&pair[1])]),
                other => r.wrong(&item.place, format!("expected [how many, points], found {}", other.kind())),
            }
        }
    }
    if steps.is_empty() || !steps.is_sorted() {
        r.wrong(&node.place, format!("the steps of the score `{id}` must rise: [[5, 10], [8, 20]]"));
    }
    steps
}

/// One line of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScoreLine {
    /// What for.
    pub what: String,
    /// How many there were of it.
    pub count: i32,
    /// How many points.
    pub points: i32,
}

/// The score of a run so far, line by line, the largest first; lines without points are left out.
pub fn score(rulebook: &Rulebook, s: &State) -> Vec<ScoreLine> {
    let won = matches!(s.tower.end, Some(End::Won | End::Heart));
    let rules = || rulebook.score.iter().filter(|rule| won || !rule.won);
    let plain = rules().fold(0, |sum: i32, rule| sum.saturating_add(points(rulebook, s, rule, 0)));
    let line = |rule: &ScoreRule| ScoreLine {
        what: rule.text.clone(),
        count: count(rulebook, s, rule),
        points: points(rulebook, s, rule, plain),
    };
    let mut lines: Vec<ScoreLine> = rules().map(line).filter(|line| line.points != 0).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.points));
    lines
}

/// The score as one number.
pub fn total(rulebook: &Rulebook, s: &State) -> i32 {
    score(rulebook, s).iter().fold(0, |sum: i32, line| sum.saturating_add(line.points))
}

/// The points of a line; `plain` are those of all lines that are no share of others.
fn points(rulebook: &Rulebook, s: &State, rule: &ScoreRule, plain: i32) -> i32 {
    let n = i64::from(count(rulebook, s, rule));
    let points = match &rule.worth {
        Worth::Each(each) => n * i64::from(*each),
        // Nobody counts so far that this would not fit.
        Worth::Rising(each) => (n * (n + 1) / 2).saturating_mul(i64::from(*each)),
        Worth::Steps(steps) => steps
            .iter()
            .rev()
            .find(|[from, _]| n >= i64::from(*from))
            .map_or(0, |[_, points]| (*points).into()),
        Worth::Percent(percent) => (i64::from(plain) * i64::from(*percent)).saturating_mul(n) / 100,
    };
    points.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

fn count(rulebook: &Rulebook, s: &State, rule: &ScoreRule) -> i32 {
    let (run, tally) = (&s.run, &s.tower.tally);
    let elites = |act: usize| i32::from(tally.elites[act]);
    match rule.of {
        Counted::Floors => run.floor.into(),
        Counted::Fights => tally.fights.into(),
        Counted::ElitesOfAct1 => elites(0),
        Counted::ElitesOfAct2 => elites(1),
        Counted::ElitesOfAct3 => elites(2) + elites(3),
        Counted::ElitesUnharmed => tally.elites_unharmed.into(),
        Counted::Bosses => tally.bosses.into(),
        Counted::BossesUnharmed => tally.bosses_unharmed.into(),
        Counted::Heart => (s.tower.end == Some(End::Heart)).into(),
        Counted::HardestBlow => tally.hardest_blow.into(),
        Counted::CardsInATurn => tally.cards_in_a_turn.into(),
        Counted::UnknownRooms => tally.unknown.into(),
        Counted::GoldGained => tally.gold_gained.min(i32::MAX as u32) as i32,
        Counted::MaxHpGained => {
            i32::from(run.max_hp) - rulebook.tables.of(s.tower.fate.character).max_hp(run.ascension)
        }
        Counted::Relics => run.relics.len() as i32,
        Counted::Relic => {
            let relic: Option<RelicNo> =
                rule.relic.as_ref().and_then(|name| rulebook.tables.relics.find(name));
            run.relics.iter().any(|owned| Some(RelicNo(owned.id)) == relic).into()
        }
        Counted::Ascension => run.ascension.into(),
        Counted::SetsOfFour | Counted::NoTwins | Counted::NoRares | Counted::Curses | Counted::Deck => {
            count_deck(rulebook, s, rule.of)
        }
    }
}

fn count_deck(rulebook: &Rulebook, s: &State, of: Counted) -> i32 {
    let deck = &s.run.deck;
    let facts = |id: u16| rulebook.card(CardNo(id));
    // Each card that is not basic with how many there are of it.
    let mut kinds: Vec<(u16, i32)> = Vec::new();
    for card in deck.iter().filter(|card| !facts(card.id).basic) {
        match kinds.iter_mut().find(|(id, _)| *id == card.id) {
            Some((_, count)) => *count += 1,
            None => kinds.push((card.id, 1)),
        }
    }
    match of {
        Counted::SetsOfFour => kinds.iter().filter(|(_, count)| *count >= 4).count() as i32,
        Counted::NoTwins => kinds.iter().all(|(_, count)| *count == 1).into(),
        Counted::NoRares => (!kinds.iter().any(|(id, _)| facts(*id).rarity == Some(Rarity::Rare))).into(),
        Counted::Curses => deck.iter().filter(|card| facts(card.id).kind == CardType::Curse).count() as i32,
        _ => deck.len() as i32,
    }
}

#[cfg(test)]
mod tests {
    use turnstone::Game;

    use super::*;
    use crate::game::{Ruleset, Spire};
    use crate::run::Setup;
    use crate::state::{DeckCard, OwnedRelic};

    #[test]
    fn a_line_of_the_score_says_once_what_it_is_worth() {
        let load = |text: &str| {
            let sources = crate::catalog::Sources::builtin("classic").with_text("x.toml", text);
            let told = Spire::new(Ruleset::Classic, &sources).err().unwrap_or_default();
            told.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let line = "[score.x]\ntext = \"x\"\nof = \"relics\"\n";
        assert!(load(&format!("{line}each = 3\n")).is_empty());
        for wrong in ["", "each = 3\npercent = 2\n", "steps = [[5, 10], [2, 5]]\n"] {
            let told = load(&format!("{line}{wrong}"));
            assert!(told.len() == 1 && told[0].contains("score `x`"), "{told:?}");
        }
        assert_eq!(
            load(
                "[score.floors]\nof = \"flors\"\neahc = 5\n\n[score.heart]\nof = \"relic\"\nrelic = \"ankor\"\n"
            ),
            [
                "x.toml:2:6: unknown word `flors`; did you mean `floors`?",
                "x.toml:3:1: unknown key `eahc` in the score `floors`; did you mean `each`?",
                "x.toml:7:9: no relic `ankor`; did you mean `anchor`?",
            ]
        );
    }

    /// A run that has just begun, won, with what a test puts into it.
    fn won(game: &Spire, change: impl FnOnce(&mut State)) -> Vec<(String, i32)> {
        let mut s = game.start(&Setup::run("ironclad", 0), 7).expect("start");
        s.tower.edit().end = Some(End::Won);
        change(&mut s);
        score(&game.rulebook, &s).into_iter().map(|line| (line.what, line.points)).collect()
    }

    fn add(game: &Spire, s: &mut State, card: &str, count: usize) {
        let id = game.catalog.find("card", card).expect(card);
        s.run.deck.extend((0..count).map(|_| DeckCard { id, up: 0, bottled: false, grown: 0 }));
    }

    /// What a change adds to the lines of a bare win.
    fn gains(game: &Spire, change: impl FnOnce(&mut State)) -> Vec<i32> {
        let bare = won(game, |_| {});
        let with = won(game, change);
        with.into_iter().filter(|line| !bare.contains(line)).map(|(_, points)| points).collect()
    }

    #[test]
    fn a_bare_win_has_neither_twins_nor_rares() {
        let game = Spire::builtin(Ruleset::Classic).expect("content");
        let lines = won(&game, |_| {});
        let points: Vec<i32> = lines.iter().map(|(_, points)| *points).collect();
        assert_eq!(points, [100, 50], "{lines:?}");
        let lost = won(&game, |s| s.tower.edit().end = Some(End::Died));
        assert!(lost.is_empty(), "{lost:?}");
    }

    #[test]
    fn what_was_beaten_counts() {
        let game = Spire::builtin(Ruleset::Classic).expect("content");
        let tally =
            |change: fn(&mut crate::run::tower::Tally)| gains(&game, |s| change(&mut s.tower.edit().tally));
        assert_eq!(tally(|t| t.fights = 7), [14]);
        assert_eq!(tally(|t| t.elites = [1, 0, 0, 0]), [10]);
        assert_eq!(tally(|t| t.elites = [0, 2, 0, 0]), [40]);
        assert_eq!(tally(|t| t.elites = [0, 0, 1, 1]), [60]);
        assert_eq!(tally(|t| t.elites_unharmed = 2), [50]);
        assert_eq!(tally(|t| t.bosses = 3), [300]);
        assert_eq!(tally(|t| t.bosses_unharmed = 2), [100]);
        assert_eq!(tally(|t| t.bosses_unharmed = 4), [200]);
        assert!(tally(|t| t.hardest_blow = 98).is_empty());
        assert_eq!(tally(|t| t.hardest_blow = 99), [25]);
        assert_eq!(tally(|t| t.cards_in_a_turn = 20), [25]);
        assert_eq!(tally(|t| t.unknown = 15), [25]);
        for (gold, points) in [(999, 0), (1000, 25), (2500, 50), (3000, 75)] {
            let gained = gains(&game, |s| s.tower.edit().tally.gold_gained = gold);
            assert_eq!(gained.iter().sum::<i32>(), points, "{gold}");
        }
        assert_eq!(gains(&game, |s| s.tower.edit().end = Some(End::Heart)), [250]);
        assert_eq!(gains(&game, |s| s.run.floor = 51), [255]);
    }

    #[test]
    fn what_is_owned_counts() {
        let game = Spire::builtin(Ruleset::Classic).expect("content");
        assert_eq!(gains(&game, |s| add(&game, s, "anger", 4)), [25], "a set, and the twins are gone");
        let lines = won(&game, |s| add(&game, s, "anger", 2));
        assert!(lines.iter().all(|(_, points)| *points != 100), "twins: {lines:?}");
        let lines = won(&game, |s| add(&game, s, "bludgeon", 1));
        assert!(lines.iter().all(|(_, points)| *points != 50), "a rare card: {lines:?}");
        assert_eq!(gains(&game, |s| add(&game, s, "strike_ironclad", 25)), [25], "a large deck");
        assert_eq!(gains(&game, |s| add(&game, s, "strike_ironclad", 40)), [50], "a larger one");
        let cursed = |s: &mut State| {
            ["regret", "doubt", "decay", "shame", "pain"].iter().for_each(|c| add(&game, s, c, 1));
        };
        assert_eq!(won(&game, cursed).iter().filter(|(what, _)| what.contains("curses")).count(), 1);
        assert_eq!(gains(&game, |s| s.run.max_hp += 15), [25]);
        assert_eq!(gains(&game, |s| s.run.max_hp += 30), [50]);
        let relics = |s: &mut State| s.run.relics.resize(25, OwnedRelic { id: 0, counter: 0 });
        assert_eq!(gains(&game, relics), [50]);
        let poop: RelicNo = game.rulebook.tables.relics.find("spirit_poop").expect("a relic");
        let poop = OwnedRelic { id: poop.0, counter: 0 };
        assert_eq!(gains(&game, |s| s.run.relics.push(poop)), [-1]);
    }

    #[test]
    fn ascension_adds_a_share_of_everything_else_to_a_win() {
        let game = Spire::builtin(Ruleset::Classic).expect("content");
        let lines = won(&game, |s| s.run.ascension = 20);
        // Max HP at the start are lower at high ascensions: what is above them counts as gained.
        let others: i32 =
            lines.iter().filter(|(what, _)| what != "ascension").map(|(_, points)| points).sum();
        let share = lines.iter().find(|(what, _)| what == "ascension").expect("a line").1;
        assert_eq!(share, others, "20 levels of 5 percent");
    }
}

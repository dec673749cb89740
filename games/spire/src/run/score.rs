//! The score of a finished run.

use super::tower::{End, State};
use crate::seeds::starting_hp;

/// One line of a score.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ScoreLine {
    /// What for.
    pub what: &'static str,
    /// How many points.
    pub points: i32,
}

/// The score of a run so far, line by line; lines without points are left out.
pub fn score(s: &State) -> Vec<ScoreLine> {
    let (run, tally) = (&s.spire.run, &s.tower.tally);
    let elites: i32 = tally.elites.iter().zip([10, 20, 30, 30]).map(|(n, each)| i32::from(*n) * each).sum();
    // Every boss counts 50 more than the one before.
    let bosses: i32 = (1..=i32::from(tally.bosses)).map(|n| 50 * n).sum();
    let gained = i32::from(run.max_hp) - starting_hp(s.tower.fate.character as usize, run.ascension);
    let won = matches!(s.tower.end, Some(End::Won | End::Heart));
    let mut lines = vec![
        ("floors climbed", i32::from(run.floor) * 5),
        ("enemies beaten", i32::from(tally.fights) * 2),
        ("elites beaten", elites),
        ("bosses beaten", bosses),
        ("bosses beaten unharmed", if tally.perfect >= 3 { 200 } else { i32::from(tally.perfect) * 50 }),
        ("unknown rooms", if tally.unknown > 15 { 25 } else { 0 }),
        ("gold", gold_points(run.gold)),
        (
            "large deck",
            match run.deck.len() {
                50.. => 50,
                35.. => 25,
                _ => 0,
            },
        ),
        (
            "well fed",
            match gained {
                30.. => 50,
                15.. => 25,
                _ => 0,
            },
        ),
        ("relics", if run.relics.len() >= 25 { 50 } else { 0 }),
        ("the heart", if s.tower.end == Some(End::Heart) { 250 } else { 0 }),
    ];
    if won {
        let sum: i32 = lines.iter().map(|l| l.1).sum();
        lines.push(("ascension", sum * i32::from(run.ascension) / 20));
    }
    let line = |(what, points): (&'static str, i32)| ScoreLine { what, points };
    lines.into_iter().filter(|l| l.1 != 0).map(line).collect()
}

/// The score as one number.
pub fn total(s: &State) -> i32 {
    score(s).iter().map(|l| l.points).sum()
}

fn gold_points(gold: i32) -> i32 {
    match gold {
        3000.. => 75,
        2000.. => 50,
        1000.. => 25,
        _ => 0,
    }
}

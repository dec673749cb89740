//! What figures are called: no two alike, on the board and in words.

use crate::document::Kind;
use crate::stage::Figure;
use std::sync::Arc;

/// Gives every figure a name of its own ([`Figure::called`]: `Zombie 2` where there are several) and
/// letters of its own for the board ([`Figure::mark`]: `z2`).
pub(crate) fn christen(figures: &mut [Figure]) {
    for kind in [Kind::Player, Kind::Npc, Kind::Object] {
        let places: Vec<usize> = (0..figures.len()).filter(|at| figures[*at].kind == kind).collect();
        let names: Vec<Arc<str>> = places.iter().map(|at| figures[*at].name.clone()).collect();
        let marks = marks(&names);
        for ((at, mark), n) in places.iter().zip(marks).zip(0..) {
            let figure = &mut figures[*at];
            figure.mark = mark.as_str().into();
            if let Some(number) = number(&names, n) {
                figure.called = format!("{} {number}", figure.name).as_str().into();
            }
        }
    }
}

/// Which of its name one is, if there are several.
fn number(names: &[Arc<str>], at: usize) -> Option<usize> {
    let several = names.iter().filter(|name| **name == names[at]).count() > 1;
    several.then(|| names[..=at].iter().filter(|name| **name == names[at]).count())
}

/// At most three characters for each name: an initial, two letters where another name begins alike,
/// and the number.
fn marks(names: &[Arc<str>]) -> Vec<String> {
    let letters = |at: usize| {
        let alike = names.iter().any(|name| *name != names[at] && initial(name) == initial(&names[at]));
        let stem = if alike { stem(&names[at]) } else { initial(&names[at]) };
        format!("{stem}{}", number(names, at).map_or(String::new(), |n| n.to_string()))
    };
    let marks: Vec<String> = (0..names.len()).map(letters).collect();
    let short = marks.iter().all(|mark| mark.chars().count() <= 3);
    let differ = marks.iter().enumerate().all(|(at, mark)| !marks[..at].contains(mark));
    if short && differ { marks } else { counted(names) }
}

/// The initial and a number among all who share it.
fn counted(names: &[Arc<str>]) -> Vec<String> {
    let same = |at: usize| names[..=at].iter().filter(|name| initial(name) == initial(&names[at])).count();
    (0..names.len()).map(|at| format!("{}{}", initial(&names[at]), same(at))).collect()
}

fn initial(name: &str) -> String {
    let first = name.chars().find(|c| c.is_alphanumeric());
    first.map_or("?".to_string(), |c| c.to_lowercase().to_string())
}

/// The initials of the first and last word, or the first two letters of a single one.
fn stem(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    match words[..] {
        [first, .., last] => format!("{}{}", initial(first), initial(last)),
        _ => name.chars().filter(|c| c.is_alphanumeric()).take(2).flat_map(char::to_lowercase).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Vec<String> {
        marks(&names.iter().map(|n| Arc::from(*n)).collect::<Vec<_>>())
    }

    #[test]
    fn nobody_shares_his_letters() {
        assert_eq!(named(&["Hild", "Oswin", "Tamsin"]), ["h", "o", "t"]);
        assert_eq!(named(&["Zombie", "Skeleton", "Zombie"]), ["z1", "s", "z2"]);
        assert_eq!(named(&["Goblin", "Giant Rat", "Goblin", "Giant Rat"]), ["go1", "gr1", "go2", "gr2"]);
        assert_eq!(named(&["Silent skeleton", "Snag", "Rattling skeleton"]), ["ss", "sn", "r"]);
        // Where even that is not enough, the initial and a number.
        assert_eq!(named(&["Bandit", "Barkeep"]), ["b1", "b2"]);
    }
}

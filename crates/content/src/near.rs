//! Names that were probably meant.

/// The candidate nearest to `word`, if it is near enough to be meant. One that goes on behind the word, as
/// `strike_ironclad` behind `strike`, is nearer than one with two other letters.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + word.chars().count() / 3;
    let goes_on = |candidate: &str| {
        let rest = candidate.strip_prefix(word).filter(|_| word.chars().count() >= 3);
        rest.is_some_and(|rest| rest.starts_with(['_', '-', ' ']))
    };
    candidates
        .into_iter()
        .map(|candidate| (if goes_on(candidate) { 1 } else { distance(word, candidate) }, candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "; did you mean `x`?" or the list of what is allowed.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, candidates.clone()) {
        Some(found) => format!("; did you mean `{found}`?"),
        None => {
            let mut all: Vec<&str> = candidates.into_iter().collect();
            if all.is_empty() {
                return "; there is none at all".to_owned();
            }
            all.sort_unstable();
            all.dedup();
            let more = if all.len() > 24 { ", …" } else { "" };
            all.truncate(24);
            format!("; expected one of {}{more}", all.join(", "))
        }
    }
}

/// How many letters must be put in, left out, changed or swapped with their neighbour to make one word of the other.
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!((distance("", "abc"), distance("abc", "abc"), distance("kitten", "sitting")), (3, 0, 3));
        assert_eq!((distance("plain", "plan"), distance("montser", "monster")), (1, 1));
    }

    #[test]
    fn the_nearest_name_is_close_or_none() {
        assert_eq!(nearest("atack", ["attack", "block"]), Some("attack"));
        assert_eq!(nearest("energy_gain", ["attack", "block"]), None);
        assert_eq!(nearest("strike", ["pride", "strike_ironclad"]), Some("strike_ironclad"));
        assert_eq!(nearest("strik", ["strike", "strike_ironclad"]), Some("strike"));
        assert_eq!(hint("xyzzy", ["wall", "monster"]), "; expected one of monster, wall");
        assert_eq!(hint("xyzzy", []), "; there is none at all");
    }
}

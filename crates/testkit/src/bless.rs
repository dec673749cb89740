//! Texts in the tree that tests compare with. Whoever means a change of them sets `BLESS=1`, and they are written anew.

use std::path::Path;

/// Compares a text with the one in a file, or writes the file with `BLESS=1` in the environment.
///
/// # Panics
/// If they differ, with the first line that does; or if the file cannot be written.
#[track_caller]
pub fn bless(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let known = std::fs::read_to_string(path).unwrap_or_default();
    if let Some(difference) = difference(&known, text) {
        panic!("{}, {difference}; if it is meant, BLESS=1 writes the file anew", path.display());
    }
}

/// The first line that differs.
fn difference(known: &str, now: &str) -> Option<String> {
    if known == now {
        return None;
    }
    let same = known.lines().zip(now.lines()).take_while(|(known, now)| known == now).count();
    let line = |text: &str| text.lines().nth(same).map_or("nothing".to_owned(), |line| format!("{line:?}"));
    Some(format!("line {}: {} was known, {} came", same + 1, line(known), line(now)))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_line_that_differs_is_told() {
        let told = |known, now| difference(known, now).expect("a difference");
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(told("a\nb\n", "a\nc\n"), "line 2: \"b\" was known, \"c\" came");
        assert_eq!(told("a\n", "a\nb\n"), "line 2: nothing was known, \"b\" came");
        assert_eq!(told("a\n", "a"), "line 2: nothing was known, nothing came");
    }
}

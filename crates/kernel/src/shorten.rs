//! What is quoted is quoted briefly.

/// A text of at most so many characters: of a longer one the beginning, and a sign that it went on. What comes from
/// outside is not sent back at length.
///
/// ```
/// use turnstone::shorten;
/// assert_eq!(shorten("a long story", 6), "a long…");
/// assert_eq!(shorten("short", 5), "short");
/// ```
pub fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

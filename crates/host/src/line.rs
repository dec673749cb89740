//! Lines that come from outside: programs say them, and nothing they say is held without a bound.

use std::io::{self, BufRead};

/// The longest line that is heard, in bytes.
pub const LONGEST_LINE: usize = 1_000_000;

/// Lines, each of a bounded length.
pub struct BoundedLines<R> {
    input: R,
    /// The rest of a line that was too long is still to come.
    cut: bool,
}

impl<R: BufRead> BoundedLines<R> {
    /// The lines of an input.
    pub fn new(input: R) -> Self {
        BoundedLines { input, cut: false }
    }

    /// The next line with its end, or what there is of it at the end of the input; bytes that are no text are replaced.
    /// Of a line that is too long only the beginning comes, which is too long as well: it is refused for its length
    /// without being held.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<String>> {
        self.next_showing(|_| {})
    }

    /// The same, showing what has come of a line while it lacks its end.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn next_showing(&mut self, mut show: impl FnMut(&[u8])) -> io::Result<Option<String>> {
        const ROOM: usize = LONGEST_LINE + 2;
        self.skip_rest()?;
        let mut line = Vec::new();
        loop {
            let come = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                come => come?,
            };
            let end = come.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
            let length = end.unwrap_or(come.len()).min(ROOM - line.len());
            let is_over = come.is_empty();
            line.extend_from_slice(&come[..length]);
            self.input.consume(length);
            let ended = line.ends_with(b"\n");
            self.cut = !ended && line.len() == ROOM;
            if is_over || ended || self.cut {
                let text = String::from_utf8_lossy(&line).into_owned();
                return Ok((!line.is_empty()).then_some(text));
            }
            show(&line);
        }
    }

    /// Passes over the rest of a line of which only the beginning came.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn skip_rest(&mut self) -> io::Result<()> {
        while self.cut {
            let come = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                come => come?,
            };
            let end = come.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(come.len(), |end| end + 1);
            self.cut = end.is_none() && length > 0;
            self.input.consume(length);
        }
        Ok(())
    }
}

/// Whether a line is longer than what is heard.
pub fn is_too_long(line: &str) -> bool {
    line.trim_end_matches(['\n', '\r']).len() > LONGEST_LINE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_heard() {
        let text = format!("{}\n7\n{}\nend", "x".repeat(3 * LONGEST_LINE), "y".repeat(LONGEST_LINE));
        let mut lines = BoundedLines::new(text.as_bytes());
        let long = lines.next_line().unwrap().unwrap();
        assert!(long.len() == LONGEST_LINE + 2 && is_too_long(&long));
        assert_eq!(lines.next_line().unwrap().as_deref(), Some("7\n"));
        assert!(!is_too_long(&lines.next_line().unwrap().unwrap()), "as long as a line may be");
        assert_eq!(lines.next_line().unwrap().as_deref(), Some("end"));
        assert_eq!(lines.next_line().unwrap(), None);
    }

    #[test]
    fn a_line_without_end_is_told_before_it_ends_and_shown_meanwhile() {
        let mut endless = BoundedLines::new(io::BufReader::new(io::repeat(b'x')));
        assert!(is_too_long(&endless.next_line().unwrap().unwrap()));
        let mut shown = Vec::new();
        let mut lines = BoundedLines::new(io::BufReader::with_capacity(4, &b"one\ntwo, and\xff"[..]));
        let mut next = || lines.next_showing(|come| shown.push(come.len())).unwrap();
        assert_eq!(
            (next().as_deref(), next().as_deref(), next()),
            (Some("one\n"), Some("two, and\u{fffd}"), None)
        );
        assert_eq!(shown, [4, 8, 9]);
    }
}

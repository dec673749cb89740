//! Places in JSON texts, which are read by others and complained about by paths.

use crate::place::{Lines, Place};

/// Where the value of a path such as `entities.npcs[5].stats` stands in a JSON text; where the innermost value on the
/// way stands that is there.
///
/// ```
/// let text = "{\n  \"beasts\": [{}, { \"legs\": -4 }]\n}";
/// let place = |path| turnstone_content::json_place("zoo.json", text, path).to_string();
/// assert_eq!(place("beasts[1].legs"), "zoo.json:2:28");
/// assert_eq!(place("beasts[0].legs"), "zoo.json:2:14");
/// assert_eq!(place("birds"), "zoo.json:1:1");
/// ```
pub fn json_place(file: &str, text: &str, path: &str) -> Place {
    let mut scan = Scan { text: text.as_bytes(), at: 0 };
    for step in path.split(['.', '[']).filter(|step| !step.is_empty()) {
        let here = scan.start();
        let found = match step.strip_suffix(']') {
            Some(number) => scan.item(number.parse().unwrap_or(usize::MAX)),
            None => scan.key(step),
        };
        if found.is_none() {
            scan.at = here;
            break;
        }
    }
    let at = scan.start();
    Lines::new(file, text).place(at)
}

/// Steps through a text that has been found to be JSON; in any other it ends somewhere.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips blanks; where the next value stands.
    fn start(&mut self) -> usize {
        while self.peek().is_some_and(|letter| letter.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.at
    }

    /// Takes a letter, if it is the next.
    fn take(&mut self, letter: u8) -> Option<()> {
        self.start();
        (self.peek() == Some(letter)).then(|| self.at += 1)
    }

    /// Goes to the value of a key of the object that stands here.
    fn key(&mut self, key: &str) -> Option<()> {
        self.take(b'{')?;
        loop {
            let start = self.start();
            self.string()?;
            let name = &self.text[start + 1..self.at - 1];
            self.take(b':')?;
            if name == key.as_bytes() {
                return Some(());
            }
            self.skip()?;
            self.take(b',')?;
        }
    }

    /// Goes to an item of the array that stands here.
    fn item(&mut self, index: usize) -> Option<()> {
        self.take(b'[')?;
        for _ in 0..index {
            self.skip()?;
            self.take(b',')?;
        }
        self.start();
        (self.peek() != Some(b']')).then_some(())
    }

    fn string(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(())
    }

    /// Goes behind the value that stands here; brackets are counted, not recursed into.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0_u32;
        loop {
            self.start();
            match self.peek()? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => self.at += 1,
                b',' | b':' => return None,
                _ => {
                    let ends = |letter: u8| b",:]}".contains(&letter) || letter.is_ascii_whitespace();
                    while self.peek().is_some_and(|letter| !ends(letter)) {
                        self.at += 1;
                    }
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}

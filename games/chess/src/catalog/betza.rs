//! How pieces move, in a compact notation after Ralph Betza.
//!
//! A piece is a row of atoms, each with modifiers in front and a range behind:
//!
//! | atom | leap | atom | leap | shorthand | same as |
//! |---|---|---|---|---|---|
//! | `W` | (1,0) | `N` | (2,1) | `K` | `WF` |
//! | `F` | (1,1) | `C` | (3,1) | `R` | `WW` |
//! | `D` | (2,0) | `Z` | (3,2) | `B` | `FF` |
//! | `A` | (2,2) | `G` | (3,3) | `Q` | `RB` |
//! | `H` | (3,0) | | | | |
//!
//! A doubled letter (`NN`) or the range `0` rides without limit, a number rides
//! that far. Modifiers: `m` moves only, `c` captures only, `i` only as a first
//! move (pawns: from their start rank), `n` cannot jump over what lies halfway,
//! `p` must pass over exactly one piece, `g` lands right behind the first piece;
//! `f b l r` keep the steps that go forward, back, left or right, `v` those
//! without sideways part, `s` those without forward part.

use crate::error::BadInput;

/// How a step treats what is in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hurdle {
    /// Stops at it.
    Stop,
    /// Must pass over exactly one.
    Over,
    /// Lands right behind the first.
    Behind,
}

/// One direction in which a piece moves, seen from White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Columns.
    pub dx: i8,
    /// Rows, positive is forward.
    pub dy: i8,
    /// How many times the step may be repeated.
    pub range: u8,
    /// May it go to empty squares?
    pub moves: bool,
    /// May it capture?
    pub captures: bool,
    /// Only as a first move?
    pub initial: bool,
    /// Blocked by what lies halfway?
    pub lame: bool,
    /// What it does at obstacles.
    pub hurdle: Hurdle,
}

impl Step {
    /// Does it ride, rather than leap once?
    pub const fn rides(&self) -> bool {
        self.range > 1
    }
}

/// Reads the moves of a piece.
///
/// # Errors
/// `betza.atom`, `betza.modifier` or `betza.empty`, with the place in the text.
///
/// ```
/// use turnstone_chess::catalog::parse_betza;
/// assert_eq!(parse_betza("N").unwrap().len(), 8);
/// assert_eq!(parse_betza("fmWfcF").unwrap().len(), 3);
/// assert_eq!(parse_betza("fmX").unwrap_err().code, "betza.atom");
/// ```
pub fn parse_betza(text: &str) -> Result<Vec<Step>, BadInput> {
    let letters: Vec<char> = text.chars().collect();
    let mut steps = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let start = at;
        while letters.get(at).is_some_and(char::is_ascii_lowercase) {
            at += 1;
        }
        let modifiers = Modifiers::read(&letters[start..at], text)?;
        let atom =
            *letters.get(at).ok_or_else(|| bad("betza.atom", text, at, "an atom is missing at the end"))?;
        at += 1;
        let range = read_range(&letters, &mut at, atom);
        for (leap, ride) in leaps(atom).ok_or_else(|| bad("betza.atom", text, at - 1, "this is no atom"))? {
            modifiers.expand(
                *leap,
                if *ride { range.unwrap_or(u8::MAX) } else { range.unwrap_or(1) },
                &mut steps,
            );
        }
    }
    if steps.is_empty() {
        return Err(bad("betza.empty", text, 0, "no step is left; check the direction modifiers"));
    }
    Ok(steps)
}

fn bad(code: &str, text: &str, at: usize, reason: &str) -> BadInput {
    let reason = format!("In the moves \"{text}\", {reason}; atoms are W F D N A H C Z G K R B Q.");
    BadInput::new(code, format!("letter {}", at + 1), reason)
}

type Leap = (i8, i8);

fn leaps(atom: char) -> Option<&'static [(Leap, bool)]> {
    Some(match atom {
        'W' => &[((1, 0), false)],
        'F' => &[((1, 1), false)],
        'D' => &[((2, 0), false)],
        'N' => &[((2, 1), false)],
        'A' => &[((2, 2), false)],
        'H' => &[((3, 0), false)],
        'C' => &[((3, 1), false)],
        'Z' => &[((3, 2), false)],
        'G' => &[((3, 3), false)],
        'K' => &[((1, 0), false), ((1, 1), false)],
        'R' => &[((1, 0), true)],
        'B' => &[((1, 1), true)],
        'Q' => &[((1, 0), true), ((1, 1), true)],
        _ => return None,
    })
}

fn read_range(letters: &[char], at: &mut usize, atom: char) -> Option<u8> {
    if letters.get(*at) == Some(&atom) {
        *at += 1;
        return Some(u8::MAX);
    }
    let start = *at;
    while letters.get(*at).is_some_and(char::is_ascii_digit) {
        *at += 1;
    }
    let digits: String = letters[start..*at].iter().collect();
    match digits.parse::<u8>() {
        Ok(0) => Some(u8::MAX),
        Ok(range) => Some(range),
        Err(_) => None,
    }
}

#[derive(Clone, Copy)]
struct Modifiers {
    moves: bool,
    captures: bool,
    initial: bool,
    lame: bool,
    hurdle: Hurdle,
    keep: Directions,
}

#[derive(Clone, Copy, Default)]
struct Directions {
    forward: bool,
    back: bool,
    left: bool,
    right: bool,
    vertical: bool,
    sideways: bool,
}

impl Modifiers {
    fn read(letters: &[char], text: &str) -> Result<Modifiers, BadInput> {
        let (mut moves, mut captures) = (false, false);
        let mut all = Modifiers {
            moves: true,
            captures: true,
            initial: false,
            lame: false,
            hurdle: Hurdle::Stop,
            keep: Directions::default(),
        };
        for (at, letter) in letters.iter().enumerate() {
            match letter {
                'm' => moves = true,
                'c' => captures = true,
                'i' => all.initial = true,
                'n' => all.lame = true,
                'p' => all.hurdle = Hurdle::Over,
                'g' => all.hurdle = Hurdle::Behind,
                'f' => all.keep.forward = true,
                'b' => all.keep.back = true,
                'l' => all.keep.left = true,
                'r' => all.keep.right = true,
                'v' => all.keep.vertical = true,
                's' => all.keep.sideways = true,
                _ => return Err(bad("betza.modifier", text, at, &format!("'{letter}' is no modifier"))),
            }
        }
        if moves != captures {
            (all.moves, all.captures) = (moves, captures);
        }
        Ok(all)
    }

    fn expand(&self, leap: Leap, range: u8, steps: &mut Vec<Step>) {
        let range = if self.hurdle == Hurdle::Stop { range } else { u8::MAX };
        for (dx, dy) in symmetries(leap) {
            if self.keep.accepts(dx, dy) {
                let Modifiers { moves, captures, initial, lame, hurdle, .. } = *self;
                steps.push(Step { dx, dy, range, moves, captures, initial, lame, hurdle });
            }
        }
    }
}

impl Directions {
    fn accepts(&self, dx: i8, dy: i8) -> bool {
        let wanted = [
            (self.forward, dy > 0),
            (self.back, dy < 0),
            (self.left, dx < 0),
            (self.right, dx > 0),
            (self.vertical, dx == 0),
            (self.sideways, dy == 0),
        ];
        let none = wanted.iter().all(|(asked, _)| !asked);
        none || wanted.iter().any(|(asked, holds)| *asked && *holds)
    }
}

/// The four or eight directions of a leap, in a fixed order without repetition.
fn symmetries((a, b): Leap) -> Vec<Leap> {
    let mut all = Vec::with_capacity(8);
    for (dx, dy) in [(-a, -b), (-a, b), (-b, -a), (-b, a), (b, -a), (b, a), (a, -b), (a, b)] {
        if !all.contains(&(dx, dy)) {
            all.push((dx, dy));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orthodox_pieces() {
        let count = |text| parse_betza(text).unwrap().len();
        assert_eq!((count("K"), count("Q"), count("R"), count("B"), count("N")), (8, 8, 4, 4, 8));
        let pawn = parse_betza("fmWfcFifmnD").unwrap();
        assert_eq!(pawn.len(), 4);
        assert!(pawn.iter().all(|step| step.dy > 0));
        assert_eq!(
            pawn[3],
            Step {
                dx: 0,
                dy: 2,
                range: 1,
                moves: true,
                captures: false,
                initial: true,
                lame: true,
                hurdle: Hurdle::Stop
            }
        );
    }

    #[test]
    fn riders_and_hoppers() {
        assert!(parse_betza("NN").unwrap().iter().all(Step::rides));
        assert_eq!(parse_betza("W3").unwrap()[0].range, 3);
        assert_eq!(parse_betza("mRcpR").unwrap().iter().filter(|s| s.hurdle == Hurdle::Over).count(), 4);
    }

    #[test]
    fn mistakes() {
        assert_eq!(parse_betza("").unwrap_err().code, "betza.empty");
        assert_eq!(parse_betza("fm").unwrap_err().code, "betza.atom");
        assert_eq!(parse_betza("xW").unwrap_err().code, "betza.modifier");
        assert_eq!(parse_betza("é").unwrap_err().code, "betza.atom");
    }
}

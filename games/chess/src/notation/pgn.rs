//! Portable game notation: headers and a main line of moves; comments,
//! variations and annotations are skipped when reading.

use crate::error::BadInput;
use crate::plain::{Move, Position, Variant};
use std::fmt::Write as _;

/// A game as PGN holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Tag pairs in order.
    pub tags: Vec<(String, String)>,
    /// Where the game starts.
    pub start: Position,
    /// The main line.
    pub moves: Vec<Move>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The position after the last move.
    pub fn last(&self) -> Position {
        self.moves.iter().fold(self.start, |position, mv| position.after(mv))
    }
}

/// Reads all games of a PGN text.
///
/// # Errors
/// A code beginning with `pgn.`, `fen.`, `san.` or `position.`; the place names game and move.
///
/// ```
/// let games = turnstone_chess::notation::read_pgn("1. e4 e5 {open} 2. Nf3 (2. f4) Nc6 *").unwrap();
/// assert_eq!(games[0].moves.len(), 4);
/// ```
pub fn read_pgn(text: &str) -> Result<Vec<PgnGame>, BadInput> {
    let tokens = tokens(text)?;
    let mut games = Vec::new();
    let mut rest = &tokens[..];
    while !rest.is_empty() {
        let (game, after) = read_game(rest, games.len() + 1)?;
        games.push(game);
        rest = after;
    }
    Ok(games)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Tag(String, String),
    Move(String),
    Result(String),
}

fn tokens(text: &str) -> Result<Vec<Token>, BadInput> {
    let mut out = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    let mut depth = 0u32;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '{' => closed(rest, '}')?,
            ';' | '%' => rest.find('\n').unwrap_or(rest.len()),
            '[' if depth == 0 => {
                let end = tag_end(rest)?;
                out.push(read_tag(&rest[1..end - 1])?);
                end
            }
            '(' => {
                depth += 1;
                1
            }
            ')' => {
                depth = depth.checked_sub(1).ok_or_else(|| {
                    BadInput::new("pgn.variation", "", "A ')' closes a variation that was never opened.")
                })?;
                1
            }
            _ => {
                let end =
                    rest.find(|c: char| c.is_whitespace() || "(){};[".contains(c)).unwrap_or(rest.len());
                let end = end.max(first.len_utf8());
                if depth == 0 {
                    out.extend(word(&rest[..end]));
                }
                end
            }
        };
        rest = rest[taken..].trim_start();
    }
    Ok(out)
}

fn closed(text: &str, with: char) -> Result<usize, BadInput> {
    text.find(with).map(|at| at + with.len_utf8()).ok_or_else(|| {
        BadInput::new("pgn.unclosed", "", format!("A '{with}' is missing at the end of a comment or tag."))
    })
}

/// The length of `[Name "value"]`; the value may hold escaped quotes and brackets.
fn tag_end(text: &str) -> Result<usize, BadInput> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return Ok(at + 1),
            _ => {}
        }
    }
    closed(text, '\u{0}')
}

fn read_tag(text: &str) -> Result<Token, BadInput> {
    let (name, value) = text
        .trim()
        .split_once(char::is_whitespace)
        .ok_or_else(|| BadInput::new("pgn.tag", text, "A tag needs a name and a quoted value."))?;
    let value = value.trim();
    let value = value.strip_prefix('"').unwrap_or(value);
    let value = value.strip_suffix('"').unwrap_or(value);
    Ok(Token::Tag(name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

fn word(text: &str) -> Option<Token> {
    if matches!(text, "1-0" | "0-1" | "1/2-1/2" | "*") {
        return Some(Token::Result(text.to_owned()));
    }
    // Move numbers may be glued to the move: `1.e4`, `1...e5`.
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let body = if numbered.starts_with('.') { numbered.trim_start_matches('.') } else { text };
    let empty = body.is_empty()
        || body.starts_with('$')
        || body.chars().all(|c| c.is_ascii_digit() || "!?".contains(c));
    (!empty).then(|| Token::Move(body.to_owned()))
}

fn read_game(tokens: &[Token], number: usize) -> Result<(PgnGame, &[Token]), BadInput> {
    let at = tokens.iter().position(|token| !matches!(token, Token::Tag(..))).unwrap_or(tokens.len());
    let tags: Vec<(String, String)> = tokens[..at]
        .iter()
        .filter_map(|token| match token {
            Token::Tag(name, value) => Some((name.clone(), value.clone())),
            _ => None,
        })
        .collect();
    let start = start_of(&tags)?;
    let mut game = PgnGame { tags, start, moves: Vec::new(), result: "*".to_owned() };
    let mut position = game.start;
    let mut rest = &tokens[at..];
    while let Some((token, after)) = rest.split_first() {
        match token {
            Token::Tag(..) => return Ok((game, rest)),
            Token::Result(result) => {
                game.result.clone_from(result);
                return Ok((game, after));
            }
            Token::Move(text) => {
                let mv = position.parse_san(text).map_err(|mut error| {
                    error.place = format!("game {number}, ply {}: {text}", game.moves.len() + 1);
                    error
                })?;
                position.play_unchecked(&mv);
                game.moves.push(mv);
            }
        }
        rest = after;
    }
    Ok((game, rest))
}

fn start_of(tags: &[(String, String)]) -> Result<Position, BadInput> {
    let tag = |wanted: &str| tags.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let variant = match tag("Variant") {
        None => Variant::Standard,
        Some(name) => Variant::from_name(name).ok_or_else(|| {
            BadInput::new("pgn.variant", name, format!("The variant '{name}' is not known."))
        })?,
    };
    match tag("FEN") {
        None => Ok(Position::start(variant)),
        Some(fen) => Position::from_fen(fen, variant),
    }
}

/// Writes one game, its seven tags first, lines of at most 80 letters.
pub fn write_pgn(game: &PgnGame) -> String {
    let mut out = String::new();
    for (name, value) in header(game) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        _ = writeln!(out, "[{name} \"{value}\"]");
    }
    out.push('\n');
    let mut line = String::new();
    for word in movetext(game) {
        if line.len() + word.len() >= 80 {
            out.push_str(line.trim_end());
            out.push('\n');
            line.clear();
        }
        line.push_str(&word);
        line.push(' ');
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}

fn header(game: &PgnGame) -> Vec<(String, String)> {
    let mut tags: Vec<(String, String)> = ["Event", "Site", "Date", "Round", "White", "Black"]
        .iter()
        .map(|name| {
            let unknown = if *name == "Date" { "????.??.??" } else { "?" };
            ((*name).to_owned(), game.tag(name).unwrap_or(unknown).to_owned())
        })
        .collect();
    tags.push(("Result".to_owned(), game.result.clone()));
    let variant = game.start.variant();
    let fen = game.start.to_fen();
    let derived = ["Result", "Variant", "FEN", "SetUp"];
    if variant != Variant::Standard {
        tags.push(("Variant".to_owned(), variant.name().to_owned()));
    }
    if fen != variant.start_fen() {
        tags.push(("SetUp".to_owned(), "1".to_owned()));
        tags.push(("FEN".to_owned(), fen));
    }
    let extra = game.tags.iter().filter(|(name, _)| !derived.contains(&name.as_str()));
    let extra: Vec<_> =
        extra.filter(|(name, _)| tags.iter().all(|(other, _)| other != name)).cloned().collect();
    tags.extend(extra);
    tags
}

fn movetext(game: &PgnGame) -> Vec<String> {
    let mut words = Vec::new();
    let mut position = game.start;
    for (i, mv) in game.moves.iter().enumerate() {
        let number = position.fullmoves();
        match position.turn() {
            crate::Color::White => words.push(format!("{number}.")),
            crate::Color::Black if i == 0 => words.push(format!("{number}...")),
            crate::Color::Black => {}
        }
        words.push(position.to_san(mv));
        position.play_unchecked(mv);
    }
    words.push(game.result.clone());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERA: &str = "[White \"Morphy\"]\n[Black \"Allies \\\"two\\\"\"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 {weak} 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 \
        7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 (9... Qb4 10. O-O) 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 \
        13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ $1 Nxb8 17. Rd8# 1-0";

    #[test]
    fn a_famous_game_survives_a_round_trip() {
        let games = read_pgn(OPERA).unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].moves.len(), 33);
        assert_eq!(games[0].tag("Black"), Some("Allies \"two\""));
        assert_eq!(games[0].last().end().map(|end| end.score()), Some("1-0"));
        let text = write_pgn(&games[0]);
        assert!(text.contains("12. O-O-O Rd8"));
        let again = read_pgn(&text).unwrap();
        assert_eq!(again[0].moves, games[0].moves);
    }

    #[test]
    fn mistakes_name_their_place() {
        let error = read_pgn("1. e4 e5 2. Ke3 *").unwrap_err();
        assert_eq!((error.code.as_str(), error.place.as_str()), ("san.illegal", "game 1, ply 3: Ke3"));
        assert_eq!(read_pgn("1. e4 {oops").unwrap_err().code, "pgn.unclosed");
        assert_eq!(read_pgn("[White \"a").unwrap_err().code, "pgn.unclosed");
        assert_eq!(read_pgn("1. e4 )").unwrap_err().code, "pgn.variation");
    }
}

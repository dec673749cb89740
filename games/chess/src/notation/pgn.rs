//! Portable game notation: tags, moves, comments, annotations and variations. What people write is read
//! as they mean it; a game that cannot be read does not spoil the others.

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
    /// Comments before the first move.
    pub preface: Vec<String>,
    /// The main line.
    pub line: Vec<PgnMove>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// A move with what was said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// Annotations by number: 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    /// Comments after it, clocks (`[%clk 0:01:00]`) among them.
    pub comments: Vec<String>,
    /// What could have been played instead, each with how it would have gone on.
    pub variations: Vec<Vec<PgnMove>>,
}

impl PgnMove {
    /// A move without any remark.
    pub const fn bare(mv: Move) -> PgnMove {
        PgnMove { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = &Move> {
        self.line.iter().map(|step| &step.mv)
    }

    /// The position after the last move.
    pub fn last(&self) -> Position {
        self.moves().fold(self.start, |position, mv| position.after(mv))
    }
}

/// Reads all games of a PGN text.
///
/// # Errors
/// The first mistake: a code beginning with `pgn.`, `fen.`, `san.` or `position.`; the place names game
/// and move.
///
/// ```
/// let games = turnstone_chess::notation::read_pgn("1. e4 e5 {open} 2. Nf3 (2. f4) Nc6 *").unwrap();
/// assert_eq!(games[0].line.len(), 4);
/// assert_eq!(games[0].line[1].comments, ["open"]);
/// assert_eq!(games[0].line[2].variations.len(), 1);
/// ```
pub fn read_pgn(text: &str) -> Result<Vec<PgnGame>, BadInput> {
    read_pgn_games(text).into_iter().collect()
}

/// Reads all games of a PGN text, each by itself.
pub fn read_pgn_games(text: &str) -> Vec<Result<PgnGame, BadInput>> {
    let tokens = tokens(text);
    let mut games = Vec::new();
    let mut rest = &tokens[..];
    while !rest.is_empty() {
        let (one, after) = rest.split_at(game_length(rest));
        games.push(read_game(one, games.len() + 1));
        rest = after;
    }
    games
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Tag(String, String),
    Move(String),
    Nag(u8),
    Comment(String),
    Open,
    Close,
    Result(String),
    /// What is wrong with the text here.
    Bad(BadInput),
}

/// A game ends with its result, or where the tags of the next begin.
fn game_length(tokens: &[Token]) -> usize {
    let mut moved = false;
    for (i, token) in tokens.iter().enumerate() {
        match token {
            Token::Tag(..) if moved => return i,
            Token::Tag(..) => {}
            Token::Result(_) => return i + 1,
            _ => moved = true,
        }
    }
    tokens.len()
}

fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    let mut depth = 0u32;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '{' => comment(rest, &mut out),
            ';' => {
                let end = rest.find('\n').unwrap_or(rest.len());
                out.push(Token::Comment(rest[1..end].trim().to_owned()));
                end
            }
            '%' => rest.find('\n').unwrap_or(rest.len()),
            '[' => {
                // Tags stand between games: a variation that is still open there never closes.
                depth = 0;
                tag(rest, &mut out)
            }
            '(' => {
                depth += 1;
                out.push(Token::Open);
                1
            }
            ')' => {
                if depth == 0 {
                    let reason = "A ')' closes a variation that was never opened.";
                    out.push(Token::Bad(BadInput::new("pgn.variation", "", reason)));
                } else {
                    depth -= 1;
                    out.push(Token::Close);
                }
                1
            }
            _ => {
                let end =
                    rest.find(|c: char| c.is_whitespace() || "(){};[".contains(c)).unwrap_or(rest.len());
                let end = end.max(first.len_utf8());
                let inner = depth > 0;
                out.extend(word(&rest[..end], inner));
                end
            }
        };
        rest = rest[taken..].trim_start();
    }
    out
}

/// A comment; one that never closes ends where the next game begins.
fn comment(text: &str, out: &mut Vec<Token>) -> usize {
    if let Some(end) = text.find('}') {
        let words: Vec<&str> = text[1..end].split_whitespace().collect();
        out.push(Token::Comment(words.join(" ")));
        return end + 1;
    }
    out.push(Token::Bad(unclosed('}')));
    text.find("\n[").unwrap_or(text.len())
}

fn unclosed(with: char) -> BadInput {
    let reason = format!("A '{with}' is missing at the end of a comment or tag.");
    BadInput::new("pgn.unclosed", "", reason)
}

/// `[Name "value"]`; the value may hold escaped quotes and brackets.
fn tag(text: &str, out: &mut Vec<Token>) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => {
                out.push(read_tag(&text[1..at]));
                return at + 1;
            }
            // A quote that is missing costs its own line.
            '\n' => break,
            _ => {}
        }
    }
    out.push(Token::Bad(unclosed(']')));
    text.find('\n').unwrap_or(text.len())
}

fn read_tag(text: &str) -> Token {
    let Some((name, value)) = text.trim().split_once(char::is_whitespace) else {
        return Token::Bad(BadInput::new("pgn.tag", text, "A tag needs a name and a quoted value."));
    };
    let value = value.trim();
    let value = value.strip_prefix('"').unwrap_or(value);
    let value = value.strip_suffix('"').unwrap_or(value);
    Token::Tag(name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\"))
}

/// What stands behind a move, by number.
const MARKS: [(&str, u8); 17] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("=+", 15),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+-", 18),
    ("-+", 19),
];

fn word(text: &str, inner: bool) -> Vec<Token> {
    if matches!(text, "1-0" | "0-1" | "1/2-1/2" | "½-½" | "*") {
        let result = if text == "½-½" { "1/2-1/2" } else { text };
        // A result inside a variation says how that would have ended.
        return if inner { Vec::new() } else { vec![Token::Result(result.to_owned())] };
    }
    if let Some(number) = text.strip_prefix('$') {
        return number.parse().map(Token::Nag).into_iter().collect();
    }
    if let Some((_, nag)) = MARKS.iter().find(|(mark, _)| *mark == text) {
        return vec![Token::Nag(*nag)];
    }
    // Move numbers may be glued to the move: `1.e4`, `1...e5`.
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let body =
        if numbered.starts_with(['.', '…']) { numbered.trim_start_matches(['.', '…']) } else { text };
    let number = body.chars().all(|c| c.is_ascii_digit());
    // That a pawn was taken in passing can be seen, and that it is a novelty is no move.
    if body.is_empty() || number || matches!(body, "e.p." | "ep" | "N" | "TN" | "D") {
        return Vec::new();
    }
    let bare = body.trim_end_matches(['!', '?']);
    let mark = MARKS.iter().find(|(mark, _)| *mark == &body[bare.len()..]);
    let mut out = vec![Token::Move(bare.to_owned())];
    out.extend(mark.map(|(_, nag)| Token::Nag(*nag)));
    out
}

fn read_game(tokens: &[Token], number: usize) -> Result<PgnGame, BadInput> {
    let placed = |mut error: BadInput| {
        let place = if error.place.is_empty() { String::new() } else { format!(", {}", error.place) };
        error.place = format!("game {number}{place}");
        error
    };
    let tags: Vec<(String, String)> = tokens
        .iter()
        .filter_map(|token| match token {
            Token::Tag(name, value) => Some((name.clone(), value.clone())),
            _ => None,
        })
        .collect();
    let start = start_of(&tags).map_err(placed)?;
    let mut reader = Reader { tokens: tokens.iter(), result: None };
    let (preface, line) = reader.line(start, 1).map_err(placed)?;
    let told = tags.iter().find(|(name, _)| name == "Result").map(|(_, value)| value.clone());
    let told = told.filter(|value| matches!(value.as_str(), "1-0" | "0-1" | "1/2-1/2"));
    let result = reader.result.filter(|result| result != "*").or(told).unwrap_or_else(|| "*".to_owned());
    Ok(PgnGame { tags, start, preface, line, result })
}

/// The moves of a game on their way from words.
struct Reader<'a> {
    tokens: std::slice::Iter<'a, Token>,
    result: Option<String>,
}

impl Reader<'_> {
    /// A line from that position, to its end or to the bracket that closes it.
    fn line(&mut self, start: Position, ply: usize) -> Result<(Vec<String>, Vec<PgnMove>), BadInput> {
        let (mut before, mut here) = (start, start);
        let (mut preface, mut line): (Vec<String>, Vec<PgnMove>) = (Vec::new(), Vec::new());
        // After a move that is none, such as a pass, what follows cannot be played.
        let mut lost = false;
        while let Some(token) = self.tokens.next() {
            match token {
                Token::Tag(..) => {}
                Token::Bad(error) => return Err(error.clone()),
                Token::Result(result) => self.result = Some(result.clone()),
                Token::Close => break,
                Token::Open if line.is_empty() || lost => self.skip(),
                Token::Open => {
                    let (words, other) = self.line(before, ply + line.len() - 1)?;
                    if let Some(last) = line.last_mut() {
                        keep_variation(last, words, other);
                    }
                }
                Token::Comment(text) => match line.last_mut() {
                    Some(last) => last.comments.push(text.clone()),
                    None => preface.push(text.clone()),
                },
                Token::Nag(nag) => {
                    if let Some(last) = line.last_mut() {
                        last.nags.push(*nag);
                    }
                }
                Token::Move(text) if lost || is_pass(text) => {
                    if let (false, Some(last)) = (lost, line.last_mut()) {
                        last.comments.push(format!("({text}, and what followed, is left out)"));
                    }
                    lost = true;
                }
                Token::Move(text) => {
                    let mv = here.parse_san(text).or_else(|error| here.parse_uci(text).map_err(|_| error));
                    let mv = mv.map_err(|mut error| {
                        error.place = format!("ply {}: {text}", ply + line.len());
                        error
                    })?;
                    before = here;
                    here.play_unchecked(&mv);
                    line.push(PgnMove::bare(mv));
                }
            }
        }
        Ok((preface, line))
    }

    /// Leaves out a variation of nothing.
    fn skip(&mut self) {
        let mut depth = 1;
        for token in self.tokens.by_ref() {
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }
}

/// A variation with a comment before its first move keeps it there.
fn keep_variation(last: &mut PgnMove, words: Vec<String>, mut other: Vec<PgnMove>) {
    match other.first_mut() {
        Some(first) => {
            first.comments.splice(0..0, words);
            last.variations.push(other);
        }
        None => last.comments.extend(words),
    }
}

fn is_pass(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "null" | "@@@@" | "0000" | "pass")
}

fn start_of(tags: &[(String, String)]) -> Result<Position, BadInput> {
    let tag = |name: &str| tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    let variant = match tag("Variant") {
        None | Some("") => Variant::Standard,
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
        if !line.is_empty() && line.len() + word.len() >= 80 {
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
    let mut words: Vec<String> = Vec::new();
    comments(&game.preface, &mut words);
    write_line(game.start, &game.line, &mut words);
    words.push(game.result.clone());
    words
}

fn comments(texts: &[String], words: &mut Vec<String>) {
    for text in texts {
        // Nothing closes a comment early.
        let text = text.replace('}', ")");
        let mut parts = text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        if let Some(first) = parts.first_mut() {
            first.insert(0, '{');
        }
        if let Some(last) = parts.last_mut() {
            last.push('}');
        }
        words.extend(parts);
    }
}

fn write_line(start: Position, line: &[PgnMove], words: &mut Vec<String>) {
    let mut position = start;
    // After a remark Black's move is numbered again.
    let mut broken = true;
    for step in line {
        let number = position.fullmoves();
        match position.turn() {
            crate::Color::White => words.push(format!("{number}.")),
            crate::Color::Black if broken => words.push(format!("{number}...")),
            crate::Color::Black => {}
        }
        words.push(position.to_san(&step.mv));
        words.extend(step.nags.iter().map(|nag| format!("${nag}")));
        comments(&step.comments, words);
        for variation in &step.variations {
            let first = words.len();
            write_line(position, variation, words);
            if let Some(word) = words.get_mut(first) {
                word.insert(0, '(');
            }
            if let Some(word) = words.last_mut() {
                word.push(')');
            }
        }
        broken = !step.comments.is_empty() || !step.variations.is_empty();
        position.play_unchecked(&step.mv);
    }
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
        assert_eq!(games[0].line.len(), 33);
        assert_eq!(games[0].tag("Black"), Some("Allies \"two\""));
        assert_eq!(games[0].last().end().map(|end| end.score()), Some("1-0"));
        let text = write_pgn(&games[0]);
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        let text = text.replace('\n', " ");
        assert!(text.contains("12. O-O-O Rd8") && text.contains("(9... Qb4 10. O-O)"), "{text}");
        assert!(text.contains("{weak}") && text.contains("$1"), "{text}");
        let again = read_pgn(&text).unwrap();
        assert_eq!((&again[0].line, &again[0].result), (&games[0].line, &games[0].result));
    }

    #[test]
    fn remarks_clocks_and_nested_variations_are_kept() {
        let text = "{before} 1. e4 {[%clk 0:03:00] king's pawn} e5!? (1... c5 $6 {sharp} 2. Nf3 (2. c3) 2... d6) \
            (1... e6) 2. Nf3 ; rest of line\n Nc6 ( {quiet} 2... d6 ) *";
        let game = &read_pgn(text).unwrap()[0];
        assert_eq!(game.preface, ["before"]);
        assert_eq!(game.line[0].comments, ["[%clk 0:03:00] king's pawn"]);
        assert_eq!(game.line[1].nags, [5]);
        assert_eq!(game.line[1].variations.len(), 2);
        assert_eq!(game.line[1].variations[0][1].variations.len(), 1);
        assert_eq!(game.line[2].comments, ["rest of line"]);
        assert_eq!(game.line[3].variations[0][0].comments, ["quiet"]);
        let again = &read_pgn(&write_pgn(game)).unwrap()[0];
        assert_eq!((&again.line, &again.preface), (&game.line, &game.preface));
    }

    #[test]
    fn what_people_write_is_read_as_they_mean_it() {
        let strange = "1.e4 e5 2.Bb5 +- a6 3.Ba4 e.p. b5 4.0-0?? 1/2-1/2";
        assert_eq!(
            read_pgn(strange).unwrap_err().code,
            "san.illegal",
            "castling through a knight stays wrong"
        );
        let game = &read_pgn("1.e4 e5 2.Bb5 +- a6 3. N N Nf3 ½-½").unwrap()[0];
        assert_eq!((game.line.len(), game.result.as_str()), (5, "1/2-1/2"));
        assert_eq!(game.line[2].nags, [18]);
        let game = &read_pgn("1. e4 e5 2. -- d5 3. d4 *").unwrap()[0];
        assert_eq!(game.line.len(), 2, "a pass cannot be played; what followed is named");
        assert!(game.line[1].comments[0].contains("--"), "{:?}", game.line[1]);
        let game = &read_pgn("[Result \"0-1\"]\n1. e4").unwrap()[0];
        assert_eq!(game.result, "0-1");
    }

    #[test]
    fn one_bad_game_does_not_spoil_the_others() {
        let text = "[White \"A\"]\n1. e4 e5 *\n\n[White \"B\"]\n1. e4 Ke2 2. d4 {never closed\n[White \"C\"]\n1. d4 (1. c4 *\n\n[White \"D\"]\n1. Nf3 1-0";
        let games = read_pgn_games(text);
        assert_eq!(games.len(), 4);
        let codes: Vec<Option<&str>> =
            games.iter().map(|game| game.as_ref().err().map(|error| error.code.as_str())).collect();
        assert_eq!(codes, [None, Some("san.illegal"), None, None]);
        assert!(games[1].as_ref().unwrap_err().place.starts_with("game 2, ply 2"));
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

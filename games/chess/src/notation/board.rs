//! Our extension of FEN: boards of any size, fairy pieces, abilities and tiles.
//!
//! A rank is a row of squares from the left; numbers count empty standard
//! squares. A square may start with its tile in angle brackets and be followed
//! by abilities in braces: `<fog>N{exploding,marksman:2}`. A tomb names its
//! piece: `<tomb:N{revenant}>`. Empty squares with a tile are written `<wall>.`.
//! Plain positions come out as ordinary FEN.

use crate::ability::Layer;
use crate::at::{At, MAX_SIDE};
use crate::catalog::{Catalog, tile_id};
use crate::color::Color;
use crate::error::BadInput;
use crate::game::Chess;
use crate::piece::{Kind, Piece, PieceId};
use crate::plain::Position;
use crate::setup::saved_from;
use crate::state::{Saved, State};
use crate::tile::{Tile, Tomb};
use std::fmt::Write as _;

/// Reads a position in FEN or its extension.
pub(crate) fn read_board(chess: &Chess, fen: &str) -> Result<Saved, BadInput> {
    let board = fen.split_ascii_whitespace().next().unwrap_or_default();
    let extended = board.contains(['<', '{']);
    if !extended && let Some(variant) = chess.rules.variant {
        match Position::from_fen(fen, variant) {
            Ok(position) => return Ok(saved_from(&position)),
            // Another size or fairy pieces are the extension's business, a bad position is not.
            Err(error) if !matches!(error.code.as_str(), "fen.ranks" | "fen.piece" | "fen.rank-length") => {
                return Err(error);
            }
            Err(_) => {}
        }
    }
    read_extended(&chess.catalog, fen)
}

fn read_extended(catalog: &Catalog, fen: &str) -> Result<Saved, BadInput> {
    let mut fields = fen.split_ascii_whitespace();
    let board = fields
        .next()
        .ok_or_else(|| BadInput::new("fen.empty", "", "The FEN is empty; write at least the board."))?;
    let (board, pocket) = match board.strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((board, pocket)) => (board, pocket),
        None => (board, ""),
    };
    let ranks = split_ranks(board);
    let mut saved = Saved::empty(0, u8::try_from(ranks.len()).unwrap_or(u8::MAX));
    for (i, rank) in ranks.iter().enumerate() {
        let y = (ranks.len() - 1 - i).min(250) as u8;
        let width = read_rank(catalog, rank, y, &mut saved)?;
        if i > 0 && width != saved.width {
            let reason = format!("This rank has {width} squares, the first has {}.", saved.width);
            return Err(BadInput::new("fen.rank-length", format!("rank {}", y + 1), reason));
        }
        saved.width = width;
    }
    saved.player = match fields.next() {
        None | Some("w") => Color::White,
        Some("b") => Color::Black,
        Some(other) => {
            return Err(BadInput::new(
                "fen.turn",
                "second field",
                format!("'{other}' is no side; write 'w' or 'b'."),
            ));
        }
    };
    read_rest(&mut saved, fields.collect())?;
    order(&mut saved);
    read_pocket(catalog, pocket, &mut saved)?;
    saved.check(catalog)?;
    Ok(saved)
}

/// Ranks are divided by slashes outside of brackets.
fn split_ranks(board: &str) -> Vec<&str> {
    let (mut depth, mut start, mut ranks) = (0i32, 0, Vec::new());
    for (at, letter) in board.char_indices() {
        match letter {
            '<' | '{' => depth += 1,
            '>' | '}' => depth -= 1,
            '/' if depth == 0 => {
                ranks.push(&board[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    ranks.push(&board[start..]);
    ranks
}

fn read_rank(catalog: &Catalog, text: &str, y: u8, saved: &mut Saved) -> Result<u8, BadInput> {
    let place = format!("rank {}", u16::from(y) + 1);
    let bad = |code: &str, reason: String| BadInput::new(code, &place, reason);
    let mut x = 0u8;
    let mut tile = Tile::Standard;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if x >= MAX_SIDE {
            return Err(bad("fen.rank-length", format!("A rank has at most {MAX_SIDE} squares.")));
        }
        if letter == '<' {
            let end = closing(rest, '<', '>')
                .ok_or_else(|| bad("fen.tile", "A '<' is never closed.".to_owned()))?;
            tile = read_tile(catalog, &rest[1..end], At::new(x, y), saved)?;
            rest = &rest[end + 1..];
        } else if letter == '.' {
            put_tile(saved, At::new(x, y), &mut tile);
            x += 1;
            rest = &rest[1..];
        } else if letter.is_ascii_digit() {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let count: u8 = rest[..digits].parse().unwrap_or(u8::MAX);
            put_tile(saved, At::new(x, y), &mut tile);
            x = x.saturating_add(count);
            if count == 0 || x > MAX_SIDE {
                return Err(bad("fen.rank-length", format!("A rank has at most {MAX_SIDE} squares.")));
            }
            rest = &rest[digits..];
        } else {
            let (piece, after) = read_piece(catalog, rest, At::new(x, y)).map_err(|mut error| {
                error.place.clone_from(&place);
                error
            })?;
            saved.pieces.push(piece);
            put_tile(saved, At::new(x, y), &mut tile);
            x += 1;
            rest = after;
        }
    }
    Ok(x)
}

fn put_tile(saved: &mut Saved, at: At, tile: &mut Tile) {
    let tile = std::mem::take(tile);
    if tile != Tile::Standard {
        saved.tiles.push((at, tile));
    }
}

/// The index of the bracket that closes the one at the start.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0i32;
    for (at, letter) in text.char_indices() {
        depth += i32::from(letter == open) - i32::from(letter == close);
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn read_tile(catalog: &Catalog, text: &str, at: At, saved: &mut Saved) -> Result<Tile, BadInput> {
    let Some(entombed) = text.strip_prefix("tomb:") else { return catalog.tile_named(text) };
    let (piece, _) = read_piece(catalog, entombed, At::NOWHERE)?;
    saved.pieces.push(piece);
    saved.tombs.push(Tomb::new(at, PieceId(saved.pieces.len() as u16)));
    Ok(Tile::Tomb)
}

fn read_piece<'a>(catalog: &Catalog, text: &'a str, at: At) -> Result<(Piece, &'a str), BadInput> {
    let letter = text.chars().next().unwrap_or(' ');
    let kind = catalog.kind_lettered(letter).ok_or_else(|| {
        BadInput::new("fen.piece", letter, format!("'{letter}' is no piece of the catalog."))
    })?;
    let owner = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let mut piece = Piece::new(kind, owner, at);
    let mut rest = &text[letter.len_utf8()..];
    if let Some(after) = rest.strip_prefix('~') {
        piece.promoted = true;
        rest = after;
    }
    if rest.starts_with('{') {
        let end = closing(rest, '{', '}')
            .ok_or_else(|| BadInput::new("fen.ability", "", "A '{' is never closed."))?;
        let words = rest[1..end].split(',').filter(|word| !word.is_empty());
        let def = &catalog.piece(kind).id;
        let dressed = crate::catalog::read_piece(catalog, def, owner, at, words)?;
        piece.layers = dressed.layers;
        rest = &rest[end + 1..];
    }
    Ok((piece, rest))
}

fn read_pocket(catalog: &Catalog, text: &str, saved: &mut Saved) -> Result<(), BadInput> {
    let mut rest = text;
    while !rest.is_empty() {
        let (mut piece, after) = read_piece(catalog, rest, At::NOWHERE)?;
        piece.in_pocket = true;
        saved.pieces.push(piece);
        rest = after;
    }
    Ok(())
}

/// Castling rooks as squares, the leapt-over square, counters.
fn read_rest(saved: &mut Saved, fields: Vec<&str>) -> Result<(), BadInput> {
    let square = |text: &str| {
        At::parse(text).ok_or_else(|| BadInput::new("fen.square", text, format!("'{text}' is no square.")))
    };
    if let Some(text) = fields.first().filter(|text| **text != "-") {
        if text.chars().all(|letter| letter.is_ascii_alphabetic()) {
            for letter in text.chars() {
                saved.castling.push(lettered_rook(saved, letter)?);
            }
        } else {
            for rook in text.split(',') {
                saved.castling.push(square(rook)?);
            }
        }
    }
    if let Some((white, black)) = fields.iter().skip(2).find_map(|text| text.split_once('+')) {
        saved.checks_left = [white, black].map(|text| text.parse().unwrap_or(0));
    }
    let numbers: Vec<u32> = fields.iter().skip(2).filter_map(|text| text.parse().ok()).collect();
    saved.halfmoves = numbers.first().copied().unwrap_or(0).min(60_000) as u16;
    let fullmoves = numbers.get(1).copied().unwrap_or(1).clamp(1, 1_000_000);
    saved.turn = (fullmoves - 1) * 2 + 1 + u32::from(saved.player == Color::Black);
    if let Some(text) = fields.get(1).filter(|text| **text != "-") {
        let at = square(text)?;
        let pawn = at.plus(0, (!saved.player).forward());
        let index = saved.pieces.iter().position(|piece| Some(piece.at) == pawn && piece.kind == Kind::PAWN);
        let index = index
            .ok_or_else(|| BadInput::new("fen.en-passant", at, "No pawn has leapt over this square."))?;
        saved.en_passant = Some(crate::state::Passed { at, pawn: PieceId(index as u16 + 1) });
    }
    Ok(())
}

/// The rook that `KQkq` or a file's letter means.
fn lettered_rook(saved: &Saved, letter: char) -> Result<At, BadInput> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let home = color.pick(0, saved.height.saturating_sub(1));
    let ours =
        |kind| saved.pieces.iter().filter(move |p| p.kind == kind && p.owner == color && p.at.y == home);
    let king = ours(Kind::KING).map(|king| king.at.x).next();
    let rooks = || ours(Kind::ROOK).map(|rook| rook.at);
    let rook = match (letter.to_ascii_lowercase(), king) {
        ('k', Some(king)) => rooks().filter(|rook| rook.x > king).max(),
        ('q', Some(king)) => rooks().filter(|rook| rook.x < king).min(),
        (file, Some(_)) => rooks().find(|rook| rook.x == file as u8 - b'a'),
        _ => None,
    };
    let reason = format!(
        "'{letter}' claims a castling right without king and rook on the back rank; write '-' if there is none."
    );
    rook.ok_or_else(|| BadInput::new("fen.castling", "castling rights", reason))
}

/// Numbers pieces in scan order, entombed ones last.
fn order(saved: &mut Saved) {
    let mut places: Vec<usize> = (0..saved.pieces.len()).collect();
    places.sort_by_key(|i| saved.pieces[*i].at);
    let renamed = |old: PieceId| {
        let index = places.iter().position(|i| *i + 1 == usize::from(old.0)).unwrap_or(0);
        PieceId(index as u16 + 1)
    };
    for tomb in &mut saved.tombs {
        tomb.piece = renamed(tomb.piece);
    }
    if let Some(passed) = &mut saved.en_passant {
        passed.pawn = renamed(passed.pawn);
    }
    saved.pieces = places.iter().map(|i| saved.pieces[*i]).collect();
    saved.tiles.sort_by_key(|(at, _)| *at);
    saved.tombs.sort_by_key(|tomb| tomb.at);
}

/// Writes a state; plain ones as ordinary FEN.
pub(crate) fn write_board(chess: &Chess, state: &State) -> String {
    if (chess.innate == 0 || state.verbs() == chess.innate)
        && let Some(position) = chess.plain(state)
    {
        return position.to_fen();
    }
    let mut out = String::new();
    for y in (0..state.height()).rev() {
        write_rank(chess, state, y, &mut out);
        if y > 0 {
            out.push('/');
        }
    }
    let mut pocket = String::new();
    for (_, piece) in state.pieces().filter(|(_, piece)| piece.in_pocket) {
        write_piece(chess, piece, &mut pocket);
    }
    if !pocket.is_empty() {
        _ = write!(out, "[{pocket}]");
    }
    out.push_str(state.player.pick(" w ", " b "));
    out.push_str(&castling_text(state));
    match state.en_passant {
        Some(passed) => _ = write!(out, " {}", passed.at),
        None => out.push_str(" -"),
    }
    if chess.rules.checks > 0 {
        _ = write!(out, " {}+{}", state.checks_left[0], state.checks_left[1]);
    }
    _ = write!(out, " {} {}", state.halfmoves, state.turn.div_ceil(2));
    out
}

/// `KQkq` as everywhere, or the rooks' squares on boards whose files have those letters.
fn castling_text(state: &State) -> String {
    if state.castling.is_empty() {
        return "-".to_owned();
    }
    let lettered = || {
        let mut rooks: Vec<At> = state.castling.to_vec();
        rooks.sort_by_key(|rook| (rook.y, std::cmp::Reverse(rook.x)));
        rooks.into_iter().map(|rook| rook_letter(state, rook)).collect::<Option<String>>()
    };
    let squares = || state.castling.iter().map(At::to_string).collect::<Vec<_>>().join(",");
    if state.width() > 8 { squares() } else { lettered().unwrap_or_else(squares) }
}

/// The letter of a rook that may castle: its side's if it is the outermost, its file's otherwise.
fn rook_letter(state: &State, rook: At) -> Option<char> {
    let owner = state.piece_at(rook)?.1.owner;
    let row = |kind| state.side(owner).filter(move |(_, p)| p.kind == kind && p.at.y == rook.y);
    let king = row(Kind::KING).next()?.1.at;
    let beyond = |other: At| if rook.x > king.x { other.x > rook.x } else { other.x < rook.x };
    let outermost = row(Kind::ROOK).all(|(_, other)| !beyond(other.at));
    let letter = match (outermost, rook.x > king.x) {
        (true, true) => 'k',
        (true, false) => 'q',
        (false, _) => (b'a' + rook.x) as char,
    };
    Some(owner.pick(letter.to_ascii_uppercase(), letter))
}

fn write_rank(chess: &Chess, state: &State, y: u8, out: &mut String) {
    let mut empty = 0;
    for x in 0..state.width() {
        let at = At::new(x, y);
        let (tile, piece) = (state.tile(at), state.piece_at(at));
        if tile == Tile::Standard && piece.is_none() {
            empty += 1;
            continue;
        }
        if empty > 0 {
            _ = write!(out, "{empty}");
            empty = 0;
        }
        write_tile(chess, state, at, tile, out);
        match piece {
            Some((_, piece)) => write_piece(chess, piece, out),
            None => out.push('.'),
        }
    }
    if empty > 0 {
        _ = write!(out, "{empty}");
    }
}

fn write_tile(chess: &Chess, state: &State, at: At, tile: Tile, out: &mut String) {
    if tile == Tile::Standard {
        return;
    }
    _ = write!(out, "<{}", tile_id(tile));
    if let Some(piece) = state.tomb(at).and_then(|tomb| state.piece(tomb.piece)) {
        out.push(':');
        write_piece(chess, piece, out);
    }
    out.push('>');
}

fn write_piece(chess: &Chess, piece: &Piece, out: &mut String) {
    let catalog = &chess.catalog;
    let letter = catalog.piece(piece.kind).letter;
    out.push(piece.owner.pick(letter, letter.to_ascii_lowercase()));
    if piece.promoted {
        out.push('~');
    }
    // What every piece has goes without saying.
    let own = |layer: &&Layer| !chess.innate_abilities.contains(&layer.ability);
    let words: Vec<String> = piece
        .layers
        .iter()
        .filter(own)
        .map(|layer| {
            let def = catalog.ability(layer.ability);
            if layer.charges == def.charges {
                def.id.clone()
            } else {
                format!("{}:{}", def.id, layer.charges)
            }
        })
        .collect();
    if !words.is_empty() {
        _ = write!(out, "{{{}}}", words.join(","));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::Variant;
    use crate::setup::Setup;
    use turnstone::Game as _;

    #[test]
    fn every_board_survives_a_round_trip() {
        let chess = Chess::builtin("last-piece-standing").unwrap();
        for board in &chess.catalog().boards {
            let state = chess.start(&Setup::Board(board.id.clone()), 0).unwrap();
            let fen = chess.to_fen(&state);
            let again = chess.start(&Setup::Fen(fen.clone()), 0).unwrap();
            assert_eq!(chess.to_fen(&again), fen, "{}", board.id);
            assert_eq!(again.key(), state.key(), "{}", board.id);
        }
    }

    #[test]
    fn plain_positions_are_ordinary_fen() {
        let chess = Chess::builtin("standard").unwrap();
        let state = chess.start(&Setup::Start, 0).unwrap();
        assert_eq!(chess.to_fen(&state), Variant::Standard.start_fen());
    }

    #[test]
    fn rights_keep_their_letters_while_a_promotion_is_asked() {
        use turnstone::{Input, Match};
        let chess = std::sync::Arc::new(Chess::builtin("standard").unwrap());
        let setup = Setup::Fen("4k3/2P5/8/8/8/8/8/R3K2R w KQ - 0 1".to_owned());
        let mut game: Match<Chess> = Match::new(std::sync::Arc::clone(&chess), setup, 0).unwrap();
        let play = chess.parse_play(game.state(), "c7c8").unwrap();
        game.act(Input::Act(crate::Action::Play(crate::Play { kind: Kind::NONE, ..play }))).unwrap();
        assert_eq!(chess.to_fen(game.state()), "2P1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    }

    #[test]
    fn mistakes_carry_codes() {
        let chess = Chess::builtin("last-piece-standing").unwrap();
        let code = |fen: &str| chess.start(&Setup::Fen(fen.to_owned()), 0).unwrap_err().code().to_owned();
        assert_eq!(code("k1/K1{fly}"), "FEN_PIECE");
        assert_eq!(code("k1/K{fly}1"), "ABILITY_UNKNOWN");
        assert_eq!(code("k1/<lava>K1"), "TILE_UNKNOWN");
        assert_eq!(code("k1/K"), "FEN_RANK_LENGTH");
        assert_eq!(code("k9/<wallK9"), "FEN_TILE");
        assert_eq!(code("2/K1"), "POSITION_KINGS");
    }
}

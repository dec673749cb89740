//! A board in a few words, for the tests of abilities and tiles.

use crate::action::{Action, Answer, Play};
use crate::at::At;
use crate::catalog::{Catalog, Ruleset, read_piece};
use crate::color::Color;
use crate::effect::Manner;
use crate::event::Event;
use crate::game::Chess;
use crate::piece::{PieceId, Who};
use crate::setup::Setup;
use crate::state::{Saved, State};
use crate::tile::Tomb;
use std::sync::Arc;
use turnstone::{Fate, Input, Match, Told as _};

/// A board under construction, then in play.
pub(crate) struct Board {
    saved: Saved,
    rules: Ruleset,
    playing: Option<Match<Chess>>,
}

impl Board {
    pub fn new(width: u8, height: u8) -> Board {
        let rules = Catalog::builtin().ruleset_named("last-piece-standing").expect("a ruleset").clone();
        Board { saved: Saved::empty(width, height), rules, playing: None }
    }

    pub fn white(&mut self, text: &str) -> &mut Board {
        self.piece(Color::White, text)
    }

    pub fn black(&mut self, text: &str) -> &mut Board {
        self.piece(Color::Black, text)
    }

    fn piece(&mut self, owner: Color, text: &str) -> &mut Board {
        let mut words = text.split(' ');
        let (kind, at) = (words.next().expect("a kind"), words.next().expect("a square"));
        let at = At::parse(at).expect("a square");
        self.saved.pieces.push(read_piece(&Catalog::builtin(), kind, owner, at, words).expect("a piece"));
        self
    }

    pub fn tile(&mut self, text: &str) -> &mut Board {
        let mut words = text.split(' ');
        let tile = Catalog::builtin().tile_named(words.next().expect("a tile")).expect("a tile");
        self.saved.tiles.extend(words.map(|at| (At::parse(at).expect("a square"), tile)));
        self
    }

    pub fn tomb(&mut self, at: &str, owner: &str, piece: &str) -> &mut Board {
        let owner = if owner == "white" { Color::White } else { Color::Black };
        let at = At::parse(at).expect("a square");
        let mut words = piece.split(' ');
        let kind = words.next().expect("a kind");
        let piece = read_piece(&Catalog::builtin(), kind, owner, At::NOWHERE, words).expect("a piece");
        self.saved.pieces.push(piece);
        self.saved.tombs.push(Tomb::new(at, PieceId(self.saved.pieces.len() as u16)));
        self.saved.tiles.push((at, crate::Tile::Tomb));
        self
    }

    pub fn black_first(&mut self) -> &mut Board {
        self.saved.player = Color::Black;
        self
    }

    pub fn rules(&mut self, change: impl FnOnce(&mut Ruleset)) -> &mut Board {
        change(&mut self.rules);
        self
    }

    pub fn ruleset(&mut self, name: &str) -> &mut Board {
        self.rules = Catalog::builtin().ruleset_named(name).expect("a ruleset").clone();
        self
    }

    fn game(&mut self) -> &mut Match<Chess> {
        let (saved, rules) = (self.saved.clone(), self.rules.clone());
        self.playing.get_or_insert_with(|| {
            let chess = Chess::with_rules(Catalog::builtin(), rules).expect("good rules");
            Match::new(Arc::new(chess), Setup::Position(Box::new(saved)), 0).expect("a good board")
        })
    }

    pub fn state(&mut self) -> &State {
        self.game().state()
    }

    fn find(&mut self, text: &str) -> Option<Play> {
        let game = self.game();
        let chess = Arc::clone(game.game());
        chess.parse_play(game.state(), text)
    }

    pub fn can(&mut self, text: &str) -> bool {
        let legal = |play: Play| play;
        let Some(play) = self.find(text).map(legal) else { return false };
        let game = self.game();
        let chess = Arc::clone(game.game());
        chess.is_legal(game.state(), &play)
    }

    /// Plays a legal move and tells what happened, turns left out.
    pub fn play(&mut self, text: &str) -> Vec<String> {
        let play = self.find(text).unwrap_or_else(|| panic!("{text} is no legal move"));
        self.act(Input::Act(Action::Play(play)))
    }

    /// A quiet move whose consequences do not matter.
    pub fn pass(&mut self, text: &str) {
        self.play(text);
    }

    /// Plays a move that need not be legal.
    pub fn force(&mut self, text: &str) -> Vec<String> {
        let (from, to) = text.split_at(2);
        let (from, to) = (At::parse(from).expect("a square"), At::parse(to).expect("a square"));
        let play = Play::new(from, to, crate::How::Slide);
        self.act(Input::Act(Action::Force { play, advance: true }))
    }

    pub fn answer(&mut self, kind: &str) -> Vec<String> {
        let kind = Catalog::builtin().kind_named(kind).expect("a kind");
        self.act(Input::Choose(Answer::Kind(kind)))
    }

    pub fn reply(&mut self, answer: Answer) -> Vec<String> {
        self.act(Input::Choose(answer))
    }

    /// The question that waits, in words.
    pub fn asked(&mut self) -> String {
        let game = self.game();
        let pending = game.position().pending().expect("a question");
        game.game().tell_question(game.state(), &pending.question)
    }

    fn act(&mut self, input: turnstone::InputOf<Chess>) -> Vec<String> {
        let game = self.game();
        let moment = game.act(input).expect("an allowed action");
        game.entries(moment).iter().filter_map(|entry| entry.fact.event()).filter_map(line).collect()
    }

    /// How many effects of the last action were stale.
    pub fn stale(&mut self) -> usize {
        let game = self.game();
        game.detours(game.here()).iter().filter(|detour| matches!(detour.fate, Fate::Stale)).count()
    }

    pub fn at(&mut self, at: &str) -> String {
        let at = At::parse(at).expect("a square");
        let state = self.state();
        state.piece_at(at).map_or(String::new(), |(_, piece)| Catalog::builtin().piece(piece.kind).id.clone())
    }

    pub fn charges(&mut self, at: &str) -> u8 {
        let at = At::parse(at).expect("a square");
        self.state().piece_at(at).and_then(|(_, piece)| piece.layers.get(0)).map_or(0, |layer| layer.charges)
    }

    pub fn value(&mut self, at: &str) -> i32 {
        let at = At::parse(at).expect("a square");
        self.state().piece_at(at).map_or(0, |(_, piece)| Catalog::builtin().value(piece))
    }
}

/// An event in a few words; turns and endings are left out.
fn line(event: &Event) -> Option<String> {
    let catalog = Catalog::builtin();
    let kind = |who: Who| catalog.piece(who.kind).id.clone();
    let manner = |manner: Manner| match manner {
        Manner::Plain => String::new(),
        other => format!(" {}", serde_json::to_value(other).expect("a name").as_str().unwrap_or_default()),
    };
    let tile = |tile| crate::catalog::tile_id(tile);
    Some(match *event {
        Event::Moved { piece, from, to, displaced, tag, .. } => {
            let over = if displaced.is_some() { format!(" over {}", kind(displaced)) } else { String::new() };
            format!("move {} {from}{to}{over}{}", kind(piece), manner(tag.manner))
        }
        Event::Captured { target, at, tag, .. } => {
            format!("capture {} {at}{}", kind(target), manner(tag.manner))
        }
        Event::Destroyed { target, at, tag } => {
            format!("destroy {} {at}{}", kind(target), manner(tag.manner))
        }
        Event::Placed { piece, at, tag } => format!("place {} {at}{}", kind(piece), manner(tag.manner)),
        Event::Changed { at, to, tag, .. } => {
            format!("change {} {at}{}", catalog.piece(to).id, manner(tag.manner))
        }
        Event::TileChanged { at, from, to, tag, .. } => {
            format!("tile {at} {} {}{}", tile(from), tile(to), manner(tag.manner))
        }
        Event::Charged { piece, charges, .. } => format!("charge {} {charges}", kind(piece)),
        Event::Swapped { piece, other, .. } => format!("swap {} {}", kind(piece), kind(other)),
        Event::Castled { king_to, rook_to, .. } => format!("castle {king_to} {rook_to}"),
        _ => return None,
    })
}

//! What is shown: the board, what lies beside it, and what one may choose.

use std::collections::BTreeSet;

use crate::action::{Action, Answer, How, Play};
use crate::at::At;
use crate::catalog::Goal;
use crate::color::Color;
use crate::event::Event;
use crate::game::{Chess, seat};
use crate::piece::PieceId;
use crate::state::State;
use crate::tile::Tile;
use turnstone::{Input, InputOf, Position, Seen as _, Told as _, Viewer};
use turnstone_host::Motion;
use turnstone_host::scene::{
    Badge, Board, Cell, Choice, Counter, Figure, Ground, Ink, Item, Lie, Panel, Pick, Scene,
};

/// The squares that an event touches, as columns and rows of the scene's board.
pub(crate) fn touched(state: &State, event: &Event) -> Vec<(u16, u16)> {
    let places = match *event {
        Event::Moved { from, to, .. } => vec![from, to],
        Event::Castled { king_to, rook_to, .. } => vec![king_to, rook_to],
        Event::Captured { at, .. } | Event::Destroyed { at, .. } | Event::Placed { at, .. } => vec![at],
        _ => Vec::new(),
    };
    let height = state.height();
    let seen = places.into_iter().filter(|at| at.is_somewhere() && at.y < height);
    seen.map(|at| (at.x.into(), (height - 1 - at.y).into())).collect()
}

/// How an event is shown: as a picture of its own, along with the one before or after, or not at all.
pub(crate) fn motion(event: &Event) -> Motion {
    match event {
        Event::Moved { .. }
        | Event::Castled { .. }
        | Event::Destroyed { .. }
        | Event::Placed { .. }
        | Event::Changed { .. }
        | Event::Swapped { .. } => Motion::Own,
        // Who is taken goes with the move that takes it.
        Event::Captured { .. } | Event::TileChanged { .. } | Event::Charged { .. } => Motion::Along,
        Event::TurnStarted(..)
        | Event::TurnEnded(..)
        | Event::TurnAdvanced(..)
        | Event::Consulted { .. }
        | Event::DrawOffered(_)
        | Event::CheckGiven(..)
        | Event::TimedOut(_)
        | Event::GameOver(_)
        | Event::Ended(..)
        | Event::Run(_) => Motion::Still,
    }
}

impl Chess {
    pub(crate) fn make_scene(
        &self,
        position: &Position<Self>,
        inputs: &[InputOf<Self>],
        viewer: Viewer,
    ) -> Scene {
        let state = position.state();
        let between = state.run.as_ref().is_some_and(|run| !run.is_fighting());
        let mut panels = self.panels(state, viewer);
        if let Some(run) = &state.run {
            panels.extend(self.run_panels(run));
        }
        Scene {
            title: self.title(state),
            board: match &state.run {
                Some(run) if run.phase == crate::run::Phase::Map => Some(self.map_board(run)),
                _ => (!between).then(|| self.board(state, viewer)),
            },
            panels,
            options: self.options(position, inputs),
            question: match position.pending() {
                Some(pending) => Some(self.tell_question(state, &pending.question)),
                None => state.run.as_ref().and_then(|run| self.run_question(run)),
            },
            counters: self.counters(state),
            notation: if between || position.pending().is_some() {
                String::new()
            } else {
                self.letters(state)
            },
        }
    }

    /// The letters that begin a move: of the files, of the pieces, and the O of castling. Each of the pieces' once and in
    /// the order of letters: theirs would tell in the fog how many there were before them.
    fn letters(&self, state: &State) -> String {
        let files = (0..state.width()).map(|x| (b'a' + x) as char);
        let pieces = state.pieces().map(|(_, piece)| self.catalog.piece(piece.kind).letter);
        let pieces: BTreeSet<char> = pieces.collect();
        files.chain(pieces).chain(['O']).collect()
    }

    /// Coins and the act of a run, checks that are left to give.
    fn counters(&self, state: &State) -> Vec<Counter> {
        let run = state.run.iter().flat_map(|run| {
            [
                Counter::new("act", "act", run.act),
                Counter::new("coins", "coins", i64::from(run.money)),
                Counter::new("wins", "fights won", i64::from(run.round) - 1),
            ]
        });
        let checks = Color::BOTH.into_iter().filter(|_| self.rules.checks > 0).map(|color| {
            let name = format!("checks {color} has to give");
            Counter::new(&format!("checks-{color}"), &name, state.checks_left[color as usize])
                .of(self.rules.checks)
        });
        run.chain(checks).collect()
    }

    fn title(&self, state: &State) -> String {
        if let Some(run) = state.run.as_ref().filter(|run| !run.is_fighting()) {
            return format!("Act {} · {} coins · {} fights won", run.act, run.money, run.round - 1);
        }
        let place = state.run.as_ref().and_then(|run| Some((run, run.node()?)));
        let what = place.map_or(self.rules.title.clone(), |(run, node)| {
            format!("Act {}, fight {} ({})", run.act, run.round, crate::run::kind_text(node.kind))
        });
        match state.end {
            Some(end) => crate::tell::tell_end(end),
            None => {
                // In the fog of war a check may come from where one cannot see.
                let known = !self.rules.fog_of_war && self.is_in_check(state, state.player);
                let check = if known { ", in check" } else { "" };
                // As chess players count: a move is one of each side.
                format!("{what}: move {}, {} to move{check}", state.turn.div_ceil(2), state.player)
            }
        }
    }

    fn board(&self, state: &State, viewer: Viewer) -> Board {
        let seen = self.visible(state, viewer);
        let mut cells = Vec::new();
        for y in (0..state.height()).rev() {
            for x in 0..state.width() {
                let at = At::new(x, y);
                let hidden = seen.as_ref().is_some_and(|seen| seen.binary_search(&at).is_err());
                cells.push(if hidden { hidden_cell() } else { self.cell(state, at, viewer) });
            }
        }
        let columns = (0..state.width()).map(|x| ((b'a' + x) as char).to_string()).collect();
        let rows = (1..=state.height()).rev().map(|row| row.to_string()).collect();
        let (width, height) = (state.width().into(), state.height().into());
        let turned = viewer == Viewer::Seat(1);
        Board { width, height, cells, columns, rows, turned, ..Board::default() }
    }

    /// What a piece is called in scenes, for as long as it lives. In the fog of war one does not know the other side's
    /// pieces again: there each is called after its square, or after its kind beside the board.
    fn figure_id(&self, state: &State, id: PieceId, piece: &crate::Piece, viewer: Viewer) -> String {
        let known = viewer == Viewer::Seat(seat(piece.owner)) || state.end.is_some();
        if known || !self.hides(state, viewer) {
            return format!("piece{}", id.0);
        }
        match piece.on_board() {
            true => format!("seen-{}", piece.at),
            false => format!("taken-{}", self.catalog.piece(piece.kind).id),
        }
    }

    /// A piece as it stands on the board or lies beside it.
    pub(crate) fn figure(&self, state: &State, id: PieceId, piece: &crate::Piece, viewer: Viewer) -> Figure {
        let def = self.catalog.piece(piece.kind);
        let badge = |layer: &crate::Layer| {
            let ability = self.catalog.ability(layer.ability);
            let count = layer.verb.count(ability, layer.charges);
            Badge {
                icon: ability.id.clone(),
                name: ability.name.clone(),
                count: count.unwrap_or_default(),
                note: ability.about.clone(),
                ..Badge::default()
            }
        };
        let own = piece.layers.iter().filter(|layer| !self.innate_abilities.contains(&layer.ability));
        Figure {
            id: self.figure_id(state, id, piece, viewer),
            name: self.name_of(state, id),
            icon: def.id.clone(),
            owner: Some(piece.owner as u8),
            badges: own.map(badge).collect(),
            ..Figure::default()
        }
    }

    /// Symbol and mark of the piece, colour of the tile, and everything in words.
    fn cell(&self, state: &State, at: At, viewer: Viewer) -> Cell {
        let tile = state.tile(at);
        let dark = (at.x + at.y).is_multiple_of(2);
        let ground = match tile {
            Tile::Standard if dark => Ground::Dark,
            Tile::Standard => Ground::Plain,
            Tile::Guardian => Ground::Bright,
            Tile::Fog => Ground::Rough,
            Tile::Slippery => Ground::Water,
            Tile::Wall => Ground::Wall,
            Tile::Tomb => Ground::Hot,
            Tile::Void => Ground::Hidden,
        };
        let mut note = at.to_string();
        let (mut text, mut ink) = (String::new(), Ink::Plain);
        if let Some((id, piece)) = state.piece_at(at) {
            let def = self.catalog.piece(piece.kind);
            text.push(def.symbols[piece.owner as usize]);
            text.push_str(&self.marks(piece, tile));
            let ours = if viewer == Viewer::Seat(1) { Color::Black } else { Color::White };
            ink = if piece.owner == ours { Ink::Ours } else { Ink::Theirs };
            note += &format!(": {}. {}", self.name_of(state, id), def.about);
            for layer in piece.layers.iter() {
                let ability = self.catalog.ability(layer.ability);
                let count = layer.verb.count(ability, layer.charges);
                let charges = count.map_or(String::new(), |count| format!(" ({count})"));
                note += &format!(" {}{charges}: {}", ability.name, ability.about);
            }
        } else if tile != Tile::Standard {
            text = self.catalog.tile(tile).letter.to_string();
            ink = Ink::Faint;
        }
        if tile != Tile::Standard {
            let def = self.catalog.tile(tile);
            note += &format!(" {}: {}", def.name, def.about);
        }
        if let Some(tomb) = state.tomb(at) {
            note += &format!(" Here lies {}.", self.name_of(state, tomb.piece));
        }
        let figures =
            state.piece_at(at).map(|(id, piece)| self.figure(state, id, piece, viewer)).into_iter().collect();
        let tile =
            if tile == Tile::Standard { String::new() } else { self.catalog.tile(tile).name.to_lowercase() };
        Cell { text, ink, ground, note, tile, figures, ..Cell::default() }
    }

    /// Two letters for what a piece carries beyond what all have, and for the tile under it: the mark of
    /// its only ability, or how many they are. The list beside the board names them all.
    fn marks(&self, piece: &crate::Piece, tile: Tile) -> String {
        let own: Vec<&crate::Layer> =
            piece.layers.iter().filter(|layer| !self.innate_abilities.contains(&layer.ability)).collect();
        let mark = match own[..] {
            [] => String::new(),
            [only] => self.catalog.ability(only.ability).mark.chars().take(2).collect(),
            _ => format!("*{}", own.len()),
        };
        if tile == Tile::Standard {
            return mark;
        }
        mark.chars().take(1).chain([self.catalog.tile(tile).letter]).collect()
    }

    /// Everything that pieces carry and that lies under the squares one sees.
    fn wonders(&self, state: &State, viewer: Viewer) -> Vec<Item> {
        let seen = self.visible(state, viewer);
        let sees = |at: &At| seen.as_ref().is_none_or(|seen| seen.binary_search(at).is_ok());
        let mut items = Vec::new();
        for at in state.all_squares().filter(sees) {
            let mut parts = Vec::new();
            let piece = state.piece_at(at).map(|(_, piece)| piece);
            for layer in piece.iter().flat_map(|piece| piece.layers.iter()) {
                let def = self.catalog.ability(layer.ability);
                if !self.innate_abilities.contains(&layer.ability) {
                    let count = layer.verb.count(def, layer.charges);
                    parts.push(count.map_or(def.name.clone(), |count| format!("{} ({count})", def.name)));
                }
            }
            if state.tile(at) != Tile::Standard && (piece.is_some() || state.tomb(at).is_some()) {
                parts.push(self.catalog.tile(state.tile(at)).name.clone());
            }
            if !parts.is_empty() {
                let who =
                    piece.map_or(String::new(), |_| format!(" {}", self.name_of(state, state.id_at(at))));
                let text = format!("{at}{who}: {}", parts.join(", "));
                items.push(Item { text, note: self.cell(state, at, viewer).note, ..Item::default() });
            }
        }
        items
    }

    fn panels(&self, state: &State, viewer: Viewer) -> Vec<Panel> {
        let mut panels = Vec::new();
        let piece = |id: PieceId| {
            let found = state.pieces().find(|(other, _)| *other == id);
            let item = Item { text: self.name_of(state, id), ..Item::default() };
            match found {
                Some((id, piece)) => item.with(self.figure(state, id, piece, viewer)),
                None => item,
            }
        };
        let panel = |id: &str, title: &str, items: Vec<Item>, lie: Lie| Panel {
            id: id.to_owned(),
            title: title.to_owned(),
            items,
            lie,
        };
        let exposed = self.rules.goal == Goal::KingCapture
            && state.end.is_none()
            && !self.rules.fog_of_war
            && self.is_in_check(state, state.player);
        let news: Vec<Item> = exposed
            .then(|| format!("{}'s king can be taken.", state.player))
            .into_iter()
            .chain(self.draw_notice(state))
            .chain(state.offer.map(|color| format!("{color} offers a draw.")))
            .map(|text| Item { text, ..Item::default() })
            .collect();
        if !news.is_empty() {
            panels.push(panel("news", "Mind", news, Lie::List));
        }
        let wonders = self.wonders(state, viewer);
        if !wonders.is_empty() && state.run.as_ref().is_none_or(|run| run.is_fighting()) {
            panels.push(panel("wonders", "Abilities", wonders, Lie::Aside));
        }
        let pocket: Vec<Item> =
            state.pieces().filter(|(_, piece)| piece.in_pocket).map(|(id, _)| piece(id)).collect();
        if !pocket.is_empty() {
            panels.push(panel("pocket", "In hand", pocket, Lie::Shelf));
        }
        if self.rules.checks > 0 {
            let line = |color: Color| Item {
                text: format!("{color}: {} checks to give", state.checks_left[color as usize]),
                ..Item::default()
            };
            let items = Color::BOTH.map(line).to_vec();
            panels.push(panel("checks", "Checks", items, Lie::List));
        }
        if self.visible(state, viewer).is_none() {
            let dead: Vec<Item> = state
                .pieces()
                .filter(|(id, piece)| !piece.on_board() && !piece.in_pocket && !is_entombed(state, *id))
                .map(|(id, _)| Item { ink: Ink::Faint, ..piece(id) })
                .collect();
            if !dead.is_empty() {
                panels.push(panel("lost", "Lost", dead, Lie::Shelf));
            }
        }
        panels
    }

    fn options(&self, position: &Position<Self>, inputs: &[InputOf<Self>]) -> Vec<Choice> {
        let playing = inputs.iter().any(|input| matches!(input, Input::Act(Action::Play(_))));
        let labels = if playing { self.labels(position.state()) } else { Vec::new() };
        inputs.iter().map(|input| self.option(position, input, &labels)).collect()
    }

    fn option(&self, position: &Position<Self>, input: &InputOf<Self>, labels: &[(Play, String)]) -> Choice {
        let state = position.state();
        let label = |play: &Play| {
            let found = labels.iter().find(|(other, _)| other == play);
            found.map_or_else(|| self.label(state, play), |(_, label)| label.clone())
        };
        let word =
            |text: String| Choice { label: text.clone(), picks: vec![Pick::Word(text)], ..Choice::default() };
        match input {
            Input::Choose(answer) => self.answer_option(*answer),
            Input::Act(Action::Play(play)) => Choice {
                label: label(play),
                picks: self.picks(state, play),
                preview: self.preview_text(state, play),
                ..Choice::default()
            },
            Input::Act(action @ Action::Run(step)) => Choice {
                label: self.tell_action(state, action),
                picks: state.run.as_ref().map_or(Vec::new(), |run| self.run_picks(run, *step)),
                grave: matches!(step, crate::run::RunAction::Sell(_)),
                ..Choice::default()
            },
            Input::Act(action) => {
                let grave = matches!(action, Action::Resign(_) | Action::AcceptDraw(_) | Action::ClaimDraw);
                Choice { grave, ..word(self.tell_action(state, action)) }
            }
        }
    }

    /// A kind of piece has its own letter for a key, as everybody who promotes expects.
    fn answer_option(&self, answer: Answer) -> Choice {
        let label = self.tell_of_answer(answer);
        let word = match answer {
            Answer::Kind(kind) => self.catalog.piece(kind).letter.to_ascii_lowercase().to_string(),
            Answer::Square(_) | Answer::Yes | Answer::No => label.clone(),
        };
        Choice { label, picks: vec![Pick::Word(word)], ..Choice::default() }
    }

    fn picks(&self, state: &State, play: &Play) -> Vec<Pick> {
        let cell =
            |at: At| Pick::Cell(at.x.into(), (state.height() - 1 - at.y.min(state.height() - 1)).into());
        match play.how {
            How::Castle if play.from.x.abs_diff(play.to.x) > 1 => {
                // The king's own target, as everybody shows castling, unless that is somebody's square.
                let king_to = crate::rules::castling::targets(state, play.from, play.to).0;
                let plain = play.from.x.abs_diff(king_to.x) > 1 && !state.id_at(king_to).is_some();
                vec![cell(play.from), cell(if plain { king_to } else { play.to })]
            }
            How::Drop => vec![Pick::Word(self.catalog.piece(play.kind).name.clone()), cell(play.to)],
            How::Cast => vec![cell(play.from), cell(play.to), Pick::Word("cast".to_owned())],
            How::Slide if self.play_text(state, play).contains('-') => {
                vec![cell(play.from), cell(play.to), Pick::Word("slide".to_owned())]
            }
            _ => vec![cell(play.from), cell(play.to)],
        }
    }

    /// What a move would set off, found by making it: deaths, changes, cancellations.
    pub fn preview_text(&self, state: &State, play: &Play) -> String {
        if self.rules.fog_of_war {
            return String::new();
        }
        // Where kings may be taken nothing keeps a player from losing his but this.
        let warns = self.rules.goal == Goal::KingCapture;
        let plain = state.verbs() == 0 && state.is_level();
        if !warns && plain && !crate::rules::legality::is_capture(state, play) {
            return String::new();
        }
        let Some(next) = self.preview(state, play) else { return String::new() };
        let mut parts = Vec::new();
        if warns && self.is_in_check(&next, state.player) {
            parts.push("leaves your king to be taken".to_owned());
        }
        for (id, piece) in state.pieces() {
            let (was, is) = (piece.on_board(), next.piece(id).is_some_and(|piece| piece.on_board()));
            match (was, is) {
                (true, false) => parts.push(format!("{} on {} dies", self.name_of(state, id), piece.at)),
                (false, true) if !piece.in_pocket => parts.push(format!("{} rises", self.name_of(state, id))),
                _ => {}
            }
            if let Some(after) = next.piece(id).filter(|after| is && after.kind != piece.kind) {
                parts.push(format!("becomes a {}", self.catalog.piece(after.kind).name.to_lowercase()));
            }
        }
        let changed = state.all_squares().filter(|at| state.tile(*at) != next.tile(*at)).count();
        if changed > 0 {
            parts.push(format!("{changed} tile{} changes", if changed == 1 { "" } else { "s" }));
        }
        let mover = state.id_at(play.from);
        let stays = next.piece(mover).is_some_and(|piece| piece.at == play.from);
        if stays && !matches!(play.how, How::Cast | How::Castle) {
            parts.push("the mover stays".to_owned());
        }
        parts.join("; ")
    }
}

fn hidden_cell() -> Cell {
    Cell { ink: Ink::Faint, ground: Ground::Hidden, note: "not seen".to_owned(), ..Cell::default() }
}

fn is_entombed(state: &State, id: PieceId) -> bool {
    state.tombs().iter().any(|tomb| tomb.piece == id)
}

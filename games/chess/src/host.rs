//! What the game offers the command line, the table and the test kit.

use crate::action::{Action, Answer, How, Play};
use crate::at::At;
use crate::bots;
use crate::catalog::{Catalog, Goal, Ruleset};
use crate::color::Color;
use crate::effect::Event;
use crate::error::BadInput;
use crate::game::{Chess, seat};
use crate::notation::named;
use crate::piece::PieceId;
use crate::run::{RunSetup, daily_seed};
use crate::setup::Setup;
use crate::state::State;
use crate::study;
use crate::tile::Tile;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnstone::digest::Digest;
use turnstone::{Game as _, Input, InputOf, Position, Rejection, Seat, Seen as _, Told, Viewer};
use turnstone_host::scene::{
    Badge, Board, Cell, Choice, Counter, Figure, Ground, Ink, Item, Lie, Panel, Pick, Scene,
};
use turnstone_host::{
    Bench, Bot, ContentCheck, Graft, Hosted, Motion, Named, Opening, Setting, Source, TimeOut, Topic,
};

impl Hosted for Chess {
    const NAME: &'static str = "chess";
    const ABOUT: &'static str =
        "Roguelike chess with abilities and tiles, and orthodox chess with its variants.";
    // 2: the facts of a run hold what chance decided.
    const RULES: u32 = 2;

    fn open_table(opening: &Opening) -> Result<(Arc<Self>, Setup), Rejection> {
        let builtin = Catalog::builtin();
        let as_ever = opening.numbering.is_empty() || opening.numbering == named::tables(&builtin);
        let catalog = match opening.content.as_slice() {
            [] if as_ever => builtin,
            over => Arc::new(Catalog::numbered(over, &opening.numbering).map_err(all_of)?),
        };
        let setup = read_setup(&catalog, opening)?;
        let rules = read_ruleset(&catalog, opening.ruleset.as_ref(), &setup)?;
        Ok((Arc::new(Chess::with_rules(catalog, rules)?), setup))
    }

    fn rulesets() -> Vec<Named> {
        let catalog = Catalog::builtin();
        let mut named: Vec<Named> = catalog
            .rulesets
            .iter()
            .filter(|rules| rules.ends)
            .map(|rules| Named::new(&rules.id, format!("{}. {}", rules.title, rules.about)))
            .collect();
        named.sort_by_key(|named| named.id != "standard");
        named
    }

    fn setups() -> Vec<Named> {
        let mut named = vec![
            Named::new("start", "Where games under the ruleset usually start."),
            Named::new("run", "A roguelike run of up to three acts."),
        ];
        let catalog = Catalog::builtin();
        named.extend(
            catalog
                .boards
                .iter()
                .map(|board| Named::new(&board.id, format!("{}. {}", board.title, board.about))),
        );
        named
    }

    fn settings(setup: &str) -> Vec<Setting> {
        if setup != "run" {
            return Vec::new();
        }
        vec![
            Setting::number("acts", "how many acts?", "How many acts the run has.", 1..=3, 3),
            Setting::number("difficulty", "how hard?", "How strong the enemy plays.", 0..=10, 0),
            Setting::words(
                "daily",
                "which day?",
                "The run of that day, the same for everybody: 20260131.",
                "",
            ),
        ]
    }

    fn ruleset(&self) -> Value {
        match self.catalog.ruleset_named(&self.rules.id) {
            Ok(known) if *known == self.rules => Value::String(self.rules.id.clone()),
            _ => serde_json::to_value(&self.rules).unwrap_or_default(),
        }
    }

    fn content(&self) -> Digest {
        let texts: String = self.catalog.sources.iter().map(|file| file.text.as_str()).collect();
        Digest::of_bytes(texts.as_bytes())
    }

    fn seats(&self, state: &State) -> Vec<String> {
        match state.run {
            Some(_) => vec!["you".to_owned(), "enemy".to_owned()],
            None => vec!["white".to_owned(), "black".to_owned()],
        }
    }

    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], viewer: Viewer) -> Scene {
        self.make_scene(position, inputs, viewer)
    }

    fn touched(&self, state: &State, event: &Event) -> Vec<(u16, u16)> {
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

    fn motion(&self, event: &Event) -> Motion {
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

    fn bots() -> Vec<Named> {
        bots::names()
    }

    fn bot(name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
        bots::create(name)
    }

    fn levels() -> [&'static str; 5] {
        [
            "slips=60:greedy",
            "slips=25:greedy",
            "slips=15:alpha-beta:300",
            "alpha-beta:1500",
            "alpha-beta:20000",
        ]
    }

    /// Material with all layers: a pawn ahead is worth a little, a queen nearly all.
    fn appraise(&self, state: &State, seat: Seat) -> Option<i32> {
        let ahead = bots::material(self, state, if seat == 0 { Color::White } else { Color::Black });
        Some(500 + (ahead * 480 / (ahead.abs() + 6)) as i32)
    }

    fn parse_input(&self, position: &Position<Self>, text: &str) -> Option<InputOf<Self>> {
        let state = position.state();
        if position.pending().is_some() {
            let mut answers = Vec::new();
            let question = &position.pending()?.question;
            self.answers(state, question, &mut answers);
            return answers.into_iter().find(|answer| self.is_answer(*answer, text)).map(Input::Choose);
        }
        match text {
            "resign" => Some(Input::Act(Action::Resign(state.player))),
            "offer" | "offer draw" => Some(Input::Act(Action::OfferDraw(state.player))),
            "accept" if state.run.is_none() => Some(Input::Act(Action::AcceptDraw(state.player))),
            "claim" => Some(Input::Act(Action::ClaimDraw)),
            "draw" => Some(Input::Act(self.any_draw(state))),
            _ => {
                let play = self.parse_play(state, text).or_else(|| step_between(text));
                play.map(|play| Input::Act(Action::Play(play)))
            }
        }
    }

    /// To resign is allowed at any time; the rest is for who is to move, or for the referee.
    fn may_send(&self, position: &Position<Self>, seat: Seat, input: &InputOf<Self>) -> bool {
        match input {
            Input::Act(Action::Resign(color) | Action::OfferDraw(color) | Action::AcceptDraw(color)) => {
                Color::BOTH.get(usize::from(seat)) == Some(color)
            }
            Input::Act(Action::TimeOut(_) | Action::AgreeDraw | Action::Force { .. } | Action::Raw(_)) => {
                false
            }
            Input::Act(Action::Play(_) | Action::ClaimDraw | Action::Run(_)) | Input::Choose(_) => {
                position.actor(self).is_none_or(|actor| actor == seat)
            }
        }
    }

    fn time_out(&self, state: &State, seat: Seat) -> Option<TimeOut<InputOf<Self>>> {
        let color = *Color::BOTH.get(usize::from(seat)).filter(|_| self.rules.flag_loses)?;
        // Every fight rolls its board anew, a fight fought again too.
        let round = state.run.as_ref().map_or(0, |run| run.rolled as u32);
        let stands = state.end.is_some() || state.run.as_ref().is_some_and(|run| !run.is_fighting());
        Some(TimeOut { round, input: (!stands).then_some(Input::Act(Action::TimeOut(color))) })
    }

    fn names(&self, _state: &State) -> BTreeMap<String, Vec<String>> {
        named::tables(&self.catalog)
    }

    fn write_event(&self, _state: &State, event: &Event) -> Value {
        named::write(&self.catalog, serde_json::to_value(event).unwrap_or_default())
    }

    fn write_input(&self, input: &InputOf<Self>) -> Value {
        named::write(&self.catalog, serde_json::to_value(input).unwrap_or_default())
    }

    fn read_input(&self, _position: &Position<Self>, value: &Value) -> Result<InputOf<Self>, Rejection> {
        serde_json::from_value(named::read(&self.catalog, value.clone()))
            .map_err(|error| Rejection::new(turnstone::code::MALFORMED, format!("not an input: {error}")))
    }

    fn benches() -> Vec<Bench> {
        crate::bench::benches()
    }

    fn tally(&self, state: &State) -> Vec<(String, Value)> {
        let mut tally = vec![("plies".to_owned(), Value::from(state.turn.saturating_sub(1)))];
        if let Some(end) = state.end {
            tally.push(("end".to_owned(), serde_json::to_value(end.reason).unwrap_or_default()));
        }
        if let Some(run) = &state.run {
            tally.push(("act".to_owned(), Value::from(run.act)));
            tally.push(("fights won".to_owned(), Value::from(run.round.saturating_sub(1))));
        }
        tally
    }

    fn topics(&self, position: &Position<Self>, inputs: &[InputOf<Self>]) -> Vec<(usize, Topic)> {
        study::topics(self, position, inputs)
    }

    fn holdings(&self, state: &State, seat: Seat) -> Vec<(&'static str, String)> {
        study::holdings(self, state, seat)
    }

    fn chapter(&self, state: &State) -> Option<(String, i64)> {
        study::chapter(state)
    }

    fn grafts(&self, setup: &Setup, seed: u64) -> Vec<Graft> {
        study::grafts(self, setup, seed)
    }

    fn ungrafted(&self, setup: &Setup, seed: u64) -> Vec<String> {
        study::ungrafted(self, setup, seed)
    }

    fn graft(&self, setup: &Setup, seed: u64, graft: &Graft) -> Option<Setup> {
        study::graft(self, setup, seed, graft)
    }

    fn check_content(over: &[Source]) -> Option<ContentCheck> {
        Some(match Catalog::with_overlay(over) {
            Ok(catalog) => ContentCheck {
                entries: vec![
                    ("pieces".to_owned(), catalog.pieces.len()),
                    ("abilities".to_owned(), catalog.abilities.len()),
                    ("tiles".to_owned(), catalog.tiles.len()),
                    ("rulesets".to_owned(), catalog.rulesets.len()),
                    ("boards".to_owned(), catalog.boards.len()),
                    ("relics".to_owned(), catalog.run.relics.len()),
                    ("map events".to_owned(), catalog.run.events.len()),
                ],
                problems: Vec::new(),
            },
            Err(mistakes) => ContentCheck {
                entries: Vec::new(),
                problems: mistakes.iter().map(BadInput::at_its_place).collect(),
            },
        })
    }

    fn schemas() -> Vec<(String, Value)> {
        vec![("content".to_owned(), crate::catalog::content_schema())]
    }
}

/// One refusal for several mistakes.
/// All mistakes of content, told as `content check` tells them.
fn all_of(mistakes: Vec<BadInput>) -> Rejection {
    let told = |mistake: BadInput| {
        let reason = mistake.at_its_place();
        Rejection::from(BadInput { reason, place: String::new(), ..mistake }).reasons
    };
    Rejection { reasons: mistakes.into_iter().flat_map(told).collect(), cycle: Vec::new() }
}

fn read_setup(catalog: &Catalog, opening: &Opening) -> Result<Setup, BadInput> {
    let wish =
        |name: &str| opening.wishes.iter().find(|(wish, _)| wish == name).map(|(_, value)| value.as_str());
    for (name, _) in &opening.wishes {
        if !["acts", "difficulty", "daily"].contains(&name.as_str()) {
            let reason = format!("There is no wish \"{name}\"; known are acts, difficulty and daily.");
            return Err(BadInput::new("wish.unknown", name, reason));
        }
    }
    let number = |name: &str, usual: u8| match wish(name) {
        None => Ok(usual),
        Some(text) => {
            text.parse().map_err(|_| BadInput::new("wish.number", name, format!("\"{text}\" is no number.")))
        }
    };
    match opening.setup_text() {
        None | Some("start") => Ok(Setup::Start),
        Some("run") => {
            let day = wish("daily").map(|text| {
                text.parse::<u32>().map_err(|_| {
                    BadInput::new("wish.daily", text, "Write the day as one number, e.g. 20260131.")
                })
            });
            let daily = day.transpose()?.map(daily_seed);
            Ok(Setup::Run(RunSetup { acts: number("acts", 3)?, difficulty: number("difficulty", 0)?, daily }))
        }
        Some(text) if text.contains('/') => {
            Ok(Setup::Fen(text.trim().trim_start_matches("fen:").trim().to_owned()))
        }
        Some(name) => catalog.board_named(name).map(|board| Setup::Board(board.id.clone())),
    }
}

/// A name, rules in full, or by default what the set-up is meant for.
fn read_ruleset(catalog: &Catalog, wanted: Option<&Value>, setup: &Setup) -> Result<Ruleset, BadInput> {
    match wanted {
        Some(Value::String(name)) => {
            if let Some(variant) = crate::plain::Variant::from_name(name)
                && catalog.ruleset_named(name).is_err()
                && let Some(rules) = catalog.rulesets.iter().find(|rules| rules.variant == Some(variant))
            {
                return Ok(rules.clone());
            }
            catalog.ruleset_named(name).cloned()
        }
        Some(Value::Null) | None => {
            let name = match setup {
                Setup::Run(_) => "run",
                Setup::Board(board) => catalog.board_named(board)?.ruleset.as_str(),
                Setup::Fen(fen) if fen.contains(['{', '<']) => "last-piece-standing",
                _ => "standard",
            };
            catalog.ruleset_named(name).cloned()
        }
        Some(rules) => serde_json::from_value(rules.clone()).map_err(|error| {
            BadInput::new("ruleset.syntax", "", format!("These rules cannot be read: {error}."))
        }),
    }
}

impl Chess {
    /// What a player means who says `draw`: accept what is offered, claim what can be claimed, or offer.
    fn any_draw(&self, state: &State) -> Action {
        if state.offer == Some(!state.player) {
            return Action::AcceptDraw(state.player);
        }
        match self.claimable(state) {
            Some(_) => Action::ClaimDraw,
            None => Action::OfferDraw(state.player),
        }
    }

    /// Does this word mean that answer?
    fn is_answer(&self, answer: Answer, text: &str) -> bool {
        let first = |word: &str| word.eq_ignore_ascii_case(text) || word[..1].eq_ignore_ascii_case(text);
        match answer {
            Answer::Kind(kind) => {
                let def = self.catalog.piece(kind);
                def.id.eq_ignore_ascii_case(text) || def.letter.to_string().eq_ignore_ascii_case(text)
            }
            Answer::Square(at) => at.to_string() == text,
            Answer::Yes => first("yes"),
            Answer::No => first("no"),
        }
    }

    fn make_scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], viewer: Viewer) -> Scene {
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

    /// The letters that begin a move: of the files, of the pieces, and the O of castling.
    fn letters(&self, state: &State) -> String {
        let files = (0..state.width()).map(|x| (b'a' + x) as char);
        let pieces = state.pieces().map(|(_, piece)| self.catalog.piece(piece.kind).letter);
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

/// Two squares are a move even if it is not legal: the rules can say why.
fn step_between(text: &str) -> Option<Play> {
    let text = text.trim();
    let cut = text.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_alphabetic())?.0;
    Some(Play::new(At::parse(&text[..cut])?, At::parse(&text[cut..])?, How::Slide))
}

fn hidden_cell() -> Cell {
    Cell { ink: Ink::Faint, ground: Ground::Hidden, note: "not seen".to_owned(), ..Cell::default() }
}

fn is_entombed(state: &State, id: PieceId) -> bool {
    state.tombs().iter().any(|tomb| tomb.piece == id)
}

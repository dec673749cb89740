//! Everything in words.

use crate::ability::Verb;
use crate::action::{Action, Answer, How, Play, Question, Raw};
use crate::at::At;
use crate::catalog::AbilityDef;
use crate::effect::{Effect, Manner, Source, Tag};
use crate::event::Event;
use crate::game::Chess;
use crate::listeners::Listener;
use crate::piece::{Kind, PieceId, Who};
use crate::plain::{End, EndReason};
use crate::state::State;
use crate::tile::Tile;

impl Chess {
    /// `White's knight`.
    pub(crate) fn name_of(&self, state: &State, id: PieceId) -> String {
        self.name_who(state.who(id))
    }

    /// `White's knight`, as it was then.
    pub(crate) fn name_who(&self, who: Who) -> String {
        if !who.is_some() {
            return "somebody".to_owned();
        }
        format!("{}'s {}", who.owner, self.kind_name(who.kind))
    }

    /// `White's knight on d4`.
    fn name_on(&self, who: Who, at: At) -> String {
        let name = self.name_who(who);
        if at.is_somewhere() { format!("{name} on {at}") } else { name }
    }

    fn kind_name(&self, kind: Kind) -> String {
        self.catalog.pieces.get(usize::from(kind.0)).map_or("piece".to_owned(), |def| def.name.to_lowercase())
    }

    /// The ability in a slot of a piece, and its name.
    fn ability_of(&self, state: &State, id: PieceId, slot: u8) -> Option<(&AbilityDef, Verb)> {
        let layer = state.piece(id)?.layers.get(slot)?;
        Some((self.catalog.ability(layer.ability), layer.verb))
    }

    pub(crate) fn tell_event(&self, state: &State, event: &Event) -> String {
        let name = |who| self.name_who(who);
        match *event {
            Event::TurnStarted(player, turn) => format!("Turn {turn}: {player} begins"),
            Event::TurnEnded(player, turn) => format!("Turn {turn}: {player} is done"),
            Event::TurnAdvanced(player, turn) => format!("Turn {turn} is {player}'s"),
            Event::Moved { piece, from, to, displaced, tag, .. } => {
                self.tell_move(piece, (from, to), displaced, tag)
            }
            Event::Castled { king, king_to, rook_to, .. } => {
                format!("{} castles: king to {king_to}, rook to {rook_to}", name(king))
            }
            Event::Captured { attacker, target, at, .. } => {
                format!("{} takes {} on {at}", name(attacker), name(target))
            }
            Event::Destroyed { target, at, tag } => {
                format!("{} {} on {at}", name(target), death(tag.manner))
            }
            Event::Placed { piece, at, tag } if tag.manner == Manner::Drop => {
                format!("{} drops in on {at}", name(piece))
            }
            Event::Placed { piece, at, .. } => format!("{} rises from its tomb on {at}", name(piece)),
            Event::Changed { piece, at, to, tag } => {
                let verb = match tag.manner {
                    Manner::PredatorEvolve | Manner::CannibalGrowth => "evolves",
                    _ => "promotes",
                };
                format!("the {} on {at} {verb} to a {}", self.kind_name(piece.kind), self.kind_name(to))
            }
            Event::TileChanged { at, from, to, tag, .. } => self.tell_tile(at, from, to, tag.manner),
            Event::Charged { piece, at, slot, charges } => {
                self.tell_charges(state, (piece, at), slot, charges)
            }
            Event::Consulted { piece, at, slot, answer } => {
                let ability =
                    self.ability_of(state, piece.id, slot).map_or("An ability", |(def, _)| &def.name);
                format!(
                    "{ability} of {} is answered: {}",
                    self.name_on(piece, at),
                    self.tell_of_answer(answer)
                )
            }
            Event::DrawOffered(player) => format!("{player} offers a draw"),
            Event::Swapped { piece, at, other, other_at, .. } => {
                format!("{} and {} change places: {at} and {other_at}", name(piece), name(other))
            }
            Event::CheckGiven(player, left) => format!("{player} gives check, {left} to go"),
            Event::TimedOut(player) => format!("{player}'s time is over"),
            Event::GameOver(player) => format!("{player} has lost"),
            Event::Ended(winner, reason) => tell_end(End { winner, reason }),
            Event::Run(ref event) => self.tell_run(state, event),
        }
    }

    fn tell_move(&self, piece: Who, (from, to): (At, At), displaced: Who, tag: Tag) -> String {
        let name = self.name_who(piece);
        let over = match displaced.is_some() {
            true => format!(", sweeping {} away", self.name_who(displaced)),
            false => String::new(),
        };
        let verb = match (tag.manner, tag.by_player, tag.source) {
            (Manner::Plain, _, Source::Tile(_)) => "slides on",
            (Manner::Plain, false, _) => "is thrown",
            _ => "moves",
        };
        match (from.is_somewhere(), to.is_somewhere()) {
            (true, true) => format!("{name} {verb} from {from} to {to}{over}"),
            (false, true) => format!("{name} comes into sight on {to}{over}"),
            (true, false) => format!("{name} goes out of sight from {from}{over}"),
            (false, false) => format!("{name} moves out of sight{over}"),
        }
    }

    fn tell_charges(&self, state: &State, (piece, at): (Who, At), slot: u8, charges: u8) -> String {
        let whose = self.name_on(piece, at);
        match self.ability_of(state, piece.id, slot) {
            Some((def, verb)) => {
                let count = verb.count(def, charges).unwrap_or_else(|| "nothing left".to_owned());
                format!("{} of {whose}: {count}", def.name)
            }
            None => format!("an ability of {whose} has changed"),
        }
    }

    pub(crate) fn tell_of_effect(&self, state: &State, effect: &Effect) -> String {
        let name = |id| self.name_of(state, id);
        let placed = |id| self.name_on(state.who(id), state.place(id));
        match *effect {
            Effect::TurnStart(player, turn) => format!("{player}'s turn {turn}"),
            Effect::TurnEnd(player, turn) => format!("the end of {player}'s turn {turn}"),
            Effect::TurnAdvance(player, turn) => format!("turn {turn} passing to {player}"),
            Effect::Move { piece, from, to, .. } => format!("{} from {from} to {to}", name(piece)),
            Effect::Castle { king, .. } => format!("{} castling", name(king)),
            Effect::Capture { attacker, target, at, .. } => {
                format!("{} taking {} on {at}", name(attacker), name(target))
            }
            Effect::Destroy { target, at, .. } => format!("the death of {} on {at}", name(target)),
            Effect::Place { piece, at, .. } => format!("{} coming to {at}", name(piece)),
            Effect::Change { piece, to, .. } if to == Kind::NONE => {
                format!("a promotion of {}", placed(piece))
            }
            Effect::Change { piece, to, .. } => {
                format!("{} becoming a {}", placed(piece), self.kind_name(to))
            }
            Effect::SetTile { at, from, to: Tile::Standard, .. } => {
                format!("the end of the {} on {at}", self.catalog.tile(from).name.to_lowercase())
            }
            Effect::SetTile { at, to, .. } => {
                format!("a {} on {at}", self.catalog.tile(to).name.to_lowercase())
            }
            Effect::Charge { piece, slot, charges } => {
                self.tell_charges(state, (state.who(piece), state.place(piece)), slot, charges)
            }
            Effect::Consult { piece, slot } => {
                let ability = self.ability_of(state, piece, slot).map_or("an ability", |(def, _)| &def.name);
                format!("a question of {ability} of {}", placed(piece))
            }
            Effect::OfferDraw(player) => format!("{player}'s offer of a draw"),
            Effect::Swap { piece, other, .. } => {
                format!("{} and {} changing places", placed(piece), placed(other))
            }
            Effect::Check(player) => format!("a check by {player}"),
            Effect::TimeOut(player) => format!("{player}'s time running out"),
            Effect::GameOver(player) => format!("{player} losing"),
            Effect::End(winner, reason) => format!("the end: {}", tell_end(End { winner, reason })),
            Effect::Declared(play) => format!("the move {}", tell_play(&play)),
            Effect::Run(effect) => self.tell_run_effect(effect),
        }
    }

    pub(crate) fn tell_of_listener(&self, state: &State, listener: Listener) -> String {
        match listener {
            Listener::Tile(at, tile) => format!("{} on {at}", self.catalog.tile(tile).name),
            Listener::Relic(relic) => self.relic_name(relic),
            Listener::Pawn(who, at) => format!("promotion of {}", self.name_on(who, at)),
            Listener::Layer(who, at, slot) => {
                let ability = self.ability_of(state, who.id, slot).map_or("An ability", |(def, _)| &def.name);
                format!("{ability} of {}", self.name_on(who, at))
            }
        }
    }

    pub(crate) fn tell_of_action(&self, state: &State, action: &Action) -> String {
        match *action {
            Action::Play(play) => self.label(state, &play),
            Action::Force { play, .. } => self.play_text(state, &play),
            Action::ClaimDraw => "claim a draw".to_owned(),
            Action::Resign(color) => format!("{color} resigns"),
            Action::OfferDraw(color) => format!("{color} offers a draw"),
            Action::AcceptDraw(_) => "accept the draw".to_owned(),
            Action::TimeOut(color) => format!("{color}'s time is over"),
            Action::AgreeDraw => "agree on a draw".to_owned(),
            Action::Raw(raw) => tell_raw(raw),
            Action::Run(step) => self.tell_run_action(state, step),
        }
    }

    pub(crate) fn tell_of_question(&self, state: &State, question: &Question) -> String {
        match *question {
            Question::Promotion { piece, at } => {
                format!("What does {} on {at} become?", self.name_of(state, piece))
            }
            Question::Ability { piece, slot, .. } => crate::listeners::question(self, state, piece, slot),
        }
    }

    pub(crate) fn tell_of_answer(&self, answer: Answer) -> String {
        match answer {
            Answer::Kind(kind) => self
                .catalog
                .pieces
                .get(usize::from(kind.0))
                .map_or("Nobody".to_owned(), |def| def.name.clone()),
            Answer::Square(at) => at.to_string(),
            Answer::Yes => "Yes".to_owned(),
            Answer::No => "No".to_owned(),
        }
    }

    /// A move as players type it: `e2e4`, `e7e8q`, `N@f3`, `O-O`, `b1 casts d2`.
    pub fn play_text(&self, state: &State, play: &Play) -> String {
        let letter = |kind| self.catalog.piece(kind).letter;
        match play.how {
            How::Drop => format!("{}@{}", letter(play.kind), play.to),
            How::Castle if play.to.x > play.from.x => "O-O".to_owned(),
            How::Castle => "O-O-O".to_owned(),
            How::Cast => format!("{}*{}", play.from, play.to),
            _ if play.kind != Kind::NONE => {
                format!("{}{}{}", play.from, play.to, letter(play.kind).to_ascii_lowercase())
            }
            How::Slide if self.is_doubled(state, play) => format!("{}-{}", play.from, play.to),
            _ => tell_play(play),
        }
    }

    /// Can the piece also jump there? Then the slide is written with a hyphen.
    fn is_doubled(&self, state: &State, play: &Play) -> bool {
        let Some((_, piece)) = state.piece_at(play.from) else { return false };
        if piece.layers.is_empty() {
            return false;
        }
        let jump = Play { how: How::Jump, ..*play };
        let mut doubled = false;
        let id = state.id_at(play.from);
        crate::rules::candidates::plays_of(&self.catalog, state, id, piece, false, |other| {
            doubled |= other == jump;
        });
        doubled
    }

    /// Reads a move as [`Chess::label`] or [`Chess::play_text`] writes it, or in SAN or UCI where the
    /// position is plain.
    pub fn parse_play(&self, state: &State, text: &str) -> Option<Play> {
        let text = text.trim();
        let labels = self.labels(state);
        if let Some((play, _)) = labels.iter().find(|(_, label)| label == text) {
            return Some(*play);
        }
        if let Some((play, _)) = labels.iter().find(|(play, _)| self.play_text(state, play) == text) {
            return Some(*play);
        }
        if let Some(position) = self.plain(state)
            && let Ok(mv) = position.parse_uci(text).or_else(|_| position.parse_san(text))
        {
            return Some(crate::rules::plain::play_of(&mv));
        }
        // With the promotion as a last letter.
        let (body, letter) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let kind = self.catalog.kind_lettered(letter.chars().next()?)?;
        let body = body.trim_end_matches('=');
        let means = |(play, label): &&(Play, String)| label == body || self.play_text(state, play) == body;
        let (play, _) = labels.iter().find(means)?;
        Some(Play { kind, ..*play })
    }

    fn tell_tile(&self, at: At, from: Tile, to: Tile, manner: Manner) -> String {
        let name = |tile| self.catalog.tile(tile).name.to_lowercase();
        match manner {
            Manner::WallConsumed => format!("the wall on {at} breaks"),
            Manner::WallPlacement => format!("a wall rises on {at}"),
            Manner::RevenantTomb => format!("a tomb is left on {at}"),
            Manner::TombCleared => format!("the tomb on {at} is empty"),
            _ if from == Tile::Guardian => format!("the guardian on {at} is spent"),
            _ => format!("the {} on {at} becomes a {}", name(from), name(to)),
        }
    }
}

fn death(manner: Manner) -> &'static str {
    match manner {
        Manner::Marksman => "is shot",
        Manner::Explosion => "dies in the blast",
        Manner::Scapegoat => "dies in a friend's place",
        _ => "is destroyed",
    }
}

fn tell_raw(raw: Raw) -> String {
    match raw {
        Raw::Move(play) => format!("the referee moves {}", tell_play(&play)),
        Raw::Destroy { at, .. } => format!("the referee removes who stands on {at}"),
        Raw::TurnStart(player, turn) => format!("the referee starts {player}'s turn {turn}"),
        Raw::TurnEnd(player, turn) => format!("the referee ends {player}'s turn {turn}"),
        Raw::TurnAdvanced(player, turn) => format!("the referee gives turn {turn} to {player}"),
        Raw::TimeOut(player) => format!("the referee stops {player}'s clock"),
        Raw::GameOver(player) => format!("the referee says that {player} has lost"),
    }
}

fn tell_play(play: &Play) -> String {
    format!("{}{}", play.from, play.to)
}

/// The end of a game in a sentence.
pub(crate) fn tell_end(end: End) -> String {
    let reason = match end.reason {
        EndReason::Checkmate => "checkmate",
        EndReason::Stalemate => "stalemate",
        EndReason::InsufficientMaterial => "neither side can mate",
        EndReason::FiftyMoves => "fifty moves without progress, claimed",
        EndReason::SeventyFiveMoves => "seventy-five moves without progress",
        EndReason::ThreefoldRepetition => "third repetition, claimed",
        EndReason::FivefoldRepetition => "fifth repetition",
        EndReason::TurnLimit => "as many turns as a match may last",
        EndReason::KingLost => "the king is lost",
        EndReason::NoPieces => "no piece is left",
        EndReason::NoMoves => "no move is left",
        EndReason::Hill => "the king holds the hill",
        EndReason::Checks => "the last check was given",
        EndReason::Race => "the race is over",
        EndReason::TimeOut => "the time is over",
        EndReason::Resignation => "resignation",
        EndReason::Agreement => "agreed",
    };
    match end.winner {
        Some(winner) => format!("{winner} wins: {reason}"),
        None => format!("Draw: {reason}"),
    }
}

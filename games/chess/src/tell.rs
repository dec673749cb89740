//! Everything in words.

use crate::action::{Action, How, Play};
use crate::effect::{Effect, Event, Manner};
use crate::game::Chess;
use crate::listeners::Listener;
use crate::piece::PieceId;
use crate::plain::{End, EndReason};
use crate::state::State;
use crate::tile::Tile;

impl Chess {
    /// `White's knight`.
    pub(crate) fn name_of(&self, state: &State, id: PieceId) -> String {
        match state.piece(id) {
            Some(piece) => {
                format!("{}'s {}", piece.owner, self.catalog.piece(piece.kind).name.to_lowercase())
            }
            None => "somebody".to_owned(),
        }
    }

    pub(crate) fn tell_event(&self, state: &State, event: &Event) -> String {
        let name = |id| self.name_of(state, id);
        match *event {
            Event::TurnStarted(player, turn) => format!("Turn {turn}: {player} begins"),
            Event::TurnEnded(player, turn) => format!("Turn {turn}: {player} is done"),
            Event::TurnAdvanced(player, turn) => format!("Turn {turn} is {player}'s"),
            Event::Moved { piece, from, to, displaced, tag, .. } => {
                let over = if displaced.is_some() {
                    format!(", sweeping {} away", name(displaced))
                } else {
                    String::new()
                };
                let verb = if tag.manner == Manner::Plain && !tag.by_player { "is thrown" } else { "moves" };
                match (from.is_somewhere(), to.is_somewhere()) {
                    (true, true) => format!("{} {verb} from {from} to {to}{over}", name(piece)),
                    (false, _) => format!("{} comes into sight on {to}{over}", name(piece)),
                    (true, false) => format!("{} goes out of sight from {from}", name(piece)),
                }
            }
            Event::Castled { king, king_to, rook_to, .. } => {
                format!("{} castles: king to {king_to}, rook to {rook_to}", name(king))
            }
            Event::Captured { attacker, target, at, .. } => {
                format!("{} takes {} on {at}", name(attacker), name(target))
            }
            Event::Destroyed { target, at, tag } => {
                let how = match tag.manner {
                    Manner::Marksman => "is shot",
                    Manner::Explosion => "dies in the blast",
                    Manner::Scapegoat => "dies in a friend's place",
                    _ => "is destroyed",
                };
                format!("{} {how} on {at}", name(target))
            }
            Event::Placed { piece, at, tag } if tag.manner == Manner::Drop => {
                format!("{} drops in on {at}", name(piece))
            }
            Event::Placed { piece, at, .. } => format!("{} rises from its tomb on {at}", name(piece)),
            Event::Changed { at, from, to, tag, .. } => {
                let (from, to) = (&self.catalog.piece(from).name, &self.catalog.piece(to).name);
                let verb = if tag.manner == Manner::PredatorEvolve { "evolves" } else { "promotes" };
                format!("the {} on {at} {verb} to a {}", from.to_lowercase(), to.to_lowercase())
            }
            Event::TileChanged { at, from, to, tag, .. } => tell_tile(at, from, to, tag.manner),
            Event::Charged { piece, slot, charges } => {
                let layer = state.piece(piece).and_then(|piece| piece.layers.get(slot));
                let ability = layer.map_or("ability", |layer| &self.catalog.ability(layer.ability).name);
                format!("{} of {}: {charges}", ability, name(piece))
            }
            Event::Swapped { piece, other, .. } => {
                format!("{} and {} change places", name(piece), name(other))
            }
            Event::CheckGiven(player, left) => format!("{player} gives check, {left} to go"),
            Event::TimedOut(player) => format!("{player}'s time is over"),
            Event::GameOver(player) => format!("{player} has lost"),
            Event::Ended(winner, reason) => tell_end(End { winner, reason }),
            Event::Run(event) => self.tell_run(state, event),
        }
    }

    pub(crate) fn tell_of_effect(&self, state: &State, effect: &Effect) -> String {
        let name = |id| self.name_of(state, id);
        match *effect {
            Effect::Move { piece, from, to, .. } => format!("{} from {from} to {to}", name(piece)),
            Effect::Capture { attacker, target, at, .. } => {
                format!("{} taking {} on {at}", name(attacker), name(target))
            }
            Effect::Destroy { target, at, .. } => format!("the death of {} on {at}", name(target)),
            Effect::Place { piece, at, .. } => format!("{} coming to {at}", name(piece)),
            Effect::Change { piece, .. } => format!("a change of {}", name(piece)),
            Effect::SetTile { at, to, .. } => {
                format!("a {} on {at}", self.catalog.tile(to).name.to_lowercase())
            }
            Effect::Charge { piece, charges, .. } => format!("charges of {} to {charges}", name(piece)),
            Effect::Declared(play) => format!("the move {}", tell_play(&play)),
            _ => format!("{effect:?}"),
        }
    }

    pub(crate) fn tell_of_listener(&self, state: &State, listener: Listener) -> String {
        match listener {
            Listener::Tile(at) => format!("{} on {at}", self.catalog.tile(state.tile(at)).name),
            Listener::Pawn(id) => format!("promotion of {}", self.name_of(state, id)),
            Listener::Layer(id, slot) => {
                let layer = state.piece(id).and_then(|piece| piece.layers.get(slot));
                let ability = layer.map_or("An ability", |layer| &self.catalog.ability(layer.ability).name);
                format!("{ability} of {}", self.name_of(state, id))
            }
        }
    }

    pub(crate) fn tell_of_action(&self, state: &State, action: &Action) -> String {
        match *action {
            Action::Play(play) | Action::Force { play, .. } => self.play_text(state, &play),
            Action::ClaimDraw => "claim a draw".to_owned(),
            Action::Resign(color) => format!("{color} resigns"),
            Action::TimeOut(color) => format!("{color}'s time is over"),
            Action::AgreeDraw => "agree on a draw".to_owned(),
            Action::Raw(raw) => format!("{raw:?}"),
            Action::Run(step) => self.tell_run_action(state, step),
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
            _ if play.kind != crate::Kind::NONE => {
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

    /// Reads a move as [`Chess::play_text`] writes it, or in SAN or UCI where the position is plain.
    pub fn parse_play(&self, state: &State, text: &str) -> Option<Play> {
        let text = text.trim();
        let legal = self.legal_plays(state);
        if let Some(play) = legal.iter().find(|play| self.play_text(state, play) == text) {
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
        let play = legal.iter().find(|play| self.play_text(state, play) == body)?;
        Some(Play { kind, ..*play })
    }
}

fn tell_play(play: &Play) -> String {
    format!("{}{}", play.from, play.to)
}

fn tell_tile(at: crate::At, from: Tile, to: Tile, manner: Manner) -> String {
    match manner {
        Manner::WallConsumed => format!("the wall on {at} breaks"),
        Manner::WallPlacement => format!("a wall rises on {at}"),
        Manner::RevenantTomb => format!("a tomb is left on {at}"),
        Manner::TombCleared => format!("the tomb on {at} is empty"),
        _ if from == Tile::Guardian => format!("the guardian on {at} is spent"),
        _ => format!("the tile on {at} changes from {from:?} to {to:?}"),
    }
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

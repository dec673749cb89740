//! What the game offers the command line, the table and the test kit.

use crate::action::{Action, Answer, How, Play};
use crate::at::At;
use crate::bots;
use crate::catalog::{Catalog, Ruleset};
use crate::color::Color;
use crate::error::BadInput;
use crate::event::Event;
use crate::game::Chess;
use crate::notation::named;
use crate::run::{RunSetup, daily_seed};
use crate::setup::Setup;
use crate::state::State;
use crate::{scene, study};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnstone::digest::Digest;
use turnstone::{Game as _, Input, InputOf, Position, Rejection, Seat, Viewer};
use turnstone_host::scene::Scene;
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
        let usual = named::tables(&builtin);
        // Where nothing else is said, what is added stands behind what is built in: a match that uses none of it can be
        // watched where it is not there.
        let numbering = if opening.numbering.is_empty() { &usual } else { &opening.numbering };
        let catalog = match opening.content.as_slice() {
            [] if *numbering == usual => builtin,
            over => Arc::new(Catalog::numbered(over, numbering).map_err(all_of)?),
        };
        let setup = read_setup(&catalog, opening)?;
        let rules = read_ruleset(&catalog, opening.ruleset.as_ref(), &setup)?;
        if !rules.ends {
            let text =
                "A game under these rules never ends: they are there to follow records (turnstone conform).";
            return Err(BadInput::new("ruleset.endless", &rules.id, text).into());
        }
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
        scene::touched(state, event)
    }

    fn motion(&self, event: &Event) -> Motion {
        scene::motion(event)
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
}

/// Two squares are a move even if it is not legal: the rules can say why.
fn step_between(text: &str) -> Option<Play> {
    let text = text.trim();
    let cut = text.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_alphabetic())?.0;
    Some(Play::new(At::parse(&text[..cut])?, At::parse(&text[cut..])?, How::Slide))
}

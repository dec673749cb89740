//! One match in progress, without its types.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnstone::dice::{Lots, Stream};
use turnstone::diff::differences;
use turnstone::digest::Digest;
use turnstone::explain::Explanation;
use turnstone::file::{self, ContentPart, Header, Opened, Unwritable, Verified, Watched, Writer};
use turnstone::steps::{Done, Kept};
use turnstone::{
    Before, Fact, FactOf, InputOf, Match, Moment, Outcome, Pending, Position, Rejection, Seat, Trace, Viewer,
    code, fold, shorten,
};
use turnstone_host::scene::{Board, Scene};
use turnstone_host::{Hosted, Motion, Player, TimeOut, tell_input};

use crate::simulate::{bot_seed, player};
use crate::story::{Story, Teller};

/// The end of a line of play, with what was played last on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchLine {
    /// Its last moment.
    pub tip: Moment,
    /// Where it left the branch before it; 0 for the first.
    pub forked_at: Moment,
    /// Inputs from the start to the tip, as far as one was told of them.
    pub length: u32,
    /// Whether the present moment lies on it.
    pub current: bool,
    /// The last input, in words; empty if it is not to be known.
    pub last: String,
}

/// A bot's thinking about the present position, for this thread or another one: the table can be used
/// meanwhile. It gives the number of an input, which counts only if the table still stands where it
/// stood.
pub type Thinking = Box<dyn FnOnce() -> usize + Send>;

/// Why a bot chose what it chose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reasons {
    /// The bot.
    pub bot: String,
    /// Whose eyes it had.
    pub seat: Seat,
    /// What it chooses, in words.
    pub chosen: String,
    /// What was played.
    pub played: String,
    /// What it weighed, best first: in words, how often tried, and the value from 0 (lost) to 1 (won).
    pub options: Vec<(String, u64, f64)>,
    /// The line that it expects.
    pub line: Vec<String>,
}

/// A bot in a seat of a table.
struct Seated<G: Hosted> {
    seat: Seat,
    name: String,
    seed: u64,
    /// The bot as its last choice has left it, and the moment of that choice. Who thinks takes it along: while it is
    /// away, and at any other moment, a new one is asked for the choices before.
    kept: Arc<Mutex<Option<Resting<G>>>>,
}

/// A bot that stands where it chose last; `None` before the first choice.
type Resting<G> = (Option<Moment>, Player<G>);

/// What somebody had before him when he was to choose, and how many inputs had led to it.
struct Standing<G: Hosted> {
    position: Position<G>,
    inputs: Vec<InputOf<G>>,
    depth: u32,
}

/// A match in progress. The seats with bots are part of it; who looks at it is said at every call, and
/// is told what he may know. What takes no viewer is for the table's keeper and is handed to nobody
/// while the match lasts: the seed, the file, the digest, the moments of the whole timeline.
pub trait Table: Send {
    /// The game's name.
    fn game(&self) -> &'static str;
    /// The seed of the dice.
    fn seed(&self) -> u64;
    /// The same as players of the game write it.
    fn seed_text(&self) -> String;
    /// Which rules are on.
    fn ruleset(&self) -> Value;
    /// One name for each seat.
    fn seats(&self) -> Vec<String>;
    /// Who must send something now; `None` when the game is over or anybody may act.
    fn actor(&self) -> Option<Seat>;
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// Everything that viewer may send now: nothing unless he is to act, and nothing for spectators.
    fn inputs(&self, viewer: Viewer) -> Vec<Value>;
    /// Carries out an input, whoever it belongs to.
    ///
    /// # Errors
    /// Malformed JSON is refused at the door and leaves no trace; other refusals are remembered.
    fn act(&mut self, input: &Value) -> Result<Moment, Rejection>;
    /// Carries out an input sent by who holds that seat, and nothing else.
    ///
    /// # Errors
    /// If it is not that seat's to send now, or as [`act`](Table::act). Refusals leave no trace.
    fn act_from(&mut self, seat: Seat, input: &Value) -> Result<Moment, Rejection>;
    /// Carries out the input with that number among those of whoever is to act.
    ///
    /// # Errors
    /// If there is no such number.
    fn choose(&mut self, number: usize) -> Result<Moment, Rejection>;
    /// Carries out the input with that number in what [`inputs`](Table::inputs) gives that seat.
    ///
    /// # Errors
    /// If there is no such number, which there is not unless the seat is to act.
    fn choose_from(&mut self, seat: Seat, number: usize) -> Result<Moment, Rejection>;
    /// Reads the game's own notation, such as `e2e4`; `None` if the text is not in it. For the table's keeper: what
    /// a text means may hang on what only who is to act knows.
    fn parse(&self, text: &str) -> Option<Value>;
    /// Reads what who holds that seat writes in the game's own notation.
    ///
    /// # Errors
    /// If the text is not in it. While another seat is to act every text gets one and the same refusal: which of
    /// them are moves would tell what that seat can do, and so what was played out of sight.
    fn parse_from(&self, seat: Seat, text: &str) -> Result<Value, Rejection> {
        if self.actor().is_some_and(|actor| actor != seat) {
            return Err(not_yours());
        }
        self.parse(text).ok_or_else(|| {
            let text =
                format!("\"{}\" is neither a label nor a move in the game's notation", shorten(text, 500));
            Rejection::new(code::MALFORMED, text)
        })
    }

    /// The question that waits and who must answer; `None` if that viewer may not know of it.
    fn question(&self, viewer: Viewer) -> Option<Value>;
    /// The state as that viewer may see it.
    fn view(&self, viewer: Viewer) -> Value;
    /// What is shown to that viewer. Only who is to act sees options.
    fn scene(&self, viewer: Viewer) -> Scene;
    /// The log of the present line as that viewer may see it.
    fn log(&self, viewer: Viewer) -> Vec<Value>;
    /// What happened at one moment, as that viewer may see it.
    fn news(&self, moment: Moment, viewer: Viewer) -> Vec<Value>;
    /// Whether that viewer may know of anything that happened at one moment.
    fn hears(&self, moment: Moment, viewer: Viewer) -> bool {
        !self.news(moment, viewer).is_empty()
    }
    /// Why it happened, as far as that viewer may know.
    fn explain(&self, moment: Moment, viewer: Viewer) -> Explanation;

    /// How a number that a scene shows came about, by its id or name: every change of it on a line of moments, the
    /// start first, as that viewer saw it. None if the last of these moments shows him no such number.
    fn story(&self, number: &str, line: &[Moment], viewer: Viewer) -> Option<Story>;

    /// Takes back the last accepted input. False at the start.
    fn undo(&mut self) -> bool;
    /// Takes back an undo. False if there is nothing ahead.
    fn redo(&mut self) -> bool;
    /// Goes to any moment of any branch.
    ///
    /// # Errors
    /// If there is no such moment.
    fn jump(&mut self, moment: Moment) -> Result<(), Rejection>;
    /// The present moment.
    fn here(&self) -> Moment;
    /// How many moments there are on all branches, the start included.
    fn moments(&self) -> u32;
    /// The moments from the start to the present.
    fn line(&self) -> Vec<Moment>;
    /// The serial number of the first fact of a moment, and how many facts it has.
    fn facts(&self, moment: Moment) -> (u32, usize);
    /// The moments that viewer was told of, the start first. Who counts moments aloud to him counts these: numbers of
    /// others would tell how much was played out of his sight.
    fn told(&self, viewer: Viewer) -> Vec<Moment>;
    /// The ends of all lines of play, oldest first, each told as far as that viewer may know: lines that differ in
    /// nothing he was told of are one.
    fn branches(&self, viewer: Viewer) -> Vec<BranchLine>;

    /// The whole timeline as a match file, closed.
    ///
    /// # Errors
    /// If something cannot be written, or the match is only watched: its old lines are not today's rules'.
    fn save(&self) -> Result<String, Rejection>;
    /// The lines of the match file since the last call, to be appended: the first ones too if the match is new.
    ///
    /// # Errors
    /// As [`save`](Table::save); nothing is lost for the next call.
    fn unsaved(&mut self) -> Result<String, Rejection>;
    /// The lines since the last call and the closing line; empty if the file is closed already.
    ///
    /// # Errors
    /// As [`save`](Table::save); nothing is lost for the next call.
    fn close(&mut self) -> Result<String, Rejection>;
    /// What the file held that the match was read from, if it was.
    fn loaded(&self) -> Option<Verified>;
    /// In what the match that was read was played by other rules or content than are here. They play it as it was
    /// played; it goes on by them, and its file says so.
    fn differs(&self) -> &[String];
    /// A digest of the state and the question now.
    fn digest(&self) -> Digest;
    /// What to say about this match in a report.
    fn tally(&self) -> Vec<(String, Value)>;
    /// How good the game thinks it stands for a seat, from 0 (lost) to 1,000 (won); `None` if it has no opinion. For
    /// the table's keeper: the whole state is looked at.
    fn appraise(&self, seat: Seat) -> Option<i32>;
    /// The set-up to go on with now that this match is over, if there is one.
    fn sequel(&self) -> Option<String>;
    /// Says what people want to know of the match: who plays, when. It is written into the head of the match file, and
    /// comes too late for a match of which something was written.
    fn tag(&mut self, tags: &[(String, String)]);
    /// An independent copy, with no bots seated.
    fn fork(&self) -> Box<dyn Table>;
    /// A match of its own that goes on from here by today's rules, with a file that says so: for a match that is
    /// watched as it was played. Nobody is seated.
    ///
    /// # Errors
    /// If a question waits here, or today's rules cannot go on from here.
    fn branch(&self) -> Result<Box<dyn Table>, Rejection>;
    /// A table of its own that stands where this one stood at a moment, to be looked at: it remembers that moment
    /// and nothing before it. Cheap, however long the match is.
    ///
    /// # Errors
    /// If there is no such moment.
    fn at(&self, moment: Moment) -> Result<Box<dyn Table>, Rejection>;
    /// A table of its own to try things at, that this viewer cannot tell from the one that stood here at a moment:
    /// what he may not know, coming dice included, is drawn by the lots of that `world`.
    ///
    /// # Errors
    /// If there is no such moment, or nothing can be tried from what the viewer knows.
    fn imagine(&self, moment: Moment, viewer: Viewer, world: u64) -> Result<Box<dyn Table>, Rejection>;
    /// A position that this viewer cannot tell from the present one, as [`imagine`](Table::imagine) draws it, for a
    /// table elsewhere to [`stand`](Table::stand) at.
    ///
    /// # Errors
    /// If nothing can be tried from what the viewer knows.
    fn sample(&self, viewer: Viewer, world: u64) -> Result<Value, Rejection>;
    /// Forgets what was played and stands at a position from now on. Bots stay seated.
    ///
    /// # Errors
    /// If it is no position of this game; then nothing is forgotten.
    fn stand(&mut self, position: &Value) -> Result<(), Rejection>;
    /// Whether anything may be kept from that viewer in this match.
    fn hides(&self, viewer: Viewer) -> bool;

    /// Every single step of what the input of a moment set off, for makers of games: what was done, what waits
    /// after it, and which fields changed. Nothing in it is hidden from anybody.
    fn steps(&self, moment: Moment) -> Vec<Value>;

    /// What is shown on the way from an input to what came of it, part by part: a scene before each part but the
    /// first. Nothing where an input has no parts, or where something may be hidden from that viewer.
    fn parts(&self, moment: Moment, viewer: Viewer) -> Vec<Scene>;

    /// Seats a bot.
    ///
    /// # Errors
    /// If there is no such bot or seat.
    fn seat_bot(&mut self, seat: Seat, name: &str, seed: u64) -> Result<(), Rejection>;
    /// The seats with bots, and their names.
    fn bots(&self) -> Vec<(Seat, String)>;
    /// If a bot is to act: its thinking.
    fn think(&self) -> Option<Thinking>;
    /// If a bot is to act: the number of the input it chooses.
    fn bot_choice(&self) -> Option<usize> {
        self.think().map(|thinking| thinking())
    }

    /// Why the bot of that name does what it does at the position before the input of a moment: what it weighed
    /// and what it expects. Its lots are those that follow from the seed of the match ([`bot_seed`]), so these are the
    /// reasons it had if it was the one to play and was seated with them, as programs on one machine seat bots. A
    /// server draws the bots' seed by lot where nobody named the match's: there a bot may have weighed otherwise. For the
    /// table's keeper: a bot's reasons tell what its seat knows.
    ///
    /// # Errors
    /// If there is no such moment or bot, or the bot has no reasons to give.
    fn why(&self, moment: Moment, bot: &str) -> Result<Reasons, Rejection>;

    /// How to tell the game that this seat's time has run out; `None` if it is not played by the clock.
    fn time_out(&self, seat: Seat) -> Option<TimeOut<Value>>;
}

/// The lines of play among the moments that somebody was told of, oldest end first.
fn told_lines(told: &[Moment], here: Moment, parent: impl Fn(Moment) -> Option<Moment>) -> Vec<BranchLine> {
    // The place in `told` of the last one on the way to a moment, itself included.
    let place = |moment: Moment| {
        let mut way = std::iter::successors(Some(moment), |at| parent(*at));
        way.find_map(|at| told.binary_search(&at).ok()).unwrap_or(0)
    };
    let before: Vec<usize> = told.iter().map(|moment| parent(*moment).map_or(0, &place)).collect();
    let mut is_tip = vec![true; told.len()];
    before.iter().skip(1).for_each(|at| is_tip[*at] = false);
    // Those before come first: how long a line is, and whether one is here, is known of them already.
    let here = place(here);
    let (mut length, mut leads_here) = (vec![0; told.len()], vec![here == 0; told.len()]);
    for at in 1..told.len() {
        length[at] = length[before[at]] + 1;
        leads_here[at] = at == here || leads_here[before[at]];
    }
    let mut seen = vec![false; told.len()];
    let mut lines = Vec::new();
    for tip in (0..told.len()).filter(|tip| is_tip[*tip]) {
        // Every moment is passed once: what is seen already is another line's.
        let mut fork = tip;
        while fork > 0 && !seen[fork] {
            seen[fork] = true;
            fork = before[fork];
        }
        lines.push(BranchLine {
            tip: told[tip],
            forked_at: told[fork],
            length: length[tip],
            current: leads_here[tip],
            last: String::new(),
        });
    }
    lines
}

fn not_yours() -> Rejection {
    Rejection::new("NOT_YOURS", "this is not yours to send now: another seat may, or a referee")
}

fn unwritable(error: Unwritable) -> Rejection {
    Rejection::new("UNWRITABLE", error.text)
}

/// A match of game `G` as a [`Table`].
pub(crate) struct Session<G: Hosted> {
    played: Match<G, Trace<G>>,
    bots: Vec<Seated<G>>,
    /// Its header, if the match was read from a file or was given tags.
    header: Option<Header<G::Setup>>,
    /// The files of content that lie over the game's own.
    packs: Vec<ContentPart>,
    /// Behind the lines of the match file that were given out.
    writer: Option<Writer>,
    /// What the file held.
    held: Option<Verified>,
    /// In what it was played by other rules or content than today's.
    differs: Vec<String>,
    /// The match was opened as it was played.
    watched: bool,
    /// What was before the moment that was asked about last: everybody who looks asks about the same one.
    before: RefCell<Option<Before<G>>>,
    /// Who was told of what, as far as it was asked for.
    heard: RefCell<Vec<Heard>>,
}

/// The moments that a viewer was told of, among the first so many.
struct Heard {
    viewer: Viewer,
    looked_at: Moment,
    moments: Vec<Moment>,
}

impl<G: Hosted> Session<G> {
    pub fn new(played: Match<G, Trace<G>>, packs: Vec<ContentPart>) -> Self {
        Session {
            played,
            bots: Vec::new(),
            header: None,
            packs,
            writer: None,
            held: None,
            differs: Vec::new(),
            watched: false,
            before: RefCell::default(),
            heard: RefCell::default(),
        }
    }

    /// A match that was read, and in what it was played by other rules or content: today's play it the same, and what
    /// is played from here on is played by them.
    pub fn opened(opened: Opened<G, Trace<G>>, packs: Vec<ContentPart>, differs: Vec<String>) -> Self {
        let Opened { header, game, mut writer, verified } = opened;
        let mut session = Session::new(game, packs);
        let header = match differs.is_empty() {
            true => header,
            false => header.under(session.header().terms()),
        };
        if !differs.is_empty() {
            writer.go_on_by(header.terms());
        }
        (session.header, session.writer) = (Some(header), Some(writer));
        (session.held, session.differs) = (Some(verified), differs);
        session
    }

    pub fn watched(watched: Watched<G>, packs: Vec<ContentPart>) -> Self {
        Session { header: Some(watched.header), watched: true, ..Session::new(watched.game, packs) }
    }

    /// Only what today's rules play can be written.
    fn writable(&self) -> Result<(), Rejection> {
        if self.watched {
            let text = "a match that is watched as it was played is not written anew: keep its file";
            return Err(Rejection::new(code::ONLY_WATCHED, text));
        }
        Ok(())
    }

    /// Takes the writer, which begins with the first lines if nothing was written yet.
    fn writer(&self) -> Result<(Writer, String), Rejection> {
        self.writable()?;
        match &self.writer {
            Some(writer) => Ok((writer.clone(), String::new())),
            None => Writer::begin(&self.header(), &self.played).map_err(unwritable),
        }
    }

    /// Asks about a moment, with what was before it.
    fn about<T>(&self, moment: Moment, ask: impl FnOnce(&Before<G>) -> T) -> Option<T> {
        let mut kept = self.before.borrow_mut();
        if kept.as_ref().is_none_or(|before| before.moment() != moment) {
            *kept = self.played.before(moment, kept.take());
        }
        kept.as_ref().map(ask)
    }

    /// What happened at a moment, as that viewer may see it.
    fn seen(&self, moment: Moment, viewer: Viewer) -> Vec<FactOf<G>> {
        self.about(moment, |before| self.played.entries_seen(before, viewer)).unwrap_or_default()
    }

    fn value<T: Serialize>(value: T) -> Value {
        serde_json::to_value(value).unwrap_or_default()
    }

    /// A fact with its event in the form that other programs read.
    fn written_fact(&self, fact: &FactOf<G>) -> Value {
        match fact {
            Fact::Event(event) => {
                json!({ "event": self.played.game().write_event(self.played.state(), event) })
            }
            Fact::Answered(answer) => {
                let mut input = self.played.game().write_input(&turnstone::Input::Choose(answer.clone()));
                json!({ "answered": input["choose"].take() })
            }
            Fact::Asked(Pending { seat, question }) => {
                let question = self.played.game().write_question(question);
                json!({ "asked": { "seat": seat, "question": question } })
            }
            Fact::ActionRejected { .. } => Self::value(fact),
        }
    }

    /// A match of its own that goes on from here, by today's rules.
    fn branched(&self) -> Result<Self, Rejection> {
        if self.played.pending().is_some() {
            let text =
                "a question waits here, and what waits behind it is not in the file: go back to before it";
            return Err(Rejection::new(code::ONLY_WATCHED, text));
        }
        let mut branch = self.starting_from(Position::new(self.played.state().clone()))?;
        let old = self.header();
        let branch_of = Some(self.played.here());
        let header = Header { tags: old.tags, salt: old.salt, branch: branch_of, ..branch.header() };
        branch.header = Some(header);
        Ok(branch)
    }

    fn header(&self) -> Header<G::Setup> {
        if let Some(header) = &self.header {
            return header.clone();
        }
        let (game, setup) = (self.played.game(), self.played.setup().clone());
        let header = Header::new(G::NAME, game.ruleset(), game.content(), setup, self.played.seed());
        let content = header.content.into_iter().chain(self.packs.iter().cloned()).collect();
        Header { rules: G::RULES, content, names: game.names(self.played.state()), ..header }
    }

    /// Marks the cells at which the last action happened, as far as that viewer may know.
    fn mark_recent(&self, board: &mut Board, viewer: Viewer) {
        let (game, width) = (self.played.game(), usize::from(board.width));
        for fact in self.seen(self.played.here(), viewer) {
            let Fact::Event(event) = fact else { continue };
            for (x, y) in game.touched(self.played.state(), &event) {
                let cell = board.cells.get_mut(usize::from(y) * width + usize::from(x));
                if let Some(cell) = cell {
                    cell.recent = true;
                }
            }
        }
    }

    fn may_act(&self, viewer: Viewer) -> bool {
        viewer != Viewer::Spectator && self.played.actor().is_none_or(|seat| viewer.may_see(seat))
    }

    /// What that viewer may send now.
    fn offers(&self, viewer: Viewer) -> Vec<InputOf<G>> {
        if !self.may_act(viewer) {
            return Vec::new();
        }
        let (game, position) = (self.played.game(), self.played.position());
        let mut inputs = self.played.inputs();
        if let Viewer::Seat(seat) = viewer {
            inputs.retain(|input| game.may_send(position, seat, input));
        }
        inputs
    }

    /// The same game from some position on.
    fn starting_from(&self, position: Position<G>) -> Result<Self, Rejection> {
        let (game, setup) = (Arc::clone(self.played.game()), self.played.setup().clone());
        let played = Match::from_position(game, setup, self.played.seed(), position)?;
        Ok(Session::new(played, self.packs.clone()))
    }

    /// A position that looks the same to a seat. A game that hides things but draws none of them by lot gives
    /// what the seat sees and no more. That a sample is what is true is never looked at: it would be told by it.
    fn imagined(&self, position: &Position<G>, seat: Seat, lots: &mut Lots) -> Position<G> {
        match self.played.game().seen(position, seat) {
            Cow::Owned(seen) if G::secrets().is_empty() => seen,
            Cow::Owned(_) | Cow::Borrowed(_) => self.played.game().sample(position, seat, lots),
        }
    }

    /// A position that looks the same to that viewer, by the lots of a world. What several seats see is drawn for none
    /// who watches: what is drawn for one of them follows from what he knows, and that is kept from spectators too.
    fn drawn(&self, position: Position<G>, viewer: Viewer, world: u64) -> Result<Position<G>, Rejection> {
        let seats = match viewer {
            Viewer::All => Vec::new(),
            Viewer::Seat(seat) => vec![seat],
            // What is to come is drawn anew.
            Viewer::Spectator => (0..self.seats().len() as Seat).collect(),
        };
        if seats.len() > 1 && self.played.game().hides(position.state(), viewer) {
            let text = "who watches tries nothing while something is hidden from him: take a seat, or wait for the end";
            return Err(Rejection::new("NOT_FOR_SPECTATORS", text));
        }
        let mut lots = Lots::new(world, Stream::named("what if"));
        Ok(seats.into_iter().fold(position, |position, seat| self.imagined(&position, seat, &mut lots)))
    }

    /// What whoever is to act at a moment has before him.
    fn standing(&self, moment: Moment) -> Option<Standing<G>> {
        let position = self.played.position_at(moment).ok()?;
        let depth = std::iter::successors(self.played.parent(moment), |at| self.played.parent(*at)).count();
        let inputs = position.inputs(self.played.game());
        Some(Standing { position, inputs, depth: depth as u32 })
    }

    /// The moments before one at which that seat was to choose, the latest first. Where anybody may act, the first seat
    /// is asked.
    fn own_moments(&self, moment: Moment, seat: Seat) -> impl Iterator<Item = Moment> {
        let earlier = std::iter::successors(self.played.parent(moment), |at| self.played.parent(*at));
        let actor = |at| Some(self.played.position_at(at).ok()?.actor(self.played.game()).unwrap_or(0));
        earlier.filter(move |at| actor(*at) == Some(seat))
    }

    /// A bot that is to choose here, and what it must be asked about first, so that it has in mind what it would have
    /// if it had chosen at every moment of the stretch.
    fn ready(&self, bot: &Seated<G>, here: &Standing<G>) -> Option<(Player<G>, Vec<Standing<G>>)> {
        let kept = bot.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (at, mut player) = match kept {
            Some(kept) => kept,
            None => (Some(self.here()), player::<G>(&bot.name, bot.seat, bot.seed).ok()?),
        };
        let stretch = player.stretch(self.played.game(), &here.position, &here.inputs);
        if stretch.is_none() || at == self.own_moments(self.here(), bot.seat).next() {
            return Some((player, Vec::new()));
        }
        player.recall(None);
        let before = self.choices_before(self.here(), &player);
        Some((player, before))
    }

    /// What a player was to choose from before a moment in the same stretch of the match, the earliest first.
    fn choices_before(&self, moment: Moment, player: &Player<G>) -> Vec<Standing<G>> {
        let game = self.played.game();
        let stretch = |then: &Standing<G>| player.stretch(game, &then.position, &then.inputs);
        let Some(now) = self.standing(moment).as_ref().and_then(stretch) else { return Vec::new() };
        let earlier = self.own_moments(moment, player.seat()).filter_map(|at| self.standing(at));
        let mut before: Vec<_> = earlier.take_while(|then| stretch(then) == Some(now)).collect();
        before.reverse();
        debug_assert!(before.windows(2).all(|pair| pair[0].depth < pair[1].depth), "a line goes on");
        before
    }

    /// The question that waits, as far as that viewer may know.
    fn asked(&self, viewer: Viewer) -> Option<Pending<G::Question>> {
        let Pending { seat, question } = self.played.pending()?;
        let question = self.played.game().redact_question(self.played.state(), *seat, question, viewer)?;
        Some(Pending { seat: *seat, question })
    }
}

/// A match that somebody has in hand, as a table.
pub fn table_of<G: Hosted>(played: Match<G, Trace<G>>) -> Box<dyn Table> {
    Box::new(Session::new(played, Vec::new()))
}

/// A step as other programs read it. `state` is as it was before, and is brought up to date.
fn told_step<G: Hosted>(kept: &Kept<G>, state: &mut Value) -> Value {
    const FIELDS: usize = 64;
    let words = |effects: &[G::Effect]| effects.iter().map(|one| format!("{one:?}")).collect::<Vec<_>>();
    let mut step = match &kept.done {
        Done::Opened => json!({ "step": "opened" }),
        Done::Idled => json!({ "step": "idled" }),
        Done::Taken(effect, cause) => {
            let by = cause.by.as_ref().map(|by| format!("{by:?}"));
            json!({ "step": "taken", "effect": format!("{effect:?}"), "after": cause.after, "by": by })
        }
        Done::Expanded(expanded) => json!({ "step": "expanded", "to": format!("{expanded:?}") }),
        Done::Before(listener, verdict, effect) => {
            let (listener, verdict) = (format!("{listener:?}"), format!("{verdict:?}"));
            json!({ "step": "before", "listener": listener, "verdict": verdict, "effect": format!("{effect:?}") })
        }
        Done::Settled(settled) => json!({ "step": "settled", "to": format!("{settled:?}") }),
        Done::Applied(event, live) => {
            let after = serde_json::to_value(&live.state).unwrap_or_default();
            let fields = differences(state, &after, FIELDS).into_iter();
            let fields: Vec<Value> = fields
                .map(|one| json!({ "field": one.path, "before": one.expected, "after": one.found }))
                .collect();
            *state = after;
            json!({ "step": "applied", "event": format!("{event:?}"), "fields": fields })
        }
        Done::Followed(event) => json!({ "step": "followed", "event": format!("{event:?}") }),
        Done::After(listener, event) => {
            json!({ "step": "after", "listener": format!("{listener:?}"), "event": format!("{event:?}") })
        }
        Done::Queued => json!({ "step": "queued" }),
    };
    step["queue"] = words(&kept.queue).into();
    step["agenda"] = words(&kept.agenda).into();
    step["proposed"] = words(&kept.proposed).into();
    step
}

/// A position as JSON, by way of text, as it is read again: match files write and read texts, so there need be no second
/// reader and writer of every effect of a game.
fn position_value<G: Hosted>(position: Position<G>) -> Value {
    let text = serde_json::to_string(&position).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

impl<G: Hosted> Table for Session<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }
    fn seed(&self) -> u64 {
        self.played.seed()
    }
    fn seed_text(&self) -> String {
        G::tell_seed(self.played.seed())
    }
    fn ruleset(&self) -> Value {
        self.played.game().ruleset()
    }
    fn seats(&self) -> Vec<String> {
        self.played.game().seats(self.played.state())
    }
    fn actor(&self) -> Option<Seat> {
        self.played.actor()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.played.outcome()
    }

    fn inputs(&self, viewer: Viewer) -> Vec<Value> {
        let game = self.played.game();
        self.offers(viewer).iter().map(|input| game.write_input(input)).collect()
    }

    fn act(&mut self, input: &Value) -> Result<Moment, Rejection> {
        let input = self.played.game().read_input(self.played.position(), input)?;
        self.played.act(input)
    }

    fn act_from(&mut self, seat: Seat, input: &Value) -> Result<Moment, Rejection> {
        let game = self.played.game();
        let input = game.read_input(self.played.position(), input)?;
        if !game.may_send(self.played.position(), seat, &input) {
            return Err(not_yours());
        }
        self.played.try_act(&input)
    }

    fn choose(&mut self, number: usize) -> Result<Moment, Rejection> {
        let mut inputs = self.played.inputs();
        if number >= inputs.len() {
            let text = format!("there is no input {number}: there are {} now", inputs.len());
            return Err(Rejection::new(code::MALFORMED, text));
        }
        self.played.act(inputs.swap_remove(number))
    }

    fn choose_from(&mut self, seat: Seat, number: usize) -> Result<Moment, Rejection> {
        let inputs = self.offers(Viewer::Seat(seat));
        let Some(input) = inputs.get(number) else {
            let text = format!("you have no input {number}: there are {} for you now", inputs.len());
            return Err(Rejection::new(code::MALFORMED, text));
        };
        self.played.try_act(input)
    }

    fn parse(&self, text: &str) -> Option<Value> {
        let game = self.played.game();
        game.parse_input(self.played.position(), text).map(|input| game.write_input(&input))
    }

    fn question(&self, viewer: Viewer) -> Option<Value> {
        let Pending { seat, question } = self.asked(viewer)?;
        let words = self.played.game().tell_question(self.played.state(), &question);
        let question = self.played.game().write_question(&question);
        Some(json!({ "seat": seat, "question": question, "text": words }))
    }

    fn view(&self, viewer: Viewer) -> Value {
        self.played.game().view(self.played.state(), viewer)
    }

    fn scene(&self, viewer: Viewer) -> Scene {
        let inputs = self.offers(viewer);
        let mut scene = self.played.game().scene(self.played.position(), &inputs, viewer);
        if let Some(pending) = self.played.pending() {
            let (asked, game) = (self.asked(viewer), self.played.game());
            if asked.as_ref() != Some(pending) {
                scene.question = asked.map(|part| game.tell_question(self.played.state(), &part.question));
            }
        }
        if let Some(board) = &mut scene.board {
            self.mark_recent(board, viewer);
        }
        scene
    }

    fn log(&self, viewer: Viewer) -> Vec<Value> {
        self.played.log_for(viewer).iter().map(|fact| self.written_fact(fact)).collect()
    }
    fn news(&self, moment: Moment, viewer: Viewer) -> Vec<Value> {
        self.seen(moment, viewer).iter().map(|fact| self.written_fact(fact)).collect()
    }
    fn hears(&self, moment: Moment, viewer: Viewer) -> bool {
        !self.seen(moment, viewer).is_empty()
    }
    fn explain(&self, moment: Moment, viewer: Viewer) -> Explanation {
        self.about(moment, |before| self.played.explain_seen(before, viewer)).unwrap_or_default()
    }

    fn story(&self, number: &str, line: &[Moment], viewer: Viewer) -> Option<Story> {
        let explain = |moment| self.explain(moment, viewer);
        Teller { played: &self.played, viewer, explain }.tell(number, line)
    }

    fn undo(&mut self) -> bool {
        self.played.undo()
    }
    fn redo(&mut self) -> bool {
        self.played.redo()
    }
    fn jump(&mut self, moment: Moment) -> Result<(), Rejection> {
        self.played.jump(moment)
    }
    fn here(&self) -> Moment {
        self.played.here()
    }
    fn moments(&self) -> u32 {
        self.played.moments()
    }
    fn line(&self) -> Vec<Moment> {
        self.played.line()
    }
    fn facts(&self, moment: Moment) -> (u32, usize) {
        (self.played.serial(moment), self.played.entries(moment).len())
    }

    fn told(&self, viewer: Viewer) -> Vec<Moment> {
        if !self.hides(viewer) {
            return (0..self.moments()).collect();
        }
        let mut all = self.heard.borrow_mut();
        let at = all.iter().position(|heard| heard.viewer == viewer).unwrap_or_else(|| {
            all.push(Heard { viewer, looked_at: 1, moments: vec![0] });
            all.len() - 1
        });
        let Heard { looked_at, moments, .. } = &mut all[at];
        moments.extend((*looked_at..self.moments()).filter(|moment| self.hears(*moment, viewer)));
        *looked_at = self.moments();
        debug_assert!(moments.is_sorted(), "moments are told in the order in which they were played");
        moments.clone()
    }

    fn branches(&self, viewer: Viewer) -> Vec<BranchLine> {
        let words = |tip| {
            let told = self.explain(tip, viewer).lines.into_iter().next();
            let unknown = if tip == 0 { "the start" } else { "" };
            told.map_or_else(|| unknown.to_owned(), |line| line.text)
        };
        let told = self.told(viewer);
        let lines = told_lines(&told, self.here(), |moment| self.played.parent(moment));
        lines.into_iter().map(|line| BranchLine { last: words(line.tip), ..line }).collect()
    }

    fn save(&self) -> Result<String, Rejection> {
        self.writable()?;
        file::write(&self.header(), &self.played).map_err(unwritable)
    }

    fn unsaved(&mut self) -> Result<String, Rejection> {
        let (mut writer, first) = self.writer()?;
        let text = first + &writer.append(&self.played).map_err(unwritable)?;
        self.writer = Some(writer);
        Ok(text)
    }

    fn close(&mut self) -> Result<String, Rejection> {
        let (mut writer, first) = self.writer()?;
        let text = first + &writer.close(&self.played).map_err(unwritable)?;
        self.writer = Some(writer);
        Ok(text)
    }

    fn loaded(&self) -> Option<Verified> {
        self.held
    }

    fn differs(&self) -> &[String] {
        &self.differs
    }

    fn digest(&self) -> Digest {
        self.played.position().live().digest()
    }
    fn tally(&self) -> Vec<(String, Value)> {
        self.played.game().tally(self.played.state())
    }
    fn appraise(&self, seat: Seat) -> Option<i32> {
        self.played.game().appraise(self.played.state(), seat)
    }
    fn sequel(&self) -> Option<String> {
        self.played.game().sequel(self.played.state())
    }
    fn tag(&mut self, tags: &[(String, String)]) {
        if self.writer.is_none() {
            let mut header = self.header();
            header.tags.extend(tags.iter().cloned());
            self.header = Some(header);
        }
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(Session::new(self.played.clone(), self.packs.clone()))
    }

    fn branch(&self) -> Result<Box<dyn Table>, Rejection> {
        Ok(Box::new(self.branched()?))
    }

    fn at(&self, moment: Moment) -> Result<Box<dyn Table>, Rejection> {
        let found = self.played.position_at(moment)?;
        let input = self.played.input(moment).zip(self.played.parent(moment));
        if let Some((input, parent)) = input {
            let mut then = self.starting_from(self.played.position_at(parent)?)?;
            // What was played once is played again, unless the rules have changed since.
            if then.played.try_act(input).is_ok() && then.played.state() == found.state() {
                return Ok(Box::new(then));
            }
        }
        Ok(Box::new(self.starting_from(found)?))
    }

    fn imagine(&self, moment: Moment, viewer: Viewer, world: u64) -> Result<Box<dyn Table>, Rejection> {
        let position = self.played.position_at(moment)?;
        Ok(Box::new(self.starting_from(self.drawn(position, viewer, world)?)?))
    }

    fn sample(&self, viewer: Viewer, world: u64) -> Result<Value, Rejection> {
        let drawn = self.drawn(self.played.position().clone(), viewer, world)?;
        let mut position = position_value::<G>(drawn.admit(self.played.game())?);
        if viewer != Viewer::All {
            // Facts are counted whoever sees them: their number would tell of those that nobody told him.
            position["live"]["serial"] = 0.into();
        }
        Ok(position)
    }

    fn stand(&mut self, position: &Value) -> Result<(), Rejection> {
        let position: Position<G> = serde_json::from_str(&position.to_string())
            .map_err(|error| Rejection::new(code::MALFORMED, format!("this is no position: {error}")))?;
        let stands = self.starting_from(position)?;
        self.bots = std::mem::replace(self, stands).bots;
        // It is the same match to them, of which they saw the moments before elsewhere.
        for bot in &self.bots {
            if let Some((at, _)) = &mut *bot.kept.lock().unwrap_or_else(PoisonError::into_inner) {
                *at = None;
            }
        }
        Ok(())
    }

    fn hides(&self, viewer: Viewer) -> bool {
        self.played.game().hides(self.played.state(), viewer)
    }

    fn steps(&self, moment: Moment) -> Vec<Value> {
        let Some(parent) = self.played.parent(moment) else { return Vec::new() };
        let Ok(before) = self.played.position_at(parent) else { return Vec::new() };
        let mut state = Self::value(before.state());
        self.played.steps(moment).iter().map(|kept| told_step::<G>(kept, &mut state)).collect()
    }

    fn parts(&self, moment: Moment, viewer: Viewer) -> Vec<Scene> {
        let game = self.played.game();
        let before = self.played.parent(moment).and_then(|parent| self.played.position_at(parent).ok());
        let Some(before) = before.filter(|before| !game.hides(before.state(), viewer)) else {
            return Vec::new();
        };
        let (mut live, mut scenes, mut moved) = (before.live().clone(), Vec::new(), false);
        for entry in self.played.entries(moment) {
            let motion = entry.fact.event().map_or(Motion::Still, |event| game.motion(event));
            if moved && motion == Motion::Own {
                scenes.push(game.scene(&Position::new(live.state.clone()), &[], viewer));
                moved = false;
            }
            fold(&**game, &mut live, &entry.fact);
            moved |= motion != Motion::Still;
        }
        scenes
    }

    fn seat_bot(&mut self, seat: Seat, name: &str, seed: u64) -> Result<(), Rejection> {
        let seats = self.seats();
        if usize::from(seat) >= seats.len() {
            let text = format!("there is no seat {seat}: there are {} ({})", seats.len(), seats.join(", "));
            return Err(Rejection::new("UNKNOWN_SEAT", text));
        }
        let kept = Arc::new(Mutex::new(Some((None, player::<G>(name, seat, seed)?))));
        self.bots.retain(|bot| bot.seat != seat);
        self.bots.push(Seated { seat, name: name.to_owned(), seed, kept });
        Ok(())
    }

    fn bots(&self) -> Vec<(Seat, String)> {
        self.bots.iter().map(|bot| (bot.seat, bot.name.clone())).collect()
    }

    fn think(&self) -> Option<Thinking> {
        // Where anybody may act and only bots sit, the first of them does, as in matches that nobody watches.
        let alone = self.bots.len() >= self.seats().len() && self.outcome().is_none();
        let seat = self.played.actor().or(alone.then_some(0))?;
        let (position, inputs, depth) = (self.played.position(), self.played.inputs(), self.played.depth());
        if inputs.is_empty() {
            return None;
        }
        let here = Standing { position: position.clone(), inputs, depth };
        let bot = self.bots.iter().find(|bot| bot.seat == seat)?;
        let (mut player, before) = self.ready(bot, &here)?;
        let (game, moment, kept) = (Arc::clone(self.played.game()), self.here(), Arc::clone(&bot.kept));
        Some(Box::new(move || {
            for then in &before {
                player.choose(&game, &then.position, &then.inputs, then.depth);
            }
            let chosen = player.choose(&game, &here.position, &here.inputs, here.depth);
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some((Some(moment), player));
            chosen
        }))
    }

    fn why(&self, moment: Moment, bot: &str) -> Result<Reasons, Rejection> {
        let missing = || Rejection::new("NO_SUCH_MOMENT", format!("no input led to moment {moment}"));
        let parent = self.played.parent(moment).ok_or_else(missing)?;
        let Standing { position, inputs, depth } = self.standing(parent).ok_or_else(missing)?;
        let game = &**self.played.game();
        let seat = position.actor(game).unwrap_or(0);
        let mut player = player::<G>(bot, seat, bot_seed(self.seed()))?;
        for then in self.choices_before(parent, &player) {
            player.choose(game, &then.position, &then.inputs, then.depth);
        }
        let silent = || Rejection::new("NO_REASONS", format!("{bot} does not say why; searchers do"));
        let why = player.why(game, &position, &inputs, depth).ok_or_else(silent)?;
        let told = |input| tell_input(game, &position, input).unwrap_or_default();
        let label = |index: usize| inputs.get(index).map_or(String::new(), told);
        let mut order: Vec<usize> = (0..why.options.len().min(inputs.len())).collect();
        order.sort_by(|a, b| {
            let (one, other) = (&why.options[*a], &why.options[*b]);
            (*b == why.best)
                .cmp(&(*a == why.best))
                .then(other.visits.cmp(&one.visits))
                .then(other.value.total_cmp(&one.value))
        });
        let options = order.iter().map(|index| {
            let weighed = &why.options[*index];
            (label(*index), weighed.visits, weighed.value)
        });
        Ok(Reasons {
            bot: bot.to_owned(),
            seat,
            chosen: label(why.best),
            played: self.played.input(moment).map_or(String::new(), told),
            options: options.collect(),
            line: why.line,
        })
    }

    fn time_out(&self, seat: Seat) -> Option<TimeOut<Value>> {
        let TimeOut { round, input } = self.played.game().time_out(self.played.state(), seat)?;
        Some(TimeOut { round, input: input.map(|input| self.played.game().write_input(&input)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_among_what_one_was_told_of_hide_where_the_others_lie() {
        // 0 - 1 - 2 - 3, and from 1 another way: 4 - 5.
        let parent = |moment: Moment| [None, Some(0), Some(1), Some(2), Some(1), Some(4)][moment as usize];
        let lines = |told: &[Moment], here| -> Vec<(Moment, Moment, u32, bool)> {
            let lines = told_lines(told, here, parent).into_iter();
            lines.map(|line| (line.tip, line.forked_at, line.length, line.current)).collect()
        };
        assert_eq!(lines(&[0, 1, 2, 3, 4, 5], 3), [(3, 0, 3, true), (5, 1, 3, false)]);
        assert_eq!(lines(&[0, 2, 5], 3), [(2, 0, 1, true), (5, 0, 1, false)]);
        assert_eq!(lines(&[0, 1, 2], 5), [(2, 0, 2, true)], "the other way was never heard of");
        assert_eq!(lines(&[0], 5), [(0, 0, 0, true)]);
    }
}

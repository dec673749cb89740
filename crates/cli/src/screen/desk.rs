//! What the player sees and points at: scene, cursor, picks.

use std::time::{Duration, Instant};

use anyhow::Result;
use ratatui::layout::Rect;
use ratatui::style::Style;
use turnstone_table::scene::{Choice, Pick, Scene};
use turnstone_table::{Moment, Rejection, Viewer};

use super::log::Log;
use super::mouse::Spot;
use super::overlay::{Deed, Overlay, Scroll};
use super::reel::Reel;
use super::theme::Theme;
use super::thought::{Answer, Thought};
use super::typing::Typed;
use crate::out::screen_colours;
use crate::play::Play;
use crate::render::{RUN, is_marked, split_label};
use crate::store::Store;

/// What is being done at the desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A match is played.
    Play,
    /// A match is looked at.
    Replay,
}

/// Where the arrow keys go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    Board,
    Panel(usize),
    Options,
    Log,
}

/// The desk.
pub struct Desk {
    pub play: Play,
    pub store: Store,
    pub mode: Mode,
    pub theme: Theme,
    pub scene: Scene,
    pub viewer: Viewer,
    pub focus: Focus,
    /// Column and row of the cursor on the board.
    pub cell: (u16, u16),
    /// The line of the cursor in each panel.
    pub items: Vec<usize>,
    /// The line of the cursor in the list of options that fit.
    pub option: usize,
    /// What has been pointed at so far.
    pub picks: Vec<Pick>,
    /// The first pick was made by the desk, because there was only one.
    pub led: bool,
    /// The cursor was sent to look around although the arrows walk.
    pub roaming: bool,
    /// Where the focus was when pointing began.
    pub home: Option<Focus>,
    /// The shape of what was drawn last, and in how many columns its lists stood.
    pub settled: ((Rect, Vec<String>), u16),
    /// Whether the log was drawn.
    pub log_in_sight: bool,
    pub log: Log,
    /// Lines the log is scrolled up from its end.
    pub log_up: usize,
    pub message: Option<(String, Style)>,
    pub overlay: Option<Overlay>,
    /// How far the text is scrolled that lies over the desk.
    pub scroll: Scroll,
    /// Bots, clocks and replays wait.
    pub paused: bool,
    /// What the bot whose turn it is thinks.
    pub thought: Option<Thought>,
    /// What a bot thinks who was asked for advice, and its name.
    pub hint: Option<(Thought, String)>,
    /// The reasons that a bot was asked for.
    pub asked: Option<super::reasons::Asked>,
    /// What is being typed.
    pub typed: Typed,
    /// The match that is looked at.
    pub reel: Reel,
    /// The log shows the present moment alone, with every reason.
    pub why: bool,
    /// The board was turned round by hand.
    pub flipped: bool,
    /// What was drawn where.
    pub spots: Vec<(Rect, Spot)>,
    pub leaving: bool,
}

impl Desk {
    pub fn new(mut play: Play, store: Store, mode: Mode) -> Self {
        let theme = Theme { colours: screen_colours() };
        let reel = Reel::new(&mut *play.table, mode);
        let mut desk = Desk {
            play,
            store,
            mode,
            theme,
            scene: Scene::default(),
            viewer: Viewer::All,
            focus: Focus::Options,
            cell: (0, 0),
            items: Vec::new(),
            option: 0,
            picks: Vec::new(),
            led: false,
            roaming: false,
            home: None,
            settled: Default::default(),
            log_in_sight: true,
            log: Log::default(),
            log_up: 0,
            message: None,
            overlay: None,
            scroll: Scroll::default(),
            paused: mode == Mode::Replay,
            thought: None,
            hint: None,
            asked: None,
            typed: Typed::default(),
            reel,
            why: false,
            flipped: false,
            spots: Vec::new(),
            leaving: false,
        };
        desk.refresh();
        desk.overlay = None;
        desk.first_focus();
        desk
    }

    /// Looks at the table again after something has happened there.
    pub fn refresh(&mut self) {
        let viewer = if self.mode == Mode::Replay { Viewer::All } else { self.play.viewer() };
        if let (Viewer::Seat(from), Viewer::Seat(to)) = (self.viewer, viewer)
            && from != to
            && self.play.table.view(self.viewer) != self.play.table.view(viewer)
        {
            // Two people at one screen: what one of them may see is not for the other.
            self.overlay = Some(Overlay::HandOver(to));
        }
        self.viewer = viewer;
        let scene = self.play.table.scene(viewer);
        self.show(scene);
    }

    /// Shows another scene; cursors stay where they can.
    pub fn show(&mut self, scene: Scene) {
        self.typed = Typed::default();
        let before = std::mem::replace(&mut self.scene, scene);
        if self.mode == Mode::Replay {
            // Nothing can be done there any more: the log has the room.
            self.scene.options.clear();
        }
        self.picks.clear();
        self.led = false;
        self.roaming = false;
        self.option = 0;
        self.log_up = 0;
        self.keep_cursors(&before);
        self.follow_turn(&before);
        self.go_home();
        // Who plays on the board stays there, whatever comes and goes beside it.
        let on_board =
            self.focus == Focus::Board && self.scene.board.as_ref().is_some_and(|board| !board.aside);
        let stays = on_board || shape(&before) == shape(&self.scene);
        if !stays || !self.stops().contains(&self.focus) {
            self.first_focus();
        }
        self.lead();
        self.settle_cursor();
        self.settle_line();
    }

    /// Where the cursor stands on a line that cannot be picked, among others that can, it goes on to the next.
    fn settle_line(&mut self) {
        let Focus::Panel(index) = self.focus else { return };
        let Some(panel) = self.scene.panels.get(index) else { return };
        let open = |line: &usize| self.is_pickable(&Pick::Item(panel.id.clone(), *line as u16));
        let here = self.items[index];
        let next = (here..panel.items.len()).chain((0..here).rev()).find(open);
        self.items[index] = next.unwrap_or(here);
    }

    /// The cursors stay where they are as far as that is still somewhere; panels are known by their names.
    fn keep_cursors(&mut self, before: &Scene) {
        let line =
            |id: &str| before.panels.iter().position(|panel| panel.id == id).map(|index| self.items[index]);
        let lines = self
            .scene
            .panels
            .iter()
            .map(|panel| line(&panel.id).unwrap_or(0).min(panel.items.len().saturating_sub(1)));
        self.items = lines.collect();
        if let Some(board) = &self.scene.board {
            self.cell.0 = self.cell.0.min(board.width.saturating_sub(1));
            self.cell.1 = self.cell.1.min(board.height.saturating_sub(1));
            self.cell = board.focus.unwrap_or(self.cell);
        }
    }

    /// The cursor goes to whoever is to act when that is somebody else, or he stands elsewhere.
    fn follow_turn(&mut self, before: &Scene) {
        let active = active_cell(&self.scene);
        if active != active_cell(before) {
            self.cell = active.unwrap_or(self.cell);
        }
    }

    /// A cursor that has nothing to do where it is goes to the nearest cell that can be picked; first to
    /// those where something has just happened.
    fn settle_cursor(&mut self) {
        let Some(board) = &self.scene.board else { return };
        let all = (0..board.height).flat_map(|y| (0..board.width).map(move |x| (x, y)));
        let pickable: Vec<(u16, u16)> = all.filter(|&(x, y)| self.is_pickable(&Pick::Cell(x, y))).collect();
        // On whoever is to act an Enter does no harm.
        if self.led || active_cell(&self.scene) == Some(self.cell) || pickable.contains(&self.cell) {
            return;
        }
        let recent = |&(x, y): &(u16, u16)| {
            let cell = board.cells.get(usize::from(y) * usize::from(board.width) + usize::from(x));
            cell.is_some_and(is_marked)
        };
        let (x, y) = self.cell;
        let far =
            |cell: &&(u16, u16)| (!recent(cell), cell.0.abs_diff(x).max(cell.1.abs_diff(y)), cell.1, cell.0);
        self.cell = pickable.iter().min_by_key(far).copied().unwrap_or(self.cell);
    }

    /// Where everything begins with the same cell, such as the one whose turn it is, that cell is
    /// picked at once: reach and targets show without a key.
    fn lead(&mut self) {
        let mut firsts = self.scene.options.iter().filter_map(|option| match option.picks.first() {
            Some(Pick::Word(_)) | None => None,
            first => first,
        });
        let Some(Pick::Cell(x, y)) = firsts.next() else { return };
        let first = Pick::Cell(*x, *y);
        let several =
            self.scene.options.iter().any(|option| option.picks.len() > 1 && option.picks[0] == first);
        if several && firsts.all(|other| *other == first) && self.mode == Mode::Play {
            self.cell = (*x, *y);
            self.picks.push(first);
            self.led = true;
        }
    }

    /// Where one points first: the list of options if some are nowhere else, a cell, a line of a panel.
    fn first_focus(&mut self) {
        self.focus = self.stops()[0];
        let firsts = || self.scene.options.iter().map(|option| option.picks.first());
        let pointed = firsts().flatten().find(|pick| !matches!(pick, Pick::Word(_))).cloned();
        match pointed {
            _ if firsts().any(|first| first.is_none()) => self.focus = Focus::Options,
            Some(Pick::Cell(x, y)) => {
                self.cell = (x, y);
                self.focus = Focus::Board;
            }
            Some(Pick::Item(id, line)) => {
                if let Some(index) = self.scene.panels.iter().position(|panel| panel.id == id) {
                    self.items[index] = usize::from(line);
                    self.focus = Focus::Panel(index);
                }
            }
            // Words have keys of their own; on a board they walk.
            _ if self.focus == Focus::Board || self.scene.options.is_empty() => {}
            _ => self.focus = Focus::Options,
        }
    }

    /// Where Tab stops, in order.
    pub fn stops(&self) -> Vec<Focus> {
        let mut stops = Vec::new();
        let aside = self.scene.board.as_ref().map(|board| board.aside);
        if aside == Some(false) {
            stops.push(Focus::Board);
        }
        let panels = self.scene.panels.iter().enumerate().filter(|(_, panel)| !panel.items.is_empty());
        stops.extend(panels.map(|(index, _)| Focus::Panel(index)));
        if self.mode != Mode::Replay {
            stops.push(Focus::Options);
        }
        if aside == Some(true) {
            stops.push(Focus::Board);
        }
        stops.push(Focus::Log);
        stops
    }

    /// The numbers of the options that fit what has been picked.
    pub fn fitting(&self) -> Vec<usize> {
        let options = self.scene.options.iter().enumerate();
        options
            .filter(|(_, option)| option.picks.starts_with(&self.picks))
            .map(|(number, _)| number)
            .collect()
    }

    /// The numbers of the options in the order of the list: equal ones, such as the same card several times in a
    /// deck, are one; long runs of the same kind come last.
    pub fn listed(&self) -> Vec<usize> {
        let mut listed: Vec<usize> =
            if self.led { (0..self.scene.options.len()).collect() } else { self.fitting() };
        let alike = |one: usize, other: usize| self.scene.options[one] == self.scene.options[other];
        listed.dedup_by(|later, earlier| alike(*later, *earlier));
        if listed.len() > RUN {
            let kind = |number: usize| split_label(&self.scene.options[number].label).0;
            let long =
                |number: usize| listed.iter().filter(|&&other| kind(other) == kind(number)).count() >= RUN;
            let (runs, singles): (Vec<usize>, Vec<usize>) = listed.iter().partition(|&&number| long(number));
            listed = [singles, runs].concat();
        }
        listed
    }

    /// The pick after those made, of an option that fits.
    pub fn next_pick<'a>(&self, option: &'a Choice) -> Option<&'a Pick> {
        option.picks.starts_with(&self.picks).then(|| option.picks.get(self.picks.len())).flatten()
    }

    /// Whether that could be picked next.
    pub fn is_pickable(&self, pick: &Pick) -> bool {
        self.scene.options.iter().any(|option| self.next_pick(option) == Some(pick))
    }

    /// The pick the cursor is on.
    pub fn under_cursor(&self) -> Option<Pick> {
        match self.focus {
            Focus::Board => self.scene.board.as_ref().map(|_| Pick::Cell(self.cell.0, self.cell.1)),
            Focus::Panel(index) => {
                let panel = self.scene.panels.get(index)?;
                Some(Pick::Item(panel.id.clone(), self.items[index] as u16))
            }
            Focus::Options | Focus::Log => None,
        }
    }

    /// The option the cursor is on: the one in the list, or the only one a pick here would leave.
    pub fn option_under_cursor(&self) -> Option<&Choice> {
        if self.focus == Focus::Options {
            return self.scene.options.get(*self.listed().get(self.option)?);
        }
        let pick = self.under_cursor()?;
        let mut left = self.scene.options.iter().filter(|option| self.next_pick(option) == Some(&pick));
        let only = left.next()?;
        left.all(|other| other == only).then_some(only)
    }

    /// Whether the board shows a cursor: where the arrows walk, only while it looks around.
    pub fn has_cursor(&self) -> bool {
        let walks = ["up", "down", "left", "right"]
            .iter()
            .any(|word| self.is_pickable(&Pick::Word((*word).to_owned())));
        self.focus == Focus::Board && (self.roaming || !walks)
    }

    /// The text of the line the cursor is on.
    pub fn item_text(&self) -> &str {
        let Focus::Panel(index) = self.focus else { return "" };
        let panel = self.scene.panels.get(index);
        panel.and_then(|panel| panel.items.get(self.items[index])).map_or("", |item| &item.text)
    }

    /// Back to where pointing began.
    pub fn go_home(&mut self) {
        self.focus = self.home.take().unwrap_or(self.focus);
    }

    /// Where everything that can be pointed at next lies in one panel, the cursor goes there.
    fn go_to_target(&mut self) {
        let nexts = || self.scene.options.iter().filter_map(|option| self.next_pick(option));
        let first = nexts().find(|pick| !matches!(pick, Pick::Word(_)));
        let Some(Pick::Item(id, line)) = first.cloned() else { return };
        // Words have keys of their own, wherever the cursor is.
        let elsewhere = nexts()
            .filter(|pick| !matches!(pick, Pick::Word(_)))
            .any(|pick| !matches!(pick, Pick::Item(other, _) if *other == id));
        let Some(index) = self.scene.panels.iter().position(|panel| panel.id == id) else { return };
        if elsewhere || self.focus == Focus::Panel(index) {
            return;
        }
        self.home = self.home.or(Some(self.focus));
        self.focus = Focus::Panel(index);
        let here = Pick::Item(id, self.items[index] as u16);
        if !self.is_pickable(&here) {
            self.items[index] = usize::from(line);
        }
    }

    /// Whether the board says itself where one looks.
    fn has_eye(&self) -> bool {
        self.scene.board.as_ref().is_some_and(|board| board.focus.is_some())
    }

    /// What is known about the place under the cursor.
    pub fn note(&self) -> &str {
        match self.focus {
            Focus::Board if !self.has_cursor() && !self.has_eye() => "",
            Focus::Board => {
                let cell = self.scene.board.as_ref().and_then(|board| {
                    board
                        .cells
                        .get(usize::from(self.cell.1) * usize::from(board.width) + usize::from(self.cell.0))
                });
                cell.map_or("", |cell| &cell.note)
            }
            Focus::Panel(index) => {
                let panel = self.scene.panels.get(index);
                panel.and_then(|panel| panel.items.get(self.items[index])).map_or("", |item| &item.note)
            }
            Focus::Options | Focus::Log => "",
        }
    }

    /// Points at something. When that leaves one option and nothing more to point at, it is played;
    /// when several end here, a list asks which.
    pub fn pick(&mut self, pick: Pick) -> Result<()> {
        if !self.is_pickable(&pick) {
            // Pointing elsewhere begins anew.
            let begins = |option: &Choice| option.picks.first() == Some(&pick);
            if self.picks.is_empty() || !self.scene.options.iter().any(begins) {
                self.complain("Nothing can be done there now.");
                return Ok(());
            }
            self.picks.clear();
        }
        self.message = None;
        self.led = false;
        self.picks.push(pick);
        let fitting = self.fitting();
        let ends = |number: &&usize| self.scene.options[**number].picks.len() == self.picks.len();
        let alike = |number: &usize| self.scene.options[*number] == self.scene.options[fitting[0]];
        match (fitting.as_slice(), fitting.iter().filter(ends).count()) {
            ([first, rest @ ..], 1..) if rest.iter().all(alike) => self.choose(*first)?,
            (_, 0) => {
                self.option = 0;
                self.go_to_target();
            }
            _ => self.overlay = Some(Overlay::Choose { numbers: fitting, at: 0 }),
        }
        Ok(())
    }

    /// The player wants the option with that number. What cannot be taken back lightly is asked once.
    pub fn choose(&mut self, number: usize) -> Result<()> {
        if self.mode == Mode::Replay {
            self.complain("This is a replay: step with ← and →.");
            return Ok(());
        }
        // Who has pointed twice has thought about it.
        if self.picks.len() < 2 && self.scene.options.get(number).is_some_and(|option| option.grave) {
            self.overlay = Some(Overlay::Sure(Deed::Option(number)));
            return Ok(());
        }
        self.carry_out(number)
    }

    /// Plays the option with that number.
    pub fn carry_out(&mut self, number: usize) -> Result<()> {
        let result = self.play.act(|table| table.choose(number));
        self.after(result)
    }

    /// Shows what came of an input.
    pub fn after(&mut self, result: Result<Moment, Rejection>) -> Result<()> {
        self.message = None;
        if let Err(refusal) = result {
            self.complain(&refusal.to_string());
        }
        self.refresh();
        self.save()?;
        Ok(())
    }

    pub fn undo(&mut self) -> Result<()> {
        let moved = self.play.undo();
        self.travelled(moved, "There is nothing to undo.")
    }

    pub fn redo(&mut self) -> Result<()> {
        let moved = self.play.redo();
        self.travelled(moved, "There is nothing ahead.")
    }

    /// Back to the beginning; what was played stays a branch.
    pub fn restart(&mut self) -> Result<()> {
        let moved = self.play.table.here() != 0 && self.play.jump(0).is_ok();
        self.travelled(moved, "This is the beginning.")
    }

    /// Puts a won match away and begins the one that follows.
    pub fn go_on(&mut self) {
        let next = self.play.put_away().and_then(|()| self.play.next(&self.store));
        match next {
            Ok(play) => *self = Desk::new(play, self.store.clone(), Mode::Play),
            Err(error) => self.complain(&format!("{error:#}")),
        }
    }

    /// Asks the game's best bot what it would do; it thinks beside the keys.
    pub fn ask_hint(&mut self) {
        let table = &self.play.table;
        let bot = self.store.games.find(table.game()).and_then(|host| host.bots().last().cloned());
        let (Some(bot), Some(seat), false) = (bot, table.actor(), self.play.bot_is_next()) else {
            self.complain("There is nothing to advise now.");
            return;
        };
        let mut copy = table.fork();
        let seed = crate::play::bot_seed(&**table);
        let thought = copy.seat_bot(seat, &bot.id, seed).ok().and_then(|()| Thought::begin(&*copy));
        match thought {
            Some(thought) => {
                self.say(&format!("{} thinks about a hint …", bot.id));
                self.hint = Some((thought, bot.id));
            }
            None => self.complain("There is nothing to advise now."),
        }
    }

    /// Shows the advice that was asked for, once it is there; what is about another moment is forgotten.
    pub fn look_for_hint(&mut self) {
        let here = self.play.table.here();
        self.hint.take_if(|(thought, _)| !thought.is_about(here));
        let Some((thought, bot)) = &self.hint else { return };
        let told = match thought.answer() {
            Answer::Wait => return,
            Answer::Number(number) => {
                self.scene.options.get(number).map(|option| (number, option.label.clone()))
            }
            Answer::Failed => None,
        };
        match told {
            Some((number, label)) => {
                let told = format!("Hint by {bot}: {label}");
                self.say(&told);
                self.option =
                    self.listed().iter().position(|&listed| listed == number).unwrap_or(self.option);
            }
            None => self.complain("The bot has no advice."),
        }
        self.hint = None;
    }

    /// Whether the board is shown from its other side.
    pub fn is_turned(&self) -> bool {
        self.scene.board.as_ref().is_some_and(|board| board.turned != self.flipped)
    }

    /// How long what happens by itself stays on the screen.
    pub fn pause(&self) -> Duration {
        if self.mode == Mode::Replay { self.reel.pause() } else { super::BOT_PAUSE }
    }

    pub fn travelled(&mut self, moved: bool, otherwise: &str) -> Result<()> {
        self.message = None;
        if !moved {
            self.complain(otherwise);
            return Ok(());
        }
        self.refresh();
        self.save()
    }

    /// Saves a match that is played, if it is to be saved.
    pub fn save(&mut self) -> Result<()> {
        if self.mode == Mode::Play
            && let Err(error) = self.play.autosave()
        {
            self.complain(&format!("{error:#}"));
        }
        Ok(())
    }

    /// Saves and closes a match that is played.
    pub fn put_away(&mut self) -> Result<()> {
        if self.mode == Mode::Play { self.play.put_away() } else { Ok(()) }
    }

    pub fn complain(&mut self, text: &str) {
        self.message = Some((text.to_owned(), self.theme.error()));
    }

    pub fn say(&mut self, text: &str) {
        self.message = Some((text.to_owned(), self.theme.title()));
    }

    /// Whether something happens without a key: a bot's turn, a replay that runs.
    pub fn moves_by_itself(&self) -> bool {
        let running = self.overlay.is_none() && !self.paused;
        running && (self.mode == Mode::Replay || self.play.bot_is_next())
    }

    /// Lets it happen, if it is ready to.
    pub fn tick(&mut self) -> Result<bool> {
        if self.mode == Mode::Replay {
            self.step_part()?;
            self.paused |= self.reel.at == self.reel.length();
            return Ok(true);
        }
        self.let_think();
        match self.thought.as_ref().map(Thought::answer) {
            Some(Answer::Number(number)) => {
                self.thought = None;
                self.carry_out(number)?;
            }
            Some(Answer::Wait) => return Ok(false),
            Some(Answer::Failed) | None => {
                self.thought = None;
                self.paused = true;
                self.complain("The bot has failed. p lets it try again, u takes back.");
            }
        }
        Ok(true)
    }

    /// Lets the bot that is to act think about the present moment, and forgets what was thought about
    /// another.
    pub fn let_think(&mut self) {
        let here = self.play.table.here();
        self.thought.take_if(|thought| !thought.is_about(here));
        if self.thought.is_none() && self.mode == Mode::Play && self.play.bot_is_next() {
            self.thought = Thought::begin(&*self.play.table);
        }
    }

    /// Tells the clock what time it is. It stands while somebody who could act is kept from it.
    pub fn pass_time(&mut self, now: Instant) -> Result<()> {
        if self.mode == Mode::Replay || self.paused || (self.overlay.is_some() && self.play.bot_is_next()) {
            self.play.stop_clock();
            return Ok(());
        }
        match self.play.pass_time(now) {
            Some(result) => {
                self.overlay = None;
                self.after(result)
            }
            None => Ok(()),
        }
    }

    /// How long the screen may stay as it is.
    pub fn patience(&self) -> Duration {
        let faces = self.play.clock.as_ref().map(|clock| clock.faces(&*self.play.table)).unwrap_or_default();
        let runs = !self.paused && self.mode == Mode::Play;
        match faces.into_iter().find(|face| face.runs && runs) {
            _ if self.asked.is_some() => Duration::from_millis(40),
            _ if runs && (self.thought.is_some() || self.hint.is_some()) => Duration::from_millis(40),
            Some(face) if face.is_short() => Duration::from_millis(100),
            Some(_) => Duration::from_millis(250),
            None => Duration::from_secs(60),
        }
    }

    /// Text from the clipboard goes into the line being typed.
    pub fn paste(&mut self, text: &str) {
        match &mut self.overlay {
            Some(Overlay::Ask(_, line)) => line.push_str(text.trim()),
            Some(_) => {}
            None if self.mode == Mode::Play => self.type_text(text.trim()),
            None => {}
        }
    }
}

/// Which lists and boards a scene has, whether some of its options are only in the list, and whether others are
/// to be pointed at: when that changes, the cursor is better off elsewhere.
fn shape(scene: &Scene) -> (Vec<&str>, Option<bool>, bool, bool) {
    let panels = scene.panels.iter().map(|panel| panel.id.as_str()).collect();
    let firsts = || scene.options.iter().map(|option| option.picks.first());
    let listed = firsts().any(|first| first.is_none());
    let pointed = firsts().flatten().any(|pick| !matches!(pick, Pick::Word(_)));
    (panels, scene.board.as_ref().map(|board| board.aside), listed, pointed)
}

/// Where whoever is to act stands.
fn active_cell(scene: &Scene) -> Option<(u16, u16)> {
    let board = scene.board.as_ref()?;
    let at = board.cells.iter().position(|cell| cell.figures.iter().any(|figure| figure.active))?;
    let width = usize::from(board.width).max(1);
    Some(((at % width) as u16, (at / width) as u16))
}

//! Where a number comes from, and why a bot did what it did, on the screen. The bot thinks once more beside the keys:
//! its lots follow from the match, so these are the reasons it had.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use turnstone_table::{Moment, Reasons, Rejection, Seat};

use super::desk::{Desk, Mode};
use super::overlay::Overlay;
use crate::commands::explain::reasons_told;

/// Reasons that will come.
pub type Asked = Receiver<Result<Reasons, Rejection>>;

impl Desk {
    /// Lists the numbers that are shown, to be asked where they come from.
    pub fn list_numbers(&mut self) {
        let list = self.scene.numbers();
        match list.is_empty() {
            true => self.complain("There is no number here that has a story; e tells of what was played."),
            false => self.overlay = Some(Overlay::Numbers { list, at: 0 }),
        }
    }

    /// Tells how a number came about.
    pub fn tell_number(&mut self, id: &str) {
        let table = &self.play.table;
        let Some(story) = table.story(id, &table.line(), self.viewer) else { return };
        let lines = story.told(|moment| self.play.number_of(moment)).to_string();
        self.overlay = Some(Overlay::Why(lines.lines().map(str::to_owned).collect()));
    }

    /// Asks the bot that acted last why it did so.
    pub fn ask_why(&mut self) {
        if self.mode == Mode::Replay {
            self.complain("`turnstone explain FILE --bot NAME` tells what a bot weighs at every moment.");
            return;
        }
        let table = &self.play.table;
        if table.outcome().is_none() && table.hides(self.viewer) {
            self.complain("Its reasons would tell what you may not know; ask when the match is over.");
            return;
        }
        let Some((moment, bot)) = self.last_of_a_bot() else {
            self.complain("No bot has done anything yet.");
            return;
        };
        let (copy, (sender, answer)) = (table.fork(), channel());
        self.say(&format!("{bot} remembers why …"));
        thread::spawn(move || {
            // Nobody may be waiting any more.
            let _ = sender.send(copy.why(moment, &bot));
        });
        self.asked = Some(answer);
    }

    /// The last moment at which a bot of this table acted, and the bot.
    fn last_of_a_bot(&self) -> Option<(Moment, String)> {
        let (table, bots) = (&self.play.table, self.play.table.bots());
        let line = table.line();
        let bot = |seat: Seat| bots.iter().find(|(taken, _)| *taken == seat).map(|(_, name)| name.clone());
        line.windows(2).rev().find_map(|pair| {
            let actor = table.at(pair[0]).ok()?.actor()?;
            Some((pair[1], bot(actor)?))
        })
    }

    /// Shows the reasons that were asked for, once they are there.
    pub fn look_for_reasons(&mut self) {
        let Some(asked) = &self.asked else { return };
        let told = match asked.try_recv() {
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Err("The bot has forgotten why.".to_owned()),
            Ok(Err(refusal)) => Err(refusal.to_string()),
            Ok(Ok(reasons)) => Ok(reasons_told(&reasons)),
        };
        self.asked = None;
        self.message = None;
        match told {
            Ok(lines) => self.overlay = Some(Overlay::Why(lines)),
            Err(why) => self.complain(&why),
        }
    }
}

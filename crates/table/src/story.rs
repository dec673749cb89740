//! Where a number on the table comes from: every time that it changed on a line of play, newest first, with what
//! changed it and the reasons of that.

use serde::Serialize;
use turnstone::explain::{Explanation, Kind, Line};
use turnstone::{Match, Moment, Trace, Viewer, fold};
use turnstone_host::Hosted;

/// So many changes are told at most, and so many moments looked at: a long match does not make a question long.
const MOST_CHANGES: usize = 24;
const MOST_MOMENTS: usize = 400;

/// How a number came about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Story {
    /// The number's id.
    pub id: String,
    /// In words.
    pub name: String,
    /// Its value at the moment that was asked about.
    pub now: i64,
    /// Every change, newest first. Each begins where the one after it in this list ended.
    pub changes: Vec<Change>,
    /// Its value before all of these; none if it was not there.
    pub before: Option<i64>,
    /// It may have changed earlier: only the newest changes are told.
    pub more: bool,
}

/// One change of a number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// At which moment.
    pub moment: Moment,
    /// What it was before; none if it was not there.
    pub from: Option<i64>,
    /// What it was afterwards; none if it was gone.
    pub to: Option<i64>,
    /// What changed it, and the reasons of that, as far as the viewer may know.
    pub lines: Vec<Line>,
}

impl Story {
    /// The whole story as lines: each change, and below it who made it. `number` is what the viewer calls a moment.
    pub fn told(&self, number: impl Fn(Moment) -> Moment) -> Explanation {
        let line = |depth, kind, text| Line { depth, ..Line::new(kind, None, text) };
        let mut lines = vec![line(0, Kind::Input, format!("{}: {}", self.name, self.now))];
        for change in &self.changes {
            lines.push(line(1, Kind::Reason, change.words(number(change.moment))));
            let least = change.lines.iter().map(|one| one.depth).min().unwrap_or(0);
            let below = change.lines.iter().map(|one| Line { depth: one.depth - least + 2, ..one.clone() });
            lines.extend(below);
        }
        let first = match (self.more, self.before) {
            (true, Some(before)) => format!("{before} before that, and how that came about is longer ago"),
            (false, Some(before)) => format!("{before} at the start"),
            (_, None) => "there was none before that".to_owned(),
        };
        lines.push(line(1, Kind::Reason, first));
        Explanation { lines }
    }
}

impl Change {
    fn words(&self, moment: Moment) -> String {
        let value = |number: Option<i64>| number.map_or("none".to_owned(), |number| number.to_string());
        format!("{} → {} at moment {moment}", value(self.from), value(self.to))
    }
}

/// Who looks at what was played, and what is explained to him.
pub(crate) struct Teller<'a, G: Hosted, E> {
    pub played: &'a Match<G, Trace<G>>,
    pub viewer: Viewer,
    /// Why what happened at a moment happened, as far as he may know.
    pub explain: E,
}

impl<G: Hosted, E: Fn(Moment) -> Explanation> Teller<'_, G, E> {
    /// The value of a number at a moment as he saw it.
    fn number_at(&self, id: &str, moment: Moment) -> Option<i64> {
        let position = self.played.position_at(moment).ok()?;
        self.played.game().scene(&position, &[], self.viewer).number(id).map(|number| number.now)
    }

    /// How a number came about on a line of moments.
    pub fn tell(&self, called: &str, line: &[Moment]) -> Option<Story> {
        let (&here, earlier) = line.split_last()?;
        let position = self.played.position_at(here).ok()?;
        let number = self.played.game().scene(&position, &[], self.viewer).number(called)?;
        let (mut at, mut value) = (here, Some(number.now));
        let (mut changes, mut looked) = (Vec::new(), 0);
        for &before in earlier.iter().rev().take(MOST_MOMENTS) {
            if changes.len() == MOST_CHANGES {
                break;
            }
            let then = self.number_at(&number.id, before);
            if then != value {
                let lines = self.changed_by(&number.id, at);
                changes.push(Change { moment: at, from: then, to: value, lines });
            }
            (at, value, looked) = (before, then, looked + 1);
        }
        let more = looked < earlier.len();
        Some(Story { id: number.id, name: number.name, now: number.now, changes, before: value, more })
    }

    /// What changed a number at a moment: the facts after which it was another, with their reasons. Where something
    /// may be hidden from the viewer, all that he was told.
    fn changed_by(&self, id: &str, moment: Moment) -> Vec<Line> {
        let explanation = (self.explain)(moment);
        match self.facts_that_changed(id, moment) {
            Some(serials) => told_of(&explanation, &serials),
            None => explanation.brief().lines,
        }
    }

    /// The serial numbers of the facts after which a number was another; none if that may not be known.
    fn facts_that_changed(&self, id: &str, moment: Moment) -> Option<Vec<u32>> {
        let (played, game, viewer) = (self.played, self.played.game(), self.viewer);
        let before = played.position_at(played.parent(moment)?).ok()?;
        if game.hides(before.state(), viewer) {
            return None;
        }
        let mut live = before.live().clone();
        let value = |live: &turnstone::LiveOf<G>| {
            let position = turnstone::Position::new(live.state.clone());
            game.scene(&position, &[], viewer).number(id).map(|number| number.now)
        };
        let (mut serials, mut last) = (Vec::new(), value(&live));
        for entry in played.entries(moment) {
            let serial = live.serial;
            fold(&**game, &mut live, &entry.fact);
            let now = value(&live);
            if now != last {
                serials.push(serial);
            }
            last = now;
        }
        Some(serials)
    }
}

/// The lines of some facts, each below what it came of, with what stands beside it.
fn told_of(explanation: &Explanation, serials: &[u32]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let (mut wanted, mut above) = (None, None);
    for (place, line) in explanation.lines.iter().enumerate() {
        match line.kind {
            Kind::Fact => {
                let own = line.serial.is_some_and(|serial| serials.contains(&serial));
                wanted = own.then_some(line.depth);
                if !own {
                    continue;
                }
                let origin = origin_of(&explanation.lines, place);
                if let Some(origin) = origin.filter(|_| origin != above) {
                    lines.push(Line { depth: 0, cause: None, ..explanation.lines[origin].clone() });
                }
                above = origin;
                let depth = usize::from(origin.is_some());
                lines.push(Line { depth, cause: None, quiet: false, ..line.clone() });
            }
            Kind::Reason | Kind::Alteration if wanted.is_some_and(|depth| line.depth > depth) => {
                lines.push(Line { depth: 1 + usize::from(above.is_some()), ..line.clone() });
            }
            Kind::Reason | Kind::Alteration | Kind::Input | Kind::Prevented => {}
        }
    }
    lines
}

/// The place of the fact that one came of, or of the input, if no fact does more than keep the books.
fn origin_of(lines: &[Line], place: usize) -> Option<usize> {
    let above = match lines[place].cause {
        Some(cause) => lines.iter().position(|line| line.serial == Some(cause)),
        None => lines[..place].iter().rposition(|line| {
            line.depth < lines[place].depth && matches!(line.kind, Kind::Fact | Kind::Input)
        }),
    }?;
    let quiet = lines[above].kind == Kind::Fact && lines[above].quiet;
    if quiet { origin_of(lines, above) } else { Some(above) }
}

//! What somebody is told of the moments of a match, in his own numbers: the tree, the log, reasons, changes.

use serde_json::{Value, json};
use turnstone_table::{Moment, Seat, Viewer};

use super::{Change, Eyes, Node, Room};
use crate::door::{Told, all_lines, brief_lines, title};
use crate::now::Moved;
use crate::record::How;
use crate::refusal::Refusal;

/// Moments of which one answer tells.
const MOST_TOLD: usize = 200;

impl Room {
    pub(super) fn node(&mut self, eyes: Eyes, moment: Moment, text: Option<String>) -> Value {
        let Node { parent, by, at, .. } = self.nodes[moment as usize];
        let text = text.unwrap_or_else(|| self.text(eyes, moment));
        let parent = (moment != 0).then(|| self.number(eyes, parent));
        json!({ "moment": self.number(eyes, moment), "parent": parent, "by": by, "text": text, "at": at })
    }

    pub(super) fn text(&self, eyes: Eyes, moment: Moment) -> String {
        if moment == 0 {
            return "the start".to_owned();
        }
        title(&self.table.explain(moment, self.viewer_at(eyes, moment)))
    }

    /// Through whose eyes of several a moment is told: those of who brought it about.
    pub(super) fn viewer_at(&self, eyes: Eyes, moment: Moment) -> Viewer {
        let own = |seat: &Seat| eyes != Eyes::ALL && eyes.0 >> seat & 1 == 1;
        match self.nodes.get(moment as usize).and_then(|node| node.by).filter(own) {
            Some(seat) => Viewer::Seat(seat),
            None => eyes.viewer(&*self.table),
        }
    }

    /// Nodes of somebody's timeline.
    pub fn nodes(&mut self, eyes: Eyes, from: u32, to: u32) -> Vec<Value> {
        let (rev_here, lags) = (self.here(eyes), self.lag(eyes) > 0);
        let view = self.view(eyes);
        let last = view.moments.len() as u32;
        let wanted: Vec<Moment> = (from..to.min(last.saturating_sub(1)).saturating_add(1))
            .filter_map(|number| view.moments.get(number as usize).copied())
            .filter(|moment| !lags || *moment <= rev_here)
            .collect();
        // Words of the past do not change: they are found once.
        let known = view.texts.len();
        let moments: Vec<Moment> = view.moments[known.min(view.moments.len())..].to_vec();
        let texts: Vec<String> = moments.iter().map(|moment| self.text(eyes, *moment)).collect();
        let view = self.view(eyes);
        view.texts.extend(texts);
        wanted
            .into_iter()
            .map(|moment| {
                let view = self.view(eyes);
                let at = view.moments.partition_point(|one| *one < moment);
                let text = view.texts.get(at).cloned();
                self.node(eyes, moment, text)
            })
            .collect()
    }

    /// What was told of moments of the line that leads to `tip`, in one's own numbers and through these eyes: of the
    /// last ones, unless it is said where to end.
    pub fn log(
        &mut self,
        eyes: Eyes,
        through: Eyes,
        tip: Moment,
        (from, to): (u32, Option<u32>),
    ) -> Vec<Value> {
        let line = self.line_to(eyes, tip).into_iter().filter(|moment| *moment != 0);
        let mut wanted: Vec<(u32, Moment)> = line.map(|moment| (self.number(eyes, moment), moment)).collect();
        wanted.retain(|(number, _)| *number >= from && to.is_none_or(|to| *number <= to));
        if to.is_none() {
            wanted.drain(..wanted.len().saturating_sub(MOST_TOLD));
        }
        wanted.truncate(MOST_TOLD);
        let entry = |(number, moment): (u32, Moment)| {
            let told = self.told(through, moment);
            json!({ "moment": number, "by": self.nodes[moment as usize].by, "told": told })
        };
        wanted.into_iter().map(entry).collect()
    }

    /// What somebody is told of a moment, without what only keeps the books.
    pub fn told(&self, eyes: Eyes, moment: Moment) -> Vec<Told> {
        brief_lines(&self.table.explain(moment, self.viewer_at(eyes, moment)))
    }

    /// All that somebody may know of a moment.
    pub fn why(&self, eyes: Eyes, moment: Moment) -> Vec<Told> {
        all_lines(&self.table.explain(moment, self.viewer_at(eyes, moment)))
    }

    /// How a number came about, as far as somebody may know, in his numbers of moments.
    ///
    /// # Errors
    /// If there is no such moment, or no such number is shown to him there.
    pub fn story(
        &mut self,
        eyes: Eyes,
        through: Eyes,
        name: &str,
        moment: Option<u32>,
    ) -> Result<Value, Refusal> {
        let last = match moment {
            Some(moment) => self.moment(eyes, moment)?,
            None => self.here(eyes),
        };
        let line = self.line_to(eyes, last);
        let Some(story) = self.table.story(name, &line, through.viewer(&*self.table)) else {
            return Err(Refusal::new("NO_SUCH_NUMBER", "no such number is shown there"));
        };
        let changes: Vec<Value> = story
            .changes
            .iter()
            .map(|change| {
                let moment = self.number(eyes, change.moment);
                let lines: Vec<Value> = change
                    .lines
                    .iter()
                    .map(|line| json!({ "depth": line.depth, "kind": line.kind, "text": line.text }))
                    .collect();
                json!({ "moment": moment, "from": change.from, "to": change.to, "lines": lines })
            })
            .collect();
        Ok(json!({
            "t": "number", "name": story.name, "now": story.now, "changes": changes, "before": story.before,
            "more": story.more,
        }))
    }

    /// The moments from the start to one of them that somebody knows of.
    fn line_to(&self, eyes: Eyes, mut moment: Moment) -> Vec<Moment> {
        let mut line = Vec::new();
        loop {
            if moment == 0 || eyes.knows(self.nodes[moment as usize].told) {
                line.push(moment);
            }
            if moment == 0 {
                break;
            }
            moment = self.nodes[moment as usize].parent;
        }
        line.reverse();
        line
    }

    /// The ends of all lines of play in somebody's numbers, as the moments that he knows of branch.
    pub fn branches(&mut self, eyes: Eyes) -> Vec<Value> {
        if self.lags(eyes) {
            return Vec::new();
        }
        let here = self.here(eyes);
        let here = self.number(eyes, here);
        let moments = self.view(eyes).moments.clone();
        let parents: Vec<u32> =
            moments.iter().map(|moment| self.number(eyes, self.nodes[*moment as usize].parent)).collect();
        let mut is_tip = vec![true; moments.len()];
        parents.iter().skip(1).for_each(|parent| is_tip[*parent as usize] = false);
        let (mut seen, mut told) = (vec![false; moments.len()], Vec::new());
        for (tip, moment) in (0..).zip(&moments).filter(|(tip, _)| is_tip[*tip as usize]) {
            let line = line_of(&parents, tip);
            let fork = line.iter().rev().find(|at| seen[**at as usize]).copied().unwrap_or(0);
            line.iter().for_each(|at| seen[*at as usize] = true);
            let (length, current) = (line.len() - 1, line.contains(&here));
            let last = self.text(eyes, *moment);
            told.push(
                json!({ "tip": tip, "forked_at": fork, "length": length, "current": current, "last": last }),
            );
        }
        told
    }

    /// A change, in somebody's numbers (the first is 1); none if he knows of no such.
    pub fn moved(&mut self, eyes: Eyes, rev: u64) -> Option<Moved> {
        if rev == 0 || rev > self.rev(eyes) {
            return None;
        }
        let change = *self.view(eyes).changes.get(rev as usize - 1)?;
        let Change { moment, how, .. } = self.changes[change];
        let moment = self.known(eyes, moment);
        let explanation = self.table.explain(moment, self.viewer_at(eyes, moment));
        let told = if how == How::Input { brief_lines(&explanation) } else { Vec::new() };
        let text = if moment == 0 { "the start".to_owned() } else { title(&explanation) };
        Some(Moved::new(rev, how, self.node(eyes, moment, Some(text)), told))
    }
}

/// The numbers from the start to one of them.
fn line_of(parents: &[u32], mut at: u32) -> Vec<u32> {
    let mut line = vec![at];
    while at != 0 {
        at = parents[at as usize];
        line.push(at);
    }
    line.reverse();
    line
}

//! What was asked for and did not come of it: silence would look like an answer.

use std::collections::BTreeMap;

use turnstone_table::{Labels, Rejection, Studied, nearest};

use super::gather::Gathering;
use super::rows::EffectRow;
use super::study::Study;

/// So many matches are looked through for what could have been meant.
const LOOKED: u64 = 8;

/// So many labels are told.
const TOLD: usize = 8;

/// A match and a moment of it, and the label of what lay there.
type Lying = ((u64, u64), String);

impl Study {
    /// What was asked for and not found, with what could have been meant.
    pub(super) fn notes(&self, gathering: &Gathering) -> Result<Vec<String>, Rejection> {
        let mut notes = Vec::new();
        let forked = self.pairs == 0 || gathering.has_forks();
        match &self.labels {
            Some(labels) if !gathering.has_choices() => notes.push(self.no_such_choice(labels)?),
            Some(labels) if !forked => notes.push(self.nothing_beside(labels)?),
            None if !forked => {
                notes.push(format!(
                    "--pairs: {} names no choice that can be played both ways here",
                    self.game
                ));
            }
            Some(_) | None => {}
        }
        if self.grafts > 0 && !gathering.has_grafts() {
            notes.push(format!("--grafts: {} names no changes of this set-up", self.game));
        }
        notes.extend(self.untried());
        Ok(notes)
    }

    /// What must be known of what was played both ways: by whom and why, and of how much nothing can be said.
    pub(super) fn fork_notes(&self, forks: &[EffectRow]) -> Vec<String> {
        let pairs: usize = forks.iter().map(|row| row.points.pairs).sum();
        if pairs == 0 {
            return Vec::new();
        }
        let mut notes = vec![format!(
            "Both ways are played on by {}, and what a choice does it does for that player: {pairs} pairs are {} matches from \
             the choice on. A player who searches needs for each about half of what a match of his own takes; --choices has \
             him play one thing alone both ways, which may be a matter of minutes where all together are one of hours.",
            self.players().into_iter().collect::<Vec<_>>().join(", "),
            2 * pairs
        )];
        let mut kinds: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for row in forks {
            let (few, all) = kinds.entry(&row.kind).or_default();
            *few += u64::from(row.too_few);
            *all += 1;
        }
        let few = kinds.into_iter().filter(|(_, (few, _))| *few > 0);
        notes.extend(few.map(|(kind, (few, all))| {
            format!("{kind}: {few} of {all} have fewer than {} pairs, too few to say anything.", self.least)
        }));
        notes
    }

    /// What changes were not tried anywhere, each once.
    fn untried(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for group in self.groups.iter().filter(|_| self.grafts > 0) {
            let lines = group.venue.ungrafted(self.first);
            notes.extend(lines.into_iter().map(|line| format!("--grafts: {line}")));
        }
        notes.sort();
        notes.dedup();
        notes
    }

    fn no_such_choice(&self, labels: &Labels) -> Result<String, Rejection> {
        let all = self.labels_told()?;
        let all: Vec<&str> = all.iter().map(|(_, label)| label.as_str()).collect();
        let begins = labels.begins.trim();
        let holding = all.iter().find(|label| label.to_lowercase().contains(&begins.to_lowercase()));
        let meant = holding.copied().or_else(|| nearest(begins, all.iter().copied()));
        let hint = match meant {
            Some(meant) => format!("did you mean \"{meant}\"?"),
            None => format!("there are such as {}", listed(all.iter().copied())),
        };
        Ok(format!("--choices: no choice begins with \"{begins}\"; {hint}"))
    }

    fn nothing_beside(&self, labels: &Labels) -> Result<String, Rejection> {
        let (all, begins) = (self.labels_told()?, labels.begins.trim());
        let looked_at = |label: &str| label.to_lowercase().starts_with(&begins.to_lowercase());
        let moments: Vec<_> =
            all.iter().filter(|(_, label)| looked_at(label)).map(|(moment, _)| *moment).collect();
        let beside = all
            .iter()
            .filter(|(moment, label)| moments.contains(moment) && !looked_at(label))
            .map(|(_, label)| label.as_str());
        let beside = listed(beside);
        Ok(match &labels.against {
            Some(against) => {
                format!("--against: \"{against}\" never lay beside \"{begins}\"; beside it lay {beside}")
            }
            None => format!(
                "--pairs: nothing else that begins with \"{begins}\" lay beside it; --against names what to compare it \
                 with: beside it lay {beside}"
            ),
        })
    }

    /// Everything that could be chosen in the first matches, by match and moment.
    fn labels_told(&self) -> Result<Vec<Lying>, Rejection> {
        let everything = Labels::default();
        let mut told = Vec::new();
        for group in &self.groups {
            for number in 0..self.games.min(LOOKED) {
                let seed = self.first.wrapping_add(number);
                let Studied { offered, .. } = group.venue.study(seed, &group.plan, Some(&everything))?;
                let placed =
                    offered.into_iter().filter_map(|one| Some(((number, one.fork?.moment), one.name)));
                told.extend(placed);
            }
        }
        Ok(told)
    }
}

/// The first few of them, each once.
fn listed<'l>(labels: impl Iterator<Item = &'l str>) -> String {
    let mut some: Vec<String> = Vec::new();
    for label in labels.map(|label| format!("\"{label}\"")) {
        if some.len() < TOLD && !some.contains(&label) {
            some.push(label);
        }
    }
    if some.is_empty() { "nothing in the first matches".to_owned() } else { some.join(", ") }
}

//! What this server asks of a table, for one viewer at a time.

use serde::Serialize;
use serde_json::Value;
use turnstone_table::scene::Scene;
use turnstone_table::{Explanation, Kind, Moment, Outcome, Rejection, Seat, Table, Viewer};

/// A table as somebody sees it at one moment.
pub struct Glance {
    /// Who is to act.
    pub actor: Option<Seat>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The question that waits.
    pub question: Option<Value>,
    /// What is shown.
    pub scene: Scene,
}

/// What a viewer sees of a table where it stands.
pub fn glance(table: &dyn Table, viewer: Viewer) -> Glance {
    Glance {
        actor: table.actor(),
        outcome: table.outcome(),
        question: table.question(viewer),
        scene: table.scene(viewer),
    }
}

/// What a viewer saw of it at some moment, or sees now; with what he may send, if that is wanted.
///
/// # Errors
/// If there is no such moment.
pub fn glance_at(
    table: &dyn Table,
    moment: Moment,
    eyes: impl Fn(&dyn Table) -> Viewer,
    wants_inputs: bool,
) -> Result<(Glance, Viewer, Option<Vec<Value>>), Rejection> {
    let look = |table: &dyn Table| {
        let viewer = eyes(table);
        (glance(table, viewer), viewer, wants_inputs.then(|| table.inputs(viewer)))
    };
    if moment == table.here() {
        return Ok(look(table));
    }
    Ok(look(&*table.at(moment)?))
}

/// A line of an explanation as it is told. Serial numbers stay here: gaps in them would tell that something is hidden.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// How deep in the tree of causes.
    pub depth: usize,
    /// What kind of line.
    pub kind: Kind,
    /// The words.
    pub text: String,
    /// Its number among all lines of its moment.
    pub n: usize,
}

/// Every line.
pub fn all_lines(explanation: &Explanation) -> Vec<Told> {
    let lines = explanation.lines.iter().enumerate();
    lines.map(|(n, one)| Told { depth: one.depth, kind: one.kind, text: one.text.clone(), n }).collect()
}

/// Without the lines that only keep the books.
pub fn brief_lines(explanation: &Explanation) -> Vec<Told> {
    let mut all = explanation.lines.iter().enumerate();
    let mut told = Vec::new();
    for brief in explanation.brief().lines {
        let same = |(_, one): &(usize, &turnstone_table::Line)| {
            one.kind == brief.kind && one.serial == brief.serial && one.text == brief.text
        };
        let n = all.find(same).map_or(0, |(n, _)| n);
        told.push(Told { depth: brief.depth, kind: brief.kind, text: brief.text, n });
    }
    told
}

/// What was played, in words.
pub fn title(explanation: &Explanation) -> String {
    let first = explanation.lines.first().filter(|line| !line.quiet).or(explanation.lines.first());
    first.map_or_else(String::new, |line| line.text.clone())
}

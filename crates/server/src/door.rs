//! What this server asks of a table, for one viewer at a time.

use serde_json::{Value, json};
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
    /// What he may send.
    pub inputs: Vec<Value>,
}

/// What a viewer sees of a table where it stands.
pub fn glance(table: &dyn Table, viewer: Viewer) -> Glance {
    Glance {
        actor: table.actor(),
        outcome: table.outcome(),
        question: table.question(viewer),
        scene: table.scene(viewer),
        inputs: table.inputs(viewer),
    }
}

/// What a viewer saw of it at some moment, or sees now.
///
/// # Errors
/// If there is no such moment.
pub fn glance_at(
    table: &dyn Table,
    moment: Moment,
    eyes: impl Fn(&dyn Table) -> Viewer,
) -> Result<(Glance, Viewer), Rejection> {
    if moment == table.here() {
        let viewer = eyes(table);
        return Ok((glance(table, viewer), viewer));
    }
    let then = table.at(moment)?;
    let viewer = eyes(&*then);
    Ok((glance(&*then, viewer), viewer))
}

/// A line of an explanation as it is told; `n` is its number among all.
fn line(depth: usize, kind: Kind, text: &str, n: usize) -> Value {
    json!({ "depth": depth, "kind": kind, "text": text, "n": n })
}

/// Every line. Serial numbers stay here: gaps in them would tell that something is hidden.
pub fn all_lines(explanation: &Explanation) -> Vec<Value> {
    let lines = explanation.lines.iter().enumerate();
    lines.map(|(n, one)| line(one.depth, one.kind, &one.text, n)).collect()
}

/// Without the lines that only keep the books.
pub fn brief_lines(explanation: &Explanation) -> Vec<Value> {
    let mut all = explanation.lines.iter().enumerate();
    let mut told = Vec::new();
    for brief in explanation.brief().lines {
        let same = |(_, one): &(usize, &turnstone_table::Line)| {
            one.kind == brief.kind && one.serial == brief.serial && one.text == brief.text
        };
        let n = all.find(same).map_or(0, |(n, _)| n);
        told.push(line(brief.depth, brief.kind, &brief.text, n));
    }
    told
}

/// What was played, in words.
pub fn title(explanation: &Explanation) -> String {
    let first = explanation.lines.first().filter(|line| !line.quiet).or(explanation.lines.first());
    first.map_or_else(String::new, |line| line.text.clone())
}

//! What two tables say otherwise.

use turnstone::{Seat, Viewer};
use turnstone_table::Table;

/// What a table says, as reports of a leak call it.
const TO_A_SEAT: [&str; 8] =
    ["view", "scene", "inputs", "question", "log", "moments", "branches", "explanation"];
const TO_SPECTATORS: [&str; 8] = [
    "spectators' view",
    "spectators' scene",
    "spectators' inputs",
    "spectators' question",
    "spectators' log",
    "spectators' moments",
    "spectators' branches",
    "spectators' explanation",
];

/// Everything that is said otherwise of one position than of the other: what, and the first place where it differs.
#[derive(Default)]
pub(super) struct Differences(Vec<(&'static str, String)>);

impl Differences {
    pub fn compare(&mut self, what: &'static str, [one, other]: [&str; 2]) {
        if one == other {
            return;
        }
        let at = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let part = |text: &str| text.chars().skip(at.saturating_sub(40)).take(120).collect::<String>();
        self.0.push((what, format!("\n  {}\n  {}", part(one), part(other))));
    }

    /// Everything that a table says when it is asked: to the seat, and to spectators, who may know no more than it.
    pub fn compare_tables(&mut self, tables: [&dyn Table; 2], seat: Seat) {
        self.compare_viewers(tables, Viewer::Seat(seat), &TO_A_SEAT);
        self.compare_viewers(tables, Viewer::Spectator, &TO_SPECTATORS);
    }

    fn compare_viewers(&mut self, tables: [&dyn Table; 2], viewer: Viewer, names: &[&'static str; 8]) {
        let [view, scene, inputs, question, log, moments, branches, explanation] = *names;
        let mut compare = |what, said: &dyn Fn(&dyn Table) -> String| {
            let [one, other] = tables.map(said);
            self.compare(what, [&one, &other]);
        };
        compare(view, &|table| table.view(viewer).to_string());
        compare(scene, &|table| format!("{:?}", table.scene(viewer)));
        compare(inputs, &|table| format!("{:?}", table.inputs(viewer)));
        compare(question, &|table| format!("{:?}", table.question(viewer)));
        compare(log, &|table| format!("{:?}", table.log(viewer)));
        compare(moments, &|table| format!("{:?}", table.told(viewer)));
        compare(branches, &|table| format!("{:?}", table.branches(viewer)));
        compare(explanation, &|table| table.explain(table.here(), viewer).to_string());
    }

    /// There are none, or by what the seat learns something: all of it by name, and the first difference.
    pub fn none(self) -> Result<(), String> {
        let names: Vec<&str> = self.0.iter().map(|(what, _)| *what).collect();
        match self.0.first() {
            None => Ok(()),
            Some((_, first)) => Err(format!("by {}:{first}", names.join(", "))),
        }
    }
}

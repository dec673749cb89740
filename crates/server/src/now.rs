//! What somebody sees at a moment, as it is told: whole, or as what has changed since he was told last.

use serde::Serialize;
use serde_json::Value;
use turnstone_table::scene::{Board, Cell, Choice, Counter, Graph, Panel, Scene};
use turnstone_table::{Outcome, Seat};

use crate::door::Told;
use crate::record::How;

/// What somebody sees.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Now {
    /// The moment, in his numbers.
    pub moment: u32,
    /// Who is to act.
    pub actor: Option<Seat>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The question that waits.
    pub question: Option<Value>,
    /// Through whose eyes.
    pub seat: Option<Seat>,
    /// What is shown.
    pub scene: Scene,
    /// What he may send; none for who chooses by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<Value>>,
}

/// A change of the live match, in somebody's numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Moved {
    t: &'static str,
    rev: u64,
    how: How,
    node: Value,
    told: Vec<Told>,
}

impl Moved {
    /// The change with that number.
    pub fn new(rev: u64, how: How, node: Value, told: Vec<Told>) -> Self {
        Moved { t: "moved", rev, how, node, told }
    }

    /// Without what is seen after it.
    pub fn bare(&self) -> String {
        written(self)
    }

    /// With all that is seen after it.
    pub fn whole(&self, now: &Now, clock: &Value) -> String {
        written(&Shown { moved: self, now, clock })
    }

    /// With what is seen otherwise after it than before.
    pub fn delta(&self, before: &Now, now: &Now, clock: &Value) -> String {
        let delta = Delta::between(&before.scene, &now.scene);
        let Now { moment, actor, outcome, ref question, seat, .. } = *now;
        let now = Brief { moment, actor, outcome, question, seat, delta };
        written(&Shown { moved: self, now: &now, clock })
    }
}

fn written(message: &impl Serialize) -> String {
    // Messages hold nothing that JSON cannot.
    serde_json::to_string(message).unwrap_or_default()
}

#[derive(Serialize)]
struct Shown<'a, N: Serialize> {
    #[serde(flatten)]
    moved: &'a Moved,
    now: &'a N,
    clock: &'a Value,
}

#[derive(Serialize)]
struct Brief<'a> {
    moment: u32,
    actor: Option<Seat>,
    outcome: Option<Outcome>,
    question: &'a Option<Value>,
    seat: Option<Seat>,
    delta: Delta<'a>,
}

/// A panel: as before, under that number, or another.
#[derive(Serialize)]
#[serde(untagged)]
enum Part<'a> {
    Kept(usize),
    New(&'a Panel),
}

/// What has changed between two scenes. What is not named is as it was; something that is null has gone.
#[derive(Default, Serialize)]
pub struct Delta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    /// The whole board, if it has another shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Option<&'a Board>>,
    /// Cells by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cells: Vec<(usize, &'a Cell)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    focus: Option<Option<(u16, u16)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<Option<&'a Graph>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    panels: Option<Vec<Part<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<&'a [Choice]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<&'a [Counter]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notation: Option<&'a str>,
}

impl<'a> Delta<'a> {
    /// What must be changed in `old` to have `new`.
    pub fn between(old: &'a Scene, new: &'a Scene) -> Self {
        let mut delta = Delta {
            title: (old.title != new.title).then_some(&*new.title),
            options: (old.options != new.options).then_some(&*new.options),
            question: (old.question != new.question).then_some(new.question.as_deref()),
            counters: (old.counters != new.counters).then_some(&*new.counters),
            notation: (old.notation != new.notation).then_some(&*new.notation),
            panels: (old.panels != new.panels).then(|| parts(&old.panels, &new.panels)),
            ..Delta::default()
        };
        match (&old.board, &new.board) {
            (Some(old), Some(new)) if same_shape(old, new) => {
                let cells = old.cells.iter().zip(&new.cells).enumerate();
                let other = cells.filter(|(_, (old, new))| old != new);
                delta.cells = other.map(|(number, (_, new))| (number, new)).collect();
                delta.focus = (old.focus != new.focus).then_some(new.focus);
                delta.graph = (old.graph != new.graph).then_some(new.graph.as_ref());
            }
            (None, None) => {}
            (_, new) => delta.board = Some(new.as_ref()),
        }
        delta
    }
}

fn same_shape(old: &Board, new: &Board) -> bool {
    let shape = |board: &Board| (board.width, board.height, board.cells.len(), board.aside, board.turned);
    shape(old) == shape(new) && old.columns == new.columns && old.rows == new.rows
}

fn parts<'a>(old: &[Panel], new: &'a [Panel]) -> Vec<Part<'a>> {
    let part = |panel: &'a Panel| match old.iter().position(|known| known == panel) {
        Some(number) => Part::Kept(number),
        None => Part::New(panel),
    };
    new.iter().map(part).collect()
}

/// What a reader of deltas does: the scene that a delta leads to, both as JSON.
pub fn follow(scene: &mut Value, delta: &Value) {
    let Value::Object(parts) = delta else { return };
    for (name, part) in parts {
        match (name.as_str(), part) {
            ("cells", Value::Array(cells)) => {
                for cell in cells {
                    let number = cell[0].as_u64().unwrap_or(u64::MAX) as usize;
                    if let Some(place) = scene["board"]["cells"].get_mut(number) {
                        *place = cell[1].clone();
                    }
                }
            }
            ("focus" | "graph", _) => match (&mut scene["board"], part.is_null()) {
                (Value::Object(board), true) => drop(board.remove(name)),
                (board, _) => board[name] = part.clone(),
            },
            ("panels", Value::Array(panels)) => {
                let old = scene["panels"].take();
                let kept = |panel: &Value| match panel.as_u64() {
                    Some(number) => old[number as usize].clone(),
                    None => panel.clone(),
                };
                scene["panels"] = panels.iter().map(kept).collect();
            }
            _ => scene[name] = part.clone(),
        }
    }
    // What is empty is not said in a whole scene.
    if let Value::Object(scene) = scene {
        scene.retain(|name, part| match name.as_str() {
            "counters" => part.as_array().is_none_or(|list| !list.is_empty()),
            "notation" => part != "",
            _ => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use turnstone_table::Viewer;
    use turnstone_table::testing::GAMES;

    use super::*;

    #[test]
    fn deltas_lead_from_every_scene_to_every_other() {
        let mut scenes = vec![Scene::default()];
        for host in GAMES.all() {
            let mut table = host.open(&turnstone_table::Opening { seed: 5, ..Default::default() }).unwrap();
            for _ in 0..6 {
                scenes.extend([Viewer::All, Viewer::Seat(0), Viewer::Spectator].map(|who| table.scene(who)));
                if table.choose(0).is_err() {
                    break;
                }
            }
        }
        for old in &scenes {
            for new in &scenes {
                let mut followed = json!(old);
                follow(&mut followed, &json!(Delta::between(old, new)));
                assert_eq!(followed, json!(new));
            }
        }
    }

    #[test]
    fn what_has_not_changed_is_not_said() {
        let table = GAMES.all()[0].open(&turnstone_table::Opening::default()).unwrap();
        let scene = table.scene(Viewer::Seat(0));
        assert_eq!(json!(Delta::between(&scene, &scene)), json!({}));
        let mut next = scene.clone();
        next.title.push('!');
        if let Some(board) = &mut next.board {
            board.cells[3].recent = true;
            let wanted =
                json!({ "title": next.title, "cells": [[3, next.board.as_ref().unwrap().cells[3]]] });
            assert_eq!(json!(Delta::between(&scene, &next)), wanted);
        }
    }
}

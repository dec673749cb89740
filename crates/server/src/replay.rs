//! A match as one file that needs no server: the page itself with every moment of every branch as every viewer saw
//! it, all reasons, and the timeline.
//!
//! The page's modules are joined to one script, since a browser loads no modules from a folder. For that every import
//! stands on a line of its own, and no two modules give the same name to something of their own; a test asks for it.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};
use turnstone_table::scene::Scene;
use turnstone_table::{Moment, Rejection, Table, Viewer};

use crate::page;

/// The modules of the page, each after those it needs.
pub(crate) const MODULES: [&str; 19] = [
    "dom.js",
    "words.js",
    "art.js",
    "picks.js",
    "sound.js",
    "source.js",
    "turns.js",
    "motion.js",
    "ground.js",
    "board.js",
    "stage.js",
    "search.js",
    "rail.js",
    "desk.js",
    "drag.js",
    "timeline.js",
    "table.js",
    "lobby.js",
    "main.js",
];

/// The whole page with the match inside. Gives back the table at the moment where it stood.
///
/// # Errors
/// If a moment of the match cannot be gone to.
pub fn html(table: &mut dyn Table) -> Result<String, Rejection> {
    let data = data(table)?;
    let style = text("style.css");
    // Nothing inside may end the element it stands in.
    let script = script().replace("</", "<\\/");
    let title = escaped(&format!("{} · Turnstone", table.game()));
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{style}</style>\n</head>\n\
         <body>\n<div id=\"app\"></div>\n\
         <div id=\"polite\" class=\"visually-hidden\" aria-live=\"polite\"></div>\n\
         <div id=\"urgent\" class=\"visually-hidden\" aria-live=\"assertive\"></div>\n\
         <script type=\"application/octet-stream\" id=\"replay-data\">{}</script>\n\
         <script type=\"module\">\n{script}\n</script>\n</body>\n</html>\n",
        packed(&data)
    ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn text(name: &str) -> String {
    page::find(name).map(|file| String::from_utf8_lossy(&file.plain).into_owned()).unwrap_or_default()
}

/// The modules joined: without what they take from each other, since all of it is there.
fn script() -> String {
    let mut joined = String::new();
    for name in MODULES {
        joined.push_str(&format!("// {name}\n"));
        for line in text(name).lines().filter(|line| !line.starts_with("import ")) {
            joined.push_str(line.strip_prefix("export ").unwrap_or(line));
            joined.push('\n');
        }
    }
    joined
}

/// Deflated and in base64: scenes of one match are much alike.
fn packed(data: &Value) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(data.to_string().as_bytes());
    let bytes = written.and_then(|()| encoder.finish()).unwrap_or_default();
    base64(&bytes)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let all =
            three.iter().fold(0_u32, |all, byte| all << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * place) & 63) as usize];
            text.push(if place > three.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

/// Everything the page may ask for.
fn data(table: &mut dyn Table) -> Result<Value, Rejection> {
    let here = table.here();
    let viewers: Vec<Viewer> = std::iter::once(Viewer::All)
        .chain((0..table.seats().len()).map(|seat| Viewer::Seat(seat as u8)))
        .collect();
    let (mut nodes, mut views, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    let mut actors = Vec::new();
    for moment in 0..table.moments() {
        table.jump(moment)?;
        actors.push(table.actor());
        nodes.push(node(table, moment, &actors));
        views.push(first_and_others(viewers.iter().map(|viewer| view(table, *viewer)).collect()));
        reasons.push(first_and_others(viewers.iter().map(|viewer| lines(table, moment, *viewer)).collect()));
    }
    table.jump(here)?;
    let seat = |(seat, role): (usize, String)| json!({ "seat": seat, "role": role, "name": role, "who": "person", "here": true });
    let seats: Vec<Value> = table.seats().into_iter().enumerate().map(seat).collect();
    Ok(json!({
        "game": table.game(), "seats": seats, "here": here, "outcome": table.outcome(), "line": table.line(),
        "branches": table.branches(Viewer::All), "nodes": nodes, "views": views, "reasons": reasons,
        "viewers": (0..viewers.len() as i64).map(|at| at - 1).collect::<Vec<_>>(),
    }))
}

/// What is the same for others as for the first is not said again.
fn first_and_others(mut all: Vec<Value>) -> Vec<Value> {
    let first = all.first().cloned();
    for other in all.iter_mut().skip(1) {
        if Some(&*other) == first.as_ref() {
            *other = Value::Null;
        }
    }
    all
}

fn node(table: &dyn Table, moment: Moment, actors: &[Option<u8>]) -> Value {
    let line = table.line();
    let parent = line.len().checked_sub(2).map(|at| line[at]);
    let by = parent.and_then(|parent| actors.get(parent as usize).copied().flatten());
    let told = table.explain(moment, Viewer::All).lines;
    let text = told.first().map_or("", |line| line.text.as_str());
    json!({ "moment": moment, "parent": parent, "by": by, "text": text })
}

/// A replay is looked at: what could have been done is left out.
fn view(table: &dyn Table, viewer: Viewer) -> Value {
    let scene = Scene { options: Vec::new(), ..table.scene(viewer) };
    json!({ "actor": table.actor(), "outcome": table.outcome(), "question": table.question(viewer), "scene": scene })
}

fn lines(table: &dyn Table, moment: Moment, viewer: Viewer) -> Value {
    let lines = table.explain(moment, viewer).lines.into_iter();
    let line = |line: turnstone_table::Line| {
        let mut one = json!({ "depth": line.depth, "kind": line.kind, "text": line.text });
        if line.quiet {
            one["quiet"] = true.into();
        }
        one
    };
    lines.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_table::Opening;
    use turnstone_table::testing::GAMES;

    #[test]
    fn base64_is_what_browsers_read() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (plain, wanted) in cases {
            assert_eq!(base64(plain.as_bytes()), wanted);
        }
    }

    #[test]
    fn modules_can_be_joined() {
        let mut names = std::collections::BTreeSet::new();
        for module in MODULES {
            let text = text(module);
            assert!(!text.is_empty(), "{module}");
            for line in text.lines() {
                assert!(!line.starts_with("import ") || line.ends_with(';'), "{module}: {line}");
                assert!(
                    !line.starts_with("export default") && !line.starts_with("export {"),
                    "{module}: {line}"
                );
                let plain = line.strip_prefix("export ").unwrap_or(line);
                let plain = plain.strip_prefix("async ").unwrap_or(plain);
                for kind in ["function ", "const ", "let ", "class "] {
                    let name = plain
                        .strip_prefix(kind)
                        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next());
                    if let Some(Some(name)) = name.filter(|name| name.is_some_and(|name| !name.is_empty())) {
                        assert!(names.insert(name.to_owned()), "{module} uses the name {name} again");
                    }
                }
            }
        }
    }

    #[test]
    fn every_moment_of_every_branch_is_inside_as_every_viewer_saw_it() {
        let host = GAMES.find("pebbles").unwrap();
        let mut table = host.open(&Opening { seed: 3, ..Opening::default() }).unwrap();
        table.choose(0).unwrap();
        table.choose(1).unwrap();
        assert!(table.undo());
        table.choose(2).unwrap();
        let here = table.here();
        let data = data(&mut *table).unwrap();
        assert_eq!(table.here(), here);
        assert_eq!(data["nodes"].as_array().unwrap().len(), 4);
        assert_eq!(data["nodes"][3]["parent"], data["nodes"][2]["parent"], "a branch");
        assert_eq!(data["viewers"], json!([-1, 0, 1]));
        for moment in 0..4 {
            table.jump(moment).unwrap();
            for (at, viewer) in [Viewer::All, Viewer::Seat(0), Viewer::Seat(1)].into_iter().enumerate() {
                let views = &data["views"][moment as usize];
                let kept = if views[at].is_null() { &views[0] } else { &views[at] };
                assert_eq!(*kept, view(&*table, viewer), "moment {moment}, {viewer:?}");
            }
        }
        table.jump(here).unwrap();
        let page = html(&mut *table).unwrap();
        assert_eq!(page.matches("</script>").count(), 2);
    }
}

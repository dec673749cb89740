//! What is found in content files besides their entries: mistakes, and names that must be defined somewhere.

use super::Catalog;
use turnstone_content::{Document, Node, Place, Problem, Tree, hint, in_order};

/// Mistakes so far, and what is yet to be looked up.
#[derive(Default)]
pub(super) struct Findings {
    pub problems: Vec<Problem>,
    uses: Vec<Use>,
    /// Abilities and conditions that are written, be they sound or not: who names them has not misspelt them.
    written: Vec<(&'static str, String)>,
}

/// A name that one entry uses and another must define.
struct Use {
    kind: &'static str,
    name: String,
    place: Place,
}

impl Findings {
    /// Notes the names that a file uses and defines.
    pub fn note(&mut self, document: &Document) {
        for (section, key, kind) in [
            ("monster", "abilities", "ability"),
            ("class", "abilities", "ability"),
            ("ability", "applies", "condition"),
        ] {
            for (name, place) in entries(document.node(section)).flat_map(|(_, node)| node.texts(key)) {
                self.uses.push(Use { kind, name: name.to_owned(), place: place.clone() });
            }
        }
        for kind in ["ability", "condition"] {
            let ids = entries(document.node(kind)).map(|(id, _)| (kind, id.to_owned()));
            self.written.extend(ids);
        }
    }

    /// Everything that is wrong, now that all files are read.
    pub fn told(self, catalog: &Catalog) -> Vec<Problem> {
        let Findings { mut problems, uses, written } = self;
        for Use { kind, name, place } in uses {
            let own = written.iter().filter(|(of, _)| *of == kind).map(|(_, id)| id.as_str());
            let known: Vec<&str> = match kind {
                "ability" => catalog.abilities.iter().map(|def| &*def.id).chain(own).collect(),
                _ => catalog.conditions.iter().map(|def| &*def.name).chain(own).collect(),
            };
            if !known.contains(&name.as_str()) {
                let near = hint(&name, known.iter().copied());
                problems.push(Problem::new(&place, format!("no {kind} `{name}`{near}")));
            }
        }
        in_order(&mut problems);
        problems
    }
}

/// The entries of a section, tables by name or items of a list.
fn entries(section: Option<&Node>) -> impl Iterator<Item = (&str, &Node)> {
    let (rows, items) = match section.map(|node| &node.value) {
        Some(Tree::Table(rows)) => (rows.as_slice(), &[][..]),
        Some(Tree::List(items)) => (&[][..], items.as_slice()),
        _ => (&[][..], &[][..]),
    };
    rows.iter().map(|(id, _, node)| (id.as_str(), node)).chain(items.iter().map(|node| ("", node)))
}

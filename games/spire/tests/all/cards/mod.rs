//! Every card, base and upgraded, played once on a standard stage: what happens, in words.

mod edges;
mod scripts;
mod stage;

use crate::told::bless;
use turnstone_spire::{Ruleset, Spire};

/// One file per color.
fn check(name: &str, colors: &[&str]) {
    let spire = Spire::builtin(Ruleset::Classic).expect("the built-in content is sound");
    let mut text = String::new();
    for info in
        spire.catalog.cards.iter().filter(|info| colors.contains(&spire.catalog.color_name(info.color)))
    {
        let script = scripts::of(&info.id);
        text += &format!(
            "{}{}\n",
            info.id,
            if script.is_empty() { String::new() } else { format!(" [{script}]") }
        );
        let base = stage::play(&spire, &info.id, 0, script);
        text += &format!("  {base}\n");
        if info.upgradable {
            let upgraded = stage::play(&spire, &info.id, 1, script);
            if upgraded != base {
                text += &format!(" +\n  {upgraded}\n");
            }
        }
    }
    bless(&format!("cards/{name}"), &text);
}

#[test]
fn ironclad() {
    check("ironclad", &["ironclad"]);
}

#[test]
fn silent() {
    check("silent", &["silent"]);
}

#[test]
fn defect() {
    check("defect", &["defect"]);
}

#[test]
fn watcher() {
    check("watcher", &["watcher"]);
}

#[test]
fn colorless_curses_and_statuses() {
    check("colorless", &["colorless", "curse", "status"]);
}

#[test]
fn cards_in_company() {
    let spire = Spire::builtin(Ruleset::Classic).expect("the built-in content is sound");
    let told = edges::EDGES.iter().map(|&(title, id, up, script)| {
        let plus = if up > 0 { "+" } else { "" };
        format!("{title}: {id}{plus} [{script}]\n  {}\n", stage::play(&spire, id, up, script))
    });
    bless("cards/company", &told.collect::<String>());
}

//! The generated text of every card and power: nothing is mute, and every change of wording is seen.

use turnstone_spire::catalog::face::{Live, card, power};
use turnstone_spire::catalog::{Content, Sources};

fn content() -> Content {
    Content::load(&Sources::builtin("")).expect("the built-in content is sound")
}

#[test]
fn content_faces_of_all_cards() {
    let content = content();
    let mut lines = String::new();
    for entry in &content.cards {
        let (base, upgraded) =
            (card(&content, entry, &Live::base()), card(&content, entry, &Live::upgraded()));
        assert!(!base.is_empty(), "{} has no text", entry.common.id);
        lines += &format!("{}: {base}\n", entry.common.id);
        if entry.upgradable && base != upgraded {
            lines += &format!("  upgraded: {upgraded}\n");
        }
    }
    insta::assert_snapshot!("card_faces", lines);
}

#[test]
fn content_faces_of_all_powers() {
    let content = content();
    let lines: String = content
        .powers
        .iter()
        .map(|entry| format!("{}: {}\n", entry.common.id, power(&content, entry, Some(2))))
        .collect();
    insta::assert_snapshot!("power_faces", lines);
}

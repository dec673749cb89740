use super::*;
use crate::catalog::load::Sources;

fn content() -> Content {
    Content::load(&Sources::builtin("")).expect("sound content")
}

fn face(id: &str, live: &Live<'_>) -> String {
    let content = content();
    let found = content.cards.iter().find(|card| card.common.id == id).expect("a card of that id");
    card(&content, found, live)
}

#[test]
fn sentences_follow_the_steps() {
    assert_eq!(face("twin_strike", &Live::base()), "Deal 5 damage twice.");
    assert_eq!(
        face("thunderclap", &Live::upgraded()),
        "Deal 7 damage to all enemies. Apply 1 Vulnerable to all enemies."
    );
    assert_eq!(face("demon_form", &Live::base()), "At the start of your turn, gain 2 Strength.");
    assert_eq!(face("double_tap", &Live::upgraded()), "Play the next 2 attacks of this turn twice.");
}

#[test]
fn numbers_are_live() {
    let live = Live { grown: 10, attack: &|base, _| base * 2, block: &|base| base + 1, ..Live::base() };
    assert!(face("rampage", &live).starts_with("Deal 36 damage."));
    assert_eq!(face("iron_wave", &live), "Gain 6 Block. Deal 10 damage.");
    let many = Live { upgrades: 3, ..Live::base() };
    assert!(face("searing_blow", &many).starts_with("Deal 27 damage."));
}

#[test]
fn written_marks_are_filled_in() {
    let (content, live) = (content(), Live::base());
    let writer = Writer { stacks: Some(2), ..Writer::new(&content, &live) };
    assert_eq!(writer.written("{a|b}: {n}, {n card}, {next card}"), "a: 2, 2 cards, next 2 cards");
    assert_eq!(writer.written("an open { brace"), "an open { brace");
}

//! Spire on small and large terminals, as pictures: the crowded fight, the shop, the map, an event.

use ratatui::crossterm::event::KeyCode;
use turnstone_games::games;
use turnstone_table::Opening;
use turnstone_table::scene::{Choice, Scene};

use super::desk::{Desk, Focus, Mode};
use super::tests::{press, text};
use crate::play::Play;
use crate::store::Store;

/// Ten cards, five enemies with powers, five orbs, five potions, twenty-five relics.
const CROWD: &str = "as: defect; hp 41/75 block 12 energy 3; strength 2, weak 1, vulnerable 2\n\
    hand: strike_defect, defend_defect, zap, dualcast, ball_lightning, cold_snap, glacier, defragment, \
    echo_form, creative_ai+\n\
    draw: beam_cell, coolheaded, hologram; discard: turbo, leap, leap\n\
    orbs: lightning, frost, dark=18, plasma, lightning\n\
    potions: fire_potion, focus_potion, block_potion, fear_potion, swift_potion\n\
    relics: cracked_core, vajra, anchor, lantern, pen_nib=7, kunai, shuriken, nunchaku=4, orichalcum, akabeko, \
    bag_of_marbles, bag_of_preparation, blood_vial, bronze_scales, centennial_puzzle, happy_flower, \
    oddly_smooth_stone, red_skull, horn_cleat, ink_bottle, letter_opener, mercury_hourglass, ornamental_fan, \
    pantograph, sundial\n\
    enemy: fat_gremlin 14/15; weak 1\nenemy: sneaky_gremlin 11/12; vulnerable 2\n\
    enemy: mad_gremlin 22/24; angry 2, strength 4\nenemy: gremlin_wizard 21/23\n\
    enemy: gremlin_leader 120/140 block 6; strength 3, artifact 2";

fn open(setup: &str, seed: u64) -> Desk {
    let opening = Opening { setup: Some(setup.to_owned()), seed, ..Opening::default() };
    let table = games().find("spire").unwrap().open(&opening).unwrap_or_else(|refusal| panic!("{refusal}"));
    Desk::new(Play::new(table, None, None), Store::new(Some("nowhere".into()), games()), Mode::Play)
}

fn crowd() -> Desk {
    open(&format!("situation:{CROWD}"), 1)
}

/// Plays what `wanted` likes best until `there` is reached; attacks first, and the end of the turn last.
fn climb(desk: &mut Desk, there: impl Fn(&Scene) -> bool, wanted: &str) {
    for _ in 0..400 {
        if there(&desk.scene) {
            return;
        }
        let rank = |choice: &Choice| match choice.label.as_str() {
            label if label.contains(wanted) => 0,
            label if label.starts_with("play") && !label.contains("Defend") => 1,
            label if label.starts_with("play") => 2,
            label if label.starts_with("use") || label.starts_with("throw") || label.starts_with("Throw") => {
                9
            }
            label if label.starts_with("Take") => 3,
            _ => 4,
        };
        let best = (0..desk.scene.options.len()).min_by_key(|&at| rank(&desk.scene.options[at]));
        desk.choose(best.expect("something to do")).unwrap();
    }
    panic!("not reached: {}", desk.scene.title);
}

fn shows(scene: &Scene, panel: &str) -> bool {
    scene.panels.iter().any(|shown| shown.id == panel)
}

#[test]
fn a_crowded_fight_fits_small_and_large_terminals() {
    let mut desk = crowd();
    insta::assert_snapshot!("crowd_80x24", text(&mut desk, 80, 24));
    insta::assert_snapshot!("crowd_120x40", text(&mut desk, 120, 40));
    insta::assert_snapshot!("crowd_60x20", text(&mut desk, 60, 20));
}

#[test]
fn everything_in_a_crowded_fight_can_be_reached_and_read() {
    for (width, height) in [(60, 20), (80, 24), (100, 30), (120, 40)] {
        let mut desk = crowd();
        let scene = desk.scene.clone();
        for (index, panel) in scene.panels.iter().enumerate() {
            desk.focus = Focus::Panel(index);
            for (line, item) in panel.items.iter().enumerate() {
                desk.items[index] = line;
                let shown = text(&mut desk, width, height);
                let start: String = item.text.chars().take(20).collect();
                assert!(shown.contains(&start), "{width}x{height}: {start} is not in\n{shown}");
            }
        }
    }
}

#[test]
fn hidden_lines_are_announced() {
    let mut desk = crowd();
    let shown = text(&mut desk, 60, 20);
    assert!(shown.contains("more ↓"), "{shown}");
    let relics = desk.scene.panels.iter().position(|panel| panel.id == "relics").unwrap();
    assert!(shown.contains("Relics 25"), "a list that is closed is named\n{shown}");
    desk.focus = Focus::Panel(relics);
    desk.items[relics] = 24;
    let shown = text(&mut desk, 80, 24);
    assert!(shown.contains("Sundial") && shown.contains("more ↑"), "{shown}");
}

#[test]
fn a_card_goes_to_its_target_and_the_cursor_comes_back() {
    let mut desk = crowd();
    let hand = desk.focus;
    press(&mut desk, &[KeyCode::Char('1')]);
    assert_ne!(desk.focus, hand, "the cursor goes to the enemies");
    let shown = text(&mut desk, 100, 30);
    assert!(shown.contains("play Strike at Fat Gremlin: Deal"), "{shown}");
    press(&mut desk, &[KeyCode::Esc]);
    assert_eq!(desk.focus, hand);
    press(&mut desk, &[KeyCode::Char('1'), KeyCode::Down, KeyCode::Enter]);
    assert_eq!((desk.focus, desk.play.table.here()), (hand, 1));
}

#[test]
fn nothing_is_said_twice_about_a_card() {
    let mut desk = open("situation:hand: strike_ironclad; enemy: cultist 48/50", 1);
    let shown = text(&mut desk, 100, 30);
    let info = shown.lines().skip(22).collect::<Vec<_>>().join("\n");
    assert_eq!(info.matches("Deal 6 damage").count(), 1, "{shown}");
}

#[test]
fn the_shop_the_map_and_an_event_fit() {
    let mut desk = open("ironclad", 7);
    insta::assert_snapshot!("neow_80x24", text(&mut desk, 80, 24));
    climb(&mut desk, |scene| scene.board.as_ref().is_some_and(|board| !board.aside), "");
    insta::assert_snapshot!("map_80x24", text(&mut desk, 80, 24));
    insta::assert_snapshot!("map_120x40", text(&mut desk, 120, 40));
    climb(&mut desk, |scene| shows(scene, "event"), "unknown");
    insta::assert_snapshot!("event_80x24", text(&mut desk, 80, 24));
    insta::assert_snapshot!("event_120x40", text(&mut desk, 120, 40));
    climb(&mut desk, |scene| shows(scene, "shop"), "merchant");
    insta::assert_snapshot!("shop_80x24", text(&mut desk, 80, 24));
    insta::assert_snapshot!("shop_120x40", text(&mut desk, 120, 40));
}

/// What costs too much, and headings of rewards, once took digits away from what can be had.
#[test]
fn digits_count_only_what_can_be_picked() {
    let mut desk = open("ironclad", 7);
    climb(&mut desk, |scene| shows(scene, "event"), "unknown");
    climb(&mut desk, |scene| shows(scene, "shop"), "merchant");
    let panel = desk.digits_point_at().expect("the wares");
    let keyed = desk.keyed(panel);
    assert!(keyed.len() < desk.scene.panels[panel].items.len(), "something is too dear");
    let shown = text(&mut desk, 120, 40);
    for (digit, line) in "1234567890".chars().zip(&keyed) {
        let ware = desk.scene.panels[panel].items[*line].text.trim().to_owned();
        assert!(
            shown.contains(&format!("{digit}▸")) && shown.contains(ware.get(..20).unwrap_or(&ware)),
            "{shown}"
        );
    }
    let ware = desk.scene.panels[panel].items[keyed[6]].text.clone();
    press(&mut desk, &[KeyCode::Char('7')]);
    let wares = desk.scene.panels.iter().flat_map(|panel| &panel.items);
    assert!(wares.map(|item| &item.text).all(|text| *text != ware), "{ware} is bought");
}

#[test]
fn a_card_of_the_deck_is_chosen_where_it_lies() {
    let mut desk = open("ironclad", 7);
    press(&mut desk, &[KeyCode::Char('1')]);
    let shown = text(&mut desk, 80, 24);
    assert!(shown.contains("Deck 10: a card to upgrade"), "{shown}");
    assert!(shown.contains("2▸4 × [1] Defend: Gain 5 Block. → Gain 8 Block."), "{shown}");
    // Four equal cards are one: nobody is asked which.
    press(&mut desk, &[KeyCode::Char('2')]);
    assert!(desk.overlay.is_none());
    assert!(text(&mut desk, 80, 24).contains("Defend becomes Defend+"));
}

#[test]
fn the_cursor_goes_on_to_what_can_still_be_chosen() {
    let draw = "situation:as: watcher; energy 3; hand: third_eye; draw: halt, defend_watcher, strike_watcher; \
        enemy: cultist 40/50";
    let mut desk = open(draw, 1);
    press(&mut desk, &[KeyCode::Char('1'), KeyCode::Enter]);
    let shown = text(&mut desk, 80, 24);
    assert!(shown.contains("✓ ") && shown.contains("d done"), "{shown}");
    press(&mut desk, &[KeyCode::Enter]);
    assert_eq!(text(&mut desk, 80, 24).matches("✓ ").count(), 2);
}

#[test]
fn a_potion_is_thrown_away_by_two_keys() {
    let mut desk =
        open("situation:hand: bash; potions: fire_potion; enemy: cultist 40/50; enemy: cultist 9/50", 1);
    let potions = desk.scene.panels.iter().position(|panel| panel.id == "potions").unwrap();
    desk.focus = Focus::Panel(potions);
    press(&mut desk, &[KeyCode::Enter]);
    let shown = text(&mut desk, 100, 30);
    assert_eq!(desk.play.table.here(), 0);
    assert!(shown.contains("t throw away") && shown.contains("use Fire Potion at Cultist 1"), "{shown}");
    press(&mut desk, &[KeyCode::Char('t')]);
    assert!(text(&mut desk, 100, 30).contains("Fire Potion is gone"));
}

#[test]
fn the_way_is_marked_without_colours() {
    let mut desk = open("ironclad", 7);
    desk.theme.colours = false;
    climb(&mut desk, |scene| scene.board.as_ref().is_some_and(|board| !board.aside), "");
    assert!(!text(&mut desk, 80, 24).contains('›'), "nowhere yet");
    climb(
        &mut desk,
        |scene| scene.title.contains("floor 1") && scene.board.as_ref().is_some_and(|b| !b.aside),
        "",
    );
    assert!(text(&mut desk, 80, 24).contains("›M"), "{}", text(&mut desk, 80, 24));
}

#[test]
fn when_a_fight_begins_the_cursor_is_in_the_hand() {
    let mut desk = open("fight:cultist", 1);
    assert_eq!(desk.focus, Focus::Options);
    press(&mut desk, &[KeyCode::Enter]);
    let hand = desk.scene.panels.iter().position(|panel| panel.id == "hand").unwrap();
    assert_eq!(desk.focus, Focus::Panel(hand));
}

//! The screen, driven by keys and read as text.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use turnstone_games::games;
use turnstone_table::testing::PEBBLES;
use turnstone_table::{Host, Opening};

use super::desk::{Desk, Focus, Mode};
use super::draw;
use crate::play::Play;
use crate::store::Store;

fn desk(mode: Mode) -> Desk {
    let table = PEBBLES.open(&Opening { seed: 3, ..Opening::default() }).unwrap();
    Desk::new(Play::new(table, None, None), Store::new(Some("nowhere".into()), games()), mode)
}

pub fn press(desk: &mut Desk, keys: &[KeyCode]) {
    for key in keys {
        desk.key(KeyEvent::new(*key, KeyModifiers::NONE)).unwrap();
    }
}

pub fn text(desk: &mut Desk, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw::desk(frame, desk)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn a_cell_is_claimed_with_arrows_and_enter() {
    let mut desk = desk(Mode::Play);
    assert_eq!(desk.focus, Focus::Board);
    press(&mut desk, &[KeyCode::Right, KeyCode::Enter]);
    assert_eq!(desk.play.table.here(), 1);
    let shown = text(&mut desk, 120, 30);
    assert!(shown.contains("Bob to play") && shown.contains("Ada claims b3"), "{shown}");
    press(&mut desk, &[KeyCode::Char('u')]);
    assert_eq!(desk.play.table.here(), 0);
    press(&mut desk, &[KeyCode::Char('r')]);
    assert_eq!(desk.play.table.here(), 1);
}

#[test]
fn a_taken_cell_gets_a_message_and_nothing_else() {
    let mut desk = desk(Mode::Play);
    press(&mut desk, &[KeyCode::Enter]);
    assert_eq!(desk.cell, (1, 0), "the cursor goes on to a free cell");
    press(&mut desk, &[KeyCode::Left, KeyCode::Enter]);
    assert_eq!(desk.play.table.here(), 1);
    assert!(text(&mut desk, 100, 30).contains("Nothing can be done there now."));
}

#[test]
fn a_question_is_answered_by_the_keys_of_its_words() {
    let mut desk = desk(Mode::Play);
    press(&mut desk, &[KeyCode::Down, KeyCode::Right, KeyCode::Enter]);
    let shown = text(&mut desk, 100, 30);
    assert!(
        shown.contains("Keep the middle?") && shown.contains("k keep") && shown.contains("l leave"),
        "{shown}"
    );
    press(&mut desk, &[KeyCode::Char('l')]);
    let shown = text(&mut desk, 100, 30);
    assert!(shown.contains("Ada leaves b2 to nobody"), "{shown}");
}

#[test]
fn the_secrets_of_another_seat_are_not_on_the_screen() {
    let mut desk = desk(Mode::Play);
    press(&mut desk, &[KeyCode::Char('e')]); // p waits for bots, so `peek` has its next free letter
    let own = text(&mut desk, 120, 30);
    assert!(own.contains("Ada has the secret"), "{own}");
    press(&mut desk, &[KeyCode::Enter]);
    let other = text(&mut desk, 120, 30);
    assert!(!other.contains("Ada has the secret") && other.contains("Bob to play"), "{other}");
}

#[test]
fn every_overlay_opens_and_closes_at_every_size() {
    for (width, height) in [(1, 1), (20, 6), (80, 24), (200, 60)] {
        for letter in ['?', 'q', 'b', 's', 'o', 'i'] {
            let mut desk = desk(Mode::Play);
            press(&mut desk, &[KeyCode::Enter, KeyCode::Char(letter)]);
            assert!(desk.overlay.is_some());
            text(&mut desk, width, height);
            press(&mut desk, &[KeyCode::Esc]);
            assert!(desk.overlay.is_none() && !desk.leaving, "{letter}");
        }
    }
}

#[test]
fn the_branch_that_was_left_can_be_gone_back_to() {
    let mut desk = desk(Mode::Play);
    press(&mut desk, &[KeyCode::Enter, KeyCode::Char('u'), KeyCode::Right, KeyCode::Enter]);
    press(&mut desk, &[KeyCode::Char('b'), KeyCode::Up, KeyCode::Enter]);
    assert_eq!(desk.play.table.here(), 1);
    assert_eq!(desk.play.table.moments(), 3);
}

#[test]
fn quitting_asks_first() {
    let mut desk = desk(Mode::Play);
    press(&mut desk, &[KeyCode::Char('q'), KeyCode::Char('n')]);
    assert!(!desk.leaving);
    press(&mut desk, &[KeyCode::Char('q'), KeyCode::Char('y')]);
    assert!(desk.leaving);
}

#[test]
fn a_replay_steps_and_changes_nothing() {
    let mut desk = desk(Mode::Replay);
    for number in [0, 0, 0] {
        desk.play.table.choose(number).unwrap();
    }
    desk.refresh();
    press(&mut desk, &[KeyCode::Left, KeyCode::Left]);
    assert_eq!(desk.play.table.here(), 1);
    press(&mut desk, &[KeyCode::Enter, KeyCode::Right, KeyCode::Home]);
    assert_eq!(desk.play.table.here(), 0);
    press(&mut desk, &[KeyCode::End]);
    assert_eq!((desk.play.table.here(), desk.play.table.moments()), (3, 4));
    press(&mut desk, &[KeyCode::Home, KeyCode::Char(' ')]);
    while desk.moves_by_itself() {
        desk.tick().unwrap();
    }
    assert_eq!(desk.play.table.here(), 3);
}

#[test]
fn bots_answer_by_themselves() {
    let mut table = PEBBLES.open(&Opening { seed: 3, ..Opening::default() }).unwrap();
    table.seat_bot(1, "random", 1).unwrap();
    let mut desk =
        Desk::new(Play::new(table, None, None), Store::new(Some("nowhere".into()), games()), Mode::Play);
    assert!(!desk.moves_by_itself());
    press(&mut desk, &[KeyCode::Enter]);
    assert!(desk.moves_by_itself());
    while desk.moves_by_itself() {
        desk.tick().unwrap();
    }
    assert_eq!(desk.play.table.actor(), Some(0));
    press(&mut desk, &[KeyCode::Char('u')]);
    assert_eq!(desk.play.table.here(), 0, "undo goes back to one's own turn");
}

#[test]
fn the_last_move_is_marked_on_the_board_and_told_in_two_lines() {
    let table = games().find("chess").unwrap().open(&Opening { seed: 3, ..Opening::default() }).unwrap();
    let mut desk =
        Desk::new(Play::new(table, None, None), Store::new(Some("nowhere".into()), games()), Mode::Play);
    let number = desk.scene.options.iter().position(|option| option.label == "e4").unwrap();
    desk.choose(number).unwrap();
    let cells = desk.scene.board.as_ref().unwrap().cells.iter().enumerate();
    let recent: Vec<usize> = cells.filter(|(_, cell)| cell.recent).map(|(at, _)| at).collect();
    assert_eq!(recent, [4 * 8 + 4, 6 * 8 + 4], "e4 and e2");
    let shown = text(&mut desk, 80, 24);
    assert!(shown.contains("White's pawn moves from e2 to e4") && !shown.contains("Turn 1"), "{shown}");
}

#[test]
fn a_window_that_is_too_small_says_so() {
    let mut desk = desk(Mode::Play);
    assert!(text(&mut desk, 29, 9).contains("too small"));
    assert!(text(&mut desk, 30, 10).contains("Ada to play"));
}

#[test]
fn the_log_comes_into_sight_where_there_was_no_room_for_it() {
    let mut desk = desk(Mode::Play);
    press(&mut desk, &[KeyCode::Enter]);
    if !text(&mut desk, 40, 12).contains("Log ─") {
        press(&mut desk, &[KeyCode::PageUp]);
        assert_eq!(desk.focus, Focus::Log);
        assert!(text(&mut desk, 40, 12).contains("Ada claims a3"));
    }
}

#[test]
fn everything_about_what_the_cursor_is_on_is_a_key_away() {
    let mut desk = desk(Mode::Play);
    press(&mut desk, &[KeyCode::Char('i')]);
    assert!(text(&mut desk, 80, 24).contains("About"));
    press(&mut desk, &[KeyCode::Char('i')]);
    assert!(desk.overlay.is_none());
}

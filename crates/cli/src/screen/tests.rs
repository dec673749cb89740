//! The screen, driven by keys and read as text.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use turnstone_games::games;
use turnstone_table::testing::PEBBLES;
use turnstone_table::{Host, Opening};

use super::desk::{Desk, Focus, Mode};
use super::draw;
use super::mouse::Spot;
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
    let between = text(&mut desk, 120, 30);
    assert!(between.contains("Bob is to look now") && !between.contains("Bob to play"), "{between}");
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

/// A replay of three inputs, and of another line that left it after the first.
fn replay() -> Desk {
    let mut table = PEBBLES.open(&Opening { seed: 3, ..Opening::default() }).unwrap();
    for number in [0, 0, 0] {
        table.choose(number).unwrap();
    }
    table.jump(1).unwrap();
    table.choose(2).unwrap();
    table.jump(3).unwrap();
    Desk::new(Play::new(table, None, None), Store::new(Some("nowhere".into()), games()), Mode::Replay)
}

#[test]
fn a_replay_begins_at_the_start_steps_and_changes_nothing() {
    let mut desk = replay();
    let shown = text(&mut desk, 100, 30);
    assert!(desk.play.table.here() == 0 && shown.contains("0 of 3"), "{shown}");
    for (width, height) in [(60, 20), (80, 24), (100, 30), (120, 40)] {
        let shown = text(&mut desk, width, height);
        assert!(!shown.contains("Options"), "nothing can be chosen in a replay:\n{shown}");
    }
    press(&mut desk, &[KeyCode::Right, KeyCode::Right, KeyCode::Left]);
    assert_eq!(desk.play.table.here(), 1);
    press(&mut desk, &[KeyCode::Enter, KeyCode::Right, KeyCode::Home]);
    assert_eq!(desk.play.table.here(), 0);
    press(&mut desk, &[KeyCode::End]);
    assert_eq!((desk.play.table.here(), desk.play.table.moments()), (3, 5));
    press(&mut desk, &[KeyCode::Home, KeyCode::Char(' ')]);
    while desk.moves_by_itself() {
        desk.tick().unwrap();
    }
    assert_eq!(desk.play.table.here(), 3);
}

#[test]
fn a_replay_jumps_searches_goes_faster_and_takes_the_other_line() {
    let mut desk = replay();
    press(&mut desk, &[KeyCode::Char('g'), KeyCode::Char('2'), KeyCode::Enter]);
    assert_eq!(desk.reel.at, 2);
    press(&mut desk, &[KeyCode::Char('g'), KeyCode::Char('9'), KeyCode::Enter]);
    assert!(desk.reel.at == 2 && text(&mut desk, 100, 30).contains("numbers 0 to 3"));
    press(&mut desk, &[KeyCode::Char('/')]);
    press(&mut desk, &"a3".chars().map(KeyCode::Char).collect::<Vec<_>>());
    press(&mut desk, &[KeyCode::Enter]);
    assert_eq!(desk.reel.at, 1, "Ada claimed a3 first; the search goes round");
    let slow = desk.pause();
    press(&mut desk, &[KeyCode::Char('+')]);
    assert!(desk.pause() < slow);
    press(&mut desk, &[KeyCode::End, KeyCode::Char(']')]);
    assert_eq!((desk.reel.at, desk.reel.length(), desk.play.table.here()), (1, 2, 1), "where the lines part");
    press(&mut desk, &[KeyCode::Right]);
    assert_eq!(desk.play.table.here(), 4);
    press(&mut desk, &[KeyCode::Char('e')]);
    let shown = text(&mut desk, 120, 30);
    assert!(shown.contains("Why"), "{shown}");
}

/// How many figures stand on the board.
fn wood(desk: &Desk) -> usize {
    let board = desk.scene.board.as_ref().expect("a board");
    board.cells.iter().filter(|cell| !cell.figures.is_empty()).count()
}

#[test]
fn a_replay_shows_what_an_input_sets_off_part_by_part() {
    let chain = "k7/8/8/8/8/8/8/K1R1p{exploding}p{exploding}p{exploding}1 w - - 0 1";
    let opening = Opening {
        seed: 3,
        setup: Some(chain.to_owned()),
        ruleset: Some("last-piece-standing".into()),
        ..Opening::default()
    };
    let mut table = games().find("chess").unwrap().open(&opening).unwrap();
    let play = table.parse("c1e1").expect("a move");
    table.act(&play).unwrap();
    let mut desk =
        Desk::new(Play::new(table, None, None), Store::new(Some("nowhere".into()), games()), Mode::Replay);
    assert_eq!(wood(&desk), 6);
    let mut counts = Vec::new();
    while desk.reel.at == 0 {
        press(&mut desk, &[KeyCode::Char('.')]);
        counts.push(wood(&desk));
    }
    assert!(counts.len() >= 3 && counts.is_sorted_by(|one, next| one >= next), "{counts:?}");
    let slow = desk.pause();
    press(&mut desk, &[KeyCode::Home, KeyCode::Char('.')]);
    assert!(desk.reel.at == 0 && desk.pause() < slow, "a part stays half as long");
    press(&mut desk, &[KeyCode::Right]);
    assert_eq!((desk.reel.at, wood(&desk)), (1, *counts.last().unwrap()));
}

fn chess(setup: Option<&str>) -> Desk {
    let opening = Opening { seed: 3, setup: setup.map(str::to_owned), ..Opening::default() };
    let table = games().find("chess").unwrap().open(&opening).unwrap();
    Desk::new(Play::new(table, None, None), Store::new(Some("nowhere".into()), games()), Mode::Play)
}

fn type_in(desk: &mut Desk, text: &str) {
    press(desk, &text.chars().map(KeyCode::Char).collect::<Vec<_>>());
}

/// What was played last, in words.
fn last(desk: &Desk) -> String {
    let table = &desk.play.table;
    table.explain(table.here(), turnstone_table::Viewer::All).lines[0].text.clone()
}

#[test]
fn a_move_is_typed_on_the_screen() {
    let mut desk = chess(None);
    type_in(&mut desk, "e2e4");
    let shown = text(&mut desk, 100, 30);
    assert!(desk.play.table.here() == 0 && shown.contains("e2e4▏"), "{shown}");
    press(&mut desk, &[KeyCode::Enter]);
    assert!(last(&desk).contains("e4"), "{}", last(&desk));
    for (typed, told) in [("e5", "e5"), ("Nf3", "Nf3"), ("b8c6", "c6"), ("bb5", "Bb5")] {
        type_in(&mut desk, typed);
        press(&mut desk, &[KeyCode::Enter]);
        assert!(last(&desk).contains(told), "{typed}: {}", last(&desk));
    }
    assert_eq!(desk.play.table.here(), 5);
}

#[test]
fn letters_of_moves_are_never_commands_and_what_fits_nothing_can_be_mended() {
    let mut desk = chess(None);
    for letter in "qrboabcdefghknQRBNO".chars() {
        press(&mut desk, &[KeyCode::Char(letter)]);
        assert!(desk.is_typing() && desk.overlay.is_none(), "{letter}");
        press(&mut desk, &[KeyCode::Esc]);
        assert!(!desk.is_typing());
    }
    type_in(&mut desk, "e5");
    press(&mut desk, &[KeyCode::Enter]);
    assert!(desk.play.table.here() == 0 && desk.is_typing(), "e5 cannot be played, and stays to be mended");
    press(&mut desk, &[KeyCode::Backspace, KeyCode::Char('4'), KeyCode::Enter]);
    assert_eq!(desk.play.table.here(), 1);
    desk.key(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::CONTROL)).unwrap();
    assert!(desk.overlay.is_some(), "with Ctrl it is the command");
}

#[test]
fn tab_and_arrows_complete_what_is_typed() {
    let mut desk = chess(None);
    type_in(&mut desk, "g");
    let fits: Vec<String> =
        desk.meant().iter().map(|&number| desk.scene.options[number].label.clone()).collect();
    assert!(fits.contains(&"g3".to_owned()) && fits.contains(&"g4".to_owned()) && fits.len() < 6, "{fits:?}");
    press(&mut desk, &[KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
    assert!(last(&desk).contains(&fits[1]), "{} {fits:?}", last(&desk));
}

#[test]
fn the_queen_is_q_when_a_pawn_promotes() {
    let mut desk = chess(Some("7k/P7/8/8/8/8/8/K7 w - - 0 1"));
    let number = desk.scene.options.iter().position(|option| option.label.starts_with("a8")).unwrap();
    desk.choose(number).unwrap();
    assert!(desk.scene.question.is_some());
    press(&mut desk, &[KeyCode::Char('n')]);
    assert!(desk.scene.question.is_none(), "the knight is n");
    desk.undo().unwrap();
    press(&mut desk, &[KeyCode::Char('q')]);
    assert!(desk.overlay.is_none() && desk.scene.question.is_none());
    let cells = &desk.scene.board.as_ref().unwrap().cells;
    assert!(cells[0].note.to_lowercase().contains("queen"), "{}", cells[0].note);
}

#[test]
fn the_board_is_turned_for_black_and_by_hand() {
    let mut desk = chess(None);
    type_in(&mut desk, "e4");
    let row_of = |desk: &mut Desk, name: char| {
        let shown = text(desk, 80, 24);
        let begins = |line: &&str| line.trim_start_matches(['"', ' ']).starts_with(&format!("{name} "));
        shown.lines().position(|line| begins(&line)).unwrap_or_else(|| panic!("{shown}"))
    };
    press(&mut desk, &[KeyCode::Enter]);
    assert!(row_of(&mut desk, '1') < row_of(&mut desk, '8'), "Black is to move and sits below");
    desk.key(KeyEvent::new(KeyCode::Char('f'), KeyModifiers::CONTROL)).unwrap();
    assert!(row_of(&mut desk, '1') > row_of(&mut desk, '8'));
    let (x, y) = desk.cell;
    press(&mut desk, &[KeyCode::Up]);
    assert_eq!(desk.cell, (x, y.saturating_sub(1)));
    desk.key(KeyEvent::new(KeyCode::Char('f'), KeyModifiers::CONTROL)).unwrap();
    press(&mut desk, &[KeyCode::Up]);
    assert_eq!(desk.cell, (x, y), "up is up, as it is seen");
}

#[test]
fn dark_squares_are_darker() {
    let desk = chess(None);
    let cells = &desk.scene.board.as_ref().unwrap().cells;
    let theme = super::theme::Theme { colours: true };
    let shade = |at: usize| match theme.ground(&cells[at]).bg {
        Some(ratatui::style::Color::Indexed(shade)) => shade,
        other => panic!("{other:?}"),
    };
    assert!(shade(7 * 8) < shade(7 * 8 + 7), "a1 is dark, h1 is light");
}

#[test]
fn a_large_screen_has_a_large_board() {
    let mut desk = chess(None);
    let lines = |desk: &mut Desk, width, height| {
        text(desk, width, height);
        desk.spots
            .iter()
            .filter(|(_, spot)| matches!(spot, Spot::Cell(0, 0)))
            .map(|(place, _)| place.height)
            .sum::<u16>()
    };
    assert_eq!(lines(&mut desk, 80, 24), 1);
    assert_eq!(lines(&mut desk, 120, 40), 2);
    assert_eq!(lines(&mut desk, 160, 50), 3);
}

/// Clicks on what was drawn last.
fn click(desk: &mut Desk, wanted: Spot) {
    text(desk, 100, 30);
    let (place, _) =
        *desk.spots.iter().find(|(_, spot)| *spot == wanted).unwrap_or_else(|| panic!("{wanted:?}"));
    let kind = MouseEventKind::Down(MouseButton::Left);
    desk.mouse(&MouseEvent { kind, column: place.x, row: place.y, modifiers: KeyModifiers::NONE }).unwrap();
}

#[test]
fn clicks_point_and_the_wheel_scrolls() {
    let mut desk = chess(None);
    click(&mut desk, Spot::Cell(4, 6));
    click(&mut desk, Spot::Cell(4, 4));
    assert!(last(&desk).contains("e4"), "{}", last(&desk));
    click(&mut desk, Spot::Option(0));
    assert_eq!(desk.play.table.here(), 2);
    text(&mut desk, 100, 30);
    let place = desk.spots.iter().find(|(_, spot)| *spot == Spot::Option(0)).unwrap().0;
    let wheel = MouseEvent {
        kind: MouseEventKind::ScrollDown,
        column: place.x,
        row: place.y,
        modifiers: KeyModifiers::NONE,
    };
    desk.mouse(&wheel).unwrap();
    assert_eq!(desk.option, 1);
    desk.key(KeyEvent::new(KeyCode::Char('b'), KeyModifiers::CONTROL)).unwrap();
    click(&mut desk, Spot::Entry(0));
    assert!(desk.overlay.is_none());
}

#[test]
fn control_c_twice_leaves() {
    let mut desk = desk(Mode::Play);
    let hit = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    desk.key(hit).unwrap();
    assert!(!desk.leaving);
    desk.key(hit).unwrap();
    assert!(desk.leaving);
}

#[test]
fn what_is_grave_is_asked_once() {
    let mut desk = chess(Some("7k/8/8/8/8/8/8/K5Q1 w - - 120 90"));
    let Some(number) = desk.scene.options.iter().position(|option| option.grave) else {
        panic!("a draw can be claimed here: {:?}", desk.scene.options);
    };
    desk.choose(number).unwrap();
    assert!(desk.play.table.here() == 0 && text(&mut desk, 80, 24).contains("Really?"));
    press(&mut desk, &[KeyCode::Esc]);
    assert!(desk.play.table.here() == 0 && desk.overlay.is_none());
    desk.choose(number).unwrap();
    press(&mut desk, &[KeyCode::Char('y')]);
    assert_eq!(desk.play.table.here(), 1);
}

#[test]
fn giving_up_is_a_key_away_and_asked_once() {
    let mut desk = chess(None);
    type_in(&mut desk, "resign");
    press(&mut desk, &[KeyCode::Enter]);
    assert!(text(&mut desk, 80, 24).contains("Really?"));
    press(&mut desk, &[KeyCode::Char('n')]);
    assert!(desk.play.table.outcome().is_none());
    press(&mut desk, &[KeyCode::Esc]);
    desk.key(KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL)).unwrap();
    let shown = text(&mut desk, 80, 24);
    assert!(shown.contains("give the match up") && shown.contains("offer a draw"), "{shown}");
    press(&mut desk, &[KeyCode::Enter, KeyCode::Char('y')]);
    assert!(desk.play.table.outcome().is_some());
}

#[test]
fn the_title_says_against_whom_one_plays() {
    let mut desk = chess(None);
    assert!(!text(&mut desk, 100, 24).contains("against"));
    desk.play.table.seat_bot(1, "greedy", 1).unwrap();
    assert!(text(&mut desk, 100, 24).contains("against greedy"));
}

#[test]
fn a_hint_comes_while_the_keys_stay_alive() {
    let mut desk = chess(Some("7k/8/8/8/8/8/8/K5Q1 w - - 0 1"));
    desk.key(KeyEvent::new(KeyCode::Char('t'), KeyModifiers::CONTROL)).unwrap();
    let begun = std::time::Instant::now();
    while desk.hint.is_some() && begun.elapsed().as_secs() < 60 {
        desk.look_for_hint();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let shown = text(&mut desk, 100, 30);
    assert!(shown.contains("Hint by"), "{shown}");
    assert_eq!(desk.play.table.here(), 0, "a hint plays nothing");
}

#[test]
fn saved_matches_are_renamed_described_and_deleted() {
    let dir = std::env::temp_dir().join(format!("turnstone-saves-{}", std::process::id()));
    let store = Store::new(Some(dir.clone()), games());
    store.make().unwrap();
    let table = PEBBLES.open(&Opening { seed: 3, ..Opening::default() }).unwrap();
    let mut desk = Desk::new(Play::new(table, None, None), store.clone(), Mode::Play);
    let names = |store: &Store| store.list().into_iter().map(|saved| saved.name).collect::<Vec<_>>();
    press(&mut desk, &[KeyCode::Char('s')]);
    type_in(&mut desk, "first");
    press(&mut desk, &[KeyCode::Enter, KeyCode::Char('o'), KeyCode::Char('r')]);
    press(&mut desk, &[KeyCode::Backspace; 5]);
    type_in(&mut desk, "a/b");
    press(&mut desk, &[KeyCode::Enter]);
    assert!(names(&store) == ["first"] && text(&mut desk, 100, 30).contains("BAD_NAME"));
    press(&mut desk, &[KeyCode::Char('o'), KeyCode::Char('r')]);
    type_in(&mut desk, "-born");
    press(&mut desk, &[KeyCode::Enter]);
    assert_eq!(names(&store), ["first-born"]);
    press(&mut desk, &[KeyCode::Char('n')]);
    type_in(&mut desk, "the good one");
    press(&mut desk, &[KeyCode::Enter]);
    let shown = text(&mut desk, 100, 30);
    assert!(shown.contains("the good one · Ada to play"), "{shown}");
    press(&mut desk, &[KeyCode::Char('d'), KeyCode::Char('n')]);
    assert_eq!(names(&store), ["first-born"], "only y deletes");
    press(&mut desk, &[KeyCode::Char('d'), KeyCode::Char('y')]);
    assert!(names(&store).is_empty());
    std::fs::remove_dir_all(dir).unwrap();
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

#[test]
fn after_a_win_enter_goes_on_with_the_next_level() {
    let host = games().find("grid").unwrap();
    let opening = Opening { setup: Some(host.setups()[0].id.clone()), seed: 3, ..Opening::default() };
    let mut desk = Desk::new(
        Play::new(host.open(&opening).unwrap(), None, None),
        Store::new(Some("nowhere".into()), games()),
        Mode::Play,
    );
    for _ in 0..200 {
        let mut guide = desk.play.table.fork();
        guide.seat_bot(0, "solver", 1).unwrap();
        let Some(number) = guide.bot_choice() else { break };
        desk.carry_out(number).unwrap();
    }
    let next = desk.play.what_follows().expect("the first level is won, and has a next one");
    assert!(text(&mut desk, 100, 30).contains(&format!("Enter goes on with {next}")));
    press(&mut desk, &[KeyCode::Enter]);
    assert!(desk.play.table.here() == 0 && desk.play.table.outcome().is_none());
    press(&mut desk, &[KeyCode::Right, KeyCode::Home]);
    assert_eq!(desk.play.table.here(), 0);
}

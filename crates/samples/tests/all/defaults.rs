//! What a game that says nothing of it offers, knows and tells.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::json;
use turnstone::dice::{Lots, Stream};
use turnstone::{Game, Input, Match, Position, Seen, Told, Viewer};
use turnstone_host::{Hosted, Secretive};
use turnstone_samples::duel::{Action, Duel, Effect, Listener};
use turnstone_samples::tic_tac_toe::TicTacToe;

fn start() -> Position<TicTacToe> {
    Position::new(TicTacToe.start(&(), 0).expect("it starts"))
}

#[test]
fn a_host_offers_nothing_that_it_does_not_name() {
    let (game, position) = (TicTacToe, start());
    let state = position.state();
    assert_eq!(<TicTacToe as Hosted>::RULES, 1);
    assert!(TicTacToe::settings("empty").is_empty() && game.names(state).is_empty());
    assert_eq!(game.write_event(state, &4), json!(4));
    assert!(game.touched(state, &4).is_empty() && game.tally(state).is_empty());
    assert!(game.holdings(state, 0).is_empty() && TicTacToe::schemas().is_empty());
    assert_eq!((game.appraise(state, 0), game.chapter(state), game.sequel(state)), (None, None, None));
    let mut lots = Lots::new(1, Stream::named("test"));
    assert_eq!(game.reflex(&position, &position.inputs(&game), &mut lots), None);
    assert_eq!(game.parse_input(&position, "b2"), None);
    assert!(game.time_out(state, 0).is_none() && TicTacToe::check_content(&[]).is_none());
    assert!(TicTacToe::benches().is_empty());
}

#[test]
fn who_is_to_act_sends_inputs_in_their_own_form() {
    let (game, position) = (TicTacToe, start());
    assert!(game.may_send(&position, 0, &Input::Act(4)) && !game.may_send(&position, 1, &Input::Act(4)));
    assert_eq!(game.read_input(&position, &json!({"act": 4})).expect("an input"), Input::Act(4));
    assert_eq!(game.read_input(&position, &json!("four")).unwrap_err().code(), "MALFORMED");
    let over: Position<TicTacToe> =
        Position::new(serde_json::from_value(json!({ "marks": [0o007, 0o030] })).expect("a board"));
    assert!(game.may_send(&over, 1, &Input::Act(8)), "where nobody is to act anybody may send");
}

#[test]
fn a_game_without_secrets_keeps_none() {
    let (game, position) = (TicTacToe, start());
    let mut lots = Lots::new(1, Stream::named("test"));
    assert!(matches!(game.seen(&position, 0), Cow::Borrowed(seen) if *seen == position));
    assert_eq!(game.sample(&position, 0, &mut lots), position);
    assert!(TicTacToe::secrets().is_empty() && game.vary(&position, 0, 0, &mut lots).is_none());
    assert!(!game.reveals(&4));
    let state = position.state();
    for viewer in [Viewer::All, Viewer::Spectator, Viewer::Seat(1)] {
        assert!(!game.hides(state, viewer) && game.hears_of(state, &4, viewer));
        assert_eq!(game.view(state, viewer), json!({ "marks": [0, 0] }));
        assert_eq!(game.redact(state, state, &4, viewer), Some(4));
    }
}

#[test]
fn a_question_is_for_who_must_answer() {
    let mut game: Match<Duel> = Match::new(Arc::new(Duel), 9, 1).expect("a duel");
    game.act(Input::Act(Action::Trick)).expect("a trick");
    let asked = game.pending().expect("a question").clone();
    let seen = |viewer| Duel.redact_question(game.state(), asked.seat, &asked.question, viewer).is_some();
    assert!(seen(Viewer::All) && seen(Viewer::Seat(asked.seat)));
    assert!(!seen(Viewer::Spectator) && !seen(Viewer::Seat(1 - asked.seat)));
}

#[test]
fn whatever_has_no_words_is_told_as_it_is() {
    let (game, position) = (TicTacToe, start());
    let state = position.state();
    assert_eq!(
        (game.tell(state, &4, &[]), game.tell_effect(state, &4), game.tell_action(state, &4)),
        ("4".into(), "4".into(), "4".into())
    );
    assert!(!game.is_quiet(&4));
    let duel = Duel.start(&9, 1).expect("a duel");
    let listener: Listener =
        serde_json::from_value(json!({ "owner": 1, "what": "Thorns" })).expect("a listener");
    assert_eq!(Duel.tell_listener(&duel, listener), format!("{listener:?}"));
    let (before, after) = (Effect::EndTurn, Effect::Swing { to: 1 });
    assert_eq!(Duel.tell_alteration(&duel, listener, &before, &after), "Thorns");
}

//! What is told of a moment, and how much of it to whom.

use turnstone::{Fact, Fate, Input, Lane, Match, Viewer};

use crate::{Act, Script, Spec, Token, World, after, before, fates, lasts, open, run, world};

const FIRST: Viewer = Viewer::Seat(0);
const SECOND: Viewer = Viewer::Seat(1);

/// `a` is altered and leads to a masked `m`, a hidden `h` and an open `b`; `h` leads to `c`, and what `b` and `c`
/// lead to is cancelled.
fn secretive() -> World {
    let leads = |letter, list: &[(char, i32)]| {
        let list = list.iter().map(|&(letter, number)| (Lane::First, Token(letter, number))).collect();
        after(0, letter, Act::Propose(list))
    };
    let listeners: Vec<Spec> = vec![
        before(0, 'a', Act::Add(1)),
        leads('a', &[('m', 5), ('h', 6), ('b', 7)]),
        leads('h', &[('c', 8)]),
        leads('c', &[('d', 0)]),
        leads('b', &[('d', 0)]),
        before(0, 'd', Act::Cancel),
    ];
    World { hidden: "h".to_owned(), masked: "m".to_owned(), ..world(listeners) }
}

fn told(game: &Match<Script>, moment: u32, viewer: Viewer) -> String {
    game.explain_for(moment, viewer).to_string()
}

#[test]
fn who_may_know_everything_is_told_the_whole_tree() {
    let (_, game) = run(secretive(), lasts("a"));
    assert_eq!(fates(&game).iter().filter(|(_, fate)| matches!(fate, Fate::Cancelled { .. })).count(), 2);
    let whole = "\
[(Last, Token('a', 0), None)]
  #0 Token('a', 1)
    · Ear(0): Token('a', 0) → Token('a', 1)
    · 'a': 1
    #1 Token('m', 5) (Ear(1))
      · 'm': 5
    #2 Token('h', 6) (Ear(1))
      · 'h': 6
      #3 Token('c', 8) (Ear(2))
        · 'c': 8
        ✗ Token('d', 0): prevented (Ear(5))
    #4 Token('b', 7) (Ear(1))
      · 'b': 7
      ✗ Token('d', 0): prevented (Ear(5))
";
    assert_eq!(game.explain(1).to_string(), whole);
    assert_eq!(told(&game, 1, Viewer::All), whole);
    assert_eq!(told(&game, 1, FIRST), whole);
}

#[test]
fn who_may_not_is_told_what_he_sees_and_finds_no_gaps() {
    let (_, game) = run(secretive(), lasts("a"));
    // In a string that begins with blanks a break would swallow them.
    let part = [
        "  #0 Token('a', 1)",
        "    · 'a': 1",
        "    #1 Token('m', 0)",
        "    #2 Token('c', 8) (Ear(2))",
        "      · 'c': 8",
        "    #3 Token('b', 7) (Ear(1))",
        "      · 'b': 7\n",
    ]
    .join("\n");
    assert_eq!(told(&game, 1, SECOND), part);
    assert_eq!(told(&game, 1, Viewer::Spectator), part);
    let seen = [('a', 1), ('m', 0), ('c', 8), ('b', 7)].map(|(letter, n)| Fact::Event(Token(letter, n)));
    assert_eq!(game.entries_for(1, SECOND), seen);
    assert_eq!(game.log_for(SECOND), seen);
    assert_eq!(game.log_for(FIRST).len(), 5);
}

#[test]
fn an_input_is_told_to_others_only_where_nothing_can_be_hidden() {
    let (_, open_to_all) = run(world(vec![]), lasts("b"));
    assert_eq!(told(&open_to_all, 1, SECOND), open_to_all.explain(1).to_string());
    // All that happens is seen, and still it might have been otherwise.
    let (_, game) = run(World { hidden: "h".to_owned(), ..world(vec![]) }, lasts("b"));
    assert_eq!(told(&game, 1, SECOND), "  #0 Token('b', 0)\n    · 'b': 0\n");
    // Where nothing is hidden but a question, whoever does not hear it does not hear what led to it.
    let (_, asked) = run(world(vec![]), lasts("q"));
    assert_eq!(told(&asked, 1, Viewer::Spectator), "");
    assert!(told(&asked, 1, SECOND).starts_with("[(Last, Token('q', 0), None)]\n"));
}

/// An action that asks the second seat in the middle, and its answer.
fn answered() -> Match<Script> {
    let more = after(0, 'a', Act::Propose(vec![(Lane::First, Token('q', 0)), (Lane::Last, Token('b', 0))]));
    let mut game = open(world(vec![more]));
    game.act(Input::Act(lasts("a"))).expect("it is allowed");
    game.act(Input::Choose(2)).expect("it is an answer");
    game
}

#[test]
fn what_followed_from_an_earlier_moment_stands_at_the_margin() {
    let game = answered();
    let asked = "\
[(Last, Token('a', 0), None)]
  #0 Token('a', 0)
    · 'a': 0
    #1 asked: 'q' (Ear(0))
      · 'q': 0
";
    assert_eq!(game.explain(1).to_string(), asked);
    let answer = "\
2
  #2 answered: 2
  #3 Token('q', 0) (Ear(0))
    · 'q': 0
  #4 Token('b', 0) (Ear(0))
    · 'b': 0
";
    assert_eq!(game.explain(2).to_string(), answer);
    assert_eq!(told(&game, 2, SECOND), answer);
    assert!(game.explain(2).lines.iter().all(|line| line.cause.is_none_or(|cause| cause >= 2)));
}

#[test]
fn questions_and_answers_are_for_who_is_asked() {
    let game = answered();
    let is_secret = |fact: &Fact<_, _, _, _>| matches!(fact, Fact::Asked(_) | Fact::Answered(_));
    let secrets = |viewer| game.log_for(viewer).iter().filter(|&fact| is_secret(fact)).count();
    assert_eq!([Viewer::All, FIRST, SECOND, Viewer::Spectator].map(secrets), [2, 0, 2, 0]);
    assert_eq!(told(&game, 2, Viewer::Spectator), told(&game, 2, FIRST));
    assert!(!told(&game, 2, FIRST).contains("answered"));
}

#[test]
fn an_answer_is_told_once_to_who_reads_the_short_log() {
    let game = answered();
    for viewer in [Viewer::All, SECOND] {
        let lines = game.explain_for(2, viewer).lines;
        let quiet: Vec<&str> =
            lines.iter().filter(|line| line.quiet).map(|line| line.text.as_str()).collect();
        assert_eq!(quiet, ["answered: 2"]);
    }
}

#[test]
fn that_nothing_was_left_to_do_is_news_only_if_it_was_to_be_expected() {
    let listeners = vec![
        before(0, 'c', Act::Cancel),
        before(0, 'r', Act::Replace(vec![(Lane::First, Token('b', 0)), (Lane::First, Token('b', 1))])),
    ];
    let mut action = lasts("zyrc");
    action.push((Lane::Last, Token('z', 3), None));
    action.push((Lane::Last, Token('m', 0), Some(0)));
    let (_, game) = run(world(listeners), action);
    let brief: Vec<String> =
        game.explain(1).brief().lines[1..].iter().map(|line| line.text.clone()).collect();
    let wanted = [
        "Token('r', 0): replaced by Token('b', 0), Token('b', 1) (Ear(1))",
        "Token('b', 0) (Ear(1))",
        "Token('b', 1) (Ear(1))",
        "Token('c', 0): prevented (Ear(0))",
        "Token('z', 3): no longer possible",
    ];
    assert_eq!(brief, wanted);
    let whole = game.explain(1).to_string();
    for told in [
        "✗ Token('z', 0): no longer possible",
        "✗ Token('y', 0): nothing to do",
        "✗ Token('m', 0): dropped, what it depends on did not happen",
    ] {
        assert!(whole.contains(told), "{whole}");
    }
}

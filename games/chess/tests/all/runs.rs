//! Whole runs, from the first fight to victory or loss.

use std::fmt::Write as _;
use std::sync::Arc;
use turnstone::{Game as _, Input, Match, Outcome, Position, Told as _};
use turnstone_chess::catalog::{Catalog, ContentFile, MapEventId, RelicId};
use turnstone_chess::run::{Offer, Phase, Run, RunAction, RunEvent, RunSetup, Stand, daily_seed};
use turnstone_chess::{Action, Answer, At, Chess, Color, Event, Kind, Setup, Stack, Tile};
use turnstone_host::Player;
use turnstone_testkit::bless;

/// Plays a run with a bot for each seat.
fn play(seed: u64, setup: RunSetup, bots: [&str; 2]) -> Match<Chess> {
    let chess = Arc::new(Chess::builtin("run").expect("the ruleset"));
    let mut game: Match<Chess> = Match::new(Arc::clone(&chess), Setup::Run(setup), seed).expect("a run");
    let mut bots = [0, 1].map(|seat| Player::<Chess>::named(bots[seat], seat as u8, seed).expect("a bot"));
    for _ in 0..20_000 {
        let Some(seat) = game.actor() else { break };
        let inputs = game.inputs();
        assert!(!inputs.is_empty(), "seed {seed}: nothing to do in {:?}", game.state().run);
        let index = bots[usize::from(seat)].choose(&chess, game.position(), &inputs, game.depth());
        game.act(inputs[index].clone()).expect("a legal input");
    }
    game
}

#[test]
fn a_better_player_wins_runs_and_a_worse_one_loses_them() {
    let short = RunSetup { acts: 1, ..RunSetup::default() };
    let won =
        (0..4).filter(|seed| play(*seed, short, ["alpha-beta", "random"]).outcome() == Some(Outcome::Won(0)));
    assert!(won.count() >= 3);
    let lost =
        (0..4).filter(|seed| play(*seed, short, ["random", "greedy"]).outcome() == Some(Outcome::Lost));
    assert!(lost.count() >= 3);
}

#[test]
fn three_acts_can_be_won() {
    let game = play(3, RunSetup::default(), ["alpha-beta", "random"]);
    let run = game.state().run.as_deref().expect("a run");
    assert_eq!((run.phase, run.act), (Phase::Won, 3), "round {}", run.round);
    assert!(run.relics.len() + run.roster.len() > 5, "{:?}", run.roster);
}

#[test]
fn a_run_is_replayed_from_its_seed() {
    let [one, other] =
        [0, 1].map(|_| play(11, RunSetup { acts: 1, ..RunSetup::default() }, ["greedy", "random"]));
    assert!(one.log().eq(other.log()));
    assert_ne!(
        play(12, RunSetup { acts: 1, ..RunSetup::default() }, ["greedy", "random"]).state(),
        one.state()
    );
}

#[test]
fn the_day_has_one_run_for_everybody() {
    let chess = Chess::builtin("run").expect("the ruleset");
    let setup = Setup::Run(RunSetup { daily: Some(daily_seed(20_260_131)), ..RunSetup::default() });
    let states = [1, 2].map(|seed| chess.start(&setup, seed).expect("a run"));
    assert_eq!(states[0], states[1]);
}

/// The first maps and rosters as text: changing how runs are drawn changes this number.
#[test]
fn the_first_seeds_are_known() {
    let chess = Chess::builtin("run").expect("the ruleset");
    let mut text = String::new();
    for seed in 0..25 {
        let state = chess.start(&Setup::Run(RunSetup::default()), seed).expect("a run");
        let run = state.run.as_deref().expect("a run");
        let roster: Vec<String> = run.roster.iter().map(|member| chess.member_text(member)).collect();
        let map: Vec<String> = run.map.iter().map(|node| format!("{:?}/{}", node.kind, node.next)).collect();
        _ = writeln!(text, "{seed}: {} | {}", roster.join(" "), map.join(" "));
    }
    bless(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/run-seeds.txt"), &text);
}

#[test]
fn a_toss_is_told_as_it_fell_also_without_coins() {
    let chess = Chess::builtin("run").expect("the ruleset");
    let state = chess.start(&Setup::Run(RunSetup::default()), 1).expect("a run");
    let toss = |won| Event::Run(Box::new(RunEvent::Tossed { won, money: 0, rolled: 1 }));
    assert!(chess.tell(&state, &toss(true), &[]).contains("win"));
    assert!(chess.tell(&state, &toss(false), &[]).contains("lose"));
}

/// A run that was changed before it is looked at.
fn run_with(change: impl FnOnce(&Chess, &mut Run)) -> Match<Chess> {
    let chess = Arc::new(Chess::builtin("run").expect("the ruleset"));
    let mut state = chess.start(&Setup::Run(RunSetup::default()), 5).expect("a run");
    change(&chess, state.run.as_deref_mut().expect("a run"));
    Match::from_position(chess, Setup::Run(RunSetup::default()), 5, Position::new(state)).expect("a run")
}

fn at_event(name: &str, change: impl FnOnce(&mut Run)) -> Match<Chess> {
    run_with(|chess, run| {
        let event = chess.catalog().run.events.iter().position(|event| event.id == name).expect("an event");
        run.phase = Phase::Event(MapEventId(event as u8));
        change(run);
    })
}

fn facts(game: &Match<Chess>, moment: turnstone::Moment) -> Vec<RunEvent> {
    let events = game.entries(moment).iter().filter_map(|entry| entry.fact.event());
    events
        .filter_map(|event| if let Event::Run(event) = event { Some((**event).clone()) } else { None })
        .collect()
}

const ACCEPT: Input<Action, Answer> = Input::Act(Action::Run(RunAction::Accept));

#[test]
fn what_a_map_event_does_is_told_deed_by_deed() {
    let mut game = at_event("mercenary", |run| run.money = 5);
    let moment = game.act(ACCEPT).expect("there is money and room");
    let facts_told = facts(&game, moment);
    assert!(
        matches!(
            facts_told[..],
            [RunEvent::Accepted { .. }, RunEvent::Paid { coins: 3 }, RunEvent::Joined { .. }]
        ),
        "{facts_told:?}"
    );
    let run = game.state().run.as_deref().expect("a run");
    assert_eq!((run.money, run.phase), (2, Phase::Map));
    assert!(at_event("mercenary", |run| run.money = 2).act(ACCEPT).is_err(), "too poor");
    let mut game = at_event("training-ground", |_| {});
    let moment = game.act(ACCEPT).expect("there are pawns");
    let became = facts(&game, moment)
        .into_iter()
        .any(|fact| matches!(fact, RunEvent::Became { member: 1, from: Kind::PAWN, to: Kind::KNIGHT }));
    assert!(became && game.state().run.as_deref().expect("a run").roster[1].kind == Kind::KNIGHT);
    let mut game = at_event("gambler", |run| run.money = 6);
    let moment = game.act(ACCEPT).expect("anybody may toss");
    let told = game.explain(moment).to_string();
    assert!(told.contains("the toss: 6 →"), "{told}");
}

#[test]
fn facts_of_a_run_hold_what_chance_decided() {
    let game = play(3, RunSetup { acts: 1, ..RunSetup::default() }, ["alpha-beta", "random"]);
    let mut kinds = std::collections::BTreeSet::new();
    for entry in game.log() {
        let Some(Event::Run(event)) = entry.fact.event() else { continue };
        match &**event {
            RunEvent::FightBegan { pieces, side, .. } => {
                assert!(pieces.len() >= 6 && *side >= 6);
                kinds.insert("fight");
            }
            RunEvent::FightWon { offers, .. } => {
                assert!(offers.len() >= 3);
                kinds.insert("won");
            }
            RunEvent::ShopOpened { offers, .. } => {
                assert!(offers.len() >= 5);
                kinds.insert("shop");
            }
            _ => {}
        }
    }
    assert!(kinds.contains("fight") && kinds.contains("won") && kinds.contains("shop"), "{kinds:?}");
}

#[test]
fn prices_and_prizes_say_who_changed_them() {
    let mut game = run_with(|chess, run| {
        run.relics = vec![chess.catalog().relic_named("haggler").expect("a relic")];
        (run.phase, run.money) = (Phase::Shop, 20);
        run.offers = vec![Offer::Piece(Kind::ROOK), Offer::Piece(Kind::PAWN)];
    });
    let moment = game.act(Input::Act(Action::Run(RunAction::Take(0)))).expect("affordable");
    let told = game.explain(moment).to_string();
    assert!(told.contains("what it is worth: 5 coins") && told.contains("Haggler: 5 → 4 coins"), "{told}");
    let moment = game.act(Input::Act(Action::Run(RunAction::Take(0)))).expect("affordable");
    let told = game.explain(moment).to_string();
    assert!(told.contains("buy Pawn for 1 coin") && told.contains("no price is lower: 0 → 1 coin"), "{told}");
    let moment = game.act(Input::Act(Action::Run(RunAction::Sell(1)))).expect("a pawn");
    assert!(game.explain(moment).to_string().contains("a shop pays 50 %: 1 → 0 coins"));
}

/// White resigns its first fight with these relics.
fn lost_fight(relics: &[&str]) -> (Match<Chess>, turnstone::Moment) {
    let mut game = run_with(|chess, run| {
        run.relics = relics.iter().map(|name| chess.catalog().relic_named(name).expect("a relic")).collect();
    });
    let input = game.inputs()[0].clone();
    game.act(input).expect("a fight");
    let moment = game.act(Input::Act(Action::Resign(Color::White))).expect("one may always resign");
    (game, moment)
}

#[test]
fn a_relic_that_saves_is_heard_before_the_run_is_lost() {
    assert_eq!(lost_fight(&[]).0.outcome(), Some(Outcome::Lost));
    let (game, moment) = lost_fight(&["war-chest", "phoenix"]);
    let run = game.state().run.as_deref().expect("a run");
    assert!(run.retry && run.relics.len() == 1 && game.outcome().is_none());
    let told = game.explain(moment).to_string();
    assert!(told.contains("replaced by Phoenix breaking") && told.contains("(Phoenix)"), "{told}");
}

#[test]
fn relics_of_ones_own_join_fights_and_lay_tiles() {
    let text = "[relic.guests]\nabout = \"\"\nrecruits = [\"amazon\"]\nlay = [{ tile = \"fog\", on = \"middle\" }]\n";
    let over = [ContentFile { name: "mine.toml".to_owned(), text: text.to_owned() }];
    let catalog = Arc::new(Catalog::with_overlay(&over).expect("sound content"));
    let chess = Arc::new(Chess::new(Arc::clone(&catalog), "run").expect("the ruleset"));
    let mut state = chess.start(&Setup::Run(RunSetup::default()), 5).expect("a run");
    state.run.as_deref_mut().expect("a run").relics = vec![catalog.relic_named("guests").expect("mine")];
    let mut game: Match<Chess> =
        Match::from_position(chess, Setup::Run(RunSetup::default()), 5, Position::new(state)).expect("a run");
    let input = game.inputs()[0].clone();
    game.act(input).expect("a fight");
    let amazon = catalog.kind_named("amazon").expect("a fairy piece");
    assert!(game.state().side(Color::White).any(|(_, piece)| piece.kind == amazon));
    assert!(game.state().special_tiles().filter(|(_, tile)| *tile == Tile::Fog).count() >= 6);
}

#[test]
fn forged_facts_of_a_run_do_not_fit() {
    let chess = Chess::builtin("run").expect("the ruleset");
    let state = chess.start(&Setup::Run(RunSetup::default()), 5).expect("a run");
    let fits = |event: RunEvent| chess.fits(&state, &Event::Run(Box::new(event)));
    let stand = |at| Stand { kind: Kind::PAWN, owner: Color::White, at, layers: Stack::default() };
    let board = |side, pieces| RunEvent::FightBegan { side, pieces, tiles: Vec::new(), rolled: 1 };
    assert!(fits(RunEvent::Travelled(0)) && !fits(RunEvent::Travelled(200)));
    assert!(fits(board(6, vec![stand(At::new(0, 0))])));
    assert!(!fits(board(6, vec![stand(At::new(0, 0)), stand(At::new(0, 0))])), "two on one square");
    assert!(!fits(board(99, Vec::new())) && !fits(board(6, vec![stand(At::new(9, 9))])));
    assert!(!fits(RunEvent::EventMet { event: MapEventId(99), rolled: 1 }));
    assert!(!fits(RunEvent::Sold { member: 99, kind: Kind::PAWN, price: 1 }));
    assert!(!fits(RunEvent::Survived { relic: RelicId(0) }), "which was never found");
    let plain = Chess::builtin("standard").expect("the ruleset");
    let game = plain.start(&Setup::Start, 0).expect("the board");
    assert!(!plain.fits(&game, &Event::Run(Box::new(RunEvent::Left))), "there is no run");
}

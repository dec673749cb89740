//! Searchers on small games: they play well, the same on any number of threads, and see no more than
//! they may.

mod three;

use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game, Input, Off, Outcome, Position, Resolver, Seat};
use turnstone_bots::{METHODS, Method, Searcher};
use turnstone_host::{Bot, Hosted, Player, Secretive, Sight, bot_lots};
use turnstone_samples::connect_four::ConnectFour;
use turnstone_samples::couriers::Couriers;
use turnstone_samples::tic_tac_toe::TicTacToe;

use three::Three;

/// Anything at all.
struct Random;

impl<G: Hosted> Bot<G> for Random {
    fn choose(&mut self, sight: &Sight<'_, G>, lots: &mut Lots) -> usize {
        lots.index(sight.inputs().len()).unwrap_or(0)
    }
}

/// One game; the bots by seat.
fn game<G: Hosted<Setup = ()>>(rules: &G, bots: [Box<dyn Bot<G>>; 2], seed: u64) -> Outcome {
    let mut position = Position::<G>::new(rules.start(&(), seed).unwrap());
    let mut resolver = Resolver::<G>::default();
    let [first, second] = bots;
    let mut players = [Player::new(first, 0, seed), Player::new(second, 1, seed)];
    for moment in 0.. {
        if let Some(outcome) = rules.outcome(position.state()) {
            return outcome;
        }
        let inputs = position.inputs(rules);
        let seat = position.actor(rules).unwrap();
        let chosen = players[usize::from(seat)].choose(rules, &position, &inputs, moment);
        resolver.act(rules, &mut position, &inputs[chosen], &mut Off).unwrap();
    }
    unreachable!()
}

/// Wins, draws and losses of a searcher against a bot, in both seats.
fn match_up<G: Hosted<Setup = ()>>(
    rules: &G,
    searcher: Searcher,
    other: impl Fn() -> Box<dyn Bot<G>>,
    pairs: u64,
) -> [u32; 3] {
    let mut counts = [0; 3];
    for seed in 0..pairs {
        for seat in 0..2 as Seat {
            let (own, foe): (Box<dyn Bot<G>>, _) = (Box::new(searcher), other());
            let bots = if seat == 0 { [own, foe] } else { [foe, own] };
            let index = match game(rules, bots, seed) {
                Outcome::Won(winner) if winner == seat => 0,
                Outcome::Drawn => 1,
                _ => 2,
            };
            counts[index] += 1;
        }
    }
    counts
}

#[test]
fn alphabeta_is_perfect_at_tic_tac_toe() {
    let perfect = Searcher::new(Method::AlphaBeta, 400_000);
    let [_, _, lost] = match_up(&TicTacToe, perfect, || Box::new(Random), 12);
    assert_eq!(lost, 0);
    assert_eq!(match_up(&TicTacToe, perfect, || Box::new(perfect), 1), [0, 2, 0]);
}

#[test]
fn tree_search_does_not_lose_at_tic_tac_toe() {
    let search = Searcher::new(Method::Ismcts, 3000);
    let perfect = Searcher::new(Method::AlphaBeta, 400_000);
    let [won, drawn, lost] = match_up(&TicTacToe, search, || Box::new(perfect), 2);
    assert_eq!((won, lost), (0, 0), "{drawn} drawn");
}

#[test]
fn every_method_beats_chance_at_connect_four() {
    for (name, method) in METHODS {
        let [won, drawn, lost] = match_up(&ConnectFour, Searcher::new(method, 400), || Box::new(Random), 10);
        assert!(won >= 16, "{name}: {won} won, {drawn} drawn, {lost} lost");
    }
}

#[test]
fn more_budget_plays_better() {
    let (much, little) = (Searcher::new(Method::Ismcts, 800), Searcher::new(Method::Ismcts, 24));
    let [won, _, lost] = match_up(&ConnectFour, much, || Box::new(little), 8);
    assert!(won >= lost + 6, "{won} won, {lost} lost");
}

#[test]
fn any_number_of_threads_thinks_the_same() {
    let mut lots = Lots::new(5, Stream::named("positions"));
    for (name, method) in METHODS {
        let mut position = Position::<ConnectFour>::new(ConnectFour.start(&(), 0).unwrap());
        for moment in 0..6 {
            let inputs = position.inputs(&ConnectFour);
            let seat = position.actor(&ConnectFour).unwrap();
            let sight = Sight::new(&ConnectFour, &position, seat, &inputs);
            let think = |threads: u32| {
                let searcher = Searcher { threads, ..Searcher::new(method, 160) };
                searcher.think(&sight, &mut bot_lots(9, seat, moment))
            };
            let one = think(1);
            assert!([2, 3, 64].into_iter().all(|threads| think(threads) == one), "{name}");
            assert_eq!(one.options.len(), inputs.len());
            assert!(!one.line.is_empty(), "{name} says why");
            let input = lots.pick(&inputs).unwrap();
            Resolver::default().act(&ConnectFour, &mut position, input, &mut Off).unwrap();
        }
    }
}

#[test]
fn a_clock_ends_a_search_that_would_take_for_ever() {
    let position = Position::<ConnectFour>::new(ConnectFour.start(&(), 0).unwrap());
    let inputs = position.inputs(&ConnectFour);
    let sight = Sight::new(&ConnectFour, &position, 0, &inputs);
    for (name, _) in METHODS {
        let mut searcher = Searcher::read(&format!("{name}:4000000000,time=20,trees=2")).unwrap();
        let why = searcher.why(&sight, &mut bot_lots(1, 0, 0)).unwrap();
        assert!(why.options.iter().any(|option| option.visits > 0), "{name}: {why:?}");
    }
}

#[test]
fn a_win_at_hand_is_taken_and_told() {
    let mut position = Position::<ConnectFour>::new(ConnectFour.start(&(), 0).unwrap());
    for column in [3, 2, 3, 2, 3, 2] {
        let input = Input::Act(column);
        Resolver::default().act(&ConnectFour, &mut position, &input, &mut Off).unwrap();
    }
    let inputs = position.inputs(&ConnectFour);
    let sight = Sight::new(&ConnectFour, &position, 0, &inputs);
    for (name, method) in METHODS {
        let why = Searcher::new(method, 600).think(&sight, &mut bot_lots(1, 0, 6));
        assert_eq!(inputs[why.best], Input::Act(3), "{name}: {why:?}");
        assert!(why.options[why.best].value > 0.95, "{name}: {why:?}");
    }
}

/// A flat search of 200 playouts took 340 where there were many options: a try of each in every round of every tree.
#[test]
fn no_searcher_spends_more_than_its_budget() {
    let position = Position::<ConnectFour>::new(ConnectFour.start(&(), 0).unwrap());
    let inputs = position.inputs(&ConnectFour);
    let sight = Sight::new(&ConnectFour, &position, 0, &inputs);
    for (name, method) in METHODS {
        for budget in [1, 2, 6, 7, 8, 20, 21, 50, 200, 1000] {
            let why = Searcher::new(method, budget).think(&sight, &mut bot_lots(1, 0, budget));
            let spent: u64 = why.options.iter().map(|option| option.visits).sum();
            assert!(spent <= u64::from(budget), "{name}:{budget} spent {spent}");
            assert!(why.options[why.best].visits > 0, "{name}:{budget} chose what it never tried");
            // A planner is done when there is nothing left to plan.
            let planner = matches!(method, Method::AlphaBeta | Method::Beam);
            assert!(planner || spent * 2 > u64::from(budget), "{name}:{budget} spent {spent} only");
        }
    }
}

#[test]
fn halving_chooses_the_best_of_what_it_tried_most_and_tries_that_often() {
    let position = Position::<ConnectFour>::new(ConnectFour.start(&(), 0).unwrap());
    let inputs = position.inputs(&ConnectFour);
    let sight = Sight::new(&ConnectFour, &position, 0, &inputs);
    for budget in [21, 25, 40, 41, 60, 100] {
        let why = Searcher::new(Method::Flat, budget).think(&sight, &mut bot_lots(2, 0, budget));
        let best = why.options[why.best];
        let tried_as_much = why.options.iter().filter(|option| option.visits >= best.visits);
        assert!(tried_as_much.clone().all(|option| option.value <= best.value), "{budget}: {why:?}");
        // Trees too small for their options once liked each another one.
        assert!(best.visits * 5 >= u64::from(budget), "{budget}: {why:?}");
    }
}

#[test]
fn with_more_than_two_seats_everybody_else_is_an_enemy() {
    let mut values = [0; 3];
    for number in 0..300 {
        let rules = Three(number);
        let position = Position::<Three>::new(rules.start(&(), 0).unwrap());
        let inputs = position.inputs(&rules);
        let sight = Sight::new(&rules, &position, 0, &inputs);
        let why = Searcher::new(Method::AlphaBeta, 100_000).think(&sight, &mut bot_lots(1, 0, 0));
        let worst = |choice: usize| rules.worst(&vec![choice as u8]);
        let best = (0..usize::from(three::WIDTH)).map(worst).max().unwrap();
        assert_eq!(worst(why.best), best, "{number}: {why:?}");
        // A victory that takes some moves is worth a little less than one at once.
        let value = 2.0 * why.options[why.best].value - 1.0;
        assert!((value - f64::from(best)).abs() < 0.001, "{number}: {why:?}");
        values[(best + 1) as usize] += 1;
    }
    assert!(values.into_iter().all(|count| count > 3), "not only one kind of game: {values:?}");
}

/// A planner told the first move of its plan and nothing more, and one option of several.
#[test]
fn planners_tell_the_whole_line_and_what_else_they_weighed() {
    let rules = Three(1);
    let position = Position::<Three>::new(rules.start(&(), 0).unwrap());
    let inputs = position.inputs(&rules);
    let sight = Sight::new(&rules, &position, 0, &inputs);
    for (method, length) in [(Method::Beam, 2), (Method::AlphaBeta, 5)] {
        let why = Searcher::new(method, 100_000).think(&sight, &mut bot_lots(1, 0, 0));
        assert_eq!(why.line.len(), length, "{why:?}");
        assert_eq!(why.line[0], why.best.to_string());
        assert!(why.options.iter().all(|option| option.visits > 0), "{why:?}");
    }
}

/// The trees with hidden information, where the other seat answers in the middle of an action and its hand is unknown.
const TREES: [Method; 2] = [Method::Ismcts, Method::MultipleObserver];

#[test]
fn trees_beat_chance_where_hands_are_hidden_and_answers_come_in_mid_effect() {
    for method in TREES {
        let [won, drawn, lost] = match_up(&Couriers, Searcher::new(method, 200), || Box::new(Random), 10);
        assert!(won >= 15, "{method:?}: {won} won, {drawn} drawn, {lost} lost");
    }
}

/// Every answer is tried like any move, and what is weighed does not hang on what the seat may not know.
#[test]
fn trees_weigh_answers_and_know_no_secret() {
    let mut lots = Lots::new(7, Stream::named("letters"));
    let (mut asked, mut changed) = (0, 0);
    for seed in 0..6 {
        let mut position = Position::<Couriers>::new(Couriers.start(&(), seed).unwrap());
        for moment in 0.. {
            if Couriers.outcome(position.state()).is_some() {
                break;
            }
            let inputs = position.inputs(&Couriers);
            let seat = position.actor(&Couriers).unwrap();
            let in_mid_effect = inputs.iter().all(|input| matches!(input, Input::Choose(_)));
            for method in TREES {
                let think = |position: &Position<Couriers>| {
                    let sight = Sight::new(&Couriers, position, seat, &inputs);
                    Searcher::new(method, 120).think(&sight, &mut bot_lots(3, seat, moment))
                };
                let why = think(&position);
                if in_mid_effect {
                    asked += 1;
                    assert!(why.options.iter().all(|option| option.visits > 0), "{method:?}: {why:?}");
                }
                for secret in 0..Couriers::secrets().len() {
                    let Some(other) = Couriers.vary(&position, seat, secret, &mut lots) else { continue };
                    changed += u32::from(other.state() != position.state());
                    assert_eq!(think(&other), why, "{method:?} knows of {}", Couriers::secrets()[secret]);
                }
            }
            let input = lots.pick(&inputs).unwrap();
            Resolver::default().act(&Couriers, &mut position, input, &mut Off).unwrap();
        }
    }
    assert!(asked > 10 && changed > 50, "{asked} questions, {changed} changes");
}

//! The kernel's promises, proved on the example games.

use std::sync::Arc;

use turnstone_samples::{connect_four::ConnectFour, couriers::Couriers, duel::Duel, tic_tac_toe::TicTacToe};
use turnstone_testkit::{Plan, prove};

#[test]
fn promises_hold_on_tic_tac_toe() {
    prove(&Arc::new(TicTacToe), |_| (), Plan { cases: 64, steps: 12, ..Plan::default() });
}

#[test]
fn promises_hold_on_connect_four() {
    prove(&Arc::new(ConnectFour), |_| (), Plan { cases: 64, steps: 44, ..Plan::default() });
}

#[test]
fn promises_hold_on_a_duel_with_questions_and_listeners() {
    prove(&Arc::new(Duel), |seed| 5 + (seed % 40) as i16, Plan { cases: 96, steps: 80, ..Plan::default() });
}

#[test]
fn promises_hold_on_couriers_with_contingency_withdrawals_and_questions_to_the_other_seat() {
    prove(&Arc::new(Couriers), |_| (), Plan { cases: 96, steps: 40, ..Plan::default() });
}

//! A match that is taken up again goes on as if it had not stopped: what a bot chooses follows from the match and its
//! seed, also where it keeps a plan from one choice to the next.

use turnstone_games::games;
use turnstone_table::{Host, Opening, Table, bot_seed};

/// Matches that are short of inputs and long on plans: a game, a set-up, and how many inputs are played.
const MATCHES: [(&str, Option<&str>, usize); 5] = [
    ("chess", None, 5),
    ("skirmish", Some("arena"), 40),
    ("skirmish", Some("crypt-of-lanterns"), 24),
    ("grid", Some("25-marching-orders"), 12),
    ("spire", None, 24),
];

/// Everybody who can be named in a game, each so that he thinks for a short time.
fn bots(host: &dyn Host) -> Vec<String> {
    let brief = |id: String| {
        let mut table = host.open(&Opening::default()).unwrap();
        let fewer = format!("{id}:3");
        if table.seat_bot(0, &fewer, 1).is_ok() { fewer } else { id }
    };
    let own: Vec<String> = host.bots().into_iter().map(|bot| brief(bot.id)).collect();
    let slipping = own.last().map(|name| format!("slips=20:{name}"));
    own.into_iter().chain(slipping).chain(["ismcts:4,trees=2".to_owned()]).collect()
}

fn seat(table: &mut dyn Table, bot: &str) {
    let seed = bot_seed(table.seed());
    (0..table.seats().len()).for_each(|seat| table.seat_bot(seat as u8, bot, seed).unwrap());
}

/// A match of one bot against itself, and what it chose at every moment.
fn played(host: &dyn Host, setup: Option<&str>, bot: &str, most: usize) -> (Box<dyn Table>, Vec<usize>) {
    let opening = Opening { setup: setup.map(str::to_owned), seed: 7, ..Opening::default() };
    let mut table = host.open(&opening).unwrap();
    seat(&mut *table, bot);
    let mut chosen = Vec::new();
    while let Some(number) = table.bot_choice().filter(|_| chosen.len() < most) {
        table.choose(number).unwrap();
        chosen.push(number);
    }
    (table, chosen)
}

/// Calls `check` with every match and bot: the table at its last moment, the bot, and what it chose.
fn in_every_match(check: impl Fn(&dyn Host, Box<dyn Table>, &str, &[usize])) {
    for (game, setup, most) in MATCHES {
        let host = games().find(game).unwrap();
        for bot in bots(host) {
            let (table, chosen) = played(host, setup, &bot, most);
            assert!(chosen.len() > 3, "{game} {setup:?} {bot}: {}", chosen.len());
            check(host, table, &bot, &chosen);
        }
    }
}

#[test]
fn a_match_that_is_taken_up_again_goes_on_as_if_it_had_not_stopped() {
    in_every_match(|host, mut table, bot, chosen| {
        for cut in (1..chosen.len()).step_by(1 + chosen.len() / 8) {
            table.jump(cut as u32).unwrap();
            // A file that ends there.
            let whole = table.save().unwrap();
            let file: String = whole.split_inclusive('\n').take(2 + cut).collect();
            let mut again = host.load(file.as_bytes(), &[]).unwrap();
            assert_eq!(again.here() as usize, cut);
            seat(&mut *again, bot);
            for (after, &number) in chosen.iter().enumerate().skip(cut).take(3) {
                let choice = again.bot_choice();
                assert_eq!(choice, Some(number), "{} {bot} cut after {cut}, at {after}", host.name());
                again.choose(number).unwrap();
            }
        }
    });
}

#[test]
fn a_bot_chooses_the_same_after_an_undo_or_a_jump_and_gives_the_reasons_it_had() {
    in_every_match(|host, mut table, bot, chosen| {
        let there = |step: usize| (step * 7 + 3) % chosen.len();
        for at in (0..chosen.len()).rev().step_by(6).chain((0..2).map(there)) {
            table.jump(at as u32).unwrap();
            assert_eq!(table.bot_choice(), Some(chosen[at]), "{} {bot} at {at}", host.name());
            if let Ok(reasons) = table.why(at as u32 + 1, bot) {
                assert_eq!(reasons.chosen, reasons.played, "{} {bot} at {at}", host.name());
            }
        }
    });
}

//! Two positions that differ in one secret of a seat and in nothing else.

use std::sync::Arc;

use turnstone::dice::{Draw, Lots};
use turnstone::{Position, Seat, Viewer};
use turnstone_host::{Hosted, Player};
use turnstone_table::protocol::{Doors, Terms};
use turnstone_table::{player, table_of};

use super::Trial;
use super::differences::Differences;
use super::planted::{Leak, Leaky, Peeker, Way};
use super::twins::{Course, Twins, what_ifs};
use crate::mutate::mutate;

/// Whatever the table and the protocol say to the seat about the one they must say about the other.
pub(super) struct Pair<'a, G: Hosted> {
    trial: &'a Trial<'a, G>,
    one: &'a Position<G>,
    other: &'a Position<G>,
    seat: Seat,
    leak: Option<Leak>,
}

/// So many inputs are tried at the very positions, each with one that is almost right.
const TRIES: usize = 2;
/// So many inputs are played one after the other, as long as nothing is revealed.
const ROUNDS: usize = 4;

impl<'a, G: Hosted> Pair<'a, G> {
    pub fn new(
        trial: &'a Trial<'a, G>,
        [one, other]: [&'a Position<G>; 2],
        seat: Seat,
    ) -> Result<Self, String> {
        let leak = match trial.planted {
            Some(planted) => {
                let (here, there) = (table_of(trial.played(one)?), table_of(trial.played(other)?));
                Some(Leak::between(planted.way, &*here, &*there))
            }
            None => None,
        };
        Ok(Pair { trial, one, other, seat, leak })
    }

    /// Tries everything.
    ///
    /// # Errors
    /// What the seat learns, and by what.
    pub fn compare(&self, lots: &mut Lots) -> Result<(), String> {
        let mut twins = self.twins()?;
        let greeting = twins.greet();
        let mut told = Differences::default();
        let [one, other] = [self.one, self.other].map(|position| self.seen(position));
        told.compare("seen", [&one, &other]);
        told.compare("greeting", greeting.each_ref().map(String::as_str));
        told.compare_tables(twins.tables(), self.seat);
        told.none()?;
        self.blindfold(lots)?;
        let mut told = Differences::default();
        let [one, other] = twins.tables().map(|table| what_ifs(table, self.seat));
        told.compare("what-ifs", [&one, &other]);
        told.none()?;
        self.try_inputs(&mut twins, lots)?;
        // By lots of their own: what is tried above stays what it was.
        let mut own = *lots;
        self.try_texts(&mut own)?;
        self.play_on(&mut own)
    }

    fn try_inputs(&self, twins: &mut Twins<G>, lots: &mut Lots) -> Result<(), String> {
        let [here, there] = twins.tables().map(|table| table.inputs(Viewer::All));
        let tries = [here, there].concat();
        for _ in 0..TRIES {
            let Some(input) = lots.pick(&tries) else { break };
            let actor = self.one.actor(self.trial.game).unwrap_or(self.seat);
            self.try_line(actor, &input.to_string())?;
            // What is wrong is answered alike, too.
            if let Some(bent) = mutate(input, lots) {
                self.try_line(self.seat, &bent.to_string())?;
            }
        }
        Ok(())
    }

    /// What the seat types is answered alike, whatever it knows of the game: above all the moves that another seat
    /// could make in only one of the two.
    fn try_texts(&self, lots: &mut Lots) -> Result<(), String> {
        let (here, there) = (self.labels(self.one)?, self.labels(self.other)?);
        let only = |some: &[String], others: &[String]| -> Vec<String> {
            some.iter().filter(|text| !others.contains(text)).cloned().collect()
        };
        let usual = ["resign", "draw", "q", "attack the nearest foe"].map(str::to_owned);
        let lists = [usual.to_vec(), only(&here, &there), only(&there, &here), here];
        let texts: Vec<String> = lists.iter().filter_map(|texts| lots.pick(texts).cloned()).collect();
        for text in texts {
            self.try_line(self.seat, &serde_json::Value::from(text).to_string())?;
        }
        Ok(())
    }

    /// What may be sent in a position by whoever is to act, as he would type it.
    fn labels(&self, position: &Position<G>) -> Result<Vec<String>, String> {
        let options = table_of(self.trial.played(position)?).scene(Viewer::All).options;
        Ok(options.into_iter().map(|option| option.label).collect())
    }

    /// The same line sent in both, and nothing before it.
    fn try_line(&self, sender: Seat, line: &str) -> Result<(), String> {
        let mut twins = self.twins()?;
        twins.greet();
        twins.send(sender, line).map(drop)
    }

    /// The same inputs in both, one after the other, there and back, until something is revealed by rule.
    fn play_on(&self, lots: &mut Lots) -> Result<(), String> {
        let mut twins = self.twins()?;
        twins.greet();
        for round in 0..ROUNDS {
            // Sometimes what was played is left for another way.
            if round > 0 && lots.chance(1, 4) {
                twins.travel(lots)?;
            }
            let Some((sender, input)) = twins.pick(lots) else { break };
            if twins.send(sender, &input)? == Course::Parted {
                return Ok(());
            }
        }
        twins.look_back()?;
        twins.travel(lots)
    }

    fn seen(&self, position: &Position<G>) -> String {
        format!("{:?}", self.trial.game.seen(position, self.seat))
    }

    /// The same sight and the same lots give the same choice.
    fn blindfold(&self, lots: &mut Lots) -> Result<(), String> {
        let (game, seat) = (self.trial.game, self.seat);
        let inputs = self.one.inputs(game);
        if self.one.actor(game) != Some(seat) || inputs.is_empty() {
            return Ok(());
        }
        let seed = lots.next_u64();
        let choose =
            |mut player: Player<G>, position: &Position<G>| player.choose(game, position, &inputs, 0);
        for name in self.trial.bots {
            let named = || {
                let player = player::<G>(name, seat, seed);
                player.map_err(|refusal| format!("nobody was blindfolded: {refusal}"))
            };
            if choose(named()?, self.one) != choose(named()?, self.other) {
                return Err(format!("the bot {name} peeks"));
            }
        }
        if let Some(leak) = self.leak.as_ref().filter(|leak| leak.way == Way::Bot) {
            let told = |position| -> Result<Player<G>, String> {
                let secret = leak.told(&*table_of(self.trial.played(position)?));
                Ok(Player::new(Box::new(Peeker { secret }), seat, seed))
            };
            if choose(told(self.one)?, self.one) != choose(told(self.other)?, self.other) {
                return Err("the bot that was planted peeks".to_owned());
            }
        }
        Ok(())
    }

    fn twins(&self) -> Result<Twins<G>, String> {
        let played =
            || -> Result<_, String> { Ok([self.trial.played(self.one)?, self.trial.played(self.other)?]) };
        let [one, other] = played()?.map(table_of).map(|table| match &self.leak {
            Some(leak) => Box::new(Leaky { table, leak: leak.clone() }),
            None => table,
        });
        let seats: Vec<Seat> = (0..one.seats().len() as Seat).collect();
        let terms = Terms { practice: true, ..Terms::default() };
        let doors = |table| Doors::new(table, &seats, terms).map_err(|refusal| refusal.to_string());
        let doors = [doors(one)?, doors(other)?];
        Ok(Twins { game: Arc::clone(self.trial.game), seat: self.seat, doors, played: played()? })
    }
}

//! What one may know is law: non-interference, samples, and the blindfold, for every hosted game.
//!
//! A pair is a position and another that differs in one secret of a seat and nothing else. Whatever the
//! table and the protocol say to that seat about the one they must say about the other.

use std::sync::Arc;

use serde_json::Value;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Match, Position, Seat, Trace, Viewer};
use turnstone_host::Hosted;
use turnstone_table::protocol::{Doors, Said, Terms};
use turnstone_table::{Table, player, table_of};

use crate::mutate::mutate;

/// How much to try.
#[derive(Clone, Copy, Debug)]
pub struct Pairs {
    /// Pairs of positions, at least, if the game has secrets at all.
    pub pairs: usize,
    /// Inputs of a match, at most.
    pub steps: usize,
    /// The seed from which everything is drawn.
    pub seed: u64,
    /// A secret that is told to everybody, to see that it is changed and that this is noticed; nothing else is tried.
    pub planted: Option<&'static str>,
}

impl Default for Pairs {
    fn default() -> Self {
        Pairs { pairs: 60, steps: 30, seed: 1, planted: None }
    }
}

/// How often each secret was changed.
pub type Counts = Vec<(&'static str, usize)>;

struct Trial<'a, G: Hosted> {
    game: &'a Arc<G>,
    setup: G::Setup,
    seed: u64,
    bots: &'a [&'a str],
    planted: Option<&'static str>,
}

/// Tries pairs until there are enough of them. `bots` are blindfolded, too.
///
/// # Errors
/// The first thing said that depends on a secret, the first sample that is none, or the first bot that
/// peeks.
pub fn keep<G: Hosted>(
    game: &Arc<G>,
    setup: impl Fn(u64) -> G::Setup,
    bots: &[&str],
    plan: Pairs,
) -> Result<Counts, String> {
    let mut counts: Counts = G::secrets().into_iter().map(|name| (name, 0)).collect();
    let mut lots = Lots::new(plan.seed, Stream::named("secrets"));
    let mut varied = false;
    // A game may keep nothing in most positions; it is not looked for without end.
    for _ in 0..plan.pairs.max(1) {
        if counts.iter().map(|(_, count)| count).sum::<usize>() >= plan.pairs || counts.is_empty() {
            break;
        }
        let seed = lots.next_u64();
        let trial = Trial { game, setup: setup(seed), seed, bots, planted: plan.planted };
        varied |= trial.walk(plan.steps, &mut counts, &mut lots)?;
    }
    if !varied && counts.iter().any(|(_, count)| *count > 0) {
        return Err("there are secrets, but samples never vary".to_owned());
    }
    Ok(counts)
}

/// Whether an input of some seat tells another seat the same in both positions: it is accepted in both, the match goes
/// on, what the seat then sees is the same, and nothing that followed may tell it more.
pub fn tells_alike<G: Hosted>(
    game: &Arc<G>,
    (setup, seed): (&G::Setup, u64),
    [one, other]: [&Position<G>; 2],
    input: &Value,
    seat: Seat,
) -> bool {
    let trial = Trial { game, setup: setup.clone(), seed, bots: &[], planted: None };
    let after = |position: &Position<G>| {
        let (read, mut played) = (game.read_input(position, input).ok()?, trial.played(position).ok()?);
        played.act(read).ok()?;
        let table = table_of(played);
        table.outcome().is_none().then(|| table.view(Viewer::Seat(seat)))
    };
    after(one).is_some_and(|seen| after(other) == Some(seen))
        && !trial.reveals(one, other, &input.to_string(), seat)
}

impl<G: Hosted> Trial<'_, G> {
    /// One match at random, every position of it changed in every way. Says whether a sample was
    /// another than the one before it.
    fn walk(&self, steps: usize, counts: &mut Counts, lots: &mut Lots) -> Result<bool, String> {
        let mut varied = false;
        let start = Match::<G>::new(Arc::clone(self.game), self.setup.clone(), self.seed);
        let mut played = start.map_err(|refusal| refusal.to_string())?;
        for _ in 0..steps {
            for seat in 0..self.game.seats(played.state()).len() as Seat {
                varied |= self.sample(played.position(), seat, lots)?;
                for (secret, (name, count)) in counts.iter_mut().enumerate() {
                    let Some(other) = self.game.vary(played.position(), seat, secret, lots) else { continue };
                    *count += 1;
                    let learns = |text| format!("seed {}: seat {seat} learns the {name}: {text}", self.seed);
                    if self.planted.is_some_and(|planted| planted != *name) {
                        continue;
                    }
                    self.compare(played.position(), &other, seat, lots).map_err(learns)?;
                }
            }
            let inputs = played.inputs();
            let Some(input) = lots.pick(&inputs) else { break };
            played.act(input.clone()).map_err(|refusal| refusal.to_string())?;
        }
        Ok(varied)
    }

    fn compare(
        &self,
        one: &Position<G>,
        other: &Position<G>,
        seat: Seat,
        lots: &mut Lots,
    ) -> Result<(), String> {
        let (mut here, mut there) = (self.doors(one)?, self.doors(other)?);
        let mut told = Differences::default();
        told.compare("seen", &self.seen(one, seat), &self.seen(other, seat));
        told.compare("greeting", &heard(here.greet(), seat), &heard(there.greet(), seat));
        told.compare_tables(here.table(), there.table(), seat);
        if self.planted.is_some() {
            told.compare("a planted leak", &leaked(here.table()), &leaked(there.table()));
        }
        told.none()?;
        self.blindfold(one, other, seat, lots)?;
        let mut told = Differences::default();
        told.compare("what-ifs", &what_ifs(here.table(), seat), &what_ifs(there.table(), seat));
        told.none()?;
        let mut tries = here.table().inputs(Viewer::All);
        tries.extend(there.table().inputs(Viewer::All));
        for _ in 0..4 {
            let Some(input) = lots.pick(&tries) else { break };
            let actor = one.actor(self.game).unwrap_or(seat);
            self.try_input(one, other, seat, (actor, &input.to_string()))?;
            // What is wrong is answered alike, too.
            if let Some(bent) = mutate(input, lots) {
                self.try_input(one, other, seat, (seat, &bent.to_string()))?;
            }
        }
        // By lots of their own: what is tried above stays what it was.
        let mut own = *lots;
        self.try_texts(one, other, seat, &mut own)
    }

    /// What the seat types is answered alike, whatever it knows of the game: above all the moves that another seat
    /// could make in only one of the two.
    fn try_texts(
        &self,
        one: &Position<G>,
        other: &Position<G>,
        seat: Seat,
        lots: &mut Lots,
    ) -> Result<(), String> {
        let (here, there) = (self.labels(one)?, self.labels(other)?);
        let only = |some: &[String], others: &[String]| -> Vec<String> {
            some.iter().filter(|text| !others.contains(text)).cloned().collect()
        };
        let usual = ["resign", "draw", "q", "attack the nearest foe"].map(str::to_owned);
        let lists = [usual.to_vec(), only(&here, &there), only(&there, &here), here];
        let texts: Vec<String> = lists.iter().filter_map(|texts| lots.pick(texts).cloned()).collect();
        for text in texts {
            self.try_input(one, other, seat, (seat, &Value::from(text).to_string()))?;
        }
        Ok(())
    }

    /// What may be sent in a position by whoever is to act, as he would type it.
    fn labels(&self, position: &Position<G>) -> Result<Vec<String>, String> {
        let options = table_of(self.played(position)?).scene(Viewer::All).options;
        Ok(options.into_iter().map(|option| option.label).collect())
    }

    /// The same line sent in both: refusals are the same; what is accepted may reveal something, which
    /// is then seen.
    fn try_input(
        &self,
        one: &Position<G>,
        other: &Position<G>,
        seat: Seat,
        (sender, line): (Seat, &str),
    ) -> Result<(), String> {
        let (mut here, mut there) = (self.doors(one)?, self.doors(other)?);
        here.greet();
        there.greet();
        let (said, again) = (here.hear(sender.into(), line), there.hear(sender.into(), line));
        let refused = |said: &[Said]| said.iter().any(|said| said.line["type"] == "error");
        match (refused(&said) == refused(&again), sender == seat) {
            (true, _) => {}
            (false, true) => return Err(format!("by whether {line} is accepted")),
            // Another seat's secrets may decide what it may do; what follows is told by the news.
            (false, false) => return Ok(()),
        }
        // What follows from a text is what follows from the input that it means, which is tried as such.
        if line.starts_with('"') && !refused(&said) {
            return Ok(());
        }
        // Who goes somewhere sees more: that is a legal reveal, and from then on the two may differ.
        let views = (here.table().view(Viewer::Seat(seat)), there.table().view(Viewer::Seat(seat)));
        if views.0 != views.1 || self.reveals(one, other, line, seat) {
            return Ok(());
        }
        let mut told = Differences::default();
        told.compare("answer", &heard(said, seat), &heard(again, seat));
        told.compare_tables(here.table(), there.table(), seat);
        // One number for each input: all of them every time take longer than everything else.
        let story = |table| story(table, seat, line.len());
        told.compare("stories", &story(here.table()), &story(there.table()));
        told.none().map_err(|text| format!("after {line}: {text}"))
    }

    fn seen(&self, position: &Position<G>, seat: Seat) -> String {
        format!("{:?}", self.game.seen(position, seat))
    }

    /// Whether an event or a question that followed may tell more than is then seen.
    fn reveals(&self, one: &Position<G>, other: &Position<G>, line: &str, seat: Seat) -> bool {
        let Ok(value) = serde_json::from_str(line) else { return false };
        [one, other].into_iter().any(|position| {
            let Ok(input) = self.game.read_input(position, &value) else { return false };
            let Ok(mut played) = self.played(position) else { return false };
            let Ok(moment) = played.act(input) else { return false };
            let asked = played.pending().filter(|pending| pending.seat == seat);
            if asked.is_some_and(|pending| self.game.lays_open(played.state(), &pending.question)) {
                return true;
            }
            let seen = played.entries_for(moment, Viewer::Seat(seat));
            seen.iter().any(|fact| matches!(fact, turnstone::Fact::Event(event) if self.game.reveals(event)))
        })
    }

    /// A sample is a possible position, looks the same, and offers the same to who is to act.
    fn sample(&self, position: &Position<G>, seat: Seat, lots: &mut Lots) -> Result<bool, String> {
        let sample = self.game.sample(position, seat, lots);
        let wrong = |text: &str| Err(format!("seed {}: a sample for seat {seat} {text}", self.seed));
        if self.game.seen(&sample, seat) != self.game.seen(position, seat) {
            return wrong("does not look like the true position");
        }
        if position.actor(self.game) == Some(seat) && sample.inputs(self.game) != position.inputs(self.game) {
            return wrong("offers other inputs");
        }
        let varies = self.game.sample(position, seat, lots) != sample;
        match sample.admit(self.game) {
            Ok(_) => Ok(varies),
            Err(refusal) => wrong(&format!("is impossible: {refusal}")),
        }
    }

    /// The same sight and the same lots give the same choice.
    fn blindfold(
        &self,
        one: &Position<G>,
        other: &Position<G>,
        seat: Seat,
        lots: &mut Lots,
    ) -> Result<(), String> {
        let inputs = one.inputs(self.game);
        if one.actor(self.game) != Some(seat) || inputs.is_empty() {
            return Ok(());
        }
        let seed = lots.next_u64();
        for name in self.bots {
            let choose = |position| {
                let player = player::<G>(name, seat, seed);
                let mut player = player.map_err(|refusal| format!("nobody was blindfolded: {refusal}"))?;
                Ok::<usize, String>(player.choose(self.game, position, &inputs, 0))
            };
            if choose(one)? != choose(other)? {
                return Err(format!("the bot {name} peeks"));
            }
        }
        Ok(())
    }

    fn played(&self, position: &Position<G>) -> Result<Match<G, Trace<G>>, String> {
        Match::from_position(Arc::clone(self.game), self.setup.clone(), self.seed, position.clone())
            .map_err(|refusal| refusal.to_string())
    }

    /// A door for each seat.
    fn doors(&self, position: &Position<G>) -> Result<Doors, String> {
        let table = table_of(self.played(position)?);
        let seats: Vec<Seat> = (0..table.seats().len() as Seat).collect();
        Doors::new(table, &seats, Terms::default()).map_err(|refusal| refusal.to_string())
    }
}

/// What was said to one seat.
fn heard(said: Vec<Said>, seat: Seat) -> String {
    let own = said.into_iter().filter(|said| said.to == usize::from(seat));
    own.map(|said| format!("{}\n", said.line)).collect()
}

/// The planted leak: the table says to the seat what its keeper would be told.
fn leaked(table: &dyn Table) -> String {
    format!("{:?}", table.sample(Viewer::All, 0).map(|position| position.to_string()))
}

/// A world to try things in: the same lots draw the same one from the same knowledge, down to its last secret.
fn what_ifs(table: &dyn Table, seat: Seat) -> String {
    let drawn = |viewer| table.sample(viewer, 7).map(|world| world.to_string());
    format!("{:?}\n{:?}", drawn(Viewer::Seat(seat)), drawn(Viewer::Spectator))
}

/// How one of the numbers came about that the seat is shown.
fn story(table: &dyn Table, seat: Seat, nth: usize) -> String {
    let viewer = Viewer::Seat(seat);
    let numbers = table.scene(viewer).numbers();
    let number = numbers.get(nth % numbers.len().max(1));
    format!("{:?}", number.map(|number| table.story(&number.id, &table.line(), viewer)))
}

/// What a table says, as reports of a leak call it.
const TO_A_SEAT: [&str; 7] = ["view", "scene", "inputs", "question", "log", "branches", "explanation"];
const TO_SPECTATORS: [&str; 7] = [
    "spectators' view",
    "spectators' scene",
    "spectators' inputs",
    "spectators' question",
    "spectators' log",
    "spectators' branches",
    "spectators' explanation",
];

/// Everything that is said otherwise of one position than of the other: what, and the first place where it differs.
#[derive(Default)]
struct Differences(Vec<(&'static str, String)>);

impl Differences {
    fn compare(&mut self, what: &'static str, one: &str, other: &str) {
        if one == other {
            return;
        }
        let at = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let part = |text: &str| text.chars().skip(at.saturating_sub(40)).take(120).collect::<String>();
        self.0.push((what, format!("\n  {}\n  {}", part(one), part(other))));
    }

    /// Everything that a table says when it is asked: to the seat, and to spectators, who may know no more than it.
    fn compare_tables(&mut self, one: &dyn Table, other: &dyn Table, seat: Seat) {
        self.compare_viewers(one, other, Viewer::Seat(seat), &TO_A_SEAT);
        self.compare_viewers(one, other, Viewer::Spectator, &TO_SPECTATORS);
    }

    fn compare_viewers(
        &mut self,
        one: &dyn Table,
        other: &dyn Table,
        viewer: Viewer,
        names: &[&'static str; 7],
    ) {
        let [view, scene, inputs, question, log, branches, explanation] = *names;
        let mut compare =
            |what, said: &dyn Fn(&dyn Table) -> String| self.compare(what, &said(one), &said(other));
        compare(view, &|table| table.view(viewer).to_string());
        compare(scene, &|table| format!("{:?}", table.scene(viewer)));
        compare(inputs, &|table| format!("{:?}", table.inputs(viewer)));
        compare(question, &|table| format!("{:?}", table.question(viewer)));
        compare(log, &|table| format!("{:?}", table.log(viewer)));
        compare(branches, &|table| format!("{:?}", table.branches(viewer)));
        compare(explanation, &|table| table.explain(table.here(), viewer).to_string());
    }

    /// There are none, or by what the seat learns something: all of it by name, and the first difference.
    fn none(self) -> Result<(), String> {
        let names: Vec<&str> = self.0.iter().map(|(what, _)| *what).collect();
        match self.0.first() {
            None => Ok(()),
            Some((_, first)) => Err(format!("by {}:{first}", names.join(", "))),
        }
    }
}

//! What was offered, what was taken, and what taking it does: a match is played and looked at, and some of
//! its decisions are played again both ways.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone::steps::Step;
use turnstone::{
    DetourOf, EntryOf, InputOf, LiveOf, Mark, NoteOf, Off, Outcome, Position, ProposalsOf, Recorder,
    Rejection, Resolver, Seat,
};
use turnstone_host::{Against, Hosted, tell_input};

use crate::simulate::{Instant, Plan, Played, Start, play_on};

/// Choices by how they are told, in place of those that the game itself names ([`Hosted::topics`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// How the words of a choice begin, in capitals or not: `Take `.
    pub begins: String,
    /// Where they end, if what follows does not matter: ` for ` in `Buy Bash for 54 gold`.
    pub until: Option<String>,
    /// The choice that forks are compared with: `Go on`. Without one, any other of those.
    pub against: Option<String>,
}

/// A choice that was offered: once, however many inputs it lay there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// To whom.
    pub seat: Seat,
    /// Of which kind.
    pub kind: String,
    /// Which.
    pub name: String,
    /// Whether it was taken.
    pub taken: bool,
    /// Where it can be played both ways.
    pub fork: Option<Crossing>,
}

/// A moment at which the way parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Crossing {
    /// After how many inputs.
    pub moment: u64,
    /// The number of the input that takes it.
    pub with: usize,
    /// The number of the one that does not.
    pub without: usize,
}

/// A decision that was played both ways, with the same dice and the same lots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fork {
    /// How the match went with it.
    pub with: Played,
    /// And without.
    pub without: Played,
}

/// A match that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Studied {
    /// How it went.
    pub played: Played,
    /// What was offered, in order.
    pub offered: Vec<Offered>,
    /// The parts of the match, in order.
    pub stretches: Vec<Stretch>,
    /// What each seat had in the end, by kind and name.
    pub holdings: Vec<(Seat, String, String)>,
    /// What the game tells of the first state.
    pub survey: Vec<(String, Value)>,
    /// Inputs that could have been sent, in the mean.
    pub branching: f64,
}

/// A part of a match, such as a fight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// Which.
    pub name: String,
    /// What it cost, such as hit points.
    pub cost: i64,
    /// The match ended in it, and was not won.
    pub fatal: bool,
}

/// Watches a match.
struct Watch<'a, G: Hosted> {
    game: &'a G,
    labels: Option<&'a Labels>,
    offered: Vec<Offered>,
    /// What lay there before the last input and was not taken, by its number in `offered`.
    lying: Vec<usize>,
    stretches: Vec<Stretch>,
    /// The part being played: its name, and the number when it began and at last.
    chapter: Option<(String, i64, i64)>,
    /// What was before the last input, and the input.
    last: Option<(Position<G>, InputOf<G>)>,
    inputs: u64,
    options: u64,
}

/// Something that is offered now.
struct Choice {
    input: usize,
    kind: String,
    name: String,
    against: Against,
}

pub(crate) fn study<G: Hosted>(
    game: &G,
    setup: &G::Setup,
    seed: u64,
    plan: &Plan,
    labels: Option<&Labels>,
) -> Result<Studied, Rejection> {
    let start = Start::first(game, setup, seed)?;
    let survey = game.survey(start.position.state());
    let mut watch = Watch {
        game,
        labels,
        offered: Vec::new(),
        lying: Vec::new(),
        stretches: Vec::new(),
        chapter: None,
        last: None,
        inputs: 0,
        options: 0,
    };
    let played = play_on(game, start, seed, plan, &mut |instant| watch.look(instant))?;
    watch.close(matches!(played.outcome, Some(Outcome::Lost)));
    // What one has before the last input is what one has: at the end things may have been put away.
    let holdings = watch.last.as_ref().map_or_else(Vec::new, |(last, _)| holdings(game, last));
    let branching = watch.options as f64 / watch.inputs.max(1) as f64;
    let Watch { offered, stretches, .. } = watch;
    Ok(Studied { played, offered, stretches, holdings, survey, branching })
}

/// What everybody has, each thing once.
fn holdings<G: Hosted>(game: &G, position: &Position<G>) -> Vec<(Seat, String, String)> {
    let seats = game.seats(position.state()).len() as Seat;
    let of = |seat| {
        game.holdings(position.state(), seat)
            .into_iter()
            .map(move |(kind, name)| (seat, kind.to_owned(), name))
    };
    let mut all: Vec<_> = (0..seats.max(1)).flat_map(of).collect();
    all.sort();
    all.dedup();
    all
}

impl<G: Hosted> Watch<'_, G> {
    fn look(&mut self, instant: &Instant<'_, G>) {
        let Instant { position, inputs, moment, chosen, .. } = *instant;
        self.inputs += 1;
        self.options += inputs.len() as u64;
        self.turn_page(position);
        let choices = match self.labels {
            Some(labels) => labels.choices(self.game, position, inputs),
            None => named_choices(self.game, position, inputs),
        };
        let seat = position.actor(self.game).unwrap_or(0);
        let (mut here, mut gone) = (Vec::new(), None);
        for choice in &choices {
            let index = self.offer(seat, choice, &here);
            let offered = &mut self.offered[index];
            // The last moment counts: then everything else has been decided. What was taken counts as it was.
            if gone != Some(index) {
                let fork = choice.without(&choices);
                let fork = fork.map(|without| Crossing { moment, with: choice.input, without });
                offered.fork = fork.or(offered.fork);
            }
            if choice.input == chosen {
                offered.taken = true;
                gone = Some(index);
            }
            if !here.contains(&index) {
                here.push(index);
            }
        }
        here.retain(|index| gone != Some(*index));
        self.lying = here;
        self.remember(position, &inputs[chosen]);
    }

    /// The number of an offer in `offered`. What still lies there from before, or is there in another way, is the same.
    fn offer(&mut self, seat: Seat, choice: &Choice, here: &[usize]) -> usize {
        let same = |index: &&usize| {
            let known = &self.offered[**index];
            (known.seat, &known.kind, &known.name) == (seat, &choice.kind, &choice.name)
        };
        let known = self.lying.iter().chain(here).find(same).copied();
        known.unwrap_or_else(|| {
            let (kind, name) = (choice.kind.clone(), choice.name.clone());
            self.offered.push(Offered { seat, kind, name, taken: false, fork: None });
            self.offered.len() - 1
        })
    }

    fn remember(&mut self, position: &Position<G>, input: &InputOf<G>) {
        match &mut self.last {
            Some((before, sent)) => {
                before.clone_from(position);
                sent.clone_from(input);
            }
            None => self.last = Some((position.clone(), input.clone())),
        }
    }

    /// Keeps what the part being played has cost so far; another one begins when the name changes.
    fn turn_page(&mut self, position: &Position<G>) {
        let now = self.game.chapter(position.state());
        match (&mut self.chapter, now) {
            (Some((name, _, last)), Some((same, number))) if *name == same => *last = number,
            (None, None) => {}
            (_, now) => {
                self.close(false);
                self.chapter = now.map(|(name, number)| (name, number, number));
            }
        }
    }

    fn close(&mut self, fatal: bool) {
        let Some((name, first, last)) = self.chapter.take() else { return };
        let end = |(before, input): &(Position<G>, InputOf<G>)| {
            Closing { game: self.game, name: &name, now: Some(last), counts: last, rested: false }
                .number_behind(before, input)
        };
        let cost = if fatal { first } else { first - self.last.as_ref().map_or(last, end) };
        self.stretches.push(Stretch { name, cost, fatal });
    }
}

/// Follows the number of a part of the match through the input that ends it, fact by fact: what that input still cost
/// counts, what the end brings does not.
struct Closing<'a, G: Hosted> {
    game: &'a G,
    name: &'a str,
    /// The number after the last fact; `None` once the part is over.
    now: Option<i64>,
    /// The number that counts.
    counts: i64,
    /// Whether nothing waited since: what comes then may be what follows from the end, so that only losses count unless
    /// the part goes on.
    rested: bool,
}

impl<G: Hosted> Closing<'_, G> {
    fn number_behind(mut self, before: &Position<G>, input: &InputOf<G>) -> i64 {
        // What was carried out once is carried out again.
        let _ = Resolver::<G>::default().act(self.game, &mut before.clone(), input, &mut self);
        self.counts
    }
}

impl<G: Hosted> Recorder<G> for Closing<'_, G> {
    const LOG: bool = false;
    const TRACE: bool = false;
    const STEPS: bool = true;
    fn entry(&mut self, _entry: EntryOf<G>) {}
    fn note(&mut self, _note: NoteOf<G>) {}
    fn detour(&mut self, _detour: DetourOf<G>) {}

    fn step(&mut self, step: Step<'_, G>, _waiting: &ProposalsOf<G>) {
        if let (Step::Idled, Some(now)) = (step, self.now) {
            (self.counts, self.rested) = (now, true);
        }
    }

    fn witness(&mut self, live: &LiveOf<G>) {
        if self.now.is_none() {
            return;
        }
        let now = self.game.chapter(&live.state).filter(|(name, _)| name == self.name);
        self.now = now.map(|(_, number)| number);
        if let Some(number) = self.now {
            self.counts = if self.rested { self.counts.min(number) } else { number };
        }
    }

    fn mark(&self) -> Mark {
        Mark::default()
    }
    fn rollback(&mut self, _mark: Mark) {}
}

fn named_choices<G: Hosted>(game: &G, position: &Position<G>, inputs: &[InputOf<G>]) -> Vec<Choice> {
    let topics = game.topics(position, inputs).into_iter();
    let choice = |(input, topic): (usize, turnstone_host::Topic)| Choice {
        input,
        kind: topic.kind.to_owned(),
        name: topic.name,
        against: topic.against,
    };
    topics.map(choice).collect()
}

impl Choice {
    /// The input that this one is compared with: of its rivals the next one behind it, or the first.
    fn without(&self, all: &[Choice]) -> Option<usize> {
        match self.against {
            Against::Nothing => None,
            Against::Input(input) => Some(input).filter(|input| *input != self.input),
            Against::Rivals => {
                let rivals = || all.iter().filter(|other| other.kind == self.kind && other.name != self.name);
                let behind = rivals().find(|other| other.input > self.input);
                behind.or_else(|| rivals().next()).map(|other| other.input)
            }
        }
    }
}

impl Labels {
    fn choices<G: Hosted>(&self, game: &G, position: &Position<G>, inputs: &[InputOf<G>]) -> Vec<Choice> {
        if inputs.len() < 2 {
            return Vec::new();
        }
        let told = |input| tell_input(game, position, input).unwrap_or_default();
        let words: Vec<String> = inputs.iter().map(told).collect();
        let same = |words: &String, against: &str| words.to_lowercase() == against.to_lowercase();
        let declined =
            self.against.as_ref().map(|against| words.iter().position(|words| same(words, against)));
        let against = match declined {
            None => Against::Rivals,
            Some(None) => Against::Nothing,
            Some(Some(input)) => Against::Input(input),
        };
        let kind = if self.is_verb() { self.begins.trim().to_lowercase() } else { "choice".to_owned() };
        let choice = |(input, words): (usize, &String)| {
            Some(Choice { input, kind: kind.clone(), name: self.name(words)?, against })
        };
        words.iter().enumerate().filter_map(choice).collect()
    }

    /// Whether it ends with a word: then what follows is a name. Otherwise it may be a part of one.
    fn is_verb(&self) -> bool {
        self.begins.ends_with(char::is_whitespace)
    }

    /// The words of a choice that is looked at, as far as they matter.
    fn name(&self, words: &str) -> Option<String> {
        let begun = begun_with(words, &self.begins)?;
        let rest = &words[begun..];
        let until = self.until.as_ref().and_then(|until| rest.find(until.as_str()));
        let end = until.map_or(words.len(), |end| begun + end);
        Some(words[if self.is_verb() { begun } else { 0 }..end].to_owned())
    }
}

/// How many bytes of a text are that beginning, in capitals or not, if it begins so.
fn begun_with(text: &str, beginning: &str) -> Option<usize> {
    let mut letters = text.chars();
    for wanted in beginning.chars() {
        letters.next().filter(|letter| letter.to_lowercase().eq(wanted.to_lowercase()))?;
    }
    Some(text.len() - letters.as_str().len())
}

/// Where the way parts, and the inputs that take something there and do not.
type Parting<G> = (Start<G>, [Option<InputOf<G>>; 2]);

/// Plays a match again up to these crossings, and on both ways from each.
pub(crate) fn forks<G: Hosted>(
    game: &G,
    setup: &G::Setup,
    seed: u64,
    plan: &Plan,
    crossings: &[Crossing],
) -> Result<Vec<Fork>, Rejection> {
    let start = Start::first(game, setup, seed)?;
    let last = crossings.iter().map(|crossing| crossing.moment).max().unwrap_or(0);
    let mut kept: Vec<Option<Parting<G>>> = crossings.iter().map(|_| None).collect();
    let plan_to = Plan { max_inputs: (last + 1).min(plan.max_inputs), ..plan.clone() };
    play_on(game, start, seed, &plan_to, &mut |instant| {
        let here = crossings.iter().zip(&mut kept).filter(|(one, _)| one.moment == instant.moment);
        for (crossing, kept) in here {
            let ways = [crossing.with, crossing.without].map(|number| instant.inputs.get(number).cloned());
            // Whichever way it goes on, it is the players of this match who do.
            let (position, minds) = (instant.position.clone(), instant.minds());
            *kept = Some((Start { position, inputs: instant.moment + 1, minds }, ways));
        }
    })?;
    let lost = || Rejection::new("NO_SUCH_MOMENT", "the match does not come to this crossing");
    let both = |kept: Option<_>| {
        let (here, [with, without]): Parting<G> = kept.ok_or_else(lost)?;
        let go = |input: Option<InputOf<G>>| {
            let mut position = here.position.clone();
            Resolver::<G>::default().act(game, &mut position, &input.ok_or_else(lost)?, &mut Off)?;
            let minds = here.minds.clone();
            play_on(game, Start { position, minds, ..here }, seed, plan, &mut |_| {})
        };
        Ok(Fork { with: go(with)?, without: go(without)? })
    };
    kept.into_iter().map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of `Take Shrug It Off` nothing was left as a name, and of its better kind a `+`.
    #[test]
    fn choices_are_found_in_capitals_or_not_and_keep_their_names() {
        let name = |begins: &str, until: Option<&str>, words: &str| {
            Labels { begins: begins.into(), until: until.map(Into::into), against: None }.name(words)
        };
        assert_eq!(name("take ", None, "Take Shrug It Off+").as_deref(), Some("Shrug It Off+"));
        assert_eq!(name("take shrug", None, "Take Shrug It Off+").as_deref(), Some("Take Shrug It Off+"));
        assert_eq!(name("Buy ", Some(" for "), "Buy Bash for 54 gold").as_deref(), Some("Bash"));
        assert_eq!(name("", None, "Go on").as_deref(), Some("Go on"));
        assert_eq!(name("Taken", None, "Take"), None);
        assert_eq!(begun_with("ÄPFEL", "äp"), Some(3));
    }
}

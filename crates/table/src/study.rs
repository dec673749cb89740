//! What was offered, what was taken, and what taking it does: a match is played and looked at, and some of
//! its decisions are played again both ways.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone::{InputOf, Off, Outcome, Position, Rejection, Resolver, Seat};
use turnstone_host::{Against, Hosted, tell_input};

use crate::simulate::{Plan, Played, play_on};

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
    let position = Position::<G>::new(game.start(setup, seed)?).admit(game)?;
    let survey = game.survey(position.state());
    let mut watch = Watch {
        game,
        labels,
        offered: Vec::new(),
        lying: Vec::new(),
        stretches: Vec::new(),
        chapter: None,
        inputs: 0,
        options: 0,
    };
    let mut last = None;
    let played = play_on(game, position, 0, seed, plan, &mut |position, inputs, moment, chosen| {
        watch.look(position, inputs, moment, chosen);
        last.get_or_insert_with(|| position.clone()).clone_from(position);
    })?;
    watch.close(matches!(played.outcome, Some(Outcome::Lost)));
    // The end itself is not watched: what one has before the last input is what one has.
    let holdings = last.map_or_else(Vec::new, |last| holdings(game, &last));
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
    fn look(&mut self, position: &Position<G>, inputs: &[InputOf<G>], moment: u64, chosen: usize) {
        self.inputs += 1;
        self.options += inputs.len() as u64;
        self.turn_page(position);
        let choices = match self.labels {
            Some(labels) => labels.choices(self.game, position, inputs),
            None => named_choices(self.game, position, inputs),
        };
        let before = std::mem::take(&mut self.lying);
        let seat = position.actor(self.game).unwrap_or(0);
        for choice in &choices {
            self.offer(choice, &choices, &before, (seat, moment, chosen));
        }
    }

    /// What still lies there from before is the same offer.
    fn offer(
        &mut self,
        choice: &Choice,
        all: &[Choice],
        before: &[usize],
        (seat, moment, chosen): (Seat, u64, usize),
    ) {
        let taken = choice.input == chosen;
        let fork = choice.without(all).map(|without| Crossing { moment, with: choice.input, without });
        let same = |index: &&usize| {
            let known = &self.offered[**index];
            (known.seat, &known.kind, &known.name) == (seat, &choice.kind, &choice.name)
        };
        let known = before.iter().chain(&self.lying).find(same).copied();
        let index = known.unwrap_or_else(|| {
            let (kind, name) = (choice.kind.clone(), choice.name.clone());
            self.offered.push(Offered { seat, kind, name, taken: false, fork: None });
            self.offered.len() - 1
        });
        let offered = &mut self.offered[index];
        offered.taken |= taken;
        // The last moment counts: then everything else has been decided.
        offered.fork = fork.or(offered.fork);
        if !taken && !self.lying.contains(&index) {
            self.lying.push(index);
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
        let cost = if fatal { first } else { first - last };
        self.stretches.push(Stretch { name, cost, fatal });
    }
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

/// A position, and the inputs that take something there and do not.
type Parting<G> = (Position<G>, [Option<InputOf<G>>; 2]);

/// Plays a match again up to these crossings, and on both ways from each.
pub(crate) fn forks<G: Hosted>(
    game: &G,
    setup: &G::Setup,
    seed: u64,
    plan: &Plan,
    crossings: &[Crossing],
) -> Result<Vec<Fork>, Rejection> {
    let position = Position::<G>::new(game.start(setup, seed)?).admit(game)?;
    let last = crossings.iter().map(|crossing| crossing.moment).max().unwrap_or(0);
    let mut kept: Vec<Option<Parting<G>>> = crossings.iter().map(|_| None).collect();
    let plan_to = Plan { max_inputs: (last + 1).min(plan.max_inputs), ..plan.clone() };
    play_on(game, position, 0, seed, &plan_to, &mut |position, inputs, moment, _| {
        for (crossing, kept) in crossings.iter().zip(&mut kept).filter(|(one, _)| one.moment == moment) {
            let ways = [crossing.with, crossing.without].map(|number| inputs.get(number).cloned());
            *kept = Some((position.clone(), ways));
        }
    })?;
    let lost = || Rejection::new("NO_SUCH_MOMENT", "the match does not come to this crossing");
    let both = |(crossing, kept): (&Crossing, Option<_>)| {
        let (position, [with, without]): Parting<G> = kept.ok_or_else(lost)?;
        let go = |input: Option<InputOf<G>>| {
            let mut position = position.clone();
            Resolver::<G>::default().act(game, &mut position, &input.ok_or_else(lost)?, &mut Off)?;
            play_on(game, position, crossing.moment + 1, seed, plan, &mut |_, _, _, _| {})
        };
        Ok(Fork { with: go(with)?, without: go(without)? })
    };
    crossings.iter().zip(kept).map(both).collect()
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

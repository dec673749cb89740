//! Heist at the table: set-ups, bots and what is shown.

use std::sync::Arc;

use serde_json::Value;
use turnstone::dice::{Draw, Lots};
use turnstone::digest::{Digest, digest};
use turnstone::{Game, Input, InputOf, Position, Rejection, Seat, Told, Viewer};
use turnstone_host::scene::{self, Choice, Counter, Ink, Item, Lie, Panel, Pick, Scene};
use turnstone_host::{Bot, Hosted, Named, Opening, Setting, Sight};

use crate::{Card, Give, Heist, State, crew, name, veiled};

impl Hosted for Heist {
    const NAME: &'static str = "heist";
    const ABOUT: &'static str = "Jewels, thieves and guards: two crews with hidden hands.";

    fn open_table(opening: &Opening) -> Result<(Arc<Self>, u8), Rejection> {
        let refuse = |text: String| Rejection::new("UNKNOWN", text);
        if let Some(other) = opening.setup.as_deref().filter(|setup| *setup != "deck") {
            return Err(refuse(format!("no set-up \"{other}\"; there is: deck")));
        }
        if let Some(other) = opening.ruleset.as_ref().filter(|rules| **rules != *"plain" && !rules.is_null())
        {
            return Err(refuse(format!("no ruleset {other}; there is: plain")));
        }
        let mut jewels = 4;
        for (wish, value) in &opening.wishes {
            let setting = Self::settings("deck").into_iter().find(|setting| setting.id == *wish);
            let setting = setting.ok_or_else(|| refuse(format!("no option \"{wish}\"; there is: jewels")))?;
            let number = value.parse().ok().filter(|_| setting.allows(value));
            jewels = number.ok_or_else(|| refuse(format!("{wish} is {}", setting.allowed())))?;
        }
        Ok((Arc::new(Heist), jewels))
    }

    fn rulesets() -> Vec<Named> {
        vec![Named::new("plain", "The only rules there are.")]
    }

    fn setups() -> Vec<Named> {
        vec![Named::new("deck", "A shuffled deck, four cards each.")]
    }

    fn settings(_setup: &str) -> Vec<Setting> {
        vec![Setting::number("jewels", "how many jewels?", "Jewels of each worth.", 1..=9, 4)]
    }

    fn ruleset(&self) -> Value {
        "plain".into()
    }

    fn content(&self) -> Digest {
        digest("no content")
    }

    fn seats(&self, _state: &State) -> Vec<String> {
        vec!["red".to_owned(), "blue".to_owned()]
    }

    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], viewer: Viewer) -> Scene {
        let state = position.state();
        let title = match self.actor(state) {
            Some(seat) => format!("{} to play, {} cards in the deck", crew(seat), state.deck.len()),
            None => "over".to_owned(),
        };
        Scene {
            title,
            panels: (0..2).flat_map(|seat| [hand(state, seat, viewer), crew_panel(state, seat)]).collect(),
            options: inputs.iter().map(|input| option(self, position, input)).collect(),
            question: position.pending().map(|_| self.tell_question(state, &Give)),
            ..Scene::default()
        }
    }

    fn bots() -> Vec<Named> {
        vec![Named::new("random", "Plays anything."), Named::new("greedy", "Sells dear and gives cheap.")]
    }

    fn bot(name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
        match name {
            "random" => Some(Box::new(Random)),
            "greedy" => Some(Box::new(Greedy)),
            _ => None,
        }
    }
}

fn line(text: String, ink: Ink) -> Item {
    Item { text, ink, ..Item::default() }
}

/// The hand of a crew as far as the viewer may know it.
fn hand(state: &State, seat: Seat, viewer: Viewer) -> Panel {
    let cards = veiled(state.hand(seat), viewer.may_see(seat));
    let held = |(at, card): (usize, &Card)| {
        let face = scene::Card { id: id_of(seat, &cards[..at], *card), ..face(*card) };
        line(name(*card), Ink::Plain).with(face)
    };
    let items = cards.iter().enumerate().map(held).collect();
    Panel { id: format!("hand{seat}"), title: format!("Hand of {}", crew(seat)), items, lie: Lie::Hand }
}

/// A crew: its coins, and what waits before it.
fn crew_panel(state: &State, seat: Seat) -> Panel {
    let at = usize::from(seat);
    let waiting: Vec<String> = state.waiting[at].iter().map(|card| name(*card)).collect();
    let coins = Counter::new(&format!("coins{seat}"), "coins", state.coins[at]);
    let mut items = vec![line(format!("{} coins", state.coins[at]), Ink::Good).with(coins)];
    if !waiting.is_empty() {
        items.push(line(format!("waiting: {}", waiting.join(", ")), Ink::Special));
    }
    Panel { id: format!("crew{seat}"), title: crew(seat).to_owned(), items, lie: Lie::List }
}

/// By what a card in a hand is known from one picture to the next. Cards of one kind are alike, so they are counted;
/// nobody may know which card it is that lies face down.
fn id_of(seat: Seat, before: &[Card], card: Card) -> String {
    if card == Card::Hidden {
        return String::new();
    }
    let alike = before.iter().filter(|other| **other == card).count();
    format!("{seat}-{}-{alike}", name(card).replace(' ', "-"))
}

/// A card as it looks.
fn face(card: Card) -> scene::Card {
    let (kind, text) = match card {
        Card::Jewel(worth) => ("jewel", format!("Worth {worth}.")),
        Card::Thief => ("thief", "Takes a card; the victim chooses which.".to_owned()),
        Card::Guard => ("guard", "Stops one thief.".to_owned()),
        Card::Fence => ("fence", "One more for every jewel.".to_owned()),
        Card::Spy => ("spy", "Earns one for every jewel of the others.".to_owned()),
        Card::Hidden => ("hidden", String::new()),
    };
    scene::Card {
        title: name(card),
        kind: kind.to_owned(),
        text,
        hidden: card == Card::Hidden,
        ..scene::Card::default()
    }
}

/// A card of the hand of whoever is to act: that is what one points at.
fn option(game: &Heist, position: &Position<Heist>, input: &InputOf<Heist>) -> Choice {
    let state = position.state();
    let (label, card) = match input {
        Input::Act(card) => (game.tell_action(state, card), *card),
        Input::Choose(card) => (game.tell_answer(state, &Give, card), *card),
    };
    let seat = position.pending().map(|pending| pending.seat).or(game.actor(state)).unwrap_or_default();
    let place = veiled(state.hand(seat), true).iter().position(|other| *other == card).unwrap_or_default();
    Choice { picks: vec![Pick::Item(format!("hand{seat}"), place as u16)], label, ..Choice::default() }
}

struct Random;

impl Bot<Heist> for Random {
    fn choose(&mut self, sight: &Sight<'_, Heist>, lots: &mut Lots) -> usize {
        lots.index(sight.inputs().len()).unwrap_or(0)
    }
}

struct Greedy;

impl Bot<Heist> for Greedy {
    fn choose(&mut self, sight: &Sight<'_, Heist>, _lots: &mut Lots) -> usize {
        let inputs = sight.inputs();
        let liking = |input: &InputOf<Heist>| match input {
            Input::Act(card) => worth(*card),
            Input::Choose(card) => -worth(*card),
        };
        (0..inputs.len()).max_by_key(|at| liking(&inputs[*at])).unwrap_or(0)
    }
}

fn worth(card: Card) -> i32 {
    match card {
        Card::Jewel(worth) => i32::from(worth),
        Card::Fence | Card::Spy => 4,
        Card::Thief => 2,
        Card::Guard => 1,
        Card::Hidden => 0,
    }
}

//! What reports over many runs count: cards, relics, potions, gifts, and the options of events and campfires.

use turnstone::{Input, InputOf, Position};
use turnstone_host::Topic;

use super::action::{Action, Question};
use super::apply::purpose_word;
use super::tower::{Reward, Screen};
use crate::action::Deed;
use crate::game::Spire;
use crate::question::{Asked, Reply};
use crate::seeds::CardNo;
use crate::state::State;

/// What inputs are about, by their numbers. Fights have nothing to tell: their plays are no choices for the run.
pub(super) fn topics(
    game: &Spire,
    position: &Position<Spire>,
    inputs: &[InputOf<Spire>],
) -> Vec<(usize, Topic)> {
    let state = position.state();
    let topic = |input: &InputOf<Spire>| match (input, position.pending().map(|pending| &pending.question)) {
        (Input::Choose(Reply::Run(answer)), Some(Asked::Run(question))) => {
            answered(game, state, *question, *answer)
        }
        (Input::Act(Deed::Run(action)), None) => acted(game, state, *action, inputs),
        _ => None,
    };
    if state.is_fighting() {
        return Vec::new();
    }
    inputs.iter().enumerate().filter_map(|(number, input)| Some((number, topic(input)?))).collect()
}

fn answered(game: &Spire, state: &State, question: Question, answer: u16) -> Option<Topic> {
    let journey = game.journey();
    match question {
        Question::Deck(pick) => {
            let card = state.run.deck.get(usize::from(answer))?;
            Some(Topic::counted(purpose_word(pick.purpose), journey.card_name(CardNo(card.id), 0)))
        }
        Question::Offer => {
            let card = state.tower.offer.get(usize::from(answer))?;
            Some(Topic::rival("card", journey.card_name(*card, 0)))
        }
        Question::Flip => None,
    }
}

fn acted(game: &Spire, state: &State, action: Action, inputs: &[InputOf<Spire>]) -> Option<Topic> {
    let journey = game.journey();
    match (action, state.tower.screen()?) {
        (Action::Neow(_), Screen::Neow) => Some(Topic::rival("gift", journey.tell_action(state, action))),
        (Action::Option(number), Screen::Event(event)) => {
            let (name, option) = (&journey.event(event.event)?.name, journey.option(state, number)?);
            Some(Topic::rival("event", format!("{name}: {}", option.text)))
        }
        (Action::TakeCard { reward, card }, Screen::Rewards(list)) => {
            let Reward::Cards(offer) = list.get(usize::from(reward))? else { return None };
            let name = journey.card_name(offer.get(usize::from(card))?.card, 0);
            Some(last_reward("card", name, inputs))
        }
        (Action::Take(reward), Screen::Rewards(list)) => match list.get(usize::from(reward))? {
            Reward::Relic(relic) => Some(last_reward("relic", journey.relic_name(*relic), inputs)),
            Reward::Potion(potion) => Some(last_reward("potion", journey.potion_name(*potion), inputs)),
            Reward::Gold(_) | Reward::StolenGold(_) | Reward::Cards(_) | Reward::Key(_) => None,
        },
        (Action::BossRelic(number), Screen::BossChest(relics)) => {
            let name = journey.relic_name(*relics.get(usize::from(number))?);
            Some(match leave(inputs) {
                Some(leave) => Topic::declined_by("boss relic", name, leave),
                None => Topic::counted("boss relic", name),
            })
        }
        (Action::Rest | Action::Smith | Action::Offer(_) | Action::Recall, Screen::Rest) => {
            // What it does in numbers depends on the run.
            let told = journey.tell_action(state, action);
            Some(Topic::rival("campfire", told.split(':').next().unwrap_or_default()))
        }
        (Action::BuyCard(number), Screen::Shop(shop)) => {
            let card = shop.stock.cards.get(usize::from(number))?.card;
            Some(Topic::counted("card in the shop", journey.card_name(card, 0)))
        }
        (Action::BuyRelic(number), Screen::Shop(shop)) => {
            let relic = shop.stock.relics.get(usize::from(number))?.relic;
            Some(Topic::counted("relic in the shop", journey.relic_name(relic)))
        }
        (Action::BuyPotion(number), Screen::Shop(shop)) => {
            let potion = shop.stock.potions.get(usize::from(number))?.potion;
            Some(Topic::counted("potion in the shop", journey.potion_name(potion)))
        }
        _ => None,
    }
}

/// The number of the input that goes on without it.
fn leave(inputs: &[InputOf<Spire>]) -> Option<usize> {
    inputs.iter().position(|input| matches!(input, Input::Act(Deed::Run(Action::Proceed))))
}

/// What can be left alone is compared with being left; but who leaves while more lies there leaves that, too.
fn last_reward(kind: &'static str, name: String, inputs: &[InputOf<Spire>]) -> Topic {
    let reward = |input: &InputOf<Spire>| match input {
        Input::Act(Deed::Run(Action::Take(reward) | Action::TakeCard { reward, .. })) => Some(*reward),
        _ => None,
    };
    let mut rewards = inputs.iter().filter_map(reward);
    let first = rewards.next();
    match leave(inputs).filter(|_| rewards.all(|other| Some(other) == first)) {
        Some(leave) => Topic::declined_by(kind, name, leave),
        None => Topic::counted(kind, name),
    }
}

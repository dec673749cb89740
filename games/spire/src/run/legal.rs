//! What can be done outside of fights, and how each action opens.

use smallvec::SmallVec;
use turnstone::Rejection;

use super::action::{Action, Question, Verb, Ware};
use super::effect::Effect;
use super::journey::Journey;
use super::rulebook::empty_slot;
use super::rules::{Out, last};
use super::tower::{End, Reward, Screen};
use crate::catalog::words::Prevent;
use crate::state::State;

/// Actions on a screen; few enough to need no heap.
pub(crate) type Options = SmallVec<[Action; 16]>;

impl Journey<'_> {
    /// Every action allowed outside of fights.
    pub fn legal(&self, s: &State, out: &mut Options) {
        if s.tower.end.is_some() || s.tower.fighting.is_some() {
            return;
        }
        match s.tower.screen() {
            None => out.extend(self.next_columns(s).iter().map(|(x, _)| Action::Go(*x))),
            Some(Screen::Neow) => out.extend((0..s.tower.fate.neow.len() as u8).map(Action::Neow)),
            Some(Screen::Event(event)) => {
                let script = self.event(event.event);
                let node = script.and_then(|e| e.nodes.get(usize::from(event.node)));
                for (i, option) in node.iter().flat_map(|n| &n.options).enumerate() {
                    if self.option_allowed(s, option) {
                        out.push(Action::Option(i as u8));
                    }
                }
                if out.is_empty() {
                    // Nothing is offered that the player can meet: he walks on.
                    out.push(Action::Proceed);
                }
            }
            Some(Screen::Rewards(list)) => self.legal_rewards(s, list, out),
            Some(Screen::BossChest(_)) => {
                out.extend((0..3).map(Action::BossRelic));
                out.push(Action::Proceed);
            }
            Some(Screen::Rest) => {
                self.rest_options(s, out);
                out.push(Action::Proceed);
            }
            Some(Screen::Chest(_)) => out.extend([Action::OpenChest, Action::Proceed]),
            Some(Screen::Shop(_)) => self.legal_shop(s, out),
        }
        self.legal_potions(s, out);
    }

    fn legal_rewards(&self, s: &State, list: &[Reward], out: &mut Options) {
        let run = &s.run;
        for (i, reward) in list.iter().enumerate() {
            let i = i as u8;
            match reward {
                Reward::Potion(_) => {
                    if empty_slot(run).is_some() && !self.prevents(s, Prevent::Potion) {
                        out.push(Action::Take(i));
                    }
                }
                Reward::Cards(offer) => {
                    out.extend((0..offer.len() as u8).map(|card| Action::TakeCard { reward: i, card }));
                    if self.for_cards(s).is_some() {
                        out.push(Action::Bowl(i));
                    }
                }
                _ => out.push(Action::Take(i)),
            }
        }
        out.push(Action::Proceed);
    }

    fn legal_shop(&self, s: &State, out: &mut Options) {
        let cards = (0..7).map(|i| (Ware::Card(i), Action::BuyCard(i)));
        let relics = (0..3).map(|i| (Ware::Relic(i), Action::BuyRelic(i)));
        let potions = (0..3).map(|i| (Ware::Potion(i), Action::BuyPotion(i)));
        let wares = cards.chain(relics).chain(potions).chain([(Ware::Removal, Action::BuyRemoval)]);
        out.extend(wares.filter(|(ware, _)| self.can_buy(s, *ware)).map(|(_, action)| action));
        out.push(Action::Proceed);
    }

    fn legal_potions(&self, s: &State, out: &mut Options) {
        for slot in 0..s.run.potions.len() as u8 {
            let Some(potion) = self.potion_at(s, slot) else { continue };
            if self.drink(potion).is_some() {
                out.push(Action::Drink(slot));
            }
            out.push(Action::Discard(slot));
        }
    }

    /// Whether an action is allowed now.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, s: &State, action: Action) -> Result<(), Rejection> {
        if s.tower.end.is_some() {
            return Err(Rejection::new("RUN_OVER", "the run is over; start another"));
        }
        if s.tower.fighting.is_some() {
            return Err(Rejection::new("IN_A_FIGHT", "finish the fight first"));
        }
        if let (Action::Operator(_), true) = (action, s.tower.sandbox) {
            return Ok(());
        }
        let mut legal = Options::new();
        self.legal(s, &mut legal);
        if legal.contains(&action) {
            return Ok(());
        }
        Err(self.refuse(s, action))
    }

    fn refuse(&self, s: &State, action: Action) -> Rejection {
        match action {
            Action::Go(x) => {
                let columns: Vec<u8> = self.next_columns(s).iter().map(|c| c.0).collect();
                let text = format!("column {x} cannot be reached from here; try one of {columns:?}");
                Rejection::new("NOT_CONNECTED", text)
            }
            Action::BuyCard(_) | Action::BuyRelic(_) | Action::BuyPotion(_) | Action::BuyRemoval => {
                Rejection::new("CANNOT_BUY", "sold, too dear, or there is no room for it")
            }
            Action::Option(i) => {
                Rejection::new("OPTION_CLOSED", format!("option {i} is not offered or its needs are not met"))
            }
            _ => {
                let text = format!("{} is not possible {}", deed(action), whereabouts(s.tower.screen()));
                Rejection::new("NOT_NOW", text)
            }
        }
    }

    /// The effects with which an action opens.
    pub(crate) fn open_action(&self, s: &State, action: Action, out: &mut Out) {
        match action {
            Action::Neow(option) => last(Effect::Gift(option), out),
            Action::Go(x) => last(Effect::Move { x }, out),
            Action::Option(option) => self.open_option(s, option, out),
            Action::Take(reward) => self.open_take(s, reward, None, out),
            Action::TakeCard { reward, card } => self.open_take(s, reward, Some(card), out),
            Action::Bowl(reward) => {
                out.last(Effect::Bowl(reward).into());
                if let Some((_, program)) = self.for_cards(s) {
                    self.do_last(program, out);
                }
            }
            Action::BossRelic(which) => self.open_boss_relic(s, which, out),
            Action::Rest | Action::Smith | Action::Offer(_) | Action::Recall => {
                self.open_rest_action(s, action, out);
            }
            Action::OpenChest => last(Effect::Unlock, out),
            Action::BuyCard(i) => last(Effect::Buy(Ware::Card(i)), out),
            Action::BuyRelic(i) => last(Effect::Buy(Ware::Relic(i)), out),
            Action::BuyPotion(i) => last(Effect::Buy(Ware::Potion(i)), out),
            Action::BuyRemoval => last(Effect::Buy(Ware::Removal), out),
            Action::Drink(slot) => last(Effect::Drink(slot), out),
            Action::Discard(slot) => last(Effect::LosePotion(slot), out),
            Action::Proceed => last(Effect::Close, out),
            Action::GiveUp => last(Effect::Finish(End::Died), out),
            Action::Operator(Verb::Damage(amount)) => last(Effect::Hurt { amount, blow: true }, out),
            Action::Operator(Verb::Heal(amount)) => last(Effect::Heal(amount), out),
            Action::Operator(Verb::Spend(amount)) => last(Effect::LoseGold { amount, in_shop: false }, out),
            Action::Operator(Verb::Gain(amount)) => last(Effect::Gold(amount), out),
        }
    }

    fn open_option(&self, s: &State, option: u8, out: &mut Out) {
        let Some(chosen) = self.option(s, option) else { return };
        self.do_last(chosen.program, out);
        out.last(Effect::Goto(chosen.then).into());
    }

    /// The answers to a question.
    pub fn answers(&self, s: &State, question: Question) -> Vec<u16> {
        match question {
            Question::Deck(pick) => self.candidates(s, pick).to_vec(),
            Question::Offer => (0..s.tower.offer.len() as u16).collect(),
            Question::Flip => self.closed_cells(s).collect(),
        }
    }
}

/// What an action would do, as the subject of a sentence.
fn deed(action: Action) -> &'static str {
    match action {
        Action::Neow(_) => "choosing a gift",
        Action::Go(_) => "moving on the map",
        Action::Option(_) => "choosing in an event",
        Action::Take(_) => "taking that reward",
        Action::TakeCard { .. } => "taking that card",
        Action::Bowl(_) => "ringing the Singing Bowl",
        Action::BossRelic(_) => "taking a boss's relic",
        Action::Rest => "resting",
        Action::Smith => "smithing",
        Action::Offer(_) => "using that relic",
        Action::Recall => "recalling",
        Action::OpenChest => "opening a chest",
        Action::BuyCard(_) | Action::BuyRelic(_) | Action::BuyPotion(_) | Action::BuyRemoval => "buying",
        Action::Drink(_) => "drinking that potion",
        Action::Discard(_) => "throwing away a potion that is not there",
        Action::Proceed => "leaving",
        Action::GiveUp => "giving up a fight",
        Action::Operator(_) => "a change by an operator",
    }
}

/// Where the player is.
fn whereabouts(screen: Option<&Screen>) -> &'static str {
    match screen {
        None => "on the map",
        Some(Screen::Neow) => "before Neow",
        Some(Screen::Event(_)) => "in this event",
        Some(Screen::Rewards(_)) => "among these rewards",
        Some(Screen::BossChest(_)) => "at the boss's chest",
        Some(Screen::Rest) => "at this campfire",
        Some(Screen::Chest(_)) => "at a chest",
        Some(Screen::Shop(_)) => "at the merchant's",
    }
}

#[cfg(test)]
mod tests {
    use turnstone::Game;

    use super::*;
    use crate::action::Deed;
    use crate::game::{Ruleset, Spire};
    use crate::run::Setup;

    #[test]
    fn a_refusal_says_in_words_what_and_where() {
        let game = Spire::builtin(Ruleset::Classic).expect("content");
        let mut s = game.start(&Setup::run("ironclad", 0), 7).expect("start");
        let refusal = |s: &State, action| game.check(s, &Deed::Run(action)).unwrap_err().to_string();
        let text = refusal(&s, Action::TakeCard { reward: 0, card: 2 });
        assert!(text.ends_with("taking that card is not possible before Neow"), "{text}");
        s.tower.edit().screens = smallvec::smallvec![Screen::Rest];
        let text = refusal(&s, Action::Offer(0));
        assert!(text.ends_with("using that relic is not possible at this campfire"), "{text}");
    }
}

//! The run in words and as plain data.

use super::{NodeKind, Offer, Phase, Run, RunAction, RunEffect, RunEvent};
use crate::catalog::{MapEventId, RelicId};
use crate::game::Chess;
use crate::piece::Kind;
use crate::state::State;
use serde_json::{Value, json};

impl Chess {
    /// A member of the roster in words.
    pub fn member_text(&self, member: &super::Member) -> String {
        let mut text = self.catalog.piece(member.kind).name.clone();
        for layer in member.layers.iter() {
            text += &format!(" +{}", self.catalog.ability(layer.ability).name);
        }
        text
    }

    /// A member among the others: `Pawn 2 of 4` where several are alike.
    fn member_name(&self, run: &Run, index: u8) -> String {
        let Some(member) = run.roster.get(usize::from(index)) else { return String::new() };
        let alike: Vec<usize> = (0..run.roster.len()).filter(|other| run.roster[*other] == *member).collect();
        let text = self.member_text(member);
        match alike.iter().position(|other| *other == usize::from(index)) {
            Some(nth) if alike.len() > 1 => format!("{text} {} of {}", nth + 1, alike.len()),
            _ => text,
        }
    }

    /// An offer in words.
    pub fn offer_text(&self, offer: &Offer) -> String {
        match *offer {
            Offer::Piece(kind) => self.catalog.piece(kind).name.clone(),
            Offer::Ability(ability) => format!("ability {}", self.catalog.ability(ability).name),
            Offer::Relic(relic) => format!("relic {}", self.relic_name(relic)),
            Offer::Money(money) => format!("{money} coins"),
        }
    }

    /// What an offer does.
    pub fn offer_note(&self, offer: &Offer) -> String {
        match *offer {
            Offer::Piece(kind) => self.catalog.piece(kind).about.clone(),
            Offer::Ability(ability) => self.catalog.ability(ability).about.clone(),
            Offer::Relic(relic) => self.relic_note(relic),
            Offer::Money(_) => "For the next shop.".to_owned(),
        }
    }

    /// The name of a relic.
    pub(crate) fn relic_name(&self, relic: RelicId) -> String {
        self.catalog.relic(relic).map_or("an unknown relic".to_owned(), |def| def.name.clone())
    }

    /// The rule of a relic.
    pub(crate) fn relic_note(&self, relic: RelicId) -> String {
        self.catalog.relic(relic).map_or(String::new(), |def| def.about.clone())
    }

    /// What is met, and what is proposed.
    pub(crate) fn event_text(&self, event: MapEventId) -> String {
        let def = self.catalog.map_event(event);
        def.map_or("Something unknown.".to_owned(), |def| format!("{}. {}", def.title, def.text))
    }

    pub(crate) fn tell_run(&self, state: &State, event: &RunEvent) -> String {
        let Some(run) = &state.run else { return "something of a run".to_owned() };
        let kind = |kind: Kind| self.catalog.piece(kind).name.to_lowercase();
        match *event {
            RunEvent::Travelled(_) => format!("You come to {}", place_text(run)),
            RunEvent::FightBegan { ref pieces, .. } => {
                let foes = pieces.iter().filter(|piece| piece.owner == crate::Color::Black).count();
                format!("Fight {} begins: {} against {foes}", run.round, pieces.len() - foes)
            }
            RunEvent::ShopOpened { .. } => "The shop opens".to_owned(),
            RunEvent::EventMet { event, .. } => self.event_text(event),
            RunEvent::Taken { member, paid, ref what, .. } => {
                let deed = if paid == 0 { "take" } else { "buy" };
                let price = if paid == 0 { String::new() } else { format!(" for {}", coins(paid)) };
                format!("You {deed} {}{price}{}", self.offer_text(what), self.for_member(run, member))
            }
            RunEvent::Sold { kind: what, price, .. } => {
                format!("You sell a {} for {}", kind(what), coins(price))
            }
            RunEvent::Accepted { .. } => "You accept".to_owned(),
            RunEvent::Paid { coins: paid } => format!("You pay {}", coins(paid)),
            RunEvent::Earned { coins: earned } => format!("You get {}", coins(earned)),
            RunEvent::Tossed { won: true, money, .. } => {
                format!("You win the toss and have {}", coins(money))
            }
            RunEvent::Tossed { won: false, .. } => "You lose the toss and all your coins".to_owned(),
            RunEvent::Blessed { member, ability, .. } => {
                let ability = &self.catalog.ability(ability).name;
                format!("One of your pieces receives {ability}{}", self.for_member(run, Some(member)))
            }
            RunEvent::Joined { kind: what, .. } => format!("A {} joins you", kind(what)),
            RunEvent::Became { from, to, .. } => format!("Your {} becomes a {}", kind(from), kind(to)),
            RunEvent::Left => "You move on".to_owned(),
            RunEvent::FightWon { money, .. } => format!("You win the fight and {}", coins(money)),
            RunEvent::Survived { relic } => {
                let relic = self.relic_name(relic);
                format!("{relic} breaks in your place: the fight is lost, the run goes on")
            }
            RunEvent::Stalled => {
                "The fight comes to nothing: it must be fought again, and another draw loses it".to_owned()
            }
            RunEvent::ActBegan { act, .. } => format!("Act {act} begins"),
            RunEvent::RunWon => "The last boss has fallen: the run is won".to_owned(),
            RunEvent::RunLost => "Your king is lost, and the run with it".to_owned(),
        }
    }

    pub(crate) fn tell_run_effect(&self, effect: RunEffect) -> String {
        let text = match effect {
            RunEffect::Travel(_) => "a step on the map",
            RunEffect::Fight => "a fight",
            RunEffect::Shop => "a shop",
            RunEffect::Event => "an event",
            RunEffect::Take(..) => "taking an offer",
            RunEffect::Sell(_) => "a sale",
            RunEffect::Accept => "accepting what is proposed",
            RunEffect::Do { .. } => "what was proposed",
            RunEffect::Leave => "going on",
            RunEffect::NextAct => "the next act",
            RunEffect::FightOver => "the end of the fight",
            RunEffect::Win => "a fight won",
            RunEffect::Stall => "a drawn fight",
            RunEffect::Lose => "a lost fight, and the end of the run",
            RunEffect::Survive(relic) => return format!("{} breaking", self.relic_name(relic)),
            RunEffect::Finish => "the end of the run",
        };
        text.to_owned()
    }

    fn for_member(&self, run: &Run, member: Option<u8>) -> String {
        let member = member.and_then(|member| run.roster.get(usize::from(member)));
        member.map_or(String::new(), |member| format!(": {}", self.member_text(member)))
    }

    /// A member's rule, and those of its abilities.
    pub(crate) fn member_note(&self, member: &super::Member) -> String {
        let mut note = self.catalog.piece(member.kind).about.clone();
        for layer in member.layers.iter() {
            let ability = self.catalog.ability(layer.ability);
            note += &format!(" {}: {}", ability.name, ability.about);
        }
        note
    }

    pub(crate) fn tell_run_action(&self, state: &State, action: RunAction) -> String {
        let Some(run) = &state.run else { return "a step of a run".to_owned() };
        let offer = |index: u8| run.offers.get(usize::from(index));
        let priced = |index: u8| {
            offer(index).map_or(String::new(), |offer| {
                let price = run.price(&self.catalog, offer);
                let price = if price > 0 { format!(" for {price}") } else { String::new() };
                let twin = run.offers.iter().take(usize::from(index)).filter(|other| *other == offer).count();
                let twin = if twin > 0 { format!(", the {}", ordinal(twin + 1)) } else { String::new() };
                format!("{}{price}{twin}", self.offer_text(offer))
            })
        };
        let member = |index: u8| self.member_name(run, index);
        match action {
            RunAction::Travel(node) => {
                let kind = run.map.get(usize::from(node)).map_or(NodeKind::Fight, |node| node.kind);
                let column = run.map.get(usize::from(node)).map_or(0, |node| node.column);
                format!(
                    "go to the {} ({})",
                    kind_text(kind),
                    ["left", "middle", "right"][usize::from(column) % 3]
                )
            }
            RunAction::Take(index) => format!("take {}", priced(index)),
            RunAction::Give { offer, member: whom } => format!("take {} → {}", priced(offer), member(whom)),
            RunAction::Sell(index) => format!("sell {}", member(index)),
            RunAction::Accept => "accept".to_owned(),
            RunAction::Leave => "leave".to_owned(),
        }
    }

    /// The phase as other programs read it, a map event by name.
    fn phase_name(&self, run: &Run) -> Value {
        match run.phase {
            Phase::Event(event) => json!({"event": self.catalog.map_event(event).map(|def| &def.id)}),
            phase => json!(phase),
        }
    }

    pub(crate) fn view_run(&self, run: &Run) -> Value {
        let roster: Vec<String> = run.roster.iter().map(|member| self.member_text(member)).collect();
        let relics: Vec<String> = run.relics.iter().map(|relic| self.relic_name(*relic)).collect();
        let offers: Vec<Value> = run
            .offers
            .iter()
            .map(|offer| json!({"offer": self.offer_text(offer), "price": run.price(&self.catalog, offer)}))
            .collect();
        json!({
            "phase": self.phase_name(run), "act": run.act, "round": run.round, "money": run.money, "roster": roster,
            "relics": relics, "offers": offers, "map": run.map, "here": run.here, "reachable": run.reachable(),
        })
    }
}

/// `1 coin`, `3 coins`.
pub(crate) fn coins(count: i32) -> String {
    if count == 1 { "1 coin".to_owned() } else { format!("{count} coins") }
}

/// `second`, `third`, and so on.
fn ordinal(number: usize) -> String {
    match number {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        _ => format!("{number}th"),
    }
}

/// The kind of a node in words.
pub(crate) const fn kind_text(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Fight => "fight",
        NodeKind::Elite => "elite fight",
        NodeKind::Shop => "shop",
        NodeKind::Event => "event",
        NodeKind::Boss => "boss",
    }
}

fn place_text(run: &Run) -> String {
    match (run.phase, run.node()) {
        (Phase::Map, Some(node)) => format!("the {} in row {}", kind_text(node.kind), node.row + 1),
        _ => "the map".to_owned(),
    }
}

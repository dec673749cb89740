//! The run in words and as plain data.

use super::{NodeKind, Offer, Phase, Relic, Run, RunAction, RunEvent};
use crate::game::Chess;
use crate::state::State;
use serde_json::{Value, json};

/// Map events: title and proposal.
pub(crate) const EVENTS: [(&str, &str); 5] = [
    ("A shrine", "Pray: one of your pieces receives a random ability."),
    ("A mercenary", "Pay 3 coins: a random piece joins you."),
    ("A gambler", "Toss a coin: your money is doubled or gone."),
    ("A training ground", "One of your pawns becomes a knight."),
    ("A grave robber", "Sell him your last piece's dignity: 4 coins, and it becomes a pawn."),
];

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
            Offer::Relic(relic) => format!("relic {}", relic.words().0),
            Offer::Money(money) => format!("{money} coins"),
        }
    }

    /// What an offer does.
    pub fn offer_note(&self, offer: &Offer) -> String {
        match *offer {
            Offer::Piece(kind) => self.catalog.piece(kind).about.clone(),
            Offer::Ability(ability) => self.catalog.ability(ability).about.clone(),
            Offer::Relic(relic) => relic.words().1.to_owned(),
            Offer::Money(_) => "For the next shop.".to_owned(),
        }
    }

    pub(crate) fn tell_run(&self, state: &State, event: RunEvent) -> String {
        let Some(run) = &state.run else { return "something of a run".to_owned() };
        match event {
            RunEvent::Travelled(_) => format!("You come to {}", place_text(run)),
            RunEvent::FightBegan { .. } => format!("Fight {} begins", run.round),
            RunEvent::ShopOpened { .. } => "The shop opens".to_owned(),
            RunEvent::EventMet { event, .. } => {
                let (title, text) = EVENTS[usize::from(event) % EVENTS.len()];
                format!("{title}. {text}")
            }
            RunEvent::Taken { member, paid, what, .. } => {
                let deed = if paid == 0 { "take" } else { "buy" };
                let price = if paid == 0 { String::new() } else { format!(" for {paid} coins") };
                format!("You {deed} {}{price}{}", self.offer_text(&what), self.for_member(run, member))
            }
            RunEvent::Sold { kind, price, .. } => {
                format!("You sell a {} for {price} coins", self.catalog.piece(kind).name.to_lowercase())
            }
            RunEvent::Accepted { event, member, won, money, .. } => {
                self.tell_accepted(run, event, member, (won, money))
            }
            RunEvent::Left => "You move on".to_owned(),
            RunEvent::FightWon { money, .. } => format!("You win the fight and {money} coins"),
            RunEvent::Survived => {
                "The phoenix burns in your place: the fight is lost, the run goes on".to_owned()
            }
            RunEvent::Stalled => {
                "The fight comes to nothing: it must be fought again, and another draw loses it".to_owned()
            }
            RunEvent::ActBegan { .. } => format!("Act {} begins", run.act),
            RunEvent::RunWon => "The last boss has fallen: the run is won".to_owned(),
            RunEvent::RunLost => "Your king is lost, and the run with it".to_owned(),
        }
    }

    fn for_member(&self, run: &Run, member: u8) -> String {
        let member = run.roster.get(usize::from(member));
        member.map_or(String::new(), |member| format!(": {}", self.member_text(member)))
    }

    fn tell_accepted(&self, run: &Run, event: u8, member: u8, (won, money): (bool, i32)) -> String {
        let whom = run.roster.get(usize::from(member)).map_or("nobody".to_owned(), |m| self.member_text(m));
        match event {
            0 => format!("You pray: one of your pieces is now a {whom}"),
            1 => format!("You pay 3 coins, and a {whom} joins you"),
            2 if won => format!("You win the toss and have {money} coins"),
            2 => "You lose the toss and all your coins".to_owned(),
            3 => format!("A pawn is trained: it is now a {whom}"),
            _ => format!("You get 4 coins, and your last piece is now a {whom}"),
        }
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

    pub(crate) fn view_run(&self, run: &Run) -> Value {
        let roster: Vec<String> = run.roster.iter().map(|member| self.member_text(member)).collect();
        let relics: Vec<&str> = run.relics.iter().map(|relic: &Relic| relic.words().0).collect();
        let offers: Vec<Value> = run
            .offers
            .iter()
            .map(|offer| json!({"offer": self.offer_text(offer), "price": run.price(&self.catalog, offer)}))
            .collect();
        json!({
            "phase": run.phase, "act": run.act, "round": run.round, "money": run.money, "roster": roster,
            "relics": relics, "offers": offers, "map": run.map, "here": run.here, "reachable": run.reachable(),
        })
    }
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

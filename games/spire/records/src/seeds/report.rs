//! What a seed holds, for people and for programs.

use std::fmt;

use serde::Serialize;

use super::walk::{ActWalk, Beginner, Content, Rewards, Step, walk};
use turnstone_spire::seeds::CardOffer;
use turnstone_spire::seeds::EventDetail;
use turnstone_spire::seeds::Map;
use turnstone_spire::seeds::Names;
use turnstone_spire::seeds::NeowOption;
use turnstone_spire::seeds::Tables;
use turnstone_spire::seeds::price;
use turnstone_spire::seeds::seed_to_text;
use turnstone_spire::seeds::{Fate, RunSetup};
use turnstone_spire::seeds::{Rules, Tier};

/// What a seed holds: everything fixed from the start, and the rewards of one walk through it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeedReport {
    /// The seed as players write it.
    pub seed: String,
    /// The seed as a number.
    pub number: u64,
    /// The character.
    pub character: String,
    /// Ascension.
    pub ascension: u8,
    /// Whose rules.
    pub rules: Rules,
    /// Neow's four offers, with what they bring.
    pub neow: Vec<String>,
    /// Relics in the order rewards bring them, tier by tier.
    pub relics: Vec<TierReport>,
    /// The three acts.
    pub acts: Vec<ActReport>,
}

/// A relic pool.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TierReport {
    /// The tier.
    pub tier: Tier,
    /// The first comes first; shops sell from the end.
    pub order: Vec<String>,
}

/// An act.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActReport {
    /// Number, from 1.
    pub act: u8,
    /// The boss.
    pub boss: String,
    /// The second boss, if there is one.
    pub second_boss: Option<String>,
    /// Normal fights in order.
    pub fights: Vec<String>,
    /// Elite fights in order.
    pub elites: Vec<String>,
    /// The map.
    pub map: Map,
    /// What its burning elite gains.
    pub burning: Option<String>,
    /// The rooms of the left-most way, as if nothing were ever taken.
    pub left_way: Vec<String>,
    /// The boss chest at the end of that way.
    pub boss_chest: Vec<String>,
}

/// Unrolls a seed by these tables.
pub fn seed_report(tables: &Tables, setup: RunSetup) -> SeedReport {
    let writer = Writer { tables, setup };
    let fate = Fate::new(writer.tables, setup);
    SeedReport {
        seed: seed_to_text(setup.seed),
        number: setup.seed,
        character: writer.tables.characters.name(setup.character).to_owned(),
        ascension: setup.ascension,
        rules: setup.rules,
        neow: fate.neow.iter().map(|o| writer.option(*o)).collect(),
        relics: Tier::ALL.iter().map(|&tier| writer.tier(&fate, tier)).collect(),
        acts: walk(writer.tables, setup).iter().map(|a| writer.act(a)).collect(),
    }
}

struct Writer<'t> {
    tables: &'t Tables,
    setup: RunSetup,
}

fn list<T: Copy + Into<usize>>(names: &Names, numbers: &[T]) -> Vec<String> {
    numbers.iter().map(|&n| names.name(n).to_owned()).collect()
}

impl Writer<'_> {
    fn tier(&self, fate: &Fate, tier: Tier) -> TierReport {
        TierReport { tier, order: list(&self.tables.relics, fate.relics.pool(tier)) }
    }

    fn option(&self, option: NeowOption) -> String {
        let mut fate = Fate::new(self.tables, self.setup);
        let beginner = Beginner::new(self.tables, self.setup);
        let gift = fate.neow_gift(self.tables, &beginner.at(1, 0, 0), option);
        let mut line = self.tables.gifts.names.name(option.bonus).to_owned();
        let mut brings = list(&self.tables.relics, &gift.relics);
        brings.extend(list(&self.tables.cards, &gift.cards));
        brings.extend(gift.offers.iter().map(|offer| self.offer(offer)));
        if !gift.potions.is_empty() {
            brings.push(list(&self.tables.potions, &gift.potions).join(", "));
        }
        if !brings.is_empty() {
            line += &format!(" ({})", brings.join("; "));
        }
        if let Some(drawback) = option.drawback {
            line += &format!(" for {}", self.tables.gifts.names.name(drawback));
        }
        for curse in &gift.curses {
            line += &format!(" ({})", self.tables.cards.name(*curse));
        }
        line
    }

    fn offer(&self, offer: &CardOffer) -> String {
        let card = |o: &turnstone_spire::seeds::OfferedCard| {
            format!("{}{}", self.tables.cards.name(o.card), if o.upgraded { "+" } else { "" })
        };
        offer.iter().map(card).collect::<Vec<_>>().join(", ")
    }

    fn act(&self, act: &ActWalk) -> ActReport {
        let fights = &self.tables.fights;
        let start = &act.start;
        ActReport {
            act: start.act,
            boss: fights.name(start.boss()).to_owned(),
            second_boss: start.second_boss(self.tables).map(|b| fights.name(b).to_owned()),
            fights: list(fights, &start.fights.monsters),
            elites: list(fights, &start.fights.elites),
            map: *start.map,
            burning: start.map.burning.map(|(_, burning)| self.tables.burning_name(burning).to_owned()),
            left_way: act.steps.iter().map(|s| self.step(s)).collect(),
            boss_chest: act.boss_chest.map(|c| list(&self.tables.relics, &c)).unwrap_or_default(),
        }
    }

    fn step(&self, step: &Step) -> String {
        let held = match &step.content {
            Content::Fight(fight, rewards) => {
                let name = self.tables.fights.name(*fight);
                let rewards = rewards.as_ref().map(|r| self.rewards(r)).unwrap_or_default();
                format!("{name}{rewards}")
            }
            Content::Chest(chest, rewards) => format!("{} chest{}", chest.size.word(), self.rewards(rewards)),
            Content::Shop(stock) => self.shop(stock, &step.after),
            Content::Event(event, detail) => {
                let detail = detail.as_ref().map(|d| self.detail(d)).unwrap_or_default();
                format!("{}{detail}", self.tables.events.name(*event))
            }
            Content::Quiet => String::new(),
        };
        let unknown = if step.shown == step.room { "" } else { "? " };
        format!("{:>2} {unknown}{}: {held}", step.floor, step.room.word()).trim_end_matches(": ").to_owned()
    }

    fn rewards(&self, rewards: &Rewards) -> String {
        let parts = [
            rewards.gold.map(|g| format!("{g} gold")),
            rewards.relic.map(|r| self.tables.relics.name(r).to_owned()),
            rewards.emerald_key.then(|| "emerald key".to_owned()),
            rewards.potion.map(|p| self.tables.potions.name(p).to_owned()),
            (!rewards.cards.is_empty()).then(|| format!("[{}]", self.offer(&rewards.cards))),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!(" → {}", parts.join(", "))
    }

    fn shop(&self, stock: &turnstone_spire::seeds::Stock, fate: &Fate) -> String {
        let full = |base: u32| price(base, self.tables.hardship(fate.ascension), fate.rules);
        let cards = stock.cards.iter().map(|c| (self.tables.cards.name(c.card), c.base_price));
        let relics = stock.relics.iter().map(|r| (self.tables.relics.name(r.relic), r.base_price));
        let potions = stock.potions.iter().map(|p| (self.tables.potions.name(p.potion), p.base_price));
        let items = cards.chain(relics).chain(potions);
        items.map(|(name, base)| format!("{name} {}", full(base))).collect::<Vec<_>>().join(", ")
    }

    fn detail(&self, detail: &EventDetail) -> String {
        match detail {
            EventDetail::GuardedFinds { guardian, .. } => {
                format!(" → guarded by {}", self.tables.fights.name(*guardian))
            }
            EventDetail::Potions { potions } => {
                format!(" → {}", list(&self.tables.potions, potions).join(", "))
            }
            EventDetail::Gold { gold_loss } => format!(" → leaving costs {gold_loss} gold"),
            EventDetail::Pairs { board } => {
                let mut cards = list(&self.tables.cards, board);
                cards.sort();
                cards.dedup();
                format!(" → {}", cards.join(", "))
            }
            EventDetail::Belongings { gold: Some(gold), .. } => format!(" → wants {gold} gold"),
            _ => String::new(),
        }
    }
}

impl fmt::Display for SeedReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = if self.rules.original() { "" } else { ", simulator's rules" };
        writeln!(
            f,
            "Seed {} ({}), {}, ascension {}{rules}",
            self.seed, self.number, self.character, self.ascension
        )?;
        writeln!(f, "\nNeow")?;
        for (i, option) in self.neow.iter().enumerate() {
            writeln!(f, "  {}. {option}", i + 1)?;
        }
        writeln!(f, "\nRelics (rewards take the first, shops the last)")?;
        for tier in &self.relics {
            writeln!(f, "  {:<9}{}", tier.tier.word(), tier.order.join(", "))?;
        }
        self.acts.iter().try_for_each(|act| write!(f, "{act}"))
    }
}

impl fmt::Display for ActReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.second_boss.as_ref().map(|b| format!(", then {b}")).unwrap_or_default();
        writeln!(f, "\nAct {}: {}{second}", self.act, self.boss)?;
        writeln!(f, "  fights  {}", self.fights.join(", "))?;
        writeln!(f, "  elites  {}\n", self.elites.join(", "))?;
        write!(f, "{}", self.map)?;
        if let (Some((place, _)), Some(gains)) = (self.map.burning, &self.burning) {
            writeln!(f, "\n  * burning elite at column {}, row {}: {gains}", place.x, place.y)?;
        }
        writeln!(f, "\n  The left-most way, nothing taken:")?;
        for room in &self.left_way {
            writeln!(f, "    {room}")?;
        }
        if !self.boss_chest.is_empty() {
            writeln!(f, "    boss chest: {}", self.boss_chest.join(", "))?;
        }
        Ok(())
    }
}

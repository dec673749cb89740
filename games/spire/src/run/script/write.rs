//! From words to numbers: names become ids, lists of steps become one dense table.

use super::text::{Draws, EventText, FightText, NodeText, ScoreText, StepText};
use super::{
    Amount, Book, END, EventScript, ListNo, NodeScript, Op, OptionScript, PaidFight, ScoreRule, Worth,
};
use crate::catalog::defs::title;
use crate::catalog::load::Scripted;
use crate::catalog::node::hint;
use crate::catalog::{Content, Place, Problem};
use crate::run::score::Counted;
use crate::seeds::{Bonus, CardNo, Drawback, FightNo, Names, RelicNo, Tables, Tier};

/// Turns entries into a book.
pub(super) struct Writer<'t> {
    tables: &'t Tables,
    book: Book,
    problems: Vec<Problem>,
    /// The node names of the event being read.
    nodes: Vec<String>,
}

impl<'t> Writer<'t> {
    pub(super) fn new(tables: &'t Tables) -> Self {
        // The first list is the empty one.
        let book = Book { lists: vec![(0, 0)], ..Book::default() };
        Writer { tables, book, problems: Vec::new(), nodes: Vec::new() }
    }

    pub(super) fn book(mut self, content: &Content) -> Result<Book, Vec<Problem>> {
        for event in &content.events {
            let script = self.told(event, |writer| writer.event(&event.id, &event.text));
            let number = self.tables.events.find(&event.id).unwrap_or_default();
            self.book.events.insert(number, script);
        }
        let bonuses = Bonus::ALL.iter().map(|b| b.word());
        let known: Vec<&str> = bonuses.chain(Drawback::ALL.iter().map(|d| d.word())).collect();
        for gift in &content.neow {
            if !known.contains(&gift.id.as_str()) {
                let near = hint(&gift.id, known.iter().copied());
                self.wrong("", format!("no gift or drawback of Neow's `{}`{near}", gift.id));
            }
            let list = self.told(gift, |writer| writer.list(&gift.text.steps));
            self.book.neow.insert(gift.id.clone(), list);
        }
        for line in &content.score {
            if let Some(rule) = self.told(line, |writer| writer.score(&line.id, &line.text)) {
                self.book.score.push((line.id.clone(), rule));
            }
        }
        if self.problems.is_empty() { Ok(self.book) } else { Err(self.problems) }
    }

    /// Writes an entry; what is wrong in it is told where the entry says it.
    fn told<T, R>(&mut self, entry: &Scripted<T>, write: impl FnOnce(&mut Self) -> R) -> R {
        let written = write(self);
        for problem in self.problems.iter_mut().filter(|problem| problem.place.line == 0) {
            problem.place = entry.place_of(&std::mem::take(&mut problem.place.file)).clone();
        }
        written
    }

    /// Notes what is wrong with a word; its place is found when the entry is done.
    fn wrong(&mut self, word: &str, message: String) {
        let place = Place { file: word.to_owned(), line: 0, column: 0 };
        self.problems.push(Problem { place, message });
    }

    fn score(&mut self, id: &str, line: &ScoreText) -> Option<ScoreRule> {
        if let Counted::Relic(name) = &line.of {
            self.relic(name);
        }
        let worths = [
            line.each.map(Worth::Each),
            line.rising.map(Worth::Rising),
            line.steps.clone().map(Worth::Steps),
            line.percent.map(Worth::Percent),
        ];
        let mut worths = worths.into_iter().flatten();
        match (worths.next(), worths.next()) {
            (Some(Worth::Steps(steps)), None) if !steps.is_sorted() => {
                self.wrong("steps", format!("the steps of the score `{id}` must rise"));
                None
            }
            (Some(worth), None) => {
                Some(ScoreRule { text: line.text.clone(), of: line.of.clone(), worth, won: line.won })
            }
            _ => {
                let message =
                    format!("the score `{id}` needs exactly one of `each`, `rising`, `steps` and `percent`");
                self.wrong("", message);
                None
            }
        }
    }

    fn number<T: From<u16> + Default>(&mut self, kind: &str, names: &Names, name: &str) -> T {
        names.find(name).unwrap_or_else(|| {
            self.wrong(name, format!("no {kind} `{name}`{}", hint(name, names.iter())));
            T::default()
        })
    }

    fn relic(&mut self, name: &str) -> RelicNo {
        self.number("relic", &self.tables.relics, name)
    }

    fn relics(&mut self, names: &[String]) -> Vec<RelicNo> {
        names.iter().map(|n| self.relic(n)).collect()
    }

    fn card(&mut self, name: &str) -> CardNo {
        self.number("card", &self.tables.cards, name)
    }

    fn encounter(&mut self, name: &str) -> FightNo {
        self.number("encounter", &self.tables.fights, name)
    }

    fn event(&mut self, id: &str, event: &EventText) -> EventScript {
        if !event.node.contains_key("start") {
            self.wrong("", format!("the event `{id}` has no node `start`"));
        }
        if let Some(relic) = &event.allowed.half_dead_or_owns {
            self.relic(relic);
        }
        if let Some(Draws::GuardedFinds(guardians)) = &event.draws {
            for name in guardians {
                self.encounter(name);
            }
        }
        let start = event.node.get_key_value("start");
        let nodes = || start.into_iter().chain(event.node.iter().filter(|(name, _)| *name != "start"));
        self.nodes = nodes().map(|(name, _)| name.clone()).collect();
        let written = nodes().map(|(name, node)| self.node(name, node)).collect();
        self.nodes.clear();
        EventScript { name: event.name.clone().unwrap_or_else(|| title(id)), nodes: written }
    }

    fn node(&mut self, id: &str, node: &NodeText) -> NodeScript {
        let enter = self.list(&node.enter);
        let mut options = Vec::new();
        for option in &node.options {
            let needs = &option.needs;
            let relic = match (&needs.relic, &needs.no_relic) {
                (Some(name), _) => Some((self.relic(name), true)),
                (None, Some(name)) => Some((self.relic(name), false)),
                (None, None) => None,
            };
            options.push(OptionScript {
                id: option.id.clone(),
                text: option.text.clone(),
                needs: needs.clone(),
                relic,
                steps: self.list(&option.steps),
                then: option.then.as_ref().map_or(END, |n| self.node_number(n)),
            });
        }
        NodeScript { id: id.to_owned(), text: node.text.clone(), enter, options }
    }

    fn node_number(&mut self, name: &str) -> u8 {
        if name == "end" {
            return END;
        }
        self.nodes.iter().position(|n| n == name).map_or_else(
            || {
                let near = hint(name, self.nodes.iter().map(String::as_str).chain(["end"]));
                self.wrong(name, format!("no node `{name}`{near}"));
                END
            },
            |at| at as u8,
        )
    }

    /// Inner lists are written first, so that the steps of one list lie side by side.
    fn list(&mut self, steps: &[StepText]) -> ListNo {
        let ops: Vec<Op> = steps.iter().map(|s| self.op(s)).collect();
        self.book.append(ops)
    }

    fn op(&mut self, step: &StepText) -> Op {
        match step {
            StepText::Gold(n) => Op::Gold(*n),
            StepText::LoseGold(n) => Op::LoseGold(*n),
            StepText::LoseAllGold => Op::LoseAllGold,
            StepText::Heal(n) => Op::Heal(*n),
            StepText::HealFull => Op::HealFull,
            StepText::Damage(n) => Op::Damage(*n),
            StepText::LoseHp(n) => Op::LoseHp(*n),
            StepText::MaxHp(n) => Op::MaxHp(*n),
            StepText::LoseMaxHp(n) => Op::LoseMaxHp(*n),
            StepText::Card(card) => Op::Cards { card: self.card(card), count: Amount::Flat(1) },
            StepText::Cards { card, count } => Op::Cards { card: self.card(card), count: *count },
            StepText::Relic(name) => Op::Relic(self.relic(name)),
            StepText::RelicOf(names) => Op::RelicOf { relics: self.relics(names), new: false },
            StepText::NewRelicOf(names) => Op::RelicOf { relics: self.relics(names), new: true },
            StepText::RandomRelic => Op::RandomRelic,
            StepText::LoseRelic(name) => Op::LoseRelic(self.relic(name)),
            StepText::RemoveCard => Op::RemoveCard,
            StepText::UpgradeCard => Op::UpgradeCard,
            StepText::UpgradeRandom(count) => Op::UpgradeRandom { kind: None, count: *count },
            StepText::UpgradeKind { kind, count } => Op::UpgradeRandom { kind: Some(*kind), count: *count },
            StepText::UpgradeAll => Op::UpgradeAll,
            StepText::UpgradeStarters => Op::UpgradeStarters,
            StepText::Transform(n) => Op::Transform { count: *n, upgraded: false, neow: false },
            StepText::TransformUpgraded(n) => Op::Transform { count: *n, upgraded: true, neow: false },
            StepText::NeowTransform(n) => Op::Transform { count: *n, upgraded: false, neow: true },
            StepText::Duplicate => Op::Duplicate,
            StepText::RemoveCurses => Op::RemoveCurses,
            StepText::ReplaceStrikes { card, count } => {
                Op::ReplaceStrikes { card: self.card(card), count: *count }
            }
            StepText::Bottle(kind) => Op::Bottle(*kind),
            StepText::Potions(n) => Op::Treasure { gold: 0, potions: *n, cards: 0 },
            StepText::FillPotions => Op::FillPotions(Amount::Flat(i32::from(i8::MAX))),
            StepText::PotionSlots(n) => Op::PotionSlots(*n),
            StepText::Treasure { gold, potions, cards } => {
                Op::Treasure { gold: *gold, potions: *potions, cards: *cards }
            }
            StepText::RelicRewards(tiers) => Op::RelicRewards(tiers.iter().map(|t| Tier::from(*t)).collect()),
            StepText::Colorless(n) => Op::Colorless(*n),
            StepText::ColorlessCard => Op::ColorlessCard,
            StepText::Library(n) => Op::Library(*n),
            StepText::Fight(fight) => Op::Fight(self.fight(fight)),
            StepText::Chance { percent, hit, miss } => {
                let (hit, miss) = (self.list(hit), self.list(miss));
                Op::Chance { percent: *percent, hit, miss }
            }
            StepText::OneOf(lists) => Op::OneOf(lists.iter().map(|l| self.list(l)).collect()),
            StepText::Count(of) => Op::Count((*of).min(2)),
            StepText::Goto(node) => Op::Goto(self.node_number(node)),
            StepText::DrawnPotions => Op::DrawnPotions,
            StepText::DrawTwoRelics => Op::DrawTwoRelics,
            StepText::GiveDrawnRelic(which) => Op::GiveDrawnRelic(*which),
            StepText::GiveDrawnPotion => Op::GiveDrawnPotion,
            StepText::LoseDrawn(what) => Op::LoseDrawn(*what),
            StepText::ToTheBoss => Op::ToTheBoss,
            StepText::MemoryGame => Op::MemoryGame,
            StepText::Bonfire(relic) => Op::Bonfire(self.relic(relic)),
            StepText::SearchAdventurer => Op::SearchAdventurer,
        }
    }

    fn fight(&mut self, text: &FightText) -> PaidFight {
        if text.name.is_none() && text.boss_of_act.is_none() {
            self.wrong("fight", "a fight needs `name` or `boss_of_act`".into());
        }
        PaidFight {
            fight: text.name.as_ref().map(|name| self.encounter(name)),
            gold: text.gold,
            relics: self.relics(&text.relics),
            tiers: text.tiers.iter().map(|t| Tier::from(*t)).collect(),
            unpaid: text.unpaid,
        }
    }
}

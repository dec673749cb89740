//! From words to numbers: names become ids, lists of steps become one dense table.

use super::text::{EventText, FightText, NodeText, ScoreText, ScriptFile, StepText};
use super::{
    Amount, Book, END, EventScript, ListNo, NodeScript, Op, OptionScript, PaidFight, ScoreRule, ScriptError,
    Worth,
};
use crate::seeds::{Bonus, CardNo, Drawback, RelicNo, Tables, Tier};

/// Turns files into a book.
pub(super) struct Writer<'t> {
    tables: &'t Tables,
    book: Book,
    file: String,
    /// The node names of the event being read.
    nodes: Vec<String>,
}

impl<'t> Writer<'t> {
    pub(super) fn new(tables: &'t Tables) -> Self {
        // The first list is the empty one.
        let book = Book { lists: vec![(0, 0)], ..Book::default() };
        Writer { tables, book, file: String::new(), nodes: Vec::new() }
    }

    /// Reads one file; its entries replace earlier ones of the same name.
    pub(super) fn read(&mut self, file: &str, script: &ScriptFile) -> Result<(), ScriptError> {
        file.clone_into(&mut self.file);
        self.file(script)
    }

    pub(super) fn finish(self) -> Book {
        self.book
    }

    fn wrong(&self, reason: String) -> ScriptError {
        ScriptError { file: self.file.clone(), reason }
    }

    fn file(&mut self, file: &ScriptFile) -> Result<(), ScriptError> {
        for (id, event) in &file.event {
            let number = self.number(self.tables.events.find(id), "event", id)?;
            let script = self.event(id, event)?;
            self.book.events.insert(number, script);
        }
        for (id, script) in &file.neow {
            let known = Bonus::ALL.iter().map(|b| b.word()).chain(Drawback::ALL.iter().map(|d| d.word()));
            self.number(known.into_iter().find(|w| w == id), "gift or drawback of Neow's", id)?;
            let list = self.list(&script.steps)?;
            self.book.neow.insert(id.clone(), list);
        }
        for (id, line) in &file.score {
            let rule = self.score(id, line)?;
            match self.book.score.iter_mut().find(|(known, _)| known == id) {
                Some((_, old)) => *old = rule,
                None => self.book.score.push((id.clone(), rule)),
            }
        }
        Ok(())
    }

    fn score(&self, id: &str, line: &ScoreText) -> Result<ScoreRule, ScriptError> {
        let worths = [
            line.each.map(Worth::Each),
            line.rising.map(Worth::Rising),
            line.steps.clone().map(Worth::Steps),
            line.percent.map(Worth::Percent),
        ];
        let mut worths = worths.into_iter().flatten();
        match (worths.next(), worths.next()) {
            (Some(Worth::Steps(steps)), None) if !steps.is_sorted() => {
                Err(self.wrong(format!("the steps of the score `{id}` must rise")))
            }
            (Some(worth), None) => {
                Ok(ScoreRule { text: line.text.clone(), of: line.of, worth, won: line.won })
            }
            _ => Err(self.wrong(format!(
                "the score `{id}` needs exactly one of `each`, `rising`, `steps` and `percent`"
            ))),
        }
    }

    fn number<T>(&self, found: Option<T>, kind: &str, name: &str) -> Result<T, ScriptError> {
        found.ok_or_else(|| self.wrong(format!("no {kind} is called `{name}`")))
    }

    fn relic(&self, name: &str) -> Result<RelicNo, ScriptError> {
        self.number(self.tables.relics.find(name), "relic", name)
    }

    fn relics(&self, names: &[String]) -> Result<Vec<RelicNo>, ScriptError> {
        names.iter().map(|n| self.relic(n)).collect()
    }

    fn card(&self, name: &str) -> Result<CardNo, ScriptError> {
        self.number(self.tables.cards.find(name), "card", name)
    }

    fn event(&mut self, id: &str, event: &EventText) -> Result<EventScript, ScriptError> {
        if !event.node.contains_key("start") {
            return Err(self.wrong(format!("event `{id}` has no node `start`")));
        }
        let others = event.node.keys().filter(|n| *n != "start");
        self.nodes = std::iter::once("start").chain(others.map(String::as_str)).map(str::to_owned).collect();
        let mut nodes = Vec::new();
        for name in self.nodes.clone() {
            nodes.push(self.node(&name, &event.node[&name])?);
        }
        self.nodes.clear();
        Ok(EventScript { name: event.name.clone(), nodes })
    }

    fn node(&mut self, id: &str, node: &NodeText) -> Result<NodeScript, ScriptError> {
        let enter = self.list(&node.enter)?;
        let mut options = Vec::new();
        for option in &node.options {
            let needs = &option.needs;
            let relic = match (&needs.relic, &needs.no_relic) {
                (Some(name), _) => Some((self.relic(name)?, true)),
                (None, Some(name)) => Some((self.relic(name)?, false)),
                _ => None,
            };
            options.push(OptionScript {
                id: option.id.clone(),
                text: option.text.clone(),
                needs: needs.clone(),
                relic,
                steps: self.list(&option.steps)?,
                then: option.then.as_ref().map_or(Ok(END), |n| self.node_number(n))?,
            });
        }
        Ok(NodeScript { id: id.to_owned(), text: node.text.clone(), enter, options })
    }

    fn node_number(&self, name: &str) -> Result<u8, ScriptError> {
        if name == "end" {
            return Ok(END);
        }
        let found = self.nodes.iter().position(|n| n == name);
        self.number(found.map(|i| i as u8), "node", name)
    }

    /// Inner lists are written first, so that the steps of one list lie side by side.
    fn list(&mut self, steps: &[StepText]) -> Result<ListNo, ScriptError> {
        let ops: Vec<Op> = steps.iter().map(|s| self.op(s)).collect::<Result<_, _>>()?;
        Ok(self.book.append(ops))
    }

    fn op(&mut self, step: &StepText) -> Result<Op, ScriptError> {
        Ok(match step {
            StepText::Gold(n) => Op::Gold(*n),
            StepText::LoseGold(n) => Op::LoseGold(*n),
            StepText::LoseAllGold => Op::LoseAllGold,
            StepText::Heal(n) => Op::Heal(*n),
            StepText::HealFull => Op::HealFull,
            StepText::Damage(n) => Op::Damage(*n),
            StepText::LoseHp(n) => Op::LoseHp(*n),
            StepText::MaxHp(n) => Op::MaxHp(*n),
            StepText::LoseMaxHp(n) => Op::LoseMaxHp(*n),
            StepText::Card(card) => Op::Cards { card: self.card(card)?, count: Amount::Flat(1) },
            StepText::Cards { card, count } => Op::Cards { card: self.card(card)?, count: *count },
            StepText::Relic(name) => Op::Relic(self.relic(name)?),
            StepText::RelicOf(names) => Op::RelicOf { relics: self.relics(names)?, new: false },
            StepText::NewRelicOf(names) => Op::RelicOf { relics: self.relics(names)?, new: true },
            StepText::RandomRelic => Op::RandomRelic,
            StepText::LoseRelic(name) => Op::LoseRelic(self.relic(name)?),
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
            other => self.rarer_op(other)?,
        })
    }

    fn rarer_op(&mut self, step: &StepText) -> Result<Op, ScriptError> {
        Ok(match step {
            StepText::ReplaceStrikes { card, count } => {
                Op::ReplaceStrikes { card: self.card(card)?, count: *count }
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
            StepText::Fight(fight) => Op::Fight(self.fight(fight)?),
            StepText::Chance { percent, hit, miss } => {
                let (hit, miss) = (self.list(hit)?, self.list(miss)?);
                Op::Chance { percent: *percent, hit, miss }
            }
            StepText::OneOf(lists) => {
                Op::OneOf(lists.iter().map(|l| self.list(l)).collect::<Result<_, _>>()?)
            }
            StepText::Count(of) => Op::Count((*of).min(2)),
            StepText::Goto(node) => Op::Goto(self.node_number(node)?),
            StepText::DrawnPotions => Op::DrawnPotions,
            StepText::DrawTwoRelics => Op::DrawTwoRelics,
            StepText::GiveDrawnRelic(which) => Op::GiveDrawnRelic(*which),
            StepText::GiveDrawnPotion => Op::GiveDrawnPotion,
            StepText::LoseDrawn(what) => Op::LoseDrawn(*what),
            StepText::ToTheBoss => Op::ToTheBoss,
            StepText::MemoryGame => Op::MemoryGame,
            StepText::Bonfire => Op::Bonfire,
            _ => Op::SearchAdventurer,
        })
    }

    fn fight(&mut self, text: &FightText) -> Result<PaidFight, ScriptError> {
        let fight = match &text.name {
            Some(name) => Some(self.number(self.tables.fights.find(name), "fight", name)?),
            None if text.boss_of_act.is_some() => None,
            None => return Err(self.wrong("a fight needs `name` or `boss_of_act`".into())),
        };
        Ok(PaidFight {
            fight,
            gold: text.gold,
            relics: self.relics(&text.relics)?,
            tiers: text.tiers.iter().map(|t| Tier::from(*t)).collect(),
            unpaid: text.unpaid,
        })
    }
}

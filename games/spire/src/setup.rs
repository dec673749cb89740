//! Set-ups: from a character, a deck and an encounter to a prepared fight.

use crate::catalog::compile::{CardInfo, Id, Marks, RelicInfo, SlotInfo};
use crate::catalog::words::{Color, Rank, Stage as AlterStage};
use crate::dice::{Die, FightDice, Roller};
use crate::game::Spire;
use crate::rules::numbers::About;
use crate::run::event::{LineUp, Newcomer};
use crate::run::plan::MapChoice;
use crate::run::tower::Key;
use crate::seeds::{Room, Rules};
use crate::state::{
    Body, Card, Combat, DeckCard, HEARD, HEARD_IN_FIGHTS, KINDS, MOST_BODIES, NO_CARD, NO_COST, NONE,
    OwnedRelic, PLAYER, Pile, Run, Slot, Stage, State, card_flag, place_bit,
};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use turnstone::Rejection;

/// What a match starts from, besides its seed: a run, or a fight of its own.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// The character, by its id.
    pub character: String,
    /// Ascension, from 0 on.
    pub ascension: u8,
    /// Whose rules of chance.
    pub rules: Rules,
    /// Rules of this run, by their ids; `daily` stands for three that the seed chooses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
    /// The hand-made map that the run is on, instead of those of the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<MapChoice>,
    /// The run does not begin at its beginning, but here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begin: Option<Begin>,
    /// Not a run, but this one fight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fight: Option<Fight>,
    /// A position of a fight, as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Box<State>>,
}

impl Setup {
    /// A whole run.
    pub fn run(character: impl Into<String>, ascension: u8) -> Self {
        Setup { character: character.into(), ascension, ..Setup::default() }
    }

    /// A fight of its own.
    pub fn fight(fight: Fight) -> Self {
        Setup { fight: Some(fight), ..Setup::default() }
    }

    /// A position of a fight.
    pub fn at(state: State) -> Self {
        Setup { state: Some(Box::new(state)), ..Setup::default() }
    }
}

/// Where and with what a run begins; whatever is left out is as at the beginning.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Begin {
    /// Deck, relics, potions, HP, gold, act and floor.
    pub with: Fight,
    /// The keys that were found: `ruby`, `emerald`, `sapphire`.
    pub keys: Vec<Key>,
    /// One stands before the first room of this kind, in which one can go at once.
    pub room: Option<Room>,
}

/// A fight; whatever is left out is the character's own.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fight {
    /// Who fights: `ironclad`.
    pub character: String,
    /// Ascension level, from 0 on.
    pub ascension: u8,
    /// An encounter: `jaw_worm`. Left out: `monsters`.
    pub encounter: Option<String>,
    /// Monsters by id.
    pub monsters: Vec<String>,
    /// Cards by id, with `+` for upgraded and `*3` for several.
    pub deck: Option<Vec<String>>,
    /// Relics by id.
    pub relics: Option<Vec<String>>,
    /// Potions by id.
    pub potions: Vec<String>,
    /// HP at the start.
    pub hp: Option<i16>,
    /// Max HP.
    pub max_hp: Option<i16>,
    /// Gold.
    pub gold: Option<i32>,
    /// The act, 1 unless said.
    pub act: Option<u8>,
    /// The floor, 1 unless said: with the seed it decides the dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<u8>,
    /// A moment of a fight in the notation of situations (`content/README.md`); all else is then left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub situation: Option<String>,
}

/// What a fight can be asked for besides its character and ascension.
pub(crate) const WISHES: &[&str] =
    &["combat", "monsters", "deck", "relics", "potions", "hp", "max_hp", "gold", "act", "floor", "situation"];

impl Fight {
    /// Takes one wish, such as `deck` with `strike_ironclad*5, bash+`; lists are separated by commas or blanks.
    ///
    /// # Errors
    /// An unknown wish, or a number that is none. Names are looked up when the fight is set up.
    pub fn wish(&mut self, name: &str, value: &str) -> Result<(), Rejection> {
        // With a comma anywhere blanks belong to the names.
        let parted = |c: char| c == ',' || c == ' ' && !value.contains(',');
        let list = || value.split(parted).map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned);
        let number = || {
            let refusal = || Rejection::new("BAD_NUMBER", format!("`{value}` is no number for {name}"));
            value.trim().parse::<i16>().map_err(|_| refusal())
        };
        let within = |number: i16, range: RangeInclusive<i16>| {
            let (least, most) = (range.start(), range.end());
            let refusal = || format!("{name} goes from {least} to {most}");
            let fits = Some(number).filter(|number| range.contains(number));
            fits.map(|number| number as u8).ok_or_else(|| Rejection::new("BAD_NUMBER", refusal()))
        };
        match name {
            "combat" => self.against(Foes::Encounter(value.trim().to_owned())),
            "monsters" => match list().collect::<Vec<_>>() {
                names if names.is_empty() => return Err(Rejection::new("NO_ENEMIES", NO_ENEMIES)),
                names => self.against(Foes::Monsters(names)),
            },
            "deck" => self.deck = Some(list().collect()),
            "relics" => self.relics = Some(list().collect()),
            "potions" => self.potions = list().collect(),
            "hp" => self.hp = Some(number()?),
            "max_hp" => self.max_hp = Some(number()?),
            "gold" => self.gold = Some(i32::from(number()?)),
            "act" => self.act = Some(within(number()?, 1..=4)?),
            "floor" => self.floor = Some(within(number()?, 0..=99)?),
            "situation" => self.against(Foes::Situation(value.to_owned())),
            _ => return Err(Rejection::new("UNKNOWN_WISH", format!("a fight has no `{name}`"))),
        }
        Ok(())
    }

    /// Says who stands on the other side; what was said of it before, such as by the set-up, no longer counts.
    fn against(&mut self, foes: Foes) {
        (self.encounter, self.monsters, self.situation) = match foes {
            Foes::Encounter(name) => (Some(name), Vec::new(), None),
            Foes::Monsters(names) => (None, names, None),
            Foes::Situation(text) => (None, Vec::new(), Some(text)),
        };
    }
}

/// Who stands on the other side of a fight: said in one of three ways.
enum Foes {
    Encounter(String),
    Monsters(Vec<String>),
    Situation(String),
}

const NO_ENEMIES: &str = "name an encounter, or one to twenty monsters";

/// The wishes that say against whom.
pub(crate) const FOES: [&str; 3] = ["combat", "monsters", "situation"];

/// Refuses wishes that say in two ways against whom one fights: it would be anybody's guess which of them counts.
pub(crate) fn agree<'a>(wishes: impl Iterator<Item = &'a str>) -> Result<(), Rejection> {
    let foes: Vec<&str> = wishes.filter(|name| FOES.contains(name)).collect();
    match foes.iter().find(|name| **name != foes[0]) {
        Some(other) => {
            let text = format!("`{}` and `{other}` both say against whom: choose one", foes[0]);
            Err(Rejection::new("BAD_SETUP", text))
        }
        None => Ok(()),
    }
}

impl Fight {
    /// Refuses what a situation leaves no room for: it says all there is, and nothing else would be heard.
    pub(crate) fn situated_alone(&self) -> Result<(), Rejection> {
        let told = [
            ("deck", self.deck.is_some()),
            ("relics", self.relics.is_some()),
            ("potions", !self.potions.is_empty()),
            ("hp", self.hp.is_some()),
            ("max_hp", self.max_hp.is_some()),
            ("gold", self.gold.is_some()),
            ("act", self.act.is_some()),
            ("floor", self.floor.is_some()),
        ];
        match told.iter().find(|(_, told)| *told && self.situation.is_some()) {
            Some((name, _)) => {
                let text = format!("a situation says all there is: write its {name} into it, not beside it");
                Err(Rejection::new("BAD_SETUP", text))
            }
            None => Ok(()),
        }
    }
}

fn unknown(spire: &Spire, kind: &'static str, name: &str) -> Rejection {
    let names: Vec<&str> = spire.catalog.names(kind).collect();
    let near = turnstone_content::hint(name, names);
    Rejection::new("UNKNOWN_NAME", format!("there is no {kind} `{name}`{near}"))
}

impl Spire {
    /// The number of an entry by name.
    ///
    /// # Errors
    /// An unknown name, with the nearest one.
    pub fn named(&self, kind: &'static str, name: &str) -> Result<Id, Rejection> {
        self.named_of(kind, name, None)
    }

    /// The same, where of several cards of one name that of this color is meant.
    fn named_of(&self, kind: &'static str, name: &str, color: Option<Color>) -> Result<Id, Rejection> {
        self.known(kind, name, color).ok_or_else(|| unknown(self, kind, name))
    }

    fn known(&self, kind: &'static str, name: &str, color: Option<Color>) -> Option<Id> {
        self.catalog.find(kind, name).or_else(|| self.shown_as(kind, name, color))
    }

    /// An entry by the name it is shown with: `Gremlin Nob`, `Fairy in a Bottle`.
    fn shown_as(&self, kind: &str, name: &str, color: Option<Color>) -> Option<Id> {
        let catalog = &self.catalog;
        let plain = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        let wanted = plain(name);
        let fits = |shown: &str| !wanted.is_empty() && plain(shown) == wanted;
        let place = |found: Option<usize>| found.map(|index| index as Id);
        match kind {
            "card" => {
                let mine = |card: &&(usize, &CardInfo)| Some(card.1.color) == color;
                let all: Vec<_> = catalog.cards.iter().enumerate().filter(|(_, c)| fits(&c.name)).collect();
                let one = all.iter().find(mine).or(all.first());
                one.map(|(index, _)| *index as Id)
            }
            "relic" => place(catalog.relics.iter().position(|info| fits(&info.name))),
            "potion" => place(catalog.potions.iter().position(|info| fits(&info.name))),
            "monster" => place(catalog.monsters.iter().position(|info| fits(&info.name))),
            "encounter" => place(catalog.encounters.iter().position(|info| fits(&info.name))),
            "power" => place(catalog.powers.iter().position(|info| fits(&info.name))),
            "orb" => place(catalog.orbs.iter().position(|info| fits(&info.name))),
            "stance" => place(catalog.stances.iter().position(|info| fits(&info.name))),
            _ => None,
        }
    }

    /// Names that may have been parted at their blanks: as many words as make a name are taken together.
    fn joined(&self, kind: &'static str, parts: &[String]) -> Vec<String> {
        // A mark belongs to the name before it, and is the end of it.
        let bare = |text: &str| match text.split_once(['*', '=', '+']) {
            Some((name, mark)) if !mark.contains(' ') => name.trim().to_owned(),
            _ => text.to_owned(),
        };
        let is_known = |text: &str| self.known(kind, &bare(text), None).is_some();
        let words: Vec<&str> = parts
            .iter()
            .flat_map(|part| match is_known(part) {
                true => vec![part.as_str()],
                false => part.split_whitespace().collect(),
            })
            .collect();
        let mut out = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let longest = if is_known(words[at]) { at + 1 } else { words.len().min(at + 6) };
            let joins = |end: &usize| is_known(&words[at..*end].join(" "));
            let end = (at + 2..=longest).rev().find(joins).unwrap_or(at + 1);
            out.push(words[at..end].join(" "));
            at = end;
        }
        out
    }

    /// A card by name, `+` for each upgrade.
    ///
    /// # Errors
    /// An unknown name.
    pub fn named_card(&self, name: &str) -> Result<(Id, u8), Rejection> {
        self.named_card_of(name, None)
    }

    /// The same, where of several cards of one name that of this character is meant.
    ///
    /// # Errors
    /// An unknown name, or more upgrades than the card takes.
    pub(crate) fn named_card_of(&self, name: &str, character: Option<Id>) -> Result<(Id, u8), Rejection> {
        let (plain, up) = match name.rsplit_once('+').map(|(plain, count)| (plain, count.parse::<u8>())) {
            Some((plain, Ok(count))) => (plain, count),
            _ => {
                let plain = name.trim_end_matches('+');
                (plain, (name.len() - plain.len()).min(99) as u8)
            }
        };
        let color = character.and_then(|id| self.catalog.characters.get(id as usize)).map(|info| info.color);
        let id = self.named_of("card", plain.trim(), color)?;
        if up > 1 && !self.catalog.cards[id as usize].many_upgrades {
            return Err(Rejection::new("BAD_NUMBER", format!("`{name}`: it can be upgraded once")));
        }
        Ok((id, up))
    }

    /// The first state of a match.
    ///
    /// # Errors
    /// Unknown names, impossible numbers.
    pub(crate) fn set_up(&self, fight: &Fight, seed: u64) -> Result<State, Rejection> {
        match &fight.situation {
            Some(text) => self.opened(&self.situated(text)?, seed),
            None => {
                let run = self.new_run(fight, seed)?;
                self.prepare_fight(run, fight)
            }
        }
    }

    /// A position, with dice if it has none.
    pub(crate) fn opened(&self, state: &State, seed: u64) -> Result<State, Rejection> {
        self.validate_state(state)?;
        let mut state = state.clone();
        if state.run.seed == 0 {
            state.run.seed = seed;
            state.run.dice = self.fight_dice(seed, state.run.floor);
        }
        Ok(state)
    }

    /// The run around a fight.
    fn new_run(&self, fight: &Fight, seed: u64) -> Result<Run, Rejection> {
        let character = match fight.character.as_str() {
            "" => self.catalog.first_character,
            name => self.named("character", name)?,
        };
        let info = &self.catalog.characters[character as usize];
        self.rulebook.tables.check_ascension(fight.ascension)?;
        let max_hp = fight.max_hp.unwrap_or(info.hp_at(fight.ascension) as i16);
        let hp = fight.hp.unwrap_or(max_hp);
        if !(1..=9999).contains(&max_hp) || !(1..=max_hp).contains(&hp) {
            return Err(Rejection::new("BAD_NUMBER", "HP go from 1 to max HP, max HP from 1 to 9999"));
        }
        let deck = self.deck_of(fight, character)?;
        let relics = match &fight.relics {
            Some(names) => self.relics_of(names)?,
            None => {
                let own = |&id: &Id| OwnedRelic { id, counter: self.catalog.relics[id as usize].start };
                info.relics.iter().map(own).collect()
            }
        };
        let mut potions = self.potions_of(&fight.potions)?;
        potions.resize(potions.len().max(3), NONE);
        Ok(Run {
            seed,
            character,
            ascension: fight.ascension,
            act: fight.act.unwrap_or(1),
            floor: fight.floor.unwrap_or(1),
            hp,
            max_hp,
            gold: fight.gold.unwrap_or(info.gold),
            energy: info.energy as i16,
            draw: info.draw as i16,
            orb_slots: info.orb_slots as u8,
            potion_slots: potions.len() as u8,
            strength: 0,
            deck,
            relics,
            potions,
            dice: self.fight_dice(seed, fight.floor.unwrap_or(1)),
        })
    }

    /// The dice of a fight that is no part of a run.
    fn fight_dice(&self, seed: u64, floor: u8) -> Option<FightDice> {
        (!self.profile.own_dice).then(|| FightDice::on_floor(seed, floor))
    }

    /// Relics by name, `pen_nib=9` with its counter.
    fn relics_of(&self, names: &[String]) -> Result<Vec<OwnedRelic>, Rejection> {
        let one = |text: &String| {
            let (name, counter) = text.split_once('=').unwrap_or((text, ""));
            let id = self.named("relic", name.trim())?;
            let counter = counter.trim().parse().unwrap_or(self.catalog.relics[id as usize].start);
            Ok(OwnedRelic { id, counter })
        };
        self.joined("relic", names).iter().map(one).collect()
    }

    fn potions_of(&self, names: &[String]) -> Result<Vec<Id>, Rejection> {
        self.joined("potion", names).iter().map(|name| self.named("potion", name)).collect()
    }

    /// Changes a run to what was wished for.
    ///
    /// # Errors
    /// Unknown names, impossible numbers.
    pub fn equip(&self, run: &mut Run, wished: &Fight) -> Result<(), Rejection> {
        if wished.deck.is_some() {
            run.deck = self.deck_of(wished, run.character)?;
        }
        if let Some(names) = &wished.relics {
            run.relics = self.relics_of(names)?;
        }
        if !wished.potions.is_empty() {
            let potions = self.potions_of(&wished.potions)?;
            run.potions.resize(run.potions.len().max(potions.len()), NONE);
            run.potions[..potions.len()].copy_from_slice(&potions);
            run.potion_slots = run.potions.len() as u8;
        }
        run.max_hp = wished.max_hp.unwrap_or(run.max_hp).max(wished.hp.unwrap_or(1));
        run.hp = wished.hp.unwrap_or(run.hp.min(run.max_hp));
        run.gold = wished.gold.unwrap_or(run.gold);
        if !(1..=9999).contains(&run.max_hp) || !(1..=run.max_hp).contains(&run.hp) || run.gold < 0 {
            return Err(Rejection::new(
                "BAD_NUMBER",
                "HP go from 1 to max HP, max HP from 1 to 9999, gold from 0",
            ));
        }
        Ok(())
    }

    fn deck_of(&self, fight: &Fight, character: Id) -> Result<Vec<DeckCard>, Rejection> {
        let card = |id, up| DeckCard { id, up, bottled: false, grown: 0 };
        let Some(names) = &fight.deck else {
            let deck = &self.catalog.characters[character as usize].deck;
            return Ok(deck.iter().flat_map(|&(id, count)| (0..count).map(move |_| card(id, 0))).collect());
        };
        let mut deck = Vec::new();
        for text in &self.joined("card", names) {
            let (name, count) = match text.split_once('*') {
                Some((name, count)) => (name, count.parse::<usize>().ok().filter(|n| (1..=99).contains(n))),
                None => (text.as_str(), Some(1)),
            };
            let Some(count) = count else {
                return Err(Rejection::new(
                    "BAD_NUMBER",
                    format!("`{text}`: write strike*5 for five of them"),
                ));
            };
            let (id, up) = self.named_card_of(name.trim(), Some(character))?;
            deck.extend(std::iter::repeat_n(card(id, up), count));
        }
        Ok(deck)
    }

    fn prepare_fight(&self, run: Run, fight: &Fight) -> Result<State, Rejection> {
        let mut state = State { run, ..State::default() };
        let (encounter, rank, kinds) = match &fight.encounter {
            Some(name) => {
                let id = self.named("encounter", name)?;
                (id, self.catalog.encounters[id as usize].rank, None)
            }
            None => {
                let names = self.joined("monster", &fight.monsters);
                let kinds = names.iter().map(|name| self.named("monster", name));
                (NONE, Rank::Normal, Some(kinds.collect::<Result<Vec<Id>, _>>()?))
            }
        };
        if kinds.as_ref().is_some_and(|kinds| kinds.is_empty() || kinds.len() > 20) {
            return Err(Rejection::new("NO_ENEMIES", NO_ENEMIES));
        }
        self.enter_fight(&mut state, encounter, rank, kinds);
        Ok(state)
    }

    /// Prepares a fight in a state: deck copied and shuffled, monsters there, everything else as at rest.
    pub(crate) fn enter_fight(&self, s: &mut State, encounter: Id, rank: Rank, kinds: Option<Vec<Id>>) {
        let (line_up, dice) = self.rolled_line_up(s.clone(), encounter, rank, kinds);
        s.run.dice = dice;
        self.take_the_field(s, encounter, rank, &line_up);
    }

    /// Rolls how a fight will stand, on a copy of the state: the line-up, and the dice as they lie then.
    pub(crate) fn rolled_line_up(
        &self,
        mut then: State,
        encounter: Id,
        rank: Rank,
        kinds: Option<Vec<Id>>,
    ) -> (LineUp, Option<FightDice>) {
        self.clear_the_field(&mut then, encounter, rank);
        match kinds {
            Some(kinds) => kinds.into_iter().for_each(|kind| {
                let body = self.made(&mut then, kind);
                then.combat.add_body(body);
            }),
            None => self.roll_encounter(&mut then, encounter),
        }
        for who in 1..then.combat.bodies.len() {
            let mut body = then.combat.bodies[who].clone();
            let mut roller = Roller::new(&then);
            self.roll_late(&then, &mut body, &mut roller);
            let rolls = roller.drawn();
            then.combat.bodies[who] = body;
            then.spend(rolls);
        }
        let draw = self.shuffled_deck(&mut then);
        let monsters = then.combat.bodies.iter().skip(1).map(Newcomer::of).collect();
        (LineUp { monsters, draw, rolls: then.combat.rolls }, then.run.dice)
    }

    /// Writes how a fight stands before it begins; whatever was rolled for it is in the line-up.
    pub(crate) fn take_the_field(&self, s: &mut State, encounter: Id, rank: Rank, line_up: &LineUp) {
        self.clear_the_field(s, encounter, rank);
        s.combat.rolls = line_up.rolls;
        for newcomer in &line_up.monsters {
            let mut body = newcomer.body();
            self.refresh_body(&mut body);
            s.combat.add_body(body);
        }
        self.lay_out(s);
        self.pile_up(s, &line_up.draw);
        self.refresh_relics(s);
        let slots = i32::from(s.run.orb_slots);
        let (slots, _) = self.altered_number(s, AlterStage::OrbSlots, PLAYER, slots, About::default());
        s.combat.orb_slots = slots.clamp(0, 10) as u8;
    }

    /// Nobody is there yet but the player.
    fn clear_the_field(&self, s: &mut State, encounter: Id, rank: Rank) {
        s.combat.begin_anew(Combat {
            stage: Stage::Ready,
            rank: rank as u8,
            encounter,
            stance: self.known.neutral,
            energy_max: s.run.energy,
            rolls: s.combat.rolls,
            potion: NONE,
            ..Combat::default()
        });
        s.combat.counts.previous = u8::MAX;
        s.combat.counts.current = u8::MAX;
        let mut player = Body::new(NONE, s.run.hp);
        player.max_hp = s.run.max_hp;
        s.combat.add_body(player);
    }

    /// A monster is made: what it rolls for itself is spent, whether it then comes or not.
    fn made(&self, s: &mut State, kind: Id) -> Body {
        let mut roller = Roller::new(s);
        let body = self.new_monster(s, kind, 0, false, &mut roller);
        let rolls = roller.drawn();
        s.spend(rolls);
        body
    }

    /// One of several. Of two it is the toss of a coin: heads is the first.
    fn rolled(s: &mut State, count: usize, coin: bool) -> usize {
        let mut roller = Roller::new(s);
        let index = match (count, roller.original()) {
            (0 | 1, _) => 0,
            (2, true) if coin => usize::from(!roller.coin(Die::Misc)),
            (count, _) => roller.index(Die::Misc, count),
        };
        let rolls = roller.drawn();
        s.spend(rolls);
        index
    }

    /// The line-up of an encounter.
    fn roll_encounter(&self, s: &mut State, encounter: Id) {
        let info = &self.catalog.encounters[encounter as usize];
        let group = Self::rolled(s, info.groups.len(), true);
        let Some((_, slots)) = info.groups.get(group) else { return };
        if info.shuffle {
            return self.roll_shuffled(s, slots);
        }
        for slot in slots {
            if !slot.made.is_empty() {
                self.roll_made(s, &slot.made);
                continue;
            }
            let weights = slot.any.iter();
            let mut bag: Vec<Id> =
                weights.flat_map(|&(id, weight)| std::iter::repeat_n(id, weight as usize)).collect();
            let one = bag.len() == 1;
            for _ in 0..slot.count {
                if bag.is_empty() {
                    break;
                }
                let index = if one { 0 } else { Self::rolled_of(s, &bag, slot.distinct) };
                let kind = if slot.distinct { bag.remove(index) } else { bag[index] };
                let body = self.made(s, kind);
                s.combat.add_body(body);
            }
        }
    }

    /// One of a bag; what is taken out of it is drawn for even when it is the last.
    fn rolled_of(s: &mut State, bag: &[Id], distinct: bool) -> usize {
        if !distinct {
            return Self::rolled(s, bag.len(), true);
        }
        let mut roller = Roller::new(s);
        let index = roller.index(Die::Misc, bag.len());
        let rolls = roller.drawn();
        s.spend(rolls);
        index
    }

    /// All are made, one of them comes.
    fn roll_made(&self, s: &mut State, made: &[Vec<Id>]) {
        let mut bodies = Vec::new();
        for kinds in made.iter().filter(|kinds| !kinds.is_empty()) {
            let kind = kinds[Self::rolled(s, kinds.len(), true)];
            bodies.push(self.made(s, kind));
        }
        if !bodies.is_empty() {
            let index = Self::rolled(s, bodies.len(), false);
            let body = bodies.swap_remove(index);
            s.combat.add_body(body);
        }
    }

    /// The line-up as it is written, in any order.
    fn roll_shuffled(&self, s: &mut State, slots: &[SlotInfo]) {
        let one = |slot: &SlotInfo| slot.any.first().map(|&(id, _)| id);
        let mut kinds: Vec<Id> = slots
            .iter()
            .filter_map(|slot| Some(std::iter::repeat_n(one(slot)?, slot.count.max(0) as usize)))
            .flatten()
            .collect();
        let mut roller = Roller::new(s);
        roller.shuffle(&mut kinds);
        let rolls = roller.drawn();
        s.spend(rolls);
        for kind in kinds {
            let body = self.made(s, kind);
            s.combat.add_body(body);
        }
    }

    /// The cards of the deck become those of the fight, each at the place that it has in the deck.
    fn lay_out(&self, s: &mut State) {
        for held in &s.run.deck {
            let mut card = Card::new(held.id, held.up);
            card.pile = Pile::Draw;
            card.grown = held.grown;
            if held.bottled {
                card.flags |= card_flag::BOTTLED;
            }
            s.combat.cards.push(card);
        }
    }

    /// The order in which the deck becomes the draw pile: shuffled, innate and bottled cards on top.
    fn shuffled_deck(&self, s: &mut State) -> Vec<Slot> {
        self.lay_out(s);
        let mut pile: Vec<Slot> = (0..s.combat.cards.len() as Slot).collect();
        let mut roller = Roller::new(s);
        roller.shuffle(&mut pile);
        let rolls = roller.drawn();
        s.spend(rolls);
        pile.sort_by_key(|&slot| self.innate(s, slot));
        pile
    }

    /// The cards lie in the draw pile in this order.
    fn pile_up(&self, s: &mut State, pile: &[Slot]) {
        if self.profile.cards_in_one_list {
            // One list of all cards, the top of the draw pile first.
            s.combat.order = vec![0; pile.len()];
            for (index, &slot) in pile.iter().rev().enumerate() {
                s.combat.order[slot as usize] = index as i32;
            }
        }
        s.combat.draw.extend_from_slice(pile);
        self.refresh_cards(s);
    }

    /// Recomputes what cards listen to.
    pub fn refresh_cards(&self, s: &mut State) {
        (s.combat.card_moments, s.combat.card_stages) = (0, 0);
        s.combat.hints.marks = Marks::NONE;
        for card in &s.combat.cards {
            s.combat.hints.marks = s.combat.hints.marks.or(self.catalog.brief(card).marks);
            let ears = &self.catalog.cards[card.id as usize].forms[card.form()].ears;
            s.combat.card_moments |= ears.moments;
            s.combat.card_stages |= ears.stages;
        }
        s.combat.hints.repriced = s.combat.cards.iter().any(|card| card.turn_cost != NO_COST);
        self.refresh_union(s);
    }

    /// Recomputes what relics listen to.
    pub fn refresh_relics(&self, s: &mut State) {
        let combat = &mut s.combat;
        (combat.relic_moments, combat.relic_stages, combat.relic_stops, combat.relic_flags) = (0, 0, 0, 0);
        for relic in &s.run.relics {
            let ears = &self.catalog.relics[relic.id as usize].ears;
            combat.relic_moments |= ears.moments;
            combat.relic_stages |= ears.stages;
            combat.relic_stops |= ears.stops;
            combat.relic_flags |= ears.flags;
        }
        self.refresh_relic_hints(s);
        self.refresh_union(s);
    }

    /// Takes down which relics hear which moment, and which of them count or may act when a card is played.
    fn refresh_relic_hints(&self, s: &mut State) {
        let hints = &mut s.combat.hints;
        (hints.relics, hints.counting, hints.acting) = ([0; HEARD], [0; KINDS], [0; KINDS]);
        (hints.counting_turns, hints.resetting) = (0, 0);
        for (place, relic) in s.run.relics.iter().enumerate() {
            let bit = place_bit(place);
            // Only those that it hears: a relic hears one or two of them.
            let mut moments = self.catalog.relic_moments[relic.id as usize] & HEARD_IN_FIGHTS;
            while moments != 0 {
                hints.relics[moments.trailing_zeros() as usize] |= bit;
                moments &= moments - 1;
            }
            let tally = &self.catalog.tallies[relic.id as usize];
            let RelicInfo { ears, resets: (each_turn, _), .. } = &self.catalog.relics[relic.id as usize];
            hints.resetting |= if *each_turn { bit } else { 0 };
            hints.counting_turns |= if tally.counts_turns() { bit } else { 0 };
            for kind in 0..KINDS {
                let (counts, acts) = (tally.counts_used(kind), tally.leaves_to_act(ears, kind));
                hints.counting[kind] |= if counts { bit } else { 0 };
                hints.acting[kind] |= if acts { bit } else { 0 };
            }
        }
    }

    /// Whether a state from outside is possible at all.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn validate_state(&self, s: &State) -> Result<(), Rejection> {
        let bad = |text: &str| Err(Rejection::new("BAD_STATE", text));
        let combat = &s.combat;
        let catalog = &self.catalog;
        let known = |id: Id, count: usize| (id as usize) < count;
        if combat.stage != Stage::None && combat.bodies.is_empty() {
            return bad("a fight needs the player's body");
        }
        if !combat.cards.iter().all(|card| known(card.id, catalog.cards.len()))
            || !s.run.deck.iter().all(|card| known(card.id, catalog.cards.len()))
        {
            return bad("a card is of no known kind");
        }
        if !s.run.relics.iter().all(|relic| known(relic.id, catalog.relics.len())) || s.run.relics.len() > 255
        {
            return bad("a relic is of no known kind");
        }
        if !s.run.potions.iter().all(|&id| id == NONE || known(id, catalog.potions.len())) {
            return bad("a potion is of no known kind");
        }
        if !known(combat.stance, catalog.stances.len())
            || !combat.orbs.iter().all(|orb| known(orb.id, catalog.orbs.len()))
        {
            return bad("a stance or orb is of no known kind");
        }
        let bodies = combat.bodies.iter().enumerate().all(|(index, body)| {
            (index == 0 || known(body.kind, catalog.monsters.len()))
                && body.powers.iter().all(|power| known(power.id, catalog.powers.len()))
                && body.hp <= body.max_hp
        });
        if !bodies || combat.bodies.len() > MOST_BODIES {
            return bad("a body is impossible");
        }
        self.validate_piles(s)?;
        self.validate_lists(s)?;
        validate_numbers(s)?;
        if s.is_single_fight() { Ok(()) } else { self.journey().validate(s) }
    }

    /// Whether what is noted beside bodies and cards names some that there are.
    fn validate_lists(&self, s: &State) -> Result<(), Rejection> {
        let (combat, catalog) = (&s.combat, &self.catalog);
        let bad = |text: &str| Err(Rejection::new("BAD_STATE", text));
        let mut standing = combat.board.clone();
        standing.sort_unstable();
        standing.dedup();
        let there = |who: &u8| (1..combat.bodies.len()).contains(&usize::from(*who));
        if standing.len() != combat.board.len() || !standing.iter().all(there) {
            return bad("who stands where is impossible");
        }
        let taken = combat.taken.iter().map(|taken| &taken.slot);
        let mut named = [&combat.chosen, &combat.drawn, &combat.picks].into_iter().flatten().chain(taken);
        let ordered = combat.order.is_empty() || combat.order.len() == combat.cards.len();
        if !ordered || !named.all(|slot| usize::from(*slot) < combat.cards.len()) {
            return bad("a card is named that is not there");
        }
        let held = |body: &Body| body.held == NO_CARD || usize::from(body.held) < combat.cards.len();
        if !combat.bodies.iter().all(held) {
            return bad("a body holds a card that is not there");
        }
        let known = |id: Id, count: usize| usize::from(id) < count;
        if !combat.offer.iter().all(|(id, _)| known(*id, catalog.cards.len()))
            || !combat.last_orb.iter().all(|orb| known(orb.id, catalog.orbs.len()))
            || combat.potion != NONE && !known(combat.potion, catalog.potions.len())
            || !known(s.run.character, catalog.characters.len())
        {
            return bad("a card on offer, an orb, a potion or the character is of no known kind");
        }
        Ok(())
    }

    fn validate_piles(&self, s: &State) -> Result<(), Rejection> {
        let combat = &s.combat;
        for pile in [Pile::Draw, Pile::Hand, Pile::Discard, Pile::Exhaust, Pile::Limbo] {
            let listed = combat.pile(pile);
            let there = combat.cards.iter().filter(|card| card.pile == pile).count();
            let sound = listed
                .iter()
                .all(|&slot| combat.cards.get(slot as usize).is_some_and(|card| card.pile == pile));
            if !sound || listed.len() != there {
                return Err(Rejection::new("BAD_STATE", "the piles and the cards contradict each other"));
            }
        }
        if combat.hand.len() > crate::state::HAND {
            return Err(Rejection::new("BAD_STATE", "a hand holds ten cards"));
        }
        Ok(())
    }
}

/// The largest number that a fight counts to; what it makes of one more still fits.
const MOST: i16 = 30_000;

/// Whether nothing was counted so far that counting on would not fit.
fn validate_numbers(s: &State) -> Result<(), Rejection> {
    let (run, combat) = (&s.run, &s.combat);
    let sound = |number: i16| (-MOST..=MOST).contains(&number);
    let body = |body: &Body| {
        let own = [body.hp, body.max_hp, body.block, body.stolen].into_iter().chain(body.vars);
        let powers = body.powers.iter().flat_map(|power| [power.n, power.stored]);
        own.chain(powers).all(sound)
    };
    let counts = &combat.counts;
    let counted = [counts.turn, counts.powers_played, counts.times_hurt, counts.mantra, counts.attack_count];
    let whole = [run.hp, run.max_hp, run.energy, run.draw, run.strength, combat.energy, combat.energy_max]
        .into_iter()
        .chain([combat.handled, combat.dealt, combat.handled_cost])
        .chain(run.relics.iter().map(|relic| relic.counter))
        .chain(run.deck.iter().map(|card| card.grown))
        .chain(combat.cards.iter().flat_map(|card| [card.grown, card.kept]))
        .chain(combat.orbs.iter().chain(&combat.last_orb).map(|orb| orb.stored));
    let fits = whole.into_iter().all(sound)
        && counted.iter().all(|count| *count <= MOST as u16)
        && combat.bodies.iter().all(body)
        && (-1_000_000_000..=1_000_000_000).contains(&run.gold);
    if fits { Ok(()) } else { Err(Rejection::new("BAD_STATE", "a number is larger than any fight makes it")) }
}

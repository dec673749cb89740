//! Situations in a short text: any moment of a fight, for tests, bug reports and trying things out. The manual of the
//! content has the whole grammar.
//!
//! ```text
//! hp 60/80 block 5 energy 3 turn 2; strength 2, vulnerable 1
//! hand: strike_ironclad, bash+; draw: defend_ironclad*3; discard: anger
//! relics: vajra; potions: fire_potion; stance: wrath; orbs: lightning, dark=12
//! enemy: jaw_worm 30/44 block 6 intends bellow; ritual 3
//! enemy: cultist
//! as: ironclad
//! deck: strike_ironclad*5; cards_played 2 times_hurt 1
//! ```
//!
//! Parts are separated by `;` or line ends and may stand in any order, but powers follow whom they belong to.
//! Whatever is left out is as at the start of the second turn of the Ironclad, or of whom `as:` names, without relics.
//! Monsters have what they start with, unless powers are named for them. Names are those shown or the ids.

use crate::catalog::compile::{MoveInfo, Op, Program};
use crate::catalog::words::Who;
use crate::dice::Roller;
use crate::eval::Env;
use crate::game::Spire;
use crate::setup::{Fight, Setup};
use crate::state::{Card, DeckCard, NO_COST, NONE, Orb, OwnedRelic, Pile, Stage, State};
use turnstone::Rejection;

/// The lists of a situation.
const LISTS: &[&str] =
    &["as", "hand", "draw", "discard", "exhaust", "deck", "enemy", "relics", "potions", "stance", "orbs"];

/// The words that take a number; any other is a power.
const NUMBERS: &[&str] = &[
    "hp",
    "block",
    "energy",
    "turn",
    "gold",
    "ascension",
    "act",
    "floor",
    "cards_played",
    "attacks_played",
    "skills_played",
    "powers_played",
    "discarded",
    "times_hurt",
    "mantra_gained",
];

fn bad(part: &str, why: &str) -> Rejection {
    Rejection::new("BAD_SITUATION", format!("`{part}`: {why}"))
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '\n']).map(str::trim).filter(|part| !part.is_empty())
}

/// Whom a situation is about, if it says so.
pub(crate) fn who(text: &str) -> Option<&str> {
    parts(text).find_map(|part| part.strip_prefix("as:")).map(str::trim)
}

impl Spire {
    /// Reads a situation.
    ///
    /// # Errors
    /// The part that makes no sense, and what would.
    pub fn situation(&self, text: &str) -> Result<Setup, Rejection> {
        self.situated(text).map(Setup::at)
    }

    /// The position that a situation describes.
    pub(crate) fn situated(&self, text: &str) -> Result<State, Rejection> {
        let fight = Fight {
            character: who(text).unwrap_or_default().into(),
            monsters: vec![self.catalog.monsters.first().map(|info| info.id.clone()).unwrap_or_default()],
            deck: Some(Vec::new()),
            relics: Some(Vec::new()),
            ..Fight::default()
        };
        let mut s = self.set_up(&fight, 1)?;
        s.combat.clear_board();
        s.combat.stage = Stage::Player;
        s.combat.counts.turn = 2;
        s.combat.energy = s.run.energy;
        let mut owner = 0;
        let mut named = Vec::new();
        for part in parts(text) {
            let before = s.combat.bodies.get(owner).map_or(0, |body| body.powers.len());
            self.read_part(&mut s, part, &mut owner)?;
            if s.combat.bodies.get(owner).is_some_and(|body| body.powers.len() > before) {
                named.push(owner);
            }
        }
        for who in (1..s.combat.bodies.len()).filter(|who| !named.contains(who)) {
            let start = self.catalog.monsters[s.combat.bodies[who].kind as usize].start;
            self.start_with(&mut s, start, who as u8);
        }
        if s.combat.bodies.len() < 2 {
            return Err(bad(text, "name at least one enemy: `enemy: cultist`"));
        }
        s.run.hp = s.combat.bodies[0].hp;
        s.run.max_hp = s.combat.bodies[0].max_hp;
        // The dice are those of whoever opens it.
        s.run.seed = 0;
        self.settle_intents(&mut s);
        self.refresh_cards(&mut s);
        self.refresh_relics(&mut s);
        self.validate_state(&s)?;
        Ok(s)
    }

    /// The powers of a monster's start; its block is what the situation says.
    fn start_with(&self, s: &mut State, program: Program, who: u8) {
        for op in self.catalog.program(program).to_vec() {
            let ctx = self.monster_ctx(who);
            match op {
                Op::Apply { power, amount, to: Who::Me, store, .. } => {
                    let env = Env::new(s, ctx);
                    let (amount, stored) = (self.short(amount, &env), self.short(store, &env));
                    self.apply_power(s, who, who, power, amount, stored);
                }
                Op::If { condition, then, otherwise } => {
                    let holds = self.eval(condition, &Env::new(s, ctx)) != 0;
                    self.start_with(s, if holds { then } else { otherwise }, who);
                }
                // What else happens at a start was over before.
                _ => {}
            }
        }
    }

    /// Monsters without an intent choose one.
    fn settle_intents(&self, s: &mut State) {
        for who in 1..s.combat.bodies.len() as u8 {
            self.refresh_body(&mut s.combat.bodies[who as usize]);
            if s.combat.bodies[who as usize].intent == 255
                && let turnstone::Settled::Event(event) = self.settle_choose(s, who)
            {
                self.write(s, &event);
            }
        }
        self.refresh_body(&mut s.combat.bodies[0]);
    }

    fn read_part(&self, s: &mut State, part: &str, owner: &mut usize) -> Result<(), Rejection> {
        match part.split_once(':').map(|(key, rest)| (key.trim(), rest.trim())) {
            // Read before everything else.
            Some(("as", _)) => Ok(()),
            Some(("hand", names)) => self.read_cards(s, names, Pile::Hand),
            Some(("draw", names)) => self.read_cards(s, names, Pile::Draw),
            Some(("discard", names)) => self.read_cards(s, names, Pile::Discard),
            Some(("exhaust", names)) => self.read_cards(s, names, Pile::Exhaust),
            Some(("deck", names)) => self.read_deck(s, names),
            Some(("enemy", text)) => {
                *owner = s.combat.bodies.len();
                self.read_enemy(s, text)
            }
            Some(("relics", names)) => {
                for name in items(names) {
                    let (name, counter) = name.split_once('=').unwrap_or((name, ""));
                    let id = self.named("relic", name)?;
                    let counter = counter.parse().unwrap_or(self.catalog.relics[id as usize].start);
                    s.run.relics.push(OwnedRelic { id, counter });
                }
                Ok(())
            }
            Some(("potions", names)) => {
                for name in items(names) {
                    let id = self.named("potion", name)?;
                    match s.run.potions.iter_mut().find(|slot| **slot == NONE) {
                        Some(slot) => *slot = id,
                        None => s.run.potions.push(id),
                    }
                }
                Ok(())
            }
            Some(("stance", name)) => {
                s.combat.stance = self.named("stance", name)?;
                Ok(())
            }
            Some(("orbs", names)) => {
                s.combat.orb_slots = s.combat.orb_slots.max(3);
                for name in items(names) {
                    let (name, stored) = name.split_once('=').unwrap_or((name, ""));
                    let id = self.named("orb", name)?;
                    let stored = stored.parse().unwrap_or(self.catalog.orbs[id as usize].stored);
                    s.combat.orbs.push(Orb { id, stored });
                }
                s.combat.orb_slots = s.combat.orb_slots.max(s.combat.orbs.len() as u8);
                Ok(())
            }
            Some((key, _)) => {
                let near = turnstone_content::hint(key, LISTS.iter().copied());
                Err(bad(part, &format!("unknown list `{key}`{near}")))
            }
            None => self.read_words(s, part, *owner),
        }
    }

    /// A power; what is none may be a misspelt number.
    fn power_or_number(&self, word: &str) -> Result<u16, Rejection> {
        self.named("power", word).map_err(|_| {
            let powers: Vec<&str> = self.catalog.names("power").collect();
            let near = turnstone_content::hint(word, NUMBERS.iter().copied().chain(powers));
            Rejection::new("UNKNOWN_NAME", format!("there is no number and no power `{word}`{near}"))
        })
    }

    fn read_cards(&self, s: &mut State, names: &str, pile: Pile) -> Result<(), Rejection> {
        for name in items(names) {
            let (name, count) = match name.split_once('*') {
                Some((name, count)) => {
                    (name.trim(), count.parse::<usize>().map_err(|_| bad(name, "how many?"))?)
                }
                None => (name, 1),
            };
            let (id, up) = self.named_card_of(name, Some(s.run.character))?;
            for _ in 0..count.min(200) {
                let slot = s.combat.cards.len() as u16;
                s.combat.cards.push(Card { turn_cost: NO_COST, ..Card::new(id, up) });
                s.combat.place(slot, pile);
            }
        }
        if pile == Pile::Draw {
            // Written top first.
            s.combat.draw.reverse();
        }
        Ok(())
    }

    /// The master deck.
    fn read_deck(&self, s: &mut State, names: &str) -> Result<(), Rejection> {
        for name in items(names) {
            let (name, count) = match name.split_once('*') {
                Some((name, count)) => {
                    (name.trim(), count.trim().parse::<usize>().map_err(|_| bad(name, "how many?"))?)
                }
                None => (name, 1),
            };
            let (id, up) = self.named_card_of(name, Some(s.run.character))?;
            let card = DeckCard { id, up, bottled: false, grown: 0 };
            s.run.deck.extend(std::iter::repeat_n(card, count.min(200)));
        }
        Ok(())
    }

    fn read_enemy(&self, s: &mut State, text: &str) -> Result<(), Rejection> {
        let words: Vec<&str> = text.split_whitespace().collect();
        // A name may have several words; what follows it begins with a number or one of two words.
        let plain = |word: &&str| {
            !matches!(*word, "block" | "intends") && !word.starts_with(|c: char| c.is_ascii_digit())
        };
        let length = words.iter().take_while(|word| plain(word)).count();
        let kind = self.named("monster", &words[..length].join(" "))?;
        let mut body = self.new_monster(s, kind, 0, false, &mut Roller::new(s));
        let rest: Vec<&str> = words[length..].to_vec();
        let mut at = 0;
        while at < rest.len() {
            match (rest[at], rest.get(at + 1)) {
                ("block", Some(number)) => {
                    body.block = number.parse().map_err(|_| bad(text, "block needs a number"))?;
                    at += 2;
                }
                ("intends", Some(name)) => {
                    let moves = &self.catalog.monsters[kind as usize].moves;
                    let called = |made: &MoveInfo| made.name.eq_ignore_ascii_case(name);
                    let shown = || moves.iter().position(called).map(|index| index as u8);
                    let known = self.move_named(kind, name).or_else(shown);
                    let near = || turnstone_content::hint(name, moves.iter().map(|made| made.id.as_str()));
                    let refusal = || bad(text, &format!("it has no move `{name}`{}", near()));
                    body.intent = known.ok_or_else(refusal)?;
                    at += 2;
                }
                (hp, _) => {
                    (body.hp, body.max_hp) = health(hp).ok_or_else(|| bad(text, "HP are written 30/44"))?;
                    at += 1;
                }
            }
        }
        s.combat.add_body(body);
        Ok(())
    }

    /// Numbers of the player, or powers of whom was named last.
    fn read_words(&self, s: &mut State, part: &str, owner: usize) -> Result<(), Rejection> {
        for item in items(part) {
            let words: Vec<&str> = item.split_whitespace().collect();
            for pair in words.chunks(2) {
                let [key, value] = pair else {
                    return Err(bad(item, "a word and a number, such as `energy 3`"));
                };
                if *key == "hp" {
                    let body = &mut s.combat.bodies[0];
                    (body.hp, body.max_hp) =
                        health(value).ok_or_else(|| bad(item, "HP are written 60/80"))?;
                    continue;
                }
                let number: i16 =
                    value.parse().map_err(|_| bad(item, "a word and a number, such as `energy 3`"))?;
                match *key {
                    "block" => s.combat.bodies[owner].block = number,
                    "energy" => s.combat.energy = number,
                    "turn" => s.combat.counts.turn = number.max(1) as u16,
                    "gold" => s.run.gold = i32::from(number),
                    "ascension" => {
                        s.run.ascension = number.clamp(0, i16::from(self.rulebook.tables.top())) as u8;
                    }
                    "act" => s.run.act = number.clamp(1, 4) as u8,
                    "floor" => s.run.floor = number.clamp(0, 99) as u8,
                    "cards_played" => s.combat.counts.cards_played = number.clamp(0, 200) as u8,
                    "attacks_played" => s.combat.counts.attacks_played = number.clamp(0, 200) as u8,
                    "skills_played" => s.combat.counts.skills_played = number.clamp(0, 200) as u8,
                    "powers_played" => s.combat.counts.powers_played = number.clamp(0, 9999) as u16,
                    "discarded" => s.combat.counts.discarded = number.clamp(0, 200) as u8,
                    "times_hurt" => s.combat.counts.times_hurt = number.clamp(0, 9999) as u16,
                    "mantra_gained" => s.combat.counts.mantra = number.clamp(0, 9999) as u16,
                    power => {
                        let id = self.power_or_number(power)?;
                        self.apply_power(s, owner as u8, owner as u8, id, number, 0);
                    }
                }
            }
        }
        Ok(())
    }
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty())
}

fn health(text: &str) -> Option<(i16, i16)> {
    let (hp, max) = text.split_once('/').unwrap_or((text, text));
    let (hp, max): (i16, i16) = (hp.parse().ok()?, max.parse().ok()?);
    (0 < hp && hp <= max).then_some((hp, max))
}

#[cfg(test)]
mod tests {
    use crate::action::{Action, Deed};
    use crate::game::{Ruleset, Spire};
    use std::sync::Arc;
    use turnstone::{Input, Match};

    fn open(text: &str) -> Match<Spire> {
        let spire = Arc::new(Spire::builtin(Ruleset::Classic).unwrap());
        let setup = spire.situation(text).unwrap();
        Match::new(spire, setup, 1).unwrap()
    }

    /// Every number of the log explains itself.
    #[test]
    fn a_hit_tells_how_its_number_came_about() {
        let mut game = open("strength 2; hand: strike_ironclad; enemy: cultist 40/50 block 5; vulnerable 1");
        game.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: Some(1) }))).unwrap();
        let told = game.explain(game.here()).to_string();
        let wanted = "the Ironclad hits Cultist for 6 +2 Strength +4 Vulnerable = 12, 5 blocked, 7 lost";
        assert!(told.contains(wanted), "{told}");
    }

    /// Read from the state afterwards it would have been told without Vigor, which was used up, and with one Strength.
    #[test]
    fn a_hit_is_told_by_what_was_true_when_it_fell() {
        let mut game = open("strength 3; vigor 8; hand: heavy_blade; enemy: cultist 50/50; vulnerable 1");
        game.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: Some(1) }))).unwrap();
        let told = game.explain(game.here()).to_string();
        assert!(told.contains("for 14 +9 Strength +8 Vigor +15 Vulnerable = 46"), "{told}");
    }

    #[test]
    fn mistakes_are_named() {
        let spire = Spire::builtin(Ruleset::Classic).unwrap();
        let error = spire.situation("hand: strke_ironclad; enemy: cultist").unwrap_err();
        assert_eq!(
            error.to_string(),
            "[UNKNOWN_NAME] there is no card `strke_ironclad`; did you mean `strike_ironclad`?"
        );
        assert_eq!(spire.situation("hand: bash").unwrap_err().code(), "BAD_SITUATION");
        let error = spire.situation("enemy: jaw_worm 40/44 intends belllow").unwrap_err().to_string();
        let number = spire.situation("enrgy 3; enemy: cultist").unwrap_err().to_string();
        assert!(number.ends_with("`enrgy`; did you mean `energy`?"), "{number}");
        assert!(error.ends_with("it has no move `belllow`; did you mean `bellow`?"), "{error}");
    }

    /// What the manual shows can be opened as it stands there.
    #[test]
    fn the_situations_of_the_manual_open() {
        let manual = include_str!("../content/README.md");
        let chapter = manual.split("## Situations").nth(1).and_then(|rest| rest.split("\n## ").next());
        let chapter = chapter.expect("a chapter about situations");
        let examples: Vec<&str> =
            chapter.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        assert!(examples.len() > 3, "{chapter}");
        for example in &examples {
            open(example);
        }
        // Every word that is read is told.
        for word in super::LISTS.iter().chain(super::NUMBERS) {
            assert!(chapter.contains(&format!("`{word}")), "{word}");
        }
    }
}

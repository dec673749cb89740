//! Small stories, at least one for every relic, potion, power and monster: a fight is set up, a few actions are
//! taken, and what happened is told. `BLESS=1 cargo test -p turnstone-spire --test all stories` writes a new telling
//! down; it is reviewed as a difference.
//!
//! A story is a paragraph of `tests/stories/*.txt`. Its first line names what it is about, the next ones set the
//! fight up (`as`, `asc`, `vs`, `meet`, `deck`, `relics`, `potions`, `hp`, `gold`), the rest is played (`play`,
//! `drink`, `end`, and `foe …`, `me …`, `energy` to bend the state).

use crate::told::bless;
use std::collections::BTreeSet;
use std::path::Path;
use turnstone::{DetourOf, EntryOf, Game, Input, LiveOf, Mark, NoteOf, Position, Recorder, Resolver, Told};
use turnstone_spire::state::{PLAYER, Power, Stage, State};
use turnstone_spire::{Action, Answer, Deed, Event, Fight, Reply, Ruleset, Setup, Spire};

/// Words that set a fight up; the others are played.
const SETUP: &[&str] =
    &["as", "asc", "vs", "meet", "deck", "relics", "potions", "hp", "gold", "seed", "counter"];

/// Tells every event with the state right after it.
struct Teller<'a> {
    spire: &'a Spire,
    untold: &'a [&'a str],
    state: Option<State>,
    /// The event that was told last, and the reasons of its numbers, which come after it.
    last: Option<Event>,
    reasons: Vec<NoteOf<Spire>>,
    lines: Vec<String>,
}

impl Recorder<Spire> for Teller<'_> {
    const LOG: bool = true;
    const TRACE: bool = false;
    fn entry(&mut self, entry: EntryOf<Spire>) {
        self.reasons.clear();
        let told = |event: &Event| !self.untold.contains(&name_of(event).as_str());
        self.last = entry.fact.event().filter(|event| told(event)).cloned();
        let told = self.tell_last();
        self.lines.extend(told);
    }
    fn note(&mut self, note: NoteOf<Spire>) {
        self.reasons.push(note);
        if let Some(told) = self.tell_last() {
            self.lines.pop();
            self.lines.push(told);
        }
    }
    fn detour(&mut self, _detour: DetourOf<Spire>) {}
    fn witness(&mut self, live: &LiveOf<Spire>) {
        self.state = Some(live.state.clone());
    }
    fn mark(&self) -> Mark {
        Mark { entries: self.lines.len(), ..Mark::default() }
    }
    fn rollback(&mut self, mark: Mark) {
        self.lines.truncate(mark.entries);
    }
}

impl Teller<'_> {
    fn tell_last(&self) -> Option<String> {
        let reasons: Vec<_> = self.reasons.iter().collect();
        Some(self.spire.tell_event(self.state.as_ref()?, self.last.as_ref()?, &reasons))
    }
}

/// Events that only mark time; behind them those that say nothing about a monster.
const UNTOLD: &[&str] = &[
    "Began",
    "WornOff",
    "Moment",
    "MonstersStarted",
    "OfferClosed",
    "Offered",
    "PotionUsed",
    "Ran",
    "Selected",
    "Drew",
    "Shuffled",
    "HandKept",
    "TurnEnding",
    "VarSet",
];
/// How many of them are left out of all stories.
const UNTOLD_ALWAYS: usize = 9;

/// The name of the kind of event.
fn name_of(event: &Event) -> String {
    format!("{event:?}").chars().take_while(|c| c.is_alphanumeric()).collect()
}

struct Story<'a> {
    spire: &'a Spire,
    fight: Fight,
    seed: u64,
    /// The first relic's counter when the fight begins.
    counter: Option<i16>,
    untold: &'static [&'static str],
    state: Option<State>,
    told: Vec<String>,
}

impl Story<'_> {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let names = || words.iter().map(ToString::to_string).collect::<Vec<String>>();
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<i16>().ok()).unwrap_or(1);
        match verb {
            "as" => self.fight.character = rest.into(),
            "asc" => self.fight.ascension = number(0) as u8,
            "vs" => self.fight.monsters = names(),
            "meet" => self.fight.encounter = Some(rest.into()),
            "deck" => self.fight.deck = Some(names()),
            "relics" => self.fight.relics.get_or_insert_default().extend(names()),
            "potions" => self.fight.potions = names(),
            "hp" => self.fight.hp = Some(number(0)),
            "gold" => self.fight.gold = Some(i32::from(number(0))),
            "seed" => self.seed = number(0) as u64,
            "play" => return self.play(words[0], words.get(1).and_then(|word| word.parse().ok())),
            "drink" => {
                let target = words.first().and_then(|word| word.parse().ok());
                let needs = self.potion_aims();
                let target = if needs { Some(target.unwrap_or(self.first_foe())) } else { None };
                return self.act(Action::Potion { index: 0, target });
            }
            "end" => {
                for _ in 0..number(0) {
                    if self.begun()?.combat.stage == Stage::Player {
                        self.act(Action::EndTurn)?;
                    }
                }
            }
            "energy" => self.bend(|s| s.combat.energy = number(0))?,
            "counter" => self.counter = Some(number(0)),
            "me" | "foe" => return self.bend_body(verb, &words),
            other => return Err(format!("unknown word `{other}`")),
        }
        Ok(())
    }

    fn begun(&mut self) -> Result<&mut State, String> {
        if self.state.is_none() {
            if self.fight.monsters.is_empty() && self.fight.encounter.is_none() {
                self.fight.monsters = vec!["cultist".into()];
            }
            let setup = Setup::fight(self.fight.clone());
            let mut state = self.spire.start(&setup, self.seed).map_err(|refusal| refusal.to_string())?;
            if let Some(counter) = self.counter {
                state.run.relics[0].counter = counter;
            }
            self.state = Some(state);
            self.told.push("begin".into());
            self.act(Action::Begin)?;
        }
        self.state.as_mut().ok_or_else(|| "no state".into())
    }

    fn bend(&mut self, change: impl FnOnce(&mut State)) -> Result<(), String> {
        change(self.begun()?);
        Ok(())
    }

    /// `me hp 20`, `foe block 5`, `foe power flight 3`, `me power strength 2`.
    fn bend_body(&mut self, whom: &str, words: &[&str]) -> Result<(), String> {
        let spire = self.spire;
        let number = words.last().and_then(|word| word.parse::<i16>().ok()).unwrap_or(1);
        let power = if words[0] == "power" {
            Some(spire.named("power", words[1]).map_err(|refusal| refusal.to_string())?)
        } else {
            None
        };
        self.begun()?;
        let whom = if whom == "me" { PLAYER } else { self.first_foe() };
        let state = self.begun()?;
        match (words[0], power) {
            ("hp", _) => state.combat.bodies[whom as usize].hp = number,
            ("block", _) => state.combat.bodies[whom as usize].block = number,
            (_, Some(id)) => {
                let body = &mut state.combat.bodies[whom as usize];
                body.powers.retain(|held| held.id != id);
                body.powers.push(Power { id, n: number, stored: number, fresh: false });
                spire.refresh_body(body);
                spire.refresh_union(state);
            }
            _ => return Err(format!("cannot change `{}`", words[0])),
        }
        Ok(())
    }

    fn first_foe(&self) -> u8 {
        self.state.as_ref().and_then(|s| s.combat.enemies().next()).unwrap_or(1)
    }

    fn potion_aims(&mut self) -> bool {
        let spire = self.spire;
        self.begun()
            .is_ok_and(|s| spire.catalog.potions.get(s.run.potions[0] as usize).is_some_and(|p| p.aims))
    }

    fn play(&mut self, card: &str, target: Option<u8>) -> Result<(), String> {
        let spire = self.spire;
        let (id, up) = spire.named_card(card).map_err(|refusal| refusal.to_string())?;
        let state = self.begun()?;
        let held = |slot: &&u16| {
            let held = &state.combat.cards[**slot as usize];
            held.id == id && held.up == up
        };
        let Some(&card) = state.combat.hand.iter().find(held) else {
            return Err(format!("no {card} in the hand"));
        };
        let aims = spire.catalog.cards[id as usize].forms[usize::from(up > 0)].aims;
        let target = aims.then(|| target.unwrap_or(self.first_foe()));
        self.act(Action::Play { card, target })
    }

    fn act(&mut self, action: Action) -> Result<(), String> {
        let state = self.begun()?.clone();
        if action != Action::Begin {
            self.told.push(self.spire.tell_action(&state, &Deed::Fight(action)));
        }
        let mut position = Position::<Spire>::new(state);
        let mut resolver = Resolver::default();
        let mut teller = Teller {
            spire: self.spire,
            untold: self.untold,
            state: None,
            last: None,
            reasons: Vec::new(),
            lines: Vec::new(),
        };
        resolver
            .act(self.spire, &mut position, &Input::Act(Deed::Fight(action)), &mut teller)
            .map_err(|refusal| refusal.to_string())?;
        let mut asked = 0;
        while let Some(pending) = position.pending().cloned() {
            let mut answers = Vec::new();
            self.spire.answers(position.state(), &pending.question, &mut answers);
            let last = answers.iter().find(|answer| **answer == Reply::Fight(Answer::Done));
            let answer = if asked > 0 { last.or(answers.first()) } else { answers.first() };
            let Some(answer) = answer.copied() else { return Err("a question without answers".into()) };
            asked += 1;
            let input = Input::Choose(answer);
            resolver
                .act(self.spire, &mut position, &input, &mut teller)
                .map_err(|refusal| refusal.to_string())?;
        }
        self.told.extend(teller.lines.iter().map(|line| format!("  {line}")));
        self.state = Some(position.state().clone());
        Ok(())
    }

    fn end(&self) -> String {
        let Some(s) = &self.state else { return "nothing happened".into() };
        let body = |who: usize| {
            let body = &s.combat.bodies[who];
            let powers = body
                .powers
                .iter()
                .map(|held| format!(" {} {}", self.spire.catalog.powers[held.id as usize].id, held.n));
            let block = if body.block > 0 { format!(" block {}", body.block) } else { String::new() };
            format!("{}/{}{block}{}", body.hp, body.max_hp, powers.collect::<String>())
        };
        let foes: Vec<String> = (1..s.combat.bodies.len())
            .filter(|&who| s.combat.bodies[who].alive())
            .map(|who| format!("{} {}", self.spire.body_name(s, who as u8), body(who)))
            .collect();
        let stage =
            if s.combat.stage == Stage::Player { String::new() } else { format!(" [{:?}]", s.combat.stage) };
        format!("= {} energy {} | {}{stage}", body(0), s.combat.energy, foes.join(" | "))
    }
}

fn tell(spire: &Spire, about: &str, lines: &[&str]) -> String {
    let mut fight = Fight { character: "ironclad".into(), relics: Some(Vec::new()), ..Fight::default() };
    let (kind, id) = about.split_once(' ').unwrap_or(("", about));
    let id = id.split_whitespace().next().unwrap_or("");
    match kind {
        "relic" => fight.relics = Some(vec![id.into()]),
        "potion" => fight.potions = vec![id.into()],
        "monster" => fight.monsters = vec![id.into()],
        "encounter" => fight.encounter = Some(id.into()),
        _ => {}
    }
    let untold = if kind == "monster" { UNTOLD } else { &UNTOLD[..UNTOLD_ALWAYS] };
    let mut story = Story { spire, fight, seed: 1, counter: None, untold, state: None, told: Vec::new() };
    let sets_up = |line: &&&str| SETUP.contains(&line.split(' ').next().unwrap_or(""));
    let (setup, played): (Vec<&&str>, Vec<&&str>) = lines.iter().partition(sets_up);
    for line in setup.into_iter().chain(played) {
        if line.starts_with("meet") || line.starts_with("vs") {
            story.fight.monsters.clear();
            story.fight.encounter = None;
        }
        if let Err(trouble) = story.line(line) {
            story.told.push(format!("  ! {line}: {trouble}"));
        }
    }
    let troubled = story.begun().err();
    let mut told = story.told.join("\n");
    if let Some(trouble) = troubled {
        told += &format!("\n  ! {trouble}");
    }
    format!("## {about}\n{told}\n{}\n", story.end())
}

fn paragraphs(name: &str) -> Vec<(String, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stories").join(name);
    let text = std::fs::read_to_string(path).expect("the stories are there");
    text.split("\n\n")
        .filter_map(|paragraph| {
            let mut lines = paragraph.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
            let about = lines.next()?.to_string();
            Some((about, lines.map(str::to_string).collect()))
        })
        .collect()
}

fn stories(name: &str) -> (String, BTreeSet<String>) {
    let spire = Spire::builtin(Ruleset::Classic).expect("the built-in content is sound");
    let mut all = String::new();
    let mut about = BTreeSet::new();
    for (title, lines) in paragraphs(name) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        all += &tell(&spire, &title, &lines);
        all.push('\n');
        about.insert(title.split_whitespace().take(2).collect::<Vec<_>>().join(" "));
    }
    assert!(!all.contains("  ! "), "stories that cannot be told:\n{}", troubles(&all));
    (all, about)
}

fn troubles(all: &str) -> String {
    let mut title = "";
    let mut out = String::new();
    for line in all.lines() {
        if line.starts_with("## ") {
            title = line;
        }
        if line.starts_with("  ! ") {
            out += &format!("{title}\n{line}\n");
        }
    }
    out
}

/// Relics that only act outside of fights, where the run tells their stories.
const OUTSIDE: &[&str] = &[
    "astrolabe",
    "black_star",
    "bloody_idol",
    "bottled_flame",
    "bottled_lightning",
    "bottled_tornado",
    "calling_bell",
    "cauldron",
    "ceramic_fish",
    "circlet",
    "cultist_headpiece",
    "darkstone_periapt",
    "discerning_monocle",
    "dollys_mirror",
    "dream_catcher",
    "empty_cage",
    "eternal_feather",
    "frozen_egg",
    "frozen_eye",
    "golden_idol",
    "juzu_bracelet",
    "lees_waffle",
    "mango",
    "matryoshka",
    "maw_bank",
    "meal_ticket",
    "membership_card",
    "molten_egg",
    "nloths_gift",
    "nloths_hungry_face",
    "old_coin",
    "orrery",
    "pandoras_box",
    "peace_pipe",
    "pear",
    "potion_belt",
    "prayer_wheel",
    "question_card",
    "red_circlet",
    "regal_pillow",
    "shovel",
    "singing_bowl",
    "smiling_mask",
    "spirit_poop",
    "ssserpent_head",
    "strawberry",
    "the_courier",
    "tiny_chest",
    "tiny_house",
    "toxic_egg",
    "war_paint",
    "whetstone",
    "white_beast_statue",
    "wing_boots",
];

#[test]
fn stories_of_relics() {
    let (told, about) = stories("relics.txt");
    bless("relics", &told);
    let spire = Spire::builtin(Ruleset::Classic).unwrap();
    let modifier = turnstone_spire::catalog::words::Rarity::Modifier;
    for info in spire.catalog.relics.iter().filter(|info| info.tier != modifier) {
        let told = about.contains(&format!("relic {}", info.id));
        assert!(
            told != OUTSIDE.contains(&info.id.as_str()),
            "{}: one story, or none outside of fights",
            info.id
        );
    }
}

#[test]
fn stories_of_potions() {
    let (told, about) = stories("potions.txt");
    bless("potions", &told);
    let spire = Spire::builtin(Ruleset::Classic).unwrap();
    for info in &spire.catalog.potions {
        assert!(about.contains(&format!("potion {}", info.id)), "no story about {}", info.id);
    }
}

#[test]
fn stories_of_other_powers() {
    let (told, _) = stories("powers.txt");
    bless("powers", &told);
}

#[test]
fn stories_of_monsters() {
    let (told, about) = stories("monsters.txt");
    bless("monsters", &told);
    let spire = Spire::builtin(Ruleset::Classic).unwrap();
    for info in &spire.catalog.monsters {
        assert!(about.contains(&format!("monster {}", info.id)), "no story about {}", info.id);
    }
}

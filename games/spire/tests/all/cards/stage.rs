//! A stage on which one card is played: a standard fight, changed by a few words.
//!
//! `"foe poison 5; stance wrath; then strike end"`: clauses `hand`, `draw`, `discard`, `exhaust` (cards on top of
//! the usual ones; `no hand` takes the usual ones away), `energy`, `stance`, `orbs`, `relics`, `me POWER N`, `foe POWER N`,
//! `foe_hp N`, `block N`, `foe_block N`, `alone` (one enemy), `first` (what happens before the card), `idle` (the card itself is not played) and `then` (what
//! happens after it): cards of the hand by name, `end` for the end of the turn.

use turnstone::{Game, Input, InputOf, Position, Recorder, Resolver, Told};
use turnstone_spire::state::{Card, DeckCard, Orb, OwnedRelic, Pile, Power, Slot, State};
use turnstone_spire::{Action, Asked, Deed, Event, Fight, Question, Setup, Spire};

/// A recorder that writes down what happens in words.
struct Teller<'a> {
    spire: &'a Spire,
    /// The state right after the fact that is taken down next.
    state: State,
    /// The event that was told last, and the reasons of its numbers, which come after it.
    last: Option<Event>,
    reasons: Vec<turnstone::NoteOf<Spire>>,
    lines: Vec<String>,
}

impl Recorder<Spire> for Teller<'_> {
    const LOG: bool = true;
    const TRACE: bool = false;

    fn entry(&mut self, entry: turnstone::EntryOf<Spire>) {
        self.reasons.clear();
        self.last = entry.fact.event().filter(|event| worth_telling(event)).cloned();
        let told = self.tell_last();
        self.lines.extend(told);
    }

    fn note(&mut self, note: turnstone::NoteOf<Spire>) {
        self.reasons.push(note);
        if let Some(told) = self.tell_last() {
            self.lines.pop();
            self.lines.push(told);
        }
    }

    fn detour(&mut self, _: turnstone::DetourOf<Spire>) {}

    fn witness(&mut self, live: &turnstone::LiveOf<Spire>) {
        self.state.clone_from(&live.state);
    }

    fn mark(&self) -> turnstone::Mark {
        turnstone::Mark { entries: self.lines.len(), ..turnstone::Mark::default() }
    }

    fn rollback(&mut self, mark: turnstone::Mark) {
        self.lines.truncate(mark.entries);
    }
}

impl Teller<'_> {
    fn tell_last(&self) -> Option<String> {
        let reasons: Vec<_> = self.reasons.iter().collect();
        Some(self.spire.tell(&self.state, self.last.as_ref()?, &reasons))
    }
}

/// Not the bookkeeping.
fn worth_telling(event: &Event) -> bool {
    !matches!(
        event,
        Event::Moment { .. }
            | Event::Ran { .. }
            | Event::Selected(_)
            | Event::Intended { .. }
            | Event::Stored { .. }
            | Event::Acted { .. }
            | Event::MonstersStarted { .. }
            | Event::EnemyStarted { .. }
            | Event::TurnCardsReset
            | Event::HandKept { .. }
            | Event::WornOff { .. }
            | Event::Decayed { .. }
            | Event::Began
            | Event::Offered(_)
            | Event::OfferClosed
    )
}

pub struct Stage<'a> {
    spire: &'a Spire,
    position: Position<Spire>,
    resolver: Resolver<Spire>,
    teller: Teller<'a>,
}

/// The log of one card, base (`up` 0) or upgraded.
pub fn play(spire: &Spire, id: &str, up: u8, script: &str) -> String {
    let mut stage = Stage::new(spire, id, up, script);
    let clause = |name: &str| {
        let found = script.split(';').map(str::trim).find(|part| part.split(' ').next() == Some(name));
        found.map(|part| part[name.len()..].trim().to_string())
    };
    let kind = spire.catalog.cards[spire.named("card", id).unwrap() as usize].kind;
    let idle = clause("idle").is_some();
    for word in clause("first").unwrap_or_default().split_whitespace() {
        stage.act(word);
    }
    if !idle {
        stage.play(0);
    }
    let power = kind == turnstone_spire::catalog::words::CardType::Power;
    let after =
        clause("then").unwrap_or_else(|| if power { "strike defend end".into() } else { String::new() });
    for word in after.split_whitespace() {
        stage.act(word);
    }
    let ending = stage.summary();
    stage.teller.lines.push(ending);
    stage.teller.lines.join("\n  ")
}

impl<'a> Stage<'a> {
    fn new(spire: &'a Spire, id: &str, up: u8, script: &str) -> Self {
        let card = spire.named("card", id).unwrap();
        let color = spire.catalog.color_name(spire.catalog.cards[card as usize].color);
        let character = if matches!(color, "silent" | "defect" | "watcher") { color } else { "ironclad" };
        let fight = Fight {
            character: character.into(),
            monsters: vec!["jaw_worm".into(), "cultist".into()],
            deck: Some(vec![format!("strike_{character}*6")]),
            relics: Some(Vec::new()),
            hp: Some(60),
            max_hp: Some(80),
            ..Fight::default()
        };
        let state = spire.start(&Setup::fight(fight), 1).unwrap();
        let mut stage = Stage {
            spire,
            teller: Teller {
                spire,
                state: state.clone(),
                last: None,
                reasons: Vec::new(),
                lines: Vec::new(),
            },
            position: Position::new(state),
            resolver: Resolver::default(),
        };
        stage.input(Input::Act(Deed::Fight(Action::Begin)));
        let mut state = stage.position.state().clone();
        dress(spire, &mut state, id, up, character, script);
        stage.position = Position::new(state);
        stage.teller.lines.clear();
        stage
    }

    /// How things stand: `= 60 HP 5 Block Strength 2, 3 energy; Jaw Worm 54 HP; Cultist 60 HP`.
    fn summary(&self) -> String {
        let state = self.position.state();
        let bodies: Vec<String> = (0..state.combat.bodies.len())
            .map(|who| {
                let body = &state.combat.bodies[who];
                let name = if who == 0 {
                    String::new()
                } else {
                    format!("{} ", self.spire.body_name(state, who as u8))
                };
                let block = if body.block > 0 { format!(" {} Block", body.block) } else { String::new() };
                let power = |held: &Power| {
                    format!(" {} {}", self.spire.catalog.powers[held.id as usize].name, held.n)
                };
                let powers: String = body.powers.iter().map(power).collect();
                let energy =
                    if who == 0 { format!(", {} energy", state.combat.energy) } else { String::new() };
                format!("{name}{} HP{block}{powers}{energy}", body.hp)
            })
            .collect();
        format!("= {}", bodies.join("; "))
    }

    fn act(&mut self, word: &str) {
        if word == "end" {
            self.input(Input::Act(Deed::Fight(Action::EndTurn)));
            return;
        }
        let combat = &self.position.state().combat;
        let named = |slot: &Slot| {
            let id = self.spire.catalog.cards[combat.cards[*slot as usize].id as usize].id.as_str();
            id == word || id.starts_with(&format!("{word}_"))
        };
        match combat.hand.iter().find(|slot| named(slot)).copied() {
            Some(slot) => self.play(slot),
            None => self.teller.lines.push(format!("(no {word} in hand)")),
        }
    }

    fn play(&mut self, card: Slot) {
        let aims = Deed::Fight(Action::Play { card, target: Some(1) });
        let target = match self.spire.check(self.position.state(), &aims) {
            Ok(()) => Some(1),
            Err(_) => None,
        };
        self.input(Input::Act(Deed::Fight(Action::Play { card, target })));
    }

    fn input(&mut self, input: InputOf<Spire>) {
        if let Err(refusal) = self.resolver.act(self.spire, &mut self.position, &input, &mut self.teller) {
            self.teller.lines.push(format!("refused: {refusal}"));
        }
        while let Some(pending) = self.position.pending().cloned() {
            let mut answers = Vec::new();
            self.spire.answers(self.position.state(), &pending.question, &mut answers);
            let Some(answer) = answers.first().copied() else { panic!("a question without answers") };
            let told = self.spire.tell_answer(self.position.state(), &pending.question, &answer);
            self.teller.lines.push(match pending.question {
                Asked::Fight(Question::Offer { .. }) => format!("takes {told}"),
                _ => format!("chooses {told}"),
            });
            self.resolver
                .act(self.spire, &mut self.position, &Input::Choose(answer), &mut self.teller)
                .unwrap();
        }
    }
}

/// Puts cards, powers, orbs and the rest in place.
fn dress(spire: &Spire, state: &mut State, id: &str, up: u8, character: &str, script: &str) {
    let bare = script.contains("no hand");
    let combat = &mut state.combat;
    combat.cards.clear();
    for pile in [&mut combat.draw, &mut combat.hand, &mut combat.discard, &mut combat.exhaust] {
        pile.clear();
    }
    combat.energy = 5;
    combat.no_shuffle = true;
    for (index, body) in combat.bodies.iter_mut().enumerate() {
        body.powers.clear();
        body.block = 0;
        if index > 0 {
            (body.hp, body.max_hp) = (60, 60);
        }
    }
    let known = spire.named("card", id).unwrap();
    put(combat, Card::new(known, up), Pile::Hand);
    let usual: &[(&str, Pile)] = &[
        ("strike", Pile::Hand),
        ("defend", Pile::Hand),
        ("finesse", Pile::Draw),
        ("panacea", Pile::Draw),
        ("panache", Pile::Draw),
        ("swift_strike", Pile::Draw),
        ("good_instincts", Pile::Draw),
        ("flash_of_steel", Pile::Draw),
        ("dramatic_entrance", Pile::Discard),
        ("bandage_up", Pile::Discard),
        ("trip", Pile::Exhaust),
    ];
    for &(name, pile) in usual {
        if !(bare && pile == Pile::Hand) {
            add(spire, combat, name, character, pile);
        }
    }
    state.run.deck = combat
        .cards
        .iter()
        .map(|card| DeckCard { id: card.id, up: card.up, bottled: false, grown: 0 })
        .collect();
    for part in script.split(';').map(str::trim) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let number = || words.last().and_then(|word| word.parse::<i16>().ok()).unwrap_or(1);
        match words.as_slice() {
            [place @ ("hand" | "draw" | "discard" | "exhaust"), names @ ..] => {
                let pile = match *place {
                    "hand" => Pile::Hand,
                    "draw" => Pile::Draw,
                    "discard" => Pile::Discard,
                    _ => Pile::Exhaust,
                };
                for name in names {
                    add(spire, combat, name, character, pile);
                }
            }
            ["no", "draw"] => {
                combat.draw.drain(..).for_each(|slot| combat.cards[slot as usize].pile = Pile::Gone);
            }
            ["no", "discard"] => {
                combat.discard.drain(..).for_each(|slot| combat.cards[slot as usize].pile = Pile::Gone);
            }
            ["alone"] => {
                combat.bodies.truncate(2);
                combat.board.truncate(1);
            }
            ["energy", _] => combat.energy = number(),
            ["foe_hp", _] => combat.bodies[1].hp = number(),
            ["block", _] => combat.bodies[0].block = number(),
            ["foe_block", _] => combat.bodies[1].block = number(),
            ["stance", name] => combat.stance = spire.named("stance", name).unwrap(),
            ["orbs", names @ ..] => {
                for name in names {
                    let id = spire.named("orb", name).unwrap();
                    combat.orbs.push(Orb { id, stored: spire.catalog.orbs[id as usize].stored });
                }
            }
            ["relics", names @ ..] => {
                for name in names {
                    let id = spire.named("relic", name).unwrap();
                    let counter = spire.catalog.relics[id as usize].start;
                    state.run.relics.push(OwnedRelic { id, counter });
                }
            }
            [who @ ("me" | "foe"), power, _] => {
                let id = spire.named("power", power).unwrap();
                let body = &mut combat.bodies[usize::from(*who == "foe")];
                body.powers.push(Power { id, n: number(), stored: 0, fresh: false });
            }
            _ => {}
        }
    }
    // The card under test is the last one: choices fall on others first.
    combat.hand.rotate_left(1);
    combat.bodies.iter_mut().for_each(|body| spire.refresh_body(body));
    spire.refresh_cards(state);
    spire.refresh_relics(state);
}

fn add(spire: &Spire, combat: &mut turnstone_spire::state::Combat, name: &str, character: &str, pile: Pile) {
    let full =
        if matches!(name, "strike" | "defend") { format!("{name}_{character}") } else { name.to_string() };
    let (id, up) = spire.named_card(&full).unwrap();
    put(combat, Card::new(id, up), pile);
}

/// The draw pile is listed from the top.
fn put(combat: &mut turnstone_spire::state::Combat, mut card: Card, pile: Pile) {
    let slot = combat.cards.len() as Slot;
    card.pile = pile;
    combat.cards.push(card);
    match pile {
        Pile::Draw => combat.draw.insert(0, slot),
        Pile::Hand => combat.hand.push(slot),
        Pile::Discard => combat.discard.push(slot),
        _ => combat.exhaust.push(slot),
    }
}

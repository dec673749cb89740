//! A fight as it is shown: enemies and what they mean to do, the player, the hand with the numbers of the moment,
//! and an explanation of everything for whoever points at it.

use crate::action::Action;
use crate::catalog::compile::Op;
use crate::catalog::face;
use crate::catalog::words::{Flag, Intent};
use crate::effect::Ctx;
use crate::eval::Env;
use crate::game::Spire;
use crate::question::{Answer, Question};
use crate::run::game::LAST_TURN;
use crate::state::{Life, NO_CARD, NONE, PLAYER, Slot, State};
use turnstone_host::scene::{
    Badge, Card, Counter, Figure, Forecast, Gauge, Ink, Item, Lie, Panel, Pick, Pile,
};

fn panel(id: &str, title: impl Into<String>, items: Vec<Item>, lie: Lie) -> Panel {
    Panel { id: id.into(), title: title.into(), items, lie }
}

fn item(text: impl Into<String>, ink: Ink, note: impl Into<String>) -> Item {
    Item { text: text.into(), ink, note: note.into(), thing: None }
}

impl Spire {
    /// The panels of a fight, what matters most first: enemies, player, hand, potions, and the piles.
    pub(crate) fn fight_panels(&self, s: &State) -> Vec<Panel> {
        let combat = &s.combat;
        if combat.bodies.is_empty() {
            return Vec::new();
        }
        let enemies = combat.board.iter().map(|&who| self.enemy_item(s, who)).collect();
        let hand = combat.hand.iter().map(|&slot| self.hand_item(s, slot)).collect();
        let energy = format!("Hand · energy {}/{}", combat.energy, combat.energy_max);
        let sizes = format!("{}/{}/{}", combat.draw.len(), combat.discard.len(), combat.exhaust.len());
        vec![
            panel("enemies", self.which_turn(s), enemies, Lie::Row),
            panel("you", "You", self.player_items(s), Lie::Row),
            panel("hand", energy, hand, Lie::Hand),
            self.potion_panel(s),
            panel("piles", format!("Piles {sizes}"), self.pile_items(s), Lie::Piles),
        ]
    }

    /// Which turn it is; whoever takes long is told which is the last.
    fn which_turn(&self, s: &State) -> String {
        let turn = s.combat.counts.turn;
        match self.drags_on(s) {
            true => format!("Enemies · turn {turn} · lost on turn {LAST_TURN} unless it is won before"),
            false => format!("Enemies · turn {turn}"),
        }
    }

    /// The relics, each explained.
    pub(crate) fn relic_panel(&self, s: &State) -> Panel {
        let one = |owned: &crate::state::OwnedRelic| {
            let info = &self.catalog.relics[owned.id as usize];
            let count =
                if info.shown && owned.counter > 0 { format!(" ({})", owned.counter) } else { String::new() };
            let text = self.relic_text(owned.id);
            let note = self.terms(&text).join("\n");
            let badge = Badge {
                icon: info.id.clone(),
                name: info.name.clone(),
                count: count.trim_matches([' ', '(', ')']).to_owned(),
                note: text.clone(),
                ..Badge::default()
            };
            item(format!("{}{count}: {text}", info.name), Ink::Plain, note).with(badge)
        };
        let title = format!("Relics {}", s.run.relics.len());
        panel("relics", title, s.run.relics.iter().map(one).collect(), Lie::Shelf)
    }

    /// The potions, each explained.
    pub(crate) fn potion_panel(&self, s: &State) -> Panel {
        let one = |&id: &u16| match self.catalog.potions.get(id as usize) {
            Some(info) if id != NONE => {
                let badge = Badge {
                    icon: "potion".to_owned(),
                    name: info.name.clone(),
                    note: self.potion_text(s, id),
                    why: self.potion_reasons(s, id),
                    ..Badge::default()
                };
                let text = format!("{}: {}", info.name, badge.note);
                let note = [self.terms(&text), badge.why.clone()].concat().join("\n");
                item(text, Ink::Special, note).with(badge)
            }
            _ => item("(empty)", Ink::Faint, ""),
        };
        let (slots, held) = (s.run.potions.len(), s.run.potions.iter().filter(|&&id| id != NONE).count());
        // Slots keep their places; the empty ones at the end are in the title.
        let used = s.run.potions.iter().rposition(|&id| id != NONE).map_or(0, |last| last + 1);
        let items = s.run.potions[..used].iter().map(one).collect();
        panel("potions", format!("Potions {held}/{slots}"), items, Lie::Shelf)
    }

    /// What one points at to choose an action.
    pub(crate) fn fight_picks(&self, s: &State, action: &Action) -> Vec<Pick> {
        // Where there is only one enemy, nobody has to point at it.
        let several = s.combat.enemies().nth(1).is_some();
        let aimed = |target: Option<u8>| {
            let place = |who: u8| s.combat.board.iter().position(|&other| other == who).unwrap_or(0);
            target.filter(|_| several).map(|who| Pick::Item("enemies".into(), place(who) as u16))
        };
        match *action {
            Action::Play { card, target } => {
                let place = s.combat.hand.iter().position(|&slot| slot == card).unwrap_or(0);
                std::iter::once(Pick::Item("hand".into(), place as u16)).chain(aimed(target)).collect()
            }
            Action::Potion { index, target } => {
                std::iter::once(Pick::Item("potions".into(), u16::from(index))).chain(aimed(target)).collect()
            }
            // Nobody is to lose a potion by one key.
            Action::Toss { index } => {
                vec![Pick::Item("potions".into(), u16::from(index)), Pick::Word("throw away".into())]
            }
            Action::EndTurn => vec![Pick::Word("end turn".into())],
            Action::Begin => vec![Pick::Word("begin".into())],
            Action::Leave => vec![Pick::Word("leave".into())],
        }
    }

    /// What one points at to give an answer: a card of the hand, if it is there, or a line of its own.
    pub(crate) fn answer_picks(&self, s: &State, question: &Question, answer: &Answer) -> Vec<Pick> {
        let line = |panel: &str, line: usize| vec![Pick::Item(panel.into(), line as u16)];
        match (*answer, question) {
            (Answer::Pick(slot), _) => match s.combat.hand.iter().position(|&held| held == slot) {
                Some(place) => line("hand", place),
                None => {
                    let place = self.elsewhere(s, question).iter().position(|&other| other == slot);
                    place.map(|place| line("choice", place)).unwrap_or_default()
                }
            },
            (Answer::Option(index), Question::Offer { .. }) if usize::from(index) < s.combat.offer.len() => {
                line("choice", usize::from(index))
            }
            (Answer::Option(_), Question::Offer { .. }) => vec![Pick::Word("none".into())],
            (Answer::Done, _) => vec![Pick::Word("done".into())],
            (Answer::Option(_), _) => Vec::new(),
        }
    }

    /// The cards in question that are not in the hand, in the order of their lines.
    fn elsewhere(&self, s: &State, question: &Question) -> Vec<Slot> {
        let Some((op, ctx)) = self.step_of(question) else { return Vec::new() };
        let candidates = self.candidates(s, op, ctx);
        candidates.into_iter().filter(|slot| !s.combat.hand.contains(slot)).collect()
    }

    /// The step that asks for cards.
    fn step_of(&self, question: &Question) -> Option<(&Op, Ctx)> {
        let Question::Cards { program, pc, ctx, .. } = *question else { return None };
        self.catalog.program(program).get(usize::from(pc)).map(|op| (op, ctx))
    }

    /// The cards one can choose from where they are not in the hand: of other piles, or on offer.
    pub(crate) fn answer_panel(&self, s: &State, question: &Question, answers: &[Answer]) -> Option<Panel> {
        let items: Vec<Item> = match question {
            Question::Offer { .. } => {
                s.combat.offer.iter().map(|&(id, up)| self.offer_item(id, up)).collect()
            }
            Question::Cards { .. } => {
                let open = |slot: Slot| answers.contains(&Answer::Pick(slot));
                let line = |slot: Slot| {
                    let card = self.hand_item(s, slot);
                    Item { ink: if open(slot) { Ink::Ours } else { Ink::Faint }, ..card }
                };
                self.elsewhere(s, question).into_iter().map(line).collect()
            }
            Question::Option { .. } => Vec::new(),
        };
        (!items.is_empty()).then(|| panel("choice", "Cards to choose from", items, Lie::Offer))
    }

    fn offer_item(&self, id: u16, up: u8) -> Item {
        let cost = face_cost(self.catalog.cards[id as usize].forms[usize::from(up > 0)].cost);
        let text = self.kind_text(id, up);
        let note = self.terms(&text).join("\n");
        let label = format!("[{cost}] {}: {text}", self.card_label(id, up));
        item(label, Ink::Ours, note).with(self.card_face(id, up, &text))
    }

    /// A card of a kind as it looks.
    pub(crate) fn card_face(&self, id: u16, up: u8, text: &str) -> Card {
        let info = &self.catalog.cards[id as usize];
        Card {
            title: self.card_label(id, up),
            cost: face_cost(info.forms[usize::from(up > 0)].cost),
            kind: format!("{:?}", info.kind).to_lowercase(),
            text: text.to_owned(),
            icon: info.id.clone(),
            rarity: format!("{:?}", info.rarity).to_lowercase(),
            ..Card::default()
        }
    }

    /// What the card says that an answer picks, and what it would say once it is upgraded.
    pub(crate) fn answer_preview(&self, s: &State, question: &Question, answer: &Answer) -> String {
        match *answer {
            Answer::Pick(slot) => {
                let text = self.card_text(s, slot, None);
                let upgrades = matches!(self.step_of(question), Some((Op::Upgrade { .. }, _)));
                match s.combat.cards.get(slot as usize).filter(|_| upgrades) {
                    Some(card) => format!("{text} → {}", self.kind_text(card.id, card.up + 1)),
                    None => text,
                }
            }
            Answer::Option(index) => {
                let offered = s.combat.offer.get(usize::from(index));
                offered.map(|&(id, up)| self.kind_text(id, up)).unwrap_or_default()
            }
            Answer::Done => String::new(),
        }
    }

    /// What playing a card would say, with the numbers against its target.
    pub(crate) fn fight_preview(&self, s: &State, action: &Action) -> String {
        match *action {
            Action::Play { card, target } => self.card_text(s, card, target),
            Action::Potion { index, .. } => {
                let id = s.run.potions.get(index as usize).copied().unwrap_or(NONE);
                if id == NONE { String::new() } else { self.potion_text(s, id) }
            }
            _ => String::new(),
        }
    }

    fn hand_item(&self, s: &State, slot: Slot) -> Item {
        let card = &s.combat.cards[slot as usize];
        let cost = face_cost(self.cost_now(s, card, slot));
        let text = self.card_text(s, slot, None);
        let open = self.may_play(s, slot) && self.affordable(s, slot);
        let chosen = if s.combat.picks.contains(&slot) { "✓ " } else { "" };
        let why = self.card_reasons(s, slot);
        let note = self.card_note(s, slot, &text);
        let label = format!("{chosen}[{cost}] {}: {text}", self.card_name(s, slot));
        let face = Card {
            id: format!("card{slot}"),
            title: self.card_name(s, slot),
            cost,
            why_not: self.playable(s, slot).err().map(|why| why.to_string()).unwrap_or_default(),
            chosen: !chosen.is_empty(),
            why,
            ..self.card_face(card.id, card.up, &text)
        };
        item(label, if open { Ink::Ours } else { Ink::Faint }, note).with(face)
    }

    /// What the card says against each enemy, where that differs from what is printed on it, and who changed its cost.
    fn card_reasons(&self, s: &State, slot: Slot) -> Vec<String> {
        let text = self.card_text(s, slot, None);
        let mut told = self.card_against(s, slot, &text).map(|(_, line)| line).collect::<Vec<_>>();
        told.extend(self.tell_shown(s, &self.face_ways(s, slot, None)));
        for (who, _) in self.card_against(s, slot, &text) {
            let ways = self.tell_shown(s, &self.face_ways(s, slot, Some(who)));
            told.extend(ways.into_iter().map(|line| format!("{} · {line}", self.body_name(s, who))));
        }
        told.extend(self.cost_reasons(s, slot).into_iter().map(|line| format!("cost · {line}")));
        told
    }

    /// What a card says against each enemy against whom it says something else.
    fn card_against<'a>(
        &'a self,
        s: &'a State,
        slot: Slot,
        text: &'a str,
    ) -> impl Iterator<Item = (u8, String)> + 'a {
        let against = s.combat.enemies().map(move |who| (who, self.card_text(s, slot, Some(who))));
        let differs = against.filter(move |(_, against)| against != text);
        differs.map(|(who, against)| (who, format!("{}: {against}", self.body_name(s, who))))
    }

    /// How the number of a potion comes about; outside of fights it is the one printed on it.
    pub(crate) fn potion_reasons(&self, s: &State, id: u16) -> Vec<String> {
        match s.combat.bodies.is_empty() {
            true => Vec::new(),
            false => self.tell_shown(s, &[self.potency_way(s, id)]),
        }
    }

    /// What playing a card or a potion at somebody says, at who it is played at.
    pub(crate) fn fight_forecast(&self, s: &State, action: &Action) -> Vec<Forecast> {
        let only = || {
            let mut all = s.combat.enemies();
            all.next().filter(|_| all.next().is_none())
        };
        let target = match *action {
            Action::Play { card, target } => target.or_else(|| only().filter(|_| self.is_attack(s, card))),
            Action::Potion { target, .. } => target,
            _ => None,
        };
        let Some(who) = target else { return Vec::new() };
        let (text, why) = match *action {
            Action::Play { card, .. } => {
                (self.card_text(s, card, Some(who)), self.tell_shown(s, &self.face_ways(s, card, Some(who))))
            }
            Action::Potion { index, .. } => {
                let id = s.run.potions.get(usize::from(index)).copied().filter(|id| *id != NONE);
                (self.fight_preview(s, action), id.map(|id| self.potion_reasons(s, id)).unwrap_or_default())
            }
            Action::Begin | Action::EndTurn | Action::Leave | Action::Toss { .. } => return Vec::new(),
        };
        vec![Forecast { on: figure_id(who), text, why }]
    }

    fn is_attack(&self, s: &State, slot: Slot) -> bool {
        let card = s.combat.cards.get(slot as usize);
        card.is_some_and(|card| {
            self.catalog.cards[card.id as usize].kind == crate::catalog::words::CardType::Attack
        })
    }

    /// Energy, as far as there is a fight.
    pub(crate) fn fight_counters(&self, s: &State) -> Vec<Counter> {
        if s.combat.bodies.is_empty() {
            return Vec::new();
        }
        let energy = Counter::new("energy", "energy", i64::from(s.combat.energy));
        vec![
            energy.of(i64::from(s.combat.energy_max)),
            Counter::new("turn", "turn", i64::from(s.combat.counts.turn)),
        ]
    }

    /// Somebody in the fight, with what he has and suffers from.
    fn figure(&self, s: &State, who: u8) -> Figure {
        let body = &s.combat.bodies[who as usize];
        let hp =
            Gauge { name: "hp".into(), now: i64::from(body.hp.max(0)), most: Some(i64::from(body.max_hp)) };
        let block =
            (body.block > 0).then(|| Gauge { name: "block".into(), now: i64::from(body.block), most: None });
        let power = |held: &crate::state::Power| {
            let info = &self.catalog.powers[held.id as usize];
            Badge {
                icon: info.id.clone(),
                name: info.name.clone(),
                count: held.n.to_string(),
                note: self.power_text(held, who),
                ..Badge::default()
            }
        };
        let icon = match who {
            PLAYER => self.catalog.characters[s.run.character as usize].id.clone(),
            _ => self.catalog.monsters[body.kind as usize].id.clone(),
        };
        let name = match who {
            PLAYER => self.catalog.characters[s.run.character as usize].name.clone(),
            _ => self.body_name(s, who),
        };
        Figure {
            id: figure_id(who),
            name,
            icon,
            owner: Some(u8::from(who != PLAYER)),
            down: !body.alive(),
            gauges: std::iter::once(hp).chain(block).collect(),
            badges: self.shown_powers(s, who).iter().map(power).collect(),
            intent: (who != PLAYER && body.alive()).then(|| self.intent_badge(s, who)),
            ..Figure::default()
        }
    }

    /// What an enemy means to do, as a sign.
    fn intent_badge(&self, s: &State, who: u8) -> Badge {
        let body = &s.combat.bodies[who as usize];
        let (name, note) = self.intent(s, who);
        let made = self.move_of(body.kind, body.intent).filter(|_| !self.hides_intents(s));
        let icon = made.map_or("unknown", |made| intent_icon(Intent::ALL[made.intent as usize].0));
        let shown = made.map(|_| self.intended_hits(s, who)).unwrap_or_default();
        let count: Vec<String> = shown.iter().map(|&(damage, times)| hits(damage, times)).collect();
        let why = made.map(|_| self.intent_reasons(s, who)).unwrap_or_default();
        Badge { icon: icon.to_owned(), name, count: count.join("+"), note, why }
    }

    /// What a card says against each enemy where that differs, how its numbers come about, why it cannot be played, and
    /// its words explained.
    fn card_note(&self, s: &State, slot: Slot, text: &str) -> String {
        let mut lines = self.card_against(s, slot, text).map(|(_, line)| line).collect::<Vec<_>>();
        lines.extend(self.tell_shown(s, &self.face_ways(s, slot, None)));
        if let Err(why) = self.playable(s, slot) {
            lines.push(why.to_string());
        }
        lines.extend(self.terms(text));
        lines.join("\n")
    }

    /// The powers and the words of the trade in a text, explained.
    pub fn terms(&self, text: &str) -> Vec<String> {
        let words = Words::of(text);
        let powers = self.catalog.powers.iter().zip(&self.content.powers);
        let known = powers.filter(|(info, _)| !info.hidden && words.have(&info.name));
        let mut told: Vec<String> = known
            .map(|(info, entry)| explained(&info.name, &face::power(&self.content, entry, None)))
            .collect();
        let others = TERMS.iter().filter(|(word, _)| words.have(word));
        told.extend(others.map(|(word, about)| format!("{word}: {about}")));
        told
    }

    fn enemy_item(&self, s: &State, who: u8) -> Item {
        let body = &s.combat.bodies[who as usize];
        if !body.alive() {
            let (fate, note) = match body.life {
                Life::HalfDead => ("fallen", "Not dead yet: it may rise again."),
                Life::Escaped => ("gone", "Out of the fight."),
                _ => ("dead", "Out of the fight."),
            };
            let text = format!("{} · {fate}", self.body_name(s, who));
            return item(text, Ink::Faint, note).with(self.figure(s, who));
        }
        let (intent, about) = self.intent(s, who);
        let note = std::iter::once(about).chain(self.power_lines(s, who)).collect::<Vec<_>>().join("\n");
        let text = format!(
            "{} {}/{} → {intent}{}",
            self.body_name(s, who),
            body.hp,
            body.max_hp,
            self.burdens(s, who)
        );
        item(text, Ink::Theirs, note).with(self.figure(s, who))
    }

    /// An intent in a few words, and explained.
    fn intent(&self, s: &State, who: u8) -> (String, String) {
        let body = &s.combat.bodies[who as usize];
        let made = match self.move_of(body.kind, body.intent) {
            Some(made) if !self.hides_intents(s) => made,
            _ => return ("?".into(), "Its intent is hidden.".into()),
        };
        let (intent, _, kind) = Intent::ALL[made.intent as usize];
        let hits: Vec<String> =
            self.intended_hits(s, who).iter().map(|&(damage, times)| hits(damage, times)).collect();
        let damage = if hits.is_empty() { String::new() } else { format!(" for {}", hits.join(" + ")) };
        let kind = match kind {
            "unknown" => "does something unknown".to_owned(),
            kind => kind.replace("the player", "you"),
        };
        let besides = match intent_word(intent) {
            "" => String::new(),
            word if hits.is_empty() => format!(" ({word})"),
            word => format!(" + {word}"),
        };
        (format!("{}{damage}{besides}", made.name), format!("{}: it {kind}{damage}.", made.name))
    }

    /// The attacks of the intended move: damage of one hit as it would be now, and how often.
    pub(crate) fn intended_hits(&self, s: &State, who: u8) -> Vec<(i32, i32)> {
        let Some(body) = s.combat.living(who) else { return Vec::new() };
        let Some(made) = self.move_of(body.kind, body.intent) else { return Vec::new() };
        let env = Env::new(s, self.monster_ctx(who));
        let attacks = self.catalog.program(made.program).iter().filter_map(|op| match op {
            Op::Attack { amount, times, .. } => {
                let damage = self.attack_number(s, who, PLAYER, self.num(*amount, &env), NO_CARD, 1);
                Some((damage, self.num(*times, &env).clamp(0, 99)))
            }
            _ => None,
        });
        attacks.collect()
    }

    fn player_items(&self, s: &State) -> Vec<Item> {
        let combat = &s.combat;
        let powers: Vec<String> = self.power_lines(s, PLAYER).collect();
        let line = item(self.body_line(s, PLAYER), Ink::Ours, powers.join("\n"));
        let mut you = vec![line.with(self.figure(s, PLAYER))];
        if combat.stance != self.known.neutral {
            let name = &self.catalog.stances[combat.stance as usize].name;
            you.push(item(format!("stance: {name}"), Ink::Special, self.stance_text(combat.stance)));
        }
        if !combat.limbo.is_empty() {
            let note = "set aside; comes into the hand at the start of the next turn";
            you.push(item(format!("coming: {}", self.set_aside(s).join(", ")), Ink::Special, note));
        }
        if combat.orb_slots > 0 {
            you.push(self.orb_item(s));
        }
        you
    }

    /// The orbs in the order in which they are evoked: what each does by itself, and when evoked.
    fn orb_item(&self, s: &State) -> Item {
        let combat = &s.combat;
        let (mut names, mut notes, mut why) = (Vec::new(), Vec::new(), Vec::new());
        for (index, &orb) in combat.orbs.iter().enumerate() {
            let info = &self.catalog.orbs[orb.id as usize];
            let passive = self.orb_number(s, orb, false, index as u8);
            let evoke = self.orb_number(s, orb, true, index as u8);
            let next = if index == 0 { ", evoked next" } else { "" };
            let when = if info.at_turn_start { "start" } else { "end" };
            names.push(format!("{} {passive}/{evoke}", info.name));
            notes.push(format!(
                "{}: {passive} at the {when} of the turn, {evoke} when evoked{next}",
                info.name
            ));
            let ways = [false, true].iter().filter_map(|evoke| self.orb_way(s, index as u8, *evoke));
            let told = self.tell_shown(s, &ways.collect::<Vec<_>>());
            why.extend(told.into_iter().map(|line| format!("{} {} · {line}", info.name, index + 1)));
        }
        let free = usize::from(combat.orb_slots).saturating_sub(combat.orbs.len());
        if free > 0 {
            names.push(format!("{free} free"));
        }
        let text = format!("Orbs: {}", names.join(" · "));
        let note = notes.join("\n");
        let lines = [notes, why.clone()].concat().join("\n");
        let (icon, name) = ("orb".to_owned(), "Orbs".to_owned());
        item(text, Ink::Special, lines).with(Badge { icon, name, note, why, ..Badge::default() })
    }

    /// The cards that are set aside, those of one name together: `3 Slice`.
    fn set_aside(&self, s: &State) -> Vec<String> {
        let names: Vec<String> = s.combat.limbo.iter().map(|&slot| self.card_name(s, slot)).collect();
        let alike = names.chunk_by(|one, other| one == other);
        alike.map(|names| format!("{} {}", names.len(), names[0])).collect()
    }

    fn pile_items(&self, s: &State) -> Vec<Item> {
        let combat = &s.combat;
        let mut draw: Vec<String> = combat.draw.iter().rev().map(|&slot| self.card_name(s, slot)).collect();
        // Only some know the order; the others see what is there.
        if !self.sees_order(s) {
            draw.sort();
        }
        let names = |pile: &[Slot]| pile.iter().map(|&slot| self.card_name(s, slot)).collect::<Vec<_>>();
        let one = |id: &str, what: &str, cards: Vec<String>, order: &str| {
            let listed = if order.starts_with("The") { cards.clone() } else { counted(&cards) };
            let text = match listed.is_empty() {
                true => format!("{what} 0"),
                false => format!("{what} {} ({})", cards.len(), listed.join(", ")),
            };
            let pile = Pile { id: id.into(), name: what.into(), count: cards.len() as u32, names: listed };
            item(text, Ink::Plain, order).with(pile)
        };
        let order = if self.sees_order(s) { "The card drawn next comes first." } else { "In no order." };
        let mut piles = vec![
            one("draw", "Draw", draw, order),
            one("discard", "Discarded", names(&combat.discard), ""),
            one("exhaust", "Exhausted", names(&combat.exhaust), ""),
        ];
        piles.retain(|pile| !pile.text.ends_with(" 0") || pile.text.starts_with("Draw"));
        piles
    }

    fn body_line(&self, s: &State, who: u8) -> String {
        let body = &s.combat.bodies[who as usize];
        let name = &self.catalog.characters[s.run.character as usize].name;
        format!("{name} {}/{} HP{}", body.hp, body.max_hp, self.burdens(s, who))
    }

    /// Block and powers of somebody.
    fn burdens(&self, s: &State, who: u8) -> String {
        let body = &s.combat.bodies[who as usize];
        let block = if body.block > 0 { format!(" · {} block", body.block) } else { String::new() };
        let powers: Vec<String> = self
            .shown_powers(s, who)
            .iter()
            .map(|held| format!("{} {}", self.catalog.powers[held.id as usize].name, held.n))
            .collect();
        let powers = if powers.is_empty() { String::new() } else { format!(" · {}", powers.join(", ")) };
        format!("{block}{powers}")
    }

    /// The powers that players see. Who was summoned as a minion shows it like one who was made one.
    fn shown_powers(&self, s: &State, who: u8) -> Vec<crate::state::Power> {
        let Some(body) = s.combat.body(who) else { return Vec::new() };
        let info = |held: &crate::state::Power| &self.catalog.powers[held.id as usize];
        let mut shown: Vec<_> = body.powers.iter().filter(|held| !info(held).hidden).copied().collect();
        if body.minion && !shown.iter().any(|held| info(held).ears.has(Flag::Minion)) {
            let says_so = self.catalog.powers.iter().position(|info| info.ears.has(Flag::Minion));
            let power = |id: usize| crate::state::Power { id: id as u16, n: 1, stored: 0, fresh: false };
            shown.extend(says_so.map(power));
        }
        shown
    }

    fn power_lines(&self, s: &State, who: u8) -> impl Iterator<Item = String> {
        let line = move |held: crate::state::Power| {
            let name = &self.catalog.powers[held.id as usize].name;
            explained(&format!("{name} {}", held.n), &self.power_text(&held, who))
        };
        self.shown_powers(s, who).into_iter().map(line)
    }
}

/// The id of somebody in a fight.
/// A name and what is to be said about it, if anything.
fn explained(name: &str, about: &str) -> String {
    if about.is_empty() { name.to_owned() } else { format!("{name}: {about}") }
}

fn figure_id(who: u8) -> String {
    format!("body{who}")
}

/// The sign of an intent.
fn intent_icon(intent: Intent) -> &'static str {
    match intent {
        Intent::Attack | Intent::AttackBuff | Intent::AttackDebuff | Intent::AttackDefend => "attack",
        Intent::Buff => "buff",
        Intent::Debuff | Intent::StrongDebuff => "debuff",
        Intent::Defend | Intent::DefendBuff | Intent::DefendDebuff => "defend",
        Intent::Sleep => "sleep",
        Intent::Stun => "stun",
        Intent::Escape => "escape",
        Intent::Magic => "magic",
        Intent::Unknown => "unknown",
    }
}

/// A cost as it is printed.
pub(crate) fn face_cost(cost: i8) -> String {
    match cost {
        cost if Spire::is_x(cost) => "X".to_owned(),
        cost if cost < 0 => "-".to_owned(),
        cost => cost.to_string(),
    }
}

/// What a move does besides damage, in a word or two: `buff`, `block + debuff`.
fn intent_word(intent: Intent) -> &'static str {
    match intent {
        Intent::Attack | Intent::Magic | Intent::Unknown => "",
        Intent::AttackBuff | Intent::Buff => "buff",
        Intent::AttackDebuff | Intent::Debuff => "debuff",
        Intent::AttackDefend | Intent::Defend => "block",
        Intent::DefendBuff => "block + buff",
        Intent::DefendDebuff => "block + debuff",
        Intent::StrongDebuff => "strong debuff",
        Intent::Sleep => "asleep",
        Intent::Stun => "stunned",
        Intent::Escape => "leaves",
    }
}

/// Words on cards that are no powers.
const TERMS: [(&str, &str); 7] = [
    ("Exhaust", "out of this fight once played."),
    ("Ethereal", "exhausted if still in the hand at the end of the turn."),
    ("Innate", "in the first hand of every fight."),
    ("Retain", "stays in the hand at the end of the turn."),
    ("Unplayable", "cannot be played."),
    ("Scry", "look at the top of the draw pile and discard what you like of it."),
    ("Evoke", "use up the first orb for its stronger effect."),
];

/// A text from each place on where a word may begin. It is asked for the names of all powers, one after another, so the
/// places are found once.
struct Words<'a>(Vec<&'a str>);

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Self {
        let mut free = true;
        let begins = |(at, letter): (usize, char)| {
            let begins = std::mem::replace(&mut free, !letter.is_alphanumeric());
            begins.then(|| &text[at..])
        };
        Words(text.char_indices().filter_map(begins).collect())
    }

    /// Whether a word stands in the text as a word of its own.
    fn have(&self, word: &str) -> bool {
        let ends = |rest: &str| rest.chars().next().is_none_or(|letter| !letter.is_alphanumeric());
        self.0.iter().any(|from| from.strip_prefix(word).is_some_and(ends))
    }
}

/// Equal names together: `Bash, 2 × Strike`. The order of the first of each is kept.
fn counted(names: &[String]) -> Vec<String> {
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match groups.iter_mut().find(|(group, _)| group == name) {
            Some((_, count)) => *count += 1,
            None => groups.push((name, 1)),
        }
    }
    let told = |(name, count): (&str, usize)| match count {
        1 => name.to_owned(),
        count => format!("{count} × {name}"),
    };
    groups.into_iter().map(told).collect()
}

fn hits(damage: i32, times: i32) -> String {
    if times == 1 { damage.to_string() } else { format!("{damage}×{times}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Deed, Ruleset};
    use std::sync::Arc;
    use turnstone::{Input, Match};

    #[test]
    fn a_word_is_one_only_where_it_stands_alone() {
        let words = Words::of("Gain 2 Strength. Apply Thorns, éclair (Weak)");
        for word in ["Strength", "Thorns", "Weak", "Gain", "éclair", "Apply Thorns"] {
            assert!(words.have(word), "{word}");
        }
        for word in ["Strengt", "horns", "Wea", "clair", "Vulnerable"] {
            assert!(!words.have(word), "{word}");
        }
        assert!(!Words::of("").have("Weak"));
    }

    #[test]
    fn a_card_that_asks_is_not_seen_coming() {
        let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound content"));
        let asks = [
            ("hand: armaments, strike_ironclad*2", "choose from the hand"),
            ("hand: headbutt; discard: bash, defend_ironclad", "choose from a pile"),
            ("hand: discovery", "choose from an offer"),
        ];
        for (cards, what) in asks {
            let setup =
                spire.situation(&format!("energy 3; {cards}; enemy: cultist 40/50")).expect("a moment");
            let mut fight: Match<Spire> = Match::new(Arc::clone(&spire), setup, 1).expect("a fight");
            let played = fight.inputs()[0].clone();
            fight.act(played).expect("there is energy");
            assert!(fight.pending().is_some(), "{what}");
            let shown = spire.player_items(fight.state());
            assert!(shown.iter().all(|item| !item.text.starts_with("coming")), "{what}: {shown:?}");
        }
    }

    #[test]
    fn what_a_nightmare_brings_is_seen_coming() {
        let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound content"));
        let setup = spire
            .situation(
                "energy 3; hand: nightmare, neutralize, slice; enemy: cultist 40/50 intends incantation",
            )
            .expect("a moment of a fight");
        let mut fight: Match<Spire> = Match::new(Arc::clone(&spire), setup, 1).expect("a fight");
        fight.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: None }))).expect("there is energy");
        let neutralize = fight.inputs()[0].clone();
        fight.act(neutralize).expect("it is offered");
        let seen = |fight: &Match<Spire>| -> Vec<String> {
            let items = spire.player_items(fight.state()).into_iter();
            items.map(|item| item.text).filter(|text| text.starts_with("coming")).collect()
        };
        assert_eq!(seen(&fight), ["coming: 3 Neutralize"]);
        fight.act(Input::Act(Deed::Fight(Action::EndTurn))).expect("the turn can end");
        assert!(seen(&fight).is_empty());
        assert_eq!(fight.state().combat.hand.len(), 5, "the copies, and the two cards of the deck");
    }
}

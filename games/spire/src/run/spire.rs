//! The fights of this game as the arena of a run, and what its catalog tells the run.

use turnstone::{ProposalsOf, Rejection};

use super::effect::Ending;
use super::game::{Arena, Carrier, Challenge, Climb, Setup};
use super::rulebook::{CardFacts, Rulebook};
use crate::catalog::Problem;
use crate::catalog::compile::{CardInfo, Num, Op, Program};
use crate::catalog::words::{CardType, Rank, Rarity, Who};
use crate::dice::FightDice;
use crate::effect::{Action, Effect, Event};
use crate::game::{Ruleset, Spire};
use crate::seeds::{Burning, Rarity as Found, Streams};
use crate::setup::Fight;
use crate::state::{Combat, DeckCard, Life, NONE, OwnedRelic, Run, Stage, State};

impl Climb<Spire> {
    /// The whole game with the built-in content.
    ///
    /// # Errors
    /// The problems of the content, of which there are none unless it is being worked on.
    pub fn builtin() -> Result<Climb<Spire>, Rejection> {
        Climb::by(Ruleset::Classic)
    }

    /// The whole game by a ruleset, with its content.
    ///
    /// # Errors
    /// As [`Climb::builtin`].
    pub fn by(ruleset: Ruleset) -> Result<Climb<Spire>, Rejection> {
        Climb::around(Spire::builtin(ruleset).map_err(|problems| bad_content(&problems))?)
    }

    /// A run around these fights, by the same content.
    ///
    /// # Errors
    /// A script, map or relic that asks for what there is not.
    pub fn around(arena: Spire) -> Result<Climb<Spire>, Rejection> {
        let rulebook = Rulebook::new(&arena).map_err(|problems| bad_content(&problems))?;
        Ok(Climb { arena, rulebook })
    }
}

/// The refusal of a content with these problems.
pub(super) fn bad_content(problems: &[Problem]) -> Rejection {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Rejection::new("BAD_CONTENT", lines.join("\n"))
}

pub(super) fn card_facts(spire: &Spire) -> Vec<CardFacts> {
    spire.catalog.cards.iter().map(|card| facts(spire, card)).collect()
}

fn facts(spire: &Spire, card: &CardInfo) -> CardFacts {
    let tagged = |tag: &str| {
        card.tags.iter().any(|t| spire.catalog.tags.get(usize::from(*t)).is_some_and(|n| n == tag))
    };
    let basic = card.rarity == Rarity::Basic;
    let sizes = [0, 1].map(|form| sizes(spire, card.forms[form].program));
    CardFacts {
        kind: card.kind,
        rarity: match card.rarity {
            Rarity::Common => Some(Found::Common),
            Rarity::Uncommon => Some(Found::Uncommon),
            Rarity::Rare => Some(Found::Rare),
            _ => None,
        },
        basic,
        strike: basic && tagged("strike"),
        defend: basic && tagged("defend"),
        removable: !tagged("eternal"),
        upgradable: card.upgradable,
        many_upgrades: card.many_upgrades,
        damage: [sizes[0].damage, sizes[1].damage],
        worth: [worth(card, 0, &sizes[0]), worth(card, 1, &sizes[1])],
    }
}

/// The plain numbers of a card's steps.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    damage: i16,
    block: i16,
    other: i16,
}

fn sizes(spire: &Spire, program: Program) -> Sizes {
    let constant = |n: Num, otherwise: i32| match n {
        Num::Const(n) => n.clamp(-99, 99) as i16,
        Num::Expr(_) => otherwise as i16,
    };
    let mut sum = Sizes::default();
    for op in spire.catalog.program(program) {
        match op {
            Op::Attack { amount, times, to, .. } => {
                let all = if *to == Who::Target { 2 } else { 3 };
                sum.damage += constant(*amount, 8) * constant(*times, 2).max(1) * all / 2;
            }
            Op::Block { amount, .. } => sum.block += constant(*amount, 8),
            Op::Draw { amount, .. } => sum.other += 3 * constant(*amount, 2),
            Op::Energy { amount } => sum.other += 4 * constant(*amount, 1),
            Op::Apply { .. } | Op::Channel { .. } => sum.other += 4,
            Op::Create { .. } | Op::Stance { .. } | Op::Scry { .. } | Op::Upgrade { .. } => sum.other += 3,
            Op::LoseHp { amount, .. } => sum.other -= constant(*amount, 2),
            Op::If { then, .. } => {
                let inner = sizes(spire, *then);
                sum.other += (inner.damage + inner.block + inner.other) / 2;
            }
            _ => {}
        }
    }
    sum
}

/// What a card does for its cost, with a bonus for what is hard to come by.
fn worth(card: &CardInfo, form: usize, sizes: &Sizes) -> i16 {
    if matches!(card.kind, CardType::Curse | CardType::Status) {
        return -20;
    }
    let bonus = match card.rarity {
        Rarity::Rare => 7,
        Rarity::Uncommon => 4,
        Rarity::Common => 2,
        Rarity::Special => 3,
        _ => 0,
    };
    let power = if card.kind == CardType::Power { 10 } else { 0 };
    let cost = i16::from(card.forms[form].cost.clamp(0, 4));
    sizes.damage + sizes.block + sizes.other + bonus + power - 4 * cost
}

impl Carrier<super::effect::Effect> for Effect {
    #[inline]
    fn carry(outer: super::effect::Effect) -> Self {
        Effect::Outer(outer)
    }

    #[inline]
    fn carried(&self) -> Option<&super::effect::Effect> {
        match self {
            Effect::Outer(outer) => Some(outer),
            _ => None,
        }
    }

    #[inline]
    fn carried_mut(&mut self) -> Option<&mut super::effect::Effect> {
        match self {
            Effect::Outer(outer) => Some(outer),
            _ => None,
        }
    }
}

impl Carrier<super::effect::Event> for Event {
    fn carry(outer: super::effect::Event) -> Self {
        Event::Outer(Box::new(outer))
    }

    #[inline]
    fn carried(&self) -> Option<&super::effect::Event> {
        match self {
            Event::Outer(outer) => Some(outer),
            _ => None,
        }
    }

    #[inline]
    fn carried_mut(&mut self) -> Option<&mut super::effect::Event> {
        match self {
            Event::Outer(outer) => Some(outer),
            _ => None,
        }
    }
}

impl Arena for Spire {
    fn beginner(&self, setup: &Setup, seed: u64, rulebook: &Rulebook) -> Run {
        let id = self.catalog.find("character", &setup.character).unwrap_or(0);
        let info = &self.catalog.characters[usize::from(id)];
        let card = |id| DeckCard { id, up: 0, bottled: false, grown: 0 };
        let hardship = rulebook.tables.hardship(setup.ascension);
        let besides = hardship.deck.iter().map(|added| card(added.0));
        let deck = info.deck.iter().flat_map(|&(id, count)| (0..count).map(move |_| card(id)));
        let max_hp = info.hp_at(setup.ascension) as i16;
        let slots = hardship.potion_slots;
        let relic = |&id: &u16| OwnedRelic { id, counter: self.catalog.relics[usize::from(id)].start };
        Run {
            seed,
            character: id,
            ascension: setup.ascension,
            act: 1,
            floor: 0,
            hp: hardship.first_hp(max_hp.into()) as i16,
            max_hp,
            gold: info.gold,
            energy: info.energy as i16,
            draw: info.draw as i16,
            orb_slots: info.orb_slots as u8,
            potion_slots: slots,
            strength: 0,
            deck: besides.chain(deck).collect(),
            relics: info.relics.iter().map(relic).collect(),
            potions: vec![NONE; usize::from(slots)],
            dice: None,
        }
    }

    fn equip(&self, run: &mut Run, wished: &Fight) -> Result<(), Rejection> {
        Spire::equip(self, run, wished)
    }

    fn lone_fight(&self, fight: &Fight, seed: u64) -> Result<State, Rejection> {
        self.set_up(&crate::setup::Setup::Fight(fight.clone()), seed)
    }

    fn prepare(&self, state: &mut State, challenge: Challenge, streams: &Streams) {
        state.run.dice = (!self.profile.own_dice).then(|| FightDice::of(streams));
        let encounter = challenge.fight.0;
        let rank = match self.catalog.encounters.get(usize::from(encounter)) {
            _ if challenge.boss => Rank::Boss,
            _ if challenge.elite => Rank::Elite,
            Some(info) => info.rank,
            None => Rank::Normal,
        };
        self.enter_fight(state, encounter, rank, None);
        if challenge.burning == Some(Burning::MaxHp) {
            for body in state.combat.bodies.iter_mut().skip(1) {
                body.max_hp += body.max_hp / 4;
                body.hp = body.max_hp;
            }
        }
    }

    fn begin(&self, state: &State, challenge: Challenge, out: &mut ProposalsOf<Self>) {
        out.last(Effect::Begin);
        let act = i16::from(state.run.act);
        let Some(burning) = challenge.burning else { return };
        let amount = match burning {
            Burning::Strength => act + 1,
            Burning::Metallicize => 2 * act + 2,
            Burning::Regenerate => 2 * act + 1,
            Burning::MaxHp => return,
        };
        // What burns is called as the power that it gives.
        let Some(power) = self.catalog.power(burning.word()) else { return };
        for who in state.combat.enemies() {
            out.last(Effect::Apply { by: who, to: who, power, amount, stored: 0 });
        }
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        match state.combat.stage {
            Stage::Won => Some(Ending::Won),
            Stage::Lost => Some(Ending::Lost),
            Stage::Fled => Some(Ending::Fled),
            _ => None,
        }
    }

    fn stolen(&self, state: &State) -> i32 {
        let dead = state.combat.bodies.iter().skip(1).filter(|b| b.life == Life::Dead);
        dead.map(|b| i32::from(b.stolen)).sum()
    }

    fn each_legal(&self, state: &State, mut add: impl FnMut(Action)) {
        self.each_action(state, &mut add);
    }

    fn leave(&self, state: &mut State) {
        // The dice go on where they stopped.
        state.combat.begin_anew(Combat { rolls: state.combat.rolls, ..Combat::default() });
    }

    fn wear(&self, _run: &mut Run, _relic: u16, _on: bool) {}
}

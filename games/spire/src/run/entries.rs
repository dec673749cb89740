//! What relics, potions, cards and events do between fights, read off their entries in the catalog: the same hooks,
//! numbers and programs as in fights.

use smallvec::SmallVec;

use super::effect::StepAt;
use super::journey::Journey;
use crate::catalog::compile::{
    Alter, Alteration, Ears, EventInfo, Id, Node, Num, Op, OptionInfo, Program, Val, Voice,
};
use crate::catalog::expr::Read;
use crate::catalog::words::{Flag, Moment, Prevent, Stage};
use crate::effect::{Ctx, Origin, Source};
use crate::eval::Env;
use crate::seeds::{CardNo, EventNo, Fate, GiftNo, PotionNo, RelicNo};
use crate::state::{Card, DeckCard, NO_CARD, NOBODY, NONE, PLAYER, State};

/// How something is stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ward {
    /// How far the counter falls.
    pub(super) spends: i16,
    /// What happens instead.
    pub(super) program: Program,
}

/// A card as it enters the deck.
pub(super) fn entering(card: CardNo, up: u8) -> DeckCard {
    DeckCard { id: card.0, up, bottled: false, grown: 0 }
}

impl<'g> Journey<'g> {
    fn ears(&self, relic: u16) -> Option<&'g Ears> {
        self.game.catalog.relics.get(usize::from(relic)).map(|info| &info.ears)
    }

    /// An event.
    pub fn event(&self, event: EventNo) -> Option<&'g EventInfo> {
        self.game.catalog.events.get(usize::from(event.0))
    }

    /// An option of the event under way.
    pub fn option(&self, s: &State, option: u8) -> Option<&'g OptionInfo> {
        let event = s.tower.event()?;
        self.event(event.event)?.nodes.get(usize::from(event.node))?.options.get(usize::from(option))
    }

    /// A step.
    pub fn step(&self, at: StepAt) -> Option<&'g Op> {
        self.game.catalog.step(at.program, at.pc)
    }

    /// The steps of a program.
    pub fn steps(&self, program: Program) -> &'g [Op] {
        self.game.catalog.programs.get(usize::from(program)).map_or(&[], Vec::as_slice)
    }

    /// What a gift of Neow's does, or costs, besides what the seed decides.
    pub fn gift(&self, gift: GiftNo) -> Program {
        self.game.catalog.gifts.get(usize::from(gift)).map_or_else(Program::default, |info| info.program)
    }

    /// The relic that a step names, or the one that the player began with.
    pub(super) fn named_or_starter(&self, s: &State, relic: Option<Id>) -> RelicNo {
        relic.map_or_else(|| self.tables.of(s.tower.fate.character).starter_relic(), RelicNo)
    }

    /// What the values of an entry read: the state, and the counter of the relic at that place of the row.
    fn at<'s>(&self, s: &'s State, place: Option<usize>) -> Env<'s> {
        let source = match place.and_then(|place| u8::try_from(place).ok()) {
            Some(place) => Source::of(Origin::Relic(place)),
            None => Source::of(Origin::Rules),
        };
        Env::new(s, Ctx { owner: PLAYER, other: NOBODY, card: NO_CARD, n: 0, event: 0, source })
    }

    fn of_relic<'s>(&self, s: &'s State, relic: u16) -> Env<'s> {
        self.at(s, s.run.relics.iter().position(|owned| owned.id == relic))
    }

    /// What the values of a program read; `number` is that of what it follows from.
    pub(super) fn within<'s>(&self, s: &'s State, program: Program, number: i32) -> Env<'s> {
        let catalog = &self.game.catalog;
        let mut at = match catalog.voices.get(usize::from(program)) {
            Some(Voice::Relic(relic)) => self.of_relic(s, *relic),
            Some(Voice::Potion(potion)) => {
                let mut at = self.at(s, None);
                let potency = catalog.potions.get(usize::from(*potion)).map_or(0, |info| info.potency);
                at.ctx.n = self.altered(s, Stage::Potency, potency).clamp(0, 30_000) as i16;
                at
            }
            Some(Voice::Other) | None => self.at(s, None),
        };
        at.number = Some(number);
        at
    }

    /// The relic whose program it is.
    pub(super) fn speaker(&self, program: Program) -> Option<RelicNo> {
        match self.game.catalog.voices.get(usize::from(program)) {
            Some(Voice::Relic(relic)) => Some(RelicNo(*relic)),
            Some(Voice::Potion(_) | Voice::Other) | None => None,
        }
    }

    /// The least and the most of a number that is rolled when its step happens.
    pub(super) fn rolled(&self, num: Num, at: &Env<'_>) -> Option<(i32, i32)> {
        let Num::Expr(index) = num else { return None };
        match self.game.catalog.exprs.get(usize::from(index))? {
            Node::Read(Read::RollBetween, Val::Expr(least), Val::Expr(most)) => {
                Some((self.game.eval(*least, at), self.game.eval(*most, at)))
            }
            Node::Ascension(levels) => {
                let level = usize::from(at.s.run.ascension).min(levels.len() - 1);
                self.rolled(Num::Expr(levels[level]), at)
            }
            Node::Int(_) | Node::Read(..) | Node::Two(..) | Node::Not(_) => None,
        }
    }

    /// The value of a number. Only a roll draws, from the floor's own stream.
    pub(super) fn amount(&self, num: Num, at: &Env<'_>, fate: &mut Fate) -> i32 {
        match self.rolled(num, at) {
            Some((least, most)) => fate.streams.misc.int(least, most.max(least)),
            None => self.game.num(num, at),
        }
    }

    /// The relic whose place a relic takes.
    pub(super) fn replaced_by(&self, relic: RelicNo) -> Option<RelicNo> {
        self.game.catalog.relics.get(usize::from(relic))?.replaces.map(RelicNo)
    }

    /// The counter a relic starts with.
    pub fn first_counter(&self, relic: RelicNo) -> i16 {
        self.game.catalog.relics.get(usize::from(relic)).map_or(0, |info| info.start)
    }

    /// How many potion slots come and go with a relic.
    pub(super) fn slots_of(&self, relic: RelicNo) -> i8 {
        let alters = self.ears(relic.0).into_iter().flat_map(|ears| &ears.alters);
        let slots = alters.filter(|alter| alter.stage == Stage::PotionSlots);
        let more = slots.map(|alter| match alter.change {
            Alteration::Add(Num::Const(more)) => more.clamp(0, 10) as i8,
            _ => 0,
        });
        more.sum()
    }

    /// A number of the rules after the relics of a run have changed it.
    pub fn altered(&self, s: &State, stage: Stage, base: i32) -> i32 {
        self.altering(s, stage, base, |_, _| {})
    }

    /// The same, telling the place of every relic that changes it, and the number after it.
    pub(super) fn altering(&self, s: &State, stage: Stage, base: i32, mut tell: impl FnMut(u8, i32)) -> i32 {
        let bit = 1_u64 << stage as u64;
        let mut found: SmallVec<[(usize, &Alter); 4]> = SmallVec::new();
        for (place, owned) in s.run.relics.iter().enumerate() {
            let Some(ears) = self.ears(owned.id).filter(|ears| ears.stages & bit != 0) else { continue };
            let own = ears.alters.iter().filter(|alter| alter.stage == stage);
            found.extend(own.map(|alter| (place, alter)));
        }
        found.sort_by_key(|(_, alter)| alter.at);
        let change = |number, (place, alter): (usize, &Alter)| {
            let number = self.changed(alter, number, self.at(s, Some(place)));
            tell(place as u8, number);
            number
        };
        found.into_iter().fold(base, change)
    }

    /// What one relic of the run makes of a number.
    pub(super) fn altered_by(&self, s: &State, relic: RelicNo, stage: Stage, base: i32) -> i32 {
        let alters = self.ears(relic.0).into_iter().flat_map(|ears| &ears.alters);
        let own = alters.filter(|alter| alter.stage == stage);
        own.fold(base, |number, alter| self.changed(alter, number, self.of_relic(s, relic.0)))
    }

    fn changed(&self, alter: &Alter, number: i32, mut at: Env<'_>) -> i32 {
        at.number = Some(number);
        if self.game.holds(alter.when, &at) { self.game.change(alter, &at, number) } else { number }
    }

    /// Whether a relic of the run has a property.
    pub(crate) fn flagged(&self, s: &State, flag: Flag) -> bool {
        s.run.relics.iter().any(|owned| self.ears(owned.id).is_some_and(|ears| ears.has(flag)))
    }

    /// Whether a relic of the run stops something.
    pub(crate) fn prevents(&self, s: &State, what: Prevent) -> bool {
        s.run.relics.iter().any(|owned| self.ward(s, RelicNo(owned.id), what, None).is_some())
    }

    /// How a relic of the run stops something now, if it does.
    pub(super) fn ward(
        &self,
        s: &State,
        relic: RelicNo,
        what: Prevent,
        card: Option<DeckCard>,
    ) -> Option<Ward> {
        let ears = self.ears(relic.0).filter(|ears| ears.stops >> what as u32 & 1 == 1)?;
        let at = with_card(self.of_relic(s, relic.0), card);
        let mut stops = ears.preventions.iter();
        let stop = stops.find(|stop| stop.what == what && self.game.holds(stop.when, &at))?;
        let spends = stop.spend.map_or(0, |spend| self.game.short(spend, &at));
        Some(Ward { spends, program: stop.program })
    }

    /// Whether a relic has a say in what happens to a number, or stops such a thing at times.
    pub(super) fn minds(&self, relic: u16, stage: Option<Stage>, what: Option<Prevent>) -> bool {
        self.ears(relic).is_some_and(|ears| {
            stage.is_some_and(|stage| ears.stages >> stage as u64 & 1 == 1)
                || what.is_some_and(|what| ears.stops >> what as u32 & 1 == 1)
        })
    }

    /// Whether a relic acts at a moment at times.
    pub(super) fn hears(&self, relic: u16, moment: Moment) -> bool {
        self.ears(relic).is_some_and(|ears| ears.hears(moment))
    }

    /// The programs with which a relic answers a moment; `event` is its number, `card` its card.
    pub fn deeds(
        &self,
        s: &State,
        relic: RelicNo,
        moment: Moment,
        event: i32,
        card: Option<DeckCard>,
    ) -> SmallVec<[Program; 2]> {
        match self.ears(relic.0).filter(|ears| ears.hears(moment)) {
            Some(ears) => self.answers_to(ears, moment, with_card(self.of_relic(s, relic.0), card), event),
            None => SmallVec::new(),
        }
    }

    /// What a card does when it leaves the deck.
    pub(super) fn card_deeds(&self, s: &State, card: CardNo) -> SmallVec<[Program; 2]> {
        match self.game.catalog.cards.get(usize::from(card)) {
            Some(info) => self.answers_to(&info.forms[0].ears, Moment::RemovedFromDeck, self.at(s, None), 0),
            None => SmallVec::new(),
        }
    }

    fn answers_to(&self, ears: &Ears, moment: Moment, mut at: Env<'_>, event: i32) -> SmallVec<[Program; 2]> {
        at.number = Some(event);
        let hooks = ears.hooks.iter().filter(|hook| hook.moment == moment && hook.on_the_way);
        hooks.filter(|hook| self.game.holds(hook.when, &at)).map(|hook| hook.program).collect()
    }

    /// Whether a relic upgrades a card that comes into the deck.
    pub(super) fn hatches(&self, s: &State, relic: u16, card: CardNo, up: u8) -> bool {
        let Some(ears) = self.ears(relic) else { return false };
        let at = with_card(self.of_relic(s, relic), Some(entering(card, up)));
        !self.answers_to(ears, Moment::CardObtaining, at, 0).is_empty()
    }

    /// What the relic at a place of the row offers at campfires, if it does now: the name of it and its steps.
    pub(super) fn at_fire(&self, s: &State, place: usize) -> Option<(&'g str, Program)> {
        let relic = s.run.relics.get(place)?.id;
        let (name, when, program) = self.game.catalog.relics.get(usize::from(relic))?.rest_option.as_ref()?;
        self.game.holds(*when, &self.at(s, Some(place))).then_some((name.as_str(), *program))
    }

    /// The relic of the run that offers something in place of a card, and its steps.
    pub(super) fn for_cards(&self, s: &State) -> Option<(RelicNo, Program)> {
        s.run.relics.iter().enumerate().find_map(|(place, owned)| {
            let info = self.game.catalog.relics.get(usize::from(owned.id))?;
            let (_, when, program) = info.reward_option.as_ref()?;
            self.game.holds(*when, &self.at(s, Some(place))).then_some((RelicNo(owned.id), *program))
        })
    }

    /// The potion that saves its owner now: its slot and what it does.
    pub(super) fn saviour(&self, s: &State) -> Option<(u8, Program)> {
        s.run.potions.iter().enumerate().filter(|(_, potion)| **potion != NONE).find_map(|(slot, potion)| {
            let ears = &self.game.catalog.potions.get(usize::from(*potion))?.ears;
            let stop = ears.preventions.iter().find(|stop| stop.what == Prevent::Death)?;
            self.game.holds(stop.when, &self.at(s, None)).then_some((slot as u8, stop.program))
        })
    }

    /// What a potion does between fights; `None` if it cannot be drunk there.
    pub fn drink(&self, potion: PotionNo) -> Option<Program> {
        let info = self.game.catalog.potions.get(usize::from(potion.0)).filter(|info| info.anywhere)?;
        let saves = info.ears.preventions.iter().any(|stop| stop.what == Prevent::Death);
        (!saves).then_some(info.program)
    }

    /// Whether a card of the deck passes a filter.
    pub(super) fn passes(&self, filter: Option<u16>, card: DeckCard, at: &Env<'_>) -> bool {
        filter.is_none() || self.game.holds(filter, &with_card(*at, Some(card)))
    }

    /// The deck positions of cards that pass a filter.
    pub(super) fn passing(&self, filter: Option<u16>, at: &Env<'_>) -> SmallVec<[u16; 24]> {
        let deck = at.s.run.deck.iter().enumerate();
        let passing = deck.filter(|(_, card)| self.passes(filter, **card, at));
        passing.map(|(index, _)| index as u16).collect()
    }

    /// Whether an option of an event may be chosen.
    pub fn option_allowed(&self, s: &State, option: &OptionInfo) -> bool {
        self.game.holds(option.when, &self.at(s, None))
    }
}

/// The same with a card of the deck under test.
fn with_card(mut at: Env<'_>, card: Option<DeckCard>) -> Env<'_> {
    at.test = card.map(|card| (Card::of_deck(card), NO_CARD));
    at
}

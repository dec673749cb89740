//! Whether a fact that comes from outside names only what is there, so that it can be written.
//!
//! Facts of one's own rules always fit. Those of an old match file may not: its content may be gone.

use crate::event::{Choice, Event, Order};
use crate::game::Spire;
use crate::state::{NO_CARD, NOBODY, NONE, Slot, State};

/// What there is for facts to name.
pub(crate) struct There<'a> {
    pub(crate) spire: &'a Spire,
    pub(crate) s: &'a State,
}

impl There<'_> {
    pub(crate) fn body(&self, who: u8) -> bool {
        usize::from(who) < self.s.combat.bodies.len()
    }

    pub(crate) fn card(&self, slot: Slot) -> bool {
        usize::from(slot) < self.s.combat.cards.len()
    }

    fn cards(&self, slots: &[Slot]) -> bool {
        slots.iter().all(|&slot| self.card(slot))
    }

    pub(crate) fn held(&self, slot: Slot) -> bool {
        slot == NO_CARD || self.card(slot)
    }

    pub(crate) fn kind_of_card(&self, id: u16) -> bool {
        usize::from(id) < self.spire.catalog.cards.len()
    }

    pub(crate) fn power(&self, id: u16) -> bool {
        usize::from(id) < self.spire.catalog.powers.len()
    }

    pub(crate) fn program(&self, program: u16) -> bool {
        usize::from(program) < self.spire.catalog.programs.len()
    }

    fn order(&self, order: &Order) -> bool {
        match order {
            Order::Kept | Order::Key(_) | Order::Hidden => true,
            Order::Cards(cards) => self.cards(cards),
        }
    }
}

impl Spire {
    /// Whether every body, card and entry that a fact names is there.
    pub(crate) fn has_all_of(&self, s: &State, event: &Event) -> bool {
        let there = There { spire: self, s };
        let catalog = &self.catalog;
        let stance = |id: u16| usize::from(id) < catalog.stances.len();
        let potion = |index: u8| usize::from(index) < s.run.potions.len();
        match event {
            Event::Run(event) => self.journey().has_all_of(s, event),
            Event::Hit { by, to, card, on_kill, spent, .. } => {
                there.body(*to)
                    && (*by == NOBODY || there.body(*by))
                    && there.held(*card)
                    && there.program(*on_kill)
                    && (*spent == NONE || there.power(*spent))
            }
            Event::Applied { by, to, power, .. } => {
                there.body(*to) && (*by == NOBODY || there.body(*by)) && there.power(*power)
            }
            Event::Reduced { to, power, .. } | Event::Stored { to, power, .. } => {
                there.body(*to) && there.power(*power)
            }
            Event::Blocked { to, .. }
            | Event::Guarded { to, .. }
            | Event::Healed { to, .. }
            | Event::HpSet { to, .. }
            | Event::BlockCleared { to, .. }
            | Event::Stripped { to } => there.body(*to),
            Event::Died { who, .. }
            | Event::HalfDied { who }
            | Event::Acted { who, .. }
            | Event::Escaped { who }
            | Event::Revived { who, .. }
            | Event::VarSet { who, .. }
            | Event::Stole { who, .. }
            | Event::Forgot { who }
            | Event::Spared { who }
            | Event::EnemyStarted { who, .. } => there.body(*who),
            Event::RoundBlock { left } | Event::MonstersStarted { left } => {
                left.iter().all(|(who, _)| there.body(*who))
            }
            Event::WornOff { worn, .. } => {
                worn.iter().all(|worn| there.body(worn.who) && there.power(worn.power))
            }
            Event::LimboReturned { cards } => cards.iter().all(|(slot, _)| there.card(*slot)),
            Event::Intended { who, mv, .. } => {
                let kind = s.combat.bodies.get(usize::from(*who)).map(|body| usize::from(body.kind));
                let monster = kind.and_then(|kind| catalog.monsters.get(kind));
                monster.is_some_and(|monster| usize::from(*mv) < monster.moves.len())
            }
            Event::Cleansed { to, powers } => there.body(*to) && powers.iter().all(|id| there.power(*id)),
            Event::Faced { who, power, behind } => {
                there.body(*who)
                    && (*power == NONE || there.power(*power))
                    && behind.iter().all(|who| there.body(*who))
            }
            Event::StanceChanged { from, to } => stance(*from) && stance(*to),
            Event::Drew { cards, costs, .. } => {
                let mut priced = costs.iter().flat_map(|costs| &costs.cards);
                let fits = cards.as_slice().len() <= s.combat.draw.len();
                fits && there.cards(cards.as_slice()) && priced.all(|(slot, _)| there.card(*slot))
            }
            Event::Shuffled { order, .. } | Event::DrawShuffled { order, .. } => there.order(order),
            Event::Discarded { slot, .. }
            | Event::Exhausted { slot, .. }
            | Event::Kept { slot }
            | Event::Moved { slot, .. }
            | Event::Upgraded { slot, .. }
            | Event::Priced { slot, .. }
            | Event::Retained { slot }
            | Event::Played { slot, .. }
            | Event::Taken { slot, .. }
            | Event::Ran { slot, .. }
            | Event::Obtained { slot } => there.card(*slot),
            Event::CardTaken { who, slot, .. } | Event::CardReturned { who, slot, .. } => {
                there.body(*who) && there.card(*slot)
            }
            Event::Grew { slot, cards, .. } => there.card(*slot) && there.cards(cards),
            Event::HandKept { discarded } => there.cards(discarded.as_slice()),
            Event::Created { card, .. } | Event::Conjured { card, .. } | Event::Found { card } => {
                there.kind_of_card(*card)
            }
            Event::Copied { of, .. } => there.card(*of),
            Event::DeckUpgraded { index, .. } => usize::from(*index) < s.run.deck.len(),
            Event::Channeled { orb, .. } => usize::from(*orb) < catalog.orbs.len(),
            Event::Evoked { orb, last, .. } => {
                usize::from(*orb) < catalog.orbs.len() && (!last || !s.combat.orbs.is_empty())
            }
            Event::PotionUsed { index, potion: id, .. } | Event::PotionTossed { index, potion: id } => {
                potion(*index) && usize::from(*id) < catalog.potions.len()
            }
            Event::PotionGained { potion, .. } => usize::from(*potion) < catalog.potions.len(),
            Event::Spawned { kind, .. } => usize::from(*kind) < catalog.monsters.len(),
            Event::Counted { place, .. } => usize::from(*place) < s.run.relics.len(),
            Event::Selected(selected) => match &selected.choice {
                Choice::Option(_) => there.program(selected.program),
                Choice::Cards { cards, hand, .. } => {
                    there.program(selected.program) && there.cards(cards) && there.cards(hand)
                }
            },
            Event::Offered(offered) => {
                there.program(offered.program) && offered.cards.iter().all(|(id, _)| there.kind_of_card(*id))
            }
            // What names nobody and nothing, or looks before it writes.
            Event::Moment { .. }
            | Event::MaxHpChanged { .. }
            | Event::OrbStored { .. }
            | Event::EnergyChanged { .. }
            | Event::OfferClosed
            | Event::Aimed { .. }
            | Event::PassiveFired { .. }
            | Event::SlotsChanged { .. }
            | Event::TurnEnding { .. }
            | Event::EndMarked { .. }
            | Event::GoldChanged { .. }
            | Event::Spoke { .. }
            | Event::Decayed { .. }
            | Event::TurnStarted { .. }
            | Event::TurnCardsReset
            | Event::TurnMarked
            | Event::TurnHurt
            | Event::Began
            | Event::Left
            | Event::AttackCountReset
            | Event::Won
            | Event::Lost
            | Event::Fled => !s.combat.bodies.is_empty() || !writes_the_player(event),
        }
    }
}

/// Whether the player's body is written, which must then be there.
fn writes_the_player(event: &Event) -> bool {
    matches!(
        event,
        Event::MaxHpChanged { .. }
            | Event::TurnStarted { .. }
            | Event::TurnMarked
            | Event::TurnHurt
            | Event::Decayed { .. }
            | Event::Left
            | Event::Won
            | Event::Lost
            | Event::Fled
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fight, Ruleset, Setup};
    use turnstone::dice::{Draw, Lots, Stream};
    use turnstone::{Entry, Fact, Game, Live, Log, Position, Resolver, fold};

    const PLAYER: Stream = Stream::named("facts");

    /// A fight in which everything is drawn at random that can be, played at random.
    fn facts(spire: &Spire, seed: u64) -> (State, Vec<Event>) {
        let deck = "seek true_grit havoc discovery jack_of_all_trades chrysalis wild_strike madness enlightenment \
                    deep_breath bouncing_flask sword_boomerang infernal_blade violence warcry headbutt";
        let fight = Fight {
            encounter: Some(["jaw_worm", "gremlin_gang", "automaton"][seed as usize % 3].into()),
            deck: Some(deck.split_whitespace().map(str::to_owned).collect()),
            relics: Some(vec!["snecko_eye".into(), "sundial".into()]),
            hp: Some(300),
            max_hp: Some(300),
            ..Fight::default()
        };
        let state = spire.start(&Setup::fight(fight), seed).expect("a fight");
        let mut position = Position::<Spire>::new(state.clone());
        let (mut log, mut resolver) = (Log::<Spire>::default(), Resolver::default());
        let mut lots = Lots::new(seed, PLAYER);
        for _ in 0..60 {
            let Some(input) = lots.pick(&position.inputs(spire)).cloned() else { break };
            resolver.act(spire, &mut position, &input, &mut log).expect("a legal input");
        }
        let events = log.entries().iter().filter_map(|Entry { fact, .. }| match fact {
            Fact::Event(event) => Some(event.clone()),
            _ => None,
        });
        (state, events.collect())
    }

    /// Facts say what happened: writing them needs no dice. A state whose dice lie otherwise becomes the same by
    /// them, the dice apart.
    #[test]
    fn facts_are_written_without_dice() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        for seed in 0..12 {
            let (start, events) = facts(&spire, seed);
            assert!(events.iter().any(|event| matches!(event, Event::Drew { costs: Some(_), .. })), "{seed}");
            let mut other = start.clone();
            other.run.seed ^= 0x5eed;
            other.run.dice = other.run.dice.map(|_| crate::dice::FightDice::on_floor(other.run.seed, 7));
            let mut state = start;
            for event in &events {
                assert!(spire.has_all_of(&state, event), "{event:?}");
                spire.apply(&mut state, event);
                spire.apply(&mut other, event);
                assert_eq!(state.combat, other.combat, "seed {seed}, {event:?}");
            }
        }
    }

    /// The state without its dice.
    fn diceless(state: &State) -> State {
        let mut state = state.clone();
        (state.run.seed, state.run.dice) = (0, None);
        let fate = &mut state.tower.edit().fate;
        (fate.seed, fate.streams) = (0, crate::seeds::Streams::new(0));
        state
    }

    /// The fact with other dice behind it than those that it leaves.
    fn with_other_dice(event: &Event, lots: &mut Lots) -> Event {
        let mut event = event.clone();
        if let Event::Run(event) = &mut event
            && let Some(change) = event.change_mut()
        {
            change.streams.iter_mut().for_each(|(_, stream)| *stream = stream.redrawn(lots.next_u64()));
        }
        event
    }

    /// The same of a whole run: maps, fights, rewards, shops and events are facts. Who is met, with how many HP, and
    /// how the draw pile lies then, too.
    #[test]
    fn facts_of_a_run_are_written_without_dice() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let (mut fights, mut kinds) = (0, std::collections::BTreeSet::new());
        for seed in 0..8 {
            let who = ["ironclad", "silent", "defect", "watcher"][seed as usize % 4];
            let mut position = Position::<Spire>::new(spire.start(&Setup::run(who, 0), seed).expect("a run"));
            let mut live = Live { state: position.state().clone(), pending: None, serial: 0 };
            let (mut log, mut resolver) = (Log::<Spire>::default(), Resolver::default());
            let mut lots = Lots::new(seed, PLAYER);
            for _ in 0..200 {
                let Some(input) = lots.pick(&position.inputs(&spire)).cloned() else { break };
                resolver.act(&spire, &mut position, &input, &mut log).expect("a legal input");
            }
            for Entry { fact, .. } in log.entries() {
                let mut other = live.state.clone();
                spire.redraw_dice(&mut other, &mut lots);
                assert!(fact.event().is_none_or(|event| spire.fits(&live.state, event)), "{fact:?}");
                fold(&spire, &mut live, fact);
                let Fact::Event(event) = fact else { continue };
                spire.apply(&mut other, &with_other_dice(event, &mut lots));
                assert_eq!(diceless(&live.state), diceless(&other), "seed {seed}, {event:?}");
                if let Event::Run(event) = event {
                    fights += usize::from(matches!(**event, crate::run::event::Event::FightBegan { .. }));
                    kinds.insert(format!("{:?}", std::mem::discriminant(&**event)));
                }
            }
        }
        assert!(fights > 8 && kinds.len() > 15, "{fights} fights, {} kinds of facts", kinds.len());
    }

    /// Matches of rules 3 and before do not list the powers that wear off: they lead to the same.
    #[test]
    fn powers_wear_off_alike_whether_they_are_listed_or_not() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let text = "energy 3; weak 2; vulnerable 1; frail 3; enemy: jaw_worm 40/44 intends chomp; weak 1; vulnerable 3";
        let setup = spire.situation(text).expect("a situation");
        let state = spire.start(&setup, 1).expect("a fight");
        let mut changed = 0;
        for (when, player, monsters) in [(0, true, true), (1, true, false), (2, true, true), (0, false, true)]
        {
            let (mut listed, mut told) = (state.clone(), state.clone());
            let worn = spire.wearing_off(&state, when, player, monsters);
            changed += worn.len();
            spire.apply(&mut listed, &Event::WornOff { when, worn });
            spire.apply(&mut told, &Event::Decayed { when, player, monsters });
            assert_eq!(listed, told, "time {when}");
        }
        assert!(changed > 4, "{changed} powers wore off");
    }

    /// Facts that name what is not there are told apart before they are written.
    #[test]
    fn facts_of_another_content_do_not_fit() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let (state, events) = facts(&spire, 1);
        let wild = [
            Event::Blocked { to: 99, amount: 1 },
            Event::Discarded { slot: 9999, effect: false },
            Event::Reduced { to: 0, power: 9999, by: 1, gone: false },
            Event::Found { card: 9999 },
            Event::Intended { who: 1, kind: 0, mv: 99, rolls: crate::dice::Rolls::NONE },
        ];
        for event in wild {
            assert!(!spire.fits(&state, &event), "{event:?}");
        }
        assert!(spire.fits(&state, &events[0]));
    }
}

//! Numbers that some events draw the moment they are entered.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::fate::Fate;
use super::holder::{DeckCard, Holder};
use super::ids::{CardNo, EventNo, FightNo, PotionNo, Rarity};
use super::java::java_shuffle;
use super::stream::Stream;
use super::tables::{Entry, Tables};
use crate::catalog::events::Draws;
use crate::catalog::words::CardType;

/// What an event drew on entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventDetail {
    /// Order in which the finds turn up, and what guards them.
    GuardedFinds {
        /// 0 gold, 1 nothing, 2 relic.
        order: [u8; 3],
        /// The guardian.
        guardian: FightNo,
    },
    /// Which two services are offered.
    TwoServices {
        /// Adjusting upgrades one chosen card (else two random ones).
        upgrade_one: bool,
        /// Clean-up removes a card (else transforms two).
        clean_up_removes: bool,
    },
    /// Deck positions of the cards that may be lost.
    OneOfEachType {
        /// An attack.
        attack: Option<u16>,
        /// A skill.
        skill: Option<u16>,
        /// A power.
        power: Option<u16>,
    },
    /// Potions on the table.
    Potions {
        /// Which.
        potions: SmallVec<[PotionNo; 3]>,
    },
    /// What may be traded for a relic.
    Belongings {
        /// Position of a potion.
        potion: Option<u8>,
        /// An amount of gold.
        gold: Option<u32>,
        /// Position of a card.
        card: Option<u16>,
    },
    /// Gold that leaving costs.
    Gold {
        /// How much.
        gold_loss: u32,
    },
    /// The memory game, four columns by three rows.
    Pairs {
        /// Cards by 4 x row + column.
        board: [CardNo; 12],
    },
}

impl EventDetail {
    /// Whether the player finds it out only later.
    pub(crate) fn is_secret(&self) -> bool {
        matches!(
            self,
            EventDetail::GuardedFinds { .. } | EventDetail::Pairs { .. } | EventDetail::Potions { .. }
        )
    }
}

impl Fate {
    /// Draws what an event needs on entry; most need nothing.
    pub fn enter_event(
        &mut self,
        tables: &Tables,
        holder: &Holder<'_>,
        event: EventNo,
    ) -> Option<EventDetail> {
        Some(match tables.entry(event)? {
            Entry::GuardedFinds(guardians) => self.guarded_finds(guardians),
            Entry::Plain(draws) => return self.draw_on_entry(tables, holder, draws),
        })
    }

    fn draw_on_entry(&mut self, tables: &Tables, holder: &Holder<'_>, draws: &Draws) -> Option<EventDetail> {
        let harsh = tables.hardship(self.ascension).harsh_events;
        Some(match draws {
            Draws::GuardedFinds(_) => return None,
            Draws::TwoServices => EventDetail::TwoServices {
                upgrade_one: self.streams.misc.bool(),
                clean_up_removes: self.streams.misc.bool(),
            },
            Draws::ACardOfEachType => self.one_of_each_type(holder),
            Draws::Potions => {
                let count = if harsh { 2 } else { 3 };
                EventDetail::Potions { potions: (0..count).map(|_| self.any_potion(tables)).collect() }
            }
            Draws::Belongings => self.belongings(holder),
            Draws::Gold => {
                let (low, high) = if harsh { (35, 75) } else { (20, 50) };
                let loss = self.streams.misc.int(low, high) as u32;
                EventDetail::Gold { gold_loss: loss.min(holder.gold) }
            }
            Draws::Pairs => self.pairs(tables),
        })
    }

    fn guarded_finds(&mut self, guardians: &[FightNo]) -> EventDetail {
        let mut order = [0, 1, 2];
        java_shuffle(&mut order, self.streams.misc.long());
        let guardian = guardians[self.streams.misc.index(guardians.len())];
        EventDetail::GuardedFinds { order, guardian }
    }

    fn one_of_each_type(&mut self, holder: &Holder<'_>) -> EventDetail {
        let misc = &mut self.streams.misc;
        EventDetail::OneOfEachType {
            attack: one_of(misc, holder.deck, CardType::Attack),
            skill: one_of(misc, holder.deck, CardType::Skill),
            power: one_of(misc, holder.deck, CardType::Power),
        }
    }

    fn belongings(&mut self, holder: &Holder<'_>) -> EventDetail {
        let potion = (!holder.potions.is_empty()).then(|| {
            let misc = &mut self.streams.misc;
            let seed = if self.rules.original() { misc.long() } else { misc.raw() };
            let mut slots: SmallVec<[u8; 5]> = (0..holder.potions.len() as u8).collect();
            java_shuffle(&mut slots, seed);
            slots[0]
        });
        let gold = (holder.gold >= 50).then(|| self.streams.misc.int(50, holder.gold.min(150) as i32) as u32);
        let mut cards: SmallVec<[u16; 32]> = (0..holder.deck.len() as u16)
            .filter(|&i| !holder.deck[usize::from(i)].basic)
            .filter(|&i| !matches!(holder.deck[usize::from(i)].kind, CardType::Curse | CardType::Status))
            .collect();
        let card = (!cards.is_empty()).then(|| {
            java_shuffle(&mut cards, self.streams.misc.long());
            cards[0]
        });
        EventDetail::Belongings { potion, gold, card }
    }

    fn pairs(&mut self, tables: &Tables) -> EventDetail {
        let rare = self.class_card(tables, Rarity::Rare);
        let uncommon = self.class_card(tables, Rarity::Uncommon);
        let common = self.class_card(tables, Rarity::Common);
        let harsh = tables.hardship(self.ascension).harsh_events;
        let fourth = if harsh { self.random_curse(tables) } else { self.uncommon_colorless(tables) };
        let curse = self.random_curse(tables);
        let pairs = [rare, uncommon, common, fourth, curse, tables.of(self.character).memory_card];
        let mut order: [usize; 12] = std::array::from_fn(|i| i % 6);
        java_shuffle(&mut order, self.streams.misc.long());
        let mut board = [CardNo::default(); 12];
        for (i, pair) in order.into_iter().enumerate() {
            board[4 * (i % 3) + i % 4] = pairs[pair];
        }
        EventDetail::Pairs { board }
    }

    fn class_card(&mut self, tables: &Tables, rarity: Rarity) -> CardNo {
        let list = &tables.of(self.character).by_rarity[rarity as usize];
        list[self.streams.card.index(list.len())]
    }

    /// The first uncommon card of the colorless list, which stays shuffled for the act.
    fn uncommon_colorless(&mut self, tables: &Tables) -> CardNo {
        let uncommon = &tables.colorless[0];
        self.colorless_where(tables, |card| uncommon.contains(card)).unwrap_or(uncommon[0])
    }

    /// A random colorless card that passes a test: the first of all of them, shuffled.
    pub(crate) fn colorless_where(
        &mut self,
        tables: &Tables,
        fits: impl Fn(&CardNo) -> bool,
    ) -> Option<CardNo> {
        if self.colorless.is_empty() {
            self.colorless.clone_from(&tables.colorless_base);
        }
        java_shuffle(&mut self.colorless, self.streams.shuffle.long());
        self.colorless.iter().copied().find(fits)
    }
}

fn one_of(misc: &mut Stream, deck: &[DeckCard], kind: CardType) -> Option<u16> {
    let of_kind: SmallVec<[u16; 32]> =
        (0..deck.len() as u16).filter(|&i| deck[usize::from(i)].kind == kind).collect();
    if of_kind.is_empty() { None } else { Some(of_kind[misc.index(of_kind.len())]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::bench::{NOBODY, card, run};
    use crate::seeds::{Rules, Streams};

    /// What an event draws, and how many draws of misc, card, potion and shuffle it takes.
    fn entered(name: &str, holder: &Holder<'_>, ascension: u8, seed: u64) -> (EventDetail, [u32; 4]) {
        let tables = Tables::embedded();
        let mut fate = run(ascension, Rules::Original);
        fate.streams = Streams::new(seed);
        let event = tables.events.find(name).expect("an event");
        let detail = fate.enter_event(tables, holder, event).expect("a detail");
        let s = &fate.streams;
        (detail, [s.misc, s.card, s.potion, s.shuffle].map(|stream| stream.counter()))
    }

    #[test]
    fn entries_take_their_draws() {
        let (detail, draws) = entered("dead_adventurer", &NOBODY, 0, 3);
        let EventDetail::GuardedFinds { mut order, guardian } = detail else { panic!("{detail:?}") };
        order.sort_unstable();
        let guardians = ["three_sentries", "gremlin_nob", "lagavulin_event"];
        assert!(order == [0, 1, 2] && guardians.contains(&Tables::embedded().fights.name(guardian)));
        assert_eq!(draws, [2, 0, 0, 0]);
        assert_eq!(entered("designer_in_spire", &NOBODY, 0, 3).1, [2, 0, 0, 0]);
        assert_eq!(entered("lab", &NOBODY, 14, 3).1, [0, 0, 3, 0]);
        assert_eq!(entered("lab", &NOBODY, 15, 3).1, [0, 0, 2, 0]);
        assert_eq!(entered("match_and_keep", &NOBODY, 14, 3).1, [1, 4, 0, 1]);
        assert_eq!(entered("match_and_keep", &NOBODY, 15, 3).1, [1, 5, 0, 0]);
    }

    #[test]
    fn goop_takes_no_more_than_there_is() {
        for seed in 0..100 {
            let loss = |gold, ascension| {
                let (detail, draws) = entered("world_of_goop", &Holder { gold, ..NOBODY }, ascension, seed);
                assert_eq!(draws, [1, 0, 0, 0]);
                let EventDetail::Gold { gold_loss } = detail else { panic!("{detail:?}") };
                gold_loss
            };
            assert!((20..=50).contains(&loss(200, 14)) && (35..=75).contains(&loss(200, 15)));
            assert_eq!(loss(10, 0), 10);
        }
    }

    #[test]
    fn a_fall_draws_for_every_kind_there_is() {
        let deck = [
            card("ascenders_bane", CardType::Curse, false),
            card("anger", CardType::Attack, false),
            card("inflame", CardType::Power, false),
            card("strike_ironclad", CardType::Attack, true),
        ];
        for seed in 0..50 {
            let (detail, draws) = entered("falling", &Holder { deck: &deck, ..NOBODY }, 0, seed);
            let EventDetail::OneOfEachType { attack, skill, power } = detail else { panic!("{detail:?}") };
            assert!(matches!(attack, Some(1 | 3)) && skill.is_none() && power == Some(2));
            assert_eq!(draws, [2, 0, 0, 0], "none for the missing kind");
        }
    }

    #[test]
    fn an_old_friend_wants_what_there_is() {
        let deck = [
            card("strike_ironclad", CardType::Attack, true),
            card("regret", CardType::Curse, false),
            card("anger", CardType::Attack, false),
        ];
        let potions = [PotionNo(1), PotionNo(2)];
        for (gold, potions, deck, wanted, draws) in [
            (49, &[][..], &deck[..2], [false, false, false], 0),
            (50, &[], &deck[..2], [false, true, false], 1),
            (500, &potions[..], &deck[..], [true, true, true], 3),
            (0, &potions[..], &deck[..2], [true, false, false], 1),
            (0, &[], &deck[..], [false, false, true], 1),
        ] {
            let holder = Holder { gold, potions, deck, ..NOBODY };
            let (detail, counted) = entered("we_meet_again", &holder, 0, 5);
            let EventDetail::Belongings { potion, gold: asked, card } = detail else { panic!("{detail:?}") };
            assert_eq!([potion.is_some(), asked.is_some(), card.is_some()], wanted, "{gold}");
            assert_eq!(counted[0], draws);
            assert!(asked.is_none_or(|asked| (50..=gold.min(150)).contains(&asked)));
            assert!(card.is_none_or(|card| card == 2), "no basic card and no curse");
        }
    }

    #[test]
    fn the_board_holds_six_pairs() {
        let tables = Tables::embedded();
        for (seed, ascension) in (0..40).zip([0, 15].into_iter().cycle()) {
            let (detail, _) = entered("match_and_keep", &NOBODY, ascension, seed);
            let EventDetail::Pairs { board } = detail else { panic!("{detail:?}") };
            assert!(board.iter().all(|card| board.iter().filter(|c| *c == card).count() % 2 == 0));
            assert!(board.iter().any(|card| tables.cards.name(*card) == "bash"), "the starter card");
            let curses = board.iter().filter(|card| tables.curses.contains(card)).count();
            assert_eq!(curses, if ascension == 0 { 2 } else { 4 });
        }
    }
}

//! Whether a run from outside is possible: everything it names is there, and nothing is counted so far that counting on
//! would not fit.

use turnstone::Rejection;

use super::journey::Journey;
use super::tower::{EventScreen, FightKind, Reward, Screen, Shop, Tower};
use crate::seeds::{CardNo, EventDetail, FightNo, PotionNo, RelicNo, Tier};
use crate::seeds::{HEIGHT, Place};
use crate::state::State;

/// More gold than any run earns.
const MOST_GOLD: u32 = 1_000_000_000;

impl Journey<'_> {
    /// Whether the way between fights is possible.
    ///
    /// # Errors
    /// `BAD_STATE`, with what is wrong.
    pub(crate) fn validate(&self, s: &State) -> Result<(), Rejection> {
        let tower = &s.tower;
        let wrong = if !self.stands_somewhere(s) {
            "the place on the map, the act or the ascension is impossible"
        } else if !self.knows_what_is_to_come(tower) {
            "a fight, event or relic that is to come is of no known kind"
        } else if !tower.screens.iter().all(|screen| self.can_be_shown(screen)) {
            "a screen shows what there is not"
        } else if !counted(s) {
            "a number is larger than any run makes it"
        } else {
            return Ok(());
        };
        Err(Rejection::new("BAD_STATE", wrong))
    }

    fn stands_somewhere(&self, s: &State) -> bool {
        let (tower, fate) = (&s.tower, &s.tower.fate);
        let inside = |place: &Place| place.x < 7 && usize::from(place.y) <= HEIGHT + 1;
        tower.place.iter().chain(&tower.path).all(inside)
            && (1..=4).contains(&fate.act)
            && usize::from(fate.character.0) < self.tables.characters.len()
            && self.tables.check_ascension(fate.ascension).is_ok()
    }

    fn knows_what_is_to_come(&self, tower: &Tower) -> bool {
        let fate = &tower.fate;
        let mut fights =
            [&*fate.fights.monsters, &fate.fights.elites, &fate.fights.bosses].into_iter().flatten();
        let mut events =
            [&*fate.events.act, &fate.events.shrines, &fate.events.one_time].into_iter().flatten();
        let tiers = [Tier::Common, Tier::Uncommon, Tier::Rare, Tier::Shop, Tier::Boss];
        let fought = tower.fighting.iter().map(|fighting| &fighting.fight).chain(&tower.killer);
        let paid = tower.fighting.is_none_or(|fighting| match fighting.kind {
            FightKind::Event(step) => self.step(step).is_some(),
            FightKind::Monster | FightKind::Elite | FightKind::Boss => true,
        });
        fights.all(|fight| self.has_fight(*fight))
            && fought.into_iter().all(|fight| self.has_fight(*fight))
            && paid
            && events.all(|event| self.event(*event).is_some())
            && tiers.iter().all(|tier| fate.relics.pool(*tier).iter().all(|relic| self.has_relic(*relic)))
            && fate.colorless.iter().chain(&tower.offer).all(|card| self.has_card(*card))
            && fate.neow.iter().all(|offer| {
                let mut both = std::iter::once(offer.bonus).chain(offer.drawback);
                both.all(|gift| usize::from(gift) < self.tables.gifts.names.len())
            })
    }

    fn can_be_shown(&self, screen: &Screen) -> bool {
        match screen {
            Screen::Neow | Screen::Rest | Screen::Chest(_) => true,
            Screen::Event(event) => self.can_happen(event),
            Screen::Rewards(rewards) => rewards.iter().all(|reward| self.can_be_taken(reward)),
            Screen::BossChest(relics) => relics.iter().all(|relic| self.has_relic(*relic)),
            Screen::Shop(shop) => self.can_be_sold(shop),
        }
    }

    fn can_happen(&self, screen: &EventScreen) -> bool {
        let Some(event) = self.event(screen.event) else { return false };
        let drawn = match &screen.detail {
            Some(EventDetail::GuardedFinds { guardian, .. }) => self.has_fight(*guardian),
            Some(EventDetail::Potions { potions }) => potions.iter().all(|potion| self.has_potion(*potion)),
            Some(EventDetail::Pairs { board }) => board.iter().all(|card| self.has_card(*card)),
            Some(
                EventDetail::TwoServices { .. }
                | EventDetail::OneOfEachType { .. }
                | EventDetail::Belongings { .. }
                | EventDetail::Gold { .. },
            )
            | None => true,
        };
        drawn
            && usize::from(screen.node) < event.nodes.len().max(1)
            && screen.relics.iter().all(|relic| self.has_relic(*relic))
    }

    fn can_be_taken(&self, reward: &Reward) -> bool {
        match reward {
            Reward::Gold(gold) | Reward::StolenGold(gold) => *gold <= MOST_GOLD,
            Reward::Relic(relic) => self.has_relic(*relic),
            Reward::Potion(potion) => self.has_potion(*potion),
            Reward::Cards(cards) => cards.iter().all(|offered| self.has_card(offered.card)),
            Reward::Key(_) => true,
        }
    }

    fn can_be_sold(&self, shop: &Shop) -> bool {
        let stock = &shop.stock;
        let price = |price: u32| price <= MOST_GOLD;
        stock.cards.iter().all(|ware| self.has_card(ware.card) && price(ware.base_price))
            && stock.relics.iter().all(|ware| self.has_relic(ware.relic) && price(ware.base_price))
            && stock.potions.iter().all(|ware| self.has_potion(ware.potion) && price(ware.base_price))
    }

    fn has_card(&self, card: CardNo) -> bool {
        usize::from(card.0) < self.tables.cards.len()
    }

    fn has_relic(&self, relic: RelicNo) -> bool {
        usize::from(relic.0) < self.tables.relics.len()
    }

    fn has_potion(&self, potion: PotionNo) -> bool {
        usize::from(potion.0) < self.tables.potions.len()
    }

    fn has_fight(&self, fight: FightNo) -> bool {
        usize::from(fight.0) < self.tables.fights.len()
    }
}

fn counted(s: &State) -> bool {
    let (tower, tally) = (&s.tower, &s.tower.tally);
    s.run.floor < 200
        && tower.stolen <= MOST_GOLD
        && tally.gold_gained <= MOST_GOLD
        && tally.gold_before.unsigned_abs() <= MOST_GOLD
        && tower.removals < 200
        && tower.screens.len() <= 16
        && (-1_000..=1_000).contains(&tower.fate.drift.potion_chance)
        && tower.fate.fights.monsters_met.max(tower.fate.fights.elites_met) < 200
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use turnstone::dice::{Draw, Lots, Stream};
    use turnstone::{Match, Seen, Viewer};
    use turnstone_host::Hosted;
    use turnstone_testkit::mutate::mutate;

    use crate::setup::Setup;
    use crate::{Ruleset, Spire};

    /// A run that was bent a little is refused, or can be looked at and goes on to somewhere.
    #[test]
    fn bent_runs_are_refused_or_go_on() {
        let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound"));
        let (mut taken, mut refused) = (0, 0);
        for seed in 0..40 {
            let who = ["ironclad", "silent", "defect", "watcher"][seed as usize % 4];
            let mut game: Match<Spire> =
                Match::new(Arc::clone(&spire), Setup::run(who, 0), seed).expect("a run");
            let mut lots = Lots::new(seed, Stream::named("bent runs"));
            for _ in 0..(seed * 7) % 150 {
                let Some(input) = lots.pick(&game.inputs()).cloned() else { break };
                game.act(input).expect("listed");
            }
            for _ in 0..60 {
                let Some(bent) = mutate(game.position(), &mut lots) else { continue };
                let opened: Result<Match<Spire>, _> =
                    Match::from_position(Arc::clone(&spire), game.setup().clone(), 1, bent);
                let Ok(mut opened) = opened else {
                    refused += 1;
                    continue;
                };
                taken += 1;
                for _ in 0..4 {
                    let inputs = opened.inputs();
                    spire.scene(opened.position(), &inputs, Viewer::Seat(0));
                    spire.view(opened.state(), Viewer::Seat(0));
                    let Some(input) = lots.pick(&inputs).cloned() else { break };
                    let _: Result<_, _> = opened.act(input);
                }
            }
        }
        assert!(taken > 200 && refused > 200, "{taken} {refused}");
    }
}

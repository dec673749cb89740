//! Potions in a fight: drunk, thrown away, found.

use crate::action::Action;
use crate::catalog::compile::Id;
use crate::catalog::words::{Color, Moment, Rarity};
use crate::dice::{Die, Roller};
use crate::effect::{Ctx, Origin, Source};
use crate::eval::Env;
use crate::event::Event;
use crate::game::{Out, Settling, Spire};
use crate::state::{NO_CARD, NOBODY, NONE, PLAYER, State};
use turnstone::{Lane, Rejection, Settled};

impl Spire {
    pub(crate) fn check_potion(&self, s: &State, index: u8, target: Option<u8>) -> Result<(), Rejection> {
        let id = self.potion_at(s, index)?;
        let info = &self.catalog.potions[id as usize];
        let ctx = self.potion_ctx(s, id, target.unwrap_or(NOBODY));
        if !self.holds(info.usable, &Env::new(s, ctx)) {
            return Err(Rejection::new("NOT_NOW", format!("{} cannot be used now", info.name)));
        }
        self.check_target(s, info.aims, target, &info.name)
    }

    pub(crate) fn potion_at(&self, s: &State, index: u8) -> Result<Id, Rejection> {
        match s.run.potions.get(index as usize) {
            Some(&id) if id != NONE => Ok(id),
            _ => Err(Rejection::new("NO_POTION", format!("there is no potion in slot {index}"))),
        }
    }

    pub(crate) fn potion_ctx(&self, s: &State, id: Id, target: u8) -> Ctx {
        let source = Source::of(Origin::Potion(id));
        Ctx { owner: PLAYER, other: target, card: NO_CARD, n: self.potency(s, id), event: 0, source }
    }

    #[inline(never)]
    pub(crate) fn each_potion<F: FnMut(Action) + ?Sized>(&self, s: &State, add: &mut F) {
        for (index, &id) in s.run.potions.iter().enumerate() {
            if id == NONE {
                continue;
            }
            let index = index as u8;
            let info = &self.catalog.potions[id as usize];
            self.legal_targets(s, info.aims, |target| {
                let ctx = self.potion_ctx(s, id, target.unwrap_or(NOBODY));
                if info.usable.is_none() || self.holds(info.usable, &Env::new(s, ctx)) {
                    add(Action::Potion { index, target });
                }
            });
            add(Action::Toss { index });
        }
    }

    /// A random potion of the character's.
    pub(crate) fn settle_potion(&self, s: &State, room: bool) -> Settling {
        if !room && s.run.dice.is_none() {
            return Settled::Stale;
        }
        let mut roller = Roller::new(s);
        let Some(potion) = self.roll_potion(s, &mut roller) else { return Settled::Stale };
        let rolls = roller.drawn();
        // Rolled for a slot that is full: it is lost.
        Settled::Event(if room { Event::PotionGained { potion, rolls } } else { Event::Spoke { rolls } })
    }

    /// First how rare it is, then a potion that is so. The original draws until one fits and throws the first
    /// one away whatever it is.
    fn roll_potion(&self, s: &State, roller: &mut Roller<'_>) -> Option<Id> {
        let rarity = match roller.percent(Die::Potion) {
            0..65 => Rarity::Common,
            65..90 => Rarity::Uncommon,
            _ => Rarity::Rare,
        };
        let all = self.potion_pool(s);
        let fits = |id: &Id| {
            let info = &self.catalog.potions[*id as usize];
            !info.unbrewed && info.rarity == rarity
        };
        if roller.original() && all.iter().any(fits) {
            roller.waste(Die::Potion);
            // Bounded only so that no content can make it endless.
            return (0..250).map(|_| all[roller.index(Die::Potion, all.len())]).find(fits);
        }
        let brewed = |id: &Id| !self.catalog.potions[*id as usize].unbrewed;
        let mut open: Vec<Id> = all.iter().copied().filter(fits).collect();
        if open.is_empty() {
            open = all.into_iter().filter(brewed).collect();
        }
        (!open.is_empty()).then(|| open[roller.index(Die::Potion, open.len())])
    }

    /// The potions of the character and those of all, in the order in which they are rolled.
    fn potion_pool(&self, s: &State) -> Vec<Id> {
        let color = self.catalog.characters.get(s.run.character as usize).map(|character| character.color);
        let mine = |&id: &Id| {
            let info = &self.catalog.potions[id as usize];
            info.color == Color::SHARED || Some(info.color) == color
        };
        match s.run.dice {
            Some(_) => self.catalog.potion_order.iter().copied().filter(mine).collect(),
            None => (0..self.catalog.potions.len() as Id).filter(mine).collect(),
        }
    }

    pub(crate) fn follow_potion(&self, s: &State, target: u8, out: &mut Out) {
        // The slot is empty by now: which potion it was is kept until the steps are queued.
        let id = s.combat.potion;
        let program = self.catalog.potions[id as usize].program;
        if target != NOBODY {
            self.moment_if(s, Moment::TargetChosen, PLAYER, target, NO_CARD, 0, out);
        }
        self.propose(s, program, self.potion_ctx(s, id, target), Lane::Last, out);
    }
}

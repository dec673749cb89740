//! The flow: what still waits while an input is carried out. The queue is *what*, the agenda is *when*.

use serde::{Deserialize, Serialize};

use crate::cause::{Cause, Item, Origin};
use crate::notes::Note;
use crate::proposals::{Proposals, Riding, Withdrawal};

/// One act of a listener in the history of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Act<L> {
    pub before: u32,
    pub replacements: u32,
    pub listener: L,
}

/// What waits while an input is carried out. It belongs to the resolver, whose buffers stay warm: a
/// position has none of this unless a question interrupted it.
pub(crate) struct Flow<E, L, W> {
    /// Queue and agenda, and on top of them the batch that is being proposed.
    pub waiting: Proposals<E, L, W>,
    /// Histories of acts as linked lists, so that siblings share the past and not the future.
    pub acts: Vec<Act<L>>,
    /// Tickets of effects that did not happen.
    pub missed: Vec<u32>,
    /// Effects that the action had set off when a question interrupted it.
    pub spent: u32,
}

impl<E, L, W> Default for Flow<E, L, W> {
    fn default() -> Self {
        Flow { waiting: Proposals::default(), acts: Vec::new(), missed: Vec::new(), spent: 0 }
    }
}

impl<E, L: Copy + PartialEq, W> Flow<E, L, W> {
    /// Forgets what only mattered while something was under way.
    #[inline]
    pub fn rest(&mut self) {
        self.acts.clear();
        self.missed.clear();
        self.waiting.tickets = 0;
        self.waiting.reasons.clear();
        self.spent = 0;
    }

    /// Everything, buffers kept.
    pub fn clear(&mut self) {
        self.waiting.clear_all();
        self.rest();
    }

    /// Marks an effect as not having happened, for those that depend on it.
    #[inline]
    pub fn miss(&mut self, ticket: u32) {
        if ticket != 0 {
            self.missed.push(ticket);
        }
    }

    /// Whether the effect this one depends on did not happen.
    #[inline]
    pub fn unmet(&self, item: &Item<E, L>) -> bool {
        item.needs != 0 && self.missed.contains(&item.needs)
    }

    /// Whether that listener has acted in the history `lineage`.
    pub fn has_acted(&self, lineage: u32, listener: L) -> bool {
        self.history(lineage).any(|act| act.listener == listener)
    }

    /// The acts of a history, newest first.
    pub fn history(&self, mut lineage: u32) -> impl Iterator<Item = &Act<L>> {
        std::iter::from_fn(move || {
            let act = self.acts.get((lineage as usize).checked_sub(1)?)?;
            lineage = act.before;
            Some(act)
        })
    }

    /// The history `lineage` with one more act.
    pub fn record_act(&mut self, lineage: u32, listener: L, replaces: bool) -> u32 {
        let replacements = self.replacements(lineage).saturating_add(u32::from(replaces));
        self.acts.push(Act { before: lineage, replacements, listener });
        self.acts.len() as u32
    }

    /// How many replacements lie in the history `lineage`.
    pub fn replacements(&self, lineage: u32) -> u32 {
        self.history(lineage).next().map_or(0, |act| act.replacements)
    }

    /// Leaves everything with the question that `held` asks, and is empty again.
    pub fn pause(&mut self, held: Item<E, L>) -> Pause<E, L, W> {
        let pause = Pause {
            held,
            riding: self.waiting.take_batch(),
            queue: self.waiting.take_queue(),
            agenda: self.waiting.take_agenda(),
            acts: std::mem::take(&mut self.acts),
            missed: std::mem::take(&mut self.missed),
            tickets: self.waiting.tickets,
            reasons: std::mem::take(&mut self.waiting.reasons),
            spent: self.spent,
        };
        self.rest();
        pause
    }

    /// Takes up what a pause left, and gives the effect that asked. What rides with it now follows
    /// from the fact `after`.
    pub fn resume(&mut self, pause: Pause<E, L, W>, after: Origin) -> Item<E, L> {
        self.clear();
        self.acts = pause.acts;
        self.missed = pause.missed;
        self.spent = pause.spent;
        self.waiting.put_back(pause.queue, pause.agenda, pause.tickets);
        self.waiting.put_batch(pause.riding);
        self.waiting.reasons = pause.reasons;
        self.waiting.restamp(after, 0);
        pause.held
    }
}

/// What waits while a question is open: the effect that asked, the proposals that ride with it, and
/// queue and agenda behind them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pause<E, L, W> {
    pub held: Item<E, L>,
    pub riding: Riding<E, L>,
    /// In running order.
    pub queue: Vec<Item<E, L>>,
    /// Last in, first out.
    pub agenda: Vec<Item<E, L>>,
    pub acts: Vec<Act<L>>,
    pub missed: Vec<u32>,
    pub tickets: u32,
    /// The reasons of what waits, if they were wanted: what is asked and what follows does not depend on them.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<(u32, Note<W>)>,
    /// Effects that the action had set off so far: an answer goes on with the same budget.
    pub spent: u32,
}

/// No count of a sound pause is higher: far above every budget, far below where arithmetic ends.
const HIGHEST: u32 = 1 << 30;

/// What an effect that waits depends on. Tickets are only names for that, and reasons need names too, which nobody
/// gives where nothing is recorded: so positions are compared by this.
#[derive(PartialEq)]
enum Tie {
    Free,
    /// What it depends on has happened.
    Met,
    /// It did not happen.
    Unmet,
    /// It waits, too, in this place.
    On(usize),
}

impl<E: PartialEq, L: PartialEq, W> PartialEq for Pause<E, L, W> {
    fn eq(&self, other: &Self) -> bool {
        let one = |item: &Item<E, L>, pause: &Self| pause.tie(item.needs);
        let same = |(a, b): (&Item<E, L>, &Item<E, L>)| {
            let (Cause { after, by }, lineage) = (&a.cause, a.lineage);
            a.effect == b.effect
                && (after, by, lineage) == (&b.cause.after, &b.cause.by, b.lineage)
                && one(a, self) == one(b, other)
        };
        let lanes = |pause: &Self| pause.riding.items.iter().map(|(lane, _)| *lane).collect::<Vec<_>>();
        self.queue.len() == other.queue.len()
            && self.agenda.len() == other.agenda.len()
            && lanes(self) == lanes(other)
            && self.all().zip(other.all()).all(same)
            && self.riding.withdrawals == other.riding.withdrawals
            && self.acts == other.acts
            && self.spent == other.spent
    }
}

impl<E, L, W> Pause<E, L, W> {
    /// Everything that waits, what rides with the effect that asked included.
    fn all(&self) -> impl Iterator<Item = &Item<E, L>> {
        self.items().chain(self.riding.items.iter().map(|(_, item)| item))
    }

    /// Every effect in it, those included that are only to be withdrawn.
    pub fn effects(&self) -> impl Iterator<Item = &E> {
        self.all().map(|item| &item.effect).chain(self.riding.withdrawals.iter().filter_map(Withdrawal::like))
    }

    fn tie(&self, needs: u32) -> Tie {
        if needs == 0 {
            return Tie::Free;
        }
        if self.missed.contains(&needs) {
            return Tie::Unmet;
        }
        self.all().position(|item| item.ticket == needs).map_or(Tie::Met, Tie::On)
    }

    /// The effects that wait, in running order, the one that asked first.
    pub fn items(&self) -> impl Iterator<Item = &Item<E, L>> {
        std::iter::once(&self.held).chain(&self.queue).chain(self.agenda.iter().rev())
    }

    /// Whether every index points where it may and every count is one that play can reach: asked of positions
    /// that come from outside.
    pub fn is_sound(&self) -> bool {
        let items_fit = self.all().all(|item| self.fits(item));
        let acts_look_back = self.acts.iter().enumerate().all(|(i, act)| act.before as usize <= i);
        let acts_count = self.acts.iter().all(|act| act.replacements <= HIGHEST);
        let missed_exist = self.missed.iter().all(|&ticket| ticket <= self.tickets);
        items_fit && acts_look_back && acts_count && missed_exist && self.tickets.max(self.spent) <= HIGHEST
    }

    fn fits(&self, item: &Item<E, L>) -> bool {
        let lineage_exists = item.lineage as usize <= self.acts.len();
        let cause_is_early = !matches!(item.cause.after, Origin::Event(serial) if serial > HIGHEST);
        lineage_exists && cause_is_early && item.ticket.max(item.needs) <= self.tickets
    }
}

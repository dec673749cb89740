//! The flow: what still waits while an input is carried out. The queue is *what*, the agenda is *when*.

use serde::{Deserialize, Serialize};

use crate::proposals::{Lane, Proposals};

/// What an effect or event followed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// The action that was declared.
    #[default]
    Action,
    /// Nothing was left to do, and [`Game::idle`](crate::Game::idle) proposed more.
    Idle,
    /// The event with this serial number.
    Event(u32),
}

/// Why something was proposed: what it followed from, and the listener that wanted it, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause<L> {
    /// The action or event it followed from.
    pub after: Origin,
    /// The listener that proposed it; `None` for the rules themselves.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub by: Option<L>,
}

fn none<T>() -> Option<T> {
    None
}

impl<L> Cause<L> {
    /// The rules themselves, after this.
    pub(crate) fn rules(after: Origin) -> Self {
        Cause { after, by: None }
    }
}

/// An effect under way, with what the kernel must remember of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Item<E, L> {
    pub effect: E,
    pub cause: Cause<L>,
    /// Nonzero if something depends on this effect.
    pub ticket: u32,
    /// Nonzero if this effect depends on the one with that ticket.
    pub needs: u32,
    /// Nonzero if listeners have acted on this effect or on what it replaced: an index into `acts`.
    pub lineage: u32,
}

/// One act of a listener in the history of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Act<L> {
    pub before: u32,
    pub replacements: u32,
    pub listener: L,
}

/// What waits while an input is carried out. It belongs to the resolver, whose buffers stay warm: a
/// position has none of this unless a question interrupted it.
pub(crate) struct Flow<E, L> {
    /// Queue and agenda, and on top of them the batch that is being proposed.
    pub waiting: Proposals<E, L>,
    /// Histories of acts as linked lists, so that siblings share the past and not the future.
    pub acts: Vec<Act<L>>,
    /// Tickets of effects that did not happen.
    pub missed: Vec<u32>,
}

impl<E, L> Default for Flow<E, L> {
    fn default() -> Self {
        Flow { waiting: Proposals::default(), acts: Vec::new(), missed: Vec::new() }
    }
}

impl<E, L: Copy + PartialEq> Flow<E, L> {
    /// Forgets what only mattered while something was under way.
    #[inline]
    pub fn rest(&mut self) {
        self.acts.clear();
        self.missed.clear();
        self.waiting.tickets = 0;
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
        let replacements = self.replacements(lineage) + u32::from(replaces);
        self.acts.push(Act { before: lineage, replacements, listener });
        self.acts.len() as u32
    }

    /// How many replacements lie in the history `lineage`.
    pub fn replacements(&self, lineage: u32) -> u32 {
        self.history(lineage).next().map_or(0, |act| act.replacements)
    }

    /// Leaves everything with the question that `held` asks, and is empty again.
    pub fn pause(&mut self, held: Item<E, L>) -> Pause<E, L> {
        let pause = Pause {
            held,
            riding: self.waiting.take_batch(),
            queue: self.waiting.take_queue(),
            agenda: self.waiting.take_agenda(),
            acts: std::mem::take(&mut self.acts),
            missed: std::mem::take(&mut self.missed),
            tickets: self.waiting.tickets,
        };
        self.rest();
        pause
    }

    /// Takes up what a pause left, and gives the effect that asked. What rides with it now follows
    /// from the fact `after`.
    pub fn resume(&mut self, pause: Pause<E, L>, after: Origin) -> Item<E, L> {
        self.clear();
        self.acts = pause.acts;
        self.missed = pause.missed;
        self.waiting.put_back(pause.queue, pause.agenda, pause.tickets);
        self.waiting.put_batch(pause.riding);
        self.waiting.restamp(after, 0);
        pause.held
    }
}

/// What waits while a question is open: the effect that asked, the proposals that ride with it, and
/// queue and agenda behind them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pause<E, L> {
    pub held: Item<E, L>,
    pub riding: Vec<(Lane, Item<E, L>)>,
    /// In running order.
    pub queue: Vec<Item<E, L>>,
    /// Last in, first out.
    pub agenda: Vec<Item<E, L>>,
    pub acts: Vec<Act<L>>,
    pub missed: Vec<u32>,
    pub tickets: u32,
}

impl<E, L> Pause<E, L> {
    /// The effects that wait, in running order, the one that asked first.
    pub fn items(&self) -> impl Iterator<Item = &Item<E, L>> {
        std::iter::once(&self.held).chain(&self.queue).chain(self.agenda.iter().rev())
    }

    /// Whether every index points where it may: asked of positions that come from outside.
    pub fn is_sound(&self) -> bool {
        let lineages_exist = self.items().all(|item| item.lineage as usize <= self.acts.len());
        let acts_look_back = self.acts.iter().enumerate().all(|(i, act)| act.before as usize <= i);
        lineages_exist && acts_look_back
    }
}

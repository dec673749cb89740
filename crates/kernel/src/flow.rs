//! The flow: what still waits. The queue is *what*, the agenda is *when*.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

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

/// An effect under way, with what the kernel must remember of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Item<E, L> {
    pub effect: E,
    pub cause: Cause<L>,
    /// Nonzero if something depends on this effect.
    pub ticket: u32,
    /// Nonzero if this effect depends on the one with that ticket.
    pub needs: u32,
    /// Nonzero if listeners have acted on this effect or on what it replaced: an index into `Flow::acts`.
    pub lineage: u32,
}

/// One act of a listener in the history of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Act<L> {
    pub before: u32,
    pub replacements: u32,
    pub listener: L,
}

/// Queue, agenda and the effect that waits for an answer. Empty whenever nothing is asked.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Flow<E, L> {
    pub queue: VecDeque<Item<E, L>>,
    /// Last in, first out.
    pub agenda: Vec<Item<E, L>>,
    pub held: Option<Held<E, L>>,
    /// Histories of acts as linked lists, so that siblings share the past and not the future.
    pub acts: Vec<Act<L>>,
    /// Tickets of effects that did not happen, and how many were ever given out.
    pub missed: Vec<u32>,
    pub tickets: u32,
}

impl<E: Clone, L: Clone> Clone for Flow<E, L> {
    fn clone(&self) -> Self {
        Flow {
            queue: self.queue.clone(),
            agenda: self.agenda.clone(),
            held: self.held.clone(),
            acts: self.acts.clone(),
            missed: self.missed.clone(),
            tickets: self.tickets,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.queue.clone_from(&source.queue);
        self.agenda.clone_from(&source.agenda);
        self.held.clone_from(&source.held);
        self.acts.clone_from(&source.acts);
        self.missed.clone_from(&source.missed);
        self.tickets = source.tickets;
    }
}

/// The effect whose `settle` asked, and the proposals that ride with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held<E, L> {
    pub item: Item<E, L>,
    pub riding: Vec<(Lane, Proposal<E, L>)>,
}

impl<E, L> Default for Flow<E, L> {
    fn default() -> Self {
        Flow {
            queue: VecDeque::new(),
            agenda: Vec::new(),
            held: None,
            acts: Vec::new(),
            missed: Vec::new(),
            tickets: 0,
        }
    }
}

impl<E, L: Copy + PartialEq> Flow<E, L> {
    /// Nothing waits.
    pub fn is_quiet(&self) -> bool {
        self.queue.is_empty() && self.agenda.is_empty() && self.held.is_none()
    }

    /// Forgets what only mattered while something was under way.
    #[inline]
    pub fn rest(&mut self) {
        self.acts.clear();
        self.missed.clear();
        self.tickets = 0;
    }

    /// Everything, buffers kept.
    pub fn clear(&mut self) {
        self.queue.clear();
        self.agenda.clear();
        self.held = None;
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
        let replacements = self.history(lineage).next().map_or(0, |act| act.replacements);
        self.acts.push(Act { before: lineage, replacements: replacements + u32::from(replaces), listener });
        self.acts.len() as u32
    }

    /// How many replacements lie in the history `lineage`.
    pub fn replacements(&self, lineage: u32) -> u32 {
        self.history(lineage).next().map_or(0, |act| act.replacements)
    }

    /// Whether every index points where it may: asked of positions that come from outside.
    pub fn is_sound(&self) -> bool {
        let held = self.held.iter().map(|held| &held.item);
        let items = self.queue.iter().chain(&self.agenda).chain(held);
        let lineages_exist = items.into_iter().all(|item| item.lineage as usize <= self.acts.len());
        let acts_look_back = self.acts.iter().enumerate().all(|(i, act)| act.before as usize <= i);
        lineages_exist && acts_look_back
    }

    /// Puts a batch of proposals where it wants to be and leaves `batch` empty. Plain loops: most
    /// batches have one entry, for which the general machinery of `extend` costs more than the work.
    #[inline]
    pub fn take(&mut self, batch: &mut Proposals<E, L>, after: Origin, lineage: u32) {
        if batch.touched {
            self.take_some(batch, after, lineage);
        }
    }

    fn take_some(&mut self, batch: &mut Proposals<E, L>, after: Origin, lineage: u32) {
        batch.touched = false;
        let context = Context { after, lineage, tickets: self.tickets };
        self.tickets += std::mem::take(&mut batch.tickets);
        while let Some(proposal) = batch.first.pop() {
            self.queue.push_front(context.item(proposal));
        }
        if !batch.last.is_empty() {
            for proposal in batch.last.drain(..) {
                self.queue.push_back(context.item(proposal));
            }
        }
        while let Some(proposal) = batch.agenda.pop() {
            self.agenda.push(context.item(proposal));
        }
    }
}

/// What all items of a batch share.
struct Context {
    after: Origin,
    lineage: u32,
    tickets: u32,
}

impl Context {
    #[inline]
    fn item<E, L>(&self, proposal: Proposal<E, L>) -> Item<E, L> {
        let ticket = |number: u32| if number == 0 { 0 } else { self.tickets + number };
        Item {
            effect: proposal.effect,
            cause: Cause { after: self.after, by: proposal.by },
            ticket: ticket(proposal.ticket),
            needs: ticket(proposal.needs),
            lineage: self.lineage,
        }
    }
}

/// Where a proposal goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lane {
    /// In front of everything that waits, as a block, in order.
    First,
    /// Behind everything that waits, in order.
    Last,
    /// On the agenda: once the queue is empty, before what was on the agenda already.
    Agenda,
}

/// A proposed effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Proposal<E, L> {
    pub effect: E,
    pub by: Option<L>,
    pub ticket: u32,
    pub needs: u32,
}

/// Names a proposal of this very step, so that another can depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    lane: Lane,
    index: usize,
}

type Withdrawal<E> = Box<dyn Fn(&E) -> bool + Send + Sync>;

/// What the rules and listeners of one step want to happen next: one batch.
///
/// ```
/// # use turnstone::Proposals;
/// let mut out: Proposals<&str, u8> = Proposals::default();
/// let capture = out.last("capture");
/// out.last_if(capture, "move"); // dropped if the capture does not happen
/// out.first("before all that");
/// out.agenda("when everything is quiet");
/// assert_eq!(out.len(), 4);
/// ```
pub struct Proposals<E, L> {
    pub(crate) first: Vec<Proposal<E, L>>,
    pub(crate) last: Vec<Proposal<E, L>>,
    pub(crate) agenda: Vec<Proposal<E, L>>,
    pub(crate) withdrawals: Vec<Withdrawal<E>>,
    pub(crate) by: Option<L>,
    tickets: u32,
    /// Something was proposed or withdrawn since the batch was last taken: one test instead of four
    /// for the many steps that propose nothing.
    touched: bool,
}

impl<E, L> Default for Proposals<E, L> {
    fn default() -> Self {
        Proposals {
            first: Vec::new(),
            last: Vec::new(),
            agenda: Vec::new(),
            withdrawals: Vec::new(),
            by: None,
            tickets: 0,
            touched: false,
        }
    }
}

impl<E, L: Copy> Proposals<E, L> {
    /// In front of the queue: this step's FIRST batch runs next, in the order proposed.
    #[inline]
    pub fn first(&mut self, effect: E) -> Slot {
        self.put(Lane::First, effect)
    }

    /// At the end of the queue.
    #[inline]
    pub fn last(&mut self, effect: E) -> Slot {
        self.put(Lane::Last, effect)
    }

    /// On the agenda. Entries of one step run in the order proposed, before older entries.
    #[inline]
    pub fn agenda(&mut self, effect: E) -> Slot {
        self.put(Lane::Agenda, effect)
    }

    /// In front of the queue, and only if the effect in `slot` happens.
    pub fn first_if(&mut self, slot: Slot, effect: E) -> Slot {
        self.put_if(Lane::First, slot, effect)
    }

    /// At the end of the queue, and only if the effect in `slot` happens.
    pub fn last_if(&mut self, slot: Slot, effect: E) -> Slot {
        self.put_if(Lane::Last, slot, effect)
    }

    /// Withdraws every waiting agenda entry that `which` accepts, before this batch is queued.
    pub fn withdraw(&mut self, which: impl Fn(&E) -> bool + Send + Sync + 'static) {
        self.touched = true;
        self.withdrawals.push(Box::new(which));
    }

    /// How many effects are proposed.
    pub fn len(&self) -> usize {
        self.first.len() + self.last.len() + self.agenda.len()
    }

    /// Nothing is proposed or withdrawn.
    #[inline]
    pub fn is_empty(&self) -> bool {
        !self.touched || (self.len() == 0 && self.withdrawals.is_empty())
    }

    /// The effects proposed so far, in front, behind and on the agenda: for tests and previews.
    pub fn effects(&self) -> impl Iterator<Item = (Lane, &E)> {
        let first = self.first.iter().map(|p| (Lane::First, &p.effect));
        let last = self.last.iter().map(|p| (Lane::Last, &p.effect));
        let agenda = self.agenda.iter().map(|p| (Lane::Agenda, &p.effect));
        first.chain(last).chain(agenda)
    }

    /// Forgets everything proposed.
    pub fn clear(&mut self) {
        self.first.clear();
        self.last.clear();
        self.agenda.clear();
        self.withdrawals.clear();
        self.by = None;
        self.tickets = 0;
        self.touched = false;
    }

    /// Takes over what another batch proposes and leaves it empty, each effect wrapped: for a game that
    /// is played inside another. `open` finds the inner effect again, for its withdrawals.
    ///
    /// ```
    /// # use turnstone::Proposals;
    /// let (mut outer, mut inner): (Proposals<Option<u8>, ()>, Proposals<u8, ()>) = Default::default();
    /// let one = inner.last(1);
    /// inner.last_if(one, 2);
    /// outer.adopt(&mut inner, Some, |effect| effect.as_ref());
    /// assert_eq!((outer.len(), inner.len()), (2, 0));
    /// ```
    pub fn adopt<F: 'static, M>(
        &mut self,
        inner: &mut Proposals<F, M>,
        wrap: impl Fn(F) -> E,
        open: fn(&E) -> Option<&F>,
    ) where
        E: 'static,
    {
        let (by, base) = (self.by, self.tickets);
        let ticket = |number: u32| if number == 0 { 0 } else { base + number };
        let over = |p: Proposal<F, M>| Proposal {
            effect: wrap(p.effect),
            by,
            ticket: ticket(p.ticket),
            needs: ticket(p.needs),
        };
        self.first.extend(inner.first.drain(..).map(over));
        self.last.extend(inner.last.drain(..).map(over));
        self.agenda.extend(inner.agenda.drain(..).map(over));
        for which in inner.withdrawals.drain(..) {
            self.withdrawals.push(Box::new(move |effect| open(effect).is_some_and(&which)));
        }
        self.tickets += std::mem::take(&mut inner.tickets);
        self.touched |= std::mem::take(&mut inner.touched);
    }

    #[inline]
    fn put(&mut self, lane: Lane, effect: E) -> Slot {
        let by = self.by;
        self.touched = true;
        let list = self.lane(lane);
        list.push(Proposal { effect, by, ticket: 0, needs: 0 });
        Slot { lane, index: list.len() - 1 }
    }

    fn put_if(&mut self, lane: Lane, on: Slot, effect: E) -> Slot {
        let needs = self.ticket_of(on);
        let slot = self.put(lane, effect);
        self.lane(lane)[slot.index].needs = needs;
        slot
    }

    fn ticket_of(&mut self, slot: Slot) -> u32 {
        let fresh = self.tickets + 1;
        let Some(proposal) = self.lane(slot.lane).get_mut(slot.index) else { return 0 };
        if proposal.ticket != 0 {
            return proposal.ticket;
        }
        proposal.ticket = fresh;
        self.tickets = fresh;
        fresh
    }

    fn lane(&mut self, lane: Lane) -> &mut Vec<Proposal<E, L>> {
        match lane {
            Lane::First => &mut self.first,
            Lane::Last => &mut self.last,
            Lane::Agenda => &mut self.agenda,
        }
    }

    /// Lengths of the lanes, to return to with [`Proposals::cut`].
    pub(crate) fn mark(&self) -> [usize; 3] {
        [self.first.len(), self.last.len(), self.agenda.len()]
    }

    /// Forgets what was proposed since `mark`.
    pub(crate) fn cut(&mut self, mark: [usize; 3]) {
        self.first.truncate(mark[0]);
        self.last.truncate(mark[1]);
        self.agenda.truncate(mark[2]);
    }

    /// Forgets what was proposed before `mark`.
    pub(crate) fn keep_from(&mut self, mark: [usize; 3]) {
        self.first.drain(..mark[0]);
        self.last.drain(..mark[1]);
        self.agenda.drain(..mark[2]);
    }

    /// Takes everything out, to be kept with a held effect.
    pub(crate) fn stow(&mut self) -> Vec<(Lane, Proposal<E, L>)> {
        self.tickets = 0;
        self.touched = false;
        let first = self.first.drain(..).map(|p| (Lane::First, p));
        let last = self.last.drain(..).map(|p| (Lane::Last, p));
        let agenda = self.agenda.drain(..).map(|p| (Lane::Agenda, p));
        first.chain(last).chain(agenda).collect()
    }

    /// Puts back what [`Proposals::stow`] took out.
    pub(crate) fn unstow(&mut self, stowed: Vec<(Lane, Proposal<E, L>)>) {
        for (lane, proposal) in stowed {
            self.touched = true;
            self.tickets = self.tickets.max(proposal.ticket);
            self.lane(lane).push(proposal);
        }
    }
}

/// The listeners that want to hear of one effect or event. The kernel sorts them by priority, lower
/// first, and keeps the order of listing among equals.
///
/// ```
/// # use turnstone::Listeners;
/// let mut heard = Listeners::default();
/// heard.push(5, 'b');
/// heard.push(0, 'a');
/// heard.push(5, 'c');
/// heard.sort();
/// assert_eq!(heard.iter().collect::<String>(), "abc");
/// ```
#[derive(Clone, Debug)]
pub struct Listeners<L> {
    list: SmallVec<[(i32, L); 8]>,
}

impl<L> Default for Listeners<L> {
    fn default() -> Self {
        Listeners { list: SmallVec::new() }
    }
}

impl<L: Copy> Listeners<L> {
    /// One more listener.
    #[inline]
    pub fn push(&mut self, priority: i32, listener: L) {
        self.list.push((priority, listener));
    }

    /// Nobody listens.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many listen.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Takes over the listeners of another list and leaves it empty, each wrapped.
    pub fn adopt<M>(&mut self, inner: &mut Listeners<M>, wrap: impl Fn(M) -> L) {
        self.list.extend(inner.list.drain(..).map(|(priority, listener)| (priority, wrap(listener))));
    }

    /// Into running order. A stable insertion sort: there are seldom more than three.
    pub fn sort(&mut self) {
        for i in 1..self.list.len() {
            let mut j = i;
            while j > 0 && self.list[j - 1].0 > self.list[j].0 {
                self.list.swap(j - 1, j);
                j -= 1;
            }
        }
    }

    /// The listeners in order.
    pub fn iter(&self) -> impl Iterator<Item = L> + '_ {
        self.list.iter().map(|&(_, listener)| listener)
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<L> {
        self.list.get(index).map(|&(_, listener)| listener)
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }
}

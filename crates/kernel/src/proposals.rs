//! What the rules and listeners of one step want to happen next.

use serde::{Deserialize, Serialize};

use crate::cause::{Cause, Item, Origin};
use crate::data::Never;
use crate::notes::{Note, Notes};

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

/// Names a proposal of this very step, so that another can depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    lane: Lane,
    index: usize,
}

/// What is to be taken off the agenda. Plain data, so that it can wait behind a question like any proposal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Withdrawal<E> {
    /// Whatever waits.
    All,
    /// What [`Game::withdraws`](crate::Game::withdraws) says is meant by this effect.
    Like(E),
}

impl<E> Withdrawal<E> {
    /// The effect that is meant, if it is one.
    pub fn like(&self) -> Option<&E> {
        match self {
            Withdrawal::All => None,
            Withdrawal::Like(effect) => Some(effect),
        }
    }
}

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
///
/// Inside the kernel the batch lies on top of what waits already, so that a proposal is written once,
/// where it will be taken from. What a game sees of it is the batch alone.
pub struct Proposals<E, L, W = Never> {
    /// The front of the queue, next one last.
    front: Vec<Item<E, L>>,
    /// The rest of the queue, next one first: it is taken from when the front is used up.
    back: Vec<Item<E, L>>,
    /// How many of the rest were taken: they lie there until it is seen that all are.
    taken: usize,
    /// Next one last.
    agenda: Vec<Item<E, L>>,
    /// How many at the end of each list are the batch; they are still in the order proposed.
    batch: Batch,
    /// What the batch takes off the agenda: the last ones are the batch's.
    withdrawals: Vec<Withdrawal<E>>,
    /// What is noted about the effect under way.
    pub(crate) notes: Notes<W>,
    /// The reasons of what waits, each with the ticket of its proposal.
    pub(crate) reasons: Vec<(u32, Note<W>)>,
    /// What the next proposal follows from, and the history it has.
    pub(crate) cause: Cause<L>,
    pub(crate) lineage: u32,
    /// How many tickets were given out.
    pub(crate) tickets: u32,
    /// Something was proposed or withdrawn since the batch began: one test instead of four for the
    /// many steps that propose nothing.
    pub(crate) touched: bool,
}

/// Lengths of a batch.
#[derive(Clone, Copy, Default)]
struct Batch {
    first: usize,
    last: usize,
    agenda: usize,
}

/// A place in a batch to return to: what lies behind it was proposed, withdrawn and noted since.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bookmark {
    batch: Batch,
    withdrawals: usize,
    notes: usize,
}

/// A batch that was taken out, to be kept with an effect that asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Riding<E, L> {
    pub items: Vec<(Lane, Item<E, L>)>,
    pub withdrawals: Vec<Withdrawal<E>>,
}

impl<E, L, W> Default for Proposals<E, L, W> {
    fn default() -> Self {
        Proposals {
            front: Vec::new(),
            back: Vec::new(),
            taken: 0,
            agenda: Vec::new(),
            batch: Batch::default(),
            withdrawals: Vec::new(),
            notes: Notes::unwanted(),
            reasons: Vec::new(),
            cause: Cause::rules(Origin::Action),
            lineage: 0,
            tickets: 0,
            touched: false,
        }
    }
}

/// What games call.
impl<E, L: Copy, W> Proposals<E, L, W> {
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

    /// Takes off the agenda, before this batch is queued, every waiting entry that is meant by `like`:
    /// [`Game::withdraws`](crate::Game::withdraws) says which these are.
    pub fn withdraw(&mut self, like: E) {
        self.touched = true;
        self.withdrawals.push(Withdrawal::Like(like));
    }

    /// Takes everything off the agenda before this batch is queued.
    pub fn withdraw_all(&mut self) {
        self.touched = true;
        self.withdrawals.push(Withdrawal::All);
    }

    /// Where to note who made or changed a number of the effect under way, in `expand`, `before` and
    /// `express`. The notes are kept with the event that the effect becomes, and forgotten if it becomes none.
    #[inline]
    pub fn notes(&mut self) -> &mut Notes<W> {
        &mut self.notes
    }

    /// Leaves the reasons of a proposal of this very step with it: whoever makes a number when he proposes knows then
    /// why it is what it is, and nobody does later. They stand with the event that comes of it, before what is noted
    /// on its way, and are forgotten if none does. With the recorder off nobody reads them and nothing is kept.
    ///
    /// ```
    /// # use turnstone::Proposals;
    /// let mut out: Proposals<(&str, i32), u8, &str> = Proposals::default();
    /// let mut why = out.notes().sheet();
    /// why.made("Axe", 6);
    /// why.changed("Rage", 6, 9);
    /// let blow = out.first(("blow", 9));
    /// out.because(blow, why);
    /// ```
    #[inline]
    pub fn because(&mut self, slot: Slot, why: Notes<W>) {
        if !why.list().is_empty() {
            self.keep_reasons(slot, why);
        }
    }

    #[cold]
    fn keep_reasons(&mut self, slot: Slot, why: Notes<W>) {
        let ticket = self.ticket_of(slot);
        self.reasons.extend(why.into_list().into_iter().map(|note| (ticket, note)));
    }

    /// How many effects go in front of the queue.
    pub fn firsts(&self) -> usize {
        self.batch.first
    }

    /// How many effects are proposed.
    pub fn len(&self) -> usize {
        self.batch.first + self.batch.last + self.batch.agenda
    }

    /// Nothing is proposed or withdrawn.
    #[inline]
    pub fn is_empty(&self) -> bool {
        !self.touched || (self.len() == 0 && self.withdrawals.is_empty())
    }

    /// The effects proposed so far, in front, behind and on the agenda: for tests and previews.
    pub fn effects(&self) -> impl Iterator<Item = (Lane, &E)> {
        let [first, last, agenda] = self.starts();
        let first = self.front[first..].iter().map(|item| (Lane::First, &item.effect));
        let last = self.back[last..].iter().map(|item| (Lane::Last, &item.effect));
        let agenda = self.agenda[agenda..].iter().map(|item| (Lane::Agenda, &item.effect));
        first.chain(last).chain(agenda)
    }

    /// Forgets everything proposed, withdrawn and noted.
    pub fn clear(&mut self) {
        self.notes.truncate(0);
        if self.touched {
            self.cut(Bookmark::default());
            self.touched = false;
        }
    }

    #[inline]
    fn put(&mut self, lane: Lane, effect: E) -> Slot {
        let item = Item { effect, cause: self.cause, ticket: 0, needs: 0, lineage: self.lineage };
        self.touched = true;
        let index = match lane {
            Lane::First => {
                self.batch.first += 1;
                push(&mut self.front, item)
            }
            Lane::Last => {
                self.batch.last += 1;
                push(&mut self.back, item)
            }
            Lane::Agenda => {
                self.batch.agenda += 1;
                push(&mut self.agenda, item)
            }
        };
        Slot { lane, index }
    }

    fn put_if(&mut self, lane: Lane, on: Slot, effect: E) -> Slot {
        let needs = self.ticket_of(on);
        let slot = self.put(lane, effect);
        self.tie(slot, 0, needs);
        slot
    }

    fn ticket_of(&mut self, slot: Slot) -> u32 {
        let fresh = self.tickets + 1;
        let Some(item) = self.item(slot) else { return 0 };
        if item.ticket != 0 {
            return item.ticket;
        }
        item.ticket = fresh;
        self.tickets = fresh;
        fresh
    }

    fn tie(&mut self, slot: Slot, ticket: u32, needs: u32) {
        if let Some(item) = self.item(slot) {
            (item.ticket, item.needs) = (ticket, needs);
        }
    }

    /// What lies in that slot. A slot names a proposal of this very step; one kept from an earlier step names
    /// whatever lies there now, or nothing.
    fn item(&mut self, slot: Slot) -> Option<&mut Item<E, L>> {
        match slot.lane {
            Lane::First => self.front.get_mut(slot.index),
            Lane::Last => self.back.get_mut(slot.index),
            Lane::Agenda => self.agenda.get_mut(slot.index),
        }
    }
}

/// Puts an item behind the others and tells its place. Where there is room it is written where it stays: the call that
/// makes room stands apart, so that nothing is carried past it.
#[inline(always)]
fn push<T>(list: &mut Vec<T>, item: T) -> usize {
    let place = list.len();
    if place < list.capacity() {
        list.push(item);
    } else {
        push_with_room(list, item);
    }
    place
}

#[cold]
#[inline(never)]
fn push_with_room<T>(list: &mut Vec<T>, item: T) {
    list.push(item);
}

/// What the kernel calls.
impl<E, L: Copy, W> Proposals<E, L, W> {
    /// What is proposed from here on follows from this.
    #[inline]
    pub(crate) fn stamp(&mut self, cause: Cause<L>, lineage: u32) {
        self.cause = cause;
        self.lineage = lineage;
    }

    /// Everything in the batch follows from this instead; who wanted it stays.
    pub(crate) fn restamp(&mut self, after: Origin, lineage: u32) {
        let [first, last, agenda] = self.starts();
        let front = self.front[first..].iter_mut();
        let batch = front.chain(&mut self.back[last..]).chain(&mut self.agenda[agenda..]);
        for item in batch {
            item.cause.after = after;
            item.lineage = lineage;
        }
    }

    /// Makes the batch part of what waits if it is as it is to lie, like most: not more than one in front and
    /// one on the agenda, and nothing withdrawn. Tells whether more waits than before, if it does.
    #[inline(always)]
    pub(crate) fn seal_as_it_lies(&mut self) -> Option<bool> {
        let Batch { first, last, agenda } = self.batch;
        if first > 1 || agenda > 1 || self.withdraws() {
            return None;
        }
        self.touched = false;
        self.batch = Batch::default();
        Some(first + last + agenda > 1)
    }

    /// Makes the batch part of what waits. Lists that are taken from the end are turned round. Tells whether
    /// more waits than before the step that proposed it: one effect was taken for it.
    #[inline(always)]
    pub(crate) fn seal(&mut self) -> bool {
        self.touched = false;
        let Batch { first, last, agenda } = std::mem::take(&mut self.batch);
        if first > 1 {
            turn_round(&mut self.front, first);
        }
        if agenda > 1 {
            turn_round(&mut self.agenda, agenda);
        }
        first + last + agenda > 1
    }

    /// Brings the reasons of the effect that was just taken: they are the first notes on it.
    #[inline]
    pub(crate) fn recall(&mut self, ticket: u32)
    where
        W: Clone,
    {
        if ticket != 0 && !self.reasons.is_empty() {
            let own = self.reasons.iter().filter(|(of, _)| *of == ticket);
            self.notes.extend(own.map(|(_, note)| note.clone()));
        }
    }

    /// The next effect: from the queue, or, if that is empty, from the agenda.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Item<E, L>>
    where
        E: Clone,
    {
        if !self.front.is_empty() {
            return self.front.pop();
        }
        let Some(next) = self.back.get(self.taken) else {
            self.back.clear();
            self.taken = 0;
            return self.agenda.pop();
        };
        self.taken += 1;
        // Part by part: `clone` would look into the cause, which is but copied.
        let &Item { ref effect, cause, ticket, needs, lineage } = next;
        Some(Item { effect: effect.clone(), cause, ticket, needs, lineage })
    }

    /// Whether the batch takes anything off the agenda.
    #[inline]
    pub(crate) fn withdraws(&self) -> bool {
        !self.withdrawals.is_empty()
    }

    /// What the batch takes off the agenda, to be looked at.
    pub(crate) fn withdrawals(&self) -> &[Withdrawal<E>] {
        &self.withdrawals
    }

    /// What the batch takes off the agenda.
    pub(crate) fn take_withdrawals(&mut self) -> Vec<Withdrawal<E>> {
        std::mem::take(&mut self.withdrawals)
    }

    /// Takes the newest waiting agenda entry that `is_meant`; the batch is not looked at.
    pub(crate) fn take_from_agenda(&mut self, is_meant: impl Fn(&E) -> bool) -> Option<Item<E, L>> {
        let waiting = &self.agenda[..self.agenda.len() - self.batch.agenda];
        let index = waiting.iter().rposition(|item| is_meant(&item.effect))?;
        Some(self.agenda.remove(index))
    }

    /// How much the batch holds, to return to with [`Proposals::cut`].
    pub(crate) fn mark(&self) -> Bookmark {
        Bookmark { batch: self.batch, withdrawals: self.withdrawals.len(), notes: self.notes.list().len() }
    }

    /// Forgets what was proposed since `mark`.
    pub(crate) fn cut(&mut self, mark: Bookmark) {
        let Bookmark { batch, withdrawals, notes } = mark;
        self.front.truncate(self.front.len() + batch.first - self.batch.first);
        self.back.truncate(self.back.len() + batch.last - self.batch.last);
        self.agenda.truncate(self.agenda.len() + batch.agenda - self.batch.agenda);
        self.batch = batch;
        self.withdrawals.truncate(withdrawals);
        self.notes.truncate(notes);
    }

    /// Forgets what was proposed in this batch before `mark`.
    pub(crate) fn keep_from(&mut self, mark: Bookmark) {
        let [first, last, agenda] = self.starts();
        let Bookmark { batch, withdrawals, notes } = mark;
        self.front.drain(first..first + batch.first);
        self.back.drain(last..last + batch.last);
        self.agenda.drain(agenda..agenda + batch.agenda);
        self.batch.first -= batch.first;
        self.batch.last -= batch.last;
        self.batch.agenda -= batch.agenda;
        self.withdrawals.drain(..withdrawals);
        self.notes.forget_first(notes);
    }

    /// Takes the batch out, in order, to be kept with a held effect.
    pub(crate) fn take_batch(&mut self) -> Riding<E, L> {
        let items = self.drain_batch().collect();
        self.touched = false;
        Riding { items, withdrawals: self.take_withdrawals() }
    }

    /// Puts back what [`Proposals::take_batch`] took out.
    pub(crate) fn put_batch(&mut self, riding: Riding<E, L>) {
        for (lane, item) in riding.items {
            let slot = self.put(lane, item.effect);
            self.tie(slot, item.ticket, item.needs);
            if let Some(own) = self.item(slot) {
                own.cause = item.cause;
            }
        }
        self.touched |= !riding.withdrawals.is_empty();
        self.withdrawals = riding.withdrawals;
    }

    /// Copies of what waits in queue and agenda, in running order, without the batch.
    pub(crate) fn in_running_order(&self) -> (Vec<E>, Vec<E>)
    where
        E: Clone,
    {
        let [first, last, agenda] = self.starts();
        let front = self.front[..first].iter().rev();
        let queue = front.chain(&self.back[self.taken..last]).map(|item| item.effect.clone()).collect();
        (queue, self.agenda[..agenda].iter().rev().map(|item| item.effect.clone()).collect())
    }

    /// Takes out the queue, in running order.
    pub(crate) fn take_queue(&mut self) -> Vec<Item<E, L>> {
        let queue = self.front.drain(..).rev().chain(self.back.drain(self.taken..)).collect();
        self.back.clear();
        self.taken = 0;
        queue
    }

    /// Takes out the agenda, next one last.
    pub(crate) fn take_agenda(&mut self) -> Vec<Item<E, L>> {
        self.agenda.drain(..).collect()
    }

    /// Puts back what was taken out.
    pub(crate) fn put_back(&mut self, queue: Vec<Item<E, L>>, agenda: Vec<Item<E, L>>, tickets: u32) {
        self.back.extend(queue);
        self.agenda.extend(agenda);
        self.tickets = tickets;
    }

    fn drain_batch(&mut self) -> impl Iterator<Item = (Lane, Item<E, L>)> {
        let [first, last, agenda] = self.starts();
        self.batch = Batch::default();
        let first = self.front.drain(first..).map(|item| (Lane::First, item));
        let last = self.back.drain(last..).map(|item| (Lane::Last, item));
        let agenda = self.agenda.drain(agenda..).map(|item| (Lane::Agenda, item));
        first.chain(last).chain(agenda)
    }

    /// Where the batch begins in each list.
    fn starts(&self) -> [usize; 3] {
        let Batch { first, last, agenda } = self.batch;
        [self.front.len() - first, self.back.len() - last, self.agenda.len() - agenda]
    }
}

/// Turns the last so many of a list round, mostly two.
#[inline]
fn turn_round<T>(list: &mut [T], count: usize) {
    match list {
        [.., one, other] if count == 2 => std::mem::swap(one, other),
        _ => turn_many_round(list, count),
    }
}

#[inline(never)]
fn turn_many_round<T>(list: &mut [T], count: usize) {
    let start = list.len() - count;
    list[start..].reverse();
}

impl<E, L, W> Proposals<E, L, W> {
    /// How much waits, the batch included.
    #[inline]
    pub(crate) fn waiting(&self) -> usize {
        self.front.len() + self.back.len() - self.taken + self.agenda.len()
    }

    /// Forgets everything that waits too; buffers are kept.
    pub(crate) fn clear_all(&mut self) {
        self.front.clear();
        self.back.clear();
        self.taken = 0;
        self.agenda.clear();
        self.batch = Batch::default();
        self.withdrawals.clear();
        self.notes.truncate(0);
        self.reasons.clear();
        self.touched = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(effects: &[char]) -> Proposals<char, u8> {
        let mut out = Proposals::default();
        effects.iter().for_each(|&effect| {
            out.last(effect);
        });
        out.seal();
        out
    }

    #[test]
    fn what_was_taken_from_the_back_of_the_queue_waits_no_more() {
        let mut out = queue(&['a', 'b', 'c']);
        assert_eq!(out.next().map(|item| item.effect), Some('a'));
        out.first('x');
        assert_eq!(out.seal_as_it_lies(), Some(false));
        assert_eq!((out.waiting(), out.in_running_order().0), (3, vec!['x', 'b', 'c']));
        let left: Vec<char> = out.take_queue().into_iter().map(|item| item.effect).collect();
        assert_eq!((out.waiting(), left), (0, vec!['x', 'b', 'c']));
        assert!(out.next().is_none());
    }

    #[test]
    fn what_is_proposed_after_the_back_was_used_up_is_taken_next() {
        let mut out = queue(&['a']);
        assert_eq!(out.next().map(|item| item.effect), Some('a'));
        out.last('b');
        out.agenda('z');
        out.seal();
        let order: String = std::iter::from_fn(|| out.next()).map(|item| item.effect).collect();
        assert_eq!(order, "bz");
    }

    /// What waits: two in front, two behind and two on the agenda.
    fn full() -> Proposals<char, u8> {
        let mut out = queue(&['c', 'd']);
        "ab".chars().for_each(|effect| _ = out.first(effect));
        "ef".chars().for_each(|effect| _ = out.agenda(effect));
        out.seal();
        out
    }

    fn propose_in_every_lane(out: &mut Proposals<char, u8>, firsts: &str, lasts: &str, agenda: &str) {
        firsts.chars().for_each(|effect| _ = out.first(effect));
        lasts.chars().for_each(|effect| _ = out.last(effect));
        agenda.chars().for_each(|effect| _ = out.agenda(effect));
    }

    fn proposed(out: &Proposals<char, u8>) -> String {
        out.effects().map(|(_, effect)| effect).collect()
    }

    fn running_order(mut out: Proposals<char, u8>) -> String {
        out.seal();
        std::iter::from_fn(|| out.next()).map(|item| item.effect).collect()
    }

    #[test]
    fn a_batch_knows_how_much_it_holds_whatever_waits_below_it() {
        let mut out = full();
        assert_eq!((out.len(), out.firsts(), out.is_empty()), (0, 0, true));
        propose_in_every_lane(&mut out, "xyz", "uv", "w");
        assert_eq!((out.len(), out.firsts(), out.is_empty()), (6, 3, false));
        assert_eq!(proposed(&out), "xyzuvw");
        out.clear();
        assert_eq!((out.len(), out.firsts(), out.is_empty()), (0, 0, true));
        out.withdraw('e');
        assert_eq!((out.len(), out.is_empty()), (0, false), "to withdraw is to propose something");
    }

    #[test]
    fn blocks_of_any_length_run_in_the_order_proposed() {
        for (block, order) in [("x", "xabcdxef"), ("xy", "xyabcdxyef"), ("xyz", "xyzabcdxyzef")] {
            let mut out = full();
            propose_in_every_lane(&mut out, block, "", block);
            assert_eq!(running_order(out), order);
        }
    }

    #[test]
    fn more_waits_than_before_if_a_step_proposes_more_than_the_one_taken() {
        let cases = [("", "", "", false), ("x", "", "", false), ("", "x", "", false), ("", "", "x", false)];
        let more = [("x", "y", "", true), ("x", "", "y", true), ("", "x", "y", true), ("", "xyz", "", true)];
        for (firsts, lasts, agenda, grows) in cases.into_iter().chain(more) {
            let mut out = full();
            propose_in_every_lane(&mut out, firsts, lasts, agenda);
            assert_eq!(out.seal_as_it_lies(), Some(grows), "{firsts} {lasts} {agenda}");
            let mut out = full();
            propose_in_every_lane(&mut out, firsts, lasts, agenda);
            assert_eq!(out.seal(), grows, "{firsts} {lasts} {agenda}");
        }
        for (firsts, agenda) in [("xy", ""), ("", "xy")] {
            let mut out = full();
            propose_in_every_lane(&mut out, firsts, "", agenda);
            assert_eq!((out.seal_as_it_lies(), out.seal()), (None, true), "it is to be turned round first");
        }
    }

    #[test]
    fn what_was_proposed_since_a_mark_is_forgotten_and_nothing_else() {
        let mut out = full();
        propose_in_every_lane(&mut out, "g", "hi", "klm");
        let mark = out.mark();
        propose_in_every_lane(&mut out, "xyz", "uv", "w");
        out.withdraw_all();
        out.cut(mark);
        assert_eq!((proposed(&out).as_str(), out.len(), out.withdraws()), ("ghiklm", 6, false));
        assert_eq!(running_order(out), "gabcdhiklmef");
    }

    #[test]
    fn nothing_is_proposed_once_all_of_it_was_forgotten() {
        let mut out = full();
        let mark = out.mark();
        propose_in_every_lane(&mut out, "x", "y", "z");
        out.cut(mark);
        assert!(out.is_empty());
    }

    #[test]
    fn what_was_proposed_before_a_mark_is_forgotten_and_nothing_else() {
        let mut out = full();
        propose_in_every_lane(&mut out, "g", "hi", "klm");
        out.withdraw('e');
        let mark = out.mark();
        propose_in_every_lane(&mut out, "xyz", "uv", "w");
        out.withdraw('f');
        out.keep_from(mark);
        assert_eq!((proposed(&out).as_str(), out.len(), out.firsts()), ("xyzuvw", 6, 3));
        assert_eq!(out.take_withdrawals(), [Withdrawal::Like('f')]);
        assert_eq!(running_order(out), "xyzabcduvwef");
    }

    #[test]
    fn a_reason_is_told_of_the_proposal_it_was_left_with_and_of_no_other() {
        let mut out: Proposals<char, u8, &str> = Proposals::default();
        out.notes.want(true);
        let why = |who| {
            let mut why = Notes::wanted();
            why.made(who, 1);
            why
        };
        let slot = out.first('a');
        out.because(slot, why("Axe"));
        // A slot that names nothing has no proposal for whom it could be told.
        let nowhere = Slot { lane: Lane::Agenda, index: 9 };
        out.because(nowhere, why("Nobody"));
        let ticket = out.ticket_of(slot);
        let told = |out: &mut Proposals<char, u8, &'static str>, ticket| -> Vec<&str> {
            out.recall(ticket);
            let told = out.notes.list().iter().map(|note| note.who).collect();
            out.notes.truncate(0);
            told
        };
        assert_eq!(told(&mut out, ticket), ["Axe"]);
        assert!(told(&mut out, 0).is_empty() && told(&mut out, ticket + 1).is_empty());
    }

    #[test]
    fn a_withdrawal_means_an_effect_or_all_of_them() {
        assert_eq!((Withdrawal::Like('a').like(), Withdrawal::<char>::All.like()), (Some(&'a'), None));
    }
}

//! The timeline: the tree of everything played, undone branches included.
//!
//! A node stands for one input. Facts of all branches lie in one append-only list; a node names its
//! stretch of it. Every few nodes a snapshot is kept, and what lies between is folded from the facts, so
//! a state costs its facts and not its size, and nothing is ever lost.

use std::ops::Range;

use crate::fact::InputOf;
use crate::game::Game;
use crate::position::{LiveOf, PauseOf, Position, fold_all};
use crate::recorder::{Keeper, Mark};

/// A moment of a match: after one input. The start is moment 0.
pub type Moment = u32;

pub(crate) struct Node<G: Game> {
    pub parent: Moment,
    /// Number of inputs since the start.
    pub depth: u32,
    /// Serial number of its first fact.
    pub serial: u32,
    /// `None` only for the start.
    pub input: Option<InputOf<G>>,
    pub entries: Range<usize>,
    pub notes: Range<usize>,
    pub detours: Range<usize>,
    /// The child that `redo` goes to; 0 if none.
    pub forward: Moment,
    snapshot: Option<Box<LiveOf<G>>>,
    /// What waits while a question is open. Rules cannot fold this from facts, so it is kept.
    pause: Option<Box<PauseOf<G>>>,
}

impl<G: Game> Clone for Node<G> {
    fn clone(&self) -> Self {
        Node {
            parent: self.parent,
            depth: self.depth,
            serial: self.serial,
            input: self.input.clone(),
            entries: self.entries.clone(),
            notes: self.notes.clone(),
            detours: self.detours.clone(),
            forward: self.forward,
            snapshot: self.snapshot.clone(),
            pause: self.pause.clone(),
        }
    }
}

/// The end of a line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its last moment.
    pub tip: Moment,
    /// Where it left the line of the branch before it; 0 for the first.
    pub forked_at: Moment,
    /// Inputs from the start to the tip.
    pub length: u32,
    /// Whether the present moment lies on it.
    pub current: bool,
}

pub(crate) struct Timeline<G: Game> {
    pub nodes: Vec<Node<G>>,
    pub here: Moment,
    interval: u32,
}

impl<G: Game> Clone for Timeline<G> {
    fn clone(&self) -> Self {
        Timeline { nodes: self.nodes.clone(), here: self.here, interval: self.interval }
    }
}

impl<G: Game> Timeline<G> {
    pub fn new(start: &Position<G>, interval: u32) -> Self {
        let root = Node {
            parent: 0,
            depth: 0,
            serial: start.live.serial,
            input: None,
            entries: 0..0,
            notes: 0..0,
            detours: 0..0,
            forward: 0,
            snapshot: Some(Box::new(start.live.clone())),
            pause: start.pause.clone(),
        };
        Timeline { nodes: vec![root], here: 0, interval: interval.max(1) }
    }

    pub fn node(&self, moment: Moment) -> Option<&Node<G>> {
        self.nodes.get(moment as usize)
    }

    /// Adds what `input` led to and goes there.
    pub fn grow(&mut self, input: InputOf<G>, serial: u32, stretch: (Mark, Mark), position: &Position<G>) {
        let moment = self.nodes.len() as Moment;
        let parent = &mut self.nodes[self.here as usize];
        parent.forward = moment;
        let depth = parent.depth + 1;
        let snapshot = depth.is_multiple_of(self.interval).then(|| Box::new(position.live.clone()));
        let (from, to) = stretch;
        debug_assert!(
            self.nodes
                .last()
                .is_none_or(|last| (last.entries.end, last.notes.end) == (from.entries, from.notes)),
            "a stretch of the log begins where the last one ended"
        );
        debug_assert_eq!(
            position.live.serial,
            serial.wrapping_add((to.entries - from.entries) as u32),
            "the serial number counts the facts"
        );
        self.nodes.push(Node {
            parent: self.here,
            depth,
            serial,
            input: Some(input),
            entries: from.entries..to.entries,
            notes: from.notes..to.notes,
            detours: from.detours..to.detours,
            forward: 0,
            snapshot,
            pause: position.pause.clone(),
        });
        self.here = moment;
    }

    /// The moments from the start to `moment`.
    pub fn line(&self, moment: Moment) -> Vec<Moment> {
        let mut line = vec![moment];
        let mut at = moment;
        while at != 0 {
            at = self.nodes[at as usize].parent;
            line.push(at);
        }
        line.reverse();
        line
    }

    /// The position at a moment: the nearest snapshot before it, and the facts since.
    pub fn restore<R: Keeper<G>>(&self, game: &G, recorder: &R, moment: Moment) -> Position<G> {
        let live = self.live(game, recorder, moment, usize::MAX);
        Position { live, pause: self.nodes[moment as usize].pause.clone() }
    }

    /// The live state after the first `facts` facts of a moment.
    pub fn live<R: Keeper<G>>(&self, game: &G, recorder: &R, moment: Moment, facts: usize) -> LiveOf<G> {
        self.live_from(game, recorder, None, moment, facts)
    }

    /// The same; a moment whose live state is known shortens the way if it lies on it.
    pub fn live_from<R: Keeper<G>>(
        &self,
        game: &G,
        recorder: &R,
        known: Option<(Moment, LiveOf<G>)>,
        moment: Moment,
        facts: usize,
    ) -> LiveOf<G> {
        let mut path = Vec::new();
        let mut at = moment;
        let whole = facts >= self.nodes[moment as usize].entries.len();
        let mut live = loop {
            let node = &self.nodes[at as usize];
            if at != moment || whole {
                if known.as_ref().is_some_and(|(known, _)| *known == at)
                    && let Some((_, live)) = known
                {
                    break live;
                }
                if let Some(snapshot) = &node.snapshot {
                    break (**snapshot).clone();
                }
            }
            path.push(at);
            at = node.parent;
        };
        for at in path.into_iter().rev() {
            let stretch = self.nodes[at as usize].entries.clone();
            let limit = if at == moment { facts.min(stretch.len()) } else { stretch.len() };
            fold_all(game, &mut live, &recorder.entries()[stretch][..limit]);
        }
        live
    }

    /// The moment before the last input, if there is one.
    pub fn back(&self) -> Option<Moment> {
        (self.here != 0).then(|| self.nodes[self.here as usize].parent)
    }

    /// The moment after the input that was undone last, if there is one.
    pub fn ahead(&self) -> Option<Moment> {
        let forward = self.nodes[self.here as usize].forward;
        (forward != 0).then_some(forward)
    }

    /// Goes to a moment and makes its line the way that `redo` takes. The line to the present moment is that
    /// way already, so only what lies between its nearest ancestor on that line and the moment is turned.
    pub fn go(&mut self, moment: Moment) {
        let (mut at, mut old) = (moment, self.here);
        while at != old {
            let depth = |moment: Moment| self.nodes[moment as usize].depth;
            if depth(at) >= depth(old) {
                let parent = self.nodes[at as usize].parent;
                self.nodes[parent as usize].forward = at;
                at = parent;
            } else {
                old = self.nodes[old as usize].parent;
            }
        }
        self.here = moment;
    }

    pub fn branches(&self) -> Vec<Branch> {
        let mut has_child = vec![false; self.nodes.len()];
        for node in &self.nodes[1..] {
            has_child[node.parent as usize] = true;
        }
        let mut leads_here = vec![false; self.nodes.len()];
        // Parents come first.
        for (at, node) in self.nodes.iter().enumerate() {
            leads_here[at] = at == self.here as usize || at > 0 && leads_here[node.parent as usize];
        }
        let mut seen = vec![false; self.nodes.len()];
        let tips = (0..self.nodes.len() as Moment).filter(|&moment| !has_child[moment as usize]);
        tips.map(|tip| {
            // Every moment is passed once: what is seen already is another branch's.
            let mut fork = tip;
            while fork != 0 && !seen[fork as usize] {
                seen[fork as usize] = true;
                fork = self.nodes[fork as usize].parent;
            }
            Branch {
                tip,
                forked_at: fork,
                length: self.nodes[tip as usize].depth,
                current: leads_here[tip as usize],
            }
        })
        .collect()
    }
}

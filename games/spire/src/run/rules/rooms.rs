//! Moving on the map, finding out what a room is, and the fights in it.

use smallvec::SmallVec;
use turnstone::Settled;

use super::{Out, Outcome, fact, next};
use crate::catalog::compile::Op;
use crate::catalog::events::END;
use crate::catalog::words::Stage;
use crate::run::effect::Effect;
use crate::run::event::{Ending, Event};
use crate::run::journey::Journey;
use crate::run::plan::Contents;
use crate::run::tower::{EventScreen, FightKind, Screen};
use crate::seeds::{Fate, FateChange, FightNo, Place, Room, java_shuffle};
use crate::state::State;

impl Journey<'_> {
    /// The columns of the next row that can be reached, and whether one must fly there.
    pub fn next_columns(&self, s: &State) -> SmallVec<[(u8, bool); 7]> {
        let tower = &s.tower;
        let boss_row = tower.fate.boss_row();
        let Some(place) = tower.place else {
            return tower.fate.map.row(0).map(|(p, _)| (p.x, false)).collect();
        };
        let next = place.y + 1;
        let node = tower.fate.map.node(place);
        let edges = node.edges;
        if node.leads_out() {
            return SmallVec::new();
        }
        if next >= boss_row {
            return SmallVec::from_slice(&[(3, false)]);
        }
        let winged = self.altered(s, Stage::MapReach, 0) > 0;
        let reach = |(p, _): (Place, _)| {
            let linked = edges >> p.x & 1 == 1;
            (linked || winged).then_some((p.x, !linked))
        };
        tower.fate.map.row(next).filter_map(reach).collect()
    }

    pub(super) fn settle_move(&self, s: &State, x: u8) -> Outcome {
        let boots = self.next_columns(s).iter().any(|(column, boots)| *column == x && *boots);
        // Whoever leaves the last boss unbeaten stands before it again.
        let last = s.tower.fate.boss_row() + 1;
        let place = Place { x, y: s.tower.place.map_or(0, |p| (p.y + 1).min(last)) };
        self.move_to(s, place, boots)
    }

    pub(super) fn move_to(&self, s: &State, place: Place, boots: bool) -> Outcome {
        let floor = s.run.floor.saturating_add(1);
        let fate = &s.tower.fate;
        let mut streams = fate.streams;
        streams.enter_floor(fate.seed, floor);
        let change = FateChange::of_streams(&fate.streams, &streams);
        fact(Event::Moved { place, floor, boots, change })
    }

    /// The secret portal leads straight to the boss.
    pub(super) fn settle_to_the_boss(&self, s: &State) -> Outcome {
        self.move_to(s, Place { x: 3, y: s.tower.fate.boss_row() }, false)
    }

    pub(super) fn settle_arrive(&self, s: &State) -> Outcome {
        let tower = &s.tower;
        let at_boss = tower.place.is_some_and(|p| p.y >= tower.fate.boss_row());
        let shown = if at_boss { Room::Boss } else { tower.shown_room().unwrap_or(Room::Monster) };
        let told = matches!(self.contents_here(s), Some(Contents::Event(_)));
        if shown != Room::Event || told {
            return fact(Event::Arrived { room: shown, change: FateChange::default() });
        }
        let relics = self.unknown_relics(s);
        let after_shop = tower.room == Some(Room::Shop);
        let (room, change) = self.drawing(s, |fate| fate.resolve_unknown(after_shop, relics));
        fact(Event::Arrived { room, change })
    }

    pub(super) fn follow_arrived(&self, room: Room, out: &mut Out) {
        out.first(
            match room {
                Room::Monster => Effect::Fight(FightKind::Monster),
                Room::Elite => Effect::Fight(FightKind::Elite),
                Room::Boss => Effect::Fight(FightKind::Boss),
                Room::Rest => Effect::OpenRest,
                Room::Shop => Effect::OpenShop,
                Room::Treasure => Effect::OpenChest,
                Room::Event => Effect::OpenEvent,
            }
            .into(),
        );
    }

    /// Who is met is drawn, and then how the fight stands before it begins.
    pub(super) fn settle_fight(&self, s: &State, kind: FightKind) -> Outcome {
        let (met, change) = self.drawing(s, |fate| {
            let fight = self.next_fight(s, kind, fate)?;
            Some((fight, self.game.muster(s, fight, kind, &mut fate.streams)))
        });
        let Some((fight, line_up)) = met else { return Settled::Stale };
        fact(Event::FightBegan { fight, kind, line_up: Box::new(line_up), change })
    }

    /// Who is met: whoever waits here on a hand-made map, or the next of the act.
    fn next_fight(&self, s: &State, kind: FightKind, fate: &mut Fate) -> Option<FightNo> {
        let tables = &self.tables;
        let waiting = match self.contents_here(s) {
            Some(Contents::Fight(fight)) => Some(fight),
            _ => None,
        };
        match kind {
            FightKind::Monster => Some(waiting.unwrap_or_else(|| fate.next_monster(tables))),
            FightKind::Elite => Some(waiting.unwrap_or_else(|| fate.next_elite(tables))),
            FightKind::Boss => Some(waiting.unwrap_or_else(|| self.boss(s))),
            FightKind::Event(step) => match self.step(step)? {
                Op::Fight { foe: Some(fight), .. } => Some(FightNo(*fight)),
                Op::Fight { foe: None, act, .. } => {
                    let act = self.game.num(*act, &self.within(s, step.program, 0)).clamp(1, 3);
                    let mut bosses = tables.act(act as u8).bosses.clone();
                    java_shuffle(&mut bosses, fate.streams.misc.long());
                    bosses.first().copied()
                }
                Op::SearchFinds { .. } => Some(self.guardian(s)),
                _ => None,
            },
        }
    }

    /// The boss that comes next: at ascension 20 the third act has two.
    fn boss(&self, s: &State) -> FightNo {
        match s.tower.progress {
            crate::run::tower::Progress::BossBeaten(n) if n > 0 => s.tower.fate.fights.boss(1),
            _ => s.tower.fate.boss(),
        }
    }

    pub(super) fn follow_fight(&self, s: &State, ending: Ending, kind: FightKind, out: &mut Out) {
        match (ending, kind) {
            (Ending::Lost, _) => next(Effect::Die, out),
            (Ending::Fled, _) => {}
            // Nothing is won at the top but the way on.
            (Ending::Won, FightKind::Boss) if s.run.act >= 3 => {}
            (Ending::Won, kind) => next(Effect::Reward(kind), out),
        }
    }

    pub(super) fn settle_open_chest(&self, s: &State) -> Outcome {
        let (chest, change) = self.drawing(s, |fate| fate.make_chest());
        fact(Event::Opened { screen: Box::new(Screen::Chest(chest)), change })
    }

    pub(super) fn settle_open_event(&self, s: &State) -> Outcome {
        let tables = &self.tables;
        let (met, change) = self.drawing(s, |fate| {
            self.with_holder(s, |holder| {
                let event = match self.contents_here(s) {
                    Some(Contents::Event(event)) => event,
                    _ => fate.choose_event(tables, holder)?,
                };
                Some((event, fate.enter_event(tables, holder, event)))
            })
        });
        let Some((event, detail)) = met else { return Settled::Stale };
        let screen = Screen::Event(EventScreen {
            event,
            node: 0,
            detail,
            max_hp: s.run.max_hp,
            counts: [0; 3],
            relics: SmallVec::new(),
            open: 0,
            tries: 5,
        });
        fact(Event::Opened { screen: Box::new(screen), change })
    }

    pub(super) fn follow_opened(&self, _s: &State, screen: &Screen, out: &mut Out) {
        if let Screen::Event(event) = screen
            && let Some(first) = self.event(event.event).and_then(|event| event.nodes.first())
        {
            self.push_program(first.enter, 0, out);
        }
    }

    pub(super) fn settle_goto(&self, s: &State, node: u8) -> Outcome {
        match s.tower.event() {
            Some(_) => fact(Event::NodeReached { node }),
            None => Settled::Stale,
        }
    }

    pub(super) fn follow_node(&self, s: &State, node: u8, out: &mut Out) {
        if node == END {
            return;
        }
        let Some(event) = s.tower.event() else { return };
        let Some(script) = self.event(event.event) else { return };
        if let Some(reached) = script.nodes.get(usize::from(node)) {
            self.push_program(reached.enter, 0, out);
        }
    }
}

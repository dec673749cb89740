//! The way between the fights: its rules in the one queue and the one log of the game.
//!
//! Each hook is a function of its own, out of the way of the far more frequent fights.

use turnstone::{Expanded, Outcome, Rejection, Settled, Verdict, Viewer};

use super::action::Action;
use super::effect::Effect;
use super::event::{Ending, Event, LineUp};
use super::legal::Options;
use super::tower::{Around, End, EventScreen, FightKind, Screen, Tower};
use crate::action::Deed;
use crate::catalog::compile::BurningInfo;
use crate::catalog::words::Rank;
use crate::dice::FightDice;
use crate::eval::Env;
use crate::game::{Heard, Out, Settling, Spire};
use crate::question::Asked;
use crate::seeds::{EventDetail, Fate, FateChange, FightNo, Node, Place, RelicNo, Room, RunSetup, Streams};
use crate::setup::{Begin, Setup};
use crate::state::{Combat, DeckCard, Life, NONE, OwnedRelic, Run, Stage, State};

/// The turn from which on a fight may be given up.
const ENDLESS: u16 = 100;
/// The turn on which a fight that nobody has won is lost.
pub(crate) const LAST_TURN: u16 = 300;

/// How a run begins.
impl Spire {
    /// The first state of a run.
    ///
    /// # Errors
    /// Unknown names, impossible numbers.
    pub(crate) fn start_run(&self, setup: &Setup, seed: u64) -> Result<State, Rejection> {
        let Setup { ascension, rules, .. } = *setup;
        let tables = &self.rulebook.tables;
        let character = tables.characters.find(&setup.character).ok_or_else(|| {
            Rejection::new("UNKNOWN_CHARACTER", format!("nobody is called `{}`", setup.character))
        })?;
        let mut fate = Fate::new(tables, RunSetup { seed, character, ascension, rules });
        let plan = setup.map.as_ref().map(|choice| self.rulebook.plan(choice)).transpose()?;
        if let Some(plan) = &plan {
            plan.lay(tables, &mut fate);
        }
        let mut run = self.beginner(setup, seed);
        let mut place = None;
        if let Some(begin) = &setup.begin {
            if plan.is_some() {
                let text = "a run on a map of its own begins at its beginning";
                return Err(Rejection::new("BAD_SETUP", text));
            }
            self.equip(&mut run, &begin.with)?;
            place = self.stand(begin, &mut fate, &mut run)?;
        }
        run.act = run.act.max(fate.act);
        self.take_modifiers(&mut run, setup, seed)?;
        // What one begins with is not found again.
        for relic in run.relics.iter().skip(1) {
            fate.relics.forget(RelicNo(relic.id));
        }
        let mut tower = Tower::new(fate);
        tower.place = place;
        tower.path = place.into_iter().collect();
        let neow = plan.as_ref().is_none_or(|plan| plan.neow) && setup.begin.is_none();
        let neow = neow && !tower.fate.neow.is_empty();
        tower.screens = neow.then_some(Screen::Neow).into_iter().collect();
        tower.hand_made = plan.map(|plan| plan.hand_made);
        let keys = setup.begin.iter().flat_map(|begin| &begin.keys);
        tower.keys = keys.fold(0, |keys, key| keys | 1 << *key as u8);
        Ok(State { run, combat: Combat::default(), tower: Around::new(tower) })
    }

    /// Rules of one's own are relics that one has from the beginning.
    pub(crate) fn take_modifiers(&self, run: &mut Run, setup: &Setup, seed: u64) -> Result<(), Rejection> {
        for relic in self.rulebook.modifiers(&setup.modifiers, seed)? {
            let counter = self.journey().first_counter(relic);
            run.relics.push(OwnedRelic { id: relic.0, counter });
        }
        Ok(())
    }

    /// The player at the beginning of a run: deck, relics, hit points, slots.
    fn beginner(&self, setup: &Setup, seed: u64) -> Run {
        let id = self.catalog.find("character", &setup.character).unwrap_or(0);
        let info = &self.catalog.characters[usize::from(id)];
        let card = |id| DeckCard { id, up: 0, bottled: false, grown: 0 };
        let hardship = self.rulebook.tables.hardship(setup.ascension);
        let besides = hardship.deck.iter().map(|added| card(added.0));
        let deck = info.deck.iter().flat_map(|&(id, count)| (0..count).map(move |_| card(id)));
        let max_hp = info.hp_at(setup.ascension) as i16;
        let slots = hardship.potion_slots;
        let relic = |&id: &u16| OwnedRelic { id, counter: self.catalog.relics[usize::from(id)].start };
        Run {
            seed,
            character: id,
            ascension: setup.ascension,
            act: 1,
            floor: 0,
            hp: hardship.first_hp(max_hp.into()) as i16,
            max_hp,
            gold: info.gold,
            energy: info.energy as i16,
            draw: info.draw as i16,
            orb_slots: info.orb_slots as u8,
            potion_slots: slots,
            strength: 0,
            deck: besides.chain(deck).collect(),
            relics: info.relics.iter().map(relic).collect(),
            potions: vec![NONE; usize::from(slots)],
            dice: None,
        }
    }

    /// What the elite of a fight gains, if it is the burning one.
    fn burning(&self, state: &State, kind: FightKind) -> Option<&BurningInfo> {
        let burning = match kind {
            FightKind::Elite if state.tower.at_burning_elite() => state.tower.fate.map.burning?.1,
            FightKind::Elite | FightKind::Monster | FightKind::Boss | FightKind::Event(_) => return None,
        };
        let number = self.rulebook.tables.burnings.get(usize::from(burning.0))?;
        self.catalog.burnings.get(usize::from(*number))
    }

    /// Climbs to where a run shall begin: the act, and the room below the one that is wished for.
    fn stand(&self, begin: &Begin, fate: &mut Fate, run: &mut Run) -> Result<Option<Place>, Rejection> {
        let tables = &self.rulebook.tables;
        // Who stands on the last floor of an act begins the next one.
        let reached = |floor: u8| tables.act_of(floor.saturating_add(1), run.ascension);
        let act = begin.with.act.or(begin.with.floor.map(reached)).unwrap_or(1).clamp(1, 4);
        (1..act).for_each(|_| fate.next_act(tables));
        run.act = act;
        let below = tables.floors_below(run.ascension)[usize::from(act) - 1];
        let rows = fate.boss_row();
        let floors = below..=below + rows;
        if let Some(floor) = begin.with.floor.filter(|floor| !floors.contains(floor)) {
            let (first, last) = (floors.start(), floors.end());
            let text =
                format!("in act {act} a run begins on one of the floors {first} to {last}, not on {floor}");
            return Err(Rejection::new("BAD_FLOOR", text));
        }
        let above = begin.with.floor.map_or(0, |floor| floor - below);
        let nodes: Vec<(Place, Node)> = (0..rows).flat_map(|y| fate.map.row(y)).collect();
        let leads = |from: Place, to: Place| from.y + 1 == to.y && fate.map.node(from).edges >> to.x & 1 == 1;
        let before = |to: Place| nodes.iter().map(|(from, _)| *from).find(|from| leads(*from, to));
        let place = match (begin.room, begin.with.floor) {
            (Some(Room::Boss), _) => nodes.iter().map(|(place, _)| *place).rfind(|place| place.y + 1 == rows),
            (Some(room), _) => {
                let fits = |(place, node): &&(Place, Node)| node.room == Some(room) && place.y >= above;
                let found = nodes.iter().find(fits).map(|(place, _)| *place);
                let refusal =
                    || Rejection::new("NO_SUCH_ROOM", "there is no such room in this act, or not so high");
                let found = found.ok_or_else(refusal)?;
                if found.y == 0 { None } else { before(found) }
            }
            (None, Some(_)) => nodes.iter().map(|(place, _)| *place).find(|place| place.y + 1 == above),
            (None, None) => None,
        };
        run.floor = below + place.map_or(0, |place| place.y + 1);
        fate.enter_floor(run.floor);
        Ok(place)
    }

    /// A fight that nobody wins any more: the original is left by its menu then.
    pub(crate) fn drags_on(&self, state: &State) -> bool {
        let going_on = matches!(state.combat.stage, Stage::Player | Stage::Enemies);
        going_on && self.in_fight(state) && state.combat.counts.turn >= ENDLESS
    }

    /// Whether a fight is under way; in a fight of its own it always is.
    #[inline]
    pub(crate) fn in_fight(&self, state: &State) -> bool {
        state.tower.is_nowhere() || state.tower.fighting.is_some() && state.tower.end.is_none()
    }
}

/// A fight within a run.
impl Spire {
    /// Rolls how a fight will stand, with the dice of the run.
    pub(super) fn muster(
        &self,
        state: &State,
        fight: FightNo,
        kind: FightKind,
        streams: &mut Streams,
    ) -> LineUp {
        let run = state.run.clone();
        let mut then = State { run, combat: Combat::default(), tower: state.tower.clone() };
        then.combat.rolls = state.combat.rolls;
        then.run.dice = self.dice_of(streams);
        let (mut line_up, dice) = self.rolled_line_up(then, fight.0, self.rank_of(fight, kind), None);
        if let Some(dice) = dice {
            dice.give_back(streams);
        }
        let more = self.burning(state, kind).map_or(0, |info| info.max_hp);
        if more > 0 {
            let grown = |hp: i16| (i32::from(hp) * (100 + more) / 100).min(30_000) as i16;
            line_up.monsters.iter_mut().for_each(|monster| monster.hp = grown(monster.hp));
        }
        line_up
    }

    /// The dice of the run for a fight, unless the fight has its own.
    fn dice_of(&self, streams: &Streams) -> Option<FightDice> {
        (!self.profile.own_dice).then(|| FightDice::of(streams))
    }

    fn rank_of(&self, fight: FightNo, kind: FightKind) -> Rank {
        match (kind, self.catalog.encounters.get(usize::from(fight.0))) {
            (FightKind::Boss, _) => Rank::Boss,
            (FightKind::Elite, _) => Rank::Elite,
            (FightKind::Monster | FightKind::Event(_), Some(info)) => info.rank,
            (FightKind::Monster | FightKind::Event(_), None) => Rank::Normal,
        }
    }

    /// Writes how a fight stands; the dice go on where those of the run stopped.
    fn write_line_up(&self, state: &mut State, fight: FightNo, kind: FightKind, line_up: &LineUp) {
        state.run.dice = self.dice_of(&state.tower.fate.streams);
        self.take_the_field(state, fight.0, self.rank_of(fight, kind), line_up);
    }

    /// The effects with which a prepared fight begins.
    fn begin_fight(&self, state: &State, kind: FightKind, out: &mut Out) {
        out.last(crate::effect::Effect::Begin);
        let Some((power, amount)) = self.burning(state, kind).and_then(|info| info.power) else { return };
        for who in state.combat.enemies() {
            let amount = self.short(amount, &Env::new(state, self.monster_ctx(who)));
            out.last(crate::effect::Effect::Apply { by: who, to: who, power, amount, stored: 0 });
        }
    }

    /// Takes over what the fight changed and forgets it.
    fn leave_fight(&self, state: &mut State, ending: Ending) {
        let counts = state.combat.counts;
        // The dice go on where they stopped.
        state.combat.begin_anew(Combat { rolls: state.combat.rolls, ..Combat::default() });
        if let Some(dice) = state.run.dice.take() {
            dice.give_back(&mut state.tower.edit().fate.streams);
        }
        self.journey().leave_fight(state, ending, &counts);
    }
}

impl State {
    /// How the fight ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        match self.combat.stage {
            Stage::Won => Some(Ending::Won),
            Stage::Lost => Some(Ending::Lost),
            Stage::Fled => Some(Ending::Fled),
            Stage::None | Stage::Ready | Stage::Player | Stage::Enemies => None,
        }
    }

    /// Whether all of it is one fight.
    pub fn is_single_fight(&self) -> bool {
        self.tower.is_nowhere()
    }

    /// Whether a fight goes on.
    pub fn is_fighting(&self) -> bool {
        match self.is_single_fight() {
            true => self.ending().is_none(),
            false => self.tower.fighting.is_some() && self.tower.end.is_none(),
        }
    }
}

/// Gold that the beaten give back.
fn stolen(state: &State) -> i32 {
    let dead = state.combat.bodies.iter().skip(1).filter(|b| b.life == Life::Dead);
    dead.map(|b| i32::from(b.stolen)).sum()
}

/// The hooks of the kernel for what is of the run.
impl Spire {
    pub(crate) fn check_run(&self, state: &State, action: Action) -> Result<(), Rejection> {
        match action {
            Action::GiveUp if self.drags_on(state) => Ok(()),
            _ if state.tower.is_nowhere() => Err(Rejection::new("NO_RUN", "this fight is no part of a run")),
            action => self.journey().check(state, action),
        }
    }

    #[inline(never)]
    pub(crate) fn expand_run(
        &self,
        state: &State,
        effect: &Effect,
        out: &mut Out,
    ) -> Expanded<crate::effect::Effect> {
        if self.journey().expand(state, effect, out) { Expanded::Into } else { Expanded::Keep }
    }

    #[inline(never)]
    pub(crate) fn hear_before_run(&self, state: &State, effect: &Effect, heard: &mut Heard) {
        self.journey().before_listeners(state, effect, heard);
    }

    pub(crate) fn before_run(
        &self,
        relic: RelicNo,
        state: &State,
        effect: &mut crate::effect::Effect,
        out: &mut Out,
    ) -> Verdict {
        match effect {
            crate::effect::Effect::Run(effect) => self.journey().before(relic, state, effect, out),
            _ => Verdict::Pass,
        }
    }

    #[inline(never)]
    pub(crate) fn settle_run(&self, state: &State, effect: &Effect) -> Settling {
        let settled = match (effect, state.ending(), state.tower.fighting) {
            (Effect::EndFight, Some(ending), Some(fighting)) => {
                let stolen = stolen(state);
                Settled::Event(Event::FightEnded { ending, kind: fighting.kind, stolen })
            }
            (Effect::EndFight, ..) => Settled::Stale,
            _ => self.journey().settle(state, effect),
        };
        match settled {
            Settled::Event(event) => Settled::Event(event.into()),
            Settled::Stale => Settled::Stale,
            Settled::Ask(seat, question) => Settled::Ask(seat, Asked::Run(question)),
        }
    }

    #[inline(never)]
    pub(crate) fn write_run(&self, state: &mut State, event: &Event) {
        self.journey().apply(state, event);
        if let Event::FightEnded { ending, .. } = event {
            self.leave_fight(state, *ending);
        }
        // What comes behind the beginning of a fight may change what is heard in it.
        if let Event::RelicGained { .. } | Event::RelicLost { .. } = event
            && !state.combat.bodies.is_empty()
        {
            self.refresh_relics(state);
        }
        if let Event::FightBegan { fight, kind, line_up, .. } = event {
            self.write_line_up(state, *fight, *kind, line_up);
        }
    }

    #[inline(never)]
    pub(crate) fn follow_run(&self, state: &State, event: &Event, out: &mut Out) {
        self.journey().follow(state, event, out);
        if let Event::FightBegan { kind, .. } = event {
            self.begin_fight(state, *kind, out);
        }
    }

    #[inline(never)]
    pub(crate) fn hear_run(&self, state: &State, event: &Event, heard: &mut Heard) {
        self.journey().after_listeners(state, event, heard);
    }

    pub(crate) fn after_run(
        &self,
        relic: RelicNo,
        state: &State,
        event: &crate::event::Event,
        out: &mut Out,
    ) {
        if let crate::event::Event::Run(event) = event {
            self.journey().after(relic, state, event, out);
        }
    }

    pub(crate) fn legal_in_run(&self, state: &State, out: &mut Vec<Deed>) {
        let mut inner = Options::new();
        self.journey().legal(state, &mut inner);
        out.extend(inner.into_iter().map(Deed::Run));
    }

    /// How a match ended: a run at its end, a fight of its own when it is over.
    pub(crate) fn outcome_of(&self, state: &State) -> Option<Outcome> {
        if !state.tower.is_nowhere() {
            return Some(match state.tower.end? {
                End::Died => Outcome::Lost,
                End::Won | End::Heart => Outcome::Won(0),
            });
        }
        Some(match state.ending()? {
            Ending::Won => Outcome::Won(0),
            Ending::Lost => Outcome::Lost,
            Ending::Fled => Outcome::Drawn,
        })
    }
}

/// What players may not know of a run.
impl Spire {
    /// Players see the map and what was offered; the dice, pools and lists to come are nobody's to know.
    pub(crate) fn hide_run(&self, state: &State, value: &mut serde_json::Value) {
        if state.tower.is_nowhere() {
            return;
        }
        if let Some(fate) = value["tower"]["fate"].as_object_mut() {
            for hidden in ["seed", "streams", "drift", "relics", "fights", "events", "colorless"] {
                fate.remove(hidden);
            }
        }
        // What waits in the rooms of a hand-made map is found out by going there.
        if let Some(hand_made) = value["tower"]["hand_made"].as_object_mut() {
            hand_made.remove("contents");
        }
        value["tower"]["boss"] = state.tower.fate.boss().0.into();
        let screens = value["tower"]["screens"].as_array_mut().into_iter().flatten();
        screens.filter_map(|screen| screen.get_mut("event")).for_each(hide_drawn);
    }
}

/// A fact of the run as a viewer may see it.
pub(crate) fn redacted(event: &Event, viewer: Viewer) -> Event {
    let mut event = event.clone();
    if viewer == Viewer::All {
        return event;
    }
    if let Some(change) = event.change_mut() {
        *change = FateChange::default();
    }
    // What monsters rolled for themselves shows when they act on it, and nobody has seen the draw pile.
    if let Event::FightBegan { line_up, .. } = &mut event {
        line_up.draw.clear();
        line_up.rolls = 0;
        line_up.monsters.iter_mut().for_each(|monster| monster.vars = [0; 4]);
    }
    if let Event::Opened { screen, .. } = &mut event
        && let Screen::Event(opened) = &mut **screen
        && opened.detail.as_ref().is_some_and(EventDetail::is_secret)
    {
        opened.detail = None;
    }
    event
}

/// What an event drew on entry and will only show later.
fn hide_drawn(event: &mut serde_json::Value) {
    let Ok(screen) = serde_json::from_value::<EventScreen>(event.clone()) else { return };
    if let Some(cells) = event["detail"]["pairs"]["board"].as_array_mut() {
        let closed = cells.iter_mut().enumerate().filter(|(cell, _)| !screen.shows(*cell));
        closed.for_each(|(_, card)| *card = serde_json::Value::Null);
    } else if screen.detail.is_some_and(|detail| detail.is_secret()) {
        event["detail"] = serde_json::Value::Null;
    }
}

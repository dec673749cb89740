//! The grid world as numbers, for learners.
//!
//! | observation | part `cells` |
//! |---|---|
//! | `full` (default) | `[height][width][32]`: all cells, see [`observe`](crate::observe) |
//! | `partial`, `partial-5` | `[2r+1][2r+1][32]`: what the agent sees within 3 (or 5) cells of it |
//!
//! Besides `cells` there are `status` (turns left, score, health, what one carries and bears), where there are several
//! agents `agents` (who stands where, which is you), and where there are such `things` (where they go, whom they hunt,
//! where portals lead). What things pay, cost and give is not in it: the score tells. [`Part::columns`] and
//! [`Part::meanings`] name every number.
//!
//! Rewards: `score` (default), the change of the world's score, which is one number for all agents, among rivals too;
//! `outcome`, 1 for a victory and -1 for a defeat of one's own.
//!
//! While agents may act in any order, the first one is stepped and numbers are the seven
//! [deeds](crate::action::Deed). Otherwise they are those of [`Indexed`]: deeds and giving up
//! in rotation, the deeds of all as digits to the base seven where all act together.

use turnstone::{Indexed, Input, InputOf, Position, Rejection, Seat};
use turnstone_gym::{Asked, Coder, Ending, Layout, Learned, Part, Sheet, Taste, result};

use crate::action::{Action, Deed};
use crate::component::{ABOUT, NAMES};
use crate::game::{Grid, Setup};
use crate::geometry::Bounds;
use crate::label::Company;
use crate::observe::{
    AGENT, Canvas, PLANES, STATUS, THING, THINGS, WHAT, has_things, observe_partial, write_agents,
    write_status, write_things,
};
use crate::ruleset::{Order, TOGETHER_MAX};
use crate::state::State;
use crate::view::{RADIUS, plane_names};
use crate::world::{Slot, World};

/// What a learner sees of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Eyes {
    Full(Bounds),
    Partial(i32),
}

/// The numbers of the grid world.
#[derive(Clone, Debug)]
pub struct GridCoder {
    eyes: Eyes,
    layout: Layout,
    /// Agents that have rows; none where one is alone.
    agents: usize,
    /// There may be things that have rows.
    things: bool,
    order: Order,
    numbers: usize,
    by_score: bool,
    /// The set-up is one world, the same for every seed.
    fixed: bool,
}

impl Learned for Grid {
    type Coder = GridCoder;

    fn coder(&self, setup: &Setup, first: &Position<Self>, taste: &Taste) -> Result<GridCoder, Rejection> {
        let order = self.rules.order;
        let numbers = if order == Order::Anyone { Deed::ALL.len() } else { self.action_count() };
        let (world, fixed) = (&first.state().world, matches!(setup, Setup::World(_)));
        let eyes = eyes(&taste.observe, world.cast.bounds)?;
        let agents = Some(world.cast.agents.len()).filter(|agents| *agents > 1).unwrap_or(0);
        let things = !fixed || has_things(world);
        Ok(GridCoder {
            eyes,
            layout: Layout::new(parts(eyes, agents, things), taste)?,
            agents,
            things,
            order,
            numbers,
            by_score: taste.reward(&["score", "outcome"])? == "score",
            fixed,
        })
    }
}

fn eyes(asked: &str, bounds: Bounds) -> Result<Eyes, Rejection> {
    let radius = asked.strip_prefix("partial-").and_then(|radius| radius.parse().ok());
    if let Some(radius) = radius.filter(|radius| (1..=127).contains(radius)) {
        return Ok(Eyes::Partial(radius));
    }
    match Taste::choose(Asked::Observation, asked, &["full", "partial"])? {
        "partial" => Ok(Eyes::Partial(RADIUS)),
        _ => Ok(Eyes::Full(bounds)),
    }
}

/// What an observation is made of.
fn parts(eyes: Eyes, agents: usize, things: bool) -> Vec<Part> {
    let [height, width] = match eyes {
        Eyes::Full(bounds) => [bounds.height, bounds.width],
        Eyes::Partial(radius) => [2 * radius + 1; 2],
    };
    let mut cells = Part::bytes("cells", &[height as usize, width as usize, PLANES])
        .saying("row by row and cell by cell what lies there: 1 for each component that something in the cell has")
        .with_columns(plane_names());
    let components = NAMES.into_iter().zip(ABOUT);
    let others = [
        ("self", "you are here"),
        ("seen", "the cell is seen: always 1 where everything is"),
        ("heads_right_or_down", "a mover here heads right or down"),
        ("health_left", "the most health of anything here, at most 255"),
        ("key_group", "which key or lock: its group, from 1"),
    ];
    let known = components.chain(others).filter(|(_, about)| !about.is_empty());
    cells.meanings = known.map(|(name, about)| (name.to_owned(), about.to_owned())).collect();
    let status = Part::words("status", &[STATUS.len()]);
    let mut parts = vec![cells, status.saying("how the match stands for you").with_meanings(STATUS)];
    if agents > 0 {
        let rows = Part::words("agents", &[agents, AGENT.len()]);
        parts.push(rows.saying("a row for each agent, in the order of their numbers").with_meanings(AGENT));
    }
    if things {
        let rows =
            Part::words("things", &[THINGS, THING.len()]).with_meanings(THING).with_codes("what", WHAT);
        parts.push(rows.saying(
            "a row for each thing seen that walks, hunts, leads elsewhere, has health, opens or is locked",
        ));
    }
    parts
}

/// What a buffer shows: the cells, and how many things.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    cells: Canvas,
    things: Option<usize>,
}

/// The agent of a seat.
#[inline]
fn agent(world: &World, seat: Seat) -> Slot {
    let own = if seat == 0 { world.first_agent() } else { world.cast.agents.get(usize::from(seat)).copied() };
    own.unwrap_or(Slot::NONE)
}

impl GridCoder {
    /// Whose turn it is, where that is decided.
    fn next(&self, state: &State) -> Slot {
        if self.order == Order::Rotation && !state.world.is_over() { state.next } else { Slot::NONE }
    }

    /// How far one sees; without an end if everything is seen.
    fn reach(&self) -> Option<i32> {
        match self.eyes {
            Eyes::Full(_) => None,
            Eyes::Partial(radius) => Some(radius),
        }
    }
}

impl Coder<Grid> for GridCoder {
    type Canvas = Drawn;

    fn parts(&self) -> Vec<Part> {
        self.layout.parts()
    }

    fn numbers(&self) -> usize {
        self.numbers
    }

    fn number(
        &self,
        game: &Grid,
        position: &Position<Grid>,
        input: &InputOf<Grid>,
        _: usize,
    ) -> Option<usize> {
        match input {
            Input::Act(action) => game.action_index(position.state(), action),
            Input::Choose(never) => match *never {},
        }
    }

    fn meaning(&self, _: &Grid, number: usize) -> Option<String> {
        let deed = |number: usize| Deed::NAMES.get(number).map(|name| name.replace('_', " "));
        let deeds = Deed::ALL.len();
        let all = deeds.pow(TOGETHER_MAX as u32);
        match self.order {
            Order::Anyone => deed(number),
            Order::Rotation if number == deeds => Some("give up".into()),
            Order::Rotation => deed(number),
            Order::Together if number >= all => {
                (number < self.numbers).then(|| format!("agent {} gives up", number - all + 1))
            }
            Order::Together => {
                let of = |place: usize| deed(number / deeds.pow(place as u32) % deeds);
                let each = (0..TOGETHER_MAX)
                    .filter_map(|place| Some(format!("agent {}: {}", place + 1, of(place)?)));
                Some(each.collect::<Vec<String>>().join(", "))
            }
        }
    }

    fn is_direct(&self) -> bool {
        self.order == Order::Anyone
    }

    #[inline]
    fn input(&self, _game: &Grid, _position: &Position<Grid>, number: usize) -> Option<InputOf<Grid>> {
        Deed::ALL.get(number).map(|deed| Input::Act(Action::step(*deed)))
    }

    fn begins_alike(&self) -> bool {
        self.fixed
    }

    fn admits(&self, _game: &Grid, first: &Position<Grid>) -> Result<(), Rejection> {
        match self.eyes {
            Eyes::Full(bounds) if bounds != first.state().world.cast.bounds => {
                Err(Rejection::new("SIZES_DIFFER", "these worlds differ in size; observe them partially"))
            }
            _ if first.state().world.cast.agents.len() > self.agents.max(1) => {
                Err(Rejection::new("SIZES_DIFFER", "these worlds differ in how many agents they have"))
            }
            _ => Ok(()),
        }
    }

    fn observe(&self, game: &Grid, position: &Position<Grid>, seat: Seat, sheet: &mut Sheet<'_>) {
        self.update(game, position, seat, &mut Drawn::default(), sheet);
    }

    #[inline]
    fn update(
        &self,
        _game: &Grid,
        position: &Position<Grid>,
        seat: Seat,
        drawn: &mut Drawn,
        sheet: &mut Sheet<'_>,
    ) {
        let state = position.state();
        let (world, mut desk) = (&state.world, self.layout.desk(sheet.again()));
        let agent = agent(world, seat);
        if let Some(cells) = desk.bytes() {
            match self.eyes {
                Eyes::Full(_) => drawn.cells.update(world, agent, cells),
                Eyes::Partial(radius) => observe_partial(world, agent, radius, cells),
            }
        }
        if let Some(status) = desk.words() {
            write_status(world, agent, self.next(state), status);
        }
        if self.agents > 0
            && let Some(rows) = desk.words()
        {
            write_agents(state, agent, self.next(state), self.reach(), rows);
        }
        if self.things
            && let Some(rows) = desk.words()
        {
            write_things(world, agent, self.reach(), &mut drawn.things, rows);
        }
    }

    #[inline]
    fn glance(&self, position: &Position<Grid>) {
        position.state().world.glance();
    }

    #[inline]
    fn standing(&self, game: &Grid, position: &Position<Grid>, seat: Seat) -> f32 {
        if self.by_score { position.state().world.live.score as f32 } else { result(game, position, seat) }
    }

    /// Who is dead or gone has lost, even where the world would let others go on; who has no more turns is cut
    /// short.
    #[inline]
    fn ending(&self, game: &Grid, position: &Position<Grid>, seat: Seat) -> Option<Ending> {
        let (world, alone) = (&position.state().world, self.order == Order::Anyone);
        let active = world.is_active(agent(world, seat));
        match (world.live.win, world.live.lose) {
            (true, _) | (_, true) if !alone || world.cast.company == Company::Rivals => {
                turnstone::Game::outcome(game, position.state()).map(|outcome| Ending::of(outcome, seat))
            }
            (true, _) => Some(Ending::Won),
            (false, true) if active && world.is_out_of_time() => Some(Ending::OutOfTime),
            (false, true) => Some(Ending::Lost),
            (false, false) => (alone && !active).then_some(Ending::Lost),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::empty_world;
    use crate::generate::Recipe;
    use crate::level::LevelFile;
    use turnstone::{Match, Trace};
    use turnstone_gym::oracles::{nothing_hidden_shows, prove, prove_batches, prove_opponents};
    use turnstone_gym::{Actions, Autoreset, Batch, Buffers, OFFERS, Plan};
    use turnstone_host::{Opening, Player};

    type Worlds = Batch<Grid, GridCoder>;

    const RIGHT: i64 = 3;
    const WAIT: i64 = 6;

    fn of(text: &str, autoreset: Autoreset) -> (Worlds, Buffers) {
        let level = LevelFile::from_text(text).unwrap().to_level().unwrap();
        let setup = Setup::World(level.to_document());
        let batch = Batch::new(Grid::default().into(), setup, Plan { autoreset, ..Plan::default() }).unwrap();
        let buffers = Buffers::new(1, batch.lengths());
        (batch, buffers)
    }

    #[test]
    fn the_promises_hold() {
        for (setup, observe) in [("maze", ""), ("four_rooms", "partial"), ("maze", "partial-5")] {
            let opening = Opening { setup: Some(setup.into()), ..Opening::default() };
            let taste = Taste { observe: observe.into(), ..Taste::default() };
            let autoreset = if observe.is_empty() { Autoreset::NextStep } else { Autoreset::SameStep };
            prove::<Grid>(&opening, &Plan { taste, autoreset, seed: 3, ..Plan::default() }, 60);
        }
    }

    #[test]
    fn the_promises_hold_for_several_agents() {
        let level = "objective: exit\n\n@..a\n.o..\n...E\n\na = agent\n";
        let document = LevelFile::from_text(level).unwrap().to_level().unwrap().to_document();
        for order in [Order::Rotation, Order::Together, Order::Anyone] {
            let make = |plan: Plan| {
                let rules = crate::ruleset::Ruleset { order, ..Default::default() };
                Batch::new(Grid::new(rules).into(), Setup::World(document.clone()), plan).unwrap()
            };
            if order == Order::Anyone {
                // Only the first agent has numbers here: what the other may do is listed, and has none.
                assert_eq!(make(Plan::default()).numbers(), 7);
                continue;
            }
            prove_batches(&make, &Plan { seat: None, time_limit: 50, ..Plan::default() }, 40);
        }
    }

    /// By their places in the offered list, with the words of each: the numbers that every game has.
    #[test]
    fn the_promises_hold_for_offers() {
        for setup in ["four_rooms", "23-the-race"] {
            let opening = Opening { setup: Some(setup.into()), ..Opening::default() };
            let actions = Actions::Offered(OFFERS);
            prove::<Grid>(&opening, &Plan { actions, time_limit: 30, seed: 6, ..Plan::default() }, 32);
        }
    }

    /// One plan once served sixteen worlds.
    #[test]
    fn whoever_plays_against_learners_knows_one_world() {
        let opening = Opening { setup: Some("23-the-race".into()), ..Opening::default() };
        let plan = Plan { autoreset: Autoreset::SameStep, time_limit: 12, ..Plan::default() };
        prove_opponents::<Grid>(&opening, &plan, &["solver", "slips=40:solver", "random"], 16);
    }

    #[test]
    fn the_wind_is_not_in_the_observation() {
        let opening = Opening { setup: Some("15-gusty-ledge".into()), ..Opening::default() };
        nothing_hidden_shows::<Grid>(&opening, &Plan::default(), 120);
    }

    /// Lots are drawn without a look at the worlds while only steps have touched them.
    #[test]
    fn lots_are_the_same_whether_worlds_are_looked_at_or_not() {
        let setup = Setup::World(empty_world().to_document());
        let plan = Plan { lanes: 40, time_limit: 3, ..Plan::default() };
        let mut batch = Batch::new(Grid::default().into(), setup, plan).unwrap();
        let mut buffers = Buffers::new(40, batch.lengths());
        let (mut known, mut looked) = (vec![9; 40], vec![9; 40]);
        for step in 0..12 {
            batch.step(&[WAIT; 40], &mut buffers.frame(), None).unwrap();
            if step % 5 == 1 {
                batch.begin_again(17, None).unwrap();
            }
            batch.sample(step, &mut known).unwrap();
            batch.copy_lanes(&[0, 16, 32], &[0, 16, 32]).unwrap();
            batch.sample(step, &mut looked).unwrap();
            assert_eq!(known, looked, "step {step}");
            let allowed = |lane: usize, number: i64| buffers.mask[lane * 7 + number as usize];
            let all = known.iter().enumerate().all(|(lane, number)| lane == 17 || allowed(lane, *number));
            assert!(all, "step {step}: what is drawn is allowed");
        }
    }

    /// Learned policies depend on them.
    #[test]
    fn numbers_stay_for_ever() {
        let (batch, _) = of("floor: 0\n\n@.E", Autoreset::NextStep);
        assert_eq!((batch.numbers(), batch.parts()[0].shape.clone()), (7, vec![1, 3, PLANES]));
        let told: Vec<Option<String>> = (0..7).map(|number| batch.describe(0, number).unwrap()).collect();
        let words = ["up", "down", "left", "right", "use key", "pick up", "wait"];
        assert_eq!(told, words.map(|word| Some(word.to_owned())));
    }

    #[test]
    fn victory_and_death_terminate_and_only_time_truncates() {
        let end = |text: &str, action| {
            let (mut batch, mut buffers) = of(text, Autoreset::SameStep);
            batch.step(&[action], &mut buffers.frame(), None).unwrap();
            let ending = batch.finished(0).unwrap().map(|episode| episode.ending);
            (buffers.terminated[0], buffers.truncated[0], ending)
        };
        let head = "floor: 0\nobjective: exit\n";
        assert_eq!(end(&format!("{head}\n@E"), RIGHT), (true, false, Some(Ending::Won)));
        assert_eq!(end(&format!("{head}\n@~E"), RIGHT), (true, false, Some(Ending::Lost)));
        assert_eq!(end(&format!("{head}turn_limit: 1\n\n@.E"), WAIT), (false, true, Some(Ending::OutOfTime)));
        // Who dies in the last turn is dead, not late.
        assert_eq!(end(&format!("{head}turn_limit: 1\n\n@~E"), RIGHT), (true, false, Some(Ending::Lost)));
        assert_eq!(end(&format!("{head}turn_limit: 1\n\n@E"), RIGHT), (true, false, Some(Ending::Won)));
        assert_eq!(end(&format!("{head}turn_limit: 2\n\n@.E"), RIGHT), (false, false, None));
    }

    /// Whoever acts, everybody has won.
    #[test]
    fn partners_win_together() {
        let opening = Opening { setup: Some("25-marching-orders".into()), ..Opening::default() };
        let (game, setup) = <Grid as turnstone_host::Hosted>::open_table(&opening).unwrap();
        let mut solved: Match<Grid, Trace<Grid>> = Match::new(game, setup.clone(), 1).unwrap();
        let taste = Taste { reward: "outcome".into(), ..Taste::default() };
        let coder = solved.game().coder(&setup, solved.position(), &taste).unwrap();
        let mut solver: Player<Grid> = Player::named("solver", 0, 1).unwrap();
        while solved.outcome().is_none() {
            let inputs = solved.inputs();
            let chosen = solver.choose(solved.game(), solved.position(), &inputs, solved.depth());
            solved.act(inputs[chosen].clone()).unwrap();
        }
        let (game, end) = (solved.game(), solved.position());
        let told = |seat| (coder.ending(game, end, seat), coder.standing(game, end, seat));
        assert_eq!([0, 1].map(told), [(Some(Ending::Won), 1.0); 2]);
    }

    #[test]
    fn the_last_observation_is_kept() {
        let here = |observation: &[u8]| observation.chunks(PLANES).position(|cell| cell[27] == 1);
        for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
            let (mut batch, mut buffers) = of("objective: exit\n\n@.E", autoreset);
            batch.step(&[RIGHT], &mut buffers.frame(), None).unwrap();
            assert_eq!(batch.finished(0).unwrap(), None);
            batch.step(&[RIGHT], &mut buffers.frame(), None).unwrap();
            let episode = batch.finished(0).unwrap().unwrap();
            assert_eq!((episode.steps, episode.total), (2, -1.0));
            let (shown, last) = (here(&buffers.bytes), here(&buffers.final_bytes));
            match autoreset {
                Autoreset::SameStep => assert_eq!((shown, last), (Some(0), Some(2))),
                _ => assert_eq!(shown, Some(2), "{autoreset:?}"),
            }
        }
    }

    #[test]
    fn what_is_asked_for_and_not_there_is_refused() {
        let refused = |observe: &str, reward: &str| {
            let taste = Taste { observe: observe.into(), reward: reward.into(), ..Taste::default() };
            let setup = Setup::World(empty_world().to_document());
            let plan = Plan { taste, ..Plan::default() };
            Batch::new(Grid::default().into(), setup, plan).err().map(|error| error.code().to_owned())
        };
        assert_eq!(refused("fog", ""), Some("UNKNOWN_OBSERVATION".into()));
        assert_eq!(refused("partial-0", ""), Some("UNKNOWN_OBSERVATION".into()));
        assert_eq!(refused("", "fame"), Some("UNKNOWN_REWARD".into()));
        assert_eq!(refused("partial-4", "outcome"), None);
    }

    #[test]
    fn a_world_without_room_in_the_observation_is_refused() {
        let coder = |name: &str| {
            let game = Grid::default();
            let setup = Setup::Generated(Recipe::named(name).unwrap());
            let first = Position::new(turnstone::Game::start(&game, &setup, 1).unwrap());
            (game.coder(&setup, &first, &Taste::default()).unwrap(), first)
        };
        let ((maze, _), (_, rooms)) = (coder("maze"), coder("four_rooms"));
        let refusal = maze.admits(&Grid::default(), &rooms);
        assert_eq!(refusal.map_err(|refusal| refusal.code().to_owned()), Err("SIZES_DIFFER".into()));
    }
}

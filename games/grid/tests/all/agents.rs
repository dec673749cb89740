//! Several agents: anyone, in rotation, together; and what is refused.

use serde_json::json;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game, Input, Off, Outcome, Position, Rejection, Resolver};
use turnstone_grid::action::{Action, Deed};
use turnstone_grid::document::WorldDocument;
use turnstone_grid::geometry::Point;
use turnstone_grid::level::LevelFile;
use turnstone_grid::ruleset::{Order, Ruleset};
use turnstone_grid::world::World;
use turnstone_grid::{Grid, Setup};
use turnstone_host::{Hosted, Opening};

struct Bout {
    game: Grid,
    position: Position<Grid>,
    resolver: Resolver<Grid>,
}

impl Bout {
    fn new(order: Order, map: &str) -> Self {
        let game = Grid::new(Ruleset { order, ..Ruleset::default() });
        let text = format!("name: x\nobjective: exit\n\n{map}\n\na = agent health=1\nm = monster damage=9\n");
        let level = LevelFile::from_text(&text).unwrap().to_level().unwrap();
        let state = game.start(&Setup::World(level.to_document()), 0).unwrap();
        Self { game, position: Position::new(state), resolver: Resolver::default() }
    }

    fn act(&mut self, action: Action) -> Result<(), Rejection> {
        self.resolver.act(&self.game, &mut self.position, &Input::Act(action), &mut Off)
    }

    fn world(&self) -> &World {
        &self.position.state().world
    }

    fn ids(&self) -> Vec<u32> {
        self.world().agents().map(|agent| self.world().cast.id(agent)).collect()
    }

    fn columns(&self) -> Vec<i32> {
        self.world().agents().filter_map(|agent| self.world().point(agent)).map(|point| point.x).collect()
    }
}

#[test]
fn anyone_may_act_and_is_named() {
    let mut game = Bout::new(Order::Anyone, "@..a.E");
    let ids = game.ids();
    game.act(Action::by(ids[1], Deed::Left)).unwrap();
    game.act(Action::step(Deed::Right)).unwrap();
    assert_eq!(game.columns(), [1, 2]);
    assert_eq!(game.act(Action::by(99, Deed::Wait)).unwrap_err().code(), "UNKNOWN_AGENT");
    let together = Action::Together { deeds: Default::default() };
    assert_eq!(game.act(together).unwrap_err().code(), "ONE_ACTS_AT_A_TIME");
}

#[test]
fn in_rotation_the_living_take_turns() {
    let mut game = Bout::new(Order::Rotation, "@...m.a.a");
    let ids = game.ids();
    assert_eq!(game.act(Action::by(ids[1], Deed::Left)).unwrap_err().code(), "NOT_YOUR_TURN");
    game.act(Action::step(Deed::Right)).unwrap();
    game.act(Action::step(Deed::Left)).unwrap();
    game.act(Action::by(ids[2], Deed::Wait)).unwrap();
    game.act(Action::step(Deed::Right)).unwrap();
    // The second agent walks into the monster: the acting agent's death loses the game.
    game.act(Action::step(Deed::Left)).unwrap();
    assert_eq!(game.game.outcome(game.position.state()), Some(Outcome::Lost));
}

#[test]
fn together_all_act_in_id_order_in_one_turn() {
    let mut game = Bout::new(Order::Together, "@.a.E");
    let ids = game.ids();
    let deeds = |one: Deed, two: Deed| Action::Together {
        deeds: [(ids[0], one), (ids[1], two)].into_iter().collect(),
    };
    game.act(deeds(Deed::Right, Deed::Right)).unwrap();
    assert_eq!((game.columns(), game.world().live.turn, game.world().live.score), (vec![1, 3], 1, -2));
    game.act(deeds(Deed::Wait, Deed::Right)).unwrap();
    assert!(game.world().live.win);
    assert_eq!(game.game.outcome(game.position.state()), Some(Outcome::WonByAll), "one wins for all");
    assert_eq!(game.act(deeds(Deed::Wait, Deed::Wait)).unwrap_err().code(), "GAME_OVER");
    let mut game = Bout::new(Order::Together, "@.a.E");
    assert_eq!(game.act(Action::step(Deed::Wait)).unwrap_err().code(), "ALL_ACT_TOGETHER");
    let one = Action::Together { deeds: [(ids[0], Deed::Wait)].into_iter().collect() };
    assert_eq!(game.act(one).unwrap_err().code(), "WRONG_AGENTS");
}

#[test]
fn bad_worlds_are_refused_with_entity_and_field() {
    let refuse = |entity: serde_json::Value| {
        let value = json!({ "width": 3, "height": 1, "entities": {
            "0": { "agent": true, "position": [0, 0] }, "4": entity } });
        let refusal = WorldDocument::from_value(&value).map(Setup::World).map_err(Rejection::from);
        let refusal = refusal.and_then(|setup| Grid::default().start(&setup, 0)).unwrap_err();
        (refusal.code().to_string(), refusal.to_string())
    };
    let direction = json!({ "position": [1, 0], "moving": { "axis": "vertical", "direction": 2 } });
    for (entity, code, field) in [
        (json!({ "damage": -1 }), "NEGATIVE_DAMAGE", "damage"),
        (direction, "BAD_DIRECTION", "moving.direction"),
        (json!({ "position": [3, 0] }), "POSITION_OUTSIDE", "position"),
        (json!({ "wings": true }), "UNKNOWN_COMPONENT", "wings"),
        (json!({ "health": 3 }), "BAD_VALUE", "health"),
        (json!({ "pathfinding": { "target": 0, "type": "psychic" } }), "BAD_VALUE", "pathfinding"),
        (json!({ "inventory": [-1] }), "BAD_VALUE", "inventory"),
    ] {
        let (found, text) = refuse(entity);
        assert_eq!(found, code, "{text}");
        assert!(text.contains(&format!("entity 4, {field}: ")), "{text}");
    }
    let start = |value: serde_json::Value| {
        let document = WorldDocument::from_value(&value).map_err(Rejection::from)?;
        Grid::default().start(&Setup::World(document), 0)
    };
    let none = start(json!({ "width": 3, "height": 1, "entities": {} })).unwrap_err();
    assert_eq!(none.code(), "NO_AGENT");
    let huge = json!({ "width": 100_000, "height": 100_000, "entities": {} });
    assert_eq!(start(huge).unwrap_err().code(), "GRID_TOO_LARGE");
    let flat = json!({ "width": 0, "height": 1, "entities": {} });
    assert_eq!(start(flat).unwrap_err().code(), "BAD_SIZE");
    let rule = json!({ "width": 1, "height": 1, "move": "hop", "entities": {} });
    assert_eq!(start(rule).unwrap_err().code(), "UNKNOWN_NAME");
}

#[test]
fn a_hunter_without_a_target_stays() {
    let mut game = Bout::new(Order::Anyone, "@..");
    let mut document = game.world().to_document();
    let hunter = json!({ "position": [2, 0], "pathfinding": { "target": 4242, "type": "path" } });
    let hunter = turnstone_grid::document::Entity::from_value(9, &hunter).unwrap();
    document.entities.insert(9, hunter);
    game.position = Position::new(game.game.start(&Setup::World(document), 0).unwrap());
    game.act(Action::step(Deed::Wait)).unwrap();
    let hunter = game.world().cast.slot(9).unwrap();
    assert_eq!(game.world().point(hunter), Some(Point::new(2, 0)));
}

fn open(setup: &str) -> Bout {
    let opening = Opening { setup: Some(setup.into()), ..Opening::default() };
    let (game, setup) = Grid::open_table(&opening).unwrap();
    let state = game.start(&setup, 0).unwrap();
    Bout { game: Grid::clone(&game), position: Position::new(state), resolver: Resolver::default() }
}

#[test]
fn marching_orders_can_be_won() {
    let mut game = open("marching-orders");
    let ids = game.ids();
    assert_eq!(game.game.rules.order, Order::Together);
    for (one, two) in [
        (Deed::Right, Deed::Right),
        (Deed::Right, Deed::Right),
        (Deed::Right, Deed::Wait),
        (Deed::Right, Deed::Right),
        (Deed::Right, Deed::Right),
        (Deed::Right, Deed::Right),
        (Deed::Wait, Deed::Right),
    ] {
        game.act(Action::Together { deeds: [(ids[0], one), (ids[1], two)].into_iter().collect() }).unwrap();
    }
    assert!(game.world().live.win, "{:?}", game.columns());
}

#[test]
fn partners_win_together_and_lose_together() {
    let text = "name: x\nobjective: exit\ncompany: partners\nfloor: 0\n\n@EaE\n\na = agent health=1\n";
    let mut game = open(text);
    game.act(Action::step(Deed::Right)).unwrap();
    assert!(!game.world().live.win, "the other is not there yet");
    game.act(Action::step(Deed::Right)).unwrap();
    assert!(game.world().live.win);
    assert_eq!(game.game.outcome(game.position.state()), Some(Outcome::WonByAll));
    let lava =
        "name: x\nobjective: exit\ncompany: partners\n\n@..E\n~.a.\n\na = agent health=1\nm = monster\n";
    let mut game = open(lava);
    game.act(Action::step(Deed::Down)).unwrap();
    assert_eq!(game.game.outcome(game.position.state()), Some(Outcome::Lost));
}

/// Who is hit while the other acts is noticed at once, not when its turn comes.
#[test]
fn a_partner_who_dies_out_of_turn_loses_the_level() {
    let text = "name: x\nobjective: exit\ncompany: partners\n\n@...E\n.am..\n\na = agent health=1\nm = monster damage=9 moves=left\n";
    let mut game = open(text);
    game.act(Action::step(Deed::Wait)).unwrap();
    assert_eq!(game.game.outcome(game.position.state()), Some(Outcome::Lost));
}

const RIVALS: &str = "name: x\nobjective: exit\ncompany: rivals\nturn_limit: 4\n\n@~.E\na..E\n\na = agent\n";

#[test]
fn the_first_rival_at_the_exit_wins() {
    let mut game = open("name: x\nobjective: exit\ncompany: rivals\n\n@..E\n..aE\n\na = agent\n");
    game.act(Action::step(Deed::Right)).unwrap();
    game.act(Action::step(Deed::Right)).unwrap();
    assert_eq!(game.game.outcome(game.position.state()), Some(Outcome::Won(1)));
}

#[test]
fn the_last_rival_alive_wins() {
    let mut game = open(RIVALS);
    game.act(Action::step(Deed::Right)).unwrap();
    assert_eq!(game.game.outcome(game.position.state()), Some(Outcome::Won(1)));
}

#[test]
fn rivals_out_of_time_have_drawn() {
    let mut game = open(RIVALS);
    for _ in 0..4 {
        game.act(Action::step(Deed::Wait)).unwrap();
    }
    assert_eq!(game.game.outcome(game.position.state()), Some(Outcome::Drawn));
}

#[test]
fn a_rival_may_give_up_at_any_time() {
    let mut game = open(RIVALS);
    let ids = game.ids();
    game.act(Action::Resign { agent: Some(ids[1]) }).unwrap();
    assert_eq!(game.game.outcome(game.position.state()), Some(Outcome::Won(0)));
    let mut game = open(RIVALS);
    game.act(Action::Resign { agent: None }).unwrap();
    assert_eq!(game.game.outcome(game.position.state()), Some(Outcome::Won(1)));
    assert_eq!(game.act(Action::Resign { agent: None }).unwrap_err().code(), "GAME_OVER");
    let mut alone = open("first-steps");
    assert_eq!(alone.act(Action::Resign { agent: None }).unwrap_err().code(), "NO_OPPONENT");
}

#[test]
fn of_three_rivals_the_other_two_play_on() {
    let mut game = open("name: x\nobjective: exit\ncompany: rivals\n\n@..E\na..E\na..E\n\na = agent\n");
    game.act(Action::Resign { agent: None }).unwrap();
    assert_eq!(game.game.outcome(game.position.state()), None);
    assert_eq!(game.game.actor(game.position.state()), Some(1));
    game.act(Action::step(Deed::Right)).unwrap();
    assert_eq!(game.game.actor(game.position.state()), Some(2));
    game.act(Action::step(Deed::Right)).unwrap();
    assert_eq!(game.game.actor(game.position.state()), Some(1), "who gave up is passed over");
}

#[test]
fn rivals_take_turns() {
    let opening = Opening {
        setup: Some(RIVALS.into()),
        wishes: vec![("order".into(), "anyone".into())],
        ..Opening::default()
    };
    let (game, setup) = Grid::open_table(&opening).unwrap();
    assert_eq!(game.start(&setup, 0).unwrap_err().code(), "RIVALS_TAKE_TURNS");
}

#[test]
fn a_world_in_which_nobody_can_act_is_over() {
    let mut document = open("first-steps").world().to_document();
    document
        .entities
        .values_mut()
        .filter(|entity| entity.health.is_some())
        .for_each(|agent| agent.position = None);
    let state = Grid::default().start(&Setup::World(document), 0).unwrap();
    assert_eq!(Grid::default().outcome(&state), Some(Outcome::Lost));
}

/// Whatever anybody does, a step is counted, a rival is out, or it is over; and every set-up has a limit.
#[test]
fn every_match_ends_in_every_setup_order_and_profile() {
    let orders = ["rotation", "together", "anyone"];
    for setup in Grid::setups() {
        for (number, (order, profile)) in orders
            .iter()
            .flat_map(|order| ["seed", "head", "tidy"].map(|profile| (order, profile)))
            .enumerate()
        {
            let wishes = vec![("order".to_string(), order.to_string()), ("profile".into(), profile.into())];
            let opening = Opening { setup: Some(setup.id.clone()), wishes, ..Opening::default() };
            let (game, start) = Grid::open_table(&opening).unwrap();
            let Ok(state) = game.start(&start, number as u64) else {
                assert_eq!(*order, "anyone", "{}: only rivals may refuse an order", setup.id);
                continue;
            };
            let mut bout = Bout {
                game: Grid::clone(&game),
                position: Position::new(state),
                resolver: Resolver::default(),
            };
            let mut lots = Lots::new(number as u64, Stream::named("grid/ends"));
            let mut legal = Vec::new();
            while game.outcome(bout.position.state()).is_none() {
                legal.clear();
                game.legal(bout.position.state(), &mut legal);
                let action = legal[lots.index(legal.len()).unwrap()].clone();
                let before = (bout.world().live.turn, alive(bout.world()));
                bout.act(action).unwrap();
                let after = (bout.world().live.turn, alive(bout.world()));
                let is_over = game.outcome(bout.position.state()).is_some();
                assert!(is_over || after.0 > before.0 || after.1 < before.1, "{}", setup.id);
                assert!(after.0 <= bout.world().cast.turn_limit.unwrap(), "{}", setup.id);
            }
        }
    }
}

fn alive(world: &World) -> usize {
    world.agents().filter(|agent| world.is_active(*agent)).count()
}

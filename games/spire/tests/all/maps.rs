//! Runs on hand-made maps: they end by themselves, hold what was put into them, and keep the kernel's promises.

use std::sync::Arc;

use turnstone::digest::Digest;
use turnstone::{Game, Input, InputOf, Match, Off, Outcome, Position, Resolver, Seen, Viewer, file};
use turnstone_host::{Hosted, Opening, Player, Source};
use turnstone_spire::catalog::{Sources, maps};
use turnstone_spire::run::Setup;
use turnstone_spire::run::action::Action;
use turnstone_spire::run::plan::{MapChoice, Plan};
use turnstone_spire::run::tower::{End, Reward, Screen};
use turnstone_spire::seeds::Room;
use turnstone_spire::{Deed, Ruleset, Spire};
use turnstone_testkit::prove;

use crate::players::{CHARACTERS, heuristic, random};

fn game() -> Arc<Spire> {
    Arc::new(Spire::builtin(Ruleset::Classic).expect("content"))
}

fn on(map: &str, character: &str) -> Setup {
    Setup { map: Some(MapChoice::Name(map.to_owned())), ..Setup::run(character, 0) }
}

fn run(action: Action) -> InputOf<Spire> {
    Input::Act(Deed::Run(action))
}

/// Plays a match to its end.
fn play(game: &Arc<Spire>, setup: Setup, seed: u64, bot: &mut Player<Spire>) -> Match<Spire> {
    let mut table = Match::<Spire>::new(game.clone(), setup, seed).expect("a match");
    for _ in 0..5_000 {
        let inputs = table.inputs();
        if inputs.is_empty() {
            return table;
        }
        let chosen = bot.choose(game, table.position(), &inputs, table.depth());
        table.act(inputs[chosen].clone()).expect("an offered input");
    }
    panic!("seed {seed} got stuck");
}

#[test]
fn bots_play_every_map_to_an_end() {
    let game = game();
    let names: Vec<String> = game.rulebook.plans.iter().map(|plan| plan.id.clone()).collect();
    assert!(names.len() >= 3, "{names:?}");
    let mut won = 0;
    for name in &names {
        for (seed, character) in (0..8).zip(CHARACTERS.iter().cycle()) {
            play(&game, on(name, character), seed, &mut random(seed));
            let table = play(&game, on(name, character), seed, &mut heuristic());
            won += u32::from(table.outcome() == Some(Outcome::Won(0)));
            assert_eq!(table.state().run.act, 1, "the map is the whole run");
        }
    }
    assert!(won > 0, "at least the short ones can be won");
}

#[test]
fn the_promises_of_the_kernel_hold_on_a_hand_made_map() {
    let game = game();
    for map in ["six_rooms", "gauntlet"] {
        let plan = turnstone_testkit::Plan { cases: 4, steps: 150, seed: 9, probes: 6 };
        prove(&game, |seed| on(map, CHARACTERS[seed as usize % 4]), plan);
    }
}

/// What was put into the rooms of a way up the gauntlet is there.
#[test]
fn rooms_hold_what_was_put_into_them() {
    let game = game();
    let mut state = game.start(&on("gauntlet", "ironclad"), 3).expect("start");
    let hand_made = state.tower.hand_made.clone().expect("a hand-made map");
    let places: Vec<_> = hand_made.contents.iter().map(|(place, _)| *place).collect();
    let mut seen = Vec::new();
    for place in places {
        let tower = state.tower.edit();
        tower.screens.clear();
        tower.fighting = None;
        tower.room = None;
        // From the room below, by its own way up.
        let below =
            tower.fate.map.nodes().find(|(below, node)| {
                below.y + 1 == place.y && node.targets().any(|column| column == place.x)
            });
        tower.place = below.map(|(below, _)| below);
        let mut table = Position::<Spire>::new(state.clone());
        let mut resolver = Resolver::default();
        resolver.act(&*game, &mut table, &run(Action::Go(place.x)), &mut Off).expect("a way");
        if let Some(Screen::Chest(_)) = table.state().tower.screen() {
            resolver.act(&*game, &mut table, &run(Action::OpenChest), &mut Off).expect("a chest");
        }
        let tower = &table.state().tower;
        seen.push(match (tower.fighting, tower.screen()) {
            (Some(fight), _) => game.rulebook.tables.fights.name(fight.fight).to_owned(),
            (_, Some(Screen::Event(event))) => game.rulebook.tables.events.name(event.event).to_owned(),
            (_, Some(Screen::Rewards(list))) => match &list[0] {
                Reward::Relic(relic) => game.rulebook.tables.relics.name(*relic).to_owned(),
                other => format!("{other:?}"),
            },
            (_, other) => format!("{other:?}"),
        });
    }
    let wanted = "two_louse anchor lantern gremlin_nob three_sentries upgrade_shrine blue_slaver purifier lagavulin \
                  hypnotizing_colored_mushrooms gremlin_horn pear hexaghost";
    assert_eq!(seen.join(" "), wanted);
}

fn written(table: &Match<Spire>, setup: Setup, seed: u64) -> String {
    let header = file::Header::new("spire", serde_json::Value::Null, Digest([0; 16]), setup, seed);
    file::write(&header, table).expect("writes")
}

#[test]
fn a_match_on_a_map_is_written_read_and_undone() {
    let game = game();
    let mut table = play(&game, on("six_rooms", "silent"), 5, &mut heuristic());
    let text = written(&table, on("six_rooms", "silent"), 5);
    let again: Match<Spire> = file::read(&game, &text).expect("reads back");
    assert_eq!(again.state(), table.state());
    file::verify(&game, &text).expect("folds and reruns");
    while table.undo() {}
    assert_eq!(table.state(), &game.start(&on("six_rooms", "silent"), 5).expect("start"));
    assert_eq!(table.state().tower.screen(), None, "no whale on this map");
}

#[test]
fn the_end_of_the_map_wins_the_run() {
    let game = game();
    let mut state = game.start(&on("six_rooms", "ironclad"), 1).expect("start");
    let (last, _) = state.tower.fate.map.nodes().last().expect("rooms");
    let tower = state.tower.edit();
    (tower.place, tower.room) = (Some(last), Some(Room::Monster));
    tower.screens.push(Screen::Rewards(vec![Reward::Gold(5)]));
    let mut table = Position::<Spire>::new(state);
    let mut resolver = Resolver::default();
    resolver.act(&*game, &mut table, &run(Action::Proceed), &mut Off).expect("leaving");
    assert_eq!(table.state().tower.end, Some(End::Won));
}

const OWN: &str = "[map.mine]\nname = \"Mine\"\nact = 2\n[map.mine.node.only]\nfloor = 1\ncolumn = 4\n\
                   room = \"boss\"\nencounter = \"champ\"\nend = true\n";

fn open(map: &str, files: &[Source]) -> Result<(Match<Spire>, Setup), String> {
    let wishes = vec![("map".into(), map.into())];
    let opening = Opening { wishes, files: files.to_vec(), ..Opening::default() };
    let (game, setup) = Spire::open_table(&opening).map_err(|refusal| refusal.to_string())?;
    let table = Match::new(game, setup.clone(), 7).map_err(|refusal| refusal.to_string())?;
    Ok((table, setup))
}

#[test]
fn a_map_of_ones_own_is_a_file_and_travels_with_the_match() {
    let (table, setup) = open("my/mine.toml", &[Source::new("my/mine.toml", OWN)]).expect("opens");
    let text = written(&table, setup, 7);
    let game = game();
    let again: Match<Spire> = file::read(&game, &text).expect("the file is not needed any more");
    assert_eq!(again.state(), table.state());
    assert_eq!(again.state().run.act, 2);
    let inputs = again.inputs();
    let scene = game.scene(again.position(), &inputs, Viewer::Seat(0));
    assert!(
        scene.title.contains("Mine, floor 0") && scene.title.contains("boss: The Champ"),
        "{}",
        scene.title
    );
    let shown = game.view(again.state(), Viewer::Seat(0)).to_string();
    assert!(!shown.contains("contents"), "what waits in the rooms is not told");
}

#[test]
fn what_is_wrong_with_a_map_is_told_at_the_door() {
    let wrong = Source::new("my/wrong.toml", OWN.replace("champ", "chmap"));
    let refusal = |map: &str| open(map, std::slice::from_ref(&wrong)).err().expect("a refusal");
    assert!(refusal("gauntlt").contains("no map is called `gauntlt`; did you mean `gauntlet`?"));
    assert!(refusal("/etc/passwd.toml").contains("no map is called"), "a wish opens no file");
    assert!(refusal("my/wrong.toml").contains("my/wrong.toml:8:13: MAP_UNKNOWN_NAME"));
    let game = game();
    let wrong = |text: String| {
        let choice = Some(MapChoice::Text(text));
        game.start(&Setup { map: choice, ..Setup::run("ironclad", 0) }, 1).unwrap_err().to_string()
    };
    let text = wrong(OWN.replace("champ", "chmap"));
    assert!(
        text.contains("map:8:13: MAP_UNKNOWN_NAME: no encounter is called `chmap`; did you mean `champ`?"),
        "{text}"
    );
    assert!(wrong("[card.x]\n".into()).contains("the file holds no map"));
    let two = format!("{OWN}{}", OWN.replace("mine", "other"));
    assert!(wrong(two).contains("the file holds several maps"));
    let both = Setup { fight: Some(Default::default()), ..on("six_rooms", "ironclad") };
    assert_eq!(game.start(&both, 1).unwrap_err().code(), "BAD_SETUP");
}

#[test]
fn an_overlay_adds_and_changes_maps() {
    let game = game();
    let change = "[map.six_rooms]\nneow = true\n";
    let sources = Sources::builtin("classic").with_text("mine.toml", &format!("{OWN}{change}"));
    let plans = Plan::load(&maps::load(&sources).expect("sound"), &game.rulebook.tables).expect("sound");
    assert_eq!(plans.len(), game.rulebook.plans.len() + 1);
    let six = plans.iter().find(|plan| plan.id == "six_rooms").expect("still there");
    assert!(six.neow && six.map.nodes().count() == 6);
}

/// The map that the manual shows can be climbed.
#[test]
fn the_map_of_the_manual_is_sound() {
    let manual = include_str!("../../content/README.md");
    let from = manual.find("[map.ford]").expect("the example");
    let text = manual[from..].split("```").next().expect("a block").to_owned();
    let setup = Setup { map: Some(MapChoice::Text(text)), ..Setup::run("defect", 3) };
    let table = play(&game(), setup, 2, &mut heuristic());
    assert!(table.state().run.floor > 0);
}

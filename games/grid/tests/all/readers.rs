//! Broken level files and world documents: read or refused, never a panic, and what is read can be
//! played, drawn and observed.

use proptest::prelude::*;
use turnstone::{Game, Input, Off, Position, Resolver};
use turnstone_grid::action::{Action, Deed};
use turnstone_grid::catalog::Catalog;
use turnstone_grid::document::WorldDocument;
use turnstone_grid::level::LevelFile;
use turnstone_grid::observe::{full_length, observe_full, observe_partial, partial_length};
use turnstone_grid::render::{Style, svg};
use turnstone_grid::ruleset::{Profile, Ruleset};
use turnstone_grid::{Grid, Setup};

/// Plays every deed twice in both profiles, and looks at the result in every way there is.
fn try_out(document: &WorldDocument) {
    for profile in [Profile::SEED, Profile::HEAD] {
        let game = Grid::new(Ruleset::of(profile));
        let Ok(state) = game.start(&Setup::World(document.clone()), 0) else { return };
        let (mut position, mut resolver) = (Position::<Grid>::new(state), Resolver::default());
        for deed in Deed::ALL.into_iter().chain(Deed::ALL) {
            resolver.act(&game, &mut position, &Input::Act(Action::step(deed)), &mut Off).ok();
        }
        let world = &position.state().world;
        let agent = world.first_agent().unwrap();
        observe_full(world, agent, &mut vec![0; full_length(world.cast.bounds)]);
        observe_partial(world, agent, 2, &mut vec![0; partial_length(2)]);
        svg(world, &Style::default()).ok();
    }
}

/// A text with some of its letters replaced, doubled or left out.
fn broken(text: &str, wounds: &[(usize, u8, char)]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for &(place, kind, letter) in wounds {
        let place = place % letters.len().max(1);
        match kind {
            0 if !letters.is_empty() => letters[place] = letter,
            1 if !letters.is_empty() => drop(letters.remove(place)),
            _ => letters.insert(place.min(letters.len()), letter),
        }
    }
    letters.into_iter().collect()
}

fn wounds() -> impl Strategy<Value = Vec<(usize, u8, char)>> {
    let letter = prop::sample::select("@#.EBo*~^0193-=;:[]{}\",\n kadmw".chars().collect::<Vec<_>>());
    prop::collection::vec((0..4_000_usize, 0..3_u8, letter), 1..5)
}

fn levels() -> Vec<LevelFile> {
    Catalog::built_in().levels().map(|(_, file)| file.clone()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_level_files(number in 0..26_usize, wounds in wounds()) {
        let text = toml::to_string(&levels()[number]).unwrap();
        let Ok(file) = LevelFile::from_toml(&broken(&text, &wounds)) else { return Ok(()) };
        if let Ok(level) = file.to_level() {
            try_out(&level.to_document());
        }
    }

    #[test]
    fn broken_world_documents(number in 0..26_usize, wounds in wounds()) {
        let text = levels()[number].to_level().unwrap().to_document().to_value().to_string();
        let Ok(value) = serde_json::from_str(&broken(&text, &wounds)) else { return Ok(()) };
        if let Ok(document) = WorldDocument::from_value(&value) {
            try_out(&document);
        }
    }
}

//! The tower around the fights: where levels of ascension begin, what fights and chests leave, boots, keys, relics.

use turnstone::{Game, Input, Off, Outcome, Position, Resolver, Settled};
use turnstone_spire::Spire;
use turnstone_spire::State;
use turnstone_spire::action::Action as FightAction;
use turnstone_spire::run::Setup;
use turnstone_spire::run::action::Action;
use turnstone_spire::run::effect::Effect;
use turnstone_spire::run::event::Event;
use turnstone_spire::run::tower::{FightKind, Key, Progress, Reward, Screen};
use turnstone_spire::seeds::{CardNo, Map, Place, RelicNo, Room, Rules};
use turnstone_spire::setup::Fight;
use turnstone_spire::state::OwnedRelic;
use turnstone_spire::{Deed, Ruleset};

/// The curse of high ascensions.
fn bane_of(game: &Spire) -> CardNo {
    game.rulebook.tables.cards.find("ascenders_bane").expect("a card")
}

fn start(game: &Spire, character: &str, ascension: u8) -> State {
    let mut state = game.start(&Setup::run(character, ascension), 7).expect("start");
    state.tower.edit().screens.clear();
    state
}

fn game() -> Spire {
    Spire::builtin(Ruleset::Classic).expect("content")
}

fn give(game: &Spire, state: &mut State, name: &str) {
    let relic: RelicNo = game.rulebook.tables.relics.find(name).expect(name);
    let counter = game.journey().first_counter(relic);
    state.run.relics.push(OwnedRelic { id: relic.0, counter });
}

/// The rewards of a won fight.
fn rewards(game: &Spire, state: &State, kind: FightKind) -> Vec<Reward> {
    match game.journey().settle(state, &Effect::Reward(kind)) {
        Settled::Event(Event::Opened { screen, .. }) => match *screen {
            Screen::Rewards(list) => list,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn elites_are_more_from_level_1_and_no_more_after() {
    let game = game();
    let elites = |ascension| -> usize {
        let of = |seed| {
            let map = Map::generate(&game.rulebook.tables.map_plan(1, ascension), seed, Rules::Original);
            map.nodes().filter(|(_, node)| node.room == Some(Room::Elite)).count()
        };
        (0..200).map(of).sum()
    };
    assert!(elites(1) * 10 > elites(0) * 14, "{} {}", elites(0), elites(1));
    assert_eq!(elites(1), elites(20));
}

#[test]
fn a_run_begins_with_less() {
    let game = game();
    let begin = |character, ascension| {
        let run = start(&game, character, ascension).run;
        let bane = run.deck.iter().filter(|c| bane_of(&game) == CardNo(c.id)).count();
        (run.hp, run.max_hp, bane, run.potions.len(), run.gold)
    };
    for (character, ascension, expected) in [
        ("ironclad", 5, (80, 80, 0, 3, 99)),
        ("ironclad", 6, (72, 80, 0, 3, 99)),
        ("ironclad", 9, (72, 80, 0, 3, 99)),
        ("ironclad", 10, (72, 80, 1, 3, 99)),
        ("ironclad", 11, (72, 80, 1, 2, 99)),
        ("ironclad", 13, (72, 80, 1, 2, 99)),
        ("ironclad", 14, (68, 75, 1, 2, 99)),
        ("silent", 0, (70, 70, 0, 3, 99)),
        ("silent", 14, (59, 66, 1, 2, 99)),
        ("defect", 0, (75, 75, 0, 3, 99)),
        ("defect", 14, (64, 71, 1, 2, 99)),
        ("watcher", 0, (72, 72, 0, 3, 99)),
        ("watcher", 20, (61, 68, 1, 2, 99)),
    ] {
        assert_eq!(begin(character, ascension), expected, "{character:?} at {ascension}");
    }
    let bane = start(&game, "ironclad", 10).run.deck[0];
    assert_eq!(CardNo(bane.id), bane_of(&game), "in front of the deck");
}

#[test]
fn a_new_act_heals_three_quarters_from_level_5() {
    let game = game();
    for (ascension, hp, healed) in [(4, 10, 80), (5, 10, 63), (5, 78, 80), (20, 10, 59)] {
        let mut state = start(&game, "ironclad", ascension);
        state.run.hp = hp;
        state.tower.edit().progress = Progress::Chest;
        state.tower.edit().screens.push(Screen::Rest);
        let mut position = Position::new(state);
        let leave = Input::Act(Deed::Run(Action::Proceed));
        Resolver::default().act(&game, &mut position, &leave, &mut Off).expect("allowed");
        assert_eq!(position.state().run.hp, healed, "level {ascension} from {hp}");
    }
}

#[test]
fn gold_of_thieves_lies_before_the_gold_of_the_fight_and_behind_it_when_simulated() {
    let game = game();
    for (rules, place) in [(Rules::Original, 0), (Rules::Simulator, 1)] {
        let setup = Setup { rules, ..Setup::run("ironclad", 0) };
        let mut state = game.start(&setup, 7).expect("start");
        state.tower.edit().stolen = 30;
        let list = rewards(&game, &state, FightKind::Monster);
        assert_eq!(list.iter().position(|r| *r == Reward::StolenGold(30)), Some(place));
        assert!(matches!(list[1 - place], Reward::Gold(10..=20)));
    }
}

#[test]
fn fights_pay_in_the_order_of_the_rules() {
    let game = game();
    let mut state = start(&game, "ironclad", 0);
    let order = |list: &[Reward]| {
        let word = |reward: &Reward| match reward {
            Reward::Gold(_) | Reward::StolenGold(_) => "gold",
            Reward::Relic(_) => "relic",
            Reward::Potion(_) => "potion",
            Reward::Cards(_) => "cards",
            Reward::Key(_) => "key",
        };
        list.iter().map(word).collect::<Vec<_>>().join(" ")
    };
    let (burning, _) = state.tower.fate.map.burning.expect("a burning elite");
    state.tower.edit().place = Some(burning);
    state.tower.edit().fate.drift.potion_chance = 60;
    assert_eq!(order(&rewards(&game, &state, FightKind::Monster)), "gold potion cards");
    assert_eq!(order(&rewards(&game, &state, FightKind::Elite)), "gold relic key potion cards");
    assert_eq!(order(&rewards(&game, &state, FightKind::Boss)), "gold potion cards");
    give(&game, &mut state, "prayer_wheel");
    assert_eq!(order(&rewards(&game, &state, FightKind::Monster)), "gold potion cards cards");
    assert_eq!(order(&rewards(&game, &state, FightKind::Elite)), "gold relic key potion cards");
    give(&game, &mut state, "black_star");
    assert_eq!(
        order(&rewards(&game, &state, FightKind::Elite)),
        "gold relic relic key cards",
        "four leave no potion"
    );
    state.tower.edit().keys = 1 << Key::Emerald as u8;
    assert_eq!(order(&rewards(&game, &state, FightKind::Elite)), "gold relic relic potion cards");
    state.tower.edit().keys = 0;
    state.tower.edit().place = Some(Place { x: burning.x, y: burning.y - 1 });
    assert!(!order(&rewards(&game, &state, FightKind::Elite)).contains("key"), "only the burning one has it");
}

#[test]
fn relics_change_what_fights_leave() {
    let game = game();
    let list = |relics: &[&str], kind| {
        let mut state = start(&game, "ironclad", 0);
        relics.iter().for_each(|relic| give(&game, &mut state, relic));
        rewards(&game, &state, kind)
    };
    let gold = |relics: &[&str], kind| match list(relics, kind)[0] {
        Reward::Gold(gold) => gold,
        ref other => panic!("{other:?}"),
    };
    for kind in [FightKind::Monster, FightKind::Elite, FightKind::Boss] {
        let plain = gold(&[], kind);
        assert_eq!(gold(&["golden_idol"], kind), plain + (plain + 2) / 4, "a quarter more, halves up");
    }
    let cards = |relics: &[&str]| {
        list(relics, FightKind::Monster).iter().find_map(|r| match r {
            Reward::Cards(offer) => Some(offer.len()),
            _ => None,
        })
    };
    assert_eq!(cards(&[]), Some(3));
    assert_eq!(cards(&["question_card"]), Some(4));
    assert_eq!(cards(&["busted_crown"]), Some(1));
    assert_eq!(cards(&["busted_crown", "question_card"]), Some(2));
    let potion = |relics: &[&str]| {
        let mut state = start(&game, "ironclad", 0);
        state.tower.edit().fate.drift.potion_chance = -40;
        relics.iter().for_each(|relic| give(&game, &mut state, relic));
        rewards(&game, &state, FightKind::Monster).iter().any(|r| matches!(r, Reward::Potion(_)))
    };
    assert!(!potion(&[]) && potion(&["white_beast_statue"]));
    let eggs = list(&["molten_egg", "toxic_egg", "frozen_egg"], FightKind::Monster);
    let upgraded = eggs.iter().any(|r| matches!(r, Reward::Cards(offer) if offer.iter().all(|o| o.upgraded)));
    assert!(upgraded, "{eggs:?}");
}

#[test]
fn chests_know_nothing_of_the_golden_idol() {
    let game = game();
    let gold = |relics: &[&str]| {
        let mut state = start(&game, "ironclad", 0);
        relics.iter().for_each(|relic| give(&game, &mut state, relic));
        let chest = turnstone_spire::seeds::Chest {
            size: turnstone_spire::seeds::ChestSize::Large,
            has_gold: true,
            tier: turnstone_spire::seeds::Tier::Uncommon,
        };
        state.tower.edit().screens.push(Screen::Chest(chest));
        match game.journey().settle(&state, &Effect::Unlock) {
            Settled::Event(Event::ChestUnlocked { rewards, .. }) => rewards,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(gold(&[]), gold(&["golden_idol"]));
    assert_eq!(gold(&[]).len(), 3, "gold, relic, key");
    let relics = |list: Vec<Reward>| list.iter().filter(|r| matches!(r, Reward::Relic(_))).count();
    assert_eq!(relics(gold(&["matryoshka"])), 2);
}

#[test]
fn winged_boots_carry_over_three_gaps() {
    let game = game();
    let mut state = start(&game, "ironclad", 0);
    let first = state.tower.fate.map.row(0).next().expect("a room").0;
    state.tower.edit().place = Some(first);
    let reach = |s: &State| -> Vec<(u8, bool)> { game.journey().next_columns(s).to_vec() };
    let linked: Vec<u8> = state.tower.fate.map.node(first).targets().collect();
    assert_eq!(reach(&state), linked.iter().map(|x| (*x, false)).collect::<Vec<_>>());
    give(&game, &mut state, "wing_boots");
    let row: Vec<u8> = state.tower.fate.map.row(1).map(|(place, _)| place.x).collect();
    assert_eq!(reach(&state).iter().map(|(x, _)| *x).collect::<Vec<_>>(), row);
    assert!(reach(&state).iter().all(|(x, boots)| *boots != linked.contains(x)));
    let (far, _) = reach(&state).into_iter().find(|(_, boots)| *boots).expect("a gap");
    state.tower.edit().screens.clear();
    let left = |column: u8| {
        let mut position = Position::new(state.clone());
        let go = Input::Act(Deed::Run(Action::Go(column)));
        Resolver::default().act(&game, &mut position, &go, &mut Off).expect("a way");
        position.state().run.relics.last().map(|held| held.counter)
    };
    assert_eq!(left(far), Some(2));
    assert_eq!(left(linked[0]), Some(3), "ways cost nothing");
    state.run.relics.last_mut().expect("boots").counter = 0;
    assert!(reach(&state).iter().all(|(_, boots)| !*boots), "worn out");
}

#[test]
fn a_better_starter_takes_the_place_of_the_old_one() {
    let game = game();
    let mut state = start(&game, "ironclad", 0);
    give(&game, &mut state, "anchor");
    let blood: RelicNo = game.rulebook.tables.relics.find("black_blood").expect("a relic");
    state.tower.edit().screens.push(Screen::BossChest([blood; 3]));
    let mut position = Position::new(state);
    let take = Input::Act(Deed::Run(Action::BossRelic(0)));
    Resolver::default().act(&game, &mut position, &take, &mut Off).expect("allowed");
    let names: Vec<&str> =
        position.state().run.relics.iter().map(|r| game.rulebook.tables.relics.name(RelicNo(r.id))).collect();
    assert_eq!(names, ["black_blood", "anchor"]);
}

#[test]
fn what_is_owned_comes_as_a_circlet() {
    let game = game();
    let mut state = start(&game, "ironclad", 0);
    let blood: RelicNo = game.rulebook.tables.relics.find("burning_blood").expect("a relic");
    state.tower.edit().screens.push(Screen::Rewards(vec![Reward::Relic(blood); 2]));
    let mut position = Position::new(state);
    for _ in 0..2 {
        let take = Input::Act(Deed::Run(Action::Take(0)));
        Resolver::default().act(&game, &mut position, &take, &mut Off).expect("allowed");
    }
    let relics = &position.state().run.relics;
    let circlet = game.rulebook.tables.stand_in.0;
    assert_eq!(relics.len(), 2);
    assert_eq!((relics[1].id, relics[1].counter), (circlet, 2));
}

#[test]
fn bosses_of_the_third_act_leave_nothing_and_keys_open_the_fourth() {
    let game = game();
    let after = |act: u8, keys: u8, ascension: u8, beaten: u8| {
        let mut state = start(&game, "ironclad", ascension);
        state.run.act = act;
        let tower = state.tower.edit();
        while tower.fate.act < act {
            tower.fate.next_act(&game.rulebook.tables);
        }
        (tower.progress, tower.keys) = (Progress::BossBeaten(beaten), keys);
        tower.screens.push(Screen::Rest);
        let mut position = Position::new(state);
        let leave = Input::Act(Deed::Run(Action::Proceed));
        Resolver::default().act(&game, &mut position, &leave, &mut Off).expect("allowed");
        let s = position.state();
        let chest = matches!(s.tower.screen(), Some(Screen::BossChest(_)));
        (s.run.act, chest, s.tower.fighting.is_some(), s.tower.end.is_some())
    };
    assert_eq!(after(1, 0, 0, 1), (1, true, false, false), "a chest");
    assert_eq!(after(2, 7, 20, 1), (2, true, false, false), "one boss in act 2");
    assert_eq!(after(3, 0, 0, 1), (3, false, false, true), "the run is won");
    assert_eq!(after(3, 3, 19, 1), (3, false, false, true), "two keys are too few");
    assert_eq!(after(3, 7, 19, 1), (4, false, false, false), "on to the last act");
    assert_eq!(after(3, 7, 20, 1), (3, false, true, false), "a second boss first");
    assert_eq!(after(3, 7, 20, 2), (4, false, false, false));
    assert_eq!(after(4, 7, 20, 1), (4, false, false, true), "the heart");
}

#[test]
fn a_single_fight_can_be_won_or_fled_from() {
    let game = game();
    let end_of = |situation: &str, first: fn(&FightAction) -> bool| {
        let fight = Fight { situation: Some(situation.to_owned()), ..Fight::default() };
        let setup = Setup { fight: Some(fight), ..Setup::run("ironclad", 0) };
        let mut position = Position::new(game.start(&setup, 1).expect("starts"));
        let inputs = position.inputs(&game);
        let wanted =
            inputs.iter().find(|input| matches!(input, Input::Act(Deed::Fight(action)) if first(action)));
        let mut resolver = Resolver::default();
        resolver.act(&game, &mut position, wanted.expect("can be done"), &mut Off).expect("is done");
        game.outcome(position.state())
    };
    let bomb = "potions: smoke_bomb; hand: strike_ironclad; enemy: jaw_worm 6/44";
    let drink = |action: &_| matches!(action, FightAction::Potion { .. });
    let strike = |action: &_| matches!(action, FightAction::Play { .. });
    assert_eq!(end_of(bomb, drink), Some(Outcome::Drawn));
    assert_eq!(end_of(bomb, strike), Some(Outcome::Won(0)));
}

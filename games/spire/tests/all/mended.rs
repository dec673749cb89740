//! Faults that were found by playing, each as the test that would have seen it.

use std::sync::Arc;
use turnstone::{Game, Input, Match, Notes, Off, Outcome, Position, Resolver, Settled, Viewer};
use turnstone_host::Hosted;
use turnstone_spire::State;
use turnstone_spire::action::Action;
use turnstone_spire::catalog::Sources;
use turnstone_spire::effect::{Ctx, Effect, Origin, Source};
use turnstone_spire::event::Event;
use turnstone_spire::question::Answer;
use turnstone_spire::run::Setup;
use turnstone_spire::run::tower::{End, FightKind, Progress};
use turnstone_spire::seeds::Place;
use turnstone_spire::state::{NONE, Pile};
use turnstone_spire::{Deed, Reply, Ruleset, Spire};

fn open(text: &str) -> Match<Spire> {
    let spire = Arc::new(Spire::builtin(Ruleset::Classic).unwrap());
    let setup = spire.situation(text).unwrap();
    Match::new(spire, setup, 1).unwrap()
}

/// The names of the cards that were played, in order.
fn played(fight: &Match<Spire>) -> Vec<String> {
    let name = |slot: u16| {
        let card = &fight.state().combat.cards[usize::from(slot)];
        fight.game().catalog.cards[usize::from(card.id)].id.clone()
    };
    let event = |event: &Event| match *event {
        Event::Played { slot, .. } => Some(name(slot)),
        _ => None,
    };
    fight.log().filter_map(|entry| entry.fact.event().and_then(event)).collect()
}

fn vulnerable(fight: &Match<Spire>) -> i16 {
    let power = fight.game().catalog.power("vulnerable").unwrap();
    fight.state().combat.bodies[1].stacks(power)
}

/// Given back as well, it lay in two piles: odd content had put a taken card into the discard pile.
#[test]
fn a_taken_card_that_has_come_back_is_not_given_back() {
    let fight = open("hand: strike_ironclad, bash; enemy: cultist 40/50");
    let mut state = fight.state().clone();
    state.combat.bodies[1].held = 1;
    let settled =
        |state: &State| fight.game().settle(state, &Effect::ReturnCard { who: 1 }, &mut Notes::unwanted());
    assert!(matches!(settled(&state), Settled::Stale));
    state.combat.hand.retain(|slot| *slot != 1);
    state.combat.cards[1].pile = Pile::Gone;
    assert!(matches!(settled(&state), Settled::Event(Event::CardReturned { who: 1, slot: 1, .. })));
}

/// It went on for ever: only in a run could a fight be given up, and nobody had to.
#[test]
fn a_fight_that_nobody_wins_is_lost_in_the_end() {
    let mut fight = open("hp 80/80; metallicize 60; enemy: spike_slime_s 10/10");
    let turn = |fight: &Match<Spire>| fight.state().combat.counts.turn;
    let give_up = Input::Act(Deed::Run(turnstone_spire::run::action::Action::GiveUp));
    while turn(&fight) < 100 {
        assert!(fight.act(give_up.clone()).is_err(), "turn {}", turn(&fight));
        fight.act(Input::Act(Deed::Fight(Action::EndTurn))).unwrap();
    }
    fight.act(give_up).unwrap();
    assert_eq!(fight.outcome(), Some(Outcome::Lost));
    assert!(fight.undo());
    let scene = fight.game().scene(fight.position(), &[], Viewer::Seat(0));
    let enemies = scene.panels.iter().find(|panel| panel.id == "enemies").unwrap();
    assert_eq!(enemies.title, "Enemies · turn 100 · lost on turn 300 unless it is won before");
    while fight.outcome().is_none() {
        fight.act(Input::Act(Deed::Fight(Action::EndTurn))).unwrap();
    }
    assert_eq!((fight.outcome(), turn(&fight)), (Some(Outcome::Lost), 300));
}

#[test]
fn omniscience_plays_an_aimed_card_twice() {
    let mut fight = open(
        "energy 4; hand: omniscience; draw: bash, defend_ironclad; enemy: cultist 60/60 intends dark_strike",
    );
    fight.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: None }))).unwrap();
    fight.act(Input::Choose(Reply::Fight(Answer::Pick(1)))).unwrap();
    assert_eq!(played(&fight), ["omniscience", "bash", "bash"]);
    assert_eq!((vulnerable(&fight), fight.state().combat.bodies[1].hp), (4, 60 - 8 - 12));
}

#[test]
fn distilled_chaos_plays_three_different_cards() {
    let mut fight = open(
        "potions: distilled_chaos; hand: zap; draw: bash, strike_ironclad, defend_ironclad; \
         enemy: cultist 60/60 intends dark_strike",
    );
    fight.act(Input::Act(Deed::Fight(Action::Potion { index: 0, target: None }))).unwrap();
    assert_eq!(played(&fight), ["bash", "strike_ironclad", "defend_ironclad"]);
    assert!(fight.state().combat.draw.is_empty());
    assert_eq!(fight.state().combat.discard.len(), 3);
}

#[test]
fn mayhem_of_three_plays_three_cards_after_the_draw() {
    let mut fight = open(
        "mayhem 3; draw: defend_ironclad*5, inflame, bash, strike_ironclad, defend_ironclad; \
         enemy: cultist 60/60 intends dark_strike",
    );
    fight.act(Input::Act(Deed::Fight(Action::EndTurn))).unwrap();
    assert_eq!(played(&fight), ["inflame", "bash", "strike_ironclad"]);
}

/// Also where a mod takes several at once, and where the pile runs out in between.
#[test]
fn cards_taken_from_the_top_go_on_behind_a_shuffle() {
    let mod_text =
        "[potion.spill]\nrarity = \"common\"\ndo = [{ play = \"draw\", top = 3, exhaust = true }]\n";
    let sources = Sources::builtin("classic").with_text("mine.toml", mod_text);
    let spire = Arc::new(Spire::new(Ruleset::Classic, &sources).unwrap());
    let setup = spire
        .situation("potions: spill; draw: bash; discard: inflame*2; enemy: cultist 60/60 intends dark_strike")
        .unwrap();
    let mut fight: Match<Spire> = Match::new(spire, setup, 1).unwrap();
    fight.act(Input::Act(Deed::Fight(Action::Potion { index: 0, target: None }))).unwrap();
    assert_eq!(played(&fight), ["bash", "inflame", "inflame"]);
    assert_eq!(fight.state().combat.exhaust.len(), 1, "powers leave play, Bash is exhausted");
}

/// A run in which the last boss of an act was just beaten.
fn after_the_boss(game: &Spire, ascension: u8, act: u8, floor: u8) -> State {
    let mut s = game.start(&Setup::run("ironclad", ascension), 7).unwrap();
    s.run.act = act;
    s.run.floor = floor;
    let tower = s.tower.edit();
    tower.screens.clear();
    tower.fate.act = act;
    tower.place = Some(Place { x: 3, y: tower.fate.boss_row() });
    tower.progress = Progress::BossBeaten(1);
    s
}

/// Lets the run go on by itself, until something is to be decided.
fn go_on(game: &Spire, s: State) -> State {
    let mut position = Position::<Spire>::new(s);
    let mut resolver = Resolver::default();
    // Throwing a potion away changes nothing else.
    let juice = game.rulebook.tables.potions.find::<turnstone_spire::seeds::PotionNo>("fruit_juice").unwrap();
    let mut s = position.state().clone();
    s.run.potions[0] = juice.0;
    position = Position::new(s);
    let discard = Input::Act(Deed::Run(turnstone_spire::run::action::Action::Discard(0)));
    resolver.act(game, &mut position, &discard, &mut Off).unwrap();
    position.state().clone()
}

#[test]
fn the_second_boss_waits_one_floor_higher() {
    let game = Spire::builtin(Ruleset::Classic).unwrap();
    let s = go_on(&game, after_the_boss(&game, 20, 3, 50));
    assert_eq!((s.run.floor, s.run.act), (51, 3));
    assert_eq!(s.tower.fighting.map(|fight| fight.kind), Some(FightKind::Boss));
}

#[test]
fn the_door_to_the_last_act_is_a_floor_too() {
    let game = Spire::builtin(Ruleset::Classic).unwrap();
    for (ascension, floor) in [(0, 50), (20, 51)] {
        let mut s = after_the_boss(&game, ascension, 3, floor);
        let tower = s.tower.edit();
        tower.keys = 7;
        tower.progress = Progress::BossBeaten(2);
        let s = go_on(&game, s);
        assert_eq!((s.run.floor, s.run.act), (floor + 1, 4), "ascension {ascension}");
    }
}

#[test]
fn who_wins_goes_one_floor_further() {
    let game = Spire::builtin(Ruleset::Classic).unwrap();
    let s = go_on(&game, after_the_boss(&game, 0, 3, 50));
    assert_eq!((s.run.floor, s.tower.end), (51, Some(End::Won)));
    let s = go_on(&game, after_the_boss(&game, 20, 4, 56));
    assert_eq!((s.run.floor, s.tower.end), (57, Some(End::Heart)));
    assert_eq!(game.outcome(&s), Some(Outcome::Won(0)));
}

#[test]
fn a_potion_outside_of_fights_gives_as_many_potions_as_it_says() {
    let text = "[potion.flask]\nrarity = \"common\"\nanywhere = true\ndo = [{ gain_potion = 1 }]\n";
    let sources = Sources::builtin("classic").with_text("mine.toml", text);
    let game = Spire::new(Ruleset::Classic, &sources).unwrap();
    let mut s = game.start(&Setup::run("ironclad", 0), 7).unwrap();
    s.run.potions[0] = game.catalog.find("potion", "flask").unwrap();
    let mut position = Position::<Spire>::new(s);
    let drink = Input::Act(Deed::Run(turnstone_spire::run::action::Action::Drink(0)));
    Resolver::default().act(&game, &mut position, &drink, &mut Off).unwrap();
    let held = position.state().run.potions.iter().filter(|&&id| id != NONE).count();
    assert_eq!(held, 1);
}

/// Whoever names a floor is in its act; one that is none of the act's is refused.
#[test]
fn a_floor_says_which_act_it_is_in() {
    for (ascension, floor, act) in [
        ("0", 0, 1),
        ("0", 15, 1),
        ("0", 17, 2),
        ("0", 25, 2),
        ("0", 34, 3),
        ("0", 40, 3),
        ("0", 51, 4),
        ("20", 53, 4),
    ] {
        let s = opened("ironclad", &[("floor", &floor.to_string()), ("ascension", ascension)]).unwrap();
        assert_eq!((s.run.act, s.run.floor, s.tower.fate.act), (act, floor, act), "{floor}");
    }
    for wishes in [
        &[("floor", "16")][..],
        &[("floor", "40"), ("act", "1")],
        &[("floor", "5"), ("act", "2")],
        &[("floor", "51"), ("ascension", "20")],
        &[("floor", "90")],
    ] {
        let refused = opened("ironclad", wishes).unwrap_err();
        assert_eq!(refused.code(), "BAD_FLOOR", "{wishes:?}");
    }
    assert_eq!(opened("ironclad", &[("act", "5")]).unwrap_err().code(), "BAD_NUMBER");
    assert_eq!(opened("ironclad", &[("floor", "300")]).unwrap_err().code(), "BAD_NUMBER");
    let rest = opened("silent", &[("room", "rest"), ("floor", "14")]).unwrap();
    assert_eq!(rest.run.floor, 14, "before the campfire below the boss");
    assert_eq!(opened("fight:cultist", &[("floor", "40")]).unwrap().run.act, 3);
}

/// The set-up's encounter was fought all the same, and of two wishes one was not heard, without a word.
#[test]
fn monsters_named_win_over_the_encounter_of_the_set_up() {
    let names = |s: &State| -> Vec<String> {
        let spire = Spire::builtin(Ruleset::Classic).unwrap();
        let kind = |body: &turnstone_spire::state::Body| usize::from(body.kind);
        s.combat.bodies[1..].iter().map(|body| spire.catalog.monsters[kind(body)].id.clone()).collect()
    };
    let fought = |setup, wishes: &[(&str, &str)]| names(&opened(setup, wishes).unwrap());
    assert_eq!(fought("fight:cultist", &[]), ["cultist"]);
    assert_eq!(fought("fight:cultist", &[("monsters", "jaw_worm")]), ["jaw_worm"]);
    assert_eq!(fought("fight:cultist", &[("combat", "jaw_worm")]), ["jaw_worm"]);
    assert_eq!(fought("fight:cultist", &[("situation", "enemy: jaw_worm")]), ["jaw_worm"]);
    assert_eq!(fought("situation:enemy: cultist", &[("monsters", "jaw_worm")]), ["jaw_worm"]);

    let refused = |setup, wishes: &[(&str, &str)]| opened(setup, wishes).unwrap_err();
    for (one, other) in [("combat", "monsters"), ("fight", "monsters"), ("situation", "combat")] {
        let refusal = refused("ironclad", &[(one, "cultist"), (other, "jaw_worm")]);
        assert_eq!(refusal.code(), "BAD_SETUP", "{one} and {other}: {refusal}");
        assert!(refusal.to_string().contains("choose one"), "{refusal}");
    }
    let deck = ("deck", "bash*3");
    for refusal in [
        refused("situation:enemy: cultist", &[deck]),
        refused("ironclad", &[deck, ("situation", "enemy: cultist")]),
    ] {
        assert_eq!(refusal.code(), "BAD_SETUP", "{refusal}");
        assert!(refusal.to_string().contains("write its deck into it"), "{refusal}");
    }
    assert_eq!(refused("fight:cultist", &[("monsters", " ")]).code(), "NO_ENEMIES");
}

/// The climb of a day has rules and a character of its seed; who names one of them has it.
#[test]
fn a_day_has_modifiers_and_a_character_of_its_own() {
    use turnstone_host::{Hosted, Opening};
    let asked = |seed, setup: Option<&str>, wishes: &[(&str, &str)]| {
        let wishes = wishes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let opening = Opening { seed, setup: setup.map(str::to_owned), wishes, ..Opening::default() };
        let mut asked = Spire::daily(&opening);
        asked.sort();
        asked
    };
    let daily = ("modifiers".to_owned(), "daily".to_owned());
    let mut met = std::collections::BTreeSet::new();
    for seed in 20_000..20_040 {
        let wishes = asked(seed, None, &[]);
        assert_eq!((wishes.len(), &wishes[1]), (2, &daily));
        let opening = Opening { seed, wishes: wishes.clone(), ..Opening::default() };
        let (game, setup) = Spire::open_table(&opening).unwrap();
        let s = game.start(&setup, seed).unwrap();
        assert_eq!(game.rulebook.tables.characters.name(s.tower.fate.character), wishes[0].1);
        let rules =
            s.run.relics.iter().filter(|r| game.rulebook.tables.modifiers.iter().any(|m| m.0 == r.id));
        assert_eq!(rules.count(), 3);
        met.insert(wishes[0].1.clone());
    }
    assert_eq!(met.len(), 4, "{met:?}");
    assert_eq!(asked(1, Some("silent"), &[]), std::slice::from_ref(&daily));
    assert_eq!(asked(1, None, &[("character", "silent")]), [daily]);
    assert_eq!(asked(1, Some("silent"), &[("modifiers", "open_sky")]), []);
    assert_eq!(asked(1, Some("fight:cultist"), &[]), [], "a fight has its seed alone");
}

/// What can be said about a run is listed for runs, with what content adds.
#[test]
fn settings_list_what_a_run_takes_and_what_content_adds() {
    use turnstone_host::{Hosted, Source};
    let monk = "[character.monk]\ncolor = \"ironclad\"\nhp = 60\ngold = 99\nrelics = [\"burning_blood\"]\n\
                deck = { strike_ironclad = 5 }\n";
    let over = [Source::new("monk.toml", monk)];
    for setup in ["silent", "fight:cultist"] {
        let listed =
            |id: &str| Spire::settings_with(setup, &over).into_iter().find(|setting| setting.id == id);
        let character = listed("character").expect("a character");
        assert!(character.allows("monk") && character.allows("silent"), "{character:?}");
        assert!(
            ["deck", "relics", "potions", "hp", "gold", "act", "floor"].iter().all(|id| listed(id).is_some())
        );
        assert_eq!(listed("keys").is_some() && listed("room").is_some(), setup == "silent");
    }
    let usual = Spire::settings("silent");
    assert!(usual.iter().all(|setting| !setting.allows("monk") || setting.choices().is_empty()));
}

fn opened(setup: &str, wishes: &[(&str, &str)]) -> Result<State, turnstone::Rejection> {
    use turnstone_host::{Hosted, Opening};
    let wishes = wishes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let opening = Opening { setup: Some(setup.to_owned()), wishes, ..Opening::default() };
    let (game, setup) = Spire::open_table(&opening)?;
    game.start(&setup, 7)
}

#[test]
fn a_run_can_be_opened_anywhere() {
    let wishes = [
        ("act", "3"),
        ("ascension", "20"),
        ("deck", "Strike*4, Bash+, Searing Blow+3"),
        ("relics", "Pen Nib=9, Burning Blood"),
        ("potions", "Fairy in a Bottle"),
        ("gold", "500"),
        ("hp", "30"),
        ("keys", "ruby, emerald, sapphire"),
        ("room", "boss"),
    ];
    let s = opened("ironclad", &wishes).unwrap();
    let run = &s.run;
    assert_eq!((run.act, run.floor, run.gold, run.hp), (3, 49, 500, 30));
    assert_eq!((run.deck.len(), run.deck[5].up, run.relics[0].counter), (6, 3, 9));
    assert!(s.tower.has_all_keys() && s.tower.screens.is_empty());
    let game = Spire::builtin(Ruleset::Classic).unwrap();
    assert_eq!(game.journey().next_columns(&s).as_slice(), [(3, false)], "the boss is next");
    let s = opened("silent", &[("room", "shop")]).unwrap();
    let to_shop = |(x, _): &(u8, bool)| {
        let place = Place { x: *x, y: s.tower.place.unwrap().y + 1 };
        s.tower.fate.map.node(place).room == Some(turnstone_spire::seeds::Room::Shop)
    };
    assert!(game.journey().next_columns(&s).iter().any(to_shop));
}

#[test]
fn what_a_run_cannot_begin_with_is_told() {
    for (wish, code) in [
        (("deck", "strke_ironclad"), "UNKNOWN_NAME"),
        (("deck", "bash++"), "BAD_NUMBER"),
        (("room", "cellar"), "UNKNOWN_WISH"),
        (("keys", "golden"), "UNKNOWN_WISH"),
        (("hp", "-3"), "BAD_NUMBER"),
    ] {
        assert_eq!(opened("ironclad", &[wish]).unwrap_err().code(), code, "{wish:?}");
    }
}

#[test]
fn names_are_taken_as_they_are_shown() {
    let fight = open("hand: Bash, Strike; enemy: Gremlin Nob 50/80 intends rush; Vulnerable 2");
    let combat = &fight.state().combat;
    let card = |slot: usize| fight.game().catalog.cards[usize::from(combat.cards[slot].id)].id.as_str();
    assert_eq!((card(0), card(1)), ("bash", "strike_ironclad"));
    let blue = open("as: defect; hand: Strike; enemy: cultist");
    let held = &blue.state().combat.cards[0];
    assert_eq!(blue.game().catalog.cards[usize::from(held.id)].id, "strike_defect");
}

#[test]
fn monsters_of_a_situation_have_what_they_start_with() {
    let stacks = |fight: &Match<Spire>, power: &str| {
        let id = fight.game().catalog.power(power).unwrap();
        fight.state().combat.bodies[1].stacks(id)
    };
    let fight = open("enemy: awakened_one 5/300");
    assert!(stacks(&fight, "unawakened") > 0 && stacks(&fight, "curiosity") > 0);
    assert_eq!(stacks(&open("enemy: looter 40/44 intends mug"), "thievery"), 15);
    // Whoever names powers names all of them.
    let bare = open("enemy: looter 40/44 intends mug; strength 1");
    assert_eq!((stacks(&bare, "thievery"), stacks(&bare, "strength")), (0, 1));
}

#[test]
fn counters_of_a_situation_can_be_stated() {
    let fight = open("cards_played 3, times_hurt 2, powers_played 4; deck: Strike*5; enemy: cultist");
    let s = fight.state();
    let counts = &s.combat.counts;
    assert_eq!((counts.cards_played, counts.times_hurt, counts.powers_played), (3, 2, 4));
    assert_eq!(s.run.deck.len(), 5);
}

/// Who leaves Calm has its energy from Calm, whatever comes then.
#[test]
fn energy_of_a_stance_is_that_of_the_one_left() {
    for card in ["eruption", "empty_fist"] {
        let text = format!("as: watcher; energy 3; stance: calm; hand: {card}; enemy: cultist 60/60");
        let mut fight = open(&text);
        fight.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: Some(1) }))).unwrap();
        let moment = fight.here();
        let told: Vec<String> = fight.explain(moment).lines.into_iter().map(|line| line.text).collect();
        let energy = told.iter().find(|line| line.contains("energy +2")).expect("energy");
        assert!(energy.contains("Calm"), "{energy}");
    }
}

/// Nobody says that a hand was discarded that stays.
#[test]
fn a_hand_that_stays_is_told_so() {
    let mut fight = open("relics: runic_pyramid; hand: bash, strike_ironclad; enemy: cultist 60/60");
    fight.act(Input::Act(Deed::Fight(Action::EndTurn))).unwrap();
    let told: Vec<String> = fight.explain(fight.here()).lines.into_iter().map(|line| line.text).collect();
    assert!(told.iter().any(|line| line.contains("the hand is kept")), "{told:?}");
    assert!(!told.iter().any(|line| line.contains("the hand is discarded")), "{told:?}");
}

#[test]
fn cards_that_are_taken_are_told_in_the_order_in_which_they_are_played() {
    let mut fight = open(
        "potions: distilled_chaos; hand: zap; draw: bash, strike_ironclad, defend_ironclad; enemy: cultist 60/60",
    );
    let input = Input::Act(Deed::Fight(Action::Potion { index: 0, target: None }));
    let moment = fight.act(input).unwrap();
    let told: Vec<String> = fight.explain(moment).lines.into_iter().map(|line| line.text).collect();
    let at = |words: &str| told.iter().position(|line| line.starts_with(words)).expect(words);
    let order = ["Bash is played", "Strike is played", "Defend is played"].map(at);
    assert!(order.is_sorted(), "{told:#?}");
}

#[test]
fn a_copy_that_falls_away_is_told_in_the_log() {
    let mut fight =
        open("double_tap 1; energy 3; hand: strike_ironclad; enemy: cultist 5/60; enemy: cultist 60/60");
    let moment = fight.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: Some(1) }))).unwrap();
    let told: Vec<String> = fight.explain(moment).brief().lines.into_iter().map(|line| line.text).collect();
    assert!(told.contains(&"playing Strike once more: no longer possible".to_owned()), "{told:#?}");
}

/// The game with a file over its content.
fn with(text: &str) -> Arc<Spire> {
    let sources = Sources::builtin("classic").with_text("mine.toml", text);
    Arc::new(Spire::new(Ruleset::Classic, &sources).unwrap_or_else(|problems| panic!("{problems:?}")))
}

#[test]
fn a_rule_that_no_card_has_fired_means_no_card_by_trigger() {
    let spire = with(
        "[relic.broom]\ntier = \"common\"\non.turn_start = [{ exhaust = \"trigger\" }, { play = \"self\" }, { block = 3 }]\n",
    );
    let setup = spire.situation("relics: broom; hand: bash; draw: bash*5; enemy: cultist 60/60").unwrap();
    let mut fight: Match<Spire> = Match::new(spire, setup, 1).unwrap();
    fight.act(Input::Act(Deed::Fight(Action::EndTurn))).unwrap();
    let combat = &fight.state().combat;
    assert_eq!((combat.player().block, combat.exhaust.len()), (3, 0));
}

#[test]
fn a_card_may_be_as_strong_as_its_author_likes() {
    let blow = "{ attack = 99, times = 99, to = \"enemies\" }";
    let spire = with(&format!("[card.doom]\ntype = \"attack\"\ncost = 0\ndo = [{}]\n", [blow; 9].join(", ")));
    assert!(spire.catalog.find("card", "doom").is_some());
}

#[test]
fn a_score_has_its_bounds() {
    let text = "[score.much]\ntext = \"much\"\nof = \"deck\"\neach = 2000000000\n\n\
                [score.more]\ntext = \"more\"\nof = \"deck\"\nrising = 2000000000\n\n\
                [score.most]\ntext = \"most\"\nof = \"deck\"\npercent = 2000000000\n";
    let spire = with(text);
    let state = spire.start(&Setup::run("ironclad", 0), 1).unwrap();
    assert_eq!(turnstone_spire::run::score::total(&spire.rulebook, &state), i32::MAX);
}

/// A face tells at whom a step is aimed, what it costs more or less, and orbs and stances by their names.
#[test]
fn faces_tell_whom_and_how_much() {
    let spire = with(
        "[orb.deep_well]\nname = \"Deep Well\"\npassive = 1\nevoke = 2\n\n[stance.on_guard]\nname = \"On Guard\"\n\n\
         [card.odd]\ntype = \"skill\"\ncost = 1\ncost_change = 2\ndo = [{ heal = 3, to = \"target\" }, \
         { remove_debuffs = true, to = \"enemies\" }, { cost = \"hand\", add = 1 }, { channel = \"deep_well\" }, \
         { stance = \"on_guard\" }, { exhaust = \"hand\", filter = \"cost_now < 2\" }, \
         { choose_one = [[{ block = 1 }], [{ speak = 1 }]] }]\n",
    );
    let odd = spire.named("card", "odd").unwrap();
    assert_eq!(
        spire.kind_text(odd, 0),
        "Costs 2 more. The enemy heals 3 HP. All enemies lose all debuffs. All cards in hand cost 1 more this turn. \
         Channel 1 Deep Well. Enter On Guard. Exhaust all cards that cost less than 2 in hand. \
         Choose: gain 1 Block; or nothing happens."
    );
}

/// What an author says and nobody would ever read is told to him.
#[test]
fn keys_that_mean_nothing_are_refused() {
    let problems = |text: &str| {
        let sources = Sources::builtin("classic").with_text("mine.toml", text);
        let found = Spire::new(Ruleset::Classic, &sources).expect_err("a problem");
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let relic = |rule: &str| problems(&format!("[relic.mine]\ntier = \"common\"\n{rule}\n"));
    let told = relic("prevent.rest = { do = [{ gold = 5 }] }");
    assert!(told.ends_with("`do` means nothing here: `prevent.rest` takes when"), "{told}");
    let told = relic("prevent.intents = { when = \"turn == 1\" }");
    assert!(told.ends_with("`when` means nothing here: `prevent.intents` is written `= true`"), "{told}");
    let told = relic("prevent.gold = { chance = 50 }");
    assert!(told.ends_with("`chance` means nothing here: `prevent.gold` takes when, spend, do"), "{told}");
    let told = problems("[stance.mine]\non.turn_start = { every = 3, do = [{ block = 1 }] }\n");
    assert!(told.ends_with("`every` and `once` are for relics and powers, which can count"), "{told}");
    let told = relic("alter.card_cost = { add = 1, spend = 1 }");
    assert!(told.contains("`spend` is possible with `alter.unblocked_taken` of powers only"), "{told}");
}

/// A relic that stops something between fights spends what it says and does what it says instead.
#[test]
fn what_stops_something_between_fights_spends_and_acts() {
    let text = "[relic.tail]\ntier = \"modifier\"\ncounter = { start = 1 }\n\
                prevent.death = { when = \"counter > 0\", spend = 1, do = [{ heal = 9 }] }\n\
                prevent.gold = { do = [{ heal = 1 }] }\n\n\
                [event.pit]\npool = \"nowhere\"\n[event.pit.node.start]\ntext = \"A pit.\"\noptions = [\
                { id = \"fall\", text = \"Fall\", do = [{ damage = 999, to = \"self\" }], then = \"start\" },\
                { id = \"dig\", text = \"Dig\", do = [{ gold = 50 }], then = \"start\" }]\n\n\
                [map.hole]\nneow = false\n\n[map.hole.node.a]\nfloor = 1\ncolumn = 1\nroom = \"event\"\n\
                event = \"pit\"\nend = true\n";
    let spire = with(text);
    let map = Some(turnstone_spire::run::plan::MapChoice::Name("hole".into()));
    let setup = Setup { map, modifiers: vec!["tail".into()], ..Setup::run("ironclad", 0) };
    let mut run: Match<Spire> = Match::new(spire, setup, 1).unwrap();
    let go = run.inputs()[0].clone();
    run.act(go).unwrap();
    let option = |n| Input::Act(Deed::Run(turnstone_spire::run::action::Action::Option(n)));
    run.act(option(0)).unwrap();
    let gold = run.state().run.gold;
    assert_eq!((run.state().run.hp, run.state().run.relics.last().unwrap().counter), (9, 0));
    run.act(option(1)).unwrap();
    assert_eq!((run.state().run.hp, run.state().run.gold), (10, gold), "it digs up health instead of gold");
    run.act(option(0)).unwrap();
    assert_eq!(run.state().tower.end, Some(End::Died), "it saves once");
}

/// What waits behind a question may be aimed at somebody who is found out later, or be a potion yet to be rolled.
#[test]
fn a_question_before_something_random_is_saved_and_loaded() {
    let spire = with(
        "[card.ask]\ntype = \"skill\"\ncost = 0\ndo = [{ discard = \"hand\", choose = 1 }, \
         { damage = 3, to = \"random\" }, { attack = 2, to = \"weakest\" }, { gain_potion = 2 }]\n\n\
         [relic.after]\ntier = \"common\"\non.card_used = { queue = \"last\", do = [{ damage = 3, to = \"random\" }, \
         { damage = 1, to = \"weakest\" }] }\n",
    );
    let setup =
        spire.situation("relics: after; hand: ask, bash, bash; enemy: cultist; enemy: cultist").unwrap();
    let mut fight: Match<Spire> = Match::new(Arc::clone(&spire), setup.clone(), 1).unwrap();
    fight.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: None }))).unwrap();
    assert!(fight.pending().is_some(), "it asks");
    let text = serde_json::to_string(fight.position()).unwrap();
    let position = serde_json::from_str(&text).unwrap();
    let mut loaded: Match<Spire> = Match::from_position(spire, setup, 1, position).expect("it can be loaded");
    let answer = loaded.inputs()[0].clone();
    loaded.act(answer.clone()).unwrap();
    fight.act(answer).unwrap();
    assert_eq!(loaded.state(), fight.state());
}

/// A relic that comes when a fight has begun is heard in it.
#[test]
fn a_relic_gained_behind_the_beginning_of_a_fight_is_heard() {
    let text = "[relic.drum]\ntier = \"event\"\non.turn_start = [{ block = 4 }]\n\n\
                [event.ambush]\npool = \"nowhere\"\n[event.ambush.node.start]\ntext = \"!\"\noptions = [{ id = \"go\", \
                text = \"Go\", do = [{ fight = \"cultist\" }, { gain_relic = \"drum\" }] }]\n\n\
                [map.hole]\nneow = false\n\n[map.hole.node.a]\nfloor = 1\ncolumn = 1\nroom = \"event\"\n\
                event = \"ambush\"\nend = true\n";
    let map = Some(turnstone_spire::run::plan::MapChoice::Name("hole".into()));
    let mut run: Match<Spire> =
        Match::new(with(text), Setup { map, ..Setup::run("ironclad", 0) }, 1).unwrap();
    for _ in 0..2 {
        let first = run.inputs()[0].clone();
        run.act(first).unwrap();
    }
    run.act(Input::Act(Deed::Fight(Action::EndTurn))).unwrap();
    assert_eq!(run.state().combat.player().block, 4);
}

/// What is worked out from a number cannot be read to change it: that would never end.
#[test]
fn a_number_cannot_be_made_from_itself() {
    let refused = |text: &str| {
        let sources = Sources::builtin("classic").with_text("mine.toml", text);
        let found = Spire::new(Ruleset::Classic, &sources).expect_err("a problem");
        assert!(
            found[0].to_string().ends_with("is worked out from this very number: it cannot be read here"),
            "{found:?}"
        );
    };
    for (stage, value) in [
        ("attack_dealt", "attack_number(3)"),
        ("card_block", "card_block(3)"),
        ("attack_taken", "card_block(3)"),
        ("card_cost", "count(hand, cost_now > 1)"),
        ("rate_weak", "vulnerable_rate"),
    ] {
        refused(&format!("[power.mine]\nalter.{stage} = {{ add = \"{value}\" }}\n"));
        refused(&format!("[power.mine]\nalter.{stage} = {{ add = 1, when = \"{value} > 1\" }}\n"));
    }
    refused("[card.mine]\ntype = \"skill\"\ncost = 1\ncost_change = \"count(hand, cost_this_turn > 1)\"\n");
}

/// Whoever was summoned as a minion shows it, like those who stood there from the start.
#[test]
fn a_summoned_minion_shows_that_it_is_one() {
    use turnstone_host::Hosted;
    use turnstone_host::scene::Thing;
    let mut fight = open("hp 300/300; hand: defend_ironclad; enemy: reptomancer 180/180 intends summon");
    fight.act(Input::Act(Deed::Fight(Action::EndTurn))).unwrap();
    let scene = fight.game().scene(fight.position(), &[], Viewer::All);
    let enemies = scene.panels.iter().find(|panel| panel.id == "enemies").expect("enemies");
    let daggers: Vec<_> = enemies.items.iter().filter(|item| item.text.starts_with("Dagger")).collect();
    assert!(!daggers.is_empty(), "{enemies:?}");
    for dagger in daggers {
        let Some(Thing::Figure(figure)) = dagger.thing.as_deref() else { panic!("a figure") };
        assert!(figure.badges.iter().any(|badge| badge.icon == "minion"), "{figure:?}");
        assert!(dagger.text.contains("Minion"), "{}", dagger.text);
    }
}

/// Aimed at `target` by any verb, any value or any branch, a card or potion is aimed; it did nothing before.
#[test]
fn whatever_means_the_target_is_aimed() {
    for steps in [
        "[{ reduce = \"strength\", by = 2, to = \"target\" }]",
        "[{ heal = 3, to = \"target\" }]",
        "[{ set_hp = 3, to = \"target\" }]",
        "[{ block = 3, to = \"target\" }]",
        "[{ remove_debuffs = true, to = \"target\" }]",
        "[{ remove_powers = true, to = \"target\" }]",
        "[{ block = \"hp(target) / 2\" }]",
        "[{ draw = \"attack_number(6) / 3\" }]",
        "[{ choose_one = [[{ attack = 9 }], [{ block = 4 }]] }]",
        "[{ exhaust = \"hand\", random = \"power(target, weak)\" }]",
        "[{ attack = 3, to = \"enemies\", on_kill = [{ heal = 1, to = \"target\" }] }]",
    ] {
        let spire = with(&format!(
            "[card.odd]\ntype = \"skill\"\ncost = 1\ndo = {steps}\n\n[potion.odd]\nrarity = \"common\"\ndo = {steps}\n"
        ));
        let odd = usize::from(spire.named("card", "odd").unwrap());
        assert!(spire.catalog.cards[odd].forms.iter().all(|form| form.aims), "{steps}");
        let odd = usize::from(spire.named("potion", "odd").unwrap());
        assert!(spire.catalog.potions[odd].aims, "{steps}");
    }
    let spire = with(
        "[card.odd]\ntype = \"skill\"\ncost = 1\ntarget = \"none\"\ndo = [{ heal = 3, to = \"target\" }]\n\n\
         [card.half]\ntype = \"skill\"\ncost = 1\ndo = [{ block = [3, \"hp(target)\"] }]\n",
    );
    let forms = |id: &str| {
        let card = usize::from(spire.named("card", id).unwrap());
        spire.catalog.cards[card].forms.iter().map(|form| form.aims).collect::<Vec<_>>()
    };
    assert_eq!((forms("odd"), forms("half")), (vec![false, false], vec![false, true]));
}

/// What may be chosen is told by its steps, and to whom they happen; it was `option 2` before.
#[test]
fn choices_are_told_by_their_steps() {
    let spire = with(
        "[card.odd]\ntype = \"skill\"\ncost = 1\ndo = [{ choose_one = [[{ attack = [9, 12] }], [{ reduce = \"strength\", \
         to = \"target\" }], [{ gain_potion = 1 }, { heal = 6 }], [{ block = 4 }]] }]\n",
    );
    let setup = spire.situation("hand: odd; dexterity 2; strength 1; enemy: cultist").unwrap();
    let mut fight: Match<Spire> = Match::new(spire, setup, 1).unwrap();
    fight.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: Some(1) }))).unwrap();
    let scene = fight.game().scene(fight.position(), &fight.inputs(), Viewer::Seat(0));
    let said: Vec<&str> = scene.options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(
        said,
        [
            "Deal 10 damage",
            "The enemy loses all Strength",
            "Gain 1 random potion and heal 6 HP",
            "Gain 6 Block"
        ]
    );
}

/// What an option promises is what its steps will find when they come: those before them have happened by then.
#[test]
fn options_are_told_as_their_steps_will_find_things() {
    let option = |name: &str, steps: &str| {
        format!("{{ id = \"{}\", text = \"{name}\", do = [{steps}] }}", name.to_lowercase())
    };
    let options = [
        option(
            "Dive",
            "{ set_var = \"dives\", is = \"var(dives) + 1\" }, { damage = \"5 + var(dives)\", to = \"self\" }",
        ),
        option(
            "Pay",
            "{ gold = -500 }, { if = \"gold > 10\", then = [{ obtain_random = \"curse\", count = 2 }], \
                else = [{ random_relic = true }] }",
        ),
        option("Eat", "{ max_hp = 10 }, { heal = \"max_hp(self) / 2\" }"),
        option(
            "Gamble",
            "{ gold = \"roll(-5, 10)\" }, { if = \"gold > 100\", then = [{ random_relic = true }] }",
        ),
        option("Trade", "{ draw_relics = 1 }, { lose_drawn = \"first_relic\" }, { gain_potion = 1 }"),
        option("Spin", "{ one_of = [[], [{ gold = 3 }]] }"),
        option("Nothing", "{ obtain = \"bash\", count = 0 }, { gain_potion = 0 }, { heal = 1 }"),
        option(
            "Learn",
            "{ upgrade = \"deck\", random = 1 }, { obtain_random = \"class\", filter = \"rare and attack\" }, \
                { transform = \"deck\", choose = 1, upgraded = true }",
        ),
        option("Fight", "{ fight = \"cultist\", gold = 30, tiers = [\"uncommon\"] }"),
    ];
    let spire = with(&format!(
        "[event.well]\npool = \"nowhere\"\nvars = [\"dives\"]\n\n[event.well.node.start]\ntext = \"A well.\"\n\
         options = [{}]\n",
        options.join(", ")
    ));
    let map = "[map.one]\nneow = false\nact = 1\n[map.one.node.room]\nfloor = 1\ncolumn = 1\nroom = \"event\"\n\
               event = \"well\"\nend = true\n";
    let map = Some(turnstone_spire::run::plan::MapChoice::Text(map.into()));
    let mut state = spire.start(&Setup { map, ..Setup::run("ironclad", 0) }, 1).unwrap();
    (state.run.hp, state.run.max_hp, state.run.gold) = (40, 70, 50);
    let mut position = Position::new(state);
    let go = turnstone_spire::run::action::Action::Go(0);
    Resolver::default().act(&*spire, &mut position, &Input::Act(Deed::Run(go)), &mut Off).unwrap();
    let event = spire.catalog.events.iter().find(|event| event.id == "well").unwrap();
    let said: Vec<String> = event.nodes[0]
        .options
        .iter()
        .map(|option| spire.journey().option_words(position.state(), option))
        .collect();
    assert_eq!(
        said,
        [
            "Dive (lose 6 HP)",
            "Pay (pay 50 gold, gain a random relic)",
            "Eat (+10 max HP, heal 40)",
            "Gamble (pay up to 5 gold or gain up to 10, perhaps gain a random relic)",
            "Trade (lose a random relic, gain a random potion)",
            "Spin (one of: nothing; gain 3 gold)",
            "Nothing (heal 1)",
            "Learn (upgrade a random card, gain a random rare attack, transform a card into something upgraded)",
            "Fight (a fight for 30 gold and an uncommon relic)",
        ]
    );
}

/// Moments are told by what happens in them, not by their ids: it was `(after card)` before.
#[test]
fn moments_are_told_in_words() {
    let mut fight = open("hand: strike_ironclad; relics: burning_blood; enemy: cultist 1/50");
    let moment = fight.act(fight.inputs()[0].clone()).unwrap();
    let lines: Vec<String> = fight.explain(moment).lines.into_iter().map(|line| line.text).collect();
    assert!(lines.iter().any(|line| line == "(when a fight is won)"), "{lines:#?}");
    assert!(!lines.iter().any(|line| line == "(victory)" || line == "(after card)"), "{lines:#?}");
}

/// Debuffs go with the card that completes the three, not with the next one: the count that the relic waits for was
/// looked at when the card was played, before the card was counted.
#[test]
fn orange_pellets_act_on_the_card_that_completes_the_three() {
    let mut fight = open(
        "energy 9; weak 2; relics: orange_pellets; hand: inflame, defend_ironclad, strike_ironclad; enemy: cultist 60/60",
    );
    let weak = fight.game().catalog.power("weak").unwrap();
    for (target, left) in [(None, 2), (None, 2), (Some(1), 0)] {
        let play = |input: &Input<_, _>| matches!(*input, Input::Act(Deed::Fight(Action::Play { target: at, .. })) if at == target);
        let input = fight.inputs().iter().find(|input| play(input)).unwrap().clone();
        fight.act(input).unwrap();
        assert_eq!(fight.state().combat.player().stacks(weak), left, "{:?}", played(&fight));
    }
}

/// It was listed twice among those to choose from: who had to choose more than there were could not go on.
#[test]
fn a_card_that_was_drawn_twice_is_chosen_once() {
    let spire = with(
        "[card.fish]\ntype = \"skill\"\ncost = 0\ndo = [{ move = \"drawn\", choose = 2, to = \"draw_bottom\" }]\n",
    );
    let setup = spire.situation("hand: fish, bash, bash; enemy: cultist 60/60").unwrap();
    let fight: Match<Spire> = Match::new(spire, setup, 1).unwrap();
    let mut state = fight.state().clone();
    let game = fight.game();
    let fish = usize::from(state.combat.cards[0].id);
    let ctx = Ctx { owner: 0, other: u8::MAX, card: 0, n: 0, event: 0, source: Source::of(Origin::Card) };
    let step = Effect::Step { program: game.catalog.cards[fish].forms[0].program, pc: 0, ctx };
    let mut settled = |drawn: &[u16]| {
        state.combat.drawn = drawn.to_vec();
        game.settle(&state, &step, &mut Notes::unwanted())
    };
    assert!(matches!(settled(&[1, 2, 1, 2]), Settled::Event(Event::Selected(_))), "there are but two");
    assert!(
        matches!(settled(&[0, 1, 1]), Settled::Event(Event::Selected(_))),
        "there is but one beside itself"
    );
}

/// Its number was taken for a card, which a later step then handled; without that card the match could not be loaded.
#[test]
fn an_option_that_was_chosen_is_no_card() {
    let spire = with(
        "[card.muse]\ntype = \"skill\"\ncost = 0\ndo = [{ choose_one = [[{ block = 1 }], [{ block = 2 }]] }, { exhaust = \"chosen\" }]\n",
    );
    let setup = spire.situation("hand: muse, bash, bash; enemy: cultist 60/60").unwrap();
    let mut fight: Match<Spire> = Match::new(spire, setup, 1).unwrap();
    fight.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: None }))).unwrap();
    fight.act(Input::Choose(Reply::Fight(Answer::Option(1)))).unwrap();
    let combat = &fight.state().combat;
    assert_eq!((combat.player().block, combat.exhaust.len(), combat.chosen.len()), (2, 0, 0));
}

/// A relic that hears of powers took the power's number for a card: it played that card, or what waited was about none.
#[test]
fn a_power_in_question_is_no_card() {
    let spire = with(
        "[relic.echo]\ntier = \"common\"\non.debuff_given = [{ replay = true }, { block = 2 }, \
         { choose_one = [[{ energy = 1 }], [{ energy = 2 }]] }]\n\n\
         [relic.judge]\ntier = \"common\"\non.debuff_given = { when = \"is(vulnerable)\", do = [{ block = 5 }] }\n",
    );
    // So many cards that every power has the number of one.
    let text = "relics: echo, judge; energy 9; hand: bash; draw: bash*900; enemy: cultist 200/200";
    let setup = spire.situation(text).unwrap();
    let mut fight: Match<Spire> = Match::new(Arc::clone(&spire), setup.clone(), 1).unwrap();
    fight.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: Some(1) }))).unwrap();
    assert!(fight.pending().is_some(), "it asks");
    let text = serde_json::to_string(fight.position()).unwrap();
    let position = serde_json::from_str(&text).unwrap();
    let loaded: Result<Match<Spire>, _> = Match::from_position(Arc::clone(&spire), setup, 1, position);
    assert!(loaded.is_ok(), "it can be loaded");
    fight.act(Input::Choose(Reply::Fight(Answer::Option(1)))).unwrap();
    assert_eq!(played(&fight), ["bash"], "no other card is played");
    let combat = &fight.state().combat;
    assert_eq!((combat.player().block, combat.energy), (7, 9), "the judge knows which power it was");
}

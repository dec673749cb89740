//! Content that was dropped in is met in whole runs, content that was deleted never, and nothing breaks.

use std::collections::BTreeSet;

use turnstone::{Game, Input, InputOf, Off, Position, Resolver};
use turnstone_host::Player;
use turnstone_spire::State;
use turnstone_spire::catalog::Sources;
use turnstone_spire::run::Setup;
use turnstone_spire::run::tower::{Reward, Screen};
use turnstone_spire::{Ruleset, Spire};

/// A game whose content is changed by a file.
fn with(text: &str) -> Spire {
    let sources = Sources::builtin("classic").with_text("mine.toml", text);
    Spire::new(Ruleset::Classic, &sources).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Notes the names of everything that is on screen, owned or fought.
fn look(game: &Spire, s: &State, met: &mut BTreeSet<String>) {
    let (tables, catalog) = (&game.rulebook.tables, &game.catalog);
    let mut note = |kind: &str, name: &str| _ = met.insert(format!("{kind} {name}"));
    for screen in &s.tower.screens {
        match screen {
            Screen::Rewards(rewards) => {
                for reward in rewards {
                    match reward {
                        Reward::Relic(relic) => note("relic", tables.relics.name(*relic)),
                        Reward::Potion(potion) => note("potion", tables.potions.name(*potion)),
                        Reward::Cards(offer) => {
                            offer.iter().for_each(|o| note("offered", tables.cards.name(o.card)));
                        }
                        Reward::Gold(_) | Reward::StolenGold(_) | Reward::Key(_) => {}
                    }
                }
            }
            Screen::Shop(shop) => {
                shop.stock.cards.iter().for_each(|c| note("sold", tables.cards.name(c.card)));
                shop.stock.relics.iter().for_each(|r| note("relic", tables.relics.name(r.relic)));
                shop.stock.potions.iter().for_each(|p| note("potion", tables.potions.name(p.potion)));
            }
            Screen::BossChest(relics) => {
                relics.iter().for_each(|relic| note("relic", tables.relics.name(*relic)));
            }
            Screen::Event(event) => note("event", tables.events.name(event.event)),
            Screen::Neow => {
                for offer in &s.tower.fate.neow {
                    let name = |gift| tables.gifts.names.name(gift);
                    note("gift", name(offer.bonus));
                    offer.drawback.into_iter().for_each(|cost| note("cost", name(cost)));
                    let both = offer.drawback.map(|cost| format!("{} for {}", name(offer.bonus), name(cost)));
                    both.into_iter().for_each(|both| note("bargain", &both));
                }
            }
            Screen::Rest | Screen::Chest(_) => {}
        }
    }
    if let Some(fighting) = s.tower.fighting {
        note("encounter", tables.fights.name(fighting.fight));
    }
    for body in s.combat.bodies.iter().skip(1) {
        note("monster", &catalog.monsters[usize::from(body.kind)].id);
    }
    if let (Some(place), Some(room)) = (s.tower.place, s.tower.room) {
        note("room", &format!("{} {} {}", s.run.act, place.y + 1, room.word()));
    }
    s.run.relics.iter().for_each(|relic| note("relic", tables.relics.name(relic.id)));
    s.run.deck.iter().for_each(|card| note("owned", tables.cards.name(card.id)));
}

/// What is met in so many runs, each played to its end.
fn met_by(game: &Spire, character: &str, seeds: std::ops::Range<u64>) -> BTreeSet<String> {
    met_from(game, seeds, |seed| Setup::run(character, [0, 20][seed as usize % 2]))
}

/// The same of runs that begin as it says.
fn met_from(game: &Spire, seeds: std::ops::Range<u64>, begin: impl Fn(u64) -> Setup) -> BTreeSet<String> {
    let mut met = BTreeSet::new();
    for seed in seeds {
        let setup = begin(seed);
        let mut position = Position::new(game.start(&setup, seed).expect("start"));
        let (mut resolver, mut list) = (Resolver::default(), Vec::new());
        let mut bot = Player::<Spire>::named("heuristic", 0, seed).expect("a bot");
        for moment in 0..20_000 {
            look(game, position.state(), &mut met);
            inputs(game, &position, &mut list);
            if list.is_empty() {
                break;
            }
            let input = &list[bot.choose(game, &position, &list, moment)];
            resolver.act(game, &mut position, input, &mut Off).expect("a legal action");
        }
        assert!(position.state().tower.end.is_some(), "seed {seed} got stuck");
    }
    met
}

fn inputs(game: &Spire, position: &Position<Spire>, list: &mut Vec<InputOf<Spire>>) {
    list.clear();
    match position.pending() {
        Some(pending) => {
            let mut answers = Vec::new();
            game.answers(position.state(), &pending.question, &mut answers);
            list.extend(answers.into_iter().map(Input::Choose));
        }
        None => {
            let mut actions = Vec::new();
            game.legal(position.state(), &mut actions);
            list.extend(actions.into_iter().map(Input::Act));
        }
    }
}

fn meets(text: &str, wanted: &[&str]) {
    let met = met_by(&with(text), "ironclad", 0..60);
    for thing in wanted {
        assert!(met.contains(*thing), "never met: {thing}");
    }
}

fn never_meets(kind: &str, id: &str, shown: &[&str]) {
    let game = with(&format!("[{kind}.{id}]\ndelete = true\n"));
    let met = met_by(&game, "ironclad", 0..40);
    for how in shown {
        assert!(!met.contains(&format!("{how} {id}")), "met: {how} {id}");
        let others = met.iter().filter(|thing| thing.starts_with(how)).count();
        assert!(others > 3, "nothing of the kind is met any more: {how}");
    }
}

#[test]
fn a_new_card_is_offered_and_sold() {
    meets(
        "[card.zap_zap]\ncolor = \"ironclad\"\ntype = \"attack\"\nrarity = \"common\"\ncost = 1\n\
         do = [{ attack = [4, 6], times = 2 }]\n",
        &["offered zap_zap", "sold zap_zap"],
    );
}

#[test]
fn a_new_relic_is_found() {
    meets("[relic.toll]\ntier = \"common\"\non.combat_start = [{ block = 3 }]\n", &["relic toll"]);
}

#[test]
fn a_new_potion_is_found() {
    meets(
        "[potion.ink]\nrarity = \"common\"\npotency = 9\ndo = [{ block = \"potency\" }]\n",
        &["potion ink"],
    );
}

#[test]
fn a_new_encounter_with_a_new_monster_is_met() {
    meets(
        "[monster.mole]\nhp = [20, 24]\ncycle = [\"dig\"]\n\
         move.dig = { intent = \"attack\", do = [{ attack = 5 }] }\n\n\
         [encounter.two_moles]\nact = 1\nrank = \"weak\"\nmonsters = [\"mole\", \"mole\"]\n",
        &["encounter two_moles", "monster mole"],
    );
}

#[test]
fn a_new_elite_and_a_new_boss_are_met() {
    meets(
        "[encounter.old_nob]\nact = 1\nrank = \"elite\"\nmonsters = [\"gremlin_nob\"]\n\n\
         [encounter.worm_boss]\nact = 1\nrank = \"boss\"\nmonsters = [\"jaw_worm\"]\n",
        &["encounter old_nob", "encounter worm_boss"],
    );
}

#[test]
fn a_new_event_is_met() {
    meets(
        "[event.well]\npool = \"act1\"\n\n[event.well.node.start]\ntext = \"A well.\"\n\
         options = [{ id = \"drink\", text = \"Drink\", do = [{ heal = 5 }] }]\n",
        &["event well"],
    );
}

/// A gift of every kind of draw, and a drawback that would spoil one of them.
const GIFTS: &str = "
[neow.hoard]
row = \"first\"
draws = [{ relics = 2, tier = \"shop\" }, { cards = 2, rarity = \"uncommon\" }]
do = [{ gold = 7 }]

[neow.windfall]
row = \"third\"
draws = [{ class_cards = 2, rarity = \"rare\" }, { colorless_cards = 4, rarity = \"rare\" }, { potions = 1 }]

[neow.debt]
row = \"drawback\"
spoils = [\"windfall\", \"remove_two\"]
draws = { curses = 2 }
do = [{ gold = -50 }]
";

#[test]
fn a_new_gift_and_a_new_drawback_are_offered() {
    let game = with(GIFTS);
    let met = met_by(&game, "ironclad", 0..80);
    for thing in ["gift hoard", "gift windfall", "cost debt", "bargain windfall for curse"] {
        assert!(met.contains(thing), "never met: {thing}");
    }
    for spoilt in ["bargain windfall for debt", "bargain remove_two for debt"] {
        assert!(!met.contains(spoilt), "met: {spoilt}");
    }
}

/// What a gift brings is what it says, in a run.
#[test]
fn a_new_gift_brings_what_it_says() {
    let game = with(GIFTS);
    let offered = |state: &State, name: &str, cost: Option<&str>| {
        let (names, wanted) = (&game.rulebook.tables.gifts.names, cost);
        state.tower.fate.neow.iter().position(|offer| {
            let cost = offer.drawback.map(|cost| names.name(cost));
            names.name(offer.bonus) == name && (wanted.is_none() || cost == wanted)
        })
    };
    let taken = |name: &str, cost: Option<&str>| {
        let starts = (0..).map(|seed| game.start(&Setup::run("ironclad", 0), seed).expect("start"));
        let mut found = starts.filter_map(|state| Some((offered(&state, name, cost)?, state)));
        let (at, state) = found.next().expect("some seed offers it");
        let mut position = Position::new(state);
        let mut list = Vec::new();
        inputs(&game, &position, &mut list);
        let words = turnstone_host::tell_input(&game, &position, &list[at]).expect("words");
        Resolver::default().act(&game, &mut position, &list[at], &mut Off).expect("a legal action");
        (position.state().clone(), words)
    };
    let (hoard, words) = taken("hoard", None);
    let run = &hoard.run;
    assert_eq!((run.gold, run.relics.len(), run.deck.len()), (106, 3, 12));
    assert_eq!(words, "Gain 7 gold and gain two shop relics and gain two random uncommon cards");
    let (windfall, words) = taken("windfall", Some("no_gold"));
    let Some(Screen::Rewards(rewards)) = windfall.tower.screen() else { panic!("no rewards") };
    let sizes: Vec<usize> = rewards
        .iter()
        .filter_map(|r| match r {
            Reward::Cards(offer) => Some(offer.len()),
            _ => None,
        })
        .collect();
    assert_eq!((windfall.run.gold, sizes, rewards.len()), (0, vec![2, 4], 3));
    assert_eq!(
        words,
        "Choose one of two rare cards and choose one of four rare colorless cards and a potion, but lose all gold"
    );
    let (indebted, words) = taken("one_rare_relic", Some("debt"));
    assert_eq!((indebted.run.gold, indebted.run.deck.len(), indebted.run.relics.len()), (49, 12, 2));
    assert_eq!(words, "Gain a rare relic, but pay 50 gold and gain two curses");
}

#[test]
fn deleted_gifts_and_drawbacks_are_not_offered() {
    never_meets("neow", "remove_card", &["gift"]);
    never_meets("neow", "curse", &["cost"]);
    let lone = "[neow.boss_relic]\ndelete = true\n\n[neow.lose_starter_relic]\ndelete = true\n";
    let met = met_by(&with(lone), "silent", 0..20);
    assert!(!met.contains("gift boss_relic") && met.contains("gift remove_card"));
}

/// Without gifts nobody waits at the bottom of the spire.
#[test]
fn neow_may_have_nothing() {
    let names: Vec<String> = with("").rulebook.tables.gifts.names.iter().map(str::to_owned).collect();
    let text: String = names.iter().map(|id| format!("[neow.{id}]\ndelete = true\n\n")).collect();
    let met = met_by(&with(&text), "ironclad", 0..4);
    assert!(!met.iter().any(|thing| thing.starts_with("gift ")));
}

#[test]
fn a_deleted_card_is_neither_offered_nor_sold() {
    never_meets("card", "anger", &["offered", "sold", "owned"]);
}

#[test]
fn a_deleted_relic_is_not_found() {
    never_meets("relic", "vajra", &["relic"]);
}

#[test]
fn a_deleted_potion_is_not_found() {
    never_meets("potion", "fire_potion", &["potion"]);
}

#[test]
fn a_deleted_encounter_is_not_met() {
    never_meets("encounter", "small_slimes", &["encounter"]);
}

#[test]
fn a_deleted_event_is_not_met() {
    never_meets("event", "big_fish", &["event"]);
}

#[test]
fn a_monster_is_deleted_together_with_the_fights_it_is_in() {
    let text = "[monster.looter]\ndelete = true\n\n[encounter.looter]\ndelete = true\n\n\
                [encounter.two_thieves]\ndelete = true\n\n\
                [encounter.exordium_thugs]\nmonsters = [{ any = [\"cultist\", \"red_slaver\"] }]\n";
    let met = met_by(&with(text), "ironclad", 0..40);
    assert!(!met.iter().any(|thing| thing.contains("looter") || thing == "encounter two_thieves"));
}

/// Deleting what the rules once knew by name leaves runs whole.
#[test]
fn keepsakes_can_be_deleted() {
    let names = [
        "ancient_tea_set",
        "black_star",
        "girya",
        "nloths_hungry_face",
        "matryoshka",
        "prayer_wheel",
        "sacred_bark",
        "tiny_chest",
        "wing_boots",
        "circlet",
        "red_circlet",
        "spirit_poop",
    ];
    let steps = "[event.nloth]\ndelete = true\n\n[event.face_trader]\ndelete = true\n\n\
                 [event.bonfire_spirits]\ndelete = true\n\n[score.smell]\ndelete = true\n";
    let deleted: String = names.iter().map(|id| format!("[relic.{id}]\ndelete = true\n\n")).collect();
    let met = met_by(&with(&(deleted + steps)), "silent", 0..40);
    assert!(met.iter().all(|thing| !names.iter().any(|name| *thing == format!("relic {name}"))));
}

/// Lists that run dry have neighbours that stand in.
#[test]
fn a_pool_may_be_emptied() {
    let builtin = with("");
    let all = |pass: &dyn Fn(&turnstone_spire::catalog::defs::Potion) -> bool| -> String {
        let potions = builtin.content.potions.iter().filter(|potion| pass(potion));
        potions.map(|potion| format!("[potion.{}]\ndelete = true\n\n", potion.common.id)).collect()
    };
    let mut text = all(&|potion| potion.common.id != "fire_potion");
    for card in &builtin.content.cards {
        let rare = card.rarity == turnstone_spire::catalog::words::Rarity::Rare;
        if card.color == "ironclad" && rare {
            text += &format!("[card.{}]\ndelete = true\n\n", card.common.id);
        }
    }
    for fight in &builtin.content.encounters {
        let common = &fight.common.id;
        if fight.act == 1
            && !["cultist", "gremlin_nob", "hexaghost", "lagavulin_event"].contains(&common.as_str())
        {
            text += &format!("[encounter.{common}]\ndelete = true\n\n");
        }
    }
    for map in &builtin.content.maps {
        text += &format!("[map.{}]\ndelete = true\n\n", map.common.id);
    }
    text += "[event.dead_adventurer]\ndelete = true\n\n[event.hypnotizing_colored_mushrooms]\ndelete = true\n\n\
             [event.mindbloom]\ndelete = true\n";
    met_by(&with(&text), "ironclad", 0..40);
}

const STOKER: &str = r#"
[character.stoker]
color = "ember"
hp = 66
gold = 120
energy = 4
orb_slots = 1
relics = ["bellows"]
deck = { ember_strike = 5, ember_guard = 4, stoke = 1 }

[relic.bellows]
tier = "starter"
color = "ember"
on.combat_start = [{ apply = "strength" }]

[relic.tongs]
tier = "common"
color = "ember"
on.combat_start = [{ block = 4 }]

[card.ember_strike]
color = "ember"
type = "attack"
rarity = "basic"
cost = 1
tags = ["strike"]
do = [{ attack = [6, 9] }]

[card.ember_guard]
color = "ember"
type = "skill"
rarity = "basic"
cost = 1
do = [{ block = [5, 8] }]

[card.stoke]
color = "ember"
type = "skill"
rarity = "basic"
cost = 1
do = [{ channel = "lightning" }]

[card.sear]
color = "ember"
type = "attack"
rarity = "common"
cost = 1
do = [{ attack = [9, 12] }]

[card.smoulder]
color = "ember"
type = "power"
rarity = "uncommon"
cost = 1
do = [{ apply = "strength", amount = [1, 2] }]
"#;

#[test]
fn a_new_character_with_a_color_of_its_own_is_played() {
    let game = with(STOKER);
    let start = game.start(&Setup::run("stoker", 0), 3).expect("start");
    let run = &start.run;
    assert_eq!((run.max_hp, run.gold, run.energy, run.orb_slots, run.deck.len()), (66, 120, 4, 1, 10));
    let met = met_by(&game, "stoker", 0..40);
    for thing in [
        "owned ember_strike",
        "offered sear",
        "offered smoulder",
        "sold sear",
        "relic bellows",
        "relic tongs",
    ] {
        assert!(met.contains(thing), "never met: {thing}");
    }
    assert!(!met.contains("offered anger"), "another's card");
    let others = met_by(&game, "ironclad", 0..20);
    assert!(!others.iter().any(|thing| thing.ends_with(" sear") || thing == "relic tongs"));
}

/// What is wrong with a file of one's own.
fn problems(text: &str) -> Vec<String> {
    let sources = Sources::builtin("classic").with_text("mine.toml", text);
    let problems = Spire::new(Ruleset::Classic, &sources).expect_err("a problem");
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_misspelt_color_is_told_with_the_nearest() {
    let told = problems("[card.zap_zap]\ncolor = \"iornclad\"\ntype = \"attack\"\ncost = 1\n");
    assert_eq!(told, ["mine.toml:2:9: no color `iornclad`; did you mean `ironclad`?"]);
}

#[test]
fn slips_of_authors_are_told() {
    let misspelt = problems("[card.strike_ironcald]\ncost = 0\n");
    let near = "the key `type` is missing; or did you mean the card `strike_ironclad`?";
    assert!(misspelt.iter().any(|told| told.ends_with(near)), "{misspelt:?}");
    let capital = problems("[card.EmberSlash]\ntype = \"attack\"\ncost = 1\n");
    assert!(capital[0].ends_with("`EmberSlash`: ids have small letters, digits and _ only"), "{capital:?}");
    let often = problems(
        "[card.often]\ntype = \"attack\"\ncost = 1\ndo = [{ repeat = 100000, do = [{ block = 1 }] }]\n",
    );
    assert!(often[0].ends_with("nothing is repeated more than 99 times"), "{often:?}");
}

#[test]
fn modifiers_rule_a_run_from_its_start() {
    let game = with("");
    let setup = |names: &[&str]| Setup {
        modifiers: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Setup::run("ironclad", 0)
    };
    let start = game.start(&setup(&["open_sky", "full_hands"]), 3).expect("start");
    let worn: Vec<&str> =
        start.run.relics.iter().map(|relic| game.rulebook.tables.relics.name(relic.id)).collect();
    assert_eq!(worn, ["burning_blood", "open_sky", "full_hands"]);
    let three = |seed| game.start(&setup(&["daily"]), seed).expect("start").run.relics;
    assert_eq!((three(5).len(), three(5)), (4, three(5)));
    assert!((0..20).any(|seed| three(seed)[1..] != three(5)[1..]), "the seed chooses");
    let refusal = game.start(&setup(&["opensky"]), 3).expect_err("unknown");
    assert_eq!(refusal.code(), "UNKNOWN_MODIFIER");
    assert!(refusal.to_string().contains("did you mean `open_sky`?"), "{refusal}");
}

#[test]
fn a_modifier_is_never_found() {
    let game = with("");
    let met = met_by(&game, "silent", 0..30);
    let names: Vec<String> = game
        .rulebook
        .tables
        .modifiers
        .iter()
        .map(|relic| game.rulebook.tables.relics.name(*relic).into())
        .collect();
    assert!(names.len() >= 8 && names.iter().all(|name| !met.contains(&format!("relic {name}"))));
}

/// A relic may add to the chance of a potion, not only make it certain.
#[test]
fn a_relic_may_add_to_the_chance_of_a_potion() {
    let first_rewards = |text: &str| -> usize {
        let game = with(text);
        let found = |seed: u64| {
            let setup = Setup { modifiers: vec!["flask".into()], ..Setup::run("ironclad", 0) };
            let mut position = Position::<Spire>::new(game.start(&setup, seed).expect("start"));
            let (mut resolver, mut list) = (Resolver::default(), Vec::new());
            let mut bot = Player::<Spire>::named("heuristic", 0, seed).expect("a bot");
            for moment in 0..2_000 {
                let s = position.state();
                if let (Some(Screen::Rewards(list)), true) = (s.tower.screen(), s.run.floor > 0) {
                    return list.iter().any(|reward| matches!(reward, Reward::Potion(_)));
                }
                inputs(&game, &position, &mut list);
                let input = &list[bot.choose(&game, &position, &list, moment)];
                resolver.act(&game, &mut position, input, &mut Off).expect("a legal action");
            }
            panic!("no fight was won");
        };
        (0..10).filter(|seed| found(*seed)).count()
    };
    let flask = |alter: &str| format!("[relic.flask]\ntier = \"modifier\"\nalter.potion_chance = {alter}\n");
    assert_eq!(first_rewards(&flask("{ add = 60 }")), 10);
    assert_eq!(first_rewards(&flask("{ add = -40 }")), 0);
}

#[test]
fn a_map_is_made_of_what_the_act_says() {
    use turnstone_spire::seeds::Room;
    let game = with("[act.1]\nrooms = { rest = 30, shop = 20 }\n");
    let start = game.start(&Setup::run("ironclad", 0), 3).expect("start");
    let count = |room| start.tower.fate.map.nodes().filter(|(_, node)| node.room == Some(room)).count();
    assert_eq!((count(Room::Elite), count(Room::Event)), (0, 0));
    assert!(count(Room::Shop) > 5, "{}", count(Room::Shop));
}

/// Other maps are climbed like the original's: whole runs on narrow ones that begin with events, and through a last act
/// that has become longer.
#[test]
fn runs_climb_maps_of_other_rules() {
    use turnstone_spire::setup::{Begin, Fight};
    let act = "paths = 2\nmap_seed = 77\nfixed = { 1 = \"event\", 2 = \"shop\", 5 = \"treasure\", 15 = \"monster\" }\n\
               first_floor = { elite = 3 }\nlast_floor = { elite = 4 }\napart = []\nuncounted = false\n\
               rooms = { elite = 30 }\n";
    let way = "[act.4]\nway = [\"monster\", \"treasure\", \"event\", \"elite\", \"elite\", \"rest\"]\n";
    let game = with(&format!("[act.1]\n{act}\n[act.2]\n{act}\n{way}"));
    let met = met_by(&game, "ironclad", 0..30);
    let rooms = |act: u8, floor: u8| -> Vec<&str> {
        let of = format!("room {act} {floor} ");
        met.iter().filter_map(|thing| thing.strip_prefix(&of)).collect()
    };
    assert_eq!((rooms(1, 2), rooms(1, 5)), (vec!["shop"], vec!["treasure"]));
    assert!(rooms(1, 3).contains(&"elite") && !rooms(1, 6).contains(&"elite"), "{met:?}");
    // Whoever cannot lose sees all of the last act.
    let strong = |_| {
        let with = Fight { act: Some(4), hp: Some(9_000), max_hp: Some(9_000), ..Fight::default() };
        Setup { begin: Some(Begin { with, ..Begin::default() }), ..Setup::run("ironclad", 0) }
    };
    let met = met_from(&game, 0..4, strong);
    for (floor, room) in
        [(1, "monster"), (2, "treasure"), (4, "elite"), (5, "elite"), (6, "rest"), (7, "boss")]
    {
        assert!(met.contains(&format!("room 4 {floor} {room}")), "floor {floor}: {met:?}");
    }
}

/// A level above the original's is an entry like any other, and what a level does is what its entry says.
#[test]
fn a_level_of_ascension_more_can_be_written_and_played() {
    let level = "[ascension.21]\ntext = \"And: misers.\"\nprices = 200\nboss_gold = 10\nupgrade_chance = 0\n\
                 bosses = 1\ndeck = { regret = 1 }\n";
    let game = with(level);
    let tables = &game.rulebook.tables;
    assert_eq!((tables.top(), tables.hardship(21).text.as_str()), (21, "And: misers."));
    let (top, below) = (tables.hardship(21), tables.hardship(20));
    assert_eq!((top.prices, top.boss_gold, top.upgrade_chance, top.bosses), (200, 10, 0, 1));
    assert_eq!((below.prices, below.boss_gold, below.upgrade_chance, below.bosses), (110, 75, 50, 2));
    assert!(top.harsh_events && below.harsh_events && !tables.hardship(14).harsh_events);
    let s = game.start(&Setup::run("ironclad", 21), 7).expect("a run of level 21");
    let regret = game.catalog.find("card", "regret").expect("a card");
    assert!(s.run.ascension == 21 && s.run.deck.iter().any(|card| card.id == regret));
    assert_eq!(turnstone_spire::seeds::price(50, top, Default::default()), 100);
    assert_eq!(game.start(&Setup::run("ironclad", 22), 7).expect_err("too high").code(), "BAD_ASCENSION");
    let usual = Spire::builtin(Ruleset::Classic).expect("sound");
    assert_eq!(usual.start(&Setup::run("ironclad", 21), 7).expect_err("too high").code(), "BAD_ASCENSION");
    // Without a level that says so there is one boss, whatever its number.
    let tame = with("[ascension.20]\nreplace = true\ntext = \"Nothing.\"\n");
    assert_eq!(tame.rulebook.tables.floors_below(20)[3], 51);
}

/// What the rules know by a mark of the entry and not by its name: what a burning elite gains, which orb is rolled
/// first, which power attacks count several times, and the stance one starts in.
#[test]
fn what_rules_know_of_entries_they_know_by_their_marks() {
    use turnstone_spire::seeds::Burning;
    let game = with(
        "[burning.strength]\ndelete = true\n[burning.max_hp]\ndelete = true\n[burning.metallicize]\ndelete = true\n\
         [burning.regenerate]\npower = \"thorns\"\namount = \"act * 7\"\n\
         [power.strength]\nstrength = false\n[power.dexterity]\nalter.attack_dealt = { add = \"n\" }\nstrength = true\n\
         [stance.neutral]\nneutral = false\n[stance.calm]\nneutral = true\n\
         [order.orbs]\nlist = [\"plasma\"]\n",
    );
    let tables = &game.rulebook.tables;
    assert_eq!((tables.burnings.len(), tables.burning_name(Burning(0))), (1, "regenerate"));
    let orb = |place: usize| game.catalog.orbs[usize::from(game.catalog.orb_order[place])].id.as_str();
    assert_eq!((orb(0), orb(1)), ("plasma", "dark"));
    let text = "strength 1, dexterity 2; hand: heavy_blade; enemy: cultist 50/50";
    let s = game.start(&game.situation(text).expect("a situation"), 1).expect("opens");
    assert!(game.card_text(&s, 0, None).starts_with("Deal 21 damage"), "{}", game.card_text(&s, 0, None));
    assert_eq!(game.catalog.stances[usize::from(s.combat.stance)].id, "calm");
    // A burning elite gains what the entry says.
    let mut run = game.start(&Setup::run("ironclad", 0), 3).expect("a run");
    let (place, _) = run.tower.fate.map.burning.expect("a burning elite");
    run.run.floor = place.y;
    let below = (0..7).map(|x| turnstone_spire::seeds::Place { x, y: place.y - 1 });
    let map = *run.tower.fate.map;
    let tower = run.tower.edit();
    tower.place = below.into_iter().find(|from| map.node(*from).edges >> place.x & 1 == 1);
    tower.screens.clear();
    let mut position = Position::<Spire>::new(run);
    let go = Input::Act(turnstone_spire::Deed::Run(turnstone_spire::run::action::Action::Go(place.x)));
    Resolver::default().act(&game, &mut position, &go, &mut Off).expect("the way is open");
    let thorns = game.catalog.power("thorns").expect("a power");
    let bodies = &position.state().combat.bodies;
    assert!(bodies.len() > 1 && bodies.iter().skip(1).all(|body| body.stacks(thorns) == 7), "{bodies:?}");
}

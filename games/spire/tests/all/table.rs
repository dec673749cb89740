//! A fight at the table: what one can ask for, what is shown, what may not be seen, and a player for it.

use std::sync::Arc;
use turnstone::{Input, Match, Told, Viewer};
use turnstone_host::scene::{Pick, Scene};
use turnstone_host::{Hosted, Opening, Player, Source};
use turnstone_spire::{Fight, Ruleset, Spire};

type Table = Spire;

fn open(wishes: &[(&str, &str)]) -> Result<Match<Table>, String> {
    open_with(wishes, Vec::new())
}

fn open_with(wishes: &[(&str, &str)], files: Vec<Source>) -> Result<Match<Table>, String> {
    let wishes = wishes.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let opening = Opening { wishes, files, ..Opening::default() };
    let (game, setup) = Table::open_table(&opening).map_err(|refusal| refusal.to_string())?;
    Match::new(game, setup, 7).map_err(|refusal| refusal.to_string())
}

fn scene(table: &Match<Table>) -> Scene {
    let inputs = table.position().inputs(table.game());
    table.game().scene(table.position(), &inputs, Viewer::Seat(0))
}

/// Text and note of an item.
fn shown(scene: &Scene, panel: &str, index: usize) -> (String, String) {
    let panel = scene.panels.iter().find(|it| it.id == panel).expect("the panel");
    (panel.items[index].text.clone(), panel.items[index].note.clone())
}

#[test]
fn any_fight_can_be_asked_for() {
    let table = open(&[
        ("combat", "gremlin_nob"),
        ("character", "silent"),
        ("ascension", "18"),
        ("deck", "backstab+, deflect*3 neutralize"),
        ("relics", "vajra,anchor"),
        ("max-hp", "60"),
        ("hp", "50"),
    ])
    .expect("a fight");
    let run = &table.state().run;
    assert_eq!((run.hp, run.max_hp, run.ascension), (50, 60, 18));
    assert_eq!((run.deck.len(), run.relics.len()), (5, 2));
    assert_eq!(table.state().combat.bodies.len(), 2);
}

#[test]
fn what_is_misspelt_is_named() {
    let refusal = |name: &str, value: &str| open(&[(name, value)]).err().expect("a refusal");
    let fight = [("combat", "jaw_worm")];
    assert!(refusal("combat", "jaw_wurm").contains("did you mean `jaw_worm`"));
    assert!(refusal("comabt", "jaw_worm").contains("did you mean `combat`"));
    assert!(refusal("situation", "hand: bsah; enemy: cultist").contains("did you mean `bash`"));
    for (name, value, near) in [("deck", "bsah", "bash"), ("relics", "vajar", "vajra"), ("hp", "many", "hp")]
    {
        let refused = open(&[fight[0], (name, value)]).err().expect("a refusal");
        assert!(refused.contains(near), "{refused}");
    }
}

#[test]
fn a_situation_knows_whose_it_is() {
    let table = open(&[("situation", "as: watcher; stance: wrath; hand: eruption; enemy: cultist 40/50")]);
    let table = table.expect("a situation");
    assert_eq!(table.game().seats(table.state()), ["Watcher"]);
    let other =
        open(&[("situation", "hand: zap; enemy: cultist"), ("character", "defect")]).expect("a situation");
    assert_eq!(other.game().seats(other.state()), ["Defect"]);
}

#[test]
fn the_hand_shows_costs_and_numbers_of_the_moment() {
    let table = open(&[(
        "situation",
        "strength 2, frail 1; hand: strike_ironclad, defend_ironclad, bludgeon; energy 2; relics: vajra; \
         potions: fire_potion; enemy: jaw_worm 30/44 intends chomp; weak 1; enemy: cultist 40/50; vulnerable 2",
    )])
    .expect("a situation");
    let scene = scene(&table);
    let (text, note) = shown(&scene, "hand", 0);
    assert_eq!(text, "[1] Strike: Deal 8 damage.");
    let own = "damage · Strike: 6\ndamage · Strength of the Ironclad: 6 → 8";
    assert_eq!(note, format!("Cultist: Deal 12 damage.\n{own}"));
    assert_eq!(shown(&scene, "hand", 1).0, "[1] Defend: Gain 3 Block.");
    assert_eq!(shown(&scene, "hand", 2).0, "[3] Bludgeon: Deal 34 damage.");
    let (text, note) = shown(&scene, "enemies", 0);
    assert_eq!(text, "Jaw Worm 30/44 → Chomp for 8 · Weak 1");
    assert!(note.starts_with("Chomp: it attacks for 8.\nWeak 1: "), "{note}");
    assert!(shown(&scene, "you", 0).1.contains("Frail 1: "));
    let (text, note) = shown(&scene, "relics", 0);
    assert!(text.starts_with("Vajra: ") && note.contains("Strength: "), "{text}, {note}");
    assert_eq!(shown(&scene, "potions", 0).0, "Fire Potion: Inflict 20 damage on the enemy.");
    let strike = scene.options.iter().find(|it| it.label.contains("Strike") && it.label.contains("Cultist"));
    assert_eq!(strike.expect("an option").preview, "Deal 12 damage.");
}

fn wild(spire: &Spire, seed: u64) -> Fight {
    let encounters = &spire.catalog.encounters;
    let characters = ["ironclad", "silent", "defect", "watcher"];
    Fight {
        character: characters[seed as usize % 4].into(),
        encounter: Some(encounters[seed as usize * 7 % encounters.len()].id.clone()),
        hp: Some(40),
        ..Fight::default()
    }
}

/// Plays a fight with a bot; tells whether it was won.
fn play(bot: &str, fight: Fight, seed: u64) -> bool {
    let game = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound content"));
    let setup =
        turnstone_spire::run::Setup { fight: Some(fight), ..turnstone_spire::run::Setup::run("ironclad", 0) };
    let mut table: Match<Table> = Match::new(game, setup, seed).expect("a fight");
    let mut player = Player::<Table>::named(bot, 0, seed).expect("a bot");
    for _ in 0..600 {
        let inputs = table.position().inputs(table.game());
        if inputs.is_empty() {
            break;
        }
        let index = player.choose(table.game(), table.position(), &inputs, table.depth());
        table.act(inputs[index].clone()).expect("a legal input");
    }
    table.state().run.hp > 0
}

#[test]
fn the_greedy_player_wins_what_the_random_one_loses() {
    let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
    let first: Vec<u64> = (0..400).filter(|&seed| first_act(&spire, seed)).take(12).collect();
    let won = |bot: &str| first.iter().filter(|&&seed| play(bot, wild(&spire, seed), seed)).count();
    let (greedy, random) = (won("greedy"), won("random"));
    assert!(greedy >= 10, "greedy won {greedy} of {}", first.len());
    assert!(greedy > random + 2, "greedy won {greedy}, random {random}");
}

fn first_act(spire: &Spire, seed: u64) -> bool {
    use turnstone_spire::catalog::words::Rank;
    let info = &spire.content.encounters[seed as usize * 7 % spire.content.encounters.len()];
    info.act == 1 && matches!(info.rank, Rank::Weak | Rank::Strong)
}

#[test]
fn the_greedy_player_sees_a_winning_turn_and_what_comes() {
    let choose = |text: &str| {
        let table = open(&[("situation", text)]).expect("a situation");
        let inputs = table.position().inputs(table.game());
        let mut player = Player::<Table>::named("greedy", 0, 1).expect("a bot");
        let index = player.choose(table.game(), table.position(), &inputs, table.depth());
        match &inputs[index] {
            Input::Act(action) => table.game().tell_action(table.state(), action),
            Input::Choose(_) => panic!("nothing is asked"),
        }
    };
    // Two strikes kill; blocking would only put it off.
    let lethal =
        "hp 5/80; energy 2; hand: defend_ironclad*2, strike_ironclad*2; enemy: jaw_worm 12/44 intends chomp";
    assert_eq!(choose(lethal), "play Strike at Jaw Worm");
    // It cannot be killed, and would kill.
    let deadly = "hp 5/80; energy 1; hand: defend_ironclad+, strike_ironclad; enemy: jaw_worm 40/44 intends chomp; weak 1";
    assert_eq!(choose(deadly), "play Defend+");
}

/// Plays the first input whose label begins like that.
fn choose(table: &mut Match<Table>, label: &str) {
    let scene = scene(table);
    let at = scene.options.iter().position(|option| option.label.starts_with(label));
    let at = at.unwrap_or_else(|| panic!("{label} is not among {:?}", scene.options));
    let input = table.position().inputs(table.game()).swap_remove(at);
    table.act(input).expect("it is offered");
}

fn told(table: &Match<Table>) -> String {
    table.explain(table.here()).brief().to_string()
}

#[test]
fn what_one_can_choose_from_is_shown_with_its_text() {
    let cases = [
        ("hand: headbutt; discard: bash, clash", "headbutt", "[2] Bash: Deal 8 damage."),
        ("hand: secret_weapon; draw: bash, anger*2, inflame", "secret weapon", "[0] Anger: Deal 6 damage."),
        ("hand: discovery", "discovery", ": "),
        ("as: watcher; hand: third_eye; draw: eruption, vigilance, halt", "third eye", "[2] Eruption: "),
    ];
    for (cards, card, seen) in cases {
        let mut table =
            open(&[("situation", &format!("energy 3; {cards}; enemy: cultist 40/50"))]).expect(cards);
        let name = scene(&table).options.iter().map(|o| o.label.to_lowercase()).collect::<Vec<_>>().join(" ");
        assert!(name.contains(card), "{name}");
        let first = table.position().inputs(table.game()).swap_remove(0);
        table.act(first).expect("there is energy");
        let scene = scene(&table);
        assert_eq!(scene.panels[0].id, "choice", "{card}");
        assert!(scene.panels[0].items.iter().any(|item| item.text.contains(seen)), "{:?}", scene.panels[0]);
        assert!(scene.options.iter().all(|option| !option.picks.is_empty()), "{card}: {:?}", scene.options);
    }
}

#[test]
fn an_upgrade_in_a_fight_is_shown_before_it_is_made() {
    let situation = "energy 3; hand: armaments, bash, anger; enemy: cultist 40/50";
    let mut table = open(&[("situation", situation)]).expect("a moment");
    choose(&mut table, "play Armaments");
    let bash = scene(&table).options.into_iter().find(|option| option.label == "Bash").expect("Bash");
    assert!(
        bash.preview.contains("Deal 8 damage. Apply 2 Vulnerable. → Deal 10 damage."),
        "{}",
        bash.preview
    );
    choose(&mut table, "Bash");
    assert!(told(&table).contains("Bash becomes Bash+"), "{}", told(&table));
}

#[test]
fn a_fight_of_its_own_ends_as_a_fight() {
    let won = "energy 3; hp 31/80; hand: strike_ironclad; enemy: cultist 6/50";
    let mut table = open(&[("situation", won)]).expect("a moment");
    choose(&mut table, "play Strike");
    assert_eq!(scene(&table).title, "Ironclad · the fight is won · 31/80 HP");
    assert!(told(&table).contains("the fight is won"), "{}", told(&table));
    assert!(scene(&table).panels.iter().all(|panel| panel.id != "score"), "there are no points for it");
    let lost = "energy 3; hp 3/80; hand: strike_ironclad; enemy: cultist 50/50 intends dark_strike";
    let mut table = open(&[("situation", lost)]).expect("a moment");
    choose(&mut table, "end the turn");
    assert_eq!(scene(&table).title, "Ironclad · the fight is lost · 0/80 HP");
    assert!(told(&table).contains("the fight is lost"), "{}", told(&table));
}

#[test]
fn the_dead_are_told_from_the_living_without_colours() {
    let situation = "energy 3; hand: strike_ironclad; enemy: cultist 6/50; enemy: cultist 40/50";
    let mut table = open(&[("situation", situation)]).expect("a moment");
    choose(&mut table, "play Strike at Cultist 1");
    assert_eq!(shown(&scene(&table), "enemies", 0).0, "Cultist 1 · dead");
    assert!(shown(&scene(&table), "enemies", 1).0.starts_with("Cultist 2 40/50"));
}

#[test]
fn only_what_is_news_is_told() {
    let situation = "energy 3; hand: bash; potions: fire_potion; enemy: cultist 40/50";
    let mut table = open(&[("situation", situation)]).expect("a moment");
    choose(&mut table, "play Bash");
    let words =
        "play Bash at Cultist\n  #1 the Ironclad hits Cultist for 8\n  #2 Cultist gets 2 Vulnerable\n";
    assert_eq!(told(&table), words);
    choose(&mut table, "use Fire Potion");
    assert!(!told(&table).contains("uses"), "{}", told(&table));
}

#[test]
fn a_potion_is_not_thrown_away_by_one_pick() {
    let situation = "hand: bash; potions: fire_potion, block_potion; enemy: cultist 40/50";
    let table = open(&[("situation", situation)]).expect("a moment");
    let scene = scene(&table);
    let thrown = scene.options.iter().filter(|option| option.label.starts_with("throw away"));
    assert_eq!(thrown.map(|option| option.picks.len()).collect::<Vec<_>>(), [2, 2]);
    let used = scene.options.iter().filter(|option| option.label.starts_with("use"));
    assert_eq!(used.map(|option| option.picks.len()).collect::<Vec<_>>(), [1, 1], "there is only one enemy");
}

#[test]
fn whatever_is_to_be_pointed_at_is_there() {
    for (number, character) in ["ironclad", "silent", "defect", "watcher"].into_iter().enumerate() {
        let mut table = open(&[("character", character)]).expect("a run");
        for name in ["heuristic", "random"] {
            let mut bot = Player::<Table>::named(name, 0, number as u64).expect("a bot");
            for _ in 0..600 {
                let inputs = table.position().inputs(table.game());
                if inputs.is_empty() {
                    break;
                }
                check_picks(&scene(&table));
                let chosen = bot.choose(table.game(), table.position(), &inputs, table.depth());
                table.act(inputs[chosen].clone()).expect("it is offered");
            }
            check_picks(&scene(&table));
            table.jump(0).expect("the start");
        }
    }
}

fn check_picks(scene: &Scene) {
    for option in &scene.options {
        assert!(!option.label.is_empty(), "{}", scene.title);
        for pick in &option.picks {
            let there = match pick {
                Pick::Word(word) => !word.is_empty(),
                Pick::Item(id, line) => {
                    let panel = scene.panels.iter().find(|panel| panel.id == *id);
                    panel.is_some_and(|panel| usize::from(*line) < panel.items.len())
                }
                Pick::Cell(x, y) => {
                    let board = scene.board.as_ref().filter(|board| !board.aside);
                    let cell = board.filter(|board| *x < board.width && *y < board.height);
                    cell.is_some_and(|board| !board.cells[usize::from(y * board.width + x)].text.is_empty())
                }
            };
            assert!(there, "{}: {pick:?} of {}", scene.title, option.label);
        }
    }
}

#[test]
fn both_cards_of_a_try_are_told() {
    let map = "[map.pairs]\nname = \"Pairs\"\nneow = false\n[map.pairs.node.only]\nfloor = 1\ncolumn = 4\n\
        room = \"event\"\nevent = \"match_and_keep\"\nend = true\n";
    let files = vec![Source::new("pairs.toml", map)];
    let mut table = open_with(&[("map", "pairs.toml")], files).expect("a map of one room");
    choose(&mut table, "Column 4");
    choose(&mut table, "Play");
    for cell in ["row 1, column 1", "row 1, column 2"] {
        let seen = scene(&table);
        assert_eq!(seen.board.as_ref().map(|board| board.cells.len()), Some(12));
        assert!(seen.options.iter().all(|option| matches!(option.picks[..], [Pick::Cell(..)])), "{seen:?}");
        choose(&mut table, cell);
        let told = told(&table).to_lowercase();
        let line = told.lines().find_map(|line| line.split_once(&format!("{cell}: ")));
        assert!(line.is_some_and(|(_, card)| !card.is_empty() && card != "a card"), "{told}");
    }
}

//! Every number that was changed on its way says by whom, and the reasons add up to it.

use std::sync::Arc;
use turnstone::Game;
use turnstone::{Fact, Input, Log, Match, Note, Position};
use turnstone_host::scene::{Badge, Forecast, Thing};
use turnstone_host::{Hosted, Opening};
use turnstone_spire::action::{Action, Deed};
use turnstone_spire::event::Event;
use turnstone_spire::reason::Reason;
use turnstone_spire::rules::ways::Shown;
use turnstone_spire::run::event as run;
use turnstone_spire::run::tower::{Reward, Screen};
use turnstone_spire::run::{Chance, Odds};
use turnstone_spire::seeds::{CardOdds, Room};
use turnstone_spire::state::State;
use turnstone_spire::{Ruleset, Setup, Spire};

/// Where the number of an event began, if that is known, and where it ended.
fn ends(event: &Event) -> Option<(Option<i64>, i64)> {
    match *event {
        Event::Hit { base, lost, .. } => Some((Some(base.into()), lost.into())),
        Event::Blocked { amount, .. } | Event::Guarded { amount, .. } | Event::Healed { amount, .. } => {
            Some((None, amount.into()))
        }
        // What has no number costs all there is.
        Event::Played { cost: cost @ 0.., .. } => Some((None, cost.into())),
        Event::Applied { amount, .. } => Some((None, amount.into())),
        Event::Run(ref event) => Some((None, end_between_fights(event)?)),
        _ => None,
    }
}

fn end_between_fights(event: &run::Event) -> Option<i64> {
    match event {
        run::Event::Bought { price, .. } => Some((*price).into()),
        run::Event::Healed { amount } | run::Event::GoldLost { amount, .. } | run::Event::Hurt { amount } => {
            Some((*amount).into())
        }
        run::Event::Opened { screen, .. } => match &**screen {
            Screen::Rewards(list) => list.iter().find_map(|reward| match reward {
                Reward::Gold(gold) => Some(i64::from(*gold)),
                _ => None,
            }),
            _ => None,
        },
        _ => None,
    }
}

fn add_up(event: &Event, notes: &[&Note<Reason>]) {
    // A turn begins with two numbers; each chain leads to its own.
    if let Event::TurnStarted { energy, block } = *event {
        for chain in notes.chunk_by(|_, next| next.from.is_some()) {
            let end = if chain[0].who == Reason::Energy { energy } else { block };
            follow_chain(event, chain, end.into());
        }
        return;
    }
    let Some((base, end)) = ends(event) else {
        assert!(notes.is_empty(), "{event:?} has no number: {notes:?}");
        return;
    };
    let Some(first) = notes.first() else {
        assert!(base.is_none_or(|base| base == end), "{event:?} was changed by nobody");
        return;
    };
    // Between fights a number may be told from where its proposer left it.
    let told_whole = first.from.is_none() || matches!(event, Event::Run(_));
    assert!(told_whole && base.is_none_or(|base| base == first.to), "{event:?}: {notes:?}");
    follow_chain(event, notes, end);
}

/// Each says from what the one before left; the last leaves what the number is.
fn follow_chain(event: &Event, chain: &[&Note<Reason>], end: i64) {
    let mut number = chain[0].to;
    for note in &chain[1..] {
        assert_eq!(note.from, Some(number), "{event:?}: {chain:?}");
        number = note.to;
    }
    assert_eq!(number, end, "{event:?}: {chain:?}");
}

/// Plays a fight by the lots of a seed; gives how many numbers were changed, and by whom as a bit each.
fn play(spire: &Arc<Spire>, situation: &str, seed: u64) -> (usize, u8) {
    let setup = spire.situation(situation).unwrap_or_else(|problem| panic!("{situation}: {problem:?}"));
    play_from(spire, setup, seed, 300)
}

fn play_from(spire: &Arc<Spire>, setup: Setup, seed: u64, inputs: usize) -> (usize, u8) {
    let mut game: Match<Spire, Log<Spire>> = Match::new(Arc::clone(spire), setup, seed).expect("opens");
    let (mut changed, mut kinds) = (0, 0);
    let mut lot = seed;
    for _ in 0..inputs {
        let inputs = game.inputs();
        let Some(at) = (lot >> 33).checked_rem(inputs.len() as u64) else { break };
        lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let input: Input<_, _> = inputs[at as usize].clone();
        game.act(input).expect("listed");
    }
    for moment in game.line() {
        let (some, seen) = notes_add_up(&game, moment);
        (changed, kinds) = (changed + some, kinds | seen);
    }
    (changed, kinds)
}

/// Whether the notes of a moment add up; how many numbers were changed, and by whom as a bit each.
fn notes_add_up(game: &Match<Spire, Log<Spire>>, moment: turnstone::Moment) -> (usize, u8) {
    let (mut changed, mut kinds) = (0, 0);
    let notes: Vec<_> = game.notes(moment).collect();
    for (at, entry) in game.entries(moment).iter().enumerate() {
        let Fact::Event(event) = &entry.fact else { continue };
        let own: Vec<&Note<Reason>> =
            notes.iter().filter(|(of, _)| *of == at).map(|(_, note)| *note).collect();
        add_up(event, &own);
        changed += usize::from(!own.is_empty());
        for note in own {
            kinds |= match note.who {
                Reason::Base { .. } | Reason::Cost { .. } | Reason::Energy | Reason::Left => 1,
                Reason::Changed { .. } => 2,
                Reason::Earlier => 4,
                Reason::Behind => 8,
                Reason::Block => 16,
                Reason::Limit => 32,
                Reason::Ascension | Reason::Fight | Reason::Turn | Reason::Own => 64,
            };
        }
    }
    (changed, kinds)
}

/// Fights in which much is changed: by powers, relics, stances, block, and by what is left.
const FIGHTS: [&str; 7] = [
    "hp 60/80; strength 3, weak 2, dexterity 2, frail 1; hand: strike_ironclad, heavy_blade, defend_ironclad, bash, \
     twin_strike; draw: strike_ironclad*4, defend_ironclad*4, uppercut, cleave; relics: vajra, pen_nib=8; \
     enemy: jaw_worm 40/44; vulnerable 2",
    "hp 30/80; vulnerable 2; hand: reaper, feed, sword_boomerang, whirlwind; draw: strike_ironclad*6; \
     relics: paper_phrog, tungsten_rod, torii; enemy: cultist 20/50; enemy: cultist 30/50 block 9",
    "as: watcher; stance: wrath; hand: eruption, tantrum, halt, vigilance; draw: strike_watcher*5, crescendo; \
     enemy: cultist 50/50; strength 2",
    "as: silent; hand: blade_dance, poisoned_stab, backflip, wraith_form; draw: strike_silent*4, defend_silent*4; \
     relics: shuriken, kunai; enemy: cultist 50/50; poison 9",
    "as: defect; hand: zap, ball_lightning, glacier, defragment; draw: dualcast, electrodynamics, cold_snap*3; \
     orbs: lightning, frost, dark=12; enemy: cultist 50/50; enemy: jaw_worm 40/44",
    "hp 20/80; intangible 2, buffer 1; hand: bite, strike_ironclad, reaper; draw: strike_ironclad*6; \
     relics: magic_flower; enemy: cultist 50/50; strength 9; enemy: cultist 50/50",
    "hp 50/80; hand: perfected_strike, body_slam, entrench, impervious; draw: strike_ironclad*5, rampage; \
     relics: calipers, odd_mushroom; enemy: gremlin_nob 80/86; enemy: red_louse 12/12",
];

#[test]
fn the_reasons_of_every_number_add_up() {
    let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound"));
    let (mut changed, mut kinds) = (0, 0);
    for situation in FIGHTS {
        let all = (1..=12).map(|seed| play(&spire, situation, 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed)));
        let (some, seen) = all.fold((0, 0), |(n, seen), (more, also)| (n + more, seen | also));
        assert!(some > 10, "{situation}: hardly anything was changed");
        changed += some;
        kinds |= seen;
    }
    assert!(changed > 300, "{changed}");
    let met = 1 | 2 | 16 | 32;
    assert_eq!(kinds & met, met, "bases, changes, block and limits are met: {kinds:b}");
}

#[test]
fn a_reason_names_who_changed_the_number_and_in_which_order() {
    let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound"));
    let setup = spire
        .situation("strength 2, weak 1; hand: strike_ironclad; enemy: cultist 40/50 block 3; vulnerable 2")
        .expect("a situation");
    let mut game: Match<Spire> = Match::new(spire, setup, 1).expect("opens");
    let input = game.inputs().into_iter().next().expect("Strike");
    let moment = game.act(input).expect("listed");
    let told: Vec<String> = game.explain(moment).lines.into_iter().map(|line| line.text).collect();
    let told = told.join("\n");
    let at = |words: &str| told.find(words).unwrap_or_else(|| panic!("«{words}» is not in:\n{told}"));
    let order = [
        "Strike: 6\n",
        "Strength of the Ironclad: 6 → 8",
        "Weak of the Ironclad: 8 → 6",
        "Vulnerable of Cultist: 6 → 9",
        "block: 9 → 6",
    ]
    .map(at);
    assert!(order.is_sorted(), "{told}");
}

/// A run that is opened at its end of the world: beside a room, with relics that change what it pays and costs.
fn opened(wishes: &[(&str, &str)]) -> (Arc<Spire>, Setup) {
    let wishes = wishes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let opening = Opening { setup: Some("ironclad".to_owned()), wishes, ..Opening::default() };
    Spire::open_table(&opening).expect("it opens")
}

#[test]
fn the_reasons_of_prices_and_rewards_add_up() {
    let relics = "Membership Card, The Courier, Smiling Mask, Golden Idol, Regal Pillow";
    let mut changed = 0;
    for room in ["shop", "rest", "monster", "elite"] {
        let wishes = [("room", room), ("ascension", "16"), ("relics", relics), ("gold", "900"), ("hp", "40")];
        let (spire, setup) = opened(&wishes);
        for seed in 1..=8 {
            changed += play_from(&spire, setup.clone(), seed, 120).0;
        }
    }
    assert!(changed > 100, "{changed}");
}

/// Plays the first input whose words begin so, and gives what is told of it.
fn played(game: &mut Match<Spire>, words: &str) -> String {
    let inputs = game.inputs();
    let told = |input: &Input<_, _>| turnstone_host::tell_input(&**game.game(), game.position(), input);
    let chosen = inputs.iter().find(|input| told(input).is_some_and(|told| told.starts_with(words)));
    let chosen = chosen.unwrap_or_else(|| panic!("nothing begins with «{words}»")).clone();
    let moment = game.act(chosen).expect("listed");
    let lines: Vec<String> = game.explain(moment).lines.into_iter().map(|line| line.text).collect();
    lines.join("\n")
}

#[test]
fn a_price_names_everybody_who_changed_it() {
    let wishes = [("room", "shop"), ("ascension", "16"), ("relics", "Membership Card"), ("gold", "900")];
    let (spire, setup) = opened(&wishes);
    let mut game: Match<Spire> = Match::new(spire, setup, 5).expect("opens");
    for _ in 0..3 {
        if matches!(game.state().tower.screen(), Some(Screen::Shop(_))) {
            break;
        }
        let columns = game.game().journey().next_columns(game.state());
        let y = game.state().tower.place.map_or(0, |place| place.y + 1);
        let shop = columns.iter().position(|(x, _)| {
            game.state().tower.fate.map.node(turnstone_spire::seeds::Place { x: *x, y }).room
                == Some(Room::Shop)
        });
        let input = game.inputs()[shop.expect("a shop is next")].clone();
        game.act(input).expect("listed");
    }
    let told = played(&mut game, "Buy ");
    assert!(told.contains("ascension 16: ") && told.contains("Membership Card: "), "{told}");
    assert!(told.find("ascension 16") < told.find("Membership Card: "), "{told}");
}

/// More poison than the card says, more energy than every turn gives, block that stays: nobody said why.
#[test]
fn a_power_and_the_beginning_of_a_turn_name_who_changed_their_numbers() {
    let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound"));
    let setup = spire
        .situation(
            "as: silent; energy 3; block 30; relics: snecko_skull, calipers, ice_cream; \
             hand: deadly_poison; draw: strike_silent*9; enemy: cultist 50/50 intends incantation",
        )
        .expect("a situation");
    let mut game: Match<Spire> = Match::new(spire, setup, 1).expect("opens");
    let poison = played(&mut game, "play Deadly Poison");
    assert!(poison.contains("Snecko Skull: 5 → 6"), "{poison}");
    let turn = played(&mut game, "end the turn");
    assert!(turn.contains("energy of every turn: 3\nIce Cream: 3 → 5"), "{turn}");
    assert!(turn.contains("block of the turn before: 0\nCalipers: 0 → 15"), "{turn}");
}

/// What a card cost is told with the play: who changed it, from what is printed on it on.
#[test]
fn a_play_says_why_it_cost_what_it_cost() {
    let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound"));
    let told = |situation: &str| {
        let setup = spire.situation(situation).expect("a situation");
        let mut game: Match<Spire> = Match::new(Arc::clone(&spire), setup, 1).expect("opens");
        let moment = game.act(game.inputs()[0].clone()).expect("listed");
        let lines: Vec<String> = game.explain(moment).lines.into_iter().map(|line| line.text).collect();
        lines.join("\n")
    };
    let corrupted = told("corruption 1; energy 3; hand: defend_ironclad; enemy: cultist");
    assert!(corrupted.contains("cost of Defend: 1\nCorruption of the Ironclad: 1 → 0"), "{corrupted}");
    let usual = told("energy 3; hand: defend_ironclad; enemy: cultist");
    assert!(!usual.contains("Defend: 1"), "what is printed on it needs no reason: {usual}");
    let cheaper = told("energy 4; hand: blood_for_blood; times_hurt 2; enemy: cultist");
    assert!(cheaper.contains("cost of Blood for Blood: 4\nby its own rule: 4 → 2"), "{cheaper}");
}

#[test]
fn a_card_says_who_changed_its_cost_and_an_intent_who_changed_its_blow() {
    let spire = Spire::builtin(Ruleset::Classic).expect("sound");
    let setup = spire
        .situation(
            "corruption 1, vulnerable 2; hand: defend_ironclad, strike_ironclad, blood_for_blood; \
             enemy: jaw_worm 40/44 intends chomp; strength 3",
        )
        .expect("a situation");
    let spire = Arc::new(spire);
    let game: Match<Spire> = Match::new(Arc::clone(&spire), setup, 1).expect("opens");
    let scene = spire.scene(game.position(), &[], turnstone::Viewer::All);
    let things =
        || scene.panels.iter().flat_map(|panel| &panel.items).filter_map(|item| item.thing.as_deref());
    let why = |title: &str| {
        let found = things().find_map(|thing| match thing {
            Thing::Card(card) if card.title == title => Some(card.why.join("\n")),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("{title} is not shown"))
    };
    assert!(why("Defend").contains("cost · Corruption of the Ironclad: 1 → 0"), "{}", why("Defend"));
    assert!(!why("Strike").contains("cost ·"), "{}", why("Strike"));
    let intent = things().find_map(|thing| match thing {
        Thing::Figure(figure) => figure.intent.clone(),
        _ => None,
    });
    let intent = intent.expect("it means to do something");
    let told = intent.why.join("\n");
    assert!(told.contains("Strength of Jaw Worm: 11 → 14"), "{told}");
    assert!(told.contains("Vulnerable of the Ironclad: 14 → 21"), "{told}");
    assert_eq!(intent.count, "21");
}

/// The numbers that lines such as `Strike: 6` and `Weak of Cultist: 6 → 4` end with, one for each that is told.
fn ends_of(lines: &[String]) -> Vec<i64> {
    let mut ends: Vec<i64> = Vec::new();
    for line in lines {
        let told = line.rsplit(": ").next().expect("who, and what he made of it");
        let number = |text: &str| text.parse::<i64>().unwrap_or_else(|_| panic!("no number: {line}"));
        match told.split_once(" → ") {
            Some((from, to)) => {
                let before = ends.last_mut().unwrap_or_else(|| panic!("nobody made it: {lines:?}"));
                assert_eq!(*before, number(from), "{lines:?}");
                *before = number(to);
            }
            None => ends.push(number(told)),
        }
    }
    ends
}

/// Asks every number of a scene that may be another than the printed one: costs, prices, intents, what cards, orbs and
/// potions do, what rewards and rests give. Gives how many of them somebody had changed.
fn ask_scene(spire: &Spire, position: &Position<Spire>, inputs: &[turnstone::InputOf<Spire>]) -> usize {
    let scene = spire.scene(position, inputs, turnstone::Viewer::Seat(0));
    let items = scene.panels.iter().flat_map(|panel| &panel.items);
    let things = items.filter_map(|item| item.thing.as_deref());
    let asked: usize = things.map(|thing| ask_thing(spire, position, thing)).sum();
    for (input, option) in inputs.iter().zip(&scene.options) {
        ask_forecast(spire, position.state(), input, &option.forecast);
        ask_preview(&option.label, &option.preview);
    }
    asked + ask_chances(spire, position.state())
}

/// Every chance of the way is told from what it is at first to what it is. Gives how many somebody has changed.
fn ask_chances(spire: &Spire, s: &State) -> usize {
    if s.is_single_fight() || s.is_fighting() {
        return 0;
    }
    let rooms = [Room::Monster, Room::Shop, Room::Treasure, Room::Event].map(Chance::Unknown);
    let rare = [CardOdds::Normal, CardOdds::Elite, CardOdds::Boss].map(Chance::Rare);
    let way = spire.journey();
    let percent = |chance| way.odds(s, chance).percent;
    assert_eq!(rooms.iter().map(|room| percent(*room)).sum::<i32>(), 100, "a room is something");
    let mut all: Vec<Odds> = rooms
        .into_iter()
        .chain(rare)
        .chain([Chance::Potion, Chance::Upgraded])
        .map(|chance| way.odds(s, chance))
        .collect();
    if let Some(Screen::Event(_)) = s.tower.screen() {
        let options = (0..12).filter_map(|at| way.option(s, at));
        all.extend(options.flat_map(|option| way.event_odds(s, option.program)));
    }
    for odds in &all {
        assert!((0..=100).contains(&odds.percent), "{odds:?}");
        assert!(ends_of(&odds.why).iter().all(|end| *end == i64::from(odds.percent)), "{odds:?}");
    }
    all.iter().filter(|odds| !odds.why.is_empty()).count()
}

/// What is told about the chances of an option ends with a number that is shown.
fn ask_preview(label: &str, preview: &str) {
    let told = preview.lines().filter_map(|line| line.strip_prefix("chance · ")).map(str::to_owned);
    for end in ends_of(&told.collect::<Vec<_>>()) {
        assert!(label.contains(&format!("{end} %")), "{label}: {preview}");
    }
    for what in ["a fight", "a shop", "a chest", "an event"] {
        let why: Vec<String> = preview
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("{what} · ")))
            .map(str::to_owned)
            .collect();
        let shown = preview.lines().find_map(|line| line.strip_prefix(&format!("{what}: ")));
        let shown = shown.map(|shown| shown.trim_end_matches(" %"));
        assert!(ends_of(&why).iter().all(|end| shown == Some(end.to_string().as_str())), "{preview}");
    }
}

/// The chances that are told are those that are rolled against.
#[test]
fn chances_say_who_made_them_what_they_are() {
    let wishes = [
        ("room", "event"),
        ("ascension", "15"),
        ("relics", "Juzu Bracelet, White Beast Statue, N'loth's Gift"),
    ];
    let (spire, setup) = opened(&wishes);
    let mut s = spire.start(&setup, 3).expect("opens");
    let way = spire.journey();
    let told = |s: &State, chance| way.odds(s, chance).why.join(", ");
    assert_eq!(told(&s, Chance::Unknown(Room::Monster)), "at first: 10, Juzu Bracelet: 10 → 0");
    assert_eq!(told(&s, Chance::Unknown(Room::Shop)), "");
    assert_eq!(told(&s, Chance::Potion), "at first: 40, White Beast Statue: 40 → 100");
    assert_eq!(
        told(&s, Chance::Rare(CardOdds::Elite)),
        "at first: 10, N'loth's Gift: 10 → 30, cards that were offered so far: 30 → 25"
    );
    let tower = s.tower.edit();
    tower.fate.drift.unknown.shop = 2;
    (tower.fate.act, tower.fate.drift.potion_chance) = (2, 20);
    assert_eq!(told(&s, Chance::Unknown(Room::Shop)), "at first: 3, unknown rooms so far: 3 → 9");
    assert_eq!(told(&s, Chance::Upgraded), "at first: 25, ascension 15: 25 → 12");
    assert_eq!(told(&s, Chance::Potion).split(", ").nth(1), Some("fights with one and without: 40 → 60"));
    s.tower.edit().room = Some(Room::Shop);
    let shop = told(&s, Chance::Unknown(Room::Shop));
    assert!(shop.ends_with("no shop after a shop: 9 → 0"), "{shop}");
    // Of many rolls so many are shops as the chance says.
    s.tower.edit().room = None;
    s.tower.edit().fate.drift.unknown = Default::default();
    let roll = |seed| {
        let mut fate = s.tower.fate.clone();
        fate.streams = turnstone_spire::seeds::Streams::new(seed);
        fate.resolve_unknown(false, turnstone_spire::seeds::UnknownRelics::default())
    };
    let rooms: Vec<Room> = (0..10_000).map(roll).collect();
    let share = |room| rooms.iter().filter(|rolled| **rolled == room).count() as i32;
    let plain = opened(&[("room", "event")]);
    let start = plain.0.start(&plain.1, 3).expect("opens");
    for room in [Room::Monster, Room::Shop, Room::Treasure, Room::Event] {
        let percent = plain.0.journey().odds(&start, Chance::Unknown(room)).percent;
        assert!((share(room) - 100 * percent).abs() < 120, "{room:?}: {} of {percent} %", share(room));
    }
}

/// Whether what is shown comes from what is printed by what is told; gives whether anybody changed it.
fn shown_adds_up(shown: &Shown, why: &[String], about: &str) -> usize {
    let notes = shown.notes.list();
    let Some((first, rest)) = notes.split_first() else { return 0 };
    let mut number = first.to;
    assert_eq!(first.from, None, "{about}: {shown:?}");
    for note in rest {
        assert_eq!(note.from, Some(number), "{about}: {shown:?}");
        number = note.to;
    }
    assert_eq!(number, i64::from(shown.number), "{about}: {shown:?}");
    let told = why.iter().filter(|line| line.contains(&format!("{} · ", shown.what)));
    assert!(told.count() >= notes.len(), "{about}: {shown:?} is not told in {why:?}");
    1
}

/// Every number on a card of the fight, against everybody, is the printed one or says why not.
fn ask_face(spire: &Spire, s: &State, slot: u16, why: &[String]) -> usize {
    let card = &s.combat.cards[usize::from(slot)];
    let printed = spire.kind_text(card.id, card.up);
    let mut changed = 0;
    for target in std::iter::once(None).chain(s.combat.enemies().map(Some)) {
        let (text, ways) = (spire.card_text(s, slot, target), spire.face_ways(s, slot, target));
        for shown in &ways {
            // What a card says may be the sum of two (Halt).
            let sums = ways.iter().map(|other| shown.number + other.number).chain([shown.number]);
            let words: Vec<&str> = text.split(|letter: char| !letter.is_ascii_digit()).collect();
            assert!(
                sums.into_iter().any(|sum| words.contains(&sum.to_string().as_str())),
                "{text}: {ways:?}"
            );
        }
        // A number that is kept on the card is told instead of an X.
        let all_told =
            card.kept != 0 || printed == text || ways.iter().any(|shown| !shown.notes.list().is_empty());
        assert!(all_told, "{printed} becomes {text}, and nobody says why");
        changed += ways.iter().map(|shown| shown_adds_up(shown, why, &text)).sum::<usize>();
    }
    changed
}

/// What is foretold of a play or a potion says how its numbers come about.
fn ask_forecast(spire: &Spire, s: &State, input: &turnstone::InputOf<Spire>, forecast: &[Forecast]) {
    let Input::Act(Deed::Fight(Action::Play { card, .. })) = input else { return };
    for told in forecast {
        let who = told.on.strip_prefix("body").and_then(|who| who.parse::<u8>().ok());
        for shown in spire.face_ways(s, *card, who) {
            shown_adds_up(&shown, &told.why, &told.text);
        }
    }
}

fn ask_orbs(spire: &Spire, s: &State, why: &[String]) -> usize {
    let mut changed = 0;
    for (index, orb) in s.combat.orbs.iter().enumerate() {
        for evoke in [false, true] {
            let shown = spire.orb_way(s, index as u8, evoke).expect("it is there");
            assert_eq!(shown.number, spire.orb_number(s, *orb, evoke, index as u8));
            changed += shown_adds_up(&shown, why, "an orb");
        }
    }
    changed
}

fn ask_badge(spire: &Spire, s: &State, badge: &Badge) -> usize {
    match badge.icon.as_str() {
        "orb" => ask_orbs(spire, s, &badge.why),
        "potion" if badge.count.is_empty() => {
            let potion =
                spire.catalog.potions.iter().position(|info| info.name == badge.name).expect("a potion");
            match s.combat.bodies.is_empty() {
                true => 0,
                false => shown_adds_up(&spire.potency_way(s, potion as u16), &badge.why, &badge.name),
            }
        }
        "gold" => {
            let shown = badge.name.split(' ').next().unwrap_or_default();
            match badge.why.first().is_some_and(|line| line.starts_with("changed by ")) {
                true => 1,
                false => ask_price(shown, &badge.why),
            }
        }
        _ => ask_price(&badge.count, &badge.why),
    }
}

fn ask_thing(spire: &Spire, position: &Position<Spire>, thing: &Thing) -> usize {
    match thing {
        Thing::Card(card) if !card.price.is_empty() => ask_price(&card.price, &card.why),
        Thing::Badge(badge) => ask_badge(spire, position.state(), badge),
        Thing::Card(card) => {
            let told = card.why.iter().filter_map(|line| line.strip_prefix("cost · ")).map(str::to_owned);
            let ends = ends_of(&told.collect::<Vec<_>>());
            let Ok(cost) = card.cost.parse::<i64>() else { return 0 };
            let slot = card.id.strip_prefix("card").and_then(|slot| slot.parse::<usize>().ok());
            let Some(held) = slot.and_then(|slot| position.state().combat.cards.get(slot)) else { return 0 };
            let info = &spire.catalog.cards[usize::from(held.id)];
            let printed = i64::from(info.forms[usize::from(held.up > 0)].cost);
            let first = if printed < 0 { cost } else { printed };
            assert_eq!(ends.last().copied().unwrap_or(first), cost, "{}: {:?}", card.title, card.why);
            ends.len() + slot.map_or(0, |slot| ask_face(spire, position.state(), slot as u16, &card.why))
        }
        Thing::Figure(figure) => {
            let Some(intent) = &figure.intent else { return 0 };
            let mut shown =
                intent.count.split('+').map(|hit| hit.split('×').next().unwrap_or_default().to_owned());
            let ends = ends_of(&intent.why);
            let all = ends.iter().all(|end| shown.any(|hit| hit == end.to_string()));
            assert!(all, "{}: {} by {:?}", figure.name, intent.count, intent.why);
            ends.len()
        }
        _ => 0,
    }
}

fn ask_price(price: &str, why: &[String]) -> usize {
    let ends = ends_of(why);
    assert!(ends.iter().all(|end| end.to_string() == price), "{price}: {why:?}");
    ends.len()
}

/// Before anything happens: fights in which much is changed, asked at every step.
#[test]
fn every_number_on_a_face_says_why_it_is_not_the_printed_one() {
    let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound"));
    let mut told = 0;
    for situation in FIGHTS.iter().chain(&MORE) {
        let here = told;
        for seed in 1..=4u64 {
            let setup =
                spire.situation(situation).unwrap_or_else(|problem| panic!("{situation}: {problem:?}"));
            let mut game: Match<Spire, Log<Spire>> =
                Match::new(Arc::clone(&spire), setup, seed).expect("opens");
            for step in 0..40 {
                let inputs = game.inputs();
                if inputs.is_empty() {
                    break;
                }
                told += ask_scene(&spire, game.position(), &inputs);
                let at = (seed as usize * 7 + step * 5) % inputs.len();
                game.act(inputs[at].clone()).expect("listed");
            }
        }
        assert!(told > here, "{situation}");
    }
    println!("{told} numbers that somebody had changed");
    assert!(told > 500, "{told}");
}

/// Orbs with Focus, potions with Sacred Bark, cards that grow, and the other engine's rounding of damage.
const MORE: [&str; 3] = [
    "as: defect; focus 3; orbs: lightning, frost, dark=12; hand: claw, claw, dualcast; draw: zap*5; enemy: cultist 50/50",
    "relics: sacred_bark; potions: fire_potion, block_potion, strength_potion; hand: rampage, rampage; \
     draw: strike_ironclad*5; enemy: cultist 90/90",
    "as: watcher; stance: wrath; vigor 8; hand: strike_watcher, windmill_strike; draw: strike_watcher*5; \
     enemy: cultist 90/90; vulnerable 3",
];

#[test]
fn rests_and_rewards_say_why_before_they_are_taken() {
    let wishes = [("room", "rest"), ("relics", "Regal Pillow, Golden Idol"), ("hp", "10")];
    let (spire, setup) = opened(&wishes);
    let s = spire.start(&setup, 3).expect("opens");
    let lines = spire.journey().rest_reasons(&s);
    assert_eq!(lines, ["three tenths of 80 max HP: 24", "Regal Pillow: 24 → 39"]);
    assert_eq!(spire.journey().reward_reasons(&s, 15), ["at first: 12", "Golden Idol: 12 → 15"]);
    assert_eq!(spire.journey().reward_reasons(&s, 14).first().map(String::as_str), Some("at first: 11"));
}

/// Every cost, price and intent that a run shows can be asked before, and everything that was played afterwards; what
/// is told adds up. `TURNSTONE_RUNS=1000` walks through so many runs.
#[test]
fn every_number_on_the_screens_of_runs_adds_up() {
    let runs =
        std::env::var("TURNSTONE_RUNS").map_or(4, |text| text.parse::<u64>().expect("a number of runs"));
    let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound"));
    let (mut asked, mut told) = (0, 0);
    for seed in 0..runs {
        let character = crate::players::CHARACTERS[seed as usize % 4];
        let setup = Setup::run(character, [0, 16, 20][seed as usize % 3]);
        let mut game: Match<Spire, Log<Spire>> = Match::new(Arc::clone(&spire), setup, seed).expect("opens");
        let mut bot = crate::players::heuristic();
        for _ in 0..1_500 {
            let inputs = game.inputs();
            if inputs.is_empty() {
                break;
            }
            asked += 1;
            told += ask_scene(&spire, game.position(), &inputs);
            let chosen = bot.choose(&spire, game.position(), &inputs, game.depth());
            let moment = game.act(inputs[chosen].clone()).expect("offered");
            notes_add_up(&game, moment);
        }
    }
    println!("{asked} scenes, {told} numbers that somebody had changed");
    assert!(asked > 200 && told > 50, "{asked} scenes, {told} numbers");
}

//! Relics that act outside of fights, one expectation each.

use std::sync::Arc;

use turnstone::{Game, Input, Off, Position, Resolver, Told};
use turnstone_spire::State;
use turnstone_spire::catalog::Sources;
use turnstone_spire::catalog::words::Moment;
use turnstone_spire::run::Setup;
use turnstone_spire::run::action::{Action, Verb, Ware};
use turnstone_spire::run::effect::{Pick, Purpose, StepAt};
use turnstone_spire::run::tower::{End, EventScreen, Key, Progress, Reward, Screen, Shop};
use turnstone_spire::seeds::{Chest, ChestSize, EventNo, PotionNo, RelicNo, Room, Tier};
use turnstone_spire::state::{DeckCard, NONE, OwnedRelic};
use turnstone_spire::{Deed, Reply};
use turnstone_spire::{Ruleset, Spire};

/// A run with nothing on screen, as the Ironclad, where a test puts what it needs.
struct Bench {
    game: Arc<Spire>,
    state: State,
}

impl Bench {
    fn new() -> Self {
        Self::at("ironclad", 0)
    }

    fn at(character: &str, ascension: u8) -> Self {
        let sources = Sources::builtin("classic");
        let game = Arc::new(Spire::new(Ruleset::Classic, &sources).expect("content"));
        let mut state = game.start(&Setup::run(character, ascension), 7).expect("start");
        state.tower.edit().screens.clear();
        Bench { game, state }
    }

    fn relic_no(&self, id: &str) -> RelicNo {
        self.game.rulebook.tables.relics.find(id).expect(id)
    }

    fn relic(mut self, id: &str) -> Self {
        let relic = self.relic_no(id);
        let counter = self.game.journey().first_counter(relic);
        self.state.run.relics.push(OwnedRelic { id: relic.0, counter });
        self
    }

    fn card(mut self, id: &str) -> Self {
        let card: turnstone_spire::seeds::CardNo = self.game.rulebook.tables.cards.find(id).expect(id);
        self.state.run.deck.push(DeckCard { id: card.0, up: 0, bottled: false, grown: 0 });
        self
    }

    fn screen(mut self, screen: Screen) -> Self {
        self.state.tower.edit().screens.push(screen);
        self
    }

    /// Takes a relic from a reward screen.
    fn obtaining(self, id: &str) -> Position<Spire> {
        let relic = self.relic_no(id);
        self.screen(Screen::Rewards(vec![Reward::Relic(relic)])).acting(Action::Take(0))
    }

    fn acting(self, action: Action) -> Position<Spire> {
        let mut position = Position::new(self.state);
        act(&self.game, &mut position, action);
        position
    }
}

fn act(game: &Spire, position: &mut Position<Spire>, action: Action) {
    let input = Input::Act(Deed::Run(action));
    Resolver::default().act(game, position, &input, &mut Off).expect("allowed");
}

fn holds(game: &Spire, state: &State, card: &str) -> usize {
    let card: turnstone_spire::seeds::CardNo = game.rulebook.tables.cards.find(card).expect(card);
    state.run.deck.iter().filter(|c| c.id == card.0).count()
}

fn counter(state: &State, relic: RelicNo) -> Option<i16> {
    state.run.relics.iter().find(|r| r.id == relic.0).map(|r| r.counter)
}

fn chest() -> Screen {
    Screen::Chest(Chest { size: ChestSize::Small, has_gold: false, tier: Tier::Common })
}

#[test]
fn mark_of_the_bloom_lets_max_hp_rise_without_healing() {
    let bench = Bench::new().relic("mark_of_the_bloom");
    let run = bench.obtaining("mango").state().run.clone();
    assert_eq!((run.hp, run.max_hp), (80, 94));
}

#[test]
fn omamori_eats_the_curse_of_the_cursed_key() {
    let bench = Bench::new().relic("omamori").relic("cursed_key").screen(chest());
    let (omamori, cards) = (bench.relic_no("omamori"), bench.state.run.deck.len());
    let position = bench.acting(Action::OpenChest);
    assert_eq!(counter(position.state(), omamori), Some(1));
    assert_eq!(position.state().run.deck.len(), cards);
}

#[test]
fn the_cursed_key_curses_and_the_fish_pays() {
    let bench = Bench::new().relic("ceramic_fish").relic("cursed_key").screen(chest());
    let (gold, cards) = (bench.state.run.gold, bench.state.run.deck.len());
    let position = bench.acting(Action::OpenChest);
    assert_eq!(position.state().run.deck.len(), cards + 1);
    assert_eq!(position.state().run.gold, gold + 9);
}

#[test]
fn omamori_eats_a_copied_and_a_transformed_curse() {
    for (relic, left) in [("dollys_mirror", 1), ("astrolabe", 0)] {
        let mut bench = Bench::new().relic("omamori");
        bench.state.run.deck.clear();
        let position = bench.card("regret").obtaining(relic);
        assert_eq!(position.state().run.deck.len(), left, "{relic}");
    }
}

#[test]
fn the_necronomicon_takes_its_curse_along() {
    let bench = Bench::new().relic("necronomicon").card("necronomicurse");
    let event: EventNo = bench.game.rulebook.tables.events.find("nloth").expect("nloth");
    let relics = [bench.relic_no("necronomicon"), bench.relic_no("burning_blood")].into_iter().collect();
    let screen =
        EventScreen { event, node: 0, detail: None, max_hp: 80, counts: [0; 3], relics, open: 0, tries: 5 };
    let game = Bench::new().game;
    let position = bench.screen(Screen::Event(screen)).acting(Action::Option(0));
    assert_eq!(holds(&game, position.state(), "necronomicurse"), 0);
}

#[test]
fn the_second_relic_of_the_black_star_is_none_for_the_campfire() {
    let bench = Bench::new();
    let mut fate = bench.state.tower.fate.clone();
    let tables = &bench.game.rulebook.tables;
    bench.game.rulebook.with_holder(&bench.state, |holder| {
        for _ in 0..200 {
            let relic = fate.second_elite_relic(tables, holder);
            assert!(!tables.campfire_relics().contains(&relic));
        }
    });
}

#[test]
fn a_bottled_card_stays_in_the_deck_and_a_strike_may_be_bottled() {
    let bench = Bench::new();
    let rulebook = bench.game.journey();
    let flame: RelicNo = bench.game.rulebook.tables.relics.find("bottled_flame").expect("a relic");
    let program = rulebook.deeds(&bench.state, flame, Moment::Obtained, 0, None)[0];
    let attacks = Pick { purpose: Purpose::Bottle, of: Some(StepAt { program, pc: 0 }) };
    assert_eq!(rulebook.candidates(&bench.state, attacks).len(), 6);
    let mut state = bench.state;
    let all = rulebook.candidates(&state, Purpose::Remove).len();
    state.run.deck[0].bottled = true;
    assert_eq!(rulebook.candidates(&state, Purpose::Remove).len(), all - 1);
}

#[test]
fn what_was_transformed_is_not_up_for_choice_again() {
    let bench = Bench::new();
    let deck = bench.state.run.deck.len() as u16;
    let among = |old| Purpose::Transform { upgraded: true, neow: false, old };
    let all = bench.game.journey().candidates(&bench.state, among(deck)).len();
    assert_eq!(bench.game.journey().candidates(&bench.state, among(deck - 2)).len(), all - 2);
}

#[test]
fn a_curse_that_omamori_keeps_away_takes_no_card_from_the_next_choice() {
    let mut bench = Bench::new().relic("omamori");
    bench.state.run.deck.clear();
    let bench = bench.card("regret").card("regret").card("bash").card("bash");
    let game = bench.game.clone();
    let mut position = bench.obtaining("astrolabe");
    let choose = |position: &mut Position<Spire>, card: u16| {
        let input = Input::Choose(Reply::Run(card));
        Resolver::default().act(&*game, position, &input, &mut Off).expect("offered");
    };
    for left in [3, 2] {
        choose(&mut position, 0);
        let question = position.pending().expect("another card to transform").question;
        let mut answers = Vec::new();
        game.answers(position.state(), &question, &mut answers);
        assert_eq!(answers.len(), left, "all old cards may be chosen");
    }
    choose(&mut position, 0);
    assert_eq!(position.state().run.deck.len(), 2, "two curses went, one card became another");
}

#[test]
fn dreams_know_nothing_of_nloths_gift() {
    let dream = |gift: bool, offset: i8| {
        let bench = Bench::new().relic("dream_catcher");
        let mut bench = if gift { bench.relic("nloths_gift") } else { bench };
        bench.state.tower.edit().room = Some(Room::Rest);
        bench.state.tower.edit().fate.drift.rarity_offset = offset;
        let position = bench.screen(Screen::Rest).acting(Action::Rest);
        position.state().tower.screens.clone()
    };
    // The gift would make six more rolls rare; these offsets bring most rolls among them.
    for offset in (-40..5).step_by(6) {
        assert_eq!(dream(true, offset), dream(false, offset));
    }
}

#[test]
fn sacred_bark_doubles_the_strength_of_a_potion_before_rounding() {
    let mut bench = Bench::new().relic("sacred_bark");
    let potion: PotionNo = bench.game.rulebook.tables.potions.find("blood_potion").expect("blood potion");
    let run = &mut bench.state.run;
    (run.hp, run.max_hp, run.potions[0]) = (1, 74, potion.0);
    assert_eq!(bench.acting(Action::Drink(0)).state().run.hp, 1 + 29);
}

#[test]
fn a_second_circlet_counts_up_the_first() {
    let bench = Bench::new().relic("circlet");
    let circlet = bench.relic_no("circlet");
    let position = bench.obtaining("circlet");
    assert_eq!(counter(position.state(), circlet), Some(2));
    let circlets = position.state().run.relics.iter().filter(|r| r.id == circlet.0).count();
    assert_eq!(circlets, 1);
}

#[test]
fn the_hungry_face_takes_the_relic_and_the_key_beside_it() {
    let bench = Bench::new().relic("nloths_hungry_face").screen(chest());
    let position = bench.acting(Action::OpenChest);
    let screens = &position.state().tower.screens;
    let key = Reward::Key(Key::Sapphire);
    assert!(!screens.iter().any(|s| matches!(s, Screen::Rewards(list) if list.contains(&key))));
}

#[test]
fn ascension_six_rounds_the_start_to_the_nearest_point() {
    let hp = |character, ascension| Bench::at(character, ascension).state.run.hp;
    assert_eq!(hp("ironclad", 6), 72);
    assert_eq!(hp("ironclad", 14), 68);
    assert_eq!(hp("defect", 14), 64);
}

#[test]
fn the_courier_fills_the_slot_again_at_full_price() {
    let mut bench = Bench::new().relic("the_courier");
    bench.state.run.gold = 999;
    let mut fate = bench.state.tower.fate.clone();
    let stock = {
        let rulebook = &bench.game.rulebook;
        rulebook.with_holder(&bench.state, |holder| fate.make_shop(&rulebook.tables, holder))
    };
    let sale = stock.sale_slot;
    let shop = Shop { stock, cards_sold: 0, relics_sold: 0, potions_sold: 0, removed: false };
    let position = bench.screen(Screen::Shop(Box::new(shop))).acting(Action::BuyCard(sale));
    let Some(Screen::Shop(shop)) = position.state().tower.screen() else { panic!("no shop") };
    assert_eq!(shop.cards_sold, 0);
    assert_ne!(shop.stock.sale_slot, sale);
}

#[test]
fn the_prismatic_shard_offers_cards_of_other_colors() {
    let bench = Bench::new().relic("dream_catcher").relic("prismatic_shard").screen(Screen::Rest);
    let own = bench.game.rulebook.tables.of(bench.state.tower.fate.character).by_rarity.clone();
    let position = bench.acting(Action::Rest);
    let Some(Screen::Rewards(list)) = position.state().tower.screen() else { panic!("no dream") };
    let Reward::Cards(offer) = &list[0] else { panic!("no cards") };
    assert!(offer.iter().any(|o| own.iter().all(|cards| !cards.contains(&o.card))));
}

#[test]
fn from_ascension_five_an_act_heals_three_quarters_rounded() {
    let mut bench = Bench::at("ironclad", 5);
    bench.state.run.hp = 74;
    bench.state.tower.edit().progress = Progress::Chest;
    let position = bench.screen(Screen::Rest).acting(Action::Proceed);
    assert_eq!((position.state().run.act, position.state().run.hp), (2, 79));
}

/// A bench whose content is changed by a file.
fn changed(text: &str) -> Bench {
    let sources = Sources::builtin("classic").with_text("mine.toml", text);
    let game = Arc::new(Spire::new(Ruleset::Classic, &sources).expect("content"));
    let mut state = game.start(&Setup::run("ironclad", 0), 7).expect("start");
    state.tower.edit().screens.clear();
    Bench { game, state }
}

#[test]
fn a_number_of_a_relic_is_changed_in_one_place() {
    let bench = changed("[relic.ceramic_fish]\non.card_obtained = [{ gold = 40 }]\n");
    let fish = bench.relic_no("ceramic_fish");
    assert!(bench.game.relic_text(fish.0).contains("40 gold"));
    let gold = bench.state.run.gold;
    let bench = bench.relic("ceramic_fish").relic("cursed_key").screen(chest());
    assert_eq!(bench.acting(Action::OpenChest).state().run.gold, gold + 40);
}

#[test]
fn who_has_no_body_on_the_way_has_hp_all_the_same() {
    let text =
        "[relic.toll]\ntier = \"common\"\nalter.rest_heal = { set = \"max_hp(self) - hp(self) + 1\" }\n";
    let mut bench = changed(text).relic("toll");
    bench.state.run.hp = bench.state.run.max_hp - 17;
    assert_eq!(bench.game.journey().rest_amount(&bench.state), 18);
}

#[test]
fn a_new_relic_acts_on_the_way() {
    let text = "[relic.toll]\ntier = \"common\"\ncounter = { start = 2 }\n\
                on.shop_entered = { when = \"counter > 0\", do = [{ gold = \"5 * counter\" }, { counter = \"counter - 1\" }] }\n\
                alter.rest_heal = { add = \"count(deck)\" }\nprevent.smith = true\n";
    let bench = changed(text).relic("toll");
    let toll = bench.relic_no("toll");
    let run = &bench.state.run;
    assert_eq!(bench.game.journey().rest_amount(&bench.state), 24 + run.deck.len() as i32);
    let gold = run.gold;
    let bench = bench.screen(Screen::Rest);
    let refused = bench.game.check(&bench.state, &Deed::Run(Action::Smith));
    assert!(refused.is_err(), "smithing is prevented");
    let mut bench = bench;
    let tower = bench.state.tower.edit();
    tower.screens.clear();
    let map = &mut tower.fate.map;
    map.rows[0][0] = turnstone_spire::seeds::Node { edges: 1, room: Some(Room::Shop) };
    let position = bench.acting(Action::Go(0));
    assert_eq!(position.state().run.gold, gold + 10);
    assert_eq!(counter(position.state(), toll), Some(1));
}

#[test]
fn what_only_fights_know_is_refused_on_the_way() {
    for (rule, told) in [
        ("on.shop_entered = [{ block = 5 }]", "`block` is possible in fights only"),
        (
            "on.shop_entered = { when = \"turn == 1\", do = [{ gold = 5 }] }",
            "`turn` can be read in fights only",
        ),
        (
            "on.shop_entered = [{ gold = \"count(hand)\" }]",
            "`hand` is there in fights only: `count` cannot be read of it",
        ),
        ("on.room_entered = { every = 3, do = [{ gold = 5 }] }", "`every` and `once` count in fights"),
        ("alter.rest_heal = { add = \"energy\" }", "`energy` can be read in fights only"),
        ("prevent.rest = { when = \"player_turn\" }", "`player_turn` can be read in fights only"),
    ] {
        let text = format!("[relic.toll]\ntier = \"common\"\n{rule}\n");
        let sources = Sources::builtin("classic").with_text("mine.toml", &text);
        let problems = Spire::new(Ruleset::Classic, &sources).expect_err("a refusal");
        let refusal: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(refusal.len() == 1 && refusal[0].starts_with("mine.toml:3:"), "{rule}: {refusal:?}");
        assert!(refusal[0].contains(told), "{rule}: {refusal:?}");
    }
}

/// Puts a potion into the first slot.
fn with_potion(mut bench: Bench, id: &str) -> Bench {
    let potion: PotionNo = bench.game.rulebook.tables.potions.find(id).expect(id);
    bench.state.run.potions[0] = potion.0;
    bench
}

#[test]
fn potions_do_on_the_way_what_their_entries_say() {
    let drink =
        |bench: Bench, potion: &str| with_potion(bench, potion).acting(Action::Drink(0)).state().run.clone();
    assert_eq!(drink(Bench::new(), "fruit_juice").max_hp, 85);
    assert_eq!(drink(Bench::new().relic("sacred_bark"), "fruit_juice").max_hp, 90);
    let hurt = |hp: i16| {
        let mut bench = Bench::new();
        bench.state.run.hp = hp;
        bench
    };
    assert_eq!(drink(hurt(10), "blood_potion").hp, 26);
    assert_eq!(drink(hurt(10).relic("sacred_bark"), "blood_potion").hp, 42);
    assert_eq!(drink(hurt(10).relic("mark_of_the_bloom"), "blood_potion").hp, 10);
    let full = drink(Bench::new(), "entropic_brew");
    assert!(full.potions.iter().all(|potion| *potion != NONE), "{:?}", full.potions);
    let sozu = drink(Bench::new().relic("sozu"), "entropic_brew");
    assert!(sozu.potions.iter().all(|potion| *potion == NONE), "{:?}", sozu.potions);
    assert_eq!(
        drink(hurt(10).relic("toy_ornithopter"), "fruit_juice").hp,
        20,
        "5 with the juice, 5 with the bird"
    );
}

#[test]
fn a_potion_or_a_relic_saves_from_death_on_the_way() {
    let killed = |bench: Bench| {
        let mut bench = bench;
        bench.state.tower.edit().sandbox = true;
        bench.acting(Action::Operator(Verb::Damage(200))).state().clone()
    };
    assert_eq!(killed(Bench::new()).tower.end, Some(End::Died));
    assert_eq!(killed(with_potion(Bench::new(), "fairy_potion")).run.hp, 24);
    assert_eq!(killed(with_potion(Bench::new().relic("sacred_bark"), "fairy_potion")).run.hp, 48);
    let tail = killed(Bench::new().relic("lizard_tail"));
    assert_eq!((tail.run.hp, tail.tower.end), (40, None));
    let bloom =
        killed(with_potion(Bench::new().relic("mark_of_the_bloom").relic("lizard_tail"), "fairy_potion"));
    assert_eq!(bloom.tower.end, Some(End::Died), "nothing heals any more");
    let rod = Bench::new().relic("tungsten_rod");
    let mut rod = rod;
    rod.state.tower.edit().sandbox = true;
    assert_eq!(rod.acting(Action::Operator(Verb::Damage(7))).state().run.hp, 74);
}

#[test]
fn campfires_offer_what_relics_allow() {
    let offers = |bench: Bench| {
        let bench = bench.screen(Screen::Rest);
        let mut legal = Vec::new();
        bench.game.legal(&bench.state, &mut legal);
        legal
            .into_iter()
            .filter_map(|of| if let Deed::Run(action) = of { Some(action) } else { None })
            .collect::<Vec<_>>()
    };
    use Action::{Offer, Proceed, Recall, Rest, Smith};
    assert_eq!(offers(Bench::new()), [Rest, Smith, Recall, Proceed]);
    let all = Bench::new().relic("girya").relic("peace_pipe").relic("shovel");
    assert_eq!(offers(all), [Rest, Smith, Offer(1), Offer(2), Offer(3), Recall, Proceed]);
    assert_eq!(offers(Bench::new().relic("coffee_dripper").relic("fusion_hammer")), [Recall, Proceed]);
    let mut lifted = Bench::new().relic("girya");
    lifted.state.run.relics[1].counter = 3;
    lifted.state.tower.edit().keys = 1 << Key::Ruby as u8;
    assert_eq!(offers(lifted), [Rest, Smith, Proceed], "three lifts and one key are all");
}

#[test]
fn a_relic_offers_something_new_at_campfires() {
    let text = "[relic.kettle]\ntier = \"common\"\ncounter = { start = 1 }\n\
                rest_option = { name = \"Brew\", when = \"counter > 0\", do = [{ heal = 9 }, { counter = 0 }] }\n";
    let mut bench = changed(text).relic("kettle");
    bench.state.run.hp = 20;
    let (game, kettle) = (bench.game.clone(), bench.relic_no("kettle"));
    let bench = bench.screen(Screen::Rest);
    let brew = Deed::Run(Action::Offer(1));
    assert_eq!(game.tell_action(&bench.state, &brew), "Brew: heal 9");
    let position = bench.acting(Action::Offer(1));
    assert_eq!((position.state().run.hp, counter(position.state(), kettle)), (29, Some(0)));
    let mut used = position.state().clone();
    used.tower.edit().screens.push(Screen::Rest);
    assert!(game.check(&used, &brew).is_err(), "the kettle is empty");
}

#[test]
fn a_pipe_is_of_no_use_without_a_card_to_give() {
    let mut bench = Bench::new().relic("peace_pipe").screen(Screen::Rest);
    let toke = Deed::Run(Action::Offer(1));
    assert!(bench.game.check(&bench.state, &toke).is_ok());
    bench.state.run.deck.iter_mut().for_each(|card| card.bottled = true);
    assert!(bench.game.check(&bench.state, &toke).is_err());
}

#[test]
fn shops_ask_what_relics_leave_of_the_price() {
    let price = |relics: &[&str]| {
        let bench = relics.iter().fold(Bench::new(), |bench, relic| bench.relic(relic));
        let mut fate = bench.state.tower.fate.clone();
        let rulebook = &bench.game.rulebook;
        let stock = rulebook.with_holder(&bench.state, |holder| fate.make_shop(&rulebook.tables, holder));
        let base = stock.relics[0].base_price as i32;
        let shop = Shop { stock, cards_sold: 0, relics_sold: 0, potions_sold: 0, removed: false };
        let game = bench.game.clone();
        let bench = bench.screen(Screen::Shop(Box::new(shop)));
        let ask = |ware| game.journey().price(&bench.state, ware).expect("for sale");
        (base, ask(Ware::Relic(0)), ask(Ware::Removal))
    };
    let (base, full, removal) = price(&[]);
    assert_eq!((full, removal), (base, 75));
    let (base, fifth_off, removal) = price(&["the_courier"]);
    assert_eq!((fifth_off, removal), ((base * 4 + 2) / 5, 60));
    let (base, half, removal) = price(&["membership_card"]);
    assert_eq!((half, removal), ((base + 1) / 2, 38));
    let (base, both, removal) = price(&["membership_card", "the_courier"]);
    assert_eq!((both, removal), (((base * 4 + 2) / 5 + 1) / 2, 30));
    let (_, _, removal) = price(&["membership_card", "smiling_mask"]);
    assert_eq!(removal, 50);
}

#[test]
fn relics_do_what_they_say_when_they_are_obtained() {
    let obtained = |relic: &str| Bench::new().obtaining(relic);
    let run = |relic: &str| obtained(relic).state().run.clone();
    assert_eq!(run("old_coin").gold, 99 + 300);
    assert_eq!((run("strawberry").max_hp, run("pear").max_hp, run("mango").max_hp), (87, 90, 94));
    let belt = run("potion_belt");
    assert_eq!((belt.potion_slots, belt.potions.len()), (5, 5));
    let upgraded = |relic: &str| run(relic).deck.iter().filter(|card| card.up > 0).count();
    assert_eq!((upgraded("war_paint"), upgraded("whetstone"), upgraded("tiny_house")), (2, 2, 1));
    let mut hurt = Bench::new();
    hurt.state.run.hp = 1;
    let waffle = hurt.obtaining("lees_waffle").state().run.clone();
    assert_eq!((waffle.hp, waffle.max_hp), (87, 87));
    let game = Spire::builtin(Ruleset::Classic).expect("content");
    let (bell, necronomicon) = (obtained("calling_bell"), obtained("necronomicon"));
    assert_eq!(holds(&game, bell.state(), "curse_of_the_bell"), 1);
    assert_eq!(holds(&game, necronomicon.state(), "necronomicurse"), 1);
    let rewards = |position: &Position<Spire>| match position.state().tower.screen() {
        Some(Screen::Rewards(list)) => list.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(rewards(&bell).iter().filter(|reward| matches!(reward, Reward::Relic(_))).count(), 3);
    assert_eq!(rewards(&obtained("cauldron")).len(), 5);
    assert_eq!(rewards(&obtained("orrery")).len(), 5);
    let house = rewards(&obtained("tiny_house"));
    assert!(matches!(house[..], [Reward::Gold(50), Reward::Potion(_), Reward::Cards(_)]), "{house:?}");
    let pandora = run("pandoras_box");
    assert_eq!(pandora.deck.len(), 10);
    assert_eq!(holds(&game, obtained("pandoras_box").state(), "strike_ironclad"), 0);
    let blood = run("black_blood");
    assert_eq!(blood.relics.len(), 1, "the old blood is gone");
    for asking in ["bottled_flame", "bottled_lightning", "astrolabe", "empty_cage", "dollys_mirror"] {
        assert!(obtained(asking).pending().is_some(), "{asking} asks for a card");
    }
}

#[test]
fn a_potion_needs_an_empty_slot() {
    let potion: PotionNo = Bench::new().game.rulebook.tables.potions.find("fire_potion").expect("a potion");
    let offer = || Screen::Rewards(vec![Reward::Potion(potion)]);
    let may_take = |bench: &Bench| bench.game.check(&bench.state, &Deed::Run(Action::Take(0))).is_ok();
    let empty = Bench::new().screen(offer());
    assert!(may_take(&empty));
    let mut full = Bench::new().screen(offer());
    full.state.run.potions.fill(potion.0);
    assert!(!may_take(&full), "all slots are full");
    let game = full.game.clone();
    let mut position = full.acting(Action::Discard(1));
    act(&game, &mut position, Action::Take(0));
    assert!(position.state().run.potions.iter().all(|held| *held == potion.0));
    assert!(!may_take(&Bench::new().relic("sozu").screen(offer())), "Sozu lets nothing in");
}

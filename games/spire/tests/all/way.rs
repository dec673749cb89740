//! The words of content between fights: the same as in fights, with the same numbers.

use turnstone::{Game, Input, Off, Position, Resolver};
use turnstone_spire::catalog::Sources;
use turnstone_spire::catalog::words::CardType;
use turnstone_spire::run::Setup;
use turnstone_spire::run::action::Action;
use turnstone_spire::run::tower::{Reward, Screen};
use turnstone_spire::seeds::RelicNo;
use turnstone_spire::state::{NONE, OwnedRelic};
use turnstone_spire::{Deed, Ruleset, Spire, State};

fn game(text: &str) -> Spire {
    let sources = Sources::builtin("classic").with_text("mine.toml", text);
    Spire::new(Ruleset::Classic, &sources).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"))
}

/// The Ironclad with 60 of 80 HP and 99 gold, with nothing on screen.
fn start(game: &Spire) -> State {
    let mut state = game.start(&Setup::run("ironclad", 0), 7).expect("start");
    state.tower.edit().screens.clear();
    state.run.hp = 60;
    state
}

fn act(game: &Spire, state: State, action: Action) -> State {
    let mut position = Position::new(state);
    let mut resolver = Resolver::default();
    resolver.act(game, &mut position, &Input::Act(Deed::Run(action)), &mut Off).expect("allowed");
    while let Some(pending) = position.pending().cloned() {
        let mut answers = Vec::new();
        game.answers(position.state(), &pending.question, &mut answers);
        resolver.act(game, &mut position, &Input::Choose(answers[0]), &mut Off).expect("an answer");
    }
    position.state().clone()
}

/// Takes a new relic whose entry holds these rules.
fn obtaining(rules: &str, prepare: impl FnOnce(&mut State)) -> (Spire, State, State) {
    let game = game(&format!("[relic.novelty]\ntier = \"common\"\n{rules}\n"));
    let mut before = start(&game);
    prepare(&mut before);
    let relic: RelicNo = game.rulebook.tables.relics.find("novelty").expect("the relic");
    before.tower.edit().screens.push(Screen::Rewards(vec![Reward::Relic(relic)]));
    let after = act(&game, before.clone(), Action::Take(0));
    (game, before, after)
}

fn obtained(steps: &str) -> (Spire, State, State) {
    obtaining(&format!("on.obtained = [{steps}]"), |_| ())
}

fn of_kind(game: &Spire, state: &State, kind: CardType) -> usize {
    state.run.deck.iter().filter(|card| game.catalog.cards[usize::from(card.id)].kind == kind).count()
}

/// What steps do to gold, HP, max HP and the number of cards.
#[test]
fn numbers_change_between_fights_as_they_are_written() {
    for (steps, wanted) in [
        ("{ gold = 7 }", (7, 0, 0, 0)),
        ("{ gold = -30 }", (-30, 0, 0, 0)),
        ("{ gold = -500 }", (-99, 0, 0, 0)),
        ("{ gold = \"-gold / 2\" }", (-50, 0, 0, 0)),
        ("{ gold = \"count(deck, attack) * 2\" }", (12, 0, 0, 0)),
        ("{ damage = 3, times = 2, to = \"self\" }", (0, -6, 0, 0)),
        ("{ lose_hp = 4, to = \"player\" }", (0, -4, 0, 0)),
        ("{ heal = \"max_hp(self) - hp(self)\" }", (0, 20, 0, 0)),
        ("{ max_hp = 3 }", (0, 3, 3, 0)),
        ("{ max_hp = -70 }", (0, -50, -70, 0)),
        ("{ repeat = 3, do = [{ gold = 5 }] }", (15, 0, 0, 0)),
        ("{ if = \"gold >= 99\", then = [{ gold = 1 }], else = [{ gold = 2 }] }", (1, 0, 0, 0)),
        ("{ if = \"gold >= 100\", then = [{ gold = 1 }], else = [{ gold = 2 }] }", (2, 0, 0, 0)),
        ("{ chance = 100, then = [{ gold = 1 }], else = [{ gold = 2 }] }", (1, 0, 0, 0)),
        ("{ chance = 0, then = [{ gold = 1 }], else = [{ gold = 2 }] }", (2, 0, 0, 0)),
        ("{ one_of = [[{ gold = 4 }], [{ gold = 4 }]] }", (4, 0, 0, 0)),
        ("{ obtain = \"regret\", count = 2 }", (0, 0, 0, 2)),
        ("{ obtain_random = \"curse\", count = 2 }", (0, 0, 0, 2)),
        ("{ duplicate = \"deck\", choose = 2 }", (0, 0, 0, 2)),
        ("{ remove = \"deck\", choose = 2 }", (0, 0, 0, -2)),
        ("{ remove = \"deck\", random = 3 }", (0, 0, 0, -3)),
        ("{ remove = \"deck\", filter = \"attack\" }", (0, 0, 0, -6)),
        ("{ offer_cards = 5 }", (0, 0, 0, 1)),
    ] {
        let (_, before, after) = obtained(steps);
        let (old, new) = (&before.run, &after.run);
        let cards = new.deck.len() as i32 - old.deck.len() as i32;
        let told = (new.gold - old.gold, new.hp - old.hp, new.max_hp - old.max_hp, cards);
        assert_eq!(told, wanted, "{steps}");
    }
}

/// A library that has fewer common and uncommon cards than it is to show went on looking for ever.
#[test]
fn a_library_shows_all_there_are_if_these_are_fewer() {
    let (_, before, after) = obtained("{ offer_cards = 60 }");
    assert_eq!(after.run.deck.len(), before.run.deck.len() + 1);
}

#[test]
fn a_roll_lies_between_its_ends() {
    let (_, before, after) = obtained("{ gold = \"roll(20, 30)\" }");
    assert!((20..=30).contains(&(after.run.gold - before.run.gold)));
}

#[test]
fn random_cards_for_the_deck_pass_their_filter() {
    for (steps, kind) in [
        ("{ obtain_random = \"class\", count = 3, filter = \"power\" }", CardType::Power),
        ("{ obtain_random = \"any_class\", count = 3, filter = \"power and rare\" }", CardType::Power),
        ("{ obtain_random = \"colorless\", count = 3, filter = \"power\" }", CardType::Power),
    ] {
        let (game, _, after) = obtained(steps);
        assert_eq!(of_kind(&game, &after, kind), 3, "{steps}");
    }
}

#[test]
fn a_filter_limits_what_the_player_chooses_from() {
    let up = |game: &Spire, state: &State| {
        let card = state.run.deck.iter().find(|card| card.up > 0).expect("an upgraded card");
        game.catalog.cards[usize::from(card.id)].kind
    };
    let (game, _, after) = obtained("{ upgrade = \"deck\", choose = 1, filter = \"skill\" }");
    assert_eq!(up(&game, &after), CardType::Skill);
    let (game, _, after) = obtained("{ upgrade = \"deck\", random = 1, filter = \"skill\" }");
    assert_eq!(up(&game, &after), CardType::Skill);
    let (game, before, after) = obtained("{ remove = \"deck\", choose = 1, filter = \"skill\" }");
    assert_eq!(of_kind(&game, &after, CardType::Skill), of_kind(&game, &before, CardType::Skill) - 1);
    let (game, before, after) = obtained("{ transform = \"deck\", choose = 1, filter = \"id(bash)\" }");
    let bash = game.catalog.find("card", "bash").expect("a card");
    assert!(before.run.deck.iter().any(|card| card.id == bash));
    assert!(!after.run.deck.iter().any(|card| card.id == bash));
}

#[test]
fn steps_remember_the_number_that_they_follow_from() {
    let rules = "on.gold_gained = [{ if = \"event > 9\", then = [{ max_hp = \"event / 10\" }] }]\n\
                 on.obtained = [{ gold = 40 }]";
    let (_, before, after) = obtaining(rules, |_| ());
    assert_eq!(after.run.max_hp - before.run.max_hp, 4);
}

#[test]
fn a_relic_says_when_it_stops_something_and_what_it_costs() {
    let rules = "counter = { start = 5 }\nprevent.card_obtained = { when = \"card(curse)\", spend = \"counter - 2\" }\n\
                 on.obtained = [{ obtain = \"regret\" }, { obtain = \"bash\" }]";
    let (game, before, after) = obtaining(rules, |_| ());
    let novelty = game.catalog.find("relic", "novelty").expect("the relic");
    let relic = after.run.relics.iter().find(|owned| owned.id == novelty).expect("owned");
    assert_eq!((relic.counter, after.run.deck.len()), (2, before.run.deck.len() + 1));
}

#[test]
fn what_saves_in_fights_saves_between_them() {
    let rules = "prevent.death = { when = \"counter == 0\", do = [{ counter = 1 }, { heal = 5 }, { gold = 3 }] }\n\
                 on.obtained = [{ lose_hp = 500 }]";
    let (_, before, after) = obtaining(rules, |_| ());
    assert_eq!((after.run.hp, after.run.gold - before.run.gold, after.tower.end), (5, 3, None));
}

/// A potion of one's own between fights: how often it is done, and for whom, is not lost.
#[test]
fn a_potion_does_between_fights_what_it_says() {
    let text = "[potion.flask]\nrarity = \"common\"\npotency = 4\nanywhere = true\n\
                do = [{ heal = \"potency\", to = \"player\" }, { repeat = 2, do = [{ gold = \"potency\" }] }]\n\n\
                [relic.novelty]\ntier = \"common\"\non.potion_used = [{ gold = 100 }]\n\n\
                [relic.fencer]\ntier = \"common\"\non.potion_used = [{ gold = 1000 }, { draw = 1 }]\n";
    let game = game(text);
    let mut before = start(&game);
    before.run.potions[0] = game.catalog.find("potion", "flask").expect("the potion");
    for name in ["novelty", "fencer"] {
        let id = game.catalog.find("relic", name).expect(name);
        before.run.relics.push(OwnedRelic { id, counter: 0 });
    }
    let after = act(&game, before.clone(), Action::Drink(0));
    assert_eq!((after.run.hp, after.run.gold - before.run.gold), (64, 108));
    assert!(after.run.potions.iter().all(|potion| *potion == NONE));
}

#[test]
fn an_event_counts_in_its_variables() {
    let text = "[event.well]\npool = \"act1\"\nvars = [\"pulls\"]\n\n[event.well.node.start]\ntext = \"A well.\"\n\
        options = [{ id = \"pull\", text = \"Pull\", when = \"var(pulls) < 2\", \
        do = [{ set_var = \"pulls\", is = \"var(pulls) + 1\" }, { gold = \"10 * var(pulls)\" }], then = \"start\" }]\n\n\
        [map.one]\nneow = false\n[map.one.node.room]\nfloor = 1\ncolumn = 1\nroom = \"event\"\nevent = \"well\"\nend = true\n";
    let game = game(text);
    let map = turnstone_spire::run::plan::MapChoice::Name("one".into());
    let setup = Setup { map: Some(map), ..Setup::run("ironclad", 0) };
    let mut state = game.start(&setup, 7).expect("start");
    state = act(&game, state, Action::Go(0));
    let gold = state.run.gold;
    state = act(&game, state, Action::Option(0));
    state = act(&game, state, Action::Option(0));
    assert_eq!(state.run.gold - gold, 30);
    assert_eq!(game.check(&state, &Deed::Run(Action::Option(0))).map_err(|_| ()), Err(()));
}

//! The generated text of every card and power: nothing is mute, and every change of wording is seen.

use crate::told::bless;
use turnstone_spire::catalog::face::{Holder, Live, card, potion, power, power_of, relic};
use turnstone_spire::catalog::{Content, Sources};

fn content() -> Content {
    Content::load(&Sources::builtin("")).expect("the built-in content is sound")
}

#[test]
fn content_faces_of_all_cards() {
    let content = content();
    let mut lines = String::new();
    for entry in &content.cards {
        let (base, upgraded) =
            (card(&content, entry, &Live::base()), card(&content, entry, &Live::upgraded()));
        assert!(!base.is_empty(), "{} has no text", entry.common.id);
        lines += &format!("{}: {base}\n", entry.common.id);
        if entry.upgradable && base != upgraded {
            lines += &format!("  upgraded: {upgraded}\n");
        }
    }
    bless("card_faces", &lines);
}

#[test]
fn content_faces_of_all_powers() {
    let content = content();
    let lines: String = content
        .powers
        .iter()
        .map(|entry| format!("{}: {}\n", entry.common.id, power(&content, entry, Some(2))))
        .collect();
    bless("power_faces", &lines);
}

/// What has rules says something, whoever has it.
#[test]
fn no_face_is_empty() {
    let content = content();
    for entry in &content.powers {
        for holder in [Holder::You, Holder::Enemy, Holder::Anybody] {
            let text = power_of(&content, entry, Some(2), holder);
            assert!(!text.is_empty(), "{} says nothing to {holder:?}", entry.common.id);
        }
    }
    for entry in &content.relics {
        assert!(!relic(&content, entry).is_empty(), "{} has no text", entry.common.id);
    }
    for entry in &content.potions {
        assert!(!potion(&content, entry, entry.potency).is_empty(), "{} has no text", entry.common.id);
    }
}

/// A power of an enemy's gives the reader nothing: whoever gains or loses something by it is named. What is written by
/// hand is left to its author, unless a monster can have it.
#[test]
fn a_power_of_somebody_else_never_tells_the_reader_to_gain() {
    let content = content();
    let generated = content.powers.iter().filter(|entry| entry.common.text.is_none());
    for entry in generated {
        let text = power_of(&content, entry, Some(2), Holder::Enemy);
        let words: Vec<&str> = text.split([' ', ',', '.', ';']).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2).filter(|pair| ["gain", "lose", "heal", "take"].contains(&pair[1])) {
            assert!(["you", "enemies"].contains(&pair[0]), "{}: {text}", entry.common.id);
        }
    }
}

/// The texts of what a few lines of content make.
fn told(kind: &str, lines: &str) -> String {
    use turnstone_spire::{Ruleset, Spire};
    let head = match kind {
        "card" => "type = \"skill\"\ncost = 1\n",
        "relic" => "tier = \"common\"\n",
        "potion" => "rarity = \"common\"\n",
        _ => "",
    };
    let text = format!("[{kind}.odd]\n{head}{lines}\n\n[power.p4]\ntext = \"Gain {{n}} Block.\"\n");
    let sources = Sources::builtin("classic").with_text("mine.toml", &text);
    let game = Spire::new(Ruleset::Classic, &sources).unwrap_or_else(|wrong| panic!("{lines}: {wrong:?}"));
    let content = &game.content;
    match kind {
        "card" => {
            card(content, content.cards.iter().find(|it| it.common.id == "odd").unwrap(), &Live::base())
        }
        "relic" => relic(content, content.relics.iter().find(|it| it.common.id == "odd").unwrap()),
        "potion" => potion(content, content.potions.iter().find(|it| it.common.id == "odd").unwrap(), 3),
        _ => power(content, content.powers.iter().find(|it| it.common.id == "odd").unwrap(), Some(3)),
    }
}

/// Every modifier of a step, every value and every filter is on the face.
#[test]
fn faces_leave_nothing_out() {
    let of = |kind: &str, lines: &[&str]| -> String {
        lines.iter().map(|line| format!("{kind}: {line}\n  {}\n", told(kind, line))).collect()
    };
    let cards = of(
        "card",
        &[
            r#"do = [{ reduce = "strength", by = 2, to = "target" }]"#,
            r#"do = [{ reduce = "strength", by = "energy" }]"#,
            r#"do = [{ reduce = "poison", by = "-2 * power(target, poison)", to = "target" }]"#,
            r#"do = [{ apply = "weak", amount = 2, to = "target", only = "power(each, vulnerable) > 0" }]"#,
            r#"do = [{ apply = "weak", amount = 2, to = "enemies", only = "hp(each) > 10" }]"#,
            r#"do = [{ apply = "p4", amount = 2, to = "enemies" }, { apply = "p4", amount = 2 }]"#,
            r#"do = [{ block = { 0 = 5, 10 = 9 } }]"#,
            r#"do = [{ damage = 2, to = "self", times = 3 }]"#,
            r#"do = [{ attack = 5, strength = "energy" }]"#,
            r#"do = [{ set_hp = "hp(self) / 2", to = "target" }, { block = 3, to = "target" }]"#,
            r#"do = [{ heal = "energy", to = "enemies" }, { kill = true }]"#,
            r#"do = [{ block = "20 - (energy + 2)" }, { block = "20 / (energy * 2)", raw = true }]"#,
            r#"do = [{ block = "missing_hp" }, { block = "slots" }, { block = "hurt_last_turn * 3 + 2" }]"#,
            r#"do = [{ block = "attack_number(6) + 2" }, { if = "count_monster(cultist) > 1", then = [{ draw = 1 }] }]"#,
            r#"do = [{ if = "not alive(target)", then = [{ draw = 1 }] }, { if = "count(hand) >= 3", then = [{ draw = 1 }] }]"#,
            r#"do = [{ exhaust = "hand", filter = "not skill" }, { exhaust = "hand", filter = "not basic" }]"#,
            r#"do = [{ exhaust = "hand", filter = "not upgraded" }, { exhaust = "hand", filter = "not x_cost" }]"#,
            r#"do = [{ exhaust = "hand", filter = "not (attack or skill)" }]"#,
            r#"do = [{ exhaust = "hand", choose = 1, filter = "attack and cost > 0" }]"#,
            r#"do = [{ exhaust = "hand", filter = "attack and tag(strike)" }, { exhaust = "hand", filter = "id(bash)" }]"#,
            r#"do = [{ move = "draw", top = 3, filter = "attack", to = "hand" }]"#,
            r#"do = [{ create = "class", offer = 3, skippable = true }, { create = "copy:hand", filter = "attack" }]"#,
            r#"do = [{ discard = "hand" }, { block = "handled" }, { if = "handled > 3", then = [{ draw = 1 }] }]"#,
            r#"do = [{ cost = "hand", choose = 2, set = 0 }, { play = "hand", random = 2, exhaust = true }]"#,
            r#"playable = "count(hand, not attack) > 1""#,
            r#"do = [{ obtain = "wound" }, { gold = 100 }]"#,
        ],
    );
    let relics = of(
        "relic",
        &[
            r#"on.card_obtaining = { when = "card(skill)", do = [{ upgrade = "trigger" }] }"#,
            r#"prevent.exhaust_on_play = { chance = 50 }"#,
            r#"rest_option = { name = "Lift", when = "gold > 3", do = [{ max_hp = 2 }] }"#,
            r#"reward_option = { name = "Sing", do = [{ max_hp = 2 }] }"#,
            r#"on.obtained = [{ obtain_random = "curse" }, { transform = "deck", choose = 1, upgraded = true }]"#,
            r#"on.room_entered = { when = "count(deck) >= 20 and gold > 5", do = [{ gold = 3 }] }"#,
        ],
    );
    let powers = of(
        "power",
        &[
            r#"alter.card_block = { add = "-n" }"#,
            r#"on.turn_start = { when = "is_player", do = [{ block = "n" }, { reduce = "self", by = 1 }] }"#,
            r#"on.attacked = { when = "kind(normal) and event > 0", once = "turn", do = [{ heal = "event" }] }"#,
        ],
    );
    let potions = of(
        "potion",
        &[r#"usable = "count(hand) > 0"
do = [{ draw = "potency" }]"#],
    );
    bless("odd_faces", &(cards + &relics + &powers + &potions));
}

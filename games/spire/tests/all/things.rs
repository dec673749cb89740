//! Relics, potions, monsters and encounters: nothing is missing, nothing is mute, and the tables a seed is
//! unrolled with name the same things.

use crate::told::bless;
use turnstone_spire::catalog::face::{potion, relic};
use turnstone_spire::catalog::words::Rarity;
use turnstone_spire::catalog::{Content, Sources};
use turnstone_spire::seeds::{FightNo, PotionNo, RelicNo, Tables};

fn content(overlay: &str) -> Content {
    Content::load(&Sources::builtin(overlay)).expect("the built-in content is sound")
}

#[test]
fn content_faces_of_all_relics() {
    let content = content("");
    let mut lines = String::new();
    for entry in &content.relics {
        let text = relic(&content, entry);
        assert!(!text.is_empty(), "{} has no text", entry.common.id);
        lines += &format!("{}: {text}\n", entry.common.id);
    }
    bless("relic_faces", &lines);
}

#[test]
fn content_faces_of_all_potions() {
    let content = content("");
    let mut lines = String::new();
    for entry in &content.potions {
        let text = potion(&content, entry, entry.potency);
        assert!(!text.is_empty(), "{} has no text", entry.common.id);
        lines += &format!("{}: {text}\n", entry.common.id);
    }
    bless("potion_faces", &lines);
}

#[test]
fn content_is_complete() {
    let content = content("");
    let modifier = |relic: &&turnstone_spire::catalog::defs::Relic| relic.tier == Rarity::Modifier;
    assert_eq!(content.relics.iter().filter(|relic| !modifier(relic)).count(), 183);
    assert_eq!(content.potions.len(), 42);
    assert_eq!(content.monsters.len(), 65);
    assert_eq!(content.characters.len(), 4);
}

/// Every monster stands in an encounter or is summoned by another one.
#[test]
fn content_monsters_are_all_met() {
    let content = content("");
    let text = format!(
        "{:?} {:?}",
        content.encounters,
        content.monsters.iter().map(|m| &m.moves).collect::<Vec<_>>()
    );
    for monster in &content.monsters {
        let id = &monster.common.id;
        assert!(text.contains(&format!("\"{id}\"")), "{id} is never met");
    }
}

#[test]
fn content_and_seed_tables_name_the_same_things() {
    let (content, tables) = (content(""), Tables::embedded());
    for entry in &content.relics {
        let id = &entry.common.id;
        let number: RelicNo =
            tables.relics.find(id).unwrap_or_else(|| panic!("no table knows the relic {id}"));
        let tier = tables.tier(number).map(|tier| tier.word());
        let pooled = matches!(
            entry.tier,
            Rarity::Common | Rarity::Uncommon | Rarity::Rare | Rarity::Shop | Rarity::Boss
        );
        if pooled && !entry.unobtainable {
            assert_eq!(tier, Some(entry.tier.name()), "{id}");
        } else {
            assert_eq!(tier, None, "{id}");
        }
    }
    assert_eq!(tables.relics.len(), content.relics.len());
    for entry in &content.potions {
        let id = &entry.common.id;
        let number: PotionNo =
            tables.potions.find(id).unwrap_or_else(|| panic!("no table knows the potion {id}"));
        assert_eq!(tables.potion_rarity(number).word(), entry.rarity.name(), "{id}");
    }
    assert_eq!(tables.potions.len(), content.potions.len());
    for entry in &content.encounters {
        let id = &entry.common.id;
        let number: Option<FightNo> = tables.fights.find(id);
        assert!(number.is_some(), "no table knows the encounter {id}");
    }
    assert_eq!(tables.fights.len(), content.encounters.len());
}

/// The traces of the recorded engine use its own names.
#[test]
fn content_of_the_seed_overlay_knows_the_recorded_names() {
    let content = content("seed");
    let knows =
        |names: Vec<&[String]>, name: &str| names.iter().any(|known| known.iter().any(|alias| alias == name));
    for name in [
        "Goblin",
        "Cultist",
        "AcidSlime",
        "SpikeSlime",
        "SlimeBoss",
        "Darkling",
        "AwakenedOne",
        "TimeEater",
        "CorruptHeart",
    ] {
        assert!(knows(content.monsters.iter().map(|m| m.common.alias.as_slice()).collect(), name), "{name}");
    }
    for name in ["BlockPotion", "FirePotion", "StrengthPotion", "DistilledChaos"] {
        assert!(knows(content.potions.iter().map(|p| p.common.alias.as_slice()).collect(), name), "{name}");
    }
    for name in ["Medkit", "Winged_Boots", "Champions_Belt", "GoldPlatedCables"] {
        assert!(knows(content.relics.iter().map(|r| r.common.alias.as_slice()).collect(), name), "{name}");
    }
}

/// Every encounter, at ascension 0 and 20, with relics and potions at random: no fight gets stuck.
#[test]
fn every_encounter_can_be_fought() {
    use turnstone::{Game, Input, Off, Position, Resolver};
    use turnstone_spire::{Fight, Ruleset, Setup, Spire};
    let spire = Spire::builtin(Ruleset::Classic).expect("the built-in content is sound");
    let mut chance = 1_u64;
    let mut below = |bound: usize| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) as usize % bound.max(1)
    };
    for (round, encounter) in spire.catalog.encounters.iter().enumerate().flat_map(|e| [(0, e.1), (20, e.1)])
    {
        let fight = Fight {
            character: spire.catalog.characters[below(4)].id.clone(),
            ascension: round as u8,
            encounter: Some(encounter.id.clone()),
            relics: Some(
                (0..12).map(|_| spire.catalog.relics[below(spire.catalog.relics.len())].id.clone()).collect(),
            ),
            potions: (0..3).map(|_| spire.catalog.potions[below(42)].id.clone()).collect(),
            ..Fight::default()
        };
        let state = spire.start(&Setup::fight(fight.clone()), 7).expect("a sound fight");
        let mut position = Position::<Spire>::new(state);
        let mut resolver = Resolver::default();
        for _ in 0..600 {
            let input = if let Some(pending) = position.pending().cloned() {
                let mut answers = Vec::new();
                spire.answers(position.state(), &pending.question, &mut answers);
                assert!(!answers.is_empty(), "{fight:?}: a question without answers");
                Input::Choose(answers[below(answers.len())])
            } else {
                let mut actions = Vec::new();
                spire.legal(position.state(), &mut actions);
                if actions.is_empty() {
                    break;
                }
                Input::Act(actions[below(actions.len())])
            };
            if let Err(refusal) = resolver.act(&spire, &mut position, &input, &mut Off) {
                panic!("{fight:?}: {input:?}: {refusal}");
            }
            assert!(position.state().combat.hand.len() <= 10, "{fight:?}: too many cards in the hand");
        }
    }
}

/// Whole numbers in a text, ordinals included; those of names such as Chemical X are none.
fn numbers(text: &str) -> Vec<i64> {
    let words = text.split(|letter: char| !letter.is_ascii_digit());
    words.filter_map(|digits| digits.parse().ok()).collect()
}

/// The numbers a relic's entry can show: its own, and the percents of what it multiplies by.
fn known_numbers(entry: &turnstone_spire::catalog::defs::Relic) -> Vec<i64> {
    let mut rules = entry.clone();
    rules.common.text = None;
    rules.common.place = Default::default();
    let told = format!("{rules:?}");
    let mut known = numbers(&told);
    for factor in told.split("Mul(").skip(1) {
        if let [by, part, ..] = numbers(factor)[..]
            && part > 0
        {
            known.extend([100 * by / part, (100 * by / part - 100).abs()]);
        }
    }
    known
}

/// What a relic's text says is what its entry does: no number stands in words only.
#[test]
fn numbers_in_texts_of_relics_are_those_of_their_rules() {
    // Three quarters of the HP are a quarter less, and what is at least 5 leaves 4 or less behind.
    let meant = [("preserved_insect", 25), ("the_boot", 4)];
    let mut poor = Vec::new();
    for entry in &content("").relics {
        let Some(text) = &entry.common.text else { continue };
        let known = known_numbers(entry);
        // What is usual is told for comparison: "25% more instead of 50%".
        let own = text.split(" instead of 50%").collect::<String>();
        let own = own.split(" instead of 25%").collect::<String>();
        for number in numbers(&own) {
            // "1" may be the amount that goes without saying.
            let told = known.contains(&number) || meant.contains(&(entry.common.id.as_str(), number));
            if number != 1 && !told {
                poor.push(format!("{}: {number} in {text:?} of {known:?}", entry.common.id));
            }
        }
    }
    assert!(poor.is_empty(), "{poor:#?}");
}

//! Relics, potions, monsters and encounters: nothing is missing, nothing is mute, and the tables a seed is
//! unrolled with name the same things.

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
    insta::assert_snapshot!("relic_faces", lines);
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
    insta::assert_snapshot!("potion_faces", lines);
}

#[test]
fn content_is_complete() {
    let content = content("");
    assert_eq!(content.relics.len(), 183);
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

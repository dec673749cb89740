//! The tables of chance and the catalog speak of the same things.

use turnstone_spire::catalog::{Content, Sources};
use turnstone_spire::seeds::{Names, Tables};

fn missing(names: &Names, known: &[&str]) -> Vec<String> {
    (0..names.len()).map(|n| names.name(n)).filter(|n| !known.contains(n)).map(str::to_owned).collect()
}

#[test]
fn every_name_of_the_tables_is_in_the_catalog() {
    let content = match Content::load(&Sources::builtin("classic")) {
        Ok(content) => content,
        Err(problems) => panic!("{problems:?}"),
    };
    let tables = Tables::embedded();
    let cards: Vec<&str> = content.cards.iter().map(|c| c.common.id.as_str()).collect();
    let relics: Vec<&str> = content.relics.iter().map(|c| c.common.id.as_str()).collect();
    let potions: Vec<&str> = content.potions.iter().map(|c| c.common.id.as_str()).collect();
    let fights: Vec<&str> = content.encounters.iter().map(|c| c.common.id.as_str()).collect();
    assert_eq!(missing(&tables.cards, &cards), Vec::<String>::new(), "cards");
    assert_eq!(missing(&tables.relics, &relics), Vec::<String>::new(), "relics");
    assert_eq!(missing(&tables.potions, &potions), Vec::<String>::new(), "potions");
    assert_eq!(missing(&tables.fights, &fights), Vec::<String>::new(), "fights");
}

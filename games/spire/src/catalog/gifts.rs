//! Neow's gifts and drawbacks: where each is offered, what of it the seed decides, and what it does besides.

use super::defs::{Common, Entry};
use super::load::Content;
use super::read::Reader;
use super::verb::{Ground, Step, Verb};
use super::words::GiftRow;
use crate::seeds::{Rarity, Tier};
use turnstone_content::{Fields, Node, Place, Tree, hint};

/// A gift of Neow's, or what one costs.
#[derive(Clone, Debug)]
pub struct Gift {
    /// What every entry has; its id is its name in records.
    pub common: Common,
    /// Where it is offered.
    pub row: GiftRow,
    /// The drawback that it always comes with, and where that is written.
    pub cost: Option<(String, Place)>,
    /// Gifts that this drawback never comes with.
    pub spoils: Vec<(String, Place)>,
    /// What the seed decides.
    pub draws: Vec<GiftDraw>,
    /// The steps.
    pub steps: Vec<Step>,
}

impl Gift {
    /// Whether its steps take the relic that the player began with.
    pub fn takes_the_starter(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.verb, Verb::LoseRelic { relic: None }))
    }
}

/// Something of a gift that the seed decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GiftDraw {
    /// So many cards of the character, of which one may be taken; of a rolled rarity unless said.
    ClassCards(u8, Option<Rarity>),
    /// The same of colorless cards.
    ColorlessCards(u8, Rarity),
    /// So many cards of the character.
    Cards(u8, Rarity),
    /// So many potions to take.
    Potions(u8),
    /// So many relics of a tier.
    Relics(u8, Tier),
    /// So many curses.
    Curses(u8),
}

/// The words for what is drawn, with the key that says of what kind and a sentence each.
pub(crate) const GIFT_DRAWS: [(&str, Option<&str>, &str); 6] = [
    (
        "class_cards",
        Some("rarity"),
        "so many cards of the character, to take one of; common or uncommon as rolled unless `rarity` says",
    ),
    ("colorless_cards", Some("rarity"), "so many colorless cards, to take one of"),
    ("cards", Some("rarity"), "so many cards of the character, which enter the deck"),
    ("potions", None, "so many potions to take"),
    ("relics", Some("tier"), "so many relics"),
    ("curses", None, "so many curses, which enter the deck"),
];

/// The most of a thing that one gift draws.
const MOST: i64 = 9;

impl Entry for Gift {
    const KIND: &'static str = "neow";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        let gift = Gift {
            common: Common::read(r, f, id),
            row: r.must(f, "row", |r, n| r.word(n, GiftRow::ALL)).unwrap_or(GiftRow::Nowhere),
            cost: r.with(f, "cost", Reader::gift_name).flatten(),
            spoils: r.with(f, "spoils", Reader::gift_names).unwrap_or_default(),
            draws: r.with(f, "draws", Reader::gift_draws).unwrap_or_default(),
            steps: r.with(f, "do", |r, n| r.on(Ground::Way, |r| r.steps(n))).unwrap_or_default(),
        };
        if !gift.row.is_cost() && gift.draws.is_empty() && f.get("do").is_none() && f.get("draws").is_none() {
            r.wrong(&f.place.clone(), format!("the gift `{id}` neither draws nor does anything"));
        }
        gift
    }
}

impl Reader {
    fn gift_name(&mut self, node: &Node) -> Option<(String, Place)> {
        Some((self.reference(Gift::KIND, node)?, node.place.clone()))
    }

    fn gift_names(&mut self, node: &Node) -> Vec<(String, Place)> {
        match &node.value {
            Tree::List(items) => items.iter().filter_map(|item| self.gift_name(item)).collect(),
            _ => self.gift_name(node).into_iter().collect(),
        }
    }

    fn gift_draws(&mut self, node: &Node) -> Vec<GiftDraw> {
        match &node.value {
            Tree::List(items) => items.iter().filter_map(|item| self.gift_draw(item)).collect(),
            _ => self.gift_draw(node).into_iter().collect(),
        }
    }

    fn gift_draw(&mut self, node: &Node) -> Option<GiftDraw> {
        let mut fields = Fields::open(node, &mut self.problems)?;
        let names = GIFT_DRAWS.map(|(name, ..)| name);
        let Some((name, value)) = fields.first_of(&names) else {
            let first = fields.keys().next().map_or("", |(key, ..)| key);
            self.wrong(&node.place, format!("nothing is drawn by this{}", hint(first, names)));
            return None;
        };
        let count = self.integer_in(value, 1..=MOST) as u8;
        let f = &mut fields;
        const ANY: &[Rarity] = Rarity::ALL;
        let draw = match name {
            "class_cards" if f.get("rarity").is_none() => Some(GiftDraw::ClassCards(count, None)),
            "class_cards" => self.rarity(f, ANY).map(|rarity| GiftDraw::ClassCards(count, Some(rarity))),
            "colorless_cards" => {
                let rarity = self.rarity(f, &[Rarity::Uncommon, Rarity::Rare]);
                rarity.map(|rarity| GiftDraw::ColorlessCards(count, rarity))
            }
            "cards" => self.rarity(f, ANY).map(|rarity| GiftDraw::Cards(count, rarity)),
            "potions" => Some(GiftDraw::Potions(count)),
            "relics" => {
                let tier = self.one_of(f, "tier", Tier::ALL, Tier::word);
                tier.map(|tier| GiftDraw::Relics(count, tier))
            }
            _ => Some(GiftDraw::Curses(count)),
        };
        fields.finish(&format!("the draw `{name}`"), &mut self.problems);
        draw
    }

    fn rarity(&mut self, fields: &mut Fields<'_>, of: &[Rarity]) -> Option<Rarity> {
        self.one_of(fields, "rarity", of, Rarity::word)
    }

    /// A key that must be one of these.
    fn one_of<T: Copy>(
        &mut self,
        fields: &mut Fields<'_>,
        key: &'static str,
        all: &[T],
        word: fn(T) -> &'static str,
    ) -> Option<T> {
        let (text, place) = self.must(fields, key, |r, node| Some((r.text(node)?, node.place.clone())))?;
        let found = all.iter().copied().find(|one| word(*one) == text);
        if found.is_none() {
            let words: Vec<&str> = all.iter().map(|one| word(*one)).collect();
            let near = hint(&text, words.iter().copied());
            self.wrong(&place, format!("expected one of {}, found `{text}`{near}", words.join(", ")));
        }
        found
    }
}

/// Gifts cost drawbacks, and drawbacks spoil gifts.
pub(super) fn check_gifts(content: &Content, reader: &mut Reader) {
    let is_cost =
        |name: &str| content.gifts.iter().find(|gift| gift.common.id == name).map(|it| it.row.is_cost());
    for gift in &content.gifts {
        let id = &gift.common.id;
        if let Some((cost, place)) = &gift.cost {
            if gift.row.is_cost() {
                reader.wrong(place, format!("`{id}` is a drawback, and has no cost"));
            } else if is_cost(cost) == Some(false) {
                reader.wrong(place, format!("`{cost}` is a gift, and nothing that one costs"));
            }
        }
        for (spoilt, place) in &gift.spoils {
            if !gift.row.is_cost() {
                reader.wrong(place, format!("`{id}` is a gift; what spoils another is a drawback"));
            } else if is_cost(spoilt) == Some(true) {
                reader.wrong(place, format!("`{spoilt}` is a drawback; only gifts are spoilt"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::{Content, Sources};

    fn problems(text: &str) -> Vec<String> {
        let sources = Sources::builtin("classic").with_text("x.toml", text);
        let found = Content::load(&sources).err().unwrap_or_default();
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn mistakes_in_gifts_are_told_all_at_once_with_place_and_nearest_name() {
        assert_eq!(
            problems(
                "[neow.boon]\nrow = \"frist\"\ndraws = [{ potoins = 2 }, { relics = 0, tier = \"bos\" }]\n\n\
                 [neow.bane]\nrow = \"drawback\"\ncost = \"curse\"\nspoils = [\"remove_tow\", \"no_gold\"]\n\n\
                 [neow.bare]\nrow = \"last\"\ncost = \"remove_two\"\n\n\
                 [neow.bold]\nrow = \"first\"\nspoils = \"curse\"\n\
                 draws = { colorless_cards = 3, rarity = \"common\", tier = \"rare\" }\n\n\
                 [neow.remove_crad]\ndo = []\n"
            ),
            [
                "x.toml:2:7: unknown word `frist`; did you mean `first`?",
                "x.toml:3:10: nothing is drawn by this; did you mean `potions`?",
                "x.toml:3:38: expected a number from 1 to 9, found 0",
                "x.toml:3:48: expected one of common, uncommon, rare, shop, boss, found `bos`; did you mean `boss`?",
                "x.toml:7:8: `bane` is a drawback, and has no cost",
                "x.toml:8:11: no neow `remove_tow`; did you mean `remove_two`?",
                "x.toml:8:25: `no_gold` is a drawback; only gifts are spoilt",
                "x.toml:10:7: the gift `bare` neither draws nor does anything",
                "x.toml:12:8: `remove_two` is a gift, and nothing that one costs",
                "x.toml:16:10: `bold` is a gift; what spoils another is a drawback",
                "x.toml:17:41: expected one of uncommon, rare, found `common`; did you mean `uncommon`?",
                "x.toml:17:51: unknown key `tier` in the draw `colorless_cards`; expected one of cards, class_cards, \
                 colorless_cards, curses, potions, rarity, relics",
                "x.toml:19:7: the key `row` is missing; or did you mean the neow `remove_card`?",
            ]
        );
    }

    #[test]
    fn what_was_deleted_is_neither_spoilt_nor_paid() {
        let text = "[neow.remove_two]\ndelete = true\n\n[neow.lose_starter_relic]\ndelete = true\n";
        assert_eq!(problems(text), Vec::<String>::new());
    }
}

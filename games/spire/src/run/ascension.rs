//! What each level of ascension makes harder, in words. The rules themselves stand where they act.

use turnstone_host::{Named, Setting};

/// What the levels from 1 on add to those below them.
const LEVELS: [&str; 20] = [
    "More elites on the map.",
    "And: ordinary enemies hit harder.",
    "And: elites hit harder.",
    "And: bosses hit harder.",
    "And: a new act heals three quarters of what is missing.",
    "And: you start with nine tenths of your HP.",
    "And: ordinary enemies are tougher.",
    "And: elites are tougher.",
    "And: bosses are tougher.",
    "And: you start with the curse Ascender's Bane.",
    "And: one potion slot less.",
    "And: upgraded cards are rarer.",
    "And: bosses leave less gold.",
    "And: less max HP.",
    "And: events are less kind.",
    "And: merchants ask more.",
    "And: ordinary enemies have meaner moves.",
    "And: elites have meaner moves.",
    "And: bosses have meaner moves.",
    "And: two bosses at the end of act 3.",
];

/// The question for a level, 0 first.
pub fn setting() -> Setting {
    let plain = Named::new("0", "The spire as it is.");
    let level = |(at, text): (usize, &&str)| Named::new((at + 1).to_string(), *text);
    let choices = std::iter::once(plain).chain(LEVELS.iter().enumerate().map(level)).collect();
    let question = "which ascension? Each level keeps those below it";
    Setting::choice("ascension", question, "How much harder than usual.", choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_told() {
        let setting = setting();
        let choices = setting.choices();
        let ids: Vec<String> = choices.iter().map(|choice| choice.id.clone()).collect();
        assert_eq!(ids, (0..=20).map(|level| level.to_string()).collect::<Vec<_>>());
        assert_eq!(choices[1].about, "More elites on the map.");
        assert_eq!(choices[20].about, "And: two bosses at the end of act 3.");
    }
}

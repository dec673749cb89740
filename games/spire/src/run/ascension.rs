//! What each level of ascension makes harder, in words. What they do is content.

use turnstone_host::{Named, Setting};

use crate::seeds::{Hardship, Tables};

/// The question for a level, 0 first.
pub(super) fn setting(tables: &Tables) -> Setting {
    let plain = Named::new("0", "The spire as it is.");
    let level = |(at, hardship): (usize, &Hardship)| Named::new(at.to_string(), &hardship.text);
    let levels = tables.hardships.iter().enumerate().skip(1);
    let choices = std::iter::once(plain).chain(levels.map(level)).collect();
    let question = "which ascension? Each level keeps those below it";
    Setting::choice("ascension", question, "How much harder than usual.", choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_told() {
        let setting = setting(Tables::embedded());
        let choices = setting.choices();
        let ids: Vec<String> = choices.iter().map(|choice| choice.id.clone()).collect();
        assert_eq!(ids, (0..=20).map(|level| level.to_string()).collect::<Vec<_>>());
        assert_eq!(choices[1].about, "More elites on the map.");
        assert_eq!(choices[20].about, "And: two bosses at the end of act 3.");
    }
}

//! How strong an opponent is to be, in words that mean the same in every game.

/// The levels, gentlest first: a name that stands wherever a bot is named, and a sentence. Which player each of them is
/// in a game, the game says ([`Hosted::levels`](crate::Hosted::levels)).
pub const LEVELS: [(&str, &str); 5] = [
    ("gentle", "Plays along, and slips most of the time."),
    ("mild", "Knows what to do, and often slips."),
    ("fair", "Slips now and then."),
    ("stern", "Hardly slips."),
    ("merciless", "As strong as this program plays in a moment."),
];

/// Who plays the levels where the game says nothing: searchers that know the rules alone.
pub const USUAL_LEVELS: [&str; 5] =
    ["slips=75:flat:32", "slips=40:flat:32", "slips=15:flat:64", "ismcts:200", "ismcts:1600"];

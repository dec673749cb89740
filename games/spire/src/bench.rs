//! What is measured about fights: playouts, copies, sizes.

use crate::action::{Action, Deed};
use crate::game::{Ruleset, Spire};
use crate::setup::{Fight, Setup};
use crate::state::State;
use std::sync::LazyLock;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game, Input, Log, Off, Position, Recorder, Resolver};
use turnstone_host::Bench;

const PLAYOUT: Stream = Stream::named("playout");

static GAME: LazyLock<Option<Spire>> = LazyLock::new(|| Spire::builtin(Ruleset::Classic).ok());

/// A battle to play out.
#[derive(Clone, Copy, Debug)]
pub struct Battle {
    /// The encounter.
    pub encounter: &'static str,
    /// 35 cards and 15 relics instead of the starter deck.
    pub large: bool,
}

// Names content: rates are compared from year to year, with the same cards.
const LARGE_DECK: &[&str] = &[
    "strike_ironclad*4",
    "defend_ironclad*4",
    "bash+",
    "pommel_strike*2",
    "shrug_it_off*2",
    "iron_wave",
    "twin_strike",
    "anger",
    "cleave",
    "clothesline",
    "uppercut",
    "inflame",
    "metallicize",
    "flame_barrier",
    "battle_trance",
    "whirlwind",
    "headbutt",
    "thunderclap",
    "carnage",
    "shockwave",
    "true_grit",
    "armaments",
    "ghostly_armor",
    "impervious",
    "offering",
    "body_slam",
    "heavy_blade",
    "wild_strike",
];

// Names content: the same of relics.
const LARGE_RELICS: &[&str] = &[
    "burning_blood",
    "vajra",
    "anchor",
    "lantern",
    "bag_of_marbles",
    "kunai",
    "shuriken",
    "ornamental_fan",
    "nunchaku",
    "pen_nib",
    "orichalcum",
    "horn_cleat",
    "mercury_hourglass",
    "happy_flower",
    "letter_opener",
];

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_string()).collect()
}

impl Battle {
    /// The position after the fight of that seed began.
    pub fn position(self, spire: &Spire, seed: u64) -> Option<Position<Spire>> {
        let mut fight = Fight { encounter: Some(self.encounter.into()), ..Fight::default() };
        if self.large {
            fight.deck = Some(names(LARGE_DECK));
            fight.relics = Some(names(LARGE_RELICS));
        }
        let state = spire.start(&Setup::fight(fight), seed).ok()?;
        let mut position = Position::new(state);
        Resolver::default()
            .act(spire, &mut position, &Input::Act(Deed::Fight(Action::Begin)), &mut Off)
            .ok()?;
        Some(position)
    }
}

/// Plays random legal actions to the end; tells how many. Never inlined, so that profilers find it by name.
#[inline(never)]
pub fn playout<R: Recorder<Spire>>(
    spire: &Spire,
    position: &mut Position<Spire>,
    resolver: &mut Resolver<Spire>,
    legal: &mut Vec<Deed>,
    lots: &mut Lots,
    recorder: &mut R,
) -> u64 {
    let mut count = 0;
    loop {
        let input = if let Some(pending) = position.pending() {
            let mut answers = Vec::new();
            spire.answers(position.state(), &pending.question, &mut answers);
            match lots.pick(&answers) {
                Some(answer) => Input::Choose(*answer),
                None => return count,
            }
        } else {
            legal.clear();
            spire.legal(position.state(), legal);
            match lots.pick(legal) {
                Some(action) => Input::Act(*action),
                None => return count,
            }
        };
        count += 1;
        if count > 5000 || resolver.act_unchecked(spire, position, &input, recorder).is_err() {
            return count;
        }
    }
}

/// The seeds that playouts begin from, in turn: one fight alone would be luck.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=8;

/// Plays `games` random playouts of a battle, from several seeds in turn; tells the actions made.
pub fn play_out<R: Recorder<Spire> + Default>(
    battle: Battle,
    games: u64,
    mut clear: impl FnMut(&mut R),
) -> u64 {
    let Some(spire) = GAME.as_ref() else { return 0 };
    let starts: Vec<Position<Spire>> = SEEDS.filter_map(|seed| battle.position(spire, seed)).collect();
    let Some(mut scratch) = starts.first().cloned() else { return 0 };
    let (mut resolver, mut legal) = (Resolver::default(), Vec::new());
    let mut recorder = R::default();
    let mut lots = Lots::new(games, PLAYOUT);
    let mut actions = 0;
    for start in starts.iter().cycle().take(games as usize) {
        scratch.clone_from(start);
        actions += playout(spire, &mut scratch, &mut resolver, &mut legal, &mut lots, &mut recorder);
        clear(&mut recorder);
    }
    actions
}

macro_rules! battle {
    ($name:literal, $encounter:literal, $large:literal) => {
        [
            Bench {
                name: concat!("spire/battle/", $name).into(),
                unit: "playouts",
                about: "Copy the start, random legal actions to the end, log off.".into(),
                parts: Some(("actions", || actions(Battle { encounter: $encounter, large: $large }))),
                prepare: || {
                    let battle = Battle { encounter: $encounter, large: $large };
                    Box::new(move || {
                        play_out::<Off>(battle, 400, |_| {});
                        400
                    })
                },
                facts: Some(|| facts(Battle { encounter: $encounter, large: $large })),
            },
            Bench {
                name: concat!("spire/battle/", $name, "/log-on").into(),
                unit: "playouts",
                about: "The same with every event logged.".into(),
                parts: Some(("actions", || actions(Battle { encounter: $encounter, large: $large }))),
                prepare: || {
                    let battle = Battle { encounter: $encounter, large: $large };
                    Box::new(move || {
                        play_out::<Log<Spire>>(battle, 400, Log::clear);
                        400
                    })
                },
                facts: None,
            },
        ]
    };
}

fn facts(battle: Battle) -> Vec<(String, String)> {
    let Some(spire) = GAME.as_ref() else { return Vec::new() };
    let Some(position) = battle.position(spire, 1) else { return Vec::new() };
    vec![("bytes".into(), bytes(position.state()).to_string())]
}

/// Actions of a playout on average.
fn actions(battle: Battle) -> f64 {
    play_out::<Off>(battle, 400, |_| {}) as f64 / 400.0
}

/// Bytes of a state, with what its lists hold.
pub fn bytes(s: &State) -> usize {
    let combat = &s.combat;
    let lists = combat.draw.len() + combat.hand.len() + combat.discard.len() + combat.exhaust.len();
    size_of::<State>()
        + lists * 2
        + combat.cards.len() * size_of::<crate::state::Card>()
        + combat.bodies.len() * size_of::<crate::state::Body>()
        + combat.bodies.iter().map(|body| body.powers.len()).sum::<usize>() * 8
        + s.run.deck.len() * size_of::<crate::state::DeckCard>()
        + s.run.relics.len() * 4
        + s.run.potions.len() * 2
}

/// The benchmarks of fights.
pub(crate) fn battles() -> Vec<Bench> {
    let mut all: Vec<Bench> = Vec::new();
    // Names content: the fights that are timed.
    all.extend(battle!("cultist", "cultist", false));
    all.extend(battle!("jaw_worm", "jaw_worm", false));
    all.extend(battle!("slime_boss", "slime_boss", false));
    all.extend(battle!("hexaghost", "hexaghost", false));
    all.extend(battle!("jaw_worm_35_cards_15_relics", "jaw_worm", true));
    all.push(Bench {
        name: "spire/battle/copy".into(),
        unit: "copies",
        about: "Copy a fight with a starter deck into a warm place.".into(),
        parts: None,
        prepare: || {
            let battle = Battle { encounter: "jaw_worm", large: false };
            let start = GAME.as_ref().and_then(|spire| battle.position(spire, 1));
            let mut scratch = start.clone();
            Box::new(move || {
                if let (Some(start), Some(scratch)) = (&start, &mut scratch) {
                    for _ in 0..100_000 {
                        scratch.clone_from(std::hint::black_box(start));
                    }
                    std::hint::black_box(&scratch);
                }
                100_000
            })
        },
        facts: None,
    });
    all
}

/// Plays a fight at random to its end and shows the state after every action.
#[cfg(test)]
pub(crate) fn play_with(spire: &Spire, fight: Fight, seed: u64, mut see: impl FnMut(&State)) {
    let state = spire.start(&Setup::fight(fight), seed).expect("a sound set-up");
    let mut position = Position::new(state);
    let (mut resolver, mut legal) = (Resolver::<Spire>::thorough(), Vec::new());
    let mut lots = Lots::new(seed, PLAYOUT);
    loop {
        legal.clear();
        spire.legal(position.state(), &mut legal);
        let Some(action) = lots.pick(&legal) else { return };
        resolver.act(spire, &mut position, &Input::Act(*action), &mut Off).expect("it is legal");
        see(position.state());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_end_and_states_are_small() {
        for encounter in ["cultist", "jaw_worm", "slime_boss", "hexaghost"] {
            assert!(play_out::<Off>(Battle { encounter, large: false }, 5, |_| {}) > 10);
        }
        let spire = GAME.as_ref().unwrap();
        let position = Battle { encounter: "jaw_worm", large: false }.position(spire, 1).unwrap();
        assert!(bytes(position.state()) < 2048, "{}", bytes(position.state()));
    }
}

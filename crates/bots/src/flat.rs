//! Flat Monte Carlo with sequential halving: all options get the same number of playouts, the worse
//! half is left out, and so on until one is left. In each round every option is tried in the same
//! sampled worlds, so that luck is the same for all.

use turnstone::dice::{Draw, Lots, Stream};
use turnstone_host::{Hosted, Sight, Weighed};

use crate::playout::Hands;
use crate::searcher::{Found, Spending};

/// How many rounds it takes until one of so many options is left.
pub(crate) fn rounds(options: usize) -> u32 {
    (usize::BITS - options.saturating_sub(1).leading_zeros()).max(1)
}

pub(crate) fn search<G: Hosted>(
    sight: &Sight<'_, G>,
    spending: Spending,
    longest: u32,
    lots: &mut Lots,
) -> Found<G> {
    let inputs = sight.inputs();
    let mut hands = Hands::new(sight.game());
    let (mut sums, mut visits) = (vec![0.0; inputs.len()], vec![0u64; inputs.len()]);
    let mut purse = spending.budget as usize;
    let mut left = some_of(inputs.len(), purse, lots);
    // All that are left have been tried equally often, so a round is played whole or not at all.
    while purse >= left.len() {
        let fair = purse / rounds(left.len()) as usize / left.len();
        for tried in 0..fair.max(1) {
            // Every round has at least one try of all that are left.
            if tried > 0 && spending.late() {
                break;
            }
            let (world, seed) = (sight.sample(lots), lots.next_u64());
            for &option in &left {
                let mut tried = world.clone();
                let mut luck = Lots::new(seed, Stream::named("playout"));
                let whole = hands.send(&mut tried, &inputs[option]);
                let far = if whole { hands.far(&tried, sight.seat(), longest) } else { 0 };
                let whole = whole && hands.play_on(&mut tried, far, &mut luck);
                sums[option] += if whole { hands.value(&tried, sight.seat()) } else { 0.5 };
                visits[option] += 1;
            }
            purse -= left.len();
        }
        let mean = |option: &usize| sums[*option] / visits[*option] as f64;
        left.sort_by(|a, b| mean(b).total_cmp(&mean(a)).then(a.cmp(b)));
        left.truncate(left.len().div_ceil(2));
        if left.len() == 1 {
            break;
        }
    }
    let weighed = |index: usize| match visits[index] {
        0 => Weighed::default(),
        tries => Weighed { visits: tries, value: sums[index] / tries as f64 },
    };
    Found {
        options: (0..inputs.len()).map(weighed).collect(),
        best: left[0],
        line: vec![inputs[left[0]].clone()],
    }
}

/// All options, or, where not each of them can be tried once, as many as can, by lot.
fn some_of(options: usize, most: usize, lots: &mut Lots) -> Vec<usize> {
    let mut left: Vec<usize> = (0..options).collect();
    while left.len() > most.max(1) {
        let Some(unlucky) = lots.index(left.len()) else { break };
        left.swap_remove(unlucky);
    }
    left.sort_unstable();
    left
}

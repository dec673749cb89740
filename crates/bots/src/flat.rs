//! Flat Monte Carlo with sequential halving: all options get the same number of playouts, the worse
//! half is left out, and so on until one is left. In each round every option is tried in the same
//! sampled worlds, so that luck is the same for all.

use turnstone::dice::{Draw, Lots, Stream};
use turnstone_host::{Hosted, Sight, Weighed};

use crate::playout::Hands;
use crate::searcher::{Found, Spending};

pub(crate) fn search<G: Hosted>(
    sight: &Sight<'_, G>,
    spending: Spending,
    longest: u32,
    lots: &mut Lots,
) -> Found<G> {
    let inputs = sight.inputs();
    let mut hands = Hands::new(sight.game());
    let (mut sums, mut visits) = (vec![0.0; inputs.len()], vec![0u64; inputs.len()]);
    let mut left: Vec<usize> = (0..inputs.len()).collect();
    let rounds = usize::BITS - (inputs.len() - 1).leading_zeros();
    while left.len() > 1 {
        let tries = (spending.budget as usize / rounds.max(1) as usize / left.len()).max(1);
        for tried in 0..tries {
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
        }
        let mean = |option: &usize| sums[*option] / visits[*option] as f64;
        left.sort_by(|a, b| mean(b).total_cmp(&mean(a)).then(a.cmp(b)));
        left.truncate(left.len().div_ceil(2));
    }
    let weighed = |index: usize| Weighed { visits: visits[index], value: sums[index] / visits[index] as f64 };
    Found { options: (0..inputs.len()).map(weighed).collect(), line: vec![inputs[left[0]].clone()] }
}

//! The numbers of the three engines on the same chain reactions.

#[path = "../../benches/engines/mod.rs"]
mod engines;

use engines::{BLOCKS, Queue, frozen, stack};

const CAP: u64 = 3_000_000;

#[test]
fn the_three_engines_count_as_recorded() {
    let recorded = [
        ("line of 20", Some((39, 20)), (20, 20), (20, 0)),
        ("2x2", Some((49, 16)), (7, 4), (4, 3)),
        ("2x3", Some((317, 88)), (12, 6), (6, 6)),
        ("3x3", Some((5_789, 1_373)), (21, 9), (9, 12)),
        ("2x5", Some((8_677, 2_208)), (22, 10), (10, 12)),
        ("2x6", Some((42_693, 10_752)), (27, 12), (12, 15)),
        ("3x4", Some((93_797, 20_662)), (30, 12), (12, 18)),
        ("4x4", None, (43, 16), (16, 27)),
        ("4x5", None, (56, 20), (20, 36)),
        ("6x8", None, (153, 48), (48, 105)),
    ];
    for (block, (name, recursion, pipeline, queue)) in BLOCKS.into_iter().zip(recorded) {
        assert_eq!(block.name(), name);
        assert_eq!(Queue::new(block).run(), queue, "listener queue, {name}");
        assert_eq!(stack(block), pipeline, "interceptor stack, {name}");
        assert_eq!(frozen(block, CAP), recursion, "frozen recursion, {name}");
    }
}

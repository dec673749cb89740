//! The 64-bit hash CPython gives to a pair of integers.

const PRIME_1: u64 = 11_400_714_785_074_694_791;
const PRIME_2: u64 = 14_029_467_366_897_019_727;
const PRIME_5: u64 = 2_870_177_450_012_600_261;
const MODULUS: u64 = (1 << 61) - 1;

/// The hash of the pair `(a, b)`; wind is seeded with `(seed, turn)`.
///
/// ```
/// assert_eq!(turnstone_grid::random::hash_pair(0, 0), -8458139203682520985);
/// ```
pub fn hash_pair(a: i64, b: i64) -> i64 {
    let mut acc = PRIME_5;
    for item in [a, b] {
        acc = acc.wrapping_add((hash_int(item) as u64).wrapping_mul(PRIME_2));
        acc = acc.rotate_left(31).wrapping_mul(PRIME_1);
    }
    acc = acc.wrapping_add(2 ^ (PRIME_5 ^ 3_527_539));
    if acc == u64::MAX { 1_546_275_796 } else { acc as i64 }
}

fn hash_int(value: i64) -> i64 {
    let reduced = (value.unsigned_abs() % MODULUS) as i64;
    match if value < 0 { -reduced } else { reduced } {
        // −1 means "error" in the reference's runtime, so it never hashes to it.
        -1 => -2,
        hash => hash,
    }
}

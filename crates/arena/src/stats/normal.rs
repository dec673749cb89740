//! The normal distribution.

/// How many standard deviations hold 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The share of a standard normal below `x`.
pub fn phi(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

/// The complementary error function: a series near zero, a continued fraction in the tails; the
/// relative error is below 1e-12.
fn erfc(x: f64) -> f64 {
    let z = x.abs();
    let tail = if z < 2.5 { 1.0 - erf_series(z) } else { erfc_fraction(z) };
    if x < 0.0 { 2.0 - tail } else { tail }
}

/// erf(z) = 2/√π · e^(−z²) · Σ 2ⁿ z^(2n+1) / (1·3·…·(2n+1)).
fn erf_series(z: f64) -> f64 {
    let (mut term, mut sum, mut n) = (z, z, 0.0);
    while term > 1e-17 * sum {
        n += 1.0;
        term *= 2.0 * z * z / (2.0 * n + 1.0);
        sum += term;
    }
    2.0 / std::f64::consts::PI.sqrt() * (-z * z).exp() * sum
}

/// erfc(z) = e^(−z²)/√π · 1/(z + ½/(z + 1/(z + 3/2/(z + …)))), from far inside.
fn erfc_fraction(z: f64) -> f64 {
    let inner = (1..=120).rev().fold(z, |below, k| z + f64::from(k) / 2.0 / below);
    (-z * z).exp() / std::f64::consts::PI.sqrt() / inner
}

/// The value below which a standard normal lies with probability `p`; infinite at 0 and 1.
pub fn quantile(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (-40.0, 40.0);
    while high - low > 1e-13 {
        let middle = 0.5 * (low + high);
        if phi(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
        if middle == low && middle == high {
            break;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-2.0, 0.022_750_131_948_179_2),
            (5.0, 0.999_999_713_348_428_1),
        ] {
            assert!((phi(x) - p).abs() < 1e-12, "{x}: {} is not {p}", phi(x));
        }
        assert!((phi(-8.0) / 6.220_960_574_271_785e-16 - 1.0).abs() < 1e-9);
        assert!((quantile(0.975) - Z95).abs() < 1e-9);
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
    }
}

//! The beta distribution: what is known of a share after some successes and failures.

/// The share of a beta distribution with these weights below `x`: the regularized incomplete beta function.
pub(super) fn beta_below(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    // The fraction converges quickly on its own side of the mean.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(1.0 - x, b, a) / b
    }
}

/// Terms of the fraction at most; it needs about as many as the root of the greater weight.
const TERMS: u32 = 100_000;

/// The continued fraction of the incomplete beta function, from outside to inside (Lentz).
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let not_zero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut above, mut below) = (1.0, 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut product = below;
    for term in 1..=TERMS {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for weight in [even, odd] {
            below = 1.0 / not_zero(1.0 + weight * below);
            above = not_zero(1.0 + weight / above);
            change = above * below;
            product *= change;
        }
        if (change - 1.0).abs() < 1e-14 {
            break;
        }
    }
    product
}

/// The logarithm of the gamma function of what is more than 0 (Lanczos, as Godfrey gives the numbers).
fn ln_gamma(x: f64) -> f64 {
    const SERIES: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let terms = SERIES.iter().zip(0_u8..).map(|(weight, n)| weight / (x + f64::from(n)));
    let sum = 0.999_999_999_999_809_9 + terms.sum::<f64>();
    let far = x + 6.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x - 0.5) * far.ln() - far + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (x, a, b, below) in [
            // 1 − (1 − x)^b, and x^a.
            (0.5, 1.0, 6.0, 1.0 - 1.0 / 64.0),
            (0.5, 6.0, 1.0, 1.0 / 64.0),
            // Binomial sums: at least 3 of 5, and at least 8 of 12, with 3 in 10.
            (0.5, 3.0, 3.0, 0.5),
            (0.3, 8.0, 5.0, 0.009_489_4),
        ] {
            assert!((beta_below(x, a, b) - below).abs() < 1e-6, "{x} {a} {b}: {}", beta_below(x, a, b));
        }
        assert!((beta_below(0.5, 50_000.0, 50_000.0) - 0.5).abs() < 1e-8);
        assert_eq!((beta_below(0.0, 2.0, 2.0), beta_below(1.0, 2.0, 2.0)), (0.0, 1.0));
        assert!(
            (ln_gamma(5.0) - 24.0_f64.ln()).abs() < 1e-12
                && (ln_gamma(0.5).exp().powi(2) - std::f64::consts::PI).abs() < 1e-12
        );
    }
}

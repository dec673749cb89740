//! Numbers in words, where rounding would say too much: nothing that was counted is certain or impossible.

/// How likely something is, in percent.
pub(crate) fn likely(share: f64, digits: usize) -> String {
    let (percent, least) = (100.0 * share, 10.0_f64.powi(-(digits as i32)));
    // What would be written as 100 is not that sure, and what would be written as 0 not that unlikely.
    if percent > 100.0 - least / 2.0 {
        format!("> {:.digits$}", 100.0 - least)
    } else if percent < least / 2.0 {
        format!("< {least:.digits$}")
    } else {
        format!("{percent:.digits$}")
    }
}

/// How likely something is by chance, as a fraction.
pub(crate) fn by_chance(p: f64, digits: usize) -> String {
    let least = 10.0_f64.powi(-(digits as i32));
    if p < least / 2.0 { format!("< {least:.digits$}") } else { format!("{p:.digits$}") }
}

/// That these play by the clock, so that what is reported cannot be repeated; nothing if nobody does.
pub fn clock_told(names: &[String]) -> Option<String> {
    let who = match names {
        [] => return None,
        [one] => format!("{one} plays"),
        many => format!("{} play", many.join(", ")),
    };
    Some(format!("not reproducible: {who} by the clock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_told_as_certain_or_impossible() {
        assert_eq!(
            [1.0, 0.999_99, 0.984_4, 0.0].map(|p| likely(p, 1)),
            ["> 99.9", "> 99.9", "98.4", "< 0.1"]
        );
        assert_eq!([0.996, 0.5, 0.004].map(|p| likely(p, 0)), ["> 99", "50", "< 1"]);
        assert_eq!(
            [0.0, 0.000_06, 0.0313, 1.0].map(|p| by_chance(p, 4)),
            ["< 0.0001", "0.0001", "0.0313", "1.0000"]
        );
    }
}

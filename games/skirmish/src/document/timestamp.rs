//! RFC 3339 date-times with a zone.

/// True for `2026-01-01T00:00:00Z`, with an optional fraction and `Z` or an offset.
///
/// ```
/// use turnstone_skirmish::document::timestamp::is_date_time;
/// assert!(is_date_time("2026-01-01T00:00:00.000Z"));
/// assert!(is_date_time("2024-02-29T23:59:59+05:30"));
/// assert!(!is_date_time("2026-01-01T00:00:00"));
/// assert!(!is_date_time("2026-02-30T00:00:00Z"));
/// ```
pub fn is_date_time(text: &str) -> bool {
    split(text).is_some_and(|(date, time, zone)| is_date(date) && is_time(time) && is_zone(zone))
}

fn split(text: &str) -> Option<(&str, &str, &str)> {
    let (date, rest) = text.split_once(['T', 't'])?;
    let zone_at = rest.find(['Z', 'z', '+', '-'])?;
    let (time, zone) = rest.split_at(zone_at);
    Some((date, time, zone))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    match (number(year, 4), number(month, 2), number(day, 2)) {
        (Some(y), Some(m @ 1..=12), Some(d)) => (1..=days(y, m)).contains(&d),
        _ => false,
    }
}

fn days(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_time(text: &str) -> bool {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let parts: Vec<&str> = whole.split(':').collect();
    let [h, m, s] = parts[..] else { return false };
    let clock =
        matches!((number(h, 2), number(m, 2), number(s, 2)), (Some(0..=23), Some(0..=59), Some(0..=60)));
    clock && fraction.is_none_or(|f| !f.is_empty() && f.bytes().all(|b| b.is_ascii_digit()))
}

fn is_zone(text: &str) -> bool {
    if text.eq_ignore_ascii_case("z") {
        return true;
    }
    let Some((h, m)) = text.get(1..).and_then(|rest| rest.split_once(':')) else { return false };
    matches!((number(h, 2), number(m, 2)), (Some(0..=23), Some(0..=59)))
}

fn number(text: &str, width: usize) -> Option<u32> {
    (text.len() == width && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

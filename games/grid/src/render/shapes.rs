//! The shapes: one drawing per picture, in a square of 100 × 100, without a
//! single letter, so that no font is needed.

/// The shape of a picture; `tint` colours what belongs to a group.
pub(super) fn shape(texture: &str, tint: &str) -> String {
    match texture {
        "floor" => FLOOR.into(),
        "wall" => WALL.into(),
        "human" => human("#2f6fde", "#f3c9a5"),
        "sleeping" => SLEEPING.into(),
        "coin" => COIN.into(),
        "gem" => GEM.into(),
        "metalbox" => METAL_BOX.into(),
        "box" => BOX.into(),
        "robot" => ROBOT.into(),
        "wolf" => WOLF.into(),
        "key" => key(tint),
        "portal" => portal(tint),
        "locked" => locked(tint),
        "opened" => OPENED.into(),
        "shield" => SHIELD.into(),
        "ghost" => GHOST.into(),
        "boots" => BOOTS.into(),
        "spike" => SPIKE.into(),
        "lava" => LAVA.into(),
        "exit" => EXIT.into(),
        "hourglass" => HOURGLASS.into(),
        "heart" => HEART.into(),
        _ => THING.into(),
    }
}

const FLOOR: &str = r##"<rect width="100" height="100" fill="#ece7da"/><path d="M0 100V0H100" fill="none" stroke="#dcd5c3" stroke-width="3"/>"##;
const WALL: &str = r##"<rect width="100" height="100" fill="#5a6270"/><path d="M0 33H100M0 66H100M33 0V33M75 33V66M33 66V100" stroke="#474e5a" stroke-width="5"/><path d="M0 0H100" stroke="#737c8b" stroke-width="6"/>"##;
const SLEEPING: &str = r##"<ellipse cx="52" cy="66" rx="36" ry="16" fill="#9aa4b5"/><circle cx="24" cy="58" r="16" fill="#d9c3b0"/><path d="M16 52l8 8m0-8l-8 8M28 52l8 8m0-8l-8 8" stroke="#5c4636" stroke-width="3"/>"##;
const COIN: &str = r##"<circle cx="50" cy="50" r="30" fill="#f2b824" stroke="#b97f08" stroke-width="6"/><path d="M50 34V66M42 42h12a6 6 0 010 8h-8a6 6 0 000 8h12" fill="none" stroke="#b97f08" stroke-width="5"/>"##;
const GEM: &str = r##"<path d="M50 12L84 42L50 90L16 42Z" fill="#29b8a6" stroke="#0d6f66" stroke-width="5"/><path d="M16 42H84M50 12L36 42L50 90L64 42Z" fill="none" stroke="#a5f0e5" stroke-width="3"/>"##;
const METAL_BOX: &str = r##"<rect x="8" y="8" width="84" height="84" rx="8" fill="#9aa3ad" stroke="#646c76" stroke-width="6"/><rect x="24" y="24" width="52" height="52" fill="#b6bec7" stroke="#7d8590" stroke-width="4"/><circle cx="17" cy="17" r="4" fill="#646c76"/><circle cx="83" cy="17" r="4" fill="#646c76"/><circle cx="17" cy="83" r="4" fill="#646c76"/><circle cx="83" cy="83" r="4" fill="#646c76"/>"##;
const BOX: &str = r##"<rect x="8" y="8" width="84" height="84" rx="4" fill="#c48a4a" stroke="#7f5423" stroke-width="7"/><path d="M14 14L86 86M86 14L14 86" stroke="#9c6a31" stroke-width="9"/><rect x="8" y="8" width="84" height="84" rx="4" fill="none" stroke="#7f5423" stroke-width="7"/>"##;
const ROBOT: &str = r##"<rect x="18" y="26" width="64" height="58" rx="12" fill="#d8454a" stroke="#8c1f25" stroke-width="5"/><path d="M50 26V12" stroke="#8c1f25" stroke-width="5"/><circle cx="50" cy="10" r="6" fill="#ffd166"/><circle cx="37" cy="48" r="9" fill="#fff"/><circle cx="63" cy="48" r="9" fill="#fff"/><circle cx="37" cy="49" r="4" fill="#222"/><circle cx="63" cy="49" r="4" fill="#222"/><path d="M34 70H66" stroke="#fff" stroke-width="6"/>"##;
const WOLF: &str = r##"<path d="M18 14L40 34H60L82 14L84 56L50 92L16 56Z" fill="#6d5a8e" stroke="#3f3158" stroke-width="5"/><circle cx="36" cy="50" r="6" fill="#ffe066"/><circle cx="64" cy="50" r="6" fill="#ffe066"/><path d="M42 72L50 80L58 72" fill="#2a2038"/>"##;
const OPENED: &str = r##"<path d="M14 96V8H86V96" fill="none" stroke="#7f5423" stroke-width="10"/><path d="M22 14L48 24V92L22 96Z" fill="#b07a3c" stroke="#7f5423" stroke-width="4"/>"##;
const SHIELD: &str = r##"<path d="M50 10L84 22V50Q84 76 50 92Q16 76 16 50V22Z" fill="#4f8ef7" stroke="#1f4fa3" stroke-width="6"/><path d="M50 22V80M28 44H72" stroke="#dbe8ff" stroke-width="8"/>"##;
const GHOST: &str = r##"<path d="M20 90V46Q20 12 50 12Q80 12 80 46V90L70 80L60 90L50 80L40 90L30 80Z" fill="#f4f6fb" stroke="#8c97ad" stroke-width="5"/><circle cx="39" cy="44" r="6" fill="#39435a"/><circle cx="61" cy="44" r="6" fill="#39435a"/>"##;
const BOOTS: &str = r##"<path d="M30 14H56V56L84 66Q90 70 88 84H30Z" fill="#8a4b2a" stroke="#532a14" stroke-width="5"/><path d="M10 34H24M6 50H24M12 66H24" stroke="#4aa3df" stroke-width="6"/>"##;
const SPIKE: &str = r##"<path d="M6 90L22 40L38 90ZM34 90L50 26L66 90ZM62 90L78 40L94 90Z" fill="#aab2bd" stroke="#59616c" stroke-width="4"/>"##;
const LAVA: &str = r##"<rect width="100" height="100" fill="#e2561b"/><path d="M0 30Q25 14 50 30T100 30M0 60Q25 44 50 60T100 60M0 90Q25 74 50 90T100 90" fill="none" stroke="#ffc244" stroke-width="8"/>"##;
const EXIT: &str = r##"<path d="M16 96V10H84V96Z" fill="#2f9e5b" stroke="#17603a" stroke-width="7"/><path d="M34 52H62M50 36L66 52L50 68" fill="none" stroke="#eafff2" stroke-width="9"/>"##;
const HOURGLASS: &str = r##"<path d="M26 14H74L56 50L74 86H26L44 50Z" fill="#fffdf6" stroke="#5b4a33" stroke-width="7"/><path d="M40 26H60L50 46Z" fill="#d8a648"/><path d="M32 82L50 66L68 82Z" fill="#d8a648"/><path d="M18 12H82M18 88H82" stroke="#5b4a33" stroke-width="9"/>"##;
const HEART: &str = r##"<path d="M50 86Q12 58 12 36Q12 16 31 16Q44 16 50 30Q56 16 69 16Q88 16 88 36Q88 58 50 86Z" fill="#d8363c" stroke="#8c1f25" stroke-width="6"/>"##;
const THING: &str = r##"<path d="M50 8L88 30V70L50 92L12 70V30Z" fill="#c9cdd4" stroke="#767d88" stroke-width="6"/><circle cx="50" cy="50" r="14" fill="none" stroke="#767d88" stroke-width="7"/>"##;

/// A person.
pub(super) fn human(coat: &str, skin: &str) -> String {
    format!(
        r##"<path d="M22 92Q22 52 50 52Q78 52 78 92Z" fill="{coat}" stroke="#1d2b4a" stroke-width="4"/><circle cx="50" cy="32" r="20" fill="{skin}" stroke="#6b4a33" stroke-width="4"/><circle cx="43" cy="31" r="3" fill="#222"/><circle cx="57" cy="31" r="3" fill="#222"/>"##
    )
}

fn key(tint: &str) -> String {
    format!(
        r##"<circle cx="30" cy="50" r="18" fill="none" stroke="#4a3b10" stroke-width="16"/><path d="M48 50H90M74 50V68M86 50V64" stroke="#4a3b10" stroke-width="14"/><circle cx="30" cy="50" r="18" fill="none" stroke="{tint}" stroke-width="9"/><path d="M48 50H88M74 50V66M86 50V62" stroke="{tint}" stroke-width="8"/>"##
    )
}

fn portal(tint: &str) -> String {
    format!(
        r##"<ellipse cx="50" cy="50" rx="34" ry="42" fill="#1d1b2e"/><ellipse cx="50" cy="50" rx="34" ry="42" fill="none" stroke="{tint}" stroke-width="9"/><ellipse cx="50" cy="50" rx="20" ry="27" fill="none" stroke="{tint}" stroke-width="6"/><ellipse cx="50" cy="50" rx="8" ry="12" fill="{tint}"/>"##
    )
}

fn locked(tint: &str) -> String {
    format!(
        r##"<rect x="12" y="6" width="76" height="92" rx="6" fill="#9a6a35" stroke="#5f3d17" stroke-width="7"/><path d="M38 6V98M62 6V98" stroke="#7f5423" stroke-width="4"/><rect x="32" y="42" width="36" height="32" rx="5" fill="{tint}" stroke="#3b2a10" stroke-width="4"/><path d="M40 42V34a10 10 0 0120 0V42" fill="none" stroke="#3b2a10" stroke-width="6"/><circle cx="50" cy="55" r="5" fill="#3b2a10"/><path d="M50 56V68" stroke="#3b2a10" stroke-width="5"/>"##
    )
}

/// A colour for a group, always the same for the same name.
pub(super) fn tint(group: Option<&str>) -> String {
    let Some(group) = group else { return "#e0b03c".into() };
    let hash =
        group.bytes().fold(2_166_136_261_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619));
    let hue = (hash >> 8) % 360;
    let (sector, within) = (hue / 60, hue % 60);
    // High 215, low 60, and one channel on its way between them.
    let (high, low) = (215, 60);
    let (up, down) = (low + (high - low) * within / 60, high - (high - low) * within / 60);
    let (red, green, blue) = match sector {
        0 => (high, up, low),
        1 => (down, high, low),
        2 => (low, high, up),
        3 => (low, down, high),
        4 => (up, low, high),
        _ => (high, low, down),
    };
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The segments of the digits 0 to 9, as on a pocket calculator: top, two upper, middle, two lower, bottom.
const SEGMENTS: [u8; 10] = [0x77, 0x24, 0x5d, 0x6d, 0x2e, 0x6b, 0x7b, 0x25, 0x7f, 0x6f];
const STROKES: [&str; 7] = ["M1 0H7", "M0 1V7", "M8 1V7", "M1 8H7", "M0 9V15", "M8 9V15", "M1 16H7"];

/// A whole number in segments, each digit 12 wide and 16 high.
pub(super) fn number(value: i64) -> String {
    let mut out = String::new();
    for (place, letter) in value.to_string().chars().enumerate() {
        let path: String = match letter.to_digit(10) {
            None => STROKES[3].into(),
            Some(digit) => {
                let lit = SEGMENTS[digit as usize];
                STROKES
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| lit & (1 << bit) != 0)
                    .map(|(_, stroke)| *stroke)
                    .collect()
            }
        };
        out.push_str(&format!(r##"<path transform="translate({} 0)" d="{path}"/>"##, place * 12));
    }
    format!(r##"<g fill="none" stroke="#20242c" stroke-width="2" stroke-linecap="round">{out}</g>"##)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_steady_colours() {
        assert_eq!(tint(Some("key:a")), tint(Some("key:a")));
        assert_ne!(tint(Some("key:a")), tint(Some("key:b")));
    }

    #[test]
    fn numbers_are_strokes() {
        assert_eq!(number(-1).matches("<path").count(), 2);
        assert!(number(8).contains("M1 0H7M0 1V7M8 1V7M1 8H7M0 9V15M8 9V15M1 16H7"));
        assert!(number(1).contains("d=\"M8 1V7M8 9V15\""));
    }
}

//! Pictures as pixels. A program that draws needs no fonts: letters are drawn with the strokes below.

use std::fmt::Write;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::Trouble;

/// One of our pictures as a PNG file, twice as fine as it is drawn.
///
/// # Errors
/// If it is no picture.
pub fn png(svg: &str) -> Result<Vec<u8>, Trouble> {
    let broken = |text: String| Trouble::new("PICTURE_FAILED", text);
    let tree =
        Tree::from_str(&with_strokes(svg), &Options::default()).map_err(|error| broken(error.to_string()))?;
    let size = tree.size().to_int_size();
    let pixmap = Pixmap::new(size.width().saturating_mul(2), size.height().saturating_mul(2));
    let mut pixmap = pixmap.ok_or_else(|| broken("no room for the picture".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(2.0, 2.0), &mut pixmap.as_mut());
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, pixmap.width(), pixmap.height());
    encoder.set_color(::png::ColorType::Rgba);
    let plain: Vec<u8> = pixmap
        .pixels()
        .iter()
        .flat_map(|pixel| {
            let colour = pixel.demultiply();
            [colour.red(), colour.green(), colour.blue(), colour.alpha()]
        })
        .collect();
    let mut writer = encoder.write_header().map_err(|error| broken(error.to_string()))?;
    writer.write_image_data(&plain).map_err(|error| broken(error.to_string()))?;
    writer.finish().map_err(|error| broken(error.to_string()))?;
    Ok(file)
}

/// The picture with lines in place of letters.
fn with_strokes(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len() * 2);
    let mut rest = svg;
    while let Some(start) = rest.find("<text ") {
        let (before, from) = rest.split_at(start);
        out += before;
        let Some((tag, after)) = from.split_once('>') else { break };
        let Some((inside, behind)) = after.split_once("</text>") else { break };
        out += &written(tag, inside);
        rest = behind;
    }
    out + rest
}

fn written(tag: &str, inside: &str) -> String {
    let value = |name: &str| {
        let from = tag.split_once(&format!(" {name}=\""))?.1;
        Some(from.split_once('"')?.0)
    };
    let number = |name: &str| value(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
    let plain =
        inside.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    let width = plain.chars().count() as f64 * ADVANCE;
    let shift = match value("text-anchor") {
        Some("end") => width,
        Some("middle") => width / 2.0,
        _ => 0.0,
    };
    let (mut x, y, mut path) = (number("x") - shift, number("y"), String::new());
    for letter in plain.chars() {
        for stroke in strokes(letter).split(' ').filter(|stroke| !stroke.is_empty()) {
            let mut digits = stroke.bytes().map(|digit| f64::from(digit.saturating_sub(b'0')));
            let mut pen = 'M';
            while let (Some(across), Some(down)) = (digits.next(), digits.next()) {
                let _ = write!(path, "{pen}{:.2} {:.2}", x + across * WIDE, y + (down - 6.0) * HIGH);
                pen = 'L';
            }
        }
        x += ADVANCE;
    }
    let thick = if value("font-weight").is_some() { 1.7 } else { 1.1 };
    let turned = value("transform").map_or(String::new(), |turn| format!(" transform=\"{turn}\""));
    let ink = value("fill").unwrap_or("#000");
    format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{thick}\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\"{turned}/>"
    )
}

const ADVANCE: f64 = 7.2;
const WIDE: f64 = 1.25;
const HIGH: f64 = 1.5;

/// A letter as strokes from point to point: two digits are a point, from the left and from the top; capitals stand on
/// the line 6.
fn strokes(letter: char) -> &'static str {
    match letter {
        '0' | 'O' => "103041453616050110",
        '1' => "112026 1636",
        '2' => "01103041420646",
        '3' => "01103041423323 334445361605",
        '4' => "36300444",
        '5' => "400003334445361605",
        '6' => "4130100105163645443303",
        '7' => "004016",
        '8' => "103041423313020110 1304051636454433",
        '9' => "0516364541301001021343",
        'A' => "062046 1434",
        'B' => "00063645443303 3342413000",
        'C' => "4130100105163645",
        'D' => "00062644422000",
        'E' => "40000646 0333",
        'F' => "400006 0333",
        'G' => "41301001051636454323",
        'H' => "0006 4046 0343",
        'I' => "1030 2026 1636",
        'J' => "4045361605",
        'K' => "0006 4003 0346",
        'L' => "000646",
        'M' => "0600234046",
        'N' => "06004640",
        'P' => "06003041423303",
        'Q' => "103041453616050110 2446",
        'R' => "06003041423303 2346",
        'S' => "413010010213334445361605",
        'T' => "0040 2026",
        'U' => "000516364540",
        'V' => "002640",
        'W' => "0016223640",
        'X' => "0046 4006",
        'Y' => "002340 2326",
        'Z' => "00400646",
        'a' => "12324346 441405163645",
        'b' => "0006 0312324345361605",
        'c' => "4332120305163645",
        'd' => "4046 4332120305163645",
        'e' => "04444332120305163645",
        'f' => "41302126 1333",
        'g' => "4332120305163645 4247381807",
        'h' => "0006 0312324346",
        'i' => "2226 2021",
        'j' => "32372808 3031",
        'k' => "0006 4204 2346",
        'l' => "102026 1636",
        'm' => "0206 03122326 23324346",
        'n' => "0206 0312324346",
        'o' => "123243453616050312",
        'p' => "0208 0312324345361605",
        'q' => "4248 4332120305163645",
        'r' => "0206 04123242",
        's' => "43321203143445361605",
        't' => "20253645 0242",
        'u' => "0205163645 4246",
        'v' => "022642",
        'w' => "0216233642",
        'x' => "0246 4206",
        'y' => "0226 4208",
        'z' => "02420646",
        ' ' => "",
        '.' => "2526",
        ',' => "252618",
        ':' => "2223 2526",
        ';' => "2223 252618",
        '-' => "1333",
        '–' | '—' | '−' => "0343",
        '+' => "0343 2125",
        '±' => "0242 2024 0646",
        '%' => "4006 0010110100 3545463635",
        '(' => "30212536",
        ')' => "10313516",
        '[' => "30101636",
        ']' => "10303616",
        '{' => "302122132425 2536",
        '}' => "102122332425 2516",
        '|' => "2027",
        '/' => "4006",
        '\\' => "0046",
        '*' => "2125 1234 1432",
        '=' => "0242 0444",
        '<' => "410345",
        '>' => "014305",
        '?' => "01103041422324 2526",
        '!' => "2024 2526",
        '\'' | '’' | '`' => "2022",
        '"' => "1012 3032",
        '_' => "0747",
        '^' => "022042",
        '~' => "0413243342",
        '#' => "1016 3036 0242 0444",
        '$' => "413010010213334445361605 2026",
        '&' => "46112030311305163643",
        '@' => "4514243443301003051646",
        '→' => "0343 214325",
        '·' => "2324",
        '…' => "0506 2526 4546",
        '×' => "1135 1531",
        // A letter that we have not: a box.
        _ => "0040460600",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_ours_has_strokes() {
        for letter in (' '..='~').filter(|letter| *letter != ' ') {
            let known = strokes(letter);
            assert!(known != strokes('\u{1}') && !known.is_empty(), "{letter}");
            assert!(
                known.split(' ').all(|stroke| stroke.len() % 2 == 0 && stroke.len() >= 4),
                "{letter}: {known}"
            );
        }
    }

    #[test]
    fn a_picture_becomes_pixels_with_its_letters() {
        let bar = crate::svg::Bar {
            label: "Ünlü & <Co>".into(),
            value: 1.0,
            low: 0.5,
            high: 2.0,
            note: "10 %".into(),
            link: Some("matches/1.turn".into()),
        };
        let drawn = crate::svg::forest("A title", "%", &[bar], Some(0.0));
        assert!(!with_strokes(&drawn).contains("<text"));
        let file = png(&drawn).unwrap();
        assert_eq!(&file[1..4], b"PNG");
        assert_eq!(png("no picture").unwrap_err().code, "PICTURE_FAILED");
    }
}

//! What a picture is.

/// A picture: width, height, and four bytes per pixel (red, green, blue, alpha), row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Red, green, blue, alpha.
    pub pixels: Vec<u8>,
}

/// A picture, and how long it stands in an animation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Still {
    /// The picture.
    pub image: Image,
    /// Hundredths of a second.
    pub hundredths: u16,
}

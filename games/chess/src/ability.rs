//! What abilities are made of: verbs, layers and stacks of layers.

pub use crate::listeners::Verb;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of an ability in the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AbilityId(pub u8);

/// One ability on a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// Which entry of the catalog.
    pub ability: AbilityId,
    /// What it does.
    pub verb: Verb,
    /// What is left of it, or what it has gathered.
    pub charges: u8,
}

/// How many layers a piece can carry.
pub const MAX_LAYERS: usize = 6;

/// The layers of a piece, outermost first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stack {
    mask: u16,
    len: u8,
    layers: [Layer; MAX_LAYERS],
}

const NO_LAYER: Layer = Layer { ability: AbilityId(u8::MAX), verb: Verb::Bouncer, charges: 0 };

impl Default for Stack {
    fn default() -> Stack {
        Stack { mask: 0, len: 0, layers: [NO_LAYER; MAX_LAYERS] }
    }
}

impl Stack {
    /// The verbs in it.
    #[inline]
    pub const fn mask(&self) -> u16 {
        self.mask
    }

    /// How many layers.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Is the piece bare?
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The layers, outermost first.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, Layer> {
        self.as_slice().iter()
    }

    /// The layers, outermost first.
    #[inline]
    pub fn as_slice(&self) -> &[Layer] {
        &self.layers[..usize::from(self.len).min(MAX_LAYERS)]
    }

    /// The layer in a slot, counted from the outermost.
    #[inline]
    pub fn get(&self, slot: u8) -> Option<&Layer> {
        self.as_slice().get(usize::from(slot))
    }

    /// Puts a layer under all others. False if there is no room.
    pub fn push_innermost(&mut self, layer: Layer) -> bool {
        let Some(place) = self.layers.get_mut(usize::from(self.len)) else { return false };
        *place = layer;
        self.len += 1;
        self.mask |= layer.verb.bit();
        true
    }

    /// Puts a layer over all others. False if there is no room.
    pub fn push_outermost(&mut self, layer: Layer) -> bool {
        if !self.push_innermost(layer) {
            return false;
        }
        self.layers[..usize::from(self.len)].rotate_right(1);
        true
    }

    /// Sets what is left of a layer.
    pub(crate) fn set_charges(&mut self, slot: u8, charges: u8) {
        let len = usize::from(self.len).min(MAX_LAYERS);
        if let Some(layer) = self.layers[..len].get_mut(usize::from(slot)) {
            layer.charges = charges;
        }
    }
}

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Stack {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Stack {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Stack, D::Error> {
        let layers = Vec::<Layer>::deserialize(deserializer)?;
        let mut stack = Stack::default();
        for layer in layers {
            if !stack.push_innermost(layer) {
                return Err(serde::de::Error::custom(format!(
                    "a piece carries at most {MAX_LAYERS} abilities"
                )));
            }
        }
        Ok(stack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_layer_comes_first() {
        let layer = |verb| Layer { ability: AbilityId(0), verb, charges: 0 };
        let mut stack = Stack::default();
        assert!(stack.push_outermost(layer(Verb::Phantom)) && stack.push_outermost(layer(Verb::Exploding)));
        assert_eq!(stack.get(0).map(|l| l.verb), Some(Verb::Exploding));
        assert_eq!(stack.mask(), Verb::Phantom.bit() | Verb::Exploding.bit());
        while stack.push_innermost(layer(Verb::Cannibal)) {}
        assert_eq!(stack.len(), MAX_LAYERS);
        let text = serde_json::to_string(&stack).unwrap();
        assert_eq!(serde_json::from_str::<Stack>(&text).unwrap(), stack);
    }
}

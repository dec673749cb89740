//! Golden numbers of the original: damage and block with their modifiers.

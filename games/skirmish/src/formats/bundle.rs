//! Content bundles: shared scenarios, maps, rule modules and monster packs with a checksum.

use crate::hash::hash;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a bundle holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BundleKind {
    /// A scenario.
    Scenario,
    /// A map.
    Map,
    /// A rule module.
    RuleModule,
    /// Monsters.
    MonsterPack,
}

/// Who made a bundle and how it is liked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BundleMeta {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Who made it.
    pub author: String,
    /// Its version.
    pub version: String,
    /// A sentence or two.
    pub description: String,
    /// Free words.
    pub tags: Vec<String>,
    /// When it was made.
    pub created_at: String,
    /// How it is liked.
    pub rating: Value,
    /// How often it was taken.
    pub downloads: Value,
}

/// A content bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContentBundle {
    /// Who made it.
    pub meta: BundleMeta,
    /// What it holds.
    #[serde(rename = "type")]
    pub kind: BundleKind,
    /// The content.
    pub data: Value,
    /// The hash of the content's canonical form.
    pub checksum: String,
}

impl ContentBundle {
    /// Packs content with its checksum.
    pub fn pack(meta: BundleMeta, kind: BundleKind, data: Value) -> ContentBundle {
        let checksum = hash(&data);
        ContentBundle { meta, kind, data, checksum }
    }

    /// Reads a bundle and compares its checksum.
    ///
    /// # Errors
    /// Not a bundle, or altered since it was packed.
    pub fn read(text: &str) -> Result<ContentBundle, String> {
        let bundle: ContentBundle = serde_json::from_str(text).map_err(|e| format!("not a bundle: {e}"))?;
        let found = hash(&bundle.data);
        if found != bundle.checksum {
            return Err(format!("the content was altered: checksum {}, found {found}", bundle.checksum));
        }
        Ok(bundle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_altered_bundle_is_refused() {
        let meta = json!({
            "id": "b", "name": "B", "author": "a", "version": "1.0.0", "description": "d", "tags": [],
            "createdAt": "2026-01-01T00:00:00Z", "rating": 5, "downloads": 0,
        });
        let meta: BundleMeta = serde_json::from_value(meta).unwrap();
        let bundle = ContentBundle::pack(meta, BundleKind::MonsterPack, json!([{"id": "imp", "hp": 6}]));
        let text = serde_json::to_string(&bundle).unwrap();
        assert_eq!(ContentBundle::read(&text).unwrap(), bundle);
        let error = ContentBundle::read(&text.replace("\"hp\":6", "\"hp\":60")).unwrap_err();
        assert!(error.starts_with("the content was altered"), "{error}");
    }
}

//! Campaign exports: the roster that goes on to the next session.

use crate::document::{Document, EntityDoc, ItemDoc, Kind, StatsDoc};
use serde::{Deserialize, Serialize};

/// A member of the roster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Its numbers.
    pub stats: StatsDoc,
    /// Its conditions, `dead` left out.
    pub conditions: Vec<String>,
    /// What it carries.
    pub inventory: Vec<ItemDoc>,
}

/// A campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Campaign {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Who takes part.
    pub roster: Vec<Member>,
    /// Ids of the sessions played.
    #[serde(default)]
    pub sessions: Vec<String>,
}

/// A campaign in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CampaignExport {
    /// Always `mir-campaign`.
    pub format: String,
    /// Always `1.0`.
    pub version: String,
    /// When it was written; the caller's clock.
    pub exported_at: String,
    /// The campaign.
    pub campaign: Campaign,
}

impl Member {
    /// What of an entity goes on to the next session.
    pub fn of(entity: &EntityDoc) -> Member {
        Member {
            id: entity.id.clone(),
            name: entity.name.clone(),
            kind: entity.kind,
            stats: entity.stats.clone(),
            conditions: entity.conditions.iter().filter(|c| *c != "dead").cloned().collect(),
            inventory: entity.inventory.clone(),
        }
    }
}

impl CampaignExport {
    /// Exports the players of a document.
    pub fn of(document: &Document, name: &str, exported_at: &str) -> CampaignExport {
        CampaignExport {
            format: "mir-campaign".to_string(),
            version: "1.0".to_string(),
            exported_at: exported_at.to_string(),
            campaign: Campaign {
                id: document.campaign_id.clone(),
                name: name.to_string(),
                roster: document.entities.players.iter().map(Member::of).collect(),
                sessions: vec![document.session_id.clone()],
            },
        }
    }

    /// Reads an export.
    ///
    /// # Errors
    /// Not an export, or one of another format or version.
    pub fn read(text: &str) -> Result<CampaignExport, String> {
        let export: CampaignExport =
            serde_json::from_str(text).map_err(|e| format!("not a campaign: {e}"))?;
        match (export.format.as_str(), export.version.as_str()) {
            ("mir-campaign", "1.0") => Ok(export),
            (format, version) => Err(format!("expected mir-campaign 1.0, found {format} {version}")),
        }
    }
}

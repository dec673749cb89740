//! The generated schema, read by an independent validator, agrees with ours.

use serde_json::Value;
use std::path::Path;
use turnstone_skirmish::Profile;
use turnstone_skirmish::document::{schema::schema, validate};
use turnstone_testkit::golden;

fn lines(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    golden::read(&path).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_independent_validator_agrees() {
    for profile in Profile::ALL {
        let validator = jsonschema::options().should_validate_formats(true).build(schema(profile)).unwrap();
        let key = format!("schemaOk_{}", profile.name());
        for record in lines("schema.jsonl.gz") {
            let name = &record["name"];
            assert_eq!(
                validator.is_valid(&record["state"]),
                record[&key] == true,
                "{name} {}",
                profile.name()
            );
        }
        for record in lines("validation.jsonl.gz") {
            let ours = validate(&record["state"], profile).is_empty();
            assert_eq!(validator.is_valid(&record["state"]), ours, "{} {}", record["name"], profile.name());
        }
    }
}

#[test]
fn faults_say_where_and_what() {
    let mut state = lines("schema.jsonl.gz")[0]["state"].clone();
    state["entities"]["players"][0]["stats"]["hpMax"] = "ten".into();
    state["entities"]["npcs"][0]["stats"]["hpCurent"] = 3.into();
    state["map"]["grid"]["size"]["width"] = 201.into();
    let faults: Vec<String> = validate(&state, Profile::Mir023).iter().map(ToString::to_string).collect();
    for expected in [
        "entities.players[0].stats.hpMax: expected a whole number, found \"ten\"",
        "entities.npcs[0].stats: the field `hpCurent` is unknown here (did you mean `hpCurrent`?)",
        "map.grid.size.width: expected at most 200, found 201",
    ] {
        assert!(faults.iter().any(|f| f == expected), "{expected:?} not in {faults:#?}");
    }
}

//! The worked example: every intermediate number of one seed.

use serde_json::{Value, json};

use super::conform::{Divergence, act_of, ascension_of, compare_at, entries, require};
use super::record::Recorder;
use turnstone_spire::seeds::{Fate, Java, Map, MapSteps, Place, Rules, RunSetup, Stream, Tables};

pub(super) fn conform(record: &Value, seed: u64) -> Result<(), Divergence> {
    require("", record, &["maps", "neow_ints", "relic", "monster"])?;
    for (i, map) in entries(&record["maps"]) {
        let path = format!("maps[{i}]");
        let ours = map_steps(seed, act_of(&path, map)?, ascension_of(map)?);
        compare_at(&path, map, &ours)?;
    }
    compare_at("neow_ints", &record["neow_ints"], &neow_ints(seed))?;
    compare_at("relic", &record["relic"], &relic_steps(seed))?;
    let mut expected = record["monster"].clone();
    if let Some(fields) = expected.as_object_mut() {
        fields.remove("note");
    }
    compare_at("monster", &expected, &monster_steps(seed))
}

fn map_steps(seed: u64, act: u8, ascension: u8) -> Value {
    let plan = Tables::embedded().map_plan(act, ascension);
    let MapSteps { stream_seed, notes, removed, counts, rooms: [before, after, unused], elites } =
        MapSteps::new(&plan, seed);
    let map = Map::generate(&plan, seed, Rules::Original);
    let pair = |p: Place| [p.x, p.y];
    json!({
        "act": act, "ascension": ascension, "stream_seed": stream_seed.to_string(),
        "paths": notes.paths, "ints_after_each_path": notes.draws, "ancestor_redraws": notes.redraws,
        "row0_edges_removed": removed.iter().map(|(x, t)| [*x, *t]).collect::<Vec<_>>(),
        "total": counts.0, "unassigned": counts.1, "before_shuffle": before, "after_shuffle": after,
        "elites_in_order": elites.iter().map(|p| pair(*p)).collect::<Vec<_>>(),
        "burning_elite": map.burning.map(|(p, _)| pair(p)),
        "burning_buff": map.burning.map(|(_, b)| b.0),
        "unused_rooms": unused,
    })
}

fn neow_ints(seed: u64) -> Value {
    let mut stream = Stream::new(seed);
    let first = [stream.int(0, 5), stream.int(0, 4), stream.int(0, 3)];
    // The list of the third option is one shorter unless the drawback is the last one.
    let last = if first[2] == 3 { 6 } else { 5 };
    json!([first[0], first[1], first[2], stream.int(0, last), stream.int(0, 0)])
}

fn relic_steps(seed: u64) -> Value {
    let mut stream = Stream::new(seed);
    let longs: Vec<u64> = (0..5).map(|_| stream.long()).collect();
    let mut java = Java::new(longs[0]);
    let indices: Vec<u32> = (24..=33).rev().map(|i| java.below(i)).collect();
    let longs: Vec<String> = longs.iter().map(u64::to_string).collect();
    json!({ "longs": longs, "first_indices_of_common_shuffle": indices })
}

fn monster_steps(seed: u64) -> Value {
    let tables = Tables::embedded();
    let character = tables.characters.find("ironclad").unwrap_or_default();
    let setup = RunSetup { seed, character, ascension: 0, rules: Rules::Original };
    let fate = Fate::new(tables, setup);
    let counter = fate.streams.monster.counter();
    let mut stream = Stream::new(seed);
    let mut draws: Vec<Value> = (1..counter).map(|_| stream.k24().into()).collect();
    let long = stream.long();
    draws.push(long.to_string().into());
    let mut java = Java::new(long);
    let mut lists = Recorder { tables }.setup(seed, Rules::Simulator);
    json!({
        "draws": draws, "counter": counter,
        "monsters": lists["act1_monsters"].take(), "elites": lists["act1_elites"].take(),
        "boss": lists["act1_boss"].take(),
        "boss_shuffle_indices": [java.below(3), java.below(2)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn neow_takes_five_draws() {
        let character = Tables::embedded().everybody[0];
        let setup = RunSetup { seed: 1, character, ascension: 0, rules: Rules::Original };
        let fate = Fate::new(Tables::embedded(), setup);
        assert_eq!(fate.streams.neow.counter(), 5);
        assert_eq!(Tables::embedded().gifts.names.name(fate.neow[0].bonus), "random_colorless");
    }
}

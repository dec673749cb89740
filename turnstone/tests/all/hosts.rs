//! What every game of the program keeps: the contract of a host.

use turnstone_games::games;
use turnstone_table::protocol::{Door, Terms};
use turnstone_table::{Answer, Offer, Opening, Outcome, Source, Table, Viewer};

#[test]
fn a_seat_sends_its_own_inputs_and_not_the_referees() {
    let chess = games().find("chess").unwrap();
    let mut table = chess.open(&Opening { seed: 1, ..Opening::default() }).unwrap();
    table.seat_bot(1, "random", 1).unwrap();
    let mut door = Door::new(table, Some(0), Terms::default()).unwrap();
    door.greet();
    for foul in
        [r#"{"act":{"resign":"Black"}}"#, r#"{"act":{"time-out":"Black"}}"#, r#"{"act":"agree-draw"}"#]
    {
        let answer = door.hear(foul);
        assert_eq!(answer[0]["code"], "NOT_YOURS", "{answer:?}");
    }
    let answer = door.hear(r#"{"act":{"resign":"White"}}"#);
    assert_eq!(answer.last().unwrap()["type"], "over", "{answer:?}");
}

#[test]
fn every_registered_game_keeps_the_contract_of_a_host() {
    for host in games().all() {
        let name = host.name();
        assert!(!host.about().is_empty() && !host.bots().is_empty() && !host.rulesets().is_empty(), "{name}");
        let mut table = host.open(&Opening { seed: 1, ..Opening::default() }).unwrap();
        for bot in host.bots() {
            table.seat_bot(0, &bot.id, 1).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        for _ in 0..20 {
            let (inputs, scene) = (table.inputs(Viewer::All), table.scene(Viewer::All));
            assert_eq!(scene.options.len(), inputs.len(), "{name}: one option for each input");
            if let Some(board) = &scene.board {
                assert_eq!(board.cells.len(), usize::from(board.width) * usize::from(board.height), "{name}");
            }
            let (false, None::<Outcome>) = (inputs.is_empty(), table.outcome()) else { break };
            let number = inputs.len() / 2;
            table.act(&inputs[number]).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let again =
            games().load(table.save().unwrap(), &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again.digest(), table.digest(), "{name}");
    }
}

#[test]
fn every_option_that_is_declared_is_understood_and_no_other() {
    for host in games().all() {
        let first = host.setups()[0].id.clone();
        let opens = |setup: &str, wish: &str, value: &str| {
            let wishes = vec![(wish.to_owned(), value.to_owned())];
            host.open(&Opening { setup: Some(setup.to_owned()), wishes, ..Opening::default() }).err()
        };
        for Offer { setting, setups } in host.options() {
            let setup = setups.first().unwrap_or(&first);
            assert!(!setting.about.is_empty() && !setting.question.is_empty(), "{}", setting.id);
            let values = match &setting.answer {
                Answer::Choices(choices) => choices.iter().map(|choice| choice.id.clone()).collect(),
                Answer::Number { min, max, usual } => [min, max, usual].map(i64::to_string).to_vec(),
                Answer::Words { usual } => Vec::from_iter((!usual.is_empty()).then(|| usual.clone())),
            };
            for value in values {
                let refused = opens(setup, &setting.id, &value);
                assert_eq!(refused, None, "{} {setup} {}={value}", host.name(), setting.id);
            }
        }
        assert!(opens(&first, "nosuchoption", "1").is_some(), "{}", host.name());
    }
}

#[test]
fn every_set_up_and_ruleset_that_is_offered_opens() {
    for host in games().all() {
        for ruleset in host.rulesets() {
            let opening = Opening { ruleset: Some(ruleset.id.clone().into()), ..Opening::default() };
            host.open(&opening).unwrap_or_else(|error| panic!("{} {}: {error}", host.name(), ruleset.id));
        }
        for setup in host.setups() {
            let opening = Opening { setup: Some(setup.id.clone()), ..Opening::default() };
            host.open(&opening).unwrap_or_else(|error| panic!("{} {}: {error}", host.name(), setup.id));
        }
    }
}

#[test]
fn the_campaign_of_skirmish_carries_its_party_over() {
    use turnstone_table::Outcome;
    let host = games().find("skirmish").unwrap();
    let names = |view: &serde_json::Value| -> Vec<(String, i64)> {
        let players = view["entities"]["players"].as_array().unwrap().iter();
        players
            .map(|hero| {
                (hero["name"].as_str().unwrap().to_owned(), hero["stats"]["hpCurrent"].as_i64().unwrap())
            })
            .collect()
    };
    let mut setup = "campaign".to_owned();
    let mut came = Vec::new();
    for chapter in 0..3 {
        let won = (0..40).find_map(|seed| {
            let opening = Opening {
                setup: Some(setup.clone()),
                seed,
                wishes: if chapter == 0 { vec![("difficulty".into(), "easy".into())] } else { Vec::new() },
                ..Opening::default()
            };
            let mut table = host.open(&opening).unwrap();
            if chapter > 0 {
                let here: Vec<String> =
                    names(&table.view(Viewer::All)).into_iter().map(|(name, _)| name).collect();
                assert_eq!(here, came, "whoever lived comes along");
            }
            table.seat_bot(0, "deadly", 1).unwrap();
            table.seat_bot(1, "easy", 1).unwrap();
            while let Some(choice) = table.bot_choice() {
                table.choose(choice).unwrap();
            }
            (table.outcome() == Some(Outcome::Won(0))).then_some(table)
        });
        let table = won.expect("some seed is won");
        match table.sequel() {
            Some(next) => setup = next,
            None => {
                assert_eq!(chapter, 2, "nothing follows the last chapter");
                return;
            }
        }
        let living = names(&table.view(Viewer::All)).into_iter().filter(|(_, hp)| *hp > 0);
        came = living.map(|(name, _)| name).collect();
    }
    panic!("the campaign has three chapters");
}

#[test]
fn a_forged_chapter_is_refused() {
    let host = games().find("skirmish").unwrap();
    for setup in [
        "campaign:",
        "campaign:{}",
        "campaign:{\"number\":9,\"difficulty\":\"easy\"}",
        "campaign:{\"number\":0,\"difficulty\":\"silly\"}",
        "campaign:{\"number\":0,\"difficulty\":\"easy\",\"party\":[{}]}",
    ] {
        let opening = Opening { setup: Some(setup.into()), ..Default::default() };
        assert!(host.open(&opening).is_err(), "{setup}");
    }
}

#[test]
fn one_mistake_has_one_code_in_every_game() {
    for host in games().all() {
        let refused = |opening: Opening| match host.open(&opening) {
            Ok(_) => panic!("{}: opened", host.name()),
            Err(refusal) => refusal.code().to_owned(),
        };
        let setup = Opening { setup: Some("nosuch".into()), ..Opening::default() };
        assert_eq!(refused(setup), "UNKNOWN_SETUP", "{}", host.name());
        let ruleset = Opening { ruleset: Some("nosuch".into()), ..Opening::default() };
        assert_eq!(refused(ruleset), "UNKNOWN_RULESET", "{}", host.name());
        let wish = Opening { wishes: vec![("nosuch".into(), "1".into())], ..Opening::default() };
        assert_eq!(refused(wish), "UNKNOWN_WISH", "{}", host.name());
    }
}

/// What comes first in every alphabet of the two games that number their content, and a kind that it adds to.
const FIRST_OF_ALL: [(&str, &str, &str, [&str; 2]); 2] = [
    (
        "spire",
        "ironclad",
        "[card.aaa_first]\ncolor = \"ironclad\"\ntype = \"attack\"\nrarity = \"common\"\ncost = 1\ndo = [{ attack = 1 }]\n\
         [power.aaa_first]\ntext = \"Nothing.\"\n",
        ["card", "aaa_first"],
    ),
    (
        "chess",
        "circus",
        "[ability.aaa-first]\nverb = \"bouncer\"\nmark = \"Aa\"\nabout = \"Bounces.\"\n\
         [piece.aaa-first]\nletter = \"Z\"\nvalue = 3\nmoves = \"W\"\n",
        ["ability", "aaa-first"],
    ),
];

#[test]
fn one_entry_more_renumbers_no_old_match() {
    for (game, setup, text, [kind, name]) in FIRST_OF_ALL {
        let host = games().find(game).unwrap();
        let more = [Source::new("more.toml", text)];
        let opening = |content: &[Source]| Opening {
            setup: Some(setup.to_owned()),
            content: content.to_vec(),
            seed: 5,
            ..Opening::default()
        };
        let mut played = host.open(&opening(&[])).unwrap();
        for _ in 0..12 {
            let inputs = played.inputs(Viewer::All);
            played.act(&inputs[0]).unwrap();
        }
        let old = played.save().unwrap();
        // Watched where there is more: every state is as it was, and the same things are told of.
        let (watched, strays) = host.watch(old.as_bytes(), &more).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((watched.digest(), strays), (played.digest(), None), "{game}");
        let told = |table: &dyn Table| serde_json::to_string(&table.scene(Viewer::All).panels).unwrap();
        assert_eq!(told(&*watched), told(&*played), "{game}");
        // Played on from there, it is a match with its own numbers, which is verified like any other.
        let mut branch = watched.branch().unwrap();
        let inputs = branch.inputs(Viewer::All);
        branch.act(&inputs[0]).unwrap();
        let verified = host.verify(branch.save().unwrap().as_bytes(), &more, &mut |_| {});
        assert_eq!(verified.map(|verified| verified.inputs).unwrap_or_else(|error| panic!("{error}")), 1);
        // The other way round: what stands behind all the others and was never used is not missed.
        let played = |opening: &Opening| {
            let mut with = host.open(opening).unwrap();
            let inputs = with.inputs(Viewer::All);
            with.act(&inputs[0]).unwrap();
            with
        };
        let with = played(&opening(&more));
        let (watched, strays) = host
            .watch(with.save().unwrap().as_bytes(), &[])
            .unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_eq!((watched.digest(), strays), (with.digest(), None), "{game}");
        // In the middle it has another's number, and that is said, unless the first state has it already.
        let numbering = [(kind.to_owned(), vec![name.to_owned()])].into();
        let with = played(&Opening { numbering, ..opening(&more) });
        let refused = host.watch(with.save().unwrap().as_bytes(), &[]).err().unwrap();
        assert!(["OTHER_NAMES", "OTHER_START"].contains(&refused.code()), "{game}: {refused}");
        assert!(refused.to_string().contains("--content"), "{game}: {refused}");
    }
}

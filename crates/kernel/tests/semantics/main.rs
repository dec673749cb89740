//! Every rule of the one direction, on a game whose listeners are written into its state.

mod files;
mod sight;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};
use turnstone::{
    Expanded, Fact, Fate, Game, Input, Lane, Limits, ListenersOf, Log, Match, NotesOf, Origin, Outcome,
    PenOf, Position, ProposalsOf, Rejection, Resolver, Seat, Seen, Settled, Told, Verdict, Viewer, Written,
};

/// An effect: a letter and a number. Some letters mean something to the game itself:
/// `z` is always stale, and missed if it has a number, `x` expands into `a` and `b`, `y` into nothing, `w` into `a`,
/// `q` asks, `k` kills the listener with that number, `i` is what idle proposes,
/// `p` withdraws every `c` from the agenda, `M` proposes two more of itself, `s` takes the short way if nobody hears of it before,
/// `S` stands for `s`, `D` for `s` with a `d` beside it. Whoever proposes a number of 100 or more gives a reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Token(char, i32);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Act {
    Add(i32),
    AddAndPropose(i32, Lane, Token),
    /// Adds, notes it, and withdraws every `c` from the agenda if the effect happens.
    AddAndWithdraw(i32),
    /// Withdraws every `c`, leaves a note, and passes all the same.
    WithdrawAndPass,
    Cancel,
    /// Proposes and withdraws every `c`, and cancels all the same.
    ProposeAndCancel(Lane, Token),
    Replace(Vec<(Lane, Token)>),
    Propose(Vec<(Lane, Token)>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Spec {
    priority: i32,
    after: bool,
    hears: char,
    only: Option<i32>,
    act: Act,
    alive: bool,
}

fn before(priority: i32, hears: char, act: Act) -> Spec {
    Spec { priority, after: false, hears, only: None, act, alive: true }
}

fn after(priority: i32, hears: char, act: Act) -> Spec {
    Spec { after: true, ..before(priority, hears, act) }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct World {
    happened: Vec<Token>,
    listeners: Vec<Spec>,
    idle: i32,
    answer: Option<i32>,
    forbidden: Option<char>,
    /// Letters that happen unseen by all but the first seat.
    hidden: String,
    /// Letters of which all but the first seat see no numbers.
    masked: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Ear(u16);

/// What an action opens with: the lane, the token, and the index of the proposal it depends on.
type Opening = Vec<(Lane, Token, Option<usize>)>;

#[derive(Default)]
struct Script {
    /// How often the short way was taken. It is no part of the rules, so it is no part of the state.
    short_ways: AtomicU32,
    limits: Limits,
    /// The short way leaves no notes: a fault.
    forgetful: bool,
}

impl Script {
    fn taken(&self) -> u32 {
        self.short_ways.load(Ordering::Relaxed)
    }

    fn hear(world: &World, after: bool, token: Token, killed: Option<usize>, heard: &mut ListenersOf<Self>) {
        for (i, spec) in world.listeners.iter().enumerate() {
            let matches = spec.after == after && spec.hears == token.0;
            let wanted = spec.only.is_none_or(|n| n == token.1);
            if matches && wanted && (spec.alive || killed == Some(i)) {
                heard.push(spec.priority, Ear(i as u16));
            }
        }
    }
}

fn put(out: &mut ProposalsOf<Script>, lane: Lane, token: Token) -> turnstone::Slot {
    let slot = match lane {
        Lane::First => out.first(token),
        Lane::Last => out.last(token),
        Lane::Agenda => out.agenda(token),
    };
    if token.1 >= 100 {
        let mut why = out.notes().sheet();
        why.made('#', token.1);
        out.because(slot, why);
    }
    slot
}

impl Game for Script {
    type Setup = World;
    type State = World;
    type Action = Opening;
    type Effect = Token;
    type Event = Token;
    type Listener = Ear;
    type Question = char;
    type Answer = i32;
    /// The letter of whoever changed a number.
    type Reason = char;

    fn start(&self, setup: &World, _seed: u64) -> Result<World, Rejection> {
        Ok(setup.clone())
    }
    fn validate_waiting(
        &self,
        _world: &World,
        _asked: (Seat, &char),
        waiting: &[&Token],
    ) -> Result<(), Rejection> {
        match waiting.iter().any(|token| token.1 < 0) {
            true => Err(Rejection::new("NEGATIVE", "no token has a negative number")),
            false => Ok(()),
        }
    }
    fn check(&self, _world: &World, action: &Opening) -> Result<(), Rejection> {
        if action.is_empty() { Err(Rejection::new("EMPTY", "nothing to do")) } else { Ok(()) }
    }
    fn open(&self, _world: &World, action: &Opening, out: &mut ProposalsOf<Self>) {
        // An action that begins with `o` withdraws every `c` when it opens.
        if action[0].1.0 == 'o' {
            out.withdraw(Token('c', 0));
        }
        let mut slots = Vec::new();
        for &(lane, token, needs) in action {
            let slot = match (needs, lane) {
                (None, lane) => put(out, lane, token),
                (Some(on), Lane::First) => out.first_if(slots[on], token),
                (Some(on), _) => out.last_if(slots[on], token),
            };
            slots.push(slot);
        }
    }
    fn express(
        &self,
        pen: PenOf<'_, Self>,
        effect: &Token,
        out: &mut ProposalsOf<Self>,
    ) -> Option<Written<Token>> {
        let heard = pen.listeners.iter().any(|spec| !spec.after && spec.hears == 's');
        if effect.0 != 's' || heard {
            return None;
        }
        if !self.forgetful {
            out.notes().made(effect.0, effect.1);
        }
        let (world, written) = pen.write(*effect, |world, event| self.apply(world, event));
        self.short_ways.fetch_add(1, Ordering::Relaxed);
        self.follow(world, written.event(), out);
        Some(written)
    }
    fn expand(&self, _world: &World, effect: &Token, out: &mut ProposalsOf<Self>) -> Expanded<Token> {
        match effect.0 {
            'x' => {
                out.first(Token('a', effect.1));
                out.first(Token('b', effect.1));
                Expanded::Into
            }
            'w' => Expanded::To(Token('a', effect.1)),
            'S' => Expanded::To(Token('s', effect.1)),
            'D' => {
                out.first(Token('d', effect.1));
                Expanded::To(Token('s', effect.1))
            }
            'y' => Expanded::Nothing,
            _ => Expanded::Keep,
        }
    }
    fn before_listeners(&self, world: &World, effect: &Token, heard: &mut ListenersOf<Self>) {
        Self::hear(world, false, *effect, None, heard);
    }
    fn before(&self, ear: Ear, world: &World, effect: &mut Token, out: &mut ProposalsOf<Self>) -> Verdict {
        match &world.listeners[usize::from(ear.0)].act {
            Act::Add(n) => {
                effect.1 += n;
                Verdict::Altered
            }
            Act::AddAndPropose(n, lane, token) => {
                effect.1 += n;
                put(out, *lane, *token);
                Verdict::Altered
            }
            Act::AddAndWithdraw(n) => {
                out.notes().changed('+', effect.1, effect.1 + n);
                effect.1 += n;
                out.withdraw(Token('c', 0));
                Verdict::Altered
            }
            Act::WithdrawAndPass => {
                out.notes().made('?', 0);
                out.withdraw(Token('c', 0));
                Verdict::Pass
            }
            Act::Cancel => Verdict::Cancelled,
            Act::ProposeAndCancel(lane, token) => {
                put(out, *lane, *token);
                out.withdraw(Token('c', 0));
                Verdict::Cancelled
            }
            Act::Replace(list) => {
                list.iter().for_each(|&(lane, token)| _ = put(out, lane, token));
                Verdict::Replaced
            }
            Act::Propose(_) => Verdict::Pass,
        }
    }
    fn settle(&self, world: &World, effect: &Token, notes: &mut NotesOf<Self>) -> Settled<Token, char> {
        notes.made(effect.0, effect.1);
        match effect.0 {
            'z' => Settled::Stale,
            'q' if world.answer.is_none() => Settled::Ask(1, 'q'),
            _ => Settled::Event(*effect),
        }
    }
    fn apply(&self, world: &mut World, event: &Token) {
        world.happened.push(*event);
        match event.0 {
            'k' => world.listeners[event.1 as usize].alive = false,
            'i' => world.idle -= 1,
            'q' => world.answer = None,
            _ => {}
        }
    }
    fn fits(&self, world: &World, event: &Token) -> bool {
        event.0 != 'k' || usize::try_from(event.1).is_ok_and(|at| at < world.listeners.len())
    }
    fn follow(&self, _world: &World, event: &Token, out: &mut ProposalsOf<Self>) {
        match event.0 {
            'p' => out.withdraw(Token('c', 0)),
            's' => _ = out.first(Token('f', event.1)),
            'M' => [0, 1].into_iter().for_each(|n| _ = out.last(Token('M', n))),
            _ => {}
        }
    }
    fn after_listeners(&self, world: &World, event: &Token, heard: &mut ListenersOf<Self>) {
        let killed = (event.0 == 'k').then_some(event.1 as usize);
        Self::hear(world, true, *event, killed, heard);
    }
    fn after(&self, ear: Ear, world: &World, _event: &Token, out: &mut ProposalsOf<Self>) {
        if let Act::Propose(list) = &world.listeners[usize::from(ear.0)].act {
            list.iter().for_each(|&(lane, token)| _ = put(out, lane, token));
        }
    }
    fn withdraws(&self, like: &Token, waiting: &Token) -> bool {
        like.0 == waiting.0
    }
    fn idle(&self, world: &World, out: &mut ProposalsOf<Self>) {
        if world.idle > 0 {
            out.last(Token('i', world.idle));
        }
    }
    fn finish(&self, world: &World) -> Result<(), Rejection> {
        match world.forbidden {
            Some(letter) if world.happened.iter().any(|token| token.0 == letter) => {
                Err(Rejection::new("FORBIDDEN", format!("{letter} must not happen")))
            }
            _ => Ok(()),
        }
    }
    fn legal(&self, _world: &World, _out: &mut Vec<Opening>) {}
    fn answers(&self, _world: &World, _question: &char, out: &mut Vec<i32>) {
        out.extend([1, 2]);
    }
    fn apply_answer(&self, world: &mut World, _question: &char, answer: &i32) {
        world.answer = Some(*answer);
    }
    fn actor(&self, _world: &World) -> Option<Seat> {
        Some(0)
    }
    fn outcome(&self, _world: &World) -> Option<Outcome> {
        None
    }
    fn limits(&self) -> Limits {
        self.limits
    }
}

impl Seen for Script {
    fn hides(&self, world: &World, viewer: Viewer) -> bool {
        let nothing = world.hidden.is_empty() && world.masked.is_empty();
        !nothing && !viewer.may_see(0)
    }
    fn redact(&self, _before: &World, world: &World, event: &Token, viewer: Viewer) -> Option<Token> {
        if viewer.may_see(0) {
            return Some(*event);
        }
        let number = if world.masked.contains(event.0) { 0 } else { event.1 };
        (!world.hidden.contains(event.0)).then_some(Token(event.0, number))
    }
}

impl Told for Script {
    fn is_missed(&self, effect: &Token) -> bool {
        effect.1 != 0
    }
}

fn world(listeners: Vec<Spec>) -> World {
    World { listeners, ..World::default() }
}

fn open(world: World) -> Match<Script> {
    Match::new(Arc::new(Script::default()), world, 0).expect("any world will do")
}

fn lasts(letters: &str) -> Opening {
    letters.chars().map(|letter| (Lane::Last, Token(letter, 0), None)).collect()
}

/// Plays one action and gives what happened, as letters with their numbers if not 0.
fn run(world: World, action: Opening) -> (String, Match<Script>) {
    let mut game = open(world);
    game.act(Input::Act(action)).expect("the action is allowed");
    (story(&game), game)
}

fn story(game: &Match<Script>) -> String {
    let show = |token: &Token| match token.1 {
        0 => token.0.to_string(),
        n => format!("{}{n}", token.0),
    };
    game.state().happened.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn fates(game: &Match<Script>) -> Vec<(char, Fate<Token, Ear>)> {
    game.detours(game.here()).iter().map(|detour| (detour.effect.0, detour.fate.clone())).collect()
}

#[test]
fn first_goes_in_front_as_a_block_last_behind_agenda_when_quiet() {
    let listener = after(
        0,
        'a',
        Act::Propose(vec![
            (Lane::Agenda, Token('d', 1)),
            (Lane::Last, Token('e', 1)),
            (Lane::First, Token('f', 1)),
            (Lane::First, Token('g', 1)),
            (Lane::Agenda, Token('d', 2)),
            (Lane::Last, Token('e', 2)),
        ]),
    );
    let mut action = lasts("ab");
    action.push((Lane::Agenda, Token('d', 9), None));
    let (story, _) = run(world(vec![listener]), action);
    assert_eq!(story, "a f1 g1 b e1 e2 d1 d2 d9");
}

#[test]
fn the_agenda_is_popped_only_when_the_queue_is_empty() {
    let more = after(0, 'd', Act::Propose(vec![(Lane::Last, Token('b', 0)), (Lane::Agenda, Token('e', 0))]));
    let action = vec![(Lane::Agenda, Token('d', 0), None), (Lane::Agenda, Token('c', 0), None)];
    let (story, _) = run(world(vec![more]), action);
    assert_eq!(story, "d b e c");
}

#[test]
fn listeners_run_by_priority_then_by_listing() {
    let tell = |n| Act::Propose(vec![(Lane::Last, Token('t', n))]);
    let listeners =
        vec![after(5, 'a', tell(1)), after(-1, 'a', tell(2)), after(5, 'a', tell(3)), after(0, 'a', tell(4))];
    assert_eq!(run(world(listeners), lasts("a")).0, "a t2 t4 t1 t3");
}

#[test]
fn alterations_add_up_and_the_trace_names_them() {
    let listeners = vec![before(2, 'a', Act::Add(10)), before(1, 'a', Act::Add(1))];
    let (story, game) = run(world(listeners), lasts("a"));
    assert_eq!(story, "a11");
    let expected = vec![
        ('a', Fate::Altered { by: Ear(1), to: Token('a', 1) }),
        ('a', Fate::Altered { by: Ear(0), to: Token('a', 11) }),
    ];
    assert_eq!(fates(&game), expected);
    let text = game.explain(game.here()).to_string();
    assert!(text.contains("Ear(1): Token('a', 0) → Token('a', 1)"), "{text}");
}

#[test]
fn a_cancelled_or_replaced_effect_never_happened() {
    let heard = after(0, 'a', Act::Propose(vec![(Lane::Last, Token('t', 0))]));
    let (story, game) = run(world(vec![before(0, 'a', Act::Cancel), heard.clone()]), lasts("ab"));
    assert_eq!(story, "b");
    assert_eq!(fates(&game), [('a', Fate::Cancelled { by: Ear(0) })]);

    let swap = before(0, 'a', Act::Replace(vec![(Lane::First, Token('c', 1)), (Lane::First, Token('c', 2))]));
    let (story, game) = run(world(vec![swap, heard]), lasts("ab"));
    assert_eq!(story, "c1 c2 b");
    assert_eq!(game.entries(1)[0].cause.by, Some(Ear(0)));
    let with = vec![Token('c', 1), Token('c', 2)];
    assert_eq!(fates(&game), [('a', Fate::Replaced { by: Ear(0), with })]);
}

#[test]
fn a_listener_acts_once_on_an_effect_and_on_what_replaced_it() {
    // Each turns `a` into `a` again: both get their one act, then the effect happens.
    let again = || Act::Replace(vec![(Lane::First, Token('a', 0))]);
    let (story, game) = run(world(vec![before(0, 'a', again()), before(1, 'a', again())]), lasts("a"));
    assert_eq!(story, "a");
    assert_eq!(fates(&game).len(), 2);
}

#[test]
fn passing_is_not_acting_and_siblings_do_not_share_later_acts() {
    // Listener 0 hears only number 1 and 2: it passes on the original, then alters both siblings.
    let split =
        before(0, 'a', Act::Replace(vec![(Lane::First, Token('b', 1)), (Lane::First, Token('b', 2))]));
    let add = before(0, 'b', Act::Add(10));
    assert_eq!(run(world(vec![split, add]), lasts("a")).0, "b11 b12");
}

#[test]
fn what_an_alteration_proposes_rides_with_the_effect() {
    let absorb = before(0, 'a', Act::AddAndPropose(1, Lane::First, Token('r', 0)));
    assert_eq!(run(world(vec![absorb.clone()]), lasts("ab")).0, "a1 r b");
    let cancelled = vec![absorb.clone(), before(1, 'a', Act::Cancel)];
    assert_eq!(run(world(cancelled), lasts("ab")).0, "b", "not if the effect does not happen");
    let stale = before(0, 'z', Act::AddAndPropose(1, Lane::First, Token('r', 0)));
    assert_eq!(run(world(vec![stale]), lasts("zb")).0, "b");
    let replaced = vec![absorb, before(1, 'a', Act::Replace(vec![(Lane::First, Token('c', 0))]))];
    assert_eq!(run(world(replaced), lasts("ab")).0, "c b");
}

#[test]
fn contingent_effects_fall_with_what_they_depend_on() {
    let chain = |letter| {
        vec![
            (Lane::Last, Token(letter, 0), None),
            (Lane::Last, Token('m', 1), Some(0)),
            (Lane::Last, Token('m', 2), Some(1)),
            (Lane::Last, Token('b', 0), None),
        ]
    };
    let cancel = || world(vec![before(0, 'a', Act::Cancel)]);
    let replace = || world(vec![before(0, 'a', Act::Replace(vec![(Lane::First, Token('c', 0))]))]);
    assert_eq!(run(world(vec![]), chain('a')).0, "a m1 m2 b");
    assert_eq!(run(cancel(), chain('a')).0, "b");
    assert_eq!(run(replace(), chain('a')).0, "c b");
    assert_eq!(run(world(vec![]), chain('z')).0, "b", "stale");
    assert_eq!(run(world(vec![]), chain('y')).0, "b", "stood for nothing");
    assert_eq!(run(world(vec![before(0, 'a', Act::Add(1))]), chain('a')).0, "a1 m1 m2 b", "altered is kept");
    assert_eq!(run(world(vec![]), chain('x')).0, "a b m1 m2 b", "an effect in parts has happened");
    let (_, game) = run(cancel(), chain('a'));
    let unmet = fates(&game).iter().filter(|(_, fate)| *fate == Fate::Unmet).count();
    assert_eq!(unmet, 2);
}

#[test]
fn contingency_does_not_leak_into_the_next_batch() {
    let mut game = open(world(vec![before(0, 'a', Act::Cancel)]));
    let action = vec![(Lane::Last, Token('a', 0), None), (Lane::Last, Token('m', 1), Some(0))];
    game.act(Input::Act(action)).unwrap();
    let action = vec![(Lane::Last, Token('b', 0), None), (Lane::Last, Token('m', 2), Some(0))];
    game.act(Input::Act(action)).unwrap();
    assert_eq!(story(&game), "b m2");
}

#[test]
fn expanding_fixes_the_moment() {
    assert_eq!(run(world(vec![]), lasts("xwyb")).0, "a b a b");
    // What an effect stands for is heard under its own name.
    assert_eq!(
        run(world(vec![before(0, 'x', Act::Cancel), before(0, 'a', Act::Add(1))]), lasts("x")).0,
        "a1 b"
    );
}

#[test]
fn a_removed_owner_hears_that_one_event_and_no_more() {
    let last_words = after(0, 'k', Act::Propose(vec![(Lane::Last, Token('t', 0))]));
    let action = vec![(Lane::Last, Token('k', 0), None), (Lane::Last, Token('k', 1), None)];
    let other = after(0, 'x', Act::Cancel);
    assert_eq!(run(world(vec![last_words, other]), action).0, "k k1 t");
}

#[test]
fn stale_effects_are_dropped_after_before_and_without_after() {
    let listeners =
        vec![before(0, 'z', Act::Add(1)), after(0, 'z', Act::Propose(vec![(Lane::Last, Token('t', 0))]))];
    let (story, game) = run(world(listeners), lasts("za"));
    assert_eq!(story, "a");
    assert_eq!(fates(&game)[1], ('z', Fate::Stale));
}

#[test]
fn agenda_entries_can_be_withdrawn() {
    let mut action = lasts("ap");
    action.extend([(Lane::Agenda, Token('c', 1), None), (Lane::Agenda, Token('d', 0), None)]);
    let (story, game) = run(world(vec![]), action);
    assert_eq!(story, "a p d");
    assert_eq!(fates(&game), [('c', Fate::Withdrawn)]);
}

#[test]
fn idle_is_asked_until_it_is_content() {
    let (story, game) = run(World { idle: 3, ..World::default() }, lasts("a"));
    assert_eq!(story, "a i3 i2 i1");
    assert_eq!(game.entries(1)[1].cause.after, Origin::Idle);
}

#[test]
fn finish_may_undo_the_whole_action() {
    let mut game = open(World { forbidden: Some('b'), ..World::default() });
    game.act(Input::Act(lasts("a"))).unwrap();
    let state = game.state().clone();
    let refusal = game.act(Input::Act(lasts("ab"))).unwrap_err();
    assert_eq!(refusal.code(), "FORBIDDEN");
    assert_eq!(*game.state(), state);
    assert_eq!((game.here(), game.refused()), (1, 1));
    assert_eq!(game.refusals().next().map(|refusal| refusal.at), Some(1));
}

#[test]
fn an_endless_loop_is_refused_and_its_cycle_named() {
    let ping = after(0, 'a', Act::Propose(vec![(Lane::Last, Token('b', 0))]));
    let pong = after(0, 'b', Act::Propose(vec![(Lane::Last, Token('a', 0))]));
    let mut game = open(world(vec![ping, pong]));
    let refusal = game.act(Input::Act(lasts("a"))).unwrap_err();
    assert_eq!(refusal.code(), "EFFECT_BUDGET");
    let mut cycle = refusal.cycle;
    cycle.sort();
    assert_eq!(cycle, ["Token by Ear(0)", "Token by Ear(1)"]);
    assert_eq!(story(&game), "");
    assert_eq!((game.log().count(), game.refused()), (0, 1));
    game.act(Input::Act(lasts("c"))).expect("the match goes on");
}

#[test]
fn idle_for_ever_is_refused() {
    let mut game = open(World { idle: i32::MAX, ..World::default() });
    assert_eq!(game.act(Input::Act(lasts("a"))).unwrap_err().code(), "EFFECT_BUDGET");
}

#[test]
fn replacements_of_replacements_are_bounded() {
    // Each replaces the effect by the same one again, and each may act once.
    let again = || before(0, 'a', Act::Replace(vec![(Lane::First, Token('a', 0))]));
    let (happened, _) = run(world((0..256).map(|_| again()).collect()), lasts("a"));
    assert_eq!(happened, "a");
    let mut game = open(world((0..257).map(|_| again()).collect()));
    let refusal = game.act(Input::Act(lasts("a"))).unwrap_err();
    assert_eq!(refusal.code(), "REPLACEMENT_BUDGET");
    assert!(refusal.cycle.contains(&"Ear(256)".to_owned()), "{:?}", refusal.cycle);
    assert_eq!(story(&game), "");
}

#[test]
fn a_long_causal_chain_is_no_loop() {
    let step = after(0, 'a', Act::Propose(vec![(Lane::First, Token('b', 0))]));
    let back = Spec { only: Some(0), ..after(0, 'b', Act::Propose(vec![(Lane::First, Token('c', 0))])) };
    let (_, game) = run(world(vec![step, back]), lasts(&"a".repeat(3_000)));
    assert_eq!(game.log().count(), 9_000);
    assert_eq!(game.explain(1).lines.iter().filter(|line| line.serial.is_some()).count(), 9_000);
}

#[test]
fn a_question_stops_the_flow_and_the_answer_resumes_exactly_there() {
    let altered_once = before(0, 'q', Act::AddAndPropose(5, Lane::First, Token('r', 0)));
    let mut game = open(world(vec![altered_once]));
    game.act(Input::Act(lasts("aqb"))).unwrap();
    assert_eq!(story(&game), "a");
    assert_eq!((game.actor(), game.inputs()), (Some(1), vec![Input::Choose(1), Input::Choose(2)]));

    let saved = serde_json::to_string(game.position()).unwrap();
    let loaded: Position<Script> = serde_json::from_str(&saved).unwrap();
    assert_eq!(loaded.admit(&Script::default()).unwrap(), *game.position());

    let refusal = game.act(Input::Act(lasts("c"))).unwrap_err();
    assert_eq!(refusal.code(), "QUESTION_PENDING");
    assert_eq!(game.act(Input::Choose(3)).unwrap_err().code(), "NOT_AN_ANSWER");
    game.act(Input::Choose(2)).unwrap();
    assert_eq!(story(&game), "a q5 r b", "no second BEFORE, and what rode along still comes");
    assert_eq!(game.act(Input::Choose(2)).unwrap_err().code(), "NOTHING_ASKED");

    assert!(game.undo());
    assert_eq!(story(&game), "a");
    assert!(game.pending().is_some(), "undo returns into the pause");
    game.act(Input::Choose(1)).unwrap();
    assert_eq!(story(&game), "a q5 r b");
    assert!(game.undo() && game.undo());
    assert_eq!(story(&game), "");
    assert!(!game.undo());
}

#[test]
fn a_question_is_part_of_what_a_position_is() {
    let mut game = open(world(vec![]));
    let before = game.position().live().digest();
    game.act(Input::Act(lasts("q"))).unwrap();
    assert_eq!(story(&game), "");
    assert_ne!(game.position().live().digest(), before);
}

#[test]
fn who_has_acted_on_an_effect_does_not_act_again_behind_a_question() {
    let ask = before(0, 'a', Act::Replace(vec![(Lane::First, Token('q', 0)), (Lane::First, Token('a', 0))]));
    let mut game = open(world(vec![ask]));
    game.act(Input::Act(lasts("a"))).unwrap();
    game.act(Input::Choose(1)).unwrap();
    assert_eq!((story(&game).as_str(), game.pending().is_some()), ("q a", false));
}

#[test]
fn what_rides_and_what_is_asked_say_what_they_followed_from() {
    // With a question in between and without one, the same follows from the same.
    for letter in ["a", "q"] {
        let rides =
            before(0, letter.chars().next().unwrap(), Act::AddAndPropose(5, Lane::First, Token('r', 0)));
        let mut game = open(world(vec![rides]));
        game.act(Input::Act(lasts(letter))).unwrap();
        if game.pending().is_some() {
            game.act(Input::Choose(1)).unwrap();
        }
        let told: Vec<_> = (1..=game.here()).flat_map(|moment| game.entries(moment)).cloned().collect();
        let ridden = told.iter().position(|entry| entry.fact == Fact::Event(Token('r', 0))).expect("it rode");
        let cause = told[ridden].cause;
        assert_eq!(
            (cause.after, cause.by),
            (Origin::Event(ridden as u32 - 1), Some(Ear(0))),
            "{letter}: {told:?}"
        );
    }
    let asks = after(0, 'a', Act::Propose(vec![(Lane::Last, Token('q', 0))]));
    let (_, game) = run(world(vec![asks]), lasts("a"));
    let asked = game.entries(1).last().expect("it asked");
    assert!(matches!(asked.fact, Fact::Asked { .. }), "{asked:?}");
    assert_eq!((asked.cause.after, asked.cause.by), (Origin::Event(0), Some(Ear(0))));
}

#[test]
fn what_is_forbidden_is_so_behind_an_answer_too() {
    let mut game = open(World { forbidden: Some('q'), ..World::default() });
    game.act(Input::Act(lasts("q"))).unwrap();
    assert_eq!(game.act(Input::Choose(1)).unwrap_err().code(), "FORBIDDEN");
    assert!(game.pending().is_some(), "the question stands");
}

#[test]
fn alterations_are_no_replacements() {
    let mut listeners: Vec<Spec> = (0..256).map(|_| before(0, 'a', Act::Add(1))).collect();
    listeners.push(before(1, 'a', Act::Replace(vec![(Lane::First, Token('c', 1))])));
    assert_eq!(run(world(listeners), lasts("a")).0, "c1");
}

#[test]
fn what_failed_unchecked_leaves_nothing_behind() {
    let rules = Script::default();
    let mut resolver = Resolver::default();
    let endless = after(0, 'a', Act::Propose(vec![(Lane::Last, Token('a', 0)), (Lane::Last, Token('b', 0))]));
    let mut lost = Position::<Script>::new(world(vec![endless]));
    resolver.act_unchecked(&rules, &mut lost, &Input::Act(lasts("a")), &mut Log::default()).unwrap_err();
    let mut next = Position::<Script>::new(world(vec![]));
    resolver.act_unchecked(&rules, &mut next, &Input::Act(lasts("c")), &mut Log::default()).unwrap();
    assert_eq!(next.state().happened, [Token('c', 0)]);
}

#[test]
fn a_question_asked_twice_in_one_action_is_two_moments() {
    let mut game = open(world(vec![]));
    game.act(Input::Act(lasts("qaq"))).unwrap();
    game.act(Input::Choose(1)).unwrap();
    assert!(game.pending().is_some());
    game.act(Input::Choose(2)).unwrap();
    assert_eq!(story(&game), "q a q");
}

#[test]
fn a_refused_input_does_not_hide_the_future() {
    let mut game = open(world(vec![]));
    game.act(Input::Act(lasts("a"))).unwrap();
    game.act(Input::Act(lasts("b"))).unwrap();
    assert!(game.undo());
    assert!(game.act(Input::Act(vec![])).is_err());
    assert!(game.redo());
    assert_eq!(story(&game), "a b");
    assert!(game.undo());
    assert!(game.act(Input::Act(vec![])).is_err());
    assert!(game.undo(), "undo goes back over refusals to before the last accepted input");
    assert_eq!(story(&game), "");
}

#[test]
fn jumps_reach_every_moment_and_unknown_ones_are_refused() {
    let mut game = open(world(vec![]));
    for letter in ["a", "b", "c"] {
        game.act(Input::Act(lasts(letter))).unwrap();
    }
    game.jump(1).unwrap();
    game.act(Input::Act(lasts("d"))).unwrap();
    assert_eq!(story(&game), "a d");
    let branches = game.branches();
    assert_eq!(
        branches.iter().map(|b| (b.tip, b.forked_at, b.current)).collect::<Vec<_>>(),
        [(3, 0, false), (4, 1, true)]
    );
    game.jump(3).unwrap();
    assert_eq!(story(&game), "a b c");
    assert_eq!(game.jump(99).unwrap_err().code(), "NO_SUCH_MOMENT");
    assert_eq!(story(&game), "a b c");
    assert_eq!(game.live_at(1).unwrap().state.happened.len(), 2);
}

#[test]
fn the_short_way_leaves_the_log_of_the_long_one_and_only_a_trace_goes_that() {
    let add = |n| before(0, 's', Act::Add(n));
    let tell = after(0, 's', Act::Propose(vec![(Lane::Last, Token('t', 0)), (Lane::First, Token('u', 0))]));
    let mut action = lasts("asb");
    action.push((Lane::Last, Token('c', 0), Some(1)));
    for (listeners, short) in [(vec![tell.clone()], 1), (vec![tell, add(2)], 0)] {
        let (_, traced) = run(world(listeners.clone()), action.clone());
        assert_eq!(traced.game().taken(), 0);
        let (mut position, mut log) = (Position::<Script>::new(world(listeners)), Log::default());
        let game = Script::default();
        Resolver::thorough().act(&game, &mut position, &Input::Act(action.clone()), &mut log).unwrap();
        assert_eq!(game.taken(), short);
        assert_eq!(position.state().happened, traced.state().happened);
        assert_eq!(log.entries(), traced.entries(traced.here()));
    }
}

#[test]
fn what_an_effect_stands_for_takes_the_short_way_if_it_is_alone() {
    for (action, short) in [("aSb", 1), ("aDb", 0)] {
        let (_, traced) = run(world(vec![]), lasts(action));
        let (mut position, mut log) = (Position::<Script>::new(world(vec![])), Log::default());
        let game = Script::default();
        Resolver::thorough().act(&game, &mut position, &Input::Act(lasts(action)), &mut log).unwrap();
        assert_eq!(game.taken(), short, "{action}");
        assert_eq!(log.entries(), traced.entries(traced.here()), "{action}");
    }
}

#[test]
fn a_broken_position_is_not_admitted() {
    let mut game = open(world(vec![]));
    game.act(Input::Act(lasts("aq"))).unwrap();
    let mut value = serde_json::to_value(game.position()).unwrap();
    value["live"]["pending"] = serde_json::Value::Null;
    let broken: Position<Script> = serde_json::from_value(value).unwrap();
    assert_eq!(broken.admit(&Script::default()).unwrap_err().code(), "BROKEN_POSITION");
}

/// An effect that asks with listeners before it, and a `c` on the agenda.
fn asking(listeners: Vec<Spec>) -> Match<Script> {
    let mut game = open(world(listeners));
    let action = vec![(Lane::Last, Token('q', 0), None), (Lane::Agenda, Token('c', 0), None)];
    game.act(Input::Act(action)).unwrap();
    game
}

#[test]
fn redo_after_undo_refusal_and_a_new_branch_goes_to_the_new_branch() {
    let mut game = open(world(vec![]));
    game.act(Input::Act(lasts("a"))).unwrap();
    game.act(Input::Act(lasts("b"))).unwrap();
    game.undo();
    game.act(Input::Act(vec![])).unwrap_err();
    game.act(Input::Act(lasts("c"))).unwrap();
    assert!(game.undo() && game.redo());
    assert_eq!(story(&game), "a c");
}

#[test]
fn redo_after_a_jump_goes_to_where_the_jump_went() {
    let mut game = open(world(vec![]));
    game.act(Input::Act(lasts("a"))).unwrap();
    let fork = game.here();
    game.act(Input::Act(lasts("b"))).unwrap();
    let old = game.act(Input::Act(lasts("c"))).unwrap();
    game.jump(fork).unwrap();
    game.act(Input::Act(lasts("d"))).unwrap();
    let new = game.act(Input::Act(lasts("e"))).unwrap();
    for (tip, line) in [(old, "a b c"), (new, "a d e"), (old, "a b c")] {
        game.jump(tip).unwrap();
        while game.undo() {}
        while game.redo() {}
        assert_eq!(story(&game), line);
    }
}

#[test]
fn a_refusal_can_be_tried_without_a_trace_and_only_the_last_are_kept() {
    let mut game = open(world(vec![]));
    let before = game.position().clone();
    assert_eq!(game.try_act(&Input::Act(vec![])).unwrap_err().code(), "EMPTY");
    assert_eq!((game.refused(), game.moments()), (0, 1));
    for _ in 0..100 {
        game.act(Input::Act(vec![])).unwrap_err();
    }
    assert_eq!((game.refused(), game.refusals().len(), game.moments()), (100, 16, 1));
    assert_eq!(*game.position(), before);
}

#[test]
fn a_listener_that_passes_withdraws_nothing_and_notes_nothing() {
    let action = vec![(Lane::Last, Token('a', 0), None), (Lane::Agenda, Token('c', 0), None)];
    let (story, game) = run(world(vec![before(0, 'a', Act::WithdrawAndPass)]), action);
    assert_eq!(story, "a c");
    assert!(game.notes(1).all(|(_, note)| note.who != '?'));
}

#[test]
fn what_an_alteration_withdraws_is_withdrawn_only_if_the_effect_happens() {
    let action = || vec![(Lane::Last, Token('a', 0), None), (Lane::Agenda, Token('c', 0), None)];
    let add = || before(0, 'a', Act::AddAndWithdraw(1));
    assert_eq!(run(world(vec![add()]), action()).0, "a1");
    let (story, game) = run(world(vec![add(), before(1, 'a', Act::Cancel)]), action());
    assert_eq!(story, "c");
    assert!(game.notes(1).all(|(_, note)| note.who != '+'), "the effect it was about never happened");
    let replace = before(1, 'a', Act::Replace(vec![(Lane::First, Token('b', 0))]));
    assert_eq!(run(world(vec![add(), replace]), action()).0, "b c");
}

#[test]
fn what_is_withdrawn_survives_a_question() {
    let mut game = asking(vec![before(0, 'q', Act::AddAndWithdraw(1))]);
    let text = serde_json::to_string(game.position()).unwrap();
    game.act(Input::Choose(1)).unwrap();
    assert_eq!(story(&game), "q1");
    let loaded: Position<Script> = serde_json::from_str(&text).unwrap();
    let mut loaded = loaded.admit(&Script::default()).unwrap();
    Resolver::default().act(&Script::default(), &mut loaded, &Input::Choose(1), &mut Log::default()).unwrap();
    assert_eq!(loaded, *game.position());
}

#[test]
fn nothing_leaks_from_one_position_to_the_next() {
    let rules = Script::default();
    let mut resolver = Resolver::default();
    let mut asked = Position::<Script>::new(world(vec![before(0, 'q', Act::AddAndWithdraw(1))]));
    resolver.act(&rules, &mut asked, &Input::Act(lasts("q")), &mut Log::default()).unwrap();
    let mut other = Position::<Script>::new(world(vec![]));
    let action = vec![(Lane::Last, Token('a', 0), None), (Lane::Agenda, Token('c', 0), None)];
    resolver.act(&rules, &mut other, &Input::Act(action), &mut Log::default()).unwrap();
    assert_eq!(other.state().happened.len(), 2, "the agenda of another position is its own");
}

#[test]
fn what_open_withdraws_is_what_waited_before() {
    // Nothing waits when an action opens, and its own agenda is not what waited before.
    let action = vec![(Lane::Last, Token('o', 0), None), (Lane::Agenda, Token('c', 0), None)];
    assert_eq!(run(world(vec![]), action).0, "o c");
}

#[test]
fn several_entries_are_withdrawn_and_whoever_depends_on_them_is_dropped() {
    let action = vec![
        (Lane::Agenda, Token('d', 0), None),
        (Lane::Agenda, Token('c', 1), None),
        (Lane::Agenda, Token('c', 2), None),
        (Lane::Last, Token('p', 0), None),
        (Lane::Last, Token('e', 0), Some(1)),
    ];
    let (story, game) = run(world(vec![]), action);
    assert_eq!(story, "p d");
    let withdrawn = fates(&game).iter().filter(|(_, fate)| *fate == Fate::Withdrawn).count();
    let unmet = fates(&game).iter().filter(|(_, fate)| *fate == Fate::Unmet).count();
    assert_eq!((withdrawn, unmet), (2, 1));
}

#[test]
fn notes_stand_with_their_fact_and_those_before_a_question_with_the_question() {
    let mut game = asking(vec![before(0, 'q', Act::AddAndWithdraw(4))]);
    let of = |game: &Match<Script>, moment| -> Vec<(usize, char, i64)> {
        game.notes(moment).map(|(at, note)| (at, note.who, note.to)).collect()
    };
    assert_eq!(of(&game, 1), [(0, '+', 4), (0, 'q', 4)]);
    game.act(Input::Choose(2)).unwrap();
    assert_eq!(of(&game, 2), [(1, 'q', 4)]);
    let told = game.explain(1).to_string();
    assert!(told.contains("· '+': 0 → 4"), "{told}");
}

#[test]
fn nothing_is_noted_about_what_does_not_happen() {
    let (_, game) = run(world(vec![]), lasts("az"));
    assert_eq!(game.notes(1).map(|(_, note)| note.who).collect::<String>(), "a");
}

#[test]
fn what_waits_is_bounded_like_what_runs() {
    let mut game = open(world(vec![]));
    let many: Opening = (0..10_001).map(|n| (Lane::Last, Token('a', n), None)).collect();
    let refusal = game.act(Input::Act(many)).unwrap_err();
    assert_eq!(refusal.code(), "EFFECT_BUDGET");
    let enough: Opening = (0..10_000).map(|n| (Lane::Last, Token('a', n), None)).collect();
    game.act(Input::Act(enough)).unwrap();
    assert_eq!(game.state().happened.len(), 10_000);
    assert_eq!(open(world(vec![])).act(Input::Act(lasts("M"))).unwrap_err().code(), "EFFECT_BUDGET");
}

#[test]
fn a_pause_does_not_renew_the_budget() {
    let action = |before: i32, after: i32| -> Opening {
        let letters = (0..before).map(|n| Token('a', n));
        let letters = letters.chain([Token('q', 0)]).chain((0..after).map(|n| Token('b', n)));
        letters.map(|token| (Lane::Last, token, None)).collect()
    };
    // The budget is counted over the whole action, and what waits behind the question counts too.
    let more = after(0, 'q', Act::Propose((0..4000).map(|n| (Lane::Last, Token('b', n))).collect()));
    let mut game = open(world(vec![more]));
    game.act(Input::Act(action(7000, 0))).unwrap();
    assert_eq!(game.act(Input::Choose(1)).unwrap_err().code(), "EFFECT_BUDGET");
    assert!(game.pending().is_some(), "the question still waits");
    let mut game = open(world(vec![]));
    game.act(Input::Act(action(7000, 2000))).unwrap();
    game.act(Input::Choose(1)).unwrap();
}

#[test]
fn wild_numbers_in_a_position_are_refused() {
    let game = asking(vec![]);
    let value = serde_json::to_value(game.position()).unwrap();
    let wild = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value = value.clone();
        change(&mut value);
        let position: Position<Script> = serde_json::from_value(value).unwrap();
        position.admit(&Script::default()).map(|_| ()).map_err(|refusal| refusal.code().to_owned())
    };
    assert_eq!(wild(&|_| {}), Ok(()));
    for (path, number) in [
        ("/live/serial", u32::MAX),
        ("/pause/tickets", u32::MAX),
        ("/pause/spent", u32::MAX),
        ("/pause/held/lineage", 1),
        ("/pause/held/ticket", 7),
        ("/pause/held/needs", 7),
    ] {
        let refused = wild(&|value| *value.pointer_mut(path).unwrap() = number.into());
        assert_eq!(refused, Err("BROKEN_POSITION".to_owned()), "{path}");
    }
}

#[test]
fn a_position_may_know_of_what_did_not_happen_if_it_was_ever_proposed() {
    let mut action = lasts("zq");
    action.push((Lane::Last, Token('m', 0), Some(0)));
    let (_, game) = run(world(vec![]), action);
    let mut value = serde_json::to_value(game.position()).unwrap();
    assert_eq!(value["pause"]["missed"], serde_json::json!([1]));
    let admitted = |value: &serde_json::Value| {
        let position: Position<Script> = serde_json::from_value(value.clone()).unwrap();
        position.admit(&Script::default()).map_err(|refusal| refusal.code().to_owned())
    };
    assert_eq!(admitted(&value).as_ref(), Ok(game.position()));
    value["pause"]["missed"] = serde_json::json!([1, 2]);
    assert_eq!(admitted(&value), Err("BROKEN_POSITION".to_owned()));
}

#[test]
fn every_single_step_can_be_looked_at() {
    use turnstone::steps::Done;
    let listeners =
        vec![before(0, 'a', Act::Add(1)), after(0, 'a', Act::Propose(vec![(Lane::Last, Token('b', 0))]))];
    let mut action = lasts("a");
    action.push((Lane::Agenda, Token('d', 0), None));
    let (_, game) = run(world(listeners), action);
    let steps = game.steps(1);
    let names: Vec<&str> = steps
        .iter()
        .map(|step| match step.done {
            Done::Opened => "opened",
            Done::Idled => "idled",
            Done::Taken(..) => "taken",
            Done::Expanded(_) => "expanded",
            Done::Before(..) => "before",
            Done::Settled(_) => "settled",
            Done::Applied(..) => "applied",
            Done::Followed(_) => "followed",
            Done::After(..) => "after",
            Done::Queued => "queued",
        })
        .collect();
    let first = [
        "opened", "queued", "taken", "expanded", "before", "settled", "applied", "followed", "after",
        "queued",
    ];
    assert_eq!(names[..10], first);
    assert_eq!((steps[1].queue.len(), steps[1].agenda.len()), (1, 1));
    assert_eq!(steps[8].proposed, [Token('b', 0)]);
    assert!(matches!(&steps[6].done, Done::Applied(token, live) if token.1 == 1 && live.serial == 1));
    assert!(game.steps(0).is_empty() && game.steps(9).is_empty());
}

/// The notes of a moment: which fact, who, what it became.
fn notes(game: &Match<Script>, moment: u32) -> Vec<(usize, char, i64)> {
    game.notes(moment).map(|(at, note)| (at, note.who, note.to)).collect()
}

/// One action that asks in the middle; what it proposes in every lane has a reason, and so has what rides.
fn asking_with_reasons() -> Opening {
    vec![
        (Lane::Last, Token('q', 100), None),
        (Lane::Last, Token('a', 101), None),
        (Lane::Agenda, Token('c', 102), None),
    ]
}

fn riding_with_reasons() -> World {
    world(vec![before(0, 'q', Act::AddAndPropose(1, Lane::First, Token('b', 103)))])
}

#[test]
fn the_reason_of_a_proposal_stands_with_its_event_before_what_is_noted_on_the_way() {
    let listeners = vec![
        before(0, 'a', Act::AddAndWithdraw(1)),
        after(0, 'a', Act::Propose(vec![(Lane::Agenda, Token('d', 200)), (Lane::Last, Token('e', 0))])),
    ];
    let (story, game) = run(world(listeners), vec![(Lane::Last, Token('a', 100), None)]);
    assert_eq!(story, "a101 e d200");
    let first = [(0, '#', 100), (0, '+', 101), (0, 'a', 101)];
    assert_eq!(notes(&game, 1)[..3], first);
    assert_eq!(notes(&game, 1)[3..], [(1, 'e', 0), (2, '#', 200), (2, 'd', 200)]);
}

#[test]
fn the_short_way_keeps_the_reasons_of_a_proposal_too() {
    use turnstone::Keeper;
    let rules = Script::default();
    let mut log = Log::default();
    let mut position = Position::<Script>::new(world(vec![]));
    let action = vec![(Lane::Last, Token('s', 100), None), (Lane::Last, Token('S', 300), None)];
    Resolver::thorough().act(&rules, &mut position, &Input::Act(action), &mut log).unwrap();
    assert_eq!(rules.taken(), 2);
    let of: Vec<_> = Keeper::notes(&log).iter().map(|(at, note)| (*at, note.who, note.to)).collect();
    assert_eq!(of[..3], [(0, '#', 100), (0, 's', 100), (1, 'f', 100)]);
    assert_eq!(of[3..5], [(2, '#', 300), (2, 's', 300)]);
}

#[test]
fn a_question_keeps_the_reasons_of_everything_that_waits() {
    let mut game = open(riding_with_reasons());
    game.act(Input::Act(asking_with_reasons())).unwrap();
    assert_eq!(notes(&game, 1), [(0, '#', 100), (0, 'q', 101)]);
    let text = serde_json::to_string(game.position()).unwrap();
    game.act(Input::Choose(1)).unwrap();
    assert_eq!(story(&game), "q101 b103 a101 c102");
    let each = [(1, '#', 100), (1, 'q', 101), (2, '#', 103), (2, 'b', 103)];
    assert_eq!(notes(&game, 2)[..4], each);
    assert_eq!(notes(&game, 2)[4..], [(3, '#', 101), (3, 'a', 101), (4, '#', 102), (4, 'c', 102)]);

    // Saved and loaded, undone and done again: the same reasons.
    use turnstone::Keeper;
    let loaded: Position<Script> = serde_json::from_str(&text).unwrap();
    let mut loaded = loaded.admit(&Script::default()).unwrap();
    let mut log = Log::default();
    Resolver::default().act(&Script::default(), &mut loaded, &Input::Choose(1), &mut log).unwrap();
    let again = Keeper::notes(&log).iter().map(|(at, note)| (*at, note.who, note.to));
    assert!(again.eq(notes(&game, 2)));
    game.undo();
    game.act(Input::Choose(1)).unwrap();
    assert_eq!(notes(&game, 3), notes(&game, 2));
}

#[test]
fn reasons_are_no_part_of_a_position() {
    use turnstone::Off;
    let rules = Script::default();
    let start = || Position::<Script>::new(riding_with_reasons());
    let (mut off, mut log) = (start(), start());
    let input = Input::Act(asking_with_reasons());
    Resolver::default().act(&rules, &mut off, &input, &mut Off).unwrap();
    Resolver::default().act(&rules, &mut log, &input, &mut Log::default()).unwrap();
    assert_eq!(off, log);
    assert_ne!(serde_json::to_value(&off).unwrap(), serde_json::to_value(&log).unwrap());
    // Nor do they come back when nobody wants them, or at the next input.
    Resolver::default().act(&rules, &mut log, &Input::Choose(1), &mut Off).unwrap();
    Resolver::default().act(&rules, &mut off, &Input::Choose(1), &mut Log::default()).unwrap();
    assert_eq!(off, log);
}

#[test]
fn the_reason_of_what_does_not_happen_is_told_of_nothing_else() {
    let stopped = vec![before(0, 'a', Act::Replace(vec![(Lane::First, Token('b', 0))]))];
    let (_, game) = run(world(stopped), vec![(Lane::Last, Token('a', 100), None)]);
    assert_eq!(notes(&game, 1), [(0, 'b', 0)]);
    let (_, game) = run(world(vec![]), vec![(Lane::Last, Token('x', 100), None)]);
    assert_eq!(notes(&game, 1), [(0, 'a', 100), (1, 'b', 100)], "it stands for others, which are not it");
    // Tickets begin anew with every input; what was left of the last one does not come with them.
    let (_, mut game) = run(world(vec![]), vec![(Lane::Last, Token('z', 100), None)]);
    let depends = vec![(Lane::Last, Token('a', 0), None), (Lane::Last, Token('b', 0), Some(0))];
    game.act(Input::Act(depends)).unwrap();
    assert_eq!(notes(&game, 2), [(0, 'a', 0), (1, 'b', 0)]);
    // The same after an input that failed as a whole.
    let mut game = open(World { forbidden: Some('a'), ..world(vec![]) });
    game.act(Input::Act(vec![(Lane::Last, Token('a', 100), None)])).unwrap_err();
    game.act(Input::Act(vec![(Lane::Last, Token('c', 0), None), (Lane::Last, Token('b', 0), Some(0))]))
        .unwrap();
    assert_eq!(notes(&game, 1), [(0, 'c', 0), (1, 'b', 0)]);
}

#[test]
fn positions_in_which_a_question_waits_differ_if_anything_that_waits_does() {
    // `z` is stale before the question; `e` depends on it, `b` on the `a` before, `d` on the `c` behind.
    let action = vec![
        (Lane::Last, Token('a', 0), None),
        (Lane::Last, Token('z', 0), None),
        (Lane::Last, Token('q', 0), None),
        (Lane::Last, Token('c', 0), None),
        (Lane::Last, Token('b', 0), Some(0)),
        (Lane::Last, Token('e', 0), Some(1)),
        (Lane::Last, Token('d', 0), Some(3)),
        (Lane::Agenda, Token('g', 0), None),
    ];
    let riding = vec![
        before(0, 'q', Act::AddAndPropose(1, Lane::First, Token('h', 0))),
        before(1, 'q', Act::AddAndWithdraw(1)),
    ];
    let (_, game) = run(world(riding), action);
    let value = serde_json::to_value(game.position()).unwrap();
    let bent = |bend: &dyn Fn(&mut serde_json::Value)| -> Position<Script> {
        let mut value = value.clone();
        bend(&mut value["pause"]);
        serde_json::from_value(value).unwrap()
    };
    assert_eq!(bent(&|_| {}), *game.position());
    let needs = |value: &serde_json::Value, at: usize| value["queue"][at]["needs"].clone();
    let bends: [&dyn Fn(&mut serde_json::Value); 12] = [
        &|pause| pause["held"]["effect"] = pause["queue"][0]["effect"].clone(),
        &|pause| pause["held"]["cause"]["after"] = "Idle".into(),
        &|pause| pause["held"]["cause"]["by"] = 7.into(),
        &|pause| pause["held"]["lineage"] = 0.into(),
        &|pause| _ = pause["queue"].as_array_mut().unwrap().pop(),
        &|pause| _ = pause["agenda"].as_array_mut().unwrap().pop(),
        &|pause| pause["riding"]["items"][0][0] = "Last".into(),
        &|pause| pause["riding"]["withdrawals"] = serde_json::json!([]),
        &|pause| pause["acts"][0]["listener"] = 7.into(),
        &|pause| pause["spent"] = 99.into(),
        // Met, unmet, or on another: what an effect depends on.
        &|pause| pause["queue"][1]["needs"] = needs(pause, 2),
        &|pause| pause["queue"][3]["needs"] = needs(pause, 1),
    ];
    for (at, bend) in bends.iter().enumerate() {
        assert_ne!(bent(bend), *game.position(), "bend {at}");
    }
    // Other names for the same ties make no difference.
    let renamed = serde_json::to_string(&value).unwrap();
    let renamed = renamed.replace("\"ticket\":3", "\"ticket\":9").replace("\"needs\":3", "\"needs\":9");
    assert_ne!(renamed, serde_json::to_string(&value).unwrap());
    assert_eq!(serde_json::from_str::<Position<Script>>(&renamed).unwrap(), *game.position());
    let free = bent(&|pause| pause["queue"][1]["needs"] = 0.into());
    assert_ne!(free, *game.position());
}

#[test]
fn nothing_takes_the_place_of_what_is_cancelled() {
    let action = || vec![(Lane::Last, Token('a', 0), None), (Lane::Agenda, Token('c', 0), None)];
    for lane in [Lane::First, Lane::Last, Lane::Agenda] {
        let listeners = vec![
            before(0, 'a', Act::AddAndPropose(1, Lane::First, Token('e', 0))),
            before(1, 'a', Act::ProposeAndCancel(lane, Token('d', 0))),
        ];
        let (story, game) = run(world(listeners), action());
        assert_eq!(story, "c");
        assert_eq!(fates(&game)[1], ('a', Fate::Cancelled { by: Ear(1) }));
    }
}

#[test]
fn an_idle_that_proposes_is_counted_like_what_it_proposes() {
    let limited = |idle| {
        let rules = Script { limits: Limits { effects: 21, replacements: 1 }, ..Script::default() };
        let mut game: Match<Script> =
            Match::new(Arc::new(rules), World { idle, ..World::default() }, 0).expect("any world will do");
        game.act(Input::Act(lasts("a"))).map(|_| story(&game)).map_err(|refusal| refusal.code().to_owned())
    };
    assert_eq!(limited(10), Ok("a i10 i9 i8 i7 i6 i5 i4 i3 i2 i1".to_owned()));
    assert_eq!(limited(11), Err("EFFECT_BUDGET".to_owned()));
}

/// An action that sets off so many effects. The rules propose them all but for the last, which a listener does.
fn ending(length: usize) -> Opening {
    lasts(&format!("{}e", "a".repeat(length - 2)))
}

/// Plays actions that stay below the budget, then one that goes beyond; gives what is reported to repeat in it.
fn exhausted(budget: usize, before: &[Opening]) -> Vec<String> {
    let limits = Limits { effects: budget as u32, replacements: 1 };
    let ends = after(0, 'e', Act::Propose(vec![(Lane::Last, Token('g', 0))]));
    let rules = Arc::new(Script { limits, ..Script::default() });
    let mut game: Match<Script> = Match::new(rules, world(vec![ends]), 0).expect("any world will do");
    for action in before {
        game.act(Input::Act(action.clone())).expect("it stays below the budget");
    }
    let refusal = game.act(Input::Act(ending(budget + 1))).expect_err("it is one too many");
    assert_eq!(refusal.code(), "EFFECT_BUDGET");
    refusal.cycle
}

#[test]
fn what_repeats_is_looked_for_in_the_action_that_failed_and_in_no_other() {
    // Nothing repeats in the action itself: its end is reported as it is.
    let mut end = vec!["Token"; 31];
    end.push("Token by Ear(0)");
    assert_eq!(exhausted(8, &[ending(8)]), end[23..]);
    assert_eq!(exhausted(800, &[lasts(&"a".repeat(800)), ending(800)]), end);
}

#[test]
fn a_refused_input_is_one_fact_for_who_keeps_a_log_of_his_own() {
    let rules = Script::default();
    let (mut position, mut log) = (Position::<Script>::new(world(vec![])), Log::default());
    let input = Input::Act(vec![]);
    let refusal = Resolver::default().act(&rules, &mut position, &input, &mut log).unwrap_err();
    assert_eq!(position.live().serial, 1);
    let [entry] = log.entries() else { panic!("one fact: {:?}", log.entries()) };
    assert_eq!(entry.fact, Fact::ActionRejected { input, rejection: Box::new(refusal) });
    assert_eq!((entry.cause.after, entry.cause.by), (Origin::Action, None));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "express notes something else")]
fn a_thorough_resolver_notices_the_first_short_way_that_is_another_way() {
    let rules = Script { forgetful: true, ..Script::default() };
    let mut position = Position::<Script>::new(world(vec![]));
    let _ = Resolver::thorough().act(&rules, &mut position, &Input::Act(lasts("s")), &mut Log::default());
}

#[test]
fn the_state_after_every_single_fact_can_be_looked_at() {
    for interval in [1, 2, 64] {
        let mut game: Match<Script> =
            Match::with_interval(Arc::new(Script::default()), world(vec![]), 0, interval).unwrap();
        for letters in ["abc", "de", "fghi"] {
            game.act(Input::Act(lasts(letters))).unwrap();
        }
        for (serial, letter) in (0..9).zip("abcdefghi".chars()) {
            let live = game.live_at(serial).unwrap();
            assert_eq!((live.serial, live.state.happened.len()), (serial + 1, serial as usize + 1));
            assert_eq!(live.state.happened.last(), Some(&Token(letter, 0)));
        }
        assert_eq!(game.live_at(9).unwrap_err().code(), "NO_SUCH_MOMENT");
        game.undo();
        assert_eq!(game.live_at(5).unwrap_err().code(), "NO_SUCH_MOMENT", "it is on no line to here");
    }
}

#[test]
fn what_waits_behind_a_question_can_be_looked_at_in_running_order() {
    let more = after(0, 'a', Act::Propose(vec![(Lane::Last, Token('b', 0)), (Lane::Agenda, Token('d', 0))]));
    let mut action = lasts("aq");
    action.push((Lane::Agenda, Token('c', 0), None));
    let (_, game) = run(world(vec![more]), action);
    let waiting: Vec<(char, Origin)> =
        game.position().waiting().map(|(effect, origin)| (effect.0, origin)).collect();
    let of_the_action = |letter| (letter, Origin::Action);
    let of_a = |letter| (letter, Origin::Event(0));
    assert_eq!(waiting, [of_the_action('q'), of_a('b'), of_a('d'), of_the_action('c')]);
    assert_eq!(open(world(vec![])).position().waiting().count(), 0);
}

#[test]
fn the_game_is_asked_about_every_effect_of_a_position_from_outside() {
    let riding = vec![
        before(0, 'q', Act::AddAndPropose(1, Lane::First, Token('h', 0))),
        before(1, 'q', Act::AddAndWithdraw(1)),
    ];
    let mut action = lasts("qb");
    action.push((Lane::Agenda, Token('c', 0), None));
    let (_, game) = run(world(riding), action);
    let value = serde_json::to_value(game.position()).unwrap();
    let admitted = |path: &str| {
        let mut value = value.clone();
        if let Some(number) = value.pointer_mut(path) {
            *number = (-1).into();
        }
        let position: Position<Script> = serde_json::from_value(value).unwrap();
        position.admit(&Script::default()).map(|_| ()).map_err(|refusal| refusal.code().to_owned())
    };
    assert_eq!(admitted("/nowhere"), Ok(()));
    for path in [
        "/pause/held/effect/1",
        "/pause/queue/0/effect/1",
        "/pause/agenda/0/effect/1",
        "/pause/riding/items/0/1/effect/1",
        "/pause/riding/withdrawals/0/Like/1",
    ] {
        assert_eq!(admitted(path), Err("NEGATIVE".to_owned()), "{path}");
    }
}

#[test]
fn every_step_is_kept_for_who_asks_for_steps_himself() {
    use turnstone::steps::{Done, Steps};
    let mut steps = Steps::default();
    let mut position = Position::<Script>::new(world(vec![]));
    let input = Input::Act(lasts("ab"));
    Resolver::default().act(&Script::default(), &mut position, &input, &mut steps).unwrap();
    let taken: String = steps
        .list()
        .iter()
        .filter_map(|step| match &step.done {
            Done::Taken(effect, _) => Some(effect.0),
            _ => None,
        })
        .collect();
    assert_eq!(taken, "ab");
}

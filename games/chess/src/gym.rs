//! Chess as numbers, for learners.
//!
//! The observation is one part, `board`, of planes `[planes][rows][columns]`, row 1 first: for each kind of piece one
//! plane of White's and one of Black's, then what the ruleset and the board call for. [`Part::columns`] names them in
//! order. What lies in the fog of war is not in it. A board smaller than the planes lies in their corner; a run has
//! planes of eight by eight.
//!
//! A run has further parts, which say what lies between its fights: `run` (phase, act, fights won, money), `goods` (what
//! is offered, in the order of its numbers), `roster`, `relics` and `map`. Kinds of pieces, abilities and relics count
//! from 1 in the order of their planes and names.
//!
//! Numbers of inputs, with `s` squares counted row by row: `from × s + to` for moves (castling goes to the rook),
//! then drops, kinds (what a pawn becomes), claiming and accepting a draw. Where abilities are about, jumps and casts
//! have `s × s` numbers of their own, and so have answers of squares and of yes and no; a run adds its own steps. What
//! content of one's own adds (kinds of pieces, abilities) has planes and numbers behind all these: adding it renumbers
//! nothing.
//!
//! Rewards: `outcome` (default), 1 for a victory and -1 for a defeat; `rounds`, in a run, 1 more for every fight won.

use crate::ability::MAX_LAYERS;
use crate::action::{Action, Answer, How, Play};
use crate::at::At;
use crate::catalog::{Catalog, tile_id};
use crate::color::Color;
use crate::game::Chess;
use crate::plain::Variant;
use crate::rules::ending::repetitions;
use crate::run::{Offer, Phase, Run, RunAction};
use crate::setup::Setup;
use crate::state::State;
use crate::tile::Tile;
use turnstone::{Input, InputOf, Position, Rejection, Seat, Viewer};
use turnstone_gym::{Coder, Desk, Layout, Learned, Part, Sheet, Taste, result, word};

/// Steps of a run that have numbers: nodes, offers, members of the roster.
const NODES: usize = 64;
const OFFERS: usize = 12;
const MEMBERS: usize = 20;

const RUN: [&str; 4] = ["phase", "act", "fights won", "money"];
const GOODS: [(&str, &str); 6] = [
    ("kind", "what it is; the columns behind say which"),
    ("piece", ""),
    ("ability", ""),
    ("relic", ""),
    ("money", "how much"),
    ("price", ""),
];
const NODE: [(&str, &str); 6] = [
    ("kind", ""),
    ("row", ""),
    ("column", ""),
    ("leads to", "the columns of the next row that it leads to, one bit each"),
    ("here", "1 where you are"),
    ("reachable", "1 if you may go there now"),
];
/// What places of a map are, in the order of [`NodeKind`](crate::run::NodeKind).
const NODE_KINDS: [&str; 5] = ["fight", "elite", "shop", "event", "boss"];
/// The phases of a run, as [`phase`] counts them; its events come behind them.
const PHASES: [&str; 7] = ["nothing", "map", "fight", "reward", "shop", "won", "lost"];
/// A member's kind, then its abilities with their charges.
const MEMBER: usize = 1 + 2 * MAX_LAYERS;

/// The numbers of chess.
#[derive(Clone, Debug)]
pub struct ChessCoder {
    width: usize,
    height: usize,
    /// Kinds of pieces that have planes and numbers.
    kinds: Ranks,
    /// Abilities that have planes; without any, jumps are moves like others.
    abilities: Ranks,
    drops: bool,
    run: bool,
    checks: bool,
    fog: bool,
    alike: bool,
    rounds: bool,
    names: Vec<String>,
    /// The relics that a run may bring.
    relics: Vec<String>,
    layout: Layout,
}

impl Learned for Chess {
    type Coder = ChessCoder;

    fn coder(&self, setup: &Setup, first: &Position<Self>, taste: &Taste) -> Result<ChessCoder, Rejection> {
        taste.observation(&["board"])?;
        let state = first.state();
        let run = state.run.is_some();
        let bare = self.is_bare(state);
        let (width, height) = if run { (8, 8) } else { (state.width().into(), state.height().into()) };
        let (kinds, abilities, usual) = (&self.catalog.pieces, &self.catalog.abilities, Catalog::builtin());
        let most = |many: usize, all: usize| if bare { many } else { all };
        let mut coder = ChessCoder {
            width,
            height,
            kinds: Ranks::new(
                kinds.iter().map(|kind| &*kind.id).take(most(6, kinds.len())),
                usual.pieces.iter().map(|kind| &*kind.id).take(most(6, usual.pieces.len())),
            ),
            abilities: Ranks::new(
                abilities.iter().map(|ability| &*ability.id).take(most(0, abilities.len())),
                usual.abilities.iter().map(|ability| &*ability.id).take(most(0, usual.abilities.len())),
            ),
            drops: self.rules.drops,
            run,
            checks: self.rules.checks > 0,
            fog: self.rules.fog_of_war,
            alike: match setup {
                Setup::Fen(_) | Setup::Board(_) | Setup::Position(_) => true,
                Setup::Start => self.rules.variant != Some(Variant::Chess960),
                Setup::Run(_) | Setup::Record(_) => false,
            },
            rounds: taste.reward(&["outcome", "rounds"])? == "rounds",
            names: Vec::new(),
            relics: self.catalog.run.relics.iter().map(|relic| relic.id.to_string()).collect(),
            layout: Layout::new(Vec::new(), &Taste::default())?,
        };
        coder.names = coder.plane_names();
        let events = self.catalog.run.events.iter().map(|event| event.id.to_string());
        coder.layout = Layout::new(coder.all_parts(events), taste)?;
        Ok(coder)
    }
}

impl Chess {
    /// Is there nothing but orthodox pieces under orthodox rules or one of their variants?
    fn is_bare(&self, state: &State) -> bool {
        let orthodox = state.pieces().all(|(_, piece)| piece.kind.is_orthodox());
        let level = state.is_level() && state.verbs() & !self.innate == 0;
        let promotions = self.promotions.iter().all(|kind| kind.is_orthodox());
        state.run.is_none() && self.rules.variant.is_some() && orthodox && level && promotions
    }
}

/// The groups of planes, each with how many it has.
struct Planes {
    pieces: usize,
    abilities: usize,
    tiles: usize,
    pockets: usize,
    castling: usize,
    passing: usize,
    mover: usize,
    own: usize,
    halfmoves: usize,
    repeated: usize,
    checks: usize,
    seen: usize,
    run: usize,
    promoted: usize,
    more_pieces: usize,
    more_abilities: usize,
    more_pockets: usize,
    count: usize,
}

/// The order in which things of a catalog have planes and numbers: first those that come with the game, then those that
/// were added. A catalog lists them all by name, so that what is added may stand anywhere in it.
#[derive(Clone, Debug)]
struct Ranks {
    /// The place of each thing of the catalog.
    of: Vec<usize>,
    /// Their names, by place.
    names: Vec<String>,
    usual: usize,
}

impl Ranks {
    /// The place of a thing of the catalog, from 1.
    fn counted(&self, id: u8) -> i16 {
        self.of.get(usize::from(id)).map_or(0, |place| word(*place as i64 + 1))
    }

    fn new<'n>(all: impl Iterator<Item = &'n str>, usual: impl Iterator<Item = &'n str>) -> Ranks {
        let mut names: Vec<String> = usual.map(str::to_owned).collect();
        let usual = names.len();
        let mut rank = |name: &str| {
            names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            })
        };
        let of = all.map(&mut rank).collect();
        Ranks { of, names, usual }
    }

    fn added(&self) -> usize {
        self.names.len() - self.usual
    }

    /// Where a thing stands in the group of the usual ones, or, behind them, in that of those that were added.
    fn place(&self, group: usize, more: usize, thing: usize, each: usize) -> Option<usize> {
        let rank = *self.of.get(thing)?;
        Some(match rank.checked_sub(self.usual) {
            None => group + rank * each,
            Some(added) => more + added * each,
        })
    }
}

impl ChessCoder {
    /// Are there abilities and tiles?
    fn wild(&self) -> bool {
        !self.abilities.of.is_empty()
    }

    fn planes(&self) -> Planes {
        let mut count = 0;
        let mut next = |many: usize| {
            count += many;
            count - many
        };
        let special = if self.wild() { Tile::ALL.len() - 1 } else { 0 };
        Planes {
            pieces: next(2 * self.kinds.usual),
            abilities: next(self.abilities.usual),
            tiles: next(special),
            pockets: next(if self.drops { 2 * self.kinds.usual } else { 0 }),
            castling: next(1),
            passing: next(1),
            mover: next(1),
            own: next(1),
            halfmoves: next(1),
            repeated: next(1),
            checks: next(if self.checks { 2 } else { 0 }),
            seen: next(usize::from(self.fog)),
            run: next(if self.run { 3 } else { 0 }),
            promoted: next(usize::from(self.drops)),
            more_pieces: next(2 * self.kinds.added()),
            more_abilities: next(self.abilities.added()),
            more_pockets: next(if self.drops { 2 * self.kinds.added() } else { 0 }),
            count: next(0),
        }
    }

    fn plane_names(&self) -> Vec<String> {
        let sides = |id: &String| [format!("white {id}"), format!("black {id}")];
        let pockets = |id: &String| sides(id).map(|name| format!("pocket {name}"));
        let (kinds, more_kinds) = self.kinds.names.split_at(self.kinds.usual);
        let (abilities, more_abilities) = self.abilities.names.split_at(self.abilities.usual);
        let mut names: Vec<String> = kinds.iter().flat_map(sides).collect();
        names.extend_from_slice(abilities);
        if self.wild() {
            names.extend(Tile::ALL[1..].iter().map(|tile| tile_id(*tile).to_string()));
        }
        if self.drops {
            names.extend(kinds.iter().flat_map(pockets));
        }
        names.extend(
            ["castling rook", "en passant", "white to move", "you are white", "halfmoves", "repetitions"]
                .map(String::from),
        );
        if self.checks {
            names.extend(["white checks left", "black checks left"].map(String::from));
        }
        if self.fog {
            names.push("seen".into());
        }
        if self.run {
            names.extend(["phase", "act", "money"].map(String::from));
        }
        if self.drops {
            names.push("promoted".into());
        }
        names.extend(more_kinds.iter().flat_map(sides));
        names.extend_from_slice(more_abilities);
        if self.drops {
            names.extend(more_kinds.iter().flat_map(pockets));
        }
        names
    }

    /// What an observation is made of.
    fn all_parts(&self, events: impl Iterator<Item = String>) -> Vec<Part> {
        let shape = [self.planes().count, self.height, self.width];
        let about = "planes of the board, row 1 first: 1 where such a piece or tile is; of abilities 1 and their charges; of \
                     what concerns the whole board the same number everywhere";
        let board = Part::bytes("board", &shape).saying(about).with_planes(self.names.iter().cloned());
        if !self.run {
            return vec![board];
        }
        let coded =
            |names: &[String]| ["nothing".to_owned()].into_iter().chain(names.iter().cloned()).collect();
        let [kinds, abilities, relics]: [Vec<String>; 3] =
            [coded(&self.kinds.names), coded(&self.abilities.names), coded(&self.relics)];
        let mut roster = Part::words("roster", &[MEMBERS, MEMBER])
            .saying("a row for each piece of yours, in the order of their numbers")
            .with_columns(["kind"])
            .with_codes("kind", kinds.clone());
        for number in 1..=MAX_LAYERS {
            let [ability, charges] = [format!("ability {number}"), format!("charges {number}")];
            roster = roster.with_codes(&ability, abilities.clone());
            roster.columns.extend([ability, charges]);
        }
        vec![
            board,
            Part::words("run", &[RUN.len()])
                .saying("how the run stands")
                .with_columns(RUN)
                .with_codes("phase", PHASES.map(String::from).into_iter().chain(events)),
            Part::words("goods", &[OFFERS, GOODS.len()])
                .saying("what is offered, in the order of its numbers")
                .with_meanings(GOODS)
                .with_codes("kind", ["nothing", "piece", "ability", "relic", "money"])
                .with_codes("piece", kinds)
                .with_codes("ability", abilities)
                .with_codes("relic", relics),
            roster,
            Part::words("relics", &[self.relics.len()])
                .saying("how many of each relic you have")
                .with_columns(self.relics.clone()),
            Part::words("map", &[NODES, NODE.len()])
                .saying("a row for each place of the map, in the order of their numbers")
                .with_meanings(NODE)
                .with_codes("kind", ["nothing"].into_iter().chain(NODE_KINDS)),
        ]
    }

    fn area(&self) -> usize {
        self.width * self.height
    }

    #[inline]
    fn square(&self, at: At) -> usize {
        usize::from(at.y) * self.width + usize::from(at.x)
    }

    /// Where each group of numbers begins.
    fn groups(&self) -> Groups {
        let area = self.area();
        let mut count = 0;
        let mut next = |many: usize| {
            count += many;
            count - many
        };
        let wild = usize::from(self.wild());
        Groups {
            moves: next(area * area),
            drops: next(if self.drops { self.kinds.usual * area } else { 0 }),
            kinds: next(self.kinds.usual),
            draws: next(2),
            jumps: next(wild * area * area),
            casts: next(wild * area * area),
            squares: next(wild * area),
            yes_no: next(wild * 2),
            run: next(if self.run { NODES + OFFERS + OFFERS * MEMBERS + MEMBERS + 2 } else { 0 }),
            more_drops: next(if self.drops { self.kinds.added() * area } else { 0 }),
            more_kinds: next(self.kinds.added()),
            count: next(0),
        }
    }

    fn play(&self, play: &Play) -> Option<usize> {
        let (groups, area) = (self.groups(), self.area());
        let to = self.square(play.to);
        if play.how == How::Drop {
            let kind = usize::from(play.kind.0);
            return Some(self.kinds.place(groups.drops, groups.more_drops, kind, area)? + to);
        }
        let way = self.square(play.from) * area + to;
        Some(match play.how {
            How::Jump if self.wild() => groups.jumps + way,
            How::Cast if self.wild() => groups.casts + way,
            How::Cast => return None,
            _ => groups.moves + way,
        })
    }

    fn step(&self, step: &RunAction) -> Option<usize> {
        let first = self.groups().run;
        let within = |number: u8, most: usize| Some(usize::from(number)).filter(|number| *number < most);
        let [offers, gifts, sales] = [NODES, NODES + OFFERS, NODES + OFFERS + OFFERS * MEMBERS];
        let number = match *step {
            RunAction::Travel(node) => within(node, NODES)?,
            RunAction::Take(offer) => offers + within(offer, OFFERS)?,
            RunAction::Give { offer, member } => {
                gifts + within(offer, OFFERS)? * MEMBERS + within(member, MEMBERS)?
            }
            RunAction::Sell(member) => sales + within(member, MEMBERS)?,
            RunAction::Accept => sales + MEMBERS,
            RunAction::Leave => sales + MEMBERS + 1,
        };
        Some(first + number)
    }

    fn answer(&self, answer: &Answer) -> Option<usize> {
        let groups = self.groups();
        let wild = self.wild().then_some(());
        Some(match *answer {
            Answer::Kind(kind) => self.kinds.place(groups.kinds, groups.more_kinds, kind.0.into(), 1)?,
            Answer::Square(at) => wild.map(|()| groups.squares + self.square(at))?,
            Answer::Yes => wild.map(|()| groups.yes_no)?,
            Answer::No => wild.map(|()| groups.yes_no + 1)?,
        })
    }
}

impl ChessCoder {
    /// The name of a square.
    fn square_name(&self, square: usize) -> String {
        At::new((square % self.width) as u8, (square / self.width) as u8).to_string()
    }

    /// What a number stands for in general.
    fn told(&self, number: usize) -> Option<String> {
        let (groups, area) = (self.groups(), self.area());
        let kind = |place: usize| self.kinds.names.get(place).map_or("piece", String::as_str);
        let way = |first: usize| {
            let way = number - first;
            format!("{} to {}", self.square_name(way / area), self.square_name(way % area))
        };
        let drop = |first: usize, before: usize| {
            let place = number - first;
            format!("drop a {} on {}", kind(before + place / area), self.square_name(place % area))
        };
        Some(match number {
            _ if number >= groups.count => return None,
            _ if number >= groups.more_kinds => {
                format!("become a {}", kind(self.kinds.usual + number - groups.more_kinds))
            }
            _ if number >= groups.more_drops => drop(groups.more_drops, self.kinds.usual),
            _ if number >= groups.run => run_step(number - groups.run),
            _ if number >= groups.yes_no => ["answer yes", "answer no"][number - groups.yes_no].into(),
            _ if number >= groups.squares => {
                format!("choose {}", self.square_name(number - groups.squares))
            }
            _ if number >= groups.casts => format!("cast from {}", way(groups.casts)),
            _ if number >= groups.jumps => format!("jump from {}", way(groups.jumps)),
            _ if number >= groups.draws => ["claim a draw", "accept a draw"][number - groups.draws].into(),
            _ if number >= groups.kinds => format!("become a {}", kind(number - groups.kinds)),
            _ if number >= groups.drops => drop(groups.drops, 0),
            _ => format!("move from {}", way(groups.moves)),
        })
    }
}

/// What a step of a run stands for in general.
fn run_step(step: usize) -> String {
    let [offers, gifts, sales] = [NODES, NODES + OFFERS, NODES + OFFERS + OFFERS * MEMBERS];
    match step {
        _ if step < offers => format!("travel to place {step}"),
        _ if step < gifts => format!("take offer {}", step - offers),
        _ if step < sales => {
            let gift = step - gifts;
            format!("take offer {} for piece {}", gift / MEMBERS, gift % MEMBERS)
        }
        _ if step < sales + MEMBERS => format!("sell piece {}", step - sales),
        _ if step == sales + MEMBERS => "accept".into(),
        _ => "leave".into(),
    }
}

/// Where each group of numbers begins.
struct Groups {
    moves: usize,
    drops: usize,
    kinds: usize,
    draws: usize,
    jumps: usize,
    casts: usize,
    squares: usize,
    yes_no: usize,
    run: usize,
    more_drops: usize,
    more_kinds: usize,
    count: usize,
}

/// Writes planes.
struct Brush<'a> {
    out: &'a mut [u8],
    area: usize,
}

impl Brush<'_> {
    #[inline]
    fn dot(&mut self, plane: usize, square: usize, value: u8) {
        if let Some(slot) = self.out.get_mut(plane * self.area + square) {
            *slot = value;
        }
    }

    fn fill(&mut self, plane: usize, value: u8) {
        if value > 0
            && let Some(all) = self.out.get_mut(plane * self.area..(plane + 1) * self.area)
        {
            all.fill(value);
        }
    }
}

fn byte(number: impl TryInto<u8>) -> u8 {
    number.try_into().unwrap_or(u8::MAX)
}

impl ChessCoder {
    fn paint_pieces(&self, state: &State, planes: &Planes, sees: impl Fn(At) -> bool, brush: &mut Brush) {
        for (_, piece) in state.on_board().filter(|(_, piece)| sees(piece.at)) {
            let square = self.square(piece.at);
            let plane = self.kinds.place(planes.pieces, planes.more_pieces, piece.kind.0.into(), 2);
            if let Some(plane) = plane {
                brush.dot(plane + piece.owner as usize, square, 1);
            }
            // Whoever takes it gets a pawn.
            if self.drops && piece.promoted {
                brush.dot(planes.promoted, square, 1);
            }
            if self.wild() {
                for layer in piece.layers.iter() {
                    let ability = usize::from(layer.ability.0);
                    let plane = self.abilities.place(planes.abilities, planes.more_abilities, ability, 1);
                    let Some(plane) = plane else { continue };
                    brush.dot(plane, square, layer.charges.saturating_add(1));
                }
            }
        }
        if self.wild() {
            for (at, tile) in state.special_tiles().filter(|(at, _)| sees(*at)) {
                brush.dot(planes.tiles + tile as usize - 1, self.square(at), 1);
            }
        }
        if self.drops {
            // All kinds that there are: others may be taken than those a game begins with.
            for kind in 0..self.kinds.of.len() {
                let plane = self.kinds.place(planes.pockets, planes.more_pockets, kind, 2);
                let Some(plane) = plane else { continue };
                for owner in [Color::White, Color::Black] {
                    let held = state.pieces().filter(|(_, piece)| {
                        piece.in_pocket && usize::from(piece.kind.0) == kind && piece.owner == owner
                    });
                    brush.fill(plane + owner as usize, byte(held.count()));
                }
            }
        }
    }

    /// What a board does not show by its pieces. In the fog one knows only one's own rights.
    fn paint_rights(&self, state: &State, planes: &Planes, own: Option<Color>, brush: &mut Brush) {
        let known = |at: At| own.is_none_or(|own| state.piece_at(at).is_some_and(|(_, p)| p.owner == own));
        for rook in state.castling.iter().filter(|at| known(**at)) {
            brush.dot(planes.castling, self.square(*rook), 1);
        }
        brush.fill(planes.mover, u8::from(state.player == Color::White));
        if self.checks {
            brush.fill(planes.checks, state.checks_left[0]);
            brush.fill(planes.checks + 1, state.checks_left[1]);
        }
        if own.is_none() {
            if let Some(passed) = state.en_passant {
                brush.dot(planes.passing, self.square(passed.at), 1);
            }
            brush.fill(planes.halfmoves, byte(state.halfmoves));
            brush.fill(planes.repeated, byte(repetitions(state)));
        }
    }

    /// The board as a seat sees it.
    fn paint(&self, game: &Chess, state: &State, seat: Seat, board: &mut [u8]) {
        let planes = self.planes();
        board.fill(0);
        let mut brush = Brush { out: board, area: self.area() };
        let seen = if self.fog { game.visible(state, Viewer::Seat(seat)) } else { None };
        match &seen {
            None => self.paint_pieces(state, &planes, |_| true, &mut brush),
            Some(seen) => {
                self.paint_pieces(state, &planes, |at| seen.binary_search(&at).is_ok(), &mut brush);
            }
        }
        let own = if seat == 0 { Color::White } else { Color::Black };
        self.paint_rights(state, &planes, seen.is_some().then_some(own), &mut brush);
        brush.fill(planes.own, u8::from(own == Color::White));
        if self.fog {
            match &seen {
                None => brush.fill(planes.seen, 1),
                Some(seen) => seen.iter().for_each(|at| brush.dot(planes.seen, self.square(*at), 1)),
            }
        }
        if self.run {
            self.paint_run(state, &planes, &mut brush);
        }
    }

    fn paint_run(&self, state: &State, planes: &Planes, brush: &mut Brush) {
        let Some(run) = &state.run else { return };
        brush.fill(planes.run, phase(run.phase));
        brush.fill(planes.run + 1, run.act);
        brush.fill(planes.run + 2, byte(run.money.max(0)));
    }

    /// What lies between the fights of a run.
    fn write_run(&self, game: &Chess, run: &Run, desk: &mut Desk<'_>) {
        if let Some(head) = desk.words() {
            head.copy_from_slice(&[
                phase(run.phase).into(),
                run.act.into(),
                run.round.into(),
                word(run.money),
            ]);
        }
        if let Some(goods) = desk.words() {
            self.write_goods(game, run, goods);
        }
        if let Some(roster) = desk.words() {
            self.write_roster(run, roster);
        }
        if let Some(relics) = desk.words() {
            relics.fill(0);
            for relic in &run.relics {
                if let Some(slot) = relics.get_mut(usize::from(relic.0)) {
                    *slot += 1;
                }
            }
        }
        if let Some(map) = desk.words() {
            write_map(run, map);
        }
    }

    fn write_goods(&self, game: &Chess, run: &Run, goods: &mut [i16]) {
        goods.fill(0);
        for (offer, row) in run.offers.iter().zip(goods.as_chunks_mut().0) {
            let price = word(run.price(&game.catalog, offer));
            *row = match *offer {
                Offer::Piece(kind) => [1, self.kinds.counted(kind.0), 0, 0, 0, price],
                Offer::Ability(ability) => [2, 0, self.abilities.counted(ability.0), 0, 0, price],
                Offer::Relic(relic) => [3, 0, 0, i16::from(relic.0) + 1, 0, price],
                Offer::Money(money) => [4, 0, 0, 0, word(money), price],
            };
        }
    }

    fn write_roster(&self, run: &Run, roster: &mut [i16]) {
        roster.fill(0);
        for (member, row) in run.roster.iter().zip(roster.as_chunks_mut::<MEMBER>().0) {
            row[0] = self.kinds.counted(member.kind.0);
            for (layer, slots) in member.layers.iter().zip(row[1..].as_chunks_mut().0) {
                *slots = [self.abilities.counted(layer.ability.0), layer.charges.into()];
            }
        }
    }
}

fn write_map(run: &Run, map: &mut [i16]) {
    map.fill(0);
    let open = run.reachable();
    for (number, (node, row)) in run.map.iter().zip(map.as_chunks_mut().0).enumerate() {
        let number = number as u8;
        let [here, reachable] = [run.here == Some(number), open.contains(&number)].map(i16::from);
        let [at, column, next] = [node.row, node.column, node.next].map(i16::from);
        *row = [node.kind as i16 + 1, at, column, next, here, reachable];
    }
}

/// The number of a phase; those of events come last.
fn phase(phase: Phase) -> u8 {
    match phase {
        Phase::Map => 1,
        Phase::Fight => 2,
        Phase::Reward => 3,
        Phase::Shop => 4,
        Phase::Won => 5,
        Phase::Lost => 6,
        Phase::Event(event) => 7_u8.saturating_add(event.0),
    }
}

impl Coder<Chess> for ChessCoder {
    type Canvas = ();

    fn parts(&self) -> Vec<Part> {
        self.layout.parts()
    }

    fn numbers(&self) -> usize {
        self.groups().count
    }

    #[inline]
    fn number(&self, _: &Chess, _: &Position<Chess>, input: &InputOf<Chess>, _: usize) -> Option<usize> {
        match input {
            Input::Act(Action::Play(play)) => self.play(play),
            Input::Act(Action::ClaimDraw) => Some(self.groups().draws),
            Input::Act(Action::AcceptDraw(_)) => Some(self.groups().draws + 1),
            Input::Act(Action::Run(step)) if self.run => self.step(step),
            Input::Act(_) => None,
            Input::Choose(answer) => self.answer(answer),
        }
    }

    fn meaning(&self, _: &Chess, number: usize) -> Option<String> {
        self.told(number)
    }

    fn begins_alike(&self) -> bool {
        self.alike
    }

    fn observe(&self, game: &Chess, position: &Position<Chess>, seat: Seat, sheet: &mut Sheet<'_>) {
        let (state, mut desk) = (position.state(), self.layout.desk(sheet.again()));
        if let Some(board) = desk.bytes() {
            self.paint(game, state, seat, board);
        }
        if let Some(run) = state.run.as_ref().filter(|_| self.run) {
            self.write_run(game, run, &mut desk);
        }
    }

    #[inline]
    fn standing(&self, game: &Chess, position: &Position<Chess>, seat: Seat) -> f32 {
        let rounds = match &position.state().run {
            Some(run) if self.rounds && seat == 0 => f32::from(run.round),
            _ => 0.0,
        };
        rounds + result(game, position, seat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_gym::oracles::{nothing_hidden_shows, prove, prove_opponents};
    use turnstone_gym::{Actions, Autoreset, Batch, OFFERS, Plan};
    use turnstone_host::Opening;

    fn opening(ruleset: &str, setup: &str) -> Opening {
        let ruleset = (!ruleset.is_empty()).then(|| ruleset.into());
        Opening { ruleset, setup: Some(setup.into()), ..Opening::default() }
    }

    #[test]
    fn the_promises_hold_under_every_ruleset() {
        for rules in <Chess as turnstone_host::Hosted>::rulesets() {
            let plan = Plan { seat: None, autoreset: Autoreset::SameStep, time_limit: 60, ..Plan::default() };
            prove::<Chess>(&opening(&rules.id, "start"), &plan, 24);
        }
    }

    #[test]
    fn the_promises_hold_among_abilities_and_in_runs() {
        let catalog = Catalog::builtin();
        for board in catalog.boards.iter().map(|board| board.id.clone()).chain(["run".to_owned()]) {
            let plan = Plan { time_limit: 70, seed: 4, ..Plan::default() };
            prove::<Chess>(&opening("", &board), &plan, 32);
        }
    }

    /// By their places in the offered list, with the words of each: the numbers that every game has.
    #[test]
    fn the_promises_hold_for_offers() {
        for setup in ["circus", "run"] {
            let actions = Actions::Offered(OFFERS);
            let plan = Plan { actions, seat: None, time_limit: 60, seed: 6, ..Plan::default() };
            prove::<Chess>(&opening("", setup), &plan, 24);
        }
    }

    /// A bot once remembered what it had brought about in any world, and shunned it in all.
    #[test]
    fn whoever_plays_against_learners_knows_one_world() {
        let fen = "4k3/pp3ppp/8/8/8/8/PP3PPP/R3K3 w - - 0 20";
        let plan = Plan { autoreset: Autoreset::SameStep, time_limit: 6, ..Plan::default() };
        let bots = ["slips=25:greedy", "slips=15:alpha-beta:100", "alpha-beta:200", "ismcts:8,longest=10"];
        prove_opponents::<Chess>(&opening("standard", fen), &plan, &bots, 14);
        prove_opponents::<Chess>(&opening("", "powder-keg"), &plan, &["alpha-beta:200"], 6);
    }

    #[test]
    fn nothing_hidden_is_in_the_observation() {
        for (ruleset, setup) in [("dark", "start"), ("dark", "misty-moor"), ("dark", "circus"), ("", "run")] {
            nothing_hidden_shows::<Chess>(&opening(ruleset, setup), &Plan::default(), 120);
        }
    }

    /// Between fights a learner once saw neither map, roster, offers nor prices: what looks alike is alike.
    #[test]
    fn a_run_is_seen_between_its_fights() {
        use turnstone::dice::{Draw, Lots, Stream};
        let (game, setup) = <Chess as turnstone_host::Hosted>::open_table(&opening("", "run")).unwrap();
        let mut seen = std::collections::BTreeMap::new();
        for seed in 0..30 {
            let first = turnstone::Game::start(&*game, &setup, seed).unwrap();
            let mut position = Position::<Chess>::new(first);
            let coder = game.coder(&setup, &position, &Taste::default()).unwrap();
            let length = |sort| coder.parts().iter().filter(|part| part.sort == sort).map(Part::length).sum();
            let [small, large] = [turnstone_gym::Sort::U8, turnstone_gym::Sort::I16].map(length);
            let (mut lots, mut resolver) =
                (Lots::new(seed, Stream::named("runs")), turnstone::Resolver::<Chess>::default());
            for _ in 0..120 {
                let (mut bytes, mut words) = (vec![0; small], vec![0; large]);
                coder.observe(&game, &position, 0, &mut Sheet { bytes: &mut bytes, words: &mut words });
                let run = position.state().run.as_ref().filter(|run| !run.is_fighting());
                if let Some(view) = run.map(|run| game.view_run(run)) {
                    let known = seen.entry(words).or_insert_with(|| view.clone());
                    assert_eq!(*known, view);
                }
                let Some(input) = lots.pick(&position.inputs(&*game)).cloned() else { break };
                let _ = resolver.act(&*game, &mut position, &input, &mut turnstone::Off);
            }
        }
        assert!(seen.len() > 60, "{}", seen.len());
    }

    /// Learned policies depend on them.
    #[test]
    fn numbers_stay_for_ever() {
        let chess = Chess::builtin("standard").unwrap();
        let batch = Batch::new(chess.into(), Setup::Start, Plan::default()).unwrap();
        assert_eq!((batch.numbers(), batch.parts()[0].shape.clone()), (4_096 + 6 + 2, vec![18, 8, 8]));
        assert_eq!(batch.parts()[0].columns.len(), 18);
        let number = |from: usize, to: usize| batch.describe(0, from * 64 + to).unwrap();
        assert_eq!(number(12, 28).as_deref(), Some("e4"), "e2 to e4");
        assert_eq!(number(12, 36), None);
        let wild = Batch::new(
            Chess::builtin("last-piece-standing").unwrap().into(),
            Setup::Run(crate::run::RunSetup::default()),
            Plan::default(),
        );
        assert_eq!(wild.unwrap().numbers(), 3 * 4_096 + 24 + 2 + 64 + 2 + 338);
    }

    /// A pack once pushed everything behind its pieces and abilities to other numbers.
    #[test]
    fn a_pack_renumbers_nothing() {
        let pack = "[piece.gryphon]\nletter = \"V\"\nvalue = 7\nmoves = \"FR\"\nabout = \"Far and wide.\"\n";
        let with = Opening {
            content: vec![turnstone_host::Source::new("mine.toml", pack)],
            ..opening("", "circus")
        };
        let [(usual, first), (packed, second)] = [opening("", "circus"), with].map(|opening| {
            let (game, setup) = <Chess as turnstone_host::Hosted>::open_table(&opening).unwrap();
            let position = Position::<Chess>::new(turnstone::Game::start(&*game, &setup, 1).unwrap());
            (game.coder(&setup, &position, &Taste::default()).unwrap(), (game, position))
        });
        assert_eq!((packed.kinds.of.len(), packed.kinds.added()), (usual.kinds.of.len() + 1, 1));
        assert_eq!(packed.numbers(), usual.numbers() + 1);
        assert_eq!(packed.names[..usual.names.len()], usual.names[..]);
        assert_eq!(packed.names[usual.names.len()..], ["white gryphon", "black gryphon"]);
        let numbers = |coder: &ChessCoder, (game, position): &(std::sync::Arc<Chess>, Position<Chess>)| {
            let inputs = position.inputs(&**game);
            inputs.iter().map(|input| coder.number(game, position, input, 0)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(&usual, &first), numbers(&packed, &second));
        let place = packed.kinds.of.iter().position(|rank| *rank == usual.kinds.of.len()).unwrap();
        let new = Answer::Kind(crate::piece::Kind(place as u8));
        assert_eq!(packed.answer(&new), Some(usual.numbers()), "what is new stands behind everything");
        assert_eq!(packed.answer(&Answer::Yes), usual.answer(&Answer::Yes));
    }

    /// Once six kinds of pieces alone were seen in pockets.
    #[test]
    fn every_kind_is_seen_in_a_pocket() {
        let fen = "4k3/8/8/8/8/8/8/4K3[QNNrp] w - - 0 1";
        let (game, setup) =
            <Chess as turnstone_host::Hosted>::open_table(&opening("crazyhouse", fen)).unwrap();
        let mut saved = crate::state::Saved::from(turnstone::Game::start(&*game, &setup, 1).unwrap());
        let amazon = game.catalog.pieces.iter().position(|piece| piece.id == "amazon").unwrap();
        let rook = crate::piece::Kind::ROOK;
        let taken = saved.pieces.iter_mut().find(|piece| piece.in_pocket && piece.kind == rook).unwrap();
        taken.kind = crate::piece::Kind(amazon as u8);
        let position = Position::<Chess>::new(State::try_from(saved).unwrap());
        let coder = game.coder(&setup, &position, &Taste::default()).unwrap();
        let mut bytes = vec![0; coder.planes().count * coder.area()];
        coder.observe(&game, &position, 0, &mut Sheet { bytes: &mut bytes, words: &mut [] });
        let seen: Vec<(&str, u8)> = coder
            .names
            .iter()
            .enumerate()
            .filter(|(plane, name)| name.starts_with("pocket") && bytes[plane * coder.area()] > 0)
            .map(|(plane, name)| (name.as_str(), bytes[plane * coder.area()]))
            .collect();
        let held = state_of_pockets(position.state(), &game.catalog);
        assert!(held.len() == 4 && seen.len() == 4, "{held:?} {seen:?}");
        assert!(held.iter().all(|one| seen.contains(&(one.0.as_str(), *one.1))), "{held:?} {seen:?}");
    }

    fn state_of_pockets(state: &State, catalog: &Catalog) -> std::collections::BTreeMap<String, u8> {
        let mut held = std::collections::BTreeMap::new();
        for (_, piece) in state.pieces().filter(|(_, piece)| piece.in_pocket) {
            let side = if piece.owner == Color::White { "white" } else { "black" };
            let name = format!("pocket {side} {}", catalog.pieces[usize::from(piece.kind.0)].id);
            *held.entry(name).or_default() += 1;
        }
        held
    }
}

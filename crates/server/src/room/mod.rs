//! A match at this server: its table, and everything beside it, folded from the lines of the store.
//!
//! Nothing here waits, stores or sends. What is to change is a [`Record`]; it is appended first and folded then,
//! by the same function that rebuilds a match from its lines.

mod lines;
mod summary;
mod told;

use std::cell::OnceCell;
use std::collections::{HashMap, VecDeque};

use serde_json::{Value, json};
use turnstone_table::scene::Scene;
use turnstone_table::{Games, Moment, Outcome, Seat, Table, Viewer};

use crate::clock::{Clock, awaited};
use crate::door::glance_at;
use crate::message::{Want, Watch, What};
use crate::metrics::log;
use crate::now::Now;
use crate::record::{Ending, FILE, Holder, How, Left, Options, Record, Who};
use crate::refusal::Refusal;

use lines::{file_of, finishes, frozen_text, host_of, read_record, read_table};
pub use lines::{find_game, step};
pub use summary::{Place, State, Summary, veil};

/// Resends are recognised among so many of a seat's last inputs.
const REMEMBERED: usize = 64;

/// Nodes of the timeline that a welcome holds.
const NODES: usize = 500;

/// Who looks: a bit for each seat he holds, the highest for spectators, all bits when it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Eyes(pub u64);

impl Eyes {
    /// Somebody without a seat.
    pub const SPECTATOR: Eyes = Eyes(1 << 63);
    /// Everything, when it is over.
    pub const ALL: Eyes = Eyes(u64::MAX);

    /// Who holds these seats.
    pub fn seats(seats: &[Seat]) -> Eyes {
        let bits = seats.iter().fold(0, |bits, seat| bits | 1 << (seat & 63));
        if bits == 0 { Eyes::SPECTATOR } else { Eyes(bits) }
    }

    /// The eyes of who holds these seats: when it is over, everybody sees everything.
    pub fn of(seats: &[Seat], over: bool) -> Eyes {
        if over { Eyes::ALL } else { Eyes::seats(seats) }
    }

    /// Whether what was told to these bits was told to him.
    fn knows(self, told: u64) -> bool {
        self == Eyes::ALL || told & self.0 != 0
    }

    /// Through whose eyes a table is seen: of several own seats, that of who is to act.
    pub fn viewer(self, table: &dyn Table) -> Viewer {
        match self {
            Eyes::ALL => Viewer::All,
            Eyes::SPECTATOR => Viewer::Spectator,
            Eyes(bits) => {
                let own = |seat: &Seat| bits >> seat & 1 == 1;
                Viewer::Seat(table.actor().filter(own).unwrap_or(bits.trailing_zeros() as Seat))
            }
        }
    }
}

/// A moment, and who may know of it.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: Moment,
    by: Option<Seat>,
    told: u64,
    at: i64,
}

/// A step of the live match.
#[derive(Clone, Copy, Debug)]
struct Change {
    moment: Moment,
    how: How,
    told: u64,
}

/// What somebody has been told of, in his own numbers.
#[derive(Default)]
struct View {
    moments: Vec<Moment>,
    changes: Vec<usize>,
    /// What was played at each of the moments, once somebody asked.
    texts: Vec<String>,
}

/// Something that was offered.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its number.
    pub offer: u64,
    /// What.
    pub what: What,
    /// By whom.
    pub by: Seat,
    /// Where to.
    pub moment: Option<Moment>,
    /// Whose seat.
    pub seat: Option<Seat>,
    /// Who has agreed.
    pub yes: Vec<Seat>,
}

/// Something that was said.
#[derive(Clone, Debug)]
struct Said {
    seat: Option<Seat>,
    name: String,
    text: String,
    moment: Moment,
    at: i64,
    /// How many changes there were: who lags behind hears it when he has seen them.
    after: usize,
}

/// A match.
pub struct Room {
    /// Its name.
    pub id: String,
    /// The table.
    pub table: Box<dyn Table>,
    /// Why it cannot go on: today's rules play it otherwise.
    pub frozen: Option<String>,
    /// How it was opened.
    pub options: Options,
    /// Who sits where.
    pub seats: Vec<Holder>,
    /// How it was asked for.
    pub wanted: Value,
    /// The clocks.
    pub clock: Option<Clock>,
    /// What is offered.
    pub offers: Vec<Offer>,
    /// How many lines the store has.
    pub length: u64,
    /// The rematch.
    pub next: Option<String>,
    /// When it was opened.
    pub opened: i64,
    roles: Vec<String>,
    host: String,
    salt: String,
    bot_seed: u64,
    end: Option<(Outcome, Ending)>,
    /// When something was done last that somebody is awaited after.
    since: i64,
    /// It was over by its rules at some time, be it that it goes on since.
    ended: bool,
    nodes: Vec<Node>,
    changes: Vec<Change>,
    chat: Vec<Said>,
    muted: Vec<String>,
    removed: Vec<String>,
    /// Only who sits may speak.
    pub hushed: bool,
    offered: u64,
    answered: Vec<VecDeque<(String, usize)>>,
    views: HashMap<Eyes, View>,
    /// What was left on the clocks at the start and after each change.
    lefts: Vec<Option<Left>>,
    /// How many people have sat in each seat.
    hands: Vec<u32>,
    /// How many records there are that tell of no change of the match: what was said, offered, agreed, who sits.
    asides: usize,
}

impl Room {
    /// A match from its lines.
    ///
    /// # Errors
    /// If they are damaged, or of a game that is not there.
    pub fn load(games: Games, id: &str, lines: &[String]) -> Result<Room, Refusal> {
        // What is wrong may quote what nobody may know: it is for the operator.
        let damaged = |text: &str| {
            log("error", "damaged", json!({ "match": id, "error": text }));
            Refusal::new("STORAGE", format!("match {id} cannot be read: see the server's log"))
        };
        let first = lines.first().ok_or_else(|| Refusal::new("NO_MATCH", "there is no such match"))?;
        let (opened, file) = (read_record(first).map_err(|e| damaged(&e))?, file_of(lines));
        let Record::Opened { at, game, options, host, salt, bot_seed, seats, roles, wanted } = opened else {
            return Err(damaged("it does not begin with its opening"));
        };
        let (table, frozen) = read_table(host_of(games, &game)?, &file).map_err(|text| damaged(&text))?;
        if let Some(error) = &frozen {
            log("warn", "frozen", json!({ "match": id, "error": error.to_string() }));
        }
        let frozen = frozen.as_ref().map(frozen_text);
        let mut clock = options.clock.map(|control| Clock::new(control, &*table));
        if let Some(clock) = &mut clock {
            clock.sat_down(Some(at));
        }
        let mut room = Room {
            id: id.to_owned(),
            table,
            frozen,
            options,
            answered: vec![VecDeque::new(); seats.len()],
            hands: seats.iter().map(|holder| u32::from(holder.who == Who::Person)).collect(),
            asides: 0,
            lefts: vec![clock.as_ref().map(Clock::left)],
            seats,
            wanted,
            clock,
            offers: Vec::new(),
            length: lines.len() as u64,
            next: None,
            opened: at,
            roles,
            host,
            salt,
            bot_seed,
            end: None,
            since: at,
            ended: false,
            nodes: vec![Node { parent: 0, by: None, told: u64::MAX, at }],
            changes: Vec::new(),
            chat: Vec::new(),
            muted: Vec::new(),
            removed: Vec::new(),
            hushed: false,
            offered: 0,
            views: HashMap::new(),
        };
        let mut taken = None;
        for line in &lines[1..] {
            match line.strip_prefix(FILE) {
                Some(line) => {
                    room.ended |= finishes(line);
                    taken = step(line).or(taken);
                }
                None => room.fold(read_record(line).map_err(|text| damaged(&text))?, taken.take()),
            }
        }
        room.seat_bots();
        Ok(room)
    }

    /// The match file: the lines of the store without the records.
    pub fn file(lines: &[String]) -> String {
        file_of(lines)
    }

    /// Seats the bots that are to sit, and no others.
    fn seat_bots(&mut self) {
        for (seat, holder) in (0..).zip(&self.seats) {
            if holder.who == Who::Bot {
                // A bot that has been taken out of the game since is missed when it is to act.
                let _ = self.table.seat_bot(seat, &holder.name, self.bot_seed);
            }
        }
    }

    /// Takes up what was appended. `taken` is what the lines of the file before a `Did` did.
    pub fn fold(&mut self, record: Record, taken: Option<(Moment, How)>) {
        self.asides += usize::from(!matches!(record, Record::Did { .. }));
        if let Record::Did { at, .. } | Record::Clock { at, .. } | Record::Seat { at: Some(at), .. } = &record
        {
            self.since = *at;
        }
        match record {
            Record::Opened { .. } => {}
            Record::Did { at, by, told, id, left } => {
                if let Some((moment, how)) = taken {
                    self.went(moment, how, by, told, at);
                    self.lefts.push(left.clone());
                }
                if let (Some(seat), Some(id)) = (by, id)
                    && let Some(answered) = self.answered.get_mut(usize::from(seat))
                {
                    answered.push_back((id, self.changes.len()));
                    if answered.len() > REMEMBERED {
                        answered.pop_front();
                    }
                }
                if let (Some(clock), Some(left)) = (&mut self.clock, left) {
                    clock.restore(left, clock.is_paused(), at);
                }
            }
            Record::Seat { seat, holder, at } => {
                let is_bot = holder.who == Who::Bot;
                let ran = self.clock_seat();
                if let (Some(held), Some(hands)) =
                    (self.seats.get_mut(usize::from(seat)), self.hands.get_mut(usize::from(seat)))
                {
                    // Who comes back to his seat has a token for it already.
                    *hands += u32::from(holder.who == Who::Person && held.token.is_none());
                    *held = holder;
                }
                if is_bot {
                    self.seat_bots();
                }
                // Whose turn it is has come only now.
                let runs = self.clock_seat().is_some() && ran.is_none();
                if let Some(clock) = self.clock.as_mut().filter(|_| runs) {
                    clock.sat_down(at);
                }
            }
            Record::Say { seat, name, text, moment, at } => {
                let after = self.changes.len();
                self.chat.push(Said { seat, name, text, moment, at, after });
            }
            Record::Offer { offer, what, by, moment, seat } => {
                self.offered = self.offered.max(offer);
                self.offers.push(Offer { offer, what, by, moment, seat, yes: vec![by] });
            }
            Record::Agreed { offer, seat } => {
                if let Some(offer) = self.offers.iter_mut().find(|one| one.offer == offer) {
                    offer.yes.push(seat);
                }
            }
            Record::Settled { offer, .. } => self.offers.retain(|one| one.offer != offer),
            Record::Clock { at, paused, left } => {
                if let (Some(clock), Some(left)) = (&mut self.clock, left) {
                    clock.restore(left, paused, at);
                }
            }
            Record::Muted { name, muted } => {
                self.muted.retain(|one| !alike(one, &name));
                if muted {
                    self.muted.push(name);
                }
            }
            Record::Hushed { hushed } => self.hushed = hushed,
            Record::Removed { name } => self.removed.push(name),
            Record::End { outcome, how, .. } => self.end = Some((outcome, how)),
            Record::Next { id } => self.next = Some(id),
        }
    }

    fn went(&mut self, moment: Moment, how: How, by: Option<Seat>, told: u64, at: i64) {
        let number = self.changes.len();
        if how == How::Input {
            let parent = self.changes.last().map_or(0, |change| change.moment);
            self.nodes.push(Node { parent, by, told, at });
        }
        self.changes.push(Change { moment, how, told });
        for (eyes, view) in &mut self.views {
            if eyes.knows(told) {
                view.changes.push(number);
                if how == How::Input {
                    view.moments.push(moment);
                }
            }
        }
    }

    // What somebody knows.

    fn view(&mut self, eyes: Eyes) -> &mut View {
        self.views.entry(eyes).or_insert_with(|| {
            let moments =
                (0..).zip(&self.nodes).filter(|(_, node)| eyes.knows(node.told)).map(|(n, _)| n).collect();
            let changes = self.changes.iter().enumerate().filter(|(_, change)| eyes.knows(change.told));
            View { moments, changes: changes.map(|(n, _)| n).collect(), texts: Vec::new() }
        })
    }

    /// Changes at the end that spectators may not know yet.
    fn lag(&self, eyes: Eyes) -> usize {
        let lags = eyes == Eyes::SPECTATOR && self.options.watch == Watch::Delayed && !self.is_over();
        if lags { self.options.delay } else { 0 }
    }

    /// How many changes somebody has been told of.
    pub fn rev(&mut self, eyes: Eyes) -> u64 {
        let lag = self.lag(eyes);
        self.view(eyes).changes.len().saturating_sub(lag) as u64
    }

    /// Whether somebody is told later than others.
    pub fn lags(&self, eyes: Eyes) -> bool {
        self.lag(eyes) > 0
    }

    /// How many changes there were when the last was made that somebody has been told of.
    fn reached(&mut self, eyes: Eyes) -> usize {
        let rev = self.rev(eyes) as usize;
        let last = rev.checked_sub(1).and_then(|last| self.view(eyes).changes.get(last).copied());
        last.map_or(0, |last| last + 1)
    }

    /// Where the match stands, as far as somebody may know: at the last moment that he was told of. What was played
    /// unseen since is not looked at for him, so it cannot show.
    pub fn here(&mut self, eyes: Eyes) -> Moment {
        let last = self.reached(eyes).checked_sub(1);
        let moment = last.map_or(0, |last| self.changes[last].moment);
        self.known(eyes, moment)
    }

    /// The last moment up to this one that somebody knows of.
    fn known(&self, eyes: Eyes, mut moment: Moment) -> Moment {
        while moment != 0 && self.nodes.get(moment as usize).is_some_and(|node| !eyes.knows(node.told)) {
            moment = self.nodes[moment as usize].parent;
        }
        moment
    }

    /// A moment in somebody's numbers; one he does not know of has that of the last one before it that he does.
    fn number(&mut self, eyes: Eyes, moment: Moment) -> u32 {
        let moment = self.known(eyes, moment);
        self.view(eyes).moments.partition_point(|one| *one < moment) as u32
    }

    /// The moment that somebody means by a number.
    ///
    /// # Errors
    /// If he knows of no such moment.
    pub fn moment(&mut self, eyes: Eyes, number: u32) -> Result<Moment, Refusal> {
        let last = self.here(eyes);
        let lags = self.lag(eyes) > 0;
        let moment = self.view(eyes).moments.get(number as usize).copied();
        let moment = moment.filter(|moment| !lags || *moment <= last);
        moment.ok_or_else(|| Refusal::new("NO_SUCH_MOMENT", format!("there is no moment {number}")))
    }

    /// Through whose eyes: one's own, or another's where that is allowed.
    ///
    /// # Errors
    /// If it is not, or there is no such seat.
    pub fn eyes_for(&self, eyes: Eyes, seat: Option<i16>) -> Result<Eyes, Refusal> {
        let Some(seat) = seat else { return Ok(eyes) };
        let own =
            u32::try_from(seat).is_ok_and(|seat| seat < 63 && eyes != Eyes::ALL && eyes.0 >> seat & 1 == 1);
        if !(own || self.is_open_book() && (self.is_over() || eyes != Eyes::SPECTATOR)) {
            return Err(Refusal::new(
                "NO_PRACTICE",
                "through other eyes one sees when the match is over, or in practice",
            ));
        }
        match Seat::try_from(seat) {
            Ok(seat) if usize::from(seat) < self.seats.len() => Ok(Eyes::seats(&[seat])),
            Ok(seat) => Err(Refusal::new("UNKNOWN_SEAT", format!("there is no seat {seat}"))),
            Err(_) => Ok(Eyes::ALL),
        }
    }

    /// What somebody sees at a moment, and may send if that is wanted.
    ///
    /// # Errors
    /// If there is no such moment.
    pub fn now(
        &mut self,
        eyes: Eyes,
        through: Eyes,
        moment: Moment,
        wants_inputs: bool,
    ) -> Result<Now, Refusal> {
        let (glance, viewer, inputs) =
            glance_at(&*self.table, moment, |table| through.viewer(table), wants_inputs)?;
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::All | Viewer::Spectator => None,
        };
        let live = moment == self.here(eyes);
        let number = self.number(eyes, moment);
        let outcome = glance.outcome.or(self.end.filter(|_| live).map(|(outcome, _)| outcome));
        let actor = glance.actor.filter(|_| outcome.is_none());
        let (question, scene) = (glance.question, glance.scene);
        Ok(Now { moment: number, actor, outcome, question, scene, inputs, seat })
    }

    /// What somebody sees of the live match.
    ///
    /// # Errors
    /// If it cannot be shown.
    pub fn now_here(&mut self, eyes: Eyes, wants_inputs: bool) -> Result<Now, Refusal> {
        let here = self.here(eyes);
        self.now(eyes, eyes, here, wants_inputs)
    }

    /// What a program sees at a moment: the state, and the facts that led to it.
    ///
    /// # Errors
    /// If there is no such moment.
    pub fn view_json(&mut self, eyes: Eyes, moment: Moment) -> Result<Value, Refusal> {
        let then = self.table.at(moment)?;
        let viewer = eyes.viewer(&*then);
        let events = self.table.news(moment, self.viewer_at(eyes, moment));
        let labels: Vec<String> = then.scene(viewer).options.into_iter().map(|option| option.label).collect();
        Ok(json!({
            "t": "view", "moment": self.number(eyes, moment), "view": then.view(viewer), "events": events,
            "question": then.question(viewer), "inputs": then.inputs(viewer), "labels": labels,
        }))
    }

    /// The last `rev` after what was sent under that number, if it was done already.
    pub fn resent(&mut self, seat: Seat, id: &str, eyes: Eyes) -> Option<u64> {
        if id.is_empty() {
            return None;
        }
        let answered = self.answered.get(usize::from(seat))?;
        let (_, changes) = answered.iter().find(|(one, _)| one == id)?;
        let changes = *changes;
        Some(self.view(eyes).changes.partition_point(|change| *change < changes) as u64)
    }

    // Who is who.

    /// The seats that tokens open, and whether one is the host's.
    pub fn rights(&self, tokens: &[String]) -> (Vec<Seat>, bool) {
        let hashes: Vec<String> = tokens.iter().map(|token| crate::token::hash(token)).collect();
        let seats = (0..).zip(&self.seats).filter(|(_, holder)| {
            holder.token.as_ref().is_some_and(|token| hashes.iter().any(|hash| hash == token))
        });
        (seats.map(|(seat, _)| seat).collect(), hashes.contains(&self.host))
    }

    /// The hash of the host's token.
    pub fn host_hash(&self) -> &str {
        &self.host
    }

    /// The eyes of who holds these seats.
    pub fn eyes(&self, seats: &[Seat]) -> Eyes {
        Eyes::of(seats, self.is_over())
    }

    /// Whether spectators may come in now.
    ///
    /// # Errors
    /// If they may not.
    pub fn may_watch(&self) -> Result<(), Refusal> {
        let text = match self.options.watch {
            Watch::Open | Watch::Delayed => return Ok(()),
            Watch::After if self.is_over() => return Ok(()),
            Watch::After => "this match may be watched when it is over",
            Watch::Never => "this match is not to be watched",
        };
        Err(Refusal::new("NO_WATCHING", text))
    }

    /// The people who sit, besides these seats.
    pub fn others(&self, seats: &[Seat]) -> Vec<Seat> {
        let people = (0..).zip(&self.seats).filter(|(_, holder)| holder.who == Who::Person);
        let own: Vec<&String> =
            seats.iter().filter_map(|seat| self.seats.get(usize::from(*seat))?.token.as_ref()).collect();
        // Who holds several seats is asked once, or not at all if it is he who asks.
        let others =
            people.filter(|(_, holder)| !holder.token.as_ref().is_some_and(|token| own.contains(&token)));
        others.map(|(seat, _)| seat).filter(|seat| !seats.contains(seat)).collect()
    }

    /// Whether everything may be looked at: it is over, or one person practises alone. Where several share a screen
    /// and something is hidden, each sees his own. A player for whom a bot stands in will be back.
    pub fn is_open_book(&self) -> bool {
        let is_bot = |holder: &&Holder| holder.who == Who::Bot && holder.token.is_none();
        let people = self.seats.iter().filter(|holder| !is_bot(holder)).count();
        self.is_over() || self.options.practice && !(people > 1 && self.is_secret())
    }

    /// Whether seats may know different things.
    pub fn is_secret(&self) -> bool {
        self.seats.len() > 1 && (0..self.seats.len() as Seat).any(|seat| self.table.hides(Viewer::Seat(seat)))
    }

    /// Whether it has ended, by its rules or otherwise.
    pub fn is_over(&self) -> bool {
        self.end.is_some() || self.table.outcome().is_some()
    }

    /// When something was done last that somebody is awaited after: played, sat down, gone on. By the calendar.
    pub fn since(&self) -> i64 {
        self.since
    }

    /// It is about to go on from wherever it stands.
    pub fn leave(&mut self) {
        self.ended |= self.is_over();
    }

    /// Whether it was over by its rules at some time: then everybody counted everything for a while.
    pub fn was_over(&self) -> bool {
        self.ended
    }

    /// How it ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.table.outcome().or(self.end.map(|(outcome, _)| outcome))
    }

    /// Why it ended, if not by its rules.
    pub fn ending(&self) -> Option<Ending> {
        self.end.filter(|_| self.table.outcome().is_none()).map(|(_, how)| how)
    }

    /// Whether a spectator of that name may not speak.
    pub fn is_muted(&self, name: &str) -> bool {
        self.muted.iter().any(|one| alike(one, name))
    }

    /// The names of spectators who may not speak.
    pub fn muted(&self) -> &[String] {
        &self.muted
    }

    /// Whether a spectator of that name was sent away.
    pub fn is_removed(&self, name: &str) -> bool {
        self.removed.iter().any(|one| alike(one, name))
    }

    /// Whether somebody who sits is called so: nobody speaks in his name.
    pub fn is_seated(&self, name: &str) -> bool {
        self.seats.iter().any(|holder| alike(&holder.name, name))
    }

    /// The number of the next offer.
    pub fn next_offer(&self) -> u64 {
        self.offered + 1
    }

    /// How many records there are beside those of changes.
    pub fn asides(&self) -> usize {
        self.asides
    }

    /// How much was said.
    pub fn said(&self) -> usize {
        self.chat.len()
    }

    /// How many inputs there were.
    pub fn inputs(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The seed of the bots.
    pub fn bot_seed(&self) -> u64 {
        self.bot_seed
    }

    /// Whose time runs: that of a person who sits.
    pub fn clock_seat(&self) -> Option<Seat> {
        let seat = awaited(&*self.table).filter(|_| !self.is_over())?;
        self.seats.get(usize::from(seat)).filter(|holder| holder.who == Who::Person).map(|_| seat)
    }

    // What is told.

    /// The start of a conversation.
    ///
    /// # Errors
    /// If the match cannot be shown.
    pub fn welcome(&mut self, eyes: Eyes, now: Option<&Now>, clock: &Value) -> Result<Value, Refusal> {
        let commitment = self.commitment();
        let mut told = json!({
            "t": "welcome",
            "protocol": crate::message::PROTOCOL,
            "match": self.id,
            "rev": self.rev(eyes),
            "game": self.table.game(),
            "ruleset": self.table.ruleset(),
            "options": self.options,
            "commitment": commitment,
            "offers": self.offers_json(eyes),
            "clock": clock,
            "frozen": self.frozen,
            "hushed": self.hushed,
            "resumed": now.is_none(),
            "chat": self.chat_json(eyes),
        });
        if let Some(now) = now {
            let here = self.here(eyes);
            told["now"] = json!(now);
            let last = self.view(eyes).moments.len();
            let first = last.saturating_sub(NODES) as u32;
            let number = self.number(eyes, here);
            told["timeline"] =
                json!({ "here": number, "first": first, "nodes": self.nodes(eyes, first, u32::MAX) });
        }
        Ok(told)
    }

    /// What binds the server to the seed.
    pub fn commitment(&self) -> String {
        let salt = crate::hall::unhex(&self.salt);
        turnstone_table::protocol::commitment(self.table.seed(), &salt)
    }

    /// Seed and salt, told when it is over.
    pub fn over(&self) -> Option<Value> {
        let outcome = self.outcome()?;
        let reveal = json!({ "seed": self.table.seed().to_string(), "salt": self.salt });
        Some(json!({ "t": "over", "outcome": outcome, "how": self.ending(), "reveal": reveal }))
    }

    fn offers_json(&mut self, eyes: Eyes) -> Vec<Value> {
        if eyes == Eyes::SPECTATOR {
            return Vec::new();
        }
        self.offers.clone().iter().map(|offer| self.offer_json(eyes, offer)).collect()
    }

    /// An offer as it is told.
    pub fn offer_json(&mut self, eyes: Eyes, offer: &Offer) -> Value {
        let moment = offer.moment.map(|moment| self.number(eyes, moment));
        json!({
            "offer": offer.offer, "what": offer.what, "by": offer.by, "moment": moment, "seat": offer.seat,
            "yes": offer.yes, "wanted": self.wanted_for(offer),
        })
    }

    /// Who must agree to an offer, those included who have.
    pub fn wanted_for(&self, offer: &Offer) -> Vec<Seat> {
        let mut wanted = self.others(&[offer.by]);
        wanted.retain(|seat| Some(*seat) != offer.seat);
        wanted.insert(0, offer.by);
        wanted
    }

    /// So much of what was said somebody may hear by now.
    pub fn said_up_to(&mut self, eyes: Eyes) -> usize {
        (0..self.chat.len()).find(|n| self.said_json(eyes, *n).is_none()).unwrap_or(self.chat.len())
    }

    fn chat_json(&mut self, eyes: Eyes) -> Vec<Value> {
        let first = self.chat.len().saturating_sub(100);
        (first..self.chat.len()).filter_map(|n| self.said_json(eyes, n)).collect()
    }

    /// Something that was said, as it is told; none while somebody lags behind what it may be about. Spectators know
    /// no more than he does.
    pub fn said_json(&mut self, eyes: Eyes, n: usize) -> Option<Value> {
        let Said { seat, name, text, moment, at, after } = self.chat.get(n)?.clone();
        if seat.is_some() && self.lags(eyes) && self.waits(eyes, after) {
            return None;
        }
        let moment = self.number(eyes, moment);
        Some(json!({ "n": n, "seat": seat, "name": name, "text": text, "moment": moment, "at": at }))
    }

    /// Whether a change that is told to somebody, one of the first so many, has not been told to him yet.
    fn waits(&mut self, eyes: Eyes, after: usize) -> bool {
        let rev = self.rev(eyes) as usize;
        self.view(eyes).changes.partition_point(|change| *change < after) > rev
    }

    /// Whether it was said by somebody who plays.
    pub fn is_said_from_a_seat(&self, n: usize) -> bool {
        self.chat.get(n).is_some_and(|said| said.seat.is_some())
    }

    /// The clocks as they stood when the last change was made that somebody has been told of; no time runs on them.
    pub fn clock_then(&mut self, eyes: Eyes) -> Value {
        let reached = self.reached(eyes);
        let left = self.lefts.get(reached).cloned().flatten();
        match (&self.clock, left) {
            (Some(clock), Some(left)) => clock.json_of(&left),
            _ => Value::Null,
        }
    }

    /// Who may know of what was just played: its sender, whoever hears something of it, and everybody whose sight
    /// of the table it changes. `before` shows what somebody saw.
    pub fn told_mask(&self, moment: Moment, by: Option<Seat>) -> u64 {
        debug_assert_eq!(self.table.here(), moment, "asked about what was just played");
        let seats = self.seats.len() as Seat;
        let over = self.is_over();
        let parent = self.changes.last().map_or(0, |change| change.moment);
        // Looked up only for who hears nothing, and then once for all of them.
        let before = OnceCell::new();
        let looks_otherwise = |viewer: Viewer| match before.get_or_init(|| self.table.at(parent).ok()) {
            Some(before) => {
                before.actor() != self.table.actor()
                    || unmarked(before.scene(viewer)) != unmarked(self.table.scene(viewer))
            }
            None => true,
        };
        let mut mask = 0;
        for (bit, viewer) in
            (0..seats).map(|seat| (seat, Viewer::Seat(seat))).chain([(63, Viewer::Spectator)])
        {
            let own = by.is_some_and(|by| viewer == Viewer::Seat(by));
            if own || over || self.table.hears(moment, viewer) || looks_otherwise(viewer) {
                mask |= 1 << bit;
            }
        }
        mask
    }

    /// Everything that may be sent at any time is checked first for whether the match may go on at all.
    ///
    /// # Errors
    /// If it may not.
    pub fn goes_on(&self, want: &Want) -> Result<(), Refusal> {
        if let Some(why) = &self.frozen {
            return Err(Refusal::new("FROZEN", why.clone()));
        }
        let travels = matches!(want, Want::Go { .. } | Want::Offer { what: What::Takeback, .. });
        if self.is_over() && !(travels && self.options.practice && self.end.is_none()) {
            return Err(Refusal::new("OVER", "the match has ended"));
        }
        Ok(())
    }

    /// For a clock of days: until when the next turn must be taken.
    pub fn clock_due(&self) -> Option<i64> {
        self.clock.as_ref().and_then(Clock::due).filter(|_| !self.is_over())
    }

    /// Who played a moment.
    pub fn by(&self, moment: Moment) -> Option<Seat> {
        self.nodes.get(moment as usize).and_then(|node| node.by)
    }

    /// Where the match stands for somebody.
    pub fn seen_here(&mut self, eyes: Eyes) -> Moment {
        self.here(eyes)
    }

    /// The last turns of a seat on the live line, each with the table before it, to be studied.
    ///
    /// # Errors
    /// If a moment cannot be shown.
    pub fn turns_of(
        &mut self,
        seat: Seat,
        eyes: Eyes,
        most: usize,
    ) -> Result<Vec<crate::study::Turn>, Refusal> {
        let line = self.table.line();
        let own: Vec<(Moment, Moment)> = line
            .windows(2)
            .filter(|pair| self.by(pair[1]) == Some(seat))
            .map(|pair| (pair[0], pair[1]))
            .collect();
        // Evenly over the match, if there are too many.
        let step = own.len().div_ceil(most).max(1);
        let mut turns = Vec::new();
        for (before, after) in own.into_iter().step_by(step) {
            turns.push(crate::study::Turn {
                moment: self.number(eyes, before),
                label: self.text(Eyes::seats(&[seat]), after),
                before: self.table.at(before)?,
            });
        }
        Ok(turns)
    }
}

/// A scene without the marks of the last action: that they go out when something happens unseen is no news.
fn unmarked(mut scene: Scene) -> Scene {
    if let Some(board) = &mut scene.board {
        board.cells.iter_mut().for_each(|cell| cell.recent = false);
    }
    scene
}

/// What those are called who give no name; from the second on they are counted.
pub const NAMELESS: &str = "somebody";

/// Which of those without a name is called so.
pub fn nameless(name: &str) -> Option<u32> {
    let bare = name.trim().to_lowercase();
    let rest = bare.strip_prefix(NAMELESS)?;
    if rest.is_empty() { Some(1) } else { rest.strip_prefix(' ')?.parse().ok() }
}

/// Whether people would take two names for one.
pub fn alike(one: &str, other: &str) -> bool {
    let bare = |name: &str| name.trim().to_lowercase();
    !one.trim().is_empty() && bare(one) == bare(other)
}

//! Numbers and conditions in words.

use super::Writer;
use super::filters::inverse;
use crate::catalog::defs::Common;
use crate::catalog::expr::{Arg, Expr, Op, Read};
use crate::catalog::words::{CardType, Who, Zone};

impl Writer<'_> {
    /// The number, if it is known.
    pub(super) fn known(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Int(number) => Some(*number),
            Expr::Upgrade(base, upgraded) => self.known(if self.live.upgrades > 0 { upgraded } else { base }),
            Expr::Ascension(rows) => self.reached(rows).and_then(|value| self.known(value)),
            Expr::Not(inner) => self.known(inner).map(|number| i32::from(number == 0)),
            Expr::Two(op, left, right) => Some(op.of(self.known(left)?, self.known(right)?)),
            Expr::Read(Read::Grown, _) if self.of_card => Some(self.live.grown),
            Expr::Read(Read::Kept, _) if self.live.kept != 0 => Some(self.live.kept),
            Expr::Read(Read::Potency, _) => Some(self.live.kept),
            Expr::Read(Read::Upgrades, _) => Some(i32::from(self.live.upgrades)),
            Expr::Read(Read::Upgraded, _) => Some(i32::from(self.live.upgrades > 0)),
            Expr::Read(Read::N, _) => self.stacks,
            // Unless relics change them.
            Expr::Read(Read::VulnerableRate, _) => Some(50),
            Expr::Read(Read::WeakRate, _) => Some(25),
            Expr::Read(Read::Max | Read::Min, args) => match args.as_slice() {
                [Arg::Expr(a), Arg::Expr(b)] => {
                    let (a, b) = (self.known(a)?, self.known(b)?);
                    Some(if matches!(expr, Expr::Read(Read::Max, _)) { a.max(b) } else { a.min(b) })
                }
                _ => None,
            },
            Expr::Read(Read::CardBlock, args) => match args.as_slice() {
                [Arg::Expr(base)] => self.known(base).map(|base| (self.live.block)(base)),
                _ => None,
            },
            Expr::Read(..) => None,
        }
    }

    /// The row of the level that is played, if it is known.
    fn reached<'e>(&self, rows: &'e [(u8, Expr)]) -> Option<&'e Expr> {
        let level = self.live.ascension?;
        rows.iter().rev().find(|(from, _)| *from <= level).map(|(_, value)| value)
    }

    /// A number in words.
    pub(super) fn number(&self, expr: &Expr) -> String {
        if let Some(number) = self.known(expr) {
            return number.to_string();
        }
        match expr {
            Expr::Upgrade(..) => self.number(self.form(expr)),
            Expr::Two(Op::Sub, zero, inner) if **zero == Expr::Int(0) => self.number(inner),
            Expr::Two(Op::Sub, played, one) if others(played, one) => {
                "the other attacks played this turn".into()
            }
            Expr::Two(op @ (Op::Add | Op::Sub | Op::Mul | Op::Div), left, right) => {
                format!("{} {} {}", self.side(*op, left, false), sign(*op), self.side(*op, right, true))
            }
            Expr::Two(..) | Expr::Not(_) => format!("1 if {}, otherwise 0", self.condition(expr)),
            // At least nothing: not worth a word.
            Expr::Read(Read::Max, args) => match args.as_slice() {
                [Arg::Expr(Expr::Int(0)), Arg::Expr(inner)] => self.number(inner),
                _ => self.read(Read::Max, args),
            },
            Expr::Read(read, args) => self.read(*read, args),
            Expr::Ascension(rows) => self.levels(rows),
            Expr::Int(number) => number.to_string(),
        }
    }

    /// `5 (9 from ascension 10 on)`.
    fn levels(&self, rows: &[(u8, Expr)]) -> String {
        let Some(((_, first), rest)) = rows.split_first() else { return "0".into() };
        let row = |(level, value): &(u8, Expr)| format!("{} from ascension {level} on", self.number(value));
        let rest: Vec<String> = rest.iter().map(row).collect();
        if rest.is_empty() {
            self.number(first)
        } else {
            format!("{} ({})", self.number(first), rest.join(", "))
        }
    }

    /// A number of which something is said, or with which something is reckoned.
    pub(super) fn operand(&self, expr: &Expr) -> String {
        match expr {
            Expr::Upgrade(..) => self.operand(self.form(expr)),
            Expr::Read(Read::Max, _) => self.number(expr),
            Expr::Read(read @ (Read::Event | Read::Handled), args) => self.measure(*read, args),
            _ => self.number(expr),
        }
    }

    /// One side of a sum, in brackets where another order would be read.
    fn side(&self, op: Op, part: &Expr, right: bool) -> String {
        let said = self.operand(part);
        let bare = self.known(part).is_some();
        let brackets = match (self.form(part), op) {
            _ if bare => false,
            (Expr::Two(Op::Add | Op::Sub, ..), Op::Mul | Op::Div) => true,
            (Expr::Two(Op::Add | Op::Sub, ..), Op::Sub) => right,
            (Expr::Two(Op::Mul | Op::Div, ..), Op::Mul | Op::Div) => right,
            (Expr::Two(Op::Add | Op::Sub | Op::Mul | Op::Div, ..), _) => false,
            _ => said.starts_with("1 if "),
        };
        if brackets { format!("({said})") } else { said }
    }

    /// Whether a value is negative as it is written, and how much it is without the sign.
    pub(super) fn magnitude(&self, expr: &Expr) -> (bool, String) {
        match self.known(expr) {
            Some(number) => (number < 0, number.unsigned_abs().to_string()),
            None => {
                let said = self.number(expr);
                (negated(self.form(expr)), said.trim_start_matches('-').to_owned())
            }
        }
    }

    /// So much of something that is not counted: `3 HP`, `as much Block`, `Block equal to your energy`.
    pub(super) fn amount(&self, amount: &Expr, noun: &str) -> String {
        let much = self.magnitude(amount).1;
        match much.as_str() {
            "as many" => format!("as much {noun}"),
            "N" | "X" => format!("{much} {noun}"),
            _ if self.known(amount).is_some() => format!("{much} {noun}"),
            _ => format!("{noun} equal to {much}"),
        }
    }

    /// A condition in words.
    pub(super) fn condition(&self, expr: &Expr) -> String {
        match expr {
            Expr::Upgrade(..) => self.condition(self.form(expr)),
            Expr::Not(inner) => self.opposite(inner),
            Expr::Two(Op::And, a, b) => format!("{} and {}", self.condition(a), self.condition(b)),
            Expr::Two(Op::Or, a, b) => format!("{} or {}", self.condition(a), self.condition(b)),
            Expr::Two(op, left, right) => self.comparison(*op, left, right),
            Expr::Read(read, args) => self.state(*read, args),
            Expr::Int(0) => "never".into(),
            Expr::Int(_) => "ever".into(),
            Expr::Ascension(_) => format!("{} is not 0", self.number(expr)),
        }
    }

    fn comparison(&self, op: Op, left: &Expr, right: &Expr) -> String {
        if let Some(said) = self.at_all(op, left, right) {
            return said;
        }
        let left = match left {
            Expr::Read(Read::Count, args) => return self.there_are(op, args, right),
            Expr::Read(Read::CardsPlayed, _) if op == Op::Le => {
                return format!("this is one of your first {} cards this turn", self.number(right));
            }
            Expr::Read(read, args) => self.measure(*read, args),
            other => self.operand(other),
        };
        let right = self.operand(right);
        match op {
            Op::Eq => format!("{left} is {right}"),
            Op::Ne => format!("{left} is not {right}"),
            Op::Lt => format!("{left} is less than {right}"),
            Op::Le => format!("{left} is at most {right}"),
            Op::Gt => format!("{left} is more than {right}"),
            Op::Ge => format!("{left} is at least {right}"),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::And | Op::Or => {
                format!("{left} {} {right} is not 0", sign(op))
            }
        }
    }

    /// Whether there is anything at all: `you have Block`, `there are no cards in hand`.
    fn at_all(&self, op: Op, left: &Expr, right: &Expr) -> Option<String> {
        let (Expr::Read(read, args), Expr::Int(0)) = (left, right) else { return None };
        let some = match op {
            Op::Ne | Op::Gt => true,
            Op::Eq | Op::Le => false,
            _ => return None,
        };
        let no = if some { "" } else { "no " };
        let who = match args.first() {
            Some(Arg::Who(who)) => *who,
            _ => Who::Each,
        };
        Some(match (read, args.get(1)) {
            (Read::Count, _) => format!("there are {no}{}", self.counted_cards(args, true)),
            (Read::Block, _) => format!("{} {no}Block", self.has(who)),
            (Read::Power, Some(Arg::Name(id))) if op == Op::Gt || op == Op::Le => {
                format!("{} {no}{}", self.has(who), self.power_name(id))
            }
            (Read::Discarded, _) if some => "you discarded a card this turn".into(),
            (Read::Discarded, _) => "you discarded no card this turn".into(),
            _ => return None,
        })
    }

    /// `there are at least 3 attacks in hand`.
    fn there_are(&self, op: Op, args: &[Arg], right: &Expr) -> String {
        let one = self.known(right) == Some(1);
        let (are, noun) = (if one { "is" } else { "are" }, self.counted_cards(args, !one));
        let much = match op {
            Op::Lt => "fewer than ",
            Op::Le => "at most ",
            Op::Gt => "more than ",
            Op::Ge => "at least ",
            Op::Ne => "not exactly ",
            _ => "exactly ",
        };
        format!("there {are} {much}{} {noun}", self.operand(right))
    }

    /// What is so where a condition does not hold.
    pub(super) fn opposite(&self, inner: &Expr) -> String {
        match inner {
            Expr::Upgrade(..) => self.opposite(self.form(inner)),
            Expr::Not(inner) => self.condition(inner),
            Expr::Two(Op::And, a, b) => format!("{} or {}", self.opposite(a), self.opposite(b)),
            Expr::Two(Op::Or, a, b) => format!("{} and {}", self.opposite(a), self.opposite(b)),
            Expr::Two(op, left, right) if inverse(*op) != *op => self.comparison(inverse(*op), left, right),
            Expr::Two(..) | Expr::Int(_) | Expr::Ascension(_) => {
                format!("it is not so that {}", self.condition(inner))
            }
            Expr::Read(read, args) => denied(&self.state(*read, args)),
        }
    }

    /// Whom.
    pub(super) fn who(&self, who: Who) -> &'static str {
        match who {
            Who::Me if self.you => "you",
            Who::Me => "the owner",
            Who::Player => "you",
            Who::Target | Who::Victim => "the enemy",
            Who::Attacker => "the attacker",
            Who::Enemies => "all enemies",
            Who::Random => "a random enemy",
            Who::Others => "all other enemies",
            Who::Each => "it",
            Who::Weakest => "the enemy with least HP",
            Who::RandomAlly => "a random ally",
            Who::Leader => "the leader",
        }
    }

    /// Whose.
    pub(super) fn possessive(&self, who: Who) -> String {
        match who {
            Who::Player => "your".into(),
            Who::Me if self.you => "your".into(),
            Who::Me => "its owner's".into(),
            Who::Each => "their".into(),
            Who::Enemies => "all enemies'".into(),
            Who::Others => "all other enemies'".into(),
            Who::Weakest => "the weakest enemy's".into(),
            Who::Target | Who::Victim | Who::Attacker | Who::Random | Who::RandomAlly | Who::Leader => {
                format!("{}'s", self.who(who))
            }
        }
    }

    /// Whether what they do is told as of many, or of the reader.
    pub(super) fn several(&self, who: Who) -> bool {
        match who {
            Who::Enemies | Who::Others | Who::Player => true,
            Who::Me => self.you,
            Who::Target
            | Who::Victim
            | Who::Attacker
            | Who::Random
            | Who::Each
            | Who::Weakest
            | Who::RandomAlly
            | Who::Leader => false,
        }
    }

    /// The name of a power.
    pub(super) fn power_name(&self, id: &str) -> String {
        called(&self.content.powers, |power| &power.common, id)
    }

    pub(super) fn relic_name(&self, id: &str) -> String {
        called(&self.content.relics, |relic| &relic.common, id)
    }

    pub(super) fn monster_name(&self, id: &str) -> String {
        called(&self.content.monsters, |monster| &monster.common, id)
    }

    pub(super) fn card_name(&self, id: &str) -> String {
        called(&self.content.cards, |card| &card.common, id)
    }

    pub(super) fn orb_name(&self, id: &str) -> String {
        called(&self.content.orbs, |orb| &orb.common, id)
    }

    pub(super) fn stance_name(&self, id: &str) -> String {
        called(&self.content.stances, |stance| &stance.common, id)
    }
}

/// What an entry is called.
fn called<T>(entries: &[T], common: impl Fn(&T) -> &Common, id: &str) -> String {
    let mut all = entries.iter().map(common);
    all.find(|common| common.id == id).map_or_else(|| id.to_owned(), |common| common.name.clone())
}

/// All but this card.
fn others(played: &Expr, one: &Expr) -> bool {
    matches!(played, Expr::Read(Read::AttacksPlayed, _)) && *one == Expr::Int(1)
}

/// Whether a value is written with a minus in front.
pub(super) fn negated(expr: &Expr) -> bool {
    match expr {
        Expr::Int(number) => *number < 0,
        Expr::Two(Op::Sub, left, _) => **left == Expr::Int(0) || negated(left),
        Expr::Two(Op::Mul | Op::Div, left, _) => negated(left),
        _ => false,
    }
}

/// A sentence about a state, denied.
fn denied(said: &str) -> String {
    for (yes, no) in [
        (" is ", " is not "),
        (" are ", " are not "),
        (" has ", " has no "),
        (" have ", " have no "),
        (" was ", " was not "),
        (" were ", " were not "),
        (" lives", " is dead"),
        (" live", " are dead"),
        (" survives", " does not survive"),
        (" intends ", " does not intend "),
        ("you drew ", "you did not draw "),
        ("you lost ", "you did not lose "),
        ("you enter ", "you do not enter "),
        ("you leave ", "you do not leave "),
    ] {
        if said.contains(yes) {
            return said.replacen(yes, no, 1);
        }
    }
    format!("it is not so that {said}")
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "×",
        Op::Div => "/",
        Op::Eq => "=",
        Op::Ne => "≠",
        Op::Lt => "<",
        Op::Le => "≤",
        Op::Gt => ">",
        Op::Ge => "≥",
        Op::And => "and",
        Op::Or => "or",
    }
}

/// A place, behind "in".
pub(super) fn zone_name(zone: Zone) -> &'static str {
    match zone {
        Zone::Hand => "hand",
        Zone::Draw => "the draw pile",
        Zone::Discard => "the discard pile",
        Zone::Exhaust => "the exhaust pile",
        Zone::Combat => "hand, draw and discard pile",
        Zone::Anywhere => "all piles",
        Zone::Deck => "your deck",
        Zone::Limbo => "limbo",
        Zone::This | Zone::Chosen | Zone::Drawn | Zone::Trigger => "play",
    }
}

/// A type of card as a noun.
pub(super) fn type_name(kind: CardType, many: bool) -> String {
    let one = match kind {
        CardType::Attack => "attack",
        CardType::Skill => "skill",
        CardType::Power => "power",
        CardType::Status => "status card",
        CardType::Curse => "curse",
    };
    if many { format!("{one}s") } else { one.to_string() }
}

/// `an attack`, `a skill`; what is pointed at already needs none.
pub(super) fn article(noun: &str) -> String {
    if noun.starts_with("this ") {
        return noun.to_owned();
    }
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

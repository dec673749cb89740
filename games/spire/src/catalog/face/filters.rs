//! The cards that pass a filter, in words: as a noun where there is one, else by what they are or cost.

use super::numbers::{article, type_name};
use super::{Writer, capital};
use crate::catalog::expr::{Arg, Expr, Op, Read};
use crate::catalog::words::CardType;

impl Writer<'_> {
    /// The cards that pass a filter, as a noun.
    pub(super) fn cards(&self, filter: &Expr, many: bool) -> String {
        let noun = self.noun(filter, many);
        noun.unwrap_or_else(|| format!("{} that {}", plural("card", many), self.quality(filter, many, true)))
    }

    /// A noun for them, if there is one.
    fn noun(&self, filter: &Expr, many: bool) -> Option<String> {
        match filter {
            Expr::Upgrade(..) => self.noun(self.form(filter), many),
            Expr::Read(read, args) => {
                let adjective = adjective(*read).map(|word| plural(&format!("{word} card"), many));
                adjective.or_else(|| self.kind(*read, args, many))
            }
            Expr::Not(inner) => match &**inner {
                Expr::Read(Read::IsSelf, _) => Some(plural("other card", many)),
                Expr::Read(Read::IsCard, args) => {
                    let name = self.kind(Read::IsCard, args, false)?;
                    Some(format!("{} other than {name}", plural("card", many)))
                }
                Expr::Read(read, _) => card_type(*read).map(|kind| format!("non-{}", type_name(kind, many))),
                _ => None,
            },
            Expr::Two(Op::Or, a, b) => match (plain(a), plain(b)) {
                (true, true) => Some(format!("{} or {}", self.noun(a, many)?, self.noun(b, many)?)),
                _ => None,
            },
            Expr::Two(Op::And, a, b) => self.both(a, b, many),
            Expr::Two(..) | Expr::Int(_) | Expr::Ascension(_) => None,
        }
    }

    /// `other attacks`, `rare skills`, `attacks that cost 0`.
    fn both(&self, a: &Expr, b: &Expr, many: bool) -> Option<String> {
        match (a, b) {
            (_, Expr::Not(inner)) if matches!(**inner, Expr::Read(Read::IsSelf, _)) => {
                self.noun(a, many).map(|noun| format!("other {noun}"))
            }
            (Expr::Read(read, _), noun) | (noun, Expr::Read(read, _))
                if adjective(*read).is_some() && plain(noun) =>
            {
                Some(format!("{} {}", adjective(*read)?, self.noun(noun, many)?))
            }
            (Expr::Two(Op::Or, ..), _) => None,
            _ => Some(format!("{} that {}", self.noun(a, many)?, self.quality(b, many, true))),
        }
    }

    /// What has a name of its own.
    fn kind(&self, read: Read, args: &[Arg], many: bool) -> Option<String> {
        let name = match args.first() {
            Some(Arg::Name(name)) => name.as_str(),
            _ => "",
        };
        Some(match read {
            Read::IsSelf => "this card".into(),
            Read::XCost => plural("X card", many),
            Read::HasTag => plural(&format!("{} card", capital(&name.replace('_', " "))), many),
            Read::IsCard => plural(&self.card_name(name), many),
            other => type_name(card_type(other)?, many),
        })
    }

    /// What is true of them, or not: `cost more than 1`, `are not upgraded`.
    fn quality(&self, filter: &Expr, many: bool, yes: bool) -> String {
        let is = match (many, yes) {
            (true, true) => "are",
            (true, false) => "are not",
            (false, true) => "is",
            (false, false) => "is not",
        };
        match filter {
            Expr::Upgrade(..) => self.quality(self.form(filter), many, yes),
            Expr::Not(inner) => self.quality(inner, many, !yes),
            Expr::Two(op @ (Op::And | Op::Or), a, b) => {
                let (a, b) = (self.quality(a, many, yes), self.quality(b, many, yes));
                // Not both is one of the two not.
                let word = if (*op == Op::And) == yes { "and" } else { "or" };
                format!("{a} {word} {b}")
            }
            Expr::Two(op, left, right) => {
                let op = if yes { *op } else { inverse(*op) };
                self.measured(op, left, right, many)
            }
            Expr::Read(Read::XCost, _) => costs(many, yes, "X"),
            Expr::Read(Read::IsSelf, _) => format!("{is} this card"),
            Expr::Read(read, args) => match (adjective(*read), self.kind(*read, args, many)) {
                (Some(word), _) => format!("{is} {word}"),
                (None, Some(kind)) if many => format!("{is} {kind}"),
                (None, Some(kind)) => format!("{is} {}", article(&kind)),
                (None, None) => self.doubt(filter, many, yes),
            },
            Expr::Int(_) | Expr::Ascension(_) => self.doubt(filter, many, yes),
        }
    }

    /// A comparison about the card: its cost, or the damage printed on it.
    fn measured(&self, op: Op, left: &Expr, right: &Expr, many: bool) -> String {
        let number = self.operand(right);
        let much = match op {
            Op::Lt => format!("less than {number}"),
            Op::Le => format!("at most {number}"),
            Op::Gt => format!("more than {number}"),
            Op::Ge => format!("at least {number}"),
            _ => number,
        };
        match left {
            Expr::Read(Read::Cost | Read::CostNow | Read::CostThisTurn, _) => {
                costs(many, op != Op::Ne, &much)
            }
            Expr::Read(Read::AttackDamage, _) => {
                let deal = if many { "deal" } else { "deals" };
                let not = if op == Op::Ne { "other than " } else { "" };
                format!("{deal} {not}{much} damage")
            }
            _ => self.doubt(&Expr::Two(op, left.clone().into(), right.clone().into()), many, true),
        }
    }

    /// What is no quality of a card at all.
    fn doubt(&self, filter: &Expr, many: bool, yes: bool) -> String {
        let condition = if yes { self.condition(filter) } else { self.opposite(filter) };
        format!("{} meant if {condition}", if many { "are" } else { "is" })
    }
}

/// `cost 1`, `does not cost X`.
fn costs(many: bool, yes: bool, much: &str) -> String {
    match (many, yes) {
        (true, true) => format!("cost {much}"),
        (false, true) => format!("costs {much}"),
        (true, false) => format!("do not cost {much}"),
        (false, false) => format!("does not cost {much}"),
    }
}

/// A single word, which may stand in front of another or beside it.
fn plain(filter: &Expr) -> bool {
    match filter {
        Expr::Read(Read::FreeOnce, _) => false,
        Expr::Read(..) => true,
        Expr::Not(inner) => matches!(**inner, Expr::Read(read, _) if card_type(read).is_some()),
        Expr::Two(Op::Or, a, b) => plain(a) && plain(b),
        Expr::Two(..) | Expr::Int(_) | Expr::Upgrade(..) | Expr::Ascension(_) => false,
    }
}

/// What a card is, as an adjective.
fn adjective(read: Read) -> Option<&'static str> {
    Some(match read {
        Read::IsBasic => "basic",
        Read::IsCommon => "common",
        Read::IsUncommon => "uncommon",
        Read::IsRare => "rare",
        Read::Upgraded => "upgraded",
        Read::Upgradable => "upgradable",
        Read::Ethereal => "ethereal",
        Read::Retained => "retained",
        Read::Unplayable => "unplayable",
        Read::Removable => "removable",
        Read::FreeOnce => "free",
        _ => return None,
    })
}

fn card_type(read: Read) -> Option<CardType> {
    Some(match read {
        Read::IsAttack => CardType::Attack,
        Read::IsSkill => CardType::Skill,
        Read::IsPower => CardType::Power,
        Read::IsStatus => CardType::Status,
        Read::IsCurse => CardType::Curse,
        _ => return None,
    })
}

/// The comparison that holds where this one does not.
pub(super) fn inverse(op: Op) -> Op {
    match op {
        Op::Eq => Op::Ne,
        Op::Ne => Op::Eq,
        Op::Lt => Op::Ge,
        Op::Le => Op::Gt,
        Op::Gt => Op::Le,
        Op::Ge => Op::Lt,
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::And | Op::Or => op,
    }
}

/// One card or many of a name: `Dazed` stays as it is.
fn plural(noun: &str, many: bool) -> String {
    if many { super::steps::plural(noun) } else { noun.to_owned() }
}

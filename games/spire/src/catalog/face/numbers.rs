//! Numbers and conditions in words.

use super::Writer;
use crate::catalog::defs::Common;
use crate::catalog::expr::{Arg, Expr, Op, Read};
use crate::catalog::words::{CardType, Who, Zone};

impl Writer<'_> {
    /// The number, if it is known.
    pub(super) fn known(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Int(number) => Some(*number),
            Expr::Upgrade(base, upgraded) => self.known(if self.live.upgrades > 0 { upgraded } else { base }),
            Expr::Ascension(rows) => rows.first().and_then(|(_, value)| self.known(value)),
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

    /// A number in words.
    pub(super) fn number(&self, expr: &Expr) -> String {
        if let Some(number) = self.known(expr) {
            return number.to_string();
        }
        match expr {
            Expr::Upgrade(base, upgraded) => {
                self.number(if self.live.upgrades > 0 { upgraded } else { base })
            }
            Expr::Two(Op::Sub, zero, inner) if **zero == Expr::Int(0) => self.number(inner),
            Expr::Two(Op::Sub, played, one) if others(played, one) => {
                "the other attacks played this turn".into()
            }
            Expr::Two(op, left, right) => {
                let side = |part: &Expr| match (op, part) {
                    (Op::Mul | Op::Div, Expr::Two(Op::Add | Op::Sub, ..)) => {
                        format!("({})", self.number(part))
                    }
                    _ => self.number(part),
                };
                format!("{} {} {}", side(left), sign(*op), side(right))
            }
            // At least nothing: not worth a word.
            Expr::Read(Read::Max, args) => match args.as_slice() {
                [Arg::Expr(Expr::Int(0)), Arg::Expr(inner)] => self.number(inner),
                _ => self.read(Read::Max, args),
            },
            Expr::Read(read, args) => self.read(*read, args),
            Expr::Not(_) | Expr::Int(_) | Expr::Ascension(_) => self.condition(expr),
        }
    }

    /// Something read from the state, as a noun.
    fn read(&self, read: Read, args: &[Arg]) -> String {
        let first = || args.first().map(|arg| self.argument(arg)).unwrap_or_default();
        let name = || match args.first() {
            Some(Arg::Name(name)) => name.clone(),
            _ => String::new(),
        };
        let second = || args.get(1).map(|arg| self.argument(arg)).unwrap_or_default();
        match read {
            Read::X => "X".into(),
            Read::N => "N".into(),
            Read::Stored => "the stored number".into(),
            Read::Event | Read::Handled => "as many".into(),
            Read::Dealt => "the HP taken".into(),
            Read::HandledCost => "its cost".into(),
            Read::Kept => "X".into(),
            Read::Block => format!("{} Block", self.whose(args)),
            Read::Hp => format!("{} HP", self.whose(args)),
            Read::MaxHp => format!("{} max HP", self.whose(args)),
            Read::Power => match args.get(1) {
                Some(Arg::Name(id)) => format!("{} {}", self.whose(args), self.power_name(id)),
                _ => self.whose(args),
            },
            Read::Count => self.cards_in(args),
            Read::Enemies => "the number of enemies".into(),
            Read::Orbs => "the number of orbs".into(),
            Read::OrbKinds => "the number of different orbs".into(),
            Read::Channeled => format!("the {} orbs channeled this combat", self.orb_name(&name())),
            Read::CardsPlayed => "the cards played this turn".into(),
            Read::AttacksPlayed => "the attacks played this turn".into(),
            Read::SkillsPlayed => "the skills played this turn".into(),
            Read::PowersPlayed => "the powers played this combat".into(),
            Read::Discarded => "the cards discarded this turn".into(),
            Read::TimesHurt => "the times you lost HP this combat".into(),
            Read::MantraGained => "the Mantra gained this combat".into(),
            Read::Energy => "your energy".into(),
            Read::Counter => "the counter".into(),
            Read::Gold => "your gold".into(),
            Read::Turn => "the turn".into(),
            Read::Max => format!("the larger of {} and {}", first(), second()),
            Read::Min => format!("the smaller of {} and {}", first(), second()),
            _ => read.name().replace('_', " "),
        }
    }

    fn argument(&self, arg: &Arg) -> String {
        match arg {
            Arg::Expr(expr) => self.number(expr),
            Arg::Name(name) => name.replace('_', " "),
            Arg::Who(who) => self.who(*who).into(),
            Arg::Zone(zone) => zone_name(*zone).into(),
            Arg::Type(kind) => type_name(*kind, false),
            Arg::Kind(kind) => kind.name().into(),
            Arg::Drawn(drawn) => drawn.name().replace('_', " "),
        }
    }

    fn whose(&self, args: &[Arg]) -> String {
        match args.first() {
            Some(Arg::Who(Who::Me | Who::Player)) => if self.you { "your" } else { "its" }.into(),
            Some(Arg::Who(Who::Target | Who::Victim | Who::Attacker)) => "the enemy's".into(),
            Some(Arg::Who(Who::Each)) => "their".into(),
            _ => "its".into(),
        }
    }

    fn cards_in(&self, args: &[Arg]) -> String {
        let zone = match args.first() {
            Some(Arg::Zone(zone)) => zone_name(*zone),
            _ => "play",
        };
        match args.get(1) {
            Some(Arg::Expr(filter)) => format!("the {} in {zone}", self.cards(filter, true)),
            _ => format!("the cards in {zone}"),
        }
    }

    /// The cards that pass a filter, as a noun.
    pub(super) fn cards(&self, filter: &Expr, many: bool) -> String {
        let plural = |one: &str| if many { format!("{one}s") } else { one.to_string() };
        match filter {
            Expr::Read(Read::IsAttack, _) => type_name(CardType::Attack, many),
            Expr::Read(Read::IsSkill, _) => type_name(CardType::Skill, many),
            Expr::Read(Read::IsPower, _) => type_name(CardType::Power, many),
            Expr::Read(Read::IsStatus, _) => type_name(CardType::Status, many),
            Expr::Read(Read::IsCurse, _) => type_name(CardType::Curse, many),
            Expr::Read(Read::HasTag, args) => match args.first() {
                Some(Arg::Name(tag)) => plural(&format!("{} card", super::capital(tag))),
                _ => plural("card"),
            },
            Expr::Read(Read::IsCommon, _) => plural("common card"),
            Expr::Read(Read::IsUncommon, _) => plural("uncommon card"),
            Expr::Read(Read::IsRare, _) => plural("rare card"),
            Expr::Read(Read::Retained, _) => plural("retained card"),
            Expr::Read(Read::FreeOnce, _) => plural("free card"),
            Expr::Two(Op::Or, a, b) => format!("{} or {}", self.cards(a, many), self.cards(b, many)),
            Expr::Two(Op::And, a, b) => match **b {
                Expr::Not(ref inner) if matches!(**inner, Expr::Read(Read::IsSelf, _)) => {
                    format!("other {}", self.cards(a, many))
                }
                _ => format!(
                    "{} that {} {}",
                    self.cards(a, many),
                    if many { "are" } else { "is" },
                    self.quality(b)
                ),
            },
            Expr::Not(inner) => match **inner {
                Expr::Read(Read::IsSelf, _) => plural("other card"),
                Expr::Read(Read::IsAttack, _) => plural("non-attack"),
                _ => plural("card"),
            },
            Expr::Two(op, cost, number) if cost_read(cost) => {
                let (cards, cost, number) =
                    (plural("card"), if many { "cost" } else { "costs" }, self.number(number));
                match op {
                    Op::Eq => format!("{cards} of cost {number}"),
                    Op::Ne => format!("{cards} not of cost {number}"),
                    Op::Lt => format!("{cards} that {cost} less than {number}"),
                    Op::Le => format!("{cards} that {cost} at most {number}"),
                    Op::Ge => format!("{cards} that {cost} at least {number}"),
                    _ => format!("{cards} that {cost} more than {number}"),
                }
            }
            Expr::Read(Read::IsCard, args) => match args.first() {
                Some(Arg::Name(id)) => plural(&self.card_name(id)),
                _ => plural("card"),
            },
            Expr::Read(Read::IsSelf, _) => "this card".into(),
            Expr::Read(read @ (Read::IsBasic | Read::Upgraded | Read::Ethereal | Read::Unplayable), _) => {
                plural(&format!("{} card", read.name()))
            }
            Expr::Read(Read::XCost, _) => plural("X card"),
            _ => plural("card"),
        }
    }

    fn quality(&self, filter: &Expr) -> String {
        match filter {
            Expr::Not(inner) => format!("not {}", self.quality(inner)),
            Expr::Read(read, _) => read.name().replace('_', " "),
            other => self.cards(other, false),
        }
    }

    /// A condition in words.
    pub(super) fn condition(&self, expr: &Expr) -> String {
        match expr {
            Expr::Upgrade(base, upgraded) => {
                self.condition(if self.live.upgrades > 0 { upgraded } else { base })
            }
            Expr::Not(inner) => self.opposite(inner),
            Expr::Two(Op::And, a, b) => format!("{} and {}", self.condition(a), self.condition(b)),
            Expr::Two(Op::Or, a, b) => format!("{} or {}", self.condition(a), self.condition(b)),
            Expr::Two(op, left, right) => self.comparison(*op, left, right),
            Expr::Read(read, args) => self.state(*read, args),
            other => self.number(other),
        }
    }

    fn comparison(&self, op: Op, left: &Expr, right: &Expr) -> String {
        if let (Expr::Read(read @ (Read::Count | Read::Block), args), Expr::Int(0)) = (left, right) {
            let noun = match read {
                Read::Count => self.cards_in(args).trim_start_matches("the ").to_string(),
                _ => self.read(*read, args),
            };
            match op {
                Op::Eq | Op::Le => {
                    return format!("there are no {noun}").replace("there are no your", "you have no");
                }
                Op::Ne | Op::Gt => return format!("there are {noun}"),
                _ => {}
            }
        }
        if let (Expr::Read(Read::Discarded, _), Op::Gt, Expr::Int(0)) = (left, op, right) {
            return "you discarded a card this turn".into();
        }
        if let (Expr::Read(Read::CardsPlayed, _), Op::Le) = (left, op) {
            return format!("this is one of your first {} cards this turn", self.number(right));
        }
        let (left, right) = (self.number(left), self.number(right));
        match op {
            Op::Eq => format!("{left} is {right}"),
            Op::Ne => format!("{left} is not {right}"),
            Op::Lt => format!("{left} is less than {right}"),
            Op::Le => format!("{left} is at most {right}"),
            Op::Gt => format!("{left} is more than {right}"),
            _ => format!("{left} is at least {right}"),
        }
    }

    /// A truth read from the state.
    fn state(&self, read: Read, args: &[Arg]) -> String {
        let name = |at: usize| match args.get(at) {
            Some(Arg::Name(name)) => name.clone(),
            _ => String::new(),
        };
        let who = match args.first() {
            Some(Arg::Who(who)) => self.who(*who),
            _ => "it",
        };
        let has = if who == "you" { "have" } else { "has" };
        match read {
            Read::Has => format!("{who} {has} {}", self.power_name(&name(1))),
            Read::IntendsAttack => format!("{who} intends to attack"),
            Read::Stance => format!("you are in {}", self.stance_name(&name(0))),
            Read::Entering => format!("you enter {}", self.stance_name(&name(0))),
            Read::Leaving => format!("you leave {}", self.stance_name(&name(0))),
            Read::Previous => match args.first() {
                Some(Arg::Type(kind)) => format!("the card before was {}", article(&type_name(*kind, false))),
                _ => "a card was played before".into(),
            },
            Read::DrawnHas => match args.first() {
                Some(Arg::Expr(filter)) => format!("you drew {}", article(&self.cards(filter, false))),
                _ => "you drew it".into(),
            },
            Read::CardIs => match args.first() {
                Some(Arg::Expr(filter)) => format!("it is {}", article(&self.cards(filter, false))),
                _ => "it is that card".into(),
            },
            Read::OwnsRelic => format!("you have {}", self.relic_name(&name(0))),
            Read::Is => format!("it is {}", self.power_name(&name(0))),
            Read::Bloodied => format!("{who} {has} at most half of the HP"),
            Read::Alive => format!("{who} lives"),
            Read::Copy => "it is a copy".into(),
            Read::EliteFight => "the fight is against an elite".into(),
            Read::BossFight => "the fight is against a boss".into(),
            Read::PlayerTurn => "it is your turn".into(),
            _ => format!("{} is not 0", self.read(read, args)),
        }
    }

    fn opposite(&self, inner: &Expr) -> String {
        let said = self.condition(inner);
        for (yes, no) in [
            (" is not ", " is "),
            (" is ", " is not "),
            (" are ", " are not "),
            (" has ", " has no "),
            (" have ", " have no "),
            (" was ", " was not "),
        ] {
            if said.contains(yes) {
                return said.replacen(yes, no, 1);
            }
        }
        format!("not so that {said}")
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

    /// The name of a power.
    pub(super) fn power_name(&self, id: &str) -> String {
        called(&self.content.powers, |power| &power.common, id)
    }

    pub(super) fn relic_name(&self, id: &str) -> String {
        called(&self.content.relics, |relic| &relic.common, id)
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

fn cost_read(expr: &Expr) -> bool {
    matches!(expr, Expr::Read(Read::Cost | Read::CostNow, _))
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

/// `an attack`, `a skill`.
pub(super) fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

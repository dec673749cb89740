//! The language of numbers and conditions: `"x + 1"`, `"block(self)"`, `"stance(wrath)"`,
//! `"count(hand, not attack) == 0"`. Parsed once at load; a truth is 1 or 0.

use super::verb::Ground;
use super::words::{CardType, DamageKind, Drawn, Who, Zone};
use serde::{Deserialize, Serialize};
use turnstone_content::{Place, Problem, hint};

/// What an argument of a [`Read`] may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgKind {
    /// A [`Who`].
    Who,
    /// A [`Zone`].
    Zone,
    /// A condition on the card under test.
    Filter,
    /// The id of a power.
    Power,
    /// The id of an orb.
    Orb,
    /// The id of a stance.
    Stance,
    /// The name of a move of this monster.
    Move,
    /// The name of a variable of this monster or event.
    Var,
    /// The id of a card.
    Card,
    /// The id of a monster.
    Monster,
    /// The id of a relic.
    Relic,
    /// A tag of a card.
    Tag,
    /// A [`CardType`].
    Type,
    /// A [`DamageKind`].
    Kind,
    /// A [`Drawn`].
    Drawn,
    /// A number.
    Number,
    /// A second argument of the filter kind that may be left out.
    FilterOptional,
}

/// An argument, resolved as far as one file allows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arg {
    /// Whom.
    Who(Who),
    /// Where.
    Zone(Zone),
    /// A condition on the card under test, or a number.
    Expr(Expr),
    /// An id or name, and what kind of thing it names.
    Name(String),
    /// A type of card.
    Type(CardType),
    /// A kind of damage.
    Kind(DamageKind),
    /// Something that an event draws.
    Drawn(Drawn),
}

macro_rules! ground {
    (fight) => {
        Ground::Fight
    };
    (both) => {
        Ground::Both
    };
    (way) => {
        Ground::Way
    };
}

macro_rules! declare {
    ($($variant:ident $word:literal [$($arg:ident),*] $ground:ident $about:literal,)*) => {
        /// Something a number or condition may read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum Read { $(#[doc = $about] $variant,)* }

        impl Read {
            /// Every readable thing: itself, how it is written, its arguments, its sentence.
            pub const ALL: &'static [(Read, &'static str, &'static [ArgKind], &'static str)] =
                &[$((Read::$variant, $word, &[$(ArgKind::$arg),*], $about),)*];

            /// How it is written.
            pub fn name(self) -> &'static str {
                Self::ALL[self as usize].1
            }

            /// Where it can be read.
            pub fn ground(self) -> Ground {
                match self {
                    $(Read::$variant => ground!($ground),)*
                }
            }

            /// Whether it is a filter: about the card under test. Those stand last.
            #[inline]
            pub fn is_filter(self) -> bool {
                self as u8 >= Read::IsAttack as u8
            }

            /// The kinds of its arguments.
            pub fn args(self) -> &'static [ArgKind] {
                Self::ALL[self as usize].2
            }
        }
    };
}

/// A pattern of all values, or of all filters, for those who read the others: one that is new must be read somewhere.
macro_rules! pattern {
    ($pattern:ident: $($variant:ident $word:literal [$($arg:ident),*] $ground:ident $about:literal,)*) => {
        macro_rules! $pattern {
            () => {
                $($crate::catalog::expr::Read::$variant)|*
            };
        }
        pub(crate) use $pattern;
    };
}

macro_rules! reads {
    (values { $($value:tt)* } filters { $($filter:tt)* }) => {
        declare! { $($value)* $($filter)* }
        pattern! { any_value: $($value)* }
        pattern! { any_filter: $($filter)* }
    };
}

reads! {
    values {
        // the card or rule at work
        X "x" [] fight "energy spent on an X card, with what relics add",
        N "n" [] fight "stacks of the running power",
        Stored "stored" [] fight "the second number kept with the running power",
        Counter "counter" [] both "counter of the running relic",
        Potency "potency" [] both "number of the running potion",
        Event "event" [] both "number of the event that fired the hook: damage past block, HP lost, block gained, stacks, gold",
        Grown "grown" [] fight "what this card has grown by (verb `grow`)",
        Kept "kept" [] fight "the number kept on this card when it was created",
        Upgrades "upgrades" [] fight "how often this card is upgraded",
        Upgraded "upgraded" [] both "this card is upgraded; in a filter: the card under test",
        Handled "handled" [] fight "cards or orbs handled by the latest step that moved some",
        Dealt "dealt" [] fight "HP really taken by the latest attack step",
        HandledCost "handled_cost" [] fight "cost of the card handled by the latest step",
        CardBlock "card_block" [Number] fight "block a card would give for that number now",
        AttackNumber "attack_number" [Number] fight "damage an attack of that number by the owner would do to the target now, block aside",
        // bodies
        Power "power" [Who, Power] fight "stacks of a power on somebody",
        Has "has" [Who, Power] fight "somebody has a power",
        Block "block" [Who] fight "block of somebody",
        Hp "hp" [Who] both "HP of somebody",
        MaxHp "max_hp" [Who] both "max HP of somebody",
        IsPlayer "is_player" [] fight "the owner is the player",
        Fresh "fresh" [] fight "a monster gave the running power in the round now ending, or its owner just got it on its own turn",
        OwnsRelic "relic" [Relic] both "the player owns a relic",
        VulnerableRate "vulnerable_rate" [] fight "percent that Vulnerable adds here: 50 unless relics change it",
        WeakRate "weak_rate" [] fight "percent that Weak takes here: 25 unless relics change it",
        Bloodied "bloodied" [Who] fight "HP is at most half of max HP",
        Alive "alive" [Who] fight "somebody lives",
        IntendsAttack "intends_attack" [Who] fight "an enemy's intent is an attack",
        Enemies "enemies" [] fight "number of living enemies",
        MissingHp "missing_hp" [] fight "HP missing on all living enemies together",
        // cards and piles
        Count "count" [Zone, FilterOptional] both "number of cards in a zone that pass the filter",
        DrawnHas "drawn" [Filter] fight "the step before drew a card that passes the filter",
        Previous "previous" [Type] fight "the card played before this one was of that type",
        CardIs "card" [Filter] both "the card that fired the hook passes the filter",
        Copy "copy" [] fight "the card that fired the hook is a copy",
        AutoPlayed "auto_played" [] fight "the card at work was played by an effect",
        // counters
        Energy "energy" [] fight "energy now",
        Turn "turn" [] fight "player turns begun in this combat, the first is 1",
        CardsPlayed "cards_played" [] fight "cards played this turn, this one included",
        AttacksPlayed "attacks_played" [] fight "attacks played this turn, this one included",
        SkillsPlayed "skills_played" [] fight "skills played this turn, this one included",
        PowersThisTurn "powers_this_turn" [] fight "power cards played this turn, this one included",
        PowersPlayed "powers_played" [] fight "powers played this combat",
        Discarded "discarded" [] fight "cards discarded by effects this turn",
        TimesHurt "times_hurt" [] fight "how often the player lost HP this combat",
        AttackCount "attack_count" [] fight "attacks played since the counter was last at ten (recorded engine)",
        HurtLastTurn "hurt_last_turn" [] fight "the player had less HP at the end of his last turn than at its start",
        MantraGained "mantra_gained" [] fight "mantra gained this combat",
        Gold "gold" [] both "the player's gold",
        Ascension "ascension" [] both "ascension level",
        Act "act" [] both "number of the act",
        InCombat "in_combat" [] both "a fight is on, its victory included",
        EliteFight "elite_fight" [] fight "this fight is against an elite",
        BossFight "boss_fight" [] fight "this fight is against a boss",
        // orbs and stances
        Orbs "orbs" [] fight "channeled orbs",
        OrbKinds "orb_kinds" [] fight "different kinds among them",
        Slots "slots" [] fight "orb slots",
        Channeled "channeled" [Orb] fight "orbs of a kind channeled this combat",
        OrbIs "orb" [Orb] fight "the orb in question is of that kind",
        Stance "stance" [Stance] fight "the player is in that stance",
        Entering "entering" [Stance] fight "the stance changed to this one",
        Leaving "leaving" [Stance] fight "the stance changed from this one",
        // events
        Is "is" [Power] fight "the power in question is this one",
        Kind "kind" [Kind] fight "the damage in question is of that kind",
        FromPlayer "from_player" [] fight "the player caused the event",
        FromOwner "from_owner" [] fight "the owner caused the event",
        HasSource "has_source" [] fight "the damage was caused by a body other than the owner",
        PlayerTurn "player_turn" [] fight "it is the player's turn",
        Survives "survives" [] fight "the owner is still alive after the event",
        // monsters
        Roll "roll" [] fight "the roll of this choice of move, 0 to 99",
        Last "last" [Move] fight "the move before was this one",
        LastTwo "last_two" [Move] fight "the two moves before were both this one",
        Recent "recent" [Move] fight "one of the two moves before was this one",
        Used "used" [Move] fight "how often the move was made",
        Moves "moves" [] fight "moves made so far",
        Var "var" [Var] both "a variable of this monster or event",
        Seat "seat" [] fight "the monster's place on the board, the first is 0",
        Allies "allies" [] fight "other living enemies",
        Minions "minions" [] fight "living minions",
        CountMonster "count_monster" [Monster] fight "living monsters of a kind",
        // the way
        Floor "floor" [] way "the floor, the first is 1",
        EntryMaxHp "max_hp_on_entry" [] way "event: max HP when it was entered, whatever it changed since; elsewhere max HP",
        Drew "drew" [Drawn] way "event: such a thing was drawn on entry",
        DrawnGold "drawn_gold" [] way "event: the gold drawn on entry",
        FindsLeft "finds_left" [] way "event: finds that are left, of three",
        RollBetween "roll" [Number, Number] way "a number rolled when the step happens, both ends included; it stands alone",
        // tools
        Max "max" [Number, Number] both "the larger",
        Min "min" [Number, Number] both "the smaller",
    }
    // About the card under test: they stand last, `is_filter` counts on it.
    filters {
        IsAttack "attack" [] both "filter: an attack",
        IsSkill "skill" [] both "filter: a skill",
        IsPower "power" [] both "filter: a power card",
        IsStatus "status" [] both "filter: a status card",
        IsCurse "curse" [] both "filter: a curse",
        IsBasic "basic" [] both "filter: of basic rarity",
        IsCommon "common" [] both "filter: common",
        IsUncommon "uncommon" [] both "filter: uncommon",
        IsRare "rare" [] both "filter: rare",
        Upgradable "upgradable" [] both "filter: can be upgraded, statuses and curses apart",
        Ethereal "ethereal" [] fight "filter: ethereal",
        Retained "retained" [] fight "filter: will be retained",
        Unplayable "unplayable" [] fight "filter: has no cost",
        XCost "x_cost" [] fight "filter: costs X",
        Cost "cost" [] fight "filter: cost for this combat (-1 for X, -2 for none)",
        CostNow "cost_now" [] fight "filter: cost now",
        CostThisTurn "cost_this_turn" [] fight "filter: cost this turn, what powers make of it aside",
        FreeOnce "free_once" [] fight "filter: costs nothing until it is played",
        IsSelf "this" [] fight "filter: this very card",
        Removable "removable" [] way "filter: can be taken out of the master deck",
        AttackDamage "attack_damage" [] way "filter: the damage of its attacks, as printed",
        HasTag "tag" [Tag] both "filter: carries a tag (strike, healing, shiv)",
        IsCard "id" [Card] both "filter: is that card",
    }
}

/// An operator between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, rounded down.
    Div,
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Smaller.
    Lt,
    /// Smaller or equal.
    Le,
    /// Larger.
    Gt,
    /// Larger or equal.
    Ge,
    /// Both.
    And,
    /// At least one.
    Or,
}

impl Op {
    /// The value of two operands.
    #[inline]
    pub fn of(self, left: i32, right: i32) -> i32 {
        match self {
            Op::Add => left.saturating_add(right),
            Op::Sub => left.saturating_sub(right),
            Op::Mul => left.saturating_mul(right),
            Op::Div => left.checked_div_euclid(right).unwrap_or(0),
            Op::Eq => i32::from(left == right),
            Op::Ne => i32::from(left != right),
            Op::Lt => i32::from(left < right),
            Op::Le => i32::from(left <= right),
            Op::Gt => i32::from(left > right),
            Op::Ge => i32::from(left >= right),
            Op::And => i32::from(left != 0 && right != 0),
            Op::Or => i32::from(left != 0 || right != 0),
        }
    }
}

/// A number or condition, not yet evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    /// A constant.
    Int(i32),
    /// Something read from the state.
    Read(Read, Vec<Arg>),
    /// Two operands.
    Two(Op, Box<Expr>, Box<Expr>),
    /// Negated truth.
    Not(Box<Expr>),
    /// By upgrade: base, upgraded.
    Upgrade(Box<Expr>, Box<Expr>),
    /// By ascension: the last level reached counts.
    Ascension(Vec<(u8, Expr)>),
}

impl Expr {
    /// The constant, if it is one.
    pub fn constant(&self) -> Option<i32> {
        match self {
            Expr::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// Visits every part of the expression.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Int(_) => {}
            Expr::Read(_, args) => args.iter().for_each(|arg| {
                if let Arg::Expr(inner) = arg {
                    inner.walk(visit);
                }
            }),
            Expr::Two(_, a, b) | Expr::Upgrade(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Expr::Not(a) => a.walk(visit),
            Expr::Ascension(rows) => rows.iter().for_each(|(_, value)| value.walk(visit)),
        }
    }
}

/// Parses an expression that stands as a string at `place`.
///
/// # Errors
/// A problem whose column points into the string.
pub fn parse(text: &str, place: &Place) -> Result<Expr, Problem> {
    let mut parser = Parser { tokens: tokens(text, place)?, at: 0, place, length: text.chars().count() };
    let expr = parser.or()?;
    match parser.peek() {
        None => Ok(expr),
        Some(token) => Err(parser.wrong(&format!("did not expect `{token}` here"))),
    }
}

struct Parser<'a> {
    tokens: Vec<(usize, String)>,
    at: usize,
    place: &'a Place,
    length: usize,
}

/// Splits into names, numbers and signs, each with its column.
fn tokens(text: &str, place: &Place) -> Result<Vec<(usize, String)>, Problem> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        let c = chars[at];
        at += 1;
        if c.is_whitespace() {
            continue;
        }
        if c.is_ascii_alphanumeric() || c == '_' {
            while at < chars.len() && (chars[at].is_ascii_alphanumeric() || chars[at] == '_') {
                at += 1;
            }
        } else if "<>=!".contains(c) && chars.get(at) == Some(&'=') {
            at += 1;
        } else if !"+-*/(),<>".contains(c) {
            let column = place.column + 1 + start as u32;
            let message =
                format!("`{c}` has no meaning in a value; use + - * / ( ) , == != < <= > >= and or not");
            return Err(Problem { place: Place { column, ..place.clone() }, message });
        }
        out.push((start, chars[start..at].iter().collect()));
    }
    Ok(out)
}

impl Parser<'_> {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|(_, token)| token.as_str())
    }

    fn eat(&mut self, token: &str) -> bool {
        let hit = self.peek() == Some(token);
        self.at += usize::from(hit);
        hit
    }

    fn wrong(&self, message: &str) -> Problem {
        let offset = self.tokens.get(self.at).map_or(self.length, |(offset, _)| *offset);
        let column = self.place.column + 1 + offset as u32;
        Problem { place: Place { column, ..self.place.clone() }, message: message.to_string() }
    }

    fn need(&mut self, token: &str) -> Result<(), Problem> {
        if self.eat(token) { Ok(()) } else { Err(self.wrong(&format!("expected `{token}`"))) }
    }

    fn or(&mut self) -> Result<Expr, Problem> {
        let mut left = self.and()?;
        while self.eat("or") {
            left = Expr::Two(Op::Or, Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr, Problem> {
        let mut left = self.comparison()?;
        while self.eat("and") {
            left = Expr::Two(Op::And, Box::new(left), Box::new(self.comparison()?));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Expr, Problem> {
        if self.eat("not") {
            return Ok(Expr::Not(Box::new(self.comparison()?)));
        }
        let left = self.sum()?;
        let op = match self.peek() {
            Some("==") => Op::Eq,
            Some("!=") => Op::Ne,
            Some("<") => Op::Lt,
            Some("<=") => Op::Le,
            Some(">") => Op::Gt,
            Some(">=") => Op::Ge,
            _ => return Ok(left),
        };
        self.at += 1;
        Ok(Expr::Two(op, Box::new(left), Box::new(self.sum()?)))
    }

    fn sum(&mut self) -> Result<Expr, Problem> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                Some("+") => Op::Add,
                Some("-") => Op::Sub,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expr::Two(op, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Expr, Problem> {
        let mut left = self.atom()?;
        loop {
            let op = match self.peek() {
                Some("*") => Op::Mul,
                Some("/") => Op::Div,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expr::Two(op, Box::new(left), Box::new(self.atom()?));
        }
    }

    fn atom(&mut self) -> Result<Expr, Problem> {
        if self.eat("-") {
            let inner = self.atom()?;
            return Ok(match inner {
                Expr::Int(n) => Expr::Int(-n),
                other => Expr::Two(Op::Sub, Box::new(Expr::Int(0)), Box::new(other)),
            });
        }
        if self.eat("(") {
            let inner = self.or()?;
            self.need(")")?;
            return Ok(inner);
        }
        let Some(word) = self.peek().map(str::to_string) else {
            return Err(self.wrong("expected a number or a name"));
        };
        if let Ok(number) = word.parse::<i32>() {
            self.at += 1;
            return Ok(Expr::Int(number));
        }
        self.read(&word)
    }

    fn read(&mut self, word: &str) -> Result<Expr, Problem> {
        let called = self.tokens.get(self.at + 1).is_some_and(|(_, token)| token == "(");
        let fits = |args: &[ArgKind]| args.is_empty() != called;
        let found = Read::ALL.iter().find(|(_, name, args, _)| *name == word && fits(args));
        let Some(&(read, _, kinds, _)) = found else {
            let known = Read::ALL.iter().any(|(_, name, ..)| *name == word);
            let message = if known && called {
                format!("`{word}` takes no arguments")
            } else if known {
                format!("`{word}` needs arguments in parentheses")
            } else {
                format!("unknown value `{word}`{}", hint(word, Read::ALL.iter().map(|(_, name, ..)| *name)))
            };
            return Err(self.wrong(&message));
        };
        self.at += 1;
        Ok(Expr::Read(read, self.arguments(kinds)?))
    }

    fn arguments(&mut self, kinds: &[ArgKind]) -> Result<Vec<Arg>, Problem> {
        let mut out = Vec::new();
        if kinds.is_empty() {
            return Ok(out);
        }
        self.need("(")?;
        for (index, kind) in kinds.iter().enumerate() {
            if *kind == ArgKind::FilterOptional && self.peek() == Some(")") {
                break;
            }
            if index > 0 {
                self.need(",")?;
            }
            out.push(self.argument(*kind)?);
        }
        self.need(")")?;
        Ok(out)
    }

    fn argument(&mut self, kind: ArgKind) -> Result<Arg, Problem> {
        if matches!(kind, ArgKind::Filter | ArgKind::FilterOptional | ArgKind::Number) {
            return Ok(Arg::Expr(self.or()?));
        }
        let Some(word) = self.peek().map(str::to_string) else {
            return Err(self.wrong("expected an argument"));
        };
        let arg = match kind {
            ArgKind::Who => Who::parse(&word).map(Arg::Who).ok_or_else(|| hints(Who::ALL, &word)),
            ArgKind::Zone => Zone::parse(&word).map(Arg::Zone).ok_or_else(|| hints(Zone::ALL, &word)),
            ArgKind::Type => CardType::parse(&word).map(Arg::Type).ok_or_else(|| hints(CardType::ALL, &word)),
            ArgKind::Kind => {
                DamageKind::parse(&word).map(Arg::Kind).ok_or_else(|| hints(DamageKind::ALL, &word))
            }
            ArgKind::Drawn => Drawn::parse(&word).map(Arg::Drawn).ok_or_else(|| hints(Drawn::ALL, &word)),
            _ => Ok(Arg::Name(word.clone())),
        };
        let arg = arg.map_err(|hint| self.wrong(&format!("unknown `{word}`{hint}")))?;
        self.at += 1;
        Ok(arg)
    }
}

fn hints<T>(all: &'static [(T, &'static str, &'static str)], word: &str) -> String {
    hint(word, all.iter().map(|(_, name, _)| *name).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Expr, String> {
        parse(text, &Place { file: "t".into(), line: 1, column: 1 }).map_err(|problem| problem.to_string())
    }

    #[test]
    fn filters_stand_last() {
        for (read, word, _, about) in Read::ALL {
            assert_eq!(read.is_filter(), about.starts_with("filter:"), "{word}");
        }
    }

    #[test]
    fn precedence_is_the_usual_one() {
        let sum = read("1 + 2 * x").unwrap();
        assert!(matches!(sum, Expr::Two(Op::Add, _, _)));
        assert!(matches!(read("not stance(wrath) and x > 0").unwrap(), Expr::Two(Op::And, _, _)));
        assert_eq!(read("-3").unwrap(), Expr::Int(-3));
    }

    #[test]
    fn the_same_word_may_be_a_filter_and_a_value() {
        assert_eq!(read("power").unwrap(), Expr::Read(Read::IsPower, vec![]));
        let value = Expr::Read(Read::Power, vec![Arg::Who(Who::Target), Arg::Name("poison".into())]);
        assert_eq!(read("power(target, poison)").unwrap(), value);
    }

    #[test]
    fn a_wrong_name_points_to_its_column() {
        assert_eq!(read("1 + enrgy").unwrap_err(), "t:1:6: unknown value `enrgy`; did you mean `energy`?");
        assert_eq!(read("count(hnad)").unwrap_err(), "t:1:8: unknown `hnad`; did you mean `hand`?");
    }
}

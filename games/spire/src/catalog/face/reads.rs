//! What is read from the state, in words: every value has its line here, as a noun and as a truth.

use super::Writer;
use super::numbers::{article, type_name, zone_name};
use crate::catalog::expr::{Arg, ArgKind, Expr, Read, any_filter};
use crate::catalog::words::Who;

impl Writer<'_> {
    /// Something read from the state, as a noun.
    pub(super) fn read(&self, read: Read, args: &[Arg]) -> String {
        let (first, second) = (|| self.argument(read, args, 0), || self.argument(read, args, 1));
        match read {
            Read::X => "X".into(),
            Read::N => "N".into(),
            Read::Stored => "the stored number".into(),
            Read::Event | Read::Handled => "as many".into(),
            Read::Dealt => "the HP taken".into(),
            Read::HandledCost => "its cost".into(),
            Read::Kept => "X".into(),
            Read::Potency => "the potency".into(),
            Read::Grown => "what this card has grown by".into(),
            Read::Upgrades => "the upgrades of this card".into(),
            Read::CardBlock => format!("the Block a card of {} gives", first()),
            Read::AttackNumber => format!("the damage an attack of {} would deal to the enemy", first()),
            Read::Block => format!("{} Block", self.whose(args)),
            Read::Hp => format!("{} HP", self.whose(args)),
            Read::MaxHp => format!("{} max HP", self.whose(args)),
            Read::Power => match args.get(1) {
                Some(Arg::Name(id)) => format!("{} {}", self.whose(args), self.power_name(id)),
                _ => self.whose(args),
            },
            Read::VulnerableRate => "what Vulnerable adds in percent".into(),
            Read::WeakRate => "what Weak takes in percent".into(),
            Read::Count => format!("the {}", self.counted_cards(args, true)),
            Read::Enemies => "the number of enemies".into(),
            Read::MissingHp => "the HP that all enemies have lost".into(),
            Read::Orbs => "the number of orbs".into(),
            Read::OrbKinds => "the number of different orbs".into(),
            Read::Slots => "the number of your orb slots".into(),
            Read::Channeled => format!("the {} orbs channeled this combat", first()),
            Read::CardsPlayed => "the cards played this turn".into(),
            Read::AttacksPlayed => "the attacks played this turn".into(),
            Read::SkillsPlayed => "the skills played this turn".into(),
            Read::PowersThisTurn => "the powers played this turn".into(),
            Read::PowersPlayed => "the powers played this combat".into(),
            Read::Discarded => "the cards discarded this turn".into(),
            Read::TimesHurt => "the times you lost HP this combat".into(),
            Read::AttackCount => "the attacks counted".into(),
            Read::MantraGained => "the Mantra gained this combat".into(),
            Read::Energy => "your energy".into(),
            Read::Counter => "the counter".into(),
            Read::Gold => "your gold".into(),
            Read::Turn => "the turn".into(),
            Read::Ascension => "the level of ascension".into(),
            Read::Act => "the number of the act".into(),
            Read::Floor => "the floor".into(),
            Read::EntryMaxHp => "your max HP on entry".into(),
            Read::DrawnGold => "the gold drawn".into(),
            Read::FindsLeft => "the finds that are left".into(),
            Read::RollBetween => format!("{} to {}", first(), second()),
            Read::Roll => "the roll".into(),
            Read::Used => format!("the times it made {}", first()),
            Read::Moves => "the moves it has made".into(),
            Read::Var => format!("what it noted as {}", first()),
            Read::Seat => "its place on the board".into(),
            Read::Allies => "the number of other enemies".into(),
            Read::Minions => "the number of minions".into(),
            Read::CountMonster => format!("the number of living {}s", first()),
            Read::Max => format!("the larger of {} and {}", first(), second()),
            Read::Min => format!("the smaller of {} and {}", first(), second()),
            // Truths count as 1 or 0.
            Read::Upgraded
            | Read::Has
            | Read::IsPlayer
            | Read::Fresh
            | Read::OwnsRelic
            | Read::Bloodied
            | Read::Alive
            | Read::IntendsAttack
            | Read::DrawnHas
            | Read::Previous
            | Read::CardIs
            | Read::Copy
            | Read::AutoPlayed
            | Read::HurtLastTurn
            | Read::InCombat
            | Read::EliteFight
            | Read::BossFight
            | Read::OrbIs
            | Read::Stance
            | Read::Entering
            | Read::Leaving
            | Read::Is
            | Read::Kind
            | Read::FromPlayer
            | Read::FromOwner
            | Read::HasSource
            | Read::PlayerTurn
            | Read::Survives
            | Read::Last
            | Read::LastTwo
            | Read::Recent
            | Read::Drew => format!("1 if {}, otherwise 0", self.state(read, args)),
            any_filter!() => match read {
                Read::Cost | Read::CostNow | Read::CostThisTurn => "the cost of the card".into(),
                Read::AttackDamage => "the damage of the card".into(),
                _ => format!("1 if {}, otherwise 0", self.state(read, args)),
            },
        }
    }

    /// A truth read from the state.
    pub(super) fn state(&self, read: Read, args: &[Arg]) -> String {
        let first = || self.argument(read, args, 0);
        let whom = match args.first() {
            Some(Arg::Who(who)) => *who,
            _ => Who::Each,
        };
        let who = self.who(whom);
        match read {
            Read::Upgraded => "this card is upgraded".into(),
            Read::Has => match args.get(1) {
                Some(Arg::Name(id)) => format!("{} {}", self.has(whom), self.power_name(id)),
                _ => self.has(whom),
            },
            Read::IsPlayer => "the owner is the player".into(),
            Read::Fresh => "it is new".into(),
            Read::IntendsAttack => format!("{who} intends to attack"),
            Read::Stance => format!("you are in {}", first()),
            Read::Entering => format!("you enter {}", first()),
            Read::Leaving => format!("you leave {}", first()),
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
            Read::OwnsRelic => format!("you have {}", first()),
            Read::Is => format!("it is {}", first()),
            Read::OrbIs => format!("it is {} orb", article(&first())),
            Read::Bloodied => format!("{} at most half of the HP", self.has(whom)),
            Read::Alive => format!("{who} {}", if who == "you" { "live" } else { "lives" }),
            Read::Copy => "it is a copy".into(),
            Read::AutoPlayed => "it was played by an effect".into(),
            Read::HurtLastTurn => "you lost HP since your last turn".into(),
            Read::InCombat => "you are in a fight".into(),
            Read::EliteFight => "the fight is against an elite".into(),
            Read::BossFight => "the fight is against a boss".into(),
            Read::PlayerTurn => "it is your turn".into(),
            Read::Kind => format!("it is {}", first()),
            Read::FromPlayer => "it was your doing".into(),
            Read::FromOwner => "it was the owner's doing".into(),
            Read::HasSource => "it was somebody else's doing".into(),
            Read::Survives => "the owner survives".into(),
            Read::Last => format!("its last move was {}", first()),
            Read::LastTwo => format!("its last two moves were {}", first()),
            Read::Recent => format!("one of its last two moves was {}", first()),
            Read::Drew => format!("{} was drawn", article(&first())),
            // Numbers that are to be more than nothing.
            Read::X
            | Read::N
            | Read::Stored
            | Read::Counter
            | Read::Potency
            | Read::Event
            | Read::Grown
            | Read::Kept
            | Read::Upgrades
            | Read::Handled
            | Read::Dealt
            | Read::HandledCost
            | Read::CardBlock
            | Read::AttackNumber
            | Read::Power
            | Read::Block
            | Read::Hp
            | Read::MaxHp
            | Read::VulnerableRate
            | Read::WeakRate
            | Read::Enemies
            | Read::MissingHp
            | Read::Count
            | Read::Energy
            | Read::Turn
            | Read::CardsPlayed
            | Read::AttacksPlayed
            | Read::SkillsPlayed
            | Read::PowersThisTurn
            | Read::PowersPlayed
            | Read::Discarded
            | Read::TimesHurt
            | Read::AttackCount
            | Read::MantraGained
            | Read::Gold
            | Read::Ascension
            | Read::Act
            | Read::Orbs
            | Read::OrbKinds
            | Read::Slots
            | Read::Channeled
            | Read::Roll
            | Read::Used
            | Read::Moves
            | Read::Var
            | Read::Seat
            | Read::Allies
            | Read::Minions
            | Read::CountMonster
            | Read::Floor
            | Read::EntryMaxHp
            | Read::DrawnGold
            | Read::FindsLeft
            | Read::RollBetween
            | Read::Max
            | Read::Min => format!("{} is not 0", self.measure(read, args)),
            any_filter!() => match read {
                Read::Cost | Read::CostNow | Read::CostThisTurn => "the card costs something".into(),
                Read::AttackDamage => "the card deals damage".into(),
                _ => {
                    let filter = Expr::Read(read, args.to_vec());
                    format!("it is {}", article(&self.cards(&filter, false)))
                }
            },
        }
    }

    /// Something read from the state as one number, of which something may be said: `the number of cards in hand`.
    pub(super) fn measure(&self, read: Read, args: &[Arg]) -> String {
        let noun = self.read(read, args);
        match read {
            Read::N => "its amount".into(),
            Read::Event | Read::Handled => "that number".into(),
            Read::Count
            | Read::Channeled
            | Read::CardsPlayed
            | Read::AttacksPlayed
            | Read::SkillsPlayed
            | Read::PowersThisTurn
            | Read::PowersPlayed
            | Read::Discarded
            | Read::TimesHurt
            | Read::AttackCount
            | Read::Upgrades
            | Read::FindsLeft
            | Read::Used
            | Read::Moves => noun.replacen("the ", "the number of ", 1),
            _ => noun,
        }
    }

    /// `you have`, `the enemy has`.
    pub(super) fn has(&self, who: Who) -> String {
        let verb = if self.several(who) { "have" } else { "has" };
        format!("{} {verb}", self.who(who))
    }

    fn argument(&self, read: Read, args: &[Arg], at: usize) -> String {
        match args.get(at) {
            Some(Arg::Expr(expr)) => self.operand(expr),
            Some(Arg::Name(name)) => self.named(read.args().get(at), name),
            Some(Arg::Who(who)) => self.who(*who).into(),
            Some(Arg::Zone(zone)) => zone_name(*zone).into(),
            Some(Arg::Type(kind)) => type_name(*kind, false),
            Some(Arg::Kind(kind)) => kind.name().replace('_', " "),
            Some(Arg::Drawn(drawn)) => drawn.name().replace('_', " "),
            None => String::new(),
        }
    }

    /// What the entry of that id is called.
    fn named(&self, kind: Option<&ArgKind>, name: &str) -> String {
        match kind {
            Some(ArgKind::Power) => self.power_name(name),
            Some(ArgKind::Orb) => self.orb_name(name),
            Some(ArgKind::Stance) => self.stance_name(name),
            Some(ArgKind::Card) => self.card_name(name),
            Some(ArgKind::Relic) => self.relic_name(name),
            Some(ArgKind::Monster) => self.monster_name(name),
            _ => name.replace('_', " "),
        }
    }

    fn whose(&self, args: &[Arg]) -> String {
        match args.first() {
            Some(Arg::Who(who)) => self.possessive(*who),
            _ => "its".into(),
        }
    }

    /// The cards of a zone that are counted, without an article.
    pub(super) fn counted_cards(&self, args: &[Arg], many: bool) -> String {
        let zone = match args.first() {
            Some(Arg::Zone(zone)) => zone_name(*zone),
            _ => "play",
        };
        match args.get(1) {
            Some(Arg::Expr(filter)) => format!("{} in {zone}", self.cards(filter, many)),
            _ => format!("{} in {zone}", if many { "cards" } else { "card" }),
        }
    }
}

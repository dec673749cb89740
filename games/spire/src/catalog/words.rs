//! The closed lists of words that content may use. Each word has one sentence; the author's manual, the
//! schema and the error messages are all derived from these lists.

use super::verb::Ground;
use serde::{Deserialize, Serialize};

/// Declares an enum whose variants have a written name and one sentence each.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $word:literal $about:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum $name { $(#[doc = $about] $variant,)* }

        impl $name {
            /// Every word with its sentence, in the order of the manual.
            pub const ALL: &'static [($name, &'static str, &'static str)] =
                &[$(($name::$variant, $word, $about),)*];

            /// How it is written in content.
            pub fn name(self) -> &'static str {
                Self::ALL[self as usize].1
            }

            /// Reads the written form.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().find(|(_, name, _)| *name == word).map(|(value, ..)| *value)
            }
        }
    };
}

words! {
    /// Type of a card.
    CardType {
        Attack "attack" "deals attack damage",
        Skill "skill" "everything that is neither attack nor power",
        Power "power" "leaves play once its power stands",
        Status "status" "clutter made by enemies",
        Curse "curse" "clutter that stays in the deck",
    }
}

words! {
    /// Rarity of a card, relic or potion; the tiers of relics are among them.
    Rarity {
        Basic "basic" "starter cards",
        Common "common" "common",
        Uncommon "uncommon" "uncommon",
        Rare "rare" "rare",
        Special "special" "only made by other content",
        Starter "starter" "a character's first relic",
        Boss "boss" "offered after a boss",
        Shop "shop" "sold in shops only",
        Event "event" "given by events only",
        Curse "curse" "curses that come at random",
        Modifier "modifier" "a rule of a run of one's own, in force from its start",
    }
}

/// Whose card, relic or potion it is: nobody's, or that of the characters who name the color as theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Color(pub(crate) u8);

impl Color {
    /// Cards of everybody.
    pub(crate) const COLORLESS: Color = Color(0);
    /// Relics and potions of everybody.
    pub(crate) const SHARED: Color = Color(1);
    /// Curses.
    pub(crate) const CURSE: Color = Color(2);
    /// Status cards.
    pub(crate) const STATUS: Color = Color(3);
    /// The colors that no character has, with a sentence each.
    pub(crate) const NOBODYS: [(&'static str, &'static str); 4] = [
        ("colorless", "everybody (cards); for relics and potions write `shared`"),
        ("shared", "everybody"),
        ("curse", "curses"),
        ("status", "status cards"),
    ];
    pub(crate) const KIND: &'static str = "color";

    /// Whether it is a character's.
    pub(crate) fn is_of_a_class(self) -> bool {
        usize::from(self.0) >= Self::NOBODYS.len()
    }
}

words! {
    /// Lists whose order the original's seeds count by.
    ListName {
        Characters "characters" "characters, as they are offered",
        Cards "cards" "cards of rewards, and what a card is transformed into",
        Merchant "merchant" "cards of the merchant",
        Pairs "pairs" "colorless cards, as the game of pairs shuffles them",
        Relics "relics" "relics, before a seed shuffles them",
        Potions "potions" "potions",
        Encounters "encounters" "fights",
        Events "events" "events and shrines",
        FirstShrines "first_shrines" "shrines of the first act",
        Orbs "orbs" "orbs, as a random one is rolled",
        Burnings "burnings" "what a burning elite may gain",
        Neow "neow" "Neow's gifts and drawbacks, each row in its order",
    }
}

words! {
    /// For which pools a relic stands in when they have nothing left.
    StandIn {
        Pools "pools" "all but that of the bosses",
        Boss "boss" "that of the bosses",
    }
}

words! {
    /// What a card or potion asks for before it can be used.
    Aim {
        Enemy "enemy" "one living enemy",
        None "none" "nothing",
    }
}

words! {
    /// Whom a verb or a value means.
    Who {
        Target "target" "the enemy the card or potion was aimed at; for a monster's move the player",
        Me "self" "the owner of the card, power, relic or move",
        Player "player" "the player, whoever owns the rule",
        Enemies "enemies" "every living enemy of the player, in board order (a monster's friends and itself)",
        Random "random" "one living enemy, rolled when the effect happens; every hit rolls again",
        Others "others" "every living enemy except the owner (in a monster's rule) or the target (in a card)",
        Attacker "attacker" "who caused the event that fired the hook",
        Victim "victim" "whom the event that fired the hook happened to",
        Each "each" "inside values of a verb aimed at several: the one at hand",
        Weakest "weakest" "the living enemy with least HP, the first on ties",
        RandomAlly "random_ally" "a random other living enemy (monster moves); oneself when alone",
        Leader "leader" "the first living enemy that is no minion",
    }
}

words! {
    /// A place where cards lie.
    Zone {
        Hand "hand" "the hand",
        Draw "draw" "the draw pile",
        Discard "discard" "the discard pile",
        Exhaust "exhaust" "the exhaust pile",
        Limbo "limbo" "set aside, returns to the hand at the next turn start (Nightmare)",
        Combat "combat" "hand, draw and discard pile together (only to select from)",
        Anywhere "anywhere" "hand, draw, discard and exhaust pile (only to select from)",
        Deck "deck" "the master deck",
        This "self" "this very card (only to select)",
        Chosen "chosen" "the cards handled by the step before (only to select)",
        Drawn "drawn" "the cards drawn by the step before (only to select)",
        Trigger "trigger" "the card that fired the hook (only to select)",
    }
}

words! {
    /// Where `create` and `move` put cards.
    Spot {
        Hand "hand" "the hand; the discard pile when the hand is full",
        Discard "discard" "the discard pile",
        Exhaust "exhaust" "the exhaust pile",
        DrawTop "draw_top" "top of the draw pile",
        DrawBottom "draw_bottom" "bottom of the draw pile",
        DrawRandom "draw_random" "a random position of the draw pile",
        DrawShuffled "draw_shuffled" "into the draw pile, which is then shuffled",
        Limbo "limbo" "set aside until the next turn start",
        Deck "deck" "the master deck",
    }
}

words! {
    /// A pool that random cards come from: never basic, special, healing-tagged, curse or status cards.
    Pool {
        Class "class" "cards of the character",
        AnyClass "any_class" "cards of all characters, rarity rolled first",
        Colorless "colorless" "colorless cards",
        Curse "curse" "curses",
    }
}

words! {
    /// How long a changed cost lasts.
    Until {
        Turn "turn" "until the end of the turn",
        Combat "combat" "for the combat",
        Played "played" "until it is played",
    }
}

words! {
    /// Where a hook's steps go.
    Queue {
        Last "last" "behind everything that waits (the default)",
        First "first" "in front of everything that waits",
        Now "now" "at once, before anything else, as part of the event",
    }
}

words! {
    /// What a move announces.
    Intent {
        Attack "attack" "attacks",
        AttackBuff "attack_buff" "attacks and strengthens itself",
        AttackDebuff "attack_debuff" "attacks and weakens the player",
        AttackDefend "attack_defend" "attacks and blocks",
        Defend "defend" "blocks",
        DefendBuff "defend_buff" "blocks and strengthens itself",
        DefendDebuff "defend_debuff" "blocks and weakens the player",
        Buff "buff" "strengthens itself or its friends",
        Debuff "debuff" "weakens the player",
        StrongDebuff "strong_debuff" "weakens the player badly",
        Magic "magic" "something strange",
        Sleep "sleep" "sleeps",
        Stun "stun" "is stunned",
        Escape "escape" "leaves the fight",
        Unknown "unknown" "unknown",
    }
}

words! {
    /// Rank of a monster or encounter.
    Rank {
        Normal "normal" "an ordinary fight",
        Weak "weak" "one of an act's first fights",
        Strong "strong" "one of an act's later fights",
        Elite "elite" "an elite",
        Boss "boss" "a boss",
        Event "event" "only met through an event",
        Minion "minion" "summoned, dies or flees with its leader",
    }
}

words! {
    /// How a power counts.
    Stack {
        Intensity "intensity" "amounts add up",
        Duration "duration" "amounts add up and mean turns",
        Counter "counter" "amounts add up and are spent",
        Flag "flag" "there or not, always 1",
        Highest "highest" "the larger amount stays",
    }
}

words! {
    /// A kind of damage.
    DamageKind {
        Normal "normal" "attack damage",
        Thorns "thorns" "other damage that block absorbs",
        HpLoss "hp_loss" "loss of HP, past block",
    }
}

words! {
    /// A moment at which a rule may act: keys below `on`.
    Moment {
        // cards, about themselves
        Draw "draw" "card: it was drawn",
        Discard "discard" "card: it was discarded by an effect",
        Exhaust "exhaust" "card: it was exhausted",
        Retain "retain" "card: it was retained at turn end",
        TurnEndInHand "turn_end_in_hand" "card: turn end while in hand, before the hand is discarded; `event` is how many cards the hand held, and whoever hears this lies in the discard pile when its steps run",
        OtherCardPlayed "other_card_played" "card in hand: another card is played, before its steps",
        StanceChange "stance_change" "card in the discard pile: the stance changed",
        Scry "scry" "card in the discard pile: the player scried",
        RemovedFromDeck "removed_from_deck" "card: it left the master deck",
        // combat
        CombatPrep "combat_prep" "deck shuffled, monsters there, before the opening is queued",
        CombatStartPreDraw "combat_start_pre_draw" "opening, in front of the first draw",
        CombatStart "combat_start" "opening; `first` runs before the first draw, `last` behind it",
        TurnStart "turn_start" "the owner's turn starts, before the draw",
        TurnStartPostDraw "turn_start_post_draw" "the player's turn starts, behind the draw (powers: not on turn 1)",
        BeforeDraw "before_draw" "the player's turn starts, directly before the draw",
        EnergyRefilled "energy_refilled" "energy was refilled",
        QueueIdle "queue_idle" "nothing waits on the player's turn",
        PlanCopies "plan_copies" "a card is paid: copies of it are planned (verb `replay`)",
        BeforeCard "before_card" "a card is about to queue its steps; it counts as played",
        CardUsed "card_used" "a card queued its steps, none has run yet",
        AfterOtherCard "after_other_card" "directly behind card_used",
        AfterCard "after_card" "the played card is cleaned up, all its steps have run",
        CardDrawn "card_drawn" "a card was drawn",
        CardDiscarded "card_discarded" "a card was discarded by an effect on the player's turn",
        CardExhausted "card_exhausted" "a card was exhausted",
        CardRetained "card_retained" "a card was retained at turn end",
        CardCreated "card_created" "a card was created in combat",
        Shuffled "shuffled" "the discard pile became the draw pile",
        Scried "scried" "the player scried",
        StanceChanged "stance_changed" "the stance really changed",
        Attacking "attacking" "the owner's attack arrived; `event` is the part that passed block",
        Attacked "attacked" "the owner was hit; `event` is the part that passed block, also 0",
        HpLost "hp_lost" "the owner lost HP; `event` is how much",
        Inflicted "inflicted" "the owner's attack took HP from its target",
        Bloodied "bloodied" "the player's HP fell to half or lower",
        NotBloodied "not_bloodied" "the player's HP rose above half",
        BlockGained "block_gained" "the owner gained block; `event` is how much",
        BlockBroken "block_broken" "damage brought an enemy's block to 0; `victim` is that enemy",
        DebuffGiven "debuff_given" "the player puts a debuff on an enemy without Artifact; `victim`, `is()`, `event`",
        PowerGained "power_gained" "power: its owner got it or more of it; monster: it got a power, `is()`",
        PowerRemoved "power_removed" "power: it went from its owner; monster: it lost a power, `is()`",
        TurnEndRelics "turn_end_relics" "turn end 1",
        TurnEndPreCards "turn_end_pre_cards" "turn end 2, before orbs and hand cards; monsters: after all moved",
        TurnEnd "turn_end" "turn end 5, before the hand is discarded; monsters: after all moved",
        BeforeDiscard "before_discard" "turn end, directly before the hand is discarded",
        MonsterMoved "monster_moved" "the owner (a monster) made its move",
        RoundEnd "round_end" "after the monsters' turn end",
        MonsterDied "monster_died" "an enemy died; `victim` is it",
        OwnerDied "owner_died" "the owner died",
        MonsterSpawned "monster_spawned" "an enemy joined the fight; `victim` is it",
        VictoryFirst "victory_first" "the fight is won, before everything else",
        Victory "victory" "the fight is won",
        PotionUsed "potion_used" "a potion was used",
        OrbEvoked "orb_evoked" "an orb was evoked",
        OrbChanneled "orb_channeled" "an orb was channeled",
        TargetChosen "target_chosen" "the player aimed at an enemy; `victim` is it",
        // run
        Obtained "obtained" "relic: it was obtained",
        Lost "lost" "relic: it was lost",
        RoomEntered "room_entered" "a room was entered",
        RestSiteEntered "rest_site_entered" "a rest site was entered",
        RestDone "rest_done" "the player rested",
        ShopEntered "shop_entered" "a shop was entered",
        GoldSpent "gold_spent" "gold was spent in a shop",
        ChestOpened "chest_opened" "a chest that is no boss chest is opened",
        CardObtaining "card_obtaining" "a card is offered or about to enter the master deck; `trigger` is it",
        CardObtained "card_obtained" "a card entered the master deck",
        GoldGained "gold_gained" "gold was gained; `event` is how much",
        QuestionRoom "question_room" "a ? room is entered",
        QuestionAnswered "question_answered" "a ? room has turned out to be something",
        Flown "flown" "a room was reached without a way to it",
    }
}

impl Moment {
    /// It comes with a card that is played, and whoever hears it looks at the type of that card.
    pub(crate) fn is_of_a_play(self) -> bool {
        self.play_bit() != 0
    }

    /// A bit for each moment of a play, none for others.
    pub(crate) fn play_bit(self) -> u8 {
        match self {
            Moment::BeforeCard => 1,
            Moment::CardUsed => 2,
            Moment::AfterOtherCard => 4,
            Moment::AfterCard => 8,
            _ => 0,
        }
    }

    /// Relics that count it need not act for that: the fact that brings it counts for them.
    pub(crate) fn is_counted(self) -> bool {
        matches!(self, Moment::CardUsed | Moment::TurnStart)
    }
}

words! {
    /// A number of the rules that content may change: keys below `alter`.
    Stage {
        AttackBase "attack_base" "the base number of an attack card",
        AttackDealt "attack_dealt" "the owner attacks (Strength, Weak, Wrath)",
        AttackTaken "attack_taken" "the owner is attacked (Vulnerable, Slow)",
        AttackTakenFinal "attack_taken_final" "the owner is attacked, last (Flight, Intangible)",
        DamageTaken "damage_taken" "any damage arrives at the owner, before block (Intangible)",
        UnblockedDealt "unblocked_dealt" "what passed block, attacker's side (The Boot)",
        UnblockedTaken "unblocked_taken" "what passed block, owner's side (Torii, Buffer, Invincible)",
        HpLoss "hp_loss" "the last change of a loss of HP (Tungsten Rod)",
        CardBlock "card_block" "block from a card (Dexterity, Frail)",
        AnyBlock "any_block" "any gain of block",
        BlockLost "block_lost" "how much block goes at the owner's turn start (Barricade 0, Calipers 15)",
        Heal "heal" "any heal of the player",
        DrawPerTurn "draw_per_turn" "cards drawn at turn start",
        EnergyPerTurn "energy_per_turn" "energy refilled at turn start",
        EnergyKept "energy_kept" "energy kept from the turn before (Ice Cream)",
        CardCost "card_cost" "cost of a card now",
        CardLimit "card_limit" "cards that may be played per turn; from 999 downwards",
        XValue "x_value" "X of an X card",
        OrbValue "orb_value" "passive and evoke numbers of orbs (Focus); `orb(kind)`",
        OrbDamage "orb_damage" "orb damage to the owner (Lock-On)",
        OrbPassives "orb_passives" "times slot 0 fires its passive (Gold-Plated Cables)",
        ScryCount "scry_count" "cards of a scry",
        PowerGiven "power_given" "stacks of a power the player puts on an enemy; `is(power)`",
        Potency "potency" "number of a potion (Sacred Bark)",
        HandRetained "hand_retained" "1: the hand is not discarded at turn end (Runic Pyramid)",
        RateVulnerable "rate_vulnerable" "percent an enemy's Vulnerable adds, base 50",
        RateVulnerableSelf "rate_vulnerable_self" "percent the player's Vulnerable adds, base 50",
        RateWeak "rate_weak" "percent an enemy's Weak takes, base 25",
        RestHeal "rest_heal" "HP healed by resting",
        ShopPrice "shop_price" "any price in a shop, removal included",
        RemovalPrice "removal_price" "price of a removal, last",
        GoldReward "gold_reward" "gold of a won fight",
        PotionChance "potion_chance" "percent chance of a potion reward",
        CardRewardSize "card_reward_size" "cards of a card reward",
        RareChance "rare_chance" "rare cards: factor of their chance",
        PotionSlots "potion_slots" "potion slots",
        OrbSlots "orb_slots" "orb slots at combat start",
        TreasureDue "treasure_due" "above 0 the next ? room is a treasure room",
        CardRewards "card_rewards" "card rewards of an ordinary fight",
        EliteRelics "elite_relics" "relics of an elite",
        ChestRelics "chest_relics" "relics of a chest besides its own",
        MapReach "map_reach" "above 0 any room of the next row may be chosen",
    }
}

words! {
    /// Something that content may stop: keys below `prevent`.
    Prevent {
        Debuff "debuff" "a debuff on the owner (Artifact); `is(power)`",
        Power "power" "any power on the owner; `is(power)`",
        Draw "draw" "the player's draws",
        StanceChange "stance_change" "a change of stance",
        Play "play" "playing a card; `card(…)`",
        Death "death" "the owner's death; the steps of `do` run instead",
        ExhaustOnPlay "exhaust_on_play" "a played card's exhaustion (it is discarded instead)",
        Gold "gold" "gaining gold",
        Potion "potion" "gaining a potion",
        CardObtained "card_obtained" "a card entering the deck; `card(…)`",
        Rest "rest" "resting at a rest site",
        Smith "smith" "smithing at a rest site",
        Intents "intents" "the player sees no intents",
        HiddenOrder "hidden_order" "hiding the draw order: with it the order is seen (Frozen Eye)",
        QuestionFight "question_fight" "a ? room becoming a fight",
        ChestRelic "chest_relic" "a chest holds its relic",
    }
}

words! {
    /// Something that an event may draw when it is entered.
    Drawn {
        Attack "attack" "an attack of the deck",
        Skill "skill" "a skill of the deck",
        Power "power" "a power of the deck",
        Nothing "nothing" "none of these three",
        Potion "potion" "a potion",
        Gold "gold" "an amount of gold, which the player has",
        Card "card" "a card of the deck",
        UpgradeOne "upgrade_one" "the first of two services: one card chosen is upgraded",
        UpgradeTwo "upgrade_two" "or two random cards are",
        CleanRemoves "clean_removes" "the second: a card is removed",
        CleanTransforms "clean_transforms" "or two are transformed",
        FirstRelic "first_relic" "the first relic of `draw_relics`",
        SecondRelic "second_relic" "the second one",
    }
}

words! {
    /// What a line of the score counts.
    Counted {
        Floors "floors" "floors climbed",
        Fights "fights" "ordinary fights won",
        ElitesOfAct1 "elites_of_act_1" "elites beaten in the first act",
        ElitesOfAct2 "elites_of_act_2" "elites beaten in the second act",
        ElitesOfAct3 "elites_of_act_3" "elites beaten in the third act and above",
        ElitesUnharmed "elites_unharmed" "elites beaten without a wound from them",
        Bosses "bosses" "bosses beaten",
        BossesUnharmed "bosses_unharmed" "bosses beaten without a wound from them",
        Heart "heart" "1 if the heart was beaten",
        HardestBlow "hardest_blow" "the damage of the hardest attack",
        CardsInATurn "cards_in_a_turn" "the most cards played in one turn",
        SetsOfFour "sets_of_four" "cards of the deck, basic ones aside, of which there are four or more",
        Deck "deck" "cards of the deck",
        NoTwins "no_twins" "1 if no card is in the deck twice, basic ones aside",
        NoRares "no_rares" "1 if no rare card is in the deck",
        Curses "curses" "curses of the deck",
        MaxHpGained "max_hp_gained" "max HP above those at the start",
        Relics "relics" "relics",
        UnknownRooms "unknown_rooms" "unknown rooms entered",
        GoldGained "gold_gained" "gold gained, spent or not",
        Relic "relic" "1 with the relic that `relic` names",
        Ascension "ascension" "the level of ascension",
    }
}

words! {
    /// Where an event may be met.
    EventPool {
        Act1 "act1" "in the first act",
        Act2 "act2" "in the second act",
        Act3 "act3" "in the third act",
        Shrine "shrine" "in every act, once in each",
        Once "once" "in any act, once in a run",
        Nowhere "nowhere" "only on maps that name it",
    }
}

words! {
    /// Where a gift of Neow's is offered, or what it costs.
    GiftRow {
        First "first" "a gift of the first row",
        Second "second" "a gift of the second row",
        Third "third" "a gift of the third row, which comes with one of the drawbacks",
        Last "last" "a gift of the last row",
        Drawback "drawback" "what the gift of the third row costs",
        Nowhere "nowhere" "a drawback of those gifts alone that name it as their `cost`",
    }
}

impl GiftRow {
    /// Whether it is a cost, and no gift.
    pub(crate) fn is_cost(self) -> bool {
        match self {
            GiftRow::First | GiftRow::Second | GiftRow::Third | GiftRow::Last => false,
            GiftRow::Drawback | GiftRow::Nowhere => true,
        }
    }
}

words! {
    /// How the original's dice pick cards.
    Throw {
        Even "even" "one draw over those that qualify; nothing is drawn where all must go",
        Always "always" "one draw for each, also where there is nothing to decide",
        Retry "retry" "one draw over all cards of the zone, again until it hits one that qualifies",
        Searched "searched" "those that qualify are laid out at random places, then shuffled for each card taken",
        Shuffled "shuffled" "those that qualify are shuffled once",
        PutBack "put_back" "where nothing is asked, one draw for each card all the same",
    }
}

impl Moment {
    /// Where it comes: what is said of a moment of the way must be possible there.
    pub fn ground(self) -> Ground {
        if self >= Moment::Obtained || self == Moment::RemovedFromDeck { Ground::Way } else { Ground::Fight }
    }
}

impl Stage {
    /// Where its number is made. What both grounds know may be read from fights; on the way nobody fights.
    pub fn ground(self) -> Ground {
        match self {
            Stage::RestHeal
            | Stage::ShopPrice
            | Stage::RemovalPrice
            | Stage::GoldReward
            | Stage::PotionChance
            | Stage::CardRewardSize
            | Stage::RareChance
            | Stage::PotionSlots
            | Stage::TreasureDue
            | Stage::CardRewards
            | Stage::EliteRelics
            | Stage::ChestRelics
            | Stage::MapReach => Ground::Way,
            Stage::AttackBase
            | Stage::AttackDealt
            | Stage::AttackTaken
            | Stage::AttackTakenFinal
            | Stage::DamageTaken
            | Stage::UnblockedDealt
            | Stage::UnblockedTaken
            | Stage::HpLoss
            | Stage::CardBlock
            | Stage::AnyBlock
            | Stage::BlockLost
            | Stage::Heal
            | Stage::DrawPerTurn
            | Stage::EnergyPerTurn
            | Stage::EnergyKept
            | Stage::CardCost
            | Stage::CardLimit
            | Stage::XValue
            | Stage::OrbValue
            | Stage::OrbDamage
            | Stage::OrbPassives
            | Stage::ScryCount
            | Stage::PowerGiven
            | Stage::Potency
            | Stage::HandRetained
            | Stage::RateVulnerable
            | Stage::RateVulnerableSelf
            | Stage::RateWeak
            | Stage::OrbSlots => Ground::Fight,
        }
    }
}

impl Prevent {
    /// Where it may happen: a relic or potion that stops it must be able to do so there.
    pub fn ground(self) -> Ground {
        match self {
            Prevent::CardObtained
            | Prevent::Rest
            | Prevent::Smith
            | Prevent::QuestionFight
            | Prevent::ChestRelic => Ground::Way,
            Prevent::Death | Prevent::Gold | Prevent::Potion => Ground::Both,
            Prevent::Debuff
            | Prevent::Power
            | Prevent::Draw
            | Prevent::StanceChange
            | Prevent::Play
            | Prevent::ExhaustOnPlay
            | Prevent::Intents
            | Prevent::HiddenOrder => Ground::Fight,
        }
    }
}

impl Prevent {
    /// What may be said of it besides that it is prevented. What is only ever looked at cannot do or spend anything,
    /// and chance has its say only where dice fall anyway.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Prevent::Debuff
            | Prevent::Power
            | Prevent::Draw
            | Prevent::StanceChange
            | Prevent::Death
            | Prevent::Gold
            | Prevent::Potion
            | Prevent::CardObtained => &["when", "spend", "do"],
            Prevent::ExhaustOnPlay => &["when", "chance"],
            Prevent::Play | Prevent::Rest | Prevent::Smith | Prevent::QuestionFight | Prevent::ChestRelic => {
                &["when"]
            }
            Prevent::Intents | Prevent::HiddenOrder => &[],
        }
    }
}

words! {
    /// A yes-or-no property of a power or relic that a rule asks for.
    Flag {
        SkillsExhaust "skills_exhaust" "played skills exhaust (Corruption)",
        PlayCurses "play_curses" "curses may be played for 0 and exhaust (Blue Candle)",
        PlayStatuses "play_statuses" "status cards may be played and exhaust (Medical Kit)",
        LightningHitsAll "lightning_hits_all" "Lightning hits every enemy",
        UpgradeCreated "upgrade_created" "cards created in combat are upgraded (Master Reality)",
        NextToDrawTop "next_to_draw_top" "the next card played goes on top of the draw pile (Rebound)",
        Minion "minion" "does not count for fatal effects, goes with its leader",
        AnyRewardColor "any_reward_color" "card rewards of all colors (Prismatic Shard)",
        RestockShop "restock_shop" "bought things are replaced",
        RandomCosts "random_costs" "drawn cards get a random cost of 0 to 3 (Confused)",
        BehindPlayer "behind_player" "stands behind the player and hits for half as much again",
    }
}

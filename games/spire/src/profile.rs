//! In what the rules of the recorded engine differ from the original's: one named switch for each difference.

macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The switches. All off are the original's rules.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Profile { $($(#[$doc])* pub $name: bool,)* }

        impl Profile {
            /// The original's.
            pub(crate) const CLASSIC: Profile = Profile { $($name: false,)* };
            /// The recorded engine's.
            pub(crate) const RECORDED: Profile = Profile { $($name: true,)* };
        }
    };
}

switches! {
    /// Powers of a body stand in the order of their numbers, not by priority and arrival.
    powers_by_number,
    /// Every phase of the round is drained before the next begins, and the first waits for an empty queue.
    phases_drained,
    /// Cards that act in the hand at the end of a turn are discarded with the others, not at once.
    acting_cards_stay,
    /// Energy is filled up when the costs of the turn end, and nothing changes it when a turn starts.
    energy_with_the_cards,
    /// Which cards were played last is forgotten when a turn starts.
    last_card_forgotten,
    /// All changes of an attack stand in one list by priority, not in the order of the stages.
    changes_in_one_list,
    /// A number is rounded down after every factor, not once at the end.
    rounded_each_time,
    /// A move that is chosen anew does not count the one that stood as made.
    standing_move_unmade,
    /// Monsters choose their next moves together in a phase of the round, not each behind its own.
    moves_chosen_together,
    /// A defeat is looked for only when everything has settled.
    defeat_when_idle,
    /// What waits on the agenda is still done when the last enemy has fallen.
    agenda_outlives_victory,
    /// Cards that are looked for in the draw pile are shown as they lie, not by their names.
    piles_shown_as_they_lie,
    /// A choice of more cards than there are is skipped.
    scarce_choices_skipped,
    /// Cards that effects play choose for themselves.
    auto_cards_answer,
    /// A new price of a copy leaves the card that it copies alone.
    copies_priced_alone,
    /// The discard pile put into the draw pile is moved card by card, and is no shuffle.
    whole_pile_is_no_shuffle,
    /// Random cards come from the recorded lists, weighed by rarity.
    recorded_pools,
    /// What an effect cannot play is discarded, even if it would have been exhausted.
    unplayable_discarded,
    /// A copy runs whatever became of its target.
    copies_never_fail,
    /// Nothing is shuffled to play the top card of an empty pile.
    top_without_shuffle,
    /// Effects play whatever has steps, allowed or not.
    effects_play_anything,
    /// Cards that effects play aim at the first enemy, not at a random one.
    auto_aims_at_first,
    /// X is 0 for a card that an effect plays and exhausts.
    exhausted_x_is_zero,
    /// A card counts as played when it runs, behind what its play set off.
    counted_when_run,
    /// Being free once is spent by any play, not only by one that was not paid.
    free_once_spent_at_once,
    /// Who waits for the end of a card is queued with its steps, not called when it is put away.
    card_end_queued,
    /// The stage `damage_taken` does not see attacks.
    attacks_pass_damage_taken,
    /// Of several who act first the first to hear acts first, not the last.
    firsts_in_order,
    /// The steps of leaving and entering a stance come before anybody hears of it.
    stance_steps_first,
    /// The draw of the first turn is heard by all, not by relics only.
    first_draw_heard_by_all,
    /// Conditions are read when a card is played, unless they ask what its steps did.
    conditions_read_early,
    /// Attacks and block are worked out when they arrive, not when the card is used.
    numbers_worked_out_late,
    /// Cards played off the top are taken one by one, not all at first.
    top_taken_one_by_one,
    /// A recorded card may carry another number than its kind; the difference counts as growth.
    recorded_numbers,
    /// Confusion rolls a cost for cards of cost X too.
    x_confused,
    /// Cables repeat no passives that a step fires.
    cables_ignore_steps,
    /// Cables repeat the newest orb, not the oldest.
    cables_repeat_newest,
    /// A target may be missing, needless or fallen.
    targets_unchecked,
    /// A finished fight is left by an action of its own.
    finished_fights_are_left,
    /// Nobody hears of a victory.
    victory_unheard,
    /// Cards count how often they were kept.
    kept_cards_counted,
    /// Cards set aside that find no room in the hand are gone, not discarded.
    crowded_cards_lost,
    /// The dead keep their block.
    dead_keep_block,
    /// Losing an orb slot takes the oldest orb too.
    lost_slots_take_the_oldest,
    /// A used potion leaves no empty slot behind.
    potions_close_up,
    /// A card grows in the recorded way: it and its kind, copies apart.
    recorded_growth,
    /// Cards are told in one list, by their places in the first draw pile.
    cards_in_one_list,
    /// Cards are still chosen when the last enemy has fallen.
    choices_outlive_victory,
    /// Draws that come late in the original come at once.
    late_draws_at_once,
    /// Who may not draw shuffles all the same.
    barred_draws_shuffle,
    /// Fights roll dice of their own, not the original's streams.
    own_dice,
    /// An upgrade moves a changed cost by as much as the printed one.
    upgrades_shift_costs,
}

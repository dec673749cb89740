//! The rules of the run, as effects and facts like all others.

use super::fight::muster;
use super::fits::{fight, set_up};
use super::{Member, NodeKind, Offer, Phase, Run, RunAction, RunEffect, RunEvent, RunSetup, Stand, map};
use crate::ability::Stack;
use crate::action::{Action, Question};
use crate::catalog::MapEventId;
use crate::color::Color;
use crate::effect::Effect;
use crate::error::BadInput;
use crate::event::Event;
use crate::game::{Chess, Out};
use crate::reason::Reason;
use crate::state::{Saved, State};
use turnstone::dice::Draw as _;
use turnstone::{Notes, Rejection, Settled};

impl Chess {
    pub(crate) fn start_run(&self, setup: &RunSetup, seed: u64) -> Result<State, BadInput> {
        if !(1..=3).contains(&setup.acts) || setup.difficulty > 10 {
            return Err(BadInput::new(
                "run.setup",
                "",
                "A run has 1 to 3 acts and a difficulty from 0 to 10.",
            ));
        }
        let mut run = Run {
            seed: setup.daily.unwrap_or(seed),
            rolled: 0,
            setup: *setup,
            phase: Phase::Map,
            act: 1,
            map: Vec::new(),
            here: None,
            retry: false,
            drawn: false,
            round: 1,
            money: 0,
            roster: Vec::new(),
            relics: Vec::new(),
            offers: Vec::new(),
        };
        let mut dice = run.dice();
        let numbers = &self.catalog.run.numbers;
        run.roster = muster(&self.catalog, numbers.army, &mut dice);
        run.map = map::draw(&numbers.map, &mut dice);
        run.rolled = dice.counter();
        let mut saved = Saved::empty(6, 6);
        saved.run = Some(Box::new(run));
        State::try_from(saved)
    }

    pub(crate) fn open_run(&self, _: &State, action: RunAction, out: &mut Out) {
        let effect = match action {
            RunAction::Travel(node) => RunEffect::Travel(node),
            RunAction::Take(offer) => RunEffect::Take(offer, None),
            RunAction::Give { offer, member } => RunEffect::Take(offer, Some(member)),
            RunAction::Sell(member) => RunEffect::Sell(member),
            RunAction::Accept => RunEffect::Accept,
            RunAction::Leave => RunEffect::Leave,
        };
        out.last(Effect::Run(effect));
    }

    pub(crate) fn check_run(&self, state: &State, action: RunAction) -> Result<(), Rejection> {
        let mut legal = Vec::new();
        self.legal_run(state, &mut legal);
        if legal.contains(&Action::Run(action)) {
            return Ok(());
        }
        Err(Rejection::new("NOT_NOW", "this step of the run is not possible now; look at what is offered"))
    }

    pub(crate) fn legal_run(&self, state: &State, out: &mut Vec<Action>) {
        let Some(run) = &state.run else { return };
        let mut push = |action| out.push(Action::Run(action));
        match run.phase {
            Phase::Map => run.reachable().into_iter().for_each(|node| push(RunAction::Travel(node))),
            Phase::Reward | Phase::Shop => {
                for (i, offer) in run.offers.iter().enumerate() {
                    self.offer_actions(run, i as u8, offer, &mut push);
                }
                if run.phase == Phase::Shop {
                    let sellable = |(_, member): &(usize, &Member)| !self.catalog.piece(member.kind).royal;
                    run.roster
                        .iter()
                        .enumerate()
                        .filter(sellable)
                        .for_each(|(i, _)| push(RunAction::Sell(i as u8)));
                }
                push(RunAction::Leave);
            }
            Phase::Event(event) => {
                if run.may_accept(&self.catalog, event) {
                    push(RunAction::Accept);
                }
                push(RunAction::Leave);
            }
            Phase::Fight | Phase::Won | Phase::Lost => {}
        }
    }

    fn offer_actions(&self, run: &Run, index: u8, offer: &Offer, push: &mut impl FnMut(RunAction)) {
        if run.price(&self.catalog, offer) > run.money {
            return;
        }
        match offer {
            Offer::Piece(_) if run.roster.len() >= run.roster_limit(&self.catalog) => {}
            Offer::Ability(_) => {
                for (i, member) in run.roster.iter().enumerate() {
                    if member.layers.len() < crate::MAX_LAYERS {
                        push(RunAction::Give { offer: index, member: i as u8 });
                    }
                }
            }
            _ => push(RunAction::Take(index)),
        }
    }

    pub(crate) fn settle_run(
        &self,
        state: &State,
        effect: RunEffect,
        notes: &mut Notes<Reason>,
    ) -> Settled<Event, Question> {
        match state.run.as_deref().and_then(|run| self.run_event(run, effect, notes)) {
            Some(event) => Settled::Event(Event::Run(Box::new(event))),
            None => Settled::Stale,
        }
    }

    /// The fact, with all that chance decides.
    fn run_event(&self, run: &Run, effect: RunEffect, notes: &mut Notes<Reason>) -> Option<RunEvent> {
        let (catalog, mut dice) = (&*self.catalog, run.dice());
        Some(match effect {
            RunEffect::Travel(node) => RunEvent::Travelled(node),
            RunEffect::Fight => {
                let Saved { width: side, pieces, tiles, .. } = run.board(catalog, &mut dice);
                let stand = |piece: &crate::Piece| Stand {
                    kind: piece.kind,
                    owner: piece.owner,
                    at: piece.at,
                    layers: piece.layers,
                };
                let pieces = pieces.iter().map(stand).collect();
                RunEvent::FightBegan { side, pieces, tiles, rolled: dice.counter() }
            }
            RunEffect::Shop => {
                let offers = run.shop_offers(catalog, &mut dice);
                RunEvent::ShopOpened { offers, rolled: dice.counter() }
            }
            RunEffect::Event => {
                let event = MapEventId(dice.index(catalog.run.events.len())? as u8);
                RunEvent::EventMet { event, rolled: dice.counter() }
            }
            RunEffect::Take(offer, member) => {
                let what = *run.offers.get(usize::from(offer))?;
                RunEvent::Taken { offer, member, paid: run.price_noted(catalog, &what, notes), what }
            }
            RunEffect::Sell(member) => {
                let sold = run.roster.get(usize::from(member))?;
                RunEvent::Sold { member, kind: sold.kind, price: self.sale(sold, notes) }
            }
            RunEffect::Accept => {
                let Phase::Event(event) = run.phase else { return None };
                RunEvent::Accepted { event }
            }
            RunEffect::Do { event, deed } => run.done(catalog, (event, deed), notes)?,
            RunEffect::Leave => RunEvent::Left,
            RunEffect::NextAct => {
                let map = map::draw(&catalog.run.numbers.map, &mut dice);
                RunEvent::ActBegan { act: run.act.saturating_add(1), map, rolled: dice.counter() }
            }
            RunEffect::Win => {
                let offers = run.rewards(catalog, run.fight(catalog).relic, &mut dice);
                RunEvent::FightWon { money: self.prize(run, notes), offers, rolled: dice.counter() }
            }
            RunEffect::Stall => RunEvent::Stalled,
            RunEffect::Lose => RunEvent::RunLost,
            RunEffect::Survive(relic) => RunEvent::Survived { relic },
            RunEffect::Finish => RunEvent::RunWon,
            // Stands for one of the others.
            RunEffect::FightOver => return None,
        })
    }

    /// What a shop pays for a member.
    fn sale(&self, member: &Member, notes: &mut Notes<Reason>) -> i32 {
        let layers: i32 = member.layers.iter().map(|layer| self.catalog.ability(layer.ability).value).sum();
        let worth = self.catalog.piece(member.kind).value.saturating_add(layers);
        let price = worth.saturating_mul(self.catalog.run.numbers.sale_percent) / 100;
        notes.made(Reason::Worth, worth);
        notes.changed(Reason::Sale, worth, price);
        price
    }

    /// The coins for a fight won.
    fn prize(&self, run: &Run, notes: &mut Notes<Reason>) -> i32 {
        let base = self.catalog.run.numbers.prize.saturating_add(i32::from(run.round));
        notes.made(Reason::Prize { round: run.round }, base);
        run.altered(&self.catalog, base, |alter| alter.prize, notes)
    }

    /// What the end of a fight means for the run.
    pub(crate) fn expand_fight_over(&self, state: &State) -> RunEffect {
        let run = state.run.as_deref();
        let drawn = run.is_some_and(|run| run.drawn);
        let boss = |run: &Run| run.node().is_some_and(|node| node.kind == NodeKind::Boss);
        match state.end.and_then(|end| end.winner) {
            None if !drawn => RunEffect::Stall,
            None | Some(Color::Black) => RunEffect::Lose,
            Some(Color::White) if run.is_some_and(|run| boss(run) && run.act >= run.setup.acts) => {
                RunEffect::Finish
            }
            Some(Color::White) => RunEffect::Win,
        }
    }

    pub(crate) fn apply_run(&self, state: &mut State, event: &RunEvent) {
        if let RunEvent::FightBegan { side, pieces, tiles, rolled } = event {
            return begin_fight(state, set_up(*side, pieces, tiles), *rolled);
        }
        let Some(run) = state.run.as_deref_mut() else { return };
        match *event {
            RunEvent::Travelled(node) => {
                run.drawn &= run.here == Some(node);
                run.here = Some(node);
                run.retry = false;
            }
            RunEvent::ShopOpened { ref offers, rolled } => {
                run.phase = Phase::Shop;
                run.offers.clone_from(offers);
                run.rolled = rolled;
            }
            RunEvent::EventMet { event, rolled } => {
                run.phase = Phase::Event(event);
                run.rolled = rolled;
            }
            RunEvent::Taken { offer, member, paid, what } => self.apply_taken(run, offer, member, paid, what),
            RunEvent::Sold { member, price, .. } => {
                if usize::from(member) < run.roster.len() {
                    run.roster.remove(usize::from(member));
                }
                run.money = run.money.saturating_add(price);
            }
            RunEvent::Accepted { .. } | RunEvent::Left => close(run),
            RunEvent::Paid { .. }
            | RunEvent::Earned { .. }
            | RunEvent::Tossed { .. }
            | RunEvent::Blessed { .. }
            | RunEvent::Joined { .. }
            | RunEvent::Became { .. } => run.write_deed(&self.catalog, event),
            RunEvent::ActBegan { act, ref map, rolled } => {
                run.map.clone_from(map);
                (run.act, run.here, run.rolled) = (act, None, rolled);
            }
            RunEvent::FightWon { .. }
            | RunEvent::Survived { .. }
            | RunEvent::Stalled
            | RunEvent::RunWon
            | RunEvent::RunLost => write_outcome(run, event),
            RunEvent::FightBegan { .. } => {}
        }
    }

    fn apply_taken(&self, run: &mut Run, offer: u8, member: Option<u8>, paid: i32, what: Offer) {
        if usize::from(offer) < run.offers.len() {
            run.offers.remove(usize::from(offer));
        }
        run.money = run.money.saturating_sub(paid);
        match what {
            Offer::Piece(kind) => run.roster.push(Member { kind, layers: Stack::default() }),
            Offer::Relic(relic) => run.relics.push(relic),
            Offer::Money(money) => run.money = run.money.saturating_add(money),
            Offer::Ability(ability) => {
                if let Some(member) = member.and_then(|member| run.roster.get_mut(usize::from(member))) {
                    member.layers.push_outermost(self.catalog.layer(ability));
                }
            }
        }
        if run.phase == Phase::Reward {
            close(run);
        }
    }

    /// Arriving opens what waits at the node; leaving a fallen boss opens the next act.
    pub(crate) fn follow_run(&self, state: &State, event: &RunEvent, out: &mut Out) {
        let Some(run) = state.run.as_deref() else { return };
        match *event {
            RunEvent::Travelled(_) => {
                let effect = match run.node().map(|node| node.kind) {
                    Some(NodeKind::Shop) => RunEffect::Shop,
                    Some(NodeKind::Event) => RunEffect::Event,
                    _ => RunEffect::Fight,
                };
                out.last(Effect::Run(effect));
            }
            RunEvent::Left | RunEvent::Taken { .. } => {
                let boss = run.node().is_some_and(|node| node.kind == NodeKind::Boss);
                if boss && run.phase == Phase::Map {
                    out.last(Effect::Run(RunEffect::NextAct));
                }
            }
            RunEvent::Accepted { event } => self.follow_accepted(event, out),
            RunEvent::FightBegan { .. }
            | RunEvent::ShopOpened { .. }
            | RunEvent::EventMet { .. }
            | RunEvent::Sold { .. }
            | RunEvent::Paid { .. }
            | RunEvent::Earned { .. }
            | RunEvent::Tossed { .. }
            | RunEvent::Blessed { .. }
            | RunEvent::Joined { .. }
            | RunEvent::Became { .. }
            | RunEvent::FightWon { .. }
            | RunEvent::Survived { .. }
            | RunEvent::Stalled
            | RunEvent::ActBegan { .. }
            | RunEvent::RunWon
            | RunEvent::RunLost => {}
        }
    }

    /// When a fight has ended, the run goes on.
    pub(crate) fn idle_run(&self, state: &State, out: &mut Out) {
        if state.end.is_some() && state.run.as_deref().is_some_and(Run::is_fighting) {
            out.last(Effect::Run(RunEffect::FightOver));
        }
    }
}

/// Back to the map.
fn close(run: &mut Run) {
    run.offers.clear();
    run.phase = Phase::Map;
}

/// How a fight ended.
fn write_outcome(run: &mut Run, event: &RunEvent) {
    match *event {
        RunEvent::FightWon { money, ref offers, rolled } => {
            run.offers.clone_from(offers);
            run.money = run.money.saturating_add(money);
            run.round = run.round.saturating_add(1);
            run.drawn = false;
            run.phase = Phase::Reward;
            run.rolled = rolled;
        }
        RunEvent::Survived { relic } => {
            run.relics.retain(|other| *other != relic);
            run.drawn = false;
            run.phase = Phase::Map;
            run.retry = true;
        }
        RunEvent::Stalled => {
            run.phase = Phase::Map;
            run.retry = true;
            run.drawn = true;
        }
        RunEvent::RunWon => run.phase = Phase::Won,
        RunEvent::RunLost => run.phase = Phase::Lost,
        _ => {}
    }
}

fn begin_fight(state: &mut State, board: Saved, rolled: u64) {
    let Some(mut run) = state.run.clone() else { return };
    run.phase = Phase::Fight;
    run.rolled = rolled;
    run.offers.clear();
    // Facts of our own hold sound boards, and those from outside are looked at before.
    if let Some(fight) = fight(run, board) {
        *state = fight;
    }
}

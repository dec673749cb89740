//! The rules of the run, as effects and facts like all others.

use super::fight::muster;
use super::offer::{any_ability, any_piece};
use super::words::EVENTS;
use super::{Member, NodeKind, Offer, Phase, Relic, Run, RunAction, RunEffect, RunEvent, RunSetup, map};
use crate::ability::Stack;
use crate::action::{Action, Question};
use crate::color::Color;
use crate::effect::{Effect, Event};
use crate::error::BadInput;
use crate::game::{Chess, Out};
use crate::piece::Kind;
use crate::state::{Saved, State};
use turnstone::dice::Draw;
use turnstone::{Rejection, Settled};

/// Stands for no member.
const NOBODY: u8 = u8::MAX;

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
        run.roster = muster(&self.catalog, 10, &mut dice);
        run.map = map::draw(&mut dice);
        run.rolled = dice.counter();
        let mut saved = Saved::empty(6, 6);
        saved.run = Some(Box::new(run));
        State::try_from(saved)
    }

    pub(crate) fn open_run(&self, _: &State, action: RunAction, out: &mut Out) {
        let effect = match action {
            RunAction::Travel(node) => RunEffect::Travel(node),
            RunAction::Take(offer) => RunEffect::Take(offer, NOBODY),
            RunAction::Give { offer, member } => RunEffect::Take(offer, member),
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
                if self.may_accept(run, event) {
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
            Offer::Piece(_) if run.roster.len() >= run.roster_limit() => {}
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

    fn may_accept(&self, run: &Run, event: u8) -> bool {
        let pawn = |member: &Member| member.kind == Kind::PAWN;
        match event {
            0 => run.roster.iter().any(|member| member.layers.len() < crate::MAX_LAYERS),
            1 => run.money >= 3 && run.roster.len() < run.roster_limit(),
            3 => run.roster.iter().any(pawn),
            4 => run.roster.last().is_some_and(|last| !pawn(last) && !self.catalog.piece(last.kind).royal),
            _ => true,
        }
    }

    pub(crate) fn settle_run(&self, state: &State, effect: RunEffect) -> Settled<Event, Question> {
        match state.run.as_deref().and_then(|run| self.run_event(state, run, effect)) {
            Some(event) => Settled::Event(Event::Run(event)),
            None => Settled::Stale,
        }
    }

    /// The fact; what rolls dice only notes how far they were rolled.
    fn run_event(&self, state: &State, run: &Run, effect: RunEffect) -> Option<RunEvent> {
        let mut dice = run.dice();
        Some(match effect {
            RunEffect::Travel(node) => RunEvent::Travelled(node),
            RunEffect::Fight => {
                run.board(&self.catalog, &mut dice);
                RunEvent::FightBegan { rolled: dice.counter() }
            }
            RunEffect::Shop => {
                run.shop_offers(&self.catalog, &mut dice);
                RunEvent::ShopOpened { rolled: dice.counter() }
            }
            RunEffect::Event => {
                let event = dice.below(EVENTS.len() as u64) as u8;
                RunEvent::EventMet { event, rolled: dice.counter() }
            }
            RunEffect::Take(offer, member) => {
                let what = *run.offers.get(usize::from(offer))?;
                RunEvent::Taken { offer, member, paid: run.price(&self.catalog, &what), what }
            }
            RunEffect::Sell(member) => {
                let sold = run.roster.get(usize::from(member))?;
                RunEvent::Sold { member, kind: sold.kind, price: self.worth(sold) / 2 }
            }
            RunEffect::Accept => {
                let Phase::Event(event) = run.phase else { return None };
                let mut after = run.clone();
                let (member, won) = self.accept(&mut after, event, &mut dice);
                RunEvent::Accepted { event, member, won, money: after.money, rolled: dice.counter() }
            }
            RunEffect::Leave => RunEvent::Left,
            RunEffect::NextAct => {
                map::draw(&mut dice);
                RunEvent::ActBegan { rolled: dice.counter() }
            }
            RunEffect::FightOver => return self.fight_over(state, run),
        })
    }

    fn worth(&self, member: &Member) -> i32 {
        let layers: i32 = member.layers.iter().map(|layer| self.catalog.ability(layer.ability).value).sum();
        self.catalog.piece(member.kind).value + layers
    }

    fn fight_over(&self, state: &State, run: &Run) -> Option<RunEvent> {
        let end = state.end?;
        if end.winner.is_none() && !run.drawn {
            return Some(RunEvent::Stalled);
        }
        if end.winner != Some(Color::White) {
            return Some(if run.has(Relic::Phoenix) { RunEvent::Survived } else { RunEvent::RunLost });
        }
        let boss = run.node().is_some_and(|node| node.kind == NodeKind::Boss);
        if boss && run.act >= run.setup.acts {
            return Some(RunEvent::RunWon);
        }
        let mut dice = run.dice();
        self.reward(run, &mut dice);
        let chest = if run.has(Relic::WarChest) { 2 } else { 0 };
        Some(RunEvent::FightWon { money: 2 + i32::from(run.round) + chest, rolled: dice.counter() })
    }

    fn reward(&self, run: &Run, dice: &mut impl Draw) -> Vec<Offer> {
        let hard = run.node().is_some_and(|node| matches!(node.kind, NodeKind::Elite | NodeKind::Boss));
        run.rewards(&self.catalog, hard, dice)
    }

    /// What comes of accepting a map event; gives the member it changes, if there is one, and whether a
    /// toss was won.
    fn accept(&self, run: &mut Run, event: u8, dice: &mut impl Draw) -> (u8, bool) {
        let mut won = false;
        let changed = match event {
            0 => {
                let ability = any_ability(&self.catalog, dice);
                let index = dice.index(run.roster.len());
                if let Some(index) = index {
                    run.roster[index].layers.push_outermost(self.catalog.layer(ability));
                }
                index
            }
            1 => {
                run.money = run.money.saturating_sub(3);
                run.roster.push(Member { kind: any_piece(&self.catalog, dice), layers: Stack::default() });
                run.roster.len().checked_sub(1)
            }
            2 => {
                won = dice.chance(1, 2);
                run.money = if won { run.money.saturating_mul(2).min(9_999) } else { 0 };
                None
            }
            3 => {
                let pawn = run.roster.iter().position(|member| member.kind == Kind::PAWN);
                if let Some(pawn) = pawn {
                    run.roster[pawn].kind = Kind::KNIGHT;
                }
                pawn
            }
            _ => {
                run.money = run.money.saturating_add(4);
                if let Some(last) = run.roster.last_mut() {
                    last.kind = Kind::PAWN;
                }
                run.roster.len().checked_sub(1)
            }
        };
        (changed.map_or(NOBODY, |index| index as u8), won)
    }

    pub(crate) fn apply_run(&self, state: &mut State, event: RunEvent) {
        if let RunEvent::FightBegan { rolled } = event {
            return self.apply_fight(state, rolled);
        }
        let Some(run) = state.run.as_deref_mut() else { return };
        let mut dice = run.dice();
        match event {
            RunEvent::Travelled(node) => {
                run.drawn &= run.here == Some(node);
                run.here = Some(node);
                run.retry = false;
            }
            RunEvent::ShopOpened { .. } => {
                run.phase = Phase::Shop;
                run.offers = run.shop_offers(&self.catalog, &mut dice);
            }
            RunEvent::EventMet { event, .. } => run.phase = Phase::Event(event),
            RunEvent::Taken { offer, member, paid, .. } => self.apply_taken(run, offer, member, paid),
            RunEvent::Sold { member, price, .. } => {
                if usize::from(member) < run.roster.len() {
                    run.roster.remove(usize::from(member));
                }
                run.money = run.money.saturating_add(price);
            }
            RunEvent::Accepted { event, .. } => {
                self.accept(run, event, &mut dice);
                run.phase = Phase::Map;
            }
            RunEvent::Left => close(run),
            RunEvent::FightWon { money, .. } => {
                run.offers = self.reward(run, &mut dice);
                run.money = run.money.saturating_add(money);
                run.round = run.round.saturating_add(1);
                run.drawn = false;
                run.phase = Phase::Reward;
            }
            RunEvent::Survived => {
                run.relics.retain(|relic| *relic != Relic::Phoenix);
                run.drawn = false;
                run.phase = Phase::Map;
                run.retry = true;
            }
            RunEvent::Stalled => {
                run.phase = Phase::Map;
                run.retry = true;
                run.drawn = true;
            }
            RunEvent::ActBegan { .. } => {
                run.act = run.act.saturating_add(1);
                run.map = map::draw(&mut dice);
                run.here = None;
            }
            RunEvent::RunWon => run.phase = Phase::Won,
            RunEvent::RunLost => run.phase = Phase::Lost,
            RunEvent::FightBegan { .. } => {}
        }
        if let Some(rolled) = rolled_by(event) {
            run.rolled = rolled;
        }
    }

    fn apply_fight(&self, state: &mut State, rolled: u64) {
        let Some(mut run) = state.run.take() else { return };
        let mut saved = run.board(&self.catalog, &mut run.dice());
        run.phase = Phase::Fight;
        run.rolled = rolled;
        run.offers.clear();
        saved.run = Some(run);
        // The board is our own and always sound; if it were not, the fight would simply not begin.
        match State::try_from(saved.clone()) {
            Ok(fight) => *state = fight,
            Err(_) => state.run = saved.run,
        }
    }

    fn apply_taken(&self, run: &mut Run, offer: u8, member: u8, paid: i32) {
        if usize::from(offer) >= run.offers.len() {
            return;
        }
        let taken = run.offers.remove(usize::from(offer));
        run.money = run.money.saturating_sub(paid);
        match taken {
            Offer::Piece(kind) => run.roster.push(Member { kind, layers: Stack::default() }),
            Offer::Relic(relic) => run.relics.push(relic),
            Offer::Money(money) => run.money = run.money.saturating_add(money),
            Offer::Ability(ability) => {
                if let Some(member) = run.roster.get_mut(usize::from(member)) {
                    member.layers.push_outermost(self.catalog.layer(ability));
                }
            }
        }
        if run.phase == Phase::Reward {
            close(run);
        }
    }

    /// Arriving opens what waits at the node; leaving a fallen boss opens the next act.
    pub(crate) fn follow_run(&self, state: &State, event: RunEvent, out: &mut Out) {
        let Some(run) = state.run.as_deref() else { return };
        match event {
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
            _ => {}
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

fn rolled_by(event: RunEvent) -> Option<u64> {
    match event {
        RunEvent::FightBegan { rolled }
        | RunEvent::ShopOpened { rolled }
        | RunEvent::EventMet { rolled, .. }
        | RunEvent::Accepted { rolled, .. }
        | RunEvent::FightWon { rolled, .. }
        | RunEvent::ActBegan { rolled } => Some(rolled),
        _ => None,
    }
}

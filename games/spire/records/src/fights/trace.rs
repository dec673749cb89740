//! Golden combat traces: load the state, act, compare after every step.

use super::Reader;
use super::compare::Uids;
use serde_json::Value;
use turnstone::{Input, Off, Position, Resolver};
use turnstone_spire::Spire;
use turnstone_spire::action::Action;
use turnstone_spire::question::{Answer, Question};
use turnstone_spire::state::State;
use turnstone_spire::{Asked, Deed, Reply};

/// Where a trace diverges, and how.
pub type Divergence = (String, String);

impl Reader<'_> {
    /// Runs one trace.
    ///
    /// # Errors
    /// The first divergence.
    pub fn run_trace(&self, trace: &Value) -> Result<(), Divergence> {
        let at = |step: usize| format!("step {}", step + 1);
        let state = self.load_golden(&trace["initial"]).map_err(|text| ("initial".to_string(), text))?;
        let mut uids = Uids::new(&trace["initial"]);
        self.compare_golden(&state, &trace["initial"], &uids)
            .map_err(|text| ("initial".to_string(), text))?;
        let mut state = state;
        self.clamp_powers(&mut state);
        for (index, step) in trace["steps"].as_array().into_iter().flatten().enumerate() {
            state = self.run_step(state, step, &mut uids).map_err(|text| (at(index), text))?;
            uids.update(&state);
            self.compare_golden(&state, &step["expect"], &uids).map_err(|text| (at(index), text))?;
        }
        Ok(())
    }

    /// States may be recorded with more of a power than there can be; the first event puts that right.
    fn clamp_powers(&self, s: &mut State) {
        for power in s.combat.bodies.iter_mut().flat_map(|body| &mut body.powers) {
            let info = &self.catalog.powers[power.id as usize];
            power.n = power.n.clamp(info.least, info.most);
        }
    }

    fn run_step(&self, mut state: State, step: &Value, uids: &mut Uids) -> Result<State, String> {
        let action = &step["action"];
        let accepted = action["accepted"] != false;
        feed(&mut state, step);
        let input = self.golden_action(action, uids)?;
        let mut position = Position::<Spire>::new(state);
        let mut resolver = Resolver::default();
        match (resolver.act(self.0, &mut position, &Input::Act(Deed::Fight(input)), &mut Off), accepted) {
            (Ok(()), true) | (Err(_), false) => {}
            (Ok(()), false) => return Err("accepted, but was refused there".into()),
            (Err(refusal), true) => return Err(format!("refused: {refusal}")),
        }
        let choices: Vec<Value> = action["choices"].as_array().cloned().unwrap_or_default();
        let mut choices = choices.into_iter();
        while let Some(pending) = position.pending().cloned() {
            uids.update(position.state());
            let picks = loop {
                let Some(next) = choices.next() else { return Err("asked more often than there".into()) };
                let picks: Vec<u32> = next
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|uid| uid.as_u64().map(|uid| uid as u32))
                    .collect();
                let needed = matches!(pending.question, Asked::Fight(Question::Cards { min, .. }) if min > 0);
                if !(picks.is_empty() && needed) {
                    break picks;
                }
            };
            self.answer(&mut resolver, &mut position, &picks, uids)?;
        }
        Ok(position.state().clone())
    }

    fn answer(
        &self,
        resolver: &mut Resolver<Spire>,
        position: &mut Position<Spire>,
        picks: &[u32],
        uids: &Uids,
    ) -> Result<(), String> {
        let Some(pending) = position.pending().cloned() else { return Ok(()) };
        let mut choose = |answer: Answer, position: &mut Position<Spire>| {
            resolver
                .act(self, position, &Input::Choose(Reply::Fight(answer)), &mut Off)
                .map_err(|refusal| format!("answer: {refusal}"))
        };
        match pending.question {
            Asked::Fight(Question::Cards { max, .. }) => {
                for &uid in picks {
                    let slot = uids.slot(uid).ok_or_else(|| format!("no card {uid}"))?;
                    choose(Answer::Pick(slot), position)?;
                }
                if picks.len() < max as usize {
                    choose(Answer::Done, position)?;
                }
                Ok(())
            }
            Asked::Fight(Question::Offer { .. }) => {
                // Offered cards take the next numbers in the order offered.
                let first = uids.next_uid();
                let index = picks.first().map_or(0, |&uid| uid.saturating_sub(first));
                choose(Answer::Option(index as u8), position)
            }
            Asked::Fight(Question::Option { .. }) => choose(Answer::Option(0), position),
            Asked::Run(_) => Err("a fight asks nothing of the run".into()),
        }
    }

    fn golden_action(&self, action: &Value, uids: &Uids) -> Result<Action, String> {
        let enemy = || {
            let uid = action["target"].as_str()?;
            uid.strip_prefix('e')?.parse::<u8>().ok()
        };
        match action["type"].as_str() {
            Some("play") => {
                let uid = action["card"].as_u64().unwrap_or(0) as u32;
                let card = uids.slot(uid).ok_or_else(|| format!("no card {uid}"))?;
                Ok(Action::Play { card, target: enemy() })
            }
            Some("potion") => {
                let index = action["index"].as_u64().unwrap_or(1).saturating_sub(1) as u8;
                Ok(Action::Potion { index, target: enemy() })
            }
            Some("end_turn") => Ok(Action::EndTurn),
            Some("finish_combat") => Ok(Action::Leave),
            other => Err(format!("unknown action {other:?}")),
        }
    }
}

/// Puts the recorded draws of a step where the dice will look for them.
fn feed(state: &mut State, step: &Value) {
    let rolls = state.combat.rolls as usize;
    state.combat.tape.resize(rolls, 0);
    for draw in step["rng"].as_array().into_iter().flatten() {
        let value = if draw["kind"] == "unit" {
            (draw["v"].as_f64().unwrap_or(0.0) * 4_294_967_296.0) as u64
        } else {
            (draw["v"].as_i64().unwrap_or(0) - draw["lo"].as_i64().unwrap_or(0)).max(0) as u64
        };
        state.combat.tape.push(value);
    }
}

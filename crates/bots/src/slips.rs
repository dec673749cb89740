//! A player who slips now and then: he does anything at all in place of what he would do. So people of every strength
//! find somebody to play with.

use turnstone::dice::{Draw, Lots};
use turnstone_host::{Bot, Hosted, Sight, Weighed, Why};

/// A bot that slips.
pub struct Slips<G: Hosted> {
    bot: Box<dyn Bot<G>>,
    /// Who plays when it slips; without one, anything that is offered is as likely.
    careless: Option<Box<dyn Bot<G>>>,
    percent: u64,
}

/// Reads a name such as `slips=25:greedy`: how often in a hundred, and who.
pub fn read_slips(text: &str) -> Option<(u64, &str)> {
    let (percent, name) = text.strip_prefix("slips=")?.split_once(':')?;
    let percent = percent.parse().ok().filter(|percent| (1..=100).contains(percent))?;
    Some((percent, name))
}

impl<G: Hosted> Slips<G> {
    /// That bot, slipping so often in a hundred choices.
    pub fn new(bot: Box<dyn Bot<G>>, careless: Option<Box<dyn Bot<G>>>, percent: u64) -> Self {
        Slips { bot, careless, percent }
    }

    /// The choice of a slip, if this is one.
    fn slip(&mut self, sight: &Sight<'_, G>, lots: &mut Lots) -> Option<usize> {
        if lots.below(100) >= self.percent {
            return None;
        }
        match &mut self.careless {
            Some(careless) => {
                careless.recall(None);
                Some(careless.choose(sight, lots))
            }
            None => lots.index(sight.inputs().len()),
        }
    }
}

impl<G: Hosted> Bot<G> for Slips<G> {
    fn choose(&mut self, sight: &Sight<'_, G>, lots: &mut Lots) -> usize {
        match self.slip(sight, lots) {
            Some(slip) => slip,
            None => self.bot.choose(sight, lots),
        }
    }

    fn why(&mut self, sight: &Sight<'_, G>, lots: &mut Lots) -> Option<Why> {
        match self.slip(sight, lots) {
            Some(best) => Some(Why {
                best,
                options: vec![Weighed::default(); sight.inputs().len()],
                line: vec!["a slip".to_owned()],
            }),
            None => self.bot.why(sight, lots),
        }
    }

    fn stretch(&self, sight: &Sight<'_, G>) -> Option<u64> {
        self.bot.stretch(sight)
    }

    fn mind(&self) -> Option<String> {
        self.bot.mind()
    }

    fn recall(&mut self, mind: Option<&str>) {
        self.bot.recall(mind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_how_often_and_who() {
        assert_eq!(read_slips("slips=25:ismcts:400,trees=2"), Some((25, "ismcts:400,trees=2")));
        for wrong in ["slips=0:x", "slips=101:x", "slips=:x", "slips=5", "slips", "x", ""] {
            assert_eq!(read_slips(wrong), None, "{wrong}");
        }
    }
}

//! Who hears of an effect or event, in running order.

/// The listeners that want to hear of one effect or event. The kernel sorts them by priority, lower
/// first, and keeps the order of listing among equals.
///
/// ```
/// # use turnstone::Listeners;
/// let mut ears = Listeners::default();
/// ears.push(5, 'b');
/// ears.push(0, 'a');
/// ears.push(5, 'c');
/// ears.sort();
/// assert_eq!(ears.iter().collect::<String>(), "abc");
/// ```
#[derive(Clone, Debug)]
pub struct Listeners<L> {
    list: Vec<(i32, L)>,
}

impl<L> Default for Listeners<L> {
    fn default() -> Self {
        Listeners { list: Vec::new() }
    }
}

impl<L: Copy> Listeners<L> {
    /// One more listener.
    #[inline]
    pub fn push(&mut self, priority: i32, listener: L) {
        self.list.push((priority, listener));
    }

    /// Nobody listens.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many listen.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Into running order. A stable insertion sort: there are seldom more than three.
    pub fn sort(&mut self) {
        for i in 1..self.list.len() {
            let mut j = i;
            while j > 0 && self.list[j - 1].0 > self.list[j].0 {
                self.list.swap(j - 1, j);
                j -= 1;
            }
        }
    }

    /// The listeners in order.
    pub fn iter(&self) -> impl Iterator<Item = L> + '_ {
        self.list.iter().map(|&(_, listener)| listener)
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<L> {
        self.list.get(index).map(|&(_, listener)| listener)
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_listen_as_were_listed() {
        let mut ears = Listeners::default();
        assert_eq!((ears.len(), ears.is_empty()), (0, true));
        ["b", "a", "c"].into_iter().zip([1, 0, 1]).for_each(|(name, priority)| ears.push(priority, name));
        ears.sort();
        assert_eq!((ears.len(), ears.is_empty()), (3, false));
        assert_eq!(ears.iter().collect::<String>(), "abc");
        assert_eq!((ears.get(2), ears.get(3)), (Some("c"), None));
    }
}

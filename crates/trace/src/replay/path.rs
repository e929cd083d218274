//! A chain of steps as sums by spot. Chains fork with every task and lock, so copies share their sums until one grows.

use std::rc::Rc;

/// The steps of a chain: the number of a spot, and nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Path(Option<Rc<Vec<(u32, u64)>>>);

impl Path {
    /// The chain goes on at a spot.
    pub fn add(&mut self, spot: u32, ns: u64) {
        if ns == 0 {
            return;
        }
        let steps = Rc::make_mut(self.0.get_or_insert_default());
        match steps.iter_mut().find(|(known, _)| *known == spot) {
            Some((_, sum)) => *sum = sum.saturating_add(ns),
            None => steps.push((spot, ns)),
        }
    }

    /// Takes from a spot what a change of the run saves there, as far as the chain has it.
    pub fn take(&mut self, spot: u32, ns: u64) {
        if let Some(steps) = &mut self.0
            && let Some((_, sum)) = Rc::make_mut(steps).iter_mut().find(|(known, _)| *known == spot)
        {
            *sum = sum.saturating_sub(ns);
        }
    }

    /// The chain goes on as another one does.
    pub fn append(&mut self, other: &Path) {
        for &(spot, ns) in other.steps() {
            self.add(spot, ns);
        }
    }

    /// The sums, in no order.
    pub fn steps(&self) -> &[(u32, u64)] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

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

    /// The chain is shorter by so much, at a spot if the chain has so much of it, else also at its longest steps: the
    /// work of an inner region belongs to the construct around it, and has steps of its own.
    pub fn take(&mut self, spot: u32, ns: u64) {
        let Some(steps) = &mut self.0 else { return };
        let steps = Rc::make_mut(steps);
        let mut left = ns;
        let at = steps.iter().position(|(known, _)| *known == spot);
        let longest = |steps: &[(u32, u64)]| steps.iter().enumerate().max_by_key(|(_, step)| step.1).map(|step| step.0);
        let mut next = at.or_else(|| longest(steps));
        while let Some(index) = next.filter(|index| left > 0 && (steps[*index].1 > 0 || Some(*index) == at)) {
            let part = left.min(steps[index].1);
            steps[index].1 -= part;
            left -= part;
            next = longest(steps).filter(|index| steps[*index].1 > 0);
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

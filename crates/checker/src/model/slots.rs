//! What the tasks of a region come to one after the other, each at its own pace: barriers and worksharing regions, by
//! number. One that all have passed is forgotten.

use std::collections::VecDeque;

/// Beyond so many that are open at once, which takes a loop of `nowait` constructs, new ones are not followed.
const MOST: usize = 4096;

/// Numbered things, of which the oldest are gone.
pub struct Slots<T> {
    first: u64,
    open: VecDeque<T>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots { first: 0, open: VecDeque::new() }
    }
}

impl<T: Default> Slots<T> {
    /// The object of number `number`, created if the number is new; `None` if the object is gone or the number too far
    /// ahead.
    pub fn at(&mut self, number: u64) -> Option<&mut T> {
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        if index >= MOST {
            return None;
        }
        if index >= self.open.len() {
            self.open.resize_with(index + 1, T::default);
        }
        self.open.get_mut(index)
    }

    /// Forgets the oldest ones for which `done` holds.
    pub fn retire(&mut self, done: impl Fn(&T) -> bool) {
        while self.open.front().is_some_and(&done) {
            self.open.pop_front();
            self.first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_have_passed_is_gone() {
        let mut slots: Slots<u32> = Slots::default();
        *slots.at(1).unwrap() = 7;
        *slots.at(0).unwrap() = 7;
        slots.retire(|value| *value == 7);
        assert!(slots.at(1).is_none());
        assert_eq!(slots.at(2), Some(&mut 0));
        assert!(slots.at(2 + MOST as u64).is_none());
    }
}

//! Lists of thread numbers that a program gives in a `num_threads` clause: what is left of one is nthreads-var of the
//! region's tasks, in place of the environment's list. Kept for ever, each list once, so that a task's ICVs can name
//! one by a number.

use crate::shown;
use ompd_layout::Field;

use crate::layout::{Shown, place};
use crate::park::mutex::Mutex;

/// No list: the environment's counts.
pub const ENVIRONMENT: u16 = 0;
/// The list of which nothing is left: the last number stays.
pub const EMPTY: u16 = 1;

/// A list. Debuggers read it: none of this changes.
#[repr(C)]
#[derive(Debug)]
pub struct List {
    /// The list that was made before this one.
    before: Option<&'static List>,
    numbers: *const i32,
    count: u32,
    /// Its own number.
    number: u32,
}

// SAFETY: the numbers stay for ever and are only read.
unsafe impl Sync for List {}
// SAFETY: as above.
unsafe impl Send for List {}

impl List {
    /// Where each field lies.
    pub const SHOWN: Shown = &[
        (Field::ClauseListNext, place!(List, before)),
        (Field::ClauseListNumbers, place!(List, numbers)),
        (Field::ClauseListCount, place!(List, count)),
        (Field::ClauseListNumber, place!(List, number)),
    ];

    fn numbers(&self) -> &'static [i32] {
        // SAFETY: they were leaked as a slice of that length.
        unsafe { std::slice::from_raw_parts(self.numbers, self.count as usize) }
    }
}

/// The lists with the numbers from 2 on.
static LISTS: Mutex<Vec<&'static List>> = Mutex::new(Vec::new());

/// The number of a list. A program with more different lists than there are numbers loses the later ones.
#[cold]
pub fn number_of(list: &[i32]) -> u16 {
    if list.is_empty() {
        return EMPTY;
    }
    LISTS.with(|lists| {
        let index = lists.iter().position(|known| known.numbers() == list).unwrap_or_else(|| {
            let numbers: &'static [i32] = Vec::leak(list.to_vec());
            let (count, number) = (numbers.len() as u32, lists.len() as u32 + 2);
            let new =
                Box::leak(Box::new(List { before: lists.last().copied(), numbers: numbers.as_ptr(), count, number }));
            shown::show_clause_list(new);
            lists.push(new);
            lists.len() - 1
        });
        u16::try_from(index + 2).unwrap_or(EMPTY)
    })
}

/// The first element of the list with that number, and the number of what is left; `None` where there is nothing.
#[cold]
pub fn take_first(number: u16) -> Option<(i32, u16)> {
    let index = usize::from(number.checked_sub(2)?);
    let list = LISTS.with(|lists| lists.get(index).copied())?;
    let (&first, left) = list.numbers().split_first()?;
    Some((first, number_of(left)))
}

/// In a forked child: whoever held the lock does not exist.
pub fn after_fork() {
    LISTS.force_open();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_used_up_element_by_element() {
        let number = number_of(&[4, 3]);
        assert_eq!(number, number_of(&[4, 3]));
        let (first, left) = take_first(number).unwrap();
        assert_eq!(first, 4);
        assert_eq!(take_first(left), Some((3, EMPTY)));
        assert_eq!(take_first(EMPTY), None);
        assert_eq!(take_first(ENVIRONMENT), None);
    }
}

//! Lists of thread numbers in `num_threads` clauses. The rest of such a list is nthreads-var of the region's tasks, in
//! place of the environment's list. Each list is kept once and for ever, so that a task's ICVs can name the list by a
//! number.

use crate::model::atomic::Ordering;
use crate::shown::PROCESS;
use ompd_layout::Field;

use crate::layout::{Shown, place};
use crate::park::mutex::Mutex;

/// No list: the environment's list holds.
pub const ENVIRONMENT: u16 = 0;
/// The empty list: the last number holds for all further levels.
pub const EMPTY: u16 = 1;

/// A list. The fields never change, as debuggers read them at any time.
#[repr(C)]
#[derive(Debug)]
pub struct List {
    /// The list that was made before this one.
    before: Option<&'static List>,
    numbers: *const i32,
    count: u32,
    /// The list's own number.
    number: u32,
}

// SAFETY: the numbers are never freed nor written.
unsafe impl Sync for List {}

impl List {
    /// Where each field lies.
    pub const SHOWN: Shown = &[
        (Field::ClauseListNext, place!(List, before)),
        (Field::ClauseListNumbers, place!(List, numbers)),
        (Field::ClauseListCount, place!(List, count)),
        (Field::ClauseListNumber, place!(List, number)),
    ];

    fn numbers(&self) -> &'static [i32] {
        // SAFETY: `number_of` leaked the numbers as a slice of this length.
        unsafe { std::slice::from_raw_parts(self.numbers, self.count as usize) }
    }
}

/// The lists with the numbers from 2 on.
static LISTS: Mutex<Vec<&'static List>> = Mutex::new(Vec::new());

/// The number of a list. Lists beyond the largest number count as empty.
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
            PROCESS.clause_lists.store(std::ptr::from_ref::<List>(new).cast_mut().cast(), Ordering::Release);
            lists.push(new);
            lists.len() - 1
        });
        u16::try_from(index + 2).unwrap_or(EMPTY)
    })
}

/// The first element of the list with this number, and the number of the rest; `None` for an empty list.
#[cold]
pub fn take_first(number: u16) -> Option<(i32, u16)> {
    let index = usize::from(number.checked_sub(2)?);
    let list = LISTS.with(|lists| lists.get(index).copied())?;
    let (&first, left) = list.numbers().split_first()?;
    Some((first, number_of(left)))
}

/// In a forked child, the thread that held the lock may not exist.
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

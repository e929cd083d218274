//! The data words of several tools. An object has one word for tools. The word holds the number of an array, in which
//! each tool has a word of its own. `README.md` has the protocol.

use super::callbacks::MOST;
use super::freelist::FreeList;
use crate::model::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use ::ompt::Data;
use std::cell::UnsafeCell;

/// The object's word before the first use of a tool's word.
const NONE: u64 = 0;
/// The object's word after the last event that may name the object.
const ENDED: u64 = 1;
/// The object's word is an array's number plus this.
const FIRST: u64 = 2;

/// One word a tool.
#[repr(C, align(64))]
struct Words([UnsafeCell<Data>; MOST]);

// SAFETY: the runtime writes a word only while no object uses it. At other times each word belongs to one tool, which
// synchronises its own threads.
unsafe impl Sync for Words {}

/// Arrays in one slab: a quarter of a MiB.
const LENGTH: u32 = 1 << 12;
/// The most slabs. The number of live objects is therefore bounded by 16 million.
const SLABS: usize = 1 << 12;

/// Arrays, and the links of the free ones. A slab is mapped at its first use and stays mapped: a thread that comes late
/// with an old number must find memory.
struct Slab {
    links: [AtomicU32; LENGTH as usize],
    arrays: [Words; LENGTH as usize],
}

static STORE: [AtomicPtr<Slab>; SLABS] = [const { AtomicPtr::new(std::ptr::null_mut()) }; SLABS];
/// Arrays that have been made.
static MADE: AtomicU32 = AtomicU32::new(0);
/// Arrays that no object uses.
static FREE: FreeList = FreeList::new();
/// The words of all objects that have ended, and of objects for which there is no memory.
static DEAD: Words = Words([const { UnsafeCell::new(Data::NONE) }; MOST]);

/// The word of tool `tool` for the object whose own word is at `object`; null for null. Async-signal-safe.
///
/// # Safety
/// `object` is null, or the data word of an object of the runtime's, whether or not the object has ended.
pub unsafe fn of(object: *mut Data, tool: usize) -> *mut Data {
    if object.is_null() {
        return object;
    }
    // SAFETY: the caller's. With several tools, only this file and the object's reset access the word.
    let word = unsafe { AtomicU64::from_ptr(object.cast()) };
    // Acquire: the array is seen as `install` has emptied it.
    let array = match word.load(Ordering::Acquire) {
        NONE => install(word),
        found => array(found),
    };
    array.unwrap_or(&DEAD).0[tool].get()
}

/// What tool `tool` has written to its word of the object, 0 if it has not. Async-signal-safe.
///
/// # Safety
/// As for [`of`].
pub unsafe fn value(object: *mut Data, tool: usize) -> u64 {
    // SAFETY: the caller's, as in `of`.
    let word = unsafe { AtomicU64::from_ptr(object.cast()) };
    // SAFETY: one word, which the tool alone writes.
    array(word.load(Ordering::Acquire)).map_or(0, |words| unsafe { (*words.0[tool].get()).value() })
}

/// No further event names the object. Its array can serve another object.
///
/// # Safety
/// As for [`of`].
pub unsafe fn end(object: *mut Data) {
    // SAFETY: the caller keeps to the `# Safety` section.
    let word = unsafe { AtomicU64::from_ptr(object.cast()) };
    // AcqRel: what tools wrote into the array comes before the writes of the array's next user.
    let found = word.swap(ENDED, Ordering::AcqRel);
    if array(found).is_some() {
        give(found);
    }
}

/// Gives the object an array, unless another thread is faster.
#[cold]
fn install(word: &AtomicU64) -> Option<&'static Words> {
    let number = FREE.take(link).or_else(make)?;
    let fresh = u64::from(number) + FIRST;
    let words = array(fresh)?;
    for word in &words.0 {
        // SAFETY: no object uses the array.
        unsafe { *word.get() = Data::NONE };
    }
    match word.compare_exchange(NONE, fresh, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Some(words),
        Err(theirs) => {
            give(fresh);
            array(theirs)
        }
    }
}

fn give(word: u64) {
    let number = (word - FIRST) as u32;
    FREE.give(number, link(number));
}

/// The array that a word names, if it names one.
fn array(word: u64) -> Option<&'static Words> {
    let number = u32::try_from(word.checked_sub(FIRST)?).ok()?;
    let slab = slab(number)?;
    Some(&slab.arrays[(number % LENGTH) as usize])
}

/// The link of an array, which must have been made.
fn link(number: u32) -> &'static AtomicU32 {
    &slab(number).expect("an array that was made").links[(number % LENGTH) as usize]
}

fn slab(number: u32) -> Option<&'static Slab> {
    let slab = STORE.get((number / LENGTH) as usize)?.load(Ordering::Acquire);
    // SAFETY: null, or a slab, and slabs stay.
    unsafe { slab.as_ref() }
}

/// The number of a new array; none if there is no memory.
#[cold]
fn make() -> Option<u32> {
    let one_more = |made| (made < LENGTH * SLABS as u32).then_some(made + 1);
    let number = MADE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok()?;
    let place = &STORE[(number / LENGTH) as usize];
    if place.load(Ordering::Acquire).is_null() {
        map(place)?;
    }
    Some(number)
}

/// Puts a slab of zeros in its place, unless another thread is faster. Uses the system call, because the caller may be
/// a signal handler.
fn map(place: &AtomicPtr<Slab>) -> Option<()> {
    let (bytes, access) = (size_of::<Slab>(), libc::PROT_READ | libc::PROT_WRITE);
    // SAFETY: a fresh mapping of the slab's size; a slab may be all zeros.
    let fresh =
        unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
    if fresh == libc::MAP_FAILED {
        return None;
    }
    if place.compare_exchange(std::ptr::null_mut(), fresh.cast(), Ordering::AcqRel, Ordering::Acquire).is_err() {
        // SAFETY: no other thread has seen the mapping.
        unsafe { libc::munmap(fresh, bytes) };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word_of(object: &mut Data, tool: usize) -> *mut Data {
        // SAFETY: an object's word.
        unsafe { of(object, tool) }
    }

    #[test]
    fn each_tool_has_a_word_of_its_own_which_stays() {
        let mut object = Data::NONE;
        let words: Vec<_> = (0..MOST).map(|tool| word_of(&mut object, tool)).collect();
        for (tool, word) in words.iter().enumerate() {
            // SAFETY: the object lives.
            unsafe {
                assert_eq!((**word).value(), 0);
                **word = Data { value: tool as u64 + 10 };
            }
        }
        for (tool, word) in words.iter().enumerate() {
            assert_eq!(word_of(&mut object, tool), *word);
            // SAFETY: the object lives.
            assert_eq!(unsafe { (**word).value() }, tool as u64 + 10);
        }
        // SAFETY: an object's word.
        unsafe { end(&mut object) };
    }

    #[test]
    fn an_object_that_has_ended_has_words_that_nobody_else_uses() {
        let mut object = Data::NONE;
        let live = word_of(&mut object, 1);
        // SAFETY: an object's word; ending twice changes nothing.
        unsafe {
            end(&mut object);
            end(&mut object);
        }
        let dead = word_of(&mut object, 1);
        assert!(dead != live && dead == DEAD.0[1].get());
        // The descriptor's next object.
        object = Data::NONE;
        assert_ne!(word_of(&mut object, 1), dead);
        // SAFETY: an object's word.
        unsafe { end(&mut object) };
    }

    #[test]
    fn null_and_garbage_name_no_array() {
        // SAFETY: null is allowed.
        assert!(unsafe { of(std::ptr::null_mut(), 0) }.is_null());
        let mut garbage = Data { value: u64::MAX - 7 };
        assert_eq!(word_of(&mut garbage, 0), DEAD.0[0].get());
    }

    #[test]
    fn objects_that_come_and_go_take_no_further_memory() {
        let mut first = Data::NONE;
        word_of(&mut first, 0);
        let before = MADE.load(Ordering::Relaxed);
        for _ in 0..100_000 {
            let mut object = Data::NONE;
            word_of(&mut object, 0);
            // SAFETY: an object's word.
            unsafe { end(&mut object) };
        }
        // Other tests run beside this one.
        assert!(MADE.load(Ordering::Relaxed) < before + 1000);
    }
}

//! Data words: what a tool keeps with a thread, a parallel region or a task (`ompt_data_t`,
//! OpenMP 5.1, 4.4.4.4). A word holds a number, or a box of the tool's own.

use ompt::Data;
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a data word can hold: `u64`, or `Box<T>`.
pub trait Word: sealed::Word + 'static {}

mod sealed {
    pub trait Word {}
}

impl sealed::Word for u64 {}
impl Word for u64 {}
impl<T: Send + Sync + 'static> sealed::Word for Box<T> {}
impl<T: Send + Sync + 'static> Word for Box<T> {}

/// The data word of a thread, parallel region or task, which belongs to the tool: zero or empty at
/// first, then whatever the tool puts there. What it holds is its type: see [`Tool::ThreadData`],
/// [`Tool::ParallelData`] and [`Tool::TaskData`].
///
/// A slot is valid while the method that got the slot runs; the lifetime says so. Several threads may have the same
/// slot at the same time, for instance a parallel region's. Accesses are therefore atomic, which costs nothing on the
/// usual machines. The runtime orders the begin of an object before all its other events. All of them see the value
/// that was put there at the begin, even under runtimes that copy words.
///
/// [`Tool::ThreadData`]: crate::Tool::ThreadData
/// [`Tool::ParallelData`]: crate::Tool::ParallelData
/// [`Tool::TaskData`]: crate::Tool::TaskData
pub struct Slot<'a, W = u64> {
    word: NonNull<Data>,
    alive: PhantomData<&'a Data>,
    holds: PhantomData<fn() -> W>,
}

impl<W> Copy for Slot<'_, W> {}

impl<W> Clone for Slot<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, W> Slot<'a, W> {
    /// A slot for a data word, none for a null pointer.
    ///
    /// # Safety
    /// `word` is null or points to a data word that lives for `'a`, that everyone, for as long, only
    /// uses atomically or while no one else does, and that holds zero or a `W`.
    #[inline(always)]
    pub(crate) unsafe fn new(word: *mut Data) -> Option<Slot<'a, W>> {
        Some(Slot { word: NonNull::new(word)?, alive: PhantomData, holds: PhantomData })
    }

    #[inline(always)]
    fn number(self) -> &'a AtomicU64 {
        // SAFETY: `new`'s caller promised the word's life for 'a; it is eight bytes, aligned to
        // eight, and shared only in the ways that atomics may be.
        unsafe { AtomicU64::from_ptr(self.word.as_ptr().cast()) }
    }

    /// The address of the word. The address may change while the object lives: libomp copies the words of regions and
    /// implicit tasks.
    #[inline(always)]
    pub fn addr(self) -> usize {
        self.word.as_ptr().addr()
    }
}

impl<'a> Slot<'a, u64> {
    /// The word.
    #[inline(always)]
    pub fn get(self) -> u64 {
        self.number().load(Ordering::Relaxed)
    }

    /// Replaces the word.
    #[inline(always)]
    pub fn set(self, value: u64) {
        self.number().store(value, Ordering::Relaxed);
    }

    /// Adds to the word, wrapping, and gives what it was.
    #[inline(always)]
    pub fn fetch_add(self, addend: u64) -> u64 {
        self.number().fetch_add(addend, Ordering::Relaxed)
    }

    /// The word as an atomic number, for further operations.
    #[inline(always)]
    pub fn atomic(self) -> &'a AtomicU64 {
        self.number()
    }
}

impl<'a, T: Send + Sync + 'static> Slot<'a, Box<T>> {
    #[inline(always)]
    fn pointer(self) -> &'a AtomicPtr<T> {
        // SAFETY: as in `number`; pointers have eight bytes where the runtimes run.
        unsafe { AtomicPtr::from_ptr(self.word.as_ptr().cast()) }
    }

    /// What the slot holds, if anything.
    #[inline(always)]
    pub fn held(self) -> Option<&'a T> {
        // SAFETY: the pointer is null, or a box that `put` or a pool has stored. Only `take` frees the box, and its
        // caller promises that the box has no other user.
        unsafe { self.pointer().load(Ordering::Acquire).as_ref() }
    }

    /// Puts a box into an empty slot; a slot that holds one keeps it, and the new one comes back. Best done
    /// in the event that begins the thread, region or task.
    #[inline]
    pub fn put(self, value: Box<T>) -> Result<&'a T, Box<T>> {
        let new = Box::into_raw(value);
        match self.pointer().compare_exchange(null_mut(), new, Ordering::AcqRel, Ordering::Relaxed) {
            // SAFETY: as in `held`.
            Ok(_) => Ok(unsafe { &*new }),
            // SAFETY: the box that was just taken apart.
            Err(_) => Err(unsafe { Box::from_raw(new) }),
        }
    }

    /// Takes the box out of the slot. A [`Pool`] does without this promise.
    ///
    /// # Safety
    /// Nothing that [`held`](Self::held), [`put`](Self::put) or a pool gave for this word is used any
    /// more, on any thread, nor looked for again. In the event that ends a thread, region or task this is
    /// so if the runtime keeps to the specification and the method itself holds no such reference.
    #[inline]
    pub unsafe fn take(self) -> Option<Box<T>> {
        let held = self.pointer().swap(null_mut(), Ordering::AcqRel);
        // SAFETY: the pointer is not null, and is a box that `put` stored. By the caller's contract the box has no
        // other user.
        (!held.is_null()).then(|| unsafe { Box::from_raw(held) })
    }
}

impl<W> std::fmt::Debug for Slot<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Slot({:#x} at {:#x})", self.number().load(Ordering::Relaxed), self.addr())
    }
}

/// Values for slots that are used again: what a thread, region or task gets when it begins and gives
/// back when it ends. Values are never freed, so that a reference to one is always good; there are as
/// many as were ever in use at once. A value comes as it was given back.
///
/// ```
/// use ferromp_tool::*;
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
///
/// /// Counts each region's chunks.
/// struct Chunks {
///     regions: Pool<AtomicU64>,
/// }
///
/// #[tool]
/// impl Tool for Chunks {
///     const NAME: &'static str = "chunks";
///     type ParallelData = Box<AtomicU64>;
///
///     fn initialize(_init: &Init<Self>) -> Result<Self, String> {
///         Ok(Chunks { regions: Pool::new() })
///     }
///
///     fn parallel_begin(
///         &self,
///         _task: Option<Slot<'_>>,
///         _frame: Option<&Frame>,
///         region: Option<Slot<'_, Self::ParallelData>>,
///         _requested: u32,
///         _flags: ParallelFlag,
///         _at: CodePtr,
///     ) {
///         region.map(|slot| self.regions.fill(slot));
///     }
///
///     fn dispatch(
///         &self, region: Option<Slot<'_, Self::ParallelData>>, _: Option<Slot<'_>>, _: Dispatch, _: Instance,
///     ) {
///         region.and_then(Slot::held).map(|count| count.fetch_add(1, Relaxed));
///     }
///
///     fn parallel_end(
///         &self, region: Option<Slot<'_, Self::ParallelData>>, _: Option<Slot<'_>>, _: ParallelFlag, at: CodePtr,
///     ) {
///         if let Some(count) = region.and_then(|slot| self.regions.empty(slot)) {
///             eprintln!("{at:?}: {} chunks", count.swap(0, Relaxed));
///         }
///     }
/// }
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Pool<T: 'static> {
    free: Mutex<Vec<&'static T>>,
}

impl<T: Default + Send + Sync + 'static> Pool<T> {
    /// A pool without values.
    pub const fn new() -> Self {
        Pool { free: Mutex::new(Vec::new()) }
    }

    /// What the slot holds; an empty one gets a value of the pool first, or a new one.
    #[inline]
    pub fn fill(&self, slot: Slot<'_, Box<T>>) -> &'static T {
        // SAFETY: null, or a box; values of pools are never freed, and those of `put` are the pool's
        // from here on only if they come to `empty`. `take`'s caller answers for the rest.
        unsafe { slot.pointer().load(Ordering::Acquire).as_ref() }.unwrap_or_else(|| self.fill_empty(slot))
    }

    fn fill_empty(&self, slot: Slot<'_, Box<T>>) -> &'static T {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let value: &'static T = free.unwrap_or_else(|| Box::leak(Box::default()));
        let word = std::ptr::from_ref(value).cast_mut();
        match slot.pointer().compare_exchange(null_mut(), word, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => value,
            Err(other) => {
                self.give_back(value);
                // SAFETY: another thread filled the slot; as in `fill`.
                unsafe { &*other }
            }
        }
    }

    /// Empties the slot; what it held may be given out again from now on.
    #[inline]
    pub fn empty(&self, slot: Slot<'_, Box<T>>) -> Option<&'static T> {
        // SAFETY: null, or a box, which from now on is the pool's and never freed.
        let value = unsafe { slot.pointer().swap(null_mut(), Ordering::AcqRel).as_ref() }?;
        self.give_back(value);
        Some(value)
    }

    fn give_back(&self, value: &'static T) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(value);
    }
}

impl<T: Default + Send + Sync + 'static> Default for Pool<T> {
    fn default() -> Self {
        Self::new()
    }
}

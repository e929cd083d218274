//! Threadprivate variables whose copies the runtime keeps: programs compiled without thread-local
//! storage (OpenMP 5.1 §2.21.2).
//!
//! Variables are numbered, and each thread has a table of its copies by number. The program's own cache points to the
//! variable. Variables are never freed, and each is published by one atomic store. A thread waits here in one case
//! only: another thread reads the variable's bytes for the first use. The process may be forked at any time meanwhile,
//! so the child starts such a reading anew ([`after_fork`]).

use crate::heap;
use crate::model::atomic::{AtomicPtr, Ordering};
use crate::objects::structures::Thread;
use crate::stderr;
use std::alloc::{Layout, dealloc};
use std::cell::Cell;
use std::ffi::c_void;

/// Copies are aligned as `malloc` aligns, or better: a cache line, so that threads do not share one.
const ALIGNMENT: usize = 64;

/// How the program makes copies, and destroys them.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Lifecycle {
    pub construct: Option<Construct>,
    pub copy: Option<CopyConstruct>,
    pub destroy: Option<Destroy>,
}

/// A constructor of one object, or of an array with that many elements.
#[derive(Clone, Copy, PartialEq)]
#[allow(unpredictable_function_pointer_comparisons, reason = "a difference without meaning costs one entry more")]
pub enum Construct {
    One(unsafe extern "C" fn(*mut c_void) -> *mut c_void),
    Array(unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void, usize),
}

/// A copy constructor: to, from.
#[derive(Clone, Copy, PartialEq)]
#[allow(unpredictable_function_pointer_comparisons, reason = "a difference without meaning costs one entry more")]
pub enum CopyConstruct {
    One(unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void),
    Array(unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void, usize),
}

impl CopyConstruct {
    /// Makes what is at `to` a copy of what is at `from`.
    ///
    /// # Safety
    /// `to` has room for the variable that the program registered the function for, `from` is one.
    unsafe fn call(self, to: *mut c_void, from: *mut c_void) {
        // SAFETY: the caller's.
        unsafe {
            match self {
                CopyConstruct::One(function) => _ = function(to, from),
                CopyConstruct::Array(function, count) => _ = function(to, from, count),
            }
        }
    }
}

/// A destructor.
#[derive(Clone, Copy, PartialEq)]
#[allow(unpredictable_function_pointer_comparisons, reason = "a difference without meaning costs one entry more")]
pub enum Destroy {
    One(unsafe extern "C" fn(*mut c_void)),
    Array(unsafe extern "C" fn(*mut c_void, usize), usize),
}

/// One variable of the program.
struct Variable {
    /// Where the program has it.
    data: usize,
    lifecycle: Lifecycle,
    /// Null until the first use, [`READING`] while a thread reads the bytes: the initial thread has the variable itself
    /// and may write to it as soon as its own first use is over, so that nobody else may be reading then.
    image: AtomicPtr<Image>,
    /// Where the threads' tables have its copies.
    number: usize,
    /// The variable that was noted before this one. Written before this one is published.
    next: *const Variable,
}

/// A variable as it was at its first use.
struct Image {
    /// The bytes that copies start with, where the program has neither a constructor nor a copy constructor.
    bytes: Box<[u8]>,
    /// What the copy constructor copies, made by it as well; null where there is none.
    prototype: *mut c_void,
}

/// What `image` is while it is being made. Points to nothing.
const READING: *mut Image = std::ptr::without_provenance_mut(1);

/// The length of a thread's first table.
const FIRST_TABLE: usize = 16;

/// The variables, the newest first.
static VARIABLES: AtomicPtr<Variable> = AtomicPtr::new(std::ptr::null_mut());

/// Notes how copies of the variable at `data` are made. A variable that is noted again in another way is another one:
/// its library came to lie where one was that has been unloaded.
pub fn register(data: *mut c_void, lifecycle: Lifecycle) {
    loop {
        let head = newest();
        match from(head).find(|variable| variable.data == data as usize) {
            Some(variable) if variable.lifecycle == lifecycle => return,
            _ => Variable::publish(data as usize, lifecycle, head),
        }
    }
}

/// Notes what copies of the variable at `data` begin with, `size` bytes, unless that is known already
/// (`kmp_threadprivate_insert_private_data`).
///
/// # Safety
/// `image` points to `size` bytes.
pub unsafe fn set_image(data: *mut c_void, image: *const c_void, size: usize) {
    // SAFETY: the caller's.
    unsafe { Variable::used(data, image, size) };
}

/// The thread's copy of the variable at `data`, `size` bytes. The initial thread has the variable
/// itself. `cache` is null or a word that starts as null and belongs to this variable.
///
/// # Safety
/// `data` points to `size` bytes; `cache` is as said.
#[inline]
pub unsafe fn address(thread: &Thread, data: *mut c_void, size: usize, cache: *mut *const *mut c_void) -> *mut c_void {
    if !cache.is_null() {
        // SAFETY: the caller's; other threads change the word too. Acquire: pairs with the release
        // below, so the variable is seen whole. Only this module writes the word, and variables are never freed.
        let known = unsafe { AtomicPtr::from_ptr(cache.cast::<*mut Variable>()).load(Ordering::Acquire).as_ref() };
        if let Some(copy) = known.and_then(|variable| variable.copy(thread)) {
            return copy;
        }
    }
    // SAFETY: the caller's.
    unsafe { find_or_make(thread, data, size, cache) }
}

#[cold]
unsafe fn find_or_make(thread: &Thread, data: *mut c_void, size: usize, cache: *mut *const *mut c_void) -> *mut c_void {
    // SAFETY: the caller's.
    let variable = unsafe { Variable::used(data, data, size) };
    if !cache.is_null() {
        // SAFETY: the caller's.
        unsafe { AtomicPtr::from_ptr(cache.cast::<*mut Variable>()) }
            .store(std::ptr::from_ref(variable).cast_mut(), Ordering::Release);
    }
    if let Some(copy) = variable.copy(thread) {
        return copy;
    }
    let entry = variable.entry(thread);
    if thread.gtid() == 0 {
        entry.set(data);
        return data;
    }
    let copy = allocate(size);
    let Lifecycle { construct, copy: copy_construct, .. } = variable.lifecycle;
    let image = variable.image();
    // SAFETY: the program registered the functions for this variable; the copy has its size.
    unsafe {
        match (construct, copy_construct) {
            (Some(Construct::One(function)), _) => _ = function(copy),
            (Some(Construct::Array(function, count)), _) => _ = function(copy, count),
            (None, Some(function)) => function.call(copy, image.prototype),
            (None, None) => {
                std::ptr::copy_nonoverlapping(image.bytes.as_ptr(), copy.cast(), image.bytes.len().min(size))
            }
        }
    }
    entry.set(copy);
    copy
}

/// Destroys the copies of a thread that ends. Called by the thread itself.
pub fn thread_end(thread: &Thread) {
    for variable in from(newest()) {
        let Some(copy) = variable.copy(thread) else { continue };
        variable.entry(thread).set(std::ptr::null_mut());
        if copy as usize == variable.data {
            continue;
        }
        // SAFETY: the program registered the destructor for this variable, and the thread's copy is
        // not reachable any more; `find_or_make` allocated it with this size.
        unsafe {
            match variable.lifecycle.destroy {
                Some(Destroy::One(function)) if is_loaded(function as usize) => function(copy),
                Some(Destroy::Array(function, count)) if is_loaded(function as usize) => function(copy, count),
                _ => {}
            }
            dealloc(copy.cast(), layout(variable.image().bytes.len()));
        }
    }
}

/// In a forked child: what a thread that is gone was reading is read again at its next use.
pub fn after_fork() {
    for variable in from(newest()) {
        // Relaxed: there is one thread.
        let _ = variable.image.compare_exchange(READING, std::ptr::null_mut(), Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Whether there is code at an address: the library that registered a function may have been unloaded.
fn is_loaded(function: usize) -> bool {
    // SAFETY: an all-zero description is valid, and the call only writes it.
    unsafe {
        let mut description: libc::Dl_info = std::mem::zeroed();
        libc::dladdr(function as *const c_void, &mut description) != 0
    }
}

/// The newest variable.
fn newest() -> *mut Variable {
    // Acquire: pairs with the release in `publish`.
    VARIABLES.load(Ordering::Acquire)
}

/// A variable and those that are older.
fn from(variable: *const Variable) -> impl Iterator<Item = &'static Variable> {
    // SAFETY: null or a variable, and variables live for ever.
    let first = unsafe { variable.as_ref() };
    // SAFETY: as above.
    std::iter::successors(first, |variable| unsafe { variable.next.as_ref() })
}

impl Variable {
    /// Adds a variable in front of `head`, the newest that the caller has looked at. Does nothing if another was added
    /// meanwhile: the caller looks again.
    fn publish(data: usize, lifecycle: Lifecycle, head: *mut Variable) {
        let image = AtomicPtr::new(std::ptr::null_mut());
        let number = from(head).next().map_or(0, |older| older.number + 1);
        let variable = Box::into_raw(Box::new(Variable { data, lifecycle, image, number, next: head }));
        // Release: who finds the variable finds it whole, and those behind it.
        if VARIABLES.compare_exchange(head, variable, Ordering::Release, Ordering::Relaxed).is_err() {
            // SAFETY: nobody else knows it.
            drop(unsafe { Box::from_raw(variable) });
        }
    }

    /// The variable at `data`, which has `size` bytes and is used now. Unless it was used before, copies begin with
    /// what is at `image`.
    ///
    /// # Safety
    /// `image` points to so many bytes.
    unsafe fn used(data: *mut c_void, image: *const c_void, size: usize) -> &'static Variable {
        loop {
            let head = newest();
            let Some(variable) = from(head).find(|variable| variable.data == data as usize) else {
                Variable::publish(data as usize, Lifecycle::default(), head);
                continue;
            };
            // SAFETY: the caller's.
            unsafe { variable.keep_image(image, size) };
            if variable.image().bytes.len() == size {
                return variable;
            }
            // Another library's variable was here.
            Variable::publish(data as usize, Lifecycle::default(), head);
        }
    }

    /// Keeps what is at `image`, `size` bytes, as what copies begin with, or waits for the thread that does so; nothing
    /// if that is there already.
    ///
    /// # Safety
    /// `image` points to so many bytes, which are the variable or one like it.
    unsafe fn keep_image(&self, image: *const c_void, size: usize) {
        loop {
            // Acquire: pairs with the release below.
            let now = self.image.load(Ordering::Acquire);
            if !now.is_null() && now != READING {
                return;
            }
            // Relaxed: nothing is read of what was there.
            let claim = || {
                self.image.compare_exchange(std::ptr::null_mut(), READING, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            };
            if now.is_null() && claim() {
                break;
            }
            std::thread::yield_now();
        }
        // SAFETY: the caller's.
        let bytes = unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.into();
        let prototype = match self.lifecycle {
            Lifecycle { construct: None, copy: Some(function), .. } => {
                let prototype = allocate(size);
                // SAFETY: the caller's, and there is room.
                unsafe { function.call(prototype, image.cast_mut()) };
                prototype
            }
            _ => std::ptr::null_mut(),
        };
        // Release: who finds the image finds it whole, and what the initial thread writes comes after the reading.
        self.image.store(Box::into_raw(Box::new(Image { bytes, prototype })), Ordering::Release);
    }

    /// What copies start with; for a variable that has been used.
    fn image(&self) -> &Image {
        // SAFETY: `keep_image` has put it there, and it is never freed.
        unsafe { &*self.image.load(Ordering::Acquire) }
    }

    /// The thread's copy, if it has one.
    #[inline(always)]
    fn copy(&self, thread: &Thread) -> Option<*mut c_void> {
        thread.threadprivate.get().get(self.number).map(Cell::get).filter(|copy| !copy.is_null())
    }

    /// Where the thread notes its copy. A signal handler may interrupt this and look for another variable's copy, so
    /// the old table stays valid.
    fn entry(&self, thread: &Thread) -> &'static Cell<*mut c_void> {
        let table = thread.threadprivate.get();
        table.get(self.number).unwrap_or_else(|| {
            let length = (self.number + 1).next_power_of_two().max(FIRST_TABLE);
            let copy = |number| table.get(number).map_or(std::ptr::null_mut(), Cell::get);
            let larger = Vec::leak((0..length).map(|number| Cell::new(copy(number))).collect());
            thread.threadprivate.set(larger);
            &larger[self.number]
        })
    }
}

/// What a copy is called where there is no memory for one.
const COPY: &str = "a thread's copy of a threadprivate variable";

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size.max(1), ALIGNMENT).unwrap_or_else(|_| stderr::no_memory(size, COPY))
}

fn allocate(size: usize) -> *mut c_void {
    // SAFETY: the size is not 0.
    unsafe { heap::take_zeroed(layout(size), COPY) }.cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_its_copies_when_it_grows() {
        let thread = Thread::new(3);
        let mut bytes = vec![0u8; 5 * FIRST_TABLE];
        for byte in &mut bytes {
            let data: *mut c_void = std::ptr::from_mut(byte).cast();
            register(data, Lifecycle::default());
            let variable = from(newest()).find(|variable| variable.data == data as usize).unwrap();
            assert_eq!(variable.copy(&thread), None);
            variable.entry(&thread).set(data);
        }
        for variable in from(newest()).filter(|variable| bytes.as_ptr_range().contains(&(variable.data as *const u8))) {
            assert_eq!(variable.copy(&thread), Some(variable.data as *mut c_void));
        }
    }

    #[test]
    fn a_variable_of_another_size_at_the_same_place_is_another_one() {
        let mut bytes = [7u8; 64];
        let data = bytes.as_mut_ptr().cast();
        // SAFETY: the array has as many bytes.
        let (first, again, other) =
            unsafe { (Variable::used(data, data, 16), Variable::used(data, data, 16), Variable::used(data, data, 64)) };
        assert!(std::ptr::eq(first, again));
        assert!(!std::ptr::eq(first, other));
        assert_eq!(*other.image().bytes, [7; 64]);
        let thread = Thread::new(3);
        assert_eq!(first.copy(&thread), None);
        first.entry(&thread).set(data);
        assert_eq!((first.copy(&thread), other.copy(&thread)), (Some(data), None));
    }

    #[test]
    fn bytes_that_a_lost_thread_was_reading_are_read_again() {
        let mut bytes = [7u8; 16];
        let data: *mut c_void = bytes.as_mut_ptr().cast();
        register(data, Lifecycle::default());
        let variable = from(newest()).find(|variable| variable.data == data as usize).unwrap();
        variable.image.store(READING, Ordering::Relaxed);
        after_fork();
        // SAFETY: the array has as many bytes.
        let used = unsafe { Variable::used(data, data, 16) };
        assert_eq!(*used.image().bytes, [7; 16]);
    }

    #[test]
    fn the_first_use_of_one_thread_is_waited_for_by_the_others() {
        let size = if cfg!(miri) { 64 } else { 1 << 20 };
        let mut bytes = vec![7u8; size];
        let data = bytes.as_mut_ptr() as usize;
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(move || {
                    let data = data as *mut c_void;
                    // SAFETY: the array has as many bytes, and lives until the scope ends.
                    let variable = unsafe { Variable::used(data, data, size) };
                    assert!(
                        variable.image().bytes.len() == size && variable.image().bytes.iter().all(|&byte| byte == 7)
                    );
                });
            }
        });
    }
}

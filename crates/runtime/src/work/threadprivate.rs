//! Threadprivate variables whose copies the runtime keeps, for programs compiled without thread-local storage
//! (OpenMP 5.1 §2.21.2).
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

/// The alignment of copies: a cache line, so that threads do not share one.
const ALIGNMENT: usize = 64;

/// How the program makes copies, and destroys them.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Lifecycle {
    pub construct: Option<Construct>,
    pub copy: Option<CopyConstruct>,
    pub destroy: Option<Destroy>,
}

/// A function of the program for one object, or one for an array with that many elements.
#[derive(Clone, Copy, PartialEq)]
pub enum Function<O, A> {
    One(O),
    Array(A, usize),
}

/// A constructor.
pub type Construct =
    Function<unsafe extern "C" fn(*mut c_void) -> *mut c_void, unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void>;
/// A copy constructor: to, from.
pub type CopyConstruct = Function<
    unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void,
    unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void,
>;
/// A destructor.
pub type Destroy = Function<unsafe extern "C" fn(*mut c_void), unsafe extern "C" fn(*mut c_void, usize)>;

impl CopyConstruct {
    /// Makes what is at `to` a copy of what is at `from`.
    ///
    /// # Safety
    /// `to` has memory for the variable for which the program registered the function, and `from` is such a variable.
    unsafe fn call(self, to: *mut c_void, from: *mut c_void) {
        // SAFETY: the caller's `to` and `from`.
        unsafe {
            match self {
                CopyConstruct::One(function) => _ = function(to, from),
                CopyConstruct::Array(function, count) => _ = function(to, from, count),
            }
        }
    }
}

/// One variable of the program.
struct Variable {
    /// The address of the program's variable.
    data: usize,
    lifecycle: Lifecycle,
    /// Null until the first use, [`READING`] while a thread reads the variable's bytes. Other threads wait meanwhile.
    /// The initial thread uses the variable itself, and could write to it while another thread reads.
    image: AtomicPtr<Image>,
    /// The index of its copies in the threads' tables.
    number: usize,
    /// The next older variable. Written before this variable is published.
    next: *const Variable,
}

/// A variable as it was at its first use.
struct Image {
    /// The initial bytes of copies, if the program has neither a constructor nor a copy constructor.
    bytes: Box<[u8]>,
    /// The object from which the copy constructor makes copies, itself made by that constructor; null without one.
    prototype: *mut c_void,
}

/// The value of `image` while the image is being made. It points to nothing.
const READING: *mut Image = std::ptr::without_provenance_mut(1);

/// The length of a thread's first table.
const FIRST_TABLE: usize = 16;

/// The variables, the newest first.
static VARIABLES: AtomicPtr<Variable> = AtomicPtr::new(std::ptr::null_mut());

/// Registers how copies of the variable at `data` are made. If a variable at this address has been registered in
/// another way, this is a new variable: its library was loaded where an unloaded one had been.
pub fn register(data: *mut c_void, lifecycle: Lifecycle) {
    loop {
        let head = newest();
        match from(head).find(|variable| variable.data == data as usize) {
            Some(variable) if variable.lifecycle == lifecycle => return,
            _ => Variable::publish(data as usize, lifecycle, head),
        }
    }
}

/// Sets the initial bytes of copies of the variable at `data`, which has `size` bytes, unless they are set already
/// (`kmp_threadprivate_insert_private_data`).
///
/// # Safety
/// `image` points to `size` bytes.
pub unsafe fn set_image(data: *mut c_void, image: *const c_void, size: usize) {
    // SAFETY: the caller's `image`.
    unsafe { Variable::used(data, image, size) };
}

/// The thread's copy of the variable at `data`, which has `size` bytes. The initial thread uses the variable itself.
/// `cache` is null, or a word of the program for this variable that is null at first.
///
/// # Safety
/// `data` points to `size` bytes, and only this function writes the word at `cache`.
#[inline]
pub unsafe fn address(thread: &Thread, data: *mut c_void, size: usize, cache: *mut *const *mut c_void) -> *mut c_void {
    if !cache.is_null() {
        // SAFETY: the caller's `cache`. The word is null or points to a variable, and variables are never freed.
        // Acquire: pairs with the release in `find_or_make`, so the variable is seen whole.
        let known = unsafe { AtomicPtr::from_ptr(cache.cast::<*mut Variable>()).load(Ordering::Acquire).as_ref() };
        if let Some(copy) = known.and_then(|variable| variable.copy(thread)) {
            return copy;
        }
    }
    // SAFETY: the caller's `data` and `cache`.
    unsafe { find_or_make(thread, data, size, cache) }
}

/// As [`address`], if the cache has no copy.
///
/// # Safety
/// As for [`address`].
#[cold]
unsafe fn find_or_make(thread: &Thread, data: *mut c_void, size: usize, cache: *mut *const *mut c_void) -> *mut c_void {
    // SAFETY: the caller's `data`.
    let variable = unsafe { Variable::used(data, data, size) };
    if !cache.is_null() {
        // SAFETY: the caller's `cache`. Other threads change the word, too, hence the atomic store.
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
    // SAFETY: the program registered the functions for this variable, and the copy has its size.
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

/// Destroys the copies of a thread that ends. The thread itself calls this.
pub fn thread_end(thread: &Thread) {
    for variable in from(newest()) {
        let Some(copy) = variable.copy(thread) else { continue };
        variable.entry(thread).set(std::ptr::null_mut());
        if copy as usize == variable.data {
            continue;
        }
        // SAFETY: the program registered the destructor for this variable. The copy is not in the table any more, and
        // `find_or_make` allocated it with this size.
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

/// Resets images in a forked child whose reading thread does not exist there. The next use reads them again.
pub fn after_fork() {
    for variable in from(newest()) {
        // Relaxed: the child has one thread.
        let _ = variable.image.compare_exchange(READING, std::ptr::null_mut(), Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Whether there is code at the address. The library that registered a function may have been unloaded.
fn is_loaded(function: usize) -> bool {
    // SAFETY: an all-zero description is valid, and the call only writes the description.
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

/// The variable and all older ones.
fn from(variable: *const Variable) -> impl Iterator<Item = &'static Variable> {
    // SAFETY: the pointer is null or points to a variable, and variables are never freed.
    let first = unsafe { variable.as_ref() };
    // SAFETY: as for `first`.
    std::iter::successors(first, |variable| unsafe { variable.next.as_ref() })
}

impl Variable {
    /// Publishes a variable in front of `head`, the newest one that the caller has seen. Does nothing if another
    /// variable has been published meanwhile; the caller has to look again.
    fn publish(data: usize, lifecycle: Lifecycle, head: *mut Variable) {
        let image = AtomicPtr::new(std::ptr::null_mut());
        let number = from(head).next().map_or(0, |older| older.number + 1);
        let variable = Box::into_raw(Box::new(Variable { data, lifecycle, image, number, next: head }));
        // Release: a thread that finds the variable finds it whole, and the older ones.
        if VARIABLES.compare_exchange(head, variable, Ordering::Release, Ordering::Relaxed).is_err() {
            // SAFETY: the variable has not been published, so no other thread knows it.
            drop(unsafe { Box::from_raw(variable) });
        }
    }

    /// The variable at `data`, which has `size` bytes. At the first use, the bytes at `image` become the initial bytes
    /// of copies.
    ///
    /// # Safety
    /// `image` points to `size` bytes.
    unsafe fn used(data: *mut c_void, image: *const c_void, size: usize) -> &'static Variable {
        loop {
            let head = newest();
            let Some(variable) = from(head).find(|variable| variable.data == data as usize) else {
                Variable::publish(data as usize, Lifecycle::default(), head);
                continue;
            };
            // SAFETY: the caller's `image`.
            unsafe { variable.keep_image(image, size) };
            if variable.image().bytes.len() == size {
                return variable;
            }
            // The size differs, so a variable of another library was here.
            Variable::publish(data as usize, Lifecycle::default(), head);
        }
    }

    /// Makes the variable's image of the `size` bytes at `image`, or waits for the thread that does so. Does nothing if
    /// the image exists.
    ///
    /// # Safety
    /// `image` points to `size` bytes, which are the variable or one of its type.
    unsafe fn keep_image(&self, image: *const c_void, size: usize) {
        loop {
            // Acquire: pairs with the release below.
            let now = self.image.load(Ordering::Acquire);
            if !now.is_null() && now != READING {
                return;
            }
            // Relaxed: the claim publishes nothing.
            let claim = || {
                self.image.compare_exchange(std::ptr::null_mut(), READING, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            };
            if now.is_null() && claim() {
                break;
            }
            std::thread::yield_now();
        }
        // SAFETY: the caller's `image`.
        let bytes = unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.into();
        let prototype = match self.lifecycle {
            Lifecycle { construct: None, copy: Some(function), .. } => {
                let prototype = allocate(size);
                // SAFETY: the caller's `image`, and `prototype` has memory of the same size.
                unsafe { function.call(prototype, image.cast_mut()) };
                prototype
            }
            _ => std::ptr::null_mut(),
        };
        // Release: a thread that finds the image finds it whole, and the initial thread writes only after the reading.
        self.image.store(Box::into_raw(Box::new(Image { bytes, prototype })), Ordering::Release);
    }

    /// The image of a variable that has been used.
    fn image(&self) -> &Image {
        // SAFETY: `keep_image` has stored the pointer, and images are never freed.
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

/// What the message about lack of memory calls a copy.
const COPY: &str = "a thread's copy of a threadprivate variable";

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size.max(1), ALIGNMENT).unwrap_or_else(|_| stderr::no_memory(size, COPY))
}

fn allocate(size: usize) -> *mut c_void {
    // SAFETY: the size of `layout` is never 0.
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

//! Threadprivate variables whose copies the runtime keeps: programs compiled without thread-local
//! storage (OpenMP 5.1 §2.21.2).
//!
//! A variable's copies are found through a table of pointers, one a thread, which the program's own
//! cache points to. Tables only grow, by being replaced; replaced ones stay, because a thread may
//! still be reading one. Everything but the look-up happens under one lock.

use crate::sync::mutex::Mutex;
use crate::thread::Thread;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Copies are aligned as `malloc` aligns, or better: a cache line, so that threads do not share one.
const ALIGNMENT: usize = 64;

/// How the program makes copies, and destroys them.
#[derive(Clone, Copy, Default)]
pub struct Lifecycle {
    pub construct: Option<Construct>,
    pub copy: Option<CopyConstruct>,
    pub destroy: Option<Destroy>,
}

/// A constructor of one object, or of an array with that many elements.
#[derive(Clone, Copy)]
pub enum Construct {
    One(unsafe extern "C" fn(*mut c_void) -> *mut c_void),
    Array(unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void, usize),
}

/// A copy constructor: to, from.
#[derive(Clone, Copy)]
pub enum CopyConstruct {
    One(unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void),
    Array(unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void, usize),
}

/// A destructor.
#[derive(Clone, Copy)]
pub enum Destroy {
    One(unsafe extern "C" fn(*mut c_void)),
    Array(unsafe extern "C" fn(*mut c_void, usize), usize),
}

/// Copies of one variable, by thread.
struct Table {
    copies: Box<[AtomicPtr<c_void>]>,
}

struct Variable {
    size: usize,
    lifecycle: Lifecycle,
    /// The bytes that copies start with, where the program has no constructor.
    image: Option<Box<[u8]>>,
    /// The present table last.
    tables: Vec<&'static Table>,
}

static VARIABLES: Mutex<BTreeMap<usize, Variable>> = Mutex::new(BTreeMap::new());

/// Notes how copies of the variable at `data` are made.
pub fn register(data: *mut c_void, lifecycle: Lifecycle) {
    VARIABLES.with(|variables| {
        variables.entry(data as usize).or_insert_with(Variable::new).lifecycle = lifecycle;
    });
}

/// Notes what copies of the variable at `data` begin with, `size` bytes, unless that is known already
/// (`kmp_threadprivate_insert_private_data`).
///
/// # Safety
/// `image` points to `size` bytes.
pub unsafe fn set_image(data: *mut c_void, image: *const c_void, size: usize) {
    VARIABLES.with(|variables| {
        let variable = variables.entry(data as usize).or_insert_with(Variable::new);
        if variable.image.is_none() {
            variable.size = size;
            // SAFETY: the caller's: so many bytes can be read.
            variable.image = Some(unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.into());
        }
    });
}

/// The thread's copy of the variable at `data`, `size` bytes. The initial thread has the variable
/// itself. `cache` is null or a word that starts as null and belongs to this variable.
///
/// # Safety
/// `data` points to `size` bytes; `cache` is as said.
#[inline]
pub unsafe fn address(thread: &Thread, data: *mut c_void, size: usize, cache: *mut *const *mut c_void) -> *mut c_void {
    let index = thread.gtid() as usize;
    if !cache.is_null() {
        // SAFETY: the caller's; other threads change the word too. Acquire: pairs with the release
        // in `find_or_make`, so the table is seen whole.
        let first = unsafe { AtomicPtr::from_ptr(cache.cast::<*mut c_void>()) }.load(Ordering::Acquire);
        if !first.is_null() {
            // SAFETY: the cache points behind the first entry of a table, which holds the number of
            // entries that follow it, and tables are never freed.
            let copy = unsafe {
                let capacity = *first.cast::<*mut c_void>().sub(1) as usize;
                if index < capacity {
                    (*first.cast::<AtomicPtr<c_void>>().add(index)).load(Ordering::Relaxed)
                } else {
                    std::ptr::null_mut()
                }
            };
            if !copy.is_null() {
                return copy;
            }
        }
    }
    // SAFETY: the caller's.
    unsafe { find_or_make(index, data, size, cache) }
}

#[cold]
unsafe fn find_or_make(index: usize, data: *mut c_void, size: usize, cache: *mut *const *mut c_void) -> *mut c_void {
    enum Found {
        Copy(*mut c_void),
        Missing(Lifecycle),
    }
    let found = VARIABLES.with(|variables| {
        let variable = variables.entry(data as usize).or_insert_with(Variable::new);
        variable.grow(index);
        if variable.image.is_none() {
            variable.size = size;
            // SAFETY: the caller's: so many bytes can be read.
            variable.image = Some(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) }.into());
        }
        let table = variable.table();
        if !cache.is_null() {
            // SAFETY: the caller's.
            unsafe { AtomicPtr::from_ptr(cache.cast::<*mut c_void>()) }.store(table.first().cast(), Ordering::Release);
        }
        let copy = table.entry(index).load(Ordering::Relaxed);
        if !copy.is_null() {
            return Found::Copy(copy);
        }
        if index == 0 {
            table.entry(index).store(data, Ordering::Relaxed);
            return Found::Copy(data);
        }
        Found::Missing(variable.lifecycle)
    });
    let lifecycle = match found {
        Found::Copy(copy) => return copy,
        Found::Missing(lifecycle) => lifecycle,
    };
    let copy = allocate(size);
    // The program's constructors run without the lock: they may use threadprivate variables.
    // SAFETY: the program registered them for this variable; the copy has its size.
    unsafe {
        match (lifecycle.copy, lifecycle.construct) {
            (Some(CopyConstruct::One(function)), _) => _ = function(copy, data),
            (Some(CopyConstruct::Array(function, count)), _) => _ = function(copy, data, count),
            (None, Some(Construct::One(function))) => _ = function(copy),
            (None, Some(Construct::Array(function, count))) => _ = function(copy, count),
            (None, None) => VARIABLES.with(|variables| {
                let image = variables.get(&(data as usize)).and_then(|variable| variable.image.as_deref());
                if let Some(image) = image {
                    std::ptr::copy_nonoverlapping(image.as_ptr(), copy.cast(), image.len().min(size));
                }
            }),
        }
    }
    VARIABLES.with(|variables| {
        if let Some(variable) = variables.get(&(data as usize)) {
            variable.table().entry(index).store(copy, Ordering::Relaxed);
        }
    });
    copy
}

/// Destroys the copies of a thread that ends. Called by the thread itself.
pub fn thread_end(thread: &Thread) {
    let index = thread.gtid() as usize;
    let copies: Vec<_> =
        VARIABLES.with(|variables| variables.iter().filter_map(|(&data, variable)| variable.remove(index, data)).collect());
    for (copy, size, destroy) in copies {
        // SAFETY: the program registered the destructor for this variable, and the thread's copy is
        // not reachable any more; `find_or_make` allocated it with this size.
        unsafe {
            match destroy {
                Some(Destroy::One(function)) => function(copy),
                Some(Destroy::Array(function, count)) => function(copy, count),
                None => {}
            }
            dealloc(copy.cast(), layout(size));
        }
    }
}

/// In a forked child: whoever held the lock does not exist.
pub fn after_fork() {
    VARIABLES.force_open();
}

impl Variable {
    fn new() -> Self {
        Variable { size: 0, lifecycle: Lifecycle::default(), image: None, tables: Vec::new() }
    }

    /// Makes sure that there is a table with an entry for `index`.
    fn grow(&mut self, index: usize) {
        let old = self.tables.last().map_or(0, |table| table.capacity());
        if index < old {
            return;
        }
        let table: &'static Table = Box::leak(Box::new(Table::new((index + 1).next_power_of_two().max(16))));
        if let Some(before) = self.tables.last() {
            for index in 0..old {
                table.entry(index).store(before.entry(index).load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
        self.tables.push(table);
    }

    /// The present table; [`grow`](Self::grow) has been called.
    fn table(&self) -> &'static Table {
        self.tables[self.tables.len() - 1]
    }

    /// Forgets a thread's copy and returns it, unless it is the variable at `data` itself.
    fn remove(&self, index: usize, data: usize) -> Option<(*mut c_void, usize, Option<Destroy>)> {
        let mut copy = std::ptr::null_mut();
        for table in &self.tables {
            if index < table.capacity() {
                // The newest table's is the one that counts; older ones have the same or none.
                copy = table.entry(index).swap(std::ptr::null_mut(), Ordering::Relaxed);
            }
        }
        (!copy.is_null() && copy as usize != data).then_some((copy, self.size, self.lifecycle.destroy))
    }
}

impl Table {
    fn new(capacity: usize) -> Self {
        let copies: Box<[AtomicPtr<c_void>]> = (0..=capacity).map(|_| AtomicPtr::new(std::ptr::null_mut())).collect();
        copies[0].store(capacity as *mut c_void, Ordering::Relaxed);
        Table { copies }
    }

    fn capacity(&self) -> usize {
        self.copies.len() - 1
    }

    fn entry(&self, index: usize) -> &AtomicPtr<c_void> {
        &self.copies[index + 1]
    }

    /// What the program's cache points to.
    fn first(&self) -> *mut *mut c_void {
        self.entry(0).as_ptr()
    }
}

fn layout(size: usize) -> Layout {
    match Layout::from_size_align(size.max(1), ALIGNMENT) {
        Ok(layout) => layout,
        Err(_) => std::process::abort(),
    }
}

fn allocate(size: usize) -> *mut c_void {
    // SAFETY: the size is not 0.
    let copy = unsafe { alloc_zeroed(layout(size)) };
    if copy.is_null() {
        handle_alloc_error(layout(size));
    }
    copy.cast()
}

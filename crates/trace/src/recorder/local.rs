//! A thread's part of the recording: its writer, its block of ids, and the code pages that it knows. The thread's word
//! (`tls`) holds a pointer to this part, or says that the thread does not record.

use super::session::Session;
use super::tls;
use crate::store::{Record, Writer};
use std::cell::Cell;

/// The word of a thread that does not record: it has ended, or its file could not be made.
const MUTE: usize = 1;
/// The word of a thread that forks, in parent and child, until the recorder's own handler has run there. Handlers of
/// other libraries, such as the runtime, may send events meanwhile. In the child, such an event would go to the
/// parent's file.
const FORKING: usize = 2;
/// The clocks are compared again after this many ticks, about a tenth of a second.
const CALIBRATE_TICKS: u64 = 1 << 28;
/// Code pages a thread remembers; a power of two.
const PAGES: usize = 256;
/// Constructs whose functions a thread remembers; a power of two.
const FUNCTIONS: usize = 64;

/// The data that the calling thread needs to record.
pub struct Local {
    writer: Writer,
    session: &'static Session,
    next_id: u64,
    end_id: u64,
    next_calibration: u64,
    calibrations: u64,
    /// Numbers of code pages that the session knows. Each stands at its number modulo the size.
    pages: [u64; PAGES],
    /// The function that was last recorded for a return address: both, at a place that the return address gives.
    functions: [(u64, u64); FUNCTIONS],
}

impl Local {
    /// The calling thread's part, made at its first event; `None` if it does not record.
    /// The reference must not be kept across another call: it is the thread's only one.
    #[inline(always)]
    pub fn get(now: u64) -> Option<&'static mut Local> {
        let word = tls::get();
        if word <= FORKING {
            return Local::create(now);
        }
        // SAFETY: `create` put a pointer from a box there; it is freed only by `finish`, on this thread, which changes
        // the word. Events do not nest, so there is no other reference.
        Some(unsafe { &mut *(word as *mut Local) })
    }

    /// The calling thread's part if it has recorded before. For events that end something: after a fork, or in a thread
    /// that did nothing else, an end event must not create a file.
    #[inline(always)]
    pub fn existing() -> Option<&'static mut Local> {
        if tls::get() <= FORKING { None } else { Local::get(0) }
    }

    #[cold]
    fn create(now: u64) -> Option<&'static mut Local> {
        if tls::get() != tls::NEW {
            return None;
        }
        let _errno = KeepErrno::new();
        // The thread is muted meanwhile, and stays so if there is no session.
        tls::set(MUTE);
        let session = Session::current()?;
        let number = session.number_thread();
        if number == 0 {
            session.describe();
        }
        let writer = match session.open_thread(number, now) {
            Ok(writer) => writer,
            Err(error) => {
                session.miss_thread();
                session.complain(&format!("cannot record thread {number} in {}: {error}", session.dir().display()));
                return None;
            }
        };
        let (next_id, end_id) = session.id_block();
        let (pages, functions) = ([0; PAGES], [(0, 0); FUNCTIONS]);
        let local =
            Local { writer, session, next_id, end_id, next_calibration: now, calibrations: 0, pages, functions };
        let local = Box::into_raw(Box::new(local));
        tls::set(local as usize);
        // SAFETY: just made and owned by the word.
        Some(unsafe { &mut *local })
    }

    /// A new id for a region or task.
    #[inline(always)]
    pub fn new_id(&mut self) -> u64 {
        if self.next_id == self.end_id {
            (self.next_id, self.end_id) = self.session.id_block();
        }
        self.next_id += 1;
        self.next_id - 1
    }

    /// Records an event.
    #[inline(always)]
    pub fn record(&mut self, now: u64, record: Record) {
        if self.writer.is_full() {
            self.make_room();
        }
        self.writer.record(now, &record);
    }

    /// Records an event of a construct. The page of its code is looked up, so that the list of modules covers it.
    #[inline(always)]
    pub fn record_at(&mut self, now: u64, codeptr: u64, record: Record) {
        let page = codeptr >> 12;
        if self.pages[page as usize % PAGES] != page {
            self.learn(codeptr);
        }
        self.record(now, record);
    }

    /// Records the function of the construct at `codeptr`, whose own record follows, unless the thread has recorded the
    /// same function for this return address last.
    #[inline(always)]
    pub fn note_function(&mut self, now: u64, codeptr: u64, function: u64) {
        let place = (codeptr ^ codeptr >> 6) as usize % FUNCTIONS;
        if self.functions[place] != (codeptr, function) {
            self.functions[place] = (codeptr, function);
            self.record_function(now, codeptr, function);
        }
    }

    #[cold]
    fn record_function(&mut self, now: u64, codeptr: u64, function: u64) {
        self.record_at(now, function, Record::Function { codeptr, function });
    }

    /// Compares the clocks now and then.
    #[inline(always)]
    pub fn calibrate(&mut self, now: u64) {
        if now >= self.next_calibration {
            self.next_calibration = now + CALIBRATE_TICKS;
            self.calibrations += 1;
            self.writer.calibrate(self.calibrations);
        }
    }

    #[cold]
    fn learn(&mut self, codeptr: u64) {
        let _errno = KeepErrno::new();
        let page = codeptr >> 12;
        self.pages[page as usize % PAGES] = page;
        if codeptr != 0 {
            self.session.learn(codeptr);
        }
    }

    #[cold]
    fn make_room(&mut self) {
        if self.writer.is_closed() {
            return;
        }
        let _errno = KeepErrno::new();
        if let Err(error) = self.writer.grow() {
            self.session.complain(&format!("cannot write on in {}: {error}", self.session.dir().display()));
        }
    }
}

/// Ends the calling thread's file, if it has one. What the thread does afterwards is not recorded.
pub fn finish() {
    let word = tls::get();
    tls::set(MUTE);
    if word > FORKING {
        // SAFETY: the word owned the box and no longer does.
        let local = unsafe { Box::from_raw(word as *mut Local) };
        local.writer.finish();
    }
}

/// Lets the calling thread record again if it had ended before: a runtime that was shut down starts anew.
pub fn revive() {
    if tls::get() == MUTE {
        tls::set(tls::NEW);
    }
}

thread_local! {
    /// The word of a thread that forks, meanwhile.
    static BEFORE_FORK: Cell<usize> = const { Cell::new(tls::NEW) };
}

/// The calling thread is about to fork.
pub fn before_fork() {
    BEFORE_FORK.set(tls::get());
    tls::set(FORKING);
}

/// The thread has forked and is in the parent: it continues as before.
pub fn in_parent() {
    tls::set(BEFORE_FORK.get());
}

/// The thread has forked and is in the child: it forgets its file, because the file is the parent's. The memory of this
/// part leaks with it.
pub fn in_child() {
    tls::set(if BEFORE_FORK.get() == MUTE { MUTE } else { tls::NEW });
}

/// Restores `errno` when dropped. An event may come between a program's system call and the program's check of `errno`.
struct KeepErrno(i32);

impl KeepErrno {
    fn new() -> KeepErrno {
        // SAFETY: the location is the calling thread's own.
        KeepErrno(unsafe { *libc::__errno_location() })
    }
}

impl Drop for KeepErrno {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = self.0 };
    }
}

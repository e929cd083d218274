//! A thread's part of the recording: its writer, its block of ids, and the code pages that it knows. The thread's word
//! (`tls`) holds a pointer to this part, or says that the thread does not record.

use super::chunks::{self, Rate};
use super::errno::KeepErrno;
use super::samples::{self, Sampler, unwind};
use super::session::Session;
use super::tls;
use super::usage::{self, Usage};
use crate::counters::Counters;
use crate::store::sample::DEEPEST;
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
/// Regions inside each other in which a thread's worksharing is followed. Deeper, chunks are not counted.
const LEVELS: usize = 4;
/// Constructs whose functions a thread remembers; a power of two.
const FUNCTIONS: usize = 64;

/// The data that the calling thread needs to record.
pub struct Local {
    writer: Writer,
    session: &'static Session,
    /// What the handler of samples needs; null if the thread is not sampled. Written before the thread's word leads
    /// here, and not changed.
    sampler: *mut Sampler,
    next_id: u64,
    end_id: u64,
    /// Where the last record of the creation of a task ends that starts at once.
    created: usize,
    next_calibration: u64,
    calibrations: u64,
    /// The last reading of what the thread has used.
    usage: Usage,
    /// The next reading is not before this, in ticks.
    next_usage: u64,
    /// Ticks between two readings.
    usage_apart: u64,
    rate: Rate,
    /// Whether each chunk has a record.
    each_chunk: bool,
    /// The thread's counters, if any are recorded.
    counters: Option<Counters>,
    /// Implicit tasks that the thread is in.
    level: usize,
    /// The worksharing region in each of the outer implicit tasks.
    work: [chunks::Region; LEVELS],
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
        match Local::existing() {
            Some(local) => Some(local),
            None => Local::create(now),
        }
    }

    /// The calling thread's part if it has recorded before. For events that end something: after a fork, or in a thread
    /// that did nothing else, an end event must not create a file.
    #[inline(always)]
    pub fn existing() -> Option<&'static mut Local> {
        let word = tls::get();
        if word <= FORKING {
            return None;
        }
        // SAFETY: `create` put a pointer from a box there; it is freed only by `finish`, on this thread, which changes
        // the word. Events do not nest, so there is no other reference.
        Some(unsafe { &mut *(word as *mut Local) })
    }

    #[cold]
    fn create(now: u64) -> Option<&'static mut Local> {
        if tls::get() != tls::NEW {
            return None;
        }
        let _errno = KeepErrno::new();
        let usage = Usage::now();
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
        let sampler = session.sampler(number, now).map_or(std::ptr::null_mut(), Box::into_raw);
        let usage_apart = usage::ticks_apart(&session.clock());
        let mut local = Box::new(Local {
            writer,
            session,
            sampler,
            next_id,
            end_id,
            created: 0,
            next_calibration: now,
            calibrations: 0,
            usage,
            next_usage: now + usage_apart,
            usage_apart,
            rate: Rate::of(&session.clock()),
            each_chunk: session.each_chunk(),
            counters: session.counters(),
            level: 0,
            work: [chunks::Region::NONE; LEVELS],
            pages,
            functions,
        });
        // The first record of what was used says on which CPU the thread begins.
        local.record(now, local.usage.since(&local.usage));
        let local = Box::into_raw(local);
        // SAFETY: null or just made; no handler knows it yet.
        if let Some(sampler) = unsafe { sampler.as_mut() } {
            sampler.begin();
        }
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
        put(&mut self.writer, self.session, now, record);
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
        if self.session.is_first_at(codeptr, function) {
            let _errno = KeepErrno::new();
            let mut stack = [0; DEEPEST];
            for &address in unwind::callers_of(codeptr, &mut stack) {
                self.record_at(now, address, Record::Caller { address });
            }
        }
    }

    /// The task whose creation was just recorded starts at once: no code of the program runs before.
    #[inline(always)]
    pub fn starts_at_once(&mut self) {
        (_, self.created) = self.writer.last();
    }

    /// The time of the creation of `task`, if `task` [starts at once](Self::starts_at_once) and the thread has recorded
    /// nothing since.
    #[inline(always)]
    pub fn just_created(&self, task: u64) -> Option<u64> {
        let (time, end) = self.writer.last();
        (end == self.created && task + 1 == self.next_id).then_some(time)
    }

    /// Compares the clocks now and then.
    #[inline(always)]
    pub fn calibrate(&mut self, now: u64) {
        if now >= self.next_calibration {
            self.next_calibration = now + CALIBRATE_TICKS;
            self.calibrations += 1;
            self.writer.calibrate(self.calibrations);
            if samples::met_strange_code() {
                self.learn_all();
            }
        }
    }

    /// The thread begins an implicit task.
    #[inline(always)]
    pub fn begin_part(&mut self) {
        self.level += 1;
    }

    /// The thread ends its implicit task.
    #[inline(always)]
    pub fn end_part(&mut self) {
        self.level = self.level.saturating_sub(1);
    }

    /// The thread enters a region of this `ompt_work_t`.
    #[inline(always)]
    pub fn begin_work(&mut self, kind: u64) {
        if let Some(region) = self.work.get_mut(self.level) {
            region.begin(kind);
        }
    }

    /// The thread is given a chunk of so many iterations, from `first` on.
    #[inline(always)]
    pub fn chunk(&mut self, now: u64, first: u64, iterations: u64) {
        if let Some(region) = self.work.get_mut(self.level) {
            region.chunk(now, iterations, self.rate);
        }
        if self.each_chunk {
            self.record_chunk(now, first, iterations);
        }
    }

    #[cold]
    fn record_chunk(&mut self, now: u64, first: u64, iterations: u64) {
        self.record(now, Record::Chunk { first, iterations });
    }

    /// The thread is given `count` sections from section `first` on.
    pub fn section(&mut self, now: u64, first: u64, count: u64) {
        let region = self.work.get_mut(self.level);
        if let Some(executed) = region.and_then(|region| region.section(now, first, count, self.rate)) {
            self.record(now, executed);
        }
    }

    /// The thread leaves a region of this `ompt_work_t`. Records what the thread has executed of it.
    #[inline(always)]
    pub fn end_work(&mut self, now: u64, kind: u64) {
        if let Some(region) = self.work.get_mut(self.level) {
            region.end(now, kind, self.rate, |record| put(&mut self.writer, self.session, now, record));
        }
    }

    /// Records what the thread has used, if the last such record is a while ago. Called before the record of an event
    /// that ends one sort of doing and begins another, such as a wait after work.
    #[inline(always)]
    pub fn meter(&mut self, now: u64) {
        if now >= self.next_usage {
            self.record_usage(now);
        }
    }

    /// Records what the thread has used since it was recorded last.
    #[cold]
    pub fn record_usage(&mut self, now: u64) {
        let usage = Usage::now();
        let used = usage.since(&self.usage);
        self.usage = usage;
        self.next_usage = now + self.usage_apart;
        self.record(now, used);
    }

    /// Whether the thread has counters.
    #[inline(always)]
    pub fn counts(&self) -> bool {
        self.counters.is_some()
    }

    /// Records what the thread's counters have counted since the last such record. Called before the record of an event
    /// that begins or ends the thread's part of a region.
    #[inline(always)]
    pub fn count(&mut self, now: u64) {
        if self.counters.is_some() {
            self.record_counters(now);
        }
    }

    /// One system call for each group of counters.
    #[cold]
    fn record_counters(&mut self, now: u64) {
        let _errno = KeepErrno::new();
        let Local { counters: Some(counters), writer, session, .. } = self else { return };
        let complete = counters.read(|counter, value, share| {
            put(writer, session, now, Record::Counter { counter, value, share });
        });
        if !complete {
            session.miss_counters();
        }
    }

    #[cold]
    fn learn_all(&mut self) {
        let _errno = KeepErrno::new();
        self.session.learn_all();
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
}

/// Writes a record.
#[inline(always)]
fn put(writer: &mut Writer, session: &Session, now: u64, record: Record) {
    if writer.is_full() {
        make_room(writer, session);
    }
    writer.record(now, &record);
}

#[cold]
fn make_room(writer: &mut Writer, session: &Session) {
    if writer.is_closed() {
        return;
    }
    let _errno = KeepErrno::new();
    if let Err(error) = writer.grow() {
        let dir = session.dir().display();
        session.complain(&match error.raw_os_error() {
            Some(libc::EPIPE) => format!("cannot write on in {dir}: the command that follows the recording is gone"),
            _ => format!("cannot write on in {dir}: {error}"),
        });
    }
}

/// What the handler of samples needs of the calling thread. None if the thread is not sampled, and at moments when its
/// part changes. Async-signal-safe.
pub fn sampler() -> Option<*mut Sampler> {
    let word = tls::get();
    if word <= FORKING {
        return None;
    }
    // SAFETY: the word leads to a live part of this thread. The interrupted code may hold a reference to the part, but
    // does not change this field.
    let sampler = unsafe { (&raw const (*(word as *const Local)).sampler).read() };
    (!sampler.is_null()).then_some(sampler)
}

/// Ends the calling thread's files, if it has any. What the thread does afterwards is not recorded.
pub fn finish() {
    let word = tls::get();
    tls::set(MUTE);
    if word > FORKING {
        // SAFETY: the word owned the box and no longer does.
        let local = unsafe { Box::from_raw(word as *mut Local) };
        if !local.sampler.is_null() {
            // SAFETY: the handler does not find it through the word any more, and nobody else had it.
            unsafe { Box::from_raw(local.sampler) }.finish();
        }
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
    let word = BEFORE_FORK.get();
    if word > FORKING {
        // SAFETY: the word leads to a live part of this thread, and the handler does not know the sampler now. It may
        // have missed a signal during the fork.
        if let Some(sampler) = unsafe { (*(word as *const Local)).sampler.as_mut() } {
            sampler.begin();
        }
    }
    tls::set(word);
}

/// The thread has forked and is in the child: it forgets its file, because the file is the parent's. The memory of this
/// part leaks with it.
pub fn in_child() {
    let word = BEFORE_FORK.get();
    if word > FORKING {
        // SAFETY: the word leads to a live part of this thread. Nobody uses it: the thread's word says that it forks.
        if let Some(counters) = unsafe { &mut (*(word as *mut Local)).counters } {
            counters.close_in_child();
        }
    }
    tls::set(if BEFORE_FORK.get() == MUTE { MUTE } else { tls::NEW });
}

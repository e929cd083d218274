//! Calls of all functions of the library in random order, with handles that are good, released, of another kind or none
//! at all, and with null pointers.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::time::Duration;

use ompd::*;

use crate::liar::{Dice, Liar, release};

/// Processor time of the calling thread: on a busy machine the clock says little.
fn time_of_thread() -> Duration {
    // SAFETY: all zero is a time, and is written over.
    let mut time: libc::timespec = unsafe { std::mem::zeroed() };
    // SAFETY: a place to write to.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Processor time that one call may take; all but those that are cut off at the end of their looks take far less.
const LIMIT: Duration = Duration::from_secs(60);

/// Looks at memory that one call may have; strings are looked at byte by byte.
const LOOKS: u64 = 1 << 23;

/// Kinds of handles.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Thread,
    Parallel,
    Task,
}

const KINDS: [Kind; 4] = [Kind::Space, Kind::Thread, Kind::Parallel, Kind::Task];

/// What one debugger holds.
pub struct World<'l, 's> {
    liar: &'l Liar<'s>,
    dice: Dice,
    lwps: &'l [u32],
    good: Vec<(Kind, *mut c_void)>,
    released: Vec<*mut c_void>,
    /// Records and strings that are to be given back.
    lists: Vec<*mut c_void>,
    /// What was called, for whoever has to find out what went wrong.
    pub calls: u64,
    /// Answers of success.
    pub successes: u64,
    /// The most looks of a call, and those of all.
    pub most_looks: u64,
    all_looks: u64,
    /// Values of addresses that records named.
    addresses: Vec<u64>,
}

macro_rules! call {
    ($world:expr, $name:ident($($argument:expr),* $(,)?)) => {{
        let begin = time_of_thread();
        $world.liar.looks.set(0);
        // SAFETY: handles may be anything; pointers are null or may be written to.
        #[allow(unused_unsafe, reason = "some of the functions are safe")]
        let answer = unsafe { $name($($argument),*) };
        $world.judge(stringify!($name), answer, begin)
    }};
}

impl<'l, 's> World<'l, 's> {
    pub fn new(liar: &'l Liar<'s>, lwps: &'l [u32], seed: u64) -> World<'l, 's> {
        World {
            liar,
            dice: Dice::new(seed),
            lwps,
            good: Vec::new(),
            released: Vec::new(),
            lists: Vec::new(),
            calls: 0,
            successes: 0,
            most_looks: 0,
            all_looks: 0,
            addresses: Vec::new(),
        }
    }

    /// Whether the call has succeeded. Each answer is one of the specification's, and comes in time.
    fn judge(&mut self, name: &str, answer: Rc, begin: Duration) -> bool {
        let looks = self.liar.looks.get();
        assert!(answer.name().is_some(), "{name} answers {}", answer.0);
        let taken = time_of_thread().saturating_sub(begin);
        assert!(taken < LIMIT, "{name} took {taken:?} and {looks} looks");
        assert!(looks < LOOKS, "{name} looked {looks} times");
        self.calls += 1;
        self.most_looks = self.most_looks.max(looks);
        self.all_looks += looks;
        self.successes += u64::from(answer == Rc::OK);
        answer == Rc::OK
    }

    /// Whether the round has cost enough: where memory has no end, single calls look as often as they may.
    pub fn is_tired(&self) -> bool {
        self.all_looks > 100_000
    }

    /// A handle that is to be one of this kind, and mostly is.
    fn handle<T>(&mut self, kind: Kind) -> *mut T {
        let good: Vec<_> = self.good.iter().filter(|(its, _)| *its == kind).map(|(_, handle)| *handle).collect();
        let handle = match self.dice.below(20) {
            0 => null_mut(),
            1 => self.dice.next() as *mut c_void,
            2 => self.dice.below(1 << 12) as *mut c_void,
            // A number that looks like a handle, but names an entry that the library does not have. It must not be
            // another thread's handle.
            3 => (1 << 24 | self.dice.below(1 << 12) as u64 | (self.dice.below(1 << 12) as u64) << 32) as *mut c_void,
            4 if !self.released.is_empty() => self.released[self.dice.below(self.released.len())],
            5 if !self.good.is_empty() => self.good[self.dice.below(self.good.len())].1,
            6 => std::ptr::from_ref(self.liar).cast_mut().cast(),
            _ if !good.is_empty() => good[self.dice.below(good.len())],
            _ => null_mut(),
        };
        handle.cast()
    }

    /// The place, or null now and then.
    fn place<T>(&mut self, place: *mut T) -> *mut T {
        if self.dice.happens(30) { null_mut() } else { place }
    }

    fn got<T>(&mut self, kind: Kind, handle: *mut T) {
        assert!(!handle.is_null(), "success, and no handle");
        self.good.push((kind, handle.cast()));
    }

    /// Begins with a process.
    pub fn begin(&mut self) {
        let mut handle = null_mut();
        if call!(self, ompd_process_initialize(self.liar.context(), &mut handle)) {
            self.got(Kind::Space, handle);
        }
    }

    /// Makes all calls once that need nothing but what others give, on all threads.
    pub fn walk(&mut self) {
        let spaces: Vec<*mut AddressSpaceHandle> = self.of_kind(Kind::Space);
        for space in spaces {
            self.list_all(space);
            for &lwp in self.lwps {
                if self.is_tired() {
                    break;
                }
                let mut thread = null_mut();
                if call!(self, ompd_get_thread_handle(space, 1, 4, (&raw const lwp).cast(), &mut thread)) {
                    self.got(Kind::Thread, thread);
                }
            }
        }
        for thread in self.of_kind(Kind::Thread) {
            if !self.is_tired() {
                self.ask_thread(thread);
            }
        }
        for _ in 0..2 {
            for parallel in self.of_kind(Kind::Parallel) {
                if !self.is_tired() {
                    self.ask_parallel(parallel, 0);
                }
            }
            for task in self.of_kind(Kind::Task) {
                if !self.is_tired() {
                    self.ask_task(task);
                }
            }
        }
        for kind in KINDS {
            for handle in self.of_kind(kind).into_iter().take(8) {
                for icv in 1..=41 {
                    if !self.is_tired() {
                        self.ask_icv(handle, scope_of(kind), icv);
                    }
                }
            }
        }
        self.release_all();
    }

    fn of_kind<T>(&self, kind: Kind) -> Vec<*mut T> {
        self.good.iter().filter(|(its, _)| *its == kind).map(|(_, handle)| handle.cast()).take(40).collect()
    }

    /// One call, of any function.
    pub fn step(&mut self) {
        match self.dice.below(16) {
            0 => self.release_one(),
            1 => {
                let space = self.handle(Kind::Space);
                self.list_all(space);
            }
            2 => self.find_thread(),
            3 | 4 => {
                let thread = self.handle(Kind::Thread);
                self.ask_thread(thread);
            }
            5 | 6 => {
                let (parallel, number) = (self.handle(Kind::Parallel), self.number());
                self.ask_parallel(parallel, number);
            }
            7 | 8 => {
                let task = self.handle(Kind::Task);
                self.ask_task(task);
            }
            9..=11 => {
                let kind = KINDS[self.dice.below(4)];
                let handle = self.handle(kind);
                let scope =
                    if self.dice.happens(900) { scope_of(kind) } else { Scope(self.dice.below(9) as c_int - 1) };
                let icv = if self.dice.happens(950) { self.dice.below(43) as u64 } else { self.dice.next() };
                self.ask_icv(handle, scope, icv);
            }
            12 => self.enumerate(),
            13 => self.device(),
            14 => self.compare(),
            _ => self.of_record(),
        }
        if self.good.len() > 400 {
            self.release_all();
            self.begin();
        }
    }

    fn number(&mut self) -> c_int {
        if self.dice.happens(900) { self.dice.below(8) as c_int } else { self.dice.next() as c_int }
    }

    fn find_thread(&mut self) {
        let space = self.handle(Kind::Space);
        let lwp = u64::from(self.lwps[self.dice.below(self.lwps.len())]);
        let id = if self.dice.happens(800) { lwp } else { self.dice.next() };
        let kind = self.dice.below(3) as u64;
        let size = [4, 8, 0, 2][self.dice.below(4)];
        let mut thread = null_mut();
        let (place, id) = (self.place(&mut thread), self.place((&raw const id).cast_mut()));
        if call!(self, ompd_get_thread_handle(space, kind, size, id.cast(), place)) {
            self.got(Kind::Thread, thread);
        }
    }

    fn ask_thread(&mut self, thread: *mut ThreadHandle) {
        let mut parallel = null_mut();
        let place = self.place(&mut parallel);
        if call!(self, ompd_get_curr_parallel_handle(thread, place)) {
            self.got(Kind::Parallel, parallel);
        }
        let mut task = null_mut();
        let place = self.place(&mut task);
        if call!(self, ompd_get_curr_task_handle(thread, place)) {
            self.got(Kind::Task, task);
        }
        let (mut state, mut wait) = (0, 0);
        let places = (self.place(&mut state), self.place(&mut wait));
        call!(self, ompd_get_state(thread, places.0, places.1));
        let mut id = [0_u8; 16];
        let (kind, size) = (self.dice.below(3) as u64, [4, 8, 0, 1][self.dice.below(4)]);
        let place = self.place(id.as_mut_ptr());
        call!(self, ompd_get_thread_id(thread, kind, size, place.cast()));
        self.ask_data(thread.cast(), Scope::THREAD);
    }

    fn ask_parallel(&mut self, parallel: *mut ParallelHandle, number: c_int) {
        let mut enclosing = null_mut();
        let place = self.place(&mut enclosing);
        if call!(self, ompd_get_enclosing_parallel_handle(parallel, place)) {
            self.got(Kind::Parallel, enclosing);
        }
        let mut thread = null_mut();
        let place = self.place(&mut thread);
        if call!(self, ompd_get_thread_in_parallel(parallel, number, place)) {
            self.got(Kind::Thread, thread);
        }
        let mut task = null_mut();
        let place = self.place(&mut task);
        if call!(self, ompd_get_task_in_parallel(parallel, number, place)) {
            self.got(Kind::Task, task);
        }
        self.ask_data(parallel.cast(), Scope::PARALLEL);
        let (mut records, mut count): (*mut ArrivalRecord, _) = (null_mut(), 0);
        let places = (self.place(&mut records), self.place(&mut count));
        if call!(self, ferromp_ompd_get_arrivals(parallel, places.0, places.1)) {
            self.lists.push(records.cast());
        }
    }

    fn ask_task(&mut self, task: *mut TaskHandle) {
        let mut parallel = null_mut();
        let place = self.place(&mut parallel);
        if call!(self, ompd_get_task_parallel_handle(task, place)) {
            self.got(Kind::Parallel, parallel);
        }
        let mut other = null_mut();
        let place = self.place(&mut other);
        if call!(self, ompd_get_generating_task_handle(task, place)) {
            self.got(Kind::Task, other);
        }
        let mut other = null_mut();
        let place = self.place(&mut other);
        if call!(self, ompd_get_scheduling_task_handle(task, place)) {
            self.got(Kind::Task, other);
        }
        let none = Address { segment: 0, address: 0 };
        let mut address = none;
        let place = self.place(&mut address);
        call!(self, ompd_get_task_function(task, place));
        let frame = FrameInfo { frame_address: none, frame_flag: 0 };
        let (mut exit, mut enter) = (frame, frame);
        let places = (self.place(&mut exit), self.place(&mut enter));
        call!(self, ompd_get_task_frame(task, places.0, places.1));
        self.ask_data(task.cast(), Scope::TASK);
    }

    fn ask_data(&mut self, handle: *mut c_void, scope: Scope) {
        let (mut value, mut address) = (0, Address { segment: 0, address: 0 });
        let places = (self.place(&mut value), self.place(&mut address));
        let scope = if self.dice.happens(950) { scope } else { Scope(self.dice.below(9) as c_int) };
        call!(self, ompd_get_tool_data(handle, scope, places.0, places.1));
    }

    fn ask_icv(&mut self, handle: *mut c_void, scope: Scope, icv: IcvId) {
        let mut value = 0;
        let place = self.place(&mut value);
        call!(self, ompd_get_icv_from_scope(handle, scope, icv, place));
        let mut string: *const c_char = null();
        let place = self.place(&mut string);
        if call!(self, ompd_get_icv_string_from_scope(handle, scope, icv, place)) {
            self.keep_string(string);
        }
    }

    fn keep_string(&mut self, string: *const c_char) {
        assert!(!string.is_null(), "success, and no string");
        // SAFETY: the library says that it is a string; one that does not end runs into the canary, and beyond.
        assert!(unsafe { libc::strlen(string) } < 1 << 26);
        self.lists.push(string.cast_mut().cast());
    }

    fn enumerate(&mut self) {
        let space = self.handle(Kind::Space);
        let current = if self.dice.happens(900) { self.dice.below(45) as u64 } else { self.dice.next() };
        let (mut id, mut name, mut scope, mut more) = (0, null(), Scope::GLOBAL, 0);
        let places = (self.place(&mut id), self.place(&mut name), self.place(&mut scope), self.place(&mut more));
        if call!(self, ompd_enumerate_icvs(space, current, places.0, places.1, places.2, places.3)) {
            self.keep_string(name);
        }
        let (mut state, mut name, mut more) = (0, null(), 0);
        let places = (self.place(&mut state), self.place(&mut name), self.place(&mut more));
        let current = current as Word;
        if call!(self, ompd_enumerate_states(space, current, places.0, places.1, places.2)) {
            self.keep_string(name);
        }
        let mut version = 0;
        let place = self.place(&mut version);
        call!(self, ompd_get_omp_version(space, place));
        let mut string = null();
        let place = self.place(&mut string);
        if call!(self, ompd_get_omp_version_string(space, place)) {
            self.keep_string(string);
        }
        let place = self.place(&mut version);
        call!(self, ompd_get_api_version(place));
        let place = self.place(&mut string);
        call!(self, ompd_get_version_string(place));
    }

    fn device(&mut self) {
        let space = self.handle(Kind::Space);
        let mut id = if self.dice.happens(800) { self.dice.below(4) as u64 } else { self.dice.next() };
        let (kind, size) = (self.dice.below(3) as u64, [4, 8, 1, 0][self.dice.below(4)]);
        let context = if self.dice.happens(950) { self.liar.context() } else { null_mut() };
        let mut handle = null_mut();
        let places = (self.place((&raw mut id).cast()), self.place(&mut handle));
        if call!(self, ompd_device_initialize(space, context, kind, size, places.0, places.1)) {
            self.got(Kind::Space, handle);
        }
    }

    fn compare(&mut self) {
        let mut value = 0;
        let threads = (self.handle(Kind::Thread), self.handle(Kind::Thread));
        let place = self.place(&mut value);
        call!(self, ompd_thread_handle_compare(threads.0, threads.1, place));
        let parallels = (self.handle(Kind::Parallel), self.handle(Kind::Parallel));
        let place = self.place(&mut value);
        call!(self, ompd_parallel_handle_compare(parallels.0, parallels.1, place));
        let tasks = (self.handle(Kind::Task), self.handle(Kind::Task));
        let place = self.place(&mut value);
        call!(self, ompd_task_handle_compare(tasks.0, tasks.1, place));
    }

    fn list_all(&mut self, space: *mut AddressSpaceHandle) {
        let mut vars = null();
        let place = self.place(&mut vars);
        if call!(self, ompd_get_display_control_vars(space, place)) {
            let place = &mut vars;
            assert!(call!(self, ompd_rel_display_control_vars(place)), "what was given can be given back");
        }
        if self.is_tired() {
            return;
        }
        let (mut threads, mut count): (*mut ThreadRecord, _) = (null_mut(), 0);
        let places = (self.place(&mut threads), self.place(&mut count));
        if call!(self, ferromp_ompd_get_threads(space, places.0, places.1)) {
            self.keep_list(threads, count, |record| record.task);
        }
        let (mut tasks, mut count): (*mut TaskRecord, _) = (null_mut(), 0);
        let places = (self.place(&mut tasks), self.place(&mut count));
        if call!(self, ferromp_ompd_get_tasks(space, places.0, places.1)) {
            self.keep_list(tasks, count, |record| record.task);
        }
        let (mut parallels, mut count): (*mut ParallelRecord, _) = (null_mut(), 0);
        let places = (self.place(&mut parallels), self.place(&mut count));
        if call!(self, ferromp_ompd_get_parallels(space, places.0, places.1)) {
            self.keep_list(parallels, count, |record| record.team);
        }
    }

    fn keep_list<T>(&mut self, records: *mut T, count: Size, address: impl Fn(&T) -> u64) {
        assert_eq!(records.is_null(), count == 0);
        if count > 0 {
            // SAFETY: the library returned this count.
            let records = unsafe { std::slice::from_raw_parts(records, count as usize) };
            self.addresses.clear();
            self.addresses.extend(records.iter().take(1000).map(address));
        }
        self.lists.push(records.cast());
    }

    fn of_record(&mut self) {
        let space = self.handle(Kind::Space);
        let known = self.addresses.get(self.dice.below(self.addresses.len())).copied();
        let address = known.filter(|_| self.dice.happens(800)).unwrap_or(self.dice.next());
        let mut task = null_mut();
        let place = self.place(&mut task);
        if call!(self, ferromp_ompd_task_handle(space, address, place)) {
            self.got(Kind::Task, task);
        }
        let mut parallel = null_mut();
        let place = self.place(&mut parallel);
        if call!(self, ferromp_ompd_parallel_handle(space, address, place)) {
            self.got(Kind::Parallel, parallel);
        }
        let mut owner = 0;
        let place = self.place(&mut owner);
        call!(self, ferromp_ompd_get_lock_owner(space, address, place));
        let lwp = u64::from(self.lwps[self.dice.below(self.lwps.len())]);
        let mut thread = null_mut();
        let place = self.place(&mut thread);
        if call!(self, ferromp_ompd_thread_handle(space, lwp, place)) {
            self.got(Kind::Thread, thread);
        }
    }

    fn release_one(&mut self) {
        let kind = KINDS[self.dice.below(4)];
        let handle: *mut c_void = self.handle(kind);
        let is_good = self.good.contains(&(kind, handle));
        let done = self.release(kind, handle);
        assert_eq!(done, is_good, "a handle is released once, and no other is");
        self.good.retain(|known| *known != (kind, handle));
        if is_good {
            self.released.push(handle);
        }
    }

    fn release(&mut self, kind: Kind, handle: *mut c_void) -> bool {
        match kind {
            Kind::Space => call!(self, ompd_rel_address_space_handle(handle.cast())),
            Kind::Thread => call!(self, ompd_rel_thread_handle(handle.cast())),
            Kind::Parallel => call!(self, ompd_rel_parallel_handle(handle.cast())),
            Kind::Task => call!(self, ompd_rel_task_handle(handle.cast())),
        }
    }

    /// Gives everything back.
    pub fn release_all(&mut self) {
        for (kind, handle) in std::mem::take(&mut self.good) {
            assert!(self.release(kind, handle), "what was given can be released");
            self.released.push(handle);
        }
        self.released.truncate(100);
        for list in std::mem::take(&mut self.lists) {
            if !list.is_null() {
                // SAFETY: the library has it from the liar, and it is used no more.
                unsafe { release(list) };
            }
        }
    }
}

fn scope_of(kind: Kind) -> Scope {
    match kind {
        Kind::Space => Scope::ADDRESS_SPACE,
        Kind::Thread => Scope::THREAD,
        Kind::Parallel => Scope::PARALLEL,
        Kind::Task => Scope::TASK,
    }
}

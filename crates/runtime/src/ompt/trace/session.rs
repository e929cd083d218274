//! One tool's trace of one device: what is recorded, starting, pausing, flushing and stopping it, and where its buffers come from
//! (OpenMP 5.1 §4.6.2.4–9).

use super::Device;
use super::buffers::{Found, Memory, Parcel, Refill, Room, Strip};
use super::deliver;
use super::native::NativeRecord;
use crate::ompt::unwind;
use crate::sync::mutex::Mutex;
use crate::thread;
use ::ompt::{BufferComplete, BufferRequest, NativeMonFlag};
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Strips of a trace. A thread keeps to one, so that its records stay in order; so many threads write without meeting each other.
pub const STRIPS: usize = 32;
/// In a mask: the tool has declined to give a buffer, what is wanted is counted as dropped.
const DROPPING: u64 = 1;
/// In a mask: where the flags for native records begin, after the events' bits, which have their numbers.
const NATIVE: u32 = 40;
/// Numbers of buffers, which come round.
const NUMBERS: u32 = u32::MAX >> 1;

/// The bit of native records of this kind.
pub const fn native(flag: NativeMonFlag) -> u64 {
    (flag.0 as u64) << NATIVE
}

/// From `ompt_start_trace` to `ompt_stop_trace`.
#[derive(Clone, Copy)]
struct Session {
    /// Never 0.
    number: u32,
    request: BufferRequest,
    complete: BufferComplete,
}

#[derive(Default)]
struct Settings {
    /// What the tool wants: bits of events, and of native records.
    wanted: u64,
    session: Option<Session>,
    sessions: u32,
    paused: bool,
    /// The tool has declined to give a buffer in this session.
    starved: bool,
}

impl Settings {
    fn mask(&self) -> u64 {
        match self.session {
            Some(_) if !self.paused => self.wanted | if self.starved { DROPPING } else { 0 },
            _ => 0,
        }
    }
}

/// As [`BufferRequest`], of a function that may unwind.
type Request = unsafe extern "C-unwind" fn(c_int, *mut *mut c_void, *mut usize);

/// What a strip has besides its buffers.
#[derive(Default)]
struct Progress {
    /// The last buffer that the helper has taken.
    taken: AtomicU32,
    /// The last one whose completion callback has returned.
    delivered: AtomicU32,
    /// Who is asking the tool for a buffer, as `pthread_self` has it; else 0.
    refiller: AtomicUsize,
}

/// One tool's trace of one device. It lives for ever.
pub struct Trace {
    device: &'static Device,
    tool: usize,
    /// What is recorded now.
    mask: AtomicU64,
    strips: [Strip; STRIPS],
    progress: [Progress; STRIPS],
    /// The number of the session under way, 0 outside of one.
    session: AtomicU32,
    settings: Mutex<Settings>,
    /// Records that have been lost, and how many of them the tool has been told of by a record.
    dropped: AtomicU64,
    reported: AtomicU64,
}

impl Trace {
    pub fn new(device: &'static Device, tool: usize) -> Self {
        Trace {
            device,
            tool,
            mask: AtomicU64::new(0),
            strips: std::array::from_fn(|_| Strip::default()),
            progress: std::array::from_fn(|_| Progress::default()),
            session: AtomicU32::new(0),
            settings: Mutex::new(Settings::default()),
            dropped: AtomicU64::new(0),
            reported: AtomicU64::new(0),
        }
    }

    /// The device's number.
    pub fn device(&self) -> c_int {
        self.device.number()
    }

    /// The tool's number.
    pub fn tool(&self) -> usize {
        self.tool
    }

    /// What is recorded now.
    #[inline(always)]
    pub fn mask(&self) -> u64 {
        self.mask.load(Ordering::Relaxed)
    }

    /// How many records have been lost.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Changes the settings and puts them into effect. Nothing is recorded after this returns that they do not want, but for what
    /// threads are writing.
    fn change<R>(&self, change: impl FnOnce(&mut Settings) -> R) -> R {
        let result = self.settings.with(|settings| {
            let result = change(settings);
            self.mask.store(settings.mask(), Ordering::Relaxed);
            self.session.store(settings.session.map_or(0, |session| session.number), Ordering::SeqCst);
            result
        });
        self.device.refresh();
        result
    }

    /// Turns records of these kinds on or off.
    pub fn want(&self, kinds: u64, on: bool) {
        self.change(|settings| if on { settings.wanted |= kinds } else { settings.wanted &= !kinds });
    }

    /// Begins a session, or goes on with the one under way with other callbacks, also after the tool has declined to give a buffer.
    pub fn start(&self, request: BufferRequest, complete: BufferComplete) -> bool {
        if !deliver::start() {
            return false;
        }
        self.change(|settings| {
            settings.sessions = settings.sessions.wrapping_add(1).max(1);
            settings.session = Some(Session { number: settings.sessions, request, complete });
            (settings.paused, settings.starved) = (false, false);
        });
        true
    }

    /// Pauses the session, or goes on with it. False where there is none.
    pub fn pause(&self, pause: bool) -> bool {
        self.change(|settings| {
            settings.paused = pause;
            settings.session.is_some()
        })
    }

    /// Ends the session: what has been recorded is handed over. False where there is none.
    pub fn stop(&'static self) -> bool {
        let was = self.change(|settings| settings.session.take().is_some());
        for (strip, progress) in self.strips.iter().zip(&self.progress) {
            // Who is about to install a buffer either sees that there is no session, or is waited for here. Not by itself.
            while strip.is_busy() && progress.refiller.load(Ordering::Relaxed) != deliver::caller() && !deliver::is_helper() {
                strip.wait();
            }
        }
        self.flush();
        was
    }

    /// Hands over what has been recorded, and waits until the tool has had it; from inside a callback for buffers without waiting.
    pub fn flush(&'static self) {
        let last = self.close();
        let caller = deliver::caller();
        if !deliver::is_helper() && !self.progress.iter().any(|progress| progress.refiller.load(Ordering::Relaxed) == caller) {
            self.wait_for(&last);
        }
    }

    /// As [`stop`](Self::stop), for the end of the device: what has been recorded is handed over before this returns, whoever calls it.
    pub fn end(&'static self) {
        self.stop();
        self.wait_for(&self.close());
    }

    /// Closes the buffers as they are. Returns the last buffer of each strip.
    fn close(&'static self) -> [u32; STRIPS] {
        std::array::from_fn(|index| self.strips[index].close(|parcel| deliver::post(self, Some(index), parcel)))
    }

    fn wait_for(&self, last: &[u32; STRIPS]) {
        let helper = deliver::is_helper();
        let reached = |progress: &Progress, last: u32| {
            let now = if helper { &progress.taken } else { &progress.delivered }.load(Ordering::Acquire);
            now.wrapping_sub(last) & NUMBERS < NUMBERS / 2
        };
        deliver::wait(|| self.progress.iter().zip(last).all(|(progress, &last)| reached(progress, last)));
    }

    /// The helper takes a buffer, if it is next in its strip. In the queue's lock.
    pub fn take_next(&self, strip: usize, number: u32) -> bool {
        let taken = &self.progress[strip].taken;
        let next = (taken.load(Ordering::Relaxed) + 1) & NUMBERS == number;
        if next {
            taken.store(number, Ordering::Relaxed);
        }
        next
    }

    /// The tool has had the buffer.
    pub fn delivered(&self, strip: usize, number: u32) {
        self.progress[strip].delivered.store(number, Ordering::Release);
    }

    /// Writes a record of `rooms` rooms, if one of `kinds` is wanted: `fill` is called with the place and what is recorded now.
    #[inline(always)]
    pub fn record(&'static self, kinds: u64, strip: usize, rooms: u32, fill: impl FnOnce(*mut u8, u64)) {
        let mask = self.mask();
        if mask & kinds == 0 {
            return;
        }
        if mask & DROPPING != 0 {
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let index = strip % STRIPS;
        match self.strips[index].take(rooms) {
            Found::Room(room) => {
                fill(room.at, mask);
                self.finish(index, room);
            }
            Found::Refill(refill) => {
                let begun = self.device.time();
                let room = self.refill(index, refill, rooms);
                let ended = self.device.time();
                if let Some(room) = room {
                    fill(room.at, mask);
                    self.finish(index, room);
                }
                self.report(index, begun, ended);
            }
            Found::Busy => {
                if let Some(room) = self.insist(index, rooms) {
                    fill(room.at, mask);
                    self.finish(index, room);
                }
            }
        }
    }

    #[inline(always)]
    fn finish(&'static self, strip: usize, room: Room) {
        self.strips[strip].finish(room, |parcel| deliver::post(self, Some(strip), parcel));
    }

    /// Room in a strip that is busy.
    #[cold]
    fn insist(&'static self, index: usize, rooms: u32) -> Option<Room> {
        loop {
            self.strips[index].wait();
            match self.strips[index].take(rooms) {
                Found::Room(room) => return Some(room),
                Found::Refill(refill) => return self.refill(index, refill, rooms),
                Found::Busy => {}
            }
        }
    }

    /// Gives a strip another buffer, with room for the caller's record; none where there is no session, or no buffer.
    #[cold]
    fn refill(&'static self, index: usize, refill: Refill, rooms: u32) -> Option<Room> {
        let strip = &self.strips[index];
        strip.close_full(&refill, |parcel| deliver::post(self, Some(index), parcel));
        let (session, starved) = self.settings.with(|settings| (settings.session, settings.starved));
        let Some(session) = session.filter(|_| !starved) else {
            strip.leave_empty(refill);
            if starved {
                self.dropped.fetch_add(1, Ordering::Relaxed);
            }
            return None;
        };
        self.progress[index].refiller.store(deliver::caller(), Ordering::Relaxed);
        let memory = self.request(&session);
        self.progress[index].refiller.store(0, Ordering::Relaxed);
        if memory.rooms().1 == 0 {
            self.starve(&session, memory);
            strip.leave_empty(refill);
            return None;
        }
        let room = strip.install(refill, memory, rooms);
        if room.is_none() {
            // A record that no buffer of this size can hold.
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        if self.session.load(Ordering::SeqCst) != session.number {
            // Stopped meanwhile: the buffer goes back, with this record.
            strip.close(|parcel| deliver::post(self, Some(index), parcel));
        }
        room
    }

    /// Asks the tool for a buffer. The calling thread counts as inside a callback: what the tool does there is no event.
    fn request(&self, session: &Session) -> Memory {
        let (mut buffer, mut bytes) = (std::ptr::null_mut(), 0);
        // SAFETY: a function of the same arguments; what it throws ends here.
        let request = unsafe { std::mem::transmute::<BufferRequest, Request>(session.request) };
        let thread = thread::try_current().filter(|thread| !thread.tool.in_callback());
        if let Some(thread) = thread {
            thread.tool.enter_callback();
        }
        // SAFETY: the tool's own function, with two places to write to.
        unwind::in_tool(self.tool, || unsafe { request(self.device.number(), &mut buffer, &mut bytes) });
        if let Some(thread) = thread {
            thread.tool.leave_callback();
        }
        let bytes = if buffer.is_null() { 0 } else { bytes };
        Memory { buffer: buffer as usize, bytes, owner: session.complete as usize }
    }

    /// The tool gives no buffer, or one in which there is no room: recording ends until the next start.
    fn starve(&'static self, session: &Session, memory: Memory) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
        self.change(|settings| {
            if settings.session.is_some_and(|now| now.number == session.number) {
                settings.starved = true;
            }
        });
        if memory.bytes != 0 {
            let Memory { buffer, bytes, owner } = memory;
            deliver::post(self, None, Parcel { buffer, bytes, begin: 0, used: 0, rooms: 0, number: 0, owner });
        }
    }

    /// After a refill, tells the tool by native records what it cost, and what was lost before, if it wants to know.
    #[cold]
    fn report(&'static self, index: usize, begun: u64, ended: u64) {
        let kind = native(NativeMonFlag::OVERHEAD);
        if self.mask() & kind == 0 || self.mask() & DROPPING != 0 {
            return;
        }
        let put = |record: NativeRecord| {
            // Without a report of its own.
            let found = match self.strips[index].take(1) {
                Found::Room(room) => Some(room),
                Found::Refill(refill) => self.refill(index, refill, 1),
                Found::Busy => self.insist(index, 1),
            };
            if let Some(room) = found {
                // SAFETY: room for a record.
                unsafe { room.at.cast::<NativeRecord>().write(record) };
                self.finish(index, room);
            }
        };
        put(NativeRecord::event(c"buffer request", begun, ended));
        let dropped = self.dropped();
        let lost = dropped - self.reported.swap(dropped, Ordering::Relaxed).min(dropped);
        if lost != 0 {
            let mut record = NativeRecord::information(c"records dropped");
            (record.a, record.b) = (lost, dropped);
            put(record);
        }
    }

    /// In a forked child: there is no session.
    pub fn after_fork(&self) {
        self.settings.force_open();
        self.settings.with(|settings| settings.session = None);
        self.mask.store(0, Ordering::Relaxed);
        self.session.store(0, Ordering::Relaxed);
        self.strips.iter().for_each(Strip::forget_after_fork);
        for progress in &self.progress {
            progress.taken.store(0, Ordering::Relaxed);
            progress.delivered.store(0, Ordering::Relaxed);
            progress.refiller.store(0, Ordering::Relaxed);
        }
    }
}

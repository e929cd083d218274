//! One tool's trace of one device: what is recorded, starting, pausing, flushing and stopping it, and where its buffers
//! come from (OpenMP 5.1 §4.6.2.4–9).

use super::buffers::{Found, Memory, Parcel, Refill, Room, Strip};
use super::deliver::{self, Owner};
use super::native::NativeRecord;
use super::progress::Progress;
use crate::model::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use crate::objects::current;
use crate::ompt::unwind;
use crate::park::mutex::Mutex;
use ::ompt::{BufferComplete, BufferRequest, NativeMonFlag};
use std::ffi::{c_int, c_void};
use std::time::{Duration, Instant};

/// Strips of a trace. A thread keeps to one, so that its records stay in order; so many threads write without meeting
/// each other.
pub const STRIPS: usize = 32;
/// In a mask: the tool has declined to give a buffer, what is wanted is counted as dropped.
const DROPPING: u64 = 1;
/// In a mask: where the flags for native records begin, after the events' bits, which have their numbers.
const NATIVE: u32 = 40;
/// Stands for a strip where a buffer comes from none, because it has no room for a record.
const UNUSABLE: usize = STRIPS;
/// How long the helper waits for threads that ask the tool for a buffer. It is inside a completion callback then, and
/// what it holds there may be what the other callback waits for.
const PATIENCE: Duration = Duration::from_secs(1);

/// Buffers of the tool's that a trace has at most at a time; for another one it waits until one has gone back. As many
/// as fit into any memory at the recommended size; each strip needs one.
pub const MOST_BUFFERS: u32 = 1024;
const _: () = assert!(MOST_BUFFERS as usize > 2 * STRIPS);
/// The recommended size of a buffer in bytes: about a thousand records.
pub const RECOMMENDED_BYTES: usize = 64 << 10;

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

/// The device of a trace. It lives for ever.
pub trait Traced: Sync {
    /// The device's number.
    fn number(&self) -> c_int;
    /// The device's clock.
    fn time(&self) -> u64;
    /// Finds out anew what is recorded on the device.
    fn refresh(&self);
    /// Whether the thread, as `pthread_self` has it, is inside a callback that gives a buffer, for whichever device:
    /// threads that wait for each other's would wait for ever.
    fn is_asked_by(&self, caller: usize) -> bool;
}

/// One tool's trace of one device. It lives for ever.
pub struct Trace {
    device: &'static dyn Traced,
    tool: usize,
    /// What is recorded now.
    mask: AtomicU64,
    strips: [Strip; STRIPS],
    /// How far the buffers of each strip have come, and those that none could use.
    progress: [Progress; STRIPS + 1],
    /// Who is asking the tool for each strip's next buffer, as `pthread_self` has it; else 0.
    refillers: [AtomicUsize; STRIPS],
    /// The number of the session under way, 0 outside of one.
    session: AtomicU32,
    settings: Mutex<Settings>,
    /// Buffers that the tool has been asked for and has not got back: written by who asks, and by who hands them back.
    lent: AtomicU32,
    /// Records that have been lost, and how many of them the tool has been told of by a record.
    dropped: AtomicU64,
    reported: AtomicU64,
}

impl Owner for Trace {
    fn device(&self) -> c_int {
        self.device.number()
    }

    fn tool(&self) -> usize {
        self.tool
    }

    fn progress(&self, strip: usize) -> &Progress {
        &self.progress[strip]
    }

    fn has_back(&self) {
        self.lent.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Trace {
    pub fn new(device: &'static dyn Traced, tool: usize) -> Self {
        Trace {
            device,
            tool,
            mask: AtomicU64::new(0),
            strips: std::array::from_fn(|_| Strip::default()),
            progress: std::array::from_fn(|_| Progress::default()),
            refillers: [const { AtomicUsize::new(0) }; STRIPS],
            session: AtomicU32::new(0),
            settings: Mutex::new(Settings::default()),
            lent: AtomicU32::new(0),
            dropped: AtomicU64::new(0),
            reported: AtomicU64::new(0),
        }
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

    /// Changes the settings and puts them into effect. Nothing is recorded after this returns that they do not want,
    /// but for what threads are writing.
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

    /// Begins a session, or goes on with the one under way with other callbacks, also after the tool has declined to
    /// give a buffer.
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

    /// Ends the session: what has been recorded is handed over, as by [`flush`](Self::flush). False where there is
    /// none.
    pub fn stop(&'static self) -> bool {
        let was = self.end_session();
        self.flush();
        was
    }

    /// Hands over what has been recorded, and waits until the tool has had every buffer that it was asked for before;
    /// from inside a callback for buffers without waiting.
    pub fn flush(&'static self) {
        if deliver::is_helper() || self.device.is_asked_by(deliver::caller()) {
            self.close();
        } else {
            self.hand_over_all();
        }
    }

    /// Whether this thread, as `pthread_self` has it, is asking the tool for a buffer.
    pub fn is_asked_by(&self, caller: usize) -> bool {
        self.refillers.iter().any(|refiller| refiller.load(Ordering::Relaxed) == caller)
    }

    /// As [`stop`](Self::stop), for the end of the device: what has been recorded is handed over before this returns,
    /// whoever calls it.
    pub fn end(&'static self) {
        self.end_session();
        self.hand_over_all();
    }

    fn end_session(&self) -> bool {
        self.change(|settings| settings.session.take().is_some())
    }

    /// Closes all buffers, and waits until the tool has had them, and those that it is being asked for.
    fn hand_over_all(&'static self) {
        // First those that are there: the tool may have nothing to give to others before it has had these.
        self.close();
        self.wait_for_refills();
        let last = self.close();
        let helper = deliver::is_helper();
        deliver::wait(|| self.progress.iter().zip(&last).all(|(progress, &last)| progress.reached(last, helper)));
    }

    /// Waits for those who are asking the tool for a buffer now, but for the caller, and not for those who come to it
    /// later.
    fn wait_for_refills(&'static self) {
        let caller = deliver::caller();
        let patience = deliver::is_helper().then(|| Instant::now() + PATIENCE);
        for (strip, refiller) in self.strips.iter().zip(&self.refillers) {
            let Some(under_way) = strip.under_refill() else { continue };
            while strip.under_refill() == Some(under_way) && refiller.load(Ordering::Relaxed) != caller {
                match patience {
                    None => strip.wait(),
                    // The tool may be waiting for one of these deliveries before it gives a buffer.
                    Some(until) if Instant::now() < until => deliver::make_one(),
                    Some(_) => return,
                }
            }
        }
    }

    /// Closes the buffers as they are. Returns the numbers of the last ones.
    fn close(&'static self) -> [u32; STRIPS + 1] {
        std::array::from_fn(|index| match self.strips.get(index) {
            Some(strip) => strip.close(|parcel| deliver::post(self, index, parcel)),
            // After the strips: whoever refilled one that is found empty has counted its buffer here before.
            None => self.progress[index].last(),
        })
    }

    /// Writes a record of `rooms` rooms, if one of `kinds` is wanted: `fill` is called with the place and what is
    /// recorded now.
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
        self.strips[strip].finish(room, |parcel| deliver::post(self, strip, parcel));
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
        strip.close_full(&refill, |parcel| deliver::post(self, index, parcel));
        let (session, starved) = self.settings.with(|settings| (settings.session, settings.starved));
        let Some(session) = session.filter(|_| !starved) else {
            strip.leave_empty(refill);
            if starved {
                self.dropped.fetch_add(1, Ordering::Relaxed);
            }
            return None;
        };
        self.refillers[index].store(deliver::caller(), Ordering::Relaxed);
        deliver::wait(|| self.may_ask());
        let memory = self.request(&session);
        self.refillers[index].store(0, Ordering::Relaxed);
        if memory.bytes == 0 {
            self.has_back();
        }
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
            strip.close(|parcel| deliver::post(self, index, parcel));
        }
        room
    }

    /// Counts one more buffer of the tool's, unless there are as many as there may be.
    fn may_ask(&self) -> bool {
        let more = |lent| (lent < MOST_BUFFERS).then_some(lent + 1);
        self.lent.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// Asks the tool for a buffer. The calling thread counts as inside a callback: what the tool does there is no
    /// event.
    fn request(&self, session: &Session) -> Memory {
        let (mut buffer, mut bytes) = (std::ptr::null_mut(), 0);
        // SAFETY: a function of the same arguments; what it throws ends here.
        let request = unsafe { std::mem::transmute::<BufferRequest, Request>(session.request) };
        let thread = current::try_current().filter(|thread| !thread.tool.in_callback());
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
            let number = self.progress[UNUSABLE].next();
            deliver::post(self, UNUSABLE, Parcel { buffer, bytes, begin: 0, used: 0, rooms: 0, number, owner });
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
        self.lent.store(0, Ordering::Relaxed);
        self.strips.iter().for_each(Strip::forget_after_fork);
        self.progress.iter().for_each(Progress::forget_after_fork);
        self.refillers.iter().for_each(|refiller| refiller.store(0, Ordering::Relaxed));
    }
}

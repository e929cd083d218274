//! One tool's trace of one device: what is recorded; starting, pausing, flushing and stopping; where buffers come from
//! (OpenMP 5.1 §4.6.2.4–9).

use super::buffers::{Attempt, Channel, Completed, Memory, Refill, Reservation};
use super::clock::Clock;
use super::deliver::{self, Delivery};
use super::native::NativeRecord;
use super::progress::Progress;
use crate::first_use::caller;
use crate::model::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use crate::objects::current;
use crate::ompt::unwind;
use crate::park::mutex::Mutex;
use ::ompt::{BufferComplete, BufferRequest, Event, NativeMonFlag};
use std::ffi::{c_int, c_void};
use std::time::{Duration, Instant};

/// Channels of a trace. A thread keeps to one channel, so that its records stay in order. As many threads as channels
/// write without sharing a cache line.
pub const CHANNELS: usize = 32;
/// In a mask: the tool has declined to give a buffer, and records are counted as dropped.
const DROPPING: u64 = 1;
/// In a mask: the position of the first flag for native records. Below it are the events' bits, by their numbers.
const NATIVE: u32 = 40;
/// The index of the progress of buffers without room for a record, which get into no channel.
const UNUSABLE: usize = CHANNELS;
/// How long the helper waits for threads that request a buffer. The helper is inside a completion callback then, which
/// may hold what the request callback waits for.
const PATIENCE: Duration = Duration::from_secs(1);

/// The most buffers of the tool's that a trace has at a time. A thread that needs one more waits until one has gone
/// back. Each channel needs one.
pub const MOST_BUFFERS: u32 = 1024;
const _: () = assert!(MOST_BUFFERS as usize > 2 * CHANNELS);
/// The recommended size of a buffer in bytes: about 600 records. All buffers of that size take 64 MiB.
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
    /// How many sessions there have been.
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

/// One tool's trace of one device. It lives for ever.
pub struct Trace {
    /// The device's number.
    device: c_int,
    clock: &'static dyn Clock,
    tool: usize,
    /// What is recorded now.
    mask: AtomicU64,
    channels: [Channel; CHANNELS],
    /// The progress of each channel's buffers, and of those that no channel could use.
    progress: [Progress; CHANNELS + 1],
    /// The thread that requests each channel's next buffer, as `pthread_self` has it; else 0.
    refillers: [AtomicUsize; CHANNELS],
    /// The number of the session under way, 0 outside of sessions.
    session: AtomicU32,
    settings: Mutex<Settings>,
    /// Buffers that have been requested and have not gone back. Written by threads that request, and by threads that
    /// hand back.
    lent: AtomicU32,
    /// Records that have been lost, and how many of these a native record has reported.
    dropped: AtomicU64,
    reported: AtomicU64,
}

impl Trace {
    pub fn new(device: c_int, clock: &'static dyn Clock, tool: usize) -> Self {
        Trace {
            device,
            clock,
            tool,
            mask: AtomicU64::new(0),
            channels: std::array::from_fn(|_| Channel::default()),
            progress: std::array::from_fn(|_| Progress::default()),
            refillers: [const { AtomicUsize::new(0) }; CHANNELS],
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

    fn count_dropped(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// Changes the settings and puts them into effect. Threads that are writing a record finish it.
    fn change<R>(&self, change: impl FnOnce(&mut Settings) -> R) -> R {
        self.settings.with(|settings| {
            let result = change(settings);
            self.mask.store(settings.mask(), Ordering::Relaxed);
            self.session.store(settings.session.map_or(0, |session| session.number), Ordering::SeqCst);
            result
        })
    }

    /// Turns records of these kinds on or off.
    pub fn want(&self, kinds: u64, on: bool) {
        self.change(|settings| if on { settings.wanted |= kinds } else { settings.wanted &= !kinds });
    }

    /// Begins a session, or goes on with the session under way with other callbacks, also after the tool has declined
    /// to give a buffer. Returns false if there is no helper thread.
    pub fn start(&self, request: BufferRequest, complete: BufferComplete) -> bool {
        deliver::start() && {
            self.change(|settings| {
                settings.sessions = settings.sessions.wrapping_add(1).max(1);
                settings.session = Some(Session { number: settings.sessions, request, complete });
                (settings.paused, settings.starved) = (false, false);
            });
            true
        }
    }

    /// Pauses the session, or goes on with it. Returns false outside of sessions.
    pub fn pause(&self, pause: bool) -> bool {
        self.change(|settings| {
            settings.paused = pause;
            settings.session.is_some()
        })
    }

    /// Ends the session. What has been recorded stays in its buffers. Returns false outside of sessions.
    pub fn end_session(&self) -> bool {
        self.change(|settings| settings.session.take().is_some())
    }

    /// Whether this thread, as `pthread_self` has it, is requesting a buffer.
    pub fn is_requested_by(&self, caller: usize) -> bool {
        self.refillers.iter().any(|refiller| refiller.load(Ordering::Relaxed) == caller)
    }

    /// Closes all buffers, and waits until they have been delivered, together with buffers that are being requested.
    pub fn deliver_all(&'static self) {
        // The tool may have no buffer for a request before one of these has gone back.
        self.close();
        self.wait_for_refills();
        let last = self.close();
        let helper = deliver::is_helper();
        deliver::wait(|| self.progress.iter().zip(&last).all(|(progress, &last)| progress.reached(last, helper)));
    }

    /// Waits for refills that are under way, except the caller's own. Refills that begin later are not waited for.
    fn wait_for_refills(&'static self) {
        let caller = caller();
        let patience = deliver::is_helper().then(|| Instant::now() + PATIENCE);
        for (channel, refiller) in self.channels.iter().zip(&self.refillers) {
            let Some(under_way) = channel.under_refill() else { continue };
            while channel.under_refill() == Some(under_way) && refiller.load(Ordering::Relaxed) != caller {
                match patience {
                    None => channel.wait(),
                    // The tool may be waiting for one of these deliveries before it gives a buffer.
                    Some(until) if Instant::now() < until => deliver::make_one(),
                    Some(_) => return,
                }
            }
        }
    }

    /// Closes the buffers as they are. Returns the number of the last one of each progress.
    pub fn close(&'static self) -> [u32; CHANNELS + 1] {
        std::array::from_fn(|index| match self.channels.get(index) {
            Some(channel) => channel.close(|completed| self.post(index, completed)),
            // Comes after the channels. A refill that left a channel empty has counted its buffer here before that.
            None => self.progress[index].last(),
        })
    }

    fn post(&'static self, index: usize, completed: Completed) {
        let (progress, lent) = (&self.progress[index], &self.lent);
        deliver::post(Delivery { device: self.device, tool: self.tool, progress, lent, completed });
    }

    /// Writes a record of `slots` slots, if a record of `kinds` is wanted. `fill` writes at the given place; of
    /// `kinds`, the given event is the first that is wanted.
    #[inline(always)]
    pub fn record(&'static self, kinds: u64, channel: usize, slots: u32, fill: impl FnOnce(*mut u8, Event)) {
        let mask = self.mask();
        if mask & kinds == 0 {
            return;
        }
        if mask & DROPPING != 0 {
            return self.count_dropped();
        }
        let index = channel % CHANNELS;
        let (reservation, refill) = match self.channels[index].reserve(slots) {
            Attempt::Reserved(reservation) => (Some(reservation), None),
            attempt => self.reserve_slowly(index, slots, attempt),
        };
        if let Some(reservation) = reservation {
            fill(reservation.at, Event((mask & kinds).trailing_zeros() as c_int));
            self.finish(index, reservation);
        }
        if let Some((begin, end)) = refill {
            self.report(index, begin, end);
        }
    }

    #[inline(always)]
    fn finish(&'static self, index: usize, reservation: Reservation) {
        self.channels[index].finish(reservation, |completed| self.post(index, completed));
    }

    /// Goes on after an attempt that has reserved nothing: refills the channel, or waits for the thread that does. Also
    /// returns begin and end of the refill, if the first attempt led to it.
    #[cold]
    fn reserve_slowly(
        &'static self,
        index: usize,
        slots: u32,
        mut attempt: Attempt,
    ) -> (Option<Reservation>, Option<(u64, u64)>) {
        let waited = matches!(attempt, Attempt::Busy);
        loop {
            match attempt {
                Attempt::Reserved(reservation) => return (Some(reservation), None),
                Attempt::Refill(refill) => {
                    let begin = self.clock.time();
                    let reservation = self.refill(index, refill, slots);
                    return (reservation, (!waited).then(|| (begin, self.clock.time())));
                }
                Attempt::Busy => {
                    self.channels[index].wait();
                    attempt = self.channels[index].reserve(slots);
                }
            }
        }
    }

    /// Gives a channel another buffer, with slots for the caller's record. Returns none outside of sessions, and if the
    /// tool gives no buffer.
    fn refill(&'static self, index: usize, refill: Refill, slots: u32) -> Option<Reservation> {
        let channel = &self.channels[index];
        channel.close_full(&refill, |completed| self.post(index, completed));
        let (session, starved) = self.settings.with(|settings| (settings.session, settings.starved));
        let Some(session) = session.filter(|_| !starved) else {
            channel.leave_empty(refill);
            if starved {
                self.count_dropped();
            }
            return None;
        };
        self.refillers[index].store(caller(), Ordering::Relaxed);
        // One more buffer of the tool's, unless there are as many as may be.
        let more = |lent| (lent < MOST_BUFFERS).then_some(lent + 1);
        deliver::wait(|| self.lent.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok());
        let memory = self.request(&session);
        self.refillers[index].store(0, Ordering::Relaxed);
        if memory.bytes == 0 {
            self.lent.fetch_sub(1, Ordering::Relaxed);
        }
        if memory.slots().1 == 0 {
            self.starve(&session, memory);
            channel.leave_empty(refill);
            return None;
        }
        let reservation = channel.install(refill, memory, slots);
        if reservation.is_none() {
            // A record that no buffer of this size can hold.
            self.count_dropped();
        }
        if self.session.load(Ordering::SeqCst) != session.number {
            // The session has ended meanwhile. The buffer goes back, with this record.
            channel.close(|completed| self.post(index, completed));
        }
        reservation
    }

    /// Calls the tool's request callback. The calling thread counts as inside a callback, so constructs in the request
    /// callback have no events.
    fn request(&self, session: &Session) -> Memory {
        let (mut buffer, mut bytes) = (std::ptr::null_mut(), 0);
        // SAFETY: a function of the same arguments. `unwind.rs` says what happens if the function unwinds.
        let request = unsafe { std::mem::transmute::<BufferRequest, Request>(session.request) };
        let thread = current::try_current().filter(|thread| !thread.tool.in_callback());
        if let Some(thread) = thread {
            thread.tool.enter_callback();
        }
        // SAFETY: the tool's own function, with two places to write to.
        unwind::in_tool(self.tool, || unsafe { request(self.device, &mut buffer, &mut bytes) });
        if let Some(thread) = thread {
            thread.tool.leave_callback();
        }
        let bytes = if buffer.is_null() { 0 } else { bytes };
        Memory { buffer: buffer as usize, bytes, owner: session.complete as usize }
    }

    /// The tool gives no buffer, or a buffer without a slot. Records are dropped until the next start.
    fn starve(&'static self, session: &Session, memory: Memory) {
        self.count_dropped();
        self.change(|settings| settings.starved |= settings.session.is_some_and(|now| now.number == session.number));
        if memory.bytes != 0 {
            self.post(UNUSABLE, Completed { memory, used: 0, number: self.progress[UNUSABLE].next() });
        }
    }

    /// After a refill, records what the refill cost and what was lost before, if the tool wants such native records.
    #[cold]
    fn report(&'static self, index: usize, begin: u64, end: u64) {
        if self.mask() & native(NativeMonFlag::OVERHEAD) == 0 || self.mask() & DROPPING != 0 {
            return;
        }
        let put = |record: NativeRecord| {
            // A refill for this record is not reported.
            let (reservation, _) = self.reserve_slowly(index, 1, self.channels[index].reserve(1));
            if let Some(reservation) = reservation {
                // SAFETY: a slot of its own, and a native record fits.
                unsafe { reservation.at.cast::<NativeRecord>().write(record) };
                self.finish(index, reservation);
            }
        };
        put(NativeRecord::event(c"buffer request", begin, end));
        let dropped = self.dropped();
        let lost = dropped - self.reported.swap(dropped, Ordering::Relaxed).min(dropped);
        if lost != 0 {
            put(NativeRecord { a: lost, b: dropped, ..NativeRecord::information(c"records dropped") });
        }
    }

    /// In a forked child: there is no session.
    pub fn after_fork(&self) {
        self.settings.force_open();
        self.settings.with(|settings| settings.session = None);
        self.mask.store(0, Ordering::Relaxed);
        self.session.store(0, Ordering::Relaxed);
        self.lent.store(0, Ordering::Relaxed);
        self.channels.iter().for_each(Channel::forget_after_fork);
        self.progress.iter().for_each(Progress::forget_after_fork);
        self.refillers.iter().for_each(|refiller| refiller.store(0, Ordering::Relaxed));
    }
}

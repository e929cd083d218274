//! A thread's part of the sampling: its timer, its file of samples, and what it needs to unwind its stack.

use super::state::{RATE, SIGNAL, STRANGE, is_ours, is_runtime};
use super::timer::{Timer, thread_time};
use super::unwind;
use crate::arch;
use crate::store::Writer;
use crate::store::clock::Ticker;
use crate::store::sample::{self, DEEPEST, REGISTER_ENTRIES, Registers};
use std::sync::atomic::{AtomicU32, Ordering};

/// The clocks are compared again after this many samples.
const CALIBRATE_EVERY: u64 = 64;

/// Each of the first samples of a thread has its registers. After so many, one in [`REGISTERS_EVERY`] has: their 50
/// bytes a sample would be most of the file.
const REGISTERS_AT_FIRST: u64 = 2_000;
/// See above.
const REGISTERS_EVERY: u64 = 8;

/// What the signal's handler needs of its thread. After [`Sampler::begin`] only the handler uses it, until the thread
/// takes it back.
pub struct Sampler {
    /// Counts threads whose samples are missing or end early.
    missed: &'static AtomicU32,
    ticker: Ticker,
    timer: Timer,
    writer: Writer,
    /// None if the thread's stack is too small to be unwound on.
    stack: Option<unwind::Stack>,
    /// The stack of the last sample in the file.
    last: sample::Stack,
    /// The mean time between two samples, in nanoseconds of the thread's CPU time.
    period: u64,
    /// When the next sample is due, in nanoseconds of the thread's CPU time.
    next: u64,
    /// The state of the random numbers.
    random: u64,
    samples: u64,
}

impl Sampler {
    /// For the calling thread, with a writer of its own; the sampling begins with [`Sampler::begin`]. No sample is
    /// older than `now`, in ticks. None if there is no sampling, or if the thread cannot have a timer.
    pub fn new(
        missed: &'static AtomicU32,
        writer: impl FnOnce() -> std::io::Result<Writer>,
        ticker: Ticker,
        now: u64,
    ) -> Option<Box<Sampler>> {
        let (signal, rate) = (SIGNAL.load(Ordering::Relaxed), RATE.load(Ordering::Relaxed));
        if signal == 0 || rate == 0 || !is_ours(signal) {
            return None;
        }
        let made = Timer::new(signal).and_then(|timer| Ok((timer, writer()?)));
        let Ok((timer, writer)) = made else {
            missed.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        Some(Box::new(Sampler {
            missed,
            ticker,
            timer,
            writer,
            stack: unwind::Stack::of_this_thread(),
            last: sample::Stack::default(),
            period: 1_000_000_000 / u64::from(rate),
            next: 0,
            random: now | 1,
            samples: 0,
        }))
    }

    /// Arms the timer, for the first time or because a signal may have been missed. The handler must not know the
    /// sampler at the moment. The next sample is far enough off for the handler to know it by then.
    pub fn begin(&mut self) {
        self.next = thread_time();
        self.arm(self.next);
    }

    /// Records where the calling thread was interrupted. Called by the handler alone.
    pub fn sample(&mut self, context: &libc::ucontext_t) {
        let time = self.ticker.now();
        let registers = arch::interrupted(context);
        let ip = registers.ip();
        let mut callers = [0; DEEPEST];
        let mut depth = 0;
        if let Some(stack) = self.stack.as_mut().filter(|_| unwind::has_room(context)) {
            let found = stack.unwind(registers, is_runtime, &mut callers);
            depth = found.depth;
            if found.strange {
                STRANGE.store(true, Ordering::Relaxed);
            }
        }
        callers[..depth].reverse();
        let with_registers = self.samples < REGISTERS_AT_FIRST || self.samples.is_multiple_of(REGISTERS_EVERY);
        let general = with_registers.then(|| arch::general_registers(context));
        if self.write(time, &callers[..depth], ip, general.as_ref()) {
            self.arm(thread_time());
        } else {
            // The thread has no further samples.
            self.missed.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Writes a sample. False if there is no room for it, now and later.
    fn write(&mut self, time: u64, callers: &[u64], ip: u64, general: Option<&Registers>) -> bool {
        let entries = self.last.changes(callers) + general.map_or(0, |_| REGISTER_ENTRIES);
        if !self.writer.has_room(entries) {
            if self.writer.grow().is_err() {
                return false;
            }
            // A chunk is read without those before it.
            self.last.clear();
        }
        let writer = &mut self.writer;
        if let Some(general) = general {
            self.last.change_registers(general, |entry| {
                writer.record(time, &entry);
            });
        }
        self.last.change(callers, ip, |entry| {
            writer.record(time, &entry);
        });
        self.samples += 1;
        if self.samples.is_multiple_of(CALIBRATE_EVERY) {
            self.writer.calibrate(self.samples / CALIBRATE_EVERY);
        }
        true
    }

    /// Arms the timer for the next sample. The times between samples are random, but samples that come late do not
    /// change the mean. `now` is the thread's CPU time.
    fn arm(&mut self, now: u64) {
        // Marsaglia's xorshift.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let step = self.period / 2 + self.random % self.period;
        // While a thread blocks the signal, it misses its samples.
        self.next = (self.next + step).max(now.saturating_sub(2 * self.period));
        self.timer.arm(self.next.max(now + 1));
    }

    /// Ends the file. The handler must not know the sampler any more.
    pub fn finish(self) {
        let Sampler { timer, writer, .. } = self;
        drop(timer);
        writer.finish();
    }
}

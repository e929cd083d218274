//! The clock of an NVIDIA device: nanoseconds that the device has counted between events. Comparisons with the host's
//! clock translate the times (OpenMP 5.1 §4.6.2.2–3).
//!
//! The driver measures the time between two events, in milliseconds of 24 bits. Over long times, such a number loses
//! the nanoseconds. So times are always measured from an *anchor*, an event that is at most a few seconds old. An
//! anchor's own time is that of the anchor before, plus the time between the two. Each anchor is also compared with the
//! host's clock.

use crate::park::mutex::Mutex;
use crate::thread::wait::now_ns;
use cuda_driver::{Api, Event, Fault, NON_BLOCKING, Queue, TIMED};
use std::sync::Arc;

/// The age in nanoseconds at which an anchor is replaced. At this age, 24 bits resolve a quarter of a microsecond.
const LIFE: u64 = 4_000_000_000;
/// The most comparisons that are kept. Then every other one is dropped.
const MOST: usize = 4096;
/// A comparison is repeated up to `TRIES` times if it took more than `QUICK` nanoseconds.
const TRIES: u32 = 3;
const QUICK: u64 = 50_000;

/// An event whose time is known.
pub struct Anchor {
    event: Event,
    /// The event's time by the device's clock.
    at: u64,
    /// The event's time by the host's clock.
    host: u64,
}

/// The clock of one device.
pub struct Clock {
    state: Mutex<State>,
    /// Free events.
    events: Mutex<Vec<Event>>,
}

#[derive(Default)]
struct State {
    /// A stream for anchors alone; 0 if there is none yet.
    queue: Queue,
    anchor: Option<Arc<Anchor>>,
    /// The older anchors, as long as operations are measured by them.
    old: Vec<Arc<Anchor>>,
    comparisons: Comparisons,
}

/// Simultaneous times of the device and the host, in their order.
#[derive(Default)]
struct Comparisons {
    pairs: Vec<(u64, u64)>,
}

impl Comparisons {
    fn add(&mut self, device: u64, host: u64) {
        // Both clocks go forward. A comparison that does not was disturbed.
        if self.pairs.last().is_some_and(|last| last.0 >= device || last.1 >= host) {
            return;
        }
        if self.pairs.len() == MOST {
            let mut index = 0;
            self.pairs.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
        self.pairs.push((device, host));
    }

    /// The time on the other clock: on the line through the comparisons before and after. Behind the last comparison,
    /// and before the first, the clocks are taken for equally fast.
    fn translate(&self, time: u64, from: impl Fn(&(u64, u64)) -> u64, to: impl Fn(&(u64, u64)) -> u64) -> Option<u64> {
        let after = self.pairs.partition_point(|pair| from(pair) <= time);
        let (first, last) = (self.pairs.first()?, self.pairs.last()?);
        if after == 0 {
            return Some(to(first).saturating_sub(from(first) - time));
        }
        let before = &self.pairs[after - 1];
        let Some(after) = self.pairs.get(after) else { return Some(to(last) + (time - from(last))) };
        let part = (time - from(before)) as f64 / (from(after) - from(before)) as f64;
        Some(to(before) + (part * (to(after) - to(before)) as f64) as u64)
    }

    fn to_host(&self, device: u64) -> Option<u64> {
        self.translate(device, |pair| pair.0, |pair| pair.1)
    }

    fn to_device(&self, host: u64) -> Option<u64> {
        self.translate(host, |pair| pair.1, |pair| pair.0)
    }
}

impl Clock {
    pub fn new() -> Self {
        Clock { state: Mutex::new(State::default()), events: Mutex::new(Vec::new()) }
    }

    /// An event with a time. The caller has entered the device's context.
    pub fn event(&self, api: &Api) -> Result<Event, Fault> {
        if let Some(event) = self.events.with(Vec::pop) {
            return Ok(event);
        }
        // SAFETY: the caller has entered the context.
        unsafe { api.event_create(TIMED) }
    }

    /// Takes an event back for reuse.
    pub fn give_back(&self, event: Event) {
        self.events.with(|events| events.push(event));
    }

    /// The anchor for events that are recorded from here on. The caller has entered the device's context.
    pub fn anchor(&self, api: &Api) -> Result<Arc<Anchor>, Fault> {
        self.state.with(|state| {
            let fresh = state.anchor.clone().filter(|anchor| now_ns().saturating_sub(anchor.host) < LIFE);
            fresh.map_or_else(|| self.renew(api, state), Ok)
        })
    }

    #[cold]
    fn renew(&self, api: &Api, state: &mut State) -> Result<Arc<Anchor>, Fault> {
        if state.queue == 0 {
            // SAFETY: the caller has entered the context.
            state.queue = unsafe { api.stream_create(NON_BLOCKING)? };
        }
        let event = self.event(api)?;
        let host = self.record(api, state.queue, event)?;
        let at = match &state.anchor {
            Some(last) => last.at + elapsed(api, last.event, event)?,
            // The first time is the host's: 0 would mean no time.
            None => host,
        };
        let anchor = Arc::new(Anchor { event, at, host });
        state.comparisons.add(at, host);
        state.old.extend(state.anchor.replace(anchor.clone()));
        let events = &self.events;
        state.old.retain(|old| {
            let used = Arc::strong_count(old) > 1;
            if !used {
                events.with(|events| events.push(old.event));
            }
            used
        });
        Ok(anchor)
    }

    /// Records an event in a stream where nothing else is under way. The event's time by the host's clock.
    fn record(&self, api: &Api, queue: Queue, event: Event) -> Result<u64, Fault> {
        let mut tries = 0;
        loop {
            let before = now_ns();
            // SAFETY: the event and the stream are the clock's.
            unsafe {
                api.event_record(event, queue)?;
                api.event_synchronize(event)?;
            }
            let took = now_ns() - before;
            tries += 1;
            // A thread that was not interrupted knows the time well.
            if took < QUICK || tries == TRIES {
                return Ok(before + took / 2);
            }
        }
    }

    /// The time of an event by the device's clock. The event is complete, and was recorded while `anchor` was the
    /// anchor.
    pub fn time_of(&self, api: &Api, anchor: &Anchor, event: Event) -> Result<u64, Fault> {
        Ok(anchor.at + elapsed(api, anchor.event, event)?)
    }

    /// The device's time of now, translated from the host's.
    pub fn now(&self) -> u64 {
        let host = now_ns();
        self.state.with(|state| state.comparisons.to_device(host)).unwrap_or(host)
    }

    /// The device's time in nanoseconds of the host's clock.
    pub fn to_host(&self, time: u64) -> u64 {
        self.state.with(|state| state.comparisons.to_host(time)).unwrap_or(time)
    }

    /// Destroys what the driver has created for the clock. Times can still be translated.
    pub fn close(&self, api: &Api) {
        let (queue, anchors) = self.state.with(|state| {
            let anchors = state.anchor.take().into_iter().chain(state.old.drain(..)).collect::<Vec<_>>();
            (std::mem::take(&mut state.queue), anchors)
        });
        let events = self.events.with(std::mem::take);
        // SAFETY: no operation is under way. What cannot be destroyed goes with the context.
        unsafe {
            for event in events.into_iter().chain(anchors.iter().map(|anchor| anchor.event)) {
                let _ = api.event_destroy(event);
            }
            if queue != 0 {
                let _ = api.stream_destroy(queue);
            }
        }
    }

    /// In a forked child, where the driver's events and streams do not exist.
    pub fn forget(&self) {
        self.state.renew_after_fork();
        self.events.renew_after_fork();
    }
}

/// Nanoseconds between two events that are complete.
fn elapsed(api: &Api, start: Event, end: Event) -> Result<u64, Fault> {
    // SAFETY: both events are the device's, and have been recorded.
    let milliseconds = unsafe { api.event_elapsed(start, end)? };
    Ok((f64::from(milliseconds) * 1e6) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_translated_on_the_line_between_comparisons() {
        let mut comparisons = Comparisons::default();
        assert_eq!(comparisons.to_host(5), None);
        comparisons.add(1000, 5000);
        assert_eq!((comparisons.to_host(1500), comparisons.to_device(5500)), (Some(5500), Some(1500)));
        assert_eq!((comparisons.to_host(900), comparisons.to_device(4900)), (Some(4900), Some(900)));
        comparisons.add(2000, 7000);
        assert_eq!((comparisons.to_host(1500), comparisons.to_device(6000)), (Some(6000), Some(1500)));
        assert_eq!((comparisons.to_host(2100), comparisons.to_device(7100)), (Some(7100), Some(2100)));
        // One that was disturbed.
        comparisons.add(2000, 8000);
        assert_eq!(comparisons.pairs.len(), 2);
    }

    #[test]
    fn comparisons_do_not_grow_for_ever() {
        let mut comparisons = Comparisons::default();
        for step in 1..20_000_u64 {
            comparisons.add(step * 1000, step * 1001);
        }
        assert!(comparisons.pairs.len() <= MOST);
        for time in [5_000, 1_000_000, 19_000_000] {
            let host = comparisons.to_host(time).unwrap();
            assert!(host.abs_diff(time * 1001 / 1000) < 20_000, "{time} {host}");
        }
    }
}

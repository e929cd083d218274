//! The tracks below a thread's own: its samples as instants, each with its stack, and its counters, summed up from the
//! start of the recording. A track is described when it gets its first event.

use super::packets::Packets;
use super::schema::{COUNT, CounterDescriptor, TYPE_COUNTER, TYPE_INSTANT, TrackDescriptor, TrackEvent};
use crate::export::slices::Title;
use crate::reader::Sample;
use crate::site::Site;
use std::io::Result;

/// Numbers of tracks start here for samples; those of threads and devices are below.
const SAMPLES: u64 = 1 << 40;
/// And here for counters. A thread has fewer counters than this.
const COUNTERS: u64 = 1 << 41;
const MOST: u64 = 1 << 8;

/// What a thread's further tracks have so far.
#[derive(Clone, Default)]
pub struct Below {
    has_samples: bool,
    /// The sums of the counters, by their places in `meta.json`; none before a counter's first value.
    sums: Vec<Option<u64>>,
}

impl Below {
    /// Writes a sample of the thread with this index and track. `ns` is nanoseconds since 1970.
    pub fn sample(&mut self, of: Of, ns: u64, sample: &Sample, to: &mut Packets<'_>) -> Result<()> {
        let uuid = of.seed.wrapping_add(SAMPLES + of.index);
        if !std::mem::replace(&mut self.has_samples, true) {
            to.track(TrackDescriptor {
                uuid: Some(uuid),
                parent_uuid: Some(of.track),
                name: Some("samples".into()),
                ..TrackDescriptor::default()
            })?;
        }
        let functions: Vec<String> = to.frames(sample).into_iter().map(|frame| frame.function).collect();
        let name = functions.last().cloned().unwrap_or_default();
        let stack = to.text("stack", functions.join(" > "));
        let title = Title { name: name.into(), site: Site::default(), category: "sample" };
        let with = TrackEvent { debug_annotations: vec![stack], ..TrackEvent::default() };
        to.titled(ns, TYPE_INSTANT, uuid, title, with)
    }

    /// Adds what a counter has counted since its last value. `counter` is its place and its name.
    pub fn count(
        &mut self,
        of: Of,
        ns: u64,
        (counter, name): (usize, &str),
        value: u64,
        to: &mut Packets<'_>,
    ) -> Result<()> {
        let uuid = of.seed.wrapping_add(COUNTERS + of.index * MOST + counter as u64 % MOST);
        if self.sums.len() <= counter {
            self.sums.resize(counter + 1, None);
        }
        if self.sums[counter].is_none() {
            let descriptor = CounterDescriptor { unit: Some(COUNT) };
            to.track(TrackDescriptor {
                uuid: Some(uuid),
                parent_uuid: Some(of.track),
                name: Some(name.to_owned()),
                counter: Some(descriptor),
                ..TrackDescriptor::default()
            })?;
        }
        let sum = self.sums[counter].unwrap_or(0).saturating_add(value);
        self.sums[counter] = Some(sum);
        to.event(
            ns,
            TrackEvent {
                r#type: Some(TYPE_COUNTER),
                track_uuid: Some(uuid),
                counter_value: Some(i64::try_from(sum).unwrap_or(i64::MAX)),
                ..TrackEvent::default()
            },
        )
    }
}

/// A thread: what keeps its process's tracks apart from those of others, its index, and its own track.
#[derive(Clone, Copy)]
pub struct Of {
    /// The process's seed.
    pub seed: u64,
    /// The index in the trace.
    pub index: u64,
    /// The thread's track.
    pub track: u64,
}

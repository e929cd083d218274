//! One thread's slices as the events of a track.

use super::packets::Packets;
use super::schema::{TYPE_INSTANT, TYPE_SLICE_BEGIN, TrackEvent};
use crate::export::slices::{Details, Open, Sink, Title};
use std::io::Result;

/// A thread's track.
pub struct Track<'p, 'a> {
    pub uuid: u64,
    /// Keeps the flows of different processes apart.
    pub seed: u64,
    /// The offset that is added to times.
    pub epoch: u64,
    pub packets: &'p mut Packets<'a>,
}

impl Track<'_, '_> {
    fn event(&mut self, ns: u64, kind: i32, title: Title, details: Details) -> Result<()> {
        let annotations = details.values.into_iter().flatten();
        let with = TrackEvent {
            debug_annotations: annotations.map(|(name, value)| self.packets.annotation(name, value)).collect(),
            // Tasks and operations have numbers of their own.
            flow_ids: details.flow.map(|flow| self.seed.wrapping_add(flow)).into_iter().collect(),
            ..TrackEvent::default()
        };
        self.packets.titled(self.epoch.saturating_add(ns), kind, self.uuid, title, with)
    }
}

impl Sink for Track<'_, '_> {
    fn begin(&mut self, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        // A flow begins where a device's operation is requested, and where a task is created.
        self.packets.counts.flows += u64::from(matches!(open, Open::Operation(_)));
        self.event(ns, TYPE_SLICE_BEGIN, title, details)
    }

    fn end(&mut self, ns: u64) -> Result<()> {
        self.packets.end(self.epoch.saturating_add(ns), self.uuid)
    }

    fn instant(&mut self, ns: u64, title: Title, details: Details) -> Result<()> {
        self.packets.counts.flows += u64::from(details.flow.is_some());
        self.event(ns, TYPE_INSTANT, title, details)
    }
}

//! Builds packets: interned names, categories and source locations, and batches of packets on their way out.
//! All packets of a trace are one sequence, so a name is written once.

use super::schema::*;
use crate::Site;
use crate::export::frames::{Frame, Frames};
use crate::export::slices::Title;
use crate::reader::Sample;
use crate::symbols::Symbolizer;
use prost::Message as _;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::io::Write;

/// Packets are encoded and written in batches of this many.
const BATCH: usize = 4096;

/// What was exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tracks of threads.
    pub tracks: u64,
    /// Slices.
    pub slices: u64,
    /// Flows from creation to execution of a task.
    pub flows: u64,
    /// Bytes written.
    pub bytes: u64,
}

/// Writes one trace.
pub struct Packets<'a> {
    out: &'a mut dyn Write,
    symbols: &'a mut Symbolizer,
    sequence: u32,
    batch: Trace,
    buffer: Vec<u8>,
    names: FxHashMap<(Cow<'static, str>, Site), (u64, Option<u64>)>,
    categories: FxHashMap<&'static str, u64>,
    annotations: FxHashMap<&'static str, u64>,
    texts: FxHashMap<String, u64>,
    /// The interned data that the next packet must define.
    new: InternedData,
    /// What was written so far.
    pub counts: Counts,
}

impl<'a> Packets<'a> {
    /// A writer whose packets form the sequence `sequence`, which is not 0.
    pub fn new(out: &'a mut dyn Write, symbols: &'a mut Symbolizer, sequence: u32) -> std::io::Result<Packets<'a>> {
        let mut packets = Packets {
            out,
            symbols,
            sequence,
            batch: Trace::default(),
            buffer: Vec::new(),
            names: FxHashMap::default(),
            categories: FxHashMap::default(),
            annotations: FxHashMap::default(),
            texts: FxHashMap::default(),
            new: InternedData::default(),
            counts: Counts::default(),
        };
        packets.put(TracePacket { sequence_flags: Some(SEQ_INCREMENTAL_STATE_CLEARED), ..TracePacket::default() })?;
        Ok(packets)
    }

    /// Describes a track.
    pub fn track(&mut self, descriptor: TrackDescriptor) -> std::io::Result<()> {
        self.counts.tracks += u64::from(descriptor.thread.is_some());
        self.put(TracePacket { track_descriptor: Some(Box::new(descriptor)), ..TracePacket::default() })
    }

    /// An event with a title on a track: the begin of a slice, or an instant.
    pub fn titled(&mut self, ns: u64, kind: i32, track: u64, title: Title, with: TrackEvent) -> std::io::Result<()> {
        let category = self.category(title.category);
        let (name, location) = self.name(title);
        self.event(
            ns,
            TrackEvent {
                category_iids: vec![category],
                r#type: Some(kind),
                name_iid: Some(name),
                track_uuid: Some(track),
                source_location_iid: location,
                ..with
            },
        )
    }

    /// The end of the innermost slice of a track.
    pub fn end(&mut self, ns: u64, track: u64) -> std::io::Result<()> {
        self.counts.slices += 1;
        self.event(ns, TrackEvent { r#type: Some(TYPE_SLICE_END), track_uuid: Some(track), ..TrackEvent::default() })
    }

    /// A number that is shown with an event.
    pub fn annotation(&mut self, name: &'static str, value: u64) -> DebugAnnotation {
        let name_iid = Some(self.annotation_name(name));
        DebugAnnotation { name_iid, uint_value: Some(value), string_value_iid: None }
    }

    /// A text that is shown with an event.
    pub fn text(&mut self, name: &'static str, text: String) -> DebugAnnotation {
        let name_iid = Some(self.annotation_name(name));
        let next = self.texts.len() as u64 + 1;
        let iid = *self.texts.entry(text).or_insert_with_key(|text| {
            let value = InternedName { iid: Some(next), name: Some(text.clone()) };
            self.new.debug_annotation_string_values.push(value);
            next
        });
        DebugAnnotation { name_iid, uint_value: None, string_value_iid: Some(iid) }
    }

    fn annotation_name(&mut self, name: &'static str) -> u64 {
        let next = self.annotations.len() as u64 + 1;
        *self.annotations.entry(name).or_insert_with(|| {
            self.new.debug_annotation_names.push(InternedName { iid: Some(next), name: Some(name.to_owned()) });
            next
        })
    }

    /// The frames of a sample, the outermost first.
    pub fn frames(&mut self, sample: &Sample) -> Vec<Frame> {
        Frames::new(self.symbols).of(sample)
    }

    /// Writes what is left.
    pub fn finish(mut self) -> std::io::Result<Counts> {
        self.flush()?;
        self.out.flush()?;
        Ok(self.counts)
    }

    fn name(&mut self, title: Title) -> (u64, Option<u64>) {
        let key = (title.name, title.site);
        if let Some(known) = self.names.get(&key) {
            return *known;
        }
        let iid = self.names.len() as u64 + 1;
        let mut text = key.0.clone().into_owned();
        let mut source = None;
        if title.site != Site::default() {
            let location = self.symbols.locate(title.site);
            text = format!("{text} {}", location.short());
            if let (Some(file), Some(line)) = (&location.file, location.line) {
                source = Some(iid);
                self.new.source_locations.push(SourceLocation {
                    iid: source,
                    file_name: Some(file.to_string_lossy().into_owned()),
                    function_name: location.function.clone(),
                    line_number: Some(line),
                });
            }
        }
        self.new.event_names.push(InternedName { iid: Some(iid), name: Some(text) });
        self.names.insert(key, (iid, source));
        (iid, source)
    }

    fn category(&mut self, category: &'static str) -> u64 {
        let next = self.categories.len() as u64 + 1;
        *self.categories.entry(category).or_insert_with(|| {
            self.new.event_categories.push(InternedName { iid: Some(next), name: Some(category.to_owned()) });
            next
        })
    }

    /// An event without a title.
    pub fn event(&mut self, ns: u64, event: TrackEvent) -> std::io::Result<()> {
        let new = std::mem::take(&mut self.new);
        self.put(TracePacket {
            timestamp: Some(ns),
            track_event: Some(Box::new(event)),
            interned_data: (new != InternedData::default()).then(|| Box::new(new)),
            sequence_flags: Some(SEQ_NEEDS_INCREMENTAL_STATE),
            ..TracePacket::default()
        })
    }

    fn put(&mut self, packet: TracePacket) -> std::io::Result<()> {
        self.batch.packet.push(TracePacket { trusted_packet_sequence_id: Some(self.sequence), ..packet });
        if self.batch.packet.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.buffer.clear();
        self.batch.encode(&mut self.buffer).expect("a vector takes every byte");
        self.batch.packet.clear();
        self.counts.bytes += self.buffer.len() as u64;
        self.out.write_all(&self.buffer)
    }
}

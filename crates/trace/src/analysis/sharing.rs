//! Worksharing loops and sections as a summary has them.

use super::sum::add;
use crate::Site;
use serde::{Deserialize, Serialize};

/// What it costs a thread to get a chunk of a dynamic loop, while others get theirs, in nanoseconds.
pub const DISPATCH_NS: u64 = 90;

/// All executions of one worksharing loop, `distribute` or sections construct. Times are in nanoseconds.
///
/// A chunk lasts until its thread is given the next one, or leaves the construct: the time in which a thread gets a
/// chunk counts to the chunk before. clang divides loops with a static schedule, `distribute` and sections in the
/// program: then all that a thread executes is one chunk, whose iterations are those of the thread's first. gcc expands
/// static loops without any call: they are not here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loop {
    /// The innermost parallel region.
    pub region: Site,
    /// The construct.
    pub site: Site,
    /// `ompt_work_t`, which tells the schedule; see [`work_name`](crate::analysis::work_name).
    pub kind: u64,
    /// Executions by a team.
    pub executions: u64,
    /// Largest team.
    pub max_threads: u64,
    /// Iterations of all executions; sections, in a sections construct.
    pub iterations: u64,
    /// Chunks of all threads.
    pub chunks: u64,
    /// The most chunks that one thread had in one execution.
    pub max_chunks: u64,
    /// Iterations of the largest chunk: of a dynamic schedule, the chunk size, unless no execution has that many
    /// iterations.
    pub largest_chunk: u64,
    /// The sum of the lengths of all chunks.
    pub chunk_ns: u64,
    /// The shortest.
    pub min_chunk_ns: u64,
    /// The longest.
    pub max_chunk_ns: u64,
    /// How many chunks were so long: the item `n` counts those of 2^n and more nanoseconds, but less than 2^(n+1).
    pub lengths: Vec<u64>,
    /// The longest chunk, if each chunk has been recorded.
    pub longest: Option<Chunk>,
    /// The sum of the threads' times in the construct, without the barrier after it.
    pub thread_ns: u64,
    /// Sum over executions of the time of the thread that was in the construct longest.
    pub busiest_ns: u64,
    /// Sum over executions of the team's mean time in the construct.
    pub mean_ns: f64,
    /// Of a sections construct: what is known of each section, by number.
    pub sections: Vec<Section>,
}

/// One chunk of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The number of the thread that executed it.
    pub thread: u32,
    /// The first iteration, counted from 0.
    pub first: u64,
    /// Its iterations.
    pub iterations: u64,
    /// Nanoseconds from the start of the recording to its begin.
    pub begin_ns: u64,
    /// Nanoseconds that it took.
    pub ns: u64,
}

/// All executions of one section, or of sections that a thread executes in one go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Its number in the construct, from 1; 0 for those that are not known one by one.
    pub first: u64,
    /// How many sections this is about.
    pub count: u64,
    /// Executions.
    pub executions: u64,
    /// Their time.
    pub total_ns: u64,
    /// The longest.
    pub max_ns: u64,
}

impl Loop {
    /// Time in the construct that is in no chunk: before a thread's first chunk.
    pub fn dispatch_ns(&self) -> u64 {
        self.thread_ns.saturating_sub(self.chunk_ns)
    }

    /// Mean length of a chunk; 0 if there are none.
    pub fn mean_chunk_ns(&self) -> u64 {
        self.chunk_ns.checked_div(self.chunks).unwrap_or(0)
    }

    /// By how much the mean thread's time in the construct falls short of the busiest thread's, in percent.
    pub fn imbalance(&self) -> f64 {
        if self.busiest_ns == 0 { 0.0 } else { 100.0 * (1.0 - self.mean_ns / self.busiest_ns as f64) }
    }

    /// Adds the chunks of another's threads or executions.
    pub(super) fn unite(&mut self, other: &Loop) {
        let least = if self.chunks == 0 { other.min_chunk_ns } else { self.min_chunk_ns.min(other.min_chunk_ns) };
        self.min_chunk_ns = if other.chunks == 0 { self.min_chunk_ns } else { least };
        self.executions += other.executions;
        self.max_threads = self.max_threads.max(other.max_threads);
        add(&mut self.iterations, other.iterations);
        add(&mut self.chunks, other.chunks);
        self.max_chunks = self.max_chunks.max(other.max_chunks);
        self.largest_chunk = self.largest_chunk.max(other.largest_chunk);
        add(&mut self.chunk_ns, other.chunk_ns);
        self.max_chunk_ns = self.max_chunk_ns.max(other.max_chunk_ns);
        self.note_longest(other.longest);
        if self.lengths.len() < other.lengths.len() {
            self.lengths.resize(other.lengths.len(), 0);
        }
        for (sum, more) in self.lengths.iter_mut().zip(&other.lengths) {
            add(sum, *more);
        }
        add(&mut self.thread_ns, other.thread_ns);
        add(&mut self.busiest_ns, other.busiest_ns);
        self.mean_ns += other.mean_ns;
        for section in &other.sections {
            self.add_section(*section);
        }
    }

    /// Keeps the longest chunk; the earlier one of two that are equally long.
    pub(super) fn note_longest(&mut self, other: Option<Chunk>) {
        let rank = |chunk: &Chunk| (chunk.ns, std::cmp::Reverse((chunk.begin_ns, chunk.thread)));
        self.longest = self.longest.into_iter().chain(other).max_by_key(rank);
    }

    fn add_section(&mut self, section: Section) {
        match self.sections.iter_mut().find(|known| (known.first, known.count) == (section.first, section.count)) {
            Some(known) => {
                known.executions += section.executions;
                known.max_ns = known.max_ns.max(section.max_ns);
                add(&mut known.total_ns, section.total_ns);
            }
            None => self.sections.push(section),
        }
    }

    /// A chunk of this length was counted so many times.
    pub(super) fn add_length(&mut self, octave: u64, chunks: u64) {
        let octave = octave.min(63) as usize;
        if self.lengths.len() <= octave {
            self.lengths.resize(octave + 1, 0);
        }
        add(&mut self.lengths[octave], chunks);
    }
}

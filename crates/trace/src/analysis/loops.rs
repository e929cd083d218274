//! Worksharing loops, `distribute` and sections: how the iterations were handed out, how long chunks were, and how
//! unequal the threads' parts.

use super::sharing::{Chunk, Loop, Section};
use crate::Site;
use crate::store::Record;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Whether a worksharing region of this `ompt_work_t` hands out iterations or sections.
pub(super) fn is_loop(kind: u64) -> bool {
    matches!(kind, 1 | 2 | 6 | 10..=13)
}

/// One thread's part in a construct that is under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    /// The number of the construct among those that the thread has encountered in its region.
    number: u64,
    begin: u64,
    so_far: Loop,
    /// The chunk that the thread executes, if each is recorded, and when it began in the time of the summary.
    chunk: Option<(Chunk, u64)>,
}

/// The worksharing of one thread in one region.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// Constructs encountered.
    seen: u64,
    open: Option<Part>,
}

impl Parts {
    /// The thread enters a construct.
    pub fn begin(&mut self, kind: u64, iterations: u64, codeptr: u64, ns: u64) {
        self.seen += 1;
        let so_far = Loop { kind, iterations, site: codeptr.into(), ..Loop::default() };
        self.open = Some(Part { number: self.seen, begin: ns, so_far, chunk: None });
    }

    /// The thread, at `now`, is given a chunk. The chunk does not know its length yet.
    pub fn give(&mut self, chunk: Chunk, now: u64) {
        let Some(part) = &mut self.open else { return };
        part.end_chunk(now);
        part.chunk = Some((chunk, now));
    }

    /// Takes what the thread has executed in the construct.
    pub fn note(&mut self, record: Record) {
        let Some(Part { so_far, .. }) = &mut self.open else { return };
        match record {
            Record::ChunkLengths { octave, chunks } => so_far.add_length(octave, chunks),
            Record::Chunks { chunks, largest, total_ns, min_ns, max_ns, .. } => {
                (so_far.chunks, so_far.max_chunks, so_far.largest_chunk) = (chunks, chunks, largest);
                (so_far.chunk_ns, so_far.min_chunk_ns, so_far.max_chunk_ns) = (total_ns, min_ns, max_ns);
                match chunks {
                    1 => so_far.add_length(octave(max_ns), 1),
                    2 => [min_ns, max_ns].into_iter().for_each(|ns| so_far.add_length(octave(ns), 1)),
                    _ => {}
                }
            }
            Record::Section { section: first, count, ns } => {
                let section = Section { first, count, executions: 1, total_ns: ns, max_ns: ns };
                let chunk = Loop {
                    chunks: 1,
                    max_chunks: so_far.max_chunks.saturating_add(1),
                    chunk_ns: ns,
                    min_chunk_ns: ns,
                    max_chunk_ns: ns,
                    sections: vec![section],
                    ..Loop::default()
                };
                so_far.unite(&chunk);
            }
            _ => {}
        }
    }

    /// The thread leaves the construct.
    pub fn end(&mut self, ns: u64) -> Option<Part> {
        let mut part = self.open.take()?;
        part.end_chunk(ns);
        part.so_far.thread_ns = ns.saturating_sub(part.begin);
        part.so_far.busiest_ns = part.so_far.thread_ns;
        Some(part)
    }
}

impl Part {
    fn end_chunk(&mut self, now: u64) {
        if let Some((chunk, begin)) = self.chunk.take() {
            self.so_far.note_longest(Some(Chunk { ns: now.saturating_sub(begin), ..chunk }));
        }
    }
}

fn octave(ns: u64) -> u64 {
    (ns | 1).ilog2().into()
}

/// One execution of a construct by a team that some members have left, and others not yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Execution {
    number: u64,
    members: u64,
    sum: Loop,
}

/// The sums over all executions that are over, by region, construct and kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops(FxHashMap<(Site, Site, u64), Loop>);

impl Loops {
    /// What was summed up so far does not count.
    pub fn forget(&mut self) {
        self.0.clear();
    }

    /// A thread has left a construct that is in no parallel region.
    pub fn add_alone(&mut self, part: Part) {
        self.conclude(Execution { number: part.number, members: 1, sum: part.so_far }, Site::default(), 1);
    }

    /// A member of a team has left a construct. `executions` are those that not all members have left.
    pub fn add(&mut self, part: Part, executions: &mut Vec<Execution>, region: Site, team: u64) {
        let index = executions.iter().position(|known| known.number == part.number).unwrap_or_else(|| {
            let Loop { kind, site, iterations, .. } = part.so_far;
            let sum = Loop { kind, site, iterations, ..Loop::default() };
            executions.push(Execution { number: part.number, members: 0, sum });
            executions.len() - 1
        });
        let execution = &mut executions[index];
        execution.members += 1;
        let busiest_ns = execution.sum.busiest_ns.max(part.so_far.busiest_ns);
        execution.sum.unite(&Loop { iterations: 0, ..part.so_far });
        execution.sum.busiest_ns = busiest_ns;
        if execution.members >= team {
            let execution = executions.swap_remove(index);
            self.conclude(execution, region, team);
        }
    }

    /// A region is over, and with it the constructs that some members have not left, or not encountered.
    pub fn end_region(&mut self, executions: &mut Vec<Execution>, region: Site, team: u64) {
        for execution in std::mem::take(executions) {
            self.conclude(execution, region, team);
        }
    }

    fn conclude(&mut self, execution: Execution, region: Site, team: u64) {
        let Execution { members, mut sum, .. } = execution;
        if sum.site.codeptr == region.codeptr {
            // A combined construct: one call for region and loop.
            sum.site = region;
        }
        sum.executions = 1;
        sum.max_threads = team.max(members);
        sum.mean_ns = sum.thread_ns as f64 / sum.max_threads.max(1) as f64;
        self.0.entry((region, sum.site, sum.kind)).or_default().unite(&sum);
    }

    /// The sites of all regions and constructs.
    pub fn sites(&self) -> BTreeSet<Site> {
        self.0.keys().flat_map(|(region, site, _)| [*region, *site]).collect()
    }

    /// The loops by place, the one with the most time first.
    pub fn finish(self, place: impl Fn(Site) -> Site) -> Vec<Loop> {
        let mut united: FxHashMap<(Site, Site, u64), Loop> = FxHashMap::default();
        for ((region, site, kind), one) in self.0 {
            united.entry((place(region), place(site), kind)).or_default().unite(&one);
        }
        let with_places = |((region, site, kind), mut one): (_, Loop)| {
            one.sections.sort_by_key(|section| (section.first == 0, section.first, section.count));
            Loop { region, site, kind, ..one }
        };
        let mut loops: Vec<Loop> = united.into_iter().map(with_places).collect();
        loops.sort_by_key(|one| (std::cmp::Reverse(one.thread_ns), one.site, one.kind, one.region));
        loops
    }
}

/// Whether a record says what a thread has executed of a worksharing construct. Such a record is no event.
pub(super) fn is_about_chunks(record: &Record) -> bool {
    matches!(
        record,
        Record::Chunk { .. } | Record::Chunks { .. } | Record::ChunkLengths { .. } | Record::Section { .. }
    )
}

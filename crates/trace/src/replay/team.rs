//! A team of threads in one execution of a parallel region, and its barriers.

use super::chunks::{Given, hand_out};
use super::moment::Moment;
use super::path::Path;
use super::phase::Phase;
use crate::Site;
use rustc_hash::FxHashMap;

/// One execution of a region that is under way, or that members have not left yet.
#[derive(Debug, Default)]
pub struct Team {
    /// The region, as the report places it.
    pub site: Site,
    /// When the encountering thread has begun the region.
    pub fork: Moment,
    /// The chain that led there, from the begin of the region around.
    pub base: Path,
    /// Implicit tasks seen.
    pub members: u64,
    /// Members that are inside now.
    pub inside: u64,
    /// Whether it has ended for the encountering thread.
    pub ended: bool,
    /// Whether all of its work is balanced in the replay.
    pub balanced: bool,
    /// Threads in the replay, if they are others.
    pub threads: Option<u64>,
    /// Work since the last barrier. Empty unless the number of threads is changed.
    pub phase: Phase,
    /// Chunks that are to be handed out anew before a barrier, by its number.
    chunks: FxHashMap<u64, Vec<Given>>,
    /// By their number.
    barriers: FxHashMap<u64, Barrier>,
}

/// A barrier that not all members have left.
#[derive(Debug, Default)]
struct Barrier {
    arrivals: Vec<Arrival>,
    complete: Option<Moment>,
    left: usize,
}

/// A member's last arrival: a member that executes tasks in a barrier arrives again.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The index of the thread.
    pub thread: usize,
    pub at: Moment,
    /// Work since the last barrier that is to be balanced, by spot.
    pub balance: Path,
    /// When the member has begun or left the last barrier.
    pub since: Moment,
}

impl Team {
    /// A team that its encountering thread has just begun.
    pub fn new(site: Site, fork: Moment, base: Path) -> Team {
        Team { site, fork, base, inside: 1, ..Team::default() }
    }

    /// A member waits at a barrier, the one with this number of those that it has encountered.
    pub fn arrive(&mut self, number: u64, arrival: Arrival) {
        let barrier = self.barriers.entry(number).or_default();
        match barrier.arrivals.iter_mut().find(|known| known.thread == arrival.thread) {
            Some(known) => *known = arrival,
            None => barrier.arrivals.push(arrival),
        }
    }

    /// A member has executed a chunk before the barrier with this number.
    pub fn give(&mut self, barrier: u64, chunk: Given) {
        self.chunks.entry(barrier).or_default().push(chunk);
    }

    /// When the last member has arrived. Called for each member that leaves.
    pub fn leave(&mut self, number: u64) -> Option<Moment> {
        let (members, threads) = (self.members, self.threads);
        let barrier = self.barriers.get_mut(&number)?;
        barrier.left += 1;
        let left = barrier.left;
        let complete = match &barrier.complete {
            Some(complete) => complete.clone(),
            None => {
                let complete = match threads {
                    Some(threads) => resized(&barrier.arrivals, &std::mem::take(&mut self.phase), threads),
                    None => {
                        let chunks = self.chunks.remove(&number).unwrap_or_default();
                        if barrier.arrivals.len() as u64 >= members {
                            redistribute(&mut barrier.arrivals, chunks);
                        }
                        last(&mut barrier.arrivals, members)
                    }
                };
                barrier.complete = Some(complete.clone());
                complete
            }
        };
        if left >= barrier.arrivals.len() {
            self.barriers.remove(&number);
        }
        Some(complete)
    }

    /// A member does not wait at a barrier.
    pub fn pass(&mut self, number: u64) {
        if let Some(barrier) = self.barriers.get_mut(&number) {
            barrier.left += 1;
            if barrier.left >= barrier.arrivals.len() {
                self.barriers.remove(&number);
            }
        }
    }
}

fn total(path: &Path) -> u64 {
    path.steps().iter().fold(0, |sum, (_, ns)| sum.saturating_add(*ns))
}

/// The last arrival, once the members have equal parts of what is to be balanced. Where a member has left before all
/// have come, by the trace's clock, their parts are not known and stay.
fn last(arrivals: &mut [Arrival], members: u64) -> Moment {
    let sum = arrivals.iter().map(|arrival| total(&arrival.balance)).fold(0, u64::saturating_add);
    let mean = sum / (arrivals.len() as u64).max(1);
    let spot = arrivals.iter().find_map(|arrival| arrival.balance.steps().first()).map(|(spot, _)| *spot);
    let spot = spot.filter(|_| arrivals.len() as u64 >= members);
    let mut last = Moment::default();
    for arrival in arrivals {
        if let Some(spot) = spot {
            let own = total(&arrival.balance);
            arrival.at.replayed = arrival.at.replayed.saturating_sub(own).saturating_add(mean);
            for &(spot, ns) in arrival.balance.steps() {
                arrival.at.path.take(spot, ns);
            }
            arrival.at.path.add(spot, mean);
        }
        last.unite(&arrival.at);
    }
    last
}

/// Hands the chunks of loops out anew.
fn redistribute(arrivals: &mut [Arrival], mut chunks: Vec<Given>) {
    while let Some(&Given { spot, size, .. }) = chunks.first() {
        let mut of_loop: Vec<Given> = chunks.extract_if(.., |chunk| chunk.spot == spot).collect();
        let own: Vec<u64> = arrivals
            .iter()
            .map(|arrival| {
                let theirs = of_loop.iter().filter(|chunk| chunk.thread == arrival.thread);
                theirs.fold(0, |sum: u64, chunk| sum.saturating_add(chunk.ns))
            })
            .collect();
        let free: Vec<u64> =
            arrivals.iter().zip(&own).map(|(arrival, own)| arrival.at.replayed.saturating_sub(*own)).collect();
        let parts = hand_out(&mut of_loop, size, &free);
        for (((arrival, own), free), part) in arrivals.iter_mut().zip(own).zip(free).zip(parts) {
            arrival.at.replayed = free.saturating_add(part);
            arrival.at.path.take(spot, own);
            arrival.at.path.add(spot, part);
        }
    }
}

/// The end of a phase with another number of threads.
fn resized(arrivals: &[Arrival], phase: &Phase, threads: u64) -> Moment {
    let begin = arrivals.iter().map(|arrival| u128::from(arrival.since.replayed)).sum::<u128>();
    let begin = (begin / arrivals.len().max(1) as u128) as u64;
    let (time, steps) = phase.time(threads);
    let mut path = arrivals.first().map_or(Path::default(), |arrival| arrival.since.path.clone());
    steps.into_iter().for_each(|(spot, ns)| path.add(spot, ns));
    let measured = arrivals.iter().map(|arrival| arrival.at.measured).max().unwrap_or(0);
    Moment { measured, replayed: begin.saturating_add(time), path }
}

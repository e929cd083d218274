//! The work of a team from one barrier to the next, by construct and member, and how long another number of threads
//! would take for it.
//!
//! A static loop's iterations, and the region's own code, are cut anew: each member's part is taken as evenly spread
//! over its iterations. Chunks of other loops, sections and tasks go to whichever thread is free. Single and masked
//! constructs have one thread. No phase is shorter than its longest chunk, its longest chain of tasks, or the time
//! for which one lock is held.

use rustc_hash::FxHashMap;

/// How a construct's work can be shared out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// In blocks, in the order of the members.
    #[default]
    Blocks,
    /// In pieces, to whoever is free.
    Pieces,
    /// Not at all.
    Alone,
    /// Each thread has as much of it as any other.
    Each,
}

/// The work in one construct.
#[derive(Clone, Debug, Default)]
struct Construct {
    sharing: Sharing,
    /// By the member's number.
    members: Vec<(u64, u64)>,
    /// Iterations or sections; 0 if their number is not known.
    pieces: u64,
    /// The longest chunk, section or task.
    largest: u64,
}

/// What has been done since the last barrier.
#[derive(Clone, Debug, Default)]
pub struct Phase {
    /// By spot.
    constructs: FxHashMap<u32, Construct>,
    /// How long each lock was held, by spot.
    held: FxHashMap<u32, u64>,
    /// The longest chain of tasks.
    span: u64,
}

impl Phase {
    /// A member has worked at a spot.
    pub fn work(&mut self, spot: u32, sharing: Sharing, member: u64, ns: u64) {
        let construct = self.constructs.entry(spot).or_default();
        construct.sharing = sharing;
        match construct.members.iter_mut().find(|(known, _)| *known == member) {
            Some((_, sum)) => *sum = sum.saturating_add(ns),
            None => construct.members.push((member, ns)),
        }
    }

    /// A construct has so many pieces, or one as long as this.
    pub fn pieces(&mut self, spot: u32, pieces: u64, largest: u64) {
        let construct = self.constructs.entry(spot).or_default();
        construct.pieces = construct.pieces.max(pieces);
        construct.largest = construct.largest.max(largest);
    }

    /// A lock was held.
    pub fn hold(&mut self, spot: u32, ns: u64) {
        let sum = self.held.entry(spot).or_default();
        *sum = sum.saturating_add(ns);
    }

    /// A chain of tasks is so long.
    pub fn chain(&mut self, span: u64) {
        self.span = self.span.max(span);
    }

    /// How long `threads` threads take, and what the busiest of them does, by spot.
    pub fn time(&self, threads: u64) -> (u64, Vec<(u32, u64)>) {
        let threads = threads.max(1) as usize;
        let mut busy = vec![0.0; threads];
        let (mut pieces, mut floor) = (0.0, (None, self.span));
        let mut constructs: Vec<(&u32, &Construct)> = self.constructs.iter().collect();
        constructs.sort_by_key(|(spot, _)| **spot);
        let mut parts: Vec<Vec<f64>> = Vec::new();
        for &(spot, construct) in &constructs {
            let own = construct.parts(threads);
            busy.iter_mut().zip(&own).for_each(|(sum, part)| *sum += part);
            parts.push(own);
            if construct.sharing == Sharing::Pieces {
                pieces += construct.total();
                if construct.largest > floor.1 {
                    floor = (Some(*spot), construct.largest);
                }
            }
        }
        for (spot, held) in &self.held {
            if *held > floor.1 {
                floor = (Some(*spot), *held);
            }
        }
        let mean = (busy.iter().sum::<f64>() + pieces) / threads as f64;
        let busiest = (0..threads).max_by(|a, b| busy[*a].total_cmp(&busy[*b])).unwrap_or(0);
        let time = busy[busiest].max(mean).max(floor.1 as f64);
        let mut rest = time - busy[busiest];
        let mut steps: Vec<(u32, u64)> = Vec::new();
        for (&(spot, construct), own) in constructs.iter().zip(&parts) {
            if construct.sharing == Sharing::Pieces {
                let part = construct.total() / pieces.max(1.0) * (mean - busy[busiest]).max(0.0);
                rest -= part;
                steps.push((*spot, part as u64));
            } else {
                steps.push((*spot, own.get(busiest).map_or(0, |part| *part as u64)));
            }
        }
        let first = constructs.iter().max_by_key(|(_, construct)| construct.largest).map(|(spot, _)| **spot);
        if let Some(spot) = floor.0.or(first).filter(|_| rest >= 1.0) {
            steps.push((spot, rest as u64));
        }
        (time as u64, steps)
    }
}

impl Construct {
    fn total(&self) -> f64 {
        self.members.iter().map(|(_, ns)| *ns as f64).sum()
    }

    /// What each of so many threads has of it. Empty if that is not known before.
    fn parts(&self, threads: usize) -> Vec<f64> {
        match self.sharing {
            Sharing::Each => vec![self.total() / self.members.len().max(1) as f64; threads],
            Sharing::Alone => vec![self.total()],
            Sharing::Pieces => Vec::new(),
            Sharing::Blocks => {
                let most = usize::try_from(self.pieces).unwrap_or(usize::MAX);
                self.blocks(if most > 0 { threads.min(most) } else { threads })
            }
        }
    }

    /// The work of so many blocks, if each member's part is evenly spread over its block.
    fn blocks(&self, threads: usize) -> Vec<f64> {
        let mut members = self.members.clone();
        members.sort_unstable();
        let scale = members.len() as f64 / threads as f64;
        let block = |thread: usize| {
            let (from, to) = (thread as f64 * scale, (thread + 1) as f64 * scale);
            let touched = members.iter().enumerate().take(to.ceil() as usize).skip(from as usize);
            touched.map(move |(index, (_, ns))| {
                let overlap = (to.min((index + 1) as f64) - from.max(index as f64)).max(0.0);
                overlap * *ns as f64
            })
        };
        (0..threads).map(|thread| block(thread).sum()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_cut_anew() {
        let mut phase = Phase::default();
        phase.work(1, Sharing::Blocks, 0, 300);
        phase.work(1, Sharing::Blocks, 1, 100);
        assert_eq!(phase.time(2), (300, vec![(1, 300)]));
        assert_eq!(phase.time(4), (150, vec![(1, 150)]));
        assert_eq!(phase.time(1), (400, vec![(1, 400)]));
        phase.pieces(1, 3, 0);
        assert_eq!(phase.time(4).0, 200, "three iterations have work for three threads");
    }

    #[test]
    fn pieces_go_to_who_is_free() {
        let mut phase = Phase::default();
        phase.work(1, Sharing::Pieces, 0, 400);
        phase.work(2, Sharing::Alone, 1, 100);
        assert_eq!(phase.time(5), (100, vec![(1, 0), (2, 100)]));
        assert_eq!(phase.time(2), (250, vec![(1, 150), (2, 100)]));
        phase.pieces(1, 0, 350);
        assert_eq!(phase.time(2), (350, vec![(1, 150), (2, 100), (1, 100)]));
        phase.hold(3, 500);
        assert_eq!(phase.time(8).0, 500, "one thread at a time holds the lock");
    }
}

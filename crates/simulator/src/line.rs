//! A cache line: which cores have it, and what an access costs.
//!
//! The states are those of MESI. A line has an owner, the only core that has it and may write it; or sharers, which may
//! read; or neither, and lies in memory.
//!
//! - A core that has the line reads at the price of a hit. So a thread that looks again and again at a line that nobody
//!   writes causes no transfer.
//! - A core that owns the line writes at the price of a hit.
//! - Any other read is a transfer from the owner or from the nearest sharer. Any other write takes the line from all
//!   cores that have it, and takes as long as the farthest of them needs.
//!
//! A line is a resource with a queue: a transfer begins when the one before is over. Reads of a shared line are shorter
//! in that queue than they take, and each complex has a queue of its own, because the complex's cache has a copy.
//!
//! Stores of one core to one line are one transfer, as long as the line is on its way: they wait in the core's buffer.
//!
//! A core keeps its line until the next core's request comes, after a part of that core's transfer. So a core that has
//! just got a contended line can use it again at once, as a loop of compare-and-exchange does that failed. A line
//! therefore has two holders: the core or cores that have it now, and those that will have it when
//! all transfers that have begun are over.

use crate::machine::{Machine, Time};
use std::collections::VecDeque;

/// Bytes of a cache line.
pub const LINE: usize = 64;
/// The most cores of a machine.
const MOST_CORES: usize = 256;

/// A core keeps a line for this part of the transfer to the next core: a fifth. An assumption. With a half, an empty
/// critical region of two threads takes 25 ns in the model; with a quarter to an eighth 58; measured were 85.
const KEEPS: Time = 5;

/// How an access uses its line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    /// The thread waits for the line.
    Write,
    /// The thread does not wait. The store has its effect at once, and so other cores lose the line at once. While
    /// transfers are under way, the store queues behind them, and is as `Write`.
    Store,
}

/// A set of cores.
#[derive(Clone, Copy, Default)]
struct Cores([u64; MOST_CORES / 64]);

impl Cores {
    fn has(&self, core: u32) -> bool {
        self.0[core as usize / 64] >> (core % 64) & 1 != 0
    }

    fn add(&mut self, core: u32) {
        self.0[core as usize / 64] |= 1 << (core % 64);
    }

    fn iter(self) -> impl Iterator<Item = u32> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(index as u32 * 64 + bit)
            })
        })
    }
}

/// When an access gets its line, and whether the line had to move.
pub struct Got {
    /// When the core has the line.
    pub at: Time,
    pub moved: bool,
    /// Whether the thread has to wait until then.
    pub waits: bool,
}

/// The cores that have a line.
#[derive(Clone, Copy, Default)]
struct Holders {
    owner: Option<u32>,
    sharers: Cores,
}

impl Holders {
    fn may(&self, core: u32, access: Access) -> bool {
        self.owner == Some(core) || access == Access::Read && self.sharers.has(core)
    }

    fn own(&mut self, core: u32) {
        *self = Holders { owner: Some(core), sharers: Cores::default() };
    }

    fn share(&mut self, core: u32) {
        if let Some(owner) = self.owner.take() {
            self.sharers.add(owner);
        }
        self.sharers.add(core);
    }

    fn change(&mut self, core: u32, access: Access) {
        match access {
            Access::Read => self.share(core),
            Access::Write | Access::Store => self.own(core),
        }
    }
}

/// One line.
pub struct Line {
    /// Who has the line now.
    now: Holders,
    /// Who has the line when all transfers under way are over.
    soon: Holders,
    /// The changes that lead from the one to the other.
    changes: VecDeque<(Time, u32, Access)>,
    /// When the next transfer may begin.
    free_at: Time,
    /// As `free_at`, for readers of one complex that has a copy.
    near_free_at: Box<[Time]>,
    /// When all transfers under way are over.
    settled_at: Time,
    /// The last store that has not waited: its core, and when the core has the line.
    storing: (u32, Time),
    /// The longest chain of transfers that led to what the line holds.
    pub chain: u32,
    /// Transfers, while the run is measured.
    pub transfers: u64,
    /// How long threads have waited for the line, while the run is measured.
    pub waited: Time,
}

impl Line {
    /// A line in memory.
    pub fn new(machine: &Machine) -> Self {
        Line {
            now: Holders::default(),
            soon: Holders::default(),
            changes: VecDeque::new(),
            free_at: 0,
            near_free_at: vec![0; machine.complexes() as usize].into(),
            settled_at: 0,
            storing: (0, 0),
            chain: 0,
            transfers: 0,
            waited: 0,
        }
    }

    /// `core` asks for the line at `time`. Calls come in the order of time.
    pub fn get(&mut self, machine: &Machine, core: u32, access: Access, time: Time) -> Got {
        while let Some((_, core, access)) = self.changes.pop_front_if(|(at, ..)| *at <= time) {
            self.now.change(core, access);
        }
        // Stores that wait in the core's buffer for one line go to the cache together, once the core has the line.
        let (core_storing, until) = self.storing;
        if access == Access::Store && core == core_storing && time < until {
            return Got { at: until, moved: false, waits: false };
        }
        // A core whose own store is under way reads what it stores.
        let forwards = access != Access::Write && self.soon.owner == Some(core);
        if forwards || self.now.may(core, access) {
            return Got { at: time, moved: false, waits: false };
        }
        let access = if access == Access::Store && self.settled_at > time { Access::Write } else { access };
        let (begin, at) = match access {
            Access::Read => self.fetch(machine, core, time),
            Access::Write | Access::Store => self.fetch_to_write(machine, core, time),
        };
        self.soon.change(core, access);
        self.settled_at = self.settled_at.max(at);
        if access == Access::Store {
            self.storing = (core, at);
        }
        let leaves = if access == Access::Store { time } else { begin + (at - begin) / KEEPS };
        let last = self.changes.back().map_or(0, |(at, ..)| *at);
        self.changes.push_back((leaves.max(last), core, access));
        Got { at, moved: true, waits: access != Access::Store }
    }

    /// When a transfer to a reader begins and ends.
    fn fetch(&mut self, machine: &Machine, core: u32, time: Time) -> (Time, Time) {
        let complex = machine.complex_of(core);
        if let Some(owner) = self.soon.owner {
            let begin = time.max(self.free_at);
            let at = begin + machine.transfer(owner, core);
            self.free_at = at;
            self.near_free_at.fill(0);
            self.near_free_at[machine.complex_of(owner) as usize] = at;
            self.near_free_at[complex as usize] = at;
            return (begin, at);
        }
        let sharers = self.soon.sharers;
        let Some(source) = sharers.iter().min_by_key(|&sharer| machine.transfer(sharer, core)) else {
            let begin = time.max(self.free_at);
            self.free_at = begin + machine.memory;
            return (begin, self.free_at);
        };
        let near = machine.complex_of(source) == complex;
        let queue = if near { &mut self.near_free_at[complex as usize] } else { &mut self.free_at };
        let begin = time.max(*queue);
        *queue = begin + machine.serve;
        let at = begin + machine.transfer(source, core);
        if !near {
            self.near_free_at[complex as usize] = at;
        }
        (begin, at)
    }

    /// As [`fetch`](Self::fetch), for a core that will write.
    fn fetch_to_write(&mut self, machine: &Machine, core: u32, time: Time) -> (Time, Time) {
        let Holders { owner, sharers } = self.soon;
        let others = owner.into_iter().chain(sharers.iter()).filter(|&other| other != core);
        let farthest = others.map(|other| machine.transfer(core, other)).max();
        let nowhere = owner.is_none() && !sharers.has(core);
        let begin = time.max(self.free_at).max(self.settled_at);
        self.free_at = begin + farthest.unwrap_or(if nowhere { machine.memory } else { 0 });
        (begin, self.free_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::MACHINES;

    fn sockets() -> &'static Machine {
        MACHINES.iter().find(|machine| machine.name == "sockets").expect("a machine of two sockets")
    }

    #[test]
    fn a_look_at_an_unchanged_line_moves_nothing() {
        let machine = sockets();
        let mut line = Line::new(machine);
        line.get(machine, 0, Access::Write, 0);
        assert!(line.get(machine, 9, Access::Read, 1_000_000).moved);
        assert!(!line.get(machine, 9, Access::Read, 2_000_000).moved);
        assert!(line.get(machine, 0, Access::Write, 3_000_000).moved);
        assert!(line.get(machine, 9, Access::Read, 4_000_000).moved);
    }

    #[test]
    fn a_transfer_takes_as_long_as_its_way() {
        let machine = sockets();
        for (reader, way) in [(1, machine.within), (8, machine.across), (96, machine.sockets)] {
            let mut line = Line::new(machine);
            line.get(machine, 0, Access::Write, 0);
            assert_eq!(line.get(machine, reader, Access::Read, 1_000_000).at, 1_000_000 + way);
        }
    }

    #[test]
    fn a_core_keeps_a_contended_line_for_a_while() {
        let machine = sockets();
        let mut line = Line::new(machine);
        line.get(machine, 0, Access::Write, 0);
        let time = 1_000_000;
        assert_eq!(line.get(machine, 1, Access::Write, time).at, time + machine.within);
        assert!(!line.get(machine, 0, Access::Write, time + machine.within / KEEPS - 1).moved);
        assert!(line.get(machine, 0, Access::Write, time + machine.within / KEEPS + 1).moved);
    }

    #[test]
    fn stores_that_wait_for_a_line_go_to_the_cache_together() {
        let machine = sockets();
        let mut line = Line::new(machine);
        line.get(machine, 1, Access::Read, 0);
        let time = 1_000_000;
        assert!(line.get(machine, 0, Access::Store, time).moved);
        line.get(machine, 1, Access::Read, time + 1);
        assert!(!line.get(machine, 0, Access::Store, time + 2).moved);
        assert!(line.get(machine, 0, Access::Store, time + 1_000_000).moved);
    }

    #[test]
    fn writers_queue_and_readers_of_copies_hardly_do() {
        let machine = sockets();
        let mut line = Line::new(machine);
        line.get(machine, 0, Access::Write, 0);
        let time = 1_000_000;
        let last = (1..8).map(|core| line.get(machine, core, Access::Write, time).at).max();
        assert_eq!(last, Some(time + 7 * machine.within));
        let time = 2_000_000;
        let last = (0..7).map(|core| line.get(machine, core, Access::Read, time).at).max();
        assert_eq!(last, Some(time + machine.within + 5 * machine.serve + machine.within));
    }
}

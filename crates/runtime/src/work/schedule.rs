//! Loop schedules: what the program or run-sched-var asks for, and what the runtime makes of it
//! (OpenMP 5.1 §2.11.4, §2.11.4.1).

use crate::icv::{Monotonicity, ScheduleKind};
use crate::thread::Thread;
use ompt::Work;

/// How iterations are handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One block of nearly equal size a thread.
    StaticBlocks,
    /// Chunks in the order of thread numbers.
    StaticChunks,
    /// Chunks to whoever asks.
    Dynamic,
    /// Chunks to whoever asks, large ones first.
    Guided,
}

/// A loop's schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub kind: Kind,
    /// Iterations a chunk (the least for guided); at least 1, without meaning for blocks.
    pub chunk: u64,
    /// Whether chunks may come to a thread in any order.
    pub nonmonotonic: bool,
    /// Whether the loop has an `ordered` clause.
    pub ordered: bool,
}

impl Schedule {
    /// `schedule(static)` for a chunk size of 0, else `schedule(static, chunk)`.
    pub fn fixed(chunk: i64) -> Self {
        match chunk {
            ..1 => Schedule { kind: Kind::StaticBlocks, chunk: 1, nonmonotonic: false, ordered: false },
            _ => Schedule { kind: Kind::StaticChunks, chunk: chunk as u64, nonmonotonic: false, ordered: false },
        }
    }

    /// `schedule(dynamic, chunk)`; a chunk size below 1 counts as 1. As the specification has it,
    /// nonmonotonic unless made [`monotonic`](Self::monotonic).
    pub fn dynamic(chunk: i64) -> Self {
        Schedule { kind: Kind::Dynamic, chunk: chunk.max(1) as u64, nonmonotonic: true, ordered: false }
    }

    /// `schedule(guided, chunk)`; a chunk size below 1 counts as 1.
    pub fn guided(chunk: i64) -> Self {
        Schedule { kind: Kind::Guided, chunk: chunk.max(1) as u64, nonmonotonic: true, ordered: false }
    }

    /// `schedule(auto)`: blocks, which cost nothing to hand out.
    pub fn auto() -> Self {
        Self::fixed(0)
    }

    /// `schedule(runtime)`: what the current task's run-sched-var says.
    pub fn runtime(thread: &Thread) -> Self {
        let icv = thread.icvs().run_sched;
        let schedule = match icv.kind {
            ScheduleKind::Static => Self::fixed(icv.chunk),
            ScheduleKind::Dynamic => Self::dynamic(icv.chunk),
            ScheduleKind::Guided => Self::guided(icv.chunk),
            ScheduleKind::Auto => Self::auto(),
        };
        match icv.monotonic {
            Monotonicity::Monotonic => schedule.monotonic(),
            Monotonicity::Unspecified | Monotonicity::Nonmonotonic => schedule,
        }
    }

    /// The same with the chunks of each thread in ascending order.
    pub fn monotonic(self) -> Self {
        Schedule { nonmonotonic: false, ..self }
    }

    /// The same for a loop with an `ordered` clause, which must be monotonic.
    pub fn ordered(self) -> Self {
        Schedule { ordered: true, nonmonotonic: false, ..self }
    }

    /// The name of the construct for tools, which tells schedules apart.
    pub fn work(self) -> Work {
        match self.kind {
            Kind::StaticBlocks | Kind::StaticChunks => Work::LOOP_STATIC,
            Kind::Dynamic => Work::LOOP_DYNAMIC,
            Kind::Guided => Work::LOOP_GUIDED,
        }
    }
}

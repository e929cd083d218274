//! Loop schedules: what the program or run-sched-var asks for, as the runtime executes it (OpenMP 5.1 §2.11.4,
//! §2.11.4.1).

use crate::icv::{Monotonicity, ScheduleKind};
use crate::objects::schedule::{Clause, Kind, Schedule};
use crate::objects::structures::Thread;
use ompt::Work;

impl Schedule {
    /// A schedule of `kind` with chunks of `chunk` iterations; less than 1 counts as 1. Dynamic kinds are nonmonotonic
    /// unless made [`monotonic`](Self::monotonic), as the specification has it.
    pub fn new(kind: Kind, chunk: i64) -> Self {
        let nonmonotonic = !matches!(kind, Kind::StaticBlocks | Kind::StaticChunks | Kind::StaticAligned);
        Schedule { kind, chunk: chunk.max(1) as u64, nonmonotonic, clause: Clause::None }
    }

    /// `schedule(static, chunk)`, or `schedule(static)` for a chunk size of 0.
    pub fn fixed(chunk: i64) -> Self {
        Self::new(if chunk < 1 { Kind::StaticBlocks } else { Kind::StaticChunks }, chunk)
    }

    /// `schedule(dynamic, chunk)`.
    pub fn dynamic(chunk: i64) -> Self {
        Self::new(Kind::Dynamic, chunk)
    }

    /// `schedule(guided, chunk)`.
    pub fn guided(chunk: i64) -> Self {
        Self::new(Kind::Guided, chunk)
    }

    /// `schedule(runtime)`: the current task's run-sched-var.
    pub fn runtime(thread: &Thread) -> Self {
        let icv = thread.icvs().run_sched;
        let schedule = match icv.kind {
            ScheduleKind::Static => Self::fixed(icv.chunk),
            ScheduleKind::Dynamic | ScheduleKind::StaticSteal => Self::dynamic(icv.chunk),
            ScheduleKind::Guided => Self::guided(icv.chunk),
            // Blocks cost nothing to hand out.
            ScheduleKind::Auto => Self::fixed(0),
            ScheduleKind::Trapezoidal => Self::new(Kind::Trapezoidal, icv.chunk),
        };
        if icv.monotonic == Monotonicity::Monotonic { schedule.monotonic() } else { schedule }
    }

    /// `schedule(simd: runtime)` for vectors of `width` iterations. Chunk sizes of run-sched-var count vectors.
    pub fn runtime_aligned(thread: &Thread, width: i64) -> Self {
        let schedule = Self::runtime(thread);
        let chunk = schedule.chunk.saturating_mul(width.max(1) as u64);
        match schedule.kind {
            Kind::StaticBlocks => Self::new(Kind::StaticAligned, width),
            Kind::Guided => Schedule { kind: Kind::GuidedAligned, chunk, ..schedule },
            _ => Schedule { chunk, ..schedule },
        }
    }

    /// This schedule, with the chunks of each thread in ascending order.
    pub fn monotonic(self) -> Self {
        Schedule { nonmonotonic: false, ..self }
    }

    /// This schedule for a loop with an `ordered` clause, which must be monotonic.
    pub fn ordered(self) -> Self {
        Schedule { clause: Clause::Ordered, nonmonotonic: false, ..self }
    }

    /// This schedule for the outermost loop of a doacross nest. It is monotonic: a thread must not keep iterations for
    /// later for which others wait.
    pub fn doacross(self) -> Self {
        Schedule { clause: Clause::Doacross, nonmonotonic: false, ..self }
    }

    /// The construct as tools see it, which depends on the schedule.
    pub fn work(self) -> Work {
        match self.kind {
            Kind::StaticBlocks | Kind::StaticChunks | Kind::StaticAligned => Work::LOOP_STATIC,
            Kind::Dynamic => Work::LOOP_DYNAMIC,
            Kind::Guided | Kind::GuidedAligned => Work::LOOP_GUIDED,
            Kind::Trapezoidal => Work::LOOP_OTHER,
        }
    }
}

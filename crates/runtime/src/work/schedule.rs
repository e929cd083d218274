//! Loop schedules: what the program or run-sched-var asks for, and what the runtime makes of it
//! (OpenMP 5.1 §2.11.4, §2.11.4.1).

use crate::icv::{Monotonicity, ScheduleKind};
use crate::objects::schedule::{Clause, Kind, Schedule};
use crate::objects::structures::Thread;
use ompt::Work;

impl Schedule {
    fn new(kind: Kind, chunk: i64, nonmonotonic: bool) -> Self {
        Schedule { kind, chunk: chunk.max(1) as u64, nonmonotonic, clause: Clause::None }
    }

    /// `schedule(static)` for a chunk size of 0, else `schedule(static, chunk)`.
    pub fn fixed(chunk: i64) -> Self {
        Self::new(if chunk < 1 { Kind::StaticBlocks } else { Kind::StaticChunks }, chunk, false)
    }

    /// `schedule(simd: static)` for vectors of `width` iterations.
    pub fn fixed_aligned(width: i64) -> Self {
        Self::new(Kind::StaticAligned, width, false)
    }

    /// `schedule(dynamic, chunk)`; a chunk size below 1 counts as 1. As the specification has it,
    /// nonmonotonic unless made [`monotonic`](Self::monotonic).
    pub fn dynamic(chunk: i64) -> Self {
        Self::new(Kind::Dynamic, chunk, true)
    }

    /// `schedule(guided, chunk)`; a chunk size below 1 counts as 1.
    pub fn guided(chunk: i64) -> Self {
        Self::new(Kind::Guided, chunk, true)
    }

    /// `schedule(simd: guided, chunk)`; a chunk size below 1 counts as 1.
    pub fn guided_aligned(chunk: i64) -> Self {
        Self::new(Kind::GuidedAligned, chunk, true)
    }

    /// Trapezoidal, down to `chunk` iterations; less than 1 counts as 1. Not one of OpenMP's.
    pub fn trapezoidal(chunk: i64) -> Self {
        Self::new(Kind::Trapezoidal, chunk, true)
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
            ScheduleKind::Dynamic | ScheduleKind::StaticSteal => Self::dynamic(icv.chunk),
            ScheduleKind::Guided => Self::guided(icv.chunk),
            ScheduleKind::Auto => Self::auto(),
            ScheduleKind::Trapezoidal => Self::trapezoidal(icv.chunk),
        };
        match icv.monotonic {
            Monotonicity::Monotonic => schedule.monotonic(),
            Monotonicity::Unspecified | Monotonicity::Nonmonotonic => schedule,
        }
    }

    /// `schedule(simd: runtime)` for vectors of `width` iterations: chunk sizes of run-sched-var count
    /// vectors.
    pub fn runtime_aligned(thread: &Thread, width: i64) -> Self {
        let schedule = Self::runtime(thread);
        let chunk = schedule.chunk.saturating_mul(width.max(1) as u64);
        match schedule.kind {
            Kind::StaticBlocks => Self::fixed_aligned(width),
            Kind::Guided => Schedule { kind: Kind::GuidedAligned, chunk, ..schedule },
            _ => Schedule { chunk, ..schedule },
        }
    }

    /// The same with the chunks of each thread in ascending order.
    pub fn monotonic(self) -> Self {
        Schedule { nonmonotonic: false, ..self }
    }

    /// The same for a loop with an `ordered` clause, which must be monotonic.
    pub fn ordered(self) -> Self {
        Schedule { clause: Clause::Ordered, nonmonotonic: false, ..self }
    }

    /// The same for the outermost loop of a doacross nest. Monotonic, so that a thread does not keep
    /// for later what others wait for.
    pub fn doacross(self) -> Self {
        Schedule { clause: Clause::Doacross, nonmonotonic: false, ..self }
    }

    /// The name of the construct for tools, which tells schedules apart.
    pub fn work(self) -> Work {
        match self.kind {
            Kind::StaticBlocks | Kind::StaticChunks | Kind::StaticAligned => Work::LOOP_STATIC,
            Kind::Dynamic => Work::LOOP_DYNAMIC,
            Kind::Guided | Kind::GuidedAligned => Work::LOOP_GUIDED,
            Kind::Trapezoidal => Work::LOOP_OTHER,
        }
    }
}

//! The numbers by which the kmpc ABI names schedules: `sched_type`, with its modifiers.

use crate::objects::schedule::Schedule;
use crate::objects::structures::Thread;
use crate::work::static_schedule::Form;

/// Chunks in turn.
pub const STATIC_CHUNKED: i32 = 33;
/// One block for each.
pub const STATIC: i32 = 34;
const DYNAMIC: i32 = 35;
const GUIDED: i32 = 36;
const RUNTIME: i32 = 37;
const AUTO: i32 = 38;
/// Chunks that shrink evenly.
const TRAPEZOIDAL: i32 = 39;
/// Blocks of equal size, the last ones smaller or empty.
const STATIC_GREEDY: i32 = 40;
const STATIC_BALANCED: i32 = 41;
const GUIDED_ITERATIVE: i32 = 42;
const GUIDED_ANALYTICAL: i32 = 43;
/// Ranges that idle threads steal from: one way of handing out dynamically.
const STATIC_STEAL: i32 = 44;
/// Static blocks whose size is a multiple of the chunk size, for SIMD.
const STATIC_BALANCED_CHUNKED: i32 = 45;
const GUIDED_SIMD: i32 = 46;
/// The chunk size is that of a vector.
const RUNTIME_SIMD: i32 = 47;
/// A schedule of a loop with an `ordered` clause is this much higher.
const ORDERED: i32 = 32;
const ORDERED_LOWER: i32 = 64;
const ORDERED_UPPER: i32 = 72;
const DISTRIBUTE_CHUNKED: i32 = 91;
const DISTRIBUTE: i32 = 92;
/// A schedule that must not merge iterations across chunks is this much higher.
const NO_MERGE: i32 = 128;
const NO_MERGE_LOWER: i32 = 160;
const MONOTONIC: i32 = 1 << 29;
const NONMONOTONIC: i32 = 1 << 30;

/// A number without its modifiers, and without the mark of schedules that must not merge chunks: this runtime never
/// merges chunks.
#[inline(always)]
fn plain(number: i32) -> i32 {
    let number = number & !(MONOTONIC | NONMONOTONIC);
    if number > NO_MERGE_LOWER { number - NO_MERGE } else { number }
}

/// The schedule of a loop whose threads take chunks one by one.
pub fn schedule(thread: &Thread, number: i32, chunk: i64) -> Schedule {
    let mut kind = plain(number);
    let is_ordered = (ORDERED_LOWER..ORDERED_UPPER).contains(&kind);
    if is_ordered {
        kind -= ORDERED;
    }
    let schedule = match kind {
        STATIC_CHUNKED | DISTRIBUTE_CHUNKED => Schedule::fixed(chunk.max(1)),
        STATIC | STATIC_BALANCED | DISTRIBUTE => Schedule::fixed(0),
        STATIC_GREEDY => Schedule::fixed_aligned(1),
        STATIC_BALANCED_CHUNKED => Schedule::fixed_aligned(chunk),
        GUIDED | GUIDED_ITERATIVE | GUIDED_ANALYTICAL => Schedule::guided(chunk),
        GUIDED_SIMD => Schedule::guided_aligned(chunk),
        TRAPEZOIDAL => Schedule::trapezoidal(chunk),
        RUNTIME => Schedule::runtime(thread),
        RUNTIME_SIMD => Schedule::runtime_aligned(thread, chunk),
        AUTO => Schedule::auto(),
        DYNAMIC | STATIC_STEAL => Schedule::dynamic(chunk),
        // No compiler emits another number. Iterations handed out one by one are right for any loop.
        _ => Schedule::dynamic(1),
    };
    if is_ordered {
        schedule.ordered()
    } else if number & MONOTONIC != 0 {
        schedule.monotonic()
    } else {
        schedule
    }
}

/// How a static schedule divides a loop, and whether the parts are the league's teams. A number that is not static
/// means blocks.
#[inline(always)]
pub fn division(number: i32) -> (Form, bool) {
    // The most frequent schedule first.
    if number == STATIC {
        return (Form::Blocks, false);
    }
    std::hint::cold_path();
    if number == STATIC_CHUNKED {
        return (Form::Chunks, false);
    }
    other_division(number & !(MONOTONIC | NONMONOTONIC))
}

fn other_division(number: i32) -> (Form, bool) {
    let distributes = (DISTRIBUTE_CHUNKED..=NO_MERGE_LOWER).contains(&number);
    let form = match plain(number) {
        STATIC_BALANCED_CHUNKED => Form::AlignedBlocks,
        STATIC_GREEDY => Form::GreedyBlocks,
        DISTRIBUTE_CHUNKED => Form::Chunks,
        kind if kind == STATIC_CHUNKED || kind == STATIC_CHUNKED + ORDERED => Form::Chunks,
        _ => Form::Blocks,
    };
    (form, distributes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (number, expected) in [
            (33, Form::Chunks),
            (34, Form::Blocks),
            (40, Form::GreedyBlocks),
            (41, Form::Blocks),
            (45, Form::AlignedBlocks),
            (65, Form::Chunks),
            (66, Form::Blocks),
            (91, Form::Chunks),
            (92, Form::Blocks),
            (161, Form::Chunks),
            (162, Form::Blocks),
            (168, Form::GreedyBlocks),
            (193, Form::Chunks),
            (33 | MONOTONIC, Form::Chunks),
            (34 | NONMONOTONIC, Form::Blocks),
        ] {
            assert_eq!(division(number).0, expected, "{number}");
        }
        assert!([91, 92, 93, 91 | MONOTONIC].into_iter().all(|number| division(number).1));
        assert!(![33, 34, 45, 66, 161, 193].into_iter().any(|number| division(number).1));
    }
}

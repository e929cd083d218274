//! What `ompt_set_callback` answers for each event, and why the answer is not *always* (OpenMP 5.1 §4.6.1.3). The
//! answers and `docs/ompt-events.md`, which `cargo xtask generate` writes, come from one table.

use ::ompt::{Event, SetResult};

/// How much of an event the programs of one compiler let the runtime see. Compilers expand some constructs in the
/// program itself, and the runtime is not called. Each reason is a clause that can follow a colon.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The callback is called each time that the event occurs. If a program does nothing that the event is about, the
    /// event does not occur: a compiler may leave out a barrier that another barrier follows.
    /// `examples/answers/inexact.rs` lists such cases.
    Always,
    /// The callback is called each time that the program calls the runtime for the event. Some constructs, which the
    /// text names, are instructions of the program instead. The answer is *always* nevertheless, as LLVM's runtime
    /// answers. For any other answer to `mutex_acquired` and `mutex_released` Archer prints a line to the standard
    /// output of each program.
    WhereCalled(&'static str),
    /// As [`Sometimes`](Seen::Sometimes), and a begin is reported exactly if its end is.
    Paired(&'static str),
    /// Some occurrences are hidden: which, and why.
    Sometimes(&'static str),
    /// The callback is never called: why.
    Never(&'static str),
}
use Seen::{Always, Never, Paired, Sometimes, WhereCalled};

/// One event, with what can be seen of it under each compiler's entry points. flang and icx count as clang, gfortran as
/// gcc.
#[derive(Copy, Clone, Debug)]
pub struct Row {
    pub event: Event,
    pub clang: Seen,
    pub gcc: Seen,
}

/// What each compiler hides of an event. A change of what is dispatched changes this function in the same commit.
const fn row(event: Event) -> Row {
    let (clang, gcc) = match event {
        Event::MutexAcquire | Event::MutexAcquired | Event::MutexReleased => (
            WhereCalled(
                "clang and flang make atomic regions instructions of the program, or calls of libatomic: they are not reported; those for \
                 which icx calls the runtime are, and so are locks, critical and ordered regions of all",
            ),
            WhereCalled(
                "gcc makes atomic regions instructions of the program where the processor has them: they are not reported; those for \
                 which gcc calls the runtime are, and so are locks, critical and ordered regions",
            ),
        ),
        Event::Work => (
            Sometimes("clang calls nobody for a loop without iterations"),
            Sometimes(
                "gcc expands loops with a static schedule, distribute, workshare and scope without a task reduction in the program \
                 itself: they are not reported; of single and scope only the begin is a call: the end is reported with it",
            ),
        ),
        Event::Masked => (Always, Never("gcc expands masked and master to a comparison of the thread number")),
        Event::Flush => (Always, Never("gcc makes flush an instruction of the program")),
        Event::Reduction => (
            Paired(
                "where the program combines the values by atomic operations and waits for nobody it does not say when it has: the \
                 end is reported with the begin",
            ),
            Never("gcc combines the values in the program itself"),
        ),
        Event::Dispatch => (
            Sometimes(
                "clang divides loops with a static schedule, distribute and sections in the program: each thread's first chunk or \
                 section is reported; single iterations are reported in loops with an ordered clause",
            ),
            Sometimes(
                "gcc expands loops with a static schedule and distribute in the program itself: they are not reported; single \
                 iterations are not either, but for the first of each chunk in loops with an ordered clause",
            ),
        ),
        _ => (Always, Always),
    };
    Row { event, clang, gcc }
}

/// Every event of OpenMP 5.1, in the order of their numbers.
pub const TABLE: [Row; Event::COUNT] = {
    let mut table = [row(Event::ThreadBegin); Event::COUNT];
    let mut index = 0;
    while index < table.len() {
        table[index] = row(Event::ALL[index].0);
        let Row { event, clang, gcc } = table[index];
        assert!(!must_be_always(event) || matches!((clang, gcc), (Always, Always)), "no lesser answer is allowed");
        index += 1;
    }
    table
};

/// Whether the specification has no answer but `ompt_set_always` for the event (OpenMP 5.1 §4.2.4, table 4.2). Some
/// tools end the program at any other answer. `examples/answers/inexact.rs` lists what a compiler hides of such an
/// event. For all other events (table 4.3) any answer but an error is allowed, and the answers say what is true.
pub const fn must_be_always(event: Event) -> bool {
    event.0 <= Event::DeviceUnload.0
        || matches!(event, Event::TargetEmi | Event::TargetDataOpEmi | Event::TargetSubmitEmi)
}

impl Row {
    /// The answer for the event. A process can hold programs of both compilers, and a tool registers before the
    /// compiler is known. The answer is therefore the lesser of the two.
    pub const fn answer(&self) -> SetResult {
        match (self.clang, self.gcc) {
            (Never(_), Never(_)) => SetResult::NEVER,
            (Always | WhereCalled(_), Always | WhereCalled(_)) => SetResult::ALWAYS,
            (Sometimes(_), _) | (_, Sometimes(_)) => SetResult::SOMETIMES,
            _ if has_endpoints(self.event) => SetResult::SOMETIMES_PAIRED,
            _ => SetResult::SOMETIMES,
        }
    }

    /// The answer where clang alone has compiled the code.
    pub const fn by_clang(&self) -> SetResult {
        Row { gcc: self.clang, ..*self }.answer()
    }
}

macro_rules! endpoints {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal, ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*)
        => {
        /// Whether the event's callback is told whether it is a begin or an end.
        const fn has_endpoints(event: Event) -> bool {
            match event {
                $( Event::$camel => false $( || matches!(stringify!($arg).as_bytes(), b"endpoint") )*, )*
                _ => false,
            }
        }
    };
}
::ompt::for_each_event! { endpoints }

/// The answer for an event; *error* for a number that no event has.
pub fn answer(event: Event) -> SetResult {
    let index = usize::try_from(event.0).ok().and_then(|number| number.checked_sub(1));
    index.and_then(|index| TABLE.get(index)).map_or(SetResult::ERROR, Row::answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_is_the_lesser_of_both_compilers() {
        let answer = |event, clang, gcc| Row { event, clang, gcc }.answer();
        assert_eq!(answer(Event::Work, Always, Always), SetResult::ALWAYS);
        assert_eq!(answer(Event::MutexAcquire, WhereCalled(""), Always), SetResult::ALWAYS);
        assert_eq!(answer(Event::MutexAcquire, Sometimes(""), WhereCalled("")), SetResult::SOMETIMES);
        assert_eq!(answer(Event::Work, Always, Sometimes("")), SetResult::SOMETIMES);
        assert_eq!(answer(Event::Work, Never(""), Seen::Paired("")), SetResult::SOMETIMES_PAIRED);
        assert_eq!(answer(Event::Masked, Always, Never("")), SetResult::SOMETIMES_PAIRED);
        assert_eq!(answer(Event::Flush, Always, Never("")), SetResult::SOMETIMES);
        assert_eq!(answer(Event::Flush, Never(""), Never("")), SetResult::NEVER);
    }

    #[test]
    fn number_of_no_event_is_an_error() {
        for number in [-1, 0, 38, i32::MIN, i32::MAX] {
            assert_eq!(super::answer(Event(number)), SetResult::ERROR, "{number}");
        }
        assert_eq!(super::answer(Event::Error), TABLE[36].answer());
    }

    /// Events of which one end alone is told are not among them.
    #[test]
    fn events_with_endpoints_are_those_of_the_signatures() {
        let with = Event::ALL.iter().map(|&(event, _)| event).filter(|&event| has_endpoints(event)).count();
        assert_eq!(with, 11);
        assert!(has_endpoints(Event::Work) && has_endpoints(Event::TargetEmi));
        assert!(!has_endpoints(Event::ParallelBegin) && !has_endpoints(Event::TargetMapEmi));
    }
}

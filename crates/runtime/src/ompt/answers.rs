//! What `ompt_set_callback` answers for each event, and why where it is not *always* (OpenMP 5.1 §4.6.1.3). One table:
//! the answers follow from it, and so does `docs/ompt-events.md`, which `cargo xtask generate` writes.

use ::ompt::{Event, SetResult};

/// How much of an event the programs of one compiler let the runtime see. Compilers expand some constructs in the
/// program itself, and the runtime is not called. Each reason is a clause that can follow a colon.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The callback is called each time that the event occurs. A construct for which the program does nothing that the
    /// event is about, such as a barrier that a compiler leaves out because another one follows, is no occurrence;
    /// `examples/answers/inexact.rs` lists these.
    Always,
    /// The callback is called each time that the program calls the runtime for the event. Some constructs are
    /// instructions of the program instead: which. The answer is *always* nevertheless, as LLVM's runtime has it. For
    /// any other answer to `mutex_acquired` and `mutex_released` Archer prints a line to each program's standard
    /// output.
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

/// The events of which a compiler hides something, in the order of their numbers. A change of what is dispatched
/// changes its row in the same commit; what is not here is dispatched always.
const HIDDEN: [Row; 8] = [
    row(Event::MutexReleased, ATOMICS_OF_CLANG, ATOMICS_OF_GCC),
    row(
        Event::Work,
        Sometimes("clang calls nobody for a loop without iterations"),
        Sometimes(
            "gcc expands loops with a static schedule, distribute, workshare and scope without a task reduction in the program \
             itself: they are not reported; of single and scope only the begin is a call: the end is reported with it",
        ),
    ),
    row(Event::Masked, Always, Never("gcc expands masked and master to a comparison of the thread number")),
    row(Event::MutexAcquire, ATOMICS_OF_CLANG, ATOMICS_OF_GCC),
    row(Event::MutexAcquired, ATOMICS_OF_CLANG, ATOMICS_OF_GCC),
    row(Event::Flush, Always, Never("gcc makes flush an instruction of the program")),
    row(
        Event::Reduction,
        Paired(
            "where the program combines the values by atomic operations and waits for nobody it does not say when it has: the \
             end is reported with the begin",
        ),
        Never("gcc combines the values in the program itself"),
    ),
    row(
        Event::Dispatch,
        Sometimes(
            "clang divides loops with a static schedule, distribute and sections in the program: each thread's first chunk or \
             section is reported; single iterations are reported in loops with an ordered clause",
        ),
        Sometimes(
            "gcc expands loops with a static schedule and distribute in the program itself: they are not reported; single \
             iterations are not either, but for the first of each chunk in loops with an ordered clause",
        ),
    ),
];

/// Every event of OpenMP 5.1, in the order of their numbers.
pub const TABLE: [Row; Event::COUNT] = {
    let mut table = [row(Event::ThreadBegin, Always, Always); Event::COUNT];
    let mut index = 0;
    while index < table.len() {
        table[index].event = Event::ALL[index].0;
        index += 1;
    }
    index = 0;
    while index < HIDDEN.len() {
        table[HIDDEN[index].event.0 as usize - 1] = HIDDEN[index];
        index += 1;
    }
    table
};

/// Events for which the specification has no answer but `ompt_set_always` (OpenMP 5.1 §4.2.4, table 4.2). Tools take
/// it for granted: some end the program at any other. What a compiler hides of such an event stands in
/// `examples/answers/inexact.rs`.
/// For all others (table 4.3) any answer but an error is allowed, and theirs say what is true.
pub const MUST_BE_ALWAYS: [Event; 18] = [
    Event::ThreadBegin,
    Event::ThreadEnd,
    Event::ParallelBegin,
    Event::ParallelEnd,
    Event::TaskCreate,
    Event::TaskSchedule,
    Event::ImplicitTask,
    Event::Target,
    Event::TargetEmi,
    Event::TargetDataOp,
    Event::TargetDataOpEmi,
    Event::TargetSubmit,
    Event::TargetSubmitEmi,
    Event::ControlTool,
    Event::DeviceInitialize,
    Event::DeviceFinalize,
    Event::DeviceLoad,
    Event::DeviceUnload,
];

const ATOMICS_OF_CLANG: Seen = WhereCalled(
    "clang and flang make atomic regions instructions of the program, or calls of libatomic: they are not reported; those for which icx \
     calls the runtime are, and so are locks, critical and ordered regions of all",
);

const ATOMICS_OF_GCC: Seen = WhereCalled(
    "gcc makes atomic regions instructions of the program where the processor has them: they are not reported; those for which gcc calls \
     the runtime are, and so are locks, critical and ordered regions",
);

const fn row(event: Event, clang: Seen, gcc: Seen) -> Row {
    Row { event, clang, gcc }
}

impl Row {
    /// The answer for the event. A process can hold programs of both compilers, and a tool registers before it is known
    /// of which, so the answer is the lesser of the two.
    pub const fn answer(&self) -> SetResult {
        match (self.clang, self.gcc) {
            (Never(_), Never(_)) => SetResult::NEVER,
            (Always | WhereCalled(_), Always | WhereCalled(_)) => SetResult::ALWAYS,
            (Sometimes(_), _) | (_, Sometimes(_)) => SetResult::SOMETIMES,
            _ if has_endpoints(self.event) => SetResult::SOMETIMES_PAIRED,
            _ => SetResult::SOMETIMES,
        }
    }
}

impl Row {
    /// What can be seen where clang alone has compiled the code.
    pub const fn by_clang(&self) -> SetResult {
        row(self.event, self.clang, self.clang).answer()
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

// The table answers what it has to.
const _: () = {
    let mut index = 0;
    while index < MUST_BE_ALWAYS.len() {
        let row = &TABLE[MUST_BE_ALWAYS[index].0 as usize - 1];
        assert!(matches!((row.clang, row.gcc), (Always, Always)), "the specification allows no lesser answer");
        index += 1;
    }
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_is_the_lesser_of_both_compilers() {
        let answer = |event, clang, gcc| row(event, clang, gcc).answer();
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

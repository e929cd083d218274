//! What `ompt_set_callback` answers for each event, and why where it is not *always* (OpenMP 5.1 §4.6.1.3). One table:
//! the answers follow from it, and so does `docs/ompt-events.md`, which `cargo xtask generate` writes.

use ::ompt::{Event, SetResult};

/// How much of an event the programs of one compiler let the runtime see. Compilers expand some constructs in the
/// program itself, and the runtime is not called. Each reason is a clause that can follow a colon.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The callback is called each time that the event occurs. A construct for which the program does nothing that the
    /// event is about, such as a barrier that a compiler leaves out because another one follows, is no occurrence;
    /// [`INEXACT`] lists these.
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

/// Every event of OpenMP 5.1, in the order of their numbers. A change of what is dispatched changes its row in the same
/// commit.
pub const TABLE: [Row; Event::COUNT] = [
    both(Event::ThreadBegin, Always),
    both(Event::ThreadEnd, Always),
    both(Event::ParallelBegin, Always),
    both(Event::ParallelEnd, Always),
    both(Event::TaskCreate, Always),
    both(Event::TaskSchedule, Always),
    both(Event::ImplicitTask, Always),
    both(Event::Target, Always),
    both(Event::TargetDataOp, Always),
    both(Event::TargetSubmit, Always),
    both(Event::ControlTool, Always),
    both(Event::DeviceInitialize, Always),
    both(Event::DeviceFinalize, Always),
    both(Event::DeviceLoad, Always),
    both(Event::DeviceUnload, Always),
    both(Event::SyncRegionWait, Always),
    row(Event::MutexReleased, ATOMICS_OF_CLANG, ATOMICS_OF_GCC),
    both(Event::Dependences, Always),
    both(Event::TaskDependence, Always),
    row(
        Event::Work,
        Sometimes("clang calls nobody for a loop without iterations"),
        Sometimes(
            "gcc expands loops with a static schedule, distribute, workshare and scope without a task reduction in the program \
             itself: they are not reported; of single and scope only the begin is a call: the end is reported with it",
        ),
    ),
    row(Event::Masked, Always, Never("gcc expands masked and master to a comparison of the thread number")),
    both(Event::TargetMap, Always),
    both(Event::SyncRegion, Always),
    both(Event::LockInit, Always),
    both(Event::LockDestroy, Always),
    row(Event::MutexAcquire, ATOMICS_OF_CLANG, ATOMICS_OF_GCC),
    row(Event::MutexAcquired, ATOMICS_OF_CLANG, ATOMICS_OF_GCC),
    both(Event::NestLock, Always),
    row(Event::Flush, Always, Never("gcc makes flush an instruction of the program")),
    both(Event::Cancel, Always),
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
    both(Event::TargetEmi, Always),
    both(Event::TargetDataOpEmi, Always),
    both(Event::TargetSubmitEmi, Always),
    both(Event::TargetMapEmi, Always),
    both(Event::Error, Always),
];

/// Events for which the specification has no answer but `ompt_set_always` (OpenMP 5.1 §4.2.4, table 4.2). Tools take
/// it for granted: some end the program at any other. What a compiler hides of such an event stands in [`INEXACT`].
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

/// What an event that is seen does not tell exactly, or of which construct it does not tell, because the compiler
/// does not tell the runtime: event, compiler, what. For the
/// documentation alone; each is a clause that can follow a colon.
pub const INEXACT: [(Event, &str, &str); 26] = [
    (
        Event::SyncRegion,
        "gcc",
        "one call serves the explicit barrier and the implicit ones of single, scope and loops that gcc expands: all are \
         barrier_explicit; sync_region_wait likewise",
    ),
    (
        Event::SyncRegion,
        "clang",
        "a barrier after copyin, and the one by which a cancelled region is left, are marked like those of worksharing constructs, \
         and reported as such; sync_region_wait likewise",
    ),
    (
        Event::SyncRegion,
        "gcc",
        "where a worksharing construct is the last of its region, gcc leaves its barrier out: there is none, and no event",
    ),
    (
        Event::Flush,
        "clang",
        "an atomic construct with a memory order clause calls what a flush construct calls, and is reported as one",
    ),
    (Event::Work, "flang", "a workshare construct is a single region"),
    (Event::Work, "gfortran", "of a workshare construct the parts that one thread executes are single regions"),
    (
        Event::Reduction,
        "clang",
        "where threads merge their values in pairs, each merge has a begin and an end, and whose values another has taken has none",
    ),
    (
        Event::Dispatch,
        "clang and gcc",
        "iterations of a chunk count from the begin of the loop that work has reported: of a composite construct, the team's part",
    ),
    (Event::Dependences, "clang and gcc", "a dependence of type out is passed on as inout"),
    (Event::Dependences, "clang and gcc", "inout of all memory is not told from out of it: both are out_all_memory"),
    (
        Event::Cancel,
        "gcc",
        "a task whose arguments a function copies must run once they are copied; in a taskgroup that has been cancelled none is \
         generated, and so none discarded",
    ),
    (
        Event::MutexAcquire,
        "clang and gcc",
        "an atomic operation that the runtime does by compare-and-swap waits for nobody, and its variable's address is the wait \
         identifier: several threads may be told at once that they have it; mutex_acquired and mutex_released likewise",
    ),
    (
        Event::MutexAcquire,
        "clang",
        "a program that combines the values of a reduction by atomic operations of the runtime does so in atomic regions, which are \
         reported as such; mutex_acquired and mutex_released likewise",
    ),
    (Event::MutexAcquire, "gcc", "the hint of a critical construct is not passed on"),
    (
        Event::MutexAcquire,
        "gcc",
        "a reduction of several variables takes the lock of atomic regions, and is reported as one; mutex_acquired and \
         mutex_released likewise",
    ),
    (Event::TaskCreate, "clang", "the mergeable clause is not passed on"),
    (
        Event::TaskCreate,
        "clang",
        "a device construct whose if clause is false is a part of the program's own code: there is no target task; task_schedule likewise",
    ),
    (
        Event::TaskCreate,
        "clang",
        "begin and end of a target data construct are calls like those of target enter data and target exit data: each has a target \
         task, which the construct itself has not",
    ),
    (
        Event::TaskCreate,
        "clang",
        "the target task of a construct with depend or in_reduction, but without nowait, lies in a task that is made like that of a task \
         construct, and reported as one",
    ),
    (
        Event::Target,
        "clang",
        "a construct whose if clause is false calls nobody: its region is a part of the program's own code, and no event comes; \
         target_emi likewise",
    ),
    (
        Event::Target,
        "clang",
        "where the program runs the region on the host itself, because there is no device, it does not say when the region ends: the \
         end is reported with the begin; target_emi and the end of the target task likewise",
    ),
    (
        Event::Target,
        "clang and gcc",
        "a target data construct is reported as enter data where its region begins and as exit data where it ends, which is how clang \
         calls the runtime; target_emi likewise",
    ),
    (
        Event::TargetDataOp,
        "clang and gcc",
        "OpenMP 5.1 has no kind for omp_target_memset: it is reported as OpenMP 6.0 does, with kind 8; target_data_op_emi likewise",
    ),
    (
        Event::TargetSubmit,
        "clang",
        "on an NVIDIA device the region's threads are those of the compiler's own device runtime, which tells nobody: what happens inside \
         can be neither reported nor traced (ompt_set_trace_ompt answers ompt_set_impossible there); kernels, transfers and all that the \
         host does are",
    ),
    (
        Event::TargetSubmit,
        "gcc",
        "regions run on the host, as an initial task that is reported as such: nothing is mapped, copied or submitted; the other events \
         of target constructs and devices likewise",
    ),
    (
        Event::TaskCreate,
        "clang",
        "an undeferred task with dependences is a taskwait with these dependences, reported as such, and a task without any",
    ),
];

/// What OpenMP 5.2 and 6.0 have added to OMPT: what, since when, and when a tool meets it. `ompt_start_tool` is told
/// 5.1, whose interface is there whole; a tool of that version meets what is told of these as well. For the
/// documentation; each ends as a clause.
pub const LATER: [(&[&str], &str, &str); 13] = [
    (
        &["ompt_work_loop_static", "ompt_work_loop_dynamic", "ompt_work_loop_guided", "ompt_work_loop_other"],
        "5.2",
        "in the place of ompt_work_loop, for each loop whose schedule the runtime knows",
    ),
    (
        &["ompt_dispatch_ws_loop_chunk", "ompt_dispatch_taskloop_chunk", "ompt_dispatch_distribute_chunk"],
        "5.2",
        "for each chunk of which the runtime is asked, with an ompt_dispatch_chunk_t",
    ),
    (
        &["ompt_target_map_flag_always", "ompt_target_map_flag_present", "ompt_target_map_flag_close"],
        "5.2",
        "where a mapping has the modifier and the variable is mapped to a device",
    ),
    (&["ompt_target_map_flag_shared"], "5.2", "where a variable and its counterpart are the same memory"),
    (
        &["ompt_target_data_memset", "ompt_target_data_memset_async"],
        "6.0",
        "for omp_target_memset and omp_target_memset_async",
    ),
    (&["ompt_task_importing", "ompt_task_exporting"], "6.0", "for tasks whose transparent clause says so"),
    (&["ompt_work_workdistribute"], "6.0", "never: compilers divide workdistribute without the runtime"),
    (&["ompt_state_work_free_agent"], "6.0", "for threads that OMP_THREADS_RESERVE reserves, while they execute tasks"),
    (&["ompt_state_work_induction"], "6.0", "never: compilers expand inductions in the program"),
    (
        &["ompt_target_data_transfer", "ompt_target_data_transfer_async"],
        "6.0",
        "never: copies have the kinds of 5.1, which name the direction",
    ),
    (
        &["ompt_target_data_transfer_rect", "ompt_target_data_transfer_rect_async"],
        "6.0",
        "never: a rectangle is told as the copies that it is made of",
    ),
    (&["ompt_get_buffer_limits"], "6.0", "from the lookup of each device that can be traced"),
    (
        &["ompt_record_target_emi_t", "ompt_record_target_data_op_emi_t", "ompt_record_target_submit_emi_t"],
        "6.0",
        "where the tool asks for the _emi event alone: the record has its number; but for names it is that of 5.1",
    ),
];

const fn row(event: Event, clang: Seen, gcc: Seen) -> Row {
    Row { event, clang, gcc }
}

const fn both(event: Event, seen: Seen) -> Row {
    row(event, seen, seen)
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

/// Whether the event's callback is told whether it is a begin or an end.
const fn has_endpoints(event: Event) -> bool {
    matches!(
        event,
        Event::ImplicitTask
            | Event::Target
            | Event::SyncRegionWait
            | Event::Work
            | Event::Masked
            | Event::SyncRegion
            | Event::NestLock
            | Event::Reduction
            | Event::TargetEmi
            | Event::TargetDataOpEmi
            | Event::TargetSubmitEmi
    )
}

/// The answer for an event; *error* for a number that no event has.
pub fn answer(event: Event) -> SetResult {
    let index = usize::try_from(event.0).ok().and_then(|number| number.checked_sub(1));
    index.and_then(|index| TABLE.get(index)).map_or(SetResult::ERROR, Row::answer)
}

// The table is looked up by number, and answers what it has to.
const _: () = {
    let mut index = 0;
    while index < TABLE.len() {
        assert!(TABLE[index].event.0 as usize == index + 1);
        index += 1;
    }
    let mut index = 0;
    while index < MUST_BE_ALWAYS.len() {
        let row = &TABLE[MUST_BE_ALWAYS[index].0 as usize - 1];
        assert!(matches!((row.clang, row.gcc), (Always, Always)), "the specification allows no lesser answer");
        index += 1;
    }
};

/// An entry point of type `$ty` as the lookup function gives it: without its type, which the tool gives back to it.
macro_rules! untyped {
    ($function:expr, $ty:ty) => {{
        let function: $ty = $function;
        #[allow(clippy::useless_transmute, reason = "one of the types has no arguments")]
        // SAFETY: a function pointer as a function pointer without its type; the tool casts it back to the type that
        // belongs to the name.
        let untyped = unsafe { std::mem::transmute::<$ty, unsafe extern "C" fn()>(function) };
        Some(untyped)
    }};
}
pub(crate) use untyped;

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

    /// What is documented of later versions is what the vocabulary has.
    #[test]
    fn later_values_are_those_of_the_vocabulary() {
        let enumerations = ::ompt::describe::ENUMERATIONS.iter().flat_map(|of| of.values).map(|value| value.c_name);
        let functions = ::ompt::DEVICE_ENTRY_POINTS.iter().copied();
        let known: Vec<&str> = enumerations.chain(functions).collect();
        for name in LATER.iter().flat_map(|(names, ..)| *names).filter(|name| !name.starts_with("ompt_record_")) {
            assert!(known.contains(name), "{name}");
        }
        let marked = ::ompt::describe::ENUMERATIONS
            .iter()
            .flat_map(|of| of.values)
            .filter(|value| value.doc.concat().contains("OpenMP 6.0"));
        for value in marked {
            assert!(LATER.iter().any(|(names, ..)| names.contains(&value.c_name)), "{}", value.c_name);
        }
    }

    #[test]
    fn number_of_no_event_is_an_error() {
        for number in [-1, 0, 38, i32::MIN, i32::MAX] {
            assert_eq!(super::answer(Event(number)), SetResult::ERROR, "{number}");
        }
        assert_eq!(super::answer(Event::Error), TABLE[36].answer());
    }

    /// The events whose signature has an endpoint, by the table of events itself.
    #[test]
    fn events_with_endpoints_are_those_of_the_signatures() {
        macro_rules! endpoints {
            ($( { $camel:ident, $snake:ident, $id:literal, $name:literal, ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*) => {
                [ $( (Event::$camel, [ $( stringify!($arg) ),* ].contains(&"endpoint")) ),* ]
            };
        }
        for (event, wanted) in ::ompt::for_each_event! { endpoints } {
            assert_eq!(has_endpoints(event), wanted, "{event:?}");
        }
    }
}

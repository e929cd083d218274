//! The table of rules: the name of each rule, its section of OpenMP 5.1, and what is wrong when a program or runtime
//! breaks the rule. `docs/check-rules.md` is written from this table.

/// The party that is to blame when a rule is broken.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Blame {
    /// The OpenMP runtime: its events violate the specification.
    Runtime,
    /// The OpenMP runtime: it keeps to the specification, but makes the work of tools harder than necessary.
    Strict,
    /// The program: it breaks a restriction of OpenMP, or waits for ever.
    Program,
    /// The program does what is allowed, but seldom wanted. The run passes.
    Advice,
}

impl Blame {
    /// The word for this kind of blame in reports.
    pub fn word(self) -> &'static str {
        match self {
            Blame::Runtime => "runtime",
            Blame::Strict => "strict",
            Blame::Program => "program",
            Blame::Advice => "advice",
        }
    }
}

macro_rules! rules {
    ($( $camel:ident $id:literal, $section:literal, $blame:ident: $what:literal; )*) => {
        /// A rule.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Rule { $( #[doc = $what] $camel, )* }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Rule] = &[ $( Rule::$camel ),* ];

            /// The rule's name, as `--ignore` takes it.
            pub fn id(self) -> &'static str {
                match self { $( Rule::$camel => $id ),* }
            }

            /// The section of OpenMP 5.1, or of another version if the text names one.
            pub fn section(self) -> &'static str {
                match self { $( Rule::$camel => $section ),* }
            }

            /// The party that breaks the rule.
            pub fn blame(self) -> Blame {
                match self { $( Rule::$camel => Blame::$blame ),* }
            }

            /// What is wrong when the rule is broken.
            pub fn what(self) -> &'static str {
                match self { $( Rule::$camel => $what ),* }
            }
        }
    };
}

rules! {
    // Threads and the tool's life.
    ThreadBegin "thread-begin", "4.5.2.1", Runtime: "a thread has an event before its `thread_begin`, a second `thread_begin`, or one of an unknown type";
    ThreadOpen "thread-open", "4.5.2.2", Runtime: "a worker, or the thread that finalises the runtime, never had its `thread_end`";
    AfterThreadEnd "after-thread-end", "4.5.2.2", Runtime: "a thread has an event after its `thread_end`";
    AfterFinalize "after-finalize", "4.2.4", Runtime: "an event after the tool's finaliser";
    ThreadData "thread-data", "4.6.1.5", Runtime: "the thread's data word changed, or `ompt_get_thread_data` answers another word";
    // Data words.
    DataNotZero "data-not-zero", "4.4.4.4", Runtime: "a data word is not zero when its object begins";
    DataLost "data-lost", "4.4.4.4", Runtime: "a data word no longer has the value that the tool stored";
    DataMoved "data-moved", "4.4.4.4", Strict: "a data word lies at another address than at the begin";
    NullData "null-data", "4.5.2", Runtime: "a data word is missing where the specification asks for one";
    DataNotNull "data-not-null", "4.5.2", Runtime: "a data word where the specification asks for a null pointer";
    // Regions and implicit tasks.
    ParallelPair "parallel-pair", "4.5.2.4", Runtime: "`parallel_end` on another thread, in another task, or out of order";
    ParallelFlags "parallel-flags", "4.4.4.21", Runtime: "the flags do not have exactly one invoker (program or runtime) and exactly one kind (team or league), or differ between begin and end";
    RequestedParallelism "requested-parallelism", "4.5.2.3", Runtime: "a team or league is larger than requested";
    ImplicitTaskCount "implicit-task-count", "2.6", Runtime: "implicit tasks of a region had not begun when the region ended, began after its end, or are too many";
    ImplicitTaskPair "implicit-task-pair", "4.5.2.11", Runtime: "implicit tasks of a thread end out of order";
    ImplicitTaskOpen "implicit-task-open", "4.5.2.11", Runtime: "an implicit task never ended";
    TaskIndex "task-index", "4.5.2.11", Runtime: "the number of an implicit task lies outside the team, was used twice, or differs between begin and end";
    ActualParallelism "actual-parallelism", "4.5.2.11", Runtime: "`actual_parallelism` is 0 at a begin, differs within a team, or is not 0 at an end";
    TaskFlags "task-flags", "4.4.4.18", Runtime: "the flags have not exactly one kind of task, or a kind that this event cannot have";
    WrongRegion "wrong-region", "4.5.2", Runtime: "an event names a region other than the one of its task";
    // Explicit tasks.
    NotCurrentTask "not-current-task", "4.5.2", Runtime: "an event of a task that this thread does not run";
    PriorTask "prior-task", "4.5.2.10", Runtime: "a task switch from a task that this thread does not run";
    NextTask "next-task", "4.5.2.10", Runtime: "a task switch to a task that runs elsewhere, or has detached";
    TiedTask "tied-task", "2.12.6", Runtime: "a tied task resumes on a thread other than the one that began it";
    SchedulingConstraint "scheduling-constraint", "2.12.6", Runtime: "a thread begins a new tied task that does not descend from the tied task that the thread has suspended";
    TaskAfterEnd "task-after-end", "4.5.2.10", Runtime: "a task that has ended appears again";
    TaskOpen "task-open", "4.5.2.10", Runtime: "an explicit task never completed, although its region ended";
    TaskStatus "task-status", "4.4.4.19", Runtime: "an unknown status of a task, or one that does not fit";
    Detach "detach", "4.4.4.19", Runtime: "the event of a task that has not begun is reported as fulfilled late, or an event is fulfilled twice";
    Children "children-complete", "2.19.5", Runtime: "a taskwait region ended before the children of its task were complete";
    Taskgroup "taskgroup-complete", "2.19.6", Runtime: "a taskgroup region ended before its tasks were complete";
    BarrierTasks "barrier-tasks", "2.19.2", Runtime: "a barrier ended before the explicit tasks of the region were complete";
    // Dependences.
    DependenceKind "dependence-kind", "4.4.4.23", Runtime: "an unknown kind of dependence";
    DependencesMissing "dependences-missing", "4.5.2.8", Runtime: "`has_dependences` and the `dependences` event do not agree";
    DependenceOrder "dependence-order", "2.19.11", Runtime: "a task began before a task that it depends on was complete";
    DependenceExclusion "dependence-exclusion", "2.19.11", Runtime: "two tasks with `mutexinoutset` of the same location ran at the same time";
    TaskDependence "task-dependence", "4.5.2.9", Runtime: "a `task_dependence` event names two tasks, but the later does not depend on the earlier";
    // Synchronisation, work.
    EndWithoutBegin "end-without-begin", "4.5.2.13", Runtime: "a synchronisation, wait, reduction, work or masked scope ends without a begin";
    BeginWithoutEnd "begin-without-end", "4.5.2.13", Runtime: "a synchronisation, wait, reduction, work or masked scope never ends";
    Endpoint "endpoint", "4.4.4.11", Runtime: "an endpoint that this event cannot have";
    SyncKind "sync-kind", "4.4.4.13", Runtime: "an unknown kind of synchronisation region, or one that this event cannot have";
    WaitOutsideRegion "wait-outside-region", "4.5.2.13", Runtime: "a wait lies outside a synchronisation region of its kind";
    ScheduleInsideWait "schedule-inside-wait", "4.5.2.13", Strict: "a thread leaves a task while that task's wait is open";
    BarrierLeft "barrier-left", "2.19.2", Runtime: "a thread left a barrier before every thread of the team had reached it";
    WorkKind "work-kind", "4.4.4.15", Runtime: "an unknown kind of work";
    WorkDiffers "work-differs", "2.10", Runtime: "the threads of a team report different kinds or counts for the same worksharing region";
    SingleExecutor "single-executor", "2.10.2", Runtime: "a single region with no executing thread, or with several";
    DispatchKind "dispatch-kind", "4.4.4.12", Runtime: "an unknown kind of dispatch, or one that does not fit the region";
    DispatchOutsideWork "dispatch-outside-work", "4.5.2.6", Runtime: "a piece of work is dispatched outside a worksharing region";
    DispatchRange "dispatch-range", "4.5.2.6", Runtime: "an iteration or chunk lies outside the iteration space";
    DispatchOverlap "dispatch-overlap", "4.5.2.6", Runtime: "an iteration is dispatched twice";
    DispatchMissing "dispatch-missing", "4.5.2.6", Runtime: "iterations or sections of a region were never dispatched";
    DispatchChunks "dispatch-chunks", "4.5.2.6; chunks are OpenMP 5.2's", Strict: "chunks of a loop lie outside the iteration space, overlap, or do not cover it";
    OrderedOrder "ordered-order", "2.19.9; chunks are OpenMP 5.2's", Strict: "an ordered region of a later chunk was executed before one of an earlier chunk";
    // Mutual exclusion.
    MutexOrder "mutex-order", "4.5.2.15", Runtime: "the events of a mutex are not in the order acquire, acquired, released";
    MutexKind "mutex-kind", "4.4.4.16", Runtime: "a mutex appears under different kinds, or under an unknown one";
    MutexExclusion "mutex-exclusion", "2.19.1", Runtime: "two tasks hold the same mutex";
    NestLock "nest-lock", "4.5.2.16", Runtime: "`nest_lock` for a lock that the task does not own, or whose nesting count does not fit the event";
    // Cancellation, errors.
    CancelFlags "cancel-flags", "4.4.4.25", Runtime: "the flags have not exactly one construct, or not exactly one of activated, detected and discarded";
    CancelTask "cancel-task", "4.5.2.18", Runtime: "a task that has begun is reported as discarded";
    Severity "severity", "4.4.4.24", Runtime: "an unknown severity";
    // Devices.
    DeviceNumber "device-number", "4.5.2.19", Runtime: "an event names a device whose number is negative";
    DeviceLife "device-life", "4.5.2.19", Runtime: "a device has an event before its initialisation or after its finalisation, or is initialised twice";
    DeviceModule "device-module", "4.5.2.21", Runtime: "a device's code is loaded twice, or unloaded without having been loaded";
    TargetKind "target-kind", "4.4.4.20", Runtime: "an unknown kind of device construct";
    TargetPair "target-pair", "4.5.2.26", Runtime: "a device construct ends without a begin, as another construct or on another thread, or has operations while it is not open";
    TargetOpen "target-open", "4.5.2.26", Runtime: "a device construct never ended";
    TargetTask "target-task", "2.14.3 to 2.14.6", Strict: "a device construct has no target task, its thread does not run the target task, or the construct does not name the task that generated the target task";
    TargetForms "target-forms", "4.5.2.25", Runtime: "events of device constructs come both with and without data words";
    TargetIdentifier "target-id", "4.4.4.3", Runtime: "the identifier of a construct or operation is not unique";
    OperationKind "operation-kind", "4.4.4.14", Runtime: "an unknown kind of operation on a device's data";
    OperationDevice "operation-device", "4.5.2.25", Runtime: "an operation is for a device other than the one of its construct, for instance with source and destination exchanged";
    OperationPair "operation-pair", "4.5.2.25", Runtime: "an operation ends without a begin, ends as another operation, or never ends";
    RecordInvalid "record-invalid", "4.6.2.11", Runtime: "a device's buffer has a record that cannot be read";
    RecordTime "record-time", "4.4.3.4", Runtime: "a record has no time, ends before it begins, or is older than the previous record of its thread";
    RecordOperation "record-operation", "4.5.2.28", Runtime: "a device's record belongs to no operation of the host, to another operation, or to one that already has a record";
    RecordScope "record-scope", "4.5.2.13", Runtime: "a device's thread ends a scope without a begin";
    RecordMissing "record-missing", "4.5.2.24", Runtime: "a device that traces itself has not recorded a kernel or copy";
    // Code, frames, entry points.
    CodeptrInRuntime "codeptr-in-runtime", "4.5.2", Runtime: "the code address lies in the runtime's own library";
    CodeptrNull "codeptr-null", "4.5.2", Strict: "no code address, although a construct of the program caused the event";
    EnterFrame "enter-frame", "4.4.4.28", Runtime: "the encountering task has no enter frame";
    State "state", "4.4.4.27", Runtime: "an unknown or undefined state";
    StateSerial "state-serial", "4.4.4.27", Runtime: "`ompt_state_work_serial` inside a parallel region, or `ompt_state_work_parallel` outside all parallel regions";
    StateWait "state-wait", "4.4.4.27", Runtime: "the state names a wait that the thread is not in";
    WaitIdentifier "wait-id", "4.6.1.12", Runtime: "the wait identifier of `ompt_get_state` is not the one of the mutex that is being acquired";
    TaskInfo "task-info", "4.6.1.14", Runtime: "`ompt_get_task_info` names a task or region other than the one of the events";
    ParallelInfo "parallel-info", "4.6.1.13", Runtime: "`ompt_get_parallel_info` names a region or team size other than the one of the events";
    // The program.
    SelfDeadlock "self-deadlock", "3.9.4", Program: "a task waits for a lock or critical region that it holds itself, for ever";
    Deadlock "deadlock", "2.19.1", Program: "threads wait for each other's locks or critical regions in a circle, for ever";
    LockAcrossTask "lock-across-task", "2.12.6", Program: "a task waits for a lock that is held by the task that its thread has suspended";
    LockUninitialized "lock-uninitialized", "3.9", Program: "a lock is used or destroyed that was not initialised, or was initialised as another kind of lock";
    LockDestroyed "lock-destroyed", "3.9.3", Program: "a lock is destroyed while it is set";
    LockNotOwned "lock-not-owned", "3.9.5", Program: "a lock is unset by a task that does not own it";
    LockKept "lock-kept", "3.9.4", Program: "a task ended and still owns a lock, which nobody can unset any more";
    WorksharingNested "worksharing-nesting", "2.22", Program: "a worksharing region inside a worksharing, critical, ordered or masked region or an explicit task, with no parallel region between them";
    BarrierNested "barrier-nesting", "2.22", Program: "a barrier inside a worksharing, critical, ordered or masked region or an explicit task, with no parallel region between them";
    MaskedNested "masked-nesting", "2.22", Program: "a masked region inside a worksharing region or an explicit task, with no parallel region between them";
    OrderedNested "ordered-nesting", "2.22", Program: "an ordered region inside a critical or ordered region or an explicit task, with no parallel region between them";
    WorksharingOrder "worksharing-order", "2.10", Program: "threads of a team encounter different worksharing regions, or encounter them in different orders";
    TargetFailed "target-failed", "2.14", Program: "the program ended inside a device construct, but not by its own code: a variable could not be mapped, or the device could not execute the construct";
    BarrierMissed "barrier-missed", "2.19.2", Program: "some threads of a team wait in a barrier that others never reach";
    Stuck "stuck", "2.19", Program: "every thread waits, and nothing is left that could wake a thread";
    TaskNeverCompleted "task-never-completed", "3.11.1", Program: "nobody fulfils the event of a detached task";
    Oversubscribed "oversubscribed", "2.4.2", Advice: "more threads were in parallel regions at once than the process has CPUs";
    HeldLong "held-long", "2.19.1", Advice: "a lock or critical region was held for a long time while other threads waited for it";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;
    use std::path::Path;

    /// The table as a document.
    fn document() -> String {
        let mut text = String::from(
            "# What `ferromp check` checks\n\n\
             Written from `crates/checker/src/rules.rs` by `FERROMP_WRITE_DOCS=1 cargo test -p ferromp-checker --lib`.\n\
             Sections are those of OpenMP 5.1. `ferromp check --ignore RULE` leaves a rule out.\n",
        );
        let parts = [
            (Blame::Runtime, "The runtime", "Events that violate the specification. The run ends with status 87."),
            (
                Blame::Strict,
                "The runtime, strictly",
                "ferromp promises what these rules say, because tools rely on it. The specification leaves it open, so other\n\
                 runtimes are not held to it.",
            ),
            (
                Blame::Program,
                "The program",
                "Faults of the program, reported with file and line. The run ends with status 87.",
            ),
            (Blame::Advice, "Advice", "What is allowed, but seldom wanted. The run keeps the program's own status."),
        ];
        for (blame, heading, about) in parts {
            let _ =
                write!(text, "\n## {heading}\n\n{about}\n\n| rule | section | what is wrong |\n| --- | --- | --- |\n");
            for rule in Rule::ALL.iter().filter(|rule| rule.blame() == blame) {
                let _ = writeln!(text, "| `{}` | {} | {} |", rule.id(), rule.section(), rule.what());
            }
        }
        text
    }

    #[test]
    fn the_document_is_the_table() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/check-rules.md");
        if std::env::var_os("FERROMP_WRITE_DOCS").is_some() {
            std::fs::write(&path, document()).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == document(), "docs/check-rules.md is out of date: FERROMP_WRITE_DOCS=1 writes it");
    }

    #[test]
    fn names_are_unique() {
        for (index, rule) in Rule::ALL.iter().enumerate() {
            assert!(Rule::ALL[..index].iter().all(|other| other.id() != rule.id()), "{}", rule.id());
        }
    }
}

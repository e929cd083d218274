//! The rules: what each is called, the section of OpenMP 5.1 that it comes from, and what is wrong when it is broken.
//! `docs/check-rules.md` is written from this table.

/// Who is to blame when a rule is broken.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Blame {
    /// The OpenMP runtime: its events violate the specification.
    Runtime,
    /// The OpenMP runtime: it keeps to the specification, and tools have to bear more than they should.
    Strict,
    /// The program: it breaks a restriction of OpenMP, or waits for ever.
    Program,
    /// The program does what is allowed and seldom wanted; the run passes.
    Advice,
}

impl Blame {
    /// The word for it in reports.
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

            /// Its name, by which it is ignored.
            pub fn id(self) -> &'static str {
                match self { $( Rule::$camel => $id ),* }
            }

            /// The section of OpenMP 5.1, or of another version where it says so.
            pub fn section(self) -> &'static str {
                match self { $( Rule::$camel => $section ),* }
            }

            /// Who breaks it.
            pub fn blame(self) -> Blame {
                match self { $( Rule::$camel => Blame::$blame ),* }
            }

            /// What is wrong when it is broken.
            pub fn what(self) -> &'static str {
                match self { $( Rule::$camel => $what ),* }
            }
        }
    };
}

rules! {
    // Threads and the tool's life.
    ThreadBegin "thread-begin", "4.5.2.1", Runtime: "an event of a thread before its `thread_begin`, a second `thread_begin`, or one of an unknown type";
    ThreadOpen "thread-open", "4.5.2.2", Runtime: "a worker, or the thread that finalises the runtime, never had its `thread_end`";
    AfterThreadEnd "after-thread-end", "4.5.2.2", Runtime: "an event of a thread after its `thread_end`";
    AfterFinalize "after-finalize", "4.2.4", Runtime: "an event after the tool's finaliser";
    ThreadData "thread-data", "4.6.1.5", Runtime: "the thread's data word changed, or `ompt_get_thread_data` answers another";
    // Data words.
    DataNotZero "data-not-zero", "4.4.4.4", Runtime: "a data word is not zero when its object begins";
    DataLost "data-lost", "4.4.4.4", Runtime: "a data word has not the value that the tool put there";
    DataMoved "data-moved", "4.4.4.4", Strict: "a data word lies at another address than at the begin";
    NullData "null-data", "4.5.2", Runtime: "a data word is missing where the specification asks for one";
    DataNotNull "data-not-null", "4.5.2", Runtime: "a data word where the specification asks for a null pointer";
    // Regions and implicit tasks.
    ParallelPair "parallel-pair", "4.5.2.4", Runtime: "`parallel_end` on another thread, in another task, or out of order";
    ParallelFlags "parallel-flags", "4.4.4.21", Runtime: "not one of program and runtime as invoker, not one of team and league, or other flags at the end than at the begin";
    RequestedParallelism "requested-parallelism", "4.5.2.3", Runtime: "a team or league is larger than what was asked for";
    ImplicitTaskCount "implicit-task-count", "2.6", Runtime: "implicit tasks of a region that had not begun when it ended, began after its end, or are too many";
    ImplicitTaskPair "implicit-task-pair", "4.5.2.11", Runtime: "implicit tasks of a thread end out of order";
    ImplicitTaskOpen "implicit-task-open", "4.5.2.11", Runtime: "an implicit task never ended";
    TaskIndex "task-index", "4.5.2.11", Runtime: "the number of an implicit task lies outside of the team, was taken twice, or differs at the end";
    ActualParallelism "actual-parallelism", "4.5.2.11", Runtime: "`actual_parallelism` is 0 at a begin, differs within a team, or is not 0 at an end";
    TaskFlags "task-flags", "4.4.4.18", Runtime: "not exactly one kind of task, or a kind that this event cannot have";
    WrongRegion "wrong-region", "4.5.2", Runtime: "an event names another region than that of its task";
    // Explicit tasks.
    NotCurrentTask "not-current-task", "4.5.2", Runtime: "an event of a task that this thread does not run";
    PriorTask "prior-task", "4.5.2.10", Runtime: "a task switch from a task that this thread does not run";
    NextTask "next-task", "4.5.2.10", Runtime: "a task switch to a task that runs elsewhere, or has detached";
    TiedTask "tied-task", "2.12.6", Runtime: "a tied task goes on on another thread than the one that began it";
    SchedulingConstraint "scheduling-constraint", "2.12.6", Runtime: "a new tied task is begun that does not descend from the tied task which the thread has suspended";
    TaskAfterEnd "task-after-end", "4.5.2.10", Runtime: "a task that has ended appears again";
    TaskOpen "task-open", "4.5.2.10", Runtime: "an explicit task never completed, although its region ended";
    TaskStatus "task-status", "4.4.4.19", Runtime: "an unknown status of a task, or one that does not fit";
    Detach "detach", "4.4.4.19", Runtime: "a task is fulfilled late that has not begun, or twice";
    Children "children-complete", "2.19.5", Runtime: "a taskwait region ended before the children of its task were complete";
    Taskgroup "taskgroup-complete", "2.19.6", Runtime: "a taskgroup region ended before its tasks were complete";
    BarrierTasks "barrier-tasks", "2.19.2", Runtime: "a barrier ended before the explicit tasks of the region were complete";
    // Dependences.
    DependenceKind "dependence-kind", "4.4.4.23", Runtime: "an unknown kind of dependence";
    DependencesMissing "dependences-missing", "4.5.2.8", Runtime: "`has_dependences` and the `dependences` event do not agree";
    DependenceOrder "dependence-order", "2.19.11", Runtime: "a task began before a task that it depends on was complete";
    DependenceExclusion "dependence-exclusion", "2.19.11", Runtime: "two tasks with `mutexinoutset` of the same location ran at the same time";
    TaskDependence "task-dependence", "4.5.2.9", Runtime: "a `task_dependence` event between tasks of which the later does not depend on the earlier";
    // Synchronisation, work.
    EndWithoutBegin "end-without-begin", "4.5.2.13", Runtime: "a synchronisation, wait, reduction, work or masked scope ends that was not begun";
    BeginWithoutEnd "begin-without-end", "4.5.2.13", Runtime: "such a scope was begun and never ended";
    Endpoint "endpoint", "4.4.4.11", Runtime: "an endpoint that this event cannot have";
    SyncKind "sync-kind", "4.4.4.13", Runtime: "an unknown kind of synchronisation region, or one that this event cannot have";
    WaitOutsideRegion "wait-outside-region", "4.5.2.13", Runtime: "a wait outside of a synchronisation region of its kind";
    ScheduleInsideWait "schedule-inside-wait", "4.5.2.13", Strict: "a task is left while its wait is open";
    BarrierLeft "barrier-left", "2.19.2", Runtime: "a thread left a barrier before every thread of the team had reached it";
    WorkKind "work-kind", "4.4.4.15", Runtime: "an unknown kind of work";
    WorkDiffers "work-differs", "2.10", Runtime: "the threads of a team report different kinds or counts for the same worksharing region";
    SingleExecutor "single-executor", "2.10.2", Runtime: "a single region with no executing thread, or with several";
    DispatchKind "dispatch-kind", "4.4.4.12", Runtime: "an unknown kind of dispatch, or one that does not fit the region";
    DispatchOutsideWork "dispatch-outside-work", "4.5.2.6", Runtime: "a piece of work is dispatched outside of a worksharing region";
    DispatchRange "dispatch-range", "4.5.2.6", Runtime: "an iteration or chunk outside of the iteration space";
    DispatchOverlap "dispatch-overlap", "4.5.2.6", Runtime: "an iteration is dispatched twice";
    DispatchMissing "dispatch-missing", "4.5.2.6", Runtime: "iterations or sections of a region were never dispatched";
    DispatchChunks "dispatch-chunks", "4.5.2.6; chunks are OpenMP 5.2's", Strict: "chunks of a loop that lie outside of the iteration space, overlap, or do not make it up";
    OrderedOrder "ordered-order", "2.19.9; chunks are OpenMP 5.2's", Strict: "an ordered region of a later chunk was executed before one of an earlier chunk";
    // Mutual exclusion.
    MutexOrder "mutex-order", "4.5.2.15", Runtime: "not acquire, acquired, released";
    MutexKind "mutex-kind", "4.4.4.16", Runtime: "a mutex appears under different kinds, or under an unknown one";
    MutexExclusion "mutex-exclusion", "2.19.1", Runtime: "two tasks hold the same mutex";
    NestLock "nest-lock", "4.5.2.16", Runtime: "`nest_lock` for a lock that the task does not own so often";
    // Cancellation, errors.
    CancelFlags "cancel-flags", "4.4.4.25", Runtime: "not exactly one construct, or not exactly one of activated, detected and discarded";
    CancelTask "cancel-task", "4.5.2.18", Runtime: "a task is discarded that has begun";
    Severity "severity", "4.4.4.24", Runtime: "an unknown severity";
    // Devices.
    DeviceNumber "device-number", "4.5.2.19", Runtime: "an event names a device whose number is negative";
    DeviceLife "device-life", "4.5.2.19", Runtime: "an event of a device before it was initialised or after it was finalised, or it is initialised twice";
    DeviceModule "device-module", "4.5.2.21", Runtime: "code of a device is loaded twice, or unloaded and was not loaded";
    TargetKind "target-kind", "4.4.4.20", Runtime: "an unknown kind of device construct";
    TargetPair "target-pair", "4.5.2.26", Runtime: "a device construct ends that has not begun, or as another, or on another thread, or has operations while it is not open";
    TargetOpen "target-open", "4.5.2.26", Runtime: "a device construct never ended";
    TargetTask "target-task", "2.14.3 to 2.14.6", Strict: "a device construct without a target task, or whose target task its thread does not run, or another task has generated than the construct names";
    TargetForms "target-forms", "4.5.2.25", Runtime: "events of device constructs come with data words and without";
    TargetIdentifier "target-id", "4.4.4.3", Runtime: "the identifier of a construct or operation is not unique";
    OperationKind "operation-kind", "4.4.4.14", Runtime: "an unknown kind of operation on a device's data";
    OperationDevice "operation-device", "4.5.2.25", Runtime: "an operation is for another device than its construct, as when source and destination are exchanged";
    OperationPair "operation-pair", "4.5.2.25", Runtime: "an operation ends that has not begun, ends as another, or never";
    RecordInvalid "record-invalid", "4.6.2.11", Runtime: "a device's buffer has a record that cannot be read";
    RecordTime "record-time", "4.4.3.4", Runtime: "a record has no time, ends before it begins, or is older than the one before of its thread";
    RecordOperation "record-operation", "4.5.2.28", Runtime: "a device's record is of no operation of the host's, of another one, or the second of one";
    RecordScope "record-scope", "4.5.2.13", Runtime: "a device's thread ends a scope that has not begun";
    RecordMissing "record-missing", "4.5.2.24", Runtime: "a device that traces itself has not recorded a kernel or copy";
    // Code, frames, entry points.
    CodeptrInRuntime "codeptr-in-runtime", "4.5.2", Runtime: "the code address lies in the runtime's own library";
    CodeptrNull "codeptr-null", "4.5.2", Strict: "no code address, although a construct of the program caused the event";
    EnterFrame "enter-frame", "4.4.4.28", Runtime: "the encountering task has no enter frame";
    State "state", "4.4.4.27", Runtime: "an unknown or undefined state";
    StateSerial "state-serial", "4.4.4.27", Runtime: "`ompt_state_work_serial` inside of a parallel region, or `ompt_state_work_parallel` outside of all";
    StateWait "state-wait", "4.4.4.27", Runtime: "the state is that of a wait which the thread is not in";
    WaitIdentifier "wait-id", "4.6.1.12", Runtime: "the wait identifier of `ompt_get_state` is not that of the mutex which is being acquired";
    TaskInfo "task-info", "4.6.1.14", Runtime: "`ompt_get_task_info` names another task or region than the events";
    ParallelInfo "parallel-info", "4.6.1.13", Runtime: "`ompt_get_parallel_info` names another region or team size than the events";
    // The program.
    SelfDeadlock "self-deadlock", "3.9.4", Program: "a task waits for a lock or critical region that it holds itself, for ever";
    Deadlock "deadlock", "2.19.1", Program: "threads wait for each other's locks or critical regions in a circle, for ever";
    LockAcrossTask "lock-across-task", "2.12.6", Program: "a task waits for a lock that the task holds which its thread has suspended for it";
    LockUninitialized "lock-uninitialized", "3.9", Program: "a lock is used or destroyed that was not initialised, or was initialised as another kind";
    LockDestroyed "lock-destroyed", "3.9.3", Program: "a lock is destroyed while it is set";
    LockNotOwned "lock-not-owned", "3.9.5", Program: "a lock is unset by a task that does not own it";
    LockKept "lock-kept", "3.9.4", Program: "a task ended and still owns a lock, which nobody can unset any more";
    WorksharingNested "worksharing-nesting", "2.22", Program: "a worksharing region inside of a worksharing, critical, ordered or masked region or an explicit task, with no parallel region between them";
    BarrierNested "barrier-nesting", "2.22", Program: "a barrier inside of a worksharing, critical, ordered or masked region or an explicit task, with no parallel region between them";
    MaskedNested "masked-nesting", "2.22", Program: "a masked region inside of a worksharing region or an explicit task, with no parallel region between them";
    OrderedNested "ordered-nesting", "2.22", Program: "an ordered region inside of a critical or ordered region or an explicit task, with no parallel region between them";
    WorksharingOrder "worksharing-order", "2.10", Program: "threads of a team come to different worksharing regions, or in different orders";
    TargetFailed "target-failed", "2.14", Program: "the program ended inside of a device construct, and not by its own code: a variable could not be mapped, or the device could not execute it";
    BarrierMissed "barrier-missed", "2.19.2", Program: "some threads of a team wait in a barrier that others never reach";
    Stuck "stuck", "2.19", Program: "every thread waits, and nothing is left that could wake one";
    TaskNeverCompleted "task-never-completed", "3.11.1", Program: "a detached task whose event nobody fulfils";
    Oversubscribed "oversubscribed", "2.4.2", Advice: "more threads were in parallel regions at once than the process has CPUs";
    HeldLong "held-long", "2.19.1", Advice: "a lock or critical region was held for long while other threads waited for it";
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
             Written from `crates/checker/src/rules.rs` by `cargo test -p ferromp-checker --lib`, with `FERROMP_WRITE_DOCS=1` set.\n\
             Sections are those of OpenMP 5.1. `--ignore RULE` leaves a rule out.\n",
        );
        let parts = [
            (Blame::Runtime, "The runtime", "Events that violate the specification. The run ends with status 87."),
            (
                Blame::Strict,
                "The runtime, strictly",
                "What the specification leaves open, and tools rely on: ferromp promises it. Other runtimes are not held to it.",
            ),
            (
                Blame::Program,
                "The program",
                "Faults of the program, told with file and line. The run ends with status 87.",
            ),
            (Blame::Advice, "Advice", "What is allowed and seldom wanted. The run keeps the program's own status."),
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

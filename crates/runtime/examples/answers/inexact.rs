//! What tools see of an event, and what the event does not tell them.

use ompt::Event;

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

//! The command line: subcommands, options and their help. Subcommands and options are named as in `perf`, `nsys` and
//! `rocprofv3`; terms are OpenMP's (region, barrier, task).

mod diff;
mod export;
mod format;
mod look;
mod merge;
mod system;

pub use diff::DiffArgs;
pub use export::{ExportArgs, Of, Target};
pub use format::Format;
pub use look::Look;
pub use merge::MergeArgs;
pub use system::{SystemAction, SystemArgs};

use std::ffi::OsString;
use std::path::PathBuf;

use crate::part::Part;
use crate::quantity;
use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use ferromp_trace::replay::Asked;

/// Shown below the list of subcommands.
const OVERVIEW: &str = "\
Examples:
  ferromp trace -- ./app input.dat     record a run, show where its time went
  ferromp report ferromp-app-20260314-093012-4711
  ferromp diff before after            what got slower or faster
  ferromp export ferromp-app-20260314-093012-4711 --to perfetto
  ferromp profile -- ./app             the same report, but no events are kept
  ferromp top -- ./app                 where the time goes while it runs
  ferromp check -- ./app               what the program does wrong with OpenMP
  ferromp debug -- ./app               gdb, with commands for OpenMP
  ferromp doctor ./app                 which OpenMP runtime the program uses

Exit status:
  trace, profile, top, check and run exit with the program's own status, or
  128+n if signal n killed it.
  0    success
  87   check: the program or its OpenMP runtime does something wrong
  1    doctor: something keeps ferromp from the program; diff: something got
       slower by more than --fail-above allows
  125  ferromp itself failed (wrong usage, damaged trace, disk full, ...)
  126  the program cannot be executed
  127  the program was not found

Environment:
  FERROMP_PREFIX  the folder that holds lib/libferromp.so
                  [default: the folder above this command's bin/]";

const TRACE_HELP: &str = "\
Examples:
  ferromp trace -- ./app input.dat
  ferromp trace -o before -- ./app input.dat
  ferromp trace -- python3 train.py
  ferromp trace --tool ./libtool.so -- ./app   your OMPT tool in the same run
  ferromp trace --no-samples -- ./app          events alone
  ferromp trace --chunks -- ./app              each chunk of each loop
  ferromp trace --counters cycles,instructions,LLC-misses -- ./app
  ferromp trace -- sh -c './prepare && ./solve'
  mpirun -n 4 ferromp trace -o run -- ./app    run/rank-0, run/rank-1, ...
  ferromp trace -- ./app | sort                only the program's output is piped

The columns of the summary are explained by: ferromp report --help. The
program keeps its stdin, stdout, stderr, exit status and signals; Ctrl-C goes
to the program only. The summary follows on stderr, so that stdout has only
the program's output. Programs that the program starts are recorded as well,
each into its own folder inside DIR.

With --max-size, the newest events of each process are kept, in about SIZE bytes
on disk. The summary is still of the whole run: this command reads all events
while the program runs. If it cannot keep up, the threads wait for it, and the
summary says how long. SIZE holds if it is more than about a megabyte a thread.

Each thread is interrupted about 199 times in a second of its time on a CPU,
and its place in the code is recorded. This uses the signal SIGURG if the
program does not, else a real-time signal.

--counters counts for each thread, and reads the counters where the thread
begins and ends its part of a parallel region, with a system call each time.
Names are those of perf list, such as cycles, instructions, cache-misses,
LLC-misses, branch-misses, page-faults and context-switches. r1234 is a raw
event, and :u behind a name counts in user code only. A counter that the system
refuses costs one line.

MPI calls are recorded if the program needs an MPI library, is started by an MPI
launcher, or is one. --clocks has the ranks compare their hosts' clocks when MPI
begins and ends. All ranks must then be recorded with --clocks: the others would
be waited for.

In DIR, %h is the host name, %p this command's process id, %r the MPI rank (0
without MPI), %% is %. Under MPI, a DIR without %p and %r gets a folder for
each rank.";

const PROFILE_HELP: &str = "\
Examples:
  ferromp profile -- ./app input.dat
  ferromp profile -o before -- ./app input.dat
  ferromp report before --all

A profile has what ferromp trace reports, but no events: no timeline, nothing to
export. The recorder writes the events as for a trace. This command reads them
while the program runs, and frees their space at once: memory and disk do not
grow with the run. Each thread has a few megabytes in DIR while it runs.

If a program makes events faster than they can be read, its threads wait. The
summary says how long.";

const TOP_HELP: &str = "\
Examples:
  ferromp top -- ./app input.dat
  ferromp top 4711                 a process that ferromp trace has started
  ferromp top -n 5 --interval 0.5 -- ./app 2> lines.txt

Shows, once a second: the regions by their part of the last interval and of the
whole run, the part of the threads' time that is work, the wait that costs most,
and the first finding so far. q ends the view; the program goes on. If stderr
is no terminal, each view is one line. A program that is started is profiled as
by ferromp profile. While a terminal shows the view, the program's output to
that terminal is held back until its end, and it has no input from there.";

const REPORT_HELP: &str = "\
Examples:
  ferromp report ferromp-app-20260314-093012-4711
  ferromp report before --waits --locks
  ferromp report before --all --width 200 > before.txt
  ferromp report before --html before.html     one file, without network
  ferromp report before --what-if balance=heat.c:34 --what-if threads=16
  ferromp report before --format json > before.json
  ferromp report at-1 at-2 at-4 at-8           how the program scales
  ferromp report before --from 1.5s --to 80%   a window of time
  ferromp report before --region heat.c:34     one parallel region

Without a flag of a table, the report shows the first rows of the tables that
matter most, and names the others. A column drops out if all its numbers are
zeros. In a narrow terminal, numbers stand below their names. If the folder has
the traces of several processes, a comparison of them comes first. The ranks of
a job have one report together: times from rank to rank, and findings with the
ranks that have them. Their gains are those of the mean rank.

With --from, --to or --region, everything in the report is about a part of the
trace: what crosses an edge of the window is cut there, and percentages are of
the part. Several regions may match PLACE; they are named at the top, and what
happens inside of them counts as well. Chunks of a loop that crosses an edge are
counted in proportion.

Parallel regions: each row is a region, over all its calls. time and % wall are
the encountering thread's, from begin to end. The other columns are percentages
of that time multiplied by the threads of the team, and add up to 100:
  work     running the program's code: the region, its explicit tasks, the
           regions nested in it
  barrier  waiting in barriers, including those at the end of loops and of the
           region
  sync     waiting for locks, critical, ordered and atomic regions, devices,
           taskwait and taskgroup, and in MPI; (in MPI) is that part
  idle     not yet in the region, or already finished with it: threads wake
           late, or have no CPU
  runtime  forking, joining and the like, inside the runtime but not waiting
imbalance compares the mean thread's work with the busiest thread's: 0 is
balanced, and if one of four threads does all the work it is 75.

Loops and sections: the time of all threads in the construct, without the
barrier after it. largest is the iterations of the largest chunk: the chunk size
of a dynamic schedule. A chunk lasts until its thread gets the next one. clang
divides static loops and sections in the program, so that a thread has one chunk
there; gcc's static loops make no call and are missing. The longest chunk is
named if the trace was recorded with --chunks.

Threads: preempted is work for which the system took the CPU away, blocked work
for which the thread gave it up (it slept, read or waited for a page).

Counters: what was recorded with ferromp trace --counters. What happens in a
nested region counts there alone, waiting at a region's end in a row of its
own. IPC is the instructions a cycle, and NAME-misses/1000 the misses in 1000
instructions.

Waiting: the constructs at which members of a team waited for others, the
longest wait first, and what these did most of the time; % is its part. If
several worked at a time, each has an equal part. \"not there yet\" are threads
that wake late, or have no CPU. Leaving a barrier after the last thread has
arrived is no waiting.

Samples: the lines of the program on which samples found the threads: a thread
has about 199 samples in a second of its time on a CPU. calling names a function
without lines of its own, which was called there; in says what the thread did. %
is the part of all samples. Waiting threads are sampled as long as they spin.
Functions: those of the samples outside of parallel regions.

Locks: waited is the time from the request to the acquisition, held the time
from there to the release; objects counts the locks that were acquired there.

Tasks: total, mean, min and max are about the time in which tasks ran the
program's code. % elsewhere counts tasks that ran on a thread other than the one
that created them.

MPI calls: the time of all threads in them, by the line of the call. in regions
is the part in parallel regions. bytes are those that the process handed over,
or for which it had room if it only received. partners are ranks of the call's
communicator: the only one, or their number with the lowest and the highest
(docs/mpi.md).

Device constructs: time is the host's, from begin to end. Kernels, copies and
bandwidth are the device's own if the device traces itself, as ferromp's devices
do. exposed is copying while the device ran no kernel. Regions inside kernels
are listed among the parallel regions.

Efficiency: the share of the threads' time that is work, and the factors that it
is the product of. Amdahl: what serial time leaves; load balance: mean work by
the busiest thread's; serialisation: the busiest thread's work by its work and
waiting; transfer: what the runtime leaves (docs/efficiency.md).

Scaling: with several folders, each the run of the same program with another
number of threads. % is the part of the ideal speedup, computation the useful
time of the first run by that of this one (docs/scaling.md).

Processes: parallel work and waiting are sums over all threads.

Ranks: rank balance is the mean rank's time by the slowest rank's; a rank without
the region has no time in it. The report of a rank is that of its folder, such as
run/rank-3. Folders from several nodes become one with ferromp merge.

Critical path: the chain of work and delays that nobody waited for, by place. A
run gets shorter only if something on the path does. thread start, leaving,
getting and task start are delays: from the moment when a thread could go on to
the moment when it did.

--what-if replays the run with a change and predicts its time. A PLACE is
written as in the tables, such as heat.c:34.
  threads=N         regions have N threads, with a CPU each
  balance=PLACE     the threads have equal parts of this region, loop or task
  chunk=PLACE:N     this loop's iterations are handed out in chunks of N; the
                    trace must have been recorded with --chunks
  contention=PLACE  nobody waits for this lock or critical region
  nowait=PLACE      this barrier, or the one after this loop, is left out
  grain=PLACE:N     N of the tasks created here become one
  faster=PLACE/N    this code takes an Nth of its time; serial is the code
                    outside of regions
  overlap=PLACE     kernels hide the copies of this device construct
Work takes as long as it was measured. The time of the replayed run stands
beside the measured one: the closer both are, the more the prediction is worth.

The recording begins when the program first uses OpenMP; no number includes what
the program did before. What was read of a trace that is complete is kept in it
(summary.cache), so that the next report is quick.

NO_COLOR and CLICOLOR=0 turn colours off. The schema of the JSON document is
docs/report.schema.json of ferromp's sources.";

const RUN_HELP: &str = "\
Examples:
  ferromp run -- ./app input.dat
  OMP_NUM_THREADS=4 ferromp run -- python3 train.py
  ferromp run --tool ./libmytool.so --tool ./libother.so -- ./app

All tools are active at once, beside a tool of OMP_TOOL_LIBRARIES or of the
program itself; eight at most. A name without a slash is searched for on the
loader's path, in ferromp's lib first. The program replaces this command: same
process, same stdin, stdout, stderr and signals.";

const CHECK_HELP: &str = "\
Examples:
  ferromp check -- ./app input.dat
  ferromp check -o findings.txt -- ./app
  ferromp check --format json -o findings.json -- python3 train.py
  ferromp check --runtime system -- ./app   the runtime that the program finds
  ferromp check --ignore oversubscribed -- ./app

It reports what the program does wrong:
  - a thread waits for a lock or critical region that it holds itself;
  - threads wait for each other's locks or critical regions in a circle;
  - a lock is never released, destroyed while set, used uninitialised, or unset
    by another task;
  - some threads miss a barrier, or encounter different worksharing regions;
  - a barrier or worksharing region stands where none may be, such as in a task
    or a single region;
  - a device construct cannot be executed, or nobody fulfils the event of a
    detached task;
  - more threads run than there are CPUs.
A program that hangs is diagnosed while it hangs. Build it with -g to see
files and lines. Data races are not looked for. Archer finds them in programs
built with -fsanitize=thread (ferromp run --tool libarcher.so).

It also reports OMPT events by which the OpenMP runtime violates the
specification. With --runtime system this can be any runtime with OMPT, such
as LLVM's libomp. gcc's libgomp has no OMPT.

The rules and their sections are listed in docs/check-rules.md of ferromp's
sources. The program keeps its stdin, stdout, stderr and signals. The exit
status is the program's own, or 87 if something is wrong. Advice
(oversubscribed, held-long) does not change the exit status.";

const DEBUG_HELP: &str = "\
Examples:
  ferromp debug -- ./app input.dat   gdb; in it, `ompd init` starts the program
  ferromp debug --pid 4711           a running program, such as one that hangs
  ferromp debug --core core -- ./app the core file of a program that crashed

In gdb, `help ompd` lists the commands: ompd threads, parallel, tasks, locks,
icvs, states, bt, step. The program is started with OMP_DEBUG=enabled, so that
states, frames and the places of tasks' creation are kept.
In a gdb that already runs, load the commands with: source
PREFIX/share/gdb/ferromp.py";

const DOCTOR_HELP: &str = "\
Examples:
  ferromp doctor                    is this installation of ferromp complete?
  ferromp doctor ./app              a program, a shared library or a script
  ferromp doctor 4711               a running process
  ferromp doctor python3            an interpreter and its installed packages
  ferromp doctor venv/lib/python3.11/site-packages/sklearn

doctor runs nothing, except a Python interpreter to ask for its package
folders. Shell scripts are read; doctor examines the programs that they start
as far as the text names them. Exit status: 0 if ferromp reaches the subject,
1 if something is in the way, 125 if it could not be examined.";

/// Trace OpenMP programs that are already compiled, by gcc, gfortran, clang, flang or icx.
#[derive(Parser)]
#[command(name = "ferromp", version, after_help = OVERVIEW, max_term_width = 110)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
pub enum Command {
    /// Run a program, record its OpenMP events, then show where the time went
    Trace(TraceArgs),
    /// Run a program, then show where the time went; no events are kept
    Profile(ProfileArgs),
    /// Show where the time goes while a program runs
    Top(TopArgs),
    /// Show the summary of a recorded trace
    Report(ReportArgs),
    /// Show what differs between runs of two versions of a program
    Diff(DiffArgs),
    /// Bring the traces of a job's ranks together that lie in several folders
    Merge(MergeArgs),
    /// Convert a recorded trace for another viewer
    Export(ExportArgs),
    /// Run a program and report what the program or its OpenMP runtime does wrong
    Check(CheckArgs),
    /// Run a program on ferromp's OpenMP runtime, without recording
    Run(RunArgs),
    /// Debug a program with gdb and commands for OpenMP: a new, a running or a crashed one
    Debug(DebugArgs),
    /// Say which OpenMP runtime a program uses, and whether ferromp reaches it
    Doctor(DoctorArgs),
    /// Make ferromp the OpenMP runtime of every program on this machine, or end that
    System(SystemArgs),
    /// Print the completion script for a shell
    #[command(after_help = "Example:\n  ferromp completions bash > ~/.local/share/bash-completion/completions/ferromp")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    #[command(after_help = "Example:\n  ferromp manual ~/.local/share/man     then: man ferromp-trace")]
    Manual {
        /// The folder, in which man1 and man7 are made
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
}

/// Arguments of `ferromp trace`.
#[derive(clap::Args)]
#[command(after_help = TRACE_HELP, override_usage = "ferromp trace [OPTIONS] [--] <PROGRAM> [ARGUMENTS]...")]
pub struct TraceArgs {
    /// The run
    #[command(flatten)]
    pub recording: Recording,
    /// Record each chunk of worksharing loops, with its iterations
    #[arg(long)]
    pub chunks: bool,
    /// Keep only the newest events of each process, in about so many bytes (K, M or G may follow)
    #[arg(long, value_name = "SIZE", value_parser = quantity::size)]
    pub max_size: Option<u64>,
}

/// Arguments of `ferromp profile`.
#[derive(clap::Args)]
#[command(after_help = PROFILE_HELP, override_usage = "ferromp profile [OPTIONS] [--] <PROGRAM> [ARGUMENTS]...")]
pub struct ProfileArgs {
    /// The run
    #[command(flatten)]
    pub recording: Recording,
}

/// A run with the recorder in it, as all commands that record whole runs take it.
#[derive(clap::Args)]
pub struct Recording {
    /// Folder to record into [default: ferromp-<app>-<date>-<pid>]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Replace DIR if it holds an earlier trace
    #[arg(long)]
    pub force: bool,
    /// Do not show the summary
    #[arg(short, long)]
    pub quiet: bool,
    /// Take no samples of where the threads are
    #[arg(long)]
    pub no_samples: bool,
    /// Counters to record, by their names in `perf list`, with commas between them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub counters: Vec<String>,
    /// Compare the clocks of the hosts of MPI's ranks; all ranks must be recorded so
    #[arg(long)]
    pub clocks: bool,
    /// OMPT tool to run beside the recorder; may be given several times
    #[arg(long, value_name = "LIBRARY", value_hint = ValueHint::FilePath)]
    pub tool: Vec<OsString>,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM", value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<OsString>,
}

/// Arguments of `ferromp top`.
#[derive(clap::Args)]
#[command(after_help = TOP_HELP, override_usage = "ferromp top [OPTIONS] <PID>\n       ferromp top [OPTIONS] [--] <PROGRAM> [ARGUMENTS]...")]
pub struct TopArgs {
    /// Seconds between two views
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = quantity::interval)]
    pub interval: std::time::Duration,
    /// Show so many views, then no more
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: Option<u64>,
    /// Show one view, as -n 1
    #[arg(long, conflicts_with = "iterations")]
    pub once: bool,
    /// Folder of the program's profile [default: ferromp-<app>-<date>-<pid>]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Replace DIR if it holds an earlier trace
    #[arg(long)]
    pub force: bool,
    /// Process that ferromp records, or the program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM", value_hint = ValueHint::CommandWithArguments)]
    pub subject: Vec<OsString>,
}

/// Arguments of `ferromp report`.
#[derive(clap::Args)]
#[command(after_help = REPORT_HELP)]
pub struct ReportArgs {
    /// Trace folder; with several, how the program scales from run to run
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath, required = true)]
    pub folders: Vec<PathBuf>,
    /// Form of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Write a page for a browser: timeline, tables, histograms, graph of tasks
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "format")]
    pub html: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, requires = "html")]
    pub force: bool,
    /// Predict the run with a change: threads=N, balance=PLACE, chunk=PLACE:N, contention=PLACE, nowait=PLACE,
    /// grain=PLACE:N, faster=PLACE/N or overlap=PLACE; may be given several times, for all changes together
    #[arg(long, value_name = "CHANGE", conflicts_with_all = ["html", "from", "to", "region"])]
    pub what_if: Vec<Asked>,
    /// What it is about
    #[command(flatten)]
    pub part: Part,
    /// How it looks
    #[command(flatten)]
    pub look: Look,
}

/// Arguments of `ferromp run`.
#[derive(clap::Args)]
#[command(after_help = RUN_HELP, override_usage = "ferromp run [OPTIONS] [--] <PROGRAM> [ARGUMENTS]...")]
pub struct RunArgs {
    /// OMPT tool to run the program under; may be given several times
    #[arg(long, value_name = "LIBRARY", value_hint = ValueHint::FilePath)]
    pub tool: Vec<OsString>,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM", value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<OsString>,
}

/// Arguments of `ferromp check`.
#[derive(clap::Args)]
#[command(after_help = CHECK_HELP, override_usage = "ferromp check [OPTIONS] [--] <PROGRAM> [ARGUMENTS]...")]
pub struct CheckArgs {
    /// The OpenMP runtime to run on
    #[arg(long, value_name = "RUNTIME", default_value = "ferromp")]
    pub runtime: CheckRuntime,
    /// File to write the report to [default: stderr]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Form of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Leave a rule out; may be given several times
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// OMPT tool to run beside the checker; may be given several times
    #[arg(long, value_name = "LIBRARY", value_hint = ValueHint::FilePath)]
    pub tool: Vec<OsString>,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM", value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<OsString>,
}

/// The runtimes that a program can be checked on.
#[derive(Clone, Copy, ValueEnum)]
pub enum CheckRuntime {
    /// ferromp, in place of the program's own
    Ferromp,
    /// The program's own, which must have OMPT
    System,
}

/// Arguments of `ferromp debug`.
#[derive(clap::Args)]
#[command(after_help = DEBUG_HELP, override_usage = "ferromp debug [OPTIONS] [--] [PROGRAM] [ARGUMENTS]...")]
pub struct DebugArgs {
    /// Process to attach to
    #[arg(long, value_name = "PID", conflicts_with = "core")]
    pub pid: Option<u32>,
    /// Core file to look into
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub core: Option<PathBuf>,
    /// The program and its arguments
    #[arg(
        required_unless_present_any = ["pid", "core"],
        trailing_var_arg = true,
        value_name = "PROGRAM",
        value_hint = ValueHint::CommandWithArguments
    )]
    pub program: Vec<OsString>,
}

/// Arguments of `ferromp doctor`.
#[derive(clap::Args)]
#[command(after_help = DOCTOR_HELP)]
pub struct DoctorArgs {
    /// Program, shared library, script, package folder or process id; without it, this installation
    #[arg(value_name = "SUBJECT", value_hint = ValueHint::AnyPath)]
    pub subject: Option<OsString>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn what_follows_the_program_is_the_programs() {
        let args =
            Args::try_parse_from(["ferromp", "trace", "-o", "d", "./app", "-o", "x", "--force", "--", "y"]).unwrap();
        let Command::Trace(args) = args.command else { panic!("not trace") };
        assert_eq!(args.recording.program, ["./app", "-o", "x", "--force", "--", "y"]);
        assert!(!args.recording.force);
    }
}

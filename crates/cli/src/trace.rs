//! `ferromp trace`: runs a program with the recorder in it, then shows where its time went.

use std::collections::HashSet;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use ferromp_trace::escape;
use ferromp_trace::live::Keep;
use ferromp_trace::store::{
    CHUNKS_VARIABLE, COUNTERS_VARIABLE, MPI_CLOCKS_VARIABLE, Meta, SAMPLES_VARIABLE, files, folder, lock, meta, segment,
};

use crate::args::{Look, Recording, TraceArgs};
use crate::failure::Failure;
use crate::follow::{self, Follower, Watch};
use crate::output::Output;
use crate::part::Part;
use crate::prefix::Prefix;
use crate::program::Program;
use crate::screen::Screen;
use crate::{counters, env, launch, mpi, report, run, say, signals};

/// Processes whose summaries are shown at the end of a run.
const MOST_SUMMARIES: usize = 4;

/// What is recorded of the chunks of worksharing loops.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Chunks {
    /// Their number and length, summed up for each loop.
    Summed,
    /// Each chunk, with its iterations.
    Recorded,
}

/// Records a run. The status is the program's own; everything that this command says goes to stderr.
pub fn perform(args: &TraceArgs) -> Result<u8, Failure> {
    let keep = args.max_size.map_or(Keep::All, Keep::Newest);
    let chunks = if args.chunks { Chunks::Recorded } else { Chunks::Summed };
    record(&args.recording, "trace", chunks, keep, Screen::default(), follow::unwatched)
}

/// Records a run, for the command `verb`. Unless all events are kept, the recording is followed: what `watch` makes is
/// called again and again, on a thread of its own, with what has been read.
pub fn record(
    args: &Recording,
    verb: &str,
    chunks: Chunks,
    keep: Keep,
    screen: Screen,
    watch: impl FnOnce() -> Watch + Send + 'static,
) -> Result<u8, Failure> {
    let prefix = Prefix::find()?;
    let program = Program::find(&args.program[0])?;
    run::refuse_unreachable(verb, &program)?;
    let mut changes = env::runtime(&prefix)?;
    prefix.recorder()?;
    if mpi::is_used(&program) {
        env::mpi(&prefix, &mut changes)?;
    }
    env::tools(&args.tool)?;
    let counters = counters::granted(&args.counters)?;
    let output = Output::create(args.output.as_deref(), Path::new(&args.program[0]), args.force)?;
    let end = env::recorder(&prefix, &args.tool, output.for_recorder()).and_then(|recorder| {
        changes.extend(recorder);
        if args.no_samples {
            changes.push((SAMPLES_VARIABLE, "0".into()));
        }
        if args.clocks {
            changes.push((MPI_CLOCKS_VARIABLE, "1".into()));
        }
        changes.push((COUNTERS_VARIABLE, counters.join(",").into()));
        changes.push((CHUNKS_VARIABLE, if chunks == Chunks::Recorded { "1" } else { "0" }.into()));
        changes.extend(follow::bound(keep));
        let follower = (keep != Keep::All).then(|| Follower::start(&output.path, keep, watch)).transpose()?;
        let end = launch::wait_with(&program, &args.program, changes, &|command| screen.redirect(command));
        follower.into_iter().flat_map(Follower::end).for_each(say::note);
        end
    });
    screen.release();
    let end = end.inspect_err(|_| output.discard())?;
    if let Some(signal) = end.signal() {
        say::note(format_args!("{} was killed by signal {}", program.path.display(), signals::named(signal)));
    }
    // The program has ended: its status stands even if the summary fails.
    if let Err(failure) = conclude(args, keep, &output) {
        say::note(failure.line);
    }
    Ok(launch::status_of(end))
}

/// Says what was recorded and what can be done with it.
fn conclude(args: &Recording, keep: Keep, output: &Output) -> Result<(), Failure> {
    let mut traces = folder::traces_in(&output.path).unwrap_or_default();
    // On a full disk, a trace may lack its description.
    traces.retain(|trace| Meta::read(trace).is_ok());
    if traces.is_empty() {
        if let Some(line) = nothing_recorded(args, output) {
            say::note(line);
        }
        if !still_records(&output.path) {
            output.discard();
        }
        return Ok(());
    }
    for trace in &traces {
        // A process that was killed leaves reserved space behind. Failing to give it back harms nothing.
        let _ = folder::trim(trace);
    }
    let name = escape::line(&output.shown.to_string_lossy()).into_owned();
    if args.quiet {
        return Ok(());
    }
    let largest = largest(&traces);
    let style = Look::default().style(&console::Term::stderr());
    let shown = |trace: &Path| largest.contains(trace);
    let mut summary = report::text(&output.path, &traces, &Part::default(), &style, shown)?.what;
    let others = traces.len() - largest.len();
    // Ranks have one report together.
    if others > 0 && !report::are_ranks(&output.path, &traces) {
        summary += &format!("\n{others} more processes recorded less; ferromp report {name} shows all.\n");
    }
    let next = if keep == Keep::Nothing {
        format!("The profile is in {name}. Next, for all tables:\n  ferromp report {name} --all\n")
    } else {
        whole_trace(&name)
    };
    say::beside(&format!("\n{summary}\n{next}"));
    Ok(())
}

/// What can be done with a trace.
fn whole_trace(shown: &str) -> String {
    format!(
        "The trace is in {shown}. Next, for all tables and for the timeline:\n  ferromp report {shown} --all\n  \
         ferromp export {shown} --to perfetto\n"
    )
}

/// The largest traces.
fn largest(traces: &[PathBuf]) -> HashSet<&Path> {
    let size = |trace: &Path| -> u64 {
        let files = folder::thread_files(trace).unwrap_or_default();
        files.iter().filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum()
    };
    let mut sorted: Vec<&Path> = traces.iter().map(PathBuf::as_path).collect();
    sorted.sort_by_cached_key(|trace| std::cmp::Reverse(size(trace)));
    sorted.into_iter().take(MOST_SUMMARIES).collect()
}

/// Whether a process that the program left in the background still records.
fn still_records(output: &Path) -> bool {
    let traces = folder::traces_in(output).unwrap_or_default();
    traces.iter().any(|trace| lock::state(trace) == lock::State::Runs)
}

/// Why the folder is empty, as far as that shows from outside; nothing if the recorder has said why.
fn nothing_recorded(args: &Recording, output: &Output) -> Option<String> {
    let program = Path::new(&args.program[0]).display();
    let shown = output.shown.display();
    if free_space(&output.path).is_some_and(|free| free < segment::FIRST) {
        return Some(format!("{shown}: nothing was recorded: the disk is full"));
    }
    if files::fits_limit(segment::FIRST).is_err() && !output.path.exists() {
        // The recorder removes a folder that it cannot write into.
        return None;
    }
    if output.path.join(meta::FILE).exists() {
        return Some(format!("{shown}: nothing was recorded: {program} was ended when the recording had just begun"));
    }
    let line = "used no OpenMP that ferromp can see; nothing was recorded";
    Some(format!("{program} {line} (ferromp doctor {program} tells more)"))
}

/// Bytes that this user may still write to the disk of a folder.
fn free_space(path: &Path) -> Option<u64> {
    use std::os::unix::ffi::OsStrExt;
    let path = std::ffi::CString::new(path.as_os_str().as_bytes()).ok()?;
    // SAFETY: the path is terminated, an all-zero statvfs is valid, and the call only writes to it.
    unsafe {
        let mut disk: libc::statvfs = std::mem::zeroed();
        (libc::statvfs(path.as_ptr(), &mut disk) == 0).then(|| disk.f_bavail * disk.f_frsize)
    }
}

//! `meta.json`: what was run, where, when, under which runtime and by which clock.
//! Written once when recording starts and once more when it ends in good order.

use super::clock::Clock;
use super::comparison::Comparison;
use super::files::{self, Folder};
use super::limits::Throttled;
use crate::Error;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Name of the file in the trace folder.
pub const FILE: &str = "meta.json";
/// Version of the store that this library writes; it reads no newer one.
pub const FORMAT: u32 = 3;
/// The longest description that is read: a command line of some megabytes, with each byte written as six.
const LONGEST: u64 = 64 << 20;

/// The description of a run. Unknown fields of later versions are ignored, missing ones are defaulted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Meta {
    /// Version of the store.
    pub format: u32,
    /// Absolute path of the executable.
    pub program: String,
    /// The arguments, the name first.
    pub argv: Vec<String>,
    /// Process id.
    pub pid: u32,
    /// The process this one was forked from while it was being recorded, if so.
    pub forked_from: Option<u32>,
    /// Host name.
    pub hostname: String,
    /// The MPI rank, if a launcher has set one.
    pub rank: Option<u32>,
    /// The ranks of the job, if the launcher has said how many these are.
    pub ranks: Option<u32>,
    /// Start of the recording, nanoseconds since 1970-01-01 UTC.
    pub start_unix_ns: u64,
    /// From the start of the process to that of the recording, nanoseconds; 0 if it is not known.
    pub before_ns: u64,
    /// CPUs that the process may use.
    pub cpus: u32,
    /// CPUs of the machine that are online; 0 if it is not known.
    pub cpus_online: u32,
    /// The memory node of each CPU; empty on a machine with one node.
    pub nodes: Vec<u32>,
    /// How many CPUs' time the process's control groups grant it; none if they set no limit.
    pub cpu_quota: Option<f64>,
    /// How long the control group with that quota had been held back when the recording began.
    pub throttled_before: Option<Throttled>,
    /// As `throttled_before`, when the recording ended in good order.
    pub throttled_after: Option<Throttled>,
    /// The variables of the program's environment that decide on threads and schedules: `(name, value)`.
    pub openmp_environment: Vec<(String, String)>,
    /// Version string of the OpenMP runtime, as it gave it to the tool.
    pub runtime: String,
    /// `omp_version` as the runtime gave it, such as 202011.
    pub omp_version: u32,
    /// The clock of the records.
    pub clock: Clock,
    /// Comparisons of the process's clock with that of MPI's rank 0, in the order of time; empty if there were none.
    pub comparisons: Vec<Comparison>,
    /// When the recorder had made its files, in the clock's ticks: what the recorder did before is not the
    /// program's time. 0 if the recording did not end in good order.
    pub ready_ticks: u64,
    /// True if the recording was ended in good order; false while it runs and after a kill.
    pub finished: bool,
    /// End of the recording in the clock's ticks; 0 if not finished.
    pub end_ticks: u64,
    /// Threads that could not be recorded at all, because their file could not be made.
    pub missed_threads: u32,
    /// The begin and end of the OpenMP runtime's code in memory; 0 if they are not known.
    pub runtime_code: (u64, u64),
    /// Samples that each thread was to have in a second of its CPU time; 0 if none were taken.
    pub sample_rate: u32,
    /// Threads whose samples could not be recorded, or not to their end.
    pub missed_samples: u32,
    /// Whether each chunk of a worksharing loop has a record.
    pub each_chunk: bool,
    /// The counters that are recorded, by their names in [`counters`](crate::counters).
    pub counters: Vec<String>,
    /// Threads whose counters could not be recorded, or not to their end.
    pub missed_counters: u32,
    /// The devices that the program had, with what they are: `(number, type)`.
    pub devices: Vec<(i32, String)>,
    /// Events that the runtime cannot or can only sometimes deliver, by name: `(event, answer)`.
    pub unavailable: Vec<(String, String)>,
}

impl Meta {
    /// Reads `meta.json` of a trace folder.
    pub fn read(dir: &Path) -> Result<Meta, Error> {
        let path = dir.join(FILE);
        let text = match files::read(&path, LONGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NotATrace(dir.to_path_buf()));
            }
            Err(error) => return Err(Error::io(path)(error)),
        };
        if text.is_empty() {
            let reason = "it is empty: the program was ended, or the disk was full, when the recording had just begun"
                .to_owned();
            return Err(Error::Malformed { path, reason });
        }
        let meta: Meta = serde_json::from_slice(&text)
            .map_err(|error| Error::Malformed { path: path.clone(), reason: error.to_string() })?;
        if meta.format > FORMAT {
            let reason = format!("format {} is newer than this ferromp reads ({FORMAT})", meta.format);
            return Err(Error::Malformed { path, reason });
        }
        Ok(meta)
    }

    /// Replaces `meta.json` as a whole, so that a reader sees the old one or the new one.
    pub fn write(&self, folder: &Folder) -> Result<(), Error> {
        let text = serde_json::to_vec_pretty(self).expect("the structure has only string keys");
        folder.replace(FILE, &text).map_err(folder.error(FILE))
    }

    /// How long the system has held the process's control group back during the recording, because the group had used
    /// up its quota. None if there is no quota, or if the recording did not end in good order.
    pub fn throttled(&self) -> Option<Throttled> {
        let (before, after) = (self.throttled_before?, self.throttled_after?);
        Some(Throttled {
            periods: after.periods.saturating_sub(before.periods),
            ns: after.ns.saturating_sub(before.ns),
        })
    }

    /// The command line, quoted as a shell wants it; the program's file name if the arguments are not known.
    pub fn command(&self) -> String {
        let words = self.argv.iter().map(String::as_str);
        let known = self.argv.iter().any(|word| !word.is_empty());
        // Only a word with a byte of zero cannot be quoted.
        let command = known.then(|| shlex::try_join(words).ok()).flatten();
        command.unwrap_or_else(|| self.program_name().to_owned())
    }

    /// The program's file name, for titles.
    pub fn program_name(&self) -> &str {
        self.program.rsplit('/').next().unwrap_or(&self.program)
    }

    /// The program's file name, and the rank of a process that has one.
    pub fn process_name(&self) -> String {
        match self.rank {
            Some(rank) => format!("{} rank {rank}", self.program_name()),
            None => self.program_name().to_owned(),
        }
    }
}

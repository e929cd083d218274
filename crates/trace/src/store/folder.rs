//! Names of trace folders and of the files in them: the default name, what `%h`, `%p` and `%r` stand for, ranks,
//! and how the traces of a run with several processes are found again.

use super::{files, lock, meta, modules, trimmed};
use crate::{Error, escape};
use std::path::{Path, PathBuf};

/// The file in which reports keep what a trace amounts to.
pub const SUMMARY: &str = "summary.cache";

/// The variables of launchers that have the rank, and those that have the number of ranks, the more specific first:
/// Open MPI, PMIx, Hydra (MPICH, Intel MPI), MVAPICH, Cray PALS, LSF with jsrun, Flux.
const LAUNCHERS: [(&str, Option<&str>); 7] = [
    ("OMPI_COMM_WORLD_RANK", Some("OMPI_COMM_WORLD_SIZE")),
    ("PMIX_RANK", None),
    ("PMI_RANK", Some("PMI_SIZE")),
    ("MV2_COMM_WORLD_RANK", Some("MV2_COMM_WORLD_SIZE")),
    ("PALS_RANKID", None),
    ("JSM_NAMESPACE_RANK", Some("JSM_NAMESPACE_SIZE")),
    ("FLUX_TASK_RANK", Some("FLUX_JOB_SIZE")),
];

/// The MPI rank that a launcher gave this process.
pub fn mpi_rank() -> Option<u32> {
    place_in_job(variable).map(|(rank, _)| rank)
}

/// The ranks of this process's job, if the launcher says how many these are.
pub fn mpi_ranks() -> Option<u32> {
    place_in_job(variable).and_then(|(_, ranks)| ranks)
}

fn variable(name: &str) -> Option<u32> {
    std::env::var(name).ok()?.parse().ok()
}

/// The rank and the number of ranks, from the variables that `number` reads. A number that the rank contradicts is left
/// out: a launcher inside of another one's job may leave the outer job's.
fn place_in_job(number: impl Fn(&str) -> Option<u32>) -> Option<(u32, Option<u32>)> {
    let of = |(rank, ranks): &(&str, Option<&str>)| Some((number(rank)?, ranks.and_then(&number)));
    // A batch step sets SLURM_PROCID for programs without MPI as well; more than one task makes it a rank. In a batch
    // script, SLURM_NTASKS is about the job, whose other tasks never run the script's programs.
    let slurm = || {
        let step = number("SLURM_STEP_NUM_TASKS");
        let tasks = step.or_else(|| number("SLURM_NTASKS")).filter(|tasks| *tasks > 1);
        Some((number("SLURM_PROCID").filter(|_| tasks.is_some())?, step))
    };
    let (rank, ranks) = LAUNCHERS.iter().find_map(of).or_else(slurm)?;
    Some((rank, ranks.filter(|ranks| *ranks > rank)))
}

/// The default name of a trace folder: `ferromp-<app>-<date>-<pid>`, the date as `YYYYMMDD-HHMMSS` in local time.
/// Control characters of the program's name are left out, because users have to type the folder's name.
pub fn default_name(program: &str, pid: u32) -> String {
    let app = program.rsplit('/').next().unwrap_or(program);
    let app = if escape::line(app) == app { app.to_owned() } else { app.replace(|c: char| !c.is_alphanumeric(), "_") };
    format!("ferromp-{app}-{}-{pid}", local_date())
}

/// Replaces `%h` (host), `%p` (process id), `%r` (MPI rank, 0 without one) and `%%` in a folder name.
/// Other uses of `%` stay as they are.
pub fn expand(template: &str, hostname: &str, pid: u32, rank: Option<u32>) -> String {
    let mut name = String::with_capacity(template.len());
    let mut rest = template.chars();
    while let Some(c) = rest.next() {
        let mut ahead = rest.clone();
        match (c, ahead.next()) {
            ('%', Some('h')) => name.push_str(hostname),
            ('%', Some('p')) => name.push_str(&pid.to_string()),
            ('%', Some('r')) => name.push_str(&rank.unwrap_or(0).to_string()),
            ('%', Some('%')) => name.push('%'),
            _ => {
                name.push(c);
                continue;
            }
        }
        rest = ahead;
    }
    name
}

/// File name of a thread's records.
pub fn thread_file(number: u32) -> String {
    format!("thread-{number:05}.fmt")
}

/// File name of a thread's samples.
pub fn samples_file(number: u32) -> String {
    format!("samples-{number:05}.fmt")
}

/// The traces in a folder: itself, each folder directly in it that is one (ranks, further processes, forks), and those
/// in the folders of these and of ranks, sorted by name. Links to folders are followed: who removes traces must look
/// for links first. An error if there is none.
pub fn traces_in(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let is_trace = |dir: &Path| dir.join(meta::FILE).exists();
    let mut traces = Vec::new();
    for path in folders_in(dir).map_err(Error::io(dir))? {
        if rank_of(&path).is_some() || is_trace(&path) {
            // The programs that a rank starts record in the folder of the rank's own trace.
            traces.extend(folders_in(&path).unwrap_or_default().into_iter().filter(|path| is_trace(path)));
        }
        if is_trace(&path) {
            traces.push(path);
        }
    }
    traces.sort();
    if is_trace(dir) {
        traces.insert(0, dir.to_path_buf());
    }
    if traces.is_empty() { Err(Error::NotATrace(dir.to_path_buf())) } else { Ok(traces) }
}

/// The folder of a rank in the folder of its run.
pub fn rank_folder(rank: u32) -> String {
    format!("rank-{rank}")
}

/// The rank that a folder's name says; none if the folder is no rank's.
pub fn rank_of(dir: &Path) -> Option<u32> {
    let number = dir.file_name()?.to_str()?.strip_prefix("rank-")?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok())?
}

fn folders_in(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries: Result<Vec<_>, _> = std::fs::read_dir(dir)?.collect();
    Ok(entries?.into_iter().map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
}

/// Gives back the disk space that threads had reserved but not used, and returns its bytes. Nothing is done unless the
/// process has certainly ended: a running process has the files mapped, and shortening them would kill it with SIGBUS.
///
/// # Errors
/// If a file cannot be shortened.
pub fn trim(dir: &Path) -> Result<u64, Error> {
    let mut freed = 0;
    if lock::state(dir) != lock::State::Ended {
        return Ok(freed);
    }
    let folder = files::Folder::open(dir).map_err(Error::io(dir))?;
    for path in files_of_threads(dir)? {
        let io = |error| Error::io(&path)(error);
        // A link is skipped: no recorder has reserved space in its target.
        let Some(file) = folder.open_made(&path).map_err(io)? else { continue };
        let length = file.metadata().map_err(io)?.len();
        let mut page = vec![0; super::segment::HEADER as usize];
        let committed = match std::os::unix::fs::FileExt::read_exact_at(&file, &mut page, 0) {
            Ok(()) => super::segment::Header::read(&page).map_or(length, |header| header.committed),
            Err(_) => length,
        };
        if (super::segment::HEADER..length).contains(&committed) {
            file.set_len(committed).map_err(io)?;
            freed += length - committed;
        }
    }
    Ok(freed)
}

/// The files of the threads' events and samples, sorted by name.
pub fn files_of_threads(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    files_named(dir, |name| is_thread_file(name) || is_samples_file(name))
}

/// The files of the threads' events, sorted by name.
pub fn thread_files(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    files_named(dir, is_thread_file)
}

/// All files that a recorder creates in a trace's folder, and what reports keep there. The file that identifies the
/// folder as a trace comes last.
pub fn files_of_trace(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let whole = [modules::FILE, lock::FILE, SUMMARY, trimmed::SUMMARY, trimmed::FILE, lock::FOLLOWER];
    let mut files = files_named(dir, |name| {
        let image = name.starts_with("image-") && name.ends_with(".so");
        let part = name.strip_suffix(".new").is_some_and(|name| whole.contains(&name) || name == meta::FILE);
        is_thread_file(name) || is_samples_file(name) || whole.contains(&name) || image || part
    })?;
    files.extend(files_named(dir, |name| name == meta::FILE)?);
    Ok(files)
}

fn is_thread_file(name: &str) -> bool {
    name.starts_with("thread-") && name.ends_with(".fmt")
}

fn is_samples_file(name: &str) -> bool {
    name.starts_with("samples-") && name.ends_with(".fmt")
}

fn files_named(dir: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(Error::io(dir))? {
        let path = entry.map_err(Error::io(dir))?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(&wanted) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// This machine's name.
pub fn hostname() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer has the given length, without the byte that is kept for the terminator.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    let length = name.iter().position(|byte| *byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&name[..length]).into_owned()
}

fn local_date() -> String {
    // SAFETY: plain calls with pointers to live structures; a tm of zeros is a valid one.
    let tm = unsafe {
        let now = libc::time(std::ptr::null_mut());
        let mut tm: libc::tm = std::mem::zeroed();
        libc::localtime_r(&now, &mut tm);
        tm
    };
    let (year, month) = (tm.tm_year + 1900, tm.tm_mon + 1);
    format!("{year:04}{month:02}{:02}-{:02}{:02}{:02}", tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_expanded() {
        assert_eq!(expand("t-%h-%p-%r-%%-%x%", "node1", 42, Some(7)), "t-node1-42-7-%-%x%");
        assert_eq!(expand("%r", "n", 1, None), "0");
    }

    #[test]
    fn each_launcher_tells_the_rank() {
        let found = |set: &[(&str, u32)]| {
            place_in_job(|name| set.iter().find(|(known, _)| *known == name).map(|(_, number)| *number))
        };
        for (rank, ranks) in LAUNCHERS {
            let size = ranks.map(|name| (name, 4));
            let set: Vec<(&str, u32)> = [(rank, 3)].into_iter().chain(size).collect();
            assert_eq!(found(&set), Some((3, ranks.map(|_| 4))), "{rank}");
        }
        // Hydra inside of a job of Slurm.
        assert_eq!(
            found(&[("SLURM_PROCID", 0), ("SLURM_NTASKS", 8), ("PMI_RANK", 2), ("PMI_SIZE", 4)]),
            Some((2, Some(4)))
        );
        assert_eq!(found(&[("SLURM_PROCID", 1), ("SLURM_STEP_NUM_TASKS", 2)]), Some((1, Some(2))));
        // A batch script: nobody knows whether there will be other ranks.
        assert_eq!(found(&[("SLURM_PROCID", 0), ("SLURM_NTASKS", 8)]), Some((0, None)));
        assert_eq!(found(&[("SLURM_PROCID", 0), ("SLURM_NTASKS", 1)]), None);
        assert_eq!(found(&[("PMI_RANK", 5), ("PMI_SIZE", 4)]), Some((5, None)));
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn traces_of_a_ranks_programs_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["2", "2/process-8", "rank-0", "rank-0/process-7", "rank-1", "other/process-9"];
        for name in names {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join(meta::FILE), "{}").unwrap();
        }
        let found = traces_in(folder.path()).unwrap();
        assert_eq!(found, names[..5].iter().map(|name| folder.path().join(name)).collect::<Vec<_>>());
        assert_eq!((rank_of(&found[2]), rank_of(&found[3])), (Some(0), None));
        assert_eq!(rank_of("rank-+1".as_ref()), None);
    }

    #[test]
    fn the_default_name_has_program_date_and_pid() {
        let name = default_name("/usr/bin/gm", 4711);
        let parts: Vec<&str> = name.split('-').collect();
        assert_eq!(parts.len(), 5, "{name}");
        assert_eq!((parts[0], parts[1], parts[4]), ("ferromp", "gm", "4711"));
        assert!(parts[2].len() == 8 && parts[3].len() == 6, "{name}");
        assert!(default_name("a\x1b]0;b", 1).starts_with("ferromp-a__0_b-"));
    }
}

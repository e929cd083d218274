//! Counters of the calling thread. They form groups: a group is on the CPU as a whole, so that its ratios are right. A
//! counter that does not fit into its group begins the next one. A clock of the kernel is a group of its own, because
//! inside a group it stands until the thread loses its CPU. One read takes the counts of a group.
//!
//! All counters together take at most half of the files that the process may open: the program needs some as well.
//!
//! A program may close files that it does not know. The numbers of these files are high, so that they are hardly ever
//! given to other files; a read that is not answered as expected ends the counting of its group.

use super::MOST;
use super::kind::Counter;
use perf_event_open_sys::bindings as sys;
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, IntoRawFd as _, OwnedFd, RawFd};
use std::sync::atomic::{AtomicU64, Ordering};

/// The files get numbers from here on, if the limit of open files allows it.
const HIGH: libc::c_int = 512;
/// The words of an answer before the counts: how many counts, and the group's time enabled and running.
const HEAD: usize = 3;

/// Files of counters that this process has open.
static FILES: AtomicU64 = AtomicU64::new(0);

/// Why the system does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The process may not; the value of `perf_event_paranoid`, if it can be read.
    NotAllowed(Option<i32>),
    /// A filter of system calls, or a security module.
    Forbidden,
    /// The machine or its kernel has no such counter.
    Unknown,
    /// Too many open files.
    Files,
    /// In the system's words.
    Other(String),
}

impl Refusal {
    fn of(error: &io::Error) -> Refusal {
        match error.raw_os_error() {
            Some(libc::EACCES) => Refusal::NotAllowed(paranoid()),
            // Without a filter, paranoia is told as EACCES; old kernels tell the highest level of it as EPERM.
            Some(libc::EPERM) => match paranoid().filter(|level| *level > 2) {
                Some(level) => Refusal::NotAllowed(Some(level)),
                None => Refusal::Forbidden,
            },
            Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP | libc::ENXIO) => Refusal::Unknown,
            Some(libc::EMFILE | libc::ENFILE) => Refusal::Files,
            Some(libc::ENOSYS) => Refusal::Other("the kernel has no perf_event_open".into()),
            _ => Refusal::Other(error.to_string()),
        }
    }

    /// In words.
    pub fn reason(&self) -> String {
        match self {
            Refusal::NotAllowed(Some(level)) => {
                format!("this user may not count it (EACCES: /proc/sys/kernel/perf_event_paranoid is {level})")
            }
            Refusal::NotAllowed(None) => "this user may not count it (EACCES)".into(),
            Refusal::Forbidden => {
                "the system forbids it (EPERM: a filter of system calls, as in containers, or a security module)".into()
            }
            Refusal::Unknown => "this machine has no such counter (ENOENT: virtual ones often have none)".into(),
            Refusal::Files => "too many open files".into(),
            Refusal::Other(words) => words.clone(),
        }
    }
}

fn paranoid() -> Option<i32> {
    std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?.trim().parse().ok()
}

/// Whether the system counts this for the calling thread: the counter as it is to be opened, in user code only if that
/// is all that is allowed.
///
/// # Errors
/// Why the system refuses.
pub fn probe(counter: Counter) -> Result<Counter, Refusal> {
    match open(counter, None) {
        Ok(_) => Ok(counter),
        Err(error) => {
            let refusal = Refusal::of(&error);
            let less = counter.in_user_code().filter(|_| matches!(refusal, Refusal::NotAllowed(_)));
            less.filter(|less| open(*less, None).is_ok()).ok_or(refusal)
        }
    }
}

/// Opens a counter of the calling thread, in the group of another one.
fn open(counter: Counter, leader: Option<&File>) -> io::Result<File> {
    let mut attributes = counter.attributes();
    attributes.read_format =
        u64::from(sys::PERF_FORMAT_GROUP | sys::PERF_FORMAT_TOTAL_TIME_ENABLED | sys::PERF_FORMAT_TOTAL_TIME_RUNNING);
    let (this_thread, any_cpu) = (0, -1);
    let group = leader.map_or(-1, |leader| leader.0);
    let file = File::claim()?;
    // SAFETY: the attributes are complete, and the call does not keep them.
    let made = unsafe {
        perf_event_open_sys::perf_event_open(
            &mut attributes,
            this_thread,
            any_cpu,
            group,
            sys::PERF_FLAG_FD_CLOEXEC.into(),
        )
    };
    if made < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call has just made the file, so nobody else owns it.
    let low = unsafe { OwnedFd::from_raw_fd(made) };
    // SAFETY: a plain call.
    let high = unsafe { libc::fcntl(low.as_raw_fd(), libc::F_DUPFD_CLOEXEC, HIGH) };
    Ok(file.named(if high < 0 { low.into_raw_fd() } else { high }))
}

/// The file of a counter, one of those that [`FILES`] counts.
#[derive(Debug)]
struct File(RawFd);

impl File {
    /// Not the number of a file.
    const NONE: RawFd = -1;

    /// Room for a file; an error if the counters would have more than half of all files.
    fn claim() -> io::Result<File> {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the call writes to a live structure.
        unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) };
        let file = File(File::NONE);
        // `file` gives the room back.
        match FILES.fetch_add(1, Ordering::Relaxed) < limit.rlim_cur / 2 {
            true => Ok(file),
            false => Err(io::Error::from_raw_os_error(libc::EMFILE)),
        }
    }

    fn named(mut self, number: RawFd) -> File {
        self.0 = number;
        self
    }

    /// Lets the number go without closing it, because it may be another file's by now.
    fn give_up(mut self) {
        self.0 = File::NONE;
    }
}

impl Drop for File {
    fn drop(&mut self) {
        FILES.fetch_sub(1, Ordering::Relaxed);
        if self.0 != File::NONE {
            // SAFETY: the file is this structure's own.
            unsafe { libc::close(self.0) };
        }
    }
}

/// Counters that are on the CPU together.
#[derive(Debug)]
struct Group {
    /// The leader's comes first. Empty if the group has been given up.
    files: Vec<File>,
    /// The number of the first counter; the others follow.
    first: usize,
    /// The counts of the last reading.
    last: [u64; MOST],
    enabled: u64,
    running: u64,
}

/// The counters of the thread that has opened them.
#[derive(Debug)]
pub struct Counters(Vec<Group>);

impl Counters {
    /// Counts for the calling thread, from now on.
    ///
    /// # Errors
    /// Why the system refuses one of them. Then none is open.
    pub fn open(counters: &[Counter]) -> Result<Counters, Refusal> {
        let mut groups: Vec<Group> = Vec::new();
        for (number, counter) in counters.iter().take(MOST).enumerate() {
            let joins = number > 0 && !counter.is_clock() && !counters[number - 1].is_clock();
            if joins
                && let Some(group) = groups.last_mut()
                && let Ok(file) = open(*counter, group.files.first())
            {
                group.files.push(file);
                continue;
            }
            let file = open(*counter, None).map_err(|error| Refusal::of(&error))?;
            groups.push(Group { files: vec![file], first: number, last: [0; MOST], enabled: 0, running: 0 });
        }
        Ok(Counters(groups))
    }

    /// Hands each counter's number to `emit`, with what was counted since the last reading and in how many percent of
    /// the time it was on the CPU's counters; if less than 100, the count is an estimate for all of the time. Returns
    /// false if a group has been given up, because its file is not what it was.
    pub fn read(&mut self, mut emit: impl FnMut(u64, u64, u64)) -> bool {
        let mut complete = true;
        for group in self.0.iter_mut().filter(|group| !group.files.is_empty()) {
            complete &= group.read(&mut emit);
        }
        complete
    }

    /// In the child of a fork: closes the files, which count for a thread of the parent. It neither allocates nor
    /// frees, as the parent's other threads may have held locks.
    pub fn close_in_child(&mut self) {
        for group in &mut self.0 {
            // Without freeing the list.
            while group.files.pop().is_some() {}
        }
    }
}

impl Group {
    fn read(&mut self, emit: &mut impl FnMut(u64, u64, u64)) -> bool {
        let mut answer = [0u64; HEAD + MOST];
        let count = self.files.len();
        let length = (HEAD + count) * size_of::<u64>();
        // SAFETY: the array has room for `length` bytes.
        let read = unsafe { libc::read(self.files[0].0, answer.as_mut_ptr().cast(), length) };
        if read != length as isize || answer[0] != count as u64 {
            // Others may own the numbers of the files by now.
            while let Some(file) = self.files.pop() {
                file.give_up();
            }
            return false;
        }
        let enabled = answer[1].saturating_sub(std::mem::replace(&mut self.enabled, answer[1]));
        let running = answer[2].saturating_sub(std::mem::replace(&mut self.running, answer[2]));
        for (index, now) in answer[HEAD..HEAD + count].iter().enumerate() {
            let counted = now.saturating_sub(std::mem::replace(&mut self.last[index], *now));
            let (value, share) = whole(counted, enabled, running);
            emit((self.first + index) as u64, value, share);
        }
        true
    }
}

/// An estimate of the whole if the counter was `running` in a part of the time, with this part in percent.
fn whole(counted: u64, enabled: u64, running: u64) -> (u64, u64) {
    if running >= enabled {
        return (counted, 100);
    }
    let value = u128::from(counted) * u128::from(enabled) / u128::from(running.max(1));
    (if running == 0 { 0 } else { value as u64 }, (u128::from(running) * 100 / u128::from(enabled)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_time_stands_for_all_of_it() {
        assert_eq!(whole(70, 100, 100), (70, 100));
        assert_eq!(whole(70, 0, 0), (70, 100));
        assert_eq!(whole(70, 1000, 250), (280, 25));
        assert_eq!(whole(0, 1000, 0), (0, 0));
    }

    #[test]
    fn touched_pages_are_counted() {
        let faults = Counter::find("minor-faults").unwrap();
        let clock = Counter::find("task-clock").unwrap();
        let (Ok(faults), Ok(clock)) = (probe(faults), probe(clock)) else {
            println!("skipped: this machine does not count");
            return;
        };
        let mut counters = Counters::open(&[faults, clock]).unwrap();
        assert!(counters.read(|_, _, _| {}));
        let pages = 300;
        let mut memory = memmap2::MmapMut::map_anon(pages * 4096).unwrap();
        // Large pages would be touched less often.
        let _ = memory.advise(memmap2::Advice::NoHugePage);
        memory.iter_mut().step_by(4096).for_each(|byte| *byte = std::hint::black_box(1));
        let mut counts = Vec::new();
        assert!(counters.read(|number, value, share| counts.push((number, value, share))));
        let [(0, faults, 100), (1, ns, 100)] = counts[..] else { panic!("{counts:?}") };
        assert!((pages as u64..pages as u64 + 100).contains(&faults) && ns > 1_000, "{counts:?}");
        counters.close_in_child();
        assert!(counters.read(|_, _, _| panic!("nothing is open")));
    }

    #[test]
    fn refusals_name_their_cause() {
        let reason = |error| Refusal::of(&io::Error::from_raw_os_error(error)).reason();
        assert!(reason(libc::ENOENT).contains("no such counter (ENOENT"));
        assert!(reason(libc::EACCES).contains("perf_event_paranoid is "));
        assert!(reason(libc::EMFILE).contains("too many open files"));
    }
}

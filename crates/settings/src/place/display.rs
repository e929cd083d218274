//! affinity-format-var, and the text that the format makes of the calling thread, for `OMP_DISPLAY_AFFINITY`,
//! `omp_display_affinity` and `omp_capture_affinity` (OpenMP 5.1 §3.3.8–§3.3.11, §6.13, §6.14).

use std::ffi::CString;

use super::format::{Field, Value, expand};
use super::machine::{machine, places};
use super::sysfs::show_list;
use super::{in_force, kernel};
use crate::model::atomic::Ordering;
use crate::park::mutex::Mutex;
use crate::shown::{PROCESS, c_string};

/// The format that `omp_set_affinity_format` has set.
static FORMAT: Mutex<Option<Vec<u8>>> = Mutex::new(None);
/// affinity-format-var as debuggers see it.
static SHOWN: Mutex<Option<CString>> = Mutex::new(None);

/// affinity-format-var.
pub fn format() -> Vec<u8> {
    FORMAT.with(|format| format.clone()).unwrap_or_else(|| in_force::request().format.clone())
}

/// Sets affinity-format-var.
pub fn set_format(format: &[u8]) {
    FORMAT.with(|current| *current = Some(format.to_vec()));
    show_format_to_debuggers();
}

/// Shows debuggers the present value of affinity-format-var. The string that was shown before is freed.
#[cold]
pub fn show_format_to_debuggers() {
    SHOWN.with(|shown| {
        let format = c_string(&self::format());
        PROCESS.affinity_format.store(format.as_ptr().cast_mut(), Ordering::Release);
        *shown = Some(format);
    });
}

/// The text that a format makes of the calling thread. An empty format stands for affinity-format-var.
pub fn capture(format: &[u8], standing: &Standing) -> Vec<u8> {
    let own = format.is_empty().then(self::format);
    expand(own.as_deref().unwrap_or(format), &FIELDS, standing)
}

unsafe extern "C" {
    /// The C library's stream.
    static stdout: *mut libc::FILE;
}

/// Prints the text that a format makes of the calling thread, as a line on the standard output. The line goes through
/// the C library's stream, so that it is in order with the lines of a C program. The stream is flushed, as Fortran has
/// a buffer of its own.
pub fn display(format: &[u8], standing: &Standing) {
    let mut text = capture(format, standing);
    text.retain(|&byte| byte != 0);
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: `text` is a C string, and `stdout` a stream that the C library has opened.
    unsafe {
        libc::puts(text.as_ptr());
        libc::fflush(stdout);
    }
}

/// In a forked child, the thread that held a lock may not exist.
pub fn after_fork() {
    FORMAT.force_open();
    SHOWN.renew_after_fork();
}

/// The system's numbers of the process and of the calling thread.
pub fn numbers() -> (i32, i32) {
    // SAFETY: the calls have no preconditions.
    unsafe { (libc::getpid(), libc::syscall(libc::SYS_gettid) as i32) }
}

/// What OpenMP's routines say of the calling thread.
pub struct Standing {
    pub team_num: i32,
    pub num_teams: i32,
    pub level: i32,
    pub thread_num: i32,
    pub num_threads: i32,
    /// The number of the thread's ancestor one level up.
    pub ancestor: i32,
    /// The place that the thread is bound to; -1 for none.
    pub place: i32,
}

/// The fields of affinity-format-var (OpenMP 5.1 §6.14, Table 6.3).
const FIELDS: [Field<Standing>; 10] = [
    ("team_num", b't', |standing| number(standing.team_num)),
    ("num_teams", b'T', |standing| number(standing.num_teams)),
    ("nesting_level", b'L', |standing| number(standing.level)),
    ("thread_num", b'n', |standing| number(standing.thread_num)),
    ("num_threads", b'N', |standing| number(standing.num_threads)),
    ("ancestor_tnum", b'a', |standing| number(standing.ancestor)),
    ("host", b'H', |_| Value::Text(host())),
    ("process_id", b'P', |_| number(numbers().0)),
    ("native_thread_id", b'i', |_| number(numbers().1)),
    ("thread_affinity", b'A', |standing| Value::Text(affinity(standing.place).into_bytes())),
];

fn number(number: i32) -> Value {
    Value::Number(number.into())
}

/// The CPUs that the calling thread may run on.
fn affinity(place: i32) -> String {
    if in_force::request().root.is_none() {
        return show_list(&kernel::of_caller());
    }
    let place = usize::try_from(place).ok().and_then(|index| places().get(index));
    show_list(place.map_or(&machine().cpus, |place| &place.cpus))
}

fn host() -> Vec<u8> {
    let mut name = [0u8; 256];
    // SAFETY: the call writes less than the whole buffer. The last byte stays zero, so that the text ends within.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } != 0;
    let length = name.iter().position(|&byte| byte == 0).unwrap_or(0);
    if failed { b"undefined".to_vec() } else { name[..length].to_vec() }
}

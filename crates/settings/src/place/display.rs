//! affinity-format-var, and the text that it makes of the calling thread: for `OMP_DISPLAY_AFFINITY`,
//! `omp_display_affinity` and `omp_capture_affinity` (OpenMP 5.1 §3.3.8–§3.3.11, §6.13, §6.14).

use std::ffi::CString;

use super::format::{Field, Value, expand};
use super::machine::{machine, places};
use super::sysfs::show_list;
use super::{in_force, kernel};
use crate::park::mutex::Mutex;
use crate::shown;

/// What `omp_set_affinity_format` has set.
static FORMAT: Mutex<Option<Vec<u8>>> = Mutex::new(None);
/// affinity-format-var as debuggers see it.
static SHOWN: Mutex<Option<CString>> = Mutex::new(None);

/// affinity-format-var.
pub fn format() -> Vec<u8> {
    FORMAT.with(|format| format.clone()).unwrap_or_else(|| in_force::request().format().to_vec())
}

/// Sets affinity-format-var.
pub fn set_format(format: &[u8]) {
    FORMAT.with(|current| *current = Some(format.to_vec()));
    show_format_to_debuggers();
}

/// Shows debuggers what affinity-format-var has become. The string that they were shown before is freed when they are
/// shown the new one.
#[cold]
pub fn show_format_to_debuggers() {
    SHOWN.with(|shown| {
        let format = shown::c_string(&self::format());
        shown::show_affinity_format(&format);
        *shown = Some(format);
    });
}

/// What a format, or affinity-format-var where it is empty, says of the calling thread.
pub fn capture(format: &[u8], standing: &Standing) -> Vec<u8> {
    match format {
        [] => expand(&self::format(), &FIELDS, standing),
        _ => expand(format, &FIELDS, standing),
    }
}

unsafe extern "C" {
    /// The C library's stream.
    static stdout: *mut libc::FILE;
}

/// Prints what a format says of the calling thread, as a line on the standard output. The C library's stream is used,
/// so that the line stands where it belongs among those of a C program; and it is not held back, as Fortran has a
/// buffer of its own.
pub fn display(format: &[u8], standing: &Standing) {
    let mut text = capture(format, standing);
    text.retain(|&byte| byte != 0);
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: a C string, and a stream that the C library has opened.
    unsafe {
        libc::puts(text.as_ptr());
        libc::fflush(stdout);
    }
}

/// In a forked child, whoever held the lock may be gone.
pub fn after_fork() {
    FORMAT.force_open();
    SHOWN.renew_after_fork();
}

/// The system's numbers of the process and of the calling thread.
pub fn numbers() -> (i32, i32) {
    // SAFETY: the calls have no preconditions.
    unsafe { (libc::getpid(), libc::syscall(libc::SYS_gettid) as i32) }
}

/// What is said of the calling thread beside what the system knows: its numbers, as OpenMP's routines give them.
pub struct Standing {
    pub team_num: i32,
    pub num_teams: i32,
    pub level: i32,
    pub thread_num: i32,
    pub num_threads: i32,
    /// The number of its ancestor one level up.
    pub ancestor: i32,
    /// The place that it is bound to, -1 if to none.
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

/// The CPUs that the calling thread runs on.
fn affinity(place: i32) -> String {
    if in_force::request().root.is_none() {
        return show_list(&kernel::of_caller());
    }
    let place = usize::try_from(place).ok().and_then(|index| places().get(index));
    show_list(place.map_or(&machine().cpus, |place| place.cpus()))
}

fn host() -> Vec<u8> {
    let mut name = [0u8; 256];
    // SAFETY: the buffer is as long as the call is told, less one, so the text ends within it.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } != 0;
    let length = name.iter().position(|&byte| byte == 0).unwrap_or(0);
    if failed { b"undefined".to_vec() } else { name[..length].to_vec() }
}

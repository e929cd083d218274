//! What the environment and the routines of other runtimes say about the size of teams and how long they are kept
//! (`KMP_LIBRARY`, `KMP_HOT_TEAMS_MAX_LEVEL`, `KMP_HOT_TEAMS_MODE`; OpenMP has no such ICVs).

use super::hot;
use crate::icv::{self, Library};
use crate::model::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use crate::objects::structures::Member;
use crate::protocol::go::Go;

/// The largest team: what the `go` word has room for.
pub const MAX_THREADS: u32 = (1 << Go::COUNT_BITS) - 1;

/// The largest team now. Plain values, here and below: nothing else depends on them.
static LARGEST: AtomicU32 = AtomicU32::new(MAX_THREADS);
/// `kmp_get_library`.
static LIBRARY: AtomicI32 = AtomicI32::new(Library::Throughput as i32);
/// Whether the end of a region may have to give threads back.
static GIVES_BACK: AtomicBool = AtomicBool::new(false);

/// As the settings say. Called when the runtime comes up and when they have changed.
pub fn set_up() {
    let settings = icv::settings();
    let from_policy = match settings.wait_policy {
        Some(icv::WaitPolicy::Active) => Library::Turnaround,
        Some(icv::WaitPolicy::Passive) | None => Library::Throughput,
    };
    set_library(settings.library.unwrap_or(from_policy));
    let keeps_all = settings.keeps_reserve && settings.kept_levels == icv::SUPPORTED_ACTIVE_LEVELS;
    GIVES_BACK.store(!keeps_all, Ordering::Relaxed);
}

/// The largest team that may be formed.
#[inline(always)]
pub fn largest_team() -> u32 {
    LARGEST.load(Ordering::Relaxed)
}

/// The number of the library in use (`kmp_get_library`).
pub fn library() -> i32 {
    LIBRARY.load(Ordering::Relaxed)
}

/// With the serial library every region has one thread.
pub fn set_library(library: Library) {
    LIBRARY.store(library as i32, Ordering::Relaxed);
    LARGEST.store(if library == Library::Serial { 1 } else { MAX_THREADS }, Ordering::Relaxed);
}

/// Whether [`give_back`] has anything to do.
#[inline(always)]
pub fn gives_back() -> bool {
    GIVES_BACK.load(Ordering::Relaxed)
}

/// A region of `nthreads` threads has ended that `member`'s thread encountered, the `active_level`th active one: gives
/// its team up where it is nested too deep to be kept, or where it has more threads than the region needed and these
/// are not to be kept.
#[cold]
pub fn give_back(member: &Member, active_level: i32, nthreads: u32) {
    let settings = icv::settings();
    if active_level > settings.kept_levels || (!settings.keeps_reserve && nthreads < hot::attached_to(member)) {
        hot::disband_children(member);
    }
}

//! Settings of other runtimes for the size of teams and for how long they are kept: `KMP_LIBRARY`,
//! `KMP_HOT_TEAMS_MAX_LEVEL`, `KMP_HOT_TEAMS_MODE`. OpenMP has no such ICVs.

use super::hot;
use crate::icv::{self, Library};
use crate::model::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use crate::objects::structures::Member;
use crate::protocol::go::Go;

/// The largest team that the `go` word can hold.
pub const MAX_THREADS: u32 = (1 << Go::COUNT_BITS) - 1;

/// The largest team that the library in use allows. Relaxed, as the statics below: nothing else is published with them.
static LARGEST: AtomicU32 = AtomicU32::new(MAX_THREADS);
/// `kmp_get_library`.
static LIBRARY: AtomicI32 = AtomicI32::new(Library::Throughput as i32);
/// Whether the end of a region may give threads back to the pool.
static GIVES_BACK: AtomicBool = AtomicBool::new(false);

/// Reads the settings. Called when the runtime comes up and when the settings have changed.
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

/// Sets the library in use. With the serial one every region has one thread.
pub fn set_library(library: Library) {
    LIBRARY.store(library as i32, Ordering::Relaxed);
    LARGEST.store(if library == Library::Serial { 1 } else { MAX_THREADS }, Ordering::Relaxed);
}

/// Whether [`give_back`] has anything to do.
#[inline(always)]
pub fn gives_back() -> bool {
    GIVES_BACK.load(Ordering::Relaxed)
}

/// Gives up the team of a region that has ended, if the settings do not keep it: it is nested too deep, or it has
/// threads in reserve. `member`'s thread encountered the region, which had `nthreads` threads and was the
/// `active_level`th active one.
#[cold]
pub fn give_back(member: &Member, active_level: i32, nthreads: u32) {
    let settings = icv::settings();
    let attached = hot::existing_child(member).map_or(0, |team| team.attached.get());
    if active_level > settings.kept_levels || (!settings.keeps_reserve && nthreads < attached) {
        hot::disband_children(member);
    }
}

//! Lanes of a host device, in which kernels run. A lane has a descriptor, the initial team of a contention group, and
//! the teams that its kernels have forked, which are kept for the next kernel. A thread that runs a kernel steps into a
//! lane: meanwhile the thread is one of the device (OpenMP 5.1 §1.3, §2.14.5).

use super::shared::{self, Wanted};
use crate::device::driver::{Note, Region};
use crate::icv::{self, Icvs};
use crate::model::atomic::{AtomicU32, Ordering};
use crate::objects::current;
use crate::objects::structures::{Outlined, Team, Thread};
use crate::ompt::trace;
use crate::park::mutex::Mutex;
use crate::team::{hot, initial};
use crate::thread::roster;
use std::sync::OnceLock;

/// A thread of a device, and its own team.
#[derive(Clone, Copy)]
struct Lane {
    thread: &'static Thread,
    team: &'static Team,
}

/// The lanes of a device.
pub struct Lanes {
    /// The device's number.
    pub device: i32,
    /// The free lanes. The last one that was used goes first, because its teams' threads are still awake.
    free: Mutex<Vec<Lane>>,
    /// The number of lanes in use.
    busy: AtomicU32,
    /// The ICVs with which each target region begins.
    icvs: OnceLock<Icvs>,
}

/// Makes the calling thread the host's again, if it is in the device's code: it ends the program, and does not return
/// there.
pub fn step_out() {
    if let Some(thread) = current::try_current()
        .filter(|thread| thread.tool.kind.get() == ::ompt::Thread::INITIAL && thread.device() >= 0)
    {
        current::set_current(thread.steps_for());
        thread.clear_os_thread();
    }
}

impl Lanes {
    pub fn new(device: i32) -> Self {
        Lanes { device, free: Mutex::new(Vec::new()), busy: AtomicU32::new(0), icvs: OnceLock::new() }
    }

    /// Whether no thread is in the device's code.
    pub fn are_free(&self) -> bool {
        self.busy.load(Ordering::Acquire) == 0
    }

    /// Runs code as the initial task of a target region on the device.
    pub fn run(&self, code: &Outlined, region: &Region, note: &Note) {
        let thread_limit = i32::try_from(region.thread_limit).ok().filter(|&limit| limit > 0);
        let memory = Wanted { bytes: region.dynamic_memory, fallback: region.fallback };
        self.step_in(|lane| {
            let icvs = self.icvs.get_or_init(|| icv::initial_on(self.device.unsigned_abs()));
            let record = trace::kernel_begins(lane.thread, lane.team, note);
            shared::with(lane.team, memory, || {
                initial::execute_on_device(lane.thread, lane.team, code, icvs, thread_limit)
            });
            let limit = thread_limit.unwrap_or(0) as u32;
            trace::kernel_ends(record, lane.thread, note, region.num_teams, limit, code.function as usize);
        });
    }

    /// Calls `body`, which is the device's code, as a thread of the device.
    pub fn visit<R>(&self, body: impl FnOnce() -> R) -> R {
        self.step_in(|lane| {
            hot::make_initial(lane.team, lane.thread);
            body()
        })
    }

    /// Calls `body` in a lane: meanwhile the calling thread is a thread of the device.
    #[inline(always)]
    fn step_in<R>(&self, body: impl FnOnce(Lane) -> R) -> R {
        self.busy.fetch_add(1, Ordering::Relaxed);
        let lane = self.free.with(Vec::pop).unwrap_or_else(|| self.new_lane());
        let thread = lane.thread;
        let host = current::try_current();
        thread.place.set(host.map_or(-1, Thread::place));
        thread.steps_for.set(host.map_or(std::ptr::null(), std::ptr::from_ref));
        match host {
            Some(host) => thread.set_os_thread_of(host),
            None => thread.set_os_thread(),
        }
        current::set_current(Some(thread));
        let result = body(lane);
        current::set_current(host);
        thread.clear_os_thread();
        thread.steps_for.set(std::ptr::null());
        self.free.with(|free| free.push(lane));
        self.busy.fetch_sub(1, Ordering::Release);
        result
    }

    /// Releases the threads that kernels have left in the lanes.
    pub fn disband(&self) {
        // Taken off the list, so that no other thread uses the lanes meanwhile.
        let lanes = self.free.with(std::mem::take);
        for lane in lanes.iter().filter(|lane| lane.thread.is_set_up()) {
            hot::disband_children(lane.thread.member());
        }
        self.free.with(|free| free.extend(lanes));
    }

    #[cold]
    fn new_lane(&self) -> Lane {
        let thread = roster::descriptor(::ompt::Thread::INITIAL);
        thread.set_device(self.device);
        Lane { thread, team: hot::new_team() }
    }

    /// In a forked child, where the threads in the lanes, and in their teams, do not exist.
    pub fn after_fork(&self) {
        self.free.renew_after_fork();
        self.busy.store(0, Ordering::Relaxed);
    }
}

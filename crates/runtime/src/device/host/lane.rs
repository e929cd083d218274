//! Lanes: what a kernel runs in on a host device. A lane has a descriptor, the initial team of a contention group, and
//! the teams that its kernels have forked, which are kept for the next one. Whichever thread runs a kernel steps into a
//! lane for that time: then it is a thread of the device (OpenMP 5.1 §1.3, §2.14.5).

use super::shared::{self, Wanted};
use crate::device::driver::Note;
use crate::icv::{self, Icvs};
use crate::model::atomic::{AtomicU32, Ordering};
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::objects::structures::{Outlined, Team};
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
    device: i32,
    /// Those that are free now; the last that was used goes first: its teams' threads are still awake.
    free: Mutex<Vec<Lane>>,
    /// How many are in use.
    busy: AtomicU32,
    /// The ICVs that each target region starts with.
    icvs: OnceLock<Icvs>,
}

/// The calling thread will not come back to the device's code, if that is what it is in: it ends the program.
pub fn step_out() {
    if let Some(thread) = current::try_current()
        .filter(|thread| thread.tool.kind.get() == ::ompt::Thread::INITIAL && thread.device() >= 0)
    {
        current::set_current(thread.steps_for());
        thread.clear_os_thread();
    }
}

impl Lanes {
    pub const fn new(device: i32) -> Self {
        Lanes { device, free: Mutex::new(Vec::new()), busy: AtomicU32::new(0), icvs: OnceLock::new() }
    }

    /// Whether nobody is in the device's code.
    pub fn are_free(&self) -> bool {
        self.busy.load(Ordering::Acquire) == 0
    }

    /// The device's number.
    pub fn device(&self) -> i32 {
        self.device
    }

    /// Runs code as the initial task of a target region on the device. `thread_limit` is the clause's value; each of
    /// its teams wants `team_memory` for itself. `num_teams` and `note` are for the kernel's record.
    pub fn run(&self, code: &Outlined, thread_limit: Option<i32>, num_teams: u32, team_memory: Wanted, note: &Note) {
        let lane = self.take();
        let outside = lane.step_in();
        let icvs = self.icvs.get_or_init(|| icv::initial_on(self.device.unsigned_abs()));
        let record = trace::kernel_begins(lane.thread, lane.team, note);
        shared::with(lane.team, team_memory, || {
            initial::execute_on_device(lane.thread, lane.team, code, icvs, thread_limit)
        });
        trace::kernel_ends(
            record,
            lane.thread,
            note,
            num_teams,
            thread_limit.unwrap_or(0) as u32,
            code.function as usize,
        );
        lane.step_out(outside);
        self.put(lane);
    }

    /// Calls `body`, which is the device's code, as a thread of the device.
    pub fn visit<R>(&self, body: impl FnOnce() -> R) -> R {
        let lane = self.take();
        let outside = lane.step_in();
        hot::make_initial(lane.team, lane.thread);
        let result = body();
        lane.step_out(outside);
        self.put(lane);
        result
    }

    /// Lets the threads go that kernels have left in the lanes.
    pub fn disband(&self) {
        // Nobody takes one meanwhile.
        let lanes = self.free.with(std::mem::take);
        for lane in lanes.iter().filter(|lane| lane.thread.is_set_up()) {
            hot::disband_children(lane.thread.member());
        }
        self.free.with(|free| free.extend(lanes));
    }

    fn put(&self, lane: Lane) {
        self.free.with(|free| free.push(lane));
        self.busy.fetch_sub(1, Ordering::Release);
    }

    fn take(&self) -> Lane {
        self.busy.fetch_add(1, Ordering::Relaxed);
        self.free.with(Vec::pop).unwrap_or_else(|| self.new_lane())
    }

    #[cold]
    fn new_lane(&self) -> Lane {
        let thread = roster::descriptor(::ompt::Thread::INITIAL);
        thread.set_device(self.device);
        Lane { thread, team: hot::new_team() }
    }

    /// In a forked child the lanes in use are not used any more, and the threads in the others' teams do not exist.
    pub fn after_fork(&self) {
        self.free.renew_after_fork();
        self.busy.store(0, Ordering::Relaxed);
    }
}

impl Lane {
    /// The calling thread is a thread of the device from here on. Returns who it was.
    fn step_in(self) -> Option<&'static Thread> {
        let host = current::try_current();
        self.thread.place.set(host.map_or(-1, Thread::place));
        self.thread.set_steps_for(host);
        match host {
            Some(host) => self.thread.set_os_thread_of(host),
            None => self.thread.set_os_thread(),
        }
        current::set_current(Some(self.thread));
        host
    }

    /// The calling thread is who it was before.
    fn step_out(self, outside: Option<&Thread>) {
        current::set_current(outside);
        self.thread.clear_os_thread();
        self.thread.set_steps_for(None);
    }
}

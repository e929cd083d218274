//! What a thread does at a moment, and where its time goes.

use super::blame::{Next, Place, TASKGROUP, TASKWAIT};
use super::cpu::Spent;
use super::sum::add;
use super::{Activity, ActivityKind};
use crate::Site;

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The program's code in an implicit task.
    Work,
    /// The program's code in the explicit task with this id, and its construct.
    Task(u64, Site),
    /// The program's code in a worksharing or masked construct.
    In(Activity),
    /// The program's code while it holds the lock with this wait id.
    Holding(u64, Activity),
    /// Forking or joining, as the encountering thread.
    Fork,
    /// In a synchronising construct, not waiting; or in a reduction.
    Sync(u64),
    /// Waiting in a synchronising construct.
    Wait(Place),
    /// Waiting for a lock.
    Mutex(Activity),
    /// In the device construct with this id, and its site.
    Target(u64, Site),
    /// In a call of MPI.
    Mpi(Activity),
}

/// Where time goes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Charge {
    #[default]
    Work,
    Barrier,
    Sync,
    /// In MPI, which is waiting as well.
    Mpi,
    Runtime,
}

/// Time by where it goes.
#[derive(Clone, Copy, Default)]
pub(super) struct Account([u64; 5]);

impl Account {
    /// The time that goes there.
    #[inline]
    pub fn at(&self, charge: Charge) -> u64 {
        self.0[charge as usize]
    }

    /// Adds to it.
    #[inline]
    pub fn add(&mut self, charge: Charge, time: u64) {
        add(&mut self.0[charge as usize], time);
    }

    /// The time since it was `before`.
    pub fn since(&self, before: &Account) -> Spent {
        let of = |charge| self.at(charge).saturating_sub(before.at(charge));
        let wait = of(Charge::Barrier).saturating_add(of(Charge::Sync)).saturating_add(of(Charge::Mpi));
        Spent { work: of(Charge::Work), wait, runtime: of(Charge::Runtime) }
    }
}

impl State {
    #[inline]
    pub fn charge(&self) -> Charge {
        match *self {
            State::Work | State::Task(..) | State::In(_) | State::Holding(..) => Charge::Work,
            State::Fork | State::Sync(_) => Charge::Runtime,
            State::Wait(Place { kind: TASKWAIT | TASKGROUP, .. }) | State::Mutex(_) | State::Target(..) => Charge::Sync,
            State::Mpi(_) => Charge::Mpi,
            // The runtime's own work.
            State::Wait(Place { kind: REDUCTION, .. }) => Charge::Runtime,
            State::Wait(_) => Charge::Barrier,
        }
    }

    /// What the other members see of it. `region` is the region's site.
    #[inline]
    pub fn next(&self, region: Site) -> Next {
        let work = |kind, site| Next::Work(Activity { kind, site });
        match *self {
            State::Work => work(ActivityKind::Body, region),
            State::Task(_, site) => work(ActivityKind::Task, site),
            // A combined construct: one call for region and loop.
            State::In(Activity { kind, site }) if site.codeptr == region.codeptr => work(kind, region),
            State::In(activity) | State::Holding(_, activity) | State::Mutex(activity) | State::Mpi(activity) => {
                Next::Work(activity)
            }
            State::Target(_, site) => work(ActivityKind::Device, site),
            State::Fork | State::Sync(_) | State::Wait(Place { kind: REDUCTION, .. }) => {
                work(ActivityKind::Runtime, Site::default())
            }
            // Workers have no address for the barrier at the region's end, the encountering thread has the region's.
            State::Wait(place) if [0, region.codeptr].contains(&place.site.codeptr) => {
                Next::Wait(Place { site: region, ..place })
            }
            State::Wait(place) => Next::Wait(place),
        }
    }
}

/// `ompt_sync_region_t`. The other kinds are barriers.
const REDUCTION: u64 = 7;

//! Where the threads of a region run, and the display of it (OpenMP 5.1 §2.6.2, §6.13). Regions without binding and
//! without `OMP_DISPLAY_AFFINITY` skip all of this. A repeated bound region moves no thread and makes no system call.

use super::query;
use crate::icv::{self, Bind, Icvs};
use crate::objects::clauses::Shown;
use crate::objects::structures::{Member, Region, Team, Thread};
use crate::place::display::{self, Standing};
use crate::place::{self, Affinity, Fork, Partition, near};

impl Shown {
    fn of(region: &Region) -> Shown {
        Shown { nthreads: region.nthreads.get(), level: region.level.get(), team_num: region.team_num.get() }
    }
}

/// Chooses the places of the next region's members. The primary thread calls this when it has described the region.
#[inline]
pub(super) fn arrange(thread: &Thread, team: &Team, clause: Bind, icvs: &Icvs) {
    let bind = if icvs.bind == Bind::False { Bind::False } else { clause };
    if bind != Bind::False || team.region.affinity.get() != Affinity::NONE {
        choose(thread, team, bind, icvs);
    }
}

/// As [`arrange`], for the threads of a league: `KMP_TEAMS_PROC_BIND` decides, and spreads them by default. A league is
/// no parallel region, so its threads display nothing.
pub(super) fn arrange_league(thread: &Thread, team: &Team, icvs: &Icvs) {
    arrange(thread, team, icv::settings().affinity.teams, icvs);
    let affinity = &team.region.affinity;
    affinity.set(affinity.get().without(Affinity::SHOW));
}

#[inline(never)]
fn choose(thread: &Thread, team: &Team, policy: Bind, icvs: &Icvs) {
    let region = &team.region;
    let nthreads = region.nthreads.get();
    let fork = Fork { policy, primary_place: thread.place().max(0), partition: icvs.partition, nthreads };
    let changed = region.placed.get() != Some(fork);
    if changed {
        region.placed.set(Some(fork));
        choose_anew(thread, team, &fork);
    }
    let mut affinity = region.affinity.get().lasting();
    if policy != Bind::False {
        affinity = affinity.and(Affinity::BIND);
    }
    if affinity.has(Affinity::DISPLAY) && (changed || is_news(thread, team)) {
        affinity = affinity.and(Affinity::SHOW);
    }
    if region.affinity.get() != affinity {
        region.affinity.set(affinity);
    }
}

#[cold]
fn choose_anew(thread: &Thread, team: &Team, fork: &Fork) {
    for member in team.members() {
        let gtid = if member.tid == 0 { thread.gtid() } else { member.thread().gtid() };
        let (place, partition) = place::place_of(fork, member.tid, gtid);
        member.place.set(place);
        member.partition.set(partition);
    }
}

/// Whether a thread of the region would display something else than it displayed last.
fn is_news(thread: &Thread, team: &Team) -> bool {
    let now = Shown::of(&team.region);
    thread.shown.get() != now || team.members().skip(1).any(|member| member.thread().shown.get() != now)
}

/// Binds a thread that enters a region with affinity to its place. Returns the place partition of its implicit task.
#[inline(never)]
pub(super) fn go(
    thread: &'static Thread,
    member: &'static Member,
    affinity: Affinity,
    partition: Partition,
) -> Partition {
    if !affinity.has(Affinity::BIND) {
        return partition;
    }
    let place = member.place.get();
    if place != thread.place() {
        place::go(&thread.place, thread.gtid(), place);
        // The primary thread's slot and descriptor have no pages of their own, and are near already.
        if member.tid != 0 {
            near::bring(thread, &thread.domain);
            near::bring(member, &member.domain);
        }
    }
    member.partition.get()
}

/// Displays the affinity of a thread that has entered a region.
#[cold]
pub(super) fn show(thread: &Thread, region: &Region) {
    thread.shown.set(Shown::of(region));
    display::display(&[], &standing(thread));
}

/// What `omp_display_affinity` shows of the calling thread.
pub fn standing(thread: &Thread) -> Standing {
    let member = thread.member();
    let region = &member.team().region;
    Standing {
        team_num: region.team_num.get(),
        num_teams: region.num_teams.get(),
        level: region.level.get(),
        thread_num: member.tid as i32,
        num_threads: member.team().nthreads() as i32,
        ancestor: query::ancestor_thread_num(region.level.get() - 1),
        place: thread.place(),
    }
}

/// Frees the primary thread from its place at the end of an outermost region (`KMP_AFFINITY=…,reset`).
#[cold]
pub(super) fn leave(thread: &Thread, region: &Region) {
    if region.level.get() == 1 && thread.place() >= 0 {
        place::free(&thread.place);
    }
}

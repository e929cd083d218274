//! Whether the teams of a league run side by side, or one after the other on the thread that encountered the league.
//!
//! To start a team on another thread takes longer than to execute a tiny one. Each thread remembers for its last
//! leagues, by place, how long they took side by side. After some executions it makes a *trial*: the other threads are
//! started, but they hold back while the encountering thread executes one team after the other, or for as long as the
//! league may take. If the encountering thread has executed all teams before, later leagues from the place run in turn.
//!
//! Thus a league runs in turn only if no team waited for a later one, which had not begun. Teams that grow longer run
//! side by side again. In turn, they run in the order of their numbers, as on libgomp.

use crate::arch;
use crate::model::atomic::{AtomicU32, Ordering};
use crate::objects::leagues::{LeaguePlace, Leagues};
use crate::thread::wait::Spinner;
use std::ffi::c_void;

/// Executions between two trials: at first, and at most. Each trial in vain doubles the number.
const FIRST: u32 = 4;
const MOST: u32 = 4096;
/// Leagues that take longer side by side need no trial. Some 50 microseconds.
const LONG: u64 = 1 << 17;
/// How many times the time of a crowded league it may take in a trial.
const CROWDED: u64 = 8;
/// After so many executions in turn, the place has been judged well, and a trial comes soon after a change.
const WELL: u32 = 256;
/// So often in a row the teams may take longer in turn than side by side.
const DOUBTS: u8 = 2;

/// How a league is to be executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    SideBySide,
    /// Side by side, but the other threads hold back first.
    Trial,
    InTurn,
}

impl Leagues {
    /// The memory of leagues of so many `teams` with the code `function`.
    #[inline(always)]
    pub(super) fn at(&self, function: *const c_void, teams: u32) -> &LeaguePlace {
        // Most functions begin at multiples of 16, and none beyond 2^47.
        let place = &self.places[(function.addr() >> 4) % self.places.len()];
        let key = function.addr() ^ (teams as usize) << 48;
        if place.key.get() != key {
            place.begin(key);
        }
        place
    }
}

impl LeaguePlace {
    #[cold]
    fn begin(&self, key: usize) {
        self.key.set(key);
        self.patience.set(FIRST);
        self.watch();
    }

    /// Begins a series of executions side by side.
    fn watch(&self) {
        self.in_turn.set(false);
        self.left.set(self.patience.get());
        self.best.set(u64::MAX);
    }

    /// How the next league is to be executed.
    #[inline(always)]
    pub(super) fn plan(&self) -> Plan {
        if self.in_turn.get() { Plan::InTurn } else { self.plan_anew() }
    }

    #[inline(never)]
    fn plan_anew(&self) -> Plan {
        if let Some(left) = self.left.get().checked_sub(1) {
            self.left.set(left);
            return Plan::SideBySide;
        }
        if self.best.get() < LONG {
            return Plan::Trial;
        }
        self.in_vain();
        Plan::SideBySide
    }

    fn in_vain(&self) {
        self.patience.set((2 * self.patience.get()).min(MOST));
        self.watch();
    }

    /// An execution side by side took `ticks`. One of many times [`LONG`] counts as so many. Where other processes want
    /// the CPUs, a league takes milliseconds, and the next trial would else be seconds away.
    pub(super) fn took(&self, ticks: u64) {
        self.best.set(ticks.min(self.best.get()));
        let more = u32::try_from(ticks / LONG).unwrap_or(u32::MAX);
        self.left.set(self.left.get().saturating_sub(more));
    }

    /// How long the encountering thread may take in a trial for all teams: twice the time that they take side by side.
    /// In turn a team begins more quickly than in a trial. If the teams do take longer in turn, that is found soon.
    ///
    /// `crowded` says that there are more threads than CPUs. Then regions inside the teams take far longer than they
    /// will in turn, where the other league threads are given up.
    pub(super) fn limit_of_trial(&self, crowded: bool) -> u64 {
        if crowded { CROWDED * self.best.get() } else { 2 * self.best.get() }
    }

    /// The end of a trial. `alone` is how long the encountering thread took for all teams; none if it has not executed
    /// all. Returns whether the teams run in turn from now on.
    pub(super) fn tried(&self, alone: Option<u64>, limit: u64) -> bool {
        let pays = alone.is_some_and(|alone| alone < limit);
        if pays {
            self.in_turn.set(true);
            self.kept.set(0);
            self.doubt.set(1);
        } else {
            self.in_vain();
        }
        pays
    }

    /// The begin of an execution in turn. The clock takes a third of the time of a tiny team, so it is not read here if
    /// the last league was short: this one is, too, if it is over soon after that one.
    #[inline(always)]
    pub(super) fn turns_begin(&self) -> u64 {
        if self.doubt.get() == 0 { self.over.get() } else { arch::ticks() }
    }

    /// The end of an execution in turn.
    #[inline(always)]
    pub(super) fn turns_end(&self, begin: u64) {
        let over = arch::ticks();
        self.over.set(over);
        self.kept.set(self.kept.get().wrapping_add(1));
        self.judge(over.wrapping_sub(begin));
    }

    /// Teams took at most `ticks` in turn, and exactly so many if there was a doubt.
    #[inline(always)]
    fn judge(&self, ticks: u64) {
        if ticks > self.best.get() {
            self.doubt_more();
        } else if self.doubt.get() != 0 {
            self.doubt.set(0);
        }
    }

    #[cold]
    fn doubt_more(&self) {
        let doubt = self.doubt.get();
        if doubt < DOUBTS {
            return self.doubt.set(doubt + 1);
        }
        if self.kept.get() > WELL {
            self.patience.set(FIRST);
            self.watch();
        } else {
            self.in_vain();
        }
    }
}

/// What the threads of a league share about a trial.
pub(super) struct Trial {
    /// For how long the other threads hold back; 0 if the league is none.
    limit: u64,
    /// How many teams the encountering thread may take, from the first one on.
    most: u32,
    /// How many it has taken, with [`OTHERS`] and [`DONE`]. No data is handed over with the word.
    taken: AtomicU32,
}

/// Another thread holds back no longer. From then on each thread takes its own share of the teams that are left.
const OTHERS: u32 = 1 << 31;
/// The encountering thread has executed its teams.
const DONE: u32 = 1 << 30;

impl Trial {
    /// Of a league that is none.
    pub(super) const fn none() -> Trial {
        Trial::of(0, 0)
    }

    /// The encountering thread may take the teams up to number `most`, and then all others begin.
    pub(super) const fn of(limit: u64, most: u32) -> Trial {
        Trial { limit, most, taken: AtomicU32::new(1) }
    }

    /// Another thread holds back before its first team. Returns the first team that is left.
    #[inline]
    pub(super) fn hold_back(&self) -> u32 {
        if self.limit == 0 { 0 } else { self.wait() }
    }

    #[cold]
    fn wait(&self) -> u32 {
        let begin = arch::ticks();
        let mut pace = Spinner::new();
        while self.taken.load(Ordering::Relaxed) & DONE == 0 && arch::ticks().wrapping_sub(begin) < self.limit {
            // The encountering thread's team may need this CPU. Nobody wakes a sleeper here, so the wait goes on.
            pace.pause();
        }
        self.taken.fetch_or(OTHERS, Ordering::Relaxed) & !(OTHERS | DONE)
    }

    /// The encountering thread begins with the first team, at the time that is returned.
    #[inline]
    pub(super) fn begin(&self) -> u64 {
        if self.limit == 0 { 0 } else { arch::ticks() }
    }

    /// The encountering thread has executed all teams before `next`. Returns whether `next` is its team, too, because
    /// the others still hold back.
    #[inline]
    pub(super) fn take(&self, next: u32) -> bool {
        self.limit != 0
            && next < self.most
            && self.taken.compare_exchange(next, next + 1, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The encountering thread has executed its teams, with which it began at `begun`. Returns how long it took for
    /// those that it may take; none if other threads have begun meanwhile, or if there is no trial.
    #[inline]
    pub(super) fn primary_is_done(&self, begun: u64) -> Option<u64> {
        let is_first = self.limit != 0 && self.taken.fetch_or(DONE, Ordering::Relaxed) == self.most;
        is_first.then(|| arch::ticks().wrapping_sub(begun))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> LeaguePlace {
        let place = LeaguePlace::default();
        place.begin(1);
        place
    }

    /// Executes leagues that take `ticks` side by side until a trial. Returns how many there were.
    fn until_trial(place: &LeaguePlace, ticks: u64) -> u32 {
        let mut count = 0;
        while place.plan() == Plan::SideBySide {
            place.took(ticks);
            count += 1;
        }
        count
    }

    #[test]
    fn quick_teams_run_in_turn_after_a_trial() {
        let place = place();
        assert_eq!(until_trial(&place, 1000), FIRST);
        assert!(place.tried(Some(900), place.limit_of_trial(false)));
        assert_eq!(place.plan(), Plan::InTurn);
    }

    #[test]
    fn teams_that_gain_nothing_stay_side_by_side() {
        let place = place();
        until_trial(&place, 1000);
        assert!(!place.tried(Some(2100), place.limit_of_trial(false)));
        assert_eq!(until_trial(&place, 1000), 2 * FIRST);
        assert!(!place.tried(None, place.limit_of_trial(true)), "a team may wait for another");
        assert_eq!(until_trial(&place, 1000), 4 * FIRST);
        assert!(place.tried(Some(2200), place.limit_of_trial(true)), "the threads of the teams get more CPUs");
    }

    #[test]
    fn long_leagues_get_no_trial() {
        let place = place();
        for _ in 0..10_000 {
            assert_eq!(place.plan(), Plan::SideBySide);
            place.took(LONG);
        }
    }

    #[test]
    fn a_trial_comes_soon_where_leagues_are_held_up() {
        let place = place();
        for _ in 0..20 {
            until_trial(&place, 1000);
            place.tried(None, place.limit_of_trial(false));
        }
        assert_eq!(place.patience.get(), MOST);
        assert_eq!(place.plan(), Plan::SideBySide);
        place.took(1000);
        assert!(until_trial(&place, 100 * LONG) < 50);
    }

    #[test]
    fn teams_that_grow_longer_run_side_by_side_again() {
        let place = place();
        until_trial(&place, 1000);
        place.tried(Some(100), 500);
        place.judge(200);
        assert_eq!(place.doubt.get(), 0);
        // At first only the time since the last league is known.
        (0..2).for_each(|_| place.judge(1500));
        assert_eq!(place.plan(), Plan::InTurn);
        place.judge(900);
        assert_eq!(place.doubt.get(), 0, "one interruption changes nothing");
        (0..3).for_each(|_| place.judge(1500));
        assert_eq!(place.plan(), Plan::SideBySide);
    }

    #[test]
    fn places_forget_each_other_only_if_they_meet() {
        let leagues = Leagues::default();
        let at = |address: usize| leagues.at(address as *const c_void, 2);
        at(0x1000).in_turn.set(true);
        assert!(!at(0x1010).in_turn.get());
        assert!(at(0x1000).in_turn.get());
        at(0x1000 + 16 * 8);
        assert!(!at(0x1000).in_turn.get());
    }

    #[test]
    fn leagues_of_other_numbers_of_teams_are_others() {
        let leagues = Leagues::default();
        let at = |teams: u32| leagues.at(0x1000 as *const c_void, teams);
        at(2).in_turn.set(true);
        assert!(at(2).in_turn.get());
        assert!(!at(16).in_turn.get());
    }

    #[test]
    fn whoever_comes_first_decides_a_trial() {
        let trial = Trial::of(1, 3);
        assert_eq!(trial.hold_back(), 1);
        assert!(!trial.take(1));
        assert!(trial.primary_is_done(trial.begin()).is_none());
        let trial = Trial::of(u64::MAX, 3);
        let begun = trial.begin();
        assert!(trial.take(1) && trial.take(2) && !trial.take(3));
        assert!(trial.primary_is_done(begun).is_some());
        assert_eq!(trial.hold_back(), 3);
    }

    #[test]
    fn teams_that_are_left_after_a_trial_are_divided() {
        let trial = Trial::of(1, 5);
        assert!(trial.take(1));
        assert_eq!(trial.hold_back(), 2, "the first two teams are taken");
        assert!(!trial.take(2));
        assert_eq!(trial.hold_back(), 2);
        assert!(trial.primary_is_done(trial.begin()).is_none());
    }

    #[test]
    fn a_trial_of_one_team_leaves_the_others() {
        let trial = Trial::of(u64::MAX, 1);
        let begun = trial.begin();
        assert!(!trial.take(1));
        assert!(trial.primary_is_done(begun).is_some());
        assert_eq!(trial.hold_back(), 1);
    }
}

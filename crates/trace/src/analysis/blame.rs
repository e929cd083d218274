//! Who makes whom wait. While members of a team wait, their time is charged to what the other members do meanwhile, in
//! equal parts. (Blame shifting: Tallent and Mellor-Crummey, "Effective performance measurement and analysis of
//! multithreaded applications", PPoPP 2009.)
//!
//! An *episode* lasts from the first member that waits until no member works any more. What is charged in an episode
//! belongs to the places where members waited in it. Leaving a barrier after the last arrival is no part of an episode.

use super::{Activity, ActivityKind};
use crate::Site;
use rustc_hash::FxHashMap;

/// Where a member waits: `ompt_sync_region_t`, and the construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    pub kind: u64,
    pub site: Site,
}

/// What a member does, as far as waiting is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    /// It is not in its implicit task.
    Out,
    /// It works.
    Working { activity: Activity },
    /// It waits since the team's episode with this number.
    Waiting { place: Place, episode: u64 },
}

/// What a member does next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Next {
    Work(Activity),
    Wait(Place),
    Out,
}

/// The waiting in one team.
#[derive(Clone, Debug, Default)]
pub(super) struct Blame {
    /// Everything up to here is charged.
    now: u64,
    /// Members that have not begun their implicit task.
    unborn: u64,
    /// The members that work, by what they do.
    working: Vec<(Activity, u64)>,
    /// Members that wait in this episode.
    waiting: u64,
    /// Members that have waited in an episode that is over and have not gone on.
    leaving: u64,
    episode: u64,
    /// Of this episode: the members that wait at each place, and their time there.
    places: Vec<(Place, u64, u64)>,
    /// Of this episode.
    activities: Vec<(Activity, f64)>,
}

/// The waiting at one place of one region's construct.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    pub episodes: u64,
    pub ns: u64,
    pub activities: FxHashMap<Activity, f64>,
}

/// What a member does that has not begun its implicit task.
const BEGINNING: Activity = Activity { kind: ActivityKind::Beginning, site: Site { codeptr: 0, function: 0 } };

/// The waiting at all places, by the region and the place.
pub(super) type Waits = FxHashMap<(Site, Place), Waiting>;

impl Blame {
    /// A team of `team` threads, none of which has begun.
    pub fn new(team: u64, now: u64) -> Blame {
        Blame { now, unborn: team, ..Blame::default() }
    }

    /// A member begins its implicit task. It has made the others wait since the region's begin.
    pub fn begin(&mut self, now: u64) -> Mode {
        self.advance(now);
        self.unborn = self.unborn.saturating_sub(1);
        self.work(BEGINNING)
    }

    /// A member goes over to something else.
    pub fn change(&mut self, mode: &mut Mode, next: Next, now: u64, region: Site, waits: &mut Waits) {
        self.advance(now);
        let before = *mode;
        match before {
            Mode::Out => {}
            Mode::Working { activity } => {
                if let Some((_, members)) = self.working.iter_mut().find(|(known, _)| *known == activity) {
                    *members = members.saturating_sub(1);
                }
                self.working.retain(|(_, members)| *members > 0);
            }
            Mode::Waiting { place, episode } if episode == self.episode => {
                self.waiting = self.waiting.saturating_sub(1);
                if let Some((_, members, _)) = self.places.iter_mut().find(|(at, ..)| *at == place) {
                    *members = members.saturating_sub(1);
                }
            }
            Mode::Waiting { .. } => self.leaving = self.leaving.saturating_sub(1),
        }
        match next {
            Next::Out => *mode = Mode::Out,
            Next::Work(activity) => {
                if let (Mode::Waiting { place, episode }, ActivityKind::Task) = (before, activity.kind) {
                    self.go_on(place, episode);
                }
                *mode = self.work(activity);
            }
            Next::Wait(place) => {
                self.waiting += 1;
                match self.places.iter_mut().find(|(at, ..)| *at == place) {
                    Some((_, members, _)) => *members += 1,
                    None => self.places.push((place, 1, 0)),
                }
                *mode = Mode::Waiting { place, episode: self.episode };
            }
        }
        if self.waiting == 0 {
            self.end_episode(region, waits);
        } else if self.working.is_empty() && self.unborn == 0 {
            // The last one has arrived: from here on, the others leave.
            self.end_episode(region, waits);
            self.leaving += std::mem::take(&mut self.waiting);
            self.episode += 1;
        }
    }

    /// A member that waited takes a task. If the last episode seemed to be over only because no member had a task just
    /// then, the others still wait.
    fn go_on(&mut self, place: Place, episode: u64) {
        if episode + 1 == self.episode && self.waiting == 0 && self.leaving > 0 {
            self.episode = episode;
            self.waiting = std::mem::take(&mut self.leaving);
            self.places.push((place, self.waiting, 0));
        }
    }

    fn advance(&mut self, now: u64) {
        let time = now.saturating_sub(self.now);
        self.now = self.now.max(now);
        if self.waiting == 0 {
            return;
        }
        for (_, members, ns) in &mut self.places {
            *ns += *members * time;
        }
        let others = self.unborn + self.working.iter().map(|(_, members)| members).sum::<u64>();
        let each = time as f64 * self.waiting as f64 / others.max(1) as f64;
        let beginning = (self.unborn > 0).then_some((BEGINNING, self.unborn));
        for &(activity, members) in self.working.iter().chain(&beginning) {
            match self.activities.iter_mut().find(|(known, _)| *known == activity) {
                Some((_, sum)) => *sum += members as f64 * each,
                None => self.activities.push((activity, members as f64 * each)),
            }
        }
    }

    /// One more member does this.
    fn work(&mut self, activity: Activity) -> Mode {
        match self.working.iter_mut().find(|(known, _)| *known == activity) {
            Some((_, members)) => *members += 1,
            None => self.working.push((activity, 1)),
        }
        Mode::Working { activity }
    }

    /// Adds what was charged in the episode to the places where members waited, by their share of the waiting.
    fn end_episode(&mut self, region: Site, waits: &mut Waits) {
        let total: u64 = self.places.iter().map(|(.., ns)| ns).sum();
        if total > 0 {
            for &(place, _, ns) in self.places.iter().filter(|(.., ns)| *ns > 0) {
                let waiting = waits.entry((region, place)).or_default();
                waiting.episodes += 1;
                waiting.ns = waiting.ns.saturating_add(ns);
                for &(activity, time) in &self.activities {
                    *waiting.activities.entry(activity).or_default() += time * ns as f64 / total as f64;
                }
            }
        }
        self.activities.clear();
        self.places.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGION: Site = Site { codeptr: 9, function: 0 };
    const BARRIER: Place = Place { kind: 9, site: Site { codeptr: 1, function: 0 } };
    const LOOP: Activity = Activity { kind: ActivityKind::Work(1), site: Site { codeptr: 2, function: 0 } };
    const BODY: Activity = Activity { kind: ActivityKind::Body, site: Site { codeptr: 3, function: 0 } };
    const TASK: Activity = Activity { kind: ActivityKind::Task, site: Site { codeptr: 4, function: 0 } };

    /// A team whose members have begun at 0.
    fn team(members: u64) -> (Blame, Vec<Mode>, Waits) {
        let mut blame = Blame::new(members, 0);
        let mut waits = Waits::default();
        let modes = (0..members).map(|_| blame.begin(0)).collect::<Vec<Mode>>();
        let begun = modes.into_iter().map(|mut mode| {
            blame.change(&mut mode, Next::Work(BODY), 0, REGION, &mut waits);
            mode
        });
        let modes = begun.collect();
        (blame, modes, waits)
    }

    #[test]
    fn the_last_to_arrive_is_charged() {
        let (mut blame, mut modes, mut waits) = team(3);
        let mut at = |member: usize, next, now| blame.change(&mut modes[member], next, now, REGION, &mut waits);
        at(0, Next::Wait(BARRIER), 10);
        at(1, Next::Work(LOOP), 10);
        at(1, Next::Wait(BARRIER), 30);
        at(2, Next::Wait(BARRIER), 100);
        // They leave at different times, which is no waiting.
        at(0, Next::Work(BODY), 110);
        at(1, Next::Work(BODY), 190);
        let waiting = &waits[&(REGION, BARRIER)];
        assert_eq!((waiting.episodes, waiting.ns), (1, 90 + 70));
        // From 10 to 30, two make one wait; from 30 to 100, one makes two wait.
        assert_eq!((waiting.activities[&LOOP], waiting.activities[&BODY]), (10.0, 150.0));
    }

    #[test]
    fn a_task_found_late_goes_on_with_the_episode() {
        let (mut blame, mut modes, mut waits) = team(2);
        let mut at = |member: usize, next, now| blame.change(&mut modes[member], next, now, REGION, &mut waits);
        at(0, Next::Wait(BARRIER), 10);
        at(1, Next::Wait(BARRIER), 20);
        at(1, Next::Work(TASK), 25);
        at(1, Next::Wait(BARRIER), 65);
        at(0, Next::Work(BODY), 70);
        at(1, Next::Work(BODY), 70);
        let waiting = &waits[&(REGION, BARRIER)];
        assert_eq!((waiting.ns, waiting.activities[&TASK], waiting.activities[&BODY]), (10 + 40, 40.0, 10.0));
    }

    #[test]
    fn a_member_that_begins_late_is_charged() {
        let (mut blame, mut waits) = (Blame::new(2, 0), Waits::default());
        let mut first = blame.begin(0);
        blame.change(&mut first, Next::Wait(BARRIER), 5, REGION, &mut waits);
        let mut second = blame.begin(25);
        blame.change(&mut second, Next::Work(BODY), 25, REGION, &mut waits);
        blame.change(&mut second, Next::Wait(BARRIER), 30, REGION, &mut waits);
        let waiting = &waits[&(REGION, BARRIER)];
        assert_eq!((waiting.ns, waiting.activities[&BEGINNING], waiting.activities[&BODY]), (25, 20.0, 5.0));
    }

    #[test]
    fn one_thread_waits_for_nobody() {
        let (mut blame, mut modes, mut waits) = team(1);
        blame.change(&mut modes[0], Next::Wait(BARRIER), 10, REGION, &mut waits);
        blame.change(&mut modes[0], Next::Work(BODY), 50, REGION, &mut waits);
        assert!(waits.is_empty());
    }
}

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

impl Place {
    /// Whether members wait here for tasks, and not for each other.
    fn is_for_tasks(self) -> bool {
        matches!(self.kind, TASKWAIT | TASKGROUP)
    }
}

/// `ompt_sync_region_t`.
pub(super) const TASKWAIT: u64 = 5;
/// As above.
pub(super) const TASKGROUP: u64 = 6;

/// What a member does, as far as waiting is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    /// It is not in its implicit task.
    Out,
    /// It works. What it does is also at this index of the team's list.
    Working { activity: Activity, index: usize },
    /// It waits since the team's episode with this number.
    Waiting { place: Place, episode: u64, index: usize },
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
    /// Members.
    team: u64,
    /// Members that have not begun their implicit task.
    unborn: u64,
    /// What each member does, as far as it has told, in the order in which they have begun; none for members that wait
    /// or are out.
    doing: Vec<Option<Activity>>,
    /// The members that work, by what they do. In teams of a few members it is right only while members wait: nothing
    /// else needs it, and most events are of teams in which nobody waits.
    working: Vec<(Activity, u64)>,
    /// Members that wait in this episode.
    waiting: u64,
    /// Members that have waited in an episode that is over and have not gone on.
    leaving: u64,
    episode: u64,
    /// When the team began.
    begun: u64,
    /// When the last episode ended, or the team began.
    phase: u64,
    /// Sum of the numbers of the members that work. If one works alone, it is this member's number.
    numbers: u64,
    /// Of this episode: the members that wait at each place, and their time there.
    places: Vec<(Place, u64, u64)>,
    /// Of this episode.
    activities: Vec<(Activity, f64)>,
    /// Whether member 0 waits in this episode, and how long.
    first: (bool, u64),
    /// Of this episode: the waiting while one member worked alone, and the number of the member that was alone last.
    alone: (u64, u64),
}

/// The waiting at one place of one region's construct.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    pub episodes: u64,
    pub ns: u64,
    pub activities: FxHashMap<Activity, f64>,
    /// See the fields of [`super::Wait`].
    pub phase_ns: u64,
    pub alone_ns: u64,
    pub first_ns: u64,
    pub first_waits_ns: u64,
    pub opening_ns: u64,
    pub members: u64,
}

impl Waiting {
    /// Adds the waiting at another address of the construct.
    pub fn unite(&mut self, other: &Waiting) {
        self.episodes += other.episodes;
        self.members = self.members.max(other.members);
        for (sum, value) in [
            (&mut self.ns, other.ns),
            (&mut self.phase_ns, other.phase_ns),
            (&mut self.alone_ns, other.alone_ns),
            (&mut self.first_ns, other.first_ns),
            (&mut self.first_waits_ns, other.first_waits_ns),
            (&mut self.opening_ns, other.opening_ns),
        ] {
            *sum = sum.saturating_add(value);
        }
    }
}

/// In a team of more members than these, counting all members whenever one begins to wait could take longer than to
/// keep the count.
pub(super) const FEW: u64 = 16;
/// What a member does that has not begun its implicit task.
const BEGINNING: Activity = Activity { kind: ActivityKind::Beginning, site: Site { codeptr: 0, function: 0 } };

/// The waiting at all places, by the region and the place.
pub(super) type Waits = FxHashMap<(Site, Place), Waiting>;

impl Blame {
    /// A team of `team` threads, none of which has begun.
    pub fn new(team: u64, now: u64) -> Blame {
        Blame { now, unborn: team, team, begun: now, phase: now, ..Blame::default() }
    }

    /// A member begins its implicit task. It has made the others wait since the region's begin.
    pub fn begin(&mut self, member: u64, now: u64) -> Mode {
        self.advance(now);
        self.unborn = self.unborn.saturating_sub(1);
        self.doing.push(None);
        self.work(member, BEGINNING, self.doing.len() - 1)
    }

    /// A member goes over to something else. While nobody waits, that is only noted.
    #[inline(always)]
    pub fn change(&mut self, member: u64, mode: &mut Mode, next: Next, now: u64, region: Site, waits: &mut Waits) {
        if !self.counts()
            && let (Mode::Working { activity, index }, Next::Work(next)) = (&mut *mode, next)
        {
            self.now = self.now.max(now);
            *activity = next;
            self.note(*index, Some(next));
        } else {
            self.change_waiting(member, mode, next, now, region, waits);
        }
    }

    /// As [`change`](Self::change), where members wait or will wait.
    #[inline(never)]
    fn change_waiting(&mut self, member: u64, mode: &mut Mode, next: Next, now: u64, region: Site, waits: &mut Waits) {
        let same = match (*mode, next) {
            (Mode::Working { activity, .. }, Next::Work(next)) => activity == next,
            (Mode::Waiting { place, .. }, Next::Wait(next)) => place == next,
            _ => false,
        };
        if same {
            return;
        }
        self.advance(now);
        let before = *mode;
        let index = match before {
            Mode::Out => return,
            Mode::Working { activity, index } => {
                self.numbers = self.numbers.wrapping_sub(member);
                self.note(index, None);
                if self.counts()
                    && let Some(known) = self.working.iter().position(|(known, _)| *known == activity)
                {
                    self.working[known].1 -= 1;
                    if self.working[known].1 == 0 {
                        self.working.swap_remove(known);
                    }
                }
                index
            }
            Mode::Waiting { place, episode, index } => {
                if episode == self.episode {
                    self.first.0 &= member != 0;
                    self.waiting = self.waiting.saturating_sub(1);
                    if let Some((_, members, _)) = self.places.iter_mut().find(|(at, ..)| *at == place) {
                        *members = members.saturating_sub(1);
                    }
                } else {
                    self.leaving = self.leaving.saturating_sub(1);
                }
                index
            }
        };
        match next {
            Next::Out => *mode = Mode::Out,
            Next::Work(activity) => {
                if let (Mode::Waiting { place, episode, .. }, ActivityKind::Task | ActivityKind::TaskInWait(_)) =
                    (before, activity.kind)
                {
                    self.go_on(place, episode);
                }
                *mode = self.work(member, activity, index);
            }
            Next::Wait(place) => {
                if !self.counts() {
                    self.count_working();
                }
                self.waiting += 1;
                self.first.0 |= member == 0;
                match self.places.iter_mut().find(|(at, ..)| *at == place) {
                    Some((_, members, _)) => *members += 1,
                    None => self.places.push((place, 1, 0)),
                }
                *mode = Mode::Waiting { place, episode: self.episode, index };
            }
        }
        if self.waiting == 0 {
            self.end_episode(now, region, waits);
        } else if self.working.is_empty() && self.unborn == 0 && !self.waits_for_tasks() {
            // The last one has arrived: from here on, the others leave.
            self.end_episode(now, region, waits);
            self.leaving += std::mem::take(&mut self.waiting);
            self.episode += 1;
        }
    }

    /// Whether a member waits for tasks only. It goes on when these are done, whether or not others wait at a barrier.
    fn waits_for_tasks(&self) -> bool {
        self.places.iter().any(|(place, members, _)| *members > 0 && place.is_for_tasks())
    }

    /// A member that waited takes a task. If the last episode seemed to be over only because no member had a task just
    /// then, the others still wait.
    fn go_on(&mut self, place: Place, episode: u64) {
        if episode + 1 == self.episode && self.waiting == 0 && self.leaving > 0 {
            self.episode = episode;
            if !self.counts() {
                self.count_working();
            }
            self.waiting = std::mem::take(&mut self.leaving);
            self.places.push((place, self.waiting, 0));
        }
    }

    #[inline]
    fn advance(&mut self, now: u64) {
        let time = now.saturating_sub(self.now);
        self.now = self.now.max(now);
        if self.waiting > 0 {
            self.charge(time);
        }
    }

    /// Charges the time in which members waited.
    fn charge(&mut self, time: u64) {
        for (_, members, ns) in &mut self.places {
            *ns = ns.saturating_add(members.saturating_mul(time));
        }
        if self.first.0 {
            self.first.1 = self.first.1.saturating_add(time);
        }
        let others = self.unborn + self.working.iter().map(|(_, members)| members).sum::<u64>();
        if others == 1 && self.unborn == 0 {
            self.alone = (self.alone.0.saturating_add(self.waiting.saturating_mul(time)), self.numbers);
        }
        let each = time as f64 * self.waiting as f64 / others.max(1) as f64;
        let beginning = (self.unborn > 0).then_some((BEGINNING, self.unborn));
        for &(activity, members) in self.working.iter().chain(&beginning) {
            match self.activities.iter_mut().find(|(known, _)| *known == activity) {
                Some((_, sum)) => *sum += members as f64 * each,
                None => self.activities.push((activity, members as f64 * each)),
            }
        }
    }

    /// One more member does this. The member has this index.
    fn work(&mut self, member: u64, activity: Activity, index: usize) -> Mode {
        self.numbers = self.numbers.wrapping_add(member);
        self.note(index, Some(activity));
        if self.counts() {
            count(&mut self.working, activity);
        }
        Mode::Working { activity, index }
    }

    /// Whether `working` is right.
    #[inline]
    pub fn counts(&self) -> bool {
        self.waiting > 0 || self.team > FEW
    }

    /// The member with this index does this from now on.
    fn note(&mut self, index: usize, activity: Option<Activity>) {
        if let Some(doing) = self.doing.get_mut(index) {
            *doing = activity;
        }
    }

    /// A member begins to wait, so what the others do matters from here on.
    fn count_working(&mut self) {
        self.working.clear();
        for activity in self.doing.iter().flatten() {
            count(&mut self.working, *activity);
        }
    }

    /// Adds what was charged in the episode to the places where members waited, by their share of the waiting.
    fn end_episode(&mut self, now: u64, region: Site, waits: &mut Waits) {
        if self.places.is_empty() {
            return;
        }
        let total = self.places.iter().map(|(.., ns)| *ns).fold(0, u64::saturating_add);
        let phase = now.saturating_sub(self.phase);
        let (alone, member) = std::mem::take(&mut self.alone);
        let (_, first_waits) = std::mem::take(&mut self.first);
        if total > 0 {
            for &(place, _, ns) in self.places.iter().filter(|(.., ns)| *ns > 0) {
                let waiting = waits.entry((region, place)).or_default();
                waiting.episodes += 1;
                let part = |value: u64| (value as f64 * ns as f64 / total as f64) as u64;
                let of = Waiting {
                    ns,
                    phase_ns: part(phase),
                    alone_ns: part(alone),
                    first_waits_ns: part(first_waits),
                    opening_ns: if self.phase == self.begun { ns } else { 0 },
                    first_ns: part(if member == 0 { alone } else { 0 }),
                    members: self.team,
                    ..Waiting::default()
                };
                waiting.unite(&of);
                for &(activity, time) in &self.activities {
                    *waiting.activities.entry(activity).or_default() += time * ns as f64 / total as f64;
                }
            }
        }
        if total > 0 || self.waiting > 0 {
            self.phase = now;
        }
        self.activities.clear();
        self.places.clear();
    }
}

/// One more member does this.
fn count(working: &mut Vec<(Activity, u64)>, activity: Activity) {
    match working.iter_mut().find(|(known, _)| *known == activity) {
        Some((_, members)) => *members += 1,
        None => working.push((activity, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const REGION: Site = Site { codeptr: 9, function: 0 };
    const BARRIER: Place = Place { kind: 9, site: Site { codeptr: 1, function: 0 } };
    const LOOP: Activity = Activity { kind: ActivityKind::Work(1), site: Site { codeptr: 2, function: 0 } };
    const BODY: Activity = Activity { kind: ActivityKind::Body, site: Site { codeptr: 3, function: 0 } };
    const TASK: Activity = Activity { kind: ActivityKind::Task, site: Site { codeptr: 4, function: 0 } };

    /// A team whose members have begun at 0.
    fn team(members: u64) -> (Blame, Vec<Mode>, Waits) {
        let mut blame = Blame::new(members, 0);
        let mut waits = Waits::default();
        let modes = (0..members).map(|member| blame.begin(member, 0)).collect::<Vec<Mode>>();
        let begun = modes.into_iter().zip(0..).map(|(mut mode, member)| {
            blame.change(member, &mut mode, Next::Work(BODY), 0, REGION, &mut waits);
            mode
        });
        let modes = begun.collect();
        (blame, modes, waits)
    }

    #[test]
    fn the_last_to_arrive_is_charged() {
        let (mut blame, mut modes, mut waits) = team(3);
        let mut at =
            |member: usize, next, now| blame.change(member as u64, &mut modes[member], next, now, REGION, &mut waits);
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
        let mut at =
            |member: usize, next, now| blame.change(member as u64, &mut modes[member], next, now, REGION, &mut waits);
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
        let mut first = blame.begin(0, 0);
        blame.change(0, &mut first, Next::Wait(BARRIER), 5, REGION, &mut waits);
        let mut second = blame.begin(1, 25);
        blame.change(1, &mut second, Next::Work(BODY), 25, REGION, &mut waits);
        blame.change(1, &mut second, Next::Wait(BARRIER), 30, REGION, &mut waits);
        let waiting = &waits[&(REGION, BARRIER)];
        assert_eq!((waiting.ns, waiting.activities[&BEGINNING], waiting.activities[&BODY]), (25, 20.0, 5.0));
    }

    #[test]
    fn what_the_primary_thread_does_alone_is_told() {
        let (mut blame, mut modes, mut waits) = team(3);
        let mut at =
            |member: usize, next, now| blame.change(member as u64, &mut modes[member], next, now, REGION, &mut waits);
        at(1, Next::Wait(BARRIER), 10);
        at(2, Next::Wait(BARRIER), 30);
        at(0, Next::Wait(BARRIER), 100);
        (0..3).for_each(|member| at(member, Next::Work(BODY), 100));
        // The second time, the primary thread waits for the others.
        at(0, Next::Wait(BARRIER), 150);
        at(1, Next::Wait(BARRIER), 160);
        at(2, Next::Wait(BARRIER), 160);
        let waiting = &waits[&(REGION, BARRIER)];
        assert_eq!((waiting.episodes, waiting.ns, waiting.members), (2, 90 + 70 + 10, 3));
        // From 30 to 100, two wait for the primary thread.
        assert_eq!((waiting.alone_ns, waiting.first_ns, waiting.first_waits_ns), (140, 140, 10));
        assert_eq!((waiting.opening_ns, waiting.phase_ns), (160, 160));
    }

    proptest! {
        /// Whether the members are counted when one begins to wait, or all the time, makes no difference.
        #[test]
        fn counting_late_is_counting(steps in proptest::collection::vec((0u64..3, 0u8..6, 0u64..20), 1..100)) {
            let group = Place { kind: TASKGROUP, ..BARRIER };
            let nexts = [Next::Work(LOOP), Next::Work(BODY), Next::Work(TASK), Next::Wait(BARRIER), Next::Wait(group)];
            let play = |members: u64| {
                let mut blame = Blame { unborn: 3, ..Blame::new(members, 0) };
                let mut modes = [Mode::Out; 3];
                let (mut waits, mut now) = (Waits::default(), 0);
                for &(member, what, step) in &steps {
                    now += step;
                    let mode = &mut modes[member as usize];
                    match nexts.get(what as usize) {
                        _ if *mode == Mode::Out => *mode = blame.begin(member, now),
                        Some(next) => blame.change(member, mode, *next, now, REGION, &mut waits),
                        None => blame.change(member, mode, Next::Out, now, REGION, &mut waits),
                    }
                }
                let sums = waits.into_iter().map(|(at, Waiting { activities, members: _, .. })| (at, activities));
                sums.collect::<FxHashMap<_, _>>()
            };
            prop_assert_eq!(play(3), play(FEW + 1));
        }
    }

    #[test]
    fn one_thread_waits_for_nobody() {
        let (mut blame, mut modes, mut waits) = team(1);
        blame.change(0, &mut modes[0], Next::Wait(BARRIER), 10, REGION, &mut waits);
        blame.change(0, &mut modes[0], Next::Work(BODY), 50, REGION, &mut waits);
        assert!(waits.is_empty());
    }
}

//! The place of each thread of a team under a thread affinity policy: primary, close or spread (OpenMP 5.1 §2.6.2).

/// A run of places in the place list: the value of place-partition-var. No places: `count` is 0.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partition {
    /// Index of the first place.
    pub first: u32,
    pub count: u32,
}

/// Everything that the places of a team's threads depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fork {
    pub policy: Bind,
    /// The place of the thread that forks the team; 0 where the thread is unbound.
    pub primary_place: i32,
    /// The place partition of the task that forks the team.
    pub partition: Partition,
    pub nthreads: u32,
}

impl Fork {
    /// The place of a thread, and the place partition of its implicit task. Place -1 means that the thread is not
    /// bound: the policy is `False`, or there are no places.
    pub fn place_of(&self, tid: u32) -> (i32, Partition) {
        let partition = self.partition;
        if self.policy == Bind::False || partition.count == 0 {
            return (-1, partition);
        }
        let primary = offset_in(partition, self.primary_place);
        match self.policy {
            Bind::Primary => (self.place(primary), partition),
            Bind::Spread => self.spread(primary, tid),
            Bind::True => {
                let (place, part) = self.spread(primary, tid);
                // Otherwise all threads of an inner team would share the one place of the thread that forks the team.
                (place, if self.nthreads < partition.count { part } else { partition })
            }
            Bind::False | Bind::Close => (self.place(self.close(primary, tid)), partition),
        }
    }

    /// The place at an offset. An offset past the partition's end goes on at the beginning.
    fn place(&self, offset: u32) -> i32 {
        (self.partition.first + offset % self.partition.count) as i32
    }

    /// The offset of a thread's place under the policy close. `primary` is that of the primary thread's place.
    fn close(&self, primary: u32, tid: u32) -> u32 {
        let places = self.partition.count;
        if self.nthreads <= places {
            return primary + tid;
        }
        primary + part_of(tid, self.nthreads, places)
    }

    /// The place and the partition of a thread under the policy spread. The partition is cut into as many parts as
    /// there are threads. Each thread gets the first place of its part, and the primary thread stays at its place. With
    /// more threads than places, a part is one place, which threads share as under close.
    fn spread(&self, primary: u32, tid: u32) -> (i32, Partition) {
        let places = self.partition.count;
        if self.nthreads > places {
            let place = self.place(self.close(primary, tid));
            return (place, Partition { first: place as u32, count: 1 });
        }
        let nthreads = self.nthreads.max(1);
        let part = (part_of(primary, places, nthreads) + tid) % nthreads;
        let (first, count) = part_bounds(part, places, nthreads);
        let offset = if tid == 0 { primary } else { first };
        (self.place(offset), Partition { first: self.partition.first + first, count })
    }
}

/// The offset of a place in the partition; 0 for a place outside the partition.
fn offset_in(partition: Partition, place: i32) -> u32 {
    let offset = u32::try_from(place).ok().and_then(|place| place.checked_sub(partition.first));
    offset.filter(|&offset| offset < partition.count).unwrap_or(0)
}

/// The first item and the length of a part, where `items` are cut into `parts` runs. The remainder makes the first runs
/// one item longer.
fn part_bounds(part: u32, items: u32, parts: u32) -> (u32, u32) {
    let (short, longer) = (items / parts, items % parts);
    (part * short + part.min(longer), short + u32::from(part < longer))
}

/// The part in which an item lies; see [`part_bounds`].
fn part_of(item: u32, items: u32, parts: u32) -> u32 {
    let (short, longer) = (items / parts, items % parts);
    let in_longer = longer * (short + 1);
    if item < in_longer { item / (short + 1) } else { longer + (item - in_longer) / short }
}

/// An element of bind-var; the numbers are `omp_proc_bind_t`'s (OpenMP 5.1 §3.3.1).
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bind {
    /// Threads may move, and `proc_bind` clauses have no effect.
    False = 0,
    /// Threads are bound, in the way that the runtime chooses: mostly as by `Spread`, as on libomp (`layout::Order` has
    /// the exceptions). A team with fewer threads than places so has the caches and the memory channels of the whole
    /// machine. Members with neighbouring numbers, which meet in groups at barriers, are neighbours all the same.
    True = 1,
    Primary = 2,
    Close = 3,
    Spread = 4,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(policy: Bind, primary: i32, first: u32, count: u32, nthreads: u32) -> Vec<(i32, u32, u32)> {
        let fork = Fork { policy, primary_place: primary, partition: Partition { first, count }, nthreads };
        (0..nthreads)
            .map(|tid| {
                let (place, partition) = fork.place_of(tid);
                (place, partition.first, partition.count)
            })
            .collect()
    }

    fn places(policy: Bind, primary: i32, first: u32, count: u32, nthreads: u32) -> Vec<i32> {
        team(policy, primary, first, count, nthreads).into_iter().map(|(place, ..)| place).collect()
    }

    #[test]
    fn unbound() {
        assert_eq!(places(Bind::False, 2, 0, 8, 3), [-1, -1, -1]);
        assert_eq!(places(Bind::Close, -1, 0, 0, 2), [-1, -1]);
    }

    #[test]
    fn primary() {
        assert_eq!(team(Bind::Primary, 5, 4, 4, 3), [(5, 4, 4); 3]);
    }

    #[test]
    fn close_with_places_to_spare_wraps_around() {
        assert_eq!(places(Bind::Close, 6, 0, 8, 4), [6, 7, 0, 1]);
        assert_eq!(places(Bind::Close, 5, 4, 4, 4), [5, 6, 7, 4]);
        assert_eq!(places(Bind::Close, -1, 4, 4, 2), [4, 5]);
    }

    #[test]
    fn close_with_more_threads_than_places() {
        assert_eq!(places(Bind::Close, 0, 0, 8, 16), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]);
        assert_eq!(places(Bind::Close, 2, 0, 4, 6), [2, 2, 3, 3, 0, 1]);
    }

    #[test]
    fn spread_with_places_to_spare() {
        assert_eq!(team(Bind::Spread, 0, 0, 8, 4), [(0, 0, 2), (2, 2, 2), (4, 4, 2), (6, 6, 2)]);
        assert_eq!(team(Bind::Spread, 3, 0, 8, 4), [(3, 2, 2), (4, 4, 2), (6, 6, 2), (0, 0, 2)]);
        assert_eq!(team(Bind::Spread, 0, 0, 8, 3), [(0, 0, 3), (3, 3, 3), (6, 6, 2)]);
        assert_eq!(team(Bind::True, 3, 0, 8, 4), team(Bind::Spread, 3, 0, 8, 4));
        assert_eq!(team(Bind::True, 1, 0, 3, 3), [(1, 0, 3), (2, 0, 3), (0, 0, 3)]);
    }

    #[test]
    fn spread_with_more_threads_than_places() {
        assert_eq!(team(Bind::Spread, 1, 0, 2, 4), [(1, 1, 1), (1, 1, 1), (0, 0, 1), (0, 0, 1)]);
    }

    /// What the specification says of any team, tried for every small one.
    #[test]
    fn rules_hold_for_every_small_team() {
        for count in 1..=9u32 {
            for nthreads in 1..=20u32 {
                for primary in 0..count as i32 {
                    for policy in [Bind::Close, Bind::Spread] {
                        let team = team(policy, primary + 3, 3, count, nthreads);
                        assert_eq!(team[0].0, primary + 3, "the primary thread stays");
                        let mut load = vec![0u32; count as usize];
                        for &(place, first, len) in &team {
                            assert!((3..3 + count as i32).contains(&place));
                            assert!(len >= 1 && first >= 3 && first + len <= 3 + count);
                            assert!(place as u32 >= first && (place as u32) < first + len);
                            load[place as usize - 3] += 1;
                        }
                        let (least, most) = (*load.iter().min().unwrap(), *load.iter().max().unwrap());
                        assert!(least >= nthreads / count && most <= nthreads.div_ceil(count), "{load:?}");
                        if policy == Bind::Spread && nthreads <= count {
                            assert_eq!(team.iter().map(|t| t.2).sum::<u32>(), count, "the parts make up the whole");
                            assert!(team.iter().all(|t| t.2 >= count / nthreads));
                        }
                    }
                }
            }
        }
    }
}

//! Ranks that have more threads than CPUs. Which CPUs a rank has is told by where its threads were seen: what a
//! launcher binds, and what the runtime binds, shows there. Only ranks of one host have CPUs in common.

use super::found::{Found, RankFinding};
use super::numbers::named;
use super::rank::Rank;
use crate::findings::{Cause, Confidence};
use crate::units::duration;
use std::collections::{BTreeMap, BTreeSet};

/// The share of their work that threads wait for a CPU before that is worth a word, in percent.
const LEAST_PERCENT: u64 = 2;

/// Ranks of one host whose threads were seen on the same CPUs, directly or by way of others.
struct Group<'a> {
    ranks: Vec<&'a Rank>,
    cpus: BTreeSet<u64>,
}

impl Group<'_> {
    fn threads(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.threads).fold(0, u64::saturating_add)
    }

    fn sum(&self, part: fn(&Rank) -> u64) -> u64 {
        self.ranks.iter().map(|rank| part(rank)).fold(0, u64::saturating_add)
    }

    /// Whether there are more threads than CPUs, and the threads have lost time by that.
    fn is_crowded(&self) -> bool {
        let lost = u128::from(self.sum(|rank| rank.preempted_ns)) * 100;
        let least = u128::from(self.sum(|rank| rank.work_ns).max(1)) * u128::from(LEAST_PERCENT);
        self.threads() > self.cpus.len() as u64 && lost >= least
    }
}

/// Finds groups of ranks with more threads than CPUs. Groups that are alike are one finding.
pub fn find(ranks: &[Rank], found: &mut Vec<RankFinding>) {
    let mut hosts: BTreeMap<&str, Vec<&Rank>> = BTreeMap::new();
    for rank in ranks.iter().filter(|rank| !rank.cpus.is_empty()) {
        hosts.entry(&rank.host).or_default().push(rank);
    }
    let mut alike: BTreeMap<_, Vec<Group<'_>>> = BTreeMap::new();
    for here in hosts.values() {
        let groups = groups(here);
        let used: usize = groups.iter().map(|group| group.cpus.len()).sum();
        let online = here.iter().map(|rank| rank.cpus_online).max().unwrap_or(0);
        let free = u64::from(online).saturating_sub(used as u64);
        for group in groups.into_iter().filter(Group::is_crowded) {
            let shape = (group.ranks.len(), group.threads(), group.cpus.len(), free > 0);
            alike.entry(shape).or_default().push(group);
        }
    }
    found.extend(alike.into_values().map(|groups| finding(&groups, &hosts)));
}

/// The ranks of a host by the CPUs that they have in common.
fn groups<'a>(ranks: &[&'a Rank]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for &rank in ranks {
        let mut joined = Group { ranks: vec![rank], cpus: rank.cpus.iter().copied().collect() };
        let apart = std::mem::take(&mut groups).into_iter();
        let (with, without): (Vec<_>, Vec<_>) =
            apart.partition(|group| rank.cpus.iter().any(|cpu| group.cpus.contains(cpu)));
        for mut group in with {
            joined.ranks.append(&mut group.ranks);
            joined.cpus.append(&mut group.cpus);
        }
        groups = without;
        groups.push(joined);
    }
    for group in &mut groups {
        group.ranks.sort_by_key(|rank| rank.rank);
    }
    groups.sort_by_key(|group| group.ranks[0].rank);
    groups
}

/// One finding for groups of the same shape: none is empty.
fn finding(groups: &[Group<'_>], hosts: &BTreeMap<&str, Vec<&Rank>>) -> RankFinding {
    let first = &groups[0];
    let mut all: Vec<&Rank> = groups.iter().flat_map(|group| group.ranks.iter().copied()).collect();
    all.sort_by_key(|rank| rank.rank);
    let numbers: Vec<u32> = all.iter().map(|rank| rank.rank).collect();
    let (threads, cpus, host) = (first.threads(), first.cpus.len(), first.ranks[0].host.as_str());
    let on = format!("{threads} threads on {cpus} CPU{}", if cpus == 1 { "" } else { "s" });
    let sentence = match (first.ranks.len(), groups.len()) {
        (1, 1) => format!("{} on {host} has {on}", named(&numbers)),
        (1, _) => format!("each of the {} has {on}", named(&numbers)),
        (_, 1) => format!("{} on {host} have {on} together", named(&numbers)),
        (ranks, times) => format!("{times} times, {ranks} ranks of a host have {on} together"),
    };
    let online = hosts[host].iter().map(|rank| rank.cpus_online).max().unwrap_or(0);
    let crowd: u64 = hosts[host].iter().map(|rank| rank.threads).sum();
    let waited = all.iter().map(|rank| rank.preempted_ns).fold(0, u64::saturating_add);
    let seen: Vec<u32> = first.cpus.iter().map(|cpu| u32::try_from(*cpu).unwrap_or(u32::MAX)).collect();
    let evidence = vec![
        format!("threads waited {} for a CPU in all", duration(waited)),
        format!("those of rank {} and its neighbours were seen on CPU {}", numbers[0], super::numbers::text(&seen)),
        format!("{host} has {online} CPUs, and the ranks there have {crowd} threads"),
    ];
    let most = all.iter().map(|rank| rank.threads).max().unwrap_or(1);
    let advice = if u64::from(online) > cpus as u64 * groups_on(groups, host) {
        format!(
            "CPUs of its own for each rank: mpirun --map-by slot:PE={most} --bind-to core (Open MPI), \
             mpiexec -bind-to core:{most} (MPICH), srun --cpus-per-task={most}"
        )
    } else {
        "fewer ranks on a host (mpirun --map-by ppr:N:node, mpiexec -ppn N, srun --ntasks-per-node=N), or a smaller \
         OMP_NUM_THREADS"
            .to_owned()
    };
    let gain = |rank: &&Rank| (rank.rank, (rank.preempted_ns / rank.threads.max(1)).min(rank.time_ns()));
    let worst = Found {
        cause: Cause::RanksShareCpus,
        place: None,
        callers: None,
        sentence,
        evidence,
        advice,
        confidence: Confidence::Likely,
    };
    RankFinding { worst, gains: all.iter().map(gain).collect(), gain_ns: 0 }
}

fn groups_on(groups: &[Group<'_>], host: &str) -> u64 {
    groups.iter().filter(|group| group.ranks[0].host == host).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(number: u32, host: &str, cpus: &[u64]) -> Rank {
        Rank {
            rank: number,
            host: host.into(),
            threads: 2,
            end_ns: 100,
            cpus: cpus.to_vec(),
            cpus_online: 4,
            work_ns: 100,
            preempted_ns: 50,
            ..Rank::default()
        }
    }

    fn found(ranks: &[Rank]) -> Vec<RankFinding> {
        let mut found = Vec::new();
        find(ranks, &mut found);
        found
    }

    #[test]
    fn ranks_on_the_same_cpus_are_one_group() {
        let all = [rank(0, "a", &[0, 1]), rank(1, "a", &[1, 0]), rank(2, "a", &[2, 3]), rank(3, "b", &[0, 1])];
        let found = found(&all);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(found[0].ranks(), [0, 1]);
        assert_eq!(found[0].worst.sentence, "ranks 0, 1 on a have 4 threads on 2 CPUs together");
        assert_eq!(found[0].worst_rank(), (0, 25));
        assert!(found[0].worst.advice.contains("--map-by slot:PE=2 --bind-to core"), "{found:#?}");
    }

    #[test]
    fn a_rank_of_its_own_may_have_too_few_cpus() {
        let found = found(&[rank(0, "a", &[0]), rank(1, "a", &[1]), rank(2, "b", &[0])]);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(found[0].worst.sentence, "each of the ranks 0-2 has 2 threads on 1 CPU");
    }

    #[test]
    fn ranks_that_lose_nothing_are_no_finding() {
        let quiet = |number| Rank { preempted_ns: 1, ..rank(number, "a", &[0]) };
        assert_eq!(found(&[quiet(0), quiet(1)]), []);
        let unknown = Rank { cpus: Vec::new(), ..rank(0, "a", &[]) };
        assert_eq!(found(&[unknown]), []);
    }

    #[test]
    fn a_full_host_needs_fewer_threads() {
        let full = |number| Rank { cpus_online: 2, ..rank(number, "a", &[0, 1]) };
        let found = found(&[full(0), full(1)]);
        assert!(found[0].worst.advice.contains("OMP_NUM_THREADS"), "{found:#?}");
    }
}

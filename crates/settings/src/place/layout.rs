//! From a request and a machine to the place list: which CPUs make up each place, and the order of the places.

use super::kmp::{Granularity, KmpAffinity, Strategy};
use super::layer::{CoreAttribute, Grouping, Layer};
use super::spec::PlacesSpec;
use super::topology::Topology;
use std::collections::{BTreeMap, BTreeSet};

/// How threads find their places where neither a clause nor `OMP_PROC_BIND` names a policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// As under `spread`.
    Spread,
    /// As under `close`.
    Close,
    /// By the thread's number in the process: an offset is added, and the places are taken in turn.
    ByThread { offset: u32 },
    /// Evenly over these cores. A core is the list of its CPUs' places.
    Balanced { cores: Vec<Vec<u32>> },
}

/// The place list: a sorted list of CPUs a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub places: Vec<Vec<u32>>,
    pub order: Order,
    /// Requests that could not be met, and what was done instead; without the name of the variable.
    pub complaints: Vec<String>,
}

/// The places of `OMP_PLACES`, and those of `GOMP_CPU_AFFINITY` but for their order.
pub fn of_spec(spec: &PlacesSpec, topology: &Topology) -> Layout {
    let mut complaints = Vec::new();
    let places = match spec {
        PlacesSpec::Abstract { grouping, only, count, stride } => {
            let groups = match only {
                Some(only) => cores_with(*only, topology, &mut complaints),
                None => topology.grouped(*grouping, (Layer::Socket, "sockets"), &mut complaints),
            };
            let count = count.map_or(usize::MAX, |count| count as usize);
            groups.into_iter().step_by(*stride as usize).take(count).collect()
        }
        PlacesSpec::Explicit(wanted) => explicit(wanted, topology, &mut complaints),
    };
    Layout { places, order: Order::Spread, complaints }
}

fn cores_with(only: CoreAttribute, topology: &Topology, complaints: &mut Vec<String>) -> Vec<Vec<u32>> {
    let some = topology.filtered(|cpu| cpu.has(only));
    if some.cpus.is_empty() {
        complaints.push(String::from("this machine has no such cores; using all of its cores"));
        return topology.groups(Layer::Core);
    }
    some.groups(Layer::Core)
}

/// Places written out, without the CPUs that cannot be used.
fn explicit(wanted: &[Vec<u32>], topology: &Topology, complaints: &mut Vec<String>) -> Vec<Vec<u32>> {
    let usable = topology.numbers();
    let there = |cpu: &u32| usable.binary_search(cpu).is_ok();
    let mut left: Vec<Vec<u32>> = wanted.iter().map(|place| place.iter().copied().filter(there).collect()).collect();
    left.retain(|place| !place.is_empty());
    let missing = wanted.iter().flatten().copied().find(|cpu| !there(cpu));
    complain_of_missing(missing, if left.is_empty() { "using cores" } else { "using those that are" }, complaints);
    if left.is_empty() { topology.groups(Layer::Core) } else { left }
}

fn complain_of_missing(cpu: Option<u32>, instead: &str, complaints: &mut Vec<String>) {
    complaints.extend(cpu.map(|cpu| format!("CPU {cpu} is not available; {instead}")));
}

/// The places of `KMP_AFFINITY` with a type that binds.
pub fn of_kmp(affinity: &KmpAffinity, topology: &Topology) -> Layout {
    let mut complaints = Vec::new();
    let groups = Groups::new(affinity.granularity, topology, &mut complaints);
    let number = |index: usize| affinity.numbers.get(index).copied().unwrap_or(0);
    let coarser = topology.levels.len().saturating_sub(1);
    let threads_a_core = topology.most_within(Layer::Thread, Layer::Core);
    let (permute, offset) = match affinity.strategy {
        Some(Strategy::Scatter) => (coarser.saturating_sub(number(0) as usize), number(1)),
        Some(Strategy::Logical) => (0, number(0).wrapping_mul(threads_a_core as u32)),
        Some(Strategy::Physical) => (usize::from(threads_a_core > 1 && coarser > 0), number(0)),
        _ => ((number(0) as usize).min(coarser), number(1)),
    };
    let (places, order) = match affinity.strategy {
        Some(Strategy::Explicit) => {
            let wanted = affinity.processors.as_deref().unwrap_or(&[]);
            (groups.explicit(wanted, &mut complaints), Order::ByThread { offset: 0 })
        }
        Some(Strategy::Balanced) => groups.balanced(topology),
        _ => (groups.around(permuted(topology, permute), affinity.duplicates), Order::ByThread { offset }),
    };
    Layout { places, order, complaints }
}

/// The CPUs, sorted by their positions within their parents. The positions in the `permute` finest levels count first.
fn permuted(topology: &Topology, permute: usize) -> Vec<u32> {
    let levels = &topology.levels;
    let mut keyed: Vec<(Vec<usize>, u32)> = Vec::new();
    // By depth and parent, the groups met so far.
    let mut met: BTreeMap<(usize, u32), Vec<u32>> = BTreeMap::new();
    for cpu in &topology.cpus {
        let position = |depth: usize| {
            let parent = depth.checked_sub(1).map_or(0, |above| cpu.group(levels[above]));
            index_of(met.entry((depth, parent)).or_default(), cpu.group(levels[depth]))
        };
        let positions: Vec<usize> = (0..levels.len()).map(position).collect();
        let (coarse, fine) = positions.split_at(levels.len() - permute);
        keyed.push((fine.iter().rev().chain(coarse).copied().collect(), cpu.number));
    }
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    keyed.into_iter().map(|(_, cpu)| cpu).collect()
}

/// The index of an item in `met`. An item that is not there is added at the end.
pub fn index_of(met: &mut Vec<u32>, item: u32) -> usize {
    met.iter().position(|known| *known == item).unwrap_or_else(|| {
        met.push(item);
        met.len() - 1
    })
}

/// The groups of CPUs of one granularity.
struct Groups(Vec<Vec<u32>>);

impl Groups {
    fn new(granularity: Option<Granularity>, topology: &Topology, complaints: &mut Vec<String>) -> Groups {
        let grouping = match granularity {
            None => Grouping::Layer(Layer::Core),
            Some(Granularity::Of(grouping)) => grouping,
            Some(Granularity::Levels(levels)) => {
                let coarsest = topology.levels.len().saturating_sub(1);
                let level = coarsest.saturating_sub(levels as usize);
                Grouping::Layer(topology.levels.get(level).copied().unwrap_or(Layer::Thread))
            }
        };
        Groups(topology.grouped(grouping, (Layer::Core, "granularity=core"), complaints))
    }

    /// The index of the group around a CPU.
    fn around_one(&self, cpu: u32) -> Option<usize> {
        self.0.iter().position(|group| group.binary_search(&cpu).is_ok())
    }

    /// The group of each CPU. Without `duplicates`, each group comes once.
    fn around(&self, cpus: Vec<u32>, duplicates: bool) -> Vec<Vec<u32>> {
        let mut met = BTreeSet::new();
        let groups = cpus.into_iter().filter_map(|cpu| self.around_one(cpu));
        groups.filter(|group| met.insert(*group) || duplicates).map(|group| self.0[group].clone()).collect()
    }

    /// The places of a `proclist`: for each item the groups around its CPUs.
    fn explicit(&self, wanted: &[Vec<u32>], complaints: &mut Vec<String>) -> Vec<Vec<u32>> {
        let place = |item: &Vec<u32>| {
            let groups = item.iter().filter_map(|cpu| self.around_one(*cpu));
            let cpus: BTreeSet<u32> = groups.flat_map(|group| &self.0[group]).copied().collect();
            cpus.into_iter().collect()
        };
        let mut places: Vec<Vec<u32>> = wanted.iter().map(place).collect();
        places.retain(|place| !place.is_empty());
        let missing = wanted.iter().flatten().copied().find(|cpu| self.around_one(*cpu).is_none());
        let instead = if places.is_empty() { "threads are not bound" } else { "using those that are" };
        complain_of_missing(missing, instead, complaints);
        places
    }

    /// A place for each group, and for each core the places of its threads. Where no core has several threads but there
    /// are several sockets, the sockets take the place of cores.
    fn balanced(&self, topology: &Topology) -> (Vec<Vec<u32>>, Order) {
        let single = topology.most_within(Layer::Thread, Layer::Core) <= 1;
        let container = if single && topology.count(Layer::Socket) > 1 { Layer::Socket } else { Layer::Core };
        let place_of = |cpu: &u32| self.around_one(*cpu).map(|place| place as u32);
        let cores = topology.groups(container).iter().map(|cpus| cpus.iter().filter_map(place_of).collect()).collect();
        (self.0.clone(), Order::Balanced { cores })
    }
}

/// The place of thread `tid` of `nthreads` under [`Order::Balanced`]. Cores get threads one by one, cores with free
/// CPUs first, and threads with consecutive numbers go to the same core.
pub fn balanced_place(cores: &[Vec<u32>], nthreads: u32, tid: u32) -> Option<u32> {
    let largest = cores.iter().map(|core| core.len() as u32).max().unwrap_or(1).max(1);
    let mut loads = vec![0u32; cores.len()];
    let mut left = nthreads;
    let mut most = 1u32;
    let any = cores.iter().any(|core| !core.is_empty());
    while left > 0 && any {
        for (core, load) in cores.iter().zip(&mut loads) {
            // Each CPU gets one thread before any CPU gets two, and so on.
            let most_here = core.len() as u32 * most.div_ceil(largest);
            if left > 0 && *load < most_here.min(most) {
                *load += 1;
                left -= 1;
            }
        }
        most += 1;
    }
    let mut before = 0;
    for (core, load) in cores.iter().zip(loads) {
        if tid < before + load {
            return Some(core[((tid - before) as usize) % core.len()]);
        }
        before += load;
    }
    None
}

//! From a request and a machine to the place list: which CPUs make up each place, and the order of the places.

use super::kmp::{Granularity, KmpAffinity, Strategy};
use super::scan::CoreAttribute;
use super::spec::{Grouping, PlacesSpec};
use super::topology::{Layer, Topology};

/// How threads find their places where neither a clause nor `OMP_PROC_BIND` names a policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// As under `close`.
    Close,
    /// By the thread's number in the process, from an offset on, around and around.
    ByThread { offset: u32 },
    /// Evenly over these cores; each is a list of the places of its CPUs.
    Balanced { cores: Vec<Vec<u32>> },
}

/// The place list: a sorted list of CPUs a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub places: Vec<Vec<u32>>,
    pub order: Order,
    /// What could not be done as asked, and what was done instead; without the name of the variable.
    pub complaints: Vec<String>,
}

/// The places of `OMP_PLACES` or `GOMP_CPU_AFFINITY`.
pub fn of_spec(spec: &PlacesSpec, topology: &Topology) -> Layout {
    let mut complaints = Vec::new();
    let places = match spec {
        PlacesSpec::Abstract { grouping, only, count, stride } => {
            let groups = grouped(*grouping, *only, topology, &mut complaints);
            let count = count.map_or(usize::MAX, |count| count as usize);
            groups.into_iter().step_by(*stride as usize).take(count).collect()
        }
        PlacesSpec::Explicit(wanted) => explicit(wanted, topology, &mut complaints),
    };
    Layout { places, order: Order::Close, complaints }
}

fn grouped(
    grouping: Grouping,
    only: Option<CoreAttribute>,
    topology: &Topology,
    complaints: &mut Vec<String>,
) -> Vec<Vec<u32>> {
    if let Some(only) = only {
        let some = topology.filtered(|cpu| match only {
            CoreAttribute::Kind(kind) => cpu.kind == kind,
            CoreAttribute::Efficiency(efficiency) => cpu.efficiency == efficiency,
        });
        if !some.cpus().is_empty() {
            return some.groups(Layer::Core);
        }
        complaints.push(String::from("this machine has no such cores; using all of its cores"));
        return topology.groups(Layer::Core);
    }
    match grouping {
        Grouping::Layer(layer) if topology.knows(layer) => topology.groups(layer),
        Grouping::Layer(Layer::Numa) => topology.groups(Layer::Numa),
        Grouping::Layer(layer) => {
            complaints.push(format!("this machine tells of no {}; using sockets", layer.names().1));
            topology.groups(Layer::Socket)
        }
        Grouping::CoreKinds => topology.groups_by(|cpu| cpu.kind),
        Grouping::CoreEfficiencies => topology.groups_by(|cpu| cpu.efficiency),
    }
}

/// Places written out, without the CPUs that cannot be used.
fn explicit(wanted: &[Vec<u32>], topology: &Topology, complaints: &mut Vec<String>) -> Vec<Vec<u32>> {
    let mut usable: Vec<u32> = topology.cpus().iter().map(|cpu| cpu.number).collect();
    usable.sort_unstable();
    let there = |cpu: &u32| usable.binary_search(cpu).is_ok();
    let mut left: Vec<Vec<u32>> = wanted.iter().map(|place| place.iter().copied().filter(there).collect()).collect();
    left.retain(|place| !place.is_empty());
    let missing = wanted.iter().flatten().find(|cpu| !there(cpu));
    let nothing = left.is_empty();
    if let Some(cpu) = missing {
        let instead = if nothing { "cores" } else { "those that are" };
        complaints.push(format!("CPU {cpu} is not available; using {instead}"));
    }
    if nothing { topology.groups(Layer::Core) } else { left }
}

/// The places of `KMP_AFFINITY` with a type that binds.
pub fn of_kmp(affinity: &KmpAffinity, topology: &Topology) -> Layout {
    let mut complaints = Vec::new();
    let group = Groups::new(affinity.granularity, topology, &mut complaints);
    let number = |index: usize| affinity.numbers.get(index).copied().unwrap_or(0);
    let levels = topology.levels().len();
    let threads_a_core = topology.most_within(Layer::Thread, Layer::Core);
    let smt = usize::from(threads_a_core > 1 && levels > 1);
    let (permute, offset) = match affinity.strategy {
        Some(Strategy::Scatter) => (levels.saturating_sub(1).saturating_sub(number(0) as usize), number(1)),
        Some(Strategy::Logical) => (0, number(0).wrapping_mul(threads_a_core as u32)),
        Some(Strategy::Physical) => (smt, number(0)),
        _ => ((number(0) as usize).min(levels.saturating_sub(1)), number(1)),
    };
    let (places, order) = match affinity.strategy {
        Some(Strategy::Explicit) => {
            let wanted = affinity.processors.as_deref().unwrap_or(&[]);
            (group.explicit(wanted, &mut complaints), Order::ByThread { offset: 0 })
        }
        Some(Strategy::Balanced) => group.balanced(topology),
        _ => {
            let places = group.around(permuted(topology, permute), affinity.duplicates);
            (places, Order::ByThread { offset })
        }
    };
    Layout { places, order, complaints }
}

/// The CPUs, sorted by their position within their parents, of which the `permute` finest levels count first.
fn permuted(topology: &Topology, permute: usize) -> Vec<u32> {
    let levels = topology.levels();
    let mut positions: Vec<Vec<usize>> = vec![Vec::new(); topology.cpus().len()];
    for (depth, level) in levels.iter().enumerate() {
        let parent = |index: usize| match depth {
            0 => 0,
            _ => topology.cpus()[index].group(levels[depth - 1]),
        };
        let mut met: std::collections::BTreeMap<u32, Vec<u32>> = Default::default();
        for (index, cpu) in topology.cpus().iter().enumerate() {
            let siblings = met.entry(parent(index)).or_default();
            let group = cpu.group(*level);
            let position = siblings.iter().position(|known| *known == group).unwrap_or_else(|| {
                siblings.push(group);
                siblings.len() - 1
            });
            positions[index].push(position);
        }
    }
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by_key(|&index| {
        let (coarse, fine) = positions[index].split_at(levels.len() - permute);
        let key: Vec<usize> = fine.iter().rev().chain(coarse).copied().collect();
        (key, index)
    });
    order.into_iter().map(|index| topology.cpus()[index].number).collect()
}

/// The groups of CPUs of one granularity.
struct Groups {
    groups: Vec<Vec<u32>>,
}

impl Groups {
    fn new(granularity: Option<Granularity>, topology: &Topology, complaints: &mut Vec<String>) -> Groups {
        let grouping = match granularity {
            None => Grouping::Layer(Layer::Core),
            Some(Granularity::Of(grouping)) => grouping,
            Some(Granularity::Levels(levels)) => {
                let coarsest = topology.levels().len().saturating_sub(1);
                let level = coarsest.saturating_sub(levels as usize);
                Grouping::Layer(topology.levels().get(level).copied().unwrap_or(Layer::Thread))
            }
        };
        let groups = match grouping {
            Grouping::Layer(layer) if topology.knows(layer) || layer == Layer::Numa => topology.groups(layer),
            Grouping::Layer(layer) => {
                complaints.push(format!("this machine tells of no {}; using granularity=core", layer.names().1));
                topology.groups(Layer::Core)
            }
            Grouping::CoreKinds => topology.groups_by(|cpu| cpu.kind),
            Grouping::CoreEfficiencies => topology.groups_by(|cpu| cpu.efficiency),
        };
        Groups { groups }
    }

    fn around_one(&self, cpu: u32) -> Option<&Vec<u32>> {
        self.groups.iter().find(|group| group.binary_search(&cpu).is_ok())
    }

    /// The group of each CPU; only once each, if there are to be no `duplicates`.
    fn around(&self, cpus: Vec<u32>, duplicates: bool) -> Vec<Vec<u32>> {
        let mut places: Vec<Vec<u32>> = Vec::new();
        let mut met = std::collections::BTreeSet::new();
        for cpu in cpus {
            if let Some(group) = self.around_one(cpu)
                && (met.insert(group[0]) || duplicates)
            {
                places.push(group.clone());
            }
        }
        places
    }

    /// The places of a `proclist`: for each item the groups around its CPUs.
    fn explicit(&self, wanted: &[Vec<u32>], complaints: &mut Vec<String>) -> Vec<Vec<u32>> {
        let mut places = Vec::new();
        let mut missing = None;
        for item in wanted {
            let mut place = Vec::new();
            for &cpu in item {
                match self.around_one(cpu) {
                    Some(group) => place.extend_from_slice(group),
                    None => missing = missing.or(Some(cpu)),
                }
            }
            place.sort_unstable();
            place.dedup();
            if !place.is_empty() {
                places.push(place);
            }
        }
        if let Some(cpu) = missing {
            let instead = if places.is_empty() { "threads are not bound" } else { "using those that are" };
            complaints.push(format!("CPU {cpu} is not available; {instead}"));
        }
        places
    }

    /// Each group a place, and for each core the places of its threads. Where no core has several threads but there are
    /// several sockets, these stand for cores.
    fn balanced(&self, topology: &Topology) -> (Vec<Vec<u32>>, Order) {
        let single = topology.most_within(Layer::Thread, Layer::Core) <= 1;
        let container = if single && topology.count(Layer::Socket) > 1 { Layer::Socket } else { Layer::Core };
        let place_of =
            |cpu: &u32| self.groups.iter().position(|group| group.binary_search(cpu).is_ok()).map(|p| p as u32);
        let cores = topology.groups(container).iter().map(|cpus| cpus.iter().filter_map(place_of).collect()).collect();
        (self.groups.clone(), Order::Balanced { cores })
    }
}

/// The place of thread `tid` of `nthreads` under [`Order::Balanced`]: cores get threads one by one, those with free
/// CPUs first, and threads with consecutive numbers go to the same core.
pub fn balanced_place(cores: &[Vec<u32>], nthreads: u32, tid: u32) -> Option<u32> {
    let largest = cores.iter().map(|core| core.len() as u32).max().unwrap_or(1).max(1);
    let mut loads = vec![0u32; cores.len()];
    let mut left = nthreads;
    let mut most = 1u32;
    let any = cores.iter().any(|core| !core.is_empty());
    while left > 0 && any {
        for (core, load) in cores.iter().zip(&mut loads) {
            // Each CPU once, then each once more, …
            let room = core.len() as u32 * most.div_ceil(largest);
            if left > 0 && *load < room.min(most) {
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

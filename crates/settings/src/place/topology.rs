//! What the CPUs of a machine share, read from `/sys`: sockets, NUMA domains, dies, caches, modules (clusters of cores)
//! and cores. Also the kinds of cores. Where `/sys` is silent, the simplest machine is assumed: each CPU is a core, and
//! all CPUs are one socket and one domain.

use super::layer::{CoreAttribute, CoreKind, Grouping, LAYERS, Layer, Otherwise, ROWS};
use super::sysfs;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is known of one CPU.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cpu {
    pub number: u32,
    /// For each layer the smallest CPU of the group that this one belongs to.
    groups: [u32; LAYERS],
    pub kind: CoreKind,
    /// The kinds' order: 0 for the least capable cores, counted up.
    pub efficiency: u32,
}

impl Cpu {
    /// The name of the CPU's group in a layer.
    pub fn group(&self, layer: Layer) -> u32 {
        self.groups[layer as usize]
    }

    /// Whether the CPU's core has the attribute.
    pub fn has(&self, attribute: CoreAttribute) -> bool {
        match attribute {
            CoreAttribute::Kind(kind) => self.kind == kind,
            CoreAttribute::Efficiency(efficiency) => self.efficiency == efficiency,
        }
    }
}

/// The CPUs that a process may use, and what they share.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Sorted by the coarsest layer first and by number last, so that neighbours stand together.
    pub cpus: Vec<Cpu>,
    /// Which layers `/sys` describes. Sockets, cores and threads always count as described.
    known: [bool; LAYERS],
    /// The layers of the hierarchy that group the CPUs differently, the coarsest first.
    pub levels: Vec<Layer>,
}

/// The layers that every machine has.
const ALWAYS: [Layer; 3] = [Layer::Socket, Layer::Core, Layer::Thread];

impl Topology {
    /// Reads the topology of `available` CPUs under `root`.
    pub fn read(root: &Path, available: &[u32]) -> Topology {
        Topology::new(available, &Shared::read(root, available), &kinds(root, available))
    }

    /// A machine of which nothing is known: each CPU a core, all of them one socket.
    pub fn flat(available: &[u32]) -> Topology {
        Topology::new(available, &Shared::default(), &BTreeMap::new())
    }

    fn new(available: &[u32], shared: &Shared, kinds: &BTreeMap<u32, (CoreKind, u32)>) -> Topology {
        let described = |layer: usize| shared.0[layer].keys().any(|cpu| available.contains(cpu));
        let known = std::array::from_fn(|layer| ALWAYS.contains(&ROWS[layer].layer) || described(layer));
        let cpu = |&number: &u32| {
            let (kind, efficiency) = kinds.get(&number).copied().unwrap_or((CoreKind::Unknown, 0));
            let groups = std::array::from_fn(|index| shared.group(ROWS[index].layer, number));
            Cpu { number, groups, kind, efficiency }
        };
        Topology::sorted(available.iter().map(cpu).collect(), known)
    }

    fn sorted(cpus: Vec<Cpu>, known: [bool; LAYERS]) -> Topology {
        let mut topology = Topology { cpus, known, levels: Vec::new() };
        let known = Layer::hierarchy().filter(|layer| topology.knows(*layer));
        let mut order: Vec<(usize, Layer)> = known.map(|layer| (topology.count(layer), layer)).collect();
        // A layer with fewer groups is coarser. No fixed order would do: a NUMA domain may span sockets or lie within
        // one.
        order.sort();
        topology.cpus.sort_by_cached_key(|cpu| {
            let groups: Vec<u32> = order.iter().map(|(_, layer)| cpu.group(*layer)).collect();
            (groups, cpu.number)
        });
        for (_, layer) in order {
            match topology.levels.iter_mut().find(|level| alike(&topology.cpus, **level, layer)) {
                Some(level) if layer.row().preference > level.row().preference => *level = layer,
                Some(_) => {}
                None => topology.levels.push(layer),
            }
        }
        // A domain around several sockets is no level of its own.
        if topology.levels.len() > 1 && topology.levels[0] == Layer::Numa && topology.count(Layer::Numa) == 1 {
            topology.levels.remove(0);
        }
        topology
    }

    /// The same machine with only some of its CPUs.
    pub fn filtered(&self, keep: impl Fn(&Cpu) -> bool) -> Topology {
        Topology::sorted(self.cpus.iter().filter(|cpu| keep(cpu)).cloned().collect(), self.known)
    }

    /// The numbers of the CPUs, ascending.
    pub fn numbers(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.cpus.iter().map(|cpu| cpu.number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Whether `/sys` describes this layer.
    pub fn knows(&self, layer: Layer) -> bool {
        self.known[layer as usize]
    }

    /// Whether there are cores of several kinds.
    pub fn is_hybrid(&self) -> bool {
        self.cpus.iter().any(|cpu| (cpu.kind, cpu.efficiency) != (self.cpus[0].kind, self.cpus[0].efficiency))
    }

    /// How many groups of a layer there are.
    pub fn count(&self, layer: Layer) -> usize {
        self.cpus.iter().map(|cpu| cpu.group(layer)).collect::<BTreeSet<u32>>().len()
    }

    /// The most groups of `layer` that one group of `above` holds.
    pub fn most_within(&self, layer: Layer, above: Layer) -> usize {
        let mut within: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for cpu in &self.cpus {
            within.entry(cpu.group(above)).or_default().insert(cpu.group(layer));
        }
        within.values().map(BTreeSet::len).max().unwrap_or(0)
    }

    /// The CPUs of each group of this layer, neighbouring groups beside each other.
    pub fn groups(&self, layer: Layer) -> Vec<Vec<u32>> {
        self.groups_by(|cpu| cpu.group(layer))
    }

    /// The groups of a grouping. Where `/sys` does not describe the layer, the groups of `instead`, and a complaint. A
    /// NUMA domain that is not described is the whole machine.
    pub fn grouped(&self, grouping: Grouping, instead: (Layer, &str), complaints: &mut Vec<String>) -> Vec<Vec<u32>> {
        match grouping {
            Grouping::Layer(layer) if self.knows(layer) || layer == Layer::Numa => self.groups(layer),
            Grouping::Layer(layer) => {
                complaints.push(format!("this machine tells of no {}; using {}", layer.row().names.1, instead.1));
                self.groups(instead.0)
            }
            Grouping::CoreKinds => self.groups_by(|cpu| cpu.kind),
            Grouping::CoreEfficiencies => self.groups_by(|cpu| cpu.efficiency),
        }
    }

    /// The CPUs by a property, in the order in which the property's values first appear.
    fn groups_by<K: Ord>(&self, property: impl Fn(&Cpu) -> K) -> Vec<Vec<u32>> {
        let mut indices = BTreeMap::new();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for cpu in &self.cpus {
            let index = *indices.entry(property(cpu)).or_insert(groups.len());
            groups.resize(groups.len().max(index + 1), Vec::new());
            groups[index].push(cpu.number);
        }
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups
    }

    /// The machine in a line: `2 sockets x 4 cores/socket x 2 threads/core (8 cores)`. Of counts that differ, the line
    /// has the largest.
    pub fn describe(&self) -> String {
        let mut levels: Vec<Layer> = self.levels.clone();
        levels.extend(ALWAYS.iter().filter(|layer| !self.levels.contains(layer)));
        levels.sort_by_key(|layer| (self.count(*layer), *layer));
        let mut parts = vec![levels[0].counted(self.count(levels[0]))];
        for pair in levels.windows(2) {
            let (above, layer) = (pair[0], pair[1]);
            parts.push(format!("{}/{}", layer.counted(self.most_within(layer, above)), above.row().names.0));
        }
        format!("{} ({})", parts.join(" x "), Layer::Core.counted(self.count(Layer::Core)))
    }
}

/// Whether two layers group the CPUs in the same way.
fn alike(cpus: &[Cpu], a: Layer, b: Layer) -> bool {
    let (mut to, mut from) = (BTreeMap::new(), BTreeMap::new());
    cpus.iter().all(|cpu| {
        let (a, b) = (cpu.group(a), cpu.group(b));
        *to.entry(a).or_insert(b) == b && *from.entry(b).or_insert(a) == a
    })
}

/// For each layer, the group of each CPU that `/sys` describes.
#[derive(Default)]
struct Shared([BTreeMap<u32, u32>; LAYERS]);

impl Shared {
    fn read(root: &Path, available: &[u32]) -> Shared {
        let mut shared = Shared::default();
        for &cpu in available {
            let folder = sysfs::cpu_folder(root, cpu);
            let topology = folder.join("topology");
            for row in ROWS {
                // One list describes the group of all its members.
                let groups = &mut shared.0[row.layer as usize];
                if !groups.contains_key(&cpu)
                    && let Some(cpus) = row.files.iter().find_map(|file| sysfs::list(&topology.join(file)))
                {
                    let first = cpus.iter().copied().min().unwrap_or(cpu);
                    for member in cpus {
                        groups.entry(member).or_insert(first);
                    }
                    groups.insert(cpu, first);
                }
            }
            shared.read_caches(&folder, cpu);
        }
        for (domain, folder) in sysfs::numbered(&root.join("sys/devices/system/node"), "node") {
            for cpu in sysfs::list(&folder.join("cpulist")).unwrap_or_default() {
                shared.0[Layer::Numa as usize].insert(cpu, domain);
            }
        }
        shared
    }

    fn read_caches(&mut self, folder: &Path, cpu: u32) {
        let mut highest = 1;
        for cache in sysfs::numbered(&folder.join("cache"), "index").values() {
            let Some(level) = sysfs::number(&cache.join("level")) else { continue };
            let Some(cpus) = sysfs::list(&cache.join("shared_cpu_list")) else { continue };
            let first = cpus.iter().copied().min().unwrap_or(cpu);
            if let Some(layer) = Layer::of_cache(level) {
                self.0[layer as usize].insert(cpu, first);
            }
            if level >= highest {
                highest = level;
                self.0[Layer::LastLevelCache as usize].insert(cpu, first);
            }
        }
    }

    /// The group of a CPU in a layer; if `/sys` does not describe the group, the substitute that the layer's row names.
    fn group(&self, layer: Layer, cpu: u32) -> u32 {
        match (self.0[layer as usize].get(&cpu), layer.row().otherwise) {
            (Some(group), _) => *group,
            (None, Otherwise::One) => 0,
            (None, Otherwise::Each) => cpu,
            (None, Otherwise::As(other)) => self.group(other, cpu),
        }
    }
}

/// The kinds of the CPUs' cores on a hybrid machine, and each kind's rank by capability. Intel's kinds differ in the
/// performance counters that they have, others in `cpu_capacity`.
fn kinds(root: &Path, available: &[u32]) -> BTreeMap<u32, (CoreKind, u32)> {
    let mut kinds = BTreeMap::new();
    let folders =
        [("cpu_lowpower", CoreKind::IntelAtom), ("cpu_atom", CoreKind::IntelAtom), ("cpu_core", CoreKind::IntelCore)];
    for ((folder, kind), capability) in folders.into_iter().zip(0..) {
        for cpu in sysfs::list(&root.join("sys/devices").join(folder).join("cpus")).unwrap_or_default() {
            kinds.insert(cpu, (kind, capability));
        }
    }
    if kinds.is_empty() {
        let capacity = |cpu| sysfs::number(&sysfs::cpu_folder(root, cpu).join("cpu_capacity"));
        let known = available.iter().filter_map(|&cpu| Some((cpu, (CoreKind::Unknown, capacity(cpu)?))));
        kinds.extend(known);
    }
    let capabilities: BTreeSet<u32> = kinds.values().map(|(_, capability)| *capability).collect();
    for (_, capability) in kinds.values_mut() {
        *capability = capabilities.range(..*capability).count() as u32;
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::testing::Root;

    fn all(count: u32) -> Vec<u32> {
        (0..count).collect()
    }

    #[test]
    fn groups_of_two_sockets() {
        let root = Root::two_sockets();
        let topology = Topology::read(root.path(), &all(8));
        assert_eq!(topology.groups(Layer::Socket), [[0, 1, 4, 5], [2, 3, 6, 7]]);
        assert_eq!(topology.groups(Layer::LastLevelCache), [[0, 1, 4, 5], [2, 3, 6, 7]]);
        assert_eq!(topology.groups(Layer::Core), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(topology.groups(Layer::Thread), [[0], [4], [1], [5], [2], [6], [3], [7]]);
        assert_eq!(topology.groups(Layer::Numa), [[0, 1, 2, 3, 4, 5, 6, 7]]);
        assert_eq!(topology.levels, [Layer::Socket, Layer::Core, Layer::Thread]);
        assert!(!topology.is_hybrid());
    }

    #[test]
    fn two_sockets_of_two_domains() {
        let root = Root::two_by_two();
        let topology = Topology::read(root.path(), &all(32));
        assert_eq!(topology.levels, [Layer::Socket, Layer::Numa, Layer::Core, Layer::Thread]);
        assert_eq!(topology.groups(Layer::Numa)[1], [4, 5, 6, 7, 20, 21, 22, 23]);
        assert_eq!(topology.groups(Layer::Die), topology.groups(Layer::Socket));
        let line = "2 sockets x 2 NUMA domains/socket x 4 cores/NUMA domain x 2 threads/core (16 cores)";
        assert_eq!(topology.describe(), line);
    }

    #[test]
    fn cpus_that_are_off_are_not_there() {
        let root = Root::two_by_two();
        let available: Vec<u32> = (0..32).filter(|cpu| ![3, 8, 9, 10, 11, 24, 25, 26, 27].contains(cpu)).collect();
        let topology = Topology::read(root.path(), &available);
        assert_eq!(topology.count(Layer::Core), 12);
        assert_eq!(topology.groups(Layer::Core)[3], [19]);
        assert_eq!(topology.groups(Layer::Numa).len(), 3);
    }

    #[test]
    fn only_available_cpus_count() {
        let root = Root::two_sockets();
        let topology = Topology::read(root.path(), &[1, 4, 6]);
        assert_eq!(topology.groups(Layer::Core), [[4], [1], [6]]);
        assert_eq!(topology.groups(Layer::Socket), [vec![1, 4], vec![6]]);
    }

    #[test]
    fn many_last_level_caches() {
        let root = Root::many_caches();
        let topology = Topology::read(root.path(), &all(16));
        assert_eq!(topology.count(Layer::LastLevelCache), 8);
        assert_eq!(topology.groups(Layer::LastLevelCache)[3], [6, 7]);
        assert_eq!(topology.levels, [Layer::Socket, Layer::Numa, Layer::Die, Layer::L3, Layer::Core]);
    }

    #[test]
    fn hybrid_machines() {
        let root = Root::hybrid();
        let topology = Topology::read(root.path(), &all(8));
        assert!(topology.is_hybrid());
        assert_eq!(topology.groups(Layer::Module), [vec![0, 1], vec![2, 3], vec![4, 5, 6, 7]]);
        assert_eq!(topology.groups_by(|cpu| cpu.kind), [[0, 1, 2, 3], [4, 5, 6, 7]]);
        assert_eq!(topology.cpus.iter().map(|cpu| cpu.efficiency).collect::<Vec<_>>(), [1, 1, 1, 1, 0, 0, 0, 0]);
        assert!(!topology.filtered(|cpu| cpu.number < 4).is_hybrid());
    }

    #[test]
    fn capacities_tell_kinds_of_cores_too() {
        let root = Root::empty();
        for (cpu, capacity) in [446, 446, 1024, 871].iter().enumerate() {
            root.file(&format!("sys/devices/system/cpu/cpu{cpu}/cpu_capacity"), &format!("{capacity}\n"));
        }
        let topology = Topology::read(root.path(), &all(4));
        assert_eq!(topology.cpus.iter().map(|cpu| cpu.efficiency).collect::<Vec<_>>(), [0, 0, 2, 1]);
        assert!(topology.is_hybrid());
    }

    #[test]
    fn an_older_kernel_has_other_names() {
        let root = Root::empty();
        root.shared(2, "topology/thread_siblings_list", |_| 0);
        root.shared(2, "topology/core_siblings_list", |_| 0);
        assert_eq!(Topology::read(root.path(), &[0, 1]).groups(Layer::Core), [[0, 1]]);
    }

    #[test]
    fn an_empty_sys() {
        let root = Root::empty();
        let topology = Topology::read(root.path(), &[0, 1, 2]);
        assert_eq!(topology.groups(Layer::Core), [[0], [1], [2]]);
        assert_eq!(topology.groups(Layer::Socket), [[0, 1, 2]]);
        assert_eq!(topology.groups(Layer::Numa), [[0, 1, 2]]);
        assert!(!topology.knows(Layer::LastLevelCache) && topology.knows(Layer::Core));
        assert_eq!(topology.describe(), "1 socket x 3 cores/socket x 1 thread/core (3 cores)");
        assert_eq!(Topology::flat(&[0, 1, 2]).describe(), topology.describe());
    }

    #[test]
    fn a_machine_of_1024_cpus() {
        let root = Root::empty();
        root.shared(1024, "topology/core_cpus_list", |cpu| cpu % 512);
        root.shared(1024, "topology/package_cpus_list", |cpu| cpu % 512 / 64);
        let topology = Topology::read(root.path(), &all(1024));
        assert_eq!(topology.count(Layer::Core), 512);
        assert_eq!(topology.count(Layer::Socket), 8);
        assert_eq!(topology.groups(Layer::Core)[511], [511, 1023]);
    }

    #[test]
    fn contradictory_files_do_no_harm() {
        let root = Root::empty();
        root.file("sys/devices/system/cpu/cpu0/topology/core_cpus_list", "5-7\n");
        root.file("sys/devices/system/cpu/cpu1/topology/core_cpus_list", "0-1\n");
        root.file("sys/devices/system/cpu/cpu1/cache/index0/level", "x\n");
        root.file("sys/devices/system/cpu/cpu1/cache/index1/level", "99\n");
        root.file("sys/devices/system/cpu/cpu1/cache/index1/shared_cpu_list", "9\n");
        let topology = Topology::read(root.path(), &[0, 1]);
        assert_eq!(topology.groups(Layer::Thread).len(), 2);
        assert!(!topology.describe().is_empty());
    }
}

//! What the CPUs of a machine share, read from `/sys`: sockets, NUMA domains, dies, caches, modules (clusters of
//! cores), cores; and what kinds of cores there are. What a kernel does not say is taken to be the simplest: each CPU a
//! core, all of them one socket, one domain.

use std::collections::BTreeMap;
use std::path::Path;

use super::layer::LAYERS;
pub use super::layer::Layer;
use super::sysfs;

/// What kind of core a CPU belongs to, on machines with several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CoreKind {
    /// `/sys` tells of no kinds.
    Unknown,
    IntelAtom,
    IntelCore,
}

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
    /// Names the group of a layer that this CPU belongs to.
    pub fn group(&self, layer: Layer) -> u32 {
        self.groups[layer as usize]
    }
}

/// The CPUs that a process may use, and what they share.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Neighbours stand together: sorted by the coarsest layer first, at last by number.
    cpus: Vec<Cpu>,
    /// Which layers `/sys` tells of. Sockets, cores and threads always count as told of.
    known: [bool; LAYERS],
    /// The layers of the hierarchy that differ, the coarsest first.
    levels: Vec<Layer>,
}

impl Topology {
    /// Reads the topology of `available` CPUs under `root`.
    pub fn read(root: &Path, available: &[u32]) -> Topology {
        let mut shared = Shared::read(root, available);
        let kinds = Kinds::read(root, available);
        let mut known = [false; LAYERS];
        for layer in Layer::hierarchy().chain([Layer::LastLevelCache]) {
            known[layer as usize] = shared.groups[layer as usize].keys().any(|cpu| available.contains(cpu));
        }
        known[Layer::Socket as usize] = true;
        known[Layer::Core as usize] = true;
        known[Layer::Thread as usize] = true;
        let cpus = available.iter().map(|&cpu| shared.cpu(cpu, &kinds)).collect();
        Topology::sorted(cpus, known)
    }

    /// A machine of which nothing is known: each CPU a core, all of them one socket.
    pub fn flat(available: &[u32]) -> Topology {
        let mut known = [false; LAYERS];
        for layer in [Layer::Socket, Layer::Core, Layer::Thread] {
            known[layer as usize] = true;
        }
        let mut shared = Shared { groups: Default::default() };
        let cpus = available.iter().map(|&cpu| shared.cpu(cpu, &Kinds::default())).collect();
        Topology::sorted(cpus, known)
    }

    fn sorted(cpus: Vec<Cpu>, known: [bool; LAYERS]) -> Topology {
        let mut topology = Topology { cpus, known, levels: Vec::new() };
        let mut order: Vec<(usize, Layer)> = Layer::hierarchy()
            .filter(|layer| known[*layer as usize])
            .map(|layer| (topology.count(layer), layer))
            .collect();
        // Fewer groups are coarser ones; a NUMA domain may span sockets or lie within one.
        order.sort();
        topology.cpus.sort_by_cached_key(|cpu| {
            let groups: Vec<u32> = order.iter().map(|(_, layer)| cpu.group(*layer)).collect();
            (groups, cpu.number)
        });
        for (_, layer) in order {
            match topology.levels.iter_mut().find(|level| alike(&topology.cpus, **level, layer)) {
                Some(level) if layer.preference() > level.preference() => *level = layer,
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

    /// The same machine with some of its CPUs only.
    pub fn filtered(&self, keep: impl Fn(&Cpu) -> bool) -> Topology {
        Topology::sorted(self.cpus.iter().filter(|cpu| keep(cpu)).cloned().collect(), self.known)
    }

    /// The CPUs, neighbours beside each other.
    pub fn cpus(&self) -> &[Cpu] {
        &self.cpus
    }

    /// Whether `/sys` tells of this layer.
    pub fn knows(&self, layer: Layer) -> bool {
        self.known[layer as usize]
    }

    /// The layers that group the CPUs differently, the coarsest first.
    pub fn levels(&self) -> &[Layer] {
        &self.levels
    }

    /// Whether there are cores of several kinds.
    pub fn is_hybrid(&self) -> bool {
        self.cpus.iter().any(|cpu| (cpu.kind, cpu.efficiency) != (self.cpus[0].kind, self.cpus[0].efficiency))
    }

    /// How many groups of a layer there are.
    pub fn count(&self, layer: Layer) -> usize {
        let mut groups: Vec<u32> = self.cpus.iter().map(|cpu| cpu.group(layer)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups.len()
    }

    /// The CPUs of each group of this layer, neighbouring groups beside each other.
    pub fn groups(&self, layer: Layer) -> Vec<Vec<u32>> {
        self.groups_by(|cpu| cpu.group(layer))
    }

    /// The CPUs by a property, in the order in which its values first appear.
    pub fn groups_by<K: Ord>(&self, property: impl Fn(&Cpu) -> K) -> Vec<Vec<u32>> {
        let mut indices = BTreeMap::new();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for cpu in &self.cpus {
            let index = *indices.entry(property(cpu)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[index].push(cpu.number);
        }
        for group in &mut groups {
            group.sort_unstable();
        }
        groups
    }

    /// The machine in a line: `2 sockets x 4 cores/socket x 2 threads/core (8 cores)`. Counts that differ are given as
    /// the largest.
    pub fn describe(&self) -> String {
        let mut levels: Vec<Layer> = self.levels.clone();
        for always in [Layer::Socket, Layer::Core, Layer::Thread] {
            if !levels.contains(&always) {
                levels.push(always);
            }
        }
        levels.sort_by_key(|layer| (self.count(*layer), *layer));
        let mut parts = Vec::new();
        for (index, &layer) in levels.iter().enumerate() {
            let (one, many) = layer.names();
            if index == 0 {
                let count = self.count(layer);
                parts.push(format!("{count} {}", if count == 1 { one } else { many }));
                continue;
            }
            let above = levels[index - 1];
            let most = self.most_within(layer, above);
            parts.push(format!("{most} {}/{}", if most == 1 { one } else { many }, above.names().0));
        }
        let cores = self.count(Layer::Core);
        format!("{} ({cores} {})", parts.join(" x "), if cores == 1 { "core" } else { "cores" })
    }

    /// The most groups of `layer` that one group of `above` holds.
    pub fn most_within(&self, layer: Layer, above: Layer) -> usize {
        let mut pairs: Vec<(u32, u32)> = self.cpus.iter().map(|cpu| (cpu.group(above), cpu.group(layer))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len).max().unwrap_or(0)
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

/// For each layer, the group of each CPU of which `/sys` tells it.
struct Shared {
    groups: [BTreeMap<u32, u32>; LAYERS],
}

impl Shared {
    fn read(root: &Path, available: &[u32]) -> Shared {
        let mut shared = Shared { groups: Default::default() };
        for &cpu in available {
            let folder = sysfs::cpu_folder(root, cpu);
            let topology = folder.join("topology");
            for (layer, files) in [
                (Layer::Socket, ["package_cpus_list", "core_siblings_list"].as_slice()),
                (Layer::Die, &["die_cpus_list"]),
                (Layer::Module, &["cluster_cpus_list"]),
                (Layer::Core, &["core_cpus_list", "thread_siblings_list"]),
            ] {
                // One list tells of all who share.
                if !shared.groups[layer as usize].contains_key(&cpu)
                    && let Some(cpus) = files.iter().find_map(|file| sysfs::list(&topology.join(file)))
                {
                    shared.note(layer, cpu, &cpus);
                }
            }
            shared.read_caches(&folder, cpu);
        }
        for (domain, folder) in sysfs::numbered(&root.join("sys/devices/system/node"), "node") {
            for cpu in sysfs::list(&folder.join("cpulist")).unwrap_or_default() {
                shared.groups[Layer::Numa as usize].insert(cpu, domain);
            }
        }
        shared
    }

    /// Notes that `cpus` share something, `cpu` at least among them.
    fn note(&mut self, layer: Layer, cpu: u32, cpus: &[u32]) {
        let first = cpus.iter().copied().min().unwrap_or(cpu);
        let groups = &mut self.groups[layer as usize];
        for &member in cpus {
            groups.entry(member).or_insert(first);
        }
        groups.insert(cpu, first);
    }

    fn read_caches(&mut self, folder: &Path, cpu: u32) {
        let mut highest = (0, cpu);
        for cache in sysfs::numbered(&folder.join("cache"), "index").values() {
            let Some(level) = sysfs::number(&cache.join("level")) else { continue };
            let Some(cpus) = sysfs::list(&cache.join("shared_cpu_list")) else { continue };
            let first = cpus.iter().copied().min().unwrap_or(cpu);
            let layer = match level {
                1 => Some(Layer::L1),
                2 => Some(Layer::L2),
                3 => Some(Layer::L3),
                _ => None,
            };
            if let Some(layer) = layer {
                self.groups[layer as usize].insert(cpu, first);
            }
            if level >= highest.0 {
                highest = (level, first);
            }
        }
        if highest.0 > 0 {
            self.groups[Layer::LastLevelCache as usize].insert(cpu, highest.1);
        }
    }

    /// Everything about one CPU; what is not told is derived from what is.
    fn cpu(&mut self, number: u32, kinds: &Kinds) -> Cpu {
        let told = |layer: Layer| self.groups[layer as usize].get(&number).copied();
        let socket = told(Layer::Socket).unwrap_or(0);
        let core = told(Layer::Core).unwrap_or(number);
        let last = told(Layer::LastLevelCache).unwrap_or(socket);
        let mut groups = [0; LAYERS];
        for (layer, group) in [
            (Layer::Socket, socket),
            (Layer::Numa, told(Layer::Numa).unwrap_or(0)),
            (Layer::Die, told(Layer::Die).unwrap_or(socket)),
            (Layer::L3, told(Layer::L3).unwrap_or(last)),
            (Layer::Module, told(Layer::Module).unwrap_or(core)),
            (Layer::L2, told(Layer::L2).unwrap_or(core)),
            (Layer::L1, told(Layer::L1).unwrap_or(core)),
            (Layer::Core, core),
            (Layer::Thread, number),
            (Layer::LastLevelCache, last),
        ] {
            groups[layer as usize] = group;
        }
        let (kind, efficiency) = kinds.of(number);
        Cpu { number, groups, kind, efficiency }
    }
}

/// The kinds of cores of a hybrid machine.
#[derive(Default)]
struct Kinds {
    kinds: BTreeMap<u32, CoreKind>,
    efficiencies: BTreeMap<u32, u32>,
}

impl Kinds {
    /// Intel's kinds are told apart by the performance counters that they have, others by `cpu_capacity`.
    fn read(root: &Path, available: &[u32]) -> Kinds {
        let mut kinds = Kinds::default();
        let mut capable = BTreeMap::new();
        for (folder, kind, capability) in [
            ("cpu_lowpower", CoreKind::IntelAtom, 0),
            ("cpu_atom", CoreKind::IntelAtom, 1),
            ("cpu_core", CoreKind::IntelCore, 2),
        ] {
            for cpu in sysfs::list(&root.join("sys/devices").join(folder).join("cpus")).unwrap_or_default() {
                kinds.kinds.insert(cpu, kind);
                capable.insert(cpu, capability);
            }
        }
        if capable.is_empty() {
            for &cpu in available {
                if let Some(capacity) = sysfs::number(&sysfs::cpu_folder(root, cpu).join("cpu_capacity")) {
                    capable.insert(cpu, capacity);
                }
            }
        }
        let mut values: Vec<u32> = capable.values().copied().collect();
        values.sort_unstable();
        values.dedup();
        kinds.efficiencies = capable
            .into_iter()
            .map(|(cpu, capability)| (cpu, values.partition_point(|v| *v < capability) as u32))
            .collect();
        kinds
    }

    fn of(&self, cpu: u32) -> (CoreKind, u32) {
        let kind = self.kinds.get(&cpu).copied().unwrap_or(CoreKind::Unknown);
        (kind, self.efficiencies.get(&cpu).copied().unwrap_or(0))
    }
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
        assert_eq!(topology.levels(), [Layer::Socket, Layer::Core, Layer::Thread]);
        assert!(!topology.is_hybrid());
    }

    #[test]
    fn two_sockets_of_two_domains() {
        let root = Root::two_by_two();
        let topology = Topology::read(root.path(), &all(32));
        assert_eq!(topology.levels(), [Layer::Socket, Layer::Numa, Layer::Core, Layer::Thread]);
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
        assert_eq!(topology.levels(), [Layer::Socket, Layer::Numa, Layer::Die, Layer::L3, Layer::Core]);
    }

    #[test]
    fn hybrid_machines() {
        let root = Root::hybrid();
        let topology = Topology::read(root.path(), &all(8));
        assert!(topology.is_hybrid());
        assert_eq!(topology.groups(Layer::Module), [vec![0, 1], vec![2, 3], vec![4, 5, 6, 7]]);
        assert_eq!(topology.groups_by(|cpu| cpu.kind), [[0, 1, 2, 3], [4, 5, 6, 7]]);
        assert_eq!(topology.cpus().iter().map(|cpu| cpu.efficiency).collect::<Vec<_>>(), [1, 1, 1, 1, 0, 0, 0, 0]);
        assert!(!topology.filtered(|cpu| cpu.number < 4).is_hybrid());
    }

    #[test]
    fn capacities_tell_kinds_of_cores_too() {
        let root = Root::new();
        for (cpu, capacity) in [446, 446, 1024, 871].iter().enumerate() {
            root.file(&format!("sys/devices/system/cpu/cpu{cpu}/cpu_capacity"), &format!("{capacity}\n"));
        }
        let topology = Topology::read(root.path(), &all(4));
        assert_eq!(topology.cpus().iter().map(|cpu| cpu.efficiency).collect::<Vec<_>>(), [0, 0, 2, 1]);
        assert!(topology.is_hybrid());
    }

    #[test]
    fn an_older_kernel_has_other_names() {
        let root = Root::new();
        root.shared(2, "topology/thread_siblings_list", |_| 0);
        root.shared(2, "topology/core_siblings_list", |_| 0);
        assert_eq!(Topology::read(root.path(), &[0, 1]).groups(Layer::Core), [[0, 1]]);
    }

    #[test]
    fn an_empty_sys() {
        let root = Root::new();
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
        let root = Root::new();
        root.shared(1024, "topology/core_cpus_list", |cpu| cpu % 512);
        root.shared(1024, "topology/package_cpus_list", |cpu| cpu % 512 / 64);
        let topology = Topology::read(root.path(), &all(1024));
        assert_eq!(topology.count(Layer::Core), 512);
        assert_eq!(topology.count(Layer::Socket), 8);
        assert_eq!(topology.groups(Layer::Core)[511], [511, 1023]);
    }

    #[test]
    fn contradictory_files_do_no_harm() {
        let root = Root::new();
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

//! Which CPUs make up a core, a socket, a cache's users or a NUMA domain, read from `/sys`. What a kernel does not say is
//! taken to be the simplest: each CPU a core, all of them one socket, one cache, one domain.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::PlaceKind;

/// What is known of one CPU; an identifier is the number of the smallest CPU that shares the thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cpu {
    number: u32,
    core: u32,
    socket: u32,
    cache: u32,
    domain: u32,
}

/// The CPUs that a process may use, and what they share.
#[derive(Debug)]
pub struct Topology {
    /// Neighbours stand together: by socket, then core, then number.
    cpus: Vec<Cpu>,
}

impl Topology {
    /// Reads the topology of `available` CPUs under `root` (`/` but in tests).
    pub fn read(root: &Path, available: &[u32]) -> Topology {
        let domains = domains(root);
        let mut cpus: Vec<Cpu> = available
            .iter()
            .map(|&number| {
                let folder = root.join(format!("sys/devices/system/cpu/cpu{number}"));
                let shared = |names: [&str; 2]| names.iter().find_map(|name| first_cpu(&folder.join("topology").join(name)));
                let socket = shared(["package_cpus_list", "core_siblings_list"]).unwrap_or(0);
                Cpu {
                    number,
                    core: shared(["core_cpus_list", "thread_siblings_list"]).unwrap_or(number),
                    socket,
                    cache: last_level_cache(&folder).unwrap_or(socket),
                    domain: domains.get(&number).copied().unwrap_or(0),
                }
            })
            .collect();
        cpus.sort_by_key(|cpu| (cpu.socket, cpu.core, cpu.number));
        Topology { cpus }
    }

    /// The CPUs of each group of this kind, neighbouring groups beside each other.
    pub fn groups(&self, kind: PlaceKind) -> Vec<Vec<u32>> {
        let key = |cpu: &Cpu| match kind {
            PlaceKind::Threads => cpu.number,
            PlaceKind::Cores => cpu.core,
            PlaceKind::Sockets => cpu.socket,
            PlaceKind::LastLevelCaches => cpu.cache,
            PlaceKind::NumaDomains => cpu.domain,
        };
        let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
        for cpu in &self.cpus {
            match groups.iter_mut().find(|(name, _)| *name == key(cpu)) {
                Some((_, group)) => group.push(cpu.number),
                None => groups.push((key(cpu), vec![cpu.number])),
            }
        }
        groups
            .into_iter()
            .map(|(_, mut group)| {
                group.sort_unstable();
                group
            })
            .collect()
    }
}

/// The first CPU of a file in the kernel's list format (`0-3,8`).
fn first_cpu(file: &Path) -> Option<u32> {
    parse_list(&fs::read_to_string(file).ok()?).first().copied()
}

/// The CPUs of a list in the kernel's format; parts that make no sense are left out.
pub fn parse_list(text: &str) -> Vec<u32> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.trim().parse::<u32>(), last.trim().parse::<u32>()) {
            cpus.extend(first..=last.min(first.saturating_add(8191)));
        }
    }
    cpus
}

/// The smallest CPU beside which this one uses its cache of the highest level.
fn last_level_cache(cpu: &Path) -> Option<u32> {
    let caches = fs::read_dir(cpu.join("cache")).ok()?;
    caches
        .filter_map(|entry| {
            let folder = entry.ok()?.path();
            let level: u32 = fs::read_to_string(folder.join("level")).ok()?.trim().parse().ok()?;
            Some((level, first_cpu(&folder.join("shared_cpu_list"))?))
        })
        .max_by_key(|(level, _)| *level)
        .map(|(_, first)| first)
}

/// The NUMA domain of each CPU.
fn domains(root: &Path) -> BTreeMap<u32, u32> {
    let mut domains = BTreeMap::new();
    let nodes: Vec<PathBuf> = fs::read_dir(root.join("sys/devices/system/node"))
        .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
        .unwrap_or_default();
    for node in nodes {
        let number = node.file_name().and_then(|name| name.to_str()?.strip_prefix("node")?.parse::<u32>().ok());
        if let (Some(number), Ok(list)) = (number, fs::read_to_string(node.join("cpulist"))) {
            domains.extend(parse_list(&list).into_iter().map(|cpu| (cpu, number)));
        }
    }
    domains
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::testing::Root;

    /// Two sockets of two cores of two threads, numbered as usual: siblings are 4 apart.
    fn two_sockets() -> Root {
        let root = Root::new();
        for cpu in 0..8u32 {
            let folder = format!("sys/devices/system/cpu/cpu{cpu}");
            let core = cpu % 4;
            let socket = core / 2 * 2;
            root.file(&format!("{folder}/topology/core_cpus_list"), &format!("{core},{}\n", core + 4));
            let package = format!("{socket}-{},{}-{}\n", socket + 1, socket + 4, socket + 5);
            root.file(&format!("{folder}/topology/package_cpus_list"), &package);
            root.file(&format!("{folder}/cache/index0/level"), "1\n");
            root.file(&format!("{folder}/cache/index0/shared_cpu_list"), &format!("{core},{}\n", core + 4));
            root.file(&format!("{folder}/cache/index3/level"), "3\n");
            root.file(&format!("{folder}/cache/index3/shared_cpu_list"), &package);
        }
        root.file("sys/devices/system/node/node0/cpulist", "0-7\n");
        root.file("sys/devices/system/node/online", "0\n");
        root
    }

    #[test]
    fn groups_of_two_sockets() {
        let root = two_sockets();
        let topology = Topology::read(root.path(), &[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(topology.groups(PlaceKind::Sockets), [[0, 1, 4, 5], [2, 3, 6, 7]]);
        assert_eq!(topology.groups(PlaceKind::LastLevelCaches), [[0, 1, 4, 5], [2, 3, 6, 7]]);
        assert_eq!(topology.groups(PlaceKind::Cores), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(topology.groups(PlaceKind::Threads), [[0], [4], [1], [5], [2], [6], [3], [7]]);
        assert_eq!(topology.groups(PlaceKind::NumaDomains), [[0, 1, 2, 3, 4, 5, 6, 7]]);
    }

    #[test]
    fn only_available_cpus_count() {
        let root = two_sockets();
        let topology = Topology::read(root.path(), &[1, 4, 6]);
        assert_eq!(topology.groups(PlaceKind::Cores), [[4], [1], [6]]);
        assert_eq!(topology.groups(PlaceKind::Sockets), [vec![1, 4], vec![6]]);
    }

    #[test]
    fn an_older_kernel_has_other_names() {
        let root = Root::new();
        for cpu in 0..2 {
            root.file(&format!("sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"), "0-1\n");
            root.file(&format!("sys/devices/system/cpu/cpu{cpu}/topology/core_siblings_list"), "0-1\n");
        }
        assert_eq!(Topology::read(root.path(), &[0, 1]).groups(PlaceKind::Cores), [[0, 1]]);
    }

    #[test]
    fn an_empty_sys() {
        let root = Root::new();
        let topology = Topology::read(root.path(), &[0, 1, 2]);
        assert_eq!(topology.groups(PlaceKind::Cores), [[0], [1], [2]]);
        assert_eq!(topology.groups(PlaceKind::Sockets), [[0, 1, 2]]);
        assert_eq!(topology.groups(PlaceKind::NumaDomains), [[0, 1, 2]]);
    }

    #[test]
    fn lists() {
        assert_eq!(parse_list("0-2,5\n"), [0, 1, 2, 5]);
        assert_eq!(parse_list(""), Vec::<u32>::new());
        assert_eq!(parse_list("x,3"), [3]);
        assert_eq!(parse_list("3-1"), Vec::<u32>::new());
    }
}

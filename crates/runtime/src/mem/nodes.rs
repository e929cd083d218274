//! The NUMA domains of the machine, and which of them are high-bandwidth or large-capacity memory, read from `/sys`.
//! OpenMP 5.1 §2.13.1 leaves open which memory a memory space is; here the kernel's description of the domains decides.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// Domains by number, ascending.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Nodes {
    /// The domains with memory.
    pub all: Vec<u32>,
    /// The domains without CPUs whose memory is read faster than that of any domain with CPUs.
    pub high_bandwidth: Vec<u32>,
    /// The other domains without CPUs.
    pub large_capacity: Vec<u32>,
}

/// The machine's domains, read on the first call.
pub fn nodes() -> &'static Nodes {
    static NODES: OnceLock<Nodes> = OnceLock::new();
    NODES.get_or_init(|| Nodes::read(Path::new("/")))
}

/// The free bytes in all of these domains.
pub fn free_bytes(nodes: &[u32]) -> u64 {
    nodes.iter().map(|&node| meminfo(Path::new("/"), node, "MemFree:").unwrap_or(0)).sum()
}

impl Nodes {
    /// Reads the domains under `root`, which is `/` except in tests.
    fn read(root: &Path) -> Nodes {
        let entries = fs::read_dir(root.join("sys/devices/system/node")).into_iter().flatten();
        let number = |name: &str| name.strip_prefix("node")?.parse::<u32>().ok().filter(|&node| node < 1024);
        let mut all: Vec<u32> = entries.filter_map(|entry| number(entry.ok()?.file_name().to_str()?)).collect();
        all.retain(|&node| meminfo(root, node, "MemTotal:").is_some_and(|bytes| bytes > 0));
        all.sort_unstable();
        let has_cpus = |&&node: &&u32| file(root, node, "cpulist").is_some_and(|list| !list.trim().is_empty());
        let (with_cpus, without): (Vec<u32>, Vec<u32>) = all.iter().partition(has_cpus);
        let ordinary = with_cpus.iter().filter_map(|&node| bandwidth(root, node)).max();
        let is_fast =
            |&node: &u32| ordinary.is_some_and(|ordinary| bandwidth(root, node).is_some_and(|its| its > ordinary));
        // If no domain has CPUs, the speeds cannot be compared.
        let without = if with_cpus.is_empty() { Vec::new() } else { without };
        let (high_bandwidth, large_capacity) = without.into_iter().partition(is_fast);
        Nodes { all, high_bandwidth, large_capacity }
    }
}

fn file(root: &Path, node: u32, name: &str) -> Option<String> {
    fs::read_to_string(root.join(format!("sys/devices/system/node/node{node}/{name}"))).ok()
}

/// The rate in MiB/s at which the nearest CPUs read the domain's memory, if the firmware says.
fn bandwidth(root: &Path, node: u32) -> Option<u64> {
    file(root, node, "access0/initiators/read_bandwidth")?.trim().parse().ok().filter(|&rate| rate > 0)
}

/// A size in bytes from the domain's `meminfo`, whose lines read `Node 0 MemFree: 1024 kB`.
fn meminfo(root: &Path, node: u32, what: &str) -> Option<u64> {
    let text = file(root, node, "meminfo")?;
    let mut words = text.lines().find(|line| line.contains(what))?.split_whitespace().skip_while(|word| *word != what);
    words.nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::testing::Root;

    fn machine(nodes: &[(u32, &str, u64, Option<u64>)]) -> Root {
        let root = Root::empty();
        root.file("sys/devices/system/node/online", "0\n");
        for (node, cpus, kib, rate) in nodes {
            let folder = format!("sys/devices/system/node/node{node}");
            root.file(&format!("{folder}/cpulist"), &format!("{cpus}\n"));
            root.file(
                &format!("{folder}/meminfo"),
                &format!("Node {node} MemTotal:  {kib} kB\nNode {node} MemFree:   {} kB\n", kib / 2),
            );
            if let Some(rate) = rate {
                root.file(&format!("{folder}/access0/initiators/read_bandwidth"), &format!("{rate}\n"));
            }
        }
        root
    }

    #[test]
    fn fast_and_large_memory() {
        let root = machine(&[
            (0, "0-3", 1000, Some(100_000)),
            (1, "4-7", 1000, Some(90_000)),
            (2, "", 500, Some(400_000)),
            (3, "", 9000, Some(30_000)),
            (4, "", 0, Some(400_000)),
        ]);
        let nodes = Nodes::read(root.path());
        assert_eq!(nodes, Nodes { all: vec![0, 1, 2, 3], high_bandwidth: vec![2], large_capacity: vec![3] });
        assert_eq!(meminfo(root.path(), 3, "MemFree:"), Some(4500 * 1024));
    }

    #[test]
    fn memory_of_unknown_speed_is_not_called_fast() {
        let nodes = Nodes::read(machine(&[(0, "0", 1000, None), (1, "", 500, None)]).path());
        assert_eq!(nodes, Nodes { all: vec![0, 1], high_bandwidth: vec![], large_capacity: vec![1] });
    }

    #[test]
    fn one_domain_or_none() {
        let nodes = Nodes::read(machine(&[(0, "0-1", 1000, None)]).path());
        assert_eq!(nodes, Nodes { all: vec![0], ..Nodes::default() });
        assert_eq!(Nodes::read(Root::empty().path()), Nodes::default());
        assert_eq!(meminfo(Root::empty().path(), 0, "MemFree:"), None);
    }
}

//! The memory nodes of the machine (sysfs, `/sys/devices/system/node`).

use std::path::Path;

/// Which node each CPU belongs to, by the CPU's number; empty if the machine has one node, or does not tell.
pub fn of_cpus() -> Vec<u32> {
    read(Path::new("/sys/devices/system/node"))
}

fn read(folder: &Path) -> Vec<u32> {
    let mut nodes = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(node) = name.to_str().and_then(|name| name.strip_prefix("node")?.parse::<u32>().ok()) else {
            continue;
        };
        let text = std::fs::read_to_string(entry.path().join("cpulist")).unwrap_or_default();
        let cpus: Vec<usize> = text.trim().split(',').flat_map(range).collect();
        // Memory without CPUs is a node as well.
        count += u32::from(!cpus.is_empty());
        for cpu in cpus {
            nodes.resize(nodes.len().max(cpu + 1), 0);
            nodes[cpu] = node;
        }
    }
    if count > 1 { nodes } else { Vec::new() }
}

/// The numbers of `3` or `0-7`; a machine has less than 65536 CPUs.
fn range(text: &str) -> impl Iterator<Item = usize> {
    let number = |text: &str| text.parse::<u16>().ok().map(usize::from);
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = number(first).zip(number(last));
    range.into_iter().flat_map(|(first, last)| first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpus_are_sorted_by_their_nodes() {
        let folder = tempfile::tempdir().unwrap();
        let node = |number: u32, cpus: &str| {
            let node = folder.path().join(format!("node{number}"));
            std::fs::create_dir(&node).unwrap();
            std::fs::write(node.join("cpulist"), cpus).unwrap();
        };
        node(0, "0-1,4\n");
        assert!(read(folder.path()).is_empty());
        node(1, "2-3\n");
        node(2, "\n");
        assert_eq!(read(folder.path()), [0, 0, 1, 1, 0]);
        assert!(read(Path::new("/nowhere")).is_empty());
    }
}

//! The files of `/sys` that describe a machine: lists of CPUs, numbers and the folders of CPUs, caches and NUMA
//! domains. All paths are below a root folder: `/`, except in tests and where `FERROMP_FSROOT` names another folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest CPU number that a list may hold, exclusive: Linux itself stops at 8192 CPUs.
pub const CPU_LIMIT: u32 = 8192;

/// The CPUs of a list in the kernel's format (`0-3,8`); parts that make no sense are left out.
pub fn parse_list(text: &str) -> Vec<u32> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.trim().parse::<u32>(), last.trim().parse::<u32>()) {
            cpus.extend(first..=last.min(CPU_LIMIT - 1));
        }
    }
    cpus
}

/// CPUs, in ascending order, in the format that [`parse_list`] reads.
pub fn show_list(cpus: &[u32]) -> String {
    let mut text = String::new();
    let mut rest = cpus;
    while let [first, ..] = *rest {
        let run = rest.iter().zip(first..=u32::MAX).take_while(|(cpu, expected)| *cpu == expected).count();
        let last = rest[run - 1];
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&if run == 1 { first.to_string() } else { format!("{first}-{last}") });
        rest = &rest[run..];
    }
    text
}

/// The CPUs that a file lists; `None` where there is no such file or nothing in it.
pub fn list(file: &Path) -> Option<Vec<u32>> {
    Some(parse_list(&fs::read_to_string(file).ok()?)).filter(|cpus| !cpus.is_empty())
}

/// The number that a file holds.
pub fn number(file: &Path) -> Option<u32> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// The folder of a CPU.
pub fn cpu_folder(root: &Path, cpu: u32) -> PathBuf {
    root.join(format!("sys/devices/system/cpu/cpu{cpu}"))
}

/// The CPUs that are online: from the kernel's list, else the CPUs that have a folder whose file does not say
/// otherwise.
pub fn online(root: &Path) -> Vec<u32> {
    let folder = root.join("sys/devices/system/cpu");
    if let Some(mut cpus) = list(&folder.join("online")) {
        cpus.sort_unstable();
        return cpus;
    }
    let is_online = |folder: &Path| number(&folder.join("online")).is_none_or(|online| online != 0);
    numbered(&folder, "cpu").into_iter().filter(|(_, folder)| is_online(folder)).map(|(cpu, _)| cpu).collect()
}

/// The CPUs that the process may use according to `/proc`.
pub fn allowed(root: &Path) -> Option<Vec<u32>> {
    let status = fs::read_to_string(root.join("proc/self/status")).ok()?;
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    Some(parse_list(list)).filter(|cpus| !cpus.is_empty())
}

/// The entries of a folder whose names are `prefix` and a number.
pub fn numbered(folder: &Path, prefix: &str) -> BTreeMap<u32, PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return BTreeMap::new() };
    entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let number = path.file_name()?.to_str()?.strip_prefix(prefix)?.parse().ok()?;
            Some((number, path))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::testing::Root;

    #[test]
    fn lists() {
        assert_eq!(parse_list("0-2,5\n"), [0, 1, 2, 5]);
        assert_eq!(parse_list(""), Vec::<u32>::new());
        assert_eq!(parse_list("x,3"), [3]);
        assert_eq!(parse_list("3-1"), Vec::<u32>::new());
        assert_eq!(parse_list("0-4294967295").len(), CPU_LIMIT as usize);
    }

    #[test]
    fn lists_are_shown_as_they_are_read() {
        for text in ["", "0", "0-1", "0-3,5,7-8,1000-1023"] {
            assert_eq!(show_list(&parse_list(text)), text);
        }
        assert_eq!(show_list(&[1, 2, u32::MAX]), "1-2,4294967295");
    }

    #[test]
    fn online_cpus_without_the_list() {
        let root = Root::empty();
        root.file("sys/devices/system/cpu/cpu0/topology/core_id", "0\n");
        root.file("sys/devices/system/cpu/cpu2/online", "1\n");
        root.file("sys/devices/system/cpu/cpu10/online", "0\n");
        root.file("sys/devices/system/cpu/cpufreq/boost", "0\n");
        assert_eq!(online(root.path()), [0, 2]);
        root.file("sys/devices/system/cpu/online", "0-2\n");
        assert_eq!(online(root.path()), [0, 1, 2]);
    }

    #[test]
    fn the_mask_of_a_made_up_process() {
        let root = Root::empty();
        assert_eq!(allowed(root.path()), None);
        root.file(
            "proc/self/status",
            "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-3,6\nMems_allowed_list:\t0\n",
        );
        assert_eq!(allowed(root.path()), Some(vec![0, 1, 2, 3, 6]));
    }
}

//! What CPU time the system grants the process: CPUs, and the quotas of its control groups (cgroups(7)). Version 2 and
//! version 1 of control groups are read, of the process's own group and of all groups around it.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How often and how long the system has held back a control group, because the group had used up its quota.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Throttled {
    /// Periods in which the group was held back.
    pub periods: u64,
    /// Nanoseconds, added up over the CPUs.
    pub ns: u64,
}

/// The quota of a process: the tightest of its control groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Quota {
    /// How many CPUs' time the group may use.
    pub cpus: f64,
    /// The group's folder.
    folder: PathBuf,
}

impl Quota {
    /// The calling process's quota, if one is set.
    pub fn of_this_process() -> Option<Quota> {
        let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
        let folders = folders(&groups, &mounts);
        let quotas = folders.into_iter().filter_map(|folder| Some(Quota { cpus: quota(&folder)?, folder }));
        quotas.min_by(|one, other| one.cpus.total_cmp(&other.cpus))
    }

    /// How long the group has been held back up to now, if the system tells.
    pub fn throttled(&self) -> Option<Throttled> {
        let text = std::fs::read_to_string(self.folder.join("cpu.stat")).ok()?;
        let value = |name: &str| {
            text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse::<u64>().ok())
        };
        let ns = value("throttled_usec").map(|us| us.saturating_mul(1000)).or_else(|| value("throttled_time"));
        Some(Throttled { periods: value("nr_throttled")?, ns: ns? })
    }
}

/// CPUs that are online.
pub fn cpus_online() -> u32 {
    // SAFETY: a plain call.
    u32::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }).unwrap_or(0)
}

/// The folders of the process's control group and of the groups around it, as far as they are mounted.
fn folders(groups: &str, mounts: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for group in groups.lines() {
        // `number:controllers:path`; version 2 has the number 0 and no controllers.
        let mut parts = group.splitn(3, ':');
        let (Some(number), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let second = number == "0" && controllers.is_empty();
        if !second && !controllers.split(',').any(|controller| controller == "cpu") {
            continue;
        }
        for (root, mount) in mounts.lines().filter_map(|line| mounted(line, second)) {
            // The mount may show a part of the tree only, as in a container.
            let below = Path::new(path).strip_prefix(root).unwrap_or(Path::new(""));
            let own = Path::new(mount).join(below);
            folders.extend(own.ancestors().take_while(|folder| folder.starts_with(mount)).map(Path::to_path_buf));
        }
    }
    folders
}

/// The root and the place of a mount of control groups of version 2, or of version 1's `cpu` controller; see
/// proc_pid_mountinfo(5).
fn mounted(line: &str, second: bool) -> Option<(&str, &str)> {
    let (before, after) = line.split_once(" - ")?;
    let mut before = before.split(' ').skip(3);
    let (root, mount) = (before.next()?, before.next()?);
    let mut after = after.split(' ');
    let (kind, options) = (after.next()?, after.nth(1)?);
    let is = if second { kind == "cgroup2" } else { kind == "cgroup" && options.split(',').any(|name| name == "cpu") };
    is.then_some((root, mount))
}

/// The quota in a group's folder, in CPUs.
fn quota(folder: &Path) -> Option<f64> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let (quota, period) = match read("cpu.max") {
        Some(text) => {
            let mut words = text.split_whitespace().map(str::to_owned);
            (words.next()?, words.next()?)
        }
        None => (read("cpu.cfs_quota_us")?, read("cpu.cfs_period_us")?),
    };
    // No quota is `max`, or -1.
    let (quota, period) = (quota.trim().parse::<u64>().ok()?, period.trim().parse::<u64>().ok()?);
    (period > 0).then(|| quota as f64 / period as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_groups_around_the_process_count_as_well() {
        let mounts = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n\
                      32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct\n\
                      35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
                      41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
        let groups = "4:memory:/a\n1:cpu,cpuacct:/a/b\n0::/c\n";
        let expected = ["cpu/a/b", "cpu/a", "cpu", "unified/c", "unified"];
        let expected = expected.map(|name| Path::new("/sys/fs/cgroup").join(name));
        assert_eq!(folders(groups, mounts), expected);
        // A container that sees its own part of the tree.
        let mounts = "32 31 0:29 /docker/17 /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n";
        assert_eq!(folders("1:cpu:/docker/17", mounts), [Path::new("/sys/fs/cgroup/cpu")]);
        assert_eq!(folders("1:cpu:/docker/17/x", mounts).len(), 2);
        assert_eq!(folders("nonsense\n1:cpu", "short - cgroup2"), Vec::<PathBuf>::new());
    }

    #[test]
    fn quotas_of_both_versions_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let (one, two, none) = (dir.path().join("1"), dir.path().join("2"), dir.path().join("none"));
        for folder in [&one, &two, &none] {
            fs::create_dir(folder).unwrap();
        }
        fs::write(two.join("cpu.max"), "150000 100000\n").unwrap();
        fs::write(none.join("cpu.max"), "max 100000\n").unwrap();
        fs::write(one.join("cpu.cfs_quota_us"), "50000\n").unwrap();
        fs::write(one.join("cpu.cfs_period_us"), "100000\n").unwrap();
        assert_eq!([quota(&two), quota(&none), quota(&one)], [Some(1.5), None, Some(0.5)]);
        fs::write(one.join("cpu.cfs_quota_us"), "-1\n").unwrap();
        assert_eq!(quota(&one), None);
        fs::write(two.join("cpu.stat"), "nr_periods 9\nnr_throttled 3\nthrottled_usec 1500\n").unwrap();
        let throttled = |folder: &Path| Quota { cpus: 1.0, folder: folder.to_path_buf() }.throttled();
        assert_eq!(throttled(&two), Some(Throttled { periods: 3, ns: 1_500_000 }));
        fs::write(one.join("cpu.stat"), "nr_periods 9\nnr_throttled 4\nthrottled_time 77\n").unwrap();
        assert_eq!(throttled(&one), Some(Throttled { periods: 4, ns: 77 }));
        assert_eq!(throttled(&none), None);
    }
}

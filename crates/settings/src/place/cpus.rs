//! The number of CPUs that the process may use: the CPUs of its affinity mask, at most as many as the quotas of its
//! cgroups (cgroup v2 `cpu.max`, v1 `cpu.cfs_quota_us`; cgroups(7)).

use super::in_force;
use super::kernel;
use super::machine::machine;
use crate::model::atomic::{AtomicU32, Ordering};
use crate::shown;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// 0 until counted. A plain number: no other memory depends on it.
static AVAILABLE: AtomicU32 = AtomicU32::new(0);

/// The number of CPUs that this process may use, at least one: its affinity mask's, or its cgroup quota (rounded up)
/// where the quota is less. The first call counts, and should come before any thread is bound.
#[inline]
pub fn available_cpus() -> u32 {
    match AVAILABLE.load(Ordering::Relaxed) {
        0 => count(),
        available => available,
    }
}

#[cold]
fn count() -> u32 {
    let affinity = in_force::request();
    let confined = affinity.root.is_none() && affinity.confines();
    let cpus = if confined { &machine().cpus } else { kernel::of_process() };
    let count = within_quota(cpus.len() as u32);
    AVAILABLE.store(count, Ordering::Relaxed);
    if affinity.root.is_none() {
        shown::show_num_procs(count as usize);
    }
    count
}

/// As [`available_cpus`], without the settings, for use while the settings are read.
pub fn cpus_of_process() -> u32 {
    within_quota(kernel::of_process().len() as u32)
}

fn within_quota(count: u32) -> u32 {
    count.min(quota(Path::new("/")).unwrap_or(u32::MAX)).max(1)
}

/// The CPUs' worth of time that the process's cgroups grant, rounded up; `None` where there is no limit. `root` is `/`
/// but in tests.
fn quota(root: &Path) -> Option<u32> {
    let groups = text_of(&root.join("proc/self/cgroup"))?;
    let mounts = text_of(&root.join("proc/self/mountinfo"))?;
    let mounts: Vec<Mount> = mounts.lines().filter_map(Mount::of_cgroups).collect();
    groups
        .lines()
        .filter_map(|line| {
            let mut fields = line.splitn(3, ':');
            let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
            let v2 = controllers.is_empty();
            if !v2 && !controllers.split(',').any(|name| name == "cpu") {
                return None;
            }
            let mount = mounts.iter().find(|mount| mount.carries_cpu(v2))?;
            let point = root.join(mount.point.trim_start_matches('/'));
            let files: &[&str] = if v2 { &["cpu.max"] } else { &["cpu.cfs_quota_us", "cpu.cfs_period_us"] };
            // The least quota of the cgroup and those above it.
            mount.relative(path).ancestors().filter_map(|group| quota_in(&point.join(group), files)).min()
        })
        .min()
}

/// The quota that `files` say: time and period, rounded up to CPUs; `None` for `max` and `-1`, which mean no limit.
fn quota_in(folder: &Path, files: &[&str]) -> Option<u32> {
    let texts: Option<Vec<String>> = files.iter().map(|file| text_of(&folder.join(file))).collect();
    let text = texts?.join(" ");
    let mut numbers = text.split_whitespace().map(|number| number.parse::<u64>().ok());
    let (quota, period) = (numbers.next()??, numbers.next()??);
    (period > 0).then(|| u32::try_from(quota.div_ceil(period)).unwrap_or(u32::MAX).max(1))
}

/// The text of a small file. `read_to_string` takes twice as many system calls for the kernel's files: they have size
/// 0, so it begins with pieces of 32 bytes.
fn text_of(file: &Path) -> Option<String> {
    let mut text = String::with_capacity(USUAL);
    File::open(file).ok()?.take(LARGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Bytes that most of the kernel's files have room in.
const USUAL: usize = 4096;
/// Bytes that are read at most.
const LARGEST: u64 = 16 << 20;

/// A line of `/proc/self/mountinfo`, as far as it matters here.
struct Mount<'a> {
    /// The cgroup that the mount point shows.
    group: &'a str,
    point: &'a str,
    kind: &'a str,
    options: &'a str,
}

impl<'a> Mount<'a> {
    /// A mount of a hierarchy of cgroups. Most lines are about others: their file system has another name.
    fn of_cgroups(line: &'a str) -> Option<Self> {
        let (place, system) = line.split_once(" - ")?;
        if !system.starts_with("cgroup") {
            return None;
        }
        let mut place = place.split(' ').skip(3);
        let mut system = system.split(' ');
        Some(Mount { group: place.next()?, point: place.next()?, kind: system.next()?, options: system.nth(1)? })
    }

    fn carries_cpu(&self, v2: bool) -> bool {
        match v2 {
            true => self.kind == "cgroup2",
            false => self.kind == "cgroup" && self.options.split(',').any(|option| option == "cpu"),
        }
    }

    /// Where below the mount point a cgroup lies; the mount point itself where it shows another part of the hierarchy.
    fn relative(&self, path: &str) -> PathBuf {
        let below = Path::new(path).strip_prefix(self.group).unwrap_or(Path::new(""));
        let inside = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        if inside { below.to_path_buf() } else { PathBuf::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::testing::Root;

    const V2: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
    const V1: &str = "33 25 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";

    #[test]
    fn this_process() {
        let count = available_cpus();
        assert!(count >= 1 && count as usize <= kernel::of_process().len());
        assert_eq!(cpus_of_process(), count);
    }

    #[test]
    fn no_cgroups() {
        assert_eq!(quota(Root::empty().path()), None);
    }

    #[test]
    fn second_version_takes_the_least_of_the_ancestors() {
        let root = Root::empty();
        root.file("proc/self/cgroup", "0::/a/b\n");
        root.file("proc/self/mountinfo", V2);
        assert_eq!(quota(root.path()), None);
        root.file("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        assert_eq!(quota(root.path()), None);
        root.file("sys/fs/cgroup/a/cpu.max", "250000 100000\n");
        assert_eq!(quota(root.path()), Some(3));
        root.file("sys/fs/cgroup/a/b/cpu.max", "10000 100000\n");
        assert_eq!(quota(root.path()), Some(1));
    }

    #[test]
    fn first_version() {
        let root = Root::empty();
        root.file("proc/self/cgroup", "5:memory:/x\n4:cpu,cpuacct:/x\n0::/\n");
        root.file("proc/self/mountinfo", V1);
        root.file("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "-1\n");
        root.file("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
        assert_eq!(quota(root.path()), None);
        root.file("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "200000\n");
        assert_eq!(quota(root.path()), Some(2));
    }

    #[test]
    fn a_container_sees_its_own_group_at_the_mount_point() {
        let root = Root::empty();
        root.file("proc/self/cgroup", "4:cpu:/docker/1234\n");
        root.file("proc/self/mountinfo", "33 25 0:28 /docker/1234 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
        root.file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n");
        root.file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
        assert_eq!(quota(root.path()), Some(4));
    }
}

//! Made-up machines for tests: folders in the shape of `/`.

use crate::model::atomic::{AtomicU32, Ordering};
use std::path::{Path, PathBuf};

use super::sysfs::show_list;

/// A temporary folder that stands for `/`.
#[derive(Debug)]
pub struct Root(PathBuf);

impl Root {
    pub fn empty() -> Root {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("ferromp-root-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Root(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// One file of each CPU, which lists the CPUs of its group: `group` names the group of a CPU.
    pub fn shared<K: PartialEq>(&self, cpus: u32, file: &str, group: impl Fn(u32) -> K) {
        for cpu in 0..cpus {
            let members: Vec<u32> = (0..cpus).filter(|&other| group(other) == group(cpu)).collect();
            self.file(&format!("sys/devices/system/cpu/cpu{cpu}/{file}"), &format!("{}\n", show_list(&members)));
        }
    }

    /// A cache of each CPU.
    pub fn cache<K: PartialEq>(&self, cpus: u32, index: u32, level: u32, group: impl Fn(u32) -> K) {
        self.shared(cpus, &format!("cache/index{index}/shared_cpu_list"), group);
        for cpu in 0..cpus {
            self.file(&format!("sys/devices/system/cpu/cpu{cpu}/cache/index{index}/level"), &format!("{level}\n"));
        }
    }

    /// NUMA domains.
    pub fn domains(&self, lists: &[&str]) {
        for (number, list) in lists.iter().enumerate() {
            self.file(&format!("sys/devices/system/node/node{number}/cpulist"), &format!("{list}\n"));
        }
    }

    /// Two sockets of two cores of two threads, numbered as usual: siblings are 4 apart.
    pub fn two_sockets() -> Root {
        let root = Root::empty();
        root.shared(8, "topology/core_cpus_list", |cpu| cpu % 4);
        root.shared(8, "topology/package_cpus_list", |cpu| cpu % 4 / 2);
        root.cache(8, 0, 1, |cpu| cpu % 4);
        root.cache(8, 3, 3, |cpu| cpu % 4 / 2);
        root.domains(&["0-7"]);
        root.file("sys/devices/system/cpu/online", "0-7\n");
        root
    }

    /// Two sockets of two NUMA domains of four cores of two threads: siblings are 16 apart.
    pub fn two_by_two() -> Root {
        let root = Root::empty();
        root.shared(32, "topology/core_cpus_list", |cpu| cpu % 16);
        root.shared(32, "topology/package_cpus_list", |cpu| cpu % 16 / 8);
        root.shared(32, "topology/die_cpus_list", |cpu| cpu % 16 / 8);
        root.cache(32, 0, 1, |cpu| cpu % 16);
        root.cache(32, 2, 2, |cpu| cpu % 16);
        root.cache(32, 3, 3, |cpu| cpu % 16 / 8);
        root.domains(&["0-3,16-19", "4-7,20-23", "8-11,24-27", "12-15,28-31"]);
        root.file("sys/devices/system/cpu/online", "0-31\n");
        root
    }

    /// One socket of 4 dies of 2 last-level caches of 2 cores, one thread each, one domain for each two dies.
    pub fn many_caches() -> Root {
        let root = Root::empty();
        root.shared(16, "topology/core_cpus_list", |cpu| cpu);
        root.shared(16, "topology/package_cpus_list", |_| 0);
        root.shared(16, "topology/die_cpus_list", |cpu| cpu / 4);
        root.cache(16, 0, 1, |cpu| cpu);
        root.cache(16, 2, 2, |cpu| cpu);
        root.cache(16, 3, 3, |cpu| cpu / 2);
        root.domains(&["0-7", "8-15"]);
        root.file("sys/devices/system/cpu/online", "0-15\n");
        root
    }

    /// Two large cores of two threads (CPUs 0-3) and four small ones, which share a second-level cache (CPUs 4-7).
    pub fn hybrid() -> Root {
        let root = Root::empty();
        let core = |cpu: u32| if cpu < 4 { cpu / 2 } else { cpu };
        root.shared(8, "topology/core_cpus_list", core);
        root.shared(8, "topology/package_cpus_list", |_| 0);
        root.shared(8, "topology/cluster_cpus_list", |cpu| if cpu < 4 { cpu / 2 } else { 4 });
        root.cache(8, 0, 1, core);
        root.cache(8, 2, 2, |cpu| if cpu < 4 { cpu / 2 } else { 4 });
        root.cache(8, 3, 3, |_| 0);
        root.file("sys/devices/cpu_core/cpus", "0-3\n");
        root.file("sys/devices/cpu_atom/cpus", "4-7\n");
        root.file("sys/devices/system/cpu/online", "0-7\n");
        root
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        // A folder that stays behind in the temporary directory does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

//! A pod of Kubernetes: its commands in a control group with the pod's quota of CPU time.

use super::{Recipe, yaml};
use crate::schema;

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::Value;

/// What the report calls too many threads for a quota: whether they use it up depends on what else runs.
const CAUSES: [&str; 2] = ["more-threads-than-cpus", "quota-used-up"];

/// Runs of the command with too many threads: findings that gain little are left out.
const TRIES: usize = 4;

/// A control group with a quota, removed at the end.
struct Group(PathBuf);

impl Group {
    /// A new group that may use so many microseconds of CPU time in a tenth of a second; none, with a line, if this
    /// process may not make one.
    fn new(quota_us: u64) -> Option<Group> {
        let name = format!("ferromp-test-{}", std::process::id());
        // Version 2, then version 1.
        let second = || Group::make(format!("/sys/fs/cgroup/{name}"), "cpu.max", &format!("{quota_us} 100000"));
        let first = || Group::make(format!("/sys/fs/cgroup/cpu/{name}"), "cpu.cfs_quota_us", &quota_us.to_string());
        let group = second().or_else(first);
        if group.is_none() {
            eprintln!("skipped: this system gives no control group with a quota of CPU time");
        }
        group
    }

    /// A folder in which the system has this file, with the quota written into the file.
    fn make(folder: String, file: &str, quota: &str) -> Option<Group> {
        fs::create_dir(&folder).ok()?;
        let group = Group(folder.into());
        // The folder may lie in an ordinary file system: the file is not created.
        let mut file = OpenOptions::new().write(true).open(group.0.join(file)).ok()?;
        file.write_all(quota.as_bytes()).ok().map(|()| group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// CPUs that a quantity of Kubernetes stands for.
fn cpus(quantity: &Value) -> f64 {
    let text = quantity.as_str().unwrap();
    text.strip_suffix('m').map_or_else(|| text.parse::<f64>().unwrap(), |m| m.parse::<f64>().unwrap() / 1000.0)
}

#[test]
fn a_pods_limit_is_a_finding_unless_the_threads_keep_to_it() {
    if std::thread::available_parallelism().is_ok_and(|count| count.get() < 2) {
        eprintln!("skipped: this machine has one CPU, and the limit is one CPU");
        return;
    }
    let mut recipe = Recipe::new("A pod of Kubernetes with a CPU limit");
    let Some(pod) = yaml(recipe.file("pod.yaml")) else { return };
    let container = &pod["spec"]["containers"][0];
    assert_eq!((&pod["kind"], &container["resources"]["limits"]["cpu"]), (&"Pod".into(), &"1".into()));
    let limit = cpus(&container["resources"]["limits"]["cpu"]);
    assert!(container["env"].is_null(), "no variable is needed");
    let Some(group) = Group::new((limit * 100_000.0) as u64) else { return };
    recipe.build();
    let words: Vec<&str> = container["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let line = format!("echo $$ > {}/cgroup.procs && exec {}", group.0.display(), words.join(" "));
    // The number of threads, and the causes that the report names.
    let run = |recipe: &mut Recipe| -> (u64, Vec<String>) {
        let said = recipe.ground.run(&line.replace(" trace ", " trace --force "));
        let document = schema::validated(recipe.ground.run("ferromp report limited --format json").as_bytes());
        let trace = &document["traces"][0];
        assert_eq!(trace["limits"]["cpu_quota"].as_f64(), Some(limit));
        let findings = trace["findings"].as_array().unwrap().iter();
        let causes = findings.map(|finding| finding["cause"].as_str().unwrap().to_owned()).collect();
        (trace["regions"][0]["max_threads"].as_u64().unwrap_or_else(|| panic!("{said}")), causes)
    };
    let (threads, found) = run(&mut recipe);
    assert_eq!(threads, limit.ceil() as u64);
    assert!(!found.iter().any(|cause| CAUSES.contains(&cause.as_str())), "{found:?}");
    recipe.ground.export("OMP_NUM_THREADS", "4");
    let mut found = Vec::new();
    let named = (0..TRIES).any(|_| {
        let (threads, causes) = run(&mut recipe);
        assert_eq!(threads, 4);
        found = causes;
        found.iter().any(|cause| CAUSES.contains(&cause.as_str()))
    });
    assert!(named, "{found:?}");
}

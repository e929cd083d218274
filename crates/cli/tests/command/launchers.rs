//! Jobs of real launchers, where these are installed: Open MPI's and MPICH's, each with the MPI library that belongs to
//! it. Ranks that are killed, that execute another program or that share a CPU are told apart.

use crate::{common, schema};

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A launcher, and the compiler of its library.
#[derive(Clone, Copy)]
struct Mpi {
    run: &'static str,
    compiler: &'static str,
    options: &'static [&'static str],
}

const ALL: [Mpi; 2] = [
    Mpi { run: "mpirun.openmpi", compiler: "mpicc.openmpi", options: &["--allow-run-as-root", "--oversubscribe"] },
    Mpi { run: "mpirun.mpich", compiler: "mpicc.mpich", options: &[] },
];

/// Each rank works in a region, the last one so long that a busy machine makes no other one slower.
const PROGRAM: &str = r#"
#include <mpi.h>
static double work(long steps) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (long i = 0; i < steps; i++) sum += 1.0 / (1 + i);
    return sum;
}
int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double sum = 0;
    for (int step = 0; step < 5; step++) {
        sum += work(rank == ranks - 1 ? 20000000 : 500000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum == 0;
}
"#;

/// Without MPI: rank 1 kills itself in the end, and rank 2 executes itself again.
const ENDS: &str = r#"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    const char *mpich = getenv("PMI_RANK"), *rank = mpich ? mpich : getenv("OMPI_COMM_WORLD_RANK");
    int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
    n++;
    if (atoi(rank) == 2 && argc == 1) execl(argv[0], argv[0], "again", (char *)0);
    if (atoi(rank) == 1) {
        sleep(2);
        raise(SIGKILL);
    }
    return n != 2;
}
"#;

impl Mpi {
    /// Whether the launcher is there; otherwise the test says so.
    fn is_there(&self) -> bool {
        let found = [self.run, self.compiler].map(|name| Command::new(name).arg("--version").output().is_ok());
        if found != [true, true] {
            println!("skipped: {} or {} is not installed", self.run, self.compiler);
        }
        found == [true, true]
    }

    /// Traces a program in so many ranks, into `run`. Returns whether all of it ended well.
    fn trace(&self, folder: &Path, ranks: &str, more: &[&str], program: &[&str]) -> bool {
        let prefix = common::prefix();
        let mut command = common::command(self.run);
        command.current_dir(folder).env("FERROMP_PREFIX", &prefix).args(self.options).args(more).args(["-n", ranks]);
        command.arg(assert_cmd::cargo::cargo_bin("ferromp")).args(["trace", "-q", "-o", "run", "--"]).args(program);
        let done = command.timeout(std::time::Duration::from_secs(120)).output().unwrap();
        if !done.status.success() {
            println!("{}", String::from_utf8_lossy(&done.stderr));
        }
        done.status.success()
    }
}

fn document(folder: &Path, run: &str) -> Value {
    let mut command = common::ferromp(&common::prefix());
    let done = command.current_dir(folder).args(["report", run, "--format", "json"]).output().unwrap();
    schema::validated(&done.stdout)
}

/// A folder with a program that was compiled with `-fopenmp`.
fn compiled(compiler: &str, source: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    common::compile(compiler, folder.path(), "app", source, &[]);
    folder
}

#[test]
fn ranks_of_each_launcher_have_one_report() {
    for mpi in ALL.into_iter().filter(Mpi::is_there) {
        let folder = compiled(mpi.compiler, PROGRAM);
        assert!(mpi.trace(folder.path(), "4", &[], &["./app"]), "{}", mpi.run);
        let document = document(folder.path(), "run");
        let (ranks, traces) = (&document["ranks"], document["traces"].as_array().unwrap());
        assert_eq!((&ranks["count"], &ranks["missing"]), (&4.into(), &serde_json::json!([])), "{}", mpi.run);
        assert!(traces.iter().all(|trace| trace["ranks"] == 4), "{}: the size of the job", mpi.run);
        // Without optimization of lines the region has one row.
        let regions = ranks["regions"].as_array().unwrap();
        assert_eq!((regions.len(), &regions[0]["calls"], &regions[0]["place"]["line"]), (1, &20.into(), &5.into()));
        assert_eq!(regions[0]["max_rank"], 3, "{}: {:#}", mpi.run, regions[0]);
        for field in ["total_ns", "work_ns", "thread_ns"] {
            let sum: u64 = traces.iter().map(|trace| trace["regions"][0][field].as_u64().unwrap()).sum();
            assert_eq!(regions[0][field], sum, "{field}");
        }
        let findings = ranks["findings"].as_array().unwrap();
        let imbalance = findings.iter().find(|finding| finding["cause"] == "rank-imbalance");
        let imbalance = imbalance.unwrap_or_else(|| panic!("{findings:#?}"));
        assert_eq!(imbalance["worst_rank"], 3);
        others_wait_in_mpi(ranks, imbalance, mpi.run);
    }
}

/// The last rank is slow: the others wait for it in MPI, and that loss is said once.
fn others_wait_in_mpi(ranks: &Value, imbalance: &Value, launcher: &str) {
    let sentence = imbalance["sentence"].as_str().unwrap();
    assert!(sentence.ends_with("which wait for it in MPI"), "{launcher}: {imbalance:#}");
    assert!(imbalance["evidence"][1].as_str().unwrap().contains("meanwhile in MPI"), "{launcher}: {imbalance:#}");
    let mpi: Vec<u64> =
        ranks["list"].as_array().unwrap().iter().map(|rank| rank["mpi_serial_ns"].as_u64().unwrap()).collect();
    assert!(mpi[..3].iter().all(|ns| *ns > mpi[3]), "{launcher}: {mpi:?}");
    let findings = ranks["findings"].as_array().unwrap();
    let waiting = findings.iter().filter(|finding| finding["cause"] == "mpi-waiting");
    let again: u64 = waiting.map(|finding| finding["gain_ns"].as_u64().unwrap()).sum();
    assert!(again < imbalance["gain_ns"].as_u64().unwrap() / 2, "{launcher}: {findings:#?}");
    let efficiency = &ranks["efficiency"];
    let factor = |name: &str| efficiency[name].as_f64().unwrap() / 100.0;
    let threads = efficiency["threads"]["parallel_percent"].as_f64().unwrap() / 100.0;
    let product = factor("rank_balance_percent") * factor("communication_percent") * threads;
    assert!((product - factor("parallel_percent")).abs() < 1e-9, "{launcher}: {efficiency:#}");
    assert!(factor("rank_balance_percent") < 0.95, "{launcher}: {efficiency:#}");
}

#[test]
fn a_killed_rank_and_one_that_executes_a_program_keep_what_they_have() {
    for mpi in ALL.into_iter().filter(Mpi::is_there) {
        let folder = compiled("gcc", ENDS);
        assert!(!mpi.trace(folder.path(), "4", &[], &["./app"]), "{}: a rank is killed", mpi.run);
        let document = document(folder.path(), "run");
        let list = document["ranks"]["list"].as_array().unwrap();
        assert_eq!(list.len(), 4, "{}: {list:#?}", mpi.run);
        let processes: Vec<u64> = list.iter().map(|rank| rank["processes"].as_u64().unwrap()).collect();
        assert_eq!(processes, [1, 1, 2, 1], "{}", mpi.run);
        assert_eq!(document["ranks"]["regions"][0]["calls"], 5, "{}", mpi.run);
        let remarks = document["ranks"]["remarks"].as_array().unwrap();
        let killed =
            remarks.iter().find(|remark| remark["text"].as_str().unwrap().contains("did not end in good order"));
        let killed = killed.unwrap()["ranks"].as_array().unwrap();
        assert!(killed.contains(&1.into()), "{}: {remarks:#?}", mpi.run);
    }
}

#[test]
fn ranks_on_one_cpu_are_a_finding() {
    let mpi = ALL[0];
    if !mpi.is_there() {
        return;
    }
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        println!("skipped: there is one CPU only");
        return;
    }
    // Each rank has one CPU, and two threads.
    let folder = compiled(mpi.compiler, PROGRAM);
    let bound = ["--map-by", "core", "--bind-to", "core"];
    if !mpi.trace(folder.path(), "2", &bound, &["./app"]) {
        println!("skipped: {} cannot bind ranks to cores here", mpi.run);
        return;
    }
    let document = document(folder.path(), "run");
    let ranks = &document["ranks"];
    let cpus: Vec<usize> =
        ranks["list"].as_array().unwrap().iter().map(|rank| rank["cpus"].as_array().unwrap().len()).collect();
    assert_eq!(cpus, [1, 1], "{ranks:#}");
    let findings = ranks["findings"].as_array().unwrap();
    let shared = findings.iter().find(|finding| finding["cause"] == "ranks-share-cpus");
    let shared = shared.unwrap_or_else(|| panic!("{findings:#?}"));
    assert!(shared["sentence"].as_str().unwrap().ends_with("has 2 threads on 1 CPU"), "{shared:#}");
}

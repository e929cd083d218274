//! MPI calls in traces, under Open MPI and MPICH: what is recorded agrees with what the programs know of themselves.

use crate::common;
use crate::schema::validated;

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// Debian's names of the two implementations.
const IMPLEMENTATIONS: [&str; 2] = ["openmpi", "mpich"];

/// Notes each call with its bytes, and writes the notes of each rank into a file of its own.
const PROGRAM: &str = include_str!("mpi/calls.c");
/// The same in Fortran, for the modules `mpi` and `mpi_f08`.
const FORTRAN: &str = include_str!("mpi/calls.f90");

/// Calls that never return, intercommunicators, topologies.
const ODD: &str = include_str!("mpi/odd.c");
/// A library whose own functions have names of Fortran's.
const HELPERS: &str = include_str!("mpi/helpers.c");

/// What was recorded, or is known, of one function: calls and bytes.
type Calls = BTreeMap<String, (u64, u64)>;

/// The programs of an implementation, or a line that says why there are none.
fn is_there(implementation: &str) -> bool {
    let there = ["mpicc", "mpirun"].iter().all(|tool| {
        let probe = Command::new(format!("{tool}.{implementation}")).arg("--version").output();
        probe.is_ok_and(|done| done.status.success())
    });
    if !there {
        println!("skipped: {implementation} is not installed (cargo xtask setup does)");
    }
    there
}

/// Compiles a source by the compiler of an implementation.
fn compile(compiler: &str, folder: &Path, source: &str, suffix: &str, options: &[&str]) {
    let file = folder.join("app").with_extension(suffix);
    std::fs::write(&file, source).unwrap();
    let mut command = Command::new(compiler);
    command.args(["-O1", "-g", "-fopenmp", "-o"]).arg(folder.join("app")).arg(&file).args(options);
    let done = command.output().unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(done.status.success(), "{compiler}: {}", common::text(&done.stderr));
}

/// The words that start so many ranks of a program.
fn launch(implementation: &str, ranks: &str) -> Vec<String> {
    let mut words = vec![format!("mpirun.{implementation}")];
    if implementation == "openmpi" {
        words.extend(["--allow-run-as-root", "--oversubscribe"].map(String::from));
    }
    words.extend(["-n", ranks, "./app"].map(String::from));
    words
}

/// A command in a folder. Ranks share CPUs, so teams are small.
fn ferromp(folder: &Path) -> assert_cmd::Command {
    let mut command = common::ferromp(&common::prefix());
    command.current_dir(folder).env("OMP_NUM_THREADS", "2").env("OMP_WAIT_POLICY", "passive");
    command
}

/// Traces so many ranks, and returns the report's traces by rank, with what the command and the program have said.
fn traced(folder: &Path, implementation: &str, ranks: &str, words: &[&str]) -> (BTreeMap<u64, Value>, i32, String) {
    let done = ferromp(folder)
        .args(["trace", "-q", "--force", "-o", "out", "--"])
        .args(launch(implementation, ranks))
        .args(words)
        .output()
        .unwrap();
    let said = common::text(&done.stdout) + &common::text(&done.stderr);
    let report = ferromp(folder).args(["report", "out", "--format", "json"]).output().unwrap();
    assert!(report.status.success(), "{}\n{said}", common::text(&report.stderr));
    let document = validated(&report.stdout);
    let traces = document["traces"].as_array().unwrap().iter();
    (traces.map(|trace| (trace["rank"].as_u64().unwrap(), trace.clone())).collect(), done.status.code().unwrap(), said)
}

/// What a report says of the calls.
fn recorded(trace: &Value) -> Calls {
    let mut calls = Calls::new();
    for call in trace["mpi"]["calls"].as_array().unwrap() {
        let sum = calls.entry(call["function"].as_str().unwrap().to_owned()).or_default();
        sum.0 += call["count"].as_u64().unwrap();
        sum.1 += call["bytes"].as_u64().unwrap();
    }
    calls
}

/// What the program has noted.
fn noted(folder: &Path, rank: u64) -> Calls {
    let mut calls = Calls::new();
    for line in std::fs::read_to_string(folder.join(format!("known-{rank}"))).unwrap().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let sum = calls.entry(words[0].to_owned()).or_default();
        *sum = (sum.0 + 1, sum.1 + words[1].parse::<u64>().unwrap());
    }
    calls
}

#[test]
fn calls_and_bytes_are_those_of_the_program() {
    for implementation in IMPLEMENTATIONS.into_iter().filter(|name| is_there(name)) {
        let folder: TempDir = tempfile::tempdir().unwrap();
        compile(&format!("mpicc.{implementation}"), folder.path(), PROGRAM, "c", &[]);
        for (level, ranks) in [("single", "3"), ("multiple", "2")] {
            let (traces, status, said) = traced(folder.path(), implementation, ranks, &[level]);
            assert_eq!((status, said.contains("all is well")), (0, true), "{implementation} {level}: {said}");
            assert_eq!(traces.len(), ranks.parse::<usize>().unwrap(), "{implementation} {level}");
            for (rank, trace) in &traces {
                assert_eq!(recorded(trace), noted(folder.path(), *rank), "{implementation} {level} rank {rank}");
                places(trace, folder.path(), level);
            }
        }
        slices(folder.path());
    }
}

/// Calls stand at their lines, and times are parts of each other.
fn places(trace: &Value, folder: &Path, level: &str) {
    let source = std::fs::read_to_string(folder.join("app.c")).unwrap();
    let line = 1 + source.lines().position(|line| line.contains("the barrier")).unwrap() as u64;
    let calls = trace["mpi"]["calls"].as_array().unwrap();
    let of = |name: &str| calls.iter().find(|call| call["function"] == name).unwrap_or_else(|| panic!("no {name}"));
    assert_eq!(of("MPI_Barrier")["place"]["line"], line);
    let number = |value: &Value| value.as_u64().unwrap();
    let mpi = &trace["mpi"];
    assert!(number(&mpi["serial_ns"]) + number(&mpi["region_ns"]) <= number(&mpi["total_ns"]), "{mpi:#}");
    assert!(number(&mpi["serial_ns"]) <= number(&trace["serial_ns"]), "{mpi:#}");
    let in_regions = number(&mpi["region_ns"]) > 0;
    assert_eq!(in_regions, level == "multiple", "{mpi:#}");
    for region in trace["regions"].as_array().unwrap() {
        let [mpi, sync] = ["mpi_ns", "sync_ns"].map(|name| number(&region[name]));
        assert!(mpi <= sync, "{region:#}");
    }
    // Each rank waits for the last one: a fifth of a second in a receive.
    assert!(trace["rank"] == 0 || number(&of("MPI_Recv")["max_ns"]) > 100_000_000, "{:#}", of("MPI_Recv"));
    if trace["rank"] != 0 {
        let findings = trace["findings"].as_array().unwrap();
        // On a busy machine other calls may take longer.
        let mut waits = findings.iter().filter(|finding| finding["cause"] == "mpi-waiting");
        assert!(waits.any(|one| one["sentence"].as_str().unwrap().ends_with("MPI_Recv")), "{findings:#?}");
        assert!(findings.iter().all(|finding| finding["cause"] != "serial-phase"), "{findings:#?}");
    }
}

/// Calls are slices in exports, and rows of the table.
fn slices(folder: &Path) {
    let done = ferromp(folder).args(["export", "out", "--to", "csv", "-o", "out.csv", "--force"]).output().unwrap();
    assert!(done.status.success(), "{}", common::text(&done.stderr));
    let table = std::fs::read_to_string(folder.join("out.csv")).unwrap();
    assert!(table.lines().any(|line| line.contains(",mpi,MPI_Recv,") && line.contains("app.c")), "{table}");
    let done = ferromp(folder).args(["report", "out/rank-0", "--mpi"]).output().unwrap();
    let text = common::text(&done.stdout);
    assert!(text.contains("MPI calls, by the threads' time in them") && text.contains("MPI_Allreduce"), "{text}");
}

#[test]
fn fortran_calls_are_recorded_once() {
    for implementation in IMPLEMENTATIONS.into_iter().filter(|name| is_there(name)) {
        for (module, request) in [("mpi", "integer"), ("mpi_f08", "type(MPI_Request)")] {
            let folder: TempDir = tempfile::tempdir().unwrap();
            let source = FORTRAN.replace("MODULE", module).replace("REQUESTS", &format!("{request} :: requests(2)"));
            compile(
                &format!("mpifort.{implementation}"),
                folder.path(),
                &source,
                "f90",
                &["-fallow-argument-mismatch"],
            );
            let (traces, status, said) = traced(folder.path(), implementation, "2", &[]);
            assert_eq!((status, said.contains("all is well")), (0, true), "{implementation} {module}: {said}");
            for (rank, trace) in &traces {
                let calls = recorded(trace);
                let expected = [
                    ("MPI_Init_thread", (1, 0)),
                    ("MPI_Sendrecv", (4, 4 * 800)),
                    ("MPI_Bcast", (2, 2 * 80)),
                    ("MPI_Allreduce", (1, 16)),
                    ("MPI_Gather", (1, 24)),
                    ("MPI_Barrier", (3, 0)),
                    ("MPI_Waitall", (1, 0)),
                    ("MPI_Isend", (1, 40)),
                    ("MPI_Irecv", (1, 40)),
                    ("MPI_Finalize", (1, 0)),
                ];
                let expected: Calls = expected.map(|(name, numbers)| (name.to_owned(), numbers)).into();
                assert_eq!(calls, expected, "{implementation} {module} rank {rank}");
                let calls = trace["mpi"]["calls"].as_array().unwrap();
                assert!(
                    calls.iter().all(|call| call["place"]["file"].as_str().is_some_and(|f| f.ends_with("app.f90")))
                );
            }
        }
    }
}

#[test]
fn a_program_that_is_killed_in_a_call_leaves_the_call() {
    for implementation in IMPLEMENTATIONS.into_iter().filter(|name| is_there(name)) {
        let folder: TempDir = tempfile::tempdir().unwrap();
        compile(&format!("mpicc.{implementation}"), folder.path(), PROGRAM, "c", &[]);
        // The last rank kills itself; the others wait for it in a receive until the launcher ends them.
        let (traces, status, said) = traced(folder.path(), implementation, "2", &["single", "die"]);
        assert_ne!(status, 0, "{implementation}: {said}");
        let waiting = &traces[&0];
        assert_eq!(waiting["finished"], false, "{implementation}");
        assert_eq!(recorded(waiting).get("MPI_Recv"), Some(&(1, 4)), "{implementation}: {waiting:#}");
    }
}

#[test]
fn without_a_recorder_calls_pass_through() {
    for implementation in IMPLEMENTATIONS.into_iter().filter(|name| is_there(name)) {
        let folder: TempDir = tempfile::tempdir().unwrap();
        compile(&format!("mpicc.{implementation}"), folder.path(), PROGRAM, "c", &[]);
        let words = launch(implementation, "2");
        let done = common::command(&words[0])
            .args(&words[1..])
            .arg("multiple")
            .current_dir(folder.path())
            .env("LD_PRELOAD", common::prefix().join("lib/libferromp-mpi.so"))
            .output()
            .unwrap();
        assert!(done.status.success() && done.status.signal().is_none(), "{}", common::text(&done.stderr));
        assert!(common::text(&done.stdout).contains("all is well"), "{implementation}");
    }
}

#[test]
fn odd_calls_are_recorded_and_own_functions_left_alone() {
    for implementation in IMPLEMENTATIONS.into_iter().filter(|name| is_there(name)) {
        let folder: TempDir = tempfile::tempdir().unwrap();
        let compiler = format!("mpicc.{implementation}");
        compile(&compiler, folder.path(), HELPERS, "c", &["-shared", "-fPIC"]);
        let library = folder.path().join("libhelpers.so");
        std::fs::rename(folder.path().join("app"), &library).unwrap();
        compile(&compiler, folder.path(), ODD, "c", &[library.to_str().unwrap()]);
        // Rank 0 has no recorder, and yet no other rank waits for it in vain when clocks are compared.
        let mut words = launch(implementation, "1");
        let without = ["env", "-u", "FERROMP_TOOLS", "-u", "OMP_TOOL_LIBRARIES", "./app"].map(String::from);
        words.splice(words.len() - 1.., without);
        words.extend([":", "-n", "2", "./app"].map(String::from));
        let trace = ["trace", "--clocks", "-q", "-o", "out", "--"];
        let done = ferromp(folder.path()).args(trace).args(&words).output().unwrap();
        let said = common::text(&done.stdout) + &common::text(&done.stderr);
        assert!(done.status.success() && said.contains("all is well"), "{implementation}: {said}");
        let report = ferromp(folder.path()).args(["report", "out", "--format", "json"]).output().unwrap();
        let document = validated(&report.stdout);
        let traces = document["traces"].as_array().unwrap();
        assert_eq!(traces.len(), 2, "{implementation}: {document:#}");
        for trace in traces {
            let expected = [
                ("MPI_Init", (1, 0)),
                ("MPI_Send", (1, 4)),
                ("MPI_Sendrecv", (2, 8)),
                ("MPI_Barrier", (1, 0)),
                ("MPI_Comm_split", (1, 0)),
                ("MPI_Intercomm_create", (1, 0)),
                ("MPI_Reduce_scatter", (1, 32)),
                ("MPI_Reduce_scatter_block", (1, 32)),
                ("MPI_Cart_create", (1, 0)),
                ("MPI_Neighbor_alltoall", (3, 48 + 24 + 12)),
                ("MPI_Finalize", (1, 0)),
            ];
            let expected: Calls = expected.map(|(name, numbers)| (name.to_owned(), numbers)).into();
            assert_eq!(recorded(trace), expected, "{implementation} rank {}", trace["rank"]);
            assert_eq!(trace["finished"], true, "{implementation}");
        }
    }
}

/// Words before a program that give it a clock of its own, or why there are none here.
fn other_clock() -> Result<Vec<String>, String> {
    let words = ["unshare", "--time", "--monotonic", "1000", "--boottime", "1000", "--fork"].map(String::from);
    let done = Command::new(&words[0]).args(&words[1..]).arg("true").output().map_err(|error| error.to_string())?;
    if done.status.success() { Ok(words.to_vec()) } else { Err(common::text(&done.stderr).trim().to_owned()) }
}

#[test]
fn clocks_of_several_hosts_are_compared() {
    let other = match other_clock() {
        Ok(other) => other,
        Err(why) => return println!("skipped: no time namespace can be made here: {why}"),
    };
    for implementation in IMPLEMENTATIONS.into_iter().filter(|name| is_there(name)) {
        let folder: TempDir = tempfile::tempdir().unwrap();
        compile(&format!("mpicc.{implementation}"), folder.path(), PROGRAM, "c", &[]);
        // Rank 1 has a clock that is 1000 s ahead, and stands for another host.
        let mut words = launch(implementation, "1");
        words.extend(["single", ":", "-n", "1"].map(String::from));
        words.extend(other.iter().cloned().chain(["./app", "single"].map(String::from)));
        let done =
            ferromp(folder.path()).args(["trace", "--clocks", "-q", "-o", "out", "--"]).args(&words).output().unwrap();
        let said = common::text(&done.stdout) + &common::text(&done.stderr);
        assert!(done.status.success() && said.contains("all is well"), "{implementation}: {said}");
        let report = ferromp(folder.path()).args(["report", "out", "--format", "json"]).output().unwrap();
        let document = validated(&report.stdout);
        for process in document["processes"]["list"].as_array().unwrap() {
            assert_eq!(process["clock"]["clocks"], 2, "{implementation}: {document:#}");
            assert_eq!(process["clock"]["error_ns"] == 0, process["rank"] == 0, "{implementation}");
        }
        let text = common::text(&ferromp(folder.path()).args(["report", "out"]).output().unwrap().stdout);
        assert!(text.contains("the clocks of 2 hosts agree within"), "{implementation}: {text}");
        // The system's clock is the same in the namespace, so the truth is known.
        let meta = std::fs::read_to_string(folder.path().join("out/rank-1/meta.json")).unwrap();
        let meta: Value = serde_json::from_str(&meta).unwrap();
        let comparisons = meta["comparisons"].as_array().unwrap();
        assert_eq!(comparisons.len(), 2, "{implementation}: one at the begin and one at the end");
        for one in comparisons {
            let (offset, error) = (one["offset_ns"].as_i64().unwrap(), one["error_ns"].as_i64().unwrap());
            // Reading both of its clocks takes a recorder some time.
            assert!(offset.abs() <= error + 50_000, "{implementation}: {one}");
        }
    }
}

#[test]
fn ranks_of_one_host_share_a_clock() {
    for implementation in IMPLEMENTATIONS.into_iter().filter(|name| is_there(name)) {
        let folder: TempDir = tempfile::tempdir().unwrap();
        compile(&format!("mpicc.{implementation}"), folder.path(), PROGRAM, "c", &[]);
        let words = launch(implementation, "2");
        let done = ferromp(folder.path())
            .args(["trace", "--clocks", "-o", "out", "--"])
            .args(&words)
            .arg("single")
            .output()
            .unwrap();
        let said = common::text(&done.stdout) + &common::text(&done.stderr);
        assert!(done.status.success() && !said.contains("the clocks of"), "{implementation}: {said}");
    }
}

/// Opens a library that needs MPI for itself alone, as Python opens its modules.
const HOST: &str = r#"
#include <dlfcn.h>
int main(int argc, char **argv) {
    void *plug = dlopen("./plug.so", RTLD_NOW | RTLD_LOCAL);
    int (*run)(int, char **) = plug ? (int (*)(int, char **))dlsym(plug, "plug") : 0;
    return run ? run(argc, argv) : 9;
}
"#;

#[test]
fn mpi_may_come_late_and_for_one_library_alone() {
    for implementation in IMPLEMENTATIONS.into_iter().filter(|name| is_there(name)) {
        let folder: TempDir = tempfile::tempdir().unwrap();
        let plug = PROGRAM.replace("int main(", "int plug(");
        compile(&format!("mpicc.{implementation}"), folder.path(), &plug, "c", &["-shared", "-fPIC"]);
        std::fs::rename(folder.path().join("app"), folder.path().join("plug.so")).unwrap();
        common::compile("gcc", folder.path(), "app", HOST, &["-ldl"]);
        let (traces, status, said) = traced(folder.path(), implementation, "2", &["multiple"]);
        assert_eq!((status, said.contains("all is well")), (0, true), "{implementation}: {said}");
        for (rank, trace) in &traces {
            assert_eq!(recorded(trace), noted(folder.path(), *rank), "{implementation} rank {rank}");
        }
    }
}

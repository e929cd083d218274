//! Whole runs on the built prefix: the program keeps its streams, status and signals, and the summary says what it did.

use crate::{common, schema};

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Sums in a region, passes stdin on to stdout, says its process id on stderr if asked, and ends with status 7.
const PROGRAM: &str = r#"
#include <omp.h>
#include <stdio.h>
int main(int argc, char **argv) {
    long sum = 0;
    for (int i = 0; i < 100; i++) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
        sum += omp_get_num_threads();
    }
    for (int c; (c = getchar()) != EOF;) putchar(c);
    printf("%s %ld\n", argc > 1 ? argv[1] : "-", sum);
    return 7;
}
"#;

/// The line of the parallel construct in [`PROGRAM`].
const PLACE: &str = "app.c:7";

struct Ground {
    prefix: PathBuf,
    folder: TempDir,
}

impl Ground {
    fn new() -> Self {
        Self { prefix: common::prefix(), folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn ferromp(&self) -> assert_cmd::Command {
        let mut command = common::ferromp(&self.prefix);
        command.current_dir(self.path());
        command
    }

    /// A plain command, for tests that send signals to it.
    fn spawn(&self, words: &[&str]) -> std::process::Child {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("ferromp"));
        command.args(words).current_dir(self.path()).env("FERROMP_PREFIX", &self.prefix);
        let default_signals = || {
            for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
                // SAFETY: sets a signal's default action in the child, which runs no other code yet.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
            }
            Ok(())
        };
        // The process that runs the tests may ignore signals, as nohup does, and a child would inherit this.
        // SAFETY: only async-signal-safe calls between fork and exec.
        unsafe { command.pre_exec(default_signals) };
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Folders beside the program, sorted.
    fn folders(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap().flatten();
        let mut names: Vec<String> =
            entries.filter(|e| e.path().is_dir()).map(|e| e.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn send(pid: u32, signal: i32) {
    // SAFETY: plain system call to a child that has not been waited for.
    assert_eq!(unsafe { libc::kill(pid as i32, signal) }, 0);
}

fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let since = Instant::now();
    while !condition() {
        assert!(since.elapsed() < Duration::from_secs(60), "{what} did not come");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn both_compilers_programs_keep_what_is_theirs() {
    for compiler in ["clang-19", "gcc"] {
        let ground = Ground::new();
        common::compile(compiler, ground.path(), "app", PROGRAM, &[]);
        let words = ["trace", "-o", "out", "--", "./app", "--force"];
        let done = ground.ferromp().args(words).write_stdin("from stdin\n").output().unwrap();
        let summary = common::text(&done.stderr);
        assert_eq!(done.status.code(), Some(7), "{compiler}: {summary}");
        assert_eq!(common::text(&done.stdout), "from stdin\n--force 900\n", "{compiler}");
        assert!(summary.contains(PLACE), "{compiler}: {summary}");
        assert!(summary.contains("ferromp export out --to perfetto"), "{compiler}: {summary}");

        let report = ground.ferromp().args(["report", "out"]).output().unwrap();
        assert!(report.status.success() && report.stderr.is_empty());
        assert!(common::text(&report.stdout).contains(PLACE));

        let json = ground.ferromp().args(["report", "out", "--format", "json"]).output().unwrap();
        let json = schema::validated(&json.stdout);
        let trace = &json["traces"][0];
        let made_by = if compiler == "gcc" { "GNU C" } else { "clang version 19" };
        assert!(trace["compilers"][0].as_str().unwrap().contains(made_by), "{compiler}: {trace:#}");
        let region = &trace["regions"][0];
        assert_eq!((region["calls"].as_u64(), region["max_threads"].as_u64()), (Some(100), Some(3)), "{compiler}");
        assert_eq!(region["place"]["line"].as_u64(), Some(7), "{compiler}");
        assert_eq!((&trace["finished"], &trace["lost"]), (&true.into(), &0.into()), "{compiler}");
        let parts =
            ["work_ns", "barrier_ns", "sync_ns", "idle_ns", "runtime_ns"].map(|part| region[part].as_u64().unwrap());
        let total = region["thread_ns"].as_u64().unwrap();
        assert!(parts.iter().sum::<u64>() <= total + total / 100, "{compiler}: {region}");

        let export = ground.ferromp().args(["export", "out/", "--to", "perfetto"]).output().unwrap();
        assert!(export.status.success(), "{}", common::text(&export.stderr));
        let file = ground.path().join("out.perfetto-trace");
        assert!(file.metadata().unwrap().len() > 1000);
        let again = ground.ferromp().args(["export", "out", "--to", "perfetto"]).output().unwrap();
        assert_eq!(again.status.code(), Some(125));
        let line = "ferromp: out.perfetto-trace: exists already; --force replaces it\n";
        assert_eq!(common::text(&again.stderr), line);
        let piped = ground.ferromp().args(["export", "out", "--to", "perfetto", "-o", "-"]).output().unwrap();
        assert_eq!(piped.stdout.len() as u64, file.metadata().unwrap().len());
    }
}

/// Copies an array to a device, has two regions there, and a third one with `nowait`.
const TARGETS: &str = r#"
#include <stdio.h>
int main(void) {
    static double a[1000];
    double sum = 0;
#pragma omp target data map(tofrom : a)
    for (int turn = 0; turn < 2; turn++) {
#pragma omp target
#pragma omp parallel for num_threads(3)
        for (int i = 0; i < 1000; i++) a[i] += 1;
    }
#pragma omp target map(tofrom : a) nowait
    a[0] += 1;
#pragma omp taskwait
    for (int i = 0; i < 1000; i++) sum += a[i];
    printf("%g\n", sum);
    return 0;
}
"#;

#[test]
fn devices_are_recorded_by_themselves() {
    let ground = Ground::new();
    let options = ["-g", "-O1", "-fopenmp-targets=x86_64-pc-linux-gnu"];
    common::compile("clang-19", ground.path(), "app", TARGETS, &options);
    let done = ground.ferromp().args(["trace", "-o", "out", "--", "./app"]).output().unwrap();
    let said = common::text(&done.stderr);
    assert_eq!(common::text(&done.stdout), "2001\n", "{said}");
    let json = ground.ferromp().args(["report", "out", "--format", "json"]).output().unwrap();
    let json = schema::validated(&json.stdout);
    let trace = &json["traces"][0];
    assert_eq!(trace["devices"].as_array().unwrap().len(), 1, "{trace:#}");
    let sum = |field: &str| {
        trace["targets"].as_array().unwrap().iter().map(|site| site[field].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((sum("kernels"), sum("to_bytes"), sum("from_bytes")), (3, 16000, 16000), "{trace:#}");
    assert!(sum("kernel_ns") > 0 && sum("copy_ns") > 0, "{trace:#}");
    let target = trace["targets"].as_array().unwrap().iter().find(|site| site["construct"] == "target").unwrap();
    assert_eq!((&target["calls"], &target["kernels"]), (&2.into(), &2.into()), "{target:#}");
    // The region inside of the kernel is the device's own, and named after the copy of the program's code for it.
    let region = trace["regions"].as_array().unwrap().iter().find(|region| region["max_threads"] == 3).unwrap();
    assert_eq!((&region["calls"], &region["place"]["line"]), (&2.into(), &8.into()), "{region:#}");
    let export = ground.ferromp().args(["export", "out", "--to", "perfetto"]).output().unwrap();
    assert!(export.status.success(), "{}", common::text(&export.stderr));
}

#[test]
fn devices_are_checked() {
    let ground = Ground::new();
    common::compile("clang-19", ground.path(), "app", TARGETS, &["-O1", "-fopenmp-targets=x86_64-pc-linux-gnu"]);
    let done = ground.ferromp().args(["check", "--", "./app"]).env("FERROMP_HOST_DEVICES", "2").output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", common::text(&done.stderr));
}

#[test]
fn scripts_and_wrappers_and_names_in_path() {
    let ground = Ground::new();
    common::compile("gcc", ground.path(), "app", PROGRAM, &[]);
    let script = ground.path().join("script");
    std::fs::write(&script, "#!/usr/bin/env sh\n./app \"$1\" </dev/null\necho then $?\nexit 3\n").unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", ground.path().display(), std::env::var("PATH").unwrap());
    let plain = ground.path().join("plain");
    std::fs::write(&plain, "./app \"$1\" </dev/null\nexit 4\n").unwrap();
    std::fs::set_permissions(&plain, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let cases: [(&str, &[&str], i32, &str); 4] = [
        ("without #!", &["./plain", "y"], 4, "y 900\n"),
        ("script", &["script", "a b"], 3, "a b 900\nthen 7\n"),
        ("wrapper", &["sh", "-c", "./app x </dev/null; exit 5"], 5, "x 900\n"),
        ("named", &["app"], 7, "- 900\n"),
    ];
    for (name, words, status, output) in cases {
        let done = ground
            .ferromp()
            .env("PATH", &path)
            .args(["trace", "-o", &format!("out-{name}"), "--"])
            .args(words)
            .output()
            .unwrap();
        assert_eq!((done.status.code(), common::text(&done.stdout)), (Some(status), output.to_owned()), "{name}");
        assert!(common::text(&done.stderr).contains(PLACE), "{name}: {}", common::text(&done.stderr));
    }
}

#[test]
fn each_process_has_its_own_trace() {
    let ground = Ground::new();
    common::compile("gcc", ground.path(), "app", PROGRAM, &[]);
    let script = "./app one </dev/null & ./app two </dev/null & wait";
    let done = ground.ferromp().args(["trace", "-q", "-o", "out", "sh", "-c", script]).output().unwrap();
    assert!(done.status.success());
    assert!(done.stderr.is_empty(), "{}", common::text(&done.stderr));
    let json = ground.ferromp().args(["report", "out", "--format", "json"]).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let traces = json["traces"].as_array().unwrap();
    assert_eq!(traces.len(), 2);
    assert_ne!(traces[0]["pid"], traces[1]["pid"]);
    for trace in traces {
        assert_eq!(trace["regions"][0]["calls"].as_u64(), Some(100));
    }
    let replaced = ground.ferromp().args(["trace", "-q", "--force", "-o", "out", "./app"]).output().unwrap();
    assert_eq!(replaced.status.code(), Some(7), "{}", common::text(&replaced.stderr));
    let report = ground.ferromp().args(["report", "out", "--format", "json"]).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(json["traces"].as_array().unwrap().len(), 1);
}

#[test]
fn a_program_without_openmp_is_told_apart() {
    let ground = Ground::new();
    let done = ground.ferromp().args(["trace", "true"]).output().unwrap();
    assert!(done.status.success() && done.stdout.is_empty());
    let line =
        "ferromp: true used no OpenMP that ferromp can see; nothing was recorded (ferromp doctor true tells more)\n";
    assert_eq!(common::text(&done.stderr), line);
    assert!(ground.folders().is_empty(), "{:?}", ground.folders());
}

#[test]
fn folders_are_named_after_program_and_rank() {
    let ground = Ground::new();
    common::compile("gcc", ground.path(), "app", PROGRAM, &[]);
    let run = |output: &[&str]| {
        let words = [&["trace", "-q"], output, &["./app"]].concat();
        let done = ground.ferromp().env("OMPI_COMM_WORLD_RANK", "6").args(words).output().unwrap();
        assert_eq!(done.status.code(), Some(7), "{}", common::text(&done.stderr));
    };
    run(&["-o", "deep/%%-r%r"]);
    assert!(ground.path().join("deep/%-r6/meta.json").is_file());
    run(&["-o", "ranks"]);
    assert!(ground.path().join("ranks/rank-6/meta.json").is_file());
    assert_eq!(ground.folders(), ["deep", "ranks"]);
    run(&[]);
    let name = ground.folders().into_iter().find(|name| name.starts_with("ferromp")).unwrap();
    assert!(name.starts_with("ferromp-app-20"), "{name}");
}

#[test]
fn signals_are_the_programs() {
    let ground = Ground::new();
    let source = r#"
#include <signal.h>
#include <unistd.h>
static void note(int signal) { write(1, signal == SIGHUP ? "hup\n" : "usr\n", 4); }
int main(void) {
    signal(SIGHUP, note), signal(SIGUSR1, note);
    int n = 0;
#pragma omp parallel reduction(+ : n)
    n++;
    write(1, "ready\n", 6);
    for (;;) pause();
}
"#;
    common::compile("gcc", ground.path(), "waits", source, &[]);
    let child = ground.spawn(&["trace", "-o", "out", "./waits"]);
    let pid = child.id();
    let stdout = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let mut child = child;
    let (mut pipe, text) = (child.stdout.take().unwrap(), stdout.clone());
    let reader = std::thread::spawn(move || {
        let mut bytes = [0; 64];
        while let Ok(count @ 1..) = std::io::Read::read(&mut pipe, &mut bytes) {
            text.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    });
    wait_for("ready", || stdout.lock().unwrap().contains("ready"));
    // The terminal would send this one to the program as well; here it goes to the command alone, which ignores it.
    send(pid, libc::SIGINT);
    send(pid, libc::SIGHUP);
    wait_for("SIGHUP", || stdout.lock().unwrap().contains("hup"));
    send(pid, libc::SIGUSR1);
    wait_for("SIGUSR1", || stdout.lock().unwrap().contains("usr"));
    send(pid, libc::SIGTERM);
    let done = child.wait_with_output().unwrap();
    reader.join().unwrap();
    assert_eq!((done.status.code(), done.status.signal()), (Some(128 + libc::SIGTERM), None));
    let said = common::text(&done.stderr);
    assert!(said.contains("./waits was killed by signal 15 (SIGTERM)"), "{said}");
    assert!(said.contains("waits.c:8"), "what was recorded until the signal is missing: {said}");
}

#[test]
fn what_nohup_ignores_stays_ignored() {
    let ground = Ground::new();
    let script = "kill -HUP $$; echo alive";
    let mut command = Command::new("nohup");
    command.arg(assert_cmd::cargo::cargo_bin("ferromp")).args(["trace", "-q", "sh", "-c", script]);
    let done = command.current_dir(ground.path()).env("FERROMP_PREFIX", &ground.prefix).output().unwrap();
    assert_eq!(common::text(&done.stdout), "alive\n", "{}", common::text(&done.stderr));
}

#[test]
fn a_program_in_another_pid_namespace_is_not_killed() {
    let ground = Ground::new();
    let apart = Command::new("unshare").args(["-pf", "true"]).stderr(Stdio::null()).status();
    if !apart.is_ok_and(|status| status.success()) {
        return println!("skipped: no pid namespace can be made here");
    }
    let source = r#"
#include <stdio.h>
#include <unistd.h>
static void regions(void) {
    int n = 0;
    for (int i = 0; i < 100; i++) {
#pragma omp parallel num_threads(2) reduction(+ : n)
        n++;
    }
}
int main(void) {
    char byte;
    regions();
    puts("begun"), fflush(stdout);
    if (read(0, &byte, 1) != 1) return 1;
    regions();
    puts("done");
    return 0;
}
"#;
    common::compile("gcc", ground.path(), "app", source, &[]);
    // Its number is one that no process here has, or another one than itself.
    let inner = "for i in $(seq 90); do /bin/true; done; ./app";
    let script =
        format!("mkfifo go; unshare -pf sh -c '{inner}' <>go >said 2>&1 & while [ ! -s said ]; do sleep 0.02; done");
    let words = ["trace", "-q", "-o", "out", "--", "sh", "-c", &script];
    let done = ground.ferromp().args(words).output().unwrap();
    assert!(done.status.success() && done.stderr.is_empty(), "{}", common::text(&done.stderr));
    assert!(ground.path().join("out/meta.json").is_file());
    std::fs::write(ground.path().join("go"), "x").unwrap();
    let said = || std::fs::read_to_string(ground.path().join("said")).unwrap();
    wait_for("the program's end", || said() == "begun\ndone\n");
}

#[test]
fn what_a_killed_program_had_reserved_is_given_back() {
    let ground = Ground::new();
    let source = PROGRAM.replace("return 7", "return raise(9)").replace("<stdio.h>", "<stdio.h>\n#include <signal.h>");
    common::compile("gcc", ground.path(), "app", &source, &[]);
    let done = ground.ferromp().args(["trace", "-q", "-o", "out", "./app"]).output().unwrap();
    assert_eq!(done.status.code(), Some(128 + 9));
    let length = ground.path().join("out/thread-00000.fmt").metadata().unwrap().len();
    assert!(length < ferromp_trace::store::segment::FIRST, "{length}");
}

#[test]
fn a_file_size_limit_costs_one_line() {
    let ground = Ground::new();
    common::compile("gcc", ground.path(), "app", PROGRAM, &[]);
    let run = |limit: u32, argument: &str| {
        let ferromp = assert_cmd::cargo::cargo_bin("ferromp");
        let script = format!("ulimit -f {limit}; exec {} trace -o out ./app {argument} </dev/null", ferromp.display());
        let mut command = Command::new("bash");
        command.args(["-c", &script]).current_dir(ground.path()).env("FERROMP_PREFIX", &ground.prefix);
        let done = command.output().unwrap();
        (done.status.code(), common::text(&done.stderr))
    };
    let (status, said) = run(2, &"x".repeat(3000));
    assert_eq!((status, said.lines().count()), (Some(7), 1), "{said}");
    assert!(said.starts_with("ferromp: ") && said.contains("File too large"), "{said}");
    assert!(ground.folders().is_empty());
    // The disk has space for the description, and none for a thread.
    let (status, said) = run(64, "x");
    assert_eq!(status, Some(7), "{said}");
    assert!(said.contains("cannot record thread 0") && said.contains("nothing could be recorded"), "{said}");
}

#[test]
fn a_recording_that_was_ended_at_its_begin_is_told() {
    let ground = Ground::new();
    let done = ground.ferromp().args(["trace", "-o", "out", "--", "sh", "-c", ": > out/meta.json"]).output().unwrap();
    let line = "ferromp: out: nothing was recorded: sh was ended when the recording had just begun\n";
    assert_eq!((done.status.code(), common::text(&done.stderr).as_str()), (Some(0), line));
    assert!(ground.folders().is_empty());
}

#[test]
fn names_that_a_terminal_would_obey_are_spelled_out() {
    let ground = Ground::new();
    let name = "a\x1b]0;title\x07\x1b[31mb\u{9b}2J\u{202e}c";
    common::compile("gcc", ground.path(), name, PROGRAM, &[]);
    let program = format!("./{name}");
    let harmless = |text: &[u8]| {
        let text = common::text(text);
        assert!(text.chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')), "{text:?}");
        assert!(text.is_empty() || !text.contains("title") || text.contains("]0;title"), "{text:?}");
    };
    let run = |words: &[&str]| {
        let done = ground.ferromp().args(words).output().unwrap();
        harmless(&done.stderr);
        // The program says something too, in this test nothing that acts.
        harmless(&done.stdout);
        done
    };
    let said = common::text(&run(&["trace", "-o", "out", "--", &program]).stderr);
    assert!(said.contains(r"a\x1b]0;title\x07"), "{said}");
    run(&["report", "out"]);
    let json = run(&["report", "out", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(json["traces"][0]["program"].as_str().unwrap().ends_with(name), "{json:#}");
    run(&["check", "--", &program]);
    run(&["check", "--format", "json", "--", &program]);
    run(&["doctor", &program]);
    run(&["export", "out", "--to", "perfetto", "-o", name]);
    // The folder's name is to be typed, so it has no such character at all.
    run(&["trace", "--", &program]);
    assert!(
        ground.folders().iter().any(|folder| folder.starts_with("ferromp-a__0_title___31mb_2J_c-")),
        "{:?}",
        ground.folders()
    );
}

#[test]
fn run_puts_the_program_in_its_own_place() {
    let ground = Ground::new();
    let child = ground.spawn(&["run", "--", "sh", "-c", "echo $$ $0 $LD_PRELOAD"]);
    let pid = child.id();
    let done = child.wait_with_output().unwrap();
    let runtime = ground.prefix.join("lib/libferromp.so");
    assert_eq!(common::text(&done.stdout), format!("{pid} sh {}\n", runtime.display()));
    assert!(ground.folders().is_empty());
}

#[test]
fn the_users_own_settings_are_kept() {
    let ground = Ground::new();
    let script =
        "echo $LD_LIBRARY_PATH; echo $LD_PRELOAD; echo $OMP_TOOL_LIBRARIES; echo $FERROMP_TOOLS; echo $OMP_TOOL";
    let mut command = ground.ferromp();
    command.env("LD_LIBRARY_PATH", "/mine").env("LD_PRELOAD", "libc.so.6").env("OMP_TOOL_LIBRARIES", "mine.so");
    command.env("FERROMP_TOOLS", "other.so").env("OMP_TOOL", "disabled");
    let done = command.args(["trace", "-q", "--tool", "third.so", "sh", "-c", script]).output().unwrap();
    let lib = ground.prefix.join("lib").display().to_string();
    let expected = format!(
        "{lib}:/mine\nlibc.so.6:{lib}/libferromp.so\nmine.so\nother.so:third.so:{lib}/libferromp-trace.so\nenabled\n"
    );
    assert_eq!(common::text(&done.stdout), expected);
    let notes = common::text(&done.stderr);
    assert!(notes.contains("OMP_TOOL=disabled would keep the recorder out"));
}

/// An OMPT tool that says how many regions it saw.
const TOOL: &str = r#"
#include <omp-tools.h>
#include <stdio.h>
static int regions;
static void begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region, unsigned n, int flags, const void *code) {
    regions++;
    region->value = 42;
}
static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    ((ompt_set_callback_t)lookup("ompt_set_callback"))(ompt_callback_parallel_begin, (ompt_callback_t)begin);
    return 1;
}
static void finish(ompt_data_t *data) { fprintf(stderr, "%s saw %d regions\n", NAME, regions); }
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    static ompt_start_tool_result_t result = {start, finish, {0}};
    return &result;
}
"#;

/// The folder with `omp-tools.h`.
fn header() -> String {
    format!("-I{}/../ompt/include", env!("CARGO_MANIFEST_DIR"))
}

fn tool(ground: &Ground, name: &str) -> PathBuf {
    let name_in_c = format!("-DNAME=\"{name}\"");
    common::compile(
        "gcc",
        ground.path(),
        &format!("lib{name}.so"),
        TOOL,
        &[&header(), &name_in_c, "-shared", "-fPIC", "-fno-openmp"],
    )
}

#[test]
fn tools_run_beside_the_recorder() {
    let ground = Ground::new();
    let program = common::compile("gcc", ground.path(), "app", PROGRAM, &[]);
    let (first, second) = (tool(&ground, "first"), tool(&ground, "second"));
    let mut command = ground.ferromp();
    command.env("OMP_TOOL_LIBRARIES", &second).args(["trace", "--tool", "./libfirst.so", "--"]).arg(&program);
    let done = command.output().unwrap();
    assert_eq!(done.status.code(), Some(7));
    let said = common::text(&done.stderr);
    for words in ["first saw 100 regions\n", "second saw 100 regions\n", PLACE] {
        assert!(said.contains(words), "`{words}` is not in {said}");
    }
    let mut command = ground.ferromp();
    command.args(["run", "--tool"]).arg(&first).arg("--tool").arg(&second).args(["--"]).arg(&program);
    let said = common::text(&command.output().unwrap().stderr);
    assert_eq!(said, "second saw 100 regions\nfirst saw 100 regions\n");
}

#[test]
fn a_tool_of_the_programs_own_does_not_keep_the_recorder_out() {
    let ground = Ground::new();
    let source = format!("{TOOL}\n{PROGRAM}");
    let options = [&header(), "-DNAME=\"own\"", "-rdynamic"];
    let program = common::compile("gcc", ground.path(), "app", &source, &options);
    let done = ground.ferromp().args(["trace", "--"]).arg(&program).output().unwrap();
    let said = common::text(&done.stderr);
    assert!(said.contains("own saw 100 regions\n") && said.contains("app.c:"), "{said}");
}

#[test]
fn a_tool_that_cannot_be_loaded_does_not_keep_the_recorder_out() {
    let ground = Ground::new();
    let program = common::compile("gcc", ground.path(), "app", PROGRAM, &[]);
    std::fs::write(ground.path().join("no.so"), "no library").unwrap();
    let done = ground
        .ferromp()
        .args(["trace", "--tool", "./no.so", "--tool", "libnowhere.so", "--"])
        .arg(&program)
        .output()
        .unwrap();
    let said = common::text(&done.stderr);
    assert!(said.contains("no.so is not a tool") && said.contains("libnowhere.so is not a tool"), "{said}");
    assert!(said.contains(PLACE), "{said}");
}

#[test]
fn a_pipe_that_closes_early_harms_nobody() {
    let ground = Ground::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("ferromp"));
    child.arg0("ferromp").args(["completions", "zsh"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.current_dir(ground.path()).spawn().unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    let end = child.wait().unwrap();
    assert!(said.is_empty(), "{said}");
    assert!(end.success() || end.signal() == Some(libc::SIGPIPE), "{end}");
}

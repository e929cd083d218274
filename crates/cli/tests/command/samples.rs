//! Samples in whole runs: what they show, and that programs do not notice them.

use crate::common;

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Spends four fifths of a region in one function, and all time outside of regions in another.
const SHARES: &str = r#"
#include <stdio.h>
static volatile double sink;
#define WORK(name) \
    __attribute__((noinline)) double name(long n) { \
        double x = 0; \
        for (long i = 0; i < n; i++) x += 1.0 / (i + 1.0); \
        sink = x; \
        return x + 1; \
    }
WORK(much)
WORK(little)
WORK(innermost)
__attribute__((noinline)) double alone(long n) { return innermost(n) + 1; }
int main(void) {
    double sum = 0;
    for (int k = 0; k < 10; k++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        sum += much(12000000) + little(3000000);
        sum += alone(12000000);
    }
    printf("%g\n", sum);
}
"#;

/// What the programs below share: work for so many milliseconds of the thread's CPU time.
const SPIN: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}
__attribute__((noinline)) void spin(double ms) {
    double end = cpu() + ms;
    volatile long x = 0;
    while (cpu() < end)
        for (int i = 0; i < 20000; i++) x += 1;
}
static void team(double ms) {
#pragma omp parallel num_threads(2)
    spin(ms);
}
static volatile int timers;
static void on_signal(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    if (info->si_code == SI_TIMER) __atomic_fetch_add(&timers, 1, __ATOMIC_RELAXED);
}
static void handle(int from, int to, void (*how)(int, siginfo_t *, void *)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_flags = how ? SA_SIGINFO : 0;
    if (how) action.sa_sigaction = how;
    else action.sa_handler = SIG_DFL;
    for (int signal = from; signal <= to; signal++) sigaction(signal, &action, 0);
}
"#;

struct Ground {
    prefix: PathBuf,
    folder: tempfile::TempDir,
}

impl Ground {
    fn new() -> Ground {
        Ground { prefix: common::prefix(), folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Compiles and records a program that ends well. Returns its output.
    fn trace(&self, compiler: &str, source: &str, options: &[&str]) -> String {
        common::compile(compiler, self.path(), "app", source, &["-lm"]);
        let mut command = common::ferromp(&self.prefix);
        command.current_dir(self.path()).args(["trace", "--quiet", "--force", "-o", "out"]).args(options);
        let done = command.args(["--", "./app"]).output().unwrap();
        assert!(done.status.success(), "{:?} {}", done.status, common::text(&done.stderr));
        assert_eq!(common::text(&done.stderr), "");
        common::text(&done.stdout)
    }

    /// The samples of a trace in JSON.
    fn samples(&self, trace: &str) -> Value {
        let mut command = common::ferromp(&self.prefix);
        let told = command.current_dir(self.path()).args(["report", "--format", "json", trace]).output().unwrap();
        assert!(told.status.success(), "{}", common::text(&told.stderr));
        let document: Value = serde_json::from_slice(&told.stdout).unwrap();
        document["traces"][0]["samples"].clone()
    }

    fn files(&self, start: &str) -> usize {
        let entries = std::fs::read_dir(self.path().join("out")).unwrap().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(start)).count()
    }
}

/// The part of an activity's samples that a function has, with what it calls, in percent.
fn share(samples: &Value, activity: &str, function: &str) -> f64 {
    let activities = samples["activities"].as_array().unwrap();
    let of = activities.iter().find(|of| of["activity"] == activity).unwrap_or_else(|| panic!("{activity}: {samples}"));
    let functions = of["functions"].as_array().unwrap();
    let row = functions.iter().find(|row| row["function"] == function);
    row.map_or(0.0, |row| 100.0 * row["inclusive"].as_f64().unwrap() / of["count"].as_f64().unwrap())
}

#[test]
fn both_compilers_functions_have_their_shares() {
    for compiler in ["gcc", "clang-19"] {
        let ground = Ground::new();
        ground.trace(compiler, SHARES, &[]);
        let samples = ground.samples("out");
        assert_eq!(samples["rate"], 199);
        assert!(samples["count"].as_u64().unwrap() > 40, "{samples}");
        let (much, little) = (share(&samples, "region", "much"), share(&samples, "region", "little"));
        assert!((60.0..95.0).contains(&much) && (5.0..40.0).contains(&little), "{compiler}: {much} {little}");
        assert_eq!(share(&samples, "region", "alone"), 0.0);
        for function in ["innermost", "alone", "main"] {
            let found = share(&samples, "outside regions", function);
            assert!(found > 90.0, "{compiler}: {function} {found}: {samples}");
        }
        // Nothing of the C library that calls `main`.
        assert!(!samples.to_string().contains("__libc_start"), "{samples}");
        let report = common::ferromp(&ground.prefix)
            .current_dir(ground.path())
            .args(["report", "out", "--regions", "--samples"])
            .output()
            .unwrap();
        let report = common::text(&report.stdout);
        assert!(report.contains("Where the CPU time was spent") && report.contains("much (app.c:"), "{report}");
    }
}

#[test]
fn without_samples_there_is_no_file() {
    let ground = Ground::new();
    let program = [SPIN, "int main(void) { team(60); }"].concat();
    ground.trace("gcc", &program, &["--no-samples"]);
    assert_eq!((ground.files("thread-"), ground.files("samples-")), (2, 0));
    assert_eq!(ground.samples("out")["count"], 0);
    // The same folder again, with samples.
    ground.trace("gcc", &program, &[]);
    assert_eq!((ground.files("thread-"), ground.files("samples-")), (2, 2));
    assert!(ground.samples("out")["count"].as_u64().unwrap() > 5);
    ground.trace("gcc", &program, &["--no-samples"]);
    assert_eq!(ground.files("samples-"), 0, "those of the former trace are gone");
}

#[test]
fn signals_that_the_program_handles_stay_the_programs() {
    // The program comes first: the samples take another signal.
    let program = r#"
int main(void) {
    handle(SIGURG, SIGURG, on_signal);
    handle(SIGRTMIN, SIGRTMAX - 4, on_signal);
    team(100);
    raise(SIGURG);
    printf("%d\n", timers);
}"#;
    let ground = Ground::new();
    assert_eq!(ground.trace("gcc", &[SPIN, program].concat(), &[]), "0\n");
    assert!(ground.samples("out")["count"].as_u64().unwrap() > 10);
    // The samples came first: each thread sends one signal at most.
    let program = r#"
int main(void) {
    team(100);
    handle(SIGURG, SIGURG, on_signal);
    handle(SIGRTMIN, SIGRTMAX, on_signal);
    team(200);
    printf("%d\n", timers);
}"#;
    let stray: u32 = ground.trace("gcc", &[SPIN, program].concat(), &[]).trim().parse().unwrap();
    assert!(stray <= 2, "{stray} signals");
    assert!(ground.samples("out")["count"].as_u64().unwrap() > 10);
    // The program resets all signals.
    let program = "int main(void) { team(50); handle(1, SIGRTMAX, 0); team(100); puts(\"ok\"); }";
    assert_eq!(ground.trace("gcc", &[SPIN, program].concat(), &[]), "ok\n");
}

#[test]
fn blocked_signals_wait_and_errno_is_kept() {
    let program = r#"
int main(void) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
    {
        pthread_sigmask(SIG_SETMASK, &all, 0);
        spin(60);
        sigset_t now;
        pthread_sigmask(SIG_SETMASK, &none, &now);
        wrong += !sigismember(&now, SIGURG) || !sigismember(&now, SIGRTMAX - 1);
        errno = 4711;
        spin(60);
        wrong += errno != 4711;
    }
    printf("%d\n", wrong);
}"#;
    let ground = Ground::new();
    assert_eq!(ground.trace("gcc", &[SPIN, program].concat(), &[]), "0\n");
    let count = ground.samples("out")["count"].as_u64().unwrap();
    assert!((5..40).contains(&count), "{count}");
}

#[test]
fn sleepers_are_not_woken() {
    let program = r#"
int main(void) {
    int broken = 0;
#pragma omp parallel num_threads(2) reduction(+ : broken)
    for (int i = 0; i < 200; i++) {
        struct timespec one = {0, 1000000};
        broken += nanosleep(&one, 0) != 0;
        broken += poll(0, 0, 1) != 0;
    }
    printf("%d\n", broken);
}"#;
    let ground = Ground::new();
    let broken: u32 = ground.trace("gcc", &[SPIN, program].concat(), &[]).trim().parse().unwrap();
    // A thread that sleeps uses hardly any CPU time. A sample may fall into the call all the same.
    assert!(broken <= 8, "{broken} of 800 calls were interrupted");
}

#[test]
fn a_forked_child_has_samples_of_its_own() {
    let program = r#"
int main(void) {
    team(60);
    pid_t child = fork();
    if (child == 0) {
        team(100);
        exit(0);
    }
    int status;
    while (waitpid(child, &status, 0) < 0) {}
    spin(100);
    printf("%d %d\n", child, status);
}"#;
    let ground = Ground::new();
    let said = ground.trace("gcc", &[SPIN, program].concat(), &[]);
    let (child, status) = said.trim().split_once(' ').unwrap();
    assert_eq!(status, "0");
    assert!(ground.samples("out")["count"].as_u64().unwrap() > 15, "the parent goes on");
    let samples = ground.samples(&format!("out/process-{child}"));
    assert!(samples["count"].as_u64().unwrap() > 10 && share(&samples, "region", "spin") > 80.0, "{samples}");
}

#[test]
fn a_damaged_file_of_samples_spoils_nothing_else() {
    let ground = Ground::new();
    ground.trace("gcc", &[SPIN, "int main(void) { team(60); }"].concat(), &[]);
    let file = ground.path().join("out/samples-00000.fmt");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[4096 + 20..].fill(0xff);
    std::fs::write(&file, bytes).unwrap();
    let report = common::ferromp(&ground.prefix)
        .current_dir(ground.path())
        .args(["report", "out", "--regions", "--samples"])
        .output()
        .unwrap();
    let report = common::text(&report.stdout);
    assert!(report.contains("damaged: samples-00000.fmt: "), "{report}");
    assert!(report.contains("Parallel regions") && report.contains("Where the CPU time was spent"), "{report}");
}

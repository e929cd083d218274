//! `ferromp check` on small programs, each with one fault. The report names file and line, at once if the program
//! hangs, and the exit status reports the fault. Correct programs stay quiet and keep their status.

use crate::common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A fault: its name, the program, the rule, and words of the report, places among them.
struct Fault {
    name: &'static str,
    source: &'static str,
    rule: &'static str,
    words: &'static [&'static str],
}

/// Programs that end.
const ENDING: &[Fault] = &[
    Fault {
        name: "kept",
        source: r#"
#include <omp.h>
omp_lock_t lock;
int main(void) {
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
#pragma omp single
    omp_set_lock(&lock);
    return 5;
}
"#,
        rule: "lock-kept",
        words: &["a parallel region ended while its thread still owned a lock", "kept.c:8"],
    },
    Fault {
        name: "destroyed",
        source: r#"
#include <omp.h>
omp_lock_t lock;
int main(void) {
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    omp_destroy_lock(&lock);
    return 5;
}
"#,
        rule: "lock-destroyed",
        words: &["a lock is destroyed while it is set", "destroyed.c:7", "destroyed.c:6"],
    },
    Fault {
        name: "foreign",
        source: r#"
#include <omp.h>
omp_lock_t lock;
int main(void) {
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            omp_unset_lock(&lock);
#pragma omp barrier
    }
    return 5;
}
"#,
        rule: "lock-not-owned",
        words: &["the task that owns it runs on thread 0", "foreign.c:10", "foreign.c:6"],
    },
    Fault {
        name: "uninitialized",
        source: r#"
#include <omp.h>
omp_lock_t lock;
int main(void) {
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    return 5;
}
"#,
        rule: "lock-uninitialized",
        words: &["a lock is used that was not initialised", "uninitialized.c:5"],
    },
    Fault {
        name: "missed",
        source: r#"
#include <omp.h>
int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp barrier
            omp_get_wtime();
        }
    }
    return 5;
}
"#,
        rule: "barrier-missed",
        words: &["thread 1 of a team waits in a barrier that thread 0 has passed by", "missed.c:"],
    },
    Fault {
        name: "shared",
        source: r#"
#include <omp.h>
__attribute__((noinline)) void part(void) {
#pragma omp single nowait
    omp_get_wtime();
}
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) part();
    return 5;
}
"#,
        rule: "worksharing-nesting",
        words: &["a single region inside of a worksharing loop", "part (shared.c:", "main"],
    },
    Fault {
        name: "turn",
        source: r#"
__attribute__((noinline)) void meet(void) {
#pragma omp barrier
    __asm__ volatile("");
}
int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp critical
    meet();
    return 5;
}
"#,
        rule: "barrier-nesting",
        words: &["a barrier inside of a critical region", "meet (turn.c:", "main"],
    },
    Fault {
        name: "apart",
        source: r#"
__attribute__((noinline)) void meet(void) {
#pragma omp barrier
    __asm__ volatile("");
}
int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp task
    meet();
    return 5;
}
"#,
        rule: "barrier-nesting",
        words: &["a barrier inside of an explicit task", "meet (apart.c:", "main"],
    },
    Fault {
        name: "astray",
        source: r#"
#include <omp.h>
int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp single nowait
        omp_get_wtime();
    } else {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 4; i++) omp_get_wtime();
    }
    return 5;
}
"#,
        rule: "worksharing-order",
        words: &["a thread of a team comes to a", "a single region", "a worksharing loop", "astray.c:"],
    },
];

/// Programs that hang.
const HANGING: &[Fault] = &[
    Fault {
        name: "itself",
        source: r#"
#include <omp.h>
int main(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    omp_set_lock(&lock);
    return 0;
}
"#,
        rule: "self-deadlock",
        words: &["waits for a lock that it holds itself", "itself.c:7", "itself.c:6"],
    },
    Fault {
        name: "critical",
        source: r#"
void inner(void) {
#pragma omp critical(name)
    { __asm__ volatile(""); }
}
int main(void) {
#pragma omp critical(name)
    inner();
    return 0;
}
"#,
        rule: "self-deadlock",
        words: &["waits for a critical region that it holds itself", "critical.c:3", "critical.c:7"],
    },
    Fault {
        name: "again",
        source: r#"
__attribute__((noinline)) void walk(int depth) {
#pragma omp critical(name)
    {
        if (depth > 0) walk(depth - 1);
        __asm__ volatile("");
    }
}
int main(void) {
    walk(1);
    __asm__ volatile("");
    return 0;
}
"#,
        rule: "self-deadlock",
        words: &[
            "it waits       walk (again.c:3)",
            "called from    walk (again.c:5)",
            "called from    main (again.c:1",
        ],
    },
    Fault {
        name: "circle",
        source: r#"
#include <omp.h>
omp_lock_t locks[2];
int main(void) {
    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        omp_set_lock(&locks[me]);
#pragma omp barrier
        omp_set_lock(&locks[1 - me]);
        omp_unset_lock(&locks[1 - me]);
        omp_unset_lock(&locks[me]);
    }
    return 0;
}
"#,
        rule: "deadlock",
        words: &["2 threads wait for each other in a circle", "circle.c:12", "circle.c:10"],
    },
    Fault {
        name: "across",
        // The other thread stays away, but a team of one would run the task where it is generated.
        source: r#"
#include <omp.h>
omp_lock_t lock; int sched_yield(void);
int main(void) {
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) for (;;) sched_yield(); else {
#pragma omp task
        {
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
        }
        omp_set_lock(&lock);
#pragma omp taskwait
        omp_unset_lock(&lock);
    }
    return 0;
}
"#,
        rule: "lock-across-task",
        words: &["suspended at a task scheduling point", "across.c:10", "across.c:13"],
    },
    Fault {
        name: "behind",
        source: r#"
#include <omp.h>
omp_lock_t lock;
int main(void) {
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) omp_set_lock(&lock);
#pragma omp barrier
        if (omp_get_thread_num() == 1) omp_set_lock(&lock);
#pragma omp barrier
        omp_unset_lock(&lock);
    }
    return 0;
}
"#,
        rule: "barrier-missed",
        words: &["do not come to the same barriers", "for a lock, which thread 0 holds", "behind.c:"],
    },
];

/// A task whose event is never fulfilled: the program waits for ever. The checker cannot know that the event will never
/// be fulfilled.
const DETACHED: &str = r#"
#include <omp.h>
omp_event_handle_t kept;
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event)
        kept = event;
    }
    return 0;
}
"#;

const RIGHT: &str = r#"
#include <stdio.h>
int main(void) {
    int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 10; i++) sum += i;
    printf("%d\n", sum);
    return 3;
}
"#;

const COMPILERS: [&str; 2] = ["clang-19", "gcc"];

fn check(folder: &Path, words: &[&str]) -> std::process::Output {
    let mut command = common::ferromp(&common::prefix());
    command.current_dir(folder).arg("check").args(words).output().unwrap()
}

fn describes(report: &str, fault: &Fault) -> bool {
    report.contains(&format!("[{}]", fault.rule)) && fault.words.iter().all(|word| report.contains(word))
}

#[test]
fn what_is_right_stays_quiet() {
    for compiler in COMPILERS {
        let folder = TempDir::new().unwrap();
        common::compile(compiler, folder.path(), "right", RIGHT, &[]);
        let done = check(folder.path(), &["--", "./right"]);
        let report = common::text(&done.stderr);
        assert_eq!(done.status.code(), Some(3), "{compiler}: {report}");
        assert_eq!(common::text(&done.stdout), "45\n", "{compiler}");
        assert!(report.contains("nothing is wrong with them"), "{compiler}: {report}");
    }
}

#[test]
fn faults_of_programs_that_end() {
    for fault in ENDING {
        for compiler in COMPILERS {
            let folder = TempDir::new().unwrap();
            common::compile(compiler, folder.path(), fault.name, fault.source, &[]);
            let done = check(folder.path(), &["--", &format!("./{}", fault.name)]);
            let report = common::text(&done.stderr);
            assert!(describes(&report, fault), "{}, {compiler}: {report}", fault.name);
            assert_eq!(done.status.code(), Some(87), "{}, {compiler}: {report}", fault.name);
            assert!(!report.contains("In the OpenMP runtime"), "{}, {compiler}: {report}", fault.name);
        }
    }
}

/// Starts a check of a program that hangs, with stderr in a file, and waits until the file holds the wanted words.
fn while_it_hangs(folder: &Path, name: &str, says: impl Fn(&str) -> bool) -> (String, String) {
    let file = folder.join("stderr");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("ferromp"))
        .args(["check", "--", &format!("./{name}")])
        .current_dir(folder)
        .env("FERROMP_PREFIX", common::prefix())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&file).unwrap())
        .spawn()
        .unwrap();
    let since = Instant::now();
    let meanwhile = loop {
        let text = std::fs::read_to_string(&file).unwrap();
        if says(&text) || since.elapsed() > Duration::from_secs(30) || child.try_wait().unwrap().is_some() {
            break text;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    // SAFETY: plain system call; the child has not been waited for, or is gone.
    unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
    child.wait().unwrap();
    (meanwhile, std::fs::read_to_string(&file).unwrap())
}

#[test]
fn faults_are_told_while_the_program_hangs() {
    for fault in HANGING {
        for compiler in COMPILERS {
            let folder = TempDir::new().unwrap();
            common::compile(compiler, folder.path(), fault.name, fault.source, &["-w"]);
            let (meanwhile, _) = while_it_hangs(folder.path(), fault.name, |text| describes(text, fault));
            assert!(describes(&meanwhile, fault), "{}, {compiler}: {meanwhile}", fault.name);
        }
    }
}

#[test]
fn a_task_that_nobody_fulfils_is_named_when_the_program_is_killed() {
    for compiler in COMPILERS {
        let folder = TempDir::new().unwrap();
        common::compile(compiler, folder.path(), "detached", DETACHED, &[]);
        let since = Instant::now();
        let (_, report) = while_it_hangs(folder.path(), "detached", |_| since.elapsed() > Duration::from_secs(6));
        assert!(report.contains("was killed by signal 15 (SIGTERM)"), "{compiler}: {report}");
        assert!(report.contains("a detached task that is not fulfilled was created"), "{compiler}: {report}");
        assert!(report.contains("detached.c:"), "{compiler}: {report}");
    }
}

const LAST_LINE: &str =
    "ferromp: not looked for: data races; Archer finds them in a program built with -fsanitize=thread";

#[test]
fn the_last_line_says_what_is_not_looked_for() {
    let folder = TempDir::new().unwrap();
    common::compile("gcc", folder.path(), "right", RIGHT, &[]);
    common::compile("gcc", folder.path(), "kept", ENDING[0].source, &[]);
    for name in ["./right", "./kept"] {
        let report = common::text(&check(folder.path(), &["--", name]).stderr);
        assert!(report.lines().last().is_some_and(|line| line.starts_with(LAST_LINE)), "{name}: {report}");
    }
}

#[test]
fn a_wrong_map_is_the_programs_fault_and_not_the_runtimes() {
    // A part of an array is mapped, then a larger part: on the initial thread, and in a region of four.
    let source = r#"
int a[100];
int main(void) {
    int *p = a;
#pragma omp target enter data map(to : p[0:10])
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    {
#pragma omp target map(tofrom : p[5:20])
        p[6] = 1;
    }
    return 0;
}
"#;
    let folder = TempDir::new().unwrap();
    for threads in ["-DTHREADS=1", "-DTHREADS=4"] {
        let options = ["-fopenmp-targets=x86_64-pc-linux-gnu", threads];
        common::compile("clang-19", folder.path(), "partly", source, &options);
        let done = check(folder.path(), &["--", "./partly"]);
        let report = common::text(&done.stderr);
        assert_eq!(done.status.code(), Some(87), "{threads}: {report}");
        assert!(report.contains("is mapped only in part"), "{threads}: {report}");
        assert!(report.contains("[target-failed]") && report.contains("partly.c:9"), "{threads}: {report}");
        assert!(!report.contains("In the OpenMP runtime"), "{threads}: {report}");
    }
}

#[test]
fn a_program_that_ends_inside_of_a_construct_has_a_runtime_without_fault() {
    let inside =
        ["task", "task if(0)", "single", "taskgroup", "masked", "critical", "target", "taskloop", "teams num_teams(1)"];
    let body = |construct: &&str| {
        let loops = if *construct == "taskloop" { "for (int i = 0; i < 3; i++) " } else { "" };
        format!("    case __COUNTER__:;\n#pragma omp {construct}\n        {loops}exit(3);\n        break;\n")
    };
    let cases: String = inside.iter().map(body).collect();
    let source = format!(
        "#include <stdlib.h>\nint main(int n, char **words) {{\n    switch (atoi(words[1])) {{\n{cases}    }}\n}}\n"
    );
    let folder = TempDir::new().unwrap();
    for compiler in COMPILERS {
        common::compile(compiler, folder.path(), "leaves", &source, &["-w"]);
        for (number, construct) in inside.iter().enumerate() {
            let done = check(folder.path(), &["--", "./leaves", &number.to_string()]);
            let report = common::text(&done.stderr);
            assert_eq!(done.status.code(), Some(3), "{compiler}, {construct}: {report}");
        }
    }
}

#[test]
fn advice_changes_no_status() {
    let source = r#"
#include <unistd.h>
int main(void) {
#pragma omp parallel num_threads(300)
#pragma omp critical
    { static int first = 1; if (first) { first = 0; usleep(700000); } }
    return 4;
}
"#;
    let folder = TempDir::new().unwrap();
    common::compile("gcc", folder.path(), "crowd", source, &[]);
    let done = check(folder.path(), &["--", "./crowd"]);
    let report = common::text(&done.stderr);
    assert_eq!(done.status.code(), Some(4), "{report}");
    assert!(report.contains("300 threads were in parallel regions at once"), "{report}");
    assert!(report.contains("a critical region was held for 0."), "{report}");
    let quiet = check(folder.path(), &["--ignore", "oversubscribed,held-long", "--", "./crowd"]);
    assert!(!common::text(&quiet.stderr).contains("Worth knowing"), "{}", common::text(&quiet.stderr));
    let unknown = check(folder.path(), &["--ignore", "nonsense", "--", "./crowd"]);
    assert_eq!(unknown.status.code(), Some(125));
}

#[test]
fn the_programs_own_runtime_can_be_checked() {
    let folder = TempDir::new().unwrap();
    common::compile("clang-19", folder.path(), "llvm", RIGHT, &[]);
    let done = check(folder.path(), &["--runtime", "system", "--", "./llvm"]);
    let report = common::text(&done.stderr);
    assert_eq!(done.status.code(), Some(87), "{report}");
    assert!(report.contains("[actual-parallelism, 4.5.2.11]"), "{report}");
    common::compile("gcc", folder.path(), "gnu", RIGHT, &[]);
    let done = check(folder.path(), &["--runtime", "system", "--", "./gnu"]);
    let line = "ferromp: ./gnu ran on no OpenMP runtime with OMPT: libomp has it, gcc's libgomp has not; nothing was checked\n";
    assert_eq!((done.status.code(), common::text(&done.stderr).as_str()), (Some(3), line));
}

#[test]
fn scripts_get_a_document_and_forked_children_a_report() {
    let source = r#"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>
omp_lock_t lock;
int main(void) {
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    omp_get_wtime();
    if (fork() == 0) {
        omp_set_lock(&lock);
        omp_destroy_lock(&lock);
        return 0;
    }
    wait(0);
    return 2;
}
"#;
    let folder = TempDir::new().unwrap();
    common::compile("gcc", folder.path(), "forks", source, &[]);
    let done = check(folder.path(), &["--format", "json", "-o", "out.json", "--", "./forks"]);
    assert_eq!(done.status.code(), Some(87), "{}", common::text(&done.stderr));
    let text = std::fs::read_to_string(folder.path().join("out.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let processes = json["processes"].as_array().unwrap();
    assert_eq!(processes.len(), 2, "{text}");
    assert_eq!(processes[0]["findings"].as_array().unwrap().len(), 0, "{text}");
    let finding = &processes[1]["findings"][0];
    assert_eq!(finding["rule"], "lock-destroyed", "{text}");
    assert_eq!(finding["places"][0]["line"], 12, "{text}");
}

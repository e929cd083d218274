//! Which lines a report names: those of the directives, whatever the compiler's line table says of the calls.

use crate::common;

use std::path::Path;

use serde_json::Value;

/// Records a program and reports it.
fn report(folder: &Path, program: &str) -> Value {
    let prefix = common::prefix();
    let run = |words: &[&str]| common::ferromp(&prefix).current_dir(folder).args(words).output().unwrap();
    let traced = run(&["trace", "--force", "-o", "out", "--", program]);
    assert!(traced.status.success(), "{}", common::text(&traced.stderr));
    let told = run(&["report", "out", "--format", "json"]);
    assert!(told.status.success(), "{}", common::text(&told.stderr));
    let document: Value = serde_json::from_slice(&told.stdout).unwrap();
    document["traces"][0].clone()
}

/// Calls and name of each row of a table, by name.
fn rows(trace: &Value, table: &str, count: &str) -> Vec<(u64, String)> {
    let rows = trace[table].as_array().unwrap().iter();
    let row = |row: &Value| (row[count].as_u64().unwrap(), row["place"]["name"].as_str().unwrap().to_owned());
    let mut rows: Vec<_> = rows.map(row).collect();
    rows.sort_by(|one, other| one.1.cmp(&other.1));
    rows
}

fn named(rows: &[(u64, &str)]) -> Vec<(u64, String)> {
    rows.iter().map(|(count, name)| (*count, (*name).to_owned())).collect()
}

/// Three regions one after the other; gcc gives their calls the lines of neighbours.
const ORDERED: &str = r#"#include <omp.h>
#include <stdio.h>
double a[1000], b[1000];
int copied;
#pragma omp threadprivate(copied)
int main(void) {
    double s = 0;
    for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp parallel for reduction(+ : s) // line 9
    for (int i = 0; i < 1000; i++) s += a[i];
#pragma omp parallel // line 11
    {
        b[omp_get_thread_num()] += s;
    }
#pragma omp parallel for ordered schedule(dynamic) // line 15
    for (int i = 0; i < 100; i++) {
        double t = a[i] * 2;
        b[i] = t;
#pragma omp ordered
        s += t;
    }
    copied = s > 0;
    int before = copied + 1;
#pragma omp parallel copyin(copied) // line 24
    {
        b[omp_get_thread_num()] += copied + before;
    }
    printf("%g\n", s + b[0]);
    return 0;
}
"#;

#[test]
fn regions_have_the_lines_of_their_directives() {
    for compiler in ["gcc", "clang-19"] {
        for level in ["-O0", "-O2"] {
            let folder = tempfile::tempdir().unwrap();
            common::compile(compiler, folder.path(), "app", ORDERED, &[level]);
            let wanted =
                [(1, "main (app.c:11)"), (1, "main (app.c:15)"), (1, "main (app.c:24)"), (1, "main (app.c:9)")];
            let found = rows(&report(folder.path(), "./app"), "regions", "calls");
            assert_eq!(found, named(&wanted), "{compiler} {level}");
        }
    }
}

/// Two regions on one line, a region that is inlined at two places, and tasks.
const COPIES: &str = r#"#include <omp.h>
int a[1000], b[1000];
#define TWO _Pragma("omp parallel") { a[omp_get_thread_num()] += 1; } \
            _Pragma("omp parallel") { b[omp_get_thread_num()] += 2; }
static inline __attribute__((always_inline)) void fill(int *x, int n) {
#pragma omp parallel for // line 6
    for (int i = 0; i < n; i++) x[i] += i;
}
int main(int argc, char **argv) {
    fill(a, 1000);
    TWO
    fill(b, argc * 500);
#pragma omp parallel // line 13
#pragma omp single
    for (int i = 0; i < 10; i++) {
        a[i] = 1;
#pragma omp task firstprivate(i) // line 17
        b[i] = i;
#pragma omp task depend(inout : a[i]) // line 19
        a[i] += i;
    }
#pragma omp parallel num_threads(1) // line 22
    {
        b[0] = 1;
#pragma omp parallel num_threads(1) // line 25
        b[omp_get_thread_num()] = 2;
    }
    return 0;
}
"#;

#[test]
fn constructs_are_told_apart_by_their_functions_and_copies_are_one() {
    for compiler in ["gcc", "clang-19"] {
        let folder = tempfile::tempdir().unwrap();
        common::compile(compiler, folder.path(), "app", COPIES, &["-O2"]);
        let trace = report(folder.path(), "./app");
        let regions = rows(&trace, "regions", "calls");
        let count = |name: &str| -> Vec<u64> {
            regions.iter().filter(|row| row.1.starts_with(name)).map(|row| row.0).collect()
        };
        assert_eq!(count("main (app.c:11)"), [1, 1], "{compiler}: {regions:?}");
        assert_eq!(count("fill (app.c:6), inlined into main"), [2], "{compiler}: {regions:?}");
        for line in [13, 22, 25] {
            assert_eq!(count(&format!("main (app.c:{line})")), [1], "{compiler}: {regions:?}");
        }
        assert_eq!(regions.len(), 6, "{compiler}: {regions:?}");
        let tasks = rows(&trace, "tasks", "created");
        let lines: Vec<(u64, &str)> =
            tasks.iter().map(|(count, name)| (*count, name.rsplit_once(':').unwrap().1)).collect();
        assert_eq!(lines, [(10, "17)"), (10, "19)")], "{compiler}: {tasks:?}");
    }
}

/// A target region, in a program without debug information.
const TARGET: &str = r#"int a[10];
int main(void) {
#pragma omp target map(tofrom : a) // line 3
    a[1] = 3;
    return a[1] - 3;
}
"#;

#[test]
fn a_target_region_has_the_line_of_its_kernels_name() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["-g0", "-O2", "-fopenmp-targets=x86_64-pc-linux-gnu"];
    common::compile("clang-19", folder.path(), "app", TARGET, &options);
    let trace = report(folder.path(), "./app");
    let found = rows(&trace, "targets", "calls");
    assert_eq!(found, named(&[(1, "main (line 3)")]), "{trace:#}");
    common::compile("gcc", folder.path(), "app", TARGET, &["-O2"]);
    let found = rows(&report(folder.path(), "./app"), "targets", "calls");
    assert_eq!(found, named(&[(1, "main (app.c:3)")]));
}

/// A template whose name is long, and whose regions are told apart by their arguments.
const TEMPLATE: &str = r#"#include <map>
#include <string>
#include <vector>
template <typename T> struct Field {
    template <typename F> static void each(F f, int n) {
#pragma omp parallel for // line 6
        for (int i = 0; i < n; i++) f(i);
    }
};
static std::vector<double> v(100);
int main() {
    Field<std::map<std::string, std::vector<std::string>>>::each([](int i) { v[i] = i; }, 100);
    Field<int>::each([](int i) { v[i] += i; }, 100);
}
"#;

#[test]
fn templates_keep_their_lines() {
    for compiler in ["g++", "clang++-19"] {
        let folder = tempfile::tempdir().unwrap();
        common::compile(compiler, folder.path(), "app", TEMPLATE, &["-O2"]);
        let trace = report(folder.path(), "./app");
        let regions = rows(&trace, "regions", "calls");
        assert_eq!(regions.len(), 2, "{compiler}: {regions:?}");
        for (calls, name) in &regions {
            let head = name.split(", inlined into").next().unwrap();
            assert!(*calls == 1 && head.ends_with(" (app.c:6)") && head.chars().count() <= 91, "{compiler}: {name}");
            assert!(head.contains("Field<"), "{compiler}: {name}");
        }
    }
}

/// A region that is reached by two calls, one of which may be inlined, and a wait that is worth a finding.
const CALLED: &str = r#"#include <omp.h>
#include <unistd.h>
volatile int sink;
__attribute__((noinline)) void solve(int ms) {
#pragma omp parallel num_threads(2) // line 5
    if (omp_get_thread_num() == 0) usleep(ms * 1000);
    sink++;
}
__attribute__((noinline)) static void step(int ms) {
    solve(ms); // line 10
    sink++;
}
static inline void cycle(int ms) {
    step(ms); // line 14
    sink++;
}
int main(void) {
    for (int i = 0; i < 20; i++)
        cycle(10); // line 19
    return 0;
}
"#;

#[test]
fn a_finding_says_by_which_calls_the_program_came_there() {
    for compiler in ["gcc", "clang-19"] {
        let folder = tempfile::tempdir().unwrap();
        common::compile(compiler, folder.path(), "app", CALLED, &["-O1"]);
        let trace = report(folder.path(), "./app");
        let callers = trace["findings"][0]["callers"].as_array().unwrap();
        let calls: Vec<(&str, u64)> =
            callers.iter().map(|call| (call["function"].as_str().unwrap(), call["line"].as_u64().unwrap())).collect();
        assert_eq!(calls, [("main", 19), ("cycle", 14), ("step", 10)], "{compiler}: {trace:#}");
        let told = common::ferromp(&common::prefix()).current_dir(folder.path()).args(["report", "out"]).output();
        let told = common::text(&told.unwrap().stdout);
        assert!(told.contains("Called by main (app.c:19) > cycle (app.c:14) > step (app.c:10)"), "{told}");
    }
}

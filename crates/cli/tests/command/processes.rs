//! Runs of several processes: each is recorded and compared, and children that end early cost no word.

use crate::{common, schema};

use tempfile::TempDir;

/// Uses OpenMP, forks children, and uses OpenMP again. The letters of its argument say what the children do: `u` use
/// OpenMP, `i` end inside a region, `e` execute another program; otherwise they end by `_exit`.
const PROGRAM: &str = r#"
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int sum(const char *what) {
    int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
    {
        if (strchr(what, 'i')) _exit(0);
        n++;
    }
    return n;
}
int main(int argc, char **argv) {
    sum("");
    for (int child = 0; child < 2; child++) {
        if (fork()) continue;
        if (strchr(argv[1], 'u')) sum(argv[1]);
        if (strchr(argv[1], 'e')) execlp("true", "true", (char *)0);
        _exit(0);
    }
    while (wait(0) > 0);
    return sum("") != 2;
}
"#;

/// Traces the program, and returns what is said on stderr, and the document of the report.
fn run(what: &str) -> (String, serde_json::Value) {
    let folder: TempDir = tempfile::tempdir().unwrap();
    common::compile("gcc", folder.path(), "app", PROGRAM, &[]);
    let prefix = common::prefix();
    let ferromp = |words: &[&str]| common::ferromp(&prefix).current_dir(folder.path()).args(words).output().unwrap();
    let done = ferromp(&["trace", "-o", "out", "--", "./app", what]);
    assert!(done.status.success(), "{}", common::text(&done.stderr));
    let report = ferromp(&["report", "out", "--format", "json"]);
    assert!(report.status.success(), "{}", common::text(&report.stderr));
    // Whether other processes disturb the run is no question here.
    let said = common::text(&done.stderr);
    let said: Vec<&str> = said.lines().filter(|line| !line.starts_with("! other processes took")).collect();
    (said.join("\n") + "\n", schema::validated(&report.stdout))
}

#[test]
fn children_without_openmp_cost_no_word() {
    for what in ["-", "e"] {
        let (said, document) = run(what);
        assert!(said.starts_with(&format!("\n./app {what}\n")), "{said}");
        assert!(!said.contains("! ") && !said.contains("ferromp: ") && !said.contains("processes"), "{said}");
        assert_eq!(document["traces"].as_array().unwrap().len(), 1, "{document:#}");
    }
}

#[test]
fn children_that_end_early_are_compared_without_a_warning() {
    for what in ["u", "ue"] {
        let (said, document) = run(what);
        assert!(said.starts_with("\n3 processes\n"), "{said}");
        assert!(said.contains("forked from") && said.contains("to the last event"), "{said}");
        assert!(!said.contains("! ") && !said.contains("ferromp: "), "{said}");
        assert_eq!(document["processes"]["count"], 3, "{document:#}");
        let traces = document["traces"].as_array().unwrap();
        let children = traces.iter().filter(|trace| trace["forked_from"] == traces[0]["pid"]);
        for child in children.clone() {
            assert_eq!((&child["finished"], &child["unended"]), (&false.into(), &0.into()), "{child:#}");
            assert_eq!(child["command"], format!("./app {what}"));
        }
        assert_eq!(children.count(), 2, "{document:#}");
    }
}

#[test]
fn a_child_that_ends_inside_a_region_is_told() {
    let (said, document) = run("ui");
    assert_eq!(said.matches("! the program did not end in good order").count(), 2, "{said}");
    assert_eq!(document["traces"][1]["unended"], 1, "{document:#}");
}

//! Starts a process of this test that plays a case.

use std::process::Command;

/// Plays a case; gives the exit status and the checker's lines.
pub fn play(case: &str, ignore: &str) -> (Option<i32>, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "case", "--nocapture"])
        .env("CHECKER_CASE", case)
        .env("FERROMP_CHECKER_IGNORE", ignore)
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

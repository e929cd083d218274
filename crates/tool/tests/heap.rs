//! A tool that finds no memory ends the process with one line that names the tool.

use ferromp_tool::Heap;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

#[global_allocator]
static HEAP: Heap = Heap("ferromp: tool of this test");

/// Set in the child that asks for more than there is.
const GREEDY: &str = "FERROMP_TEST_GREEDY";

/// `SIGABRT`.
const ABORTED: i32 = 6;

#[test]
fn missing_memory_does_not_end_a_process_in_silence() {
    if std::env::var_os(GREEDY).is_some() {
        std::hint::black_box(Vec::<u8>::with_capacity(1 << 50));
        return;
    }
    let mut child = Command::new(std::env::current_exe().expect("the test has a file"));
    let output = child
        .args(["--exact", "missing_memory_does_not_end_a_process_in_silence", "--nocapture"])
        .env(GREEDY, "1")
        .output();
    let output = output.expect("the test can be started");
    assert_eq!(output.status.signal(), Some(ABORTED), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said, "ferromp: tool of this test: no memory for 1125899906842624 bytes; aborting\n");
}

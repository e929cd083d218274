//! Traces of every format that a released version has written are readable. `tests/traces` has one of each, and words
//! of its report. A new format brings a new folder. Nothing in an older folder is ever changed.

use crate::common;

use std::fs;
use std::path::Path;

#[test]
fn a_trace_of_each_format_is_read() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let mut formats: Vec<_> = fs::read_dir(&traces).unwrap().map(|entry| entry.unwrap().path()).collect();
    formats.retain(|path| path.is_dir());
    formats.sort();
    let names: Vec<_> = formats.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    let expected: Vec<String> = (1..=ferromp_trace::store::FORMAT).map(|format| format!("format-{format}")).collect();
    assert_eq!(names, expected, "{}: a trace of each format", traces.display());
    for format in &formats {
        // A report leaves a cache beside the trace.
        let folder = tempfile::tempdir().unwrap();
        for file in fs::read_dir(format).unwrap() {
            let file = file.unwrap().path();
            fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
        }
        let mut report = common::ferromp(Path::new("/nowhere"));
        let done = report.arg("report").arg(folder.path()).args(["--all", "--width", "120"]).output().unwrap();
        let (text, complaints) = (common::text(&done.stdout), common::text(&done.stderr));
        assert!(done.status.success() && complaints.is_empty(), "{}: {complaints}", format.display());
        let expected = fs::read_to_string(format.with_extension("txt")).unwrap();
        for words in expected.lines() {
            assert!(text.contains(words), "{}: no {words:?} in {text}", format.display());
        }
    }
}

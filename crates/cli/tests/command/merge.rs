//! Folders of ranks become one: nothing of them is lost, and what is missing is said.

use crate::common;
use crate::ranks::{Made, document, ferromp};

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use tempfile::TempDir;

/// Two nodes with two ranks each, and a folder that is no run.
fn nodes() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for rank in 0..4 {
        let (node, host) = if rank < 2 { ("a", "node1") } else { ("b", "node2") };
        Made { host, ..Made::new(rank, 4, 400_000) }.write(&folder.path().join(node));
    }
    fs::create_dir(folder.path().join("empty")).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn folders_of_nodes_become_a_run() {
    let folder = nodes();
    let (status, text, said) = ferromp(folder.path(), &["merge", "-o", "run", "a", "b"]);
    assert_eq!((status, said.as_str()), (Some(0), ""), "{text}");
    assert!(text.starts_with("run: 4 of 4 ranks, 16 files linked, 0 copied (0 bytes)\n"), "{text}");
    let ranks = &document(folder.path(), "run")["ranks"];
    assert_eq!((&ranks["missing"], ranks["list"].as_array().unwrap().len()), (&serde_json::json!([]), 4));
    // The sources are as before, and a report's cache in the run is none of theirs.
    assert_eq!(names(&folder.path().join("a")), ["rank-0", "rank-1"]);
    assert!(!folder.path().join("a/rank-0/summary.cache").exists());
    let inode = |path: &str| fs::metadata(folder.path().join(path)).unwrap().ino();
    assert_eq!(inode("a/rank-0/meta.json"), inode("run/rank-0/meta.json"));
}

#[test]
fn a_rank_may_be_there_twice_but_not_with_two_traces() {
    let folder = nodes();
    fs::create_dir(folder.path().join("c")).unwrap();
    let (_, _, said) = ferromp(folder.path(), &["merge", "-o", "again", "a", "a/rank-1", "b"]);
    assert_eq!(said, "");
    Made::new(1, 4, 500_000).write(&folder.path().join("c"));
    let (status, text, said) = ferromp(folder.path(), &["merge", "-o", "run", "a", "b", "c"]);
    assert_eq!((status, text.as_str()), (Some(125), ""));
    let line = "ferromp: rank 1 is there twice, with different traces: a/rank-1 and c/rank-1; nothing was merged\n";
    assert_eq!(said, line);
    assert_eq!(names(folder.path()), ["a", "again", "b", "c", "empty"]);
}

#[test]
fn what_is_missing_or_unreadable_is_said_and_the_rest_is_merged() {
    let folder = nodes();
    fs::remove_dir_all(folder.path().join("a/rank-1")).unwrap();
    fs::remove_file(folder.path().join("b/rank-2/meta.json")).unwrap();
    let (status, text, said) = ferromp(folder.path(), &["merge", "-o", "run", "a", "b", "empty", "gone"]);
    assert_eq!(status, Some(125), "{text}");
    let lines = [
        "ferromp: b/rank-2: holds no trace",
        "ferromp: empty: has no trace of a rank",
        "ferromp: cannot read gone: no such file or directory",
        "ferromp: rank 1 of 4 is missing",
        "ferromp: rank 2 of 4 is missing",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), lines);
    assert_eq!(names(&folder.path().join("run")), ["rank-0", "rank-3"]);
    // A trace that was cut off keeps its threads.
    fs::write(folder.path().join("b/rank-3/meta.json"), "").unwrap();
    let (status, _, said) = ferromp(folder.path(), &["merge", "-o", "cut", "a", "b/rank-3"]);
    assert_eq!(
        (status, said.as_str()),
        (Some(0), "ferromp: rank 1 of 4 is missing\nferromp: rank 2 of 4 is missing\n")
    );
    assert!(folder.path().join("cut/rank-3/thread-00000.fmt").exists());
    let (status, text, said) = ferromp(folder.path(), &["merge", "-o", "none", "empty"]);
    let nothing = "ferromp: empty: has no trace of a rank\n";
    assert_eq!((status, text.as_str(), said.as_str()), (Some(125), "", nothing));
    assert!(!folder.path().join("none").exists());
}

#[test]
fn an_existing_folder_is_replaced_only_if_it_is_a_run() {
    let folder = nodes();
    assert_eq!(ferromp(folder.path(), &["merge", "-o", "run", "a"]).0, Some(0));
    let (status, _, said) = ferromp(folder.path(), &["merge", "-o", "run", "b"]);
    assert_eq!((status, said.as_str()), (Some(125), "ferromp: run: exists already; --force replaces it\n"));
    // The run itself is one of the folders.
    assert_eq!(ferromp(folder.path(), &["merge", "--force", "-o", "run", "run", "b"]).0, Some(0));
    assert_eq!(names(&folder.path().join("run")), ["rank-0", "rank-1", "rank-2", "rank-3"]);
    // A rank's program has a trace in the rank's folder.
    let program = folder.path().join("a/rank-1/process-7");
    fs::create_dir(&program).unwrap();
    fs::copy(folder.path().join("a/rank-0/meta.json"), program.join("meta.json")).unwrap();
    assert_eq!(ferromp(folder.path(), &["merge", "--force", "-o", "run", "a"]).0, Some(0));
    assert_eq!(ferromp(folder.path(), &["merge", "--force", "-o", "run", "a"]).0, Some(0));
    for name in ["run/notes.txt", "run/rank-1/notes.txt", "run/rank-1/process-7/notes.txt"] {
        fs::write(folder.path().join(name), "mine").unwrap();
        let (status, ..) = ferromp(folder.path(), &["merge", "--force", "-o", "run", "a"]);
        assert_eq!(status, Some(125), "{name}");
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    // A trace deeper than any recorder makes one, and a folder with the name of a file.
    for name in ["run/rank-1/process-7/process-8/meta.json", "run/rank-1/thread-00009.fmt/notes.txt"] {
        let file = folder.path().join(name);
        fs::create_dir(file.parent().unwrap()).unwrap();
        fs::write(&file, "{}").unwrap();
        let (status, ..) = ferromp(folder.path(), &["merge", "--force", "-o", "run", "a"]);
        assert!(status == Some(125) && file.exists(), "{name}");
        fs::remove_dir_all(file.parent().unwrap()).unwrap();
    }
    assert_eq!(names(folder.path()), ["a", "b", "empty", "run"]);
}

#[test]
fn a_large_rank_needs_no_large_memory() {
    let folder = tempfile::tempdir().unwrap();
    Made { ranks: None, ..Made::new(4_000_000_000, 0, 400_000) }.write(&folder.path().join("a"));
    let (status, text, said) = ferromp(folder.path(), &["merge", "-o", "run", "a"]);
    let line = "ferromp: 4000000000 of 4000000001 ranks are missing: 0-1048575 and others\n";
    assert_eq!((status, said.as_str()), (Some(0), line));
    assert!(text.starts_with("run: 1 of 4000000001 ranks, "), "{text}");
}

#[test]
fn a_full_disk_leaves_no_half_folder() {
    // A limit on the size of files stands for the disk. Links need no space, so the target is on another file system.
    let folder = nodes();
    let big = vec![7; 4 << 20];
    fs::write(folder.path().join("a/rank-1/thread-00000.fmt"), big).unwrap();
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else {
        println!("skipped: no second file system at /dev/shm");
        return;
    };
    let device = |path: &Path| fs::metadata(path).unwrap().dev();
    if device(elsewhere.path()) == device(folder.path()) {
        println!("skipped: /dev/shm is no second file system");
        return;
    }
    let target = elsewhere.path().join("run");
    let command = assert_cmd::cargo::cargo_bin("ferromp");
    let script = format!("ulimit -f 1024; trap '' XFSZ; {} merge -o {} a b", command.display(), target.display());
    let done = common::command("sh").current_dir(folder.path()).args(["-c", &script]).output().unwrap();
    let said = common::text(&done.stderr);
    assert_eq!(done.status.code(), Some(125), "{said}");
    assert!(said.contains("cannot write") && said.lines().count() == 1, "{said}");
    assert_eq!(names(elsewhere.path()), Vec::<String>::new());
    // Without the limit, files are copied, with the times by which kept summaries know them.
    let (status, text, said) = ferromp(folder.path(), &["merge", "-o", &target.to_string_lossy(), "a", "b"]);
    assert_eq!((status, said.as_str()), (Some(0), ""), "{text}");
    assert!(text.contains("0 files linked, 16 copied"), "{text}");
    let modified = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    assert_eq!(modified(&target.join("rank-0/meta.json")), modified(&folder.path().join("a/rank-0/meta.json")));
}

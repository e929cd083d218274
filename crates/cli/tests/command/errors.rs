//! What goes wrong before a program runs: one clear line, and an exit status that tells the kinds apart.

use crate::common;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ferromp_trace::store::Folder;
use ferromp_trace::store::lock::Lock;
use tempfile::TempDir;

/// A prefix whose files are there and empty: enough for everything that fails before the program starts.
fn hollow_prefix() -> TempDir {
    let prefix = tempfile::tempdir().unwrap();
    std::fs::create_dir(prefix.path().join("lib")).unwrap();
    for name in ["libferromp.so", "libferromp-trace.so"] {
        std::fs::write(prefix.path().join("lib").join(name), "").unwrap();
    }
    prefix
}

/// Runs `ferromp` in `folder` and gives its status and the one line that it wrote.
fn failure(prefix: &Path, folder: &Path, words: &[&str]) -> (i32, String) {
    let done = common::ferromp(prefix).current_dir(folder).args(words).output().unwrap();
    assert!(done.stdout.is_empty(), "stdout: {}", common::text(&done.stdout));
    let line = common::text(&done.stderr);
    (done.status.code().unwrap(), line.replace(prefix.to_str().unwrap(), "PREFIX"))
}

fn make(path: &Path, contents: &str, mode: u32) {
    std::fs::write(path, contents).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn programs_that_cannot_be_started() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    let at = |name: &str| folder.path().join(name);
    make(&at("plain"), "no program", 0o644);
    make(&at("orphan"), "#!/no/such/interpreter -x\n", 0o755);
    make(&at("orphan-env"), "#!/usr/bin/env no-such-interpreter\n", 0o755);
    std::fs::create_dir(at("folder")).unwrap();
    let cases = [
        ("no-such-program", 127, "no-such-program: no such program in PATH"),
        ("plain", 127, "plain: no such program in PATH; did you mean ./plain?"),
        ("./absent", 127, "./absent: no such file"),
        ("./plain/x", 127, "./plain/x: not a directory"),
        ("./plain", 126, "./plain: not executable (chmod +x makes it so)"),
        ("./folder", 126, "./folder: is a folder, not a program"),
        ("./orphan", 126, "./orphan: its interpreter /no/such/interpreter was not found"),
        ("./orphan-env", 126, "./orphan-env: its interpreter no-such-interpreter was not found"),
    ];
    for (program, status, line) in cases {
        for verb in ["trace", "run"] {
            let result = failure(prefix.path(), folder.path(), &[verb, "--", program]);
            assert_eq!(result, (status, format!("ferromp: {line}\n")), "{verb} {program}");
        }
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 4, "a trace folder was left behind: {left:?}");
}

#[test]
fn tools_that_are_none() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    let cases = [
        ("./absent.so", "cannot find ./absent.so: no such file or directory"),
        ("./", "./: is no file, and so no tool"),
        ("a:b", "--tool 'a:b': the name of a tool is not empty and has no colon"),
    ];
    for (tool, line) in cases {
        for verb in ["trace", "run"] {
            let result = failure(prefix.path(), folder.path(), &[verb, "--tool", tool, "true"]);
            assert_eq!(result, (125, format!("ferromp: {line}\n")), "{verb} {tool}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a trace folder was left behind");
}

#[test]
fn programs_that_a_preload_cannot_reach() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    let source = "int main(void) { int n = 0;\n#pragma omp parallel reduction(+:n)\n n++; return n < 1; }\n";
    let program = common::compile("gcc", folder.path(), "alone", source, &["-static"]);
    let shown = program.to_str().unwrap();
    let line = format!(
        "ferromp: cannot trace {shown}: it contains a statically linked OpenMP runtime, which cannot be replaced; \
         link it with the shared one\n"
    );
    assert_eq!(failure(prefix.path(), folder.path(), &["trace", shown]), (125, line));
}

#[test]
fn programs_with_the_rights_of_another_user() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    // To root, root's own set-user-id programs are ordinary programs, so the copy belongs to another user.
    let copy = folder.path().join("su");
    std::fs::copy("/bin/true", &copy).unwrap();
    let program = match std::os::unix::fs::chown(&copy, Some(65534), None) {
        Ok(()) => {
            std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o4755)).unwrap();
            copy
        }
        Err(_) => Path::new("/bin/su").canonicalize().unwrap(),
    };
    let shown = program.to_str().unwrap();
    let line = format!("ferromp: cannot run {shown}: it is set-user-id: the loader ignores LD_PRELOAD for it\n");
    assert_eq!(failure(prefix.path(), folder.path(), &["run", shown]), (125, line));
}

#[test]
fn folders_that_are_taken() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    std::fs::create_dir(folder.path().join("other")).unwrap();
    std::fs::write(folder.path().join("other/mine.txt"), "mine").unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    std::fs::create_dir(folder.path().join("trace")).unwrap();
    std::fs::write(folder.path().join("trace/meta.json"), "{}").unwrap();
    for force in [&[][..], &["--force"]] {
        let try_with = |name| {
            let words = [&["trace", "-o", name], force, &["--", "true"]].concat();
            failure(prefix.path(), folder.path(), &words)
        };
        let line = "ferromp: other: exists and holds other files than a trace; name another folder\n";
        assert_eq!(try_with("other"), (125, line.to_owned()));
        assert_eq!(try_with("file"), (125, "ferromp: file: exists and is not a folder\n".to_owned()));
    }
    let line = "ferromp: trace: holds a trace already; --force replaces it\n";
    assert_eq!(failure(prefix.path(), folder.path(), &["trace", "-o", "trace", "true"]), (125, line.to_owned()));
    assert!(folder.path().join("other/mine.txt").is_file());

    let recording = Lock::take(&Folder::open(&folder.path().join("trace")).unwrap()).unwrap();
    let line = "ferromp: trace: a program still records into it; name another folder\n";
    let force = ["trace", "--force", "-o", "trace", "true"];
    assert_eq!(failure(prefix.path(), folder.path(), &force), (125, line.to_owned()));
    drop(recording);
}

#[test]
fn traces_behind_links_stay() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    let at = |name: &str| folder.path().join(name);
    for name in ["else/run", "run/rank-1", "deep/rank-0"] {
        std::fs::create_dir_all(at(name)).unwrap();
        std::fs::write(at(name).join("meta.json"), "{}").unwrap();
    }
    let links = ["whole", "run/rank-0", "deep/rank-0/process-7"];
    for link in links {
        std::os::unix::fs::symlink(at("else/run"), at(link)).unwrap();
    }
    for (name, link) in [("whole", links[0]), ("whole/", links[0]), ("run", links[1]), ("deep", links[2])] {
        let line =
            format!("ferromp: {link}: is a link to a trace, which --force does not remove; name another folder\n");
        let words = ["trace", "--force", "-o", name, "true"];
        assert_eq!(failure(prefix.path(), folder.path(), &words), (125, line));
    }
    // Nothing was removed before the link was found.
    for name in ["else/run", "run/rank-1", "deep/rank-0"] {
        assert!(at(name).join("meta.json").is_file(), "{name}");
    }
}

#[test]
fn folders_of_other_users() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    let trap = folder.path().join("trap");
    std::fs::create_dir(&trap).unwrap();
    if std::os::unix::fs::chown(&trap, Some(65534), None).is_err() {
        return println!("skipped: only root can give a folder away");
    }
    for words in [&["trace", "-o", "trap", "true"][..], &["trace", "--force", "-o", "trap", "true"]] {
        let line = "ferromp: trap: belongs to another user; name another folder\n";
        assert_eq!(failure(prefix.path(), folder.path(), words), (125, line.to_owned()));
    }
}

#[test]
fn words_that_a_terminal_would_obey() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    for verb in ["trace", "run", "report"] {
        let (status, line) = failure(prefix.path(), folder.path(), &[verb, "./a\x1b]0;b\x07\nferromp: c\u{9b}2J"]);
        assert!(status >= 125 && line.starts_with("ferromp: "), "{line}");
        assert!(line.contains(r"./a\x1b]0;b\x07\nferromp: c\u{9b}2J"), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
    }
    let (status, lines) = failure(prefix.path(), folder.path(), &["\x1b[31mred"]);
    assert!(status == 125 && !lines.contains('\x1b'), "{lines}");
}

#[test]
fn installations_that_lack_something() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    std::fs::remove_file(prefix.path().join("lib/libferromp-trace.so")).unwrap();
    let line = "ferromp: PREFIX/lib/libferromp-trace.so is missing: the installation is incomplete\n";
    assert_eq!(failure(prefix.path(), folder.path(), &["trace", "true"]), (125, line.to_owned()));
    std::fs::remove_file(prefix.path().join("lib/libferromp.so")).unwrap();
    let line = "ferromp: PREFIX/lib/libferromp.so is missing: FERROMP_PREFIX names a folder without it\n";
    assert_eq!(failure(prefix.path(), folder.path(), &["run", "true"]), (125, line.to_owned()));

    let spaced = folder.path().join("a b");
    std::fs::create_dir_all(spaced.join("lib")).unwrap();
    std::fs::write(spaced.join("lib/libferromp.so"), "").unwrap();
    let line = "ferromp: PREFIX/lib/libferromp.so: the loader cannot preload a path with a space or a colon; move the installation\n";
    assert_eq!(failure(&spaced, folder.path(), &["run", "true"]), (125, line.to_owned()));
}

#[test]
fn folders_that_are_no_traces() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    std::fs::create_dir(folder.path().join("damaged")).unwrap();
    std::fs::write(folder.path().join("damaged/meta.json"), "{ \"format\": 1, \"prog").unwrap();
    std::fs::create_dir(folder.path().join("newer")).unwrap();
    std::fs::write(folder.path().join("newer/meta.json"), "{ \"format\": 4711 }").unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    std::fs::create_dir(folder.path().join("begun")).unwrap();
    std::fs::write(folder.path().join("begun/meta.json"), "").unwrap();
    let mut lines = String::new();
    for name in ["absent", "file", "empty", "damaged", "newer", "begun"] {
        let report = failure(prefix.path(), folder.path(), &["report", name]);
        assert_eq!(report.0, 125, "{name}");
        assert_eq!(report.1.lines().count(), 1, "{name}");
        let export = failure(prefix.path(), folder.path(), &["export", name, "--to", "perfetto"]);
        assert_eq!(report, export, "{name}");
        lines += &report.1;
    }
    insta::assert_snapshot!(lines);
    assert!(!folder.path().join("damaged.perfetto-trace.partial").exists());
}

#[test]
fn words_that_are_misspelt() {
    let (prefix, folder) = (hollow_prefix(), tempfile::tempdir().unwrap());
    let mut answers = String::new();
    let cases: [&[&str]; 5] =
        [&["reprot", "x"], &["trace", "--ouput", "x", "true"], &["trace"], &["export", "x", "--to", "perfeto"], &[]];
    for words in cases {
        let (status, answer) = failure(prefix.path(), folder.path(), words);
        assert_eq!(status, 125, "{words:?}");
        answers += &format!("$ ferromp {}\n{answer}\n", words.join(" "));
    }
    insta::assert_snapshot!(answers);
}

#[test]
fn a_full_disk_behind_stdout() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let done = std::process::Command::new(assert_cmd::cargo::cargo_bin("ferromp"))
        .args(["completions", "bash"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(125));
    assert_eq!(common::text(&done.stderr), "ferromp: cannot write to stdout: no space left on device\n");
}

//! `ferromp debug`: gdb with the program, the runtime and the commands, and what it says where it cannot start.

use crate::common;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const SOURCE: &str =
    "int main(void) { int n = 0;\n#pragma omp parallel num_threads(2) reduction(+:n)\n n++;\n return n != 2; }\n";

/// What gdb and the command say to these lines on stdin.
fn session(folder: &Path, words: &[&str], lines: &str) -> String {
    let prefix = common::prefix();
    let mut command = common::ferromp(&prefix);
    let done = command.current_dir(folder).env("HOME", folder).args(words).write_stdin(lines).output().unwrap();
    let text = common::text(&done.stdout) + &common::text(&done.stderr);
    text.replace(prefix.to_str().unwrap(), "PREFIX")
}

#[test]
fn programs_of_both_compilers_run_on_the_runtime_with_all_that_is_kept_for_debuggers() {
    let folder = tempfile::tempdir().unwrap();
    for compiler in ["gcc", "clang-19"] {
        common::compile(compiler, folder.path(), "app", SOURCE, &[]);
        let lines = "set debuginfod enabled off\nompd init\nshow environment OMP_DEBUG\nshow args\nbreak 3\ncontinue\nompd parallel\n";
        let said = session(folder.path(), &["debug", "--", "./app", "x y"], lines);
        for word in ["OMP_DEBUG = enabled", "PREFIX/lib/libompd.so", "x\\ y", "region 1: parallel, 2 threads at app.c:"]
        {
            assert!(said.contains(word), "{compiler}: {word}\n{said}");
        }
        assert!(!said.contains("declined"), "{compiler}: {said}");
    }
}

#[test]
fn what_cannot_be_debugged_has_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/bin/sh\nexit\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let refused = |words: &[&str]| session(folder.path(), words, "");
    let said = refused(&["debug", "--", "./script"]);
    assert_eq!(said, "ferromp: ./script is a script: ferromp debug -- /bin/sh ./script\n");
    let outer = folder.path().join("outer");
    std::fs::write(&outer, format!("#!{}\n", script.display())).unwrap();
    std::fs::set_permissions(&outer, std::fs::Permissions::from_mode(0o755)).unwrap();
    let said = refused(&["debug", "--", "./outer"]);
    let words = format!("/bin/sh {} ./outer", script.display());
    assert_eq!(said, format!("ferromp: ./outer is a script: ferromp debug -- {words}\n"));
    let said = refused(&["debug", "--pid", "4194305"]);
    assert_eq!(said, "ferromp: there is no process 4194305\n");
    let said = refused(&["debug", "--core", "absent", "--", "/bin/true"]);
    assert_eq!(said, "ferromp: cannot read absent: no such file or directory\n");
    for words in [&["debug", "--core", "absent"][..], &["debug", "--core", "absent", "--"]] {
        let said = refused(words);
        assert_eq!(said, "ferromp: the program that left absent is missing: ferromp debug --core absent -- PROGRAM\n");
    }
    std::fs::write(folder.path().join("core.zst"), b"\x28\xb5\x2f\xfdpacked").unwrap();
    let cases = [
        ("/bin/true", "/bin/true is no core file"),
        ("script", "script is no core file"),
        ("/dev/null", "/dev/null is no core file"),
        (".", "cannot read .: is a directory"),
        ("core.zst", "core.zst is compressed: unpack it first"),
    ];
    for (core, line) in cases {
        assert_eq!(refused(&["debug", "--core", core, "--", "/bin/true"]), format!("ferromp: {line}\n"));
    }
    let said = refused(&["debug", "--", "./absent"]);
    assert_eq!(said, "ferromp: ./absent: no such file\n");
    let said = refused(&["debug"]);
    assert!(said.starts_with("ferromp: ") && said.contains("PROGRAM"), "{said}");
}

/// A library that says so when it is loaded.
const EAVESDROPPER: &str = "#include <stdio.h>\n__attribute__((constructor)) static void here(void) { puts(\"a stranger's code runs\"); fflush(stdout); }\n";

const WAITING: &str =
    "#include <unistd.h>\nint main(void) {\n#pragma omp parallel num_threads(2)\n sleep(60);\n return 0; }\n";

#[test]
fn code_beside_the_runtime_that_a_core_file_names_does_not_run_in_gdb() {
    let folder = tempfile::tempdir().unwrap();
    common::compile("gcc", folder.path(), "app", WAITING, &[]);
    // A runtime of somebody else's, with a library for debuggers and a script for gdb beside it.
    let lib = folder.path().canonicalize().unwrap().join("lib");
    std::fs::create_dir(&lib).unwrap();
    std::fs::copy(common::prefix().join("lib/libferromp.so"), lib.join("libferromp.so")).unwrap();
    std::os::unix::fs::symlink("libferromp.so", lib.join("libgomp.so.1")).unwrap();
    common::compile("gcc", &lib, "libompd.so", EAVESDROPPER, &["-shared", "-fPIC"]);
    for script in ["libferromp.so-gdb.py", "libgomp.so.1-gdb.py"] {
        std::fs::write(lib.join(script), "print(\"a stranger's code runs\")\n").unwrap();
    }
    let set = format!("set environment LD_LIBRARY_PATH {}", lib.display());
    let made = std::process::Command::new("gdb")
        .current_dir(folder.path())
        .env("OMP_DEBUG", "enabled")
        .args(["-nx", "--batch", "-iex", "set auto-load no", "-ex", &set, "-ex", "break sleep", "-ex", "run"])
        .args(["-ex", "generate-core-file core", "-ex", "kill", "./app"])
        .output()
        .unwrap();
    assert!(folder.path().join("core").is_file(), "{}{}", common::text(&made.stdout), common::text(&made.stderr));
    let lines = "set debuginfod enabled off\nompd parallel\nquit\n";
    let said = session(folder.path(), &["debug", "--core", "core", "--", "./app"], lines);
    assert!(!said.contains("a stranger's code runs"), "{said}");
    let line = format!(
        "ompd: {}/libompd.so, which this core file names, is not loaded, but PREFIX/lib/libompd.so\n",
        lib.display()
    );
    assert_eq!(said.matches(&line).count(), 1, "{said}");
    assert!(said.contains("region 1: parallel, 2 threads at app.c:"), "{said}");
}

//! What the doctor says of programs, libraries, scripts, packages and processes, compared with the built runtime.

use crate::common;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

const SOURCE: &str = "int main(void) { int n = 0;\n#pragma omp parallel reduction(+:n)\n n++; return n < 1; }\n";

/// What the doctor says of `subject`, with the folders' names replaced, and its exit status.
fn doctor(folder: &Path, subject: &str) -> (i32, String) {
    let prefix = common::prefix();
    let done = common::ferromp(&prefix).current_dir(folder).args(["doctor", subject]).output().unwrap();
    let text = common::text(&done.stdout) + &common::text(&done.stderr);
    let text = text.replace(prefix.to_str().unwrap(), "PREFIX").replace(folder.to_str().unwrap(), "FOLDER");
    (done.status.code().unwrap(), text)
}

#[test]
fn programs_of_both_compilers_are_reached() {
    let folder = tempfile::tempdir().unwrap();
    for (compiler, runtime, entry_points) in [
        ("gcc", "libgomp.so.1", "built by gcc or gfortran"),
        ("clang-19", "libomp.so.5", "built by clang, flang or icx"),
    ] {
        common::compile(compiler, folder.path(), "app", SOURCE, &[]);
        let (status, text) = doctor(folder.path(), "./app");
        assert_eq!(status, 0, "{compiler}: {text}");
        assert!(text.contains(entry_points), "{compiler}: {text}");
        assert!(text.contains(&format!("yes: ferromp takes the place of {runtime}")), "{compiler}: {text}");
        assert!(text.contains("missing       nothing"), "{compiler}: {text}");
    }
}

#[test]
fn openacc_runs_on_the_host() {
    const ACC: &str = "#include <openacc.h>\nint main(void) { int n = 0;\n#pragma acc parallel copy(n)\n n++;\n acc_init(acc_device_host);\n\
                       return n != 1; }\n";
    let folder = tempfile::tempdir().unwrap();
    common::compile("gcc", folder.path(), "app", ACC, &["-fopenacc"]);
    let (status, text) = doctor(folder.path(), "./app");
    assert_eq!(status, 0, "{text}");
    for words in [
        "1 GOACC_ function",
        "calls 1 acc_ routine",
        "OpenACC       its regions run on the host",
        "missing       nothing",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn archer_is_looked_for_where_a_thread_sanitizer_watches() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("libarcher.so"), "").unwrap();
    let run_path = format!("-Wl,-rpath,{}", folder.path().display());
    for compiler in ["gcc", "clang-19"] {
        common::compile(compiler, folder.path(), "plain", SOURCE, &[&run_path]);
        common::compile(compiler, folder.path(), "watched", SOURCE, &["-fsanitize=thread"]);
        common::compile(compiler, folder.path(), "found", SOURCE, &["-fsanitize=thread", &run_path]);
        let said = |subject| doctor(folder.path(), subject).1;
        assert!(!said("./plain").contains("sanitizer"), "{compiler}: {}", said("./plain"));
        assert!(said("./watched").contains("libarcher.so is not to be found"), "{compiler}: {}", said("./watched"));
        assert!(said("./found").contains("ferromp loads FOLDER/libarcher.so"), "{compiler}: {}", said("./found"));
    }
}

#[test]
fn what_is_in_the_way_is_named() {
    let folder = tempfile::tempdir().unwrap();
    common::compile("gcc", folder.path(), "alone", SOURCE, &["-static"]);
    common::compile("gcc", folder.path(), "static", "int main(void) { return 0; }", &["-static", "-fno-openmp"]);
    // Another machine's program, as far as its first bytes tell.
    let mut header = [0; 64];
    header[..6].copy_from_slice(b"\x7fELF\x02\x01");
    (header[16], header[18]) = (2, 183);
    std::fs::write(folder.path().join("other"), header).unwrap();
    std::fs::set_permissions(folder.path().join("other"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut answers = String::new();
    for subject in ["./alone", "./static", "./other", "./absent", "4194305"] {
        let (status, text) = doctor(folder.path(), subject);
        answers += &format!("$ ferromp doctor {subject}   -> {status}\n{text}\n");
    }
    insta::assert_snapshot!(answers);
}

#[test]
fn a_function_that_ferromp_lacks_is_named() {
    let folder = tempfile::tempdir().unwrap();
    // A stand-in for a libgomp of the future, only to be linked with.
    let future = "void GOMP_of_the_future(void) {}\n";
    let script = folder.path().join("future.map");
    std::fs::write(&script, "GOMP_99.0 { global: GOMP_of_the_future; };\n").unwrap();
    let map = format!("-Wl,--version-script={}", script.display());
    let options = ["-shared", "-fPIC", "-fno-openmp", "-Wl,-soname,libgomp.so.1", map.as_str()];
    let library = common::compile("gcc", folder.path(), "libfuture.so", future, &options);
    let source = "void GOMP_of_the_future(void); int main(void) { GOMP_of_the_future(); return 0; }\n";
    common::compile("gcc", folder.path(), "app", source, &["-fno-openmp", library.to_str().unwrap()]);
    let (status, text) = doctor(folder.path(), "./app");
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("version nodes GOMP_99.0: the program would not start"), "{text}");
    assert!(text.contains("GOMP_of_the_future@GOMP_99.0"), "{text}");
}

#[test]
fn scripts_are_followed_to_their_interpreter() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/bin/sh\nexit\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (status, text) = doctor(folder.path(), "./script");
    assert_eq!(status, 0, "{text}");
    assert!(
        text.starts_with("script        ./script, run by /bin/sh\nprogram       /bin/sh (dynamically linked"),
        "{text}"
    );
    assert!(text.contains("none in it"), "{text}");
}

#[test]
fn what_is_no_program_is_looked_at_as_well() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no program").unwrap();
    std::fs::write(folder.path().join("train.py"), "pass\n").unwrap();
    let line = "ferromp: notes.txt: neither a program nor a shared library (no ELF file)\n";
    assert_eq!(doctor(folder.path(), "notes.txt"), (125, line.to_owned()));
    common::compile("gcc", folder.path(), "app", SOURCE, &[]);
    let (status, text) = doctor(folder.path(), "app");
    assert!(status == 0 && text.starts_with("program       app (dynamically linked"), "{text}");
    let (status, text) = doctor(folder.path(), "train.py");
    assert!(status == 0 && text.starts_with("script        train.py, for python3\n"), "{text}");
}

#[test]
fn packages_show_the_runtimes_that_they_carry() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site-packages");
    for name in ["science", "science.libs", "plain"] {
        std::fs::create_dir_all(site.join(name)).unwrap();
    }
    let private = "libgomp-a34b3233.so.1.0.0";
    let runtime = "void GOMP_parallel(void) {}\n";
    let soname = format!("-Wl,-soname,{private}");
    let options = ["-shared", "-fPIC", "-fno-openmp", soname.as_str()];
    let library = common::compile("gcc", &site.join("science.libs"), private, runtime, &options);
    let module = "void GOMP_parallel(void); void work(void) { GOMP_parallel(); }\n";
    let options = ["-shared", "-fPIC", "-fno-openmp", library.to_str().unwrap(), "-Wl,-rpath,$ORIGIN/../science.libs"];
    common::compile("gcc", &site.join("science"), "fast.so", module, &options);
    common::compile("gcc", &site.join("plain"), "slow.so", "int one(void) { return 1; }\n", &options[..3]);
    let (status, text) = doctor(folder.path(), "site-packages");
    assert_eq!(status, 0, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_running_process_shows_its_runtime() {
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <omp.h>\n#include <stdio.h>\nint main(void) { omp_get_max_threads(); puts(\"up\"); fflush(stdout); getchar(); }\n";
    let app = common::compile("gcc", folder.path(), "app", source, &[]);
    let start = |command: &mut Command| {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut up = [0; 3];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut up).unwrap();
        child
    };
    let mut bare = start(&mut Command::new(&app));
    let (status, text) = doctor(folder.path(), &bare.id().to_string());
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("libgomp.so.1") && text.contains("a running process keeps its runtime"), "{text}");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("ferromp"));
    let mut reached = start(command.arg("run").arg(&app).env("FERROMP_PREFIX", common::prefix()));
    let (status, text) = doctor(folder.path(), &reached.id().to_string());
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("yes: it runs on ferromp"), "{text}");
    for child in [&mut bare, &mut reached] {
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}

#[test]
fn this_installation_is_complete() {
    let prefix = common::prefix();
    let done = common::ferromp(&prefix).arg("doctor").output().unwrap();
    let text = common::text(&done.stdout);
    assert!(done.status.success(), "{text}");
    assert!(text.contains("preload       the loader accepts it"), "{text}");
    assert!(text.contains("libgomp.so.1, libgomp.so.1.0.0, libomp.so, libomp.so.5, libiomp5.so"), "{text}");
}

#[test]
fn a_library_that_ferromp_has_is_not_missing_where_the_machine_has_none() {
    let folder = tempfile::tempdir().unwrap();
    // Stand-ins, to be linked with and not to be found.
    let stub = |name: &str| {
        let soname = format!("-Wl,-soname,{name}");
        let options = ["-shared", "-fPIC", "-fno-openmp", soname.as_str()];
        common::compile("gcc", folder.path(), name, "void nothing(void) {}\n", &options).to_str().unwrap().to_owned()
    };
    let (target, other) = (stub("libomptarget.so.16"), stub("libabsent.so.1"));
    let options = |libraries: &[&str]| -> Vec<String> {
        ["-Wl,--no-as-needed"].iter().chain(libraries).map(|&word| word.to_owned()).collect()
    };
    let build = |name: &str, libraries: &[&str]| {
        let options = options(libraries);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        common::compile("gcc", folder.path(), name, SOURCE, &options);
    };
    build("ours", &[&target]);
    build("both", &[&target, &other]);
    let (status, text) = doctor(folder.path(), "./ours");
    assert_eq!(status, 0, "{text}");
    let line = "libomptarget.so.16, which ./ours asks for, is not on this machine: only ferromp has it here\n";
    assert!(text.contains(line) && !text.contains("not found"), "{text}");
    let (status, text) = doctor(folder.path(), "./both");
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("not found     libabsent.so.1, which ./both asks for"), "{text}");
    assert!(
        text.contains(", once it has its other libraries\n") && !text.contains("not found     libomptarget"),
        "{text}"
    );
}

/// Writes an executable script.
fn script(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn wrappers_are_followed_to_what_they_start() {
    let folder = tempfile::tempdir().unwrap();
    common::compile("gcc", folder.path(), "app", SOURCE, &[]);
    script(folder.path(), "inner", "#!/bin/sh\nD=$(dirname \"$0\")\nexport A=1\nexec \"$D/app\" --fast \"$@\"\n");
    script(folder.path(), "outer", "#!/bin/bash\n\"${0%/*}/inner\" \"$@\"\n");
    let (status, text) = doctor(folder.path(), "./outer");
    assert_eq!(status, 0, "{text}");
    let words = ["script        ./outer, run by /bin/bash\n", "starts        ./inner\n", "starts        ./app\n"];
    for word in
        words.iter().chain(&["built by gcc", "yes: ferromp takes the place of libgomp.so.1", "known only when it runs"])
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    script(folder.path(), "itself", "#!/bin/sh\nexec ./itself \"$@\"\n");
    assert_eq!(doctor(folder.path(), "./itself").0, 0);
    script(folder.path(), "chosen", "#!/bin/sh\nexec \"$1\" \"$@\"\n");
    let (_, text) = doctor(folder.path(), "./chosen");
    assert!(
        text.contains("not known     \"$1\", which the script starts: only the run tells what that is\n"),
        "{text}"
    );
    script(folder.path(), "cut", "#!/bin/sh\nunset LD_PRELOAD\nexec ./app\n");
    let (status, text) = doctor(folder.path(), "./cut");
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("in the way    the script unsets LD_PRELOAD: what it starts is not reached\n"), "{text}");
}

#[test]
fn entry_points_of_python_packages_name_interpreter_and_modules() {
    let folder = tempfile::tempdir().unwrap();
    // A stand-in for an interpreter, which is asked for its folders.
    script(folder.path(), "python3", "#!/bin/sh\necho /bin/true\necho /nowhere/site-packages\n");
    let python = folder.path().join("python3");
    let body = "import sys\nfrom science.cli import main\nsys.exit(main())\n";
    // pip writes scripts in this form if the interpreter's path is too long for a first line.
    let long = format!("#!/bin/sh\n'''exec' \"{}\" \"$0\" \"$@\"\n' '''\n{body}", python.display());
    script(folder.path(), "long", &long);
    script(folder.path(), "short", &format!("#!{}\n{body}", python.display()));
    for name in ["./long", "./short"] {
        let (_, text) = doctor(folder.path(), name);
        assert!(text.contains("imports       science, sys"), "{name}: {text}");
        assert!(text.contains("/python3"), "{name}: {text}");
    }
    assert!(doctor(folder.path(), "./long").1.contains("starts        FOLDER/python3, with the script ./long\n"));
}

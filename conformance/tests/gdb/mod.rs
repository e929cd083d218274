//! What the sessions share: programs, processes that hang, and gdb with a list of commands, whose words come without
//! what differs from run to run.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ferromp_conformance::compile::{Compiler, Job};
use ferromp_conformance::run;
use ferromp_conformance::runtime::Runtime;

/// gdb takes a while on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

/// Debian's package libomp-19-dev has it.
const LLVMS_PLUGIN: &str = "/usr/lib/llvm-19/share/gdb/python/ompd/__init__.py";

fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("gdb")
}

/// The folder with the runtime's library.
pub fn library_folder() -> PathBuf {
    match Runtime::chosen() {
        Ok(Runtime::Ferromp { lib, .. }) => lib,
        Ok(Runtime::Stock) => panic!("the test is about ferromp"),
        Err(why) => panic!("{why}"),
    }
}

/// A program of `gdb/`, as this compiler makes it.
pub fn compiled(name: &str, compiler: Compiler) -> PathBuf {
    compiled_with(name, compiler, &["-O0"])
}

/// A program of `gdb/`, as this compiler makes it with these options.
pub fn compiled_with(name: &str, compiler: Compiler, options: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("gdb");
    let source = folder.join(name).with_extension("c");
    let flags: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    let job =
        Job { compiler, source: &source, shared: false, flags: &flags, libs: &[], include: &folder, cache: &cache() };
    job.build().unwrap_or_else(|why| panic!("{why}"))
}

/// A process that hangs, until it is dropped.
pub struct Hung {
    child: Child,
    program: PathBuf,
}

impl Hung {
    /// Starts a program on the chosen runtime and waits until it hangs with this many threads.
    pub fn start(program: &Path, threads: usize) -> Hung {
        Hung::start_in(&library_folder(), program, threads)
    }

    /// As `start`, on the runtime of this prefix.
    pub fn start_on(prefix: &Path, program: &Path, threads: usize) -> Hung {
        Hung::start_in(&prefix.join("lib"), program, threads)
    }

    fn start_in(lib: &Path, program: &Path, threads: usize) -> Hung {
        let mut command = Command::new(program);
        Runtime::Stock.prepare(&mut command);
        command.env("LD_LIBRARY_PATH", lib).env("OMP_WAIT_POLICY", "passive").stdin(Stdio::null());
        let anybody = || {
            // SAFETY: prctl with these arguments takes numbers only; the child may call it between fork and exec.
            unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0) };
            Ok(())
        };
        // SAFETY: the closure makes one system call and touches no memory.
        unsafe { command.pre_exec(anybody) };
        let hung = Hung {
            child: command.spawn().unwrap_or_else(|why| panic!("{command:?}: {why}")),
            program: program.to_owned(),
        };
        let begin = Instant::now();
        let mut quiet = 0;
        while quiet < 10 {
            assert!(begin.elapsed() < LIMIT, "{} does not come to rest", program.display());
            std::thread::sleep(Duration::from_millis(10));
            quiet = if hung.sleepers() == threads { quiet + 1 } else { 0 };
        }
        hung
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How many of its threads sleep.
    fn sleepers(&self) -> usize {
        let Ok(tasks) = fs::read_dir(format!("/proc/{}/task", self.child.id())) else { return 0 };
        let stats = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("stat")).ok());
        stats.filter(|stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('S'))).count()
    }
}

impl Drop for Hung {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One run of gdb with a list of commands.
pub struct Session {
    command: Command,
    lib: PathBuf,
    words: Vec<String>,
}

/// Around what a command says, so that the rest of what gdb says can be left out.
const BEGIN: &str = "@@begin ";
const END: &str = "@@end";

impl Session {
    fn bare(lib: &Path, plugin: Option<&Path>) -> Session {
        let mut command = Command::new("sh");
        Runtime::Stock.prepare(&mut command);
        // In one stream, so that failures stand where they happened.
        command.args(["-c", "exec gdb \"$@\" 2>&1", "gdb", "--batch", "-nx"]);
        command.args(["-iex", "set debuginfod enabled off", "-ex", "set pagination off", "-ex", "set width 0"]);
        if let Some(plugin) = plugin {
            command.arg("-ex").arg(format!("source {}", plugin.display()));
        }
        Session { command, lib: lib.to_owned(), words: Vec::new() }
    }

    fn with_plugin() -> Session {
        let lib = library_folder();
        Session::bare(&lib, Some(&lib.join("../share/gdb/ferromp.py")))
    }

    /// gdb with a program that it is to start on ferromp.
    pub fn new(program: &Path) -> Session {
        let mut session = Session::without_runtime(program);
        let lib = session.lib.display().to_string();
        session.hidden(&[&format!("set environment LD_LIBRARY_PATH {lib}"), "set environment OMP_WAIT_POLICY passive"]);
        session
    }

    /// gdb with a program that it is to start on ferromp, and LLVM's plug-in instead of ours.
    pub fn llvms(program: &Path) -> Session {
        let mut session = Session::bare(&library_folder(), Some(Path::new(LLVMS_PLUGIN)));
        session.command.arg(program);
        let lib = session.lib.display().to_string();
        let variables = ["OMP_DEBUG enabled", "OMP_WAIT_POLICY passive", &format!("LD_LIBRARY_PATH {lib}")];
        session.hidden(&variables.map(|variable| format!("set environment {variable}")).each_ref().map(String::as_str));
        session
    }

    /// gdb with a program that finds whatever runtime the machine has.
    pub fn without_runtime(program: &Path) -> Session {
        let mut session = Session::with_plugin();
        session.command.arg(program);
        session
    }

    /// gdb with the plug-in and nothing else.
    pub fn without_program() -> Session {
        Session::with_plugin()
    }

    /// gdb with a process.
    pub fn attached(hung: &Hung) -> Session {
        let mut session = Session::with_plugin();
        session.command.arg("-p").arg(hung.child.id().to_string());
        session
    }

    /// gdb with a core file.
    pub fn of_core(program: &Path, core: &Path) -> Session {
        let mut session = Session::with_plugin();
        session.command.arg(program).arg(core);
        session
    }

    /// gdb with a process, and no plug-in but what it loads by itself from this prefix.
    pub fn automatic(prefix: &Path, hung: &Hung) -> Session {
        let mut session = Session::bare(&prefix.join("lib"), None);
        session.command.arg("-iex").arg(format!("add-auto-load-safe-path {}", prefix.display()));
        session.command.arg("-p").arg(hung.child.id().to_string());
        session
    }

    /// Commands whose words are not wanted.
    pub fn hidden(&mut self, commands: &[&str]) -> &mut Session {
        self.words.extend(commands.iter().map(|&command| command.to_owned()));
        self
    }

    /// Commands whose words are the session's.
    pub fn shown(&mut self, commands: &[&str]) -> &mut Session {
        for command in commands {
            self.words.extend([format!("echo {BEGIN}{command}\\n"), (*command).to_owned(), format!("echo {END}\\n")]);
        }
        self
    }

    /// A command of which only the time is wanted, as `seconds: 1.23`.
    pub fn timed(&mut self, command: &str) -> &mut Session {
        self.words.push("python import time; begin = time.monotonic()".to_owned());
        self.words.push(command.to_owned());
        self.words.push(format!("echo {BEGIN}time\\n"));
        self.words.push("python print('seconds: %.2f' % (time.monotonic() - begin))".to_owned());
        self.words.push(format!("echo {END}\\n"));
        self
    }

    /// Runs all of it. What the shown commands said, each behind its prompt, without what differs from run to run.
    pub fn run(&mut self) -> String {
        // Options end where the program's arguments begin, which no session has.
        for word in &self.words {
            self.command.arg("-ex").arg(word);
        }
        let outcome = run::run(&mut self.command, LIMIT, &cache()).unwrap_or_else(|why| panic!("{why}"));
        let mut said = String::new();
        let mut inside = false;
        for line in outcome.stdout.lines() {
            if let Some(at) = line.find(BEGIN) {
                inside = true;
                said += &format!("(gdb) {}\n", &line[at + BEGIN.len()..]);
            } else if let Some(at) = line.find(END) {
                if at > 0 {
                    said += &format!("{}\n", &line[..at]);
                }
                inside = false;
            } else if inside {
                said += &format!("{line}\n");
            }
        }
        assert!(!inside && !said.is_empty(), "gdb did not come to the end: {}", outcome.stdout);
        tidied(&said, &outcome.stdout, &self.lib)
    }
}

/// Writes a core file of a process by gdb.
pub fn core_of(hung: &Hung, name: &str) -> PathBuf {
    let core = cache().join(format!("{name}.core"));
    let mut session = Session::attached(hung);
    session.shown(&[&format!("generate-core-file {}", core.display())]);
    let said = session.run();
    assert!(core.is_file(), "{}: {said}", hung.program.display());
    core
}

/// A copy of a program without any symbols.
pub fn stripped(program: &Path, name: &str) -> PathBuf {
    let to = cache().join(format!("{name}-{}", std::process::id()));
    let done = Command::new("strip").arg("-o").arg(&to).arg(program).status();
    assert!(done.is_ok_and(|status| status.success()), "{} cannot be stripped", program.display());
    to
}

/// A copy of the prefix at another place, with the runtime stripped.
pub fn moved_prefix(name: &str) -> PathBuf {
    let from = library_folder().join("..");
    let to = cache().join(format!("{name}-{}", std::process::id()));
    fs::create_dir_all(&to).unwrap_or_else(|why| panic!("{}: {why}", to.display()));
    for folder in ["lib", "share"] {
        let copied = Command::new("cp").arg("-a").arg(from.join(folder)).arg(&to).status();
        assert!(copied.is_ok_and(|status| status.success()), "{folder} cannot be copied");
    }
    let stripped = Command::new("strip").arg(to.join("lib/libferromp.so")).status();
    assert!(stripped.is_ok_and(|status| status.success()), "libferromp.so cannot be stripped");
    to.canonicalize().unwrap_or_else(|why| panic!("{}: {why}", to.display()))
}

/// Makes the runtime of a prefix one of another version, as far as debuggers can see.
pub fn make_other_version(prefix: &Path) {
    let library = prefix.join("lib/libferromp.so");
    let mut bytes = fs::read(&library).unwrap_or_else(|why| panic!("{}: {why}", library.display()));
    let at = bytes.windows(8).position(|word| word == b"FERROMPD").expect("the object that debuggers read");
    bytes[at + 8] += 1;
    fs::write(&library, bytes).unwrap_or_else(|why| panic!("{}: {why}", library.display()));
}

/// Replaces addresses, the kernel's numbers of threads, digests in programs' names and folders; columns come two blanks
/// apart.
fn tidied(said: &str, everything: &str, lib: &Path) -> String {
    let threads: Vec<&str> = everything.split("LWP ").skip(1).map(digits).filter(|n| !n.is_empty()).collect();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("gdb");
    let said = said.replace(&format!("{}/", sources.display()), "").replace(&lib.display().to_string(), "LIB");
    tidied_lines(&said, &threads)
}

/// As the sessions are, a text that was taken from one.
pub fn tidied_text(said: &str) -> String {
    tidied_lines(said, &[])
}

fn tidied_lines(said: &str, threads: &[&str]) -> String {
    let mut tidy = String::new();
    for line in said.lines() {
        // Frames of the runtime differ from build to build.
        if line.contains(" crates/") || line.contains("more recent than executable") {
            continue;
        }
        // So do the numbers of frames, of which the runtime's have their share.
        let line = &unnumbered(line);
        let indent = line.len() - line.trim_start().len();
        let mut words = Vec::new();
        for column in line.trim().split("  ").filter(|column| !column.is_empty()) {
            let column: Vec<String> =
                column.split(' ').filter(|word| !word.is_empty()).map(|word| tidy_word(word, threads)).collect();
            words.push(column.join(" "));
        }
        let line = format!("{}{}\n", &line[..indent.min(8)], words.join("  "));
        if !(line.trim() == "0x…" && tidy.ends_with(&format!("\n{line}"))) {
            tidy += &line;
        }
    }
    tidy
}

/// A line of a stack without its frame's number.
fn unnumbered(line: &str) -> String {
    match line.strip_prefix('#') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("#  {}", rest[digits(rest).len()..].trim_start())
        }
        _ => line.to_owned(),
    }
}

fn digits(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

/// What clang begins the names of target regions' code with.
const KERNEL: &str = "__omp_offloading_";

/// One word: `0x4010a0` becomes `0x…`, a thread's number `LWP`.
fn tidy_word(word: &str, threads: &[&str]) -> String {
    if threads.contains(&word.trim_matches(|c: char| !c.is_ascii_digit())) {
        return "LWP".to_owned();
    }
    if word.len() > 9 && word.trim_end_matches('.').chars().all(|c| c.is_ascii_hexdigit()) {
        return "…".to_owned();
    }
    // The file's numbers are a part of a kernel's name.
    if let Some((before, kernel)) = word.split_once(KERNEL) {
        let name = kernel.splitn(3, '_').nth(2).unwrap_or(kernel);
        return format!("{before}{KERNEL}{name}");
    }
    let mut tidy = String::new();
    let mut rest = word;
    while let Some(at) = rest.find("0x") {
        let number = &rest[at + 2..];
        let end = number.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(number.len());
        tidy += &rest[..at];
        tidy += if end > 4 { "0x…" } else { &rest[at..at + 2 + end] };
        rest = &number[end..];
    }
    tidy + rest
}

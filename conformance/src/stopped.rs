//! Stops the programs under `debugged/` where they ask for it, and loads the `libompd.so` that their runtime names.
//! Reads from the programs' memory what they say of themselves (`debugged/said.h`), for tests to compare with.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ferromp_debugger::handles::Space;
use ferromp_debugger::live::{self, Live};
use ferromp_debugger::ompd::Ompd;
use ferromp_debugger::target::{self, Target};

use crate::compile::{Compiler, Job};
use crate::runtime::Runtime;

/// The compilers of the programs in C.
pub const COMPILERS: [Compiler; 2] = [Compiler::Clang, Compiler::Gcc];

/// The length of names in `said.h`.
const NAME: usize = 24;
const FACTS: usize = 56;
const RECORDS: usize = 96;
const FACT_BYTES: usize = NAME + 8;
const RECORD_BYTES: usize = NAME + 8 + FACTS * FACT_BYTES;

/// What one thread of a program says.
#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    facts: BTreeMap<String, i64>,
}

impl Record {
    /// A fact.
    ///
    /// # Panics
    /// If the program does not say it.
    pub fn get(&self, fact: &str) -> i64 {
        *self.facts.get(fact).unwrap_or_else(|| panic!("{} does not say {fact}: {:?}", self.name, self.facts))
    }

    /// Whether the program says it.
    pub fn says(&self, fact: &str) -> bool {
        self.facts.contains_key(fact)
    }

    /// The kernel's number of the thread.
    pub fn lwp(&self) -> i32 {
        i32::try_from(self.get("lwp")).expect("numbers of threads are small")
    }

    /// The C library's name of the thread.
    pub fn pthread(&self) -> u64 {
        self.get("pthread").cast_unsigned()
    }
}

/// What the program said up to now, in the order in which its threads began to speak.
pub fn records(target: &dyn Target) -> Vec<Record> {
    let said = target.symbol("said", None).expect("the program says something");
    let bytes: Vec<u8> = target::values(target, said, RECORDS * RECORD_BYTES).expect("it can be read");
    let name =
        |bytes: &[u8]| String::from_utf8_lossy(bytes.split(|byte| *byte == 0).next().unwrap_or_default()).into_owned();
    let number = |bytes: &[u8]| i64::from_ne_bytes(bytes[..8].try_into().expect("eight bytes"));
    let record = |bytes: &[u8]| {
        let count = usize::try_from(number(&bytes[NAME..])).unwrap_or(0).min(FACTS);
        let facts = bytes[NAME + 8..].chunks_exact(FACT_BYTES).take(count);
        Record {
            name: name(&bytes[..NAME]),
            facts: facts.map(|fact| (name(&fact[..NAME]), number(&fact[NAME..]))).collect(),
        }
    };
    bytes.chunks_exact(RECORD_BYTES).map(record).filter(|record| !record.name.is_empty()).collect()
}

/// The records of that name.
pub fn named<'a>(records: &'a [Record], name: &str) -> Vec<&'a Record> {
    records.iter().filter(|record| record.name == name).collect()
}

/// The only record of that name.
///
/// # Panics
/// If there is none, or another one.
pub fn the<'a>(records: &'a [Record], name: &str) -> &'a Record {
    match named(records, name)[..] {
        [record] => record,
        ref found => panic!("{} records of {name}", found.len()),
    }
}

/// Whether processes can be traced on this machine. If not, a test that needs tracing says why and ends.
pub fn possible() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| live::allowed().inspect_err(|why| eprintln!("skipped: {why}")).is_ok())
}

/// Where the programs are built.
pub struct Workshop {
    runtime: Runtime,
    /// Folder of ferromp's libraries.
    pub lib: PathBuf,
    /// Folder for what is built and written.
    pub scratch: PathBuf,
}

impl Workshop {
    /// The workshop of a test file; `scratch` is its `CARGO_TARGET_TMPDIR`.
    ///
    /// # Panics
    /// If ferromp is missing, or not what the environment chooses.
    pub fn new(scratch: &str) -> Workshop {
        let runtime = Runtime::chosen().unwrap_or_else(|why| panic!("{why}"));
        let Runtime::Ferromp { lib, .. } = &runtime else { panic!("the tests of OMPD are about ferromp alone") };
        Workshop { lib: lib.clone(), runtime, scratch: Path::new(scratch).join("debugged") }
    }

    /// Builds `debugged/<name>`.
    ///
    /// # Panics
    /// If it does not compile.
    pub fn program(&self, name: &str, compiler: Compiler) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("debugged");
        let source = folder.join(if name.contains('.') { name.to_owned() } else { format!("{name}.c") });
        let libs = ["dl".to_owned(), "pthread".to_owned()];
        // A tool inside a program is found by its name. The header is ferromp's, not the compiler's.
        let header = crate::runtime::workspace().join("crates/ompt/include").display().to_string();
        let flags = ["-rdynamic".to_owned(), format!("-I{header}")];
        let job = Job {
            compiler,
            source: &source,
            shared: false,
            flags: &flags,
            libs: &libs,
            include: &folder,
            cache: &self.scratch,
        };
        job.build().unwrap_or_else(|why| panic!("{why}"))
    }

    /// Prepares to run it on the chosen runtime.
    pub fn command(&self, name: &str, compiler: Compiler) -> Command {
        self.command_with(name, compiler, &self.lib)
    }

    /// As [`command`](Self::command), on a runtime in another folder.
    pub fn command_with(&self, name: &str, compiler: Compiler, lib: &Path) -> Command {
        let mut command = Command::new(self.program(name, compiler));
        self.runtime.prepare(&mut command);
        command.env("LD_LIBRARY_PATH", lib).env("LD_PRELOAD", lib.join("libferromp.so"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Starts a program and lets it run until it stops for the debugger.
    pub fn stop(&self, name: &str, compiler: Compiler, settings: &[(&str, &str)]) -> Stopped {
        let mut command = self.command(name, compiler);
        command.envs(settings.iter().copied());
        stop(&mut command)
    }
}

/// A program that has stopped for the debugger.
pub struct Stopped {
    /// The process's handle, which is released before the process ends.
    pub space: Space,
    pub live: Live,
    pub records: Vec<Record>,
    /// Where it stops.
    pub here: u64,
    /// The thread that came there.
    pub stopper: i32,
}

/// A program that runs without a debugger, in a process group of its own, which is killed at the end.
pub struct Running {
    child: Child,
}

impl Running {
    /// Starts it.
    ///
    /// # Panics
    /// If that fails.
    pub fn start(command: &mut Command) -> Running {
        Running { child: command.process_group(0).spawn().unwrap_or_else(|why| panic!("{command:?}: {why}")) }
    }

    /// The number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end; whether it succeeded.
    pub fn succeeds(&mut self) -> bool {
        self.child.wait().is_ok_and(|status| status.success())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(group) = libc::pid_t::try_from(self.child.id()) {
            // SAFETY: kill takes no pointers; the group is the one created for this child.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        // The process may have ended already, and have been reaped.
        let _ = self.child.wait();
    }
}

/// Starts a program and lets it run until it stops for the debugger.
///
/// # Panics
/// If it does not.
pub fn stop(command: &mut Command) -> Stopped {
    let mut live = Live::start(command).unwrap_or_else(|why| panic!("{command:?}: {why}"));
    live.run_to_library("libferromp.so");
    let here = live.break_at_symbol("here");
    let stopper = live.run_to(here);
    let space = space(live.target());
    let records = records(&*live.target());
    Stopped { space, live, records, here, stopper }
}

impl Stopped {
    /// Lets the program run until it stops again.
    pub fn again(&mut self) {
        self.stopper = self.live.run_to(self.here);
        self.renew();
    }

    /// Lets the program run for a short time, without breakpoints.
    pub fn a_little(&mut self) {
        assert_eq!(self.live.run_for(Duration::from_millis(3)), None);
        self.renew();
    }

    fn renew(&mut self) {
        self.records = records(&*self.live.target());
    }
}

/// The handle of a target's process, by the library that its runtime names.
///
/// # Panics
/// If there is none, or it does not take the process.
pub fn space(target: Arc<dyn Target>) -> Space {
    let path = library(&*target).expect("the runtime names a library");
    let ompd = Ompd::shared(&path).unwrap_or_else(|why| panic!("{why}"));
    Space::process(&ompd, target).unwrap_or_else(|rc| panic!("ompd_process_initialize: {rc:?}"))
}

/// The first library that the runtime names in `ompd_dll_locations`.
pub fn library(target: &dyn Target) -> Option<PathBuf> {
    let list: u64 = target::value(target, target.symbol("ompd_dll_locations", None)?)?;
    let first: u64 = target::value(target, list)?;
    target::string(target, first).map(PathBuf::from)
}

/// Waits until a process that runs on its own has parked itself.
///
/// # Panics
/// If it does not come to that.
pub fn until_parked(pid: u32) {
    let until = Instant::now() + Duration::from_secs(40);
    loop {
        std::thread::sleep(Duration::from_millis(5));
        // Each look attaches anew: an earlier look may have come before the process had mapped its libraries.
        if let Ok(live) = Live::attach(pid) {
            let target = live.target();
            let parked = target.symbol("parked", None).and_then(|parked| target.value::<i32>(parked));
            live.detach();
            if parked == Some(1) {
                return;
            }
        }
        assert!(Instant::now() < until, "process {pid} does not park");
    }
}

//! One sample is a process that times one construct on one runtime. gcc's build runs on ferromp and on libgomp, clang's
//! on ferromp and on libiomp5. A sample that ran on the wrong runtime is refused.

use crate::options::Options;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many times `cargo xtask bench ompt` links a library, with its functions in another order each time.
const ORDERS: usize = 8;

/// The program that times one construct.
const CONSTRUCT: &str = "construct";

/// A compiler's build on a runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    GccFerromp,
    Libgomp,
    ClangFerromp,
    Libiomp5,
}

impl Program {
    pub const ALL: [Program; 4] = [Program::GccFerromp, Program::Libgomp, Program::ClangFerromp, Program::Libiomp5];

    /// The name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Program::GccFerromp => "ferromp (gcc)",
            Program::Libgomp => "libgomp",
            Program::ClangFerromp => "ferromp (clang)",
            Program::Libiomp5 => "libiomp5",
        }
    }

    /// What the name of its runtime's file contains.
    pub fn runtime(self) -> &'static str {
        match self {
            Program::GccFerromp | Program::ClangFerromp => "ferromp",
            Program::Libgomp => "libgomp",
            Program::Libiomp5 => "libiomp5",
        }
    }
}

/// What built a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    Gcc,
    Clang,
}

impl Compiler {
    /// The name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang",
        }
    }
}

/// A runtime: its folder, and a part of its file's name.
pub struct Runtime {
    pub folder: PathBuf,
    pub name: &'static str,
}

impl Runtime {
    pub fn new(folder: PathBuf, name: &'static str) -> Runtime {
        Runtime { folder, name }
    }
}

/// What one process measured.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Of one construct.
    pub nanoseconds: f64,
    /// Of one construct, if the tool counts; 0 if not.
    pub events: f64,
}

/// The samples of one construct at one team size, in nanoseconds; one list a program, in the order of `Program::ALL`.
pub struct Series {
    pub construct: &'static str,
    pub threads: usize,
    pub samples: [Vec<f64>; 4],
}

impl Series {
    pub fn new(construct: &'static str, threads: usize) -> Series {
        Series { construct, threads, samples: Default::default() }
    }
}

/// The compiled programs and the folders of the runtimes.
pub struct Bench {
    /// Folder for what is built and recorded.
    pub scratch: PathBuf,
    floor: PathBuf,
    dist: PathBuf,
    pub ferromp: Runtime,
    pub libiomp5: Runtime,
    /// ferromp, and ferromp built without OMPT, each with its functions in several orders.
    pub with_ompt: Vec<Runtime>,
    pub without_ompt: Vec<Runtime>,
    /// The tools, see `programs/tool.c`.
    pub empty_c: PathBuf,
    pub empty_rust: PathBuf,
    pub counting_c: PathBuf,
    pub counting_rust: PathBuf,
}

impl Bench {
    /// Compiles the programs under `folder/programs` for runs against `root/dist`.
    pub fn new(root: &Path, folder: &Path) -> Result<Bench, String> {
        let libiomp5 = std::env::var_os("FERROMP_BENCH_LIBIOMP5")
            .map(PathBuf::from)
            .and_then(|file| file.parent().map(Path::to_path_buf))
            .ok_or("FERROMP_BENCH_LIBIOMP5 does not name libiomp5.so; start with `cargo xtask bench`")?;
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |dir| root.join(dir));
        let scratch = target.join("bench");
        std::fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
        let programs = folder.join("programs");
        let shuffled = |name| {
            (0..ORDERS).map(|order| Runtime::new(scratch.join(name).join(order.to_string()), "ferromp")).collect()
        };
        let bench = Bench {
            floor: scratch.join("floor"),
            dist: root.join("dist"),
            ferromp: Runtime::new(root.join("dist/lib"), "ferromp"),
            libiomp5: Runtime::new(libiomp5, "libiomp5"),
            with_ompt: shuffled("with-ompt"),
            without_ompt: shuffled("without-ompt"),
            empty_c: scratch.join("libempty-c.so"),
            empty_rust: target.join("release/examples/libempty_tool.so"),
            counting_c: scratch.join("libcounting-c.so"),
            counting_rust: target.join("release/examples/libcounting_tool.so"),
            scratch,
        };
        bench.compile(&programs, CONSTRUCT)?;
        succeed(Command::new("gcc").args(["-O2", "-pthread", "-o"]).arg(&bench.floor).arg(programs.join("floor.c")))?;
        Ok(bench)
    }

    /// Builds the program of this name with each compiler.
    pub fn compile(&self, programs: &Path, name: &str) -> Result<(), String> {
        let source = programs.join(name).with_extension("c");
        let built = |compiler| self.built(compiler, name);
        succeed(Command::new("gcc").args(["-O2", "-fopenmp", "-o"]).arg(built(Compiler::Gcc)).arg(&source))?;
        // Linked to libiomp5's own name, which ferromp answers to as well.
        let mut clang = Command::new("clang-19");
        clang.args(["-O2", "-fopenmp=libiomp5", "-L"]).arg(&self.libiomp5.folder);
        succeed(clang.arg("-o").arg(built(Compiler::Clang)).arg(&source))?;
        Ok(())
    }

    /// A compiler's build of the program of this name.
    fn built(&self, compiler: Compiler, name: &str) -> PathBuf {
        self.scratch.join(format!("{name}-{}", compiler.name()))
    }

    /// Builds the tools in C; those in Rust are examples of this package.
    pub fn build_tools(&self, root: &Path, folder: &Path) -> Result<(), String> {
        for (tool, option) in [(&self.empty_c, "-DEMPTY"), (&self.counting_c, "-DCOUNT")] {
            let mut compile = Command::new("gcc");
            compile.args(["-O2", "-shared", "-fPIC", option, "-I"]).arg(root.join("crates/ompt/include"));
            succeed(compile.arg("-o").arg(tool).arg(folder.join("programs/tool.c")))?;
        }
        for needed in [&self.empty_rust, &self.counting_rust, &self.with_ompt[0].folder, &self.without_ompt[0].folder] {
            if !needed.exists() {
                return Err(format!("{} is missing; start with `cargo xtask bench ompt`", needed.display()));
            }
        }
        Ok(())
    }

    /// One process of a compiler's build on a runtime, with a tool or none; a sample whose tool was not active is
    /// refused.
    pub fn run(
        &self,
        compiler: Compiler,
        runtime: &Runtime,
        tool: Option<&Path>,
        construct: &str,
        threads: usize,
        milliseconds: u32,
    ) -> Result<Sample, String> {
        let mut command = Command::new(self.built(compiler, CONSTRUCT));
        clean(&mut command);
        command.env("LD_LIBRARY_PATH", &runtime.folder);
        if let Some(tool) = tool {
            command.env("OMP_TOOL_LIBRARIES", tool);
        }
        command.arg(construct).arg(threads.to_string()).arg(milliseconds.to_string());
        let (out, errors) = output(&mut command)?;
        let (nanoseconds, all) = reading(&command, &out, runtime.name)?;
        let said = errors.lines().find_map(|line| line.strip_prefix("tool: "));
        if said.is_some() != tool.is_some() {
            return Err(format!("{command:?}: the tool is {}", if tool.is_some() { "not active" } else { "active" }));
        }
        let events: f64 = said.and_then(|text| text.split(' ').next()?.parse().ok()).unwrap_or(0.0);
        Ok(Sample { nanoseconds, events: events / all })
    }

    /// Nanoseconds of one construct, in a process of its own.
    pub fn sample(&self, program: Program, construct: &str, threads: usize, milliseconds: u32) -> Result<f64, String> {
        let mut command = self.command(program, CONSTRUCT);
        timed(command.arg(construct).arg(threads.to_string()).arg(milliseconds.to_string()), program.runtime())
    }

    /// Starts the build of the program of this name on a runtime, with nothing set that controls runtimes.
    pub fn command(&self, program: Program, name: &str) -> Command {
        let (compiler, folder) = self.parts(program);
        let mut command = Command::new(self.built(compiler, name));
        clean(&mut command);
        command.envs(folder.map(|folder| ("LD_LIBRARY_PATH", folder)));
        command
    }

    /// The instructions of a process that executes a construct about `count` times in a team of one; and how many
    /// times that was.
    pub fn instructions(&self, program: Program, construct: &str, count: u64) -> Result<(u64, u64), String> {
        let (compiler, folder) = self.parts(program);
        let mut command = Command::new("valgrind");
        clean(&mut command);
        command.envs(folder.map(|folder| ("LD_LIBRARY_PATH", folder)));
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(self.built(compiler, CONSTRUCT));
        let (out, errors) = output(command.arg(construct).arg("1").arg(format!("={count}")))?;
        let (_, executed) = reading(&command, &out, program.runtime())?;
        let collected = errors.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
        let collected = collected.ok_or_else(|| format!("{command:?} printed no count: {errors}"))?;
        Ok((collected, executed as u64))
    }

    /// The compiler that built a program, and the folder of the runtime that it is to run on; none for the system's.
    fn parts(&self, program: Program) -> (Compiler, Option<PathBuf>) {
        match program {
            Program::GccFerromp => (Compiler::Gcc, Some(self.dist.join("lib"))),
            Program::Libgomp => (Compiler::Gcc, None),
            Program::ClangFerromp => (Compiler::Clang, Some(self.dist.join("lib"))),
            Program::Libiomp5 => (Compiler::Clang, Some(self.libiomp5.folder.clone())),
        }
    }

    /// The same on ferromp while the recorder writes a trace.
    pub fn traced_sample(&self, construct: &str, threads: usize, milliseconds: u32) -> Result<f64, String> {
        let folder = self.scratch.join("trace");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        let mut command = Command::new(self.dist.join("bin/ferromp"));
        clean(&mut command);
        command.args(["trace", "--quiet", "-o"]).arg(&folder).arg("--").arg(self.built(Compiler::Clang, CONSTRUCT));
        timed(command.arg(construct).arg(threads.to_string()).arg(milliseconds.to_string()), "ferromp")
    }

    /// Nanoseconds of a cache line's round trip between two CPUs; `None` where there is one.
    pub fn floor(&self) -> Result<Option<f64>, String> {
        let text = succeed(&mut Command::new(&self.floor))?;
        let value: f64 = text.trim().parse().map_err(|_| format!("floor printed '{}'", text.trim()))?;
        Ok((value > 0.0).then_some(value))
    }

    /// One line on the machine and the method.
    pub fn machine(&self, options: &Options) -> String {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpuinfo
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
            .map_or("unknown CPU", |(_, m)| m);
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let gcc = succeed(Command::new("gcc").arg("-dumpfullversion")).unwrap_or_default();
        format!(
            "{cpus} CPUs ({model}); gcc {} with its libgomp, clang 19, intel-openmp from PyPI; {} rounds of {} ms a sample",
            gcc.trim(),
            options.rounds,
            options.milliseconds
        )
    }
}

/// Removes the variables that control a runtime from a command's environment.
pub fn clean(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["OMP_", "KMP_", "GOMP_", "LD_", "FERROMP_"].iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
}

/// Runs `construct` and reads its time; `runtime` must stand in the name of the file that served it.
fn timed(command: &mut Command, runtime: &str) -> Result<f64, String> {
    let text = succeed(command)?;
    Ok(reading(command, &text, runtime)?.0)
}

/// What `construct` printed: `NANOSECONDS COUNT FILE`.
pub fn reading(command: &Command, text: &str, runtime: &str) -> Result<(f64, f64), String> {
    let unreadable = || format!("{command:?} printed '{}'", text.trim());
    let mut words = text.trim().splitn(3, ' ');
    let mut number = || words.next()?.parse::<f64>().ok();
    let (Some(nanoseconds), Some(count)) = (number(), number()) else { return Err(unreadable()) };
    let file = words.next().ok_or_else(unreadable)?;
    let real = std::fs::canonicalize(file).map_err(|e| format!("{file}: {e}"))?;
    if !real.file_name().is_some_and(|name| name.to_string_lossy().contains(runtime)) {
        return Err(format!("{command:?} ran on {}, not on {runtime}", real.display()));
    }
    Ok((nanoseconds, count))
}

/// Runs a command and returns its stdout.
pub fn succeed(command: &mut Command) -> Result<String, String> {
    output(command).map(|(out, _)| out)
}

/// Runs a command and returns its stdout and stderr.
pub fn output(command: &mut Command) -> Result<(String, String), String> {
    let out = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let errors = String::from_utf8_lossy(&out.stderr).into_owned();
    if !out.status.success() {
        return Err(format!("{command:?}: {}\n{errors}", out.status));
    }
    Ok((String::from_utf8(out.stdout).map_err(|e| format!("{command:?}: {e}"))?, errors))
}

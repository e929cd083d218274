//! The few directives that a corpus program may carry in its opening comment, one a line, `//@ key: value` (`!@` in
//! Fortran). Parsing is strict: an unknown key or a bad value is an error, so that a typing mistake never disables a
//! check.

use std::time::Duration;

use crate::compile::Compiler;

/// Thread counts that a program runs at unless it says otherwise: serial, the smallest team, an odd one,
/// oversubscribed, and more than any power of two below it.
pub const DEFAULT_THREADS: [usize; 5] = [1, 2, 3, 8, 33];

/// Thread counts of programs with device code unless they say otherwise; each is taken at each number of devices.
pub const DEVICE_THREADS: [usize; 3] = [1, 3, 8];

/// Time after which a run counts as hung. The time is generous, for machines that are busy with other work.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(40);

/// The directives of one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directives {
    /// `compilers: clang gcc`: which compilers understand it. `None`: every compiler of its language.
    pub compilers: Option<Vec<Compiler>>,
    /// `threads: 1 4`: the values of `OMP_NUM_THREADS` to run it with.
    pub threads: Vec<usize>,
    /// `devices: 1 3`: clang also compiles the program for host devices, and that form (`offload`) runs with each of
    /// these numbers of them. `None`: target regions are the host's, if there are any.
    pub devices: Option<Vec<usize>>,
    /// `env: NAME=value`: set for every run. A program that sets `OMP_NUM_THREADS` itself runs once instead of per
    /// count.
    pub env: Vec<(String, String)>,
    /// `args: a b`: command-line arguments.
    pub args: Vec<String>,
    /// `timeout: seconds`.
    pub timeout: Duration,
    /// `libs: m atomic`: libraries to link.
    pub libs: Vec<String>,
    /// `flags: -O0`: further compiler options.
    pub flags: Vec<String>,
    /// `shared: name.c`: a source beside the program, built by the same compiler as a shared library that uses OpenMP;
    /// the program finds its path in the environment variable `CORPUS_SHARED`.
    pub shared: Option<String>,
    /// `exit: 3`: the exit code that means success; 0 otherwise.
    pub exit: i32,
    /// `expect-stderr: words`: ferromp must print exactly one line that holds all these words. Without any such
    /// directive it must print nothing. Not checked on the compilers' own runtimes, whose wording differs.
    pub expect_stderr: Vec<Vec<String>>,
    /// `stderr-may-hold-more:` lines that no `expect-stderr` names are allowed.
    pub stderr_may_hold_more: bool,
    /// `stock-fails: gcc because …`: a known defect of that compiler's own runtime; the test is ignored there.
    pub stock_fails: Vec<(Compiler, String)>,
    /// `cannot: flang because …`: that compiler cannot compile the program, or compiles it wrongly; the test is
    /// ignored.
    pub cannot: Vec<(Compiler, String)>,
    /// `needs: clang 23, gcc 16`: the first release of each compiler that can build the program. A release for clang
    /// holds for `offload` too, unless `offload` is named itself. Older releases of named compilers ignore the test;
    /// other compilers build it.
    pub needs: Vec<(Compiler, u32)>,
    /// `checker: no because …`: do not run it under the checking tool.
    pub checker: bool,
}

impl Default for Directives {
    fn default() -> Self {
        Directives {
            compilers: None,
            threads: DEFAULT_THREADS.to_vec(),
            devices: None,
            env: Vec::new(),
            args: Vec::new(),
            timeout: DEFAULT_TIMEOUT,
            libs: Vec::new(),
            flags: Vec::new(),
            shared: None,
            exit: 0,
            expect_stderr: Vec::new(),
            stderr_may_hold_more: false,
            stock_fails: Vec::new(),
            cannot: Vec::new(),
            needs: Vec::new(),
            checker: true,
        }
    }
}

impl Directives {
    /// Reads the directives of a source text. The error names the line.
    pub fn parse(source: &str) -> Result<Directives, String> {
        let mut directives = Directives { threads: Vec::new(), ..Directives::default() };
        for (index, line) in source.lines().enumerate() {
            let Some(text) = line.strip_prefix("//@").or_else(|| line.strip_prefix("!@")) else { continue };
            directives.apply(text.trim()).map_err(|why| format!("line {}: {why}", index + 1))?;
        }
        if directives.threads.is_empty() {
            let counts = if directives.devices.is_some() { DEVICE_THREADS.as_slice() } else { &DEFAULT_THREADS };
            directives.threads = counts.to_vec();
        }
        Ok(directives)
    }

    fn apply(&mut self, text: &str) -> Result<(), String> {
        let (key, value) = text.split_once(':').ok_or_else(|| format!("`{text}` is no `key: value`"))?;
        let value = value.trim();
        let words = || value.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let counts = |what: &str| {
            let parse = |word: &str| word.parse().map_err(|_| format!("`{word}` is no {what} count"));
            value.split_whitespace().map(parse).collect::<Result<Vec<usize>, String>>()
        };
        match key.trim() {
            "compilers" => self.compilers = Some(words().iter().map(|w| Compiler::named(w)).collect::<Result<_, _>>()?),
            "threads" => self.threads = counts("thread")?,
            "devices" => self.devices = Some(counts("device")?),
            "env" => {
                let (name, value) = value.split_once('=').ok_or_else(|| format!("`{value}` is no NAME=value"))?;
                self.env.push((name.to_owned(), value.to_owned()));
            }
            "args" => self.args = words(),
            "timeout" => {
                let seconds = value.parse().map_err(|_| format!("`{value}` is no number of seconds"))?;
                self.timeout = Duration::from_secs(seconds);
            }
            "libs" => self.libs = words(),
            "flags" => self.flags = words(),
            "shared" => self.shared = Some(value.to_owned()),
            "exit" => self.exit = value.parse().map_err(|_| format!("`{value}` is no exit code"))?,
            "expect-stderr" => self.expect_stderr.push(words()),
            "stderr-may-hold-more" => self.stderr_may_hold_more = true,
            "stock-fails" => self.stock_fails.push(compiler_because(value)?),
            "cannot" => self.cannot.push(compiler_because(value)?),
            "needs" => {
                for need in value.split(',') {
                    self.needs.push(compiler_release(need)?);
                }
            }
            "checker" if value.starts_with("no because ") => self.checker = false,
            "checker" => return Err("`checker: no because …` expected".to_owned()),
            other => return Err(format!("unknown directive `{other}`")),
        }
        Ok(())
    }

    /// Whether a compiler cannot build the program: none of its releases can, or its release is too old.
    pub fn beyond(&self, compiler: Compiler) -> bool {
        self.cannot.iter().any(|(which, _)| *which == compiler) || self.too_old(compiler).is_some()
    }

    /// `needs clang 23`, where the compiler in use is older than that.
    pub fn too_old(&self, compiler: Compiler) -> Option<String> {
        self.too_old_at(compiler, || compiler.release())
    }

    /// As [`Directives::too_old`], for this release of the compiler. An unknown release is not too old, so that the
    /// test fails instead of being ignored.
    fn too_old_at(&self, compiler: Compiler, release: impl FnOnce() -> Option<u32>) -> Option<String> {
        let named = |which: Compiler| self.needs.iter().find(|(name, _)| *name == which);
        let general = if compiler == Compiler::Offload { named(Compiler::Clang) } else { None };
        let (which, first) = named(compiler).or(general)?;
        (release()? < *first).then(|| format!("needs {} {first}", which.name()))
    }

    /// The values of `OMP_NUM_THREADS` to run at; `None` stands for the one that the program's own `env` sets.
    pub fn thread_counts(&self) -> Vec<Option<usize>> {
        if self.env.iter().any(|(name, _)| name == "OMP_NUM_THREADS") {
            return vec![None];
        }
        self.threads.iter().copied().map(Some).collect()
    }

    /// The numbers of host devices to run at when built by a compiler; `None` where there is no device code.
    pub fn device_counts(&self, compiler: Compiler) -> Vec<Option<usize>> {
        match &self.devices {
            Some(counts) if compiler == Compiler::Offload => counts.iter().copied().map(Some).collect(),
            _ => vec![None],
        }
    }
}

/// `COMPILER because reason`.
fn compiler_because(value: &str) -> Result<(Compiler, String), String> {
    let (compiler, why) =
        value.split_once(" because ").ok_or_else(|| format!("`COMPILER because …` expected, not `{value}`"))?;
    Ok((Compiler::named(compiler.trim())?, why.trim().to_owned()))
}

/// `COMPILER RELEASE`.
fn compiler_release(text: &str) -> Result<(Compiler, u32), String> {
    let mut words = text.split_whitespace();
    match (words.next(), words.next().map(str::parse), words.next()) {
        (Some(compiler), Some(Ok(release)), None) => Ok((Compiler::named(compiler)?, release)),
        _ => Err(format!("`COMPILER RELEASE` expected, not `{}`", text.trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_kind_of_line() {
        let source = "// What it checks. Section: 2.11.4\n//@ compilers: clang\n//@ threads: 1 4\n//@ env: OMP_SCHEDULE=guided, 3\n\
                      //@ exit: 3\n//@ expect-stderr: OMP_SCHEDULE statik\n//@ stock-fails: gcc because it hangs\nint x;\n";
        let directives = Directives::parse(source).unwrap();
        assert_eq!(directives.compilers, Some(vec![Compiler::Clang]));
        assert_eq!(directives.thread_counts(), [Some(1), Some(4)]);
        assert_eq!(directives.env, [("OMP_SCHEDULE".to_owned(), "guided, 3".to_owned())]);
        assert_eq!(directives.exit, 3);
        let flang = Directives::parse("!@ cannot: flang because it lacks the clause\n").unwrap();
        assert!(flang.beyond(Compiler::Flang) && !flang.beyond(Compiler::Gfortran));
        assert_eq!(directives.expect_stderr, [["OMP_SCHEDULE", "statik"]]);
        assert_eq!(directives.stock_fails, [(Compiler::Gcc, "it hangs".to_owned())]);
    }

    #[test]
    fn own_thread_count_means_one_run() {
        let directives = Directives::parse("!@ env: OMP_NUM_THREADS=4,2\n").unwrap();
        assert_eq!(directives.thread_counts(), [None]);
    }

    #[test]
    fn device_code_means_few_threads_and_several_devices() {
        let directives = Directives::parse("//@ devices: 1 3\n").unwrap();
        assert_eq!(directives.thread_counts(), DEVICE_THREADS.map(Some));
        assert_eq!(directives.device_counts(Compiler::Offload), [Some(1), Some(3)]);
        assert_eq!(directives.device_counts(Compiler::Gcc), [None]);
        let own = Directives::parse("//@ devices: 2\n//@ threads: 5\n").unwrap();
        assert_eq!(own.thread_counts(), [Some(5)]);
    }

    #[test]
    fn older_release_than_a_program_needs_is_named() {
        let directives = Directives::parse("//@ needs: clang 23, gcc 16\n").unwrap();
        let at = |compiler, release| directives.too_old_at(compiler, || Some(release));
        assert_eq!(at(Compiler::Clang, 22).as_deref(), Some("needs clang 23"));
        assert_eq!(at(Compiler::Offload, 22).as_deref(), Some("needs clang 23"));
        assert_eq!(at(Compiler::Gcc, 16), None);
        assert_eq!(at(Compiler::Gfortran, 4), None);
        assert_eq!(directives.too_old_at(Compiler::Gcc, || None), None);
        let own = Directives::parse("//@ needs: clang 19, offload 22\n").unwrap();
        assert_eq!(own.too_old_at(Compiler::Offload, || Some(21)).as_deref(), Some("needs offload 22"));
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert_eq!(Directives::parse("\n//@ thread: 1").unwrap_err(), "line 2: unknown directive `thread`");
        assert!(Directives::parse("//@ threads: many").unwrap_err().contains("many"));
        assert!(Directives::parse("//@ checker: off").is_err());
        assert!(Directives::parse("//@ cannot: flang").is_err());
        for needs in ["clang", "clang 23 gcc 16", "clang new", "tcc 1", ""] {
            assert!(Directives::parse(&format!("//@ needs: {needs}")).is_err(), "{needs}");
        }
    }
}

//! Compilers from a root folder: another system with its own C library, in which programs are built and run.
//! `FERROMP_ROOT` names the folder, `FERROMP_COMPILERS` the compilers in it. Without a root, these are the machine's
//! compilers.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::compiler::{Compiler, Language};
use crate::run::Ending;
use crate::workspace::{CHOICE, workspace};

/// Name of the variable with the root folder.
pub const ROOT: &str = "FERROMP_ROOT";

/// Name of the variable with the compilers, such as `clang-23 gcc-16 gfortran-16 flang-23`. `offload-23` is clang 23
/// with device code.
pub const COMPILERS: &str = "FERROMP_COMPILERS";

/// The choice of the environment.
#[derive(Debug)]
pub struct Choice {
    root: Option<Root>,
    /// The commands by which the compilers are called; `None` for the usual ones.
    compilers: Option<Vec<(Compiler, String)>>,
}

/// A root folder, and how a command is run in it.
#[derive(Debug)]
struct Root {
    path: PathBuf,
    way: Way,
    /// Folders of the machine that programs see at the same path.
    shared: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// `bwrap`, which mounts the folders itself, and needs no privileges.
    Bubblewrap,
    /// `chroot`, if the folders have been mounted already.
    Chroot,
}

/// What the environment chooses, read once a process.
///
/// # Errors
/// If a compiler's name is unknown, or no command can be run in the root.
pub fn chosen() -> Result<&'static Choice, String> {
    static CHOSEN: OnceLock<Result<Choice, String>> = OnceLock::new();
    CHOSEN.get_or_init(read).as_ref().map_err(Clone::clone)
}

fn read() -> Result<Choice, String> {
    let compilers = match env::var(COMPILERS) {
        Ok(names) => Some(compilers(&names).map_err(|why| format!("{COMPILERS}: {why}"))?),
        Err(_) => None,
    };
    let root = match env::var_os(ROOT) {
        Some(_) if compilers.is_none() => {
            return Err(format!("{ROOT} is set: {COMPILERS} has to name the compilers in it"));
        }
        Some(path) => Some(Root::new(Path::new(&path)).map_err(|why| format!("{ROOT}: {why}"))?),
        None => None,
    };
    Ok(Choice { root, compilers })
}

/// The compilers that a list of commands names.
fn compilers(names: &str) -> Result<Vec<(Compiler, String)>, String> {
    let mut compilers = Vec::new();
    for name in names.split_whitespace() {
        let (stem, release) = name.rsplit_once('-').ok_or_else(|| format!("`{name}` is no COMPILER-RELEASE"))?;
        let compiler = Compiler::named(if stem == "flang-new" { "flang" } else { stem })?;
        if release.parse::<u32>().is_err() {
            return Err(format!("`{name}` is no COMPILER-RELEASE"));
        }
        let command = if compiler == Compiler::Offload { format!("clang-{release}") } else { name.to_owned() };
        if compilers.iter().any(|(before, _)| *before == compiler) {
            return Err(format!("two releases of {}", compiler.name()));
        }
        compilers.push((compiler, command));
    }
    Ok(compilers)
}

impl Choice {
    /// The command of a compiler: `None` without a choice, and an error for one that is not chosen.
    pub fn command(&self, compiler: Compiler, language: Language) -> Result<Option<String>, String> {
        let Some(compilers) = &self.compilers else { return Ok(None) };
        let found = compilers.iter().find(|(which, _)| *which == compiler);
        let (_, command) = found.ok_or_else(|| format!("{COMPILERS} names no {}", compiler.name()))?;
        let plus = match language {
            Language::Cpp => command.replacen("clang-", "clang++-", 1).replacen("gcc-", "g++-", 1),
            _ => command.clone(),
        };
        Ok(Some(plus))
    }

    /// Whether programs of a compiler are built and run; `None` without a choice.
    pub fn names(&self, compiler: Compiler) -> Option<bool> {
        self.compilers.as_ref().map(|compilers| compilers.iter().any(|(which, _)| *which == compiler))
    }

    /// A word for the name of the build folder, because programs of one root do not run in another.
    pub fn label(&self) -> Option<String> {
        let root = self.root.as_ref().map(|root| root.path.display().to_string());
        match (&root, &self.compilers) {
            (Some(path), _) => Some(path.trim_matches('/').replace('/', "-")),
            (None, Some(_)) => Some("chosen".to_owned()),
            (None, None) => None,
        }
    }

    /// Whether programs run in a root, whose C library may be older than the one that tests are built with.
    pub fn is_elsewhere(&self) -> bool {
        self.root.is_some()
    }

    /// The command that does in the root what `command` does on the machine; without a root, `command` itself. Set
    /// actions for the child (`pre_exec`) on the result.
    pub fn wrap(&self, command: Command) -> Command {
        match &self.root {
            Some(root) => root.wrap(&command),
            None => command,
        }
    }

    /// How the program in the root ended. bubblewrap reports a signal by an exit code, as shells do.
    pub fn ending(&self, ending: Ending) -> Ending {
        match (&self.root, ending) {
            (Some(Root { way: Way::Bubblewrap, .. }), Ending::Exited(code @ 129..=192)) => {
                Ending::Signalled(code - 128)
            }
            (_, ending) => ending,
        }
    }
}

impl Root {
    fn new(path: &Path) -> Result<Root, String> {
        let path = path.canonicalize().map_err(|why| format!("{}: {why}", path.display()))?;
        let executable = env::current_exe().map_err(|why| format!("cannot find the test executable: {why}"))?;
        let target = executable.ancestors().nth(3).unwrap_or(workspace()).to_path_buf();
        let library = env::var_os(CHOICE).map(PathBuf::from).filter(|folder| folder.is_dir());
        let library = library.unwrap_or_else(|| workspace().join("dist/lib")).canonicalize().into_iter();
        let mut shared = vec![std::env::temp_dir(), workspace().to_path_buf(), target];
        shared.extend(library);
        let mut root = Root { path, way: Way::Bubblewrap, shared };
        let mut refusals = Vec::new();
        for way in [Way::Bubblewrap, Way::Chroot] {
            root.way = way;
            match root.reaches(workspace()) {
                Ok(()) => return Ok(root),
                Err(why) => refusals.push(why),
            }
        }
        Err(format!("no command can be run in {}: {}", root.path.display(), refusals.join("; ")))
    }

    /// Whether a command in the root sees a file of the machine.
    fn reaches(&self, folder: &Path) -> Result<(), String> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "test -e \"$0\""]).arg(folder.join("Cargo.toml"));
        let mut command = self.wrap(&command);
        let name = command.get_program().to_string_lossy().into_owned();
        match command.output() {
            Err(why) => Err(format!("{name}: {why}")),
            Ok(said) if said.status.success() => Ok(()),
            Ok(said) => {
                let words = String::from_utf8_lossy(&said.stderr);
                let line = words.lines().last().unwrap_or("the project's folder is not mounted there").trim();
                Err(if line.starts_with(&name) { line.to_owned() } else { format!("{name}: {line}") })
            }
        }
    }

    fn wrap(&self, command: &Command) -> Command {
        let folder = command.get_current_dir().map(Path::to_path_buf).or_else(|| env::current_dir().ok());
        let folder = folder.filter(|folder| self.shared.iter().any(|shared| folder.starts_with(shared)));
        let mut wrapped;
        match self.way {
            Way::Bubblewrap => {
                wrapped = Command::new("bwrap");
                wrapped.arg("--bind").arg(&self.path).arg("/");
                wrapped.args(["--dev-bind", "/dev", "/dev", "--proc", "/proc", "--ro-bind", "/sys", "/sys"]);
                for shared in &self.shared {
                    wrapped.arg("--bind").arg(shared).arg(shared);
                }
                wrapped.arg("--chdir").arg(folder.as_deref().unwrap_or(Path::new("/")));
                // Not in the environment of bubblewrap itself, which no runtime is to be loaded into.
                set(&mut wrapped, command, |wrapped, name, value| {
                    wrapped.arg("--setenv").arg(name).arg(value);
                });
            }
            Way::Chroot => {
                wrapped = Command::new("chroot");
                wrapped.arg(&self.path).args(["/usr/bin/env", "-C"]).arg(folder.as_deref().unwrap_or(Path::new("/")));
                set(&mut wrapped, command, |wrapped, name, value| {
                    let mut pair = name.to_owned();
                    pair.push("=");
                    pair.push(value);
                    wrapped.arg(pair);
                });
            }
        }
        wrapped.arg(command.get_program()).args(command.get_args());
        wrapped
    }
}

/// Hands the variables that a command sets to `give`, and takes away those that it removes.
fn set(wrapped: &mut Command, command: &Command, give: impl Fn(&mut Command, &OsStr, &OsStr)) {
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => give(wrapped, name, value),
            None => drop(wrapped.env_remove(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &Command) -> Vec<String> {
        let program = std::iter::once(command.get_program());
        program.chain(command.get_args()).map(|word| word.to_string_lossy().into_owned()).collect()
    }

    fn root(way: Way) -> Root {
        Root { path: "/roots/old".into(), way, shared: vec!["/programs".into()] }
    }

    #[test]
    fn commands_of_compilers_are_read() {
        let choice =
            Choice { root: None, compilers: Some(compilers("clang-23 offload-22 gcc-9 flang-new-19").unwrap()) };
        let command = |compiler, language| choice.command(compiler, language).unwrap().unwrap();
        assert_eq!(command(Compiler::Clang, Language::Cpp), "clang++-23");
        assert_eq!(command(Compiler::Offload, Language::C), "clang-22");
        assert_eq!(command(Compiler::Gcc, Language::Cpp), "g++-9");
        assert_eq!(command(Compiler::Flang, Language::Fortran), "flang-new-19");
        assert_eq!(choice.names(Compiler::Gfortran), Some(false));
        assert!(choice.command(Compiler::Gfortran, Language::Fortran).is_err());
        for bad in ["clang", "tcc-1", "gcc-new", "gcc-9 gcc-10"] {
            assert!(compilers(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn environment_of_a_program_is_not_bubblewraps() {
        let mut command = Command::new("/programs/x");
        command.arg("1").env("LD_PRELOAD", "/lib/f.so").env_remove("OMP_NUM_THREADS").current_dir("/programs");
        let wrapped = root(Way::Bubblewrap).wrap(&command);
        let words = words(&wrapped).join(" ");
        assert!(words.starts_with("bwrap --bind /roots/old / "), "{words}");
        assert!(words.ends_with("--chdir /programs --setenv LD_PRELOAD /lib/f.so /programs/x 1"), "{words}");
        assert_eq!(wrapped.get_envs().collect::<Vec<_>>(), [(OsStr::new("OMP_NUM_THREADS"), None)]);
    }

    #[test]
    fn chroot_starts_programs_by_env() {
        let mut command = Command::new("/programs/x");
        command.env("A", "b c").current_dir("/elsewhere");
        let words = words(&root(Way::Chroot).wrap(&command));
        assert_eq!(words, ["chroot", "/roots/old", "/usr/bin/env", "-C", "/", "A=b c", "/programs/x"]);
    }

    #[test]
    fn signal_that_bubblewrap_says_by_a_code_is_one() {
        let choice = Choice { root: Some(root(Way::Bubblewrap)), compilers: None };
        assert!(matches!(choice.ending(Ending::Exited(139)), Ending::Signalled(11)));
        assert!(matches!(choice.ending(Ending::Exited(87)), Ending::Exited(87)));
    }
}

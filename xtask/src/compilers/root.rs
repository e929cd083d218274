//! Root folders of other systems, and the compilers in them.

use crate::newest;
use crate::sh::{self, Cmd, Result, cmd};
use std::path::PathBuf;

/// A root folder.
pub struct Root {
    pub path: PathBuf,
    /// The folder's name, which is the suite's.
    pub name: String,
}

/// A compiler in a root, by its command; `offload-N` is clang N with device code.
pub struct Compiler<'a> {
    pub root: &'a Root,
    pub command: String,
}

/// The roots that are named, or those that `cargo xtask setup --newest` has made.
pub fn roots(names: &[PathBuf]) -> Result<Vec<Root>> {
    let mut paths: Vec<PathBuf> = names.iter().map(|name| sh::absolute(name)).collect();
    if paths.is_empty() {
        let folder = newest::folder();
        let entries = std::fs::read_dir(&folder)
            .map_err(|e| format!("{}: {e}: `cargo xtask setup --newest` makes roots", folder.display()))?;
        paths.extend(entries.flatten().map(|entry| entry.path()));
        paths.sort();
    }
    let root = |path: PathBuf| {
        if !path.join("usr/bin").is_dir() {
            return Err(format!("{}: no root of a system", path.display()));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Root { path, name })
    };
    paths.into_iter().map(root).collect()
}

impl Root {
    /// The compilers in it, by kind and release.
    pub fn compilers(&self) -> Result<Vec<Compiler<'_>>> {
        let folder = self.path.join("usr/bin");
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        let linker = |release: u32| {
            // The older ones pack device code by themselves.
            release < 15 || self.path.join(format!("usr/lib/llvm-{release}/bin/clang-linker-wrapper")).exists()
        };
        Ok(choose(&names, linker).into_iter().map(|command| Compiler { root: self, command }).collect())
    }

    /// A command in the root, which sees the project's folder and cargo's target folder.
    pub fn command(&self, program: &str) -> Cmd {
        let mut command = cmd("bwrap").arg("--bind").arg(&self.path).arg("/");
        command = command.args(["--dev-bind", "/dev", "/dev", "--proc", "/proc"]);
        for folder in [sh::root(), sh::target()] {
            command = command.arg("--bind").arg(&folder).arg(&folder);
        }
        command.arg("--chdir").arg(sh::root()).arg(program)
    }
}

impl Compiler<'_> {
    /// `clang`, `offload`, `gcc`, `gfortran` or `flang`.
    pub fn kind(&self) -> &str {
        let stem = self.command.rsplit_once('-').map_or(self.command.as_str(), |(stem, _)| stem);
        if stem == "flang-new" { "flang" } else { stem }
    }

    /// The command that is called.
    pub fn program(&self) -> String {
        self.command.replacen("offload-", "clang-", 1)
    }

    /// What it says of itself, in one line.
    pub fn version(&self) -> Result<String> {
        let said = self.root.command(&self.program()).arg("--version").read()?;
        Ok(said.lines().next().unwrap_or_default().trim().to_owned())
    }
}

/// The commands of compilers among the names of a folder, each once, by kind and release.
fn choose(names: &[String], packs_device_code: impl Fn(u32) -> bool) -> Vec<String> {
    let mut found: Vec<(usize, u32, String)> = Vec::new();
    for name in names {
        let Some((stem, release)) = name.rsplit_once('-') else { continue };
        let Ok(release) = release.parse::<u32>() else { continue };
        let Some(kind) =
            ["gcc", "gfortran", "clang", "offload", "flang-new", "flang"].iter().position(|kind| *kind == stem)
        else {
            continue;
        };
        // Later releases have the command under both names.
        if stem == "flang-new" && names.contains(&format!("flang-{release}")) {
            continue;
        }
        found.push((if stem == "flang" { kind - 1 } else { kind }, release, name.clone()));
        if stem == "clang" && packs_device_code(release) {
            found.push((kind + 1, release, format!("offload-{release}")));
        }
    }
    found.sort();
    found.into_iter().map(|(_, _, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn each_compiler_is_chosen_once() {
        let names = [
            "gcc-9",
            "clang-23",
            "clang++-23",
            "flang-new-21",
            "flang-21",
            "flang-new-19",
            "gcc-ar-9",
            "x86_64-linux-gnu-gcc-9",
            "clang-14",
        ];
        let names = names.map(str::to_owned);
        let chosen = choose(&names, |release| release > 20);
        assert_eq!(chosen, ["gcc-9", "clang-14", "clang-23", "offload-23", "flang-new-19", "flang-21"]);
    }
}

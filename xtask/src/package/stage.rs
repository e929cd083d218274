//! The files of the packages: a stripped copy of the prefix, and apart from it the debug information.

use crate::dist::{VERSION, fill};
use crate::glibc;
use crate::sh::{self, Result, cmd};
use std::path::{Path, PathBuf};

/// The files of the prefix that have debug information.
const BINARIES: [&str; 6] = [
    "bin/ferromp",
    "lib/libferromp.so",
    "lib/libferromp-trace.so",
    "lib/libferromp-mpi.so",
    "lib/libferromp-check.so",
    "lib/libompd.so",
];

/// What everything may take on disk without debug information, in bytes.
const LARGEST: u64 = 25_000_000;

/// The folder of the stage. The metadata of cargo-deb names it: `target/release` stands there for the folder of
/// cargo's release files, wherever it is.
pub struct Stage {
    folder: PathBuf,
}

impl Stage {
    /// Copies the prefix and splits its binaries.
    pub fn make(prefix: &Path) -> Result<Stage> {
        let stage = Stage { folder: sh::target().join("release/package") };
        sh::fresh_dir(&stage.folder)?;
        let to = stage.prefix();
        sh::make_dir(&to)?;
        cmd("cp").arg("-a").arg(prefix.join(".")).arg(&to).check()?;
        for name in BINARIES {
            stage.split(&to.join(name))?;
        }
        // In a Debian package and an RPM the headers and the libraries lie in different folders.
        fill(
            "packaging/ferromp.pc.in",
            &stage.folder.join("ferromp.pc"),
            &[
                ("prefix", "/usr"),
                ("includedir", "/usr/include/ferromp"),
                ("libdir", "/usr/lib/ferromp/lib"),
                ("version", VERSION),
            ],
        )?;
        // Debian has compressed manual pages.
        let man = stage.folder.join("man");
        cmd("cp").arg("-a").arg(to.join("share/man")).arg(&man).check()?;
        cmd("gzip").args(["-9", "--no-name", "--recursive"]).arg(&man).check()?;
        match stage.bytes()? {
            bytes if bytes <= LARGEST => Ok(stage),
            bytes => Err(format!("{}: {bytes} bytes, but {LARGEST} are the limit", to.display())),
        }
    }

    /// The stripped prefix.
    pub fn prefix(&self) -> PathBuf {
        self.folder.join("prefix")
    }

    /// The debug information, in the layout of `/usr/lib/debug`.
    fn debug(&self) -> PathBuf {
        self.folder.join("debug")
    }

    /// The bytes that the prefix takes on disk.
    pub fn bytes(&self) -> Result<u64> {
        let said = cmd("du").args(["-s", "--block-size=1"]).arg(self.prefix()).read()?;
        said.split_whitespace().next().and_then(|word| word.parse().ok()).ok_or_else(|| format!("du: {said}"))
    }

    /// Moves the debug information and the symbols that only debuggers need out of a file. Debuggers find them by the
    /// file's build id.
    fn split(&self, file: &Path) -> Result {
        glibc::verify(file)?;
        let notes = cmd("readelf").args(["-n", "-W"]).arg(file).read()?;
        let id = notes.split_once("Build ID: ").and_then(|(_, after)| after.lines().next()).map(str::trim);
        let (first, rest) =
            id.and_then(|id| id.split_at_checked(2)).ok_or_else(|| format!("{}: has no build id", file.display()))?;
        let to = self.debug().join(".build-id").join(first).join(format!("{rest}.debug"));
        sh::make_dir(to.parent().unwrap_or(&self.folder))?;
        cmd("objcopy").args(["--only-keep-debug", "--compress-debug-sections"]).arg(file).arg(&to).check()?;
        cmd("chmod").arg("644").arg(&to).check()?;
        cmd("strip").arg("--strip-unneeded").arg(file).check()
    }
}

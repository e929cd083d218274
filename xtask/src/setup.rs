//! What the project needs from a Debian machine beyond Rust and gcc, and the Python packages that stand as real clients.
//! Nothing is installed that is there already; without root the user gets the one line to type.

use crate::sh::{self, Result, cmd};
use std::path::{Path, PathBuf};

/// Debian packages, each with a file or a command whose presence means that it need not be installed.
const PACKAGES: [(&str, &str); 8] = [
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("gfortran", "gfortran"),
    ("binutils", "readelf"),
    ("clang-19", "clang-19"),
    ("libomp-19-dev", "/usr/lib/llvm-19/lib/libomp.so.5"),
    ("graphicsmagick", "gm"),
    ("python3-venv", "/usr/share/doc/python3-venv"),
];

/// Python packages from PyPI, pinned so that a result means the same tomorrow.
const WHEELS: [&str; 6] =
    ["numpy==2.4.6", "scipy==1.17.1", "scikit-learn==1.9.1", "joblib==1.6.0", "threadpoolctl==3.8.0", "intel-openmp==2026.2.0"];

/// Installs the Debian packages that are missing, or says which command would.
pub fn system() -> Result {
    let missing: Vec<&str> = PACKAGES.iter().filter(|(_, probe)| !present(probe)).map(|(package, _)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let command = format!("apt-get install -y --no-install-recommends {}", missing.join(" "));
    if cmd("id").arg("-u").read()?.trim() != "0" {
        return Err(format!("packages are missing; type: sudo {command}"));
    }
    sh::step(&command);
    cmd("apt-get").args(["update", "-q"]).check()?;
    cmd("apt-get")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["install", "-y", "-q", "--no-install-recommends"])
        .args(&missing)
        .check()
}

/// The interpreter of a virtual environment under the target folder that holds `WHEELS`; made on the first call.
pub fn python() -> Result<PathBuf> {
    let home = sh::target().join("python");
    let python = home.join("bin/python");
    let stamp = home.join("installed.txt");
    let wanted = WHEELS.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(python);
    }
    sh::step("Python environment with scikit-learn, SciPy and intel-openmp");
    cmd("/usr/bin/python3").args(["-m", "venv", "--clear"]).arg(&home).check()?;
    cmd(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"])
        .args(WHEELS)
        .check()?;
    sh::write(&stamp, wanted.as_bytes())?;
    Ok(python)
}

/// intel-openmp's library inside the environment of `python`.
pub fn libiomp5(python: &Path) -> Result<PathBuf> {
    let home = python.parent().and_then(Path::parent).unwrap_or(python);
    let library = home.join("lib/libiomp5.so");
    if library.exists() { Ok(library) } else { Err(format!("{} is missing", library.display())) }
}

fn present(probe: &str) -> bool {
    if probe.starts_with('/') {
        return Path::new(probe).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(probe).is_file())
}

//! What the project needs from a Debian machine beyond Rust and gcc, and the Python packages that serve as real
//! clients. Only missing packages are installed. Without root the user gets the one line to type.

use crate::sh::{self, Result, cargo, cmd};
use std::path::{Path, PathBuf};

/// A Debian package, and the file or command that shows its presence; `dpkg` if only the package manager knows.
pub type Package = (&'static str, &'static str);

/// What building and the demo need.
pub const DEMO: [Package; 5] = [
    ("gcc", "gcc"),
    ("binutils", "readelf"),
    ("clang-19", "clang-19"),
    ("libomp-19-dev", "/usr/lib/llvm-19/lib/libomp.so.5"),
    ("graphicsmagick", "gm"),
];

/// What the tests and the benchmark need besides.
pub const TESTS: [Package; 12] = [
    ("git", "git"),
    ("gdb", "gdb"),
    // Reads the archives of `ferromp export --to otf2`, and brings the library that writes them.
    ("otf2-tools", "otf2-print"),
    // Counts the instructions of constructs.
    ("valgrind", "valgrind"),
    ("g++", "g++"),
    ("libclang-rt-19-dev", "/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.tsan-x86_64.a"),
    // What clang packs device code with.
    ("clang-tools-19", "/usr/lib/llvm-19/bin/clang-linker-wrapper"),
    ("gfortran", "gfortran"),
    ("python3-venv", "/usr/share/python-wheels"),
    ("imagemagick-6.q16", "convert-im6.q16"),
    ("libfftw3-dev", "/usr/lib/x86_64-linux-gnu/libfftw3_omp.so"),
    ("libopenblas-openmp-dev", "/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so"),
];

/// What making the packages needs besides.
pub const PACKAGES: [Package; 3] =
    [("xz-utils", "xz"), ("python3-venv", "/usr/share/python-wheels"), ("groff-base", "groff")];

/// What the tests also use if Debian offers it. A missing package only leaves out tests.
const OPTIONAL: [Package; 8] = [
    // Makes the root folder in which packages are installed and removed.
    ("debootstrap", "/usr/sbin/debootstrap"),
    // Makes the RPM, and installs it.
    ("rpm", "rpmbuild"),
    ("flang-19", "flang-new-19"),
    // Two implementations of MPI, whose calls are recorded.
    ("openmpi-bin", "mpirun.openmpi"),
    ("libopenmpi-dev", "mpicc.openmpi"),
    ("mpich", "mpirun.mpich"),
    ("libmpich-dev", "mpicc.mpich"),
    // Shows the pages of `ferromp report --html`.
    ("chromium", "chromium"),
];

/// Python packages from PyPI, pinned so that a result means the same tomorrow.
const WHEELS: [&str; 19] = [
    "numpy==2.4.6",
    "scipy==1.17.1",
    "scikit-learn==1.9.1",
    "joblib==1.6.0",
    "threadpoolctl==3.8.0",
    "numba==0.68.1",
    "pytest==9.2.0",
    "intel-openmp==2026.2.0",
    // CUDA's assembler and linker, with which clang makes code for NVIDIA devices.
    "nvidia-cuda-nvcc==13.5.37",
    // Read the tables of `ferromp export --to parquet`.
    "duckdb==2.0.1",
    "polars==2.1.0",
    "pandas==3.1.1",
    "pyarrow==26.0.1",
    // What docs/recipes.md uses: build systems whose tests run under the checker, a parser of YAML, and what runs a
    // notebook.
    "cmake==4.4.5",
    "meson==1.12.1",
    "ninja==1.13.2",
    "PyYAML==6.0.4",
    "ipykernel==7.4.0",
    "nbclient==0.11.0",
];

/// The tool that makes Debian packages, pinned, and the Python package that makes wheels.
const CARGO_DEB: &str = "3.8.0";
const HATCHLING: [&str; 1] = ["hatchling==1.33.0"];

/// Apache Spark, which needs a Java. It reads the same tables, and exists only as a source package.
const SPARK: &str = "pyspark==4.3.0";

/// GiB on disk that the tests take on a bare machine: packages, and the target folder.
const DISK: u64 = 8;

/// Warns if the disk may be too small for the tests. Failures on a full disk would otherwise name another culprit.
pub fn check_disk() -> Result {
    let target = sh::target();
    sh::make_dir(&target)?;
    // If the free space is unknown, there is no warning.
    let listed = cmd("df").args(["--output=avail", "--block-size=1M"]).arg(&target).read().unwrap_or_default();
    let free: Option<u64> = listed.lines().last().and_then(|line| line.trim().parse().ok());
    if let Some(free) = free.filter(|free| *free < DISK << 10) {
        let free = free as f64 / 1024.0;
        eprintln!(
            "xtask: {}: {free:.1} GiB free; all tests on a bare machine take {DISK} GiB, so they may fail for that",
            target.display()
        );
    }
    Ok(())
}

/// Installs those of the Debian packages that are missing, or says which command would.
pub fn system(packages: &[&[Package]]) -> Result {
    let missing: Vec<&str> = packages
        .iter()
        .copied()
        .flatten()
        .filter(|(package, probe)| !present(package, probe))
        .map(|(package, _)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let command = format!("apt-get install -y --no-install-recommends {}", missing.join(" "));
    if cmd("id").arg("-u").read()?.trim() != "0" {
        return Err(format!("packages are missing; type: sudo {command}"));
    }
    sh::step(&command);
    cmd("apt-get").args(["update", "-q"]).check()?;
    install(&missing)
}

fn install(packages: &[&str]) -> Result {
    cmd("apt-get")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["install", "-y", "-q", "--no-install-recommends"])
        .args(packages)
        .check()
}

/// Installs what the tests can do without, or says for each package why not.
pub fn optional() {
    let missing: Vec<&str> =
        OPTIONAL.iter().filter(|(package, probe)| !present(package, probe)).map(|(package, _)| *package).collect();
    if missing.is_empty() {
        return;
    }
    let root = cmd("id").arg("-u").read().is_ok_and(|id| id.trim() == "0");
    // If the list of packages cannot be updated, the old list serves.
    let _ = root && cmd("apt-get").args(["update", "-q"]).succeeds();
    for package in missing {
        if !offered(package) {
            eprintln!("skipped: {package}: apt does not offer it");
        } else if !root {
            eprintln!(
                "skipped: {package}: to have it, type: sudo apt-get install -y --no-install-recommends {package}"
            );
        } else if let Err(why) = install(&[package]) {
            eprintln!("skipped: {package}: {why}");
        }
    }
}

/// Whether apt knows a version that it could install.
fn offered(package: &str) -> bool {
    let policy = cmd("apt-cache").args(["policy", package]).read().unwrap_or_default();
    policy.lines().any(|line| line.trim().strip_prefix("Candidate:").is_some_and(|version| version.trim() != "(none)"))
}

/// PyTorch from PyPI, with what its import needs: 5 GB on disk.
const TORCH: [&str; 2] = ["torch==2.15.0", "numpy==2.4.6"];

/// The interpreter of a virtual environment under the target folder that holds `WHEELS`, and Spark if there is a
/// Java; made on the first call.
pub fn python() -> Result<PathBuf> {
    let spark = present("java", "java").then_some(SPARK);
    if spark.is_none() {
        eprintln!("skipped: {SPARK}: there is no java");
    }
    environment("python", &WHEELS.into_iter().chain(spark).collect::<Vec<_>>())
}

/// As [`python`], with PyTorch.
pub fn torch() -> Result<PathBuf> {
    environment("python-torch", &TORCH)
}

/// The interpreter whose environment can make wheels.
pub fn wheel_tools() -> Result<PathBuf> {
    environment("python-wheel", &HATCHLING)
}

/// cargo-deb, compiled from crates.io in the first call: a minute of CPU time. Without its `lzma` feature it calls
/// `xz`, which compresses as well.
pub fn cargo_deb() -> Result<PathBuf> {
    let home = sh::target().join("tools");
    let command = home.join("bin/cargo-deb");
    if cmd(&command).arg("--version").read().is_ok_and(|said| said.split_whitespace().any(|word| word == CARGO_DEB)) {
        return Ok(command);
    }
    sh::step(&format!("cargo-deb {CARGO_DEB}"));
    let build = home.join("build");
    cargo(["install", "--quiet", "--locked", "--debug", "--no-default-features", "--force", "--root"])
        .arg(&home)
        .arg(format!("cargo-deb@{CARGO_DEB}"))
        .env("CARGO_TARGET_DIR", &build)
        .check()?;
    // What it was compiled from takes 300 MB.
    std::fs::remove_dir_all(&build).map_err(|error| format!("{}: {error}", build.display()))?;
    Ok(command)
}

/// The pinned version of one of the Python packages.
pub fn version(package: &str) -> &'static str {
    WHEELS
        .iter()
        .find_map(|wheel| wheel.split_once("==").filter(|(name, _)| *name == package))
        .map_or("", |(_, version)| version)
}

fn environment(name: &str, wheels: &[&str]) -> Result<PathBuf> {
    let home = sh::target().join(name);
    let python = home.join("bin/python");
    let stamp = home.join("installed.txt");
    let wanted = wheels.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(python);
    }
    sh::step(&format!("Python environment: {}", wheels.join(" ")));
    cmd("/usr/bin/python3").args(["-m", "venv", "--clear"]).arg(&home).check()?;
    cmd(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"])
        .arg("--no-binary=pyspark")
        .args(wheels)
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

fn present(package: &str, probe: &str) -> bool {
    if probe == "dpkg" {
        return cmd("dpkg").args(["-s", package]).succeeds();
    }
    if probe.starts_with('/') {
        return Path::new(probe).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(probe).is_file())
}

//! The relocatable prefix: one runtime library under the names of all that it replaces, the tool libraries and the
//! command. The runtime is linked by `cc`, because rustc's own version script would drop the symbol versions of a
//! cdylib.

use crate::names::{self, Needed};
use crate::sh::{self, Result, cmd};
use crate::{glibc, start_order, verify};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The list of names under which programs ask for the runtime, one a line.
const NAMES: &str = "crates/runtime/names.txt";

/// Where shells look for completion scripts, under `share`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/ferromp"),
    ("zsh", "zsh/site-functions/_ferromp"),
    ("fish", "fish/vendor_completions.d/ferromp.fish"),
];

/// The names of other runtimes that a whole machine can have from ferromp (`crates/cli/src/system.rs`).
const SYSTEM_NAMES: [&str; 3] = ["libgomp.so.1", "libomp.so.5", "libiomp5.so"];

/// The name by which the loader knows the runtime.
const SONAME: &str = "libferromp.so.1";

/// The version of all crates.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Builds everything in release mode into `out`; with `only_runtime` the runtime library and its names alone.
pub fn build(out: &Path, only_runtime: bool) -> Result {
    let lib = out.join("lib");
    sh::make_dir(&lib)?;
    build_runtime(&lib)?;
    if !only_runtime {
        build_tools(out)?;
    }
    eprintln!("built {}", out.display());
    Ok(())
}

/// Builds the prefix, then copies it to `prefix` (created where absent).
pub fn install(prefix: &Path) -> Result {
    let dist = sh::root().join("dist");
    build(&dist, false)?;
    sh::make_dir(prefix)?;
    cmd("cp").args(["-a", "--remove-destination"]).arg(dist.join(".")).arg(prefix).check()?;
    eprintln!("installed to {0}; run {0}/bin/ferromp --help", prefix.display());
    Ok(())
}

/// In how many orders the functions of compared libraries are laid out.
const ORDERS: u64 = 8;

/// Builds the runtime library without OMPT into `lib`, for `bench ompt` to compare with; see [`link_shuffled`].
pub fn build_without_ompt(lib: &Path) -> Result {
    sh::step("runtime library without OMPT");
    rustc_runtime(&["--no-default-features"])?;
    link_shuffled(lib)
}

/// Links the last build of the runtime several times, with its functions in a random order each time, into numbered
/// folders under `lib`. The place of code decides more of a short construct's time than OMPT does. Two libraries that
/// differ in one function also differ in the places of all others (Curtsinger and Berger, "Stabilizer", ASPLOS 2013).
pub fn link_shuffled(lib: &Path) -> Result {
    let archive = sh::target().join("release/libferromp.a");
    let listing = cmd("readelf").arg("-SW").arg(&archive).read()?;
    let is_ours = |word: &&str| word.starts_with(".text.sorted.") || word.starts_with(".text._ZN7ferromp");
    let sections: BTreeSet<&str> = listing.split_whitespace().filter(is_ours).collect();
    if sections.is_empty() {
        return Err(format!("{}: no section of a function of ferromp", archive.display()));
    }
    for order in 0..ORDERS {
        let folder = lib.join(order.to_string());
        sh::make_dir(&folder)?;
        let mut shuffled: Vec<&str> = sections.iter().copied().collect();
        shuffled.sort_by_cached_key(|section| {
            let mut hasher = DefaultHasher::new();
            (order, section).hash(&mut hasher);
            hasher.finish()
        });
        let lines: String = shuffled.iter().map(|section| format!("    *(\"{section}\")\n")).collect();
        let script = folder.join("order.ld");
        sh::write(
            &script,
            format!("SECTIONS {{\n  .text.shuffled : {{\n{lines}  }}\n}} INSERT BEFORE .text;\n").as_bytes(),
        )?;
        let script = format!("-Wl,-T,{}", script.display());
        name_runtime(&link_runtime(&[Path::new(&script), &archive], &folder, true)?, &folder)?;
    }
    Ok(())
}

fn build_runtime(lib: &Path) -> Result {
    sh::step("runtime library");
    rustc_runtime(&[])?;
    let archive = start_order::arrange(&sh::target().join("release/libferromp.a"))?;
    let partial = link_runtime(&[&archive], lib, true)?;
    verify::runtime(&partial, &version_script()).inspect_err(|_| drop(std::fs::remove_file(&partial)))?;
    name_runtime(&partial, lib)
}

/// Compiles the runtime's archive, and only the archive. If cargo also built Rust's own kind of library, it would leave
/// out link-time optimisation, and private symbols would be addressed as if they were exported.
///
/// The build keeps frame pointers, so that `perf record -g` sees through the library. Functions begin at multiples of
/// 64 bytes, the lines that processors fetch: a short construct is some 5 % faster, and its speed does not change with
/// each change of another function.
///
/// The linker is that of [`build_tools`], although nothing is linked: with another one, cargo would compile everything
/// again in each build.
fn rustc_runtime(options: &[&str]) -> Result {
    let build = ["rustc", "--quiet", "--release", "--package", "ferromp-runtime", "--lib", "--crate-type", "staticlib"];
    glibc::cargo_with(&glibc::make()?, &build)?
        .args(options)
        .args(["--", "-Cforce-frame-pointers=yes", "-Cllvm-args=-align-all-functions=6"])
        .check()
}

/// The script that gives the runtime's symbols their versions.
pub fn version_script() -> PathBuf {
    sh::root().join("crates/runtime/ferromp.map")
}

/// Links the runtime's archive and the other files and options in `files` into a library in `lib`. Returns the
/// library's temporary name. A `complete` library leaves no symbol for the program to define.
pub fn link_runtime(files: &[&Path], lib: &Path, complete: bool) -> Result<PathBuf> {
    let partial = sh::partial_name(&lib.join("libferromp.so"));
    cmd(glibc::make()?.join("cc"))
        .args(["-shared", "-o"])
        .arg(&partial)
        .arg("-Wl,--whole-archive")
        .args(files)
        .arg("-Wl,--no-whole-archive")
        .arg(format!("-Wl,--version-script={}", version_script().display()))
        .arg(format!("-Wl,-soname,{SONAME}"))
        // Threads of the runtime may execute the library's code when a program closes it.
        .arg("-Wl,-z,nodelete")
        .args(["-Wl,-z,now", "-Wl,-z,relro", "-Wl,-z,noexecstack"])
        .arg(if complete { "-Wl,-z,defs" } else { "-Wl,-z,undefs" })
        // Calls between the runtime's own entry points stay inside the library, even if a process has loaded other
        // functions of the same names.
        .arg("-Wl,-Bsymbolic-functions")
        .args(["-Wl,--gc-sections", "-Wl,--build-id", "-Wl,--hash-style=gnu", "-Wl,-O1"])
        // The unwinder is that of the process. With one of its own, the library would start a tenth of a millisecond
        // earlier. But glibc ends threads with `libgcc_s.so.1`, whose state another copy cannot read.
        .args(["-Wl,--as-needed", "-lgcc_s", "-lpthread", "-ldl", "-lm", "-lc"])
        .check()?;
    Ok(partial)
}

/// Gives the linked library its names.
pub fn name_runtime(partial: &Path, lib: &Path) -> Result {
    sh::rename(partial, &lib.join("libferromp.so"))?;
    for name in runtime_names()? {
        link("libferromp.so", &lib.join(name))?;
    }
    Ok(())
}

/// Names under which programs ask for the runtime, and those with code for devices for the offload runtime, with its
/// release in the name.
pub fn runtime_names() -> Result<Vec<String>> {
    let text = std::fs::read_to_string(sh::root().join(NAMES)).map_err(|e| format!("{NAMES}: {e}"))?;
    let names = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(names.map(str::to_owned).collect())
}

fn build_tools(out: &Path) -> Result {
    sh::step("recorder, MPI library, checker, debugger library and command");
    let packages = ["ferromp-trace", "ferromp-mpi", "ferromp-checker", "ferromp-ompd", "ferromp-cli"];
    let build = glibc::cargo_with(&glibc::make()?, &["build", "--quiet", "--release"])?;
    build.args(packages.iter().flat_map(|p| ["--package", p])).check()?;
    let release = sh::target().join("release");
    for file in ["ferromp", "libferromp_trace.so", "libferromp_mpi.so", "libferromp_checker.so", "libompd.so"] {
        glibc::verify(&release.join(file))?;
    }
    sh::make_dir(&out.join("bin"))?;
    copy(&release.join("ferromp"), &out.join("bin/ferromp"))?;
    copy(&release.join("libferromp_trace.so"), &out.join("lib/libferromp-trace.so"))?;
    copy(&release.join("libferromp_mpi.so"), &out.join("lib/libferromp-mpi.so"))?;
    copy(&release.join("libferromp_checker.so"), &out.join("lib/libferromp-check.so"))?;
    copy(&release.join("libompd.so"), &out.join("lib/libompd.so"))?;
    sh::make_dir(&out.join("include"))?;
    for header in ["omp-tools.h", "omp-tools-draft.h"] {
        copy(&sh::root().join("crates/ompt/include").join(header), &out.join("include").join(header))?;
    }
    debugger(out)?;
    system_names(out)?;
    documents(out)?;
    for (shell, file) in COMPLETIONS {
        let file = out.join("share").join(file);
        sh::make_dir(file.parent().unwrap_or(out))?;
        sh::write(&file, cmd(out.join("bin/ferromp")).args(["completions", shell]).read()?.as_bytes())?;
    }
    Ok(())
}

/// The folder that `ferromp system enable` shows to the loader. The folder has nothing else, because the loader would
/// find other libraries of `lib` as well.
fn system_names(out: &Path) -> Result {
    let folder = out.join("lib/system");
    sh::fresh_dir(&folder)?;
    link("../libferromp.so", &folder.join(SONAME))?;
    // Without a path of their own, the names also serve setuid programs, for which the loader ignores such paths.
    names::make(&folder, &SYSTEM_NAMES, &version_script(), &Needed { library: SONAME, path: None })
}

/// Manual pages, licences, and the files for pkg-config and Environment Modules.
fn documents(out: &Path) -> Result {
    let share = out.join("share");
    // Pages of subcommands that are no more would stay.
    sh::fresh_dir(&share.join("man"))?;
    cmd(out.join("bin/ferromp")).arg("manual").arg(share.join("man")).check()?;
    for folder in ["doc/ferromp", "pkgconfig"] {
        sh::make_dir(&share.join(folder))?;
    }
    for file in ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md"] {
        copy(&sh::root().join(file), &share.join("doc/ferromp").join(file))?;
    }
    // pkg-config knows where the file lies, so the prefix may be moved.
    let pkgconfig = [
        ("prefix", "${pcfiledir}/../.."),
        ("includedir", "${prefix}/include"),
        ("libdir", "${prefix}/lib"),
        ("version", VERSION),
    ];
    fill("packaging/ferromp.pc.in", &share.join("pkgconfig/ferromp.pc"), &pkgconfig)?;
    let modules = share.join("modulefiles/ferromp");
    sh::fresh_dir(&modules)?;
    fill("packaging/modulefile.in", &modules.join(VERSION), &[("version", VERSION)])
}

/// Writes `to` from a template of the sources: each `@name@` becomes its value.
pub fn fill(template: &str, to: &Path, values: &[(&str, &str)]) -> Result {
    let mut text =
        std::fs::read_to_string(sh::root().join(template)).map_err(|error| format!("{template}: {error}"))?;
    for (name, value) in values {
        text = text.replace(&format!("@{name}@"), value);
    }
    sh::write(to, text.as_bytes())
}

/// Installs gdb's plug-in, and beside the runtime the script that gdb loads by itself. Modules of an earlier build are
/// removed.
fn debugger(out: &Path) -> Result {
    let from = sh::root().join("gdb");
    let to = out.join("share/gdb");
    for folder in ["ferromp_gdb", "ferromp_gdb/commands"] {
        let (from, to) = (from.join(folder), to.join(folder));
        sh::make_dir(&to)?;
        for old in modules(&to)?.into_iter().filter(|name| !from.join(name).exists()) {
            let old = to.join(old);
            std::fs::remove_file(&old).map_err(|e| format!("{}: {e}", old.display()))?;
        }
        for name in modules(&from)? {
            copy(&from.join(&name), &to.join(&name))?;
        }
    }
    copy(&from.join("ferromp.py"), &to.join("ferromp.py"))?;
    copy(&from.join("libferromp.so-gdb.py"), &out.join("lib/libferromp.so-gdb.py"))
}

/// The names of a folder's Python modules.
fn modules(folder: &Path) -> Result<Vec<std::ffi::OsString>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(entries
        .flatten()
        .map(|entry| entry.file_name())
        .filter(|name| Path::new(name).extension().is_some_and(|e| e == "py"))
        .collect())
}

/// Copies through a name beside the target, so that a process which has the old file mapped keeps it.
fn copy(from: &Path, to: &Path) -> Result {
    let partial = sh::partial_name(to);
    std::fs::copy(from, &partial).map_err(|e| format!("{}: {e}", from.display()))?;
    sh::rename(&partial, to)
}

/// Makes the relative symlink `at` -> `target`, replacing what stands there.
fn link(target: &str, at: &Path) -> Result {
    let partial = sh::partial_name(at);
    drop(std::fs::remove_file(&partial));
    std::os::unix::fs::symlink(target, &partial).map_err(|e| format!("{}: {e}", at.display()))?;
    sh::rename(&partial, at)
}

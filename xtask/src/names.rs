//! Further names of the runtime where links do not serve: libraries without code. The loader finds such a library by
//! its name, loads the runtime because the library needs it, and finds every symbol there.
//!
//! Such a library is a filter of the runtime: the loader searches the runtime before it. glibc before 2.30 demands that
//! a symbol with a version is found before or in the library that the program names for it.
//!
//! Wheels cannot hold links. `ldconfig` lists a library by the name that is written in it, not by that of its file.

use crate::glibc;
use crate::sh::{self, Result, cmd};
use std::path::Path;

/// How a name leads to the runtime.
pub struct Needed<'a> {
    /// The name by which the loader looks for the runtime.
    pub library: &'a str,
    /// Where the loader looks besides its usual folders.
    pub path: Option<&'a str>,
}

/// Makes the libraries in a folder, in place of what has their names. A name keeps the runtime's version nodes, which
/// the loader looks for in the library that a program names; `script` has them.
pub fn make(folder: &Path, names: &[&str], script: &Path, needed: &Needed) -> Result {
    let compiler = glibc::make()?.join("cc");
    let scratch = sh::target().join("names");
    sh::make_dir(&scratch)?;
    let empty = scratch.join("empty.c");
    sh::write(&empty, b"")?;
    let library = |name: &str, to: &Path| {
        cmd(&compiler).args(["-shared", "-nostdlib", "-o"]).arg(to).arg(&empty).arg(format!("-Wl,-soname,{name}"))
    };
    // The linker takes the needed name from a library of that name.
    let runtime = scratch.join(needed.library);
    library(needed.library, &runtime).check()?;
    for name in names {
        let file = folder.join(name);
        let partial = sh::partial_name(&file);
        library(name, &partial)
            .arg(format!("-Wl,--version-script={}", script.display()))
            .arg(format!("-Wl,--filter,{}", needed.library))
            .args(["-Wl,--no-as-needed", "-Wl,-z,noexecstack", "-Wl,-z,max-page-size=4096", "-s"])
            .args(needed.path.map(|path| format!("-Wl,-rpath,{path}")))
            .arg(&runtime)
            .check()?;
        sh::rename(&partial, &file)?;
    }
    Ok(())
}

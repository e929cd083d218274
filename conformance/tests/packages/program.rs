//! The programs that the packages trace, built outside of the root.

use std::path::Path;
use std::process::Command;

use crate::paths::target;
use crate::root::Root;

/// Compilers, and the names of their programs in the root's folder for temporary files.
pub const PROGRAMS: [(&str, &str); 2] = [("gcc", "gcc-app"), ("clang-19", "clang-19-app")];

const SOURCE: &str = "\
#include <stdio.h>
int main(void) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < 1000000; i++) sum += i;
    printf(\"sum %ld\\n\", sum);
    return 0;
}
";

/// Compiles the programs into a folder, for any glibc since 2.17: the build of ferromp leaves libraries to link with.
pub fn compile(folder: &Path) {
    let source = folder.join("app.c");
    std::fs::write(&source, SOURCE).unwrap();
    let old = target().join("glibc-2.17");
    assert!(old.is_dir(), "{} is missing: run cargo xtask build", old.display());
    for (compiler, name) in PROGRAMS {
        let mut command = Command::new(compiler);
        command.args(["-O1", "-g", "-fopenmp", "-Wl,--allow-shlib-undefined", "-o"]).arg(folder.join(name));
        let done = command.arg(&source).arg("-L").arg(&old).output();
        let done = done.unwrap_or_else(|why| panic!("{compiler}: {why}"));
        assert!(done.status.success(), "{compiler}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

/// Traces both programs inside the root with `ferromp`, the command as one types it there.
pub fn traces(root: &Root, ferromp: &str) {
    for (_, name) in PROGRAMS {
        let script = format!("export OMP_NUM_THREADS=2; {ferromp} trace -o trace -- ./{name} 2>&1; rm -r trace");
        let said = root.run(&script);
        assert!(said.contains("sum 499999500000"), "{name}: {said}");
        assert!(said.contains("app.c:4"), "{name}: no region in the report: {said}");
    }
}

//! The enumerators of a compiler's `omp.h` and their values, as the compiler itself computes them.

use super::root::Compiler;
use crate::sh::{self, Result};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Beginnings of the names that are OpenMP's and its vendors'.
const PREFIXES: [&str; 4] = ["omp_", "ompx_", "llvm_omp_", "kmp_"];

/// Name and value of each enumerator.
pub fn values(compiler: &Compiler) -> Result<BTreeMap<String, i64>> {
    let folder = sh::target().join("compilers");
    sh::make_dir(&folder)?;
    let source = folder.join("values.c");
    sh::write(&source, b"#include <omp.h>\n")?;
    let compile = || compiler.root.command(&compiler.program()).args(["-fopenmp", "-w", "-O1"]);
    let header = compile().args(["-E", "-P"]).arg(&source).read()?;
    let names = enumerators(&header);
    let mut text = String::from("#include <omp.h>\n");
    for name in &names {
        writeln!(text, "long long value_of_{name} = (long long){name};").expect("a string grows");
    }
    sh::write(&source, text.as_bytes())?;
    let assembly = compile().args(["-S", "-o", "-"]).arg(&source).read()?;
    Ok(computed(&assembly))
}

/// The enumerators that a preprocessed header declares.
fn enumerators(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices("enum") {
        let Some((head, rest)) = text[at..].split_once('{') else { continue };
        // A use of the type, not its declaration.
        if head.contains([';', ')', ',']) && !head.contains("__attribute__") {
            continue;
        }
        let list = rest.split('}').next().unwrap_or_default();
        for item in list.split(',') {
            let name = item.split('=').next().unwrap_or_default().split_whitespace().next().unwrap_or_default();
            if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// The values of the variables in assembly.
fn computed(assembly: &str) -> BTreeMap<String, i64> {
    let (mut values, mut name) = (BTreeMap::new(), None);
    for line in assembly.lines() {
        if let Some(label) = line.strip_prefix("value_of_").and_then(|rest| rest.split_once(':')) {
            name = Some(label.0.to_owned());
        } else if let Some(word) = line.trim().strip_prefix(".quad").or_else(|| line.trim().strip_prefix(".zero")) {
            let zero = line.contains(".zero");
            let number = word.split('#').next().unwrap_or_default().trim().parse::<i128>().ok();
            if let (Some(name), Some(number)) = (name.take(), number) {
                values.insert(name, if zero { 0 } else { number as i64 });
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerators_are_found_in_headers_of_both_kinds() {
        let text = "typedef enum omp_a_t { omp_x = 0, omp_y, }\n omp_a_t;\ntypedef enum omp_b_t\n{\n omp_z = 0x8U,\n \
                    __omp_b_max = (1 + 2)\n} omp_b_t;\nextern void f(enum omp_a_t kind);\nstruct s { int omp_no; };";
        assert_eq!(enumerators(text), ["omp_x", "omp_y", "omp_z"]);
    }

    #[test]
    fn values_are_read_from_assembly() {
        let text = "value_of_a:\n\t.quad\t99                              # 0x63\nvalue_of_b:\n\t.zero\t8\nother:\n\t.quad 1\nvalue_of_c:\n\t.quad -1\n";
        let values = computed(text);
        assert_eq!(values, BTreeMap::from([("a".to_owned(), 99), ("b".to_owned(), 0), ("c".to_owned(), -1)]));
    }
}

//! Instructions of each construct at a team of one, counted by valgrind: `cargo xtask bench instructions`. Unlike
//! times, they are the same on a busy machine, so a test can hold them: `cargo xtask bench --check`.

use crate::sample::{Bench, Program};
use crate::{constructs, files, options::Options};
use std::fmt::Write;
use std::path::Path;

/// The instructions of so many executions are subtracted from those of twice as many, which leaves out the start of the
/// program. A multiple of the batches of the task constructs.
const COUNT: u64 = 2 * 1218 * 128;
/// For constructs of hundreds of instructions.
const FEW: u64 = COUNT / 64;

/// A path of ferromp's may have so many more instructions than the table says: compilers of two machines may differ.
const SLACK: f64 = 1.03;
/// And this many, for paths of a few instructions.
const SLACK_ABSOLUTE: f64 = 1.0;

/// Writes the table of all programs to `results`.
pub fn run(bench: &Bench, options: &Options, results: &Path) -> Result<(), String> {
    let mut text = String::from(HEAD);
    for construct in chosen(options) {
        let mut row = format!("| {construct} |");
        for program in Program::ALL {
            eprint!("\r{construct:<12} on {:<16}", program.name());
            _ = write!(row, " {:.1} |", each(bench, program, construct)?);
        }
        _ = writeln!(text, "{row}");
    }
    eprintln!();
    println!("{text}");
    files::write(&results.join("instructions.md"), &text)
}

/// Compares ferromp's paths with the table in `published`. The error names each path that has become longer.
pub fn check(bench: &Bench, options: &Options, published: &Path) -> Result<(), String> {
    let path = published.join("instructions.md");
    let table = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let longer = |program: Program| {
        let mut longer = Vec::new();
        for construct in chosen(options) {
            let row = pinned(&table, construct).ok_or_else(|| format!("{}: no row {construct}", path.display()))?;
            let (pinned, now) = (row[program as usize], each(bench, program, construct)?);
            if now > pinned * SLACK + SLACK_ABSOLUTE {
                longer.push(format!("{construct} on {}: {now:.1} instructions, {pinned:.1} before", program.name()));
            }
        }
        Ok::<_, String>(longer)
    };
    // Counts do not depend on what else runs.
    let (gcc, clang) = std::thread::scope(|scope| {
        let gcc = scope.spawn(|| longer(Program::GccFerromp));
        let clang = longer(Program::ClangFerromp);
        (gcc.join(), clang)
    });
    let mut all = gcc.map_err(|_| "the counting of gcc's program has ended early")??;
    all.extend(clang?);
    if all.is_empty() {
        println!("no path is longer than {} says", path.display());
        return Ok(());
    }
    Err(format!("longer than {} says: {}", path.display(), all.join("; ")))
}

const HEAD: &str = "\
Instructions of one construct in a team of one, as valgrind counts them. `cargo xtask bench instructions` writes this
table, and `cargo xtask bench --check` fails where a path of ferromp has become longer by more than 3 % and an
instruction. The counts include the program's own: a loop's 128 iterations, and the body of a task.

| construct | ferromp (gcc) | libgomp | ferromp (clang) | libiomp5 |
| --- | ---: | ---: | ---: | ---: |
";

fn chosen(options: &Options) -> impl Iterator<Item = &'static str> {
    let filter = options.filter.clone();
    constructs::ALL.into_iter().filter(move |name| filter.as_ref().is_none_or(|part| name.contains(part.as_str())))
}

/// The numbers of a construct's row, in the order of `Program::ALL`.
fn pinned(table: &str, construct: &str) -> Option<[f64; 4]> {
    let row = table.lines().find(|line| line.split('|').nth(1).is_some_and(|name| name.trim() == construct))?;
    let numbers: Vec<f64> = row.split('|').skip(2).filter_map(|cell| cell.trim().parse().ok()).collect();
    numbers.try_into().ok()
}

/// Instructions of one execution.
fn each(bench: &Bench, program: Program, construct: &str) -> Result<f64, String> {
    let is_short = ["barrier", "critical", "lock", "nest-lock", "single"].contains(&construct);
    let count = if is_short { COUNT / 8 } else { FEW };
    let [less, more] = [count, 2 * count].map(|count| bench.instructions(program, construct, count));
    let ((less, executed_less), (more, executed_more)) = (less?, more?);
    Ok((more as f64 - less as f64) / (executed_more - executed_less) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_found_by_its_whole_name() {
        let table = format!("{HEAD}| nest-lock | 1.0 | 2.0 | 3.0 | 4.0 |\n| lock | 5.5 | 6.0 | 7.0 | 8.0 |\n");
        assert_eq!(pinned(&table, "lock"), Some([5.5, 6.0, 7.0, 8.0]));
        assert_eq!(pinned(&table, "task"), None);
    }
}

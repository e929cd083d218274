//! Whole situations that users have, and that a table of constructs does not show: `cargo xtask bench situations`.
//! Serial gaps between regions, other processes on the CPUs, one CPU, unbalanced tasks, the start of a process, and
//! more.

mod list;

use crate::files;
use crate::options::Options;
use crate::prose::wrapped;
use crate::rounds::alternate;
use crate::sample::{Bench, Program, Series, output, reading};
use crate::stats::Row;
use crate::table::{head, line, raw, time};
use list::{Situation, Unit};
use std::fmt::Write;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// The program that times them.
const PROGRAM: &str = "situation";

/// Rows above this ratio to the better peer are named; `docs/performance.md` has reasons.
const NAMED: f64 = 0.9;

/// Lets runtimes make 2 teams of 2 threads on 2 CPUs. libiomp5 would give each team one thread.
const TEAMS: (&str, &str) = ("KMP_TEAMS_THREAD_LIMIT", "4");

/// How long strangers have to get to the CPUs.
const SETTLING: Duration = Duration::from_millis(10);

/// What one process printed.
enum Printed {
    /// Its number, and seconds of CPU time in a second if it counts them.
    Numbers(f64, Option<f64>),
    /// Why the machine cannot have the situation.
    Skipped(String),
}

/// Measures the situations that the filter lets through, and writes `situations.md` and `situations.csv` into
/// `results`.
pub fn run(bench: &Bench, options: &Options, folder: &Path, results: &Path) -> Result<(), String> {
    let wanted = |name: &str| options.filter.as_ref().is_none_or(|part| name.contains(part.as_str()));
    let all: Vec<Situation> = list::ALL.into_iter().filter(|it| wanted(it.name)).collect();
    if all.is_empty() {
        let mut names: Vec<&str> = list::ALL.iter().map(|it| it.name).collect();
        names.dedup();
        return Err(format!("no situation matches the filter; there are {}", names.join(", ")));
    }
    bench.compile(&folder.join("programs"), PROGRAM)?;

    let mut series: Vec<Series> = all.iter().map(|it| Series::new(it.name, it.threads)).collect();
    let mut cpu: Vec<Series> = all.iter().map(|it| Series::new(it.name, it.threads)).collect();
    let mut skipped: Vec<Option<String>> = vec![None; all.len()];
    alternate(&mut series, options.rounds, |at, program, round| {
        if skipped[at].is_some() || round >= all[at].rounds {
            return Ok(None);
        }
        Ok(match sample(bench, program, &all[at], options.milliseconds)? {
            Printed::Numbers(value, seconds) => {
                cpu[at].samples[program as usize].extend(seconds);
                Some(value)
            }
            Printed::Skipped(why) => {
                skipped[at] = Some(why);
                None
            }
        })
    })?;

    let text = page(&bench.machine(options), &all, &series, &cpu, &skipped);
    println!("{text}");
    files::write(&results.join("situations.md"), &text)?;
    files::write(&results.join("situations.csv"), &raw(&series))?;
    eprintln!("written to {}", results.display());
    Ok(())
}

/// One process.
fn sample(bench: &Bench, program: Program, it: &Situation, milliseconds: u32) -> Result<Printed, String> {
    let mut command = bench.command(program, PROGRAM);
    command.args(["cpus", &it.cpus.to_string()]).args(it.is_mean.then_some("mean")).arg(it.what);
    command.arg(it.threads.to_string()).arg(it.milliseconds.unwrap_or(milliseconds).to_string()).args(it.numbers);
    command.env(TEAMS.0, TEAMS.1).envs(it.policy.map(|policy| ("OMP_WAIT_POLICY", policy)));
    let _strangers = Strangers::start(bench, it)?;
    let (out, errors) = output(&mut command)?;
    if let Some(why) = out.strip_prefix("skipped: ") {
        return Ok(Printed::Skipped(why.trim().to_owned()));
    }
    let (value, _) = reading(&command, &out, program.runtime())?;
    let cpu = errors.lines().find_map(|line| line.strip_prefix("cpu: ")?.trim().parse().ok());
    Ok(Printed::Numbers(value, cpu))
}

/// Processes that keep CPUs busy for as long as this lives.
struct Strangers(Vec<Child>);

impl Strangers {
    fn start(bench: &Bench, it: &Situation) -> Result<Strangers, String> {
        let mut strangers = Strangers(Vec::new());
        for _ in 0..it.strangers {
            let mut command = bench.command(Program::Libgomp, PROGRAM);
            command.args(["cpus", &it.cpus.to_string(), "stranger", "1", "1"]);
            command.stdin(Stdio::null()).stdout(Stdio::null());
            strangers.0.push(command.spawn().map_err(|e| format!("{command:?}: {e}"))?);
        }
        if it.strangers > 0 {
            std::thread::sleep(SETTLING);
        }
        Ok(strangers)
    }
}

impl Drop for Strangers {
    fn drop(&mut self) {
        for stranger in &mut self.0 {
            // One that has ended already is all right.
            _ = stranger.kill();
            _ = stranger.wait();
        }
    }
}

/// The whole page: a table of the situations, one of the CPU time, the rows above the ratio, and those left out.
fn page(machine: &str, all: &[Situation], series: &[Series], cpu: &[Series], skipped: &[Option<String>]) -> String {
    let mut text = wrapped(&format!("{machine}. {INTRODUCTION}")) + "\n" + &head("situation");
    let mut named = Vec::new();
    for (it, series) in all.iter().zip(series).filter(|(_, series)| has_samples(series)) {
        let mut row = Row::new(series);
        if it.is_compilers {
            row.to_better =
                if row.to_libgomp.worse() >= row.to_libiomp5.worse() { row.to_libgomp } else { row.to_libiomp5 };
        }
        text.push_str(&line(&row, |value| shown(value, it.unit), mark(&row)));
        named.extend(name(&row));
    }
    let cpu: Vec<Row> = cpu.iter().filter(|series| has_samples(series)).map(Row::new).collect();
    if !cpu.is_empty() {
        _ = write!(text, "\nSeconds of CPU time that the process takes in a second, one of them the primary's:\n\n");
        text.push_str(&head("situation"));
        for row in &cpu {
            text.push_str(&line(row, |value| shown(value, Unit::Cpu), ""));
        }
    }
    for (it, why) in all.iter().zip(skipped) {
        if let Some(why) = why {
            _ = writeln!(text, "\nSkipped: {} at {} threads, {why}.", it.name, it.threads);
        }
    }
    let list = match named.len() {
        0 => format!("No row is above {NAMED} of the better peer."),
        n => format!("Above {NAMED} of the better peer, {n} in all: {}.", named.join(", ")),
    };
    text + "\n" + &wrapped(&list)
}

const INTRODUCTION: &str = "Some samples have lengths of their own. `cargo xtask bench situations` writes this page, and \
    bench/README.md says what each situation is. Ratios are medians of those within a round, and below 1 ferromp is \
    better.";

fn has_samples(series: &Series) -> bool {
    series.samples.iter().all(|samples| !samples.is_empty())
}

fn mark(row: &Row) -> &'static str {
    if row.to_better.worse() > NAMED { " **above**" } else { "" }
}

/// A row that is above the ratio, with its ratio.
fn name(row: &Row) -> Option<String> {
    let worse = row.to_better.worse();
    (worse > NAMED).then(|| format!("{} at {} ({worse:.2})", row.construct, row.threads))
}

fn shown(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Time => time(value),
        Unit::Cpu => format!("{value:.3} s"),
        Unit::Memory => format!("{:.2} MiB", value / f64::from(1 << 20)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(construct: &'static str, samples: [f64; 4]) -> Series {
        Series { samples: samples.map(|value| vec![value]), ..Series::new(construct, 2) }
    }

    #[test]
    fn a_page_names_slow_rows_and_skipped_ones() {
        let find = |name: &str| list::ALL.into_iter().find(|it| it.name == name).expect(name);
        let all = ["gap-1ms", "memory", "crowd"].map(find);
        let times = [series("gap-1ms", [1.0, 2.0, 3.0, 3.0]), series("memory", [1e6, 3e6, 1e6, 3e6])];
        let cpu = [series("gap-1ms", [1.0, 2.0, 1.0, 2.0])];
        let times: Vec<Series> = times.into_iter().chain([Series::new("crowd", 3)]).collect();
        let page = page("2 CPUs", &all, &times, &cpu, &[None, None, Some("needs 2 CPUs, 1 there".to_owned())]);
        assert!(
            page.contains("| gap-1ms | 2 | 1.00 ns | 2.00 ns | 0.50 | 3.00 ns | 3.00 ns | 1.00 | 1.50 **above** |")
        );
        assert!(page.contains("| memory | 2 | 0.95 MiB |") && page.contains("| gap-1ms | 2 | 1.000 s |"));
        assert!(page.contains("\nSkipped: crowd at 3 threads, needs 2 CPUs, 1 there.\n"));
        assert!(page.ends_with("\nAbove 0.9 of the better peer, 1 in all: gap-1ms at 2 (1.50).\n"), "{page}");
    }
}

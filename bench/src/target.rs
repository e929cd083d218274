//! Device constructs on the host device, beside the host plug-in of stock libomptarget: `cargo xtask bench target`.
//! Measures the cost of regions and copies at sizes from a word to a gigabyte, of `nowait` constructs, and of a trace
//! record on the device.

use crate::options::Options;
use crate::sample::{Bench, Runtime, Sample, clean, output, reading, succeed};
use crate::stats::{Ratio, median};
use crate::table::time;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Constructs whose cost depends on how much is copied, by the names that `programs/target.c` knows.
const COPYING: [&str; 4] = ["region", "tofrom", "to", "from"];
/// Constructs that copy nothing.
const OTHERS: [&str; 2] = ["present", "nowait"];
/// Bytes of the variable: a word to a gigabyte.
const SIZES: [u64; 10] = [8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 2 << 20, 16 << 20, 128 << 20, 1 << 30];
/// At these sizes both runtimes do little but copy, and other processes' use of the caches shows. More rounds tell the
/// runtimes apart.
const CLOSE: std::ops::RangeInclusive<u64> = 256 << 10..=16 << 20;

/// The compiled program, the two runtimes and the tracing tool.
struct Programs {
    target: PathBuf,
    ferromp: Runtime,
    stock: Runtime,
    tracer: PathBuf,
}

impl Programs {
    fn build(bench: &Bench, root: &Path, folder: &Path) -> Result<Programs, String> {
        let programs = folder.join("programs");
        let library = succeed(Command::new("clang-19").arg("-print-file-name=libomptarget.so"))?;
        let stock = Path::new(library.trim()).parent().filter(|path| path.is_absolute());
        let stock = stock.ok_or("clang-19 knows no libomptarget.so; Debian's package is libomp-19-dev")?;
        let built = Programs {
            target: bench.scratch.join("target"),
            ferromp: Runtime::new(root.join("dist/lib"), "ferromp"),
            stock: Runtime::new(stock.to_path_buf(), "libomptarget"),
            tracer: bench.scratch.join("libtrace-c.so"),
        };
        succeed(
            Command::new("clang-19")
                .args(["-O2", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", "-o"])
                .arg(&built.target)
                .arg(programs.join("target.c")),
        )?;
        let mut compile = Command::new("gcc");
        compile.args(["-O2", "-shared", "-fPIC", "-pthread", "-I"]).arg(root.join("crates/ompt/include"));
        succeed(compile.arg("-o").arg(&built.tracer).arg(programs.join("trace.c")))?;
        Ok(built)
    }

    /// Runs one process, with or without the tracing tool.
    fn run(
        &self,
        runtime: &Runtime,
        traced: bool,
        construct: &str,
        bytes: u64,
        milliseconds: u32,
    ) -> Result<Sample, String> {
        let mut command = Command::new(&self.target);
        clean(&mut command);
        command.env("LD_LIBRARY_PATH", &runtime.folder);
        if traced {
            command.env("OMP_TOOL_LIBRARIES", &self.tracer);
        }
        command.arg(construct).arg(bytes.to_string()).arg(milliseconds.to_string());
        let (out, errors) = output(&mut command)?;
        let (nanoseconds, all) = reading(&command, &out, runtime.name)?;
        let said = errors.lines().find_map(|line| line.strip_prefix("tool: ")?.split(' ').next()?.parse::<f64>().ok());
        match said {
            None if traced => Err(format!("{command:?}: the tool is not active")),
            said => Ok(Sample { nanoseconds, events: said.unwrap_or(0.0) / all }),
        }
    }
}

/// A construct at a size: the samples of both runtimes, round by round.
struct Row {
    construct: &'static str,
    bytes: u64,
    samples: [Vec<f64>; 2],
}

/// Measures all of it and writes the tables and samples as `target.md` and `target.csv` into `results`.
pub fn run(bench: &Bench, options: &Options, root: &Path, folder: &Path, results: &Path) -> Result<(), String> {
    let programs = Programs::build(bench, root, folder)?;
    let wanted = |name: &str| options.filter.as_ref().is_none_or(|part| name.contains(part.as_str()));
    let mut rows: Vec<Row> = Vec::new();
    for construct in COPYING.into_iter().filter(|name| wanted(name)) {
        rows.extend(SIZES.map(|bytes| Row { construct, bytes, samples: Default::default() }));
    }
    rows.extend(OTHERS.into_iter().filter(|name| wanted(name)).map(|construct| Row {
        construct,
        bytes: SIZES[0],
        samples: Default::default(),
    }));
    for row in &mut rows {
        let rounds = if CLOSE.contains(&row.bytes) { options.rounds * 2 } else { options.rounds };
        for round in 0..rounds {
            eprint!("\r{:<10}{:>12} bytes, round {:<4}", row.construct, row.bytes, round + 1);
            for turn in 0..2 {
                let at = (turn + round) % 2;
                let runtime = [&programs.ferromp, &programs.stock][at];
                let sample = programs.run(runtime, false, row.construct, row.bytes, options.milliseconds)?;
                row.samples[at].push(sample.nanoseconds);
            }
        }
    }
    eprintln!();
    let mut text = format!("{}; libomptarget is Debian's 19.\n\n{}", bench.machine(options), table(&rows));
    if wanted("record") {
        text.push_str(&record(&programs, options)?);
    }
    println!("{text}");
    crate::files::write(&results.join("target.md"), &text)?;
    crate::files::write(&results.join("target.csv"), &raw(&rows))?;
    eprintln!("written to {}", results.display());
    Ok(())
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "Device constructs of clang's program on a host device. *region* is a target region whose variable is copied there and back,\n\
         *tofrom* a target data region of the same, *to* and *from* an update, *present* a region whose variable is there, *nowait* a\n\
         region that is not waited for, 64 to a taskwait. The ratio is the median of those within a round.\n\n\
         | construct | bytes | ferromp | libomptarget | ratio | 95 % |\n| --- | ---: | ---: | ---: | ---: | --- |\n",
    );
    let mut slower = 0;
    for row in rows {
        let [ours, theirs] = &row.samples;
        let ratio = Ratio::new(ours, theirs);
        slower += usize::from(ratio.median > 1.0);
        let interval = if ratio.high.is_finite() {
            format!("{:.2} to {:.2}", ratio.low, ratio.high)
        } else {
            "too few rounds".into()
        };
        _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.2}{} | {interval} |",
            row.construct,
            row.bytes,
            time(median(ours)),
            time(median(theirs)),
            ratio.median,
            if ratio.median > 1.0 { " **slower**" } else { "" },
        );
    }
    _ = writeln!(text, "\nferromp is slower than libomptarget in {slower} of {} rows.", rows.len());
    text
}

/// What a record costs on the device: critical regions in a target region, with everything traced and with nothing.
fn record(programs: &Programs, options: &Options) -> Result<String, String> {
    let (mut plain, mut traced, mut events) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        plain.push(programs.run(&programs.ferromp, false, "inside", 8, options.milliseconds)?.nanoseconds);
        let sample = programs.run(&programs.ferromp, true, "inside", 8, options.milliseconds)?;
        traced.push(sample.nanoseconds);
        events.push(sample.events);
    }
    let (plain, traced, events) = (median(&plain), median(&traced), median(&events));
    Ok(format!(
        "\nA critical region on the device takes {}, and {} while the device is traced: {:.1} records, {} each.\n",
        time(plain),
        time(traced),
        events,
        time((traced - plain) / events)
    ))
}

/// Every sample, for those who want to look for themselves.
fn raw(rows: &[Row]) -> String {
    let mut text = String::from("construct,bytes,round,runtime,nanoseconds\n");
    for row in rows {
        for (name, samples) in ["ferromp", "libomptarget"].iter().zip(&row.samples) {
            for (round, nanoseconds) in samples.iter().enumerate() {
                _ = writeln!(text, "{},{},{},{name},{nanoseconds:.3}", row.construct, row.bytes, round + 1);
            }
        }
    }
    text
}

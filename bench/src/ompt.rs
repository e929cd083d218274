//! What OMPT costs: `cargo xtask bench ompt`. Three questions, each answered by alternating processes: the cost of the
//! interface without a tool, compared with a library without the interface; the cost of a tool with empty callbacks, on
//! ferromp and on libiomp5; the cost of a tool in Rust, compared with the same tool in C.

use crate::constructs;
use crate::options::Options;
use crate::prose;
use crate::sample::{Bench, Compiler, Runtime, Sample};
use crate::stats::{Ratio, median};
use crate::table::time;
use std::fmt::Write;
use std::path::Path;

/// How much slower than without OMPT a construct may be.
const LIMIT: f64 = 1.01;
/// How many times the usual rounds a construct may take while it is unclear on which side of the limit it lies.
const PERSISTENCE: usize = 4;

/// One construct at a team size: the samples of each variant, round by round.
struct Cell {
    construct: &'static str,
    threads: usize,
    compiler: Compiler,
    /// 1, or 2 where it was measured again.
    look: usize,
    samples: Vec<Vec<Sample>>,
}

impl Cell {
    fn times(&self, variant: usize) -> Vec<f64> {
        self.samples[variant].iter().map(|sample| sample.nanoseconds).collect()
    }

    fn time(&self, variant: usize) -> f64 {
        median(&self.times(variant))
    }

    fn events(&self, variant: usize) -> f64 {
        median(&self.samples[variant].iter().map(|sample| sample.events).collect::<Vec<f64>>())
    }

    /// The same without samples, for a second look.
    fn anew(&self) -> Cell {
        Cell { look: self.look + 1, samples: vec![Vec::new(); self.samples.len()], ..*self }
    }

    /// Of two variants, over the rounds.
    fn ratio(&self, ours: usize, theirs: usize) -> Ratio {
        Ratio::new(&self.times(ours), &self.times(theirs))
    }

    /// As `ratio`, for the decision whether to measure on.
    fn ratio_so_far(&self, ours: usize, theirs: usize) -> Ratio {
        Ratio::so_far(&self.times(ours), &self.times(theirs))
    }
}

/// Takes the samples of one cell: all variants in each round, in a rotating order. If a variant has several libraries,
/// each round takes the next one. Ends when `decided` returns true, or after the largest number of rounds.
fn measure(
    cell: &mut Cell,
    bench: &Bench,
    options: &Options,
    variants: &[(&[Runtime], Option<&Path>)],
    decided: impl Fn(&Cell) -> bool,
) -> Result<(), String> {
    for round in 0..options.rounds * PERSISTENCE {
        if round >= options.rounds && decided(cell) {
            break;
        }
        eprint!(
            "\r{:<12}{:>3} threads, {:<6}round {:<4}",
            cell.construct,
            cell.threads,
            cell.compiler.name(),
            round + 1
        );
        for turn in 0..variants.len() {
            let at = (turn + round) % variants.len();
            let (libraries, tool) = variants[at];
            let runtime = &libraries[round % libraries.len()];
            let sample = bench.run(cell.compiler, runtime, tool, cell.construct, cell.threads, options.milliseconds)?;
            cell.samples[at].push(sample);
        }
    }
    Ok(())
}

/// Measures the cells that are `doubtful` again, for the largest number of rounds, and returns their first samples. The
/// choice of these cells depends on their first samples, so the first samples must not count.
fn look_again(
    cells: &mut [Cell],
    bench: &Bench,
    options: &Options,
    variants: &[(&[Runtime], Option<&Path>)],
    doubtful: impl Fn(&Cell) -> bool,
) -> Result<Vec<Cell>, String> {
    let mut first = Vec::new();
    for cell in cells.iter_mut().filter(|cell| doubtful(cell)) {
        let mut second = cell.anew();
        measure(&mut second, bench, options, variants, |_| false)?;
        first.push(std::mem::replace(cell, second));
    }
    Ok(first)
}

/// A line on the rows that were measured twice, and on those of them that were above `limit` at the first look.
fn first_looks(first: &[Cell], limit: f64, ratios: impl Fn(&Cell) -> Vec<Ratio>) -> String {
    let mut above = Vec::new();
    for cell in first {
        for Ratio { median, low, high } in ratios(cell).into_iter().filter(|ratio| ratio.median > limit) {
            let row = format!("{} at {}, {}", cell.construct, cell.threads, cell.compiler.name());
            above.push(format!("{row}: {median:.3} ({low:.3} to {high:.3})"));
        }
    }
    let above = if above.is_empty() { "none was above".to_owned() } else { format!("above were {}", above.join("; ")) };
    format!("\n{} rows were measured twice; at the first look {above}.\n", first.len())
}

fn cells(options: &Options, threads: &[usize], compilers: &[Compiler], variants: usize) -> Vec<Cell> {
    let mut cells = Vec::new();
    for &threads in threads {
        for construct in
            constructs::ALL.into_iter().filter(|name| options.filter.as_ref().is_none_or(|f| name.contains(f.as_str())))
        {
            for &compiler in compilers {
                cells.push(Cell { construct, threads, compiler, look: 1, samples: vec![Vec::new(); variants] });
            }
        }
    }
    cells
}

/// Runs all three parts and writes each one's table and samples as `ompt-*.md` and `ompt-*.csv` into `results`.
pub fn run(bench: &Bench, options: &Options, results: &Path) -> Result<(), String> {
    let machine = bench.machine(options);
    let parts = [without_tool(bench, options)?, empty_tool(bench, options)?, languages(bench, options)?];
    eprintln!();
    for (name, text, csv) in parts {
        let text = prose::page(&format!("{machine}.\n\n{text}"));
        println!("{text}");
        crate::files::write(&results.join(format!("ompt-{name}.md")), &text)?;
        crate::files::write(&results.join(format!("ompt-{name}.csv")), &csv)?;
    }
    eprintln!("written to {}", results.display());
    Ok(())
}

type Part = (&'static str, String, String);

/// No tool, against a build without OMPT.
fn without_tool(bench: &Bench, options: &Options) -> Result<Part, String> {
    // With more threads than CPUs, a percent cannot be seen.
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let threads: Vec<usize> = options.threads.iter().copied().filter(|threads| *threads <= cpus).collect();
    let mut cells = cells(options, &threads, &[Compiler::Gcc, Compiler::Clang], 2);
    let mut rounds = options.clone();
    rounds.rounds = options.rounds.next_multiple_of(bench.with_ompt.len());
    let clear = |cell: &Cell| {
        let ratio = cell.ratio_so_far(0, 1);
        ratio.high <= LIMIT || ratio.low > LIMIT
    };
    let variants: [(&[Runtime], Option<&Path>); 2] = [(&bench.with_ompt, None), (&bench.without_ompt, None)];
    for cell in &mut cells {
        measure(cell, bench, &rounds, &variants, clear)?;
    }
    let first = look_again(&mut cells, bench, &rounds, &variants, |cell| cell.ratio(0, 1).high > LIMIT)?;
    let mut text = String::from(
        "No tool: ferromp against ferromp built without OMPT. The ratio is the median of those within a round, with the interval\n\
         in which it lies with 95 % confidence; a construct is measured on until that is clear of 1.01, or for four times the rounds. From\n\
         round to round the functions of both libraries lie in another order, since where code lies decides on more of a short construct.\n\
         Of so many intervals a few miss by chance, so what is not clearly below 1.01 is measured once more, for four times the rounds, and\n\
         that counts.\n\n\
         | construct | threads | compiler | ferromp | without OMPT | ratio | 95 % |\n| --- | ---: | --- | ---: | ---: | ---: | --- |\n",
    );
    for cell in &cells {
        let ratio = cell.ratio(0, 1);
        let verdict = match ratio.median > LIMIT {
            true if ratio.low > LIMIT => " **slower**",
            true => " not clear",
            false => "",
        };
        _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.3}{verdict} | {:.3} to {:.3} |",
            cell.construct,
            cell.threads,
            cell.compiler.name(),
            time(cell.time(0)),
            time(cell.time(1)),
            ratio.median,
            ratio.low,
            ratio.high
        );
    }
    let (slower, unclear) = cells.iter().map(|cell| cell.ratio(0, 1)).fold((0, 0), |(slower, unclear), ratio| {
        (slower + usize::from(ratio.low > LIMIT), unclear + usize::from(ratio.low <= LIMIT && ratio.median > LIMIT))
    });
    let all = median(&cells.iter().map(|cell| cell.ratio(0, 1).median).collect::<Vec<f64>>());
    text.push_str(&first_looks(&first, LIMIT, |cell| vec![cell.ratio(0, 1)]));
    _ = writeln!(
        text,
        "\n{slower} of {} constructs are slower by more than 1 %, {unclear} more may be; the median of all ratios is {all:.3}.",
        cells.len()
    );
    cells.extend(first);
    Ok(("no-tool", text, raw(&cells, &["ferromp", "without OMPT"])))
}

/// A tool with an empty callback for each event, in C and in Rust, on ferromp and on libiomp5.
fn empty_tool(bench: &Bench, options: &Options) -> Result<Part, String> {
    let (ours, theirs) = (std::slice::from_ref(&bench.ferromp), std::slice::from_ref(&bench.libiomp5));
    let (c, rust) = (Some(bench.empty_c.as_path()), Some(bench.empty_rust.as_path()));
    let count = Some(bench.counting_c.as_path());
    let variants = [(ours, None), (ours, c), (ours, rust), (theirs, None), (theirs, c), (theirs, rust)];
    let mut rounds = options.clone();
    rounds.rounds = options.rounds.div_ceil(2);
    let mut cells = cells(options, &options.threads, &[Compiler::Clang], variants.len() + 2);
    for cell in &mut cells {
        let clear = |cell: &Cell| {
            let [c, rust] = [cell.ratio_so_far(1, 4), cell.ratio_so_far(2, 5)];
            (c.high < 1.0 && rust.high < 1.0) || c.low > 1.0 || rust.low > 1.0
        };
        measure(cell, bench, &rounds, &variants, clear)?;
    }
    let first =
        look_again(&mut cells, bench, &rounds, &variants, |cell| whole(cell).iter().any(|ratio| ratio.high > 1.0))?;
    for cell in &mut cells {
        // How many events there are, once.
        for (at, runtime) in [(variants.len(), ours), (variants.len() + 1, theirs)] {
            cell.samples[at].push(bench.run(
                cell.compiler,
                &runtime[0],
                count,
                cell.construct,
                cell.threads,
                options.milliseconds,
            )?);
        }
    }
    let mut text = String::from(
        "A tool with an empty callback for every event, by clang's program. *Events* is how many of them one construct makes, counted by\n\
         another tool; libiomp5 does not have all that ferromp has. *Whole* is the construct's time with the tool, ferromp over libiomp5,\n\
         with the interval in which it lies with 95 % confidence; a construct is measured on until that is clear of 1, or for four times\n\
         the rounds; what is not clearly below 1 is measured once more, for as long, and that counts. *Added* is what the tool adds to it.\n\n\
         | construct | threads | ferromp | with C | with Rust | events | libiomp5 | with C | with Rust | events | whole, C | 95 % | whole, Rust | 95 % | added | by an event |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- | --- | --- |\n",
    );
    let (mut dearer, mut unclear) = (Vec::new(), Vec::new());
    for cell in &cells {
        let (our_events, their_events) = (cell.events(6), cell.events(7));
        let (added, theirs) = (cell.time(1) - cell.time(0), cell.time(4) - cell.time(3));
        let ratios = whole(cell);
        let worse = &ratios[usize::from(ratios[1].median > ratios[0].median)];
        let name = format!(
            "{} at {} ({:.2}; {our_events:.1} events, {their_events:.1})",
            cell.construct, cell.threads, worse.median
        );
        if ratios.iter().any(|ratio| ratio.low > 1.0) {
            dearer.push(name);
        } else if worse.median > 1.0 {
            unclear.push(name);
        }
        let [c, rust] = ratios.map(|ratio| {
            let verdict = match ratio.median > 1.0 {
                true if ratio.low > 1.0 => " **dearer**",
                true => " not clear",
                false => "",
            };
            format!("{:.2}{verdict} | {:.2} to {:.2}", ratio.median, ratio.low, ratio.high)
        });
        _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {our_events:.1} | {} | {} | {} | {their_events:.1} | {c} | {rust} | {} : {} | {} : {} |",
            cell.construct,
            cell.threads,
            time(cell.time(0)),
            time(cell.time(1)),
            time(cell.time(2)),
            time(cell.time(3)),
            time(cell.time(4)),
            time(cell.time(5)),
            time(added),
            time(theirs),
            time(added / our_events),
            time(theirs / their_events),
        );
    }
    text.push_str(&first_looks(&first, 1.0, |cell| whole(cell).into()));
    let list = |rows: &[String]| if rows.is_empty() { String::new() } else { format!(": {}", rows.join(", ")) };
    _ = writeln!(
        text,
        "\nWith the tool ferromp is dearer than libiomp5 in {} of {} rows{}. It may be in {} more{}.",
        dearer.len(),
        cells.len(),
        list(&dearer),
        unclear.len(),
        list(&unclear)
    );
    cells.extend(first);
    let names = [
        "ferromp",
        "ferromp+C",
        "ferromp+Rust",
        "libiomp5",
        "libiomp5+C",
        "libiomp5+Rust",
        "ferromp+count",
        "libiomp5+count",
    ];
    Ok(("empty", text, raw(&cells, &names)))
}

/// Of the samples of [`empty_tool`]: with the tool in C and in Rust, ferromp over libiomp5.
fn whole(cell: &Cell) -> [Ratio; 2] {
    [cell.ratio(1, 4), cell.ratio(2, 5)]
}

/// The same tool in C and in Rust: it counts each event. At a team of one, where no wait hides anything.
fn languages(bench: &Bench, options: &Options) -> Result<Part, String> {
    let variants = [&bench.counting_rust, &bench.counting_c]
        .map(|tool| (std::slice::from_ref(&bench.ferromp), Some(tool.as_path())));
    let mut cells = cells(options, &[1], &[Compiler::Clang], 2);
    for cell in &mut cells {
        measure(cell, bench, options, &variants, |_| true)?;
    }
    let mut text = String::from(
        "A tool that counts how often each event comes, in Rust with `ferromp-tool` and in C; clang's program, one thread. The ratio is the\n\
         median of those within a round, with its 95 % interval.\n\n\
         | construct | in Rust | in C | ratio | 95 % |\n| --- | ---: | ---: | ---: | --- |\n",
    );
    for cell in &cells {
        let ratio = cell.ratio(0, 1);
        _ = writeln!(
            text,
            "| {} | {} | {} | {:.3} | {:.3} to {:.3} |",
            cell.construct,
            time(cell.time(0)),
            time(cell.time(1)),
            ratio.median,
            ratio.low,
            ratio.high
        );
    }
    let all = median(&cells.iter().map(|cell| cell.ratio(0, 1).median).collect::<Vec<f64>>());
    _ = writeln!(text, "\nThe median of the ratios is {all:.3}.");
    Ok(("tools", text, raw(&cells, &["Rust", "C"])))
}

/// Every sample, for those who want to look for themselves.
fn raw(cells: &[Cell], variants: &[&str]) -> String {
    let mut text = String::from("construct,threads,compiler,look,round,variant,nanoseconds,events\n");
    for cell in cells {
        for (variant, samples) in variants.iter().zip(&cell.samples) {
            for (round, sample) in samples.iter().enumerate() {
                let (construct, threads, compiler, look) =
                    (cell.construct, cell.threads, cell.compiler.name(), cell.look);
                let (nanoseconds, events) = (sample.nanoseconds, sample.events);
                _ = writeln!(
                    text,
                    "{construct},{threads},{compiler},{look},{},{variant},{nanoseconds:.3},{events:.3}",
                    round + 1
                );
            }
        }
    }
    text
}

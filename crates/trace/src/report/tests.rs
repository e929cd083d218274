//! Whole reports of a run that is made up, at the widths of usual terminals and of narrow ones.

use super::{Choice, Style, processes, text};
use crate::Site;
use crate::analysis::{
    Activity, ActivityKind, Lock, Outermost, Process, Region, Summary, TargetSite, TaskSite, ThreadRow, Wait,
};
use crate::reader::Trace;
use crate::store::{Folder, Meta, Modules, meta};
use crate::symbols::{Location, Symbolizer};

const HEAT: u64 = 0x1000;
const TEMPLATE: u64 = 0x2000;
const LIBRARY: u64 = 0x3000;

/// A run with long names, short names, and one of everything that a table can have.
struct Run {
    trace: Trace,
    summary: Summary,
    symbols: Symbolizer,
}

impl Run {
    fn new() -> Run {
        let folder = tempfile::tempdir().unwrap();
        let description = Meta {
            format: meta::FORMAT,
            program: "/opt/bin/heat".into(),
            argv: ["./heat", "--name", "a b", "it's"].map(String::from).into(),
            pid: 4711,
            hostname: "node1".into(),
            rank: Some(3),
            cpus: 8,
            openmp_environment: vec![("OMP_PROC_BIND".into(), "close".into()), ("OMP_PLACES".into(), "cores".into())],
            runtime: "ferromp 0.1.0 (OpenMP 5.1)".into(),
            finished: true,
            ..Meta::default()
        };
        let inside = Folder::open(folder.path()).unwrap();
        description.write(&inside).unwrap();
        Modules::default().write(&inside).unwrap();
        let trace = Trace::open(folder.path()).unwrap();
        let mut symbols = Symbolizer::new(&trace.modules);
        let location = |function: &str, file: &str, line| Location {
            function: Some(function.into()),
            file: Some(file.into()),
            line: Some(line),
            ..Location::default()
        };
        let inlined = Location { inlined_into: vec!["step".into(), "main".into()], ..location("solve", "heat.c", 34) };
        symbols.know(HEAT, inlined);
        let template = "Field<std::map<std::string, std::vector<double>>, 3>::each<Laplace, Neumann>";
        symbols.know(TEMPLATE, location(template, "field.hpp", 12_345));
        let library = Location {
            symbol: Some("some_function_of_a_library".into()),
            function_offset: Some(0x1f3),
            ..Location::default()
        };
        symbols.know(LIBRARY, library);
        Run { trace, summary: summary(), symbols }
    }

    fn text(&mut self, style: &Style) -> String {
        let text = text(&self.trace, &self.summary, &mut self.symbols, style);
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= style.width, "{widest} of {} columns:\n{text}", style.width);
        assert!(text.lines().all(|line| line.trim_end() == line), "blanks at ends of lines:\n{text}");
        text
    }
}

fn summary() -> Summary {
    let region = |codeptr, calls, unit: u64| Region {
        codeptr,
        calls,
        max_threads: 8,
        total_ns: 100 * unit,
        thread_ns: 800 * unit,
        work_ns: 600 * unit,
        barrier_ns: 150 * unit,
        sync_ns: 20 * unit,
        runtime_ns: 30 * unit,
        mean_work_ns: 75.0 * unit as f64,
        max_work_ns: 95 * unit,
        busiest_ns: 760 * unit,
        busiest_wait_ns: 20 * unit,
        ..Region::default()
    };
    let wait = |site, kind, cause, ns| Wait {
        region: HEAT.into(),
        kind,
        site: Site::from(site),
        episodes: 1000,
        wait_ns: ns,
        causes: vec![(cause, ns / 2)],
        ..Wait::default()
    };
    let dynamic = Activity { kind: ActivityKind::Work(11), site: Site::from(HEAT) };
    Summary {
        wall_ns: 2_345_678_901,
        threads: 8,
        events: 12_345_678,
        serial_ns: 234_567_890,
        outermost: Outermost {
            threads: 8,
            time_ns: 2_111_111_011,
            thread_ns: 16_888_888_088,
            work_ns: 12_666_666_066,
            busiest_ns: 16_044_443_684,
            busiest_wait_ns: 422_222_202,
        },
        regions: vec![region(HEAT, 1000, 12_000_000), region(TEMPLATE, 12, 800_000), region(LIBRARY, 1, 1_000)],
        waits: vec![
            wait(HEAT, 8, dynamic, 987_000_000),
            wait(TEMPLATE, 9, Activity { kind: ActivityKind::Beginning, site: Site::default() }, 5_000),
        ],
        locks: vec![Lock {
            kind: 5,
            codeptr: TEMPLATE,
            objects: 1,
            count: 100_000,
            wait_ns: 400_000_000,
            max_wait_ns: 70_000,
            hold_ns: 100_000_000,
            ..Lock::default()
        }],
        tasks: vec![TaskSite {
            codeptr: HEAT,
            created: 50,
            completed: 50,
            stolen: 20,
            total_ns: 5_000_000,
            min_ns: 90_000,
            max_ns: 110_000,
            ..TaskSite::default()
        }],
        targets: vec![TargetSite {
            codeptr: HEAT,
            kind: 1,
            devices: vec![0, 1],
            calls: 10,
            host_ns: 30_000_000,
            kernels: 10,
            kernel_ns: 20_000_000,
            to_bytes: 1_000_000_000,
            copy_ns: 10_000_000,
            exposed_ns: 9_000_000,
            ..TargetSite::default()
        }],
        ..Summary::default()
    }
}

fn at(width: usize) -> Style {
    Style { width, choice: Choice::All, ..Style::plain() }
}

#[test]
fn eighty_columns() {
    insta::assert_snapshot!(Run::new().text(&at(80)));
}

#[test]
fn hundred_and_twenty_columns() {
    insta::assert_snapshot!(Run::new().text(&at(120)));
}

#[test]
fn two_hundred_columns() {
    insta::assert_snapshot!(Run::new().text(&at(200)));
}

#[test]
fn fifty_columns() {
    insta::assert_snapshot!(Run::new().text(&at(50)));
}

#[test]
fn a_recording_that_takes_much_of_the_time_is_told() {
    let said = |work_ns, recording_ns| {
        let row = ThreadRow { work_ns, ..ThreadRow::default() };
        let summary = Summary { event_ns: 40, recording_ns, thread_rows: vec![row.clone(), row], ..summary() };
        super::warnings::recording(&summary)
    };
    let warning = "the recording took about 25 % of the threads' time, 40 ns an event: without it, the run and its \
                   gains are shorter";
    assert_eq!(said(1_000_000_000, 500_000_000).as_deref(), Some(warning));
    assert_eq!(said(10_000_000_000, 500_000_000), None);
    assert_eq!(said(50_000_000, 19_000_000), None);
}

#[test]
fn lines_of_the_source_are_never_cut() {
    for width in 40..220 {
        let text = Run::new().text(&at(width));
        for line in ["heat.c:34", "field.hpp:12345", "+0x1f3"] {
            assert!(text.contains(line), "{line} at {width} columns:\n{text}");
        }
    }
}

#[test]
fn the_brief_form_names_the_other_tables() {
    let mut run = Run::new();
    let regions = vec![run.summary.regions[0].clone(); 10];
    run.summary.regions = regions;
    insta::assert_snapshot!(run.text(&Style::plain()));
}

#[test]
fn only_the_tables_that_are_asked_for_are_shown() {
    let mut run = Run::new();
    run.summary.locks.clear();
    let only = |names: &[&'static str]| Style { choice: Choice::Only(names.to_vec()), ..Style::plain() };
    let text = run.text(&only(&["locks", "tasks"]));
    assert!(text.contains("Locks and critical sections, by waiting time\n  none\n"), "{text}");
    assert!(text.contains("Explicit tasks") && !text.contains("Parallel regions"), "{text}");
    let style = Style { rows: Some(1), ..only(&["regions"]) };
    let text = run.text(&style);
    assert!(text.ends_with("  and 2 more, with 80.1 ms together: --regions\n"), "{text}");
}

#[test]
fn colours_change_no_word() {
    let mut run = Run::new();
    let plain = run.text(&at(120));
    let coloured = text(&run.trace, &run.summary, &mut run.symbols, &Style { color: true, ..at(120) });
    assert!(coloured.contains("\x1b[1m./heat"), "{coloured}");
    let words =
        ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[33m"].iter().fold(coloured, |text, code| text.replace(code, ""));
    assert_eq!(words, plain);
}

#[test]
fn several_processes_are_compared() {
    let process = |rank: u32, unit: u64| Process {
        pid: 4711 + rank,
        rank: Some(rank),
        command: format!("./heat --rank {rank}"),
        hostname: "node".to_owned(),
        clocks: None,
        mpi_serial_ns: 0,
        mpi_region_ns: 0,
        wall_ns: 1_000 * unit,
        serial_ns: 100 * unit,
        work_ns: 6_000 * unit,
        wait_ns: 500 * (3_000_000 - unit),
    };
    let all = [process(0, 1_000_000), process(1, 1_100_000), process(2, 990_000)];
    insta::assert_snapshot!(processes(&all, &at(80)));
    assert_eq!(processes(&all[..1], &at(80)), "");
    let one = Style { rows: Some(1), ..at(80) };
    assert!(processes(&all, &one).ends_with("  and 2 more: --rows 3 or --all\n"));
}

//! The tables of random programs, read back: they have what a walk over the trace finds, and what the summary says.

#[path = "../../trace/tests/generated/mod.rs"]
mod generated;
#[path = "../../trace/tests/synthetic/mod.rs"]
mod synthetic;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use ferromp_tables::{Column, Kind, TABLES, Table, Type, Writer};
use ferromp_trace::analysis::Summary;
use ferromp_trace::export::{Format, Written, csv};
use ferromp_trace::reader::Trace;
use ferromp_trace::selection::Window;
use ferromp_trace::store::{Meta, Record};
use ferromp_trace::symbols::Symbolizer;
use generated::programs;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use proptest::prelude::*;
use std::fs::File;
use std::path::Path;

fn export(trace: &Trace, folder: &Path, kind: Kind) -> Written {
    std::fs::create_dir_all(folder).unwrap();
    let mut symbols = Symbolizer::new(&trace.modules);
    let mut writer = Writer::new(folder, kind);
    writer.add(trace, &mut symbols, &mut |done, total| assert!(done <= total)).unwrap();
    Box::new(writer).finish().unwrap()
}

/// The rows of a table of the process 7.
fn read(folder: &Path, kind: Kind, table: &str) -> Vec<RecordBatch> {
    let path = folder.join(table).join(format!("process=7/0.{}", kind.ending()));
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    match kind {
        Kind::Parquet => {
            let batches = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
            batches.map(Result::unwrap).collect()
        }
        Kind::Arrow => arrow_ipc::reader::FileReader::try_new(file, None).unwrap().map(Result::unwrap).collect(),
    }
}

fn rows(batches: &[RecordBatch]) -> u64 {
    batches.iter().map(|batch| batch.num_rows() as u64).sum()
}

/// The sum of a column of 64-bit numbers.
fn sum(batches: &[RecordBatch], column: &str) -> u64 {
    let of = |batch: &RecordBatch| -> i64 {
        batch.column_by_name(column).unwrap().as_primitive::<Int64Type>().iter().flatten().sum()
    };
    batches.iter().map(of).sum::<i64>() as u64
}

fn few() -> ProptestConfig {
    ProptestConfig { cases: 24, max_shrink_iters: 64, failure_persistence: None, ..ProptestConfig::default() }
}

fn app() -> Meta {
    Meta { program: "/opt/app".into(), ..Meta::default() }
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn tables_have_what_the_trace_has(
        program in programs(),
        (from_ns, length) in (0u64..500, 1u64..500),
        windowed in prop::bool::ANY,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut trace = generated::write(dir.path(), app(), &program);
        trace.selection.window = windowed.then_some(Window { from_ns, to_ns: from_ns + length });
        let mut text = Vec::new();
        let mut format = Box::new(csv::Writer::new(&mut text).unwrap());
        format.add(&trace, &mut Symbolizer::new(&trace.modules), &mut |_, _| {}).unwrap();
        let Written { parts, .. } = format.finish().unwrap();
        let summary = Summary::of(&trace, &mut |_, _| {});
        for kind in [Kind::Parquet, Kind::Arrow] {
            let folder = dir.path().join(kind.ending());
            let written = export(&trace, &folder, kind);
            let count = |table: &Table| (rows(&read(&folder, kind, table.name)), table.name);
            let counts: Vec<(u64, &str)> = TABLES.iter().map(count).collect();
            prop_assert_eq!(&written.parts, &counts);
            let intervals = read(&folder, kind, "intervals");
            prop_assert_eq!(rows(&intervals), parts[0].0);
            let named = |name: &str| -> u64 {
                let of = |batch: &RecordBatch| -> u64 {
                    let column = |name: &str| batch.column_by_name(name).unwrap().clone();
                    let [begin, end] = ["begin_ns", "end_ns"].map(column);
                    let (begin, end) = (begin.as_primitive::<Int64Type>(), end.as_primitive::<Int64Type>());
                    let names = column("name");
                    let names = names.as_string::<i32>().iter().enumerate().filter(|(_, it)| *it == Some(name));
                    names.map(|(row, _)| (end.value(row) - begin.value(row)) as u64).sum()
                };
                intervals.iter().map(of).sum()
            };
            prop_assert_eq!(named("parallel"), summary.regions.iter().map(|region| region.total_ns).sum::<u64>());
            let (waits, tasks) = (read(&folder, kind, "waits"), read(&folder, kind, "tasks"));
            prop_assert!(sum(&waits, "waited_ns") <= sum(&intervals, "self_ns"));
            prop_assert_eq!(rows(&read(&folder, kind, "samples")), summary.samples.count);
            if !windowed {
                prop_assert_eq!(rows(&tasks), summary.tasks.iter().map(|tasks| tasks.completed).sum::<u64>());
                prop_assert_eq!(sum(&tasks, "work_ns"), summary.tasks.iter().map(|tasks| tasks.total_ns).sum::<u64>());
            }
        }
    }
}

/// A task that two threads run, and one that is never begun.
#[test]
fn a_task_that_migrates_is_one_row() {
    let dir = tempfile::tempdir().unwrap();
    let codeptr = 0x1000;
    let create = |task| Record::TaskCreate { parent: 2, task, flags: 4, dependences: 1, codeptr };
    let schedule = |prior, status, next| Record::TaskSchedule { prior, status, next };
    let begin = Record::ParallelBegin { parallel: 1, task: 9, requested: 2, flags: 0, codeptr };
    let trace = synthetic::trace(
        dir.path(),
        100,
        &[
            &[
                (0, begin),
                (0, synthetic::implicit(1, 2, 2, 0)),
                (5, create(5)),
                (6, create(6)),
                (7, Record::TaskDependence { source: 5, sink: 6 }),
                (10, schedule(2, 7, 5)),
                (20, schedule(5, 2, 2)),
                (90, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (90, Record::ParallelEnd { parallel: 1, codeptr }),
            ],
            &[
                (1, synthetic::implicit(1, 3, 2, 1)),
                (30, schedule(3, 7, 5)),
                (70, schedule(5, 1, 3)),
                (80, Record::ImplicitTaskEnd { task: 3, index: 1 }),
            ],
        ],
    );
    let folder = dir.path().join("tables");
    export(&trace, &folder, Kind::Parquet);
    let [tasks] = &read(&folder, Kind::Parquet, "tasks")[..] else { panic!("one batch") };
    let long = |name: &str| tasks.column_by_name(name).unwrap().as_primitive::<Int64Type>().iter().collect::<Vec<_>>();
    let int = |name: &str| tasks.column_by_name(name).unwrap().as_primitive::<Int32Type>().iter().collect::<Vec<_>>();
    assert_eq!(long("task"), [Some(5), Some(6)]);
    assert_eq!((long("created_ns"), long("begin_ns")), (vec![Some(5), Some(6)], vec![Some(10), None]));
    assert_eq!((long("end_ns"), long("work_ns")), (vec![Some(70), None], vec![Some(10 + 40), Some(0)]));
    assert_eq!((int("creator"), int("thread")), (vec![Some(0), Some(0)], vec![Some(1), None]));
    assert_eq!(int("parts"), [Some(2), Some(0)]);
    assert!(tasks.column_by_name("migrated").unwrap().as_boolean().value(0));
    assert_eq!(rows(&read(&folder, Kind::Parquet, "dependences")), 1);
    assert!(tasks.column_by_name("rank").unwrap().is_null(0));
}

#[test]
fn the_page_describes_every_column() {
    let page = include_str!("../../../docs/tables.md");
    for Table { name, columns } in TABLES {
        let section = page.split("\n### ").find_map(|section| section.strip_prefix(&format!("{name}\n"))).unwrap();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
        let described: Vec<(&str, &str)> = rows
            .map(|row| {
                let mut fields = row.split(" | ");
                (fields.next().unwrap().trim_end_matches('`'), fields.next().unwrap())
            })
            .collect();
        let word = |of| match of {
            Type::Int => "int",
            Type::Long => "long",
            Type::Text => "text",
            Type::Texts => "texts",
            Type::Bool => "bool",
        };
        let there: Vec<(&str, &str)> = columns.iter().map(|Column { name, of, .. }| (*name, word(*of))).collect();
        assert_eq!(described, there, "{name}");
    }
}

/// A folder that has a file already is not written through.
#[test]
fn what_is_there_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let trace = synthetic::trace(dir.path(), 100, &[&[(0, Record::ThreadBegin { kind: 1 })]]);
    let folder = dir.path().join("tables");
    export(&trace, &folder, Kind::Arrow);
    let mut symbols = Symbolizer::new(&trace.modules);
    let again = Writer::new(&folder, Kind::Arrow).add(&trace, &mut symbols, &mut |_, _| {});
    assert!(again.unwrap_err().to_string().contains("File exists"));
}

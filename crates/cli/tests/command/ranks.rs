//! Runs of several ranks: one report of all, made of traces whose times are chosen here, and what is said of ranks that
//! are missing or damaged.

use crate::{common, schema};

use std::path::Path;

use ferromp_trace::store::clock::{Clock, Pair, Source, Ticker};
use ferromp_trace::store::{Folder, Meta, Modules, Record, Writer, meta};
use serde_json::Value;
use tempfile::TempDir;

/// Later than this machine's clocks: the recording's start.
const START: u64 = 1 << 62;
const SOLVE: u64 = 0x40_1000;
const OUTPUT: u64 = 0x40_2000;
const WAIT: u64 = 0x40_3000;
const MPI_BARRIER: u64 = 40;
/// `ompt_sync_region_barrier_implicit_parallel`.
const BARRIER: u64 = 9;

/// A rank whose numbers are chosen.
#[derive(Clone)]
pub struct Made {
    pub rank: u32,
    pub ranks: Option<u32>,
    pub host: &'static str,
    /// What the two threads of the region work, in nanoseconds.
    pub work: [u64; 2],
    /// Time in `MPI_Barrier` after the region.
    pub mpi: u64,
    /// Whether the rank has a second region, of one thread.
    pub output: bool,
    /// Whether the program ended in good order.
    pub finished: bool,
}

impl Made {
    /// A rank on `node1` in which both threads work so long.
    pub fn new(rank: u32, ranks: u32, ns: u64) -> Made {
        Made { rank, ranks: Some(ranks), host: "node1", work: [ns, ns], mpi: 0, output: false, finished: true }
    }

    /// Writes the trace into the rank's folder in `run`.
    pub fn write(&self, run: &Path) {
        let folder = run.join(format!("rank-{}", self.rank));
        std::fs::create_dir_all(&folder).unwrap();
        let start = Pair { ticks: START, ns: START };
        let last = self.region_end() + 10_000 + self.mpi;
        let meta = Meta {
            format: meta::FORMAT,
            program: "/opt/example/solve".into(),
            argv: vec!["solve".into(), "input.dat".into()],
            pid: 100 + self.rank,
            hostname: self.host.into(),
            rank: Some(self.rank),
            ranks: self.ranks,
            start_unix_ns: 1_700_000_000_000_000_000,
            cpus: 2,
            openmp_environment: vec![("OMP_NUM_THREADS".into(), "2".into())],
            runtime: "an OpenMP runtime".into(),
            clock: Clock { source: Source::Monotonic, start, later: start },
            finished: self.finished,
            end_ticks: if self.finished { START + last } else { 0 },
            ..Meta::default()
        };
        let folder = Folder::open(&folder).unwrap();
        meta.write(&folder).unwrap();
        Modules::default().write(&folder).unwrap();
        for (number, events) in [(0, self.initial(last)), (1, self.worker(last))] {
            let mut writer = Writer::create(&folder, number, "solve", Ticker::choose(), START).unwrap();
            for (time, record) in events {
                assert!(writer.record(START + time, &record));
            }
            writer.finish();
        }
    }

    fn region_end(&self) -> u64 {
        self.work[0].max(self.work[1]) + 10_000
    }

    fn initial(&self, last: u64) -> Vec<(u64, Record)> {
        let mut events = vec![
            (0, Record::ThreadBegin { kind: 1 }),
            (0, Record::ImplicitTaskBegin { parallel: 0, task: 2, team: 1, index: 1, flags: 1 }),
            (10_000, Record::ParallelBegin { parallel: 10, task: 2, requested: 2, flags: 0x8000_0002, codeptr: SOLVE }),
        ];
        let end = self.region_end();
        events.extend(self.member(0, end));
        events.push((end, Record::ParallelEnd { parallel: 10, codeptr: SOLVE }));
        if self.mpi > 0 {
            events.push((end, Record::MpiBegin { call: MPI_BARRIER, bytes: 0, partner: 0, codeptr: WAIT }));
            events.push((end + self.mpi, Record::MpiEnd { call: MPI_BARRIER }));
        }
        if self.output {
            let (begin, end) = (last - 9_000, last - 1_000);
            events.extend([
                (
                    begin,
                    Record::ParallelBegin { parallel: 11, task: 2, requested: 1, flags: 0x8000_0002, codeptr: OUTPUT },
                ),
                (begin, Record::ImplicitTaskBegin { parallel: 11, task: 30, team: 1, index: 0, flags: 2 }),
                (end, Record::ImplicitTaskEnd { task: 30, index: 0 }),
                (end, Record::ParallelEnd { parallel: 11, codeptr: OUTPUT }),
            ]);
        }
        events.push((last, Record::ImplicitTaskEnd { task: 2, index: 1 }));
        events.push((last, Record::ThreadEnd {}));
        events
    }

    fn worker(&self, last: u64) -> Vec<(u64, Record)> {
        let mut events = vec![(5_000, Record::ThreadBegin { kind: 2 })];
        events.extend(self.member(1, self.region_end()));
        events.push((last, Record::ThreadEnd {}));
        events
    }

    /// A member's part of the region, which begins after 10 us: its work, and its waiting.
    fn member(&self, index: u64, end: u64) -> [(u64, Record); 6] {
        let (task, arrival) = (20 + index, 10_000 + self.work[index as usize]);
        [
            (10_000, Record::ImplicitTaskBegin { parallel: 10, task, team: 2, index, flags: 2 }),
            (arrival, Record::SyncBegin { kind: BARRIER, codeptr: SOLVE }),
            (arrival, Record::WaitBegin { kind: BARRIER, codeptr: SOLVE }),
            (end, Record::WaitEnd { kind: BARRIER }),
            (end, Record::SyncEnd { kind: BARRIER }),
            (end, Record::ImplicitTaskEnd { task, index }),
        ]
    }
}

/// A run of four ranks on two hosts: rank 3 takes twice as long, and in ranks 1 and 2 one thread waits.
fn four() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let all = [
        Made { output: true, ..Made::new(0, 4, 400_000) },
        Made { work: [400_000, 100_000], ..Made::new(1, 4, 0) },
        Made { work: [400_000, 200_000], host: "node2", ..Made::new(2, 4, 0) },
        Made { host: "node2", ..Made::new(3, 4, 800_000) },
    ];
    all.iter().for_each(|rank| rank.write(&folder.path().join("run")));
    folder
}

/// What the command says in a folder: status, stdout and stderr.
pub fn ferromp(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let done = common::ferromp(Path::new("/nowhere")).current_dir(folder).args(words).output().unwrap();
    (done.status.code(), common::text(&done.stdout), common::text(&done.stderr))
}

pub fn document(folder: &Path, run: &str) -> Value {
    let (_, text, _) = ferromp(folder, &["report", run, "--format", "json"]);
    schema::validated(text.as_bytes())
}

#[test]
fn the_report_at_usual_widths() {
    let folder = four();
    for width in ["80", "120", "200"] {
        let (status, text, said) = ferromp(folder.path(), &["report", "run", "--all", "--width", width]);
        assert_eq!((status, said.as_str()), (Some(0), ""), "{text}");
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= width.parse().ok(), "{widest:?} of {width} columns:\n{text}");
        insta::assert_snapshot!(format!("ranks_{width}"), text);
    }
}

#[test]
fn the_brief_form_leads_to_one_rank() {
    let folder = four();
    let (_, text, _) = ferromp(folder.path(), &["report", "run"]);
    assert!(text.ends_with("\nThe report of one rank, such as the slowest:\n  ferromp report run/rank-3\n"), "{text}");
    assert!(text.contains("Ranks 1, 2 of 4, worst rank 1 with"), "{text}");
    let (_, text, _) = ferromp(folder.path(), &["report", "run", "--waits"]);
    assert!(text.ends_with("  ferromp report run/rank-3 --waits\n"), "{text}");
    let (_, one, _) = ferromp(folder.path(), &["report", "run/rank-3"]);
    assert!(one.contains("process 103 on node2, rank 3"), "{one}");
}

#[test]
fn the_table_of_ranks_has_the_sums_of_single_reports() {
    let folder = four();
    let ranks = &document(folder.path(), "run")["ranks"];
    assert_eq!((&ranks["count"], &ranks["missing"]), (&4.into(), &serde_json::json!([])));
    let singles: Vec<Value> =
        (0..4).map(|rank| document(folder.path(), &format!("run/rank-{rank}"))["traces"][0].clone()).collect();
    for region in ranks["regions"].as_array().unwrap() {
        let name = &region["place"]["name"];
        let of = |trace: &Value, field: &str| -> u64 {
            let all = trace["regions"].as_array().unwrap();
            let here = all.iter().filter(|one| one["place"]["name"] == *name);
            here.map(|one| one[field].as_u64().unwrap()).sum()
        };
        for field in ["calls", "total_ns", "thread_ns", "work_ns"] {
            let sum: u64 = singles.iter().map(|trace| of(trace, field)).sum();
            assert_eq!(region[field], sum, "{name} {field}");
        }
        let times: Vec<u64> = singles.iter().map(|trace| of(trace, "total_ns")).collect();
        assert_eq!(region["min_ns"], *times.iter().min().unwrap());
        assert_eq!(region["max_ns"], *times.iter().max().unwrap());
        assert_eq!(region["mean_ns"], times.iter().sum::<u64>() / 4);
    }
    assert_eq!(ranks["regions"].as_array().unwrap().len(), 2);
    let solve = &ranks["regions"][0];
    assert_eq!((&solve["max_rank"], &solve["max_ns"], &solve["min_rank"]), (&3.into(), &800_000.into(), &0.into()));
    // The factors' product, and the efficiency by hand: work and serial time by the threads of the slowest rank.
    let serial: u64 = singles.iter().map(|trace| trace["serial_ns"].as_u64().unwrap()).sum();
    let useful = serial + 2 * 400_000 + 500_000 + 600_000 + 1_600_000 + 8_000;
    let all = 4 * 2 * 820_000;
    let efficiency = &ranks["efficiency"];
    let percent = efficiency["parallel_percent"].as_f64().unwrap();
    assert!((percent - 100.0 * useful as f64 / f64::from(all)).abs() < 1e-6, "{efficiency:#}, {useful} of {all}");
    let product = efficiency["rank_balance_percent"].as_f64().unwrap()
        * efficiency["threads"]["parallel_percent"].as_f64().unwrap()
        / 100.0;
    assert!((percent - product).abs() < 1e-6, "{efficiency:#}");
    // A finding of two ranks is one, and an imbalance of the ranks another.
    let findings = ranks["findings"].as_array().unwrap();
    let causes: Vec<&str> = findings.iter().map(|finding| finding["cause"].as_str().unwrap()).collect();
    assert_eq!(causes[0], "rank-imbalance", "{findings:#?}");
    let shared = findings.iter().find(|finding| finding["ranks"].as_array().unwrap().len() == 2).unwrap();
    assert_eq!(shared["worst_rank"], 1, "{shared:#}");
    let gains: u64 = [1, 2].iter().map(|rank: &usize| singles[*rank]["findings"][0]["gain_ns"].as_u64().unwrap()).sum();
    assert_eq!(shared["gain_ns"], gains / 4, "{shared:#}");
}

#[test]
fn the_wait_for_a_slow_rank_in_mpi_is_said_once() {
    let write = |run: &Path, mpi: u64| {
        for rank in 0..3 {
            Made { mpi: mpi + 400_000, ..Made::new(rank, 4, 400_000) }.write(run);
        }
        Made { mpi, ..Made::new(3, 4, 800_000) }.write(run);
    };
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("all"), 0);
    write(&folder.path().join("most"), 50_000);
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-6;
    for (run, communication) in [("all", 100.0), ("most", 100.0 * 820.0 / 870.0)] {
        let ranks = &document(folder.path(), run)["ranks"];
        let efficiency = &ranks["efficiency"];
        assert!(near(&efficiency["communication_percent"], communication), "{efficiency:#}");
        assert!(near(&efficiency["rank_balance_percent"], 100.0 * (3.0 * 420.0 + 820.0) / (4.0 * 820.0)));
        // 20 us of each rank are serial, and both threads work all of the rest.
        let useful = 3.0 * (20.0 + 800.0) + 20.0 + 1600.0;
        let all = 8.0 * ranks["time_ns"].as_f64().unwrap() / 1000.0;
        assert!(near(&efficiency["parallel_percent"], 100.0 * useful / all), "{efficiency:#}");
        let mpi: Vec<u64> =
            ranks["list"].as_array().unwrap().iter().map(|rank| rank["mpi_serial_ns"].as_u64().unwrap()).collect();
        assert_eq!(
            mpi,
            if run == "all" { [400_000, 400_000, 400_000, 0] } else { [450_000, 450_000, 450_000, 50_000] }
        );
        let findings = ranks["findings"].as_array().unwrap();
        let sentence = findings[0]["sentence"].as_str().unwrap();
        assert!(sentence.ends_with("longer in rank 3 than in the others, which wait for it in MPI"), "{findings:#?}");
        assert_eq!(findings[0]["gain_ns"], 300_000);
        let waiting = findings.iter().find(|finding| finding["cause"] == "mpi-waiting");
        match run {
            "all" => assert_eq!(waiting, None),
            _ => assert_eq!(waiting.map(|finding| &finding["gain_ns"]), Some(&50_000.into()), "{findings:#?}"),
        }
    }
    let (_, text, _) = ferromp(folder.path(), &["report", "most", "--all", "--width", "120"]);
    insta::assert_snapshot!("ranks_mpi", text);
}

#[test]
fn missing_and_damaged_ranks_cost_a_line_each() {
    let folder = four();
    let run = folder.path().join("run");
    std::fs::remove_dir_all(run.join("rank-1")).unwrap();
    std::fs::write(run.join("rank-2/meta.json"), "").unwrap();
    std::fs::remove_dir_all(run.join("rank-0")).unwrap();
    Made { finished: false, ..Made::new(0, 4, 400_000) }.write(&run);
    let (status, text, said) = ferromp(folder.path(), &["report", "run"]);
    assert_eq!(status, Some(125), "{text}");
    assert!(said.starts_with("ferromp: run/rank-2/meta.json: cannot be read as a trace: it is empty"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    for line in ["! rank 1 of 4 has no trace\n", "! rank 2 of 4 has no trace\n", "! rank 0: the program did not end"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let ranks = &document(folder.path(), "run")["ranks"];
    assert_eq!(ranks["missing"], serde_json::json!([1, 2]));
    assert_eq!(ranks["list"].as_array().unwrap().len(), 2);
    // A file that a full disk has cut off: the rest of the rank counts.
    let cut = std::fs::OpenOptions::new().write(true).open(run.join("rank-3/thread-00001.fmt")).unwrap();
    cut.set_len(100).unwrap();
    let (status, text, _) = ferromp(folder.path(), &["report", "run"]);
    assert!(status == Some(125) && text.contains("! rank 3: damaged: "), "{text}");
    assert_eq!(document(folder.path(), "run")["ranks"]["list"].as_array().unwrap().len(), 2);
}

#[test]
fn many_missing_ranks_are_summed_up() {
    let folder = tempfile::tempdir().unwrap();
    for rank in [0, 40] {
        Made::new(rank, 64, 400_000).write(&folder.path().join("run"));
    }
    let (status, text, _) = ferromp(folder.path(), &["report", "run"]);
    assert!(text.contains("! 62 of 64 ranks have no trace: 1-39, 41-63\n"), "{text}");
    assert_eq!(status, Some(0));
    // The only rank of a job is a run of ranks as well, but its own folder is not.
    std::fs::remove_dir_all(folder.path().join("run/rank-40")).unwrap();
    let (_, text, _) = ferromp(folder.path(), &["report", "run"]);
    assert!(text.contains("! 63 of 64 ranks have no trace: 1-63\n"), "{text}");
    let (_, text, _) = ferromp(folder.path(), &["report", "run/rank-0"]);
    assert!(!text.contains("have no trace") && text.contains(", rank 0, "), "{text}");
}

#[test]
fn programs_of_a_rank_belong_to_it() {
    let folder = four();
    let run = folder.path().join("run");
    // As a rank's program that starts another one: the second has a folder in the first one's.
    let other = tempfile::tempdir().unwrap();
    Made::new(1, 4, 100_000).write(other.path());
    std::fs::rename(other.path().join("rank-1"), run.join("rank-1/process-7")).unwrap();
    let ranks = &document(folder.path(), "run")["ranks"];
    assert_eq!((&ranks["list"][1]["processes"], &ranks["regions"][0]["times"][1]["ns"]), (&2.into(), &500_000.into()));
    assert_eq!(ranks["regions"][0]["times"][1]["calls"], 2);
}

#[test]
fn a_page_of_many_ranks_has_the_slowest_and_the_quickest_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    for rank in 0..40 {
        Made::new(rank, 40, 100_000 + 10_000 * u64::from(rank)).write(&folder.path().join("run"));
    }
    let (status, text, said) = ferromp(folder.path(), &["report", "run", "--html", "page.html"]);
    assert_eq!((status, said.as_str()), (Some(0), ""), "{text}");
    assert!(text.contains(" bytes, 8 ranks only in the map of ranks. Open it in a browser.\n"), "{text}");
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert_eq!(page.matches("class=\"trace\"").count(), 32);
    let (_, data) = page.split_once("class=\"ranks\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    let rows = data["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 40);
    let alone: Vec<&Value> = rows.iter().filter(|row| row["process"].is_null()).map(|row| &row["rank"]).collect();
    assert_eq!(alone, (16..24).collect::<Vec<u32>>());
}

//! MPI calls in traces made by hand: the time of each nanosecond, and clocks that ranks have compared.

mod synthetic;

use ferromp_trace::Site;
use ferromp_trace::analysis::{ActivityKind, MpiSite, Process, Summary};
use ferromp_trace::export::html::Page;
use ferromp_trace::export::slices::{Details, Open, Title};
use ferromp_trace::export::walk::{Operation, Visitor, walk};
use ferromp_trace::reader::Trace;
use ferromp_trace::selection::{Selection, Window};
use ferromp_trace::store::comparison::Comparison;
use ferromp_trace::store::{Meta, Modules, Record};
use ferromp_trace::symbols::Symbolizer;
use synthetic::{implicit, trace, trace_of};

const REGION: u64 = 0x1000;
const RECV: u64 = 14;
const SEND: u64 = 10;
const BARRIER: u64 = 40;
/// `ompt_sync_region_t` of the barrier at a region's end.
const REGION_END: u64 = 9;

fn call(call: u64, bytes: u64, rank: Option<u64>, codeptr: u64) -> Record {
    Record::MpiBegin { call, bytes, partner: rank.map_or(0, |rank| rank + 1), codeptr }
}

/// A receive of 200 ns, a region with a send of 50 ns while the other member waits, and a barrier that the program's
/// end cuts after 300 ns.
fn example(dir: &std::path::Path) -> Trace {
    let initial = Record::ImplicitTaskBegin { parallel: 0, task: 1, team: 1, index: 0, flags: 1 };
    let wait = Record::WaitBegin { kind: REGION_END, codeptr: REGION };
    let first = [
        (0, initial),
        (100, call(RECV, 8, Some(3), 0x5000)),
        (300, Record::MpiEnd { call: RECV }),
        (400, Record::ParallelBegin { parallel: 1, task: 1, requested: 2, flags: 0, codeptr: REGION }),
        (400, implicit(1, 2, 2, 0)),
        (450, call(SEND, 24, Some(0), 0x6000)),
        (500, Record::MpiEnd { call: SEND }),
        (600, wait),
        (600, Record::WaitEnd { kind: REGION_END }),
        (600, Record::ImplicitTaskEnd { task: 2, index: 0 }),
        (600, Record::ParallelEnd { parallel: 1, codeptr: REGION }),
        (700, call(BARRIER, 0, None, 0x7000)),
    ];
    let second = [
        (400, implicit(1, 3, 2, 1)),
        (420, wait),
        (600, Record::WaitEnd { kind: REGION_END }),
        (600, Record::ImplicitTaskEnd { task: 3, index: 1 }),
    ];
    trace(dir, 1000, &[&first, &second])
}

fn times(summary: &Summary) -> Vec<(u64, u64, u64, u64)> {
    summary.mpi.iter().map(|site| (site.call, site.count, site.total_ns, site.region_ns)).collect()
}

#[test]
fn time_in_mpi_is_split_by_where_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let summary = Summary::of(&example(dir.path()), &mut |_, _| {});
    assert_eq!(times(&summary), [(BARRIER, 1, 300, 0), (RECV, 1, 200, 0), (SEND, 1, 50, 50)]);
    assert_eq!((summary.mpi_ns, summary.mpi_serial_ns, summary.mpi_region_ns), (550, 500, 50));
    let MpiSite { bytes, partners, lowest, highest, region, .. } = summary.mpi[1];
    assert_eq!((bytes, partners, lowest, highest, region), (8, 1, 3, 3, Site::default()));
    assert_eq!((summary.mpi[0].partners, summary.mpi[2].region), (0, Site::from(REGION)));
    let region = &summary.regions[0];
    assert_eq!((region.work_ns, region.barrier_ns, region.sync_ns, region.mpi_ns), (170, 180, 50, 50));
    let phases: Vec<_> = summary.serial.iter().map(|phase| (phase.total_ns, phase.mpi_ns, phase.work_ns())).collect();
    assert_eq!(phases, [(400, 200, 200), (400, 300, 100)]);
    // The member that waited at the barrier waited for the send.
    let causes = &summary.waits[0].causes;
    assert!(causes.iter().any(|(what, ns)| (what.kind, *ns) == (ActivityKind::Mpi(SEND), 50)), "{causes:?}");
    assert_eq!(summary.mpi_efficiency(), Some(0.5));
    assert!(!summary.no_openmp);
}

#[test]
fn calls_are_cut_at_the_edges_of_a_window() {
    let dir = tempfile::tempdir().unwrap();
    let mut trace = example(dir.path());
    trace.selection = Selection { window: Some(Window { from_ns: 200, to_ns: 800 }), regions: None };
    let summary = Summary::of(&trace, &mut |_, _| {});
    assert_eq!(times(&summary), [(RECV, 1, 100, 0), (BARRIER, 1, 100, 0), (SEND, 1, 50, 50)]);
    assert_eq!((summary.mpi_serial_ns, summary.mpi_region_ns), (200, 50));
}

/// What a map of ranks counts as useful, and the timeline of a page as work, comes from the same sums.
#[test]
fn a_page_counts_calls_as_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let trace = example(dir.path());
    let mut symbols = Symbolizer::new(&trace.modules);
    let summary = Summary::of(&trace, &mut |_, _| {});
    let mut bytes = Vec::new();
    let mut page = Page::begin(&mut bytes, 1).unwrap();
    page.add(&trace, &summary, &[], &mut symbols, &mut |_, _| {}).unwrap();
    page.finish().unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (_, data) = text.split_once("class=\"trace\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let usage = &data["usage"];
    let of = |name: &str| {
        let index = usage["activities"].as_array().unwrap().iter().position(|one| one == name).unwrap();
        usage["totals"][index].as_u64().unwrap()
    };
    // 500 in calls outside of the region, 50 in it, and 180 at the region's end.
    assert_eq!((of("work"), of("wait")), (170, 730), "{usage:#}");
}

/// The calls among the slices.
#[derive(Default)]
struct Slices {
    open: Vec<Vec<Option<(String, u64)>>>,
    calls: Vec<(String, u64, u64)>,
}

impl Visitor for Slices {
    fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, _: Details) -> std::io::Result<()> {
        self.open.resize(thread.max(self.open.len().saturating_sub(1)) + 1, Vec::new());
        self.open[thread].push(matches!(open, Open::Mpi(_)).then(|| (title.name.into_owned(), ns)));
        Ok(())
    }

    fn end(&mut self, thread: usize, ns: u64) -> std::io::Result<()> {
        if let Some((name, begin)) = self.open[thread].pop().unwrap() {
            self.calls.push((name, begin, ns));
        }
        Ok(())
    }

    fn operation(&mut self, _: Operation) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn calls_are_slices() {
    let dir = tempfile::tempdir().unwrap();
    let mut slices = Slices::default();
    walk(&example(dir.path()), &mut slices, &mut |_, _| {}).unwrap();
    let expected = [("MPI_Recv", 100, 300), ("MPI_Send", 450, 500), ("MPI_Barrier", 700, 1000)];
    assert_eq!(slices.calls, expected.map(|(name, begin, end)| (name.to_owned(), begin, end)));
}

#[test]
fn times_are_those_of_the_clock_of_rank_0() {
    const START: u64 = 1_800_000_000_000_000_000;
    let dir = tempfile::tempdir().unwrap();
    let one = |after: u64, offset_ns| Comparison { at_unix_ns: START + after, offset_ns, error_ns: 30, clocks: 2 };
    // The clock is 1 ms ahead and gains a millisecond in 10 s.
    let comparisons = vec![one(0, 1_000_000), one(10_000_000_000, 2_000_000)];
    let about = Meta { start_unix_ns: START, rank: Some(1), comparisons, ..Meta::default() };
    let events = [(10_000_000_000, call(RECV, 8, None, 0x5000)), (10_000_000_000, Record::MpiEnd { call: RECV })];
    let trace = trace_of(dir.path(), about, &Modules::default(), 10_000_000_000, &[&events]);
    assert_eq!(trace.meta.start_unix_ns, START - 1_000_000);
    let at = trace.events(&trace.threads[0]).next().unwrap().ns;
    assert!(at.abs_diff(9_999_000_000) <= 1_000, "{at}");
    let process = Process::of(&trace.meta, &Summary::of(&trace, &mut |_, _| {}));
    assert_eq!(process.clocks, Some((2, 30)));
}

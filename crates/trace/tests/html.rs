//! The page for browsers, in a real one: what it shows, what keys and mouse do, and that names of the trace do nothing.

mod browser;
mod synthetic;

use browser::Browser;
use ferromp_trace::analysis::Summary;
use ferromp_trace::export::html::{Finding, Page};
use ferromp_trace::reader::Trace;
use ferromp_trace::store::{Meta, Module, Modules, Record};
use ferromp_trace::symbols::Symbolizer;
use serde_json::json;
use std::path::{Path, PathBuf};
use synthetic::{implicit, trace, trace_of};

/// A name that would act if a page took it for markup.
const HOSTILE: &str = "</script><img src=x onerror=window.acted=1><script>window.acted=2;</script>";

const REGION: u64 = 0x1000;
const CRITICAL: u64 = 0x2000;
const TASK: u64 = 0x3000;

/// Three threads; 20 regions with a critical construct, a task a thread, dependences between tasks, and a barrier.
fn events(index: u64) -> Vec<(u64, Record)> {
    let mut events = vec![(index, Record::ThreadBegin { kind: if index == 0 { 1 } else { 2 } })];
    for call in 0..20 {
        let (parallel, task, begin) = (1 + call, 100 + 3 * call + index, 10_000 + 100_000 * call);
        let (explicit, codeptr) = (1000 + 3 * call + index, REGION + 0x10 * (call % 2));
        if index == 0 {
            events.push((begin, Record::ParallelBegin { parallel, task: 1, requested: 3, flags: 0, codeptr }));
        }
        events.extend([
            (begin + 1000, implicit(parallel, task, 3, index)),
            (begin + 2000, Record::MutexAcquire { kind: 5, wait: 9, codeptr: CRITICAL }),
            (begin + 3000 + 5000 * index, Record::MutexAcquired { kind: 5, wait: 9 }),
            (begin + 7500 + 5000 * index, Record::MutexReleased { kind: 5, wait: 9 }),
            (
                begin + 20_000,
                Record::TaskCreate { parent: task, task: explicit, flags: 4, dependences: 1, codeptr: TASK },
            ),
        ]);
        if index > 0 {
            events.push((begin + 20_001, Record::TaskDependence { source: explicit - 1, sink: explicit }));
        }
        events.extend([
            (begin + 21_000 + 10_000 * index, Record::TaskSchedule { prior: task, status: 7, next: explicit }),
            (begin + 30_000 + 10_000 * index, Record::TaskSchedule { prior: explicit, status: 1, next: task }),
            (begin + 60_000 + 10_000 * index, Record::SyncBegin { kind: 9, codeptr: 0 }),
            (begin + 60_000 + 10_000 * index, Record::WaitBegin { kind: 9, codeptr: 0 }),
            (begin + 85_000, Record::WaitEnd { kind: 9 }),
            (begin + 85_000, Record::SyncEnd { kind: 9 }),
            (begin + 85_000, Record::ImplicitTaskEnd { task, index }),
        ]);
        if index == 0 {
            events.push((begin + 86_000, Record::ParallelEnd { parallel, codeptr }));
        }
    }
    events
}

/// Writes a page about a trace whose every name is hostile.
fn page(dir: &Path, findings: &[Finding]) -> PathBuf {
    let about = Meta {
        program: format!("/opt/{HOSTILE}"),
        argv: vec![HOSTILE.into(), "\u{202e}--size".into()],
        ..Meta::default()
    };
    let path = format!("/opt/x<img src=x onerror=window.acted=3>{HOSTILE}");
    let modules = Modules::from_iter([Module { start: 0xf00, end: 0x10_000, offset: 0, build_id: None, path }]);
    let threads: Vec<Vec<(u64, Record)>> = (0..3).map(events).collect();
    let threads: Vec<&[(u64, Record)]> = threads.iter().map(Vec::as_slice).collect();
    write(&trace_of(dir, about, &modules, 2_020_000, &threads), findings, &dir.join("page.html"))
}

fn write(trace: &Trace, findings: &[Finding], file: &Path) -> PathBuf {
    write_one_of(1, trace, findings, file)
}

/// As [`write`], with the part of the page that one of so many traces may have.
fn write_one_of(traces: usize, trace: &Trace, findings: &[Finding], file: &Path) -> PathBuf {
    let mut symbols = Symbolizer::new(&trace.modules);
    let summary = Summary::by_place(trace, &mut |_, _| {}, &mut |site| symbols.place(site));
    let mut bytes = Vec::new();
    let mut page = Page::begin(&mut bytes, traces).unwrap();
    page.add(trace, &summary, findings, &mut symbols, &mut |done, total| assert!(done <= total)).unwrap();
    let size = page.finish().unwrap();
    assert_eq!(size, bytes.len() as u64);
    std::fs::write(file, bytes).unwrap();
    file.to_path_buf()
}

/// How many pixels of the lanes have a strong colour.
const COLOURED: &str = "(() => { const c = document.getElementById('lanes'); \
    const copy = new OffscreenCanvas(c.width, c.height).getContext('2d', { willReadFrequently: true }); \
    copy.drawImage(c, 0, 0); const d = copy.getImageData(0, 0, c.width, c.height).data; let n = 0; \
    for (let i = 0; i < d.length; i += 4) \
      if (Math.max(d[i], d[i + 1], d[i + 2]) - Math.min(d[i], d[i + 1], d[i + 2]) > 60) n += 1; return n; })()";

/// Where the lanes' canvas is in the window.
fn lanes(browser: &mut Browser) -> (f64, f64) {
    browser.value("byId('lanes').scrollIntoView({ block: 'center' })");
    browser.value("byId('lanes').focus({ preventScroll: true })");
    let at = |side| format!("byId('lanes').getBoundingClientRect().{side}");
    (browser.number(&at("left")), browser.number(&at("top")))
}

#[test]
fn a_page_is_rendered_and_names_do_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let page = page(dir.path(), &[]);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(!text.contains("<img") && !text.contains('\u{202e}'));
    assert!(text.len() < 600_000, "{}", text.len());
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&page, "");
    assert!(browser.number(COLOURED) > 5000.0);
    assert_eq!(browser.value("byId('program').textContent"), "script>");
    assert_eq!(browser.value("byId('command').textContent"), format!("{HOSTILE} \\u{{202e}}--size"));
    assert!(browser.value("document.querySelector('#table td').textContent").as_str().unwrap().contains("script>+0x"));
    assert_eq!(browser.value("document.images.length"), 0);
    assert_eq!(browser.value("typeof window.acted"), "undefined");
    assert_eq!(
        browser.value("[...document.querySelectorAll('#tabs button')].map((tab) => tab.textContent)"),
        json!([
            "Parallel regions (2)",
            "Parallel efficiency (3)",
            "Waiting (2)",
            "Locks and critical sections (1)",
            "Explicit tasks (1)",
            "Threads (3)"
        ])
    );
    assert_eq!(browser.value("view.rows.map(({ row }) => row.label)"), json!(["thread 0", "thread 1", "thread 2"]));
    assert_eq!(browser.value("byId('findings-section').hidden"), true);
    // The graph: 60 tasks in chains of three.
    assert_eq!(browser.value("document.querySelectorAll('#graph .node').length"), 60);
    assert_eq!(browser.value("document.querySelectorAll('#graph .critical').length"), 3);
    assert_eq!(browser.value("view.trace.graph.chain_ns"), 27_000);
    assert_eq!(browser.value("view.trace.graph.chain_tasks"), 3);
    let histogram = browser.value("view.trace.names.find((name) => name.kind === 'task').lengths");
    assert_eq!(histogram, json!([[26, 60]]), "60 tasks of 9 us");
    assert_eq!(browser.misdeeds(), Vec::<String>::new());
}

#[test]
fn a_trace_without_constructs_has_a_page() {
    let dir = tempfile::tempdir().unwrap();
    let trace = trace(dir.path(), 100, &[&[(0, Record::ThreadBegin { kind: 1 }), (90, Record::ThreadEnd {})], &[]]);
    let page = write(&trace, &[], &dir.path().join("page.html"));
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&page, "");
    assert_eq!(browser.value("byId('warnings').textContent"), "the trace has no events of OpenMP constructs");
    assert_eq!(browser.value("view.trace.usage.totals"), json!([0, 90, 0, 0, 0, 0, 0]));
    assert_eq!(browser.misdeeds(), Vec::<String>::new());
}

#[test]
fn times_are_exact() {
    let dir = tempfile::tempdir().unwrap();
    let page = page(dir.path(), &[]);
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&page, "");
    assert_eq!(browser.value("view.trace.windows"), json!([[0, 2_020_000]]));
    let slices = "((lane) => [...lane.begin.slice(0, 4)].map((begin, i) => \
        [view.trace.names[lane.name[i]].kind, begin, lane.end[i]]))(view.trace.rows[1].lanes[1])";
    assert_eq!(
        browser.value(slices),
        json!([["lock", 12_000, 18_000], ["held", 18_000, 22_500], ["task", 41_000, 50_000], ["wait", 80_000, 95_000]])
    );
    // 20 regions of 3 threads: waits of 25, 15 and 5 us, and 1, 6 and 11 us for the critical construct.
    let total = |activity: &str| format!("view.trace.usage.totals[view.trace.usage.activities.indexOf('{activity}')]");
    assert_eq!(browser.number(&total("wait")), 900_000.0);
    assert_eq!(browser.number(&total("lock")), 360_000.0);
    assert_eq!(browser.number(&total("work")), 20.0 * 3.0 * 84_000.0 - 900_000.0 - 360_000.0);
}

/// A run with more slices than the page may have: cells stand for the short ones.
#[test]
fn a_long_run_is_shown_as_cells() {
    let dir = tempfile::tempdir().unwrap();
    let threads: Vec<Vec<(u64, Record)>> = (0..3).map(events).collect();
    let threads: Vec<&[(u64, Record)]> = threads.iter().map(Vec::as_slice).collect();
    let trace = trace(dir.path(), 2_020_000, &threads);
    let page = write_one_of(20_000, &trace, &[], &dir.path().join("page.html"));
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&page, "");
    let slices = browser.number("view.trace.rows.flatMap((row) => row.slices).reduce((a, b) => a + b)");
    assert!(slices < 200.0, "{slices} of 300");
    assert!(browser.number("view.trace.windows.length") > 10.0);
    assert!(browser.number(COLOURED) > 5000.0);
    browser.value("byId('lanes').focus()");
    browser.press("e");
    browser.press("e");
    assert_eq!(browser.value("isComplete(view.from, view.to)"), true);
    assert!(browser.value("byId('scale').textContent").as_str().unwrap().contains("Every slice"));
    browser.press("0");
    // The first barrier of thread 2 is shorter than all slices that the page has.
    browser.value("setRange(0, 200000)");
    browser.painted();
    let (left, top) = lanes(&mut browser);
    let x = browser.number("xOf(92000, geometry().scale)");
    let y = browser.number("TOP + view.rows[2].top + 1.5 * view.laneHeight");
    browser.mouse("mouseMoved", left + x, top + y, json!({}));
    let tip = browser.value("byId('tip').textContent");
    assert!(tip.as_str().unwrap().contains("too short to be shown"), "{tip}");
    browser.press("/");
    browser.call("Input.insertText", json!({ "text": "barrier" }));
    browser.painted();
    assert_eq!(browser.value("byId('matches').textContent"), "60 slices");
    assert_eq!(browser.misdeeds(), Vec::<String>::new());
}

#[test]
fn keys_wheel_and_mouse_move_the_view() {
    let dir = tempfile::tempdir().unwrap();
    let page = page(dir.path(), &[]);
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&page, "");
    let (left, top) = lanes(&mut browser);
    let visible = "view.to - view.from";
    let whole = browser.number(visible);
    browser.press("w");
    browser.press("w");
    assert!((browser.number(visible) - 0.49 * whole).abs() < 1.0);
    let from = browser.number("view.from");
    browser.press("a");
    assert!(browser.number("view.from") < from);
    browser.press("d");
    assert!((browser.number("view.from") - from).abs() < 1.0);
    browser.press("s");
    assert!((browser.number(visible) - 0.7 * whole).abs() < 1.0);
    assert!(browser.value("location.hash").as_str().unwrap().starts_with("#t="));
    browser.mouse("mouseWheel", left + 600.0, top + 120.0, json!({ "deltaX": 0, "deltaY": -400, "modifiers": 2 }));
    assert!(browser.number(visible) < 0.3 * whole);
    let from = browser.number("view.from");
    browser.mouse("mousePressed", left + 600.0, top + 120.0, json!({}));
    browser.mouse("mouseMoved", left + 500.0, top + 120.0, json!({ "buttons": 1, "button": "left" }));
    browser.mouse("mouseReleased", left + 500.0, top + 120.0, json!({}));
    assert!(browser.number("view.from") > from, "a drag to the left moves to later times");
    browser.press("0");
    assert_eq!(browser.number(visible), whole);
    // A click on thread 1's first barrier, then the keys of the selection.
    browser.value("setRange(0, 100000)");
    browser.painted();
    let x = browser.number("xOf(90000, geometry().scale)");
    let y = browser.number("TOP + view.rows[1].top + 1.5 * view.laneHeight");
    browser.mouse("mouseMoved", left + x, top + y, json!({}));
    assert_eq!(browser.value("byId('tip').hidden"), false);
    let tip = browser.value("byId('tip').textContent");
    let tip = tip.as_str().unwrap();
    assert!(tip.contains("barrier at region end") && tip.contains("15.0 µs from 80"), "{tip}");
    browser.mouse("mousePressed", left + x, top + y, json!({}));
    browser.mouse("mouseReleased", left + x, top + y, json!({}));
    assert!(browser.value("byId('details').textContent").as_str().unwrap().contains("thread 1"));
    browser.press("ArrowLeft");
    assert!(browser.value("byId('details').textContent").as_str().unwrap().starts_with("task"));
    browser.press("f");
    assert!(browser.number(visible) < 25_000.0);
    browser.press("Escape");
    assert_eq!(browser.value("view.selected"), json!(null));
    assert_eq!(browser.misdeeds(), Vec::<String>::new());
}

#[test]
fn search_filters_and_tables_work() {
    let dir = tempfile::tempdir().unwrap();
    let finding = Finding {
        title: format!("contention {HOSTILE}"),
        place: "app.c:7".into(),
        lines: vec!["three threads wait".into(), HOSTILE.into()],
        gain_ns: Some(1_500_000),
        site: Some(CRITICAL.into()),
        range_ns: Some((310_000, 400_000)),
    };
    let page = page(dir.path(), &[finding]);
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&page, "");
    let all = browser.number(COLOURED);
    browser.press("/");
    browser.call("Input.insertText", json!({ "text": "^critical$" }));
    browser.painted();
    assert_eq!(browser.value("byId('matches').textContent"), "60 slices");
    assert!(browser.number(COLOURED) < all / 2.0, "the rest is faint");
    browser.press("Enter");
    assert_eq!(browser.number("view.selected.row.lanes[view.selected.lane].begin[view.selected.index]"), 13_000.0);
    browser.press("Enter");
    assert_eq!(browser.number("view.selected.row.lanes[view.selected.lane].begin[view.selected.index]"), 18_000.0);
    browser.call("Input.insertText", json!({ "text": "(" }));
    browser.painted();
    assert_eq!(browser.value("byId('search').getAttribute('aria-invalid')"), "true");
    browser.press("Escape");
    browser.press("Escape");
    browser.press("0");
    assert_eq!(browser.number(COLOURED), all);
    browser.click("[data-kind=wait]");
    assert_eq!(browser.value("document.querySelector('[data-kind=wait]').getAttribute('aria-pressed')"), "false");
    assert!(browser.number(COLOURED) < all - 1000.0, "hidden kinds leave the lanes");
    browser.click("[data-kind=wait]");
    browser.value("byId('rows').focus()");
    browser.call("Input.insertText", json!({ "text": "1-2" }));
    browser.painted();
    assert_eq!(browser.value("view.rows.map(({ row }) => row.label)"), json!(["thread 1", "thread 2"]));
    // A click on a column sorts the rows, another one turns them round.
    browser.click("#tabs button:last-child");
    let column = "[...document.querySelectorAll('#table tbody tr td:first-child')].map((cell) => cell.textContent)";
    browser.click("#table th:first-child button");
    assert_eq!(browser.value(column), json!(["thread 0", "thread 1", "thread 2"]));
    browser.click("#table th:first-child button");
    assert_eq!(browser.value(column), json!(["thread 2", "thread 1", "thread 0"]));
    assert_eq!(browser.value("document.querySelector('#table th').getAttribute('aria-sort')"), "descending");
    browser.click("#findings button");
    let range = browser.value("[view.from, view.to]");
    let (from, to) = (range[0].as_f64().unwrap(), range[1].as_f64().unwrap());
    assert!(from < 310_000.0 && to > 400_000.0 && to - from < 300_000.0, "{range}");
    assert_eq!(browser.value("typeof window.acted"), "undefined");
    assert_eq!(browser.misdeeds(), Vec::<String>::new());
}

/// A notebook shows the page in a frame that may run scripts and nothing else. The frame has no address.
#[test]
fn a_page_in_a_sandboxed_frame_works() {
    let dir = tempfile::tempdir().unwrap();
    let page = std::fs::read_to_string(page(dir.path(), &[])).unwrap();
    let text = page.replace('&', "&amp;").replace('"', "&quot;");
    let notebook = dir.path().join("notebook.html");
    let frame = format!("<iframe sandbox=\"allow-scripts\" width=\"1200\" height=\"900\" srcdoc=\"{text}\"></iframe>");
    std::fs::write(&notebook, format!("<!doctype html>{frame}")).unwrap();
    let Some(mut browser) = Browser::start() else { return };
    browser.open_sandboxed(&notebook);
    let visible = "view.to - view.from";
    let whole = browser.number(visible);
    browser.value("byId('zoom-in').click()");
    // The page paints, and then keeps its address.
    browser.painted();
    browser.painted();
    assert!(browser.number(visible) < whole);
    assert_eq!(browser.misdeeds(), Vec::<String>::new());
}

/// A window gets another size, and somebody presses keys, while the page still reads its data.
#[test]
fn a_page_that_still_reads_its_data_paints_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let page = page(dir.path(), &[]);
    let Some(mut browser) = Browser::start() else { return };
    let early = "
        const read = Response.prototype.arrayBuffer;
        const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        Response.prototype.arrayBuffer = async function () {
            window.dispatchEvent(new Event('resize'));
            for (const key of ['+', '0', 'n', '?'])
                document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
            await painted();
            window.early = document.documentElement.dataset.ready === undefined;
            return read.call(this);
        };";
    browser.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": early }));
    browser.open(&page, "");
    assert_eq!(browser.value("window.early"), true);
    let whole = browser.number("view.to - view.from");
    browser.press("+");
    assert!(browser.number("view.to - view.from") < whole, "keys work once the page is there");
    assert_eq!(browser.misdeeds(), Vec::<String>::new());
}

#[test]
fn light_and_dark_differ_and_links_lead_to_the_view() {
    let dir = tempfile::tempdir().unwrap();
    let page = page(dir.path(), &[]);
    let Some(mut browser) = Browser::start() else { return };
    let mut papers = Vec::new();
    for scheme in ["light", "dark"] {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        browser.call("Emulation.setEmulatedMedia", features);
        browser.open(&page, "t=200000-400000&hide=task.held&rows=0");
        assert_eq!(browser.value("[view.from, view.to]"), json!([200_000, 400_000]));
        assert_eq!(browser.value("view.rows.length"), 1);
        assert_eq!(browser.value("[...view.hidden]"), json!(["task", "held"]));
        assert!(browser.number(COLOURED) > 2000.0, "{scheme}");
        papers.push(browser.value("getComputedStyle(document.body).backgroundColor"));
        if let Some(folder) = std::env::var_os("FERROMP_PICTURES") {
            browser.picture(&Path::new(&folder).join(format!("{scheme}.png")));
        }
    }
    assert_ne!(papers[0], papers[1]);
    assert_eq!(browser.misdeeds(), Vec::<String>::new());
}

#[test]
fn ranks_are_a_map_over_time() {
    let dir = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    let mut page = Page::begin(&mut bytes, 2).unwrap();
    page.map_ranks((1_000_000, 1_000_000 + 4_040_000));
    let threads: Vec<Vec<(u64, Record)>> = (0..3).map(events).collect();
    let threads: Vec<&[(u64, Record)]> = threads.iter().map(Vec::as_slice).collect();
    for rank in 0..40 {
        let folder = dir.path().join(format!("rank-{rank}"));
        std::fs::create_dir(&folder).unwrap();
        // Each second rank begins when the others end.
        let start_unix_ns = 1_000_000 + u64::from(rank % 2) * 2_020_000;
        let about = Meta { program: "/opt/app".into(), rank: Some(rank), start_unix_ns, ..Meta::default() };
        let trace = trace_of(&folder, about, &Modules::default(), 2_020_000, &threads);
        let mut symbols = Symbolizer::new(&trace.modules);
        let summary = Summary::by_place(&trace, &mut |_, _| {}, &mut |site| symbols.place(site));
        if rank < 2 {
            page.add(&trace, &summary, &[], &mut symbols, &mut |_, _| {}).unwrap();
        } else {
            page.add_row(&trace, &summary, &mut symbols, &mut |_, _| {}).unwrap();
        }
    }
    page.finish().unwrap();
    let file = dir.path().join("page.html");
    std::fs::write(&file, &bytes).unwrap();
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&file, "");
    assert_eq!(browser.value("byId('ranks-section').hidden"), false);
    assert_eq!(browser.value("heat.rows.length"), 40);
    assert_eq!(browser.value("heat.rows.map(({ process }) => process).slice(0, 3)"), json!([0, 1, null]));
    // Rank 0 has the first half of the time, rank 1 the second.
    let filled = |row: u32| format!("heat.rows[{row}].shares.findIndex((share) => share > 0) / heat.cells");
    assert!(browser.number(&filled(0)) < 0.1 && (0.5..0.6).contains(&browser.number(&filled(1))));
    browser.value("byId('heat').scrollIntoView({ block: 'center' })");
    let at = |side| format!("byId('heat').getBoundingClientRect().{side}");
    let (left, top) = (browser.number(&at("left")), browser.number(&at("top")));
    let middle = 0.25 * (browser.number(&at("width")) - 92.0) + 92.0;
    let height = browser.number("heat.rowHeight");
    browser.mouse("mouseMoved", left + middle, top + 2.5 * height, json!({}));
    let tip = browser.value("byId('tip').textContent");
    let tip = tip.as_str().unwrap();
    assert!(tip.starts_with("rank 2") && tip.contains("of the threads' time is useful"), "{tip}");
    // A click on a rank with a timeline shows it, and on one without does nothing.
    for (row, shown) in [(1.5, "1"), (6.5, "1"), (0.5, "0")] {
        browser.mouse("mousePressed", left + middle, top + row * height, json!({}));
        browser.mouse("mouseReleased", left + middle, top + row * height, json!({}));
        while browser.value("document.documentElement.dataset.ready") != shown {
            browser.painted();
        }
        assert_eq!(browser.value("byId('process').value"), shown);
    }
    // The map follows the timeline.
    assert_eq!(browser.number("heatRange()[0]"), 0.0);
    browser.value("setRange(500000, 600000)");
    browser.painted();
    assert_eq!(browser.value("heatRange()"), json!([500_000, 600_000]));
    assert!(browser.misdeeds().is_empty(), "{:?}", browser.misdeeds());
    if let Some(folder) = std::env::var_os("FERROMP_PICTURES") {
        browser.press("0");
        browser.picture(&Path::new(&folder).join("ranks.png"));
    }
}

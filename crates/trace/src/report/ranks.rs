//! The report of a run of several ranks: what its ranks have in common, and how they differ.

use super::clocks::clocks;
use super::findings::{Words, headed, most, rest, titled};
use super::layout::{Cell, Name, Row, Sheet, wrapped};
use super::style::{Choice, Style};
use super::tables::TABLES;
use crate::analysis::{FACTORS, Process};
use crate::escape;
use crate::ranks::{Rank, RankEfficiency, RankFinding, RankRegion, Ranks, named, numbers};
use crate::symbols::{Location, shortened};
use crate::units::{duration, percent};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A command line, and a list of hosts, is shown with at most this many characters.
const LONGEST: usize = 200;
/// The names of the facts have this width.
const LABEL: usize = 11;
/// Remarks of the same kind about more ranks than these are summed up in one line.
const MOST_REMARKS: usize = 10;
/// The tables that this report has itself.
const OWN: [&str; 2] = ["regions", "efficiency"];

/// The report, several lines, ending with a line feed. `processes` are those of the run, and tell about its clocks.
pub fn ranks(run: &Ranks, processes: &[Process], style: &Style) -> String {
    let mut out = header(run, processes, style);
    out += &warnings(run, style);
    out += &findings(run, style);
    if style.shows("regions", true, run.regions.is_empty()) {
        out += &format!("\n{}", regions(run, style.most_rows()).draw(style));
    }
    if style.shows("efficiency", false, run.efficiency.is_none()) {
        out += &format!("\n{}", efficiency(run, style.most_rows()).draw(style));
    }
    if style.shows("ranks", true, false) {
        out += &format!("\n{}", list(run, style).draw(style));
    }
    out + &others(run, style)
}

fn header(run: &Ranks, processes: &[Process], style: &Style) -> String {
    let mut commands: BTreeMap<&str, usize> = BTreeMap::new();
    for rank in &run.ranks {
        *commands.entry(&rank.command).or_default() += 1;
    }
    let first = run.ranks.first().map_or("", |rank| rank.command.as_str());
    let mut title = shortened(first, LONGEST.min(2 * style.width)).into_owned();
    if commands.len() > 1 {
        title += &format!(" and {} other command lines", commands.len() - 1);
    }
    let mut out = style.title(&title);
    for (label, value) in facts(run, processes).into_iter().filter(|(_, value)| !value.is_empty()) {
        let lines = wrapped(&escape::line(&value), LABEL, style.width);
        let label = format!("  {label}");
        out += &format!("{}{}", style.faint(&format!("{label:LABEL$}")), &lines[LABEL..]);
    }
    out
}

fn facts(run: &Ranks, processes: &[Process]) -> Vec<(&'static str, String)> {
    let hosts: Vec<&str> = run.hosts().into_iter().collect();
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let place = format!("{} on {}", counted(run.ranks.len(), "rank"), counted(hosts.len(), "host"));
    let mut threads = vec![run.threads().to_string()];
    threads.extend(run.environment.iter().cloned());
    let time = run.slowest().map_or(String::new(), |slowest| {
        let quickest = run.ranks.iter().min_by_key(|rank| (rank.time_ns(), rank.rank)).unwrap_or(slowest);
        let slow = format!("{} in rank {}, the slowest", duration(slowest.time_ns()), slowest.rank);
        format!("{slow}; {} in rank {}", duration(quickest.time_ns()), quickest.rank)
    });
    vec![
        ("where", shortened(&format!("{place}: {}", hosts.join(", ")), LONGEST).into_owned()),
        ("threads", shortened(&threads.join(", "), LONGEST).into_owned()),
        ("time", time),
        ("clocks", clocks(processes).unwrap_or_default()),
        ("useful", run.efficiency.filter(|_| run.threads() > 1).map_or(String::new(), |found| useful(&found, run))),
    ]
}

fn useful(found: &RankEfficiency, run: &Ranks) -> String {
    let share = |value: f64| percent(100.0 * value);
    let mut factors = vec![("rank balance", found.rank_balance)];
    factors.extend(found.communication.map(|factor| ("communication", factor)));
    factors.extend(FACTORS.map(|(name, factor)| (name, factor(&found.threads))));
    let factors: Vec<String> = factors.into_iter().map(|(name, value)| format!("{} % {name}", share(value))).collect();
    format!("{} % of {} threads' time = {}", share(found.parallel), run.threads(), factors.join(" x "))
}

/// What readers have to know before they look at numbers.
fn warnings(run: &Ranks, style: &Style) -> String {
    let mut out = String::new();
    if run.missing.len() > MOST_REMARKS {
        let lack = format!("{} of {} ranks have no trace: {}", run.missing.len(), run.count, numbers(&run.missing));
        out += &style.warning(&lack);
    } else {
        for rank in &run.missing {
            out += &style.warning(&format!("rank {rank} of {} has no trace", run.count));
        }
    }
    for (text, ranks) in run.remarks.iter().take(MOST_REMARKS) {
        out += &style.warning(&format!("{}: {text}", named(ranks)));
    }
    let left = run.remarks.len().saturating_sub(MOST_REMARKS);
    if left > 0 {
        out += &style.warning(&format!("and {left} more remarks; the report of a rank's folder has those of the rank"));
    }
    out
}

fn findings(run: &Ranks, style: &Style) -> String {
    if run.findings.is_empty() {
        return titled("No findings: nothing is lost that could gain a rank 2 % of the run", style);
    }
    let time = run.time_ns().max(1);
    let mut out = titled(&format!("Findings: what the run of {} could gain", duration(time)), style);
    for (index, finding) in run.findings.iter().enumerate().take(most(style)) {
        let share = 100.0 * finding.gain_ns as f64 / time as f64;
        let found = &finding.worst;
        let head = format!("{}. {share:.0} % ({}), {}", index + 1, duration(finding.gain_ns), found.cause.name());
        out += &match &found.place {
            Some(place) => headed(&format!("{head}:"), place, style.width),
            None => wrapped(&head, 2, style.width),
        };
        let who = who(finding, run);
        let mut evidence: Vec<&str> = vec![&who];
        evidence.extend(found.evidence.iter().map(String::as_str));
        let words = Words {
            sentence: &found.sentence,
            place: found.place.as_ref(),
            callers: found.callers.as_deref(),
            evidence: &evidence,
            confidence: found.confidence.name(),
            advice: &found.advice,
        };
        out += &words.lines(style);
    }
    out + &rest(run.findings.len(), style)
}

/// The ranks that have a finding: `ranks 0-7 of 8, worst rank 3 with 20 % (1.20 s)`.
fn who(finding: &RankFinding, run: &Ranks) -> String {
    let (worst, gain_ns) = finding.worst_rank();
    let ranks = finding.ranks();
    let all = format!("{} of {}", named(&ranks), run.count);
    if ranks.len() == 1 {
        return all;
    }
    let time = run.ranks.iter().find(|rank| rank.rank == worst).map_or(0, Rank::time_ns).max(1);
    format!("{all}, worst rank {worst} with {:.0} % ({})", 100.0 * gain_ns as f64 / time as f64, duration(gain_ns))
}

fn regions(run: &Ranks, most: usize) -> Sheet {
    let count = run.ranks.len();
    let row = |region: &RankRegion| {
        let (slowest, max) = region.slowest();
        let (_, min) = region.quickest(run.ranks.iter().map(|rank| rank.rank));
        let found = RankEfficiency::of_region(region, count);
        let share = |value: Option<f64>| value.map_or(Cell::Number(String::new()), |value| Cell::share(100.0 * value));
        let cells = vec![
            Cell::count(region.times.len() as u64),
            Cell::count(region.calls()),
            Cell::count(region.max_threads),
            Cell::time(min),
            Cell::time(region.mean_ns(count)),
            Cell::time(max),
            Cell::text(&format!("rank {slowest}")),
            share(found.map(|found| found.rank_balance)),
            share(found.map(|found| found.threads.parallel)),
        ];
        Row { name: place(&region.location), cells }
    };
    let header = vec!["region", "ranks", "calls", "threads", "min", "mean", "max", "slowest", "rank balance", "work"];
    Sheet {
        title: "Parallel regions over ranks (time in a rank; work in % of the teams' time)".into(),
        header,
        rows: run.regions.iter().take(most).map(row).collect(),
        notes: left(run.regions.len(), most, "regions"),
    }
}

fn efficiency(run: &Ranks, most: usize) -> Sheet {
    let cells = |found: Option<RankEfficiency>, is_run: bool| {
        let share = |value: Option<f64>| value.map_or(Cell::Number(String::new()), |value| Cell::share(100.0 * value));
        vec![
            share(found.map(|found| found.parallel)),
            share(found.map(|found| found.rank_balance)),
            share(found.and_then(|found| found.communication)),
            share(found.filter(|_| is_run).map(|found| found.threads.amdahl)),
            share(found.map(|found| found.threads.load_balance)),
            share(found.map(|found| found.threads.serialisation)),
            share(found.map(|found| found.threads.transfer)),
        ]
    };
    let regions: Vec<&RankRegion> = run.regions.iter().filter(|region| region.max_threads > 1).collect();
    let row = |region: &&RankRegion| Row {
        name: place(&region.location),
        cells: cells(RankEfficiency::of_region(region, run.ranks.len()), false),
    };
    let first = Row { name: Name::Text("the run".into()), cells: cells(run.efficiency, true) };
    let header = ["region", "efficiency", "rank balance", "communication", "Amdahl", "load balance", "serialisation"];
    let header = header.into_iter().chain(["transfer"]).collect();
    Sheet {
        title: "Parallel efficiency over ranks and threads (%), the product of the factors right of it".into(),
        header,
        rows: std::iter::once(first).chain(regions.iter().take(most).map(row)).collect(),
        notes: left(regions.len(), most, "efficiency"),
    }
}

/// The ranks, the one that took the longest first.
fn list(run: &Ranks, style: &Style) -> Sheet {
    let mut sorted: Vec<&Rank> = run.ranks.iter().collect();
    sorted.sort_by_key(|rank| (std::cmp::Reverse(rank.time_ns()), rank.rank));
    let row = |rank: &&Rank| {
        let found = rank.shares.efficiency().filter(|_| rank.shares.thread > 0.0);
        let cells = vec![
            Cell::text(&rank.host),
            Cell::count(rank.threads),
            Cell::time(rank.time_ns()),
            Cell::time(rank.serial_ns),
            Cell::share(100.0 * rank.mpi_serial_ns as f64 / rank.time_ns().max(1) as f64),
            Cell::share(100.0 * rank.mpi_region_ns as f64 / rank.shares.thread.max(1.0)),
            Cell::time(rank.wait_ns),
            found.map_or(Cell::Number(String::new()), |found| Cell::share(100.0 * found.parallel)),
        ];
        Row { name: Name::Text(format!("rank {}", rank.rank)), cells }
    };
    let most = style.most_rows();
    let title = if run.ranks.iter().any(|rank| rank.mpi_serial_ns > 0 || rank.mpi_region_ns > 0) {
        "The ranks, by time (in %: MPI of the rank's time, MPI in regions and efficiency of its threads' time)"
    } else {
        "The ranks, by time (efficiency of the rank's threads in %)"
    };
    let header = ["rank", "host", "threads", "time", "outside regions", "MPI", "MPI in regions", "waiting"];
    let header = header.into_iter().chain(["efficiency"]).collect();
    Sheet {
        title: title.into(),
        header,
        rows: sorted.iter().take(most).map(row).collect(),
        notes: left(sorted.len(), most, &format!("rows {} or --all", sorted.len())),
    }
}

fn place(location: &Location) -> Name {
    Name::Place(Rc::new(location.clone()), String::new())
}

/// The line about rows that are left out.
fn left(count: usize, most: usize, name: &str) -> Vec<String> {
    let left = count.saturating_sub(most);
    (left > 0).then(|| format!("and {left} more: --{name}")).into_iter().collect()
}

/// Where the tables are that only the report of one rank has.
fn others(run: &Ranks, style: &Style) -> String {
    let Some(slowest) = run.slowest() else { return String::new() };
    let folder = escape::line(&slowest.folder.to_string_lossy()).into_owned();
    let names = match &style.choice {
        Choice::Brief => return format!("\nThe report of one rank, such as the slowest:\n  ferromp report {folder}\n"),
        Choice::All => String::from("--all"),
        Choice::Only(names) => {
            let is_other = |name: &&&str| TABLES.iter().any(|table| table.name == **name) && !OWN.contains(*name);
            names.iter().filter(is_other).map(|name| format!("--{name}")).collect::<Vec<String>>().join(" ")
        }
    };
    if names.is_empty() {
        return String::new();
    }
    format!("\nThe other tables are those of one rank, such as the slowest:\n  ferromp report {folder} {names}\n")
}

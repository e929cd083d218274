//! Changes as users ask for them: `balance=heat.c:34`. Places are named as the report prints them.

use super::change::{Change, Changes};
use crate::Site;
use crate::analysis::{DISPATCH_NS, Summary};
use crate::symbols::Symbolizer;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// The most threads that a run can be replayed with.
const MOST_THREADS: u64 = 4096;
/// The largest factor.
const LARGEST: f64 = 1e6;
/// Places that an error names.
const NAMED: usize = 6;
/// Stands for the code outside of regions, where a place is asked for.
const SERIAL: &str = "serial";
/// `ompt_sync_region_t` of the barrier at the end of a parallel region.
const AT_REGION_END: u64 = 9;

/// A change as it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    text: String,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Threads(u64),
    /// By kind: what is changed at a place, and by which factor.
    At(Kind, String, f64),
    Serial(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Balance,
    Chunk,
    Contention,
    NoWait,
    Grain,
    Faster,
    Overlap,
}

/// The changes that can be asked for, for error messages.
const FORMS: &str = "threads=N, balance=PLACE, chunk=PLACE:N, contention=PLACE, nowait=PLACE, grain=PLACE:N, faster=PLACE/N, \
                     faster=serial/N and overlap=PLACE";

impl FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Asked, String> {
        let (name, value) = text.split_once('=').ok_or_else(|| format!("no change of a run; there are {FORMS}"))?;
        if value.is_empty() {
            return Err(format!("nothing follows `{name}=`"));
        }
        let at = |kind, place: &str, factor| Ok(What::At(kind, place.to_owned(), factor));
        let what = match name {
            "threads" => match value.parse() {
                Ok(threads) if (1..=MOST_THREADS).contains(&threads) => Ok(What::Threads(threads)),
                _ => Err(format!("`{value}` is no number of threads from 1 to {MOST_THREADS}")),
            },
            "balance" => at(Kind::Balance, value, 1.0),
            "contention" => at(Kind::Contention, value, 1.0),
            "nowait" => at(Kind::NoWait, value, 1.0),
            "overlap" => at(Kind::Overlap, value, 1.0),
            "grain" => {
                let (place, grain) = with_factor(value, ':', "heat.c:34:10")?;
                at(Kind::Grain, place, grain)
            }
            "faster" => match with_factor(value, '/', "heat.c:34/2")? {
                (SERIAL, factor) => Ok(What::Serial(1.0 / factor)),
                (place, factor) => at(Kind::Faster, place, 1.0 / factor),
            },
            "chunk" => {
                let (place, size) = with_factor(value, ':', "heat.c:34:16")?;
                if size.fract() > 0.0 {
                    return Err(format!("`{value}`: a chunk has a whole number of iterations"));
                }
                at(Kind::Chunk, place, size)
            }
            "schedule" => Err(
                "`schedule` cannot be replayed; chunk=PLACE:N is a dynamic schedule, balance=PLACE what the best brings"
                    .to_owned(),
            ),
            _ => Err(format!("`{name}` is no change of a run; there are {FORMS}")),
        }?;
        Ok(Asked { text: text.to_owned(), what })
    }
}

/// A place and a factor of at least 1.
fn with_factor<'a>(value: &'a str, separator: char, example: &str) -> Result<(&'a str, f64), String> {
    let parts = value.rsplit_once(separator).filter(|(place, _)| !place.is_empty());
    let number = |text: &str| text.parse().ok().filter(|factor| (1.0..=LARGEST).contains(factor));
    match parts.and_then(|(place, factor)| Some((place, number(factor)?))) {
        Some(found) => Ok(found),
        None => Err(format!("`{value}` is no place with a number of at least 1, such as {example}")),
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a replay of the changes takes for granted, one sentence each.
pub fn assumptions(asked: &[Asked], summary: &Summary, cpus: u64) -> Vec<String> {
    let mut lines = Vec::new();
    for asked in asked {
        match &asked.what {
            What::Threads(threads) => {
                lines.push(format!(
                    "regions outside of others have {threads} threads, and each thread has a CPU of its own; inner \
                     regions stay as they are"
                ));
                lines.push(
                    "static loops and the regions' own code are cut into blocks anew, each measured block being \
                     evenly spread; chunks and tasks go to whoever is free"
                        .to_owned(),
                );
                let most = summary.regions.iter().map(|region| region.max_threads).max().unwrap_or(0);
                if most > cpus {
                    lines.push(format!(
                        "the run had {most} threads on {cpus} CPUs: its work includes waiting for CPUs, so the \
                         prediction is too high"
                    ));
                }
            }
            What::At(Kind::Grain, _, grain) => lines.push(format!(
                "{grain} tasks become one: their creation and start cost as much as one, their code as much as before"
            )),
            What::At(Kind::Chunk, ..) => lines.push(format!(
                "chunks go to whoever is free, and getting one costs {DISPATCH_NS} ns; each measured chunk is evenly \
                 spread over its iterations"
            )),
            What::At(Kind::Contention, ..) => {
                lines.push("an acquisition takes as long as the quickest at this place".to_owned());
            }
            _ => {}
        }
    }
    lines
}

/// The changes with the constructs that they are about.
///
/// # Errors
/// One line if a change names no place of the run, or several, or one where nothing can be changed.
pub fn resolve(asked: &[Asked], summary: &Summary, symbols: &mut Symbolizer) -> Result<Changes, String> {
    let changes = asked.iter().map(|asked| {
        let change = match &asked.what {
            What::Threads(threads) => Ok(Change::Threads(*threads)),
            What::Serial(factor) => Ok(Change::Serial(*factor)),
            What::At(kind, place, factor) => at(*kind, place, *factor, summary, symbols),
        };
        change.map_err(|why| format!("{asked}: {why}"))
    });
    changes.collect::<Result<Vec<Change>, String>>().map(Changes)
}

fn at(kind: Kind, place: &str, factor: f64, summary: &Summary, symbols: &mut Symbolizer) -> Result<Change, String> {
    let candidates = candidates(kind, summary);
    if kind == Kind::Chunk && candidates.is_empty() {
        return Err("the trace has sums over the chunks of a loop; `ferromp trace --chunks` records each".to_owned());
    }
    let found = find(place, &candidates, kind, symbols)?;
    Ok(match kind {
        Kind::Balance => Change::Balance(found),
        Kind::Chunk => Change::Chunk(found, factor as u64),
        Kind::Contention => Change::Contention(found),
        Kind::NoWait => Change::NoWait(found),
        Kind::Grain => Change::Grain(found, factor),
        Kind::Faster => Change::Faster(found, factor),
        Kind::Overlap => {
            let sites = summary.targets.iter().filter(|target| found.contains(&target.site()));
            let (host, exposed) = sites.fold((0u64, 0u64), |(host, exposed), target| {
                (host.saturating_add(target.host_ns), exposed.saturating_add(target.exposed_ns))
            });
            if exposed == 0 {
                return Err("no copying there that a kernel could hide".to_owned());
            }
            Change::Device(found, host.saturating_sub(exposed) as f64 / host.max(1) as f64)
        }
    })
}

/// The constructs where something of the kind can be changed.
fn candidates(kind: Kind, summary: &Summary) -> BTreeSet<Site> {
    let regions = || summary.regions.iter().map(|region| region.site());
    let loops = || summary.loops.iter().map(|one| one.site);
    let tasks = || summary.tasks.iter().map(|task| task.site());
    let locks = || summary.locks.iter().map(|lock| Site::from(lock.codeptr));
    let targets = || summary.targets.iter().map(|target| target.site());
    let waits = || summary.waits.iter().filter(|wait| !wait.site_is_for_tasks() && wait.kind != AT_REGION_END);
    let sites: BTreeSet<Site> = match kind {
        Kind::Balance => regions().chain(loops()).chain(tasks()).collect(),
        Kind::Chunk => summary.loops.iter().filter(|one| one.longest.is_some()).map(|one| one.site).collect(),
        Kind::Contention => locks().collect(),
        Kind::NoWait => waits().map(|wait| wait.site).chain(loops()).chain(regions()).collect(),
        Kind::Grain => tasks().collect(),
        Kind::Faster => regions().chain(loops()).chain(tasks()).chain(locks()).collect(),
        Kind::Overlap => targets().collect(),
    };
    sites.into_iter().filter(|site| *site != Site::default()).collect()
}

/// The constructs at a place.
fn find(
    place: &str,
    candidates: &BTreeSet<Site>,
    kind: Kind,
    symbols: &mut Symbolizer,
) -> Result<FxHashSet<Site>, String> {
    let mut found: BTreeMap<String, FxHashSet<Site>> = BTreeMap::new();
    let mut others: BTreeSet<(bool, u32, String)> = BTreeSet::new();
    let (wanted_file, wanted_line) = match place.rsplit_once(':') {
        Some((file, line)) => (file, line.parse::<u32>().ok()),
        None => (place, None),
    };
    for &site in candidates {
        let location = symbols.locate(site);
        let (whole, short) = (location.to_string(), location.short());
        if whole == place || short == place || whole.ends_with(&format!("/{place}")) {
            found.entry(whole).or_default().insert(site);
        } else {
            let is_elsewhere = !short.starts_with(&format!("{wanted_file}:"));
            let distance = wanted_line.zip(location.line).map_or(u32::MAX, |(wanted, line)| wanted.abs_diff(line));
            others.insert((is_elsewhere, distance, short));
        }
    }
    let list = |names: Vec<&str>| {
        let more = names.len().saturating_sub(NAMED);
        let named = names[..names.len() - more].join(", ");
        if more == 0 { named } else { format!("{named} and {more} more") }
    };
    match found.len() {
        1 => Ok(found.into_values().next().unwrap_or_default()),
        0 => {
            let what = match kind {
                Kind::Balance | Kind::Faster => "no region, loop or task",
                Kind::Chunk => "no loop with recorded chunks",
                Kind::Contention => "no lock or critical, ordered or atomic region",
                Kind::NoWait => "no barrier",
                Kind::Grain => "no task",
                Kind::Overlap => "no device construct",
            };
            let near: Vec<&str> = others.iter().map(|(_, _, name)| name.as_str()).collect();
            Err(if near.is_empty() {
                format!("the run has {what}")
            } else {
                format!("{what} is there; near it: {}", list(near))
            })
        }
        _ => Err(format!(
            "several places have this name; give more of the path: {}",
            list(found.keys().map(String::as_str).collect())
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read() {
        let what = |text: &str| text.parse::<Asked>().map(|asked| asked.what);
        assert_eq!(what("threads=16"), Ok(What::Threads(16)));
        assert_eq!(what("balance=heat.c:34"), Ok(What::At(Kind::Balance, "heat.c:34".into(), 1.0)));
        assert_eq!(what("grain=heat.c:34:10"), Ok(What::At(Kind::Grain, "heat.c:34".into(), 10.0)));
        assert_eq!(what("chunk=heat.c:34:16"), Ok(What::At(Kind::Chunk, "heat.c:34".into(), 16.0)));
        assert_eq!(what("faster=heat.c:34/4"), Ok(What::At(Kind::Faster, "heat.c:34".into(), 0.25)));
        assert_eq!(what("faster=src/heat.c:34/4"), Ok(What::At(Kind::Faster, "src/heat.c:34".into(), 0.25)));
        assert_eq!(what("faster=serial/2"), Ok(What::Serial(0.5)));
        for wrong in [
            "",
            "threads",
            "threads=",
            "threads=0",
            "threads=5000",
            "threads=x",
            "grain=heat.c",
            "grain=:10",
            "grain=heat.c:34:0",
            "grain=heat.c:34:NaN",
            "grain=heat.c:34:inf",
            "faster=heat.c:34",
            "faster=/2",
            "chunk=heat.c:34:1.5",
            "chunk=heat.c:34:0",
            "schedule=heat.c:34:dynamic",
            "luck=1",
        ] {
            let why = what(wrong).unwrap_err();
            assert!(!why.contains('\n'), "{why}");
        }
    }
}

//! Keeps the summary of a trace in the trace's folder, so that a further report need not read the events again.
//!
//! The file holds a key, the summary and a checksum. The key names this program, and size and time of every file that
//! the summary depends on: the trace's files and the program's modules. A file with another key or checksum is not
//! used. If nothing has changed but modules that were replaced, as by building the program again, nothing new can be
//! found out: the kept summary is used with the names that were found then. Nothing is kept while the program may still
//! run, nor where the folder cannot be written.

use crate::analysis::Summary;
use crate::findings::replayed_gains;
use crate::reader::Trace;
use crate::store::lock::State;
use crate::store::{Folder, Modules, files, folder, lock, trimmed};
use crate::symbols::{self, Findings, Location, Symbolizer};
use crate::{Error, Progress, Site};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// The longest file that is read.
const LONGEST: u64 = 256 << 20;

/// What a summary depends on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Key {
    version: String,
    /// This program, and then the files of the trace and its modules.
    files: Vec<FileState>,
}

/// A file at one moment. A file that is not there has no numbers.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct FileState {
    path: String,
    /// Bytes, then seconds and nanoseconds of the last change.
    numbers: Option<(u64, i64, i64)>,
}

/// What is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    key: Key,
    summary: Summary,
    senseless: Vec<u64>,
    findings: Findings,
    names: Vec<(Site, Location)>,
}

/// What is kept of a run whose trace lacks events.
#[derive(Serialize, Deserialize)]
struct Whole {
    version: String,
    summary: Summary,
    findings: Findings,
}

/// Opens a trace and gets its summary, by source lines if they are known: from the trace's folder if it has the summary
/// of the trace as it is, otherwise by reading all events. `progress` gets the bytes read.
///
/// The summary of a trace that lacks events is the one that was made while they were there.
///
/// # Errors
/// As [`Trace::open`]; if the summary of a trace that lacks events cannot be read.
pub fn open(dir: &Path, progress: Progress<'_>) -> Result<(Trace, Summary, Symbolizer), Error> {
    let trace = Trace::open(dir)?;
    let mut symbols = Symbolizer::new(&trace.modules);
    if trace.trimmed.is_some() {
        let Whole { summary, findings, .. } = read_whole(dir)?;
        symbols.set_findings(findings);
        return Ok((trace, summary, symbols));
    }
    let key = Key::of(&trace);
    if let Some(key) = &key
        && let Some(kept) = read(dir)
        && let Some(replaced) = kept.key.replaced(key, &trace.modules)
    {
        trace.set_senseless(&kept.senseless);
        symbols.set_findings(kept.findings);
        if let Some(path) = replaced.first() {
            let why = "has changed since it was recorded; names are those of an earlier report";
            symbols.set_names(kept.names, format!("{path}: {why}"));
        }
        return Ok((trace, kept.summary, symbols));
    }
    let mut summary = Summary::by_place(&trace, progress, &mut |site| symbols.place(site));
    summary.gains = replayed_gains(&trace, &summary, &mut symbols, progress);
    if let Some(key) = key {
        let (senseless, findings, names) = (trace.senseless(), symbols.findings(), symbols.names());
        let kept = Kept { key, summary, senseless, findings, names };
        // Without the file, the next report takes longer.
        let _ = write(dir, &kept);
        return Ok((trace, kept.summary, symbols));
    }
    Ok((trace, summary, symbols))
}

impl Key {
    /// The key of a trace; none if its files may still change.
    fn of(trace: &Trace) -> Option<Key> {
        let is_over = match trace.state {
            State::Runs => false,
            State::Ended => true,
            State::Unknown => trace.meta.finished,
        };
        if !is_over {
            return None;
        }
        let own = [folder::SUMMARY, lock::FILE].map(|name| trace.dir.join(name));
        let mut paths = folder::files_of_trace(&trace.dir).ok()?;
        paths.retain(|path| !own.contains(path));
        // A trace that was moved is the same trace.
        let within = |path: &Path| path.strip_prefix(&trace.dir).unwrap_or(path).to_string_lossy().into_owned();
        let mut states: Vec<FileState> = paths.iter().map(|path| FileState::of(path, within(path))).collect();
        let modules: BTreeSet<&str> = trace.modules.iter().map(|module| module.path.as_str()).collect();
        let modules = modules.into_iter().filter(|path| path.starts_with('/'));
        states.extend(modules.map(|path| FileState::of(Path::new(path), path.to_owned())));
        states.insert(0, FileState::of(&std::env::current_exe().ok()?, String::new()));
        Some(Key { version: env!("CARGO_PKG_VERSION").into(), files: states })
    }
}

impl Key {
    /// The modules that were replaced since the summary with this key was kept. None if more than that has changed.
    fn replaced(&self, now: &Key, modules: &Modules) -> Option<Vec<String>> {
        if self.version != now.version || self.files.len() != now.files.len() {
            return None;
        }
        let changed = self.files.iter().zip(&now.files).filter(|(then, now)| then != now);
        let replaced = changed.map(|(then, now)| {
            let module = modules.iter().find(|module| module.path == then.path)?;
            (then.path == now.path && symbols::is_replaced(module)).then(|| then.path.clone())
        });
        replaced.collect()
    }
}

impl FileState {
    fn of(path: &Path, name: String) -> FileState {
        let data = std::fs::metadata(path).ok();
        FileState { path: name, numbers: data.map(|data| (data.len(), data.mtime(), data.mtime_nsec())) }
    }
}

fn read(dir: &Path) -> Option<Kept> {
    let path = dir.join(folder::SUMMARY);
    let is_link = std::fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink());
    let bytes = if is_link { return None } else { files::read(&path, LONGEST).ok()? };
    let (bytes, sum) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(bytes) != u32::from_le_bytes(*sum) {
        return None;
    }
    postcard::from_bytes(bytes).ok()
}

/// Stores the summary of a run whose trace lacks events.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write_whole(folder: &Folder, summary: Summary, symbols: &Symbolizer) -> Result<(), Error> {
    let whole = Whole { version: env!("CARGO_PKG_VERSION").into(), summary, findings: symbols.findings() };
    let bytes = checked(&whole).and_then(|bytes| folder.replace(trimmed::SUMMARY, &bytes));
    bytes.map_err(folder.error(trimmed::SUMMARY))
}

fn read_whole(dir: &Path) -> Result<Whole, Error> {
    let path = dir.join(trimmed::SUMMARY);
    let bytes = files::read(&path, LONGEST).map_err(Error::io(&path))?;
    let malformed = |reason: String| Error::Malformed { path: path.clone(), reason };
    let is_whole = |(bytes, sum): &(&[u8], &[u8; 4])| crc32fast::hash(bytes) == u32::from_le_bytes(**sum);
    let (bytes, _) = bytes.split_last_chunk::<4>().filter(is_whole).ok_or_else(|| malformed("it is damaged".into()))?;
    // The version comes first, so that it can be read of any version's file.
    let (version, _) = postcard::take_from_bytes::<String>(bytes).map_err(|error| malformed(error.to_string()))?;
    if version != env!("CARGO_PKG_VERSION") {
        return Err(malformed(format!("ferromp {version} has stored it, and this is {}", env!("CARGO_PKG_VERSION"))));
    }
    postcard::from_bytes(bytes).map_err(|_| malformed("another build of ferromp has stored it".into()))
}

fn write(dir: &Path, kept: &Kept) -> std::io::Result<()> {
    Folder::open(dir)?.replace(folder::SUMMARY, &checked(kept)?)
}

/// The bytes of a value, followed by their checksum.
fn checked(value: &impl Serialize) -> std::io::Result<Vec<u8>> {
    let mut bytes = postcard::to_stdvec(value).map_err(std::io::Error::other)?;
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

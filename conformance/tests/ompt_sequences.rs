//! The event sequences of the programs under `events/`, thread by thread, as the files beside them pin them: for
//! clang's and for gcc's programs (OpenMP 5.1, sections 4.5.2 and those of the constructs). `events/README.md` says how
//! to read and write them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::directives::Directives;
use ferromp_conformance::journal::{Journal, WAITS};
use ferromp_conformance::sequence;
use ferromp_conformance::snapshot::{self, Snapshot};
use ferromp_conformance::tools::Workshop;
use libtest_mimic::{Arguments, Failed, Trial};

/// `update` writes the files instead of comparing with them; a number compares that many runs instead of three.
const MODE: &str = "FERROMP_EVENTS";

/// The mark of each compiler in the files.
const COMPILERS: [(Compiler, char); 2] = [(Compiler::Clang, 'c'), (Compiler::Gcc, 'g')];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut sources: Vec<PathBuf> = match std::fs::read_dir(folder()) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(why) => panic!("{}: {why}", folder().display()),
    };
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    let trials = sources.into_iter().map(|source| {
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || test(&source))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("events")
}

fn test(source: &Path) -> Result<(), Failed> {
    let mode = std::env::var(MODE).unwrap_or_default();
    let file = source.with_extension("events");
    if mode == "update" {
        return update(source, &file);
    }
    let text = std::fs::read_to_string(&file).map_err(|why| {
        format!("{}: {why}; {MODE}=update writes it, and then it is read against the specification", file.display())
    })?;
    let snapshot = Snapshot::parse(&text).map_err(|why| format!("{}: {why}", file.display()))?;
    if snapshot.differs_unexplained() {
        return Err(format!("{}: the compilers differ and no remark `# differ: …` says why", file.display()).into());
    }
    // How threads wait changes no event.
    let rounds: usize = mode.parse().unwrap_or(WAITS.len());
    for wait in WAITS.into_iter().cycle().take(rounds) {
        for (compiler, mark) in COMPILERS {
            let (wanted, Some(came)) = (snapshot.of(mark), run(source, compiler, wait)?) else { continue };
            if wanted != came {
                let (name, shown) = (compiler.name(), snapshot::difference(&wanted, &came));
                return Err(format!("{name} {wait:?}: not the sequence that {} pins\n{shown}", file.display()).into());
            }
        }
    }
    Ok(())
}

/// Writes what comes now; the remarks stay.
fn update(source: &Path, file: &Path) -> Result<(), Failed> {
    let remarks = match std::fs::read_to_string(file) {
        Ok(text) => Snapshot::parse(&text)?.remarks,
        Err(_) => Vec::new(),
    };
    let [clang, gcc] = COMPILERS.map(|(compiler, _)| run(source, compiler, WAITS[0]));
    let (clang, gcc) = (clang?, gcc?);
    let (clang, gcc) = match (clang, gcc) {
        (Some(clang), Some(gcc)) => (clang, gcc),
        (clang, gcc) => (clang.unwrap_or_default(), gcc.unwrap_or_default()),
    };
    std::fs::write(file, Snapshot::merge(remarks, &clang, &gcc).text())
        .map_err(|why| format!("{}: {why}", file.display()))?;
    Ok(())
}

/// The sequence of one run as lines; nothing if the program is not for this compiler.
fn run(source: &Path, compiler: Compiler, wait: &[(&str, &str)]) -> Result<Option<Vec<String>>, Failed> {
    let text = std::fs::read_to_string(source).map_err(|why| format!("{}: {why}", source.display()))?;
    let directives = Directives::parse(&text).map_err(|why| format!("{}: {why}", source.display()))?;
    if directives.compilers.as_ref().is_some_and(|understood| !understood.contains(&compiler)) {
        return Ok(None);
    }
    // Where there are to be devices, clang brings code for them; gcc's programs run on the host in their place.
    let compiler =
        if directives.devices.is_some() && compiler == Compiler::Clang { Compiler::Offload } else { compiler };
    let devices = directives.devices.as_deref().and_then(|counts| counts.first()).map(ToString::to_string);
    let [threads] = directives.threads.as_slice() else {
        return Err(format!("{}: exactly one thread count is needed", source.display()).into());
    };
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    // Without optimisation, so that each call stands on the line of its construct, and none is left out.
    let options = [&["-O0".to_owned()], directives.flags.as_slice()].concat();
    let program = workshop.program_at(source, compiler, &options);
    let threads = threads.to_string();
    let mut settings = vec![("OMP_NUM_THREADS", threads.as_str())];
    settings.extend(wait);
    settings.extend(devices.iter().map(|devices| ("FERROMP_HOST_DEVICES", devices.as_str())));
    settings.extend(directives.env.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let journal = Journal::of_program(&workshop, program, source.to_owned(), &settings);
    Ok(Some(snapshot::lines(&sequence::of(&journal, source))))
}

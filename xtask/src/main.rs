//! `cargo xtask`: the commands that build, install, test, measure and check ferromp. Each command does its own set-up,
//! so that a bare machine needs one line.

mod arch;
mod bench;
mod check_system;
mod clients;
mod compilers;
mod coverage;
mod demo;
mod dist;
mod generate;
mod glibc;
mod header;
mod layers;
mod names;
mod newest;
mod package;
mod sanitize;
mod scale;
mod setup;
mod sh;
mod soak;
mod start_order;
mod test;
mod tidy;
mod verify;
mod verify_entry_points;

use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask COMMAND [options]

  demo                  sets up, builds, traces two real programs and shows their reports
  test                  sets up, builds, runs every test; ends with the runner's own count
  build [--out DIR]     makes the relocatable prefix: bin, lib, include (default: dist/)
        [--only-runtime]  only the runtime library, with its symlinks
  install --prefix DIR  builds, then copies the prefix to DIR
  package [--try SUITE] builds, then makes Debian packages, RPMs, a tarball and a Python wheel in target/packages; with
                        --try, tests them on a clean system of another suite, such as bullseye or bionic; needs root
  bench [ompt|target|instructions|situations] [--quick] [--check] [--filter NAME] [--threads 1,2,8] [--rounds N]
                        compares ferromp, libgomp and libiomp5; with `ompt`, measures the cost of OMPT with and
                        without a tool; with `target`, compares device constructs with stock libomptarget; with
                        `instructions`, counts the instructions of constructs; `--check` fails if ferromp has
                        become slower
  soak [--minutes N] [--seed S] [--only RUN] [--filter WORDS]
                        runs the corpus in random order, with random thread counts and settings; without options
                        for 20 minutes, and writes docs/soak.md
  sanitize [thread|address|miri] [WORDS]
                        runs the corpus with a runtime that looks for races or bad accesses, and the unit tests
                        under Miri; without words runs all of these, and writes docs/sanitizers.md
  scale [--machine NAME] [--scenario WORDS] [--threads 2,8,64]
                        plays the runtime's protocols on simulated machines of up to 192 cores and prints what they
                        cost there; without options writes the tables to docs/scale-model.md, in some two minutes
  clients               runs PyTorch and scikit-learn's own tests on ferromp; writes docs/clients.md
  check-system          runs the corpus on clang's own libomp under the checker; writes docs/libomp-19.md
  abi-survey [ROOT...]  compares the compilers, headers and runtimes of root folders with what ferromp serves;
                        writes its part of docs/compilers.md
  compilers [--only 'clang-23 gcc-16'] [--threads '1 3 8'] [--filter WORDS] [ROOT...]
                        runs the corpus with each compiler of root folders, and repeats failures on the compiler's
                        own runtime; writes its part of docs/compilers.md
  setup                 installs what demo, test and bench need from the system, and nothing else
  setup --newest [--roots DIR] [SUITE...]
                        makes root folders with the older and newer compilers of Debian's suites, by debootstrap,
                        in target/roots/SUITE; needs root, some 12 GiB, and half an hour
  header SOURCE... [-- OPTIONS]
                        checks that a tool's source compiles with our omp-tools.h in place of the compiler's
  generate              writes the files that come from tables: include/omp-tools.h, docs/ompt-events.md
  coverage [--from FOLDER…]
                        runs the corpus three times to see which events it fires; writes docs/ompt-coverage.md
  start-order           writes crates/runtime/start.txt: the functions that the linker places together, because a
                        process executes them up to its first regions
  layers [FOLDER]       shows the runtime's layers and their imports, the circles of files in every crate, and the
                        imports against the table in ARCHITECTURE.md; of the checkout in FOLDER
  tidy                  checks formatting, clippy and what people forget
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> sh::Result {
    let rest = args.get(1..).unwrap_or(&[]);
    match args.first().map(String::as_str) {
        Some("build") => {
            let (mut out, mut only_runtime) = (sh::root().join("dist"), false);
            let mut words = rest.iter();
            while let Some(word) = words.next() {
                match word.as_str() {
                    "--out" => out = sh::absolute(&value(word, words.next())?),
                    "--only-runtime" => only_runtime = true,
                    other => return Err(format!("build: unknown option {other}")),
                }
            }
            dist::build(&out, only_runtime)
        }
        Some("install") => match rest {
            [option, prefix] if option == "--prefix" => dist::install(&sh::absolute(&PathBuf::from(prefix))),
            _ => Err("usage: cargo xtask install --prefix DIR".into()),
        },
        Some("setup") if rest.first().is_some_and(|word| word == "--newest") => newest::setup(&rest[1..]),
        Some("setup") => {
            none(rest)?;
            setup::system(&[&setup::DEMO, &setup::TESTS])?;
            setup::optional();
            setup::python().map(drop)
        }
        Some("test") => none(rest).and_then(|()| test::test()),
        Some("soak") => {
            setup::system(&[&setup::DEMO, &setup::TESTS])?;
            dist::build(&sh::root().join("dist"), true)?;
            soak::soak(rest)
        }
        Some("abi-survey") => compilers::survey(rest),
        Some("compilers") => compilers::compilers(rest),
        Some("check-system") => none(rest).and_then(|()| check_system::check_system()),
        Some("sanitize") => sanitize::sanitize(rest),
        Some("scale") => scale::scale(rest),
        Some("demo") => none(rest).and_then(|()| demo::demo()),
        Some("clients") => none(rest).and_then(|()| clients::clients()),
        Some("generate") => none(rest).and_then(|()| generate::generate()),
        Some("coverage") => {
            if rest.is_empty() {
                setup::system(&[&setup::DEMO, &setup::TESTS])?;
                dist::build(&sh::root().join("dist"), true)?;
            }
            coverage::write(rest)
        }
        Some("start-order") => {
            none(rest)?;
            setup::system(&[&setup::TESTS])?;
            dist::build(&start_order::folder(), true)?;
            start_order::write()
        }
        Some("header") => header::header(rest),
        Some("layers") => match rest {
            [] => layers::show(&sh::root()),
            [folder] => layers::show(&PathBuf::from(folder)),
            _ => Err("usage: cargo xtask layers [FOLDER]".into()),
        },
        Some("tidy") => none(rest).and_then(|()| tidy::tidy()),
        Some("package") => match rest {
            [] => package::package(),
            [option, suite] if option == "--try" => package::package().and_then(|()| package::try_on(suite)),
            _ => Err("usage: cargo xtask package [--try SUITE]".into()),
        },
        Some("bench") => bench::run(rest),
        Some("help" | "--help" | "-h") | None => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("unknown command {other}\n{HELP}")),
    }
}

fn value(option: &str, word: Option<&String>) -> Result<PathBuf, String> {
    word.map(PathBuf::from).ok_or_else(|| format!("{option} needs a value"))
}

fn none(rest: &[String]) -> sh::Result {
    match rest.first() {
        None => Ok(()),
        Some(extra) => Err(format!("unexpected argument {extra}")),
    }
}

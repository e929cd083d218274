//! One program or shared library: its OpenMP runtime without ferromp, and with ferromp.

use std::path::Path;

use super::closure::{Closure, Missing};
use super::findings::{Findings, count, some_of};
use super::offload;
use super::sanitizer;
use super::search::Search;
use crate::elf::{Elf, is_runtime_name};
use crate::failure::Failure;
use crate::prefix::runtime_names;
use crate::program::{self, Obstacle};

/// Examines an ELF file.
pub fn examine(path: &Path, ferromp: &Elf, findings: &mut Findings) -> Result<(), Failure> {
    let closure =
        Closure::of(path, &Search::of_this_machine()).map_err(|why| super::unreadable::unreadable(path, &why))?;
    let subject = closure.subject();
    findings.line(if subject.program { "program" } else { "library" }, kind(subject));
    let (ours, others): (Vec<_>, Vec<_>) = closure.not_found.iter().partition(|(name, _)| is_ours(name, ferromp));
    for (name, user) in &others {
        findings.trouble(
            "not found",
            format_args!("{name}, which {} asks for: the loader does not start it", user.display()),
        );
    }
    if !subject.program && subject.is_runtime() {
        findings.line("OpenMP", "it is an OpenMP runtime: ferromp takes its place in the programs that use it");
        return Ok(());
    }
    uses(&closure, findings);
    runtimes(&closure, findings);
    for (name, user) in &ours {
        let user = user.display();
        findings
            .line("", format_args!("{name}, which {user} asks for, is not on this machine: only ferromp has it here"));
    }
    reach(&closure, ferromp, findings, others.is_empty());
    offload::examine(&closure, findings);
    sanitizer::examine(&closure, ferromp, findings);
    Ok(())
}

fn kind(elf: &Elf) -> String {
    let how = match (&elf.interpreter, elf.program) {
        (Some(interpreter), _) => format!("dynamically linked, loader {interpreter}"),
        (None, true) => "statically linked".to_owned(),
        (None, false) => "shared library".to_owned(),
    };
    format!("{} ({how})", elf.path.display())
}

/// The files that call OpenMP, and the compilers whose entry points they call.
fn uses(closure: &Closure, findings: &mut Findings) {
    let mut label = "OpenMP";
    for user in closure.users() {
        findings.line(label, format_args!("{}: {}", user.path.display(), calls(user)));
        label = "";
    }
    if closure.users().any(uses_openacc) {
        findings.line(
            "OpenACC",
            "its regions run on the host, each on the thread that meets it: ferromp has no other device for them",
        );
    }
    for elf in closure.runtimes().filter(|elf| elf.program) {
        findings.line(label, format_args!("{}: contains a statically linked runtime", elf.path.display()));
        label = "";
    }
    if label == "OpenMP" {
        if closure.subject().is_static() {
            findings.line(label, "none in it");
            return;
        }
        findings.line(label, "none in it, nor in the libraries that it names");
        findings.line("", "(what it opens later, such as plug-ins and Python modules, is not seen here)");
    }
}

fn uses_openacc(elf: &Elf) -> bool {
    elf.wants.iter().any(|want| want.name.starts_with("GOACC_") || want.name.starts_with("acc_"))
}

/// What a file calls, by ABI.
pub fn calls(elf: &Elf) -> String {
    let number = |prefix: &str| elf.wants.iter().filter(|want| want.name.starts_with(prefix)).count();
    let (gcc, clang, api) = (number("GOMP_"), number("__kmpc_"), number("omp_"));
    let (acc, acc_api) = (number("GOACC_"), number("acc_"));
    let mut parts = Vec::new();
    if gcc > 0 {
        parts.push(format!("built by gcc or gfortran ({})", count(gcc, "GOMP_ function")));
    }
    if clang > 0 {
        parts.push(format!("built by clang, flang or icx ({})", count(clang, "__kmpc_ function")));
    }
    if api > 0 {
        parts.push(format!("calls {}", count(api, "omp_ routine")));
    }
    if acc > 0 {
        parts.push(format!("OpenACC of gcc or gfortran ({})", count(acc, "GOACC_ function")));
    }
    if acc_api > 0 {
        parts.push(format!("calls {}", count(acc_api, "acc_ routine")));
    }
    if parts.is_empty() { "names an OpenMP runtime and calls nothing of it".to_owned() } else { parts.join(", ") }
}

/// Which runtimes are loaded without ferromp.
fn runtimes(closure: &Closure, findings: &mut Findings) {
    let shared: Vec<&Elf> = closure.runtimes().filter(|elf| !elf.program).collect();
    let mut label = "runtime";
    for elf in &shared {
        if elf.path != closure.subject().path {
            findings.line(label, elf.path.display());
            label = "";
        }
    }
    if shared.len() > 1 {
        findings.line("", "several OpenMP runtimes in one process; ferromp takes the place of all of them");
    }
}

/// Whether ferromp's own folder has a library of this name. A program that `ferromp` starts finds the library there.
fn is_ours(name: &str, ferromp: &Elf) -> bool {
    runtime_names().any(|known| known == name) && ferromp.path.with_file_name(name).is_file()
}

/// Whether the preload takes effect, and what ferromp lacks. `complete` says that all other libraries were found.
fn reach(closure: &Closure, ferromp: &Elf, findings: &mut Findings, complete: bool) {
    let subject = closure.subject();
    match program::obstacle(&subject.path) {
        Some(Obstacle::Static) => {
            findings.trouble("reached", "no: it is statically linked; only programs that it starts can be reached");
            return;
        }
        Some(obstacle) => {
            findings.trouble("reached", format_args!("no: {obstacle}"));
            return;
        }
        None if complete => findings.line("reached", how(closure)),
        None => findings.line("reached", format_args!("{}, once it has its other libraries", how(closure))),
    }
    if program::is_set_user_id(&subject.path) {
        findings.line("", "it is set-user-id: when another user starts it, the loader ignores LD_PRELOAD");
    }
    missing(&Missing::of(closure.files.iter(), ferromp), findings);
}

/// How the runtime gets into the program.
fn how(closure: &Closure) -> String {
    let named = closure.files.iter().flat_map(|elf| &elf.needed).find(|name| is_runtime_name(name));
    match named {
        Some(name) => format!("yes: ferromp takes the place of {name}"),
        None if closure.users().next().is_some() => "yes: ferromp is preloaded and answers its calls".to_owned(),
        None => "yes: should it come to use OpenMP, ferromp is there first".to_owned(),
    }
}

/// What ferromp lacks.
pub fn missing(missing: &Missing, findings: &mut Findings) {
    if missing.is_nothing() {
        findings.line("missing", "nothing");
        return;
    }
    let mut label = "missing";
    if !missing.nodes.is_empty() {
        let nodes = some_of(&missing.nodes, 6);
        findings.trouble(label, format_args!("version nodes {nodes}: the program would not start"));
        label = "";
    }
    if !missing.functions.is_empty() {
        let name = |want: &crate::elf::Want| match &want.node {
            Some(node) => format!("{}@{node}", want.name),
            None => want.name.clone(),
        };
        findings.trouble(label, some_of(missing.functions.iter().map(name), 6));
    }
}

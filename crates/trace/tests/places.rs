//! The places of constructs in a program that gcc has optimized: the program is not run, only read.

use ferromp_trace::Site;
use ferromp_trace::store::{Module, Modules};
use ferromp_trace::symbols::Symbolizer;
use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the program is loaded.
const BASE: u64 = 0x5555_0000_0000;

/// The program, its code as a process maps it, the return addresses of its calls of `GOMP_parallel`, and the functions
/// of its regions, both in the order of the source.
fn neighbours(dir: &Path) -> (PathBuf, Modules, Vec<u64>, Vec<u64>) {
    let program = dir.join("neighbours");
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O2", "-fopenmp", "tests/programs/neighbours.c", "-o"]).arg(&program);
    assert!(gcc.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    let bytes = std::fs::read(&program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let mapped = file.segments().map(|segment| Module {
        start: BASE + segment.address(),
        end: BASE + segment.address() + segment.size(),
        offset: segment.file_range().0,
        build_id: None,
        path: program.to_str().unwrap().to_owned(),
    });
    let named = |name: &str| file.symbols().find(|symbol| symbol.name() == Ok(name)).unwrap().address();
    let functions = ["main._omp_fn.0", "main._omp_fn.1", "main._omp_fn.2", "fill._omp_fn.0"];
    let functions = functions.map(|name| BASE + named(name)).to_vec();
    let listing = Command::new("objdump").args(["-d", "--no-show-raw-insn"]).arg(&program).output().unwrap();
    let listing = String::from_utf8(listing.stdout).unwrap();
    let after_call = listing.lines().skip_while(|line| !line.contains("<main>:")).collect::<Vec<_>>();
    let calls = after_call.windows(2).filter(|lines| lines[0].contains("<GOMP_parallel"));
    let address = |line: &str| u64::from_str_radix(line.trim().split(':').next().unwrap(), 16).unwrap();
    let calls = calls.map(|lines| BASE + address(lines[1])).take(4).collect();
    (program.clone(), mapped.collect(), calls, functions)
}

fn line_of(text: &str) -> u32 {
    let source = include_str!("programs/neighbours.c");
    1 + source.lines().position(|line| line.contains("#pragma") && line.ends_with(text)).unwrap() as u32
}

#[test]
fn regions_lie_where_their_functions_begin() {
    let dir = tempfile::tempdir().unwrap();
    let (_, modules, calls, functions) = neighbours(dir.path());
    let mut symbols = Symbolizer::new(&modules);
    let sites: Vec<Site> = calls
        .iter()
        .zip(&functions)
        .map(|(codeptr, function)| Site { codeptr: *codeptr, function: *function })
        .collect();
    let names: Vec<String> = sites.iter().map(|site| symbols.locate(*site).long()).collect();
    let name = |function: &str, text| format!("{function} (neighbours.c:{})", line_of(text));
    let main = ["first", "second", "third"].map(|text| name("main", text));
    assert_eq!(names[..3], main);
    assert_eq!(names[3], name("fill", "fill") + ", inlined into main");
    // Each is a place of its own.
    assert_eq!(sites.iter().map(|site| symbols.place(*site)).collect::<Vec<_>>(), sites);
    // A copy of a construct in the same function is the same place, whatever its call's line.
    let copy = Site { codeptr: calls[0], function: functions[1] };
    assert_eq!(symbols.place(copy), sites[1]);
    assert_eq!(symbols.locate(sites[1]).long(), main[1]);
}

#[test]
fn copies_in_several_functions_are_said_to_be_in_none() {
    let dir = tempfile::tempdir().unwrap();
    let (_, modules, calls, functions) = neighbours(dir.path());
    let mut symbols = Symbolizer::new(&modules);
    let first = Site { codeptr: calls[3], function: functions[3] };
    // Not a call, but an address in another function.
    let second = Site { codeptr: functions[0] + 8, function: functions[3] };
    assert_eq!(symbols.place(first), first);
    assert!(symbols.locate(first).long().ends_with("inlined into main"));
    let third = Site { codeptr: 16, function: functions[3] };
    assert_eq!((symbols.place(second), symbols.place(third)), (first, first));
    assert_eq!(symbols.locate(first).long(), format!("fill (neighbours.c:{})", line_of("fill")));
}

#[test]
fn a_stripped_program_still_has_a_place_for_each_function() {
    let dir = tempfile::tempdir().unwrap();
    let (program, modules, calls, functions) = neighbours(dir.path());
    assert!(Command::new("strip").arg(&program).status().unwrap().success());
    let mut symbols = Symbolizer::new(&modules);
    let sites = [0, 1].map(|index| Site { codeptr: calls[0], function: functions[index] });
    assert_eq!(sites.map(|site| symbols.place(site)), sites);
    assert!(symbols.locate(sites[0]).long().starts_with("neighbours+0x"), "{}", symbols.locate(sites[0]).long());
    let copy = Site { codeptr: calls[1], function: functions[0] };
    assert_eq!(symbols.place(copy), sites[0]);
}

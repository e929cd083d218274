//! Compares OMPD's types and functions with clang 19's `omp-tools.h` and with our own, by programs in C and C++ that
//! are generated and compiled here, and checks that the headers have nothing of OMPD that the crate does not know.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn clang(arguments: &[&str]) -> String {
    let output = Command::new("clang-19").args(arguments).output().unwrap_or_else(|error| {
        panic!("this test needs clang-19 (Debian: apt-get install clang-19 libomp-19-dev): {error}")
    });
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "clang-19 {arguments:?} failed:\n{errors}");
    String::from_utf8(output.stdout).expect("clang-19 prints UTF-8")
}

/// What the C expressions are according to the crate.
fn expected() -> BTreeMap<String, i64> {
    let mut all = BTreeMap::new();
    for (value, name) in ompd::Rc::ALL {
        all.insert((*name).to_owned(), i64::from(value.0));
    }
    for (value, name) in ompd::Scope::ALL {
        all.insert((*name).to_owned(), i64::from(value.0));
    }
    for (value, name) in ompd::TeamGenerator::ALL {
        all.insert((*name).to_owned(), i64::from(value.0));
    }
    macro_rules! layout {
        ($ty:ident, $name:literal, $( $field:ident ),*) => {
            all.insert(concat!("sizeof(", $name, ")").to_owned(), size_of::<ompd::$ty>() as i64);
            $( all.insert(
                concat!("offsetof(", $name, ", ", stringify!($field), ")").to_owned(),
                std::mem::offset_of!(ompd::$ty, $field) as i64,
            ); )*
        };
    }
    layout!(Address, "ompd_address_t", segment, address);
    layout!(FrameInfo, "ompd_frame_info_t", frame_address, frame_flag);
    layout!(
        DeviceTypeSizes,
        "ompd_device_type_sizes_t",
        sizeof_char,
        sizeof_short,
        sizeof_int,
        sizeof_long,
        sizeof_long_long,
        sizeof_pointer
    );
    layout!(
        Callbacks,
        "ompd_callbacks_t",
        alloc_memory,
        free_memory,
        print_string,
        sizeof_type,
        symbol_addr_lookup,
        read_memory,
        write_memory,
        read_string,
        device_to_host,
        host_to_device,
        get_thread_context_for_thread_id
    );
    for (name, size) in [
        ("ompd_size_t", size_of::<ompd::Size>()),
        ("ompd_wait_id_t", size_of::<ompd::WaitId>()),
        ("ompd_addr_t", size_of::<ompd::Addr>()),
        ("ompd_word_t", size_of::<ompd::Word>()),
        ("ompd_seg_t", size_of::<ompd::Seg>()),
        ("ompd_device_t", size_of::<ompd::Device>()),
        ("ompd_thread_id_t", size_of::<ompd::ThreadId>()),
        ("ompd_icv_id_t", size_of::<ompd::IcvId>()),
        ("ompd_rc_t", size_of::<ompd::Rc>()),
        ("ompd_scope_t", size_of::<ompd::Scope>()),
        ("ompd_team_generator_t", size_of::<ompd::TeamGenerator>()),
    ] {
        all.insert(format!("sizeof({name})"), size as i64);
    }
    all.insert("ompd_segment_none".to_owned(), ompd::SEGMENT_NONE as i64);
    all
}

/// The folders of both headers: the compiler's and ours.
fn header_folders() -> [PathBuf; 2] {
    let compilers = Path::new(clang(&["-print-resource-dir"]).trim()).join("include");
    assert!(compilers.join("omp-tools.h").is_file(), "omp-tools.h is missing (Debian: apt-get install libomp-19-dev)");
    [compilers, Path::new(env!("CARGO_MANIFEST_DIR")).join("../ompt/include")]
}

/// What OpenMP 6.0 has added, which clang 19's header does not have.
const LATER: [&str; 8] = [
    "ompd_rc_incompatible_handle",
    "ompd_scope_teams",
    "ompd_scope_target",
    "ompd_team_generator_t",
    "ompd_generator_program",
    "ompd_generator_parallel",
    "ompd_generator_teams",
    "ompd_generator_target",
];

/// Whether this header has what this expression names.
fn has(include: &Path, expression: &str) -> bool {
    include != header_folders()[0] || !LATER.iter().any(|later| expression.contains(later))
}

/// The text of the header in a folder.
fn header(include: &Path) -> String {
    std::fs::read_to_string(include.join("omp-tools.h")).expect("the header is readable")
}

/// Compiles a program and gives its output line by line as name and value.
fn run(name: &str, language: &str, body: &str, include: &Path) -> BTreeMap<String, String> {
    run_with(name, language, body, include, "")
}

/// As [`run`], with these lines before the header.
fn run_with(name: &str, language: &str, body: &str, include: &Path, before: &str) -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join(format!("{name}.{language}")), folder.join(name));
    let text = format!("{before}#include <omp-tools.h>\n#include <stddef.h>\n#include <stdio.h>\n{body}");
    std::fs::write(&source, text).expect("the test's folder is writable");
    let path = |path: &Path| path.to_str().expect("the target folder's name is UTF-8").to_owned();
    clang(&["-w", "-I", &path(include), "-o", &path(&program), &path(&source), "-lstdc++"]);
    let output = Command::new(&program).output().expect("the compiled program runs");
    let text = String::from_utf8(output.stdout).expect("the program prints ASCII");
    text.lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn layouts_and_enumerators_are_those_of_the_header() {
    // Also the header of a newer compiler, in the folder that this names.
    let newer = std::env::var_os("FERROMP_NEWER_OMP_TOOLS").map(PathBuf::from);
    for include in header_folders().into_iter().chain(newer) {
        let mut expected = expected();
        expected.retain(|expression, _| has(&include, expression));
        let mut text = String::from("int main(void) {\n");
        for expression in expected.keys() {
            writeln!(text, "printf(\"{expression}=%ld\\n\", (long)({expression}));").unwrap();
        }
        text.push_str("return 0;\n}\n");
        let found = run("ompd_layout", "c", &text, &include);
        let found: BTreeMap<String, i64> =
            found.into_iter().map(|(name, value)| (name, value.parse().expect("a number"))).collect();
        assert_eq!(found, expected, "{}", include.display());
    }
}

#[test]
fn every_enumerator_of_the_header_is_known() {
    let known = expected();
    for include in header_folders() {
        let mut seen = 0;
        for definition in code(&include).split("typedef enum ompd_").skip(1) {
            let body = definition.split(['{', '}']).nth(1).expect("an enumeration has a body");
            for entry in body.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
                let name = entry.split([' ', '=']).next().expect("a name");
                assert!(known.contains_key(name), "the crate does not know {name}");
                seen += 1;
            }
        }
        let all = ompd::Rc::ALL.iter().map(|(_, name)| name).chain(ompd::Scope::ALL.iter().map(|(_, name)| name));
        let all = all.chain(ompd::TeamGenerator::ALL.iter().map(|(_, name)| name));
        assert_eq!(seen, all.filter(|name| has(&include, name)).count());
    }
}

/// The header in a folder without comments.
fn code(include: &Path) -> String {
    let text = header(include);
    let mut code = String::new();
    for (index, part) in text.split("/*").enumerate() {
        code.push_str(if index == 0 { part } else { part.split_once("*/").expect("comments are closed").1 });
    }
    code
}

/// The names of OMPD that a header has, of functions and of types: all words of that form outside of comments.
fn names(include: &Path) -> BTreeSet<String> {
    let code = code(include);
    let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("ompd_")).map(str::to_owned).collect()
}

/// What our header has of the specification and clang's lacks.
const OURS: [&str; 3] = ["ompd_dll_locations", "ompd_icv_undefined", "ompd_segment_none"];

#[test]
fn names_are_the_same_in_both_headers() {
    let [theirs, ours] = header_folders().map(|include| names(&include));
    let missing: Vec<_> = theirs.difference(&ours).collect();
    assert!(missing.is_empty(), "our header lacks {missing:?}");
    let more: Vec<_> = ours
        .difference(&theirs)
        .filter(|name| !OURS.contains(&name.as_str()) && !LATER.contains(&name.as_str()))
        .collect();
    assert!(more.is_empty(), "clang's header lacks {more:?}");
}

/// The type of each function and of each type of a function, as C++ mangles it.
fn types(include: &Path) -> BTreeMap<String, String> {
    let mut body = String::from("#include <typeinfo>\nint main() {\n");
    for name in names(include) {
        let expression = if name.ends_with("_fn_t") {
            name.clone()
        } else if !name.ends_with("_t") && header(include).contains(&format!("{name}(")) {
            format!("decltype(&{name})")
        } else {
            continue;
        };
        writeln!(body, "printf(\"{name}=%s\\n\", typeid({expression}).name());").unwrap();
    }
    body.push_str("return 0;\n}\n");
    run("ompd_types", "cpp", &body, include)
}

#[test]
fn types_of_functions_are_the_same_in_both_headers() {
    let [theirs, ours] = header_folders().map(|include| types(&include));
    assert!(ours.len() > 50, "the scan of the header finds little: {ours:?}");
    assert_eq!(ours, theirs);
}

#[test]
fn every_function_of_the_header_is_exported() {
    let [_, ours] = header_folders();
    let described: BTreeSet<&str> = ompd::describe::FUNCTIONS.iter().map(|function| function.name).collect();
    let is_program = |name: &str| name.starts_with("ompd_bp_") || name.starts_with("ompd_dll_");
    for (name, _) in types(&ours).iter().filter(|(name, _)| !name.ends_with("_fn_t") && !is_program(name)) {
        assert!(described.contains(name.as_str()), "{name} is not one of the library's");
    }
}

#[test]
fn records_of_our_own_functions_are_those_of_our_header() {
    let [_, ours] = header_folders();
    let mut expected = BTreeMap::new();
    let mut body = String::new();
    macro_rules! record {
        ($ty:ident, $name:literal) => {
            for field in ompd::$ty::DESCRIPTION.fields {
                writeln!(body, "printf(\"{0}.{1}=%zu\\n\", offsetof({0}, {1}));", $name, field.name).unwrap();
            }
            writeln!(body, "printf(\"{0}=%zu\\n\", sizeof({0}));", $name).unwrap();
            expected.insert($name.to_owned(), size_of::<ompd::$ty>());
        };
    }
    record!(ThreadRecord, "ferromp_ompd_thread_t");
    record!(TaskRecord, "ferromp_ompd_task_t");
    record!(ParallelRecord, "ferromp_ompd_parallel_t");
    record!(ArrivalRecord, "ferromp_ompd_arrival_t");
    let offsets = [
        ("ferromp_ompd_thread_t.wait_id", std::mem::offset_of!(ompd::ThreadRecord, wait_id)),
        ("ferromp_ompd_thread_t.level", std::mem::offset_of!(ompd::ThreadRecord, level)),
        ("ferromp_ompd_task_t.flags", std::mem::offset_of!(ompd::TaskRecord, flags)),
        ("ferromp_ompd_task_t.depth", std::mem::offset_of!(ompd::TaskRecord, depth)),
        ("ferromp_ompd_parallel_t.device", std::mem::offset_of!(ompd::ParallelRecord, device)),
        ("ferromp_ompd_arrival_t.arrived", std::mem::offset_of!(ompd::ArrivalRecord, arrived)),
    ];
    expected.extend(offsets.map(|(name, offset)| (name.to_owned(), offset)));
    let text = format!("int main(void) {{\n{body}return 0;\n}}\n");
    let found = run_with("ompd_records", "c", &text, &ours, "#define FERROMP_OMPD_EXTENSIONS\n");
    for (name, value) in expected {
        assert_eq!(found.get(&name), Some(&value.to_string()), "{name}");
    }
}

/// The parts of OMPD that a debugger in C uses: a table of callbacks, opaque contexts, and functions of a library that
/// is found by name.
const DEBUGGER: &str = "
struct _ompd_aspace_cont { int process; };
struct _ompd_thread_cont { int thread; };
static ompd_rc_t take(ompd_size_t bytes, void **pointer) { *pointer = malloc(bytes); return *pointer ? ompd_rc_ok : ompd_rc_nomem; }
static ompd_rc_t give(void *pointer) { free(pointer); return ompd_rc_ok; }
static ompd_rc_t print(const char *string, int category) { (void)category; return puts(string) < 0 ? ompd_rc_error : ompd_rc_ok; }
int main(void) {
  ompd_callbacks_t table;
  ompd_rc_t (*initialize)(ompd_word_t, const ompd_callbacks_t *);
  void *library = dlopen(\"libompd.so\", RTLD_NOW);
  ompd_thread_id_t kind = OMPD_THREAD_ID_LWP;
  ompd_device_t device = OMPD_DEVICE_KIND_HOST;
  ompd_icv_id_t icv = ompd_icv_undefined;
  ferromp_ompd_task_state_t state = ferromp_ompd_task_queued;
  memset(&table, 0, sizeof table);
  table.alloc_memory = take;
  table.free_memory = give;
  table.print_string = print;
  if (!library) return 1;
  *(void **)&initialize = dlsym(library, \"ompd_initialize\");
  return initialize(202011, &table) != ompd_rc_bad_input || kind + device + icv + state == 0;
}
";

/// The file with that program.
fn debugger(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
    let headers =
        ["omp-tools", "dlfcn", "stdio", "stdlib", "string"].map(|header| format!("#include <{header}.h>\n")).concat();
    std::fs::write(&source, format!("#define FERROMP_OMPD_EXTENSIONS\n{headers}{DEBUGGER}"))
        .expect("the test's folder is writable");
    source
}

#[test]
fn header_serves_a_debugger_in_c_and_in_cpp() {
    let [_, ours] = header_folders();
    let source = debugger("ompd_serves");
    for (compiler, language) in [("clang-19", "c"), ("clang-19", "c++"), ("gcc", "c"), ("gcc", "c++")] {
        let output = Command::new(compiler)
            .args(["-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I"])
            .args([&ours, &source])
            .output()
            .unwrap_or_else(|error| panic!("{compiler}: {error}"));
        assert!(output.status.success(), "{compiler} as {language}:\n{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_debugger_in_c_starts_the_library() {
    let [_, ours] = header_folders();
    let source = debugger("ompd_starts");
    let program = source.with_extension("");
    let path = |path: &Path| path.to_str().expect("the target folder's name is UTF-8").to_owned();
    clang(&["-I", &path(&ours), "-o", &path(&program), &path(&source)]);
    let library = std::env::current_exe().expect("a test knows its file").with_file_name("libompd.so");
    let folder = library.parent().expect("a file lies in a folder");
    let status = Command::new(&program).env("LD_LIBRARY_PATH", folder).status().expect("the compiled program runs");
    assert!(status.success(), "{status}");
}

//! Compares the crate with clang 19's `omp-tools.h` and with our own, by a C program that is generated and compiled
//! here: the size of each structure, the offset of each field, the value of each enumerator; and the other way round,
//! that each structure, field and enumerator of the header is known here. The types of functions are compared between
//! both headers, because ours is written from the crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One structure: its size, and the offset and size of each field.
struct Layout {
    name: &'static str,
    size: usize,
    fields: Vec<(&'static str, usize)>,
}

macro_rules! layouts {
    ($( $ty:ident $name:literal { $( $field:ident $( as $cfield:literal )? ),* } )*) => {
        vec![ $( Layout {
            name: $name,
            size: size_of::<ompt::$ty>(),
            fields: vec![ $( {
                #[allow(unused_mut, unused_assignments, reason = "only some fields are renamed")]
                let mut name = stringify!($field);
                $( name = $cfield; )?
                (name, std::mem::offset_of!(ompt::$ty, $field))
            } ),* ],
        } ),* ]
    };
}

fn layouts() -> Vec<Layout> {
    layouts! {
        Data "ompt_data_t" { value, ptr }
        Frame "ompt_frame_t" { exit_frame, enter_frame, exit_frame_flags, enter_frame_flags }
        Dependence "ompt_dependence_t" { variable, dependence_type }
        DispatchChunk "ompt_dispatch_chunk_t" { start, iterations }
        Subvolume "ompt_subvolume_t" { base, size, num_dims, volume, offsets, dimensions }
        StartToolResult "ompt_start_tool_result_t" { initialize, finalize, tool_data }
        RecordAbstract "ompt_record_abstract_t" { rclass, type_ as "type", start_time, end_time, hwid }
        RecordThreadBegin "ompt_record_thread_begin_t" { thread_type }
        RecordParallelBegin "ompt_record_parallel_begin_t" {
            encountering_task_id, parallel_id, requested_parallelism, flags, codeptr_ra
        }
        RecordParallelEnd "ompt_record_parallel_end_t" {
            parallel_id, encountering_task_id, flags, codeptr_ra
        }
        RecordWork "ompt_record_work_t" {
            work_type, endpoint, parallel_id, task_id, count, codeptr_ra
        }
        RecordDispatch "ompt_record_dispatch_t" { parallel_id, task_id, kind, instance }
        RecordTaskCreate "ompt_record_task_create_t" {
            encountering_task_id, new_task_id, flags, has_dependences, codeptr_ra
        }
        RecordDependences "ompt_record_dependences_t" { task_id, dep, ndeps }
        RecordTaskDependence "ompt_record_task_dependence_t" { src_task_id, sink_task_id }
        RecordTaskSchedule "ompt_record_task_schedule_t" {
            prior_task_id, prior_task_status, next_task_id
        }
        RecordImplicitTask "ompt_record_implicit_task_t" {
            endpoint, parallel_id, task_id, actual_parallelism, index, flags
        }
        RecordMasked "ompt_record_masked_t" { endpoint, parallel_id, task_id, codeptr_ra }
        RecordSyncRegion "ompt_record_sync_region_t" {
            kind, endpoint, parallel_id, task_id, codeptr_ra
        }
        RecordMutexAcquire "ompt_record_mutex_acquire_t" {
            kind, hint, mutex_impl as "impl", wait_id, codeptr_ra
        }
        RecordMutex "ompt_record_mutex_t" { kind, wait_id, codeptr_ra }
        RecordNestLock "ompt_record_nest_lock_t" { endpoint, wait_id, codeptr_ra }
        RecordFlush "ompt_record_flush_t" { codeptr_ra }
        RecordCancel "ompt_record_cancel_t" { task_id, flags, codeptr_ra }
        RecordTargetDataOp "ompt_record_target_data_op_t" {
            host_op_id, optype, src_addr, src_device_num, dest_addr, dest_device_num, bytes,
            end_time, codeptr_ra
        }
        RecordTarget "ompt_record_target_t" {
            kind, endpoint, device_num, task_id, target_id, codeptr_ra
        }
        RecordTargetMap "ompt_record_target_map_t" {
            target_id, nitems, host_addr, device_addr, bytes, mapping_flags, codeptr_ra
        }
        RecordTargetKernel "ompt_record_target_kernel_t" {
            host_op_id, requested_num_teams, granted_num_teams, end_time
        }
        RecordControlTool "ompt_record_control_tool_t" { command, modifier, codeptr_ra }
        RecordError "ompt_record_error_t" { severity, message, length, codeptr_ra }
        RecordOmpt "ompt_record_ompt_t" { type_ as "type", time, thread_id, target_id, record }
    }
}

/// The members of the union in `ompt_record_ompt_t`, each with its offset and size.
fn record_members() -> Vec<(&'static str, usize, usize)> {
    macro_rules! members {
        ($( $member:ident : $ty:ident ),* $(,)?) => {
            vec![ $( (
                stringify!($member),
                std::mem::offset_of!(ompt::RecordOmpt, record)
                    + std::mem::offset_of!(ompt::RecordBody, $member),
                size_of::<ompt::$ty>(),
            ) ),* ]
        };
    }
    members! {
        thread_begin: RecordThreadBegin, parallel_begin: RecordParallelBegin,
        parallel_end: RecordParallelEnd, work: RecordWork, dispatch: RecordDispatch,
        task_create: RecordTaskCreate, dependences: RecordDependences,
        task_dependence: RecordTaskDependence, task_schedule: RecordTaskSchedule,
        implicit_task: RecordImplicitTask, masked: RecordMasked, sync_region: RecordSyncRegion,
        mutex_acquire: RecordMutexAcquire, mutex: RecordMutex, nest_lock: RecordNestLock,
        flush: RecordFlush, cancel: RecordCancel, target: RecordTarget,
        target_data_op: RecordTargetDataOp, target_map: RecordTargetMap,
        target_kernel: RecordTargetKernel, target_emi: RecordTarget,
        target_data_op_emi: RecordTargetDataOp, target_map_emi: RecordTargetMap,
        target_submit_emi: RecordTargetKernel, control_tool: RecordControlTool, error: RecordError,
    }
}

/// Every enumerator that the crate knows and the header declares, by its name in C.
fn enumerators() -> BTreeMap<&'static str, i32> {
    let mut all = BTreeMap::new();
    macro_rules! collect {
        ($( $ty:ident ),* $(,)?) => {
            $( for (value, name) in ompt::$ty::ALL {
                assert!(all.insert(*name, value.0).is_none(), "{name} is there twice");
            } )*
        };
    }
    collect!(Event, SetResult, ScopeEndpoint, Thread, Dispatch, SyncRegion, TargetDataOp, Work);
    collect!(Mutex, TaskStatus, Target, DependenceType, Severity, Record, RecordNative, State);
    collect!(ParallelFlag, TaskFlag, TargetMapFlag, CancelFlag, FrameFlag, NativeMonFlag);
    // An old name for a number that has a new one.
    all.insert("ompt_callback_master", ompt::Event::Master.0);
    all
}

fn clang(arguments: &[&str]) -> String {
    let output = Command::new("clang-19").args(arguments).output().unwrap_or_else(|error| {
        panic!("this test needs clang-19 (Debian: apt-get install clang-19 libomp-19-dev): {error}")
    });
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "clang-19 {arguments:?} failed:\n{errors}");
    String::from_utf8(output.stdout).expect("clang-19 prints UTF-8")
}

/// The folders of both headers: the compiler's and ours.
fn header_folders() -> [PathBuf; 2] {
    let compilers = Path::new(clang(&["-print-resource-dir"]).trim()).join("include");
    assert!(compilers.join("omp-tools.h").is_file(), "omp-tools.h is missing (Debian: apt-get install libomp-19-dev)");
    [compilers, Path::new(env!("CARGO_MANIFEST_DIR")).join("include")]
}

/// Compiles a C program with this text after the header, as C and as C++, by both compilers: it must give no warning.
fn compiles_everywhere(name: &str, text: &str, include: &Path) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (compiler, language) in [("clang-19", "c"), ("clang-19", "c++"), ("gcc", "c"), ("gcc", "c++")] {
        let source = folder.join(format!("{name}.c"));
        std::fs::write(&source, format!("#include <omp-tools.h>\n{text}")).expect("the test's folder is writable");
        let output = Command::new(compiler)
            .args(["-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"])
            .args([include, &source])
            .output()
            .unwrap_or_else(|error| panic!("{compiler}: {error}"));
        assert!(output.status.success(), "{compiler} as {language}:\n{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Compiles and runs a C program with this `main` and the header in `include`; gives its output as name and number.
fn run_c(name: &str, body: &str, include: &Path) -> BTreeMap<String, i64> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    let text = format!(
        "#include <omp-tools.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {{\n{body}return 0;\n}}\n"
    );
    std::fs::write(&source, text).expect("the test's folder is writable");
    let path = |p: &Path| p.to_str().expect("the target folder's name is UTF-8").to_owned();
    clang(&["-w", "-I", &path(include), "-o", &path(&program), &path(&source)]);
    let output = Command::new(&program).output().expect("the compiled program runs");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("the program prints ASCII");
    text.lines()
        .map(|line| {
            let (name, value) = line.split_once(' ').expect("name and value");
            (name.to_owned(), value.parse().expect("a number"))
        })
        .collect()
}

/// The header without comments and preprocessor lines.
fn stripped_header(include: &Path) -> String {
    let text = std::fs::read_to_string(include.join("omp-tools.h")).expect("the header is readable");
    let mut without_comments = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("/*") {
        without_comments.push_str(before);
        rest = after.split_once("*/").expect("comments are closed").1;
    }
    without_comments.push_str(rest);
    let mut result = String::new();
    let mut continued = false;
    for line in without_comments.lines() {
        let directive = continued || line.trim_start().starts_with('#');
        continued = directive && line.trim_end().ends_with('\\');
        if !directive {
            result.push_str(line.split("//").next().unwrap_or(""));
            result.push('\n');
        }
    }
    result
}

/// The name and the body of each `typedef KIND NAME { BODY }` in the header that is OMPT's.
fn definitions(kind: &str, include: &Path) -> Vec<(String, String)> {
    let text = stripped_header(include);
    let mut found = Vec::new();
    for definition in text.split(&format!("typedef {kind} ")).skip(1) {
        let Some((name, body)) = definition.split_once('{') else { continue };
        let name = name.trim();
        if !name.starts_with("ompt_") || name.contains(';') {
            continue;
        }
        let mut depth = 1;
        let body = body.chars().take_while(|c| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            depth > 0
        });
        found.push((name.to_owned(), body.collect()));
    }
    assert!(found.len() > 20 || kind == "union", "the scan of the header finds little: {found:?}");
    found
}

fn last_identifier(declaration: &str) -> Option<&str> {
    declaration.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').rfind(|word| !word.is_empty())
}

#[test]
fn sizes_and_offsets_are_those_of_the_header() {
    for include in headers() {
        let (program, expected) = sizes_and_offsets(&include);
        assert_eq!(run_c("ompt_layout", &program, &include), expected, "{}", include.display());
    }
}

/// A program that prints the sizes and offsets of what a header has, and what the crate says that they are.
fn sizes_and_offsets(include: &Path) -> (String, BTreeMap<String, i64>) {
    let mut program = String::new();
    let mut expected = BTreeMap::new();
    for layout in layouts().into_iter().filter(|layout| has(include, layout.name)) {
        let name = layout.name;
        writeln!(program, "printf(\"{name} %zu\\n\", sizeof({name}));").unwrap();
        expected.insert(name.to_owned(), layout.size as i64);
        for (field, offset) in layout.fields {
            writeln!(program, "printf(\"{name}.{field} %zu\\n\", offsetof({name}, {field}));").unwrap();
            expected.insert(format!("{name}.{field}"), offset as i64);
        }
    }
    for (member, offset, size) in record_members().into_iter().filter(|(member, ..)| has(include, member)) {
        let path = format!("record.{member}");
        writeln!(
            program,
            "printf(\"{path} %zu\\n\", offsetof(ompt_record_ompt_t, {path}));\n\
             printf(\"sizeof({path}) %zu\\n\", sizeof(((ompt_record_ompt_t *)0)->{path}));"
        )
        .unwrap();
        expected.insert(path.clone(), offset as i64);
        expected.insert(format!("sizeof({path})"), size as i64);
    }
    (program, expected)
}

/// What OpenMP 5.2 and 6.0 have added, which clang 19's header does not have: enumerators, types, members of a record,
/// types of functions.
const LATER: [&str; 22] = [
    "ompt_target_map_flag_always",
    "ompt_target_map_flag_present",
    "ompt_target_map_flag_close",
    "ompt_target_map_flag_shared",
    "ompt_target_data_transfer",
    "ompt_target_data_memset",
    "ompt_target_data_transfer_rect",
    "ompt_target_data_transfer_async",
    "ompt_target_data_memset_async",
    "ompt_target_data_transfer_rect_async",
    "ompt_work_workdistribute",
    "ompt_state_work_free_agent",
    "ompt_state_work_induction",
    "ompt_task_importing",
    "ompt_task_exporting",
    "ompt_subvolume_t",
    "target_emi",
    "target_data_op_emi",
    "target_map_emi",
    "target_submit_emi",
    "error",
    "ompt_get_buffer_limits_t",
];

/// Whether this header has what has this name: clang 19's has little of OpenMP 5.2 and nothing of 6.0.
fn has(include: &Path, name: &str) -> bool {
    !LATER.contains(&name) || include != header_folders()[0]
}

/// The enumerators that a header has.
fn enumerators_of(include: &Path) -> BTreeMap<&'static str, i32> {
    enumerators().into_iter().filter(|(name, _)| has(include, name)).collect()
}

/// The headers whose numbers are compared: also that of a newer compiler in the folder that `FERROMP_NEWER_OMP_TOOLS`
/// names.
fn headers() -> Vec<PathBuf> {
    let newer = std::env::var_os("FERROMP_NEWER_OMP_TOOLS").map(PathBuf::from);
    header_folders().into_iter().chain(newer).collect()
}

#[test]
fn enumerators_are_those_of_the_header() {
    for include in headers() {
        let mut program = String::new();
        let mut expected = BTreeMap::new();
        for (name, value) in enumerators_of(&include) {
            writeln!(program, "printf(\"{name} %d\\n\", (int){name});").unwrap();
            expected.insert(name.to_owned(), i64::from(value));
        }
        assert_eq!(run_c("ompt_enumerators", &program, &include), expected, "{}", include.display());
    }
}

#[test]
fn every_enumerator_of_the_header_is_known() {
    for include in header_folders() {
        let known = enumerators_of(&include);
        let mut seen = BTreeSet::new();
        for (_, body) in definitions("enum", &include) {
            for entry in body.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
                let name = entry.split([' ', '=']).next().expect("a name").to_owned();
                assert!(known.contains_key(name.as_str()), "the crate does not know {name}");
                seen.insert(name);
            }
        }
        assert_eq!(seen.len(), known.len(), "the header lacks names that the crate has");
    }
}

#[test]
fn every_structure_and_field_of_the_header_is_known() {
    for include in header_folders() {
        let known: BTreeMap<_, _> =
            layouts().into_iter().filter(|l| has(&include, l.name)).map(|l| (l.name, l.fields)).collect();
        let mut seen = BTreeSet::new();
        for (name, body) in definitions("struct", &include).into_iter().chain(definitions("union", &include)) {
            if name == "ompt_any_record_ompt_t" {
                // Compared by `record_members`.
                continue;
            }
            let fields = known.get(name.as_str()).unwrap_or_else(|| panic!("{name} is unknown"));
            // The union inside ompt_record_ompt_t is compared by `record_members`.
            let body = match (body.find('{'), body.rfind('}')) {
                (Some(open), Some(close)) => format!("{}{}", &body[..open], &body[close + 1..]),
                _ => body,
            };
            let in_header: BTreeSet<_> = body.split(';').filter_map(last_identifier).collect();
            let here: BTreeSet<_> = fields.iter().map(|(field, _)| *field).collect();
            assert_eq!(in_header, here, "{name}");
            seen.insert(name);
        }
        assert_eq!(seen.len(), known.len(), "the header lacks structures that the crate has");
    }
}

#[test]
fn every_member_of_a_record_is_known() {
    for include in header_folders() {
        // Since OpenMP 6.0 the union has a name.
        let union = definitions("union", &include).into_iter().find(|(name, _)| name == "ompt_any_record_ompt_t");
        let body = union.map(|(_, body)| body).unwrap_or_else(|| {
            let mut structures = definitions("struct", &include).into_iter();
            let (_, body) =
                structures.find(|(name, _)| name == "ompt_record_ompt_t").expect("the header has ompt_record_ompt_t");
            let open = body.find('{').expect("the record holds a union");
            let close = body.rfind('}').expect("the union is closed");
            body[open + 1..close].to_owned()
        });
        let in_header: BTreeSet<_> = body.split(';').filter_map(last_identifier).collect();
        let here: BTreeSet<_> =
            record_members().into_iter().map(|(member, ..)| member).filter(|member| has(&include, member)).collect();
        assert_eq!(in_header, here);
    }
}

/// The names of the types of functions that a header declares, each with the type as C++ mangles it.
fn function_types(name: &str, include: &Path) -> BTreeMap<String, String> {
    let text = stripped_header(include);
    let names: BTreeSet<&str> = text
        .split("(*")
        .skip(1)
        .filter_map(|rest| rest.split_once(')').map(|(name, _)| name.trim()))
        .filter(|name| name.starts_with("ompt_"))
        .collect();
    assert!(names.len() > 60, "the scan of the header finds little: {names:?}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join(format!("{name}.cpp")), folder.join(name));
    let mut body = String::new();
    for name in names.iter().copied().chain(["decltype(&ompt_start_tool)"]) {
        writeln!(body, "std::printf(\"{name}\\t%s\\n\", typeid({name}).name());").unwrap();
    }
    let text = format!("#include <omp-tools.h>\n#include <cstdio>\n#include <typeinfo>\nint main() {{\n{body}}}\n");
    std::fs::write(&source, text).expect("the test's folder is writable");
    let path = |p: &Path| p.to_str().expect("the target folder's name is UTF-8").to_owned();
    clang(&["-x", "c++", "-I", &path(include), "-o", &path(&program), &path(&source), "-lstdc++"]);
    let output = Command::new(&program).output().expect("the compiled program runs");
    let text = String::from_utf8(output.stdout).expect("the program prints ASCII");
    text.lines().filter_map(|line| line.split_once('\t')).map(|(name, ty)| (name.to_owned(), ty.to_owned())).collect()
}

#[test]
fn types_of_functions_are_the_same_in_both_headers() {
    let [_, ours] = header_folders();
    for theirs in headers() {
        let mut known = function_types("ompt_functions_ours", &ours);
        known.retain(|name, _| has(&theirs, name));
        let mut there = function_types("ompt_functions_theirs", &theirs);
        // The union of a record has had no name before OpenMP 6.0, and what is mangled has it.
        for types in [&mut known, &mut there] {
            types.retain(|name, _| name != "ompt_get_record_ompt_t");
        }
        assert_eq!(known, there, "{}", theirs.display());
    }
}

/// What a tool uses besides types: constants, lists, and a definition of the one function that it exports.
const TOOL: &str = "
#define COUNT(event, type, number) + (number == event && sizeof(type) == sizeof(void *))
#define STATE(state, number) + (state == number)
#define NAME(function) #function,
ompt_data_t nothing = ompt_data_none;
ompt_id_t id = ompt_id_none;
ompt_device_time_t when = ompt_time_none;
int none = ompt_wait_id_none + ompt_hwid_none + ompt_mutex_impl_none;
int events(void) { return 0 FOREACH_OMPT_EVENT(COUNT); }
int events_of_5_1(void) { return 0 FOREACH_OMPT_51_EVENT(COUNT); }
int states(void) { return 0 FOREACH_OMPT_STATE(STATE); }
const char *names[] = {FOREACH_OMPT_INQUIRY_FN(NAME) \"\"};
int absent(void *address) { return address == (void *)ompt_addr_none; }
ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
  (void)omp_version, (void)runtime_version;
  return NULL;
}
";

#[test]
fn header_serves_a_tool_in_c_and_in_cpp() {
    let [_, ours] = header_folders();
    compiles_everywhere("ompt_serves", TOOL, &ours);
    // Whoever has both headers in his path gets the first.
    compiles_everywhere("ompt_serves_after", "#undef FERROMP_OMP_TOOLS_H\n#include <omp-tools.h>\n", &ours);
}

#[test]
fn lists_of_the_header_are_those_that_tools_know() {
    let body = "
#define EVENT(event, type, number) printf(\"%s %d\\n\", #event #type, number);
#define STATE(state, number) printf(\"%s %d\\n\", #state, number);
#define NAME(function) printf(\"%s 1\\n\", #function);
FOREACH_OMPT_EVENT(EVENT) FOREACH_OMPT_STATE(STATE) FOREACH_OMPT_INQUIRY_FN(NAME)
puts(\"part 1\"); FOREACH_OMPT_51_EVENT(EVENT)
";
    let [_, ours] = header_folders();
    for theirs in headers() {
        let mut known = run_c("ompt_lists_ours", body, &ours);
        known.retain(|name, _| has(&theirs, name));
        assert_eq!(known, run_c("ompt_lists_theirs", body, &theirs), "{}", theirs.display());
    }
}

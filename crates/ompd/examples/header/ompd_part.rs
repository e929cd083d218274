//! The part of OMPD (OpenMP 5.1, chapter 5).

use std::fmt::Write;

use ompd::describe;
use ompt::describe::Function;

use crate::c::{C, snake};

pub fn text() -> String {
    let mut c = C::new(c_name);
    c.section("OMPD: what debugger and library exchange (5.3)");
    for alias in describe::ALIASES {
        c.typedef_alias(alias);
    }
    for enumeration in describe::ENUMERATIONS {
        c.typedef_enum(enumeration);
    }
    for structure in describe::STRUCTURES {
        c.structure(structure, "struct");
    }
    for (rust, tag, doc) in describe::OPAQUE {
        c.out.push('\n');
        c.comment(doc, "");
        writeln!(c.out, "typedef struct {tag} {};", c_name(rust)).expect("a string grows");
    }
    c.out.push_str(KINDS);

    c.section("OMPD: the debugger's functions (5.4)");
    for function in describe::CALLBACK_TYPES {
        c.typedef_function(function);
    }
    c.structure(&ompd::Callbacks::DESCRIPTION, "struct");

    c.section("OMPD: the library's functions (5.5)");
    functions(&mut c, describe::FUNCTIONS);
    c.section("OMPD: in the program (5.2, 5.6)");
    c.out.push_str(PROGRAM);

    c.section("OMPD: ferromp's own functions");
    c.out.push_str(EXTENSIONS);
    let states: Vec<String> = describe::TASK_STATES.iter().map(|(value, name)| format!("  {name} = {value}")).collect();
    c.out.push_str("\n/* The state of a task. */\n");
    writeln!(c.out, "typedef enum ferromp_ompd_task_state_t {{\n{}\n}} ferromp_ompd_task_state_t;", states.join(",\n"))
        .expect("a string grows");
    for structure in describe::EXTENSION_STRUCTURES {
        c.structure(structure, "struct");
    }
    functions(&mut c, describe::EXTENSIONS);
    c.out.push_str("\n#endif\n");
    c.out
}

fn functions(c: &mut C, functions: &[Function]) {
    for function in functions {
        c.out.push('\n');
        c.comment(function.doc, "");
        let head = format!("{}{}(", c.c_type(function.ret), function.name);
        c.signature(&head, function);
    }
}

/// What C calls a type of the crate.
fn c_name(rust: &str) -> String {
    match rust {
        "ompt::FrameFlag" => "ompt_frame_flag_t".to_owned(),
        "MemoryAlloc"
        | "MemoryFree"
        | "Sizeof"
        | "SymbolAddr"
        | "MemoryRead"
        | "MemoryWrite"
        | "DeviceHost"
        | "PrintString"
        | "GetThreadContextForThreadId" => format!("ompd_callback_{}_fn_t", snake(rust)),
        "ThreadRecord" => "ferromp_ompd_thread_t".to_owned(),
        "TaskRecord" => "ferromp_ompd_task_t".to_owned(),
        "ParallelRecord" => "ferromp_ompd_parallel_t".to_owned(),
        "ArrivalRecord" => "ferromp_ompd_arrival_t".to_owned(),
        "WAITS" | "QUEUED" | "RUNNING" | "SUSPENDED" | "FINISHED" => {
            format!("ferromp_ompd_task_{}", rust.to_ascii_lowercase())
        }
        "u8" => "uint8_t".to_owned(),
        "i32" => "int32_t".to_owned(),
        constant if constant.chars().all(|c| c.is_ascii_uppercase() || c == '_') => {
            format!("ompd_{}", constant.to_ascii_lowercase())
        }
        _ => format!("ompd_{}_t", snake(rust)),
    }
}

/// The kinds that the specification leaves to be defined, by the names that other implementations' header has for them.
const KINDS: &str = "
/* Kinds of native thread identifiers: pthread_t, and what gettid() answers. */
#ifndef OMPD_THREAD_ID_PTHREAD
#define OMPD_THREAD_ID_PTHREAD ((ompd_thread_id_t)0)
#endif
#ifndef OMPD_THREAD_ID_LWP
#define OMPD_THREAD_ID_LWP ((ompd_thread_id_t)1)
#endif
/* The kind of devices that the library knows: host devices, which are known by their numbers of 4 or 8 bytes. */
#ifndef OMPD_DEVICE_KIND_HOST
#define OMPD_DEVICE_KIND_HOST ((ompd_device_t)1)
#endif
";

const PROGRAM: &str = "
/* The paths of libraries for this program, up to a null pointer; valid from the call of ompd_dll_locations_valid() on (5.2.2). */
extern const char **ompd_dll_locations;
void ompd_dll_locations_valid(void);

/* Called at these points where OMP_DEBUG is enabled, so that debuggers can stop there (5.6). */
void ompd_bp_parallel_begin(void);
void ompd_bp_parallel_end(void);
void ompd_bp_task_begin(void);
void ompd_bp_task_end(void);
void ompd_bp_thread_begin(void);
void ompd_bp_thread_end(void);
void ompd_bp_device_begin(void);
void ompd_bp_device_end(void);
";

const EXTENSIONS: &str = "
/* What OpenMP 5.1 has no function for: lists of threads, tasks and regions, and who has arrived at a barrier. Other libraries do not have
 * these functions; define FERROMP_OMPD_EXTENSIONS before this header is included to see them. Addresses are those of the program. A list
 * lies in memory of the debugger's and is given back by ferromp_ompd_free(); of an empty one the pointer is null. */
#ifdef FERROMP_OMPD_EXTENSIONS
";

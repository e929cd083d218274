//! Prints `include/omp-tools.h`: the types of this crate in C, for tools written in C and C++ (OpenMP 5.1, chapter 4).
//! `cargo xtask generate` puts the output in its place.

use std::fmt::Write;

use ompt::Event;
use ompt::describe::{self, Alias, Enumeration, Field, Function, Structure};

/// Width of the header's lines, where a line can be broken.
const WIDTH: usize = 110;

fn main() {
    print!("{}", header());
}

fn header() -> String {
    let mut out = String::from(OPENING);
    section(&mut out, "Identifiers, times, tool data (4.4.4)");
    for alias in describe::ALIASES {
        typedef_alias(&mut out, alias);
    }
    out.push_str(CONSTANTS);
    structure(&mut out, &ompt::Data::DESCRIPTION, "union");

    section(&mut out, "Events (4.4.2)");
    events(&mut out);
    section(&mut out, "Enumerations and flags (4.4.3, 4.4.4)");
    for enumeration in describe::ENUMERATIONS {
        typedef_enum(&mut out, enumeration);
    }
    section(&mut out, "Structures (4.4.4)");
    for description in describe::STRUCTURES {
        structure(&mut out, description, "struct");
    }

    section(&mut out, "Start (4.2, 4.4.1, 4.5.1)");
    out.push_str(UNTYPED);
    for function in describe::TOOL_FUNCTION_TYPES.iter().filter(|f| f.name != "ompt_start_tool") {
        typedef_function(&mut out, function);
    }
    structure(&mut out, &ompt::StartToolResult::DESCRIPTION, "struct");
    start_tool(&mut out);

    section(&mut out, "Callbacks (4.5.2)");
    for (function, (event, _)) in describe::CALLBACKS.iter().zip(Event::ALL) {
        callback(&mut out, function, *event);
    }
    section(&mut out, "Trace records (4.4.3, 4.5.2)");
    structure(&mut out, &ompt::RecordAbstract::DESCRIPTION, "struct");
    for record in describe::RECORDS {
        structure(&mut out, record, "struct");
    }
    structure(&mut out, &ompt::RecordOmpt::DESCRIPTION, "struct");

    section(&mut out, "Entry points of the host, by the lookup that the initialiser is given (4.6.1)");
    for function in describe::HOST_FUNCTIONS {
        typedef_function(&mut out, function);
    }
    section(&mut out, "Entry points of a device, by the lookup of device_initialize (4.6.2)");
    for function in describe::DEVICE_FUNCTIONS {
        typedef_function(&mut out, function);
    }

    section(&mut out, "Lists, for macros that do something for each");
    lists(&mut out);
    out.push_str(CLOSING);
    out
}

const OPENING: &str = "\
/*
 * omp-tools.h: OMPT of OpenMP 5.1 (chapter 4) for tools written in C or C++.
 *
 * A tool defines ompt_start_tool() and is found in the program's address space or through OMP_TOOL_LIBRARIES. Everything else
 * is reached by the lookup function that its initialiser is given. Section numbers are those of the specification.
 *
 * Written by `cargo xtask generate` from the crate ferromp-ompt; changes belong there.
 */
#if !defined(FERROMP_OMP_TOOLS_H) && !defined(__OMPT__)
#define FERROMP_OMP_TOOLS_H
/* The mark of other implementations' header of this name: a second one must not define all of it again. */
#define __OMPT__

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif
";

const CONSTANTS: &str = "
/* Nothing is known of how the mutual exclusion is implemented. */
#define ompt_mutex_impl_none 0
/* There is no such address. */
#define ompt_addr_none (~0ULL)
/* An initialiser of ompt_data_t. */
#define ompt_data_none {0}
";

const UNTYPED: &str = "
/* An entry point, and a callback, without its type. */
typedef void (*ompt_interface_fn_t)(void);
typedef void (*ompt_callback_t)(void);
";

const CLOSING: &str = "
#ifdef __cplusplus
}
#endif

#endif
";

fn section(out: &mut String, title: &str) {
    write!(out, "\n/* ---- {title} ---- */\n").expect("a string grows");
}

fn comment(out: &mut String, doc: &[&str], indent: &str) {
    let text = plain(&doc.join(" "));
    if text.is_empty() {
        return;
    }
    let mut line = format!("{indent}/*");
    for word in text.split(' ') {
        if line.len() + 1 + word.len() > WIDTH {
            writeln!(out, "{line}").expect("a string grows");
            line = format!("{indent} *");
        }
        write!(line, " {word}").expect("a string grows");
    }
    writeln!(out, "{line} */").expect("a string grows");
}

/// A comment of Rust without marks: links become what they link to, as C calls it.
fn plain(doc: &str) -> String {
    let mut text = String::new();
    let mut rest = doc.trim();
    while let Some((before, after)) = rest.split_once("[`") {
        let (name, after) = after.split_once("`]").expect("a link that is closed");
        // The target of a link, where it is given.
        let after = match after.strip_prefix('(') {
            Some(target) => target.split_once(')').expect("a target that is closed").1,
            None => after,
        };
        text += before;
        text += &c_name(name);
        rest = after;
    }
    text += rest;
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "")
}

/// What C calls a type of this crate, an event, or a value of an enumeration.
fn c_name(rust: &str) -> String {
    if let Some(event) = rust.strip_prefix("Event::") {
        let all = Event::ALL.iter().map(|(_, name)| *name);
        let snake = format!("ompt_callback_{}", snake(event));
        return all.clone().find(|name| *name == snake).unwrap_or_else(|| panic!("no event {rust}")).to_owned();
    }
    match rust {
        "Event" => "ompt_callbacks_t".to_owned(),
        "HwId" => "ompt_hwid_t".to_owned(),
        "BufferRequest" | "BufferComplete" => format!("ompt_callback_{}_t", snake(rust)),
        constant if constant.chars().all(|c| c.is_ascii_uppercase() || c == '_') => {
            format!("ompt_{}", constant.to_ascii_lowercase())
        }
        _ => format!("ompt_{}_t", snake(rust)),
    }
}

fn snake(camel: &str) -> String {
    let mut text = String::new();
    for (index, c) in camel.char_indices() {
        if c.is_ascii_uppercase() && index > 0 {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}

/// A type in C, with the blank or star after which a name can stand.
fn c_type(rust: &str) -> String {
    let rust = rust.replace(' ', "");
    if let Some(target) = rust.strip_prefix("*mut") {
        return format!("{}*", c_type(target));
    }
    if let Some(target) = rust.strip_prefix("*const") {
        return format!("const {}*", c_type(target));
    }
    let inner = rust.strip_suffix('>').and_then(|rust| rust.rsplit_once("Option<")).map(|(_, inner)| inner);
    let name = inner.unwrap_or(&rust).rsplit("::").next().expect("a name");
    let c = match name {
        "c_void" | "" => "void",
        "c_char" => "char",
        "c_int" => "int",
        "c_uint" => "unsigned int",
        "u64" => "uint64_t",
        "i64" => "int64_t",
        "usize" => "size_t",
        "f64" => "double",
        name => return c_name(name) + " ",
    };
    format!("{c} ")
}

fn typedef_alias(out: &mut String, alias: &Alias) {
    out.push('\n');
    comment(out, alias.doc, "");
    writeln!(out, "typedef {}{};", c_type(alias.ty), c_name(alias.rust)).expect("a string grows");
    if !alias.none.is_empty() {
        writeln!(out, "#define {} 0", alias.none).expect("a string grows");
    }
}

fn typedef_enum(out: &mut String, enumeration: &Enumeration) {
    let name = c_name(enumeration.rust);
    out.push('\n');
    comment(out, enumeration.doc, "");
    writeln!(out, "typedef enum {name} {{").expect("a string grows");
    for (index, value) in enumeration.values.iter().enumerate() {
        let comma = if index + 1 < enumeration.values.len() { "," } else { "" };
        let remark = match value.doc {
            [] => String::new(),
            doc => format!(" /* {} */", plain(&doc.join(" "))),
        };
        writeln!(out, "  {} = {}{comma}{remark}", value.c_name, c_number(value.number)).expect("a string grows");
    }
    writeln!(out, "}} {name};").expect("a string grows");
}

/// A literal of Rust in C. What does not fit into an `int` is converted to one, as enumerators must be.
fn c_number(literal: &str) -> String {
    let digits = literal.replace('_', "");
    match digits.strip_suffix("u32") {
        Some(digits) => format!("(int){digits}"),
        None => digits,
    }
}

fn events(out: &mut String) {
    out.push_str("\n/* The numbers of the events, as ompt_set_callback takes them. */\ntypedef enum ompt_callbacks_t {\n");
    for (event, name) in Event::ALL {
        if *event == Event::Master {
            writeln!(out, "  ompt_callback_master = {}, /* the name before 5.1 */", event.0).expect("a string grows");
        }
        let comma = if event.0 as usize == Event::COUNT { "" } else { "," };
        writeln!(out, "  {name} = {}{comma}", event.0).expect("a string grows");
    }
    out.push_str("} ompt_callbacks_t;\n");
}

fn structure(out: &mut String, description: &Structure, kind: &str) {
    let name = c_name(description.rust);
    out.push('\n');
    comment(out, description.doc, "");
    writeln!(out, "typedef {kind} {name} {{").expect("a string grows");
    fields(out, description.fields, "  ");
    writeln!(out, "}} {name};").expect("a string grows");
}

fn fields(out: &mut String, fields: &[Field], indent: &str) {
    for field in fields {
        comment(out, field.doc, indent);
        if field.ty == "RecordBody" {
            writeln!(out, "{indent}union {{").expect("a string grows");
            self::fields(out, ompt::RecordBody::DESCRIPTION.fields, &format!("{indent}  "));
            writeln!(out, "{indent}}} {};", field.name).expect("a string grows");
        } else {
            writeln!(out, "{indent}{}{};", c_type(field.ty), c_identifier(field.name)).expect("a string grows");
        }
    }
}

/// A name that Rust writes otherwise: a keyword, or what the crate found clearer.
fn c_identifier(rust: &str) -> &str {
    match rust {
        "type_" => "type",
        "mutex_impl" => "impl",
        name => name,
    }
}

fn typedef_function(out: &mut String, function: &Function) {
    out.push('\n');
    comment(out, function.doc, "");
    let head = format!("typedef {}(*{}_t)(", c_type(function.ret), function.name);
    signature(out, &head, function);
}

/// `head`, the arguments, and the end; on one line if it fits.
fn signature(out: &mut String, head: &str, function: &Function) {
    let args: Vec<String> = function.args.iter().map(|(name, ty)| format!("{}{}", c_type(ty), c_identifier(name))).collect();
    let line = match args.as_slice() {
        [] => format!("{head}void);"),
        args => format!("{head}{});", args.join(", ")),
    };
    if line.len() <= WIDTH {
        writeln!(out, "{line}").expect("a string grows");
    } else {
        writeln!(out, "{head}\n    {});", args.join(",\n    ")).expect("a string grows");
    }
}

/// Signatures that several events share are declared once, under the specification's name for them.
fn shared(event: Event) -> Option<(&'static str, Event)> {
    match event {
        Event::MutexReleased | Event::MutexAcquired | Event::LockDestroy => Some(("ompt_callback_mutex", Event::MutexReleased)),
        Event::LockInit | Event::MutexAcquire => Some(("ompt_callback_mutex_acquire", Event::LockInit)),
        Event::SyncRegion | Event::SyncRegionWait | Event::Reduction => {
            Some(("ompt_callback_sync_region", Event::SyncRegionWait))
        }
        _ => None,
    }
}

/// The name of the type of an event's callback.
fn callback_type(event: Event) -> String {
    let own = event.name().expect("an event of the table");
    format!("{}_t", shared(event).map_or(own, |(name, _)| name))
}

fn callback(out: &mut String, function: &Function, event: Event) {
    let (name, remark) = match shared(event) {
        Some((_, first)) if first != event => {
            let declared = describe::CALLBACKS[first.0 as usize - 1];
            assert_eq!(declared.args, function.args, "{event:?} shares its signature with {first:?}");
            return;
        }
        Some((name, first)) => {
            let same = Event::ALL.iter().filter(|(other, _)| shared(*other).is_some_and(|(_, f)| f == first));
            let names: Vec<&str> = same.map(|(_, name)| *name).collect();
            (name, format!("/* {} */\n", names.join(", ")))
        }
        None => (function.name, String::new()),
    };
    write!(out, "\n{remark}").expect("a string grows");
    signature(out, &format!("typedef {}(*{name}_t)(", c_type(function.ret)), function);
    if event == Event::Master {
        out.push_str("typedef ompt_callback_masked_t ompt_callback_master_t; /* the name before 5.1 */\n");
    }
}

fn start_tool(out: &mut String) {
    let function = describe::TOOL_FUNCTION_TYPES.iter().find(|f| f.name == "ompt_start_tool").expect("it is in the list");
    out.push('\n');
    comment(out, function.doc, "");
    out.push_str("#ifdef __GNUC__\n__attribute__((visibility(\"default\")))\n#endif\n");
    signature(out, &format!("{}{}(", c_type(function.ret), function.name), function);
}

/// Lists under the names that tools know from LLVM's header.
fn lists(out: &mut String) {
    let device = |name: &str| name.contains("_device_");
    let target = |name: &str| name.contains("_target");
    let emi = |name: &str| name.ends_with("_emi");
    let entry = |(event, name): &(Event, &str)| format!("{name}, {}, {}", callback_type(*event), event.0);
    let some = |wanted: &dyn Fn(&str) -> bool| Event::ALL.iter().filter(|(_, name)| wanted(name)).map(entry).collect::<Vec<_>>();
    list(out, "FOREACH_OMPT_HOST_EVENT", "(event, type of its callback, number)", &some(&|n| !device(n) && !target(n)));
    list(out, "FOREACH_OMPT_DEVICE_EVENT", "", &some(&device));
    list(out, "FOREACH_OMPT_NOEMI_EVENT", "", &some(&|n| target(n) && !emi(n)));
    list(out, "FOREACH_OMPT_EMI_EVENT", "", &some(&emi));
    out.push_str(UNIONS);
    let states: Vec<String> =
        ompt::State::DESCRIPTION.values.iter().map(|v| format!("{}, {}", v.c_name, c_number(v.number))).collect();
    list(out, "FOREACH_OMPT_STATE", "(state, number)", &states);
    let functions: Vec<String> = describe::HOST_FUNCTIONS.iter().map(|f| f.name.to_owned()).collect();
    list(out, "FOREACH_OMPT_INQUIRY_FN", "(entry point of the host)", &functions);
}

const UNIONS: &str = "
#define FOREACH_OMPT_50_TARGET_EVENT(macro) FOREACH_OMPT_DEVICE_EVENT(macro) FOREACH_OMPT_NOEMI_EVENT(macro)
#define FOREACH_OMPT_51_TARGET_EVENT(macro) FOREACH_OMPT_DEVICE_EVENT(macro) FOREACH_OMPT_EMI_EVENT(macro)
#define FOREACH_OMPT_51_EVENT(macro) FOREACH_OMPT_HOST_EVENT(macro) FOREACH_OMPT_51_TARGET_EVENT(macro)
#define FOREACH_OMPT_EVENT(macro) \\
  FOREACH_OMPT_HOST_EVENT(macro) FOREACH_OMPT_50_TARGET_EVENT(macro) FOREACH_OMPT_EMI_EVENT(macro)
";

fn list(out: &mut String, name: &str, what: &str, entries: &[String]) {
    out.push('\n');
    if !what.is_empty() {
        writeln!(out, "/* {what} */").expect("a string grows");
    }
    let lines: Vec<String> = entries.iter().map(|entry| format!("  macro({entry})")).collect();
    writeln!(out, "#define {name}(macro) \\\n{}", lines.join(" \\\n")).expect("a string grows");
}

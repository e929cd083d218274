//! The part of OMPT (OpenMP 5.1, chapter 4).

use std::fmt::Write;

use ompt::Event;
use ompt::describe;
use ompt::describe::Function;

use crate::c::{C, c_number, snake};

pub fn text() -> String {
    let mut c = C::new(c_name);
    c.section("Identifiers, times, tool data (4.4.4)");
    for alias in describe::ALIASES {
        c.typedef_alias(alias);
    }
    c.out.push_str(CONSTANTS);
    c.structure(&ompt::Data::DESCRIPTION, "union");

    c.section("Events (4.4.2)");
    events(&mut c);
    c.section("Enumerations and flags (4.4.3, 4.4.4)");
    for enumeration in describe::ENUMERATIONS {
        c.typedef_enum(enumeration);
    }
    c.section("Structures (4.4.4)");
    for description in describe::STRUCTURES {
        c.structure(description, "struct");
    }

    c.section("Start (4.2, 4.4.1, 4.5.1)");
    c.out.push_str(UNTYPED);
    for function in describe::TOOL_FUNCTION_TYPES.iter().filter(|f| f.name != "ompt_start_tool") {
        c.typedef_function(function);
    }
    c.structure(&ompt::StartToolResult::DESCRIPTION, "struct");
    start_tool(&mut c);

    c.section("Callbacks (4.5.2)");
    for (function, (event, _)) in describe::CALLBACKS.iter().zip(Event::ALL) {
        callback(&mut c, function, *event);
    }
    c.section("Trace records (4.4.3, 4.5.2)");
    c.structure(&ompt::RecordAbstract::DESCRIPTION, "struct");
    for record in describe::RECORDS {
        c.structure(record, "struct");
    }
    c.out.push_str(LATER_RECORDS);
    c.structure(&ompt::RecordBody::DESCRIPTION, "union");
    c.structure(&ompt::RecordOmpt::DESCRIPTION, "struct");

    c.section("Entry points of the host, by the lookup that the initialiser is given (4.6.1)");
    for function in describe::HOST_FUNCTIONS {
        c.typedef_function(function);
    }
    c.section("Entry points of a device, by the lookup of device_initialize (4.6.2)");
    for function in describe::DEVICE_FUNCTIONS {
        c.typedef_function(function);
    }

    c.section("Lists, for macros that do something for each");
    lists(&mut c);
    c.out
}

const CONSTANTS: &str = "
/* Nothing is known of how the mutual exclusion is implemented. */
#define ompt_mutex_impl_none 0
/* There is no such address. */
#define ompt_addr_none (~0ULL)
/* An initialiser of ompt_data_t. */
#define ompt_data_none {0}
";

const LATER_RECORDS: &str = "
/* The names of OpenMP 6.0. */
typedef ompt_record_target_t ompt_record_target_emi_t;
typedef ompt_record_target_data_op_t ompt_record_target_data_op_emi_t;
typedef ompt_record_target_map_t ompt_record_target_map_emi_t;
typedef ompt_record_target_kernel_t ompt_record_target_submit_emi_t;
";

const UNTYPED: &str = "
/* An entry point, and a callback, without its type. */
typedef void (*ompt_interface_fn_t)(void);
typedef void (*ompt_callback_t)(void);
";

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
        "RecordBody" => "ompt_any_record_ompt_t".to_owned(),
        "BufferRequest" | "BufferComplete" => format!("ompt_callback_{}_t", snake(rust)),
        constant if constant.chars().all(|c| c.is_ascii_uppercase() || c == '_') => {
            format!("ompt_{}", constant.to_ascii_lowercase())
        }
        _ => format!("ompt_{}_t", snake(rust)),
    }
}

fn events(c: &mut C) {
    c.out.push_str(
        "\n/* The numbers of the events, as ompt_set_callback takes them. */\ntypedef enum ompt_callbacks_t {\n",
    );
    for (event, name) in Event::ALL {
        if *event == Event::Master {
            writeln!(c.out, "  ompt_callback_master = {}, /* the name before 5.1 */", event.0).expect("a string grows");
        }
        let comma = if event.0 as usize == Event::COUNT { "" } else { "," };
        writeln!(c.out, "  {name} = {}{comma}", event.0).expect("a string grows");
    }
    c.out.push_str("} ompt_callbacks_t;\n");
}

/// Signatures that several events share are declared once, under the specification's name for them.
fn shared(event: Event) -> Option<(&'static str, Event)> {
    match event {
        Event::MutexReleased | Event::MutexAcquired | Event::LockDestroy => {
            Some(("ompt_callback_mutex", Event::MutexReleased))
        }
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

fn callback(c: &mut C, function: &Function, event: Event) {
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
    write!(c.out, "\n{remark}").expect("a string grows");
    c.signature(&format!("typedef {}(*{name}_t)(", c.c_type(function.ret)), function);
    if event == Event::Master {
        c.out.push_str("typedef ompt_callback_masked_t ompt_callback_master_t; /* the name before 5.1 */\n");
    }
}

fn start_tool(c: &mut C) {
    let function =
        describe::TOOL_FUNCTION_TYPES.iter().find(|f| f.name == "ompt_start_tool").expect("it is in the list");
    c.out.push('\n');
    c.comment(function.doc, "");
    c.out.push_str("#ifdef __GNUC__\n__attribute__((visibility(\"default\")))\n#endif\n");
    c.signature(&format!("{}{}(", c.c_type(function.ret), function.name), function);
}

/// Lists under the names that tools know from LLVM's header.
fn lists(c: &mut C) {
    let device = |name: &str| name.contains("_device_");
    let target = |name: &str| name.contains("_target");
    let emi = |name: &str| name.ends_with("_emi");
    let entry = |(event, name): &(Event, &str)| format!("{name}, {}, {}", callback_type(*event), event.0);
    let some = |wanted: &dyn Fn(&str) -> bool| {
        Event::ALL.iter().filter(|(_, name)| wanted(name)).map(entry).collect::<Vec<_>>()
    };
    list(c, "FOREACH_OMPT_HOST_EVENT", "(event, type of its callback, number)", &some(&|n| !device(n) && !target(n)));
    list(c, "FOREACH_OMPT_DEVICE_EVENT", "", &some(&device));
    list(c, "FOREACH_OMPT_NOEMI_EVENT", "", &some(&|n| target(n) && !emi(n)));
    list(c, "FOREACH_OMPT_EMI_EVENT", "", &some(&emi));
    c.out.push_str(UNIONS);
    let states: Vec<String> =
        ompt::State::DESCRIPTION.values.iter().map(|v| format!("{}, {}", v.c_name, c_number(v.number))).collect();
    list(c, "FOREACH_OMPT_STATE", "(state, number)", &states);
    let functions: Vec<String> = describe::HOST_FUNCTIONS.iter().map(|f| f.name.to_owned()).collect();
    list(c, "FOREACH_OMPT_INQUIRY_FN", "(entry point of the host)", &functions);
}

const UNIONS: &str = "
#define FOREACH_OMPT_50_TARGET_EVENT(macro) FOREACH_OMPT_DEVICE_EVENT(macro) FOREACH_OMPT_NOEMI_EVENT(macro)
#define FOREACH_OMPT_51_TARGET_EVENT(macro) FOREACH_OMPT_DEVICE_EVENT(macro) FOREACH_OMPT_EMI_EVENT(macro)
#define FOREACH_OMPT_51_EVENT(macro) FOREACH_OMPT_HOST_EVENT(macro) FOREACH_OMPT_51_TARGET_EVENT(macro)
#define FOREACH_OMPT_EVENT(macro) \\
  FOREACH_OMPT_HOST_EVENT(macro) FOREACH_OMPT_50_TARGET_EVENT(macro) FOREACH_OMPT_EMI_EVENT(macro)
";

fn list(c: &mut C, name: &str, what: &str, entries: &[String]) {
    c.out.push('\n');
    if !what.is_empty() {
        writeln!(c.out, "/* {what} */").expect("a string grows");
    }
    let lines: Vec<String> = entries.iter().map(|entry| format!("  macro({entry})")).collect();
    writeln!(c.out, "#define {name}(macro) \\\n{}", lines.join(" \\\n")).expect("a string grows");
}

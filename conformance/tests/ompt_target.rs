//! Events of devices and target constructs (OpenMP 5.1, sections 4.5.2.19–22, 4.5.2.25–28, 4.6.1.16): for clang's
//! programs with device code for a host device, and for gcc's, whose target regions run on the host. Each test runs a
//! small program of `tools/` under the journal tool and is named for what it asks for.

use std::collections::{BTreeMap, BTreeSet};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::{Entry, Journal};
use ferromp_conformance::tools::{Workshop, sources};

/// The compilers, those of the programs that have device code first.
const COMPILERS: [Compiler; 2] = [Compiler::Offload, Compiler::Gcc];

/// The callbacks that a tool may register: with begin and end, plain, and both, of which the first are called.
const FORMS: [&str; 3] = ["emi", "plain", "both"];

/// `ompt_target_t`, as the journal writes it.
mod kind {
    pub const TARGET: &str = "1";
    pub const ENTER: &str = "2";
    pub const EXIT: &str = "3";
    pub const UPDATE: &str = "4";
    pub const TARGET_NOWAIT: &str = "9";
    pub const ENTER_NOWAIT: &str = "10";
    pub const EXIT_NOWAIT: &str = "11";
    pub const UPDATE_NOWAIT: &str = "12";
}

/// `ompt_target_data_op_t`
mod operation {
    pub const ALLOC: &str = "1";
    pub const TO: &str = "2";
    pub const FROM: &str = "3";
    pub const DELETE: &str = "4";
    pub const ASSOCIATE: &str = "5";
    pub const DISASSOCIATE: &str = "6";
    pub const TO_ASYNC: &str = "18";
    pub const FROM_ASYNC: &str = "19";
    pub const FILL_ASYNC: &str = "24";
}

/// `ompt_task_flag_t`
mod flag {
    pub const EXPLICIT: u64 = 0x4;
    pub const TARGET: u64 = 0x8;
    pub const UNDEFERRED: u64 = 0x0800_0000;
}

/// The marks of `target_kinds`, with the kinds of the constructs that follow each.
const KINDS: [(&str, &str, &[&str]); 8] = [
    ("target", "data", &[kind::TARGET]),
    ("data", "inside", &[kind::ENTER]),
    ("inside", "enter", &[kind::EXIT]),
    ("enter", "update", &[kind::ENTER]),
    ("update", "exit", &[kind::UPDATE]),
    ("exit", "nowait", &[kind::EXIT]),
    ("nowait", "depend", &[kind::ENTER_NOWAIT, kind::TARGET_NOWAIT, kind::UPDATE_NOWAIT, kind::EXIT_NOWAIT]),
    ("depend", "parallel", &[kind::TARGET]),
];

fn run(name: &str, compiler: Compiler, settings: &[(&str, &str)]) -> Journal {
    Journal::of(&Workshop::new(env!("CARGO_TARGET_TMPDIR")), name, compiler, 4, settings)
}

fn run_as(name: &str, compiler: Compiler, form: &str) -> Journal {
    run(name, compiler, &[("JOURNAL_TARGET", form)])
}

/// Every program under each compiler and each form of callbacks.
fn everything() -> impl Iterator<Item = (Journal, &'static str)> {
    let programs = ["target_kinds", "target_nowait", "target_maps", "target_devices", "target_routines"];
    programs.into_iter().flat_map(|name| {
        COMPILERS
            .into_iter()
            .flat_map(move |compiler| FORMS.into_iter().map(move |form| (run_as(name, compiler, form), form)))
    })
}

/// The events of that kind between two marks.
fn between<'a>(journal: &'a Journal, from: &str, to: &str, event: &str) -> Vec<&'a Entry> {
    journal.between(from, to).iter().filter(|entry| entry.event == event).collect()
}

/// The lines that have such a key.
fn with<'a>(journal: &'a Journal, key: &'a str) -> impl Iterator<Item = &'a Entry> {
    journal.entries.iter().filter(move |entry| entry.has(key))
}

/// Whether it is the begin of something.
fn begins(entry: &Entry) -> bool {
    entry.text("at") == "begin"
}

#[test]
fn device_numbers_are_those_of_the_program_and_never_negative() {
    for (journal, _) in everything() {
        // The program's only device, and the host behind it; or the host alone.
        let host = journal.all("device_initialize", &[]).len() as u64;
        for key in ["device", "from_device", "to_device", "info_device"] {
            for entry in with(&journal, key).filter(|entry| entry.text(key) != "none") {
                assert!(entry.number(key) <= host, "{entry:?}\n{}", journal.listing());
            }
        }
    }
}

#[test]
fn device_is_initialised_and_loaded_before_anything_else_of_it() {
    for devices in ["1", "3"] {
        let journal = run("target_devices", Compiler::Offload, &[("FERROMP_HOST_DEVICES", devices)]);
        let initialised = journal.all("device_initialize", &[]);
        assert_eq!(initialised.len().to_string(), devices, "{}", journal.listing());
        for initialise in initialised {
            let device = initialise.text("device");
            // Vendor and model, then what else there is to say.
            let kind: Vec<&str> = initialise.text("type").split(';').collect();
            assert!(kind.len() >= 2 && kind.iter().all(|part| !part.is_empty()), "{initialise:?}");
            assert!(initialise.number("documentation") > 0, "{initialise:?}");
            let load = journal.one("device_load", &[("device", device)]);
            let first = journal
                .entries
                .iter()
                .find(|entry| entry.event.starts_with("target") && entry.get("device") == Some(device));
            assert!(initialise.index < load.index, "{}", journal.listing());
            assert!(first.is_some_and(|first| load.index < first.index), "{}", journal.listing());
        }
    }
}

#[test]
fn loaded_code_has_its_file_place_and_number_and_is_unloaded_before_its_device_ends() {
    let journal = run("target_devices", Compiler::Offload, &[("FERROMP_HOST_DEVICES", "3")]);
    let mut modules = BTreeSet::new();
    for load in journal.all("device_load", &[]) {
        assert!(load.text("file").contains("target_devices") && load.number("offset") > 0, "{load:?}");
        assert!(load.number("bytes") > 0 && load.text("host") != "none" && load.text("address") != "none", "{load:?}");
        assert!(modules.insert(load.number("module")), "{load:?}: a number of its own\n{}", journal.listing());
        let device = load.text("device");
        let unload = journal.one("device_unload", &[("device", device), ("module", load.text("module"))]);
        let finalise = journal.one("device_finalize", &[("device", device)]);
        assert!(unload.index < finalise.index, "{}", journal.listing());
        let last = with(&journal, "device").filter(|entry| entry.text("device") == device).last();
        assert_eq!(last.map(|last| last.index), Some(finalise.index), "{}", journal.listing());
    }
    assert_eq!(modules.len(), 3);
}

#[test]
fn gcc_programs_bring_no_device() {
    let journal = run("target_devices", Compiler::Gcc, &[]);
    for event in ["device_initialize", "device_load", "device_unload", "device_finalize"] {
        assert!(journal.all(event, &[]).is_empty(), "{}", journal.listing());
    }
    assert_eq!((journal.marked("host"), journal.marked("count")), (0, 0));
}

#[test]
fn each_construct_has_its_kind_and_a_begin_and_an_end() {
    for compiler in COMPILERS {
        for form in FORMS {
            let journal = run_as("target_kinds", compiler, form);
            for (from, to, kinds) in KINDS {
                let told = between(&journal, from, to, "target");
                let of = |at: &str| -> Vec<&str> {
                    told.iter().filter(|entry| entry.text("at") == at).map(|entry| entry.text("kind")).collect()
                };
                assert_eq!(of("begin"), kinds, "{} {form} after {from}\n{}", compiler.name(), journal.listing());
                assert_eq!(of("end"), kinds, "{} {form} after {from}\n{}", compiler.name(), journal.listing());
            }
        }
    }
}

#[test]
fn begin_and_end_of_a_construct_agree_in_all_but_the_endpoint() {
    for (journal, _) in everything() {
        let mut open: BTreeMap<&str, &Entry> = BTreeMap::new();
        for entry in journal.all("target", &[]) {
            let target = entry.text("target");
            if begins(entry) {
                assert!(open.insert(target, entry).is_none(), "{entry:?}: a number used twice\n{}", journal.listing());
                continue;
            }
            let begin = open[target];
            for key in ["kind", "device", "task", "target_task", "id", "info_device", "code"] {
                assert_eq!(begin.get(key), entry.get(key), "{key} of {entry:?}\n{}", journal.listing());
            }
        }
        let ends = journal.all("target", &[("at", "end")]).len();
        assert_eq!(open.len(), ends, "{}", journal.listing());
    }
}

#[test]
fn tool_with_both_callbacks_of_an_event_is_told_by_the_one_with_begin_and_end() {
    for (journal, form) in everything() {
        let wanted = if form == "plain" { "plain" } else { "emi" };
        for entry in with(&journal, "form") {
            assert_eq!(entry.text("form"), wanted, "{}", journal.listing());
        }
        assert!(journal.all("refused", &[]).is_empty(), "{}", journal.listing());
    }
}

#[test]
fn plain_callbacks_come_once_an_operation() {
    for (program, event) in
        [("target_kinds", "target_data_op"), ("target_kinds", "target_submit"), ("target_maps", "target_map")]
    {
        let count = |form: &str| {
            let journal = run_as(program, Compiler::Offload, form);
            journal.all(event, &[]).iter().filter(|entry| entry.get("at") != Some("begin")).count()
        };
        assert!(count("plain") > 0 && count("plain") == count("emi"), "{event}");
    }
}

#[test]
fn region_on_a_device_is_mapped_submitted_and_unmapped_in_this_order() {
    let journal = run("target_kinds", Compiler::Offload, &[]);
    let steps: Vec<String> = journal
        .between("target", "data")
        .iter()
        .filter(|entry| entry.event.starts_with("target"))
        .filter(|entry| entry.get("at") != Some("end") || entry.event == "target")
        .map(|entry| match entry.event.as_str() {
            "target_data_op" => format!("op {}", entry.text("kind")),
            "target" => format!("target {}", entry.text("at")),
            event => event.to_owned(),
        })
        .collect();
    let wanted = ["target begin", "op 1", "op 2", "target_map", "target_submit", "op 3", "op 4", "target end"];
    assert_eq!(steps, wanted, "{}", journal.listing());
}

#[test]
fn operations_have_begin_and_end_with_the_same_word_which_is_their_own() {
    for (journal, form) in everything().filter(|(_, form)| *form != "plain") {
        let mut seen = BTreeSet::new();
        let mut open: Option<&Entry> = None;
        let operations: Vec<_> = journal
            .entries
            .iter()
            .filter(|entry| ["target_data_op", "target_submit"].contains(&entry.event.as_str()))
            .collect();
        let threads: BTreeSet<_> = operations.iter().map(|entry| entry.thread).collect();
        for thread in threads {
            for entry in operations.iter().filter(|entry| entry.thread == thread) {
                if begins(entry) {
                    assert!(open.is_none() && entry.text("empty") == "1", "{form} {entry:?}\n{}", journal.listing());
                    assert!(
                        seen.insert(entry.text("op")),
                        "{form} {entry:?}: a number used twice\n{}",
                        journal.listing()
                    );
                    open = Some(entry);
                    continue;
                }
                let begin = open.take().unwrap_or_else(|| panic!("{entry:?} has no begin\n{}", journal.listing()));
                for key in [
                    "op",
                    "target",
                    "target_task",
                    "kind",
                    "from",
                    "from_device",
                    "to_device",
                    "bytes",
                    "code",
                    "teams",
                ] {
                    assert_eq!(begin.get(key), entry.get(key), "{key} of {entry:?}\n{}", journal.listing());
                }
            }
        }
        assert!(open.is_none(), "{open:?} has no end");
    }
}

#[test]
fn plain_operations_are_numbered_by_the_runtime() {
    for (journal, _) in everything().filter(|(_, form)| *form == "plain") {
        let mut seen = BTreeSet::new();
        for entry in with(&journal, "op") {
            assert!(entry.number("op") != 0 && seen.insert(entry.number("op")), "{entry:?}\n{}", journal.listing());
        }
        let targets: BTreeSet<_> =
            journal.all("target", &[("at", "begin")]).iter().map(|entry| entry.number("target")).collect();
        assert!(targets.iter().all(|target| !seen.contains(target)), "{}", journal.listing());
    }
}

#[test]
fn data_goes_from_where_it_is_to_where_it_is_wanted() {
    for (journal, _) in everything() {
        let host = journal.all("device_initialize", &[]).len() as u64;
        for entry in journal.all("target_data_op", &[]) {
            let (from, to) = (entry.number("from_device"), entry.number("to_device"));
            let wanted = match entry.text("kind") {
                operation::FROM | operation::FROM_ASYNC | operation::DELETE => from != host && to == host,
                operation::TO | operation::TO_ASYNC => to != host,
                _ => from == host && to != host,
            };
            assert!(wanted, "{entry:?}\n{}", journal.listing());
            // A routine allocates for no variable.
            let from_somewhere = entry.text("from") != "null" || entry.number("target") == 0;
            assert!(from_somewhere && entry.number("bytes") > 0, "{entry:?}\n{}", journal.listing());
        }
    }
}

#[test]
fn counterpart_is_copied_from_and_freed_where_it_was_allocated() {
    let journal = run_as("target_kinds", Compiler::Offload, "emi");
    let ends = |kind: &str| -> Vec<&Entry> {
        let found = between(&journal, "target", "data", "target_data_op");
        found.into_iter().filter(|entry| entry.text("kind") == kind && !begins(entry)).collect()
    };
    let [alloc, to, from, delete] =
        [operation::ALLOC, operation::TO, operation::FROM, operation::DELETE].map(|kind| ends(kind)[0]);
    let there = alloc.text("to");
    assert_ne!(there, "null");
    assert_eq!([to.text("to"), from.text("from"), delete.text("from")], [there; 3], "{}", journal.listing());
    assert_eq!([to.text("from"), from.text("to")], [alloc.text("from"); 2], "{}", journal.listing());
    assert!([alloc, to, from, delete].iter().all(|entry| entry.number("bytes") == 4), "{}", journal.listing());
}

#[test]
fn mappings_have_the_flags_of_their_map_types() {
    const TO: u64 = 0x1;
    const FROM: u64 = 0x2;
    const ALLOC: u64 = 0x4;
    const RELEASE: u64 = 0x8;
    const DELETE: u64 = 0x10;
    const IMPLICIT: u64 = 0x20;
    for form in ["emi", "plain"] {
        let journal = run_as("target_maps", Compiler::Offload, form);
        let flags = |from: &str, to: &str| -> Vec<u64> {
            between(&journal, from, to, "target_map").iter().map(|entry| entry.number("flags")).collect()
        };
        let has = |from: &str, to: &str, wanted: &[u64]| {
            let found = flags(from, to);
            assert!(
                wanted.iter().all(|flag| found.contains(flag)),
                "{form} after {from}: {found:x?}\n{}",
                journal.listing()
            );
        };
        has("types", "implicit", &[TO, FROM, TO | FROM, ALLOC]);
        has("implicit", "enter", &[TO | FROM | IMPLICIT]);
        has("enter", "again", &[TO, ALLOC]);
        has("release", "delete", &[RELEASE]);
        has("delete", "end", &[DELETE, FROM]);
        for entry in journal.all("target_map", &[]) {
            assert!(entry.number("index") < entry.number("of") && entry.number("bytes") > 0, "{entry:?}");
            assert!(
                entry.text("host") != "null" && entry.text("address") != "null",
                "{entry:?}\n{}",
                journal.listing()
            );
        }
    }
}

#[test]
fn variable_that_is_there_already_is_neither_allocated_nor_copied() {
    let journal = run("target_maps", Compiler::Offload, &[]);
    for (from, to) in [("again", "release"), ("release", "delete")] {
        assert!(between(&journal, from, to, "target_data_op").is_empty(), "{}", journal.listing());
        assert_eq!(between(&journal, from, to, "target").len(), 2, "{}", journal.listing());
    }
}

#[test]
fn routines_report_their_operations_outside_of_all_constructs() {
    for form in ["emi", "plain"] {
        let journal = run_as("target_routines", Compiler::Offload, form);
        let steps = [
            ("alloc", "to", vec![operation::ALLOC; 2]),
            ("to", "within", vec![operation::TO]),
            ("within", "from", vec![operation::TO]),
            ("from", "associate", vec![operation::FROM]),
            ("associate", "disassociate", vec![operation::ASSOCIATE]),
            ("disassociate", "free", vec![operation::DISASSOCIATE]),
            ("free", "end", vec![operation::DELETE; 2]),
        ];
        for (from, to, wanted) in steps {
            let told = between(&journal, from, to, "target_data_op");
            let ends = told.into_iter().filter(|entry| entry.get("at") != Some("begin"));
            assert_eq!(
                ends.map(|entry| entry.text("kind")).collect::<Vec<_>>(),
                wanted,
                "{form}\n{}",
                journal.listing()
            );
        }
        for entry in journal.all("target_data_op", &[]) {
            assert!(entry.number("target") == 0 && entry.text("id") == "none", "{entry:?}\n{}", journal.listing());
            assert!(journal.in_program(entry.text("code")), "{entry:?}");
        }
        assert!(journal.all("target", &[]).is_empty(), "{}", journal.listing());
    }
}

/// The kind of a fill is OpenMP 6.0's.
#[test]
fn routines_that_do_not_wait_report_kinds_of_their_own() {
    for form in ["emi", "plain"] {
        let journal = run_as("target_async", Compiler::Offload, form);
        for (from, to, kind) in [
            ("copy", "fill", operation::TO_ASYNC),
            ("fill", "back", operation::FILL_ASYNC),
            ("back", "end", operation::FROM_ASYNC),
        ] {
            let told = between(&journal, from, to, "target_data_op");
            assert!(
                !told.is_empty() && told.iter().all(|entry| entry.text("kind") == kind),
                "{form}\n{}",
                journal.listing()
            );
        }
    }
}

#[test]
fn return_addresses_lie_in_the_program_at_the_construct() {
    for compiler in COMPILERS {
        let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
        // Without optimisation, so that each call stands on the line of its construct.
        let program = workshop.program("target_kinds", compiler, &["-O0"]);
        let journal = Journal::of_program(&workshop, program, sources().join("target_kinds.c"), &[]);
        for entry in journal.entries.iter().filter(|entry| entry.event.starts_with("target") && entry.has("code")) {
            assert!(journal.in_program(entry.text("code")), "{entry:?}\n{}", journal.listing());
        }
        for (from, to) in [("target", "data"), ("enter", "update"), ("update", "exit"), ("exit", "nowait")] {
            for entry in between(&journal, from, to, "target") {
                let (line, wanted) = (journal.source_line(entry.text("code")), journal.tagged_line(from));
                assert!(line.abs_diff(wanted) < 2, "{}: line {line}, not {wanted}: {entry:?}", compiler.name());
            }
        }
    }
}

#[test]
fn target_task_is_flagged_as_such_and_completes_once() {
    for compiler in COMPILERS {
        let journal = run("target_kinds", compiler, &[]);
        for construct in between(&journal, "nowait", "depend", "target") {
            let create = journal.one("task_create", &[("task", construct.text("target_task"))]);
            let flags = create.number("flags");
            assert!(flags & flag::TARGET != 0 && flags & flag::EXPLICIT == 0, "{create:?}\n{}", journal.listing());
            assert_eq!(create.text("outer"), construct.text("task"), "{construct:?}\n{}", journal.listing());
            journal.one("task_schedule", &[("prior", create.text("task")), ("status", "1")]);
        }
    }
}

/// Where the constructs of `target_tasks` are: the marks around them, and how many there are, each on its own.
const PLACES: [(&str, &str, usize); 6] = [
    ("serial", "parallel", 3),
    ("parallel", "league", 2),
    ("league", "task", 4),
    ("task", "nowait", 1),
    ("nowait", "exit", 1),
    ("exit", "end", 1),
];

/// One target task for each construct, around all of its events.
fn assert_target_tasks(journal: &Journal, form: &str, why: &str) {
    for (from, to, constructs) in PLACES {
        let why = format!("{why} {form} after {from}\n{}", journal.listing());
        let part = journal.between(from, to);
        let of_target = |entry: &&Entry| entry.event == "task_create" && entry.number("flags") & flag::TARGET != 0;
        let creates: Vec<&Entry> = part.iter().filter(of_target).collect();
        let begun: Vec<&Entry> = part.iter().filter(|entry| entry.event == "target" && begins(entry)).collect();
        assert_eq!((creates.len(), begun.len()), (constructs, constructs), "{why}");
        for construct in begun {
            // What is current in the callback is the target task, under either form.
            let task = construct.text("current");
            let create = journal.one("task_create", &[("task", task)]);
            let undeferred = create.number("flags") & flag::UNDEFERRED != 0;
            assert_eq!(
                (create.number("flags") & flag::EXPLICIT, undeferred),
                (0, from != "nowait"),
                "{create:?} {why}"
            );
            assert_eq!(construct.number("current_flags"), create.number("flags"), "{why}");
            assert_eq!((create.text("outer"), create.text("empty")), (construct.text("task"), "1"), "{why}");
            assert!(journal.in_program(create.text("code")), "{create:?} {why}");
            let target = [("target", construct.text("target"))];
            for entry in journal.entries.iter().filter(|entry| entry.is(&entry.event, &target) && entry.has("current"))
            {
                assert_eq!(entry.text("current"), task, "{entry:?} {why}");
                assert!(entry.get("target_task").is_none_or(|named| named == task), "{entry:?} {why}");
            }
            if undeferred {
                assert_eq!(
                    (create.text("code"), construct.text("around")),
                    (construct.text("code"), create.text("outer")),
                    "{why}"
                );
                let thread: Vec<&Entry> =
                    journal.entries.iter().filter(|entry| entry.thread == construct.thread).collect();
                let at = |index: usize| {
                    thread.iter().position(|entry| entry.index == index).expect("an event of the thread")
                };
                let begin = thread[at(construct.index) - 1];
                assert!(
                    begin.is("task_schedule", &[("prior", create.text("outer")), ("next", task)]),
                    "{begin:?} {why}"
                );
                assert_eq!(at(create.index) + 1, at(begin.index), "{why}");
                let end = journal.one("target", &[("at", "end"), target[0]]);
                let over = thread[at(end.index) + 1];
                let complete = [("prior", task), ("status", "1"), ("next", create.text("outer"))];
                assert!(over.is("task_schedule", &complete), "{over:?} {why}");
                // In a serial part the thread works for itself again, in a region for the team.
                assert_eq!(create.text("state"), over.text("state"), "{why}");
            }
        }
    }
}

#[test]
fn construct_without_nowait_has_a_target_task_that_is_current_in_its_events() {
    for compiler in COMPILERS {
        for form in FORMS {
            for settings in [&[("FERROMP_HOST_DEVICES", "3")], &[("OMP_TARGET_OFFLOAD", "disabled")]] {
                let journal = run("target_tasks", compiler, &[&[("JOURNAL_TARGET", form)], &settings[..]].concat());
                assert_target_tasks(&journal, form, &format!("{} {settings:?}", compiler.name()));
            }
        }
    }
}

#[test]
fn target_data_region_belongs_to_the_task_that_encounters_it() {
    let journal = run("target_kinds", Compiler::Gcc, &[]);
    for (from, to) in [("data", "inside"), ("inside", "enter")] {
        assert!(between(&journal, from, to, "task_create").is_empty(), "{}", journal.listing());
        for construct in between(&journal, from, to, "target") {
            assert_eq!(construct.text("current"), construct.text("task"), "{construct:?}\n{}", journal.listing());
        }
    }
}

#[test]
fn nowait_loses_no_data_on_whatever_thread_the_construct_ends() {
    for compiler in COMPILERS {
        for settings in [&[][..], &[("FERROMP_HOST_DEVICES", "3")], &[("OMP_WAIT_POLICY", "passive")]] {
            let journal = run("target_nowait", compiler, settings);
            let begins = journal.all("target", &[("at", "begin"), ("kind", kind::TARGET_NOWAIT)]);
            assert_eq!(begins.len(), 4 * 26 + 2, "{}", journal.listing());
            for begin in begins {
                let key = [("target", begin.text("target"))];
                let end = journal.one("target", &[("at", "end"), key[0]]);
                for entry in journal.entries.iter().filter(|entry| entry.is(&entry.event, &key)) {
                    assert!((begin.index..=end.index).contains(&entry.index), "{entry:?}\n{}", journal.listing());
                    if let Some(task) = entry.get("target_task") {
                        assert_eq!(task, begin.text("target_task"), "{entry:?}\n{}", journal.listing());
                    }
                }
                let over = journal.one("task_schedule", &[("prior", begin.text("target_task")), ("status", "1")]);
                assert!(end.index < over.index, "{over:?}\n{}", journal.listing());
            }
        }
    }
}

#[test]
fn thread_that_helps_with_target_tasks_is_neither_initial_nor_worker() {
    const OTHER: &str = "3";
    let journal = run("target_nowait", Compiler::Offload, &[]);
    let helper = journal.one("thread_begin", &[("kind", OTHER)]).thread;
    let last = journal.entries.iter().rfind(|entry| entry.thread == helper);
    assert_eq!(last.map(|last| last.event.as_str()), Some("thread_end"), "{}", journal.listing());
    let others = journal.all("thread_begin", &[("kind", "1")]);
    assert_eq!(others.len(), 1, "one initial thread\n{}", journal.listing());
}

#[test]
fn each_device_has_the_events_of_its_own_constructs() {
    for devices in [1, 3] {
        let journal = run("target_devices", Compiler::Offload, &[("FERROMP_HOST_DEVICES", &devices.to_string())]);
        assert_eq!((journal.marked("host"), journal.marked("count")), (devices, devices));
        for mark in journal.all("mark", &[("name", "device")]) {
            let next = journal.entries.iter().skip(mark.index + 1).take_while(|entry| entry.event != "mark");
            for entry in next.filter(|entry| entry.event.starts_with("target")) {
                assert_eq!(entry.number("info_device"), mark.number("value"), "{entry:?}\n{}", journal.listing());
            }
        }
        let regions = journal.all("target", &[("at", "begin")]);
        for device in 0..devices {
            let found = regions.iter().filter(|entry| entry.number("device") == device).count();
            assert_eq!(found, 2, "device {device}\n{}", journal.listing());
        }
    }
}

#[test]
fn target_info_is_that_of_the_construct_in_callbacks() {
    for (journal, form) in everything() {
        for entry in with(&journal, "id").filter(|entry| entry.has("target") && entry.number("target") != 0) {
            // The tool's own word, or the runtime's number.
            assert_eq!(entry.text("id"), entry.text("target"), "{form} {entry:?}\n{}", journal.listing());
            if let Some(operation) = entry.get("op") {
                assert_eq!(entry.text("info_op"), operation, "{form} {entry:?}\n{}", journal.listing());
            } else {
                assert_eq!(entry.text("info_op"), "0", "{form} {entry:?}\n{}", journal.listing());
            }
        }
    }
}

#[test]
fn region_on_the_host_knows_its_construct_on_all_of_its_threads() {
    let journal = run("target_kinds", Compiler::Gcc, &[]);
    let construct = between(&journal, "parallel", "end", "target")[0];
    let told = journal.all("target_region", &[("name", "parallel")]);
    assert_eq!(told.iter().map(|entry| entry.thread).collect::<BTreeSet<_>>().len(), 3, "{}", journal.listing());
    for entry in told {
        assert_eq!(entry.text("id"), construct.text("id"), "{}", journal.listing());
        assert_eq!((entry.number("info_device"), entry.number("info_op")), (0, 0), "{entry:?}");
    }
}

#[test]
fn region_that_the_program_runs_on_the_host_is_a_construct_on_the_host() {
    let journal = run("target_kinds", Compiler::Offload, &[("OMP_TARGET_OFFLOAD", "disabled")]);
    assert!(journal.all("device_initialize", &[]).is_empty(), "{}", journal.listing());
    for (from, to, kinds) in KINDS {
        let told = between(&journal, from, to, "target");
        let begun: Vec<&str> = told.iter().filter(|entry| begins(entry)).map(|entry| entry.text("kind")).collect();
        assert_eq!(begun, kinds, "after {from}\n{}", journal.listing());
        assert_eq!(told.len(), 2 * kinds.len(), "after {from}\n{}", journal.listing());
        assert!(told.iter().all(|entry| entry.number("device") == 0), "{}", journal.listing());
    }
}

#[test]
fn tools_that_share_a_process_have_words_of_their_own() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    for compiler in COMPILERS {
        let program = workshop.program("target_kinds", compiler, &[]);
        let tool = workshop.tool("target_words", &[]);
        let other = workshop.tool("target_words", &["-DOTHER"]);
        for order in [[&*tool, &*other], [&*other, &*tool]] {
            let outcome = workshop.command(&program).further(&order).finish();
            let lines: Vec<&str> = outcome.stderr.lines().collect();
            assert!(
                lines.len() == 2 && lines.iter().all(|line| line.ends_with("words, 0 wrong")),
                "{}",
                outcome.stderr
            );
        }
    }
}

#[test]
fn thread_that_waits_for_a_device_says_what_for() {
    let journal = run("target_states", Compiler::Offload, &[]);
    for (what, state) in [("region", "80"), ("data", "81"), ("update", "82")] {
        for other in ["80", "81", "82"] {
            let often = journal.marked(&format!("{what}_{other}")) != 0;
            assert_eq!(often, other == state, "{what}: state {other}\n{}", journal.listing());
        }
    }
}

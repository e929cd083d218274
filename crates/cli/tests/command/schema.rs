//! The schema of the JSON document: what the command writes is valid, and the schema describes all of it.

use crate::{common, report};

use std::path::Path;

use serde_json::Value;

/// `docs/report.schema.json`.
fn schema() -> Value {
    schema_of("report")
}

/// The schema of this name in `docs`.
pub fn schema_of(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/{name}.schema.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Panics unless a document is what the schema of reports says, and returns it.
pub fn validated(text: &[u8]) -> Value {
    validated_by("report", text)
}

/// As [`validated`], by the schema of this name.
pub fn validated_by(name: &str, text: &[u8]) -> Value {
    let document: Value = serde_json::from_slice(text).unwrap();
    let validator = jsonschema::draft202012::new(&schema_of(name)).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    document
}

/// The document of a folder that has the traces of some processes.
fn document(processes: u32) -> Value {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    for further in 1..processes {
        report::write(&folder.path().join(format!("trace/process-{further}")), 4711 + further);
    }
    let mut command = common::ferromp(Path::new("/nowhere"));
    let done = command.current_dir(folder.path()).args(["report", "trace", "--format", "json"]).output().unwrap();
    validated(&done.stdout)
}

#[test]
fn a_document_is_valid() {
    let document = document(1);
    assert_eq!((&document["version"], &document["processes"]), (&1.into(), &Value::Null));
    assert_eq!(document["schema"], schema()["$id"]);
}

#[test]
fn processes_are_compared() {
    let document = document(3);
    let processes = &document["processes"];
    assert_eq!((&processes["count"], processes["list"].as_array().unwrap().len()), (&3.into(), 3));
    let wall = &processes["spread"]["wall_ns"];
    assert_eq!((&wall["min"], &wall["mean"], &wall["max"]), (&400_000.into(), &400_000.into(), &400_000.into()));
    assert_eq!((&wall["min_pid"], &wall["max_pid"]), (&4711.into(), &4711.into()));
    // Two threads work 60 us and 60 us of each of the three regions; one waits 20 us at the end, one 12 us before.
    let first = &processes["list"][0];
    assert_eq!((&first["work_ns"], &first["wait_ns"]), (&360_000.into(), &96_000.into()));
}

#[test]
fn fields_that_the_schema_lacks_are_noticed() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    let mut document = document(1);
    assert!(validator.is_valid(&document));
    document["traces"][0]["regions"][0]["further"] = 1.into();
    assert!(!validator.is_valid(&document));
    document["traces"][0]["regions"][0].as_object_mut().unwrap().remove("further");
    document["traces"][0]["regions"][0].as_object_mut().unwrap().remove("calls");
    assert!(!validator.is_valid(&document));
}

#[test]
fn every_field_is_described() {
    fn undescribed(value: &Value, path: &str, found: &mut Vec<String>) {
        let Some(object) = value.as_object() else { return };
        for (name, property) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if property["description"].as_str().is_none_or(str::is_empty) {
                found.push(format!("{path}/{name}"));
            }
        }
        for (name, inside) in object {
            undescribed(inside, &format!("{path}/{name}"), found);
            for item in inside.as_array().into_iter().flatten() {
                undescribed(item, &format!("{path}/{name}"), found);
            }
        }
    }
    let mut found = Vec::new();
    undescribed(&schema(), "", &mut found);
    undescribed(&schema_of("diff"), "diff", &mut found);
    assert!(found.is_empty(), "{found:#?}");
}

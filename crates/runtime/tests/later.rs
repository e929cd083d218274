//! What `docs/ompt-events.md` says of versions after OpenMP 5.1 agrees with the vocabulary of the crate `ompt`.
#![cfg(not(loom))]

#[path = "../examples/answers/later.rs"]
mod later;

use later::LATER;

/// What is documented of later versions is what the vocabulary has.
#[test]
fn later_values_are_those_of_the_vocabulary() {
    let enumerations = ::ompt::describe::ENUMERATIONS.iter().flat_map(|of| of.values).map(|value| value.c_name);
    let functions = ::ompt::DEVICE_ENTRY_POINTS.iter().copied();
    let known: Vec<&str> = enumerations.chain(functions).collect();
    for name in LATER.iter().flat_map(|(names, ..)| *names).filter(|name| !name.starts_with("ompt_record_")) {
        assert!(known.contains(name), "{name}");
    }
    let marked = ::ompt::describe::ENUMERATIONS
        .iter()
        .flat_map(|of| of.values)
        .filter(|value| value.doc.concat().contains("OpenMP 6.0"));
    for value in marked {
        assert!(LATER.iter().any(|(names, ..)| names.contains(&value.c_name)), "{}", value.c_name);
    }
}

//! Lines of an event sequence about devices: target constructs, data operations, kernels, mappings, and the life of a
//! device (OpenMP 5.1, sections 4.5.2.19 to 4.5.2.28). Addresses are named so that they are the same in every run.

use std::collections::{BTreeMap, HashMap};

use super::names::{Names, Numbers};
use super::values::{flags, open, value};
use crate::journal::Entry;

open! { Target TargetDataOp }

/// The names of a run's addresses. The host's are `v1`, `v2`, … in the order in which they appear. A counterpart on a
/// device has the host's name with a stroke.
#[derive(Default)]
pub struct Addresses {
    /// By the line of the journal and the key in it.
    names: HashMap<(usize, &'static str), String>,
    /// Lists of dependences by the line of the journal.
    lists: HashMap<usize, String>,
    /// Lines with the end of an operation that its construct has not begun.
    other_operations: HashMap<usize, u64>,
}

/// Whether the address under each key of an operation is the device's.
fn device_sides(kind: &str) -> (bool, bool) {
    let from_device = ["transfer_from_device", "delete", "disassociate", "transfer_from_device_async", "delete_async"]
        .contains(&kind);
    (from_device, !from_device)
}

impl Addresses {
    /// Goes through a journal in the order of time.
    pub fn of(entries: &[Entry]) -> Addresses {
        let mut addresses = Addresses::default();
        let mut host = Numbers::default();
        let mut device: BTreeMap<String, String> = BTreeMap::new();
        let mut unpaired = 0;
        let mut open: BTreeMap<String, u64> = BTreeMap::new();
        for entry in entries {
            let mut host_name =
                |raw: &str| if raw.starts_with('v') { format!("v{}", host.of(raw)) } else { raw.to_owned() };
            match entry.event.as_str() {
                "dependences" => {
                    let rename = |item: &str| match item.split_once(':') {
                        Some((kind, what)) => format!("{kind}:{}", host_name(what)),
                        None => item.to_owned(),
                    };
                    let list = entry.text("list").split(',').map(rename).collect::<Vec<_>>().join(",");
                    addresses.lists.insert(entry.index, list);
                }
                "target_data_op" => {
                    let kind = value::<ompt::TargetDataOp>(entry, "kind");
                    let (from_device, to_device) = device_sides(&kind);
                    let (from, to) = (entry.text("from"), entry.text("to"));
                    let (here, there) = if from_device { (to, from) } else { (from, to) };
                    let here = host_name(here);
                    let there = if there.starts_with('v') {
                        let counterpart = || match here.starts_with('v') {
                            true => format!("{here}'"),
                            false => {
                                unpaired += 1;
                                format!("d{unpaired}")
                            }
                        };
                        let name = device.entry(there.to_owned()).or_insert_with(counterpart).clone();
                        if entry.text("at") == "end" && (kind.starts_with("delete") || kind == "disassociate") {
                            device.remove(there);
                        }
                        name
                    } else {
                        there.to_owned()
                    };
                    let (from, to) = if to_device { (here, there) } else { (there, here) };
                    addresses.names.extend([((entry.index, "from"), from), ((entry.index, "to"), to)]);
                    addresses.check_operation(entry, &mut open);
                }
                "target_map" => {
                    let here = host_name(entry.text("host"));
                    let there =
                        device.get(entry.text("address")).cloned().unwrap_or_else(|| host_name(entry.text("address")));
                    addresses.names.extend([((entry.index, "host"), here), ((entry.index, "address"), there)]);
                }
                "target_submit" => addresses.check_operation(entry, &mut open),
                _ => {}
            }
        }
        addresses
    }

    /// Checks that the operation that ends is the operation that its construct has begun.
    fn check_operation(&mut self, entry: &Entry, open: &mut BTreeMap<String, u64>) {
        let (target, operation) = (entry.text("target").to_owned(), entry.number("op"));
        let wrong = match entry.text("at") {
            "begin" => open.insert(target, operation).is_some(),
            _ => open.remove(&target) != Some(operation),
        };
        if wrong {
            self.other_operations.insert(entry.index, operation);
        }
    }

    /// The list of a `dependences` event.
    pub fn list<'a>(&'a self, entry: &'a Entry) -> &'a str {
        self.lists.get(&entry.index).map_or_else(|| entry.text("list"), String::as_str)
    }

    fn name(&self, entry: &Entry, key: &'static str) -> &str {
        self.names.get(&(entry.index, key)).map_or("unknown", String::as_str)
    }
}

/// The part of a device's type after vendor and model, which depend on the machine.
fn properties(kind: &str) -> &str {
    match kind.splitn(3, ';').collect::<Vec<_>>()[..] {
        [vendor, model, properties] if !vendor.is_empty() && !model.is_empty() => properties,
        _ => "NO-VENDOR-AND-MODEL",
    }
}

/// An event about a device as a line; none for other events. `targets` numbers the constructs.
pub fn line(entry: &Entry, names: &Names, addresses: &Addresses, targets: &mut Numbers) -> Option<String> {
    let at = |key: &str| entry.text(key).to_owned();
    let code = || format!("at {}", names.code(entry.text("code")));
    let mut target = || format!("g{}", targets.of(entry.text("target")));
    // The answer of ompt_get_target_info: the construct, and the operation while there is one.
    let odd = || {
        let mut odd = String::new();
        if entry.get("target").is_some() && entry.text("id") != entry.text("target") {
            odd.push_str(" OTHER-TARGET");
        }
        if entry.get("op").is_some_and(|op| op != entry.text("info_op"))
            || addresses.other_operations.contains_key(&entry.index)
        {
            odd.push_str(" OTHER-OPERATION");
        }
        let begins = entry.get("at") == Some("begin");
        if begins && entry.get("empty") == Some("0") {
            odd.push_str(" NOT-EMPTY");
        }
        odd
    };
    Some(match entry.event.as_str() {
        "device_initialize" => {
            let usable = ["object", "lookup"].iter().all(|key| entry.text(key) == "1");
            format!(
                "device_initialize {} {}{}",
                at("device"),
                properties(entry.text("type")),
                if usable { "" } else { " UNUSABLE" }
            )
        }
        "device_finalize" => format!("device_finalize {}", at("device")),
        "device_load" => format!("device_load {} module {}", at("device"), at("module")),
        "device_unload" => format!("device_unload {} module {}", at("device"), at("module")),
        "target" => format!(
            "target {} {} {} on {} by {} target-task {}{} {}",
            at("at"),
            value::<ompt::Target>(entry, "kind"),
            target(),
            at("device"),
            names.word(entry.text("task")),
            names.task_or_null(entry.text("target_task")),
            odd(),
            code()
        ),
        "target_data_op" => format!(
            "target_data_op {} {} {} from {} on {} to {} on {} bytes={}{} {}",
            at("at"),
            value::<ompt::TargetDataOp>(entry, "kind"),
            target(),
            addresses.name(entry, "from"),
            at("from_device"),
            addresses.name(entry, "to"),
            at("to_device"),
            at("bytes"),
            odd(),
            code()
        ),
        "target_submit" => format!("target_submit {} {} teams={}{}", at("at"), target(), at("teams"), odd()),
        "target_map" => format!(
            "target_map {} {} to {} bytes={} {}{} {}",
            target(),
            addresses.name(entry, "host"),
            addresses.name(entry, "address"),
            at("bytes"),
            flags(ompt::TargetMapFlag::ALL.iter().map(|(flag, name)| (flag.0, *name)), entry),
            odd(),
            code()
        ),
        _ => return None,
    })
}

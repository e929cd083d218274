//! OMPT's numbers by their names in C.

use crate::journal::Entry;

/// An enumeration of OMPT whose values the journal writes as numbers.
pub(super) trait Open {
    fn name_of(number: i32) -> Option<&'static str>;
}
macro_rules! open {
    ($($ty:ident)*) => { $( impl $crate::sequence::values::Open for ompt::$ty {
        fn name_of(number: i32) -> Option<&'static str> {
            ompt::$ty(number).name()
        }
    } )* };
}
pub(super) use open;

/// The value under `key`, by its name.
pub(super) fn value<T: Open>(entry: &Entry, key: &str) -> String {
    short(T::name_of(entry.number(key) as i32)).unwrap_or_else(|| entry.text(key).to_owned())
}

/// A name in C without its prefix.
pub(super) fn short(name: Option<&'static str>) -> Option<String> {
    const PREFIXES: [&str; 15] = [
        "ompt_target_data_",
        "ompt_target_map_flag_",
        "ompt_sync_region_",
        "ompt_parallel_",
        "ompt_thread_",
        "ompt_task_",
        "ompt_work_",
        "ompt_dispatch_",
        "ompt_mutex_",
        "ompt_dependence_type_",
        "ompt_cancel_",
        "ompt_target_",
        "ompt_frame_",
        "ompt_state_",
        "ompt_",
    ];
    name.map(|name| PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name).to_owned())
}

/// Flags by their names, joined by `|`; what has no name in hexadecimal.
pub(super) fn flags(all: impl Iterator<Item = (i32, &'static str)>, entry: &Entry) -> String {
    let mut left = entry.number("flags") as u32;
    let mut names = Vec::new();
    for (flag, name) in all {
        if left & flag as u32 == flag as u32 && flag != 0 {
            names.extend(short(Some(name)));
            left &= !(flag as u32);
        }
    }
    if left != 0 || names.is_empty() {
        names.push(format!("{left:#x}"));
    }
    names.join("|")
}

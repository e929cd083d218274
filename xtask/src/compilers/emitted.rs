//! What clang's intermediate code says of its ABI: structures, the version of a kernel's arguments, map types, and what
//! is called. It is read of small programs (`xtask/probes`) that a compiler has translated.

use std::collections::{BTreeMap, BTreeSet};

/// The structures whose layout runtime and compiler share.
const SHARED: [&str; 7] = [
    "ident_t",
    "__tgt_offload_entry",
    "__tgt_kernel_arguments",
    "kmp_depend_info",
    "kmp_dim",
    "kmp_taskred_input_t",
    "kmp_task_t",
];

/// What a program's code holds.
#[derive(Default, Debug)]
pub struct Emitted {
    /// Structures and the forms of their fields, pointers as `ptr`.
    pub structures: BTreeMap<String, BTreeSet<String>>,
    pub kernel_arguments: BTreeSet<u64>,
    pub map_types: BTreeSet<u64>,
    /// Functions of the runtime.
    pub calls: BTreeSet<String>,
}

impl Emitted {
    /// Adds what intermediate code or assembly says.
    pub fn read(&mut self, text: &str) {
        // Older releases put the device's code in front of the host's.
        let host = text.split("OFFLOAD_BUNDLE____START__ host").last().unwrap_or(text);
        let mut version_of = None;
        for line in host.lines() {
            if let Some((name, fields)) = structure(line) {
                self.structures.entry(name).or_default().insert(fields);
            } else if line.starts_with("@.offload_maptypes") {
                let list = line.rsplit_once('[').map_or("", |(_, list)| list);
                let numbers = list
                    .split(']')
                    .next()
                    .unwrap_or_default()
                    .split(',')
                    .filter_map(|item| item.trim().strip_prefix("i64 "));
                self.map_types
                    .extend(numbers.filter_map(|number| number.parse::<i64>().ok()).map(|number| number as u64));
            }
            // The first field, then what is stored there.
            if line.contains("%struct.__tgt_kernel_arguments, ") && line.ends_with("i32 0, i32 0") {
                version_of = line.split('=').next().map(|name| name.trim().to_owned());
            } else if let (Some(name), Some(stored)) = (&version_of, line.trim().strip_prefix("store i32 "))
                && let Some((number, place)) = stored.split_once(", ptr ")
                && place.split(',').next() == Some(name)
            {
                self.kernel_arguments.extend(number.parse::<u64>());
                version_of = None;
            }
            self.calls.extend(words(line).filter(|word| is_runtime(word)).map(str::to_owned));
        }
    }
}

/// A shared structure's definition, its name without the number that tells equal names apart.
fn structure(line: &str) -> Option<(String, String)> {
    let (name, fields) = line.strip_prefix("%struct.")?.split_once(" = type { ")?;
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.');
    let name = SHARED.iter().find(|shared| **shared == name)?;
    let fields = fields.strip_suffix(" }")?;
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for letter in fields.chars() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        match (letter, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut()?.push(letter),
        }
    }
    let plain = |part: &String| match part.trim() {
        pointer if pointer.ends_with('*') => "ptr".to_owned(),
        union if union.starts_with("%union.kmp_cmplrdata_t") => "data".to_owned(),
        other => other.replace(' ', ""),
    };
    Some(((*name).to_owned(), parts.iter().map(plain).collect::<Vec<_>>().join(" ")))
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// Whether a word is the name of a runtime's function.
fn is_runtime(word: &str) -> bool {
    // Names of what the compiler makes itself start alike.
    let own = ["__tgt_offload_entry", "__tgt_kernel_arguments", "__tgt_device_image", "__tgt_bin_desc"];
    let prefixes = ["GOMP_", "GOACC_", "__kmpc_", "__tgt_"];
    !own.contains(&word) && prefixes.iter().any(|prefix| word.len() > prefix.len() && word.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_new_code_is_read() {
        let mut emitted = Emitted::default();
        emitted.read(
            "; __CLANG_OFFLOAD_BUNDLE____START__ openmp-x\n%struct.ident_t = type { i8 }\n; __CLANG_OFFLOAD_BUNDLE____START__ host-x\n\
             %struct.kmp_task_t.10 = type { i8*, i32 (i32, i8*)*, i32, %union.kmp_cmplrdata_t.11, [3 x i32] }\n\
             %struct.anon = type { i64 }\n@.offload_maptypes.2 = private unnamed_addr constant [2 x i64] [i64 35, i64 -1]\n\
             declare i32 @__tgt_target_mapper(%struct.ident_t*)\n",
        );
        assert_eq!(emitted.structures["kmp_task_t"], BTreeSet::from(["ptr ptr i32 data [3xi32]".to_owned()]));
        assert_eq!(emitted.structures.len(), 1);
        assert_eq!(emitted.map_types, BTreeSet::from([35, u64::MAX]));
        assert_eq!(emitted.calls, BTreeSet::from(["__tgt_target_mapper".to_owned()]));
        emitted.read(
            "  %15 = getelementptr inbounds nuw %struct.__tgt_kernel_arguments, ptr %6, i32 0, i32 0\n  store i32 5, ptr %15, align 4\n\
             \tcall\tGOMP_parallel@PLT\n  store i32 9, ptr %15, align 4\n",
        );
        assert_eq!(emitted.kernel_arguments, BTreeSet::from([5]));
        assert!(emitted.calls.contains("GOMP_parallel"));
    }
}

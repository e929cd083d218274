//! Checks the entry points with two forms (`crates/runtime/src/abi/entry_point.rs`) in a built library. The way to the
//! form for tools must be a jump, at which the stack is as the program's call left it. Otherwise a tool would receive
//! an address in the runtime as the caller. The compiler does not promise the jump, so this check reads the
//! instructions.

use crate::arch::{self, Flow};
use crate::sh::{Result, cmd};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The last part of the name of a form for tools; the name of the entry point comes before.
const FOR_TOOLS: &str = "for_tools";

/// The entry point's name where the function lies in a constant without a name, as those with a generated export name
/// do.
const ANY: &str = "_";

/// Fails with the first fault of the entry points of `library`.
pub fn check(library: &Path) -> Result {
    let text =
        cmd("objdump").args(["-dC", "--no-show-raw-insn", "-j", ".text"]).args(arch::OBJDUMP).arg(library).read()?;
    let found = faults(&text);
    match found.first() {
        None => Ok(()),
        Some(first) => {
            Err(format!("runtime library: {} entry points lose their caller on the way to tools; {first}", found.len()))
        }
    }
}

/// The faults in a disassembly, a line each.
pub fn faults(text: &str) -> Vec<String> {
    let functions = functions(text);
    let entry_points: BTreeSet<&str> = functions.keys().filter_map(|name| entry_point_of(name)).collect();
    let mut found = Vec::new();
    if entry_points.is_empty() {
        found.push("none has two forms".to_owned());
    }
    for (name, instructions) in &functions {
        if let Some(call) =
            instructions.iter().find(|one| one.flow() == Flow::Call && entry_point_of(&one.symbol()).is_some())
        {
            found.push(format!("{name} calls {}", call.symbol()));
        }
    }
    for entry_point in entry_points {
        let bodies: Vec<_> = match entry_point {
            ANY => functions.iter().filter(|(_, body)| body.iter().any(|one| one.leads_to(ANY))).collect(),
            entry_point => functions.get_key_value(entry_point).into_iter().collect(),
        };
        if bodies.is_empty() {
            found.push(format!("{entry_point} is not there"));
        }
        for (name, body) in bodies {
            if let Err(why) = way_to_form_for_tools(body, entry_point) {
                found.push(format!("{name}: {why}"));
            }
        }
    }
    found
}

/// The entry point whose form for tools has this name; [`ANY`] for entry points with a generated export name.
fn entry_point_of(name: &str) -> Option<&str> {
    let mut parts = name.rsplit("::");
    (parts.next() == Some(FOR_TOOLS)).then(|| parts.next()).flatten()
}

/// One line of a disassembly.
struct Instruction<'a> {
    address: u64,
    operation: &'a str,
    operands: &'a str,
}

impl Instruction<'_> {
    /// Where control goes after the instruction.
    fn flow(&self) -> Flow {
        arch::flow(self.operation)
    }

    /// Whether the instruction jumps to the form for tools of `entry_point`.
    fn leads_to(&self, entry_point: &str) -> bool {
        matches!(self.flow(), Flow::Jump | Flow::Branch) && entry_point_of(&self.symbol()) == Some(entry_point)
    }

    /// The symbol of the instruction's target; empty for none.
    fn symbol(&self) -> String {
        let name = self.operands.split_once('<').map_or("", |(_, name)| name.trim_end().trim_end_matches('>'));
        name.to_owned()
    }
}

/// The functions by their names, without symbol versions. A function under libomp's node keeps its version: it is a
/// jump to the entry point of gcc's node (`abi/gomp/libomp.rs`).
fn functions(text: &str) -> BTreeMap<&str, Vec<Instruction<'_>>> {
    let mut functions = BTreeMap::new();
    let mut current = "";
    for line in text.lines() {
        if let Some(head) = line.strip_suffix(">:") {
            let name = head.split_once('<').map_or("", |(_, name)| name);
            let beside = name.ends_with("@VERSION") && !name.ends_with("@@VERSION");
            current = if beside { name } else { name.split('@').next().unwrap_or(name) };
            functions.insert(current, Vec::new());
        } else if let Some((address, rest)) = line.trim_start().split_once(":\t") {
            let (Ok(address), rest) = (u64::from_str_radix(address, 16), rest.split('#').next().unwrap_or(rest).trim())
            else {
                continue;
            };
            let (operation, operands) = rest.split_once(' ').unwrap_or((rest, ""));
            if let Some(function) = functions.get_mut(current) {
                function.push(Instruction { address, operation, operands: operands.trim() });
            }
        }
    }
    functions
}

/// The most branches on the way to an entry point's form for tools: one for the thread's word, one for the flag that a
/// tool may be active.
const DECISIONS: u32 = 2;

/// Follows an entry point from its first instruction to the jump to its form for tools. At most [`DECISIONS`] branches
/// may be on the way, and the stack must be empty again at the jump.
fn way_to_form_for_tools(body: &[Instruction], entry_point: &str) -> std::result::Result<(), String> {
    follow(body, 0, 0, DECISIONS, entry_point)
}

/// As [`way_to_form_for_tools`], from instruction `from` on, with `pushed` bytes on the stack and at most `decisions`
/// branches to come.
fn follow(
    body: &[Instruction],
    from: usize,
    mut pushed: i64,
    decisions: u32,
    entry_point: &str,
) -> std::result::Result<(), String> {
    for (at, one) in body.iter().enumerate().skip(from) {
        if one.leads_to(entry_point) {
            return arrived(pushed);
        }
        if one.flow() == Flow::Branch && decisions > 0 {
            // One of the two ways must lead to the form for tools.
            let there =
                arch::target(one.operands).and_then(|target| body.iter().position(|other| other.address == target));
            let taken = there.map(|there| follow(body, there, pushed, decisions - 1, entry_point));
            return match taken {
                Some(Ok(())) => Ok(()),
                _ => follow(body, at + 1, pushed, decisions - 1, entry_point),
            };
        }
        let next = match one.flow() {
            Flow::On => arch::pushed_after(one.operation, one.operands, pushed),
            _ => Err("a way out"),
        };
        pushed = next
            .map_err(|what| format!("{what} on the way to its form for tools: {} {}", one.operation, one.operands))?;
    }
    Err("it has no way to its form for tools".to_owned())
}

fn arrived(pushed: i64) -> std::result::Result<(), String> {
    if pushed == 0 { Ok(()) } else { Err(format!("{pushed} bytes are on the stack at the jump to its form for tools")) }
}

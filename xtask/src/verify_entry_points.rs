//! What must be true of the entry points that have two forms (`crates/runtime/src/abi/entry_point.rs`): that the way to
//! the form for tools is a jump, at which the stack is as the program's call left it. The compiler gives no promise of
//! it, so the instructions are read.

use crate::arch::{self, Flow};
use crate::sh::{Result, cmd};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The name of an entry point's form for tools, behind that of the entry point.
const WATCHED: &str = "for_tools";

/// What stands for the entry point's name where that is not one of the language: the entry points lie in constants
/// without a name.
const ANY: &str = "_";

/// Checks every such entry point of `library`.
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

/// What is wrong in a disassembly, a line each.
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

/// The entry point to which the function of this name is the form for tools; [`ANY`] for entry points whose names a
/// macro puts together.
fn entry_point_of(name: &str) -> Option<&str> {
    let mut parts = name.rsplit("::");
    (parts.next() == Some(WATCHED)).then(|| parts.next()).flatten()
}

/// One line of a disassembly.
struct Instruction<'a> {
    address: u64,
    operation: &'a str,
    operands: &'a str,
}

impl Instruction<'_> {
    /// Where it leads.
    fn flow(&self) -> Flow {
        arch::flow(self.operation)
    }

    /// Whether it jumps to the form for tools of `entry point`.
    fn leads_to(&self, entry_point: &str) -> bool {
        matches!(self.flow(), Flow::Jump | Flow::Branch) && entry_point_of(&self.symbol()) == Some(entry_point)
    }

    /// The name of that place, empty for none.
    fn symbol(&self) -> String {
        let name = self.operands.split_once('<').map_or("", |(_, name)| name.trim_end().trim_end_matches('>'));
        name.to_owned()
    }
}

/// The functions by their names, without versions of symbols. What stands under libomp's node beside gcc's is a jump to
/// the entry point, and not the entry point (`abi/gomp/libomp.rs`).
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

/// Decisions on the way to an entry point's form for tools: whether the thread knows that there is no tool, and whether
/// there is one.
const DECISIONS: u32 = 2;

/// Follows an entry point from its first instruction to the jump to its form for tools: there are few decisions on the
/// way, and whatever has been pushed is off the stack again at the jump.
fn way_to_form_for_tools(body: &[Instruction], entry_point: &str) -> std::result::Result<(), String> {
    follow(body, 0, 0, DECISIONS, entry_point)
}

/// As [`way_to_form_for_tools`], from an instruction on, with so many bytes pushed and so many decisions to come.
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
            // One of the two ways leads there.
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

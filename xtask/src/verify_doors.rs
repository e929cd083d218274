//! What must be true of the doors that have two forms (`crates/runtime/src/abi/door.rs`): that the way to the form for
//! tools is a jump, at which the stack is as the program's call left it. The compiler gives no promise of it, so the
//! instructions are read.

use crate::sh::{Result, cmd};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The name of a door's form for tools, behind that of the door.
const WATCHED: &str = "watched";

/// What stands for the door's name where that is not one of the language: the doors lie in constants without a name.
const ANY: &str = "_";

/// Checks every such door of `library`.
pub fn check(library: &Path) -> Result {
    let text = cmd("objdump").args(["-dC", "--no-show-raw-insn", "-M", "intel", "-j", ".text"]).arg(library).read()?;
    let found = faults(&text);
    match found.first() {
        None => Ok(()),
        Some(first) => {
            Err(format!("runtime library: {} doors lose their caller on the way to tools; {first}", found.len()))
        }
    }
}

/// What is wrong in a disassembly, a line each.
fn faults(text: &str) -> Vec<String> {
    let functions = functions(text);
    let doors: BTreeSet<&str> = functions.keys().filter_map(|name| door_of(name)).collect();
    let mut found = Vec::new();
    if doors.is_empty() {
        found.push("none has two forms".to_owned());
    }
    for (name, instructions) in &functions {
        if let Some(call) = instructions.iter().find(|one| one.operation == "call" && door_of(&one.symbol()).is_some())
        {
            found.push(format!("{name} calls {}", call.symbol()));
        }
    }
    for door in doors {
        let bodies: Vec<_> = match door {
            ANY => functions.iter().filter(|(_, body)| body.iter().any(|one| one.leads_to(ANY))).collect(),
            door => functions.get_key_value(door).into_iter().collect(),
        };
        if bodies.is_empty() {
            found.push(format!("{door} is not there"));
        }
        for (name, body) in bodies {
            if let Err(why) = way_to_watched(body, door) {
                found.push(format!("{name}: {why}"));
            }
        }
    }
    found
}

/// The door to which the function of this name is the form for tools; [`ANY`] for doors whose names a macro puts
/// together.
fn door_of(name: &str) -> Option<&str> {
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
    /// Where a jump or call leads.
    fn target(&self) -> Option<u64> {
        u64::from_str_radix(self.operands.split_whitespace().next()?, 16).ok()
    }

    /// Whether it jumps to the form for tools of `door`.
    fn leads_to(&self, door: &str) -> bool {
        self.operation.starts_with('j') && door_of(&self.symbol()) == Some(door)
    }

    /// The name of that place, empty for none.
    fn symbol(&self) -> String {
        let name = self.operands.split_once('<').map_or("", |(_, name)| name.trim_end().trim_end_matches('>'));
        name.to_owned()
    }
}

/// The functions by their names, without versions of symbols. What stands under libomp's node beside gcc's is a jump to
/// the door, and not the door (`abi/gomp/libomp.rs`).
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

/// Decisions on the way to a door's form for tools: whether the thread knows that there is no tool, and whether there
/// is one.
const DECISIONS: u32 = 2;

/// Follows a door from its first instruction to the jump to its form for tools: there are few decisions on the way, and
/// whatever has been pushed is off the stack again at the jump.
fn way_to_watched(body: &[Instruction], door: &str) -> std::result::Result<(), String> {
    follow(body, 0, 0, DECISIONS, door)
}

/// As [`way_to_watched`], from an instruction on, with so many bytes pushed and so many decisions to come.
fn follow(
    body: &[Instruction],
    from: usize,
    mut pushed: i64,
    decisions: u32,
    door: &str,
) -> std::result::Result<(), String> {
    for (at, one) in body.iter().enumerate().skip(from) {
        let jumps = one.operation.starts_with('j');
        if one.leads_to(door) {
            return arrived(pushed);
        }
        if jumps && one.operation != "jmp" && decisions > 0 {
            // One of the two ways leads there.
            let there = one.target().and_then(|target| body.iter().position(|other| other.address == target));
            let taken = there.map(|there| follow(body, there, pushed, decisions - 1, door));
            return match taken {
                Some(Ok(())) => Ok(()),
                _ => follow(body, at + 1, pushed, decisions - 1, door),
            };
        }
        pushed = step(one, pushed)?;
    }
    Err("it has no way to its form for tools".to_owned())
}

fn arrived(pushed: i64) -> std::result::Result<(), String> {
    if pushed == 0 { Ok(()) } else { Err(format!("{pushed} bytes are on the stack at the jump to its form for tools")) }
}

/// The bytes on the stack above the return address after an instruction that neither jumps nor calls. What the caller
/// has put there must stay as it is.
fn step(one: &Instruction, pushed: i64) -> std::result::Result<i64, String> {
    let fault =
        |what: &str| Err(format!("{what} on the way to its form for tools: {} {}", one.operation, one.operands));
    let (target, source) = one.operands.split_once(',').unwrap_or((one.operands, ""));
    let number = |text: &str| i64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    match one.operation {
        "push" => return Ok(pushed + 8),
        "pop" => return Ok(pushed - 8),
        "leave" | "enter" => return fault("an instruction that is not understood"),
        operation if operation.starts_with('j') || operation == "call" || operation == "ret" => {
            return fault("a way out");
        }
        "cmp" | "test" => return Ok(pushed),
        _ => {}
    }
    if target == "rsp" {
        return match (one.operation, number(source)) {
            ("sub", Some(bytes)) => Ok(pushed + bytes),
            ("add", Some(bytes)) => Ok(pushed - bytes),
            _ => fault("an instruction that is not understood"),
        };
    }
    // Frames begin at rbp, with what the caller passed above it.
    let above = |register: &str, least: i64| {
        let place = target.split_once('[').and_then(|(_, place)| place.strip_prefix(register)?.strip_suffix(']'));
        place.is_some_and(|offset| {
            offset.is_empty() && least <= 0 || offset.strip_prefix('+').and_then(number).is_some_and(|o| o >= least)
        })
    };
    if above("rbp", 8) || above("rsp", pushed) {
        return fault("a write to what the caller passed");
    }
    Ok(pushed)
}

#[cfg(test)]
mod tests {
    use super::faults;

    const WATCHED: &str = "0000000000000100 <ferromp::abi::x::door::watched>:\n 100:\tmov    rsi,QWORD PTR [rsp]\n\n";

    fn of(body: &str) -> String {
        let mut text = format!("{WATCHED}0000000000000200 <door@@VERSION>:\n");
        for (at, line) in body.split("; ").enumerate() {
            text += &format!(" {:x}:\t{}\n", 0x200 + at, line.replacen(' ', "   ", 1));
        }
        faults(&text).join("\n")
    }

    #[test]
    fn jumps_with_the_stack_as_it_was_are_right() {
        let to = "100 <ferromp::abi::x::door::watched>";
        assert_eq!(of(&format!("cmp BYTE PTR [rip+0x1],0x0; jne {to}; ret")), "");
        assert_eq!(
            of(&format!(
                "push rbp; mov rbp,rsp; sub rsp,0x10; mov QWORD PTR [rbp-0x8],rax; test al,al; jne 208 <door+0x8>; pop rbp; ret; add rsp,0x10; pop rbp; jmp {to}"
            )),
            ""
        );
        assert_eq!(of(&format!("push rbp; test al,al; je 206 <door+0x6>; pop rbp; jmp {to}; nop; ret")), "");
    }

    #[test]
    fn jump_under_another_node_is_not_the_door() {
        let to = "100 <ferromp::abi::x::door::watched>";
        let door = format!("0000000000000200 <door@@GOMP_1.0>:\n 200:\tjne    {to}\n 202:\tret\n");
        assert_eq!(
            faults(&format!("{WATCHED}{door}\n0000000000000300 <door@VERSION>:\n 300:\tjmp    200 <door@@GOMP_1.0>\n"))
                .join("\n"),
            ""
        );
    }

    #[test]
    fn doors_whose_names_a_macro_puts_together_are_looked_at() {
        let to = "100 <ferromp::abi::x::_::watched>";
        let text = "0000000000000100 <ferromp::abi::x::_::watched>:\n 100:\tret\n\n0000000000000200 <door@@VERSION>:\n";
        assert_eq!(faults(&format!("{text} 200:\tjne    {to}\n 202:\tret\n")).join("\n"), "");
        assert!(faults(&format!("{text} 200:\tpush   rbp\n 201:\tjne    {to}\n")).join("\n").contains("door: 8 bytes"));
        assert!(faults(&format!("{text} 200:\tcall   {to}\n")).join("\n").contains("door calls"));
        assert!(faults(&format!("{text} 200:\tret\n")).join("\n").contains("_ is not there"));
    }

    #[test]
    fn what_loses_the_caller_is_found() {
        let to = "100 <ferromp::abi::x::door::watched>";
        assert!(
            of(&format!("push rbp; test al,al; je 204 <door+0x4>; ret; call {to}; pop rbp; ret"))
                .contains("door calls")
        );
        assert!(of(&format!("push rbp; test al,al; je {to}; ret")).contains("8 bytes are on the stack"));
        assert!(
            of(&format!("push rbp; mov rbp,rsp; mov QWORD PTR [rbp+0x10],rax; pop rbp; test al,al; je {to}; ret"))
                .contains("a write to")
        );
        assert!(
            of(&format!("sub rsp,0x8; mov QWORD PTR [rsp+0x8],rax; add rsp,0x8; test al,al; je {to}; ret"))
                .contains("a write to")
        );
        assert!(of("ret").contains("a way out"));
        assert_eq!(faults("").len(), 1);
    }
}

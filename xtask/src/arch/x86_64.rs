//! x86-64: its names in other programs' worlds, and its instructions as objdump prints them.

use super::Flow;

/// What Rust calls it under Linux.
pub const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The file of the dynamic loader.
pub const LOADER: &str = "ld-linux-x86-64.so.2";

/// Macros for `glibc/*.c`.
pub const GLIBC_MACROS: [&str; 2] = ["-DFIRST_VERSION=\"GLIBC_2.2.5\"", "-DSTAT_LAYOUT=1"];

/// The relocation of a thread-local symbol in the initial-exec model.
pub const INITIAL_EXEC: &str = "R_X86_64_TPOFF64";

/// Options of objdump for the syntax that is read here.
pub const OBJDUMP: [&str; 2] = ["-M", "intel"];

/// Where an instruction leads.
pub fn flow(operation: &str) -> Flow {
    match operation {
        "jmp" => Flow::Jump,
        "call" => Flow::Call,
        "ret" => Flow::Return,
        _ if operation.starts_with('j') => Flow::Branch,
        _ => Flow::On,
    }
}

/// The address in the operands of a jump or call.
pub fn target(operands: &str) -> Option<u64> {
    u64::from_str_radix(operands.split_whitespace().next()?, 16).ok()
}

/// The bytes on the stack above the return address after an instruction that leads on, with `pushed` of them before it.
/// What the caller has put there must stay as it is. An error says what the instruction does.
pub fn pushed_after(operation: &str, operands: &str, pushed: i64) -> Result<i64, &'static str> {
    const UNKNOWN: &str = "an instruction that is not understood";
    let (target, source) = operands.split_once(',').unwrap_or((operands, ""));
    let number = |text: &str| i64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    match operation {
        "push" => return Ok(pushed + 8),
        "pop" => return Ok(pushed - 8),
        "leave" | "enter" => return Err(UNKNOWN),
        "cmp" | "test" => return Ok(pushed),
        _ => {}
    }
    if target == "rsp" {
        return match (operation, number(source)) {
            ("sub", Some(bytes)) => Ok(pushed + bytes),
            ("add", Some(bytes)) => Ok(pushed - bytes),
            _ => Err(UNKNOWN),
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
        return Err("a write to what the caller passed");
    }
    Ok(pushed)
}

#[cfg(test)]
mod tests {
    use crate::verify_entry_points::faults;

    const FOR_TOOLS: &str =
        "0000000000000100 <ferromp::abi::x::entry_point::for_tools>:\n 100:\tmov    rsi,QWORD PTR [rsp]\n\n";

    fn of(body: &str) -> String {
        let mut text = format!("{FOR_TOOLS}0000000000000200 <entry_point@@VERSION>:\n");
        for (at, line) in body.split("; ").enumerate() {
            text += &format!(" {:x}:\t{}\n", 0x200 + at, line.replacen(' ', "   ", 1));
        }
        faults(&text).join("\n")
    }

    #[test]
    fn jumps_with_the_stack_as_it_was_are_right() {
        let to = "100 <ferromp::abi::x::entry_point::for_tools>";
        assert_eq!(of(&format!("cmp BYTE PTR [rip+0x1],0x0; jne {to}; ret")), "");
        assert_eq!(
            of(&format!(
                "push rbp; mov rbp,rsp; sub rsp,0x10; mov QWORD PTR [rbp-0x8],rax; test al,al; jne 208 <entry_point+0x8>; pop rbp; ret; add rsp,0x10; pop rbp; jmp {to}"
            )),
            ""
        );
        assert_eq!(of(&format!("push rbp; test al,al; je 206 <entry_point+0x6>; pop rbp; jmp {to}; nop; ret")), "");
    }

    #[test]
    fn jump_under_another_node_is_not_the_entry_point() {
        let to = "100 <ferromp::abi::x::entry_point::for_tools>";
        let entry_point = format!("0000000000000200 <entry_point@@GOMP_1.0>:\n 200:\tjne    {to}\n 202:\tret\n");
        assert_eq!(
            faults(&format!("{FOR_TOOLS}{entry_point}\n0000000000000300 <entry_point@VERSION>:\n 300:\tjmp    200 <entry_point@@GOMP_1.0>\n"))
                .join("\n"),
            ""
        );
    }

    #[test]
    fn entry_points_named_by_a_macro_are_looked_at() {
        let to = "100 <ferromp::abi::x::_::for_tools>";
        let text = "0000000000000100 <ferromp::abi::x::_::for_tools>:\n 100:\tret\n\n0000000000000200 <entry_point@@VERSION>:\n";
        assert_eq!(faults(&format!("{text} 200:\tjne    {to}\n 202:\tret\n")).join("\n"), "");
        assert!(
            faults(&format!("{text} 200:\tpush   rbp\n 201:\tjne    {to}\n"))
                .join("\n")
                .contains("entry_point: 8 bytes")
        );
        assert!(faults(&format!("{text} 200:\tcall   {to}\n")).join("\n").contains("entry_point calls"));
        assert!(faults(&format!("{text} 200:\tret\n")).join("\n").contains("_ is not there"));
    }

    #[test]
    fn what_loses_the_caller_is_found() {
        let to = "100 <ferromp::abi::x::entry_point::for_tools>";
        assert!(
            of(&format!("push rbp; test al,al; je 204 <entry_point+0x4>; ret; call {to}; pop rbp; ret"))
                .contains("entry_point calls")
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

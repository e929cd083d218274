//! Symbols that Rust cannot express: versions, aliases and weak references.

/// Directives of the assembler, a line each, outside of any function. They may name what stands in the same module.
#[macro_export]
macro_rules! directives {
    ($($line:expr),+ $(,)?) => {
        std::arch::global_asm!($($line,)+ options(att_syntax));
    };
}

/// Defines a function, of any signature, that jumps to another one: `function_that_jumps!("name" => "other")`. The
/// other function finds its arguments and its caller as the call left them.
#[macro_export]
macro_rules! function_that_jumps {
    ($name:expr => $to:expr) => {
        std::arch::global_asm!(
            concat!(".globl ", $name),
            concat!(".type ", $name, ",@function"),
            concat!($name, ":"),
            concat!("jmp ", $to, "@PLT"),
            concat!(".size ", $name, ", . - ", $name),
            options(att_syntax),
        );
    };
}

/// Refers weakly to a symbol, in a section that the linker keeps: `weak_reference!("symbol", "section")`.
#[macro_export]
macro_rules! weak_reference {
    ($symbol:literal, $section:literal) => {
        std::arch::global_asm!(
            concat!(".weak ", $symbol),
            concat!(".pushsection ", $section, ",\"awR\",@progbits"),
            ".balign 8",
            concat!(".quad ", $symbol),
            ".popsection",
        );
    };
}

pub use {directives, function_that_jumps, weak_reference};

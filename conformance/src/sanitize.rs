//! The sanitizers of LLVM that the runtime can be built with, and how a program of the corpus runs under one: built
//! with the same sanitizer, on a runtime that was built with it, so that both sides of every hand-over are seen.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::compile::{Compiler, Language};
use crate::program::Program;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sanitizer {
    /// Data races.
    Thread,
    /// Accesses outside of objects, and after their end.
    Address,
}

/// Exit code by which a sanitizer reports.
pub const FINDINGS: i32 = 66;

/// Words in the text of programs that a sanitizer's own runtime does not let work, and why.
const BEYOND: [(&str, &str); 11] = [
    ("fork(", "sanitizers do not follow the fork of a process with threads"),
    ("system(", "the child has no sanitizer"),
    ("execv(", "the program starts itself anew, without the sanitizer's arrangement"),
    ("setrlimit", "a sanitizer's shadow memory needs more than the limit"),
    ("/proc/self", "a sanitizer has memory and threads of its own"),
    ("pthread_cancel", "a cancelled thread's stack is still marked as in use"),
    ("RTLD_NEXT", "the function that the program replaces is replaced by the sanitizer as well"),
    ("STACKSIZE", "a sanitizer needs larger stacks"),
    ("no-use-after-free", "the program uses freed memory on purpose"),
    ("mlock", "sanitizers make the call a call of nothing"),
    ("pthread_exit", "a sanitizer's runtime ends with the initial thread"),
];

impl Sanitizer {
    /// The sanitizer of a name on the command line.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<Sanitizer, String> {
        match name {
            "thread" => Ok(Sanitizer::Thread),
            "address" => Ok(Sanitizer::Address),
            other => Err(format!("there is no sanitizer `{other}`; thread and address are")),
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Sanitizer::Thread => "thread",
            Sanitizer::Address => "address",
        }
    }

    /// Compiler options. Without optimisation: clang moves loads of shared variables in front of the condition that
    /// they depend on, which a race detector takes for the program's own loads.
    pub fn flags(self) -> [String; 2] {
        [format!("-fsanitize={}", self.name()), "-O0".to_owned()]
    }

    /// Why a program cannot run under it; `None` if it can. `text` is the program's.
    pub fn cannot(self, program: &Program, compiler: Compiler, text: &str) -> Option<&'static str> {
        if program.language == Language::Fortran || compiler != Compiler::Clang {
            return Some("only clang's C and C++ programs are built with it");
        }
        if program.directives.flags.iter().any(|flag| flag.contains("no-openmp")) {
            return Some("the program has no OpenMP of its own");
        }
        BEYOND.iter().find(|(word, _)| text.contains(word)).map(|(_, why)| *why)
    }

    /// Arranges that a command runs under it: at addresses that its shadow memory has room for, and without anything
    /// preloaded that other programs of the system could not start with.
    pub fn prepare(self, command: &mut Command) {
        let common = format!("exitcode={FINDINGS}:allocator_may_return_null=1");
        command.env_remove("LD_PRELOAD");
        match self {
            Sanitizer::Thread => command.env("TSAN_OPTIONS", common),
            // What the runtime keeps for later is no leak, but the detector stops all threads for that question.
            Sanitizer::Address => command.env("ASAN_OPTIONS", format!("{common}:detect_leaks=0")),
        };
        // SAFETY: the child only makes a system call.
        unsafe {
            command.pre_exec(|| {
                // What fails here shows when the program starts.
                libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
                Ok(())
            })
        };
    }
}

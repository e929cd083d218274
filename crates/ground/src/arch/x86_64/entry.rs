//! How exported functions begin: macros that expand to the whole body of a naked function.
//!
//! The naked function tells its implementation who called: the return address (OMPT's `codeptr_ra`), and the frame. The
//! frame is the canonical frame address: the stack pointer before the call.

/// How many words of arguments a function gets in registers.
pub const ARGUMENT_WORDS: usize = 6;

/// How many of the words behind the three arguments of `__kmpc_fork_call` come in registers.
pub const FORK_WORDS: usize = ARGUMENT_WORDS - 3;

/// Jumps to `$implementation` with two more arguments, the return address and the frame, behind those named. At most
/// four arguments, words all of them.
#[macro_export]
macro_rules! entry_adds_caller {
    ($implementation:ident,) => { $crate::arch::entry_adds_caller!(@in $implementation "rdi" "rsi") };
    ($implementation:ident, $a:ident) => { $crate::arch::entry_adds_caller!(@in $implementation "rsi" "rdx") };
    ($implementation:ident, $a:ident $b:ident) => { $crate::arch::entry_adds_caller!(@in $implementation "rdx" "rcx") };
    ($implementation:ident, $a:ident $b:ident $c:ident) => {
        $crate::arch::entry_adds_caller!(@in $implementation "rcx" "r8")
    };
    ($implementation:ident, $a:ident $b:ident $c:ident $d:ident) => {
        $crate::arch::entry_adds_caller!(@in $implementation "r8" "r9")
    };
    (@in $implementation:ident $returns_to:literal $frame:literal) => {
        std::arch::naked_asm!(
            ".cfi_startproc",
            concat!("mov ", $returns_to, ", qword ptr [rsp]"),
            concat!("lea ", $frame, ", [rsp + 8]"),
            "jmp {implementation}",
            ".cfi_endproc",
            implementation = sym $implementation,
        )
    };
}

/// Leaves the return address and the frame where [`tls_call`](super::tls_call) finds them, and jumps to
/// `$implementation` with all arguments as they are.
#[macro_export]
macro_rules! entry_notes_caller {
    ($implementation:ident) => {
        std::arch::naked_asm!(
            ".cfi_startproc",
            $crate::arch::entry_notes_caller!(@instructions),
            "jmp {implementation}",
            ".cfi_endproc",
            implementation = sym $implementation,
        )
    };
    (@instructions) => {
        "mov r11, qword ptr [rip + ferromp_tls@GOTTPOFF]
         mov r10, qword ptr [rsp]
         mov qword ptr fs:[r11 + 8], r10
         lea r10, [rsp + 8]
         mov qword ptr fs:[r11 + 16], r10"
    };
}

/// The body of an entry point that takes a lock: makes the thread's word of the lock's word if that is 0, and returns.
/// If it is not, or if the thread has no word, jumps to `$slow(lock, found, return address, frame)`; `found` is the
/// lock's word, 0 for a thread without a word. The lock lies at the first or third argument, or is the static `$lock`.
///
/// It is [`LockWord::try_acquire`](crate::protocol::lock_word::LockWord::try_acquire) in assembly: a compiler would set
/// up a frame, which takes three instructions, for the sake of the jump. A locked instruction orders more than the
/// acquire that is asked for.
#[macro_export]
macro_rules! entry_takes_lock {
    ($slow:path, first) => { $crate::arch::entry_takes_lock!(@in $slow, "[rdi]", "") };
    ($slow:path, third) => { $crate::arch::entry_takes_lock!(@in $slow, "[rdx]", "mov rdi, rdx") };
    ($slow:path, $lock:path) => {
        $crate::arch::entry_takes_lock!(@in $slow, "[rip + {lock}]", "lea rdi, [rip + {lock}]", $lock)
    };
    (@in $slow:path, $word:literal, $address:literal $(, $lock:path)?) => {
        std::arch::naked_asm!(
            ".cfi_startproc",
            "mov r11, qword ptr [rip + ferromp_tls@GOTTPOFF]",
            "mov r10d, dword ptr fs:[r11 + 36]",
            "xor eax, eax",
            "test r10d, r10d",
            "jz 2f",
            concat!("lock cmpxchg dword ptr ", $word, ", r10d"),
            "jne 2f",
            "ret",
            "2:",
            $address,
            "mov esi, eax",
            "mov rdx, qword ptr [rsp]",
            "lea rcx, [rsp + 8]",
            "jmp {slow}",
            ".cfi_endproc",
            ".p2align 6", // of the section, which begins with this function
            slow = sym $slow,
            $(lock = sym $lock,)?
        )
    };
}

/// The body of an entry point that frees a lock: makes 0 of the lock's word and returns. If the word had one of the
/// bits `$more`, jumps to `$slow(lock, before, return address, frame)`; `before` is what the word was. It is
/// [`LockWord::release`](crate::protocol::lock_word::LockWord::release) in assembly. The rest is as for
/// [`entry_takes_lock!`].
#[macro_export]
macro_rules! entry_frees_lock {
    ($slow:path, $more:path, first) => {
        $crate::arch::entry_frees_lock!(@in $slow, $more, "[rdi]", "")
    };
    ($slow:path, $more:path, third) => {
        $crate::arch::entry_frees_lock!(@in $slow, $more, "[rdx]", "mov rdi, rdx")
    };
    ($slow:path, $more:path, $lock:path) => {
        $crate::arch::entry_frees_lock!(@in $slow, $more, "[rip + {lock}]", "lea rdi, [rip + {lock}]", $lock)
    };
    (@in $slow:path, $more:path, $word:literal, $address:literal $(, $lock:path)?) => {
        std::arch::naked_asm!(
            ".cfi_startproc",
            "xor eax, eax",
            concat!("xchg dword ptr ", $word, ", eax"),
            "test al, {more}",
            "jnz 2f",
            "ret",
            "2:",
            $address,
            "mov esi, eax",
            "mov rdx, qword ptr [rsp]",
            "lea rcx, [rsp + 8]",
            "jmp {slow}",
            ".cfi_endproc",
            ".p2align 6", // of the section, which begins with this function
            slow = sym $slow,
            more = const $more,
            $(lock = sym $lock,)?
        )
    };
}

/// The body of `f(loc, argc, microtask, ...)`: calls `$implementation(words, argc, microtask, return address, frame)`.
/// The first [`FORK_WORDS`] further words lie at `words`, the others at the frame.
#[macro_export]
macro_rules! entry_spills_fork {
    ($implementation:path) => {
        std::arch::naked_asm!(
            ".cfi_startproc",
            $crate::arch::entry_spills_words!(@push "r9"),
            $crate::arch::entry_spills_words!(@push "r8"),
            $crate::arch::entry_spills_words!(@push "rcx"),
            "mov rdi, rsp",                 // the first three words
            "lea r8, [rsp + 32]",           // the rest, and the frame: above the return address
            "mov rcx, qword ptr [rsp + 24]", // the return address
            "call {implementation}",
            "add rsp, 24",
            ".cfi_adjust_cfa_offset -24",
            "ret",
            ".cfi_endproc",
            implementation = sym $implementation,
        )
    };
}

/// The body of `f(word, ...)`: calls `$implementation(words, frame, return address)`. The first [`ARGUMENT_WORDS`]
/// arguments lie at `words`, the others at the frame.
#[macro_export]
macro_rules! entry_spills_words {
    ($implementation:ident) => {
        std::arch::naked_asm!(
            ".cfi_startproc",
            "sub rsp, 8", // keeps the stack aligned to 16 at the call
            ".cfi_adjust_cfa_offset 8",
            $crate::arch::entry_spills_words!(@push "r9"),
            $crate::arch::entry_spills_words!(@push "r8"),
            $crate::arch::entry_spills_words!(@push "rcx"),
            $crate::arch::entry_spills_words!(@push "rdx"),
            $crate::arch::entry_spills_words!(@push "rsi"),
            $crate::arch::entry_spills_words!(@push "rdi"),
            "mov rdi, rsp",                  // the first six arguments
            "lea rsi, [rsp + 64]",           // the rest, and the frame: above the return address
            "mov rdx, qword ptr [rsp + 56]", // the return address
            "call {implementation}",
            "add rsp, 56",
            ".cfi_adjust_cfa_offset -56",
            "ret",
            ".cfi_endproc",
            implementation = sym $implementation,
        )
    };
    (@push $register:literal) => {
        concat!("push ", $register, "\n.cfi_adjust_cfa_offset 8")
    };
}

/// The body of `f(loc, gtid, place, long double or its _Complex, flag)`: calls
/// `$implementation(loc, gtid, place, flag, value, undefined, wide)`, with a pointer to the value. `wide` is a
/// `_Float128` that came in the value's stead. The caller is left as by `entry_notes_caller!`.
#[macro_export]
macro_rules! entry_takes_long_double {
    ($implementation:ident) => {
        std::arch::naked_asm!(
            ".cfi_startproc",
            $crate::arch::entry_notes_caller!(@instructions),
            "lea r8, [rsp + 8]",
            "jmp {implementation}",
            ".cfi_endproc",
            implementation = sym $implementation,
        )
    };
}

/// As `entry_takes_long_double!`, of a function that returns a `long double`: `$implementation` writes it where its
/// sixth argument points.
#[macro_export]
macro_rules! entry_returns_long_double {
    ($implementation:ident) => {
        $crate::arch::entry_returns_long_double!(@loads $implementation "fld tbyte ptr [rsp]")
    };
    (@loads $implementation:ident $result:literal) => {
        std::arch::naked_asm!(
            ".cfi_startproc",
            $crate::arch::entry_notes_caller!(@instructions),
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            "sub rsp, 32",
            "lea r8, [rbp + 16]",
            "mov r9, rsp",
            "call {implementation}",
            $result,
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_endproc",
            implementation = sym $implementation,
        )
    };
}

/// As `entry_returns_long_double!`, of a function that returns a `long double _Complex`: the imaginary part is returned
/// below the real part.
#[macro_export]
macro_rules! entry_returns_complex_long_double {
    ($implementation:ident) => {
        $crate::arch::entry_returns_long_double!(@loads $implementation "fld tbyte ptr [rsp + 16]\nfld tbyte ptr [rsp]")
    };
}

/// Returns and does nothing else. Compilers make one of several Rust functions that are alike, and leave naked
/// functions as they are.
#[macro_export]
macro_rules! return_at_once {
    () => {
        std::arch::naked_asm!(".cfi_startproc", "ret", ".cfi_endproc")
    };
}

pub use {
    entry_adds_caller, entry_frees_lock, entry_notes_caller, entry_returns_complex_long_double,
    entry_returns_long_double, entry_spills_fork, entry_spills_words, entry_takes_lock, entry_takes_long_double,
    return_at_once,
};

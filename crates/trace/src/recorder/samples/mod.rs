//! Samples: where each thread is, about 199 times in a second of its time on a CPU.
//!
//! Each recorded thread has a timer on its own CPU clock ([`timer`]). Its signal interrupts the thread, and the handler
//! writes the instruction pointer and the callers ([`unwind`]) into a file that only the handler writes ([`sampler`]).
//! The handler neither locks nor allocates. It makes system calls, but no thread waits for it.
//!
//! The signal is one that the program does not use. A timer is armed for one sample at a time, by the handler. If the
//! program installs a handler of its own later, that handler gets at most one signal a thread, and the sampling ends.

mod sampler;
mod state;
mod timer;
pub mod unwind;

use super::errno::KeepErrno;
pub use sampler::Sampler;
pub use state::runtime_code;
use state::{HANDLER, RATE, RUNTIME, SIGNAL, STRANGE, is_ours};
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// Names the number of samples in a second of CPU time; 0 for none.
const RATE_VARIABLE: &str = crate::store::SAMPLES_VARIABLE;
/// Not a divisor of the frequencies that programs and kernels like, so that samples do not follow a program's beat.
const USUAL_RATE: u32 = 199;
/// More samples would change what is measured.
const HIGHEST_RATE: u32 = 1_000;

/// How the handler finds the calling thread's sampler.
static FIND: OnceLock<fn() -> Option<*mut Sampler>> = OnceLock::new();

/// Says how the handler finds the calling thread's sampler. `find` is async-signal-safe. Called before [`start`].
pub fn found_by(find: fn() -> Option<*mut Sampler>) {
    // A runtime that starts again says the same again.
    let _ = FIND.set(find);
}

/// Starts sampling in this process, unless the environment says otherwise. Returns the number of samples in a second;
/// 0 if there are none. In a forked child, the parent's handler is still there.
pub fn start() -> u32 {
    let wanted = std::env::var(RATE_VARIABLE).ok().and_then(|text| text.trim().parse().ok());
    let rate = wanted.unwrap_or(USUAL_RATE).min(HIGHEST_RATE);
    if rate == 0 {
        return 0;
    }
    let signal = match SIGNAL.load(Ordering::Relaxed) {
        0 => candidates().find(|signal| install(*signal)),
        signal => Some(signal).filter(|signal| is_ours(*signal)),
    };
    SIGNAL.store(signal.unwrap_or(0), Ordering::Relaxed);
    let rate = signal.map_or(0, |_| rate);
    RATE.store(rate, Ordering::Relaxed);
    rate
}

/// Ends sampling. A signal that is on its way is ignored.
pub fn stop() {
    let signal = SIGNAL.swap(0, Ordering::Relaxed);
    if signal != 0 && is_ours(signal) {
        // A late signal must not end the process. What is ignored stays ignored in programs that this one turns into,
        // hence the default action where it is harmless.
        let action = if signal == libc::SIGURG { libc::SIG_DFL } else { libc::SIG_IGN };
        // SAFETY: sets the action of a signal that had this module's handler.
        unsafe { libc::signal(signal, action) };
    }
}

/// Says which code is the runtime's: it is no part of a sample's stack, nor is what called it.
pub fn runtime_is_at(code: std::ops::Range<u64>) {
    RUNTIME[0].store(code.start, Ordering::Relaxed);
    RUNTIME[1].store(code.end, Ordering::Relaxed);
}

/// Whether a sample has met code that [`unwind`] does not know, since this was asked last.
pub fn met_strange_code() -> bool {
    STRANGE.load(Ordering::Relaxed) && STRANGE.swap(false, Ordering::Relaxed)
}

/// The signals to try. `SIGURG` comes first: it has the only harmless default action among the signals that hardly any
/// program uses, and debuggers pass it on without a word.
fn candidates() -> impl Iterator<Item = c_int> {
    std::iter::once(libc::SIGURG).chain((libc::SIGRTMIN()..libc::SIGRTMAX()).rev())
}

/// Installs the handler for a signal that has the default action.
fn install(signal: c_int) -> bool {
    // SAFETY: plain calls with live structures; a structure of zeros is valid. The handler has the type that the flag
    // `SA_SIGINFO` asks for.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &mut action) != 0 || action.sa_sigaction != libc::SIG_DFL {
            return false;
        }
        HANDLER.store(handler(), Ordering::Relaxed);
        action.sa_sigaction = handler();
        action.sa_flags = libc::SA_RESTART | libc::SA_SIGINFO | libc::SA_ONSTACK;
        // The program's handlers wait: they could take long, or never return.
        libc::sigfillset(&mut action.sa_mask);
        libc::sigaction(signal, &action, std::ptr::null_mut()) == 0
    }
}

fn handler() -> libc::sighandler_t {
    on_signal as unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as libc::sighandler_t
}

/// Takes a sample of the thread that it interrupts.
///
/// # Safety
/// Only the system calls this, as a handler with `SA_SIGINFO`.
unsafe extern "C" fn on_signal(_signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes both, because of `SA_SIGINFO`.
    let (info, context) = unsafe { (&*info, &*context.cast::<libc::ucontext_t>()) };
    if info.si_code != libc::SI_TIMER || SIGNAL.load(Ordering::Relaxed) == 0 {
        return;
    }
    let _errno = KeepErrno::new();
    if let Some(sampler) = FIND.get().and_then(|find| find()) {
        // SAFETY: the sampler is the thread's own, and only this handler uses it, which does not interrupt itself.
        unsafe { &mut *sampler }.sample(context);
    }
}

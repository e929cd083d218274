//! What a host device does: copies, fills, kernels. Here, and nowhere else, so that here is the place to look at the clock.

use super::lane::Lanes;
use crate::arch;
use crate::device::driver::{Address, Kernel, Launch, Note};
use crate::ompt::trace;
use crate::team::{Member, Outlined};
use crate::thread::Thread;

/// An operation, with the record's note.
#[derive(Clone, Copy)]
pub struct Operation<A> {
    pub what: What<A>,
    pub note: Note,
}

/// `A` holds a kernel's arguments.
#[derive(Clone, Copy)]
pub enum What<A> {
    Copy { to: Address, from: Address, bytes: usize },
    Fill { to: Address, value: u8, bytes: usize },
    Kernel { kernel: Kernel, arguments: A, num_teams: u32, thread_limit: u32, team_memory: u32 },
}

impl<'a> What<&'a [usize]> {
    /// A kernel.
    pub fn launch(launch: &Launch<'a>) -> Self {
        let &Launch { kernel, arguments, num_teams, thread_limit, dynamic_memory: team_memory, .. } = launch;
        What::Kernel { kernel, arguments, num_teams, thread_limit, team_memory }
    }
}

impl<A: AsRef<[usize]>> Operation<A> {
    /// Performs it.
    ///
    /// # Safety
    /// Both ranges of a copy are there, and of that many bytes; a kernel gets the arguments that its code expects. Nobody else uses what
    /// is written.
    pub unsafe fn perform(&self, lanes: &Lanes) {
        match &self.what {
            // SAFETY: the caller's; the two may overlap.
            What::Copy { to, from, bytes } => unsafe {
                let start = trace::transfer_begins(lanes.device());
                std::ptr::copy(*from as *const u8, *to as *mut u8, *bytes);
                if start != 0 {
                    trace::transfer(lanes.device(), &self.note, *from, *to, *bytes, start);
                }
            },
            // SAFETY: the caller's.
            What::Fill { to, value, bytes } => unsafe { std::ptr::write_bytes(*to as *mut u8, *value, *bytes) },
            What::Kernel { kernel, arguments, num_teams, thread_limit, team_memory } => {
                let arguments = arguments.as_ref();
                let code = Outlined {
                    invoke,
                    function: kernel.0 as *const _,
                    argc: arguments.len(),
                    head: arguments.as_ptr(),
                    tail: std::ptr::null(),
                };
                let limit = i32::try_from(*thread_limit).ok().filter(|&limit| limit > 0);
                lanes.run(&code, limit, *num_teams, *team_memory, &self.note);
            }
        }
    }
}

/// Calls a kernel with its arguments.
unsafe fn invoke(outlined: &Outlined, _: &Thread, _: &Member, exit_frame: *mut usize) {
    // SAFETY: as the caller of `perform` said.
    unsafe { arch::call_with(outlined.function, outlined.argc, outlined.head, exit_frame) };
}

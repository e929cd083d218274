//! What a host device does: copies, fills, kernels. Here, and nowhere else, so that here is the place to look at the
//! clock.

use super::lane::Lanes;
use super::shared::Wanted;
use crate::arch;
use crate::device::driver::{Address, Convention, Kernel, Launch, Note};
use crate::objects::structures::Thread;
use crate::objects::structures::{Member, Outlined};
use crate::ompt::trace;

/// An operation, with the record's note.
#[derive(Clone, Copy)]
pub struct Operation<A> {
    pub what: What<A>,
    pub note: Note,
}

/// `A` holds a kernel's arguments.
#[derive(Clone, Copy)]
pub enum What<A> {
    Copy {
        to: Address,
        from: Address,
        bytes: usize,
    },
    Fill {
        to: Address,
        value: u8,
        bytes: usize,
    },
    Kernel {
        kernel: Kernel,
        arguments: A,
        convention: Convention,
        num_teams: u32,
        thread_limit: u32,
        team_memory: Wanted,
    },
}

impl<'a> What<&'a [usize]> {
    /// A kernel.
    pub fn launch(launch: &Launch<'a>) -> Self {
        Self::launch_with(launch, launch.arguments)
    }
}

impl<A> What<A> {
    /// A kernel whose arguments are kept so.
    pub fn launch_with(launch: &Launch, arguments: A) -> Self {
        let &Launch { kernel, convention, num_teams, thread_limit, dynamic_memory: bytes, fallback, .. } = launch;
        What::Kernel { kernel, arguments, convention, num_teams, thread_limit, team_memory: Wanted { bytes, fallback } }
    }
}

impl<A: AsRef<[usize]>> Operation<A> {
    /// Performs it.
    ///
    /// # Safety
    /// Both ranges of a copy are there, and of that many bytes; a kernel gets the arguments that its code expects.
    /// Nobody else uses what is written.
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
            What::Kernel { kernel, arguments, convention, num_teams, thread_limit, team_memory } => {
                let arguments = arguments.as_ref();
                let code = Outlined {
                    invoke: if *convention == Convention::DriversLast { invoke_with_list } else { invoke },
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

/// Kernels with up to so many arguments have the list of their addresses on the stack.
const LISTED: usize = 32;

/// Calls a kernel with the address of a list of its arguments' addresses.
unsafe fn invoke_with_list(outlined: &Outlined, _: &Thread, _: &Member, exit_frame: *mut usize) {
    let address = |index| outlined.head.wrapping_add(index);
    let few: [*const usize; LISTED];
    let many: Vec<*const usize>;
    let list = if outlined.argc <= LISTED {
        few = std::array::from_fn(address);
        few.as_ptr().addr()
    } else {
        many = (0..outlined.argc).map(address).collect();
        many.as_ptr().addr()
    };
    // SAFETY: as the caller of `perform` said; list and arguments stay where they are until the kernel has ended.
    unsafe { arch::call_with(outlined.function, 1, &raw const list, exit_frame) };
}

//! What a host device does: copies, fills, kernels. Every operation comes through this file, which also reads the clock
//! for the device's trace.

use super::lane::Lanes;
use crate::arch;
use crate::device::driver::{Address, Convention, Kernel, Note, Region};
use crate::objects::structures::{Member, Outlined, Thread};
use crate::ompt::trace;

/// An operation, with the note for its record.
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
    Kernel { kernel: Kernel, arguments: A, region: Region },
}

impl<A: AsRef<[usize]>> Operation<A> {
    /// Performs the operation.
    ///
    /// # Safety
    /// As for the operations of [`Stream`](crate::device::driver::Stream); a kernel gets the arguments of its code.
    pub unsafe fn perform(&self, lanes: &Lanes) {
        match &self.what {
            // SAFETY: the caller's; `copy` allows overlap.
            What::Copy { to, from, bytes } => unsafe {
                let start = trace::transfer_begins(lanes.device());
                std::ptr::copy(*from as *const u8, *to as *mut u8, *bytes);
                if start != 0 {
                    trace::transfer(lanes.device(), &self.note, *from, *to, *bytes, start);
                }
            },
            // SAFETY: the caller keeps to the `# Safety` section.
            What::Fill { to, value, bytes } => unsafe { std::ptr::write_bytes(*to as *mut u8, *value, *bytes) },
            What::Kernel { kernel, arguments, region } => {
                let arguments = arguments.as_ref();
                let code = Outlined {
                    invoke: if region.convention == Convention::DriversLast { invoke_with_list } else { invoke },
                    function: kernel.0 as *const _,
                    argc: arguments.len(),
                    head: arguments.as_ptr(),
                    tail: std::ptr::null(),
                };
                lanes.run(&code, region, &self.note);
            }
        }
    }
}

/// Calls a kernel with its arguments.
unsafe fn invoke(outlined: &Outlined, _: &Thread, _: &Member, exit_frame: *mut usize) {
    // SAFETY: the contract of `Operation::perform`.
    unsafe { arch::call_with(outlined.function, outlined.argc, outlined.head, exit_frame) };
}

/// Up to this many arguments, the list of their addresses lies on the stack.
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
    // SAFETY: the contract of `Operation::perform`; list and arguments outlive the call.
    unsafe { arch::call_with(outlined.function, 1, &raw const list, exit_frame) };
}

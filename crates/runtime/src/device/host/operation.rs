//! What a host device does: copies, fills, kernels. Every operation comes through this file, which also reads the clock
//! for the device's trace.

use super::lane::Lanes;
use crate::arch;
use crate::device::driver::{Address, Convention, Kernel, Note, Region};
use crate::objects::structures::{Member, Outlined, Thread};
use crate::ompt::trace;

/// An operation. The arguments of a kernel stand beside it.
#[derive(Clone, Copy)]
pub enum Operation {
    Copy { to: Address, from: Address, bytes: usize },
    Fill { to: Address, value: u8, bytes: usize },
    Kernel { kernel: Kernel, region: Region },
}

impl Operation {
    /// Performs the operation. The note is for its record.
    ///
    /// # Safety
    /// As for the operations of [`Stream`](crate::device::driver::Stream); a kernel gets the arguments of its code.
    pub unsafe fn perform(&self, arguments: &[usize], note: &Note, lanes: &Lanes) {
        match *self {
            // SAFETY: the caller's; `copy` allows overlap.
            Operation::Copy { to, from, bytes } => unsafe {
                let start = trace::transfer_begins(lanes.device);
                std::ptr::copy(from as *const u8, to as *mut u8, bytes);
                if start != 0 {
                    trace::transfer(lanes.device, note, from, to, bytes, start);
                }
            },
            // SAFETY: the caller keeps to the `# Safety` section.
            Operation::Fill { to, value, bytes } => unsafe { std::ptr::write_bytes(to as *mut u8, value, bytes) },
            Operation::Kernel { kernel, ref region } => {
                let code = Outlined {
                    invoke: if region.convention == Convention::DriversLast { invoke_with_list } else { invoke },
                    function: kernel.0 as *const _,
                    argc: arguments.len(),
                    head: arguments.as_ptr(),
                    tail: std::ptr::null(),
                };
                lanes.run(&code, region, note);
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

//! Device memory routines (OpenMP 5.1 §3.8): memory of devices, copies between devices and the host, and filling; at
//! once or in a target task.

use super::available::host;
use super::devices::Device;
use super::driver::{Address, Direction, Note, Space, Stream};
use super::fallback::{Synchronisation, generate};
use crate::objects::call::Call;
use crate::objects::current;
use crate::objects::structures::{TargetTool, Thread};
use crate::ompt::{self, DataOp, Entered};
use crate::{stderr, warnings};
use std::ffi::c_void;

/// The most dimensions of a rectangle: there is no limit.
pub const MAX_DIMENSIONS: i32 = i32::MAX;
/// Bytes of the host's memory for a copy between devices that cannot reach each other's memory.
const BOUNCE: usize = 4 << 20;

/// The owner of a piece of memory.
#[derive(Clone, Copy)]
pub enum Owner {
    Host,
    Device(&'static Device),
}

/// An address in an owner's memory.
#[derive(Clone, Copy)]
pub struct Place {
    pub owner: Owner,
    pub address: usize,
}

impl Place {
    fn plus(self, bytes: usize) -> Place {
        Place { address: self.address.wrapping_add(bytes), ..self }
    }
}

/// A routine that is being executed, for tools.
pub struct Routine {
    tool: TargetTool,
}

impl Routine {
    /// A routine that the current task of `thread` has called at `call`.
    pub fn begin(thread: &Thread, call: Call) -> Self {
        Routine { tool: TargetTool::for_routine(thread, call) }
    }

    /// Performs an operation, with its events.
    fn report<R>(&self, operation: &DataOp, perform: impl FnOnce(Note) -> R) -> R {
        let done = perform(ompt::data_op_begin(&self.tool, operation));
        ompt::data_op_end(&self.tool, operation);
        done
    }

    /// Performs an operation on a stream of the device, with its events, and waits for it.
    fn transfer(
        &self,
        operation: &DataOp,
        device: &Device,
        queue: impl FnOnce(&dyn Stream, Note),
    ) -> Result<(), String> {
        let stream = device.stream(false);
        self.report(operation, |note| {
            queue(&*stream, note);
            stream.wait()
        })
    }
}

impl Drop for Routine {
    fn drop(&mut self) {
        self.tool.end();
    }
}

/// Memory of the host or a device; null if there is none left. A request for 0 bytes gets memory, too.
pub fn allocate(routine: &Routine, owner: Owner, bytes: usize, space: Space) -> *mut c_void {
    let Owner::Device(device) = owner else {
        // SAFETY: `malloc` has no preconditions.
        return unsafe { libc::malloc(bytes) };
    };
    let size = bytes.max(1);
    let operation = DataOp::alloc(0, bytes, host(), device.number);
    ompt::data_op_begin(&routine.tool, &operation);
    let memory = device.driver.allocate(size, space);
    if let Some(memory) = memory {
        device.blocks.with(|all| all.insert(memory, (size, space)));
    }
    ompt::data_op_end(&routine.tool, &operation.at(memory.unwrap_or(0)));
    memory.unwrap_or(0) as *mut c_void
}

/// Frees memory of [`allocate`], not null. Other memory is left alone, with a warning.
///
/// # Safety
/// The memory is no longer used.
pub unsafe fn free(routine: &Routine, owner: Owner, memory: *mut c_void) {
    let Owner::Device(device) = owner else {
        // SAFETY: the caller keeps to the `# Safety` section.
        return unsafe { libc::free(memory) };
    };
    let address = memory as Address;
    let Some((bytes, space)) = device.blocks.with(|all| all.remove(&address)) else {
        let number = device.number;
        warnings::warn(&format!(
            "ferromp: omp_target_free: {address:#x} is no memory that device {number} has given; ignored\n"
        ));
        return;
    };
    let operation = DataOp::delete(address, bytes, host(), device.number);
    // SAFETY: the list has size and space of the allocation; the rest is the caller's.
    routine.report(&operation, |_| unsafe { device.driver.free(address, bytes, space) });
}

/// Associates memory of a device with a variable of the host (§3.8.9). False if a part of the variable has another
/// counterpart.
pub fn associate(routine: &Routine, device: &'static Device, variable: usize, bytes: usize, address: Address) -> bool {
    let operation = DataOp::associate(variable, address, bytes, host(), device.number);
    routine.report(&operation, |_| device.maps.associate(variable, bytes, address))
}

/// Ends the association of a variable (§3.8.10). False if there is none, or a construct refers to the variable.
pub fn disassociate(routine: &Routine, device: &'static Device, variable: usize) -> bool {
    let Some((address, bytes)) = device.maps.disassociate(variable) else { return false };
    let operation = DataOp::disassociate(variable, address, bytes, host(), device.number);
    routine.report(&operation, |_| true)
}

/// An operation on memory, at once or in a target task.
pub trait Operation: Sized {
    /// Performs the operation. An error says what went wrong.
    ///
    /// # Safety
    /// The memory exists, and no other thread uses it in a conflicting way.
    unsafe fn perform(&self, routine: &Routine) -> Result<(), String>;

    /// Performs the operation in a target task, in the order that dependences ask for. An error is printed.
    ///
    /// # Safety
    /// As for [`perform`](Self::perform), until the task is complete.
    unsafe fn perform_in_task(self, thread: &'static Thread, order: Synchronisation, call: Call) {
        let _in = Entered::new(thread, call);
        let body = run::<Self> as unsafe extern "C" fn(*mut Later<Self>) as *const c_void;
        const { assert!(align_of::<Later<Self>>() <= 16) };
        generate(thread, order, call, size_of::<Later<Self>>(), body, |payload| {
            // SAFETY: `generate` passes as many bytes as asked for, aligned to 16.
            unsafe { payload.cast::<Later<Self>>().write(Later { operation: self, call }) };
        });
    }
}

/// An operation in the memory of its task, and the place of the call.
struct Later<T> {
    operation: T,
    call: Call,
}

/// The body of the task.
unsafe extern "C" fn run<T: Operation>(later: *mut Later<T>) {
    // SAFETY: `perform_in_task` has written the payload, and the body is called once.
    let Later { operation, call } = unsafe { later.read() };
    let routine = Routine::begin(current::current(), call);
    // The routine does not wait for its operations.
    routine.tool.kind.set(::ompt::Target::TARGET_NOWAIT);
    // SAFETY: the contract of `perform_in_task`.
    if let Err(why) = unsafe { operation.perform(&routine) } {
        complain(&why);
    }
}

/// Prints what went wrong.
#[cold]
pub fn complain(why: &str) {
    stderr::write_stderr(&format!("ferromp: a device memory routine failed: {why}\n"));
}

/// A copy. Within one owner's memory, the two ranges may overlap.
pub struct Copy {
    pub to: Place,
    pub from: Place,
    pub bytes: usize,
}

impl Operation for Copy {
    unsafe fn perform(&self, routine: &Routine) -> Result<(), String> {
        let Copy { to: Place { owner, address: to }, from: Place { owner: from_owner, address: from }, bytes } = *self;
        let copy = |device: &Device, operation: &DataOp, direction| {
            // SAFETY: the caller keeps to the `# Safety` section of the trait.
            let queue = |stream: &dyn Stream, note| unsafe { stream.copy(direction, to, from, bytes, note) };
            routine.transfer(operation, device, queue)
        };
        match (owner, from_owner) {
            _ if bytes == 0 => Ok(()),
            (Owner::Host, Owner::Host) => {
                // SAFETY: the caller's; `copy` allows overlap.
                unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
                Ok(())
            }
            (Owner::Device(device), Owner::Host) => {
                copy(device, &DataOp::to_device(from, to, bytes, host(), device.number), Direction::ToDevice)
            }
            (Owner::Host, Owner::Device(device)) => {
                copy(device, &DataOp::from_device(from, to, bytes, host(), device.number), Direction::FromDevice)
            }
            (Owner::Device(device), Owner::Device(other)) => {
                let operation = DataOp::between((from, other.number), (to, device.number), bytes);
                if device.number == other.number {
                    return copy(device, &operation, Direction::Within);
                }
                let mut reachable = true;
                // SAFETY: the caller keeps to the `# Safety` section of the trait.
                let done = routine.transfer(&operation, other, |stream, note| unsafe {
                    reachable = stream.across(device.driver, to, from, bytes, note);
                });
                // SAFETY: the caller keeps to the `# Safety` section of the trait.
                if reachable { done } else { unsafe { bounce(routine, self) } }
            }
        }
    }
}

/// Copies between two devices by way of the host's memory.
///
/// # Safety
/// As for [`Operation::perform`].
#[cold]
unsafe fn bounce(routine: &Routine, &Copy { to, from, bytes }: &Copy) -> Result<(), String> {
    let mut buffer = vec![0_u8; bytes.min(BOUNCE)];
    let between = Place { owner: Owner::Host, address: buffer.as_mut_ptr() as usize };
    for at in (0..bytes).step_by(BOUNCE) {
        let bytes = (bytes - at).min(BOUNCE);
        // SAFETY: the caller's; the buffer is large enough.
        unsafe {
            Copy { to: between, from: from.plus(at), bytes }.perform(routine)?;
            Copy { to: to.plus(at), from: between, bytes }.perform(routine)?;
        }
    }
    Ok(())
}

/// Sets bytes.
pub struct Fill {
    pub to: Place,
    pub value: u8,
    pub bytes: usize,
}

impl Operation for Fill {
    unsafe fn perform(&self, routine: &Routine) -> Result<(), String> {
        let Fill { to: Place { owner, address }, value, bytes } = *self;
        match owner {
            _ if bytes == 0 => Ok(()),
            Owner::Host => {
                // SAFETY: the caller keeps to the `# Safety` section of the trait.
                unsafe { std::ptr::write_bytes(address as *mut u8, value, bytes) };
                Ok(())
            }
            Owner::Device(device) => {
                let operation = DataOp::fill(address, bytes, host(), device.number);
                // SAFETY: the caller keeps to the `# Safety` section of the trait.
                routine.transfer(&operation, device, |stream, note| unsafe { stream.fill(address, value, bytes, note) })
            }
        }
    }
}

/// A copy from a part of a multidimensional array to a part of another.
pub struct Rectangle {
    to: Place,
    from: Place,
    /// Bytes that are contiguous in both arrays.
    run: usize,
    /// The other dimensions, outermost first.
    outer: Vec<Dimension>,
}

/// A dimension of a rectangle: the number of elements, and their distance in bytes in either array.
struct Dimension {
    count: usize,
    to_stride: usize,
    from_stride: usize,
}

impl Rectangle {
    /// A rectangle of `volume` elements of `element` bytes, at these offsets in arrays of these dimensions. `None` if a
    /// number of bytes overflows, or there is no dimension.
    pub fn new(
        (to, from): (Place, Place),
        element: usize,
        volume: &[usize],
        (to_offsets, from_offsets): (&[usize], &[usize]),
        (to_dimensions, from_dimensions): (&[usize], &[usize]),
    ) -> Option<Self> {
        let (mut to_stride, mut from_stride, mut to_start, mut from_start) = (element, element, 0_usize, 0_usize);
        let mut dimensions = Vec::with_capacity(volume.len());
        for index in (0..volume.len()).rev() {
            dimensions.push(Dimension { count: volume[index], to_stride, from_stride });
            to_start = to_start.checked_add(to_offsets[index].checked_mul(to_stride)?)?;
            from_start = from_start.checked_add(from_offsets[index].checked_mul(from_stride)?)?;
            to_stride = to_stride.checked_mul(to_dimensions[index])?;
            from_stride = from_stride.checked_mul(from_dimensions[index])?;
        }
        dimensions.reverse();
        let run = dimensions.pop()?.count.checked_mul(element)?;
        Some(Rectangle { to: to.plus(to_start), from: from.plus(from_start), run, outer: dimensions })
    }

    /// # Safety
    /// As for [`Operation::perform`].
    unsafe fn copy(&self, routine: &Routine, to: Place, from: Place, outer: &[Dimension]) -> Result<(), String> {
        match outer {
            // SAFETY: the caller keeps to the `# Safety` section.
            [] => unsafe { Copy { to, from, bytes: self.run }.perform(routine) },
            [dimension, inner @ ..] => (0..dimension.count).try_for_each(|number| {
                let (to, from) = (to.plus(number * dimension.to_stride), from.plus(number * dimension.from_stride));
                // SAFETY: the caller keeps to the `# Safety` section.
                unsafe { self.copy(routine, to, from, inner) }
            }),
        }
    }
}

impl Operation for Rectangle {
    unsafe fn perform(&self, routine: &Routine) -> Result<(), String> {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { self.copy(routine, self.to, self.from, &self.outer) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(volume: &[usize], offsets: (&[usize], &[usize]), dimensions: (&[usize], &[usize])) -> Option<[u8; 12]> {
        let from: [u8; 12] = std::array::from_fn(|index| index as u8);
        let mut to = [99; 12];
        let place = |address: *const u8| Place { owner: Owner::Host, address: address as usize };
        let rectangle = Rectangle::new((place(to.as_mut_ptr()), place(from.as_ptr())), 1, volume, offsets, dimensions)?;
        let routine = Routine { tool: TargetTool::default() };
        // SAFETY: the tests' rectangles lie in the arrays.
        unsafe { rectangle.perform(&routine) }.unwrap();
        Some(to)
    }

    #[test]
    fn rectangles() {
        let corner = copied(&[2, 2], (&[1, 0], &[0, 2]), (&[3, 4], &[3, 4]));
        assert_eq!(corner, Some([99, 99, 99, 99, 2, 3, 99, 99, 6, 7, 99, 99]));
        let line = copied(&[3], (&[9], &[1]), (&[12], &[12]));
        assert_eq!(line, Some([99, 99, 99, 99, 99, 99, 99, 99, 99, 1, 2, 3]));
        let other_shape = copied(&[2, 1, 2], (&[0, 0, 0], &[0, 1, 0]), (&[2, 2, 3], &[2, 3, 2]));
        assert_eq!(other_shape, Some([2, 3, 99, 99, 99, 99, 8, 9, 99, 99, 99, 99]));
        assert_eq!(copied(&[2, 0], (&[0, 0], &[0, 0]), (&[3, 4], &[3, 4])), Some([99; 12]));
    }

    #[test]
    fn impossible_rectangles() {
        assert!(copied(&[], (&[], &[]), (&[], &[])).is_none());
        assert!(copied(&[1, 1], (&[usize::MAX, 0], &[0, 0]), (&[3, 4], &[3, 4])).is_none());
    }
}

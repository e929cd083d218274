//! Device memory routines (OpenMP 5.1 §3.8): memory of devices, copies between any two of them and the host, and
//! filling; at once or in a target task.

use super::driver::{Address, Direction, Space};
use super::fallback::create;
use super::{Device, Synchronisation, host};
use crate::objects::body::Body;
use crate::objects::call::Call;
use crate::objects::current;
use crate::objects::structures::TargetTool;
use crate::objects::structures::Thread;
use crate::ompt;
use crate::ompt::{DataOp, Entered};
use crate::park::mutex::Mutex;
use crate::task;
use crate::{stderr, warnings};
use std::collections::BTreeMap;
use std::ffi::c_void;

/// As many dimensions as a copied rectangle may have: there is no limit.
pub const MAX_DIMENSIONS: i32 = i32::MAX;
/// Copies between devices that know nothing of each other go over so many bytes of the host at a time.
const BOUNCE: usize = 4 << 20;

/// Who has a piece of memory.
#[derive(Clone, Copy)]
pub enum Owner {
    Host,
    Device(&'static Device),
}

/// An address in somebody's memory.
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

/// A routine that is under way, for tools.
pub struct Routine {
    tool: TargetTool,
}

impl Routine {
    /// The current task of `thread` has called it at `call`.
    pub fn begin(thread: &Thread, call: Call) -> Self {
        Routine { tool: TargetTool::for_routine(thread, call) }
    }

    /// As [`begin`](Self::begin), in the target task of a routine that does not wait for the operation.
    fn begin_in_task(thread: &Thread, call: Call) -> Self {
        let routine = Self::begin(thread, call);
        routine.tool.set_asynchronous();
        routine
    }
}

impl Drop for Routine {
    fn drop(&mut self) {
        self.tool.routine_done();
    }
}

/// The memory that routines have given out on a device: how many bytes, and whose they are to use.
pub struct Blocks {
    all: Mutex<BTreeMap<Address, (usize, Space)>>,
}

impl Default for Blocks {
    fn default() -> Self {
        Self::new()
    }
}

impl Blocks {
    pub const fn new() -> Self {
        Blocks { all: Mutex::new(BTreeMap::new()) }
    }

    /// Whether all of these bytes are in one of them.
    pub fn have(&self, begin: usize, bytes: usize) -> bool {
        self.all.with(|all| {
            let before = all.range(..=begin).next_back();
            before.is_some_and(|(&block, &(size, _))| begin - block <= size && bytes <= size - (begin - block))
        })
    }

    /// In a forked child that keeps the device: whoever held the list is not there.
    pub fn force_open(&self) {
        self.all.force_open();
    }

    /// In a forked child without the device.
    pub fn renew_after_fork(&self) {
        self.all.renew_after_fork();
    }
}

/// Memory of the host or a device; null if there is none left. For no bytes there is some as well.
pub fn allocate(routine: &Routine, owner: Owner, bytes: usize, space: Space) -> *mut c_void {
    let Owner::Device(device) = owner else {
        // SAFETY: takes a size.
        return unsafe { libc::malloc(bytes) };
    };
    let size = bytes.max(1);
    let operation = DataOp::alloc(0, bytes, host(), device.number());
    ompt::data_op_begin(&routine.tool, &operation);
    let memory = device.driver().allocate(size, space);
    if let Some(memory) = memory {
        device.blocks.all.with(|all| all.insert(memory, (size, space)));
    }
    ompt::data_op_end(&routine.tool, &operation.at(memory.unwrap_or(0)));
    memory.unwrap_or(0) as *mut c_void
}

/// Gives back memory that [`allocate`] has given, which is not null. What is none of that is left alone, and that is
/// said.
///
/// # Safety
/// Nobody uses it any more.
pub unsafe fn free(routine: &Routine, owner: Owner, memory: *mut c_void) {
    let Owner::Device(device) = owner else {
        // SAFETY: the caller's.
        return unsafe { libc::free(memory) };
    };
    let address = memory as Address;
    let Some((bytes, space)) = device.blocks.all.with(|all| all.remove(&address)) else {
        let number = device.number();
        warnings::warn(&format!(
            "ferromp: omp_target_free: {address:#x} is no memory that device {number} has given; ignored\n"
        ));
        return;
    };
    let operation = DataOp::delete(address, bytes, host(), device.number());
    ompt::data_op_begin(&routine.tool, &operation);
    // SAFETY: allocated so, and the caller's.
    unsafe { device.driver().free(address, bytes, space) };
    ompt::data_op_end(&routine.tool, &operation);
}

/// Memory of a device stands for a variable of the host (§3.8.9). False if a part of that has another counterpart.
pub fn associate(routine: &Routine, device: &'static Device, variable: usize, bytes: usize, address: Address) -> bool {
    let operation = DataOp::associate(variable, address, bytes, host(), device.number());
    ompt::data_op_begin(&routine.tool, &operation);
    let done = device.maps.associate(variable, bytes, address);
    ompt::data_op_end(&routine.tool, &operation);
    done
}

/// It stands for it no longer (§3.8.10). False if it did not, or something holds the variable.
pub fn disassociate(routine: &Routine, device: &'static Device, variable: usize) -> bool {
    let Some((address, bytes)) = device.maps.disassociate(variable) else { return false };
    let operation = DataOp::disassociate(variable, address, bytes, host(), device.number());
    ompt::data_op_begin(&routine.tool, &operation);
    ompt::data_op_end(&routine.tool, &operation);
    true
}

/// An operation on memory that may be done later.
pub trait Operation: Sized {
    /// Does it; what went wrong, otherwise.
    ///
    /// # Safety
    /// The memory is there and nobody else writes to it, or to what is read.
    unsafe fn perform(&self, routine: &Routine) -> Result<(), String>;

    /// Does it in a target task, in the order that dependences ask for. What goes wrong then is said.
    ///
    /// # Safety
    /// As for [`perform`](Self::perform), until the task is complete.
    unsafe fn perform_in_task(self, thread: &'static Thread, order: Synchronisation, call: Call) {
        const { assert!(align_of::<Later<Self>>() <= 16) };
        let _in = Entered::new(thread, call);
        let task = create(thread, size_of::<Later<Self>>(), order);
        let payload = task.payload().cast::<Later<Self>>();
        // SAFETY: the payload has room for the operation, is aligned to 16 and nobody else's yet.
        unsafe { payload.write(Later { operation: self, call }) };
        let body = run::<Self> as unsafe extern "C" fn(*mut Later<Self>);
        task.set_body(Body { function: body as *const c_void, a: payload as usize, b: 0, after: std::ptr::null() });
        task::launch(thread, task, order.dependences, call);
    }
}

/// An operation in the memory of its task, and where it was asked for.
struct Later<T> {
    operation: T,
    call: Call,
}

/// The body of the task.
unsafe extern "C" fn run<T: Operation>(later: *mut Later<T>) {
    // SAFETY: `perform_in_task` has put one there for this call alone.
    let Later { operation, call } = unsafe { later.read() };
    let routine = Routine::begin_in_task(current::current(), call);
    // SAFETY: its caller's.
    if let Err(why) = unsafe { operation.perform(&routine) } {
        complain(&why);
    }
}

/// Says what went wrong.
#[cold]
pub fn complain(why: &str) {
    stderr::write_stderr(&format!("ferromp: a device memory routine failed: {why}\n"));
}

/// A copy: `memmove` where both are the same one's.
pub struct Copy {
    pub to: Place,
    pub from: Place,
    pub bytes: usize,
}

impl Operation for Copy {
    unsafe fn perform(&self, routine: &Routine) -> Result<(), String> {
        let Copy { to, from, bytes } = *self;
        let tool = &routine.tool;
        match (to.owner, from.owner) {
            _ if bytes == 0 => Ok(()),
            (Owner::Host, Owner::Host) => {
                // SAFETY: the caller's; the two may overlap.
                unsafe { std::ptr::copy(from.address as *const u8, to.address as *mut u8, bytes) };
                Ok(())
            }
            (Owner::Device(device), Owner::Host) => {
                let operation = DataOp::to_device(from.address, to.address, bytes, host(), device.number());
                // SAFETY: the caller's.
                transferred(tool, &operation, device, |stream, note| unsafe {
                    stream.transfer(Direction::ToDevice, to.address, from.address as *mut u8, bytes, note);
                })
            }
            (Owner::Host, Owner::Device(device)) => {
                let operation = DataOp::from_device(from.address, to.address, bytes, host(), device.number());
                // SAFETY: the caller's.
                transferred(tool, &operation, device, |stream, note| unsafe {
                    stream.transfer(Direction::FromDevice, from.address, to.address as *mut u8, bytes, note);
                })
            }
            (Owner::Device(device), Owner::Device(other)) => {
                let numbers = (other.number(), device.number());
                let operation = DataOp::between((from.address, numbers.0), (to.address, numbers.1), bytes);
                let mut known = true;
                // SAFETY: the caller's.
                let done = transferred(tool, &operation, other, |stream, note| unsafe {
                    if numbers.0 == numbers.1 {
                        stream.within(to.address, from.address, bytes, note);
                    } else {
                        known = stream.across(device.driver(), to.address, from.address, bytes, note);
                    }
                });
                // SAFETY: the caller's.
                if known { done } else { unsafe { bounce(routine, to, from, bytes) } }
            }
        }
    }
}

/// Does something on a stream of the device, with the events of it, and waits for it.
fn transferred(
    tool: &TargetTool,
    operation: &DataOp,
    device: &Device,
    what: impl FnOnce(&dyn super::driver::Stream, ompt::Note),
) -> Result<(), String> {
    let stream = device.stream(false);
    let note = ompt::data_op_begin(tool, operation);
    what(&*stream, note);
    let done = stream.wait();
    ompt::data_op_end(tool, operation);
    done
}

/// Copies between two devices by way of the host.
///
/// # Safety
/// As for [`Operation::perform`].
#[cold]
unsafe fn bounce(routine: &Routine, to: Place, from: Place, bytes: usize) -> Result<(), String> {
    let mut buffer = vec![0_u8; bytes.min(BOUNCE)];
    let by_way = Place { owner: Owner::Host, address: buffer.as_mut_ptr() as usize };
    for at in (0..bytes).step_by(BOUNCE) {
        let bytes = (bytes - at).min(BOUNCE);
        // SAFETY: the caller's.
        unsafe {
            Copy { to: by_way, from: from.plus(at), bytes }.perform(routine)?;
            Copy { to: to.plus(at), from: by_way, bytes }.perform(routine)?;
        }
    }
    Ok(())
}

/// `memset`
pub struct Fill {
    pub to: Place,
    pub value: u8,
    pub bytes: usize,
}

impl Operation for Fill {
    unsafe fn perform(&self, routine: &Routine) -> Result<(), String> {
        let Fill { to, value, bytes } = *self;
        match to.owner {
            _ if bytes == 0 => Ok(()),
            Owner::Host => {
                // SAFETY: the caller's.
                unsafe { std::ptr::write_bytes(to.address as *mut u8, value, bytes) };
                Ok(())
            }
            Owner::Device(device) => {
                let operation = DataOp::fill(to.address, bytes, host(), device.number());
                // SAFETY: the caller's.
                transferred(&routine.tool, &operation, device, |stream, note| unsafe {
                    stream.fill(to.address, value, bytes, note)
                })
            }
        }
    }
}

/// Copies a part of a multidimensional array to a part of another.
pub struct Rectangle {
    to: Place,
    from: Place,
    /// Bytes that lie together in both.
    run: usize,
    /// The other dimensions, outermost first.
    outer: Vec<Dimension>,
}

/// A dimension of a rectangle: how many there are, and how many bytes lie between one and the next in either array.
struct Dimension {
    count: usize,
    to_stride: usize,
    from_stride: usize,
}

impl Rectangle {
    /// A rectangle of `volume` elements of `element` bytes, at the offsets given in arrays of the dimensions given.
    /// `None` where a number of bytes is larger than any memory, or there is no dimension.
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
            // SAFETY: the caller's.
            [] => unsafe { Copy { to, from, bytes: self.run }.perform(routine) },
            [dimension, inner @ ..] => (0..dimension.count).try_for_each(|number| {
                let (to, from) = (to.plus(number * dimension.to_stride), from.plus(number * dimension.from_stride));
                // SAFETY: the caller's.
                unsafe { self.copy(routine, to, from, inner) }
            }),
        }
    }
}

impl Operation for Rectangle {
    unsafe fn perform(&self, routine: &Routine) -> Result<(), String> {
        // SAFETY: the caller's.
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

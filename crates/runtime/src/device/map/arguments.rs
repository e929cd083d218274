//! What a kernel is called with: device addresses of mapped variables, values, and copies of its own of private
//! variables (OpenMP 5.1 §2.14.5, §2.21.4.4).

use super::context::Context;
use super::failure::Failure;
use super::items::{Item, Work, task};
use super::types::{MapType, POINTER};
use super::work::Done;

/// Firstprivate variables up to this size are transferred together.
const SMALL: usize = 1024;
/// Private variables are aligned as on the host, up to this.
const MOST_ALIGNED: usize = 64;

impl Work {
    /// Makes the arguments of the kernel whose variables [`begin`](Work::begin) has mapped, after `leading` ones that
    /// are 0.
    ///
    /// # Safety
    /// The variables are there until the kernel has ended.
    pub unsafe fn make_arguments(&mut self, context: &Context, leading: usize) -> Done {
        self.arguments.resize(leading, 0);
        if self.items.iter().any(|item| item.variable.kind.has(MapType::PRIVATE)) {
            // SAFETY: the caller's.
            unsafe { self.make_privates(context)? };
        }
        for item in self.items.iter().filter(|item| item.variable.kind.has(MapType::TARGET_PARAM)) {
            self.arguments.push(self.argument(item));
        }
        if self.late {
            // SAFETY: the caller's.
            unsafe { self.fill_captures(context) };
        }
        Ok(())
    }

    fn argument(&self, item: &Item) -> usize {
        let kind = item.variable.kind;
        if kind.has(MapType::LITERAL) {
            return item.variable.base;
        }
        if kind.has(MapType::PRIVATE) {
            let begin = self.privates.0 + item.offset;
            return begin.wrapping_sub(item.variable.begin).wrapping_add(item.variable.base);
        }
        // A pointer to what is not mapped keeps its value.
        item.device_base()
    }

    /// Lays out the private variables in one block of the device's memory, small firstprivate ones first, and fills
    /// them.
    unsafe fn make_privates(&mut self, context: &Context) -> Done {
        let mut bytes = 0;
        for small in [true, false] {
            for item in self.items.iter_mut().filter(|item| item.variable.kind.has(MapType::PRIVATE)) {
                let (variable, first) = (item.variable, item.variable.kind.has(MapType::TO));
                let attached = variable.kind.is_private_attachment();
                if (first && (variable.bytes <= SMALL || attached)) != small {
                    continue;
                }
                bytes = usize::next_multiple_of(bytes, alignment(variable.begin));
                item.offset = bytes;
                if small {
                    self.packed.resize(bytes + variable.bytes, 0);
                    // SAFETY: the caller's variable; the destination has just been made as long.
                    unsafe {
                        std::ptr::copy_nonoverlapping(
                            variable.begin as *const u8,
                            self.packed.as_mut_ptr().add(bytes),
                            variable.bytes,
                        );
                    }
                    if attached {
                        let value = item.private_pointer();
                        self.packed[bytes..bytes + POINTER].copy_from_slice(&value.to_ne_bytes());
                    }
                }
                bytes += variable.bytes;
            }
        }
        if bytes == 0 {
            return Ok(());
        }
        let block = context.allocate(self.packed.as_ptr().addr(), bytes, 0);
        let block = block.ok_or(Failure::NoMemoryForPrivates { bytes })?;
        self.privates = (block, bytes);
        if !self.packed.is_empty() {
            let packed = self.packed.as_ptr().addr();
            // SAFETY: the block is at least as long, and the copy stays until the construct's end.
            unsafe { context.send(packed, packed, block, self.packed.len()) };
        }
        for item in &self.items {
            let variable = item.variable;
            let kind = variable.kind;
            if kind.has(MapType::PRIVATE)
                && kind.has(MapType::TO)
                && !kind.has(MapType::ATTACH)
                && variable.bytes > SMALL
            {
                // SAFETY: the caller's; laid out above.
                unsafe { context.send(variable.begin, variable.begin, block + item.offset, variable.bytes) };
            }
        }
        Ok(())
    }

    /// Lets the pointers of lambda expressions to what they capture by reference point to the counterparts.
    #[cold]
    unsafe fn fill_captures(&mut self, context: &Context) {
        for index in 0..self.items.len() {
            let item = &self.items[index];
            let kind = item.variable.kind;
            if !kind.is_capture() || !item.has(task::LATE) || item.entry.is_none() {
                continue;
            }
            let parent = kind.parent().and_then(|parent| self.items.iter().find(|item| item.index as usize == parent));
            let Some(parent) = parent else { continue };
            let (pointer, value) = (item.variable.base, item.device_begin());
            let lambda = match parent.variable.kind.has(MapType::PRIVATE) {
                true => self.privates.0 + parent.offset,
                false => parent.device_begin(),
            };
            let device = lambda.wrapping_add(pointer.wrapping_sub(parent.variable.begin));
            self.items[index].pointer_value = value;
            let value = (&raw const self.items[index].pointer_value).addr();
            // SAFETY: a pointer in the lambda expression's counterpart; its value stays where it is until the
            // construct's end.
            unsafe { context.send(pointer, value, device, POINTER) };
        }
    }
}

impl Item {
    /// What the copy of a pointer is that a kernel has for itself: it points to the counterpart, or to what it points
    /// to on the host where there is none.
    fn private_pointer(&self) -> usize {
        // SAFETY: the program's pointer.
        let value = unsafe { (self.pointer as *const usize).read_unaligned() };
        match self.pointer_entry {
            Some(entry) => (entry.device() + self.pointer_offset).wrapping_sub(self.pointer_value).wrapping_add(value),
            None => value,
        }
    }
}

/// As the host has it: no more is known. A variable without an address needs none.
fn alignment(address: usize) -> usize {
    if address == 0 { 1 } else { 1 << address.trailing_zeros().min(MOST_ALIGNED.trailing_zeros()) }
}

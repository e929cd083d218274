//! The arguments of a kernel: device addresses of mapped variables, values, and addresses of private copies (OpenMP 5.1
//! §2.14.5, §2.21.4.4).

use super::context::Context;
use super::failure::{Done, Failure};
use super::items::{COMPONENT, Item, Work, flag};
use super::types::{MapType, POINTER};

/// Firstprivate variables up to this size are transferred together.
const SMALL: usize = 1024;
/// The largest alignment that private variables share with the host's.
const MOST_ALIGNED: usize = 64;

impl Work {
    /// Makes the arguments of the kernel whose variables [`begin`](Work::begin) has mapped, behind `leading` arguments
    /// of the driver's, which are 0.
    ///
    /// # Safety
    /// The variables exist until the kernel has ended.
    pub unsafe fn make_arguments(&mut self, context: &Context, leading: usize) -> Done {
        self.arguments.resize(leading, 0);
        if self.items.iter().any(|item| item.variable.kind.has(MapType::PRIVATE)) {
            // SAFETY: the caller keeps to the `# Safety` section.
            unsafe { self.make_privates(context)? };
        }
        // clang's mapper for an array lists the array itself once more, with the bit of an argument. A kernel takes the
        // variable once, and the CUDA driver launches none that gets more arguments than its code has.
        let is_argument = |item: &&Item| item.index < COMPONENT && item.variable.kind.has(MapType::TARGET_PARAM);
        for item in self.items.iter().filter(is_argument) {
            self.arguments.push(self.argument(item));
        }
        if self.late {
            // SAFETY: the caller keeps to the `# Safety` section.
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
        // A pointer to an unmapped variable keeps the host's value.
        item.device_base()
    }

    /// Lays out the private variables in one block of the device's memory, and fills firstprivate ones. Small ones come
    /// first: they are transferred together.
    ///
    /// # Safety
    /// The variables exist until the kernel has ended.
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
            // SAFETY: the block is not smaller, and `packed` stays until the construct's end.
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

    /// Points a lambda expression's captures by reference to the counterparts on the device.
    ///
    /// # Safety
    /// The variables exist until the kernel has ended.
    #[cold]
    unsafe fn fill_captures(&mut self, context: &Context) {
        for index in 0..self.items.len() {
            let item = &self.items[index];
            let kind = item.variable.kind;
            if !kind.is_capture() || !item.has(flag::LATE) || item.entry.is_none() {
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
            // SAFETY: the pointer lies in the lambda expression's counterpart; `pointer_value` stays until the
            // construct's end.
            unsafe { context.send(pointer, value, device, POINTER) };
        }
    }
}

impl Item {
    /// The value of a kernel's own copy of a pointer: the counterpart's address, or the host's if there is no
    /// counterpart.
    fn private_pointer(&self) -> usize {
        // SAFETY: the program's pointer.
        let value = unsafe { (self.pointer as *const usize).read_unaligned() };
        match self.pointer_entry {
            Some(entry) => (entry.device() + self.pointer_offset).wrapping_sub(self.pointer_value).wrapping_add(value),
            None => value,
        }
    }
}

/// The alignment of a private copy. Only the alignment of the host's variable is known; one without an address needs
/// none.
fn alignment(address: usize) -> usize {
    if address == 0 { 1 } else { 1 << address.trailing_zeros().min(MOST_ALIGNED.trailing_zeros()) }
}

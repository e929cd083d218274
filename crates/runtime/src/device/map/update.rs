//! The `target update` construct: copies of mapped variables in either direction, whole or in pieces (OpenMP 5.1
//! §2.14.6).

use super::context::Context;
use super::failure::Done;
use super::items::{Item, Work};
use super::mapper::Phase;
use super::types::{Lists, MapType, Variable};
use crate::device::caller::release_of;

/// One dimension of the updated part of an array, outermost first: LLVM's `__tgt_target_non_contig`. The last dimension
/// is the element.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    /// The offset of the first element: in bytes, or in strides up to clang 22.
    pub offset: u64,
    pub count: u64,
    /// Bytes from one element to the next.
    pub stride: u64,
}

impl Work {
    /// Copies variables that are mapped, and ignores others unless the map type says `present`.
    /// [`finish`](Self::finish) follows when what is queued is complete. `caller` is an address of the program's code.
    ///
    /// # Safety
    /// The lists are as the compiler makes them, and the variables exist until [`finish`](Self::finish).
    pub unsafe fn update(&mut self, context: &Context, lists: &Lists, caller: usize) -> Done {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.expand(lists, Phase::Update)? };
        self.split_pieces(caller);
        context.device.maps.with(|table| self.find_mapped(table, Phase::Update))?;
        self.order(context);
        self.await_ready(context);
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe {
            self.copy(context, MapType::TO);
            self.copy(context, MapType::FROM);
        }
        self.leave_marks(context);
        Ok(())
    }

    /// Replaces each item that is not contiguous by its contiguous pieces.
    fn split_pieces(&mut self, caller: usize) {
        if !self.items.iter().any(|item| item.variable.kind.has(MapType::NON_CONTIGUOUS)) {
            return;
        }
        for item in std::mem::take(&mut self.items) {
            if !item.variable.kind.has(MapType::NON_CONTIGUOUS) {
                self.items.push(item);
                continue;
            }
            let (list, count) = (item.variable.begin as *const Dimension, item.variable.bytes);
            // SAFETY: the compiler passes the address of such a list, and its length as the size.
            let dimensions = unsafe { std::slice::from_raw_parts(list, count) };
            let dimensions = in_bytes(dimensions, || release_of(caller));
            pieces(&dimensions, |offset, bytes| {
                let begin = item.variable.base.wrapping_add(offset);
                let variable = Variable { begin, bytes, ..item.variable };
                self.items.push(Item::new(variable, item.index, 0));
            });
        }
    }
}

/// The first release of clang that counts offsets in bytes. Its element dimension has a stride of 1 and counts bytes;
/// that of earlier releases has a count of 1 and the size as the stride.
const OFFSETS_IN_BYTES: u32 = 23;

/// The dimensions with offsets in bytes. The element dimension tells which unit the offsets have, except for elements
/// of one byte; then the release that the program was linked for decides.
fn in_bytes(dimensions: &[Dimension], release: impl FnOnce() -> Option<u32>) -> Vec<Dimension> {
    let is_in_bytes = match dimensions.last() {
        Some(element) if element.stride > 1 => false,
        Some(element) if element.count > 1 => true,
        _ if dimensions.iter().all(|dimension| dimension.offset == 0) => true,
        _ => release().is_some_and(|release| release >= OFFSETS_IN_BYTES),
    };
    let scaled = |dimension: &Dimension| match is_in_bytes {
        true => *dimension,
        false => Dimension { offset: dimension.offset * dimension.stride, ..*dimension },
    };
    dimensions.iter().map(scaled).collect()
}

/// Calls `with` for each contiguous run of bytes, with its offset and length. The dimensions' offsets are in bytes.
fn pieces(dimensions: &[Dimension], mut with: impl FnMut(usize, usize)) {
    let Some(last) = dimensions.last() else { return };
    let mut bytes = (last.count * last.stride) as usize;
    let mut outer = dimensions.len() - 1;
    let mut start = last.offset as usize;
    // A dimension is contiguous if its stride is the size of what is taken of each element.
    while outer > 0 && dimensions[outer - 1].stride as usize == bytes && start == 0 {
        outer -= 1;
        bytes = (dimensions[outer].count * dimensions[outer].stride) as usize;
        start = dimensions[outer].offset as usize;
    }
    runs(&dimensions[..outer], start, bytes, &mut with);
}

fn runs(dimensions: &[Dimension], offset: usize, bytes: usize, with: &mut impl FnMut(usize, usize)) {
    match dimensions {
        [] => with(offset, bytes),
        [first, inner @ ..] => {
            for element in 0..first.count {
                runs(inner, offset + (first.offset + element * first.stride) as usize, bytes, with);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(dimensions: &[(u64, u64, u64)]) -> Vec<(usize, usize)> {
        all_of_release(dimensions, None)
    }

    fn all_of_release(dimensions: &[(u64, u64, u64)], release: Option<u32>) -> Vec<(usize, usize)> {
        let dimensions: Vec<_> =
            dimensions.iter().map(|&(offset, count, stride)| Dimension { offset, count, stride }).collect();
        let dimensions = in_bytes(&dimensions, || release);
        let mut all = Vec::new();
        pieces(&dimensions, |offset, bytes| all.push((offset, bytes)));
        all
    }

    #[test]
    fn pieces_of_arrays() {
        // Columns 1 and 2 of rows 0 and 2 of ints in rows of 5.
        assert_eq!(all(&[(0, 2, 40), (1, 2, 4)]), [(4, 8), (44, 8)]);
        // Whole rows lie together.
        assert_eq!(all(&[(1, 2, 20), (0, 5, 4)]), [(20, 40)]);
        // Every other element.
        assert_eq!(all(&[(0, 3, 8), (0, 1, 4)]), [(0, 4), (8, 4), (16, 4)]);
        assert_eq!(all(&[]), []);
    }

    #[test]
    fn offsets_in_bytes_were_taken_for_so_many_strides() {
        // As clang 23 has ints 0 and 2 of rows 3 and 4 of 12; as earlier ones have it.
        let expected = [(144, 4), (152, 4), (192, 4), (200, 4)];
        assert_eq!(all(&[(144, 2, 48), (0, 2, 8), (0, 4, 1)]), expected);
        assert_eq!(all(&[(3, 2, 48), (0, 2, 8), (0, 1, 4)]), expected);
        // Elements of one byte do not tell.
        let characters = [(12, 2, 12), (0, 2, 2), (0, 1, 1)];
        assert_eq!(all_of_release(&characters, Some(23))[0], (12, 1));
        assert_eq!(all_of_release(&characters, Some(22))[0], (144, 1));
        assert_eq!(all_of_release(&characters, None)[0], (144, 1));
    }
}

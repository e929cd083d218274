//! Blocks with pages of their own, which lie in certain NUMA domains or stay in memory (OpenMP 5.1 §2.13.2): for the
//! traits `partition` and `pinned`, and for spaces other than ordinary memory.

use crate::{arch, warn_once};
use std::io::Error;
use std::ptr::NonNull;

use super::nodes;
use crate::allocators::traits::{Partition, Traits};

/// The domains of a block's pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Any domain: the operating system decides.
    Anywhere,
    /// This domain, as long as it has free memory.
    Near(u32),
    /// These domains and no others.
    Only(Vec<u32>),
    /// These domains in turn, page by page.
    InTurn(Vec<u32>),
    /// As `InTurn`, by parts of this many bytes, which are whole pages.
    InRounds(Vec<u32>, usize),
    /// These domains, one part of equal size in each.
    InParts(Vec<u32>),
}

/// The layout for the traits `partition` and `part_size` in a space of these domains; `None` for ordinary memory, which
/// is in `all` domains.
pub fn layout(space: Option<&[u32]>, traits: &Traits, all: &[u32], nearest: impl FnOnce() -> u32) -> Layout {
    let nodes = space.unwrap_or(all);
    match traits.partition {
        Partition::Interleaved if nodes.len() > 1 => match whole(traits.part_size) {
            Some(part) if part > whole(1).unwrap_or(part) => Layout::InRounds(nodes.to_vec(), part),
            _ => Layout::InTurn(nodes.to_vec()),
        },
        Partition::Blocked if nodes.len() > 1 => Layout::InParts(nodes.to_vec()),
        Partition::Nearest if space.is_none() && nodes.len() > 1 => Layout::Near(nearest()),
        _ => space.map_or(Layout::Anywhere, |nodes| Layout::Only(nodes.to_vec())),
    }
}

/// New pages of at least `bytes` bytes in this layout, all zero; `pinned` pages stay in memory. `None` if the system
/// refuses.
pub fn map(bytes: usize, layout: &Layout, pinned: bool) -> Option<NonNull<u8>> {
    if let Layout::Only(nodes) = layout
        && nodes::free_bytes(nodes) < bytes as u64
    {
        return None;
    }
    let bytes = whole(bytes)?;
    let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address of the kernel's choice.
    let base = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, flags, -1, 0) };
    if base == libc::MAP_FAILED {
        return None;
    }
    let base = NonNull::new(base.cast::<u8>())?;
    if lay_out(base, bytes, layout) && (!pinned || pin(base, bytes)) {
        return Some(base);
    }
    // SAFETY: the mapping from above, which is not used yet.
    unsafe { unmap(base.as_ptr(), bytes) };
    None
}

/// Gives pages back.
///
/// # Safety
/// The pages are from [`map`], for the same size, and no longer used.
pub unsafe fn unmap(base: *mut u8, bytes: usize) {
    let bytes = whole(bytes).unwrap_or(bytes);
    // SAFETY: the caller's. Unmapping unpins.
    unsafe { libc::munmap(base.cast(), bytes) };
}

/// The size in whole pages.
fn whole(bytes: usize) -> Option<usize> {
    // SAFETY: no preconditions.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(arch::PAGE);
    bytes.checked_next_multiple_of(page)
}

/// A call of `mbind`: a part of the pages, the mode and the domains.
#[derive(PartialEq, Eq, Debug)]
struct Bind<'a> {
    offset: usize,
    bytes: usize,
    mode: libc::c_int,
    nodes: &'a [u32],
}

/// The calls for a layout of `bytes` bytes in pages of `page` bytes.
fn binds(layout: &Layout, bytes: usize, page: usize) -> Vec<Bind<'_>> {
    match layout {
        Layout::Anywhere => Vec::new(),
        Layout::Near(node) => {
            vec![Bind { offset: 0, bytes, mode: libc::MPOL_PREFERRED, nodes: std::slice::from_ref(node) }]
        }
        Layout::Only(nodes) => vec![Bind { offset: 0, bytes, mode: libc::MPOL_BIND, nodes }],
        Layout::InTurn(nodes) => vec![Bind { offset: 0, bytes, mode: libc::MPOL_INTERLEAVE, nodes }],
        Layout::InRounds(nodes, part) => in_parts(bytes, *part, nodes),
        Layout::InParts(nodes) => in_parts(bytes, (bytes / page).div_ceil(nodes.len()) * page, nodes),
    }
}

/// The calls for parts of this size, one domain after the other.
fn in_parts(bytes: usize, part: usize, nodes: &[u32]) -> Vec<Bind<'_>> {
    (0..bytes)
        .step_by(part)
        .zip(nodes.chunks(1).cycle())
        .map(|(offset, nodes)| Bind { offset, bytes: part.min(bytes - offset), mode: libc::MPOL_PREFERRED, nodes })
        .collect()
}

fn lay_out(base: NonNull<u8>, bytes: usize, layout: &Layout) -> bool {
    let page = whole(1).unwrap_or(arch::PAGE);
    binds(layout, bytes, page).into_iter().all(|bind| {
        let words = bind.nodes.iter().max().map_or(1, |&node| node as usize / 64 + 1);
        let mut mask = vec![0u64; words];
        for &node in bind.nodes {
            mask[node as usize / 64] |= 1 << (node % 64);
        }
        // The kernel reads one bit less than its argument says.
        let bits = words * 64 + 1;
        // SAFETY: the range lies in the mapping, and the mask has the bits that the kernel reads.
        let result = unsafe {
            let start = base.as_ptr().add(bind.offset);
            libc::syscall(libc::SYS_mbind, start, bind.bytes, bind.mode, mask.as_ptr(), bits, 0)
        };
        if result != 0 {
            warn_once!("memory cannot be put into NUMA domains ({}); {THEN}", Error::last_os_error());
        }
        result == 0
    })
}

fn pin(base: NonNull<u8>, bytes: usize) -> bool {
    // SAFETY: the range is the mapping.
    let result = unsafe { libc::mlock(base.as_ptr().cast(), bytes) };
    if result != 0 {
        warn_once!("memory cannot be pinned ({}); {THEN}", Error::last_os_error());
    }
    result == 0
}

/// What a complaint says of allocators that ask for what the kernel has just refused.
const THEN: &str = "allocators that ask for it use their fallback";

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [u32; 3] = [0, 1, 2];

    fn of(space: Option<&[u32]>, partition: Partition, all: &[u32]) -> Layout {
        layout(space, &Traits { partition, ..Traits::DEFAULT }, all, || 7)
    }

    #[test]
    fn ordinary_memory() {
        assert_eq!(of(None, Partition::Environment, &ALL), Layout::Anywhere);
        assert_eq!(of(None, Partition::Nearest, &ALL), Layout::Near(7));
        assert_eq!(of(None, Partition::Blocked, &ALL), Layout::InParts(ALL.to_vec()));
        assert_eq!(of(None, Partition::Interleaved, &ALL), Layout::InTurn(ALL.to_vec()));
        for partition in [Partition::Environment, Partition::Nearest, Partition::Blocked, Partition::Interleaved] {
            assert_eq!(of(None, partition, &[0]), Layout::Anywhere);
            assert_eq!(of(None, partition, &[]), Layout::Anywhere);
        }
    }

    #[test]
    fn memory_of_a_space() {
        let space = [4, 5];
        assert_eq!(of(Some(&space), Partition::Environment, &ALL), Layout::Only(vec![4, 5]));
        assert_eq!(of(Some(&space), Partition::Nearest, &ALL), Layout::Only(vec![4, 5]));
        assert_eq!(of(Some(&space), Partition::Interleaved, &ALL), Layout::InTurn(vec![4, 5]));
        assert_eq!(of(Some(&space), Partition::Blocked, &ALL), Layout::InParts(vec![4, 5]));
        assert_eq!(of(Some(&space[..1]), Partition::Blocked, &ALL), Layout::Only(vec![4]));
    }

    #[test]
    fn parts_of_a_size() {
        let page = whole(1).unwrap();
        let of = |part_size| {
            let traits = Traits { partition: Partition::Interleaved, part_size, ..Traits::DEFAULT };
            layout(None, &traits, &ALL, || 7)
        };
        assert_eq!(of(1), Layout::InTurn(ALL.to_vec()));
        assert_eq!(of(page), Layout::InTurn(ALL.to_vec()));
        assert_eq!(of(page + 1), Layout::InRounds(ALL.to_vec(), 2 * page));
        assert_eq!(of(usize::MAX), Layout::InTurn(ALL.to_vec()));
        let rounds = of(2 * page);
        let nodes: Vec<u32> = binds(&rounds, 9 * page, page).iter().map(|bind| bind.nodes[0]).collect();
        assert_eq!(nodes, [0, 1, 2, 0, 1]);
    }

    #[test]
    fn parts_cover_all_pages() {
        for pages in 1..12 {
            let layout = Layout::InParts(ALL.to_vec());
            let binds = binds(&layout, pages * 4096, 4096);
            let mut end = 0;
            for bind in &binds {
                assert_eq!(bind.offset, end);
                assert!(bind.bytes > 0 && bind.bytes % 4096 == 0);
                end += bind.bytes;
            }
            assert_eq!(end, pages * 4096, "{pages}");
            assert!(binds.len() <= 3);
        }
    }

    #[test]
    fn pages_are_zero_and_writable() {
        let base = map(10_000, &Layout::Anywhere, false).unwrap();
        // SAFETY: the mapping is ours and has as many bytes.
        unsafe {
            assert!((0..10_000).all(|index| base.add(index).read() == 0));
            base.add(9_999).write(1);
            unmap(base.as_ptr(), 10_000);
        }
    }

    /// The mode that the kernel keeps for the page at an address.
    fn mode_of(address: *const u8) -> libc::c_int {
        const OF_ADDRESS: libc::c_ulong = 2;
        let mut mode = -1;
        let (none, bits) = (std::ptr::null_mut::<u64>(), 0usize);
        // SAFETY: the call writes the mode.
        unsafe { libc::syscall(libc::SYS_get_mempolicy, &raw mut mode, none, bits, address, OF_ADDRESS) };
        mode
    }

    #[test]
    fn the_kernel_takes_the_layouts() {
        let Some(&node) = nodes::nodes().all.first() else { return };
        for (layout, mode) in [
            (Layout::Near(node), libc::MPOL_PREFERRED),
            (Layout::Only(vec![node]), libc::MPOL_BIND),
            (Layout::InTurn(vec![node]), libc::MPOL_INTERLEAVE),
            (Layout::InParts(vec![node]), libc::MPOL_PREFERRED),
        ] {
            // A container may forbid the call.
            let Some(base) = map(100_000, &layout, false) else { continue };
            // SAFETY: the mapping is ours and has as many bytes.
            unsafe {
                base.add(99_999).write(1);
                assert_eq!(mode_of(base.as_ptr().add(99_999)), mode, "{layout:?}");
                unmap(base.as_ptr(), 100_000);
            }
        }
    }

    #[test]
    fn what_is_too_large_is_refused() {
        assert_eq!(map(usize::MAX, &Layout::Anywhere, false), None);
        assert_eq!(map(isize::MAX as usize, &Layout::Anywhere, false), None);
    }
}

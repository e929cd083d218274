//! Memory that each team of a kernel has for itself: `ompx_dyn_cgroup_mem`, `dyn_groupprivate` and
//! `LIBOMPTARGET_SHARED_MEMORY_SIZE` request it, `llvm_omp_target_dynamic_shared_alloc` and `omp_get_dyn_gprivate_ptr`
//! return it. Kernels without such memory never come here.

use crate::device::driver::Fallback;
use crate::objects::structures::{Team, Thread};
use crate::park::mutex::Mutex;
use crate::stderr;
use std::ffi::c_void;

/// The memory that a kernel requests for each of its teams.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub bytes: u32,
    /// What teams have if that is more than [`MOST`].
    pub fallback: Fallback,
}

/// The most bytes for a team. The memory is the heap's, and only touched pages cost anything.
pub const MOST: usize = 1 << 30;

/// A team's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TeamMemory {
    /// Null if the kernel accepts that in place of the memory.
    pub address: *mut c_void,
    /// The requested size.
    pub bytes: usize,
    /// Whether the team has other memory than requested, or none.
    pub is_fallback: bool,
}

/// A running kernel.
struct Kernel {
    /// The team of its initial task.
    team: *const Team,
    wanted: Wanted,
    /// The memory of teams that have asked for theirs, by the team of the initial task; `None` without memory.
    blocks: Vec<(*const Team, Option<Block>)>,
}

/// Zeros, aligned to 16 bytes, as the host's own allocator does.
type Block = Vec<u128>;
const _: () = assert!(align_of::<u128>() == 16);

// SAFETY: teams are only compared, and the kernel owns the memory.
unsafe impl Send for Kernel {}

impl Kernel {
    fn is_fallback(&self) -> bool {
        self.wanted.bytes as usize > MOST
    }

    fn block(&self) -> Option<Block> {
        let none = self.is_fallback() && self.wanted.fallback == Fallback::Null;
        (!none).then(|| vec![0; (self.wanted.bytes as usize).div_ceil(size_of::<u128>())])
    }
}

/// The running kernels with such memory.
static KERNELS: Mutex<Vec<Kernel>> = Mutex::new(Vec::new());

/// Runs a kernel, whose initial task is `team`'s, with this memory for each of its teams.
pub fn with(team: &'static Team, wanted: Wanted, run: impl FnOnce()) {
    if wanted.bytes == 0 {
        return run();
    }
    let kernel = Kernel { team, wanted, blocks: Vec::new() };
    if kernel.is_fallback() && wanted.fallback == Fallback::Abort {
        refuse(wanted);
    }
    KERNELS.with(|kernels| kernels.push(kernel));
    run();
    // Dropped without the lock.
    let _ended = KERNELS.with(|kernels| {
        let index = kernels.iter().position(|kernel| std::ptr::eq(kernel.team, team))?;
        Some(kernels.swap_remove(index))
    });
}

#[cold]
fn refuse(wanted: Wanted) -> ! {
    stderr::terminate(&format!(
        "ferromp: a target region wants {} bytes for each team, and a host device gives {MOST} at most; the program ends\n",
        wanted.bytes
    ));
}

/// The memory of the calling thread's team; `None` if its kernel has not requested any.
pub fn of(thread: &Thread) -> Option<TeamMemory> {
    let own = thread.member().team().root();
    // The teams of a league are forked from the kernel's initial task.
    // SAFETY: null or the member of the encountering thread, and members live for ever.
    let outer = unsafe { own.region.parent.get().as_ref() }.map_or(own, |parent| parent.team().root());
    KERNELS.with(|kernels| {
        let kernel =
            kernels.iter_mut().find(|kernel| std::ptr::eq(kernel.team, outer) || std::ptr::eq(kernel.team, own))?;
        let index = kernel.blocks.iter().position(|(team, _)| std::ptr::eq(*team, own)).unwrap_or_else(|| {
            kernel.blocks.push((own, kernel.block()));
            kernel.blocks.len() - 1
        });
        let block = kernel.blocks[index].1.as_mut();
        let address = block.map_or(std::ptr::null_mut(), |block| block.as_mut_ptr().cast());
        Some(TeamMemory { address, bytes: kernel.wanted.bytes as usize, is_fallback: kernel.is_fallback() })
    })
}

/// In a forked child, where the kernels of other threads do not run.
pub fn after_fork() {
    KERNELS.renew_after_fork();
}

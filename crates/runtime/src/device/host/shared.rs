//! Memory that each team of a kernel has for itself: `ompx_dyn_cgroup_mem`, `dyn_groupprivate` and
//! `LIBOMPTARGET_SHARED_MEMORY_SIZE` request it, `llvm_omp_target_dynamic_shared_alloc` and `omp_get_dyn_gprivate_ptr`
//! return it. Kernels without such memory never come here.

use crate::device::driver::Fallback;
use crate::objects::structures::Team;
use crate::objects::structures::Thread;
use crate::park::mutex::Mutex;
use crate::stderr;
use std::alloc::Layout;
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
    /// The memory of teams that have asked for theirs, by the team of the initial task.
    blocks: Vec<(*const Team, Block)>,
}

/// A block of zeros.
struct Block {
    /// Null without memory.
    address: *mut u8,
    layout: Layout,
}

/// Memory is aligned to 16 bytes, as the host's own allocator does.
const ALIGNMENT: usize = 16;

impl Block {
    fn new(bytes: usize) -> Self {
        let layout = Layout::from_size_align(bytes, ALIGNMENT).expect("32 bits of size");
        // SAFETY: the size is not 0.
        let address = unsafe { std::alloc::alloc_zeroed(layout) };
        Block { address, layout }
    }

    fn none() -> Self {
        Block { address: std::ptr::null_mut(), layout: Layout::new::<()>() }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if !self.address.is_null() {
            // SAFETY: allocated with this layout.
            unsafe { std::alloc::dealloc(self.address, self.layout) };
        }
    }
}

// SAFETY: teams are only compared, and the kernel owns the memory.
unsafe impl Send for Kernel {}

impl Kernel {
    fn is_fallback(&self) -> bool {
        self.wanted.bytes as usize > MOST
    }

    fn block(&self) -> Block {
        let bytes = self.wanted.bytes as usize;
        if self.is_fallback() && self.wanted.fallback == Fallback::Null { Block::none() } else { Block::new(bytes) }
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
    let ended = KERNELS.with(|kernels| {
        let index = kernels.iter().position(|kernel| std::ptr::eq(kernel.team, team))?;
        Some(kernels.swap_remove(index))
    });
    drop(ended);
}

#[cold]
fn refuse(wanted: Wanted) -> ! {
    stderr::write_stderr(&format!(
        "ferromp: a target region wants {} bytes for each team, and a host device gives {MOST} at most; the program ends\n",
        wanted.bytes
    ));
    stderr::terminate();
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
        let index = match kernel.blocks.iter().position(|(team, _)| std::ptr::eq(*team, own)) {
            Some(index) => index,
            None => {
                let block = kernel.block();
                kernel.blocks.push((own, block));
                kernel.blocks.len() - 1
            }
        };
        let address = kernel.blocks[index].1.address.cast();
        Some(TeamMemory { address, bytes: kernel.wanted.bytes as usize, is_fallback: kernel.is_fallback() })
    })
}

/// In a forked child, where the kernels of other threads do not run.
pub fn after_fork() {
    KERNELS.renew_after_fork();
}

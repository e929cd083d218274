//! Memory that each team of a kernel has for itself, as `ompx_dyn_cgroup_mem` and `LIBOMPTARGET_SHARED_MEMORY_SIZE` ask for it
//! (`llvm_omp_target_dynamic_shared_alloc`). Kernels that ask for none never come here.

use crate::sync::mutex::Mutex;
use crate::team::Team;
use crate::thread::Thread;
use std::ffi::c_void;

/// A kernel that is under way.
struct Kernel {
    /// The team of its initial task.
    team: *const Team,
    bytes: usize,
    /// The memory that teams have asked for: each team's, known by the team of its initial task.
    blocks: Vec<(*const Team, Vec<Unit>)>,
}

/// Memory is aligned to 16 bytes, as the host's own allocator does.
type Unit = u128;

// SAFETY: teams are only compared.
unsafe impl Send for Kernel {}

/// The kernels that have such memory.
static KERNELS: Mutex<Vec<Kernel>> = Mutex::new(Vec::new());

/// Runs a kernel, whose initial task is `team`'s, with so many bytes for each of its teams.
pub fn with(team: &'static Team, bytes: u32, run: impl FnOnce()) {
    if bytes == 0 {
        return run();
    }
    KERNELS.with(|kernels| kernels.push(Kernel { team, bytes: bytes as usize, blocks: Vec::new() }));
    run();
    let ended = KERNELS.with(|kernels| {
        let index = kernels.iter().position(|kernel| std::ptr::eq(kernel.team, team))?;
        Some(kernels.swap_remove(index))
    });
    drop(ended);
}

/// The memory of the calling thread's team; null where it has none.
pub fn of(thread: &Thread) -> *mut c_void {
    let own = thread.member().team().root();
    // A team of a league has been forked from the kernel's initial task.
    // SAFETY: null or the slot of the encountering thread, and slots live for ever.
    let outer = unsafe { own.region.parent.get().as_ref() }.map_or(own, |parent| parent.team().root());
    let memory = KERNELS.with(|kernels| {
        let kernel = kernels.iter_mut().find(|kernel| std::ptr::eq(kernel.team, outer) || std::ptr::eq(kernel.team, own))?;
        let index = match kernel.blocks.iter().position(|(team, _)| std::ptr::eq(*team, own)) {
            Some(index) => index,
            None => {
                kernel.blocks.push((own, vec![0; kernel.bytes.div_ceil(size_of::<Unit>())]));
                kernel.blocks.len() - 1
            }
        };
        Some(kernel.blocks[index].1.as_mut_ptr())
    });
    memory.map_or(std::ptr::null_mut(), <*mut Unit>::cast)
}

/// In a forked child the kernels of other threads are not under way.
pub fn after_fork() {
    KERNELS.renew_after_fork();
}

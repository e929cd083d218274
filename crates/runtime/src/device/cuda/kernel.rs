//! How many blocks of how many threads a kernel is launched with on an NVIDIA device (OpenMP 5.1 §2.7, §2.14.5). A team
//! is a block.

use crate::device::driver::Region;
use cuda_driver::Function;
use cuda_driver::notes::{Environment, GENERIC, SPMD};
use std::ffi::CString;

/// Threads of a team if neither the program nor the kernel says how many.
const THREADS: u32 = 128;
/// Teams do not get fewer threads than this to spread a short loop.
const FEWEST_THREADS: u32 = 32;
/// A kernel's loop is divided among this many teams at most.
const TEAMS: u32 = 3200;
/// Bytes of memory that a kernel may use for each block without announcing it.
const MEMORY: u32 = 48 << 10;

/// A kernel of an image. Kernels live for ever, their code as long as the image is loaded.
pub struct Kernel {
    pub function: Function,
    pub name: CString,
    pub environment: Environment,
    /// The most threads of a block that the code can have; 0 if unknown.
    pub most_threads: u32,
}

/// What a device can do at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Threads that execute in lockstep.
    pub warp: u32,
    /// The most threads of a block, and the most blocks.
    pub threads: u32,
    pub blocks: u32,
    pub processors: u32,
    pub threads_of_processor: u32,
    /// nteams-var and teams-thread-limit-var of the device; 0 if they leave the number open.
    pub teams_wanted: u32,
    pub threads_wanted: u32,
}

/// Blocks and threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub blocks: u32,
    pub threads: u32,
}

fn nonzero(number: u32) -> Option<u32> {
    Some(number).filter(|&number| number > 0)
}

fn positive(number: i32) -> Option<u32> {
    u32::try_from(number).ok().and_then(nonzero)
}

/// Whether a launch must announce this much memory for each block.
pub fn is_large(memory: u32) -> bool {
    memory > MEMORY
}

impl Kernel {
    /// The shape of a launch.
    pub fn shape(&self, region: &Region, limits: &Limits) -> Shape {
        let Environment { mode, min_threads, max_threads, max_teams, .. } = self.environment;
        let most = [positive(max_threads), Some(limits.threads), nonzero(self.most_threads)];
        let most = most.into_iter().flatten().min().unwrap_or(1).max(1);
        // In generic mode a thread limit does not count the warp of the thread that executes the sequential code, and a
        // block needs more than that warp for parallel regions.
        let (extra, least) = if mode == GENERIC { (limits.warp, limits.warp + 1) } else { (0, 1) };
        let requested = [region.thread_limit, limits.threads_wanted].into_iter().filter_map(nonzero).min();
        let threads = match requested {
            Some(requested) => requested.saturating_add(extra),
            None => THREADS.max(positive(min_threads).unwrap_or(0)),
        };
        let mut threads = threads.min(most).max(least.min(most));
        let most = limits.blocks.min(positive(max_teams).unwrap_or(u32::MAX)).max(1);
        let wanted = nonzero(limits.teams_wanted);
        let blocks = match (region.num_teams, region.trip_count) {
            // Without a loop to divide, a team for each processor is enough.
            (0, 0) => u64::from(wanted.unwrap_or(limits.processors)),
            (0, trips) => {
                // A short loop is spread over all processors, by teams of fewer threads.
                let fewest = FEWEST_THREADS.min(threads);
                let busy = u64::from(limits.processors);
                let shrinks = mode == SPMD && requested.is_none();
                while shrinks && threads / 2 >= fewest && trips.div_ceil(u64::from(threads)) < busy {
                    threads /= 2;
                }
                // Except in SPMD mode, the loop is divided among teams alone.
                let share = if mode == SPMD { threads } else { 1 };
                trips.div_ceil(u64::from(share)).min(u64::from(wanted.unwrap_or(TEAMS)))
            }
            (teams, _) => u64::from(teams),
        };
        Shape { blocks: blocks.clamp(1, u64::from(most)) as u32, threads }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        warp: 32,
        threads: 1024,
        blocks: i32::MAX as u32,
        processors: 80,
        threads_of_processor: 2048,
        teams_wanted: 0,
        threads_wanted: 0,
    };

    fn environment(mode: u8, numbers: [i32; 6]) -> Vec<u8> {
        let mut bytes = vec![1, 1, mode, 0];
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes.resize(48, 0);
        bytes
    }

    fn shape(bytes: &[u8], (num_teams, thread_limit, trip_count): (u32, u32, u64), limits: &Limits) -> (u32, u32) {
        let environment = Environment::read(bytes).unwrap();
        let kernel = Kernel { function: 1, name: c"kernel".into(), environment, most_threads: 1024 };
        let region = Region { num_teams, thread_limit, trip_count, ..Region::default() };
        let Shape { blocks, threads } = kernel.shape(&region, limits);
        (blocks, threads)
    }

    #[test]
    fn threads_are_those_of_the_clause_and_a_warp_for_the_main_thread() {
        let (generic, spmd) = (environment(GENERIC, [0; 6]), environment(SPMD, [0; 6]));
        assert_eq!(shape(&generic, (4, 64, 0), &LIMITS), (4, 96));
        assert_eq!(shape(&spmd, (4, 64, 0), &LIMITS), (4, 64));
        assert_eq!(shape(&generic, (4, 0, 0), &LIMITS), (4, 128));
        assert_eq!(shape(&generic, (4, 1, 0), &LIMITS), (4, 33));
        assert_eq!(shape(&spmd, (1, 5000, 0), &LIMITS), (1, 1024));
        assert_eq!(shape(&environment(SPMD, [0, 256, 0, 0, 0, 0]), (1, 500, 0), &LIMITS), (1, 256));
        assert_eq!(shape(&environment(SPMD, [512, 0, 0, 0, 0, 0]), (1, 0, 0), &LIMITS), (1, 512));
    }

    #[test]
    fn teams_follow_the_loop() {
        let spmd = environment(SPMD, [0; 6]);
        assert_eq!(shape(&spmd, (0, 0, 1_000_000_000), &LIMITS), (TEAMS, 128));
        assert_eq!(shape(&spmd, (0, 0, 128 * 80), &LIMITS), (80, 128));
        assert_eq!(shape(&spmd, (0, 0, 100), &LIMITS), (4, 32));
        assert_eq!(shape(&spmd, (0, 128, 100), &LIMITS), (1, 128));
        assert_eq!(shape(&environment(3, [0; 6]), (0, 0, 7), &LIMITS), (7, 128));
        assert_eq!(shape(&spmd, (0, 0, 0), &LIMITS), (80, 128));
        assert_eq!(shape(&environment(SPMD, [0, 0, 0, 2, 0, 0]), (9, 0, 0), &LIMITS), (2, 128));
    }

    #[test]
    fn the_environment_variables_count() {
        let limits = Limits { teams_wanted: 5, threads_wanted: 48, ..LIMITS };
        let spmd = environment(SPMD, [0; 6]);
        assert_eq!(shape(&spmd, (0, 0, 1_000_000), &limits), (5, 48));
        assert_eq!(shape(&spmd, (0, 0, 0), &limits), (5, 48));
        assert_eq!(shape(&spmd, (9, 64, 0), &limits), (9, 48));
    }
}

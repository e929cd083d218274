//! Kernels on NVIDIA devices: what clang notes about one, and how many blocks of how many threads it is launched with
//! (OpenMP 5.1 §2.7, §2.14.5). A team is a block.

use super::api::Function;
use crate::device::driver::Launch;
use std::ffi::CString;

/// `OMP_TGT_EXEC_MODE_GENERIC`: one thread of each team executes the region, the others what it forks.
const GENERIC: u8 = 1;
/// `OMP_TGT_EXEC_MODE_SPMD`: all threads execute all of it.
const SPMD: u8 = 2;

/// What images of clang 17 and later have for each kernel, in a variable of the kernel's name with this behind it.
/// Those of clang 16 have the mode alone.
pub const ENVIRONMENT: &[u8] = b"_kernel_environment";
pub const MODE: &[u8] = b"_exec_mode";

/// Threads of a team where neither the program nor the kernel says how many.
const THREADS: u32 = 128;
/// Fewer threads than this a team does not get, though its loop be short.
const FEWEST_THREADS: u32 = 32;
/// A kernel's loop is divided among so many teams at most; those of a longer one come round.
const TEAMS: u32 = 3200;
/// Memory of a block that a kernel has without asking.
const MEMORY: u32 = 48 << 10;

/// What the compiler says of a kernel: LLVM's `ConfigurationEnvironmentTy`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Environment {
    mode: u8,
    /// Bounds for threads and teams; 0 or less where there are none.
    min_threads: i32,
    max_threads: i32,
    max_teams: i32,
    /// Bytes that each team needs for a reduction over teams, and how many teams' there must be room for; 0 where there
    /// is none.
    reduction_bytes: u32,
    reduction_teams: u32,
}

impl Environment {
    /// That of a kernel of which nothing is noted.
    const UNKNOWN: Environment = Environment {
        mode: SPMD,
        min_threads: 0,
        max_threads: 0,
        max_teams: 0,
        reduction_bytes: 0,
        reduction_teams: 0,
    };

    /// From the variable's bytes: three flags, of which the third is the mode, and since clang 18 numbers.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        const WITH_NUMBERS: usize = 48;
        if bytes.len() < WITH_NUMBERS {
            return Self::of_mode(bytes.get(2..)?);
        }
        let number = |index: usize| -> Option<i32> {
            let at = 4 + 4 * index;
            Some(i32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
        };
        Some(Environment {
            mode: *bytes.get(2)?,
            min_threads: number(0)?,
            max_threads: number(1)?,
            max_teams: number(3)?,
            reduction_bytes: number(4)? as u32,
            reduction_teams: number(5)? as u32,
        })
    }

    /// Of a kernel of which only the mode is noted.
    pub fn of_mode(bytes: &[u8]) -> Option<Self> {
        bytes.first().map(|&mode| Environment { mode, ..Self::UNKNOWN })
    }
}

/// A kernel that has been found in a module. It lives as long as that.
pub struct Kernel {
    pub function: Function,
    pub name: CString,
    environment: Environment,
    /// More threads than this a block of it cannot have.
    most_threads: u32,
}

/// What a device can do at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Threads that go in step.
    pub warp: u32,
    pub threads: u32,
    pub blocks: u32,
    pub processors: u32,
    pub threads_of_processor: u32,
    /// nteams-var and teams-thread-limit-var of the device; 0 where they leave that open.
    pub teams_wanted: u32,
    pub threads_wanted: u32,
}

/// Blocks and threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub blocks: u32,
    pub threads: u32,
}

fn positive(number: i32) -> Option<u32> {
    u32::try_from(number).ok().filter(|&number| number > 0)
}

impl Kernel {
    pub fn new(function: Function, name: CString, environment: Option<Environment>, most_threads: u32) -> Self {
        Kernel { function, name, environment: environment.unwrap_or(Environment::UNKNOWN), most_threads }
    }

    /// Bytes of the buffer for a reduction over teams; 0 where there is none.
    pub fn reduction_bytes(&self) -> usize {
        self.environment.reduction_bytes as usize * self.environment.reduction_teams as usize
    }

    /// Whether it must be told that it wants so much memory for each block.
    pub fn is_large(memory: u32) -> bool {
        memory > MEMORY
    }

    /// The shape that it is launched with.
    pub fn shape(&self, launch: &Launch, limits: &Limits) -> Shape {
        let threads = self.threads(launch, limits);
        self.teams(launch, limits, threads)
    }

    fn threads(&self, launch: &Launch, limits: &Limits) -> u32 {
        let environment = &self.environment;
        let most = [positive(environment.max_threads), Some(limits.threads), Some(self.most_threads)];
        let most = most.into_iter().flatten().filter(|&most| most > 0).min().unwrap_or(1);
        // A thread limit does not count the warp of the thread that executes what is outside of parallel regions.
        let besides = if environment.mode == GENERIC { limits.warp } else { 0 };
        let asked = [launch.thread_limit, limits.threads_wanted].into_iter().filter(|&asked| asked > 0).min();
        let threads = match asked {
            Some(asked) => asked.saturating_add(besides),
            None => THREADS.max(positive(environment.min_threads).unwrap_or(0)),
        };
        // A block of one warp and less has no threads for parallel regions then.
        let least = if environment.mode == GENERIC { limits.warp + 1 } else { 1 };
        threads.min(most).max(least.min(most))
    }

    fn teams(&self, launch: &Launch, limits: &Limits, threads: u32) -> Shape {
        let most = limits.blocks.min(positive(self.environment.max_teams).unwrap_or(u32::MAX)).max(1);
        if launch.num_teams > 0 {
            return Shape { blocks: launch.num_teams.min(most), threads };
        }
        let wanted = if limits.teams_wanted > 0 { limits.teams_wanted } else { TEAMS };
        let trips = launch.trip_count;
        if trips == 0 {
            // No loop to divide: a team for each processor is enough.
            let teams = if limits.teams_wanted > 0 { limits.teams_wanted } else { limits.processors };
            return Shape { blocks: teams.clamp(1, most), threads };
        }
        if self.environment.mode != SPMD {
            // The loop is divided among teams alone.
            return Shape { blocks: u64::from(wanted).min(trips).clamp(1, u64::from(most)) as u32, threads };
        }
        let asked = launch.thread_limit > 0 || limits.threads_wanted > 0;
        let mut threads = threads;
        let fewest = FEWEST_THREADS.min(threads);
        let busy = u64::from(limits.processors);
        // A short loop is spread over all processors, by teams of fewer threads.
        while !asked && threads / 2 >= fewest && trips.div_ceil(u64::from(threads)) < busy {
            threads /= 2;
        }
        Shape {
            blocks: trips.div_ceil(u64::from(threads)).min(u64::from(wanted)).clamp(1, u64::from(most)) as u32,
            threads,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::driver;

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
        let kernel = Kernel::new(1, c"kernel".into(), Environment::read(bytes), 1024);
        let launch = Launch {
            kernel: driver::Kernel(0),
            arguments: &[],
            num_teams,
            thread_limit,
            trip_count,
            dynamic_memory: 0,
            fallback: driver::Fallback::Abort,
            convention: driver::Convention::Plain,
        };
        let Shape { blocks, threads } = kernel.shape(&launch, limits);
        (blocks, threads)
    }

    #[test]
    fn environments_are_as_clang_lays_them_out() {
        let read = Environment::read(&environment(3, [1, 256, -1, 7, 16, 1024])).unwrap();
        let expected = Environment {
            mode: 3,
            min_threads: 1,
            max_threads: 256,
            max_teams: 7,
            reduction_bytes: 16,
            reduction_teams: 1024,
        };
        assert_eq!(read, expected);
        assert_eq!(Environment::read(&[0; 2]), None);
        assert_eq!(Environment::read(&[1, 0, 1, 0, 9, 9, 9, 9]), Environment::of_mode(&[1]));
        assert_eq!(Environment::of_mode(&[1]).map(|it| it.mode), Some(GENERIC));
        let kernel = Kernel::new(1, c"kernel".into(), Some(read), 1024);
        assert_eq!(kernel.reduction_bytes(), 16 << 10);
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

//! The ABI of gcc and gfortran: `GOMP_*`. The facts of it are those of libgomp's `libgomp_g.h`.

pub mod doacross;
pub mod error;
pub mod memory;
pub mod parallel;
pub mod sync;
pub mod target;
pub mod task;
pub mod task_reduction;
pub mod teams;
pub mod work;

//! The configuration of a thread's next kernel launch, in a CUDA or HIP program that is compiled for LLVM's offload
//! runtime. The program sets it in one call and takes it in another, so the thread keeps it.

/// `dim3`: a number for each dimension.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Dimensions {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

/// The configuration of a launch: `<<<grid, block, memory, stream>>>`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CallConfiguration {
    pub grid: Dimensions,
    pub block: Dimensions,
    /// Bytes of memory for each block.
    pub memory: usize,
    pub stream: usize,
}

//! What a thread has said of its next kernel launch in a CUDA or HIP program that is compiled for LLVM's offload
//! runtime. The program says it in one call and asks for it in another, so that the thread keeps it.

/// `dim3`
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Dimensions {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

/// What a launch says before its arguments: `<<<grid, block, memory, stream>>>`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CallConfiguration {
    pub grid: Dimensions,
    pub block: Dimensions,
    /// Bytes of memory for each block.
    pub memory: usize,
    pub stream: usize,
}

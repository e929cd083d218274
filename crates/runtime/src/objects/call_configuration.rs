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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallConfiguration {
    pub grid: Dimensions,
    pub block: Dimensions,
    /// Bytes of memory for each block.
    pub memory: usize,
    pub stream: usize,
}

impl CallConfiguration {
    /// That of a thread that has not launched anything.
    pub const NONE: Self = {
        let none = Dimensions { x: 0, y: 0, z: 0 };
        CallConfiguration { grid: none, block: none, memory: 0, stream: 0 }
    };
}

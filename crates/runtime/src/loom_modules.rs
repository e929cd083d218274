//! The protocols that the model tests check, without the modules around them.

/// The store of word arrays for several tools, alone.
pub mod ompt {
    #[path = "../ompt/several/freelist.rs"]
    pub mod freelist;

    /// The channels of a device's trace, and the way of their buffers back to the tool.
    pub mod trace {
        #[path = "../../ompt/trace/buffers.rs"]
        pub mod buffers;
        #[path = "../../ompt/trace/progress.rs"]
        pub mod progress;
    }
}

/// What is handed to the executor of a host device, what constructs wait for that map the same
/// variables, alone.
pub mod device {
    pub mod host {
        #[path = "../../device/host/queue.rs"]
        pub mod queue;
    }
    pub mod map {
        #[path = "../../device/map/stage.rs"]
        pub mod stage;
    }
}

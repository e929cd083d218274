//! The protocols that the model tests check, without the rooms around them.

/// The barrier alone.
pub mod team {
    #[path = "../team/barrier.rs"]
    pub mod barrier;
}

/// The task queue, the event of a detachable task, the counters that detect the end of tasks, what a team shares during
/// a construct, alone.
pub mod task {
    #[path = "../task/deque.rs"]
    pub mod deque;
    #[path = "../task/event.rs"]
    pub mod event;
    #[path = "../task/quiescence.rs"]
    pub mod quiescence;
    #[path = "../task/shared.rs"]
    pub mod shared;
}

/// The ring of work-sharing constructs, the turns of ordered regions, the posts of a doacross nest, alone.
pub mod work {
    #[path = "../work/posts.rs"]
    pub mod posts;
    #[path = "../work/ring.rs"]
    pub mod ring;
    #[path = "../work/steal.rs"]
    pub mod steal;
    #[path = "../work/turn.rs"]
    pub mod turn;
}

/// The store of word arrays for several tools, alone.
pub mod ompt {
    #[path = "../ompt/several/freelist.rs"]
    pub mod freelist;

    /// The strips of a device's trace, and the way of their buffers back to the tool.
    pub mod trace {
        #[path = "../../ompt/trace/buffers.rs"]
        pub mod buffers;
        #[path = "../../ompt/trace/progress.rs"]
        pub mod progress;
    }
}

/// What is handed to the executor of a host device and to the helper thread, what constructs wait for that map the same
/// variables, alone.
pub mod device {
    #[path = "../device/inbox.rs"]
    pub mod inbox;

    pub mod host {
        #[path = "../../device/host/queue.rs"]
        pub mod queue;
    }
    pub mod map {
        #[path = "../../device/map/stage.rs"]
        pub mod stage;
    }
}

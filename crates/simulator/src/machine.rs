//! The machines: where cores sit, and what things cost there.
//!
//! Transfers between cores are published medians of measurements by compare-and-exchange, where one message is one
//! transfer (github.com/nviennot/core-to-core-latency). `docs/scale-model.md` says where each other number comes from.

/// Simulated time, in picoseconds.
pub type Time = u64;

/// `nanoseconds` as simulated time.
pub const fn ns(nanoseconds: f64) -> Time {
    (nanoseconds * 1000.0) as Time
}

/// A machine. Core *n* is the *n*-th of its complex, and complexes fill sockets in order. A machine without complexes
/// has one a socket.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// What `--machine` calls it.
    pub name: &'static str,
    /// What it is like, for people.
    pub what: &'static str,
    pub cores: u32,
    /// Cores that share a last-level cache.
    pub complex: u32,
    /// Cores a socket.
    pub socket: u32,
    /// A cache line from a core to another of the complex.
    pub within: Time,
    /// A cache line from a complex to another of the socket.
    pub across: Time,
    /// A cache line from a socket to another.
    pub sockets: Time,
    /// A cache line from memory.
    pub memory: Time,
    /// For how long a copy of a line is busy with one reader that fetches it. Other readers queue meanwhile.
    pub serve: Time,
    /// An access to a line that the core has.
    pub hit: Time,
    /// A read-modify-write of a line that the core owns, and a full fence.
    pub rmw: Time,
    /// The processor's pause between two looks.
    pub pause: Time,
    /// A look at the clock.
    pub clock: Time,
    /// A yield to no other thread.
    pub give_way: Time,
    pub futex: FutexCosts,
}

/// What the kernel takes.
#[derive(Clone, Copy, Debug)]
pub struct FutexCosts {
    /// Into the kernel and back.
    pub call: Time,
    /// How long a call keeps the word's queue for itself.
    pub queue: Time,
    /// What the waking thread spends on each thread that it wakes.
    pub wake_each: Time,
    /// From a thread's wake to its first instruction.
    pub latency: Time,
}

/// As measured on the machine of the results in `docs/scale-model.md`: a virtual machine of two CPUs.
const FUTEX: FutexCosts = FutexCosts { call: ns(133.0), queue: ns(66.0), wake_each: ns(2140.0), latency: ns(3850.0) };

/// All machines, small ones first.
pub const MACHINES: [Machine; 6] = [
    Machine {
        name: "here",
        what: "the two CPUs on which the model was checked",
        cores: 2,
        complex: 2,
        socket: 2,
        within: ns(56.0),
        across: ns(56.0),
        sockets: ns(56.0),
        memory: ns(90.0),
        serve: ns(6.0),
        hit: ns(1.0),
        rmw: ns(6.2),
        pause: ns(6.4),
        clock: ns(22.7),
        give_way: ns(220.0),
        futex: FUTEX,
    },
    Machine {
        name: "sixteen",
        what: "16 cores in one mesh, a Xeon on which the model was checked",
        cores: 16,
        complex: 16,
        socket: 16,
        within: ns(63.0),
        across: ns(63.0),
        sockets: ns(63.0),
        memory: ns(110.0),
        serve: ns(6.0),
        hit: ns(1.0),
        rmw: ns(6.2),
        pause: ns(40.0),
        clock: ns(22.7),
        give_way: ns(220.0),
        futex: FUTEX,
    },
    Machine {
        name: "desktop",
        what: "16 cores in two complexes of 8, as a Ryzen 9 5950X",
        cores: 16,
        complex: 8,
        socket: 16,
        within: ns(17.0),
        across: ns(85.0),
        sockets: ns(85.0),
        memory: ns(70.0),
        serve: ns(4.0),
        hit: ns(1.0),
        rmw: ns(5.0),
        pause: ns(15.0),
        clock: ns(20.0),
        give_way: ns(150.0),
        futex: FUTEX,
    },
    Machine {
        name: "socket",
        what: "one socket of 64 cores in complexes of 8, as an EPYC 7773X",
        cores: 64,
        complex: 8,
        socket: 64,
        within: ns(23.0),
        across: ns(115.0),
        sockets: ns(115.0),
        memory: ns(100.0),
        serve: ns(6.0),
        hit: ns(1.0),
        rmw: ns(6.0),
        pause: ns(18.0),
        clock: ns(22.0),
        give_way: ns(200.0),
        futex: FUTEX,
    },
    Machine {
        name: "arm",
        what: "72 cores in one mesh, with the transfers of a Graviton 3",
        cores: 72,
        complex: 72,
        socket: 72,
        within: ns(46.0),
        across: ns(46.0),
        sockets: ns(46.0),
        memory: ns(100.0),
        serve: ns(6.0),
        hit: ns(1.0),
        rmw: ns(4.0),
        pause: ns(12.0),
        clock: ns(22.0),
        give_way: ns(200.0),
        futex: FUTEX,
    },
    Machine {
        name: "sockets",
        what: "two sockets of 96 cores in complexes of 8, with the transfers of two EPYC 7R13",
        cores: 192,
        complex: 8,
        socket: 96,
        within: ns(23.0),
        across: ns(107.0),
        sockets: ns(197.0),
        memory: ns(100.0),
        serve: ns(6.0),
        hit: ns(1.0),
        rmw: ns(6.0),
        pause: ns(18.0),
        clock: ns(22.0),
        give_way: ns(200.0),
        futex: FUTEX,
    },
];

impl Machine {
    /// The complex of a core.
    pub fn complex_of(&self, core: u32) -> u32 {
        core / self.complex
    }

    /// How many complexes there are.
    pub fn complexes(&self) -> u32 {
        self.cores.div_ceil(self.complex)
    }

    /// How long a cache line takes from one core to another.
    pub fn transfer(&self, from: u32, to: u32) -> Time {
        if self.complex_of(from) == self.complex_of(to) {
            self.within
        } else if from / self.socket == to / self.socket {
            self.across
        } else {
            self.sockets
        }
    }
}

//! The types that the debugger and the library exchange. OpenMP 5.1, section 5.3.

use std::marker::{PhantomData, PhantomPinned};

ompt::described_aliases! {
    /// A size in bytes (`ompd_size_t`, 5.3.1).
    Size = u64;
    /// What a thread waits for (`ompd_wait_id_t`, 5.3.2).
    WaitId = u64;
    /// An unsigned address in the program (`ompd_addr_t`, 5.3.3).
    Addr = u64;
    /// A signed number that may also hold an address (`ompd_word_t`, 5.3.3).
    Word = i64;
    /// A segment of an address (`ompd_seg_t`, 5.3.3): the value for addresses without segments.
    Seg = u64, SEGMENT_NONE "ompd_segment_none";
    /// A kind of device (`ompd_device_t`, 5.3.6).
    Device = u64;
    /// A kind of native thread identifier (`ompd_thread_id_t`, 5.3.7).
    ThreadId = u64;
    /// The number of an ICV, which only the library gives a meaning (`ompd_icv_id_t`, 5.3.10).
    IcvId = u64, ICV_UNDEFINED "ompd_icv_undefined";
}

ompt::open_enum! {
    /// What every function of the library answers (`ompd_rc_t`, 5.3.12).
    pub enum Rc: std::ffi::c_int => {
        OK = 0 "ompd_rc_ok",
        UNAVAILABLE = 1 "ompd_rc_unavailable",
        STALE_HANDLE = 2 "ompd_rc_stale_handle",
        BAD_INPUT = 3 "ompd_rc_bad_input",
        ERROR = 4 "ompd_rc_error",
        UNSUPPORTED = 5 "ompd_rc_unsupported",
        NEEDS_STATE_TRACKING = 6 "ompd_rc_needs_state_tracking",
        INCOMPATIBLE = 7 "ompd_rc_incompatible",
        DEVICE_READ_ERROR = 8 "ompd_rc_device_read_error",
        DEVICE_WRITE_ERROR = 9 "ompd_rc_device_write_error",
        NOMEM = 10 "ompd_rc_nomem",
        INCOMPLETE = 11 "ompd_rc_incomplete",
        CALLBACK_ERROR = 12 "ompd_rc_callback_error",
        /// Of OpenMP 6.0: the handle does not fit the scope.
        INCOMPATIBLE_HANDLE = 13 "ompd_rc_incompatible_handle",
    }
}

ompt::open_enum! {
    /// What a handle describes, and what an ICV belongs to (`ompd_scope_t`, 5.3.9).
    pub enum Scope: std::ffi::c_int => {
        GLOBAL = 1 "ompd_scope_global",
        ADDRESS_SPACE = 2 "ompd_scope_address_space",
        THREAD = 3 "ompd_scope_thread",
        PARALLEL = 4 "ompd_scope_parallel",
        IMPLICIT_TASK = 5 "ompd_scope_implicit_task",
        TASK = 6 "ompd_scope_task",
        /// Of OpenMP 6.0: the implicit parallel region of a team of a league.
        TEAMS = 7 "ompd_scope_teams",
        /// Of OpenMP 6.0: the implicit parallel region of a target region.
        TARGET = 8 "ompd_scope_target",
    }
}

ompt::open_enum! {
    /// What made a team: the value of the ICV team-generator-var (`ompd_team_generator_t`, OpenMP 6.0, section 39.13).
    pub enum TeamGenerator: std::ffi::c_int => {
        PROGRAM = 0 "ompd_generator_program",
        PARALLEL = 1 "ompd_generator_parallel",
        TEAMS = 2 "ompd_generator_teams",
        TARGET = 3 "ompd_generator_target",
    }
}

ompt::described! {
    /// An address in the program (`ompd_address_t`, 5.3.4).
    #[repr(C)]
    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub struct Address {
        /// The segment, or [`SEGMENT_NONE`].
        pub segment: Seg,
        /// The address within it.
        pub address: Addr,
    }
}

ompt::described! {
    /// A frame of a task (`ompd_frame_info_t`, 5.3.5).
    #[repr(C)]
    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub struct FrameInfo {
        /// Where the frame lies.
        pub frame_address: Address,
        /// An [`ompt::FrameFlag`].
        pub frame_flag: Word,
    }
}

ompt::described! {
    /// How large the basic types of C are in the program, in bytes (`ompd_device_type_sizes_t`, 5.3.13).
    #[repr(C)]
    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub struct DeviceTypeSizes {
        /// `sizeof(char)`
        pub sizeof_char: u8,
        /// `sizeof(short)`
        pub sizeof_short: u8,
        /// `sizeof(int)`
        pub sizeof_int: u8,
        /// `sizeof(long)`
        pub sizeof_long: u8,
        /// `sizeof(long long)`
        pub sizeof_long_long: u8,
        /// `sizeof(void *)`
        pub sizeof_pointer: u8,
    }
}

macro_rules! opaque {
    ($( $(#[doc = $doc:literal])* $name:ident $tag:literal; )*) => {
        $(
            $(#[doc = $doc])*
            #[repr(C)]
            pub struct $name {
                _opaque: [u8; 0],
                _pinned: PhantomData<(*mut u8, PhantomPinned)>,
            }
        )*

        /// The types that only one side knows: each type in Rust, the tag of its structure in C, its comment.
        pub(crate) const OPAQUE: &[(&str, &str, &[&str])] = &[ $( (stringify!($name), $tag, &[ $( $doc ),* ]) ),* ];
    };
}

opaque! {
    /// The library's handle of a process or device (`ompd_address_space_handle_t`, 5.3.8).
    AddressSpaceHandle "_ompd_aspace_handle";
    /// The library's handle of a thread (`ompd_thread_handle_t`, 5.3.8).
    ThreadHandle "_ompd_thread_handle";
    /// The library's handle of a parallel region (`ompd_parallel_handle_t`, 5.3.8).
    ParallelHandle "_ompd_parallel_handle";
    /// The library's handle of a task (`ompd_task_handle_t`, 5.3.8).
    TaskHandle "_ompd_task_handle";
    /// The debugger's own name for a process or device (`ompd_address_space_context_t`, 5.3.11).
    AddressSpaceContext "_ompd_aspace_cont";
    /// The debugger's own name for a thread (`ompd_thread_context_t`, 5.3.11).
    ThreadContext "_ompd_thread_cont";
}

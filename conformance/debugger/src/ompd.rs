//! `libompd.so`, loaded as a debugger does, and its functions by their C types (OpenMP 5.1, section 5.5; ferromp's own
//! ones besides).

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ompd::{
    Address, AddressSpaceContext, AddressSpaceHandle, ArrivalRecord, Callbacks, Device, FrameInfo, IcvId,
    ParallelHandle, ParallelRecord, Rc, Scope, Size, TaskHandle, TaskRecord, ThreadHandle, ThreadId, ThreadRecord,
    WaitId, Word,
};

use crate::callbacks;

/// The version of the interface that this debugger speaks.
pub const API_VERSION: Word = 202011;

macro_rules! functions {
    ($( $name:ident($($argument:ty),*); )*) => {
        /// The functions of one library.
        #[derive(Clone, Copy)]
        pub struct Functions { $( pub $name: unsafe extern "C" fn($($argument),*) -> Rc, )* }

        impl Functions {
            /// The names of all.
            pub const NAMES: &'static [&'static str] = &[$( stringify!($name), )*];

            fn find(library: &libloading::Library) -> Result<Functions, libloading::Error> {
                // SAFETY: the types are those of the specification, whose names these are.
                unsafe { Ok(Functions { $( $name: *library.get(concat!(stringify!($name), "\0").as_bytes())?, )* }) }
            }
        }
    };
}

functions! {
    ompd_initialize(Word, *const Callbacks);
    ompd_get_api_version(*mut Word);
    ompd_get_version_string(*mut *const c_char);
    ompd_finalize();
    ompd_process_initialize(*mut AddressSpaceContext, *mut *mut AddressSpaceHandle);
    ompd_device_initialize(
        *mut AddressSpaceHandle, *mut AddressSpaceContext, Device, Size, *mut c_void, *mut *mut AddressSpaceHandle);
    ompd_rel_address_space_handle(*mut AddressSpaceHandle);
    ompd_get_omp_version(*mut AddressSpaceHandle, *mut Word);
    ompd_get_omp_version_string(*mut AddressSpaceHandle, *mut *const c_char);
    ompd_get_thread_in_parallel(*mut ParallelHandle, c_int, *mut *mut ThreadHandle);
    ompd_get_thread_handle(*mut AddressSpaceHandle, ThreadId, Size, *const c_void, *mut *mut ThreadHandle);
    ompd_rel_thread_handle(*mut ThreadHandle);
    ompd_thread_handle_compare(*mut ThreadHandle, *mut ThreadHandle, *mut c_int);
    ompd_get_thread_id(*mut ThreadHandle, ThreadId, Size, *mut c_void);
    ompd_get_curr_parallel_handle(*mut ThreadHandle, *mut *mut ParallelHandle);
    ompd_get_enclosing_parallel_handle(*mut ParallelHandle, *mut *mut ParallelHandle);
    ompd_get_task_parallel_handle(*mut TaskHandle, *mut *mut ParallelHandle);
    ompd_rel_parallel_handle(*mut ParallelHandle);
    ompd_parallel_handle_compare(*mut ParallelHandle, *mut ParallelHandle, *mut c_int);
    ompd_get_curr_task_handle(*mut ThreadHandle, *mut *mut TaskHandle);
    ompd_get_generating_task_handle(*mut TaskHandle, *mut *mut TaskHandle);
    ompd_get_scheduling_task_handle(*mut TaskHandle, *mut *mut TaskHandle);
    ompd_get_task_in_parallel(*mut ParallelHandle, c_int, *mut *mut TaskHandle);
    ompd_rel_task_handle(*mut TaskHandle);
    ompd_task_handle_compare(*mut TaskHandle, *mut TaskHandle, *mut c_int);
    ompd_get_task_function(*mut TaskHandle, *mut Address);
    ompd_get_task_frame(*mut TaskHandle, *mut FrameInfo, *mut FrameInfo);
    ompd_enumerate_states(*mut AddressSpaceHandle, Word, *mut Word, *mut *const c_char, *mut Word);
    ompd_get_state(*mut ThreadHandle, *mut Word, *mut WaitId);
    ompd_get_display_control_vars(*mut AddressSpaceHandle, *mut *const *const c_char);
    ompd_rel_display_control_vars(*mut *const *const c_char);
    ompd_enumerate_icvs(*mut AddressSpaceHandle, IcvId, *mut IcvId, *mut *const c_char, *mut Scope, *mut c_int);
    ompd_get_icv_from_scope(*mut c_void, Scope, IcvId, *mut Word);
    ompd_get_icv_string_from_scope(*mut c_void, Scope, IcvId, *mut *const c_char);
    ompd_get_tool_data(*mut c_void, Scope, *mut Word, *mut Address);
    ferromp_ompd_get_threads(*mut AddressSpaceHandle, *mut *mut ThreadRecord, *mut Size);
    ferromp_ompd_get_tasks(*mut AddressSpaceHandle, *mut *mut TaskRecord, *mut Size);
    ferromp_ompd_get_parallels(*mut AddressSpaceHandle, *mut *mut ParallelRecord, *mut Size);
    ferromp_ompd_get_arrivals(*mut ParallelHandle, *mut *mut ArrivalRecord, *mut Size);
    ferromp_ompd_get_lock_owner(*mut AddressSpaceHandle, WaitId, *mut c_int);
    ferromp_ompd_task_handle(*mut AddressSpaceHandle, Size, *mut *mut TaskHandle);
    ferromp_ompd_thread_handle(*mut AddressSpaceHandle, Size, *mut *mut ThreadHandle);
    ferromp_ompd_parallel_handle(*mut AddressSpaceHandle, Size, *mut *mut ParallelHandle);
    ferromp_ompd_free(*mut c_void);
}

/// A loaded library. Loaded files stay for as long as the debugger runs.
pub struct Ompd {
    pub functions: Functions,
}

impl Ompd {
    /// Loads the library without starting it. A file is loaded once.
    pub fn load(path: &Path) -> Result<Arc<Ompd>, String> {
        // SAFETY: the library has no initialiser that does anything.
        let library = unsafe { libloading::Library::new(path) }.map_err(|why| format!("{}: {why}", path.display()))?;
        let functions = Functions::find(&library).map_err(|why| format!("{}: {why}", path.display()))?;
        std::mem::forget(library);
        Ok(Arc::new(Ompd { functions }))
    }

    /// The library of that file, loaded and initialised once for all callers.
    pub fn shared(path: &Path) -> Result<Arc<Ompd>, String> {
        static STARTED: OnceLock<Mutex<HashMap<PathBuf, Arc<Ompd>>>> = OnceLock::new();
        let path = path.canonicalize().map_err(|why| format!("{}: {why}", path.display()))?;
        let mut started = STARTED.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = started.get(&path) {
            return Ok(Arc::clone(known));
        }
        let ompd = Ompd::load(&path)?;
        // SAFETY: the table is a complete one; it is copied.
        match unsafe { (ompd.functions.ompd_initialize)(API_VERSION, &callbacks::table()) } {
            Rc::OK => {}
            rc => return Err(format!("ompd_initialize: {rc:?}")),
        }
        started.insert(path, Arc::clone(&ompd));
        Ok(ompd)
    }
}

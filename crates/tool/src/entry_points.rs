//! Which entry points a runtime has. OpenMP 5.1, section 4.6.1; `runtime.rs` asks them.

use ompt::*;
use std::ffi::{CStr, c_void};
use std::marker::PhantomData;

/// `ferromp_get_construct_function`: not OpenMP's, but ferromp's own.
pub(crate) type GetConstructFunction = unsafe extern "C" fn() -> *const c_void;

/// `ferromp_get_sections`: not OpenMP's, but ferromp's own.
pub(crate) type GetSections = unsafe extern "C" fn(count: *mut u64) -> u64;

macro_rules! runtime {
    ($( $field:ident : $ty:ident $name:literal ),* $(,)?) => {
        /// The entry points that the runtime offers to the tool `T`. An entry point that is missing
        /// answers as if there were nothing to tell.
        pub struct Runtime<T> {
            $( pub(crate) $field: Option<$ty>, )*
            tool: PhantomData<fn() -> T>,
        }

        impl<T> Copy for Runtime<T> {}

        impl<T> Clone for Runtime<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Runtime<T> {
            /// Asks the runtime for each entry point.
            ///
            /// # Safety
            /// `lookup` is the lookup function that a runtime gave the initialiser of the tool `T`.
            pub(crate) unsafe fn look_up(lookup: FunctionLookup) -> Runtime<T> {
                Runtime {
                    $( $field: {
                        // SAFETY: asks for the entry point by its name.
                        let found = unsafe { lookup(CStr::as_ptr($name)) };
                        // SAFETY: the entry point of this name has this type.
                        found.map(|f| unsafe { std::mem::transmute::<*const (), $ty>(f as *const ()) })
                    }, )*
                    tool: PhantomData,
                }
            }
        }

        impl<T> std::fmt::Debug for Runtime<T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct("Runtime") $( .field(stringify!($field), &self.$field.is_some()) )* .finish()
            }
        }
    };
}

runtime! {
    enumerate_states: EnumerateStates c"ompt_enumerate_states",
    enumerate_mutex_impls: EnumerateMutexImpls c"ompt_enumerate_mutex_impls",
    set_callback: SetCallback c"ompt_set_callback",
    get_callback: GetCallback c"ompt_get_callback",
    get_thread_data: GetThreadData c"ompt_get_thread_data",
    get_num_procs: GetNumProcs c"ompt_get_num_procs",
    get_num_places: GetNumPlaces c"ompt_get_num_places",
    get_place_proc_ids: GetPlaceProcIds c"ompt_get_place_proc_ids",
    get_place_num: GetPlaceNum c"ompt_get_place_num",
    get_partition_place_nums: GetPartitionPlaceNums c"ompt_get_partition_place_nums",
    get_proc_id: GetProcId c"ompt_get_proc_id",
    get_state: GetState c"ompt_get_state",
    get_parallel_info: GetParallelInfo c"ompt_get_parallel_info",
    get_task_info: GetTaskInfo c"ompt_get_task_info",
    get_task_memory: GetTaskMemory c"ompt_get_task_memory",
    get_target_info: GetTargetInfo c"ompt_get_target_info",
    get_num_devices: GetNumDevices c"ompt_get_num_devices",
    get_unique_id: GetUniqueId c"ompt_get_unique_id",
    finalize_tool: FinalizeTool c"ompt_finalize_tool",
    get_construct_function: GetConstructFunction c"ferromp_get_construct_function",
    get_sections: GetSections c"ferromp_get_sections",
}

//! The lookup function of the host, made once for each tool: entry points that take or return data words or callbacks
//! have a function for each tool.

use super::common::{answer, of_tool, untyped};
use super::{places, registration, tasks, threads};
use ::ompt::{FunctionLookup, InterfaceFn};
use std::ffi::{c_char, c_void};

/// The lookup function for tool `tool`; 0 for the only tool.
pub fn of(tool: usize) -> FunctionLookup {
    of_tool!(lookup, tool)
}

/// `ompt_function_lookup_t`: finds an entry point by its name; null for a name that does not exist.
unsafe extern "C" fn lookup<const TOOL: usize>(name: *const c_char) -> InterfaceFn {
    answer! { name;
        b"ompt_enumerate_states" => registration::enumerate_states, ::ompt::EnumerateStates;
        b"ompt_enumerate_mutex_impls" => registration::enumerate_mutex_impls, ::ompt::EnumerateMutexImpls;
        b"ompt_set_callback" => registration::set_callback::<TOOL>, ::ompt::SetCallback;
        b"ompt_get_callback" => registration::get_callback::<TOOL>, ::ompt::GetCallback;
        b"ompt_get_thread_data" => threads::get_thread_data::<TOOL>, ::ompt::GetThreadData;
        b"ompt_get_num_procs" => places::get_num_procs, ::ompt::GetNumProcs;
        b"ompt_get_num_places" => places::get_num_places, ::ompt::GetNumPlaces;
        b"ompt_get_place_proc_ids" => places::get_place_proc_ids, ::ompt::GetPlaceProcIds;
        b"ompt_get_place_num" => places::get_place_num, ::ompt::GetPlaceNum;
        b"ompt_get_partition_place_nums" => places::get_partition_place_nums, ::ompt::GetPartitionPlaceNums;
        b"ompt_get_proc_id" => places::get_proc_id, ::ompt::GetProcId;
        // A draft's name. The draft's other names that mean the same are the specification's.
        b"ompt_get_procid" => places::get_proc_id, ::ompt::GetProcId;
        b"ompt_get_state" => threads::get_state, ::ompt::GetState;
        b"ompt_get_parallel_info" => tasks::get_parallel_info::<TOOL>, ::ompt::GetParallelInfo;
        b"ompt_get_task_info" => tasks::get_task_info::<TOOL>, ::ompt::GetTaskInfo;
        b"ompt_get_task_memory" => tasks::get_task_memory, ::ompt::GetTaskMemory;
        b"ompt_get_target_info" => threads::get_target_info::<TOOL>, ::ompt::GetTargetInfo;
        b"ompt_get_num_devices" => threads::get_num_devices, ::ompt::GetNumDevices;
        b"ompt_get_unique_id" => threads::get_unique_id, ::ompt::GetUniqueId;
        // ferromp's own (`docs/tools.md`).
        b"ferromp_get_construct_function" => threads::get_construct_function, unsafe extern "C" fn() -> *const c_void;
        b"ferromp_get_sections" => threads::get_sections, unsafe extern "C" fn(*mut u64) -> u64;
        b"ompt_finalize_tool" => registration::finalize_tool::<TOOL>, ::ompt::FinalizeTool;
        _ => None
    }
}

//! The lookup function of the host, made once for each tool: entry points that take or return data words or callbacks
//! have a function for each tool.

use super::common::{answer, of_tool, untyped};
use super::places::{
    get_num_places, get_num_procs, get_partition_place_nums, get_place_num, get_place_proc_ids, get_proc_id,
};
use super::registration::{enumerate_mutex_impls, enumerate_states, finalize_tool, get_callback, set_callback};
use super::tasks::{get_parallel_info, get_task_info, get_task_memory};
use super::threads::{get_num_devices, get_state, get_target_info, get_thread_data, get_unique_id};
use ::ompt::{FunctionLookup, InterfaceFn};
use std::ffi::c_char;

/// The lookup function for tool `tool`; 0 for the only tool.
pub fn of(tool: usize) -> FunctionLookup {
    of_tool!(lookup, tool)
}

/// `ompt_function_lookup_t`: finds an entry point by its name; null for a name that does not exist.
unsafe extern "C" fn lookup<const TOOL: usize>(name: *const c_char) -> InterfaceFn {
    answer! { name;
        b"ompt_enumerate_states" => enumerate_states, ::ompt::EnumerateStates;
        b"ompt_enumerate_mutex_impls" => enumerate_mutex_impls, ::ompt::EnumerateMutexImpls;
        b"ompt_set_callback" => set_callback::<TOOL>, ::ompt::SetCallback;
        b"ompt_get_callback" => get_callback::<TOOL>, ::ompt::GetCallback;
        b"ompt_get_thread_data" => get_thread_data::<TOOL>, ::ompt::GetThreadData;
        b"ompt_get_num_procs" => get_num_procs, ::ompt::GetNumProcs;
        b"ompt_get_num_places" => get_num_places, ::ompt::GetNumPlaces;
        b"ompt_get_place_proc_ids" => get_place_proc_ids, ::ompt::GetPlaceProcIds;
        b"ompt_get_place_num" => get_place_num, ::ompt::GetPlaceNum;
        b"ompt_get_partition_place_nums" => get_partition_place_nums, ::ompt::GetPartitionPlaceNums;
        b"ompt_get_proc_id" => get_proc_id, ::ompt::GetProcId;
        // A draft's name. The draft's other names that mean the same are the specification's.
        b"ompt_get_procid" => get_proc_id, ::ompt::GetProcId;
        b"ompt_get_state" => get_state, ::ompt::GetState;
        b"ompt_get_parallel_info" => get_parallel_info::<TOOL>, ::ompt::GetParallelInfo;
        b"ompt_get_task_info" => get_task_info::<TOOL>, ::ompt::GetTaskInfo;
        b"ompt_get_task_memory" => get_task_memory, ::ompt::GetTaskMemory;
        b"ompt_get_target_info" => get_target_info::<TOOL>, ::ompt::GetTargetInfo;
        b"ompt_get_num_devices" => get_num_devices, ::ompt::GetNumDevices;
        b"ompt_get_unique_id" => get_unique_id, ::ompt::GetUniqueId;
        b"ompt_finalize_tool" => finalize_tool::<TOOL>, ::ompt::FinalizeTool;
        _ => None
    }
}

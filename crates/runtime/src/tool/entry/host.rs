//! The lookup function of the host.

use super::common::{answer, untyped};
use super::places::{
    get_num_places, get_num_procs, get_partition_place_nums, get_place_num, get_place_proc_ids, get_proc_id,
};
use super::registration::{enumerate_mutex_impls, enumerate_states, finalize_tool, get_callback, set_callback};
use super::tasks::{get_parallel_info, get_task_info, get_task_memory};
use super::threads::{get_num_devices, get_state, get_target_info, get_thread_data, get_unique_id};
use ::ompt::InterfaceFn;
use std::ffi::c_char;

/// `ompt_function_lookup_t`: finds an entry point by its name; null for a name that does not exist.
///
/// # Safety
/// `name` is null or a C string.
pub unsafe extern "C" fn lookup(name: *const c_char) -> InterfaceFn {
    answer! { name;
        b"ompt_enumerate_states" => enumerate_states, ::ompt::EnumerateStates;
        b"ompt_enumerate_mutex_impls" => enumerate_mutex_impls, ::ompt::EnumerateMutexImpls;
        b"ompt_set_callback" => set_callback, ::ompt::SetCallback;
        b"ompt_get_callback" => get_callback, ::ompt::GetCallback;
        b"ompt_get_thread_data" => get_thread_data, ::ompt::GetThreadData;
        b"ompt_get_num_procs" => get_num_procs, ::ompt::GetNumProcs;
        b"ompt_get_num_places" => get_num_places, ::ompt::GetNumPlaces;
        b"ompt_get_place_proc_ids" => get_place_proc_ids, ::ompt::GetPlaceProcIds;
        b"ompt_get_place_num" => get_place_num, ::ompt::GetPlaceNum;
        b"ompt_get_partition_place_nums" => get_partition_place_nums, ::ompt::GetPartitionPlaceNums;
        b"ompt_get_proc_id" => get_proc_id, ::ompt::GetProcId;
        // As a draft of the interface has it; all other names of the draft that mean the same are the specification's.
        b"ompt_get_procid" => get_proc_id, ::ompt::GetProcId;
        b"ompt_get_state" => get_state, ::ompt::GetState;
        b"ompt_get_parallel_info" => get_parallel_info, ::ompt::GetParallelInfo;
        b"ompt_get_task_info" => get_task_info, ::ompt::GetTaskInfo;
        b"ompt_get_task_memory" => get_task_memory, ::ompt::GetTaskMemory;
        b"ompt_get_target_info" => get_target_info, ::ompt::GetTargetInfo;
        b"ompt_get_num_devices" => get_num_devices, ::ompt::GetNumDevices;
        b"ompt_get_unique_id" => get_unique_id, ::ompt::GetUniqueId;
        b"ompt_finalize_tool" => finalize_tool, ::ompt::FinalizeTool;
        _ => None
    }
}

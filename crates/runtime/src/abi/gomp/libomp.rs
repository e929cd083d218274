//! libomp exports gcc's entry points as well, under its own version node: gcc's object files that clang links bind to
//! `GOMP_x@VERSION`. Each such symbol is a jump to the entry point, so the entry point finds the stack as the program's
//! call left it.

use crate::arch::{directives, function_that_jumps};

/// Exports the entry points of these names under libomp's node too. The default version of a name stays gcc's.
macro_rules! under_libomps_node {
    ($($name:ident)*) => {$(
        function_that_jumps!(concat!(stringify!($name), "__VERSION") => stringify!($name));
        directives!(concat!(".symver ", stringify!($name), "__VERSION, ", stringify!($name), "@VERSION, remove"));
    )*};
}

// The names that libomp 11 to 23 export under that node.
under_libomps_node! {
    GOMP_alloc GOMP_atomic_end GOMP_atomic_start GOMP_barrier GOMP_barrier_cancel GOMP_cancel GOMP_cancellation_point
    GOMP_critical_end GOMP_critical_name_end GOMP_critical_name_start GOMP_critical_start GOMP_doacross_post
    GOMP_doacross_ull_post GOMP_doacross_ull_wait GOMP_doacross_wait GOMP_free GOMP_loop_doacross_dynamic_start
    GOMP_loop_doacross_guided_start GOMP_loop_doacross_runtime_start GOMP_loop_doacross_start
    GOMP_loop_doacross_static_start GOMP_loop_dynamic_next GOMP_loop_dynamic_start GOMP_loop_end GOMP_loop_end_cancel
    GOMP_loop_end_nowait GOMP_loop_guided_next GOMP_loop_guided_start GOMP_loop_maybe_nonmonotonic_runtime_next
    GOMP_loop_maybe_nonmonotonic_runtime_start GOMP_loop_nonmonotonic_dynamic_next GOMP_loop_nonmonotonic_dynamic_start
    GOMP_loop_nonmonotonic_guided_next GOMP_loop_nonmonotonic_guided_start GOMP_loop_nonmonotonic_runtime_next
    GOMP_loop_nonmonotonic_runtime_start GOMP_loop_ordered_dynamic_next GOMP_loop_ordered_dynamic_start
    GOMP_loop_ordered_guided_next GOMP_loop_ordered_guided_start GOMP_loop_ordered_runtime_next
    GOMP_loop_ordered_runtime_start GOMP_loop_ordered_start GOMP_loop_ordered_static_next GOMP_loop_ordered_static_start
    GOMP_loop_runtime_next GOMP_loop_runtime_start GOMP_loop_start GOMP_loop_static_next GOMP_loop_static_start
    GOMP_loop_ull_doacross_dynamic_start GOMP_loop_ull_doacross_guided_start GOMP_loop_ull_doacross_runtime_start
    GOMP_loop_ull_doacross_start GOMP_loop_ull_doacross_static_start GOMP_loop_ull_dynamic_next
    GOMP_loop_ull_dynamic_start GOMP_loop_ull_guided_next GOMP_loop_ull_guided_start
    GOMP_loop_ull_maybe_nonmonotonic_runtime_next GOMP_loop_ull_maybe_nonmonotonic_runtime_start
    GOMP_loop_ull_nonmonotonic_dynamic_next GOMP_loop_ull_nonmonotonic_dynamic_start
    GOMP_loop_ull_nonmonotonic_guided_next GOMP_loop_ull_nonmonotonic_guided_start
    GOMP_loop_ull_nonmonotonic_runtime_next GOMP_loop_ull_nonmonotonic_runtime_start GOMP_loop_ull_ordered_dynamic_next
    GOMP_loop_ull_ordered_dynamic_start GOMP_loop_ull_ordered_guided_next GOMP_loop_ull_ordered_guided_start
    GOMP_loop_ull_ordered_runtime_next GOMP_loop_ull_ordered_runtime_start GOMP_loop_ull_ordered_start
    GOMP_loop_ull_ordered_static_next GOMP_loop_ull_ordered_static_start GOMP_loop_ull_runtime_next
    GOMP_loop_ull_runtime_start GOMP_loop_ull_start GOMP_loop_ull_static_next GOMP_loop_ull_static_start
    GOMP_ordered_end GOMP_ordered_start GOMP_parallel GOMP_parallel_end GOMP_parallel_loop_dynamic
    GOMP_parallel_loop_dynamic_start GOMP_parallel_loop_guided GOMP_parallel_loop_guided_start
    GOMP_parallel_loop_maybe_nonmonotonic_runtime GOMP_parallel_loop_nonmonotonic_dynamic
    GOMP_parallel_loop_nonmonotonic_guided GOMP_parallel_loop_nonmonotonic_runtime GOMP_parallel_loop_runtime
    GOMP_parallel_loop_runtime_start GOMP_parallel_loop_static GOMP_parallel_loop_static_start GOMP_parallel_reductions
    GOMP_parallel_sections GOMP_parallel_sections_start GOMP_parallel_start GOMP_sections2_start GOMP_sections_end
    GOMP_sections_end_cancel GOMP_sections_end_nowait GOMP_sections_next GOMP_sections_start GOMP_single_copy_end
    GOMP_single_copy_start GOMP_single_start GOMP_target GOMP_target_data GOMP_target_end_data GOMP_target_update
    GOMP_task GOMP_task_reduction_remap GOMP_taskgroup_end GOMP_taskgroup_reduction_register
    GOMP_taskgroup_reduction_unregister GOMP_taskgroup_start GOMP_taskloop GOMP_taskloop_ull GOMP_taskwait
    GOMP_taskwait_depend GOMP_taskyield GOMP_teams GOMP_teams_reg GOMP_workshare_task_reduction_unregister
}

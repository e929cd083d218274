//! What tools meet of versions after OpenMP 5.1.

/// What OpenMP 5.2 and 6.0 have added to OMPT: what, since when, and when a tool meets it. `ompt_start_tool` is told
/// 5.1, whose interface is there whole; a tool of that version meets what is told of these as well. For the
/// documentation; each ends as a clause.
pub const LATER: [(&[&str], &str, &str); 13] = [
    (
        &["ompt_work_loop_static", "ompt_work_loop_dynamic", "ompt_work_loop_guided", "ompt_work_loop_other"],
        "5.2",
        "in the place of ompt_work_loop, for each loop whose schedule the runtime knows",
    ),
    (
        &["ompt_dispatch_ws_loop_chunk", "ompt_dispatch_taskloop_chunk", "ompt_dispatch_distribute_chunk"],
        "5.2",
        "for each chunk of which the runtime is asked, with an ompt_dispatch_chunk_t",
    ),
    (
        &["ompt_target_map_flag_always", "ompt_target_map_flag_present", "ompt_target_map_flag_close"],
        "5.2",
        "where a mapping has the modifier and the variable is mapped to a device",
    ),
    (&["ompt_target_map_flag_shared"], "5.2", "where a variable and its counterpart are the same memory"),
    (
        &["ompt_target_data_memset", "ompt_target_data_memset_async"],
        "6.0",
        "for omp_target_memset and omp_target_memset_async",
    ),
    (&["ompt_task_importing", "ompt_task_exporting"], "6.0", "for tasks whose transparent clause says so"),
    (&["ompt_work_workdistribute"], "6.0", "never: compilers divide workdistribute without the runtime"),
    (&["ompt_state_work_free_agent"], "6.0", "for threads that OMP_THREADS_RESERVE reserves, while they execute tasks"),
    (&["ompt_state_work_induction"], "6.0", "never: compilers expand inductions in the program"),
    (
        &["ompt_target_data_transfer", "ompt_target_data_transfer_async"],
        "6.0",
        "never: copies have the kinds of 5.1, which name the direction",
    ),
    (
        &["ompt_target_data_transfer_rect", "ompt_target_data_transfer_rect_async"],
        "6.0",
        "never: a rectangle is told as the copies that it is made of",
    ),
    (&["ompt_get_buffer_limits"], "6.0", "from the lookup of each device that can be traced"),
    (
        &["ompt_record_target_emi_t", "ompt_record_target_data_op_emi_t", "ompt_record_target_submit_emi_t"],
        "6.0",
        "where the tool asks for the _emi event alone: the record has its number; but for names it is that of 5.1",
    ),
];

//! The names of MPI's functions by their numbers in traces. `crates/mpi` has the same list with the functions'
//! arguments, and a test that compares both.

use std::borrow::Cow;

/// The functions that are recorded, by number. A number never gets another meaning.
pub const CALLS: &[(u64, &str)] = &[
    (1, "MPI_Init"),
    (2, "MPI_Init_thread"),
    (3, "MPI_Finalize"),
    (10, "MPI_Send"),
    (11, "MPI_Bsend"),
    (12, "MPI_Ssend"),
    (13, "MPI_Rsend"),
    (14, "MPI_Recv"),
    (15, "MPI_Sendrecv"),
    (16, "MPI_Sendrecv_replace"),
    (17, "MPI_Probe"),
    (18, "MPI_Mprobe"),
    (19, "MPI_Mrecv"),
    (20, "MPI_Isend"),
    (21, "MPI_Ibsend"),
    (22, "MPI_Issend"),
    (23, "MPI_Irsend"),
    (24, "MPI_Irecv"),
    (25, "MPI_Start"),
    (26, "MPI_Startall"),
    (27, "MPI_Wait"),
    (28, "MPI_Waitall"),
    (29, "MPI_Waitany"),
    (30, "MPI_Waitsome"),
    (31, "MPI_Imrecv"),
    (32, "MPI_Buffer_detach"),
    (40, "MPI_Barrier"),
    (41, "MPI_Bcast"),
    (42, "MPI_Gather"),
    (43, "MPI_Gatherv"),
    (44, "MPI_Scatter"),
    (45, "MPI_Scatterv"),
    (46, "MPI_Allgather"),
    (47, "MPI_Allgatherv"),
    (48, "MPI_Alltoall"),
    (49, "MPI_Alltoallv"),
    (50, "MPI_Alltoallw"),
    (51, "MPI_Reduce"),
    (52, "MPI_Allreduce"),
    (53, "MPI_Reduce_scatter"),
    (54, "MPI_Reduce_scatter_block"),
    (55, "MPI_Scan"),
    (56, "MPI_Exscan"),
    (57, "MPI_Neighbor_allgather"),
    (58, "MPI_Neighbor_alltoall"),
    (60, "MPI_Ibarrier"),
    (61, "MPI_Ibcast"),
    (62, "MPI_Igather"),
    (63, "MPI_Iscatter"),
    (64, "MPI_Iallgather"),
    (65, "MPI_Ialltoall"),
    (66, "MPI_Ireduce"),
    (67, "MPI_Iallreduce"),
    (80, "MPI_Comm_dup"),
    (81, "MPI_Comm_split"),
    (82, "MPI_Comm_split_type"),
    (83, "MPI_Comm_create"),
    (84, "MPI_Comm_create_group"),
    (85, "MPI_Comm_free"),
    (86, "MPI_Cart_create"),
    (87, "MPI_Intercomm_create"),
    (88, "MPI_Intercomm_merge"),
    (100, "MPI_Win_create"),
    (101, "MPI_Win_allocate"),
    (102, "MPI_Win_allocate_shared"),
    (103, "MPI_Win_create_dynamic"),
    (104, "MPI_Win_free"),
    (105, "MPI_Win_fence"),
    (106, "MPI_Win_start"),
    (107, "MPI_Win_complete"),
    (108, "MPI_Win_post"),
    (109, "MPI_Win_wait"),
    (110, "MPI_Win_lock"),
    (111, "MPI_Win_unlock"),
    (112, "MPI_Win_lock_all"),
    (113, "MPI_Win_unlock_all"),
    (114, "MPI_Win_flush"),
    (115, "MPI_Win_flush_all"),
    (116, "MPI_Win_flush_local"),
    (117, "MPI_Win_flush_local_all"),
    (118, "MPI_Put"),
    (119, "MPI_Get"),
    (120, "MPI_Accumulate"),
    (140, "MPI_File_open"),
    (141, "MPI_File_close"),
    (142, "MPI_File_read"),
    (143, "MPI_File_write"),
    (144, "MPI_File_read_all"),
    (145, "MPI_File_write_all"),
    (146, "MPI_File_read_at"),
    (147, "MPI_File_write_at"),
    (148, "MPI_File_read_at_all"),
    (149, "MPI_File_write_at_all"),
    (150, "MPI_File_read_shared"),
    (151, "MPI_File_write_shared"),
    (152, "MPI_File_read_ordered"),
    (153, "MPI_File_write_ordered"),
    (154, "MPI_File_sync"),
];

/// What users call the function with this number. One that this version does not know is called by its number.
pub fn name(call: u64) -> Cow<'static, str> {
    let known = CALLS.binary_search_by_key(&call, |(number, _)| *number);
    known.map_or_else(|_| Cow::Owned(format!("MPI call {call}")), |index| Cow::Borrowed(CALLS[index].1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_by_number() {
        assert!(CALLS.is_sorted_by(|one, next| one.0 < next.0));
        assert_eq!((name(10), name(154)), ("MPI_Send".into(), "MPI_File_sync".into()));
        assert_eq!(name(9999), "MPI call 9999");
    }
}

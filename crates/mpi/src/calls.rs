//! The functions of MPI that are recorded (MPI 4.0, chapters 3 to 7, 12 and 14), each with its number in traces, which
//! never changes. `crates/trace` knows the names by these numbers (`store/mpi.rs`).
//!
//! `MPI_Test` and its kin, and `MPI_Iprobe`, are left out: programs call them in loops, and they do not wait. Functions
//! for counts of more than 32 bits (`MPI_Send_c`) are left out too.

// Entry points have all arguments, also those that say nothing of bytes and partners.
#![allow(unused_variables, reason = "a row names all arguments of its function")]

use crate::around::{Call, Frame};
use crate::library::Symbol;
use crate::route::Route;
use crate::traffic::{At, Language};
use crate::{arch, entry};

entry::calls! {
    1 "Init" "init" (argc, argv) fortran (ierror) |at| at.none();
    2 "Init_thread" "init_thread" (argc, argv, required, provided) fortran (required, provided, ierror)
        |at| at.none();
    3 "Finalize" "finalize" () |at| at.none();

    10 "Send" "send" (buf, count, datatype, dest, tag, comm) |at| at.to(dest, count, datatype);
    11 "Bsend" "bsend" (buf, count, datatype, dest, tag, comm) |at| at.to(dest, count, datatype);
    12 "Ssend" "ssend" (buf, count, datatype, dest, tag, comm) |at| at.to(dest, count, datatype);
    13 "Rsend" "rsend" (buf, count, datatype, dest, tag, comm) |at| at.to(dest, count, datatype);
    14 "Recv" "recv" (buf, count, datatype, source, tag, comm, status) |at| at.from(source, count, datatype);
    15 "Sendrecv" "sendrecv" (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
        recvtag, comm, status) |at| at.to(dest, sendcount, sendtype);
    16 "Sendrecv_replace" "sendrecv_replace" (buf, count, datatype, dest, sendtag, source, recvtag, comm, status)
        |at| at.to(dest, count, datatype);
    17 "Probe" "probe" (source, tag, comm, status) |at| at.with(source);
    18 "Mprobe" "mprobe" (source, tag, comm, message, status) |at| at.with(source);
    19 "Mrecv" "mrecv" (buf, count, datatype, message, status) |at| at.all(count, datatype);
    20 "Isend" "isend" (buf, count, datatype, dest, tag, comm, request) |at| at.to(dest, count, datatype);
    21 "Ibsend" "ibsend" (buf, count, datatype, dest, tag, comm, request) |at| at.to(dest, count, datatype);
    22 "Issend" "issend" (buf, count, datatype, dest, tag, comm, request) |at| at.to(dest, count, datatype);
    23 "Irsend" "irsend" (buf, count, datatype, dest, tag, comm, request) |at| at.to(dest, count, datatype);
    24 "Irecv" "irecv" (buf, count, datatype, source, tag, comm, request) |at| at.from(source, count, datatype);
    25 "Start" "start" (request) |at| at.none();
    26 "Startall" "startall" (count, requests) |at| at.none();
    27 "Wait" "wait" (request, status) |at| at.none();
    28 "Waitall" "waitall" (count, requests, statuses) |at| at.none();
    29 "Waitany" "waitany" (count, requests, index, status) |at| at.none();
    30 "Waitsome" "waitsome" (incount, requests, outcount, indices, statuses) |at| at.none();
    31 "Imrecv" "imrecv" (buf, count, datatype, message, request) |at| at.all(count, datatype);
    32 "Buffer_detach" "buffer_detach" (buffer, size) |at| at.none();

    40 "Barrier" "barrier" (comm) |at| at.none();
    41 "Bcast" "bcast" (buffer, count, datatype, root, comm) |at| at.root(root, [buffer, count, datatype], None);
    42 "Gather" "gather" (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
        |at| at.root(root, [sendbuf, sendcount, sendtype], Some([recvbuf, recvcount, recvtype]));
    43 "Gatherv" "gatherv" (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm)
        |at| at.root(root, [sendbuf, sendcount, sendtype], None);
    44 "Scatter" "scatter" (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
        |at| at.root(root, [recvbuf, recvcount, recvtype], Some([sendbuf, sendcount, sendtype]));
    45 "Scatterv" "scatterv" (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm)
        |at| at.root(root, [recvbuf, recvcount, recvtype], None);
    46 "Allgather" "allgather" (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
        |at| at.each([sendbuf, sendcount, sendtype], [recvbuf, recvcount, recvtype], 1);
    47 "Allgatherv" "allgatherv" (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm)
        |at| at.in_place_or([sendbuf, sendcount, sendtype]);
    48 "Alltoall" "alltoall" (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
        |at| at.each([sendbuf, sendcount, sendtype], [recvbuf, recvcount, recvtype], at.size(comm));
    49 "Alltoallv" "alltoallv" (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm)
        |at| at.counts([sendbuf, sendcounts, sendtype], [recvbuf, recvcounts, recvtype], at.size(comm));
    50 "Alltoallw" "alltoallw" (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm)
        |at| at.counts_and_types([sendbuf, sendcounts, sendtypes], [recvbuf, recvcounts, recvtypes], at.size(comm));
    51 "Reduce" "reduce" (sendbuf, recvbuf, count, datatype, op, root, comm) |at| at.to(root, count, datatype);
    52 "Allreduce" "allreduce" (sendbuf, recvbuf, count, datatype, op, comm) |at| at.all(count, datatype);
    53 "Reduce_scatter" "reduce_scatter" (sendbuf, recvbuf, recvcounts, datatype, op, comm)
        |at| at.counts([sendbuf, recvcounts, datatype], [recvbuf, recvcounts, datatype], at.own_size(comm));
    54 "Reduce_scatter_block" "reduce_scatter_block" (sendbuf, recvbuf, recvcount, datatype, op, comm)
        |at| at.each([sendbuf, recvcount, datatype], [recvbuf, recvcount, datatype], at.own_size(comm));
    55 "Scan" "scan" (sendbuf, recvbuf, count, datatype, op, comm) |at| at.all(count, datatype);
    56 "Exscan" "exscan" (sendbuf, recvbuf, count, datatype, op, comm) |at| at.all(count, datatype);
    57 "Neighbor_allgather" "neighbor_allgather" (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
        |at| at.all(sendcount, sendtype);
    58 "Neighbor_alltoall" "neighbor_alltoall" (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
        |at| at.neighbors(sendcount, sendtype, comm);

    60 "Ibarrier" "ibarrier" (comm, request) |at| at.none();
    61 "Ibcast" "ibcast" (buffer, count, datatype, root, comm, request)
        |at| at.root(root, [buffer, count, datatype], None);
    62 "Igather" "igather" (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request)
        |at| at.root(root, [sendbuf, sendcount, sendtype], Some([recvbuf, recvcount, recvtype]));
    63 "Iscatter" "iscatter" (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request)
        |at| at.root(root, [recvbuf, recvcount, recvtype], Some([sendbuf, sendcount, sendtype]));
    64 "Iallgather" "iallgather" (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
        |at| at.each([sendbuf, sendcount, sendtype], [recvbuf, recvcount, recvtype], 1);
    65 "Ialltoall" "ialltoall" (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
        |at| at.each([sendbuf, sendcount, sendtype], [recvbuf, recvcount, recvtype], at.size(comm));
    66 "Ireduce" "ireduce" (sendbuf, recvbuf, count, datatype, op, root, comm, request)
        |at| at.to(root, count, datatype);
    67 "Iallreduce" "iallreduce" (sendbuf, recvbuf, count, datatype, op, comm, request)
        |at| at.all(count, datatype);

    80 "Comm_dup" "comm_dup" (comm, newcomm) |at| at.none();
    81 "Comm_split" "comm_split" (comm, color, key, newcomm) |at| at.none();
    82 "Comm_split_type" "comm_split_type" (comm, kind, key, info, newcomm) |at| at.none();
    83 "Comm_create" "comm_create" (comm, group, newcomm) |at| at.none();
    84 "Comm_create_group" "comm_create_group" (comm, group, tag, newcomm) |at| at.none();
    85 "Comm_free" "comm_free" (comm) |at| at.none();
    86 "Cart_create" "cart_create" (comm, ndims, dims, periods, reorder, newcomm) |at| at.none();
    87 "Intercomm_create" "intercomm_create" (local, leader, peer, remote, tag, newcomm) |at| at.none();
    88 "Intercomm_merge" "intercomm_merge" (comm, high, newcomm) |at| at.none();

    100 "Win_create" "win_create" (base, size, unit, info, comm, win) |at| at.none();
    101 "Win_allocate" "win_allocate" (size, unit, info, comm, base, win) |at| at.none();
    102 "Win_allocate_shared" "win_allocate_shared" (size, unit, info, comm, base, win) |at| at.none();
    103 "Win_create_dynamic" "win_create_dynamic" (info, comm, win) |at| at.none();
    104 "Win_free" "win_free" (win) |at| at.none();
    105 "Win_fence" "win_fence" (assertions, win) |at| at.none();
    106 "Win_start" "win_start" (group, assertions, win) |at| at.none();
    107 "Win_complete" "win_complete" (win) |at| at.none();
    108 "Win_post" "win_post" (group, assertions, win) |at| at.none();
    109 "Win_wait" "win_wait" (win) |at| at.none();
    110 "Win_lock" "win_lock" (kind, rank, assertions, win) |at| at.with(rank);
    111 "Win_unlock" "win_unlock" (rank, win) |at| at.with(rank);
    112 "Win_lock_all" "win_lock_all" (assertions, win) |at| at.none();
    113 "Win_unlock_all" "win_unlock_all" (win) |at| at.none();
    114 "Win_flush" "win_flush" (rank, win) |at| at.with(rank);
    115 "Win_flush_all" "win_flush_all" (win) |at| at.none();
    116 "Win_flush_local" "win_flush_local" (rank, win) |at| at.with(rank);
    117 "Win_flush_local_all" "win_flush_local_all" (win) |at| at.none();
    118 "Put" "put" (origin, count, datatype, target, displacement, target_count, target_type, win)
        |at| at.to(target, count, datatype);
    119 "Get" "get" (origin, count, datatype, target, displacement, target_count, target_type, win)
        |at| at.to(target, count, datatype);
    120 "Accumulate" "accumulate" (origin, count, datatype, target, displacement, target_count, target_type, op, win)
        |at| at.to(target, count, datatype);

    140 "File_open" "file_open" (comm, name, mode, info, file) fortran (comm, name, mode, info, file, ierror, length)
        |at| at.none();
    141 "File_close" "file_close" (file) |at| at.none();
    142 "File_read" "file_read" (file, buf, count, datatype, status) |at| at.all(count, datatype);
    143 "File_write" "file_write" (file, buf, count, datatype, status) |at| at.all(count, datatype);
    144 "File_read_all" "file_read_all" (file, buf, count, datatype, status) |at| at.all(count, datatype);
    145 "File_write_all" "file_write_all" (file, buf, count, datatype, status) |at| at.all(count, datatype);
    146 "File_read_at" "file_read_at" (file, offset, buf, count, datatype, status) |at| at.all(count, datatype);
    147 "File_write_at" "file_write_at" (file, offset, buf, count, datatype, status) |at| at.all(count, datatype);
    148 "File_read_at_all" "file_read_at_all" (file, offset, buf, count, datatype, status)
        |at| at.all(count, datatype);
    149 "File_write_at_all" "file_write_at_all" (file, offset, buf, count, datatype, status)
        |at| at.all(count, datatype);
    150 "File_read_shared" "file_read_shared" (file, buf, count, datatype, status) |at| at.all(count, datatype);
    151 "File_write_shared" "file_write_shared" (file, buf, count, datatype, status) |at| at.all(count, datatype);
    152 "File_read_ordered" "file_read_ordered" (file, buf, count, datatype, status) |at| at.all(count, datatype);
    153 "File_write_ordered" "file_write_ordered" (file, buf, count, datatype, status) |at| at.all(count, datatype);
    154 "File_sync" "file_sync" (file) |at| at.none();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reader_knows_the_calls_by_their_numbers() {
        for (number, name) in NAMES {
            assert_eq!(ferromp_trace::store::mpi::name(*number), *name);
        }
        assert_eq!(NAMES.len(), ferromp_trace::store::mpi::CALLS.len());
    }
}

! Calls MPI from Fortran by one of its modules, and checks the results.
program calls
    use MODULE
    implicit none
    integer :: rank, ranks, provided, error, other, round, i
    integer :: values(10), both(12), numbers(10)
    double precision :: mine(100), theirs(100), sums(2)

    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    other = 1 - rank
    mine = rank
    do round = 1, 4
        call MPI_Sendrecv(mine, 100, MPI_DOUBLE_PRECISION, other, 1, theirs, 100, MPI_DOUBLE_PRECISION, other, 1, &
            MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end do
    if (theirs(1) /= other) error stop 1
    do round = 1, 2
        call MPI_Bcast(mine, 10, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
    end do
    sums = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    if (sums(1) /= 3) error stop 2
    both = rank
    if (rank == 0) then
        call MPI_Gather(MPI_IN_PLACE, 5, MPI_DATATYPE_NULL, both, 6, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    else
        call MPI_Gather(both, 6, MPI_INTEGER, both, 9, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, error)
    end if
    do round = 1, 3
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end do
    call exchange()
    i = 0
!$omp parallel do reduction(+ : i)
    do round = 1, 100
        i = i + round
    end do
    call MPI_Finalize(error)
    if (i /= 5050) error stop 4
    if (rank == 0) print '(a)', 'all is well'

contains

    subroutine exchange()
        REQUESTS
        values = rank
        call MPI_Irecv(numbers, 10, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(1), error)
        call MPI_Isend(values, 10, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(2), error)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
        if (numbers(3) /= other) error stop 3
    end subroutine

end program

! Cancellation of parallel regions, loops and taskgroups in Fortran. OpenMP 5.1, 2.20
!@ env: OMP_CANCELLATION=true
!@ needs: flang 21
program cancel
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, round, past, loops, whole, begun
    logical :: enabled
    enabled = omp_get_cancellation()
    call check(enabled, 'cancel-var')
    do round = 1, 20
        past = 0; loops = 0; whole = 0; begun = 0
        !$omp parallel shared(past)
        !$omp cancel parallel
        !$omp atomic
        past = past + 1
        !$omp end parallel
        call check(past == 0, 'behind cancel parallel')
        !$omp parallel do schedule(dynamic) shared(loops, past)
        do i = 1, 200
            !$omp atomic
            loops = loops + 1
            if (i == 20) then
                !$omp cancel do
                past = 1
            end if
            !$omp cancellation point do
        end do
        !$omp end parallel do
        call check(past == 0, 'behind cancel do')
        call check(loops >= 1 .and. loops <= 200, 'iterations')
        !$omp parallel do reduction(+: whole)
        do i = 1, 200
            whole = whole + 1
        end do
        !$omp end parallel do
        call check(whole == 200, 'the next loop')
        !$omp parallel
        !$omp single
        !$omp taskgroup
        do i = 1, 20
            !$omp task shared(begun) if(i > 1)
            !$omp atomic
            begun = begun + 1
            !$omp cancel taskgroup
            past = 1
            !$omp end task
        end do
        !$omp end taskgroup
        !$omp end single
        !$omp end parallel
        call check(begun == 1, 'tasks that begun')
        call check(past == 0, 'behind cancel taskgroup')
    end do
    call verdict()
contains
  include 'check.inc'
end program

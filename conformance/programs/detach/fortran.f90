! Detachable tasks in Fortran. OpenMP 5.1, 2.12.1 (detach clause), 3.5.1 (omp_fulfill_event)
!@ cannot: flang because it does not know all of the clauses
!@ needs: gfortran 11
program detached
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(omp_event_handle_kind) :: event
  integer :: i, body, after

  do i = 1, 20
    body = 0
    after = 0
    !$omp parallel
    !$omp single
    !$omp task detach(event) depend(out: body)
    body = 1
    !$omp end task
    !$omp task depend(in: body)
    after = body + after
    !$omp end task
    !$omp task firstprivate(event)
    call omp_fulfill_event(event)
    !$omp end task
    !$omp taskwait
    call check(after == 1, 'the successor follows')
    !$omp end single
    !$omp end parallel
  end do
  call verdict()
contains
  include 'check.inc'
end program detached

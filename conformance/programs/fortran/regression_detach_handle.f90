! A detached task's event is fulfilled from Fortran, by its sibling; the task that depends on it comes after.
! OpenMP 5.1, 2.12.1 and 3.5.1
!@ cannot: flang because it does not parse the detach clause
!@ needs: gfortran 11
program regression_detach_handle
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: written, seen, round
  logical :: fulfilled, in_order
  integer(omp_event_handle_kind) :: event

  do round = 1, 20
    written = 0
    seen = -1
    fulfilled = .false.
    in_order = .false.
    !$omp parallel shared(written, seen, fulfilled, in_order) private(event)
    !$omp single
    !$omp task detach(event) depend(out: written) shared(written)
    written = round
    !$omp end task
    !$omp task shared(fulfilled) firstprivate(event)
    !$omp atomic write
    fulfilled = .true.
    call omp_fulfill_event(event)
    !$omp end task
    !$omp task depend(in: written) shared(written, seen, fulfilled, in_order)
    seen = written
    !$omp atomic read
    in_order = fulfilled
    !$omp end task
    !$omp end single
    !$omp end parallel
    call check(seen == round, 'the dependent task sees what the detached one wrote')
    call check(in_order, 'the dependent task comes after the event')
  end do
  call verdict()
contains
  include 'check.inc'
end program

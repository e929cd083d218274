! Detached tasks from Fortran: events fulfilled by the task itself, early, and by another task, late. OpenMP 5.1, 2.12.1, 3.5.1
!@ cannot: flang because it does not parse the detach clause
!@ needs: gfortran 11
program detach
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: round, done, seen
  integer(omp_event_handle_kind) :: early, late

  do round = 1, 10
    done = 0
    seen = -1
    !$omp parallel shared(done, seen) private(early, late)
    !$omp single
    !$omp taskgroup
    !$omp task detach(early) shared(done)
    call omp_fulfill_event(early)
    !$omp atomic
    done = done + 1
    !$omp end task
    !$omp task detach(late) shared(done)
    !$omp atomic
    done = done + 10
    !$omp end task
    !$omp task firstprivate(late) shared(done)
    !$omp atomic
    done = done + 100
    call omp_fulfill_event(late)
    !$omp end task
    !$omp end taskgroup
    seen = done
    !$omp end single
    !$omp end parallel
    call check(seen == 111, 'the taskgroup waits for events')
  end do
  call verdict()
contains
  include 'check.inc'
end program detach

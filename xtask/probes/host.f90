! What a Fortran compiler emits for the host's constructs: the calls.
program host
  use omp_lib
  implicit none
  integer :: i, total, first, numbers(8)
  total = 0
  numbers = 0
  !$omp parallel num_threads(2) proc_bind(close) reduction(+ : total)
  !$omp do schedule(dynamic, 2)
  do i = 1, 8
    numbers(i) = i
  end do
  !$omp end do nowait
  !$omp do schedule(runtime) ordered
  do i = 1, 8
    !$omp ordered
    total = total + numbers(i)
    !$omp end ordered
  end do
  !$omp sections
  !$omp section
  total = total + 1
  !$omp end sections
  !$omp single
  !$omp task depend(out : first)
  first = 2
  !$omp end task
  !$omp taskwait
  !$omp taskgroup
  !$omp task
  numbers(3) = 4
  !$omp end task
  !$omp end taskgroup
  !$omp end single
  !$omp critical (name)
  total = total + 1
  !$omp end critical (name)
  !$omp master
  total = total + omp_get_num_threads()
  !$omp end master
  !$omp barrier
  !$omp end parallel
  if (total < 0) stop 1
end program

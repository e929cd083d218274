! Clauses of tasks from Fortran: if, final, mergeable, untied, priority, private, firstprivate, affinity, and taskyield.
! OpenMP 5.1, 2.12
!@ env: OMP_MAX_TASK_PRIORITY=5
!@ cannot: flang because it does not implement untied, mergeable and affinity
!@ needs: gfortran 12
program task_clauses
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, total, seen, x, table(10), hint(8)

  call check(omp_get_max_task_priority() == 5, 'omp_get_max_task_priority')
  total = 0; x = 7; table = [(i, i = 1, 10)]; hint = 0
  !$omp parallel
  !$omp single
  !$omp task if(.false.) private(x) shared(total)
  x = 1
  total = total + x
  !$omp end task
  call check(total == 1, 'if(.false.)')
  !$omp task final(.true.) shared(total) mergeable
  call check(omp_in_final(), 'omp_in_final')
  !$omp task shared(total)
  call check(omp_in_final(), 'a task in a final task')
  !$omp atomic
  total = total + 1
  !$omp end task
  !$omp end task
  !$omp taskwait
  call check(total == 2, 'final')
  do i = 1, 60
    !$omp task untied priority(mod(i, 7)) firstprivate(i, x, table) affinity(hint(3:5)) shared(total) private(seen)
    call check_values()
    seen = table(mod(i, 10) + 1) + x
    !$omp taskyield
    !$omp atomic
    total = total + seen - 7
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call check(total == 2 + 6 * 55, 'sum')
  call check(x == 7, 'firstprivate')
  call verdict()
contains
  subroutine check_values()
    call check(.not. omp_in_final(), 'omp_in_final in an ordinary task')
  end subroutine check_values

  include 'check.inc'
end program task_clauses

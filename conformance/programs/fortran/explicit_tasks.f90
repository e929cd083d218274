! omp_in_explicit_task and the tool's control routine from Fortran. OpenMP 5.1, 3.5.2, 3.14
!@ cannot: gfortran because its omp_lib has neither
program explicit_tasks
  use omp_lib
  use omp_lib_kinds
  implicit none
  integer :: failures = 0
  integer(kmp_pointer_kind) :: nothing = 0

  call check(.not. omp_in_explicit_task(), 'an initial task')
  !$omp parallel
  call check(.not. omp_in_explicit_task(), 'an implicit task')
  !$omp single
  !$omp task
  call check(omp_in_explicit_task(), 'an explicit task')
  !$omp end task
  !$omp task if(.false.)
  call check(omp_in_explicit_task(), 'an undeferred task')
  !$omp end task
  !$omp end single
  !$omp end parallel
  call check(omp_control_tool(omp_control_tool_flush, 0_omp_control_tool_kind, nothing) <= 0, 'omp_control_tool')
  call verdict()
contains
  include 'check.inc'
end program explicit_tasks

! Task reductions in Fortran: scalars and arrays, taskgroups, loops and regions. OpenMP 5.1, 2.21.5.4-6
!@ cannot: flang because it does not implement task_reduction and in_reduction
!@ needs: gfortran 11
program task_reductions
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: total, threads, i
  real(8) :: real_total
  integer :: bins(40)

  total = 3
  real_total = 0
  bins = 0
  !$omp parallel
  !$omp single
  !$omp taskgroup task_reduction(+: total, real_total, bins)
  do i = 1, 40
    !$omp task in_reduction(+: total, real_total, bins) firstprivate(i)
    total = total + i
    real_total = real_total + 0.5d0
    bins(i) = bins(i) + i
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  call check(total == 823, 'integer')
  call check(abs(real_total - 20) < 1e-12, 'real')
  call check(all(bins == [(i, i = 1, 40)]), 'array')

  total = 0
  threads = 0
  !$omp parallel reduction(task, +: total) reduction(+: threads)
  threads = threads + 1
  !$omp task in_reduction(+: total)
  total = total + 2
  !$omp end task
  !$omp end parallel
  call check(total == 2 * threads, 'parallel')

  total = 0
  !$omp parallel
  !$omp do reduction(task, +: total)
  do i = 1, 30
    !$omp task in_reduction(+: total) firstprivate(i)
    total = total + i
    !$omp end task
  end do
  !$omp end do
  !$omp end parallel
  call check(total == 465, 'loop')

  total = 1
  !$omp parallel
  !$omp single
  !$omp taskloop reduction(+: total) num_tasks(9)
  do i = 1, 100
    total = total + i
  end do
  !$omp end taskloop
  !$omp end single
  !$omp end parallel
  call check(total == 5051, 'taskloop')
  call verdict()
contains
  include 'check.inc'
end program task_reductions

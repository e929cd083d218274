! Taskloops in Fortran: clauses, directions, data, reductions. OpenMP 5.1, 2.12.2 (taskloop)
!@ needs: flang 23, gfortran 11
program taskloops
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, j, last, total
  integer :: seen(1000), grid(20, 30)
  integer(8) :: k, far

  seen = 0
  grid = 0
  total = 0
  far = 0
  last = 0
  !$omp parallel
  !$omp single
  !$omp taskloop grainsize(3)
  do i = 1, 1000
    seen(i) = seen(i) + 1
  end do
  !$omp end taskloop
  call check(all(seen == 1), 'grainsize')
  !$omp taskloop num_tasks(400) lastprivate(last)
  do i = 1000, 1, -1
    seen(i) = seen(i) + 1
    last = i
  end do
  !$omp end taskloop
  call check(all(seen == 2) .and. last == 1, 'downwards')
  !$omp taskloop collapse(2) num_tasks(50)
  do j = 1, 30
    do i = 1, 20
      grid(i, j) = grid(i, j) + i * j
    end do
  end do
  !$omp end taskloop
  !$omp taskloop reduction(+: total, far)
  do k = 10000000000_8, 10000000099_8
    total = total + 1
    far = far + k
  end do
  !$omp end taskloop
  !$omp end single
  !$omp end parallel
  do j = 1, 30
    do i = 1, 20
      call check(grid(i, j) == i * j, 'collapse')
    end do
  end do
  call check(total == 100, 'count')
  call check(far == 1000000004950_8, 'sum')
  call verdict()
contains
  include 'check.inc'
end program taskloops

! The loop construct from Fortran, bound to parallel regions and to threads, with reductions. OpenMP 5.1, 2.11.7
!@ cannot: flang because it does not implement loop inside parallel with bind
!@ needs: gfortran 12
program loop_construct
  implicit none
  integer :: failures = 0
  integer :: i, j, total, hits(100)

  hits = 0; total = 0
  !$omp parallel
  !$omp loop bind(parallel) reduction(+: total)
  do i = 1, 100
    hits(i) = hits(i) + 1
    total = total + i
  end do
  !$omp end loop
  !$omp end parallel
  call check(total == 5050 .and. all(hits == 1), 'bind(parallel)')
  !$omp parallel loop collapse(2)
  do j = 0, 9
    do i = 1, 10
      hits(10 * j + i) = hits(10 * j + i) + 1
    end do
  end do
  call check(all(hits == 2), 'parallel loop')
  !$omp loop bind(thread)
  do i = 1, 100
    hits(i) = hits(i) + 1
  end do
  call check(all(hits == 3), 'bind(thread)')
  call verdict()
contains
  include 'check.inc'
end program loop_construct

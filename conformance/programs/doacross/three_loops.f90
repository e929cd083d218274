! Doacross nests in Fortran: a wavefront over three loops, one that counts down, and a loop with a stride.
! OpenMP 5.1, 2.19.9 (ordered construct, doacross loop nest)
!@ compilers: gfortran
program three_loops
  use omp_lib
  implicit none
  integer :: failures = 0
  integer, parameter :: n = 9, m = 8, l = 7
  integer :: a(0:n, 0:m, 0:l), chain(0:200), i, j, k, r
  do r = 1, 5
    a = 0
    a(0, :, :) = 1
    a(:, m, :) = 1
    a(:, :, 0) = 1
    !$omp parallel do ordered(3) schedule(dynamic)
    do i = 1, n
      do j = m - 1, 0, -1
        do k = 1, l
          !$omp ordered depend(sink: i - 1, j, k) depend(sink: i, j + 1, k) depend(sink: i, j, k - 1)
          a(i, j, k) = mod(a(i - 1, j, k) + a(i, j + 1, k) + a(i, j, k - 1), 10007)
          !$omp ordered depend(source)
        end do
      end do
    end do
    do i = 1, n
      do j = m - 1, 0, -1
        do k = 1, l
          call check(a(i, j, k) == mod(a(i - 1, j, k) + a(i, j + 1, k) + a(i, j, k - 1), 10007), 'wavefront')
        end do
      end do
    end do
    chain = 0
    !$omp parallel do ordered(1) schedule(static, 2)
    do i = 3, 200, 3
      !$omp ordered depend(sink: i - 3)
      chain(i) = chain(i - 3) + i
      !$omp ordered depend(source)
    end do
    do i = 3, 200, 3
      call check(chain(i) == chain(i - 3) + i, 'chain')
    end do
  end do
  call verdict()

contains
  include 'check.inc'
end program three_loops

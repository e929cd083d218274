! A doacross nest of two loops and an ordered loop from Fortran. OpenMP 5.1, 2.19.9
!@ cannot: flang because it does not implement doacross loops
program doacross
  implicit none
  integer :: failures = 0
  integer, parameter :: n = 25
  integer :: a(0:n, 0:n), i, j, round, next

  do round = 1, 3
    a = 1
    !$omp parallel do ordered(2) schedule(static, 1)
    do i = 1, n
      do j = 1, n
        !$omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
        a(i, j) = mod(a(i - 1, j) + a(i, j - 1), 1009)
        !$omp ordered depend(source)
      end do
    end do
    do i = 1, n
      do j = 1, n
        call check(a(i, j) == mod(a(i - 1, j) + a(i, j - 1), 1009), 'nest')
      end do
    end do
  end do
  next = 1
  !$omp parallel do ordered schedule(guided)
  do i = 1, 100
    !$omp ordered
    call check(next == i, 'order')
    next = next + 1
    !$omp end ordered
  end do
  call check(next == 101, 'all iterations')
  call verdict()
contains
  include 'check.inc'
end program doacross

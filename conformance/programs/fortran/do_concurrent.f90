! do concurrent, made a parallel loop: one and several indices, a mask, locality and a reduction. Fortran 2023, 11.1.7; OpenMP 5.1, 2.11.4
!@ compilers: flang
!@ needs: flang 21
!@ flags: -fdo-concurrent-to-openmp=host
program do_concurrent
  implicit none
  integer :: failures = 0
  integer, parameter :: n = 1000
  integer :: i, j, total, hidden, a(n), b(30, 40), round
  do round = 1, 20
    a = -1
    do concurrent (i = 1:n)
      a(i) = 2 * i
    end do
    call check(sum(a) == n * (n + 1), 'one index')
    do concurrent (i = 1:30, j = 1:40)
      b(i, j) = 100 * i + j
    end do
    call check(all([((b(i, j) == 100 * i + j, i = 1, 30), j = 1, 40)]), 'two indices')
    do concurrent (i = n:1:-3) local(hidden)
      hidden = i
      a(i) = hidden
    end do
    call check(all([(a(i) == i, i = n, 1, -3)]), 'a step and a local variable')
    total = 5
    do concurrent (i = 1:n) reduce(+: total)
      total = total + i
    end do
    call check(total == 5 + n * (n + 1) / 2, 'a reduction')
  end do
  call verdict()
contains
  include 'check.inc'
end program do_concurrent

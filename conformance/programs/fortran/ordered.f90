! Ordered regions from Fortran under every schedule, downwards and with strides, collapsed, and the doacross forms.
! OpenMP 5.1, 2.19.9 (ordered construct)
program ordered
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, j, k, next, order(200), round
  integer(8) :: big
  do round = 1, 4
    next = 0
    !$omp parallel do ordered schedule(static)
    do i = 1, 60
      !$omp ordered
      next = next + 1
      order(next) = i
      !$omp end ordered
    end do
    do i = 1, 60
      call check(order(i) == i, 'static')
    end do
    next = 0
    !$omp parallel do ordered schedule(dynamic, 4)
    do i = 60, 2, -2
      if (mod(i, 4) == 0) then
        !$omp ordered
        next = next + 1
        order(next) = i
        !$omp end ordered
      end if
    end do
    call check(next == 15, 'dynamic: count')
    do i = 1, next
      call check(order(i) == 64 - 4 * i, 'dynamic')
    end do
    next = 0
    !$omp parallel do ordered schedule(guided)
    do big = 5000000000_8, 5000000060_8, 3_8
      !$omp ordered
      next = next + 1
      order(next) = int(big - 5000000000_8)
      !$omp end ordered
    end do
    do i = 1, next
      call check(order(i) == 3 * (i - 1), 'guided, integer(8)')
    end do
    next = 0
    !$omp parallel do ordered collapse(2) schedule(static, 3) private(k)
    do i = 1, 6
      do j = 5, 1, -1
        k = (i - 1) * 5 + (5 - j)
        !$omp ordered
        call check(next == k, 'collapse')
        next = next + 1
        !$omp end ordered
      end do
    end do
    call check(next == 30, 'collapse: count')
    call omp_set_schedule(omp_sched_dynamic, 2)
    next = 0
    !$omp parallel do ordered schedule(runtime)
    do i = 1, 40
      !$omp ordered
      next = next + i
      !$omp end ordered
    end do
    call check(next == 820, 'runtime')
  end do
  call verdict()

contains
  include 'check.inc'
end program ordered

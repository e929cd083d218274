! Ordered regions from Fortran under each schedule. OpenMP 5.1, 2.19.9
program ordered_schedules
  implicit none
  integer :: failures = 0
  integer :: i, next, rest

  next = 1
  !$omp parallel do ordered schedule(static)
  do i = 1, 60
    !$omp ordered
    call check(i == next, 'static')
    next = next + 1
    !$omp end ordered
  end do
  call check(next == 61, 'all of static')
  next = 60; rest = 0
  !$omp parallel do ordered schedule(dynamic, 3) reduction(+: rest)
  do i = 60, 1, -1
    rest = rest + i
    !$omp ordered
    call check(i == next, 'dynamic')
    next = next - 1
    !$omp end ordered
    rest = rest - 1
  end do
  call check(next == 0 .and. rest == 1770, 'all of dynamic')
  next = 5
  !$omp parallel do ordered schedule(guided)
  do i = 5, 200, 5
    if (mod(i, 2) == 0) then
      !$omp ordered
      call check(i > next, 'guided')
      next = i
      !$omp end ordered
    end if
  end do
  call check(next == 200, 'all of guided')
  call verdict()
contains
  include 'check.inc'
end program ordered_schedules

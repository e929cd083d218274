! target teams distribute parallel do, reductions, and loops over allocatable arrays. OpenMP 5.1, 2.11.6
!@ threads: 1 3 8
!@ needs: flang 21
program teams
  implicit none
  integer :: failures = 0
  integer, parameter :: n = 400
  real(8), allocatable :: x(:), y(:)
  real(8) :: dot, biggest
  integer :: i, j, count
  allocate (x(n), y(n))
  x = [(dble(i), i = 1, n)]
  y = 2
  dot = 1; biggest = 0; count = 0
  !$omp target teams distribute parallel do map(to: x) map(tofrom: y)
  do i = 1, n
    y(i) = y(i) + x(i)
  end do
  call check(all(y == x + 2), 'a loop')
  !$omp target teams distribute parallel do reduction(+: dot) reduction(max: biggest) map(tofrom: dot, biggest)
  do i = 1, n
    dot = dot + x(i) * y(i)
    biggest = max(biggest, y(i))
  end do
  call check(dot == 1 + sum(x * y) .and. biggest == n + 2, 'reductions')
  !$omp target parallel do collapse(2) reduction(+: count) map(tofrom: count)
  do i = 1, 20
    do j = 1, 30
      count = count + 1
    end do
  end do
  call check(count == 600, 'collapsed loops')
  !$omp target teams num_teams(2) map(tofrom: y)
  !$omp distribute
  do i = 1, n
    y(i) = -y(i)
  end do
  !$omp end distribute
  !$omp end target teams
  call check(all(y == -x - 2), 'distribute')
  call verdict()
contains
  include 'check.inc'
end program teams

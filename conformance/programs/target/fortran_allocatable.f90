! Allocatable arrays and scalars in target regions and data constructs. OpenMP 5.1, 2.21.7.1
!@ threads: 1 3 8
!@ stock-fails: flang because libomptarget crashes in a program without device code
program allocatables
  implicit none
  integer :: failures = 0
  real, allocatable :: a(:), grid(:, :), none(:)
  integer, allocatable :: scalar
  integer :: i, n
  n = 50
  allocate (a(n), grid(0:4, -1:3), scalar)
  a = [(real(i), i = 1, n)]
  grid = 1
  scalar = 5
  !$omp target data map(tofrom: a) map(tofrom: grid)
  !$omp target
  do i = 1, n
    a(i) = a(i) * 2
  end do
  grid(0, -1) = 7
  grid(4, 3) = real(size(grid))
  !$omp end target
  !$omp end target data
  call check(all(a == [(2.0 * i, i = 1, n)]), 'an allocatable array')
  call check(grid(0, -1) == 7 .and. grid(4, 3) == 25 .and. grid(1, 1) == 1, 'a matrix')
  !$omp target map(tofrom: scalar)
  scalar = scalar + 1
  !$omp end target
  call check(scalar == 6, 'an allocatable scalar')
  !$omp target enter data map(to: a)
  !$omp target
  a(1) = -1
  !$omp end target
  !$omp target update from(a(1:1))
  !$omp target exit data map(release: a)
  call check(a(1) == -1 .and. a(2) == 4, 'unstructured data')
  call check(.not. allocated(none), 'what is not allocated')
  call verdict()
contains
  include 'check.inc'
end program allocatables

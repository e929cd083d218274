! Map types, array sections with lower bounds other than one, and characters. OpenMP 5.1, 2.21.7.1
!@ threads: 1 3 8
!@ stock-fails: flang because libomptarget crashes in a program without device code
program maps
  implicit none
  integer :: failures = 0
  integer :: a(-5:10), b(3, 4), i, total
  real(8) :: x
  complex :: z
  logical :: flag
  character(len=8) :: text
  a = [(i, i = -5, 10)]
  b = reshape([(i, i = 1, 12)], [3, 4])
  x = 1.5d0; z = (1.0, 2.0); flag = .false.; text = 'abcdefgh'
  !$omp target map(tofrom: a, x, z, flag, text) map(to: b) map(from: total)
  a(-5) = 100
  a(10) = sum(b)
  x = x * 2
  z = z * (0.0, 1.0)
  flag = .not. flag
  text(2:3) = 'XY'
  total = b(3, 4)
  !$omp end target
  call check(a(-5) == 100 .and. a(10) == 78 .and. a(0) == 0, 'the array')
  call check(x == 3.0d0 .and. z == (-2.0, 1.0) .and. flag .and. text == 'aXYdefgh', 'the scalars')
  call check(total == 12, 'the matrix')
  !$omp target map(tofrom: a(2:6)) map(tofrom: b(:, 2:3))
  a(2:6) = -1
  b(:, 2) = 0
  !$omp end target
  call check(all(a(2:6) == -1) .and. a(7) == 7 .and. a(1) == 1, 'a section')
  call check(all(b(:, 2) == 0) .and. b(1, 1) == 1 .and. b(3, 3) == 9, 'a section of a matrix')
  !$omp target map(alloc: a) map(from: total)
  a = 3
  total = sum(a)
  !$omp end target
  call check(total == 48, 'allocated storage')
  call verdict()
contains
  include 'check.inc'
end program maps

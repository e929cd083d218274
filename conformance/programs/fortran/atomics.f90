! Atomic constructs from Fortran on integers, reals, complex numbers and logicals: update, read, write, capture, swap.
! OpenMP 5.1, 2.19.7
program atomics
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, count, low, high, bits, seen, threads, captured
  integer(8) :: wide
  integer(2) :: small
  real(4) :: x
  real(8) :: y
  logical :: flag

  count = 0; low = 1000; high = -1000; bits = 0; wide = 0; small = 0; x = 0; y = 1; flag = .false.; threads = 0; captured = 0
  !$omp parallel private(seen)
  !$omp atomic
  threads = threads + 1
  !$omp do
  do i = 1, 400
    !$omp atomic
    count = count + i
    !$omp atomic
    low = min(low, mod(i * 7, 400))
    !$omp atomic
    high = max(high, mod(i * 7, 400))
    !$omp atomic
    bits = ior(bits, ishft(1, mod(i, 20)))
    !$omp atomic
    wide = wide + 10000000000_8
    !$omp atomic
    small = small + 1_2
    !$omp atomic
    x = x + 0.5
    !$omp atomic
    y = y * 1d0
    !$omp atomic
    flag = flag .or. i == 77
    !$omp atomic capture
    seen = captured
    captured = captured + 1
    !$omp end atomic
    call check(seen >= 0 .and. seen < 400, 'capture')
    !$omp atomic read
    seen = count
    call check(seen > 0, 'read')
  end do
  !$omp end parallel
  call check(count == 80200 .and. captured == 400, 'sums')
  call check(low == 0 .and. high == 399, 'min and max')
  call check(bits == 1048575, 'bits')
  call check(wide == 4000000000000_8 .and. small == 400, 'other integers')
  call check(x == 200.0 .and. y == 1d0, 'reals')
  call check(flag, 'logical')
  !$omp parallel num_threads(2)
  !$omp atomic write
  seen = 42
  !$omp end parallel
  call check(seen == 42, 'write')
  call verdict()
contains
  include 'check.inc'
end program atomics

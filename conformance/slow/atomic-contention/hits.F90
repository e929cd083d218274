! Pi by throwing darts. Each hit is counted with an atomic update of one shared counter.
! slow: cause: atomic-contention
! slow: compilers: gcc
! slow: threads: 2
! slow: try: reduction
program hits
  implicit none
  integer, parameter :: throws = 100000
  integer(8) :: inside, state
  integer :: round, rounds, i, k
  real(8) :: x, y, pi

  rounds = repeated(160)
  inside = 0
  do round = 1, rounds
#ifdef MENDED
    !$omp parallel do private(state, x, y, k) reduction(+: inside)
#else
    !$omp parallel do private(state, x, y, k)
#endif
    do i = 1, throws
      state = int(i, 8) * 7919 + int(round, 8) * 104729
      do k = 1, 12
        state = mod(state * 1103515245_8 + 12345_8, 2147483648_8)
      end do
      x = state / 2147483648d0
      state = mod(state * 1103515245_8 + 12345_8, 2147483648_8)
      y = state / 2147483648d0
      if (x * x + y * y < 1) then
#ifndef MENDED
        !$omp atomic ! slow: here
#endif
        inside = inside + 1
      end if
    end do
  end do
  pi = 4d0 * inside / (real(throws, 8) * rounds)
  call finish(abs(pi - 3.14159d0) < 0.1d0, pi)

contains

#include "../slow.inc"
end program hits

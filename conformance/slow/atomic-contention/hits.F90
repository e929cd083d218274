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
  real(8) :: x, y, pi, check

  rounds = repeated(160)
  inside = 0
  check = 0
  do round = 1, rounds
    check = check + (strips(40000) + real(lattice(20000 + round), 8) / (20000d0 + round)**2) / 2 / rounds
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
  call finish(abs(pi - check) < 0.1d0, pi)

contains

  ! The same area, by strips; the error says how well the darts did.
  real(8) function strips(count)
    integer, intent(in) :: count
    integer :: i
    real(8) :: x
    strips = 0
    !$omp parallel do private(x) reduction(+: strips)
    do i = 1, count
      x = (i - 0.5d0) / count
      strips = strips + sqrt(1 - x * x)
    end do
    strips = 4 * strips / count
  end function strips

  ! Lattice points in the circle of some radius, line by line.
  integer(8) function lattice(radius)
    integer, intent(in) :: radius
    integer :: i
    lattice = 0
    !$omp parallel do reduction(+: lattice)
    do i = -radius, radius
      lattice = lattice + 1 + 2 * int(sqrt(real(radius, 8)**2 - real(i, 8)**2), 8)
    end do
  end function lattice

#include "../slow.inc"
end program hits

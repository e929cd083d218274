! The energy of a chain of magnets. Every block of bonds is added to the total in a critical section.
! slow: cause: reduction-by-critical
! slow: also: critical-contention
! slow: compilers: gcc
! slow: threads: 2
! slow: try: reduction
program energy
  implicit none
  integer, parameter :: magnets = 20000, block = 6, reach = 8
  real(8) :: angle(magnets), turn(magnets), likeness(reach), total
  integer :: step, steps, i

  steps = repeated(600)
  do i = 1, magnets
    angle(i) = 6 * scattered(i)
  end do
  total = 0
  do step = 1, steps
    call torques()
    call rotate()
    call field(step)
    call correlate()
    total = total + bonds() / steps
  end do
  call finish(abs(total) < magnets .and. likeness(1) < magnets, anint(total * 1d3))

contains

  subroutine torques()
    integer :: i
    !$omp parallel do
    do i = 2, magnets - 1
      turn(i) = sin(angle(i) - angle(i - 1)) + sin(angle(i) - angle(i + 1))
    end do
  end subroutine torques

  subroutine rotate()
    integer :: i
    !$omp parallel do
    do i = 2, magnets - 1
      angle(i) = angle(i) - 0.01d0 * turn(i)
    end do
  end subroutine rotate

  real(8) function bonds() result(all)
    integer :: first, i
    real(8) :: bond
    all = 0
#ifdef MENDED
    !$omp parallel do private(bond, i) reduction(+: all)
#else
    !$omp parallel do private(bond, i)
#endif
    do first = 1, magnets - 1, block
      bond = 0
      do i = first, min(first + block, magnets) - 1
        bond = bond - cos(angle(i) - angle(i + 1))
      end do
#ifndef MENDED
      !$omp critical ! slow: here
#endif
      all = all + bond
#ifndef MENDED
      !$omp end critical
#endif
    end do
  end function bonds

  ! How magnets some places apart point the same way.
  subroutine correlate()
    integer :: distance, i
    real(8) :: alike
    !$omp parallel do private(i, alike)
    do distance = 1, reach
      alike = 0
      do i = 1, magnets - reach, 4
        alike = alike + cos(angle(i) - angle(i + distance))
      end do
      likeness(distance) = alike
    end do
  end subroutine correlate

  ! An outer field that turns slowly.
  subroutine field(step)
    integer, intent(in) :: step
    integer :: i
    !$omp parallel do
    do i = 1, magnets
      angle(i) = angle(i) + 1d-4 * sin(0.001d0 * step - angle(i))
    end do
  end subroutine field

#include "../slow.inc"
end program energy

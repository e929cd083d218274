! Smooths a grid line by line. The short loop over a line is parallel, not the loop over the lines.
! slow: cause: wrong-loop-parallel
! slow: also: region-too-short
! slow: compilers: gcc
! slow: threads: 2
! slow: try: outer loop
program smoother
  implicit none
  integer, parameter :: side = 320
  real(8) :: rough(side, side), smooth(side, side), total, steep
  integer :: round, rounds

  rounds = repeated(2500)
  call start()
  total = 0
  do round = 1, rounds
    call smooth_grid()
    call restore()
    steep = steepness()
    total = total + rough(side / 2, side / 2) / rounds
  end do
  call finish(total > 0 .and. steep < 1, total)

contains

  subroutine start()
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, side
      do i = 1, side
        rough(i, j) = scattered(i + side * j)
      end do
    end do
    smooth = rough
  end subroutine start

  subroutine smooth_grid()
    integer :: i, j
#ifdef MENDED
    !$omp parallel do private(i)
#endif
    do j = 2, side - 1
#ifndef MENDED
      !$omp parallel do ! slow: here
#endif
      do i = 2, side - 1
        smooth(i, j) = 0.5d0 * rough(i, j) + 0.125d0 * (rough(i - 1, j) + rough(i + 1, j)) &
          + 0.125d0 * (rough(i, j - 1) + rough(i, j + 1))
      end do
    end do
  end subroutine smooth_grid

  subroutine restore()
    integer :: j
    !$omp parallel do
    do j = 1, side
      rough(:, j) = 0.9d0 * smooth(:, j) + 0.1d0 * rough(:, j)
    end do
  end subroutine restore

  ! How steep the grid is on average.
  real(8) function steepness()
    integer :: i, j
    real(8) :: along, across
    steepness = 0
    !$omp parallel do private(i, along, across) reduction(+: steepness)
    do j = 2, side - 1, 4
      do i = 2, side - 1
        along = rough(i + 1, j) - rough(i - 1, j)
        across = rough(i, j + 1) - rough(i, j - 1)
        steepness = steepness + sqrt(along**2 + across**2)
      end do
    end do
    steepness = steepness / side**2
  end function steepness

#include "../slow.inc"
end program smoother

! Follows the contours of a map. One thread looks for their begins and makes a short task of each; the other starves.
! slow: cause: one-producer
! slow: compilers: gcc
! slow: threads: 2
! slow: try: create tasks on every thread
program contour
  implicit none
  integer, parameter :: side = 90, levels = 100
  real(8) :: height(side, side)
  integer :: length_of(side, side), map, maps
  real(8) :: total

  maps = repeated(40)
  total = 0
  do map = 1, maps
    call draw(map)
    call trace_all()
    total = total + mean_length()
  end do
  call finish(total > 0, total / maps)

contains

  ! Hills of several sizes.
  subroutine draw(map)
    integer, intent(in) :: map
    integer :: row, column
    !$omp parallel do private(row)
    do column = 1, side
      do row = 1, side
        height(row, column) = sin(row * 0.05d0 + map) * cos(column * 0.07d0) + 0.3d0 * sin(row * column * 0.01d0)
        length_of(row, column) = 0
      end do
    end do
  end subroutine draw

  ! How rough the map is around a cell: the more, the more likely a contour begins here.
  pure real(8) function roughness(row, column)
    integer, intent(in) :: row, column
    integer :: level
    real(8) :: nearest
    roughness = 0
    do level = 1, levels
      nearest = abs(height(row, column) - 0.04d0 * (level - levels / 2))
      roughness = roughness + exp(-20 * nearest) * (1 + sqrt(nearest))
    end do
  end function roughness

  ! Goes downhill, to the border at most.
  subroutine follow(row, column)
    integer, intent(in) :: row, column
    integer :: step, r, c, next(2)
    r = row
    c = column
    do step = 1, 24
      next = minloc(height(r - 1:r + 1, c - 1:c + 1)) + [r - 2, c - 2]
      if (any(next < 2) .or. any(next > side - 1)) exit
      r = next(1)
      c = next(2)
    end do
    length_of(row, column) = step
  end subroutine follow

  subroutine trace_all()
    integer :: row, column
    !$omp parallel private(row, column)
#ifdef MENDED
    !$omp do
#else
    !$omp single ! slow: or here
#endif
    do column = 2, side - 1
      do row = 2, side - 1
        if (roughness(row, column) > 0.1d0) then
          !$omp task firstprivate(row, column) ! slow: here
          call follow(row, column)
          !$omp end task
        end if
      end do
    end do
#ifdef MENDED
    !$omp end do
#else
    !$omp end single
#endif
    !$omp end parallel
  end subroutine trace_all

  real(8) function mean_length()
    integer :: column
    integer :: sum_of
    sum_of = 0
    !$omp parallel do reduction(+ : sum_of)
    do column = 1, side
      sum_of = sum_of + sum(length_of(:, column))
    end do
    mean_length = sum_of / real(side * side, 8)
  end function mean_length

#include "../slow.inc"
end program contour

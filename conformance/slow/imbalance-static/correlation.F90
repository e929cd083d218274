! Correlations of measured series: the matrix is symmetric, so series j is compared with series 1 to j only.
! slow: cause: imbalance-static
! slow: compilers: gcc
! slow: threads: 2
! slow: try: schedule(dynamic)
program correlation
  implicit none
  integer, parameter :: series = 240, length = 300
  real(8) :: raw(length, series), clean(length, series), matrix(series, series), total
  integer :: window, windows

  windows = repeated(210)
  total = 0
  matrix = 0
  do window = 1, windows
    call measure(window)
    call normalise()
    call compare()
    total = total + sum(matrix(:, series)) / windows
  end do
  call finish(abs(matrix(series, series) - 1) < 1d-9, matrix(1, 2) + total)

contains

  subroutine measure(window)
    integer, intent(in) :: window
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, series
      do i = 1, length
        raw(i, j) = mod(i * (j + 3) + window * 7, 101) + 0.01d0 * i * mod(j, 5)
      end do
    end do
  end subroutine measure

  ! Mean 0 and length 1.
  subroutine normalise()
    integer :: j
    real(8) :: mean
    !$omp parallel do private(mean)
    do j = 1, series
      mean = sum(raw(:, j)) / length
      clean(:, j) = raw(:, j) - mean
      clean(:, j) = clean(:, j) / sqrt(sum(clean(:, j)**2))
    end do
  end subroutine normalise

  subroutine compare()
    integer :: i, j
#ifdef MENDED
    !$omp parallel do private(i) schedule(dynamic, 4)
#else
    !$omp parallel do private(i) ! slow: here
#endif
    do j = 1, series
      do i = 1, j
        matrix(i, j) = dot_product(clean(:, i), clean(:, j))
      end do
    end do
  end subroutine compare

#include "../slow.inc"
end program correlation

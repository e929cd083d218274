! Columns of the atmosphere do not touch each other. A barrier in the loop over the hours still makes threads wait.
! slow: cause: needless-barrier
! slow: compilers: gcc
! slow: threads: 2
! slow: try: no barrier in the loop
program atmosphere
  use omp_lib
  implicit none
  integer, parameter :: columns = 32, levels = 60, hours = 24
  real(8) :: heat(levels, columns), water(levels, columns), total
  integer :: day, days

  days = repeated(900)
  call start()
  total = 0
  do day = 1, days
    call advance(day)
    total = total + rain()
    call dry()
  end do
  call finish(total > 0, anint(total))

contains

  subroutine start()
    integer :: column, level
    !$omp parallel do private(level)
    do column = 1, columns
      do level = 1, levels
        heat(level, column) = 10 + scattered(level + columns * column)
        water(level, column) = scattered(level + 7 * column + 5000)
      end do
    end do
  end subroutine start

  ! Clouds make a column costly in some hours.
  subroutine mix_column(column, rounds)
    integer, intent(in) :: column, rounds
    integer :: round, level
    real(8) :: flow
    do round = 1, rounds
      do level = 2, levels
        flow = 0.01d0 * (heat(level - 1, column) - heat(level, column)) / (1 + water(level, column))
        heat(level, column) = heat(level, column) + flow
        heat(level - 1, column) = heat(level - 1, column) - flow
      end do
    end do
  end subroutine mix_column

  subroutine advance(day)
    integer, intent(in) :: day
    integer :: hour, column
    !$omp parallel private(hour, column)
    do hour = 1, hours
      do column = omp_get_thread_num() + 1, columns, omp_get_num_threads()
        call mix_column(column, merge(8, 2, mod(hour + column + day, 2) == 0))
      end do
#ifndef MENDED
      !$omp barrier ! slow: here
#endif
    end do
    !$omp end parallel
  end subroutine advance

  real(8) function rain()
    integer :: column
    rain = 0
    !$omp parallel do reduction(+: rain)
    do column = 1, columns
      rain = rain + sum(water(:, column) * heat(:, column))
    end do
  end function rain

  subroutine dry()
    integer :: column
    !$omp parallel do
    do column = 1, columns
      where (water(:, column) > 0.9d0) water(:, column) = 0.9d0
      heat(:, column) = heat(:, column) + 1d-3 * water(:, column)
    end do
  end subroutine dry

#include "../slow.inc"
end program atmosphere

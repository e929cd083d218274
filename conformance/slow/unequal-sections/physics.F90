! A climate step with three sections: radiation takes as long as four rounds of clouds, or of soil.
! slow: cause: unequal-sections
! slow: compilers: gcc
! slow: threads: 2
! slow: try: split the long section
program physics
  implicit none
  integer, parameter :: cells = 4000
  real(8) :: sunlight(cells), cloud(cells), soil(cells), moved(cells), total
  integer :: step, steps

  steps = repeated(5000)
  call start()
  total = 0
  do step = 1, steps
    call advance()
    call blow()
    total = total + exchange()
  end do
  call finish(total > 0, anint(total))

contains

  subroutine start()
    integer :: cell
    !$omp parallel do
    do cell = 1, cells
      sunlight(cell) = 1 + scattered(cell)
      cloud(cell) = 1 + scattered(cell + cells)
      soil(cell) = 1 + scattered(cell + 2 * cells)
    end do
  end subroutine start

  subroutine relax(values, rounds)
    real(8), intent(inout) :: values(:)
    integer, intent(in) :: rounds
    integer :: round, cell
    do round = 1, rounds
      do cell = 2, size(values)
        values(cell) = 1 / (0.4d0 + 0.3d0 * values(cell) + 0.3d0 / values(cell - 1))
      end do
    end do
  end subroutine relax

  ! The halves of the sunlight do not touch, so each can be a section of its own.
  subroutine advance()
    !$omp parallel sections ! slow: here
#ifdef MENDED
    !$omp section
    call relax(sunlight(:cells / 2), 4)
    !$omp section
    call relax(sunlight(cells / 2 + 1:), 4)
#else
    !$omp section ! slow: or here
    call relax(sunlight(:cells / 2), 4) ! slow: or here
    call relax(sunlight(cells / 2 + 1:), 4) ! slow: or here
#endif
    !$omp section
    call relax(cloud, 1)
    !$omp section
    call relax(soil, 1)
    !$omp end parallel sections
  end subroutine advance

  real(8) function exchange()
    integer :: cell
    exchange = 0
    !$omp parallel do reduction(+: exchange)
    do cell = 1, cells
      exchange = exchange + sunlight(cell) * cloud(cell) / soil(cell)
    end do
  end function exchange

  ! The wind carries clouds to the next cell.
  subroutine blow()
    integer :: cell
    !$omp parallel
    !$omp do
    do cell = 2, cells
      moved(cell) = 0.9d0 * cloud(cell) + 0.1d0 * cloud(cell - 1)
    end do
    !$omp do
    do cell = 2, cells
      cloud(cell) = moved(cell)
    end do
    !$omp end parallel
  end subroutine blow

#include "../slow.inc"
end program physics

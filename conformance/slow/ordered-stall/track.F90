! Tracks a signal over frames. Only the last line needs the frame before, but the whole filter is ordered.
! slow: cause: ordered-stall
! slow: compilers: gcc
! slow: threads: 2
! slow: try: smaller ordered region
program tracking
  implicit none
  integer, parameter :: frames = 200, points = 300
  real(8) :: track, forecast(frames)
  integer :: day, days

  days = repeated(2500)
  track = 0
  do day = 1, days
    call follow(day)
    call foresee(day)
  end do
  call finish(track > 0 .and. forecast(1) < track, track)

contains

  ! The frame's raw values, then their smooth maximum.
  pure real(8) function peak(day, frame)
    integer, intent(in) :: day, frame
    real(8) :: values(points)
    integer :: i
    do i = 1, points
      values(i) = 1 / (1 + 1d-3 * (i - mod(frame * 7 + day, points))**2)
    end do
    do i = 2, points
      values(i) = max(values(i), 0.9d0 * values(i - 1))
    end do
    peak = sum(values) / points
  end function peak

  pure real(8) function noise(day, frame)
    integer, intent(in) :: day, frame
    integer :: i
    noise = 0
    do i = 1, points
      noise = noise + 1 / (1d0 + i + mod(day + frame * i, 13))
    end do
  end function noise

  subroutine follow(day)
    integer, intent(in) :: day
    integer :: frame
    real(8) :: height, disturbed
    !$omp parallel do ordered schedule(static, 1) private(height, disturbed)
    do frame = 1, frames
      disturbed = noise(day, frame)
#ifdef MENDED
      height = peak(day, frame)
#endif
      !$omp ordered ! slow: here
#ifndef MENDED
      height = peak(day, frame) ! slow: or here
#endif
      track = 0.9d0 * track + 0.1d0 * (height + 0.01d0 * disturbed)
      !$omp end ordered
    end do
  end subroutine follow

  ! A forecast from the days before, for many hours ahead.
  subroutine foresee(day)
    integer, intent(in) :: day
    integer :: hour, k
    real(8) :: sum
    !$omp parallel do private(k, sum)
    do hour = 1, frames
      sum = 0
      do k = 1, 100
        sum = sum + track / (1d0 + mod(hour * k + day, 29))
      end do
      forecast(hour) = sum / 100
    end do
  end subroutine foresee

#include "../slow.inc"
end program tracking

! A wave on a string of some hundred points. Each time step starts two parallel regions.
! slow: cause: region-too-short
! slow: compilers: gcc
! slow: threads: 2
! slow: try: one region around the loop
program wave
  implicit none
  integer, parameter :: points = 600, tones = 32
  real(8) :: height(0:points + 1), speed(0:points + 1), strength(tones)
  integer :: round, rounds

  rounds = repeated(400)
  call pluck()
  strength = 0
  do round = 1, rounds
    call vibrate(1000)
    call listen()
  end do
  call finish(maxval(abs(height)) < 10, sum(abs(height)) + sum(strength))

contains

  subroutine pluck()
    integer :: i
    speed = 0
    do i = 0, points + 1
      height(i) = exp(-((i - 200) / 20d0)**2)
    end do
  end subroutine pluck

  subroutine vibrate(steps)
    integer, intent(in) :: steps
    integer :: step, i
#ifdef MENDED
    !$omp parallel private(step, i)
#endif
    do step = 1, steps
#ifdef MENDED
      !$omp do
#else
      !$omp parallel do ! slow: here
#endif
      do i = 1, points
        speed(i) = 0.9999d0 * speed(i) + 0.2d0 * (height(i - 1) - 2 * height(i) + height(i + 1))
      end do
#ifdef MENDED
      !$omp do
#else
      !$omp parallel do ! slow: or here
#endif
      do i = 1, points
        height(i) = height(i) + speed(i)
      end do
    end do
#ifdef MENDED
    !$omp end parallel
#endif
  end subroutine vibrate

  ! The strength of each tone.
  subroutine listen()
    integer :: tone, i
    real(8) :: sum, factor
    !$omp parallel do private(i, sum, factor)
    do tone = 1, tones
      sum = 0
      factor = 3.141592653589793d0 * tone / (points + 1)
      do i = 1, points
        sum = sum + height(i) * sin(factor * i)
      end do
      strength(tone) = strength(tone) + abs(sum) / points
    end do
  end subroutine listen

#include "../slow.inc"
end program wave

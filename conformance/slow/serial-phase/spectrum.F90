! Waves are added up by all threads. One thread alone then makes a spectrum of each signal.
! slow: cause: serial-phase
! slow: compilers: gcc
! slow: threads: 2
! slow: try: parallel do
program spectrum
  implicit none
  integer, parameter :: samples = 512, signals = 64, lines = 24
  real(8) :: signal(samples, signals), power(lines, signals), window(samples), total
  integer :: pass, passes, i

  passes = repeated(200)
  total = 0
  do i = 1, samples
    window(i) = 0.5d0 - 0.5d0 * cos(6.283185307179586d0 * i / samples)
  end do
  do pass = 1, passes
    call add_waves(pass)
    call centre()
    call weigh()
    call analyse() ! slow: or here
    total = total + maxval(power) / passes
  end do
  call finish(total > 0, total)

contains

  subroutine add_waves(pass)
    integer, intent(in) :: pass
    integer :: number, i, wave
    real(8) :: height
    !$omp parallel do private(i, wave, height)
    do number = 1, signals
      do i = 1, samples
        height = 0
        do wave = 1, 8
          height = height + sin(0.01d0 * i * wave * (number + pass)) / wave
        end do
        signal(i, number) = height
      end do
    end do
  end subroutine add_waves

  subroutine weigh()
    integer :: number
    !$omp parallel do
    do number = 1, signals
      signal(:, number) = signal(:, number) * window
    end do
  end subroutine weigh

  ! The power of the lowest lines, by Goertzel's recurrence.
  subroutine analyse()
    integer :: number, line, i
    real(8) :: factor, one, two, next
#ifdef MENDED
    !$omp parallel do private(line, i, factor, one, two, next)
#endif
    do number = 1, signals ! slow: here
      do line = 1, lines
        factor = 2 * cos(6.283185307179586d0 * line / samples)
        one = 0
        two = 0
        do i = 1, samples
          next = signal(i, number) + factor * one - two
          two = one
          one = next
        end do
        power(line, number) = one**2 + two**2 - factor * one * two
      end do
    end do
  end subroutine analyse

  ! The mean of each signal is taken away.
  subroutine centre()
    integer :: number
    !$omp parallel do
    do number = 1, signals
      signal(:, number) = signal(:, number) - sum(signal(:, number)) / samples
    end do
  end subroutine centre

#include "../slow.inc"
end program spectrum

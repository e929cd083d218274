! Adaptive quadrature. Every interval that is halved makes two tasks, also where a few values of the function are left.
! slow: cause: tasks-too-fine
! slow: compilers: gcc
! slow: threads: 2
! slow: try: final/if cutoff
program quadrature
  implicit none
  integer, parameter :: cutoff = 8
  real(8) :: total, part
  integer :: round, rounds

  rounds = repeated(4500)
  total = 0
  do round = 1, rounds
    !$omp parallel
    !$omp single
    call integrate(0.001d0, 2.0d0 + mod(round, 4), 1d-10, 0, part)
    !$omp end single
    !$omp end parallel
    total = total + part
  end do
  call finish(total > 0, total / rounds)

contains

  pure real(8) function f(x)
    real(8), intent(in) :: x
    f = 1 / (x * x + 0.001d0) + x
  end function f

  pure real(8) function simpson(a, b)
    real(8), intent(in) :: a, b
    simpson = (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))
  end function simpson

  ! The same recursion without tasks.
  recursive subroutine alone(a, b, limit, area)
    real(8), intent(in) :: a, b, limit
    real(8), intent(out) :: area
    real(8) :: middle, left, right
    middle = (a + b) / 2
    left = simpson(a, middle)
    right = simpson(middle, b)
    area = left + right
    if (abs(area - simpson(a, b)) < limit) return
    call alone(a, middle, limit / 2, left)
    call alone(middle, b, limit / 2, right)
    area = left + right
  end subroutine alone

  recursive subroutine integrate(a, b, limit, depth, area)
    real(8), intent(in) :: a, b, limit
    integer, intent(in) :: depth
    real(8), intent(out) :: area
    real(8) :: middle, left, right
#ifdef MENDED
    if (depth >= cutoff) then
      call alone(a, b, limit, area)
      return
    end if
#endif
    middle = (a + b) / 2
    left = simpson(a, middle)
    right = simpson(middle, b)
    area = left + right
    if (abs(area - simpson(a, b)) < limit) return
    !$omp task shared(left) ! slow: here
    call integrate(a, middle, limit / 2, depth + 1, left)
    !$omp end task
    !$omp task shared(right) ! slow: or here
    call integrate(middle, b, limit / 2, depth + 1, right)
    !$omp end task
    !$omp taskwait
    area = left + right
  end subroutine integrate

#include "../slow.inc"
end program quadrature

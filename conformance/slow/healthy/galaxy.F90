! Stars pull each other. Each star sums over all others, so all rows are equal.
! slow: cause: none
! slow: compilers: gcc
! slow: threads: 2
program galaxy
  implicit none
  integer, parameter :: stars = 1000
  real(8) :: place(3, stars), speed(3, stars), pull(3, stars), total
  integer :: step, steps, i

  steps = repeated(120)
  do i = 1, stars
    place(:, i) = [scattered(3 * i), scattered(3 * i + 1), scattered(3 * i + 2)]
  end do
  speed = 0
  total = 0
  do step = 1, steps
    call attract()
    call move(1d-6)
    total = total + energy()
  end do
  call finish(total > 0, total)

contains

  subroutine attract()
    integer :: i, j
    real(8) :: way(3), square, sum(3)
    !$omp parallel do schedule(static) private(j, way, square, sum)
    do i = 1, stars
      sum = 0
      do j = 1, stars
        way = place(:, j) - place(:, i)
        square = way(1)**2 + way(2)**2 + way(3)**2 + 1d-3
        sum = sum + way / (square * sqrt(square))
      end do
      pull(:, i) = sum
    end do
  end subroutine attract

  subroutine move(time)
    real(8), intent(in) :: time
    integer :: i
    !$omp parallel do
    do i = 1, stars
      speed(:, i) = speed(:, i) + time * pull(:, i)
      place(:, i) = place(:, i) + time * speed(:, i)
    end do
  end subroutine move

  real(8) function energy()
    integer :: i
    energy = 0
    !$omp parallel do reduction(+: energy)
    do i = 1, stars
      energy = energy + speed(1, i)**2 + speed(2, i)**2 + speed(3, i)**2
    end do
  end function energy

#include "../slow.inc"
end program galaxy

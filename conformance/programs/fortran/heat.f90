! Explicit heat equation in two dimensions with a convergence test, one region around all time steps.
! OpenMP 5.1, 2.11.4
program heat
  implicit none
  integer, parameter :: n = 26
  integer :: failures = 0
  real(8) :: u(0:n, 0:n), v(0:n, 0:n), change
  integer :: i, j, steps, serial_steps
  real(8) :: reference

  call solve(.false.)
  serial_steps = steps
  reference = sum(u)
  call solve(.true.)
  call check(steps == serial_steps .and. steps > 20, 'number of steps')
  call check(sum(u) == reference, 'field')
  call verdict()
contains
  include 'check.inc'
  subroutine solve(parallel)
    logical, intent(in) :: parallel
    u = 0; u(0, :) = 100; v = u
    steps = 0
    change = 1
    !$omp parallel if(parallel)
    do while (steps < 300 .and. change > 0.05d0)
      !$omp barrier
      !$omp single
      change = 0
      steps = steps + 1
      !$omp end single
      !$omp do collapse(2) reduction(max: change) schedule(static)
      do j = 1, n - 1
        do i = 1, n - 1
          v(i, j) = u(i, j) + 0.2d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j))
          change = max(change, abs(v(i, j) - u(i, j)))
        end do
      end do
      !$omp end do
      !$omp do
      do j = 1, n - 1
        u(1:n - 1, j) = v(1:n - 1, j)
      end do
      !$omp end do
    end do
    !$omp end parallel
  end subroutine solve
end program heat

! simd and its combinations with worksharing loops from Fortran. OpenMP 5.1, 2.11.5
program simd
  implicit none
  integer :: failures = 0
  integer :: i, n, total
  real(8) :: x(400), y(400)

  do n = 0, 400, 57
    x = [(i * 1d0, i = 1, 400)]
    y = 0
    !$omp simd
    do i = 1, n
      y(i) = 2 * x(i)
    end do
    call check(all(y(1:n) == 2 * x(1:n)) .and. all(y(n + 1:) == 0), 'simd')
    total = 0
    !$omp parallel do simd reduction(+: total) schedule(static)
    do i = 1, n
      y(i) = y(i) + 1
      total = total + i
    end do
    call check(total == n * (n + 1) / 2, 'reduction')
    call check(all(y(1:n) == 2 * x(1:n) + 1) .and. all(y(n + 1:) == 0), 'parallel do simd')
    !$omp parallel
    !$omp do simd schedule(dynamic, 16)
    do i = n, 1, -1
      y(i) = -y(i)
    end do
    !$omp end parallel
    call check(all(y(1:n) == -2 * x(1:n) - 1), 'do simd')
  end do
  call verdict()
contains
  include 'check.inc'
end program simd

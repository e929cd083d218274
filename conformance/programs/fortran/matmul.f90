! Matrix product by column blocks, guided schedule, against the intrinsic; orphaned loop in a subroutine.
! OpenMP 5.1, 2.11.4
program matrix_product
  implicit none
  integer :: failures = 0
  integer, parameter :: m = 31, k = 17, n = 43
  real(8) :: a(m, k), b(k, n), c(m, n)
  integer :: i, j

  a = reshape([(real(mod(i * 7, 11), 8), i = 1, m * k)], [m, k])
  b = reshape([(real(mod(i * 5, 13), 8), i = 1, k * n)], [k, n])
  do j = 1, 5
    c = 0
    !$omp parallel
    call multiply(a, b, c)
    !$omp end parallel
    call check(all(c == matmul(a, b)), 'product')
  end do
  call verdict()
contains
  include 'check.inc'
  subroutine multiply(x, y, z)
    real(8), intent(in) :: x(:, :), y(:, :)
    real(8), intent(inout) :: z(:, :)
    integer :: column, p
    !$omp do schedule(guided, 2)
    do column = 1, size(y, 2)
      do p = 1, size(x, 2)
        z(:, column) = z(:, column) + x(:, p) * y(p, column)
      end do
    end do
    !$omp end do
  end subroutine multiply
end program matrix_product

! Assumed-size, assumed-shape and explicit-shape dummy arguments in target regions. OpenMP 5.1, 2.21.7.1
!@ threads: 1 3 8
!@ needs: flang 21
program assumed
  implicit none
  integer :: failures = 0
  integer :: a(20), b(4, 5), i
  a = [(i, i = 1, 20)]
  b = 0
  call by_size(a, 20)
  call check(all(a == [(2 * i, i = 1, 20)]), 'assumed size')
  call by_shape(a(1:20:1))
  call check(all(a == [(2 * i + 1, i = 1, 20)]), 'assumed shape')
  call by_bounds(b, 4, 5)
  call check(all(b == reshape([(i, i = 1, 20)], [4, 5])), 'explicit shape')
  call verdict()
contains
  subroutine by_size(x, n)
    integer, intent(in) :: n
    integer :: x(*)
    integer :: k
    !$omp target map(tofrom: x(1:n))
    do k = 1, n
      x(k) = 2 * x(k)
    end do
    !$omp end target
  end subroutine by_size
  subroutine by_shape(x)
    integer :: x(:)
    integer :: k
    !$omp target map(tofrom: x)
    do k = 1, size(x)
      x(k) = x(k) + 1
    end do
    !$omp end target
  end subroutine by_shape
  subroutine by_bounds(x, n, m)
    integer, intent(in) :: n, m
    integer :: x(n, m)
    integer :: j, k
    !$omp target teams distribute parallel do collapse(2) map(from: x)
    do k = 1, m
      do j = 1, n
        x(j, k) = j + n * (k - 1)
      end do
    end do
  end subroutine by_bounds
  include 'check.inc'
end program assumed

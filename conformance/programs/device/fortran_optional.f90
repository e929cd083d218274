! Target regions with optional arguments of a procedure, present and absent, in several clauses. OpenMP 5.1, 2.14, 2.21
!@ compilers: gfortran
!@ needs: gfortran 12
program fortran_optional
  use omp_lib
  implicit none
  integer :: failures = 0
  integer, target :: scalar = 5
  real :: list(6) = 1.0
  call work()
  call work(a=scalar)
  call work(b=list)
  call work(scalar, list)
  call check(scalar == 27, 'the scalar')
  call check(all(list == 23.0), 'the list')
  call verdict()
contains
  subroutine work(a, b)
    integer, optional :: a
    real, optional :: b(:)
    integer :: seen
    seen = 0
    !$omp target map(tofrom: a, b, seen)
    if (present(a)) then
      a = a + 1
      seen = seen + 1
    end if
    if (present(b)) then
      b = b + 1.0
      seen = seen + 10
    end if
    !$omp end target
    call check(seen == merge(1, 0, present(a)) + merge(10, 0, present(b)), 'what is present')
    if (present(a)) then
      !$omp target firstprivate(a) map(from: seen)
      seen = a
      a = 100
      !$omp end target
      call check(seen == a .and. a < 100, 'a copy')
    end if
    !$omp target data map(tofrom: a, b) use_device_addr(a, b)
    !$omp target has_device_addr(a, b)
    if (present(a)) a = a + 10
    if (present(b)) b = b + 10.0
    !$omp end target
    !$omp end target data
  end subroutine work
  include 'check.inc'
end program fortran_optional

! Optional arguments, present and absent, in target and target data constructs. OpenMP 5.1, 2.21.7.1
!@ threads: 1 3 8
!@ cannot: flang because it follows absent arguments
program optionals
  implicit none
  integer :: failures = 0
  integer :: x, a(4)
  x = 1
  a = 1
  call with(x, a)
  call check(x == 11 .and. all(a == 2), 'present arguments')
  call with(x)
  call check(x == 21, 'an absent array')
  call with()
  call verdict()
contains
  subroutine with(scalar, array)
    integer, optional :: scalar, array(:)
    logical :: has_scalar, has_array
    !$omp target map(from: has_scalar, has_array) map(tofrom: scalar, array)
    has_scalar = present(scalar)
    has_array = present(array)
    if (present(scalar)) scalar = scalar + 10
    if (present(array)) array = array + 1
    !$omp end target
    call check((has_scalar .eqv. present(scalar)) .and. (has_array .eqv. present(array)), 'present() in the region')
  end subroutine with
  include 'check.inc'
end program optionals

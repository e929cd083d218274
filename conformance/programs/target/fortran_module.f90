! Module variables and procedures declared for the device. OpenMP 5.1, 2.14.7
!@ threads: 1 3 8
!@ stock-fails: flang because libomptarget crashes in a program without device code
module shared_things
  implicit none
  integer :: counter = 5
  real :: table(10) = 2.0
  !$omp declare target(counter, table)
contains
  integer function next(by)
    !$omp declare target
    integer, intent(in) :: by
    counter = counter + by
    next = counter
  end function next
  recursive integer function factorial(n) result(f)
    !$omp declare target
    integer, intent(in) :: n
    if (n <= 1) then
      f = 1
    else
      f = n * factorial(n - 1)
    end if
  end function factorial
end module shared_things

program uses_module
  use shared_things
  implicit none
  integer :: failures = 0
  integer :: a, b
  real :: total
  !$omp target map(from: a, b, total)
  a = next(3)
  b = factorial(6)
  total = sum(table)
  !$omp end target
  call check(a == 8 .and. b == 720 .and. total == 20.0, 'functions and variables')
  counter = 100
  !$omp target update to(counter)
  !$omp target map(from: a)
  a = next(1)
  !$omp end target
  call check(a == 101, 'after an update')
  !$omp target update from(counter)
  call check(counter == 101, 'the variable itself')
  call verdict()
contains
  include 'check.inc'
end program uses_module

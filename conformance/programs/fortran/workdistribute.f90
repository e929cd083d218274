! Array assignments whose units of work the teams of a league share. OpenMP 6.0, 13.5
!@ compilers: flang
!@ needs: flang 22
!@ flags: -fopenmp-version=60
program workdistribute
  use omp_lib
  implicit none
  integer :: failures = 0
  integer, parameter :: n = 1000
  real :: x(n), y(n), z(20, 30), a
  a = 2.0
  x = 1.0
  y = 3.0
  z = 1.0
  !$omp teams workdistribute
  y = a * x + y
  x = 7.0
  z = z + 4.0
  !$omp end teams workdistribute
  call check(all(y == 5.0), 'a sum of arrays')
  call check(all(x == 7.0), 'a scalar for all')
  call check(all(z == 5.0), 'two dimensions')
  !$omp target teams workdistribute map(tofrom: x, y)
  y = a * x + y
  !$omp end target teams workdistribute
  call check(all(y == 19.0), 'in a target region')
  call verdict()
contains
  include 'check.inc'
end program workdistribute

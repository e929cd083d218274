! defaultmap for scalars, allocatable variables, pointers and aggregates. OpenMP 5.1, 2.21.7.3
!@ threads: 1 3 8
!@ cannot: flang because it lacks the clause
!@ needs: gfortran 12
program default_maps
  implicit none
  integer :: failures = 0
  integer :: x, a(5)
  integer, allocatable :: b(:)
  x = 1; a = 1
  allocate (b(3), source = 1)
  !$omp target defaultmap(tofrom: scalar)
  x = x + 1
  !$omp end target
  call check(x == 2, 'scalar')
  !$omp target defaultmap(firstprivate: scalar) defaultmap(tofrom: aggregate)
  x = 100
  a(2) = x
  !$omp end target
  call check(x == 2 .and. a(2) == 100, 'aggregate')
  !$omp target defaultmap(tofrom: allocatable)
  b(2) = 5
  !$omp end target
  call check(b(2) == 5 .and. b(3) == 1, 'allocatable')
  !$omp target defaultmap(none) map(x, a) map(b)
  x = a(2) + b(2)
  !$omp end target
  call check(x == 105, 'none')
  call verdict()
contains
  include 'check.inc'
end program default_maps

! Target regions from Fortran: arrays with descriptors, allocatables, sections, derived types, nowait and depend.
! OpenMP 5.1, 2.14 (flang 19 has no nowait on target)
!@ compilers: gfortran
!@ needs: gfortran 11
program fortran_regions
  use omp_lib
  implicit none
  integer :: failures = 0
  type :: point
    integer :: x = 1
    real :: y = 2
  end type point
  integer, allocatable :: list(:)
  integer :: fixed(10), scalar, i, total
  real :: matrix(4, 5)
  type(point) :: place
  allocate (list(50))
  list = [(i, i=1, 50)]
  scalar = 3
  total = 0
  !$omp target map(tofrom: list, total)
  list = list*2
  scalar = scalar + 1
  total = sum(list)
  !$omp end target
  call check(total == 2550, 'the sum of the list')
  call check(all(list == [(2*i, i=1, 50)]), 'the list')
  call check(scalar == 3, 'a scalar is firstprivate')

  fixed = 0
  !$omp target data map(tofrom: fixed)
  !$omp target map(fixed(3:7))
  fixed(3:7) = 9
  !$omp end target
  !$omp target update from(fixed)
  call check(sum(fixed) == 45, 'a section')
  !$omp end target data

  matrix = 1
  !$omp target enter data map(to: matrix)
  !$omp target parallel do collapse(2) map(tofrom: matrix)
  do i = 1, 5
    do scalar = 1, 4
      matrix(scalar, i) = matrix(scalar, i) + real(scalar*i)
    end do
  end do
  !$omp end target parallel do
  !$omp target exit data map(from: matrix)
  call check(abs(sum(matrix) - 170.0) < 1e-3, 'the matrix')

  place%x = 0
  !$omp target map(tofrom: place%x)
  place%x = place%x + 5
  !$omp end target
  call check(place%x == 5, 'a component')

  !$omp parallel
  !$omp single
  do i = 1, 20
    !$omp target nowait depend(inout: total) map(tofrom: total)
    total = mod(total*3 + i, 1009)
    !$omp end target
  end do
  !$omp taskwait
  !$omp end single
  !$omp end parallel
  scalar = 2550
  do i = 1, 20
    scalar = mod(scalar*3 + i, 1009)
  end do
  call check(total == scalar, 'a chain of regions')
  call check(omp_get_num_devices() == omp_get_initial_device(), 'the host''s number')
  call verdict()
contains
  include 'check.inc'
end program fortran_regions

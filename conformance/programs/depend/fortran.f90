! Dependences in Fortran: on scalars, elements and sections, by iterators and dependence objects. OpenMP 5.1, 2.19.10, 2.19.11
!@ cannot: flang because it does not know all of the clauses
!@ needs: gfortran 12
program dependences
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: a, i, cells(16), total
  integer(omp_depend_kind) :: object

  a = 0
  cells = 0
  total = 0
  !$omp parallel
  !$omp single
  !$omp depobj(object) depend(inout: a)
  !$omp task depend(depobj: object) shared(a)
  a = 1
  !$omp end task
  !$omp task depend(in: a) shared(a)
  call check(a == 1, 'in after depobj')
  !$omp end task
  !$omp task depend(depobj: object) shared(a)
  a = a + 1
  !$omp end task
  do i = 1, 16
    !$omp task depend(out: cells(i)) firstprivate(i) shared(cells)
    cells(i) = i
    !$omp end task
  end do
  ! gfortran 12 leaves out the iterator's last value.
  !$omp task depend(iterator(i = 1:16), in: cells(i)) depend(in: a, cells(16)) shared(cells, total, a)
  total = sum(cells) + a
  !$omp end task
  !$omp taskwait depend(inout: a)
  call check(a == 2, 'taskwait with dependences')
  !$omp taskwait
  !$omp depobj(object) destroy
  !$omp end single
  !$omp end parallel
  call check(total == 138, 'iterator')
  call verdict()
contains
  include 'check.inc'
end program dependences

! Every kind of dependence from Fortran: iterators, depend objects, mutexinoutset, whole arrays, taskwait with depend.
! OpenMP 5.1, 2.19.10, 2.19.11
!@ cannot: flang because it does not implement iterators and depend objects
!@ needs: gfortran 12
program dependences
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, round, total, parts(9), grid(4, 4), chain
  integer(omp_depend_kind) :: object

  do round = 1, 5
    parts = 0; grid = 0; total = 0; chain = 0
    !$omp parallel
    !$omp single
    do i = 1, 8
      !$omp task depend(out: parts(i)) firstprivate(i) shared(parts)
      parts(i) = i
      !$omp end task
    end do
    ! gfortran 12 leaves the last value of an iterator out: nothing depends on it here.
    !$omp task depend(iterator(k = 1:9), in: parts(k)) depend(out: total) shared(parts, total)
    total = parts(1) + parts(2) + parts(3) + parts(4) + parts(5) + parts(6) + parts(7) + parts(8)
    !$omp end task
    !$omp taskwait depend(in: total)
    call check(total == 36, 'iterator')

    do i = 1, 10
      !$omp task depend(mutexinoutset: chain) shared(chain)
      chain = chain + 1
      !$omp end task
    end do
    !$omp task depend(inout: chain) shared(chain)
    chain = chain * 10
    !$omp end task
    !$omp taskwait depend(in: chain)
    call check(chain == 100, 'mutexinoutset')

    !$omp depobj(object) depend(inout: grid)
    do i = 1, 4
      !$omp task depend(depobj: object) firstprivate(i) shared(grid)
      grid(i, :) = sum_above(grid, i) + 1
      !$omp end task
    end do
    !$omp depobj(object) update(in)
    !$omp task depend(depobj: object) shared(grid)
    call check(all(grid(4, :) == 8), 'depobj')
    !$omp end task
    !$omp taskwait
    !$omp depobj(object) destroy
    !$omp end single
    !$omp end parallel
  end do
  call verdict()
contains
  pure function sum_above(table, row) result(above)
    integer, intent(in) :: table(4, 4), row
    integer :: above(4)
    above = 0
    if (row > 1) above = sum(table(1:row - 1, :), dim=1)
  end function sum_above

  include 'check.inc'
end program dependences

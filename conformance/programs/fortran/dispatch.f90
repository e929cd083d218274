! dispatch, loop transformations and metadirectives of gfortran 15. OpenMP 5.1, 2.3, 2.11.9; OpenMP 6.0, sections 9, 11
!@ compilers: gfortran
!@ needs: gfortran 15
module procedures
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: variants = 0
contains
  subroutine variant(a, object)
    use omp_lib, only: omp_interop_kind, omp_interop_none
    integer :: a
    integer(omp_interop_kind), value :: object
    variants = variants + merge(1, 100, object == omp_interop_none)
    a = a + 1
  end subroutine
  subroutine base(a)
    !$omp declare variant(variant) match(construct={dispatch}) append_args(interop(targetsync))
    integer :: a
    a = a - 1
  end subroutine
end module

program dispatch
  use omp_lib
  use procedures
  implicit none
  integer :: failures = 0, x, i, j, a(20, 30), total
  x = 10
  call base(x)
  !$omp dispatch
  call base(x)
  !$omp dispatch device(omp_initial_device) nowait
  call base(x)
  !$omp taskwait
  call check(x == 11 .and. variants == 2, "variants")
  a = 0
  !$omp parallel do collapse(2)
  !$omp tile sizes(3, 4)
  do j = 1, 30
    do i = 1, 20
      a(i, j) = a(i, j) + i * j
    end do
  end do
  call check(a(20, 30) == 600 .and. sum(a) == 210 * 465, "tiles")
  total = 0
  !$omp parallel do reduction(+: total)
  !$omp unroll partial(3)
  do i = 1, 20
    total = total + i
  end do
  call check(total == 210, "unrolled")
  !$omp metadirective when(user={condition(total > 0)}: parallel do) otherwise(nothing)
  do i = 1, 20
    a(i, 1) = 0
  end do
  call check(all(a(:, 1) == 0), "a metadirective")
  call verdict()
contains
  include "check.inc"
end program

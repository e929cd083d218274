! Orphaned constructs, recursion, internal procedures, function results, pointers, allocatable private variables and host association
! in regions, from Fortran. OpenMP 5.1, 2.21
module orphans
  implicit none
contains
  subroutine fill(a, value)
    integer, intent(inout) :: a(:)
    integer, intent(in) :: value
    integer :: i
    !$omp do schedule(static, 3)
    do i = 1, size(a)
      a(i) = a(i) + value
    end do
    !$omp end do
  end subroutine fill

  recursive integer function depth(n) result(d)
    integer, intent(in) :: n
    d = 0
    if (n == 0) return
    !$omp parallel num_threads(2) shared(d)
    !$omp single
    d = depth(n - 1) + 1
    !$omp end single
    !$omp end parallel
  end function depth
end module orphans

program procedures
  use orphans
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: a(100), total, shift
  real(8), allocatable :: work(:)
  integer, pointer :: view(:)
  integer, target :: base(100)

  a = 0; shift = 3; base = 0; total = 0
  call fill(a, 1)
  !$omp parallel
  call fill(a, 2)
  !$omp end parallel
  call check(all(a == 3), 'orphaned do')
  call check(depth(4) == 4, 'recursion')
  view => base(1::2)
  !$omp parallel firstprivate(view) shared(base)
  call fill(view, 5)
  !$omp end parallel
  call check(all(base(1::2) == 5) .and. all(base(2::2) == 0), 'pointer')
  allocate(work(20))
  work = 1
  !$omp parallel firstprivate(work) reduction(+: total)
  work = work + omp_get_thread_num()
  call check(all(work == 1 + omp_get_thread_num()), 'allocatable')
  total = total + shifted(1)
  !$omp end parallel
  call check(all(work == 1) .and. mod(total, 4) == 0 .and. total > 0, 'host association')
  call verdict()
contains
  integer function shifted(n)
    integer, intent(in) :: n
    shifted = n + shift
  end function shifted

  include 'check.inc'
end program procedures

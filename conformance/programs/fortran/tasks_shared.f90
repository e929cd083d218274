! Tasks from Fortran that share all their variables: recursion with taskwait, nested taskgroups, chains of dependences, a final tree.
! OpenMP 5.1, 2.12, 2.19.11
module recursion
  use omp_lib
  implicit none
contains
  recursive function fib(n) result(value)
    integer, intent(in) :: n
    integer :: value, a, b
    if (n < 2) then
      value = n
      return
    end if
    !$omp task shared(a) if(n > 4)
    a = fib(n - 1)
    !$omp end task
    !$omp task shared(b) final(n < 8)
    b = fib(n - 2)
    !$omp end task
    !$omp taskwait
    value = a + b
  end function fib

  recursive subroutine count_leaves(depth, leaves)
    integer, intent(in) :: depth
    integer, intent(inout) :: leaves
    if (depth == 0) then
      !$omp atomic
      leaves = leaves + 1
      return
    end if
    !$omp taskgroup
    !$omp task shared(leaves, depth)
    call count_leaves(depth - 1, leaves)
    !$omp end task
    !$omp task shared(leaves, depth)
    call count_leaves(depth - 1, leaves)
    !$omp end task
    !$omp end taskgroup
  end subroutine count_leaves
end module recursion

program tasks_shared
  use recursion
  implicit none
  integer :: failures = 0
  integer :: result, leaves, a, b, c, round

  do round = 1, 5
    result = 0; leaves = 0; a = 0; b = 0; c = 0
    !$omp parallel
    !$omp single
    result = fib(12)
    call count_leaves(6, leaves)
    !$omp task depend(out: a)
    a = round
    !$omp end task
    !$omp task depend(in: a) depend(out: b)
    b = a + 1
    !$omp end task
    !$omp task depend(in: a) depend(out: c)
    c = 2 * a
    !$omp end task
    !$omp task depend(in: b, c) depend(inout: a)
    a = 100 * a + 10 * b + c
    !$omp end task
    !$omp end single
    !$omp end parallel
    call check(result == 144, 'fib')
    call check(leaves == 64, 'taskgroups')
    call check(a == 100 * round + 10 * (round + 1) + 2 * round, 'dependences')
  end do
  call verdict()
contains
  include 'check.inc'
end program tasks_shared

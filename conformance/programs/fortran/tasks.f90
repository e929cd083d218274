! Tasks from Fortran: recursion with taskwait, firstprivate loop variables, taskgroup, dependences, if and final.
! OpenMP 5.1, 2.12, 2.19
!@ cannot: flang because it copies firstprivate variables when the task begins, not when it is created
module recursive_tasks
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
end module recursive_tasks

program tasks
  use recursive_tasks
  implicit none
  integer :: failures = 0
  integer :: i, total, x, result

  total = 0; x = 0
  !$omp parallel
  !$omp single
  result = fib(14)
  do i = 1, 100
    !$omp task firstprivate(i) shared(total)
    !$omp atomic
    total = total + i
    !$omp end task
  end do
  !$omp taskwait
  call check(total == 5050, 'taskwait')
  !$omp taskgroup
  do i = 1, 20
    !$omp task shared(total)
    !$omp task shared(total)
    !$omp atomic
    total = total + 1
    !$omp end task
    !$omp end task
  end do
  !$omp end taskgroup
  call check(total == 5070, 'taskgroup')
  do i = 0, 24
    !$omp task depend(inout: x) shared(x) firstprivate(i)
    call check(x == i, 'dependence')
    x = x + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call check(x == 25, 'chain')
  call check(result == 377, 'fib')
  call verdict()
contains
  include 'check.inc'
end program tasks

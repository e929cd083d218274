! target nowait with dependences, enter and exit data, and tasks of the host between them. OpenMP 5.1, 2.14.5
!@ threads: 1 3 8
!@ cannot: flang because it lacks firstprivate on target
program nowait_regions
  implicit none
  integer :: failures = 0
  integer :: a(100), i, total
  a = 1
  total = 0
  !$omp parallel
  !$omp single
  !$omp target enter data map(to: a) depend(out: a) nowait
  !$omp target map(tofrom: a) depend(inout: a) nowait
  a = a + 1
  !$omp end target
  !$omp target exit data map(from: a) depend(inout: a) nowait
  !$omp task depend(in: a) shared(total, a)
  total = sum(a)
  !$omp end task
  !$omp taskwait
  !$omp end single
  !$omp end parallel
  call check(total == 200, 'a chain')
  do i = 1, 100
    !$omp target map(tofrom: a(i:i)) nowait firstprivate(i)
    a(i) = a(i) * i
    !$omp end target
  end do
  !$omp taskwait
  call check(all(a == [(2 * i, i = 1, 100)]), 'many regions')
  call verdict()
contains
  include 'check.inc'
end program nowait_regions

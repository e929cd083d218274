! Locks with hints, simple and nestable, from Fortran. OpenMP 5.1, 3.9.2
!@ cannot: gfortran because its library has no Fortran spelling of the routines
program locks_hints
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(omp_lock_kind) :: simple(4)
  integer(omp_nest_lock_kind) :: nest
  integer(omp_lock_hint_kind) :: hints(4) = &
    [omp_lock_hint_none, omp_lock_hint_uncontended, omp_lock_hint_contended, omp_lock_hint_speculative]
  integer :: i, k, count, depth, threads

  call omp_init_nest_lock_with_hint(nest, omp_lock_hint_contended)
  do k = 1, 4
    call omp_init_lock_with_hint(simple(k), hints(k))
    count = 0; threads = 0
    !$omp parallel private(i, depth) reduction(+: threads)
    threads = threads + 1
    do i = 1, 50
      call omp_set_lock(simple(k))
      count = count + 1
      call omp_unset_lock(simple(k))
      call omp_set_nest_lock(nest)
      depth = omp_test_nest_lock(nest)
      call check(depth == 2, 'depth')
      count = count + 0
      call omp_unset_nest_lock(nest)
      call omp_unset_nest_lock(nest)
    end do
    !$omp end parallel
    call check(count == 50 * threads, 'mutual exclusion')
    call check(omp_test_lock(simple(k)), 'omp_test_lock')
    call check(.not. omp_test_lock(simple(k)), 'omp_test_lock of a lock that is set')
    call omp_unset_lock(simple(k))
    call omp_destroy_lock(simple(k))
  end do
  call omp_destroy_nest_lock(nest)
  call verdict()
contains
  include 'check.inc'
end program locks_hints

! Locks from Fortran: simple, nestable, test; kinds omp_lock_kind (4 bytes with gfortran) and omp_nest_lock_kind.
! OpenMP 5.1, 3.9
program locks
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(omp_lock_kind) :: lock(3)
  integer(omp_nest_lock_kind) :: nest
  integer :: i, count, nested, depth

  count = 0; nested = 0
  do i = 1, 3
    call omp_init_lock(lock(i))
  end do
  call omp_init_nest_lock(nest)
  !$omp parallel private(depth, i)
  do i = 1, 40
    call omp_set_lock(lock(2))
    count = count + 1
    call omp_unset_lock(lock(2))
    call omp_set_nest_lock(nest)
    depth = omp_test_nest_lock(nest)
    call check(depth == 2, 'depth of a nestable lock')
    nested = nested + 1
    call omp_unset_nest_lock(nest)
    call omp_unset_nest_lock(nest)
  end do
  !$omp end parallel
  call check(count == 40 * omp_get_max_threads(), 'simple lock')
  call check(nested == 40 * omp_get_max_threads(), 'nestable lock')
  call check(omp_test_lock(lock(1)), 'a free lock')
  call check(omp_test_lock(lock(3)), 'its neighbour')
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) call check(.not. omp_test_lock(lock(1)), 'a held lock')
  !$omp end parallel
  call omp_unset_lock(lock(1))
  call omp_unset_lock(lock(3))
  do i = 1, 3
    call omp_destroy_lock(lock(i))
  end do
  call omp_destroy_nest_lock(nest)
  call verdict()
contains
  include 'check.inc'
end program locks

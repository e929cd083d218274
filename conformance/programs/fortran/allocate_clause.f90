! The allocate clause from Fortran: private variables of regions, loops and tasks in memory of an allocator.
! OpenMP 5.1, 2.13.4
!@ cannot: flang because it does not implement the allocate clause
!@ needs: gfortran 12
program allocate_clause
  use, intrinsic :: iso_c_binding
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, total, x, last
  real(8), target :: y(20)
  integer(omp_allocator_handle_kind) :: aligned
  type(omp_alloctrait) :: traits(1)

  traits(1) = omp_alloctrait(omp_atk_alignment, 256)
  aligned = omp_init_allocator(omp_default_mem_space, 1, traits)
  x = 5
  y = 1.5d0
  !$omp parallel firstprivate(x, y) allocate(aligned: y) allocate(omp_pteam_mem_alloc: x)
  call check(mod(transfer(c_loc(y), 0_c_intptr_t), 256_c_intptr_t) == 0, 'alignment')
  call check(x == 5 .and. all(y == 1.5d0), 'firstprivate')
  x = omp_get_thread_num()
  y = x
  !$omp barrier
  call check(all(y == omp_get_thread_num()), 'private')
  !$omp end parallel
  call check(x == 5 .and. all(y == 1.5d0), 'the originals')

  total = 0
  !$omp parallel do private(x) lastprivate(last) reduction(+: total) allocate(aligned: x, total) allocate(last)
  do i = 1, 100
    x = i
    total = total + x
    last = i
  end do
  call check(total == 5050 .and. last == 100, 'loop')

  total = 0
  !$omp parallel
  !$omp single
  do i = 1, 30
    !$omp task firstprivate(i, y) allocate(omp_default_mem_alloc: y) shared(total)
    y(1) = i
    !$omp atomic
    total = total + int(y(1))
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call check(total == 465, 'tasks')
  call omp_destroy_allocator(aligned)
  call verdict()
contains
  include 'check.inc'
end program allocate_clause

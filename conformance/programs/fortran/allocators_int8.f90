! Allocators from a program whose default integers have eight bytes.
! OpenMP 5.1, 3.13.2
!@ flags: -fdefault-integer-8
!@ cannot: flang because its omp_lib has no routines with integers of eight bytes
!@ needs: gfortran 12
program allocators_int8
  use, intrinsic :: iso_c_binding
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(8) :: count
  integer(omp_allocator_handle_kind) :: aligned
  type(omp_alloctrait) :: traits(2)
  type(c_ptr) :: block

  traits(1) = omp_alloctrait(omp_atk_alignment, 4096)
  traits(2) = omp_alloctrait(omp_atk_sync_hint, omp_atv_private)
  count = 2
  aligned = omp_init_allocator(omp_large_cap_mem_space, count, traits)
  call check(aligned /= omp_null_allocator, 'omp_init_allocator')
  block = omp_alloc(100_c_size_t, aligned)
  call check(mod(transfer(block, 0_c_intptr_t), 4096_c_intptr_t) == 0, 'alignment')
  call omp_free(block, aligned)
  call omp_destroy_allocator(aligned)
  call verdict()
contains
  include 'check.inc'
end program allocators_int8

! Memory management from Fortran: allocators with traits, blocks as arrays, reallocation, and the default allocator of each thread.
! OpenMP 5.1, 3.13
!@ needs: gfortran 12
program allocators
  use, intrinsic :: iso_c_binding
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(omp_allocator_handle_kind) :: aligned, pool, none
  type(omp_alloctrait) :: traits(3)

  traits(1) = omp_alloctrait(omp_atk_alignment, 256)
  aligned = omp_init_allocator(omp_default_mem_space, 1, traits)
  call check(aligned /= omp_null_allocator, 'an allocator with an alignment')
  traits(1) = omp_alloctrait(omp_atk_pool_size, 8000)
  traits(2) = omp_alloctrait(omp_atk_fallback, omp_atv_null_fb)
  traits(3) = omp_alloctrait(omp_atk_access, omp_atv_all)
  pool = omp_init_allocator(omp_default_mem_space, 3, traits)
  call check(pool /= omp_null_allocator, 'an allocator with a pool')

  !$omp parallel
  call use_blocks()
  !$omp end parallel

  call check(.not. c_associated(omp_alloc(9000_c_size_t, pool)), 'more than the pool')
  call use_pool()
  call check(omp_get_default_allocator() == omp_default_mem_alloc, 'the default allocator')
  call omp_set_default_allocator(omp_low_lat_mem_alloc)
  !$omp parallel
  call check(omp_get_default_allocator() == omp_low_lat_mem_alloc, 'an inherited default allocator')
  !$omp end parallel
  call omp_set_default_allocator(aligned)
  call check(omp_get_default_allocator() == aligned, 'a default allocator of the program')
  none = omp_null_allocator
  call omp_set_default_allocator(none)
  call check(omp_get_default_allocator() == omp_default_mem_alloc, 'the default again')
  call omp_destroy_allocator(aligned)
  call omp_destroy_allocator(pool)
  call verdict()
contains
  subroutine use_blocks()
    type(c_ptr) :: block
    real(8), pointer :: values(:)
    integer, pointer :: zeros(:)
    integer :: i

    block = omp_alloc(800_c_size_t, aligned)
    call check(c_associated(block), 'omp_alloc')
    call check(mod(transfer(block, 0_c_intptr_t), 256_c_intptr_t) == 0, 'alignment')
    call c_f_pointer(block, values, [100])
    values = [(i * 0.5d0, i = 1, 100)]
    block = omp_realloc(block, 8000_c_size_t, aligned, aligned)
    call c_f_pointer(block, values, [1000])
    call check(values(1) == 0.5d0 .and. values(100) == 50d0, 'omp_realloc')
    call omp_free(block, aligned)
    block = omp_calloc(100_c_size_t, 4_c_size_t, omp_default_mem_alloc)
    call c_f_pointer(block, zeros, [100])
    call check(all(zeros == 0), 'omp_calloc')
    call omp_free(block, omp_null_allocator)
    block = omp_aligned_alloc(1024_c_size_t, 2048_c_size_t, omp_thread_mem_alloc)
    call check(mod(transfer(block, 0_c_intptr_t), 1024_c_intptr_t) == 0, 'omp_aligned_alloc')
    call omp_free(block, omp_thread_mem_alloc)
    block = omp_aligned_calloc(512_c_size_t, 128_c_size_t, 4_c_size_t, omp_const_mem_alloc)
    call c_f_pointer(block, zeros, [128])
    call check(mod(transfer(block, 0_c_intptr_t), 512_c_intptr_t) == 0 .and. all(zeros == 0), 'omp_aligned_calloc')
    call omp_free(block, omp_const_mem_alloc)
  end subroutine use_blocks

  subroutine use_pool()
    type(c_ptr) :: first, second
    first = omp_alloc(5000_c_size_t, pool)
    second = omp_alloc(5000_c_size_t, pool)
    call check(c_associated(first) .and. .not. c_associated(second), 'a full pool')
    call omp_free(first, pool)
    second = omp_alloc(5000_c_size_t, pool)
    call check(c_associated(second), 'a pool with room again')
    call omp_free(second, pool)
  end subroutine use_pool

  include 'check.inc'
end program allocators

! Memory spaces and allocators for devices, with the host alone: what omp_lib.h declares (the module keeps
! the same names to itself). OpenMP 6.0, chapter 27
!@ compilers: flang
!@ needs: flang 23
!@ stock-fails: flang because it has no spaces for the host's own number
program device_spaces
    implicit none
    include 'omp_lib.h'
    integer :: failures = 0
    integer :: host, list(2), first(1)
    integer(omp_memspace_handle_kind) :: space, part
    integer(omp_allocator_handle_kind) :: alloc
    type(omp_alloctrait) :: traits(1)

    host = omp_get_initial_device()
    list = host
    first = 0
    space = omp_const_mem_space
    call check(omp_get_device_memspace(host, space) == space, 'one device')
    call check(omp_get_devices_memspace(2, list, space) == space, 'several devices')
    call check(omp_get_device_and_host_memspace(host, space) == space, 'one device and the host')
    call check(omp_get_devices_and_host_memspace(2, list, space) == space, 'several devices and the host')
    call check(omp_get_devices_all_memspace(space) == space, 'all')
    call check(omp_get_device_memspace(host + 1, space) == omp_null_mem_space, 'no device')
    alloc = omp_get_device_allocator(host, space)
    call check(alloc == omp_const_mem_alloc, 'the allocator')
    call check(omp_get_devices_allocator(2, list, space) == alloc, 'several devices: allocator')
    call check(omp_get_device_and_host_allocator(host, space) == alloc, 'one device and the host: allocator')
    call check(omp_get_devices_and_host_allocator(2, list, space) == alloc, 'several devices and the host: allocator')
    call check(omp_get_devices_all_allocator(space) == alloc, 'all: allocator')
    call check(omp_get_memspace_num_resources(space) >= 1, 'resources')
    call check(omp_get_memspace_num_resources(omp_null_mem_space) == 0, 'no resources')
    part = omp_get_submemspace(space, 1, first)
    call check(part /= omp_null_mem_space, 'a part')
    traits(1) = omp_alloctrait(omp_atk_alignment, 64)
    alloc = omp_init_allocator(part, 1, traits)
    call check(alloc /= omp_null_allocator, 'an allocator of a part')
    call omp_destroy_allocator(alloc)
    call verdict()
contains
    include 'check.inc'
end program

! use_device_ptr, use_device_addr, is_device_ptr and the routines of device memory from Fortran. OpenMP 5.1, 2.14.2, 3.8
!@ threads: 1 3 8
!@ cannot: flang because it lacks the routines and clauses
!@ needs: gfortran 12
program device_pointers
  use iso_c_binding
  use omp_lib
  implicit none
  integer :: failures = 0
  integer, target :: a(10), back(10)
  type(c_ptr) :: memory
  integer :: device
  device = omp_get_default_device()
  a = 4
  !$omp target data map(tofrom: a) use_device_addr(a)
  !$omp target has_device_addr(a)
  a(3) = 7
  !$omp end target
  !$omp end target data
  call check(a(3) == 7 .and. a(4) == 4, 'use_device_addr')
  memory = omp_target_alloc(c_sizeof(a), device)
  call check(c_associated(memory), 'omp_target_alloc')
  call check(omp_target_memcpy(memory, c_loc(a), c_sizeof(a), 0_c_size_t, 0_c_size_t, &
    device, omp_get_initial_device()) == 0, 'to')
  call change(memory)
  call check(omp_target_memcpy(c_loc(back), memory, c_sizeof(a), 0_c_size_t, 0_c_size_t, &
    omp_get_initial_device(), device) == 0, 'from')
  call check(back(3) == 7 .and. back(10) == 11, 'what is in the memory')
  call omp_target_free(memory, device)
  call verdict()
contains
  subroutine change(address)
    type(c_ptr) :: address
    integer, pointer :: p(:)
    !$omp target is_device_ptr(address) private(p)
    call c_f_pointer(address, p, [10])
    p(10) = 11
    !$omp end target
  end subroutine change
  include 'check.inc'
end program device_pointers

! Device memory routines from Fortran, with the host as the device. OpenMP 5.1, 3.8
!@ cannot: flang because the library that it links for the host has no such routines
!@ needs: gfortran 12
program device_memory
  use, intrinsic :: iso_c_binding
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(c_int) :: host, result
  integer(c_int), target :: from(100), to(100)
  integer(c_int), pointer :: view(:)
  integer(c_size_t) :: shape(2), at(2), volume(2)
  type(c_ptr) :: block
  integer :: i

  host = omp_get_initial_device()
  block = omp_target_alloc(400_c_size_t, host)
  call check(c_associated(block), 'omp_target_alloc')
  from = [(i, i = 1, 100)]
  result = omp_target_memcpy(block, c_loc(from), 400_c_size_t, 0_c_size_t, 0_c_size_t, host, host)
  call c_f_pointer(block, view, [100])
  call check(result == 0 .and. all(view == from), 'omp_target_memcpy')
  to = 0
  result = omp_target_memcpy(c_loc(to), block, 40_c_size_t, 80_c_size_t, 200_c_size_t, host, host)
  call check(result == 0 .and. all(to(21:30) == from(51:60)) .and. sum(to) == sum(from(51:60)), 'offsets')
  to = 0
  shape = [10, 10]
  volume = [3, 4]
  at = [2, 5]
  result = omp_target_memcpy_rect(c_loc(to), block, 4_c_size_t, 2, volume, at, at, shape, shape, host, host)
  call check(result == 0 .and. all(to(26:29) == from(26:29)) .and. all(to(46:49) == from(46:49)), 'omp_target_memcpy_rect')
  call check(count(to /= 0) == 12, 'omp_target_memcpy_rect and no more')
  call check(omp_target_is_present(c_loc(from), host) /= 0, 'omp_target_is_present')
  call omp_target_free(block, host)
  call omp_target_free(c_null_ptr, host)
  call verdict()
contains
  include 'check.inc'
end program device_memory

! The routines about devices from Fortran, on a host without any. OpenMP 5.1, 3.7
!@ needs: gfortran 12
program device_routines
  use omp_lib
  implicit none
  integer :: failures = 0

  call check(omp_get_num_devices() == 0, 'omp_get_num_devices')
  call check(omp_get_initial_device() == 0, 'omp_get_initial_device')
  call check(omp_get_device_num() == omp_get_initial_device(), 'omp_get_device_num')
  call check(omp_is_initial_device(), 'omp_is_initial_device')
  call omp_set_default_device(3)
  call check(omp_get_default_device() == 3, 'omp_set_default_device')
  !$omp parallel
  call check(omp_get_default_device() == 3, 'default device in a region')
  call omp_set_default_device(omp_get_thread_num())
  !$omp barrier
  call check(omp_get_default_device() == omp_get_thread_num(), 'a default device of the thread')
  !$omp end parallel
  call check(omp_get_default_device() == 3, 'the default device stays')
  call check(omp_get_max_task_priority() >= 0, 'omp_get_max_task_priority')
  call verdict()
contains
  include 'check.inc'
end program device_routines

! OpenACC in Fortran: constructs, and the module's routines in each form that arrays and sizes have.
! OpenACC 2.6, 2.5–2.7, 3.2
!@ compilers: gfortran
!@ flags: -fopenacc
program fortran
  use openacc
  implicit none
  integer :: failures = 0
  integer, parameter :: n = 100
  integer :: a(n), b(10, 10), i, hits
  integer(8) :: bytes
  real(8), allocatable :: c(:)
  character(len=20) :: text

  call acc_init(acc_device_host)
  call check(acc_get_num_devices(acc_device_host) == 1, "the host")
  call check(acc_get_num_devices(acc_device_nvidia) == 0, "another device")
  call acc_set_device_type(acc_device_default)
  call acc_set_device_num(0, acc_device_host)
  call check(acc_get_device_type() == acc_device_host, "its type")
  call check(acc_get_device_num(acc_device_host) == 0, "its number")
  call check(acc_on_device(acc_device_host), "on the host")
  call check(.not. acc_on_device(acc_device_nvidia), "on another device")
  call acc_get_property_string(0, acc_device_host, acc_property_name, text)
  call check(len_trim(text) > 0 .and. len_trim(text) < 20, "its name")
  call check(acc_get_property(0, acc_device_host, acc_property_memory) == 0, "its memory")

  a = 0
  !$acc parallel loop copy(a)
  do i = 1, n
    a(i) = 2 * i
  end do
  call check(all(a == [(2 * i, i = 1, n)]), "a compute construct")
  hits = 0
  !$acc data copyin(a) create(b)
  !$acc kernels present(a, b)
  b = reshape(a, [10, 10])
  !$acc end kernels
  !$acc parallel loop reduction(+:hits) async(2)
  do i = 1, n
    hits = hits + a(i)
  end do
  !$acc wait(2)
  !$acc update self(b)
  !$acc end data
  call check(hits == n * (n + 1), "a reduction")
  call check(b(10, 10) == 2 * n, "a data region")

  allocate (c(n))
  !$acc enter data create(c)
  !$acc parallel loop present(c)
  do i = 1, n
    c(i) = i / 2d0
  end do
  !$acc exit data copyout(c)
  call check(sum(c) == n * (n + 1) / 4d0, "an allocatable")

  call acc_copyin(a)
  call acc_copyin(a, n * 4)
  bytes = n * 4
  call acc_copyin(a, bytes)
  call acc_create(b)
  call acc_present_or_create(c)
  call acc_copyin_async(b, 1)
  call acc_update_device(a)
  call acc_update_self_async(b, 4, 1)
  call check(acc_is_present(a), "an array")
  call check(acc_is_present(b(3:4, 5)), "a part of an array")
  call check(acc_is_present(a, 4), "four bytes")
  call check(acc_is_present(a, bytes), "bytes in a long integer")
  call check(.not. acc_is_present(a(2:1)), "an empty part")
  call acc_copyout(a)
  call acc_delete(b)
  call acc_delete_finalize(c)
  call acc_wait(1)
  call acc_wait_async(1, 2)
  call acc_wait_all_async(3)
  call acc_wait_all()
  call check(acc_async_test(1) .and. acc_async_test_all(), "queues")

  call fill(a)
  call check(a(n) == -n, "deviceptr")
  call acc_shutdown(acc_device_host)
  call verdict()
contains
  include "check.inc"

  subroutine fill(p)
    integer :: p(n), i
    !$acc parallel loop deviceptr(p)
    do i = 1, n
      p(i) = -i
    end do
  end subroutine
end program

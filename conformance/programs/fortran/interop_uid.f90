! Routines with strings as gfortran calls them: unique identifiers of devices, and the names of what interoperability objects have.
! OpenMP 5.1, 3.12; OpenMP 6.0, sections 24.7, 24.8
!@ compilers: gfortran
!@ needs: gfortran 16
program interop_uid
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: failures = 0
  integer(omp_interop_kind) :: object
  integer(omp_interop_rc_kind) :: code
  character(:), pointer :: text
  integer, target :: memory(10)
  integer :: x
  type(c_ptr) :: answer

  object = 1
  !$omp interop init(target, targetsync, prefer_type("cuda"): object)
  call check(object == omp_interop_none, "an object of the host's")
  !$omp interop use(object)
  !$omp interop destroy(object)
  call check(omp_get_num_interop_properties(object) == 0, "properties")
  text => omp_get_interop_str(object, omp_ipr_vendor_name, code)
  call check(.not. associated(text) .and. code == omp_irc_empty, "a string")
  call check(omp_get_interop_int(object, omp_ipr_vendor, code) == 0, "an integer")
  text => omp_get_interop_name(object, omp_ipr_vendor_name)
  call check(text == "vendor_name" .and. len(text) == 11, "a name")
  text => omp_get_interop_rc_desc(object, omp_irc_empty)
  call check(len(text) > 0, "a description")
  text => omp_get_interop_type_desc(object, 5)
  call check(.not. associated(text), "a type")

  text => omp_get_uid_from_device(omp_initial_device)
  call check(text == "OMP_INITIAL_DEVICE", "the host")
  text => omp_get_uid_from_device(int(omp_get_initial_device(), 8))
  call check(text == "OMP_INITIAL_DEVICE", "the host by its number")
  call check(omp_get_device_from_uid(text) == omp_initial_device, "the host's number")
  call check(omp_get_device_from_uid("OMP_INITIAL") == omp_invalid_device, "half an identifier")
  text => omp_get_uid_from_device(4711)
  call check(.not. associated(text), "no device")

  x = 257
  answer = omp_target_memset(c_loc(memory), x, 40_c_size_t, omp_initial_device)
  call check(c_associated(answer, c_loc(memory)) .and. all(memory == 16843009), "memset")
  answer = omp_target_memset_async(c_loc(memory), 0, 40_c_size_t, omp_initial_device, 0)
  !$omp taskwait
  call check(all(memory == 0), "memset in a task")
  call verdict()
contains
  include "check.inc"
end program

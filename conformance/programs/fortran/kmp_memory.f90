! LLVM's kmp_malloc family from Fortran, with addresses as integers.
!@ compilers: flang
program kmp_memory
  use, intrinsic :: iso_c_binding
  use omp_lib
  use omp_lib_kinds
  implicit none
  integer :: failures = 0

  !$omp parallel
  call use_memory()
  !$omp end parallel
  call verdict()
contains
  subroutine use_memory()
    integer(kmp_pointer_kind) :: address
    integer(kmp_size_t_kind) :: bytes
    integer, pointer :: values(:)

    bytes = 400
    address = kmp_malloc(bytes)
    call check(address /= 0, 'kmp_malloc')
    call c_f_pointer(transfer(address, c_null_ptr), values, [100])
    values = 7
    bytes = 4000
    address = kmp_realloc(address, bytes)
    call c_f_pointer(transfer(address, c_null_ptr), values, [100])
    call check(all(values == 7), 'kmp_realloc')
    call kmp_free(address)
    bytes = 10
    address = kmp_calloc(bytes, bytes)
    call c_f_pointer(transfer(address, c_null_ptr), values, [25])
    call check(all(values == 0), 'kmp_calloc')
    call kmp_free(address)
    bytes = 128
    address = kmp_aligned_malloc(bytes, bytes)
    call check(address /= 0 .and. mod(address, 128_kmp_pointer_kind) == 0, 'kmp_aligned_malloc')
    call kmp_free(address)
  end subroutine use_memory

  include 'check.inc'
end program kmp_memory

! The routines for affinity masks as Fortran calls them.
!@ compilers: flang
!@ threads: 1 3
program masks
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(kmp_affinity_mask_kind) :: mask
  integer :: cpu, numbers, first

  numbers = kmp_get_affinity_max_proc()
  call check(numbers >= 1, 'numbers of processors')
  call kmp_create_affinity_mask(mask)
  call check(kmp_get_affinity(mask) == 0, 'the own mask')
  first = -1
  do cpu = numbers - 1, 0, -1
    if (kmp_get_affinity_mask_proc(cpu, mask) == 1) first = cpu
  end do
  call check(first >= 0, 'a processor')
  call check(kmp_unset_affinity_mask_proc(first, mask) == 0, 'taken out')
  call check(kmp_get_affinity_mask_proc(first, mask) == 0, 'is out')
  call check(kmp_set_affinity_mask_proc(first, mask) == 0, 'put in')
  call check(kmp_set_affinity_mask_proc(numbers, mask) == -1, 'no such processor')
  call kmp_destroy_affinity_mask(mask)
  !$omp parallel private(mask)
  call kmp_create_affinity_mask(mask)
  call check(kmp_set_affinity_mask_proc(first, mask) == 0, 'put in')
  call check(kmp_set_affinity(mask) == 0, 'bound')
  call check(kmp_get_affinity(mask) == 0, 'read back')
  call check(kmp_get_affinity_mask_proc(first, mask) == 1, 'where it was bound')
  call kmp_destroy_affinity_mask(mask)
  !$omp end parallel
  call verdict()
contains
  include 'check.inc'
end program masks

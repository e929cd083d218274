! The routines about places as Fortran calls them, with integers of both sizes.
! OpenMP 5.1, 3.3
!@ compilers: gfortran
!@ threads: 1 3
!@ env: OMP_PLACES={0},{0,1},{1}
!@ env: OMP_PROC_BIND=close
program places
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: ids(2), nums(3)
  integer(8) :: ids8(2), nums8(3)

  call check(omp_get_num_places() == 3, 'number of places')
  call check(omp_get_place_num_procs(1) == 2, 'processors of a place')
  call check(omp_get_place_num_procs(1_8) == 2, 'processors of a place, 8 bytes')
  call check(omp_get_place_num_procs(7) == 0, 'a place that does not exist')
  call omp_get_place_proc_ids(1, ids)
  call check(all(ids == [0, 1]), 'processor numbers')
  call omp_get_place_proc_ids(1_8, ids8)
  call check(all(ids8 == [0_8, 1_8]), 'processor numbers, 8 bytes')
  call check(omp_get_proc_bind() == omp_proc_bind_close, 'the policy')
  !$omp parallel private(nums, nums8)
  call check(omp_get_place_num() >= 0 .and. omp_get_place_num() < 3, 'a place')
  call check(omp_get_partition_num_places() == 3, 'the partition')
  call omp_get_partition_place_nums(nums)
  call check(all(nums == [0, 1, 2]), 'place numbers')
  call omp_get_partition_place_nums(nums8)
  call check(all(nums8 == [0_8, 1_8, 2_8]), 'place numbers, 8 bytes')
  !$omp end parallel
  call verdict()
contains
  include 'check.inc'
end program places

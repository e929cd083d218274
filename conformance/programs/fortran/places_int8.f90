! Places and partitions from a program whose default integers have eight bytes. OpenMP 5.1, 3.3
!@ env: OMP_PLACES=cores
!@ flags: -fdefault-integer-8
!@ cannot: flang because its omp_lib has no routines with integers of eight bytes
program places_int8
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: n, i
  integer, allocatable :: ids(:), numbers(:)

  n = omp_get_num_places()
  call check(n >= 1, 'omp_get_num_places')
  do i = 0, n - 1
    allocate(ids(omp_get_place_num_procs(i) + 1))
    ids = -7
    call omp_get_place_proc_ids(i, ids)
    call check(all(ids(:size(ids) - 1) >= 0) .and. ids(size(ids)) == -7, 'omp_get_place_proc_ids')
    deallocate(ids)
  end do
  allocate(numbers(omp_get_partition_num_places() + 1))
  numbers = -7
  call omp_get_partition_place_nums(numbers)
  call check(all(numbers(:size(numbers) - 1) >= 0) .and. numbers(size(numbers)) == -7, 'omp_get_partition_place_nums')
  call verdict()
contains
  include 'check.inc'
end program places_int8

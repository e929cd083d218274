! Places and partitions from Fortran, with default integers. OpenMP 5.1, 3.3
!@ env: OMP_PLACES=threads
program places
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: n, procs, i
  integer, allocatable :: ids(:), numbers(:)

  n = omp_get_num_places()
  call check(n >= 1, 'omp_get_num_places')
  do i = 0, n - 1
    procs = omp_get_place_num_procs(i)
    call check(procs == 1, 'omp_get_place_num_procs')
    allocate(ids(procs))
    ids = -1
    call omp_get_place_proc_ids(i, ids)
    call check(all(ids >= 0), 'omp_get_place_proc_ids')
    deallocate(ids)
  end do
  call check(omp_get_place_num_procs(n) == 0 .and. omp_get_place_num_procs(-1) == 0, 'a place that is none')
  call check(omp_get_proc_bind() /= omp_proc_bind_false, 'omp_get_proc_bind')
  !$omp parallel private(numbers, i) proc_bind(spread)
  call check(omp_get_place_num() >= 0 .and. omp_get_place_num() < n, 'omp_get_place_num')
  allocate(numbers(omp_get_partition_num_places()))
  numbers = -1
  call omp_get_partition_place_nums(numbers)
  call check(all(numbers >= 0) .and. all(numbers < n), 'omp_get_partition_place_nums')
  call check(any(numbers == omp_get_place_num()), 'the own place in the own partition')
  deallocate(numbers)
  !$omp end parallel
  call verdict()
contains
  include 'check.inc'
end program places

! Threadprivate common blocks and module variables, with copyin and copyprivate, kept from region to region.
! OpenMP 5.1, 2.21.2, 2.21.6
module state
  implicit none
  integer, save :: counter = 10
  real, save :: buffer(8) = 1.5
  integer, allocatable, save :: list(:)
  !$omp threadprivate(counter, buffer, list)
end module state

program threadprivate_common
  use omp_lib
  use state
  implicit none
  integer :: failures = 0
  integer :: number, grid(6), round, own
  common /shared_block/ number, grid
  !$omp threadprivate(/shared_block/)

  do round = 1, 10
    number = round
    grid = round * 2
    !$omp parallel copyin(/shared_block/)
    call check(number == round .and. all(grid == round * 2), 'copyin of a common block')
    call check(counter == 10 + (round - 1) * (omp_get_thread_num() + 1), 'kept counter')
    call check(all(buffer == 1.5), 'initial value')
    counter = counter + omp_get_thread_num() + 1
    number = -1
    if (round == 1) allocate(list(omp_get_thread_num() + 1))
    call check(size(list) == omp_get_thread_num() + 1, 'allocatable')
    !$omp end parallel
    !$omp parallel private(own)
    own = 0
    !$omp single
    own = 1000 + round
    grid(3) = 7 * round
    !$omp end single copyprivate(own, /shared_block/)
    call check(own == 1000 + round .and. grid(3) == 7 * round, 'copyprivate')
    !$omp end parallel
  end do
  call verdict()
contains
  include 'check.inc'
end program threadprivate_common

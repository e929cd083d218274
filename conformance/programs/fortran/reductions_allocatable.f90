! Reductions of allocatable arrays, with their own lower bounds, and of parts of arrays.
! OpenMP 5.1, 2.21.5
!@ cannot: flang because it frees the private copies of an allocatable array wrongly
program reductions_allocatable
  implicit none
  integer :: failures = 0
  integer :: i, round
  integer, allocatable :: counts(:)
  real(8), allocatable :: table(:, :)

  allocate(counts(-2:7), table(3, 0:4))
  do round = 1, 5
    counts = 0
    table = round
    !$omp parallel do schedule(dynamic, 3) reduction(+: counts, table)
    do i = 1, 100
      counts(mod(i, 10) - 2) = counts(mod(i, 10) - 2) + 1
      table(:, mod(i, 5)) = table(:, mod(i, 5)) + 0.5d0
    end do
    call check(all(counts == 10), 'counts')
    call check(lbound(counts, 1) == -2 .and. ubound(table, 2) == 4, 'bounds')
    call check(all(table == round + 10), 'table')
  end do
  call verdict()
contains
  include 'check.inc'
end program reductions_allocatable

! distribute in a league on the host, from Fortran. OpenMP 5.1, 2.11.6
!@ cannot: flang because it does not implement distribute
program teams
  implicit none
  integer :: failures = 0
  integer :: i, hits(300)

  hits = 0
  !$omp teams num_teams(4)
  !$omp distribute
  do i = 1, 300
    hits(i) = hits(i) + 1
  end do
  !$omp end teams
  call check(all(hits == 1), 'distribute')

  !$omp teams distribute dist_schedule(static, 7) num_teams(3)
  do i = 300, 1, -1
    hits(i) = hits(i) + 1
  end do
  call check(all(hits == 2), 'distribute in chunks')

  !$omp teams distribute
  do i = 2, 1
    hits(1) = -1
  end do
  call check(hits(1) == 2, 'an empty loop')
  call verdict()
contains
  include 'check.inc'
end program teams

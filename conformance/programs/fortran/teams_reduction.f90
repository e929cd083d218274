! Reductions over the teams of a league and over the threads of all of them, from Fortran. OpenMP 5.1, 2.7, 2.21.5
!@ cannot: flang because it does not know the combined construct, and since release 22 compiles it wrongly
!@ needs: gfortran 10
program teams_reduction
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, round, total, teams, threads
  real(8) :: x, low

  do round = 1, 5
    total = 0; x = 1; low = 1000
    !$omp teams distribute parallel do reduction(+: total, x) reduction(min: low) num_teams(2) schedule(static, 3)
    do i = 1, 300
      total = total + i
      x = x + 0.5d0
      low = min(low, abs(i - 77) + 0.25d0)
    end do
    call check(total == 45150 .and. x == 151 .and. low == 0.25d0, 'teams distribute parallel do')
    teams = 0; threads = 0
    !$omp teams num_teams(3) thread_limit(4) reduction(+: teams, threads)
    teams = teams + 1
    !$omp parallel reduction(+: threads)
    threads = threads + 1
    !$omp end parallel
    !$omp end teams
    call check(teams >= 1 .and. teams <= 3 .and. threads >= teams .and. threads <= 4 * teams, 'a league and its threads')
  end do
  call verdict()
contains
  include 'check.inc'
end program teams_reduction

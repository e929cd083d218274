! A league of teams on the host from Fortran: the clauses and the routines. OpenMP 5.1, 2.7, 3.4
!@ needs: gfortran 10
program teams_league
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: leagues

  leagues = 0
  !$omp teams num_teams(3) thread_limit(2) shared(leagues)
  !$omp parallel num_threads(1)
  !$omp atomic
  leagues = leagues + 1
  call check(omp_get_thread_limit() <= 2, 'thread_limit')
  !$omp end parallel
  call check(omp_get_num_teams() >= 1 .and. omp_get_num_teams() <= 3, 'omp_get_num_teams')
  call check(omp_get_team_num() >= 0 .and. omp_get_team_num() < omp_get_num_teams(), 'omp_get_team_num')
  !$omp end teams
  call check(leagues >= 1 .and. leagues <= 3, 'teams that ran')
  call check(omp_get_num_teams() == 1 .and. omp_get_team_num() == 0, 'outside')

  call verdict()
contains
  include 'check.inc'
end program teams_league

! nteams-var and teams-thread-limit-var from Fortran, with default integers and those of eight bytes. OpenMP 5.1, 3.4
!@ needs: flang 21, gfortran 12
program teams_icvs
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: teams

  call check(omp_get_max_teams() >= 0, 'omp_get_max_teams')
  call omp_set_num_teams(3)
  call check(omp_get_max_teams() == 3, 'omp_set_num_teams')
  call omp_set_num_teams(2_8)
  call check(omp_get_max_teams() == 2, 'omp_set_num_teams of 8 bytes')
  call omp_set_teams_thread_limit(4)
  call check(omp_get_teams_thread_limit() == 4, 'omp_set_teams_thread_limit')
  call omp_set_teams_thread_limit(5_8)
  call check(omp_get_teams_thread_limit() == 5, 'omp_set_teams_thread_limit of 8 bytes')
  teams = 0
  !$omp teams reduction(+: teams)
  teams = teams + 1
  call check(omp_get_num_teams() <= 2, 'the number of teams')
  !$omp parallel num_threads(1)
  call check(omp_get_thread_limit() <= 5, 'the limit')
  !$omp end parallel
  !$omp end teams
  call check(teams >= 1 .and. teams <= 2, 'teams that ran')
  call verdict()
contains
  include 'check.inc'
end program teams_icvs

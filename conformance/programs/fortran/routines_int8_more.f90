! Further routines with integers and logicals of eight bytes: nesting, devices, teams, the display of the environment.
! OpenMP 5.1, 3.2.9, 3.4, 3.7, 3.15
!@ flags: -fdefault-integer-8
!@ cannot: flang because its omp_lib has no routines with integers of eight bytes
!@ threads: 1 4
!@ stderr-may-hold-more:
!@ needs: gfortran 12
program routines_int8_more
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(8) :: number
  logical(8) :: yes

  call omp_set_max_active_levels(1_8)
  yes = .true.
  call omp_set_nested(yes)
  call check(omp_get_max_active_levels() > 1, 'omp_set_nested')
  call omp_set_nested(.not. yes)
  call check(omp_get_max_active_levels() == 1 .and. .not. logical(omp_get_nested()), 'omp_set_nested off')
  number = 6
  call omp_set_default_device(number)
  call check(omp_get_default_device() == 6, 'omp_set_default_device')
  call omp_set_default_device(0_8)
  call omp_set_num_teams(3_8)
  call check(omp_get_max_teams() == 3, 'omp_set_num_teams')
  call omp_set_teams_thread_limit(2_8)
  call check(omp_get_teams_thread_limit() == 2, 'omp_set_teams_thread_limit')
  call omp_display_env(yes)
  call omp_display_env(.not. yes)
  call check(omp_get_team_size(0_8) == 1 .and. omp_get_ancestor_thread_num(-1_8) == -1, 'levels')
  call check(omp_get_team_size(10000000000_8) == -1, 'a level beyond four bytes')
  call verdict()
contains
  include 'check.inc'
end program routines_int8_more

! Leagues in Fortran: team numbers, distribute, teams distribute parallel do with a reduction, the routines.
! OpenMP 5.1, 2.7, 2.11.6, 3.4
!@ cannot: flang because it does not know the combined construct, and since release 22 compiles it wrongly
!@ needs: gfortran 10
program league
    use omp_lib
    implicit none
    integer, parameter :: n = 120
    integer :: failures = 0
    integer :: i, teams, highest, hits(n)
    integer(8) :: total
    teams = 0; highest = -1
    !$omp teams num_teams(4) reduction(+: teams) reduction(max: highest)
    teams = teams + 1
    highest = omp_get_team_num()
    !$omp end teams
    call check(teams >= 1 .and. teams <= 4, 'teams')
    call check(highest == teams - 1, 'team numbers')
    hits = 0
    !$omp teams num_teams(3) shared(hits)
    !$omp distribute dist_schedule(static, 7)
    do i = 1, n
        hits(i) = hits(i) + 1
    end do
    !$omp end teams
    call check(all(hits == 1), 'distribute')
    total = 0
    !$omp teams distribute parallel do num_teams(2) reduction(+: total) schedule(static, 3)
    do i = 1, n
        hits(i) = hits(i) + 1
        total = total + i
    end do
    !$omp end teams distribute parallel do
    call check(all(hits == 2), 'distribute parallel do')
    call check(total == int(n, 8) * (n + 1) / 2, 'reduction')
    call check(omp_get_num_teams() == 1, 'num_teams outside')
    call check(omp_get_team_num() == 0, 'team_num outside')
    call verdict()
contains
    include 'check.inc'
end program

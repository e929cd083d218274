! The combined constructs of teams from Fortran. OpenMP 5.1, 2.16
!@ cannot: flang because it does not know the combined construct, and since release 22 compiles it wrongly
!@ needs: gfortran 12
program teams_combined
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, j, last, hits(300), table(6, 7)

  hits = 2
  !$omp teams distribute parallel do num_teams(2) schedule(static, 3)
  do i = 1, 300
    hits(i) = hits(i) + 1
  end do
  call check(all(hits == 3), 'teams distribute parallel do')

  table = 0
  !$omp teams distribute parallel do collapse(2)
  do j = 1, 7
    do i = 1, 6
      table(i, j) = table(i, j) + 10 * j + i
    end do
  end do
  do j = 1, 7
    do i = 1, 6
      call check(table(i, j) == 10 * j + i, 'collapse')
    end do
  end do

  hits = 0
  last = 0
  !$omp teams distribute parallel do simd num_teams(3) dist_schedule(static, 11) lastprivate(last)
  do i = 300, 1, -1
    hits(i) = hits(i) + 1
    last = i
  end do
  call check(all(hits == 1) .and. last == 1, 'teams distribute parallel do simd')
  !$omp teams
  !$omp distribute parallel do schedule(dynamic, 5)
  do i = 1, 300
    hits(i) = hits(i) + 1
  end do
  !$omp end distribute parallel do
  !$omp distribute simd
  do i = 1, 300
    hits(i) = hits(i) + 1
  end do
  !$omp end teams
  call check(all(hits == 3), 'distribute parallel do and distribute simd')
  !$omp teams loop
  do i = 1, 300
    hits(i) = hits(i) + 1
  end do
  call check(all(hits == 4), 'teams loop')
  call verdict()
contains
  include 'check.inc'
end program teams_combined

! Task loops from Fortran: up and down, with grainsize, num_tasks, collapse, firstprivate and lastprivate.
! OpenMP 5.1, 2.12.2
!@ needs: flang 23
program taskloop
  implicit none
  integer :: failures = 0
  integer :: i, j, last, base
  integer(8) :: k
  integer :: hits(60), table(7, 9)

  hits = 0; table = 0; last = 0; base = 3
  !$omp parallel
  !$omp single
  !$omp taskloop grainsize(7) shared(hits)
  do i = 60, 1, -1
    hits(i) = hits(i) + 1
  end do
  !$omp end taskloop
  call check(all(hits == 1), 'grainsize')
  !$omp taskloop num_tasks(5) priority(2) shared(hits) firstprivate(base) lastprivate(last)
  do k = 1, 60, 3
    hits(k) = hits(k) + base
    last = int(k)
  end do
  !$omp end taskloop
  call check(all(hits(1::3) == 4) .and. all(hits(2::3) == 1), 'num_tasks')
  call check(last == 58, 'lastprivate')
  !$omp taskloop collapse(2) shared(table)
  do j = 1, 9
    do i = 7, 1, -1
      table(i, j) = table(i, j) + 10 * j + i
    end do
  end do
  !$omp end taskloop
  !$omp taskloop shared(hits)
  do i = 2, 1
    hits(1) = -1000
  end do
  !$omp end taskloop
  !$omp end single
  !$omp end parallel
  do j = 1, 9
    do i = 1, 7
      call check(table(i, j) == 10 * j + i, 'collapse')
    end do
  end do
  call check(hits(1) == 4, 'an empty loop')
  call verdict()
contains
  include 'check.inc'
end program taskloop

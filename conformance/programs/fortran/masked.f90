! masked with and without a filter, and its combinations with taskloop, from Fortran. OpenMP 5.1, 2.8
!@ needs: flang 22, gfortran 12
program masked
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: primary, chosen, i, hits(40)

  primary = 0; chosen = 0; hits = 0
  !$omp parallel
  !$omp masked
  primary = primary + 1
  call check(omp_get_thread_num() == 0, 'the primary thread')
  !$omp end masked
  !$omp masked filter(omp_get_num_threads() - 1)
  chosen = chosen + 1
  call check(omp_get_thread_num() == omp_get_num_threads() - 1, 'the last thread')
  !$omp end masked
  !$omp masked filter(1000)
  call check(.false., 'no thread has this number')
  !$omp end masked
  !$omp end parallel
  call check(primary == 1 .and. chosen == 1, 'once')

  !$omp parallel masked taskloop shared(hits)
  do i = 1, 40
    hits(i) = hits(i) + 1
  end do
  !$omp end parallel masked taskloop
  !$omp parallel
  !$omp masked taskloop filter(0) num_tasks(4) shared(hits)
  do i = 1, 40
    hits(i) = hits(i) + 1
  end do
  !$omp end masked taskloop
  !$omp end parallel
  call check(all(hits == 2), 'masked taskloop')
  call verdict()
contains
  include 'check.inc'
end program masked

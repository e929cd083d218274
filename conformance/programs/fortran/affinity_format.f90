! Affinity formats from Fortran: character arguments of any length, padded with blanks, and cut where they are too short.
! OpenMP 5.1, 3.3.8 to 3.3.11
!@ stock-fails: flang because it writes a terminating zero into character variables
program affinity_format
  use omp_lib
  implicit none
  integer :: failures = 0
  character(len=60) :: buffer
  character(len=4) :: short
  character(len=:), allocatable :: long
  integer :: n

  call omp_set_affinity_format('t=%n of %N')
  buffer = repeat('x', 60)
  n = omp_get_affinity_format(buffer)
  call check(n == 10, 'length')
  call check(buffer == 't=%n of %N', 'format')
  n = omp_get_affinity_format(short)
  call check(n == 10 .and. short == 't=%n', 'a short buffer')

  n = omp_capture_affinity(buffer, 'at level %L')
  call check(n == 10 .and. buffer == 'at level 0', 'omp_capture_affinity')
  n = omp_capture_affinity(buffer, '')
  call check(buffer(1:2) == 't=' .and. n >= 6, 'the format that was set')
  short = 'xxxx'
  n = omp_capture_affinity(short, 'abcdefgh')
  call check(n == 8 .and. short == 'abcd', 'a short buffer for a capture')

  !$omp parallel private(buffer, n, long)
  n = omp_capture_affinity(buffer, 'thread %0.3n.')
  write (unit=buffer(41:60), fmt='(a,i3.3,a)') 'thread ', omp_get_thread_num(), '.'
  call check(n == 11 .and. buffer(1:11) == buffer(41:51), 'thread number')
  long = repeat(' ', 300)
  n = omp_capture_affinity(long, repeat('y', 250))
  call check(n == 250 .and. long == repeat('y', 250), 'a long format')
  !$omp end parallel
  call verdict()
contains
  include 'check.inc'
end program affinity_format

! The routines about affinity formats as Fortran calls them: strings come with their lengths and are filled up with blanks.
! OpenMP 5.1, 3.3.8 to 3.3.11
!@ threads: 1 3
!@ stock-fails: flang because libomp aborts on a buffer that is too small for the format
program formats
  use omp_lib
  implicit none
  integer :: failures = 0
  character(len=24) :: text
  character(len=6) :: short
  integer :: length

  call omp_set_affinity_format('at %n of %N')
  length = omp_get_affinity_format(text)
  call check(length == 11, 'length of the format')
  call check(text == 'at %n of %N', 'the format')
  call check(text(12:24) == ' ', 'blanks behind the format')
  short = '######'
  length = omp_get_affinity_format(short)
  call check(length == 11, 'length of a format that is cut')
  call check(short(1:5) == 'at %n', 'a format that is cut')

  length = omp_capture_affinity(text, '')
  call check(length == 9, 'length by default')
  call check(text == 'at 0 of 1', 'by default')
  length = omp_capture_affinity(text, '%0.4L')
  call check(text == '0000', 'padded')
  !$omp parallel private(text, length)
  length = omp_capture_affinity(text, '%{thread_num}')
  call check(ichar(text(1:1)) - ichar('0') == mod(omp_get_thread_num(), 10), 'thread number')
  call check(text(length + 1:) == ' ', 'blanks')
  !$omp end parallel
  call verdict()
contains
  include 'check.inc'
end program formats

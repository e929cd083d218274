! The error directive with a character expression for a message, which is not terminated by a zero. OpenMP 5.1, 2.5.4
!@ expect-stderr: warning of [7] words
!@ compilers: gfortran
!@ threads: 1 2
!@ needs: gfortran 12
program messages
  use omp_lib
  implicit none
  integer :: failures = 0
  character(len=20) :: text
  text = 'of [7] words'
  !$omp error at(execution) severity(warning) message(text(1:12))
  call check(text == 'of [7] words', 'the message is the program''s')
  call verdict()
contains
  include 'check.inc'
end program messages

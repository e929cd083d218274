! Pointers and targets, associated and not, in target regions. OpenMP 5.1, 2.21.7.1
!@ threads: 1 3 8
!@ stock-fails: flang because libomptarget crashes in a program without device code
program pointers
  implicit none
  integer :: failures = 0
  integer, target :: storage(30), one
  integer, pointer :: whole(:), part(:), scalar, nothing(:)
  logical :: bound
  integer :: i
  storage = [(i, i = 1, 30)]
  one = 1
  whole => storage
  part => storage(11:20)
  scalar => one
  nothing => null()
  !$omp target map(tofrom: whole)
  whole(1) = 100
  !$omp end target
  !$omp target map(tofrom: part)
  part(1) = 200
  !$omp end target
  !$omp target map(tofrom: scalar)
  scalar = scalar + 1
  !$omp end target
  call check(storage(1) == 100 .and. storage(11) == 200 .and. storage(12) == 12, 'arrays behind pointers')
  call check(one == 2, 'a scalar behind a pointer')
  bound = .true.
  !$omp target map(from: bound) map(tofrom: nothing)
  bound = associated(nothing)
  !$omp end target
  call check(.not. bound, 'a disassociated pointer')
  allocate (whole(5))
  whole = 3
  !$omp target data map(tofrom: whole)
  !$omp target
  whole = whole * 2
  !$omp end target
  !$omp end target data
  call check(all(whole == 6), 'allocated through the pointer')
  deallocate (whole)
  call verdict()
contains
  include 'check.inc'
end program pointers

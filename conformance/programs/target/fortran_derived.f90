! Derived types, their members and arrays of them. OpenMP 5.1, 2.21.7.1
!@ threads: 1 3 8
!@ needs: flang 21, gfortran 11
program derived
  implicit none
  type point
    real(8) :: x, y
    integer :: tags(3)
  end type point
  type line
    type(point) :: from, to
    character(len=4) :: name
  end type line
  integer :: failures = 0
  type(point) :: p, many(6)
  type(line) :: l
  integer :: i
  p = point(1d0, 2d0, [1, 2, 3])
  l = line(p, p, 'line')
  do i = 1, 6
    many(i) = point(dble(i), 0d0, i)
  end do
  !$omp target map(tofrom: p, l)
  p%x = p%x + 10
  p%tags(2) = 22
  l%to%y = l%from%x + 0.5d0
  l%name(1:1) = 'L'
  !$omp end target
  call check(p%x == 11 .and. p%tags(2) == 22 .and. p%tags(3) == 3, 'a structure')
  call check(l%to%y == 1.5d0 .and. l%from%y == 2 .and. l%name == 'Line', 'nested structures')
  !$omp target teams distribute parallel do map(tofrom: many)
  do i = 1, 6
    many(i)%y = many(i)%x * 2 + many(i)%tags(1)
  end do
  call check(all(many%y == [(3d0 * i, i = 1, 6)]), 'an array of structures')
  !$omp target map(tofrom: p%tags)
  p%tags(1) = -1
  !$omp end target
  call check(p%tags(1) == -1, 'a member')
  call verdict()
contains
  include 'check.inc'
end program derived

! Allocatable variables that an allocators or allocate construct gives memory, which code frees and moves that cannot see whose it is.
! OpenMP 5.2, 6.7; OpenMP 5.1, 2.13.3
!@ compilers: gfortran
!@ needs: gfortran 14
!@ flags: -fopenmp-allocators
program allocators_construct
  use omp_lib
  implicit none
  integer :: failures = 0
  type holder
    real(8), allocatable :: values(:)
  end type
  integer, allocatable :: a(:), b(:), moved(:), scalar
  type(holder) :: h
  integer(omp_allocator_handle_kind) :: small
  type(omp_alloctrait) :: traits(2)
  integer :: i

  traits = [omp_alloctrait(omp_atk_pool_size, 1000), omp_alloctrait(omp_atk_fallback, omp_atv_null_fb)]
  small = omp_init_allocator(omp_default_mem_space, 2, traits)
  do i = 1, 50
    ! What is not given back would fill the pool.
    !$omp allocators allocate(allocator(small): a)
    allocate (a(100))
    a = i
    call check(all(a == i) .and. size(a) == 100, "contents")
    deallocate (a)
    !$omp allocators allocate(allocator(small), align(64): b, scalar)
    allocate (b(50), scalar)
    b = 1
    scalar = 2
    ! Assignment of another shape moves the variable.
    b = [(2 * i, i = 1, 120)]
    call check(size(b) == 120 .and. b(120) == 240, "moved")
    call move_alloc(b, moved)
    call release(moved)
    deallocate (scalar)
  end do
  call own()
  allocate (a(1000))
  deallocate (a)
  ! What no construct has allocated is freed as ever.
  allocate (h%values(10))
  h%values = 1
  h = holder([2d0, 3d0])
  call check(size(h%values) == 2, "a component")
  call omp_destroy_allocator(small)
  call verdict()
contains
  include "check.inc"

  ! Freed at the end, where it began to exist.
  subroutine own()
    integer, allocatable :: c(:)
    integer :: i
    do i = 1, 20
      block
        integer, allocatable :: d(:)
        !$omp allocators allocate(small: d)
        allocate (d(200))
        d = i
        call check(d(200) == i, "a block's")
      end block
    end do
    !$omp allocators allocate(small: c)
    allocate (c(200))
    c = 1
  end subroutine

  subroutine release(c)
    integer, allocatable, intent(inout) :: c(:)
    deallocate (c)
  end subroutine
end program

! Rays through lenses. The table of refraction belongs to each thread, and every parallel region copies it as a whole.
! slow: cause: copyin-large
! slow: compilers: gcc
! slow: threads: 2
! slow: try: share the table
program lenses
  implicit none
  integer, parameter :: rays = 12000, entries = 60000
  real(8), save :: index_of(entries)
#ifndef MENDED
  !$omp threadprivate(index_of)
#endif
  real(8) :: height(rays), slope(rays), total
  integer :: lens, count

  count = repeated(9000)
  call melt()
  call shine()
  do lens = 1, count
    call refract(lens)
    call travel()
  end do
  total = sum(abs(height)) / rays
  call finish(total > 0 .and. total < 1d6, total)

contains

  ! How strongly glass breaks light, by the wave's length.
  subroutine melt()
    integer :: i
    real(8) :: wave
    do i = 1, entries
      wave = 0.3d0 + 0.5d0 * i / entries
      index_of(i) = 1.5d0 + 0.004d0 / wave**2
    end do
  end subroutine melt

  subroutine shine()
    integer :: i
    !$omp parallel do
    do i = 1, rays
      height(i) = 2d0 * i / rays - 1
      slope(i) = 0.001d0 * mod(i, 7)
    end do
  end subroutine shine

  ! Each ray has a colour, and is broken by the lens.
  subroutine refract(lens)
    integer, intent(in) :: lens
    integer :: i
#ifdef MENDED
    !$omp parallel do
#else
    !$omp parallel do copyin(index_of) ! slow: here
#endif
    do i = 1, rays
      slope(i) = slope(i) - 0.01d0 * height(i) * (index_of(1 + mod(i * 7 + lens, entries)) - 1)
    end do
  end subroutine refract

  subroutine travel()
    integer :: i
    !$omp parallel do
    do i = 1, rays
      height(i) = height(i) + 0.1d0 * slope(i)
    end do
  end subroutine travel

#include "../slow.inc"
end program lenses

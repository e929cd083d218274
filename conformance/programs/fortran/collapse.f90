! Collapsed loops from Fortran: under several schedules, with strides and empty ranges.
! OpenMP 5.1, 2.11.4
program collapse
  implicit none
  integer :: failures = 0
  integer :: i, j, k, hits(5, 6, 7)
  integer(8) :: wide, total

  hits = 0
  !$omp parallel do collapse(3) schedule(dynamic, 4)
  do k = 1, 7
    do j = 6, 1, -1
      do i = 1, 5
        hits(i, j, k) = hits(i, j, k) + 1
      end do
    end do
  end do
  !$omp parallel do collapse(2) schedule(static, 3)
  do k = 1, 7, 2
    do j = 2, 6, 2
      hits(:, j, k) = hits(:, j, k) + 10
    end do
  end do
  call check(all(hits(:, 2::2, 1::2) == 11), 'twice')
  call check(sum(hits) == 210 + 5 * 3 * 4 * 10, 'sum')
  total = 0
  !$omp parallel do collapse(2) reduction(+: total) schedule(guided)
  do wide = 4000000000_8, 4000000009_8
    do i = 1, 10
      total = total + wide - 4000000000_8 + i
    end do
  end do
  call check(total == 1000, 'integer(8)')
  !$omp parallel do collapse(2)
  do k = 1, 7
    do j = 3, 2
      hits(1, 1, 1) = -1000
    end do
  end do
  call check(hits(1, 1, 1) == 1, 'an empty inner loop')
  call verdict()
contains
  include 'check.inc'
end program collapse

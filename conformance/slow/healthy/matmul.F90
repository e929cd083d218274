! Products of matrices in blocks; both loops over blocks are collapsed into one.
! slow: cause: none
! slow: compilers: gcc
! slow: threads: 2
program matmul_blocks
  implicit none
  integer, parameter :: side = 384, block = 48
  real(8) :: a(side, side), b(side, side), c(side, side), total
  integer :: round, rounds

  rounds = repeated(36)
  call start()
  total = 0
  do round = 1, rounds
    call product()
    call shrink()
    total = total + a(mod(round - 1, side) + 1, mod(round - 1, side) + 1)
  end do
  call finish(total > 0, total)

contains

  subroutine start()
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, side
      do i = 1, side
        a(i, j) = mod(i * 31 + j * 17, 101) / 101d0
        b(i, j) = mod(i * 13 + j * 29, 97) / 97d0
      end do
    end do
  end subroutine start

  subroutine product()
    integer :: ib, jb, i, j, k
    !$omp parallel do collapse(2) schedule(static) private(i, j, k)
    do jb = 1, side, block
      do ib = 1, side, block
        do j = jb, jb + block - 1
          do i = ib, ib + block - 1
            c(i, j) = 0
          end do
          do k = 1, side
            do i = ib, ib + block - 1
              c(i, j) = c(i, j) + a(i, k) * b(k, j)
            end do
          end do
        end do
      end do
    end do
  end subroutine product

  subroutine shrink()
    integer :: j
    !$omp parallel do
    do j = 1, side
      a(:, j) = c(:, j) / side
    end do
  end subroutine shrink

#include "../slow.inc"
end program matmul_blocks

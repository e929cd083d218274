! Prefix sums in blocks: each thread sums its blocks, a few numbers are added up, then each block is finished.
! slow: cause: none
! slow: compilers: gcc
! slow: threads: 2
program prefix
  implicit none
  integer, parameter :: blocks = 32, length = 8192
  integer(8) :: values(length, blocks), sums(length, blocks), before(0:blocks), total
  integer :: round, rounds

  rounds = repeated(2400)
  total = 0
  do round = 1, rounds
    call draw(round)
    call add_up()
    total = total + mod(sums(length, blocks), 1000_8)
  end do
  call finish(sums(length, blocks) == sum(values), real(total, 8))

contains

  subroutine draw(round)
    integer, intent(in) :: round
    integer :: block, i
    !$omp parallel do private(i)
    do block = 1, blocks
      do i = 1, length
        values(i, block) = mod(int(i, 8) * 7919_8 + block * 31_8 + round, 1009_8)
      end do
    end do
  end subroutine draw

  subroutine add_up()
    integer :: block, i
    integer(8) :: running
    before = 0
    !$omp parallel private(block, i, running)
    !$omp do
    do block = 1, blocks
      before(block) = sum(values(:, block))
    end do
    !$omp single
    do block = 1, blocks
      before(block) = before(block) + before(block - 1)
    end do
    !$omp end single
    !$omp do
    do block = 1, blocks
      running = before(block - 1)
      do i = 1, length
        running = running + values(i, block)
        sums(i, block) = running
      end do
    end do
    !$omp end parallel
  end subroutine add_up

#include "../slow.inc"
end program prefix

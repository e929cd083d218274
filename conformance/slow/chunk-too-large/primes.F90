! Twin primes by trial division, in three chunks for two threads: one thread gets two of the chunks.
! slow: cause: chunk-too-large
! slow: compilers: gcc
! slow: threads: 2
! slow: try: smaller chunk
program primes
  implicit none
  integer, parameter :: candidates = 60000
  integer :: divisors(candidates), round, rounds, gap
  logical :: prime(candidates)
  integer(8) :: found

  rounds = repeated(600)
  found = 0
  do round = 1, rounds
    call search()
    call score(round)
    found = found + twins()
    gap = widest()
  end do
  call finish(found == int(rounds, 8) * twins(), real(found + gap, 8))

contains

  pure logical function is_prime(n)
    integer, intent(in) :: n
    integer :: divisor
    is_prime = .false.
    if (n < 2 .or. (mod(n, 2) == 0 .and. n > 2)) return
    do divisor = 3, int(sqrt(real(n))), 2
      if (mod(n, divisor) == 0) return
    end do
    is_prime = .true.
  end function is_prime

  subroutine search()
    integer :: n
#ifdef MENDED
    !$omp parallel do schedule(dynamic, 500)
#else
    !$omp parallel do schedule(dynamic, 20000) ! slow: here
#endif
    do n = 1, candidates
      prime(n) = is_prime(n)
    end do
  end subroutine search

  ! A cheap pass over all candidates.
  subroutine score(round)
    integer, intent(in) :: round
    integer :: n
    !$omp parallel do
    do n = 1, candidates
      divisors(n) = merge(2, mod(n, 7) + round, prime(n))
    end do
  end subroutine score

  integer function twins()
    integer :: n
    twins = 0
    !$omp parallel do reduction(+: twins)
    do n = 3, candidates - 2
      if (prime(n) .and. prime(n + 2)) twins = twins + 1
    end do
  end function twins

  ! The widest gap between primes, in blocks that overlap by more than a gap.
  integer function widest()
    integer :: first, n, last
    widest = 0
    !$omp parallel do private(n, last) reduction(max: widest)
    do first = 1, candidates, 1000
      last = first
      do n = first, min(first + 1200, candidates)
        if (.not. prime(n)) cycle
        widest = max(widest, n - last)
        last = n
      end do
    end do
  end function widest

#include "../slow.inc"
end program primes

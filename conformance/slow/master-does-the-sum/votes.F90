! An election: each thread counts votes in a column of its own. One thread then adds the columns up.
! slow: cause: master-does-the-sum
! slow: also: serial-phase
! slow: compilers: gcc
! slow: threads: 2
! slow: try: parallel do
program votes
  use omp_lib
  implicit none
  integer, parameter :: parties = 40000, ballots = 60000, columns = 16
  integer :: ballot(ballots), count_of(0:parties - 1, columns)
  real(8) :: seats(0:parties - 1), total
  integer :: round, rounds

  rounds = repeated(1500)
  total = 0
  do round = 1, rounds
    call cast_votes(round)
    call count_votes()
    call share_out(omp_get_max_threads()) ! slow: or here
    total = total + spread_of_seats() / rounds
  end do
  call finish(total > 0, total)

contains

  subroutine cast_votes(round)
    integer, intent(in) :: round
    integer :: i
    !$omp parallel do
    do i = 1, ballots
      ballot(i) = mod(i * 37 + round * 11 + mod(i * i, 1009), parties)
      if (ballot(i) < 0) ballot(i) = ballot(i) + parties
    end do
  end subroutine cast_votes

  subroutine count_votes()
    integer :: i, mine
    !$omp parallel private(mine)
    mine = omp_get_thread_num() + 1
    count_of(:, mine) = 0
    !$omp do
    do i = 1, ballots
      count_of(ballot(i), mine) = count_of(ballot(i), mine) + 1
    end do
    !$omp end parallel
  end subroutine count_votes

  ! Large parties get a little more than their share.
  subroutine share_out(threads)
    integer, intent(in) :: threads
    integer :: party, thread
    real(8) :: all_votes
#ifdef MENDED
    !$omp parallel do private(thread, all_votes)
#endif
    do party = 0, parties - 1 ! slow: here
      all_votes = 0
      do thread = 1, threads
        all_votes = all_votes + count_of(party, thread)
      end do
      seats(party) = sqrt(1 + all_votes) * all_votes / (1 + 0.1d0 * all_votes)
    end do
  end subroutine share_out

  real(8) function spread_of_seats()
    integer :: party
    real(8) :: most
    most = 0
    !$omp parallel do reduction(max : most)
    do party = 0, parties - 1
      most = max(most, seats(party))
    end do
    spread_of_seats = most
  end function spread_of_seats

#include "../slow.inc"
end program votes

! Parallel regions: private, firstprivate, shared arrays, automatic arrays, num_threads, if, default(none), nested.
! OpenMP 5.1, 2.6, 2.21
!@ threads: 1 2 3 8
program regions
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: want, round, n, me, scalar
  integer :: seen(0:63)
  real :: table(5, 3)

  want = omp_get_max_threads()
  do round = 1, 20
    seen = 0
    scalar = round
    table = real(round)
    !$omp parallel default(none) shared(seen, want, failures, round) firstprivate(scalar, table) private(me)
    me = omp_get_thread_num()
    seen(me) = seen(me) + 1
    call check(scalar == round, 'firstprivate scalar')
    call check(all(table == real(round)), 'firstprivate array')
    scalar = -me
    table(2, 3) = real(-me)
    !$omp barrier
    call check(scalar == -me .and. table(2, 3) == real(-me), 'private copies')
    call check(omp_get_num_threads() == want, 'size')
    !$omp end parallel
    call check(all(seen(0:want - 1) == 1) .and. sum(seen) == want, 'numbers')
    call check(scalar == round .and. all(table == real(round)), 'originals')
    call automatic(round)
    n = 0
    !$omp parallel num_threads(5) if(mod(round, 2) == 0) reduction(+: n)
    n = n + 1
    !$omp end parallel
    call check(n == merge(5, 1, mod(round, 2) == 0), 'if clause')
  end do
  call omp_set_max_active_levels(2)
  n = 0
  !$omp parallel num_threads(3)
  !$omp parallel num_threads(2)
  !$omp atomic
  n = n + omp_get_level()
  !$omp end parallel
  !$omp end parallel
  call check(n == 12, 'nested')
  call verdict()
contains
  include 'check.inc'
  subroutine automatic(size)
    integer, intent(in) :: size
    integer :: values(size), i
    values = [(i, i = 1, size)]
    !$omp parallel firstprivate(values)
    call check(sum(values) == size * (size + 1) / 2, 'automatic array')
    values = 0
    !$omp end parallel
    call check(sum(values) == size * (size + 1) / 2, 'automatic array after')
  end subroutine automatic
end program regions

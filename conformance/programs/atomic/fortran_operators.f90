! Atomics in Fortran: every operator and intrinsic on integers, logicals, reals and complex numbers of several kinds, captured and
! swapped. OpenMP 5.1, 2.19.7
!@ compilers: gfortran
program fortran_operators
  use omp_lib
  implicit none
  integer :: failures = 0
  integer, parameter :: rounds = 30
  integer :: i, n, low, high, bits, mask, parity, ticket, mine, taken(33*rounds), swapped, before, total
  integer(8) :: wide, product
  integer(1) :: narrow
  logical :: any_one, all_of, equal, differ
  real :: single
  double precision :: double
  real(10) :: extended
  real(16) :: quadruple
  complex :: pair
  complex(8) :: wide_pair
  n = omp_get_max_threads()*rounds
  low = huge(low); high = -huge(high); bits = 0; mask = -1; parity = 0; ticket = 0; taken = 0; swapped = 0; total = 0
  wide = 0; product = 1; narrow = 0
  any_one = .false.; all_of = .true.; equal = .true.; differ = .false.
  single = 0; double = 1; extended = 0; quadruple = 0; pair = 0; wide_pair = 0
  !$omp parallel private(mine, before) reduction(+: total)
  do i = 1, rounds
    !$omp atomic
    low = min(low, i - 5*omp_get_thread_num())
    !$omp atomic
    high = max(i + 5*omp_get_thread_num(), high)
    !$omp atomic
    bits = ior(bits, ibset(0, mod(i, 31)))
    !$omp atomic
    mask = iand(mask, not(ibset(0, mod(i, 15))))
    !$omp atomic
    parity = ieor(parity, i)
    !$omp atomic
    any_one = any_one .or. i == rounds
    !$omp atomic
    all_of = all_of .and. i > 0
    !$omp atomic
    equal = equal .eqv. .false.
    !$omp atomic
    differ = differ .neqv. .true.
    !$omp atomic
    wide = wide + 4000000000_8
    !$omp atomic
    product = product*(-1)
    !$omp atomic
    narrow = narrow - 1_1
    !$omp atomic
    single = single + 0.5
    !$omp atomic
    double = double/(-1d0)
    !$omp atomic
    extended = extended + 0.25_10
    !$omp atomic
    quadruple = 0.125_16 + quadruple
    !$omp atomic
    pair = pair + (1.0, -2.0)
    !$omp atomic
    wide_pair = wide_pair - (0.5d0, 1d0)
    !$omp atomic capture
    ticket = ticket + 1
    mine = ticket
    !$omp end atomic
    !$omp atomic update
    taken(mine) = taken(mine) + 1
    !$omp atomic capture
    before = swapped
    swapped = mine
    !$omp end atomic
    total = total + before
  end do
  !$omp end parallel
  call check(low == 1 - 5*(omp_get_max_threads() - 1), 'min')
  call check(high == rounds + 5*(omp_get_max_threads() - 1), 'max')
  call check(bits == ibclr(not(ishft(1, 31)), 0), 'ior')
  call check(mask == not(32767), 'iand')
  mine = 0
  do i = 1, rounds
    if (mod(omp_get_max_threads(), 2) == 1) mine = ieor(mine, i)
  end do
  call check(parity == mine, 'ieor')
  call check(any_one .and. all_of, 'or, and')
  call check(equal .eqv. mod(n, 2) == 0, 'eqv')
  call check(differ .eqv. mod(n, 2) == 1, 'neqv')
  call check(wide == 4000000000_8*n .and. product == 1 - 2*mod(n, 2), 'wide integers')
  call check(narrow == int(mod(-n, 256) + merge(256, 0, mod(-n, 256) < -128), 1), 'narrow integers')
  call check(single == 0.5*n .and. double == 1 - 2*mod(n, 2), 'reals')
  call check(extended == 0.25_10*n .and. quadruple == 0.125_16*n, 'wide reals')
  call check(pair == n*(1.0, -2.0) .and. wide_pair == -n*(0.5d0, 1d0), 'complex numbers')
  call check(ticket == n .and. all(taken(1:n) == 1), 'tickets')
  call check(total + swapped == n*(n + 1)/2, 'swaps')
  call verdict()
contains
  include 'check.inc'
end program fortran_operators

! Reductions of Fortran's operators and intrinsics on integers, reals, complex numbers, logicals and arrays of fixed shape.
! OpenMP 5.1, 2.21.5
program reductions
  implicit none
  integer :: failures = 0
  integer :: i, total, product_, low, high, conj, disj, excl
  integer(8) :: wide
  real(8) :: x, y
  complex(8) :: z
  logical :: all_, any_, parity, unequal
  integer :: fixed(4, 2), round

  do round = 1, 5
    total = 3; product_ = 1; low = 1000; high = -1000; conj = not(0); disj = 0; excl = 0
    wide = 1; x = 0.5d0; y = 1; z = (1d0, 0d0); all_ = .true.; any_ = .false.; parity = .true.; unequal = .false.
    fixed = 1
    !$omp parallel do schedule(dynamic, 3) reduction(+: total, wide, x, z, fixed) reduction(*: product_, y) &
    !$omp& reduction(min: low) reduction(max: high) reduction(iand: conj) reduction(ior: disj) reduction(ieor: excl) &
    !$omp& reduction(.and.: all_) reduction(.or.: any_) reduction(.eqv.: parity) reduction(.neqv.: unequal)
    do i = 1, 100
      total = total + i
      wide = wide + int(i, 8) * 100000000000_8
      x = x + 0.25d0
      z = z + (0d0, 1d0)
      if (mod(i, 25) == 0) product_ = product_ * 3
      if (mod(i, 50) == 0) y = y * 2
      low = min(low, mod(i * 37, 101))
      high = max(high, mod(i * 37, 101))
      conj = iand(conj, not(ishft(1, mod(i, 4))))
      disj = ior(disj, ishft(1, mod(i, 6)))
      excl = ieor(excl, i)
      all_ = all_ .and. i <= 100
      any_ = any_ .or. i == 77
      parity = parity .eqv. (mod(i, 3) == 0)
      unequal = unequal .neqv. (mod(i, 3) == 0)
      fixed(:, 2) = fixed(:, 2) + 1
    end do
    call check(total == 5053, '+ integer')
    call check(wide == 505000000000001_8, '+ integer(8)')
    call check(x == 25.5d0, '+ real')
    call check(z == (1d0, 100d0), '+ complex')
    call check(product_ == 81 .and. y == 4, '*')
    call check(low == 1 .and. high == 100, 'min and max')
    call check(conj == not(15) .and. disj == 63 .and. excl == 100, 'bits')
    call check(all_ .and. any_, 'and, or')
    call check(.not. parity .and. unequal, 'eqv, neqv')
    call check(all(fixed(:, 1) == 1) .and. all(fixed(:, 2) == 101), 'array')
  end do
  call verdict()
contains
  include 'check.inc'
end program reductions

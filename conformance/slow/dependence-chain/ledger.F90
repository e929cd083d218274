! Monthly interest on accounts. All tasks name the common total as inout, though each one writes a sum of its own.
! slow: cause: dependence-chain
! slow: compilers: gcc
! slow: threads: 2
! slow: try: depend on the own sum
program ledger
  implicit none
  integer, parameter :: branches = 12, accounts = 3000
  real(8) :: balance(accounts, branches), sums(branches), total
  integer :: month, months

  months = repeated(8000)
  total = 0
  call open_accounts()
  do month = 1, months
    call run_month()
    if (mod(month, 3) == 0) call charge()
    total = total + sum(sums) / months
    if (mod(month, 50) == 0) call open_accounts()
  end do
  call finish(total > 0, total)

contains

  subroutine open_accounts()
    integer :: branch, account
    !$omp parallel do private(account)
    do branch = 1, branches
      do account = 1, accounts
        balance(account, branch) = 100 + mod(account * 37 + branch, 900)
      end do
    end do
  end subroutine open_accounts

  subroutine interest(branch)
    integer, intent(in) :: branch
    integer :: account
    real(8) :: rate
    do account = 1, accounts
      rate = 0.01d0 / (1 + balance(account, branch) * 1d-4)
      if (balance(account, branch) < 500) rate = rate / 2
      balance(account, branch) = balance(account, branch) * (1 + rate)
    end do
    sums(branch) = sum(balance(:, branch))
  end subroutine interest

  subroutine run_month()
    integer :: branch
    !$omp parallel
    !$omp single
    do branch = 1, branches
#ifdef MENDED
      !$omp task depend(inout: sums(branch))
#else
      !$omp task depend(inout: total) ! slow: here
#endif
      call interest(branch)
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
  end subroutine run_month

  ! Small accounts pay a fee, large ones get a gift.
  subroutine charge()
    integer :: branch, account
    !$omp parallel do collapse(2)
    do branch = 1, branches
      do account = 1, accounts
        if (balance(account, branch) < 200) then
          balance(account, branch) = balance(account, branch) - 0.1d0
        else if (balance(account, branch) > 900) then
          balance(account, branch) = balance(account, branch) + 0.1d0
        end if
      end do
    end do
  end subroutine charge

#include "../slow.inc"
end program ledger

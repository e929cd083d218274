! Three hundred regions from several threads, firstprivate arrays and private variables. OpenMP 5.1, 2.14.5
!@ threads: 1 3 8
!@ needs: flang 23
program many_regions
  implicit none
  integer :: failures = 0
  integer :: sums(300), k
  sums = 0
  !$omp parallel do
  do k = 1, 300
    call one(k, sums(k))
  end do
  call check(all(sums == [(10 * k + 55, k = 1, 300)]), 'the sums')
  call verdict()
contains
  subroutine one(by, total)
    integer, intent(in) :: by
    integer, intent(out) :: total
    integer :: work(10), i, t
    work = [(i, i = 1, 10)]
    !$omp target firstprivate(work) private(i) map(from: t)
    t = 0
    do i = 1, 10
      work(i) = work(i) + by
      t = t + work(i)
    end do
    !$omp end target
    call check(work(10) == 10, 'a firstprivate array has changed')
    total = t
  end subroutine one
  include 'check.inc'
end program many_regions

! Cancellation from Fortran: of a parallel region, of a loop, of sections and of a taskgroup. OpenMP 5.1, 2.20
!@ env: OMP_CANCELLATION=true
!@ needs: flang 21
program cancellation
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, done, found, after, started

  call check(omp_get_cancellation(), 'omp_get_cancellation')
  after = 0
  !$omp parallel
  !$omp cancel parallel if(omp_get_thread_num() == 0)
  !$omp barrier
  !$omp atomic
  after = after + 1
  !$omp end parallel
  call check(after == 0, 'parallel')

  found = 0; done = 0
  !$omp parallel
  !$omp do schedule(dynamic)
  do i = 1, 100000
    if (i == 50) then
      !$omp atomic write
      found = i
      !$omp cancel do
    end if
    !$omp atomic
    done = done + 1
    !$omp cancellation point do
  end do
  !$omp end do
  !$omp end parallel
  call check(found == 50 .and. done >= 1 .and. done < 100000, 'do')

  after = 0
  !$omp parallel
  !$omp sections
  !$omp section
  !$omp cancel sections
  !$omp atomic
  after = after + 1
  !$omp section
  !$omp cancellation point sections
  !$omp end sections
  !$omp end parallel
  call check(after == 0, 'sections')

  started = 0
  !$omp parallel
  !$omp single
  !$omp taskgroup
  do i = 1, 1000
    !$omp task shared(started)
    !$omp atomic
    started = started + 1
    !$omp cancel taskgroup
    call check(.false., 'behind cancel taskgroup')
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  call check(started >= 1 .and. started <= 1000, 'taskgroup')
  call verdict()
contains
  include 'check.inc'
end program cancellation

! Nested regions in Fortran, whose innermost threads say what they know and stop.
module facts
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: name_length = 24, most_facts = 56, most_records = 96
  type, bind(C) :: fact
    character(kind=c_char) :: name(name_length)
    integer(c_long) :: value
  end type
  type, bind(C) :: record
    character(kind=c_char) :: name(name_length)
    integer(c_long) :: facts
    type(fact) :: fact(most_facts)
  end type
  type(record), bind(C, name="said"), target :: said(most_records)
  integer(c_int), bind(C, name="records") :: records = 0
  integer(c_int) :: met = 0
  integer(c_int), volatile, bind(C, name="let_go") :: let_go = 0
  interface
    function gettid() bind(C)
      import c_int
      integer(c_int) :: gettid
    end function
    function pthread_self() bind(C)
      import c_long
      integer(c_long) :: pthread_self
    end function
    function usleep(time) bind(C)
      import c_int
      integer(c_int), value :: time
      integer(c_int) :: usleep
    end function
  end interface
contains
  subroutine stopping() bind(C, name="here")
    let_go = let_go
  end subroutine

  subroutine say(number, name, value)
    integer, intent(in) :: number, value
    character(*), intent(in) :: name
    call say_long(number, name, int(value, c_long))
  end subroutine

  subroutine say_long(number, name, value)
    integer, intent(in) :: number
    character(*), intent(in) :: name
    integer(c_long), intent(in) :: value
    integer :: next
    next = int(said(number)%facts) + 1
    call put(said(number)%fact(next)%name, name)
    said(number)%fact(next)%value = value
    said(number)%facts = next
  end subroutine

  subroutine put(place, name)
    character(kind=c_char), intent(out) :: place(name_length)
    character(*), intent(in) :: name
    integer :: at
    place = c_null_char
    do at = 1, len(name)
      place(at) = name(at:at)
    end do
  end subroutine

  subroutine speak_all(name)
    use omp_lib
    character(*), intent(in) :: name
    integer :: number
    !$omp atomic capture
    records = records + 1
    number = records
    !$omp end atomic
    call put(said(number)%name, name)
    call say(number, "lwp", gettid())
    call say_long(number, "pthread", pthread_self())
    call say(number, "tid", omp_get_thread_num())
    call say(number, "threads", omp_get_num_threads())
    call say(number, "level", omp_get_level())
    call say(number, "active", omp_get_active_level())
    call say(number, "max_threads", omp_get_max_threads())
    call say(number, "max_active", omp_get_max_active_levels())
    call say(number, "thread_limit", omp_get_thread_limit())
  end subroutine
end module

program regions
  use omp_lib
  use facts
  implicit none
  integer :: count, ignored
  call omp_set_max_active_levels(3)
  call speak_all("initial")
  !$omp parallel num_threads(2) private(count, ignored)
  call omp_set_num_threads(5 + omp_get_thread_num())
  call speak_all("outer")
  !$omp parallel num_threads(2) private(count, ignored)
  call speak_all("inner")
  !$omp atomic capture
  met = met + 1
  count = met
  !$omp end atomic
  if (count == 4) then
    call stopping()
    let_go = 1
  end if
  do while (let_go == 0)
    ignored = usleep(500_c_int)
  end do
  !$omp end parallel
  !$omp end parallel
end program

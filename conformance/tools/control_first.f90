! omp_control_tool is the first OpenMP call of this program; it prints the answer.
program control_first
  implicit none
  interface
    integer function omp_control_tool(command, modifier, arg)
      integer, intent(in) :: command, modifier
      integer, intent(in) :: arg(*)
    end function
  end interface
  integer :: nothing(1) = 0
  print '(a,i0)', 'first ', omp_control_tool(1, 17, nothing)
  !$omp parallel num_threads(2)
  !$omp single
  print '(a,i0)', 'inside ', omp_control_tool(3, 18, nothing)
  !$omp end single
  !$omp end parallel
end program

! A neural network of two layers. The primary thread alone computes the second layer, in a master construct.
! slow: cause: work-in-single
! slow: compilers: gcc
! slow: threads: 2
! slow: try: do instead of master
program network
  implicit none
  integer, parameter :: inputs = 128, hidden = 256, outputs = 96
  real(8) :: first(inputs, hidden), second(hidden, outputs), given(inputs), inner(hidden), answer(outputs), total
  integer :: example, examples, i

  examples = repeated(30000)
  call start()
  total = 0
  do example = 1, examples
    given = [(mod(i * example, 17) / 17d0, i = 1, inputs)]
    call forward()
    if (mod(example, 4) == 0) call learn(1d-4)
    total = total + answer(1 + mod(example, outputs)) / examples
  end do
  call finish(abs(total) < 1d3, total)

contains

  subroutine start()
    integer :: i
    !$omp parallel do
    do i = 1, hidden
      first(:, i) = scattered(i) - 0.5d0
      second(i, :) = scattered(i + hidden) - 0.5d0
    end do
  end subroutine start

  pure real(8) function neuron(weights, values)
    real(8), intent(in) :: weights(:), values(:)
    real(8) :: x
    x = dot_product(weights, values)
    neuron = x / (1 + abs(x))
  end function neuron

  subroutine forward()
    integer :: i
    !$omp parallel private(i)
    !$omp do
    do i = 1, hidden
      inner(i) = neuron(first(:, i), given)
    end do
    !$omp end do
#ifdef MENDED
    !$omp do
    do i = 1, outputs
      answer(i) = neuron(second(:, i), inner)
    end do
    !$omp end do
#else
    !$omp master ! slow: here
    do i = 1, outputs
      answer(i) = neuron(second(:, i), inner)
    end do
    !$omp end master
    !$omp barrier ! slow: or here
#endif
    !$omp end parallel
  end subroutine forward

  ! The weights of the first layer learn from the example.
  subroutine learn(rate)
    real(8), intent(in) :: rate
    integer :: i
    !$omp parallel do
    do i = 1, hidden
      first(:, i) = first(:, i) + rate * (given - first(:, i)) * inner(i)
    end do
  end subroutine learn

#include "../slow.inc"
end program network

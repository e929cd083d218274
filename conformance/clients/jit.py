"""numba's parallel loops on its OpenMP layer: prints results, so that two runs can be compared."""

import numba
import numpy
from numba import njit, prange

numba.config.THREADING_LAYER = "omp"


@njit(parallel=True)
def rows(values):
    sums = numpy.zeros(values.shape[0])
    for i in prange(values.shape[0]):
        total = 0.0
        for j in range(values.shape[1]):
            total += numpy.sin(values[i, j]) * j
        sums[i] = total
    return sums


@njit(parallel=True)
def count(numbers, divisor):
    total = 0
    for i in prange(numbers.size):
        total += numbers[i] % divisor
    return total


@njit(parallel=True)
def nested(n):
    grid = numpy.zeros((n, n))
    for i in prange(n):
        for j in prange(n):
            grid[i, j] = i * j
    return grid.sum()


values = numpy.random.default_rng(7).random((300, 200))
print("rows", f"{rows(values).sum():.15g}")
print("count", count(numpy.arange(100_000), 17))
print("nested", nested(120))
for threads in range(1, numba.get_num_threads() + 1):
    numba.set_num_threads(threads)
    print("with", threads, f"{rows(values).sum():.15g}")
print("layer", numba.threading_layer())

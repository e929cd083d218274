"""NumPy and SciPy, whose wheels bring thread pools of their own: prints results, so that two runs can be compared."""

import numpy
import scipy.fft
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg

random = numpy.random.default_rng(7)
square = random.standard_normal((300, 300))
positive = square @ square.T + 300 * numpy.eye(300)

print("product", f"{(square @ square).sum():.9g}")
print("solve", f"{scipy.linalg.solve(positive, square, assume_a='pos').sum():.9g}")
print("singular values", f"{scipy.linalg.svdvals(square)[:3].sum():.9g}")
print("fft", f"{abs(scipy.fft.fft2(square, workers=2)).sum():.9g}")

grid = scipy.sparse.diags_array([-1.0, 4.0, -1.0], offsets=[-1, 0, 1], shape=(2000, 2000), format="csr")
print("sparse solve", f"{scipy.sparse.linalg.spsolve(grid, numpy.ones(2000)).sum():.9g}")

"""scikit-learn on its bundled digits: prints what was learnt, so that two runs can be compared.

KMeans adds up floating-point sums in the order in which threads arrive, so its inertia is printed to six digits.
"""

import hashlib

import numpy
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.ensemble import HistGradientBoostingClassifier


def digest(array):
    return hashlib.sha256(numpy.ascontiguousarray(array).astype(numpy.int64).tobytes()).hexdigest()[:16]


data, target = load_digits(return_X_y=True)

means = KMeans(n_clusters=10, n_init=4, random_state=0).fit(data)
print("KMeans", digest(means.labels_), f"{means.inertia_:.6g}", means.n_iter_)

trees = HistGradientBoostingClassifier(max_iter=20, random_state=0).fit(data[:1200], target[:1200])
print("HistGradientBoosting", digest(trees.predict(data)), trees.score(data[1200:], target[1200:]))

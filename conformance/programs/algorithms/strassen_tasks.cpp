// Strassen's matrix product by seven tasks a level with owned temporaries, against the plain product.
// OpenMP 5.1, 2.12
#include <vector>

#include "check.h"

using Matrix = std::vector<long>;

static Matrix plain(const Matrix &a, const Matrix &b, int n) {
    Matrix c(n * n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    return c;
}

static Matrix quarter(const Matrix &a, int n, int row, int column) {
    int h = n / 2;
    Matrix q(h * h);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < h; j++) q[i * h + j] = a[(row * h + i) * n + column * h + j];
    return q;
}

static Matrix add(const Matrix &a, const Matrix &b, long sign) {
    Matrix c(a);
    for (size_t i = 0; i < c.size(); i++) c[i] += sign * b[i];
    return c;
}

static Matrix strassen(const Matrix &a, const Matrix &b, int n) {
    if (n <= 8) return plain(a, b, n);
    int h = n / 2;
    Matrix a11 = quarter(a, n, 0, 0), a12 = quarter(a, n, 0, 1), a21 = quarter(a, n, 1, 0), a22 = quarter(a, n, 1, 1);
    Matrix b11 = quarter(b, n, 0, 0), b12 = quarter(b, n, 0, 1), b21 = quarter(b, n, 1, 0), b22 = quarter(b, n, 1, 1);
    Matrix left[7] = {add(a11, a22, 1), add(a21, a22, 1), a11, a22, add(a11, a12, 1), add(a21, a11, -1), add(a12, a22, -1)};
    Matrix right[7] = {add(b11, b22, 1), b11, add(b12, b22, -1), add(b21, b11, -1), b22, add(b11, b12, 1), add(b21, b22, 1)};
    Matrix m[7];
    for (int k = 0; k < 7; k++) {
#pragma omp task shared(m, left, right) firstprivate(k)
        m[k] = strassen(left[k], right[k], h);
    }
#pragma omp taskwait
    Matrix c(n * n);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < h; j++) {
            int s = i * h + j;
            c[i * n + j] = m[0][s] + m[3][s] - m[4][s] + m[6][s];
            c[i * n + j + h] = m[2][s] + m[4][s];
            c[(i + h) * n + j] = m[1][s] + m[3][s];
            c[(i + h) * n + j + h] = m[0][s] - m[1][s] + m[2][s] + m[5][s];
        }
    return c;
}

int main() {
    const int n = 32;
    Matrix a(n * n), b(n * n), c;
    for (int i = 0; i < n * n; i++) a[i] = i * 7 % 23 - 11, b[i] = i * 5 % 19 - 9;
#pragma omp parallel
#pragma omp single
    c = strassen(a, b, n);
    CHECK(c == plain(a, b, n), "the products differ");
    return verdict();
}

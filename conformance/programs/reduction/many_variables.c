// Reductions over many variables of mixed types at once, more than the atomic method takes, at parallel, loop and section
// level, with and without nowait, in long runs of regions. OpenMP 5.1, 2.21.5
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads();
    for (int round = 0; round < 25; round++) {
        int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
        long i8 = 1, j = -1;
        double x = 0, y = 1, z = 0;
        unsigned char bits = 0;
        short low = 1000;
#pragma omp parallel reduction(+ : a, b, c, d, e, f, g, h, i8, x, z) reduction(* : y) reduction(| : bits) reduction(min : low) \
    reduction(max : j)
        {
            int me = omp_get_thread_num();
            a += 1, b += 2, c += 3, d += 4, e += 5, f += 6, g += 7, h += 8;
            i8 += me, x += 0.5, z -= 1;
            if (me == 0) y *= 3;
            bits |= (unsigned char)(1 << me % 8);
            if (500 - me < low) low = (short)(500 - me);
            if (me > j) j = me;
        }
        CHECK_EQ(a, 1 + threads);
        CHECK_EQ(b, 2 + 2 * threads);
        CHECK_EQ(c, 3 + 3 * threads);
        CHECK_EQ(d, 4 + 4 * threads);
        CHECK_EQ(e, 5 + 5 * threads);
        CHECK_EQ(f, 6 + 6 * threads);
        CHECK_EQ(g, 7 + 7 * threads);
        CHECK_EQ(h, 8 + 8 * threads);
        CHECK_EQ(i8, 1 + (long)threads * (threads - 1) / 2);
        CHECK_EQ(j, threads - 1);
        CHECK(x == threads * 0.5 && y == 3 && z == -threads, "%g %g %g", x, y, z);
        CHECK_EQ(bits, threads >= 8 ? 255 : (1 << threads) - 1);
        CHECK_EQ(low, 501 - threads);

        long s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0;
#pragma omp parallel
        {
#pragma omp for reduction(+ : s1, s2, s3) schedule(dynamic) nowait
            for (int i = 0; i < 30; i++) s1 += i, s2 += 2 * i, s3 += 3 * i;
#pragma omp for reduction(+ : s4, s5)
            for (int i = 0; i < 30; i++) s4 += i, s5 -= i;
            CHECK_EQ(s4, 435);
            CHECK_EQ(s5, -435);
        }
        CHECK_EQ(s1 + s2 + s3, 6 * 435);
    }
    return verdict();
}

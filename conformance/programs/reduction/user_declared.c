// User-declared reductions on a struct: an initializer, a combiner that keeps minimum, maximum, sum and count, and a shadowed
// scope. OpenMP 5.1, 2.21.5.7 (declare reduction)
#include "check.h"

struct stats {
    int count, least, most;
    double sum;
};

static void merge(struct stats *into, const struct stats *from) {
    into->count += from->count;
    into->sum += from->sum;
    if (from->least < into->least) into->least = from->least;
    if (from->most > into->most) into->most = from->most;
}

#pragma omp declare reduction(stats : struct stats : merge(&omp_out, &omp_in)) \
    initializer(omp_priv = (struct stats){0, 1 << 30, -(1 << 30), 0})

#pragma omp declare reduction(bits : unsigned : omp_out |= omp_in) initializer(omp_priv = 0)

int main(void) {
    for (int n = 1; n < 150; n += 13) {
        struct stats s = {1, 5, 5, 5};
        unsigned seen = 0;
#pragma omp parallel for reduction(stats : s) reduction(bits : seen)
        for (int i = 0; i < n; i++) {
            int value = i * 31 % 97 - 40;
            struct stats one = {1, value, value, value};
            merge(&s, &one);
            seen |= 1u << i % 32;
        }
        int least = 5, most = 5, sum = 5;
        for (int i = 0; i < n; i++) {
            int value = i * 31 % 97 - 40;
            sum += value;
            if (value < least) least = value;
            if (value > most) most = value;
        }
        CHECK_EQ(s.count, n + 1);
        CHECK_EQ(s.least, least);
        CHECK_EQ(s.most, most);
        CHECK(s.sum == sum, "%g instead of %d", s.sum, sum);
        CHECK(seen == (n >= 32 ? ~0u : (1u << n) - 1), "%x", seen);
    }
    return verdict();
}

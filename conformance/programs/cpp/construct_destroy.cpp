// Objects in private, firstprivate, lastprivate and reduction clauses are constructed, copied and destroyed in balance.
// OpenMP 5.1, 2.21.4
#include "check.h"

static int alive, copies;

struct Token {
    int value;
    Token() : value(7) { __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED); }
    Token(const Token &other) : value(other.value) {
        __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&copies, 1, __ATOMIC_RELAXED);
    }
    Token &operator=(const Token &) = default;
    ~Token() {
        value = -1;
        __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
    }
    Token &operator+=(const Token &other) {
        value += other.value;
        return *this;
    }
};

#pragma omp declare reduction(add : Token : omp_out += omp_in) initializer(omp_priv = Token())

int main() {
    int threads = omp_get_max_threads();
    {
        Token first, hidden, last, sum;
        first.value = 3;
        for (int round = 0; round < 10; round++) {
#pragma omp parallel firstprivate(first) private(hidden)
            {
                CHECK_EQ(first.value, 3);
                CHECK_EQ(hidden.value, 7);
                first.value = hidden.value = omp_get_thread_num();
            }
            CHECK_EQ(alive, 4);
            CHECK_EQ(first.value, 3);
#pragma omp parallel for lastprivate(last) schedule(static, 2)
            for (int i = 0; i < 37; i++) last.value = i;
            CHECK_EQ(last.value, 36);
            sum.value = 0;
#pragma omp parallel for reduction(add : sum)
            for (int i = 0; i < 50; i++) sum.value += i;
            CHECK_EQ(sum.value, 1225 + 7 * threads);
            CHECK_EQ(alive, 4);
        }
        CHECK(copies >= 10 * threads, "%d", copies);
    }
    CHECK_EQ(alive, 0);
    return verdict();
}

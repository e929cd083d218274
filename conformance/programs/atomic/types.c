// atomic update, read, write and capture on every arithmetic type, with results that show any lost update.
// OpenMP 5.1, 2.19.7 (atomic construct)
#include "check.h"

enum { ROUNDS = 40 };

// Sums, differences and both forms of capture on one type.
#define ARITHMETIC(type)                                                              \
    do {                                                                              \
        type x = 0, y = 100;                                                          \
        double captured = 0, before_sum = 0;                                          \
        OMP(parallel reduction(+ : captured, before_sum))                             \
        for (int i = 0; i < ROUNDS; i++) {                                            \
            type got;                                                                 \
            OMP(atomic)                                                               \
            x += 1;                                                                   \
            OMP(atomic update)                                                        \
            y = y - 1;                                                                \
            OMP(atomic)                                                               \
            y = 1 + y;                                                                \
            OMP(atomic capture)                                                       \
            got = x++;                                                                \
            captured += 0 * (double)got;                                              \
            OMP(atomic capture)                                                       \
            {                                                                         \
                got = y;                                                              \
                y = y + 0;                                                            \
            }                                                                         \
            before_sum += 0 * (double)got;                                            \
            OMP(atomic read)                                                          \
            got = x;                                                                  \
            (void)got;                                                                \
        }                                                                             \
        CHECK(x == (type)(long)(2 * ROUNDS * threads), #type " is %g", (double)x);          \
        CHECK(y == 100, #type " is %g", (double)y);                                   \
        CHECK(captured == 0 && before_sum == 0, #type);                               \
    } while (0)

// Bit operations and shifts on integer types.
#define BITS(type)                                                                    \
    do {                                                                              \
        type all = (type)0x7f, any = 0, flip = 0x15, shifted = 1;                     \
        OMP(parallel)                                                                 \
        {                                                                             \
            int bit = omp_get_thread_num() % 6;                                       \
            OMP(atomic)                                                               \
            all &= (type)(~(1 << bit));                                               \
            OMP(atomic)                                                               \
            any |= (type)(1 << bit);                                                  \
            OMP(atomic)                                                               \
            flip ^= 1;                                                                \
            OMP(atomic)                                                               \
            flip ^= 1;                                                                \
            OMP(atomic)                                                               \
            shifted <<= 1;                                                            \
            OMP(atomic)                                                               \
            shifted >>= 0;                                                            \
        }                                                                             \
        type bits = (type)((1 << (threads < 6 ? threads : 6)) - 1);                   \
        CHECK(any == bits, #type);                                                    \
        CHECK(all == (type)(0x7f & ~bits), #type);                                    \
        CHECK(flip == 0x15, #type);                                                   \
        if (threads < 7) CHECK(shifted == (type)(1 << threads), #type);               \
    } while (0)

int main(void) {
    int threads = omp_get_max_threads();
    ARITHMETIC(signed char);
    ARITHMETIC(unsigned char);
    ARITHMETIC(short);
    ARITHMETIC(unsigned short);
    ARITHMETIC(int);
    ARITHMETIC(unsigned);
    ARITHMETIC(long);
    ARITHMETIC(unsigned long);
    ARITHMETIC(float);
    ARITHMETIC(double);
    BITS(signed char);
    BITS(unsigned char);
    BITS(short);
    BITS(unsigned short);
    BITS(int);
    BITS(unsigned);
    BITS(long);
    BITS(unsigned long);
    return verdict();
}

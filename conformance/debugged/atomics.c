// Threads that exclude each other for numbers that the processor has no instruction for.
#include "said.h"

static long double sum;

int main(void) {
    int both = 0;
#pragma omp parallel num_threads(2)
    {
        speak_all("adds");
        __atomic_add_fetch(&both, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&both, __ATOMIC_SEQ_CST) < 2) continue;
        for (int i = 0; i < 100; i++) {
#pragma omp atomic
            sum += 1;
        }
    }
    return sum == 200 ? 0 : 1;
}

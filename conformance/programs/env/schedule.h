// omp_get_schedule tells the KIND, and the CHUNK if there is one; schedule(runtime) loops execute each iteration once.
#include "check.h"

int main(void) {
    omp_sched_t kind;
    int chunk, sum = 0;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0x7fffffff, KIND);
#ifdef CHUNK
    CHECK_EQ(chunk, CHUNK);
#endif
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < 101; i++) sum += i;
    CHECK_EQ(sum, 5050);
    return verdict();
}

// Reductions that the program declares, whose initialiser reads the original list item. OpenMP 5.1, 2.21.5.7 (declare reduction), 2.21.5.5
#include "check.h"

struct pair {
    long count;
    long scale;
};

static void join(struct pair *into, const struct pair *from) { into->count += from->count; }
static void begin(struct pair *copy, const struct pair *original) {
    copy->count = 0;
    copy->scale = original->scale;
}

#pragma omp declare reduction(join : struct pair : join(&omp_out, &omp_in)) initializer(begin(&omp_priv, &omp_orig))

int main(void) {
    struct pair total = {100, 3};
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(join : total)
        for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(join : total)
            {
                CHECK_EQ(total.scale, 3);
                total.count += total.scale;
            }
        }
    }
    CHECK_EQ(total.count, 100 + 150);
    CHECK_EQ(total.scale, 3);

    struct pair all = {1, 2};
#pragma omp parallel reduction(task, join : all)
    {
#pragma omp task in_reduction(join : all)
        all.count += all.scale;
    }
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    CHECK_EQ(all.count, 1 + 2 * threads);
    return verdict();
}

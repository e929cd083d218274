// Locks in target regions. OpenMP 5.1, 3.9
//@ devices: 1 3
#include "device.h"

int main(void) {
    int count = 0, nested = 0, tried = 0, threads = 0;
#pragma omp target map(tofrom : count, nested, tried) map(from : threads)
    {
        omp_lock_t lock;
        omp_nest_lock_t nest;
        omp_init_lock(&lock);
        omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4)
        {
#pragma omp single
            threads = omp_get_num_threads();
            for (int i = 0; i < 20; i++) {
                omp_set_lock(&lock);
                count++;
                omp_unset_lock(&lock);
                omp_set_nest_lock(&nest);
                omp_set_nest_lock(&nest);
                nested++;
                omp_unset_nest_lock(&nest);
                omp_unset_nest_lock(&nest);
            }
            while (!omp_test_lock(&lock)) {
            }
            tried++;
            omp_unset_lock(&lock);
        }
        omp_destroy_lock(&lock);
        omp_destroy_nest_lock(&nest);
    }
    CHECK_EQ(count, 20 * threads);
    CHECK_EQ(nested, 20 * threads);
    CHECK_EQ(tried, threads);
    return verdict();
}

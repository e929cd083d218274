// Two threads take two locks crosswise and wait for each other for ever: the README's example.
#include <omp.h>

static omp_lock_t left, right;

static void move(omp_lock_t *from, omp_lock_t *to)
{
    omp_set_lock(from);
#pragma omp barrier
    omp_set_lock(to);
    omp_unset_lock(to);
    omp_unset_lock(from);
}

int main(void)
{
    omp_init_lock(&left);
    omp_init_lock(&right);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            move(&left, &right);
        else
            move(&right, &left);
    }
    return 0;
}

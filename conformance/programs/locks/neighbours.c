// Locks packed in an array beside other data: taking one touches no neighbour (their size differs between compilers), and two
// locks taken in order never deadlock. OpenMP 5.1, 3.9
#include "check.h"

struct account {
    unsigned before;
    omp_lock_t lock;
    unsigned after;
    omp_nest_lock_t nest;
    long balance;
};

enum { N = 11 };

static struct account accounts[N];

int main(void) {
    int threads = omp_get_max_threads();
    for (int i = 0; i < N; i++) {
        accounts[i].before = accounts[i].after = 0xabcdef01u;
        accounts[i].balance = 1000;
        omp_init_lock(&accounts[i].lock);
        omp_init_nest_lock(&accounts[i].nest);
    }
#pragma omp parallel
    {
        unsigned seed = 17u * (unsigned)omp_get_thread_num() + 3;
        for (int i = 0; i < 60; i++) {
            seed = seed * 1664525u + 1013904223u;
            int a = (int)(seed >> 10) % N, b = (int)(seed >> 20) % N;
            if (a < 0) a = -a;
            if (b < 0) b = -b;
            if (a == b) continue;
            struct account *low = &accounts[a < b ? a : b], *high = &accounts[a < b ? b : a];
            omp_set_lock(&low->lock);
            omp_set_nest_lock(&high->nest);
            omp_set_lock(&high->lock);
            accounts[a].balance -= 5;
            accounts[b].balance += 5;
            omp_unset_lock(&high->lock);
            omp_unset_nest_lock(&high->nest);
            omp_unset_lock(&low->lock);
        }
    }
    long sum = 0;
    for (int i = 0; i < N; i++) {
        sum += accounts[i].balance;
        CHECK(accounts[i].before == 0xabcdef01u && accounts[i].after == 0xabcdef01u, "%d with %d threads", i, threads);
        omp_destroy_lock(&accounts[i].lock);
        omp_destroy_nest_lock(&accounts[i].nest);
    }
    CHECK_EQ(sum, 1000 * N);
    return verdict();
}

// Computes values through a cache that all threads share. A thread keeps the cache locked while it computes a value.
// slow: cause: lock-contention
// slow: compilers: gcc clang
// slow: threads: 2 8
// slow: try: a lock for each slot
#include <omp.h>

#include "../slow.h"

enum { SLOTS = 1024, QUESTIONS = 4000 };
#ifdef MENDED
enum { LOCKS = SLOTS };
#else
enum { LOCKS = 1 };
#endif

static struct slot {
    long question, answer;
} cache[SLOTS];
// A lock has a cache line for itself.
static struct {
    _Alignas(64) omp_lock_t lock;
} guard[LOCKS];

// The length of the longest of eight Collatz sequences.
static long compute(long start) {
    long most = 0;
    for (long next = start; next < start + 8; next++) {
        long steps = 0;
        for (long n = next; n != 1; n = n % 2 ? 3 * n + 1 : n / 2) steps++;
        if (steps > most) most = steps;
    }
    return most;
}

static long ask(long question) {
    struct slot *slot = &cache[question % SLOTS];
    omp_lock_t *lock = &guard[question % SLOTS % LOCKS].lock;
    omp_set_lock(lock); // slow: here
    if (slot->question != question) {
        slot->answer = compute(question);
        slot->question = question;
    }
    long answer = slot->answer;
    omp_unset_lock(lock);
    return answer;
}

// A check that needs no cache.
static long weigh(long question) {
    long sum = 0;
    for (long divisor = 1; divisor * divisor <= question; divisor++)
        if (question % divisor == 0) sum += divisor + question / divisor;
    return sum;
}

// What the cache holds after a round.
static long held(void) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int slot = 0; slot < SLOTS; slot++) sum += cache[slot].question > 0 && cache[slot].answer >= 0;
    return sum;
}

// The sum of digits of all questions of a round.
static long digits(long round) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < QUESTIONS; i++)
        for (long rest = (long)(mixed(round * 1000 + i / 4) % 20000); rest > 0; rest /= 10) sum += rest % 10;
    return sum;
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 180), total = 0;
    for (int i = 0; i < LOCKS; i++) omp_init_lock(&guard[i].lock);
    for (long round = 0; round < rounds; round++) {
        total += digits(round);
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 16)
        for (int i = 0; i < QUESTIONS; i++) {
            long question = 1 + (long)(mixed(round * 1000 + i / 4) % 20000);
            total += ask(question) + weigh(question) % 7;
        }
    }
    total += held();
    for (int i = 0; i < LOCKS; i++) omp_destroy_lock(&guard[i].lock);
    return finish(total > 0, (double)total);
}

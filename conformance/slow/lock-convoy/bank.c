// Transfers between accounts. A thread that waits for the bank's journal still holds its branch, so branches wait, too.
// slow: cause: lock-convoy
// slow: compilers: gcc clang
// slow: threads: 2 8
// slow: try: one lock at a time
#include <omp.h>

#include "../slow.h"

enum { BRANCHES = 8, ACCOUNTS = 64, TRANSFERS = 4000, JOURNAL = 256 };

static struct branch {
    _Alignas(64) omp_lock_t lock;
    long balance[ACCOUNTS];
} branch[BRANCHES];
static _Alignas(64) omp_lock_t journal_lock;
static uint64_t journal[JOURNAL], written;

// What a branch does for a transfer: all its accounts are looked through.
static long audit(const struct branch *b, int account, long amount) {
    long sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) sum += (b->balance[i] * 31 + amount) % 1009;
    return sum + account;
}

static void note(long entry) {
    journal[written++ % JOURNAL] += mixed((uint64_t)entry) & 1023;
}

static void transfer(uint64_t random) {
    struct branch *b = &branch[random % BRANCHES];
    int from = (int)(random >> 8 & 63), to = (int)(random >> 20 & 63);
    long amount = (long)(random >> 40) % 100;
#ifdef MENDED
    omp_set_lock(&b->lock);
    long audited = audit(b, from, amount) >= 0;
    b->balance[from] -= amount;
    b->balance[to] += amount;
    omp_unset_lock(&b->lock);
    omp_set_lock(&journal_lock);
    note(amount + audited);
    omp_unset_lock(&journal_lock);
#else
    omp_set_lock(&b->lock);
    omp_set_lock(&journal_lock); // slow: here
    long audited = audit(b, from, amount) >= 0;
    b->balance[from] -= amount;
    b->balance[to] += amount;
    note(amount + audited);
    omp_unset_lock(&journal_lock);
    omp_unset_lock(&b->lock);
#endif
}

// Interest, for one branch on each thread at a time.
static void pay_interest(void) {
#pragma omp parallel for
    for (int b = 0; b < BRANCHES; b++)
        for (int i = 0; i < ACCOUNTS; i++) branch[b].balance[i] += branch[b].balance[i] / 1000;
}

// The bank may not lose money by more than its interest.
static long lent(void) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int b = 0; b < BRANCHES; b++)
        for (int i = 0; i < ACCOUNTS; i++) sum += branch[b].balance[i] < 0 ? -branch[b].balance[i] : 0;
    return sum;
}

int main(int argc, char **argv) {
    long days = repeated(argc, argv, 700), sum = 0;
    omp_init_lock(&journal_lock);
    for (int b = 0; b < BRANCHES; b++) omp_init_lock(&branch[b].lock);
    for (long day = 0; day < days; day++) {
#pragma omp parallel for
        for (int i = 0; i < TRANSFERS; i++) transfer(mixed(day * TRANSFERS + i) & 0x7fffffffffffffff);
        if (day % 8 == 7) pay_interest();
    }
    sum = lent();
    for (int b = 0; b < BRANCHES; b++) omp_destroy_lock(&branch[b].lock);
    omp_destroy_lock(&journal_lock);
    return finish(sum > 0 && written == (uint64_t)(days * TRANSFERS), (double)(written + (uint64_t)sum));
}

// Tasks that wait for their predecessors do not pile up: whoever generates them executes others meanwhile, or waits for them to get on.
// Where they wait for what the generating task does next, it goes on all the same. The memory that tasks have used goes back.
// OpenMP 5.1, 2.19.11 (depend clause), 3.6.2 (omp_pause_resource_all)
//@ threads: 1 2 8
//@ stock-fails: clang because libomp keeps a task and a node for each of them
//@ checker: no because its own memory grows with the tasks
//@ needs: gcc 11
#include <string.h>
#include <unistd.h>

#include "check.h"

// Kilobytes of the process in memory.
static long resident(void) {
    char line[200];
    long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0) kilobytes = atol(line + 6);
    if (file) fclose(file);
    return kilobytes;
}

enum { ADDRESSES = 100, DEPTH = 1000, WAITING = 150000, BEHIND_EVENT = 20000 };
static int links[ADDRESSES];

static void link_one(int address, int place) {
#pragma omp task depend(inout : links[address]) firstprivate(address, place)
    {
        CHECK_EQ(links[address], place);
        links[address]++;
    }
}

// Chains next to each other, and one behind the other.
static void chains(int across) {
    memset(links, 0, sizeof links);
    for (int i = 0; i < ADDRESSES * DEPTH; i++) {
        if (across) link_one(i % ADDRESSES, i / ADDRESSES);
        else link_one(i / DEPTH, i % DEPTH);
    }
#pragma omp taskwait
    for (int i = 0; i < ADDRESSES; i++) CHECK_EQ(links[i], DEPTH);
}

// All wait for one task that takes its time.
static void one_long_predecessor(void) {
    int x = 0, ran = 0;
#pragma omp task depend(out : x) shared(x)
    {
        usleep(200000);
        x = 1;
    }
    for (int i = 0; i < WAITING; i++) {
#pragma omp task depend(in : x) shared(x, ran)
        if (x == 1) {
#pragma omp atomic
            ran++;
        }
    }
#pragma omp taskwait
    CHECK_EQ(ran, WAITING);
}

// All wait for an event that the generating task fulfils behind them.
static void behind_an_event(void) {
    int x = 0, ran = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) shared(x)
    x = 1;
    for (int i = 0; i < BEHIND_EVENT; i++) {
#pragma omp task depend(in : x) shared(ran)
        {
#pragma omp atomic
            ran++;
        }
    }
    CHECK_EQ(ran, 0);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_EQ(ran, BEHIND_EVENT);
}

// Each location is named once: none is kept for ever.
static void many_locations(void) {
    static char bytes[WAITING];
    for (int i = 0; i < WAITING; i++) {
#pragma omp task depend(out : bytes[i]) firstprivate(i)
        bytes[i] = 1;
    }
#pragma omp taskwait
    for (int i = 0; i < WAITING; i++) CHECK_EQ(bytes[i], 1);
}

static void bounded(const char *what, long before) {
    long more = resident() - before;
    CHECK(more < 50000, "%s: %ld kilobytes more", what, more);
}

int main(void) {
#pragma omp parallel
    spin_work(1);
    long before = resident();
#pragma omp parallel
#pragma omp single
    {
        chains(0);
        bounded("chains", before);
        chains(1);
        bounded("chains across", before);
        one_long_predecessor();
        bounded("one predecessor", before);
        many_locations();
        bounded("many locations", before);
        behind_an_event();
    }
    CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    long kept = resident() - before;
    CHECK(kept < 8000, "%ld kilobytes more after a hard pause", kept);
#pragma omp parallel
#pragma omp single
    chains(1);
    return verdict();
}

// Each thread runs on the processors of its place only.
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>

#include "check.h"

int main(void) {
    cpu_set_t machine;
    CPU_ZERO(&machine);
    CHECK_EQ(sched_getaffinity(getpid(), sizeof machine, &machine), 0);
    int places = omp_get_num_places();
    CHECK(places >= 1, "%d", places);
#pragma omp parallel
    {
        cpu_set_t own;
        CPU_ZERO(&own);
        CHECK_EQ(sched_getaffinity(0, sizeof own, &own), 0);
        int place = omp_get_place_num();
        CHECK(place >= 0 && place < places, "%d of %d", place, places);
        int count = omp_get_place_num_procs(place), ids[256], found = 0;
        CHECK(count >= 1 && count <= 256, "%d", count);
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < count; i++) found += CPU_ISSET(ids[i], &own) != 0;
        CHECK_EQ(found, CPU_COUNT(&own));
    }
    return verdict();
}

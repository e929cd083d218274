// What the programs about devices share. They give the same results on a device and on the host in its place; where it matters
// whether the device's memory is its own, they ask.
#ifndef CORPUS_DEVICE_H
#define CORPUS_DEVICE_H

#include "../check.h"

// Whether target regions run on a device with memory of its own, not on the host.
static inline int separate(void) { return omp_get_num_devices() > 0; }

// Fills an array with what no program computes by accident.
#define FILL(array, count, value) \
    for (int fill_index = 0; fill_index < (int)(count); fill_index++) (array)[fill_index] = (value)

// As `verdict`. Compiled for the host alone, a target region needs nothing of the runtime, and no tool would be started.
static inline int device_verdict(void) {
    (void)omp_get_max_threads();
    return verdict();
}
#define verdict device_verdict

#endif

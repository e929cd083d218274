// A target region that runs on a device of the host, while its encountering thread waits. The device's threads speak through the
// host's memory, which they have the address of. Compiled for the host alone, the same is the host's.
#include "said.h"

struct cell {
    volatile int ready, go;
    long threads[4], levels[4], tids[4], lwps[4], initial;
};
struct cell cell;

int main(int count, char **argument) {
    arguments(count, argument);
    long address = (long)&cell;
    omp_set_dynamic(0);
    omp_set_max_active_levels(3);
    struct record *record = speak("process");
    say(record, "devices", omp_get_num_devices());
    int first = 0, second = 0;
    omp_event_handle_t event = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        // A target task that waits for another task.
#pragma omp task detach(event) depend(out : first)
        first = 1;
#pragma omp target nowait depend(in : first) map(from : second)
        second = 2;
        speak_all("waits");
#pragma omp target firstprivate(address) thread_limit(3)
        {
            struct cell *seen = (struct cell *)address;
            seen->initial = omp_is_initial_device();
#pragma omp parallel num_threads(2)
            {
                int number = omp_get_thread_num();
                seen->threads[number] = omp_get_num_threads();
                seen->levels[number] = omp_get_level();
                seen->tids[number] = number;
                __atomic_add_fetch(&seen->ready, 1, __ATOMIC_SEQ_CST);
                while (!seen->go) continue;
            }
        }
        omp_fulfill_event(event);
    } else {
        speak_all("other");
        while (cell.ready < 2) usleep(200);
        here();
        cell.go = 1;
    }
    return second == 2 ? 0 : 1;
}

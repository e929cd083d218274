// How many threads the process has, by what the kernel says.
#include <dirent.h>
#include <unistd.h>

static int threads_now(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    if (!folder) return -1;
    for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

// Waits until there are no more than `most` threads, for two seconds at most.
static inline int threads_settle(int most) {
    for (int i = 0; i < 2000 && threads_now() > most; i++) usleep(1000);
    return threads_now();
}

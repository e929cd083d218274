// Loads a clang-built and a gcc-built library and checks that both use one OpenMP runtime: the same settings, the same
// threads, and constructs of one that bind to regions of the other. Arguments: the two libraries.
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "check.h"

enum { THREADS = 5 };

struct orphan {
    int team_size, singles, iterations[1000], tasks;
    long sum;
};

struct side {
    void (*set_threads)(int);
    int (*max_threads)(void);
    int (*team)(int, pthread_t *);
    void (*call)(int, void (*)(void *), void *);
    void (*orphan)(void *);
};

static void *find(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    if (!symbol) {
        printf("%s\n", dlerror());
        exit(1);
    }
    return symbol;
}

static struct side load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        printf("%s\n", dlerror());
        exit(1);
    }
    struct side side;
    *(void **)&side.set_threads = find(library, "side_set_threads");
    *(void **)&side.max_threads = find(library, "side_max_threads");
    *(void **)&side.team = find(library, "side_team");
    *(void **)&side.call = find(library, "side_call");
    *(void **)&side.orphan = find(library, "side_orphan");
    return side;
}

static void one_way(const struct side *a, const struct side *b) {
    a->set_threads(THREADS);
    CHECK_EQ(b->max_threads(), THREADS);
    a->set_threads(THREADS + 2);
    CHECK_EQ(b->max_threads(), THREADS + 2);

    // The pool is one: a region of the other library gets the very same threads.
    pthread_t of_a[THREADS], of_b[THREADS];
    CHECK_EQ(a->team(THREADS, of_a), THREADS);
    CHECK_EQ(b->team(THREADS, of_b), THREADS);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_equal(of_a[i], of_b[i]), "thread %d differs", i);

    struct orphan o;
    memset(&o, 0, sizeof o);
    a->call(THREADS, b->orphan, &o);
    CHECK_EQ(o.team_size, THREADS);
    CHECK_EQ(o.singles, 1);
    CHECK_EQ(o.sum, 499500);
    CHECK_EQ(o.tasks, 50);
    for (int i = 0; i < 1000; i++) CHECK_EQ(o.iterations[i], 1);
}

static void only_one_runtime(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    int ferromp = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        char *name = strrchr(line, '/');
        if (!name) continue;
        ferromp |= !strncmp(name, "/libferromp.", 12);
        int other = !strncmp(name, "/libomp.", 8) || !strncmp(name, "/libgomp", 8) || !strncmp(name, "/libiomp", 8);
        CHECK(!other, "%s", line);
    }
    CHECK(ferromp, "libferromp is not loaded");
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    struct side first = load(argv[1]), second = load(argv[2]);
    one_way(&first, &second);
    one_way(&second, &first);
    only_one_runtime();
    return verdict();
}

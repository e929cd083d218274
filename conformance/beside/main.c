// Loads two libraries with OpenMP that are bound to different runtimes, has regions of both, by turns, one inside the other, from
// several threads, and in a child, and ends. Arguments: the mode of loading, then the library whose runtime is ferromp, and where
// in the order it comes ("first", "second"), then the other library.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct side {
    void *handle;
    int (*run)(int, int (*)(int));
    int (*alone)(int);
};

static struct side ours, theirs;
static int failures;

#define EXPECT(condition)                                        \
    do {                                                         \
        if (!(condition)) {                                      \
            printf("line %d: %s\n", __LINE__, #condition);       \
            __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED); \
        }                                                        \
    } while (0)

static struct side load(const char *path, int mode) {
    struct side side = {dlopen(path, mode), NULL, NULL};
    if (!side.handle) {
        printf("%s\n", dlerror());
        exit(1);
    }
    *(void **)&side.run = dlsym(side.handle, "side_run");
    *(void **)&side.alone = dlsym(side.handle, "side_alone");
    return side;
}

static void *both(void *argument) {
    (void)argument;
    for (int round = 0; round < 10; round++) {
        EXPECT(ours.alone(3));
        EXPECT(theirs.alone(3));
        EXPECT(ours.run(2, theirs.alone));
        EXPECT(theirs.run(2, ours.alone));
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int mode = RTLD_NOW | (strcmp(argv[1], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL);
    if (strcmp(argv[3], "second") == 0) theirs = load(argv[4], mode);
    ours = load(argv[2], mode);
    if (strcmp(argv[3], "first") == 0) theirs = load(argv[4], mode);
    both(NULL);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, both, NULL);
    both(NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        _exit(ours.alone(3) ? 7 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    EXPECT(ours.alone(3));
    dlclose(ours.handle);
    if (failures == 0) printf("ok\n");
    return failures != 0;
}

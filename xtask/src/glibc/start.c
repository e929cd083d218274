/* The start of a program. Since 2.34 glibc calls a program's constructors; before, the program's own start file passed a function that
   does. The machine's start file is a newer one, so that nobody would call them on an older system. */

typedef int main_function(int, char **, char **);
typedef void constructor(int, char **, char **);

extern constructor *const __init_array_start[] __attribute__((visibility("hidden")));
extern constructor *const __init_array_end[] __attribute__((visibility("hidden")));

extern int older_start(main_function *, int, char **, constructor *, void (*)(void), void (*)(void), void *)
    __attribute__((visibility("default")));
__asm__(".symver older_start, __libc_start_main@" FIRST_VERSION);

static void construct(int argc, char **argv, char **envp) {
  for (constructor *const *next = __init_array_start; next != __init_array_end; next++)
    (*next)(argc, argv, envp);
}

int __libc_start_main(main_function *main, int argc, char **argv, constructor *init, void (*fini)(void), void (*at_exit)(void),
                      void *stack_end) {
  return older_start(main, argc, argv, init ? init : construct, fini, at_exit, stack_end);
}

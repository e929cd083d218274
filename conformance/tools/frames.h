// What a program may ask of the tool `frames.c` when it is preloaded; without the tool the call does nothing.
#ifndef FRAMES_H
#define FRAMES_H

#define _GNU_SOURCE
#include <dlfcn.h>

// Splits the calling thread's stack in a signal handler and writes a line `shape <name> <what was found>`.
static inline void frames_look(const char *name) {
  void (*call)(const char *) = (void (*)(const char *))dlsym(RTLD_DEFAULT, "frames_tool_look");
  if (call)
    call(name);
}

#endif

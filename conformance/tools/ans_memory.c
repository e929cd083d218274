// The memory of tasks, block by block.
#include <stdint.h>

#include "asker.h"

static ompt_get_task_memory_t memory;

// The number of blocks of the current task; whether `what` is in one of them.
static int blocks(const void *what, int *found) {
  int block = 0, more = 1;
  *found = 0;
  while (more && block < 10) {
    void *start = NULL;
    size_t size = 0;
    more = memory(&start, &size, block);
    uintptr_t low = (uintptr_t)start, address = (uintptr_t)what;
    if (size) {
      expect(start != NULL, block);
      *found |= address >= low && address < low + size;
      block++;
    }
  }
  void *start = &start;
  size_t size = 9;
  expect_is(memory(&start, &size, block), 0);
  expect_is(size, 0);
  expect_is(memory(&start, &size, -1), block > 0 ? 0 : 0);
  expect_is(size, 0);
  expect_is(memory(NULL, NULL, 1000), 0);
  return block;
}

int main(void) {
  omp_get_max_threads();
  memory = ASK(ompt_get_task_memory);
  int found, first = 1, second = 2, third = 3, fourth = 4, fifth = 5;
  expect_is(blocks(&first, &found), 0);
#pragma omp parallel num_threads(2)
  {
    int found_here;
    int count = blocks(&first, &found_here);
    // clang passes an argument for each shared variable, three of them in registers; gcc's structure has a size that nobody says.
#ifdef __clang__
    expect_is(count, 2);
#else
    expect_is(count, 0);
#endif
    expect(first + second + third + fourth + fifth == 15, first);
#pragma omp single
    {
      struct {
        char text[64];
      } own = {"private"};
      long big[1000] = {42};
#pragma omp task firstprivate(own)
      {
        int inside;
        expect_is(blocks(own.text, &inside), 1);
        expect(inside && own.text[0] == 'p', inside);
      }
#pragma omp task firstprivate(big)
      {
        int inside;
        expect_is(blocks(&big[999], &inside), 1);
        expect(inside && big[0] == 42, inside);
      }
#pragma omp task if (0) firstprivate(own)
      {
        int inside;
        expect_is(blocks(own.text, &inside), 1);
      }
    }
  }
  expect_is(blocks(&first, &found), 0);
  return asker_verdict();
}

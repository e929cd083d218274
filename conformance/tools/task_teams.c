// A league whose teams' threads meet a single construct with tasks.
#include <omp.h>

#include "journal.h"

int main(void) {
  int count = 0;
#pragma omp teams num_teams(2) thread_limit(2)
  {
#pragma omp parallel shared(count)
    {
#pragma omp single nowait
      for (int index = 0; index < 5; index++)
#pragma omp task shared(count)
      {
#pragma omp atomic
        count++;
      }
    }
  }
  return count == 10 ? 0 : 1;
}

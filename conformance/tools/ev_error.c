// Error directives: two warnings, then one that ends the program.
#include <omp.h>

#include "journal.h"

int main(void) {
#pragma omp error at(execution) severity(warning) message("low on luck") // warning
  journal_mark("warned", 0);
#pragma omp error at(execution) severity(warning) // silent
  journal_mark("warned_again", 0);
#pragma omp error at(execution) severity(fatal) message("no luck") // fatal
  journal_mark("survived", 0);
  return 0;
}

// Each thread can use ROOM bytes of its stack.
#include "check.h"

int main(void) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        volatile char room[ROOM];
        for (unsigned i = 0; i < sizeof room; i += 512) room[i] = (char)(i / 512 + 1);
        for (unsigned i = 0; i < sizeof room; i += 512) wrong += room[i] != (char)(i / 512 + 1);
    }
    CHECK_EQ(wrong, 0);
    return verdict();
}

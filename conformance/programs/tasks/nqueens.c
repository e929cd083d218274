// Counts the solutions of the queens puzzle with a task per placed queen and the board as a firstprivate array.
// OpenMP 5.1, 2.12.1
#include "check.h"

enum { N = 7 };

static int solutions;

static void place(const char *board, int row) {
    if (row == N) {
#pragma omp atomic
        solutions++;
        return;
    }
    for (int column = 0; column < N; column++) {
        int free_place = 1;
        for (int r = 0; r < row; r++) {
            int d = board[r] - column;
            if (d == 0 || d == row - r || d == r - row) free_place = 0;
        }
        if (!free_place) continue;
        char next[N];
        for (int r = 0; r < row; r++) next[r] = board[r];
        next[row] = (char)column;
#pragma omp task firstprivate(next)
        place(next, row + 1);
    }
#pragma omp taskwait
}

int main(void) {
    char empty[N] = {0};
#pragma omp parallel
#pragma omp single
    place(empty, 0);
    CHECK_EQ(solutions, 40);
    return verdict();
}

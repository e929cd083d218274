// Renders the lines of a report in parallel. Only the checksum over the lines is ordered, which is very little work.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include "../slow.h"

enum { LINES = 200, NUMBERS = 300 };

static uint64_t checksum;

static uint64_t render(long page, int line) {
    uint64_t text = 0;
    for (int i = 0; i < NUMBERS; i++) {
        uint64_t number = mixed(page * LINES + line + i) % 100000;
        for (int digit = 0; digit < 5; digit++, number /= 10) text = text * 31 + '0' + number % 10;
    }
    return text;
}

static void print_page(long page) {
#pragma omp parallel for ordered schedule(static, 1)
    for (int line = 0; line < LINES; line++) {
        uint64_t text = render(page, line);
#pragma omp ordered
        checksum = mixed(checksum ^ text);
    }
}

int main(int argc, char **argv) {
    long pages = repeated(argc, argv, 1500);
    for (long page = 0; page < pages; page++) print_page(page);
    return finish(checksum != 0, (double)(checksum % 1000003));
}

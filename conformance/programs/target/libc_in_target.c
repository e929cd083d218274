// The C library in target regions: output, memory, strings, mathematics, time. OpenMP 5.1, 2.14.5
//@ devices: 1 3
//@ libs: m
#include <math.h>
#include <string.h>

#include "device.h"

int main(void) {
    char text[32] = "abc";
    double root = 0, time = 0;
    int length = 0, sum = 0, written = 0;
    printf("from the host\n");
    fflush(stdout);
#pragma omp target map(tofrom : text, length, sum, root, time, written)
    {
        strcat(text, "def");
        length = (int)strlen(text);
        int *p = malloc(1000 * sizeof *p);
        for (int i = 0; i < 1000; i++) p[i] = i;
        for (int i = 0; i < 1000; i++) sum += p[i];
        free(p);
        root = sqrt((double)sum) + sin(0.0);
        written = printf("from the region %d\n", length);
        time = omp_get_wtime();
        fflush(stdout);
    }
    CHECK(strcmp(text, "abcdef") == 0, "%s", text);
    CHECK_EQ(length, 6);
    CHECK_EQ(sum, 499500);
    CHECK_EQ(written, 18);
    CHECK(root > 706.7 && root < 706.8, "%g", root);
    CHECK(time > 0 && omp_get_wtime() - time < 100, "%g", time);
    return verdict();
}

// requires unified_shared_memory: target regions use the host's memory itself, whether it is mapped or not. OpenMP 5.1, 2.5.1
//@ devices: 1 3
//@ cannot: gcc because gcc 12 does not know which memory a device shares
#include "device.h"
#pragma omp requires unified_shared_memory

struct node {
    int value;
    struct node *next;
};
int global = 3;
#pragma omp declare target to(global)

int main(void) {
    int *p = malloc(100 * sizeof *p), local[10], *seen = NULL;
    FILL(p, 100, 1);
    FILL(local, 10, 1);
    struct node a = {1, NULL}, b = {2, &a}, *head = &b;
    int sum = 0;
#pragma omp target map(from : sum, seen)
    {
        for (int i = 0; i < 100; i++) p[i] = i;
        local[3] = 4;
        sum = 0;
        for (struct node *n = head; n; n = n->next) sum += n->value++;
        seen = p;
    }
    for (int i = 0; i < 100; i++) CHECK_EQ(p[i], i);
    CHECK_EQ(local[3], 4);
    CHECK_EQ(sum, 3);
    CHECK_EQ(a.value, 2);
    CHECK(seen == p, "another address");
#pragma omp target data map(to : p[0 : 100])
    {
#pragma omp target
        p[5] = -5;
        CHECK_EQ(p[5], -5);
        p[6] = -6;
#pragma omp target map(from : sum)
        sum = p[6];
        CHECK_EQ(sum, -6);
    }
    free(p);
    return verdict();
}

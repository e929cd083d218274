// A linked list, entered node by node, walked and changed on the device. OpenMP 5.1, 2.14.3-4, 2.21.7.2
//@ devices: 1 3
//@ needs: gcc 12
#include "device.h"

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 30; i++) {
        struct node *node = malloc(sizeof *node);
        *node = (struct node){i, head};
        head = node;
    }
#pragma omp target enter data map(to : head[0 : 1])
    for (struct node *node = head; node->next; node = node->next) {
#pragma omp target enter data map(to : node->next[0 : 1])
    }
    int sum = 0, length = 0;
#pragma omp target map(tofrom : sum, length)
    for (struct node *node = head; node; node = node->next) {
        sum += node->value;
        node->value *= 10;
        if (++length == 30) break;
    }
    CHECK_EQ(sum, 435);
    CHECK_EQ(length, 30);
    for (struct node *node = head; node; node = node->next) {
#pragma omp target update from(node->value)
    }
    int expected = 29;
    for (struct node *node = head; node; node = node->next) CHECK_EQ(node->value, 10 * expected--);
    CHECK_EQ(expected, -1);
    for (struct node *node = head, *next; node; node = next) {
        next = node->next;
#pragma omp target exit data map(delete : node[0 : 1])
        free(node);
    }
    return verdict();
}

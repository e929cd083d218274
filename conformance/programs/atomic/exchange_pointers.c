// atomic compare on pointers: threads build a list, to which each adds its elements by compare-and-swap. OpenMP 5.1, 2.19.7
//@ compilers: gcc
//@ needs: gcc 12
#include "check.h"

typedef struct Node {
    struct Node *next;
    int value;
} Node;

enum { EACH = 20, MOST = 33 * EACH };

int main(void) {
    static Node nodes[MOST];
    Node *list = NULL;
    int threads = omp_get_max_threads();
#pragma omp parallel
    for (int i = 0; i < EACH; i++) {
        int success = 0;
        Node *mine = &nodes[omp_get_thread_num() * EACH + i], *head;
        mine->value = i;
        while (!success) {
#pragma omp atomic read acquire
            head = list;
            mine->next = head;
#pragma omp atomic compare capture acq_rel
            {
                success = list == head;
                if (success) { list = mine; }
            }
        }
    }
    int count = 0;
    long sum = 0;
    for (Node *node = list; node != NULL; node = node->next) {
        count++;
        sum += node->value;
    }
    CHECK_EQ(count, EACH * threads);
    CHECK_EQ(sum, (long)threads * EACH * (EACH - 1) / 2);
    return verdict();
}

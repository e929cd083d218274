// Critical sections of several functions share a name across the program; a linked list grown under one loses no node.
// OpenMP 5.1, 2.19.1
#include "check.h"

struct node {
    int value;
    struct node *next;
};

static struct node *head;
static int length;

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
#pragma omp critical(list)
    {
        node->next = head;
        head = node;
        length++;
    }
}

static int pop(void) {
    struct node *node = NULL;
#pragma omp critical(list)
    {
        if (head) {
            node = head;
            head = head->next;
            length--;
        }
    }
    if (!node) return 0;
    int value = node->value;
    free(node);
    return value;
}

int main(void) {
    int threads = omp_get_max_threads(), each = 60;
    long sum = 0;
#pragma omp parallel reduction(+ : sum)
    for (int i = 1; i <= each; i++) {
        push(i);
        push(i);
        sum += pop();
    }
    CHECK_EQ(length, threads * each);
    while (head) sum += pop();
    CHECK_EQ(sum, (long)threads * each * (each + 1));
    CHECK_EQ(length, 0);
    return verdict();
}

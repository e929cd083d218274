// Objects that each task of a taskloop has a copy of: made from the original's value, destroyed with the task. OpenMP 5.1, 2.12.2, 2.21.4
#include "check.h"

static int alive, copies;

struct Value {
    int number;
    int *self;
    explicit Value(int n = 0) : number(n), self(&number) {
#pragma omp atomic
        alive++;
    }
    Value(const Value &other) : number(other.number), self(&number) {
#pragma omp atomic
        alive++;
#pragma omp atomic
        copies++;
    }
    Value &operator=(const Value &other) {
        number = other.number;
        return *this;
    }
    ~Value() {
#pragma omp atomic
        alive--;
    }
};

static void loop(int tasks) {
    Value value(5);
    Value last(0);
    int wrong = 0;
#pragma omp taskloop num_tasks(tasks) firstprivate(value) lastprivate(last)
    for (int i = 0; i < 400; i++) {
        if (value.number < 5 || value.self != &value.number) {
#pragma omp atomic
            wrong++;
        }
        value.number++;
        last.number = i;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(last.number, 399);
    CHECK_EQ(value.number, 5);
}

int main() {
#pragma omp parallel
#pragma omp single
    {
        loop(3);
        loop(300);
    }
    loop(5);
    CHECK_EQ(alive, 0);
    CHECK(copies >= 3 + 300 + 5, "%d copies", copies);
    return verdict();
}

// Tasks with firstprivate objects: each is copied when the task is created, lives until it has run, and is destroyed once,
// also for tasks that outlive the block that made them, if(0) tasks and taskloops. OpenMP 5.1, 2.12.1
#include <memory>
#include <string>

#include "check.h"

static int alive;

struct Payload {
    std::string text;
    explicit Payload(int i) : text("payload number " + std::to_string(i)) { __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED); }
    Payload(const Payload &other) : text(other.text) { __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED); }
    ~Payload() {
        text.clear();
        __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
    }
};

static int ran;

static void expect(const Payload &payload, int i) {
    CHECK(payload.text == "payload number " + std::to_string(i), "%s", payload.text.c_str());
#pragma omp atomic
    ran++;
}

int main() {
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 80; i++) {
            Payload payload(i);
            std::shared_ptr<int> pointer = std::make_shared<int>(i);
#pragma omp task firstprivate(payload, pointer)
            {
                expect(payload, *pointer);
#pragma omp task firstprivate(payload)
                expect(payload, i);
            }
#pragma omp task firstprivate(payload) if (i % 4 == 0)
            expect(payload, i);
        }
#pragma omp single
        {
            Payload payload(5);
#pragma omp taskloop firstprivate(payload) grainsize(3)
            for (int i = 0; i < 20; i++) expect(payload, 5);
        }
    }
    CHECK_EQ(ran, 260);
    CHECK_EQ(alive, 0);
    return verdict();
}

// Sums a tree of parts. Each node waits for its left task before it starts on the right side.
// slow: cause: taskwait-misplaced
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: taskwait after both sides
#include <memory>

#include "../slow.h"

struct Part {
    double mass = 0.0;
    std::unique_ptr<Part> left, right;
};

static std::unique_ptr<Part> assemble(int depth, uint64_t number) {
    auto part = std::make_unique<Part>();
    part->mass = fraction(number);
    if (depth > 0) {
        part->left = assemble(depth - 1, 2 * number);
        part->right = assemble(depth - 1, 2 * number + 1);
    }
    return part;
}

static double weigh(const Part *part, double factor) {
    if (part == nullptr) return 0.0;
    double own = part->mass * factor / (1.0 + part->mass * part->mass);
    return own + weigh(part->left.get(), factor) + weigh(part->right.get(), factor);
}

static double weigh_in_tasks(const Part *part, double factor, int depth) {
    if (depth == 0) return weigh(part, factor);
    double left = 0.0, right = 0.0;
#pragma omp task shared(left)
    left = weigh_in_tasks(part->left.get(), factor, depth - 1);
#ifndef MENDED
#pragma omp taskwait // slow: here
#endif
    right = weigh_in_tasks(part->right.get(), factor, depth - 1);
#pragma omp taskwait
    return part->mass * factor + left + right;
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 6000);
    std::unique_ptr<Part> root = assemble(14, 1);
    double total = 0.0;
    for (long round = 0; round < rounds; round++) {
        double mass = 0.0;
#pragma omp parallel
#pragma omp single
        mass = weigh_in_tasks(root.get(), 1.0 + round % 3, 4);
        total += mass;
    }
    return finish(total > 0.0, total / static_cast<double>(rounds));
}

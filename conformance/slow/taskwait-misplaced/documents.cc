// Rates documents: two tasks for each, one short and one long. A taskwait after each pair makes one thread wait for the
// longer one, though no document needs another.
// slow: cause: taskwait-misplaced
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: taskwait after the loop
#include <vector>

#include "../slow.h"

namespace {

struct Document {
    std::vector<float> words;
    double weight = 0, rank = 0;
};

double weigh(const Document &document) {
    double sum = 0;
    for (float word : document.words) sum += std::log1p(word);
    return sum;
}

double rank(const Document &document) {
    double sum = 0;
    for (int round = 1; round <= 3; round++)
        for (float word : document.words) sum += std::sin(word + (float)round) / round;
    return sum;
}

void rate(std::vector<Document> &documents) {
#pragma omp parallel
#pragma omp single
    for (Document &document : documents) {
        Document *it = &document;
#pragma omp task firstprivate(it) // slow: or here
        it->weight = weigh(*it);
#pragma omp task firstprivate(it)
        it->rank = rank(*it);
#ifndef MENDED
#pragma omp taskwait // slow: here
#endif
    }
}

} // namespace

int main(int argc, char **argv) {
    std::vector<Document> documents(400);
#pragma omp parallel for
    for (size_t i = 0; i < documents.size(); i++)
        for (int word = 0; word < 600; word++) documents[i].words.push_back((float)fraction(i * 600 + word));
    for (long pass = 0, passes = repeated(argc, argv, 150); pass < passes; pass++) rate(documents);
    double sum = 0;
    for (const Document &document : documents) sum += document.weight + document.rank;
    return finish(sum > 0, std::floor(sum));
}

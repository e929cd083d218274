// Counts words in a shared hash table. One lock guards the whole table.
// slow: cause: lock-contention
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: a lock for each bucket
#include <omp.h>

#include <array>
#include <string>
#include <vector>

#include "../slow.h"

namespace {

constexpr unsigned buckets = 512;
#ifdef MENDED
constexpr unsigned locks = buckets;
#else
constexpr unsigned locks = 1;
#endif

struct Entry {
    std::string word;
    long count;
};

// A lock has a cache line for itself.
struct alignas(64) Guard {
    omp_lock_t lock;
    Guard() { omp_init_lock(&lock); }
    ~Guard() { omp_destroy_lock(&lock); }
};

class Table {
    std::array<std::vector<Entry>, buckets> bucket;
    std::array<Guard, locks> guard;

public:
    void add(const std::string &word, unsigned hash) {
        unsigned number = hash % buckets;
        omp_lock_t *lock = &guard[number % locks].lock;
        omp_set_lock(lock); // slow: here
        count(bucket[number], word);
        omp_unset_lock(lock);
    }

    static void count(std::vector<Entry> &entries, const std::string &word) {
        for (Entry &entry : entries)
            if (entry.word == word) {
                entry.count++;
                return;
            }
        entries.push_back({word, 1});
    }

    long total() const {
        long sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (unsigned number = 0; number < buckets; number++)
            for (const Entry &entry : bucket[number]) sum += entry.count * static_cast<long>(entry.word.size());
        return sum;
    }
};

unsigned hash_of(const std::string &word) {
    unsigned hash = 2166136261u;
    for (unsigned char letter : word) hash = (hash ^ letter) * 16777619u;
    return hash;
}

std::vector<std::string> write_text(int words) {
    std::vector<std::string> text(words);
#pragma omp parallel for
    for (int i = 0; i < words; i++) text[i] = "word-of-the-text-" + std::to_string(mixed(i) % 3000);
    return text;
}

}  // namespace

int main(int argc, char **argv) {
    long readings = repeated(argc, argv, 350);
    std::vector<std::string> text = write_text(20000);
    int words = static_cast<int>(text.size());
    Table table;
    for (long reading = 0; reading < readings; reading++) {
#pragma omp parallel for
        for (int i = 0; i < words; i++) table.add(text[i], hash_of(text[i]));
    }
    long total = table.total();
    return finish(total > readings * words, static_cast<double>(total));
}

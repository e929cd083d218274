// Counts words in a shared hash table with a lock for each bucket. Threads rarely meet at a bucket.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include <omp.h>

#include <string>
#include <vector>

#include "../slow.h"

namespace {

class Bucket {
    struct Entry {
        std::string word;
        long count;
    };
    alignas(64) omp_lock_t lock;
    std::vector<Entry> entries;

public:
    Bucket() { omp_init_lock(&lock); }
    ~Bucket() { omp_destroy_lock(&lock); }

    void add(const std::string &word, long times) {
        omp_set_lock(&lock);
        bool known = false;
        for (Entry &entry : entries)
            if (entry.word == word) {
                entry.count += times;
                known = true;
            }
        if (!known) entries.push_back({word, times});
        omp_unset_lock(&lock);
    }

    long letters() const {
        long sum = 0;
        for (const Entry &entry : entries) sum += entry.count * static_cast<long>(entry.word.size());
        return sum;
    }
};

// The stem of a word: its endings are cut as long as one fits. This is most of the work.
std::string stem(const std::string &word) {
    static const char *const endings[] = {"ing", "ed", "er", "est", "ly", "s", "ness", "ment"};
    std::string rest = word;
    for (bool cut = true; cut;) {
        cut = false;
        for (const char *ending : endings) {
            std::string tail = ending;
            if (rest.size() > tail.size() + 2 && rest.compare(rest.size() - tail.size(), tail.size(), tail) == 0) {
                rest.resize(rest.size() - tail.size());
                cut = true;
            }
        }
    }
    return rest;
}

unsigned hash_of(const std::string &word) {
    unsigned hash = 2166136261u;
    for (unsigned char letter : word) hash = (hash ^ letter) * 16777619u;
    return hash;
}

std::string spell(uint64_t random) {
    static const char *const parts[] = {"ing", "ed", "tra", "mel", "or", "s", "ly", "quan", "er", "bo", "ness", "il"};
    std::string word;
    for (int part = 0; part < 5; part++) word += parts[(random >> (4 * part)) % 12];
    return word;
}

}  // namespace

int main(int argc, char **argv) {
    long readings = repeated(argc, argv, 110), sum = 0;
    std::vector<std::string> text(20000);
    std::vector<Bucket> table(4096);
    int words = static_cast<int>(text.size()), buckets = static_cast<int>(table.size());
#pragma omp parallel for
    for (int i = 0; i < words; i++) text[i] = spell(mixed(i % 9000));
    for (long reading = 0; reading < readings; reading++) {
#pragma omp parallel for schedule(dynamic, 100)
        for (int i = 0; i < words; i++) {
            std::string word = stem(text[i]);
            table[hash_of(word) % buckets].add(word, 1);
        }
    }
#pragma omp parallel for reduction(+ : sum)
    for (int bucket = 0; bucket < buckets; bucket++) sum += table[bucket].letters();
    return finish(sum > readings * words, static_cast<double>(sum));
}

// Hashes of short keys. Each key takes some nanoseconds, about as long as fetching its one iteration.
// slow: cause: chunk-too-small
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: larger chunk
#include <string>
#include <vector>

#include "../slow.h"

static uint32_t hash(const std::string &key) {
    uint32_t value = 2166136261u;
    for (unsigned char each : key) value = (value ^ each) * 16777619u;
    return value;
}

static std::vector<std::string> make_keys(int count) {
    std::vector<std::string> keys(count);
#pragma omp parallel for
    for (int i = 0; i < count; i++) keys[i] = "measurements/of/station/" + std::to_string(mixed(i) % 1000000);
    return keys;
}

static void hash_all(const std::vector<std::string> &keys, std::vector<uint32_t> &hashes) {
    int count = static_cast<int>(keys.size());
#ifdef MENDED
#pragma omp parallel for schedule(dynamic, 512)
#else
#pragma omp parallel for schedule(dynamic) // slow: here
#endif
    for (int i = 0; i < count; i++) hashes[i] = hash(keys[i]);
}

// How evenly the hashes fill the buckets.
static long evenness(const std::vector<uint32_t> &hashes, unsigned mask) {
    long same = 0;
    int count = static_cast<int>(hashes.size());
#pragma omp parallel for reduction(+ : same)
    for (int i = 1; i < count; i++) same += (hashes[i] & mask) == (hashes[i - 1] & mask);
    return same;
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 1800), same = 0;
    std::vector<std::string> keys = make_keys(20000);
    std::vector<uint32_t> hashes(keys.size());
    for (long round = 0; round < rounds; round++) {
        hash_all(keys, hashes);
        same += evenness(hashes, round & 255);
    }
    return finish(same > 0, static_cast<double>(same));
}

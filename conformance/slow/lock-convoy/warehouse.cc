// Orders take goods from shelves. A thread that waits for the ledger still holds its shelf, so shelves wait, too.
// slow: cause: lock-convoy
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: one lock at a time
#include <omp.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "../slow.h"

namespace {

class Mutex {
public:
    Mutex() { omp_init_lock(&lock); }
    ~Mutex() { omp_destroy_lock(&lock); }
    void take() { omp_set_lock(&lock); } // slow: or here
    void give() { omp_unset_lock(&lock); }

private:
    alignas(64) omp_lock_t lock;
};

struct Shelf {
    Mutex mutex;
    std::array<long, 160> boxes{};
};

struct Ledger {
    Mutex mutex;
    std::array<long, 128> pages{};
    long entries = 0;

    void write(long goods) {
        pages[entries % pages.size()] += goods;
        entries++;
    }
};

constexpr int shelves = 24, orders = 5000;
Shelf shelf[shelves];
Ledger ledger;

// Takes from the fullest box, and fills up the others.
long pick(Shelf &from, long wanted) {
    auto fullest = std::max_element(from.boxes.begin(), from.boxes.end());
    long goods = std::min(wanted, *fullest);
    *fullest -= goods;
    for (long &box : from.boxes) box += (box * 7 + wanted) % 5;
    return goods;
}

void serve(uint64_t order) {
    Shelf &from = shelf[order % shelves];
    long wanted = static_cast<long>(order >> 32) % 20;
#ifdef MENDED
    from.mutex.take();
    long goods = pick(from, wanted);
    from.mutex.give();
    ledger.mutex.take();
    ledger.write(goods >= 0);
    ledger.mutex.give();
#else
    from.mutex.take();
    ledger.mutex.take(); // slow: here
    long goods = pick(from, wanted);
    ledger.write(goods >= 0);
    ledger.mutex.give();
    from.mutex.give();
#endif
}

// Goods that come in from the factories, for each shelf on its own.
void restock(long day) {
#pragma omp parallel for
    for (int s = 0; s < shelves; s++)
        for (size_t box = 0; box < shelf[s].boxes.size(); box++) shelf[s].boxes[box] = 100 + (day + box) % 11;
}

}  // namespace

int main(int argc, char **argv) {
    long days = repeated(argc, argv, 110);
    for (long day = 0; day < days; day++) {
        restock(day);
#pragma omp parallel for
        for (int order = 0; order < orders; order++) serve(mixed(day * orders + order));
    }
    long written = std::accumulate(ledger.pages.begin(), ledger.pages.end(), 0L);
    return finish(ledger.entries == days * orders && written == ledger.entries, static_cast<double>(written));
}

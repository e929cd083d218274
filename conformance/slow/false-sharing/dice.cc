// Throws dice. The threads' generators lie side by side in memory, so that each throw takes the line from the others.
// slow: cause: false-sharing
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: pad to a cache line
#include <omp.h>

#include <vector>

#include "../slow.h"

namespace {

#ifdef MENDED
struct alignas(64) Generator {
#else
struct Generator { // slow: or here
#endif
    uint64_t state;

    // A throw, by the method of Marsaglia. Not inlined, as in a library of its own.
    __attribute__((noinline)) unsigned next() {
        state ^= state << 13; // slow: here
        state ^= state >> 7; // slow: or here
        state ^= state << 17; // slow: or here
        return static_cast<unsigned>(state >> 32);
    }
};

// How many throws it takes to collect all sides of a die.
int collect(Generator &generator, unsigned sides) {
    unsigned seen = 0, all = (1u << sides) - 1;
    int throws = 0;
    while (seen != all) {
        seen |= 1u << generator.next() % sides;
        throws++;
    }
    return throws;
}

// How many people it takes until two have the same birthday; its generators live on the stack.
long birthdays(long game, int parties) {
    long people = 0;
#pragma omp parallel for reduction(+ : people)
    for (int party = 0; party < parties; party++) {
        bool seen[365] = {false};
        for (uint64_t guest = mixed(game * parties + party);; guest = mixed(guest)) {
            people++;
            bool &day = seen[guest % 365];
            if (day) break;
            day = true;
        }
    }
    return people;
}

// The sums of three dice, each sum counted by one thread.
long sums(long game) {
    long sevens = 0;
#pragma omp parallel for reduction(+ : sevens)
    for (int sum = 3; sum <= 18; sum++)
        for (int throws = 0; throws < 1500; throws++) {
            uint64_t random = mixed(game * 40000 + sum * 1500 + throws);
            sevens += static_cast<int>(random % 6 + random / 6 % 6 + random / 36 % 6) + 3 == sum;
        }
    return sevens;
}

}  // namespace

int main(int argc, char **argv) {
    long games = repeated(argc, argv, 300), total = 0;
    constexpr int parts = 256;
    std::vector<Generator> generators(omp_get_max_threads());
    for (long game = 0; game < games; game++) {
        total += birthdays(game, 1600) + sums(game);
#pragma omp parallel for schedule(static) reduction(+ : total) // slow: or here
        for (int part = 0; part < parts; part++) {
            Generator &own = generators[omp_get_thread_num()];
            own.state = mixed(game * parts + part) | 1;
            for (int round = 0; round < 40; round++) total += collect(own, 12);
        }
    }
    return finish(total > games * parts * 40 * 12, static_cast<double>(total));
}

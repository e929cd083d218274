// Spins on a board: black fields, barrier, white fields, barrier. There are more threads than CPUs.
// slow: cause: more-threads-than-cpus
// slow: compilers: gcc clang
// slow: threads: 8
// slow: mended-env: OMP_NUM_THREADS=2
// slow: try: fewer threads
// slow: note: For a machine with 2 CPUs.
#include <vector>

#include "../slow.h"

class Board {
    static constexpr int side = 128;
    std::vector<signed char> spin = std::vector<signed char>(side * side, 1);

    int around(int y, int x) const {
        int up = (y + side - 1) % side, down = (y + 1) % side, left = (x + side - 1) % side, right = (x + 1) % side;
        return spin[up * side + x] + spin[down * side + x] + spin[y * side + left] + spin[y * side + right];
    }

    void flip_row(int y, int colour, long sweep) {
        static const unsigned limit[5] = {0xffffffffu, 0xffffffffu, 0x80000000u, 0x30000000u, 0x08000000u};
        for (int x = (y + colour) % 2; x < side; x += 2) {
            int place = y * side + x, agreeing = spin[place] * around(y, x);
            unsigned random = static_cast<unsigned>(mixed(sweep * side * side + place) >> 32);
            if (random < limit[(agreeing + 4) / 2]) spin[place] = static_cast<signed char>(-spin[place]);
        }
    }

public:
    void sweeps(long first, long count) {
#pragma omp parallel // slow: here
        for (long sweep = first; sweep < first + count; sweep++)
            for (int colour = 0; colour < 2; colour++) {
#pragma omp for // slow: or here
                for (int y = 0; y < side; y++) flip_row(y, colour, sweep);
            }
    }

    long magnetisation() const {
        long sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int place = 0; place < side * side; place++) sum += spin[place];
        return sum;
    }
};

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 100), sum = 0;
    Board board;
    for (long round = 0; round < rounds; round++) {
        board.sweeps(round * 100, 100);
        sum += board.magnetisation();
    }
    return finish(sum != 0, static_cast<double>(sum));
}

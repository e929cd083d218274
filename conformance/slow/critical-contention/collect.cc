// Looks for suspicious readings of many sensors. Every find is appended to one list, in a critical section.
// slow: cause: critical-contention
// slow: also: reduction-by-critical
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: private list, critical once
#include <algorithm>
#include <vector>

#include "../slow.h"

namespace {

constexpr int sensors = 400, readings = 100;

struct Find {
    int sensor, time;
    double value;
};

using Table = std::vector<double>;

void measure(Table &table, long day) {
#pragma omp parallel for
    for (int i = 0; i < sensors * readings; i++) table[i] = fraction(i + day * 77777);
}

// A running mean over five readings.
void smooth(const Table &raw, Table &table) {
#pragma omp parallel for
    for (int sensor = 0; sensor < sensors; sensor++) {
        const double *from = &raw[sensor * readings];
        double *to = &table[sensor * readings];
        for (int time = 0; time < readings; time++) {
            double sum = 0.0;
            int low = std::max(0, time - 2), high = std::min(readings - 1, time + 2);
            for (int k = low; k <= high; k++) sum += from[k];
            to[time] = sum / (high - low + 1);
        }
    }
}

void search(const Table &table, std::vector<Find> &finds) {
    finds.clear();
#pragma omp parallel
    {
#ifdef MENDED
        std::vector<Find> own;
#pragma omp for nowait
        for (int sensor = 0; sensor < sensors; sensor++)
            for (int time = 0; time < readings; time++) {
                double value = table[sensor * readings + time];
                if (value > 0.7) own.push_back({sensor, time, value});
            }
#pragma omp critical
        finds.insert(finds.end(), own.begin(), own.end());
#else
#pragma omp for
        for (int sensor = 0; sensor < sensors; sensor++)
            for (int time = 0; time < readings; time++) {
                double value = table[sensor * readings + time];
                if (value > 0.7) {
#pragma omp critical // slow: here
                    finds.push_back({sensor, time, value});
                }
            }
#endif
    }
}

// The finds of each sensor, by time of day; the order of the list does not matter.
long count_mornings(const std::vector<Find> &finds) {
    long count = 0, size = static_cast<long>(finds.size());
#pragma omp parallel for reduction(+ : count)
    for (long i = 0; i < size; i++) count += finds[i].time < 40 && finds[i].sensor % 3 == 0;
    return count;
}

}  // namespace

int main(int argc, char **argv) {
    long days = repeated(argc, argv, 2200), sum = 0;
    Table raw(sensors * readings), table(sensors * readings);
    std::vector<Find> finds;
    finds.reserve(raw.size());
    for (long day = 0; day < days; day++) {
        measure(raw, day);
        smooth(raw, table);
        search(table, finds);
        sum += count_mornings(finds) + static_cast<long>(finds.size());
    }
    return finish(sum > 0, static_cast<double>(sum));
}

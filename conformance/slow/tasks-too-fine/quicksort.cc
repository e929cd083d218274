// Sorts the measurements of some stations again and again. Quicksort makes a task of every part, however short.
// slow: cause: tasks-too-fine
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: final/if cutoff
#include <algorithm>
#include <vector>

#include "../slow.h"

namespace {

#ifdef MENDED
constexpr long shortest = 400;
#else
constexpr long shortest = 6;
#endif
constexpr long stations = 64, per_station = 3000;

struct Sample {
    double value;
    int station;
};

bool before(const Sample &a, const Sample &b) {
    return a.value < b.value || (a.value == b.value && a.station < b.station);
}

void measure(std::vector<Sample> &samples, long day) {
    long count = static_cast<long>(samples.size());
#pragma omp parallel for
    for (long i = 0; i < count; i++) samples[i] = {fraction(i * 1000 + day), static_cast<int>(i / per_station)};
}

void quicksort(Sample *first, Sample *last) {
    if (last - first <= shortest) {
        std::sort(first, last, before);
        return;
    }
    Sample pivot = first[(last - first) / 2];
    Sample *middle = std::partition(first, last, [&](const Sample &each) { return before(each, pivot); });
    Sample *above = std::partition(middle, last, [&](const Sample &each) { return !before(pivot, each); });
#pragma omp task // slow: here
    quicksort(first, middle);
#pragma omp task // slow: or here
    quicksort(above, last);
}

// The mean of each station, over samples in order.
double smooth(const std::vector<Sample> &samples) {
    double sum = 0.0;
    long count = static_cast<long>(samples.size());
#pragma omp parallel for reduction(+ : sum)
    for (long i = 2; i < count - 2; i++) {
        double window = 0.0;
        for (long k = i - 2; k <= i + 2; k++) window += samples[k].value;
        sum += window / 5 * (samples[i].station + 1);
    }
    return sum / static_cast<double>(count);
}

void sort_stations(std::vector<Sample> &samples) {
#pragma omp parallel
#pragma omp single
    for (long station = 0; station < stations; station++) {
        Sample *first = samples.data() + station * per_station;
#pragma omp task
        quicksort(first, first + per_station);
    }
}

long disorder(const std::vector<Sample> &samples) {
    long wrong = 0, count = static_cast<long>(samples.size());
#pragma omp parallel for reduction(+ : wrong)
    for (long i = 1; i < count; i++)
        wrong += i % per_station != 0 && before(samples[i], samples[i - 1]);
    return wrong;
}

}  // namespace

int main(int argc, char **argv) {
    long days = repeated(argc, argv, 45), wrong = 0;
    std::vector<Sample> samples(stations * per_station);
    double mean = 0.0;
    for (long day = 0; day < days; day++) {
        measure(samples, day);
        sort_stations(samples);
        wrong += disorder(samples);
        mean += smooth(samples);
    }
    return finish(wrong == 0, mean / days);
}

// Sorts points into clusters: a parallel loop over the points, simd loops over their coordinates.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include <vector>

#include "../slow.h"

namespace {

constexpr int points = 8000, clusters = 16, width = 16;

struct Vector {
    float at[width];
};

float distance(const Vector &a, const Vector &b) {
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int k = 0; k < width; k++) sum += (a.at[k] - b.at[k]) * (a.at[k] - b.at[k]);
    return sum;
}

void assign(const std::vector<Vector> &all, const std::vector<Vector> &centre, std::vector<int> &cluster_of) {
#pragma omp parallel for
    for (int i = 0; i < points; i++) {
        int best = 0;
        float least = distance(all[i], centre[0]);
        for (int c = 1; c < clusters; c++) {
            float here = distance(all[i], centre[c]);
            if (here < least) least = here, best = c;
        }
        cluster_of[i] = best;
    }
}

// Each thread looks for the points of its clusters; all clusters take one pass over the points.
void centre_all(const std::vector<Vector> &all, const std::vector<int> &cluster_of, std::vector<Vector> &centre) {
#pragma omp parallel for schedule(dynamic, 1)
    for (int c = 0; c < clusters; c++) {
        double sum[width] = {0.0};
        int members = 0;
        for (int i = 0; i < points; i++) {
            if (cluster_of[i] != c) continue;
            members++;
            for (int k = 0; k < width; k++) sum[k] += all[i].at[k];
        }
        for (int k = 0; k < width && members > 0; k++) centre[c].at[k] = static_cast<float>(sum[k] / members);
    }
}

}  // namespace

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 1800);
    std::vector<Vector> all(points), centre(clusters);
    std::vector<int> cluster_of(points);
#pragma omp parallel for
    for (int i = 0; i < points; i++)
        for (int k = 0; k < width; k++) all[i].at[k] = static_cast<float>(fraction(i * width + k) + i % 5);
    for (int c = 0; c < clusters; c++) centre[c] = all[c * 37];
    for (long round = 0; round < rounds; round++) {
        assign(all, centre, cluster_of);
        centre_all(all, cluster_of, centre);
    }
    long sum = 0;
    for (int i = 0; i < points; i++) sum += cluster_of[i];
    return finish(sum > 0, static_cast<double>(sum));
}

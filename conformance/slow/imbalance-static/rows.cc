// PageRank on a web whose pages are sorted by the number of links that lead to them: the first rows are the longest.
// slow: cause: imbalance-static
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: schedule(dynamic)
#include <cmath>
#include <vector>

#include "../slow.h"

struct Web {
    std::vector<int> first, from;
    std::vector<double> weight;
    int pages() const { return static_cast<int>(first.size()) - 1; }
};

static Web crawl(int pages) {
    Web web;
    web.first.resize(pages + 1);
    for (int page = 0; page < pages; page++) web.first[page + 1] = web.first[page] + 2 + 200000 / (page + 50);
    web.from.resize(web.first[pages]);
    web.weight.assign(pages, 0.0);
    std::vector<int> out(pages, 0);
#pragma omp parallel for schedule(dynamic, 8)
    for (int page = 0; page < pages; page++)
        for (int link = web.first[page]; link < web.first[page + 1]; link++) {
            int from = static_cast<int>(mixed(link) % pages);
            web.from[link] = from;
#pragma omp atomic
            out[from]++;
        }
    for (int page = 0; page < pages; page++) web.weight[page] = out[page] ? 1.0 / out[page] : 0.0;
    return web;
}

static void gather(const Web &web, const std::vector<double> &share, std::vector<double> &rank) {
    int pages = web.pages();
#ifdef MENDED
#pragma omp parallel for schedule(dynamic, 8)
#else
#pragma omp parallel for // slow: here
#endif
    for (int page = 0; page < pages; page++) {
        double sum = 0.0;
        for (int link = web.first[page]; link < web.first[page + 1]; link++) sum += share[web.from[link]];
        rank[page] = 0.15 / pages + 0.85 * sum;
    }
}

static void spread(const Web &web, const std::vector<double> &rank, std::vector<double> &share) {
    int pages = web.pages();
#pragma omp parallel for
    for (int page = 0; page < pages; page++) share[page] = rank[page] * web.weight[page];
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 1000);
    Web web = crawl(5000);
    std::vector<double> rank(web.pages(), 1.0 / web.pages()), share(web.pages());
    for (long round = 0; round < rounds; round++) {
        spread(web, rank, share);
        gather(web, share, rank);
    }
    double total = 0.0;
    for (double each : rank) total += each;
    return finish(std::fabs(total - 1.0) < 0.1, total);
}

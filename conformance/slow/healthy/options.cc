// Prices options. A taskloop with a fitting grainsize shares them out.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include <cmath>
#include <vector>

#include "../slow.h"

struct Option {
    double price, strike, years;
};

static double normal(double x) { return 0.5 * std::erfc(-x * 0.7071067811865476); }

// The formula of Black and Scholes, without interest.
static double value(const Option &option, double volatility) {
    double spread = volatility * std::sqrt(option.years);
    double high = std::log(option.price / option.strike) / spread + 0.5 * spread;
    return option.price * normal(high) - option.strike * normal(high - spread);
}

static void price_all(const std::vector<Option> &options, double volatility, std::vector<double> &values) {
    unsigned long count = options.size();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(400)
    for (unsigned long i = 0; i < count; i++) values[i] = value(options[i], volatility);
}

static double total(const std::vector<double> &values) {
    double sum = 0.0;
    int count = static_cast<int>(values.size());
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < count; i++) sum += values[i];
    return sum;
}

int main(int argc, char **argv) {
    long days = repeated(argc, argv, 1100);
    std::vector<Option> options(20000);
    std::vector<double> values(options.size());
    int count = static_cast<int>(options.size());
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        options[i] = {50.0 + 50.0 * fraction(3 * i), 50.0 + 50.0 * fraction(3 * i + 1), 0.1 + fraction(3 * i + 2)};
    double sum = 0.0;
    for (long day = 0; day < days; day++) {
        price_all(options, 0.1 + 0.001 * (day % 200), values);
        sum += total(values);
    }
    return finish(std::isfinite(sum) && sum > 0.0, sum / static_cast<double>(days));
}

// A picture of a landscape. Rays of the first rows run to the horizon, those of the last rows meet the ground soon.
// slow: cause: imbalance-guided
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: schedule(dynamic)
#include <cmath>
#include <vector>

#include "../slow.h"

namespace {

constexpr int width = 160, height = 120, map_size = 256;

struct Land {
    std::vector<float> heights = std::vector<float>(map_size * map_size);

    float at(double x, double y) const {
        int column = static_cast<int>(x) & (map_size - 1), line = static_cast<int>(y) & (map_size - 1);
        return heights[line * map_size + column];
    }
};

Land raise_land() {
    Land land;
#pragma omp parallel for
    for (int line = 0; line < map_size; line++)
        for (int column = 0; column < map_size; column++) {
            double hills = std::sin(column * 0.05) * std::cos(line * 0.07);
            double rough = fraction(line * map_size + column);
            land.heights[line * map_size + column] = static_cast<float>(2.0 * hills + rough);
        }
    return land;
}

// The distance at which a ray that falls by `slope` meets the land.
double march(const Land &land, double start_x, double angle, double slope) {
    double dx = angle, dy = 1.0, x = start_x, y = 0.0, eye = 12.0, distance = 0.0;
    while (distance < 3000.0) {
        x += dx;
        y += dy;
        eye -= slope;
        distance += 1.0;
        if (land.at(x + map_size * 64, y) > eye) break;
    }
    return distance;
}

void shoot(const Land &land, double where, std::vector<double> &picture) {
#ifdef MENDED
#pragma omp parallel for schedule(dynamic, 1)
#else
#pragma omp parallel for schedule(guided) // slow: here
#endif
    for (int line = 0; line < height; line++)
        for (int column = 0; column < width; column++) {
            double angle = (column - width / 2) / static_cast<double>(width);
            double slope = 0.03 + line * 0.02;
            picture[line * width + column] = march(land, where, angle, slope);
        }
}

// Mist: far points fade. Each pixel looks at its neighbours.
void blend(const std::vector<double> &picture, std::vector<double> &misty) {
#pragma omp parallel for
    for (int line = 1; line < height - 1; line++)
        for (int column = 1; column < width - 1; column++) {
            double sum = 0.0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) sum += picture[(line + dy) * width + column + dx];
            misty[line * width + column] = std::exp(-sum / 900.0);
        }
}

double brightness(const std::vector<double> &misty) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int pixel = 0; pixel < width * height; pixel++) sum += misty[pixel];
    return sum / (width * height);
}

}  // namespace

int main(int argc, char **argv) {
    long frames = repeated(argc, argv, 700);
    Land land = raise_land();
    std::vector<double> picture(width * height), misty(width * height);
    double light = 0.0;
    for (long frame = 0; frame < frames; frame++) {
        shoot(land, frame * 0.5, picture);
        blend(picture, misty);
        light += brightness(misty);
    }
    light /= frames;
    return finish(light > 0.1 && light < 1.0, light);
}

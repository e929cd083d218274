// Answers questions to a lexicon. One thread sorts all its words into the index before the first parallel region.
// slow: cause: startup-outside
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: parallel for
#include <algorithm>
#include <string>
#include <vector>

#include "../slow.h"

namespace {

constexpr int letters = 26, words = 16000, questions = 400000;

std::string word(uint64_t number) {
    uint64_t random = mixed(number);
    std::string text(3 + random % 9, 'a');
    for (char &letter : text) {
        random = mixed(random);
        letter = static_cast<char>('a' + random % letters);
    }
    return text;
}

// The words that begin with one letter.
struct Chapter {
    std::vector<std::string> entries;

    void fill(int letter) {
        entries.clear();
        for (int number = 0; number < words; number++) {
            std::string text = word(number * letters + letter);
            text[0] = static_cast<char>('a' + letter);
            entries.push_back(std::move(text));
        }
        std::sort(entries.begin(), entries.end());
        entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    }

    // The number of words that come before this one.
    long before(const std::string &text) const {
        return std::lower_bound(entries.begin(), entries.end(), text) - entries.begin();
    }
};

std::vector<Chapter> chapters(letters);

void set_up() {
#ifdef MENDED
#pragma omp parallel for schedule(dynamic)
#endif
    for (int letter = 0; letter < letters; letter++) chapters[letter].fill(letter); // slow: here
}

// The sum of the places of all words that are asked for.
long answer(long round) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int question = 0; question < questions; question++) {
        std::string text = word(round * questions + question);
        sum += chapters[text[0] - 'a'].before(text);
    }
    return sum;
}

// How many words have a letter at its second place.
long count(char letter) {
    long number = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : number)
    for (int chapter = 0; chapter < letters; chapter++)
        for (const std::string &text : chapters[chapter].entries) number += text[1] == letter;
    return number;
}

}  // namespace

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 2), places = 0, number = 0;
    set_up(); // slow: or here
#pragma omp parallel for reduction(+ : number)
    for (int letter = 0; letter < letters; letter++) number += chapters[letter].entries.size() % 7;
    for (long round = 0; round < rounds; round++) {
        places += answer(round);
        number += count(static_cast<char>('a' + round % letters));
    }
    return finish(places > 0 && number > 0, static_cast<double>(places % 100000000 + number));
}

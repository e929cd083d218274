// Counts the words of books, one task for each chapter. One chapter is longer than all others together.
// slow: cause: too-few-tasks
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: more tasks
#include <algorithm>
#include <string>
#include <vector>

#include "../slow.h"

namespace {

constexpr int kinds = 256;
#ifdef MENDED
constexpr std::size_t piece = 5000;
#else
constexpr std::size_t piece = 1000000;
#endif

using Counts = std::vector<int>;

struct Chapter {
    std::string text;
    Counts counts = Counts(kinds);
};

std::string write_text(int words, int seed) {
    std::string text;
    for (int word = 0; word < words; word++) {
        uint64_t random = mixed(static_cast<uint64_t>(seed) * 100000 + word);
        int letters = 2 + static_cast<int>(random % 7);
        for (int letter = 0; letter < letters; letter++)
            text += static_cast<char>('a' + (random >> (8 + 5 * letter)) % 26);
        text += ' ';
    }
    return text;
}

std::vector<Chapter> write_book() {
    const int words[] = {1000, 1500, 9000, 1500, 1000};
    std::vector<Chapter> book(5);
    for (int i = 0; i < 5; i++) book[i].text = write_text(words[i], i);
    return book;
}

// Cuts chapters at blanks into pieces of about `length` letters.
std::vector<Chapter> cut(const std::vector<Chapter> &book, std::size_t length) {
    std::vector<Chapter> pieces;
    for (const Chapter &chapter : book)
        for (std::size_t begin = 0; begin < chapter.text.size();) {
            std::size_t near = std::min(begin + length, chapter.text.size() - 1);
            std::size_t end = chapter.text.find(' ', near) + 1;
            pieces.push_back(Chapter{chapter.text.substr(begin, end - begin)});
            begin = end;
        }
    return pieces;
}

void count_words(const std::string &text, Counts &counts) {
    uint32_t hash = 5381;
    for (unsigned char letter : text)
        if (letter == ' ') {
            counts[hash % kinds]++;
            hash = 5381;
        } else {
            hash = hash * 33 ^ letter;
        }
}

// The word kinds of all chapters, by ranges of kinds.
void join(const std::vector<Chapter> &book, Counts &counts) {
#pragma omp parallel for
    for (int kind = 0; kind < kinds; kind++)
        for (const Chapter &chapter : book) counts[kind] += chapter.counts[kind];
}

void count_book(std::vector<Chapter> &book) {
    int chapters = static_cast<int>(book.size());
#pragma omp parallel
#pragma omp single
    for (int chapter = 0; chapter < chapters; chapter++) {
#pragma omp task shared(book) // slow: here
        {
            std::fill(book[chapter].counts.begin(), book[chapter].counts.end(), 0);
            count_words(book[chapter].text, book[chapter].counts);
        }
    }
}

}  // namespace

int main(int argc, char **argv) {
    long readings = repeated(argc, argv, 14000);
    std::vector<Chapter> book = cut(write_book(), piece);
    Counts counts(kinds);
    for (long reading = 0; reading < readings; reading++) {
        count_book(book);
        std::fill(counts.begin(), counts.end(), 0);
        join(book, counts);
    }
    long words = 0, largest = 0;
    for (int each : counts) {
        words += each;
        largest = std::max<long>(largest, each);
    }
    return finish(words == 14000, static_cast<double>(words + largest));
}

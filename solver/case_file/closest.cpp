// Which known word was meant: edit distance with neighbouring letters swapped counted as one edit; of equally
// close words one that begins with the same letter.
#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>
#include <vector>

#include "solver/case_file/config.hpp"

namespace perdure {
namespace {

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(const std::string &a, const std::string &b) {
    std::vector<std::size_t> two_ago(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
    std::iota(previous.begin(), previous.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({substitution, previous[j] + 1, current[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                current[j] = std::min(current[j], two_ago[j - 2] + 1);
            }
        }
        two_ago.swap(previous);
        previous.swap(current);
    }
    return previous[b.size()];
}

}  // namespace

std::string closest(const std::string &word, const std::vector<std::string> &candidates) {
    std::string best;
    std::size_t best_distance = 0;
    for (const std::string &candidate : candidates) {
        const std::size_t shorter = std::min(word.size(), candidate.size());
        const std::size_t longer = std::max(word.size(), candidate.size());
        const std::size_t allowed = std::max<std::size_t>(shorter / 3, longer > 1 ? 1 : 0);
        if (longer - shorter > allowed) {
            continue;
        }
        const std::size_t distance = edit_distance(lower_case(word), lower_case(candidate));
        const bool is_nearer = best.empty() || distance < best_distance ||
                               (distance == best_distance && candidate[0] == word[0] && best[0] != word[0]);
        if (distance <= allowed && distance < longer && is_nearer) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace perdure

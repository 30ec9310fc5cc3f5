#include "tests/fuzz/case_vocabulary.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <stdexcept>

#include "solver/case_file/config.hpp"
#include "solver/case_file/starting_cases.hpp"
#include "solver/failure.hpp"
#include "tests/fuzz/scratch_folder.hpp"

namespace perdure::fuzz {
namespace {

constexpr const char *unknown = "zzqqxx";
constexpr std::size_t deepest = 4;

/// What is found wrong with a case when `override_text` is set.
std::vector<std::string> messages(const std::string &text, const std::string &override_text) {
    std::vector<std::string> result;
    try {
        load_cases(
            put_file("vocabulary.yaml", {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()}),
            {override_text});
    } catch (const Failure &failure) {
        for (const Diagnostic &diagnostic : failure.diagnostics()) {
            result.push_back(diagnostic.message);
        }
    }
    return result;
}

/// `a, b or c` as its words.
std::vector<std::string> split(std::string list) {
    for (std::size_t at = list.find(" or "); at != std::string::npos; at = list.find(" or ")) {
        list.replace(at, 4, ", ");
    }
    std::istringstream stream(list);
    std::vector<std::string> words;
    for (std::string word; std::getline(stream, word, ',');) {
        words.push_back(word.substr(std::min(word.size(), word.find_first_not_of(' '))));
    }
    return words;
}

/// What stands between two texts; empty when `before` does not occur.
std::string between(const std::string &text, const std::string &before, const std::string &after) {
    const std::size_t at = text.find(before);
    if (at == std::string::npos) {
        return "";
    }
    const std::size_t begin = at + before.size();
    const std::size_t end = after.empty() ? std::string::npos : text.find(after, begin);
    return text.substr(begin, end == std::string::npos ? end : end - begin);
}

void collect(const std::string &text, const std::string &path, std::size_t depth, Vocabulary &found,
             std::set<std::string> &words) {
    std::vector<std::string> answers =
        messages(text, path.empty() ? std::string(unknown) + "=1" : path + "={" + unknown + ": 1}");
    if (!path.empty()) {  // some keys are known beside a file alone
        const auto beside_file = messages(text, path + "={file: a.h5, " + unknown + ": 1}");
        answers.insert(answers.end(), beside_file.begin(), beside_file.end());
    }
    for (const std::string &message : answers) {
        for (const std::string &key : split(between(message, "the keys allowed here are ", ""))) {
            auto &keys = found.keys[path];
            if (key.empty() || std::find(keys.begin(), keys.end(), key) != keys.end()) {
                continue;
            }
            keys.push_back(key);
            found.paths.push_back(path.empty() ? key : path + "." + key);
            if (depth < deepest && key != "sweep") {
                collect(text, std::string(found.paths.back()), depth + 1, found, words);
            }
        }
    }
    if (path.empty()) {
        return;
    }
    for (const std::string &message : messages(text, path + "=" + unknown)) {
        for (const std::string &word : split(between(message, "expected ", ", found"))) {
            if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string::npos) {
                words.insert(word);
            }
        }
    }
}

Vocabulary collect_all() {
    Vocabulary found;
    std::set<std::string> words{"auto", "true", "false", "all", "periodic"};
    for (const std::string &text :
         {std::string("problem: {type: diffusion, a: 1.0}\ngrid: {shape: [8, 9]}\n"),
          std::string("problem: {type: heat, a: 1.0}\ngrid: {shape: [8, 9, 7]}\ntime: {end: 1.0}\n"),
          starting_effective_case(), starting_heat_case(), starting_system_case()}) {
        collect(text, "", 0, found, words);
    }
    found.words.assign(words.begin(), words.end());
    for (const char *path : {"solver.method", "time.end", "boundary.x-", "output.name", "problem.a.labels"}) {
        if (std::find(found.paths.begin(), found.paths.end(), path) == found.paths.end()) {
            throw std::logic_error(std::string("the vocabulary lacks ") + path);
        }
    }
    return found;
}

}  // namespace

const Vocabulary &vocabulary() {
    static const Vocabulary collected = collect_all();
    return collected;
}

}  // namespace perdure::fuzz

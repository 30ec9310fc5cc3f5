// How many barriers a stress test passes.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace perdure::tests {

/// Rounds of a stress test, of which sanitizers get a tenth: they report an edge that is missing when it is first needed, and
/// slow threads down ten times.
constexpr std::uint32_t number_of_rounds(std::uint32_t usual) {
#ifdef PERDURE_SANITIZED
    return usual / 10;
#else
    return usual;
#endif
}

/// PERDURE_BARRIERS of the environment, number_of_rounds(usual) without it. Throws where it is not a number from 1 to 2^32 - 1.
inline std::uint32_t number_of_barriers(std::uint32_t usual) {
    const char *const text = std::getenv("PERDURE_BARRIERS");
    if (text == nullptr) {
        return number_of_rounds(usual);
    }
    const std::string wanted(text);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    if (error != std::errc{} || end != wanted.data() + wanted.size() || number == 0) {
        throw std::invalid_argument("PERDURE_BARRIERS='" + wanted + "' is not a number of barriers");
    }
    return number;
}

}  // namespace perdure::tests

#include "solver/formulas/unknown_character.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace perdure::formulas {
namespace {

struct Advice {
    std::uint32_t character;
    std::string_view text;
};
constexpr std::array advices{Advice{'%', "write mod(a, b) for the remainder"},
                             Advice{'&', "write 'and' or &&"},
                             Advice{'|', "write 'or' or ||; write abs(a) for the absolute value"},
                             Advice{'[', "use round brackets"},
                             Advice{']', "use round brackets"},
                             Advice{'{', "use round brackets"},
                             Advice{'}', "use round brackets"},
                             Advice{'\'', "write names without quotation marks"},
                             Advice{'"', "write names without quotation marks"},
                             Advice{0xA0, "it looks like a space; write an ordinary space"},
                             Advice{0xB2, "write ^2"},
                             Advice{0xB3, "write ^3"},
                             Advice{0xB7, "write *"},
                             Advice{0xD7, "write *"},
                             Advice{0xF7, "write /"},
                             Advice{0x394, "write lap(u) for the Laplacian"},
                             Advice{0x3C0, "write pi"},
                             Advice{0x2013, "write -"},
                             Advice{0x2202, "write dx(u), dy(u) or dz(u) for a derivative"},
                             Advice{0x2206, "write lap(u) for the Laplacian"},
                             Advice{0x2207, "write grad(u), div(v) or, for its square, lap(u)"},
                             Advice{0x2212, "write -"},
                             Advice{0x221A, "write sqrt(a)"},
                             Advice{0x22C5, "write *"},
                             Advice{0x2260, "write !="},
                             Advice{0x2264, "write <="},
                             Advice{0x2265, "write >="}};

struct Decoded {
    std::uint32_t character = 0;
    std::size_t bytes = 0;
};

/// The first character of UTF-8 text; empty where the bytes are none.
std::optional<Decoded> decode(std::string_view text) {
    const std::uint32_t first = static_cast<unsigned char>(text.front());
    if (first < 0x80) {
        return Decoded{first, 1};
    }
    const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};  // of so many bytes
    if (first < 0xC2 || first > 0xF4 || text.size() < bytes) {
        return std::nullopt;
    }
    std::uint32_t character = first & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const std::uint32_t byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xC0U) != 0x80U) {
            return std::nullopt;
        }
        character = character << 6U | (byte & 0x3FU);
    }
    const bool surrogate = character >= 0xD800 && character < 0xE000;
    if (character < least[bytes] || character > 0x10FFFF || surrogate) {
        return std::nullopt;
    }
    return Decoded{character, bytes};
}

}  // namespace

std::string describe_unknown_character(std::string_view text) {
    const std::optional<Decoded> decoded = decode(text);
    if (!decoded) {
        return fmt::format("the byte 0x{:02x} is not valid UTF-8", static_cast<unsigned char>(text.front()));
    }
    const std::uint32_t character = decoded->character;
    const bool shown = character >= 0x20 && character != 0x7F && (character < 0x80 || character > 0xA0);
    std::string message = "formulas cannot contain ";
    if (shown) {
        message += fmt::format("'{}'", text.substr(0, decoded->bytes));
    }
    if (!shown || character >= 0x80) {
        message += fmt::format("{}U+{:04X}{}", shown ? " (" : "", character, shown ? ")" : "");
    }
    const auto *const advice = std::find_if(advices.begin(), advices.end(), [&](const Advice &candidate) {
        return candidate.character == character;
    });
    return advice == advices.end() ? message : fmt::format("{}; {}", message, advice->text);
}

}  // namespace perdure::formulas

#include "tests/kernels/random_systems.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "tests/kernels/random_draws.hpp"
#include "tests/solver/systems/random_formulas.hpp"

namespace perdure::tests {
namespace {

using systems_test::RandomFormulas;

class Author {
  public:
    explicit Author(unsigned number) : draws_(number, 36), dimensions_(2 + draws_.below(2)) {
        for (int i = 0, count = 2 + draws_.below(4); i < count; ++i) {
            fields_.push_back(fmt::format("f{}", i));
        }
    }

    RandomSystem system() {
        const bool noisy = draws_.one_in(6);
        std::string text = "problem:\n  type: system\n  parameters: {p: 0.3, q: -0.45}\n  fields:\n";
        for (const std::string &field : fields_) {
            text += fmt::format("    {}: {{initial: \"sin({}*x) + {}*random({}) + y/10\"{}}}\n", field,
                                draws_.between(0.2, 1.0), draws_.between(0.1, 0.5), draws_.below(100),
                                draws_.one_in(2) ? fmt::format(", boundary: {{{}}}", sides()) : "");
        }
        text += "  let:\n";
        for (const std::string &field : fields_) {
            text += fmt::format("    r_{}: \"{}\"\n", field, formula());
        }
        text += "  equations:\n";
        for (const std::string &field : fields_) {
            text += fmt::format("    {0}: \"r_{0}/(1 + abs(r_{0})/50) + {1}*lap({0}){2}{3}\"\n", field,
                                draws_.between(0.05, 0.3), noisy ? " + 0.1*noise(5)" : "", conserved());
        }
        text +=
            fmt::format("grid: {{shape: [{}{}, {}], spacing: {}, origin: {}}}\n",
                        dimensions_ == 3 ? fmt::format("{}, ", 5 + draws_.below(5)) : "", 6 + draws_.below(8),
                        7 + draws_.below(10), draws_.between(0.4, 1.0), draws_.between(-2.0, 2.0));
        text += fmt::format("boundary: {{{}}}\n", sides());
        const std::vector<std::string_view> methods{"ssprk3", "rk4", "rkl2"};
        return {text, std::string(noisy ? draws_.any_of<std::string_view>({"ssprk3", "rk4"})
                                        : draws_.any_of(methods))};
    }

  private:
    RandomFormulas formulas() { return {static_cast<unsigned>(draws_.below(1 << 30)), dimensions_, fields_}; }

    /// Of depth 3 to 8: wide ones would have thousands of terms, deep ones are chains.
    std::string formula() {
        const int derivatives = 1 + draws_.below(2);
        std::string text = formulas().scalar(3, derivatives);
        for (int wraps = draws_.below(3); wraps > 0; --wraps) {
            text = fmt::format("(sin({}) + {})", text, formulas().scalar(1, 0));
        }
        return text;
    }

    std::string conserved() {
        return draws_.one_in(3) ? fmt::format(" + 0.1*{}", formulas().conserve(2)) : std::string();
    }

    /// Of fields beside the side, places and time; its size is at most 1.
    std::string at_side() {
        return fmt::format("\"sin({} + t)\"", formulas().scalar(1 + draws_.below(2), 0));
    }

    /// Where pairs are periodic, all fields are: the first call decides.
    std::string sides() {
        std::string text;
        for (int axis = 0; axis < dimensions_; ++axis) {
            if (!periodic_known_) {
                periodic_[axis] = draws_.one_in(3);
            }
            for (const char end : {'-', '+'}) {
                text += fmt::format("{}{}{}: {}", text.empty() ? "" : ", ", "xyz"[axis], end, side(axis));
            }
        }
        periodic_known_ = true;
        return text;
    }

    std::string side(int axis) {
        if (periodic_[axis]) {
            return "periodic";
        }
        switch (draws_.below(4)) {
            case 0:
                return fmt::format("{{value: {}}}", at_side());
            case 1:
                return fmt::format("{{flux: {}}}", at_side());
            case 2:
                return fmt::format("{{exchange: {{coefficient: {}, ambient: {}}}}}", draws_.between(0.1, 2.0),
                                   at_side());
            default:
                return "{flux: 0}";
        }
    }

    Draws draws_;
    int dimensions_;
    std::vector<std::string> fields_;
    std::array<bool, 3> periodic_{};
    bool periodic_known_ = false;
};

}  // namespace

RandomSystem random_system(unsigned number) {
    return Author(number).system();
}

}  // namespace perdure::tests

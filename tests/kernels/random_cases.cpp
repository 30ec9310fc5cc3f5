#include "tests/kernels/random_cases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "tests/kernels/random_draws.hpp"

namespace perdure::tests {
namespace {

class CaseDrawer : private Draws {
  public:
    CaseDrawer(RandomKind kind, std::uint64_t seed, std::int64_t largest)
        : Draws(seed, static_cast<std::uint32_t>(kind)), kind_(kind), seed_(seed) {
        draw_shape(largest);
        draw_sides();
        draw_coefficient();
    }

    RandomCase draw() {
        RandomCase drawn;
        const std::string solver = kind_ == RandomKind::heat ? heat_solver() : iterative_solver();
        drawn.yaml =
            fmt::format("{}{}{}{}{}output: {{fields: [u]}}\n", problem(), grid(), boundary(), solver, time());
        drawn.precision = precision_;
        drawn.shape = shape_;
        drawn.labels = labels_;
        drawn.command_for_the_image = command_for_the_image_;
        return drawn;
    }

  private:
    /// Primes, powers of two, one cell along an axis, long and thin, some of about `largest` cells.
    void draw_shape(std::int64_t largest) {
        dimensions_ = 2 + below(2);
        const double side = std::pow(static_cast<double>(largest), 1.0 / dimensions_);
        const auto few = static_cast<int>(one_in(6) ? side : dimensions_ == 2 ? side / 3.0 : side / 2.0);
        for (int axis = 0; axis < dimensions_; ++axis) {
            const int any = 1 + below(std::max(few, 1));
            shape_.push_back(one_in(5)   ? any_of<int>({2, 3, 5, 7, 11, 13, 17})
                             : one_in(8) ? any_of<int>({4, 8, 16})
                                         : any);
        }
        if (one_in(6)) {
            shape_[static_cast<std::size_t>(below(dimensions_))] = 1;
        }
        if (one_in(8)) {
            std::fill(shape_.begin(), shape_.end(), 1 + below(3));
            shape_[static_cast<std::size_t>(below(dimensions_))] = 50 + below(200);
        }
        longest_ = *std::max_element(shape_.begin(), shape_.end());
    }

    /// x, y and, in three dimensions, z.
    [[nodiscard]] std::string wave() {
        std::string argument =
            fmt::format("{}*x + {}*y + {}", between(2, 15), between(-12, 12), between(0, 6));
        if (dimensions_ == 3) {
            argument += fmt::format(" + {}*z", between(-12, 12));
        }
        return fmt::format("{}({})", one_in(2) ? "sin" : "cos", argument);
    }

    /// A number, or an expression in quotes, between `low` and `high`.
    [[nodiscard]] std::string values(double low, double high) {
        if (one_in(3)) {
            return fmt::format("{}", between(low, high));
        }
        const double middle = (low + high) / 2.0, swing = (high - low) / 2.0;
        return middle == 0.0 ? fmt::format("\"{:.4g}*{}\"", swing, wave())
                             : fmt::format("\"{:.4g} + {:.4g}*{}\"", middle, swing, wave());
    }

    void draw_sides() {
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions_); ++axis) {
            const bool both = one_in(4);
            for (const std::size_t side : {2 * axis, 2 * axis + 1}) {
                kinds_[side] = both ? "periodic" : any_of<std::string>({"flux", "value", "exchange"});
            }
            periodic_ = periodic_ || both;
        }
        lateral_ = one_in(2);
        if (kind_ == RandomKind::effective) {
            periodic_cell_ = lateral_ && one_in(2);
            periodic_ = lateral_;
        }
    }

    void draw_coefficient() {
        const int of = kind_ == RandomKind::effective ? 4 : below(5);
        precision_ = one_in(4) && longest_ <= 30 ? "float32" : "float64";
        switch (of) {
            case 0:
                coefficient_ = fmt::format("{}", between(0.5, 2.0));
                break;
            case 1:
                coefficient_ = fmt::format("\"1 + 0.8*{}\"", wave());
                break;
            case 2:
                coefficient_ = fmt::format("\"{}*{} > 0 ? 8 : 0.5\"", wave(), wave());
                break;
            case 3:
                solid_ = true;  // not all of it: the cells at x- conduct
                coefficient_ = fmt::format("\"x > {} && {}*{} > 0.4 ? 0 : 1.5\"", spacing(), wave(), wave());
                break;
            default:
                solid_ = true;
                draw_image();
                coefficient_ = fmt::format("{{file: {}, dataset: /image, labels: {{0: {}, 1: {}, 2: {}}}}}",
                                           random_image_file, between(0.5, 2.0), between(0.1, 1.0),
                                           all_alike_ ? 1.0 : 0.0);
        }
        sourceless_ = solid_ && one_in(2);
        if (sourceless_ && kind_ != RandomKind::heat && kind_ != RandomKind::effective) {
            kinds_[0] = kinds_[1] = "value";  // else parts between solids may have no level
        }
    }

    [[nodiscard]] bool anchored() const {
        return std::any_of(kinds_.begin(), kinds_.end(),
                           [](const std::string &kind) { return kind == "value" || kind == "exchange"; });
    }

    std::string problem() {
        constexpr std::array types{"diffusion", "diffusion", "heat", "effective"};
        std::string text = fmt::format("problem:\n  type: {}\n  a: {}\n",
                                       types[static_cast<std::size_t>(kind_)], coefficient_);
        if (kind_ == RandomKind::effective) {
            return text + fmt::format("  directions: all\n  lateral: {}\n", lateral_ ? "periodic" : "flux");
        }
        const bool heat = kind_ == RandomKind::heat;
        if (!sourceless_ && (solid_ || !anchored() || one_in(2))) {
            // where a = 0 it stands alone beside conductances, and h^2 times it should not be tiny
            text += fmt::format("  sigma: {}\n", solid_ ? values(50, 150) : values(0.3, 0.9));
        }
        if (sourceless_) {
            // nothing takes up a source in solids
        } else if (heat && one_in(2)) {
            text += fmt::format("  f: {{expression: {}, factor: 1 + t*t}}\n", values(-10, 10));
        } else if (!one_in(5)) {
            text += fmt::format("  f: {}\n", values(-10, 10));
        }
        if (heat || one_in(2)) {
            text += fmt::format("  initial: {}\n", values(-1, 1));
        }
        if (kind_ == RandomKind::convection) {
            std::vector<std::string> components;
            for (int axis = 0; axis < dimensions_; ++axis) {
                components.push_back(values(-10, 10));
            }
            text += fmt::format("  velocity: [{}]\n  convection: {}\n", fmt::join(components, ", "),
                                upwind_ ? "upwind" : "central");
        }
        return text;
    }

    [[nodiscard]] std::string grid() const {
        return fmt::format("grid: {{shape: [{}], spacing: {}}}\n", fmt::join(shape_, ", "), spacing());
    }
    [[nodiscard]] double spacing() const { return 1.0 / static_cast<double>(longest_); }

    std::string boundary() {
        if (kind_ == RandomKind::effective) {
            return periodic_cell_ ? "boundary: {all: periodic}\n" : "";
        }
        constexpr std::array names{"x-", "x+", "y-", "y+", "z-", "z+"};
        std::string text = "boundary:\n";
        for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(dimensions_); ++side) {
            const std::string &kind = kinds_[side];
            std::string value = sourceless_ && kind == "flux" ? "0.0" : values(-1, 1);
            if (kind_ == RandomKind::heat && value != "0.0" && one_in(3)) {
                value = fmt::format("{{expression: {}, factor: cos(3*t)}}", value);
            }
            text += kind == "periodic" ? fmt::format("  {}: periodic\n", names[side])
                    : kind == "exchange"
                        ? fmt::format("  {}: {{exchange: {{coefficient: {}, ambient: {}}}}}\n", names[side],
                                      values(0.1, 3), value)
                        : fmt::format("  {}: {{{}: {}}}\n", names[side], kind, value);
        }
        return text;
    }

    [[nodiscard]] std::string heat_solver() {
        return fmt::format("solver: {{check_every: {}}}\n", 1 + below(20));
    }

    std::string iterative_solver() {
        std::vector<std::string> methods{"cg", "cg", "cg"};
        if (kind_ == RandomKind::convection) {
            methods = {"bicgstab", "bicgstab"};
            if (upwind_ && longest_ <= 16) {
                methods.insert(methods.end(), {"jacobi", "sor"});
            }
        } else if (kind_ == RandomKind::diffusion) {
            methods.insert(methods.end(), {"multigrid", "chebyshev"});
            if (longest_ <= 16) {
                methods.insert(methods.end(), {"jacobi", "sor"});
            }
        }
        std::string method = any_of(methods);
        if (method == "sor" && periodic_) {
            method = "jacobi";  // colours need an even number of cells around
        }
        std::string text =
            fmt::format("solver:\n  method: {}\n  norm: {}\n", method, one_in(2) ? "max" : "l2");
        bool levels = method == "multigrid";
        if (method == "cg") {
            const auto preconditioner = any_of<std::string>({"none", "jacobi", "multigrid", "multigrid"});
            text += fmt::format("  preconditioner: {}\n", preconditioner);
            levels = preconditioner == "multigrid";
            if (levels && one_in(2)) {
                precision_ = "mixed";
            }
        }
        if (levels) {
            text += multigrid(method == "multigrid");
        } else {
            text += fmt::format("  check_every: {}\n  max_iterations: 200000\n", 1 + below(20));
        }
        const bool exact = precision_ != "float32" && (method == "cg" || method == "bicgstab" || levels);
        return text + fmt::format("  rtol: {}\n", exact                     ? "1.0e-12"
                                                  : precision_ == "float32" ? "1.0e-6"
                                                                            : "1.0e-9");
    }

    std::string multigrid(bool alone) {
        const auto smoother = periodic_ ? any_of<std::string>({"chebyshev", "jacobi"})
                                        : any_of<std::string>({"chebyshev", "jacobi", "red_black"});
        std::string text = fmt::format("  multigrid: {{smoother: {}, sweeps: {}", smoother, 1 + below(3));
        if (alone) {
            text += fmt::format(", cycle: {}, start: {}", any_of<std::string>({"v", "w", "f"}),
                                one_in(2) ? "full" : "zero");
        }
        return text + fmt::format("{}}}\n  max_iterations: 2000\n", one_in(2) ? ", direct_level: none" : "");
    }

    /// Some 60 steps and more: the stability limit is at most that of the inner cells.
    std::string time() {
        if (kind_ != RandomKind::heat) {
            return {};
        }
        const double end = 30.0 * spacing() * spacing() / (2.0 * dimensions_);
        return fmt::format("time: {{end: {}, dt: auto, snapshots: [{}]}}\n", end, 0.37 * end);
    }

    /// About a third of the cells each; as the command makes them.
    void draw_image() {
        std::int64_t cells = 1;
        for (const std::int64_t along : shape_) {
            cells *= along;
        }
        constexpr std::uint64_t low = 0xffffffffU;
        for (std::int64_t i = 0; i < cells; ++i) {
            std::uint64_t hash = (static_cast<std::uint64_t>(i) + seed_) * 2654435761U & low;
            hash ^= hash >> 15U;
            hash = hash * 2246822519U & low;
            hash ^= hash >> 13U;
            labels_.push_back(static_cast<double>(hash % 3));
        }
        all_alike_ =
            std::adjacent_find(labels_.begin(), labels_.end(), std::not_equal_to<>()) == labels_.end();
        command_for_the_image_ = fmt::format(
            "import h5py, numpy as n; h = (n.arange({}, dtype='u8') + {}) * 2654435761 & 0xffffffff; "
            "h ^= h >> 15; h = h * 2246822519 & 0xffffffff; h ^= h >> 13; "
            "h5py.File('{}', 'w')['image'] = (h % 3).astype('u1').reshape({})",
            cells, seed_, random_image_file, fmt::join(shape_, ", "));
    }

    RandomKind kind_;
    std::uint64_t seed_;
    int dimensions_ = 2;
    std::vector<std::int64_t> shape_;
    std::int64_t longest_ = 1;
    std::array<std::string, 6> kinds_;
    bool periodic_ = false;
    bool lateral_ = false, periodic_cell_ = false;
    bool solid_ = false;
    bool sourceless_ = false;
    bool all_alike_ = false;
    std::vector<double> labels_;
    std::string command_for_the_image_;
    bool upwind_ = seed_ % 2 == 1;
    std::string coefficient_, precision_;
};

}  // namespace

RandomCase draw_case(RandomKind kind, std::uint64_t seed, std::int64_t largest) {
    return CaseDrawer(kind, seed, largest).draw();
}

}  // namespace perdure::tests

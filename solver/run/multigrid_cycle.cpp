#include "solver/run/multigrid_cycle.hpp"

#include <cmath>

namespace perdure {
namespace {

constexpr int sweeps_each_way = 2;
/// No eigenvalue of D^-1 A is larger (Gershgorin), on any level.
constexpr double spectrum_top = 2.0;
/// Of the eigenvalues that sweeps are for; smaller ones are left to the next level.
constexpr double smoothed_ratio = 6.0;
constexpr double pi = 3.14159265358979323846;

class Lister {
  public:
    explicit Lister(hierarchy_t &hierarchy)
        : hierarchy_(hierarchy),
          coarsest_(hierarchy.levels - 1),
          weights_(chebyshev_weights(sweeps_each_way, spectrum_top, smoothed_ratio)) {}

    void setup() {
        for (std::uint32_t level = 0; level < coarsest_; ++level) {
            add({STEP_COARSEN, level, 0, 0, {}});
            add({STEP_DIAGONAL, level, 0, 0, {}});
        }
        add({STEP_INVERT, coarsest_, 0, 0, {}}, true);
    }

    /// A step in a phase of its own.
    std::uint32_t alone(const step_t &step) {
        joinable_ = false;
        add(step);
        joinable_ = false;
        return static_cast<std::uint32_t>(list_.phases.size()) - 1;
    }

    /// u = M^-1 b on level 0, in copy 0; the first and the last step are phases of their own.
    void cycle() {
        if (coarsest_ == 0) {
            hierarchy_.cycle_place = alone(smooth(0));
            add({STEP_SOLVE, 0, 0, 0, {}});
            alone({STEP_LAST, 0, 1, 0, {}});
            return;
        }
        hierarchy_.cycle_place = alone(smooth(0));
        add({STEP_RESTRICT, 0, 0, 0, {}});
        v_cycle(1);
        add({STEP_CORRECT, 0, 0, 0, {weights_[0], 0.0}});
        alone({STEP_LAST, 0, 1, 0, {weights_[1], 0.0}});
    }

    [[nodiscard]] static step_t smooth(std::uint32_t level, const std::vector<double> &weights) {
        return {STEP_SMOOTH, level, 1, 0, {weights[0], weights[1]}};
    }
    [[nodiscard]] step_t smooth(std::uint32_t level) const { return smooth(level, weights_); }

    [[nodiscard]] MultigridPhases list() const { return list_; }

  private:
    /// u = M^-1 b on a level, in copy 0.
    void v_cycle(std::uint32_t level) {
        if (level == coarsest_) {
            add({STEP_SOLVE, level, 1, 0, {}});
            return;
        }
        add(smooth(level));
        add({STEP_RESTRICT, level, 0, 0, {}});
        v_cycle(level + 1);
        add({STEP_CORRECT, level, 0, 0, {weights_[0], 0.0}});
        add({STEP_SWEEP, level, 1, 0, {weights_[1], 0.0}});
    }

    /// Steps on small levels that follow each other are one phase of one group.
    void add(const step_t &step, bool one_group_only = false) {
        const bool small = one_group_only || hierarchy_.level[step.level].grid.cells <= one_group_cells;
        if (small && joinable_ && !list_.phases.empty() && list_.phases.back().one_group != 0) {
            ++list_.phases.back().count;
        } else {
            list_.phases.push_back({static_cast<std::uint32_t>(list_.steps.size()), 1, small ? 1U : 0U, 0});
        }
        list_.steps.push_back(step);
        joinable_ = true;
    }

    hierarchy_t &hierarchy_;
    std::uint32_t coarsest_;
    std::vector<double> weights_;
    MultigridPhases list_;
    bool joinable_ = false;
};

}  // namespace

std::vector<double> chebyshev_weights(int sweeps, double top, double ratio) {
    const double centre = 0.5 * (top + top / ratio);
    const double radius = 0.5 * (top - top / ratio);
    std::vector<double> weights;
    for (int i = 1; i <= sweeps; ++i) {
        weights.push_back(1.0 / (centre - radius * std::cos(pi * (2.0 * i - 1.0) / (2.0 * sweeps))));
    }
    return weights;
}

MultigridPhases cg_phases(hierarchy_t &hierarchy) {
    Lister lister(hierarchy);
    lister.setup();
    hierarchy.residual_place = lister.alone({STEP_RESIDUAL, 0, 0, 0, {}});
    lister.cycle();
    hierarchy.direction_place = lister.alone({STEP_DIRECTION, 0, 0, 0, {}});
    step_t update = lister.smooth(0);
    update.operation = STEP_FIRST;
    lister.alone(update);
    return lister.list();
}

}  // namespace perdure

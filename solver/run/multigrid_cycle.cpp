#include "solver/run/multigrid_cycle.hpp"

#include "solver/run/direct_steps.hpp"
#include "solver/run/sweep_weights.hpp"

namespace perdure {
namespace {

enum Colour : std::uint32_t { red, black };

class Lister {
  public:
    Lister(const MultigridConfig &options, hierarchy_t &hierarchy)
        : options_(options),
          hierarchy_(hierarchy),
          coarsest_(hierarchy.levels - 1),
          weights_(sweep_weights(options)),
          copy_(hierarchy.levels, 0) {}

    void setup() {
        if (hierarchy_.rounded != 0 && !has_tables(0)) {
            alone({STEP_ROUND, 0, 0, 0, 0, 0, 0, 0, {}});
        }
        for (std::uint32_t level = 0; level < coarsest_; ++level) {
            if (!has_tables(level + 1)) {
                for (std::uint32_t axis = 3; axis-- > 0;) {
                    if (hierarchy_.level[level].halved[axis] != 0) {
                        add({STEP_WEIGH, level, 0, 0, 0, 0, axis, 0, {}});
                        add({STEP_HALVE, level, 0, 0, 0, 0, axis, 0, {}});
                    }
                }
                add({STEP_DIAGONAL, level, 0, 0, 0, 0, 0, 0, {}});
            }
        }
        const bool direct = hierarchy_.transformed != 0;
        if (direct && has_products(hierarchy_)) {
            alone({STEP_MODES, coarsest_, 0, 0, 0, 0, 0, 0, {}});
        } else if (!direct && !has_tables(coarsest_)) {
            add({STEP_INVERT, coarsest_, 0, 0, 0, 0, 0, 0, {}}, true);
        }
    }

    /// A step in a phase of its own; where that is in the list.
    std::uint32_t alone(const step_t &step) {
        joinable_ = false;
        add(step);
        joinable_ = false;
        return place() - 1;
    }
    /// The phase of the next step, where that does not join the one before.
    [[nodiscard]] std::uint32_t place() const { return static_cast<std::uint32_t>(list_.phases.size()); }
    void begin_phase() { joinable_ = false; }

    /// u = B b on a level, by a cycle from 0 or from the u that is there.
    void cycle(std::uint32_t level, Cycle shape, bool from_zero) {
        if (level == coarsest_) {
            solve();
            return;
        }
        if (from_zero) {
            smooth_from_zero(level);
        } else {
            smooth_again(level);
        }
        coarse_correction(level, shape);
        smooth_afterwards(level);
    }

    /// From the coarsest level up, on each a cycle from what the next level found (Brandt, Math. Comp. 31, 1977).
    void full_cycle(Cycle shape) {
        for (std::uint32_t level = 0; level < coarsest_; ++level) {
            restrict_from(level, NO_COPY);
        }
        cycle(coarsest_, shape, true);
        for (std::uint32_t level = coarsest_; level-- > 0;) {
            copy_[level] = NO_COPY;
            smooth_afterwards(level);
            coarse_correction(level, shape);
            smooth_afterwards(level);
        }
    }

    /// What conjugate gradients precondition with: a V-cycle from 0 whose first and last step on level 0 are phases of
    /// their own, the last one with a sum.
    void preconditioner() {
        const bool colours = options_.smoother == Smoother::red_black;
        step_t begin = first();
        begin.operation = hierarchy_.rounded != 0 ? STEP_BEGIN : STEP_SMOOTH;
        if (coarsest_ == 0 && hierarchy_.rounded == 0) {
            hierarchy_.cycle_place = place() - 1;  // nothing to begin with
            begin_phase();
        } else {
            hierarchy_.cycle_place = alone(begin);
        }
        copy_[0] = 0;
        if (coarsest_ == 0) {
            solve();
            alone({STEP_LAST, 0, copy_[0], copy_[0], 0, 0, 0, 0, {}});
            return;
        }
        if (colours) {
            smooth_again(0);
        } else {
            more_sweeps(0, 2, options_.sweeps);
        }
        coarse_correction(0, Cycle::v);
        correct(0);
        if (colours) {
            sweep_colours(0, black, red);
            alone({STEP_LAST, 0, copy_[0], copy_[0], 0, 0, 0, 0, {}});
            return;
        }
        more_sweeps(0, 0, options_.sweeps - 1);
        alone({STEP_LAST, 0, copy_[0], copy_[0] ^ 1U, 0, 0, 0, 0, {weights_.back(), 0.0}});
        copy_[0] ^= 1U;
    }

    /// Whether x of the run can gain what solves level 0 by its last step.
    [[nodiscard]] bool solves_into_x() const {
        return coarsest_ == 0 && hierarchy_.rounded == 0 && hierarchy_.lines[0].kind != LINES_OTHER;
    }
    void solve_into_x() {
        solve(true);
        alone({STEP_SOLVED, 0, 0, 0, 0, 0, 0, 0, {}});
    }

    /// The first sweeps from 0 on level 0, unless that is solved directly; with colours, 0 itself.
    [[nodiscard]] step_t first() const {
        if (coarsest_ == 0) {
            return {STEP_SMOOTH, 0, 0, NO_COPY, 0, 0, 0, 0, {}};
        }
        const bool colours = options_.smoother == Smoother::red_black;
        return {
            STEP_SMOOTH, 0, 0, 0, 0, 0, 0, 0, {colours ? 0.0 : weights_[0], colours ? 0.0 : second_weight()}};
    }

    [[nodiscard]] std::uint32_t copy(std::uint32_t level) const { return copy_[level]; }
    /// The list, whose lengths the hierarchy now has.
    [[nodiscard]] const MultigridPhases &finished() {
        hierarchy_.phases = place();
        hierarchy_.steps = static_cast<std::uint32_t>(list_.steps.size());
        return list_;
    }

  private:
    /// The host fills those (solver/run/multigrid_tables.hpp).
    [[nodiscard]] bool has_tables(std::uint32_t level) const {
        return hierarchy_.level[level].grid.uniform != 0;
    }
    [[nodiscard]] double second_weight() const { return options_.sweeps > 1 ? weights_[1] : 0.0; }

    /// The coarsest level.
    void solve(bool into_x = false) {
        if (hierarchy_.transformed == 0) {
            copy_[coarsest_] = 1;
            add({STEP_SOLVE, coarsest_, 0, 1, 0, 0, 0, 0, {}});
            return;
        }
        for (const step_t &step : direct_steps(hierarchy_, into_x)) {
            add(step);
            copy_[coarsest_] = step.to;
        }
    }

    void smooth_from_zero(std::uint32_t level) {
        if (options_.smoother == Smoother::red_black) {
            copy_[level] = NO_COPY;
            sweep_colours(level, red, black);
            return;
        }
        add({STEP_SMOOTH, level, 0, 0, 0, 0, 0, 0, {weights_[0], second_weight()}});
        copy_[level] = 0;
        more_sweeps(level, 2, options_.sweeps);
    }

    void smooth_again(std::uint32_t level) {
        if (options_.smoother == Smoother::red_black) {
            sweep_colours(level, red, black);
        } else {
            more_sweeps(level, 0, options_.sweeps);
        }
    }

    void coarse_correction(std::uint32_t level, Cycle shape) {
        restrict_from(level, copy_[level]);
        cycle(level + 1, shape, true);
        if (shape != Cycle::v && level + 1 != coarsest_) {
            cycle(level + 1, shape == Cycle::f ? Cycle::v : shape, false);
        }
    }

    /// The order of colours is that before, reversed: the cycle is symmetric.
    void smooth_afterwards(std::uint32_t level) {
        if (options_.smoother == Smoother::red_black) {
            correct(level);
            sweep_colours(level, black, red);
        } else {
            correct(level);
            more_sweeps(level, 0, options_.sweeps);
        }
    }

    /// The residual of copy `from` of u, or b, to the next level; in two steps by way of the other copy.
    void restrict_from(std::uint32_t level, std::uint32_t from) {
        if (hierarchy_.level[level].segment == 0) {
            add({STEP_RESTRICT, level, from, 0, 0, 0, 0, 0, {}});
            return;
        }
        const std::uint32_t free = from == NO_COPY ? 0 : from ^ 1U;
        add({STEP_RESTRICT_ALONG, level, from, free, 0, 0, 0, 0, {}});
        add({STEP_RESTRICT_ACROSS, level, free, 0, 0, 0, 0, 0, {}});
    }

    void correct(std::uint32_t level) {
        const std::uint32_t from = copy_[level];
        const std::uint32_t to = from == NO_COPY ? 0 : from;
        add({STEP_INTERPOLATE, level, from, to, copy_[level + 1], 0, 0, 0, {}});
        copy_[level] = to;
    }

    void more_sweeps(std::uint32_t level, int begin, int end) {
        for (int i = begin; i < end; ++i) {
            add({STEP_SWEEP, level, copy_[level], copy_[level] ^ 1U, 0, 0, 0, 0, {weights_[i], 0.0}});
            copy_[level] ^= 1U;
        }
    }

    void sweep_colours(std::uint32_t level, Colour one, Colour other) {
        for (int i = 0; i < options_.sweeps; ++i) {
            const std::uint32_t to = copy_[level] == NO_COPY ? 0 : copy_[level];
            add({STEP_COLOUR, level, copy_[level], to, 0, one, 0, 0, {}});
            add({STEP_COLOUR, level, to, to, 0, other, 0, 0, {}});
            copy_[level] = to;
        }
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

    const MultigridConfig &options_;
    hierarchy_t &hierarchy_;
    std::uint32_t coarsest_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> copy_;  // of each level's u: the current one
    MultigridPhases list_;
    bool joinable_ = false;
};

}  // namespace

MultigridPhases multigrid_phases(const SolverConfig &solver, bool precondition, hierarchy_t &hierarchy) {
    Lister lister(solver.multigrid, hierarchy);
    lister.setup();
    hierarchy.residual_place = lister.alone({STEP_RESIDUAL, 0, 0, 0, 0, 0, 0, 0, {}});
    if (precondition) {
        lister.preconditioner();
        hierarchy.direction_place = lister.alone({STEP_DIRECTION, 0, lister.copy(0), 0, 0, 0, 0, 0, {}});
        step_t update = lister.first();
        update.operation = STEP_FIRST;
        lister.alone(update);
        return lister.finished();
    }
    if (lister.solves_into_x()) {
        hierarchy.cycle_place = lister.place();
        lister.solve_into_x();
        return lister.finished();
    }
    if (solver.multigrid.full_start) {
        lister.full_cycle(solver.multigrid.cycle);
        lister.alone({STEP_ADVANCE, 0, lister.copy(0), 0, 0, 0, 0, 0, {}});
    }
    hierarchy.cycle_place = lister.place();
    lister.cycle(0, solver.multigrid.cycle, true);
    lister.alone({STEP_ADVANCE, 0, lister.copy(0), 0, 0, 0, 0, 0, {}});
    return lister.finished();
}

}  // namespace perdure

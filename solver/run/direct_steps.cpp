#include "solver/run/direct_steps.hpp"

namespace perdure {
namespace {

class Steps {
  public:
    explicit Steps(const hierarchy_t &hierarchy) : hierarchy_(hierarchy) {}

    /// In place where lines are transformed; a product cannot be.
    void add(std::uint32_t axis, std::uint32_t way) {
        const bool product = is_product(axis);
        const std::uint32_t to = at_ == NO_COPY ? 0 : product ? at_ ^ 1U : at_;
        steps_.push_back(
            {product ? STEP_PRODUCT : STEP_LINES, hierarchy_.levels - 1, at_, to, 0, 0, axis, way, {}});
        at_ = to;
    }
    /// In one where lines are transformed.
    void add_there_and_back(std::uint32_t axis) {
        if (is_product(axis)) {
            add(axis, TO_MODES);
            add(axis, FROM_MODES);
        } else {
            add(axis, THERE_AND_BACK);
        }
    }
    [[nodiscard]] std::vector<step_t> &steps() { return steps_; }

  private:
    [[nodiscard]] bool is_product(std::uint32_t axis) const {
        return hierarchy_.lines[axis].kind == LINES_OTHER;
    }

    const hierarchy_t &hierarchy_;
    std::vector<step_t> steps_;
    std::uint32_t at_ = NO_COPY;
};

}  // namespace

bool has_products(const hierarchy_t &hierarchy) {
    bool products = false;
    for (std::uint32_t axis = 0; axis < hierarchy.level[hierarchy.levels - 1].grid.dimensions; ++axis) {
        products = products || hierarchy.lines[axis].kind == LINES_OTHER;
    }
    return products;
}

std::vector<step_t> direct_steps(const hierarchy_t &hierarchy, bool into_x) {
    const std::uint32_t last = hierarchy.level[hierarchy.levels - 1].grid.dimensions - 1;
    Steps steps(hierarchy);
    for (std::uint32_t axis = 0; axis < last; ++axis) {
        steps.add(axis, TO_MODES);
    }
    steps.add_there_and_back(last);
    for (std::uint32_t axis = last; axis-- > 0;) {
        steps.add(axis, FROM_MODES);
    }
    if (into_x) {
        steps.steps().back().to = INTO_X;
    }
    return steps.steps();
}

}  // namespace perdure

#include "solver/reference/watch_fields.hpp"

#include <Eigen/Core>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "solver/reference/system_rates.hpp"

namespace perdure::reference {
namespace {

using Eigen::ArrayXd;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

double quantity_of(WatchedQuantity quantity, const ArrayXd &values, double volume) {
    if (values.size() == 0 && quantity != WatchedQuantity::sum && quantity != WatchedQuantity::L1 &&
        quantity != WatchedQuantity::L2 && quantity != WatchedQuantity::Linf) {
        return no_value;
    }
    switch (quantity) {
        case WatchedQuantity::sum:
            return volume * values.sum();
        case WatchedQuantity::mean:
            return values.mean();
        case WatchedQuantity::min:
            return values.minCoeff();
        case WatchedQuantity::max:
            return values.maxCoeff();
        case WatchedQuantity::L1:
            return volume * values.abs().sum();
        case WatchedQuantity::L2:
            return std::sqrt(volume) * values.matrix().norm();
        case WatchedQuantity::Linf:
            return values.size() == 0 ? 0.0 : values.abs().maxCoeff();
    }
    return no_value;
}

/// Those where the condition is not 0.
ArrayXd chosen(const ArrayXd &values, const ArrayXd &condition) {
    ArrayXd found((condition != 0.0).count());
    Eigen::Index at = 0;
    for (Eigen::Index i = 0; i < values.size(); ++i) {
        if (condition[i] != 0.0) {
            found[at++] = values[i];
        }
    }
    return found;
}

/// At `point`, along one axis after the other: the value of a line through two cells.
double interpolate(const Problem &problem, const ArrayXd &values, const std::array<double, 3> &point,
                   int axis, std::array<std::int64_t, 3> cell) {
    const Grid &grid = problem.grid;
    if (axis < 0) {
        return values[grid.index(cell[0], cell[1], cell[2])];
    }
    const std::int64_t cells = grid.cells[axis];
    if (axis >= grid.dimensions || cells == 1) {
        return interpolate(problem, values, point, axis - 1, cell);
    }
    const bool periodic = problem.watched->fields[0].sides[2 * axis].kind == SideKind::periodic;
    const double place = (point[axis] - grid.centre(axis, 0)) / grid.spacing[axis];
    auto below = static_cast<std::int64_t>(std::floor(place));
    if (!periodic) {
        below = std::min(std::max<std::int64_t>(below, 0), cells - 2);
    }
    const double part = place - static_cast<double>(below);
    cell[axis] = (below + cells) % cells;
    const double low = interpolate(problem, values, point, axis - 1, cell);
    cell[axis] = (below + 1 + cells) % cells;
    const double high = interpolate(problem, values, point, axis - 1, cell);
    return low + part * (high - low);
}

std::vector<std::vector<double>> coefficients_in_cells(const Problem &problem) {
    std::vector<std::vector<double>> all;
    for (const Samples &samples : problem.coefficients) {
        std::vector<double> &values = all.emplace_back();
        for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
            values.push_back(samples[i]);
        }
    }
    return all;
}

/// Evaluates what the case watches, one kind after the other.
class Watcher {
  public:
    Watcher(const Problem &problem, const std::vector<std::vector<double>> &fields, double time)
        : problem_(problem),
          system_(*problem.watched),
          rates_(problem.grid, system_, coefficients_in_cells(problem), texts()),
          time_(time) {
        for (const std::vector<double> &field : fields) {
            fields_.emplace_back(
                Eigen::Map<const ArrayXd>(field.data(), static_cast<Eigen::Index>(field.size())));
        }
        for (int axis = 0; axis < problem.grid.dimensions; ++axis) {
            volume_ *= problem.grid.spacing[axis];
        }
    }

    std::vector<WatchedValue> all() {
        for (const IntegralConfig &integral : system_.watch.integrals) {
            if (integral.through) {
                found_.push_back({integral.name, flux_of(integral)});
                continue;
            }
            const ArrayXd values = evaluate(integral.of.text);
            found_.push_back(
                {integral.name,
                 quantity_of(integral.quantity,
                             integral.where ? chosen(values, evaluate(integral.where->text)) : values,
                             volume_)});
        }
        for (std::size_t i = 0; i < system_.fields.size(); ++i) {
            if (system_.fields[i].exact) {
                const ArrayXd error = fields_[i] - evaluate(system_.fields[i].exact->text);
                for (const WatchedQuantity norm :
                     {WatchedQuantity::L1, WatchedQuantity::L2, WatchedQuantity::Linf}) {
                    found_.push_back({fmt::format("error_{}_{}", name(norm), system_.fields[i].name),
                                      quantity_of(norm, error, volume_)});
                }
            }
        }
        for (const ProbeConfig &probe : system_.watch.probes) {
            look_at(probe);
        }
        return std::move(found_);
    }

  private:
    [[nodiscard]] std::vector<std::string> texts() const {
        std::vector<std::string> texts;
        for (const IntegralConfig &integral : system_.watch.integrals) {
            texts.push_back(integral.of.text);
            texts.push_back(integral.where ? integral.where->text : "1");
        }
        for (const ProbeConfig &probe : system_.watch.probes) {
            for (const auto &[name, formula] : probe.of) {
                texts.push_back(formula.text);
            }
        }
        return texts;
    }

    ArrayXd evaluate(const std::string &text) { return rates_.formula(text, time_, fields_); }

    /// Over the faces of the cells that lie in one layer across the axis.
    double flux_of(const IntegralConfig &integral) {
        const FacesConfig &faces = *integral.through;
        const Grid &grid = problem_.grid;
        const std::int64_t layer =
            faces.plane
                ? std::llround((*faces.plane - grid.origin[faces.axis]) / grid.spacing[faces.axis]) - 1
            : faces.upper ? grid.cells[faces.axis] - 1
                          : 0;
        const ArrayXd values =
            rates_.through_face(integral.of.text, faces.axis, faces.upper ? 1 : -1, time_, fields_);
        const ArrayXd counts = integral.where ? evaluate(integral.where->text) : ArrayXd::Ones(values.size());
        double sum = 0.0;
        for (std::int64_t z = 0; z < grid.cells[2]; ++z) {
            for (std::int64_t y = 0; y < grid.cells[1]; ++y) {
                for (std::int64_t x = 0; x < grid.cells[0]; ++x) {
                    const std::array<std::int64_t, 3> at{x, y, z};
                    const std::int64_t cell = grid.index(x, y, z);
                    sum += at[faces.axis] == layer && counts[cell] != 0.0 ? values[cell] : 0.0;
                }
            }
        }
        return sum * volume_ / grid.spacing[faces.axis];
    }

    void look_at(const ProbeConfig &probe) {
        std::vector<std::pair<std::string, FormulaText>> of = probe.of;
        if (of.empty()) {
            for (const SystemField &field : system_.fields) {
                of.emplace_back(field.name, FormulaText{field.name, {}});
            }
        }
        for (const auto &[name, formula] : of) {
            const ArrayXd values = evaluate(formula.text);
            for (int i = 0; i < std::max(probe.points, 1); ++i) {
                std::array<double, 3> point = probe.from;
                for (std::size_t axis = 0; axis < 3 && probe.points > 1; ++axis) {
                    point[axis] += i * (probe.to[axis] - probe.from[axis]) / (probe.points - 1);
                }
                found_.push_back({fmt::format("{}_{}", probe.name, name),
                                  interpolate(problem_, values, point, 2, {0, 0, 0})});
            }
        }
    }

    const Problem &problem_;
    const SystemConfig &system_;
    SystemRates rates_;
    double time_;
    FieldArrays fields_;
    double volume_ = 1.0;
    std::vector<WatchedValue> found_;
};

}  // namespace

std::vector<WatchedValue> watch_fields(const Problem &problem, const std::vector<std::vector<double>> &fields,
                                       double time) {
    return Watcher(problem, fields, time).all();
}

}  // namespace perdure::reference

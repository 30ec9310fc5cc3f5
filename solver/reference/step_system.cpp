#include "solver/reference/step_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/failure.hpp"
#include "solver/reference/system_rates.hpp"

namespace perdure::reference {
namespace {

void require_explicit(const Tableau &method) {
    const std::size_t stages = method.b.size();
    bool is_explicit = method.a.size() == stages && method.c.size() == stages;
    for (std::size_t i = 0; is_explicit && i < stages; ++i) {
        const std::vector<double> &row = method.a[i];
        is_explicit = row.size() >= i && std::all_of(row.begin() + static_cast<std::ptrdiff_t>(i), row.end(),
                                                     [](double weight) { return weight == 0.0; });
    }
    if (!is_explicit) {
        throw Failure(ExitCode::differs_or_internal,
                      "internal error: the reference needs the tableau of an explicit Runge-Kutta method, "
                      "square and strictly lower triangular");
    }
}

FieldArrays to_arrays(const std::vector<std::vector<double>> &fields) {
    FieldArrays arrays;
    for (const std::vector<double> &field : fields) {
        arrays.emplace_back(
            Eigen::Map<const Eigen::ArrayXd>(field.data(), static_cast<Eigen::Index>(field.size())));
    }
    return arrays;
}

// fields + scale * sum of weights[i] * rates[i].
FieldArrays advance(FieldArrays fields, double scale, const std::vector<double> &weights,
                    const std::vector<FieldArrays> &rates) {
    for (std::size_t stage = 0; stage < rates.size(); ++stage) {
        if (weights[stage] != 0.0) {
            for (std::size_t i = 0; i < fields.size(); ++i) {
                fields[i] += scale * weights[stage] * rates[stage][i];
            }
        }
    }
    return fields;
}

}  // namespace

Answers answers_of(const SystemConfig &system, const FieldArrays &fields, const std::string &solver) {
    Answers answers;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        Answer answer;
        answer.field = system.fields[i].name;
        answer.solver = solver;
        answer.unknowns = fields[i].size();
        answer.values.assign(fields[i].begin(), fields[i].end());
        answers.push_back(std::move(answer));
    }
    return answers;
}

Answers step_system(const Grid &grid, const SystemConfig &system,
                    const std::vector<std::vector<double>> &coefficients,
                    const std::vector<std::vector<double>> &initial, const Tableau &method,
                    const std::vector<double> &steps, double begin) {
    require_explicit(method);
    SystemRates rates_of(grid, system, coefficients);
    FieldArrays fields = to_arrays(initial);
    double time = begin;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const double dt = steps[step];
        rates_of.begin_step(step, dt);
        std::vector<FieldArrays> rates;
        for (std::size_t stage = 0; stage < method.b.size(); ++stage) {
            const FieldArrays stage_fields = advance(fields, dt, method.a[stage], rates);
            rates.push_back(rates_of.all(time + method.c[stage] * dt, stage_fields));
        }
        fields = advance(std::move(fields), dt, method.b, rates);
        time += dt;
    }
    return answers_of(system, fields, fmt::format("Runge-Kutta, stages: {}", method.b.size()));
}

Answers step_system_leapfrog(const Grid &grid, const SystemConfig &system,
                             const std::vector<std::vector<double>> &coefficients,
                             const std::vector<std::vector<double>> &initial,
                             const std::vector<std::size_t> &velocities, const std::vector<double> &steps,
                             double begin) {
    SystemRates rates_of(grid, system, coefficients);
    FieldArrays fields = to_arrays(initial);
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (std::ranges::find(velocities, i) == velocities.end()) {
            positions.push_back(i);
        }
    }
    const auto move = [&](const std::vector<std::size_t> &moved, double time, double dt) {
        const FieldArrays rates = rates_of.some(moved, time, fields);
        for (std::size_t i = 0; i < moved.size(); ++i) {
            fields[moved[i]] += dt * rates[i];
        }
    };
    double time = begin;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const double dt = steps[step];
        rates_of.begin_step(step, dt);
        move(velocities, time, 0.5 * dt);
        move(positions, time + 0.5 * dt, dt);
        time += dt;
        move(velocities, time, 0.5 * dt);
    }
    return answers_of(system, fields, "Stoermer-Verlet");
}

}  // namespace perdure::reference

#include "solver/systems/system_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/problem/in_parallel.hpp"
#include "solver/systems/linearise.hpp"
#include "sync/dialect.h"

namespace perdure::systems {
namespace {

std::uint32_t kind_of_side(SideKind kind) {
    switch (kind) {
        case SideKind::value:
            return SYSTEM_SIDE_VALUE;
        case SideKind::exchange:
            return SYSTEM_SIDE_EXCHANGE;
        case SideKind::periodic:
            return SYSTEM_SIDE_PERIODIC;
        case SideKind::flux:
            break;
    }
    return SYSTEM_SIDE_FLUX;
}

void refuse_too_many(int registers) {
    if (registers >= static_cast<int>(MOST_SYSTEM_REGISTERS)) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("problem.equations: host threads would need {} intermediate values per cell, but can "
                        "keep only {}; use fewer parts in one formula, or execution.backend: cuda or opencl",
                        registers, MOST_SYSTEM_REGISTERS - 1));
    }
}

/// Of a step that is so much longer than the step before it.
newton_weights_t newton_weights(const ImplicitRule &rule, double step, double ratio) {
    const StepWeights weights = rule.weights(step, ratio);
    newton_weights_t out{.rate = 1.0 / weights.mass,
                         .now = weights.now / weights.mass - (rule.subtracts_operator ? 1.0 : 0.0),
                         .before = weights.before / weights.mass,
                         .known = 0.0,
                         .known_before = 0.0};
    if (rule.divides) {
        out.known = out.rate * (1.0 + ratio);
        out.known_before = -out.rate * ratio;
    } else if (rule.subtracts_operator) {
        out.known = out.rate;
    }
    return out;
}

}  // namespace

std::vector<std::uint32_t> roles_of(const System &system, const SystemSteps &steps) {
    std::vector<std::uint32_t> roles = steps.roles;
    for (std::uint32_t field = 0; steps.adds_rates && field < system.fields.size(); ++field) {
        roles.push_back(field);
    }
    return roles;
}

System formulas_of_kernel(const System &system, const SystemSteps &steps) {
    return steps.implicit != nullptr ? linearised(system) : system;
}

template <typename Real>
SystemMemory<Real>::SystemMemory(const System &system, const Grid &grid, const SystemSteps &steps,
                                 const TimeConfig &time, double stable_step,
                                 const std::vector<Samples> &coefficients, int groups, bool interpreted)
    : implicit_(steps.implicit), watch_(system.watch) {
    setup_.fields = static_cast<std::uint32_t>(system.fields.size());
    const Tableau &tableau = steps.tableau;
    setup_.stages = static_cast<std::uint32_t>(tableau.stages);
    roles_ = roles_of(system, steps);
    roles_.resize(system.fields.size(), ROLE_NONE);
    setup_.end_of_run = time.end;
    setup_.first_step = time.step.value_or(0.0);
    setup_.rtol = time.rtol;
    setup_.atol = time.atol;
    setup_.courant = time.courant.value_or(0.0);
    setup_.linear = steps.implicit != nullptr && has_constant_derivative(system) ? 1 : 0;
    setup_.error_order = static_cast<std::uint32_t>(steps.error_order);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        setup_.origin[axis] = grid.origin[axis];
        setup_.spacing[axis] = grid.spacing[axis];
    }
    for (std::size_t stage = 0; stage < MOST_STAGES; ++stage) {
        setup_.node[stage] = tableau.node[stage];
        std::copy(tableau.weight[stage].begin(), tableau.weight[stage].end(), setup_.weight[stage]);
    }
    for (const auto &[name, number] : system.parameters) {
        numbers_.push_back(number);
    }
    if (system.parameter_of_others >= 0 && time.courant) {
        numbers_[system.parameter_of_others] = *time.courant / stable_step;
    }
    const auto cells = static_cast<std::size_t>(grid.count());
    coefficients_.resize(coefficients.size() * cells);
    Real *to = coefficients_.data();
    for (const Samples &samples : coefficients) {
        in_parallel(static_cast<std::int64_t>(cells), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                to[i] = static_cast<Real>(samples[i]);
            }
        });
        to += cells;
    }
    for (const auto &sides : system.sides_of) {
        for (const SystemSideTerms &side : sides) {
            sides_.push_back({kind_of_side(side.kind), 0, 0});
        }
    }
    if (interpreted) {
        add_instructions(system, steps);
        register_bytes_ = static_cast<std::size_t>(groups) * setup_.registers * LANES * sizeof(Real);
    }
}

/// Of the results of linearised(): kernels/newton_formulas.h.
template <typename Real>
void SystemMemory<Real>::add_implicit_programs(const System &linearised, const AddProgram &add) {
    const auto fields = static_cast<int>(linearised.fields.size() / 2);
    const auto results = [&](std::initializer_list<int> parts) {
        std::vector<std::pair<int, int>> wanted;
        for (const int part : parts) {
            for (int result = part * fields; result < (part + 1) * fields; ++result) {
                wanted.emplace_back(linearised.rate_of[result], result);
            }
        }
        return program_of(linearised.rates, wanted);
    };
    const auto set = [&](std::uint32_t program, const RowProgram &instructions) {
        setup_.programs[program].first = static_cast<std::uint32_t>(instructions_.size());
        setup_.programs[program].count = add(instructions);
    };
    set(SYSTEM_PROGRAM_KNOWN, results({implicit_->divides ? 3 : 0}));
    set(SYSTEM_PROGRAM_RESIDUAL, results({0, 2}));
    set(SYSTEM_PROGRAM_SLOPES, results({1}));
}

template <typename Real>
void SystemMemory<Real>::add_instructions(const System &system, const SystemSteps &steps) {
    const auto add = [&](const RowProgram &program) {
        refuse_too_many(program.registers);
        setup_.registers =
            std::max({setup_.registers, static_cast<std::uint32_t>(program.registers), std::uint32_t{1}});
        instructions_.insert(instructions_.end(), program.instructions.begin(), program.instructions.end());
        return static_cast<std::uint32_t>(program.instructions.size());
    };
    if (steps.implicit != nullptr) {
        add_implicit_programs(system, add);
    } else {
        setup_.instructions = add(row_program(system));
    }
    if (steps.follows_waves) {
        setup_.first_of_waves = static_cast<std::uint32_t>(instructions_.size());
        setup_.wave_program = add(wave_program(system));
    }
    for (std::size_t field = 0; field < system.sides_of.size(); ++field) {
        for (std::size_t side = 0; side < 6; ++side) {
            system_side_t &of = sides_[6 * field + side];
            const RowProgram program = side_program(system, static_cast<int>(field), static_cast<int>(side));
            refuse_too_many(program.registers);
            of.begin = static_cast<std::uint32_t>(instructions_.size());
            instructions_.insert(instructions_.end(), program.instructions.begin(),
                                 program.instructions.end());
            of.end = static_cast<std::uint32_t>(instructions_.size());
        }
    }
    if (system.watch) {
        WatchPrograms watched =
            watch_programs(*system.watch, static_cast<std::uint32_t>(instructions_.size()), setup_.fields);
        refuse_too_many(watched.registers);
        setup_.registers = std::max(setup_.registers, static_cast<std::uint32_t>(watched.registers)) + 1;
        instructions_.insert(instructions_.end(), watched.instructions.begin(), watched.instructions.end());
        watch_.set_programs(std::move(watched.programs));
    }
}

template <typename Real>
std::vector<KernelBuffer> SystemMemory<Real>::buffers() const {
    std::vector<KernelBuffer> buffers = watch_.buffers();
    buffers.insert(buffers.end(), {{"setup", sizeof(system_setup_t), &setup_},
                                   buffer_of("numbers", numbers_),
                                   buffer_of("sides", sides_),
                                   buffer_of("roles", roles_),
                                   buffer_of("coefficients", coefficients_),
                                   buffer_of("instructions", instructions_),
                                   {"registers", register_bytes_}});
    return buffers;
}

template <typename Real>
system_setup_t SystemMemory<Real>::setup(const TimeSegment &segment, std::uint32_t pause_step) const {
    system_setup_t setup = setup_;
    setup.start_step = segment.first_step;
    setup.start_time = segment.start_time;
    setup.pause_step = pause_step;
    setup.stages = segment.stages > 0 ? segment.stages : setup.stages;
    if (implicit_ != nullptr) {
        setup.remembers = implicit_->remembers ? 1 : 0;
        setup.divides = implicit_->divides ? 1 : 0;
        setup.weights[0] = newton_weights(*implicit_, segment.step, ratio_to_step_before(segment));
        setup.weights[1] = newton_weights(*implicit_, segment.step, 1.0);
    }
    return setup;
}

template class SystemMemory<float>;
template class SystemMemory<double>;

std::vector<KernelBuffer> buffers_of_no_formulas() {
    static const WatchMemory nothing(nullptr);
    std::vector<KernelBuffer> buffers = nothing.buffers();
    for (const char *const name :
         {"setup", "numbers", "sides", "roles", "coefficients", "instructions", "registers"}) {
        buffers.push_back({name, 0});
    }
    return buffers;
}

}  // namespace perdure::systems

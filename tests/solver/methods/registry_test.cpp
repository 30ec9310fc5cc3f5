// Every word of a case file that names an equation, a method, an integrator or a kind of side has a descriptor.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/equations/equation.hpp"
#include "solver/integrators/integrator.hpp"
#include "solver/methods/method_options.hpp"

namespace perdure::registry_test {
namespace {

TEST(Registry, HasAnEquationForEveryTypeWithTheNamesOfItsFields) {
    for (const ProblemType type : all_values<ProblemType>()) {
        const Equation &equation = equation_of(type);
        EXPECT_EQ(equation.type, type);
        EXPECT_EQ(equation.fields.empty(), equation.of_case) << name(type);
        for (const EquationField &field : equation.fields) {
            EXPECT_LT(field.cells_of, equation.fields.size()) << field.name;
        }
        EXPECT_EQ(equation.in_time, equation.no_time == nullptr) << name(type);
        for (const DerivedField &derived : equation.derived) {
            EXPECT_LT(derived.of, equation.fields.size()) << derived.name;
        }
    }
    Config config;
    config.type = ProblemType::diffusion;
    EXPECT_EQ(output_fields(config), (std::vector<std::string>{"u", "flux"}));
    config.type = ProblemType::heat;
    EXPECT_EQ(output_fields(config), std::vector<std::string>{"u"});
}

TEST(Registry, HasAMethodForEveryWordAndPreconditionerThatItTakes) {
    Config config;
    for (const SolverMethod word : all_values<SolverMethod>()) {
        config.solver.method = word;
        const MethodOptions &options = options_of(word);
        EXPECT_EQ(options.method, word);
        config.solver.preconditioner = Preconditioner::none;
        EXPECT_EQ(method_of(config).solver, word);
        for (const Preconditioner preconditioner : options.preconditioners) {
            config.solver.preconditioner = preconditioner;
            EXPECT_EQ(method_of(config).solver, word);
            EXPECT_EQ(method_of(config).has_cycles, has_cycles(config.solver));
        }
    }
    EXPECT_EQ(method_for_velocity(), SolverMethod::bicgstab);
}

TEST(Registry, HasAnIntegratorForEveryWordThatAnEquationTakes) {
    for (const Equation &equation : all_equations()) {
        EXPECT_NE(equation.in_time, equation.integrators.empty()) << name(equation.type);
        for (const TimeIntegrator word : equation.integrators) {
            Config config;
            config.type = equation.type;
            config.time.emplace().integrator = word;
            const Integrator &integrator = integrator_of(config);
            EXPECT_EQ(integrator.equation, equation.type);
            EXPECT_EQ(integrator.word, word);
            EXPECT_EQ(&method_of(config), &integrator.method);
            EXPECT_TRUE(integrator.method.in_time);
            EXPECT_EQ(is_implicit(word), integrator.method.implicit != nullptr) << name(word);
            const std::size_t fields = equation.of_case ? 1 : equation.fields.size();
            EXPECT_GT(integrator.stable_time_step(std::vector<double>(fields, 1.0)), 0.0);
            const auto answers =
                std::count_if(integrator.method.fields.begin(), integrator.method.fields.end(),
                              [](const KernelField &field) { return field.is_answer(); });
            EXPECT_EQ(static_cast<std::size_t>(answers), fields)
                << "one answer for each field, one for all fields of a case";
        }
    }
}

TEST(Registry, EveryMethodHasAReference) {
    for (const Method *const method : all_methods()) {
        EXPECT_NE(method->reference, nullptr) << method->name;
        EXPECT_EQ(method->solver.has_value(), !method->in_time || method->implicit != nullptr)
            << method->name;
    }
}

TEST(Registry, HasAMethodForEverySolverOfImplicitSteps) {
    Config config;
    config.type = ProblemType::heat;
    for (const TimeIntegrator word : equation_of(config.type).integrators) {
        config.time.emplace().integrator = word;
        EXPECT_EQ(solves_systems(config), is_implicit(word));
        for (const SolverMethod solver : all_values<SolverMethod>()) {
            if (!is_implicit(word) || !options_of(solver).solves_steps) {
                continue;
            }
            config.solver.method = solver;
            config.solver.preconditioner = Preconditioner::none;
            EXPECT_EQ(method_of(config).solver, solver);
            for (const Preconditioner preconditioner : options_of(solver).preconditioners) {
                config.solver.preconditioner = preconditioner;
                EXPECT_EQ(method_of(config).solver, solver);
                EXPECT_EQ(method_of(config).has_cycles, has_cycles(config.solver));
            }
            EXPECT_EQ(method_of(config).implicit, integrator_of(config).method.implicit);
        }
    }
}

TEST(Registry, HasABoundaryConditionOfItsTypeForEveryKindOfSide) {
    for (const SideKind kind : all_values<SideKind>()) {
        const BoundaryCondition &condition = condition_of(kind);
        EXPECT_EQ(condition.kind, kind);
        Side side;
        side.kind = kind;
        side.values.values = {2.0};
        side.coefficient.values = {3.0};
        const auto [flux, coefficient, level] = face_condition(side, 0);
        EXPECT_EQ(std::isinf(coefficient), condition.type == BoundaryType::dirichlet) << name(kind);
        EXPECT_EQ(coefficient > 0.0, can_fix_level(condition.type)) << name(kind);
        EXPECT_TRUE(condition.type != BoundaryType::periodic || flux == 0.0) << name(kind);
        side.values.values = {8.0};
        const FaceCondition scaled = face_condition(side, 0);
        EXPECT_EQ(scaled.flux, 4.0 * flux) << name(kind);
        EXPECT_EQ(scaled.coefficient, coefficient) << name(kind);
        EXPECT_EQ(scaled.level, 4.0 * level) << name(kind);
    }
}

TEST(Registry, ListsKindsOfSidesAsACaseFileGivesThem) {
    EXPECT_EQ(notation(condition_of(SideKind::value)), "{value: v}");
    EXPECT_EQ(notation(condition_of(SideKind::exchange)), "{exchange: {coefficient: h, ambient: v}}");
    EXPECT_EQ(notation(condition_of(SideKind::periodic)), "periodic");
    EXPECT_TRUE(kinds_that_fix_level().starts_with("value")) << kinds_that_fix_level();
}

}  // namespace
}  // namespace perdure::registry_test

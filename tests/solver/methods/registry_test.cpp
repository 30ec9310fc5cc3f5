// Every word of a case file that names an equation, a method or an integrator has a descriptor.
#include <gtest/gtest.h>

#include "solver/equations/equation.hpp"
#include "solver/integrators/integrator.hpp"
#include "solver/methods/method_options.hpp"

namespace perdure::registry_test {
namespace {

TEST(Registry, HasAnEquationForEveryTypeWithTheNamesOfItsFields) {
    for (const ProblemType type : all_values<ProblemType>()) {
        const Equation &equation = equation_of(type);
        EXPECT_EQ(equation.type, type);
        EXPECT_FALSE(equation.fields.empty()) << name(type);
        for (const EquationField &field : equation.fields) {
            EXPECT_LT(field.cells_of, equation.fields.size()) << field.name;
        }
        EXPECT_EQ(equation.in_time, equation.no_time == nullptr) << name(type);
        for (const DerivedField &derived : equation.derived) {
            EXPECT_LT(derived.of, equation.fields.size()) << derived.name;
        }
    }
    EXPECT_EQ(output_fields(equation_of(ProblemType::diffusion)), (std::vector<std::string>{"u", "flux"}));
    EXPECT_EQ(output_fields(equation_of(ProblemType::heat)), std::vector<std::string>{"u"});
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
            EXPECT_GT(integrator.stable_time_step(std::vector<double>(equation.fields.size(), 1.0)), 0.0);
            const auto answers =
                std::count_if(integrator.method.fields.begin(), integrator.method.fields.end(),
                              [](const KernelField &field) { return field.is_answer(); });
            EXPECT_EQ(static_cast<std::size_t>(answers), equation.fields.size())
                << "one answer for each field";
        }
    }
}

TEST(Registry, EveryMethodHasAReference) {
    for (const Method *const method : all_methods()) {
        EXPECT_NE(method->reference, nullptr) << method->name;
        EXPECT_NE(method->solver.has_value(), method->in_time) << method->name;
    }
}

}  // namespace
}  // namespace perdure::registry_test

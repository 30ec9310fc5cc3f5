// What random formulas are lowered to has the value of their trees; programs and printed statements have the same bits.
#include "random_formulas.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "example_system.hpp"
#include "programs.hpp"
#include "solver/systems/reuse.hpp"
#include "tree_evaluator.hpp"

namespace perdure::random_formulas_test {
namespace {

using namespace systems_test;

struct Drawn {
    Grid grid;
    SystemConfig config;
    std::vector<std::vector<double>> fields;
};

/// The equations of u and v; each third draw in 3D.
Drawn draw(unsigned seed) {
    const int dimensions = seed % 3 == 2 ? 3 : 2;
    RandomFormulas formulas(seed, dimensions);
    Drawn drawn;
    drawn.grid = unit_grid(dimensions, 5);
    drawn.grid.cells[0] = 7;
    drawn.grid.spacing = {0.5, 0.75, 1.25};
    drawn.grid.origin = {-1.0, 0.25, 0.5};
    const int depth = 2 + static_cast<int>(seed % 3);
    std::string second = formulas.scalar(depth, 1);
    if (seed % 4 == 0) {
        second = formulas.conserve(2) + " + " + second;
    }
    drawn.config = config_of({{"u", formulas.scalar(depth, 2)}, {"v", second}}, {{"p", 0.75}, {"q", -1.5}});
    drawn.fields = {noise(drawn.grid.count(), 2 * seed), noise(drawn.grid.count(), 2 * seed + 1)};
    return drawn;
}

TEST(RandomFormulas, HaveTheValuesOfTheirTrees) {
    int compared = 0, large = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        const Drawn drawn = draw(seed);
        const systems::System system = systems::make_system(drawn.config, drawn.grid);
        TreeEvaluator direct;
        direct.grid = &drawn.grid;
        direct.fields = {{"u", drawn.fields.data()}, {"v", &drawn.fields[1]}};
        direct.constants = {{"p", 0.75}, {"q", -1.5}, {"pi", std::acos(-1.0)}, {"e", std::exp(1.0)}};
        for (int field = 0; field < 2; ++field) {
            const std::string &text = drawn.config.fields[field].rate.text;
            const formulas::Node tree = formulas::parse(text);
            direct.field = drawn.config.fields[field].name;
            const std::vector<double> computed = rates(system, drawn.grid, drawn.fields, field);
            for (std::int64_t cell = 0; cell < drawn.grid.count(); cell += 3) {
                direct.largest = 1.0;
                const std::int64_t plane = drawn.grid.cells[0] * drawn.grid.cells[1];
                const double expected = direct.scalar(
                    tree, {cell % drawn.grid.cells[0], cell % plane / drawn.grid.cells[0], cell / plane});
                ASSERT_NEAR(computed[cell], expected, 1e-11 * direct.largest)
                    << text << "\nseed " << seed << " cell " << cell;
                ++compared;
                large += std::fabs(expected) > 1e-3 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(large, compared / 2);
}

TEST(RandomFormulas, HaveTheSameBitsAsProgramsAndAsPrinted) {
    int registers = 0;
    std::size_t terms = 0;
    for (unsigned seed = 1000; seed < 1100; ++seed) {
        const Drawn drawn = draw(seed);
        const systems::System system = systems::make_system(drawn.config, drawn.grid);
        const systems::RowProgram program = systems::row_program(system);
        const std::string printed = systems::print_rates(system);
        registers += program.registers;
        terms += system.rates.terms().size();
        systems::CellContext context = context_of(system, drawn.grid, drawn.fields);
        for (const auto cell : {std::array<std::int64_t, 3>{0, 0, 0}, std::array<std::int64_t, 3>{3, 4, 0}}) {
            context.cell = cell;
            const std::map<int, double> by_program = run_program(program, context);
            const std::map<int, double> by_text = run_printed(printed, context);
            ASSERT_EQ(by_program.size(), 2U);
            ASSERT_EQ(by_text.size(), 2U);
            for (int field = 0; field < 2; ++field) {
                const auto bits = std::bit_cast<std::uint64_t>(
                    systems::evaluate(system.rates, system.rate_of[field], context));
                ASSERT_EQ(std::bit_cast<std::uint64_t>(by_program.at(field)), bits) << printed;
                ASSERT_EQ(std::bit_cast<std::uint64_t>(by_text.at(field)), bits) << printed;
            }
        }
    }
    EXPECT_LT(4 * static_cast<std::size_t>(registers), terms);  // a register for more than four values
}

/// Along columns of cells, and across periodic sides at their ends.
TEST(RandomFormulas, HaveTheSameBitsWhereCellsReuseValues) {
    std::size_t reused_values = 0;
    int columns = 0;
    for (unsigned seed = 2000; seed < 2060; ++seed) {
        const Drawn drawn = draw(seed);
        const systems::System system = systems::make_system(drawn.config, drawn.grid);
        const int axis = drawn.grid.dimensions - 1;
        const systems::ReusingText text = systems::print_reusing_rates(system, axis, sizeof(float));
        if (text.values == 0) {
            continue;
        }
        reused_values += text.values;
        ++columns;
        systems::CellContext context = context_of(system, drawn.grid, drawn.fields);
        context.cell = {3, axis == 2 ? 4 : 0, 0};
        std::map<int, double> reused;
        EXPECT_TRUE(run_printed(text.first, context, reused).empty());
        for (; context.cell[axis] < drawn.grid.cells[axis]; ++context.cell[axis]) {
            ASSERT_EQ(reused.size(), text.values);
            const std::map<int, double> rates = run_printed(text.rates, context, reused);
            ASSERT_EQ(rates.size(), 2U);
            for (int field = 0; field < 2; ++field) {
                const double expected = systems::evaluate(system.rates, system.rate_of[field], context);
                ASSERT_EQ(std::bit_cast<std::uint64_t>(rates.at(field)),
                          std::bit_cast<std::uint64_t>(expected))
                    << text.first << text.rates;
            }
        }
    }
    EXPECT_GT(columns, 10);
    EXPECT_GT(reused_values, 45U);
}

TEST(RandomFormulas, ThatAreDamagedAreLoweredOrRefusedWithAPlace) {
    static constexpr std::array pieces{"(",       ")",      ",",   "*",       "u",      "z",        "lap(",
                                       "grad(u)", ";",      "w",   "-",       "(u, v)", "1/0",      "div(",
                                       "dot(",    "random", "if(", "upwind(", "^",      "/",        "+",
                                       "^0.5*",   "a",      "f",   "==",      " and ",  "conserve("};
    int refused = 0;
    std::mt19937 random(4);
    for (unsigned seed = 0; seed < 600; ++seed) {
        Drawn drawn = draw(seed);
        drawn.config.parts = {{"a", {"1 + u^2", {"case.yaml", 3, 1}}},
                              {"f", {"a*grad(v)", {"case.yaml", 4, 1}}}};
        std::string &text = drawn.config.fields[0].rate.text;
        for (unsigned change = 0; change < 1 + seed % 3; ++change) {
            const std::size_t place = random() % text.size();
            text.replace(place, random() % 3, pieces[random() % pieces.size()]);
        }
        try {
            const systems::System system = systems::make_system(drawn.config, drawn.grid);
            EXPECT_EQ(run_program(systems::row_program(system), context_of(system, drawn.grid, drawn.fields))
                          .size(),
                      2U);
        } catch (const Failure &failure) {
            ++refused;
            for (const Diagnostic &diagnostic : failure.diagnostics()) {
                EXPECT_EQ(diagnostic.position.line, 1) << text;  // the parts and the other equation are sound
                EXPECT_GE(diagnostic.position.column, 8) << text;
                EXPECT_LE(diagnostic.position.column, 8 + static_cast<int>(text.size())) << text;
                EXPECT_EQ(diagnostic.source_line, std::string(7, ' ') + text);
            }
        }
    }
    EXPECT_GT(refused, 300);
    EXPECT_LT(refused, 595);
}

}  // namespace
}  // namespace perdure::random_formulas_test

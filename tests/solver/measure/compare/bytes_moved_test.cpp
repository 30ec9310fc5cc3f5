// The bytes that throughput is counted by.
#include <gtest/gtest.h>

#include <algorithm>

#include "solver/integrators/integrator.hpp"
#include "solver/run/kernel_buffers.hpp"

namespace perdure::bytes_moved_test {
namespace {

/// Whether its kernel steps all fields of a case, whose coefficients are those of its formulas.
bool is_of_case(const Method &method) {
    return std::any_of(method.fields.begin(), method.fields.end(),
                       [](const KernelField &field) { return field.size == FieldSize::fields; });
}

TEST(BytesMoved, AreKnownOfEveryMethodAndGrowWithTheProblem) {
    for (const Method *method : all_methods()) {
        const ValuesMoved uniform = method->values_moved({2, 0, false, false});
        EXPECT_GE(uniform.touched, 2) << method->name << ": u and b";
        EXPECT_GE(uniform.per_iteration, uniform.touched) << method->name;
        if (is_of_case(*method)) {
            continue;
        }
        for (const int dimensions : {2, 3}) {
            for (const bool convective : {false, true}) {
                const ProblemTraits traits{dimensions, 0, true, convective};
                const ValuesMoved varied = method->values_moved(traits);
                EXPECT_GT(varied.per_iteration, uniform.per_iteration) << method->name;
                EXPECT_GE(varied.per_iteration, varied.touched)
                    << method->name << ": each is read or written";
                EXPECT_GE(varied.touched - uniform.touched, dimensions)
                    << method->name << ": a conductance an axis";
            }
        }
    }
}

TEST(BytesMoved, TouchNoMoreFieldsThanTheKernelHas) {
    for (const Method *method : all_methods()) {
        for (const int dimensions : {2, 3}) {
            const FieldCount fields = count_fields(method->fields, method->unused, dimensions, false,
                                                   {.rates = static_cast<std::size_t>(method->rates_kept)});
            const ValuesMoved uniform = method->values_moved({dimensions, 0, false, false});
            const ValuesMoved varied = method->values_moved({dimensions, 0, true, false});
            const int levels = method->has_cycles ? 4 : 0;  // u, b and what is between two of them
            EXPECT_LE(uniform.touched, fields.always + levels) << method->name;
            EXPECT_LE(varied.touched, fields.always + fields.varied + levels) << method->name;
        }
    }
}

TEST(BytesMoved, CountFactorsAxesAndVelocities) {
    Config heat;
    heat.type = ProblemType::heat;
    const Method &explicit_euler = integrator_of(heat).method;
    EXPECT_EQ(explicit_euler.values_moved({2, 0, false, false}).per_iteration, 3);
    EXPECT_EQ(explicit_euler.values_moved({2, 2, false, false}).per_iteration, 5);
    EXPECT_EQ(explicit_euler.values_moved({2, 0, true, false}).per_iteration, 6);
    heat.time.emplace().integrator = TimeIntegrator::bdf2;
    EXPECT_EQ(method_of(heat).values_moved({2, 1, true, false}).per_iteration, 18) << "without its solve";
    EXPECT_EQ(jacobi_method.values_moved({2, 0, true, false}).per_iteration, 7);
    EXPECT_EQ(cg_method.values_moved({2, 0, true, false}).per_iteration, 14);
    EXPECT_EQ(cg_method.values_moved({2, 0, false, false}).touched, 4)
        << "fields read and written count once";
    EXPECT_EQ(bicgstab_method.values_moved({3, 0, true, true}).per_iteration, 29);
    EXPECT_EQ(cg_multigrid_method.values_moved({3, 0, false, false, true}).per_iteration, 16)
        << "doubles, mixed";
    EXPECT_EQ(cg_multigrid_method.values_moved({3, 0, true, false, true}).per_iteration, 34);
    EXPECT_EQ(cg_multigrid_method.values_moved({3, 0, false, false, false, false}).per_iteration, 0)
        << "another cycle";
    EXPECT_EQ(cg_multigrid_method.values_moved({3, 0, false, false, false, false, 5}).per_iteration, 25)
        << "solved directly";
    EXPECT_EQ(cg_multigrid_method.values_moved({3, 0, true, false, false, true, 0, true, true}).per_iteration,
              33)
        << "by labels, where arrays are 53";
    EXPECT_EQ(multigrid_method.values_moved({2, 0, false, false, false, true, 3}).per_iteration, 11);
}

}  // namespace
}  // namespace perdure::bytes_moved_test

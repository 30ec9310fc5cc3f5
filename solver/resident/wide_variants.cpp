#include "solver/resident/wide_variants.hpp"

#include <array>

#include "kernels/resident/wide_shape_2d.h"
#include "solver/methods/method.hpp"
#include "solver/resident/plan_on_chip.hpp"

namespace perdure {
namespace {

template <typename Arrays>
constexpr WideVariant wide_variant(const char *size, int rows_of_warp, double single_seconds,
                                   double paired_seconds) {
    return {size,
            rows_of_warp,
            sizeof(Arrays) + WIDE_CONSTANT_BYTES,
            ON_CHIP_WARPS * Arrays::rows_in_memory * STRIP_COLUMNS,
            single_seconds,
            paired_seconds};
}
template <typename Real, int ROWS, wide_terms TERMS>
constexpr WideVariant uniform_wide(const char *size, double single_seconds, double paired_seconds) {
    return wide_variant<wide_arrays_t<Real, ROWS, TERMS>>(size, ROWS, single_seconds, paired_seconds);
}
template <typename Real>
constexpr std::array<WideVariant, 2> sourced_wide(std::array<double, 4> seconds) {
    using rows = wide_rows_with_arrays<Real>;
    return {uniform_wide<Real, rows::small, SOURCE_OF_CELL>("wide_small_sourced", seconds[0], seconds[1]),
            uniform_wide<Real, rows::large, SOURCE_OF_CELL>("wide_large_sourced", seconds[2], seconds[3])};
}
template <typename Real>
constexpr std::array<WideVariant, 2> varied_wide(std::array<double, 4> seconds) {
    using rows = wide_rows_with_arrays<Real>;
    return {wide_variant<wide_varied_arrays_t<Real, rows::small>>("wide_small_varied", rows::small,
                                                                  seconds[0], seconds[1]),
            wide_variant<wide_varied_arrays_t<Real, rows::large>>("wide_large_varied", rows::large,
                                                                  seconds[2], seconds[3])};
}
template <typename Real, wide_terms TERMS>
constexpr std::array<WideVariant, 2> constant_wide(const char *small, const char *large,
                                                   std::array<double, 4> seconds) {
    return {uniform_wide<Real, 6, TERMS>(small, seconds[0], seconds[1]),
            uniform_wide<Real, 18, TERMS>(large, seconds[2], seconds[3])};
}
/// By the terms away from sides and by precision.
constexpr std::array<WideVariant, 2> wide_variants[][2] = {
    {constant_wide<float, NO_TERMS>("wide_6", "wide_18", {0.89e-6, 1.17e-6, 1.72e-6, 2.56e-6}),
     constant_wide<double, NO_TERMS>("wide_6", "wide_18", {1.22e-6, 1.75e-6, 3.05e-6, 4.70e-6})},
    {constant_wide<float, CONSTANT_SOURCE>("wide_6_constant_source", "wide_18_constant_source",
                                           {0.91e-6, 1.19e-6, 1.8e-6, 2.67e-6}),
     constant_wide<double, CONSTANT_SOURCE>("wide_6_constant_source", "wide_18_constant_source",
                                            {1.3e-6, 1.88e-6, 3.2e-6, 4.89e-6})},
    {constant_wide<float, CONSTANT_TERMS>("wide_6_constant_terms", "wide_18_constant_terms",
                                          {0.95e-6, 1.25e-6, 1.9e-6, 2.8e-6}),
     constant_wide<double, CONSTANT_TERMS>("wide_6_constant_terms", "wide_18_constant_terms",
                                           {1.4e-6, 1.98e-6, 3.4e-6, 5.28e-6})},
    {sourced_wide<float>({0.95e-6, 1.25e-6, 2.1e-6, 3.02e-6}),
     sourced_wide<double>({1.4e-6, 2.03e-6, 1.6e-6, 2.4e-6})}};
constexpr std::array<WideVariant, 2> wide_varied_variants[] = {
    varied_wide<float>({1.12e-6, 1.44e-6, 2.80e-6, 3.62e-6}),
    varied_wide<double>({2.16e-6, 2.74e-6, 2.47e-6, 3.15e-6})};

}  // namespace

std::span<const WideVariant> wide_variants_of(const Config &config) {
    const int precision = at(config.execution.precision);
    const bool nothing = is_zero(config.sigma) && is_zero(config.f);
    if (changes_in_time(config)) {
        return {};
    }
    if (!expected_uniform(config)) {
        return nothing && !method_of(config).scales_each_cell
                   ? std::span<const WideVariant>(wide_varied_variants[precision])
                   : std::span<const WideVariant>();
    }
    const bool of_cell = config.f.kind != ValueSource::Kind::number;
    const wide_terms terms = nothing                 ? NO_TERMS
                             : of_cell               ? SOURCE_OF_CELL
                             : is_zero(config.sigma) ? CONSTANT_SOURCE
                                                     : CONSTANT_TERMS;
    return wide_variants[terms][precision];
}

}  // namespace perdure

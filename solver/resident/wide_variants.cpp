#include "solver/resident/wide_variants.hpp"

#include <array>

#include "kernels/resident/wide_shape_2d.h"
#include "solver/methods/method.hpp"
#include "solver/resident/plan_on_chip.hpp"

namespace perdure {
namespace {

template <typename Arrays>
constexpr WideVariant wide_variant(const char *size, double single_seconds, double paired_seconds) {
    return {
        size,           Arrays::rows_of_warp, sizeof(Arrays) + WIDE_CONSTANT_BYTES, Arrays::values_in_memory,
        single_seconds, paired_seconds};
}
template <typename Small, typename Large>
constexpr std::array<WideVariant, 2> two_sizes(const char *small, const char *large,
                                               std::array<double, 4> seconds) {
    return {wide_variant<Small>(small, seconds[0], seconds[1]),
            wide_variant<Large>(large, seconds[2], seconds[3])};
}
template <typename Real, wide_terms TERMS>
constexpr std::array<WideVariant, 2> constant_wide(const char *small, const char *large,
                                                   std::array<double, 4> seconds) {
    return two_sizes<wide_arrays_t<Real, 6, TERMS>, wide_arrays_t<Real, 18, TERMS>>(small, large, seconds);
}
template <typename Real>
constexpr std::array<WideVariant, 2> sourced_wide(std::array<double, 4> seconds) {
    using rows = wide_rows_with_arrays<Real>;
    return two_sizes<wide_arrays_t<Real, rows::small, SOURCE_OF_CELL>,
                     wide_arrays_t<Real, rows::large, SOURCE_OF_CELL>>("wide_small_sourced",
                                                                       "wide_large_sourced", seconds);
}
template <typename Real>
constexpr std::array<WideVariant, 2> varied_wide(std::array<double, 4> seconds) {
    using rows = wide_rows_with_arrays<Real>;
    return two_sizes<wide_varied_arrays_t<Real, rows::small>, wide_varied_arrays_t<Real, rows::large>>(
        "wide_small_varied", "wide_large_varied", seconds);
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
    if (changes_in_time(config)) {
        return {};
    }
    if (!expected_uniform(config)) {
        return !has_terms_inside(config) && !method_of(config).scales_each_cell
                   ? std::span<const WideVariant>(wide_varied_variants[precision])
                   : std::span<const WideVariant>();
    }
    const bool of_cell = config.f.kind != ValueSource::Kind::number;
    const wide_terms terms = !has_terms_inside(config) ? NO_TERMS
                             : of_cell                 ? SOURCE_OF_CELL
                             : is_zero(config.sigma)   ? CONSTANT_SOURCE
                                                       : CONSTANT_TERMS;
    return wide_variants[terms][precision];
}

}  // namespace perdure

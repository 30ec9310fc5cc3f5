// The fields of a kernel as the host sees them: kernels/fields.h.
#pragma once

#include "kernels/fields.h"

namespace perdure {

enum class FieldRole { input, changed, scratch, scratch_copies, answer, answer_copies };
enum class FieldSize {
    cells,
    cells_if_varied,
    coefficient,
    coefficient_3d,
    convective,
    convective_3d,
    fields,
    stages,
    rates,
    bytes,
    given
};

struct KernelField {
    const char *name;
    FieldRole role;
    FieldSize size;

    /// Two arguments of the kernel, NAME even and NAME odd.
    [[nodiscard]] constexpr bool has_copies() const {
        return role == FieldRole::scratch_copies || role == FieldRole::answer_copies;
    }
    [[nodiscard]] constexpr bool is_answer() const {
        return role == FieldRole::answer || role == FieldRole::answer_copies;
    }
};

// All arguments of a kernel with KERNEL_ARGUMENTS or PREPARATION_ARGUMENTS, for lists:
// constexpr std::array fields{RUN_KERNEL_FIELDS(CG_FIELDS)};
#define RUN_KERNEL_FIELDS(FIELDS) RUN_FIELDS(KERNEL_FIELD) FIELDS(KERNEL_FIELD)
#define PREPARATION_KERNEL_FIELDS(FIELDS) PREPARATION_FIELDS(KERNEL_FIELD) FIELDS(KERNEL_FIELD)
#define KERNEL_FIELD(type, name, role, size) \
    perdure::KernelField{#name, perdure::FIELD_ROLE_##role, perdure::FIELD_SIZE_##size},

inline constexpr FieldRole FIELD_ROLE_INPUT = FieldRole::input;
inline constexpr FieldRole FIELD_ROLE_UNALIASED = FieldRole::input;
inline constexpr FieldRole FIELD_ROLE_CHANGED = FieldRole::changed;
inline constexpr FieldRole FIELD_ROLE_SCRATCH = FieldRole::scratch;
inline constexpr FieldRole FIELD_ROLE_SCRATCH_COPIES = FieldRole::scratch_copies;
inline constexpr FieldRole FIELD_ROLE_ANSWER = FieldRole::answer;
inline constexpr FieldRole FIELD_ROLE_ANSWER_COPIES = FieldRole::answer_copies;

inline constexpr FieldSize FIELD_SIZE_CELLS = FieldSize::cells;
inline constexpr FieldSize FIELD_SIZE_CELLS_IF_VARIED = FieldSize::cells_if_varied;
inline constexpr FieldSize FIELD_SIZE_COEFFICIENT = FieldSize::coefficient;
inline constexpr FieldSize FIELD_SIZE_COEFFICIENT_3D = FieldSize::coefficient_3d;
inline constexpr FieldSize FIELD_SIZE_CONVECTIVE = FieldSize::convective;
inline constexpr FieldSize FIELD_SIZE_CONVECTIVE_3D = FieldSize::convective_3d;
inline constexpr FieldSize FIELD_SIZE_FIELDS = FieldSize::fields;
inline constexpr FieldSize FIELD_SIZE_STAGES = FieldSize::stages;
inline constexpr FieldSize FIELD_SIZE_RATES = FieldSize::rates;
inline constexpr FieldSize FIELD_SIZE_BYTES = FieldSize::bytes;
inline constexpr FieldSize FIELD_SIZE_GIVEN = FieldSize::given;

}  // namespace perdure

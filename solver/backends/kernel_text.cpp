#include "solver/backends/kernel_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/case_file/config.hpp"
#include "solver/failure.hpp"

namespace perdure {
namespace {

constexpr const char *form_of_one_kind =
    "#include \"kernels/grid.h\"\n"
    "#undef UNIFORM\n"
    "#undef DIMENSIONS\n"
    "#define UNIFORM(grid) ((void)(grid), {}u)\n"
    "#define DIMENSIONS(grid) ((void)(grid), {}u)\n";

int dimensions_of(KernelForm form) {
    return form == KernelForm::uniform_3d || form == KernelForm::labels_3d || form == KernelForm::tensors_3d
               ? 3
               : 2;
}

/// What transforms solve is uniform: only those forms have them.
std::string definitions_of(const KernelEntry &entry, KernelForm form) {
    if (!entry.uniform_forms) {
        return "";
    }
    const std::string varied = "#define NO_TRANSFORMS\n";
    if (form == KernelForm::any) {
        return varied;
    }
    const std::string coefficients = by_labels(form)     ? varied + "#define BY_LABELS\n"
                                     : has_tensors(form) ? varied + "#define BY_TENSORS\n"
                                                         : "";
    return coefficients + fmt::format(form_of_one_kind, coefficients.empty() ? 1 : 0, dimensions_of(form));
}

std::string title_of(const KernelEntry &entry, const KernelVariant &variant) {
    std::string title(entry.name);
    if (entry.by_precision) {
        title += fmt::format(", {}", name(variant.precision));
    }
    if (entry.uniform_forms && variant.form != KernelForm::any) {
        title += fmt::format(", {} {}D",
                             by_labels(variant.form)     ? "by labels"
                             : has_tensors(variant.form) ? "tensors"
                                                         : "uniform",
                             dimensions_of(variant.form));
    }
    if (variant.ensemble) {
        title += ", ensemble";
    }
    return title;
}

}  // namespace

KernelText kernel_text(const KernelVariant &variant) {
    const KernelEntry *const entry = find_kernel_entry(variant.kernel);
    const bool mixed = variant.precision == Precision::mixed && entry != nullptr && entry->mixed;
    if (entry == nullptr || (variant.precision == Precision::mixed && entry->by_precision && !mixed)) {
        throw Failure(ExitCode::differs_or_internal,
                      fmt::format("internal error: there is no kernel '{}' in precision {}", variant.kernel,
                                  name(variant.precision)));
    }
    const bool single = variant.precision == Precision::float32 && entry->by_precision;
    return {entry, title_of(*entry, variant), single ? "float" : "double",
            definitions_of(*entry, variant.form) + variant.definitions,
            mixed ? "kernels/mixed_programs.h" : entry->header};
}

std::vector<KernelVariant> kernel_variants(const std::vector<std::string> &names,
                                           std::optional<Precision> wanted) {
    std::vector<KernelVariant> variants;
    for (const KernelEntry &entry : kernel_catalog()) {
        if (entry.of_case) {
            continue;  // there are as many as there are cases
        }
        if (!names.empty() && std::find(names.begin(), names.end(), entry.name) == names.end()) {
            continue;
        }
        for (const Precision precision : {Precision::float32, Precision::float64, Precision::mixed}) {
            const bool there = precision == wanted.value_or(precision) &&
                               (precision == Precision::float64 ||
                                (precision == Precision::float32 ? entry.by_precision : entry.mixed));
            for (const KernelForm form :
                 {KernelForm::any, KernelForm::uniform_2d, KernelForm::uniform_3d, KernelForm::labels_2d,
                  KernelForm::labels_3d, KernelForm::tensors_2d, KernelForm::tensors_3d}) {
                const bool of_coefficients = by_labels(form) || has_tensors(form);
                if (there && (form == KernelForm::any ||
                              (of_coefficients ? entry.label_forms : entry.uniform_forms))) {
                    variants.push_back({std::string(entry.name), precision, form});
                }
            }
        }
    }
    return variants;
}

}  // namespace perdure

// The parts of a kernel's text that all run-time compilers share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/backends/kernel_catalog.hpp"
#include "solver/backends/kernel_variant.hpp"

namespace perdure {

struct KernelText {
    const KernelEntry *entry = nullptr;
    std::string title;             // the kernel with its precision and form, for people
    std::string_view real_type;    // real_t
    std::string form_definitions;  // of its form
    std::string_view header;       // what is included then
};

/// Throws Failure(differs_or_internal) where there is no such kernel.
KernelText kernel_text(const KernelVariant &variant);

/// The variants of these kernels, of all where none is named: in all forms, and in the precision or in all, each once.
std::vector<KernelVariant> kernel_variants(const std::vector<std::string> &names,
                                           std::optional<Precision> wanted = {});

}  // namespace perdure

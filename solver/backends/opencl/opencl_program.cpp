#include "solver/backends/opencl/opencl_program.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "solver/backends/kernel_catalog.hpp"
#include "solver/backends/kernel_sources.hpp"
#include "solver/backends/kernel_text.hpp"
#include "solver/failure.hpp"

namespace perdure::opencl {
namespace {

/// The path of an `#include "path"` line, empty for any other line.
std::string_view included_path(std::string_view line) {
    constexpr std::string_view opening = "#include \"";
    if (!line.starts_with(opening)) {
        return {};
    }
    line.remove_prefix(opening.size());
    return line.substr(0, line.find('"'));
}

bool belongs_to_other_back_end(std::string_view path) {
    return path == "sync/dialect_host.h" || path == "sync/atomics_host.h" || path == "sync/dialect_cuda.h" ||
           path == "sync/group_context.h";
}

/// Expands includes by text, each file once: every kernel file is either guarded or included once. The line of a file
/// that belongs to another back end stays where it is, behind an #if that OpenCL C
/// does not take.
class Expansion {
  public:
    void add_text(std::string_view path, std::string_view text) {
        int line_number = 0;
        while (!text.empty()) {
            const std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            ++line_number;
            if (!add_file(included_path(line))) {
                result_ += line;
                result_ += '\n';
            } else {
                result_ += fmt::format("#line {} \"{}\"\n", line_number + 1, path);
            }
        }
    }
    [[nodiscard]] const std::string &result() const { return result_; }

  private:
    bool add_file(std::string_view path) {
        const auto &sources = kernel_sources();
        const auto source = std::find_if(sources.begin(), sources.end(),
                                         [&](const KernelSource &file) { return file.path == path; });
        if (source == sources.end() || belongs_to_other_back_end(path)) {
            return false;
        }
        if (added_.insert(path).second) {
            result_ += fmt::format("#line 1 \"{}\"\n", path);
            add_text(path, source->text);
        }
        return true;
    }

    std::set<std::string_view> added_;
    std::string result_;
};

}  // namespace

OpenclProgram make_program(const KernelVariant &variant, const std::string &options) {
    const KernelText text = kernel_text(variant);
    if (text.entry->kind == KernelKind::resident) {
        throw Failure(ExitCode::differs_or_internal,
                      fmt::format("internal error: the OpenCL back end has no kernel '{}'", variant.kernel));
    }
    Expansion expansion;
    expansion.add_text("program", fmt::format("#define real_t {}\n"
                                              "{}"
                                              "#include \"{}\"\n",
                                              text.real_type, text.form_definitions, text.header));
    return {variant.kernel, text.title, expansion.result(), options};
}

bool is_experiment(const std::string &kernel) {
    const KernelEntry *const entry = find_kernel_entry(kernel);
    return entry != nullptr && entry->kind == KernelKind::experiment;
}

}  // namespace perdure::opencl

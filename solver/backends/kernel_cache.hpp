// Compiled kernels on disk, kept between runs.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace perdure {

/// What a compiler made of a program: machine code, and the names that its kernels have in it.
struct CompiledKernels {
    std::string code;
    std::map<std::string, std::string> symbols;  // by the names that were asked for
};

/// A folder with a file for each program. Nothing that is wrong with it ends a run: a file that is damaged or of another program
/// counts as not there, a folder that cannot be used costs the time of compiling.
class KernelCache {
  public:
    /// $XDG_CACHE_HOME/perdure/kernels or ~/.cache/perdure/kernels, made for the user alone where it is not there; also read:
    /// share/perdure/kernels next to the folder bin of the program, where the build puts what PERDURE_CUDA_PRECOMPILED lists.
    KernelCache();
    /// `folder`: empty for none. Files beyond `most_bytes` go, those first that were not used for longest. `built`: a second folder that is
    /// only read; empty for none.
    KernelCache(std::filesystem::path folder, std::uintmax_t most_bytes, std::filesystem::path built = {});

    /// Why nothing is kept; empty: it is.
    [[nodiscard]] const std::string &trouble() const { return trouble_; }
    [[nodiscard]] const std::filesystem::path &folder() const { return folder_; }

    /// `key`: all that the code depends on. Whether there is an entry that can be read.
    [[nodiscard]] bool has(const std::string &key) const;
    /// The entry, or what `compile` returns, which is then kept. Of several processes that ask for one key at once, one compiles
    /// and the others wait for it. What `compile` throws goes on. `usable`: whether an entry can be; else it counts as not there.
    CompiledKernels get(const std::string &key, const std::function<CompiledKernels()> &compile,
                        const std::function<bool(const CompiledKernels &)> &usable = {});
    /// In place of an entry, or as a new one.
    void keep(const std::string &key, const CompiledKernels &compiled);

  private:
    void prepare_folder();
    [[nodiscard]] std::optional<CompiledKernels> find(const std::string &key) const;
    void remove_oldest() const;

    std::filesystem::path folder_;
    std::uintmax_t most_bytes_;
    std::filesystem::path built_;
    std::string trouble_;
};

/// Says on standard error that a kernel is being compiled for a device or an architecture, and where it will be kept.
void print_compiling(const std::string &kernel, const std::string &device, const KernelCache &cache);

}  // namespace perdure

// Examines an HDF5 file in a helper process with resource limits, because a damaged file can crash the HDF5 library.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "solver/enum_names.hpp"

namespace perdure {

/// To be called first in main(): when this process was started as the helper, does its work and returns its
/// exit status; otherwise returns nothing and main() goes on.
std::optional<int> probe_main(int argc, char **argv);

/// Instead of probe_main(), of a library that other programs load: `program` is the helper; its main() calls probe_main().
void probe_by(const std::string &program);

namespace hdf5 {

enum class ProbeRequest { numbers, labels, shape, description, origin };

}  // namespace hdf5

template <>
inline constexpr std::array enum_names<hdf5::ProbeRequest>{
    NamedValue{hdf5::ProbeRequest::numbers, "numbers"}, NamedValue{hdf5::ProbeRequest::labels, "labels"},
    NamedValue{hdf5::ProbeRequest::shape, "shape"},
    NamedValue{hdf5::ProbeRequest::description, "description"},
    NamedValue{hdf5::ProbeRequest::origin, "origin"}};

namespace hdf5 {

/// The helper's command line behind the program name.
struct ProbeArguments {
    ProbeRequest request = ProbeRequest::numbers;
    std::filesystem::path file;
    std::string dataset;              // numbers, labels, shape
    std::vector<std::int64_t> shape;  // numbers, labels: what is expected, slowest first
    std::int64_t parent = 0;          // the process that the helper works for; words() fills in this one

    /// Reads all values of a dataset.
    [[nodiscard]] bool is_of_values() const;
    [[nodiscard]] std::vector<std::string> words() const;
    /// Empty when the words are not the helper's.
    static std::optional<ProbeArguments> parse(const std::vector<std::string> &words);
};

/// Processor time that the helper may take, in s: ten times what a sound file of that size and shape needs, and a start-up.
std::int64_t processor_seconds(const ProbeArguments &arguments);

/// Time on the clock that the helper may take, in s: a slow disk is not a broken file.
std::int64_t waiting_seconds(const ProbeArguments &arguments);

/// Runs the helper. numbers, labels: it reads the dataset once to its end; returns the text of a warning, or an empty text. shape: a list.
/// description, origin: returns what describe_contents() or describe_origin() makes of the file. Where this process has had an answer
/// about the same file, unchanged since (size, inode, time of change), that is given again, but for description. Throws the Failure
/// that the helper met, InUse among them, Failure(input_output) when the file crashed it or held it up, Failure(stopped) when the
/// program was asked to stop.
nlohmann::ordered_json probe(const ProbeArguments &arguments);

}  // namespace hdf5
}  // namespace perdure

#include "solver/hdf5/read_dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "solver/failure.hpp"
#include "solver/hdf5/open_dataset.hpp"
#include "solver/hdf5/probe.hpp"
#include "solver/hdf5/read_slabs.hpp"

namespace perdure {
namespace {

void require_shape(const hdf5::OpenDataset &source, const std::vector<std::int64_t> &expected) {
    if (source.shape == expected) {
        return;
    }
    std::string message = fmt::format("{} has shape {}; {} is needed (slowest axis first)", source.place,
                                      hdf5::shape_text(source.shape), hdf5::shape_text(expected));
    if (std::equal(source.shape.begin(), source.shape.end(), expected.rbegin(), expected.rend())) {
        message += "; its axes look reversed";
    }
    throw Failure(ExitCode::bad_input, message);
}

template <typename Number>
void read(const std::filesystem::path &file, const std::string &name, const std::vector<std::int64_t> &shape,
          const std::function<void(std::span<const Number>, std::int64_t)> &use) {
    const hdf5::Handle open = hdf5::open_file(file);
    const hdf5::OpenDataset source = hdf5::open_dataset(open, file, name);
    if (std::is_integral_v<Number> && source.kind != hdf5::NumberKind::integer) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("{} holds {}; labels have to be integers", source.place, source.type));
    }
    require_shape(source, shape);
    hdf5::for_each_slab<Number>(source, use);
}

// The helper has read the same just before.
template <typename Number>
void read_probed(const std::filesystem::path &file, const std::string &name,
                 const std::vector<std::int64_t> &shape,
                 const std::function<void(std::span<const Number>, std::int64_t)> &use) {
    try {
        read<Number>(file, name, shape, use);
    } catch (const hdf5::Error &error) {
        throw Failure(ExitCode::input_output,
                      fmt::format("'{}' is damaged: {}", file.string(), error.what()));
    }
}

}  // namespace

void hdf5::check_dataset(const std::filesystem::path &file, const std::string &dataset,
                         const std::vector<std::int64_t> &shape, bool labels) {
    if (labels) {
        read<std::int64_t>(file, dataset, shape, [](std::span<const std::int64_t>, std::int64_t) {});
    } else {
        read<double>(file, dataset, shape, [](std::span<const double>, std::int64_t) {});
    }
}

Dataset read_dataset(const std::filesystem::path &file, const std::string &dataset,
                     const std::vector<std::int64_t> &shape) {
    hdf5::probe({hdf5::ProbeRequest::numbers, file, dataset, shape});
    std::vector<double> values;
    read_probed<double>(file, dataset, shape, [&](std::span<const double> slab, std::int64_t /*first*/) {
        values.insert(values.end(), slab.begin(), slab.end());
    });
    return {shape, std::move(values)};
}

void read_labels(const std::filesystem::path &file, const std::string &dataset,
                 const std::vector<std::int64_t> &shape,
                 const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use) {
    hdf5::probe({hdf5::ProbeRequest::labels, file, dataset, shape});
    read_probed<std::int64_t>(file, dataset, shape, use);
}

}  // namespace perdure

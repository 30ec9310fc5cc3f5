#include "solver/hdf5/read_dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>

#include "solver/failure.hpp"
#include "solver/hdf5/open_dataset.hpp"
#include "solver/hdf5/probe.hpp"
#include "solver/hdf5/read_slabs.hpp"
#include "solver/hdf5/stored_values.hpp"
#include "solver/hdf5/unwritten.hpp"
#include "solver/problem/memory_arrays.hpp"
#include "solver/time_spent.hpp"

namespace perdure {
namespace {

void require_shape(const std::string &place, const std::vector<std::int64_t> &shape,
                   const std::vector<std::int64_t> &expected) {
    if (shape == expected) {
        return;
    }
    std::string message = fmt::format("{} has shape {}; expected {} (slowest axis first)", place,
                                      hdf5::shape_text(shape), hdf5::shape_text(expected));
    if (std::equal(shape.begin(), shape.end(), expected.rbegin(), expected.rend())) {
        message += "; its axes seem to be in reversed order";
    }
    if (shape.size() == expected.size() + 1 &&
        std::equal(expected.begin(), expected.end(), shape.begin() + 1)) {
        message += fmt::format(
            "; its first axis seems to be {} snapshots in time. To get one file per snapshot, run that case "
            "with output.series: files",
            shape.front());
    }
    throw Failure(ExitCode::bad_input, message);
}

void require_shape(const hdf5::OpenDataset &source, const std::vector<std::int64_t> &expected) {
    const hdf5::Handle space(H5Dget_space(source.dataset), H5Sclose, "read the shape of " + source.place);
    if (H5Sget_simple_extent_type(space) == H5S_NULL) {
        throw Failure(ExitCode::bad_input, source.place + " is empty: it has no shape and no values");
    }
    require_shape(source.place, source.shape, expected);
}

const MemoryArray &find_array(const std::string &name, const std::vector<std::int64_t> &shape) {
    const MemoryArray &array = MemoryArrays::find(name);
    require_shape(place_of(array), array.shape, shape);
    return array;
}

/// Opens the dataset and checks all but its values.
template <typename Number>
hdf5::OpenDataset open_checked(hid_t open, const std::filesystem::path &file, const std::string &name,
                               const std::vector<std::int64_t> &shape) {
    hdf5::OpenDataset source = hdf5::open_dataset(open, file, name);
    if (std::is_integral_v<Number> && source.kind != hdf5::NumberKind::integer) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("{} holds {}, but labels must be integers", source.place, source.type));
    }
    require_shape(source, shape);
    return source;
}

/// A warning about values that were never written, or nothing. Throws Failure(bad_input) where labels would be made up.
std::string check_written(const hdf5::OpenDataset &source, bool labels) {
    const auto unwritten = hdf5::find_unwritten(source);
    if (!unwritten || unwritten->filled_on_purpose) {
        return {};
    }
    const std::string found =
        fmt::format("{}: {}; they read as {}", source.place, unwritten->what, unwritten->reads_as);
    if (labels) {
        throw Failure(ExitCode::bad_input,
                      found +
                          ", which nobody has set as a label; write them, or, if this is their label, set it "
                          "as the fill value when you create the dataset");
    }
    return found + "; write them, or, if this is intended, set a fill value when you create the dataset";
}

template <typename Number>
std::string check_values_of(const std::filesystem::path &file, const std::string &name,
                            const std::vector<std::int64_t> &shape, bool labels) {
    const hdf5::File open = hdf5::open_file(file);
    const hdf5::OpenDataset source = open_checked<Number>(open, file, name, shape);
    std::string warning = check_written(source, labels);
    if (const auto stored = hdf5::StoredValues::find(source)) {
        stored->look_up_all();
    } else {
        hdf5::for_each_slab<Number>(source, [](std::span<const Number>, std::int64_t) {});
    }
    return warning;
}

/// The helper has tried the same calls of the library just before.
template <typename Number>
void read_probed(const std::filesystem::path &file, const std::string &name,
                 const std::vector<std::int64_t> &shape,
                 const std::function<void(const hdf5::OpenDataset &)> &read) {
    try {
        const hdf5::File open = hdf5::open_file(file);
        read(open_checked<Number>(open, file, name, shape));
    } catch (const hdf5::Error &error) {
        throw Failure(ExitCode::input_output,
                      fmt::format("'{}' is damaged: {}", file.string(), error.what()));
    }
}

}  // namespace

std::string hdf5::check_dataset(const std::filesystem::path &file, const std::string &dataset,
                                const std::vector<std::int64_t> &shape, bool labels) {
    return labels ? check_values_of<std::int64_t>(file, dataset, shape, true)
                  : check_values_of<double>(file, dataset, shape, false);
}

Dataset read_dataset(const std::filesystem::path &file, const std::string &dataset,
                     const std::vector<std::int64_t> &shape) {
    const TimeSpent::Scope reading(Activity::read);
    if (is_of_memory(file)) {
        return {shape, values_of(find_array(dataset, shape)), ""};
    }
    const auto warning = hdf5::probe({hdf5::ProbeRequest::numbers, file, dataset, shape});
    LargeVector<double> values;
    read_probed<double>(file, dataset, shape, [&](const hdf5::OpenDataset &source) {
        values.resize(static_cast<std::size_t>(
            std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())));
        if (const auto stored = hdf5::StoredValues::find(source)) {
            stored->read(values.data());
        } else {
            hdf5::read_slabs(source, values.data());
        }
    });
    return {shape, std::move(values), warning.get<std::string>()};
}

void read_labels(const std::filesystem::path &file, const std::string &dataset,
                 const std::vector<std::int64_t> &shape,
                 const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use) {
    const TimeSpent::Scope reading(Activity::read);
    if (is_of_memory(file)) {
        for_each_label_of(find_array(dataset, shape), use);
        return;
    }
    hdf5::probe({hdf5::ProbeRequest::labels, file, dataset, shape});
    read_probed<std::int64_t>(file, dataset, shape, [&](const hdf5::OpenDataset &source) {
        if (const auto stored = hdf5::StoredValues::find(source)) {
            stored->for_each_run(use);
        } else {
            hdf5::for_each_slab<std::int64_t>(source, use);
        }
    });
}

std::vector<std::int64_t> shape_of_dataset(const std::filesystem::path &file, const std::string &dataset) {
    const TimeSpent::Scope reading(Activity::read);
    if (is_of_memory(file)) {
        return MemoryArrays::find(dataset).shape;
    }
    return hdf5::probe({hdf5::ProbeRequest::shape, file, dataset, {}}).get<std::vector<std::int64_t>>();
}

}  // namespace perdure

#include "solver/hdf5/unwritten.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace perdure::hdf5 {
namespace {

using Shape = std::vector<hsize_t>;

struct FillValue {
    double value = 0.0;
    bool set_on_purpose = false;
};

FillValue fill_value(hid_t properties, const std::string &place) {
    H5D_fill_value_t defined = H5D_FILL_VALUE_DEFAULT;
    check(H5Pfill_value_defined(properties, &defined), "read the fill value of " + place);
    FillValue fill{0.0, defined == H5D_FILL_VALUE_USER_DEFINED};
    if (defined != H5D_FILL_VALUE_UNDEFINED) {
        check(H5Pget_fill_value(properties, H5T_NATIVE_DOUBLE, &fill.value),
              "read the fill value of " + place);
    }
    return fill;
}

/// H5Dget_chunk_storage_size() searches the index; H5Dget_chunk_info_by_coord() runs through it from its beginning.
bool is_allocated(hid_t dataset, const Shape &offset) {
    hsize_t bytes = 0;
    const bool found = H5Dget_chunk_storage_size(dataset, offset.data(), &bytes) >= 0;
    H5Eclear2(H5E_DEFAULT);
    return found && bytes > 0;
}

/// Advances `offset` to the next chunk, the last axis fastest; false behind the last one.
bool to_next_chunk(Shape &offset, const Shape &chunk, const OpenDataset &source) {
    for (std::size_t axis = offset.size(); axis-- > 0;) {
        offset[axis] += chunk[axis];
        if (offset[axis] < static_cast<hsize_t>(source.shape[axis])) {
            return true;
        }
        offset[axis] = 0;
    }
    return false;
}

std::string index_ranges(const Shape &offset, const Shape &chunk, const OpenDataset &source) {
    std::vector<std::string> ranges;
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
        ranges.push_back(
            fmt::format("{}:{}", offset[axis],
                        std::min(offset[axis] + chunk[axis], static_cast<hsize_t>(source.shape[axis]))));
    }
    return fmt::format("[{}]", fmt::join(ranges, ", "));
}

/// Empty when every chunk is there.
std::string missing_chunks(hid_t properties, const OpenDataset &source) {
    Shape chunk(source.shape.size());
    check(H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "read the chunk shape");
    hsize_t needed = 1;
    for (std::size_t axis = 0; axis < chunk.size(); ++axis) {
        needed *= (static_cast<hsize_t>(source.shape[axis]) + chunk[axis] - 1) / chunk[axis];
    }
    const Handle space(H5Dget_space(source.dataset), H5Sclose, "read " + source.place);
    hsize_t allocated = 0;
    check(H5Dget_num_chunks(source.dataset, space, &allocated), "count the chunks of " + source.place);
    if (allocated >= needed) {
        return {};
    }
    Shape offset(chunk.size(), 0);
    while (is_allocated(source.dataset, offset)) {
        if (!to_next_chunk(offset, chunk, source)) {
            throw Error(fmt::format("the chunk index of {} is inconsistent", source.place));
        }
    }
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    unsigned filters = 0;
    check(H5Dget_chunk_info_by_coord(source.dataset, offset.data(), &filters, &address, &bytes),
          "look for a chunk of " + source.place);
    if (address != HADDR_UNDEF) {
        throw Error(fmt::format("the chunk index of {} is inconsistent", source.place));
    }
    return fmt::format("{} of {} chunks were never written, the first at {}", needed - allocated, needed,
                       index_ranges(offset, chunk, source));
}

std::string missing_storage(hid_t properties, const OpenDataset &source) {
    const H5D_layout_t layout = check(H5Pget_layout(properties), "read the layout");
    if (layout == H5D_CHUNKED) {
        return missing_chunks(properties, source);
    }
    H5D_space_status_t status = H5D_SPACE_STATUS_ALLOCATED;
    check(H5Dget_space_status(source.dataset, &status), "read the storage of " + source.place);
    const bool written = layout == H5D_COMPACT || status == H5D_SPACE_STATUS_ALLOCATED;
    return written ? "" : "none of its values was ever written";
}

}  // namespace

std::optional<Unwritten> find_unwritten(const OpenDataset &source) {
    if (std::find(source.shape.begin(), source.shape.end(), 0) != source.shape.end()) {
        return std::nullopt;
    }
    const Handle properties(H5Dget_create_plist(source.dataset), H5Pclose,
                            "read the properties of " + source.place);
    const std::string what = missing_storage(properties, source);
    if (what.empty()) {
        return std::nullopt;
    }
    const FillValue fill = fill_value(properties, source.place);
    return Unwritten{what, fmt::format("{}", fill.value), fill.set_on_purpose && !std::isnan(fill.value)};
}

}  // namespace perdure::hdf5

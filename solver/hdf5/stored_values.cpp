#include "solver/hdf5/stored_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

namespace perdure::hdf5 {
namespace {

constexpr std::size_t most_chunk_bytes = std::size_t{1} << 26U;

/// The types of files that are the processor's.
const std::array<std::pair<StoredNumber, hid_t>, 10> &native_numbers() {
    static const std::array<std::pair<StoredNumber, hid_t>, 10> numbers{{
        {StoredNumber::int8, H5T_NATIVE_INT8},
        {StoredNumber::int16, H5T_NATIVE_INT16},
        {StoredNumber::int32, H5T_NATIVE_INT32},
        {StoredNumber::int64, H5T_NATIVE_INT64},
        {StoredNumber::uint8, H5T_NATIVE_UINT8},
        {StoredNumber::uint16, H5T_NATIVE_UINT16},
        {StoredNumber::uint32, H5T_NATIVE_UINT32},
        {StoredNumber::uint64, H5T_NATIVE_UINT64},
        {StoredNumber::float32, H5T_NATIVE_FLOAT},
        {StoredNumber::float64, H5T_NATIVE_DOUBLE},
    }};
    return numbers;
}

}  // namespace

StoredValues::StoredValues(const OpenDataset &source) : source_(source) {}

std::optional<StoredValues> StoredValues::find(const OpenDataset &source) {
    StoredValues found(source);
    const Handle properties(H5Dget_create_plist(source.dataset), H5Pclose,
                            "read the layout of " + source.place);
    const H5D_layout_t layout = check(H5Pget_layout(properties), "read the layout of " + source.place);
    const bool can = !source.shape.empty() && found.count() > 0 && found.find_number() &&
                     (layout == H5D_CONTIGUOUS ? found.find_piece()
                                               : layout == H5D_CHUNKED && found.find_chunks(properties));
    return can ? std::optional(std::move(found)) : std::nullopt;
}

bool StoredValues::find_number() {
    const std::string action = "read the type of " + source_.place;
    Handle type(H5Dget_type(source_.dataset), H5Tclose, action);
    const bool is_enumeration = check(H5Tget_class(type), action) == H5T_ENUM;
    const Handle of_values(is_enumeration ? H5Tget_super(type) : H5Tcopy(type), H5Tclose, action);
    const auto &numbers = native_numbers();
    const auto same = std::find_if(numbers.begin(), numbers.end(), [&](const auto &candidate) {
        return check(H5Tequal(of_values, candidate.second), action) > 0;
    });
    if (same == numbers.end()) {
        return false;
    }
    number_ = same->first;
    bytes_per_value_ = H5Tget_size(of_values);
    return true;
}

bool StoredValues::find_piece() {
    begin_ = H5Dget_offset(source_.dataset);
    if (begin_ == HADDR_UNDEF) {
        H5Eclear2(H5E_DEFAULT);
        return false;
    }
    const hsize_t bytes = H5Dget_storage_size(source_.dataset);
    const Handle file(H5Iget_file_id(source_.dataset), H5Fclose, "look for the file of " + source_.place);
    void *descriptor = nullptr;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0 || descriptor == nullptr) {
        H5Eclear2(H5E_DEFAULT);
        return false;
    }
    file_ = *static_cast<const int *>(descriptor);
    return bytes == static_cast<hsize_t>(count()) * bytes_per_value_;
}

bool StoredValues::find_chunks(hid_t properties) {
    const std::string action = "read the chunks of " + source_.place;
    chunk_.resize(source_.shape.size());
    check(H5Pget_chunk(properties, static_cast<int>(chunk_.size()), chunk_.data()), action);
    unsigned options = 0;
    check(H5Pget_chunk_opts(properties, &options), action);
    double bytes = static_cast<double>(bytes_per_value_);
    for (const hsize_t extent : chunk_) {
        bytes *= static_cast<double>(extent);
    }
    if (options != 0 || bytes > static_cast<double>(most_chunk_bytes) || !find_filters(properties)) {
        return false;
    }
    const Handle space(H5Dget_space(source_.dataset), H5Sclose, action);
    hsize_t written = 0;
    check(H5Dget_num_chunks(source_.dataset, space, &written), action);
    return written == static_cast<hsize_t>(chunk_count());
}

bool StoredValues::find_filters(hid_t properties) {
    const int filters = check(H5Pget_nfilters(properties), "read the filters of " + source_.place);
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0;
        std::size_t parameters = 1;
        unsigned parameter = 0;
        const H5Z_filter_t filter = check(H5Pget_filter2(properties, static_cast<unsigned>(i), &flags,
                                                         &parameters, &parameter, 0, nullptr, nullptr),
                                          "read a filter of " + source_.place);
        const bool is_shuffle = filter == H5Z_FILTER_SHUFFLE && parameter == bytes_per_value_;
        if (!is_shuffle && filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_FLETCHER32) {
            return false;
        }
        filters_.push_back(is_shuffle                     ? ChunkFilter::shuffle
                           : filter == H5Z_FILTER_DEFLATE ? ChunkFilter::deflate
                                                          : ChunkFilter::fletcher32);
    }
    return std::is_sorted(filters_.begin(), filters_.end(), std::less_equal<>());
}

std::int64_t StoredValues::count() const {
    return std::accumulate(source_.shape.begin(), source_.shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t StoredValues::chunk_count() const {
    std::int64_t chunks = 1;
    for (std::size_t axis = 0; axis < chunk_.size(); ++axis) {
        const auto extent = static_cast<std::int64_t>(chunk_[axis]);
        chunks *= (source_.shape[axis] + extent - 1) / extent;
    }
    return chunks;
}

std::vector<hsize_t> StoredValues::chunk_origin(std::int64_t chunk) const {
    std::vector<hsize_t> origin(chunk_.size());
    for (std::size_t axis = chunk_.size(); axis-- > 0;) {
        const auto extent = static_cast<std::int64_t>(chunk_[axis]);
        const std::int64_t along = (source_.shape[axis] + extent - 1) / extent;
        origin[axis] = static_cast<hsize_t>(chunk % along * extent);
        chunk /= along;
    }
    return origin;
}

std::size_t StoredValues::bytes_of_chunk(const std::vector<hsize_t> &origin) const {
    hsize_t bytes = 0;
    check(H5Dget_chunk_storage_size(source_.dataset, origin.data(), &bytes),
          "look for a chunk of " + source_.place);
    if (bytes > 2 * most_chunk_bytes) {
        throw Error(fmt::format("cannot read {}: a chunk takes {} bytes", source_.place, bytes));
    }
    return static_cast<std::size_t>(bytes);
}

void StoredValues::look_up_all() const {
    for (std::int64_t chunk = 0; !chunk_.empty() && chunk < chunk_count(); ++chunk) {
        (void)bytes_of_chunk(chunk_origin(chunk));
    }
}

}  // namespace perdure::hdf5

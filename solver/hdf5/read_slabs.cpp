#include "solver/hdf5/read_slabs.hpp"

#include <algorithm>
#include <numeric>

#include "solver/failure.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::int64_t usual_slab = 1 << 22;    // values
constexpr std::int64_t largest_slab = 1 << 26;  // values, where thick chunks ask for it

// An integer beyond the memory type would be clipped silently.
H5T_conv_ret_t refuse_out_of_range(H5T_conv_except_t exception, hid_t /*source*/, hid_t /*target*/,
                                   void * /*from*/, void * /*to*/, void *out_of_range) noexcept {
    if (exception == H5T_CONV_EXCEPT_RANGE_HI || exception == H5T_CONV_EXCEPT_RANGE_LOW) {
        *static_cast<bool *>(out_of_range) = true;
        return H5T_CONV_ABORT;
    }
    return H5T_CONV_UNHANDLED;
}

std::int64_t chunk_thickness(hid_t dataset, std::size_t rank) {
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose, "read the layout");
    if (H5Pget_layout(properties) != H5D_CHUNKED) {
        return 1;
    }
    std::vector<hsize_t> chunk(rank);
    check(H5Pget_chunk(properties, static_cast<int>(rank), chunk.data()), "read the chunk shape");
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(chunk.front()));
}

}  // namespace

std::int64_t slice_of(const OpenDataset &source) {
    return source.shape.empty() ? 1
                                : std::accumulate(source.shape.begin() + 1, source.shape.end(),
                                                  std::int64_t{1}, std::multiplies<>());
}

std::int64_t slab_thickness(const OpenDataset &source) {
    if (source.shape.empty()) {
        return 1;
    }
    const std::int64_t slice = std::max<std::int64_t>(1, slice_of(source));
    const std::int64_t chunk = chunk_thickness(source.dataset, source.shape.size());
    const std::int64_t most = std::max<std::int64_t>(1, largest_slab / slice);
    const std::int64_t usual = std::max<std::int64_t>(1, usual_slab / slice);
    const std::int64_t whole_chunks = (usual + chunk - 1) / chunk * chunk;
    return std::min(whole_chunks, most);
}

void read_slab(const OpenDataset &source, std::int64_t first, std::int64_t thickness, hid_t memory_type,
               void *values) {
    const Handle file_space(H5Dget_space(source.dataset), H5Sclose, "read " + source.place);
    std::vector<hsize_t> start(source.shape.size(), 0);
    std::vector<hsize_t> count(source.shape.begin(), source.shape.end());
    if (!source.shape.empty()) {
        start.front() = static_cast<hsize_t>(first);
        count.front() = static_cast<hsize_t>(thickness);
        check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
              "select a part of " + source.place);
    }
    const Handle memory_space(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                              H5Sclose, "read " + source.place);
    const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "read " + source.place);
    bool out_of_range = false;
    if (memory_type == H5T_NATIVE_INT64) {
        check(H5Pset_type_conv_cb(transfer, refuse_out_of_range, &out_of_range), "read " + source.place);
    }
    const herr_t result = H5Dread(source.dataset, memory_type, memory_space, file_space, transfer, values);
    if (out_of_range) {
        H5Eclear2(H5E_DEFAULT);
        throw Failure(ExitCode::bad_input,
                      source.place + " holds an integer that does not fit into 64 bits with a sign");
    }
    check(result, "read " + source.place);
}

void for_each_slab_of(const OpenDataset &source, std::int64_t from,
                      const std::function<void(std::int64_t, std::int64_t)> &use) {
    const std::int64_t slices = source.shape.empty() ? 1 : source.shape.front();
    const std::int64_t thickness = slab_thickness(source);
    for (std::int64_t first = from; first < slices && slice_of(source) > 0; first += thickness) {
        use(first, std::min(thickness, slices - first));
    }
}

void read_slabs(const OpenDataset &source, double *to) {
    for_each_slab_of(source, 0, [&](std::int64_t first, std::int64_t count) {
        read_slab(source, first, count, H5T_NATIVE_DOUBLE, to + first * slice_of(source));
    });
}

}  // namespace perdure::hdf5

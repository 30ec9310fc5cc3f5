#include "tests/fuzz/hdf5_recipe.hpp"
#include "tests/fuzz/scratch_folder.hpp"

#include <fmt/format.h>

#include <array>

namespace perdure::fuzz {
namespace {

using hdf5::Handle;

/// A type of the table; of the last ones a new one, closed by the caller.
hid_t make_type(std::size_t number) {
    const std::array plain{H5T_IEEE_F64LE,     H5T_STD_U8LE,    H5T_STD_I64LE, H5T_IEEE_F32BE,
                           H5T_STD_U64BE,      H5T_STD_I16LE,   H5T_STD_I32BE, H5T_STD_U64LE,
                           H5T_NATIVE_LDOUBLE, H5T_STD_REF_OBJ, H5T_STD_B8LE,  H5T_C_S1};
    if (number < plain.size()) {
        return H5Tcopy(plain[number]);
    }
    hid_t type = -1;
    switch (number - plain.size()) {
        case 0: {
            type = H5Tenum_create(H5T_STD_U8LE);
            for (const char *name : {"pore", "solid"}) {
                const char value = *name;
                H5Tenum_insert(type, name, &value);
            }
            return type;
        }
        case 1:
            type = H5Tcreate(H5T_COMPOUND, 16);
            H5Tinsert(type, "re", 0, H5T_IEEE_F64LE);
            H5Tinsert(type, "im", 8, H5T_IEEE_F64LE);
            return type;
        case 2:
            return H5Tvlen_create(H5T_IEEE_F32LE);
        case 3: {
            const hsize_t three = 3;
            return H5Tarray_create2(H5T_STD_U8LE, 1, &three);
        }
        case 4:  // an integer of 5 bits in 2 bytes
            type = H5Tcopy(H5T_STD_U16LE);
            H5Tset_precision(type, 5);
            H5Tset_offset(type, 3);
            return type;
        case 5:  // half precision
            type = H5Tcopy(H5T_IEEE_F32LE);
            H5Tset_fields(type, 15, 10, 5, 0, 10);
            H5Tset_size(type, 2);
            H5Tset_ebias(type, 15);
            return type;
        case 6:
            return H5Tcreate(H5T_OPAQUE, 4);
        default:
            type = H5Tcopy(H5T_C_S1);
            H5Tset_size(type, H5T_VARIABLE);
            return type;
    }
}

constexpr std::size_t type_count = 20;

Handle creation_properties(Bytes &recipe, std::size_t rank, hid_t type, std::vector<hsize_t> &most) {
    Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make properties");
    const std::size_t layout = recipe.below(8);
    const std::uint8_t chunk = recipe.byte();
    const std::uint8_t filters = recipe.byte();
    const std::uint8_t filling = recipe.byte();
    const bool number = H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT;
    if (layout == 1) {
        H5Pset_layout(properties, H5D_COMPACT);
    } else if (layout >= 2 && layout < 6 && rank > 0) {
        std::vector<hsize_t> chunks(rank);
        for (std::size_t axis = 0; axis < rank; ++axis) {
            chunks[axis] = 1U + (chunk >> 2 * axis & 3U);
        }
        H5Pset_chunk(properties, static_cast<int>(rank), chunks.data());
        for (std::size_t axis = 0; axis < rank && axis + 2 < layout; ++axis) {
            most[axis] = H5S_UNLIMITED;
        }
        const std::array<unsigned, 6> bits{1, 2, 4, 8, 16, 32};
        if ((filters & bits[0]) != 0)
            H5Pset_shuffle(properties);
        if ((filters & bits[1]) != 0 && number)
            H5Pset_nbit(properties);
        if ((filters & bits[2]) != 0 && number)
            H5Pset_scaleoffset(properties, H5Z_SO_INT, 0);
        if ((filters & bits[3]) != 0)
            H5Pset_deflate(properties, 1);
        if ((filters & bits[4]) != 0)
            H5Pset_fletcher32(properties);
        constexpr H5Z_filter_t nobodys = 305;
        if ((filters & bits[5]) != 0)
            H5Pset_filter(properties, nobodys, H5Z_FLAG_OPTIONAL, 0, nullptr);
    } else if (layout == 6) {
        H5Pset_external(properties, (scratch_folder() / "elsewhere").c_str(), 0, H5F_UNLIMITED);
    } else if (layout == 7 && rank > 0) {
        const std::vector<hsize_t> extent(rank, 2);
        const Handle space(H5Screate_simple(static_cast<int>(rank), extent.data(), nullptr), H5Sclose,
                           "make a space");
        H5Pset_virtual(properties, space, "elsewhere.h5", "/image", space);
    }
    const std::array<double, 2> value{3.0, 0.0};
    if (filling % 3 == 1 && number) {
        H5Pset_fill_value(properties, type, value.data());
    } else if (filling % 3 == 2) {
        H5Pset_fill_value(properties, type, nullptr);
    }
    constexpr std::array times{H5D_ALLOC_TIME_DEFAULT, H5D_ALLOC_TIME_EARLY, H5D_ALLOC_TIME_LATE,
                               H5D_ALLOC_TIME_INCR};
    H5Pset_alloc_time(properties, times[filling / 3 % 4U]);
    return properties;
}

void add_attributes(hid_t object, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const hid_t type = make_type((7 * i) % type_count);
        const hsize_t extent = i % 3;
        const hid_t space = i % 4 == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &extent, nullptr);
        const hid_t attribute =
            H5Acreate2(object, fmt::format("attribute{}", i).c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
        const std::array<double, 8> zeros{};
        if (H5Tget_class(type) != H5T_VLEN && H5Tis_variable_str(type) == 0) {
            H5Awrite(attribute, type, zeros.data());
        }
        H5Aclose(attribute);
        H5Sclose(space);
        H5Tclose(type);
    }
}

void add_groups(hid_t file, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        H5Gclose(H5Gcreate2(file, fmt::format("group{}", i).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
}

void write_values(hid_t dataset, hid_t type, const std::vector<hsize_t> &extent, std::size_t how) {
    const H5T_class_t kind = H5Tget_class(type);
    const bool number = kind == H5T_INTEGER || kind == H5T_FLOAT;
    if (how == 1 || !number) {
        return;
    }
    const std::vector<double> values(256, 1.5);
    const Handle space(H5Dget_space(dataset), H5Sclose, "take the space");
    const Handle memory(H5Scopy(space), H5Sclose, "copy the space");
    if (how == 2 && !extent.empty()) {  // the first layer alone
        const std::vector<hsize_t> start(extent.size(), 0);
        std::vector<hsize_t> count = extent;
        count.front() = 1;
        for (const hid_t part : {hid_t{space}, hid_t{memory}}) {
            H5Sselect_hyperslab(part, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
        }
    }
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data());
}

/// Makes the dataset and what stands beside it; gives the path under which it is to be read.
std::string fill_file(hid_t file, Bytes &recipe, std::vector<hsize_t> &extent) {
    const std::size_t rank = recipe.below(4);
    const std::uint8_t extents = recipe.byte();
    for (std::size_t axis = 0; axis < rank; ++axis) {
        extent.push_back(extents == 0xff ? 0 : 1U + (extents >> 2 * axis & 3U));
    }
    std::vector<hsize_t> most = extent;
    const Handle type(make_type(recipe.below(type_count)), H5Tclose, "make a type");
    const Handle properties = creation_properties(recipe, rank, type, most);
    const Handle space(rank == 0 ? H5Screate(H5S_SCALAR)
                                 : H5Screate_simple(static_cast<int>(rank), extent.data(), most.data()),
                       H5Sclose, "make a space");
    add_groups(file, recipe.below(24));
    const std::size_t place = recipe.below(6);
    const std::string path = place % 2 == 0 ? "/image" : "/outer/inner/image";
    if (place % 2 != 0) {
        H5Gclose(H5Gcreate2(file, "/outer", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Gclose(H5Gcreate2(file, "/outer/inner", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    const Handle dataset(H5Dcreate2(file, path.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                         H5Dclose, "create the dataset");
    write_values(dataset, type, extent, recipe.below(3));
    add_attributes(dataset, recipe.below(12));
    add_attributes(file, recipe.below(12));
    H5Lcreate_soft(path.c_str(), file, "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("elsewhere.h5", "/image", file, "external", H5P_DEFAULT, H5P_DEFAULT);
    const std::array<std::string, 8> asked{path, path, path, path, "/soft", "external", "/imagf", "/"};
    return recipe.pick(asked);
}

}  // namespace

Image file_image(unsigned version, const std::function<void(hid_t)> &fill) {
    hdf5::prepare_library();
    H5set_free_list_limits(-1, -1, -1, -1, -1,
                           -1);  // a file's cache of 2 MB, for example, is kept for the next file
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make properties");
    constexpr std::size_t growth = 1 << 12;
    H5Pset_fapl_core(access, growth, false);
    constexpr std::array versions{H5F_LIBVER_EARLIEST, H5F_LIBVER_V18, H5F_LIBVER_LATEST};
    const H5F_libver_t lowest = versions[version % versions.size()];
    H5Pset_libver_bounds(access, lowest, version == 1 ? H5F_LIBVER_V18 : H5F_LIBVER_LATEST);
    const Handle file(H5Fcreate("made", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "create a file");
    try {
        fill(file);
    } catch (const hdf5::Error &) {  // what the library refuses to make is not there
    }
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    Image image(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)));
    H5Fget_file_image(file, image.data(), image.size());
    H5Eclear2(H5E_DEFAULT);
    return image;
}

Sample make_sample(Bytes recipe) {
    Sample sample;
    std::vector<hsize_t> extent;
    sample.dataset = "/image";
    const auto version = static_cast<unsigned>(recipe.below(3));
    sample.file =
        WholeFile(file_image(version, [&](hid_t file) { sample.dataset = fill_file(file, recipe, extent); }));
    sample.shape.assign(extent.begin(), extent.end());
    return sample;
}

}  // namespace perdure::fuzz

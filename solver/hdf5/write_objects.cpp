#include "solver/hdf5/write_objects.hpp"

#include <hdf5_hl.h>

#include <type_traits>

#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/encode_file.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/hdf5/write_chunks.hpp"

namespace perdure::hdf5 {
namespace {

template <typename Number>
hid_t file_type() {
    if constexpr (std::is_same_v<Number, float>) {
        return H5T_IEEE_F32LE;
    } else if constexpr (std::is_same_v<Number, double>) {
        return H5T_IEEE_F64LE;
    } else {
        return H5T_STD_I64LE;
    }
}

/// For lists of text, which the library converts through memory of its own: unless it is told otherwise it fetches 1 MiB for each list
/// and gives it back.
Handle transfer_of_lists(const std::string &action) {
    constexpr std::size_t bytes = 1 << 16;
    Handle properties(H5Pcreate(H5P_DATASET_XFER), H5Pclose, action);
    check(H5Pset_buffer(properties, bytes, nullptr, nullptr), action);
    return properties;
}

Handle space_of(const Extent &extent, const hsize_t *largest, const std::string &action) {
    return {extent.empty() ? H5Screate(H5S_SCALAR)
                           : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), largest),
            H5Sclose, action};
}

void set_attribute(hid_t object, const Attribute &attribute) {
    const char *const name = attribute.name.c_str();
    std::visit(
        [&](const auto &list) {
            if constexpr (std::is_same_v<std::decay_t<decltype(list)>, AsciiText>) {
                write_ascii_attribute(object, name, list.text);
            } else if (attribute.values.extent.empty()) {
                write_attribute(object, name, list.front());
            } else {
                write_attribute(object, name, list);
            }
        },
        attribute.values.list);
}

Handle write_values(hid_t parent, const Object &object, const Values &values) {
    const std::string action = "write " + object.path;
    const Handle space = space_of(values.extent, nullptr, action);
    const auto write = [&](hid_t type, hid_t memory_type, std::size_t count, const void *data) {
        Handle dataset(H5Dcreate2(parent, object.name.c_str(), type, space, H5P_DEFAULT, dataset_properties(),
                                  H5P_DEFAULT),
                       H5Dclose, action);
        if (count > 0) {
            check(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, transfer_of_lists(action), data), action);
        }
        return dataset;
    };
    return std::visit(
        [&](const auto &list) {
            using List = std::decay_t<decltype(list)>;
            if constexpr (std::is_same_v<List, AsciiText>) {
                const Handle type = ascii_text_type(list.text.size());
                return write(type, type, 1, list.text.data());
            } else if constexpr (std::is_same_v<List, std::vector<std::string>>) {
                const Handle type = variable_text_type();
                const std::vector<const char *> pointers = variable_texts(list);
                return write(type, type, pointers.size(), static_cast<const void *>(pointers.data()));
            } else {
                using Number = typename List::value_type;
                return write(file_type<Number>(), native_type<Number>(), list.size(), list.data());
            }
        },
        values.list);
}

/// In time chunks hold one time each, so that those of snapshots can be taken over as they are, and more times can follow.
Handle field_properties(const FieldStorage &field) {
    Handle properties = dataset_properties();
    if (!field.chunk.empty()) {
        Extent chunk = field.chunk;
        if (field.in_time) {
            chunk.insert(chunk.begin(), 1);
        }
        check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "set the chunk shape");
        // Else the library fills each chunk in a memory of its own before it takes the values that all of it has.
        check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), "leave out fill values");
    }
    if (field.level > 0) {
        check(H5Pset_shuffle(properties), "set the shuffle filter");
        check(H5Pset_deflate(properties, static_cast<unsigned>(field.level)), "set the deflate filter");
        check(H5Pset_fletcher32(properties), "set the checksum filter");
    }
    return properties;
}

template <typename Number>
Handle create_field(hid_t parent, const Object &object, const FieldStorage &field) {
    const std::string action = "write " + object.path;
    const Handle properties = field_properties(field);
    check(H5Pset_fill_value(properties, native_type<Number>(), &missing_value<Number>), action);
    Extent extent = field.extent, largest = field.extent;
    if (field.in_time) {
        extent.insert(extent.begin(), 0);
        largest.insert(largest.begin(), H5S_UNLIMITED);
    }
    const Handle space = space_of(extent, largest.data(), action);
    return {H5Dcreate2(parent, object.name.c_str(), file_type<Number>(), space, H5P_DEFAULT, properties,
                       H5P_DEFAULT),
            H5Dclose, action};
}

template <typename Number>
void write_field(hid_t dataset, const Object &object, const FieldStorage &field, const Number *numbers) {
    const std::string action = "write " + object.path;
    if (field.level == 0) {
        check(H5Dwrite(dataset, native_type<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), action);
        return;
    }
    write_chunks(dataset,
                 {reinterpret_cast<const unsigned char *>(numbers),
                  sizeof(Number),
                  field.extent,
                  field.chunk,
                  {reinterpret_cast<const unsigned char *>(&missing_value<Number>), sizeof(Number)},
                  field.level},
                 action);
}

void complete(hid_t file, hid_t dataset, const Object &object) {
    const std::string action = "write " + object.path;
    if (object.is_scale) {
        check(H5DSset_scale(dataset, object.name.c_str()), action);
    }
    for (const Attribute &attribute : object.attributes) {
        set_attribute(dataset, attribute);
    }
    for (std::size_t axis = 0; axis < object.scales.size(); ++axis) {
        if (!object.scales[axis].empty()) {
            const Handle scale(H5Dopen2(file, object.scales[axis].c_str(), H5P_DEFAULT), H5Dclose, action);
            check(H5DSattach_scale(dataset, scale, static_cast<unsigned>(axis)), action);
        }
    }
    if (object.is_in_root_too) {
        const std::string link = "/" + object.name;
        check(H5Lcreate_hard(file, object.path.c_str(), file, link.c_str(), H5P_DEFAULT, H5P_DEFAULT),
              "link " + link);
    }
}

void write_dataset(hid_t file, hid_t parent, const Object &object) {
    const auto *const field = std::get_if<FieldStorage>(&object.data);
    if (field == nullptr) {
        Handle dataset = write_values(parent, object, std::get<Values>(object.data));
        complete(file, dataset, object);
        dataset.close("write " + object.path);
        return;
    }
    std::visit(
        [&](const auto &numbers) {
            using Number = typename std::decay_t<decltype(numbers)>::value_type;
            Handle dataset = create_field<Number>(parent, object, *field);
            complete(file, dataset, object);
            if (!field->in_time) {
                write_field(dataset, object, *field, numbers.data());
            }
            dataset.close("write " + object.path);
        },
        *field->values);
}

Handle group_of(hid_t parent, const Object &object) {
    const char *const name = object.name.c_str();
    const std::string action = "write the group " + object.path;
    if (check(H5Lexists(parent, name, H5P_DEFAULT), action) > 0) {
        return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose, action};
    }
    const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, action);
    check(H5Pset_obj_track_times(properties, false), action);
    return {H5Gcreate2(parent, name, H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose, action};
}

void write_members(hid_t file, hid_t group, const Object &object) {
    for (const Attribute &attribute : object.attributes) {
        set_attribute(group, attribute);
    }
    for (const auto &member : object.members) {
        if (!member->is_group()) {
            write_dataset(file, group, *member);
            continue;
        }
        Handle inner = group_of(group, *member);
        write_members(file, inner, *member);
        inner.close("write the group " + member->path);
    }
}

}  // namespace

Handle dataset_properties() {
    Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "describe a dataset");
    check(H5Pset_obj_track_times(properties, false), "describe a dataset");
    return properties;
}

void write_objects(hid_t file, const Object &root) {
    write_members(file, file, root);
}

void write_file(const std::filesystem::path &path, const Object &root) {
    if (const auto bytes = encode_file(root)) {
        create_file_of(path, *bytes);
        return;
    }
    File file = create_file(path);
    write_objects(file, root);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "write the file to its end");
    file.close("close the file");
}

}  // namespace perdure::hdf5

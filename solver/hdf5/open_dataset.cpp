#include "solver/hdf5/open_dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "solver/case_file/config.hpp"
#include "solver/failure.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::size_t most_names_compared = 1000;
constexpr std::size_t most_names_shown = 20;
constexpr std::size_t widest_number = 8;  // bytes

[[noreturn]] void refuse(const std::string &message) {
    throw Failure(ExitCode::bad_input, message);
}

constexpr std::ptrdiff_t deepest_group = 100;
constexpr std::size_t most_objects = 100000;

struct NameList {
    std::vector<std::string> names;
    std::size_t limit;
    std::size_t objects = 0;
    std::string refusal;
};

/// A damaged group can hold itself: without an end to depth and number, such a file is never read to its end.
herr_t keep_dataset(hid_t /*file*/, const char *name, const H5O_info_t *info, void *data) noexcept {
    auto *list = static_cast<NameList *>(data);
    const std::string_view path(name);
    if (std::count(path.begin(), path.end(), '/') > deepest_group) {
        list->refusal = fmt::format("its groups are nested more than {} levels deep", deepest_group);
    } else if (++list->objects > most_objects) {
        list->refusal = fmt::format("it holds more than {} groups and datasets", most_objects);
    }
    if (!list->refusal.empty()) {
        return -1;
    }
    if (info->type == H5O_TYPE_DATASET) {
        list->names.push_back(fmt::format("/{}", name));
    }
    return list->names.size() < list->limit ? 0 : 1;
}

[[noreturn]] void refuse_missing(hid_t file, const std::filesystem::path &path, const std::string &name) {
    const auto names = dataset_names(file, most_names_compared);
    std::string message = fmt::format("there is no dataset '{}' in '{}'", name, path.string());
    const std::string suggestion = closest(name.starts_with('/') ? name : '/' + name, names);
    if (!suggestion.empty()) {
        message += fmt::format("; did you mean '{}'?", suggestion);
    }
    if (names.empty()) {
        refuse(message + "; the file holds no datasets");
    }
    const auto shown = std::min(names.size(), most_names_shown);
    refuse(fmt::format("{}\n  datasets in the file: {}{}", message,
                       fmt::join(names.begin(), names.begin() + shown, ", "),
                       shown < names.size() ? ", ..." : ""));
}

std::vector<std::string> components(const std::string &name) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        if (end > begin) {
            parts.push_back(name.substr(begin, end - begin));
        }
        begin = end + 1;
    }
    return parts;
}

// Follows the path one link at a time, so that no link is followed before its kind is known.
void require_hard_links(hid_t file, const std::filesystem::path &path, const std::string &name) {
    std::string at;
    for (const std::string &part : components(name)) {
        if (!at.empty()) {
            H5O_info_t parent;
            check(H5Oget_info_by_name2(file, at.c_str(), &parent, H5O_INFO_BASIC, H5P_DEFAULT), "read " + at);
            if (parent.type != H5O_TYPE_GROUP) {
                refuse_missing(file, path, name);
            }
        }
        at += '/' + part;
        if (check(H5Lexists(file, at.c_str(), H5P_DEFAULT), "look for " + at) == 0) {
            refuse_missing(file, path, name);
        }
        H5L_info_t link;
        check(H5Lget_info(file, at.c_str(), &link, H5P_DEFAULT), "read the link " + at);
        if (link.type != H5L_TYPE_HARD) {
            refuse(
                fmt::format("'{}' in '{}' is {} link, but perdure follows only hard links; name the dataset "
                            "that it leads to, or copy that dataset into the file",
                            at, path.string(), link.type == H5L_TYPE_SOFT ? "a soft" : "an external"));
        }
    }
}

void require_own_storage(hid_t properties, const std::string &place) {
    if (check(H5Pget_layout(properties), "read the layout") == H5D_VIRTUAL) {
        refuse(place + " is virtual, that is, its values are in other files; copy it to an ordinary dataset");
    }
    if (check(H5Pget_external_count(properties), "read the storage") > 0) {
        refuse(place +
               " stores its values in another file (external storage); copy it to an ordinary dataset");
    }
}

void require_filters(hid_t properties, const std::string &place) {
    const int filters = check(H5Pget_nfilters(properties), "read the filters");
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0;
        std::size_t parameters = 0;
        unsigned configuration = 0;
        std::string name(64, '\0');
        const H5Z_filter_t filter =
            check(H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &parameters, nullptr,
                                 name.size(), name.data(), &configuration),
                  "read a filter");
        if (check(H5Zfilter_avail(filter), "look for a filter") == 0) {
            refuse(
                fmt::format("{} is compressed with filter {} ('{}'), which this HDF5 library lacks; rewrite "
                            "the file with: h5repack -f GZIP=4 IN OUT",
                            place, filter, name.c_str()));
        }
    }
}

NumberKind require_number(hid_t type, const std::string &place) {
    const H5T_class_t type_class = check(H5Tget_class(type), "read the type");
    const bool integer = type_class == H5T_INTEGER || type_class == H5T_ENUM;
    if ((!integer && type_class != H5T_FLOAT) || H5Tget_size(type) > widest_number) {
        refuse(fmt::format("{} holds {}; expected integers or floating-point numbers of at most 8 bytes",
                           place, type_name(type)));
    }
    return integer ? NumberKind::integer : NumberKind::real;
}

}  // namespace

OpenDataset open_dataset(hid_t file, const std::filesystem::path &path, const std::string &name) {
    require_hard_links(file, path, name);
    if (components(name).empty()) {
        refuse_missing(file, path, name);
    }
    H5O_info_t object;
    check(H5Oget_info_by_name2(file, name.c_str(), &object, H5O_INFO_BASIC, H5P_DEFAULT), "read " + name);
    if (object.type != H5O_TYPE_DATASET) {
        refuse_missing(file, path, name);
    }
    const std::string place = fmt::format("dataset '{}' in '{}'", name, path.string());
    Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "open " + place);
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose, "read the properties of " + place);
    require_own_storage(properties, place);
    require_filters(properties, place);
    const Handle type(H5Dget_type(dataset), H5Tclose, "read the type of " + place);
    const NumberKind kind = require_number(type, place);
    auto shape = shape_of(dataset);
    return {std::move(dataset), std::move(shape), kind, type_name(type), place};
}

std::vector<std::string> dataset_names(hid_t file, std::size_t limit) {
    NameList list{{}, limit, 0, {}};
    const herr_t ended = H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, keep_dataset, &list, H5O_INFO_BASIC);
    if (!list.refusal.empty()) {
        throw Error("cannot list the datasets: " + list.refusal);
    }
    check(ended, "list the datasets");
    std::sort(list.names.begin(), list.names.end());
    return list.names;
}

std::string type_name(hid_t type) {
    const H5T_class_t type_class = check(H5Tget_class(type), "read a type");
    const std::size_t bits = 8 * H5Tget_size(type);
    switch (type_class) {
        case H5T_INTEGER:
        case H5T_FLOAT: {
            const char *kind = type_class == H5T_FLOAT             ? "float"
                               : H5Tget_sign(type) == H5T_SGN_NONE ? "uint"
                                                                   : "int";
            const bool swapped = bits > 8 && H5Tget_order(type) == H5T_ORDER_BE;
            return fmt::format("{}{}{}", kind, bits, swapped ? " (big-endian)" : "");
        }
        case H5T_ENUM:
            return fmt::format("enumeration of {} bits", bits);
        case H5T_STRING:
            return "text";
        case H5T_COMPOUND:
            return "compound values";
        case H5T_REFERENCE:
            return "references";
        default:
            return "values of an unsupported type";
    }
}

std::vector<std::int64_t> shape_of(hid_t dataset) {
    const Handle space(H5Dget_space(dataset), H5Sclose, "read the shape");
    const int rank = check(H5Sget_simple_extent_ndims(space), "read the shape");
    std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
    check(H5Sget_simple_extent_dims(space, extent.data(), nullptr), "read the shape");
    std::int64_t bytes = widest_number;
    for (const hsize_t cells : extent) {
        if (cells > static_cast<hsize_t>(std::numeric_limits<std::int64_t>::max()) ||
            __builtin_mul_overflow(bytes, static_cast<std::int64_t>(cells), &bytes)) {
            throw Error("cannot read the shape: it describes more values than a file can hold");
        }
    }
    return {extent.begin(), extent.end()};
}

std::string shape_text(const std::vector<std::int64_t> &shape) {
    return fmt::format("({})", fmt::join(shape, ", "));
}

}  // namespace perdure::hdf5

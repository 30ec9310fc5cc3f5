#include <nlohmann/json.hpp>
#include <optional>

#include "solver/hdf5/attributes.hpp"

namespace perdure::hdf5 {
namespace {

constexpr hssize_t most_elements = 10000;

template <typename Number>
std::vector<nlohmann::ordered_json> read_numbers(hid_t attribute, std::size_t count) {
    std::vector<Number> numbers(count);
    check(H5Aread(attribute, native_type<Number>(), numbers.data()), "read an attribute");
    return {numbers.begin(), numbers.end()};
}

std::vector<nlohmann::ordered_json> read_variable_texts(hid_t attribute, hid_t type, hid_t space,
                                                        std::size_t count) {
    std::vector<char *> pointers(count, nullptr);
    check(H5Aread(attribute, type, pointers.data()), "read an attribute");
    std::vector<nlohmann::ordered_json> texts;
    for (const char *pointer : pointers) {
        texts.emplace_back(pointer != nullptr ? pointer : "");
    }
    check(H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data()), "read an attribute");
    return texts;
}

std::vector<nlohmann::ordered_json> read_fixed_texts(hid_t attribute, hid_t type, std::size_t count) {
    const std::size_t size = H5Tget_size(type);
    std::vector<char> characters(count * size);
    check(H5Aread(attribute, type, characters.data()), "read an attribute");
    std::vector<nlohmann::ordered_json> texts;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string padded(characters.data() + i * size, size);
        texts.emplace_back(padded.substr(0, padded.find('\0')));
    }
    return texts;
}

std::optional<nlohmann::ordered_json> read_attribute(hid_t attribute) {
    const Handle type(H5Aget_type(attribute), H5Tclose, "read an attribute");
    const Handle space(H5Aget_space(attribute), H5Sclose, "read an attribute");
    const hssize_t elements = check(H5Sget_simple_extent_npoints(space), "read an attribute");
    if (elements > most_elements) {
        return std::nullopt;
    }
    const auto count = static_cast<std::size_t>(elements);
    std::vector<nlohmann::ordered_json> values;
    const H5T_class_t type_class = H5Tget_class(type);
    if (type_class == H5T_INTEGER) {
        values = read_numbers<std::int64_t>(attribute, count);
    } else if (type_class == H5T_FLOAT) {
        values = read_numbers<double>(attribute, count);
    } else if (type_class == H5T_STRING) {
        values = check(H5Tis_variable_str(type), "read an attribute") > 0
                     ? read_variable_texts(attribute, type, space, count)
                     : read_fixed_texts(attribute, type, count);
    } else {
        return std::nullopt;
    }
    if (H5Sget_simple_extent_type(space) == H5S_SCALAR && !values.empty()) {
        return values.front();
    }
    return nlohmann::ordered_json(values);
}

}  // namespace

nlohmann::ordered_json read_attributes(hid_t object) {
    H5O_info_t info;
    check(H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS), "count attributes");
    nlohmann::ordered_json result = nlohmann::ordered_json::object();
    for (hsize_t i = 0; i < info.num_attrs; ++i) {
        const Handle attribute(
            H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
            "open an attribute");
        const auto length = check(H5Aget_name(attribute, 0, nullptr), "read an attribute's name");
        std::string name(static_cast<std::size_t>(length), '\0');
        check(H5Aget_name(attribute, name.size() + 1, name.data()), "read an attribute's name");
        if (const auto value = read_attribute(attribute)) {
            result[name] = *value;
        }
    }
    return result;
}

}  // namespace perdure::hdf5

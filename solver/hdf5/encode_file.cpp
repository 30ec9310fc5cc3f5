#include "solver/hdf5/encode_file.hpp"

#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "solver/hdf5/chunk_index.hpp"
#include "solver/hdf5/file_bytes.hpp"
#include "solver/hdf5/file_heap.hpp"
#include "solver/hdf5/object_header.hpp"

namespace perdure::hdf5 {
namespace {

template <typename Number>
void put_type_of(FileBytes &bytes) {
    if constexpr (std::is_same_v<Number, float>) {
        put_float32(bytes);
    } else if constexpr (std::is_same_v<Number, double>) {
        put_float64(bytes);
    } else if constexpr (std::is_same_v<Number, std::int64_t>) {
        put_int64(bytes);
    } else {
        put_text(bytes);
    }
}

class FileEncoder {
  public:
    explicit FileEncoder(std::uint64_t begin) : file_(begin) {}

    std::optional<EncodedObjects> encode(const Object &root) {
        look_for_links(root);
        put_object(root);
        const auto address_of = [&](const std::string &path) { return addresses_.at(path); };
        heap_.write(file_, address_of);
        for (const auto &[place, path] : references_) {
            file_.patch(place, address_of(path));
        }
        return is_beyond_ ? std::nullopt : std::optional(EncodedObjects{file_.take(), address_of(root.path)});
    }

  private:
    using Place = FileBytes::Place;
    using FillTime = ObjectHeader::FillTime;

    void look_for_links(const Object &object) {
        for (std::size_t axis = 0; axis < object.scales.size(); ++axis) {
            if (!object.scales[axis].empty()) {
                dimensions_of_[object.scales[axis]].emplace_back(&object, static_cast<std::uint32_t>(axis));
            }
        }
        if (object.is_in_root_too) {
            in_root_too_.push_back(&object);
        }
        for (const auto &member : object.members) {
            look_for_links(*member);
        }
    }

    void put_address_of(const std::string &path) {
        references_.emplace_back(file_.end(), path);
        file_.put(std::uint64_t{0});
    }

    void put_object(const Object &object) {
        file_.align();
        addresses_[object.path] = file_.address();
        ObjectHeader header(file_, object.is_in_root_too ? 2 : 1);
        if (object.is_group()) {
            put_links(header, object);
        } else {
            std::visit([&](const auto &data) { describe(header, data); }, object.data);
        }
        put_attributes(header, object);
        is_beyond_ = !header.finish() || is_beyond_;
        file_.align();
        std::visit([&](const auto &data) { put_data(data); }, object.data);
        for (const auto &member : object.members) {
            put_object(*member);
        }
    }

    void put_links(ObjectHeader &header, const Object &group) {
        header.put_group();
        for (const auto &member : group.members) {
            references_.emplace_back(header.put_link(member->name), member->path);
        }
        if (group.path.empty()) {
            for (const Object *field : in_root_too_) {
                references_.emplace_back(header.put_link(field->name), field->path);
            }
        }
    }

    void put_attributes(ObjectHeader &header, const Object &object) {
        if (object.is_scale) {
            put_terminated(header, "CLASS", "DIMENSION_SCALE");
            put_terminated(header, "NAME", object.name);
            put_dimensions_of(header, object);
        }
        for (const Attribute &attribute : object.attributes) {
            header.put_attribute(
                attribute.name, [&] { put_type(attribute.values); }, attribute.values.extent,
                [&] { put_values(attribute.values); });
        }
        if (!object.scales.empty()) {
            put_scales(header, object);
        }
    }

    /// As H5DSset_scale() writes them.
    void put_terminated(ObjectHeader &header, const char *name, const std::string &text) {
        header.put_attribute(
            name, [&] { put_ascii(file_, text.size() + 1, true); }, {},
            [&] {
                file_.put(bytes_of(text));
                file_.fill(1);
            });
    }

    void put_dimensions_of(ObjectHeader &header, const Object &scale) {
        const auto &dimensions = dimensions_of_[scale.path];
        if (dimensions.empty()) {
            return;
        }
        header.put_attribute(
            "REFERENCE_LIST", [&] { put_reference_and_index(file_); }, {dimensions.size()},
            [&] {
                for (const auto &[object, axis] : dimensions) {
                    put_address_of(object->path);
                    file_.put(axis);
                    file_.align();
                }
            });
    }

    void put_scales(ObjectHeader &header, const Object &object) {
        const auto *const field = std::get_if<FieldStorage>(&object.data);
        const std::size_t axes =
            field != nullptr ? extent_of(*field).size() : std::get<Values>(object.data).extent.size();
        header.put_attribute(
            "DIMENSION_LIST", [&] { put_references(file_); }, {axes},
            [&] {
                for (std::size_t axis = 0; axis < axes; ++axis) {
                    if (axis >= object.scales.size() || object.scales[axis].empty()) {
                        heap_.put(file_, 0, {});
                    } else {
                        heap_.put_reference(file_, object.scales[axis]);
                    }
                }
            });
    }

    void put_type(const Values &values) {
        std::visit(
            [&](const auto &list) {
                using List = std::decay_t<decltype(list)>;
                if constexpr (std::is_same_v<List, AsciiText>) {
                    put_ascii(file_, list.text.size(), false);
                } else {
                    put_type_of<typename List::value_type>(file_);
                }
            },
            values.list);
    }

    void put_values(const Values &values) {
        std::visit(
            [&](const auto &list) {
                using List = std::decay_t<decltype(list)>;
                if constexpr (std::is_same_v<List, AsciiText>) {
                    file_.put(bytes_of(list.text));
                } else if constexpr (std::is_same_v<List, std::vector<std::string>>) {
                    for (const std::string &text : list) {
                        const std::string_view until_zero(text.c_str());
                        heap_.put(file_, until_zero.size(), bytes_of(until_zero));
                    }
                } else {
                    file_.put(bytes_of(list));
                }
            },
            values.list);
    }

    static void describe(ObjectHeader & /*header*/, std::monostate /*group*/) {}

    void describe(ObjectHeader &header, const Values &values) {
        header.put_values(values.extent, values.extent, [&] { put_type(values); });
        header.put_fill_value({}, std::holds_alternative<std::vector<std::string>>(values.list)
                                      ? FillTime::when_allocated
                                      : FillTime::if_set);
        data_address_ = header.put_contiguous_layout();
    }

    void describe(ObjectHeader &header, const FieldStorage &field) {
        const bool is_filtered = field.level > 0;
        const bool is_placed = !field.places.empty();
        is_beyond_ = is_beyond_ || (field.in_time && !is_placed) || (is_filtered && field.encoded.empty());
        const Extent extent = extent_of(field);
        Extent largest = extent;
        if (field.in_time) {
            largest.front() = H5S_UNLIMITED;
        }
        std::visit(
            [&](const auto &numbers) {
                using Number = typename std::decay_t<decltype(numbers)>::value_type;
                const std::vector<Number> missing{missing_value<Number>};
                header.put_values(extent, largest, [&] { put_type_of<Number>(file_); });
                header.put_fill_value(bytes_of(missing),
                                      is_filtered || field.in_time ? FillTime::never : FillTime::if_set);
                if (is_filtered) {
                    header.put_filters(sizeof(Number), field.level);
                    data_address_ = header.put_chunked_layout(field.extent, sizeof(Number));
                } else if (field.in_time) {
                    data_address_ = header.put_chunked_layout(chunk_in_time(field), sizeof(Number));
                } else {
                    data_address_ = header.put_contiguous_layout();
                }
            },
            *field.values);
    }

    static void put_data(std::monostate /*group*/) {}

    void put_data(const Values &values) {
        const Place begin = file_.end();
        const std::uint64_t address = file_.address();
        put_values(values);
        place_contiguous(address, file_.end() - begin);
    }

    void put_data(const FieldStorage &field) {
        std::visit(
            [&](const auto &numbers) {
                if (field.level > 0) {
                    put_chunk(field, sizeof numbers[0]);
                } else if (field.in_time && !field.places.empty()) {
                    file_.patch(data_address_, put_index_of_places(file_, field, sizeof numbers[0]));
                } else if (!field.places.empty()) {
                    place_contiguous(field.places.front(), numbers.size() * sizeof numbers[0]);
                } else {
                    const std::uint64_t address = file_.address();
                    file_.put(bytes_of(numbers));
                    place_contiguous(address, numbers.size() * sizeof numbers[0]);
                }
            },
            *field.values);
    }

    /// Nothing has no place.
    void place_contiguous(std::uint64_t address, std::size_t size) {
        if (size > 0) {
            file_.patch(data_address_, address);
            file_.patch(data_address_ + sizeof(std::uint64_t), std::uint64_t{size});
        }
    }

    /// The only chunk of a dataset, and its index.
    void put_chunk(const FieldStorage &field, std::size_t bytes_per_value) {
        const IndexedChunk chunk{Extent(field.extent.size(), 0),
                                 static_cast<std::uint32_t>(field.encoded.size()), file_.address()};
        file_.put(field.encoded);
        file_.patch(data_address_,
                    put_chunk_index(file_, std::span(&chunk, 1), field.extent, bytes_per_value));
    }

    FileBytes file_;
    FileHeap heap_;
    Place data_address_ = 0;  // where the dataset at hand says where its values are
    bool is_beyond_ = false;
    std::map<std::string, std::uint64_t> addresses_;
    std::vector<std::pair<Place, std::string>> references_;  // where the file needs the address of an object
    std::map<std::string, std::vector<std::pair<const Object *, std::uint32_t>>> dimensions_of_;
    std::vector<const Object *> in_root_too_;
};

}  // namespace

std::optional<EncodedObjects> encode_objects(const Object &root, std::uint64_t begin) {
    return FileEncoder(begin).encode(root);
}

std::optional<std::vector<unsigned char>> encode_file(const Object &root) {
    const auto objects = encode_objects(root, superblock_bytes);
    if (!objects) {
        return std::nullopt;
    }
    std::vector<unsigned char> file =
        encode_superblock(superblock_bytes + objects->bytes.size(), objects->root);
    file.insert(file.end(), objects->bytes.begin(), objects->bytes.end());
    return file;
}

}  // namespace perdure::hdf5

// What a file is to hold, as a tree in memory: groups and datasets with their attributes.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "solver/hdf5/hdf5.hpp"
#include "solver/output/solution.hpp"

namespace perdure::hdf5 {

/// Text of fixed length in ASCII without terminator, as VTK wants its Type.
struct AsciiText {
    std::string text;
};

using Extent = std::vector<hsize_t>;  // of a dataset, the last index fastest; empty: a scalar

/// Numbers or texts (UTF-8, of any length) of an attribute or a small dataset.
struct Values {
    using List = std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>,
                              std::vector<std::string>, AsciiText>;

    // NOLINTBEGIN(google-explicit-constructor): stand wherever values are given
    Values(double number) : list(std::vector{number}) {}
    Values(std::int64_t number) : list(std::vector{number}) {}
    Values(std::string text) : list(std::vector{std::move(text)}) {}
    Values(const char *text) : Values(std::string(text)) {}
    Values(AsciiText text) : list(std::move(text)) {}
    template <typename Value>
    Values(std::vector<Value> values) : extent{values.size()}, list(std::move(values)) {}
    template <typename Value>
    Values(std::vector<Value> values, Extent given) : extent(std::move(given)), list(std::move(values)) {}
    // NOLINTEND(google-explicit-constructor)

    Extent extent;
    List list;
};

/// What fields hold in solid and cut-off cells, and their fill value.
template <typename Number>
constexpr Number missing_value = std::numeric_limits<Number>::quiet_NaN();

struct Attribute {
    std::string name;
    Values values;
};

/// A dataset of a field's values, which belong to others and have to outlive it.
struct FieldStorage {
    const FieldValues *values = nullptr;   // of one time
    Extent extent, chunk;                  // of one time; no chunk: contiguous
    int level = 0;                         // of compression; 0: none
    bool in_time = false;                  // an axis of time, without `places` of no entry yet, comes first
    std::vector<unsigned char> encoded{};  // the values as the only chunk has them, where that has been done
    /// Where the file has the values of each time already, one chunk after the other, each chunk whole; `values` then says of which type
    /// they are. The axis of time has as many entries.
    std::vector<std::uint64_t> places{};
};

/// Compresses the values where they are one chunk, in this thread.
void encode_chunk(FieldStorage &field);

/// A group, or a dataset where there is `data`. The tree owns what is below it; references stay valid while objects are added.
struct Object {
    std::string name, path;  // path: `name` below that of the parent; of the root both are empty
    std::vector<Attribute> attributes;
    std::vector<std::unique_ptr<Object>> members;
    std::variant<std::monostate, Values, FieldStorage> data;
    std::vector<std::string> scales;  // paths of the dimension scales, of earlier objects; empty: of none
    bool is_scale = false;
    bool is_in_root_too = false;  // by a hard link of its name

    [[nodiscard]] bool is_group() const { return std::holds_alternative<std::monostate>(data); }
    void set(std::string attribute, Values values) {
        attributes.push_back({std::move(attribute), std::move(values)});
    }
    /// The member of that name; a new one where there is none.
    Object &group(const std::string &member);
    Object &add(const std::string &member, Values values);
    Object &add(const std::string &member, FieldStorage field);
};

}  // namespace perdure::hdf5

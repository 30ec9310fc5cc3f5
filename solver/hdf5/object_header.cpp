#include "solver/hdf5/object_header.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace perdure::hdf5 {

enum class ObjectHeader::Message : std::uint16_t {
    dataspace = 0x01,
    link_info = 0x02,
    datatype = 0x03,
    fill_value = 0x05,
    link = 0x06,
    layout = 0x08,
    group_info = 0x0a,
    filters = 0x0b,
    attribute = 0x0c
};

ObjectHeader::ObjectHeader(FileBytes &file, std::uint32_t links) : file_(file) {
    constexpr std::uint8_t version = 1;
    file_.put(version);
    file_.fill(1);
    messages_at_ = file_.end();
    file_.put(std::uint16_t{0});
    file_.put(links);
    size_at_ = file_.end();
    file_.put(std::uint32_t{0});
    file_.align();
    begin_ = file_.end();
}

bool ObjectHeader::finish() {
    constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
    file_.patch(messages_at_, static_cast<std::uint16_t>(messages_));
    file_.patch(size_at_, static_cast<std::uint32_t>(file_.end() - begin_));
    return messages_ <= most && largest_ <= most;
}

void ObjectHeader::put(Message kind, const Put &put_body, std::uint8_t flags) {
    constexpr std::size_t reserved = 3;
    file_.put(static_cast<std::uint16_t>(kind));
    const Place size_at = file_.end();
    file_.put(std::uint16_t{0});
    file_.put(flags);
    file_.fill(reserved);
    const Place begin = file_.end();
    put_body();
    file_.align();
    const std::size_t size = file_.end() - begin;
    file_.patch(size_at, static_cast<std::uint16_t>(size));
    largest_ = std::max(largest_, size);
    ++messages_;
}

void ObjectHeader::put_attribute(std::string_view name, const Put &put_type, const Extent &extent,
                                 const Put &put_values) {
    constexpr std::uint8_t version = 1;
    put(Message::attribute, [&] {
        file_.put(version);
        file_.fill(1);
        file_.put(static_cast<std::uint16_t>(name.size() + 1));
        const Place type_size_at = file_.end();
        file_.put(std::uint16_t{0});
        const Place extent_size_at = file_.end();
        file_.put(std::uint16_t{0});
        file_.put_name(name);
        const auto put_sized = [&](Place size_at, const Put &put_it) {
            const Place begin = file_.end();
            put_it();
            file_.patch(size_at, static_cast<std::uint16_t>(file_.end() - begin));
            file_.align();
        };
        put_sized(type_size_at, put_type);
        put_sized(extent_size_at, [&] { put_extent(file_, extent, extent); });
        put_values();
    });
}

void ObjectHeader::put_group() {
    put(Message::link_info, [&] {
        file_.fill(2);  // version and flags: there are no indices
        file_.put(undefined_address);
        file_.put(undefined_address);
    });
    put(Message::group_info, [&] { file_.fill(2); });
}

ObjectHeader::Place ObjectHeader::put_link(std::string_view name) {
    constexpr std::uint8_t version = 1, length_of_two_bytes = 1;
    Place address_at = 0;
    put(Message::link, [&] {
        file_.put(version);
        file_.put(length_of_two_bytes);
        file_.put(static_cast<std::uint16_t>(name.size()));
        file_.put(bytes_of(name));
        address_at = file_.end();
        file_.put(undefined_address);
    });
    return address_at;
}

void ObjectHeader::put_values(const Extent &extent, const Extent &largest, const Put &put_type) {
    constexpr std::uint8_t never_changes = 1;
    put(Message::dataspace, [&] { put_extent(file_, extent, largest); });
    put(Message::datatype, put_type, never_changes);
}

void ObjectHeader::put_filters(std::size_t bytes_per_value, int level) {
    constexpr std::uint8_t version = 1, filters = 3;
    constexpr std::uint16_t deflate = 1, shuffle = 2, fletcher32 = 3, required = 0, optional = 1;
    constexpr std::size_t reserved = 6;
    const auto put_filter = [&](std::uint16_t filter, std::string_view name, std::uint16_t flags,
                                std::span<const std::uint32_t> parameters) {
        constexpr std::size_t unit = FileBytes::alignment;
        file_.put(filter);
        file_.put(static_cast<std::uint16_t>((name.size() + unit) / unit * unit));
        file_.put(flags);
        file_.put(static_cast<std::uint16_t>(parameters.size()));
        file_.put_name(name);
        for (const std::uint32_t parameter : parameters) {
            file_.put(parameter);
        }
        file_.align();
    };
    put(Message::filters, [&] {
        file_.put(version);
        file_.put(filters);
        file_.fill(reserved);
        put_filter(shuffle, "shuffle", optional, std::array{static_cast<std::uint32_t>(bytes_per_value)});
        put_filter(deflate, "deflate", optional, std::array{static_cast<std::uint32_t>(level)});
        put_filter(fletcher32, "fletcher32", required, {});
    });
}

void ObjectHeader::put_fill_value(std::span<const unsigned char> value, FillTime time) {
    constexpr std::uint8_t version = 2, allocated_late = 2, allocated_with_chunks = 3, is_defined = 1;
    put(Message::fill_value, [&] {
        file_.put(version);
        file_.put(time == FillTime::never ? allocated_with_chunks : allocated_late);
        file_.put(static_cast<std::uint8_t>(time));
        file_.put(is_defined);
        file_.put(static_cast<std::uint32_t>(value.size()));
        file_.put(value);
    });
}

ObjectHeader::Place ObjectHeader::put_contiguous_layout() {
    constexpr std::uint8_t version = 3, contiguous = 1;
    Place address_at = 0;
    put(Message::layout, [&] {
        file_.put(version);
        file_.put(contiguous);
        address_at = file_.end();
        file_.put(undefined_address);
        file_.put(std::uint64_t{0});
    });
    return address_at;
}

ObjectHeader::Place ObjectHeader::put_chunked_layout(const Extent &chunk, std::size_t bytes_per_value) {
    constexpr std::uint8_t version = 3, chunked = 2;
    Place address_at = 0;
    put(Message::layout, [&] {
        file_.put(version);
        file_.put(chunked);
        file_.put(static_cast<std::uint8_t>(chunk.size() + 1));
        address_at = file_.end();
        file_.put(undefined_address);
        for (const hsize_t count : chunk) {
            file_.put(static_cast<std::uint32_t>(count));
        }
        file_.put(static_cast<std::uint32_t>(bytes_per_value));
    });
    return address_at;
}

}  // namespace perdure::hdf5

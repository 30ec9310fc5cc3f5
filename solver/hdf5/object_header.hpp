// The header of an object in a file that is encoded in memory: messages that say what the object is.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "solver/hdf5/file_bytes.hpp"

namespace perdure::hdf5 {

/// An object header of version 1 at the end of a file. Messages are put one after the other, then finish() is called.
class ObjectHeader {
  public:
    using Place = FileBytes::Place;
    using Put = std::function<void()>;  // puts something at the end of the file

    /// `links`: hard links to the object.
    ObjectHeader(FileBytes &file, std::uint32_t links);

    /// False where a message is larger than its size can say, or there are too many of them.
    [[nodiscard]] bool finish();

    void put_attribute(std::string_view name, const Put &put_type, const Extent &extent,
                       const Put &put_values);

    /// Of a group, before its links.
    void put_group();
    /// Where the address of the object comes.
    [[nodiscard]] Place put_link(std::string_view name);

    void put_values(const Extent &extent, const Extent &largest, const Put &put_type);
    /// The filters of a compressed field: shuffle, deflate, fletcher32.
    void put_filters(std::size_t bytes_per_value, int level);
    /// When storage is filled with the value: by the library's choice when it is allocated for texts, never for chunks.
    enum class FillTime : std::uint8_t { when_allocated, never, if_set };
    /// `value`: empty for the library's default.
    void put_fill_value(std::span<const unsigned char> value, FillTime time);
    /// Where the address of the values comes, and behind it their size; both stay as they are where there are none.
    [[nodiscard]] Place put_contiguous_layout();
    /// Where the address of the index comes.
    [[nodiscard]] Place put_chunked_layout(const Extent &chunk, std::size_t bytes_per_value);

  private:
    enum class Message : std::uint16_t;

    void put(Message kind, const Put &put_body, std::uint8_t flags = 0);

    FileBytes &file_;
    Place messages_at_, size_at_, begin_;
    std::size_t messages_ = 0, largest_ = 0;
};

}  // namespace perdure::hdf5

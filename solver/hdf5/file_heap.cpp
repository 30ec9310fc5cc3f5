#include "solver/hdf5/file_heap.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace perdure::hdf5 {

void FileHeap::put(FileBytes &file, std::size_t count, std::span<const unsigned char> bytes) {
    constexpr std::size_t users = 6;  // of an object, which nobody counts; and reserved
    file.put(static_cast<std::uint32_t>(count));
    if (bytes.empty()) {
        file.fill(sizeof(std::uint64_t) + sizeof(std::uint32_t));
        return;
    }
    if (collections_.empty() || collections_.back().objects == std::numeric_limits<std::uint16_t>::max()) {
        collections_.emplace_back();
    }
    Collection &collection = collections_.back();
    collection.used_at.push_back(file.end());
    file.put(std::uint64_t{0});
    file.put(std::uint32_t{++collection.objects});
    collection.bytes.put(collection.objects);
    collection.bytes.fill(users);
    collection.bytes.put(std::uint64_t{bytes.size()});
    collection.bytes.put(bytes);
    collection.bytes.align();
}

void FileHeap::put_reference(FileBytes &file, const std::string &path) {
    constexpr std::array<unsigned char, sizeof(std::uint64_t)> patched_later{};
    put(file, 1, patched_later);
    Collection &collection = collections_.back();
    collection.references.emplace_back(collection.bytes.end() - patched_later.size(), path);
}

void FileHeap::write(FileBytes &file, Collection &collection) {
    constexpr std::size_t header = 16, least = 4096;
    constexpr std::array<unsigned char, 8> signature{'G', 'C', 'O', 'L', 1};
    file.align();
    for (const FileBytes::Place place : collection.used_at) {
        file.patch(place, file.address());
    }
    const std::size_t used = header + collection.bytes.end();
    const std::size_t size = std::max(used + header, least);
    file.put(signature);
    file.put(std::uint64_t{size});
    file.put(collection.bytes.take());
    file.fill(sizeof(std::uint64_t));  // object 0 is what is free
    file.put(std::uint64_t{size - used});
    file.fill(size - used - header);
}

}  // namespace perdure::hdf5

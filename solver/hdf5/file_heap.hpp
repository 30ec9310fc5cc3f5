// Lists of any length in a file that is encoded in memory: texts, and the references of dimension scales.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "solver/hdf5/file_bytes.hpp"

namespace perdure::hdf5 {

/// Collects lists and puts them behind all else, as global heap collections.
class FileHeap {
  public:
    /// A list of `count` elements: its bytes go to the heap, and to the end of `file` where they are.
    void put(FileBytes &file, std::size_t count, std::span<const unsigned char> bytes);

    /// The same of a reference to the object with that path.
    void put_reference(FileBytes &file, const std::string &path);

    /// At the end of `file`. `address_of`: of the object with a path.
    template <typename AddressOf>
    void write(FileBytes &file, const AddressOf &address_of) {
        for (Collection &collection : collections_) {
            for (const auto &[place, path] : collection.references) {
                collection.bytes.patch(place, std::uint64_t{address_of(path)});
            }
            write(file, collection);
        }
    }

  private:
    struct Collection {
        FileBytes bytes;
        std::uint16_t objects = 0;
        std::vector<FileBytes::Place> used_at;  // where the file needs its address
        std::vector<std::pair<FileBytes::Place, std::string>> references;
    };
    static void write(FileBytes &file, Collection &collection);

    std::vector<Collection> collections_;
};

}  // namespace perdure::hdf5

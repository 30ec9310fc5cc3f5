// Reads the stored values of a dataset directly from its file, on all cores and without the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "solver/hdf5/decode_chunk.hpp"
#include "solver/hdf5/open_dataset.hpp"

namespace perdure::hdf5 {

/// The numbers of a file that are numbers of the processor, too.
enum class StoredNumber { int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };

/// A dataset whose values lie in one piece, or in chunks of at most 64 MiB that no other filters than shuffle, deflate and fletcher32 have
/// changed. The dataset must stay open.
class StoredValues {
  public:
    /// Nothing where the values have to be read by the library, or where some were never written.
    static std::optional<StoredValues> find(const OpenDataset &source);

    /// Makes the calls of the library that reading needs: the helper process does so first.
    void look_up_all() const;

    /// Reads all values into `to`. Throws Error when the file is damaged, Failure(stopped) when the program was asked to stop.
    void read(double *to) const;

    /// Calls use(values, index of the first of them) until every integer was there, in several threads at the same time and in any order.
    /// Throws Failure(bad_input) when one does not fit, and as read() does.
    void for_each_run(const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use) const;

  private:
    explicit StoredValues(const OpenDataset &source);
    [[nodiscard]] bool find_number();
    [[nodiscard]] bool find_piece();
    [[nodiscard]] bool find_chunks(hid_t properties);
    [[nodiscard]] bool find_filters(hid_t properties);
    void stop_if_asked() const;
    [[nodiscard]] std::int64_t count() const;
    [[nodiscard]] std::int64_t chunk_count() const;
    [[nodiscard]] std::vector<hsize_t> chunk_origin(std::int64_t chunk) const;
    void read_bytes(std::int64_t first, std::size_t bytes, void *to) const;
    unsigned read_chunk(const std::vector<hsize_t> &origin, std::vector<unsigned char> &stored) const;
    [[nodiscard]] std::size_t bytes_of_chunk(const std::vector<hsize_t> &origin) const;
    /// use(bytes of the values, how many, index of the first) by all cores.
    void for_each_piece(
        const std::function<void(const unsigned char *, std::int64_t, std::int64_t)> &use) const;
    void for_each_row_of(
        std::span<const unsigned char> values, const std::vector<hsize_t> &origin,
        const std::function<void(const unsigned char *, std::int64_t, std::int64_t)> &use) const;

    const OpenDataset &source_;
    StoredNumber number_ = StoredNumber::float64;
    std::size_t bytes_per_value_ = 0;
    int file_ = -1;                // descriptor of the library
    haddr_t begin_ = HADDR_UNDEF;  // in the file, of values in one piece
    std::vector<hsize_t> chunk_;   // shape; empty: in one piece
    std::vector<ChunkFilter> filters_;
};

}  // namespace perdure::hdf5

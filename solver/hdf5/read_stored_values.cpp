// Reading of values whose places in the file are known.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <numeric>
#include <system_error>
#include <type_traits>

#include "solver/hdf5/stored_values.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::int64_t values_at_once = 1 << 15;  // fit into a core's cache
constexpr std::size_t bytes_at_once = std::size_t{1} << 22U;

/// use(a value of the type).
template <typename Use>
void with_type(StoredNumber number, const Use &use) {
    switch (number) {
        case StoredNumber::int8:
            return use(std::int8_t{});
        case StoredNumber::int16:
            return use(std::int16_t{});
        case StoredNumber::int32:
            return use(std::int32_t{});
        case StoredNumber::int64:
            return use(std::int64_t{});
        case StoredNumber::uint8:
            return use(std::uint8_t{});
        case StoredNumber::uint16:
            return use(std::uint16_t{});
        case StoredNumber::uint32:
            return use(std::uint32_t{});
        case StoredNumber::uint64:
            return use(std::uint64_t{});
        case StoredNumber::float32:
            return use(float{});
        case StoredNumber::float64:
            return use(double{});
    }
}

/// As the library converts them. False where one is beyond the range of Number.
template <typename Number>
bool convert(StoredNumber number, const unsigned char *bytes, std::int64_t count, Number *to) {
    bool fits = true;
    with_type(number, [&](auto type) {
        using Stored = decltype(type);
        for (std::int64_t i = 0; i < count; ++i) {
            Stored value;
            std::memcpy(&value, bytes + i * sizeof value, sizeof value);
            if constexpr (std::is_same_v<Stored, std::uint64_t> && std::is_same_v<Number, std::int64_t>) {
                fits = fits && value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
            }
            to[i] = static_cast<Number>(value);
        }
    });
    return fits;
}

}  // namespace

void StoredValues::stop_if_asked() const {
    if (interrupted()) {
        throw Failure(ExitCode::stopped, "stopped while reading " + source_.place);
    }
}

unsigned StoredValues::read_chunk(const std::vector<hsize_t> &origin,
                                  std::vector<unsigned char> &stored) const {
    stop_if_asked();
    const LibraryLock lock;
    stored.resize(bytes_of_chunk(origin));
    unsigned left_out = 0;
    check(H5Dread_chunk(source_.dataset, H5P_DEFAULT, origin.data(), &left_out, stored.data()),
          "read a chunk of " + source_.place);
    return left_out;
}

void StoredValues::read_bytes(std::int64_t first, std::size_t bytes, void *to) const {
    stop_if_asked();
    auto place = static_cast<off_t>(begin_ + static_cast<haddr_t>(first) * bytes_per_value_);
    auto *next = static_cast<unsigned char *>(to);
    while (bytes > 0) {
        const ssize_t done = pread(file_, next, bytes, place);
        if (done == 0) {
            throw Error(fmt::format("cannot read {}: the file ends too early", source_.place));
        }
        if (done < 0 && errno != EINTR) {
            throw Error(
                fmt::format("cannot read {}: {}", source_.place, std::generic_category().message(errno)));
        }
        const auto more = static_cast<std::size_t>(std::max<ssize_t>(done, 0));
        next += more;
        place += static_cast<off_t>(more);
        bytes -= more;
    }
}

void StoredValues::for_each_row_of(
    std::span<const unsigned char> values, const std::vector<hsize_t> &origin,
    const std::function<void(const unsigned char *, std::int64_t, std::int64_t)> &use) const {
    const std::size_t last = chunk_.size() - 1;
    const auto in_file = [&](std::size_t axis) {
        return std::min(chunk_[axis], static_cast<hsize_t>(source_.shape[axis]) - origin[axis]);
    };
    std::vector<hsize_t> row(chunk_.size(), 0);  // place in the chunk
    for (;;) {
        std::int64_t in_chunk = 0;
        std::int64_t index = 0;
        for (std::size_t axis = 0; axis <= last; ++axis) {
            in_chunk =
                in_chunk * static_cast<std::int64_t>(chunk_[axis]) + static_cast<std::int64_t>(row[axis]);
            index = index * source_.shape[axis] + static_cast<std::int64_t>(origin[axis] + row[axis]);
        }
        use(values.data() + static_cast<std::size_t>(in_chunk) * bytes_per_value_,
            static_cast<std::int64_t>(in_file(last)), index);
        std::size_t axis = last;
        do {
            if (axis == 0) {
                return;
            }
            row[axis] = 0;
            --axis;
        } while (++row[axis] == in_file(axis));
    }
}

void StoredValues::for_each_piece(
    const std::function<void(const unsigned char *, std::int64_t, std::int64_t)> &use) const {
    const std::int64_t threads = std::clamp<std::int64_t>(count() / values_at_once, 1, cores());
    const LibraryUnlock unlocked;  // for those that read chunks
    if (chunk_.empty()) {
        std::vector<std::vector<unsigned char>> buffers(static_cast<std::size_t>(threads));
        share_out((count() + values_at_once - 1) / values_at_once, threads,
                  [&](std::int64_t piece, std::int64_t thread) {
                      const std::int64_t first = piece * values_at_once;
                      const std::int64_t here = std::min(values_at_once, count() - first);
                      std::vector<unsigned char> &bytes = buffers[static_cast<std::size_t>(thread)];
                      bytes.resize(static_cast<std::size_t>(here) * bytes_per_value_);
                      read_bytes(first, bytes.size(), bytes.data());
                      use(bytes.data(), here, first);
                  });
        return;
    }
    const std::size_t chunk_bytes =
        std::accumulate(chunk_.begin(), chunk_.end(), bytes_per_value_, std::multiplies<>());
    std::vector<std::optional<ChunkDecoder>> decoders(static_cast<std::size_t>(threads));
    std::vector<std::vector<unsigned char>> stored(decoders.size());
    share_out(chunk_count(), threads, [&](std::int64_t chunk, std::int64_t thread) {
        std::optional<ChunkDecoder> &decoder = decoders[static_cast<std::size_t>(thread)];
        std::vector<unsigned char> &bytes = stored[static_cast<std::size_t>(thread)];
        if (!decoder) {
            decoder.emplace(filters_, bytes_per_value_, chunk_bytes);
        }
        const std::vector<hsize_t> origin = chunk_origin(chunk);
        const unsigned left_out = read_chunk(origin, bytes);
        for_each_row_of(decoder->decode(bytes, left_out), origin, use);
    });
}

void StoredValues::for_each_run(
    const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use) const {
    for_each_piece([&](const unsigned char *bytes, std::int64_t count, std::int64_t first) {
        std::array<std::int64_t, values_at_once> values;
        for (std::int64_t done = 0; done < count; done += values_at_once) {
            const std::int64_t here = std::min(values_at_once, count - done);
            if (!convert(number_, bytes + static_cast<std::size_t>(done) * bytes_per_value_, here,
                         values.data())) {
                throw Failure(ExitCode::bad_input,
                              source_.place + " holds an integer that does not fit into 64 bits with a sign");
            }
            use({values.data(), static_cast<std::size_t>(here)}, first + done);
        }
    });
}

void StoredValues::read(double *to) const {
    if (!chunk_.empty() || number_ != StoredNumber::float64) {
        for_each_piece([&](const unsigned char *bytes, std::int64_t count, std::int64_t first) {
            (void)convert(number_, bytes, count, to + first);
        });
        return;
    }
    const auto at_once = static_cast<std::int64_t>(bytes_at_once / sizeof(double));
    share_out((count() + at_once - 1) / at_once, cores(), [&](std::int64_t piece, std::int64_t /*thread*/) {
        const std::int64_t first = piece * at_once;
        read_bytes(first, static_cast<std::size_t>(std::min(at_once, count() - first)) * sizeof(double),
                   to + first);
    });
}

}  // namespace perdure::hdf5

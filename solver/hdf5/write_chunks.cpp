#include "solver/hdf5/write_chunks.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "solver/hdf5/encode_chunk.hpp"
#include "solver/time_spent.hpp"

namespace perdure::hdf5 {
namespace {

std::size_t product(const std::vector<hsize_t> &factors) {
    std::size_t result = 1;
    for (const hsize_t factor : factors) {
        result *= factor;
    }
    return result;
}

/// Which chunks a dataset has, and their values.
class Chunks {
  public:
    explicit Chunks(const ChunkedValues &source) : source_(source), along_(source.shape.size()) {
        for (std::size_t axis = 0; axis < along_.size(); ++axis) {
            along_[axis] = (source.shape[axis] + source.chunk[axis] - 1) / source.chunk[axis];
        }
    }

    [[nodiscard]] std::size_t count() const { return product(along_); }

    /// Of chunk `index`, the last axis fastest.
    [[nodiscard]] std::vector<hsize_t> origin(std::size_t index) const {
        std::vector<hsize_t> origin(along_.size());
        for (std::size_t axis = along_.size(); axis-- > 0;) {
            origin[axis] = index % along_[axis] * source_.chunk[axis];
            index /= along_[axis];
        }
        return origin;
    }

    /// Copies the values of a chunk; beyond the end of the dataset the fill value.
    void gather(const std::vector<hsize_t> &origin, std::vector<unsigned char> &values) const {
        const std::size_t bytes = product(source_.chunk) * source_.bytes_per_value;
        values.clear();
        if (is_cut(origin)) {
            while (values.size() < bytes) {
                values.insert(values.end(), source_.fill.begin(), source_.fill.end());
            }
        }
        values.resize(bytes);
        gather_along(0, origin, source_.values, values.data());
    }

  private:
    [[nodiscard]] hsize_t extent(std::size_t axis, const std::vector<hsize_t> &origin) const {
        return std::min(source_.chunk[axis], source_.shape[axis] - origin[axis]);
    }

    [[nodiscard]] bool is_cut(const std::vector<hsize_t> &origin) const {
        for (std::size_t axis = 0; axis < origin.size(); ++axis) {
            if (extent(axis, origin) < source_.chunk[axis]) {
                return true;
            }
        }
        return false;
    }

    /// `from`, `to`: where the indices before `axis` have led in the dataset and in the chunk.
    void gather_along(std::size_t axis, const std::vector<hsize_t> &origin, const unsigned char *from,
                      unsigned char *to) const {
        std::size_t step_from = source_.bytes_per_value;
        std::size_t step_to = source_.bytes_per_value;
        for (std::size_t inner = axis + 1; inner < origin.size(); ++inner) {
            step_from *= source_.shape[inner];
            step_to *= source_.chunk[inner];
        }
        from += origin[axis] * step_from;
        if (axis + 1 == origin.size()) {
            std::memcpy(to, from, extent(axis, origin) * source_.bytes_per_value);
            return;
        }
        for (hsize_t i = 0; i < extent(axis, origin); ++i) {
            gather_along(axis + 1, origin, from + i * step_from, to + i * step_to);
        }
    }

    const ChunkedValues &source_;
    std::vector<hsize_t> along_;  // how many
};

/// Gathers and encodes chunks; of one thread.
class Encoder {
  public:
    Encoder(const ChunkedValues &source, const Chunks &chunks)
        : chunks_(chunks), encoder_(source.level, source.bytes_per_value) {}

    void encode(std::size_t index, std::vector<unsigned char> &encoded) {
        const TimeSpent::Scope compressing(Activity::compress);
        chunks_.gather(chunks_.origin(index), values_);
        encoder_.encode(values_, encoded);
    }

  private:
    const Chunks &chunks_;
    ChunkEncoder encoder_;
    std::vector<unsigned char> values_;
};

/// Threads that encode chunks ahead of the one that writes them.
///
/// Publishes: the bytes of chunk i, in the slot i modulo the number of slots. Observed by the thread that calls wait_for(i); the
/// edge is the mutex, which the encoding thread holds when it sets `ready` and the other one when it reads that. The slot
/// is taken again once done_with(i) has raised `written_` under the mutex: no two threads use a slot at the same time. Chunks are taken
/// in their order, so the one that is waited for is always being encoded: wait_for() ends.
class EncodedChunks {
  public:
    EncodedChunks(const ChunkedValues &source, const Chunks &chunks, std::size_t threads)
        : source_(source), chunks_(chunks), slots_(2 * threads) {
        try {
            while (threads_.size() < threads) {
                threads_.emplace_back([this] { encode_all(); });
            }
        } catch (const std::system_error &) {  // a limit of the system: those that are there do all
            if (threads_.empty()) {
                throw;
            }
        }
    }
    EncodedChunks(const EncodedChunks &) = delete;
    EncodedChunks &operator=(const EncodedChunks &) = delete;
    ~EncodedChunks() {
        const std::lock_guard hold(mutex_);
        given_up_ = true;
        changed_.notify_all();
    }

    /// Throws what the encoding thread threw.
    const std::vector<unsigned char> &wait_for(std::size_t index) {
        Slot &slot = slots_[index % slots_.size()];
        const TimeSpent::Wait waiting;
        const LibraryUnlock unlocked;
        std::unique_lock hold(mutex_);
        changed_.wait(hold, [&] { return slot.ready || error_; });
        if (error_) {
            std::rethrow_exception(error_);
        }
        return slot.bytes;
    }

    void done_with(std::size_t index) {
        const std::lock_guard hold(mutex_);
        slots_[index % slots_.size()].ready = false;
        written_ = index + 1;
        changed_.notify_all();
    }

  private:
    struct Slot {
        std::vector<unsigned char> bytes;
        bool ready = false;
    };

    void encode_all() {
        try {
            Encoder encoder(source_, chunks_);
            std::unique_lock hold(mutex_);
            for (;;) {
                changed_.wait(hold, [&] { return is_over() || next_ < written_ + slots_.size(); });
                if (is_over()) {
                    return;
                }
                const std::size_t index = next_++;
                Slot &slot = slots_[index % slots_.size()];
                hold.unlock();
                encoder.encode(index, slot.bytes);
                hold.lock();
                slot.ready = true;
                changed_.notify_all();
            }
        } catch (...) {
            const std::lock_guard hold(mutex_);
            error_ = std::current_exception();
            changed_.notify_all();
        }
    }

    [[nodiscard]] bool is_over() const { return given_up_ || error_ || next_ == chunks_.count(); }

    const ChunkedValues &source_;
    const Chunks &chunks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Slot> slots_;
    std::size_t next_ = 0,
                written_ = 0;  // chunks: the first that nobody encodes, the first that is not written
    bool given_up_ = false;
    std::exception_ptr error_;
    std::vector<std::jthread> threads_;  // last: joined first
};

void write_chunk(hid_t dataset, const std::vector<hsize_t> &origin, const std::vector<unsigned char> &bytes,
                 const std::string &action) {
    constexpr std::uint32_t all_filters = 0;
    check(H5Dwrite_chunk(dataset, H5P_DEFAULT, all_filters, origin.data(), bytes.size(), bytes.data()),
          action);
}

}  // namespace

void write_chunks(hid_t dataset, const ChunkedValues &source, const std::string &action) {
    const Chunks chunks(source);
    const std::size_t count = chunks.count();
    if (count == 1) {
        std::vector<unsigned char> bytes;
        Encoder(source, chunks).encode(0, bytes);
        write_chunk(dataset, chunks.origin(0), bytes, action);
        return;
    }
    EncodedChunks encoded(source, chunks, std::min(encoding_threads(), count));
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<unsigned char> &bytes = encoded.wait_for(i);
        write_chunk(dataset, chunks.origin(i), bytes, action);
        encoded.done_with(i);
    }
}

}  // namespace perdure::hdf5

#include "solver/problem/whole_image.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "solver/hdf5/read_dataset.hpp"
#include "solver/problem/memory_arrays.hpp"

namespace perdure {
namespace {

/// Which file it is and when it was changed last; nothing where the system does not tell.
using Identity = std::tuple<std::string, std::string, dev_t, ino_t, off_t, time_t, long>;

std::optional<Identity> identity_of(const ValueSource &source) {
    struct stat status {};
    if (is_of_memory(source.file) || stat(source.file.c_str(), &status) != 0) {
        return std::nullopt;
    }
    return Identity{source.file.string(), source.dataset,        status.st_dev,         status.st_ino,
                    status.st_size,       status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

struct Kept {
    std::mutex mutex;
    std::optional<Identity> identity;         // of the image that was asked for last
    bool is_read = false;                     // once it has been asked for again
    std::shared_ptr<const WholeImage> image;  // null: its labels do not fit
};

Kept &kept() {
    static Kept last;
    return last;
}

}  // namespace

std::shared_ptr<const WholeImage> WholeImage::of(const ValueSource &source) {
    const std::optional<Identity> identity = identity_of(source);
    if (!identity) {
        return nullptr;
    }
    const std::scoped_lock lock(kept().mutex);
    if (kept().identity != identity) {
        kept().identity = identity;
        kept().is_read = false;
        kept().image = nullptr;
        return nullptr;
    }
    if (kept().is_read) {
        return kept().image;
    }
    const std::vector<std::int64_t> &whole = source.part->whole;
    auto image = std::make_shared<WholeImage>();
    image->labels_.resize(static_cast<std::size_t>(
        std::accumulate(whole.begin(), whole.end(), std::int64_t{1}, std::multiplies<>())));
    std::atomic<bool> fits = true;
    read_labels(source.file, source.dataset, whole,
                [&](std::span<const std::int64_t> labels, std::int64_t first) {
                    for (std::size_t i = 0; i < labels.size(); ++i) {
                        const auto label = static_cast<std::uint8_t>(labels[i]);
                        image->labels_[static_cast<std::size_t>(first) + i] = label;
                        if (label != labels[i]) {
                            fits = false;
                        }
                    }
                });
    kept().is_read = true;
    kept().image = fits ? std::move(image) : nullptr;
    return kept().image;
}

void WholeImage::for_each_row(
    const DatasetPart &part, const std::vector<std::int64_t> &shape,
    const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use) const {
    const std::int64_t length = shape.back();
    const std::int64_t rows =
        std::accumulate(shape.begin(), shape.end() - 1, std::int64_t{1}, std::multiplies<>());
    std::vector<std::int64_t> labels(static_cast<std::size_t>(length));
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t place = part.from.back();
        std::int64_t stride = part.whole.back();
        std::int64_t rest = row;
        for (std::size_t axis = shape.size() - 1; axis-- > 0; rest /= shape[axis]) {
            place += (rest % shape[axis] + part.from[axis]) * stride;
            stride *= part.whole[axis];
        }
        std::copy_n(labels_.begin() + place, length, labels.begin());
        use(labels, row * length);
    }
}

}  // namespace perdure

#include "solver/problem/whole_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <string>
#include <system_error>
#include <utility>

#include "solver/file_descriptor.hpp"
#include "solver/hdf5/read_dataset.hpp"
#include "solver/problem/memory_arrays.hpp"

namespace perdure {
namespace {

/// Of the dataset, and of its file as it is at this moment; empty where the system does not tell, and of memory.
std::string identity_of_dataset(const ValueSource &source) {
    std::error_code error;
    const std::filesystem::path file = std::filesystem::canonical(source.file, error);
    const std::string of_file = error || is_of_memory(source.file) ? "" : identity_of(file);
    return of_file.empty() ? "" : fmt::format("{} {} {}", of_file, file.string(), source.dataset);
}

struct Kept {
    std::mutex mutex;
    std::string identity;                     // of the image that was asked for last
    bool is_read = false;                     // once it has been asked for again
    std::shared_ptr<const WholeImage> image;  // null: its labels do not fit
};

Kept &kept() {
    static Kept last;
    return last;
}

}  // namespace

std::shared_ptr<const WholeImage> WholeImage::of(const ValueSource &source) {
    const std::string identity = identity_of_dataset(source);
    if (identity.empty()) {
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

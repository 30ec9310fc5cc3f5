// Values and materials from images of labels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <span>

#include "solver/hdf5/read_dataset.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/memory_arrays.hpp"
#include "solver/problem/part_of_dataset.hpp"
#include "solver/problem/sample_values.hpp"
#include "solver/problem/whole_image.hpp"

namespace perdure {
namespace {

std::string place_of(const ValueSource &source) {
    return is_of_memory(source.file)
               ? place_of(MemoryArrays::find(source.dataset))
               : fmt::format("dataset '{}' of {}", source.dataset, source.file.string());
}

/// Labels without a value, of several threads.
class UnknownLabels {
  public:
    void add(std::int64_t label, std::int64_t cell) {
        const std::lock_guard hold(lock_);
        const auto [entry, is_new] = first_cells_.try_emplace(label, cell);
        entry->second = std::min(entry->second, cell);
    }
    /// True when there is none; otherwise that is a finding.
    [[nodiscard]] bool none(const SampledPlace &place, ProblemFindings &findings) const {
        if (first_cells_.empty()) {
            return true;
        }
        constexpr std::size_t most_listed = 10;
        const auto first = std::min_element(first_cells_.begin(), first_cells_.end(),
                                            [](const auto &a, const auto &b) { return a.second < b.second; });
        std::vector<std::int64_t> listed;
        for (auto entry = first_cells_.begin(); entry != first_cells_.end() && listed.size() < most_listed;
             ++entry) {
            listed.push_back(entry->first);
        }
        findings.add(ExitCode::bad_input, place.source.position,
                     fmt::format("{}: 'labels' has no value for {}{} in {}; label {} first "
                                 "stands at {}; give every label a value",
                                 place.key, fmt::join(listed, ", "),
                                 first_cells_.size() > most_listed
                                     ? fmt::format(", ... ({} labels)", first_cells_.size())
                                     : "",
                                 place_of(place.source), first->first, place.points.describe(first->second)));
        return false;
    }

  private:
    std::mutex lock_;
    std::map<std::int64_t, std::int64_t> first_cells_;  // by label
};

/// The numbers of labels: looked up in a table where the labels are close together.
class LabelNumbers {
  public:
    static constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();

    explicit LabelNumbers(const std::map<std::int64_t, std::uint32_t> &numbers) : numbers_(numbers) {
        constexpr std::uint64_t largest_table = 1 << 16;
        if (numbers.empty()) {
            return;
        }
        first_ = numbers.begin()->first;
        const auto size =
            static_cast<std::uint64_t>(numbers.rbegin()->first) - static_cast<std::uint64_t>(first_);
        if (size < largest_table) {
            table_.assign(size + 1, unknown);
            for (const auto &[label, number] : numbers) {
                table_[label - first_] = number;
            }
        }
    }
    [[nodiscard]] std::uint32_t of(std::int64_t label) const {
        if (!table_.empty()) {
            const auto place = static_cast<std::uint64_t>(label) - static_cast<std::uint64_t>(first_);
            return place < table_.size() ? table_[place] : unknown;
        }
        const auto entry = numbers_.find(label);
        return entry == numbers_.end() ? unknown : entry->second;
    }

  private:
    const std::map<std::int64_t, std::uint32_t> &numbers_;
    std::int64_t first_ = 0;
    std::vector<std::uint32_t> table_;
};

/// Reads the labels and calls use(index, number) for every cell, in several threads: the number that `numbers` has for its
/// label. False, and a finding, when it has none for some.
template <class Use>
bool for_each_label(const SampledPlace &place, const std::map<std::int64_t, std::uint32_t> &numbers,
                    ProblemFindings &findings, const Use &use) {
    const ValueSource &source = place.source;
    const LabelNumbers number_of(numbers);
    UnknownLabels unknown;
    const auto use_run = [&](std::span<const std::int64_t> labels, std::int64_t first) {
        std::optional<std::int64_t> last_unknown;  // known to be so
        for (const std::int64_t label : labels) {
            const std::uint32_t number = number_of.of(label);
            if (number != LabelNumbers::unknown) {
                use(first, number);
            } else if (last_unknown != label) {
                unknown.add(label, first);
                last_unknown = label;
            }
            ++first;
        }
    };
    const std::vector<std::int64_t> shape = place.points.shape();
    if (const auto image = source.part ? WholeImage::of(source) : nullptr) {
        image->for_each_row(*source.part, shape, use_run);
    } else if (source.part) {
        read_labels(source.file, source.dataset, source.part->whole,
                    [&](std::span<const std::int64_t> labels, std::int64_t first) {
                        for_each_run_in_part(*source.part, shape, labels, first, use_run);
                    });
    } else {
        read_labels(source.file, source.dataset, shape, use_run);
    }
    return unknown.none(place, findings);
}

/// A typing error would pass for a label that the image could have. A part of an image need not have all of them.
void warn_of_absent(const std::vector<std::int64_t> &absent, const SampledPlace &place,
                    ProblemFindings &findings) {
    if (!absent.empty() && !place.source.part) {
        findings.warn(place.source.position,
                      fmt::format("{}: 'labels' lists {}, but no cell of {} has {} label", place.key,
                                  fmt::join(absent, ", "), place_of(place.source),
                                  absent.size() == 1 ? "this" : "such a"));
    }
}

/// Cells of each material.
void count_cells(MaterialImage &image) {
    std::mutex lock;
    in_parallel(static_cast<std::int64_t>(image.of_cell.size()), [&](std::int64_t begin, std::int64_t end) {
        std::array<std::int64_t, MaterialImage::most_materials> count{};
        for (std::int64_t i = begin; i < end; ++i) {
            ++count[image.of_cell[i]];
        }
        const std::lock_guard hold(lock);
        for (std::size_t i = 0; i < image.materials.size(); ++i) {
            image.materials[i].cells += count[i];
        }
    });
}

}  // namespace

std::optional<Samples> sample_labels(const SampledPlace &place, ProblemFindings &findings) {
    constexpr std::size_t most_in_a_byte = 256;
    std::map<std::int64_t, std::uint32_t> numbers;
    std::vector<double> value_of;
    for (const auto &[label, value] : place.source.labels) {
        numbers[label] = static_cast<std::uint32_t>(value_of.size());
        value_of.push_back(value);
    }
    const auto cells = static_cast<std::size_t>(place.points.count());
    const bool in_bytes = value_of.size() <= most_in_a_byte && cells > 1;
    std::vector<std::uint8_t> of_cell;
    Samples samples;
    if (in_bytes) {
        of_cell = zeros<std::uint8_t>(cells);
    } else {
        samples.values.resize(cells);
    }
    std::vector<std::atomic<bool>> met(value_of.size());
    const bool good = for_each_label(place, numbers, findings, [&](std::int64_t cell, std::uint32_t number) {
        if (in_bytes) {
            of_cell[cell] = static_cast<std::uint8_t>(number);
        } else {
            samples.values[cell] = value_of[number];
        }
        if (!met[number].load(std::memory_order_relaxed)) {
            met[number].store(true, std::memory_order_relaxed);
        }
    });
    std::vector<std::int64_t> absent;
    for (const auto &[label, number] : numbers) {
        if (!met[number]) {
            absent.push_back(label);
        }
    }
    if (good) {
        warn_of_absent(absent, place, findings);
    }
    if (good && in_bytes) {
        samples = samples_of_labels(std::move(of_cell), value_of);
    }
    return good ? std::optional(std::move(samples)) : std::nullopt;
}

std::optional<MaterialImage> sample_materials(const SampledPlace &place, ProblemFindings &findings) {
    MaterialImage image;
    const auto of_label = [](const auto &values, std::int64_t label) {
        const auto entry = values.find(label);
        return entry == values.end() ? std::nullopt : std::optional(entry->second);
    };
    for (const auto &[label, conductivity] : place.source.labels) {
        image.materials.push_back({label, conductivity, 0, of_label(place.source.labels_by_axis, label),
                                   of_label(place.source.labels_cross, label)});
    }
    std::stable_partition(image.materials.begin(), image.materials.end(),
                          [](const Material &material) { return material.conductivity > 0.0; });
    std::map<std::int64_t, std::uint32_t> numbers;
    for (std::size_t i = 0; i < image.materials.size(); ++i) {
        numbers[image.materials[i].label] = static_cast<std::uint32_t>(i);
    }
    auto of_cell = zeros<std::uint8_t>(static_cast<std::size_t>(place.points.count()));
    try {
        const bool good =
            for_each_label(place, numbers, findings, [&](std::int64_t cell, std::uint32_t number) {
                of_cell[cell] = static_cast<std::uint8_t>(number);
            });
        image.of_cell = std::move(of_cell);
        count_cells(image);
        std::vector<std::int64_t> absent;
        for (const Material &material : image.materials) {
            if (material.cells == 0) {
                absent.push_back(material.label);
            }
        }
        if (good) {
            std::sort(absent.begin(), absent.end());
            warn_of_absent(absent, place, findings);
        }
        return good ? std::optional(std::move(image)) : std::nullopt;
    } catch (const Failure &failure) {
        findings.add(failure, place.source.position, place.key);
        return std::nullopt;
    }
}

Samples conductivities(const MaterialImage &image) {
    std::vector<double> of_materials;
    for (const Material &material : image.materials) {
        of_materials.push_back(material.conductivity);
    }
    return samples_of_labels(image.of_cell, of_materials);
}

}  // namespace perdure

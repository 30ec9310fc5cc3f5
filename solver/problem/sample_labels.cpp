// Values and materials from images of labels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <span>

#include "solver/hdf5/read_dataset.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/sample_values.hpp"
#include "solver/time_spent.hpp"

namespace perdure {
namespace {

/// Labels without a value.
struct UnknownLabels {
    std::set<std::int64_t> labels;
    std::string first_met;

    void add(std::int64_t label, std::int64_t cell, const SamplePoints &points) {
        if (labels.insert(label).second && labels.size() == 1) {
            first_met = fmt::format("first is {} at {}", label, points.describe(cell));
        }
    }
    /// True when there is none; otherwise that is a finding.
    [[nodiscard]] bool none(const SampledPlace &place, ProblemFindings &findings) const {
        if (labels.empty()) {
            return true;
        }
        constexpr std::size_t most_listed = 10;
        const auto listed = static_cast<std::ptrdiff_t>(std::min(most_listed, labels.size()));
        findings.add(
            ExitCode::bad_input, place.source.position,
            fmt::format(
                "{}: no value under 'labels' for {}{} in dataset '{}' of {}; {}; give every label a value",
                place.key, fmt::join(labels.begin(), std::next(labels.begin(), listed), ", "),
                labels.size() > most_listed ? fmt::format(", ... ({} labels)", labels.size()) : "",
                place.source.dataset, place.source.file.string(), first_met));
        return false;
    }
};

/// Reads the labels and calls use(index, number) for every cell, in several threads: the number that `numbers` has for its
/// label. False, and a finding, when it has none for some.
template <class Use>
bool for_each_label(const SampledPlace &place, const std::map<std::int64_t, std::uint32_t> &numbers,
                    ProblemFindings &findings, const Use &use) {
    const ValueSource &source = place.source;
    UnknownLabels unknown;
    read_labels(source.file, source.dataset, place.points.shape(),
                [&](std::span<const std::int64_t> labels, std::int64_t first) {
                    const TimeSpent::Scope sampling(Activity::sample);
                    std::atomic<bool> all_known = true;
                    in_parallel(static_cast<std::int64_t>(labels.size()),
                                [&](std::int64_t begin, std::int64_t end) {
                                    auto entry = numbers.end();
                                    for (std::int64_t i = begin; i < end; ++i) {
                                        if (entry == numbers.end() || entry->first != labels[i]) {
                                            entry = numbers.find(labels[i]);
                                        }
                                        if (entry == numbers.end()) {
                                            all_known = false;
                                        } else {
                                            use(first + i, entry->second);
                                        }
                                    }
                                });
                    for (std::size_t i = 0; i < labels.size() && !all_known; ++i) {
                        if (numbers.count(labels[i]) == 0) {
                            unknown.add(labels[i], first + static_cast<std::int64_t>(i), place.points);
                        }
                    }
                });
    return unknown.none(place, findings);
}

/// A typing error would pass for a label that the image could have.
void warn_of_absent(const std::vector<std::int64_t> &absent, const SampledPlace &place,
                    ProblemFindings &findings) {
    if (!absent.empty()) {
        findings.warn(
            place.source.position,
            fmt::format("{}: dataset '{}' of {} has no cell of label {}, which 'labels' lists", place.key,
                        place.source.dataset, place.source.file.string(), fmt::join(absent, ", ")));
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
    std::map<std::int64_t, std::uint32_t> numbers;
    std::vector<double> value_of;
    for (const auto &[label, value] : place.source.labels) {
        numbers[label] = static_cast<std::uint32_t>(value_of.size());
        value_of.push_back(value);
    }
    Samples samples;
    samples.values.resize(static_cast<std::size_t>(place.points.count()));
    std::vector<std::atomic<bool>> met(value_of.size());
    const bool good = for_each_label(place, numbers, findings, [&](std::int64_t cell, std::uint32_t number) {
        samples.values[cell] = value_of[number];
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
    return good ? std::optional(std::move(samples)) : std::nullopt;
}

std::optional<MaterialImage> sample_materials(const SampledPlace &place, ProblemFindings &findings) {
    MaterialImage image;
    for (const auto &[label, conductivity] : place.source.labels) {
        image.materials.push_back({label, conductivity, 0});
    }
    std::stable_partition(image.materials.begin(), image.materials.end(),
                          [](const Material &material) { return material.conductivity > 0.0; });
    std::map<std::int64_t, std::uint32_t> numbers;
    for (std::size_t i = 0; i < image.materials.size(); ++i) {
        numbers[image.materials[i].label] = static_cast<std::uint32_t>(i);
    }
    image.of_cell.resize(static_cast<std::size_t>(place.points.count()));
    try {
        const bool good =
            for_each_label(place, numbers, findings, [&](std::int64_t cell, std::uint32_t number) {
                image.of_cell[cell] = static_cast<std::uint8_t>(number);
            });
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
    Samples samples;
    samples.values.resize(image.of_cell.size());
    in_parallel(static_cast<std::int64_t>(image.of_cell.size()), [&](std::int64_t begin, std::int64_t end) {
        std::transform(image.of_cell.begin() + begin, image.of_cell.begin() + end,
                       samples.values.begin() + begin,
                       [&](std::uint8_t material) { return image.materials[material].conductivity; });
    });
    return samples;
}

}  // namespace perdure

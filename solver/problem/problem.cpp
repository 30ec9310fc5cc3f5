#include "solver/problem/problem.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include <fmt/format.h>

#include "solver/failure.hpp"
#include "solver/problem/in_parallel.hpp"

namespace perdure {

namespace {

void expect_one_field(const Problem &problem) {
    if (problem.fields.size() != 1) {
        throw Failure(
            ExitCode::differs_or_internal,
            fmt::format("internal error: expected one field, the problem has {}", problem.fields.size()));
    }
}

}  // namespace

Samples samples_of_labels(CellLabels labels, const std::vector<double> &values) {
    std::array<std::atomic<bool>, 256> met{};  // relaxed: threads do not look at each other's
    in_parallel(static_cast<std::int64_t>(labels.size()), [&](std::int64_t begin, std::int64_t end) {
        std::array<bool, 256> here{};
        for (std::int64_t i = begin; i < end; ++i) {
            here[labels[static_cast<std::size_t>(i)]] = true;
        }
        for (std::size_t label = 0; label < here.size(); ++label) {
            if (here[label]) {
                met[label].store(true, std::memory_order_relaxed);
            }
        }
    });
    Samples samples{LargeVector<double>(values), std::move(labels)};
    for (std::size_t label = 0; label < values.size(); ++label) {
        if (!met[label]) {
            samples.values[label] = values[samples.labels[0]];
        }
    }
    return samples;
}

void expand(Samples &samples) {
    if (samples.labels.empty()) {
        return;
    }
    LargeVector<double> values(samples.labels.size());
    in_parallel(samples.count(), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            values[i] = samples[i];
        }
    });
    samples = {std::move(values), {}};
}

Field::Field() = default;
Field::Field(const Field &) = default;
Field::Field(Field &&) noexcept = default;
Field &Field::operator=(const Field &) = default;
Field &Field::operator=(Field &&) noexcept = default;
Field::~Field() = default;

Problem::Problem() = default;
Problem::Problem(const Problem &) = default;
Problem::Problem(Problem &&) noexcept = default;
Problem &Problem::operator=(const Problem &) = default;
Problem &Problem::operator=(Problem &&) noexcept = default;
Problem::~Problem() = default;

const Field &Problem::only_field() const {
    expect_one_field(*this);
    return fields.front();
}

Field &Problem::only_field() {
    expect_one_field(*this);
    return fields.front();
}

}  // namespace perdure
